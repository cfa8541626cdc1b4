"""Paragraphs on cards, each after a diamond: on one grid of lines, in one size and one face for all
cards of a kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from platelayer.drawing.kit.lettering import ink_height
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.text_blocks import scale
from platelayer.foundation.ties import measured
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Item, Path, Role, boxed, polygon_path
from platelayer.scene.typeset import SLACK_MM, TypeStyle

INDENT = 2.2
"""From the middle of a diamond to the words after it."""
_DIAMOND = 0.17
"""From the middle of a diamond to its corners, in ems."""
_RUN_ON = "  ·  "
_MOST_DOWN = 2
"""Half lines from the first line of the grid to that of a card."""
_JAPANESE = "日"
"""Any Japanese word."""


class _Setting(NamedTuple):
    """From line to line in ems, what paragraphs are apart beyond that in half lines, and what rises
    highest in lines without accents."""

    leading: float
    apart: int
    highest: str


_SETTINGS = tuple(_Setting(leading, apart, "(") for leading, apart in product((1.26, 1.14), (1, 0)))
_WIDE_SETTINGS = tuple(
    _Setting(leading, apart, "（") for leading, apart in product((1.5, 1.34), (1, 0))
)
_LEAST = _Setting(1.2, 0, "（")
"""Letters that fill the em need more air between their lines: without it, smaller type reads
better, but in the smallest."""
_LAST = (_SETTINGS[-1], _LEAST)


class Box(NamedTuple):
    """Room for lines: how far below the head of the card it begins, its width and its height."""

    top: float
    width: float
    height: float


class Told(Struct, frozen=True):
    """What a card says in the type of its kind, and the boxes that it may say it in: first the one
    that takes least of everything else. Cards that are set alike have as many of these."""

    texts: tuple[str, ...]
    type_style: TypeStyle
    boxes: tuple[Box, ...]


class Way(NamedTuple):
    """How cards of a kind are set: which of the sizes of their type, the setting, which of their
    boxes, and whether as Japanese."""

    size: int
    setting: _Setting
    box: int
    is_wide: bool


class Paragraphs(Struct, frozen=True, kw_only=True):
    """Paragraphs in lines, their type, their box, and the first baseline."""

    blocks: tuple[tuple[str, ...], ...]
    type_style: TypeStyle
    setting: _Setting
    box: Box
    first: float


def agreed(cards: Sequence[Told], *, is_wide: bool) -> Way | None:
    """How all of these cards are set that have room for their words at all: in the largest type,
    then with the most air between lines, then in the box that takes least. None if there is no such
    card. Cards of a kind are read together: all are set as Japanese (`is_wide`) if any of them says
    something Japanese."""
    ways = [way for told in cards[:1] for way in _ways(told, is_wide)]
    able = [told for told in cards if any(set_in(told, way) for way in reversed(ways))]
    return (
        next((way for way in ways if all(set_in(told, way) for told in able)), ways[-1])
        if able
        else None
    )


def _ways(told: Told, is_wide: bool) -> Iterator[Way]:
    settings, least = (_WIDE_SETTINGS, (_LEAST,)) if is_wide else (_SETTINGS, ())
    sizes, boxes = range(len(scale(told.type_style))), range(len(told.boxes))
    for size, setting, box in (
        *product(sizes, settings, boxes),
        *product(sizes[-1:], least, boxes),
    ):
        yield Way(size, setting, box, is_wide)


def set_in(told: Told, way: Way) -> Paragraphs | None:
    """What a card says, set so; None if it does not fit. In the last way, that may be in one
    paragraph."""
    sizes, box = scale(told.type_style), told.boxes[way.box]
    size = min(way.size, len(sizes) - 1)
    type_style = sizes[size].beside(_JAPANESE if way.is_wide else "")
    paragraphs = _set(told.texts, type_style, way.setting, box)
    if paragraphs is None and size == len(sizes) - 1 and way.setting in _LAST:
        return _set((_RUN_ON.join(told.texts),), type_style, way.setting, box)
    return paragraphs


@lru_cache(maxsize=2048)
def _set(
    texts: tuple[str, ...], type_style: TypeStyle, setting: _Setting, box: Box
) -> Paragraphs | None:
    """Paragraphs on a grid of half lines that hangs from the upper edge of a box: as near its
    middle as a line below that edge allows, so that cards with little to say begin on the same
    line."""
    blocks = tuple(wrap_within(text, type_style, box.width) for text in texts)
    grid = setting.leading * type_style.size_mm / 2
    rows = 2 * (len([line for lines in blocks for line in lines]) - 1) + setting.apart * (
        len(blocks) - 1
    )
    hung = ink_height(setting.highest, type_style)[1]
    highest = ink_height(blocks[0][0], type_style)[1]
    lowest = box.height - rows * grid + min(0.0, ink_height(blocks[-1][-1], type_style)[0])
    down = round(measured(((highest + lowest) / 2 - hung) / grid))
    first = hung + min(down, _MOST_DOWN) * grid
    if not highest - SLACK_MM <= first <= lowest + SLACK_MM:
        return None
    return Paragraphs(
        blocks=blocks, type_style=type_style, setting=setting, box=box, first=box.top + first
    )


def paragraph_items(
    paragraphs: Paragraphs, ink: Ink, x: float, *, diamonds: Ink
) -> tuple[Item, ...]:
    """Paragraphs in their box, whose words begin at x."""
    type_style, box, leading = paragraphs.type_style, paragraphs.box, paragraphs.setting.leading
    step, items = leading * type_style.size_mm, list[Item]()
    d, at, middle = _DIAMOND * type_style.size_mm, paragraphs.first, x - INDENT
    for lines in paragraphs.blocks:
        level = at - type_style.cap_height_mm / 2
        diamond = polygon_path(
            ((middle - d, level), (middle, level - d), (middle + d, level), (middle, level + d))
        )
        items.append(Path(commands=diamond, fill=diamonds, role=Role.ORNAMENT))
        items += set_lines(lines, type_style, ink, x, at, leading=leading, measure_mm=box.width)
        at += (len(lines) + paragraphs.setting.apart / 2) * step
    return (boxed(items, x, box.top, box.width, box.height),)
