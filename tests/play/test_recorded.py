"""Positions and supply beside games that were played: what lay on the map is possible, and no bound
is exceeded.

The titles are the shipped ones and those of 18xx.games' own data, imported as anybody would. Facts
of the records stay where they are.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from beside import SHARED, needs
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.exchange.importers import import_title
from platelayer.model.position import InPlay, Lay, Position, Station
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.play.supply import kind_of, spearman, supply_of
from platelayer.rules.positions import check_position, hex_names, judge_lay, spots_of
from platelayer.scene.legibility import check_legibility

pytestmark = [needs("recorded"), pytest.mark.slow]

SHIPPED = {
    "18EU": ("18eu", None),
    "18CZ": ("18cz", None),
    "1841": ("1841", None),
    "1824": ("1824", None),
}
BY_CODE = {
    "18RoyalGorge": "its code lays RG-A to RG-F, and lets towns become cities",
    "18USA": "its code draws cities, resources and subsidies for each game, with tiles of their own",
    "1822PNW": "abilities lay P1, P2 and PNW1 to PNW5 on any hex",
    "1822": "abilities lay X tiles and cities on bare ground",
    "1817": "abilities lay X00 and 592, 593 for a city on bare ground",
    "1817NA": "as 1817",
    "1817WO": "as 1817",
    "1837": "its code lays the tiles of mines and of Bosnia",
    "1824": "tile 405 differs from the catalogue's: the rotation counts from another edge (imported data only)",
    "18AL": "the engine lays tiles of coal fields, whatever the hex",
    "18MEX": "its code lays the tiles of Mexico City and of the copper canyon",
    "1862": "tiles with two numbers (18_1b) are made by code",
}
"""Titles of whose lays some are not legal by their data, and why."""


class Game(NamedTuple):
    """A recorded game, and its title."""

    name: str
    title: Title
    positions: list[dict[str, object]]
    peak: dict[str, int]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def recorded() -> dict[str, tuple[dict[str, object], list[dict[str, object]]]]:
    found: dict[str, dict[str, str]] = {}
    with tarfile.open(SHARED / "recorded" / "positions.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                name = Path(member.name).name
                stem, _, kind = (
                    name.partition(".end.json")
                    if name.endswith(".end.json")
                    else (name[:-6], "", "lines")
                )
                found.setdefault(stem, {})[kind or "end"] = file.read().decode()
    return {
        stem: (
            json.loads(parts["end"]),
            [json.loads(line) for line in parts.get("lines", "").splitlines()],
        )
        for stem, parts in sorted(found.items())
        if "end" in parts
    }


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Game]:
    """Recorded games of the shipped titles and of those in the corpus."""
    pytest.importorskip("tree_sitter_ruby")
    sources = {
        _plain(path.name[2:]): path
        for path in (SHARED / "corpus" / "18xx-games" / "game").glob("g_*")
    }
    titles: dict[object, Title] = {}
    games = []
    for stem, (end, positions) in recorded().items():
        name = str(end["title"])
        rules = tuple(end["rules"])  # type: ignore[arg-type]
        key = name, rules
        if key not in titles:
            if name in SHIPPED:
                titles[key] = load(SHIPPED[name][0])
            elif _plain(name) in sources:
                folder = tmp_path_factory.mktemp(_plain(name)) / "title"
                import_title(sources[_plain(name)], folder, rules=rules)
                titles[key] = load(folder)
            else:
                continue
        games.append(Game(stem, titles[key], positions, end["peak"]))  # type: ignore[arg-type]
    assert len(games) > 50
    return games


def _lays(game: Game) -> set[tuple[str, Lay]]:
    return {(hex_id, Lay(*lie)) for line in game.positions for hex_id, lie in line["tiles"].items()}  # type: ignore[attr-defined]


def _ours(game: Game) -> dict[str, str]:
    """Our names of the hexes of a game."""
    lays = sorted(_lays(game), key=str)
    tokens = {token[0] for line in game.positions for token in line["toks"]}  # type: ignore[attr-defined]
    named = hex_names(game.title, game.title.maps[0], lays, tokens) if game.title.maps else None
    return named.names if named is not None else {name: name for name, _ in lays}


def _judged(game: Game) -> Iterator[tuple[bool, int]]:
    """Whether each lay is legal, and on how many of the recorded boards it lies."""
    names = _ours(game)
    spots = [spots_of(game.title, board) for board in game.title.maps]
    on_boards = Counter(
        (h, Lay(*lie)) for line in game.positions for h, lie in line["tiles"].items()
    )  # type: ignore[attr-defined]
    for hex_id, lay in sorted(_lays(game), key=str):
        ours, known = names[hex_id], lay.tile in game.title.tile_by_id
        legal = known and any(judge_lay(here.get(ours), ours, lay) is None for here in spots)
        yield legal, on_boards[hex_id, lay]


def test_recorded_lays_are_legal(games: list[Game]) -> None:
    """All of the shipped titles; of all titles 97 % of the different lays, and of what lies on
    boards. The others are of titles whose code is known to lay them."""
    legal, of = Counter[str](), Counter[str]()
    lying, on_boards = 0, 0
    for game in games:
        name = game.name.partition("__")[0]
        for fits, boards in _judged(game):
            legal[name] += fits
            of[name] += 1
            lying += boards * fits
            on_boards += boards
    unexplained = {
        name: (legal[name], of[name])
        for name in of
        if legal[name] < of[name] and name not in BY_CODE
    }
    assert unexplained == {}
    assert {name for name in SHIPPED if legal[name] != of[name]} == set()
    assert legal.total() >= 0.97 * of.total()
    assert lying >= 0.97 * on_boards


def test_no_recorded_board_exceeds_a_bound(games: list[Game]) -> None:
    boards = 0
    for game in games:
        if not game.title.maps or game.name.startswith("1825"):
            continue
        names = _ours(game)
        most = {(bound.colour, bound.kind): bound for bound in supply_of(game.title).bounds}
        for line in game.positions:
            here = Counter[tuple[str, str]]()
            for hex_id, (number, _) in line["tiles"].items():  # type: ignore[attr-defined]
                entry = game.title.tile_by_id.get(number)
                if entry is None:
                    continue
                for key in ((entry.tile.colour, ""), (entry.tile.colour, kind_of(entry.tile))):
                    if key in most and names[hex_id] in most[key].want:
                        here[key] += 1
            boards += 1
            for key, count in here.items():
                assert (game.name, key, count) <= (game.name, key, most[key].most)
    assert boards > 2000


def test_tightness_tells_more_of_use_than_counts(games: list[Game]) -> None:
    """Spearman's correlation with the share of its copies that lay on the map at once, over long
    games: on average by tightness, and by counts alone (few or many copies first)."""
    tight, counts = [], []
    for game in games:
        rows = [row for row in supply_of(game.title).tiles if row.copies] if game.title.maps else []
        use = [min(1.0, game.peak.get(row.tile, 0) / (row.copies or 1)) for row in rows]
        if len(game.positions) < 30 or len(set(use)) < 3 or game.name.startswith("1825"):
            continue
        tight.append(spearman([row.ratio for row in rows], use))
        counts.append(spearman([-(row.copies or 0) for row in rows], use))
    assert len(tight) > 30
    assert fmean(tight) > 0.3 > 2 * abs(fmean(counts))


@pytest.mark.parametrize("theme", ["classic", "low-ink", "colour-blind"])
def test_recorded_boards_are_legible(games: list[Game], theme: str) -> None:
    """The last board of each game of a shipped title, with its tokens and the numbers of its
    tiles."""
    drawn = 0
    for game in games:
        if game.name.partition("__")[0] not in SHIPPED or not game.positions:
            continue
        names, last = _ours(game), game.positions[-1]
        tiles = tuple((names[hex_id], Lay(*lie)) for hex_id, lie in last["tiles"].items())  # type: ignore[attr-defined]
        position = Position(title=game.title.id, tiles=tiles)
        shown = game.title.shown_in(position)
        tokens: dict[str, tuple[Station, ...]] = {}
        for hex_id, city, company in last["toks"]:  # type: ignore[attr-defined]
            stops = shown[names[hex_id]].stops
            cities = [
                index
                for index, stop in enumerate(stops)
                if stop.kind in (StopKind.CITY, StopKind.PASS)
            ]
            if company in game.title.company_by_id and city < len(cities):
                here = tokens.get(names[hex_id], ())
                tokens[names[hex_id]] = (*here, Station(company, cities[city]))
        position = replace(position, tokens=tuple(tokens.items()))
        assert list(check_position(game.title, position)) == []
        title = replace(game.title, in_play=InPlay(position=position, numbers=True))
        for language in ("en", "ja"):
            scene = draw_map(
                title, title.maps[0].id, style_of(title, complete_theme(theme), language)
            )
            assert check_legibility(scene) == ()
            drawn += 1
    assert drawn >= 8
