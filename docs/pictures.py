"""The shipped titles in, the pictures of README and docs out: every one is real output, drawn anew
by `make docs`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from box import Box
from catalogue import catalogue_sheets

from platelayer.definitions.catalogue import catalogue_tiles
from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.drawing.kit.style import Style
from platelayer.render.png import render_png
from platelayer.render.svg import render_svg
from platelayer.scene.inks import ink_from_hex
from platelayer.scene.shapes import (
    Group,
    Item,
    Matrix,
    Scene,
    Stroke,
    Use,
    multiply,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.shapes import (
    Path as Shape,
)

FOLDER = Path(__file__).parent / "pictures"
TABLE = ink_from_hex("#3c4a43")
SHADOW = ink_from_hex("#2c3832")


def laid(scene: Scene, x: float, y: float, turned: float = 0.0) -> Group:
    """A piece lying on the table at its upper left corner, with its shadow, cut along its die
    line."""
    place: Matrix = multiply(
        translation(x, y), rotation(turned, (scene.width_mm / 2, scene.height_mm / 2))
    )
    shadow = Group(
        items=(Shape(commands=scene.die_line, fill=SHADOW),), matrix=translation(0.8, 1.0)
    )
    rim = Shape(commands=scene.die_line, stroke=Stroke(ink=SHADOW, width_mm=0.12))
    return Group(
        items=(shadow, Group(items=(Use(scene=scene),), clip=scene.die_line), rim), matrix=place
    )


def overview() -> Scene:
    """Pieces of 18EU on a table: part of the map, tiles, certificates, trains, a charter,
    tokens."""
    piece = Box("18eu").scene
    width, height = 456.0, 264.0
    board = piece("map:main")
    crop = Group(
        items=(Use(scene=board, matrix=translation(8, 8)),), clip=rectangle_path(0, 0, 236, height)
    )
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, width, height), fill=TABLE), crop]
    on_the_table = [
        ("charter:SNCF", 246, 8, 0.0),
        ("tile:14", 403, 6, 0.0),
        ("tile:581", 405, 48, 0.0),
        ("tile:513", 403, 90, 0.0),
        ("certificate:RPR-director", 248, 138, -2.0),
        ("certificate:BNR-10", 343, 138, 2.0),
        ("train:3", 246, 210, 2.0),
        ("train:5", 316, 213, -2.0),
        ("train:8", 386, 210, 2.0),
        ("token:FS", 438, 146, 0.0),
        ("token:SNCF-market", 436, 164, 0.0),
    ]
    items += [laid(piece(key), x, y, turned) for key, x, y, turned in on_the_table]
    return Scene(key="overview", width_mm=width, height_mm=height, items=tuple(items))


def theme(name: str) -> Scene:
    """A few pieces of 18EU in a theme, side by side."""
    box = Box("18eu", theme=name)
    x, tall = 4.0, 68.0
    items: list[Item] = []
    for key in ("tile:57", "tile:14", "tile:611", "tile:513", "train:3", "certificate:FS-10"):
        scene = box.scene(key)
        items.append(laid(scene, x, (tall - scene.height_mm) / 2))
        x += scene.width_mm + 3.0
    table = Shape(commands=rectangle_path(0, 0, x + 1.0, tall), fill=TABLE)
    return Scene(key=f"theme:{name}", width_mm=x + 1.0, height_mm=tall, items=(table, *items))


def catalogue() -> Sequence[Scene]:
    """The contact sheets of the whole tile catalogue."""
    return catalogue_sheets(catalogue_tiles(), Style(theme=load_theme("classic")))


def main() -> None:
    """Draw all pictures into docs/pictures/."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "overview.png").write_bytes(render_png(overview(), dpi=90))
    for name in theme_ids():
        (FOLDER / f"theme-{name}.png").write_bytes(render_png(theme(name), dpi=80))
    for number, scene in enumerate(catalogue(), start=1):
        (FOLDER / f"catalogue-{number}.svg").write_bytes(
            render_svg(scene, title=f"Tile catalogue {number}")
        )


if __name__ == "__main__":
    main()
