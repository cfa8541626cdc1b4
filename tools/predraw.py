"""Draws the five titles, in English and by the default options, into
`generator/platelayer/predrawn.faces` or a file that is named: a build then need not draw them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import accumulate, groupby
from lzma import FORMAT_ALONE, compress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import Raw, Struct
from msgspec.msgpack import encode
from msgspec.structs import replace

from platelayer.drawing.kit import ornament
from platelayer.foundation.pool import gc_paused
from platelayer.foundation.resources import predrawn_path, title_ids
from platelayer.model.kinds import PLAY
from platelayer.pipeline.build import prepare
from platelayer.pipeline.faces import (
    ELSEWHERE,
    SIZE,
    WORKED_OUT,
    Entry,
    Faces,
    Index,
    Judge,
    PlainPath,
    judged_faces,
    signature,
)
from platelayer.pipeline.job import BuildOptions
from platelayer.scene.press import printing_on
from platelayer.scene.shapes import Commands, Group, Item, Table
from platelayer.scene.shapes import Path as Line

LANGUAGES = ("en",)
# A shorter path is no longer than a reference to it.
SHORT = 4


class Paths:
    """Paths of the file: those that it has more than once, and engraved ones, are kept apart."""

    def __init__(self) -> None:
        self._worked_out: dict[Commands, Any] = {}
        self._found: Counter[Commands] = Counter()
        self._numbers: dict[Commands, int] = {}
        self.apart: list[Any] = []

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While pieces are drawn: what their engraved curves are worked out from is noted."""

        def noting(recipe: Any, work_out: Any) -> Any:
            def note(*given: Any) -> Commands:
                path: Commands = work_out(*given)
                self._worked_out[path] = recipe(*given)
                return path

            return patch.object(ornament, work_out.__name__, note)

        with ExitStack() as stack:
            for recipe, work_out in WORKED_OUT.items():
                stack.enter_context(noting(recipe, work_out))
            yield

    def count(self, items: Iterable[Item]) -> None:
        """Count paths, to see which are there more than once."""
        for item in items:
            if isinstance(item, Line):
                self._found[item.commands] += 1
            elif isinstance(item, Group):
                self.count(item.items)

    def stand_in(self, item: Item) -> Item:
        """An item with stand-ins for paths that are kept apart."""
        if isinstance(item, Group):
            return replace(item, items=tuple(map(self.stand_in, item.items)))
        if not isinstance(item, Line):
            return item
        path = item.commands
        recipe = self._worked_out.get(path)
        if recipe is None and (self._found[path] < 2 or len(path) < SHORT):
            return item
        if path not in self._numbers:
            self._numbers[path] = len(self.apart)
            self.apart.append(recipe or PlainPath(path))
        return replace(item, commands=((ELSEWHERE, self._numbers[path]),))


class Drawn(Struct, frozen=True):
    """The faces of a piece with stand-ins for scenes, by their key and the digest of their style;
    the number of scenes that are in the table then, and the name of the block in which they are
    kept."""

    style: str
    key: str
    faces: Faces
    scenes: int
    block: tuple[str, ...]


def draw(title_id: str, language: str, table: Table) -> Iterator[Drawn]:
    """All pieces of a title as it is printed by default."""
    ready = prepare(title_id, BuildOptions(language=language))
    job = ready.job
    sources = job.sources
    judge = Judge()
    with gc_paused(), printing_on(job.options.intent):
        for piece in ready.chosen:
            has_back = piece.back == PLAY
            faces = judged_faces(sources, piece, judge, back=has_back)
            yield Drawn(
                style=sources.style_digest,
                key=sources.key(piece, "faces", judge.press, has_back),
                faces=faces.mapped(lambda face: replace(face, scene=table.stand_in(face.scene))),
                scenes=len(table.scenes),
                block=(title_id, language, piece.kind),
            )


def file_of(titles: Iterable[str], languages: Iterable[str]) -> bytes:
    """The whole file. Pieces of a kind are compressed together: they share most of their inks,
    words and forms."""
    table, paths = Table(), Paths()
    with paths.watched():
        drawn = [
            each
            for title_id in titles
            for language in languages
            for each in draw(title_id, language, table)
        ]
    for scene in table.scenes:
        paths.count(scene.items)
    numbers: dict[bytes, int] = {}
    starts, scenes, first_paths = [0], [0], [0]
    blocks: list[bytes] = []
    for _, alike in groupby(drawn, key=lambda each: each.block):
        entries: list[bytes] = []
        for each in alike:
            if (key := bytes.fromhex(each.key)) in numbers:
                continue
            numbers[key] = len(numbers)
            own = table.scenes[scenes[-1] : each.scenes]
            entry = Entry(
                value=Raw(encode(each.faces)),
                scenes=tuple(
                    replace(scene, items=tuple(map(paths.stand_in, scene.items))) for scene in own
                ),
                paths=tuple(paths.apart[first_paths[-1] :]),
            )
            entries.append(encode(entry))
            starts.append(starts[-1] + len(entries[-1]))
            scenes.append(each.scenes)
            first_paths.append(len(paths.apart))
        blocks.append(b"".join(entries))
    compressed = [compress(block, format=FORMAT_ALONE) for block in blocks]
    styles = dict.fromkeys(bytes.fromhex(each.style) for each in drawn)
    index = Index(
        styles=tuple(styles),
        numbers=numbers,
        starts=tuple(starts),
        scenes=tuple(scenes),
        paths=tuple(first_paths),
        blocks=tuple(accumulate(map(len, blocks), initial=0)),
        compressed=tuple(accumulate(map(len, compressed), initial=0)),
    )
    head = encode(index)
    data = b"".join((len(head).to_bytes(SIZE, "big"), head, *compressed))
    signed = signature(data)
    if not signed:
        raise SystemExit("the versions of the libraries that decide what is drawn are not known")
    return signed + data


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else predrawn_path()
    target.write_bytes(file_of(title_ids(), LANGUAGES))
