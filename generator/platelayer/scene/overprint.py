"""Black words that overprint: those whose ground can be printed under them too, so that no white
shows at their edges where the plates do not meet."""

from __future__ import annotations

import math
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from msgspec import Struct, field

from platelayer.scene.flatten import FlatShape, FlatText, flatten_scene
from platelayer.scene.grounds import Beneath, Nearby, beneath
from platelayer.scene.inks import MAX_TOTAL_INK, Ink
from platelayer.scene.press import INKS, inks_of_line, kept_by_press, recipe_of
from platelayer.scene.shapes import Scene, TextRun

Word = tuple[str, TextRun]
"""The key of the scene that draws a text, and the text."""


class Words(Struct, array_like=True):
    """Black words by what they lie on; one that is placed more than once may be in both. Sets,
    because joining them hashes no text again."""

    on_light: set[Word] = field(default_factory=set)
    on_heavy: set[Word] = field(default_factory=set)

    def add(self, text: FlatText, under: Beneath) -> None:
        """Adds a text, if it is black, by what it lies on."""
        if is_black(text.run.ink):
            (self.on_light if _is_light(text, under) else self.on_heavy).add((text.owner, text.run))


_BLACK = (0.0, 0.0, 0.0, 1.0)
_SLIP = 1e-6

_known: WeakKeyDictionary[Scene, Words] = WeakKeyDictionary()


def overprinting(scenes: Iterable[Scene]) -> frozenset[Word]:
    """The black words of some pieces, with those of all scenes they place, that may overprint
    wherever they are."""
    words = [black_words(scene) for scene in scenes]
    light = set[Word]().union(*(word.on_light for word in words))
    return frozenset(light.difference(*(word.on_heavy for word in words)))


def is_black(ink: Ink) -> bool:
    """Whether an ink is printed as full black alone."""
    return ink.spot is None and recipe_of(ink) == _BLACK


def _is_light(text: FlatText, under: Beneath) -> bool:
    """Whether all that a black text lies on leaves room for black ink on top of it."""
    if any(_is_heavy(ink) for ink in under.grounds.values()):
        return False
    floor, order = min(under.grounds), text.order
    return not any(
        _darkens(shape, text, under) for shape in under.shapes if floor <= shape.order < order
    )


def remember(scene: Scene, words: Words) -> None:
    """Keeps what has been found out of a scene, as long as there is the scene."""
    _known[scene] = words


def black_words(scene: Scene) -> Words:
    """The black words of a scene, with those of all scenes it places."""
    if scene not in _known:
        shapes, texts = flatten_scene(scene)
        near, words = Nearby(shapes, texts), Words()
        for text in texts:
            if is_black(text.run.ink):
                words.add(text, beneath(text, near))
        remember(scene, words)
    return _known[scene]


def _darkens(shape: FlatShape, text: FlatText, under: Beneath) -> bool:
    """Whether a shape lies below a part of a text with too much ink."""
    if shape.fill is not None and _is_heavy(shape.fill) and any(shape.covered(under.samples)):
        return True
    most = inks_of_line(shape.stroke_mm)
    return shape.line is not None and _is_heavy(shape.line, most) and shape.crosses(text.corners)


@kept_by_press(maxsize=1024)
def _is_heavy(ink: Ink, most: int = INKS) -> bool:
    cyan, magenta, yellow, _ = recipe_of(ink, most)
    return ink.spot is None and math.fsum((cyan, magenta, yellow, 1.0)) > MAX_TOTAL_INK + _SLIP
