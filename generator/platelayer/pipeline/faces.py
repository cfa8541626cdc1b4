"""Faces of pieces, drawn and judged: newly, from a cache, or from a file that was drawn before
Platelayer was packaged (`tools/predraw.py`)."""

from __future__ import annotations

import traceback
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Raw
from msgspec.msgpack import decode
from msgspec.structs import astuple, force_setattr, replace

from platelayer.drawing import drawer
from platelayer.drawing.company.roundel import assign_divisions
from platelayer.drawing.kit.ornament import (
    Box,
    Ring,
    Wave,
    ring_path,
    run_path,
    swell_path,
)
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.pieces import (
    company_described_on,
    draw_back,
    draw_piece,
    draw_with_room,
    referring_to_aid,
)
from platelayer.foundation.cache import Cache, digest_of
from platelayer.foundation.languages import Tongue
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    Severity,
    severity_of,
)
from platelayer.foundation.resources import drawing_files, predrawn_path, shipped_bytes
from platelayer.foundation.values import Frozen
from platelayer.model.company import Company
from platelayer.model.kinds import (
    KINDS,
    OWN,
    OWN_HEXES,
    OWN_ROUNDEL,
    OWN_SETTING,
    OWN_TABLES,
    OWN_TILE,
    OWN_TRAINS,
    SIZES,
    TABLES,
    Kind,
    Piece,
    added_kinds,
    know_kinds,
)
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.tile import UpgradeGraph
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.scene import shapes
from platelayer.scene.legibility import Words, black_words, check_legibility, remember
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Commands, Group, Item, Scene, Table, Use, restored

if TYPE_CHECKING:
    from platelayer.scene.typeset import Theme


# Parts of a title that determine the graph of upgrades.
_GRAPH = ("atlas", "colours", "maps.hexes", "maps.layout", "tiles", "upgrades")
# Maximum length of an exception's text in a message.
_LONGEST_MESSAGE = 100


class Sources(Frozen, kw_only=True, dict=True):
    """The sources from which the pieces of a title are drawn. If the graph is not given, it is
    computed for the upgrade charts that need it."""

    title: Title
    manifest: Manifest
    style: Style
    graph: UpgradeGraph | None = None

    def key(self, piece: Piece, *more: object) -> str:
        """Return the digest of everything that decides how a piece looks: what its kind `reads`,
        the style, and the piece itself, regardless of its count."""
        if piece.key not in self._keys:
            read = [self._digest(name, piece) for name in KINDS[piece.kind].inputs]
            self._keys[piece.key] = digest_of(replace(piece, count=0), read, self.style_digest)
        return digest_of(self._keys[piece.key], more) if more else self._keys[piece.key]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {}

    @cached_property
    def style_digest(self) -> str:
        """Digest of the style."""
        return digest_of(self.style)

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {}

    def follow(self, before: Sources) -> None:
        """Take over slow results from the sources before an edit that cannot have changed: the
        settings of words do not read hexes."""
        now, then = (replace(title, maps=()) for title in (self.title, before.title))
        layouts = [[board.layout for board in title.maps] for title in (self.title, before.title)]
        if self.style == before.style and now == then and layouts[0] == layouts[1]:
            self._settings.update(before._settings)

    @cached_property
    def _settings(self) -> dict[str, str]:
        return {}

    def _digest(self, name: str, piece: Piece) -> str:
        if name == OWN_SETTING:
            if piece.key not in self._settings:
                self._settings[piece.key] = digest_of(self._own(name, piece))
            return self._settings[piece.key]
        if name in _OF_PIECE:
            return digest_of(self._own(name, piece))
        if name not in self._digests:
            self._digests[name] = digest_of(self._value(name))
        return self._digests[name]

    def companies(self, piece: Piece) -> list[Company]:
        """Return the company that a piece belongs to, if any, as a list."""
        return [
            company
            for company in self.title.companies
            if (company.block, company.id) == piece.origin[:2]
        ]

    @cached_property
    def divisions(self) -> dict[str, str]:
        """Divisions of the roundels of all companies, by company."""
        return assign_divisions(self.title.line_up or self.title.companies)

    def _value(self, name: str) -> Any:
        if name == "manifest":
            return self.manifest
        if name == "graph":
            return [self._value(part) for part in _GRAPH]
        if name.startswith(SIZES):
            return self.title.pieces.sizes_of(name.removeprefix(SIZES))
        return _part(self.title, name.split("."))

    def _own(self, name: str, piece: Piece) -> Any:
        """Return a source that differs between the pieces of one kind."""
        title, companies = self.title, self.companies(piece)
        if name == OWN:
            return companies
        if name == OWN_HEXES:
            hexes = [hex_id for company in companies for hex_id in company.hexes]
            return [board.by_id.get(hex_id) for board in title.maps for hex_id in hexes]
        if name == OWN_ROUNDEL:
            return [self.divisions.get(company.ref) for company in companies]
        if name == OWN_TABLES:
            shows = any(aid.phases for aid in title.aids if aid.id == piece.id)
            return [self._value(each) for each in TABLES] if shows else None
        if name == OWN_TILE:
            tiles = [tile for tile in title.tiles if piece.id in (tile.tile.id, tile.back_of)]
            return [replace(tile, count=0) for tile in tiles]
        if name == OWN_TRAINS:
            return title.trains_beside(piece.id)
        company, setting_of = company_described_on(title, piece), drawer(KINDS[piece.kind].setting)
        setting, fits = setting_of(title, piece.id, self.style)
        if fits or company is None:
            return setting, fits, None
        # The reference to the aid is set in the same way as the texts of the other cards.
        return setting, fits, setting_of(referring_to_aid(title, company), piece.id, self.style)


def _part(value: Any, path: Sequence[str]) -> Any:
    """Return the parts of a value at a path of fields; for a tuple, those of each entry."""
    if value is None or not path:
        return value
    if isinstance(value, tuple):
        return [_part(entry, path) for entry in value]
    return _part(getattr(value, path[0]), path[1:])


# Sources that differ between pieces of one kind, except for the settings of words.
_OF_PIECE = (OWN, OWN_HEXES, OWN_ROUNDEL, OWN_TABLES, OWN_TILE, OWN_TRAINS)


class Face(Frozen, kw_only=True):
    """One face: its scene, the digest of its content, what is illegible on it, and, for a press,
    its black words by their ground."""

    scene: Scene
    digest: str
    problems: tuple[Problem, ...]
    black: Words | None = None


class Faces(Frozen, kw_only=True):
    """The faces of a piece: its front or front pages, its back if requested, and notes from drawing
    it."""

    fronts: tuple[Face, ...]
    back: Face | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def all(self) -> tuple[Face, ...]:
        """Fronts and back."""
        return self.fronts if self.back is None else (*self.fronts, self.back)

    def mapped(self, change: Callable[[Face], Face]) -> Faces:
        """Return these faces with a function applied to each."""
        back = None if self.back is None else change(self.back)
        return replace(self, fronts=tuple(map(change, self.fronts)), back=back)


class KeptFaces(Frozen, kw_only=True):
    """The faces of a piece as stored in a cache: scenes that they place in common are stored
    once."""

    faces: Faces
    scenes: tuple[Scene, ...]

    @classmethod
    def of(cls, faces: Faces) -> KeptFaces:
        """Return faces in the form to store."""
        table = Table()
        return cls(
            faces=faces.mapped(lambda face: replace(face, scene=table.stand_in(face.scene))),
            scenes=tuple(table.scenes),
        )

    def restored(self) -> Faces:
        """Return the stored faces. Can be called only once."""
        scene_of = restored(self.scenes)
        return self.faces.mapped(lambda face: replace(face, scene=scene_of(face.scene)))


class Judge:
    """Judges scenes, for a press if one is named. Scenes that several pieces show are judged
    once."""

    def __init__(self, *, press: str = "") -> None:
        self.press = press
        self._digester = Digester()
        self._judged: dict[Scene, Face] = {}
        self._alike: dict[tuple[str, str], Face] = {}

    def face(self, scene: Scene) -> Face:
        """Return a scene with its judgement."""
        if scene not in self._judged:
            problems = check_legibility(scene, press=bool(self.press))
            black = black_words(scene) if self.press else None
            digest = self._digester.scene(scene)
            self._judged[scene] = self.known(
                Face(scene=scene, digest=digest, problems=problems, black=black)
            )
        return self._judged[scene]

    def known(self, face: Face) -> Face:
        """Return an equal face judged before, if there is one: many pieces share a back."""
        known = self._alike.setdefault((face.scene.key, face.digest), face)
        if known.black is not None:
            remember(known.scene, known.black)
        return known


def faces_of(
    sources: Sources, piece: Piece, judge: Judge, cache: Cache | None = None, *, back: bool = True
) -> Faces:
    """Return the faces of a piece: from the cache, from those drawn before Platelayer was packaged,
    or newly drawn, judged and stored in the cache. Raises what drawing raises."""
    ahead = predrawn(sources.style_digest, cache)
    key = sources.key(piece, "faces", judge.press, back) if cache or ahead else ""
    if cache and (known := cache.get(key, KeptFaces)):
        return known.restored().mapped(judge.known)
    if ahead and (found := ahead.get(key, Faces)):
        kept, scene_of = found
        faces = kept.mapped(lambda face: judge.known(replace(face, scene=scene_of(face.scene))))
    else:
        faces = judged_faces(sources, piece, judge, back=back)
    if cache:
        cache.put(key, KeptFaces.of(faces), KeptFaces)
    return faces


def judged_faces(sources: Sources, piece: Piece, judge: Judge, *, back: bool) -> Faces:
    """Draw and judge the faces of a piece. Raises what drawing raises."""
    (fronts, scene), notes = drawn_faces(sources, piece, sources.style, back=back)
    behind = None if scene is None else judge.face(scene)
    return Faces(fronts=tuple(map(judge.face, fronts)), back=behind, notes=notes)


def drawn_faces(
    sources: Sources, piece: Piece, style: Style, *, back: bool = True
) -> tuple[tuple[tuple[Scene, ...], Scene | None], tuple[Problem, ...]]:
    """Return the fronts and the back of a piece, in the size that its words need, and notes. Raises
    what drawing raises."""

    def draw(title: Title, style: Style) -> tuple[tuple[Scene, ...], Scene | None]:
        graph = sources.graph
        if graph is None and "graph" in KINDS[piece.kind].inputs:
            graph = upgrade_graph(title)
        fronts = draw_piece(title, sources.manifest, piece, style, graph)
        return fronts, draw_back(title, piece, style) if back else None

    return draw_with_room(draw, sources.title, piece, style)


def ours_left_out(piece: Piece, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems of a piece. For one of Platelayer's own aids, a warning LG13 replaces
    errors and the aid is left out, because only what people wrote may stop their print."""
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if not errors or not KINDS[piece.kind].is_ours:
        return tuple(problems)
    warning = Problem(
        "LG13",
        f"{piece.key} is left out of prints: {errors[0].message}",
        errors[0].hint,
        severity=severity_of("LG13"),
        about=piece.key,
    )
    return (*(problem for problem in problems if problem.severity is not Severity.ERROR), warning)


@contextmanager
def drawing_faults(piece: Piece, problems: list[Problem]) -> Iterator[None]:
    """Append to `problems` what prevents the drawing of a piece within the block. LG09 is a mistake
    of Platelayer itself."""
    try:
        yield
    except ProblemsFound as error:
        problems += (
            problem if problem.about else replace(problem, about=piece.key)
            for problem in error.problems
        )
    except (CannotRun, MemoryError):
        raise
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}"[:_LONGEST_MESSAGE]
        message = f"{piece.key} cannot be drawn: {what} (in {Path(where.filename).name}, line {where.lineno})"
        hint = "this is a bug in Platelayer; please report it with the definition"
        problems.append(Problem("LG09", message, hint, about=piece.key))


# Illegible details on the pieces of a title, with the places where the pieces are defined.


# Number of shares for each process. Several, because their durations turn out different.
_SHARES_A_PROCESS = 3


class _Tried(Style, frozen=True, kw_only=True, eq=False):
    """A style that records whether its words are used: a piece without words looks the same in
    every language."""

    used_words: list[bool]

    @property
    def tongue(self) -> Tongue:
        """The language, with the title's own wording."""
        self.used_words[0] = True
        return Tongue(self.language, self.terms)


class Proof(Frozen, kw_only=True):
    """Everything that the pieces to proof have in common: their sources in each language. `added`
    are the user's own kinds of piece."""

    sources: Sources
    languages: tuple[str, ...]
    added: tuple[Kind, ...] = ()

    def key(self, piece: Piece) -> str:
        """Return the digest of everything that decides what would be illegible on a piece."""
        return self.sources.key(piece, "proof", self.languages)


def proof_of(title: Title, theme: Theme, languages: Iterable[str]) -> Proof:
    """Return a title prepared for proofing in some languages."""
    from platelayer.rules.graph import upgrade_graph

    first, *others = languages
    style = style_of(title, theme, first)
    sources = Sources(
        title=title, manifest=build_manifest(title), style=style, graph=upgrade_graph(title)
    )
    return Proof(sources=sources, languages=(first, *others), added=added_kinds())


def proof_pieces(
    proofs: Sequence[Proof], requests: Sequence[_Request], processes: int
) -> list[tuple[Problem, ...]]:
    """Return everything illegible on all faces of some pieces, each given with the number of its
    proof. Processes share the work. `about` is the key of the piece."""
    # Deal out the requests to the shares in turn, the costliest first, so that all shares take
    # about as long.
    ordered = sorted(range(len(requests)), key=lambda at: -KINDS[requests[at][1].kind].cost_ms)
    number = min(_SHARES_A_PROCESS * processes, len(ordered))
    shares = [ordered[start::number] for start in range(number)]
    results = share_out(partial(_proof_share, proofs, requests), shares, processes=processes)
    found = dict(zip(chain(*shares), chain(*results), strict=True))
    return [found[at] for at in range(len(requests))]


# Index of a proof, and a piece of its title.
_Request = tuple[int, Piece]


def _proof_share(
    proofs: Sequence[Proof], requests: Sequence[_Request], share: Sequence[int]
) -> list[tuple[Problem, ...]]:
    know_kinds(proofs[0].added)
    # Many pieces share a back, which is checked only once.
    judged: dict[tuple[int, str, str], tuple[Problem, ...]] = {}
    with gc_paused():
        return [_proof(proofs, *requests[at], judged) for at in share]


def _proof(
    proofs: Sequence[Proof],
    number: int,
    piece: Piece,
    judged: dict[tuple[int, str, str], tuple[Problem, ...]],
) -> tuple[Problem, ...]:
    """Return everything illegible on a piece in all languages, or in only one if the piece has no
    words."""
    problems: list[Problem] = []
    proof, sources = proofs[number], proofs[number].sources
    plain = {name: getattr(sources.style, name) for name in sources.style.__struct_fields__}
    for language in proof.languages:
        style = _Tried(**plain | {"language": language}, used_words=[False])
        with drawing_faults(piece, problems):
            (fronts, back), notes = drawn_faces(sources, piece, style)
            problems += notes
            scenes = {scene.key: scene for scene in (*fronts, back) if scene is not None}
            for scene in scenes.values():
                key = (number, scene.key, language)
                if key not in judged:
                    judged[key] = check_legibility(scene)
                problems += (replace(problem, about=piece.key) for problem in judged[key])
        if not style.used_words[0]:
            break
    return ours_left_out(piece, problems)


T = TypeVar("T")

# Lengths in bytes of the signature at the start of the file, and of the size of the index after it.
SIGNATURE, SIZE = 16, 4
# First item of the only command of a path that refers to another path; the second item is its
# number.
ELSEWHERE = "="
# Packages that affect what is drawn and how it is stored.
_LIBRARIES = ("budoux", "msgspec")
# Cache entry which says that the file belongs to this installation.
_OURS = "predrawn faces are ours"


# Paths stored as the parameters they are computed from. They are three quarters of all numbers, and
# computing them is as fast as reading them.


class RingPath(Frozen, array_like=True, tag=True):
    """A ring of a rosette."""

    ring: Ring
    radius_mm: float


class SwellPath(Frozen, array_like=True, tag=True):
    """A swell of a braid."""

    wave: Wave
    swell_mm: float
    half_mm: float


class RunPath(Frozen, array_like=True, tag=True):
    """A border."""

    figure: Commands
    length: float
    box: Box
    gap: float


# Function that computes each kind of path, with its fields as arguments.
WORKED_OUT: dict[Any, Callable[..., Commands]] = {
    RingPath: ring_path,
    SwellPath: swell_path,
    RunPath: run_path,
}


class PlainPath(Frozen, array_like=True, tag=True):
    """A path as it is."""

    commands: Commands


class Entry(Frozen, array_like=True):
    """A value with those of its scenes and paths that no earlier entry has. The others are replaced
    by numbered stand-ins: a scene's number is its key, a path's its only command."""

    value: Raw
    scenes: tuple[Scene, ...]
    paths: tuple[PlainPath | RingPath | SwellPath | RunPath, ...]


class Index(Frozen, array_like=True):
    """Index of the file: digests of the styles used; entry numbers by key; the offset of each entry
    in the decompressed entries, with the numbers of its first scene and path; and the offset of
    each block of entries, decompressed and compressed. Each list of offsets ends with the end of
    the last item."""

    styles: tuple[bytes, ...]
    numbers: dict[bytes, int]
    starts: tuple[int, ...]
    scenes: tuple[int, ...]
    paths: tuple[int, ...]
    blocks: tuple[int, ...]
    compressed: tuple[int, ...]


class Predrawn:
    """Values by the digests of their inputs, each read on request."""

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:SIZE], "big")
        self._index = decode(data[SIZE : SIZE + size], type=Index)
        self._data = memoryview(data)[SIZE + size :]
        # The studio builds in threads; no thread may read what another has only half restored.
        self._restoring = RLock()
        self._blocks: dict[int, bytes] = {}
        self._entries: dict[int, Entry] = {}
        self._scenes: dict[int, Scene] = {}
        self._paths: dict[int, Commands] = {}

    def get(self, key: str, kind: type[T]) -> tuple[T, Callable[[Scene], Scene]] | None:
        """Return the value under a key, and a function from its stand-ins to their scenes."""
        number = self._index.numbers.get(bytes.fromhex(key))
        if number is None:
            return None
        return decode(self._entry(number).value, type=kind), self._scene

    def _entry(self, number: int) -> Entry:
        if number not in self._entries:
            start, end = self._index.starts[number : number + 2]
            block = bisect_right(self._index.blocks, start) - 1
            first = self._index.blocks[block]
            data = self._block(block)[start - first : end - first]
            self._entries[number] = decode(data, type=Entry)
        return self._entries[number]

    def _block(self, number: int) -> bytes:
        from lzma import decompress

        if number not in self._blocks:
            start, end = self._index.compressed[number : number + 2]
            self._blocks[number] = decompress(self._data[start:end])
        return self._blocks[number]

    def _scene(self, stand_in: Scene) -> Scene:
        number = int(stand_in.key)
        with self._restoring:
            if number not in self._scenes:
                entry = bisect_right(self._index.scenes, number) - 1
                scene = self._entry(entry).scenes[number - self._index.scenes[entry]]
                self._restore(scene.items)
                self._scenes[number] = scene
            return self._scenes[number]

    def _restore(self, items: Sequence[Item]) -> None:
        """Replace stand-ins by their scenes and paths."""
        for item in items:
            if isinstance(item, shapes.Path):
                if item.commands and item.commands[0][0] == ELSEWHERE:
                    force_setattr(item, "commands", self._path(int(item.commands[0][1])))
            elif isinstance(item, Group):
                self._restore(item.items)
            elif isinstance(item, Use):
                force_setattr(item, "scene", self._scene(item.scene))

    def _path(self, number: int) -> Commands:
        if number not in self._paths:
            entry = bisect_right(self._index.paths, number) - 1
            path = self._entry(entry).paths[number - self._index.paths[entry]]
            self._paths[number] = (
                path.commands
                if isinstance(path, PlainPath)
                else WORKED_OUT[type(path)](*astuple(path))
            )
        return self._paths[number]


@lru_cache(8)
def predrawn(style: str, cache: Cache | None = None) -> Predrawn | None:
    """Return the predrawn faces of this installation. None if there are none, if they contain
    nothing in a style of that digest, if the file is damaged, or if it was made by other code,
    assets or libraries than these."""
    try:
        data = shipped_bytes(predrawn_path())
    except OSError:
        return None
    # Most titles have a livery of their own and cannot use the file: skip verifying it for them.
    if bytes.fromhex(style) not in data or find_spec("_lzma") is None:
        return None
    # The cache is keyed by the same files, so it can store that the signature is valid.
    if not (cache and cache.get(_OURS, bool)):
        if data[:SIGNATURE] != signature(data[SIGNATURE:]):
            return None
        if cache:
            cache.put(_OURS, True, bool)
    return Predrawn(data[SIGNATURE:])


def signature(data: bytes) -> bytes:
    """Return a digest of data and of everything that decides what is drawn: of file contents,
    because a wheel stores no times. Takes 10 ms. Empty if the version of a library is not known."""
    digest = blake2b(data, digest_size=SIGNATURE)
    for name, path in drawing_files():
        content = shipped_bytes(Path(path))
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    for library in _LIBRARIES:
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            return b""
        # The name of this folder contains the version; importing importlib.metadata takes 30 ms.
        known = [path.name for path in Path(spec.origin).parents[1].glob(f"{library}-*.dist-info")]
        if len(known) != 1:
            return b""
        digest.update(known[0].encode())
    return digest.digest()
