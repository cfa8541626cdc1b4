"""Map tiles: three hexes in one piece."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.hex.ground import frame_items, hex_polygon
from platelayer.drawing.hex.hexes import SAFE
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.track import track_items
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.board import Extras, board_items, map_style
from platelayer.drawing.map.ground import ground_ink, separate, shore_edges
from platelayer.drawing.map.map_tile_signs import (
    Numbered,
    border_art,
    closed_edges,
    number_discs,
    number_items,
    rose_discs,
    sign_items,
)
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.text import Text
from platelayer.model.atlas import CORNERS_OF_TILE, MapTile, doubled
from platelayer.model.atlas_board import SCHEME, board_of_tile
from platelayer.model.company import Home
from platelayer.model.gamemap import Border, GameMap, MapHex
from platelayer.model.hexes import EDGES, Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Path, Scene, polygon_path, translation


def draw_map_tile(title: Title, piece_id: str, style: Style) -> Scene:
    """A map tile of the box (its printed number): three hexes, each `title.pieces.size("map-tile")` flat to flat.

    The scene is the bounding box of the three hexes, its outline theirs; grounds and track run on into the bleed.
    Raises KeyError when the title has no such map tile.
    """
    box = title.atlas
    if box is None or not piece_id.isdecimal():
        raise KeyError(piece_id)
    tile = box.tile_by_number[int(piece_id)]
    across_mm = title.pieces.size("map-tile", piece_id).width_mm
    board = board_of_tile(tile, company_names(title))
    places = tuple(hexagon.at for hexagon in board.hexes)
    mark = Numbered(tile.number, (places[0], places[1], places[2]), 0)
    return piece_scene(at_home(title, tile, board), board, across_mm, style, key=f"map-tile:{piece_id}", mark=mark)


def company_names(title: Title) -> dict[str, Text]:
    """Names of companies by id."""
    return {company.id: company.name for company in title.companies}


def at_home(title: Title, tile: MapTile, board: GameMap) -> Title:
    """The title with those companies at home that this map tile is home to, and no others."""
    homes = {
        hexagon.company: hexes.id for hexagon, hexes in zip(tile.hexes, board.hexes, strict=True) if hexagon.company
    }
    return with_homes(title, homes)


def with_homes(title: Title, homes: dict[str, str]) -> Title:
    """The title with companies (by id) at home in hexes (by printed coordinates), at their first stop."""
    companies = tuple(
        replace(company, homes=(Home(homes[company.id], None),) if company.id in homes else ())
        for company in title.companies
    )
    return replace(title, companies=companies)


def piece_scene(
    title: Title,
    board: GameMap,
    across_mm: float,
    style: Style,
    *,
    key: str,
    mark: Numbered | None = None,
    over: tuple[Item, ...] = (),
) -> Scene:
    """A piece of one or more hexes that belong together, as it is cut out; `mark` prints its number, `over` (round the
    middle of the piece) is drawn on top."""
    style = map_style(style)
    plan = MapPlan(gamemap=board, across_mm=across_mm)
    left, top, right, bottom = plan.bounds
    plan = plan.moved(-left, -top)

    def clear(hexagon: MapHex, plan: MapPlan) -> tuple[tuple[float, float, float], ...]:
        number = number_discs(mark, hexagon.at, plan) if mark is not None else ()
        return number + rose_discs(hexagon, plan)

    extras = Extras(under=lambda plan, style: tuple(sign_items(plan, style)), keep_clear=clear)
    items: list[Item] = [*_bleeding(plan, style), *board_items(title, plan, style, rims=_rims, extras=extras)]
    if mark is not None:
        items += number_items((mark,), plan, style)
    width, height = right - left, bottom - top
    middles = [plan.centre(hexagon.at) for hexagon in board.hexes]
    middle = (math.fsum(x for x, _ in middles) / len(middles), math.fsum(y for _, y in middles) / len(middles))
    items.append(Group(items=over, matrix=translation(*middle)))
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across_mm * 0.95,
        outline=plan.lines(plan.outside_edges(board.hexes)),
        label=key.partition(":")[2],
    )


def blank_board() -> GameMap:
    """The three hexes of a map tile with nothing on them and no lines between them."""
    hexes = tuple(
        MapHex(
            at=doubled(place),
            tile=Tile(id=SCHEME.name(doubled(place)), colour="atlas.project"),
            borders=tuple(Border(edge=edge, kind="none") for edge in EDGES),
        )
        for place in CORNERS_OF_TILE
    )
    return GameMap(id="blank", name=Text.plain("blank"), layout=Layout.FLAT, scheme=SCHEME, hexes=hexes)


def _bleeding(plan: MapPlan, style: Style) -> list[Item]:
    """Grounds and track grown into the bleed; what they cover of the piece itself is painted over."""
    items: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        outline = polygon_path(hex_polygon(plan.layout, plan.across_mm, BLEED_MM))
        grown: list[Item] = [Path(commands=outline, fill=ground_ink(plan, hexagon, style))]
        grown += frame_items(hexagon.tile, plan.layout, plan.across_mm, style, bleed_mm=BLEED_MM)
        lines = track_items(
            hexagon.tile, plan_hex(hexagon.tile, plan.layout, plan.across_mm), plan.across_mm, style, bleed_mm=BLEED_MM
        )
        closed = closed_edges(plan, hexagon)
        if closed:
            lines += border_art(plan, closed, style, bleed_mm=BLEED_MM)
        if lines:
            grown.append(Group(items=lines, clip=outline))
        items.append(Group(items=tuple(grown), matrix=translation(*plan.centre(hexagon.at))))
    return items


def _rims(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Fine lines between the hexes of the piece, stronger ones along water; none where it is cut."""
    fine, shore = shore_edges(plan)
    items = [Path(commands=separate(plan, fine), stroke=style.stroke("map.hexrim"))] if fine else []
    if shore:
        items.append(Path(commands=plan.lines(shore), stroke=style.stroke("map.shore")))
    return tuple(items)
