"""Drafts of pages, whose pieces are placed but which have no foot yet; and the backs of pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, TypeVar

from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.foundation.values import Frozen
from platelayer.imposition.arrange import Sides
from platelayer.imposition.cut import LEAST_MARK_MM, LEAST_PRESS_MARK_MM, register_marks
from platelayer.imposition.paper import (
    Box,
    CutLine,
    Document,
    Frame,
    Page,
    Paper,
    Part,
    fixed,
    turned_into,
)
from platelayer.model.kinds import AIDS, KINDS, PLAIN, Piece
from platelayer.model.options import PrintOptions
from platelayer.scene.flatten import (
    Bounds,
    bounds_of,
    corners_of,
    flatten_commands,
    flatten_scene,
    inside,
    moved_bounds,
    polygon_lines,
    touch,
)
from platelayer.scene.inks import WHITE, ink_from_hex
from platelayer.scene.shapes import (
    IDENTITY,
    Anchor,
    Circle,
    Command,
    Commands,
    Group,
    Item,
    Items,
    Matrix,
    Path,
    Role,
    Scene,
    Stroke,
    TextRun,
    Use,
    apply,
    multiply,
    rectangle_path,
    rotation,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import Theme, run_corners, set_line, text_width

_T = TypeVar("_T")


class PieceToPrint(Frozen, kw_only=True, eq=False):
    """One distinct piece with the number of copies to print, the scene of its front, and that of
    its back if it is to be printed behind it. With `again` it is a further page of a piece with
    several. `face` is "back" for a back that is printed like a front on a single-sided sheet.
    `behind` is another piece whose front is this one's back."""

    piece: Piece
    scene: Scene
    back: Scene | None = None
    behind: PieceToPrint | None = None
    again: bool = False
    face: str = "front"

    def times(self, count: int) -> PieceToPrint:
        """Return the piece with another number of copies."""
        return replace(self, piece=replace(self.piece, count=count))


class Placed(Frozen, eq=False):
    """One copy of a piece on a page: the scene of the visible face; its trim there; its clockwise
    rotation in degrees (0, 90, 180, 270); its bleed on each side; and the clip (in the piece's
    coordinates) for its bleed, if one is needed."""

    entry: PieceToPrint
    scene: Scene
    face: str
    box: Box
    rotation: int = 0
    bleed: Sides = (0.0, 0.0, 0.0, 0.0)
    clip: Commands | None = None

    @property
    def matrix(self) -> Matrix:
        """Matrix from the piece's coordinates to the page's."""
        return turned_into(self.box, self.rotation)


def placed_front(entry: PieceToPrint, box: Box, **how: Any) -> Placed:
    """Return a copy of a piece printed like a front in a box on the page, rotated by a quarter turn
    if it would not fit otherwise."""
    rotation = 90 if is_turned(entry, box) else 0
    return Placed(entry, entry.scene, face=entry.face, box=box, rotation=rotation, **how)


class View(Frozen, kw_only=True, eq=False):
    """The part of something larger than the paper that a page shows, drawn by `items`: the boxes of
    trim and bleed on the page, the trim in the coordinates of the whole (`shows`), and the
    outline (in page coordinates; the bleed box shows a part of it). `content` is for the foot."""

    part: Part
    items: Items
    trim: Box
    bleed: Box
    shows: Box
    content: tuple[str, ...]
    outline: Commands


class Draft(Frozen, eq=False):
    """A page without its foot: placed pieces with cut marks, or a view. A piece in parts is placed
    with its first part, so that it counts once. `lines` requests the outlines of its pieces,
    however it is cut; `bar` is the place of a colour bar. For a punchboard, `board` is its trim,
    and `die` are the lines that are cut, whatever lies in the places."""

    frame: Frame
    placed: tuple[Placed, ...]
    marks: Commands = ()
    view: View | None = None
    lines: bool = False
    bar: Box | None = None
    board: Box | None = None
    die: tuple[CutLine, ...] = ()


class SheetSettings(Frozen, kw_only=True, eq=False):
    """Settings of all layouts: the paper with its possible orientations, theme and language, the
    options of the print, and the paper of posters (None: made to measure)."""

    paper: Paper
    frames: tuple[Frame, ...]
    theme: Theme
    tongue: Tongue
    options: PrintOptions
    poster: Paper | None = None

    @property
    def least_mark_mm(self) -> float:
        """Minimum length of a cut mark."""
        return LEAST_PRESS_MARK_MM if self.options.press else LEAST_MARK_MM


def is_turned(entry: PieceToPrint, box: Box) -> bool:
    """Return True if a piece must be rotated to fit a box, because only one of them is upright."""
    return (entry.scene.width_mm > entry.scene.height_mm) != (box[2] > box[3]) and box[2] != box[3]


def with_blanks(
    entries: Sequence[PieceToPrint], blank: int, per_page: int
) -> list[PieceToPrint | None]:
    """Return every copy in order, with `blank` empty places between groups unless a new page
    separates them anyway."""
    copies: list[PieceToPrint | None] = []
    for number, entry in enumerate(entries):
        if number and entries[number - 1].piece.group != entry.piece.group:
            copies += [None] * min(blank, -len(copies) % per_page)
        copies += [entry] * entry.piece.count
    return copies


def pages_of(things: Sequence[_T], per_page: int) -> Iterator[Sequence[_T]]:
    """Yield runs of at most `per_page` items."""
    ends = (*range(0, len(things), per_page), len(things))
    return (things[start:end] for start, end in pairwise(ends))


# Red strips on the sheets of a draft, and on pieces with problems where they have no lettering.


_RED = ink_from_hex("#c8102e")
# Sizes of the words on pieces: the first that fits. Sheets use the first size.
_SIZES_PT = (9.0, 7.0, 5.5)
# Margin of red above and below the capitals of a strip (whose height must not exceed the usual
# bleed), and at its ends.
_ABOVE_MM, _BESIDE_MM = 0.3, 1.0
# Clearance of a strip from everything else on a sheet, or from the lettering of a piece.
_CLEAR_MM = 0.8
# Most printers cannot print in this margin, so strips are placed inside of it if there is room.
_UNPRINTED_MM = 4.3
# Maximum distance from the edge of a sheet at which room is searched.
_DEEP_MM = 14.0
_STEP_MM = 2.0
# Width of the red rim of a piece, inside its cut.
_RIM_MM = 0.8


def draft_words(count: int, tongue: Tongue, theme: Theme) -> tuple[str, str]:
    """Return the words of a strip for a number of problems: the long and the short form."""
    faces = theme.type("sheet.strong").faces
    whole = fixed("draft 1" if count == 1 else "draft n", tongue, faces, count)
    return whole, fixed("draft", tongue, faces)


def flagged(document: Document, words: str, theme: Theme) -> Document:
    """Return a document with a strip on each page: in free room near an edge, else in the margin or
    the bleed."""
    pages = tuple(flagged_page(page, words, theme) for page in document.pages)
    return replace(document, pages=pages)


def flagged_page(page: Page, words: str, theme: Theme) -> Page:
    """Return a page with the strip; unchanged if a piece fills it without a margin or bleed."""
    strip = _strip(words, theme, _SIZES_PT[0])
    matrix = next(_free(page, strip), None)
    if matrix is None:
        return page
    scene = replace(page.scene, items=(*page.scene.items, Use(strip, matrix=matrix)))
    return replace(page, scene=scene)


@lru_cache(64)
def flagged_piece(scene: Scene, words: tuple[str, ...], theme: Theme) -> Scene:
    """Return a face with problems: with a red rim inside its cut, and a strip with the first of the
    words that fits, both only where there is no lettering."""
    letters = [text.bounds for text in flatten_scene(scene)[1]]
    # The outline of a piece as a line, with gaps near lettering.
    commands: list[Command] = []
    for polygon, closed in flatten_commands(scene.die_line):
        for (ax, ay), (bx, by) in polygon_lines(polygon, closed=closed):
            parts = max(1, math.ceil(math.dist((ax, ay), (bx, by)) / _STEP_MM))
            points = [
                (ax + (bx - ax) * part / parts, ay + (by - ay) * part / parts)
                for part in range(parts + 1)
            ]
            for one, other in pairwise(points):
                if not _hit(bounds_of((one, other), _RIM_MM), letters):
                    commands += (("M", *one), ("L", *other))
    stroke = Stroke(_RED, 2 * _RIM_MM, cap="square")
    rim = Path(tuple(commands), stroke=stroke, role=Role.GROUND)
    items: list[Item] = [Group((rim,), clip=scene.die_line)] if rim.commands else []
    for size_pt, line in product(_SIZES_PT, words):
        strip = _strip(line, theme, size_pt)
        matrix = next(_on_piece(scene, strip, letters), None)
        if matrix is not None:
            items.append(Use(strip, matrix=matrix))
            break
    return replace(scene, key=f"{scene.key}:draft", items=(*scene.items, *items))


@lru_cache(64)
def _strip(words: str, theme: Theme, size_pt: float) -> Scene:
    style = theme.type("sheet.strong").at(size_pt)
    width, height = text_width(words, style) + 2 * _BESIDE_MM, style.cap_height_mm + 2 * _ABOVE_MM
    ground = Path(rectangle_path(0.0, 0.0, width, height), fill=_RED, role=Role.GROUND)
    line = set_line(words, style, WHITE, width / 2, height - _ABOVE_MM, anchor=Anchor.MIDDLE)
    key = f"draft:{size_pt:g}:{words}"
    return Scene(key, width, height, (ground, *line))


def _free(page: Page, strip: Scene) -> Iterator[Matrix]:
    """Yield positions of the strip on a page, the best first."""
    wide, tall = page.scene.width_mm, page.scene.height_mm
    width, height = strip.width_mm, strip.height_mm
    taken = [moved_bounds(box, IDENTITY, _CLEAR_MM) for box in _boxes(page.scene.items, IDENTITY)]
    # Try the printable area first, from the edge inwards; then the margin, from the inside
    # outwards.
    depths = [*_steps(_UNPRINTED_MM, _DEEP_MM)]
    depths += reversed([*_steps(1.0, _UNPRINTED_MM, 0.5)])
    for depth, turn in product(depths, (1, -1)):
        (across, down), (long, deep) = (width, height)[::turn], (wide, tall)[::turn]
        for along in _steps(_UNPRINTED_MM, long - _UNPRINTED_MM - width):
            for away in (depth, deep - depth - height):
                x, y = (along, away)[::turn]
                if not _hit((x, y, x + across, y + down), taken):
                    upright = translation(x, y + (0.0 if turn > 0 else width))
                    yield upright if turn > 0 else multiply(upright, rotation(-90.0))
    left, top, _, _ = page.trim
    if top >= height:  # within the bleed of a card
        yield translation((wide - width) / 2, 0.0)
    elif left >= height:
        yield multiply(translation(0.0, (tall + width) / 2), rotation(-90.0))


def _on_piece(scene: Scene, strip: Scene, letters: Sequence[Bounds]) -> Iterator[Matrix]:
    """Yield positions of the strip on a piece that cover no lettering, those at its edges first."""
    width, height = strip.width_mm, strip.height_mm
    taken = [moved_bounds(box, IDENTITY, _CLEAR_MM / 2) for box in letters]
    outlines = [polygon for polygon, _ in flatten_commands(scene.die_line)]
    positions = product(
        _steps(_RIM_MM, scene.height_mm - _RIM_MM - height, 1.0),
        _steps(_RIM_MM, scene.width_mm - _RIM_MM - width),
    )
    for y, x in sorted(
        positions, key=lambda at: (min(at[0], scene.height_mm - height - at[0]), at[1])
    ):
        box = (x, y, x + width, y + height)
        if _hit(box, taken):
            continue
        corners = corners_of(box)
        if any(all(inside(corner, outline) for corner in corners) for outline in outlines):
            yield translation(x, y)


def _boxes(items: Sequence[Item], matrix: Matrix) -> Iterator[Bounds]:
    """Yield occupied boxes of a page: pieces with their bleed, words, shapes, and each line
    separately."""
    for item in items:
        match item:
            case Use(scene=scene):
                bleed = scene.bleed_mm
                box = (-bleed, -bleed, scene.width_mm + bleed, scene.height_mm + bleed)
                yield moved_bounds(box, multiply(matrix, item.matrix))
            case Group(clip=clip) if clip is not None:
                polygons = flatten_commands(clip, multiply(matrix, item.matrix))
                yield bounds_of([point for polygon, _ in polygons for point in polygon])
            case Group():
                yield from _boxes(item.items, multiply(matrix, item.matrix))
            case TextRun():
                yield bounds_of([apply(matrix, corner) for corner in run_corners(item)])
            case Circle(cx=x, cy=y, r=r):
                yield moved_bounds((x - r, y - r, x + r, y + r), matrix)
            case Path():
                for polygon, closed in flatten_commands(item.commands, matrix):
                    for part in (polygon,) if item.fill else polygon_lines(polygon, closed=closed):
                        yield bounds_of(part)


def _hit(box: Bounds, taken: Sequence[Bounds]) -> bool:
    return any(touch(box, other) for other in taken)


def _steps(start: float, end: float, step: float = _STEP_MM) -> Iterator[float]:
    """Yield lengths from `start` to `end`; none if `end` is less."""
    for number in range(math.floor((end - start) / step) + 1 if end >= start else 0):
        yield start + number * step


# Backs of sheets: each back behind its front, for every way to flip the sheet.


def back_to_back(entries: Sequence[PieceToPrint], *, posters: bool) -> list[PieceToPrint]:
    """Return pieces in order, with pairs of aids of the same size without informative backs
    combined on one card, the second on the back of the first; of `posters` those that are `behind`
    another on its back."""
    made: list[PieceToPrint] = []
    waiting: dict[tuple[float, float], int] = {}
    for entry in entries:
        fronts = [at for at, other in enumerate(made) if other.piece.id == entry.piece.behind]
        if posters and fronts:
            made[fronts[0]] = replace(made[fronts[0]], back=entry.scene, behind=entry)
            continue
        size = round(entry.scene.width_mm, 2), round(entry.scene.height_mm, 2)
        if KINDS[entry.piece.kind].sort != AIDS or entry.piece.back != PLAIN or entry.back is None:
            made.append(entry)
            continue
        left = entry.piece.count
        while left and size in waiting:
            at = waiting.pop(size)
            first = made[at]
            both, alone = min(first.piece.count, left), first.piece.count - left
            left -= both
            other = entry.times(both)
            made[at] = replace(
                first.times(both), back=entry.scene, behind=replace(other, back=None)
            )
            if alone > 0:
                made.insert(at + 1, first.times(alone))
                waiting = {key: place + (place > at) for key, place in waiting.items()}
                waiting[size] = at + 1
        if left:
            waiting[size] = len(made)
            made.append(entry.times(left))
    return made


def turns_sideways(frame: Frame, duplex: str) -> bool:
    """Return True if a sheet is flipped like the page of a book (left and right change places)
    rather than like that of a calendar: about its long edge if it is portrait, about its short
    edge if it is landscape."""
    return (duplex == "long") == (frame.width_mm <= frame.height_mm)


def back_of(draft: Draft, duplex: str, *, press: bool = False) -> Draft:
    """Return the back of a sheet: the backs of its pieces, and registration marks (for a `press`)
    behind those of the front."""
    frame = draft.frame
    sideways = turns_sideways(frame, duplex)
    middle = frame.width_mm / 2 if sideways else frame.height_mm / 2
    foot = frame.foot if sideways else _mirrored(frame.foot, middle, sideways=False)
    placed = _backs(draft.placed, middle, sideways=sideways)
    flip = (-1.0, 0.0, 0.0, 1.0, 2 * middle, 0.0)
    if not sideways:
        flip = (1.0, 0.0, 0.0, -1.0, 0.0, 2 * middle)
    marks = transform_commands(register_marks(frame, press=press), flip)
    bar = _mirrored(draft.bar, middle, sideways=sideways) if draft.bar else None
    board = _mirrored(draft.board, middle, sideways=sideways) if draft.board else None
    return Draft(replace(frame, foot=foot), placed, marks=marks, bar=bar, board=board)


def with_backs_beside(draft: Draft) -> Draft:
    """Return a sheet to be folded along its middle, with the backs beyond the marked fold."""
    fold = draft.frame.fold_mm
    if fold is None:
        return draft
    backs = _backs(draft.placed, fold, sideways=True)
    marks = [*draft.marks]
    marks += transform_commands(draft.marks, (-1.0, 0.0, 0.0, 1.0, 2 * fold, 0.0))
    # Draw short strokes along the fold.
    _, top, _, height = draft.frame.room
    count = max(2, round(height / 8))
    step = height / count
    for number in range(count):
        start = top + number * step
        marks += (("M", fold, start), ("L", fold, start + step * 0.45))
    return replace(draft, placed=(*draft.placed, *backs), marks=tuple(marks))


def _backs(fronts: Sequence[Placed], middle: float, *, sideways: bool) -> tuple[Placed, ...]:
    """Return the backs of pieces behind their fronts, mirrored about the line x (or y) = `middle`.

    A piece is turned over like the page of a book. Its back therefore lies where the front does,
    mirrored by the sheet and by the piece, which is a rotation again: by -r if the sheet is flipped
    sideways and by 180 - r if not.
    """
    backs = []
    for front in fronts:
        if front.entry.back is None:
            continue
        left, top, right, bottom = front.bleed
        clip, other = front.clip, front.entry.behind
        x, y, width, height = box = _mirrored(front.box, middle, sideways=sideways)
        across, down = front.entry.back.width_mm, front.entry.back.height_mm
        own = (down, across) if front.rotation % 180 else (across, down)
        if round(own[0] - width, 2) or round(own[1] - height, 2):
            # Centre a board of another size on the same sheet.
            box = x + (width - own[0]) / 2, y + (height - own[1]) / 2, *own
            clip = rectangle_path(-right, -top, across + left + right, down + top + bottom)
        elif clip:
            clip = transform_commands(clip, (-1.0, 0.0, 0.0, 1.0, front.scene.width_mm, 0.0))
        back = replace(
            front,
            entry=other or front.entry,
            scene=front.entry.back,
            face=other.face if other else "back",
            box=box,
            rotation=((0 if sideways else 180) - front.rotation) % 360,
            bleed=(right, top, left, bottom) if sideways else (left, bottom, right, top),
            clip=clip,
        )
        backs.append(back)
    return tuple(backs)


def _mirrored(box: Box, middle: float, *, sideways: bool) -> Box:
    x, y, width, height = box
    if sideways:
        return 2 * middle - x - width, y, width, height
    return x, 2 * middle - y - height, width, height
