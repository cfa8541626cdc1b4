"""The stock market (a line, a zigzag, a grid or shifted rows of spaces with zones, ledges and a
legend) and the par chart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from msgspec import Struct

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    disc,
    in_row,
    line_path,
    placing,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import wrap_within
from platelayer.drawing.kit.parts import (
    ARROWS,
    MARK_MM,
    arrow,
    bent_arrow,
    diamond,
    rim_ink,
    tile_ink,
    zone_mark,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import (
    BOARD_LINE_MM,
    EDGE_MM,
    INSET_MM,
    MARGIN_MM,
    NOTE_LEADING,
    STRIP_MM,
    board_scene,
    least_space_mm,
    space_mm,
    strip_line,
    title_plate,
    token_mm,
    token_place,
)
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.values import Frozen
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.title import Title
from platelayer.scene.breaks import line_parts
from platelayer.scene.inks import Ink, mix
from platelayer.scene.shapes import (
    Anchor,
    Item,
    Items,
    Path,
    Point,
    Scene,
    Stroke,
    polygon_path,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, fit, set_line, text_width, wrap

card_words = FixedWords("cards")

_STRIP_GAP_MM = 7.0
# Room for the letters above the columns; they extend slightly into the margin of the board.
_LETTERS_MM = 2.0
# Length of an arrow in a space, and the distance of its middle from the space's edges.
_ARROW_MM, _ARROW_IN_MM = 3.2, 2.3
# Directions in degrees, clockwise from the right.
_WAYS = {
    way: 45.0 * number
    for number, way in enumerate(
        ("right", "down-right", "down", "down-left", "left", "up-left", "up", "up-right")
    )
}
# Distance of a zone's mark from the edge of the space, and the gap between two marks.
_MARK_IN_MM, _MARK_GAP_MM = 1.9, 0.7
# Room that a mark takes from a price.
_SIGN_MM = _MARK_IN_MM - INSET_MM + MARK_MM / 2 + 0.2
# Gap beside each pair of prices on the arrow between two strips.
_GOES_ON_MM = 5.0
# Arrow at the end of a row: distance of its bend from the space's edges, and length of its arms;
# both again for spaces up to the width given last.
_TURN_MM, _TIGHT_TURN_MM, _TIGHT_MM = (1.9, 3.6), (0.95, 2.7), 15.5

_SWATCH_MM = (5.4, 3.9)
# Width of a sign including the space at its sides, and its distance from the words.
_SIGN_WIDE_MM, _AFTER_SIGN_MM = 5.8, 1.8
_COLUMN_GAP_MM = 12.0

# Maximum size of a board on one A4 page in landscape, and maximum height in portrait. A market is
# folded or slightly reduced to stay within them.
_MOST_MM, _UPRIGHT_MM = (283.0, 196.0), 270.2
_GAP_MM = 4.0
# Distance from spaces to the legend, and to the title in a corner.
_CLEAR_MM = 6.0
_PLATE_MM = 118.0


_GRIDS = (MarketShape.GRID, MarketShape.HEX)


class _Space(NamedTuple):
    """A cell, and its box relative to the upper left corner of all spaces."""

    cell: Cell
    box: Box


# A sign drawn around (0, 0), and the words beside it.
_Entry = tuple[Items, str]
_Placed = tuple[tuple[_Space, ...], tuple[float, float]]


class Room(Struct, frozen=True, kw_only=True):
    """The width and height to aim for, and the usual and minimum size of a space."""

    size_mm: tuple[float, float]
    space_mm: tuple[float, float]
    least_mm: tuple[float, float]


class _Board(Frozen):
    """A market with its spaces and their total size. Title plate and legend are in a free corner
    or, if `corner` is None, above and below the spaces."""

    market: Market
    spaces: tuple[_Space, ...]
    size_mm: tuple[float, float]
    plate: Block
    corner: tuple[Box, Block] | None


def _board(title: Title, piece_id: str, style: Style) -> _Board:
    market = title.market
    if market is None:
        raise KeyError(piece_id)
    spaces, size_mm = spaces_of(market, _room(title, market, style))
    plate = title_plate(title, style.words(card_words("market")), style, size_mm[0])
    return _Board(market, spaces, size_mm, plate, _corner(title, market, spaces, size_mm, style))


def draw_market(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the stock market board, as large as its spaces need. Raises KeyError if the title has no
    market.

    Title and legend are in the free corner of a stepped grid, otherwise above and below the spaces.
    """
    drawn = _board(title, piece_id, style)
    market, spaces, (wide, tall) = drawn.market, drawn.spaces, drawn.size_mm
    cells = (
        *_space_items(market, spaces, style),
        *_grid_items(market, spaces, style),
        *_letter_items(market, spaces, style),
    )
    if drawn.corner is not None:
        # Title plate and legend are in the middle of the corner, centred on one axis.
        box, sign = drawn.corner
        board = Block(wide, tall, placing((*cells, box.centred(sign))))
    else:
        legend = _legend_of(market, style, wide, columns=2)
        below = (_CLEAR_MM, legend) if legend.height > 0 else ()
        board = stacked(drawn.plate, _GAP_MM, Block(wide, tall, placing(cells)), *below)
    return board_scene(f"market:{piece_id}", style.words(card_words("market")), board, style)


def _room(title: Title, market: Market, style: Style) -> Room:
    (wide, tall), (least, lowest) = space_mm(title), least_space_mm(title)
    # The narrowest space holds every price with a mark, and every word in place of one, in the
    # smallest type.
    price, word = style.type("board.price"), style.type("board.word")
    price, word = price.at(price.min_pt), word.at(word.min_pt)
    words_mm = 0.0
    for cell in (cell for row in market.rows for cell in row if cell is not None):
        sign = _SIGN_MM if cell.zones else 0
        if not cell.text:
            words_mm = max(words_mm, text_width(f"{cell.price}", price) + sign)
        for part in line_parts(cell.text):
            words_mm = max(words_mm, text_width(part.rstrip(), word) + sign)
    words_mm += 2 * INSET_MM
    return Room(
        size_mm=(_MOST_MM[0] - 2 * MARGIN_MM, _MOST_MM[1] - 2 * MARGIN_MM),
        space_mm=(max(wide, words_mm), tall),
        least_mm=(max(least, words_mm), lowest),
    )


def placed_spaces(title: Title, style: Style) -> tuple[tuple[Cell, Box], ...]:
    """Return every space with its box on the board that `draw_market` draws. Raises KeyError if the
    title has no market."""
    drawn = _board(title, "market", style)
    down = MARGIN_MM + (0 if drawn.corner else drawn.plate.height + _GAP_MM)
    return tuple(
        (cell, box._replace(x=MARGIN_MM + box.x, y=down + box.y)) for cell, box in drawn.spaces
    )


def _corner(
    title: Title,
    market: Market,
    spaces: tuple[_Space, ...],
    size_mm: tuple[float, float],
    style: Style,
) -> tuple[Box, Block] | None:
    """Return the roomiest free corner in which title plate and legend fit one above the other, and
    a block of both; None if there is no such corner."""
    if market.shape not in _GRIDS:
        return None
    wide, tall = size_mm
    corners = []
    for top in sorted({space.box.y for space in spaces})[1:]:
        reach = max(space.box.right for space in spaces if space.box.y >= top - SLACK_MM)
        x, y = reach + _CLEAR_MM, top + _CLEAR_MM
        corners.append(Box(x, y, wide - x, tall - y))
    roomy = [corner for corner in corners if corner.width > 40.0]
    for corner in sorted(roomy, key=lambda corner: -min(corner.width, _PLATE_MM) * corner.height):
        width = min(corner.width, _PLATE_MM)
        plate = title_plate(title, style.words(card_words("market")), style, width)
        sign = stacked(plate, _GAP_MM, _legend_of(market, style, width))
        if sign.height <= corner.height:
            return corner, sign
    return None


def _legend_of(market: Market, style: Style, width_mm: float, *, columns: int = 1) -> Block:
    """Lay out the legend, at most `width_mm` wide: zones first, then movement; with two columns,
    zones are at the left."""
    zones, moves = _zones(market, style), _moves(market, style)
    if columns > 1 and zones and moves:
        side = (width_mm - _COLUMN_GAP_MM) / 2
        lists = (_listed(entries, style, side) for entries in (zones, moves))
        return in_row(*lists, gap=_COLUMN_GAP_MM, level=0)
    return _listed((*zones, *moves), style, width_mm)


def _listed(entries: Sequence[_Entry], style: Style, width_mm: float) -> Block:
    """Lay out entries one below the other, each with its words beside its sign."""
    type_style, ink = style.type("board.legend"), style.ink("board.edge")
    tall = _SWATCH_MM[1]
    # The first line is level with the sign.
    above = (tall - type_style.cap_height_mm) / 2
    rows = []
    for sign, words in entries:
        lines = wrap_within(words, type_style, width_mm - _SIGN_WIDE_MM - _AFTER_SIGN_MM)
        text = text_block(lines, type_style, ink, leading=NOTE_LEADING, align=Anchor.START)
        swatch = shape_block(sign, _SIGN_WIDE_MM, tall)
        rows.append(in_row(swatch, _AFTER_SIGN_MM, stacked(above, text, above), level=0))
    return stacked(*rows, gap=1.5, align=Anchor.START)


def _zones(market: Market, style: Style) -> tuple[_Entry, ...]:
    line = Stroke(style.ink("board.line"), BOARD_LINE_MM)
    entries = []
    for number, zone in enumerate(market.zones):
        ink = _zone_ink(zone.colour, style)
        sign = [Box(0, 0, 0, 0).within(*_SWATCH_MM).plate(ink, line)]
        if len(market.zones) > 1:
            sign.append(zone_mark(number, 0, 0, style.ink_on(ink)))
        entries.append((tuple(sign), style.words(zone.name)))
    return tuple(entries)


def _moves(market: Market, style: Style) -> tuple[_Entry, ...]:
    """Return the movements, each with the arrow at the start of its words as its sign, or with a
    diamond."""
    ink = style.ink("board.edge")
    entries = []
    for text in (*market.movement, *market.notes):
        words, sign = style.words(text), diamond(0, 0, 0.8, ink)
        if words[:1] in ARROWS:
            sign, words = arrow(0, 0, 4.6, ARROWS[words[0]], ink), words[1:].lstrip()
        entries.append(((sign,), words))
    return tuple(entries)


def spaces_of(market: Market, room: Room) -> _Placed:
    """Return every space of a market, and the total size."""
    if market.shape in _GRIDS:
        return _grid(market, room)
    # A line, or the two lines of a zigzag (offset by half a space), is folded into as few strips of
    # about equal length as the width allows.
    zigzag = market.shape is MarketShape.ZIGZAG
    wide, tall = room.space_mm
    pitch, lines = (wide / 2, 2) if zigzag else (wide, 1)
    cells = [cell for row in market.rows for cell in row]
    most = max(lines, int(room.size_mm[0] // pitch) - (lines - 1))
    per_strip = math.ceil(len(cells) / math.ceil(len(cells) / most))
    step = lines * tall + _STRIP_GAP_MM
    spaces = []
    for index, cell in enumerate(cells):
        if cell is not None:
            strip, column = divmod(index, per_strip)
            y = strip * step + (tall if zigzag and index % 2 == 0 else 0)
            spaces.append(_Space(cell, Box(column * pitch, y, wide, tall)))
    across = (min(per_strip, len(cells)) + (lines - 1)) * pitch
    return tuple(spaces), (across, math.ceil(len(cells) / per_strip) * step - _STRIP_GAP_MM)


def _grid(market: Market, room: Room) -> _Placed:
    """Return the spaces of a grid, and the total size. If spaces are hexes, every second row is
    shifted to the right by half a space."""
    shift = 0.5 if market.shape is MarketShape.HEX else 0
    columns, rows = max(map(len, market.rows)) + shift, len(market.rows)
    head = _LETTERS_MM if market.column_letters else 0
    wide = _between(room.size_mm[0] / columns, room.least_mm[0], room.space_mm[0])
    # A grid that is too high for a landscape page even with its lowest spaces takes portrait pages
    # side by side, or as many pages as it needs.
    high = (room.size_mm[1] - head, _UPRIGHT_MM - 2 * MARGIN_MM - head)
    fitting = (mm / rows for mm in high if mm / rows >= room.least_mm[1])
    tall = _between(next(fitting, room.space_mm[1]), room.least_mm[1], room.space_mm[1])
    spaces = tuple(
        _Space(cell, Box((column + row % 2 * shift) * wide, head + row * tall, wide, tall))
        for row, cells in enumerate(market.rows)
        for column, cell in enumerate(cells)
        if cell is not None
    )
    return spaces, (columns * wide, head + rows * tall)


def _between(value: float, least: float, most: float) -> float:
    """Return a length rounded down to quarters of a millimetre and then kept within its limits."""
    return max(least, min(most, math.floor(value * 4) / 4))


def _letter_items(market: Market, spaces: Sequence[_Space], style: Style) -> Items:
    """Draw A, B, C ... above the columns of a grid, if the market has letters."""
    if not market.column_letters or market.shape is not MarketShape.GRID:
        return ()
    type_style, ink = style.type("board.note").at(9), style.ink("board.edge")
    middles = sorted({round(space.box.middle[0], 3) for space in spaces})
    letters = [
        set_line(column_letter(n), type_style, ink, x, _LETTERS_MM - 0.75, anchor=Anchor.MIDDLE)
        for n, x in enumerate(middles)
    ]
    return tuple(chain.from_iterable(letters))


def column_letter(number: int) -> str:
    """Return A, B ... Z, AA, AB ... for columns counted from 0."""
    return ("" if number < 26 else column_letter(number // 26 - 1)) + chr(ord("A") + number % 26)


def _zone_ink(colour: str, style: Style) -> Ink:
    """Return the printed colour of a zone: dark enough to recognise, light enough for a price on
    it."""
    cell, tint = style.ink("board.cell"), 0.75 * style.theme.company_tint
    if colour.startswith("#"):
        return mix(tile_ink(colour, style), cell, tint)
    return mix(rim_ink(colour, style) or tile_ink(colour, style), cell, max(0.32, tint))


def _space_items(market: Market, spaces: Sequence[_Space], style: Style) -> Items:
    """Draw grounds, prices and zone marks."""
    inks = {zone.id: _zone_ink(zone.colour, style) for zone in market.zones}
    order = [*inks]
    cell_ink = style.ink("board.cell")
    edge = Stroke(style.ink("board.line"), BOARD_LINE_MM)
    items: list[Item] = []
    for space in spaces:
        box = space.box
        zones = [zone for zone in order if zone in space.cell.zones]
        ground, *others = [inks[zone] for zone in zones] or [cell_ink]
        items.append(box.plate(ground, None if others else edge))
        if others:
            # The strip keeps the first colour. Below it, each other colour fills the corner at the
            # lower right where x + y, each from 0 to 1, is more than 1 + `share`.
            below = box.rows(STRIP_MM, 0)[1]
            for number, ink in enumerate(others):
                share = number / len(others)
                upper = (below.right, below.y + share * below.height)
                lower = (below.x + share * below.width, below.foot)
                band = polygon_path((upper, (below.right, below.foot), lower))
                items.append(Path(band, fill=ink))
            items.append(box.plate(stroke=edge))
        items += (strip_line(box, style), token_place(box))
        signs = [order.index(zone) for zone in zones] if len(order) > 1 else []
        items += _price(space, ground, style)
        items += _marks(space, signs, (ground, *others), style)
    return tuple(items)


def _marks(
    space: _Space, signs: Sequence[int], grounds: Sequence[Ink], style: Style
) -> Iterator[Item]:
    """Draw marks of zones from the right end of the strip; marks that would meet the price go in a
    row below."""
    box, step = space.box, MARK_MM + _MARK_GAP_MM
    price = 0.0 if space.cell.text else text_width(f"{space.cell.price}", _price_type(space, style))
    room = box.width - INSET_MM - price - _MARK_IN_MM - MARK_MM / 2
    most = max(1, math.floor(room / step) + 1)
    for index, number in enumerate(reversed(signs)):
        row, column = divmod(index, most)
        ink = style.ink_on(grounds[0] if row == 0 else grounds[-1])
        x = box.right - _MARK_IN_MM - column * step
        y = box.y + STRIP_MM / 2 + row * (STRIP_MM / 2 + MARK_MM)
        yield zone_mark(number, x, y, ink)


def _price(space: _Space, ground: Ink, style: Style) -> Items:
    """Draw the price, or the words that replace it, wrapped within the space."""
    cell, box, ink = space.cell, space.box, style.ink_on(ground, dark=style.ink("text"))
    if not cell.text:
        strip, type_style = box.rows(STRIP_MM)[0], _price_type(space, style)
        return (strip.words(f"{cell.price}", type_style, ink, Anchor.START, pad=INSET_MM),)
    sign = _SIGN_MM if cell.zones else 0
    type_style, room = style.type("board.word"), box.width - 2 * INSET_MM - sign
    for word in line_parts(cell.text):
        type_style = fit(word.rstrip(), type_style, room)
    lines = wrap(cell.text, type_style, room)
    words = text_block(lines, type_style, ink, room, leading=1.15, align=Anchor.START)
    return (box.centred(words, Anchor.START, level=0, pad=INSET_MM, down=INSET_MM),)


def _price_type(space: _Space, style: Style) -> TypeStyle:
    room = space.box.width - 2 * INSET_MM - (_SIGN_MM if space.cell.zones else 0)
    return fit(f"{space.cell.price}", style.type("board.price"), room)


_SIDES = {
    "left": ((0, 0), (0, 1)),
    "right": ((1, 0), (1, 1)),
    "up": ((0, 0), (1, 0)),
    "down": ((0, 1), (1, 1)),
}


def _grid_items(market: Market, spaces: Sequence[_Space], style: Style) -> Items:
    """Draw the bold outline of all spaces together, ledges, and arrows from strip to strip of a
    folded market."""
    outline = Stroke(style.ink("board.edge"), EDGE_MM, cap="square")
    ledge = Stroke(style.ink("board.ledge"), 1.1, cap="square")
    items: list[Item] = []
    commands = tuple(command for a, b in _outline(spaces) for command in (("M", *a), ("L", *b)))
    items.append(Path(commands, stroke=outline))
    for cell, box in spaces:
        for side in cell.ledge:
            a, b = (
                (box.x + across * box.width, box.y + down * box.height)
                for across, down in _SIDES[side]
            )
            items.append(line_path(a, b, ledge))
    items += (_end_arrows if market.shape in _GRIDS else _turns)(market, spaces, style)
    for cell, box in spaces:
        # Arrows are in the lower right corner, the last one outermost.
        y = box.foot - _ARROW_IN_MM
        for number, way in enumerate(reversed(cell.arrows)):
            x = box.right - _ARROW_IN_MM - number * (_ARROW_MM + 0.5)
            items.append(arrow(x, y, _ARROW_MM, _WAYS[way], style.ink("board.edge")))
    return tuple(items)


def _end_arrows(market: Market, spaces: Sequence[_Space], style: Style) -> list[Item]:
    """Draw a bent arrow in the last space of each row, in the direction of a marker that would
    leave the row."""
    corners = {(round(box.x, 3), round(box.y, 3)) for _, box in spaces}
    items: list[Item] = []
    for end, way in market.ends:
        side, down = (-1 if end == "left" else 1), (1 if way == "down" else -1)
        for top in sorted({box.y for _, box in spaces}):
            row = [space for space in spaces if space.box.y == top]
            cell_space = min(row, key=lambda space: side * -space.box.x)
            cell, box = cell_space
            if (round(box.x, 3), round(box.y + down * box.height, 3)) not in corners:
                continue
            # In its corner, the arrow passes around a token in the middle of the space.
            within, turn = _TURN_MM if box.width > _TIGHT_MM else _TIGHT_TURN_MM
            x = box.middle[0] + side * (box.width / 2 - within)
            y = box.foot - within - (0.0 if down < 0 else turn)
            if down > 0 and not (cell.zones or cell.text):
                # It would cross a token there, so move it to the end of the strip.
                price = INSET_MM + text_width(f"{cell.price}", _price_type(cell_space, style))
                if price + turn + 2 * INSET_MM < box.width:
                    turn = _TIGHT_TURN_MM[1]
                    x, y = box.right - INSET_MM - (turn if side < 0 else 0.8), box.y + 1.5
            bend = ((x - side * turn, y), (x, y), (x, y + down * turn))
            items += bent_arrow(bend, 0.55, min(1.9, 0.6 * turn), style.ink("board.edge"))
    return items


def _outline(spaces: Sequence[_Space]) -> list[tuple[Point, Point]]:
    """Return the sides of spaces, cut at every half space, that belong to a single space."""
    seen: Counter[tuple[Point, Point]] = Counter()
    for _, box in spaces:
        xs = [round(x, 3) for x in (box.x, box.middle[0], box.right)]
        ys = round(box.y, 3), round(box.foot, 3)
        seen.update(((a, y), (b, y)) for y in ys for a, b in pairwise(xs))
        seen.update(((x, ys[0]), (x, ys[1])) for x in (xs[0], xs[2]))
    return [side for side, count in seen.items() if count == 1]


def _turns(market: Market, spaces: Sequence[_Space], style: Style) -> list[Item]:
    """Draw an arrow below the end of each strip, except the last, to the next strip. On a zigzag,
    prices on the arrow show how each of its two lines continues: a marker that moves right stays
    in its line."""
    zigzag = market.shape is MarketShape.ZIGZAG
    step = spaces[0].box.height * (2 if zigzag else 1) + _STRIP_GAP_MM
    strips: dict[int, list[_Space]] = {}
    for space in spaces:
        strips.setdefault(math.floor(space.box.y / step + 1e-6), []).append(space)
    ink = style.ink("board.edge")
    line = Stroke(ink, 0.2)
    items: list[Item] = []
    for (strip, before), (_, after) in pairwise(sorted(strips.items())):
        right = max(space.box.right for space in before)
        y = (strip + 1) * step - _STRIP_GAP_MM / 2
        mark = _going_on(before, after, step, style) if zigzag else strut(0)
        ends = [5.0, right - 5.4]
        if mark.width:
            ends[1:1] = [(right - mark.width) / 2, (right + mark.width) / 2]
        items += (
            arrow(right - 3.0, y, 3.6, 180.0, ink),
            *(line_path((a, y), (b, y), line) for a, b in zip(ends[::2], ends[1::2], strict=True)),
            *mark.paint((right - mark.width) / 2, y - mark.height / 2),
            arrow(2.6, y, 3.6, 90.0, ink),
        )
    return items


def _going_on(
    before: Sequence[_Space], after: Sequence[_Space], step: float, style: Style
) -> Block:
    """Lay out the ends and continuations of a zigzag's lines, as `126 → 138`, in the order in which
    the lines end."""
    type_style, ink = style.type("board.price"), style.ink("board.edge")
    last, first = (
        {round(box.y % step, 2): (box.x, cell) for cell, box in sorted(strip, key=key)}
        for strip, key in ((before, lambda each: each.box.x), (after, lambda each: -each.box.x))
    )
    sign = shape_block((arrow(0, 0, _ARROW_MM, 0, ink),), 2 * _ARROW_MM)
    pairs = []
    for line in sorted(last.keys() & first.keys(), key=lambda line: last[line][0]):
        cells = (last[line][1], first[line][1])
        here, there = (text_block(f"{cell.text or cell.price}", type_style, ink) for cell in cells)
        pairs.append(in_row(here, sign, there))
    return in_row(_GOES_ON_MM, *pairs, _GOES_ON_MM, gap=_GOES_ON_MM)


# The par chart: a row of slots for the tokens of companies beside each par price.


_PRICE_MM = 22.0
# Clearance around each token.
_ROUND_MM = 1.2
# Maximum height of rows in a column.
_HIGHEST_MM = 150.0


def draw_par_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the chart, as large as its prices and slots need. Raises KeyError if the title has
    none."""
    chart = title.pieces.par_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(card_words("par_chart"))
    # The prices of the chart, otherwise the par prices of the market, the highest first.
    stated = chart.prices or (title.market.par_prices if title.market is not None else ())
    prices = [_par_row(title.money(price), chart.places, title, style) for price in sorted(stated)]
    prices.reverse()
    most = max(1, int(_HIGHEST_MM // prices[0].height)) if prices else 1
    count = math.ceil(len(prices) / most)
    rows = math.ceil(len(prices) / max(1, count))
    columns = [stacked(*prices[start : start + rows]) for start in range(0, len(prices), rows)]
    body = in_row(*columns, gap=_GAP_MM, level=0)
    widest = title_plate(title, words, style, 1000.0).width
    plate = title_plate(title, words, style, max(body.width, widest))
    return board_scene(f"par-chart:{piece_id}", words, stacked(plate, _GAP_MM, body), style)


def _par_row(price: str, slots: int, title: Title, style: Style) -> Block:
    """Lay out a price with a number of slots for tokens of companies."""
    side, ink = token_mm(title) + 2 * _ROUND_MM, style.ink("board.edge")
    row = Box(0, 0, _PRICE_MM + slots * side, side)
    head, *places = row.columns(_PRICE_MM, *[side] * slots)
    ring = Stroke(style.ink("board.line"), BOARD_LINE_MM, dash=(1.1, 0.8))
    items: list[Item] = [
        row.plate(style.ink("board.cell")),
        head.plate(style.ink("board.fifty")),
        row.plate(stroke=Stroke(ink, EDGE_MM)),
        head.words(price, style.type("board.price"), ink, pad=1.5),
    ]
    items += (disc(place.middle, side / 2 - _ROUND_MM, stroke=ring) for place in places)
    return Block(row.width, row.height, placing(items))
