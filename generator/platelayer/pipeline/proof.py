"""What would be illegible on the pieces of a title, and where each piece is defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.style import Style, style_of
from platelayer.foundation.languages import Tongue
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import Locator, Problem
from platelayer.model.kinds import KINDS, Kind, added_kinds, know_kinds
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.pieces import Piece
from platelayer.pipeline.faces import Sources, drawn_faces, ours_left_out, told
from platelayer.scene.legibility import check_legibility

if TYPE_CHECKING:
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene
    from platelayer.scene.theme import Theme

_SHARES_A_PROCESS = 3
"""How many shares there are for each process: some turn out to take longer than others."""


class _Tried(Style, frozen=True, kw_only=True, eq=False):
    """A style that notes whether it is asked for words: a piece that does not ask looks the same in
    every language."""

    asked: list[bool]

    @property
    def tongue(self) -> Tongue:
        """The language and the title's own words."""
        self.asked[0] = True
        return Tongue(self.language, self.terms)


class Proof(Struct, frozen=True, kw_only=True):
    """What all pieces to proof have in common: what they are drawn from, in one of the languages,
    and all of these. `added` are the user's own kinds of piece."""

    sources: Sources
    languages: tuple[str, ...]
    added: tuple[Kind, ...] = ()

    def key(self, piece: Piece) -> str:
        """The digest of everything that decides what would be illegible on a piece."""
        return self.sources.key(piece, "proof", self.languages)


def proof_of(title: Title, theme: Theme, languages: Iterable[str]) -> Proof:
    """A title, ready to proof in some languages."""
    from platelayer.rules.graph import upgrade_graph

    first, *others = languages
    style = style_of(title, theme, first)
    sources = Sources(
        title=title, manifest=build_manifest(title), style=style, graph=upgrade_graph(title)
    )
    return Proof(sources=sources, languages=(first, *others), added=added_kinds())


def proof_pieces(
    proofs: Sequence[Proof], asked: Sequence[_Asked], processes: int
) -> list[tuple[Problem, ...]]:
    """Everything illegible on all faces of some pieces, each with the number of its proof, shared
    among processes. `about` is the key of the piece."""
    shares = _shares(asked, _SHARES_A_PROCESS * processes)
    results = share_out(partial(_proof_share, proofs), shares, processes=processes)
    by_request = {
        id(request): problems
        for share, all_found in zip(shares, results, strict=True)
        for request, problems in zip(share, all_found, strict=True)
    }
    return [by_request[id(request)] for request in asked]


_Asked = tuple[int, Piece]
"""The number of a proof, and a piece of its title."""


def illegible(piece: Piece, scenes: Iterable[Scene], *, press: bool = False) -> Iterator[Problem]:
    """Everything illegible on faces of a piece."""
    for scene in scenes:
        yield from (
            replace(problem, about=piece.key) for problem in check_legibility(scene, press=press)
        )


def at_pieces(problems: Iterable[Problem], manifest: Manifest, place: Locator) -> Iterator[Problem]:
    """Problems about pieces, at the places where the pieces are defined; others as they are."""
    for problem in problems:
        piece = None if problem.file else manifest.by_key.get(problem.about)
        yield problem if piece is None else problem.at(place(join_pointer(*piece.origin), key=True))


def _shares(asked: Sequence[_Asked], number: int) -> list[tuple[_Asked, ...]]:
    """Pieces in shares of about equal cost, the costliest pieces first."""
    shares: list[list[_Asked]] = [[] for _ in range(number)]
    sums = [0] * len(shares)
    for request in sorted(asked, key=lambda request: -KINDS[request[1].kind].cost_ms):
        least = sums.index(min(sums))
        shares[least].append(request)
        sums[least] += KINDS[request[1].kind].cost_ms
    return [tuple(share) for share in shares if share]


def _proof_share(proofs: Sequence[Proof], share: Sequence[_Asked]) -> list[tuple[Problem, ...]]:
    know_kinds(proofs[0].added)
    judged: dict[tuple[int, str, str], tuple[Problem, ...]] = {}
    with gc_paused():
        return [
            _proof(proofs[number], piece, partial(_judged_once, judged, number))
            for number, piece in share
        ]


def _judged_once(
    judged: dict[tuple[int, str, str], tuple[Problem, ...]],
    number: int,
    scene: Scene,
    language: str,
) -> tuple[Problem, ...]:
    """What is illegible on a scene; many pieces share a back."""
    key = (number, scene.key, language)
    if key not in judged:
        judged[key] = check_legibility(scene)
    return judged[key]


def _proof(
    proof: Proof, piece: Piece, judge: Callable[[Scene, str], tuple[Problem, ...]]
) -> tuple[Problem, ...]:
    """Everything illegible on a piece in all languages; in one of them if the piece asks for no
    words."""
    problems: list[Problem] = []
    sources = proof.sources
    for language in proof.languages:
        style = _Tried(
            **{name: getattr(sources.style, name) for name in sources.style.__struct_fields__}
            | {"language": language},
            asked=[False],
        )
        with told(piece, problems):
            (fronts, back), notes = drawn_faces(sources, piece, style)
            problems += notes
            scenes = {scene.key: scene for scene in (*fronts, back) if scene is not None}
            for scene in scenes.values():
                problems += (
                    replace(problem, about=piece.key) for problem in judge(scene, language)
                )
        if not style.asked[0]:
            break
    return ours_left_out(piece, problems)
