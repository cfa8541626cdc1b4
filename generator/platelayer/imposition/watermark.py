"""The watermark of drafts."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.imposition.page import Document
from platelayer.imposition.words import fixed
from platelayer.scene.fonts import glyph_outline
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Use,
    multiply,
    rectangle_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle, split_by_face, text_width

_SHARE = 0.62
"""How much of the diagonal of a page the word takes, as far as its height allows."""
_TALLEST = 0.3
"""The most of the page's shorter side that its capitals are high."""
_PITCH_MM = 1.7
_COVER = 0.12
"""The letters are screens of squares, dark ones between light ones, so that they show on any ground, what is below can
be read, and no line is taken for one to cut: from one to the next, and how much of the letters each sort covers."""
_SHEET_MM, _LEAST = 210.0, 0.4
"""The shorter side of a page with squares of that pitch: those of a poster are larger, those of a card smaller."""


def marked(document: Document, theme: Theme, tongue: Tongue) -> Document:
    """A document with the watermark on every page."""
    pages = tuple(replace(page, scene=marked_scene(page.scene, theme, tongue)) for page in document.pages)
    return replace(document, pages=pages)


def marked_scene(scene: Scene, theme: Theme, tongue: Tongue) -> Scene:
    """A page with the watermark across it."""
    word = fixed("draft", tongue, theme.type("sheet.strong").faces)
    mark = Use(scene=_mark(word, theme, scene.width_mm, scene.height_mm), matrix=translation(0.0, 0.0))
    return replace(scene, items=(*scene.items, mark))


@lru_cache(maxsize=16)
def _mark(word: str, theme: Theme, width_mm: float, height_mm: float) -> Scene:
    """The word in its screen along the rising diagonal of a page, as large as the page."""
    style = theme.type("sheet.strong").at(100.0)
    across, tall = text_width(word, style), style.cap_height_mm
    scale = min(_SHARE * math.hypot(width_mm, height_mm) / across, _TALLEST * min(width_mm, height_mm) / tall)
    pitch = _PITCH_MM * max(_LEAST, min(width_mm, height_mm) / _SHEET_MM) / scale
    columns, rows = math.ceil(across / 2 / pitch), math.ceil(tall / pitch)
    side = pitch * math.sqrt(_COVER)
    screen: list[Item] = []
    for ink, shift in (("white", 0.0), ("text.soft", 0.5)):
        squares: list[Command] = []
        for column, row in product(range(-columns, columns + 1), range(-rows, rows + 1)):
            squares += rectangle_path((column + shift) * pitch, (row + shift) * pitch, side, side)
        screen.append(Path(commands=tuple(squares), fill=theme.ink(ink), role=Role.MARK))
    angle = -math.degrees(math.atan2(height_mm, width_mm))
    turned = multiply(translation(width_mm / 2, height_mm / 2), multiply(rotation(angle), scaling(scale)))
    items = (Group(items=(Group(items=tuple(screen), clip=_letters(word, style)),), matrix=turned),)
    key = f"draft:{word}:{width_mm:g}x{height_mm:g}"
    return Scene(key=key, width_mm=width_mm, height_mm=height_mm, items=items, bleed_mm=0.0)


def _letters(word: str, style: TypeStyle) -> tuple[Command, ...]:
    """The outlines of a word, its middle at (0, 0)."""
    commands: list[Command] = []
    x, tall = -text_width(word, style) / 2, style.cap_height_mm
    for face, letters in split_by_face(word, style):
        for letter in letters:
            place = multiply(translation(x, tall / 2), scaling(style.size_mm))
            commands += transform_commands(glyph_outline(face, letter), place)
            x += text_width(letter, style) + style.tracking_mm
    return tuple(commands)
