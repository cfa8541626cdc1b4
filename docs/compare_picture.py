"""The pictures of docs/compare.md: a few changes to 18EU, and the other titles beside a variant of
theirs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace
from PIL import Image
from table import FOLDER, TABLE

from platelayer import compare, load
from platelayer.comparison.compare import Comparison
from platelayer.foundation.resources import title_path

_EDITS: dict[str, tuple[tuple[tuple[str, ...], Any], ...]] = {
    "tiles.json": ((("tiles", "14"), 6), (("tiles", "15"), 3)),
    "trains.json": ((("trains", "5", "price"), 450), (("trains", "8", "count"), 6)),
    "companies.json": ((("companies", "BNR", "colour"), "#2b7a4b"),),
    "map.json": ((("map", "hexes", "K4", "stops"), [{"kind": "town"}]),),
}
VARIANTS = {"18cz": "moravia", "1841": "lite", "1824": "goods-time", "lost-atlas": "short"}
_DPI, _GAP = 45, 12
_PICTURES = 2
"""Pages with pieces that are shown beside the first page of words."""


def edited(place: Path) -> Comparison:
    """18EU and a copy of it with a few changes."""
    mine = place / "my-18eu"
    mine.mkdir()
    for path in sorted(title_path("18eu").glob("*.json")):
        value = json.loads(path.read_text("utf-8"))
        for keys, new in _EDITS.get(path.name, ()):
            around = value
            for key in keys[:-1]:
                around = around[key]
            around[keys[-1]] = new
        (mine / path.name).write_text(json.dumps(value), "utf-8")
    return compare("18eu", mine, pieces=True)


def pages_of(pdf: bytes) -> list[Image.Image]:
    """The pages of a file."""
    with TemporaryDirectory() as place:
        command = ["pdftoppm", "-r", str(_DPI), "-png", "-", f"{place}/page"]
        subprocess.run(command, input=pdf, capture_output=True, check=True)
        return [Image.open(BytesIO(path.read_bytes())) for path in sorted(Path(place).iterdir())]


def beside(sheets: Sequence[Image.Image]) -> Image.Image:
    """Sheets beside each other on a table."""
    width = sum(sheet.width for sheet in sheets) + _GAP * (len(sheets) + 1)
    table = Image.new("RGB", (width, max(sheet.height for sheet in sheets) + 2 * _GAP), TABLE.hex)
    left = _GAP
    for sheet in sheets:
        table.paste(sheet, (left, _GAP))
        left += sheet.width + _GAP
    return table


def main(folder: Path = FOLDER) -> None:
    """Writes the pictures."""
    with TemporaryDirectory() as place:
        pictures = {"compare": edited(Path(place))}
    pictures |= {
        f"compare-{name}": compare(load(name), load(name, variant=variant), pieces=True).about(
            "game"
        )
        for name, variant in VARIANTS.items()
    }
    for stem, comparison in pictures.items():
        pages, words = (
            pages_of(each.pdf()) for each in (comparison, replace(comparison, pieces=()))
        )
        beside([pages[0], *pages[len(words) :][:_PICTURES]]).save(
            folder / f"{stem}.png", optimize=True
        )


if __name__ == "__main__":
    main()
