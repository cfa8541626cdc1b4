"""Map checks, surveys and galleries for the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.atlas.make import TITLE, AtlasOptions, chosen_mode, other_title, read_box
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
from platelayer.foundation.seeds import MAX_SEED
from platelayer.pipeline.write import write_all

if TYPE_CHECKING:
    from platelayer.atlas.compiled import Wanted
    from platelayer.atlas.find import FindOptions, Found, Search
    from platelayer.atlas.schematic import Shown
    from platelayer.atlas.survey import Runner, SurveyOptions, SurveyResult
    from platelayer.model.map_tiles import AtlasBox
    from platelayer.scene.shapes import Scene


Progress = Callable[[str, int, int], None]
MAX_GALLERY = 600
"""Maps of a gallery: fifty sheets, more than anyone looks through."""


def check_maps(files: Sequence[Path], title: str = TITLE) -> tuple[Problem, ...]:
    """All problems of some files of maps of a title, file by file, in the order of each file."""
    box = read_box(title)
    return tuple(problem for file in files for problem in _check_map(box, file))


def _check_map(box: AtlasBox, file: Path) -> Sequence[Problem]:
    from platelayer.atlas.check import check_log
    from platelayer.atlas.log import load_map
    from platelayer.atlas.measures import false_metrics
    from platelayer.atlas.table import with_blanks

    try:
        loaded = load_map(file, box)
    except ProblemsFound as error:
        return error.problems
    log = loaded.log if loaded.tells_blanks else with_blanks(box, loaded.log)
    if problems := check_log(box, log, name=loaded.name):
        return [problem.located(loaded.place) for problem in problems]
    return [
        Problem(
            code="AT20",
            message=f"{name} is recorded as {recorded:g}; "
            + (f"it is {value:g}" if value is not None else "there is no such measure"),
        ).at(loaded.place(f"/metrics/{name}"))
        for name, recorded, value in false_metrics(box, log)
    ]


def survey_maps(
    folder: Path,
    count: int,
    options: SurveyOptions,
    *,
    progress: Progress,
    title: str = TITLE,
    run: Runner | None = None,
    **asked: object,
) -> SurveyResult:
    """Survey maps of a title into a folder; `asked` is mode, policy, seed and blanks. Raises
    CannotRun."""
    from platelayer.atlas.survey import survey

    box = read_box(title)
    options = replace(options, title=other_title(title))
    wanted = _wanted(box, title, **asked)
    return survey(box, wanted, count, folder, options, progress=progress, run=run)


def draw_gallery_file(path: Path, count: int, title: str = TITLE, **asked: object) -> None:
    """Draw the first maps of a survey to .svg or .pdf. Raises CannotRun."""
    from platelayer.atlas.compiled import map_of
    from platelayer.atlas.measures import Surveyor
    from platelayer.atlas.schematic import Shown

    _painter(path)
    if not 1 <= count <= MAX_GALLERY:
        raise CannotRun(f"count {count}: a gallery has 1 to {MAX_GALLERY} maps")
    box = read_box(title)
    wanted = _wanted(box, title, **asked)
    surveyor = Surveyor(box)
    shown = []
    for number in range(count):
        log = map_of(box, wanted, number)
        values = surveyor.measure(log)
        words = (
            f"homes {values['home_distance_mean']:.1f} apart · income {values['income_min']:g}–{values['income_max']:g}"
            f" · {values['land_parts']:g} land"
        )
        shown.append(Shown(log=log, name=f"seed {log.seed}", words=words))
    _draw_maps(path, box, f"{wanted.mode}, {wanted.policy}", shown)


def find_maps(
    path: Path | None,
    options: FindOptions,
    *,
    players: int | None,
    where: str,
    best: str,
    count: int,
    progress: Progress,
    title: str = TITLE,
    **asked: object,
) -> Found:
    """Search maps, to be drawn to a .svg or .pdf (None: not); `asked` is mode, policy, seed and
    blanks. Raises CannotRun, also for all that is wrong with `where` and `best`."""
    from platelayer.atlas.find import find

    box, search = wanted_search(
        title=title, players=players, where=where, best=best, count=count, **asked
    )
    if path is not None:
        _painter(path)
    return find(box, search, options, progress=progress)


def wanted_search(
    *, players: int | None, where: str, best: str, count: int, title: str = TITLE, **asked: object
) -> tuple[AtlasBox, Search]:
    """A search as it is asked for in words, and the box of its maps; `asked` is mode, policy, seed
    and blanks. Raises CannotRun, also for all that is wrong with `where` and `best`."""
    from platelayer.atlas.conditions import (
        WrongWords,
        names_companies,
        read_conditions,
        read_objectives,
    )
    from platelayer.atlas.find import Search

    box = read_box(title)
    wanted = _wanted(box, title, **asked)
    chosen_mode(box, AtlasOptions(mode=wanted.mode, players=players, policy=wanted.policy))
    faults = []
    names = company_names(title) if names_companies(where) else {}
    wishes = partial(read_conditions, companies=names)
    readers: tuple[tuple[str, Callable[[str], object], str], ...] = (
        ("where", wishes, where),
        ("best", read_objectives, best),
    )
    for option, read, words in readers:
        try:
            read(words)
        except WrongWords as error:
            faults += [f"{option}: {fault}" for fault in error.args]
    if faults:
        raise CannotRun("; ".join(faults))
    search = Search(
        wanted=wanted,
        where=wishes(where),
        best=read_objectives(best),
        count=count,
        title=other_title(title),
    )
    return box, search


def company_names(title: str) -> dict[str, str]:
    """Ids of the minors of a title by what people call them, in small letters: ids, and names in
    every language."""
    from platelayer.definitions.titles import load_title

    return {
        name.lower(): company.id
        for company in load_title(title).title.companies
        for name in (company.id, *(words for _, words in company.name.forms))
    }


def draw_found(path: Path, found: Found) -> None:
    """Draw the maps that were found to .svg or .pdf. Raises CannotRun."""
    from platelayer.atlas.schematic import Shown

    search = found.search
    shown = [
        Shown(
            log=entry.log,
            name=f"seed {entry.log.seed}",
            words=" · ".join(
                f"{objective.name} {entry.values[objective.name]}" for objective in search.best[:2]
            ),
        )
        for entry in found.maps
    ]
    _draw_maps(
        path,
        read_box(search.title or TITLE),
        f"{search.wanted.mode}, {search.wanted.policy}: {', '.join(map(str, search.best))}",
        shown,
    )


def _painter(path: Path) -> Callable[[Sequence[Scene], str], bytes]:
    """What paints a gallery for this name of a file. Raises CannotRun."""
    paint = _PAINTERS.get(path.suffix.lower())
    if paint is None:
        raise CannotRun(f"{path}: a gallery is drawn to .svg or .pdf")
    return paint


def _draw_maps(path: Path, box: AtlasBox, title: str, shown: Sequence[Shown]) -> None:
    from platelayer.atlas.schematic import draw_gallery
    from platelayer.definitions.themes import load_theme
    from platelayer.drawing.kit.style import Style

    sheets = draw_gallery(title, box, shown, Style(theme=load_theme("classic")))
    write_all(path.parent, {path.name: _painter(path)(sheets, title)})


def _wanted(box: AtlasBox, title: str, **asked: object) -> Wanted:
    """The requested maps. Raises CannotRun for an unknown mode, policy or seed."""
    from platelayer.atlas.assemble import POLICIES
    from platelayer.atlas.compiled import Wanted

    own = hashlib.sha256(repr(box).encode()).hexdigest()[:16] if other_title(title) else ""
    wanted = Wanted(**asked, box=own)  # type: ignore[arg-type]
    for option, value, known in (
        ("mode", wanted.mode, box.mode_by_id),
        ("policy", wanted.policy, POLICIES),
    ):
        if value not in known:
            raise CannotRun(f"{option}: there is no {option} {value!r}; use {', '.join(known)}")
    if not 0 <= wanted.seed <= MAX_SEED:
        raise CannotRun(f"seed: {wanted.seed} is not a whole number from 0 to {MAX_SEED}")
    return wanted


def _paint_svg(sheets: Sequence[Scene], title: str) -> bytes:
    from platelayer.atlas.schematic import stacked
    from platelayer.render.svg import render_svg

    return render_svg(stacked(sheets) if len(sheets) > 1 else sheets[0], title=title)


def _paint_pdf(sheets: Sequence[Scene], title: str) -> bytes:
    from platelayer.imposition.page import Document, Page
    from platelayer.render.pdf import render_pdf

    whole = (0.0, 0.0, sheets[0].width_mm, sheets[0].height_mm)
    pages = tuple(Page(scene=sheet, trim=whole, bleed=whole) for sheet in sheets)
    return render_pdf(
        Document(stem="gallery", title=title, subject="Maps to choose from", pages=pages)
    )


_PAINTERS: dict[str, Callable[[Sequence[Scene], str], bytes]] = {
    ".svg": _paint_svg,
    ".pdf": _paint_pdf,
}
