"""Printed files of a random map: poster and pages to join (PDF), building guide (PDF), SVG, PNG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.atlas.guide import draw_guide
from platelayer.atlas.measures import NONE
from platelayer.atlas.page import guide_pages
from platelayer.atlas.poster import HomeRow, draw_atlas_poster, draw_balance
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors
from platelayer.foundation.text import Text
from platelayer.imposition.impose import PieceToPrint, impose
from platelayer.imposition.paper import frames
from platelayer.imposition.plan import DocumentPlan, Layout, standard_plan
from platelayer.model.kinds import Piece
from platelayer.render.codes import qr_modules
from platelayer.render.pdf import render_pdf
from platelayer.render.svg import render_svg
from platelayer.scene.legibility import check_legibility

if TYPE_CHECKING:
    from platelayer.atlas.measures import Chosen, HomeMeasures
    from platelayer.drawing.kit.style import Style
    from platelayer.imposition.page import Document
    from platelayer.imposition.paper import Frame, Paper
    from platelayer.imposition.plan import SheetPlan
    from platelayer.model.map_tiles import AtlasLog
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene


atlas_words = FixedWords("atlas")

PNG_DPI = 100
"""For a screen: a poster of 700 mm has 2800 points to a side."""
GUIDE_MARGIN_MM = 12.0
LEAST_GUIDE_MM = (160.0, 220.0)
_MAP, _GUIDE = "map", "guide"
_Printed = tuple[dict[str, bytes], tuple[Problem, ...]]
_GUIDE_NAME = atlas_words.table("guide_words")["guide"]


class MapPrint(Struct, frozen=True, kw_only=True):
    """What a map is printed with; `companies` are ids of those in play, `homes` what the homes on
    it measure, `chosen` the best homes for companies that choose theirs, `again` is the command
    that makes the map again, `code` what its QR code says instead ("": the same), `margin_mm` stays
    empty around each page."""

    title: Title
    log: AtlasLog
    companies: Sequence[str]
    style: Style
    paper: Paper
    homes: Mapping[str, HomeMeasures]
    chosen: Mapping[str, Chosen]
    fairness: float
    again: str = ""
    code: str = ""
    margin_mm: float = 6.0
    png: bool = True


def map_files(job: MapPrint, processes: int) -> _Printed:
    """Files by name: map.svg, map.pdf, map-tiled.pdf, guide.pdf, guide.html, blind.html and, unless
    it is not wanted or the system cannot make it, map.png; and what is told of them.

    With several processes, pictures are made in one and pages in another at the same time. Raises
    ProblemsFound with what would be illegible or does not fit the paper.
    """
    sheets = _guide_frames(job)
    code = () if job.log.seed is None else qr_modules(job.code or job.again)
    rows = _rows(job)
    poster = draw_atlas_poster(
        job.title,
        job.log,
        job.style,
        code=code,
        rows=rows,
        fairness=job.fairness,
        companies=job.companies,
        chosen={company: (best.at, best.home.worth) for company, best in job.chosen.items()},
        again=job.again,
        opens=bool(job.code),
    )
    shares = partial(_pages, job, poster, sheets[0]), partial(_pictures, job, poster)
    (pages, on_pages), (pictures, on_poster) = share_out(_print_share, shares, processes=processes)
    if has_errors(problems := (*on_poster, *on_pages)):
        raise ProblemsFound(problems)
    return pictures | pages | guide_pages(job), problems


def _print_share(share: Callable[[], _Printed]) -> _Printed:
    with gc_paused():
        return share()


def _pictures(job: MapPrint, poster: Scene) -> _Printed:
    """The poster as SVG and PNG, and what is illegible on it."""
    label = f"{job.style.words(job.title.name)}: {poster.label}"
    files = {"map.svg": render_svg(poster, title=label)}
    if job.png:
        files |= _png(poster)
    return files, check_legibility(poster)


def _png(poster: Scene) -> dict[str, bytes]:
    from platelayer.render.png import PngUnavailable, render_png

    try:
        return {"map.png": render_png(poster, dpi=PNG_DPI)}
    except PngUnavailable:  # a missing system library does not stop the rest of the map
        return {}


def _guide_frames(job: MapPrint) -> tuple[Frame, ...]:
    """The pages of the guide. Raises ProblemsFound for a paper that is too small."""
    sheets = frames(job.paper, GUIDE_MARGIN_MM)
    _, _, width, height = sheets[0].room if sheets else (0.0, 0.0, 0.0, 0.0)
    if width < LEAST_GUIDE_MM[0] or height < LEAST_GUIDE_MM[1]:
        message = f"{job.paper.name} is too small for the building guide"
        raise ProblemsFound(
            [Problem(code="SH01", message=message, hint="use A4, Letter or a larger paper")]
        )
    return sheets


def _pages(job: MapPrint, poster: Scene, sheet: Frame) -> _Printed:
    """Poster, pages to join and guide as PDF, and what is illegible in the guide or does not fit
    the paper."""
    _, _, width, height = sheet.room
    guide = draw_guide(job.title, job.log, job.style, width, height, companies=job.companies)
    if rows := _rows(job):
        guide += (
            draw_balance(
                job.title, job.log, job.style, width, height, rows=rows, fairness=job.fairness
            ),
        )
    problems = tuple(problem for scene in guide for problem in check_legibility(scene))
    if has_errors(problems):
        return {}, problems
    plan = standard_plan()
    guides = DocumentPlan(
        stem=_GUIDE, name=_GUIDE_NAME, kinds=(_GUIDE,), layouts={"grid": Layout(arrange="grid")}
    )
    try:
        documents = (
            *_documents(job, (poster,), _MAP, plan, job.margin_mm),
            *_documents(job, guide, _GUIDE, (*plan, guides), GUIDE_MARGIN_MM),
        )
    except ProblemsFound as error:
        return {}, error.problems
    return {f"{document.stem}.pdf": render_pdf(document) for document in documents}, problems


def _rows(job: MapPrint) -> list[HomeRow]:
    return [home_row(company, measured) for company, measured in sorted(job.homes.items())]


def home_row(company: str, measured: HomeMeasures) -> HomeRow:
    """What the page of bars shows of a home, in the order of its columns."""
    ways = measured.city_way, measured.mountain_cost, measured.capital_way, measured.destination_way
    values = (
        *measured.trains,
        measured.worth,
        *(None if way == NONE else way for way in ways),
        measured.rivals,
    )
    return HomeRow(company=company, values=values)


def _documents(
    job: MapPrint, scenes: Sequence[Scene], kind: str, plan: SheetPlan, margin_mm: float
) -> tuple[Document, ...]:
    seed = f", {job.log.seed}" if job.log.seed is not None else ""
    mode = job.style.words(atlas_words.table("modes").get(job.log.mode, Text.plain(job.log.mode)))
    name = Text.plain(f"{mode}{seed}")
    piece = Piece(kind=kind, id="atlas", name=name, count=1)
    return impose(
        job.style.words(job.title.name),
        [
            PieceToPrint(piece=piece, scene=scene, again=number > 0)
            for number, scene in enumerate(scenes)
        ],
        paper=job.paper,
        theme=job.style.theme,
        margin_mm=margin_mm,
        tongue=job.style.tongue,
        plan=plan,
    )
