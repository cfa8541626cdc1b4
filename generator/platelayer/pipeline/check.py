"""Checks of titles and of finished files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.foundation.cache import digest_of
from platelayer.foundation.pointers import join_pointer, touches
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    Problems,
    ProblemsFound,
    has_errors,
    sort_problems,
)
from platelayer.foundation.steps import step
from platelayer.foundation.suggestions import listed, named, suggestion
from platelayer.model.kinds import KINDS, added_kinds
from platelayer.model.manifest import build_manifest
from platelayer.model.options import THEME
from platelayer.model.title import Title
from platelayer.pipeline.load import (
    Reference,
    at_pieces,
    coarsest,
    find,
    find_sound,
    find_unprintable,
    judge,
    title_digest,
    with_hints,
)
from platelayer.pipeline.options import HOME

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.foundation.cache import Cache
    from platelayer.foundation.problems import Code
    from platelayer.model.kinds import Piece
    from platelayer.model.manifest import Manifest
    from platelayer.scene.theme import Theme


# The entries in a cache of a piece, and of all pieces of a title and its variants.
_Found = tuple[Problem, ...]
_AllFound = tuple[tuple[int, _Found], ...]


def check(
    reference: Reference,
    *,
    variant: str | None = None,
    quick: bool = False,
    processes: int = 1,
    cache: Cache | None = None,
) -> tuple[Problem, ...]:
    """All problems of a title (an id or a path) and its variants, or of one variant; of a Title
    that `load` returned, without its variants. They are sorted, and include, unless `quick`,
    illegible text on the pieces. An unknown variant is a problem, too (RF09). `processes` share the
    drawing. Raises CannotRun for an impossible number of processes."""
    from platelayer.definitions.salvage import Draft
    from platelayer.definitions.themes import load_theme

    theme = load_theme(THEME)
    draft: Draft | None = None
    title: Loaded | None = None  # without its variants
    printable: Mapping[str, Any] | None = None  # the title's definition, if nothing in it is not
    alone = variant is not None or isinstance(reference, Title)
    if isinstance(reference, Title):
        variant = variant or reference.variant
    by_variant = []
    # Problems that the title itself does not have, with the variants that have them.
    elsewhere: dict[Problem, list[str]] = {}
    readable = []
    # The title comes first: only once it is read are its variants known.
    waiting = [variant]
    while waiting:
        name = waiting.pop(0)
        try:
            if isinstance(reference, Title):
                loaded = find(reference, variant=name)
            # A definition with errors is read as a draft of it, for the title and all its variants.
            elif draft or (sound := find_sound(reference, variant=name, title=title)) is None:
                draft = draft or Draft(reference)
                loaded = draft.loaded(variant=name)
            else:
                loaded = sound
        except ProblemsFound as error:
            by_variant.append(list(error.problems))
            continue
        unknown = find_unprintable(loaded, theme, None, cache, sound=printable)
        judged = (*judge(loaded, cache), *unknown)
        if name != variant:
            for problem in judged:
                if problem not in by_variant[0]:
                    elsewhere.setdefault(problem, []).append(str(name))
        elif not alone:
            title = loaded
            printable = None if unknown else loaded.assembled.value
            waiting += [other.id for other in loaded.title.variants]
        by_variant.append([*loaded.problems, *judged])
        if has_errors(unknown) and not isinstance(reference, Title):
            draft = draft or Draft(reference)
            loaded = draft.loaded(theme, name)  # what the faces lack cannot be drawn
        readable.append(loaded)
    if quick:
        step("legibility skipped (--quick)")
    drawn = () if quick else coarsest(_illegible(readable, variant, processes, cache))
    judged_once = (
        _in_variants(problem, elsewhere[problem]) if problem in elsewhere else problem
        for problem in _each_once(by_variant, alone)
    )
    return sort_problems(with_hints((*judged_once, *drawn)))


# Pieces that could not be drawn: the cause may be in this run alone, such as a disk that is full.
_NOT_KEPT = ("LG09", "LG13")


def _illegible(
    readable: Sequence[Loaded], variant: str | None, processes: int, cache: Cache | None
) -> Problems:
    """Everything illegible on all faces of all pieces of a title, in every language that it is
    written in, and on those pieces of its variants that look different; not on pieces that lack
    something that an error has cost the title."""
    from platelayer.definitions.themes import complete_theme

    # The looks of the user's own kinds may depend on anything.
    if added_kinds():
        cache = None
    theme = complete_theme(THEME)
    manifests = [build_manifest(loaded.title) for loaded in readable]
    pieces = [
        (number, piece)
        for number, (loaded, manifest) in enumerate(zip(readable, manifests, strict=True))
        for piece in _sound_pieces(loaded, manifest)
    ]
    key, found = "", None
    if cache:
        titles = [title_digest(loaded.title) for loaded in readable]
        key = digest_of(titles, theme, [(number, piece.key) for number, piece in pieces])
        found = cache.get(key, _AllFound)
        if found is not None:
            step(f"legibility of {len(pieces)} pieces from the cache")
    if found is None:
        found = _looked_at(readable, theme, pieces, processes, cache)
        if cache and all(map(_may_be_kept, (problems for _, problems in found))):
            cache.put(key, found, _AllFound)
    # Many pieces share a back.
    seen = set()
    for number, problems in found:
        loaded = readable[number]
        own = loaded.title.variant
        for problem in at_pieces(problems, manifests[number], loaded.place):
            if problem.message not in seen:
                seen.add(problem.message)
                yield problem if own == variant else _in_variants(problem, [str(own)])


def _sound_pieces(loaded: Loaded, manifest: Manifest) -> Iterator[Piece]:
    """Pieces that lack nothing that an error has cost the title."""
    too_much = {
        (problem.file, problem.pointer) for problem in loaded.problems if problem.code == "PI01"
    }
    for piece in manifest.pieces:
        at = join_pointer(*piece.origin)
        is_lost = touches(KINDS[piece.kind].paths, loaded.lost, at)
        if not is_lost and loaded.place(at)[:2] not in too_much:
            yield piece


def _looked_at(
    readable: Sequence[Loaded],
    theme: Theme,
    pieces: Iterable[tuple[int, Piece]],
    processes: int,
    cache: Cache | None,
) -> _AllFound:
    """Everything illegible on each piece that looks different from those before it; pieces are given
    and returned with the number of their title."""
    from platelayer.pipeline.faces import proof_of, proof_pieces
    from platelayer.rules.text_rules import languages_of

    proofs = [proof_of(loaded.title, theme, languages_of(loaded.title)) for loaded in readable]
    requests: dict[str, tuple[int, Piece]] = {}
    for number, piece in pieces:
        requests.setdefault(proofs[number].key(piece), (number, piece))
    by_key = {}
    if cache:
        by_key = {key: kept for key in requests if (kept := cache.get(key, _Found)) is not None}
    missing = [key for key in requests if key not in by_key]
    step(f"legibility of {len(requests)} pieces, {len(by_key)} of them from the cache")
    found = proof_pieces(proofs, [requests[key] for key in missing], processes)
    for key, problems in zip(missing, found, strict=True):
        by_key[key] = problems
        if cache and _may_be_kept(problems):
            cache.put(key, problems, _Found)
    return tuple((number, by_key[key]) for key, (number, _) in requests.items())


def _may_be_kept(problems: Iterable[Problem]) -> bool:
    return not any(problem.code in _NOT_KEPT for problem in problems)


def _in_variants(problem: Problem, variants: Sequence[str]) -> Problem:
    noun = "variants" if len(variants) > 1 else "variant"
    return replace(problem, message=f"{problem.message} (in the {noun} {named(variants, 3)})")


def _each_once(by_variant: Sequence[Sequence[Problem]], alone: bool) -> Iterable[Problem]:
    """The problems of a title and of its variants. A waiver counts as unused only when none of them
    needs it, which one variant alone cannot tell."""
    from platelayer.rules.rule import UNUSED

    unused = [
        {problem.place for problem in problems if problem.code == UNUSED} for problems in by_variant
    ]
    nowhere = set.intersection(*unused) if not alone else set()
    return (
        problem
        for problems in by_variant
        for problem in problems
        if problem.code != UNUSED or problem.place in nowhere
    )


def preflight(files: Sequence[Path], profile: str = HOME) -> tuple[Problem, ...]:
    """All problems of finished PDF files by the limits of a profile (a shipped id or a file), file
    by file; also of PNG pictures, if the profile's shop takes them. Raises ProblemsFound for the
    profile."""
    from platelayer.definitions.themes import load_profile
    from platelayer.preflight.inspect import check_file

    limits = load_profile(profile).limits
    problems: list[Problem] = []
    for path in files:
        step(f"preflight of {path}")
        problems += check_file(path, limits)
    return tuple(problems)


# Explanations of problem codes.


def known_codes() -> dict[str, Code]:
    """Every problem code, sorted."""
    from platelayer.foundation.problems import Code, codes
    from platelayer.rules.rule import all_rules

    rules = {code: Code(rule.name, rule.explanation) for code, rule in all_rules().items()}
    return dict(sorted((codes() | rules).items()))


def code_families() -> dict[str, dict[str, Code]]:
    """Every problem code by the heading of its family, in the order in which a title meets them."""
    from platelayer.foundation.problems import FAMILIES

    codes = known_codes()
    return {
        heading: {code: entry for code, entry in codes.items() if code.startswith(family)}
        for family, heading in FAMILIES.items()
    }


def explain(code: str) -> str:
    """The meaning of a problem's code, as text. Raises CannotRun for a code that does not exist."""
    codes = known_codes()
    entry = codes.get(code.upper())
    if entry is None:
        alike = [known for known in codes if len(code) > 1 and known.startswith(code[:2].upper())]
        hint = suggestion(code.upper(), codes) or "`platelayer explain` lists all codes"
        if alike:
            hint = f"codes of this kind: {listed(alike, most=20)}"
        raise CannotRun(f'no problem has the code "{code}"; {hint}')
    return f"{code.upper()} {entry}"
