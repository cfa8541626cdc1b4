"""Titles for Board18: a game box as an archive."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.exchange.out.board18 import (
    BOARD,
    HEX_PX,
    HEX_STEP_PX,
    MARKET,
    MOST_TILES,
    MOST_TOKENS,
    TOKEN_PX,
    Box,
    Place,
    Tray,
    box_zip,
    corner_px,
    sheet_px,
)
from platelayer.exchange.tiles.same import turns
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.sprites import cut_out, turned
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.kinds import KINDS, Form
from platelayer.pipeline.export.faces import BACK, Choice, Face, cut_picture, faces, picture
from platelayer.scene.digest import Digester
from platelayer.scene.shapes import Group, Item, Scene

_MARKET_PX_PER_MM = 4.0
_ORIENTATION = {Layout.FLAT: "F", Layout.POINTY: "P"}

Faces = tuple[Face, ...]


def box_files(choice: Choice) -> dict[str, bytes]:
    """The archive of the game box. Raises CannotRun for a title without a map or a market, on which Board18 plays."""
    title = choice.title
    maps = [piece.id for piece in choice.pieces if piece.kind == "map"]
    if not maps:
        if title.maps:
            raise CannotRun(f"--only: a game box has a map; add {' or '.join(f'map:{each.id}' for each in title.maps)}")
        more = "; it is drawn at random: `platelayer atlas new` draws one" if title.atlas else ""
        raise CannotRun(f"board18: {title.id} has no map to lay tiles on{more}")
    if title.market is None:
        raise CannotRun(f"board18: {title.id} has no market, which every game box of Board18 has")
    orientation = _ORIENTATION[next(each.layout for each in title.maps if each.id == maps[0])]
    images: dict[str, bytes] = {}
    board = _board(choice, maps[0], orientation, images)
    market = _market(choice, images)
    trays = tuple(_Packing(choice=choice, orientation=orientation, images=images).trays())
    folder = re.sub(r"[^A-Za-z0-9-]", "-", title.id)
    box = Box(
        name=title.name.get("en"), folder=folder, orientation=orientation, board=board, market=market, trays=trays
    )
    name, data = box_zip(box, images)
    return {name: data}


def _board(choice: Choice, map_id: str, orientation: str, images: dict[str, bytes]) -> Place:
    """The map, stretched by a hair to Board18's whole pixels, and where its hexes begin: hexes are counted so that the
    numbers of column and row are both even or both odd."""
    from platelayer.drawing.map.placed import draw_map_with_plan

    scene, plan = draw_map_with_plan(choice.title, map_id, choice.style)
    across, along = plan.across_mm / 2, plan.across_mm * COS_30
    steps = (along, across) if orientation == "F" else (across, along)
    per_mm = tuple(px / mm for px, mm in zip(HEX_STEP_PX[orientation], steps, strict=True))
    size = (round(scene.width_mm * per_mm[0]), round(scene.height_mm * per_mm[1]))
    first = plan.gamemap.hexes[0].at
    x, y = plan.centre(first)
    column, row = first
    left = min(each.at.x for each in plan.gamemap.hexes)
    top = min(each.at.y for each in plan.gamemap.hexes)
    if (column - left + row - top) % 2:
        left -= 1
    start = (
        round(x * per_mm[0] - HEX_PX[orientation][0] / 2) - HEX_STEP_PX[orientation][0] * (column - left),
        round(y * per_mm[1] - HEX_PX[orientation][1] / 2) - HEX_STEP_PX[orientation][1] * (row - top),
    )
    images[BOARD] = cut_picture(scene, size)
    return Place(start=start, step=HEX_STEP_PX[orientation], size=size)


def _market(choice: Choice, images: dict[str, bytes]) -> Place:
    from platelayer.drawing.boards.market import draw_market, first_space

    scene = draw_market(choice.title, "market", choice.style)
    space = first_space(choice.title, choice.style)
    size = (round(scene.width_mm * _MARKET_PX_PER_MM), round(scene.height_mm * _MARKET_PX_PER_MM))
    images[MARKET] = cut_picture(scene, size)
    return Place(
        start=(round(space.x * _MARKET_PX_PER_MM), round(space.y * _MARKET_PX_PER_MM)),
        step=(round(space.width * _MARKET_PX_PER_MM), round(space.height * _MARKET_PX_PER_MM)),
        size=size,
    )


class _Packing(Struct, frozen=True, kw_only=True):
    """A box being filled: what goes in, which way its hexes lie, and its pictures so far."""

    choice: Choice
    orientation: str
    images: dict[str, bytes]

    def trays(self) -> Iterator[Tray]:
        """Tiles by colour, then tokens and markers for the map, then tokens for the market."""
        tiles: dict[str, list[Faces]] = {}
        discs: dict[str, list[Faces]] = {"btok": [], "mtok": []}
        for each in faces(self.choice):
            piece = each[0].piece
            if piece.kind == "tile":
                tiles.setdefault(piece.group, []).append(each)
            elif KINDS[piece.kind].form is Form.DISC:
                discs["mtok" if piece.group == "market" else "btok"].append(each)
        for colour, group in tiles.items():
            yield from self._sheets("tile", colour.capitalize(), group, MOST_TILES)
        for kind, group in discs.items():
            yield from self._sheets(kind, "Tokens" if kind == "btok" else "Market tokens", group, MOST_TOKENS)

    def _sheets(self, kind: str, name: str, group: Sequence[Faces], most: int) -> Iterator[Tray]:
        for number, start in enumerate(range(0, len(group), most), 1):
            here = group[start : start + most]
            word = name if len(group) <= most else f"{name} {number}"
            file = f"{re.sub('[^a-z0-9]+', '-', word.lower())}-{kind}.png"
            pieces = tuple((each[0].piece.count, self._ways(kind, each)) for each in here)
            self.images[file] = self._sheet(kind, here, pieces)
            yield Tray(kind=kind, name=word, file=file, pieces=pieces)

    def _ways(self, kind: str, each: Faces) -> int:
        """The rotations of a tile; 1 for a token whose other side differs, else 0."""
        if kind == "tile":
            return turns(self.choice.title.tile_by_id[each[0].piece.id].tile)
        front, back = each[0].scene, each[-1].scene
        return int(each[-1].label == BACK and Digester().digest([front]) != Digester().digest([back]))

    def _sheet(self, kind: str, here: Sequence[Faces], pieces: Sequence[tuple[int, int]]) -> bytes:
        """A sheet in pixels: its millimetres are pixels too."""
        size = sheet_px(kind, self.orientation, pieces)
        cell = HEX_PX[self.orientation] if kind == "tile" else (TOKEN_PX, TOKEN_PX)
        items: list[Item] = []
        for index, (each, (_, ways)) in enumerate(zip(here, pieces, strict=True)):
            front = each[0].scene
            turning = [turned(front, 60.0 * turn) for turn in range(ways)]
            shown = turning if kind == "tile" else [face.scene for face in (each[0], each[-1])[: 1 + ways]]
            for turn, scene in enumerate(shown):
                x, y = corner_px(kind, self.orientation, index, turn)
                wide, high = cell[0] / scene.width_mm, cell[1] / scene.height_mm
                items.append(Group(items=(cut_out(scene),), matrix=(wide, 0.0, 0.0, high, float(x), float(y))))
        sheet = Scene(key=f"{kind} sheet", width_mm=float(size[0]), height_mm=float(size[1]), items=tuple(items))
        return picture(sheet, size)
