"""Poster of an assembled map with its legend, and the page that compares its homes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from platelayer.atlas.measures import NONE
from platelayer.atlas.report import MapPrint
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
from platelayer.drawing.kit.lettering import title_lines, wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.board import Extras, draw_poster
from platelayer.drawing.map.ground import open_water, shows_water
from platelayer.drawing.map.map_tile import (
    Numbered,
    border_art,
    company_names,
    compass_items,
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
from platelayer.model.gamemap import GameMap, MapHex, corner_points
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    BORDER,
    HAND,
    AtlasBox,
    AtlasLog,
    board_coord,
    board_of,
    board_origin,
    homes_of,
    place_name,
)
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Item,
    Items,
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
    """Return the name of the mode of play, or its id if the title has a mode of its own."""
    return style.words(atlas_words.table("modes").get(log.mode, Text.plain(log.mode)))


def conditions_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Return pairs of a label and a value, either of which may be empty: how to make the same map
    again."""
    facts = []
    if log.seed is not None:
        facts.append((style.words(atlas_words("seed")), str(log.seed)))
    if log.algorithm == HAND:
        facts.append((style.words(atlas_words("laid_by_hand")), ""))
    else:
        policy = atlas_words.table("policies").get(log.policy, Text.plain(log.policy))
        facts.append((style.words(atlas_words("policy")), style.words(policy)))
    if log.stack is not None:
        facts.append((style.words(atlas_words("stack"), log.stack), ""))
    return tuple(facts)


def facts_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Return the conditions of a map, and the numbers of its pieces."""
    facts = [*conditions_of(log, style)]
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
    """Return the head of a page: its name and, at the right, the name of the map and facts about
    it."""
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

# Figures of a home, with the inks of their bars; `balance_words` has their names.
COLUMNS = {
    "train_2": "tile.yellow",
    "train_3": "tile.green",
    "train_4": "tile.green",
    "worth": "map.title",
    "city_way": "tile.gray",
    "mountain_cost": "tile.gray",
    "capital_way": "tile.gray",
    "destination_way": "tile.gray",
    "rivals": "tile.gray",
}
_MONEY = ("train_2", "train_3", "train_4", "worth", "mountain_cost")


def draw_balance(job: MapPrint, width_mm: float, height_mm: float) -> Scene:
    """Draw a page of this size that compares the homes of a map, key `atlas-balance:1`. The bars
    of a column have one scale, and a mark at their mean. Sentences stand at the foot."""
    title, style, homes = job.title, job.style, sorted(job.homes.items())
    table_words = atlas_words.table("balance_words").items()
    words = {key: style.words(text, f"{job.fairness:.1f}") for key, text in table_words}
    ink, hair = style.ink("text"), style.ink("card.hair")
    strong = style.type("atlas.guide.strong")
    head = page_head(title, job.log, words["balance"], style, width_mm)
    fair = text_block(words["fairness"], strong.at(13), ink)
    body = style.type("atlas.guide.body")
    lines = wrap_rich(words["about"], body, width_mm - fair.width - 16.0)
    about = text_block(lines, body, ink, leading=1.25, align=Anchor.START)
    page = Box(0, 0, width_mm, height_mm)
    tall = len(lines) * 1.25 * body.size_mm + 4.6
    _, top, _, names, *_ = page.rows(head.height, tall, 3.0, 9.0)
    items = [
        *head.paint(0, 0),
        top.plate(style.ink("card.tint"), radius=1.5),
        top.centred(in_row(fair, 8.0, about), Anchor.START, pad=4.0),
    ]
    widths, heads = (_NAME_MM, *[0] * len(COLUMNS)), strong.at(_HEAD_PT)
    for column, box in zip(COLUMNS, names.columns(*widths)[1:], strict=True):
        lines = wrap_rich(words[column], heads, box.width - 1.6)
        name = text_block(lines, heads, ink, leading=1.1, align=Anchor.START)
        items.append(box.centred(name, Anchor.START, 1, down=2.0))
    table = Box(0, names.foot, width_mm, len(homes) * _ROW_MM)
    grid = table.grid(widths, [_ROW_MM] * len(homes))
    known = with_roundels(title)
    for number, (company_id, _) in enumerate(homes):
        company, cell = known[company_id], grid[0, number]
        _, sign, _, room = cell.columns(0.4, _ROUNDEL_MM, 2.0, _NAME_MM - _ROUNDEL_MM - 4.0)
        roundel = shape_block(roundel_items(company, _ROUNDEL_MM, style), _ROUNDEL_MM)
        items += (
            grid[:, number].rows(0.15)[0].plate(hair),
            sign.centred(roundel),
            room.words(style.words(company.name), strong, ink, Anchor.START),
        )
    for number, (column, fill) in enumerate(COLUMNS.items()):
        measured = [home.measured(column) for _, home in homes]
        values = [None if value == NONE else value for value in measured]
        there = [value for value in values if value is not None]
        most, mean = max(there, default=0) or 1, math.fsum(there) / max(1, len(there))
        bars: list[Item] = []
        for line, value in enumerate(values):
            figure, _, bar = grid[number + 1, line].rows(4.6, 1.6, _BAR_MM)
            shown = title.money(value) if value is not None and column in _MONEY else str(value)
            text = text_block("–" if value is None else shown, strong, ink)
            bars += text.paint(figure.x, figure.foot - text.height)
            bar = bar._replace(width=bar.width - _GAP_MM)
            bars.append(bar.plate(style.ink("card.tint")))
            if value:
                bars.append(bar._replace(width=value / most * bar.width).plate(style.ink(fill)))
            # The mark at the mean extends above and below the bar, so that it is visible on both of
            # its grounds.
            at = min(mean / most * bar.width, bar.width - _MARK_MM)
            mark = Box(bar.x + at, bar.y, _MARK_MM, bar.height).inset(0, -0.5)
            bars.append(mark.plate(style.ink("text")))
        items.append(grid[number + 1, :].boxed(bars))
    below_table = [
        text_block(wrap_rich(note, body, width_mm), body, ink, leading=1.25, align=Anchor.START)
        for note in _notes(job)
    ]
    foot = stacked(*below_table, gap=1.6, align=Anchor.START)
    items += foot.paint(0, table.foot + 4.0)
    return Scene(
        "atlas-balance:1",
        width_mm,
        height_mm,
        tuple(items),
        label=words["balance"],
    )


def _notes(job: MapPrint) -> Iterator[str]:
    """Yield sentences on the fairness; on companies in play without a home on the map, each with
    the best that it may choose; and the command that makes the map again."""
    yield from job.judgements
    style, names = job.style, []
    for company in job.companies:
        if company not in job.homes:
            name = job.name(company)
            if best := job.chosen.get(company):
                at = place_name(best.at, board_origin(job.log))
                worth = job.title.money(best.home.worth)
                name = style.words(atlas_words("at_best"), name, at, worth)
            names.append(name)
    if names:
        comma = style.words(atlas_words.table("setup_words")["comma"])
        yield style.words(atlas_words("in_play_elsewhere"), comma.join(names))
    if job.again:
        yield job.again


# Sizes of hexes in the legend and of those in its map tile, flat to flat.
_HEX_MM, _SMALL_MM = 8.6, 5.4
# Share of its hex that water without shallows fills in the legend.
_OPEN = 0.66
_WIDTHS = (112.0, 96.0, 84.0)
_PAD = 7.5
# Width of a QR code without its margin; minimum width of its modules, so that a camera can
# distinguish them; light modules around it, as ISO/IEC 18004 requires; and the gap between code and
# words.
_CODE_MM, _LEAST_MODULE_MM, _QUIET, _CODE_GAP_MM = 22.0, 0.45, 4, 5.0
# Diameters of the compass; the first that fits in an empty corner is used.
_COMPASS_MM = (84.0, 72.0, 60.0, 48.0)
# Distances from the frame to the two neat lines, a strong and a fine one.
_NEAT_MM = (1.5, 2.3)

Modules = Sequence[Sequence[bool]]


def draw_atlas_poster(
    title: Title,
    log: AtlasLog,
    style: Style,
    *,
    code: Modules = (),
    opens: bool = False,
) -> Scene:
    """Draw the poster of an assembled map, its hexes as large as those of the title's map tiles.

    `code` is a QR code with the command that makes the map again, or, if it `opens` the map, with
    an address.

    Raises KeyError when the title has no map tiles, or lacks those of the log; ValueError for a log
    without tiles.
    """
    box, board = board_with_names(title, log)
    origin = board_origin(log)
    homes = {company: place_name(at, origin) for company, at in homes_of(box, log).items()}
    across = piece_size(title, "map-tile").width_mm
    tiles = []
    for draw in log.placed:
        one, two, three = (board_coord(at, origin) for at in draw.hexes)
        tiles.append(Numbered(draw.tile, (one, two, three)))
    owner = {at: tile for tile in tiles for at in tile.hexes}

    def clear(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
        tile = owner.get(hexagon.at)
        return (*(number_discs(tile, hexagon.at, plan) if tile else ()), *rose_discs(hexagon, plan))

    extras = Extras(
        ground=_ground_items,
        under=lambda plan, style: tuple(sign_items(plan, style)),
        edges=lambda plan, style: edge_items(tiles, plan, style),
        over=lambda plan, style: tuple(number_items(tiles, plan, style)),
        keep_clear=clear,
        titles=lambda style: tuple(
            _cartouche(title, log, width, style, code=code, opens=opens) for width in _WIDTHS
        ),
        spare=lambda style: tuple(
            shape_block(compass_items(wide, style), wide) for wide in _COMPASS_MM
        ),
        entries=lambda plan, style: tuple(_entries(plan, style)),
    )
    board_title = with_homes(title, homes)
    return draw_poster(board_title, board, across, style, key="atlas-map", extras=extras)


def board_with_names(title: Title, log: AtlasLog) -> tuple[AtlasBox, GameMap]:
    """Return the box of a title and the board of a log, with homes named after their companies."""
    if title.atlas is None:
        raise KeyError("atlas")
    if not log.placed:
        raise ValueError("a log without map tiles has no board")
    return title.atlas, board_of(title.atlas, log, company_names(title))


def _ground_items(frame: tuple[float, float, float, float], style: Style) -> Items:
    """Return the compass lines within the neat line of a chart."""
    left, top, width, height = frame
    lines = (
        Path(
            rectangle_path(left + by, top + by, width - 2 * by, height - 2 * by),
            stroke=style.stroke(f"map.frame.{weight}"),
        )
        for by, weight in zip(_NEAT_MM, ("neat", "fine"), strict=True)
    )
    return (*rhumb_items(frame, style), *lines)


def _cartouche(
    title: Title, log: AtlasLog, width: float, style: Style, *, code: Modules, opens: bool
) -> Block:
    """Return the names of the game and the map, and beside the code how to make the map again and
    the credits."""
    inner, ink, red = width - 2 * _PAD, style.ink("text"), style.ink("map.title")
    name = style.words(title.name)
    (small, large), above = title_lines(name), style.type("atlas.title.small")
    if text_width(small, above.at(above.min_pt)) > inner:
        small, large = "", name
    parts: list[Part] = [0.5]
    if small:
        parts += (0.8, line_block(small, above, red, inner), 2.6)
    parts += (name_block(large, "atlas.title", style, inner), divider(inner, style), 2.8)
    drawn = _code_block(code, style)
    room = inner - drawn.width - _CODE_GAP_MM if code else inner
    mode = line_block(map_name(log, style), style.type("map.subtitle"), ink, room, rise=leaded(1))
    words: list[Part] = [mode, 1.8, _facts(conditions_of(log, style), room, style), 1.2]
    for text in title.credits:
        words.append(plate_lines(style.words(text), style.type("map.credits"), ink, room))
    notice = style.words(map_words("prototype"))
    words += (1.4, plate_lines(notice, style.type("map.notice"), ink, room))
    if code:
        note = style.words(atlas_words("code_opens" if opens else "code_again"))
        words += (1.6, plate_lines(note, style.type("atlas.note"), ink, room, leading=1.15))
        about = stacked(*words)
        parts.append(in_row(about.sized(room, about.height), _CODE_GAP_MM, drawn))
    else:
        parts += words
    block = stacked(*parts, -0.6)
    return plated(block.sized(inner, block.height), _PAD, style, grand=True)


def _code_block(code: Modules, style: Style) -> Block:
    """QR code with its quiet zone; adjacent dark modules of a row are one rectangle."""
    if not code:
        return strut(0)
    module_mm = max(_CODE_MM / len(code), _LEAST_MODULE_MM)
    side = (len(code) + 2 * _QUIET) * module_mm
    dark: list[Command] = []
    for row, modules in enumerate(code):
        column = 0
        for is_dark, run in groupby(modules):
            length = len(list(run))
            if is_dark:
                x, y = ((module + _QUIET) * module_mm for module in (column, row))
                dark += rectangle_path(x, y, length * module_mm, module_mm)
            column += length
    paper = Box(0, 0, side, side).plate(style.ink("white"))
    return Block(side, side, placing((paper, Path(tuple(dark), fill=style.ink("black")))))


def _facts(facts: tuple[tuple[str, str], ...], inner: float, style: Style) -> Block:
    """Facts with their values, on as many lines as they need."""
    plain, strong, ink = (
        style.type("atlas.fact"),
        style.type("atlas.fact.strong"),
        style.ink("text"),
    )
    blocks = []
    for label, value in facts:
        words = [(label, plain), (value, strong)]
        runs = [text_block(text, kind, ink, rise=leaded(1.2)) for text, kind in words if text]
        blocks.append(in_row(*runs, gap=1.1))
    return flowed(blocks, inner, 4.0, 0, Anchor.MIDDLE)


def _entries(plan: MapPlan, style: Style) -> Iterator[Entry]:
    """Yield the legend's entries: for map tiles, capitals, water, destinations and borders of the
    map."""
    colours = {hexagon.tile.colour for hexagon in plan.gamemap.hexes}
    yield Entry(_tile(plan, style), style.words(atlas_words("tile_edge")), 10.6)
    if any(hexagon.tile.frame for hexagon in plan.gamemap.hexes):
        yield Entry(_capital(plan, style), style.words(atlas_words("capital")), _HEX_MM)
    if "blue" in colours:
        sign: Items = (_hexagon(plan, _HEX_MM, style.ink("tile.blue"), style),)
        if shows_water(style):
            middle = polygon_path(corner_points(plan.layout, _HEX_MM * _OPEN))
            shallows = _hexagon(plan, _HEX_MM, style.ink("map.sea"), style)
            sign = (shallows, Path(middle, fill=open_water(style)))
        yield Entry(sign, style.words(atlas_words("water")), _HEX_MM)
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
    return Path(polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _capital(plan: MapPlan, style: Style) -> Items:
    inner = corner_points(plan.layout, _HEX_MM * (1 - 2.6 * FRAME))
    slot = disc((0, 0), _HEX_MM * 0.2, style.ink("slot"), style.stroke("slot"), role=Role.SLOT)
    return (
        _hexagon(plan, _HEX_MM, style.ink("atlas.capital"), style),
        Path(polygon_path(inner), fill=style.ink("tile.white")),
        slot,
        *icon_block("capital", "", _HEX_MM * 0.26, style, style.type("map.border.note")).items,
    )


def _tile(plan: MapPlan, style: Style) -> Items:
    """Return a small map tile with its strong outline."""
    centres = triangle(_SMALL_MM)
    items: list[Item] = [
        _hexagon(plan, _SMALL_MM, style.ink("tile.white"), style, at) for at in centres
    ]
    items.append(Path(tile_outline(_SMALL_MM), stroke=style.stroke("atlas.edge")))
    type_style = style.type("map.border.note")
    items += set_centred("14", type_style, style.ink("text"), 0, 0)
    return tuple(items)
