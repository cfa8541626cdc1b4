"""The gallery of the README: the map of each title on a table, with pieces of its box round it."""

from __future__ import annotations

import io
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from box import Box
from pictures import FOLDER, TABLE, laid
from PIL import Image

from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.render.png import render_png
from platelayer.scene.shapes import Item, Scene, rectangle_path
from platelayer.scene.shapes import Path as Shape

Pieces = Callable[[str], Scene]
"""The picture of a piece by its key."""

Room = tuple[float, float, float, float]
"""Left, top, width, height in mm."""

MARGIN_MM = 16.0
GAP_MM, _CLOSE_MM = 18.0, 5.0
"""Between parts of the table, and at least between pieces of a part."""
WIDTH_PX = 1500
COLOURS, FLAT = 255, 175
_SEAM_MM = 1.6


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the table with pieces in rows, keys apart by spaces. With `comb` the pieces are
    tiles that lie together as on a map."""

    rows: tuple[str, ...]
    comb: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What lies on a table: a large piece with a block beside it, and blocks below."""

    title: str
    large: str = ""
    beside: Block | None = None
    below: tuple[Block, ...]
    language: str = "en"

    @property
    def box(self) -> Box:
        """The pieces that lie there."""
        return Box(self.title, self.language)


PICTURES = {
    "gallery-18cz": Picture(
        title="18cz",
        large="map:main",
        beside=Block(
            (
                "charter:kk",
                "token:SX token:PR token:BY token:kk token:Ug token:BN token:NWB",
                "charter:EKJ",
                "token:ATE token:BTE token:KFN token:EKJ token:OFE token:BCB token:MW",
                "charter:SX:back",
            ),
        ),
        below=(
            Block(
                ("market:market",),
            ),
            Block(
                (
                    "certificate:kk-director certificate:BN-director certificate:EKJ-25",
                    "train:a train:d train:i",
                ),
            ),
            Block(
                (
                    "tile:8 tile:57 tile:621 tile:14 tile:15 tile:619 tile:887p",
                    "tile:9 tile:58 tile:202 tile:23 tile:8865 tile:622 tile:208",
                    "tile:611 tile:216 tile:889p tile:8894 tile:8896p tile:8857p tile:595p",
                ),
                comb=True,
            ),
        ),
    ),
    "gallery-1841": Picture(
        title="1841",
        large="map:main",
        beside=Block(
            (
                "charter:SFMA",
                "token:SFMA token:SFLP token:SSFL token:IRSFF token:SFTG token:SFTN token:SFTC token:SFLi",
                "charter:SFTG",
                "train:2 train:5",
                "train:4 train:8",
                "charter:IRSFF:back",
            ),
        ),
        below=(
            Block(
                ("market:market",),
            ),
            Block(
                (
                    "certificate:SFMA-director certificate:SSFL-10",
                    "certificate:RSFS-director certificate:SFTG-10",
                    "private:1 certificate:SB-10:back",
                ),
            ),
            Block(
                (
                    "tile:7 tile:8 tile:57 tile:202 tile:621 tile:630 tile:632 tile:58",
                    "tile:14 tile:15 tile:619 tile:205 tile:23 tile:87 tile:602 tile:612",
                    "tile:25 tile:26 tile:206 tile:622 tile:624 tile:625 tile:208 tile:12",
                    "tile:39 tile:63 tile:216 tile:611 tile:603 tile:617 tile:70 tile:627",
                ),
                comb=True,
            ),
        ),
    ),
    "gallery-18eu": Picture(
        title="18eu",
        large="map:main",
        beside=Block(
            (
                "charter:SNCF",
                "charter:BNR",
                "token:BNR token:DR token:FS token:RBSR token:RPR token:AIRS token:SNCF token:GSR",
                "charter:7",
                "token:1 token:3 token:5 token:7 token:9 token:11 token:13 token:15",
                "charter:FS:back",
            ),
        ),
        below=(
            Block(
                ("market:market",),
            ),
            Block(
                (
                    "certificate:SNCF-director certificate:FS-10",
                    "train:3 train:8",
                ),
            ),
            Block(
                (
                    "tile:57 tile:8 tile:201 tile:202 tile:3",
                    "tile:14 tile:581 tile:80 tile:576 tile:141",
                    "tile:611 tile:513 tile:544 tile:582 tile:145",
                ),
                comb=True,
            ),
        ),
    ),
    "gallery-1824": Picture(
        title="1824",
        language="ja",
        large="map:main",
        beside=Block(
            (
                "charter:SD",
                "token:SD token:UG token:KK token:BK token:MS token:CL token:SB",
                "charter:BK",
                "token:EPP token:EOD token:MLB token:SPB token:SD1 token:UG1 token:KK1",
                "phase-card:phases",
            ),
        ),
        below=(
            Block(
                ("market:market",),
            ),
            Block(
                (
                    "certificate:SD-director certificate:UG-10 private:B1",
                    "train:2 train:5 train:3g",
                    "train:8 train:10 train:5:back",
                ),
            ),
            Block(
                (
                    "tile:3 tile:8 tile:57 tile:401 tile:498 tile:630",
                    "tile:14 tile:15 tile:619 tile:405 tile:490 tile:87",
                    "tile:39 tile:41 tile:611 tile:126 tile:493 tile:497",
                    "tile:44 tile:47 tile:70 tile:494 tile:495 tile:496",
                ),
                comb=True,
            ),
        ),
    ),
    "gallery-lost-atlas": Picture(
        title="lost-atlas",
        large="atlas:7",
        beside=Block(
            (
                "charter:CON",
                "charter:AD charter:SU",
                "destination-card:A destination-card:B:back",
                "map-tile:9 map-tile:21",
            ),
        ),
        below=(
            Block(
                (
                    "market:market",
                    "train:2 train:5 train:7:back",
                ),
            ),
            Block(
                (
                    "certificate:CON-director certificate:AD-director certificate:SU-20",
                    "token:AD token:AG token:BR token:EM token:EA token:ER token:NP token:OV token:RE token:SU",
                    "money:20 money:100 money:2000",
                ),
            ),
            Block(
                (
                    "tile:5 tile:57 tile:8 tile:9 tile:291 tile:292 tile:293 tile:6 tile:7",
                    "tile:14 tile:15 tile:619 tile:294 tile:23 tile:LA1 tile:LA2 tile:624 tile:295",
                    "tile:39 tile:297 tile:125 tile:LA3 tile:51 tile:LA6 tile:721 tile:70 tile:722",
                ),
                comb=True,
            ),
        ),
    ),
    "gallery-japanese": Picture(
        title="1841",
        language="ja",
        below=(
            Block(
                ("charter:SFMA",),
            ),
            Block(
                (
                    "certificate:SSFL-director",
                    "private:3",
                ),
            ),
            Block(
                ("phase-card:phases",),
            ),
            Block(
                ("summary:merger",),
            ),
            Block(
                (
                    "train:3",
                    "train:8",
                ),
            ),
        ),
    ),
}


def _gap(sizes: Sequence[float], room: float) -> tuple[float, float]:
    """Where the first of some things lies, and the gap between them, so that they fill the room."""
    left = room - math.fsum(sizes)
    return (0.0, left / (len(sizes) - 1)) if len(sizes) > 1 else (left / 2, 0.0)


def _spread(scenes: Sequence[Sequence[Scene]], box: Room) -> Iterator[Item]:
    """Rows that fill the height of a box, each its width."""
    left, top, wide, tall = box
    heights = [max(scene.height_mm for scene in row) for row in scenes]
    y, down = _gap(heights, tall)
    for row, height in zip(scenes, heights, strict=True):
        x, across = _gap([scene.width_mm for scene in row], wide)
        for scene in row:
            yield laid(scene, left + x, top + y + (height - scene.height_mm) / 2)
            x += scene.width_mm + across
        y += height + down


def _comb(scenes: Sequence[Sequence[Scene]], box: Room) -> Iterator[Item]:
    """Tiles side by side with a narrow seam, in the middle of a box; every second row or column
    half a tile on."""
    across, down, half = _comb_steps(scenes)
    wide, tall = _size(scenes, comb=True)
    left, top = box[0] + (box[2] - wide) / 2, box[1] + (box[3] - tall) / 2
    flat = half[0] == 0.0
    for row, line in enumerate(scenes):
        for column, scene in enumerate(line):
            odd = (column if flat else row) % 2
            yield laid(
                scene, left + column * across + odd * half[0], top + row * down + odd * half[1]
            )


def _comb_steps(scenes: Sequence[Sequence[Scene]]) -> tuple[float, float, tuple[float, float]]:
    """From tile to tile across and down, and how far every second one is moved on."""
    width, height = scenes[0][0].width_mm, scenes[0][0].height_mm
    flat = width > height
    across = (0.75 * width if flat else width) + _SEAM_MM
    down = (height if flat else 0.75 * height) + _SEAM_MM
    return across, down, ((0.0, down / 2) if flat else (across / 2, 0.0))


def _size(scenes: Sequence[Sequence[Scene]], *, comb: bool) -> tuple[float, float]:
    """Width and height in mm of pieces in rows, close together."""
    if comb:
        across, down, half = _comb_steps(scenes)
        first = scenes[0][0]
        return across * (len(scenes[0]) - 1) + first.width_mm + half[0], (
            down * (len(scenes) - 1) + first.height_mm + half[1]
        )
    wide = max(
        math.fsum(scene.width_mm for scene in row) + _CLOSE_MM * (len(row) - 1) for row in scenes
    )
    tall = math.fsum(max(scene.height_mm for scene in row) for row in scenes) + _CLOSE_MM * (
        len(scenes) - 1
    )
    return wide, tall


def table(name: str, picture: Picture, pieces: Pieces | None = None) -> Scene:
    """The picture as a scene, as large as what lies there needs; `pieces` draws them, if not as
    they are in the box."""
    pieces = pieces or picture.box.scene
    lay = {False: _spread, True: _comb}
    items: list[Item] = []
    inner, down = 0.0, MARGIN_MM
    below = [
        [[pieces(key) for key in row.split()] for row in block.rows] for block in picture.below
    ]
    sizes = [
        _size(scenes, comb=block.comb) for scenes, block in zip(below, picture.below, strict=True)
    ]
    inner = math.fsum(wide for wide, _ in sizes) + GAP_MM * (len(sizes) - 1)
    if picture.beside is not None:
        large, beside = (
            pieces(picture.large),
            [[pieces(key) for key in row.split()] for row in picture.beside.rows],
        )
        side = _size(beside, comb=False)
        inner, tall = max(inner, large.width_mm + GAP_MM + side[0]), max(large.height_mm, side[1])
        spare = inner - large.width_mm - GAP_MM - side[0]
        items.append(laid(large, MARGIN_MM + spare / 2, MARGIN_MM + (tall - large.height_mm) / 2))
        items += _spread(beside, (MARGIN_MM + inner - side[0], MARGIN_MM, side[0], tall))
        down += tall + GAP_MM
    height = max(tall for _, tall in sizes)
    x, gap = _gap([wide for wide, _ in sizes], inner)
    for block, scenes, (wide, _) in zip(picture.below, below, sizes, strict=True):
        items += lay[block.comb](scenes, (MARGIN_MM + x, down, wide, height))
        x += wide + gap
    wide, tall = inner + 2 * MARGIN_MM, down + height + MARGIN_MM
    ground = Shape(commands=rectangle_path(0, 0, wide, tall), fill=TABLE)
    return Scene(key=name, width_mm=wide, height_mm=tall, items=(ground, *items))


def pixels(picture: Image.Image) -> Iterator[tuple[int, ...]]:
    """The colours of an RGB picture, row by row."""
    parts = iter(picture.tobytes())
    return zip(parts, parts, parts, strict=True)


def small_png(scene: Scene, width_px: int = WIDTH_PX) -> bytes:
    """A PNG so many pixels wide, of few colours: a page of five pictures is to load fast. What
    fills areas, down to tokens, keeps its very colour; an octree finds those between."""
    whole = Image.open(
        io.BytesIO(render_png(scene, dpi=width_px / scene.width_mm * MM_PER_INCH))
    ).convert("RGB")
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
