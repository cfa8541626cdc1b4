"""The files of a print, from the cache or made, in shares that processes divide among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from platelayer.foundation.cache import digest_of
from platelayer.foundation.pool import share_out
from platelayer.foundation.problems import ProblemsFound, has_errors, sort_problems
from platelayer.foundation.steps import step
from platelayer.imposition.page import TOO_LARGE
from platelayer.imposition.plan import gathered
from platelayer.model.kinds import KINDS, Piece
from platelayer.pipeline.job import Printed, PrintJob, Progress
from platelayer.pipeline.load import title_digest

if TYPE_CHECKING:
    from platelayer.foundation.cache import Cache


def print_pieces(
    job: PrintJob, pieces: Sequence[Piece], progress: Progress, processes: int
) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with everything that would be
    illegible, does not fit its card or the paper, or breaks a limit of the profile."""
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
    # Paper, layouts and the like, which the user has requested, stop even a draft.
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


# Pieces that share a file, or several files.
_Share = tuple[Piece, ...]


def _print_shares(
    job: PrintJob, shares: Sequence[_Share], done: Callable[[_Share], None], processes: int
) -> list[Printed]:
    """The files of each share, from the cache or made."""

    def made(shares: Sequence[_Share]) -> list[Printed]:
        if not shares:
            return []
        # With everything that draws and paints, 60 ms: before processes start, which then have it.
        from platelayer.pipeline.predrawn import predrawn
        from platelayer.pipeline.produce import print_share

        predrawn(job.sources.style_digest)
        return share_out(partial(print_share, job), shares, processes=processes, done=done)

    cache = job.cache
    # The looks of the user's own kinds may depend on anything.
    if cache is None or job.added:
        return made(shares)
    keys = _share_keys(job, shares, cache)
    by_key: dict[str, Printed] = {}
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
    """The digest of everything that decides the files of each share: how its pieces look, and the
    rest of the job. The looks of pieces take longer to find out than whether anything at all has
    changed, so that is looked at first."""
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


# The entry in a cache of the keys of a print's shares.
_Keys = tuple[str, ...]
# Parts of a job that decide the looks of pieces; theirs are digested with each piece.
_BY_PIECE = ("title", "manifest", "style", "cache")


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Pieces by file, the costliest files first."""
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
            # Pieces of most kinds share their backs.
            file = piece.key if KINDS[piece.kind].apart else piece.kind
        files.setdefault(file, []).append(piece)
    shares = [tuple(together) for together in files.values()]
    return sorted(shares, key=lambda share: -sum(KINDS[piece.kind].cost_ms for piece in share))
