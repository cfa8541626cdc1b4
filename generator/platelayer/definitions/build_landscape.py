"""Models of rivers, regions and seas from checked JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from platelayer.foundation.text import Text
from platelayer.model.hexes import Coord, CoordinateScheme
from platelayer.model.landscape import Region, River, Sea, Waypoint

Json = Mapping[str, Any]


def build_waypoint(scheme: CoordinateScheme, raw: str | Json) -> Waypoint:
    """A place on a map."""
    if isinstance(raw, str):
        return Waypoint(_at(scheme, raw))
    towards = raw["corner"] + 0.5 if "corner" in raw else raw["edge"]
    return Waypoint(_at(scheme, raw["hex"]), float(towards), float(raw.get("distance", 1.0)))


def waypoint_hex(raw: str | Json) -> str:
    """The hex that a place names."""
    return raw if isinstance(raw, str) else str(raw["hex"])


def region_hexes(raw: Json, hexes: Json) -> tuple[str, ...]:
    """Printed coordinates of a region's hexes: those it lists, and those of its zone."""
    zone = raw.get("zone")
    of_zone = (name for name, each in hexes.items() if zone is not None and each.get("zone") == zone)
    return (*raw.get("hexes", ()), *of_zone)


def build_rivers(scheme: CoordinateScheme, raw: Json) -> Iterator[River]:
    """The rivers of a map."""
    for river_id, each in raw.get("rivers", {}).items():
        course = tuple(build_waypoint(scheme, point) for point in each["course"])
        yield River(id=river_id, name=_name(each), course=course)


def build_regions(raw: Json) -> Iterator[Region]:
    """The regions of a map."""
    for region_id, each in raw.get("regions", {}).items():
        hexes = region_hexes(each, raw["hexes"])
        yield Region(id=region_id, name=_name(each), hexes=hexes, tint=each.get("tint"))


def build_seas(scheme: CoordinateScheme, raw: Json) -> Iterator[Sea]:
    """The seas beside a map."""
    for sea_id, each in raw.get("seas", {}).items():
        start, end = (build_waypoint(scheme, each[key]) for key in ("from", "to"))
        yield Sea(id=sea_id, name=_name(each), start=start, end=end)


def _at(scheme: CoordinateScheme, printed: str) -> Coord:
    return scheme.parse(printed) or Coord(0, 0)


def _name(raw: Json) -> Text | None:
    name = raw.get("name")
    return None if name is None else Text.plain(name) if isinstance(name, str) else Text(tuple(name.items()))
