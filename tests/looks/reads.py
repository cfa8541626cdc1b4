"""What the drawers of each kind of piece read of titles."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.kinds import Piece
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.rules.graph import upgrade_graph

FIELDS = frozenset(Title.__struct_fields__)


class Watched(Title, frozen=True, eq=False):
    """A title that notes which of its fields are read. It equals nothing but itself, so that no cache keyed by titles
    answers for it."""

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            object.__getattribute__(self, "__dict__").setdefault("read", set()).add(name)
        return object.__getattribute__(self, name)


def watched(title: Title) -> Watched:
    """A title under watch; nothing of it is read yet."""
    return Watched(**{name: getattr(title, name) for name in FIELDS})


def reads_of(reference: str, variant: str | None = None, *, ends: bool = False) -> dict[str, set[str]]:
    """By kind: the fields that its fronts, pages and backs read. With `ends`, of the first and last piece of a kind
    alone."""
    title, _, style = read_to_print(reference, BuildOptions(variant=variant))
    manifest, graph = build_manifest(title), upgrade_graph(title)
    pieces: dict[str, list[Piece]] = defaultdict(list)
    for piece in manifest.pieces:
        pieces[piece.kind].append(piece)
    found: dict[str, set[str]] = {}
    for kind, alike in pieces.items():
        under = watched(title)
        for piece in [alike[0], alike[-1]] if ends else alike:
            draw_piece(under, manifest, piece, style, graph)
            draw_back(under, piece, style)
        found[kind] = set(vars(under).get("read", ()))
    return found


def variants_of(reference: str) -> tuple[str, ...]:
    """The ids of a title's variants."""
    title, _, _ = read_to_print(reference, BuildOptions())
    return tuple(each.id for each in title.variants)
