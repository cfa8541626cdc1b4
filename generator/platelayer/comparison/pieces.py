"""Pieces that look different in two definitions: which to print and which to discard, and sheets
that show the changes in words and each piece before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.comparison.wording import phrase
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.kit.style import style_of
from platelayer.foundation.geometry import Point, multiply, scaling, translation
from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import step
from platelayer.foundation.values import Frozen
from platelayer.imposition.listing import TITLE_PT, Setter, document_of, frames_of
from platelayer.imposition.paper import WORDS, Document, Frame, Paper, fixed, with_sizes
from platelayer.model.kinds import KINDS, Piece
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.faces import Sources, drawn_faces
from platelayer.pipeline.job import Change, PrintedPiece, changes
from platelayer.pipeline.load import language_notes
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import (
    Commands,
    Group,
    Item,
    Items,
    Role,
    Scene,
    Stroke,
    Use,
    rectangle_path,
)
from platelayer.scene.shapes import Path as ShapePath
from platelayer.scene.typeset import Theme, fit, set_line

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.pipeline.job import BuildOptions


STEM = "changes"
_GAP_MM, _LABEL_MM, _HAIR_MM = 4.0, 5.0, 0.1
# Maximum width of pieces of which two pairs fit side by side; maximum heights of pictures in such
# rows and in others.
_SMALL_MM, _TALL_MM, _TALLEST_MM = 45.0, 62.0, 118.0


class Pair(Frozen, kw_only=True):
    """A piece before and after (None if it does not exist), its name, and what to do with it."""

    name: str
    orders: str
    before: Scene | None
    after: Scene | None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The pictures that exist, before and after."""
        return tuple(scene for scene in (self.before, self.after) if scene is not None)

    @property
    def is_small(self) -> bool:
        """True if two such pairs fit side by side."""
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
    """Lay out sentences under their headings, in columns, followed by pairs of pictures, in actual
    size where they fit. If the given paper is too small, A4 is used."""
    frame = frames_of(paper, margin_mm)[0]
    setter = Setter(frame, theme, tongue)
    name = fixed(STEM, tongue, setter.strong.at(TITLE_PT).faces)
    blocks = []
    for group, sentences in changes.items():
        heading = [*setter.wrapped(group, setter.strong)]  # stays with the first sentence
        for sentence in sentences:
            blocks.append([*heading, *setter.wrapped(sentence, setter.plain)])
            heading = []
    sheets = setter.sheets(blocks, f"{name}: {title}", summary)
    bodies = [tuple(sheet) for sheet in sheets]
    bodies += _pages_of_pairs([*pairs], frame, setter)
    return document_of(STEM, title, [(frame, body) for body in bodies], theme, tongue)


def _pages_of_pairs(pairs: Sequence[Pair], frame: Frame, setter: Setter) -> Iterator[Items]:
    """Yield pages of pairs in rows: two small ones to a row, others one. The pictures decide a
    row's height."""
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
    """Yield a pair and its label, from its upper left corner."""
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
        use = Use(_apart(scene, f"{STEM}:{place}", {}))
        yield Group((use,), matrix=matrix, clip=scene.die_line)
        yield Group((_hairline(scene.die_line, theme, scale),), matrix=matrix)


def _hairline(outline: Commands, theme: Theme, scale: float = 1.0) -> ShapePath:
    """Return a line around a picture, so that the edge of a white piece shows."""
    stroke = Stroke(theme.ink("text.soft"), _HAIR_MM / scale)
    return ShapePath(commands=outline, stroke=stroke, role=Role.MARK)


def _apart(scene: Scene, prefix: str, known: dict[int, Scene]) -> Scene:
    """Return a copy of a scene with unique keys, also in the scenes placed in it, because two
    titles share many keys."""
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


class ChangedPiece(Frozen, kw_only=True):
    """A piece that is new, gone, has another count, or looks different: its name, what to do, and
    the faces that differ as pairs of before and after (None if there is none)."""

    name: str
    change: Change
    pictures: tuple[tuple[Scene | None, Scene | None], ...] = ()

    def orders(self, tongue: Tongue) -> str:
        """Return how many pieces to print and to discard, in words."""
        parts = (
            ("changes print", self.change.to_print),
            ("changes throw away", self.change.to_throw_away),
        )
        return phrase(tongue, "list").join(
            tongue.say(WORDS[words], count) for words, count in parts if count
        )


class _Side:
    """The pieces of one title."""

    def __init__(self, loaded: Loaded, options: BuildOptions) -> None:
        language_notes(loaded.title, options.language)
        theme = complete_theme(options.theme)
        title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
        style = style_of(title, theme, options.language)
        self.manifest = build_manifest(title)
        self._sources = Sources(
            title=title, manifest=self.manifest, style=style, graph=upgrade_graph(title)
        )
        self._digester = Digester()

    def key(self, piece: Piece) -> str:
        """Return a key of everything that decides how a piece looks."""
        return self._sources.key(piece)

    def seen(self, piece: Piece) -> tuple[PrintedPiece, tuple[Scene, ...]]:
        """Return a piece as printed, and its faces."""
        (fronts, back), _ = drawn_faces(self._sources, piece, self._sources.style)
        scenes = fronts if back is None else (*fronts, back)
        front, behind = (
            self._digester.digest(fronts),
            "" if back is None else self._digester.scene(back),
        )
        return PrintedPiece(piece.count, front, back=behind), scenes


def changed_pieces(before: Loaded, after: Loaded, options: BuildOptions) -> Iterator[ChangedPiece]:
    """Yield the pieces that changed, those of the later title in its order, then those that are
    gone. A piece is drawn only if something that it is drawn from has changed. Raises what
    drawing raises, and CannotRun for an unknown language or size."""
    was, now = _Side(before, options), _Side(after, options)
    seen: tuple[dict[str, PrintedPiece], dict[str, PrintedPiece]] = {}, {}
    faces: tuple[dict[str, tuple[Scene, ...]], dict[str, tuple[Scene, ...]]] = {}, {}
    for key in {**now.manifest.by_key, **was.manifest.by_key}:
        pieces = was.manifest.by_key.get(key), now.manifest.by_key.get(key)
        one, other = pieces
        alike = one is not None and other is not None and was.key(one) == now.key(other)
        for side, piece, looks, drawn in zip((was, now), pieces, seen, faces, strict=True):
            if piece is not None and alike:
                looks[key] = PrintedPiece(piece.count, "")
            elif piece is not None:
                step(f"drawing {key}")
                looks[key], drawn[key] = side.seen(piece)
    for change in changes(*seen, [*KINDS]):
        piece = now.manifest.by_key.get(change.key) or was.manifest.by_key[change.key]
        pictures = _pictures(*(drawn.get(change.key, ()) for drawn in faces))
        if not pictures:  # pieces whose number has changed
            front = now.seen(piece)[1][0]
            pictures = ((front, front),)
        name = f"{KINDS[piece.kind].name.get(options.language)}: {piece.name.get(options.language)}"
        yield ChangedPiece(name=name, change=change, pictures=pictures)


def _pictures(
    before: tuple[Scene, ...], after: tuple[Scene, ...]
) -> tuple[tuple[Scene | None, Scene | None], ...]:
    """Return the faces that differ, in pairs."""
    digester = Digester()
    pairs = []
    for index in range(max(len(before), len(after))):
        one, other = (scenes[index] if index < len(scenes) else None for scenes in (before, after))
        if one is None or other is None or digester.scene(one) != digester.scene(other):
            pairs.append((one, other))
    return tuple(pairs)
