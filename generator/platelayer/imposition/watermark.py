"""The watermark of drafts."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.imposition.page import Document
from platelayer.imposition.words import fixed
from platelayer.scene.fonts import glyph_outline
from platelayer.scene.shapes import (
    Command,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    multiply,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import split_by_face, text_width

_SHARE = 0.62
"""How much of the diagonal of a page the word takes, as far as its height allows."""
_TALLEST = 0.3
"""The most of the page's shorter side that its capitals are high."""
_STROKE_MM, _CASING = 0.3, 2.6
"""The letters are outlines, light beside dark, so that they show on any ground and what is below can be read; the light
line is so many times as wide."""
_SHEET_MM, _LEAST = 210.0, 0.4
"""The shorter side of a page with lines of that width: those of a poster are wider, those of a card thinner."""


def marked(document: Document, theme: Theme, tongue: Tongue) -> Document:
    """A document with the watermark on every page."""
    pages = tuple(replace(page, scene=marked_scene(page.scene, theme, tongue)) for page in document.pages)
    return replace(document, pages=pages)


def marked_scene(scene: Scene, theme: Theme, tongue: Tongue) -> Scene:
    """A page with the watermark across it."""
    letters = _letters(fixed("draft", tongue, theme.type("sheet.strong").faces), theme, scene.width_mm, scene.height_mm)
    width_mm = _STROKE_MM * max(_LEAST, min(scene.width_mm, scene.height_mm) / _SHEET_MM)
    lines = (
        Stroke(ink=theme.ink("white"), width_mm=_CASING * width_mm),
        Stroke(ink=theme.ink("text.soft"), width_mm=width_mm),
    )
    items: tuple[Item, ...] = tuple(Path(commands=letters, stroke=line, role=Role.MARK) for line in lines)
    return replace(scene, items=(*scene.items, *items))


@lru_cache(maxsize=16)
def _letters(word: str, theme: Theme, width_mm: float, height_mm: float) -> tuple[Command, ...]:
    """The outlines of a word along the rising diagonal of a page."""
    style = theme.type("sheet.strong").at(100.0)
    across, tall = text_width(word, style), style.cap_height_mm
    scale = min(_SHARE * math.hypot(width_mm, height_mm) / across, _TALLEST * min(width_mm, height_mm) / tall)
    angle = -math.degrees(math.atan2(height_mm, width_mm))
    commands: list[Command] = []
    x = -across / 2
    for face, letters in split_by_face(word, style):
        for letter in letters:
            place = multiply(translation(x, tall / 2), scaling(style.size_mm))
            commands += transform_commands(glyph_outline(face, letter), place)
            x += text_width(letter, style) + style.tracking_mm
    turned = multiply(translation(width_mm / 2, height_mm / 2), multiply(rotation(angle), scaling(scale)))
    return transform_commands(commands, turned)
