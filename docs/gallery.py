"""Shipped titles in, the gallery of the README out: the map of each on a table, with pieces of its box round it."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pictures import FOLDER, TABLE, laid
from PIL import Image

from platelayer.atlas.assemble import assemble
from platelayer.definitions.atlas_box import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.atlas.poster import draw_atlas_poster
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.foundation.units import MM_PER_INCH
from platelayer.model.manifest import build_manifest
from platelayer.render.png import render_png
from platelayer.scene.shapes import Item, Scene, rectangle_path
from platelayer.scene.shapes import Path as Shape

Pieces = Callable[[str], Scene]
"""The picture of a piece by its key; "charter:FS:back" is the back of charter:FS, "atlas:7" the long map of seed 7."""

MARGIN_MM = 16.0
WIDTH_PX = 1500
COLOURS, FLAT = 255, 175
_SEAM_MM = 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of the table with pieces in rows, keys apart by spaces. The rows fill its height and every row its width
    (one piece lies in the middle). With `comb` the pieces are tiles that lie together as on a map."""

    x: float
    y: float
    width: float
    height: float
    rows: tuple[str, ...]
    comb: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What lies on a table of so many mm, margins included."""

    title: str
    width: float
    height: float
    blocks: tuple[Block, ...]
    language: str = "en"


PICTURES = {
    "gallery-18cz": Picture(
        title="18cz",
        width=837,
        height=578,
        blocks=(
            Block(x=16, y=16, width=639, height=390, rows=("map:main",)),
            Block(
                x=673,
                y=16,
                width=148,
                height=390,
                rows=(
                    "charter:kk",
                    "token:SX token:PR token:BY token:kk token:Ug token:BN token:NWB",
                    "charter:EKJ",
                    "token:ATE token:BTE token:KFN token:EKJ token:OFE token:BCB token:MW",
                    "charter:SX:back",
                ),
            ),
            Block(x=16, y=424, width=192, height=138, rows=("market:market",)),
            Block(
                x=226,
                y=424,
                width=255,
                height=138,
                rows=("certificate:kk-director certificate:BN-director certificate:EKJ-25", "train:a train:d train:i"),
            ),
            Block(
                x=499,
                y=424,
                width=322,
                height=138,
                comb=True,
                rows=(
                    "tile:8 tile:57 tile:621 tile:14 tile:15 tile:619 tile:887p",
                    "tile:9 tile:58 tile:202 tile:23 tile:8865 tile:622 tile:208",
                    "tile:611 tile:216 tile:889p tile:8894 tile:8896p tile:8857p tile:595p",
                ),
            ),
        ),
    ),
    "gallery-1841": Picture(
        title="1841",
        width=822,
        height=754,
        blocks=(
            Block(x=16, y=16, width=624, height=508, rows=("map:main",)),
            Block(
                x=658,
                y=16,
                width=148,
                height=508,
                rows=(
                    "charter:SFMA",
                    "token:SFMA token:SFLP token:SSFL token:IRSFF token:SFTG token:SFTN token:SFTC token:SFLi",
                    "charter:SFTG",
                    "train:2 train:5",
                    "train:4 train:8",
                    "charter:IRSFF:back",
                ),
            ),
            Block(x=16, y=542, width=278, height=196, rows=("market:market",)),
            Block(
                x=312,
                y=542,
                width=186,
                height=196,
                rows=(
                    "certificate:SFMA-director certificate:SSFL-10",
                    "certificate:RSFS-director certificate:SFTG-10",
                    "private:1 certificate:SB-10:back",
                ),
            ),
            Block(
                x=516,
                y=542,
                width=290,
                height=196,
                comb=True,
                rows=(
                    "tile:7 tile:8 tile:57 tile:202 tile:621 tile:630 tile:632 tile:58",
                    "tile:14 tile:15 tile:619 tile:205 tile:23 tile:87 tile:602 tile:612",
                    "tile:25 tile:26 tile:206 tile:622 tile:624 tile:625 tile:208 tile:12",
                    "tile:39 tile:63 tile:216 tile:611 tile:603 tile:617 tile:70 tile:627",
                ),
            ),
        ),
    ),
    "gallery-18eu": Picture(
        title="18eu",
        width=722,
        height=680,
        blocks=(
            Block(x=16, y=16, width=524, height=497, rows=("map:main",)),
            Block(
                x=558,
                y=16,
                width=148,
                height=497,
                rows=(
                    "charter:SNCF",
                    "charter:BNR",
                    "token:BNR token:DR token:FS token:RBSR token:RPR token:AIRS token:SNCF token:GSR",
                    "charter:7",
                    "token:1 token:3 token:5 token:7 token:9 token:11 token:13 token:15",
                    "charter:FS:back",
                ),
            ),
            Block(x=16, y=531, width=267, height=133, rows=("market:market",)),
            Block(
                x=301,
                y=531,
                width=184,
                height=133,
                rows=("certificate:SNCF-director certificate:FS-10", "train:3 train:8"),
            ),
            Block(
                x=503,
                y=531,
                width=203,
                height=133,
                comb=True,
                rows=(
                    "tile:57 tile:8 tile:201 tile:202 tile:3",
                    "tile:14 tile:581 tile:80 tile:576 tile:141",
                    "tile:611 tile:513 tile:544 tile:582 tile:145",
                ),
            ),
        ),
    ),
    "gallery-1824": Picture(
        title="1824",
        language="ja",
        width=836,
        height=603,
        blocks=(
            Block(x=16, y=16, width=638, height=390, rows=("map:main",)),
            Block(
                x=672,
                y=16,
                width=148,
                height=390,
                rows=(
                    "charter:SD",
                    "token:SD token:UG token:KK token:BK token:MS token:CL token:SB",
                    "charter:BK",
                    "token:EPP token:EOD token:MLB token:SPB token:SD1 token:UG1 token:KK1",
                    "phase-card:phases",
                ),
            ),
            Block(x=16, y=424, width=222, height=163, rows=("market:market",)),
            Block(
                x=256,
                y=424,
                width=280,
                height=163,
                rows=(
                    "certificate:SD-director certificate:UG-10 private:B1",
                    "train:2 train:5 train:3g",
                    "train:8 train:10 train:5:back",
                ),
            ),
            Block(
                x=554,
                y=424,
                width=266,
                height=163,
                comb=True,
                rows=(
                    "tile:3 tile:8 tile:57 tile:401 tile:498 tile:630",
                    "tile:14 tile:15 tile:619 tile:405 tile:490 tile:87",
                    "tile:39 tile:41 tile:611 tile:126 tile:493 tile:497",
                    "tile:44 tile:47 tile:70 tile:494 tile:495 tile:496",
                ),
            ),
        ),
    ),
    "gallery-lost-atlas": Picture(
        title="lost-atlas",
        width=983,
        height=640,
        blocks=(
            Block(x=16, y=16, width=749, height=444.4, rows=("atlas:7",)),
            Block(
                x=783,
                y=16,
                width=184,
                height=444.4,
                rows=(
                    "charter:CON",
                    "charter:AD charter:SU",
                    "destination-card:A destination-card:B:back",
                    "map-tile:9 map-tile:21",
                ),
            ),
            Block(x=16, y=478, width=222, height=146, rows=("market:market", "train:2 train:5 train:7:back")),
            Block(
                x=256,
                y=478,
                width=324,
                height=146,
                rows=(
                    "certificate:CON-director certificate:AD-director certificate:SU-20",
                    "token:AD token:AG token:BR token:EM token:EA token:ER token:NP token:OV token:RE token:SU",
                    "money:20 money:100 money:2000",
                ),
            ),
            Block(
                x=598,
                y=478,
                width=369,
                height=146,
                comb=True,
                rows=(
                    "tile:5 tile:57 tile:8 tile:9 tile:291 tile:292 tile:293 tile:6 tile:7",
                    "tile:14 tile:15 tile:619 tile:294 tile:23 tile:LA1 tile:LA2 tile:624 tile:295",
                    "tile:39 tile:297 tile:125 tile:LA3 tile:51 tile:LA6 tile:721 tile:70 tile:722",
                ),
            ),
        ),
    ),
    "gallery-japanese": Picture(
        title="1841",
        language="ja",
        width=695,
        height=160,
        blocks=(
            Block(x=16, y=16, width=148, height=128, rows=("charter:SFMA",)),
            Block(x=180, y=16, width=88, height=128, rows=("certificate:SSFL-director", "private:3")),
            Block(x=284, y=16, width=148, height=128, rows=("phase-card:phases",)),
            Block(x=448, y=16, width=148, height=128, rows=("summary:merger",)),
            Block(x=612, y=16, width=67, height=128, rows=("train:3", "train:8")),
        ),
    ),
}


def title_pieces(picture: Picture) -> Pieces:
    """Draws pieces of the picture's title in its language."""
    title = load_title(picture.title).title
    manifest = build_manifest(title)
    style = Style(theme=load_theme("classic"), language=picture.language)

    def draw(key: str) -> Scene:
        if key.startswith("atlas:"):
            log = assemble(shipped_box(), "long", seed=int(key.partition(":")[2]), policy="compact", blanks=None)
            return draw_atlas_poster(title, log, style)
        if key.endswith(":back"):
            back = draw_back(title, manifest.by_key[key.removesuffix(":back")], style)
            assert back is not None, key
            return back
        return draw_piece(title, manifest, manifest.by_key[key], style)[0]

    return draw


def _gap(sizes: Sequence[float], room: float) -> tuple[float, float]:
    """Where the first of some things lies, and the gap between them, so that they fill the room."""
    left = room - sum(sizes)
    return (0.0, left / (len(sizes) - 1)) if len(sizes) > 1 else (left / 2, 0.0)


def _rows(block: Block, pieces: Pieces) -> Iterator[Item]:
    rows = [[pieces(key) for key in row.split()] for row in block.rows]
    heights = [max(scene.height_mm for scene in row) for row in rows]
    y, down = _gap(heights, block.height)
    for row, height in zip(rows, heights, strict=True):
        x, across = _gap([scene.width_mm for scene in row], block.width)
        for scene in row:
            yield laid(scene, block.x + x, block.y + y + (height - scene.height_mm) / 2)
            x += scene.width_mm + across
        y += height + down


def _comb(block: Block, pieces: Pieces) -> Iterator[Item]:
    """Tiles side by side with a narrow seam, in the middle of the block; every second row or column half a tile on."""
    rows = [[pieces(key) for key in row.split()] for row in block.rows]
    width, height = rows[0][0].width_mm, rows[0][0].height_mm
    flat = width > height
    across = (0.75 * width if flat else width) + _SEAM_MM
    down = (height if flat else 0.75 * height) + _SEAM_MM
    half = (0.0, down / 2) if flat else (across / 2, 0.0)
    wide = across * (len(rows[0]) - 1) + width + half[0]
    tall = down * (len(rows) - 1) + height + half[1]
    left, top = block.x + (block.width - wide) / 2, block.y + (block.height - tall) / 2
    for row, scenes in enumerate(rows):
        for column, scene in enumerate(scenes):
            odd = (column if flat else row) % 2
            yield laid(scene, left + column * across + odd * half[0], top + row * down + odd * half[1])


def table(name: str, picture: Picture) -> Scene:
    """The picture as a scene."""
    pieces = title_pieces(picture)
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, picture.width, picture.height), fill=TABLE)]
    for block in picture.blocks:
        items += (_comb if block.comb else _rows)(block, pieces)
    return Scene(key=name, width_mm=picture.width, height_mm=picture.height, items=tuple(items))


def pixels(picture: Image.Image) -> Iterator[tuple[int, ...]]:
    """The colours of an RGB picture, row by row."""
    parts = iter(picture.tobytes())
    return zip(parts, parts, parts, strict=True)


def small_png(scene: Scene, width_px: int = WIDTH_PX) -> bytes:
    """A PNG so many pixels wide, of few colours: a page of five pictures is to load fast. What fills areas, down to
    tokens, keeps its very colour; an octree finds those between."""
    whole = Image.open(io.BytesIO(render_png(scene, dpi=width_px / scene.width_mm * MM_PER_INCH))).convert("RGB")
    counted = Counter(pixels(whole)).most_common(FLAT)
    between = whole.quantize(COLOURS - FLAT, method=Image.Quantize.FASTOCTREE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for ink, _ in counted for part in ink), *between])
    packed = io.BytesIO()
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main(folder: Path = FOLDER, names: Sequence[str] = ()) -> None:
    """Draw all pictures, or those that are named, into docs/pictures/."""
    folder.mkdir(exist_ok=True)
    for name in names or PICTURES:
        picture = PICTURES[name]
        (folder / f"{name}.png").write_bytes(small_png(table(name, picture)))


if __name__ == "__main__":
    main(names=sys.argv[1:])
