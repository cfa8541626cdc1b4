"""Terrain symbols: fine flat vector art, centred, at any width."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from platelayer.drawing.hex.terrain_growth import draw_field, draw_forest, draw_other
from platelayer.drawing.hex.terrain_pen import SHEET, Pen
from platelayer.drawing.hex.terrain_relief import draw_desert, draw_hill, draw_mountain, draw_pass, draw_rough
from platelayer.drawing.hex.terrain_water import draw_coast, draw_lake, draw_marsh, draw_river, draw_water
from platelayer.drawing.kit.style import Style
from platelayer.scene.shapes import Item, Scene, Use, translation

# What draws each kind, and the height of its sheet (100 wide).
_SYMBOLS: dict[str, tuple[Callable[[Pen], None], float]] = {
    "mountain": (draw_mountain, 54.0),
    "pass": (draw_pass, 50.0),
    "hill": (draw_hill, 40.0),
    "rough": (draw_rough, 42.0),
    "desert": (draw_desert, 36.0),
    "water": (draw_water, 34.0),
    "lake": (draw_lake, 45.0),
    "river": (draw_river, 40.0),
    "marsh": (draw_marsh, 46.0),
    "coast": (draw_coast, 40.0),
    "forest": (draw_forest, 44.0),
    "field": (draw_field, 34.0),
}
_OTHER = (draw_other, 26.0)
_SAME_AS = {
    "mountains": "mountain",
    "alps": "mountain",
    "hills": "hill",
    "sea": "water",
    "swamp": "marsh",
    "bog": "marsh",
    "fen": "marsh",
    "jungle": "forest",
    "wood": "forest",
    "woods": "forest",
    "farm": "field",
    "farmland": "field",
}


def terrain_kind(kind: str) -> str:
    """The kind whose symbol stands for `kind` ("swamp" is drawn as "marsh"); "other" when none does."""
    kind = _SAME_AS.get(kind, kind)
    return kind if kind in _SYMBOLS else "other"


def terrain_size(kind: str, width_mm: float) -> tuple[float, float]:
    """Width and height in mm of the symbol for a kind of terrain."""
    _, height = _SYMBOLS.get(terrain_kind(kind), _OTHER)
    return width_mm, width_mm * height / SHEET


def terrain_items(kind: str, width_mm: float, style: Style) -> tuple[Item, ...]:
    """The symbol for a kind of terrain, centred on (0, 0), `width_mm` wide; `terrain_size` gives its height.

    Every shape has Role.SYMBOL. It comes as one `Use`, so that painters keep each symbol and size once.
    """
    width_mm = round(width_mm, 2)
    scene = _symbol(terrain_kind(kind), width_mm, style)
    return (Use(scene=scene, matrix=translation(-scene.width_mm / 2, -scene.height_mm / 2)),)


@lru_cache(maxsize=256)
def _symbol(kind: str, width_mm: float, style: Style) -> Scene:
    draw, _ = _SYMBOLS.get(kind, _OTHER)
    pen = Pen(style, width_mm)
    draw(pen)
    width, height = terrain_size(kind, width_mm)
    return Scene(
        key=f"terrain:{kind}:{width_mm:g}", width_mm=width, height_mm=height, items=tuple(pen.items), bleed_mm=1.0
    )
