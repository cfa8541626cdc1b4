"""Pictures of docs/importing.md and docs/exporting.md: the example of an import, and the table that a
save for Tabletop Simulator lays out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from box import Box
from PIL import Image, ImageDraw
from table import FOLDER, TABLE, small_png

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.exchange.export import ExportOptions, export_title
from platelayer.exchange.importers import import_title
from platelayer.pipeline.job import BuildOptions
from platelayer.scene.shapes import (
    Group,
    Item,
    Scene,
    Use,
    multiply,
    rectangle_path,
    scaling,
    translation,
)
from platelayer.scene.shapes import Path as Shape
from platelayer.scene.typeset import set_line

_CARD_UNITS, _TILE_UNITS = 3.5, 2.0
"""Height at scale 1 of a card and of a tile in Tabletop Simulator."""
_DISC = 2
"""The type of round tiles."""
_PX_PER_UNIT = 32
_LINE_MM, _CODE_MM, _LARGER, _AROUND_MM = 7.4, 180.0, 1.6, 27.0
_BOARDS_UNITS = (-29.6, 15.9, 13.0, -15.9)
"""Left, top, right and bottom of the boards on that table."""


def imported() -> Scene:
    """The hexes of the example of docs/importing.md as its file has them, beside the map that comes
    of them."""
    page = (FOLDER.parent / "importing.md").read_text("utf-8")
    with TemporaryDirectory() as place:
        game, title = Path(place) / "g_18_dale", Path(place) / "18dale"
        game.mkdir()
        for name in ("map.rb", "game.rb"):
            (game / name).write_text(_block(page, f"g_18_dale/{name}"), "utf-8")
        import_title(game, title)
        board = Box(title).scene("map:main")
    style = Style(theme=load_theme("classic"))
    ruby = _block(page, "g_18_dale/map.rb")
    lines = ruby[ruby.index("        LOCATION_NAMES") : ruby.index("      end\n")].splitlines()
    across, down = [x for _, x, _ in board.places], [y for _, _, y in board.places]
    left, top = min(across) - _AROUND_MM, min(down) - _AROUND_MM
    wide, tall = max(across) + _AROUND_MM - left, max(down) + _AROUND_MM - top
    hexes = Group(
        items=(Use(scene=board, matrix=translation(-left, -top)),),
        clip=rectangle_path(0, 0, wide, tall),
        matrix=translation(_CODE_MM, 0.0),
    )
    width = _CODE_MM + wide
    items: list[Item] = [
        Shape(commands=rectangle_path(0, 0, width, tall), fill=style.ink("white")),
        hexes,
    ]
    first = (tall - (len(lines) - 1) * _LINE_MM) / 2
    for number, line in enumerate(lines):
        code = line.lstrip()
        at = translation(6.0 + 2.4 * (len(line) - len(code) - 8), first + number * _LINE_MM)
        text = set_line(code, style.type("sheet"), style.ink("text"), 0.0, 0.0)
        items.append(Group(items=tuple(text), matrix=multiply(at, scaling(_LARGER))))
    return Scene(key="import", width_mm=width, height_mm=tall, items=tuple(items))


def _block(page: str, name: str) -> str:
    """A file of the example."""
    found = re.search(rf"<!-- {name} -->\n```\w*\n(.*?)```\n", page, re.DOTALL)
    assert found is not None, name
    return found[1]


def simulator() -> Image.Image:
    """The middle of the table of 18EU as Tabletop Simulator shows it from above, read from the save and its
    pictures alone."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        export_title("18eu", "tabletop-simulator", folder, BuildOptions(), ExportOptions(dpi=60))
        (save,) = folder.glob("Saves/*.json")
        objects = json.loads(save.read_text("utf-8"))["ObjectStates"]
        faces = [
            (thing["Transform"], _face(folder / "Mods" / "Images", thing)) for thing in objects
        ]
    left, top, right, bottom = _BOARDS_UNITS
    size = (round((right - left) * _PX_PER_UNIT), round((top - bottom) * _PX_PER_UNIT))
    table = Image.new("RGB", size, TABLE.hex)
    for at, face in faces:
        x = (at["posX"] - left) * _PX_PER_UNIT - face.width / 2
        y = (top - at["posZ"]) * _PX_PER_UNIT - face.height / 2
        table.paste(face, (round(x), round(y)), face)
    return table


def _face(images: Path, thing: dict[str, Any]) -> Image.Image:
    """The visible part of an object, at its size: of a deck its first card, of a bag its first
    token."""
    if "CustomDeck" in thing:
        number = (thing.get("DeckIDs") or [thing["CardID"]])[0]
        sheet = thing["CustomDeck"][str(number // 100)]
        whole = Image.open(images / sheet["FaceURL"]).convert("RGBA")
        wide, tall = whole.width // sheet["NumWidth"], whole.height // sheet["NumHeight"]
        row, column = divmod(number % 100, sheet["NumWidth"])
        face = whole.crop((column * wide, row * tall, (column + 1) * wide, (row + 1) * tall))
        height = _CARD_UNITS * thing["Transform"]["scaleZ"]
    elif "CustomImage" in thing:
        face = Image.open(images / thing["CustomImage"]["ImageURL"]).convert("RGBA")
        height = _TILE_UNITS * thing["Transform"]["scaleZ"]
        if thing["CustomImage"].get("CustomTile", {}).get("Type") == _DISC:
            mask = Image.new("L", face.size)
            ImageDraw.Draw(mask).ellipse((0, 0, *face.size), fill=255)
            face.putalpha(mask)
    else:
        return _face(images, thing["ContainedObjects"][0])
    pixels = max(1, round(height * _PX_PER_UNIT))
    return face.resize(
        (max(1, round(face.width * pixels / face.height)), pixels), Image.Resampling.LANCZOS
    )


def main(folder: Path = FOLDER) -> None:
    """Draw them."""
    (folder / "import.png").write_bytes(small_png(imported(), width_px=1600))
    simulator().save(folder / "export-tabletop-simulator.webp", quality=80, method=6)


if __name__ == "__main__":
    main()
