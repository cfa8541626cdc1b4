"""Pieces that look different in another definition: which to print and to throw away, before and
after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.definitions.compare.wording import phrase
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.kit.style import style_of
from platelayer.foundation.languages import Tongue
from platelayer.imposition.changes import Pair, changes_document
from platelayer.imposition.paper import find_paper
from platelayer.imposition.sizes import with_sizes
from platelayer.imposition.words import WORDS
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.model.pieces import Piece
from platelayer.pipeline.faces import Sources, drawn_faces
from platelayer.pipeline.load import spoken_in
from platelayer.pipeline.reprint import Change, Seen, changes
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.digest import Digester

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.pipeline.compare import Comparison
    from platelayer.pipeline.options import BuildOptions
    from platelayer.scene.shapes import Scene


class ChangedPiece(Struct, frozen=True, kw_only=True):
    """A piece that is new, gone, more, fewer, or looks different: its name, what to do, and its
    faces in pairs of before and after (None: there is none then), those that differ."""

    name: str
    change: Change
    pictures: tuple[tuple[Scene | None, Scene | None], ...] = ()

    def orders(self, tongue: Tongue) -> str:
        """How many to print and to throw away, in words."""
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
        spoken_in(loaded.title, options.language)
        theme = complete_theme(options.theme)
        title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
        style = style_of(title, theme, options.language)
        self.manifest = build_manifest(title)
        self._sources = Sources(
            title=title, manifest=self.manifest, style=style, graph=upgrade_graph(title)
        )
        self._digester = Digester()

    def key(self, piece: Piece) -> str:
        """What decides how a piece looks."""
        return self._sources.key(piece)

    def seen(self, piece: Piece) -> tuple[Seen, tuple[Scene, ...]]:
        """A piece as it looks, and its faces."""
        (fronts, back), _ = drawn_faces(self._sources, piece, self._sources.style)
        scenes = fronts if back is None else (*fronts, back)
        front, behind = (
            self._digester.digest(fronts),
            "" if back is None else self._digester.scene(back),
        )
        return Seen(count=piece.count, front=front, back=behind), scenes


def changed_pieces(before: Loaded, after: Loaded, options: BuildOptions) -> Iterator[ChangedPiece]:
    """Pieces that changed, today's in their order, then those that are gone. Only those are drawn
    that are drawn from something else than before. Raises what drawing raises, and CannotRun for a
    language or a size that is unknown."""
    was, now = _Side(before, options), _Side(after, options)
    seen: tuple[dict[str, Seen], dict[str, Seen]] = {}, {}
    faces: tuple[dict[str, tuple[Scene, ...]], dict[str, tuple[Scene, ...]]] = {}, {}
    for key in {**now.manifest.by_key, **was.manifest.by_key}:
        pieces = was.manifest.by_key.get(key), now.manifest.by_key.get(key)
        alike = (
            pieces[0] is not None
            and pieces[1] is not None
            and was.key(pieces[0]) == now.key(pieces[1])
        )
        for side, piece, told, drawn in zip((was, now), pieces, seen, faces, strict=True):
            if piece is not None and alike:
                told[key] = Seen(count=piece.count, front="")
            elif piece is not None:
                told[key], drawn[key] = side.seen(piece)
    for change in changes(*seen, [*KINDS]):
        piece = now.manifest.by_key.get(change.key) or was.manifest.by_key[change.key]
        pictures = _pictures(*(drawn.get(change.key, ()) for drawn in faces))
        if not pictures:  # there are more of it, or fewer
            front = now.seen(piece)[1][0]
            pictures = ((front, front),)
        name = f"{KINDS[piece.kind].name.get(options.language)}: {piece.name.get(options.language)}"
        yield ChangedPiece(name=name, change=change, pictures=pictures)


def _pictures(
    before: tuple[Scene, ...], after: tuple[Scene, ...]
) -> tuple[tuple[Scene | None, Scene | None], ...]:
    """Faces that differ, in pairs."""
    digester = Digester()
    pairs = []
    for index in range(max(len(before), len(after))):
        one, other = (scenes[index] if index < len(scenes) else None for scenes in (before, after))
        if one is None or other is None or digester.scene(one) != digester.scene(other):
            pairs.append((one, other))
    return tuple(pairs)


def changes_pdf(comparison: Comparison, options: BuildOptions) -> bytes:
    """What changed as a file to print."""
    from platelayer.render.pdf import render_pdf

    theme, tongue = complete_theme(options.theme), comparison.tongue
    pairs = [
        Pair(name=piece.name, orders=piece.orders(tongue), before=before, after=after)
        for piece in comparison.pieces or ()
        for before, after in piece.pictures
    ]
    document = changes_document(
        # Where it lies is nobody else's business.
        " → ".join(Path(name).name for name in comparison.names),
        comparison.summary,
        comparison.in_words,
        pairs,
        paper=find_paper(options.paper),
        margin_mm=options.margin_mm,
        theme=theme,
        tongue=tongue,
    )
    return render_pdf(document, colour=options.color)
