"""Scenes each once, for what keeps values and not references."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import force_setattr, replace

from platelayer.scene.shapes import Group, Item, Scene, Use


class Table:
    """Scenes that place others, which are often the same ones: each is here once, and whatever
    places it has an empty scene in its stead, whose key is its number."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        # The scenes themselves are kept, so that no other scene can take their place in memory.
        self._known: dict[int, tuple[Scene, Scene]] = {}

    def stand_in(self, scene: Scene) -> Scene:
        """What stands for a scene, which is added with all that it places."""
        if id(scene) not in self._known:
            added = replace(scene, items=self._items(scene.items))
            number = Scene(key=str(len(self.scenes)), width_mm=0.0, height_mm=0.0, items=())
            self._known[id(scene)] = (scene, number)
            self.scenes.append(added)
        return self._known[id(scene)][1]

    def _items(self, items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(map(self._item, items))

    def _item(self, item: Item) -> Item:
        if isinstance(item, Use):
            return replace(item, scene=self.stand_in(item.scene))
        return replace(item, items=self._items(item.items)) if isinstance(item, Group) else item


def restored(scenes: Sequence[Scene]) -> Callable[[Scene], Scene]:
    """Which scene a stand-in stands for. The scenes of the table become what they were, in place:
    they are the caller's own."""

    def scene_of(number: Scene) -> Scene:
        return scenes[int(number.key)]

    def restore(items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, Use):
                force_setattr(item, "scene", scene_of(item.scene))
            elif isinstance(item, Group):
                restore(item.items)

    for scene in scenes:
        restore(scene.items)
    return scene_of
