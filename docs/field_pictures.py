"""Invented titles that have what games of the field have (tests/field, tests/land) in, pictures of
them for docs/definitions.md out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from box import Box
from pictures import FOLDER, TABLE, laid

from platelayer.render.png import render_png
from platelayer.scene.shapes import Item, Scene, rectangle_path
from platelayer.scene.shapes import Path as Shape

TITLE = Path(__file__).parent.parent / "tests" / "field"
LAND = Path(__file__).parent.parent / "tests" / "land"

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
    ("train:4D", 160, 148),
    ("par-chart:par", 233, 148),
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


def table(name: str, folder: Path, places: Sequence[Place], size_mm: tuple[float, float]) -> Scene:
    """Pieces of a title on a table."""
    box = Box(folder)
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, *size_mm), fill=TABLE)]
    items += [laid(box.scene(key), x, y) for key, x, y in places]
    return Scene(key=name, width_mm=size_mm[0], height_mm=size_mm[1], items=tuple(items))


CURRENCIES = ("${}", "R$ {}", "₹{}", "{} ₽", "₧{}", "ƒ{}", "₡{}", "ℳ {}", "{} zł")


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
    """Writes the pictures."""
    for name, folder, places, size_mm in (
        ("companies", TITLE, COMPANIES, (393.0, 261.0)),
        ("boards", TITLE, BOARDS, (316.0, 232.0)),
        ("land", LAND, LANDS, (449.0, 341.0)),
    ):
        scene = table(f"field-{name}", folder, places, size_mm)
        (FOLDER / f"field-{name}.png").write_bytes(render_png(scene, dpi=90))
    (FOLDER / "field-money.png").write_bytes(render_png(money(), dpi=90))


if __name__ == "__main__":
    main()
