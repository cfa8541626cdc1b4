"""Tiles to choose from: those of the catalogue, and those in the box."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from platelayer.foundation.cache import digest_of
from platelayer.foundation.problems import CannotRun
from platelayer.model.hexes import Layout

if TYPE_CHECKING:
    from platelayer.model.tile import Tile
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene
    from platelayer.studio.view import View

_DIGITS = 16
PREFIX = "catalogue:"
"""What the pictures of tiles of the catalogue are called by, before the number."""


@cache
def catalogue() -> list[dict[str, Any]]:
    """What a search needs to know of each tile of the catalogue."""
    from platelayer.definitions.catalogue import catalogue_tiles

    return [_about(tile) for tile in catalogue_tiles()]


def box(title: Title) -> list[dict[str, Any]]:
    """The same of each tile in the box, with its count. `own` is whether the title defines it,
    `back_of` the number of the tile whose other side it is."""
    return [
        {
            **_about(entry.tile),
            "count": "unlimited" if entry.unlimited else entry.count,
            "own": entry.standard is None or entry.tile != entry.standard,
            "back_of": entry.back_of,
        }
        for entry in title.tiles
    ]


def look(view: View) -> str:
    """A digest of all that a title says of how tiles of the catalogue look."""
    title = view.title
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    return digest_of(layout.value, title.pieces.size("tile"), view.style("en", "classic"))[:_DIGITS]


def _about(tile: Tile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "colour": tile.colour,
        "exits": list(tile.exits),
        "stops": Counter(stop.kind.value for stop in tile.stops),
        "slots": sum(stop.slots for stop in tile.stops),
        "labels": [label.text for label in tile.labels],
    }


def catalogue_scene(view: View, key: str, language: str, theme: str) -> Scene:
    """A tile of the catalogue, lying and as large as those of a title. Raises CannotRun."""
    from platelayer.definitions.catalogue import catalogue_definitions, catalogue_tile
    from platelayer.drawing.hex.tile import tile_scene

    number = key.removeprefix(PREFIX)
    if number not in catalogue_definitions():
        raise CannotRun(f"there is no tile {number} in the catalogue")
    title = view.title
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    return tile_scene(
        catalogue_tile(number),
        layout,
        title.pieces.size("tile").width_mm,
        view.style(language, theme),
    )
