"""Digests of scenes: SHA-256 of what is painted, so that equal digests print alike on every
system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256

from platelayer.scene.inks import Ink
from platelayer.scene.paths import matrix_numbers, numbers, pdf_path
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Commands,
    Group,
    Image,
    Item,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
)


class Digester:
    """Digests scenes; what several of them place by reference is read once.

    Every length is rounded as painters write it, because the last bits of a float differ between
    Python releases and systems without changing the print.

    What is hashed is text, as `repr` would write tuples of all that is painted. It is put together
    here, because `repr` looks at each character of a path's numbers: it took half of the time.
    """

    def __init__(self) -> None:
        # The scenes themselves are kept, so that no other scene can take their place in memory.
        self._known: dict[int, tuple[Scene, str]] = {}

    def digest(self, scenes: Iterable[Scene]) -> str:
        """The digest of one or more scenes in order: size, bleed, outline, every shape and its
        inks, every word."""
        return joined(map(self.scene, scenes))

    def scene(self, scene: Scene) -> str:
        """The digest of one scene, to be joined with others."""
        known = self._known.get(id(scene))
        if known is None:
            size = numbers((scene.width_mm, scene.height_mm, scene.bleed_mm))
            whole = f"('{size}', {_commands(scene.outline)}, {self._items(scene.items)})"
            known = self._known[id(scene)] = (scene, sha256(whole.encode()).hexdigest())
        return known[1]

    def _items(self, items: Iterable[Item]) -> str:
        return f"[{', '.join(map(self._item, _painted(items)))}]"

    def _item(self, item: Item) -> str:
        match item:
            case Path():
                inks = f"{_ink(item.fill)}, {_stroke(item.stroke)}"
                return f"('path', {_commands(item.commands)}, {inks}, {item.even_odd})"
            case Circle():
                place = numbers((item.cx, item.cy, item.r))
                return f"('circle', '{place}', {_ink(item.fill)}, {_stroke(item.stroke)})"
            case TextRun():
                lengths = (item.x, item.y, item.width_mm, item.angle, item.tracking_mm)
                place = numbers((*lengths, item.size_pt))
                words = f"{item.text!r}, {item.face!r}, '{place}', {item.anchor.value!r}"
                return f"('text', {words}, {_ink(item.ink)})"
            case Image():
                size = numbers((item.width_mm, item.height_mm))
                return f"('image', '{size}', '{sha256(item.pixels.data).hexdigest()}')"
            case Group():
                placed = f"'{matrix_numbers(item.matrix)}', {_commands(item.clip)}, {item.layer!r}"
                return f"('group', {placed}, {self._items(item.items)})"
            case Use():
                return f"('use', '{matrix_numbers(item.matrix)}', '{self.scene(item.scene)}')"


def _painted(items: Iterable[Item]) -> Iterator[Item]:
    """Items without the groups that only say whose their words are."""
    for item in items:
        if (
            isinstance(item, Group)
            and (item.box, item.stop, item.of) != (None, None, None)
            and (item.matrix, item.clip, item.layer) == (IDENTITY, None, None)
        ):
            yield from _painted(item.items)
        else:
            yield item


def joined(digests: Iterable[str]) -> str:
    """The digest of scenes in order, by the digest of each."""
    return sha256("\n".join(digests).encode()).hexdigest()


def _commands(commands: Commands | None) -> str:
    if commands is None:
        return "None"
    lines = pdf_path(commands).replace("\n", "\\n")
    return f"'{lines}'"


@lru_cache(1024)
def _ink(ink: Ink | None) -> str:
    return "None" if ink is None else f"('{numbers((*ink.rgb, *ink.cmyk))}', {ink.spot!r})"


@lru_cache(1024)
def _stroke(stroke: Stroke | None) -> str:
    if stroke is None:
        return "None"
    lengths = numbers((stroke.width_mm, *stroke.dash))
    return f"({_ink(stroke.ink)}, '{lengths}', {stroke.cap!r}, {stroke.join!r})"
