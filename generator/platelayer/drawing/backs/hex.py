"""Backs of tiles, map tiles and overlays: only what identifies the piece."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.hex.ground import colour_ink, hex_polygon
from platelayer.drawing.hex.hexes import SAFE
from platelayer.drawing.hex.tile import hex_trim, mirrored
from platelayer.drawing.kit.guilloche import centred, pattern_of, rosette_scene
from platelayer.drawing.kit.lettering import balanced, figure_height, line_step, one_line
from platelayer.drawing.kit.ornament import sign_items, wheel
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.hexes import Layout
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, mix
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    middle_of,
    polygon_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, drop_mm, fit, set_centred, set_line

back_words = FixedWords("backs")
card_words = FixedWords("cards")

_RIM = 0.07
"""Width of the rim in the tile's colour, as a share of the hex."""
_RING = 0.03
"""Width of the ring within it in the colour of the tile's frame, if it has one: within the safe
zone, so that it is seen however the tile is cut."""
_LINE_MM = 0.1
_FULL_MM = 38.1
_UNDER_MM = 1.0
"""From the foot of a descender to the line below, on a tile of full size."""
_WORDS = 0.66
"""Width for words, as a share of the hex."""
_AIR_MM = 0.3
_DISC = 0.46
"""Radius of the disc in the middle of a map tile, as a share of a hex: the hexes' outline comes in
to 0.577."""


def draw_tile_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A tile's number, large, with the game's name and its colour: the same for every tile of a
    number."""
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    across = title.pieces.size("tile", piece.id).width_mm
    entry = title.tile_by_id[piece.id]
    tile = entry.tile
    words = style.named(tile.colour, card_words.table("colour"))
    return _hex_back(
        piece,
        layout,
        tile_ink(tile.colour, style),
        (words, entry.shown, style.words(title.name)),
        style,
        across=across,
        ring=None if tile.frame is None else colour_ink(tile.frame, style),
    )


def draw_overlay_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A blank overlay is the same on both sides; another has its name on the back."""
    if piece.group == "blank":
        from platelayer.drawing.map.overlay import draw_overlay

        return replace(draw_overlay(title, piece.id, style), key=f"{piece.key}:back")
    across = title.pieces.size("overlay", piece.id).width_mm
    on_map = piece.group == "map"
    layout = title.maps[0].layout if on_map else Layout.FLAT
    words = (
        "",
        style.words(piece.name if on_map else back_words.table("back")["overlay"]),
        style.words(title.name),
    )
    return _hex_back(
        piece, layout, style.ink("back.gold"), words, style, across=across, large="back.title"
    )


def _hex_back(
    piece: Piece,
    layout: Layout,
    rim: Ink,
    words: tuple[str, str, str],
    style: Style,
    *,
    across: float,
    large: str = "back.number",
    ring: Ink | None = None,
) -> Scene:
    """A rim that bleeds, in it a ring if there is one, pale curves within, and three lines: small,
    large, small."""
    width, height, outline = hex_trim(layout, across)
    ground = style.ink("back.tile")
    inner = polygon_path(hex_polygon(layout, across * (1 - 2 * _RIM)))
    ringed = Path(
        commands=polygon_path(hex_polygon(layout, across * (1 - 2 * _RIM + 2 * _RING))), fill=ring
    )
    lace = rosette_scene(
        f"back:{piece.kind}:{across:g}:lace",
        (pattern_of(piece.kind, style.motif).petals, pattern_of(piece.kind, style.motif).rim),
        across * 0.4,
        Stroke(ink=mix(ground, style.ink("card.soft"), 0.22), width_mm=_LINE_MM),
        Role.GROUND,
    )
    items = (
        Path(commands=polygon_path(hex_polygon(layout, across, BLEED_MM)), fill=rim),
        *((ringed,) if ring is not None else ()),
        Path(commands=inner, fill=ground, stroke=Stroke(ink=style.ink("card.soft"), width_mm=0.15)),
        centred(lace, 0.0, 0.0),
        *_three_lines(words, layout, across, style, large),
    )
    return Scene(
        key=f"{piece.key}:back",
        width_mm=width,
        height_mm=height,
        items=(Group(items=items, matrix=translation(width / 2, height / 2)),),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across * 0.95,
        outline=mirrored(outline, width),
        label=piece.id,
    )


def _three_lines(
    words: tuple[str, str, str], layout: Layout, across: float, style: Style, kind: str
) -> tuple[Item, ...]:
    """What is large in the middle, a small line above it and one below, within the rim."""
    above, large, below = words
    ink = style.ink("card.text")
    k = across / _FULL_MM
    room = across * _WORDS
    small, cap = _sized(style.type("back.title.small"), k), _sized(style.type("back.kind"), k)
    big, lines = balanced(large, _sized(style.type(kind), k), room, 2, clip=True)
    tall = figure_height(big)
    lead = tall * 1.5
    half = (tall + lead * (len(lines) - 1)) / 2
    items: list[Item] = []
    for number, line in enumerate(lines):
        items += set_line(line, big, ink, 0.0, -half + tall + lead * number, anchor=Anchor.MIDDLE)
    if above:
        fitted, line = one_line(above, cap, room)
        items += set_centred(line, fitted, ink, 0.0, -half - 3.6 * k)
    foot = half + max(3.8 * k, drop_mm(lines[-1], big) + _UNDER_MM * k + small.cap_height_mm / 2)
    under, names = balanced(below, small, room, 2)
    if under.size_pt < MIN_PLAY_PT:
        # A long name takes a little more of the width rather than smaller type.
        under, names = balanced(below, small, 1.08 * room, 2, clip=True)
    rows = [(foot + number * under.size_mm * 1.1, line) for number, line in enumerate(names)]
    widths = [_width_at(layout, across * (1 - 2 * _RIM), y + under.size_mm / 2) for y, _ in rows]
    least = min(
        (fit(line, under, width) for (_, line), width in zip(rows, widths, strict=True)),
        key=lambda type_style: type_style.size_pt,
    )
    for (y, line), width in zip(rows, widths, strict=True):
        fitted, shown = one_line(line, least, width)
        items += set_centred(shown, fitted, ink, 0.0, y)
    return tuple(items)


def _width_at(layout: Layout, across: float, y: float) -> float:
    """How wide a hex is at a distance from its middle, with some air at both ends."""
    corner = across / math.sqrt(3)
    wide = (
        2 * (corner - abs(y) / math.sqrt(3))
        if layout is Layout.FLAT
        else min(across, 2 * (corner - abs(y)) * math.sqrt(3))
    )
    return wide - 2 * _AIR_MM


def _sized(type_style: TypeStyle, k: float) -> TypeStyle:
    return type_style.at(max(type_style.min_pt, type_style.size_pt * k))


def draw_map_tile_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The back of map tiles and of capital projects, which lie among them face down, so that nobody
    can see which is which."""
    across = title.pieces.size(piece.kind, piece.id).width_mm
    return _map_back(
        title.id,
        across,
        style.words(title.name),
        style.words(back_words.table("back")["map-tile"]),
        style,
    )


@lru_cache(maxsize=4)
def _map_back(title_id: str, across: float, name: str, words: str, style: Style) -> Scene:
    """Drawn once for all pieces that share it."""
    from platelayer.drawing.map.map_tile import blank_board
    from platelayer.drawing.map.plan import MapPlan

    board = blank_board()
    plan = MapPlan(gamemap=board, across_mm=across)
    left, top, right, bottom = plan.bounds
    width, height = right - left, bottom - top
    plan = plan.moved(-left, -top)
    centres = [(width - x, y) for x, y in (plan.centre(hexagon.at) for hexagon in board.hexes)]
    ground, gold = style.ink("back.map-tile"), style.ink("back.gold")
    light = mix(ground, style.ink("back.plate"), 0.5)
    pattern = pattern_of(title_id, style.motif)
    lace = rosette_scene(
        f"back:map-tile:{across:g}:lace",
        (pattern.rim, pattern.petals, pattern.heart),
        across * 0.45,
        Stroke(ink=light, width_mm=_LINE_MM),
        Role.GROUND,
    )
    grown = hex_polygon(plan.layout, across, BLEED_MM)
    middle = middle_of(centres)
    items: list[Item] = [
        *(
            Group(
                items=(Path(commands=polygon_path(grown), fill=ground),), matrix=translation(x, y)
            )
            for x, y in centres
        ),
        *(centred(lace, x, y) for x, y in centres),
        *(item for x, y in centres for item in _stud(x, y, across * 0.05, gold, style)),
        Group(items=_disc(across, name, words, style), matrix=translation(*middle)),
    ]
    return Scene(
        key=f"back:map-tile:{across:g}",
        width_mm=width,
        height_mm=height,
        items=tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across * 0.95,
        outline=mirrored(plan.lines(plan.outside_edges(board.hexes)), width),
        label=f"{name}: {words}",
    )


def _stud(x: float, y: float, radius: float, ink: Ink, style: Style) -> tuple[Item, ...]:
    """The sign of the motif, or a dot without one."""
    if style.motif is None:
        return (Circle(cx=x, cy=y, r=radius, fill=ink, role=Role.ORNAMENT),)
    return sign_items(style.motif, x, y, 1.4 * radius, ink)


def _disc(across: float, name: str, words: str, style: Style) -> tuple[Item, ...]:
    """A plate with a wheel, the game's name and what the piece is, round (0, 0)."""
    k, r = across / 40.0, _DISC * across
    gold, ink = style.ink("back.gold"), style.ink("card.text")
    type_style = _sized(style.type("back.title"), k)
    big, lines = balanced(name, type_style, r * 1.5, 2)
    if len(lines) > 2:
        big, lines = balanced(name, type_style, r * 1.5, 3, clip=True)
    small = _sized(style.type("back.kind"), k)
    lead = line_step(lines, big, 1.08)
    items: list[Item] = [
        Circle(
            cx=0, cy=0, r=r, fill=style.ink("back.plate"), stroke=Stroke(ink=gold, width_mm=0.6)
        ),
        Circle(cx=0, cy=0, r=r * 0.94, stroke=Stroke(ink=gold, width_mm=0.15)),
        Group(
            items=wheel(0, 0, r * 0.3, style.ink("back.wheel")), matrix=translation(0, -r * 0.44)
        ),
    ]
    first = r * 0.1 - (lead / 2 if len(lines) > 2 else 0.0)
    for number, line in enumerate(lines):
        items += set_centred(line, big, ink, 0, first + number * lead)
    under = (
        (big.cap_height_mm + small.cap_height_mm) / 2 + drop_mm(lines[-1], big) + _UNDER_MM * k / 2
    )
    foot = first + lead * (len(lines) - 1) + max(big.size_mm * 0.95, under)
    items += set_centred(words, fit(words, small, r * 1.1), ink, 0, foot)
    return tuple(items)
