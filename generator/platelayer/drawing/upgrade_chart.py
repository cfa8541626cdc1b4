"""A title and its graph of upgrades in, the upgrade chart out: real tiles in columns by colour, arrows between them.

Bands are tiles that chains of upgrades join. Where arrows would be too many to follow, a band shows its tiles in a grid
by colour instead, each with the numbers of those that may replace it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from platelayer.drawing import card_words as say
from platelayer.drawing.board_parts import MARGIN_MM, board_scene, title_items, title_size
from platelayer.drawing.card_parts import arrow, rule, tile_ink
from platelayer.drawing.flow import Block
from platelayer.drawing.style import Style
from platelayer.drawing.thumbnail import thumbnail_items
from platelayer.drawing.upgrade_bands import HEX_COLUMN, Band, Node, chart_bands, chart_columns
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.title import Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, set_line, text_width

TILE_MM = 16.0
"""Size of a tile, flat to flat, where there is room."""
_WIDTH_MM = 182.0
_LEFT_MM = 15.0
"""Room at the left of the first column for words beside hexes."""
_GAP_MM = 9.0
"""Least room between two columns, for arrows."""
_ROW_GAP_MM = 1.8
_HEAD_MM = 8.2
_BAND_GAP_MM = 4.4
_FOOT_MM = 5.0
_MOST_ROWS = 8
_MOST_ARROWS = 16
_LINE_MM = 0.28
_TIP_MM = 1.9
_CELL_GAP_MM = 1.6
_LEADING = 1.12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chart:
    """What all bands of a chart share. Lengths in mm; `x` is the middle of the column of each colour where there are
    arrows; `colours` are all columns in order."""

    style: Style
    layout: Layout
    across: float
    x: dict[str, float]
    colours: tuple[str, ...]

    @property
    def wide(self) -> float:
        """Width of a tile."""
        return self.across / COS_30 if self.layout is Layout.FLAT else self.across

    @property
    def tall(self) -> float:
        """Height of a tile."""
        return self.across if self.layout is Layout.FLAT else self.across / COS_30


def draw_upgrade_charts(title: Title, graph: UpgradeGraph, style: Style, height_mm: float | None) -> tuple[Scene, ...]:
    """The chart on pages of at most this height (mm), keys `upgrade-chart:1` ...; all on one page when it is None.

    Pages are as high as what they hold, at least as high as one band.
    """
    bands = chart_bands(title, graph, style)
    chart = _measure(title, bands, style)
    words = style.words(say.UPGRADES)
    inner = _WIDTH_MM - 2 * MARGIN_MM
    _, plate_tall = title_size(title, words, style, inner)
    top = MARGIN_MM + plate_tall + 3.4
    room = None if height_mm is None else height_mm - top - MARGIN_MM - _FOOT_MM
    blocks = [block for band in bands for block in _blocks(band, chart, room)]
    pages = _pages(blocks, room)
    return tuple(
        _page(title, style, page, (number, len(pages)), _notes(bands, style)) for number, page in enumerate(pages, 1)
    )


def _measure(title: Title, bands: Sequence[Band], style: Style) -> _Chart:
    """Tiles as large as the columns let them be, and where these stand."""
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    columns = chart_columns(title, [band for band in bands if not _is_grid(band)])
    wide_per_mm = 1 / COS_30 if layout is Layout.FLAT else 1.0
    room = _WIDTH_MM - 2 * MARGIN_MM - _LEFT_MM - 2.0
    count = max(1, len(columns))
    across = min(TILE_MM, (room - (count - 1) * _GAP_MM) / count / wide_per_mm)
    wide = across * wide_per_mm
    step = (room - wide) / max(1, count - 1) if count > 3 else wide + 16.0
    first = MARGIN_MM + _LEFT_MM + wide / 2
    return _Chart(
        style=style,
        layout=layout,
        across=across,
        x={colour: first + place * step for place, colour in enumerate(columns)},
        colours=chart_columns(title, bands),
    )


def _pages(blocks: Sequence[Block], room: float | None) -> list[list[Block]]:
    """Each block on the first page with room for it, so that a short one fills up the page before."""
    pages: list[list[Block]] = [[]]
    for block in blocks:
        fitting = (
            page
            for page in pages
            if room is None or not page or sum(each.height + _BAND_GAP_MM for each in (*page, block)) <= room
        )
        page = next(fitting, None)
        if page is None:
            pages.append([block])
        else:
            page.append(block)
    return pages


def _page(
    title: Title, style: Style, blocks: Sequence[Block], number: tuple[int, int], notes: tuple[str, str]
) -> Scene:
    words = style.words(say.UPGRADES)
    inner = _WIDTH_MM - 2 * MARGIN_MM
    plate_wide, plate_tall = title_size(title, words, style, inner)
    items: list[Item] = [*title_items(title, words, style, ((_WIDTH_MM - plate_wide) / 2, MARGIN_MM), inner)]
    y = MARGIN_MM + plate_tall + 3.4
    for place, block in enumerate(blocks):
        y += _BAND_GAP_MM if place else 0.0
        items.append(Group(items=block.items, matrix=translation(0.0, y)))
        y += block.height
    height = y + _FOOT_MM + MARGIN_MM
    small, ink = style.type("board.note"), style.ink("board.edge")
    base = height - MARGIN_MM + 0.6
    count = style.words(say.PAGE).format(*number) if number[1] > 1 else ""
    note, via = notes
    note = f"{note}  {via}" if via else note
    kind = fit(note, small, inner - text_width(count, small) - 8.0)
    items += set_line(note, kind, ink, MARGIN_MM, base)
    items += set_line(count, small, ink, _WIDTH_MM - MARGIN_MM, base, anchor=Anchor.END)
    return board_scene(f"upgrade-chart:{number[0]}", f"{words} {number[0]}", (_WIDTH_MM, height), items, style)


def _notes(bands: Sequence[Band], style: Style) -> tuple[str, str]:
    """How to read the chart, and which abilities lay the tiles with a star."""
    grids = [_is_grid(band) for band in bands]
    told = [style.words(say.UPGRADE_NOTE)] if not all(grids) else []
    told += [style.words(say.NUMBERS_NOTE)] if any(grids) else []
    by = dict.fromkeys(node.via for band in bands for node in band.nodes if node.via is not None)
    via = style.words(say.ONLY_BY).format(", ".join(by)) if by else ""
    return " ".join((*told, style.words(say.TRACK_KEPT))), via


def _is_grid(band: Band) -> bool:
    """True when arrows between two columns would be too many to follow, or none leads from a tile."""
    there = {node.key: node for node in band.nodes}
    arrows: dict[str, int] = {}
    rows: dict[str, int] = {}
    for node in band.nodes:
        rows[node.column] = rows.get(node.column, 0) + 1
        arrows[node.column] = arrows.get(node.column, 0) + sum(key in there for key in node.after)
    ends_at_once = not any(node.after for node in band.nodes if not node.is_hex)
    return ends_at_once or max(rows.values()) > _MOST_ROWS or max(arrows.values()) > _MOST_ARROWS


def _blocks(band: Band, chart: _Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is a grid higher than a page."""
    if _is_grid(band):
        return _grid_blocks(band, chart, room)
    items, height = _arrows_and_tiles(band, chart)
    heads = {colour: (x, x) for colour, x in chart.x.items() if band.column(colour)}
    return [_with_head(band.name, heads, items, height, chart)]


def _with_head(
    name: str, heads: dict[str, tuple[float, float]], items: Sequence[Item], height: float, chart: _Chart
) -> Block:
    """A band below its name and, over each of its columns, the colour; `heads` are where columns begin and end."""
    style = chart.style
    strong, small, ink = style.type("board.strong"), style.type("board.note"), style.ink("board.edge")
    right = _WIDTH_MM - MARGIN_MM
    first = min((x for colour, (x, _) in heads.items() if colour != HEX_COLUMN), default=right)
    name_type = fit(name, strong.at(10.0), first - chart.wide / 2 - MARGIN_MM - 2.0)
    level = 4.9
    drawn: list[Item] = [
        rule(MARGIN_MM, level, right, style.ink("card.gold"), 0.25),
        *set_line(name, name_type, ink, MARGIN_MM, level - 1.7),
    ]
    for colour, (start, end) in heads.items():
        if colour == HEX_COLUMN:
            continue
        x, wide = start - chart.wide / 2, end - start + chart.wide
        edge = Stroke(ink=ink, width_mm=0.12)
        bar = rectangle_path(x, level - 0.7, wide, 1.4)
        drawn.append(Path(commands=bar, fill=tile_ink(colour, style), stroke=edge))
        word = say.named(say.COLOUR, colour, style)
        drawn += set_line(word, small, ink, x + wide / 2, level - 1.7, anchor=Anchor.MIDDLE)
    body = Group(items=tuple(items), matrix=translation(0.0, _HEAD_MM))
    return Block(items=(*drawn, body), height=_HEAD_MM + height)


def _arrows_and_tiles(band: Band, chart: _Chart) -> tuple[tuple[Item, ...], float]:
    """Every tile in the column of its colour, columns centred on each other, an arrow for every pair."""
    columns = [band.column(colour) for colour in chart.x]
    pitch = chart.tall + _ROW_GAP_MM
    height = max(map(len, columns)) * pitch - _ROW_GAP_MM
    places = {
        node.key: (chart.x[node.column], (height - len(column) * pitch + _ROW_GAP_MM + chart.tall) / 2 + row * pitch)
        for column in columns
        for row, node in enumerate(column)
    }
    items: list[Item] = []
    tips = dict.fromkeys(key for node in band.nodes for key in node.after if key in places)
    for node in band.nodes:
        for key in node.after:
            if key in places:
                items.append(_curve(places[node.key], places[key], chart))
    items += [_tip(places[key], chart) for key in tips]
    for node in band.nodes:
        items += _node_items(node, places[node.key], chart)
    return tuple(items), height


def _curve(start: tuple[float, float], end: tuple[float, float], chart: _Chart) -> Path:
    """A line from the right of one tile to the left of another, level at both ends, clear of numbers."""
    (x0, y0), (x1, y1) = start, end
    x0, x1 = x0 + chart.wide / 2 + 0.7, x1 - chart.wide / 2 - 0.7 - _TIP_MM
    level = x1 - min(3.2, 0.25 * (x1 - x0))
    bend = (level - x0) * 0.55
    commands = (("M", x0, y0), ("C", x0 + bend, y0, level - bend, y1, level, y1), ("L", x1 + 0.3, y1))
    return Path(
        commands=commands,
        stroke=Stroke(ink=chart.style.ink("board.edge"), width_mm=_LINE_MM, cap="round"),
        role=Role.ORNAMENT,
    )


def _tip(end: tuple[float, float], chart: _Chart) -> Path:
    """The head of all arrows to one tile."""
    x, y = end[0] - chart.wide / 2 - 0.7, end[1]
    points = ((x, y), (x - _TIP_MM, y - 0.85), (x - _TIP_MM * 0.72, y), (x - _TIP_MM, y + 0.85))
    return Path(commands=polygon_path(points), fill=chart.style.ink("board.edge"), role=Role.ORNAMENT)


def _node_items(node: Node, place: tuple[float, float], chart: _Chart) -> tuple[Item, ...]:
    """A tile with its number in the corner beside its upper left edge; a hex with its words at its left."""
    (x, y), style = place, chart.style
    drawing = Group(items=thumbnail_items(node.tile, chart.layout, chart.across, style), matrix=translation(x, y))
    ink = style.ink("board.edge")
    if node.is_hex:
        right = x - chart.wide / 2 - 1.0
        kind = fit(node.words, style.type("board.strong"), _LEFT_MM - 1.0)
        return drawing, *set_line(node.words, kind, ink, right, y + kind.cap_height_mm / 2, anchor=Anchor.END)
    return drawing, *_corner_items(node, place, chart)


def _corner_items(node: Node, place: tuple[float, float], chart: _Chart) -> tuple[Item, ...]:
    """Beside the slanting edges of a tile: its number, its label below it, and what it pays at the other side."""
    (x, y), style = place, chart.style
    strong, small, ink = style.type("aid.tile"), style.type("board.note"), style.ink("board.edge")
    reach = chart.wide / 2 - (0.36 if chart.layout is Layout.FLAT else 0.33) * chart.across / 2
    top, foot = y - chart.tall / 2 + strong.cap_height_mm + 0.1, y + chart.tall / 2 - 0.1
    labels = " ".join(label.text for label in node.tile.labels)
    values = dict.fromkeys(step.value for stop in node.tile.stops for step in stop.revenue)
    return (
        *set_line(node.words + ("*" if node.via else ""), strong, ink, x - reach, top, anchor=Anchor.END),
        *set_line(labels, small, ink, x - reach, foot, anchor=Anchor.END),
        *set_line("/".join(map(str, values)), small, style.ink("card.soft"), x + reach, top),
    )


def _grid_blocks(band: Band, chart: _Chart, room: float | None) -> list[Block]:
    """Tiles in a grid by colour, each with the numbers of those that may replace it below."""
    colours = [colour for colour in chart.colours if band.column(colour)]
    cell = chart.wide + _CELL_GAP_MM + _number_room(band, chart)
    gap = 5.0
    inner = _WIDTH_MM - 2 * MARGIN_MM
    most = max(len(colours), int((inner - gap * (len(colours) - 1)) / cell))
    shares = _share([len(band.column(colour)) for colour in colours], most)
    rows = max(-(-len(band.column(colour)) // share) for colour, share in zip(colours, shares, strict=True))
    starts, x = [], MARGIN_MM + cell - chart.wide / 2
    for share in shares:
        starts.append(x)
        x += share * cell + gap
    heads = {c: (start, start + (share - 1) * cell) for c, start, share in zip(colours, starts, shares, strict=True)}
    grid = [
        [[*band.column(c)[row * share : (row + 1) * share]] for c, share in zip(colours, shares, strict=True)]
        for row in range(rows)
    ]
    heights = [_row_height([node for nodes in row for node in nodes], cell, chart) for row in grid]
    blocks = []
    for part in _parts(heights, None if room is None else room - _HEAD_MM):
        items: list[Item] = []
        y = chart.tall / 2
        for row in part:
            for start, nodes in zip(starts, grid[row], strict=True):
                for place, node in enumerate(nodes):
                    items += _cell_items(node, (start + place * cell, y), cell, chart)
            y += heights[row]
        for (_, end), (start, _) in pairwise(heads.values()):
            middle = (end + start) / 2 - cell / 2 + chart.wide / 2 + _CELL_GAP_MM / 2
            items.append(arrow(middle, -_HEAD_MM + 4.9, 3.0, 0.0, chart.style.ink("board.edge")))
        blocks.append(_with_head(band.name, heads, items, sum(heights[row] for row in part) - _ROW_GAP_MM, chart))
    return blocks


def _row_height(nodes: Sequence[Node], cell: float, chart: _Chart) -> float:
    """Height of a row of a grid with the numbers below its tiles and the gap to the next row."""
    lines = max(len(_lists(node, cell, chart)) for node in nodes)
    numbers = 1.4 + lines * chart.style.type("board.note").size_mm * _LEADING if lines else 0.0
    return chart.tall + numbers + _ROW_GAP_MM


def _parts(heights: Sequence[float], room: float | None) -> list[list[int]]:
    """Rows in order, as many together as there is room for, at least one."""
    parts: list[list[int]] = [[]]
    for row, height in enumerate(heights):
        if room is not None and parts[-1] and sum(heights[each] for each in parts[-1]) + height > room:
            parts.append([])
        parts[-1].append(row)
    return parts


def _number_room(band: Band, chart: _Chart) -> float:
    """Room at the left of a tile that its number or the words of a hex need."""
    kind = chart.style.type("aid.tile")
    widest = max(text_width(node.words, kind) for node in band.nodes)
    return max(2.0, min(widest - 2.2, 9.0))


def _share(counts: Sequence[int], most: int) -> list[int]:
    """Columns of a grid shared out among colours so that the highest is as low as can be."""
    shares = [1] * len(counts)
    while sum(shares) < most:
        need = [count / share if count > share else 0.0 for count, share in zip(counts, shares, strict=True)]
        if max(need, default=0.0) == 0.0:
            break
        shares[need.index(max(need))] += 1
    return shares


def _lists(node: Node, width: float, chart: _Chart) -> list[str]:
    """The numbers of what may replace a tile, in lines."""
    kind = chart.style.type("board.note")
    lines: list[str] = []
    for number in node.after:
        longer = f"{lines[-1]} {number}" if lines else number
        if lines and text_width(longer, kind) <= width - _CELL_GAP_MM:
            lines[-1] = longer
        else:
            lines.append(number)
    return lines


def _cell_items(node: Node, place: tuple[float, float], cell: float, chart: _Chart) -> tuple[Item, ...]:
    style, (x, y) = chart.style, place
    kind, ink = style.type("board.note"), style.ink("board.edge")
    items: list[Item] = [*_node_items(node, place, chart)]
    base = y + chart.tall / 2 + 1.2 + kind.cap_height_mm
    for line in _lists(node, cell, chart):
        items += set_line(line, kind, ink, x, base, anchor=Anchor.MIDDLE)
        base += kind.size_mm * _LEADING
    return tuple(items)
