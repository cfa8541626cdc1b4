"""The upgrade chart: real tiles in columns by colour, with arrows between them.

A band holds tiles connected by chains of upgrades. If there would be too many arrows to follow, or
if no arrow leads from a tile, the band shows its tiles in a grid by colour instead, each with the
numbers of its replacements.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, zip_longest

from msgspec.structs import replace

from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    in_row,
    line_block,
    placing,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, listed, one_line, wrap_within
from platelayer.drawing.kit.parts import arrow, tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import MARGIN_MM, sized_board, title_plate
from platelayer.drawing.map.panels import pass_name
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import COS_30, Layout
from platelayer.model.manifest import Manifest
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.tile import HEX, StopKind, Tile, Upgrade, UpgradeGraph
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Anchor,
    Cut,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    polygon_path,
)
from platelayer.scene.typeset import TypeStyle, text_width, wrap

map_words = FixedWords("map")
card_words = FixedWords("cards")

# Column of unlaid hexes, before the columns of the title's colours.
_HEX_COLUMN = ""


class _Node(Frozen, kw_only=True):
    """A tile, or map hexes with the same content: its drawing, its words and the colour of its
    column.

    `after` has the keys of its replacements, in the title's order. `via` is the ability that alone
    may lay it, marked by a star at its number.
    """

    key: str
    tile: Tile
    words: str
    column: str
    after: tuple[str, ...]
    via: str | None = None

    @property
    def labels(self) -> str:
        """Labels of the tile, joined by spaces."""
        return " ".join(label.text for label in self.tile.labels)

    @property
    def value(self) -> str:
        """Revenues of the tile's stops, joined by slashes."""
        steps = (step for stop in self.tile.stops for step in stop.revenue)
        return "/".join(dict.fromkeys(step.printed for step in steps))

    @property
    def is_hex(self) -> bool:
        """True for map hexes."""
        return self.key.startswith(HEX)


class _Band(Frozen, kw_only=True):
    """Tiles and hexes connected by chains of upgrades, in the title's order, and their common
    name."""

    name: str
    nodes: tuple[_Node, ...]

    def column(self, colour: str) -> tuple[_Node, ...]:
        return tuple(node for node in self.nodes if node.column == colour)


# Size of a tile, flat to flat, if there is room.
_TILE_MM = 16.0
# Width and maximum height of a page, which fits both A4 and Letter including its marks.
_WIDTH_MM, _PAGE_MM = 182.0, 254.0
# Height of the head of a band.
_HEAD_MM = 8.2
_ROW_GAP_MM = 1.8
# Maximum width of words on one side of a tile; longer ones are cut.
_MOST_BESIDE_MM = 26.0
_LEADING = 1.12
_LINE_MM = 0.28
_TIP_MM = 1.9
_CLEAR_MM = 0.7
_BEND_MM = 4.0
# Free width in a corner of the box around a hex, as a share of half its size flat to flat.
_NARROW = {Layout.FLAT: 0.36, Layout.POINTY: 0.33}

_GROUP_GAP_MM = 5.0
_CELL_GAP_MM = 1.6
# Gap between values that extend beyond a tile and the number of the next tile.
_BESIDE_MM = 2.6
# Room for the name of a band without unlaid hexes, beside its first column.
_NAME_MM = 30.0
_ABOVE_MM = 1.2
# Part of a page's margin that words may use.
_MARGIN_FREE_MM = MARGIN_MM - 3.2

# Room at the left of the first column for words beside hexes, and minimum room at the right of the
# last for values.
_LEFT_MM, _RIGHT_MM = 15.0, 3.0
# Minimum room for arrows between two columns.
_GAP_MM = 9.0
_BAND_GAP_MM = 4.4
_FOOT_MM = 5.0
_PLATE_GAP_MM = 3.4
# Height of the line at the top of further pages.
_HEAD_LINE_MM = 5.4
_MOST_ROWS = 8
_MOST_ARROWS = 16
_FEW_TILES = 3
_MOST_COLUMNS = 8
# Maximum number of lines about the chart at the foot of a page.
_MOST_NOTES = 12


class _Chart(Frozen, kw_only=True):
    """Measures of all bands of a chart, in mm: for arrows, `x` has the middle of each colour's
    column and `step` is the distance between columns; `colours` are all columns in order."""

    style: Style
    layout: Layout
    across: float
    x: dict[str, float]
    step: float
    colours: tuple[str, ...]

    @property
    def wide(self) -> float:
        """Width of a tile."""
        return self.across / COS_30 if self.layout is Layout.FLAT else self.across

    @property
    def tall(self) -> float:
        """Height of a tile."""
        return self.across if self.layout is Layout.FLAT else self.across / COS_30

    @property
    def reach(self) -> float:
        """Distance from the middle of a tile to the inner end of words beside its slanting
        edges."""
        return self.wide / 2 - _NARROW[self.layout] * self.across / 2


def upgrade_chart_pages(
    title: Title, _manifest: Manifest, graph: UpgradeGraph, style: Style
) -> tuple[Scene, ...]:
    """Draw the chart on pages for common paper."""
    return draw_upgrade_charts(title, graph, style, _PAGE_MM)


def draw_upgrade_charts(
    title: Title, graph: UpgradeGraph, style: Style, height_mm: float | None
) -> tuple[Scene, ...]:
    """Draw the chart on pages of at most this height (mm) with keys `upgrade-chart:1` ...; on a
    single page if the height is None.

    Pages are as high as their contents, and at least as high as one band.
    """
    bands = chart_bands(title, graph, style)
    chart = _measure(title, bands, style)
    words, inner = style.words(card_words("upgrades")), _WIDTH_MM - 2 * MARGIN_MM
    plate = title_plate(title, words, style, inner)
    top = MARGIN_MM + plate.height + _PLATE_GAP_MM
    small, ink = style.type("board.note"), style.ink("board.edge")
    lines = _note_lines(bands, chart)
    note = text_block(lines, small, ink, leading=_LEADING, align=Anchor.START)
    room = further = None
    if height_mm is not None:
        foot = _FOOT_MM + note.height - small.cap_height_mm
        room = height_mm - top - MARGIN_MM - foot
        further = room + top - MARGIN_MM - _HEAD_LINE_MM
    pages = _pages([block for band in bands for block in _blocks(band, chart, room)], room, further)
    whole = f"{style.words(title.name)} · {words}"
    line = line_block(whole, style.type("board.round"), ink, inner)
    scenes = []
    for number, blocks in enumerate(pages, start=1):
        head, below = (plate, _PLATE_GAP_MM) if number == 1 else (line, _HEAD_LINE_MM - line.height)
        label, count = words, text_block(("",), small, ink)
        if len(pages) > 1:
            label, pages_words = f"{words} {number}", card_words("page")
            count = text_block((style.words(pages_words, number, len(pages)),), small, ink)
        page = stacked(
            MARGIN_MM,
            head,
            below,
            stacked(*blocks, gap=_BAND_GAP_MM),
            _FOOT_MM + 0.6 - small.cap_height_mm,
            in_row(note, inner - note.width - count.width, count, level=1),
            MARGIN_MM - 0.6,
        )
        key, size = f"upgrade-chart:{number}", (_WIDTH_MM, page.height)
        scenes.append(sized_board(key, label, size, page.paint(0, 0), style))
    return tuple(scenes)


def _measure(title: Title, bands: Sequence[_Band], style: Style) -> _Chart:
    """Return the measures with the largest tiles that the columns, and the words beside the last
    column, leave room for."""
    layout = title.layout
    columns = _chart_columns(title, [band for band in bands if not _is_crowded(band)])
    wide_per_mm = 1 / COS_30 if layout is Layout.FLAT else 1.0
    if len(columns) > _MOST_COLUMNS:
        # There is no room for arrows.
        columns = ()
    count = max(1, len(columns))

    def beside(right: float) -> _Chart:
        room = _WIDTH_MM - 2 * MARGIN_MM - _LEFT_MM - right
        across = min(_TILE_MM, (room - (count - 1) * _GAP_MM) / count / wide_per_mm)
        wide = across * wide_per_mm
        step = (room - wide) / (count - 1) if count > 3 else wide + 16.0
        first = MARGIN_MM + _LEFT_MM + wide / 2
        return _Chart(
            style=style,
            layout=layout,
            across=across,
            x={colour: first + place * step for place, colour in enumerate(columns)},
            step=step,
            colours=_chart_columns(title, bands),
        )

    chart = beside(_RIGHT_MM)
    last = [node for band in bands for colour in columns[-1:] for node in band.column(colour)]
    reach = _overhang_mm(last, chart)[1]
    return chart if reach <= _RIGHT_MM else beside(reach)


def _pages(
    blocks: Sequence[Block],
    first: float | None,
    further: float | None,
    gap: float = _BAND_GAP_MM,
    *,
    in_order: bool = False,
) -> list[list[Block]]:
    """Put each block on the first page with room for it, so that a short block may fill up an
    earlier page; with `in_order`, blocks stay in sequence. `first` and `further` are the heights
    of the first page and of the others, None for unlimited."""
    pages: list[list[Block]] = [[]]
    for block in blocks:
        for page in pages[-1:] if in_order else pages:
            room = first if page is pages[0] else further
            if room is None or not page or stacked(*page, block, gap=gap).height <= room:
                page.append(block)
                break
        else:
            pages.append([block])
    return pages


def _note_lines(bands: Sequence[_Band], chart: _Chart) -> tuple[str, ...]:
    """Return instructions for reading the chart, and the abilities that lay tiles with a star, in
    lines that fit beside the page number."""
    style = chart.style
    grids = [_for_arrows(band, chart) is None for band in bands]
    notes = [style.words(card_words("upgrade_note"))] if not all(grids) else []
    if any(grids):
        notes.append(style.words(card_words("numbers_note")))
    notes.append(style.words(card_words("track_kept")))
    by = dict.fromkeys(node.via for band in bands for node in band.nodes if node.via is not None)
    if by:
        notes.append(style.words(card_words("only_by"), listed(list(by), style)))
    small = style.type("board.note")
    page_mm = text_width(style.words(card_words("page"), 99, 99), small)
    room = _WIDTH_MM - 2 * MARGIN_MM - page_mm - 6.0
    lines = wrap_within("  ".join(notes), small, room)
    if len(lines) <= _MOST_NOTES:
        return lines
    rest = " ".join(lines[_MOST_NOTES - 1 :])
    return (*lines[: _MOST_NOTES - 1], Cut(one_line(rest, small, room - small.size_mm)[1], rest))


def _is_crowded(band: _Band) -> bool:
    """Return True if there would be too many arrows to follow, if there are none (or, in a band of
    more than a few tiles, only arrows from hexes), or if words of hexes could be in the way of
    arrows."""
    there = {node.key for node in band.nodes}
    rows = Counter(node.column for node in band.nodes)
    arrows = Counter(node.column for node in band.nodes for key in node.after if key in there)
    leading = [node for node in band.nodes if node.after]
    printed = {node.column for node in band.nodes if node.is_hex} - {_HEX_COLUMN}
    return (
        not leading
        or (len(band.nodes) > _FEW_TILES and all(node.is_hex for node in leading))
        or max(rows.values()) > _MOST_ROWS
        or max(arrows.values(), default=0) > _MOST_ARROWS
        or len(printed) > 1
    )


def _for_arrows(band: _Band, chart: _Chart) -> _Chart | None:
    """Return the measures of a band with arrows; None for a grid, that is, if the band is crowded
    or arrows have no room beside the words of tiles. If each unlaid hex has exactly one tile,
    which no other hex has, the two columns may take the places of the first two instead."""
    order = {colour: number for number, colour in enumerate(chart.x)}
    if not _is_crowded(band) and all(node.column in order for node in band.nodes):
        columns = [band.column(colour) for colour in order]
        place = {node.key: order[node.column] for node in band.nodes}
        leaps = {
            place[key] - place[node.key]
            for node in band.nodes
            for key in node.after
            if key in place
        }
        # Arrows must lead from one column to the next; others would cross tiles or words.
        if (
            leaps <= {1}
            and _overhang_mm(next(filter(None, columns)), chart)[0] <= _LEFT_MM
            and all(_straights(*pair, chart) for pair in pairwise(columns))
        ):
            return chart
    colours = [colour for colour in chart.colours if band.column(colour)]
    if len(colours) != 2 or colours[0] != _HEX_COLUMN or len(chart.x) < 2:
        return None
    first, second = map(band.column, colours)
    after, own = [node.after for node in first], [(node.key,) for node in second]
    if after != own or len(own) > _MOST_ROWS or _straights(first, second, chart) is None:
        return None
    return replace(chart, x=dict(zip(colours, chart.x.values(), strict=False)))


def _blocks(band: _Band, chart: _Chart, room: float | None) -> list[Block]:
    """Return a band as one block, or as several if it is a grid higher than a page."""
    arrows = _for_arrows(band, chart)
    if arrows is None:
        return _grid_blocks(band, chart, room)
    half = chart.wide / 2
    heads = {colour: (x - half, x + half) for colour, x in arrows.x.items() if band.column(colour)}
    return [stacked(_head(band.name, heads, chart.style), _arrows_and_tiles(band, arrows))]


def _arrows_and_tiles(band: _Band, chart: _Chart) -> Block:
    """Lay out every tile in the column of its colour, with an arrow for every upgrade."""
    places, height = _middles(band, chart)
    columns = {colour: band.column(colour) for colour in chart.x}
    level = {
        after: _straights(columns[before], columns[after], chart) or (0.0, 0.0)
        for before, after in pairwise(columns)
    }
    nodes = {node.key: node for node in band.nodes}
    ink = chart.style.ink("board.edge")
    items: list[Item] = [
        _arrow_line(places[node.key], places[key], level.get(nodes[key].column, (0.0, 0.0)), chart)
        for node in band.nodes
        for key in node.after
        if key in places
    ]
    tips = dict.fromkeys(key for node in band.nodes for key in node.after if key in places)
    for key in tips:
        # All arrows to a tile share one head.
        x, y = places[key][0] - chart.wide / 2 - _CLEAR_MM, places[key][1]
        points = ((x, y), (x - _TIP_MM, y - 0.85), (x - _TIP_MM * 0.72, y), (x - _TIP_MM, y + 0.85))
        items.append(Path(polygon_path(points), fill=ink, role=Role.ORNAMENT))
    for node in band.nodes:
        x, y = places[node.key]
        items += _tile(node, chart).paint(x - chart.wide / 2, y - chart.tall / 2)
        if node.is_hex:
            # Words at the left of a hex.
            is_first = node.column == _HEX_COLUMN
            room = _LEFT_MM - 1.4 if is_first else chart.step - chart.wide - 2.0
            type_style, lines = _lines_within(node.words, room, chart)
            words = text_block(lines, type_style, ink, leading=_LEADING, align=Anchor.END)
            items += words.paint(x - chart.wide / 2 - 1.0 - words.width, y - words.height / 2)
    return Block(_WIDTH_MM, height, placing(items))


def _middles(band: _Band, chart: _Chart) -> tuple[dict[str, Point], float]:
    """Return the middle of every tile, and the total height. Columns are vertically centred; but
    printed hexes in a tile colour are above everything else if an arrow could cross the words
    beside them."""
    pitch = chart.tall + _ROW_GAP_MM
    printed = [node for node in band.nodes if node.is_hex and node.column != _HEX_COLUMN]
    order = list(chart.x)
    if printed:
        before = order[: order.index(printed[0].column) + 1]
        if len(printed) == sum(len(band.column(colour)) for colour in before):
            printed = []
    above = {node.key for node in printed}
    others = {
        colour: [node for node in band.column(colour) if node.key not in above] for colour in order
    }
    rows = max(map(len, others.values()))
    places = {}
    for row, node in enumerate(printed):
        places[node.key] = (chart.x[node.column], row * pitch + chart.tall / 2)
    for colour, nodes in others.items():
        first = len(printed) + (rows - len(nodes)) / 2
        for row, node in enumerate(nodes):
            places[node.key] = (chart.x[colour], (first + row) * pitch + chart.tall / 2)
    return places, (len(printed) + rows) * pitch - _ROW_GAP_MM


class _Grid(Frozen, kw_only=True):
    """A band in a grid: maximum height of its parts (None: unlimited), widths of a cell and of the
    words below a tile, and the overhang of words at the right of tiles."""

    band: _Band
    chart: _Chart
    room: float | None
    cell: float
    below: float
    right: float

    def blocks(self, colours: Sequence[str]) -> Iterator[Block]:
        """Yield these colours side by side, below the name of the band, as one block or several."""
        inner, cell = _inner_mm(colours), self.cell
        columns = [self.band.column(colour) for colour in colours]
        most = max(len(colours), int((inner - _GROUP_GAP_MM * (len(colours) - 1)) / cell))
        shares = _share([len(nodes) for nodes in columns], most)
        # Distance from a tile to the side of its cell.
        free = (cell - self.chart.wide) / 2
        left = _WIDTH_MM - MARGIN_MM - inner + free - max(0, self.right)
        places = Box(left, 0, 0, 0).columns(*(n * cell for n in shares), gap=_GROUP_GAP_MM)
        heads, by_row = {}, []
        for colour, nodes, share, place in zip(colours, columns, shares, places, strict=True):
            end = place.x + min(share, len(nodes)) * cell - free
            heads[colour] = (place.x + free, end)
            by_row.append([nodes[at : at + share] for at in range(0, len(nodes), share)])
        rows = []
        for row in zip_longest(*by_row, fillvalue=()):
            groups = [
                replace(in_row(*map(self.tile, nodes), level=0), width=place.width)
                for nodes, place in zip(row, places, strict=True)
            ]
            rows.append(in_row(left, *groups, gap=_GROUP_GAP_MM, level=0))
        head, start = _head(self.band.name, heads, self.chart.style, arrows=True), Anchor.START
        room = None if self.room is None else self.room - _HEAD_MM - _ROW_GAP_MM
        for part in _pages(rows, room, room, _ROW_GAP_MM, in_order=True):
            yield stacked(head, stacked(*part, gap=_ROW_GAP_MM, align=start), align=start)

    def tile(self, node: _Node) -> Block:
        """Return a tile in its cell; below it the words of a hex, then the numbers of its
        replacements."""
        small, ink = self.chart.style.type("board.note"), self.chart.style.ink("board.edge")
        numbers = [one_line(line, small, self.below)[1] for line in self.numbers(node)]
        texts: list[tuple[TypeStyle, Sequence[str]]] = [(small, numbers)]
        if node.is_hex:
            texts.insert(0, _lines_within(node.words, self.below, self.chart))
        parts: list[Block | float] = []
        for type_style, lines in texts:
            if lines:
                # The next text begins where the next line of this one would.
                parts.append(text_block(lines, type_style, ink, leading=_LEADING))
                parts.append(_LEADING * type_style.size_mm - type_style.cap_height_mm)
        block = stacked(_tile(node, self.chart), *((_ABOVE_MM, *parts) if parts else ()))
        return block.sized(self.cell, block.height)

    def numbers(self, node: _Node) -> tuple[str, ...]:
        """Return the numbers of a tile's replacements, as lines."""
        return wrap(" ".join(node.after), self.chart.style.type("board.note"), self.below)

    def parts(self, node: _Node) -> Iterator[_Node]:
        """Yield a tile; repeatedly, if the numbers of its replacements do not fit below it on one
        page."""
        if self.room is None or not node.after:
            yield node
            return
        step = self.chart.style.type("board.note").size_mm * _LEADING
        bare = self.tile(replace(node, after=())).height + _ROW_GAP_MM
        lines, most = self.numbers(node), int((self.room - _HEAD_MM - bare) / step)
        count = len(lines) if len(lines) <= most else max(1, most - 1)
        for start in range(0, len(lines), count):
            yield replace(node, after=tuple(" ".join(lines[start : start + count]).split()))


def _grid_blocks(band: _Band, chart: _Chart, room: float | None) -> list[Block]:
    """Return a band as one block, or as several if it is higher than `room` mm or its colours do
    not fit the width of a page."""
    colours = [colour for colour in chart.colours if band.column(colour)]
    left, right = _overhang_mm(band.nodes, chart)
    note = chart.style.type("board.note")
    numbers = (text_width(number, note) for node in band.nodes for number in node.after)
    longest = min(max(numbers, default=0), _MOST_BESIDE_MM)
    right = max(right, (longest - chart.wide) / 2 - _MARGIN_FREE_MM)
    over = max(0, right)
    cell = chart.wide + max(_CELL_GAP_MM, left + over + (_BESIDE_MM if right > 0 else 0.8))
    # Words below a tile may extend into the margin, but not beyond it.
    beyond = min(over, cell - chart.wide - over) + _MARGIN_FREE_MM
    below = min(cell - _CELL_GAP_MM, chart.wide + 2 * beyond)
    grid = _Grid(band=band, chart=chart, room=room, cell=cell, below=below, right=right)
    nodes = tuple(chain.from_iterable(map(grid.parts, band.nodes)))
    grid = replace(grid, band=replace(band, nodes=nodes))
    return [*chain.from_iterable(map(grid.blocks, _abreast(colours, cell)))]


def _abreast(colours: Sequence[str], cell: float) -> list[Sequence[str]]:
    """Return the colours in order, in groups as large as the width of a page allows."""
    for most in range(len(colours), 0, -1):
        groups = [colours[start : start + most] for start in range(0, len(colours), most)]
        each = cell + _GROUP_GAP_MM
        if all(len(group) * each - _GROUP_GAP_MM <= _inner_mm(group) for group in groups):
            break
    return groups


def _inner_mm(colours: Sequence[str]) -> float:
    """Return the total width of the columns of some colours. The name of a band is above unlaid
    hexes, otherwise beside the columns."""
    return _WIDTH_MM - 2 * MARGIN_MM - (0.0 if colours[0] == _HEX_COLUMN else _NAME_MM)


def _share(counts: Sequence[int], most: int) -> list[int]:
    """Return the number of grid columns of each colour, so that the tallest colour is as low as
    possible."""
    shares = [1] * len(counts)
    while sum(shares) < most:
        both = zip(counts, shares, strict=True)
        need = [count / share if count > share else 0 for count, share in both]
        if max(need, default=0) == 0:
            break
        shares[need.index(max(need))] += 1
    return shares


def _head(
    name: str, heads: dict[str, tuple[float, float]], style: Style, *, arrows: bool = False
) -> Block:
    """Lay out the name of a band and, over each of its columns, the colour, on a rule, with arrows
    between them if requested. `heads` has the left and right ends of the columns."""
    ink = style.ink("board.edge")
    upper, bars, _ = Box(0, 0, _WIDTH_MM, _HEAD_MM).inset(MARGIN_MM, 0).rows(4.2, 1.4, 0)
    gold, edge = Stroke(style.ink("card.gold"), 0.25), Stroke(ink, 0.12)
    coloured = {colour: ends for colour, ends in heads.items() if colour != _HEX_COLUMN}
    first = min((x for x, _ in coloured.values()), default=upper.right)
    large, small = style.type("board.strong").at(10.0), style.type("board.note")
    title = line_block(name, large, ink, first - upper.x - 5.0)
    base = upper.foot - 1.0
    items = [bars.rule(gold, 0.5), *title.paint(upper.x, base - title.height)]
    for colour, (start, end) in coloured.items():
        bar = Box(start, bars.y, end - start, bars.height)
        word = text_block((style.named(colour, card_words.table("colour")),), small, ink)
        items.append(bar.plate(tile_ink(colour, style), edge))
        items += word.paint(bar.middle[0] - word.width / 2, base - word.height)
    if arrows:
        for (_, end), (start, _) in pairwise(heads.values()):
            items.append(arrow((end + start) / 2, bars.middle[1], 3.0, 0.0, ink))
    return Block(_WIDTH_MM, _HEAD_MM, placing(items))


def _lines_within(words: str, width: float, chart: _Chart) -> tuple[TypeStyle, tuple[str, ...]]:
    """Return the type and lines of a hex's words within a width: one line or two, or three if they
    are long."""
    own = chart.style.type("board.strong")
    fitted, lines = balanced(words, own, width, 2, several=0.9)
    if len(lines) <= 2:
        return fitted, lines
    return balanced(words, own, width, 3, several=0.9, clip=True)


def _tile(node: _Node, chart: _Chart) -> Block:
    """Return a tile, with its number and labels beside its left edges and its revenue beside its
    upper right edge; or a bare hex."""
    style, most = chart.style, _MOST_BESIDE_MM
    large, small, ink = style.type("aid.tile"), style.type("board.note"), style.ink("board.edge")

    def level(_words: str, _type_style: TypeStyle) -> float:
        return large.cap_height_mm

    def paint(x: float, y: float) -> Items:
        thumbnail = thumbnail_items(node.tile, chart.layout, chart.across, style)
        drawing = shape_block(thumbnail, chart.wide, chart.tall).paint(x, y)
        if node.is_hex:
            return drawing
        number = line_block(node.words, large, ink, most, rise=level)
        labels = line_block(node.labels, small, ink, most)
        value = line_block(node.value, small, style.ink("card.soft"), most, rise=level)
        left, right = x + chart.wide / 2 - chart.reach, x + chart.wide / 2 + chart.reach
        return (
            *drawing,
            *number.paint(left - number.width, y + 0.1),
            *labels.paint(left - labels.width, y + chart.tall - 0.1 - labels.height),
            *value.paint(right, y + 0.1),
        )

    return Block(chart.wide, chart.tall, paint)


def _overhang_mm(nodes: Sequence[_Node], chart: _Chart) -> tuple[float, float]:
    """Return the overhang of words at the left and right of tiles."""
    strong, small = chart.style.type("aid.tile"), chart.style.type("board.note")
    lefts, rights = [0.0], [0.0]
    for node in nodes:
        if not node.is_hex:
            lefts += (text_width(node.words, strong), text_width(node.labels, small))
            rights.append(text_width(node.value, small))
    free = chart.wide / 2 - chart.reach
    return min(_MOST_BESIDE_MM, max(lefts)) - free, min(_MOST_BESIDE_MM, max(rights)) - free


def _straights(
    before: Sequence[_Node], after: Sequence[_Node], chart: _Chart
) -> tuple[float, float] | None:
    """Return the lengths of the horizontal ends of an arrow between two columns, clear of words;
    None if there is no room for its bend."""
    start = _CLEAR_MM + max(0, _overhang_mm(before, chart)[1])
    end = _CLEAR_MM + _TIP_MM + max(1.2, _overhang_mm(after, chart)[0] - _TIP_MM)
    return (start, end) if start + end + _BEND_MM <= chart.step - chart.wide else None


def _arrow_line(start: Point, end: Point, level: tuple[float, float], chart: _Chart) -> Path:
    """Draw a line from the right of one tile to the left of another, horizontal at both ends."""
    (x0, y0), (x1, y1) = start, end
    x0, x1 = x0 + chart.wide / 2, x1 - chart.wide / 2
    first, last = x0 + level[0], x1 - level[1]
    bend = (last - first) * 0.55
    commands = (
        ("M", x0 + _CLEAR_MM, y0),
        ("L", first, y0),
        ("C", first + bend, y0, last - bend, y1, last, y1),
        ("L", x1 - _CLEAR_MM - _TIP_MM + 0.3, y1),
    )
    stroke = Stroke(chart.style.ink("board.edge"), _LINE_MM, cap="round")
    return Path(commands, stroke=stroke, role=Role.ORNAMENT)


def _chart_columns(title: Title, bands: Iterable[_Band]) -> tuple[str, ...]:
    """Return the colours that occur, in order of upgrading: unlaid hexes first, colours of special
    ground last."""
    there = {node.column for band in bands for node in band.nodes}
    order = (_HEX_COLUMN, *title.colours, *sorted(there))
    return tuple(dict.fromkeys(colour for colour in order if colour in there))


def chart_bands(title: Title, graph: UpgradeGraph, style: Style) -> tuple[_Band, ...]:
    """Return bands in the order of the official table, then of the box. Only hexes of the first map
    are included; tiles that neither replace nor are replaced form a last band."""
    tiles = (*_hexes(title, graph, style), *_tiles(title, graph, style))
    nodes = {node.key: node for node in tiles}
    groups = _groups(nodes, title)
    alone = [nodes[key] for group in groups if len(group) == 1 for key in group]
    chains = {
        number: index
        for index, chain in enumerate(title.chains)
        for step in chain.steps
        for number in step
    }
    order = {key: index for index, key in enumerate(nodes)}
    bands = []
    for group in groups:
        if len(group) > 1:
            rows = [chains[key] for key in group if key in chains]
            # Hexes are in the order of their first tiles.
            members = sorted(
                (nodes[key] for key in group),
                key=lambda node: (
                    order[min(node.after, key=order.__getitem__)] if node.is_hex else len(order)
                ),
            )
            chain_name = style.words(title.chains[rows[0]].name) if rows else ""
            name = chain_name or _content(title, members, style)
            first = min(order[key] for key in group if not nodes[key].is_hex)
            band = _Band(name=name, nodes=tuple(members))
            bands.append((rows[0] if rows else len(title.chains), first, band))
    in_order = [band for *_, band in sorted(bands, key=lambda entry: entry[:2])]
    if alone:
        name = style.words(card_words("without_upgrades"))
        in_order.append(_Band(name=name, nodes=tuple(alone)))
    return tuple(in_order)


def _tiles(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[_Node]:
    for entry in title.tiles:
        yield _Node(
            key=entry.tile.id,
            tile=entry.tile,
            words=entry.shown + ("*" if entry.via else ""),
            column=entry.tile.colour,
            after=tuple(pair.to for pair in graph.by_source.get(entry.tile.id, ())),
            via=None if entry.via is None else style.words(entry.via),
        )


def _hexes(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[_Node]:
    """Yield the hexes of the first map or of the map tiles; hexes with the same content and the
    same first tiles share one node."""
    groups: dict[tuple[object, ...], list[tuple[Tile, list[Upgrade], int]]] = {}
    # The box has as many copies of a map tile's hex as of the map tile.
    times: dict[str, int] = {}
    prints: Iterable[Tile] = ()
    if title.maps:
        prints = (hexagon.tile for hexagon in title.maps[0].hexes)
    elif title.atlas is not None:
        times = {f"tile-{tile.number}": tile.copies for tile in title.atlas.map_tiles}
        prints = printed_hexes(title.atlas)
    for tile in prints:
        copies = times.get(tile.id.partition("/")[0], 1)
        pairs = graph.by_source.get(HEX + tile.id)
        if pairs:
            stops = tuple((stop.kind, stop.slots, stop.size) for stop in tile.stops)
            after = tuple(pair.to for pair in pairs)
            content = (tile.colour, stops, tile.labels, tile.track, after)
            groups.setdefault(content, []).append((tile, pairs, copies))
    for alike in groups.values():
        tile, pairs, _ = alike[0]
        count = math.fsum(copies for *_, copies in alike)
        several = f"{' '.join(label.text for label in tile.labels)} ×{count:g}".strip()
        only = style.words(tile.name) if tile.name else tile.id
        # If the terrain requires tiles of one colour (water: blue), the hex has that colour here.
        kinds = {kind for terrain in tile.terrain for kind in terrain.kinds}
        grounds = (each for each in title.upgrades.grounds if kinds.intersection(each.terrain))
        colour = next((ground.colour for ground in grounds), tile.colour)
        yield _Node(
            key=HEX + tile.id,
            tile=replace(tile, colour=colour, terrain=(), partitions=(), name=None),
            words=only if count == 1 else several,
            column=_HEX_COLUMN if tile.colour == "white" else tile.colour,
            after=tuple(pair.to for pair in pairs),
        )


def _groups(nodes: dict[str, _Node], title: Title) -> list[tuple[str, ...]]:
    """Return groups of keys connected by arrows in either direction, in the order of the nodes.
    Groups with only hexes and tiles of special ground are merged into one, the last."""
    joined = {key: {key} for key in nodes}

    def join(key: str, other: str) -> None:
        both = joined[key] | joined[other]
        joined.update(dict.fromkeys(both, both))

    for key, node in nodes.items():
        for other in node.after:
            join(key, other)
    usual = {key for key, node in nodes.items() if node.column in title.colours}
    own = [key for key, group in joined.items() if usual.isdisjoint(group)]
    for key in own:
        join(own[0], key)
    groups = dict.fromkeys(tuple(node for node in nodes if node in joined[key]) for key in nodes)
    return sorted(groups, key=lambda group: group[0] in own)


_KINDS = (
    (StopKind.PASS, card_words("passes")),
    (StopKind.CITY, card_words("cities")),
    (StopKind.TOWN, card_words("towns")),
)


def _content(title: Title, nodes: list[_Node], style: Style) -> str:
    """Return the name of a band according to its tiles: the signs that they keep ("Mine"), the
    ground that only they lie on ("Water"), otherwise their stops ("Cities Y", "Double towns",
    "Passes of size 2")."""
    tiles = [node.tile for node in nodes]
    icons = (icon.name for tile in tiles for icon in tile.icons)
    signs = dict.fromkeys(icon for icon in icons if icon in title.upgrades.kept_icons)
    if signs:
        return " · ".join(style.named(sign, map_words.table("icons")) for sign in signs)
    colours = {node.column for node in nodes if not node.is_hex}
    grounds = dict.fromkeys(
        kind
        for ground in title.upgrades.grounds
        if ground.colour in colours
        for kind in ground.terrain
    )
    if grounds:
        return " · ".join(style.named(kind, map_words.table("terrain")) for kind in grounds)
    labels = dict.fromkeys(label.text for tile in tiles for label in tile.labels)
    return " ".join((_stops_words(tiles, style), *labels))


def _stops_words(tiles: list[Tile], style: Style) -> str:
    """Return the stops of a band's tiles in words: the first kind of `_KINDS` among them, with
    whatever distinguishes bands of that kind."""
    kinds = {stop.kind for tile in tiles for stop in tile.stops}
    if kinds == {StopKind.TOWN} and all(len(tile.stops) == 2 for tile in tiles):
        return style.words(card_words("double_towns"))
    known = (words for kind, words in _KINDS if kind in kinds)
    name = style.words(next(known, card_words("plain_track")))
    sizes = {stop.size for tile in tiles for stop in tile.stops if stop.kind is StopKind.PASS}
    if len(sizes) == 1 and None not in sizes:
        return pass_name(name, sizes.pop(), style)
    return name
