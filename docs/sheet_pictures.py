"""Shipped titles in, the pictures of docs/printing*.md out: pages as they are printed, on a
table."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from box import Box
from table import FOLDER, SHADOW, TABLE, small_png

from platelayer.definitions.themes import load_theme
from platelayer.foundation.resources import asset_path
from platelayer.imposition.calibration import calibration_sheet
from platelayer.imposition.impose import PieceToPrint, impose
from platelayer.imposition.paper import find_paper
from platelayer.imposition.tiling import piece_page
from platelayer.model.options import PrintOptions
from platelayer.pipeline.scaffold import NewTitle, new_title
from platelayer.scene.inks import WHITE
from platelayer.scene.shapes import Group, Item, Scene, Use, rectangle_path, translation
from platelayer.scene.shapes import Path as Shape

_GAP_MM = 9.0
PUNCHED = (("tiles", "punchboard"), ("tokens", "punchboard"))


def pages(
    reference: str | Path,
    kinds: Sequence[str],
    **how: Any,
) -> dict[str, list[Scene]]:
    """The pages of a print by document, with backs where the options request them."""
    box = Box(reference)
    options = PrintOptions(**how)
    entries = [
        PieceToPrint(
            piece=piece,
            scene=box.front(piece),
            back=box.back(piece) if options.duplex != "none" else None,
        )
        for piece in box.manifest.pieces
        if piece.kind in kinds
    ]
    documents = impose(
        box.title.name.get("en"),
        entries,
        theme=box.style.theme,
        options=options,
    )
    return {document.stem: [page.scene for page in document.pages] for document in documents}


def on_table(name: str, sheets: Sequence[Scene], *, columns: int = 9) -> Scene:
    """Sheets of paper side by side, in rows of so many."""
    wide = max(sheet.width_mm for sheet in sheets) + _GAP_MM
    tall = max(sheet.height_mm for sheet in sheets) + _GAP_MM
    columns = min(columns, len(sheets))
    width, height = columns * wide + _GAP_MM, -(-len(sheets) // columns) * tall + _GAP_MM
    items: list[Item] = [Shape(commands=rectangle_path(0, 0, width, height), fill=TABLE)]
    for number, sheet in enumerate(sheets):
        row, column = divmod(number, columns)
        x, y = _GAP_MM + column * wide, _GAP_MM + row * tall
        box = rectangle_path(0, 0, sheet.width_mm, sheet.height_mm)
        paper = (
            Shape(commands=rectangle_path(0.9, 1.1, sheet.width_mm, sheet.height_mm), fill=SHADOW),
            Shape(commands=box, fill=WHITE),
            Group(items=(Use(scene=sheet),), clip=box),
        )
        items.append(Group(items=paper, matrix=translation(x, y)))
    return Scene(key=name, width_mm=width, height_mm=height, items=tuple(items))


def part(sheet: Scene, x: float, y: float, width: float, height: float) -> Scene:
    """A part of a sheet, seen close up."""
    items = (Use(scene=sheet, matrix=translation(-x, -y)),)
    return Scene(key=f"{sheet.key}:part", width_mm=width, height_mm=height, items=items)


def cards() -> Scene:
    """Pages as a card shop takes them: for each card its back, then its front, with bleed and no
    mark."""
    box = Box("18eu", sizes=(("train", "poker"),))
    faces: list[Scene] = []
    for key in ("certificate:BNR-director", "train:3"):
        for scene, quarter in ((box.scene(f"{key}:back"), 270), (box.scene(key), 90)):
            rotation = quarter if scene.width_mm > scene.height_mm else 0
            faces.append(piece_page(scene, bleed_mm=3.175, rotation=rotation).scene)
    return on_table("cards", faces)


def real_place() -> Scene:
    """Map of a new title of a real place."""
    new = NewTitle(name="Lower Rhine", land="51.8N 4.9E", rows=8, columns=12, km=20.0)
    with tempfile.TemporaryDirectory() as folder:
        new_title(Path(folder) / "rhine", new=new)
        return Box(Path(folder) / "rhine").scene("map:main")


def scenes() -> dict[str, tuple[Scene, int]]:
    """Pictures by name, with their dots per inch."""
    trains = pages("18eu", ["train"], duplex="long")["trains"]
    folded = pages("18eu", ["token"], duplex="fold")["tokens"]
    die = pages("18eu", ["tile"], paper="letter", layouts=(("tiles", "die"),), cut="spot")["tiles"]
    boards = pages("18eu", ["tile", "token", "marker"], layouts=PUNCHED, cut="spot", duplex="long")
    rows = pages("18eu", ["tile"], cut="spot")["tiles"]
    nested = pages("lost-atlas", ["map-tile"], cut="spot")["map-tiles"]
    board = pages("18eu", ["map"])["map-tiled"]
    starter = asset_path("starters", "small", "title.json").parent
    small = pages(starter, ["tile", "certificate", "charter"])
    calibration = calibration_sheet(
        find_paper("a4"), 6.0, "long", load_theme("classic"), "en"
    ).pages
    return {
        "start-map": (Box(starter).scene("map:main"), 90),
        "real-place": (real_place(), 60),
        "start-print": (on_table("start", [sheets[0] for sheets in small.values()]), 50),
        "print-duplex": (on_table("duplex", trains[:2]), 50),
        "print-fold": (on_table("fold", folded[:1]), 60),
        "print-die": (on_table("die", die[:1]), 60),
        "print-punchboard": (
            on_table("boards", [*boards["punchboards-die"], *boards["punchboards"][4:6]]),
            50,
        ),
        "print-cut": (
            on_table("cut", [part(rows[0], 6, 6, 130, 110), part(nested[0], 20, 6, 130, 110)]),
            75,
        ),
        "print-map": (on_table("map", board, columns=3), 40),
        "print-cards": (cards(), 75),
        "print-calibration": (on_table("calibration", [page.scene for page in calibration]), 60),
    }


def main(folder: Path = FOLDER) -> None:
    """Draw all pictures into docs/pictures/."""
    folder.mkdir(exist_ok=True)
    for name, (scene, dpi) in scenes().items():
        (folder / f"{name}.png").write_bytes(small_png(scene, dpi=dpi))


if __name__ == "__main__":
    main()
