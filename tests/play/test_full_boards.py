"""Full boards: a diesel in 1830, and two trains in every game that can be imported."""

from __future__ import annotations

import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from beside import SHARED, needs
from exchange import corpus
from platelayer.foundation.problems import CannotRun, ProblemsFound, has_errors
from platelayer.model.gamemap import neighbour, opposite
from platelayer.model.position import Lay, Position, Station
from platelayer.model.tile import WITH_SLOTS, rotate_tile
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.play.network import engines_of, network_of
from platelayer.play.routes import routes, routes_of
from platelayer.play.runs import best_runs
from platelayer.rules.graph import next_lays
from platelayer.rules.positions import check_position, spots_of

pytestmark = [needs("corpus"), pytest.mark.slow]


def full_board(title: Title, seed: int, tokens: Mapping[str, int]) -> Position:
    """A board on which every hex has the last tile that the box has for it, with the most track that
    leads on, and companies have so many tokens."""
    dice, board = random.Random(seed), title.maps[0]
    spots, used = spots_of(title, board), Counter[str]()
    exits = {hexagon.id: {*hexagon.tile.exits} for hexagon in board.hexes}
    lying: dict[str, Lay] = {}

    def leads_on(hex_id: str, lay: Lay) -> tuple[int, int, float]:
        tile, at = (
            rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation),
            board.by_id[hex_id].at,
        )
        others = [
            (edge, board.by_coord.get(neighbour(at, edge, board.layout))) for edge in tile.exits
        ]
        met = sum(bool(there and opposite(edge) in exits[there.id]) for edge, there in others)
        return met, len(tile.track), dice.random()

    for _ in title.colours:
        for hex_id, spot in sorted(spots.items()):
            lie = lying.get(hex_id)
            _, fitting = next_lays(title, spot, (lie.tile, lie.rotation) if lie else None)
            lays = [
                Lay(tile, turn)
                for tile, turns in fitting.items()
                for entry in [title.tile_by_id[tile]]
                if entry.unlimited or used[entry.back_of or tile] < entry.count
                for turn in turns
            ]
            if lays:
                if lie:
                    used[title.tile_by_id[lie.tile].back_of or lie.tile] -= 1
                lay = lying[hex_id] = max(lays, key=lambda lay: leads_on(hex_id, lay))
                used[title.tile_by_id[lay.tile].back_of or lay.tile] += 1
                tile = rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation)
                exits[hex_id] = {*tile.exits}
    position = Position(title=title.id, variant=title.variant, tiles=tuple(lying.items()))
    free = [
        (hex_id, stop, slot)
        for hex_id, tile in sorted(title.shown_in(position).items())
        for stop, each in enumerate(tile.stops)
        if each.kind in WITH_SLOTS and not board.by_id[hex_id].reserved
        for slot in range(each.slots)
    ]
    dice.shuffle(free)
    held = defaultdict[str, list[Station]](list)
    for company in (company for company, count in tokens.items() for _ in range(count)):
        for place in free:
            hex_id, stop, slot = place
            if all(each.company != company for each in held[hex_id]):
                held[hex_id].append(Station(company, stop, slot))
                free.remove(place)
                break
    there = tuple((hex_id, tuple(stations)) for hex_id, stations in held.items() if stations)
    phase = title.phases[-1].id if title.phases else None
    return Position(
        title=title.id, variant=title.variant, phase=phase, tiles=position.tiles, tokens=there
    )


@pytest.mark.parametrize("others", [0, 1, 4])
def test_a_diesel_runs_on_a_full_board_of_1830(others: int) -> None:
    """All cities are upgraded: in 2 seconds, with a proof; alone on the map, and beside others."""
    pytest.importorskip("tree_sitter_ruby")
    title = load(str(corpus.imported(SHARED / "corpus" / "18xx-games" / "game" / "g_1830")))
    companies = [company.id for company in title.companies if company.has_charter]
    for seed, company in enumerate(companies):
        tokens = {company: 4, **{each: others for each in companies if each != company}}
        position = full_board(title, seed, tokens)
        assert not has_errors([*check_position(title, position)])
        network = network_of(title, position, company)
        start = time.process_time()
        best = best_runs(network, engines_of(title, company, ["D"]))
        assert time.process_time() - start < 2
        assert best.proof is not None


GAMES = {
    game.name: game
    for games in (corpus.ruby_games, corpus.older_games, corpus.maker_games)
    for game in games()
}


@pytest.mark.parametrize("name", GAMES)
def test_an_import_answers_for_a_full_board(name: str, tmp_path: Path) -> None:
    """The routes of a company with two trains: the most, or the best found in time with a bound; and
    what is not counted."""
    if name.startswith("g_"):
        pytest.importorskip("tree_sitter_ruby")
    folder = corpus.imported(GAMES[name])
    title = load(str(folder))
    if not title.maps or not title.company_by_id:
        file = tmp_path / "position.json"
        file.write_text(json.dumps({"format": "platelayer.position/1", "title": title.id}))
        with pytest.raises((CannotRun, ProblemsFound)):
            routes(str(folder), file, company="A", trains=["2"])
        return
    tokens = {each: 2 for each, card in title.company_by_id.items() if card.stations}
    position = full_board(title, 1, tokens)
    placed = {station.company for _, stations in position.tokens for station in stations}
    company = min(placed & {*tokens}, default=min(title.company_by_id))
    names = [*title.faces_by_name]
    start = time.process_time()
    found = routes_of(
        title,
        position,
        company=company,
        trains=(names[0], names[len(names) // 2]),
        seconds=0.3,
        language="en",
    )
    assert time.process_time() - start < 3
    (income,) = found.incomes
    assert 0 <= income.best.total <= income.best.bound
    proven = income.best.proof is not None
    assert not proven or income.best.total == income.best.bound
    assert ("is the most" if proven else "found, at most") in found.text
    for table in title.bonuses:
        if table.pays is None:
            assert str(table.name.get("en")) in found.text
