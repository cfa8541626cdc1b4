"""A title as the studio shows it: the last version that could be read."""

from __future__ import annotations

import itertools
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    Severity,
    has_errors,
    sort_problems,
)
from platelayer.foundation.suggestions import suggested
from platelayer.model.kinds import KINDS, Piece
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.title import Title

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.model.upgrade import UpgradeGraph
    from platelayer.pipeline.faces import Sources
    from platelayer.scene.shapes import Scene

_DIGITS = 16
# So long a search for problems goes on before something else gets its turn.
_SLICE_S = 0.008
_MOST_DRAWN = 4
_counter = itertools.count(1)
_WORD = re.compile(r'"([^"]+)"')


class Drawn(NamedTuple):
    """The faces of a piece as they were drawn, with notes."""

    fronts: tuple[Scene, ...]
    back: Scene | None
    notes: tuple[Problem, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Fronts and back."""
        return self.fronts if self.back is None else (*self.fronts, self.back)


class View:
    """One title with one of its variants (or none). What has errors stands as it was; files that
    cannot be read at all are `kept` as they were. `broken` is whether there is nothing to show."""

    def __init__(self, root: Path, at: str, variant: str | None) -> None:
        self.root, self.at, self.folder, self.variant = root, at, root / at, variant
        self.loaded: Loaded | None = None
        self.manifest: Manifest | None = None
        self.broken = False
        self.kept: tuple[str, ...] = ()
        self.revision = 0
        self.read_problems: tuple[Problem, ...] = ()
        self._sound: dict[Path, str] = {}
        self._unsaved: Mapping[Path, str] = {}
        self.problems: tuple[Problem, ...] = ()
        self._styles: dict[tuple[str, str], Style] = {}
        self._sources: dict[tuple[str, str], Sources] = {}
        self._illegible: dict[str, tuple[Problem, ...]] = {}
        self._drawn: OrderedDict[str, Drawn] = OrderedDict()

    @property
    def title(self) -> Title:
        """The title. Raises CannotRun before it could be read for the first time."""
        if self.loaded is None:
            raise CannotRun("this title could not be read yet")
        return self.loaded.title

    def reload(self, unsaved: Mapping[Path, str] = MappingProxyType({})) -> None:
        """Read the files again, some of them as they are edited."""
        from platelayer.definitions.source import read_as
        from platelayer.definitions.titles import read_title

        self._unsaved = unsaved
        try:
            with read_as(unsaved):
                loaded = read_title(self.folder, variant=self.variant)
        except ProblemsFound as found:
            self._read_draft("classic", found.problems)
        else:
            self._take(loaded)

    def _take(self, loaded: Loaded) -> None:
        self.revision = next(_counter)
        self.loaded, self.broken, self.kept, self._sources = loaded, False, (), {}
        self._sound = {
            document.path: document.text for document, _ in loaded.assembled.origins.values()
        }
        self.manifest = build_manifest(loaded.title)
        self.read_problems = self.problems = loaded.problems

    def _read_draft(self, theme: str, problems: tuple[Problem, ...]) -> None:
        """Read what is sound of the files, the rest as it was."""
        from platelayer.definitions.salvage import salvage
        from platelayer.definitions.source import read_as
        from platelayer.definitions.themes import complete_theme

        before = self.loaded.assembled.value if self.loaded else None
        with read_as(self._unsaved):
            kept = {path: text for path, text in self._sound.items() if not _is_sound(path)}
        try:
            with read_as({**self._unsaved, **kept}):
                loaded = salvage(
                    self.folder, complete_theme(theme), variant=self.variant, before=before
                )
        except ProblemsFound:
            self.revision = next(_counter)
            self.broken = True
            self.read_problems = self.problems = problems
        else:
            # Of a kept file, what is wrong with it now is told, not what was wrong with it before.
            drafted = (
                problem
                for problem in loaded.problems
                if problem not in problems and Path(problem.file) not in kept
            )
            problems = sort_problems((*problems, *drafted, *loaded.left_out))
            origins = loaded.assembled.origins.items()
            old = (pointer for pointer, (document, _) in origins if document.path in kept)
            self._take(replace(loaded, problems=problems, lost=(*loaded.lost, *old)))
        self.kept = tuple(self._name(path) for path in kept)

    def sources(self, language: str, theme: str) -> Sources:
        """Everything that the pieces are drawn from; the same key means the same look."""
        from platelayer.pipeline.faces import Sources

        if (language, theme) not in self._sources:
            style = self.style(language, theme)
            manifest = self.manifest or build_manifest(self.title)
            sources = Sources(title=self.title, manifest=manifest, style=style)
            self._sources[language, theme] = sources
        return self._sources[language, theme]

    def style(self, language: str, theme: str) -> Style:
        """The style to draw in."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.drawing.kit.style import style_of

        made = style_of(self.title, complete_theme(theme), language)
        known = self._styles.get((language, theme))
        if known is not None and (known.terms, known.pictures) == (made.terms, made.pictures):
            return known  # one object as long as nothing changes: drawers keep by it what they have drawn
        self._styles[language, theme] = made
        return made

    @property
    def graph(self) -> UpgradeGraph:
        """Upgrades of the tiles."""
        from platelayer.rules.graph import upgrade_graph

        return upgrade_graph(self.title)

    def piece(self, key: str) -> Piece:
        """A piece by its key. Raises CannotRun."""
        piece = self.manifest.by_key.get(key) if self.manifest else None
        if piece is None:
            raise CannotRun(f"there is no piece {key!r}")
        return piece

    def place(self, pointer: str) -> list[str]:
        """File and pointer in it of a pointer of the assembled title. Raises CannotRun before it
        could be read."""
        if self.loaded is None:
            raise CannotRun("this title could not be read yet")
        document, inside = self.loaded.assembled.source(pointer)
        return [self._name(document.path), inside]

    def places(self) -> dict[str, list[str]]:
        """Places where pieces and hexes are defined: [file, pointer in it] by `kind:id`, or
        `hex:map/D4` for a hex."""
        if self.loaded is None or self.manifest is None:
            return {}
        assembled = self.loaded.assembled
        places: dict[str, list[str]] = {}
        for piece in self.manifest.pieces:
            if piece.origin:
                document, pointer = assembled.source(join_pointer(*piece.origin))
                places[piece.key] = [self._name(document.path), pointer]
        for board in self.title.maps:
            document, pointer = assembled.source(join_pointer("maps", board.id, "hexes"))
            file = self._name(document.path)
            for hexagon in board.hexes:
                where = f"{pointer}{join_pointer(hexagon.id)}"
                places[f"hex:{board.id}/{hexagon.id}"] = [file, where]
        return places

    def origins(self) -> dict[str, list[str]]:
        """Places of the blocks of the title, and of the changes of a variant in them: [file,
        pointer in it] by pointer of the assembled title. Their contents have the same place within
        them."""
        origins = self.loaded.assembled.origins if self.loaded else {}
        return {
            pointer: [self._name(document.path), inside]
            for pointer, (document, inside) in origins.items()
        }

    def _name(self, path: Path) -> str:
        """A file by its name in the studio's folder; one from elsewhere by its path."""
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )

    def as_json(self, problem: Problem) -> dict[str, Any]:
        """A problem for a page, its file by its name in the studio's folder, with its fixes."""
        file = self.name_of(problem.file)
        return {**problem.as_json, "file": file, "fixes": fixes(problem, file)}

    def name_of(self, file: str) -> str:
        """A file as a problem names it by its name in the studio's folder."""
        return self._name(Path(os.path.abspath(file))) if file else ""  # noqa: PTH100 - links stay

    def drawn(self, piece: Piece, sources: Sources) -> Drawn:
        """A piece as it looks. The last ones are kept: what a page has shown is then searched for
        problems. Raises what drawing raises."""
        from platelayer.pipeline.faces import drawn_faces

        key = sources.key(piece)
        faces = self._drawn.pop(key, None)
        if faces is None:
            (fronts, back), notes = drawn_faces(sources, piece, sources.style)
            faces = Drawn(fronts, back, notes)
        self._drawn[key] = faces
        if len(self._drawn) > _MOST_DRAWN:
            self._drawn.popitem(last=False)
        return faces

    def judge(self, theme: str) -> Iterator[None]:
        """Find glyphs that the fonts lack, then apply the rules; kept until the next reading."""
        from platelayer.definitions.themes import complete_theme, unprintable
        from platelayer.pipeline.load import judge

        if self.loaded is None or self.broken:
            return
        glyphs = unprintable(self.loaded, complete_theme(theme), language=None)
        yield
        if has_errors(glyphs):  # a picture with them could not be drawn
            self._read_draft(theme, (*self.read_problems, *glyphs))
            glyphs = ()
        self.problems = sort_problems((*self.read_problems, *glyphs, *judge(self.loaded)))

    def proofs(self, language: str, theme: str) -> Iterator[None]:
        """Look for what is illegible, in slices; pieces whose looks have not changed are not drawn
        again."""
        from platelayer.pipeline.faces import ours_left_out, told

        if self.manifest is None:
            return
        pieces, sources = self.manifest.pieces, self.sources(language, theme)
        for piece in pieces:
            key = sources.key(piece)
            if key in self._illegible:
                continue
            problems: list[Problem] = []
            with told(piece, problems):
                drawn = self.drawn(piece, sources)
                yield
                problems += drawn.notes
                for scene in drawn.scenes:
                    yield from _illegible(scene, piece, problems)
            self._illegible[key] = ours_left_out(piece, problems)
            yield
        now = {sources.key(piece) for piece in pieces}
        self._illegible = {key: problems for key, problems in self._illegible.items() if key in now}

    def found(self, language: str, theme: str) -> tuple[Problem, ...]:
        """Everything found so far: in the definition, by the rules, on the pieces."""
        from platelayer.pipeline.faces import at_pieces
        from platelayer.pipeline.load import with_hints

        if self.broken or self.loaded is None or self.manifest is None:
            return self.read_problems
        sources = self.sources(language, theme)
        seen = [
            problem
            for piece in self.manifest.pieces
            for problem in self._illegible.get(sources.key(piece), ())
        ]
        return sort_problems(
            with_hints((*self.problems, *at_pieces(seen, self.manifest, self.loaded.place)))
        )

    def state(self, language: str, theme: str) -> Mapping[str, Any]:
        """State of the title for a page, after each change."""
        from platelayer.foundation.languages import languages
        from platelayer.rules.text_rules import spoken

        if self.loaded is None or self.manifest is None:
            return {
                "revision": self.revision,
                "broken": True,
                "pieces": [],
                "maps": [],
                "kinds": {},
            }
        title, manifest, sources = self.title, self.manifest, self.sources(language, theme)
        companies: dict[tuple[str, ...], str] = {
            (company.block, company.id): company.id for company in title.companies
        }
        return {
            "revision": self.revision,
            "broken": self.broken,
            "kept": self.kept,
            "id": title.id,
            "name": title.name.get(language),
            "layout": title.maps[0].layout.value if title.maps else "flat",
            "languages": list(dict.fromkeys((*languages(), *spoken(title)))),
            "variants": [
                {"id": variant.id, "name": variant.name.get(language)} for variant in title.variants
            ],
            "atlas": title.atlas is not None,
            "currency": title.currency,
            "kinds": {
                kind: {"name": KINDS[kind].name.get(language)}
                for kind in dict.fromkeys(piece.kind for piece in manifest.pieces)
            },
            "pieces": [
                {
                    "key": piece.key,
                    "kind": piece.kind,
                    "id": piece.id,
                    "name": piece.name.get(language),
                    "count": piece.count,
                    "group": piece.group,
                    "company": companies.get(piece.origin[:2]),
                    "version": sources.key(piece)[:_DIGITS],
                }
                for piece in manifest.pieces
            ],
            "maps": [
                {"id": board.id, "name": board.name.get(language), "layout": board.layout.value}
                for board in title.maps
            ],
            "places": self.places(),
            "origins": self.origins(),
        }


def _is_sound(path: Path) -> bool:
    """True if a file can be read as JSON."""
    from platelayer.definitions.source import read_document

    try:
        return not read_document(path).doubts
    except ProblemsFound:
        return False


def _illegible(scene: Scene, piece: Piece, problems: list[Problem]) -> Iterator[None]:
    """Adds what is illegible on a face of a piece to its problems, in slices."""
    from platelayer.scene.legibility import legibility_steps

    end = monotonic() + _SLICE_S
    for step in legibility_steps(scene):
        problems += (replace(problem, about=piece.key) for problem in step)
        if monotonic() > end:
            yield
            end = monotonic() + _SLICE_S


def fixes(problem: Problem, file: str) -> list[dict[str, Any]]:
    """Remedies for a problem in a file of the studio's folder: a kind that the page has words for,
    the word that they are about, and the operations. A waiver lacks its reason, which a person has
    to give."""
    if not file or PurePath(file).is_absolute():
        return []
    words = _WORD.findall(
        problem.message.partition("; ")[0]
    )  # behind it stand those that are allowed
    offered = [
        _fix(
            "meant",
            word,
            op="respell",
            file=file,
            pointer=problem.pointer,
            words=words,
            instead=word,
        )
        for word in (suggested(problem.hint) if words else ())
    ]
    if problem.code == "BX01":
        offered.append(_fix("box", "", op="accept_box"))
    if problem.waivable and problem.severity is not Severity.NOTE:
        offered.append(
            _fix("waive", problem.about, op="waive", code=problem.code, at=problem.about, reason="")
        )
    return offered


def _fix(kind: str, word: str, **op: Any) -> dict[str, Any]:
    return {"kind": kind, "word": word, "ops": [op]}
