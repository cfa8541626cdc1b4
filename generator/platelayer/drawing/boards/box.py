"""Art for boxes: the cartouche of the map on their fronts, the name of the game on their sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platelayer.drawing.kit.layout import Box, text_block
from platelayer.drawing.map.panels import cartouche, plate_items
from platelayer.scene.shapes import Item, Scene
from platelayer.scene.typeset import fit

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
    box = Box(0, 0, width_mm, height_mm).inset(_AROUND_MM)
    items: tuple[Item, ...] = ()
    if title.maps and box.width >= _LEAST_PLATE_MM:
        panel = cartouche(title, title.maps[0], box.width, style)
        if panel.height <= box.height:
            items = (box.centred(panel),)
    if not items:
        items = _plate(title, box.within(box.width, min(box.width * 0.6, box.height)), style)
    key = f"box:front:{width_mm:g}x{height_mm:g}"
    return Scene(key=key, width_mm=width_mm, height_mm=height_mm, items=items)


def draw_box_spine(title: Title, width_mm: float, height_mm: float, style: Style) -> Scene:
    """A side: the name of the game on a plate; none where it is too low for letters."""
    side = Box(0, 0, width_mm, height_mm)
    box = side.inset(_SPINE_CLEAR_MM)
    high = min(box.height, _SPINE_HIGH_MM)
    items: tuple[Item, ...] = ()
    if high > 2 * _PLATE_PAD_MM:
        items = _plate(title, side.within(min(box.width, high * 5), high), style)
    key = f"box:spine:{width_mm:g}x{height_mm:g}"
    return Scene(key=key, width_mm=width_mm, height_mm=height_mm, items=items)


def _plate(title: Title, box: Box, style: Style) -> tuple[Item, ...]:
    """A plate with the name."""
    words, room = style.words(title.name), box.width - 2 * _PLATE_PAD_MM
    fitted = fit(words, style.type("map.title"), room)
    inner = box.height - _PLATE_PAD_MM
    if fitted.cap_height_mm > inner:
        fitted = fitted.at(fitted.size_pt * inner / fitted.cap_height_mm)
    name = text_block(words, fitted, style.ink("map.title"))
    return (box.placed(plate_items(box.width, box.height, style)), box.centred(name))
