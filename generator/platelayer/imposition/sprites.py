"""Pictures of many faces in rows and columns, cut out and close together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from platelayer.foundation.units import MM_PER_INCH
from platelayer.scene.inks import WHITE
from platelayer.scene.shapes import Group, Item, Path, Scene, Use, rotation, translation


class Grid(Struct, frozen=True, kw_only=True):
    """Cells of one size in pixels, `columns` of them beside each other and `rows` below each
    other."""

    columns: int
    rows: int
    cell_px: tuple[int, int]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self.columns * self.cell_px[0], self.rows * self.cell_px[1]

    def corner_px(self, index: int) -> tuple[int, int]:
        """The upper left corner of a cell; cells are counted row by row from 0."""
        row, column = divmod(index, self.columns)
        return column * self.cell_px[0], row * self.cell_px[1]


def pixels_of(size_mm: tuple[float, float], dpi: float, most_px: int) -> tuple[int, int]:
    """Width and height in pixels, fewer than at `dpi` where a side would have more than
    `most_px`."""
    per_mm = min(dpi / MM_PER_INCH, most_px / max(size_mm))
    return max(1, round(size_mm[0] * per_mm)), max(1, round(size_mm[1] * per_mm))


def grids(
    count: int, cell_px: tuple[int, int], most: tuple[int, int], most_px: int
) -> tuple[Grid, ...]:
    """The fewest grids that hold `count` cells, each of at most `most` columns and rows and
    `most_px` a side; all but the last are full."""
    columns, rows = (
        max(1, min(limit, most_px // side)) for limit, side in zip(most, cell_px, strict=True)
    )
    filled: list[Grid] = []
    while count > 0:
        here = min(count, columns * rows)
        wide = min(here, columns)
        filled.append(Grid(columns=wide, rows=-(-here // wide), cell_px=cell_px))
        count -= here
    return tuple(filled)


def sheet_of(key: str, faces: Sequence[Scene], grid: Grid, cell_mm: tuple[float, float]) -> Scene:
    """A picture with one face in each cell, cut along its outline; what is beyond stays clear."""
    items = [
        Group(items=(cut_out(scene),), matrix=translation(*_corner(grid, index, cell_mm)))
        for index, scene in enumerate(faces)
    ]
    size = grid.columns * cell_mm[0], grid.rows * cell_mm[1]
    return Scene(key=key, width_mm=size[0], height_mm=size[1], items=tuple(items))


def _corner(grid: Grid, index: int, cell_mm: tuple[float, float]) -> tuple[float, float]:
    row, column = divmod(index, grid.columns)
    return column * cell_mm[0], row * cell_mm[1]


def cut_out(scene: Scene) -> Group:
    """A face without its bleed. Rectangles lie on white paper: charts paint none of their own."""
    paper: tuple[Item, ...] = () if scene.outline else (Path(commands=scene.die_line, fill=WHITE),)
    return Group(items=(*paper, Use(scene=scene)), clip=scene.die_line)


def turned(scene: Scene, degrees: float) -> Scene:
    """A face cut out and turned clockwise about its middle, within the same width and height."""
    middle = (scene.width_mm / 2, scene.height_mm / 2)
    item = Group(items=(cut_out(scene),), matrix=rotation(degrees, middle))
    key = f"{scene.key}:{degrees:g}"
    return Scene(
        key=key,
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        items=(item,),
        outline=scene.outline,
    )
