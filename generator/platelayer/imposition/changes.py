"""The sheets that show what changed between two definitions: in words, then each piece before and
after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.foundation.matrices import Point, multiply, scaling, translation
from platelayer.imposition.listing import TITLE_PT, Line, Setter, document_of, frame_of
from platelayer.imposition.page import Document
from platelayer.imposition.paper import Frame, Paper
from platelayer.imposition.words import fixed
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    rectangle_path,
)
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import fit, set_line

STEM = "changes"
_GAP_MM, _LABEL_MM, _HAIR_MM = 4.0, 5.0, 0.1
_SMALL_MM, _TALL_MM, _TALLEST_MM = 45.0, 62.0, 118.0
"""Pieces no wider than this stand two pairs beside each other; the greatest heights of pictures in
such rows and in others."""


class Pair(Struct, frozen=True, kw_only=True):
    """A piece before and after (None: there is none then), what it is called, and what is to be
    done."""

    name: str
    orders: str
    before: Scene | None
    after: Scene | None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Its pictures."""
        return tuple(scene for scene in (self.before, self.after) if scene is not None)

    @property
    def is_small(self) -> bool:
        """Two such pairs stand beside each other."""
        return all(scene.width_mm <= _SMALL_MM for scene in self.scenes)


def changes_document(
    title: str,
    summary: str,
    changes: Mapping[str, Sequence[str]],
    pairs: Iterable[Pair],
    *,
    paper: Paper,
    margin_mm: float,
    theme: Theme,
    tongue: Tongue,
) -> Document:
    """Sentences under their headings, in columns; then pairs of pictures, as large as the pieces
    where there is room. Of this paper, or of A4 where it has no room for them."""
    frame = frame_of(paper, margin_mm)
    setter = Setter(frame, theme, tongue)
    name = fixed(STEM, tongue, setter.strong.at(TITLE_PT).faces)
    bodies = [
        tuple(sheet)
        for sheet in setter.sheets(_blocks(changes, setter), f"{name}: {title}", summary)
    ]
    bodies += _pictures([*pairs], frame, setter)
    return document_of(STEM, title, [(frame, body) for body in bodies], theme, tongue)


def _blocks(changes: Mapping[str, Sequence[str]], setter: Setter) -> Iterator[list[Line]]:
    for group, sentences in changes.items():
        heading = [*setter.wrapped(group, setter.strong)]
        for sentence in sentences:
            yield [*heading, *setter.wrapped(sentence, setter.plain)]
            heading = []


def _pictures(pairs: Sequence[Pair], frame: Frame, setter: Setter) -> Iterator[tuple[Item, ...]]:
    """Pages of pairs in rows: small ones two in a row, others one; each row as high as its
    pictures."""
    x, top, width, height = frame.room
    items: list[Item] = []
    y = top
    for row in _rows(pairs):
        cell = (width - _GAP_MM) / 2 if row[0].is_small else width
        picture_mm = (
            (cell - _GAP_MM) / 2,
            _TALL_MM if row[0].is_small else min(_TALLEST_MM, height - 2 * _LABEL_MM),
        )
        tall = max(
            _scale(scene, *picture_mm) * scene.height_mm for pair in row for scene in pair.scenes
        )
        if y > top and y + _LABEL_MM + tall > top + height:
            yield tuple(items)
            items, y = [], top
        for place, pair in enumerate(row):
            items += _pair(pair, (x + place * (cell + _GAP_MM), y), picture_mm, tall, setter)
        y += _LABEL_MM + tall + _GAP_MM
    if items:
        yield tuple(items)


def _rows(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    row: list[Pair] = []
    for pair in pairs:
        if row and not (pair.is_small and row[0].is_small and len(row) == 1):
            yield row
            row = []
        row.append(pair)
    if row:
        yield row


def _scale(scene: Scene, wide: float, high: float) -> float:
    return min(1.0, wide / scene.width_mm, high / scene.height_mm)


def _pair(
    pair: Pair, at: Point, picture_mm: tuple[float, float], tall: float, setter: Setter
) -> Iterator[Item]:
    """A pair with its label, from its upper left."""
    theme, tongue = setter.theme, setter.tongue
    (x, y), wide = at, 2 * picture_mm[0] + _GAP_MM
    label = f"{pair.name} – {pair.orders}" if pair.orders else pair.name
    yield from set_line(label, fit(label, setter.strong, wide), theme.ink("text"), x, y + 3.4)
    for place, scene in enumerate((pair.before, pair.after)):
        left, above = x + place * (picture_mm[0] + _GAP_MM), y + _LABEL_MM
        if scene is None:
            words = fixed(
                "changes new" if place == 0 else "changes gone", tongue, setter.plain.faces
            )
            yield from set_line(
                words, setter.plain, theme.ink("text.soft"), left + 2.0, above + 5.0
            )
            yield _hairline(rectangle_path(left, above, picture_mm[0], tall), theme)
            continue
        scale = _scale(scene, *picture_mm)
        matrix = multiply(translation(left, above), scaling(scale))
        use = Use(scene=_apart(scene, f"{STEM}:{place}", {}))
        yield Group(items=(use,), matrix=matrix, clip=scene.die_line)
        yield Group(items=(_hairline(scene.die_line, theme, scale),), matrix=matrix)


def _hairline(outline: tuple[Command, ...], theme: Theme, scale: float = 1.0) -> Path:
    """A line around a picture, as white pieces would have no end."""
    stroke = Stroke(ink=theme.ink("text.soft"), width_mm=_HAIR_MM / scale)
    return Path(commands=outline, stroke=stroke, role=Role.MARK)


def _apart(scene: Scene, prefix: str, known: dict[int, Scene]) -> Scene:
    """A scene whose keys, and those of all it places, are no other's: of two titles, many are the
    same."""
    if id(scene) not in known:
        items = tuple(_item_apart(item, prefix, known) for item in scene.items)
        known[id(scene)] = replace(scene, key=f"{prefix}:{scene.key}", items=items)
    return known[id(scene)]


def _item_apart(item: Item, prefix: str, known: dict[int, Scene]) -> Item:
    if isinstance(item, Use):
        return replace(item, scene=_apart(item.scene, prefix, known))
    if isinstance(item, Group):
        return replace(item, items=tuple(_item_apart(inner, prefix, known) for inner in item.items))
    return item
