"""18EU with a few changes in, the sheets that show them for docs/compare.md out."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from draft_picture import beside, pages_of
from pictures import FOLDER

from platelayer import compare
from platelayer.foundation.resources import title_path

_EDITS: dict[str, tuple[tuple[tuple[str, ...], Any], ...]] = {
    "tiles.json": ((("tiles", "14"), 6), (("tiles", "15"), 3)),
    "trains.json": ((("trains", "5", "price"), 450), (("trains", "8", "count"), 6)),
    "companies.json": ((("companies", "BNR", "colour"), "#2b7a4b"),),
    "map.json": ((("map", "hexes", "K4", "stops"), [{"kind": "town"}]),),
}


def main(folder: Path = FOLDER) -> None:
    """Writes the picture."""
    with TemporaryDirectory() as place:
        mine = Path(place, "my-18eu")
        mine.mkdir()
        for path in sorted(title_path("18eu").glob("*.json")):
            value = json.loads(path.read_text("utf-8"))
            for keys, new in _EDITS.get(path.name, ()):
                around = value
                for key in keys[:-1]:
                    around = around[key]
                around[keys[-1]] = new
            (mine / path.name).write_text(json.dumps(value), "utf-8")
        sheets = pages_of(compare("18eu", mine, pieces=True).pdf())[:3]
    beside(sheets).save(folder / "compare.png", optimize=True)


if __name__ == "__main__":
    main()
