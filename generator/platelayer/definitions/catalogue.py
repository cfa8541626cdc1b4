"""The catalogue of standard tiles (assets/tiles)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from platelayer.definitions.decode import decode
from platelayer.foundation.resources import asset_json
from platelayer.model.livery import Liveries, Livery, LiveryColours, Motif
from platelayer.model.tile import Tile

# Files of the catalogue, in the order in which a contact sheet shows them.
_FILES = ("white", "yellow", "green", "mixed", "brown", "gray")


@cache
def catalogue_definitions() -> dict[str, Any]:
    """Every tile of the catalogue by number, as its JSON definition, in catalogue order. Shipped
    files are checked by the tests, not at run time."""
    tiles: dict[str, Any] = {}
    for stem in _FILES:
        tiles |= asset_json("tiles", f"{stem}.json")["tiles"]
    return tiles


@cache
def catalogue_tile(number: str) -> Tile:
    """A tile of the catalogue. Raises KeyError if there is none with this number."""
    return decode(Tile, catalogue_definitions()[number], id=number)


def catalogue_tiles() -> tuple[Tile, ...]:
    """All tiles of the catalogue, for the contact sheet."""
    return tuple(map(catalogue_tile, catalogue_definitions()))


# Liveries: those that come with Platelayer (assets/liveries.json), and what a title wears.


_COLOURS = ("paper", "line", "accent", "metal")


@cache
def _shipped() -> Liveries:
    """Shipped files are checked by the tests, not at run time."""
    raw = asset_json("liveries.json")
    return decode(Liveries, raw)


@cache
def liveries() -> Mapping[str, LiveryColours]:
    """The liveries that come with Platelayer, by id."""
    return {livery.id: livery for livery in _shipped().liveries}


@cache
def motifs() -> Mapping[str, Motif]:
    """Their ornaments, by id."""
    return {motif.id: motif for motif in _shipped().motifs}


def build_livery(title_id: str, written: Any = None) -> Livery:
    """Livery of a title: what its definition gives, and for the rest the livery that it names or,
    without one, a livery that follows from its id.

    That one combines the motif of one livery with the colours of another, so two titles in a
    hundred and forty look alike by accident. It follows from nothing but the id, because no edit of
    a title should change the look of all its pieces.
    """
    stated = {"like": written} if isinstance(written, str) else dict(written or {})
    if "like" in stated:
        colours = dressed = liveries()[stated["like"]]
    else:
        choice, shipped = hashlib.sha256(title_id.encode()).digest(), tuple(liveries().values())
        colours, dressed = (shipped[byte % len(shipped)] for byte in choice[:2])
    left_out = {name: getattr(colours, name) for name in _COLOURS}
    whole = {"like": colours.id, "motif": dressed.motif, **left_out, **stated}
    return decode(Livery, whole, ornament=motifs()[whole["motif"]])
