"""Engraved plates beside a map: its name and credits, tables of bonuses, places for cards."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.kit.lettering import balanced, ink_height, line_step, one_line
from platelayer.drawing.kit.ornament import (
    plate_path,
    run_items,
    sign_items,
    tapering_rule,
    wheel,
)
from platelayer.drawing.kit.rich_text import set_lines
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.gamemap import CardPlaces, GameMap
from platelayer.model.kinds import piece_size
from platelayer.model.title import RevenueBonus, Title
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Anchor, Item, Path, Point, Stroke, rectangle_path
from platelayer.scene.typeset import fit, set_centred, set_line, text_width, wrap

_PAD_MM = 7.0
_GAP_MM = 4.0
_SPARE_MM = 2.0
"""How much larger than its card a place is."""
_ROUND_MM = 2.4

map_words = FixedWords("map")

_BONUS_PAD = 6.5
_CELL_MM = 11.0
_ROW_MM = 6.0
_HEAD_MM = 15.0

_BITE = 4.2
"""How deep the corners of a plate are cut, mm."""
_BORDER_MM, _BORDER_HALF_MM = 1.95, 0.72
"""From the edge of a grand plate to the middle of its border, and half the height of that."""
_PAD = 7.0
_LEAST_LINE = 0.3
"""How much smaller than its type a name on one line may be."""
_SEVERAL, _LEADING = 0.8, 1.04
_DIVIDER_MM, _UNDER_MM = 5.2, 3.0
"""From the last line of the name to the middle of the divider, and at least from its lowest
letter."""


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
    inner = width_mm - 2 * _PAD
    middle = width_mm / 2
    items, y = name_items(style.words(title.name), "map.title", style, (middle, _PAD + 1.0), inner)
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
    height = y + _PAD - 0.6
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
        row = rectangle_path(left, y, table, _ROW_MM)
        items.append(Path(commands=row, fill=ground, stroke=line))
        word = (
            style.words(map_words.table("colours")[head])
            if head in map_words.table("colours")
            else head
        )
        items += set_centred(word, note, on, left + _HEAD_MM / 2, y + _ROW_MM / 2)
        for column, amount in enumerate(bonus_row.amounts):
            at = left + _HEAD_MM + (column + 0.5) * _CELL_MM
            items += set_centred(title.money(amount), cell, on, at, y + _ROW_MM / 2)
        y += _ROW_MM
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
    width = 2 * _PAD_MM + columns * wide + (columns - 1) * _GAP_MM
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
            _PAD_MM + number % columns * (wide + _GAP_MM),
            y + number // columns * (tall + _GAP_MM),
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
    height = y + rows * tall + (rows - 1) * _GAP_MM + _PAD_MM
    return Panel(
        width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items)
    )
