"""Files of a random map: poster and pages to join (PDF), building guide (PDF, HTML), SVG, PNG.

The building guide is preparations, then the steps to lay the map with the tiles of the box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from platelayer.atlas.poster import draw_atlas_poster, draw_balance, facts_of, map_name, page_head
from platelayer.atlas.report import MapPrint, board_size_mm, tasks_of
from platelayer.atlas.schematic import (
    GROUND_INKS,
    Grid,
    Stage,
    Step,
    grid_of,
    ground_sign,
    hex_sign,
    picture,
    stages_of,
    steps_of,
    tile_sign,
)
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    below,
    box_block,
    in_row,
    leaded,
    line_block,
    placing,
    rule_block,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    severity_of,
)
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.imposition.impose import PieceToPrint, impose
from platelayer.imposition.paper import find_paper, frames
from platelayer.imposition.plan import DocumentPlan, Layout, standard_plan
from platelayer.model.gamemap import Layout as HexLayout
from platelayer.model.gamemap import centre_mm, corner_points
from platelayer.model.kinds import Piece, piece_size
from platelayer.model.map_tiles import (
    Axial,
    Ground,
    ProjectDraw,
    board_origin,
    doubled,
    occupied,
    place_name,
    tile_hexes,
)
from platelayer.model.options import PrintOptions
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import qr_modules
from platelayer.render.svg import render_svg
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Item,
    Path,
    Scene,
    Stroke,
)

if TYPE_CHECKING:
    from platelayer.imposition.paper import Document, Frame
    from platelayer.imposition.plan import SheetPlan


atlas_words = FixedWords("atlas")


def ground_word(ground: Ground, style: Style) -> str:
    """Word for a kind of hex."""
    return style.words(atlas_words.table("grounds").get(ground.value, Text.plain(ground.value)))


_GAP_MM = 4.0
_EDGE_MM = 0.2
# Width of the column with the names of the preparations, to the left of their sentences.
_HEAD_MM = 36.0
# Width of a column of steps; minimum and maximum height of a step; and size of the hexes of its
# tile.
_LIST_MM = 74.0
_ROW_MM, _TALLEST_ROW_MM = 9.6, 12.0
_SIGN_MM = 4.4
_ROUNDEL_MM = 7.0
_LEADING = 1.22
# Minimum height of the picture of the finished map.
_LEAST_MAP_MM = 40.0
# Minimum size of hexes in the pictures of the stages; with less room, a page has fewer stages.
_LEAST_HEX_MM = 4.6
_MOST_STAGES = 3


class _GuidePage(MapPrint, kw_only=True):
    """Subject and size in mm of the pages."""

    width: float
    height: float

    def words(self, key: str, *parts: object) -> str:
        """Phrase of the guide."""
        return self.style.words(atlas_words.table("guide_words")[key], *parts)

    def head(self, text: str) -> Block:
        """Head of a page."""
        return page_head(self.title, self.log, text, self.style, self.width)


def draw_guide(job: MapPrint, width_mm: float, height_mm: float) -> tuple[Scene, ...]:
    """Draw the building guide on pages of this size, keys `atlas-guide:1` and on: first the
    preparations, then the steps. Raises KeyError when the box lacks tiles of the log."""
    page = _GuidePage(**asdict(job), width=width_mm, height=height_mm)
    pages = [_preparations(page), *_laying(page)]
    return tuple(
        Scene(
            f"atlas-guide:{number}",
            width_mm,
            height_mm,
            tuple(items),
            label=page.words("guide"),
        )
        for number, items in enumerate(pages, start=1)
    )


def _laying(page: _GuidePage) -> list[list[Item]]:
    """Pages of the steps."""
    stages = stages_of(page.box, page.log)
    top, blanks = page.head(page.words("steps", 1, 1)).height, _blanks(page)
    longest = max(len(stage.new) for stage in stages)
    for per_page in range(_MOST_STAGES, 0, -1):
        spare = page.height - top - blanks.height - (per_page - 1) * _GAP_MM
        cells = _cells(page, longest, spare / per_page)
        if cells.grid.across >= _LEAST_HEX_MM:
            break
    shares = [stages[start : start + per_page] for start in range(0, len(stages), per_page)]
    pages = []
    for number, share in enumerate(shares, start=1):
        body = stacked(*(_stage(page, stage, cells) for stage in share), gap=_GAP_MM)
        head = page.head(page.words("steps", number, len(shares)))
        items = [*stacked(head, body, align=Anchor.START).paint(0, 0)]
        if number == len(shares):
            items += blanks.paint(0, page.height - blanks.height)
        pages.append(items)
    return pages


def _preparations(page: _GuidePage) -> list[Item]:
    """Page of the preparations: the tasks, the companies in play, an explanation of the steps, and
    the finished map if enough room is left."""
    style, width, ink = page.style, page.width, page.style.ink("text")
    parts: list[Part] = [page.head(page.words("guide")), -1]
    tasks = [(task.head, task.lines) for task in tasks_of(page)]
    across = piece_size(page.title, "map-tile").width_mm
    tasks.append(
        (
            page.words("table"),
            (page.words("size", *board_size_mm(page.log, across), f"{across:g}"),),
        )
    )
    body, strong = style.type("atlas.guide.setup"), style.type("atlas.guide.task")
    step = body.size_mm * _LEADING
    hair = Stroke(style.ink("card.hair"), 0.15)
    for head, sentences in tasks:
        room, rise = width - _HEAD_MM, below(0.8 * step)
        lines = [line for sentence in sentences for line in wrap_rich(sentence, body, room)]
        name = line_block(head, strong, ink, _HEAD_MM - 3.0, rise=rise)
        text = text_block(lines, body, ink, room, leading=_LEADING, align=Anchor.START, rise=rise)
        row = in_row(name.sized(_HEAD_MM, name.height, Anchor.START), text, level=0)
        rule = rule_block(width - 2 * _EDGE_MM, hair).sized(width, 0)
        parts += (row, 1.6 + 0.2 * step, rule, 1.6)

    # The roundels of the companies in play distinguish their homes.
    known = with_roundels(page.title)
    playing = [known[company_id] for company_id in page.companies if company_id in known]
    if playing:
        label, per_row = style.type("atlas.guide.strong"), min(len(playing), 4)
        pitch, row_mm = width / per_row, _ROUNDEL_MM + 1.4
        cells = []
        for company in playing:
            roundel = shape_block(roundel_items(company, _ROUNDEL_MM, style), _ROUNDEL_MM)
            room = pitch - _ROUNDEL_MM - 3.0
            name = line_block(style.words(company.name), label, ink, room)
            cells.append(in_row(roundel, 1.4, name).sized(pitch, row_mm, Anchor.START))
        rows = (in_row(*cells[start : start + per_row]) for start in range(0, len(cells), per_row))
        parts += (-0.3, *rows, 3.3)
    parts += (_explanation(page), _GAP_MM)
    prepared = stacked(*parts, align=Anchor.START)
    items = [*prepared.paint(0, 0)]

    head_mm = strong.size_mm * 1.3
    high = page.height - prepared.height - head_mm
    if high >= _LEAST_MAP_MM:
        grid = grid_of(occupied(page.log), board_origin(page.log), width - 1, high - 1)
        if grid.across >= _LEAST_HEX_MM:
            name = text_block(page.words("finished"), strong, ink)
            items += name.paint(0, prepared.height)
            whole = Stage(new=steps_of(page.box, page.log), blanks=page.log.blanks)
            drawn = picture(page.box, whole, grid, style)
            items += placing(drawn)(0.5, prepared.height + head_mm)
    return items


def _explanation(page: _GuidePage) -> Block:
    """A panel that explains the steps by the first one, and the signs of hexes in the pictures."""
    style, ink, first = page.style, page.style.ink("text"), steps_of(page.box, page.log)[0]
    body, strong = style.type("atlas.guide.setup"), style.type("atlas.guide.task")
    step, sign_mm, pad = body.size_mm * _LEADING, 8.0, 4.0
    assert first.tile is not None, "a map begins with a tile"
    sign = tile_sign(page.box.tile_by_number[first.tile], first.rotation, sign_mm, style)
    lead = 2.02 * sign_mm + 2 * pad
    lines = wrap_rich(page.words("how"), body, page.width - lead - pad)
    words = stacked(
        text_block(page.words("read"), strong, ink),
        text_block(
            lines,
            body,
            ink,
            leading=_LEADING,
            align=Anchor.START,
            rise=below(1.4 * strong.size_mm),
        ),
        text_block(_places(page, first), strong, ink, rise=below(step + 0.6)),
        align=Anchor.START,
    )
    printed = {hexagon.ground for tile in page.box.map_tiles for hexagon in tile.hexes}
    grounds = [ground for ground in Ground if ground in printed]
    height = pad + words.height + 12.0 + pad

    def draw(panel: Box) -> Iterator[Item]:
        upper, _, signs, _ = panel.inset(pad).rows(words.height, 4.0, 8.0, 0)
        yield panel.plate(style.ink("card.tint"), radius=1.5)
        yield from placing(sign)(panel.x + lead / 2, upper.y + sign_mm)
        yield from words.paint(panel.x + lead, upper.y)
        label = style.type("atlas.guide.step")
        for ground, box in zip(grounds, signs.columns(*[0] * len(grounds)), strict=True):
            shown, _, name, _ = box.columns(6.0, 0.6, 0, 0.4)
            yield shown.centred(shape_block(hex_sign(ground, 5.0, style), 5.0))
            yield name.words(ground_word(ground, style), label, ink, Anchor.START)

    return box_block(page.width, height, draw)


def _places(page: _GuidePage, step: Step) -> str:
    """Grounds and coordinates of the hexes of a step."""
    return "  ·  ".join(
        f"{ground_word(ground, page.style)} {place}" for ground, place in step.hexes
    )


def _blanks(page: _GuidePage) -> Block:
    """The coordinates of blanks, for the foot of a page."""
    style, log = page.style, page.log
    if not log.blanks:
        return strut(_EDGE_MM)
    strong, ink = style.type("atlas.guide.task"), style.ink("text")
    names = ",  ".join(place_name(at, board_origin(log)) for at in sorted(log.blanks))
    label = text_block(page.words("blanks"), style.type("atlas.guide.setup"), ink)
    lead = label.width + 2.0
    first, *rest = wrap_rich(names, strong, page.width, lead_mm=lead)
    start = Anchor.START
    words = stacked(
        in_row(label, 2.0, text_block(first, strong, ink), level=1),
        text_block(rest, strong, ink, leading=1.25, align=start, rise=leaded(1.25)),
        align=start,
    )
    above = strong.size_mm + 1.6 - strong.cap_height_mm
    return stacked(above, words, 0.8)


class _Cells(Frozen, kw_only=True):
    """Layout of a stage: the size of its picture in mm, the position of the map in it, and the
    steps beside it or, in `lists` columns, below."""

    beside: bool
    lists: int
    height: float
    picture_mm: tuple[float, float]
    grid: Grid


def _cells(page: _GuidePage, longest: int, tall: float) -> _Cells:
    """Layout with the larger map: the steps beside the picture, or below it."""
    lists = max(1, int(page.width // _LIST_MM))
    below = tall - math.ceil(longest / lists) * _ROW_MM
    rooms = ((True, 1, (page.width - _LIST_MM, tall)), (False, lists, (page.width, below)))
    cells = [
        _Cells(
            beside=beside,
            lists=count,
            height=tall,
            picture_mm=room,
            grid=grid_of(occupied(page.log), board_origin(page.log), room[0] - 3.0, room[1] - 3.0),
        )
        for beside, count, room in rooms
    ]
    return max(cells, key=lambda layout: layout.grid.across)


def _stage(page: _GuidePage, stage: Stage, cells: _Cells) -> Block:
    """The picture of a stage, with its steps."""
    style, (wide, high) = page.style, cells.picture_mm
    frame = Stroke(style.ink("card.hair"), 0.15)

    def draw(box: Box) -> Iterator[Item]:
        yield box.inset(_EDGE_MM, 0).plate(stroke=frame, radius=1.5)
        yield from placing(picture(page.box, stage, cells.grid, style))(box.x + 1.5, box.y + 1.5)
        lists = box.columns(wide, 0)[1] if cells.beside else box.rows(high, 0)[1]
        count = math.ceil(len(stage.new) / cells.lists)
        row = min(_TALLEST_ROW_MM, lists.height / count)
        rows = lists.within(lists.width, count * row, level=0.5 if cells.beside else 0)
        grid = rows.grid([0] * cells.lists, [row] * count)
        for number, step in enumerate(stage.new):
            yield from _step(page, step, grid[divmod(number, count)])

    return box_block(page.width, cells.height, draw)


def _step(page: _GuidePage, step: Step, box: Box) -> Iterator[Item]:
    """A step: its order, the piece as it lies, its neighbours, and the coordinates of its hexes."""
    style = page.style
    body, strong = style.type("atlas.guide.step"), style.type("atlas.guide.task")
    ink, soft = style.ink("text"), style.ink("text.soft")
    order, _, sign, _, words, _ = box.columns(4.4, 0.8, 10.8, 1, 0, 1)
    numbers = ", ".join(map(str, step.beside))
    yield order.words(str(step.order), body, soft, Anchor.END)
    if step.tile is None:
        yield from icon_block("capital", "", 5.4, style, strong).at(*sign.middle)
        name, near = page.words("capital"), page.words("on", numbers) if numbers else ""
    else:
        tile = tile_sign(page.box.tile_by_number[step.tile], step.rotation, _SIGN_MM, style)
        yield from placing(tile)(*sign.middle)
        name = page.words("tile", step.tile)
        near = page.words("beside", numbers) if numbers else page.words("first")
    upper = text_block(name, strong, ink)
    beside = line_block(near, body, soft, words.width - upper.width - 2.0)
    rise = below(1.7 + strong.cap_height_mm)
    lower = line_block(_places(page, step), body, ink, words.width, rise=rise)
    lines = stacked(in_row(upper, 2.0, beside, level=1), lower, align=Anchor.START)
    # The two lines meet near the middle of the row.
    yield from lines.paint(words.x, words.middle[1] - upper.height - 0.9)


# The same map for several tables: for each a cover that seals the guide, with a slip for the
# result.


# Widths of the columns of a slip: seat, player, cash, shares, total, place; 0 takes the rest.
_SLIP_COLUMNS = (14.0, 0, 24.0, 24.0, 24.0, 16.0)
_SLIP_HEADS = ("seat", "player", "cash", "shares", "total", "rank")
_SLIP_ROW_MM, _SLIP_HEAD_MM, _SLIP_SIGN_MM = 11.0, 7.0, 16.0


def tables_pages(job: MapPrint, guide: Sequence[Scene]) -> Iterator[Scene]:
    """Pages to print on both sides, an even number for each table: a cover, key `atlas-table:1` and
    on, with lines for all players (at most those of the mode), and the pages of the guide. Covers do
    not name the map."""
    style, mode = job.style, job.box.mode_by_id[job.log.mode]
    seats = len(job.deal.seats) if job.deal else max(mode.players)
    width, height = guide[0].width_mm, guide[0].height_mm
    game = f"{style.words(job.title.name)} – {map_name(job.log, style)}"
    for number in range(1, job.tables + 1):
        page = Box(0, 0, width, height).inset(1.0)
        items = tuple(_cover(page, game, number, seats, style))
        label = style.words(atlas_words.table("tables_words")["table"], number)
        yield Scene(f"atlas-table:{number}", width, height, items, label=label)
        yield from guide
        if len(guide) % 2 == 0:
            yield Scene("atlas-table:blank", width, height, ())


def _cover(page: Box, game: str, number: int, seats: int, style: Style) -> Iterator[Item]:
    """The slip above the fold, to cut off, and the name of the table below it."""
    words = {
        key: style.words(text, number) for key, text in atlas_words.table("tables_words").items()
    }
    ink, red, hair = style.ink("text"), style.ink("map.title"), style.stroke("atlas.guide.hex")
    strong, body = style.type("atlas.guide.strong"), style.type("atlas.guide.setup")
    above, below = page.rows(0, 0, gap=16.0)
    head, _, names, rows, signs = above.rows(9.0, 4.0, _SLIP_HEAD_MM, seats * _SLIP_ROW_MM, 0)
    yield head.words(words["result"], style.type("atlas.guide.title"), red, Anchor.START)
    yield head.words(game, style.type("atlas.guide.game"), ink, Anchor.END)
    for box, key in zip(names.columns(*_SLIP_COLUMNS), _SLIP_HEADS, strict=True):
        yield box.words(words[key], strong, ink, Anchor.START, pad=1)
    grid = rows.grid(_SLIP_COLUMNS, [_SLIP_ROW_MM] * seats)
    for row in range(seats):
        for column in range(len(_SLIP_COLUMNS)):
            yield grid[column, row].plate(stroke=hair)
        yield grid[0, row].words(str(row + 1), strong, ink)
    for box, key in zip(
        signs.rows(_SLIP_SIGN_MM, 0)[0].columns(0, 0, gap=10.0), ("time", "signed"), strict=True
    ):
        yield box.rule(hair)
        yield box.words(words[key], strong, ink, Anchor.START)
    yield Box(page.x, page.middle[1], page.width, 0).rule(style.stroke("map.held"))
    _, name, plain, _, note, _ = below.rows(0, 34.0, 12.0, 8.0, 24.0, 0)
    yield name.words(words["table"], style.type("atlas.title"), red)
    yield plain.words(words["sealed"], style.type("atlas.project"), ink)
    lines = wrap_rich(words["fold"], body, 0.7 * page.width)
    yield note.centred(text_block(lines, body, ink, leading=1.25))


# Resolution for screens: a poster of 700 mm has 2800 pixels per side.
PNG_DPI = 100
# Margins of pages.
MAP_MARGIN_MM, GUIDE_MARGIN_MM = 6.0, 12.0
LEAST_GUIDE_MM = (160.0, 220.0)
_MAP, _GUIDE, _TABLES = "map", "guide", "tables"
_Printed = tuple[dict[str, bytes], tuple[Problem, ...]]
_BY_PAGE = {
    _GUIDE: atlas_words.table("guide_words")["guide"],
    _TABLES: atlas_words.table("tables_words")["tables"],
}


def map_files(job: MapPrint, processes: int) -> _Printed:
    """Files by name: map.svg, map.pdf, map-tiled.pdf, guide.pdf, guide.html, blind.html and, unless
    disabled or nothing here paints it, map.png; and their problems.

    With several processes, pictures are made in one and pages in another at the same time. Raises
    ProblemsFound with what would be illegible or does not fit the paper.
    """
    sheets = _guide_frames(job)
    code = qr_modules(job.link or job.again)
    poster = draw_atlas_poster(job.title, job.log, job.style, code=code, opens=bool(job.link))
    shares = partial(_pages, job, poster, sheets[0]), partial(_pictures, job, poster)
    (pages, on_pages), (pictures, on_poster) = share_out(_print_share, shares, processes=processes)
    if has_errors(problems := (*on_poster, *on_pages)):
        raise ProblemsFound(problems)
    return pictures | pages | guide_pages(job), problems


def _print_share(share: Callable[[], _Printed]) -> _Printed:
    with gc_paused():
        return share()


def _pictures(job: MapPrint, poster: Scene) -> _Printed:
    """Poster as SVG and PNG, and its illegible parts."""
    label = f"{job.style.words(job.title.name)}: {poster.label}"
    files = {"map.svg": render_svg(poster, title=label)}
    if job.png:
        from platelayer.render.png import render_png

        # If a library is missing, the other files are still made.
        try:
            files["map.png"] = render_png(poster, dpi=PNG_DPI)
        except CannotRun as error:
            left_out = Problem(
                "FI02",
                f"map.png is left out: {error}",
                "or use --no-png",
                severity=severity_of("FI02"),
            )
            return files, (*check_legibility(poster), left_out)
    return files, check_legibility(poster)


def _guide_frames(job: MapPrint) -> tuple[Frame, ...]:
    """Pages of the guide. Raises ProblemsFound if the paper is too small."""
    paper = find_paper(job.paper)
    sheets = frames(paper, GUIDE_MARGIN_MM)
    _, _, width, height = sheets[0].room if sheets else (0.0, 0.0, 0.0, 0.0)
    if width < LEAST_GUIDE_MM[0] or height < LEAST_GUIDE_MM[1]:
        message = f"{paper.name} is too small for the building guide"
        raise ProblemsFound([Problem("SH01", message, "use A4, Letter or a larger paper")])
    return sheets


def _pages(job: MapPrint, poster: Scene, sheet: Frame) -> _Printed:
    """Poster, pages to join and guide as PDF, and the problems of the guide and of the paper."""
    _, _, width, height = sheet.room
    guide = draw_guide(job, width, height)
    if job.homes:
        guide += (draw_balance(job, width, height),)
    tables = (*tables_pages(job, guide),)
    problems = tuple(
        problem for scene in (*guide, *tables[:1]) for problem in check_legibility(scene)
    )
    if has_errors(problems):
        return {}, problems
    guides, sealed = (
        DocumentPlan(stem=kind, name=name, kinds=(kind,), layouts={"grid": Layout(arrange="grid")})
        for kind, name in _BY_PAGE.items()
    )
    try:
        documents = (
            *_documents(job, (poster,), _MAP, standard_plan(), MAP_MARGIN_MM),
            *_documents(job, guide, _GUIDE, (guides,), GUIDE_MARGIN_MM),
            *_documents(job, tables, _TABLES, (sealed,), GUIDE_MARGIN_MM),
        )
    except ProblemsFound as error:
        return {}, error.problems
    return {f"{document.stem}.pdf": render_pdf(document) for document in documents}, problems


def _documents(
    job: MapPrint, scenes: Sequence[Scene], kind: str, plan: SheetPlan, margin_mm: float
) -> tuple[Document, ...]:
    # Sealed sheets must not reveal which map is inside.
    seed = f", {job.log.seed}" if job.log.seed is not None and kind != _TABLES else ""
    mode = job.style.words(atlas_words.table("modes").get(job.log.mode, Text.plain(job.log.mode)))
    name = Text.plain(f"{mode}{seed}")
    piece = Piece(kind=kind, id="atlas", name=name, count=1)
    return impose(
        job.style.words(job.title.name),
        [
            PieceToPrint(piece=piece, scene=scene, again=number > 0)
            for number, scene in enumerate(scenes)
        ],
        theme=job.style.theme,
        options=PrintOptions(paper=job.paper, margin_mm=margin_mm),
        tongue=job.style.tongue,
        plan=plan,
    )


# Width of a hex in the units of the pictures.
_ACROSS = 40.0
_HEXAGON = " ".join(f"{x:.1f},{y:.1f}" for x, y in corner_points(HexLayout.FLAT, _ACROSS))
_FRESH = 4.0
_STYLE = """
body{margin:0 auto;padding:1rem;max-width:40rem;font:1.1rem/1.45 system-ui,sans-serif;color:#111;background:#fff}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.2rem;margin:1.2rem 0 .3rem}
.facts,.again{color:#444;overflow-wrap:anywhere}ol{list-style:none;padding:0;margin:0}
ol>li{border-top:2px solid #999;padding:.6rem 0;break-inside:avoid}
.step{display:flex;align-items:center;gap:1rem;flex-wrap:wrap}.order{color:#444;min-width:5.5rem}
.number{font-size:3.4rem;font-weight:700;line-height:1;min-width:4.5rem}
.place{font-size:1.5rem}.near{color:#444}dt{font-weight:700;margin-top:.5rem}dd{margin:0 0 0 1rem}
svg{display:block;stroke:#555;stroke-width:1}.sign{width:5.5rem;height:5.5rem}.board{width:100%;height:auto;max-height:70vh;margin-top:.4rem}
.whole{overflow-x:auto}.whole .board{width:auto;max-height:none}
.old{fill:#ddd}.name{font:12px sans-serif;text-anchor:middle;fill:#333;stroke:none}
table{width:100%}td:nth-child(2){width:60%}meter{width:100%}caption{text-align:right}
.word{font-size:1.3rem;font-weight:700}
summary{cursor:pointer;padding:.5rem 0;font-size:1.2rem}code{overflow-wrap:anywhere}
@media print{body{max-width:none;font-size:10pt}.board{max-height:90mm}.whole .board{width:100%}}
""".strip()


def guide_pages(job: MapPrint) -> dict[str, bytes]:
    """guide.html and blind.html of a map, without scripts or external files."""
    page = _HtmlPage(job)
    whole = "".join(f"<li>{page.step(step)}</li>" for step in page.steps)
    blind = "".join(f"<li>{note}</li>" for note in page.hidden())
    return {
        "guide.html": page.document(
            "guide_page", f"<p>{page.words('how')}</p>\n<ol>{whole}</ol>{page.end()}", blind=False
        ),
        "blind.html": page.document(
            "blind_page",
            f"<p>{page.words('turns')} {page.words('borders')}</p>\n<ol>{blind}</ol>\n<p>{page.words('blank_rule')}</p>"
            f"<details><summary>{page.words('done')}</summary>{page.playing()}{page.end()}</details>",
            blind=True,
        ),
    }


def ground_symbols(style: Style) -> dict[str, str]:
    """A hex of each ground with its sign as an SVG group, 40 units from flat to flat, by its id."""
    return {
        ground.value: f'<g id="{ground.value}"><polygon points="{_HEXAGON}" '
        f'fill="{style.ink(ink).hex}"/>{_sign(ground_sign(ground, _ACROSS, style))}</g>'
        for ground, ink in GROUND_INKS.items()
    }


class _HtmlPage:
    """The parts of both pages; all text is escaped."""

    def __init__(self, job: MapPrint) -> None:
        self.job, self.box, self.log = job, job.box, job.log
        self.steps = steps_of(job.box, job.log)
        self.origin = board_origin(job.log)

    def words(self, key: str, *parts: object) -> str:
        """A phrase of the pages, or of the printed guide."""
        text = atlas_words.table("page_words").get(key) or atlas_words.table("guide_words")[key]
        return self.text(text, *parts)

    def text(self, text: Text, *parts: object) -> str:
        """A text, filled and escaped."""
        return escape(self.job.style.words(text, *parts))

    def centre(self, at: Axial) -> tuple[float, float]:
        """The centre of a hex in the pictures."""
        return centre_mm(doubled(at), HexLayout.FLAT, _ACROSS)

    def document(self, name: str, body: str, *, blind: bool) -> bytes:
        """A whole page."""
        style = self.job.style
        game = escape(f"{style.words(self.job.title.name)} – {map_name(self.log, style)}")
        facts = " · ".join(
            escape(f"{label} {value}".strip()) for label, value in facts_of(self.log, style)
        )
        tasks = tasks_of(self.job, blind=blind)
        lines = "".join(
            f"<dt>{escape(task.head)}</dt><dd>{'<br>'.join(map(escape, task.lines))}</dd>"
            for task in tasks
        )
        if not blind:
            across = piece_size(self.job.title, "map-tile").width_mm
            size = self.words("size", *board_size_mm(self.log, across), f"{across:g}")
            lines = f"<dt>{self.words('table')}</dt><dd>{size}</dd>{lines}"
        again = f'<p class="again"><code>{escape(self.job.again)}</code></p>'
        return (
            f'<!doctype html>\n<html lang="{escape(style.language)}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{self.words(name)}: {game}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
            f'{self.symbols()}\n<h1>{self.words(name)}</h1>\n<p class="facts">{game}<br>{facts}</p>\n'
            f"<h2>{self.words('prepare')}</h2>\n<dl>{lines}</dl>\n{body}\n{again}\n</body>\n</html>\n"
        ).encode()

    def symbols(self) -> str:
        """A hex of each ground, and one of a tile laid before, for use in many pictures."""
        hexes = ground_symbols(self.job.style).values()
        old = f'<polygon id="old" class="old" points="{_HEXAGON}"/>'
        return (
            f'<svg width="0" height="0" aria-hidden="true"><defs>{"".join(hexes)}{old}</defs></svg>'
        )

    def tile(self, tile: int, at: Axial, rotation: int, *, old: bool = False) -> str:
        """The hexes of a tile as it lies."""
        hexes = zip(tile_hexes(at, rotation), self.box.tile_by_number[tile].hexes, strict=True)
        return "".join(
            f'<use href="#{"old" if old else hexagon.ground.value}" {self.at(place)}/>'
            for place, hexagon in hexes
        )

    def middle(self, at: Axial, rotation: int) -> tuple[float, float]:
        """The middle of a tile."""
        x, y = (
            math.fsum(axis) / 3
            for axis in zip(*map(self.centre, tile_hexes(at, rotation)), strict=True)
        )
        return x, y

    def playing(self) -> str:
        """The companies in play."""
        return f"<p>{self.words('companies_at_end', ', '.join(map(self.job.name, self.job.companies)))}</p>"

    def step(self, step: Step) -> str:
        """A piece, where each of its hexes goes, what it touches, and the map so far."""
        return self.lead(step, self.words("draw", step.order)) + self.board(step)

    def lead(self, step: Step, order: str) -> str:
        """The line of a step."""
        style, numbers = self.job.style, ", ".join(map(str, step.beside))
        if step.tile is None:
            what, near = f'<span class="word">{self.words("capital")}</span>', "on"
        else:
            what = f'<span class="number">{step.tile}</span>{self.sign(step.tile, step.rotation)}'
            near = "beside" if step.beside else "first"
        head = f'<span class="order">{order}</span>' if order else ""
        places = "<br>".join(
            f'{escape(ground_word(ground, style))} <b class="place">{escape(place)}</b>'
            for ground, place in step.hexes
        )
        return (
            f'<div class="step">{head}{what}<span>{places}</span>'
            f'<span class="near">{self.words(near, numbers)}</span></div>'
        )

    def hidden(self) -> Iterable[str]:
        """Every draw, hidden: first the piece, then, hidden again, its place on this map."""
        steps = iter(self.steps)
        for draw in self.log.draws:
            if isinstance(draw, ProjectDraw):
                laid = draw.overlay_at is not None
                shown = f'<p class="word">{self.words("project" if laid else "defer")}</p>'
            else:
                laid = True
                shown = f'<div class="step"><span class="number">{draw.tile}</span>{self.sign(draw.tile, 0)}</div>'
            if laid:
                step = next(steps)
                where = f"{self.lead(step, '')}{self.board(step)}"
                shown += f"<details><summary>{self.words('place')}</summary>{where}</details>"
            words = f"{self.words('draw', draw.draw)} – {self.words('hidden')}"
            yield f"<details><summary>{words}</summary>{shown}</details>"

    def end(self) -> str:
        """The places of blanks, the whole map, and its fairness."""
        places = ", ".join(place_name(at, self.origin) for at in sorted(self.log.blanks))
        blanks = (
            f'<p>{self.words("blanks")} <span class="word">{places}</span></p>' if places else ""
        )
        return f'{blanks}<div class="whole">{self.board(None)}</div>{self.fairness()}'

    def fairness(self) -> str:
        """The worth of each home as a bar."""
        worths = {
            self.job.name(company): home.worth for company, home in sorted(self.job.homes.items())
        }
        if not worths:
            return ""
        words, most = atlas_words.table("balance_words"), max(worths.values())
        rows = (
            f'<tr><td>{escape(name)}</td><td><meter max="{most}" value="{worth}"></meter></td>'
            f"<td>{escape(self.job.title.money(worth))}</td></tr>"
            for name, worth in worths.items()
        )
        head = self.text(words["fairness"], f"{self.job.fairness:.1f}")
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.job.judgements)
        return (
            f"<h2>{head}</h2><table><caption>{self.text(words['worth'])}</caption>{''.join(rows)}</table>"
            f"{said}"
        )

    def sign(self, tile: int, rotation: int) -> str:
        """A single tile as it lies, with its number in the middle."""
        x, y = self.middle(Axial(0, 0), rotation)
        half = 1.15 * _ACROSS
        view = f"{x - half:.1f} {y - half:.1f} {2 * half:.1f} {2 * half:.1f}"
        drawn = self.tile(tile, Axial(0, 0), rotation) + _number(tile, x, y)
        return f'<svg class="sign" viewBox="{view}" aria-hidden="true">{drawn}</svg>'

    def board(self, last: Step | None) -> str:
        """The map up to a step, which is highlighted; without a step, the whole map with its
        blanks."""
        items, numbers = [], []
        if last is None:
            items = [
                f'<polygon points="{_HEXAGON}" fill="#fff" stroke="#555" {self.at(at)}/>'
                for at in self.log.blanks
            ]
        for step in self.steps:
            fresh = step is last
            if last is not None and step.order > last.order:
                break
            if step.tile is None:
                continue
            shown = self.tile(step.tile, step.at, step.rotation, old=not fresh and last is not None)
            items.append(f'<g stroke-width="{_FRESH:g}">{shown}</g>' if fresh else shown)
            numbers.append(_number(step.tile, *self.middle(step.at, step.rotation)))
        for step in self.steps:
            if step.tile is None and (last is None or step.order <= last.order):
                width = 5 if step is last or last is None else 2
                ring = f'stroke="#c00" stroke-width="{width}" {self.at(step.at)}'
                items.append(f'<polygon points="{_HEXAGON}" fill="none" {ring}/>')
        items += [*numbers, *self.names(last)]
        words = self.words("finished") if last is None else escape(last.hexes[0][1])
        whole, view = "".join(items), self.view(last)
        size = "" if last else f' width="{view.split()[2]}"'
        return f'<svg class="board" viewBox="{view}"{size} role="img" aria-label="{words}">{whole}</svg>'

    def names(self, last: Step | None) -> Iterable[str]:
        """The names of the places of tiles, at the foot of their hexes, or at the head where the
        number is below."""
        for step in self.steps if last is None else self.steps[: last.order]:
            if step.tile is None:
                continue
            _, middle = self.middle(step.at, step.rotation)
            for at in tile_hexes(step.at, step.rotation):
                x, y = self.centre(at)
                base = y - 0.27 * _ACROSS if middle > y + 1 else y + 0.43 * _ACROSS
                yield f'<text class="name" x="{x:.1f}" y="{base:.1f}">{place_name(at, self.origin)}</text>'

    def view(self, last: Step | None) -> str:
        """The table within three hexes of a step, so that letters can be read on a phone; without a
        step, the whole map."""
        places = [*map(self.centre, occupied(self.log))]
        if last is not None:
            laid = (last.at,) if last.tile is None else tile_hexes(last.at, last.rotation)
            places = [*map(self.centre, laid)]
        room = (1.6 if last is None else 3.5) * _ACROSS
        left, top = (min(axis) - room for axis in zip(*places, strict=True))
        right, bottom = (max(axis) + room for axis in zip(*places, strict=True))
        return f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"

    def at(self, place: Axial) -> str:
        """The attribute that moves something to a hex."""
        x, y = self.centre(place)
        return f'transform="translate({x:.1f} {y:.1f})"'


def _number(number: int, x: float, y: float) -> str:
    """The number of a tile, in its middle."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="#fff" stroke="none"/><text x="{x:.1f}" '
        f'y="{y + 4.6:.1f}" font-size="13" font-weight="700" text-anchor="middle" '
        f'font-family="sans-serif" stroke="none" fill="#111">{number}</text>'
    )


def _sign(shapes: Iterable[Circle | Path]) -> str:
    """A sign of a hex as SVG."""
    drawn = []
    for shape in shapes:
        if isinstance(shape, Circle):
            tag = f'<circle r="{shape.r:.2f}"'
        else:
            path = " ".join(
                f"{name}{' '.join(f'{number:.2f}' for number in at)}"
                for name, *at in shape.commands
            )
            tag = f'<path d="{path}"'
        fill = "none" if shape.fill is None else shape.fill.hex
        stroke = "none" if shape.stroke is None else shape.stroke.ink.hex
        drawn.append(f'{tag} fill="{fill}" stroke="{stroke}" stroke-width="1"/>')
    return "".join(drawn)
