"""Stages 1 and 2: find, read and check titles; check finished files; list titles, pieces and
upgrades."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from platelayer.foundation.cache import digest_of
from platelayer.foundation.door import NotRead, joined, read_start, real
from platelayer.foundation.problems import (
    FAMILIES,
    CannotRun,
    Code,
    Locator,
    Problem,
    Problems,
    ProblemsFound,
    Severity,
    codes,
    has_errors,
    join_pointer,
    sort_problems,
    step,
    touches,
)
from platelayer.foundation.resources import title_ids
from platelayer.foundation.text import listed, named, suggestion
from platelayer.model.kinds import KINDS, Piece, added_kinds
from platelayer.model.manifest import Manifest, build_manifest, notes_of
from platelayer.model.options import THEME
from platelayer.model.position import POSITION, InPlay, Position
from platelayer.model.title import Title
from platelayer.pipeline import registry  # noqa: F401 - titles in the files of wings
from platelayer.pipeline.job import HOME, BuildOptions, for_players

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded, LoadedPosition
    from platelayer.drawing.kit.style import Style
    from platelayer.foundation.cache import Cache
    from platelayer.model.gamemap import Layout
    from platelayer.model.tile import Tile, UpgradeGraph
    from platelayer.scene.typeset import Theme


# A title: the id of a shipped one, its folder or file, or the result of `load`.
Reference: TypeAlias = str | Path | Title
_LOADED = "_loaded"


def load(reference: str | Path, *, variant: str | None = None) -> Title:
    """Read a title (a shipped id, a folder or a file), with one of its variants applied if one is
    named.

    Raises ProblemsFound if the definition has errors. Rules are not checked; `check` does that.
    """
    from platelayer.definitions.titles import load_title

    loaded = load_title(reference, variant=variant)
    # Stored to report problems that are found later with their positions in the files.
    loaded.title.__dict__[_LOADED] = loaded
    return loaded.title


def find(reference: Reference, *, variant: str | None = None) -> Loaded:
    """Return a title as read, just now or by `load`. Raises ProblemsFound if the definition has
    errors, and CannotRun for another variant than the one that was loaded or for a Title that
    `load` did not return."""
    from platelayer.definitions.titles import load_title

    if not isinstance(reference, Title):
        return load_title(reference, variant=variant)
    loaded: Loaded | None = reference.__dict__.get(_LOADED)
    if loaded is None:
        raise CannotRun(
            f"{reference.id}: this Title is not one that load() returned, so its files are unknown"
        )
    if variant not in (None, reference.variant):
        raise CannotRun(
            f"variant: {reference.id} is loaded already; load it with variant={variant!r}"
        )
    return loaded


def find_or_salvage(reference: Reference, *, variant: str | None = None) -> Loaded:
    """Return a title as `find` does or, if its definition has errors, what can be salvaged of it,
    with the errors among its problems. Raises ProblemsFound if nothing can be salvaged,
    CannotRun like `find`."""
    from platelayer.definitions.salvage import salvage

    if isinstance(reference, Title):
        return find(reference, variant=variant)
    return find_sound(reference, variant=variant) or salvage(reference, variant=variant)


def find_sound(
    reference: str | Path, *, variant: str | None = None, title: Loaded | None = None
) -> Loaded | None:
    """Return a title, or a variant of a loaded `title`, whose definition has no errors except in
    its counts; None if it has other errors but can be salvaged. Raises ProblemsFound if it
    cannot."""
    from platelayer.definitions.titles import BOX, read_title, read_variant

    try:
        loaded = (
            read_variant(title, variant)
            if title and variant
            else read_title(reference, variant=variant)
        )
    except ProblemsFound as error:
        if any(problem.code == "SC05" for problem in error.problems):
            raise
        return None
    is_sound = not has_errors(problem for problem in loaded.problems if problem.code != BOX)
    return loaded if is_sound else None


def title_digest(title: Title) -> str:
    """Return the digest of everything in a title."""
    # Cached in the title itself: equal titles may print differently, as 1 and 1.0 are equal.
    digest: str = title.kept.get(title_digest) or digest_of(title)
    title.kept[title_digest] = digest
    return digest


# Cache entry: the findings of the rules.
_Findings = tuple[Problem, ...]


def judge(loaded: Loaded, cache: Cache | None = None) -> tuple[Problem, ...]:
    """Run stage 2: return the findings of the rules, located, after the title's waivers, and
    without those that may be consequences of the definition's errors. The cache stores them
    without their places."""
    from platelayer.rules.rule import MEASURES, has_added_rules, run_rules

    if has_added_rules():  # added rules may depend on anything
        cache = None
    key = digest_of("rules", title_digest(loaded.title), loaded.lost) if cache else ""
    found = cache.get(key, _Findings) if cache else None
    step(f"{loaded.title.id}: rules {'from the cache' if found is not None else 'checked'}")
    if found is None:
        MEASURES["slot_mm"] = _slot_mm
        found = run_rules(loaded.title, loaded.lost, cache)
        if cache:
            cache.put(key, found, _Findings)
    return tuple(problem.located(loaded.place) for problem in found)


ACCEPT_BOX = "if the definition is right: platelayer check --accept box"


def with_hints(problems: Iterable[Problem]) -> Problems:
    """Return problems with a hint to accept the counts of the box, if nothing else is wrong."""
    from platelayer.definitions.titles import BOX

    problems = tuple(problems)
    alone = all(problem.code == BOX for problem in problems if problem.severity is Severity.ERROR)
    for problem in problems:
        lacks_hint = alone and problem.code == BOX and not problem.hint
        yield replace(problem, hint=ACCEPT_BOX) if lacks_hint else problem


def _slot_mm(tile: Tile, layout: Layout, across_mm: float) -> float:
    """Return the width of the slots of a hex as drawn. Imported only when a rule needs it."""
    from platelayer.drawing.hex.plan import drawn_slot_mm

    return drawn_slot_mm(tile, layout, across_mm)


def find_unprintable(
    loaded: Loaded,
    theme: Theme,
    language: str | None,
    cache: Cache | None,
    *,
    sound: Mapping[str, Any] | None = None,
) -> tuple[Problem, ...]:
    """Return everything `unprintable` finds. It judges each block separately, and the cache stores
    in which blocks it has found nothing."""
    definition, key = loaded.assembled.value, ""
    blocks = {name: digest_of(name, block) for name, block in definition.items()} if cache else {}
    if cache:
        key = digest_of("printable", loaded.title.id, loaded.title.variant, theme, language)
        known = cache.get(key, frozenset[str]) or frozenset()
        if known.issuperset(blocks.values()):
            return ()
        as_before = {name: definition[name] for name, own in blocks.items() if own in known}
        sound = {**(sound or {}), **as_before}
    from platelayer.definitions.themes import unprintable

    problems = unprintable(loaded, theme, language, sound=sound)
    if cache and not problems:
        cache.put(key, frozenset(blocks.values()), frozenset[str])
    return problems


def read_to_print(
    reference: Reference,
    options: BuildOptions,
    *,
    by_rules: bool = False,
    cache: Cache | None = None,
) -> tuple[Loaded, list[Problem], Style]:
    """Run stage 1 and, if requested, 2: return the title, problems that do not prevent printing
    (for a draft: any), and the style to draw it in."""
    from platelayer.definitions.themes import complete_theme
    from platelayer.definitions.titles import load_position
    from platelayer.drawing.kit.style import style_of

    theme = complete_theme(options.theme)
    variant, placed = options.variant, None
    if options.position is not None:
        placed = load_position(Path(options.position))
        variant = variant or placed.position.variant
    loaded = find_or_salvage(reference, variant=variant)
    lacking = find_unprintable(loaded, theme, options.language, cache)
    # A draft also omits texts that no font can draw. This depends on the theme, so the title is
    # salvaged again.
    if options.draft and (loaded.lost or has_errors(lacking)) and not isinstance(reference, Title):
        from platelayer.definitions.salvage import salvage

        loaded = salvage(reference, theme, variant=variant)
        problems = [*loaded.problems, *loaded.left_out]
    else:
        problems = [*loaded.problems, *lacking]
    if by_rules:
        found = judge(loaded, cache)
        problems += [problem for problem in found if problem.severity is not Severity.NOTE]
    if has_errors(problems) and not options.draft:
        raise ProblemsFound(with_hints(problems))
    problems += language_notes(loaded.title, options.language)
    if placed is not None:
        shown = in_play(loaded.title, placed, numbers=options.numbers)
        loaded = replace(loaded, title=shown)
    elif options.numbers:
        raise CannotRun(
            "numbers: only tiles of a position have numbers to print; give a position, too"
        )
    if options.money:
        loaded = replace(loaded, title=with_money(loaded.title))
    if options.coordinates is not None:
        framed, inside = (options.coordinates in (place, "both") for place in ("frame", "hexes"))
        maps = tuple(
            replace(board, scheme=replace(board.scheme, framed=framed, inside=inside))
            for board in loaded.title.maps
        )
        loaded = replace(loaded, title=replace(loaded.title, maps=maps))
    press = options.intent if options.color == "cmyk" else ""
    return loaded, problems, style_of(loaded.title, theme, options.language, press)


def language_notes(title: Title, language: str) -> tuple[Problem, ...]:
    """Return a note GL02 for a language without some or all fixed words. Raises CannotRun if
    neither the fixed words nor the title have the language."""
    from platelayer.definitions.themes import in_english
    from platelayer.foundation.languages import languages, unsaid

    if language in languages():
        return (in_english(language),) if unsaid(language) else ()
    from platelayer.rules.text_rules import spoken

    own = spoken(title)
    known = listed(sorted({*languages(), *own}))
    if language not in own:
        raise CannotRun(f'language: {title.id} has no texts in "{language}"; known: {known}')
    return (in_english(language),)


def with_money(title: Title) -> Title:
    """Return the title with notes that add up to its bank, if it has none. Raises CannotRun for a
    title without a bank."""
    if title.pieces.money:
        return title
    if title.bank is None:
        hint = 'give it "bank", or "money" in its pieces'
        raise CannotRun(
            f"money: {title.id} has neither notes nor a bank to work them out from; {hint}"
        )
    return replace(title, pieces=replace(title.pieces, money=notes_of(title.bank)))


_DPI = re.compile(r'"(.+)" has (\d+) dpi')


def coarsest(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems with only one PI02 for each file: that of its largest print."""
    least: dict[str, int] = {}
    kept: dict[str | int, Problem] = {}
    for number, problem in enumerate(problems):
        found = _DPI.match(problem.message) if problem.code == "PI02" else None
        if found is None:
            kept[number] = problem
        elif int(found[2]) < least.get(found[1], math.inf):
            least[found[1]], kept[found[1]] = int(found[2]), problem
    return [*kept.values()]


def at_pieces(problems: Iterable[Problem], manifest: Manifest, place: Locator) -> Problems:
    """Yield problems, with those about pieces located where the pieces are defined."""
    for problem in problems:
        piece = None if problem.file else manifest.by_key.get(problem.about)
        yield problem if piece is None else problem.at(place(join_pointer(*piece.origin), key=True))


# Lists of titles, pieces and upgrades.


def list_titles() -> tuple[dict[str, Any], ...]:
    """Return shipped titles in order of their ids: id, name, players ("2-6"), subtitle, and
    variants (id, name, players)."""
    from platelayer.definitions.assemble import assemble_title
    from platelayer.definitions.titles import load_title

    rows = []
    for title_id in title_ids():
        title = load_title(title_id).title
        # Read the numbers of players without building the variant, which takes much longer.
        variants = [
            {
                "id": variant.id,
                "name": variant.name.get("en"),
                "players": _range_of(assemble_title(title_id, variant.id).value.get("players", ())),
            }
            for variant in title.variants
        ]
        rows.append(
            {
                "id": title.id,
                "name": title.name.get("en"),
                "players": _range_of(count.players for count in title.players),
                "subtitle": title.subtitle.get("en") if title.subtitle else "",
                "variants": variants,
            }
        )
    return tuple(rows)


def _range_of(counts: Iterable[int | str]) -> str:
    """Return numbers of players as a range, "2-6", or "2"."""
    numbers = sorted(map(int, counts))
    return "-".join(map(str, dict.fromkeys((numbers[0], numbers[-1])))) if numbers else ""


def read_manifest(
    reference: Reference,
    *,
    variant: str | None = None,
    players: int | None = None,
    money: bool = False,
    language: str = "en",
) -> Manifest:
    """Return the manifest of a title: of its box, or of the pieces for a number of players, with
    banknotes if `money`. Raises ProblemsFound if the definition has errors, CannotRun for an
    unsupported number of players, for money without a bank, and for a language without texts in
    the title."""
    title = find(reference, variant=variant).title
    language_notes(title, language)
    manifest = build_manifest(with_money(title) if money else title)
    if players is None:
        return manifest
    return replace(manifest, pieces=for_players(title, manifest.pieces, players))


def read_upgrades(
    reference: Reference, *, variant: str | None = None
) -> tuple[UpgradeGraph, dict[str, str]]:
    """Return the graph of a title's upgrades, and the colours of its tiles by number, in upgrade
    order.

    Raises ProblemsFound if the definition has errors.
    """
    from platelayer.rules.graph import upgrade_graph

    title = find(reference, variant=variant).title
    order = {colour: place for place, colour in enumerate(title.colours)}
    tiles = sorted(
        (entry.tile for entry in title.tiles), key=lambda tile: order.get(tile.colour, len(order))
    )
    return upgrade_graph(title), {tile.id: tile.colour for tile in tiles}


def upgrades_json(graph: UpgradeGraph) -> str:
    """Return the upgrades as JSON by the contract in docs/formats.md, one pair per line."""
    pairs = [
        {
            "from": pair.source,
            "to": pair.to,
            "rotations": list(pair.rotations),
            **({"via": pair.via} if pair.via else {}),
        }
        for pair in graph.pairs
    ]
    head = {"title": graph.title, "variant": graph.variant}
    start = json.dumps(head, ensure_ascii=False)[:-1]
    lines = ",\n  ".join(json.dumps(pair, ensure_ascii=False) for pair in pairs)
    return f'{start}, "pairs": [\n  {lines}\n]}}' if pairs else f'{start}, "pairs": []}}'


# Positions: read, checked, and shown on a map.


# A position file states its format within this many first bytes.
_HEAD = 2000


def is_position(path: str | Path) -> bool:
    """Return True for a file that declares itself a position."""
    from platelayer.definitions.titles import is_schema

    path = Path(path)
    try:
        head = read_start(path, _HEAD) if path.suffix == ".json" else b""
    except NotRead:
        return False
    return f'"{POSITION}"'.encode() in head and not is_schema(head)


def check_position(path: str | Path) -> tuple[Problem, ...]:
    """Return all problems of a file with a position, in its format and by the rules of its title.
    The title is in the file's folder, in a folder beside it, or a shipped one."""
    from platelayer.definitions.titles import load_position

    try:
        loaded = load_position(Path(path))
        title = find(title_of(Path(path), loaded.position), variant=loaded.position.variant).title
    except ProblemsFound as error:
        return error.problems
    return problems_of(title, loaded)


def problems_of(title: Title, loaded: LoadedPosition) -> tuple[Problem, ...]:
    """Return the problems of a position by the rules of its title (with the position's variant
    applied), at their places in the file."""
    from platelayer.rules.positions import check_position as check

    return sort_problems(
        problem.located(loaded.document.place) for problem in check(title, loaded.position)
    )


def title_of(path: Path, position: Position) -> str:
    """Return the folder or the id of a position's title. Raises CannotRun."""
    around = real(path).parent
    beside = [joined(folder, position.title) for folder in (around, around.parent)]
    for folder in (around, *beside):
        if (folder / "title.json").is_file() and folder.name == position.title:
            return str(folder)
    if position.title in title_ids():
        return position.title
    raise CannotRun(
        f'{path}: there is no title "{position.title}": it is neither shipped nor a folder of that name beside the file'
    )


def in_play(title: Title, loaded: LoadedPosition, *, numbers: bool) -> Title:
    """Return a title whose map shows a position, including tile numbers if `numbers`. Raises
    ProblemsFound for an impossible position, CannotRun for a position of another title."""
    position, path = loaded.position, loaded.document.file
    if position.title != title.id:
        raise CannotRun(f"position: {path} is a position of {position.title}, not of {title.id}")
    if position.variant not in (None, title.variant):
        raise CannotRun(
            f"position: {path} is a position of the variant {position.variant}; choose that variant"
        )
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    return replace(title, in_play=InPlay(position=position, numbers=numbers))


# Cache entries: the findings of a piece, and those of all pieces of a title and its variants.
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
    """Return all problems of a title (an id or a path) and its variants, or of one variant; for a
    Title that `load` returned, without its variants.

    They are sorted, and include illegible text on the pieces unless `quick`. An unknown variant is
    a problem too (RF09). `processes` share the drawing. Raises CannotRun for an impossible number
    of processes.
    """
    from platelayer.definitions.salvage import Draft
    from platelayer.definitions.themes import load_theme

    theme = load_theme(THEME)
    draft: Draft | None = None
    title: Loaded | None = None  # the title itself, without its variants
    printable: Mapping[str, Any] | None = None  # its definition, if all of it can be printed
    alone = variant is not None or isinstance(reference, Title)
    if isinstance(reference, Title):
        variant = variant or reference.variant
    by_variant = []
    # Problems that only variants have, with the ids of these variants.
    elsewhere: dict[Problem, list[str]] = {}
    readable = []
    # Begin with the title: its variants are only known once it has been read.
    waiting = [variant]
    while waiting:
        name = waiting.pop(0)
        try:
            if isinstance(reference, Title):
                loaded = find(reference, variant=name)
            # A definition with errors is read as a draft, for the title and all its variants.
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
            loaded = draft.loaded(theme, name)  # without texts that the faces cannot draw
        readable.append(loaded)
    if quick:
        step("legibility skipped (--quick)")
    drawn = () if quick else coarsest(_illegible(readable, variant, processes, cache))
    judged_once = (
        _in_variants(problem, elsewhere[problem]) if problem in elsewhere else problem
        for problem in _each_once(by_variant, alone)
    )
    return sort_problems(with_hints((*judged_once, *drawn)))


# Codes for pieces that could not be drawn. They are not cached, as the cause may be temporary, such
# as a full disk.
_NOT_KEPT = ("LG09", "LG13")


def _illegible(
    readable: Sequence[Loaded], variant: str | None, processes: int, cache: Cache | None
) -> Problems:
    """Yield everything illegible on all faces of all pieces of a title, in every language it is
    written in, and on those pieces of its variants that look different. Pieces that lack
    something because of an error are skipped."""
    from platelayer.definitions.themes import complete_theme

    # The appearance of the user's own kinds may depend on anything.
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
    # Report a back that many pieces share only once.
    seen = set()
    for number, problems in found:
        loaded = readable[number]
        own = loaded.title.variant
        for problem in at_pieces(problems, manifests[number], loaded.place):
            if problem.message not in seen:
                seen.add(problem.message)
                yield problem if own == variant else _in_variants(problem, [str(own)])


def _sound_pieces(loaded: Loaded, manifest: Manifest) -> Iterator[Piece]:
    """Yield the pieces that lack nothing because of an error."""
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
    """Return everything illegible on each piece that looks different from those before it. Pieces
    are given and returned with the number of their title."""
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
    """Return the problems of a title and its variants without repetition. A waiver counts as unused
    only if none of them needs it, which cannot be told from one variant alone."""
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
    """Return all problems of finished PDF files by the limits of a profile (a shipped id or a
    file), file by file; also of PNG pictures if the profile's shop accepts them. Raises
    ProblemsFound for the profile."""
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
    """Return every problem code, sorted."""
    from platelayer.rules.rule import all_rules

    rules = {code: Code(rule.name, rule.explanation) for code, rule in all_rules().items()}
    return dict(sorted((codes() | rules).items()))


def code_families() -> dict[str, dict[str, Code]]:
    """Return every problem code by the heading of its family, in the order in which a title meets
    them."""

    codes = known_codes()
    return {
        heading: {code: entry for code, entry in codes.items() if code.startswith(family)}
        for family, heading in FAMILIES.items()
    }


def explain(code: str) -> str:
    """Return the explanation of a problem code as text. Raises CannotRun for a code that does not
    exist."""
    codes = known_codes()
    entry = codes.get(code.upper())
    if entry is None:
        alike = [known for known in codes if len(code) > 1 and known.startswith(code[:2].upper())]
        hint = suggestion(code.upper(), codes) or "`platelayer explain` lists all codes"
        if alike:
            hint = f"codes of this kind: {listed(alike, most=20)}"
        raise CannotRun(f'no problem has the code "{code}"; {hint}')
    return f"{code.upper()} {entry}"
