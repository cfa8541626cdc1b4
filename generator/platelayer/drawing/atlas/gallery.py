"""Contact sheets of small maps to choose one from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.style import Style
from platelayer.model.atlas import (
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Ground,
    doubled,
    tile_hexes,
)
from platelayer.model.hexes import Layout, centre_mm, corner_points
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Item,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_centred, set_line

PAGE_MM = (210.0, 297.0)
ACROSS, DOWN = 3, 4
PER_SHEET = ACROSS * DOWN
_RIM_MM, _HEAD_MM, _GAP_MM, _WORDS_MM = 11.0, 13.0, 5.0, 10.0
_WIDEST_HEX_MM = 6.2

_INKS = {
    Ground.HOME: "tile.yellow",
    Ground.PLAIN: "tile.white",
    Ground.MOUNTAIN: "terrain.mountain.shade",
    Ground.WATER: "tile.blue",
    Ground.CITY: "tile.white",
    Ground.BORDER: "atlas.border.dark",
    Ground.DESTINATION: "tile.red",
}


class Shown(Struct, frozen=True, kw_only=True):
    """One map of a gallery: its log, and the lines below it (a strong one, and one of measures)."""

    log: AtlasLog
    name: str
    words: str


def draw_gallery(
    title: str, box: AtlasBox, maps: Sequence[Shown], style: Style
) -> tuple[Scene, ...]:
    """Sheets of A4 with PER_SHEET maps each, all hexes of one size."""
    cell_w = (PAGE_MM[0] - 2 * _RIM_MM - (ACROSS - 1) * _GAP_MM) / ACROSS
    cell_h = (PAGE_MM[1] - 2 * _RIM_MM - _HEAD_MM - (DOWN - 1) * _GAP_MM) / DOWN
    room = (cell_w, cell_h - _WORDS_MM)
    across = min([_WIDEST_HEX_MM, *(_fitting(shown.log, room) for shown in maps)])
    sheets = []
    for number in range(0, len(maps), PER_SHEET):
        items: list[Item] = [Path(commands=rectangle_path(0, 0, *PAGE_MM), fill=style.ink("white"))]
        words, y = style.ink("text"), _RIM_MM + 4.5
        legend, left = _legend(style, PAGE_MM[0] - _RIM_MM, y)
        type_style, head = one_line(title, style.type("sheet.strong").at(13), left - _RIM_MM)
        items += [*set_line(head, type_style, words, _RIM_MM, y), *legend]
        for index, shown in enumerate(maps[number : number + PER_SHEET]):
            row, column = divmod(index, ACROSS)
            x = _RIM_MM + column * (cell_w + _GAP_MM)
            y = _RIM_MM + _HEAD_MM + row * (cell_h + _GAP_MM)
            items += _small_map(box, shown.log, (x + room[0] / 2, y + room[1] / 2), across, style)
            middle = x + cell_w / 2
            strong, soft = style.type("sheet.strong"), style.type("sheet")
            items += set_line(
                shown.name,
                strong,
                style.ink("text"),
                middle,
                y + cell_h - 4.6,
                anchor=Anchor.MIDDLE,
            )
            items += set_line(
                shown.words,
                soft,
                style.ink("text.soft"),
                middle,
                y + cell_h - 1.2,
                anchor=Anchor.MIDDLE,
            )
        key = f"gallery:{number // PER_SHEET + 1}"
        sheets.append(
            Scene(
                key=key, width_mm=PAGE_MM[0], height_mm=PAGE_MM[1], items=tuple(items), label=title
            )
        )
    return tuple(sheets)


def stacked(sheets: Sequence[Scene]) -> Scene:
    """All sheets below each other as one drawing."""
    items = tuple(
        Use(scene=sheet, matrix=translation(0, index * sheet.height_mm))
        for index, sheet in enumerate(sheets)
    )
    height = math.fsum(sheet.height_mm for sheet in sheets)
    return Scene(
        key="gallery", width_mm=PAGE_MM[0], height_mm=height, items=items, label=sheets[0].label
    )


def _places(log: AtlasLog) -> list[Axial]:
    return [place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)] + list(
        log.blanks
    )


def _extent(log: AtlasLog, across_mm: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of a map whose hex (0, 0) is centred on (0, 0)."""
    centres = [centre_mm(doubled(place), Layout.FLAT, across_mm) for place in _places(log)]
    half_w, half_h = across_mm / math.sqrt(3), across_mm / 2
    left, right = min(x for x, _ in centres) - half_w, max(x for x, _ in centres) + half_w
    top, bottom = min(y for _, y in centres) - half_h, max(y for _, y in centres) + half_h
    return left, top, right - left, bottom - top


def _fitting(log: AtlasLog, room: tuple[float, float]) -> float:
    """The size, flat to flat, of hexes at which a map fits the room."""
    _, _, width, height = _extent(log, 1.0)
    return min(room[0] / width, room[1] / height)


def _small_map(
    box: AtlasBox, log: AtlasLog, middle: tuple[float, float], across: float, style: Style
) -> list[Item]:
    left, top, width, height = _extent(log, across)
    shift_x, shift_y = middle[0] - left - width / 2, middle[1] - top - height / 2
    corners = corner_points(Layout.FLAT, across)
    capitals = set(log.overlays)
    thin = Stroke(ink=style.ink("map.hexrim"), width_mm=0.1)
    bold = Stroke(ink=style.ink("map.frame.line"), width_mm=0.32, join="round")
    grounds: list[Item] = []
    rims: list[Item] = []
    signs: list[Item] = []

    def centre(place: Axial) -> tuple[float, float]:
        x, y = centre_mm(doubled(place), Layout.FLAT, across)
        return x + shift_x, y + shift_y

    def hexagon(place: Axial, fill: Ink) -> Path:
        x, y = centre(place)
        return Path(
            commands=polygon_path((x + dx, y + dy) for dx, dy in corners), fill=fill, stroke=thin
        )

    for draw in log.placed:
        tile = box.tile_by_number[draw.tile]
        places = tile_hexes(draw.at, draw.rotation)
        for place, printed in zip(places, tile.hexes, strict=True):
            grounds.append(hexagon(place, style.ink(_INKS[printed.ground])))
            signs += _sign(printed, centre(place), across, style, capital=place in capitals)
        rims += [
            Path(commands=polygon_path(edge, closed=False), stroke=bold)
            for edge in _rim(places, corners, centre)
        ]
    for place in log.blanks:
        grounds.append(hexagon(place, style.ink("map.margin")))
    return [*grounds, *rims, *signs]


def _rim(
    places: Sequence[Axial], corners: Sequence[Point], centre: Callable[[Axial], Point]
) -> Iterator[list[Point]]:
    """The outer edges of a map tile, as pairs of points."""
    for place in places:
        x, y = centre(place)
        for edge, step in enumerate(NEIGHBOURS):
            if place + step not in places:
                yield [(x + dx, y + dy) for dx, dy in (corners[edge - 1], corners[edge])]


def _sign(
    hexagon: AtlasHex, at: Point, across: float, style: Style, *, capital: bool
) -> list[Item]:
    """The letters of a home, the circle of a city, gold for a capital."""
    x, y = at
    if hexagon.ground is Ground.CITY:
        line = Stroke(ink=style.ink("track"), width_mm=0.2)
        fill = style.ink("atlas.capital" if capital else "slot")
        return [
            Circle(
                cx=x,
                cy=y,
                r=across * (0.34 if capital else 0.24),
                fill=fill,
                stroke=line,
                role=Role.SLOT,
            )
        ]
    if hexagon.ground is Ground.HOME:
        letters = style.type("tile.number").at(across * 1.45)
        return list(set_centred(hexagon.company or "", letters, style.ink("text"), x, y))
    return []


def _legend(style: Style, right: float, y: float) -> tuple[list[Item], float]:
    """What the colours mean, ending at `right`; and where room for something else ends."""
    items: list[Item] = []
    soft = style.type("sheet")
    entries = [
        ("home", "tile.yellow"),
        ("mountain", "terrain.mountain.shade"),
        ("water", "tile.blue"),
        ("destination", "tile.red"),
        ("border", "atlas.border.dark"),
        ("blank", "map.margin"),
        ("capital", "atlas.capital"),
    ]
    x = right
    for words, ink in reversed(entries):
        runs = set_line(words, soft, style.ink("text.soft"), x, y, anchor=Anchor.END)
        items += runs
        x -= runs[0].width_mm + 1.2
        shape = rectangle_path(x - 2.6, y - 2.2, 2.6, 2.6)
        line = Stroke(ink=style.ink("map.hexrim"), width_mm=0.1)
        items.append(Path(commands=shape, fill=style.ink(ink), stroke=line))
        x -= 2.6 + 3.4
    return items, x
