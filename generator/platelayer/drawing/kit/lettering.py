"""Lines of words: on arcs, balanced, cut to a width; measured inks, haloes and percentages."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from platelayer.foundation.geometry import MM_PER_PT
from platelayer.scene.breaks import (
    NAME_JOINTS,
    cut_within,
    few_parts,
    holds_wide,
    join_parts,
    line_parts,
    name_parts,
)
from platelayer.scene.fonts import advances, face, glyph_outline
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    SHARE,
    Command,
    Cut,
    Path,
    Role,
    Stroke,
    TextRun,
    multiply,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import (
    SLACK_MM,
    TypeStyle,
    fit,
    prepared,
    set_line,
    split_by_face,
    text_width,
    wrap,
)

ELLIPSIS = "…"
_CAP = 0.7
_CLEAR_MM = 0.05
# Size of the per cent sign beside its figures, and its distance from them in ems.
_SIGN, _SIGN_GAP = 0.56, 0.03


def set_on_arc(
    text: str, type_style: TypeStyle, ink: Ink, x: float, y: float, *, radius_mm: float
) -> tuple[TextRun, ...]:
    """A line of words whose middle stands at (x, y) on an arc that rises there, letter by letter.

    `radius_mm` is measured to the baseline; each letter is a run of its own, turned by its place.
    """
    text, type_style = prepared(text, capitals=type_style.capitals), type_style.beside(text)
    runs: list[TextRun] = []
    at = -text_width(text, type_style) / 2
    for place, char in enumerate(text):
        # As wide as it is to the next letter, kerned, so that the boxes of letters do not overlap.
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
    """The ground of a run of words, drawn round its letters so that no line runs into them;
    `width_mm` beyond them. Kept: most names of a map stay where they are."""
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


def broken(name: str, count: int) -> tuple[str, ...]:
    """A short name on some lines: between its words if it has as many, else wherever the lines are
    as long as each other."""
    words = name.split()
    if len(words) < count:
        return evenly_broken(name, count)
    ends = [round(len(words) * line / count) for line in range(count + 1)]
    return tuple(" ".join(words[a:b]) for a, b in pairwise(ends))


def evenly_broken(name: str, count: int) -> tuple[str, ...]:
    """A short name on some lines of about as many letters."""
    ends = [round(len(name) * line / count) for line in range(count + 1)]
    return tuple(name[a:b].strip() or "-" for a, b in pairwise(ends))


def title_lines(name: str) -> tuple[str, str]:
    """A long name in two lines, the last two words in the second: ("Railways of the", "Lost
    Atlas")."""
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
    """Words broken into at most `lines` lines, and the style shrunk so that all fit `width_mm`: the
    break with the largest type, and among equals the fewest lines. On more than one line, type is
    at most `several` of the style's size. Japanese that does not fit so is broken between any two
    characters; other words that are too long even in the smallest type are cut, on as many lines as
    that takes, or, to `clip` them, with an ellipsis in the last."""
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
    """Words on one line of at most this width, and their type: smaller as needed, and cut with an
    ellipsis where they are too long even in the smallest type."""
    fitted = fit(text, type_style, width_mm)
    if text_width(text, fitted) <= width_mm + SLACK_MM:
        return fitted, text
    plain = prepared(text)
    starts = [plain[:count].rstrip() + ELLIPSIS for count in range(len(plain))]
    fitting = bisect_right(starts, width_mm, lo=1, key=lambda start: text_width(start, fitted))
    return fitted, Cut(starts[fitting - 1], text)


def left_out(text: str, type_style: TypeStyle, ink: Ink) -> tuple[TextRun, ...]:
    """Words that a piece has no room for: nothing is drawn, but the loss is reported."""
    return set_line(Cut("", text), type_style, ink, 0.0, 0.0)


def line_step(lines: Sequence[str], type_style: TypeStyle, leading: float) -> float:
    """From baseline to baseline in mm: `leading` ems, or more where letters and accents of two
    lines would touch."""
    type_style = type_style.beside("".join(lines))
    inks = [ink_height(line, type_style) for line in lines]
    touching = (high - low + _CLEAR_MM for (low, _), (_, high) in pairwise(inks))
    return max([leading * type_style.size_mm, *touching])


def clear_step(upper: str, upper_type: TypeStyle, lower: str, lower_type: TypeStyle) -> float:
    """From the baseline of one line to that of the next at least, in mm, so that letters and
    accents of different types keep apart."""
    low = ink_height(upper, upper_type.beside(upper))[0]
    return ink_height(lower, lower_type.beside(lower))[1] - min(0.0, low) + 2 * _CLEAR_MM


@lru_cache(4096)
def ink_height(text: str, type_style: TypeStyle) -> tuple[float, float]:
    """Lowest and highest ink of a line above its baseline, in mm."""
    runs = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    known = [face(name).glyphs[char] for name, chars in runs for char in chars]
    low = min((glyph[1] for glyph in known), default=0.0)
    high = max((glyph[2] for glyph in known), default=_CAP)
    return low * type_style.size_mm, high * type_style.size_mm


def base_in(text: str, type_style: TypeStyle, height_mm: float) -> float:
    """Distance of a baseline below the middle of a box: so that its capitals are in the middle, or
    all of its ink where accents or tails would leave the box otherwise."""
    half = type_style.cap_height_mm / 2
    low, high = ink_height(text, type_style.beside(text))
    return (low + high) / 2 if max(high - half, half - low) > height_mm / 2 else half


def _balanced(
    words: tuple[str, ...], type_style: TypeStyle, width_mm: float, lines: int, several: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    words = few_parts(words)
    best: tuple[TypeStyle, tuple[str, ...]] | None = None
    for count in range(1, min(lines, len(words)) + 1):
        broken = _even_lines(words, type_style, count)
        most = type_style
        if count > 1:
            most = type_style.at(max(type_style.min_pt, type_style.size_pt * several))
        tried = type_style.at(min(fit(line, most, width_mm).size_pt for line in broken))
        # One more line must make the type an eighth larger, or make words fit that did not.
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


def _even_lines(words: tuple[str, ...], type_style: TypeStyle, count: int) -> tuple[str, ...]:
    """Words in `count` lines, the widest as narrow as can be (parts are few: every break is
    tried)."""
    if count == 1:
        return (join_parts(words),)
    options = []
    for first in range(1, len(words) - count + 2):
        lines = (join_parts(words[:first]), *_even_lines(words[first:], type_style, count - 1))
        options.append((max(text_width(line, type_style) for line in lines), lines))
    return min(options)[1]


def _sign(type_style: TypeStyle) -> TypeStyle | None:
    """The style of the per cent sign beside figures; None where it would be too small to read."""
    sign = type_style.at(type_style.size_pt * _SIGN)
    return sign if sign.size_pt >= sign.min_pt else None


def percent_width(percent: float, type_style: TypeStyle) -> float:
    """Width in mm of a percentage as `set_percent` sets it."""
    sign, width = _sign(type_style), text_width(str(percent), type_style)
    if sign is None:
        return width
    return width + (_SIGN_GAP * type_style.size_mm + text_width("%", sign))


def set_percent(
    percent: float, type_style: TypeStyle, ink: Ink, x: float, y: float
) -> tuple[TextRun, ...]:
    """A percentage centred on (x, y): large figures and, if it can be read, a small per cent sign
    at their head."""
    down = figure_height(type_style) / 2
    left = x - percent_width(percent, type_style) / 2
    figures = set_line(str(percent), type_style, ink, left, y + down)
    sign = _sign(type_style)
    if sign is None:
        return figures
    after = left + text_width(str(percent), type_style) + _SIGN_GAP * type_style.size_mm
    return (*figures, *set_line("%", sign, ink, after, y - down + figure_height(sign)))


def figure_height(type_style: TypeStyle) -> float:
    """Height of figures in mm: those of an old-style serif are a little lower than its capitals."""
    return face(type_style.faces[0]).glyphs["0"][2] * type_style.size_mm


def fit_percent(percent: float, type_style: TypeStyle, width_mm: float) -> TypeStyle:
    """The style, shrunk as needed so that the percentage is at most `width_mm` wide."""
    wide = percent_width(percent, type_style)
    if wide <= width_mm:
        return type_style
    size = math.floor(type_style.size_pt * width_mm / wide * 20) / 20
    return type_style.at(max(type_style.min_pt, size))
