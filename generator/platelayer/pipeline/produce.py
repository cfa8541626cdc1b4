"""Finished files of one print: stages 4 to 8 (drawing to preflight)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.drawing.kinds import LOOKS, know_kinds
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors, sort_problems
from platelayer.model.kinds import PLAY, Piece
from platelayer.pipeline.job import Drawn, Made, Printed, PrintedFile, PrintJob, Progress
from platelayer.pipeline.reprint import Seen, changed
from platelayer.pipeline.shop import print_cards, print_pictures, split_supported

if TYPE_CHECKING:
    from platelayer.imposition.draft import PieceToPrint
    from platelayer.imposition.page import Document
    from platelayer.scene.digest import Digester
    from platelayer.scene.shapes import Scene


def print_pieces(job: PrintJob, pieces: Sequence[Piece], progress: Progress) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with everything that would be illegible, does not
    fit its card or the paper, or breaks a limit of the profile."""
    shares = share_out(partial(_print_share, job), _shares(job, pieces), done=_counted(progress, len(pieces)))
    problems = sort_problems(dict.fromkeys(problem for printed in shares for problem in printed.problems))
    if has_errors(problems):
        raise ProblemsFound(problems)
    order = {f"{plan.stem}.pdf": number for number, plan in enumerate(job.plan)}
    files = (file for printed in shares for file in printed.files)
    left_out = frozenset[str]().union(*(printed.left_out for printed in shares))
    seen = {key: face for printed in shares for key, face in printed.seen.items()}
    return Printed(
        files=tuple(sorted(files, key=lambda file: (order.get(file.name, len(order)), file.name))),
        seen={piece.key: seen[piece.key] for piece in pieces if piece.key in seen},
        left_out=left_out,
        problems=problems,
    )


_Share = tuple[Piece, ...]
"""Pieces that share a file, or several files."""


def _counted(progress: Progress, of: int) -> Callable[[_Share], None]:
    """Reports the progress of a print, in pieces, as its shares are finished."""
    made = 0

    def done(share: _Share) -> None:
        nonlocal made
        made += len(share)
        progress("printing", made, of)

    progress("printing", 0, of)
    return done


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Pieces by file, the costliest files first."""
    stem_of = _STEMS[job.output](job)
    stems: dict[str, list[Piece]] = {}
    for piece in pieces:
        stems.setdefault(stem_of(piece), []).append(piece)
    shares = [tuple(together) for together in stems.values()]
    return sorted(shares, key=lambda share: -sum(LOOKS[piece.kind].cost_ms for piece in share))


def _sheet_stems(job: PrintJob) -> Callable[[Piece], str]:
    """Documents with pieces of the same kind are made together."""
    stems: dict[str, str] = {}
    for document in job.plan:
        joined = {stems[kind] for kind in document.kinds if kind in stems}
        stems |= dict.fromkeys(document.kinds, document.stem)
        stems |= {kind: document.stem for kind, stem in stems.items() if stem in joined}
    return lambda piece: stems.get(piece.kind, "")


_STEMS: dict[str, Callable[[PrintJob], Callable[[Piece], str]]] = {
    "sheets": _sheet_stems,
    "cards": lambda _job: lambda _piece: "cards",
    # Pieces of most kinds share their backs.
    "pictures": lambda _job: lambda piece: piece.key if LOOKS[piece.kind].apart else piece.kind,
}


def _print_share(job: PrintJob, share: _Share) -> Printed:
    """Stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have more."""
    know_kinds(job.added)
    with gc_paused():
        return _printed(job, share)


def _printed(job: PrintJob, share: _Share) -> Printed:
    # Imported here: each of the two processes then waits only for what its own share needs.
    from platelayer.drawing.kinds import look_of
    from platelayer.scene.digest import Digester
    from platelayer.scene.legibility import check_legibility

    drawn, problems = _draw_all(job, share)
    all_drawn = {each.piece.key for each in drawn}
    if job.output != "sheets":
        drawn, noted = split_supported(job, drawn)
        problems += noted
    left_out = all_drawn.difference(each.piece.key for each in drawn)
    # Many pieces share a back: each scene is checked once.
    scenes = {scene.key: scene for each in drawn for scene in (*each.fronts, each.back) if scene is not None}
    press = job.colour == "cmyk"
    for scene in scenes.values():
        problems += check_legibility(scene, min_text_pt=look_of(scene.key).min_text_pt, press=press)
    digester = Digester()
    seen = {each.piece.key: _seen(each, digester) for each in drawn}
    if job.before is not None:
        news = ((each, changed(each.piece, seen[each.piece.key], job.before)) for each in drawn)
        drawn = [replace(each, piece=piece) for each, piece in news if piece]
    files: tuple[PrintedFile, ...] = ()
    try:
        files, noted = _OUTPUTS[job.output](job, drawn, has_errors(problems))
        problems += [*noted, *_preflight(job, files)]
    except ProblemsFound as stop:
        problems += stop.problems
    return Printed(files=files, seen=seen, left_out=frozenset(left_out), problems=tuple(problems))


def _preflight(job: PrintJob, files: Sequence[PrintedFile]) -> Iterator[Problem]:
    """Stage 8: the finished bytes, checked against the limits of the profile like any other file."""
    from platelayer.preflight import check_png, inspect_pdf

    limits = job.profile.limits
    for file in files:
        if file.name.endswith(".pdf"):
            yield from inspect_pdf(file.data, file.name, limits)
        elif limits.png is not None:
            yield from check_png(file.data, file.name, limits.png)


def _seen(drawn: Drawn, digester: Digester) -> Seen:
    back = digester.digest((drawn.back,)) if drawn.back else ""
    return Seen(count=drawn.piece.count, front=digester.digest(drawn.fronts), back=back)


def _draw_all(job: PrintJob, pieces: Sequence[Piece]) -> tuple[list[Drawn], list[Problem]]:
    from platelayer.drawing.pieces import draw_piece

    drawn: list[Drawn] = []
    problems: list[Problem] = []
    for piece in pieces:
        try:
            fronts = draw_piece(job.title, job.manifest, piece, job.style, job.graph)
            drawn.append(Drawn(piece=piece, fronts=fronts, back=_back(job, piece)))
        except ProblemsFound as stop:
            problems += stop.problems
    return drawn, problems


def _back(job: PrintJob, piece: Piece) -> Scene | None:
    """The back of a piece if it is to be printed: always if it is needed in play, otherwise only behind its front."""
    if piece.back == PLAY or (piece.back and (job.finish.duplex != "none" or job.output != "sheets")):
        from platelayer.drawing.pieces import draw_back

        return draw_back(job.title, piece, job.style)
    return None


def _print_sheets(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """Sheets to cut: one PDF for each document of the plan."""
    from platelayer.render.pdf import render_pdf

    documents = impose_pieces(job, drawn)
    files: list[PrintedFile] = []
    for document in () if faulty else documents:
        data = render_pdf(document, colour=job.colour, standard=job.standard)
        files.append(
            PrintedFile(
                name=f"{document.stem}.pdf", data=data, pages=len(document.pages), placements=document.placements
            )
        )
    return tuple(files), []


def impose_pieces(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[Document, ...]:
    """Stage 6: the pages. Raises ProblemsFound for pieces that the paper is too small for."""
    from platelayer.imposition.impose import impose

    return impose(
        job.title.name.get(job.style.language),
        [entry for each in drawn for entry in entries(each, job.finish.duplex)],
        paper=job.paper,
        theme=job.style.theme,
        margin_mm=job.margin_mm,
        layouts=job.layouts,
        finish=job.finish,
        poster=job.poster,
        tongue=job.style.tongue,
        plan=job.plan,
    )


def entries(drawn: Drawn, duplex: str) -> Iterator[PieceToPrint]:
    """What is laid out for a piece: its fronts with its back behind the first or, on one-sided sheets, its back as a
    separate face next to it."""
    from platelayer.imposition.draft import PieceToPrint

    piece, back = drawn.piece, drawn.back
    for number, scene in enumerate(drawn.fronts):
        behind = back if number == 0 and duplex != "none" else None
        yield PieceToPrint(piece=piece, scene=scene, back=behind, again=number > 0)
    if back is not None and duplex == "none":
        yield PieceToPrint(piece=piece, scene=back, face="back")


_OUTPUTS: dict[str, Callable[[PrintJob, Sequence[Drawn], bool], Made]] = {
    "sheets": _print_sheets,
    "cards": print_cards,
    "pictures": print_pictures,
}
