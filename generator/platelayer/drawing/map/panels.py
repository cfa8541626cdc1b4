"""Panels beside a map: cartouche, legend, tables of bonuses, spaces for cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from platelayer.drawing.company.roundel import destination_items, roundel_items, with_roundels
from platelayer.drawing.hex.captions import chip_block, revenue_table
from platelayer.drawing.hex.plan import plan_hex, stop_ground_items, stop_items, track_items
from platelayer.drawing.hex.terrain import terrain_items
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    box_block,
    disc,
    in_row,
    leaded,
    line_block,
    rule_block,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import LEAD, balanced, listed
from platelayer.drawing.kit.ornament import (
    plate_path,
    run_items,
    sign_items,
    tapering_rule,
    wheel,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Entry as InColumn
from platelayer.drawing.kit.tables import balance
from platelayer.drawing.map.borders import (
    COURSES,
    Term,
    border_line,
    border_manners,
    border_term,
    coloured,
)
from platelayer.drawing.map.ground import coast_sign, state_edges, wash_sign, zones
from platelayer.drawing.map.marks import aiming, held_line, holders, stub_sign
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import fords, river_sign
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import CardPlaces, GameMap, Layout, MapHex
from platelayer.model.kinds import piece_size
from platelayer.model.tile import (
    CENTRE,
    Gauge,
    Label,
    RevenueStep,
    Segment,
    StopKind,
    Tile,
    edge_end,
)
from platelayer.model.title import RevenueBonus, Title
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    IDENTITY,
    Anchor,
    Circle,
    Group,
    Item,
    Items,
    Path,
    Role,
    Stroke,
    polygon_path,
    rectangle_path,
    shifted,
)
from platelayer.scene.typeset import TypeStyle, fit, set_centred, set_line, text_width, wrap

map_words = FixedWords("map")

# Padding of a plate: around tables and the legend, and around names and places for cards.
_PAD_MM, _WIDE_PAD_MM = 6.5, 7.0
# Depth of the corners that are cut out of a plate.
_BITE = 4.2
# Distance from the edge of a grand plate to the middle of its border, and half the height of that
# border.
_BORDER_MM, _BORDER_HALF_MM = 1.95, 0.72

_NOTE_LEADING = 1.18

# Places for cards: distance between two, and margin around a card.
_PLACES_GAP_MM, _SPARE_MM = 4.0, 2.0


def plate_items(width_mm: float, height_mm: float, style: Style, *, grand: bool = False) -> Items:
    """Draw a plate in the shape of the motif: paper, a strong line, fine lines within and, if
    `grand`, the motif's border."""
    ink, motif = style.ink("map.frame.line"), style.motif

    def line(inset: float, width: float, fill: Ink | None = None) -> Path:
        commands = plate_path(motif, (0, 0, width_mm, height_mm), _BITE, inset=inset)
        return Path(commands, fill=fill, stroke=Stroke(ink, width))

    edge = line(0, 0.7, style.ink("map.plate"))
    if not grand or motif is None or motif.run is None:
        return (edge, line(1.3, 0.16), line(2.0, 0.32))
    at = _BORDER_MM
    box = (at, at, width_mm - 2 * at, height_mm - 2 * at)
    corner = (_BITE + 1.0 - at) / _BORDER_HALF_MM
    border = run_items(motif, box, half=_BORDER_HALF_MM, ink=style.ink("map.title"), corner=corner)
    return (edge, line(0.95, 0.16), *border, line(2 * at - 0.95, 0.32))


def plated(block: Block, pad_mm: float, style: Style, *, grand: bool = False) -> Block:
    """Return a block on a plate, `pad_mm` from its edges."""
    width, height = block.width + 2 * pad_mm, block.height + 2 * pad_mm

    def paint(x: float, y: float) -> Items:
        plate = plate_items(width, height, style, grand=grand)
        return (shifted((*plate, *block.paint(pad_mm, pad_mm)), x, y),)

    return Block(width, height, paint)


def plate_lines(
    text: str, type_style: TypeStyle, ink: Ink, width_mm: float, *, leading: float = 1.12
) -> Block:
    """Set words centred within a width on as many lines as needed, with the last baseline at the
    foot of the block."""
    lines = wrap(text, type_style, width_mm)
    rise = leaded(leading)
    return stacked(*(line_block(line, type_style, ink, width_mm, rise=rise) for line in lines))


def cartouche(title: Title, gamemap: GameMap | Title, width_mm: float, style: Style) -> Block:
    """Draw the cartouche of a map, or of a title without maps, at one width; its height depends on
    its words."""
    inner, ink = width_mm - 2 * _WIDE_PAD_MM, style.ink("text")
    name = name_block(style.words(title.name), "map.title", style, inner)
    parts: list[Part] = [1, name, divider(inner, style), 2.6]
    # Texts below the name, each with its type style and the space before it in mm.
    subtitle = title.subtitle or gamemap.name
    texts = [] if subtitle == title.name else [(subtitle, "map.subtitle", 0.0)]
    several = len(title.maps) > 1 or title.variant is not None
    if several and title.subtitle is not None and title.subtitle != gamemap.name:
        texts.append((gamemap.name, "map.board", 0.8))
    for number, credit in enumerate(title.credits):
        texts.append((credit, "map.credits", 0.0 if number else 1.2))
    texts.append((map_words("prototype"), "map.notice", 1.6))
    for text, kind, gap in texts:
        parts += (gap, plate_lines(style.words(text), style.type(kind), ink, inner))
    words = stacked(*parts, -0.6)
    return plated(words.sized(inner, words.height), _WIDE_PAD_MM, style, grand=True)


def name_block(words: str, kind: str, style: Style, width_mm: float) -> Block:
    """Set the name of a plate on one line, or two if it is long, with the space above its
    divider."""
    lines: tuple[str, ...] = (words,)
    usual = style.type(kind)
    fitted = fit(words, usual, width_mm)
    # A name on one line may be relatively small before it is broken.
    if fitted.size_pt < 0.3 * usual.size_pt or text_width(words, fitted) > width_mm:
        fitted, lines = balanced(words, usual, width_mm, 2, several=0.8, clip=True)
    name = text_block(lines, fitted, style.ink("map.title"), leading=1.04)
    return stacked(name, max(5.2, name.tails + 3.0))


def divider(width_mm: float, style: Style) -> Block:
    """Draw the sign of the motif, or a wheel if it has none, between two tapering horizontal
    rules."""
    ink, motif = style.ink("map.title"), style.motif
    radius = 2.3
    reach = min(width_mm / 2 - radius - 1, 26.0)

    def paint(x: float, y: float) -> Items:
        sign = sign_items(motif, x, y, radius * 0.8, ink) if motif else wheel(x, y, radius, ink, 10)
        rules = (
            tapering_rule(x + side * (radius + 0.9), y, reach, ink, 0.22, towards=side, motif=motif)
            for side in (-1, 1)
        )
        return (*sign, *chain.from_iterable(rules))

    return Block(0, 0, paint)


def _heading(words: str, style: Style) -> Block:
    """Set the heading of a table or legend, with the space above it."""
    heading = text_block(words, style.type("map.legend.heading"), style.ink("map.title"))
    return stacked(0.6, heading)


def _note(text: str, type_style: TypeStyle, ink: Ink, width: float) -> Block:
    """Set words flush left, with the last baseline at the foot of the block."""
    lines, start = wrap(text, type_style, width), Anchor.START
    rise = leaded(_NOTE_LEADING)
    return text_block(lines, type_style, ink, width, leading=_NOTE_LEADING, align=start, rise=rise)


def bonus_panel(title: Title, bonus: RevenueBonus, style: Style) -> Block:
    """Draw one bonus: a row for each phase or colour in its own ink, a column for each count, and
    the note."""
    cell, note = style.type("map.legend.strong"), style.type("map.legend.note")
    ink, white, line = style.ink("text"), style.ink("white"), style.stroke("map.offboard.rim")
    count = max(len(row.amounts) for row in bonus.rows)
    widths = (15.0, *[11.0] * count)
    heads = [3.8] if count > 1 else []
    heights = (*heads, *[6.0] * len(bonus.rows))
    colours = map_words.table("colours")

    def draw(box: Box) -> Iterator[Item]:
        grid = box.grid(widths, heights)
        for number in range(count if heads else 0):
            head = grid[number + 1, 0].rows(3.2)[0]
            yield head.words(str(number + 1), note, ink)
        for number, row in enumerate(bonus.rows, start=len(heads)):
            ground = style.theme.inks.get(f"tile.{row.head}") or white
            on = readable_on(ground, ink, white)
            word = style.words(colours[row.head]) if row.head in colours else row.head
            yield grid[:, number].plate(ground, line)
            yield grid[0, number].words(word, note, on)
            for column, amount in enumerate(row.amounts, start=1):
                yield grid[column, number].words(title.money(amount), cell, on)

    heading = _heading(style.words(bonus.name), style)
    table = box_block(math.fsum(widths), math.fsum(heights), draw)
    parts: list[Part] = [heading, 2.4, table]
    if bonus.note is not None:
        width = max(heading.width, table.width)
        parts += (1.2, _note(style.words(bonus.note), note, ink, width))
    return plated(stacked(*parts, -0.5), _PAD_MM, style)


def places_panels(title: Title, places: CardPlaces, style: Style) -> tuple[Block, ...]:
    """Return the plate with the spaces for cards side by side, then in other arrangements down to a
    single column. Each space is a little larger than a train card."""
    count = len(places.spaces)
    columns = [number for number in range(count, 0, -1) if count % number == 0]
    return tuple(_places_panel(title, places, number, style) for number in columns)


def _places_panel(title: Title, places: CardPlaces, columns: int, style: Style) -> Block:
    size, ink = piece_size(title, "train"), style.ink("text")
    wide, tall = size.width_mm + _SPARE_MM, size.height_mm + _SPARE_MM
    rows = -(-len(places.spaces) // columns)
    width, height = columns * (wide + _PLACES_GAP_MM), rows * (tall + _PLACES_GAP_MM)
    width, height = width - _PLACES_GAP_MM, height - _PLACES_GAP_MM
    edge = Stroke(style.ink("map.frame.line"), 0.3, dash=(1.6, 1.1))

    def draw(box: Box) -> Iterator[Item]:
        boxes = box.cells(columns, rows, _PLACES_GAP_MM)
        for place, space in zip(boxes, places.spaces, strict=False):
            type_style, words = balanced(
                style.words(space), style.type("map.places"), wide - 8.0, 3
            )
            yield place.plate(style.ink("white"), edge, radius=2.4)
            yield place.centred(text_block(words, type_style, ink, leading=1.24))

    parts: list[Part] = [_heading(style.words(places.name), style)]
    if places.note is not None:
        note = style.type("map.legend")
        lines = wrap(style.words(places.note), note, width)
        parts += (1.2, text_block(lines, note, ink, leading=1.2, rise=leaded(1)))
    block = stacked(*parts, 3.2, box_block(width, height, draw))
    return plated(block.sized(width, block.height), _WIDE_PAD_MM, style)


# The legend.

# Width of the column of signs.
SIGN_MM = 15.0
# Padding of signs that are taller than their words; maximum distance by which the rows of a shorter
# column are spread; distance between columns.
_AIR_MM, _SPREAD_MM, _GAP_MM = 1.2, 1.5, 6.0
# Groups stay together if a column becomes at most this many times as high as without them.
_TALL = 1.4
# Width of the key of off-board values, and sizes of its figures.
_KEY_MM, _KEY_PT = SIGN_MM - 0.6, (8.5, 7.75, MIN_PLAY_PT)
_MOST_LETTERS = 5
# Length of the line of a border, and maximum number of colours in it.
_LINE_MM, _MOST_LINES = 11.0, 4
# Sizes of hexes at which track, boomtowns and passes have the size of a sign.
_SIGN_HEX_MM, _STOP_HEX_MM, _PASS_HEX_MM = 38.1, 27.0, 17.0
_EXPLAINED_GAUGES = (Gauge.THIN, Gauge.FERRY, Gauge.FUTURE, Gauge.LINE)
# An edge from which track runs straight up, or straight across; and the matrix that turns it
# across.
_ACROSS = {Layout.FLAT: 0, Layout.POINTY: 1}
_UPRIGHT = {Layout.FLAT: (0, 1, -1, 0, 0, 0), Layout.POINTY: IDENTITY}


class _View(Frozen):
    """Everything from which the entries of a legend are computed."""

    title: Title
    plan: MapPlan
    style: Style

    def words(self, key: str, *parts: str) -> str:
        """Return fixed words for maps."""
        return self.style.words(map_words(key), *parts)

    def name(self, table: str, key: str) -> str:
        """Return the name of a kind in a table of fixed words, otherwise its key in readable
        form."""
        names = map_words.table(table)
        if key in names:
            return self.style.words(names[key])
        return key.replace("-", " ").capitalize()

    @property
    def hexes(self) -> tuple[MapHex, ...]:
        return self.plan.gamemap.hexes

    def slot(self, radius_mm: float) -> Circle:
        """Return an empty slot by itself."""
        fill, stroke = self.style.ink("slot"), self.style.stroke("slot")
        return disc((0, 0), radius_mm, fill, stroke, role=Role.SLOT)


class Entry(Frozen):
    """A sign, centred on (0, 0), and its meaning; a note without a sign runs below all columns.
    Entries of one `group` (1 and up) stay together in a column if possible."""

    sign: Items
    words: str
    height_mm: float = 7.0
    group: int = 0


def legend(
    entries: Sequence[Entry],
    style: Style,
    *,
    columns: int,
    text_mm: float,
    notes: Sequence[Text] = (),
    across_mm: float,
) -> Block:
    """Draw the legend of a map whose hexes are `across_mm` from flat to flat, with the title's own
    notes, in columns whose words are at most `text_mm` wide. The height depends on the words."""
    type_style, ink = style.type("map.legend"), style.ink("text")
    rows = []
    for entry in entries:
        lines = wrap(entry.words, type_style, text_mm)
        text = text_block(lines, type_style, ink, text_mm, leading=1.2, align=Anchor.START)
        tall = max(entry.height_mm + 1.4, len(lines) * type_style.size_mm * 1.2 + 1.6, 5.2)
        sign = shape_block(entry.sign, SIGN_MM - 2.0, tall)
        rows.append((in_row(sign, 2.0, text), entry.group))
    parted = _columns(rows, columns)
    heights = [math.fsum(block.height for block in column) for column in parted]
    lowest = max(heights, default=0)
    stacks = []
    for column, height in zip(parted, heights, strict=True):
        # Align the ends of columns, unless that leaves gaps.
        spread = (lowest - height) / max(1, len(column) - 1)
        stacks.append(stacked(*column, gap=min(spread, _SPREAD_MM)))
    width = columns * (SIGN_MM + text_mm) + (columns - 1) * _GAP_MM
    body = in_row(*stacks, gap=_GAP_MM, level=0)
    rule = rule_block(width, Stroke(style.ink("map.frame.line"), 0.16))
    parts: list[Part] = [
        _heading(style.words(map_words("legend")), style),
        3.0,
        Block(width, lowest, body.paint),
        1.5,
    ]
    if notes:
        own = [style.words(text) for text in notes]
        parts += (rule, 1.2, _notes(own, width, min(2, columns), style), 2.2)
    return plated(stacked(*parts, rule, 2.4, _scale(across_mm, width, style), -1.5), _PAD_MM, style)


def _columns(rows: Sequence[tuple[Block, int]], count: int) -> list[list[Block]]:
    """Return rows in order, each given with its group, broken into columns so that the tallest is
    as low as possible."""
    total = math.fsum(block.height for block, _ in rows)
    entries = []
    for number, (block, group) in enumerate(rows):
        whole = math.fsum(other.height for other, shared in rows if shared == group)
        goes_on = bool(group) and (group in [shared for _, shared in rows[number + 1 :]])
        entries.append(InColumn.of(block, keep=goes_on and whole <= _TALL * total / count))
    return [[block for block, _ in column] for column in balance(entries, count, total) or ()]


def _notes(notes: Sequence[str], width: float, count: int, style: Style) -> Block:
    """Set the title's own lines in `count` columns."""
    type_style, ink = style.type("map.legend.note"), style.ink("text")
    column_mm = (width - (count - 1) * _GAP_MM) / count
    blocks = [
        InColumn.of(stacked(_note(note, type_style, ink, column_mm), type_style.size_mm * 0.45))
        for note in notes
    ]
    whole = math.fsum(block.height for block in blocks)
    columns = balance(blocks, count, whole) or ()
    stacks = (stacked(*(block for block, _ in column)) for column in columns)
    body = in_row(*stacks, gap=_GAP_MM, level=0)
    return Block(width, body.height, body.paint)


def _scale(across_mm: float, width: float, style: Style) -> Block:
    """Draw a bar of 50 mm in alternate colours, with the size of a hex."""
    type_style, ink = style.type("map.legend.note"), style.ink("text")
    unit = text_width(" mm", type_style) + text_width("50", type_style) / 2
    steps = max(1, min(5, math.floor((width - unit) / 10)))
    note = line_block(style.words(map_words("across"), f"{across_mm:g}"), type_style, ink, width)
    below = width < 10 * steps + 8.0 + note.width
    down = 1.3 * type_style.size_mm if below else 0
    base = 1.5 + type_style.cap_height_mm + 0.7

    def draw(box: Box) -> Iterator[Item]:
        bar = box.rows(1.3)[0]
        for number, part in enumerate(bar.columns(*[10] * steps)):
            fill = style.ink("white" if number % 2 else "map.frame.line")
            yield part.plate(fill, style.stroke("map.frame.fine"))
        for number in range(steps + 1):
            mark = str(10 * number)
            left = box.x + 10 * number - (text_width(mark, type_style) / 2 if number else 0)
            words = f"{mark} mm" if number == steps else mark
            yield from set_line(words, type_style, ink, left, box.y + base)
        foot = box.y + base + down if below else bar.foot
        left = box.x if below else box.right - note.width
        yield from note.paint(left, foot - note.height)

    return box_block(width, base + down + 0.6, draw)


def legend_entries(title: Title, plan: MapPlan, style: Style) -> tuple[Entry, ...]:
    """Return everything that the legend explains, in order."""
    view = _View(title, plan, style)
    return tuple(
        replace(entry, group=_GROUPED.index(source) + 1 if source in _GROUPED else 0)
        for source in _SOURCES
        for entry in source(view)
    )


def _stops(view: _View) -> Iterator[Entry]:
    """Yield cities with a free slot, and towns."""
    style = view.style
    stops = [stop for hexagon in view.hexes for stop in hexagon.tile.stops if not stop.hidden]
    if any(stop.kind is StopKind.CITY for stop in stops):
        yield Entry((view.slot(2.9),), view.words("city"), 6.0)
    if any(stop.kind is StopKind.TOWN and not stop.boom for stop in stops):
        dot = disc((0, 0), 1.7, style.ink("black"), role=Role.SLOT)
        yield Entry((dot,), view.words("town"), 5.0)
    boomtowns = [stop for stop in stops if stop.boom and stop.kind is StopKind.TOWN]
    halts = [stop for stop in stops if stop.kind is StopKind.HALT]
    for name, of_kind in (("boomtown", boomtowns), ("halt", halts)):
        if of_kind:
            alone = replace(of_kind[0], at=CENTRE)
            across = _STOP_HEX_MM if alone.boom else _SIGN_HEX_MM
            tile = Tile(id="", colour="white", stops=(alone,))
            (mark,) = plan_hex(tile, view.plan.layout, across).marks
            assert mark is not None
            yield Entry(stop_items(alone, mark, across, style), view.words(name), 7.4)


def _track(view: _View) -> Iterator[Entry]:
    """Yield track of unusual gauges."""
    layout, edge = view.plan.layout, _ACROSS[view.plan.layout]
    gauges = {segment.gauge for hexagon in view.hexes for segment in hexagon.tile.track}
    for gauge in _EXPLAINED_GAUGES:
        if gauge in gauges:
            segment = Segment(a=edge_end(edge), b=edge_end(edge + 3), gauge=gauge)
            tile = Tile(id="", colour="white", track=(segment,))
            plan = plan_hex(tile, layout, _SIGN_HEX_MM)
            items = track_items(tile, plan, _SIGN_HEX_MM, view.style)
            level = Group(items, matrix=_UPRIGHT[layout])
            piece = Group((level,), clip=rectangle_path(-6.0, -3.0, 12.0, 6.0))
            yield Entry((piece,), view.name("track", gauge.value), 4.4)


def _passes(view: _View) -> Iterator[Entry]:
    """Yield a pass of each size."""
    style = view.style
    stops = (stop for hexagon in view.hexes for stop in hexagon.tile.stops)
    passes = {stop.size: stop for stop in stops if stop.kind is StopKind.PASS}
    name = view.name("terrain", "pass")
    for size in sorted(passes, key=lambda size: size or 0):
        stop = replace(passes[size], at=None)
        tile = Tile(id="", colour="white", stops=(stop,))
        (mark,) = plan_hex(tile, view.plan.layout, _PASS_HEX_MM).marks
        if mark is not None:
            text = pass_name(name, size, style) if len(passes) > 1 else name
            items = (
                *stop_ground_items(stop, mark, style),
                *stop_items(stop, mark, _PASS_HEX_MM, style),
            )
            ends = [edge for _, y, radius in mark.bulk for edge in (y - radius, y + radius)]
            ends += [y for _, y in mark.rock or ()]
            sign = shifted(items, 0, -(min(ends) + max(ends)) / 2)
            yield Entry((sign,), text, max(ends) - min(ends) + _AIR_MM)


def pass_name(passes: str, size: int | None, style: Style) -> str:
    """Return the name of passes of a size: their own name, otherwise the general one with the
    size."""
    own = map_words.table("passes").get(str(size))
    if own is not None:
        return style.words(own)
    return style.words(map_words("pass_size"), passes, size)


def _homes(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    companies = with_roundels(view.title)
    for company in companies.values():
        if company.stations and any(home.hex in plan.gamemap.by_id for home in company.homes):
            sign = (view.slot(3.6), *roundel_items(company, 5.0, style))
            yield Entry(sign, view.words("home"), 7.4)
            break
    held = [company for hexagon in view.hexes for company in holders(view.title, hexagon)]
    if held:
        scale = 9.4 / plan.across_mm
        outline = polygon_path([(x * scale, y * scale) for x, y in plan.corners])
        ground, rim = style.ink("tile.white"), style.stroke("map.hexrim")
        hexagon = Path(outline, fill=ground, stroke=rim)
        line = held_line((0, 0), plan, style, scale)
        badge = roundel_items(companies[held[0].ref], 4.6, style)
        yield Entry((hexagon, line, *badge), view.words("reserved"), 9.4)


def _destinations(view: _View) -> Iterator[Entry]:
    aims = aiming(with_roundels(view.title).values())
    aimed = [company for hexagon in view.hexes for company in aims.get(hexagon.id, ())]
    if aimed:
        sign = destination_items(aimed[0], 6.0, view.style)
        yield Entry(sign, view.words("destination"), 6.4)


def _terrain(view: _View) -> Iterator[Entry]:
    """Yield kinds of terrain with a cost, each with all its prices; kinds that are shown only by a
    river have a river as their sign."""
    style = view.style
    prices: dict[tuple[str, ...], set[int]] = {}
    pictured = set()
    for hexagon in view.hexes:
        for terrain in hexagon.tile.terrain:
            if terrain.cost and terrain.kinds:
                prices.setdefault(terrain.kinds, set()).add(terrain.cost)
                if terrain not in fords(view.plan.gamemap, hexagon):
                    pictured.add(terrain.kinds)
    for kinds, costs in prices.items():
        width = 12.0 / len(kinds)
        sign = []
        for number, kind in enumerate(kinds):
            symbol = terrain_items(kind, width * 0.95, style)
            sign.append(shifted(symbol, (number - (len(kinds) - 1) / 2) * width, 0))
        name = " / ".join(view.name("terrain", kind) for kind in kinds)
        price = listed([view.title.money(cost) for cost in sorted(costs)], style)
        items = tuple(sign) if kinds in pictured else river_sign(style)
        yield Entry(items, style.words(LEAD, name, price), 6.2)


def _offboard(view: _View) -> Iterator[Entry]:
    """Yield keys of off-board values in the order of the game, each with the phase from which it
    counts."""
    title, style = view.title, view.style
    keys: dict[str, int] = {}
    plain: tuple[RevenueStep, ...] = ()
    for hexagon in view.hexes:
        for stop in hexagon.tile.stops:
            if hexagon.tile.colour == "red" or stop.kind is StopKind.OFFBOARD:
                plain = stop.revenue or plain
                for step in stop.revenue:
                    if step.since is not None:
                        keys.setdefault(step.since, step.value)
    if keys:
        names = [view.name("colours", key) for key in keys]
        parts = []
        for key, name in zip(keys, names, strict=True):
            # The first phase that states the key, or that introduces tiles of that colour;
            # otherwise the key itself may be a phase.
            named = [phase.id for phase in title.phases if phase.revenue == key]
            named += [phase.id for phase in title.phases if key in phase.tiles]
            named += [key] if key in title.phase_by_id else []
            parts += [view.words("from_phase", name, named[0])] if named else []
        if len(parts) < len(names) > 1:  # only the order of the steps is known
            parts = [view.words("in_turn", names[0], listed(names[1:], style))]
        words = view.words("offboard", listed(parts or names, style))
        steps = tuple(RevenueStep(value, key) for key, value in keys.items())
    elif plain:
        words, steps = view.words("offboard_plain"), plain[:1]
    else:
        return
    # Values are in one row if that fits into a sign, otherwise in as many full rows as needed.
    for size_pt in _KEY_PT:
        items, width, height = revenue_table(steps, style, max_width_mm=1e6, size_pt=size_pt)
        if width <= _KEY_MM:
            break
    else:
        items, _, height = revenue_table(steps, style, max_width_mm=_KEY_MM, size_pt=_KEY_PT[0])
    yield Entry(items, words, max(7.0, height + _AIR_MM))


def _icons(view: _View) -> Iterator[Entry]:
    """Yield icons by name, as the hexes show them, except those that consist only of their own
    words."""
    style, names = view.style, map_words.table("icons")
    icons = (icon for hexagon in view.hexes for icon in hexagon.tile.icons)
    for name in dict.fromkeys(icon.name for icon in icons if not icon.text or icon.name in names):
        own = style.pictures.get(name)
        words = own.name if own and own.name else names.get(name)
        # A picture without a name has the id of its file, which tells players nothing.
        if words is not None:
            sign = icon_block(name, "", 6.4, style, style.type("tile.cost")).items
            yield Entry(sign, style.words(words), 6.6)


def _labels(view: _View) -> Iterator[Entry]:
    style = view.style
    labels = [label for hexagon in view.hexes for label in hexagon.tile.labels]
    letters = {label.text for label in labels if label.since is None}
    if letters:
        type_style = style.type("tile.label")
        shown = sorted(letters, key=lambda text: (len(text), text))[:_MOST_LETTERS]
        # Reduce the size of the letters first, then their number.
        while text_width("  ".join(shown), type_style) > SIGN_MM - 2.5:
            if type_style.size_pt > 7:
                type_style = type_style.at(type_style.size_pt - 0.5)
            elif len(shown) > 1:
                shown.pop()
            else:
                break
        sign = set_centred("  ".join(shown), type_style, style.ink("text"), 0, 0)
        yield Entry(tuple(sign), view.words("label"), 5.4)
    later: dict[str, Label] = {}
    for label in labels:
        if label.since is not None:
            later.setdefault(label.since, label)
    for colour, label in later.items():
        words = view.words("label_from", view.name("colours", colour))
        yield Entry(chip_block(label, style).items, words, 5.4)


def _borders(view: _View) -> Iterator[Entry]:
    """Yield borders by kind in the order of the map; those that always hold come before those
    limited to phases. Colours without names of their own share an entry."""
    style, phases, borders = view.style, view.title.phases, view.plan.borders
    manners = border_manners(view.plan, phases)
    order = [*dict.fromkeys(border.kind for _, border in borders)]
    named: dict[Term, dict[str | None, Text | None]] = {}
    for _, border in borders:
        names = named.setdefault((border.kind, border_term(border, phases)), {})
        names[border.colour] = names.get(border.colour) or border.name

    def rank(span: Term) -> tuple[int, bool, int]:
        manner = manners[span]
        return order.index(span[0]), manner is not None, manner or 0

    for kind, term in sorted(manners, key=rank):
        course = COURSES.get(kind)
        manner, later = manners[kind, term], term.endswith("+")
        sharing: dict[Text | None, list[str | None]] = {}
        for colour, name in named[kind, term].items():
            sharing.setdefault(name, []).append(colour)
        for name, colours in sharing.items():
            text = view.name("borders", kind) if name is None else style.words(name)
            if term:
                text = view.words("in_phases", text, term)
            shown = colours[:_MOST_LINES]
            width = _LINE_MM / len(shown)
            sign: list[Item] = []
            for number, colour in enumerate(shown):
                left = number * width - _LINE_MM / 2
                ends = (left, 0.0), (left + width, 0.0)
                line = course(*ends) if course else polygon_path(ends, closed=False)
                painted = coloured(style, kind, colour)
                sign += border_line(kind, line, painted, later=later, manner=manner)
            yield Entry(tuple(sign), text, 4.0)


def _landscape(view: _View) -> Iterator[Entry]:
    """Yield entries without effect on play: rivers that cost nothing to cross, coasts, and lines
    between regions."""
    plan, style = view.plan, view.style
    if plan.gamemap.rivers and not any(fords(plan.gamemap, hexagon) for hexagon in view.hexes):
        yield Entry(river_sign(style), view.words("river"), 4.0)
    if plan.gamemap.seas:
        yield Entry(coast_sign(style), view.words("coast"), 4.4)
    if state_edges(plan):
        line = polygon_path(((-5.5, 0), (5.5, 0)), closed=False)
        sign = Path(line, stroke=style.stroke("map.state"))
        yield Entry((sign,), view.words("state"), 4.0)


def _stubs(view: _View) -> Iterator[Entry]:
    if any(hexagon.stubs for hexagon in view.hexes):
        sign = stub_sign(((-2.8, 0), (2.8, 0)), view.plan.across_mm, view.style)
        yield Entry(sign, view.words("stub"), 4.0)


def _zones(view: _View) -> Iterator[Entry]:
    names = dict(view.plan.gamemap.zone_names)
    # A zone with only coloured hexes has no wash.
    washed = {hexagon.zone for hexagon in view.hexes if hexagon.tile.colour == "white"}
    for number, zone in enumerate(zones(view.plan)):
        if zone in washed:
            name = view.style.words(names[zone]) if zone in names else zone
            yield Entry(wash_sign(number, view.plan, 5.2, view.style), name, 6.4)


_SOURCES: tuple[Callable[[_View], Iterator[Entry]], ...] = (
    _stops,
    _passes,
    _track,
    _homes,
    _destinations,
    _labels,
    _icons,
    _terrain,
    _offboard,
    _borders,
    _landscape,
    _stubs,
    _zones,
)

# Entries that stay together in a column.
_GROUPED = (_borders, _zones)
