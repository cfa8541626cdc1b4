"""Tiling: overlapping windows that together show something larger than the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.values import Frozen
from platelayer.imposition.arrange import form_of
from platelayer.imposition.cut import CLEAR_MM, MARK_MM, corner_marks
from platelayer.imposition.paper import Box, Document, Frame, Page, Part, turned_into
from platelayer.scene.inks import BLACK, WHITE, Ink
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import Theme, set_line, text_width

# Room reserved around a window for joining marks and the names of its neighbours.
RIM_MM = 3.4
# Minimum step from one window to the next; with smaller steps tiling is pointless.
_LEAST_STEP_MM = 20.0
_MARK_MM, _CLEAR_MM = 2.8, 0.6
# Distance from a window to the middle of its neighbour's name.
_NAME_MM = 1.6
# Distance between the seams that are tried, and their maximum distance from the usual position.
_SEAM_STEP_MM, _SEAM_REACH_MM = 1.0, 90.0
# Half the width of the strip along a seam in which nothing should be read.
_SEAM_HALF_MM = 0.6
_EPS = 1e-6

# Something that should not be cut: its ends along a side, and its weight.
Extent = tuple[float, float, float]


class Window(Frozen, kw_only=True):
    """One part: the area it shows, in scene coordinates; its page, and its position there (`at` is
    the upper left of the window on the page)."""

    part: Part
    box: Box
    frame: Frame
    at: tuple[float, float]


class Tiling(Frozen, kw_only=True):
    """All windows, in the order of their bands: rows from the top, or columns from the left."""

    windows: tuple[Window, ...]
    overlap_mm: float


class _Plan(Frozen, kw_only=True):
    """A region in bands: the frame of each and the number of its windows; `down` for columns."""

    bands: tuple[tuple[Frame, int], ...]
    down: bool

    @property
    def count(self) -> int:
        """Number of windows."""
        return sum(count for _, count in self.bands)


def tile_over(
    frames: Sequence[Frame],
    region: Box,
    overlap_mm: float,
    spared: tuple[Sequence[Extent], Sequence[Extent]] = ((), ()),
) -> Tiling | None:
    """Return the fewest windows that cover `region` (in scene coordinates), neighbours sharing
    `overlap_mm`; None if the paper is too small to show a useful part.

    They are arranged in bands, rows or columns, each with one orientation of the paper; among
    equals, all have one orientation, portrait is preferred, and rows are preferred. Seams avoid the
    extents to be `spared` (along x and along y) as far as possible.
    """
    plans = [
        plan for down in (False, True) for plan in _plans(frames, region, overlap_mm, down=down)
    ]

    def effort(plan: _Plan) -> tuple[int, int]:
        return plan.count, len({id(frame) for frame, _ in plan.bands})

    best = min(plans, key=effort, default=None)
    if best is None:
        return None
    return Tiling(windows=tuple(_windows(best, region, overlap_mm, spared)), overlap_mm=overlap_mm)


def _most(frame: Frame, axis: int) -> float:
    """Return the maximum width (or height) of a window on a page."""
    return frame.room[2 + axis] - 2 * RIM_MM


def _plans(frames: Sequence[Frame], region: Box, overlap: float, *, down: bool) -> Iterator[_Plan]:
    """Yield bands in the first orientation, in the second, and in the first followed by the
    second."""
    along, across = (1, 0) if down else (0, 1)
    length, depth = region[2 + along], region[2 + across]
    counted = [(frame, _count(length, _most(frame, along), overlap)) for frame in frames]
    usable = [(frame, count) for frame, count in counted if count]
    for frame, count in usable:
        bands = _count(depth, _most(frame, across), overlap)
        if bands:
            yield _Plan(bands=((frame, count),) * bands, down=down)
    if len(usable) < 2:
        return
    one, other = usable
    step = _most(one[0], across) - overlap
    if step < _LEAST_STEP_MM:
        return
    for bands in range(1, math.ceil((depth - overlap) / step)):
        more = _count(depth - bands * step, _most(other[0], across), overlap)
        if more:
            yield _Plan(bands=(one,) * bands + (other,) * more, down=down)


def _count(length: float, most: float, overlap: float) -> int | None:
    """Return the number of windows needed along one side."""
    if length <= most + _EPS:
        return 1
    step = most - overlap
    return math.ceil((length - overlap - _EPS) / step) if step >= _LEAST_STEP_MM else None


def _windows(
    plan: _Plan, region: Box, overlap: float, spared: tuple[Sequence[Extent], Sequence[Extent]]
) -> Iterator[Window]:
    along, across = (1, 0) if plan.down else (0, 1)
    depths = [_most(frame, across) for frame, _ in plan.bands]
    spans = _spans(region[across], region[2 + across], depths, overlap, spared[across])
    counts = tuple(count for _, count in plan.bands)
    for band, ((frame, count), (low, high)) in enumerate(zip(plan.bands, spans, strict=True)):
        lengths = [_most(frame, along)] * count
        inner = _spans(region[along], region[2 + along], lengths, overlap, spared[along])
        for number, (first, last) in enumerate(inner):
            row, column = band, number
            box = (first, low, last - first, high - low)
            if plan.down:
                row, column = number, band
                box = (low, first, high - low, last - first)
            x, y, room_width, room_height = frame.room
            at = (x + (room_width - box[2]) / 2, y + (room_height - box[3]) / 2)
            part = Part(row=row, column=column, bands=counts, down=plan.down)
            yield Window(part=part, box=box, frame=frame, at=at)


def _spans(
    start: float, length: float, most: Sequence[float], overlap: float, spared: Sequence[Extent]
) -> list[tuple[float, float]]:
    """Return the first and last coordinate of each window, given the maximum that each can show
    along a side. Each gives up its share of their slack, or enough to move the seams to where
    they cut least."""
    count, whole, end = len(most), math.fsum(most), start + length
    slack = whole - overlap * (count - 1) - length
    lengths = [own - slack * own / whole for own in most]
    if len(set(most)) == 1:
        lengths = [(length + (count - 1) * overlap) / count] * count
    seams = [
        start + math.fsum(lengths[:number]) - overlap * (number - 0.5) for number in range(1, count)
    ]
    if spared and seams:
        seams = _moved(seams, (start, end), most, overlap, spared)
    edges = [start + overlap / 2, *seams, end - overlap / 2]
    return [(low - overlap / 2, high + overlap / 2) for low, high in pairwise(edges)]


def _moved(
    seams: Sequence[float],
    ends: tuple[float, float],
    most: Sequence[float],
    overlap: float,
    spared: Sequence[Extent],
) -> list[float]:
    """Return seams moved so that together they cut least, by the smallest sufficient shift; no
    window exceeds its maximum."""
    # Dynamic programming: for each position of the last seam, the minimum cost and the seams that
    # lead there.
    ways: dict[float, tuple[float, tuple[float, ...]]] = {ends[0] + overlap / 2: (0.0, ())}
    for number, usual in enumerate(seams):
        reach = most[number] - overlap
        steps = math.floor(min(reach, _SEAM_REACH_MM) / _SEAM_STEP_MM)
        rest = math.fsum(own - overlap for own in most[number + 1 :])
        found = {}
        for step in range(-steps, steps + 1):
            at = usual + step * _SEAM_STEP_MM
            if ends[1] - overlap / 2 - at > rest + _EPS:
                continue
            cut = math.fsum(
                weight
                for low, high, weight in spared
                if low < at + _SEAM_HALF_MM and high > at - _SEAM_HALF_MM
            )
            # Add a thousandth per step, so that of equal cuts the smallest move wins.
            cost = cut + abs(step) * 1e-3
            options = [
                (before + cost, (*earlier, at))
                for last, (before, earlier) in ways.items()
                if _LEAST_STEP_MM <= at - last <= reach + _EPS
            ]
            if options:
                found[at] = min(options)
        if not found:
            return list(seams)
        ways = found
    return list(min(ways.values())[1])


def joining_marks(window: Window, tiling: Tiling, trim: tuple[float, float], theme: Theme) -> Items:
    """Return marks beside a window where it joins its neighbours (the middle of the overlap) and
    where the piece is cut (`trim` is its width and height), with the names of the neighbours."""
    overlap_mm = tiling.overlap_mm
    part, (x, y) = window.part, window.at
    left, top, width, height = window.box
    above, below = y - _CLEAR_MM, y + height + _CLEAR_MM
    before, behind = x - _CLEAR_MM, x + width + _CLEAR_MM
    commands: list[Command] = []
    for at in cuts(left, width, overlap_mm, (part.column, part.columns), trim[0]):
        px = x + at - left
        commands += (("M", px, above), ("L", px, above - _MARK_MM))
        commands += (("M", px, below), ("L", px, below + _MARK_MM))
    for at in cuts(top, height, overlap_mm, (part.row, part.rows), trim[1]):
        py = y + at - top
        commands += (("M", before, py), ("L", before - _MARK_MM, py))
        commands += (("M", behind, py), ("L", behind + _MARK_MM, py))
    stroke = theme.stroke("sheet.mark")
    marks = Path(tuple(commands), stroke=stroke, role=Role.MARK)
    return (marks, *_neighbours(window, tiling, theme))


def cuts(
    start: float, length: float, overlap: float, of: tuple[int, int], trim: float
) -> tuple[float, float]:
    """Return cut positions along one side: the trim at outer windows, the middle of the overlap at
    inner ones. `of` is the index of the window and the number of windows."""
    index, count = of
    first = start + overlap / 2 if index else 0.0
    return first, start + length - overlap / 2 if index < count - 1 else trim


def _neighbours(window: Window, tiling: Tiling, theme: Theme) -> Iterator[Item]:
    """Yield the names of neighbouring parts beside the middle of each side, with an arrowhead
    towards them."""
    (x, y), (_, _, width, height) = window.at, window.box
    style, ink = theme.type("sheet"), theme.ink("text.soft")
    sides = (
        (-1, 0, x - _CLEAR_MM - _NAME_MM, y + height / 2),
        (1, 0, x + width + _CLEAR_MM + _NAME_MM, y + height / 2),
        (0, -1, x + width / 2, y - _CLEAR_MM - _NAME_MM),
        (0, 1, x + width / 2, y + height + _CLEAR_MM + _NAME_MM),
    )
    for dx, dy, px, py in sides:
        names = [
            other.part.name
            for other in tiling.windows
            if _joins(window.box, other.box, (dx, dy), tiling.overlap_mm)
        ]
        if not names:
            continue
        tip = (px + dx * 1.1, py + dy * 1.1)
        wings = ((px - dx * 0.7 - dy, py - dy * 0.7 - dx), (px - dx * 0.7 + dy, py - dy * 0.7 + dx))
        yield Path(polygon_path((tip, *wings)), fill=ink, role=Role.MARK)
        # Keep the words horizontal, below or beside the arrowhead, whichever way it points.
        if dx:
            for number, name in enumerate(names):
                base = py + 1.6 + number * style.size_mm + style.cap_height_mm
                yield from set_line(name, style, ink, px, base, anchor=Anchor.MIDDLE)
        else:
            words = " ".join(names)
            middle = px + text_width(words, style) / 2 + 1.6
            base = py + style.cap_height_mm / 2
            yield from set_line(words, style, ink, middle, base, anchor=Anchor.MIDDLE)


def _joins(box: Box, other: Box, way: tuple[int, int], overlap: float) -> bool:
    """Return True if another window joins a window on the side that `way` points to."""
    axis = 0 if way[0] else 1
    side = 1 - axis
    ends, other_ends = (tuple(one[at] + one[2 + at] for at in (0, 1)) for one in (box, other))
    shared = min(ends[side], other_ends[side]) - max(box[side], other[side])
    if way[axis] > 0:
        meets = math.isclose(other[axis], ends[axis] - overlap, abs_tol=1e-3)
    else:
        meets = math.isclose(other_ends[axis], box[axis] + overlap, abs_tol=1e-3)
    return meets and shared > overlap + _EPS


# Documents with a single page that is just large enough for one scene.


_MARK = Stroke(BLACK, 0.1)
_RIM_MM = 2.0


def single_page(scene: Scene, title: str, *, marks: bool = True) -> Document:
    """Return a document of one page with one piece: trim, bleed, crop marks and a small rim, or
    (without `marks`) exactly trim and bleed. `title` names the document; its stem is the scene's
    key with "-" for ":"."""
    page = piece_page(scene, rim_mm=CLEAR_MM + MARK_MM + _RIM_MM) if marks else piece_page(scene)
    return Document(
        stem=scene.key.replace(":", "-"),
        title=title,
        subject=scene.label or scene.key,
        pages=(page,),
    )


def piece_page(
    scene: Scene,
    *,
    rim_mm: float = 0.0,
    bleed_mm: float | None = None,
    rotation: int = 0,
    extra: Items = (),
) -> Page:
    """Return a page with one piece and its bleed (at most `bleed_mm`), and crop marks in the rim,
    if any. `rotation` rotates the piece clockwise (0, 90 or 270 degrees). `extra` is painted
    over it, in the piece's coordinates."""
    bleed = scene.bleed_mm if bleed_mm is None else min(bleed_mm, scene.bleed_mm)
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    edge = rim_mm + bleed
    whole = (size[0] + 2 * edge, size[1] + 2 * edge)
    trim = (edge, edge, *size)
    bleed_box = (rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
    items: list[Item] = [_placed(scene, trim, rotation, extra)]
    if rim_mm:
        commands = corner_marks(form_of(scene), [trim], bleed, math.inf)
        items = [
            Group(tuple(items), clip=rectangle_path(*bleed_box)),
            Path(commands, stroke=_MARK, role=Role.MARK),
        ]
    return Page(_sheet(scene, whole, items), trim, bleed_box)


def canvas_page(
    scene: Scene,
    canvas_mm: tuple[float, float],
    *,
    rotation: int = 0,
    extra: Items = (),
    around: Ink = WHITE,
) -> Page:
    """Return a page of a given size in mm with one piece in its middle and a ground around it, out
    of which a shop cuts its product."""
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    trim = ((canvas_mm[0] - size[0]) / 2, (canvas_mm[1] - size[1]) / 2, *size)
    ground = Path(rectangle_path(0, 0, *canvas_mm), fill=around)
    sheet = _sheet(scene, canvas_mm, [ground, _placed(scene, trim, rotation, extra)])
    return Page(sheet, trim, (0.0, 0.0, *canvas_mm))


def _placed(scene: Scene, box: Box, rotation: int, extra: Items) -> Group:
    return Group((Use(scene), *extra), matrix=turned_into(box, rotation))


def _sheet(scene: Scene, size_mm: tuple[float, float], items: Sequence[Item]) -> Scene:
    key, (width, height) = f"page:{scene.key}", size_mm
    return Scene(key, width, height, tuple(items), label=scene.label)


# Overviews of many faces in rows and columns, cropped and close together.


class Grid(Frozen, kw_only=True):
    """Cells of one size in pixels, in `columns` and `rows`."""

    columns: int
    rows: int
    cell_px: tuple[int, int]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self.columns * self.cell_px[0], self.rows * self.cell_px[1]

    def corner_px(self, index: int) -> tuple[int, int]:
        """Return the upper left corner of a cell; cells are counted row by row from 0."""
        row, column = divmod(index, self.columns)
        return column * self.cell_px[0], row * self.cell_px[1]


def pixels_of(size_mm: tuple[float, float], dpi: float, most_px: int) -> tuple[int, int]:
    """Return width and height in pixels, reduced from `dpi` where a side would exceed `most_px`."""
    per_mm = min(dpi / MM_PER_INCH, most_px / max(size_mm))
    return max(1, round(size_mm[0] * per_mm)), max(1, round(size_mm[1] * per_mm))


def grids(
    count: int, cell_px: tuple[int, int], most: tuple[int, int], most_px: int
) -> tuple[Grid, ...]:
    """Return the fewest grids that hold `count` cells, each with at most `most` columns and rows
    and `most_px` a side; all but the last are full."""
    columns, rows = (
        max(1, min(limit, most_px // side)) for limit, side in zip(most, cell_px, strict=True)
    )
    filled = []
    while count > 0:
        here = min(count, columns * rows)
        wide = min(here, columns)
        filled.append(Grid(columns=wide, rows=-(-here // wide), cell_px=cell_px))
        count -= here
    return tuple(filled)


def sheet_of(key: str, faces: Sequence[Scene], grid: Grid, cell_mm: tuple[float, float]) -> Scene:
    """Return a picture with one face in each cell, cut along its outline; everything else stays
    transparent."""
    across, down = cell_mm
    items = []
    for index, scene in enumerate(faces):
        row, column = divmod(index, grid.columns)
        matrix = translation(column * across, row * down)
        items.append(Group((cut_out(scene),), matrix=matrix))
    width, height = grid.columns * across, grid.rows * down
    return Scene(key, width, height, tuple(items))


def cut_out(scene: Scene) -> Group:
    """Return a face without its bleed. Rectangles lie on white paper, because charts paint no
    ground."""
    paper = () if scene.outline else (Path(scene.die_line, fill=WHITE),)
    return Group((*paper, Use(scene)), clip=scene.die_line)


def turned(scene: Scene, degrees: float) -> Scene:
    """Return a face cut out and rotated clockwise about its middle, within the same width and
    height."""
    middle = (scene.width_mm / 2, scene.height_mm / 2)
    item = Group((cut_out(scene),), matrix=rotation(degrees, middle))
    key = f"{scene.key}:{degrees:g}"
    return Scene(
        key,
        scene.width_mm,
        scene.height_mm,
        (item,),
        outline=scene.outline,
    )
