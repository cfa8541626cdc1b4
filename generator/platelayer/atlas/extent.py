"""What a map needs: room on the table, and the companies in play."""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.model.atlas import AtlasBox, AtlasLog, Axial, Mode, doubled, tile_hexes

HEX_MM = 40.0
"""Default size of the map's hexes, flat to flat."""


def places_of(log: AtlasLog) -> Iterator[Axial]:
    """Every hex of a map: of its tiles in the order they were laid, then of its blanks."""
    for draw in log.placed:
        yield from tile_hexes(draw.at, draw.rotation)
    yield from log.blanks


def board_size_mm(log: AtlasLog, hex_mm: float) -> tuple[int, int]:
    """Width and height of a map in whole mm, rounded up, with hexes of `hex_mm` flat to flat; (0,
    0) without tiles."""
    places = [doubled(at) for at in places_of(log)]
    if not places:
        return 0, 0
    columns = 1 + max(x for x, _ in places) - min(x for x, _ in places)
    half_rows = 2 + max(y for _, y in places) - min(y for _, y in places)
    return size_mm(columns, half_rows, hex_mm)


def size_mm(columns: int, half_rows: int, hex_mm: float) -> tuple[int, int]:
    """Width and height in whole mm, rounded up, of columns of hexes that stand half a hex higher or
    lower in turn."""
    side = hex_mm / math.sqrt(3)
    return math.ceil(side * (1.5 * columns + 0.5)), math.ceil(hex_mm * half_rows / 2)


def companies_in_play(box: AtlasBox, mode: Mode, log: AtlasLog) -> tuple[str, ...]:
    """Ids of the companies in play, sorted: those at home on the map, and the homeless ones that
    the mode has.

    In modes with stacks these come with a tile that is dealt as a home (Adaptive with map tile 21,
    which need not be where it starts); in others they are in play unless the mode leaves them out.
    """
    laid = {draw.tile for draw in log.placed}
    at_home = {
        hexagon.company
        for number in laid
        for hexagon in box.tile_by_number[number].hexes
        if hexagon.company is not None
    }
    brought = not mode.stacks or bool(laid & set(mode.stack_homes))
    homeless = set(box.homeless) - set(mode.absent) if brought else set()
    return tuple(sorted(at_home | homeless))
