"""Scenes as a press prints them, for formats of a screen: every ink with the look of the recipe that is written."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.foundation.matrices import least_scale
from platelayer.render.distinct import least_scales, used_scenes
from platelayer.scene.press import inks_of_line, inks_of_words, proof
from platelayer.scene.shapes import Group, Item, Scene, TextRun, Use


def proofed(scene: Scene) -> Scene:
    """A scene in the colours that it has on paper, its fine lines and small words of as few inks as the PDF has them.
    Spot inks keep their look; of black words that overprint only the black is shown."""
    placed = used_scenes([scene])
    scales = least_scales([scene], placed)
    seen: dict[str, Scene] = {}
    for key, used in placed.items():
        seen[key] = replace(used, items=_proofed(used.items, scales[key], seen))
    return replace(scene, items=_proofed(scene.items, 1.0, seen))


def _proofed(items: tuple[Item, ...], scale: float, seen: dict[str, Scene]) -> tuple[Item, ...]:
    """Items shown at a scale; those that they place are in `seen`."""
    return tuple(_item(item, scale, seen) for item in items)


def _item(item: Item, scale: float, seen: dict[str, Scene]) -> Item:
    if isinstance(item, Group):
        return replace(item, items=_proofed(item.items, scale * least_scale(item.matrix[:4]), seen))
    if isinstance(item, Use):
        return replace(item, scene=seen[item.scene.key])
    if isinstance(item, TextRun):
        return replace(item, ink=proof(item.ink, inks_of_words(item.size_pt * scale)))
    line = item.stroke
    stroke = line and replace(line, ink=proof(line.ink, inks_of_line(line.width_mm * scale)))
    return replace(item, fill=item.fill and proof(item.fill), stroke=stroke)
