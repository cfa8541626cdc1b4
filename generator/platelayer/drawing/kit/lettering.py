"""Words on pieces: fitted, balanced, shortened, on arcs; wrapped, with arrows among them; and
paragraphs of cards.

Arrow characters are drawn as shapes, since few faces have them.
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

from msgspec.structs import replace

from platelayer.drawing.kit.parts import ARROWS, arrow
from platelayer.drawing.kit.style import Style
from platelayer.foundation.geometry import MM_PER_PT, measured
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.scene.breaks import (
    NAME_JOINTS,
    Part,
    body_costs,
    cut_within,
    end_costs,
    ends_cost,
    few_parts,
    fill_body,
    fill_lines,
    holds_wide,
    join_parts,
    line_parts,
    name_parts,
)
from platelayer.scene.fonts import advances, face, glyph_outline
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    SHARE,
    Anchor,
    Circle,
    Command,
    Cut,
    Group,
    Item,
    Items,
    Path,
    Role,
    Stroke,
    TextRun,
    boxed,
    multiply,
    polygon_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import (
    SLACK_MM,
    TypeStyle,
    closings,
    fit,
    openings,
    part_widths,
    prepared,
    run_corners,
    set_line,
    split_by_face,
    text_width,
    wrap,
)

ELLIPSIS = "…"
_CAP = 0.7
_CLEAR_MM = 0.05


def set_on_arc(
    text: str, type_style: TypeStyle, ink: Ink, x: float, y: float, *, radius_mm: float
) -> tuple[TextRun, ...]:
    """Set a line letter by letter on an arc that rises at its middle, (x, y).

    `radius_mm` is measured to the baseline; each letter is a separate run, rotated by its position.
    """
    text, type_style = prepared(text, capitals=type_style.capitals), type_style.beside(text)
    runs: list[TextRun] = []
    at = -text_width(text, type_style) / 2
    for place, char in enumerate(text):
        # The kerned advance to the next letter, so that the boxes of letters do not overlap.
        following = text[place + 1 : place + 2]
        step = text_width(char + following, type_style) - text_width(following, type_style)
        width = step - type_style.tracking_mm if following else step
        angle = (at + width / 2) / radius_mm
        at += step
        if char != " ":
            along, down = math.cos(angle), math.sin(angle)
            left = x + radius_mm * down - width / 2 * along
            foot = y + radius_mm * (1 - along) - width / 2 * down
            letter = set_line(char, type_style, ink, left, foot, angle=math.degrees(angle))
            runs += (replace(run, width_mm=width) for run in letter)
    return tuple(runs)


@lru_cache(256)
def halo_path(run: TextRun, ink: Ink, width_mm: float) -> Path:
    """Return the ground of a text run, drawn `width_mm` beyond its letters so that no line touches
    them. Cached, because most names of a map stay where they are."""
    turned = multiply(translation(run.x, run.y), rotation(run.angle))
    shift = SHARE[run.anchor] * run.width_mm
    em = run.size_pt * MM_PER_PT
    commands: list[Command] = []
    at = -shift
    for char, ems in zip(run.text, advances(run.face, run.text), strict=True):
        placed = multiply(turned, multiply(translation(at, 0.0), scaling(em)))
        commands += transform_commands(glyph_outline(run.face, char), placed)
        at += ems * em + run.tracking_mm
    stroke = Stroke(ink, 2 * width_mm, join="round")
    return Path(tuple(commands), stroke=stroke, role=Role.HALO)


def broken(name: str, count: int, *, anywhere: bool = False) -> tuple[str, ...]:
    """Return a short name on `count` lines: broken between its words if it has as many, otherwise,
    or `anywhere`, where it gives lines with about the same number of letters."""
    parts, joint = name.split(), " "
    if anywhere or len(parts) < count:
        parts, joint = [*name], ""
    ends = [round(len(parts) * line / count) for line in range(count + 1)]
    return tuple(joint.join(parts[a:b]).strip() or "-" for a, b in pairwise(ends))


def title_lines(name: str) -> tuple[str, str]:
    """Return a long name in two lines, with the last two words on the second: ("Railways of the",
    "Lost Atlas")."""
    words = name_parts(name)
    if len(words) <= 3:
        return "", name
    return join_parts(words[:-2]).rstrip(NAME_JOINTS), join_parts(words[-2:])


def balanced(
    text: str,
    type_style: TypeStyle,
    width_mm: float,
    lines: int,
    *,
    several: float = 1.0,
    clip: bool = False,
) -> tuple[TypeStyle, tuple[str, ...]]:
    """Return the style, shrunk so that words on at most `lines` lines fit `width_mm`, and the
    lines: those with the largest type, and among equals the fewest.

    On more than one line, type is at most `several` of the style's size. Japanese that does not fit
    otherwise is broken between any two characters; other words that are too long even in the
    smallest type are split over as many lines as needed or, with `clip`, end with an ellipsis in
    the last line.
    """
    plain, type_style = prepared(text), type_style.beside(text)
    fitted, broken = _balanced(name_parts(plain) or ("",), type_style, width_mm, lines, several)
    if holds_wide(plain) and _is_wider(fitted, broken, width_mm):
        fitted, broken = _balanced(
            tuple(map(str.strip, line_parts(plain))), type_style, width_mm, lines, several
        )
    if not _is_wider(fitted, broken, width_mm):
        return fitted, broken
    least = type_style.at(min(type_style.size_pt, type_style.min_pt))
    room = max(width_mm, least.size_mm)
    cut = cut_within(wrap(plain, least, room), room, lambda part: text_width(part, least))
    if clip and len(cut) > lines:
        whole, rest = cut[: lines - 1], plain
        for line in whole:
            rest = rest[rest.index(line) + len(line) :].lstrip()
        cut = (*whole, Cut(one_line(rest, least, room)[1], plain))
    return least, cut


def one_line(text: str, type_style: TypeStyle, width_mm: float) -> tuple[TypeStyle, str]:
    """Return words for one line of at most this width, and their type: smaller as needed, and
    shortened with an ellipsis if they are too long even in the smallest type."""
    fitted = fit(text, type_style, width_mm)
    if text_width(text, fitted) <= width_mm + SLACK_MM:
        return fitted, text
    plain = prepared(text)
    starts = [plain[:count].rstrip() + ELLIPSIS for count in range(len(plain))]
    fitting = bisect_right(starts, width_mm, lo=1, key=lambda start: text_width(start, fitted))
    return fitted, Cut(starts[fitting - 1], text)


def left_out(text: str, type_style: TypeStyle, ink: Ink) -> tuple[TextRun, ...]:
    """Return runs for words that a piece has no room for: nothing is drawn, but the loss is
    reported."""
    return set_line(Cut("", text), type_style, ink, 0.0, 0.0)


def line_step(lines: Sequence[str], type_style: TypeStyle, leading: float) -> float:
    """Return the distance between baselines in mm: `leading` ems, or more where letters and accents
    of two lines would touch."""
    type_style = type_style.beside("".join(lines))
    inks = [ink_height(line, type_style) for line in lines]
    touching = (high - low + _CLEAR_MM for (low, _), (_, high) in pairwise(inks))
    return max([leading * type_style.size_mm, *touching])


def clear_step(upper: str, upper_type: TypeStyle, lower: str, lower_type: TypeStyle) -> float:
    """Return the minimum distance between the baselines of two lines of different types, in mm, at
    which letters and accents do not touch."""
    low = ink_height(upper, upper_type.beside(upper))[0]
    return ink_height(lower, lower_type.beside(lower))[1] - min(0.0, low) + 2 * _CLEAR_MM


@lru_cache(4096)
def ink_height(text: str, type_style: TypeStyle) -> tuple[float, float]:
    """Return the lowest and highest ink of a line above its baseline, in mm."""
    runs = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    known = [face(name).glyphs[char] for name, chars in runs for char in chars]
    low = min((glyph[1] for glyph in known), default=0.0)
    high = max((glyph[2] for glyph in known), default=_CAP)
    return low * type_style.size_mm, high * type_style.size_mm


def base_in(text: str, type_style: TypeStyle, height_mm: float) -> float:
    """Return the distance of a baseline below the middle of a box that centres its capitals, or all
    of its ink where accents or tails would otherwise leave the box."""
    half = type_style.cap_height_mm / 2
    low, high = ink_height(text, type_style.beside(text))
    return (low + high) / 2 if max(high - half, half - low) > height_mm / 2 else half


def _balanced(
    words: tuple[str, ...], type_style: TypeStyle, width_mm: float, lines: int, several: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    words = few_parts(words)
    best: tuple[TypeStyle, tuple[str, ...]] | None = None
    for count in range(1, min(lines, len(words)) + 1):
        broken = _even(
            words, count, lambda ways: (max(text_width(each, type_style) for each in ways), ways)
        )
        most = type_style
        if count > 1:
            most = type_style.by(several)
        tried = type_style.at(min(fit(line, most, width_mm).size_pt for line in broken))
        # An additional line is used only if it makes the type an eighth larger, or if words fit
        # that otherwise would not.
        if (
            best is None
            or tried.size_pt > best[0].size_pt * 1.12
            or (_is_wider(*best, width_mm) and not _is_wider(tried, broken, width_mm))
        ):
            best = (tried, broken)
    assert best is not None
    return best


def _is_wider(type_style: TypeStyle, lines: tuple[str, ...], width_mm: float) -> bool:
    return any(text_width(line, type_style) > width_mm + SLACK_MM for line in lines)


_ARROW_EMS = 0.95
# Number of widths that are tried to find good ends of Japanese lines.
_TRIED = 24
# Maximum space added between two characters, and removed beside a bracket or a stop, in ems.
_MOST_OPEN, _MOST_CLOSED = 0.125, 0.25
# Maximum length of a last line above which the line is not justified either.
_ORPHAN = 6
# Penalty of an empty line where lines should be even, in steps to worse line ends.
_UNEVEN = 2.0


def rich_width(text: str, type_style: TypeStyle) -> float:
    """Return the width in mm of a line that may contain arrows."""
    return _unit_width(text, type_style.at(1.0)) * type_style.size_pt


@lru_cache(8192)
def _unit_width(text: str, type_style: TypeStyle) -> float:
    """Return the width in mm at 1 pt. Widths are proportional to size, so that each text is
    measured once for all sizes."""
    return math.fsum(width for _, width in _pieces(text, type_style))


def _pieces(text: str, type_style: TypeStyle) -> Iterator[tuple[str, float]]:
    """Yield runs of words and single arrows, with their widths."""
    type_style, run, text = type_style.beside(text), "", prepared(text)
    if ARROWS.keys().isdisjoint(text):
        if text:
            yield text, text_width(text, type_style)
        return
    for char in text:
        if char in ARROWS:
            if run:
                yield run, text_width(run, type_style)
            yield char, type_style.size_mm * _ARROW_EMS
            run = ""
        else:
            run += char
    if run:
        yield run, text_width(run, type_style)


def set_rich(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    anchor: Anchor = Anchor.START,
    open_mm: float = 0.0,
) -> Items:
    """Set one line with its baseline at (x, y), with arrows at half the height of capitals.
    `open_mm` is added between its characters."""
    type_style = type_style.beside(text)
    share = SHARE[anchor]
    at = x - share * rich_width(text, type_style)
    size, level = type_style.size_mm * 0.82, y - type_style.cap_height_mm / 2
    items: list[Item] = []
    lost = text.lost if isinstance(text, Cut) else None
    for piece, width in _pieces(text, type_style):
        if piece in ARROWS:
            items.append(arrow(at + width / 2, level, size, ARROWS[piece], ink))
        else:
            runs = set_line(piece, type_style, ink, at, y, open_mm=open_mm)
            items += (replace(run, lost=lost) if run is runs[0] else run for run in runs)
            lost = None
        at += width
    return tuple(items)


@lru_cache(2048)
def _measured(text: str, type_style: TypeStyle, *, body: bool) -> tuple[Part, ...]:
    """Return the parts between which a line may break, measured at 1 pt. The ends of lines are
    judged by the standards of running text or, without `body`, of titles and other short texts."""
    type_style, text = type_style.beside(text), prepared(text)
    parts, costs = line_parts(text), body_costs(text) if body else end_costs(text)
    widths = part_widths(parts, type_style, _unit_width)
    return tuple(
        Part(part, *wide, cost) for part, wide, cost in zip(parts, widths, costs, strict=True)
    )


@lru_cache(2048)
def _measured_to_fill(text: str, type_style: TypeStyle) -> tuple[Part, ...]:
    """Return the parts of a running text, measured at 1 pt, with how far `opening` can change
    them."""
    parts = _measured(text, type_style, body=True)
    if not holds_wide(text) or ARROWS.keys() & set(text):
        return parts
    type_style = type_style.beside(text)
    followed = (part.text + after.text[0] for part, after in pairwise(parts))
    gives = (closings(words) * _MOST_CLOSED * type_style.size_mm for words in followed)
    return tuple(
        part._replace(gives=each, gaps=openings(part.text, type_style) + 1)
        for part, each in zip(parts, (*gives, 0.0), strict=True)
    )


def wrap_rich(
    text: str, type_style: TypeStyle, width_mm: float, *, lead_mm: float = 0.0
) -> tuple[str, ...]:
    """Return lines of running text no wider than `width_mm`, the first one shorter by `lead_mm` (a
    single wider word stands alone)."""
    size, parts = type_style.size_pt, _measured(text, type_style.at(1.0), body=True)
    return fill_body(parts, width_mm / size, (width_mm - lead_mm) / size)


def _wrap_phrases(text: str, type_style: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Return lines no wider than `width_mm` that end with phrases where possible."""
    parts = _measured(text, type_style.at(1.0), body=False)
    return fill_lines(parts, width_mm / type_style.size_pt)


@lru_cache(4096)
def wrap_within(
    text: str,
    type_style: TypeStyle,
    width_mm: float,
    *,
    lead_mm: float = 0.0,
    fill: bool = False,
) -> tuple[str, ...]:
    """Return lines no wider than `width_mm`, the first one shorter by `lead_mm`; a wider word is
    split between two characters. With `fill`, lines may rely on being filled by `opening`.
    Cached, because the same words are tried with different spacing, and in rooms of different
    heights."""
    size, unit, plain = type_style.size_pt, type_style.at(1.0), prepared(text)
    room, first = width_mm / size, (width_mm - lead_mm) / size
    parts = _measured_to_fill(plain, unit) if fill else _measured(plain, unit, body=True)
    most_open = _MOST_OPEN * unit.size_mm if any(part.gaps for part in parts) else math.inf
    lines = fill_body(parts, room, first, most_open=most_open)
    # Lines of several words never exceed the room. In Japanese, parts may have been joined.
    if not holds_wide(text) and all(part.closing <= min(room, first) for part in parts):
        return lines

    width_of = least_width if fill else rich_width

    def cut(part: Sequence[str], room: float) -> tuple[str, ...]:
        return cut_within(part, room, lambda line: width_of(line, type_style))

    return (*cut(lines[:1], width_mm - lead_mm), *cut(lines[1:], width_mm))


def least_width(line: str, type_style: TypeStyle) -> float:
    """Return the width in mm of a line that `opening` closes as far as possible."""
    return rich_width(line, type_style) - closings(line) * _MOST_CLOSED * type_style.size_mm


def set_lines(
    lines: Sequence[str],
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    leading: float = 1.22,
    anchor: Anchor = Anchor.START,
    measure_mm: float = 0.0,
) -> Items:
    """Set lines below each other, with the first baseline at y; `leading` in ems.

    Japanese lines are closed to fit `measure_mm`, and all but the last are opened to fill it if
    little is missing. Above a last line of a word or two, the line before it is not opened either.
    """
    type_style, step = type_style.beside("".join(lines)), leading * type_style.size_mm
    items: list[Item] = []
    filled = len(lines) - (2 if lines and len(lines[-1]) <= _ORPHAN else 1)
    for number, line in enumerate(lines):
        open_mm = opening(line, type_style, measure_mm, last=number >= filled)
        base = y + number * step
        items += set_rich(line, type_style, ink, x, base, anchor=anchor, open_mm=open_mm)
    return tuple(items)


def opening(line: str, type_style: TypeStyle, measure_mm: float, *, last: bool = False) -> float:
    """Return the space to add between the characters of a line so that it fills its measure, or
    (negative) to remove beside its brackets and stops so that it fits. It is 0 for a last line
    that fits, where it would tear a line apart, and with arrows, which have fixed spacing."""
    if not measure_mm or not holds_wide(line) or ARROWS.keys() & set(line):
        return 0.0
    type_style = type_style.beside(line)
    missing = measure_mm - rich_width(line, type_style)
    if missing < -SLACK_MM:
        return missing / max(1, closings(line))
    gaps = openings(line, type_style)
    if last or not gaps or not 0.0 < missing <= _MOST_OPEN * type_style.size_mm * gaps:
        return 0.0
    return missing / gaps


def wrap_even(text: str, type_style: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Return lines no wider than `width_mm`, as few as possible, and about equally long; in
    Japanese one more if that ends lines at phrases. A wider word is split between two
    characters."""
    lines = _wrap_phrases(text, type_style, width_mm)

    def widest(tried: Sequence[str]) -> float:
        return max(rich_width(line, type_style) for line in tried)

    if widest(lines) > width_mm + SLACK_MM:
        return wrap_within(text, type_style, width_mm)
    if len(lines) == 1:
        return lines
    if not holds_wide(text):
        # The narrowest measure with the same number of lines makes the lines even.
        narrow, wide = 0.0, width_mm
        while wide - narrow > 0.5:
            middle = (narrow + wide) / 2
            tried = _wrap_phrases(text, type_style, middle)
            if len(tried) == len(lines) and widest(tried) <= middle:
                wide = middle
            else:
                narrow = middle
        return _wrap_phrases(text, type_style, wide)
    # In Japanese, good line ends matter more than even lines, even at the cost of one more line.
    rooms = (width_mm * (1 - 0.5 * step / _TRIED) for step in range(_TRIED + 1))
    ways = [_wrap_phrases(text, type_style, room) for room in rooms]
    fitting = [way for way in ways if len(way) <= len(lines) + 1 and widest(way) <= width_mm]

    def roughness(way: Sequence[str]) -> float:
        """Return the cost of bad line ends, of uneven lines, and of the number of lines."""
        widths = [rich_width(line, type_style) for line in way]
        uneven = (max(widths) - min(widths)) / max(widths)
        return len(way) + ends_cost(prepared(text), way) + _UNEVEN * uneven

    return min(fitting or [lines], key=roughness)


# Blocks of measured lines, centred on (0, 0) and ready to be moved to a free place.


list_words = FixedWords("lists")

# A word with its continuation after a colon; words with a remark in brackets.
LEAD, ASIDE = list_words("lead"), list_words("aside")
_COMMA = list_words("comma")
_LEADING = 1.02
_VOWELS = "aeiouyæøαεηιουωаеиоуыэюя"
# Minimum length of words that may be broken, and of their parts.
_LONG_WORD, _LEAST_PART = 10, 3


class Stamp(Frozen):
    """Items drawn around (0, 0) and the box that they fill, in mm, to be placed with their middle
    on a point of a hex or a map. (In layouts, a `Block` is used instead.)"""

    items: Items
    width: float
    height: float

    def at(self, x: float, y: float) -> Items:
        """Return the items with the middle of their box at (x, y)."""
        return tuple(_moved(item, x, y) for item in self.items)

    def above(self, lower: Stamp, gap_mm: float) -> Stamp:
        """Return this stamp above another, as one."""
        height = self.height + gap_mm + lower.height
        items = (
            *self.at(0.0, (self.height - height) / 2),
            *lower.at(0.0, (height - lower.height) / 2),
        )
        return Stamp(items, max(self.width, lower.width), height)


def _moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, TextRun):
        return replace(item, x=item.x + x, y=item.y + y)
    if isinstance(item, Circle):
        return replace(item, cx=item.cx + x, cy=item.cy + y)
    return Group((item,), matrix=translation(x, y))


@lru_cache(4096)
def words_block(lines: tuple[str, ...], type_style: TypeStyle, ink: Ink) -> Stamp:
    """Return centred lines below each other; the box contains all ink, including accents and
    tails."""
    step = line_step(lines, type_style, _LEADING)
    runs: list[TextRun] = []
    for number, line in enumerate(lines):
        runs += set_line(line, type_style, ink, 0.0, number * step, anchor=Anchor.MIDDLE)
    xs, ys = zip(*(corner for run in runs for corner in run_corners(run)), strict=True)
    left, right, top, low = min(xs), max(xs), min(ys), max(ys)
    centred = tuple(_moved(run, -((left + right) / 2), -((top + low) / 2)) for run in runs)
    return Stamp(centred, right - left, low - top)


def left_out_block(words: str, type_style: TypeStyle, ink: Ink) -> Stamp:
    """Return an empty stamp for words without room, which the legibility check reports."""
    return Stamp(set_line(Cut("", words), type_style, ink, 0.0, 0.0), 0.0, 0.0)


def listed(
    parts: Sequence[str], style: Style, *, between: Text = _COMMA, last: Text | None = None
) -> str:
    """Return parts joined by commas (or `between`), with `last` before the last one."""
    joint = style.words(between)
    if last is None or len(parts) < 2:
        return joint.join(parts)
    return joint.join(parts[:-1]) + style.words(last) + parts[-1]


def line_breaks(text: str) -> tuple[tuple[str, ...], ...]:
    """Return ways to set a name: on one line, on two lines as even as possible, on three."""
    words = few_parts(name_parts(text))
    ways: list[tuple[str, ...]] = [(text,)]
    for count in (2, 3):
        if len(words) >= count:
            ways.append(_even(words, count))
    return tuple(ways)


def broken_words(text: str) -> tuple[str, ...] | None:
    """Return a text with one line for each word, with long words hyphenated after a vowel near
    their middle; None if there are no long words."""
    lines = []
    for word in text.split():
        ends = range(_LEAST_PART, len(word) - _LEAST_PART + 1)
        cuts = [at for at in ends if _ends_syllable(word, at)]
        if len(word) < _LONG_WORD or not cuts:
            lines.append(word)
            continue
        cut = min(cuts, key=lambda at: abs(2 * at - len(word)))
        lines += [f"{word[:cut]}-", word[cut:]]
    return tuple(lines) if len(lines) > len(text.split()) else None


def cut_name(text: str, length: int) -> tuple[str, ...]:
    """Return the first letters of a name and an ellipsis, on two lines if it has several words: the
    last resort if there is no room for it."""
    *_, lines = line_breaks(f"{text[:length].rstrip()}{ELLIPSIS}")[:2]
    return (*lines[:-1], Cut(lines[-1], text))


def _ends_syllable(word: str, at: int) -> bool:
    """Return True if a vowel before this place is followed by another letter; accents do not
    matter."""
    plain = (unicodedata.normalize("NFD", letter)[0].lower() for letter in word[at - 1 : at + 1])
    last, following = (letter in _VOWELS for letter in plain)
    return last and not following


def _even(
    words: tuple[str, ...],
    count: int,
    cost: Callable[[tuple[str, ...]], Any] = lambda lines: max(map(len, lines)),
) -> tuple[str, ...]:
    """Return words in `count` lines, with the longest as short as possible (there are few words, so
    all breaks are tried)."""
    if count == 1:
        return (join_parts(words),)
    firsts = range(1, len(words) - count + 2)
    options = [(join_parts(words[:k]), *_even(words[k:], count - 1, cost)) for k in firsts]
    return min(options, key=cost)


def scaled(type_style: TypeStyle, factor: float) -> TypeStyle:
    """Return a type style for a hex of another size, not below its minimum size."""
    return type_style.at(max(type_style.min_pt, round(type_style.size_pt * factor * 20) / 20))


def scale(type_style: TypeStyle) -> tuple[TypeStyle, ...]:
    """Return the three sizes for a kind of text (the style's own, the minimum, and the one halfway
    between), so that related pieces look alike whatever the length of their texts."""
    sizes = (type_style.size_pt, (type_style.size_pt + type_style.min_pt) / 2, type_style.min_pt)
    return tuple(type_style.at(size) for size in dict.fromkeys(sizes) if size <= type_style.size_pt)


def one_stepped(text: str, type_style: TypeStyle, width_mm: float) -> tuple[TypeStyle, str]:
    """Return words for one line in the largest of the three sizes in which they fit, or else as
    small as necessary and shortened."""
    fitting = (size for size in scale(type_style) if text_width(text, size) <= width_mm + SLACK_MM)
    size = next(fitting, None)
    return (size, text) if size is not None else one_line(text, type_style, width_mm)


# The three sizes of names, as shares of their style's size.
_NAMES = (1.0, 0.82, 0.66)


def stepped(type_style: TypeStyle, own: TypeStyle) -> TypeStyle:
    """Return the type in which a name fits, reduced to one of the three sizes for names of its
    kind, whose `own` style is given. It stays unchanged if even the smallest of them is too
    large, or too small to be read."""
    sizes = [own.size_pt * share for share in _NAMES if own.size_pt * share >= own.min_pt]
    fitting = (size for size in sizes if size <= type_style.size_pt + 0.01)
    size = next(fitting, None)
    return type_style if size is None else type_style.at(size)


def smaller(size_pt: float, step_pt: float) -> float:
    """Return the next size to try: smaller by a step or, if that is more, by a sixtieth, so that
    even huge type is fitted quickly."""
    return size_pt - max(step_pt, size_pt / 60)


def sizes_down(type_style: TypeStyle, step_pt: float = 0.5) -> tuple[TypeStyle, ...]:
    """Return the style at its size and at smaller ones down to its minimum size."""
    styles = [type_style]
    while (size := smaller(styles[-1].size_pt, step_pt)) > type_style.min_pt + 0.01:
        styles.append(type_style.at(size))
    if styles[-1].size_pt > type_style.min_pt:
        styles.append(type_style.at(type_style.min_pt))
    return tuple(styles)


# Paragraphs on cards, each after a diamond. All cards of a kind have one grid of lines, one size
# and one face.


# Distance from the centre of a diamond to the words after it.
INDENT = 2.2
# Distance from the centre of a diamond to its corners, in ems.
_DIAMOND = 0.17
_RUN_ON = "  ·  "
# Maximum offset of a card's first line from the first line of the grid, in half lines.
_MOST_DOWN = 2
# Sample of Japanese text.
_JAPANESE = "日"


class _Spacing(NamedTuple):
    """Line spacing in ems, extra space between paragraphs in half lines, and the highest letters in
    lines without accents."""

    leading: float
    apart: int
    highest: str


_SPACINGS = tuple(_Spacing(leading, apart, "(") for leading, apart in product((1.26, 1.14), (1, 0)))
_WIDE_SPACINGS = tuple(
    _Spacing(leading, apart, "（") for leading, apart in product((1.5, 1.34), (1, 0))
)
# Letters that fill the em need more space between their lines: smaller type with that space reads
# better than larger type without it. This spacing is only for the smallest size.
_LEAST = _Spacing(1.2, 0, "（")
_LAST = (_SPACINGS[-1], _LEAST)


class TextBox(NamedTuple):
    """Room for lines: its distance below the top of the card, its width and its height."""

    top: float
    width: float
    height: float


class CardText(Frozen):
    """Paragraphs of a card, their possible type sizes, the largest first, and the boxes that may
    hold them, starting with the one that leaves most room for everything else. Cards that are
    set alike have the same sizes and the same number of boxes."""

    texts: tuple[str, ...]
    sizes: tuple[TypeStyle, ...]
    boxes: tuple[TextBox, ...]


class Setting(NamedTuple):
    """Setting for the cards of a kind: index of the type size, spacing, index of the box, and
    whether to set as Japanese."""

    size: int
    spacing: _Spacing
    box: int
    is_wide: bool


class Paragraphs(Frozen, kw_only=True):
    """Paragraphs in lines, their type, their box, and the first baseline."""

    blocks: tuple[tuple[str, ...], ...]
    type_style: TypeStyle
    spacing: _Spacing
    box: TextBox
    first: float

    @property
    def rise(self) -> float:
        """Distance from the highest possible ink of a line to the first baseline."""
        first, grid = self.blocks[0][0], self.spacing.leading * self.type_style.size_mm / 2
        hung, highest = (
            ink_height(text, self.type_style)[1] for text in (self.spacing.highest, first)
        )
        return hung + max(0, math.ceil((highest - hung - SLACK_MM) / grid)) * grid

    @property
    def height(self) -> float:
        """Distance from the highest possible ink of a line to the tails of the last line."""
        last, grid = self.blocks[-1][-1], self.spacing.leading * self.type_style.size_mm / 2
        rows = 2 * (sum(map(len, self.blocks)) - 1) + self.spacing.apart * (len(self.blocks) - 1)
        return self.rise + rows * grid - min(0.0, ink_height(last, self.type_style)[0])

    def fitted(self) -> Paragraphs:
        """Return the paragraphs at the top of their box, reduced to their height."""
        box = self.box._replace(height=self.height)
        return replace(self, box=box, first=box.top + self.rise)


def common_setting(cards: Sequence[CardText], *, is_wide: bool) -> Setting | None:
    """Return the setting for all of these cards that have room for their words at all: with the
    largest type, then with the most space between lines, then in the box that leaves most room.
    None if there is no such card.

    Cards of a kind are read together: all are set as Japanese (`is_wide`) if any of them contains
    Japanese.
    """
    if not cards:
        return None
    sizes, boxes = range(len(cards[0].sizes)), range(len(cards[0].boxes))
    choices = [*product(sizes, _WIDE_SPACINGS if is_wide else _SPACINGS, boxes)]
    if is_wide:
        # Reduce the space between paragraphs before that around names.
        choices.sort(key=lambda each: (each[0], -each[1].leading, each[2], -each[1].apart))
        choices += product(sizes[-1:], (_LEAST,), boxes)
    settings = [Setting(*choice, is_wide) for choice in choices]
    # Try the tightest settings first, which are at the end: they are the quickest to show that a
    # card has room.
    able = [
        card for card in cards if any(set_paragraphs(card, each) for each in reversed(settings))
    ]
    if not able:
        return None
    fitting = (each for each in settings if all(set_paragraphs(card, each) for card in able))
    return next(fitting, settings[-1])


def set_paragraphs(card: CardText, setting: Setting) -> Paragraphs | None:
    """Return the words of a card in this setting; None if they do not fit. In the tightest setting,
    they may run on in one paragraph."""
    box, size = card.boxes[setting.box], min(setting.size, len(card.sizes) - 1)
    type_style = card.sizes[size].beside(_JAPANESE if setting.is_wide else "")
    paragraphs = _set(card.texts, type_style, setting.spacing, box)
    if paragraphs is None and size == len(card.sizes) - 1 and setting.spacing in _LAST:
        return _set((_RUN_ON.join(card.texts),), type_style, setting.spacing, box)
    return paragraphs


@lru_cache(2048)
def _set(
    texts: tuple[str, ...], type_style: TypeStyle, spacing: _Spacing, box: TextBox
) -> Paragraphs | None:
    """Return paragraphs on a grid of half lines that hangs from the upper edge of a box: as near
    the middle as that grid allows, so that cards with little text begin on the same line."""
    blocks = tuple(wrap_within(text, type_style, box.width, fill=True) for text in texts)
    grid = spacing.leading * type_style.size_mm / 2
    count = sum(map(len, blocks))
    rows = 2 * (count - 1) + spacing.apart * (len(blocks) - 1)
    hung = ink_height(spacing.highest, type_style)[1]
    highest = ink_height(blocks[0][0], type_style)[1]
    lowest = box.height - rows * grid + min(0.0, ink_height(blocks[-1][-1], type_style)[0])
    down = round(measured(((highest + lowest) / 2 - hung) / grid))
    first = hung + min(down, _MOST_DOWN) * grid
    if not highest - SLACK_MM <= first <= lowest + SLACK_MM:
        return None
    base = box.top + first
    return Paragraphs(blocks=blocks, type_style=type_style, spacing=spacing, box=box, first=base)


def paragraph_items(paragraphs: Paragraphs, ink: Ink, x: float, *, diamonds: Ink) -> Items:
    """Return paragraphs in their box, with their words starting at x."""
    type_style, box, leading = paragraphs.type_style, paragraphs.box, paragraphs.spacing.leading
    step, d = leading * type_style.size_mm, _DIAMOND * type_style.size_mm
    base, middle = paragraphs.first, x - INDENT
    items: list[Item] = []
    for lines in paragraphs.blocks:
        level = base - type_style.cap_height_mm / 2
        diamond = polygon_path(
            ((middle - d, level), (middle, level - d), (middle + d, level), (middle, level + d))
        )
        items.append(Path(diamond, fill=diamonds, role=Role.ORNAMENT))
        items += set_lines(lines, type_style, ink, x, base, leading=leading, measure_mm=box.width)
        base += (len(lines) + paragraphs.spacing.apart / 2) * step
    return (boxed(items, x, box.top, box.width, box.height),)
