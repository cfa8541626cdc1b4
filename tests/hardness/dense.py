"""A title with a large map on which no hex is plain, as its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from platelayer.foundation.resources import asset_path

COLUMNS, ROWS = 26, 59
_KINDS = ("hill", "mountain", "forest", "marsh")


def _hex(number: int) -> dict[str, Any]:
    """Cities, towns and junctions of track in three colours, with names, labels, costs and
    borders."""
    made: dict[str, Any] = {
        "name": f"Station {number}",
        "colour": ("yellow", "green", "brown")[number % 3],
        "labels": ["ABCDEFGHK"[number % 9]],
        "terrain": [{"kinds": [_KINDS[number % 4]], "cost": 20 + 10 * (number % 5)}],
        "borders": [{"edge": number % 3, "kind": "river", "cost": 20}],
    }
    if number % 2:
        made["stops"] = [{"kind": "city", "revenue": 30, "slots": 1 + number % 3}]
        made["track"] = [[edge, "stop:0"] for edge in range(6)]
    else:
        made["stops"] = [{"kind": "town", "revenue": 10}, {"kind": "town", "revenue": 20}]
        made["track"] = [[0, "stop:0"], [3, "stop:0"], [1, "stop:1"], [4, "stop:1"]]
    return made


def write_dense_title(folder: Path, columns: int = COLUMNS, rows: int = ROWS) -> Path:
    """Write the title into a new folder: the small start with a map of 1534 hexes. Returns the
    folder."""
    folder.mkdir(parents=True)
    for path in asset_path("starters", "small").glob("*.json"):
        (folder / path.name).write_bytes(path.read_bytes())
    text = (folder / "map.json").read_text(encoding="utf-8")
    whole = json.loads(text)
    hexes = {
        f"{chr(ord('A') + column)}{2 * row + 1 + column % 2}": _hex(column * rows + row)
        for column in range(columns)
        for row in range(rows)
    }
    for place in (
        "A3",
        "B2",
        "C3",
        "D2",
        "D4",
        "E3",
        "F2",
        "F4",
    ):  # homes and the like of the small start
        hexes[place] = whole["map"]["hexes"][place]
    whole["map"]["hexes"] = hexes
    (folder / "map.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
    return folder


if __name__ == "__main__":
    import sys

    write_dense_title(Path(sys.argv[1]))
