"""The tile catalogue: its size, well-known tiles by hand, what holds for every tile, and the
reference where it is at hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from facts import needs_reference, reference

from platelayer.definitions.build import catalogue_tile, catalogue_tiles
from platelayer.foundation.resources import asset_path
from platelayer.model.tile import (
    CENTRE,
    JUNCTION,
    End,
    EndKind,
    Gauge,
    Segment,
    StopKind,
    Tile,
    edge_end,
    stop_end,
)

FILES = sorted(asset_path("tiles").glob("*.json"))
TILES = catalogue_tiles()

# Tiles whose definition lists cities without track of their own (the cities of one big place, drawn
# side by side).
STOPS_WITHOUT_TRACK = {
    "city", "town", "48", "104", "110", "132", "190", "232", "235", "514", "515", "516", "591", "901"
}  # fmt: skip


def pairs(tile: Tile) -> set[frozenset[End]]:
    return {frozenset(segment.ends) for segment in tile.track}


def plain(*tracks: tuple[int, ...]) -> set[frozenset[End]]:
    return {frozenset(map(edge_end, track)) for track in tracks}


def spokes(hub: End, edges: tuple[int, ...]) -> set[frozenset[End]]:
    return {frozenset((edge_end(edge), hub)) for edge in edges}


def labels(tile: Tile) -> tuple[str, ...]:
    return tuple(label.text for label in tile.labels)


# --- how many


def test_476_tiles_by_colour() -> None:
    assert len(TILES) == 476
    assert Counter((tile.colour, tile.stripes) for tile in TILES) == {
        ("white", None): 3,
        ("yellow", None): 59,
        ("green", None): 216,
        ("green", "brown"): 1,
        ("brown", None): 146,
        ("brown", "gray"): 2,
        ("brown", "sepia"): 1,
        ("gray", None): 48,
    }


def test_each_file_holds_its_colour() -> None:
    for path in FILES:
        for number, tile in json.loads(path.read_text(encoding="utf-8"))["tiles"].items():
            assert (path.stem == "mixed") == ("stripes" in tile), number
            assert path.stem in ("mixed", tile["colour"]), number


def test_no_number_twice() -> None:
    numbers = Counter(
        n for path in FILES for n in json.loads(path.read_text(encoding="utf-8"))["tiles"]
    )
    assert max(numbers.values()) == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_tile_a_line(path: Path) -> None:
    head, tiles, tail = 3, json.loads(path.read_text(encoding="utf-8"))["tiles"], 2
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == head + len(tiles) + tail
    for line, number in zip(lines[head:], tiles, strict=False):
        assert line.startswith(f'    "{number}": {{')


# --- well-known tiles

# Colour, revenue, slots, label; exits by number. A city of one stop.
CITIES = (
    ("yellow", 20, 1, "", "5:01 6:02 57:03"),
    ("yellow", 30, 1, "Y", "201:01 202:02 621:03"),
    ("green", 30, 1, "", "12:012 13:024"),
    ("green", 30, 2, "", "14:0134 15:0123 619:0234"),
    ("green", 40, 1, "Y", "576:013 577:035 578:012 579:024"),
    ("brown", 40, 2, "", "63:012345 125:01234 448:0123 450:0234 611:01234"),
    ("brown", 50, 2, "Y", "582:0234"),
    ("brown", 60, 3, "B-V", "584:012345"),
    ("gray", 50, 2, "", "51:01234"),
    ("gray", 50, 3, "", "455:012345"),
    ("gray", 60, 3, "", "513:012345"),
)
TOWNS = (
    ("yellow", 10, 0, "", "3:01 4:03 58:02"),
    ("green", 10, 0, "", "141:013 142:035 143:012 144:024 87:0123 88:0134 204:0234"),
    ("brown", 20, 0, "", "145:0134 146:0123 147:0234"),
)
# Colour; pairs of edges by number.
PLAIN = (
    ("yellow", "7:01 8:02 9:03"),
    ("green", "16:02+13 17:04+13 18:03+12 19:03+24 20:03+14 21:02+34 22:04+23 23:03+04 24:03+02"),
    ("green", "25:02+04 26:03+05 27:03+01 28:04+05 29:02+01 30:04+01 31:02+05"),
    ("brown", "39:02+01+12 40:02+24+04 41:03+01+13 42:03+35+05 43:03+02+13+12 44:03+14+01+34"),
    ("brown", "45:03+24+04+23 46:03+24+34+02 47:03+14+13+04 70:01+02+13+23"),
)
# Colour; edges that lead to the junction, by number.
JUNCTIONS = (
    ("green", "80:012 81:024 82:013 83:035"),
    ("brown", "544:0134 545:0123 546:0234"),
    ("gray", "60:012345"),
)
# Colour, kind of stop, revenue of each, slots of each, label; exits of each by number.
SEVERAL = (
    ("yellow", StopKind.TOWN, 10, 0, "", "1:13+04 2:03+12 55:03+14 56:02+13 69:03+24"),
    ("green", StopKind.CITY, 40, 1, "OO", "59:0+2"),
    ("brown", StopKind.CITY, 50, 1, "OO", "64:02+34 67:03+24 68:03+14"),
    ("green", StopKind.CITY, 60, 1, "P", "580:01+23"),
    ("green", StopKind.CITY, 50, 1, "B-V", "581:01+23+45"),
    ("brown", StopKind.CITY, 80, 2, "P", "583:01+23"),
)


def stated(words: str) -> Iterator[tuple[Tile, list[tuple[int, ...]]]]:
    """The tiles of a row, and groups of edges of each."""
    for entry in words.split():
        number, _, groups = entry.partition(":")
        yield catalogue_tile(number), [tuple(map(int, group)) for group in groups.split("+")]


def test_stops() -> None:
    rows: list[tuple[str, StopKind, int, int, str, str]] = [
        *((colour, StopKind.CITY, *rest) for colour, *rest in CITIES),
        *((colour, StopKind.TOWN, *rest) for colour, *rest in TOWNS),
        *SEVERAL,
    ]
    for colour, kind, revenue, slots, label, words in rows:
        for tile, exits in stated(words):
            assert tile.colour == colour, tile.id
            assert [(s.kind, s.slots, [step.value for step in s.revenue]) for s in tile.stops] == (
                [(kind, slots, [revenue])] * len(exits)
            ), tile.id
            assert pairs(tile) == set().union(
                *(spokes(stop_end(index), edges) for index, edges in enumerate(exits))
            ), tile.id
            assert "".join(labels(tile)) == label, tile.id


def test_plain_track_and_junctions() -> None:
    for colour, words in PLAIN:
        for tile, tracks in stated(words):
            assert (tile.colour, tile.stops, pairs(tile)) == (colour, (), plain(*tracks)), tile.id
    for colour, words in JUNCTIONS:
        for tile, (exits,) in stated(words):
            assert (tile.colour, tile.stops) == (colour, ()), tile.id
            assert pairs(tile) == spokes(JUNCTION, exits), tile.id


def test_white_tiles() -> None:
    assert [tile.id for tile in TILES if tile.colour == "white"] == ["blank", "city", "town"]
    assert catalogue_tile("blank").stops == ()
    for number, kind, slots in (("city", StopKind.CITY, 1), ("town", StopKind.TOWN, 0)):
        (stop,) = catalogue_tile(number).stops
        assert (stop.kind, stop.slots, stop.revenue) == (kind, slots, ())


def test_city_joined_to_a_town() -> None:
    tile = catalogue_tile("471")
    assert [stop.kind for stop in tile.stops] == [StopKind.CITY, StopKind.TOWN]
    assert [stop.at.distance if stop.at else None for stop in tile.stops] == [0, None]
    assert frozenset((stop_end(0), stop_end(1))) in pairs(tile)
    assert tile.exits == (0, 3)


def test_track_between_two_towns() -> None:
    tile = catalogue_tile("71")
    assert pairs(tile) == spokes(stop_end(0), (0,)) | spokes(stop_end(1), (4,)) | {
        frozenset(map(stop_end, (0, 1)))
    }
    assert {segment.gauge for segment in tile.track} == {Gauge.NARROW}


def test_gauges() -> None:
    assert [segment.gauge for segment in catalogue_tile("644").track] == [
        Gauge.NARROW,
        Gauge.STANDARD,
    ]
    assert Counter(segment.gauge for segment in catalogue_tile("112").track) == {Gauge.DUAL: 5}


def test_frames_are_purple_and_on_12_tiles() -> None:
    framed = {tile.id: tile.frame for tile in TILES if tile.frame}
    assert len(framed) == 12
    assert set(framed.values()) == {"#800080"}


def test_costs_are_left_on_two_tiles() -> None:
    assert {tile.id: tile.terrain[0].cost for tile in TILES if tile.terrain} == {
        "438": 80,
        "439": 80,
    }


def test_icons() -> None:
    assert {tile.id: tile.icons[0].name for tile in TILES if tile.icons} == {
        "437": "port",
        "445": "tree",
    }


def test_several_labels() -> None:
    assert labels(catalogue_tile("135")) == ("KC", "SL", "MSP")


# --- what holds for every tile


def shape(segment: Segment) -> tuple[frozenset[End], Gauge]:
    return frozenset(segment.ends), segment.gauge


def test_topology() -> None:
    for tile in TILES:
        shapes = [shape(segment) for segment in tile.track]
        ends = [end for segment in tile.track for end in segment.ends]
        used = {end.index for end in ends if end.kind is EndKind.STOP}
        stops = set(range(len(tile.stops)))
        kinds = [stop.kind for stop in tile.stops]
        assert len(set(shapes)) == len(shapes), f"{tile.id}: track twice"
        assert all(len(set(segment.ends)) == 2 for segment in tile.track), (
            f"{tile.id}: track that returns to where it began"
        )
        assert all(end.index in range(6) for end in ends if end.kind is EndKind.EDGE), tile.id
        assert used <= stops, tile.id
        assert (used < stops) == (tile.id in STOPS_WITHOUT_TRACK), tile.id
        assert kinds == sorted(kinds, key=[StopKind.CITY, StopKind.TOWN].index), (
            f"{tile.id}: cities come first"
        )
        assert all((stop.slots >= 1) == (stop.kind is StopKind.CITY) for stop in tile.stops), (
            tile.id
        )


# --- the reference, where it lies beside the checkout

# The reference keys the first of the two values of Hamburg by an RGB colour, which is no colour of
# a tile.
COLOUR_KEYS = {"#cb7743": "yellow"}


def ours(tile: Tile) -> dict[str, Any]:
    return {
        "colour": tile.colour,
        "stops": [
            (
                stop.kind.value,
                sorted((step.since or "", step.value) for step in stop.revenue),
                stop.slots,
            )
            for stop in tile.stops
        ],
        "at": [
            stop.at and ("center" if stop.at == CENTRE else stop.at.edge) for stop in tile.stops
        ],
        "track": {
            (frozenset(map(end_name, segment.ends)), segment.gauge.value) for segment in tile.track
        },
        "labels": labels(tile),
        "icons": [icon.name for icon in tile.icons],
        "costs": [terrain.cost for terrain in tile.terrain],
        "frame": tile.frame,
        "stripes": tile.stripes,
    }


def end_name(end: End) -> str:
    return {
        EndKind.EDGE: str(end.index),
        EndKind.STOP: f"stop:{end.index}",
        EndKind.JUNCTION: "junction",
    }[end.kind]


def theirs(tile: dict[str, Any]) -> dict[str, Any]:
    stops = [("city", city) for city in tile["cities"]] + [("town", town) for town in tile["towns"]]
    first = {"city": 0, "town": len(tile["cities"])}

    def name(end: int | str) -> str:
        kind, _, index = str(end).partition(":")
        return f"stop:{first[kind] + int(index)}" if index else kind

    def revenue(value: int | dict[str, int]) -> list[tuple[str, int]]:
        if isinstance(value, dict):
            return sorted((COLOUR_KEYS.get(key, key), each) for key, each in value.items())
        return [("", value)] if value else []

    def place(location: str | None) -> float | str | None:
        return location if location in (None, "center") else float(location)

    return {
        "colour": tile["color"],
        "stops": [(kind, revenue(stop["revenue"]), stop.get("slots", 0)) for kind, stop in stops],
        "at": [place(stop.get("loc")) for _, stop in stops],
        "track": {
            (frozenset(map(name, path[:2])), (path[2] if path[2:] else {}).get("track", "standard"))
            for path in tile["paths"]
        },
        "labels": tuple(tile["labels"]),
        "icons": [icon["name"] for icon in tile.get("icons", ())],
        "costs": [upgrade["cost"] for upgrade in tile.get("upgrades", ())],
        "frame": tile.get("frame", {}).get("color"),
        "stripes": tile.get("stripes"),
    }


KNOWN: dict[str, dict[str, Any]] = reference("tiles")


@needs_reference
def test_reference_has_the_same_numbers() -> None:
    assert {tile.id for tile in TILES} == set(KNOWN)


@needs_reference
def test_as_in_the_reference() -> None:
    for number, known in KNOWN.items():
        assert ours(catalogue_tile(number)) == theirs(known), number
