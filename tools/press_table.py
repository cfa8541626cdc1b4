"""The tables that `scene.press` mixes inks by, each worked out from the colour profile of its
press.

`python tools/press_table.py` writes them with the littlecms of this machine; they are shipped, so
that files do not depend on anybody's littlecms. `python tools/press_table.py PRESS ...` writes
those of some presses.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from PIL import Image, ImageCms

from platelayer.foundation.resources import asset_path
from platelayer.scene.inks import MAX_TOTAL_INK
from platelayer.scene.press import COLOUR_STEPS, FULL, INK_STEPS, PRESSES

_MOST = math.floor(MAX_TOTAL_INK * FULL)
_BLACKS = range(0, FULL + 1, 5)
_TAKEN = 24
"""How many shares of the grey in C, M and Y are tried out as black."""
_BATCH = 1 << 16
_STEPS = (16, 8, 8, 4, 4)
_Levels = tuple[int, ...]
_Look = tuple[float, float, float]
"""CIELAB."""


def press_table(press: str) -> bytes:
    """Recipes of the nodes of a cube in sRGB, black ink for each of 256 greys, looks of the nodes
    of a cube of inks in sRGB and in CIELAB: a byte a part, in the order of `scene.press`."""
    to_inks, to_look, to_lab = _transforms(press)
    sides = [round(node * FULL / (COLOUR_STEPS - 1)) for node in range(COLOUR_STEPS)]
    colours = list(product(sides, repeat=3))
    recipes = _capped(
        _applied(to_inks, "RGB", colours), _lab(_through(to_inks, to_lab, colours)), to_lab
    )
    amounts = [round(node * FULL / (INK_STEPS - 1)) for node in range(INK_STEPS)]
    looks, labs = (_applied(to, "CMYK", product(amounts, repeat=4)) for to in (to_look, to_lab))
    return b"".join(map(bytes, (*recipes, *_greys(to_look), *looks, *labs)))


def _transforms(name: str) -> tuple[Any, Any, Any]:
    """sRGB to the inks of the profile, and these to sRGB and to CIELAB: relative colorimetric with
    black point compensation."""
    press = ImageCms.getOpenProfile(str(asset_path("icc", f"{PRESSES[name]}.icc")))
    srgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    intent, flags = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION

    def made(source: Any, target: Any, mode: str, to_mode: str) -> ImageCms.ImageCmsTransform:
        return ImageCms.buildTransform(source, target, mode, to_mode, intent, flags)

    return (
        made(srgb, press, "RGB", "CMYK"),
        made(press, srgb, "CMYK", "RGB"),
        made(press, lab, "CMYK", "LAB"),
    )


def _applied(transform: Any, mode: str, colours: Any) -> list[_Levels]:
    flat = bytes(part for colour in colours for part in colour)
    picture = Image.frombytes(mode, (len(flat) // len(mode), 1), flat)
    made = ImageCms.applyTransform(picture, transform)
    assert made is not None
    return list(zip(*(band.tobytes() for band in made.split()), strict=True))


def _through(first: Any, second: Any, colours: Sequence[_Levels]) -> list[_Levels]:
    return _applied(second, "CMYK", _applied(first, "RGB", colours))


def _lab(pixels: Sequence[_Levels]) -> list[_Look]:
    return [(lightness / 2.55, a - 128.0, b - 128.0) for lightness, a, b in pixels]


def _capped(recipes: list[_Levels], looks: Sequence[_Look], to_lab: Any) -> Iterator[Sequence[int]]:
    """The recipes, each with more than the most ink replaced by what looks most like it."""
    heavy = [number for number, recipe in enumerate(recipes) if sum(recipe) > _MOST]
    best: dict[int, tuple[float, _Levels]] = {}
    _improve(
        best,
        ((number, each) for number in heavy for each in _lighter(recipes[number])),
        looks,
        to_lab,
    )
    for step in _STEPS:
        _improve(
            best,
            [(number, each) for number in heavy for each in _beside(best[number][1], step)],
            looks,
            to_lab,
        )
    return (best[number][1] if number in best else recipe for number, recipe in enumerate(recipes))


def _improve(
    best: dict[int, tuple[float, _Levels]],
    tries: Iterable[tuple[int, _Levels]],
    looks: Sequence[_Look],
    to_lab: Any,
) -> None:
    """Replaces the best recipes, each with how far it is from the look of its node, by those that
    are nearer."""
    left = iter(tries)
    while batch := list(islice(left, _BATCH)):
        seen = _lab(_applied(to_lab, "CMYK", [recipe for _, recipe in batch]))
        for (number, recipe), look in zip(batch, seen, strict=True):
            found = (math.dist(look, looks[number]), recipe)
            best[number] = min(best.get(number, found), found)


def _lighter(recipe: _Levels) -> Iterator[_Levels]:
    """Recipes with more black and less of the rest that keep to the limit."""
    *rest, _ = recipe
    for black in _BLACKS:
        for share in range(_TAKEN + 1):
            grey = min(rest) * share / _TAKEN
            left = [part - grey for part in rest]
            total = math.fsum(left)
            keep = min(1.0, (_MOST - black) / total) if total else 1.0
            yield (*(math.floor(part * keep) for part in left), black)


def _beside(recipe: _Levels, step: int) -> Iterator[_Levels]:
    """Recipes with a step more or less of each ink that keep to the limit."""
    for shift in product((-step, 0, step), repeat=4):
        found = tuple(min(FULL, max(0, part + by)) for part, by in zip(recipe, shift, strict=True))
        if sum(found) <= _MOST:
            yield found


def _greys(to_look: Any) -> Iterator[Sequence[int]]:
    """For each grey of sRGB the amount of black ink that looks as light, from the darkest that it
    can be."""
    lights = [
        math.fsum(look) / 3
        for look in _applied(to_look, "CMYK", [(0, 0, 0, k) for k in range(FULL + 1)])
    ]
    for grey in range(256):
        yield (min(range(FULL + 1), key=lambda black: (abs(lights[black] - grey), -black)),)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PRESSES:
        asset_path("icc", f"{PRESSES[chosen]}.table").write_bytes(press_table(chosen))
