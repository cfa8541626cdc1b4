"""Colours on the press: what is printed of a colour given as RGB, and how a recipe looks on paper.

Both are read from a table that `tools/press_table.py` works out from the colour profile: littlecms would give other
last bits from release to release, and takes 30 ms to start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, product

from msgspec.structs import replace

from platelayer.foundation.resources import asset_path
from platelayer.foundation.units import mm_from_pt
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
_FINEST, _LIGHTER = 0.03, 3.0
Lab = tuple[float, float, float]
FINE_TEXT_PT = 8.0
FINE_STROKE_MM = mm_from_pt(0.5)
"""Text below this size, and strokes up to this width, are printed with two inks at most: where the plates do not quite
meet, a third would only blur them."""


@cache
def _table() -> bytes:
    return asset_path("icc", TABLE).read_bytes()


@lru_cache(maxsize=4096)
def recipe_of(ink: Ink, *, fine: bool = False) -> CMYK:
    """What is printed of an ink in CMYK: the recipe of its theme or, for a colour given as RGB alone, the mixture that
    looks like it in the profile of the output intent; greys in black ink alone; at most 240 %. In `fine` things it is
    the mixture of two inks that looks most like it."""
    recipe = _mixed(ink.rgb) if ink.by_profile else ink.cmyk
    return _of_two(recipe) if fine and sum(map(bool, recipe)) > 2 else recipe


def _mixed(rgb: RGB) -> CMYK:
    if is_grey(rgb):
        grey = math.fsum(rgb) / 3
        black = 1.0 if grey <= BLACK_ON_PAPER else _table()[_GREYS_AT + round(grey * FULL)] / FULL
        return (0.0, 0.0, 0.0, round(black, 2))
    amounts = _between(0, COLOUR_STEPS, rgb, 4)
    cyan, magenta, yellow, black = (0.0 if part < _FAINT else part for part in amounts)
    return in_percents((cyan, magenta, yellow, black))


@lru_cache(maxsize=4096)
def proof(ink: Ink, *, fine: bool = False) -> Ink:
    """The ink as it looks on paper (in `fine` things): an ink with the RGB of what is printed, seen beside the paper's
    white and the darkest black of the press."""
    return replace(ink, rgb=_look(recipe_of(ink, fine=fine)))


def _look(recipe: Sequence[float]) -> RGB:
    red, green, blue = _between(_LOOKS_AT, INK_STEPS, recipe, 3)
    return red, green, blue


def _of_two(recipe: CMYK) -> CMYK:
    """The mixture of at most two inks that looks most like a recipe: the best of all in every second step of the
    table, then in ever smaller steps from there."""
    aim = _lab(_look(recipe))
    best = min((_unlike(look, aim), mixture) for look, mixture in _pairs())
    pair = [place for place, part in enumerate(best[1]) if part] or [3]
    step = 2 / (INK_STEPS - 1)
    while step > _FINEST:
        step /= 2
        for moves in product((-step, 0.0, step), repeat=len(pair)):
            if not any(moves):
                continue
            mixture = list(best[1])
            for place, move in zip(pair, moves, strict=True):
                mixture[place] = min(1.0, max(0.0, mixture[place] + move))
            best = min(best, (_unlike(_lab(_look(mixture)), aim), tuple(mixture)))
    cyan, magenta, yellow, black = (0.0 if part < _FAINT else part for part in best[1])
    return in_percents((cyan, magenta, yellow, black))


def _unlike(look: Lab, aim: Lab) -> float:
    """How unlike two colours are (CIE 1976); being lighter counts three times, as small words must stay legible."""
    lighter = look[0] - aim[0]
    return math.hypot(_LIGHTER * lighter if lighter > 0 else lighter, look[1] - aim[1], look[2] - aim[2])


@cache
def _pairs() -> tuple[tuple[Lab, tuple[float, ...]], ...]:
    """Every mixture of two inks in every second step of the table, and how it looks."""
    table, samples = _table(), []
    strides = [INK_STEPS**power for power in (3, 2, 1, 0)]
    for one, other in combinations(range(4), 2):
        for first, second in product(range(0, INK_STEPS, 2), repeat=2):
            at = _LOOKS_AT + 3 * (first * strides[one] + second * strides[other])
            mixture = [0.0] * 4
            mixture[one], mixture[other] = first / (INK_STEPS - 1), second / (INK_STEPS - 1)
            samples.append((_lab([part / FULL for part in table[at : at + 3]]), tuple(mixture)))
    return tuple(samples)


def _lab(rgb: Sequence[float]) -> Lab:
    """CIE Lab of sRGB (white D65), for distances."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    x = 0.4339 * red + 0.3762 * green + 0.1899 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0178 * red + 0.1095 * green + 0.8727 * blue
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


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


def _between(start: int, steps: int, place: Sequence[float], parts: int) -> list[float]:
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
    inks, left = [0.0] * parts, 1.0
    for share, stride in (*ways, (0.0, 0)):
        at, weight = start + node * parts, left - share
        for part in range(parts):
            inks[part] += weight * table[at + part]
        node, left = node + stride, share
    return [min(1.0, max(0.0, part / FULL)) for part in inks]
