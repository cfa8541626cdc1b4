"""The tile catalogue: its size, well-known tiles by hand, what holds for every tile, and the
reference where it is at hand."""

from __future__ import annotations

import json
from collections import Counter
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


def plain(*tracks: tuple[int, int]) -> set[frozenset[End]]:
    return {frozenset((edge_end(a), edge_end(b))) for a, b in tracks}


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

# number: colour, revenue, slots, exits, label
CITIES: dict[str, tuple[str, int, int, tuple[int, ...], str]] = {
    "5": ("yellow", 20, 1, (0, 1), ""),
    "6": ("yellow", 20, 1, (0, 2), ""),
    "57": ("yellow", 20, 1, (0, 3), ""),
    "201": ("yellow", 30, 1, (0, 1), "Y"),
    "202": ("yellow", 30, 1, (0, 2), "Y"),
    "621": ("yellow", 30, 1, (0, 3), "Y"),
    "12": ("green", 30, 1, (0, 1, 2), ""),
    "13": ("green", 30, 1, (0, 2, 4), ""),
    "14": ("green", 30, 2, (0, 1, 3, 4), ""),
    "15": ("green", 30, 2, (0, 1, 2, 3), ""),
    "619": ("green", 30, 2, (0, 2, 3, 4), ""),
    "576": ("green", 40, 1, (0, 1, 3), "Y"),
    "577": ("green", 40, 1, (0, 3, 5), "Y"),
    "578": ("green", 40, 1, (0, 1, 2), "Y"),
    "579": ("green", 40, 1, (0, 2, 4), "Y"),
    "63": ("brown", 40, 2, (0, 1, 2, 3, 4, 5), ""),
    "125": ("brown", 40, 2, (0, 1, 2, 3, 4), ""),
    "448": ("brown", 40, 2, (0, 1, 2, 3), ""),
    "450": ("brown", 40, 2, (0, 2, 3, 4), ""),
    "611": ("brown", 40, 2, (0, 1, 2, 3, 4), ""),
    "582": ("brown", 50, 2, (0, 2, 3, 4), "Y"),
    "584": ("brown", 60, 3, (0, 1, 2, 3, 4, 5), "B-V"),
    "51": ("gray", 50, 2, (0, 1, 2, 3, 4), ""),
    "455": ("gray", 50, 3, (0, 1, 2, 3, 4, 5), ""),
    "513": ("gray", 60, 3, (0, 1, 2, 3, 4, 5), ""),
}
# number: colour, revenue, exits
TOWNS: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "3": ("yellow", 10, (0, 1)),
    "4": ("yellow", 10, (0, 3)),
    "58": ("yellow", 10, (0, 2)),
    "141": ("green", 10, (0, 1, 3)),
    "142": ("green", 10, (0, 3, 5)),
    "143": ("green", 10, (0, 1, 2)),
    "144": ("green", 10, (0, 2, 4)),
    "87": ("green", 10, (0, 1, 2, 3)),
    "88": ("green", 10, (0, 1, 3, 4)),
    "204": ("green", 10, (0, 2, 3, 4)),
    "145": ("brown", 20, (0, 1, 3, 4)),
    "146": ("brown", 20, (0, 1, 2, 3)),
    "147": ("brown", 20, (0, 2, 3, 4)),
}
PLAIN: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {
    "7": ("yellow", ((0, 1),)),
    "8": ("yellow", ((0, 2),)),
    "9": ("yellow", ((0, 3),)),
    "16": ("green", ((0, 2), (1, 3))),
    "17": ("green", ((0, 4), (1, 3))),
    "18": ("green", ((0, 3), (1, 2))),
    "19": ("green", ((0, 3), (2, 4))),
    "20": ("green", ((0, 3), (1, 4))),
    "21": ("green", ((0, 2), (3, 4))),
    "22": ("green", ((0, 4), (2, 3))),
    "23": ("green", ((0, 3), (0, 4))),
    "24": ("green", ((0, 3), (0, 2))),
    "25": ("green", ((0, 2), (0, 4))),
    "26": ("green", ((0, 3), (0, 5))),
    "27": ("green", ((0, 3), (0, 1))),
    "28": ("green", ((0, 4), (0, 5))),
    "29": ("green", ((0, 2), (0, 1))),
    "30": ("green", ((0, 4), (0, 1))),
    "31": ("green", ((0, 2), (0, 5))),
    "39": ("brown", ((0, 2), (0, 1), (1, 2))),
    "40": ("brown", ((0, 2), (2, 4), (0, 4))),
    "41": ("brown", ((0, 3), (0, 1), (1, 3))),
    "42": ("brown", ((0, 3), (3, 5), (0, 5))),
    "43": ("brown", ((0, 3), (0, 2), (1, 3), (1, 2))),
    "44": ("brown", ((0, 3), (1, 4), (0, 1), (3, 4))),
    "45": ("brown", ((0, 3), (2, 4), (0, 4), (2, 3))),
    "46": ("brown", ((0, 3), (2, 4), (3, 4), (0, 2))),
    "47": ("brown", ((0, 3), (1, 4), (1, 3), (0, 4))),
    "70": ("brown", ((0, 1), (0, 2), (1, 3), (2, 3))),
}
JUNCTIONS: dict[str, tuple[str, tuple[int, ...]]] = {
    "80": ("green", (0, 1, 2)),
    "81": ("green", (0, 2, 4)),
    "82": ("green", (0, 1, 3)),
    "83": ("green", (0, 3, 5)),
    "544": ("brown", (0, 1, 3, 4)),
    "545": ("brown", (0, 1, 2, 3)),
    "546": ("brown", (0, 2, 3, 4)),
    "60": ("gray", (0, 1, 2, 3, 4, 5)),
}
# number: colour, kind of stop, revenue of each, slots of each, exits of each, label
SEVERAL: dict[str, tuple[str, StopKind, int, int, tuple[tuple[int, ...], ...], str]] = {
    "1": ("yellow", StopKind.TOWN, 10, 0, ((1, 3), (0, 4)), ""),
    "2": ("yellow", StopKind.TOWN, 10, 0, ((0, 3), (1, 2)), ""),
    "55": ("yellow", StopKind.TOWN, 10, 0, ((0, 3), (1, 4)), ""),
    "56": ("yellow", StopKind.TOWN, 10, 0, ((0, 2), (1, 3)), ""),
    "69": ("yellow", StopKind.TOWN, 10, 0, ((0, 3), (2, 4)), ""),
    "59": ("green", StopKind.CITY, 40, 1, ((0,), (2,)), "OO"),
    "64": ("brown", StopKind.CITY, 50, 1, ((0, 2), (3, 4)), "OO"),
    "67": ("brown", StopKind.CITY, 50, 1, ((0, 3), (2, 4)), "OO"),
    "68": ("brown", StopKind.CITY, 50, 1, ((0, 3), (1, 4)), "OO"),
    "580": ("green", StopKind.CITY, 60, 1, ((0, 1), (2, 3)), "P"),
    "581": ("green", StopKind.CITY, 50, 1, ((0, 1), (2, 3), (4, 5)), "B-V"),
    "583": ("brown", StopKind.CITY, 80, 2, ((0, 1), (2, 3)), "P"),
}


def test_cities() -> None:
    for number, (colour, revenue, slots, exits, label) in CITIES.items():
        tile = catalogue_tile(number)
        (stop,) = tile.stops
        assert (tile.colour, stop.kind, stop.slots) == (colour, StopKind.CITY, slots), number
        assert [step.value for step in stop.revenue] == [revenue], number
        assert pairs(tile) == spokes(stop_end(0), exits), number
        assert "".join(labels(tile)) == label, number


def test_towns() -> None:
    for number, (colour, revenue, exits) in TOWNS.items():
        tile = catalogue_tile(number)
        (stop,) = tile.stops
        assert (tile.colour, stop.kind, stop.slots, tile.labels) == (
            colour,
            StopKind.TOWN,
            0,
            (),
        ), number
        assert [step.value for step in stop.revenue] == [revenue], number
        assert pairs(tile) == spokes(stop_end(0), exits), number


def test_plain_track() -> None:
    for number, (colour, tracks) in PLAIN.items():
        tile = catalogue_tile(number)
        assert (tile.colour, tile.stops, pairs(tile)) == (colour, (), plain(*tracks)), number


def test_junctions() -> None:
    for number, (colour, exits) in JUNCTIONS.items():
        tile = catalogue_tile(number)
        assert (tile.colour, tile.stops, pairs(tile)) == (colour, (), spokes(JUNCTION, exits)), (
            number
        )


def test_several_stops() -> None:
    for number, (colour, kind, revenue, slots, exits, label) in SEVERAL.items():
        tile = catalogue_tile(number)
        assert tile.colour == colour, number
        assert [(s.kind, s.slots, [step.value for step in s.revenue]) for s in tile.stops] == (
            [(kind, slots, [revenue])] * len(exits)
        ), number
        assert pairs(tile) == set().union(
            *(spokes(stop_end(index), edges) for index, edges in enumerate(exits))
        ), number
        assert "".join(labels(tile)) == label, number


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
