"""Pieces of a title in, finished files out: stages 4 to 8 (drawing to preflight) for one print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.problems import Problem, ProblemsFound, has_errors, sort_problems
from platelayer.foundation.sharing import share_out, without_collector
from platelayer.model.manifest import PLAY, Piece
from platelayer.print_job import Drawn, Made, Printed, PrintedFile, PrintJob, Progress, Tell
from platelayer.reprint import Seen, changed
from platelayer.shop import held, print_cards, print_pictures

if TYPE_CHECKING:
    from platelayer.scene.digest import Digester
    from platelayer.scene.shapes import Scene
    from platelayer.sheets.draft import PieceToPrint
    from platelayer.sheets.page import Document

# What drawing, checking and painting one distinct piece of a kind costs, in ms as measured with 18EU: only to begin
# with the files that take longest.
_COST = {"map": 400, "checklist": 190, "certificate": 27, "charter": 23, "train": 13, "tile": 3, "token": 3}
_OTHER_COST = 20


def print_pieces(job: PrintJob, pieces: Sequence[Piece], progress: Progress) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with all that would be illegible, does not fit
    its card or the paper, or breaks a limit of the profile."""
    with without_collector():
        shares = share_out(partial(_print_share, job, progress), _shares(job, pieces))
    problems = sort_problems(dict.fromkeys(problem for printed in shares for problem in printed.problems))
    if has_errors(problems):
        raise ProblemsFound(problems)
    order = {f"{plan.stem}.pdf": number for number, plan in enumerate(job.plan)}
    files = (file for printed in shares for file in printed.files)
    seen = {key: face for printed in shares for key, face in printed.seen.items()}
    return Printed(
        files=tuple(sorted(files, key=lambda file: (order.get(file.name, len(order)), file.name))),
        seen={piece.key: seen[piece.key] for piece in pieces if piece.key in seen},
        problems=problems,
    )


class _Share(Struct, frozen=True, kw_only=True):
    """Pieces that share a file; `before` pieces of `of` in all belong to shares begun earlier."""

    pieces: tuple[Piece, ...]
    before: int
    of: int


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Pieces by file, the costliest files first."""
    stem_of = _STEMS[job.output](job)
    stems: dict[str, list[Piece]] = {}
    for piece in pieces:
        stems.setdefault(stem_of(piece), []).append(piece)
    shares: list[_Share] = []
    before = 0
    for together in sorted(stems.values(), key=lambda pieces: -sum(_COST.get(p.kind, _OTHER_COST) for p in pieces)):
        shares.append(_Share(pieces=tuple(together), before=before, of=len(pieces)))
        before += len(together)
    return shares


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


def _print_share(job: PrintJob, progress: Progress, share: _Share) -> Printed:
    """Stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have more."""
    # Imported here: each of the two processes then waits only for what its own share needs.
    from platelayer.drawing.pieces import min_text_pt
    from platelayer.scene.digest import Digester
    from platelayer.scene.legibility import check_legibility

    def tell(stage: str, done: int) -> None:
        progress(stage, share.before + done, share.of)

    drawn, problems = _draw_all(job, tell, share.pieces)
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
        files, noted = _OUTPUTS[job.output](job, drawn, tell, has_errors(problems))
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


def _draw_all(job: PrintJob, tell: Tell, pieces: Sequence[Piece]) -> tuple[list[Drawn], list[Problem]]:
    from platelayer.drawing.pieces import draw_piece

    drawn: list[Drawn] = []
    problems: list[Problem] = []
    for number, piece in enumerate(pieces):
        tell("drawing", number)
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


def _print_sheets(job: PrintJob, drawn: Sequence[Drawn], tell: Tell, faulty: bool) -> Made:
    """Sheets to cut: one PDF for each document of the plan."""
    from platelayer.render.pdf import render_pdf

    documents = impose_pieces(job, drawn)
    files: list[PrintedFile] = []
    for document in () if faulty else documents:
        tell("printing", 0)
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


_OUTPUTS: dict[str, Callable[[PrintJob, Sequence[Drawn], Tell, bool], Made]] = {
    "sheets": _print_sheets,
    "cards": print_cards,
    "pictures": print_pictures,
}
