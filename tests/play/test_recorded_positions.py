"""Positions imported from recorded games: each can be drawn, and is what an engine saw.

The files are made from what was recorded (`replayed_games.py`), as the players' own are not there.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec import convert
from msgspec.structs import replace

from beside import needs
from platelayer.api import check_position, draw, import_position, load
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.exchange.eighteen_games.positions import Game, read_game
from platelayer.foundation.problems import Severity
from platelayer.model.position import InPlay, Position
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.rules.positions import check_position as problems_in
from platelayer.rules.positions import hex_names
from play.replayed_games import Seen, game_file, sample
from play.test_recorded import Game as Recorded
from play.test_recorded import games, recorded

pytestmark = needs("recorded")
assert games  # a fixture

SHIPPED = {
    "1824Cisleithania__1824_cisleithania_game_end_reason_bank": ("1824", "cisleithania-2"),
    "1824__1824_game_end_reason_bank": ("1824", None),
    "1841__132002": ("1841", None),
    "1841__1841_game_end_bankrupt": ("1841", None),
    "18CZ__2_player_hostseat": ("18cz", None),
    "18EU__prohibit_buy_over_60": ("18eu", None),
}


class _Tally(Counter[str]):
    """What is as the engine saw it."""

    def add(self, title: Title, position: Position, seen: Seen) -> None:
        board = title.map_of(position)
        lays = [(hex_id, lay) for hex_id, lay in position.tiles]
        named = hex_names(title, board, lays, ())
        assert named is not None or not lays
        self["positions"] += 1
        phase = title.phase_by_id.get(position.phase or "")
        self["phases"] += phase is not None and seen.phase in (
            phase.id,
            phase.id.removeprefix("PH"),
            *phase.begun_by,
        )
        self["tiles"] += len(seen.tiles)
        self["same tiles"] += (
            Counter(seen.tiles.values()) & Counter((lay.tile, lay.rotation) for _, lay in lays)
        ).total()
        ours = Counter(station.company for _, stations in position.tokens for station in stations)
        theirs = Counter(company for _, company in seen.tokens)
        self["tokens"] += theirs.total()
        self["same tokens"] += (ours & theirs).total()
        self["other tokens"] += (ours - theirs).total()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_of_a_shipped_title_becomes_the_position_that_was(name: str, tmp_path: Path) -> None:
    """Through its file, by the name of its title: three times in the game, the last at its end."""
    title_id, variant = SHIPPED[name]
    title = load(title_id, variant=variant)
    game, states = game_file(*recorded()[name], title)
    path, paused = tmp_path / "game.json", tmp_path / "paused.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    tally = _Tally()
    for seen in sample(states, 3):
        brought = import_position(path, at=seen.at)
        assert (brought.position.title, brought.position.variant) == (title_id, variant)
        assert not any(line.startswith("left out") for line in brought.untold)
        paused.write_text(brought.text, encoding="utf-8")
        assert [
            problem for problem in check_position(paused) if problem.severity is Severity.ERROR
        ] == []
        tally.add(title, brought.position, seen)
    draw(
        load(title_id, variant=variant),
        f"map:{title.map_of(brought.position).id}",
        BuildOptions(position=str(paused)),
    )
    assert tally["same tiles"] == tally["tiles"] > 0
    assert tally["same tokens"] >= 0.9 * tally["tokens"] > 0
    assert tally["other tokens"] <= 0.1 * tally["tokens"]
    assert (
        tally["phases"] >= tally["positions"] - 1
    )  # the last is that of a train that left the bank unseen


@pytest.mark.slow
def test_positions_of_every_recorded_game_draw(games: list[Recorded]) -> None:
    """Four times in each game of which there is the title. What differs was left out by name, or
    follows from code: the phase of trains that the bank exports, tokens of companies that were
    changed."""
    tally, notes = _Tally(), Counter[str]()
    for game in games:
        if not game.title.maps:
            continue
        end, positions = recorded()[game.name]
        file, states = game_file(end, positions, game.title)
        read = convert(file, Game)
        style = style_of(game.title, complete_theme("classic"), "en")
        for seen in sample(states, 4):
            position, untold = read_game(read, game.title, at=seen.at)
            assert [
                p for p in problems_in(game.title, position) if p.severity is Severity.ERROR
            ] == [], game.name
            tally.add(game.title, position, seen)
            missing = len(seen.tiles) - len(position.tiles)
            assert sum("tile" in line or "hex" in line for line in untold) >= (missing > 0), (
                game.name,
                untold,
            )
            notes.update(untold)
        draw_map(
            replace(game.title, in_play=InPlay(position=position)),
            game.title.map_of(position).id,
            style,
        )
    assert tally["positions"] > 200
    assert tally["same tiles"] >= 0.98 * tally["tiles"]
    assert tally["same tokens"] >= 0.95 * tally["tokens"]
    assert tally["other tokens"] <= 0.05 * tally["tokens"]
    assert tally["phases"] >= 0.8 * tally["positions"]
