"""The scenes placed inside a scene: each once, inner ones first; how small each is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from platelayer.foundation.geometry import least_scale
from platelayer.scene.shapes import Group, Item, Scene, Use


class ClashingKeys(ValueError):
    """Two different drawings have the same key: painters would print one instead of the other."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"two different scenes have the key {key!r}")


def used_scenes(scenes: Iterable[Scene]) -> dict[str, Scene]:
    """Scenes placed by `Use` anywhere inside `scenes`, by key, inner ones before those that place
    them.

    Raises ClashingKeys when one key names two different drawings, ValueError when a scene places
    itself.
    """
    by_key: dict[str, Scene] = {}
    seen: dict[int, Scene] = {}  # By identity; kept alive so that no id is reused.
    open_keys: list[str] = []

    def visit(items: tuple[Item, ...]) -> None:
        for scene in placed_scenes(items):
            if id(scene) in seen:
                continue
            if scene.key in open_keys:
                raise ValueError(f"scene {scene.key!r} places itself")
            open_keys.append(scene.key)
            visit(scene.items)
            open_keys.pop()
            if not _same(by_key.setdefault(scene.key, scene), scene):
                raise ClashingKeys(scene.key)
            seen[id(scene)] = scene

    for scene in scenes:
        visit(scene.items)
    return by_key


def least_scales(scenes: Iterable[Scene], placed: Mapping[str, Scene]) -> dict[str, float]:
    """The least scale at which each of the `placed` scenes (inner ones first) is shown by `scenes`,
    by its key."""
    scales: dict[str, float] = {}

    def visit(items: tuple[Item, ...], scale: float) -> None:
        for item in items:
            if isinstance(item, Use):
                here = scale * least_scale(item.matrix[:4])
                scales[item.scene.key] = min(scales.get(item.scene.key, here), here)
            elif isinstance(item, Group):
                visit(item.items, scale * least_scale(item.matrix[:4]))

    for scene in scenes:
        visit(scene.items, 1.0)
    for key, scene in reversed([*placed.items()]):
        visit(scene.items, scales[key])
    return scales


def placed_scenes(items: tuple[Item, ...]) -> Iterator[Scene]:
    """The scenes that some items place themselves."""
    for item in items:
        if isinstance(item, Use):
            yield item.scene
        elif isinstance(item, Group):
            yield from placed_scenes(item.items)


def _same(one: Scene, other: Scene) -> bool:
    """True if two scenes draw the same, even if they were built separately."""
    if one is other:
        return True
    sizes = [(scene.width_mm, scene.height_mm, scene.bleed_mm) for scene in (one, other)]
    return sizes[0] == sizes[1] and _same_items(one.items, other.items)


def _same_items(ones: tuple[Item, ...], others: tuple[Item, ...]) -> bool:
    return ones is others or (len(ones) == len(others) and all(map(_same_item, ones, others)))


def _same_item(one: Item, other: Item) -> bool:
    if isinstance(one, Use) and isinstance(other, Use):
        return one.matrix == other.matrix and one.scene.key == other.scene.key
    if isinstance(one, Group) and isinstance(other, Group):
        alike = (one.matrix, one.clip, one.layer) == (other.matrix, other.clip, other.layer)
        return alike and _same_items(one.items, other.items)
    return one == other
