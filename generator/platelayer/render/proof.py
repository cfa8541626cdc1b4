"""Scenes in the colours that they are printed in: on a press, for formats of a screen, and in grey."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from platelayer.foundation.matrices import least_scale
from platelayer.render.distinct import least_scales, used_scenes
from platelayer.scene.inks import Ink, as_grey
from platelayer.scene.press import INKS, inks_of_line, inks_of_words, proof
from platelayer.scene.shapes import Group, Item, Scene, TextRun, Use

_Look = Callable[[Ink, int], Ink]
"""How an ink looks where at most so many inks are printed."""


def proofed(scene: Scene) -> Scene:
    """A scene in the colours that it has on paper, its fine lines and words of as few inks as the PDF has them. Spot
    inks keep their look; of black words that overprint only the black is shown."""
    return _recoloured([scene], proof)[0]


def greyed(scenes: Sequence[Scene]) -> list[Scene]:
    """Scenes in greys that are as light as their colours. Spot inks keep their look."""
    return _recoloured(scenes, lambda ink, _most: as_grey(ink))


def _recoloured(scenes: Sequence[Scene], look: _Look) -> list[Scene]:
    """Scenes with other inks; what several of them place stays one scene."""
    placed = used_scenes(scenes)
    scales = least_scales(scenes, placed)
    seen: dict[str, Scene] = {}
    for key, used in placed.items():
        seen[key] = replace(used, items=_items(used.items, scales[key], seen, look))
    return [replace(scene, items=_items(scene.items, 1.0, seen, look)) for scene in scenes]


def _items(items: tuple[Item, ...], scale: float, seen: dict[str, Scene], look: _Look) -> tuple[Item, ...]:
    """Items shown at a scale; those that they place are in `seen`."""
    return tuple(_item(item, scale, seen, look) for item in items)


def _item(item: Item, scale: float, seen: dict[str, Scene], look: _Look) -> Item:
    if isinstance(item, Group):
        return replace(item, items=_items(item.items, scale * least_scale(item.matrix[:4]), seen, look))
    if isinstance(item, Use):
        return replace(item, scene=seen[item.scene.key])
    if isinstance(item, TextRun):
        return replace(item, ink=look(item.ink, inks_of_words(item.size_pt * scale)))
    line = item.stroke
    stroke = line and replace(line, ink=look(line.ink, inks_of_line(line.width_mm * scale)))
    return replace(item, fill=item.fill and look(item.fill, INKS), stroke=stroke)
