"""Game boxes of Board18.

Sources: the wiki of BOARD18, "Game Box Creation - Control File Semantics" and "Design Document Game
Boxes" (sizes in pixels, forbidden characters), the scripts of its repository that make sheets
(margins and steps), its loader `loadGameBox.php` (names in the archive), and `board18Map1.js`,
which reads the control file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from platelayer.exchange.tile_strings import turns
from platelayer.exchange.writers.pictures import (
    BACK,
    Choice,
    Face,
    cut_picture,
    faces,
    picture,
    zipped,
)
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.values import Frozen, Json
from platelayer.imposition.tiling import cut_out, turned
from platelayer.model.gamemap import COS_30, Layout
from platelayer.model.kinds import KINDS, Form, piece_size
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Group, Scene

# Width and height of a hex, flat side up or point up.
HEX_PX = {"F": (116, 100), "P": (100, 116)}
# Distance from a hex to the next column and the next row.
HEX_STEP_PX = {"F": (87, 50), "P": (50, 87)}
TILE_STEP_PX = {"F": (130, 120), "P": (120, 130)}
TILE_MARGIN_PX = 20
TOKEN_PX, TOKEN_STEP_PX, TOKEN_MARGIN_PX = 30, 40, 10
# Maximum columns of a sheet of tiles and rows of a sheet of tokens, as in Board18's own scripts.
MOST_TILES, MOST_TOKENS = 30, 20

_VERSION, _AUTHOR = "1", "Platelayer"
# Characters that the wiki forbids in names, and characters that JSON writes with a backslash.
_FORBIDDEN = re.compile(r"[+&=~\x00-\x1f]")


class Place(Frozen, kw_only=True):
    """Start of the first hex or space of a picture, the step to the next, and the size of the
    picture, in pixels."""

    start: tuple[int, int]
    step: tuple[int, int]
    size: tuple[int, int]


class Tray(Frozen, kw_only=True):
    """Sheet of tiles ("tile"), or of tokens for the map ("btok") or the market ("mtok"). `pieces`
    are pairs: the number of copies, and for a tile its number of rotations, for a token 1 if it
    has another side, otherwise 0."""

    kind: str
    name: str
    file: str
    pieces: tuple[tuple[int, int], ...]


class Box(Frozen, kw_only=True):
    """Game box. `name` is displayed, `folder` names its files; `orientation` is F or P."""

    name: str
    folder: str
    orientation: str
    board: Place
    market: Place
    trays: tuple[Tray, ...]


BOARD, MARKET = "map.png", "market.png"


def box_zip(box: Box, images: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return the name of the archive and its bytes: one folder with the control file and a folder
    of pictures."""
    root = f"board18-{box.folder}"
    entries = {f"{root}/{box.folder}.json": control_file(box)}
    entries |= {f"{root}/{box.folder}/{name}": images[name] for name in sorted(images)}
    return f"{root}.zip", zipped(entries)


def control_file(box: Box) -> bytes:
    """Return the control file. It contains no single quotes or backslashes, because the loader puts
    it into its database between single quotes."""
    trays = sorted(box.trays, key=lambda tray: ("tile", "btok", "mtok").index(tray.kind))
    value = {
        "bname": plain_words(box.name),
        "version": _VERSION,
        "author": _AUTHOR,
        "board": _picture(box, BOARD, box.board) | {"orientation": box.orientation},
        "market": _picture(box, MARKET, box.market),
        "tray": [_tray(box, tray) for tray in trays],
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def plain_words(words: str) -> str:
    """Return words without the characters that Board18 cannot handle."""
    safe = _FORBIDDEN.sub(" ", words.replace("'", "’").replace('"', "”").replace("\\", "/"))
    return " ".join(safe.split())


def _picture(box: Box, file: str, place: Place) -> Json:
    return {
        "imgLoc": f"images/{box.folder}/{file}",
        "imgHght": place.size[1],
        "imgWdth": place.size[0],
        "xStart": place.start[0],
        "xStep": place.step[0],
        "yStart": place.start[1],
        "yStep": place.step[1],
    }


def _tray(box: Box, tray: Tray) -> Json:
    tiles = tray.kind == "tile"
    size = HEX_PX[box.orientation] if tiles else (TOKEN_PX, TOKEN_PX)
    step = TILE_STEP_PX[box.orientation] if tiles else (TOKEN_STEP_PX, TOKEN_STEP_PX)
    margin = TILE_MARGIN_PX if tiles else TOKEN_MARGIN_PX
    entry = {
        "type": tray.kind,
        "tName": plain_words(tray.name),
        "imgLoc": f"images/{box.folder}/{tray.file}",
        "xStart": margin,
        "xSize": size[0],
        "xStep": step[0],
        "yStart": margin,
        "ySize": size[1],
        "yStep": step[1],
    }
    if tiles:
        entry["tile"] = [{"dups": dups, "rots": rots} for dups, rots in tray.pieces]
    else:
        entry["token"] = [{"dups": dups, "flip": bool(flip)} for dups, flip in tray.pieces]
    return entry


def sheet_px(kind: str, orientation: str, pieces: Sequence[object]) -> tuple[int, int]:
    """Return the width and height of a sheet: a column for each tile with a row for each rotation,
    or a row for each token with a column for each side."""
    if kind == "tile":
        across, down = TILE_STEP_PX[orientation]
        return TILE_MARGIN_PX + across * len(pieces), TILE_MARGIN_PX + 6 * down
    return TOKEN_MARGIN_PX + 2 * TOKEN_STEP_PX, TOKEN_MARGIN_PX + TOKEN_STEP_PX * len(pieces)


def corner_px(kind: str, orientation: str, index: int, turn: int) -> tuple[int, int]:
    """Return the upper left corner of a tile in one rotation, or of one side of a token, on its
    sheet."""
    if kind == "tile":
        across, down = TILE_STEP_PX[orientation]
        return TILE_MARGIN_PX + across * index, TILE_MARGIN_PX + down * turn
    return TOKEN_MARGIN_PX + TOKEN_STEP_PX * turn, TOKEN_MARGIN_PX + TOKEN_STEP_PX * index


_MARKET_PX_PER_MM = 4.0
_ORIENTATION = {Layout.FLAT: "F", Layout.POINTY: "P"}

Faces = tuple[Face, ...]


def box_files(choice: Choice) -> dict[str, bytes]:
    """Return the archive of the game box. Raises CannotRun for a title without a map or a market,
    both of which Board18 requires."""
    title = choice.title
    maps = [piece.id for piece in choice.pieces if piece.kind == "map"]
    if not maps:
        if title.maps:
            raise CannotRun(
                f"a game box has a map; add {' or '.join(f'map:{gamemap.id}' for gamemap in title.maps)}"
            )
        more = "; lay one of its map tiles with --atlas" if title.atlas else ""
        raise CannotRun(f"board18: {title.id} has no map to lay tiles on{more}")
    if title.market is None:
        raise CannotRun(f"board18: {title.id} has no market, which every game box of Board18 has")
    orientation = _ORIENTATION[
        next(gamemap.layout for gamemap in title.maps if gamemap.id == maps[0])
    ]
    images: dict[str, bytes] = {}
    board = _board(choice, maps[0], orientation, images)
    market = _market(choice, images)
    trays = tuple(_Packing(choice=choice, orientation=orientation, images=images).trays())
    folder = re.sub(r"[^A-Za-z0-9-]", "-", title.id)
    box = Box(
        name=title.name.get("en"),
        folder=folder,
        orientation=orientation,
        board=board,
        market=market,
        trays=trays,
    )
    name, data = box_zip(box, images)
    return {name: data}


def _board(choice: Choice, map_id: str, orientation: str, images: dict[str, bytes]) -> Place:
    """Draw the map, stretched slightly to fit Board18's whole pixels, and return where its hexes
    begin. Hexes are counted so that the numbers of column and row are both even or both odd."""
    from platelayer.drawing.map.board import draw_poster

    gamemap = next(gamemap for gamemap in choice.title.maps if gamemap.id == map_id)
    size_mm = piece_size(choice.title, "map", map_id).width_mm
    scene = draw_poster(choice.title, gamemap, size_mm, choice.style, key=f"map:{map_id}")
    across, along = size_mm / 2, size_mm * COS_30
    steps = (along, across) if orientation == "F" else (across, along)
    per_mm = tuple(px / mm for px, mm in zip(HEX_STEP_PX[orientation], steps, strict=True))
    size = (round(scene.width_mm * per_mm[0]), round(scene.height_mm * per_mm[1]))
    (_, x, y), *_ = scene.places
    column, row = gamemap.hexes[0].at
    left = min(hexagon.at.x for hexagon in gamemap.hexes)
    top = min(hexagon.at.y for hexagon in gamemap.hexes)
    if (column - left + row - top) % 2:
        left -= 1
    start = (
        round(x * per_mm[0] - HEX_PX[orientation][0] / 2)
        - HEX_STEP_PX[orientation][0] * (column - left),
        round(y * per_mm[1] - HEX_PX[orientation][1] / 2)
        - HEX_STEP_PX[orientation][1] * (row - top),
    )
    images[BOARD] = cut_picture(scene, size)
    return Place(start=start, step=HEX_STEP_PX[orientation], size=size)


def _market(choice: Choice, images: dict[str, bytes]) -> Place:
    from platelayer.drawing.boards.market import draw_market, placed_spaces

    scene = draw_market(choice.title, "market", choice.style)
    boxes = [box for _, box in placed_spaces(choice.title, choice.style)]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    size = (round(scene.width_mm * _MARKET_PX_PER_MM), round(scene.height_mm * _MARKET_PX_PER_MM))
    images[MARKET] = cut_picture(scene, size)
    return Place(
        start=(round(left * _MARKET_PX_PER_MM), round(top * _MARKET_PX_PER_MM)),
        step=(
            round(boxes[0].width * _MARKET_PX_PER_MM),
            round(boxes[0].height * _MARKET_PX_PER_MM),
        ),
        size=size,
    )


class _Packing(Frozen, kw_only=True):
    """Box being filled: its content, the orientation of its hexes, and the pictures so far."""

    choice: Choice
    orientation: str
    images: dict[str, bytes]

    def trays(self) -> Iterator[Tray]:
        """Yield tiles by colour, then tokens and markers for the map, then tokens for the
        market."""
        tiles: dict[str, list[Faces]] = {}
        discs: dict[str, list[Faces]] = {"btok": [], "mtok": []}
        for sides in faces(self.choice):
            piece = sides[0].piece
            if piece.kind == "tile":
                tiles.setdefault(piece.group, []).append(sides)
            elif KINDS[piece.kind].form is Form.DISC:
                discs["mtok" if piece.group == "market" else "btok"].append(sides)
        for colour, group in tiles.items():
            yield from self._sheets("tile", colour.capitalize(), group, MOST_TILES)
        for kind, group in discs.items():
            yield from self._sheets(
                kind, "Tokens" if kind == "btok" else "Market tokens", group, MOST_TOKENS
            )

    def _sheets(self, kind: str, name: str, group: Sequence[Faces], most: int) -> Iterator[Tray]:
        for number, start in enumerate(range(0, len(group), most), 1):
            here = group[start : start + most]
            word = name if len(group) <= most else f"{name} {number}"
            file = f"{re.sub('[^a-z0-9]+', '-', word.lower())}-{kind}.png"
            pieces = tuple((sides[0].piece.count, self._ways(kind, sides)) for sides in here)
            self.images[file] = self._sheet(kind, here, pieces)
            yield Tray(kind=kind, name=word, file=file, pieces=pieces)

    def _ways(self, kind: str, sides: Faces) -> int:
        """Return the number of rotations of a tile; for a token, 1 if its other side differs,
        otherwise 0."""
        if kind == "tile":
            return turns(self.choice.title.tile_by_id[sides[0].piece.id].tile)
        front, back = sides[0].scene, sides[-1].scene
        return int(
            sides[-1].label == BACK and Digester().digest([front]) != Digester().digest([back])
        )

    def _sheet(self, kind: str, here: Sequence[Faces], pieces: Sequence[tuple[int, int]]) -> bytes:
        """Draw a sheet as a PNG. Its scene uses one millimetre for each pixel."""
        size = sheet_px(kind, self.orientation, pieces)
        cell = HEX_PX[self.orientation] if kind == "tile" else (TOKEN_PX, TOKEN_PX)
        items = []
        for index, (sides, (_, ways)) in enumerate(zip(here, pieces, strict=True)):
            front = sides[0].scene
            turning = [turned(front, 60.0 * turn) for turn in range(ways)]
            shown = (
                turning
                if kind == "tile"
                else [face.scene for face in (sides[0], sides[-1])[: 1 + ways]]
            )
            for turn, scene in enumerate(shown):
                x, y = corner_px(kind, self.orientation, index, turn)
                wide, high = cell[0] / scene.width_mm, cell[1] / scene.height_mm
                items.append(
                    Group((cut_out(scene),), matrix=(wide, 0.0, 0.0, high, float(x), float(y)))
                )
        sheet = Scene(
            f"{kind} sheet",
            float(size[0]),
            float(size[1]),
            tuple(items),
        )
        return picture(sheet, size)
