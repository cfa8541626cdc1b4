"""Impossible stops and track of tiles and hexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from platelayer.definitions.schemas import Fault


def topology_faults(pointer: str, tile: Mapping[str, Any]) -> Iterator[Fault]:
    """RF07: track that leads to a stop that does not exist; DF02: attributes that a stop or segment cannot have."""
    stops = tile.get("stops", ())
    for index, segment in enumerate(tile.get("track", ())):
        at = f"{pointer}/track/{index}"
        for side, end in enumerate(segment[:2]):
            if isinstance(end, str) and end.startswith("stop:") and int(end[5:]) >= len(stops):
                count = f"{len(stops)} stop" + ("" if len(stops) == 1 else "s")
                hint = "stops are counted from 0" if int(end[5:]) == len(stops) else ""
                yield Fault("RF07", f"{at}/{side}", f'"{end}" does not exist: this hex or tile has {count}', hint)
        if segment[0] == segment[1]:
            yield Fault("DF02", at, "a segment of track joins two different ends")
        for side, (width, lane) in enumerate((segment[2] if len(segment) > 2 else {}).get("lanes", ())):
            if lane >= width:
                message = f"there is no lane {lane} among {width}; lanes are counted from 0"
                yield Fault("DF02", f"{at}/2/lanes/{side}", message)
    for index, stop in enumerate(stops):
        at = f"{pointer}/stops/{index}"
        if stop["kind"] in ("town", "offboard") and stop.get("slots"):
            yield Fault("DF02", f"{at}/slots", f"a stop of kind {stop['kind']} has no station slots", "leave slots out")
        if "size" in stop and stop["kind"] != "pass":
            yield Fault("DF02", f"{at}/size", "only a pass has a size", "leave size out")
