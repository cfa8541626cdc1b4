"""Colours on the press: what is printed of a colour given as RGB, and how a recipe looks on paper.

Both are read from a table that `python -m platelayer.render.press_table` works out from the colour profile: littlecms
would give other last bits from release to release, and takes 30 ms to start.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from msgspec.structs import replace

from platelayer.foundation.resources import asset_path
from platelayer.scene.inks import BLACK_ON_PAPER, CMYK, RGB, Ink, in_percents, ink_from_hex, is_grey
from platelayer.scene.shapes import Group, Item, Scene, TextRun, Use

TABLE = "ISOcoated_v2_300_bas.table"
COLOUR_STEPS, INK_STEPS = 33, 13
"""Nodes along each side of the cube of colours, and of the cube of inks."""
FULL = 255
"""A byte of the table that means all of a part."""
_GREYS_AT = COLOUR_STEPS**3 * 4
_LOOKS_AT = _GREYS_AT + 256
_FAINT = 0.02
"""Less than this of an ink prints no dots."""


@cache
def _table() -> bytes:
    return asset_path("icc", TABLE).read_bytes()


@lru_cache(maxsize=4096)
def recipe_of(ink: Ink) -> CMYK:
    """What is printed of an ink in CMYK: the recipe of its theme or, for a colour given as RGB alone, the mixture that
    looks like it in the profile of the output intent; greys in black ink alone; at most 240 %."""
    return _mixed(ink.rgb) if ink.by_profile else ink.cmyk


def _mixed(rgb: RGB) -> CMYK:
    if is_grey(rgb):
        grey = math.fsum(rgb) / 3
        black = 1.0 if grey <= BLACK_ON_PAPER else _table()[_GREYS_AT + round(grey * FULL)] / FULL
        return (0.0, 0.0, 0.0, round(black, 2))
    amounts = _between(0, COLOUR_STEPS, rgb, 4)
    cyan, magenta, yellow, black = (0.0 if part < _FAINT else part for part in amounts)
    return in_percents((cyan, magenta, yellow, black))


@lru_cache(maxsize=4096)
def proof(ink: Ink) -> Ink:
    """The ink as it looks on paper: an ink with the RGB of what is printed, seen beside the paper's white and the
    darkest black of the press."""
    red, green, blue = _between(_LOOKS_AT, INK_STEPS, recipe_of(ink), 3)
    return replace(ink, rgb=(red, green, blue))


def proofed(scene: Scene) -> Scene:
    """A scene in the colours that it has on paper, for formats of a screen; spot inks keep their look."""
    return replace(scene, items=_proofed(scene.items))


def _proofed(items: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(_proofed_item(item) for item in items)


def _proofed_item(item: Item) -> Item:
    if isinstance(item, Group):
        return replace(item, items=_proofed(item.items))
    if isinstance(item, Use):
        return replace(item, scene=proofed(item.scene))
    if isinstance(item, TextRun):
        return replace(item, ink=_seen(item.ink))
    stroke = item.stroke and replace(item.stroke, ink=_seen(item.stroke.ink))
    return replace(item, fill=item.fill and _seen(item.fill), stroke=stroke)


def _seen(ink: Ink) -> Ink:
    return ink if ink.spot else proof(ink)


@lru_cache(maxsize=1024)
def printed_hex(colour: str) -> str:
    """#rrggbb as it looks on paper."""
    return proof(ink_from_hex(colour)).hex


def _between(start: int, steps: int, place: tuple[float, ...], parts: int) -> list[float]:
    """The parts at a place in a cube of nodes: between those nodes by which one gets to it from the lowest, along the
    sides of the greatest share first (tetrahedral interpolation)."""
    table, node, stride = _table(), 0, 1
    ways: list[tuple[float, int]] = []
    for share in reversed(place):
        whole = min(int(share * (steps - 1)), steps - 2)
        ways.append((share * (steps - 1) - whole, stride))
        node += whole * stride
        stride *= steps
    ways.sort(reverse=True)
    found, left = [0.0] * parts, 1.0
    for share, stride in (*ways, (0.0, 0)):
        at, weight = start + node * parts, left - share
        for part in range(parts):
            found[part] += weight * table[at + part]
        node, left = node + stride, share
    return [min(1.0, max(0.0, part / FULL)) for part in found]
