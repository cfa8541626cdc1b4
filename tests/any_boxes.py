"""Boxes of map tiles of every kind, and titles that have them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

MODE = {
    "cash": {"3": 300},
    "cycles": 3,
    "charter_columns": [3],
    "trains": {"2": 3},
    "capital_projects": 1,
}
GROUNDS = (
    ("plain", "mountain", "water", "city", "border", "destination"),
    ("border",),
    ("border", "border", "plain"),
    ("city",),
    ("border", "city", "home"),
)


def block(tiles: dict[str, Any], **mode: Any) -> dict[str, Any]:
    """A block `atlas` with one mode, "m"."""
    laid = sum(each.get("copies", 1) for each in tiles.values())
    box = {"map_tiles": tiles, "capital_projects": 20, "capital_overlays": 20, "blank_overlays": 12}
    return {**box, "modes": {"m": {**MODE, "map_tiles": laid, **mode}}}


def any_block(seed: int) -> dict[str, Any]:
    """A block `atlas` that may be sound or not: few or many tiles, hardly any that fit, stacks of
    any size."""
    rng = random.Random(seed)
    grounds = rng.choice(GROUNDS)
    tiles: dict[str, Any] = {}
    for number in range(1, rng.choice((1, 2, 3, 4, 6, 10, 24)) + 1):
        hexes = [rng.choice(grounds) for _ in range(3)]
        hexes = [f"home:H{number}" if each == "home" else each for each in hexes]
        tiles[str(number)] = {"hexes": hexes, "copies": rng.choice((1, 1, 1, 2))}
    made = block(tiles, capital_projects=rng.choice((0, 1, 3, 6)))
    mode = made["modes"]["m"]
    if rng.random() < 0.6:
        count = rng.choice((2, 3))
        also = rng.sample([*tiles], rng.randint(0, len(tiles)))
        homes = sum(
            each["copies"]
            for number, each in tiles.items()
            if number in also or "home" in "".join(each["hexes"])
        )
        shares = {
            "homes": rng.choice((homes // count, homes // count, 0, 1)),
            "dealt_as_homes": [*map(int, also)],
        }
        mode |= {"stacks": {"count": count, **shares}, "map_tiles": mode["map_tiles"] // count}
        mode["capital_projects"] = min(mode["capital_projects"], 20 // count)
    return made


def of_cities(count: int) -> dict[str, Any]:
    return block(
        {str(number): {"hexes": ["city", "plain", "mountain"]} for number in range(1, count + 1)}
    )


def title_with(block: dict[str, Any], path: Path) -> Path:
    """The file of a title that has these map tiles."""
    head = {"format": "platelayer.title/1", "id": "own", "name": "Own"}
    homes = [
        each
        for tile in block["map_tiles"].values()
        for each in tile["hexes"]
        if each.startswith("home:")
    ]
    companies = {
        each.removeprefix("home:"): {"kind": "minor", "name": each, "colour": "#1f5f3f"}
        for each in homes
    }
    reach = [{"stops": ["city"], "visit": 2, "pay": 2}]
    trains = {"2": {"name": "2", "count": 3, "price": 100, "reach": reach, "permanent": True}}
    path.write_text(
        json.dumps({**head, "companies": companies, "trains": trains, "atlas": block}), "utf-8"
    )
    return path
