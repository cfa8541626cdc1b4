"""Poster of an assembled map with its legend, and the page that compares its homes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct

from platelayer.atlas.schematic import tile_outline, triangle
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.hex.geometry import Disc
from platelayer.drawing.hex.ground import FRAME
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.lettering import one_line, title_lines
from platelayer.drawing.kit.rich_text import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.board import Extras, draw_poster
from platelayer.drawing.map.map_tile import (
    Numbered,
    border_art,
    company_names,
    edge_items,
    number_discs,
    number_items,
    rhumb_items,
    rose_discs,
    rose_items,
    sign_items,
    with_homes,
)
from platelayer.drawing.map.panels import Entry, Panel, divider, name_items, plate_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.hexes import Coord, corner_points
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    BORDER,
    HAND,
    AtlasBox,
    AtlasLog,
    Axial,
    board_coord,
    board_of,
    board_origin,
    homes_of,
    place_name,
    tile_hexes,
)
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Scene,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, rise_mm, set_centred, set_line, text_width, wrap

atlas_words = FixedWords("atlas")

map_words = FixedWords("map")


def map_name(log: AtlasLog, style: Style) -> str:
    """Name of the mode of play; the id of a mode of a title of one's own."""
    return style.words(atlas_words.table("modes").get(log.mode, Text.plain(log.mode)))


def facts_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Pairs of a label and a value, of which one may be empty: the conditions to make the same map
    again, and the number of its pieces."""
    facts: list[tuple[str, str]] = []
    if log.seed is not None:
        facts.append((style.words(atlas_words("seed")), str(log.seed)))
    if log.algorithm == HAND:
        facts.append((style.words(atlas_words("laid_by_hand")), ""))
    else:
        policy = atlas_words.table("policies").get(log.policy, Text.plain(log.policy))
        facts.append((style.words(atlas_words("policy")), style.words(policy)))
    if log.stack is not None:
        facts.append((style.words(atlas_words("stack"), log.stack), ""))
    counts = (
        (atlas_words("one_tile"), atlas_words("tiles"), len(log.placed)),
        (atlas_words("one_capital"), atlas_words("capitals"), len(log.overlays)),
        (atlas_words("one_blank"), atlas_words("blanks"), len(log.blanks)),
    )
    for one, several, count in counts:
        if count:
            facts.append((style.words(one if count == 1 else several, count), ""))
    return tuple(facts)


def page_head(
    title: Title, log: AtlasLog, words: str, style: Style, width_mm: float
) -> tuple[list[Item], float]:
    """Head of a page: its name, at the right the name of the map and facts about it; and the y
    below it, in mm."""
    heading, red, ink = style.type("atlas.guide.title"), style.ink("map.title"), style.ink("text")
    base = rise_mm(words, heading) + 1.6
    items: list[Item] = [*set_line(words, heading, red, 0, base)]
    room = width_mm - text_width(words, heading) - 8.0
    game = f"{style.words(title.name)} – {map_name(log, style)}"
    facts = "  ·  ".join(f"{label} {value}".strip() for label, value in facts_of(log, style))
    for text, kind, y in (
        (game, "atlas.guide.game", base - 3.6),
        (facts, "atlas.guide.strong", base + 0.6),
    ):
        fitted, line = one_line(text, style.type(kind), room)
        items += set_line(line, fitted, ink, width_mm, y, anchor=Anchor.END)
    items.append(Path(commands=rectangle_path(0, base + 2.6, width_mm, 0.5), fill=red))
    return items, base + 7.2


_NAME_MM = 34.0
_HEAD_PT = 8.0
_GAP_MM = 4.0
_ROW_MM, _BAR_MM, _ROUNDEL_MM = 11.0, 2.0, 7.0
_MARK_MM = 0.35
_LINE_MM, _LINE_PT, _LINE_BAR_MM = 3.3, 7.0, 1.7

# Figures of a home, named in the words balance_words, and the inks of their bars.
COLUMNS = {
    "train_2": "tile.yellow",
    "train_3": "tile.green",
    "train_4": "tile.green",
    "worth": "map.title",
    "city_way": "tile.gray",
    "city_cost": "tile.gray",
    "capital_way": "tile.gray",
    "destination_way": "tile.gray",
    "rivals": "tile.gray",
}
_WORTH = [*COLUMNS].index("worth")
_MONEY = frozenset({"train_2", "train_3", "train_4", "worth", "city_cost"})


class HomeRow(Struct, frozen=True, kw_only=True):
    """Home of a company, with a value for each of COLUMNS."""

    company: str
    values: tuple[int | None, ...]


def draw_balance(
    title: Title,
    log: AtlasLog,
    style: Style,
    width_mm: float,
    height_mm: float,
    *,
    rows: Sequence[HomeRow],
    fairness: float,
) -> Scene:
    """Draw a page of this size that compares the homes of a map, key `atlas-balance:1`. The bars
    of a column have one scale, and a mark at their mean."""
    words = _balance_words(style, fairness)
    items, y = page_head(title, log, words["balance"], style, width_mm)
    body, strong = style.type("atlas.guide.body"), style.type("atlas.guide.strong").at(13)
    aside = text_width(words["fairness"], strong) + 8.0
    lines = wrap_rich(words["about"], body, width_mm - aside - 8.0)
    step = body.size_mm * 1.25
    tall = len(lines) * step + 4.6
    middle, ink = tall / 2, style.ink("text")
    tint = Path(commands=rectangle_path(0, 0, width_mm, tall, 1.5), fill=style.ink("card.tint"))
    about: list[Item] = [tint]
    base = middle + strong.cap_height_mm / 2
    about += set_line(words["fairness"], strong, ink, 4.0, base)
    first = middle - (len(lines) - 1) * step / 2 + body.cap_height_mm / 2
    for number, line in enumerate(lines):
        about += set_line(line, body, ink, aside + 4.0, first + number * step)
    items.append(Group(items=tuple(about), matrix=translation(0, y)))
    y += tall + 3.0
    pitch = (width_mm - _NAME_MM) / len(COLUMNS)
    heads = style.type("atlas.guide.strong").at(_HEAD_PT)
    for number, column in enumerate(COLUMNS):
        lines = wrap_rich(words[column], heads, pitch - 1.6)
        for place, line in enumerate(lines):
            base = y + 7.0 - (len(lines) - 1 - place) * heads.size_mm * 1.1
            items += set_line(line, heads, style.ink("text"), _NAME_MM + number * pitch, base)
    y += 9.0
    known = with_roundels(title)
    for place, row in enumerate(rows):
        top = y + place * _ROW_MM
        items.append(
            Path(commands=rectangle_path(0, top, width_mm, 0.15), fill=style.ink("card.hair"))
        )
        middle = top + _ROW_MM / 2
        company = known[row.company]
        roundel = roundel_items(company, _ROUNDEL_MM, style)
        items.append(Group(items=roundel, matrix=translation(_ROUNDEL_MM / 2 + 0.4, middle)))
        strong = style.type("atlas.guide.strong")
        type_style, name = one_line(style.words(company.name), strong, _NAME_MM - _ROUNDEL_MM - 4.0)
        items += set_line(
            name,
            type_style,
            style.ink("text"),
            _ROUNDEL_MM + 2.4,
            middle + type_style.cap_height_mm / 2,
        )
    for number, (column, fill) in enumerate(COLUMNS.items()):
        values = [row.values[number] for row in rows]
        figures = [
            "–" if value is None else title.money(value) if column in _MONEY else str(value)
            for value in values
        ]
        bars = _bars(values, figures, style.ink(fill), pitch - _GAP_MM, style)
        items.append(Group(items=tuple(bars), matrix=translation(_NAME_MM + number * pitch, y)))
    return Scene(
        key="atlas-balance:1",
        width_mm=width_mm,
        height_mm=height_mm,
        items=tuple(items),
        label=words["balance"],
    )


def worth_items(
    title: Title, style: Style, width_mm: float, *, rows: Sequence[HomeRow], fairness: float
) -> tuple[tuple[Item, ...], float]:
    """The fairness of a map, and the worth of each home as a bar in a line, the mean marked; and
    how high that is."""
    strong, ink = style.type("atlas.fact.strong"), style.ink("text")
    line = strong.at(_LINE_PT)
    words = _balance_words(style, fairness)
    heading, worth = words["fairness"], words["worth"]
    head = fit(heading, strong, width_mm - text_width(worth, line) - 2.0)
    base = head.cap_height_mm
    items: list[Item] = [*set_line(heading, head, ink, 0, base)]
    items += set_line(worth, line, ink, width_mm, base, anchor=Anchor.END)
    y = base + 1.6
    names = [title.company_by_id[row.company].token_text for row in rows]
    worths = [row.values[_WORTH] or 0 for row in rows]
    money = [title.money(amount) for amount in worths]
    left = max(text_width(name, line) for name in names) + 1.2
    room = width_mm - left - max(text_width(text, line) for text in money) - 1.2
    most, mean = max(worths) or 1, math.fsum(worths) / len(worths)
    for name, value, paid in zip(names, worths, money, strict=True):
        base, top = y + (_LINE_MM + line.cap_height_mm) / 2, y + (_LINE_MM - _LINE_BAR_MM) / 2
        items += set_line(name, line, ink, 0, base)
        items.append(
            Path(
                commands=rectangle_path(left, top, room, _LINE_BAR_MM), fill=style.ink("card.tint")
            )
        )
        if value:
            bar = rectangle_path(left, top, room * value / most, _LINE_BAR_MM)
            items.append(Path(commands=bar, fill=style.ink(COLUMNS["worth"])))
        mark = rectangle_path(
            left + min(room * mean / most, room - _MARK_MM), top - 0.4, _MARK_MM, _LINE_BAR_MM + 0.8
        )
        items.append(Path(commands=mark, fill=ink))
        items += set_line(paid, line, ink, width_mm, base, anchor=Anchor.END)
        y += _LINE_MM
    return tuple(items), y


def _balance_words(style: Style, fairness: float) -> dict[str, str]:
    table = atlas_words.table("balance_words")
    return {key: style.words(text, f"{fairness:.1f}") for key, text in table.items()}


def _bars(
    values: Sequence[int | None], figures: Sequence[str], ink: Ink, room: float, style: Style
) -> Iterator[Item]:
    """Column of figures, each above its bar."""
    strong, tint, text = style.type("atlas.guide.strong"), style.ink("card.tint"), style.ink("text")
    there = [value for value in values if value is not None]
    most = max(there, default=0) or 1
    mean = math.fsum(there) / len(there) if there else 0.0
    for place, (value, words) in enumerate(zip(values, figures, strict=True)):
        y = place * _ROW_MM
        yield from set_line(words, strong, text, 0, y + 4.6)
        yield Path(commands=rectangle_path(0, y + 6.2, room, _BAR_MM), fill=tint)
        if value:
            yield Path(commands=rectangle_path(0, y + 6.2, room * value / most, _BAR_MM), fill=ink)
        if there:
            mark = rectangle_path(
                min(room * mean / most, room - _MARK_MM), y + 5.7, _MARK_MM, _BAR_MM + 1.0
            )
            yield Path(commands=mark, fill=text)


# Hexes of the legend, flat to flat, and of the map tile in it.
_HEX_MM, _SMALL_MM = 8.6, 5.4
_WIDTHS = (112.0, 96.0, 84.0)
_PAD = 7.5
# Width of the bars alone, the least next to a code, and the gap between the two.
_BARS_MM, _LEAST_BARS_MM, _BARS_GAP_MM = 60.0, 42.0, 3.0
# A module of a code is four dots of a picture at 100 dpi; ISO/IEC 18004 demands four light modules
# around it.
_MODULE_MM, _QUIET = 1.0, 4

Modules = Sequence[Sequence[bool]]


def draw_atlas_poster(
    title: Title,
    log: AtlasLog,
    style: Style,
    *,
    code: Modules = (),
    rows: Sequence[HomeRow] = (),
    fairness: float = 0.0,
    companies: Sequence[str] = (),
    chosen: Mapping[str, tuple[Axial, int]] = {},
    again: str = "",
    opens: bool = False,
) -> Scene:
    """Draw the poster of an assembled map, its hexes as large as those of the title's map tiles.

    `code` is a QR code with the command that makes the map again, or, if it `opens` the map, with
    an address; `again` is the command in plain text, printed unless the code opens the map. `rows`
    and `fairness` compare the homes. Of the `companies` in play, those without a home on the map
    are listed, with the best home that they may have `chosen` and its worth.

    Raises KeyError when the title has no map tiles, or lacks those of the log; ValueError for a log
    without tiles.
    """
    box, board = board_with_names(title, log)
    origin = board_origin(log)
    homes = {company: place_name(at, origin) for company, at in homes_of(box, log).items()}
    across = piece_size(title, "map-tile").width_mm
    elsewhere = [company for company in companies if company not in homes]

    def named(company: str) -> str:
        name = style.words(title.company_by_id[company].name)
        if company not in chosen:
            return name
        at, worth = chosen[company]
        return style.words(atlas_words("at_best"), name, place_name(at, origin), title.money(worth))

    notes = []
    if elsewhere:
        names = style.words(atlas_words.table("setup_words")["comma"]).join(map(named, elsewhere))
        notes.append(style.words(atlas_words("in_play_elsewhere"), names))
    if rows:
        notes.append(style.words(atlas_words("worth_note")))
    if code and opens:
        notes.append(style.words(atlas_words("code_opens")))
    elif again:
        notes.append(again)
    plate = partial(_cartouche, title, log, code=code, rows=rows, fairness=fairness, notes=notes)
    tiles = numbered_tiles(log)
    owner: dict[Coord, Numbered] = {at: tile for tile in tiles for at in tile.hexes}

    def clear(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
        tile = owner.get(hexagon.at)
        return (*(number_discs(tile, hexagon.at, plan) if tile else ()), *rose_discs(hexagon, plan))

    extras = Extras(
        ground=rhumb_items,
        under=lambda plan, style: tuple(sign_items(plan, style)),
        edges=lambda plan, style: edge_items(tiles, plan, style),
        over=lambda plan, style: tuple(number_items(tiles, plan, style)),
        keep_clear=clear,
        titles=lambda style: tuple(plate(width, style) for width in _WIDTHS),
        entries=lambda plan, style: tuple(_entries(plan, style)),
    )
    board_title = with_homes(title, homes)
    return draw_poster(board_title, board, across, style, key="atlas-map", extras=extras)


def board_with_names(title: Title, log: AtlasLog) -> tuple[AtlasBox, GameMap]:
    """The box of a title and the board of a log, homes named after their companies."""
    if title.atlas is None:
        raise KeyError("atlas")
    if not log.placed:
        raise ValueError("a log without map tiles has no board")
    return title.atlas, board_of(title.atlas, log, company_names(title))


def numbered_tiles(log: AtlasLog) -> tuple[Numbered, ...]:
    """The map tiles of a log where they lie on the board, in order."""
    origin = board_origin(log)
    numbered = []
    for draw in log.placed:
        one, two, three = (board_coord(at, origin) for at in tile_hexes(draw.at, draw.rotation))
        numbered.append(Numbered(draw.tile, (one, two, three)))
    return tuple(numbered)


def _cartouche(
    title: Title,
    log: AtlasLog,
    width: float,
    style: Style,
    *,
    code: Modules,
    rows: Sequence[HomeRow],
    fairness: float,
    notes: Sequence[str],
) -> Panel:
    """Names of the game and the map, facts, comparison of the homes, code, and notes."""
    inner, middle = width - 2 * _PAD, width / 2
    ink, red = style.ink("text"), style.ink("map.title")
    items: list[Item] = []
    name = style.words(title.name)
    (small, large), above = title_lines(name), style.type("atlas.title.small")
    if text_width(small, above.at(above.min_pt)) > inner:
        small, large = "", name
    y = _PAD + 0.5
    if small:
        type_style = fit(small, above, inner)
        y += type_style.cap_height_mm + 0.8
        items += set_line(small, type_style, red, middle, y, anchor=Anchor.MIDDLE)
        y += 2.6
    named, y = name_items(large, "atlas.title", style, (middle, y), inner)
    items += named
    items += divider(middle, y, inner, style)
    y += 2.8
    type_style, name = one_line(map_name(log, style), style.type("map.subtitle"), inner)
    y += type_style.size_mm
    items += set_line(name, type_style, ink, middle, y, anchor=Anchor.MIDDLE)
    y += 1.6
    facts, y = _facts(facts_of(log, style), middle, y, inner, style)
    items += facts
    y += 1.0
    for text in title.credits:
        type_style = style.type("map.credits")
        for line in wrap(style.words(text), type_style, inner):
            y += type_style.size_mm * 1.12
            fitted, shown = one_line(line, type_style, inner)
            items += set_line(shown, fitted, ink, middle, y, anchor=Anchor.MIDDLE)
    type_style = style.type("map.notice")
    y += 1.4 + type_style.size_mm * 1.12
    notice = style.words(map_words("prototype"))
    type_style = fit(notice, type_style, inner)
    items += set_line(notice, type_style, ink, middle, y, anchor=Anchor.MIDDLE)
    if rows or code:
        y += 2.0
        bars = partial(worth_items, title, style, rows=rows, fairness=fairness) if rows else None
        below, tall = _bars_and_code(bars, code, inner, style)
        items.append(Group(items=below, matrix=translation(_PAD, y)))
        y += tall
    type_style = style.type("atlas.note")
    for note in notes:
        y += 1.0
        for line in wrap(note, type_style, inner):
            y += type_style.size_mm * 1.15
            items += set_line(line, type_style, ink, middle, y, anchor=Anchor.MIDDLE)
    height = y + _PAD - 0.6
    return Panel(
        width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items)
    )


def _bars_and_code(
    bars: Callable[[float], tuple[tuple[Item, ...], float]] | None,
    code: Modules,
    width: float,
    style: Style,
) -> tuple[tuple[Item, ...], float]:
    """Bars beside a code, or above it where they would be too short, and their height; one of the
    two may be missing."""
    side = (len(code) + 2 * _QUIET) * _MODULE_MM if code else 0.0
    drawn = _code_items(code, style) if code else ()
    if bars is None:
        return (Group(items=drawn, matrix=translation((width - side) / 2, 0)),), side
    room = width - side - _BARS_GAP_MM
    if code and room >= _LEAST_BARS_MM:
        items, high = bars(room)
        tall = max(side, high)
        return (
            Group(items=items, matrix=translation(0, (tall - high) / 2)),
            Group(items=drawn, matrix=translation(width - side, (tall - side) / 2)),
        ), tall
    room = min(width, _BARS_MM)
    items, high = bars(room)
    high += 1.0
    return (
        Group(items=items, matrix=translation((width - room) / 2, 0)),
        Group(items=drawn, matrix=translation((width - side) / 2, high)),
    ), high + side


def _code_items(code: Modules, style: Style) -> tuple[Item, ...]:
    """QR code with its quiet zone; adjacent dark modules of a row are one rectangle."""
    side = (len(code) + 2 * _QUIET) * _MODULE_MM
    dark: list[Command] = []
    for row, modules in enumerate(code):
        column = 0
        for is_dark, run in groupby(modules):
            length = len(list(run))
            if is_dark:
                x, y = ((module + _QUIET) * _MODULE_MM for module in (column, row))
                dark += rectangle_path(x, y, length * _MODULE_MM, _MODULE_MM)
            column += length
    return (
        Path(commands=rectangle_path(0, 0, side, side), fill=style.ink("white")),
        Path(commands=tuple(dark), fill=style.ink("black")),
    )


def _facts(
    facts: tuple[tuple[str, str], ...], middle: float, y: float, inner: float, style: Style
) -> tuple[list[Item], float]:
    """Facts with their values, centred on as many lines as they need, and the y of the last."""
    plain, strong, ink = (
        style.type("atlas.fact"),
        style.type("atlas.fact.strong"),
        style.ink("text"),
    )
    gap, space = 4.0, 1.1
    widths = [
        text_width(a, plain) + (space if a and b else 0.0) + text_width(b, strong) for a, b in facts
    ]
    rows: list[list[int]] = [[]]
    for number, width in enumerate(widths):
        used = math.fsum(widths[k] + gap for k in rows[-1])
        if rows[-1] and used + width > inner:
            rows.append([])
        rows[-1].append(number)
    items: list[Item] = []
    for row in rows:
        y += plain.size_mm * 1.2
        x = middle - (math.fsum(widths[k] for k in row) + gap * (len(row) - 1)) / 2
        for k in row:
            label, value = facts[k]
            items += set_line(label, plain, ink, x, y)
            items += set_line(value, strong, ink, x + widths[k], y, anchor=Anchor.END)
            x += widths[k] + gap
    return items, y


def _entries(plan: MapPlan, style: Style) -> Iterator[Entry]:
    """Entries for map tiles, and for the capitals, water, destinations and borders of the map."""
    colours = {hexagon.tile.colour for hexagon in plan.gamemap.hexes}
    yield Entry(_tile(plan, style), style.words(atlas_words("tile_edge")), 10.6)
    if any(hexagon.tile.frame for hexagon in plan.gamemap.hexes):
        yield Entry(_capital(plan, style), style.words(atlas_words("capital")), _HEX_MM)
    if "blue" in colours:
        yield Entry(
            (_hexagon(plan, _HEX_MM, style.ink("tile.blue"), style),),
            style.words(atlas_words("water")),
            _HEX_MM,
        )
    if "red" in colours:
        sign = (
            _hexagon(plan, _HEX_MM, style.ink("tile.red"), style),
            *rose_items(_HEX_MM * 1.25, style),
        )
        yield Entry(sign, style.words(atlas_words("destination")), _HEX_MM)
    if BORDER in colours:
        art = border_art((1, 2, 3, 4), plan.layout, _HEX_MM, style)
        sign = (_hexagon(plan, _HEX_MM, style.ink(f"tile.{BORDER}"), style), *art)
        yield Entry(sign, style.words(atlas_words("border")), _HEX_MM)


def _hexagon(
    plan: MapPlan, across_mm: float, fill: Ink, style: Style, at: Point = (0.0, 0.0)
) -> Path:
    points = [(x + at[0], y + at[1]) for x, y in corner_points(plan.layout, across_mm)]
    return Path(commands=polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _capital(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    inner = corner_points(plan.layout, _HEX_MM * (1 - 2.6 * FRAME))
    slot = Circle(
        cx=0,
        cy=0,
        r=_HEX_MM * 0.2,
        fill=style.ink("slot"),
        stroke=style.stroke("slot"),
        role=Role.SLOT,
    )
    return (
        _hexagon(plan, _HEX_MM, style.ink("atlas.capital"), style),
        Path(commands=polygon_path(inner), fill=style.ink("tile.white")),
        slot,
        *icon_block("capital", "", _HEX_MM * 0.26, style, style.type("map.border.note")).items,
    )


def _tile(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A small map tile with its strong outline."""
    centres = triangle(_SMALL_MM)
    items: list[Item] = [
        _hexagon(plan, _SMALL_MM, style.ink("tile.white"), style, at) for at in centres
    ]
    items.append(Path(commands=tile_outline(_SMALL_MM), stroke=style.stroke("atlas.edge")))
    type_style = style.type("map.border.note")
    items += set_centred("14", type_style, style.ink("text"), 0, 0)
    return tuple(items)
