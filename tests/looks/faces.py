"""All faces of a title's pieces in one language, drawn once for everything that is asked of them."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

from japanese_lines import KINDS, Paragraph, recorded
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import FlatText, flatten_scene
from platelayer.scene.shapes import Scene


class Faces(NamedTuple):
    """`fronts` and `backs` go by the keys of their pieces. `paragraphs` are the Japanese ones,
    `float_sums` the modules that added floats with `sum` on the way."""

    title: Title
    style: Style
    fronts: dict[str, tuple[Scene, ...]]
    backs: dict[str, Scene]
    paragraphs: list[Paragraph]
    float_sums: set[str]

    def texts(self, *left_out: str) -> Iterator[tuple[str, list[FlatText]]]:
        """The texts on each face, with the key of its piece, but of those of some kinds."""
        scenes = chain(
            ((key, scene) for key, pages in self.fronts.items() for scene in pages),
            ((f"{key}:back", scene) for key, scene in self.backs.items()),
        )
        for key, scene in scenes:
            if key.partition(":")[0] not in left_out:
                yield key, flatten_scene(scene)[1]


def in_lines(texts: Iterable[FlatText]) -> str:
    """Words, of which only those that adjoin on one line are joined: what stands before them may
    be another cell of a table."""
    words = ""
    for before, text in pairwise((None, *texts)):
        if before is not None:
            is_on_its_line = abs(text.bounds[3] - before.bounds[3]) < 1
            adjoins = is_on_its_line and abs(text.bounds[0] - before.bounds[2]) < 3
            words += " " if adjoins else "\n"
        words += text.run.text
    return words


@lru_cache(maxsize=2)
def faces(title_id: str, language: str, variant: str | None = None) -> Faces:
    read, _, style = read_to_print(title_id, BuildOptions(language=language, variant=variant))
    title = read.title
    manifest, graph = build_manifest(title), upgrade_graph(title)
    drawn = Faces(title, style, {}, {}, [], set())
    with watched_sums(drawn.float_sums):
        for piece in manifest.pieces:
            with recorded() as set_in:
                pages = draw_piece(title, manifest, piece, style, graph)
            drawn.fronts[piece.key] = tuple(pages)
            if piece.kind in KINDS:
                drawn.paragraphs.extend(Paragraph(piece.key, *each) for each in set_in)
            if (back := draw_back(title, piece, style)) is not None:
                drawn.backs[piece.key] = back
    return drawn


@contextmanager
def watched_sums(found: set[str]) -> Iterator[None]:
    """Note the modules of Platelayer that add floats with `sum`, whose last bits differ between
    releases of Python; those of `math.fsum` never do."""
    plain = builtins.sum

    def watched(values: Iterable[Any], /, start: Any = 0) -> Any:
        values = [*values]
        module = sys._getframe(1).f_globals.get("__name__", "")
        if module.startswith("platelayer.") and any(isinstance(each, float) for each in values):
            found.add(module)
        return plain(values, start)

    builtins.sum = watched
    try:
        yield
    finally:
        builtins.sum = plain
