"""The pictures of docs/compare.md: a few changes to 18EU, and the other titles beside a variant of
theirs."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from draft_picture import beside, pages_of
from msgspec.structs import replace
from pictures import FOLDER

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
