"""Impossible stops and track of tiles and hexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from platelayer.foundation.problems import Problem
from platelayer.foundation.suggestions import counted


def topology_faults(pointer: str, tile: Mapping[str, Any]) -> Iterator[Problem]:
    """RF07: track that leads to a stop that does not exist; DF02: attributes that a stop or segment
    cannot have."""
    stops = tile.get("stops", ())
    for index, segment in enumerate(tile.get("track", ())):
        at = f"{pointer}/track/{index}"
        for side, end in enumerate(segment[:2]):
            if isinstance(end, str) and end.startswith("stop:") and int(end[5:]) >= len(stops):
                message = (
                    f'"{end}" does not exist: this hex or tile has {counted("stop", len(stops))}'
                )
                yield Problem(code="RF07", pointer=f"{at}/{side}", message=message)
        if segment[0] == segment[1]:
            yield Problem(
                code="DF02", pointer=at, message="a segment of track joins two different ends"
            )
        for side, (width, lane) in enumerate(
            (segment[2] if len(segment) > 2 else {}).get("lanes", ())
        ):
            if lane >= width:
                message = f"there is no lane {lane} among {width}; lanes are counted from 0"
                yield Problem(code="DF02", pointer=f"{at}/2/lanes/{side}", message=message)
    for index, stop in enumerate(stops):
        at = f"{pointer}/stops/{index}"
        if stop["kind"] in ("town", "halt", "offboard") and stop.get("slots"):
            yield Problem(
                code="DF02",
                pointer=f"{at}/slots",
                message=f"a stop of kind {stop['kind']} has no station slots",
                hint="leave slots out",
            )
        if stop.get("boom") and stop["kind"] not in ("town", "city"):
            yield Problem(
                code="DF02",
                pointer=f"{at}/boom",
                message="only a town or a city is a boomtown",
                hint="leave boom out",
            )
        if "symbol" in stop and stop["kind"] != "halt":
            message = "only a halt has a symbol"
            yield Problem(
                code="DF02", pointer=f"{at}/symbol", message=message, hint="use an icon with a text"
            )
        if "size" in stop and stop["kind"] != "pass":
            yield Problem(
                code="DF02",
                pointer=f"{at}/size",
                message="only a pass has a size",
                hint="leave size out",
            )
