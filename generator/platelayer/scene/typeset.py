"""Typesetting: measured and placed text runs; themes of named inks, strokes and type styles. It
knows nothing about games."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.foundation.geometry import MM_PER_PT
from platelayer.foundation.text import Text, is_hidden
from platelayer.foundation.values import Frozen
from platelayer.scene.breaks import (
    Part,
    begin_space,
    can_close,
    end_costs,
    end_space,
    fill_lines,
    holds_wide,
    is_wide,
    line_parts,
    space_between,
    spread,
    without_blanks,
)
from platelayer.scene.fonts import advances, face
from platelayer.scene.inks import Ink, mix, shaded
from platelayer.scene.shapes import SHARE, Anchor, Cut, Role, Stroke, TextRun

# Tolerance for text that just fits: sums of widths are inexact, and nobody can see this much.
SLACK_MM = 0.01
# Distance between lines, in ems.
_LEADING = 1.2


class TypeStyle(Struct, frozen=True, kw_only=True, cache_hash=True):
    """Setting of a kind of text: faces in order of preference (the first that has a glyph draws
    it), size in points, tracking in thousandths of an em, capitals or as written, and the
    minimum size. `japanese` are the faces in Japanese prints, if different; `fine` is print that
    nobody reads in play; `upright` is the first face for words that contain Japanese, which has
    no italics."""

    faces: tuple[str, ...]
    size_pt: float
    tracking: float = 0.0
    capitals: bool = False
    min_pt: float = 5.0
    fine: bool = False
    upright: str | None = None
    japanese: tuple[str, ...] = ()

    # There are few styles, and they are cached with the results of their methods.
    @lru_cache(4096)  # noqa: B019
    def at(self, size_pt: float) -> TypeStyle:
        """Return the style at another size."""
        return replace(self, size_pt=size_pt)

    def by(self, factor: float) -> TypeStyle:
        """Return the style at a multiple of its size, but not below its least."""
        return self.at(max(self.min_pt, self.size_pt * factor))

    def beside(self, text: str) -> TypeStyle:
        """Return the style for words that are read together: with its upright face if any of them
        is Japanese."""
        return self if self.upright is None or not holds_wide(text) else self._upright(self.upright)

    @lru_cache(1024)  # noqa: B019
    def _upright(self, face: str) -> TypeStyle:
        return replace(self, faces=(face, *self.faces[1:]), upright=None)

    @lru_cache(1024)  # noqa: B019
    def in_japanese(self) -> TypeStyle:
        """Return the style with its faces for Japanese prints."""
        return replace(self, faces=self.japanese, upright=None)

    @property
    def size_mm(self) -> float:
        """Size of the em in mm."""
        return self.size_pt * MM_PER_PT

    @property
    def cap_height_mm(self) -> float:
        """Height of capitals and figures in mm, used to centre words."""
        return face(self.faces[0]).cap_height * self.size_mm

    @property
    def tracking_mm(self) -> float:
        """Tracking at this size."""
        return self.tracking / 1000 * self.size_mm


def missing_glyphs(text: str, faces: Sequence[str]) -> tuple[str, ...]:
    """Return the characters of `text` (NFC) that none of the faces can draw, sorted, without
    repetition."""
    # Read a face only for characters that the faces before it lack.
    lacking = {*prepared(text)}
    for name in faces:
        if lacking:
            lacking = {char for char in lacking if char not in face(name).glyphs}
    return tuple(sorted(lacking))


# Line breaks, spaces of other widths and the non-breaking hyphen, replaced by characters that every
# face has.
_SPACES = str.maketrans(
    dict.fromkeys(
        "\n\t\r\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f", " "
    )
    | dict.fromkeys("\u2007\u202f", "\u00a0")
    | {"\u2011": "-"}
)


class _Printed(dict[int, int | str | None]):
    """Printed form of a character, by code point: nothing (None) for invisible characters and for
    variation selectors, such as that of an emoji."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
        self[code] = printed = None if is_selector or is_hidden(char) else code
        return printed


_PRINTED = _Printed(_SPACES)
# Capitals that Unicode does not provide for print: ẞ instead of two letters; the florin sign, which
# is a letter to Unicode but whose capital is no currency sign; Greek capitals with two accents, of
# which the acute is not written.
_CAPITALS = (
    ("ẞ", "SS"),
    ("Ƒ", "ƒ"),
    ("\u0399\u0308\u0301", "\u03aa"),
    ("\u03a5\u0308\u0301", "\u03ab"),
)


@lru_cache(16384)
def prepared(text: str, *, capitals: bool = False) -> str:
    """Return the text in NFC without invisible characters. Every space becomes a plain or a
    no-break one, and disappears where Japanese rules set the space. In capitals on request."""
    text = unicodedata.normalize("NFC", text).translate(_PRINTED)
    if holds_wide(text):
        text = without_blanks(text)
    if capitals:
        text = text.upper()
        for wrong, right in _CAPITALS:
            text = text.replace(wrong, right)
    return text


def split_by_face(text: str, type_style: TypeStyle) -> tuple[tuple[str, str], ...]:
    """Return (face, words) in reading order, with neighbours of the same face joined. A character
    that no face has is drawn as a box by the first."""
    type_style = type_style.beside(text)
    if text and face(type_style.faces[0]).glyphs.keys() >= set(text):
        return ((type_style.faces[0], text),)
    parts: list[tuple[str, str]] = []
    for char in text:
        name = next(
            (name for name in type_style.faces if char in face(name).glyphs), type_style.faces[0]
        )
        if parts and parts[-1][0] == name:
            parts[-1] = (name, parts[-1][1] + char)
        else:
            parts.append((name, char))
    return tuple(parts)


class _Run(NamedTuple):
    """Words in one face, the space before them and their advance width, in ems."""

    face: str
    words: str
    before: float
    width: float


@lru_cache(16384)
def _measured(text: str, type_style: TypeStyle, closed: float = 0.0) -> tuple[_Run, ...]:
    """Return the runs of one line, in ems, without tracking, with `closed` ems removed wherever the
    line can be closed. Styles of all sizes share a cache entry because callers pass them at 1
    pt."""
    text = prepared(text, capitals=type_style.capitals)
    if not holds_wide(text):
        return tuple(
            _Run(name, words, 0.0, _ems(name, words))
            for name, words in split_by_face(text, type_style)
        )
    type_style, runs = type_style.beside(text), list[_Run]()
    for piece, before in spread(text, closed):
        parts = split_by_face(piece, type_style)
        runs += (
            _Run(name, words, 0.0 if number else before, _ems(name, words))
            for number, (name, words) in enumerate(parts)
        )
    return tuple(runs)


def _ems(name: str, words: str) -> float:
    return math.fsum(advances(name, words))


@lru_cache(16384)
def text_width(text: str, type_style: TypeStyle) -> float:
    """Return the advance width in mm of one line, without the tracking after its last letter and,
    in Japanese, without the blank half of a bracket or a stop at either end."""
    runs = _measured(text, type_style.at(1.0))
    if not runs:
        return 0.0
    em, tracking_mm = type_style.size_mm, type_style.tracking_mm
    spaces = [run.before * em for run in runs]
    widths = [run.width * em + tracking_mm * len(run.words) for run in runs]
    return math.fsum(spaces + widths) - tracking_mm - end_space(runs[-1].words[-1]) * em


_HYPHENS = "-\u2010\u2013\u2014/"


def part_widths(
    parts: Sequence[str],
    type_style: TypeStyle,
    width_of: Callable[[str, TypeStyle], float] = text_width,
) -> tuple[tuple[float, float], ...]:
    """Return the widths in mm of the parts of a text, each within a line (with the space after it)
    and at the end of one. They add up to the width of a line; a line that begins with a bracket
    is narrower. `width_of` measures words alone."""
    em = type_style.size_mm
    widths = []
    for part, following in zip(parts, (*parts[1:], ""), strict=False):
        words = part.rstrip()
        lead = begin_space(part[0]) * em
        width = width_of(part, type_style)
        if following and part[-1] in _HYPHENS:
            # The next part is kerned to the hyphen, but never to a space.
            beside = width_of(part + following[0], type_style) - width_of(following[0], type_style)
            width = beside - type_style.tracking_mm
        within = width + type_style.tracking_mm + lead + end_space(part[-1]) * em
        space = space_between(part[-1], following[0]) * em if following else 0.0
        widths.append((within + space, width_of(words, type_style) + lead if words else 0.0))
    return tuple(widths)


def rise_mm(text: str, type_style: TypeStyle) -> float:
    """Return the height of a line above its baseline in mm: that of capitals, or the actual height
    for letters of the style's other faces. Japanese is a quarter taller than Latin capitals."""
    type_style = type_style.beside(text)
    runs = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    taller = (
        face(name).glyphs[char][2]
        for name, words in runs
        if name != type_style.faces[0]
        for char in words
    )
    return max(type_style.cap_height_mm, max(taller, default=0.0) * type_style.size_mm)


def drop_mm(text: str, type_style: TypeStyle) -> float:
    """Return the depth of a line below its baseline in mm: 0 for most figures and capitals."""
    runs = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    depths = (-face(name).glyphs[char][1] for name, words in runs for char in words)
    return max(depths, default=0.0) * type_style.size_mm


def set_line(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    anchor: Anchor = Anchor.START,
    angle: float = 0.0,
    over: tuple[Role, ...] = (),
    open_mm: float = 0.0,
) -> tuple[TextRun, ...]:
    """Set one line with its baseline at (x, y) mm; `anchor` says which point of the line is there.
    It is rotated clockwise about (x, y).

    A line that begins there may be opened by `open_mm` at each place that `openings` counts or, if
    that is negative, closed at each place that `closings` counts. The first run records the text
    lost from shortened words.
    """
    shift = SHARE[anchor] * text_width(text, type_style)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    runs: list[TextRun] = []
    em, tracking_mm = type_style.size_mm, type_style.tracking_mm
    offset = -shift
    lost = text.lost if isinstance(text, Cut) else None
    set_runs = _measured(text, type_style.at(1.0), max(0.0, -open_mm / em))
    open_mm = max(0.0, open_mm)
    if lost is not None and not set_runs:
        # This run cancels the tracking that the width of every run excludes.
        set_runs = (_Run(type_style.faces[0], "", 0.0, type_style.tracking / 1000),)
    for name, words, before, ems in set_runs:
        offset += before * em
        opened = open_mm if words and is_wide(words[0]) else 0.0
        advance = ems * em + tracking_mm * len(words) + opened * len(words)
        runs.append(
            TextRun(
                x=x + offset * cos,
                y=y + offset * sin,
                text=words,
                face=name,
                size_pt=type_style.size_pt,
                ink=ink,
                width_mm=advance - tracking_mm - opened,
                angle=angle,
                tracking_mm=tracking_mm + opened,
                over=over,
                fine=type_style.fine,
                lost=None if runs else lost,
            )
        )
        offset += advance + (open_mm if not opened else 0.0)
    return tuple(runs)


def openings(text: str, type_style: TypeStyle) -> int:
    """Return the number of places where a Japanese line may be opened to fill its measure: after
    every character, but not within Latin words or figures."""
    lengths = [
        len(run.words) if is_wide(run.words[0]) else 1
        for run in _measured(text, type_style.at(1.0))
    ]
    return max(0, sum(lengths) - 1)


def closings(text: str) -> int:
    """Return the number of places where a Japanese line may be closed: beside brackets and stops
    within it."""
    return sum(can_close(left, right) for left, right in pairwise(prepared(text)))


def set_centred(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    angle: float = 0.0,
    over: tuple[Role, ...] = (),
) -> tuple[TextRun, ...]:
    """Set one line with its capitals centred on (x, y) both ways, also when rotated."""
    down = type_style.cap_height_mm / 2
    turned = math.radians(angle)
    return set_line(
        text,
        type_style,
        ink,
        x - down * math.sin(turned),
        y + down * math.cos(turned),
        anchor=Anchor.MIDDLE,
        angle=angle,
        over=over,
    )


def fit(text: str, type_style: TypeStyle, width_mm: float) -> TypeStyle:
    """Return the style, shrunk as needed (but not below `min_pt`) so that one line is at most
    `width_mm` wide."""
    width = text_width(text, type_style)
    if width <= width_mm:
        return type_style
    # Rounded down, to a twentieth of a point.
    size_pt = math.floor(type_style.size_pt * width_mm / width * 20) / 20
    return type_style.at(max(type_style.min_pt, size_pt))


def wrap(text: str, type_style: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Return lines no wider than `width_mm`, broken at spaces, in Japanese preferably between
    phrases rather than characters; a word too long for a line gets its own."""
    type_style, text = type_style.beside(text), " ".join(filter(None, prepared(text).split(" ")))
    parts = line_parts(text)
    measured = zip(parts, part_widths(parts, type_style), end_costs(text), strict=True)
    return fill_lines([Part(part, *widths, cost) for part, widths, cost in measured], width_mm)


def set_block(
    lines: Sequence[str],
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
) -> tuple[TextRun, ...]:
    """Set lines below each other, with the first baseline at y."""
    type_style, step = type_style.beside("".join(lines)), _LEADING * type_style.size_mm
    return tuple(
        run
        for number, line in enumerate(lines)
        for run in set_line(line, type_style, ink, x, y + number * step)
    )


def run_corners(run: TextRun) -> tuple[tuple[float, float], ...]:
    """Return the four corners of a run's ink in the run's coordinates (y down, mm), by the heights
    of its glyphs and without the blank half of a bracket or stop at either end."""
    em = run.size_pt * MM_PER_PT
    top, bottom, begin, end = (ems * em for ems in _inked(run.face, run.text))
    shift = SHARE[run.anchor] * run.width_mm
    left, right = begin - shift, run.width_mm - end - shift
    x, y = run.x, run.y
    box = ((left, top), (right, top), (right, bottom), (left, bottom))
    if not run.angle:
        return tuple([(x + px, y + py) for px, py in box])
    cos, sin = math.cos(math.radians(run.angle)), math.sin(math.radians(run.angle))
    return tuple([(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in box])


@lru_cache(4096)
def _inked(face_name: str, text: str) -> tuple[float, float, float, float]:
    """Return top and bottom of a text's ink, and the blank before and after it, in ems."""
    if not text:
        return 0.0, 0.0, 0.0, 0.0
    glyphs = face(face_name).glyphs
    _, lows, highs = zip(*[glyphs[char] for char in text], strict=True)
    return -max(highs), -min(lows), begin_space(text[0]), end_space(text[-1])


class Pattern(Frozen, kw_only=True):
    """Signs that identify a colour besides its ink: a motif within the rim of hexes ("solid",
    "dots", "lines" ...) and a letter. Lengths are those on a hex of 38.1 mm."""

    motif: str
    ink: Ink
    rim_mm: float
    spacing_mm: float
    stroke_mm: float
    letter: Text | None = None


class Theme(Frozen, kw_only=True, eq=False):
    """The look, by name: `inks` ("tile.yellow"), `strokes` ("track"), `types` ("tile.revenue"). A
    missing name is an error in the code or the theme file and raises KeyError. `patterns` are those
    of tile colours ("yellow") that have one; `edge` is "none" for tiles without a keyline;
    `hatch_mm` is the distance of the lines that hatch locomotives (0: none); `company_tint` is
    how much white is mixed into large areas of companies' colours, 0 (none) to 1, and `relief`
    how strong relief and tints of regions on maps are, 0 (none) to 1. `outland` is how much
    less lightness (CIE L*) the ground round a board has than its land (0: as the ink is).
    `livery` says which inks take on how much (0 to 1) of which colour of a livery: role
    ("paper") -> ink -> share."""

    id: str
    inks: dict[str, Ink]
    strokes: dict[str, Stroke]
    types: dict[str, TypeStyle]
    patterns: dict[str, Pattern] = field(default_factory=dict)
    edge: str = "line"
    company_tint: float = 0.0
    hatch_mm: float = 0.0
    relief: float = 1.0
    outland: float = 0.0
    livery: dict[str, dict[str, float]] = field(default_factory=dict)

    def dressed(self, colours: Mapping[str, Ink]) -> Theme:
        """Return the theme with the colours of a livery, by role, applied to its inks."""
        inks = {
            name: replace(mix(self.inks[name], colour, self.livery[role][name]), name=name)
            for role, colour in colours.items()
            for name in self.livery.get(role, ())
        }
        if self.outland and "map.ground" in inks:
            land, ground = inks.get("tile.white", self.inks["tile.white"]), inks["map.ground"]
            inks["map.ground"] = replace(shaded(ground, land, self.outland), name="map.ground")
        strokes = {
            name: replace(stroke, ink=inks[stroke.ink.name])
            for name, stroke in self.strokes.items()
            if stroke.ink.name in inks
        }
        return replace(self, inks={**self.inks, **inks}, strokes={**self.strokes, **strokes})

    def ink(self, name: str) -> Ink:
        """Return the ink of that name."""
        return self.inks[name]

    def stroke(self, name: str) -> Stroke:
        """Return the stroke of that name."""
        return self.strokes[name]

    def type(self, name: str) -> TypeStyle:
        """Return the type style of that name."""
        return self.types[name]
