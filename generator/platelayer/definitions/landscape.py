"""References of rivers, regions and seas: hexes that a map lacks, courses with gaps, coasts inland."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from platelayer.definitions.build_board import build_scheme
from platelayer.definitions.build_landscape import build_waypoint, region_hexes, waypoint_hex
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.hexes import Layout
from platelayer.model.landscape import joined

Json = Mapping[str, Any]


def landscape_faults(map_id: str, board: Json) -> Iterator[Problem]:
    """RF02 for unknown hexes, RF16 for courses with a gap, RF17 for hexes of two regions, RF18 for inland coasts."""
    pointer = join_pointer("maps", map_id)
    for river_id, river in board.get("rivers", {}).items():
        yield from _course(board, pointer + join_pointer("rivers", river_id, "course"), river["course"])
    yield from _regions(board, pointer)
    for sea_id, sea in board.get("seas", {}).items():
        for key in ("from", "to"):
            yield from _coast_end(board, pointer + join_pointer("seas", sea_id, key), sea[key])


def _unknown(board: Json, pointer: str, name: str) -> Problem:
    known = board["hexes"]
    message = f'there is no hex "{name}" on this map; known: {listed(known) or "none"}'
    return Problem(code="RF02", pointer=pointer, message=message, hint=suggestion(name, known))


def _course(board: Json, pointer: str, course: list[Any]) -> Iterator[Problem]:
    unknown = [index for index, point in enumerate(course) if waypoint_hex(point) not in board["hexes"]]
    for index in unknown:
        yield _unknown(board, f"{pointer}/{index}", waypoint_hex(course[index]))
    if unknown:
        return
    scheme, layout = build_scheme(board["coordinates"]), Layout(board["layout"])
    points = [build_waypoint(scheme, point) for point in course]
    for index, (one, other) in enumerate(pairwise(points)):
        if not joined(one, other, layout):
            told = " and ".join(waypoint_hex(point) for point in course[index : index + 2])
            message = f"the course has a gap: places {index + 1} and {index + 2} (in {told}) touch no common hex"
            hint = "name the hexes, edges or corners between them"
            yield Problem(code="RF16", pointer=f"{pointer}/{index + 1}", message=message, hint=hint)


def _regions(board: Json, pointer: str) -> Iterator[Problem]:
    found: dict[str, str] = {}
    zones = dict.fromkeys(each["zone"] for each in board["hexes"].values() if "zone" in each)
    for region_id, region in board.get("regions", {}).items():
        at = pointer + join_pointer("regions", region_id)
        if ("hexes" in region) == ("zone" in region):
            both = "both its hexes and its zone" if "zone" in region else "neither its hexes nor its zone"
            message, hint = f'region "{region_id}" says {both}', 'say one of them: "hexes": ["D4"]'
            yield Problem(code="RF17", pointer=at, message=message, hint=hint, at_key=True)
        elif "zone" in region and region["zone"] not in zones:
            message = f'there is no zone "{region["zone"]}" on this map; known: {listed(zones) or "none"}'
            hint = suggestion(region["zone"], zones)
            yield Problem(code="RF02", pointer=f"{at}/zone", message=message, hint=hint)
        for index, name in enumerate(region_hexes(region, board["hexes"])):
            where = f"{at}/hexes/{index}" if index < len(region.get("hexes", ())) else f"{at}/zone"
            if name not in board["hexes"]:
                yield _unknown(board, where, name)
            elif found.setdefault(name, region_id) != region_id:
                message = f'hex "{name}" is already in region "{found[name]}"'
                yield Problem(code="RF17", pointer=where, message=message, hint="leave it in one of the two")


def _coast_end(board: Json, pointer: str, corner: Json) -> Iterator[Problem]:
    if corner["hex"] not in board["hexes"]:
        yield _unknown(board, f"{pointer}/hex", corner["hex"])
        return
    scheme = build_scheme(board["coordinates"])
    known = {scheme.parse(name) for name in board["hexes"]}
    if all(at in known for at in build_waypoint(scheme, corner).touches(Layout(board["layout"]))):
        message = f"corner {corner['corner']} of {corner['hex']} is not on the outline of the board"
        hint = "corner 2 lies between edges 2 and 3; edge 0 is the bottom or lower left"
        yield Problem(code="RF18", pointer=pointer, message=message, hint=hint)
