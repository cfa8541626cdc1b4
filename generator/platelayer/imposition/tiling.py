"""Tiling: windows that overlap and together show something larger than the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.imposition.arrange import form_of
from platelayer.imposition.foot import Part
from platelayer.imposition.marks import CLEAR_MM, MARK_MM, corner_marks
from platelayer.imposition.page import Box, Document, Page
from platelayer.imposition.paper import Frame
from platelayer.scene.inks import BLACK, WHITE, Ink
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Group,
    Item,
    Matrix,
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
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import set_line, text_width

RIM_MM = 3.4
"""Room reserved around a window for joining marks and the names of its neighbours."""
_LEAST_STEP_MM = 20.0
_MARK_MM, _CLEAR_MM = 2.8, 0.6
_NAME_MM = 1.6
"""From a window to the middle of the name of its neighbour."""
_SEAM_STEP_MM, _SEAM_REACH_MM = 1.0, 90.0
_SEAM_HALF_MM = 0.6
"""How far apart seams are tried, how far from where they usually are, and half the width of what
one must not run through."""
_EPS = 1e-6

Extent = tuple[float, float, float]
"""What should not be cut: from where to where it reaches along a side, and how much it weighs."""


class Window(Struct, frozen=True, kw_only=True):
    """One part: what it shows, in the coordinates of the scene; its page, and where it is there
    (`at` is the upper left of the window on the page)."""

    part: Part
    box: Box
    frame: Frame
    at: tuple[float, float]


class Tiling(Struct, frozen=True, kw_only=True):
    """All windows, in the order of their bands: rows from the top, or columns from the left."""

    windows: tuple[Window, ...]
    overlap_mm: float


class _Plan(Struct, frozen=True, kw_only=True):
    """A region in bands: the frame of each and the number of its windows; `down` for columns."""

    bands: tuple[tuple[Frame, int], ...]
    down: bool

    @property
    def count(self) -> int:
        """How many windows it has."""
        return sum(count for _, count in self.bands)


def tile_over(
    frames: Sequence[Frame],
    region: Box,
    overlap_mm: float,
    spared: tuple[Sequence[Extent], Sequence[Extent]] = ((), ()),
) -> Tiling | None:
    """The fewest windows that cover `region` (in the scene's coordinates), neighbours sharing
    `overlap_mm`: in bands, rows or columns, each of one orientation of the paper; among equals all
    of one, portrait first, in rows. Seams run through as little as possible of what is to be
    `spared` (along x and along y). None if the paper is too small to show a useful part."""
    best = _fewest(frames, region, overlap_mm)
    if best is None:
        return None
    return Tiling(windows=tuple(_windows(best, region, overlap_mm, spared)), overlap_mm=overlap_mm)


def parts_over(frames: Sequence[Frame], region: Box, overlap_mm: float) -> int:
    """How many windows `tile_over` needs; 0 if it has none."""
    best = _fewest(frames, region, overlap_mm)
    return best.count if best else 0


def _fewest(frames: Sequence[Frame], region: Box, overlap: float) -> _Plan | None:
    plans = [plan for down in (False, True) for plan in _plans(frames, region, overlap, down=down)]
    return min(
        plans,
        key=lambda plan: (plan.count, len({id(frame) for frame, _ in plan.bands})),
        default=None,
    )


def _most(frame: Frame, axis: int) -> float:
    """How wide (or high) a window on a page can be."""
    return frame.room[2 + axis] - 2 * RIM_MM


def _plans(frames: Sequence[Frame], region: Box, overlap: float, *, down: bool) -> Iterator[_Plan]:
    """Bands of the first orientation, of the second, and of the first and then the second."""
    along, across = (1, 0) if down else (0, 1)
    usable = [
        (frame, count)
        for frame in frames
        if (count := _count(region[2 + along], _most(frame, along), overlap))
    ]
    for frame, count in usable:
        bands = _count(region[2 + across], _most(frame, across), overlap)
        if bands:
            yield _Plan(bands=((frame, count),) * bands, down=down)
    if len(usable) < 2:
        return
    (one, of_one), (other, of_other) = usable
    first = _most(one, across) - overlap
    for bands in range(
        1, max(1, math.ceil((region[2 + across] - overlap) / max(first, _LEAST_STEP_MM)))
    ):
        more = _count(region[2 + across] - bands * first, _most(other, across), overlap)
        if more and first >= _LEAST_STEP_MM:
            yield _Plan(bands=((one, of_one),) * bands + ((other, of_other),) * more, down=down)


def _count(length: float, most: float, overlap: float) -> int | None:
    """Windows needed along one side."""
    if length <= most + _EPS:
        return 1
    step = most - overlap
    return math.ceil((length - overlap - _EPS) / step) if step >= _LEAST_STEP_MM else None


def _windows(
    plan: _Plan, region: Box, overlap: float, spared: tuple[Sequence[Extent], Sequence[Extent]]
) -> Iterator[Window]:
    along, across = (1, 0) if plan.down else (0, 1)
    start, length = region[across], region[2 + across]
    spans = _spans(
        start, length, [_most(frame, across) for frame, _ in plan.bands], overlap, spared[across]
    )
    counts = tuple(count for _, count in plan.bands)
    for band, ((frame, count), (low, high)) in enumerate(zip(plan.bands, spans, strict=True)):
        inner = _spans(
            region[along], region[2 + along], [_most(frame, along)] * count, overlap, spared[along]
        )
        for number, (first, last) in enumerate(inner):
            row, column = (number, band) if plan.down else (band, number)
            box = (
                (low, first, high - low, last - first)
                if plan.down
                else (first, low, last - first, high - low)
            )
            x, y, room_width, room_height = frame.room
            at = (x + (room_width - box[2]) / 2, y + (room_height - box[3]) / 2)
            part = Part(row=row, column=column, bands=counts, down=plan.down)
            yield Window(part=part, box=box, frame=frame, at=at)


def _spans(
    start: float, length: float, most: Sequence[float], overlap: float, spared: Sequence[Extent]
) -> list[tuple[float, float]]:
    """Where windows that are at most so long begin and end along a side: each gives up its share of
    what they have to spare, or as much as moves the seams to where they cut least."""
    slack = math.fsum(most) - overlap * (len(most) - 1) - length
    whole = math.fsum(most)
    lengths = [own - slack * own / whole for own in most]
    if len(set(most)) == 1:
        lengths = [(length + (len(most) - 1) * overlap) / len(most)] * len(most)
    seams = [
        start + math.fsum(lengths[:number]) - overlap * (number - 0.5)
        for number in range(1, len(most))
    ]
    if spared and seams:
        seams = _moved(seams, (start, start + length), most, overlap, spared)
    edges = [start + overlap / 2, *seams, start + length - overlap / 2]
    return [(low - overlap / 2, high + overlap / 2) for low, high in pairwise(edges)]


def _moved(
    seams: Sequence[float],
    ends: tuple[float, float],
    most: Sequence[float],
    overlap: float,
    spared: Sequence[Extent],
) -> list[float]:
    """Seams moved so that together they cut least, and by as little as that takes; no window grows
    beyond its most."""
    ways: dict[float, tuple[float, tuple[float, ...]]] = {ends[0] + overlap / 2: (0.0, ())}
    for number, usual in enumerate(seams):
        reach = most[number] - overlap
        steps = math.floor(min(reach, _SEAM_REACH_MM) / _SEAM_STEP_MM)
        rest = math.fsum(own - overlap for own in most[number + 1 :])
        found: dict[float, tuple[float, tuple[float, ...]]] = {}
        for step in range(-steps, steps + 1):
            at = usual + step * _SEAM_STEP_MM
            if ends[1] - overlap / 2 - at > rest + _EPS:
                continue
            cost = _cut(at, spared) + abs(step) * 1e-3
            options = [
                (so_far + cost, (*before, at))
                for last, (so_far, before) in ways.items()
                if _LEAST_STEP_MM <= at - last <= reach + _EPS
            ]
            if options:
                found[at] = min(options)
        if not found:
            return list(seams)
        ways = found
    return list(min(ways.values())[1])


def _cut(at: float, spared: Sequence[Extent]) -> float:
    """How much of what is to be spared a seam runs through."""
    return math.fsum(
        weight
        for low, high, weight in spared
        if low < at + _SEAM_HALF_MM and high > at - _SEAM_HALF_MM
    )


def joining_marks(
    window: Window, tiling: Tiling, trim: tuple[float, float], theme: Theme
) -> tuple[Item, ...]:
    """Beside a window: marks where it joins its neighbours (the middle of the overlap) and where
    the piece is cut (`trim` is its width and height), with the names of the neighbours."""
    overlap_mm = tiling.overlap_mm
    part, (x, y) = window.part, window.at
    left, top, width, height = window.box
    commands: list[Command] = []
    for at in cuts(left, width, overlap_mm, (part.column, part.columns), trim[0]):
        px = x + at - left
        commands += (("M", px, y - _CLEAR_MM), ("L", px, y - _CLEAR_MM - _MARK_MM))
        commands += (
            ("M", px, y + height + _CLEAR_MM),
            ("L", px, y + height + _CLEAR_MM + _MARK_MM),
        )
    for at in cuts(top, height, overlap_mm, (part.row, part.rows), trim[1]):
        py = y + at - top
        commands += (("M", x - _CLEAR_MM, py), ("L", x - _CLEAR_MM - _MARK_MM, py))
        commands += (("M", x + width + _CLEAR_MM, py), ("L", x + width + _CLEAR_MM + _MARK_MM, py))
    return (
        Path(commands=tuple(commands), stroke=theme.stroke("sheet.mark"), role=Role.MARK),
        *_neighbours(window, tiling, theme),
    )


def cuts(
    start: float, length: float, overlap: float, of: tuple[int, int], trim: float
) -> tuple[float, float]:
    """Positions along one side: the trim at outer windows, the middle of the overlap at inner ones.
    `of` is the index of the window and how many there are."""
    index, count = of
    first = start + overlap / 2 if index else 0.0
    return first, start + length - overlap / 2 if index < count - 1 else trim


def _neighbours(window: Window, tiling: Tiling, theme: Theme) -> Iterator[Item]:
    """The names of neighbouring parts beside the middle of each side, with an arrowhead towards
    them."""
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
            if _is_beyond(window, other, (dx, dy), tiling.overlap_mm)
        ]
        if not names:
            continue
        yield from _arrowhead((px, py), (dx, dy), ink)
        # Words are level, below or beside the arrowhead, whichever way it points.
        if dx:
            for number, name in enumerate(names):
                base = py + 1.6 + number * style.size_mm + style.cap_height_mm
                yield from set_line(name, style, ink, px, base, anchor=Anchor.MIDDLE)
        else:
            words = " ".join(names)
            middle = px + text_width(words, style) / 2 + 1.6
            yield from set_line(
                words, style, ink, middle, py + style.cap_height_mm / 2, anchor=Anchor.MIDDLE
            )


def _arrowhead(at: tuple[float, float], way: tuple[int, int], ink: Ink) -> Iterator[Item]:
    (px, py), (dx, dy) = at, way
    tip = ((px + dx * 1.1, py + dy * 1.1), (px - dx * 0.7 - dy, py - dy * 0.7 - dx))
    tail = (px - dx * 0.7 + dy, py - dy * 0.7 + dx)
    yield Path(commands=polygon_path((*tip, tail)), fill=ink, role=Role.MARK)


def _is_beyond(window: Window, other: Window, way: tuple[int, int], overlap: float) -> bool:
    """Whether another window joins a window on one side."""
    axis = 0 if way[0] else 1
    beside = 1 - axis
    shared = min(_end(window, beside), _end(other, beside)) - max(
        window.box[beside], other.box[beside]
    )
    if way[axis] > 0:
        meets = math.isclose(other.box[axis], _end(window, axis) - overlap, abs_tol=1e-3)
    else:
        meets = math.isclose(_end(other, axis), window.box[axis] + overlap, abs_tol=1e-3)
    return meets and shared > overlap + _EPS


def _end(window: Window, axis: int) -> float:
    return window.box[axis] + window.box[2 + axis]


# Documents with one page that is just large enough for one scene.


_MARK = Stroke(ink=BLACK, width_mm=0.1)
_RIM_MM = 2.0


def single_page(scene: Scene, title: str, *, marks: bool = True) -> Document:
    """A document of one page with one piece: trim, bleed, crop marks and a small rim, or (without
    `marks`) exactly trim and bleed. `title` names the document; its stem is the scene's key with
    "-" for ":"."""
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
    extra: tuple[Item, ...] = (),
) -> Page:
    """A page that holds one piece with its bleed (at most `bleed_mm`), and with a rim crop marks in
    it. `rotation` turns the piece clockwise (0, 90 or 270 degrees). `extra` is painted over it, in
    the piece's coordinates."""
    bleed = scene.bleed_mm if bleed_mm is None else min(bleed_mm, scene.bleed_mm)
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    edge = rim_mm + bleed
    whole = (size[0] + 2 * edge, size[1] + 2 * edge)
    items: list[Item] = [_placed(scene, (edge, edge), rotation, extra)]
    if rim_mm:
        held = rectangle_path(rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
        commands = corner_marks(form_of(scene), [(edge, edge, *size)], bleed, math.inf)
        items = [
            Group(items=tuple(items), clip=held),
            Path(commands=commands, stroke=_MARK, role=Role.MARK),
        ]
    bleed_box = (rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
    return Page(scene=_sheet(scene, whole, items), trim=(edge, edge, *size), bleed=bleed_box)


def canvas_page(
    scene: Scene,
    canvas_mm: tuple[float, float],
    *,
    rotation: int = 0,
    extra: tuple[Item, ...] = (),
    around: Ink = WHITE,
) -> Page:
    """A page of a given size in mm with one piece in its middle and a ground around it: a shop cuts
    its product out of it."""
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    at = ((canvas_mm[0] - size[0]) / 2, (canvas_mm[1] - size[1]) / 2)
    ground = Path(commands=rectangle_path(0, 0, *canvas_mm), fill=around)
    sheet = _sheet(scene, canvas_mm, [ground, _placed(scene, at, rotation, extra)])
    return Page(scene=sheet, trim=(*at, *size), bleed=(0.0, 0.0, *canvas_mm))


def _placed(scene: Scene, at: tuple[float, float], rotation: int, extra: tuple[Item, ...]) -> Group:
    x, y = at
    matrix: Matrix = {
        0: translation(x, y),
        90: (0.0, 1.0, -1.0, 0.0, x + scene.height_mm, y),
        270: (0.0, -1.0, 1.0, 0.0, x, y + scene.width_mm),
    }[rotation]
    return Group(items=(Use(scene=scene), *extra), matrix=matrix)


def _sheet(scene: Scene, size_mm: tuple[float, float], items: Sequence[Item]) -> Scene:
    key = f"page:{scene.key}"
    return Scene(
        key=key, width_mm=size_mm[0], height_mm=size_mm[1], items=tuple(items), label=scene.label
    )


# Pictures of many faces in rows and columns, cut out and close together.


class Grid(Struct, frozen=True, kw_only=True):
    """Cells of one size in pixels, `columns` of them beside each other and `rows` below each
    other."""

    columns: int
    rows: int
    cell_px: tuple[int, int]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self.columns * self.cell_px[0], self.rows * self.cell_px[1]

    def corner_px(self, index: int) -> tuple[int, int]:
        """The upper left corner of a cell; cells are counted row by row from 0."""
        row, column = divmod(index, self.columns)
        return column * self.cell_px[0], row * self.cell_px[1]


def pixels_of(size_mm: tuple[float, float], dpi: float, most_px: int) -> tuple[int, int]:
    """Width and height in pixels, fewer than at `dpi` where a side would have more than
    `most_px`."""
    per_mm = min(dpi / MM_PER_INCH, most_px / max(size_mm))
    return max(1, round(size_mm[0] * per_mm)), max(1, round(size_mm[1] * per_mm))


def grids(
    count: int, cell_px: tuple[int, int], most: tuple[int, int], most_px: int
) -> tuple[Grid, ...]:
    """The fewest grids that hold `count` cells, each of at most `most` columns and rows and
    `most_px` a side; all but the last are full."""
    columns, rows = (
        max(1, min(limit, most_px // side)) for limit, side in zip(most, cell_px, strict=True)
    )
    filled: list[Grid] = []
    while count > 0:
        here = min(count, columns * rows)
        wide = min(here, columns)
        filled.append(Grid(columns=wide, rows=-(-here // wide), cell_px=cell_px))
        count -= here
    return tuple(filled)


def sheet_of(key: str, faces: Sequence[Scene], grid: Grid, cell_mm: tuple[float, float]) -> Scene:
    """A picture with one face in each cell, cut along its outline; what is beyond stays clear."""
    items = [
        Group(items=(cut_out(scene),), matrix=translation(*_corner(grid, index, cell_mm)))
        for index, scene in enumerate(faces)
    ]
    size = grid.columns * cell_mm[0], grid.rows * cell_mm[1]
    return Scene(key=key, width_mm=size[0], height_mm=size[1], items=tuple(items))


def _corner(grid: Grid, index: int, cell_mm: tuple[float, float]) -> tuple[float, float]:
    row, column = divmod(index, grid.columns)
    return column * cell_mm[0], row * cell_mm[1]


def cut_out(scene: Scene) -> Group:
    """A face without its bleed. Rectangles lie on white paper: charts paint none of their own."""
    paper: tuple[Item, ...] = () if scene.outline else (Path(commands=scene.die_line, fill=WHITE),)
    return Group(items=(*paper, Use(scene=scene)), clip=scene.die_line)


def turned(scene: Scene, degrees: float) -> Scene:
    """A face cut out and turned clockwise about its middle, within the same width and height."""
    middle = (scene.width_mm / 2, scene.height_mm / 2)
    item = Group(items=(cut_out(scene),), matrix=rotation(degrees, middle))
    key = f"{scene.key}:{degrees:g}"
    return Scene(
        key=key,
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        items=(item,),
        outline=scene.outline,
    )
