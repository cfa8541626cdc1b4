"""The upgrade chart: real tiles in columns by colour, with arrows between them.

A band holds tiles that chains of upgrades connect. Where there would be too many arrows to follow, or no arrow leads
from a tile, the band shows its tiles in a grid by colour instead, each with the numbers of those that may replace it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from platelayer.drawing.charts.upgrade_bands import HEX_COLUMN, Band, Node, chart_bands, chart_columns
from platelayer.drawing.charts.upgrade_grid import grid_blocks
from platelayer.drawing.charts.upgrade_parts import (
    LEADING,
    ROW_GAP_MM,
    TILE_MM,
    WIDTH_MM,
    Chart,
    Place,
    arrow_line,
    arrow_tip,
    lines_within,
    overhang_mm,
    straights,
    tile_items,
    with_head,
)
from platelayer.drawing.kit.columns import Block
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.panels import MARGIN_MM, board_scene, title_items, title_size
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import listed
from platelayer.foundation.languages import FixedWords
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.manifest import Manifest
from platelayer.model.title import Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import Anchor, Cut, Group, Item, Scene, translation
from platelayer.scene.typeset import set_line, text_width

say = FixedWords("cards")

_LEFT_MM, _RIGHT_MM = 15.0, 3.0
"""Room at the left of the first column for words beside hexes, and at least at the right of the last for values."""
_GAP_MM = 9.0
"""The least room between two columns, for arrows."""
_BAND_GAP_MM = 4.4
_FOOT_MM = 5.0
_PLATE_GAP_MM = 3.4
_MOST_ROWS = 8
_MOST_ARROWS = 16
_FEW_TILES = 3
_MOST_COLUMNS = 8
_MOST_NOTES = 12
"""Lines about the chart in the foot of a page."""


_PAGE_MM = 250.0
"""Greatest height of a page, which has a bleed: fits both A4 and Letter."""


def upgrade_chart_pages(title: Title, _manifest: Manifest, graph: UpgradeGraph, style: Style) -> tuple[Scene, ...]:
    """The chart on pages for common paper."""
    return draw_upgrade_charts(title, graph, style, _PAGE_MM)


def draw_upgrade_charts(title: Title, graph: UpgradeGraph, style: Style, height_mm: float | None) -> tuple[Scene, ...]:
    """The chart on pages of at most this height (mm), keys `upgrade-chart:1` ...; all on one page when it is None.

    Pages are as high as what they hold, at least as high as one band.
    """
    bands = chart_bands(title, graph, style)
    chart = _measure(title, bands, style)
    _, plate_tall = title_size(title, style.words(say("upgrades")), style, WIDTH_MM - 2 * MARGIN_MM)
    top = MARGIN_MM + plate_tall + _PLATE_GAP_MM
    note = _note_lines(bands, chart)
    foot = _FOOT_MM + (len(note) - 1) * style.type("board.note").size_mm * LEADING
    room = None if height_mm is None else height_mm - top - MARGIN_MM - foot
    pages = _pages([block for band in bands for block in _blocks(band, chart, room)], room)
    sheet = _Sheet(title=title, style=style, top=top, foot=foot, note=note, pages=len(pages))
    return tuple(_page(sheet, page, number) for number, page in enumerate(pages, 1))


def _measure(title: Title, bands: Sequence[Band], style: Style) -> Chart:
    """The largest tiles that the columns and the words beside the last of them allow, and where the columns stand."""
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    columns = chart_columns(title, [band for band in bands if not _is_crowded(band)])
    wide_per_mm = 1 / COS_30 if layout is Layout.FLAT else 1.0
    if len(columns) > _MOST_COLUMNS:  # arrows would have no room
        columns = ()
    count = max(1, len(columns))

    def beside(right: float) -> Chart:
        room = WIDTH_MM - 2 * MARGIN_MM - _LEFT_MM - right
        across = min(TILE_MM, (room - (count - 1) * _GAP_MM) / count / wide_per_mm)
        wide = across * wide_per_mm
        step = (room - wide) / (count - 1) if count > 3 else wide + 16.0
        first = MARGIN_MM + _LEFT_MM + wide / 2
        return Chart(
            style=style,
            layout=layout,
            across=across,
            x={colour: first + place * step for place, colour in enumerate(columns)},
            step=step,
            colours=chart_columns(title, bands),
        )

    chart = beside(_RIGHT_MM)
    last = [node for band in bands for colour in columns[-1:] for node in band.column(colour)]
    reach = overhang_mm(last, chart)[1]
    return chart if reach <= _RIGHT_MM else beside(reach)


def _pages(blocks: Sequence[Block], room: float | None) -> list[list[Block]]:
    """Each block on the first page with room for it, so that a short one fills up the page before."""
    pages: list[list[Block]] = [[]]
    for block in blocks:
        fitting = (
            page
            for page in pages
            if room is None or not page or math.fsum(each.height + _BAND_GAP_MM for each in (*page, block)) <= room
        )
        page = next(fitting, None)
        if page is None:
            pages.append([block])
        else:
            page.append(block)
    return pages


class _Sheet(Struct, frozen=True, kw_only=True):
    """What all pages share: where bands begin (mm from the top), how high the foot is and its lines, how many pages
    there are."""

    title: Title
    style: Style
    top: float
    foot: float
    note: tuple[str, ...]
    pages: int


def _page(sheet: _Sheet, blocks: Sequence[Block], number: int) -> Scene:
    style, inner = sheet.style, WIDTH_MM - 2 * MARGIN_MM
    words = style.words(say("upgrades"))
    plate_wide, _ = title_size(sheet.title, words, style, inner)
    items: list[Item] = [
        *title_items(sheet.title, words, style, ((WIDTH_MM - plate_wide) / 2, MARGIN_MM), inner),
    ]
    y = sheet.top
    for place, block in enumerate(blocks):
        y += _BAND_GAP_MM if place else 0.0
        items.append(Group(items=block.items, matrix=translation(0.0, y)))
        y += block.height
    height = y + sheet.foot + MARGIN_MM
    small = style.type("board.note")
    base = height - MARGIN_MM + 0.6
    count = style.words(say("page"), number, sheet.pages) if sheet.pages > 1 else ""
    first = base - (sheet.foot - _FOOT_MM)
    items += set_lines(sheet.note, small, style.ink("board.edge"), MARGIN_MM, first, leading=LEADING)
    items += set_line(count, small, style.ink("board.edge"), WIDTH_MM - MARGIN_MM, base, anchor=Anchor.END)
    label = f"{words} {number}" if sheet.pages > 1 else words
    return board_scene(f"upgrade-chart:{number}", label, (WIDTH_MM, height), items, style)


def _note_lines(bands: Sequence[Band], chart: Chart) -> tuple[str, ...]:
    """How to read the chart, and which abilities lay the tiles with a star, in lines beside the number of the page."""
    style = chart.style
    grids = [_is_grid(band, chart) for band in bands]
    told = [style.words(say("upgrade_note"))] if not all(grids) else []
    told += [style.words(say("numbers_note"))] if any(grids) else []
    by = dict.fromkeys(node.via for band in bands for node in band.nodes if node.via is not None)
    via = [style.words(say("only_by"), listed(list(by), style))] if by else []
    small = style.type("board.note")
    room = WIDTH_MM - 2 * MARGIN_MM - text_width(style.words(say("page"), 99, 99), small) - 6.0
    lines = wrap_within("  ".join((*told, style.words(say("track_kept")), *via)), small, room)
    if len(lines) <= _MOST_NOTES:
        return lines
    rest = " ".join(lines[_MOST_NOTES - 1 :])
    return (*lines[: _MOST_NOTES - 1], Cut(one_line(rest, small, room - small.size_mm)[1], rest))


def _is_crowded(band: Band) -> bool:
    """True when there would be too many arrows to follow, when no arrow leads from one of more than a few tiles, or
    when words of hexes could be in their way."""
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
        or len({node.column for node in band.nodes if node.is_hex and node.column != HEX_COLUMN}) > 1
    )


def _is_grid(band: Band, chart: Chart) -> bool:
    """True for a crowded band, and where arrows have no room beside the words of tiles."""
    if _is_crowded(band) or any(node.column not in chart.x for node in band.nodes):
        return True
    columns = [band.column(colour) for colour in chart.x]
    first = next(column for column in columns if column)
    return (
        overhang_mm(first, chart)[0] > _LEFT_MM
        or _skips(band, chart)
        or any(straights(before, after, chart) is None for before, after in pairwise(columns))
    )


def _skips(band: Band, chart: Chart) -> bool:
    """True when an arrow would not lead from one column to the next: it would cross tiles or words."""
    order = {colour: place for place, colour in enumerate(chart.x)}
    place = {node.key: order[node.column] for node in band.nodes}
    return any(place[key] != place[node.key] + 1 for node in band.nodes for key in node.after if key in place)


def _blocks(band: Band, chart: Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is a grid higher than a page."""
    if _is_grid(band, chart):
        return grid_blocks(band, chart, room)
    items, height = _arrows_and_tiles(band, chart)
    heads = {colour: (x, x) for colour, x in chart.x.items() if band.column(colour)}
    return [with_head(band.name, heads, items, height, chart)]


def _arrows_and_tiles(band: Band, chart: Chart) -> tuple[tuple[Item, ...], float]:
    """Every tile in the column of its colour, an arrow for every pair, and the height of it all."""
    places, height = _places(band, chart)
    columns = {colour: band.column(colour) for colour in chart.x}
    level = {
        after: straights(columns[before], columns[after], chart) or (0.0, 0.0) for before, after in pairwise(columns)
    }
    nodes = {node.key: node for node in band.nodes}
    items: list[Item] = [
        arrow_line(places[node.key], places[key], level.get(nodes[key].column, (0.0, 0.0)), chart)
        for node in band.nodes
        for key in node.after
        if key in places
    ]
    tips = dict.fromkeys(key for node in band.nodes for key in node.after if key in places)
    items += [arrow_tip(places[key], chart) for key in tips]
    for node in band.nodes:
        items += tile_items(node, places[node.key], chart)
        if node.is_hex:
            items += _words_beside(node, places[node.key], chart)
    return tuple(items), height


def _places(band: Band, chart: Chart) -> tuple[dict[str, Place], float]:
    """The middle of every tile, and the height of all. Columns are centred on each other; but printed hexes in a colour
    of tiles stand above all else where an arrow could cross the words beside them."""
    pitch = chart.tall + ROW_GAP_MM
    printed = [node for node in band.nodes if node.is_hex and node.column != HEX_COLUMN]
    order = list(chart.x)
    if printed:
        before = order[: order.index(printed[0].column) + 1]
        if len(printed) == sum(len(band.column(colour)) for colour in before):
            printed = []
    above = {node.key for node in printed}
    others = {colour: [node for node in band.column(colour) if node.key not in above] for colour in order}
    rows = max(map(len, others.values()))
    places: dict[str, Place] = {}
    for row, node in enumerate(printed):
        places[node.key] = (chart.x[node.column], row * pitch + chart.tall / 2)
    for colour, nodes in others.items():
        first = len(printed) + (rows - len(nodes)) / 2
        for row, node in enumerate(nodes):
            places[node.key] = (chart.x[colour], (first + row) * pitch + chart.tall / 2)
    return places, (len(printed) + rows) * pitch - ROW_GAP_MM


def _words_beside(node: Node, place: Place, chart: Chart) -> tuple[Item, ...]:
    """The words of a hex at its left, in one line or two."""
    style, (x, y) = chart.style, place
    room = _LEFT_MM - 1.4 if node.column == HEX_COLUMN else chart.step - chart.wide - 2.0
    kind, lines = lines_within(node.words, style.type("board.strong"), room)
    leading = kind.size_mm * LEADING
    first = y + kind.cap_height_mm / 2 - (len(lines) - 1) * leading / 2
    right = x - chart.wide / 2 - 1.0
    items: list[Item] = []
    for number, line in enumerate(lines):
        items += set_line(line, kind, style.ink("board.edge"), right, first + number * leading, anchor=Anchor.END)
    return tuple(items)
