"""Game boxes of Board18.

Sources: the wiki of BOARD18, "Game Box Creation - Control File Semantics" and "Design Document Game Boxes" (sizes in
pixels, forbidden characters), the scripts of its repository that make sheets (margins and steps), its loader
`loadGameBox.php` (names in the archive), and `board18Map1.js`, which reads the control file.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

Json = dict[str, Any]

HEX_PX = {"F": (116, 100), "P": (100, 116)}
"""Width and height of a hex, flat side up or point up."""
HEX_STEP_PX = {"F": (87, 50), "P": (50, 87)}
"""From a hex to the next column and the next row."""
TILE_STEP_PX = {"F": (130, 120), "P": (120, 130)}
TILE_MARGIN_PX = 20
TOKEN_PX, TOKEN_STEP_PX, TOKEN_MARGIN_PX = 30, 40, 10
MOST_TILES, MOST_TOKENS = 30, 20
"""Columns of a sheet of tiles, and rows of a sheet of tokens: the most that the scripts make."""

_VERSION, _AUTHOR = "1", "Platelayer"
_DATE = (1980, 1, 1, 0, 0, 0)
_FORBIDDEN = re.compile(r"[+&=~\x00-\x1f]")
"""Characters that the wiki asks to leave out of names, and those that JSON would write with a backslash."""


class Place(Struct, frozen=True, kw_only=True):
    """Where the first hex or space of a picture begins, how far the next is, and the size of the picture, in pixels."""

    start: tuple[int, int]
    step: tuple[int, int]
    size: tuple[int, int]


class Tray(Struct, frozen=True, kw_only=True):
    """A sheet of tiles ("tile"), of tokens for the map ("btok") or for the market ("mtok"): `pieces` are pairs of
    copies and of rotations (of a tile) or whether it has another side (of a token)."""

    kind: str
    name: str
    file: str
    pieces: tuple[tuple[int, int], ...]


class Box(Struct, frozen=True, kw_only=True):
    """A game box: `name` is shown, `folder` names its files; `orientation` is F or P."""

    name: str
    folder: str
    orientation: str
    board: Place
    market: Place
    trays: tuple[Tray, ...]


BOARD, MARKET = "map.png", "market.png"


def box_zip(box: Box, images: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The name of the archive and its bytes: one folder with the control file and a folder of pictures."""
    root = f"board18-{box.folder}"
    entries = {f"{root}/{box.folder}.json": control_file(box)}
    entries |= {f"{root}/{box.folder}/{name}": images[name] for name in sorted(images)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o644 << 16
            info.create_system = 3
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return f"{root}.zip", out.getvalue()


def control_file(box: Box) -> bytes:
    """The control file. The loader puts it between single quotes into its database: so it has none, nor backslashes."""
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
    """Words without what Board18 stumbles over."""
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
    found: Json = {
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
        found["tile"] = [{"dups": dups, "rots": rots} for dups, rots in tray.pieces]
    else:
        found["token"] = [{"dups": dups, "flip": bool(flip)} for dups, flip in tray.pieces]
    return found


def sheet_px(kind: str, orientation: str, pieces: Sequence[object]) -> tuple[int, int]:
    """Width and height of a sheet: a column a tile with a row for each rotation, or a row a token with a column for
    each side."""
    if kind == "tile":
        across, down = TILE_STEP_PX[orientation]
        return TILE_MARGIN_PX + across * len(pieces), TILE_MARGIN_PX + 6 * down
    return TOKEN_MARGIN_PX + 2 * TOKEN_STEP_PX, TOKEN_MARGIN_PX + TOKEN_STEP_PX * len(pieces)


def corner_px(kind: str, orientation: str, index: int, turn: int) -> tuple[int, int]:
    """Where a tile in one rotation, or one side of a token, lies on its sheet."""
    if kind == "tile":
        across, down = TILE_STEP_PX[orientation]
        return TILE_MARGIN_PX + across * index, TILE_MARGIN_PX + down * turn
    return TOKEN_MARGIN_PX + TOKEN_STEP_PX * turn, TOKEN_MARGIN_PX + TOKEN_STEP_PX * index
