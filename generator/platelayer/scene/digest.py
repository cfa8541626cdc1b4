"""A scene in, the SHA-256 of all that it shows out: equal digests print alike, wherever they were drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from marshal import dumps
from typing import Any

from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Circle, Group, Item, Path, Scene, Stroke, TextRun, Use

_PLAIN = 2
"""The last version of marshal's format that writes equal values alike, whether or not they are one object."""


class Digester:
    """Digests scenes; what several of them place by reference is read once."""

    def __init__(self) -> None:
        # The scenes themselves are kept, so that no other may take the place of one in memory.
        self._known: dict[int, tuple[Scene, str]] = {}

    def digest(self, scenes: Iterable[Scene]) -> str:
        """The digest of one or more scenes in order: size, bleed, outline, every shape and its inks, every word."""
        return sha256("\n".join(map(self._scene, scenes)).encode()).hexdigest()

    def _scene(self, scene: Scene) -> str:
        known = self._known.get(id(scene))
        if known is None:
            whole = (scene.width_mm, scene.height_mm, scene.bleed_mm, scene.outline, self._items(scene.items))
            known = self._known[id(scene)] = (scene, sha256(dumps(whole, _PLAIN)).hexdigest())
        return known[1]

    def _items(self, items: Iterable[Item]) -> tuple[Any, ...]:
        return tuple(_PARTS[type(item)](self, item) for item in items)

    def _use(self, use: Use) -> tuple[Any, ...]:
        return ("use", use.matrix, self._scene(use.scene))

    def _group(self, group: Group) -> tuple[Any, ...]:
        return ("group", group.matrix, group.clip, group.layer, self._items(group.items))

    def _path(self, path: Path) -> tuple[Any, ...]:
        return (path.commands, _ink(path.fill), _stroke(path.stroke), path.even_odd)

    def _circle(self, circle: Circle) -> tuple[Any, ...]:
        return (circle.cx, circle.cy, circle.r, _ink(circle.fill), _stroke(circle.stroke))

    def _text(self, run: TextRun) -> tuple[Any, ...]:
        place = (run.x, run.y, run.width_mm, run.anchor.value, run.angle, run.tracking_mm)
        return (run.text, run.face, run.size_pt, _ink(run.ink), place)


def _ink(ink: Ink | None) -> tuple[Any, ...] | None:
    return None if ink is None else (ink.rgb, ink.cmyk, ink.spot)


def _stroke(stroke: Stroke | None) -> tuple[Any, ...] | None:
    if stroke is None:
        return None
    return (_ink(stroke.ink), stroke.width_mm, stroke.dash, stroke.cap, stroke.join)


_PARTS: dict[type, Callable[[Digester, Any], tuple[Any, ...]]] = {
    Path: Digester._path,
    Circle: Digester._circle,
    TextRun: Digester._text,
    Group: Digester._group,
    Use: Digester._use,
}
