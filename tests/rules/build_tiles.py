"""Few words in, tiles out: what the tests of upgrading are written with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from platelayer.definitions.build import build_tile
from platelayer.model.tile import Tile


def tile(colour: str, *track: Sequence[Any], stops: Sequence[Any] = (), **more: Any) -> Tile:
    """A tile with track as in definitions, but "c0", "c1" ... for stops. A stop is a kind, or
    (kind, slots), or an object as in definitions."""
    raw = {
        "colour": colour,
        "stops": [_stop(each) for each in stops],
        "track": [[_end(each[0]), _end(each[1]), *each[2:]] for each in track],
        **more,
    }
    return build_tile(more.pop("id", "X"), raw)


def city(colour: str, *edges: int, slots: int = 1, kind: str = "city", **more: Any) -> Tile:
    """A tile with one stop and track from these edges to it."""
    return tile(
        colour, *((edge, "c0") for edge in edges), stops=[(kind, slots) if slots else kind], **more
    )


def town(colour: str, *edges: int, **more: Any) -> Tile:
    """A tile with one town and track from these edges to it."""
    return city(colour, *edges, kind="town", slots=0, **more)


def cities(colour: str, *groups: Sequence[int], slots: Sequence[int] = (), **more: Any) -> Tile:
    """A tile with several cities, each with the edges of one group."""
    each_slots = slots or [1] * len(groups)
    track = [(edge, f"c{number}") for number, group in enumerate(groups) for edge in group]
    return tile(colour, *track, stops=[("city", number) for number in each_slots], **more)


def _stop(stop: Any) -> Any:
    if isinstance(stop, str):
        return {"kind": stop}
    return {"kind": stop[0], "slots": stop[1]} if isinstance(stop, tuple) else stop


def _end(end: Any) -> Any:
    return f"stop:{end[1:]}" if isinstance(end, str) and end.startswith("c") else end
