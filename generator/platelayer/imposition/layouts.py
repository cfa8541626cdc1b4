"""Layouts: offset rows, grids, gangs, nests, one piece per page, posters, and parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product

from msgspec.structs import replace

from platelayer.imposition.arrange import (
    Places,
    Sides,
    between_rows,
    form_of,
    grid,
    grown,
    honeycomb,
    offset_rows,
    rectangle_round,
)
from platelayer.imposition.cut import die_lines
from platelayer.imposition.draft import (
    Draft,
    PieceToPrint,
    Placed,
    SheetSettings,
    View,
    is_turned,
    pages_of,
    placed_front,
    with_blanks,
)
from platelayer.imposition.foot import fixed, printable
from platelayer.imposition.ganging import (
    Batch,
    Gang,
    common_gang,
    die_sheets,
    fits_die,
    fits_gang,
    gang,
)
from platelayer.imposition.marks import (
    CLEAR_MM,
    MARK_MM,
    corner_gap_mm,
    corner_marks,
    corner_reach_mm,
    edge_marks,
    row_marks,
    row_reserve_mm,
)
from platelayer.imposition.nesting import can_nest, nest_fits, nest_sheets
from platelayer.imposition.page import Box, CutLine
from platelayer.imposition.paper import MAX_PAPER_MM, REGISTER_RIM_MM, Frame, frame_round, frames
from platelayer.imposition.plan import Board, Layout
from platelayer.imposition.tiling import (
    Extent,
    Tiling,
    Window,
    cuts,
    joining_marks,
    parts_over,
    tile_over,
)
from platelayer.model.kinds import Form
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import (
    Command,
    Group,
    Scene,
    Use,
    rectangle_path,
    transform_commands,
    translation,
)

_COS_30 = math.cos(math.radians(30))
_EPS = 1e-6
_AS_A_CARD_MM = 110.0
"""Longer than any card on a board is what only frames what is there."""

Commands = tuple[Command, ...]
_Shape = tuple[float, float, float]
"""Width, height and bleed of pieces of one form: they share their clip."""


def lay_out(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pages with every copy of every piece that fits the paper (`fits` says which do)."""
    return _LAY_OUT[layout.arrange](entries, layout, settings)


def fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    """Whether a layout can print a piece on this paper."""
    return _FITS[layout.arrange](scene, layout, settings)


def _alike(entries: Iterable[PieceToPrint]) -> list[tuple[Form, list[PieceToPrint]]]:
    """Pieces of one form and size (either way up) together, in the order they first come."""
    by_size: dict[tuple[Form, float, float], list[PieceToPrint]] = {}
    for entry in entries:
        short, long = sorted((entry.scene.width_mm, entry.scene.height_mm))
        by_size.setdefault((form_of(entry.scene), round(short, 2), round(long, 2)), []).append(
            entry
        )
    return [(form, alike) for (form, _, _), alike in by_size.items()]


def _count(entries: Iterable[PieceToPrint]) -> int:
    """How many copies of some pieces there are."""
    return sum(entry.piece.count for entry in entries)


def _bleed(scene: Scene, layout: Layout) -> float:
    """How far a piece bleeds if nothing is in its way."""
    return min(layout.bleed_mm, scene.bleed_mm)


def _shared(bleed: float, gap: float, form: Form, *, comb: bool = False) -> float:
    """How far pieces `gap` apart may bleed towards each other; the tips of hexagons bleed furthest,
    but in a comb no tip meets another."""
    return min(bleed, gap / 2 * (_COS_30 if form is Form.HEXAGON and not comb else 1.0))


def _row_places(scene: Scene, layout: Layout, settings: SheetSettings) -> Places | None:
    flat_to_flat, corner_to_corner = sorted((scene.width_mm, scene.height_mm))
    least = (
        row_reserve_mm(settings.least_mark_mm) if settings.finish.press else settings.least_mark_mm
    )
    reserve = max(_bleed(scene, layout), least)
    return offset_rows(settings.frames, corner_to_corner, flat_to_flat, reserve)


def _rows(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Hexes in offset rows; other pieces follow in a grid."""
    for form, alike in _alike(entries):
        places = _row_places(alike[0].scene, layout, settings) if form is Form.HEXAGON else None
        if places is None:
            yield from _grids(alike, _grid_instead(layout), settings)
            continue
        clips: dict[_Shape, Commands] = {}
        marks: dict[tuple[Box, ...], Commands] = {}
        per_page = len(places.boxes)
        for run in pages_of(with_blanks(alike, layout.blank_between_groups, per_page), per_page):
            placed = tuple(
                _in_row(entry, box, _bleed(entry.scene, layout), clips)
                for entry, box in zip(run, places.boxes, strict=False)
                if entry is not None
            )
            taken = tuple(copy.box for copy in placed)
            if taken not in marks:
                marks[taken] = row_marks(taken, places.frame.room) if layout.marks != "none" else ()
            yield Draft(
                frame=places.frame, placed=placed, marks=marks[taken], lines=layout.outlined
            )


def _in_row(entry: PieceToPrint, box: Box, bleed: float, clips: dict[_Shape, Commands]) -> Placed:
    shape = (entry.scene.width_mm, entry.scene.height_mm, bleed)
    clip = clips.get(shape)
    if clip is None:
        clip = clips[shape] = between_rows(entry.scene, bleed)
    sides = (0.0, bleed, 0.0, bleed) if box[2] > box[3] else (bleed, 0.0, bleed, 0.0)
    return placed_front(entry, box, bleed=sides, clip=clip)


def _comb_places(
    scene: Scene, layout: Layout, settings: SheetSettings, count: int = 1
) -> Places | None:
    """The honeycomb with the first of the gaps that needs no more sheets than the others."""
    flat_to_flat, corner_to_corner = sorted((scene.width_mm, scene.height_mm))
    best: Places | None = None
    for gap in layout.gaps_mm:
        reserve = min(_bleed(scene, layout), gap / 2) / _COS_30
        places = honeycomb(settings.frames, corner_to_corner, flat_to_flat, gap, reserve)
        if places and (
            best is None or -(-count // len(places.boxes)) < -(-count // len(best.boxes))
        ):
            best = places
    return best


def _combs(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Hexes in a honeycomb; other pieces follow in a grid."""
    for form, alike in _alike(entries):
        count = _count(alike)
        places = (
            _comb_places(alike[0].scene, layout, settings, count) if form is Form.HEXAGON else None
        )
        if places is None:
            yield from _grids(alike, _grid_instead(layout), settings)
            continue
        copies = [entry for entry in alike for _ in range(entry.piece.count)]
        clips: dict[_Shape, Commands] = {}
        for run in pages_of(copies, len(places.boxes)):
            placed = tuple(
                _free_form(
                    entry, box, form, min(_bleed(entry.scene, layout), places.gap_mm / 2), clips
                )
                for entry, box in zip(run, places.boxes, strict=False)
            )
            yield Draft(frame=places.frame, placed=placed, lines=layout.outlined)


def _comb_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    if form_of(scene) is Form.HEXAGON:
        return _comb_places(scene, layout, settings) is not None
    return _grid_places(scene, _grid_instead(layout), settings) is not None


def _grid_instead(layout: Layout) -> Layout:
    """The grid that replaces rows and nests: free on all sides."""
    marks = "none" if layout.marks == "none" else "corners"
    return Layout(
        arrange="grid", bleed_mm=layout.bleed_mm, gaps_mm=(3 * layout.bleed_mm + 2.0,), marks=marks
    )


def _grid_places(
    scene: Scene, layout: Layout, settings: SheetSettings, count: int = 1
) -> Places | None:
    gaps = [
        (gap, _reserve(scene, layout, settings, gap))
        for gap in (_gap(scene, layout, settings, gap) for gap in layout.gaps_mm)
    ]
    return grid(settings.frames, scene.width_mm, scene.height_mm, count=count, gaps_mm=gaps)


def _gap(scene: Scene, layout: Layout, settings: SheetSettings, gap: float) -> float:
    """A gap of the layout; for a shop as much more as its bleed between the tips of hexagons needs,
    and on a press as marks between pieces need."""
    form, bleed = form_of(scene), _bleed(scene, layout)
    if settings.finish.bleed_mm and form is Form.HEXAGON:
        gap = max(gap, 2 * min(bleed, settings.finish.bleed_mm) / _COS_30)
    if settings.finish.press and layout.marks == "corners":
        gap = max(gap, corner_gap_mm(form, bleed, settings.least_mark_mm))
    return gap


def _reserve(
    scene: Scene, layout: Layout, settings: SheetSettings, gap: float
) -> tuple[float, float]:
    """The room that bleed and marks need beside and above a block of pieces a gap apart."""
    form, bleed = form_of(scene), _bleed(scene, layout)
    if layout.marks == "edges":
        return (bleed + CLEAR_MM + settings.least_mark_mm,) * 2
    if layout.marks in ("none", "outlines"):
        return bleed, bleed
    reach = corner_reach_mm(form, _shared(bleed, gap, form), gap)
    return reach if scene.width_mm >= scene.height_mm else reach[::-1]


def _grids(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    for form, alike in _alike(entries):
        count = _count(alike)
        places = _grid_places(alike[0].scene, layout, settings, count)
        if places is not None:
            copies = [entry for entry in alike for _ in range(entry.piece.count)]
            clips: dict[_Shape, Commands] = {}
            for run in pages_of(copies, len(places.boxes)):
                yield _grid_page(form, run, places, layout, clips)


def _grid_page(
    form: Form,
    run: Sequence[PieceToPrint],
    places: Places,
    layout: Layout,
    clips: dict[_Shape, Commands],
) -> Draft:
    placed, marks = _block(form, run, places, layout, clips, room=places.frame.room)
    return Draft(frame=places.frame, placed=placed, marks=marks, lines=layout.outlined)


def _block(
    form: Form,
    run: Sequence[PieceToPrint],
    places: Places,
    layout: Layout,
    clips: dict[_Shape, Commands],
    *,
    room: Box,
) -> tuple[tuple[Placed, ...], Commands]:
    """A grid of pieces of one size, and its marks within a room."""
    columns, gap = places.columns, places.gap_mm
    placed: list[Placed] = []
    for number, (entry, box) in enumerate(zip(run, places.boxes, strict=False)):
        bleed = _bleed(entry.scene, layout)
        shared = _shared(bleed, gap, form, comb=_combs_in(form, layout))
        if layout.square_cells and gap < math.inf:
            # Colour fills the cell, so that a punch or a straight cut may hit any part of it.
            half = (gap / 2,) * 4
            clip = rectangle_round(entry.scene, half)
            placed.append(placed_front(entry, box, bleed=half, clip=clip))
        elif form is Form.RECTANGLE:
            column, last = number % columns, len(run) - 1
            # Towards a neighbour, colour extends at most halfway; towards blank paper, as far as
            # the layout says.
            sides = (
                shared if column else bleed,
                shared if number >= columns else bleed,
                shared if column + 1 < columns and number < last else bleed,
                shared if number + columns <= last else bleed,
            )
            placed.append(_rectangle(entry, box, sides))
        else:
            placed.append(_free_form(entry, box, form, shared, clips))
    most, boxes = max(_bleed(entry.scene, layout) for entry in run), [copy.box for copy in placed]
    marks: Commands = ()
    if layout.marks == "corners":
        marks = corner_marks(form, boxes, _shared(most, gap, form), gap)
    elif layout.marks == "edges":
        marks = edge_marks(boxes, most, room)
    return tuple(placed), marks


def _border_mm(layout: Layout, settings: SheetSettings) -> float:
    """How much of a mark beside a block lies beyond the room that the block has in a gang: what is
    between two blocks is there for the marks of both."""
    return settings.least_mark_mm / 2 if layout.marks == "edges" else 0.0


def _batch(
    scene: Scene, layout: Layout, settings: SheetSettings, gap: float, count: int = 1
) -> Batch:
    form, bleed = form_of(scene), _bleed(scene, layout)
    comb = _combs_in(form, layout)
    gap = gap if comb else _gap(scene, layout, settings, gap)
    around = (max(bleed, gap / 2),) * 2
    if layout.marks == "corners":
        around = _reserve(scene, layout, settings, gap)
    elif layout.marks == "edges":
        around = (_reserve(scene, layout, settings, gap)[0] - _border_mm(layout, settings),) * 2
    size = scene.width_mm, scene.height_mm
    return Batch(
        width_mm=size[0], height_mm=size[1], count=count, gap_mm=gap, around_mm=around, comb=comb
    )


def _combs_in(form: Form, layout: Layout) -> bool:
    """Whether pieces of a form lie in a comb: in a board, whose die follows outlines, hexes and
    discs do."""
    return layout.board is not None and form is not Form.RECTANGLE


def _gangs(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pieces of several sizes (and of several layouts, if the layout gathers them) on sheets that
    they share; where the layout has an overlap, what is too large to share follows, alone or in
    parts."""
    if layout.overlap_mm:
        large = [entry for entry in entries if not _shares(entry.scene, layout, settings)]
        small = [entry for entry in entries if entry not in large]
        for draft in _gangs(small, replace(layout, overlap_mm=0.0), settings) if small else ():
            # What has a sheet to itself is not turned: the sheet is.
            alone = [placed.entry for placed in draft.placed if len(draft.placed) == 1]
            yield from (
                _singles([entry.times(1) for entry in alone], layout, settings)
                if alone
                else (draft,)
            )
        yield from _singles(large, layout, settings)
        return
    sorts = _sorts(entries, layout)
    yield from _ganged(sorts, *_fewest_sheets(sorts, settings), settings, layout)


def _ganged(
    sorts: Sequence[_Sort],
    batches: Sequence[Batch],
    sheets: Sequence[Gang],
    settings: SheetSettings,
    layout: Layout,
) -> Iterator[Draft]:
    """Pieces on sheets that were planned for them; of a punchboard, the last may have places
    without a piece."""
    copies = [
        iter([entry for entry in alike for _ in range(entry.piece.count)]) for _, _, alike in sorts
    ]
    clips: list[dict[_Shape, Commands]] = [{} for _ in sorts]
    # In the order of the game: by the first of the pieces on each sheet, and so are the pieces on
    # it.
    for sheet in sorted(sheets, key=lambda sheet: min(block.batch for block in sheet.blocks)):
        placed: tuple[Placed, ...] = ()
        marks: Commands = ()
        for block in sorted(sheet.blocks, key=lambda block: block.batch):
            own, form, _ = sorts[block.batch]
            gap = batches[block.batch].gap_mm
            places = Places(frame=sheet.frame, boxes=block.boxes, columns=block.columns, gap_mm=gap)
            run = list(islice(copies[block.batch], len(block.boxes)))
            if not run:
                continue
            bleed = max(_bleed(entry.scene, own) for entry in run)
            room = _grown(block.boxes, bleed + CLEAR_MM + settings.least_mark_mm)
            more, beside = _block(form, run, places, own, clips[block.batch], room=room)
            placed, marks = (*placed, *more), (*marks, *beside)
        yield Draft(frame=sheet.frame, placed=placed, marks=marks, lines=layout.outlined)


def _sorts(entries: Iterable[PieceToPrint], layout: Layout) -> list[_Sort]:
    return [
        (own, form, alike)
        for own, together in _by_layout(entries, layout)
        for form, alike in _alike(together)
    ]


_Sort = tuple[Layout, Form, list[PieceToPrint]]


def _by_layout(
    entries: Iterable[PieceToPrint], layout: Layout
) -> list[tuple[Layout, list[PieceToPrint]]]:
    """Pieces by the layout that they are gathered with; those of documents with equal layouts
    together."""
    by_layout: list[tuple[Layout, list[PieceToPrint]]] = []
    for entry in entries:
        own = layout.of.get(entry.piece.kind, layout)
        together = next((alike for known, alike in by_layout if known is own or known == own), None)
        if together is None:
            together = []
            by_layout.append((own, together))
        together.append(entry)
    return by_layout


def _fewest_sheets(
    sorts: Sequence[_Sort], settings: SheetSettings, plan: Callable[..., tuple[Gang, ...]] = gang
) -> tuple[list[Batch], tuple[Gang, ...]]:
    """The sheets with the first of the layouts' gaps that need no more than the others."""
    best: tuple[list[Batch], tuple[Gang, ...]] | None = None
    border = min(_border_mm(own, settings) for own, _, _ in sorts)
    for choice in range(max(len(own.gaps_mm) for own, _, _ in sorts)):
        batches = [
            _batch(
                alike[0].scene,
                own,
                settings,
                own.gaps_mm[min(choice, len(own.gaps_mm) - 1)],
                _count(alike),
            )
            for own, _, alike in sorts
        ]
        if all(fits_gang(settings.frames, batch, border) for batch in batches):
            sheets = plan(settings.frames, batches, border)
            if best is None or len(sheets) < len(best[1]):
                best = batches, sheets
    return best or ([], ())


def _punchboards(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pieces to be punched out of boards, on as few dies as their sizes allow; those with hollows
    have boards of their own, on which they nest."""
    inner = _within_board(layout, settings)
    plain = [entry for entry in entries if not can_nest(entry.scene)]
    if plain:
        sorts = _sorts(plain, layout)
        yield from _boarded(
            _ganged(sorts, *_fewest_sheets(sorts, inner, common_gang), inner, layout), layout
        )
    for _, alike in _alike(entry for entry in entries if can_nest(entry.scene)):
        yield from _boarded(nest_sheets(alike, layout, inner), layout)


def _within_board(layout: Layout, settings: SheetSettings) -> SheetSettings:
    """The settings for pieces that lie within the rim of a board, around which there is room for
    its marks."""
    rim = _rim_mm(layout)
    roomy = (frame for frame in settings.frames if min(frame.room[2:]) > 2 * rim)
    return replace(
        settings, frames=tuple(replace(frame, room=_grown([frame.room], -rim)) for frame in roomy)
    )


def _rim_mm(layout: Layout) -> float:
    return (layout.board or Board()).rim_mm + CLEAR_MM + MARK_MM


def _boarded(drafts: Iterable[Draft], layout: Layout) -> Iterator[Draft]:
    """Sheets as boards with a rim. The first sheet of a plan is full: its outlines are the die for
    all that have no more places than it."""
    board = layout.board or Board()
    places: set[Box] = set()
    trim: Box = (0.0, 0.0, 0.0, 0.0)
    die: tuple[CutLine, ...] = ()
    marks: Commands = ()
    for draft in drafts:
        taken = {placed.box for placed in draft.placed}
        if not taken <= places:
            places, trim = taken, _grown([*taken], board.rim_mm)
            die = (
                *die_lines(draft.placed, board),
                CutLine(id="board", commands=rectangle_path(*trim)),
            )
            marks = corner_marks(Form.RECTANGLE, [trim], layout.bleed_mm, math.inf)
        frame = replace(draft.frame, room=_grown([draft.frame.room], _rim_mm(layout)))
        yield replace(draft, frame=frame, board=trim, die=die, marks=marks)


def _punchboard_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    inner = _within_board(layout, settings)
    return nest_fits(scene, layout, inner) if can_nest(scene) else _shares(scene, layout, inner)


def _grown(boxes: Sequence[Box], by_mm: float) -> Box:
    """The box around some boxes, and as much more on each side."""
    left, top = min(box[0] for box in boxes) - by_mm, min(box[1] for box in boxes) - by_mm
    right, bottom = (
        max(box[0] + box[2] for box in boxes) + by_mm,
        max(box[1] + box[3] for box in boxes) + by_mm,
    )
    return left, top, right - left, bottom - top


def _shares(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    border = _border_mm(layout, settings)
    return any(
        fits_gang(settings.frames, _batch(scene, layout, settings, gap), border)
        for gap in layout.gaps_mm
    )


def _gang_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    return _shares(scene, layout, settings) or (
        layout.overlap_mm > 0.0 and _single_fits(scene, layout, settings)
    )


def _rectangle(entry: PieceToPrint, box: Box, sides: Sides) -> Placed:
    clip = None
    if min(sides) < entry.scene.bleed_mm:
        left, top, right, bottom = sides
        # A quarter turn clockwise brings the piece's left side up.
        clip = rectangle_round(
            entry.scene, (top, right, bottom, left) if is_turned(entry, box) else sides
        )
    return placed_front(entry, box, bleed=sides, clip=clip)


def _free_form(
    entry: PieceToPrint, box: Box, form: Form, bleed: float, clips: dict[_Shape, Commands]
) -> Placed:
    shape = (entry.scene.width_mm, entry.scene.height_mm, bleed)
    clip = clips.get(shape)
    if clip is None:
        clip = clips[shape] = grown(entry.scene, form, bleed)
    tip = bleed / _COS_30 if form is Form.HEXAGON else bleed
    sides = (tip, bleed, tip, bleed) if box[2] >= box[3] else (bleed, tip, bleed, tip)
    return placed_front(entry, box, bleed=sides, clip=clip)


def _nests(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pieces with hollows, as close together as possible; pieces without hollows follow in a
    grid."""
    yield from nest_sheets([entry for entry in entries if can_nest(entry.scene)], layout, settings)
    yield from _grids(
        [entry for entry in entries if not can_nest(entry.scene)], _grid_instead(layout), settings
    )


def _single_places(scene: Scene, layout: Layout, settings: SheetSettings) -> Places | None:
    """The middle of the sheet, with the paper in whichever orientation fits the unturned piece; if
    neither does, the turned one."""
    around = _bleed(scene, layout) + _reach_mm(layout, settings)
    size = scene.width_mm, scene.height_mm
    for (wide, high), frame in product((size, size[::-1]), settings.frames):
        width, height = frame.room[2] - 2 * around + _EPS, frame.room[3] - 2 * around + _EPS
        if wide <= width and high <= height:
            return _alone((wide, high), frame)
    return None


def _reach_mm(layout: Layout, settings: SheetSettings) -> float:
    """How far the marks of a single piece reach beyond its bleed."""
    return 0.0 if layout.marks in ("none", "outlines") else CLEAR_MM + settings.least_mark_mm


def _tighter(scene: Scene, layout: Layout, settings: SheetSettings) -> Layout:
    """The layout with as much less bleed, or with an outline in place of marks, as keeps a piece on
    one sheet of a home printer; as it is where nothing does."""
    if (
        settings.finish.press
        or settings.finish.bleed_mm
        or _single_places(scene, layout, settings) is not None
    ):
        return layout
    for marks in (layout.marks, "outlines") if layout.marks != "none" else ("none",):
        bare = replace(layout, bleed_mm=0.0, marks=marks)
        places = _single_places(scene, bare, settings)
        if places is not None:
            free = (
                min(
                    room - own
                    for room, own in zip(places.frame.room[2:], places.boxes[0][2:], strict=True)
                )
                / 2
            )
            return replace(bare, bleed_mm=max(free - _reach_mm(bare, settings) - _EPS, 0.0))
    return layout


def _alone(size_mm: tuple[float, float], frame: Frame) -> Places:
    x, y, width, height = frame.room
    left, top = x + (width - size_mm[0]) / 2, y + (height - size_mm[1]) / 2
    return Places(frame=frame, boxes=((left, top, *size_mm),), columns=1, gap_mm=math.inf)


def _singles(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """One piece per page; a piece larger than the paper is printed in parts."""
    for entry in entries:
        own = _tighter(entry.scene, layout, settings)
        places = _single_places(entry.scene, own, settings)
        if places is None:
            yield from _parts([entry], layout, settings)
        else:
            for _ in range(entry.piece.count):
                yield _grid_page(form_of(entry.scene), [entry], places, own, {})


def _poster_frame(scene: Scene, layout: Layout, settings: SheetSettings) -> Frame | None:
    """A page made to measure, or the poster's own paper in the orientation that fits the piece;
    None if neither does."""
    across, up = corner_reach_mm(form_of(scene), _bleed(scene, layout), math.inf)
    width, height = scene.width_mm + 2 * across, scene.height_mm + 2 * up
    if settings.poster is None:
        rim = REGISTER_RIM_MM if settings.finish.press else 0.0
        paper = frame_round(width, height, max(settings.margin_mm, rim))
        return paper if max(paper.width_mm, paper.height_mm) <= MAX_PAPER_MM else None
    ways = frames(settings.poster, settings.margin_mm, register=settings.finish.register)
    return next(
        (way for way in ways if width <= way.room[2] + _EPS and height <= way.room[3] + _EPS), None
    )


def _posters(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    for entry in entries:
        frame = _poster_frame(entry.scene, layout, settings)
        if frame is not None:
            for _ in range(entry.piece.count):
                yield _grid_page(
                    form_of(entry.scene),
                    [entry],
                    _alone((entry.scene.width_mm, entry.scene.height_mm), frame),
                    layout,
                    {},
                )


def _tiling(scene: Scene, layout: Layout, settings: SheetSettings) -> Tiling | None:
    """Parts of a piece. Seams of boards run beside what is read there; a map has no such
    gutters."""
    region = _region(scene, layout, settings)
    if region is None:
        return None
    spared = ((), ()) if layout.arrange == "tiled" else _spared(scene)
    return tile_over(settings.frames, region, layout.overlap_mm, spared)


def _region(scene: Scene, layout: Layout, settings: SheetSettings) -> Box | None:
    """What the parts of a piece show together, with less bleed if that saves a sheet; None if it
    has no parts."""
    if not layout.overlap_mm:
        return None
    usual = _bleed(scene, layout)
    bleeds = (usual,) if settings.finish.press else (usual, min(usual, 1.0), 0.0)
    regions = [
        (-bleed, -bleed, scene.width_mm + 2 * bleed, scene.height_mm + 2 * bleed)
        for bleed in bleeds
    ]
    counts = [parts_over(settings.frames, region, layout.overlap_mm) for region in regions]
    fewest = min(filter(None, counts), default=0)
    return regions[counts.index(fewest)] if fewest else None


def _has_parts(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    return _region(scene, layout, settings) is not None


def _spared(scene: Scene) -> tuple[tuple[Extent, ...], tuple[Extent, ...]]:
    """What a seam should not cut, along x and along y: words above all, and what is as small as a
    card."""
    shapes, texts = flatten_scene(scene)
    boxes = [(text.bounds, max(4.0, text.run.size_pt**2 / 16)) for text in texts if text.run.text]
    boxes += [
        (shape.bounds, 1.0)
        for shape in shapes
        if max(shape.bounds[2] - shape.bounds[0], shape.bounds[3] - shape.bounds[1])
        <= _AS_A_CARD_MM
    ]
    extents = [dict[tuple[float, float], float](), dict[tuple[float, float], float]()]
    for (left, top, right, bottom), weight in boxes:
        for axis, (low, high) in enumerate(((left, right), (top, bottom))):
            key = round(low, 1), round(high, 1)
            extents[axis][key] = extents[axis].get(key, 0.0) + weight
    along, across = (
        tuple((low, high, weight) for (low, high), weight in some.items()) for some in extents
    )
    return along, across


def _parts(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    for entry in entries:
        tiling = _tiling(entry.scene, layout, settings)
        if tiling is not None:
            for _ in range(entry.piece.count):
                for number, window in enumerate(tiling.windows):
                    view = _view(entry, window, tiling, settings)
                    whole = Placed(entry=entry, scene=entry.scene, face=entry.face, box=view.trim)
                    placed = (whole,) if number == 0 else ()
                    yield Draft(frame=window.frame, placed=placed, view=view)


def _view(entry: PieceToPrint, window: Window, tiling: Tiling, settings: SheetSettings) -> View:
    scene, (x, y), (left, top, width, height) = entry.scene, window.at, window.box
    shown = Group(
        items=(Use(scene=scene),),
        matrix=translation(x - left, y - top),
        clip=rectangle_path(left, top, width, height),
    )
    marks = joining_marks(window, tiling, (scene.width_mm, scene.height_mm), settings.theme)
    # Parts are cut where they join, in the middle of their overlap; outer ones where the whole is
    # cut.
    first_x, last_x = cuts(
        left, width, tiling.overlap_mm, (window.part.column, window.part.columns), scene.width_mm
    )
    first_y, last_y = cuts(
        top, height, tiling.overlap_mm, (window.part.row, window.part.rows), scene.height_mm
    )
    faces = settings.theme.type("sheet").faces
    hint = (
        (fixed("join", settings.tongue, faces, f"{tiling.overlap_mm:g}"),)
        if len(tiling.windows) > 1
        else ()
    )
    return View(
        part=window.part,
        items=(shown, *marks),
        trim=(x + first_x - left, y + first_y - top, last_x - first_x, last_y - first_y),
        bleed=(x, y, width, height),
        shows=(first_x, first_y, last_x - first_x, last_y - first_y),
        content=(printable(entry.piece.name, settings.tongue, faces), *hint),
        outline=transform_commands(scene.die_line, translation(x - left, y - top)),
    )


_LAY_OUT: dict[str, Callable[[Sequence[PieceToPrint], Layout, SheetSettings], Iterator[Draft]]] = {
    "rows": _rows,
    "grid": _grids,
    "gang": _gangs,
    "punchboard": _punchboards,
    "honeycomb": _combs,
    "single": _singles,
    "poster": _posters,
    "tiled": _parts,
    "die": die_sheets,
    "nest": _nests,
}


def _single_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    tighter = _tighter(scene, layout, settings)
    return _single_places(scene, tighter, settings) is not None or _has_parts(
        scene, layout, settings
    )


def _row_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    if form_of(scene) is Form.HEXAGON:
        return _row_places(scene, layout, settings) is not None
    return _grid_places(scene, _grid_instead(layout), settings) is not None


def _nest_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    if can_nest(scene):
        return nest_fits(scene, layout, settings)
    return _grid_places(scene, _grid_instead(layout), settings) is not None


_FITS: dict[str, Callable[[Scene, Layout, SheetSettings], bool]] = {
    "rows": _row_fits,
    "grid": lambda scene, layout, settings: _grid_places(scene, layout, settings) is not None,
    "gang": _gang_fits,
    "punchboard": _punchboard_fits,
    "honeycomb": _comb_fits,
    "single": _single_fits,
    "poster": lambda scene, layout, settings: _poster_frame(scene, layout, settings) is not None,
    "tiled": _has_parts,
    "die": lambda scene, layout, _press: fits_die(scene, layout),
    "nest": _nest_fits,
}
