"""Blocks of measured lines, centred on (0, 0) and ready to be moved to a free place."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.lettering import ELLIPSIS, line_step, one_line
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.scene.breaks import few_parts, join_parts, name_parts
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Circle, Cut, Group, Item, TextRun, translation
from platelayer.scene.typeset import SLACK_MM, TypeStyle, run_corners, set_line, text_width

list_words = FixedWords("lists")

LEAD, ASIDE = list_words("lead"), list_words("aside")
"""A word and what it leads to; words and what is said beside them, in brackets."""
_LEADING = 1.02
COMMA = list_words("comma")
_VOWELS = "aeiouyæøαεηιουωаеиоуыэюя"
_LONG_WORD, _LEAST_PART = 10, 3
"""Letters of words that may be broken, and of their parts."""


class Block(Struct, frozen=True):
    """Items drawn round (0, 0) and the box that they fill, in mm."""

    items: tuple[Item, ...]
    width: float
    height: float

    def at(self, x: float, y: float) -> tuple[Item, ...]:
        """The items moved so that the middle of the box lies at (x, y)."""
        return tuple(_moved(item, x, y) for item in self.items)


def _moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, TextRun):
        return replace(item, x=item.x + x, y=item.y + y)
    if isinstance(item, Circle):
        return replace(item, cx=item.cx + x, cy=item.cy + y)
    return Group(items=(item,), matrix=translation(x, y))


@lru_cache(maxsize=4096)
def words_block(lines: tuple[str, ...], type_style: TypeStyle, ink: Ink) -> Block:
    """Lines below each other, centred; the box holds what is inked, accents and tails included."""
    step = line_step(lines, type_style, _LEADING)
    runs = [
        run
        for number, line in enumerate(lines)
        for run in set_line(line, type_style, ink, 0.0, number * step, anchor=Anchor.MIDDLE)
    ]
    corners = [corner for run in runs for corner in run_corners(run)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    centred = tuple(_moved(run, -middle[0], -middle[1]) for run in runs)
    return Block(centred, max(xs) - min(xs), max(ys) - min(ys))


def left_out_block(words: str, type_style: TypeStyle, ink: Ink) -> Block:
    """Nothing where words find no room, which the check of legibility tells."""
    return Block(set_line(Cut("", words), type_style, ink, 0.0, 0.0), 0.0, 0.0)


def stacked(upper: Block, lower: Block, gap_mm: float) -> Block:
    """Two blocks, one below the other."""
    height = upper.height + gap_mm + lower.height
    items = (
        *upper.at(0.0, (upper.height - height) / 2),
        *lower.at(0.0, (height - lower.height) / 2),
    )
    return Block(items, max(upper.width, lower.width), height)


def listed(
    parts: Sequence[str], style: Style, *, between: Text = COMMA, last: Text | None = None
) -> str:
    """Parts one after the other: commas (or what else stands `between` them), before the last one
    `last`."""
    joint = style.words(between)
    if last is None or len(parts) < 2:
        return joint.join(parts)
    return joint.join(parts[:-1]) + style.words(last) + parts[-1]


def line_breaks(text: str) -> tuple[tuple[str, ...], ...]:
    """Ways to set a name: on one line, on two lines as even as can be, on three."""
    words = few_parts(name_parts(text))
    ways: list[tuple[str, ...]] = [(text,)]
    for count in (2, 3):
        if len(words) >= count:
            ways.append(_even(words, count))
    return tuple(ways)


def broken_words(text: str) -> tuple[str, ...] | None:
    """A text with a line for each word, its long words broken in two by a hyphen, after a vowel
    near the middle; None if there are no long words."""
    lines: list[str] = []
    for word in text.split():
        cuts = [
            at for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1) if _ends_syllable(word, at)
        ]
        if len(word) < _LONG_WORD or not cuts:
            lines.append(word)
            continue
        cut = min(cuts, key=lambda at: abs(2 * at - len(word)))
        lines += [f"{word[:cut]}-", word[cut:]]
    return tuple(lines) if len(lines) > len(text.split()) else None


def cut_name(text: str, length: int) -> tuple[str, ...]:
    """The first letters of a name and an ellipsis, on two lines if it has several words: for where
    nothing else has room for it."""
    *_, lines = line_breaks(f"{text[:length].rstrip()}{ELLIPSIS}")[:2]
    return (*lines[:-1], Cut(lines[-1], text))


def _ends_syllable(word: str, at: int) -> bool:
    last, following = (
        unicodedata.normalize("NFD", word[k])[0].lower() in _VOWELS for k in (at - 1, at)
    )
    return last and not following


def _even(words: tuple[str, ...], count: int) -> tuple[str, ...]:
    if count == 1:
        return (join_parts(words),)
    options = [
        (join_parts(words[:k]), *_even(words[k:], count - 1))
        for k in range(1, len(words) - count + 2)
    ]
    return min(options, key=lambda lines: max(map(len, lines)))


def scaled(type_style: TypeStyle, factor: float) -> TypeStyle:
    """A type style for a hex of another size: not below its least size."""
    return type_style.at(max(type_style.min_pt, round(type_style.size_pt * factor * 20) / 20))


def scale(type_style: TypeStyle) -> tuple[TypeStyle, ...]:
    """The three sizes of a kind of text, so that sisters look alike however much they say: the
    style's own, the least, and the one halfway between them."""
    sizes = (type_style.size_pt, (type_style.size_pt + type_style.min_pt) / 2, type_style.min_pt)
    return tuple(type_style.at(size) for size in dict.fromkeys(sizes) if size <= type_style.size_pt)


def one_stepped(text: str, type_style: TypeStyle, width_mm: float) -> tuple[TypeStyle, str]:
    """Words on one line in the largest of the three sizes in which they fit, else as small as they
    must be, and cut."""
    fitting = (size for size in scale(type_style) if text_width(text, size) <= width_mm + SLACK_MM)
    size = next(fitting, None)
    return (size, text) if size is not None else one_line(text, type_style, width_mm)


_NAMES = (1.0, 0.82, 0.66)
"""The three sizes of names, as shares of their style's own."""


def stepped(type_style: TypeStyle, own: TypeStyle) -> TypeStyle:
    """The type that a name fits in, reduced to one of the three sizes of names of its kind, whose
    `own` style is given; as it is where even the least of them is too large, or too small to be
    read."""
    sizes = (own.size_pt * share for share in _NAMES if own.size_pt * share >= own.min_pt)
    return next(
        (type_style.at(size) for size in sizes if size <= type_style.size_pt + 0.01), type_style
    )


def smaller(size_pt: float, step_pt: float) -> float:
    """The next size to try: a step less, or a sixtieth where that is more, so that even huge type
    is soon fitted."""
    return size_pt - max(step_pt, size_pt / 60)


def sizes_down(type_style: TypeStyle, step_pt: float = 0.5) -> tuple[TypeStyle, ...]:
    """The style at its size and at smaller ones down to its least size."""
    styles = [type_style]
    while (size := smaller(styles[-1].size_pt, step_pt)) > type_style.min_pt + 0.01:
        styles.append(type_style.at(size))
    if styles[-1].size_pt > type_style.min_pt:
        styles.append(type_style.at(type_style.min_pt))
    return tuple(styles)
