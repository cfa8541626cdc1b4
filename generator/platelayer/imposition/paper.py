"""Papers and pages: sizes, the room for pieces, and the foot of a sheet; and the other media to
print on and to cut with, as listed by the files in assets/media.

The foot has a ruler, a notice, the title, the sheet number and the content. Sizes of pieces that a
user gives in words are also read here.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec.structs import replace

from platelayer.definitions.decode import decode
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_json
from platelayer.foundation.text import Text, suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import KINDS, kinds_named, piece_size
from platelayer.model.manifest import Manifest
from platelayer.model.options import PrintOptions
from platelayer.model.title import Size, Title
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Commands,
    Item,
    Items,
    Matrix,
    Number,
    Path,
    Role,
    Scene,
    TextRun,
    Use,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import Theme, TypeStyle, fit, missing_glyphs, set_line, text_width

# x, y, width and height in mm, from the upper left corner of the page.
Box = tuple[Number, Number, Number, Number]
# The foot of a sheet that has no room for one.
NO_FOOT: Box = (0.0, 0.0, 0.0, 0.0)
# Problem code for a piece that is too large for the paper.
TOO_LARGE = "SH01"


def turned_into(box: Box, rotation: int) -> Matrix:
    """Return the transform that rotates a piece clockwise by 0, 90, 180 or 270 degrees and moves it
    into a box on the page."""
    x, y, width, height = box
    matrices = {
        0: (1.0, 0.0, 0.0, 1.0, x, y),
        90: (0.0, 1.0, -1.0, 0.0, x + width, y),
        180: (-1.0, 0.0, 0.0, -1.0, x + width, y + height),
        270: (0.0, -1.0, 1.0, 0.0, x, y + height),
    }
    return matrices[rotation]


def box_round(boxes: Iterable[Box], by_mm: float = 0.0) -> Box:
    """Return the smallest box around some boxes, enlarged by `by_mm` on each side."""
    lefts, tops, rights, bottoms = zip(*((x, y, x + w, y + h) for x, y, w, h in boxes), strict=True)
    left, top = min(lefts) - by_mm, min(tops) - by_mm
    return left, top, max(rights) + by_mm - left, max(bottoms) + by_mm - top


class CutLine(Frozen):
    """A line for a blade to follow: the closed outline of a piece, under an id that is unique on
    the page, or all lines that several pieces share."""

    id: str
    commands: Commands


class Page(Frozen, eq=False):
    """One page: `scene` covers the whole medium (its width and height are the paper's); `trim` and
    `bleed` become TrimBox and BleedBox and lie within the paper, trim within bleed; `cut` are
    the cut lines, if requested, without corrections for the printer; `is_back` marks the back of
    the sheet whose front is the page before; `fold_mm` is the distance of a fold from the left."""

    scene: Scene
    trim: Box
    bleed: Box
    cut: tuple[CutLine, ...] = ()
    is_back: bool = False
    fold_mm: float | None = None


class PlacedPart(Frozen, kw_only=True):
    """A part of a piece that is larger than the paper: its page (from 1), the box of its trim in mm
    from the upper left of the page, and the same box in mm from the upper left of the piece."""

    page: int
    trim: Box
    shows: Box


class Placement(Frozen, kw_only=True):
    """One printed piece: the file stem and page (from 1) it is on, its `kind` and `id`, the face,
    the box of its trim in mm from the upper left of the page, and its rotation in degrees
    clockwise. For a piece in `parts`, page and trim are those of the first."""

    file: str
    page: int
    kind: str
    id: str
    face: str
    trim: Box
    rotation: int
    parts: tuple[PlacedPart, ...] = ()


class Document(Frozen, kw_only=True, eq=False):
    """One PDF to write: `stem` is its file name without suffix; `notes` concern pieces that are not
    as requested; `further` are the places of further pages of pieces, which do not count;
    `of_dies` is true if each page shows a die and no piece; the rest is metadata."""

    stem: str
    title: str
    subject: str
    pages: tuple[Page, ...]
    placements: tuple[Placement, ...] = ()
    further: tuple[Placement, ...] = ()
    notes: tuple[Problem, ...] = ()
    of_dies: bool = False


# Fixed words on sheets, by key.
WORDS = FixedWords("sheets").all()


def printable(text: Text, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """Return a text in a language, with its placeholders filled; in English if the faces lack a
    glyph for it, because sheets must be legible everywhere."""
    words = tongue.say(text, *parts)
    return Tongue("en", tongue.terms).say(text, *parts) if missing_glyphs(words, faces) else words


def fixed(key: str, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """Return fixed words with their placeholders filled; an unknown key (a title's own group)
    stands for itself."""
    text = WORDS.get(key)
    return printable(text, tongue, faces, *parts) if text else key


def amount(what: str, count: int, tongue: Tongue) -> str:
    """Return a number of pieces or sheets in words, for the metadata of a file."""
    return tongue.say(WORDS[f"1 {what}" if count == 1 else f"n {what}"], count)


RULER_MM = 50
# The foot must hold the whole ruler, so narrower paper cannot be used.
MIN_WIDTH_MM = RULER_MM + 2.0
# Minimum width for words beside the ruler; on narrower paper they are below it.
_WIDE_MM = 130.0
_WIDE_HEIGHT_MM, _NARROW_HEIGHT_MM = 8.0, 16.5
_TICKS_MM = {10: 2.2, 5: 1.6, 1: 1.0}
_SPACE_MM = 3.0
_PLAN_MM = 3.1
_ELLIPSIS = "…"


class Part(Frozen, kw_only=True):
    """The part of something larger than the paper that a sheet shows: its row and column, and the
    number of parts in each row from the top or, if the whole is cut `down` first, in each column
    from the left."""

    row: int
    column: int
    bands: tuple[int, ...]
    down: bool = False

    @property
    def name(self) -> str:
        """Letter of the row and number of the column: "A1" is upper left."""
        return part_name(self.row, self.column)

    @property
    def of(self) -> int:
        """Total number of parts."""
        return sum(self.bands)

    @property
    def rows(self) -> int:
        """Number of parts in the column."""
        return self.bands[self.column] if self.down else len(self.bands)

    @property
    def columns(self) -> int:
        """Number of parts in the row."""
        return len(self.bands) if self.down else self.bands[self.row]

    @property
    def most(self) -> tuple[int, int]:
        """Maximum number of columns and rows of the whole."""
        most, count = max(self.bands), len(self.bands)
        return (count, most) if self.down else (most, count)


def part_name(row: int, column: int) -> str:
    """Return the name of a part by its row and column (from 0)."""
    letters = ""
    row += 1
    while row:
        row, digit = divmod(row - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{column + 1}"


class Foot(Frozen):
    """Contents of the foot of one sheet: title, name of the document, number of the sheet `of` all
    (and its part, or that this is its back), and the pieces on it, as a list that may be
    shortened."""

    title: str
    document: str
    number: int
    of: int
    content: Sequence[str]
    part: Part | None = None
    back: bool = False


def foot_height_mm(width_mm: float) -> float | None:
    """Return the height of a foot of that width, including the space above it; None if the ruler
    does not fit."""
    if width_mm < MIN_WIDTH_MM:
        return None
    return _WIDE_HEIGHT_MM if width_mm >= _WIDE_MM else _NARROW_HEIGHT_MM


class FootPainter:
    """Draws feet. Ruler and notice are the same on all: one scene for each width, placed often."""

    def __init__(self, theme: Theme, tongue: Tongue) -> None:
        self._theme, self._tongue = theme, tongue
        self._strong, self._plain = theme.type("sheet.strong"), theme.type("sheet")
        self._notice = fixed("scale", tongue, self._plain.faces)
        self._notice_mm = text_width(self._notice, self._plain)
        self._scales: dict[float, Scene] = {}

    def draw(self, foot: Foot, box: Box) -> Items:
        """Return the foot in its box (mm on the page)."""
        x, y, width, height = box
        wide = width >= _WIDE_MM
        left = x + MIN_WIDTH_MM + 5 if wide else x
        right, bottom = x + width, y + height
        upper, lower = (bottom - 3.3, bottom - 0.55) if wide else (bottom - 6.1, bottom - 3.3)
        items: list[Item] = [Use(self._scale(width, height), matrix=translation(x, y))]
        end = right
        if foot.part is not None:
            items += self._joining_plan(foot.part, right, upper)
            end -= _plan_size(foot.part)[0] + 2
        ink, faces = self._theme.ink("text"), self._strong.faces
        words, parts = "sheet back" if foot.back else "sheet", (foot.number, foot.of)
        if foot.part is None:
            position = fixed(words, self._tongue, faces, *parts)
        else:
            position = fixed("part", self._tongue, faces, foot.part.name, *parts)
        number = set_line(position, self._strong, ink, end, upper, anchor=Anchor.END)
        items += number
        items += self._headline(foot, left, upper, number[0].x - _SPACE_MM - left)
        free = right - left - (self._notice_mm + _SPACE_MM if wide else 0.0)
        content = abbreviated(foot.content, self._plain, free)
        items += set_line(content, self._plain, self._theme.ink("text.soft"), left, lower)
        return tuple(items)

    def _headline(
        self, foot: Foot, x: float, baseline: float, width_mm: float
    ) -> tuple[TextRun, ...]:
        """Return the title in strong type, then the name of the document if there is room for
        it."""
        ink, plain = self._theme.ink("text"), self._plain.at(self._strong.size_pt)
        title, style = _shortened(foot.title, self._strong, width_mm)
        runs = set_line(title, style, ink, x, baseline)
        after = text_width(title, style) + 2.2
        if after + text_width(foot.document, plain) <= width_mm:
            runs += set_line(foot.document, plain, ink, x + after, baseline)
        return runs

    def _scale(self, width: float, height: float) -> Scene:
        """Return ruler and notice for feet of one width."""
        if width not in self._scales:
            ink = self._theme.ink("text.soft")
            wide = width >= _WIDE_MM
            x, anchor = (width, Anchor.END) if wide else (0.0, Anchor.START)
            notice = set_line(self._notice, self._plain, ink, x, height - 0.55, anchor=anchor)
            items = (*self._ruler(1.0, height - 1.9 if wide else 4.6), *notice)
            key = f"sheet:scale:{width:.3f}"
            self._scales[width] = Scene(key, width, height, items)
        return self._scales[width]

    def _ruler(self, x: float, y: float) -> Items:
        """Return a ruler of 50 mm on the line y, with ticks upward and numbers below."""
        commands: list[Command] = [("M", x, y), ("L", x + RULER_MM, y)]
        for mm in range(RULER_MM + 1):
            tall = next(length for step, length in _TICKS_MM.items() if mm % step == 0)
            commands += (("M", x + mm, y), ("L", x + mm, y - tall))
        style, ink = self._theme.type("sheet.ruler"), self._theme.ink("text.soft")
        items: list[Item] = [self._lines(commands)]
        below = y + 0.5 + style.cap_height_mm
        for mm in range(0, RULER_MM, 10):
            items += set_line(str(mm), style, ink, x + mm, below, anchor=Anchor.MIDDLE)
        items += set_line(f"{RULER_MM} mm", style, ink, x + RULER_MM + 1, below, anchor=Anchor.END)
        return tuple(items)

    def _joining_plan(self, part: Part, right: float, baseline: float) -> Items:
        """Return a small plan of all parts with this one filled, ending at `right`."""
        width, height = _plan_size(part)
        x, y = right - width, baseline - 2.6
        lines = [*rectangle_path(x, y, width, height)]
        # Draw the bands one after the other from the corner of the plan, with the parts along each
        # band.
        turn = -1 if part.down else 1
        long, whole = (width, height)[::turn]
        deep = whole / len(part.bands)
        for band, count in enumerate(part.bands):
            near, far = band * deep, (band + 1) * deep
            seams = [((long * number / count,) * 2, (near, far)) for number in range(1, count)]
            if band:
                seams.append(((0.0, long), (near, near)))
            for along, across in seams:
                (px, qx), (py, qy) = (along, across)[::turn]
                lines += (("M", x + px, y + py), ("L", x + qx, y + qy))
        wide, tall = width / part.columns, height / part.rows
        here = rectangle_path(x + part.column * wide, y + part.row * tall, wide, tall)
        filled = Path(here, fill=self._theme.ink("text.soft"), role=Role.MARK)
        return filled, self._lines(lines)

    def _lines(self, commands: Sequence[Command]) -> Path:
        return Path(tuple(commands), stroke=self._theme.stroke("sheet.ruler"), role=Role.MARK)


def abbreviated(parts: Sequence[str], type_style: TypeStyle, width_mm: float) -> str:
    """Return as many parts of a list as fit on a line, with an ellipsis for the rest."""

    def line(count: int) -> str:
        return ", ".join(parts) if count == len(parts) else ", ".join((*parts[:count], _ELLIPSIS))

    if text_width(line(len(parts)), type_style) <= width_mm:
        return line(len(parts))
    counts = range(1, len(parts))
    return line(
        bisect_right(counts, width_mm, key=lambda count: text_width(line(count), type_style))
    )


def _shortened(words: str, type_style: TypeStyle, width_mm: float) -> tuple[str, TypeStyle]:
    """Return words and a style that fit a width: smaller type first, then fewer letters."""
    if text_width(words, type_style) <= width_mm:
        return words, type_style
    least = type_style.at(type_style.min_pt)
    if text_width(words, least) <= width_mm:
        return words, fit(words, type_style, width_mm)

    def width(count: int) -> float:
        return text_width(words[:count] + _ELLIPSIS, least)

    fits = bisect_right(range(1, len(words)), width_mm, key=width)
    return words[:fits].rstrip() + _ELLIPSIS, least


def _plan_size(part: Part) -> tuple[float, float]:
    """Return width and height of the joining plan, which is at most 30 mm wide."""
    columns, rows = part.most
    return min(_PLAN_MM / rows * 1.3 * columns, 30.0), _PLAN_MM


# Papers, and the room they have for pieces and for the foot.


# Limits for the sides of paper. Viewers refuse pages of more than 14,400 points (PDF 1.6, annex C).
MIN_PAPER_MM, MAX_PAPER_MM = 10.0, 5080.0
_EPS = 1e-6

# Room reserved inside the margins for registration marks: at both ends of the foot, and above the
# room of a press sheet.
REGISTER_RIM_MM = 6.0
# Clearances that a cutter's sensor needs: from its marks to the pieces, and from the foot of the
# sheet, where it starts to search.
CUTTER_CLEAR_MM, CUTTER_FOOT_CLEAR_MM = 1.0, 3.0
# Room reserved beside a fold, so that no trim falls on it.
FOLD_CLEAR_MM = 1.0


# Media: label sheets, dies, cutters, sleeves and papers.


# Files of the catalogue in the order of listing, with the kind of their media.
MEDIA = {
    "papers": "paper",
    "labels": "labels",
    "dies": "die",
    "cutters": "cutter",
    "sleeves": "sleeve",
}


class Die(Frozen, kw_only=True):
    """The places of a die or of a sheet of labels, on the one paper they are made for: the trim of
    the first place in mm from the upper left of the paper, columns and rows of places and the
    distance from one to the next. With `short_columns` every other column begins half a row lower
    and has one place fewer. Places are counted column by column, or `by_rows`. `pins` are the
    centres of registration pins."""

    paper: str
    size_mm: tuple[float, float]
    first_mm: tuple[float, float]
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    short_columns: bool = False
    by_rows: bool = False
    pins_mm: tuple[tuple[float, float], ...] = ()

    @property
    def count(self) -> int:
        """Number of places."""
        return self.columns * self.rows - (self.columns // 2 if self.short_columns else 0)


class Cutter(Frozen, kw_only=True):
    """Registration marks that a cutter looks for: a square in the upper left (none with four marks)
    and angles in the other corners, with arms of that length and thickness, at that inset from the
    edges of the paper; and the widest paper that it takes."""

    marks: int
    inset_mm: float
    arm_mm: float
    thick_mm: float
    widest_mm: float

    @property
    def reach_mm(self) -> float:
        """Distance from the edges of the paper to the end of an arm."""
        return self.inset_mm + max(self.arm_mm, SQUARE_MM if self.marks == 3 else 0.0)


# Side of the square in the upper left corner, which cutter programs do not let users set.
SQUARE_MM = 5.0


class Medium(Frozen, kw_only=True):
    """One medium: its id and kind, its name for people, the other products that are equal to it,
    and by its kind its size (of a sleeve, of the card in it), its places or its marks."""

    id: str
    kind: str
    name: Text
    equal: tuple[str, ...] = ()
    size_mm: tuple[float, float] | None = None
    places: Die | None = None
    cutter: Cutter | None = None


@cache
def catalogue() -> dict[str, Medium]:
    """Return all media by id, in the order of the files."""
    found = {}
    for file, kind in MEDIA.items():
        for medium_id, entry in asset_json("media", f"{file}.json")["media"].items():
            found[medium_id] = decode(Medium, entry, id=medium_id, kind=kind)
    return found


def find_medium(words: str) -> Medium:
    """Return a medium by its id or that of an equivalent product, in any case. Raises ProblemsFound
    with SH02."""
    wanted = words.strip().lower()
    media = catalogue()
    for medium in media.values():
        if wanted in (medium.id.lower(), *(name.lower() for name in medium.equal)):
            return medium
    hint = suggestion(words, media, most=3) or "platelayer media lists all, such as avery-L7160"
    raise ProblemsFound([Problem("SH02", f'there is no medium "{words}"', hint)])


def cutter_of(options: PrintOptions) -> Cutter | None:
    """Return the cutter whose marks sheets have: the medium of a print, or the usual one."""
    if options.register != "silhouette":
        return None
    media = catalogue()
    medium = media.get(options.media)
    return (medium and medium.cutter) or media["cameo"].cutter


_CUSTOM = re.compile(
    r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?[x×] ?([0-9]{1,9}(?:\.[0-9]{1,6})?) ?(mm|in)", re.IGNORECASE
)


class Paper(Frozen, kw_only=True):
    """A paper by its printed name; sheets use it in portrait or landscape, whichever suits."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def turned(self) -> Paper:
        """Return the paper in the other orientation."""
        return replace(self, width_mm=self.height_mm, height_mm=self.width_mm)


class Frame(Frozen, kw_only=True):
    """One orientation of a paper: its size in mm, the box available for pieces and their marks, and
    the box of the foot (ruler, title, sheet number). Both boxes are inside the margins. A sheet
    to be folded has room for fronts left of its middle, `fold_mm`."""

    width_mm: float
    height_mm: float
    room: Box
    foot: Box
    fold_mm: float | None = None


@cache
def standard_papers() -> dict[str, Paper]:
    """Return papers by the name one types, as listed in assets/media/papers.json."""
    return {medium.id: _paper(medium) for medium in catalogue().values() if medium.kind == "paper"}


def _paper(medium: Medium) -> Paper:
    width, height = medium.size_mm or (0.0, 0.0)
    return Paper(name=medium.name.get("en"), width_mm=width, height_mm=height)


def find_paper(words: str) -> Paper:
    """Return a paper by name ("a4", in any case), the area that a cutter prints on, or a paper by
    size ("210x297mm", "13x19in"). Raises ProblemsFound with SH02."""
    wanted = words.strip()
    known = standard_papers()
    medium = catalogue().get(wanted.lower())
    if medium is not None and medium.kind in ("paper", "cutter") and medium.size_mm:
        return _paper(medium)
    custom = _CUSTOM.fullmatch(wanted)
    if custom is None:
        message = f'there is no paper "{words}"'
        papers = f"papers are {', '.join(known)}, or a size such as 210x297mm or 13x19in"
        hint = " ".join(filter(None, (suggestion(wanted, known, most=3), papers)))
        raise ProblemsFound([Problem("SH02", message, hint)])
    unit = MM_PER_INCH if custom[3].lower() == "in" else 1.0
    width, height = float(custom[1]) * unit, float(custom[2]) * unit
    if min(width, height) < MIN_PAPER_MM or max(width, height) > MAX_PAPER_MM:
        message = f'the paper "{words}" is not possible: its sides must be from {MIN_PAPER_MM:g} to {MAX_PAPER_MM:g} mm'
        raise ProblemsFound([Problem("SH02", message)])
    return Paper(name=f"{width:g} x {height:g} mm", width_mm=width, height_mm=height)


def check_margin(paper: Paper, margin_mm: float) -> None:
    """Raise ProblemsFound with SH03 for a margin that is not a length or takes more than half of
    the paper's width."""
    most = min(paper.width_mm, paper.height_mm) / 4
    if not (math.isfinite(margin_mm) and 0 <= margin_mm <= most):
        message = (
            f"a margin of {margin_mm:g} mm is not possible on {paper.name}: use 0 to {most:g} mm"
        )
        hint = "most printers need 5 to 6 mm"
        raise ProblemsFound([Problem("SH03", message, hint)])


def frames(
    paper: Paper,
    margin_mm: float,
    duplex: str = "none",
    *,
    register: str = "none",
    cutter: Cutter | None = None,
) -> tuple[Frame, ...]:
    """Return the orientations of a paper, as given first; none if not even the foot fits.

    Double-sided sheets (`duplex` long or short) and those with the marks of a press (`register`)
    have marks at both ends of their foot, those of a press also a rim above the room. Folded sheets
    leave half of the paper to their backs. On a sheet for a `cutter`, the corners with its marks
    are left free: each orientation has two frames, whose rooms lie between its marks in height or
    in width.
    """
    press = register == "press"
    ends = REGISTER_RIM_MM if press or duplex in ("long", "short") else 0.0
    rim = REGISTER_RIM_MM if press else 0.0
    ways = [paper] if paper.width_mm == paper.height_mm else [paper, paper.turned]
    if cutter is not None:
        ends += max(cutter.reach_mm + CUTTER_FOOT_CLEAR_MM - margin_mm, 0.0)
        ways = [way for way in ways if way.width_mm <= cutter.widest_mm + _EPS]
    found: list[Frame] = []
    for way in ways:
        width, height = way.width_mm - 2 * margin_mm, way.height_mm - 2 * margin_mm
        foot = foot_height_mm(width - 2 * ends)
        if foot is None or height <= foot + rim:
            continue
        fold = way.width_mm / 2 if duplex == "fold" else None
        room_width = width if fold is None else fold - FOLD_CLEAR_MM - margin_mm
        frame = Frame(
            width_mm=way.width_mm,
            height_mm=way.height_mm,
            room=(margin_mm, margin_mm + rim, room_width, height - foot - rim),
            foot=(margin_mm + ends, margin_mm + height - foot, width - 2 * ends, foot),
            fold_mm=fold,
        )
        found += [frame] if cutter is None else _between_marks(frame, cutter)
    return tuple(found)


def _between_marks(frame: Frame, cutter: Cutter) -> Iterator[Frame]:
    """Yield the frame with the largest rooms clear of a cutter's marks, beyond which a blade does
    not go."""
    near, far = cutter.inset_mm, cutter.reach_mm + CUTTER_CLEAR_MM
    x, y, width, height = frame.room
    for across, down in ((near, far), (far, near)):
        left, top = max(x, across), max(y, down)
        right = min(x + width, frame.width_mm - across)
        bottom = min(y + height, frame.height_mm - down)
        if right > left and bottom > top:
            yield replace(frame, room=(left, top, right - left, bottom - top))


def frame_round(width_mm: float, height_mm: float, margin_mm: float) -> Frame:
    """Return a frame made to measure for a poster: room of the requested size (at least as wide as
    a foot), foot and margins."""
    width_mm = max(width_mm, MIN_WIDTH_MM)
    foot = foot_height_mm(width_mm) or 0.0
    return Frame(
        width_mm=width_mm + 2 * margin_mm,
        height_mm=height_mm + foot + 2 * margin_mm,
        room=(margin_mm, margin_mm, width_mm, height_mm),
        foot=(margin_mm, margin_mm + height_mm, width_mm, foot),
    )


# Sizes of pieces that a user enters as text.


LEAST_MM, MOST_MM = 5.0, 600.0
_MEASURES = re.compile(
    r"(\d{1,4}(?:\.\d{1,4})?)(?: ?[x×] ?(\d{1,4}(?:\.\d{1,4})?))? ?(mm|in)?", re.IGNORECASE
)


@cache
def standard_sizes() -> dict[str, tuple[float, float]]:
    """Return widths and heights in mm, in portrait, by the name one types
    (assets/sheets/sizes.json)."""
    value = asset_json("sheets", "sizes.json")
    return {
        key: (float(entry["size_mm"][0]), float(entry["size_mm"][1]))
        for key, entry in value["sizes"].items()
    }


def with_sizes(title: Title, manifest: Manifest, requested: Sequence[tuple[str, str]]) -> Title:
    """Return the title with other sizes of pieces: pairs of a kind or sort of piece (or `kind:id`)
    and a size in words.

    A size for a kind applies to all pieces of the kind, whatever sizes the title gives to some of
    them. A named size takes the orientation of the title's piece; dimensions are width and height.
    Raises ProblemsFound with SH07 for every pair with an unknown piece or size.
    """
    problems = []
    sizes = []
    for word, words in requested:
        for key in kinds_named(word) or (word,):
            size = _size(title, manifest, key, words)
            if isinstance(size, Problem):
                problems.append(size)
            else:
                sizes.append(size)
    if problems:
        raise ProblemsFound(problems)
    if not sizes:
        return title
    kinds = {size.kind for size in sizes}
    others = (size for size in title.pieces.sizes if re.split("[:/]", size.kind)[0] not in kinds)
    return replace(title, pieces=replace(title.pieces, sizes=(*others, *sizes)))


def _size(title: Title, manifest: Manifest, key: str, words: str) -> Size | Problem:
    kind, _, piece_id = key.partition(":")
    sized = {size.kind.partition(":")[0] for size in title.pieces.sizes}
    sized |= {kind.id for kind in KINDS.values() if kind.size_mm}
    if kind not in sized:
        message = f'pieces of the kind "{kind}" have no size that can be set'
        hint = suggestion(kind, sized) or f"sizes can be set for {', '.join(sorted(sized))}"
        return Problem("SH07", message, hint)
    if piece_id and key not in manifest.by_key:
        message = f"{manifest.title} has no piece {key}"
        return Problem("SH07", message, "see platelayer manifest")
    now, known = piece_size(title, kind, piece_id), standard_sizes()
    named = known.get(words.strip().lower())
    if named is not None:
        short, long = sorted(named)
        width, height = (long, short) if now.width_mm > now.height_mm else (short, long)
        return Size(key, width, height)
    measures = _MEASURES.fullmatch(words.strip())
    if measures is None:
        message = f'there is no size "{words}" for {key}'
        hint = suggestion(words, known, most=2) or f"sizes are {', '.join(known)}, or 63x88mm"
        return Problem("SH07", message, hint)
    unit = MM_PER_INCH if (measures[3] or "mm").lower() == "in" else 1.0
    width = float(measures[1]) * unit
    height = float(measures[2]) * unit if measures[2] else width
    if not measures[2] and now.width_mm != now.height_mm:
        message = f'"{words}" is one length; {key} needs a width and a height'
        return Problem("SH07", message, "write 63x88mm")
    if min(width, height) < LEAST_MM or max(width, height) > MOST_MM:
        message = f"{key} cannot be {width:.4g} x {height:.4g} mm: sides are from {LEAST_MM:g} to {MOST_MM:g} mm"
        return Problem("SH07", message)
    return Size(key, width, height)
