"""The stock market: a line, a zigzag, a grid or shifted rows of spaces with zones, ledges and a
legend.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.layout import Box
from platelayer.drawing.kit.lettering import base_in
from platelayer.drawing.kit.panels import (
    EDGE_MM,
    INSET_MM,
    LINE_MM,
    MARGIN_MM,
    NOTE_LEADING,
    STRIP_MM,
    board_scene,
    least_space_mm,
    space_mm,
    strip_line,
    title_plate,
    title_size,
    token_mm,
)
from platelayer.drawing.kit.parts import ARROWS, MARK_MM, arrow, bent_arrow, tile_ink, zone_mark
from platelayer.drawing.kit.rich_text import rich_width, set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.title import Title
from platelayer.scene.breaks import line_parts
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Scene,
    Stroke,
    boxed,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import (
    SLACK_MM,
    TypeStyle,
    fit,
    set_centred,
    set_line,
    text_width,
    wrap,
)

card_words = FixedWords("cards")

_STRIP_GAP_MM = 6.0
_LEDGE_MM = 1.1
# Room for the letters above the columns; they reach a little into the margin of the board.
_LETTERS_MM, _LETTERS_PT = 2.0, 9.0
_TINT = 0.32
# Length of an arrow in a space, and how far within it the arrow's middle lies.
_ARROW_MM, _ARROW_IN_MM = 3.2, 2.3
# Directions in degrees, clockwise from the right.
_WAYS = {
    way: 45.0 * number
    for number, way in enumerate(
        ("right", "down-right", "down", "down-left", "left", "up-left", "up", "up-right")
    )
}
# How far within a space the mark of its zone lies, and the space between two marks.
_MARK_IN_MM, _MARK_GAP_MM = 1.9, 0.7
# Room that a mark takes from a price.
_SIGN_MM = _MARK_IN_MM - INSET_MM + MARK_MM / 2 + 0.2
# The room beside each pair of prices on the arrow between two strips.
_GOES_ON_MM = 5.0
# Length of each arm of an arrow at the end of a row, and how far inside the space it turns.
_TURN_MM, _TURN_IN_MM = 3.6, 1.9

_LEGEND_SIGN_MM = 7.6
_SWATCH_MM = (5.4, 3.9)
_BETWEEN_MM = 1.5
_COLUMN_GAP_MM = 12.0

# A board up to this size lies on one A4 page across, one up to this height on an upright one; a
# market is folded or drawn a little smaller to keep to it.
_MOST_MM, _UPRIGHT_MM = (283.0, 196.0), 270.2
_GAP_MM = 4.0
_PLATE_MM = 118.0


class _Space(Struct, frozen=True, kw_only=True):
    """A cell and its place in mm from the upper left of all spaces."""

    cell: Cell
    x: float
    y: float
    width: float
    height: float


_Placed = tuple[tuple[_Space, ...], tuple[float, float]]


class Room(Struct, frozen=True, kw_only=True):
    """The width and height to aim for, and the usual and the smallest size of a space."""

    size_mm: tuple[float, float]
    space_mm: tuple[float, float]
    least_mm: tuple[float, float]


class _Legend(Struct, frozen=True, kw_only=True):
    """Items from (0, 0) and how wide and high they are in mm."""

    items: tuple[Item, ...]
    width: float
    height: float


class _Entry(Struct, frozen=True, kw_only=True):
    """A sign drawn at (0, 0), level with the first line of some words."""

    sign: tuple[Item, ...]
    words: str


def draw_market(title: Title, piece_id: str, style: Style) -> Scene:
    """The stock market board, as large as its spaces need. Raises KeyError when the title has no
    market.

    Title and legend stand in the free corner of a stepped grid, else above and below the spaces.
    """
    market = title.market
    if market is None:
        raise KeyError(piece_id)
    key, words = f"market:{piece_id}", style.words(card_words("market"))
    spaces, (wide, tall) = spaces_of(market, _room(title, market, style))
    cells: tuple[Item, ...] = (
        *_space_items(market, spaces, style),
        *_grid_items(market, spaces, style),
        *_letter_items(market, spaces, style),
    )
    corner = _corner(title, market, spaces, (wide, tall), style)
    if corner is not None:
        # Title plate and legend stand in the middle of the corner, centred on each other.
        width = min(corner.width, _PLATE_MM)
        legend = _legend_of(market, style, width)
        x = corner.x + (corner.width - width) / 2
        plate_mm = title_size(title, words, style, width)[1]
        y = corner.y + (corner.height - plate_mm - _GAP_MM - legend.height) * 0.5
        plate, foot = title_plate(title, words, style, width, left=x, top=y)
        place = translation(x + (width - legend.width) / 2, foot + _GAP_MM)
        block = Group(items=legend.items, matrix=place)
        body = Group(items=(*cells, *plate, block), matrix=translation(MARGIN_MM, MARGIN_MM))
        size = (wide + 2 * MARGIN_MM, tall + 2 * MARGIN_MM)
        return board_scene(key, words, size, (body,), style)
    heading, down = title_plate(title, words, style, wide)
    legend = _legend_of(market, style, wide, columns=2)
    down += _GAP_MM
    items: list[Item] = [*heading, Group(items=cells, matrix=translation(MARGIN_MM, down))]
    height = down + tall + MARGIN_MM
    if legend.height > 0:
        place = translation(MARGIN_MM + (wide - legend.width) / 2, down + tall + _GAP_MM)
        items.append(Group(items=legend.items, matrix=place))
        height += legend.height + _GAP_MM
    return board_scene(key, words, (wide + 2 * MARGIN_MM, height), items, style)


def _room(title: Title, market: Market, style: Style) -> Room:
    (wide, tall), (least, lowest) = space_mm(title), least_space_mm(title)
    # The narrowest space holds every price with a mark, and every word in place of one, in the
    # smallest type.
    price, word = style.type("board.price"), style.type("board.word")
    price, word = price.at(price.min_pt), word.at(word.min_pt)
    words_mm = 0.0
    for cell in (cell for row in market.rows for cell in row if cell is not None):
        if not cell.text:
            sign = _SIGN_MM if cell.zones else 0.0
            words_mm = max(words_mm, text_width(f"{cell.price}", price) + sign)
        for part in line_parts(cell.text):
            words_mm = max(words_mm, text_width(part.rstrip(), word))
    words_mm += 2 * INSET_MM
    return Room(
        size_mm=(_MOST_MM[0] - 2 * MARGIN_MM, _MOST_MM[1] - 2 * MARGIN_MM),
        space_mm=(max(wide, words_mm), tall),
        least_mm=(max(least, words_mm), lowest),
    )


def first_space(title: Title, style: Style) -> _Space:
    """The space at the upper left, or where it would be, on the board that `draw_market` draws.
    Raises KeyError when the title has no market."""
    market = title.market
    if market is None:
        raise KeyError("market")
    spaces, (wide, tall) = spaces_of(market, _room(title, market, style))
    down = MARGIN_MM
    if _corner(title, market, spaces, (wide, tall), style) is None:
        down += title_size(title, style.words(card_words("market")), style, wide)[1] + _GAP_MM
    left, top = min(space.x for space in spaces), min(space.y for space in spaces)
    return replace(spaces[0], x=MARGIN_MM + left, y=down + top)


def _corner(
    title: Title,
    market: Market,
    spaces: tuple[_Space, ...],
    size_mm: tuple[float, float],
    style: Style,
) -> Box | None:
    """The roomiest free corner in which title plate and legend fit one above the other, if there is
    any."""
    if market.shape not in (MarketShape.GRID, MarketShape.HEX):
        return None
    wide, tall = size_mm
    corners: list[Box] = []
    for top in sorted({space.y for space in spaces})[1:]:
        reach = max(space.x + space.width for space in spaces if space.y >= top - SLACK_MM)
        x, y = reach + _GAP_MM, top + _GAP_MM
        corner = Box(x, y, wide - reach - _GAP_MM, tall - top - _GAP_MM)
        if corner.width > 40.0:
            corners.append(corner)
    words = style.words(card_words("market"))
    for corner in sorted(corners, key=lambda corner: -min(corner.width, _PLATE_MM) * corner.height):
        width = min(corner.width, _PLATE_MM)
        plate = title_size(title, words, style, width)[1]
        if plate + _GAP_MM + _legend_of(market, style, width).height <= corner.height:
            return corner
    return None


def _legend_of(market: Market, style: Style, width_mm: float, *, columns: int = 1) -> _Legend:
    """The legend, `width_mm` wide: zones first, then movement; in two columns zones stand left of
    movement."""
    zones, moves = _zones(market, style), _moves(market, style)
    if columns > 1 and zones and moves:
        side = (width_mm - _COLUMN_GAP_MM) / 2
        left, right = _stack(zones, style, side), _stack(moves, style, side)
        moved = Group(items=right.items, matrix=translation(left.width + _COLUMN_GAP_MM, 0))
        return _Legend(
            items=(*left.items, moved),
            width=left.width + _COLUMN_GAP_MM + right.width,
            height=max(left.height, right.height),
        )
    return _stack((*zones, *moves), style, width_mm)


def _zones(market: Market, style: Style) -> tuple[_Entry, ...]:
    wide, tall = _SWATCH_MM
    line = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM)
    entries: list[_Entry] = []
    for number, zone in enumerate(market.zones):
        ink = _zone_ink(zone.colour, style)
        swatch = rectangle_path(0.2, -tall / 2, wide, tall)
        sign = [Path(commands=swatch, fill=ink, stroke=line)]
        if len(market.zones) > 1:
            sign.append(zone_mark(number, 0.2 + wide / 2, 0.0, readable_on(ink)))
        entries.append(_Entry(sign=tuple(sign), words=style.words(zone.name)))
    return tuple(entries)


def _moves(market: Market, style: Style) -> tuple[_Entry, ...]:
    """Movements, each after the arrow with which its words begin, or after a diamond."""
    ink, x = style.ink("board.edge"), 0.2 + _SWATCH_MM[0] / 2
    entries: list[_Entry] = []
    for text in market.movement:
        words = style.words(text)
        if words[:1] in ARROWS:
            sign = arrow(x, 0.0, 4.6, ARROWS[words[0]], ink)
            words = words[1:].lstrip()
        else:
            diamond = polygon_path(((x, -0.8), (x + 0.8, 0.0), (x, 0.8), (x - 0.8, 0.0)))
            sign = Path(commands=diamond, fill=ink)
        entries.append(_Entry(sign=(sign,), words=words))
    return tuple(entries)


def _stack(entries: Sequence[_Entry], style: Style, width_mm: float) -> _Legend:
    type_style, ink = style.type("board.legend"), style.ink("board.edge")
    items: list[Item] = []
    y = widest = 0.0
    for entry in entries:
        lines = wrap_within(entry.words, type_style, width_mm - _LEGEND_SIGN_MM)
        widest = max(widest, *(rich_width(line, type_style) for line in lines))
        level = y + _SWATCH_MM[1] / 2
        items.append(Group(items=entry.sign, matrix=translation(0.0, level)))
        base = level + type_style.cap_height_mm / 2
        words = set_lines(lines, type_style, ink, _LEGEND_SIGN_MM, base, leading=NOTE_LEADING)
        tall = _SWATCH_MM[1] + (len(lines) - 1) * NOTE_LEADING * type_style.size_mm + _BETWEEN_MM
        items.append(boxed(words, 0.0, y - _BETWEEN_MM / 2, width_mm, tall))
        y += tall
    return _Legend(
        items=tuple(items), width=_LEGEND_SIGN_MM + widest, height=max(0.0, y - _BETWEEN_MM)
    )


def spaces_of(market: Market, room: Room) -> _Placed:
    """Every space of a market and the size of all together."""
    match market.shape:
        case MarketShape.GRID:
            return _grid(market, room)
        case MarketShape.HEX:
            return _hex(market, room)
    # A line, or the two lines of a zigzag, whose cells lie half a space apart, folded into as few
    # strips of about equal length as the width allows.
    zigzag = market.shape is MarketShape.ZIGZAG
    wide, tall = room.space_mm
    pitch, lines = (wide / 2, 2) if zigzag else (wide, 1)
    cells = [cell for row in market.rows for cell in row]
    most = max(lines, int(room.size_mm[0] // pitch) - (lines - 1))
    per_strip = math.ceil(len(cells) / math.ceil(len(cells) / most))
    step = lines * tall + _STRIP_GAP_MM
    spaces: list[_Space] = []
    for index, cell in enumerate(cells):
        if cell is not None:
            strip, column = divmod(index, per_strip)
            y = strip * step + (tall if zigzag and index % 2 == 0 else 0.0)
            spaces.append(_Space(cell=cell, x=column * pitch, y=y, width=wide, height=tall))
    across = (min(per_strip, len(cells)) + (lines - 1)) * pitch
    return tuple(spaces), (across, math.ceil(len(cells) / per_strip) * step - _STRIP_GAP_MM)


def _grid(market: Market, room: Room) -> _Placed:
    columns = max(len(row) for row in market.rows)
    head = _LETTERS_MM if market.column_letters else 0.0
    wide = _between(room.size_mm[0] / columns, room.least_mm[0], room.space_mm[0])
    # A grid that is too high for a page across even with its lowest spaces takes upright pages side
    # by side, or as many as it needs.
    high = (room.size_mm[1] - head, _UPRIGHT_MM - 2 * MARGIN_MM - head)
    fitting = (mm / len(market.rows) for mm in high if mm / len(market.rows) >= room.least_mm[1])
    tall = _between(next(fitting, room.space_mm[1]), room.least_mm[1], room.space_mm[1])
    spaces = tuple(
        _Space(cell=cell, x=column * wide, y=head + row * tall, width=wide, height=tall)
        for row, cells in enumerate(market.rows)
        for column, cell in enumerate(cells)
        if cell is not None
    )
    return spaces, (columns * wide, head + len(market.rows) * tall)


def _hex(market: Market, room: Room) -> _Placed:
    """A grid whose second, fourth ... rows lie half a space further right."""
    columns = max(map(len, market.rows))
    width, height = room.size_mm
    narrower = replace(room, size_mm=(width * columns / (columns + 0.5), height))
    spaces, (_, tall) = _grid(market, narrower)
    wide, high = spaces[0].width, spaces[0].height
    odd = [wide / 2 if round(space.y / high) % 2 else 0.0 for space in spaces]
    moved = (replace(space, x=space.x + by) for space, by in zip(spaces, odd, strict=True))
    return tuple(moved), ((columns + 0.5) * wide, tall)


def _between(value: float, least: float, most: float) -> float:
    """A length in quarters of a millimetre, at most `value`, within its limits."""
    return max(least, min(most, math.floor(value * 4) / 4))


def _letter_items(market: Market, spaces: Sequence[_Space], style: Style) -> tuple[Item, ...]:
    """A, B, C ... above the columns of a grid, where the market has letters."""
    if not market.column_letters or market.shape is not MarketShape.GRID:
        return ()
    type_style, ink = style.type("board.note").at(_LETTERS_PT), style.ink("board.edge")
    middles = sorted({round(space.x + space.width / 2, 3) for space in spaces})
    base = _LETTERS_MM - 0.75
    items: list[Item] = []
    for number, middle in enumerate(middles):
        letter = column_letter(number)
        items += set_line(letter, type_style, ink, middle, base, anchor=Anchor.MIDDLE)
    return tuple(items)


def column_letter(number: int) -> str:
    """A, B ... Z, AA, AB ... for columns counted from 0."""
    return ("" if number < 26 else column_letter(number // 26 - 1)) + chr(ord("A") + number % 26)


def _zone_ink(colour: str, style: Style) -> Ink:
    """A zone's colour as it is printed: dark enough to recognise, light enough to read a price
    on."""
    ink = tile_ink(colour, style)
    return ink if colour.startswith("#") else mix(ink, style.ink("board.cell"), _TINT)


def _space_items(market: Market, spaces: Sequence[_Space], style: Style) -> tuple[Item, ...]:
    """Grounds, prices and zone marks."""
    inks = {zone.id: _zone_ink(zone.colour, style) for zone in market.zones}
    order = [*inks]
    cell_ink = style.ink("board.cell")
    edge = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM)
    items: list[Item] = []
    for space in spaces:
        zones = [zone for zone in order if zone in space.cell.zones]
        grounds = [inks[zone] for zone in zones] or [cell_ink]
        frame = rectangle_path(space.x, space.y, space.width, space.height)
        items.append(Path(commands=frame, fill=grounds[0], stroke=None if grounds[1:] else edge))
        if grounds[1:]:
            # Slanting bands from the upper left to the lower right: the strip keeps the first
            # colour, bands begin below it, beyond the diagonal from the lower left to the upper
            # right.
            for number, ink in enumerate(grounds[1:]):
                band = _beyond(space, 0.5 * number / (len(grounds) - 1) * 2)
                items.append(Path(commands=band, fill=ink))
            items.append(Path(commands=frame, stroke=edge))
        items.append(strip_line(space.x, space.y, space.width, style))
        signs = [order.index(zone) for zone in zones] if len(order) > 1 else []
        items += _price(space, grounds[0], style)
        items += _marks(space, signs, grounds, style)
    return tuple(items)


def _marks(
    space: _Space, signs: Sequence[int], grounds: Sequence[Ink], style: Style
) -> Iterator[Item]:
    """Marks of zones from the right end of the strip; those that would meet the price stand in a
    row below it."""
    step = MARK_MM + _MARK_GAP_MM
    price = 0.0 if space.cell.text else text_width(f"{space.cell.price}", _price_type(space, style))
    room = space.width - INSET_MM - price - _MARK_IN_MM - MARK_MM / 2
    most = max(1, math.floor(room / step) + 1)
    for index, number in enumerate(reversed(signs)):
        row, column = divmod(index, most)
        ink = readable_on(grounds[0] if row == 0 else grounds[-1])
        x = space.x + space.width - _MARK_IN_MM - column * step
        y = space.y + STRIP_MM / 2 + row * (STRIP_MM / 2 + MARK_MM)
        yield zone_mark(number, x, y, ink)


def _beyond(space: _Space, share: float) -> tuple[Command, ...]:
    """The part of a space below its strip where across + down, each from 0 to 1, is more than 1 +
    `share`."""
    x, y, w, h = space.x, space.y + STRIP_MM, space.width, space.height - STRIP_MM
    return polygon_path(((x + w, y + share * h), (x + w, y + h), (x + share * w, y + h)))


def _price(space: _Space, ground: Ink, style: Style) -> tuple[Item, ...]:
    """The price, or words in place of it, wrapped in the space."""
    cell, ink, left = space.cell, readable_on(ground, dark=style.ink("text")), space.x + INSET_MM
    if not cell.text:
        type_style = _price_type(space, style)
        base = space.y + STRIP_MM / 2 + base_in(f"{cell.price}", type_style, STRIP_MM)
        price = set_line(f"{cell.price}", type_style, ink, left, base)
        return (boxed(price, space.x, space.y, space.width, STRIP_MM),)
    type_style, room = style.type("board.word"), space.width - 2 * INSET_MM
    for word in line_parts(cell.text):
        type_style = fit(word.rstrip(), type_style, room)
    items: list[Item] = []
    for number, line in enumerate(wrap(cell.text, type_style, room)):
        down = INSET_MM + type_style.cap_height_mm + number * type_style.size_mm * 1.15
        items += set_line(line, type_style, ink, left, space.y + down)
    return (boxed(items, space.x, space.y, space.width, space.height),)


def _price_type(space: _Space, style: Style) -> TypeStyle:
    room = space.width - 2 * INSET_MM - (_SIGN_MM if space.cell.zones else 0.0)
    return fit(f"{space.cell.price}", style.type("board.price"), room)


_SIDES = {
    "left": ((0, 0), (0, 1)),
    "right": ((1, 0), (1, 1)),
    "up": ((0, 0), (1, 0)),
    "down": ((0, 1), (1, 1)),
}


def _grid_items(market: Market, spaces: Sequence[_Space], style: Style) -> tuple[Item, ...]:
    """The strong outline of all spaces together, ledges, and arrows from strip to strip of a folded
    market."""
    outline = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM, cap="square")
    ledge = Stroke(ink=style.ink("board.ledge"), width_mm=_LEDGE_MM, cap="square")
    items: list[Item] = []
    commands = tuple(command for a, b in _outline(spaces) for command in (("M", *a), ("L", *b)))
    items.append(Path(commands=commands, stroke=outline))
    for space in spaces:
        for side in space.cell.ledge:
            (ax, ay), (bx, by) = _SIDES[side]
            a = (space.x + ax * space.width, space.y + ay * space.height)
            b = (space.x + bx * space.width, space.y + by * space.height)
            items.append(Path(commands=(("M", *a), ("L", *b)), stroke=ledge))
    if market.shape in (MarketShape.LINE, MarketShape.ZIGZAG):
        items += _turns(market, spaces, style)
    else:
        items += _end_arrows(market, spaces, style)
    for space in spaces:
        # Arrows stand in the lower right corner, the last one outermost.
        x, y = space.x + space.width - _ARROW_IN_MM, space.y + space.height - _ARROW_IN_MM
        for number, way in enumerate(reversed(space.cell.arrows)):
            left = x - number * (_ARROW_MM + 0.5)
            items.append(arrow(left, y, _ARROW_MM, _WAYS[way], style.ink("board.edge")))
    return tuple(items)


def _end_arrows(market: Market, spaces: Sequence[_Space], style: Style) -> list[Item]:
    """A bent arrow in the last space of each row, the way of a marker that would leave the row."""
    corners = {(round(space.x, 3), round(space.y, 3)) for space in spaces}
    items: list[Item] = []
    for end, way in market.ends:
        side, down = (-1 if end == "left" else 1), (1 if way == "down" else -1)
        for top in sorted({space.y for space in spaces}):
            row = [space for space in spaces if space.y == top]
            last = min(row, key=lambda space: side * -space.x)
            if (round(last.x, 3), round(last.y + down * last.height, 3)) not in corners:
                continue
            x = last.x + last.width / 2 + side * (last.width / 2 - _TURN_IN_MM)
            y = last.y + last.height - _TURN_IN_MM - (0.0 if down < 0 else _TURN_MM)
            if end == "right" and last.cell.zones and len(market.zones) > 1:
                y -= MARK_MM + _MARK_GAP_MM  # the marks of its zones stand in that corner
            bend = ((x - side * _TURN_MM, y), (x, y), (x, y + down * _TURN_MM))
            items += bent_arrow(bend, 0.55, 1.9, style.ink("board.edge"))
    return items


def _outline(spaces: Sequence[_Space]) -> list[tuple[Point, Point]]:
    """Sides of spaces, cut at every half space, that belong to one space only."""
    seen: dict[tuple[Point, Point], int] = {}
    for space in spaces:
        half = space.width / 2
        xs = [space.x, space.x + half, space.x + space.width]
        top, low = space.y, space.y + space.height
        sides = [((a, y), (b, y)) for y in (top, low) for a, b in pairwise(xs)]
        sides += [((x, top), (x, low)) for x in (xs[0], xs[-1])]
        for (ax, ay), (bx, by) in sides:
            key = ((round(ax, 3), round(ay, 3)), (round(bx, 3), round(by, 3)))
            seen[key] = seen.get(key, 0) + 1
    return [side for side, count in seen.items() if count == 1]


def _turns(market: Market, spaces: Sequence[_Space], style: Style) -> list[Item]:
    """An arrow below the end of each strip but the last to the next strip. On a zigzag, prices on
    the arrow tell how each of its two lines goes on: a marker that moves right stays in its
    line."""
    zigzag = market.shape is MarketShape.ZIGZAG
    step = spaces[0].height * (2 if zigzag else 1) + _STRIP_GAP_MM
    strips: dict[int, list[_Space]] = {}
    for space in spaces:
        strips.setdefault(math.floor(space.y / step + 1e-6), []).append(space)
    ink = style.ink("board.edge")
    line = Stroke(ink=ink, width_mm=0.2)
    items: list[Item] = []
    for (strip, before), (_, after) in pairwise(sorted(strips.items())):
        right = max(space.x + space.width for space in before)
        y = (strip + 1) * step - _STRIP_GAP_MM / 2
        mark, wide = _going_on(before, after, step, style) if zigzag else ((), 0.0)
        left = (right - wide) / 2
        items.append(arrow(right - 3.0, y, 3.6, 180.0, ink))
        ends = [(5.0, left), (left + wide, right - 5.4)] if mark else [(5.0, right - 5.4)]
        for start, end in ends:
            items.append(Path(commands=(("M", start, y), ("L", end, y)), stroke=line))
        if mark:
            items.append(Group(items=mark, matrix=translation(left, y)))
        items.append(arrow(2.6, y, 3.6, 90.0, ink))
    return items


def _going_on(
    before: Sequence[_Space], after: Sequence[_Space], step: float, style: Style
) -> tuple[tuple[Item, ...], float]:
    """Ends and continuations of the lines of a zigzag, as `126 → 138`, in the order in which they
    break off: from x = 0 about y = 0, and how wide that is in mm."""
    type_style, ink = style.type("board.price"), style.ink("board.edge")
    base = type_style.cap_height_mm / 2
    last = {round(space.y % step, 2): space for space in sorted(before, key=lambda space: space.x)}
    first = {round(space.y % step, 2): space for space in sorted(after, key=lambda space: -space.x)}
    items: list[Item] = []
    x = _GOES_ON_MM
    for line in sorted(last.keys() & first.keys(), key=lambda line: last[line].x):
        cells = (last[line].cell, first[line].cell)
        here, there = (f"{cell.text or cell.price}" for cell in cells)
        items += set_line(here, type_style, ink, x, base)
        x += text_width(here, type_style) + _ARROW_MM
        items.append(arrow(x, 0.0, _ARROW_MM, 0.0, ink))
        x += _ARROW_MM
        items += set_line(there, type_style, ink, x, base)
        x += text_width(there, type_style) + _GOES_ON_MM
    return tuple(items), x


# The par chart: a row of slots for the tokens of companies beside each start price.


_PRICE_MM = 22.0
# Air round each token.
_ROUND_MM = 1.2
# Height of rows before a second column begins.
_HIGHEST_MM = 150.0


def draw_par_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The chart as large as its prices and places need. Raises KeyError when the title has none."""
    chart = title.pieces.par_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(card_words("par_chart"))
    # The prices of the chart, else the start prices of the market, the highest first.
    stated = chart.prices or (title.market.par_prices if title.market is not None else ())
    prices = sorted(stated, reverse=True)
    side = token_mm(title) + 2 * _ROUND_MM
    wide, rows = _PRICE_MM + chart.places * side, max(1, int(_HIGHEST_MM // side))
    columns = math.ceil(len(prices) / rows)
    rows = math.ceil(len(prices) / columns)
    inner = columns * wide + (columns - 1) * _GAP_MM
    inner = max(inner, title_size(title, words, style, 1000.0)[0])
    plate, down = title_plate(title, words, style, inner)
    down += _GAP_MM
    left = MARGIN_MM + (inner - columns * wide - (columns - 1) * _GAP_MM) / 2
    items: list[Item] = [*plate]
    for number, price in enumerate(prices):
        column, row = divmod(number, rows)
        at = translation(left + column * (wide + _GAP_MM), down + row * side)
        drawn = tuple(_row(title.money(price), chart.places, side, style))
        items.append(Group(items=drawn, matrix=at))
    size = (inner + 2 * MARGIN_MM, down + rows * side + MARGIN_MM)
    return board_scene(f"par-chart:{piece_id}", words, size, items, style)


def _row(price: str, slots: int, side: float, style: Style) -> Iterator[Item]:
    ink, middle = style.ink("board.edge"), side / 2
    width = _PRICE_MM + slots * side
    edge = Stroke(ink=ink, width_mm=EDGE_MM)
    yield Path(commands=rectangle_path(0, 0, width, side), fill=style.ink("board.cell"))
    yield Path(commands=rectangle_path(0, 0, _PRICE_MM, side), fill=style.ink("board.fifty"))
    yield Path(commands=rectangle_path(0, 0, width, side), stroke=edge)
    figures = fit(price, style.type("board.price"), _PRICE_MM - 3.0)
    words = set_centred(price, figures, ink, _PRICE_MM / 2, middle)
    yield boxed(words, 0.0, 0.0, _PRICE_MM, side)
    ring = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM, dash=(1.1, 0.8))
    for slot in range(slots):
        x = _PRICE_MM + (slot + 0.5) * side
        yield Circle(cx=x, cy=middle, r=middle - _ROUND_MM, stroke=ring)
