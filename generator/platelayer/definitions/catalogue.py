"""The catalogue of standard tiles (assets/tiles)."""

from __future__ import annotations

from functools import cache
from typing import Any

from platelayer.definitions.decode import decode
from platelayer.foundation.resources import asset_path, shipped_json
from platelayer.model.tile import Tile

# Files of the catalogue, in the order in which a contact sheet shows them.
_ORDER = ("white", "yellow", "green", "mixed", "brown", "gray")


@cache
def catalogue_definitions() -> dict[str, Any]:
    """Every tile of the catalogue by number, as its JSON definition, in catalogue order. Shipped
    files are checked by the tests, not at run time."""
    tiles: dict[str, Any] = {}
    for path in sorted(
        asset_path("tiles").glob("*.json"), key=lambda path: (_rank(path.stem), path.stem)
    ):
        tiles |= shipped_json(path)["tiles"]
    return tiles


def _rank(stem: str) -> int:
    return _ORDER.index(stem) if stem in _ORDER else len(_ORDER)


@cache
def catalogue_tile(number: str) -> Tile:
    """A tile of the catalogue. Raises KeyError if there is none with this number."""
    tile: Tile = decode(Tile, catalogue_definitions()[number], id=number)
    return tile


def catalogue_tiles() -> tuple[Tile, ...]:
    """All tiles of the catalogue, for the contact sheet."""
    return tuple(map(catalogue_tile, catalogue_definitions()))
