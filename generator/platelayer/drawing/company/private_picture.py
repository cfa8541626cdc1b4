"""What the card of a private company shows: a hex, a tile or a picture."""

from __future__ import annotations

from platelayer.drawing.hex.thumbnail import thumbnail_items
from platelayer.drawing.kit.pictures import picture_group
from platelayer.drawing.kit.style import Style
from platelayer.foundation.units import PT_PER_MM
from platelayer.model.company import Company
from platelayer.model.hexes import Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Group, Item, translation
from platelayer.scene.typeset import fit, set_centred

_ACROSS = 0.866
"""Flat to flat of a hex, as a share of its width from corner to corner."""
_CAPTION = 0.16
"""Room for the name of a hex or tile below it, as a share of the height."""


def shown_items(title: Title, company: Company, size_mm: float, ink: Ink, style: Style) -> tuple[Item, ...]:
    """What a card shows, centred on (0, 0), in a square of a size; a hex has its coordinates below it, a tile its
    number. Nothing where the company shows nothing."""
    if company.shows is None:
        return ()
    kind, name = company.shows
    if kind == "picture":
        picture = style.pictures.get(name)
        return () if picture is None else (picture_group(picture, size_mm, ink),)
    tile, layout = _tile(title, kind, name)
    return _with_caption(tile, layout, name, size_mm, style)


def _tile(title: Title, kind: str, name: str) -> tuple[Tile, Layout]:
    """The hex with these coordinates, or the tile with this number, and how its map lies."""
    usual = title.maps[0].layout if title.maps else Layout.FLAT
    if kind == "tile":
        return title.tile_by_id[name].tile, usual
    found = next(gamemap for gamemap in title.maps if name in gamemap.by_id)
    return found.by_id[name].tile, found.layout


def _with_caption(tile: Tile, layout: Layout, name: str, size_mm: float, style: Style) -> tuple[Item, ...]:
    caption = max(size_mm * _CAPTION, MIN_PLAY_PT / PT_PER_MM * 1.1)
    tall = size_mm - caption
    across = tall if layout is Layout.FLAT else tall * _ACROSS
    kind = style.type("card.body")
    kind = fit(name, kind.at(max(MIN_PLAY_PT, caption * PT_PER_MM * 0.8)), size_mm)
    return (
        Group(items=thumbnail_items(tile, layout, across, style), matrix=translation(0, -caption / 2)),
        *set_centred(name, kind, style.ink("text"), 0, size_mm / 2 - caption * 0.4),
    )
