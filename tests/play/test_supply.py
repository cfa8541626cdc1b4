"""Supply: bounds against brute force, witnesses against a replay, what recorded games did, and
reach by hand."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from missing_words import missing_words
from platelayer.api import check_position, load, supply
from platelayer.definitions.titles import position_text
from platelayer.foundation.problems import CannotRun
from platelayer.model.gamemap import (
    EDGES,
    Coord,
    CoordinateScheme,
    GameMap,
    Layout,
    MapHex,
    neighbour,
    opposite,
)
from platelayer.model.position import Lay
from platelayer.model.tile import (
    COMMON_RULES,
    Segment,
    Stop,
    StopKind,
    Tile,
    edge_end,
    rotate_tile,
    stop_end,
)
from platelayer.model.title import TileCount, Title
from platelayer.play.report import SupplyReport
from platelayer.play.supply import kind_of, reach_of, spearman, supply_of
from platelayer.rules.replacement import rotations
from play.replayed import replay

TITLES = ["18cz", "1841", "18eu", "1824"]
SHAPES = (
    (Coord(0, 0), Coord(0, 2), Coord(1, 1)),
    (Coord(0, 0), Coord(0, 2), Coord(1, 1), Coord(1, 3)),
)


def _tile(rng: random.Random, name: str, colour: str) -> Tile:
    """A tile with track to one to three edges, of a city, a town or neither."""
    kind = rng.choice([StopKind.CITY, StopKind.TOWN, None, None])
    first = rng.choice(EDGES)
    edges = [
        (first + more) % 6 for more in range(rng.choice([1, 1, 2, 2, 3]))
    ]  # side by side, to fit small boards
    if kind is None:
        first, *rest = [*edges, *((edges[0] + 1) % 6 for _ in range(len(edges) == 1))]
        return Tile(
            id=name,
            colour=colour,
            track=tuple(Segment(a=edge_end(first), b=edge_end(to)) for to in rest),
        )
    stop = Stop(kind=kind, slots=int(kind is StopKind.CITY))
    return Tile(
        id=name,
        colour=colour,
        stops=(stop,),
        track=tuple(Segment(a=edge_end(edge), b=stop_end(0)) for edge in edges),
    )


def _board(rng: random.Random, title: Title) -> Title:
    """A title with three or four hexes and four to seven tiles."""
    scheme = CoordinateScheme(letters_on="x")
    hexes = []
    for at in rng.choice(SHAPES):
        name = scheme.name(at)
        printed = rng.choice(["city", "town", "", "", "gray"])
        if printed == "gray":
            tile = _tile(rng, name, "gray")
        else:
            stops = (Stop(kind=StopKind(printed), slots=int(printed == "city")),) if printed else ()
            tile = Tile(id=name, colour="white", stops=stops)
        hexes.append(MapHex(at=at, tile=tile))
    board = GameMap(
        id="small", name=title.name, layout=Layout.FLAT, scheme=scheme, hexes=tuple(hexes)
    )
    colours = [rng.choice(["yellow", "yellow", "green", "brown"]) for _ in range(rng.randint(4, 7))]
    tiles = tuple(
        TileCount(
            count=rng.randint(0, 2),
            tile=_tile(rng, f"T{number}", colour),
            unlimited=rng.random() < 0.05,
        )
        for number, colour in enumerate(colours)
    )
    return replace(title, maps=(board,), tiles=tiles, companies=(), upgrades=COMMON_RULES)


def _brute(title: Title) -> dict[tuple[str, str], int]:
    """The most hexes with a tile of each colour and kind on any board that lays can reach, one lay
    after another."""
    board = title.maps[0]
    tiles = [entry for entry in title.tiles if entry.count or entry.unlimited]

    def opens(other: MapHex, edge: int) -> bool:
        may = any(
            rotations(other.tile, entry.tile, title.colours, title.upgrades) for entry in tiles
        )
        return may or other.tile.colour == "white" or edge in other.tile.exits

    def lies(at: Coord, tile: Tile) -> bool:
        beyond = [
            (board.by_coord.get(neighbour(at, edge, board.layout)), opposite(edge))
            for edge in tile.exits
        ]
        return all(other is not None and opens(other, edge) for other, edge in beyond)

    moves: dict[tuple[str, Lay | None], list[Lay]] = {}

    def after(hexagon: MapHex, lay: Lay | None) -> list[Lay]:
        key = hexagon.id, lay
        if key not in moves:
            old = (
                hexagon.tile
                if lay is None
                else rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation)
            )
            moves[key] = [
                Lay(entry.tile.id, turn)
                for entry in tiles
                for turn in rotations(old, entry.tile, title.colours, title.upgrades)
                if lies(hexagon.at, rotate_tile(entry.tile, turn))
            ]
        return moves[key]

    start: tuple[Lay | None, ...] = (None,) * len(board.hexes)
    seen, best = {start}, Counter[tuple[str, str]]()
    for state in (waiting := [start]):
        used = Counter(lay.tile for lay in state if lay is not None)
        here = Counter[tuple[str, str]]()
        for number, count in used.items():
            tile = title.tile_by_id[number].tile
            here[tile.colour, kind_of(tile)] += count
            here[tile.colour, ""] += count
        best |= here
        for index, hexagon in enumerate(board.hexes):
            for lay in after(hexagon, state[index]):
                entry = title.tile_by_id[lay.tile]
                if entry.unlimited or used[lay.tile] < entry.count:
                    following = (*state[:index], lay, *state[index + 1 :])
                    if following not in seen:
                        seen.add(following)
                        waiting.append(following)
    return dict(best)


def _agree(seed: int, title: Title) -> int:
    """Compares a random board's bounds with brute force, and replays their witnesses; how many
    bounds it has."""
    small = _board(random.Random(seed), title)
    most = _brute(small)
    bounds = supply_of(small).bounds
    for bound in bounds:
        assert (seed, bound.name, bound.most) == (
            seed,
            bound.name,
            most.get((bound.colour, bound.kind), 0),
        )
        lying, wrong = replay(small, small.maps[0], bound.steps)
        assert (seed, wrong) == (seed, None)
        assert len(lying) == bound.most
    return len(bounds)


def test_bounds_equal_brute_force() -> None:
    title = load("18eu")
    assert sum(_agree(seed, title) for seed in range(250)) > 250


@pytest.mark.slow
def test_bounds_equal_brute_force_on_ten_thousand_boards() -> None:
    title = load("18eu")
    assert sum(_agree(seed, title) for seed in range(10_000)) > 10_000


@pytest.mark.parametrize("name", TITLES)
def test_witnesses_are_reached_by_legal_lays(name: str) -> None:
    title = load(name)
    for bound in supply_of(title).bounds:
        lying, wrong = replay(title, title.maps[0], bound.steps)
        assert wrong is None, bound.name
        tiles = [title.tile_by_id[lay.tile].tile for lay in lying.values()]
        having = [
            tile
            for tile in tiles
            if tile.colour == bound.colour and bound.kind in ("", kind_of(tile))
        ]
        assert len(having) == bound.most, bound.name


@pytest.mark.parametrize("name", TITLES)
def test_a_minimum_cut_is_as_small_as_the_flow(name: str) -> None:
    for bound in supply_of(load(name)).binding:
        assert bound.copies is not None
        assert bound.most == len(bound.want) - len(bound.short) + bound.copies


def test_of_eight_plain_cities_of_18eu_at_most_five_are_gray() -> None:
    """The box has five of 513, the only gray tile of plain cities (rulebook of 18EU, tiles)."""
    (bound,) = (bound for bound in supply_of(load("18eu")).bounds if bound.name == "gray: city")
    assert (len(bound.want), bound.most, bound.tiles, bound.copies) == (8, 5, ("513",), 5)


def test_the_replay_refuses_what_is_not_legal() -> None:
    title = load("18eu")
    board = title.maps[0]
    for steps, word in (
        ([("F5", Lay("14", 0))], "cannot replace"),
        ([("Z9", Lay("57", 0))], "no hex"),
        ([("D5", Lay("9", 0))], "off the map"),
        ([("F5", Lay("57", 0)), ("F5", Lay("57", 1))], "cannot replace"),
    ):
        assert word in (replay(title, board, steps)[1] or "")
    one = replace(
        title, tiles=tuple(replace(e, count=1) if e.tile.id == "8" else e for e in title.tiles)
    )
    lays = [(hexagon.id, Lay("8", turn)) for hexagon in board.hexes for turn in EDGES]
    legal = [step for step in lays if replay(title, board, [step])[1] is None]
    first, second = legal[0], next(step for step in legal if step[0] != legal[0][0])
    assert replay(title, board, [first, second])[1] is None
    assert "no copy" in (replay(one, board, [first, second])[1] or "")


def test_spearman_by_hand() -> None:
    """Kendall, Rank Correlation Methods, 1.14: ties share their mean rank."""
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.9486833)
    assert spearman([1, 1, 1], [1, 2, 3]) == 0.0


# Reach.


def test_every_stop_of_the_titles_is_reached_in_the_end() -> None:
    for name in TITLES:
        title = load(name)
        reach = reach_of(title, title.maps[0])
        assert (name, reach.phases[-1].missed, reach.never) == (name, (), ())


def test_a_city_with_one_neighbour_beyond_it_cuts_the_map() -> None:
    """18EU: the port V5 has track to T5 alone."""
    title = load("18eu")
    assert "T5" in {cut.hex for cut in reach_of(title, title.maps[0]).cuts}


def test_passes_of_1841_wait_for_green_tiles() -> None:
    title = load("1841")
    phases = {phase.phase: phase for phase in reach_of(title, title.maps[0]).phases}
    assert "O3" in phases["2"].missed
    assert "O3" not in phases["3"].missed


def _line(printed: str, tiles: dict[str, Tile]) -> Title:
    """A home above a bare hex above a town: A1, A3, A5."""
    title = load("18eu")
    home = Tile(
        id="A1",
        colour="gray",
        stops=(Stop(kind=StopKind.CITY, slots=1),),
        track=(Segment(a=edge_end(0), b=stop_end(0)),),
    )
    end = replace(
        home,
        id="A5",
        stops=(Stop(kind=StopKind.TOWN),),
        track=(Segment(a=edge_end(3), b=stop_end(0)),),
    )
    middle = Tile(id="A3", colour=printed)
    beside = replace(end, id="B2", track=(Segment(a=edge_end(0), b=stop_end(0)),))
    far = replace(end, id="B4", track=(Segment(a=edge_end(2), b=stop_end(0)),))
    places = (
        (home, Coord(0, 0)),
        (middle, Coord(0, 2)),
        (end, Coord(0, 4)),
        (beside, Coord(1, 1)),
        (far, Coord(1, 3)),
    )
    hexes = tuple(MapHex(at=at, tile=tile) for tile, at in places)
    board = replace(title.maps[0], hexes=hexes, rivers=(), regions=(), seas=())
    company = replace(
        title.companies[8], homes=(replace(title.companies[8].homes[0], hex="A1", stop=0),)
    )
    entries = tuple(
        TileCount(count=1, tile=replace(tile, id=number)) for number, tile in tiles.items()
    )
    return replace(title, maps=(board,), tiles=entries, companies=(company,), upgrades=COMMON_RULES)


def test_a_home_with_one_way_out_can_be_walled_in() -> None:
    straight = Tile(id="", colour="yellow", track=(Segment(a=edge_end(0), b=edge_end(3)),))
    bend = Tile(id="", colour="yellow", track=(Segment(a=edge_end(0), b=edge_end(5)),))
    open_title = _line("white", {"s": straight})
    assert reach_of(open_title, open_title.maps[0]).walled_in == ()
    closed = _line("white", {"s": straight, "b": bend})
    (home,) = reach_of(closed, closed.maps[0]).walled_in
    assert (home.company, home.home, home.hex, home.lay) == (
        closed.companies[0].id,
        "A1",
        "A3",
        "b 0",
    )


# The report.


def test_a_report_says_what_binds_and_is_printed(tmp_path: Path) -> None:
    report = supply("18eu")
    assert (
        "Of 8 hexes that can want a grey tile (city), at most 5 can have one at once" in report.text
    )
    value = json.loads(report.json)
    assert value["format"] == "platelayer.supply/1"
    assert {bound["colour"] for bound in value["bounds"]} == {"yellow", "green", "brown", "gray"}
    assert report.pdf().startswith(b"%PDF")
    assert supply("18eu", language="ja").pdf(paper="letter") != report.pdf(paper="letter")
    board = tmp_path / "board.json"
    board.write_text(position_text(report.witness("gray: city")), encoding="utf-8")
    assert check_position(board) == ()


def test_a_report_speaks_the_languages_of_the_pieces() -> None:
    report, english = supply("18eu", language="ja"), supply("18eu")
    assert report.bound("灰：都市") == english.bound("gray: city") == english.bound("grey: city")
    assert "灰タイル（都市）を置けるヘクスは8だが、同時に置けるのは5まで。" in report.text
    latin = re.sub(r"[A-Z]\d+|\d", "", report.text)
    untranslated = re.findall(r"[A-Za-z]{2,}", latin)
    assert untranslated == [] or "ja" in missing_words()
    assert english.pdf(language="ja") == report.pdf() != english.pdf()
    with pytest.raises(CannotRun, match="language"):
        supply("18eu", language="xx")
    with pytest.raises(CannotRun, match="language"):
        english.pdf(language="xx")


def test_recorded_games_are_compared(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(json.dumps({"peak": {"9": 15, "8": 10, "57": 8, "4": 3}}), encoding="utf-8")
    used = supply("18eu", recorded=[game]).used
    assert used is not None
    assert used.ran_out == ("9", "57")
    assert "3" in used.unused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "expected an object"),
        ("{}", "peak"),
        ('{"peak": {"9": "15"}}', "peak"),
        ('{"peak": {"9": -1}}', "peak"),
        ('{"peak": {"9": true}}', "peak"),
        ('{"peak": {"9": 1' + "0" * 5000 + "}}", "5,001 digits"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_records_that_are_none_are_refused_in_a_line(text: str, said: str, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(text, encoding="utf-8")
    with pytest.raises(CannotRun, match=f"^recorded: .*{said}"):
        supply("18eu", recorded=[game])


def test_a_title_whose_hexes_take_no_tile_says_so() -> None:
    """Nothing is short and nothing binds: there is a report, and only a proof is refused."""
    title = load("18eu")
    bare = replace(
        title.maps[0],
        hexes=tuple(h for h in title.maps[0].hexes if h.tile.colour in ("gray", "red")),
    )
    none = replace(title, maps=(bare,))
    supplied = supply_of(none)
    assert (supplied.bounds, supplied.tiles, supplied.binding) == ((), (), ())
    report = SupplyReport(title=none, supply=supplied, reach=reach_of(none, bare))
    report.prepare(theme="classic", paper="a4", bound=None, proves=False)
    assert report.text.startswith("No hex takes a tile of the box.")
    assert "箱のタイルを置けるヘクスはない" in replace(report, language="ja").text
    assert json.loads(report.json)["bounds"] == []
    assert report.pdf().startswith(b"%PDF")
    for asked in ({"bound": None, "proves": True}, {"bound": "gray: city", "proves": False}):
        with pytest.raises(CannotRun, match="no hex of 18eu takes a tile of its box"):
            report.prepare(theme="classic", paper="a4", **asked)  # type: ignore[arg-type]


def test_a_title_without_a_map_says_so() -> None:
    with pytest.raises(CannotRun, match="18eu defines no map on which its tiles could lie"):
        supply_of(replace(load("18eu"), maps=()))


def test_a_title_of_map_tiles_has_bounds_without_a_board() -> None:
    report = supply("lost-atlas")
    assert report.supply.board is None
    assert report.reach is None
    assert report.supply.binding
