"""The upgrade chart: real tiles in columns by colour, with arrows between them.

A band holds tiles that chains of upgrades connect. Where there would be too many arrows to follow,
or no arrow leads from a tile, the band shows its tiles in a grid by colour instead, each with the
numbers of those that may replace it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.lettering import balanced, one_line
from platelayer.drawing.kit.panels import MARGIN_MM, board_scene, title_plate
from platelayer.drawing.kit.parts import arrow, rule, tile_ink
from platelayer.drawing.kit.rich_text import listed, set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Block
from platelayer.drawing.map.panels import pass_name
from platelayer.foundation.languages import FixedWords
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.manifest import Manifest
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.model.upgrade import HEX, Upgrade, UpgradeGraph
from platelayer.scene.shapes import (
    Anchor,
    Cut,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    TextRun,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_centred, set_line, text_width

map_words = FixedWords("map")
card_words = FixedWords("cards")

_HEX_COLUMN = ""
"""The column of unlaid hexes, before those of the title's colours."""


class _Node(Struct, frozen=True, kw_only=True):
    """A tile, or map hexes of one content: its drawing, the words beside it, the colour of its
    column.

    `after` are the keys of what may replace it, in the title's order; `via` the ability that alone
    may lay it.
    """

    key: str
    tile: Tile
    words: str
    column: str
    after: tuple[str, ...]
    via: str | None = None

    @property
    def is_hex(self) -> bool:
        """True for map hexes."""
        return self.key.startswith(HEX)


class _Band(Struct, frozen=True, kw_only=True):
    """Tiles and hexes that chains of upgrades connect, in the title's order, and what they are
    together."""

    name: str
    nodes: tuple[_Node, ...]

    def column(self, colour: str) -> tuple[_Node, ...]:
        """Those of one colour."""
        return tuple(node for node in self.nodes if node.column == colour)


_TILE_MM = 16.0
"""Size of a tile, flat to flat, where there is room."""
_WIDTH_MM = 182.0
"""Width of a page of the chart."""
_HEAD_MM = 8.2
"""Height of the head of a band."""
_ROW_GAP_MM = 1.8
_MOST_BESIDE_MM = 26.0
"""The most room for words on one side of a tile; what is longer is cut."""
_LEADING = 1.12
_LINE_MM = 0.28
_TIP_MM = 1.9
_CLEAR_MM = 0.7
_BEND_MM = 4.0
_NARROW = {Layout.FLAT: 0.36, Layout.POINTY: 0.33}
"""How far a corner of the box round a hex is free, as a part of half its size flat to flat."""

_Place = tuple[float, float]


class _Chart(Struct, frozen=True, kw_only=True):
    """What all bands of a chart share. Lengths in mm; `x` is the middle of the column of each
    colour where there are arrows, `step` from one to the next; `colours` are all columns in
    order."""

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
        """From the middle of a tile to where words beside its slanting edges end."""
        return self.wide / 2 - _NARROW[self.layout] * self.across / 2


_GROUP_GAP_MM = 5.0
_CELL_GAP_MM = 1.6
_BESIDE_MM = 2.6
"""Between the values of a tile that reach beyond it and the number of the next."""
_NAME_MM = 30.0
"""Room for the name of a band without unlaid hexes, beside its first column."""
_ABOVE_MM = 1.2
_MARGIN_FREE_MM = MARGIN_MM - 3.2
"""What words may take of the margin of a page."""

_LEFT_MM, _RIGHT_MM = 15.0, 3.0
"""Room at the left of the first column for words beside hexes, and at least at the right of the
last for values."""
_GAP_MM = 9.0
"""The least room between two columns, for arrows."""
_BAND_GAP_MM = 4.4
_FOOT_MM = 5.0
_PLATE_GAP_MM = 3.4
_HEAD_LINE_MM = 5.4
"""Height of the line at the top of further pages."""
_MOST_ROWS = 8
_MOST_ARROWS = 16
_FEW_TILES = 3
_MOST_COLUMNS = 8
_MOST_NOTES = 12
"""Lines about the chart in the foot of a page."""

_PAGE_MM = 254.0
"""Greatest height of a page: with its marks it fits both A4 and Letter."""


def upgrade_chart_pages(
    title: Title, _manifest: Manifest, graph: UpgradeGraph, style: Style
) -> tuple[Scene, ...]:
    """The chart on pages for common paper."""
    return draw_upgrade_charts(title, graph, style, _PAGE_MM)


def draw_upgrade_charts(
    title: Title, graph: UpgradeGraph, style: Style, height_mm: float | None
) -> tuple[Scene, ...]:
    """The chart on pages of at most this height (mm), keys `upgrade-chart:1` ...; all on one page
    when it is None.

    Pages are as high as what they hold, at least as high as one band.
    """
    bands = chart_bands(title, graph, style)
    chart = _measure(title, bands, style)
    _, plate_foot = title_plate(
        title, style.words(card_words("upgrades")), style, _WIDTH_MM - 2 * MARGIN_MM
    )
    top = plate_foot + _PLATE_GAP_MM
    note = _note_lines(bands, chart)
    foot = _FOOT_MM + (len(note) - 1) * style.type("board.note").size_mm * _LEADING
    room = None if height_mm is None else height_mm - top - MARGIN_MM - foot
    further = None if room is None else room + top - MARGIN_MM - _HEAD_LINE_MM
    pages = _pages([block for band in bands for block in _blocks(band, chart, room)], room, further)
    sheet = _Sheet(title=title, style=style, top=top, foot=foot, note=note, pages=len(pages))
    return tuple(_page(sheet, page, number) for number, page in enumerate(pages, 1))


def _measure(title: Title, bands: Sequence[_Band], style: Style) -> _Chart:
    """The largest tiles that the columns and the words beside the last of them allow, and where the
    columns stand."""
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    columns = _chart_columns(title, [band for band in bands if not _is_crowded(band)])
    wide_per_mm = 1 / COS_30 if layout is Layout.FLAT else 1.0
    if len(columns) > _MOST_COLUMNS:  # arrows would have no room
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
    blocks: Sequence[Block], first: float | None, further: float | None
) -> list[list[Block]]:
    """Each block on the first page with room for it, so that a short one fills up the page before:
    in their order or, if that takes fewer pages, the highest first. There is room on the first
    page, and on the further ones."""

    def filled(order: Sequence[int]) -> list[list[int]]:
        pages: list[list[int]] = [[]]
        for number in order:
            for place, page in enumerate(pages):
                tall = (
                    math.fsum(blocks[at].height + _BAND_GAP_MM for at in (*page, number))
                    - _BAND_GAP_MM
                )
                room = further if place else first
                if room is None or not page or tall <= room:
                    page.append(number)
                    break
            else:
                pages.append([number])
        return pages

    order = range(len(blocks))
    ways = filled(order), filled(sorted(order, key=lambda number: -blocks[number].height))
    return [[blocks[number] for number in sorted(page)] for page in min(ways, key=len)]


class _Sheet(Struct, frozen=True, kw_only=True):
    """What all pages share: where bands begin (mm from the top), how high the foot is and its
    lines, how many pages there are."""

    title: Title
    style: Style
    top: float
    foot: float
    note: tuple[str, ...]
    pages: int


def _page(sheet: _Sheet, blocks: Sequence[Block], number: int) -> Scene:
    style, inner = sheet.style, _WIDTH_MM - 2 * MARGIN_MM
    words = style.words(card_words("upgrades"))
    if number == 1:
        plate, _ = title_plate(sheet.title, words, style, inner)
        items, y = [*plate], sheet.top
    else:
        items, y = _head_line(sheet, words), MARGIN_MM + _HEAD_LINE_MM
    for place, block in enumerate(blocks):
        y += _BAND_GAP_MM if place else 0.0
        items.append(Group(items=block.items, matrix=translation(0.0, y)))
        y += block.height
    height = y + sheet.foot + MARGIN_MM
    small = style.type("board.note")
    base = height - MARGIN_MM + 0.6
    count = style.words(card_words("page"), number, sheet.pages) if sheet.pages > 1 else ""
    first = base - (sheet.foot - _FOOT_MM)
    items += set_lines(
        sheet.note, small, style.ink("board.edge"), MARGIN_MM, first, leading=_LEADING
    )
    items += set_line(
        count, small, style.ink("board.edge"), _WIDTH_MM - MARGIN_MM, base, anchor=Anchor.END
    )
    label = f"{words} {number}" if sheet.pages > 1 else words
    return board_scene(f"upgrade-chart:{number}", label, (_WIDTH_MM, height), items, style)


def _head_line(sheet: _Sheet, words: str) -> list[Item]:
    """What a further page is of, in one line."""
    style, edge = sheet.style, sheet.style.ink("board.edge")
    head, words = one_line(
        f"{style.words(sheet.title.name)} · {words}",
        style.type("board.round"),
        _WIDTH_MM - 2 * MARGIN_MM,
    )
    return [*set_centred(words, head, edge, _WIDTH_MM / 2, MARGIN_MM + head.cap_height_mm / 2)]


def _note_lines(bands: Sequence[_Band], chart: _Chart) -> tuple[str, ...]:
    """How to read the chart, and which abilities lay the tiles with a star, in lines beside the
    number of the page."""
    style = chart.style
    grids = [_is_grid(band, chart) for band in bands]
    notes = [style.words(card_words("upgrade_note"))] if not all(grids) else []
    notes += [style.words(card_words("numbers_note"))] if any(grids) else []
    by = dict.fromkeys(node.via for band in bands for node in band.nodes if node.via is not None)
    via = [style.words(card_words("only_by"), listed(list(by), style))] if by else []
    small = style.type("board.note")
    room = (
        _WIDTH_MM - 2 * MARGIN_MM - text_width(style.words(card_words("page"), 99, 99), small) - 6.0
    )
    lines = wrap_within(
        "  ".join((*notes, style.words(card_words("track_kept")), *via)), small, room
    )
    if len(lines) <= _MOST_NOTES:
        return lines
    rest = " ".join(lines[_MOST_NOTES - 1 :])
    return (*lines[: _MOST_NOTES - 1], Cut(one_line(rest, small, room - small.size_mm)[1], rest))


def _is_crowded(band: _Band) -> bool:
    """True when there would be too many arrows to follow, when no arrow leads from one of more than
    a few tiles, or when words of hexes could be in their way."""
    there = {node.key for node in band.nodes}
    arrows: dict[str, int] = {}
    rows: dict[str, int] = {}
    for node in band.nodes:
        rows[node.column] = rows.get(node.column, 0) + 1
        arrows[node.column] = arrows.get(node.column, 0) + sum(key in there for key in node.after)
    leading = [node for node in band.nodes if node.after]
    return (
        not leading
        or (len(band.nodes) > _FEW_TILES and all(node.is_hex for node in leading))
        or max(rows.values()) > _MOST_ROWS
        or max(arrows.values()) > _MOST_ARROWS
        or len({node.column for node in band.nodes if node.is_hex and node.column != _HEX_COLUMN})
        > 1
    )


def _is_grid(band: _Band, chart: _Chart) -> bool:
    """True for a crowded band, and where arrows have no room beside the words of tiles."""
    if _is_crowded(band) or any(node.column not in chart.x for node in band.nodes):
        return True
    columns = [band.column(colour) for colour in chart.x]
    first = next(column for column in columns if column)
    return (
        _overhang_mm(first, chart)[0] > _LEFT_MM
        or _skips(band, chart)
        or any(_straights(before, after, chart) is None for before, after in pairwise(columns))
    )


def _skips(band: _Band, chart: _Chart) -> bool:
    """True when an arrow would not lead from one column to the next: it would cross tiles or
    words."""
    order = {colour: place for place, colour in enumerate(chart.x)}
    place = {node.key: order[node.column] for node in band.nodes}
    return any(
        place[key] != place[node.key] + 1
        for node in band.nodes
        for key in node.after
        if key in place
    )


def _blocks(band: _Band, chart: _Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is a grid higher than a page."""
    if _is_grid(band, chart):
        return _grid_blocks(band, chart, room)
    items, height = _arrows_and_tiles(band, chart)
    heads = {colour: (x, x) for colour, x in chart.x.items() if band.column(colour)}
    return [_with_head(band.name, heads, items, height, chart)]


def _arrows_and_tiles(band: _Band, chart: _Chart) -> tuple[tuple[Item, ...], float]:
    """Every tile in the column of its colour, an arrow for every pair, and the height of it all."""
    places, height = _places(band, chart)
    columns = {colour: band.column(colour) for colour in chart.x}
    level = {
        after: _straights(columns[before], columns[after], chart) or (0.0, 0.0)
        for before, after in pairwise(columns)
    }
    nodes = {node.key: node for node in band.nodes}
    items: list[Item] = [
        _arrow_line(places[node.key], places[key], level.get(nodes[key].column, (0.0, 0.0)), chart)
        for node in band.nodes
        for key in node.after
        if key in places
    ]
    tips = dict.fromkeys(key for node in band.nodes for key in node.after if key in places)
    items += [_arrow_tip(places[key], chart) for key in tips]
    for node in band.nodes:
        items += _tile_items(node, places[node.key], chart)
        if node.is_hex:
            items += _words_beside(node, places[node.key], chart)
    return tuple(items), height


def _places(band: _Band, chart: _Chart) -> tuple[dict[str, _Place], float]:
    """The middle of every tile, and the height of all. Columns are centred on each other; but
    printed hexes in a colour of tiles stand above all else where an arrow could cross the words
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
    places: dict[str, _Place] = {}
    for row, node in enumerate(printed):
        places[node.key] = (chart.x[node.column], row * pitch + chart.tall / 2)
    for colour, nodes in others.items():
        first = len(printed) + (rows - len(nodes)) / 2
        for row, node in enumerate(nodes):
            places[node.key] = (chart.x[colour], (first + row) * pitch + chart.tall / 2)
    return places, (len(printed) + rows) * pitch - _ROW_GAP_MM


def _words_beside(node: _Node, place: _Place, chart: _Chart) -> tuple[Item, ...]:
    """The words of a hex at its left, in one line or two."""
    style, (x, y) = chart.style, place
    room = _LEFT_MM - 1.4 if node.column == _HEX_COLUMN else chart.step - chart.wide - 2.0
    type_style, lines = _lines_within(node.words, style.type("board.strong"), room)
    leading = type_style.size_mm * _LEADING
    first = y + type_style.cap_height_mm / 2 - (len(lines) - 1) * leading / 2
    right = x - chart.wide / 2 - 1.0
    items: list[Item] = []
    for number, line in enumerate(lines):
        items += set_line(
            line,
            type_style,
            style.ink("board.edge"),
            right,
            first + number * leading,
            anchor=Anchor.END,
        )
    return tuple(items)


def _grid_blocks(band: _Band, chart: _Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is higher than `room` mm, or has more colours than
    a page is wide."""
    colours = [colour for colour in chart.colours if band.column(colour)]
    left, right = _overhang_mm(band.nodes, chart)
    note = chart.style.type("board.note")
    longest = max(
        (text_width(number, note) for node in band.nodes for number in node.after), default=0.0
    )
    right = max(right, (min(longest, _MOST_BESIDE_MM) - chart.wide) / 2 - _MARGIN_FREE_MM)
    beside = _BESIDE_MM if right > 0.0 else 0.8
    cell = chart.wide + max(_CELL_GAP_MM, left + max(0.0, right) + beside)
    # What stands below a tile may reach into the margin, but not beyond it.
    beyond = min(max(0.0, right), cell - chart.wide - max(0.0, right)) + _MARGIN_FREE_MM
    below = min(cell - _CELL_GAP_MM, chart.wide + 2 * beyond)
    band = replace(
        band,
        nodes=tuple(part for node in band.nodes for part in _page_parts(node, below, chart, room)),
    )
    widths = (cell, below, right)
    return [
        block
        for group in _abreast(colours, cell)
        for block in _grid(band, group, widths, chart, room)
    ]


def _abreast(colours: Sequence[str], cell: float) -> list[Sequence[str]]:
    """Colours in order, as many together as a page is wide, and about as many each time."""
    for most in range(len(colours), 0, -1):
        groups = [colours[start : start + most] for start in range(0, len(colours), most)]
        if all(
            len(group) * (cell + _GROUP_GAP_MM) - _GROUP_GAP_MM <= _inner_mm(group)
            for group in groups
        ):
            return groups
    return [[colour] for colour in colours]


def _inner_mm(colours: Sequence[str]) -> float:
    """Width of the columns of some colours together: the name of a band stands above unlaid hexes,
    else beside."""
    return _WIDTH_MM - 2 * MARGIN_MM - (0.0 if colours[0] == _HEX_COLUMN else _NAME_MM)


def _page_parts(node: _Node, below: float, chart: _Chart, room: float | None) -> Iterator[_Node]:
    """A tile, again and again where more may replace it than a page has room to name below it."""
    step = chart.style.type("board.note").size_mm * _LEADING
    bare = _row_height([replace(node, after=())], below, chart)
    most = None if room is None else int((room - _HEAD_MM - bare) / step)
    lines = list(_numbers(node, below, chart)) if most is not None else []
    if most is None or len(lines) <= most:
        yield node
        return
    for start in range(0, len(lines), max(1, most - 1)):
        yield replace(
            node,
            after=tuple(
                number for line in lines[start : start + max(1, most - 1)] for number in line
            ),
        )


def _grid(
    band: _Band,
    colours: Sequence[str],
    widths: tuple[float, float, float],
    chart: _Chart,
    room: float | None,
) -> list[Block]:
    """Some colours of a band beside each other; `widths` are that of a cell, that of what stands
    below a tile, and how far words reach beyond tiles at the right."""
    cell, below, right = widths
    inner = _inner_mm(colours)
    most = max(len(colours), int((inner - _GROUP_GAP_MM * (len(colours) - 1)) / cell))
    shares = _share([len(band.column(colour)) for colour in colours], most)
    starts, x = [], _WIDTH_MM - MARGIN_MM - inner + cell - chart.wide / 2 - max(0.0, right)
    for share in shares:
        starts.append(x)
        x += share * cell + _GROUP_GAP_MM
    heads = {
        colour: (start, start + (min(share, len(band.column(colour))) - 1) * cell)
        for colour, start, share in zip(colours, starts, shares, strict=True)
    }
    rows = max(
        -(-len(band.column(colour)) // share) for colour, share in zip(colours, shares, strict=True)
    )
    grid = [
        [
            band.column(colour)[row * share : (row + 1) * share]
            for colour, share in zip(colours, shares, strict=True)
        ]
        for row in range(rows)
    ]
    heights = [_row_height([node for nodes in row for node in nodes], below, chart) for row in grid]
    blocks = []
    for part in _parts(heights, None if room is None else room - _HEAD_MM):
        items: list[Item] = []
        y = chart.tall / 2
        for row in part:
            for start, nodes in zip(starts, grid[row], strict=True):
                for place, node in enumerate(nodes):
                    items += _cell_items(node, (start + place * cell, y), below, chart)
            y += heights[row]
        for (_, end), (start, _) in pairwise(heads.values()):
            middle = (end + start) / 2
            items.append(arrow(middle, 4.9 - _HEAD_MM, 3.0, 0.0, chart.style.ink("board.edge")))
        height = math.fsum(heights[row] for row in part) - _ROW_GAP_MM
        blocks.append(_with_head(band.name, heads, items, height, chart))
    return blocks


def _share(counts: Sequence[int], most: int) -> list[int]:
    """Columns of a grid shared out among colours so that the tallest is as low as possible."""
    shares = [1] * len(counts)
    while sum(shares) < most:
        need = [
            count / share if count > share else 0.0
            for count, share in zip(counts, shares, strict=True)
        ]
        if max(need, default=0.0) == 0.0:
            break
        shares[need.index(max(need))] += 1
    return shares


def _parts(heights: Sequence[float], room: float | None) -> list[list[int]]:
    """Rows in order, as many together as there is room for, at least one."""
    parts: list[list[int]] = [[]]
    for row, height in enumerate(heights):
        if (
            room is not None
            and parts[-1]
            and math.fsum(heights[index] for index in parts[-1]) + height > room
        ):
            parts.append([])
        parts[-1].append(row)
    return parts


def _row_height(nodes: Sequence[_Node], width: float, chart: _Chart) -> float:
    """Height of a row with what stands below its tiles and the gap to the next row."""
    below = max(
        math.fsum(type_style.size_mm * _LEADING for type_style, _ in _lines(node, width, chart))
        for node in nodes
    )
    return chart.tall + (_ABOVE_MM + below if below else 0.0) + _ROW_GAP_MM


def _lines(node: _Node, width: float, chart: _Chart) -> list[tuple[TypeStyle, str]]:
    """What stands below: the words of a hex, then the numbers of what may replace it."""
    type_style, strong = chart.style.type("board.note"), chart.style.type("board.strong")
    typed: list[tuple[TypeStyle, str]] = []
    if node.is_hex:
        smaller, lines = _lines_within(node.words, strong, width)
        typed += [(smaller, line) for line in lines]
    typed += [
        (type_style, one_line(" ".join(line), type_style, width)[1])
        for line in _numbers(node, width, chart)
    ]
    return typed


def _numbers(node: _Node, width: float, chart: _Chart) -> list[list[str]]:
    """The numbers of what may replace a tile, line by line."""
    type_style = chart.style.type("board.note")
    lines: list[list[str]] = []
    for number in node.after:
        if lines and text_width(" ".join((*lines[-1], number)), type_style) <= width:
            lines[-1].append(number)
        else:
            lines.append([number])
    return lines


def _cell_items(node: _Node, place: _Place, width: float, chart: _Chart) -> tuple[Item, ...]:
    x, y = place
    items: list[Item] = [*_tile_items(node, place, chart)]
    base = y + chart.tall / 2 + _ABOVE_MM
    for type_style, line in _lines(node, width, chart):
        drop = type_style.cap_height_mm
        items += set_line(
            line, type_style, chart.style.ink("board.edge"), x, base + drop, anchor=Anchor.MIDDLE
        )
        base += type_style.size_mm * _LEADING
    return tuple(items)


def _with_head(
    name: str,
    heads: dict[str, tuple[float, float]],
    items: Sequence[Item],
    height: float,
    chart: _Chart,
) -> Block:
    """A band below its name and, over each of its columns, the colour; `heads` are the middles of
    the first and the last tile of each column."""
    style = chart.style
    strong, small, ink = (
        style.type("board.strong").at(10.0),
        style.type("board.note"),
        style.ink("board.edge"),
    )
    right, level = _WIDTH_MM - MARGIN_MM, 4.9
    first = min((x for colour, (x, _) in heads.items() if colour != _HEX_COLUMN), default=right)
    room = first - chart.wide / 2 - MARGIN_MM - 5.0
    drawn: list[Item] = [rule(MARGIN_MM, level, right, style.ink("card.gold"), 0.25)]
    drawn += _set_within(name, strong, style, room, (MARGIN_MM, level - 1.7))
    for colour, (start, end) in heads.items():
        if colour == _HEX_COLUMN:
            continue
        x, wide = start - chart.wide / 2, end - start + chart.wide
        bar = rectangle_path(x, level - 0.7, wide, 1.4)
        drawn.append(
            Path(commands=bar, fill=tile_ink(colour, style), stroke=Stroke(ink=ink, width_mm=0.12))
        )
        word = style.named(colour, card_words.table("colour"))
        drawn += set_line(word, small, ink, x + wide / 2, level - 1.7, anchor=Anchor.MIDDLE)
    body = Group(items=tuple(items), matrix=translation(0.0, _HEAD_MM))
    return Block(items=(*drawn, body), height=_HEAD_MM + height)


def _set_within(
    words: str, type_style: TypeStyle, style: Style, width_mm: float, place: _Place
) -> tuple[TextRun, ...]:
    """One line that begins at a place, no wider than `width_mm`: set smaller, and if that is not
    enough, cut short."""
    type_style, words = one_line(words, type_style, width_mm)
    return set_line(words, type_style, style.ink("board.edge"), *place)


def _lines_within(
    words: str, type_style: TypeStyle, width_mm: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    """Words in one line or two, or three if they are long, no wider than `width_mm`."""
    fitted, lines = balanced(words, type_style, width_mm, 2, several=0.9)
    return (
        (fitted, lines)
        if len(lines) <= 2
        else balanced(words, type_style, width_mm, 3, several=0.9, clip=True)
    )


def _tile_items(node: _Node, place: _Place, chart: _Chart) -> tuple[Item, ...]:
    """A tile, its number and label beside its left edges, what it pays beside its upper right one;
    or a bare hex."""
    (x, y), style = place, chart.style
    drawing = Group(
        items=thumbnail_items(node.tile, chart.layout, chart.across, style),
        matrix=translation(x, y),
    )
    if node.is_hex:
        return (drawing,)
    strong, small, ink = style.type("aid.tile"), style.type("board.note"), style.ink("board.edge")
    top, foot = y - chart.tall / 2 + strong.cap_height_mm + 0.1, y + chart.tall / 2 - 0.1
    strong, number = one_line(_number_words(node), strong, _MOST_BESIDE_MM)
    labels, value = (
        one_line(_labels(node), small, _MOST_BESIDE_MM),
        one_line(_value(node), small, _MOST_BESIDE_MM),
    )
    return (
        drawing,
        *set_line(number, strong, ink, x - chart.reach, top, anchor=Anchor.END),
        *set_line(labels[1], labels[0], ink, x - chart.reach, foot, anchor=Anchor.END),
        *set_line(value[1], value[0], style.ink("card.soft"), x + chart.reach, top),
    )


def _number_words(node: _Node) -> str:
    """A tile's number, with a star when only an ability lays it."""
    return node.words + ("*" if node.via else "")


def _labels(node: _Node) -> str:
    return " ".join(label.text for label in node.tile.labels)


def _value(node: _Node) -> str:
    """What the stops of a tile pay."""
    return "/".join(
        dict.fromkeys(step.printed for stop in node.tile.stops for step in stop.revenue)
    )


def _overhang_mm(nodes: Sequence[_Node], chart: _Chart) -> tuple[float, float]:
    """How far the words of tiles reach beyond their left and right ends."""
    strong, small = chart.style.type("aid.tile"), chart.style.type("board.note")
    tiles = [node for node in nodes if not node.is_hex]
    free = chart.wide / 2 - chart.reach
    left = [
        max(text_width(_number_words(node), strong), text_width(_labels(node), small))
        for node in tiles
    ]
    right = [text_width(_value(node), small) for node in tiles]
    return min(_MOST_BESIDE_MM, max(left, default=0.0)) - free, min(
        _MOST_BESIDE_MM, max(right, default=0.0)
    ) - free


def _straights(
    before: Sequence[_Node], after: Sequence[_Node], chart: _Chart
) -> tuple[float, float] | None:
    """How far an arrow between two columns runs level at its ends, clear of words; None when it
    could not bend."""
    start = _CLEAR_MM + max(0.0, _overhang_mm(before, chart)[1])
    end = _CLEAR_MM + _TIP_MM + max(1.2, _overhang_mm(after, chart)[0] - _TIP_MM)
    return (start, end) if start + end + _BEND_MM <= chart.step - chart.wide else None


def _arrow_line(start: _Place, end: _Place, level: tuple[float, float], chart: _Chart) -> Path:
    """A line from the right of one tile to the left of another, level at both ends."""
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
    stroke = Stroke(ink=chart.style.ink("board.edge"), width_mm=_LINE_MM, cap="round")
    return Path(commands=commands, stroke=stroke, role=Role.ORNAMENT)


def _arrow_tip(end: _Place, chart: _Chart) -> Path:
    """The head of all arrows to one tile."""
    x, y = end[0] - chart.wide / 2 - _CLEAR_MM, end[1]
    points = ((x, y), (x - _TIP_MM, y - 0.85), (x - _TIP_MM * 0.72, y), (x - _TIP_MM, y + 0.85))
    return Path(
        commands=polygon_path(points), fill=chart.style.ink("board.edge"), role=Role.ORNAMENT
    )


def _chart_columns(title: Title, bands: Iterable[_Band]) -> tuple[str, ...]:
    """The colours that occur, in the order of upgrading: unlaid hexes first, colours with a ground
    of their own last."""
    there = {node.column for band in bands for node in band.nodes}
    return tuple(
        dict.fromkeys(c for c in (_HEX_COLUMN, *title.colours, *sorted(there)) if c in there)
    )


def chart_bands(title: Title, graph: UpgradeGraph, style: Style) -> tuple[_Band, ...]:
    """Bands in the order of the official table, then in that of the box. Only hexes of the first
    map are shown; tiles that neither replace nor are replaced go into a last band."""
    nodes = {
        node.key: node for node in (*_hexes(title, graph, style), *_tiles(title, graph, style))
    }
    groups = _joined_by_ground(_components(nodes), nodes, title)
    alone = [key for group in groups if len(group) == 1 for key in group]
    chains = {
        number: place
        for place, chain in enumerate(title.chains)
        for step in chain.steps
        for number in step
    }
    order = {key: place for place, key in enumerate(nodes)}
    bands: list[tuple[int, int, _Band]] = []
    for group in groups:
        if len(group) > 1:
            rows = [chains[key] for key in group if key in chains]
            members = [nodes[key] for key in group]
            name = (
                style.words(title.chains[rows[0]].name) if rows else _content(title, members, style)
            )
            first = min(order[key] for key in group if not nodes[key].is_hex)
            band = _Band(name=name, nodes=tuple(nodes[key] for key in group))
            bands.append((rows[0] if rows else len(title.chains), first, band))
    in_order = [band for *_, band in sorted(bands, key=lambda entry: entry[:2])]
    if alone:
        in_order.append(
            _Band(
                name=style.words(card_words("without_upgrades")),
                nodes=tuple(nodes[key] for key in alone),
            )
        )
    return tuple(in_order)


def _tiles(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[_Node]:
    for entry in title.tiles:
        number = entry.tile.id
        after = tuple(pair.to for pair in graph.by_source.get(number, ()))
        yield _Node(
            key=number,
            tile=entry.tile,
            words=entry.shown,
            column=entry.tile.colour,
            after=after,
            via=None if entry.via is None else style.words(entry.via),
        )


def _printed(title: Title) -> Iterator[tuple[Tile, int]]:
    """What is printed on each hex of the first map, or of the map tiles, and how many such hexes
    are in the box."""
    if title.maps:
        yield from ((hexagon.tile, 1) for hexagon in title.maps[0].hexes)
    elif title.atlas is not None:
        copies = {f"tile-{tile.number}": tile.copies for tile in title.atlas.map_tiles}
        yield from (
            (tile, copies.get(tile.id.partition("/")[0], 1)) for tile in printed_hexes(title.atlas)
        )


def _hexes(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[_Node]:
    """Hexes of the first map, or of map tiles, with one content and the same first tiles, as one
    node."""
    groups: dict[tuple[object, ...], list[tuple[Tile, tuple[Upgrade, ...], int]]] = {}
    for tile, copies in _printed(title):
        pairs = graph.by_source.get(HEX + tile.id)
        if pairs:
            stops = tuple((stop.kind, stop.slots, stop.size) for stop in tile.stops)
            after = tuple(pair.to for pair in pairs)
            groups.setdefault((tile.colour, stops, tile.labels, tile.track, after), []).append(
                (tile, pairs, copies)
            )
    for alike in groups.values():
        tile, pairs, _ = alike[0]
        count = math.fsum(copies for *_, copies in alike)
        several = f"{' '.join(label.text for label in tile.labels)} ×{count:g}".strip()
        only = style.words(tile.name) if tile.name else tile.id
        yield _Node(
            key=HEX + tile.id,
            tile=replace(
                tile, colour=_ground_colour(title, tile), terrain=(), partitions=(), name=None
            ),
            words=only if count == 1 else several,
            column=_HEX_COLUMN if tile.colour == "white" else tile.colour,
            after=tuple(pair.to for pair in pairs),
        )


def _ground_colour(title: Title, tile: Tile) -> str:
    """The colour of the only tiles that may lie on a hex, where its terrain requires one (water:
    blue); else its own."""
    kinds = {kind for terrain in tile.terrain for kind in terrain.kinds}
    return next(
        (ground.colour for ground in title.upgrades.grounds if kinds & set(ground.terrain)),
        tile.colour,
    )


def _components(nodes: dict[str, _Node]) -> list[tuple[str, ...]]:
    """Keys that arrows connect, whichever way they point; each group and the groups in the order of
    the nodes."""
    joined: dict[str, set[str]] = {key: set() for key in nodes}
    for key, node in nodes.items():
        for other in node.after:
            joined[key].add(other)
            joined[other].add(key)
    seen: set[str] = set()
    groups = []
    for key in nodes:
        if key in seen:
            continue
        group, waiting = set(), [key]
        while waiting:
            here = waiting.pop()
            if here not in group:
                group.add(here)
                waiting += joined[here]
        seen |= group
        groups.append(tuple(node for node in nodes if node in group))
    return groups


def _joined_by_ground(
    groups: list[tuple[str, ...]], nodes: dict[str, _Node], title: Title
) -> list[tuple[str, ...]]:
    """Groups that hold only hexes and tiles with grounds of their own become one."""
    own = [
        group for group in groups if all(nodes[key].column not in title.colours for key in group)
    ]
    if len(own) < 2:
        return groups
    there = {key for group in own for key in group}
    return [
        *(group for group in groups if group not in own),
        tuple(key for key in nodes if key in there),
    ]


_KINDS = (
    (StopKind.PASS, card_words("passes")),
    (StopKind.CITY, card_words("cities")),
    (StopKind.TOWN, card_words("towns")),
)


def _content(title: Title, nodes: list[_Node], style: Style) -> str:
    """What a band is, from its tiles: the signs that they keep ("Mine"), the ground that they alone
    lie on ("Water"), else their stops ("Cities Y", "Double towns", "Passes of size 2")."""
    tiles = [node.tile for node in nodes]
    signs = dict.fromkeys(
        icon.name for tile in tiles for icon in tile.icons if icon.name in title.upgrades.kept_icons
    )
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
    """What stops tiles of a band have: the first kind of `_KINDS` among them, and what sets bands
    of one kind apart."""
    kinds = {stop.kind for tile in tiles for stop in tile.stops}
    if kinds == {StopKind.TOWN} and all(len(tile.stops) == 2 for tile in tiles):
        return style.words(card_words("double_towns"))
    name = style.words(
        next((words for kind, words in _KINDS if kind in kinds), card_words("plain_track"))
    )
    sizes = {stop.size for tile in tiles for stop in tile.stops if stop.kind is StopKind.PASS}
    return (
        pass_name(name, next(iter(sizes)), style) if len(sizes) == 1 and None not in sizes else name
    )
