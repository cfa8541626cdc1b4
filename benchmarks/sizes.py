"""How many sizes of type each kind of piece uses, by language, over all titles, and those of its
faces with `-v`: python benchmarks/sizes.py [-v]."""

from __future__ import annotations

import sys
from collections import defaultdict

from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import HEXES, KINDS
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.scene.flatten import flatten_scene

LANGUAGES = ("en", "ja")
OTHERS = frozenset(("map", "checklist", "upgrade-chart"))
"""Kinds that are set by other measures: of a hex, or of a list."""

Sizes = dict[str, dict[float, int]]
"""Runs of words by face and size in points."""


def sizes_of(language: str) -> dict[str, Sizes]:
    """The sizes on the fronts of all titles, by kind."""
    found: dict[str, Sizes] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for name in title_ids():
        loaded, _, style = read_to_print(name, BuildOptions(language=language))
        manifest = build_manifest(loaded.title)
        for piece in manifest.pieces:
            if piece.kind in OTHERS or KINDS[piece.kind].sort == HEXES:
                continue
            for scene in draw_piece(loaded.title, manifest, piece, style):
                for text in flatten_scene(scene)[1]:
                    found[piece.kind][text.run.face][round(text.size_pt, 1)] += 1
    return found


def main() -> None:
    """A row a kind."""
    by_language = {language: sizes_of(language) for language in LANGUAGES}
    print(f"{'kind':18}" + "".join(f"{language:>6}" for language in LANGUAGES))
    for kind in KINDS:
        rows = [by_language[language].get(kind, {}) for language in LANGUAGES]
        if any(rows):
            print(
                f"{kind:18}"
                + "".join(
                    f"{len([size for sizes in row.values() for size in sizes]):6}" for row in rows
                )
            )
        for language, row in zip(LANGUAGES, rows, strict=True) if "-v" in sys.argv else ():
            for face, sizes in sorted(row.items()):
                print(
                    f"  {language} {face:24} {len(sizes):3}  {' '.join(f'{size:g}' for size in sorted(sizes))}"
                )


if __name__ == "__main__":
    main()
