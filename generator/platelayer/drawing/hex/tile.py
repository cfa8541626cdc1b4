"""Tiles, and small drawings of them without words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.hex.captions import (
    Captions,
    Sign,
    add_colour_letter,
    add_discs,
    add_icons,
    add_labels,
    add_name,
    add_number,
    add_offboard,
    add_signs,
    add_stop_names,
    add_tables,
    add_terrain,
)
from platelayer.drawing.hex.geometry import Disc, Field
from platelayer.drawing.hex.ground import (
    FRAME,
    RED_RIM,
    coast_bulk,
    colour_ink,
    edge_items,
    frame_items,
    ground_items,
    hex_polygon,
    painted,
    partition_items,
    rim_items,
    rim_share,
)
from platelayer.drawing.hex.plan import (
    plan_hex,
    stop_ground_items,
    stop_items,
    track_bulk,
    track_items,
)
from platelayer.drawing.hex.words import choose, touching
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.model.gamemap import COS_30, Layout, corner_points
from platelayer.model.kinds import piece_size
from platelayer.model.tile import HEX_MM, Tile
from platelayer.model.title import NO_CORNER, Title
from platelayer.scene.inks import contrast
from platelayer.scene.shapes import (
    Circle,
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    TextRun,
    Use,
    polygon_path,
    transform_commands,
    translation,
)

# Clearance of words from the edges of a hex, as a share of its size (1 mm on 38.1 mm), and from its
# frame or pattern.
SAFE, _BESIDE_FRAME = 0.026, 0.012

# Words in painting order; their places are chosen together.
_WORDS = (
    add_offboard,
    add_tables,
    add_name,
    add_discs,
    add_labels,
    add_icons,
    add_terrain,
    add_stop_names,
    add_colour_letter,
    add_signs,
)


@lru_cache(1536)
def hex_items(
    tile: Tile,
    layout: Layout,
    across_mm: float,
    style: Style,
    *,
    ground: bool = True,
    rim: bool = True,
    number: str | None = None,
    corner: int | str | None = None,
    named: bool = False,
    badges: bool = False,
    signs: tuple[Sign, ...] = (),
    keep_clear: tuple[Disc, ...] = (),
    wet: tuple[Disc, ...] = (),
    bleed_mm: float = 0.0,
) -> Items:
    """Everything printed within a hex `across_mm` from flat to flat, centred on (0, 0), in painting
    order.

    `ground` paints its colour; `rim` a fine line round it; `number` prints the number of a tile
    ("": none), in a `corner` if it is given, and a keyline; `named` prints the coordinates of a
    hex; `badges` makes the signs of terrain small, as a relief below them shows it; `signs` stand free. `keep_clear`
    are circles (x, y, radius in mm) that words must leave free, `wet` those that names and costs of rivers do.
    Ground, frame and track run on into `bleed_mm` round the hex. Words take the places that cost
    least together (`words.py`). Kept while the style is the same: a map of which one hex has
    changed is drawn in a third of the time.
    """
    plan = plan_hex(tile, layout, across_mm)
    items: list[Item] = []
    if ground:
        items += ground_items(tile, layout, across_mm, style, bleed_mm=bleed_mm)
    if number is not None:
        items += edge_items(tile, layout, across_mm, style)
    items += partition_items(tile, layout, across_mm, style)
    items += frame_items(tile, layout, across_mm, style, bleed_mm=bleed_mm)
    if rim:
        items += rim_items(layout, across_mm, style)
    drawn = [
        (stop, mark)
        for stop, mark in zip(tile.stops, plan.marks, strict=True)
        if mark is not None and not stop.hidden
    ]
    for stop, mark in drawn:
        items += stop_ground_items(stop, mark, style)
    items += track_items(tile, plan, across_mm, style, bleed_mm=bleed_mm)
    if bleed_mm:
        # Stroked ends project sideways at slanting edges, but nothing may extend beyond the bleed.
        items = [Group(tuple(items), clip=polygon_path(hex_polygon(layout, across_mm, bleed_mm)))]
    for stop, mark in drawn:
        painted_stop = stop_items(stop, mark, across_mm, style)
        items += painted_stop if len(tile.stops) == 1 else (Group(painted_stop, stop=mark.index),)
    taken = [*track_bulk(tile, plan, across_mm)]
    line = style.stroke("slot").width_mm / 2 * across_mm / HEX_MM
    for _, mark in drawn:
        taken += ((x, y, r + (line if mark.slots else 0.0)) for x, y, r in mark.bulk)
    taken += (*keep_clear, *coast_bulk(tile, layout, across_mm))
    inset = FRAME + _BESIDE_FRAME if tile.frame else SAFE
    if tile.colour == "red" and not ground:
        inset = max(inset, RED_RIM + _BESIDE_FRAME)
    if rimmed_by := rim_share(tile.colour, style):
        inset = max(inset, rimmed_by + _BESIDE_FRAME)
    field = Field(layout, across_mm, inset * across_mm, taken)
    # Words may cover a pattern or frame before values become too small to read.
    rimmed = Field(layout, across_mm, SAFE * across_mm, taken) if inset > SAFE else field
    land = Field(layout, across_mm, inset * across_mm, (*taken, *wet)) if wet else field
    # Black or white, whichever is more legible on all grounds of the hex.
    grounds = [painted(tile, style)]
    if tile.stripes:
        grounds.append(colour_ink(tile.stripes, style))
    ink = max(
        (style.ink("text"), style.ink("white")),
        key=lambda ink: min(contrast(ink, ground) for ground in grounds),
    )
    # Cut names, or let them extend over water, only if there is not enough room for everything
    # otherwise.
    for short in (False, True):
        near = field if short else land
        captions = Captions(
            tile,
            plan,
            field,
            across_mm,
            style,
            ink=ink,
            land=near,
            rimmed=rimmed,
            short=short,
            badges=badges,
            signs=signs,
            wet=wet,
        )
        if printed := tile.id if named else number:
            add_number(captions, printed, corner)
        for add in _WORDS:
            add(captions)
        words = captions.taken()
        choice = choose(words)
        if not touching(words, choice.places, field):
            break
    for word, place in zip(words, choice.places, strict=True):
        block = place.shape.block.at(place.x, place.y)
        if word.claim is None:
            items += block
            continue
        # Record the stop of a word if there are several, and draw its leader.
        index = word.claim.mark.index
        if place.leader is not None:
            stroke = replace(style.stroke("tile.leader"), ink=ink)
            run = polygon_path(place.leader, closed=False)
            leader = Path(run, stroke=stroke, role=Role.SYMBOL)
            block = (Group((leader,), stop=index), *block)
        items.append(Group(block, of=index))
    return tuple(items)


_THINNEST_MM = 0.1


def draw_tile(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw a tile of the box (its number) in the hex layout of the title's first map, or the tile
    on its other side.

    The scene is the hex's bounding box, its outline the hex; ground and track extend into the
    bleed. Raises KeyError if the title has no such tile.
    """
    layout = title.layout
    across_mm = piece_size(title, "tile", piece_id).width_mm
    other = title.other_side(piece_id) if back else None
    entry = other or title.tile_by_id[piece_id]
    corner = title.pieces.number_corner if entry.number_corner is None else entry.number_corner
    number = "" if corner == NO_CORNER else entry.shown
    scene = tile_scene(entry.tile, layout, across_mm, style, number=number, corner=corner)
    if other is None:
        return scene
    return replace(
        scene, key=f"tile:{piece_id}:back", outline=mirrored(scene.outline or (), scene.width_mm)
    )


def tile_scene(
    tile: Tile,
    layout: Layout,
    across_mm: float,
    style: Style,
    *,
    number: str | None = None,
    corner: int | str | None = None,
) -> Scene:
    """Draw one tile `across_mm` from flat to flat, with its number (None: its id) in a corner
    (None: the best)."""
    width, height, outline = hex_trim(layout, across_mm)
    number = tile.id if number is None else number
    items = hex_items(
        tile, layout, across_mm, style, rim=False, number=number, corner=corner, bleed_mm=BLEED_MM
    )
    return Scene(
        f"tile:{tile.id}",
        width,
        height,
        (Group(items, matrix=translation(width / 2, height / 2)),),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across_mm * 0.95,
        outline=outline,
        label=number or tile.id,
    )


def hex_trim(layout: Layout, across_mm: float) -> tuple[float, float, Commands]:
    """Return width and height of a hex's bounding box, and its outline in it."""
    long_mm = across_mm / COS_30
    width, height = (long_mm, across_mm) if layout is Layout.FLAT else (across_mm, long_mm)
    corners = ((x + width / 2, y + height / 2) for x, y in corner_points(layout, across_mm))
    return width, height, polygon_path(corners)


def mirrored(outline: Sequence[Command], width_mm: float) -> Commands:
    """Return a die line as seen from behind."""
    return transform_commands(outline, (-1.0, 0.0, 0.0, 1.0, width_mm, 0.0))


def thumbnail_items(tile: Tile, layout: Layout, across_mm: float, style: Style) -> Items:
    """Return ground, track and stops of a tile, centred on (0, 0), with no line too thin to
    print."""
    plan = plan_hex(tile, layout, across_mm)
    items = [
        *ground_items(tile, layout, across_mm, style),
        *frame_items(tile, layout, across_mm, style),
        *rim_items(layout, across_mm, style),
    ]
    stops = [
        (stop, mark)
        for stop, mark in zip(tile.stops, plan.marks, strict=True)
        if mark and not stop.hidden
    ]
    for stop, mark in stops:
        items += stop_ground_items(stop, mark, style)
    items += track_items(tile, plan, across_mm, style)
    for stop, mark in stops:
        items += stop_items(stop, mark, across_mm, style)
    return _printable(items)


def _printable(items: Sequence[Item]) -> Items:
    """Return a drawing without words and with all lines thick enough."""
    printable: list[Item] = []
    for item in items:
        match item:
            case TextRun():
                continue
            case Group():
                printable.append(replace(item, items=_printable(item.items)))
            case Use():
                printable.append(Group(_printable(item.scene.items), matrix=item.matrix))
            case Path() | Circle():
                if item.stroke is not None and item.stroke.width_mm < _THINNEST_MM:
                    printable.append(
                        replace(item, stroke=replace(item.stroke, width_mm=_THINNEST_MM))
                    )
                else:
                    printable.append(item)
    return tuple(printable)
