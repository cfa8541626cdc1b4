"""Builds of titles: every stage of the pipeline, in order."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from platelayer.definitions.themes import PRINT_FORMAT, load_profile
from platelayer.foundation.cache import digest_of
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    Problems,
    ProblemsFound,
    Severity,
    has_errors,
    join_pointer,
    severity_of,
    sort_problems,
    step,
)
from platelayer.foundation.values import Frozen, Json
from platelayer.imposition.paper import TOO_LARGE, find_medium, find_paper, with_sizes
from platelayer.imposition.plan import (
    SheetPlan,
    adjusted,
    check_layouts,
    gathered,
    on_places,
    read_plan,
    standard_plan,
)
from platelayer.model.kinds import KINDS, Piece, added_kinds
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.pipeline.job import (
    HOME,
    ORDER,
    BuildOptions,
    Change,
    Printed,
    PrintedFile,
    PrintedPiece,
    PrintJob,
    Progress,
    changes,
    choose,
    current_pieces,
    describe,
    options_for,
    order_list,
    products,
    read_printed_pieces,
    still_to_print,
)
from platelayer.pipeline.load import Reference, at_pieces, coarsest, read_to_print, title_digest
from platelayer.pipeline.write import write_all
from platelayer.preflight import READS_PDF
from platelayer.scene.press import printing_on

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.foundation.cache import Cache
    from platelayer.imposition.listing import Listing
    from platelayer.imposition.paper import Box
    from platelayer.model.title import Title


CHANGES, RECORD = "changes.txt", "manifest.json"


class Prepared(Frozen, kw_only=True):
    """A print before anything is drawn: what its pieces share, the pieces to print, the title as
    read, and problems that do not prevent printing."""

    job: PrintJob
    chosen: tuple[Piece, ...]
    loaded: Loaded
    problems: tuple[Problem, ...]


class Print(Frozen, kw_only=True):
    """A printed title in memory: its id, its files by name (manifest.json last), the numbers of
    pages and pieces, notes, and, if requested, the changes since an earlier print."""

    title: str
    files: Mapping[str, bytes]
    pages: int
    pieces: int
    problems: tuple[Problem, ...] = ()
    changes: tuple[Change, ...] = ()

    def write(self, output: Path) -> tuple[Path, ...]:
        """Write the files into `output/<title id>/`, all or none, replacing an earlier print.
        Return their paths. Raises CannotRun."""
        folder = output / self.title
        write_all(folder, self.files, record=RECORD, named=output)
        return tuple(folder / name for name in self.files)


def read_options(profile: str | None, given: Mapping[str, Any]) -> BuildOptions:
    """Return the given options on top of those of the profile (a shipped id or a file). Raises
    ProblemsFound for the profile."""
    return options_for(load_profile(profile or HOME), given)


def prepare(reference: Reference, options: BuildOptions, *, cache: Cache | None = None) -> Prepared:
    """Run stages 1 to 3 of a print: what to print, and how. Raises ProblemsFound (definition,
    rules, marks) and CannotRun (invalid options)."""
    plan = read_plan(Path(options.sheets)) if options.sheets else standard_plan()
    check_layouts(dict(options.layouts), plan)
    plan = adjusted(plan, dict(options.adjust))
    if options.media:
        plan = on_places(plan, find_medium(options.media))
    loaded, problems, style = read_to_print(reference, options, by_rules=True, cache=cache)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    if options.sizes:
        from platelayer.rules.piece_rules import SIZE_RULES
        from platelayer.rules.rule import judge_by

        # Apply the size rules to the requested sizes as well. Their notes concern the title, not
        # the print.
        codes = SIZE_RULES if options.output == "sheets" else SIZE_RULES[:-1]
        judged = [
            problem for problem in judge_by(title, codes) if problem.severity is not Severity.NOTE
        ]
        problems = [*(problem for problem in problems if problem.code not in SIZE_RULES), *judged]
        if has_errors(judged) and not options.draft:
            raise ProblemsFound(problems)
    title = replace(title, plate=_plate(plan, options))
    title, moved = _with_words_aside(title, style, cache)
    manifest = build_manifest(title)
    problems = [*problems, *at_pieces(moved, manifest, loaded.place)]
    chosen = choose(title, manifest, options)
    before = read_printed_pieces(Path(options.since), title.id) if options.since else None
    if before is not None and options.copies is not None:
        raise CannotRun("copies and since cannot be combined: since decides how many to print")
    job = PrintJob(
        title=title,
        manifest=manifest,
        style=style,
        profile=options.profile or load_profile(HOME),
        plan=plan,
        options=options.of_files,
        before=before,
        added=added_kinds(),
        cache=cache,
    )
    _check_marks(job)
    return Prepared(job=job, chosen=chosen, loaded=loaded, problems=tuple(problems))


# Larger papers for plates whose hexes would be too small.
_LARGER = ("a1", "a0")


def _plate(plan: SheetPlan, options: BuildOptions) -> tuple[tuple[float, float], ...]:
    """Return the sizes in mm of the paper named by a layout that draws maps as plates, and of
    larger papers; or the size of the paper for posters, if one is requested."""
    chosen = dict(options.layouts)
    for document in plan:
        name = document.layout(chosen).plate
        if name:
            papers = (options.poster,) if options.poster else (name, *_LARGER)
            return tuple((paper.width_mm, paper.height_mm) for paper in map(find_paper, papers))
    return ()


def _with_words_aside(
    title: Title, style: Style, cache: Cache | None
) -> tuple[Title, tuple[Problem, ...]]:
    """Return the title with an aid for those abilities that do not fit on their pieces, and
    warnings. That everything fits, as it mostly does, is cached."""
    key = digest_of("all words fit", title_digest(title), style) if cache else ""
    if cache and cache.get(key, bool):
        return title, ()
    from platelayer.drawing.pieces import with_words_aside

    title, moved = with_words_aside(title, style)
    if cache and not moved:
        cache.put(key, True, bool)
    return title, moved


def build(
    reference: Reference,
    options: BuildOptions | None = None,
    *,
    progress: Progress = lambda _stage, _done, _of: None,
    processes: int = 1,
    cache: Cache | None = None,
) -> Print:
    """Print a title (an id, a path, or the result of `load`) in memory.

    `progress` is called with (stage, done, of), counted in pieces. `processes` share the work.
    Results in the `cache` are reused; the print is the same without one.

    Raises ProblemsFound (definition, legibility, paper, limits of the profile, a piece without a
    sheet) and CannotRun (invalid options, an impossible number of processes).
    """
    options = options or BuildOptions()
    with gc_paused():
        ready = prepare(reference, options, cache=cache)
        return _print_of(ready, options, progress, processes)


def _print_of(ready: Prepared, options: BuildOptions, progress: Progress, processes: int) -> Print:
    job, chosen, loaded, before = ready.job, ready.chosen, ready.loaded, ready.job.before
    manifest = job.manifest
    try:
        printed = print_pieces(job, chosen, progress, processes)
    except ProblemsFound as error:
        raise ProblemsFound(at_pieces(coarsest(error.problems), manifest, loaded.place)) from None
    found = at_pieces(coarsest(printed.problems), manifest, loaded.place)
    problems = sort_problems((*ready.problems, *found))
    if options.draft and has_errors(problems):
        # Each sheet of a draft states the number of errors, which is known only after printing:
        # print it twice.
        errors = [problem for problem in problems if problem.severity is Severity.ERROR]
        job = replace(job, errors=len(errors), flagged=_flagged(errors, chosen, loaded))
        printed = print_pieces(job, chosen, progress, processes)
    if options.draft:
        problems = sort_problems((*problems, *_not_printed(chosen, printed, manifest, loaded)))
        findings = findings_file(job, problems, Path(loaded.files[0]).parent)
        printed = replace(printed, files=(*printed.files, findings))
    if job.options.making and printed.files:
        printed = replace(printed, files=(*printed.files, making_file(job, printed)))
    if not printed.files and before is None:
        errors = [replace(problem, severity=Severity.ERROR) for problem in printed.problems]
        raise ProblemsFound(errors)
    _check_placed(job, chosen, printed)
    files = {file.name: file.data for file in printed.files}
    pieces: Mapping[str, PrintedPiece] = printed.pieces
    differences: tuple[Change, ...] = ()
    if before is not None:
        pieces = current_pieces(before, printed.pieces, manifest.by_key)
        differences = changes(before, pieces, [piece.kind for piece in chosen])
        files[CHANGES] = describe(differences).encode()
        step(f"skipped {len(pieces) - len(differences)} pieces that have not changed")
    if job.options.output != "sheets" and products(job.profile) and printed.files:
        files[ORDER] = order_list(job.profile, printed.files, job.style.language)
    reports = {name: files[name] for name in (CHANGES, ORDER) if name in files}
    files[RECORD] = _manifest_json(job, printed, pieces, options.of_print, reports)
    if before is None:
        count = sum(piece.count for piece in chosen if piece.key not in printed.left_out)
    else:
        placements = [placement for file in printed.files for placement in file.placements]
        count = sum(placement.face == "front" for placement in placements)
    return Print(
        title=manifest.title,
        files=files,
        pages=sum(file.pages for file in printed.files if not file.again),
        pieces=count,
        problems=tuple(problems),
        changes=differences,
    )


def _flagged(errors: Iterable[Problem], chosen: Sequence[Piece], loaded: Loaded) -> dict[str, int]:
    """Return the number of errors of each piece that has any: in its part of the definition, on its
    faces, or in what an error removed from that part."""
    counts: Counter[str] = Counter()
    origins = {
        piece.key: loaded.place(join_pointer(*piece.origin)) for piece in chosen if piece.origin
    }
    for error in errors:
        if error.about in origins:
            counts[error.about] += 1
            continue
        at = f"{error.pointer}/"
        for key, place in origins.items():
            within = at.startswith(f"{place.pointer}/") or f"{place.pointer}/".startswith(at)
            if error.file == place.file and error.pointer and within:
                counts[key] += 1
    return counts


def _not_printed(
    chosen: Sequence[Piece], printed: Printed, manifest: Manifest, loaded: Loaded
) -> Problems:
    """Yield SH10 for each piece missing from a draft: it cannot be drawn, or the paper is too
    small."""
    known = {problem.about for problem in printed.problems if problem.code in ("LG13", "SH12")}
    severity = severity_of("SH10")
    for piece in chosen:
        if piece.key in printed.left_out - known:
            message = f"{piece.key} is not in this draft: it cannot be printed"
            problem = Problem("SH10", message, severity=severity, about=piece.key)
            yield from at_pieces([problem], manifest, loaded.place)


def _check_marks(job: PrintJob) -> None:
    """Raise ProblemsFound with SH06 for cut lines and marks that this print cannot have, and with
    SH05 for paper that the profile does not support."""
    papers = job.profile.limits.papers
    if papers and job.paper not in map(find_paper, papers):
        message = f"{job.profile.name.get('en')} does not print on {job.paper.name}"
        hint = f"use paper {' or '.join(papers)}"
        raise ProblemsFound([Problem("SH05", message, hint)])
    if job.options.color == "cmyk" and job.options.cut == "spot" and job.standard != "PDF/X-4":
        message = f"{job.profile.name.get('en')} requires {job.standard}, which has no layer for a cut line"
        hint = "use cut none, marks or lines"
    elif job.options.press and job.options.color != "cmyk":
        message, hint = "marks for the plates of a press need plates", "use color cmyk"
    else:
        return
    raise ProblemsFound([Problem("SH06", message, hint)])


def _check_placed(job: PrintJob, chosen: Sequence[Piece], printed: Printed) -> None:
    """Compare, as the last step of a print, the pieces requested with the pieces placed, whatever
    happened in between. Raises ProblemsFound with SH09 for every kind with a missing piece, or
    one placed too often."""
    placed = Counter(
        (placement.kind, placement.id)
        for file in printed.files
        for placement in file.placements
        if placement.face == "front"
    )
    problems: dict[str, Problem] = {}
    for piece in chosen:
        if piece.key in printed.left_out:
            continue
        requested: Piece | None = piece
        if job.before is not None:
            requested = still_to_print(piece, printed.pieces[piece.key], job.before)
        if requested is None:
            continue
        documents = 1
        if job.options.output == "sheets":
            documents = sum(piece.kind in document.kinds for document in job.plan)
        count, expected = placed[piece.kind, piece.id], requested.count * documents
        if not documents and requested.count:
            message = f"no document in the sheet plan holds pieces of the kind {piece.kind}"
            hint = "give the kind a document in your sheet plan, or leave it out"
        elif count != expected:
            message = f"{piece.key}: {expected} requested, {count} placed"
            hint = "this is a bug in Platelayer; please report it with the command you ran"
        else:
            continue
        problems.setdefault(piece.kind, Problem("SH09", message, hint))
    if problems:
        raise ProblemsFound(problems.values())


def _manifest_json(
    job: PrintJob,
    printed: Printed,
    pieces: Mapping[str, PrintedPiece],
    options: Json,
    reports: Mapping[str, bytes],
) -> bytes:
    """Return manifest.json: the options, the files with pages and digests, every piece with the
    digests of its faces, and the place of every printed piece. `reports` are further files, by
    name."""
    value: Json = {
        "format": PRINT_FORMAT,
        "title": job.manifest.title,
        "variant": job.manifest.variant,
        "options": {**options, "theme": job.style.theme.id},  # not the path of a theme file
        "files": [
            {"file": file.name, "pages": file.pages, **_size(file.data)} for file in printed.files
        ],
    }
    if reports:
        value["reports"] = [{"file": name, **_size(data)} for name, data in reports.items()]
    if not READS_PDF:
        value["preflight"] = False
    if any(file.name.endswith(".png") for file in printed.files):
        from platelayer.render.png import png_painter

        if (painter := png_painter()) != "cairo":
            value["pictures"] = painter
    value["totals"] = job.manifest.totals
    value["pieces"] = rows = []
    for key, piece in pieces.items():
        kind, _, piece_id = key.partition(":")
        row = {"kind": kind, "id": piece_id, "count": piece.count, "front": piece.front}
        rows.append(row | {"back": piece.back} if piece.back else row)
    value["placements"] = placements = []
    for file in printed.files:
        for placement in file.placements:
            parts = [
                {
                    "page": part.page,
                    "trim_mm": _rounded(part.trim),
                    "part_mm": _rounded(part.shows),
                }
                for part in placement.parts
            ]
            entry = {
                "file": file.name,
                "page": placement.page,
                "kind": placement.kind,
                "id": placement.id,
                "face": placement.face,
                "trim_mm": _rounded(placement.trim),
                "rotation": placement.rotation,
            }
            placements.append(entry | {"pages": parts} if parts else entry)
    # json.dumps would add 4 ms.
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _rounded(box: Box) -> list[float]:
    return [round(length, 3) for length in box]


def _size(data: bytes) -> Json:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def findings_file(job: PrintJob, problems: Iterable[Problem], folder: Path) -> PrintedFile:
    """Return all problems of a draft as a separate PDF file on the paper of the print. It names
    files relative to the title's folder, because the path of that is private."""
    from platelayer.imposition.listing import findings_listing

    listed = []
    for problem in problems:
        path = Path(problem.file)
        name = path.name
        if problem.file and path.is_relative_to(folder):
            name = path.relative_to(folder).as_posix()
        listed.append(replace(problem, file=name))
    theme, tongue = job.style.theme, job.style.tongue
    return _listing_file(job, findings_listing(listed, theme, tongue))


def making_file(job: PrintJob, printed: Printed) -> PrintedFile:
    """Return instructions for making the game from the other files, as a PDF on the paper of the
    print."""
    from platelayer.imposition.making import making_listing

    makings = [file.making for file in printed.files if file.making]
    faces = job.style.theme.type("sheet").faces
    return _listing_file(job, making_listing(makings, job.paper, job.style.tongue, faces))


def _listing_file(job: PrintJob, listing: Listing) -> PrintedFile:
    from platelayer.imposition.listing import listing_document
    from platelayer.render.pdf import render_pdf

    document = listing_document(
        job.title.name.get(job.style.language),
        listing,
        paper=job.paper,
        margin_mm=job.options.margin_mm,
        theme=job.style.theme,
        tongue=job.style.tongue,
    )
    with printing_on(job.options.intent):
        data = render_pdf(document, colour=job.options.color, standard=job.standard)
    name, pages = f"{document.stem}.pdf", len(document.pages)
    return PrintedFile(name, data, pages=pages, placements=())


def print_pieces(
    job: PrintJob, pieces: Sequence[Piece], progress: Progress, processes: int
) -> Printed:
    """Return the files in the order of the sheet plan. Raises ProblemsFound with everything that
    would be illegible, does not fit its card or the paper, or exceeds a limit of the profile."""
    finished = 0

    def done(share: _Share) -> None:
        nonlocal finished
        finished += len(share)
        progress("printing", finished, len(pieces))

    progress("printing", 0, len(pieces))
    shares = _print_shares(job, _shares(job, pieces), done, processes)
    problems = sort_problems(
        dict.fromkeys(problem for printed in shares for problem in printed.problems)
    )
    # Problems with requested options, such as paper and layouts, stop even a draft.
    fatal = [
        problem
        for problem in problems
        if not job.options.draft or (problem.code.startswith("SH") and problem.code != TOO_LARGE)
    ]
    if has_errors(fatal):
        raise ProblemsFound(problems)
    documents = [f"{plan.stem}.pdf" for plan in gathered(job.plan, job.layouts)]
    order = {name: number for number, name in enumerate(documents)}
    files = [file for printed in shares for file in printed.files]
    files.sort(key=lambda file: (order.get(file.name, len(order)), file.name))
    left_out = frozenset[str]().union(*(printed.left_out for printed in shares))
    printed_pieces = {key: face for printed in shares for key, face in printed.pieces.items()}
    return Printed(
        files=tuple(files),
        pieces={
            piece.key: printed_pieces[piece.key] for piece in pieces if piece.key in printed_pieces
        },
        left_out=left_out,
        problems=problems,
    )


# Pieces that share one or more files.
_Share = tuple[Piece, ...]
# Use worker processes only if the work besides the costliest share takes longer than this: starting
# and ending them takes about as long.
_WORTH_MS = 100


def _print_shares(
    job: PrintJob, shares: Sequence[_Share], done: Callable[[_Share], None], processes: int
) -> list[Printed]:
    """Return the files of each share, from the cache or newly made."""

    def made(shares: Sequence[_Share]) -> list[Printed]:
        if not shares:
            return []
        # Import before processes start, so that they inherit it: all that draws and paints takes 60
        # ms.
        from platelayer.pipeline.faces import predrawn
        from platelayer.pipeline.produce import print_share

        predrawn(job.sources.style_digest, job.cache)
        # Pictures take longer to paint than to draw.
        is_plain = job.options.output == "sheets" and not job.options.also
        alone = is_plain and sum(map(_cost_ms, shares[1:])) < _WORTH_MS
        work = partial(print_share, job)
        return share_out(work, shares, processes=processes, done=done, alone=alone)

    cache = job.cache
    # The appearance of the user's own kinds may depend on anything.
    if cache is None or job.added:
        return made(shares)
    keys = _share_keys(job, shares, cache)
    by_key = {}
    for share, key in zip(shares, keys, strict=True):
        if cached := cache.get(key, Printed):
            step(f"from the cache: {', '.join(file.name for file in cached.files)}")
            by_key[key] = cached
            done(share)
    missing = {key: share for key, share in zip(keys, shares, strict=True) if key not in by_key}
    for key, printed in zip(missing, made(list(missing.values())), strict=True):
        cache.put(key, printed, Printed)
        step(f"printed: {', '.join(file.name for file in printed.files)}")
        by_key[key] = printed
    if missing:
        cache.trim(*missing)
    return [by_key[key] for key in keys]


def _share_keys(job: PrintJob, shares: Sequence[_Share], cache: Cache) -> tuple[str, ...]:
    """Return the digest of everything that decides the files of each share: the looks of its
    pieces, and the rest of the job. Finding the looks of pieces takes longer than finding out
    whether anything has changed at all, so that is checked first."""
    names = (
        () if job.options.output == "sheets" else tuple(piece.key for piece in job.manifest.pieces)
    )
    painter = ""
    if job.options.output == "pictures" or "png" in job.options.also:
        from platelayer.render.png import png_version

        painter = png_version()
    fields = [field for field in job.__struct_fields__ if field not in _BY_PIECE]
    common = {field: getattr(job, field) for field in fields}
    whole = digest_of(common, (job.title.id, job.title.name, names), painter)
    everything = digest_of(whole, title_digest(job.title), job.style, shares)
    keys = cache.get(everything, _Keys)
    if keys is None:
        looks = ([job.sources.key(piece) for piece in share] for share in shares)
        keys = tuple(map(partial(digest_of, whole), shares, looks))
        cache.put(everything, keys, _Keys)
    return keys


# Cache entry: the keys of the shares of a print.
_Keys = tuple[str, ...]
# Parts of a job that affect the appearance of pieces. The relevant values are digested for each
# piece.
_BY_PIECE = ("title", "manifest", "style", "cache")


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Return the pieces by file, the slowest files first."""
    file_of_kind: dict[str, str] = {}
    if job.options.output == "sheets":
        # Documents with pieces of the same kind are made together.
        for document in gathered(job.plan, job.layouts):
            joined = {file_of_kind[kind] for kind in document.kinds if kind in file_of_kind}
            joined_kinds = [kind for kind, stem in file_of_kind.items() if stem in joined]
            file_of_kind |= dict.fromkeys((*document.kinds, *joined_kinds), document.stem)
    files: dict[str, list[Piece]] = {}
    for piece in pieces:
        if job.options.output == "sheets":
            file = file_of_kind.get(piece.kind, "")
        elif job.options.output == "cards":
            file = "cards"
        else:
            # Pieces of most kinds have a common back, so each of these kinds is one share.
            file = piece.key if KINDS[piece.kind].apart else piece.kind
        files.setdefault(file, []).append(piece)
    shares = [tuple(together) for together in files.values()]
    return sorted(shares, key=_cost_ms, reverse=True)


def _cost_ms(share: _Share) -> int:
    return sum(KINDS[piece.kind].cost_ms for piece in share)
