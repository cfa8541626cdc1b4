"""Panels beside a map: cartouche, legend, tables of bonuses, places for cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.roundel import destination_items, roundel_items, with_roundels
from platelayer.drawing.hex.captions import chip_block, revenue_table
from platelayer.drawing.hex.plan import plan_hex, stop_ground_items, stop_items, track_items
from platelayer.drawing.hex.terrain import terrain_items
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.lettering import balanced, ink_height, line_step, one_line
from platelayer.drawing.kit.ornament import (
    plate_path,
    run_items,
    sign_items,
    tapering_rule,
    wheel,
)
from platelayer.drawing.kit.rich_text import LEAD, listed, set_lines
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import (
    COURSES,
    border_line,
    border_manners,
    border_term,
    coloured,
)
from platelayer.drawing.map.ground import state_edges, wash_sign, zones
from platelayer.drawing.map.marks import aiming, held_line, holders, stub_sign
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import fords, river_sign
from platelayer.drawing.map.shore import coast_sign
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import CardPlaces, GameMap
from platelayer.model.hexes import Layout
from platelayer.model.kinds import piece_size
from platelayer.model.tile import (
    CENTRE,
    Gauge,
    RevenueStep,
    Segment,
    Stop,
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
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, set_centred, set_line, text_width, wrap

# Engraved plates beside a map: its name and credits, tables of bonuses, places for cards.


_PAD_MM = 7.0
_CARTOUCHE_GAP_MM = 4.0
# How much larger than its card a place is.
_SPARE_MM = 2.0
_ROUND_MM = 2.4

map_words = FixedWords("map")

_BONUS_PAD = 6.5
_CELL_MM = 11.0
_CARTOUCHE_ROW_MM = 6.0
_HEAD_MM = 15.0

# How deep the corners of a plate are cut, mm.
_BITE = 4.2
# From the edge of a grand plate to the middle of its border, and half the height of that.
_BORDER_MM, _BORDER_HALF_MM = 1.95, 0.72
_CARTOUCHE_PAD = 7.0
# How much smaller than its type a name on one line may be.
_LEAST_LINE = 0.3
_SEVERAL, _LEADING = 0.8, 1.04
# From the last line of the name to the middle of the divider, and at least from its lowest letter.
_DIVIDER_MM, _UNDER_MM = 5.2, 3.0


class Panel(Struct, frozen=True, kw_only=True):
    """Something drawn from (0, 0) to its width and height, mm."""

    width_mm: float
    height_mm: float
    items: tuple[Item, ...]


def plate_items(
    width_mm: float, height_mm: float, style: Style, *, grand: bool = False
) -> tuple[Item, ...]:
    """A plate in the shape of the motif: paper, a strong line, and fine ones within; in a `grand`
    one, its border."""
    ink, motif = style.ink("map.frame.line"), style.motif

    def line(inset: float, width: float) -> Path:
        commands = plate_path(motif, (0, 0, width_mm, height_mm), _BITE, inset=inset)
        return Path(commands=commands, stroke=Stroke(ink=ink, width_mm=width))

    edge = Path(
        commands=plate_path(motif, (0, 0, width_mm, height_mm), _BITE),
        fill=style.ink("map.plate"),
        stroke=Stroke(ink=ink, width_mm=0.7),
    )
    if not grand or motif is None or motif.run is None:
        return (edge, line(1.3, 0.16), line(2.0, 0.32))
    at = _BORDER_MM
    box, corner = (
        (at, at, width_mm - 2 * at, height_mm - 2 * at),
        (_BITE + 1.0 - at) / _BORDER_HALF_MM,
    )
    border = run_items(motif, box, half=_BORDER_HALF_MM, ink=style.ink("map.title"), corner=corner)
    return (edge, line(0.95, 0.16), *border, line(2 * at - 0.95, 0.32))


def cartouche(title: Title, gamemap: GameMap, width_mm: float, style: Style) -> Panel:
    """The cartouche of a map at one width; its height follows from what it says."""
    inner = width_mm - 2 * _CARTOUCHE_PAD
    middle = width_mm / 2
    items, y = name_items(
        style.words(title.name), "map.title", style, (middle, _CARTOUCHE_PAD + 1.0), inner
    )
    items += divider(middle, y, inner, style)
    y += 2.6
    ink = style.ink("text")
    for text, kind_name, gap in _texts(title, gamemap):
        type_style = style.type(kind_name)
        lines = wrap(style.words(text), type_style, inner)
        y += gap
        for line in lines:
            y += type_style.size_mm * 1.12
            fitted, shown = one_line(line, type_style, inner)
            items += set_line(shown, fitted, ink, middle, y, anchor=Anchor.MIDDLE)
    height = y + _CARTOUCHE_PAD - 0.6
    return Panel(
        width_mm=width_mm,
        height_mm=height,
        items=(*plate_items(width_mm, height, style, grand=True), *items),
    )


def name_items(
    words: str, kind: str, style: Style, at: Point, width_mm: float
) -> tuple[list[Item], float]:
    """The name of a plate on one line, a long one on two, from a point down, centred on it; and
    where the divider below stands."""
    lines: tuple[str, ...] = (words,)
    fitted = fit(words, style.type(kind), width_mm)
    if (
        fitted.size_pt < _LEAST_LINE * style.type(kind).size_pt
        or text_width(words, fitted) > width_mm
    ):
        fitted, lines = balanced(words, style.type(kind), width_mm, 2, several=_SEVERAL, clip=True)
    leading = line_step(lines, fitted, _LEADING)
    base = at[1] + fitted.cap_height_mm
    items: list[Item] = []
    for number, line in enumerate(lines):
        items += set_line(
            line,
            fitted,
            style.ink("map.title"),
            at[0],
            base + number * leading,
            anchor=Anchor.MIDDLE,
        )
    last = base + (len(lines) - 1) * leading
    return items, last + max(_DIVIDER_MM, _UNDER_MM - ink_height(lines[-1], fitted)[0])


def _texts(title: Title, gamemap: GameMap) -> list[tuple[Text, str, float]]:
    """What stands below the name: words, type style, and the space before them in mm."""
    said = title.subtitle or gamemap.name
    lines = [] if said == title.name else [(said, "map.subtitle", 0.0)]
    several = len(title.maps) > 1 or title.variant is not None
    if several and title.subtitle is not None and title.subtitle != gamemap.name:
        lines.append((gamemap.name, "map.board", 0.8))
    lines += [
        (credit, "map.credits", 0.0 if number else 1.2)
        for number, credit in enumerate(title.credits)
    ]
    return [*lines, (map_words("prototype"), "map.notice", 1.6)]


def divider(x: float, y: float, width: float, style: Style) -> list[Item]:
    """The sign of the motif, or a wheel without one, between two tapering rules."""
    ink, motif = style.ink("map.title"), style.motif
    radius = 2.3
    reach = min(width / 2 - radius - 1, 26.0)
    return [
        *(
            wheel(x, y, radius, ink, spokes=10)
            if motif is None
            else sign_items(motif, x, y, radius * 0.8, ink)
        ),
        *tapering_rule(x - radius - 0.9, y, reach, ink, 0.22, towards=-1, motif=motif),
        *tapering_rule(x + radius + 0.9, y, reach, ink, 0.22, towards=1, motif=motif),
    ]


def bonus_panel(title: Title, bonus: RevenueBonus, style: Style) -> Panel:
    """One bonus: a row for each phase or colour in its own ink, a column for each count, and the
    note."""
    heading, cell, note = (
        style.type(f"map.legend{part}") for part in (".heading", ".strong", ".note")
    )
    columns = max(len(row.amounts) for row in bonus.rows)
    name = style.words(bonus.name)
    table = _HEAD_MM + columns * _CELL_MM
    width = max(table, text_width(name, heading)) + 2 * _BONUS_PAD
    left, middle = (width - table) / 2, width / 2
    y = _BONUS_PAD + heading.cap_height_mm + 0.6
    ink = style.ink("text")
    items: list[Item] = [
        *set_centred(name, heading, style.ink("map.title"), middle, y - heading.cap_height_mm / 2),
    ]
    y += 2.4
    if columns > 1:
        for column in range(columns):
            at = left + _HEAD_MM + (column + 0.5) * _CELL_MM
            items += set_centred(str(column + 1), note, ink, at, y + 1.6)
        y += 3.8
    line = style.stroke("map.offboard.rim")
    for bonus_row in bonus.rows:
        head = bonus_row.head
        ground = style.theme.inks.get(f"tile.{head}") or style.ink("white")
        on = readable_on(ground, ink, style.ink("white"))
        row = rectangle_path(left, y, table, _CARTOUCHE_ROW_MM)
        items.append(Path(commands=row, fill=ground, stroke=line))
        word = (
            style.words(map_words.table("colours")[head])
            if head in map_words.table("colours")
            else head
        )
        items += set_centred(word, note, on, left + _HEAD_MM / 2, y + _CARTOUCHE_ROW_MM / 2)
        for column, amount in enumerate(bonus_row.amounts):
            at = left + _HEAD_MM + (column + 0.5) * _CELL_MM
            items += set_centred(title.money(amount), cell, on, at, y + _CARTOUCHE_ROW_MM / 2)
        y += _CARTOUCHE_ROW_MM
    if bonus.note is not None:
        y += 1.2
        for text in wrap(style.words(bonus.note), note, width - 2 * _BONUS_PAD):
            y += note.size_mm * 1.18
            items += set_line(text, note, ink, _BONUS_PAD, y)
    height = y + _BONUS_PAD - 0.5
    return Panel(
        width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items)
    )


def places_panels(title: Title, places: CardPlaces, style: Style) -> tuple[Panel, ...]:
    """The plate with its places beside each other, then in other arrangements down to one column;
    each place has the size of a train card and a little more."""
    count = len(places.spaces)
    columns = [number for number in range(count, 0, -1) if count % number == 0]
    return tuple(_panel(title, places, number, style) for number in columns)


def _panel(title: Title, places: CardPlaces, columns: int, style: Style) -> Panel:
    size = piece_size(title, "train")
    wide, tall = size.width_mm + _SPARE_MM, size.height_mm + _SPARE_MM
    width = 2 * _PAD_MM + columns * wide + (columns - 1) * _CARTOUCHE_GAP_MM
    heading, note, words = (
        style.type(f"map.{name}") for name in ("legend.heading", "legend", "places")
    )
    ink = style.ink("text")
    y = _PAD_MM + heading.cap_height_mm + 0.6
    items: list[Item] = list(
        set_centred(
            style.words(places.name),
            heading,
            style.ink("map.title"),
            width / 2,
            y - heading.cap_height_mm / 2,
        )
    )
    if places.note is not None:
        lines = wrap(style.words(places.note), note, width - 2 * _PAD_MM)
        y += 1.2 + note.size_mm
        items += set_lines(lines, note, ink, width / 2, y, leading=1.2, anchor=Anchor.MIDDLE)
        y += (len(lines) - 1) * 1.2 * note.size_mm
    y += 3.2
    edge = Stroke(ink=style.ink("map.frame.line"), width_mm=0.3, dash=(1.6, 1.1))
    for number, space in enumerate(places.spaces):
        x, top = (
            _PAD_MM + number % columns * (wide + _CARTOUCHE_GAP_MM),
            y + number // columns * (tall + _CARTOUCHE_GAP_MM),
        )
        outline = rectangle_path(x, top, wide, tall, _ROUND_MM)
        items.append(Path(commands=outline, fill=style.ink("white"), stroke=edge))
        type_style, lines = balanced(style.words(space), words, wide - 8.0, 3)
        first = (
            top
            + tall / 2
            - ((len(lines) - 1) * 1.24 * type_style.size_mm - type_style.cap_height_mm) / 2
        )
        items += set_lines(
            lines, type_style, ink, x + wide / 2, first, leading=1.24, anchor=Anchor.MIDDLE
        )
    rows = -(-len(places.spaces) // columns)
    height = y + rows * tall + (rows - 1) * _CARTOUCHE_GAP_MM + _PAD_MM
    return Panel(
        width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items)
    )


_MOST_LETTERS = 5
_SIGN_HEX_MM, _STOP_HEX_MM = 38.1, 27.0
_TOLD_GAUGES = (Gauge.THIN, Gauge.FUTURE, Gauge.LINE)
# An edge from which track runs straight up, or straight across.
_ACROSS = {Layout.FLAT: 0, Layout.POINTY: 1}
# How that track is turned to lie across.
_UPRIGHT = {Layout.FLAT: (0.0, 1.0, -1.0, 0.0, 0.0, 0.0), Layout.POINTY: IDENTITY}
# Size of a hex whose pass has the size of a sign.
_PASS_HEX_MM = 17.0


class _View(Struct, frozen=True):
    """What entries are worked out from."""

    title: Title
    plan: MapPlan
    style: Style


_PAD = 6.5
# Width of the column of signs.
SIGN_MM = 15.0
_ROW_MM = 8.6
# Between signs that are higher than their words.
_AIR_MM = 1.2
# The most that rows of a column that is less high than others move apart.
_SPREAD_MM = 1.5
# Groups up to this many times as high as a column would be without them are not parted.
_TALL = 1.4
# Between columns.
_GAP_MM = 6.0
# Width of the key of off-board values, and sizes of its figures.
_KEY_MM, _KEY_PT = SIGN_MM - 0.6, (8.5, 7.75, MIN_PLAY_PT)


class Entry(Struct, frozen=True):
    """A sign, centred on (0, 0), and what it means; a note without a sign runs under all columns.
    Entries of one `group` (1 and up) stay together in a column where they can."""

    sign: tuple[Item, ...]
    words: str
    height_mm: float = 7.0
    group: int = 0


def legend(
    entries: Sequence[Entry], plan: MapPlan, columns: int, text_mm: float, style: Style
) -> Panel:
    """The legend in some columns whose words are at most `text_mm` wide; its height follows."""
    type_style, heading = style.type("map.legend"), style.type("map.legend.heading")
    ink = style.ink("text")
    rows = [(entry, wrap(entry.words, type_style, text_mm)) for entry in entries]
    notes = [style.words(text) for text in plan.gamemap.legend]
    column_mm = SIGN_MM + text_mm
    width = 2 * _PAD + columns * column_mm + (columns - 1) * _GAP_MM
    items: list[Item] = []
    y = _PAD + heading.cap_height_mm + 0.6
    items += set_centred(
        style.words(map_words("legend")),
        heading,
        style.ink("map.title"),
        width / 2,
        y - heading.cap_height_mm / 2,
    )
    top = y + 3.0
    parted = _columns(rows, columns, type_style.size_mm)
    tall = [
        math.fsum(_height(entry, lines, type_style.size_mm) for entry, lines in column)
        for column in parted
    ]
    bottom = top + max(tall, default=0.0)
    for number, column in enumerate(parted):
        x, y = _PAD + number * (column_mm + _GAP_MM), top
        # Columns end on one line, where that leaves no holes.
        spread = (bottom - top - tall[number]) / max(1, len(column) - 1)
        for entry, lines in column:
            height = _height(entry, lines, type_style.size_mm)
            middle = y + height / 2
            items.append(Group(items=entry.sign, matrix=translation(x + SIGN_MM / 2 - 1.0, middle)))
            first = (
                middle + type_style.cap_height_mm / 2 - (len(lines) - 1) * type_style.size_mm * 0.6
            )
            for step, line in enumerate(lines):
                items += set_line(
                    line, type_style, ink, x + SIGN_MM, first + step * type_style.size_mm * 1.2
                )
            y += height + min(spread, _SPREAD_MM)
    y = bottom + 1.5
    if notes:
        items.append(_rule(y, width, style))
        y += 1.2
        runs, y = _notes(notes, y, width, min(2, columns), style)
        items += runs
        y += 2.2
    items.append(_rule(y, width, style))
    y += 2.4
    y = _scale(plan, y, width, style, items)
    height = y + _PAD - 1.5
    return Panel(
        width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items)
    )


def _rule(y: float, width: float, style: Style) -> Path:
    line = polygon_path(((_PAD, y), (width - _PAD, y)), closed=False)
    return Path(commands=line, stroke=Stroke(ink=style.ink("map.frame.line"), width_mm=0.16))


def _height(entry: Entry, lines: Sequence[str], size_mm: float) -> float:
    return max(entry.height_mm + 1.4, len(lines) * size_mm * 1.2 + 1.6, 5.2)


def _columns(
    rows: Sequence[tuple[Entry, tuple[str, ...]]], count: int, size_mm: float
) -> list[list[tuple[Entry, tuple[str, ...]]]]:
    """Rows in order, broken into columns so that the tallest is as low as possible."""
    heights = [_height(entry, lines, size_mm) for entry, lines in rows]
    groups = [entry.group for entry, _ in rows]
    wholes = [
        math.fsum(h for h, g in zip(heights, groups, strict=True) if g == shared)
        for shared in sorted({*groups} - {0})
    ]
    most = _TALL * math.fsum(heights) / count
    low, high = (
        max((*heights, *(whole for whole in wholes if whole <= most)), default=0.0),
        math.fsum(heights),
    )
    while high - low > 0.1:
        middle = (low + high) / 2
        low, high = (
            (low, middle) if len(_broken(heights, groups, middle)) <= count else (middle, high)
        )
    columns, start = [], 0
    for size in _broken(heights, groups, high):
        columns.append(list(rows[start : start + size]))
        start += size
    return columns


def _broken(heights: Sequence[float], groups: Sequence[int], limit: float) -> list[int]:
    """How many rows stand in each column up to a height; groups that fit a column are not
    parted."""
    sizes, total = [0], 0.0
    for number, height in enumerate(heights):
        need = height
        if groups[number] and (number == 0 or groups[number] != groups[number - 1]):
            whole = math.fsum(
                tall for tall, group in zip(heights, groups, strict=True) if group == groups[number]
            )
            need = whole if whole <= limit + 1e-6 else height
        if total + need > limit + 1e-6 and sizes[-1]:
            sizes.append(0)
            total = 0.0
        sizes[-1] += 1
        total += height
    return sizes


def _notes(
    notes: Sequence[str], y: float, width: float, count: int, style: Style
) -> tuple[list[Item], float]:
    """The title's own lines in `count` columns from `y` down, and where they end."""
    type_style, ink = style.type("map.legend.note"), style.ink("text")
    column_mm = (width - 2 * _PAD - (count - 1) * _GAP_MM) / count
    blocks = [wrap(note, type_style, column_mm) for note in notes]
    leading, gap = type_style.size_mm * 1.18, type_style.size_mm * 0.45
    heights = [len(lines) * leading + gap for lines in blocks]
    ends = [len(blocks)]
    if count > 1:
        # All notes but the last column's stand before it, as high as it is, or nearly.
        ends.insert(0, min(range(len(blocks) + 1), key=lambda end: measured(_taller(heights, end))))
    items: list[Item] = []
    bottom = y
    for column, (start, end) in enumerate(pairwise([0, *ends])):
        at = y
        for lines in blocks[start:end]:
            for line in lines:
                at += leading
                items += set_line(line, type_style, ink, _PAD + column * (column_mm + _GAP_MM), at)
            at += gap
        bottom = max(bottom, at)
    return items, bottom


def _taller(heights: Sequence[float], end: int) -> float:
    """How high the taller of two columns is, the first of which ends before `end`; better the first
    than the other."""
    one, other = math.fsum(heights[:end]), math.fsum(heights[end:])
    return max(one, other) + (0.01 if other > one else 0.0)


def _scale(plan: MapPlan, y: float, width: float, style: Style, items: list[Item]) -> float:
    """A bar of 50 mm in alternate colours on the margin of the text, and the size of a hex."""
    type_style, ink = style.type("map.legend.note"), style.ink("text")
    note = style.words(map_words("across"), f"{plan.across_mm:g}")
    inner = width - 2 * _PAD
    unit = text_width(" mm", type_style) + text_width("50", type_style) / 2
    length = 10 * max(1, min(5, math.floor((inner - unit) / 10)))
    for step in range(length // 10):
        fill = style.ink("map.frame.line" if step % 2 == 0 else "white")
        box = rectangle_path(_PAD + 10 * step, y, 10, 1.3)
        items.append(Path(commands=box, fill=fill, stroke=style.stroke("map.frame.fine")))
    base = y + 1.5 + type_style.cap_height_mm + 0.7
    for mark in range(0, length + 1, 10):
        text = f"{mark} mm" if mark == length else str(mark)
        left = _PAD + mark - (text_width(str(mark), type_style) / 2 if mark else 0.0)
        items += set_line(text, type_style, ink, left, base)
    if inner >= length + 8.0 + text_width(note, type_style):
        items += set_line(
            note, type_style, ink, width - _PAD - text_width(note, type_style), y + 1.3
        )
        return base + 0.6
    fitted, shown = one_line(note, type_style, inner)
    items += set_line(shown, fitted, ink, _PAD, base + type_style.size_mm * 1.3)
    return base + type_style.size_mm * 1.3 + 0.6


def legend_entries(title: Title, plan: MapPlan, style: Style) -> tuple[Entry, ...]:
    """Everything that the legend explains, in order."""
    view = _View(title, plan, style)
    return tuple(
        replace(entry, group=_GROUPED.index(source) + 1 if source in _GROUPED else 0)
        for source in _SOURCES
        for entry in source(view)
    )


def _stops(view: _View) -> Iterator[Entry]:
    """Cities with a free slot and towns."""
    plan, style = view.plan, view.style
    stops = [
        stop for hexagon in plan.gamemap.hexes for stop in hexagon.tile.stops if not stop.hidden
    ]
    if any(stop.kind is StopKind.CITY for stop in stops):
        slot = Circle(
            cx=0, cy=0, r=2.9, fill=style.ink("slot"), stroke=style.stroke("slot"), role=Role.SLOT
        )
        yield Entry((slot,), style.words(map_words("city")), 6.0)
    if any(stop.kind is StopKind.TOWN and not stop.boom for stop in stops):
        yield Entry(
            (Circle(cx=0, cy=0, r=1.7, fill=style.ink("black"), role=Role.SLOT),),
            style.words(map_words("town")),
            5.0,
        )
    for name, of_kind in (
        (
            map_words("boomtown"),
            [stop for stop in stops if stop.boom and stop.kind is StopKind.TOWN],
        ),
        (map_words("halt"), [stop for stop in stops if stop.kind is StopKind.HALT]),
    ):
        if of_kind:
            yield Entry(_stop_sign(of_kind[0], plan, style), style.words(name), 7.4)


def _stop_sign(stop: Stop, plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A stop by itself."""
    alone = replace(stop, at=CENTRE)
    across = _STOP_HEX_MM if stop.boom else _SIGN_HEX_MM
    (mark,) = plan_hex(Tile(id="", colour="white", stops=(alone,)), plan.layout, across).marks
    return stop_items(alone, mark, across, style) if mark is not None else ()


def _track(view: _View) -> Iterator[Entry]:
    """Track that is not what most maps have, and track that ends where there is no stop."""
    plan, style = view.plan, view.style
    gauges = {
        segment.gauge: None for hexagon in plan.gamemap.hexes for segment in hexagon.tile.track
    }
    for gauge in _TOLD_GAUGES:
        if gauge in gauges:
            segment = Segment(
                a=edge_end(_ACROSS[plan.layout]), b=edge_end(_ACROSS[plan.layout] + 3), gauge=gauge
            )
            tile = Tile(id="", colour="white", track=(segment,))
            items = track_items(
                tile, plan_hex(tile, plan.layout, _SIGN_HEX_MM), _SIGN_HEX_MM, style
            )
            sign = Group(items=items, matrix=_UPRIGHT[plan.layout])
            clip = rectangle_path(-6.0, -3.0, 12.0, 6.0)
            yield Entry(
                (Group(items=(sign,), clip=clip),),
                style.words(map_words.table("track")[gauge.value]),
                4.4,
            )


def _passes(view: _View) -> Iterator[Entry]:
    """A pass of each size."""
    plan, style = view.plan, view.style
    stops = (stop for hexagon in plan.gamemap.hexes for stop in hexagon.tile.stops)
    passes = {stop.size: stop for stop in stops if stop.kind is StopKind.PASS}
    name = style.words(map_words.table("terrain")["pass"])
    for size in sorted(passes, key=lambda size: size or 0):
        tile = Tile(id="", colour="white", stops=(replace(passes[size], at=None),))
        (mark,) = plan_hex(tile, plan.layout, _PASS_HEX_MM).marks
        if mark is not None:
            text = pass_name(name, size, style) if len(passes) > 1 else name
            (stop,) = tile.stops
            draws = (
                draw(stop, mark, _PASS_HEX_MM, style) for draw in (stop_ground_items, stop_items)
            )
            ends = [edge for _, y, radius in mark.bulk for edge in (y - radius, y + radius)]
            ends += [y for _, y in mark.rock or ()]
            middle = translation(0.0, -(min(ends) + max(ends)) / 2)
            sign = Group(items=tuple(item for items in draws for item in items), matrix=middle)
            yield Entry((sign,), text, max(ends) - min(ends) + _AIR_MM)


def pass_name(passes: str, size: int | None, style: Style) -> str:
    """What passes of a size are called: a name of their own, else the general name with the
    size."""
    own = map_words.table("passes").get(str(size))
    return (
        style.words(own) if own is not None else style.words(map_words("pass_size"), passes, size)
    )


def _homes(view: _View) -> Iterator[Entry]:
    title, plan, style = view.title, view.plan, view.style
    companies = with_roundels(title)
    known = plan.gamemap.by_id
    homes = [
        company
        for company in companies.values()
        if company.stations and any(h.hex in known for h in company.homes)
    ]
    if homes:
        slot = Circle(
            cx=0, cy=0, r=3.6, fill=style.ink("slot"), stroke=style.stroke("slot"), role=Role.SLOT
        )
        yield Entry(
            (slot, *roundel_items(homes[0], 5.0, style)), style.words(map_words("home")), 7.4
        )
    held = [holders(title, hexagon) for hexagon in plan.gamemap.hexes]
    held = [companies_ for companies_ in held if companies_]
    if held:
        scale = 9.4 / plan.across_mm
        hexagon = _hexagon(plan, style.ink("tile.white"), scale, style)
        line = held_line((0.0, 0.0), plan, style, scale)
        badge = roundel_items(companies[held[0][0].ref], 4.6, style)
        yield Entry((hexagon, line, *badge), style.words(map_words("reserved")), 9.4)


def _destinations(view: _View) -> Iterator[Entry]:
    companies = with_roundels(view.title).values()
    aimed = [
        company for hexagon in view.plan.gamemap.hexes for company in aiming(companies, hexagon)
    ]
    if aimed:
        sign = destination_items(aimed[0], 6.0, view.style)
        yield Entry(sign, view.style.words(map_words("destination")), 6.4)


def _hexagon(plan: MapPlan, fill: Ink, scale: float, style: Style) -> Path:
    points = [(x * scale, y * scale) for x, y in plan.corners]
    return Path(commands=polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _terrain(view: _View) -> Iterator[Entry]:
    """Kinds of terrain with a cost, each with all its prices."""
    title, plan, style = view.title, view.plan, view.style
    prices: dict[tuple[str, ...], dict[int, None]] = {}
    pictured: set[tuple[str, ...]] = set()
    for hexagon in plan.gamemap.hexes:
        for terrain in hexagon.tile.terrain:
            if terrain.cost and terrain.kinds:
                prices.setdefault(terrain.kinds, {})[terrain.cost] = None
                if terrain not in fords(plan.gamemap, hexagon):
                    pictured.add(terrain.kinds)
    for kinds, costs in prices.items():
        width = 12.0 / len(kinds)
        sign: list[Item] = []
        for number, kind in enumerate(kinds):
            at = (number - (len(kinds) - 1) / 2) * width
            sign.append(
                Group(items=terrain_items(kind, width * 0.95, style), matrix=translation(at, 0))
            )
        name = " / ".join(_name(map_words.table("terrain"), kind, style) for kind in kinds)
        price = listed([title.money(cost) for cost in sorted(costs)], style)
        if kinds not in pictured:
            sign = list(river_sign(style))
        yield Entry(tuple(sign), style.words(LEAD, name, price), 6.2)


def _name(table: Mapping[str, Text], key: str, style: Style) -> str:
    return style.words(table[key]) if key in table else key.replace("-", " ").capitalize()


def _offboard(view: _View) -> Iterator[Entry]:
    """Keys of off-board values in the order of the game, with the phase from which each counts."""
    title, plan, style = view.title, view.plan, view.style
    keys: dict[str, int] = {}
    plain = None
    for hexagon in plan.gamemap.hexes:
        for stop in hexagon.tile.stops:
            if hexagon.tile.colour == "red" or stop.kind is StopKind.OFFBOARD:
                plain = stop if stop.revenue else plain
                for step in stop.revenue:
                    if step.since is not None:
                        keys.setdefault(step.since, step.value)
    if not keys:
        if plain is not None:
            yield _key(plain.revenue[:1], style.words(map_words("offboard_plain")), style)
        return
    parts = []
    for key in keys:
        phase = _first_phase(title, key)
        name = _name(map_words.table("colours"), key, style)
        parts.append(style.words(map_words("from_phase"), name, phase) if phase else name)
    steps = tuple(RevenueStep(value, key) for key, value in keys.items())
    yield _key(steps, style.words(map_words("offboard"), listed(parts, style)), style)


def _key(steps: tuple[RevenueStep, ...], words: str, style: Style) -> Entry:
    items, height = _table(steps, style)
    return Entry(items, words, max(7.0, height + _AIR_MM))


def _table(steps: tuple[RevenueStep, ...], style: Style) -> tuple[tuple[Item, ...], float]:
    """Values in one row if that fits a sign, else in as many full rows as need be; and how high
    they are."""
    for size_pt in _KEY_PT:
        items, width, height = revenue_table(steps, style, max_width_mm=1e6, size_pt=size_pt)
        if width <= _KEY_MM:
            return items, height
    items, _, height = revenue_table(steps, style, size_pt=_KEY_PT[0], max_width_mm=_KEY_MM)
    return items, height


def _first_phase(title: Title, key: str) -> str | None:
    """The phase from which values of a key count: the first that says so, or that brings tiles of
    that colour."""
    for says in (lambda phase: phase.revenue == key, lambda phase: key in phase.tiles):
        phase_id = next((phase.id for phase in title.phases if says(phase)), None)
        if phase_id is not None:
            return phase_id
    return key if key in title.phase_by_id else None


def _icons(view: _View) -> Iterator[Entry]:
    """Icons by name, as the hexes show them, without those that are nothing but words of their
    own."""
    plan, style = view.plan, view.style
    names = map_words.table("icons")
    icons = {
        icon.name: None
        for hexagon in plan.gamemap.hexes
        for icon in hexagon.tile.icons
        if not icon.text or icon.name in names
    }
    for name in icons:
        own = style.pictures.get(name)
        words = own.name if own and own.name else names.get(name)
        # The id of a picture that has no name is that of its file, and says nothing to players.
        if words is not None:
            yield Entry(
                icon_block(name, "", 6.4, style, style.type("tile.cost")).items,
                style.words(words),
                6.6,
            )


def _labels(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    labels = [label for hexagon in plan.gamemap.hexes for label in hexagon.tile.labels]
    letters = dict.fromkeys(label.text for label in labels if label.since is None)
    later = dict.fromkeys((label.since, label) for label in labels if label.since is not None)
    if letters:
        type_style = style.type("tile.label")
        shown = sorted(letters, key=lambda text: (len(text), text))[:_MOST_LETTERS]
        sign = "  ".join(shown)
        while text_width(sign, type_style) > SIGN_MM - 2.5 and (
            type_style.size_pt > 7 or len(shown) > 1
        ):
            if type_style.size_pt > 7:
                type_style = type_style.at(type_style.size_pt - 0.5)
            else:
                shown.pop()
                sign = "  ".join(shown)
        yield Entry(
            tuple(set_centred(sign, type_style, style.ink("text"), 0, 0)),
            style.words(map_words("label")),
            5.4,
        )
    for colour in dict.fromkeys(since for since, _ in later):
        label = next(label for since, label in later if since == colour)
        name = _name(map_words.table("colours"), str(colour), style)
        yield Entry(chip_block(label, style).items, style.words(map_words("label_from"), name), 5.4)


def _borders(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    manners = border_manners(plan, view.title.phases)
    order = {
        kind: number
        for number, kind in enumerate(dict.fromkeys(border.kind for _, border in plan.borders))
    }
    a, b = (-5.5, 0.0), (5.5, 0.0)
    named: dict[tuple[str, str], dict[str | None, Text | None]] = {}
    for _, border in plan.borders:
        names = named.setdefault((border.kind, border_term(border, view.title.phases)), {})
        names[border.colour] = names.get(border.colour) or border.name
    for kind, term in sorted(
        manners, key=lambda key: (order[key[0]], manners[key] is not None, manners[key] or 0)
    ):
        course = COURSES.get(kind)
        line = course(a, b) if course else polygon_path((a, b), closed=False)
        for colour, name in named[kind, term].items():
            text = (
                _name(map_words.table("borders"), kind, style)
                if name is None
                else style.words(name)
            )
            if term:
                text = style.words(map_words("in_phases"), text, term)
            painted = coloured(style, kind, colour)
            yield Entry(
                border_line(
                    kind, line, painted, later=term.endswith("+"), manner=manners[kind, term]
                ),
                text,
                4.0,
            )


def _landscape(view: _View) -> Iterator[Entry]:
    """Rivers where crossing them costs nothing, coasts, and lines between regions; none of them has
    an effect."""
    plan, style = view.plan, view.style
    free = not any(fords(plan.gamemap, hexagon) for hexagon in plan.gamemap.hexes)
    if plan.gamemap.rivers and free:
        yield Entry(river_sign(style), style.words(map_words("river")), 4.0)
    if plan.gamemap.seas:
        yield Entry(coast_sign(style), style.words(map_words("coast")), 4.4)
    if state_edges(plan):
        line = polygon_path(((-5.5, 0.0), (5.5, 0.0)), closed=False)
        yield Entry(
            (Path(commands=line, stroke=style.stroke("map.state")),),
            style.words(map_words("state")),
            4.0,
        )


def _stubs(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    if any(hexagon.stubs for hexagon in plan.gamemap.hexes):
        sign = stub_sign(((-2.8, 0.0), (2.8, 0.0)), plan.across_mm, style)
        yield Entry(sign, style.words(map_words("stub")), 4.0)


def _zones(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    names = dict(plan.gamemap.zone_names)
    # A zone of only coloured hexes has no wash.
    washed = {hexagon.zone for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "white"}
    for number, zone in enumerate(zones(plan)):
        if zone in washed:
            name = names.get(zone)
            yield Entry(
                wash_sign(number, plan, 5.2, style),
                zone if name is None else style.words(name),
                6.4,
            )


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

# What stays together in a column.
_GROUPED = (_borders, _zones)
