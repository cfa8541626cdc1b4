"""Pieces on a table in, pictures of the documents out: themes, the catalogue, and invented titles that
have what games of the field have (tests/field, tests/land)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from box import Box
from catalogue import catalogue_sheets
from table import FOLDER, TABLE, laid, small_png

from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.drawing.kit.style import Style
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Item, Scene, rectangle_path
from platelayer.scene.shapes import Path as Shape

TESTS = Path(__file__).parent.parent / "tests"

Place = tuple[str, float, float]

COMPANIES: tuple[Place, ...] = (
    ("map:main", 6, 6),
    ("charter:LS", 203, 6),
    ("private:CC", 203, 119),
    ("private:WF", 299, 119),
    ("certificate:WW-director", 203, 190),
    ("token:LS", 303, 194),
    ("token:LS-destination", 321, 194),
    ("token:WW", 339, 194),
    ("token:WW-destination", 357, 194),
    ("marker:wheat", 303, 212),
    ("marker:camel", 321, 212),
)
BOARDS: tuple[Place, ...] = (
    ("phase-card:phases", 6, 6),
    ("summary:setup", 6, 117),
    ("market:market", 160, 6),
    ("train:4D", 298, 6),
    ("par-chart:par", 298, 56),
)


LANDS: tuple[Place, ...] = (
    ("map:main", 6, 6),
    ("tile:57", 6, 293),
    ("tile:X1", 54, 293),
    ("tile:X3", 102, 293),
    ("tile:X4", 150, 293),
    ("tile:X5", 198, 293),
    ("tile:M1", 246, 293),
)


CURRENCIES = ("${}", "R$ {}", "₹{}", "{} ₽", "₧{}", "ƒ{}", "₡{}", "ℳ {}", "{} zł")


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


def table(name: str, folder: Path, places: Sequence[Place], size_mm: tuple[float, float]) -> Scene:
    """Pieces of a title on a table."""
    box = Box(folder)
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, *size_mm), fill=TABLE)]
    items += [laid(box.scene(key), x, y) for key, x, y in places]
    return Scene(key=name, width_mm=size_mm[0], height_mm=size_mm[1], items=tuple(items))


def money() -> Scene:
    """The same train sold for the money of nine countries."""
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, 219, 150), fill=TABLE)]
    for number, currency in enumerate(CURRENCIES):
        row, column = divmod(number, 3)
        items += [
            laid(Box("18eu", currency=currency).scene("train:4"), 6 + 71 * column, 6 + 48 * row)
        ]
    return Scene(key="field-money", width_mm=219, height_mm=150, items=tuple(items))


def main() -> None:
    """Draw all pictures into docs/pictures/."""
    FOLDER.mkdir(exist_ok=True)
    for name in theme_ids():
        (FOLDER / f"theme-{name}.png").write_bytes(small_png(theme(name), dpi=80))
    style = Style(theme=load_theme("classic"))
    for number, sheet in enumerate(catalogue_sheets(catalogue_tiles(), style), start=1):
        drawn = render_svg(sheet, title=f"Tile catalogue {number}")
        (FOLDER / f"catalogue-{number}.svg").write_bytes(drawn)
    scenes = {
        "companies": table("field-companies", TESTS / "field", COMPANIES, (393.0, 261.0)),
        "boards": table("field-boards", TESTS / "field", BOARDS, (381.0, 239.0)),
        "land": table("field-land", TESTS / "land", LANDS, (449.0, 341.0)),
        "money": money(),
    }
    for name, scene in scenes.items():
        (FOLDER / f"field-{name}.png").write_bytes(small_png(scene, dpi=90))


if __name__ == "__main__":
    main()
