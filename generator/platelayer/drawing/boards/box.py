"""Art for boxes: the cartouche of the map on their fronts, the name of the game on their sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platelayer.drawing.map.panels import cartouche, plate_items
from platelayer.scene.shapes import Anchor, Group, Item, Scene, translation
from platelayer.scene.typeset import fit, set_line

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title

_AROUND_MM = 6.0
# A narrower plate has no room for the words of a cartouche below the name.
_LEAST_PLATE_MM = 44.0
_PLATE_PAD_MM = 5.0
_SPINE_CLEAR_MM = 2.5
_SPINE_HIGH_MM = 22.0


def draw_box_front(title: Title, width_mm: float, height_mm: float, style: Style) -> Scene:
    """A front: the cartouche of the first map on a plate, or the name alone where there is no map
    or no room."""
    wide = width_mm - 2 * _AROUND_MM
    items: tuple[Item, ...] = ()
    if title.maps and wide >= _LEAST_PLATE_MM:
        panel = cartouche(title, title.maps[0], wide, style)
        if panel.height_mm <= height_mm - 2 * _AROUND_MM:
            place = translation(_AROUND_MM, (height_mm - panel.height_mm) / 2)
            items = (Group(items=panel.items, matrix=place),)
    if not items:
        high = min(wide * 0.6, height_mm - 2 * _AROUND_MM)
        items = _plate(title, (width_mm, height_mm), (wide, high), style)
    key = f"box:front:{width_mm:g}x{height_mm:g}"
    return Scene(key=key, width_mm=width_mm, height_mm=height_mm, items=items)


def draw_box_spine(title: Title, width_mm: float, height_mm: float, style: Style) -> Scene:
    """A side: the name of the game on a plate; none where it is too low for letters."""
    high = min(height_mm - 2 * _SPINE_CLEAR_MM, _SPINE_HIGH_MM)
    wide = min(width_mm - 2 * _SPINE_CLEAR_MM, high * 5)
    items: tuple[Item, ...] = ()
    if high > 2 * _PLATE_PAD_MM:
        items = _plate(title, (width_mm, height_mm), (wide, high), style)
    key = f"box:spine:{width_mm:g}x{height_mm:g}"
    return Scene(key=key, width_mm=width_mm, height_mm=height_mm, items=items)


def _plate(
    title: Title, of: tuple[float, float], size: tuple[float, float], style: Style
) -> tuple[Item, ...]:
    """A plate with the name, in the middle of a panel."""
    wide, high = size
    words, inner = style.words(title.name), high - _PLATE_PAD_MM
    fitted = fit(words, style.type("map.title"), wide - 2 * _PLATE_PAD_MM)
    if fitted.cap_height_mm > inner:
        fitted = fitted.at(fitted.size_pt * inner / fitted.cap_height_mm)
    base = (high + fitted.cap_height_mm) / 2
    name = set_line(words, fitted, style.ink("map.title"), wide / 2, base, anchor=Anchor.MIDDLE)
    matrix = translation((of[0] - wide) / 2, (of[1] - high) / 2)
    return (Group(items=(*plate_items(wide, high, style), *name), matrix=matrix),)
