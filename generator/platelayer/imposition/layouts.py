"""Layouts: offset rows, grids, gangs, nests, one piece per page, posters, and parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from operator import itemgetter

from msgspec.structs import replace

from platelayer.imposition.arrange import (
    Places,
    Sides,
    between_rows,
    form_of,
    grid,
    grown,
    honeycomb,
    moved_out,
    nested,
    offset_rows,
    rectangle_round,
)
from platelayer.imposition.cut import (
    CLEAR_MM,
    MARK_MM,
    corner_gap_mm,
    corner_marks,
    corner_reach_mm,
    die_lines,
    edge_marks,
    row_marks,
    row_reserve_mm,
)
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
from platelayer.imposition.ganging import (
    Batch,
    Gang,
    apart,
    common_gang,
    die_sheets,
    few_strokes,
    fits_gang,
    gang,
)
from platelayer.imposition.paper import (
    MAX_PAPER_MM,
    REGISTER_RIM_MM,
    Box,
    CutLine,
    Frame,
    box_round,
    fixed,
    frame_round,
    frames,
    printable,
)
from platelayer.imposition.plan import Board, Layout
from platelayer.imposition.tiling import Extent, cuts, joining_marks, tile_over
from platelayer.model.kinds import Form
from platelayer.scene.flatten import Polygon, bounds_of, flatten_commands, flatten_scene
from platelayer.scene.shapes import (
    Commands,
    Group,
    Scene,
    Use,
    polygon_path,
    rectangle_path,
    transform_commands,
    translation,
)

_COS_30 = math.cos(math.radians(30))
_EPS = 1e-6
# Maximum length of an area for a card on a board; a longer area only frames others.
_AS_A_CARD_MM = 110.0
# Maximum misalignment of backs on usual printers.
_SLIP_MM = 1.0

_Sort = tuple[Layout, Form, list[PieceToPrint]]


def lay_out(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages with every copy of every piece that fits the paper (see `fits`)."""
    return _LAY_OUT[layout.arrange](entries, layout, settings)


def fits(entry: PieceToPrint, layout: Layout, settings: SheetSettings) -> bool:
    """Return True if a layout can print a piece on this paper."""
    return next(lay_out([entry.times(1)], layout, settings), None) is not None


def _alike(entries: Iterable[PieceToPrint]) -> list[tuple[Form, list[PieceToPrint]]]:
    """Return pieces grouped by form and size (in either orientation), in order of first
    appearance."""
    by_size: dict[tuple[Form, float, float], list[PieceToPrint]] = {}
    for entry in entries:
        short, long = sorted((entry.scene.width_mm, entry.scene.height_mm))
        key = form_of(entry.scene), round(short, 2), round(long, 2)
        by_size.setdefault(key, []).append(entry)
    return [(form, alike) for (form, _, _), alike in by_size.items()]


def _copies(entries: Iterable[PieceToPrint]) -> list[PieceToPrint]:
    return [entry for entry in entries for _ in range(entry.piece.count)]


def _bleed(scene: Scene, layout: Layout) -> float:
    """Return the bleed of a piece if nothing limits it."""
    return min(layout.bleed_mm, scene.bleed_mm)


def _shared(bleed: float, gap: float, form: Form, *, comb: bool = False) -> float:
    """Return the bleed towards a neighbour `gap` away. The tips of hexagons bleed furthest, but in
    a comb no tip meets another."""
    return min(bleed, gap / 2 * (_COS_30 if form is Form.HEXAGON and not comb else 1.0))


def _rows(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages of hexes in offset rows; other pieces follow in a grid."""
    least = settings.least_mark_mm
    if settings.options.press:
        least = row_reserve_mm(least)
    for form, alike in _alike(entries):
        places, scene = None, alike[0].scene
        if form is Form.HEXAGON:
            flat_to_flat, corner_to_corner = sorted((scene.width_mm, scene.height_mm))
            reserve = max(_bleed(scene, layout), least)
            places = offset_rows(settings.frames, corner_to_corner, flat_to_flat, reserve)
        if places is None:
            yield from _grids(alike, _grid_instead(layout), settings)
            continue
        per_page = len(places.boxes)
        for run in pages_of(with_blanks(alike, layout.blank_between_groups, per_page), per_page):
            placed = []
            for entry, box in zip(run, places.boxes, strict=False):
                if entry is None:
                    continue
                bleed = _bleed(entry.scene, layout)
                flat = box[2] > box[3]
                sides = (0.0, bleed, 0.0, bleed) if flat else (bleed, 0.0, bleed, 0.0)
                clip = between_rows(entry.scene, bleed)
                placed.append(placed_front(entry, box, bleed=sides, clip=clip))
            marks: Commands = ()
            if layout.marks != "none":
                marks = row_marks([copy.box for copy in placed], places.frame.room)
            yield Draft(places.frame, tuple(placed), marks=marks, lines=layout.outlined)


def _comb_places(
    scene: Scene, layout: Layout, settings: SheetSettings, count: int = 1
) -> Places | None:
    """Return the honeycomb with the first of the gaps that needs no more sheets than the others."""
    flat_to_flat, corner_to_corner = sorted((scene.width_mm, scene.height_mm))
    found = []
    for gap in layout.gaps_mm:
        reserve = min(_bleed(scene, layout), gap / 2) / _COS_30
        places = honeycomb(settings.frames, corner_to_corner, flat_to_flat, gap, reserve)
        if places:
            found.append(places)
    return min(found, key=lambda places: -(-count // len(places.boxes)), default=None)


def _combs(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages of hexes in a honeycomb; other pieces follow in a grid."""
    for form, alike in _alike(entries):
        copies = _copies(alike)
        places = None
        if form is Form.HEXAGON:
            places = _comb_places(alike[0].scene, layout, settings, len(copies))
        if places is None:
            yield from _grids(alike, _grid_instead(layout), settings)
            continue
        for run in pages_of(copies, len(places.boxes)):
            placed = tuple(
                _free_form(entry, box, form, min(_bleed(entry.scene, layout), places.gap_mm / 2))
                for entry, box in zip(run, places.boxes, strict=False)
            )
            yield Draft(places.frame, placed, lines=layout.outlined)


def _grid_instead(layout: Layout) -> Layout:
    """Return the grid that replaces rows and nests, with all sides free."""
    marks = "none" if layout.marks == "none" else "corners"
    bleed = layout.bleed_mm
    return Layout(arrange="grid", bleed_mm=bleed, gaps_mm=(3 * bleed + 2.0,), marks=marks)


def _grid_places(
    scene: Scene, layout: Layout, settings: SheetSettings, count: int = 1
) -> Places | None:
    gaps = [_gap(scene, layout, settings, gap) for gap in layout.gaps_mm]
    reserved = [(gap, _reserve(scene, layout, settings, gap)) for gap in gaps]
    return grid(settings.frames, scene.width_mm, scene.height_mm, count=count, gaps_mm=reserved)


def _gaps(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> tuple[float, ...]:
    """Return the gaps to try between pieces. Different backs would show on each other where a
    printer shifts them, so there is room for the bleed of both, unless sheets are to be saved."""
    options, backs = settings.options, {entry.back.key for entry in entries if entry.back}
    if options.duplex == "none" or options.optimise == "sheets" or len(backs) < 2:
        return layout.gaps_mm
    return tuple(dict.fromkeys(max(gap, 2 * _SLIP_MM) for gap in layout.gaps_mm))


def _gap(scene: Scene, layout: Layout, settings: SheetSettings, gap: float) -> float:
    """Return a gap of the layout, widened where a shop's bleed between the tips of hexagons, or
    marks between pieces on a press, require it."""
    form, bleed = form_of(scene), _bleed(scene, layout)
    if settings.options.bleed_mm and form is Form.HEXAGON:
        gap = max(gap, 2 * min(bleed, settings.options.bleed_mm) / _COS_30)
    if settings.options.press and layout.marks == "corners":
        gap = max(gap, corner_gap_mm(form, bleed, settings.least_mark_mm))
    return gap


def _reserve(
    scene: Scene, layout: Layout, settings: SheetSettings, gap: float
) -> tuple[float, float]:
    """Return the room that bleed and marks need beside and above a block of pieces a gap apart."""
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
        copies = _copies(alike)
        own = replace(layout, gaps_mm=_gaps(alike, layout, settings))
        places = _grid_places(alike[0].scene, own, settings, len(copies))
        if places is not None:
            for run in pages_of(copies, len(places.boxes)):
                yield _grid_page(form, run, places, layout)


def _grid_page(form: Form, run: Sequence[PieceToPrint], places: Places, layout: Layout) -> Draft:
    placed, marks = _block(form, run, places, layout, places.frame.room)
    return Draft(places.frame, placed, marks=marks, lines=layout.outlined)


def _block(
    form: Form, run: Sequence[PieceToPrint], places: Places, layout: Layout, room: Box
) -> tuple[tuple[Placed, ...], Commands]:
    """Return a grid of pieces of one size, and its marks within a room."""
    columns, gap, last = places.columns, places.gap_mm, len(run) - 1
    placed = []
    for number, (entry, box) in enumerate(zip(run, places.boxes, strict=False)):
        scene = entry.scene
        bleed = _bleed(scene, layout)
        shared = _shared(bleed, gap, form, comb=_combs_in(form, layout))
        if layout.square_cells and gap < math.inf:
            # Colour fills the whole cell, so that a punch or a straight cut may hit any part of it.
            half = (gap / 2,) * 4
            placed.append(placed_front(entry, box, bleed=half, clip=rectangle_round(scene, half)))
        elif form is Form.RECTANGLE:
            column = number % columns
            # Colour extends at most halfway towards a neighbour, and as far as the layout says
            # towards blank paper.
            left = shared if column else bleed
            top = shared if number >= columns else bleed
            right = shared if column + 1 < columns and number < last else bleed
            bottom = shared if number + columns <= last else bleed
            sides = (left, top, right, bottom)
            clip = None
            if min(sides) < scene.bleed_mm:
                # A quarter turn clockwise moves the piece's left side to the top.
                own = (top, right, bottom, left) if is_turned(entry, box) else sides
                clip = rectangle_round(scene, own)
            placed.append(placed_front(entry, box, bleed=sides, clip=clip))
        else:
            placed.append(_free_form(entry, box, form, shared))
    most, boxes = max(_bleed(entry.scene, layout) for entry in run), [copy.box for copy in placed]
    marks: Commands = ()
    if layout.marks == "corners":
        marks = corner_marks(form, boxes, _shared(most, gap, form), gap)
    elif layout.marks == "edges":
        marks = edge_marks(boxes, most, room)
    return tuple(placed), marks


def _free_form(entry: PieceToPrint, box: Box, form: Form, bleed: float) -> Placed:
    """Return a hexagon or disc in a box, with its bleed."""
    tip = bleed / _COS_30 if form is Form.HEXAGON else bleed
    sides = (tip, bleed, tip, bleed) if box[2] >= box[3] else (bleed, tip, bleed, tip)
    return placed_front(entry, box, bleed=sides, clip=grown(entry.scene, form, bleed))


def _border_mm(layout: Layout, settings: SheetSettings) -> float:
    """Return the part of a mark beside a block that extends beyond the block's room in a gang: the
    marks of two neighbouring blocks share the space between them."""
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
    return Batch(
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        count=count,
        gap_mm=gap,
        around_mm=around,
        comb=comb,
    )


def _combs_in(form: Form, layout: Layout) -> bool:
    """Return True if pieces of a form are arranged in a comb: hexes and discs in a board, whose die
    follows outlines."""
    return layout.board is not None and form is not Form.RECTANGLE


def _gangs(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield shared sheets of pieces of several sizes (and of several layouts, if the layout gathers
    them). If the layout has an overlap, pieces too large to share a sheet follow, whole or in
    parts."""
    if not layout.overlap_mm:
        optimise = settings.options.optimise
        sorts = _sorts(entries, layout, by_kind=optimise == "stock")
        plan = apart if optimise in ("cuts", "stock") else gang
        # Printing on a press is paid by the sheet, so fewer strokes do not justify more sheets.
        few = optimise is None and not settings.options.press
        yield from _ganged(sorts, plan, settings, layout, few=few)
        return
    large = [entry for entry in entries if not _shares(entry.scene, layout, settings)]
    small = [entry for entry in entries if entry not in large]
    for draft in _gangs(small, replace(layout, overlap_mm=0.0), settings) if small else ():
        if len(draft.placed) == 1:
            # If a piece has a sheet to itself, turn the sheet instead of the piece.
            yield from _singles([draft.placed[0].entry.times(1)], layout, settings)
        else:
            yield draft
    yield from _singles(large, layout, settings)


def _ganged(
    sorts: Sequence[_Sort],
    plan: Callable[..., tuple[Gang, ...]],
    settings: SheetSettings,
    layout: Layout,
    *,
    few: bool = False,
) -> Iterator[Draft]:
    """Yield the sheets of a plan, with the first of the layouts' gaps that needs no more sheets
    than the others, or with `few` strokes instead. The last sheet of a punchboard may have empty
    places."""
    copies = [_copies(alike) for _, _, alike in sorts]
    border = min(_border_mm(own, settings) for own, _, _ in sorts)
    gaps = [_gaps(alike, own, settings) for own, _, alike in sorts]
    batches = []
    sheets: tuple[Gang, ...] = ()
    for choice in range(max(map(len, gaps))):
        tried = []
        for (own, _, alike), needed, own_gaps in zip(sorts, copies, gaps, strict=True):
            gap = own_gaps[min(choice, len(own_gaps) - 1)]
            tried.append(_batch(alike[0].scene, own, settings, gap, len(needed)))
        if all(fits_gang(settings.frames, batch, border) for batch in tried):
            planned = plan(settings.frames, tried, border)
            if not sheets or len(planned) < len(sheets):
                batches, sheets = tried, planned
    if few and sheets:
        sheets = few_strokes(settings.frames, batches, border, sheets)
    waiting = [iter(needed) for needed in copies]
    # Follow the order of the game: sort the sheets by their first piece, and also the pieces on
    # each sheet.
    for sheet in sorted(sheets, key=lambda sheet: min(block.batch for block in sheet.blocks)):
        placed: tuple[Placed, ...] = ()
        marks: Commands = ()
        for block in sorted(sheet.blocks, key=lambda block: block.batch):
            own, form, _ = sorts[block.batch]
            run = list(islice(waiting[block.batch], len(block.boxes)))
            if not run:
                continue
            gap = batches[block.batch].gap_mm
            places = Places(sheet.frame, block.boxes, columns=block.columns, gap_mm=gap)
            bleed = max(_bleed(entry.scene, own) for entry in run)
            room = box_round(block.boxes, bleed + CLEAR_MM + settings.least_mark_mm)
            more, beside = _block(form, run, places, own, room)
            placed, marks = (*placed, *more), (*marks, *beside)
        yield Draft(sheet.frame, placed, marks=marks, lines=layout.outlined)


def _sorts(
    entries: Iterable[PieceToPrint], layout: Layout, *, by_kind: bool = False
) -> list[_Sort]:
    """Return pieces grouped by the layout they are gathered with (equal layouts of several
    documents together), by form and size, and by kind if requested."""
    by_layout: list[tuple[Layout, str, list[PieceToPrint]]] = []
    for entry in entries:
        own = layout.of.get(entry.piece.kind, layout)
        kind = entry.piece.kind if by_kind else ""
        for known, of_kind, together in by_layout:
            if of_kind == kind and (known is own or known == own):
                together.append(entry)
                break
        else:
            by_layout.append((own, kind, [entry]))
    return [(own, form, alike) for own, _, those in by_layout for form, alike in _alike(those)]


def _punchboards(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pieces to be punched out of boards, on as few dies as their sizes allow. Pieces with
    concave outlines get separate boards, on which they nest."""
    inner = _within_board(layout, settings)
    plain = [entry for entry in entries if not can_nest(entry.scene)]
    if plain:
        sheets = _ganged(_sorts(plain, layout), common_gang, inner, layout)
        yield from _boarded(sheets, layout)
    for _, alike in _alike(entry for entry in entries if can_nest(entry.scene)):
        yield from _boarded(nest_sheets(alike, layout, inner), layout)


def _within_board(layout: Layout, settings: SheetSettings) -> SheetSettings:
    """Return the settings for pieces within the rim of a board, with room around the board for its
    marks."""
    rim = _rim_mm(layout)
    roomy = [frame for frame in settings.frames if min(frame.room[2:]) > 2 * rim]
    inner = tuple(replace(frame, room=box_round([frame.room], -rim)) for frame in roomy)
    return replace(settings, frames=inner)


def _rim_mm(layout: Layout) -> float:
    return (layout.board or Board()).rim_mm + CLEAR_MM + MARK_MM


def _boarded(drafts: Iterable[Draft], layout: Layout) -> Iterator[Draft]:
    """Yield sheets as boards with a rim. The first sheet of a plan is full: its outlines are the
    die for all sheets with no more places."""
    board = layout.board or Board()
    places: set[Box] = set()
    trim: Box = (0.0, 0.0, 0.0, 0.0)
    die: tuple[CutLine, ...] = ()
    marks: Commands = ()
    for draft in drafts:
        taken = {placed.box for placed in draft.placed}
        if not taken <= places:
            places, trim = taken, box_round(taken, board.rim_mm)
            rim = CutLine("board", rectangle_path(*trim))
            die = (*die_lines(draft.placed, board), rim)
            marks = corner_marks(Form.RECTANGLE, [trim], layout.bleed_mm, math.inf)
        frame = replace(draft.frame, room=box_round([draft.frame.room], _rim_mm(layout)))
        yield replace(draft, frame=frame, board=trim, die=die, marks=marks)


def _shares(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    """Return True if a piece fits a sheet that it may share with others."""
    border = _border_mm(layout, settings)
    batches = (_batch(scene, layout, settings, gap) for gap in layout.gaps_mm)
    return any(fits_gang(settings.frames, batch, border) for batch in batches)


def can_nest(scene: Scene) -> bool:
    """Return True if nesting helps an outline: rectangles, hexagons and discs fit just as well in a
    grid."""
    has_hollows = scene.outline is not None and len(_corners(scene)) > 4
    return has_hollows and form_of(scene) is Form.RECTANGLE


def nest_sheets(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages of pieces that `can_nest`, those of one outline together, with the first of the
    layout's gaps that needs no more pages than the others."""
    by_outline: dict[Polygon, list[PieceToPrint]] = {}
    for entry in entries:
        by_outline.setdefault(_corners(entry.scene), []).append(entry)
    for outline, alike in by_outline.items():
        copies, bleed = _copies(alike), min(_bleed(entry.scene, layout) for entry in alike)
        count = len(copies)
        nests = [
            nest
            for gap in layout.gaps_mm
            for reserve in (max(_beyond(outline, min(bleed, gap / 2))),)
            if (nest := nested(settings.frames, outline, gap_mm=gap, reserve_mm=reserve))
        ]
        if not nests:
            continue
        nest = min(nests, key=lambda nest: -(-count // len(nest.places)))
        bleed = min(bleed, nest.gap_mm / 2)
        per_page = len(nest.places)
        if layout.board is not None:
            # Put the same number on each punchboard, so that all have the same die.
            per_page = -(-count // -(-count // per_page))
        for run in pages_of(copies, per_page):
            placed = tuple(
                _nested_piece(entry, outline, place, bleed)
                for entry, place in zip(run, nest.places, strict=False)
            )
            yield Draft(nest.frame, placed, lines=layout.outlined)


def _corners(scene: Scene) -> Polygon:
    return tuple((round(x, 4), round(y, 4)) for x, y in flatten_commands(scene.die_line)[0][0])


def _beyond(outline: Polygon, bleed: float) -> Sides:
    """Return how far a bleed extends beyond the box around an outline: further at its corners than
    along its sides."""
    left, top, right, bottom = bounds_of(outline)
    far_left, far_top, far_right, far_bottom = bounds_of(moved_out(outline, bleed))
    return left - far_left, top - far_top, far_right - right, far_bottom - bottom


def _nested_piece(
    entry: PieceToPrint, outline: Polygon, place: tuple[Box, int], bleed: float
) -> Placed:
    (x, y, _, _), turn = place
    scene = entry.scene
    left, top, right, bottom = bounds_of(outline)
    sides = _beyond(outline, bleed)
    if turn:
        left, top = scene.width_mm - right, scene.height_mm - bottom
        sides = (*sides[2:], *sides[:2])
    return Placed(
        entry,
        scene,
        face=entry.face,
        box=(x - left, y - top, scene.width_mm, scene.height_mm),
        rotation=turn,
        bleed=sides,
        clip=polygon_path(moved_out(outline, bleed)),
    )


def _nests(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages of pieces with concave outlines, as close together as possible; other pieces
    follow in a grid."""
    hollow = [entry for entry in entries if can_nest(entry.scene)]
    yield from nest_sheets(hollow, layout, settings)
    plain = [entry for entry in entries if not can_nest(entry.scene)]
    yield from _grids(plain, _grid_instead(layout), settings)


def _single_places(scene: Scene, layout: Layout, settings: SheetSettings) -> Places | None:
    """Return the middle of the sheet, with the paper in the orientation that fits the piece without
    rotation; if neither does, with the piece rotated."""
    around = _bleed(scene, layout) + _reach_mm(layout, settings)
    size = scene.width_mm, scene.height_mm
    for (wide, high), frame in product((size, size[::-1]), settings.frames):
        width, height = frame.room[2] - 2 * around + _EPS, frame.room[3] - 2 * around + _EPS
        if wide <= width and high <= height:
            return _alone((wide, high), frame)
    return None


def _reach_mm(layout: Layout, settings: SheetSettings) -> float:
    """Return how far the marks of a single piece extend beyond its bleed."""
    return 0.0 if layout.marks in ("none", "outlines") else CLEAR_MM + settings.least_mark_mm


def _tighter(scene: Scene, layout: Layout, settings: SheetSettings) -> Layout:
    """Return the layout with less bleed, or with an outline instead of marks, so that a piece fits
    one sheet of a home printer; unchanged if neither is enough."""
    options = settings.options
    # A press, or a shop that states its bleed, requires all of it: use a larger sheet for the piece
    # instead.
    if options.press or options.bleed_mm or _single_places(scene, layout, settings) is not None:
        return layout
    for marks in (layout.marks, "outlines") if layout.marks != "none" else ("none",):
        bare = replace(layout, bleed_mm=0.0, marks=marks)
        places = _single_places(scene, bare, settings)
        if places is not None:
            (_, _, width, height), (box,) = places.frame.room, places.boxes
            free = min(width - box[2], height - box[3]) / 2
            return replace(bare, bleed_mm=max(free - _reach_mm(bare, settings) - _EPS, 0.0))
    return layout


def _alone(size_mm: tuple[float, float], frame: Frame) -> Places:
    """Return the middle of a sheet."""
    x, y, width, height = frame.room
    left, top = x + (width - size_mm[0]) / 2, y + (height - size_mm[1]) / 2
    return Places(frame, ((left, top, *size_mm),), columns=1, gap_mm=math.inf)


def _singles(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield one piece per page; a piece larger than the paper is printed in parts."""
    for entry in entries:
        own = _tighter(entry.scene, layout, settings)
        places = _single_places(entry.scene, own, settings)
        if places is None:
            yield from _parts([entry], layout, settings)
            continue
        for _ in range(entry.piece.count):
            yield _grid_page(form_of(entry.scene), [entry], places, own)


def _posters(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages made to measure, or the posters' own paper in the orientation that fits the
    piece."""
    poster, margin, register = (
        settings.poster,
        settings.options.margin_mm,
        settings.options.register,
    )
    for entry in entries:
        scene, form = entry.scene, form_of(entry.scene)
        across, up = corner_reach_mm(form, _bleed(scene, layout), math.inf)
        sides = (scene, entry.back or scene)
        width = max(side.width_mm for side in sides) + 2 * across
        height = max(side.height_mm for side in sides) + 2 * up
        if poster is None or layout.plate:
            rim = REGISTER_RIM_MM if settings.options.press else 0.0
            ways: Sequence[Frame] = (frame_round(width, height, max(margin, rim)),)
        else:
            ways = frames(poster, margin, register=register)
        for way in ways:
            fits_room = width <= way.room[2] + _EPS and height <= way.room[3] + _EPS
            if fits_room and max(way.width_mm, way.height_mm) <= MAX_PAPER_MM:
                places = _alone((scene.width_mm, scene.height_mm), way)
                yield from [_grid_page(form, [entry], places, layout)] * entry.piece.count
                break


def _spared(scene: Scene) -> tuple[tuple[Extent, ...], tuple[Extent, ...]]:
    """Return extents along x and along y that a seam should not cut: words above all, and shapes up
    to the size of a card."""
    shapes, texts = flatten_scene(scene)
    boxes = [(text.bounds, max(4.0, text.run.size_pt**2 / 16)) for text in texts if text.run.text]
    for shape in shapes:
        left, top, right, bottom = shape.bounds
        if max(right - left, bottom - top) <= _AS_A_CARD_MM:
            boxes.append((shape.bounds, 1.0))

    def extents(axis: int) -> tuple[Extent, ...]:
        weights: dict[tuple[float, float], float] = {}
        for box, weight in boxes:
            key = round(box[axis], 1), round(box[axis + 2], 1)
            weights[key] = weights.get(key, 0.0) + weight
        return tuple((low, high, weight) for (low, high), weight in weights.items())

    return extents(0), extents(1)


def _parts(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pieces in parts on several sheets. Seams of boards run beside what is read there; a map
    has no such gutters."""
    if not layout.overlap_mm and layout.arrange != "tiled":
        return
    tongue, faces = settings.tongue, settings.theme.type("sheet").faces
    for entry in entries:
        scene, usual = entry.scene, _bleed(entry.scene, layout)
        tilings = []
        # At home, one sheet less to cut and glue is worth more than full bleed.
        for bleed in (usual,) if settings.options.press else (usual, min(usual, 1.0), 0.0):
            region = (-bleed, -bleed, scene.width_mm + 2 * bleed, scene.height_mm + 2 * bleed)
            if plain := tile_over(settings.frames, region, layout.overlap_mm):
                tilings.append((len(plain.windows), region, plain))
        if not tilings:
            continue
        _, region, tiling = min(tilings, key=itemgetter(0))
        if layout.arrange != "tiled":
            spared = _spared(scene)
            tiling = tile_over(settings.frames, region, layout.overlap_mm, spared) or tiling
        overlap = tiling.overlap_mm
        content = [printable(entry.piece.name, tongue, faces)]
        if len(tiling.windows) > 1:
            join = (
                fixed("join", tongue, faces, f"{overlap:g}")
                if overlap
                else fixed("butt", tongue, faces)
            )
            content.append(join)
        views = []
        for window in tiling.windows:
            part, (x, y), (left, top, width, height) = window.part, window.at, window.box
            matrix = translation(x - left, y - top)
            clip = rectangle_path(left, top, width, height)
            shown = Group((Use(scene),), matrix=matrix, clip=clip)
            marks = joining_marks(window, tiling, (scene.width_mm, scene.height_mm), settings.theme)
            # Parts are cut at their seams, in the middle of their overlap; outer sides are cut
            # where the whole piece is.
            across, down = (part.column, part.columns), (part.row, part.rows)
            first_x, last_x = cuts(left, width, overlap, across, scene.width_mm)
            first_y, last_y = cuts(top, height, overlap, down, scene.height_mm)
            size = last_x - first_x, last_y - first_y
            view = View(
                part=part,
                items=(shown, *marks),
                trim=(x + first_x - left, y + first_y - top, *size),
                bleed=(x, y, width, height),
                shows=(first_x, first_y, *size),
                content=tuple(content),
                outline=transform_commands(scene.die_line, matrix),
            )
            views.append((window.frame, view))
        first = Placed(entry, scene, face=entry.face, box=views[0][1].trim)
        for _ in range(entry.piece.count):
            for number, (frame, view) in enumerate(views):
                yield Draft(frame, () if number else (first,), view=view)


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
