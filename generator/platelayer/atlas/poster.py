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
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    below,
    box_block,
    disc,
    flowed,
    in_row,
    leaded,
    line_block,
    placing,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import title_lines
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
from platelayer.drawing.map.panels import Entry, divider, name_block, plate_lines, plated
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
    Command,
    Item,
    Path,
    Point,
    Role,
    Scene,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import rise_mm, set_centred, text_width

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


def page_head(title: Title, log: AtlasLog, words: str, style: Style, width_mm: float) -> Block:
    """Head of a page: its name, and at the right the name of the map and facts about it."""
    red, ink = style.ink("map.title"), style.ink("text")
    heading = text_block(words, style.type("atlas.guide.title"), red, rise=rise_mm)
    room = width_mm - heading.width - 8.0
    game = f"{style.words(title.name)} – {map_name(log, style)}"
    facts = "  ·  ".join(f"{label} {value}".strip() for label, value in facts_of(log, style))
    beside = stacked(
        line_block(game, style.type("atlas.guide.game"), ink, room),
        line_block(facts, style.type("atlas.guide.strong"), ink, room, rise=below(4.2)),
        align=Anchor.END,
    )
    base = 1.6 + heading.height

    def draw(box: Box) -> Iterator[Item]:
        yield from heading.paint(box.x, box.y + 1.6)
        yield from beside.paint(box.right - beside.width, box.y + base + 0.6 - beside.height)
        yield Box(box.x, box.y + base + 2.6, width_mm, 0.5).plate(red)

    return box_block(width_mm, base + 7.2, draw)


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
    words, ink, hair = _balance_words(style, fairness), style.ink("text"), style.ink("card.hair")
    strong = style.type("atlas.guide.strong")
    head = page_head(title, log, words["balance"], style, width_mm)
    fair = text_block(words["fairness"], strong.at(13), ink)
    body = style.type("atlas.guide.body")
    lines = wrap_rich(words["about"], body, width_mm - fair.width - 16.0)
    about = text_block(lines, body, ink, leading=1.25, align=Anchor.START)
    page = Box(0, 0, width_mm, height_mm)
    tall = len(lines) * 1.25 * body.size_mm + 4.6
    _, top, _, names, *_ = page.rows(head.height, tall, 3.0, 9.0)
    items: list[Item] = [
        *head.paint(0, 0),
        top.plate(style.ink("card.tint"), radius=1.5),
        top.centred(in_row(fair, 8.0, about), Anchor.START, pad=4.0),
    ]
    widths, heads = (_NAME_MM, *[0] * len(COLUMNS)), strong.at(_HEAD_PT)
    for column, box in zip(COLUMNS, names.columns(*widths)[1:], strict=True):
        lines = wrap_rich(words[column], heads, box.width - 1.6)
        name = text_block(lines, heads, ink, leading=1.1, align=Anchor.START)
        items.append(box.centred(name, Anchor.START, 1, down=2.0))
    table = Box(0, names.foot, width_mm, len(rows) * _ROW_MM)
    grid = table.grid(widths, [_ROW_MM] * len(rows))
    known = with_roundels(title)
    for number, row in enumerate(rows):
        company, cell = known[row.company], grid[0, number]
        _, sign, _, room = cell.columns(0.4, _ROUNDEL_MM, 2.0, _NAME_MM - _ROUNDEL_MM - 4.0)
        roundel = shape_block(roundel_items(company, _ROUNDEL_MM, style), _ROUNDEL_MM)
        items += (
            grid[:, number].rows(0.15)[0].plate(hair),
            sign.centred(roundel),
            room.words(style.words(company.name), strong, ink, Anchor.START),
        )
    for number, (column, fill) in enumerate(COLUMNS.items()):
        values = [row.values[number] for row in rows]
        there = [value for value in values if value is not None]
        most, mean = max(there, default=0) or 1, math.fsum(there) / max(1, len(there))
        bars: list[Item] = []
        for line, value in enumerate(values):
            figure, _, bar = grid[number + 1, line].rows(4.6, 1.6, _BAR_MM)
            shown = title.money(value) if value is not None and column in _MONEY else str(value)
            text = text_block("–" if value is None else shown, strong, ink)
            bars += text.paint(figure.x, figure.foot - text.height)
            bar = bar._replace(width=bar.width - _GAP_MM)
            bars += _bar(bar, (value or 0) / most, mean / most, fill, style, over=0.5)
        items.append(grid[number + 1, :].boxed(bars))
    return Scene(
        key="atlas-balance:1",
        width_mm=width_mm,
        height_mm=height_mm,
        items=tuple(items),
        label=words["balance"],
    )


def worth_block(
    title: Title, style: Style, width_mm: float, *, rows: Sequence[HomeRow], fairness: float
) -> Block:
    """The fairness of a map, and the worth of each home as a bar in a line, the mean marked."""
    strong, ink = style.type("atlas.fact.strong"), style.ink("text")
    line, words = strong.at(_LINE_PT), _balance_words(style, fairness)
    worth = text_block(words["worth"], line, ink)
    heading = line_block(words["fairness"], strong, ink, width_mm - worth.width - 2.0)
    worths = [row.values[_WORTH] or 0 for row in rows]
    most, mean = max(worths) or 1, math.fsum(worths) / len(worths)
    names = [title.company_by_id[row.company].token_text for row in rows]
    money = [title.money(amount) for amount in worths]
    left, right = (max(text_width(text, line) for text in texts) for texts in (names, money))

    def draw(box: Box) -> Iterator[Item]:
        head, _, *lines = box.rows(heading.height, 1.6, *[_LINE_MM] * len(rows))
        yield from heading.paint(head.x, head.y)
        yield from worth.paint(head.right - worth.width, head.foot - worth.height)
        for row, name, value, paid in zip(lines, names, worths, money, strict=True):
            first, _, middle, _, last = row.columns(left, 1.2, 0, 1.2, right)
            bar = middle.within(middle.width, _LINE_BAR_MM)
            yield first.words(name, line, ink, Anchor.START)
            yield from _bar(bar, value / most, mean / most, COLUMNS["worth"], style, over=0.4)
            yield last.words(paid, line, ink, Anchor.END)

    return box_block(width_mm, heading.height + 1.6 + len(rows) * _LINE_MM, draw)


def _bar(
    room: Box, share: float, mean: float, ink: str, style: Style, *, over: float
) -> Iterator[Item]:
    """A bar in its room, and a mark at the mean, which reaches `over` it above and below."""
    yield room.plate(style.ink("card.tint"))
    if share:
        yield room._replace(width=share * room.width).plate(style.ink(ink))
    at = min(mean * room.width, room.width - _MARK_MM)
    mark = Box(room.x + at, room.y, _MARK_MM, room.height).inset(0, -over)
    yield mark.plate(style.ink("text"))


def _balance_words(style: Style, fairness: float) -> dict[str, str]:
    table = atlas_words.table("balance_words")
    return {key: style.words(text, f"{fairness:.1f}") for key, text in table.items()}


# Hexes of the legend, flat to flat, and of the map tile in it.
_HEX_MM, _SMALL_MM = 8.6, 5.4
_WIDTHS = (112.0, 96.0, 84.0)
_PAD = 7.5
# Width of the bars alone, the least next to a code, and the gap between the two.
_BARS_MM, _LEAST_BARS_MM, _BARS_GAP_MM = 60.0, 42.0, 3.0
# A module of a code is four dots of a picture at 100 dpi; ISO/IEC 18004 demands four light modules
# around it.
_MODULE_MM, _QUIET = 1, 4

Modules = Sequence[Sequence[bool]]


def draw_atlas_poster(
    title: Title,
    log: AtlasLog,
    style: Style,
    *,
    code: Modules = (),
    rows: Sequence[HomeRow] = (),
    fairness: float = 0,
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
) -> Block:
    """Names of the game and the map, facts, comparison of the homes, code, and notes."""
    inner, ink, red = width - 2 * _PAD, style.ink("text"), style.ink("map.title")
    name = style.words(title.name)
    (small, large), above = title_lines(name), style.type("atlas.title.small")
    if text_width(small, above.at(above.min_pt)) > inner:
        small, large = "", name
    parts: list[Part] = [0.5]
    if small:
        parts += (0.8, line_block(small, above, red, inner), 2.6)
    parts += (name_block(large, "atlas.title", style, inner), divider(inner, style), 2.8)
    subtitle = style.type("map.subtitle")
    parts.append(line_block(map_name(log, style), subtitle, ink, inner, rise=leaded(1)))
    parts += (1.6, _facts(facts_of(log, style), inner, style), 1)
    for text in title.credits:
        parts.append(plate_lines(style.words(text), style.type("map.credits"), ink, inner))
    notice = style.words(map_words("prototype"))
    parts += (1.4, line_block(notice, style.type("map.notice"), ink, inner, rise=leaded(1.12)))
    if rows or code:
        bars = partial(worth_block, title, style, rows=rows, fairness=fairness) if rows else None
        parts += (2.0, _bars_and_code(bars, code, inner, style))
    for note in notes:
        lines = plate_lines(note, style.type("atlas.note"), ink, inner, leading=1.15)
        parts += (1, lines)
    words = stacked(*parts, -0.6)
    return plated(words.sized(inner, words.height), _PAD, style)


def _bars_and_code(
    bars: Callable[[float], Block] | None, code: Modules, width: float, style: Style
) -> Block:
    """Bars beside a code, or above it where they would be too short; one of the two may be
    missing."""
    drawn = _code_block(code, style)
    if bars is None:
        return drawn
    room = width - drawn.width - _BARS_GAP_MM
    if code and room >= _LEAST_BARS_MM:
        return in_row(bars(room), _BARS_GAP_MM, drawn)
    return stacked(bars(min(width, _BARS_MM)), 1, drawn)


def _code_block(code: Modules, style: Style) -> Block:
    """QR code with its quiet zone; adjacent dark modules of a row are one rectangle."""
    if not code:
        return strut(0)
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
    paper = Box(0, 0, side, side).plate(style.ink("white"))
    return Block(side, side, placing((paper, Path(commands=tuple(dark), fill=style.ink("black")))))


def _facts(facts: tuple[tuple[str, str], ...], inner: float, style: Style) -> Block:
    """Facts with their values, on as many lines as they need."""
    plain, strong, ink = (
        style.type("atlas.fact"),
        style.type("atlas.fact.strong"),
        style.ink("text"),
    )
    blocks: list[Block] = []
    for label, value in facts:
        words = [(label, plain), (value, strong)]
        runs = [text_block(text, kind, ink, rise=leaded(1.2)) for text, kind in words if text]
        blocks.append(in_row(*runs, gap=1.1))
    return flowed(blocks, inner, 4.0, 0, Anchor.MIDDLE)


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


def _hexagon(plan: MapPlan, across_mm: float, fill: Ink, style: Style, at: Point = (0, 0)) -> Path:
    points = [(x + at[0], y + at[1]) for x, y in corner_points(plan.layout, across_mm)]
    return Path(commands=polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _capital(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    inner = corner_points(plan.layout, _HEX_MM * (1 - 2.6 * FRAME))
    slot = disc((0, 0), _HEX_MM * 0.2, style.ink("slot"), style.stroke("slot"), role=Role.SLOT)
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
