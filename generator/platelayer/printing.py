"""Pieces of a title in, finished PDF files out: stages 4 to 7 (drawing, legibility, sheets, render) for one print."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from platelayer.foundation.halves import in_halves
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors
from platelayer.model.manifest import PLAY, Manifest, Piece
from platelayer.sheets.plan import standard_plan

if TYPE_CHECKING:
    from platelayer.drawing.style import Style
    from platelayer.model.title import Title
    from platelayer.model.upgrade import UpgradeGraph
    from platelayer.scene.shapes import Scene
    from platelayer.sheets.page import Document, Placement
    from platelayer.sheets.paper import Paper

Progress = Callable[[str, int, int], None]
"""Told (stage, done, of) as a build goes on."""

# What drawing, checking and painting one distinct piece of a kind costs, in ms as measured with 18EU: only to cut the
# work into two shares of about the same length.
_COST = {"map": 400, "checklist": 190, "certificate": 27, "charter": 23, "train": 13, "tile": 3, "token": 3}
_OTHER_COST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintJob:
    """What all pieces of one print have in common."""

    title: Title
    manifest: Manifest
    graph: UpgradeGraph
    style: Style
    paper: Paper
    margin_mm: float
    tile_layout: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedFile:
    """One PDF: stem of its name, its bytes, how many pages it has and what lies on them."""

    stem: str
    data: bytes
    pages: int
    placements: tuple[Placement, ...]


Printed = tuple[tuple[PrintedFile, ...], tuple[Problem, ...]]


def print_pieces(job: PrintJob, pieces: Sequence[Piece], progress: Progress) -> tuple[PrintedFile, ...]:
    """The files, in the order of the sheet plan. Raises ProblemsFound with all that would be illegible or does not fit
    its card or the paper."""
    here, there = _shares(pieces)
    with _no_collector():
        mine, other = in_halves(partial(_print_share, job, progress), here, there)
    problems = (*mine[1], *other[1])
    if has_errors(problems):
        raise ProblemsFound(problems)
    files = {file.stem: file for printed in (mine, other) for file in printed[0]}
    return tuple(files[plan.stem] for plan in standard_plan() if plan.stem in files)


@contextmanager
def _no_collector() -> Iterator[None]:
    """Scenes are trees that live until the print is done: looking for cycles among them takes a twentieth of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _shares(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Pieces cut in two: kinds that share a file stay together, the costliest files are dealt out first."""
    stems = {kind: plan.stem for plan in reversed(standard_plan()) for kind in plan.kinds}
    cost: dict[str, int] = {}
    for piece in pieces:
        cost[stems[piece.kind]] = cost.get(stems[piece.kind], 0) + _COST.get(piece.kind, _OTHER_COST)
    loads, share_of = [0, 0], {}
    for stem in sorted(cost, key=lambda stem: (-cost[stem], stem)):
        share_of[stem] = loads.index(min(loads))
        loads[share_of[stem]] += cost[stem]
    first, second = (tuple(p for p in pieces if share_of[stems[p.kind]] == share) for share in (0, 1))
    return first, second


def _print_share(job: PrintJob, progress: Progress, pieces: Sequence[Piece]) -> Printed:
    """Stages 4 to 7 for some pieces. Problems are returned, not raised: another share may have more."""
    # Imported here: each of the two processes then waits only for what its own share needs.
    from platelayer.drawing.pieces import min_text_pt
    from platelayer.render.pdf import render_pdf
    from platelayer.scene.legibility import check_legibility

    drawn, problems = _draw_all(job, progress, pieces)
    for _, scene in drawn:
        problems += check_legibility(scene, min_text_pt=min_text_pt(scene))
    try:
        documents = impose_pieces(job, drawn)
    except ProblemsFound as stop:
        return (), (*problems, *stop.problems)
    if has_errors(problems):
        return (), tuple(problems)
    files = []
    for number, document in enumerate(documents):
        progress("printing", number, len(documents))
        placements = document.placements
        data = render_pdf(document)
        files.append(PrintedFile(stem=document.stem, data=data, pages=len(document.pages), placements=placements))
    return tuple(files), tuple(problems)


def _draw_all(
    job: PrintJob, progress: Progress, pieces: Sequence[Piece]
) -> tuple[list[tuple[Piece, Scene]], list[Problem]]:
    from platelayer.drawing.backs import draw_back
    from platelayer.drawing.pieces import draw_piece

    drawn: list[tuple[Piece, Scene]] = []
    problems: list[Problem] = []
    for number, piece in enumerate(pieces):
        progress("drawing", number, len(pieces))
        try:
            scenes = draw_piece(job.title, job.manifest, piece, job.style, job.graph)
            # Printed on one side, what a back holds in play lies beside the front.
            back = draw_back(job.title, job.manifest, piece, job.style) if piece.back == PLAY else None
            drawn += [(piece, scene) for scene in (*scenes, *((back,) if back else ()))]
        except ProblemsFound as stop:
            problems += stop.problems
    return drawn, problems


def impose_pieces(job: PrintJob, drawn: Sequence[tuple[Piece, Scene]]) -> tuple[Document, ...]:
    """Stage 6: the pages. Raises ProblemsFound for pieces that the paper is too small for."""
    from platelayer.sheets.impose import PieceToPrint, impose

    return impose(
        job.title.name.get(job.style.language),
        [
            PieceToPrint(piece=piece, scene=scene, again=number > 0 and drawn[number - 1][0] is piece)
            for number, (piece, scene) in enumerate(drawn)
        ],
        paper=job.paper,
        theme=job.style.theme,
        margin_mm=job.margin_mm,
        tile_layout=job.tile_layout,
        language=job.style.language,
    )
