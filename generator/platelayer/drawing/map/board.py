"""The poster of a map: hexes, borders, homes, frame with printed coordinates, cartouche and
legend.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.roundel import company_inks, roundel_items, with_roundels
from platelayer.drawing.hex.geometry import Box, Disc, Field
from platelayer.drawing.hex.ground import ground_items as played_ground_items
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items, hex_trim
from platelayer.drawing.kit.ornament import run_items, sign_items, wheel
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.borders import (
    Area,
    area_items,
    areas,
    bare_tile,
    border_items,
    border_notes,
    note_discs,
    without_words,
)
from platelayer.drawing.map.ground import (
    Room,
    ground_ink,
    ground_items,
    relief_items,
    relief_kind,
    rim_items,
    shading_items,
    shore_items,
    state_items,
    wash_items,
)
from platelayer.drawing.map.marks import (
    HOME_SHARE,
    badge_discs,
    company_items,
    crowded_discs,
    free_signs,
    held_discs,
    held_items,
    home_discs,
    stub_discs,
    stub_items,
)
from platelayer.drawing.map.names import name_items
from platelayer.drawing.map.panels import (
    Entry,
    Panel,
    bonus_panel,
    cartouche,
    legend,
    legend_entries,
    places_panels,
)
from platelayer.drawing.map.plan import MapPlan, half_polygon
from platelayer.drawing.map.rivers import (
    ford_discs,
    ford_items,
    fords,
    halo_items,
    river_items,
    wet_discs,
)
from platelayer.drawing.map.room import (
    Block,
    Drawn,
    Rect,
    find_room,
    left_room,
    room_for,
    room_left,
    sign_discs,
    skyline_of,
    spare_room,
)
from platelayer.drawing.map.shore import Coast, coast_of, sea_name_items, wet_edges, world_items
from platelayer.model.company import Company
from platelayer.model.gamemap import GameMap, Half, MapHex
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.position import NEUTRAL, InPlay, Placed, placed
from platelayer.model.tile import HEX_MM, Position, StopKind, Tile
from platelayer.model.title import Title
from platelayer.scene.flatten import bounds_of
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Point,
    Scene,
    Stroke,
    TextRun,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import run_corners, set_centred

# Edges in whose direction halves lie.
_WAYS = {
    Layout.FLAT: {Half.LEFT: 1.5, Half.RIGHT: 4.5, Half.TOP: 3.0, Half.BOTTOM: 0.0},
    Layout.POINTY: {Half.LEFT: 1.0, Half.RIGHT: 4.0, Half.TOP: 2.5, Half.BOTTOM: 5.5},
}
# How far from the middle the one stop of a half lies, in apothems.
_STOP_AT = 0.5
# Discs over the half that is not there: their radius as a share of the hex, and how many there are
# in a row.
_DISC, _STEPS = 0.11, 4

# From the trim to the outer line of the frame.
_FRAME_INSET_MM = 7.0
# Width of the band that carries the coordinates.
_FRAME_BAND_MM = 6.2
_GAP_MM = 0.9
# From the coordinates' band out to the heavy line, where a border runs between them.
_HEAVY_MM = 3.6
# Half the height of that border.
_BORDER_HALF_MM = 0.95

SAFE_MM = 3.0
# From the trim to the inner line of the frame.
_MARGIN_MM = _FRAME_INSET_MM + _FRAME_BAND_MM
# From the inner line of the frame to the nearest hex.
_PAD_MM = 9.0
# Between hexes and the cartouche or legend.
_CLEAR_MM = 7.0
# From the inner line of the frame to the cartouche or legend.
_BLOCK_INSET_MM = 4.0

_TITLE_WIDTHS = (104.0, 90.0, 78.0)
# Hexes in a layer, of which an edit changes few; and layers of hexes, which a page has to lay on
# each other.
_LEAST_SLICE, _MOST_SLICES = 40, 4
# Columns of the legend and the width of their words in mm, best first.
_LEGEND_SHAPES = ((2, 46.0), (1, 52.0), (3, 42.0), (2, 38.0), (4, 42.0), (1, 42.0))
_TITLE_TASTE = (
    (("left", "bottom"), 900.0),
    (("right", "bottom"), 900.0),
    (("right", "top"), 250.0),
    (("free", "bottom"), 2500.0),
)
# Places for cards stand on the right (rulebook of 18CZ, 11-1), unless that costs a strip of some 3
# cm.
_PLACES_TASTE = ((("left", "top"), 12000.0), (("left", "bottom"), 12000.0))
_LEGEND_TASTE = (
    (("left", "top"), 900.0),
    (("right", "top"), 400.0),
    (("left", "bottom"), 150.0),
    (("free", "top"), 2500.0),
)

# How far captions of regions stay from the rims of their hexes, as a share of the hex.
_INSET = 0.05
_SEA_KINDS = ("sea", "water", "lake")


class Extras(Struct, frozen=True, kw_only=True):
    """What a poster shows beyond what its map says: `ground` is drawn round the board, within a
    frame (left, top, width, height in mm), `under` is drawn on the grounds of the hexes, `edges` on
    their rims, `over` on everything else of the board; `titles` replace the cartouche, at several
    widths; `boards` lie beside the hexes; `entries` follow those of the legend. `numbers` are those
    of the tiles that lie on hexes (by id), to be printed on them."""

    ground: Callable[[Rect, Style], tuple[Item, ...]] | None = None
    under: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    edges: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    over: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    keep_clear: Callable[[MapHex, MapPlan], tuple[Disc, ...]] | None = None
    titles: Callable[[Style], tuple[Panel, ...]] | None = None
    boards: tuple[Panel, ...] = ()
    entries: Callable[[MapPlan, Style], tuple[Entry, ...]] | None = None
    numbers: Mapping[str, str] = {}


NO_EXTRAS = Extras()


def draw_poster(
    title: Title,
    gamemap: GameMap,
    across_mm: float,
    style: Style,
    *,
    key: str,
    extras: Extras = NO_EXTRAS,
) -> Scene:
    """The poster of a board whose hexes are `across_mm` from flat to flat, with the title's
    companies at home."""
    style = map_style(style)
    plan = MapPlan(gamemap=gamemap, across_mm=across_mm)
    left, top, right, bottom = plan.bounds
    plan = plan.moved(-left + _PAD_MM - _BLOCK_INSET_MM, -top + _PAD_MM - _BLOCK_INSET_MM)
    room = 2 * (_PAD_MM - _BLOCK_INSET_MM)
    inner_width, inner_height = right - left + room, bottom - top + room
    names = (
        extras.titles(style)
        if extras.titles
        else tuple(cartouche(title, gamemap, w, style) for w in _TITLE_WIDTHS)
    )
    entries = legend_entries(title, plan, style) + (
        extras.entries(plan, style) if extras.entries else ()
    )
    legends = tuple(
        legend(entries, plan, columns, text_mm, style) for columns, text_mm in _LEGEND_SHAPES
    )
    centres = tuple(plan.centre(hexagon.at) for hexagon in gamemap.hexes)
    skyline = skyline_of(centres, tuple(plan.corners), inner_width, inner_height, _CLEAR_MM)
    cards = tuple(places_panels(title, place, style) for place in gamemap.places)
    blocks = (
        Block(shapes=_sizes(names), tastes=_TITLE_TASTE),
        Block(shapes=_sizes(legends), tastes=_LEGEND_TASTE),
        *(Block(shapes=_sizes(panels), tastes=_PLACES_TASTE) for panels in cards),
    )
    growth, places = find_room(skyline, blocks, _CLEAR_MM)
    placed = [
        (panels[shape], box)
        for panels, (shape, box) in zip((names, legends, *cards), places, strict=True)
    ]
    for bonus in title.bonuses:
        panel = bonus_panel(title, bonus, style)
        spare = spare_room(
            skyline,
            growth,
            [box for _, box in placed],
            (panel.width_mm, panel.height_mm),
            _CLEAR_MM,
        )
        if spare is not None:
            placed.append((panel, spare))
    boards = extras.boards
    growth, rooms = room_for(skyline, growth, [box for _, box in placed], _sizes(boards), _CLEAR_MM)
    placed += zip(boards, rooms, strict=True)
    edge = _MARGIN_MM + _BLOCK_INSET_MM
    plan = plan.moved(edge + growth.left, edge + growth.top)
    width = inner_width + growth.left + growth.right + 2 * edge
    height = inner_height + growth.top + growth.bottom + 2 * edge
    panels = [
        Group(items=panel.items, matrix=translation(edge + box[0], edge + box[1]))
        for panel, box in placed
    ]
    boxes = [
        (edge + box[0], edge + box[1], panel.width_mm, panel.height_mm) for panel, box in placed
    ]
    # A board laid out of pieces ends where they end.
    coast = None if extras.ground else coast_of(plan, wet_edges(plan), _within(width, height))
    names_at_sea = tuple(sea_name_items(plan, coast, boxes, style)) if coast else ()
    sheet = rectangle_path(-BLEED_MM, -BLEED_MM, width + 2 * BLEED_MM, height + 2 * BLEED_MM)
    layers = (
        (
            Path(commands=sheet, fill=style.ink("map.margin")),
            *_frame_items(plan, width, height, style),
            *(extras.ground(_within(width, height), style) if extras.ground else ()),
            *(world_items(plan, coast, style) if coast else shore_items(plan, style)),
            *names_at_sea,
        ),
        *board_layers(
            title, plan, style, rims=partial(rim_items, coast=coast), extras=extras, coast=coast
        ),
        tuple(panels),
    )
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=tuple(chain.from_iterable(layers)),
        cuts=tuple(accumulate(len(layer) for layer in layers[:-1])),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE_MM,
        label=f"{style.words(title.name)}: {style.words(gamemap.name)}",
        places=tuple((hexagon.id, *plan.centre(hexagon.at)) for hexagon in gamemap.hexes),
    )


def _within(width: float, height: float) -> Rect:
    """What the frame of a sheet leaves: left, top, width, height."""
    return _MARGIN_MM, _MARGIN_MM, width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM


@lru_cache(maxsize=8)
def map_style(style: Style, prefix: str = "map.hex.") -> Style:
    """The style for what is in hexes of a map: read from farther away than tiles, `map.hex.*`
    replaces `tile.*`."""
    types = dict(style.theme.types)
    for name, type_style in style.theme.types.items():
        if name.startswith(prefix):
            types["tile." + name.removeprefix(prefix)] = type_style
    return replace(style, theme=replace(style.theme, types=types))


def draw_hex(hexagon: MapHex, layout: Layout, across_mm: float, style: Style) -> Scene:
    """One hex of a map by itself, `across_mm` from flat to flat: without its borders, rivers and
    homes."""
    width, height, outline = hex_trim(layout, across_mm)
    own = map_style(style, "map.red." if hexagon.tile.colour == "red" else "map.hex.")
    items = hex_items(hexagon.tile, layout, across_mm, own, rim=False)
    at = Group(items=items, matrix=translation(width / 2, height / 2))
    return Scene(
        key=f"hex:{hexagon.id}", width_mm=width, height_mm=height, items=(at,), outline=outline
    )


def _shown(hexagon: MapHex, plan: MapPlan) -> Tile:
    """What a hex prints itself: the waves of the sea and rivers are drawn for the whole map."""
    tile = hexagon.tile
    shown = fords(plan.gamemap, hexagon)
    if shown:
        tile = replace(tile, terrain=tuple(entry for entry in tile.terrain if entry not in shown))
    if tile.colour != "blue":
        return tile
    land = tuple(
        entry for entry in tile.terrain if entry.cost or not set(entry.kinds) <= set(_SEA_KINDS)
    )
    return replace(tile, terrain=land)


def _sizes(panels: tuple[Panel, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((panel.width_mm, panel.height_mm) for panel in panels)


def board_layers(
    title: Title,
    plan: MapPlan,
    style: Style,
    *,
    rims: Callable[[MapPlan, Style], tuple[Item, ...]],
    extras: Extras = NO_EXTRAS,
    coast: Coast | None = None,
) -> tuple[tuple[Item, ...], ...]:
    """The hexes of a board with all that is on them, in layers from the ground up, which seldom
    change together; `style` comes from `map_style`. White hexes end at their `coast`, where there
    is one; without one, at their edges."""
    red = map_style(style, "map.red.")
    gamemap, clear = plan.gamemap, extras.keep_clear
    across = areas(plan)
    silent = {hexagon.id for area in across for hexagon in area.hexes}
    drawn: dict[str, tuple[Item, ...]] = {}
    free = free_signs(title, plan)
    notes = tuple(border_notes(plan, title.phases))

    def contents(hexagon: MapHex, tile: Tile, *taken: Disc) -> tuple[Item, ...]:
        return hex_items(
            tile,
            plan.layout,
            plan.across_mm,
            red if tile.colour == "red" else style,
            ground=False,
            rim=False,
            number=extras.numbers.get(hexagon.id),
            named=gamemap.scheme.inside,
            badges=coast is not None
            and bool(style.theme.relief)
            and relief_kind(plan, hexagon) is not None,
            keep_clear=(
                *_half_discs(hexagon.half, plan),
                *stub_discs(hexagon, plan),
                *home_discs(title, hexagon, plan),
                *held_discs(title, hexagon, plan),
                *note_discs(notes, plan, hexagon, style),
                *(clear(hexagon, plan) if clear else ()),
                *taken,
            ),
            wet=wet_discs(plan, hexagon),
        )

    for hexagon in gamemap.hexes:
        tile = _shown(hexagon, plan)
        if hexagon.half is not None:
            tile = _in_half(tile, hexagon.half, plan.layout)
        tile = without_words(tile) if hexagon.id in silent else tile
        items = contents(hexagon, tile)
        bare = partial(contents, hexagon, bare_tile(tile))
        crowded = (
            *crowded_discs(len(free.get(hexagon.id, ())), plan, items, bare),
            *ford_discs(plan, hexagon, items, bare, style),
        )
        items = contents(hexagon, tile, *crowded) if crowded else items
        items = (*items, *ford_items(plan, hexagon, items, style))
        items = (*halo_items(plan, hexagon, items, ground_ink(plan, hexagon, style)), *items)
        if hexagon.half is not None:
            items = (
                Group(items=items, clip=polygon_path(half_polygon(hexagon.half, plan.corners))),
            )
        drawn[hexagon.id] = items
    hexes = [
        Group(items=drawn[hexagon.id], matrix=translation(*plan.centre(hexagon.at)))
        for hexagon in gamemap.hexes
        if drawn[hexagon.id]
    ]
    companies = company_items(title, plan, style, drawn)

    def room(hex_id: str) -> Field:
        field = left_room(plan, drawn[hex_id], _INSET * plan.across_mm)
        hexagon = gamemap.by_id[hex_id]
        for disc in (*home_discs(title, hexagon, plan), *wet_discs(plan, hexagon)):
            field.take_disc(*disc)
        return field

    taken = (
        *badge_discs(companies, plan),
        *(disc for other in gamemap.hexes for disc in _held(title, other, plan)),
    )
    names = name_items(plan, drawn, taken, room, style)
    said = _boxes((*names.behind, *names.above))

    def unsaid(hex_id: str) -> Room:
        """The room that a relief has in a hex."""
        hexagon = gamemap.by_id[hex_id]
        x, y = plan.centre(hexagon.at)
        near = (
            (left + width / 2 - x, top + height / 2 - y, width, height)
            for left, top, width, height in said
            if abs(left + width / 2 - x) < plan.across_mm
            and abs(top + height / 2 - y) < plan.across_mm
        )
        discs = (*home_discs(title, hexagon, plan), *wet_discs(plan, hexagon))
        return _room(
            hex_id, plan.layout, plan.across_mm, Drawn(drawn[hex_id]), (discs, tuple(near))
        )

    shading, signs = (
        (shading_items(plan, style), relief_items(plan, unsaid, style))
        if coast is not None
        else ((), ())
    )
    shores = coast.edges if coast is not None else ()
    tints = (*shading, *wash_items(plan, style, shores))
    lines = (*state_items(plan, style), *river_items(plan, shores, style), *names.behind)
    land, beyond = ground_items(plan, style, coast, covered=bool(tints or signs or lines))
    below = (
        *lines,
        *beyond,
        *(extras.under(plan, style) if extras.under else ()),
        *rims(plan, style),
        *(extras.edges(plan, style) if extras.edges else ()),
        *held_items(title, plan, style),
        *stub_items(plan, style),
    )
    above = (
        *(
            item
            for area in across
            for item in area_items(area, plan, _kept(area, plan, drawn, clear, style), red)
        ),
        *border_items(plan, title.phases, notes, style),
        *companies,
        *names.above,
        *(extras.over(plan, style) if extras.over else ()),
    )
    size = max(_LEAST_SLICE, math.ceil(len(hexes) / _MOST_SLICES))
    slices = tuple(tuple(hexes[start : start + size]) for start in range(0, len(hexes), size))
    return (*land, *tints), signs, below, *slices, above


@lru_cache(maxsize=1536)
def _room(
    _hex_id: str,
    layout: Layout,
    across_mm: float,
    drawn: Drawn,
    taken: tuple[tuple[Disc, ...], tuple[Rect, ...]],
) -> Room:
    """The room that a relief has in a hex beside what is drawn there, discs and boxes. Kept: an
    edit changes few."""
    field = room_left(layout, across_mm, drawn.items, -across_mm)
    for disc in taken[0]:
        field.take_disc(*disc)
    for box in taken[1]:
        field.take_box(*box)
    return Room(field)


def _boxes(items: Sequence[Item]) -> list[Rect]:
    """What words cover on the sheet: left, top, width, height."""
    boxes = []
    for item in items:
        if isinstance(item, TextRun):
            left, top, right, bottom = bounds_of(run_corners(item))
            boxes.append((left, top, right - left, bottom - top))
    return boxes


def _held(title: Title, hexagon: MapHex, plan: MapPlan) -> Iterator[Disc]:
    """Circles on the sheet along the broken line of a held hex."""
    x, y = plan.centre(hexagon.at)
    return ((x + dx, y + dy, radius) for dx, dy, radius in held_discs(title, hexagon, plan))


def _kept(
    area: Area,
    plan: MapPlan,
    drawn: dict[str, tuple[Item, ...]],
    clear: Callable[[MapHex, MapPlan], tuple[Disc, ...]] | None,
    style: Style,
) -> Iterator[Disc]:
    """Circles on the sheet that words of an area leave free."""
    patterns = style.theme.patterns
    for hexagon in area.hexes:
        x, y = plan.centre(hexagon.at)
        # Without these nothing but track and stops is drawn in the hexes of an area.
        signed = hexagon.tile.icons or hexagon.tile.labels or hexagon.tile.colour in patterns
        signs = sign_discs(drawn[hexagon.id]) if signed else ()
        discs = (*signs, *stub_discs(hexagon, plan), *(clear(hexagon, plan) if clear else ()))
        yield from ((x + dx, y + dy, radius) for dx, dy, radius in discs)


def _frame_items(
    plan: MapPlan, width_mm: float, height_mm: float, style: Style
) -> tuple[Item, ...]:
    """A heavy outer line, a band with the coordinates of columns and rows, graduated like the frame
    of a chart."""
    left = top = _FRAME_INSET_MM
    right, bottom = width_mm - _FRAME_INSET_MM, height_mm - _FRAME_INSET_MM
    band = _FRAME_BAND_MM
    heavy, fine = style.stroke("map.frame.heavy"), style.stroke("map.frame.fine")
    items: list[Item] = [
        Path(commands=_rectangle(left, top, right, bottom), fill=style.ink("map.frame.ground")),
        Path(
            commands=_rectangle(left + band, top + band, right - band, bottom - band),
            fill=style.ink("map.ground"),
        ),
    ]
    columns, rows = _stations(plan)
    dark: list[tuple[Point, ...]] = []
    ticks: list[tuple[Point, Point]] = []
    marks = (
        (columns, left + band, right - band, ((top, top + band), (bottom - band, bottom)), False),
        (rows, top + band, bottom - band, ((left, left + band), (right - band, right)), True),
    )
    strip = _GAP_MM
    for stations, low, high, bands, upright in marks:
        cuts = _cuts(stations, low, high)
        for number, (a, b) in enumerate(pairwise(cuts)):
            for inner, outer in ((bands[0][1], bands[0][0]), (bands[1][0], bands[1][1])):
                edge = inner - strip if inner > outer else inner + strip
                if number % 2 == 0:
                    dark.append(_box(a, b, inner, edge, upright))
                ticks.append(
                    _line(b, inner, outer, upright)
                    if b < high - 0.5
                    else _line(b, inner, edge, upright)
                )
                if number == 0 and a > low + 0.5:
                    ticks.append(_line(a, inner, outer, upright))
    items.append(
        Path(
            commands=tuple(c for box in dark for c in polygon_path(box)),
            fill=style.ink("map.frame.line"),
        )
    )
    items.append(
        Path(commands=tuple(c for t in ticks for c in polygon_path(t, closed=False)), stroke=fine)
    )
    items += _lines((left, top, right, bottom), heavy, fine, style)
    items += _corners(left, top, right, bottom, style)
    items += _letters(columns, rows, (left, top, right, bottom), style)
    return tuple(items)


def _stations(plan: MapPlan) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Where columns and rows that exist lie, and what the rim prints there."""
    scheme, (ox, oy) = plan.gamemap.scheme, plan.origin
    half, pitch = plan.across_mm / 2, plan.across_mm * COS_30
    step_x, step_y = (pitch, half) if plan.layout is Layout.FLAT else (half, pitch)
    xs = sorted({hexagon.at.x for hexagon in plan.gamemap.hexes})
    ys = sorted({hexagon.at.y for hexagon in plan.gamemap.hexes})
    return (
        [(ox + x * step_x, scheme.column(x)) for x in xs],
        [(oy + y * step_y, scheme.row(y)) for y in ys],
    )


def _cuts(stations: Sequence[tuple[float, str]], low: float, high: float) -> list[float]:
    """Borders between stations: half-way, and as far again beyond the first and last one, within
    the frame."""
    places = [place for place, _ in stations]
    middles = [(a + b) / 2 for a, b in pairwise(places)]
    if not middles:
        return [low, high]
    reach = min(b - a for a, b in pairwise(places)) / 2
    return [max(low, places[0] - reach), *middles, min(high, places[-1] + reach)]


def _box(a: float, b: float, inner: float, edge: float, upright: bool) -> tuple[Point, ...]:
    box = ((a, inner), (b, inner), (b, edge), (a, edge))
    return tuple((y, x) for x, y in box) if upright else box


def _line(at: float, inner: float, outer: float, upright: bool) -> tuple[Point, Point]:
    return ((inner, at), (outer, at)) if upright else ((at, inner), (at, outer))


def _rectangle(
    left: float, top: float, right: float, bottom: float
) -> tuple[tuple[str | float, ...], ...]:
    return rectangle_path(left, top, right - left, bottom - top)


def _lines(frame: Box, heavy: Stroke, fine: Stroke, style: Style) -> list[Item]:
    left, top, right, bottom = frame
    band, gap, motif = _FRAME_BAND_MM, _GAP_MM, style.motif
    bordered = motif is not None and motif.run is not None
    out = _HEAVY_MM if bordered else 1.3
    lines: list[Item] = [
        Path(commands=_rectangle(left - out, top - out, right + out, bottom + out), stroke=heavy),
        Path(commands=_rectangle(left, top, right, bottom), stroke=fine),
        Path(
            commands=_rectangle(
                left + band - gap, top + band - gap, right - band + gap, bottom - band + gap
            ),
            stroke=fine,
        ),
        Path(
            commands=_rectangle(left + band, top + band, right - band, bottom - band), stroke=fine
        ),
    ]
    if motif is not None and bordered:
        at, ink = (out + heavy.width_mm / 2) / 2, style.ink("map.frame.line")
        x, y, wide, tall = left - at, top - at, right - left + 2 * at, bottom - top + 2 * at
        lines += run_items(motif, (x, y, wide, tall), half=_BORDER_HALF_MM, ink=ink)
        for cx, cy in ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)):
            lines += sign_items(motif, cx, cy, _BORDER_HALF_MM * 1.15, ink)
    return lines


def _corners(left: float, top: float, right: float, bottom: float, style: Style) -> list[Item]:
    """The sign of the motif in each corner of the band, or a small wheel without one."""
    band, ink, motif = _FRAME_BAND_MM, style.ink("map.frame.line"), style.motif
    fine = style.stroke("map.frame.fine")
    items: list[Item] = []
    for x, y in (
        (left, top),
        (right - band, top),
        (right - band, bottom - band),
        (left, bottom - band),
    ):
        cx, cy, r = x + band / 2, y + band / 2, band * 0.33
        items.append(
            Path(
                commands=rectangle_path(x, y, band, band),
                fill=style.ink("map.frame.ground"),
                stroke=fine,
            )
        )
        items += (
            wheel(cx, cy, r, ink, spokes=6) if motif is None else sign_items(motif, cx, cy, r, ink)
        )
    return items


def _letters(
    columns: Sequence[tuple[float, str]],
    rows: Sequence[tuple[float, str]],
    frame: Box,
    style: Style,
) -> list[Item]:
    left, top, right, bottom = frame
    type_style, ink, half = style.type("map.rim"), style.ink("text"), (_FRAME_BAND_MM - _GAP_MM) / 2
    items: list[Item] = []
    for x, word in columns:
        for y in (top + half, bottom - half):
            items += set_centred(word, type_style, ink, x, y)
    for y, word in rows:
        for x in (left + half, right - half):
            items += set_centred(word, type_style, ink, x, y)
    return items


def _in_half(tile: Tile, half: Half, layout: Layout) -> Tile:
    """A hex whose one stop, if it says nothing else, lies in the half that there is."""
    if (
        len(tile.stops) != 1
        or tile.stops[0].at is not None
        or tile.stops[0].kind is StopKind.OFFBOARD
    ):
        return tile
    at = Position(edge=_WAYS[layout][half], distance=_STOP_AT)
    return replace(tile, stops=(replace(tile.stops[0], at=at),))


def _half_discs(half: Half | None, plan: MapPlan) -> tuple[Disc, ...]:
    """Circles over the half of a hex that is not there, so that words keep out of it."""
    if half is None:
        return ()
    radius, reach = _DISC * plan.across_mm, plan.across_mm * 0.6
    side = {Half.LEFT: (1, 0), Half.RIGHT: (-1, 0), Half.TOP: (0, 1), Half.BOTTOM: (0, -1)}[half]
    discs: list[Disc] = []
    for out in range(_STEPS):
        for along in range(-_STEPS, _STEPS + 1):
            deep, wide = radius * 0.8 + out * reach / _STEPS, along * reach / _STEPS
            discs.append((side[0] * deep + side[1] * wide, side[1] * deep + side[0] * wide, radius))
    return tuple(discs)


# Maps in play: tiles on their hexes, tokens in their slots.


# Diameter of a token as a share of its slot: its rim and that of the slot stay apart.
_TOKEN_SHARE = 0.94
# Diameter of a token in a stop without slots, on a hex of 38.1 mm.
_LOOSE_MM = 11.0


def as_played(title: Title, in_play: InPlay, extras: Extras) -> tuple[Title, GameMap, Extras]:
    """A title and its map as a position shows them, and what its poster shows beyond what they say.

    A tile hides what its hex prints, rivers and names of lands too. In a hex with tokens, homes
    that are still free are drawn beside these; companies with tokens are at home nowhere else.
    """
    position = in_play.position
    gamemap = title.map_of(position)
    shown = title.shown_in(position)
    laid = {
        hex_id: lay.tile
        for hex_id, lay in position.tiles
        if hex_id in shown and lay.tile in title.tile_by_id
    }
    known = {NEUTRAL, *title.company_by_id}
    tokens = [token for token in placed(position) if token.hex in shown and token.company in known]
    busy = {token.company for token in tokens}
    held = {token.hex for token in tokens}
    companies = with_roundels(title)
    waiting = {
        hex_id: [
            company
            for company in companies.values()
            if company.has_charter
            and company.id not in busy
            and any(home.hex == hex_id for home in company.homes)
        ]
        for hex_id in sorted(held)
    }

    def over(plan: MapPlan, style: Style) -> tuple[Item, ...]:
        before = extras.over(plan, style) if extras.over else ()
        return (*before, *_token_items(plan, companies, tokens, waiting, style))

    def under(plan: MapPlan, style: Style) -> tuple[Item, ...]:
        before = extras.under(plan, style) if extras.under else ()
        return (*before, *_covers(plan, laid, style))

    hexes = tuple(
        _as_laid(hexagon, shown[hexagon.id]) if hexagon.id in laid else hexagon
        for hexagon in gamemap.hexes
    )
    board = replace(gamemap, hexes=hexes)
    settled = tuple(
        replace(
            company,
            homes=tuple(
                home for home in company.homes if company.id not in busy and home.hex not in held
            ),
            blocks=tuple(hex_id for hex_id in company.blocks if hex_id not in laid),
        )
        for company in title.companies
    )
    maps = tuple(board if entry is gamemap else entry for entry in title.maps)
    return (
        replace(title, maps=maps, companies=settled),
        board,
        replace(extras, over=over, under=under, numbers=laid if in_play.numbers else {}),
    )


def _as_laid(hexagon: MapHex, tile: Tile) -> MapHex:
    return replace(hexagon, tile=replace(tile, id=hexagon.id), stubs=(), reserved=())


def _covers(plan: MapPlan, laid: dict[str, str], style: Style) -> Iterator[Item]:
    """The grounds of tiles once more, over rivers and names of lands."""
    if not (plan.gamemap.rivers or plan.gamemap.regions):
        return
    for hexagon in plan.gamemap.hexes:
        if hexagon.id in laid:
            ground = played_ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
            yield Group(items=ground, matrix=translation(*plan.centre(hexagon.at)))


def _token_items(
    plan: MapPlan,
    companies: dict[str, Company],
    tokens: list[Placed],
    waiting: dict[str, list[Company]],
    style: Style,
) -> Iterator[Item]:
    """Tokens in their slots, and the homes of companies that wait in the slots that these leave
    free."""
    taken = {(token.hex, token.stop, token.slot) for token in tokens}
    for token in tokens:
        place = _slot(plan, token.hex, token.stop, token.slot)
        if place is not None:
            x, y, slot_mm = place
            across = slot_mm * _TOKEN_SHARE
            nobody = token.company == NEUTRAL
            items = (
                _neutral_items(across, style)
                if nobody
                else token_items(companies[token.company], across, style)
            )
            yield Group(items=items, matrix=translation(x, y))
    for hex_id, at_home in waiting.items():
        for company in at_home:
            stops = {home.stop for home in company.homes if home.hex == hex_id}
            free = next(
                (
                    (stop, slot)
                    for stop, entry in enumerate(plan.gamemap.by_id[hex_id].tile.stops)
                    if entry.kind in (StopKind.CITY, StopKind.PASS)
                    and (None in stops or stop in stops)
                    for slot in range(entry.slots)
                    if (hex_id, stop, slot) not in taken
                ),
                None,
            )
            if free is not None and (place := _slot(plan, hex_id, *free)) is not None:
                taken.add((hex_id, *free))
                x, y, slot_mm = place
                yield Group(
                    items=roundel_items(company, slot_mm * HOME_SHARE, style),
                    matrix=translation(x, y),
                )


def _slot(plan: MapPlan, hex_id: str, stop: int, slot: int) -> tuple[float, float, float] | None:
    """Where a slot is on the sheet, and how wide; of a stop without slots, the stop. None where
    nothing is drawn."""
    hexagon = plan.gamemap.by_id[hex_id]
    marks = plan_hex(hexagon.tile, plan.layout, plan.across_mm).marks
    mark = marks[stop] if stop < len(marks) else None
    if mark is None:
        return None
    x, y = plan.centre(hexagon.at)
    if slot < len(mark.slots):
        dx, dy = mark.slots[slot]
        return x + dx, y + dy, mark.slot_mm
    if mark.slots or not mark.bulk:
        return None
    dx, dy, _ = mark.bulk[0]
    return x + dx, y + dy, _LOOSE_MM * plan.across_mm / HEX_MM


def token_items(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """A station token as it lies in its slot, centred on (0, 0); the company comes from
    `with_roundels`."""
    inks = company_inks(company, style)
    edge = min(inks.line, inks.on_band, key=luminance)
    rim = Circle(
        cx=0.0, cy=0.0, r=diameter_mm / 2, fill=inks.band, stroke=Stroke(ink=edge, width_mm=0.2)
    )
    return (rim, *roundel_items(company, diameter_mm * 0.9, style))


def _neutral_items(diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """A token of nobody: a grey disc with a cross."""
    rim, arm = Stroke(ink=style.ink("black"), width_mm=0.2), diameter_mm * 0.2
    cross = Stroke(ink=style.ink("black"), width_mm=diameter_mm * 0.09, cap="round")
    lines = (("M", -arm, -arm), ("L", arm, arm), ("M", -arm, arm), ("L", arm, -arm))
    return (
        Circle(cx=0.0, cy=0.0, r=diameter_mm / 2, fill=style.ink("rule.soft"), stroke=rim),
        Path(commands=lines, stroke=cross),
    )
