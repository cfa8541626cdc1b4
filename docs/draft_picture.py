"""A title that is not finished in, the picture of its draft for docs/checking.md out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pictures import FOLDER, TABLE
from PIL import Image

from platelayer.foundation.resources import asset_path
from platelayer.pipeline.build import build
from platelayer.pipeline.options import BuildOptions

_DPI, _GAP = 45, 12


def unfinished(folder: Path) -> None:
    """Writes the small starter with what a draft may have: a train of another game rusts one, a
    price is a word."""
    starter = asset_path("starters", "small", "title.json").parent
    for path in sorted(starter.glob("*.json")):
        (folder / path.name).write_bytes(path.read_bytes())
    path = folder / "trains.json"
    whole = json.loads(path.read_text("utf-8"))
    first, second, *_ = whole["trains"].values()
    first["rusts_on"], second["price"] = ["9"], "cheap"
    path.write_text(json.dumps(whole, indent=2), "utf-8")


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
    """Writes the picture."""
    with TemporaryDirectory() as place:
        unfinished(Path(place))
        files = build(place, BuildOptions(draft=True)).files
    sheets = [pages_of(files[f"{name}.pdf"])[0] for name in ("findings", "map", "home-cards")]
    beside(sheets).save(folder / "print-draft.png", optimize=True)


if __name__ == "__main__":
    main()
