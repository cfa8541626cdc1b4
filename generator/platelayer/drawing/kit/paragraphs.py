"""Paragraphs in a box, each after a diamond: in the largest of the sizes of their kind in which all of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from platelayer.drawing.kit.lettering import ink_height
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.text_blocks import scale
from platelayer.scene.breaks import holds_wide
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Item, Path, Role, boxed, polygon_path
from platelayer.scene.typeset import SLACK_MM, TypeStyle

INDENT = 2.2
"""From the middle of a diamond to the words after it."""
_DIAMOND = 0.17
"""From the middle of a diamond to its corners, in ems."""
_MOST_APART = 0.5
"""The most that paragraphs move apart in a box with room to spare, in ems."""
_RUN_ON = "  ·  "


class _Setting(NamedTuple):
    """From line to line, and between paragraphs, in ems."""

    leading: float
    between: float


_LATIN = (_Setting(1.26, 0.5), _Setting(1.14, 0.32))
_JAPANESE = (_Setting(1.5, 0.45), _Setting(1.34, 0.4), _Setting(1.2, 0.28))
"""Letters that fill the em need more air between their lines."""


class Paragraphs(Struct, frozen=True, kw_only=True):
    """Paragraphs in lines, their type and the room round them; `width` is that of the lines in mm."""

    blocks: tuple[tuple[str, ...], ...]
    type_style: TypeStyle
    leading: float
    between: float
    width: float

    @property
    def rank(self) -> tuple[float, int]:
        """The more, the better they can be read: large type, then paragraphs of their own."""
        return self.type_style.size_pt, len(self.blocks)

    @property
    def rise(self) -> float:
        """From the highest ink to the first baseline."""
        return ink_height(self.blocks[0][0], self.type_style)[1]

    @property
    def height(self) -> float:
        """From the highest ink to the lowest."""
        drop = ink_height(self.blocks[-1][-1], self.type_style)[0]
        return self.rise - min(0.0, drop) + self._last

    @property
    def _last(self) -> float:
        """From the first baseline to the last."""
        lines = self.leading * (len([line for block in self.blocks for line in block]) - 1)
        return (lines + self.between * (len(self.blocks) - 1)) * self.type_style.size_mm


def set_paragraphs(texts: Sequence[str], type_style: TypeStyle, width: float, height: float) -> Paragraphs | None:
    """Texts in the first setting in which they fit: large before small, with air before without it, and at last in one
    paragraph of the smallest type. None if they do not fit at all."""
    # They are read together: in one face, even if only some of them are Japanese.
    words = "".join(texts)
    settings, airy = (_JAPANESE, _JAPANESE[:-1]) if holds_wide(words) else (_LATIN, _LATIN)
    type_style = type_style.beside(words)
    *_, least = sizes = scale(type_style)
    # Japanese lines are set without air in the smallest type alone: before that, smaller type reads better.
    ways = [(size, setting, tuple(texts)) for size in sizes for setting in (settings if size is least else airy)]
    for size, setting, told in (*ways, (least, settings[-1], (_RUN_ON.join(texts),))):
        blocks = tuple(wrap_within(text, size, width) for text in told)
        paragraphs = Paragraphs(
            blocks=blocks, type_style=size, leading=setting.leading, between=setting.between, width=width
        )
        if paragraphs.height <= height + SLACK_MM:
            return paragraphs
    return None


def paragraph_items(
    paragraphs: Paragraphs, ink: Ink, x: float, y: float, height: float, *, diamonds: Ink
) -> tuple[Item, ...]:
    """Paragraphs in the middle of a box, whose words begin at x and whose upper edge is at y. Where there is room to
    spare, some of it goes between them."""
    type_style, items = paragraphs.type_style, list[Item]()
    spare, parts = max(0.0, height - paragraphs.height), len(paragraphs.blocks)
    apart = min(_MOST_APART * type_style.size_mm, spare / (parts + 1))
    step, gap = paragraphs.leading * type_style.size_mm, paragraphs.between * type_style.size_mm + apart
    d, at = _DIAMOND * type_style.size_mm, y + (spare - apart * (parts - 1)) / 2 + paragraphs.rise
    for lines in paragraphs.blocks:
        level, middle = at - type_style.cap_height_mm / 2, x - INDENT
        diamond = polygon_path(((middle - d, level), (middle, level - d), (middle + d, level), (middle, level + d)))
        items.append(Path(commands=diamond, fill=diamonds, role=Role.ORNAMENT))
        items += set_lines(lines, type_style, ink, x, at, leading=paragraphs.leading, measure_mm=paragraphs.width)
        at += len(lines) * step + gap
    return (boxed(items, x, y, paragraphs.width, height),)
