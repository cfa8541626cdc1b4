"""Names, values and tables stand at their own stops: they move with the track of a stop, and stay
in its region."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beside import needs
from drawing import exchanged
from exchange import corpus
from often import some_of
from platelayer.definitions.build import build_tile, catalogue_tiles
from platelayer.definitions.titles import load_title
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items
from platelayer.exchange.importers import import_title
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.gamemap import Layout, edge_point
from platelayer.model.tile import Tile
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

ACROSS = exchanged.ACROSS
LOW, HIGH = {"yellow": 10, "brown": 20}, {"yellow": 70, "brown": 90}
DIVIDER = {"a": 1.5, "b": 4.5, "kind": "divider"}


def two(kind: str = "offboard", **more: object) -> dict:
    """A hex with a stop that pays little, on the upper edge of a flat hex, and one that pays much,
    on the lower."""
    stops = [{"kind": kind, "revenue": LOW}, {"kind": kind, "revenue": HIGH}]
    return {"colour": "red", "stops": stops, "track": [[3, "stop:0"], [0, "stop:1"]], **more}


def height(raw: dict, *figures: str, layout: Layout = Layout.FLAT) -> float:
    """How far below the middle of a hex some figures stand on average."""
    found = [
        (text.bounds[1] + text.bounds[3]) / 2
        for text in texts(raw, layout)
        if text.run.text in figures
    ]
    assert len(found) == len(figures)
    return math.fsum(found) / len(found)


def texts(raw: dict, layout: Layout = Layout.FLAT) -> tuple:
    items = hex_items(build_tile("X", raw), layout, ACROSS, exchanged.STYLE)
    return flatten_scene(Scene(key="hex", width_mm=ACROSS, height_mm=ACROSS, items=items))[1]


def found(tile: Tile, layout: Layout = Layout.FLAT) -> list[str]:
    """Messages of LG16 about a hex."""
    items = exchanged.drawn(tile, layout)
    scene = Scene(key="hex", width_mm=ACROSS, height_mm=ACROSS, items=items)
    return [problem.message for problem in check_legibility(scene) if problem.code == "LG16"]


@pytest.mark.parametrize("more", [{}, {"partitions": [DIVIDER]}], ids=["open", "divided"])
@pytest.mark.parametrize("kind", ["offboard", "city", "town"])
def test_tables_of_two_stops_stand_at_their_track(kind, more):
    raw = two(kind, **more)
    assert height(raw, "10", "20") < height(raw, "70", "90")
    raw["track"] = [[0, "stop:0"], [3, "stop:1"]]
    assert height(raw, "10", "20") > height(raw, "70", "90")


def test_tables_of_two_off_boards_stand_at_their_hints():
    places = ({"edge": 2, "distance": 0.4}, {"edge": 5, "distance": 0.4})
    raw = two()
    raw["stops"] = [{**stop, "at": at} for stop, at in zip(raw["stops"], places, strict=True)]
    raw["track"] = []
    for number, figures in enumerate((("10", "20"), ("70", "90"))):
        at = edge_point(places[number]["edge"], Layout.FLAT, 0.2 * ACROSS)
        for text in texts(raw):
            if text.run.text in figures:
                middle = (
                    (text.bounds[0] + text.bounds[2]) / 2,
                    (text.bounds[1] + text.bounds[3]) / 2,
                )
                assert math.dist(middle, at) < 6


@pytest.mark.parametrize("edge", range(6))
def test_the_table_of_a_lone_off_board_stands_at_its_hint(edge):
    stop = {"kind": "offboard", "revenue": LOW, "at": {"edge": edge, "distance": 0.5}}
    raw = {"colour": "red", "stops": [stop], "track": [[edge + 3 - 6 * (edge > 2), "stop:0"]]}
    at = edge_point(edge, Layout.FLAT, 0.25 * ACROSS)
    boxes = [text.bounds for text in texts(raw) if text.run.text in ("10", "20")]
    middle = (
        (min(box[0] for box in boxes) + max(box[2] for box in boxes)) / 2,
        (min(box[1] for box in boxes) + max(box[3] for box in boxes)) / 2,
    )
    assert math.dist(middle, at) < 6


def test_where_nothing_else_is_free_a_line_leads_to_the_stop():
    """Tile 773 of 1860: between its two cities no place is plainly at the larger one."""
    stops = [
        {"kind": "city", "slots": 2, "revenue": 60, "at": 2.5},
        {"kind": "city", "revenue": 20, "at": 5.5},
    ]
    ends = [*((edge, "stop:0") for edge in (1, 2, 3, 4)), (0, "stop:1"), (5, "stop:1")]
    tile = build_tile(
        "773",
        {"colour": "brown", "stops": stops, "track": [*map(list, ends), ["stop:0", "stop:1"]]},
    )
    shapes, _ = flatten_scene(
        Scene(
            key="hex", width_mm=ACROSS, height_mm=ACROSS, items=exchanged.drawn(tile, Layout.FLAT)
        )
    )
    (line,) = (
        shape
        for shape in shapes
        if shape.stroke_mm == exchanged.STYLE.stroke("tile.leader").width_mm
    )
    x, y = line.polygons[0][-1]
    own, other = plan_hex(tile, Layout.FLAT, ACROSS).marks
    assert min(math.hypot(x - a, y - b) - r for a, b, r in own.bulk) < 0.3
    assert min(math.hypot(x - a, y - b) - r for a, b, r in other.bulk) > 1
    assert found(tile) == exchanged.strayed(tile, Layout.FLAT) == []


def test_what_fits_nowhere_is_an_error_that_names_both_stops():
    messages = found(build_tile("X", two(track=[[0, "stop:0"], [0, "stop:1"]])))
    assert len(messages) == 2
    assert all("stop:0" in message and "stop:1" in message for message in messages)


@pytest.mark.parametrize("part", some_of(3))
@pytest.mark.parametrize("layout", Layout)
def test_values_of_the_catalogue_follow_their_stops(layout, part):
    tiles = [tile for tile in catalogue_tiles() if exchanged.several(tile)][part]
    assert len(tiles) > 30
    assert sum(follow(tile, layout) for tile in tiles) > 6


def follow(tile: Tile, layout: Layout) -> int:
    """Hold a hex to it that each value is at its stop, and that a picture changes with what stops
    exchange; return the number of exchanges."""
    assert exchanged.strayed(tile, layout) == [], tile
    before, others = exchanged.digest(exchanged.drawn(tile, layout)), [*exchanged.exchanges(tile)]
    for words, other in others:
        assert exchanged.strayed(other, layout) == [], (words, other)
        assert exchanged.digest(exchanged.drawn(other, layout)) != before, (words, other)
    return len(others)


@pytest.mark.slow
@needs("corpus")
@pytest.mark.parametrize(
    "source",
    [
        *corpus.ruby_games(),
        *corpus.maker_games(),
        *sorted((corpus.FOLDER / "18xx-maker-old").glob("*.json")),
    ],
    ids=lambda path: path.name,
)
def test_values_of_imports_follow_their_stops(source: Path, tmp_path: Path) -> None:
    if source.is_dir():
        pytest.importorskip("tree_sitter_ruby")
    try:
        import_title(source, tmp_path / "title")
        title = load_title(str(tmp_path / "title")).title
    except (CannotRun, ProblemsFound) as error:
        pytest.skip(f"no import to draw: {error}")
    tiles = {(entry.tile, gamemap.layout) for gamemap in title.maps[:1] for entry in title.tiles}
    hexes = {(hexagon.tile, gamemap.layout) for gamemap in title.maps for hexagon in gamemap.hexes}
    for tile, layout in tiles | hexes:
        if exchanged.several(tile):
            follow(tile, layout)


@st.composite
def hexes(draw: st.DrawFn) -> dict:
    """Two or three stops of all kinds with values, tables and names, and track to each."""
    count = draw(st.integers(min_value=2, max_value=3))
    edges = draw(st.permutations(range(6)))
    stops = []
    for number in range(count):
        first = 10 * (1 + 4 * number)
        stop: dict = {"kind": draw(st.sampled_from(["city", "town", "offboard"]))}
        steps = draw(st.sampled_from([1, 2, 3] if stop["kind"] == "offboard" else [1, 2]))
        colours = ("yellow", "green", "brown")[:steps]
        stop["revenue"] = (
            first if steps == 1 else {each: first + 10 * k for k, each in enumerate(colours)}
        )
        if draw(st.booleans()):
            stop["name"] = draw(st.sampled_from(["Buda", "North", "Old Harbour"]))
        stops.append(stop)
    track = [
        [edges[2 * k + n], f"stop:{k}"]
        for k in range(count)
        for n in range(draw(st.integers(1, 2)))
    ]
    return {
        "colour": draw(st.sampled_from(["yellow", "gray", "red"])),
        "stops": stops,
        "track": track,
    }


@settings(max_examples=10, deadline=None)
@given(hexes(), st.sampled_from(Layout))
def test_a_value_is_at_its_stop_or_an_error_says_that_it_is_not(raw, layout):
    tile = build_tile("X", raw)
    assert not exchanged.strayed(tile, layout) or found(tile, layout)
