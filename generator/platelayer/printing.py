"""Pieces of a title in, finished files out: stages 4 to 8 (drawing to preflight) for one print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from platelayer.foundation.halves import in_halves, without_collector
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors, sort_problems
from platelayer.model.manifest import PLAY, Piece
from platelayer.print_job import Drawn, Made, Printed, PrintedFile, PrintJob, Progress
from platelayer.reprint import Seen, changed
from platelayer.shop import held, print_cards, print_pictures

if TYPE_CHECKING:
    from platelayer.scene.digest import Digester
    from platelayer.scene.shapes import Scene
    from platelayer.sheets.draft import PieceToPrint
    from platelayer.sheets.page import Document

# What drawing, checking and painting one distinct piece of a kind costs, in ms as measured with 18EU: only to cut the
# work into two shares of about the same length.
_COST = {"map": 400, "checklist": 190, "certificate": 27, "charter": 23, "train": 13, "tile": 3, "token": 3}
_OTHER_COST = 20


def print_pieces(job: PrintJob, pieces: Sequence[Piece], progress: Progress) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with all that would be illegible, does not fit
    its card or the paper, or breaks a limit of the profile."""
    here, there = _shares(job, pieces)
    with without_collector():
        mine, other = in_halves(partial(_print_share, job, progress), here, there)
    problems = sort_problems(dict.fromkeys((*mine.problems, *other.problems)))
    if has_errors(problems):
        raise ProblemsFound(problems)
    files = {file.name: file for printed in (mine, other) for file in printed.files}
    order = {f"{plan.stem}.pdf": number for number, plan in enumerate(job.plan)}
    names = sorted(files, key=lambda name: (order.get(name, len(order)), name))
    seen = {**mine.seen, **other.seen}
    return Printed(
        files=tuple(files[name] for name in names),
        seen={piece.key: seen[piece.key] for piece in pieces if piece.key in seen},
        problems=problems,
    )


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Pieces cut in two: what shares a file stays together, the costliest files are dealt out first."""
    stem_of = _STEMS[job.output](job)
    cost: dict[str, int] = {}
    for piece in pieces:
        stem = stem_of(piece)
        cost[stem] = cost.get(stem, 0) + _COST.get(piece.kind, _OTHER_COST)
    loads, share_of = [0, 0], {}
    for stem in sorted(cost, key=lambda stem: (-cost[stem], stem)):
        share_of[stem] = loads.index(min(loads))
        loads[share_of[stem]] += cost[stem]
    first, second = (tuple(p for p in pieces if share_of[stem_of(p)] == share) for share in (0, 1))
    return first, second


def _sheet_stems(job: PrintJob) -> Callable[[Piece], str]:
    stems = {kind: plan.stem for plan in reversed(job.plan) for kind in plan.kinds}
    return lambda piece: stems.get(piece.kind, "")


_LARGE_KINDS = frozenset(("charter", "map", "market", "tile", "token"))
_STEMS: dict[str, Callable[[PrintJob], Callable[[Piece], str]]] = {
    "sheets": _sheet_stems,
    "cards": lambda _job: lambda _piece: "cards",
    # Pieces of most kinds share their backs.
    "pictures": lambda _job: lambda piece: piece.key if piece.kind in _LARGE_KINDS else piece.kind,
}


def _print_share(job: PrintJob, progress: Progress, pieces: Sequence[Piece]) -> Printed:
    """Stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have more."""
    # Imported here: each of the two processes then waits only for what its own share needs.
    from platelayer.drawing.pieces import min_text_pt
    from platelayer.scene.digest import Digester
    from platelayer.scene.legibility import check_legibility

    drawn, problems = _draw_all(job, progress, pieces)
    if job.output != "sheets":
        drawn, noted = held(job, drawn)
        problems += noted
    # Many pieces share a back: each scene is looked at once.
    scenes = {scene.key: scene for each in drawn for scene in (*each.fronts, each.back) if scene is not None}
    for scene in scenes.values():
        problems += check_legibility(scene, min_text_pt=min_text_pt(scene))
    digester = Digester()
    seen = {each.piece.key: _seen(each, digester) for each in drawn}
    if job.before is not None:
        news = ((each, changed(each.piece, seen[each.piece.key], job.before)) for each in drawn)
        drawn = [replace(each, piece=piece) for each, piece in news if piece]
    files: tuple[PrintedFile, ...] = ()
    try:
        files, noted = _OUTPUTS[job.output](job, drawn, progress, has_errors(problems))
        problems += [*noted, *_preflight(job, files)]
    except ProblemsFound as stop:
        problems += stop.problems
    return Printed(files=files, seen=seen, problems=tuple(problems))


def _preflight(job: PrintJob, files: Sequence[PrintedFile]) -> Iterator[Problem]:
    """Stage 8: the finished bytes, held to the limits of the profile as any other file would be."""
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


def _draw_all(job: PrintJob, progress: Progress, pieces: Sequence[Piece]) -> tuple[list[Drawn], list[Problem]]:
    from platelayer.drawing.pieces import draw_piece

    drawn: list[Drawn] = []
    problems: list[Problem] = []
    for number, piece in enumerate(pieces):
        progress("drawing", number, len(pieces))
        try:
            fronts = draw_piece(job.title, job.manifest, piece, job.style, job.graph)
            drawn.append(Drawn(piece=piece, fronts=fronts, back=_back(job, piece)))
        except ProblemsFound as stop:
            problems += stop.problems
    return drawn, problems


def _back(job: PrintJob, piece: Piece) -> Scene | None:
    """The back of a piece if it is to be printed: what is needed in play always, any other behind its front alone."""
    if piece.back == PLAY or (piece.back and (job.finish.duplex != "none" or job.output != "sheets")):
        from platelayer.drawing.backs import draw_back

        return draw_back(job.title, job.manifest, piece, job.style)
    return None


def _print_sheets(job: PrintJob, drawn: Sequence[Drawn], progress: Progress, faulty: bool) -> Made:
    """Sheets to cut: one PDF for each document of the plan."""
    from platelayer.render.pdf import render_pdf

    documents = impose_pieces(job, drawn)
    files: list[PrintedFile] = []
    for number, document in enumerate(() if faulty else documents):
        progress("printing", number, len(documents))
        data = render_pdf(document, colour=job.colour, standard=job.standard)
        files.append(
            PrintedFile(
                name=f"{document.stem}.pdf", data=data, pages=len(document.pages), placements=document.placements
            )
        )
    return tuple(files), []


def impose_pieces(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[Document, ...]:
    """Stage 6: the pages. Raises ProblemsFound for pieces that the paper is too small for."""
    from platelayer.sheets.impose import impose

    return impose(
        job.title.name.get(job.style.language),
        [entry for each in drawn for entry in entries(each, job.finish.duplex)],
        paper=job.paper,
        theme=job.style.theme,
        margin_mm=job.margin_mm,
        layouts=job.layouts,
        finish=job.finish,
        poster=job.poster,
        language=job.style.language,
        plan=job.plan,
    )


def entries(drawn: Drawn, duplex: str) -> Iterator[PieceToPrint]:
    """What is laid out for a piece: its fronts with its back behind the first, or, on sheets of one side, its back as a
    face of its own beside it."""
    from platelayer.sheets.draft import PieceToPrint

    piece, back = drawn.piece, drawn.back
    for number, scene in enumerate(drawn.fronts):
        behind = back if number == 0 and duplex != "none" else None
        yield PieceToPrint(piece=piece, scene=scene, back=behind, again=number > 0)
    if back is not None and duplex == "none":
        yield PieceToPrint(piece=piece, scene=back, face="back")


_OUTPUTS: dict[str, Callable[[PrintJob, Sequence[Drawn], Progress, bool], Made]] = {
    "sheets": _print_sheets,
    "cards": print_cards,
    "pictures": print_pictures,
}
