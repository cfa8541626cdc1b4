"""Random maps from a request to their files, and maps to check, search and choose from.

The stages of `atlas new`, in order:

1 definition  JSON -> box of map tiles; a file -> what was laid   (definitions, log)
2 assembly    box, mode, seed -> log                              (assemble, table)
3 measures    log -> figures                                      (measures)
4 check       log -> no breach of the rules                       (check)
5 printing    log -> poster, guide                                (files)
6 files       bytes -> disk, all or nothing                       (pipeline.write)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    sort_problems,
)
from platelayer.foundation.seeds import MAX_SEED, new_seed
from platelayer.model.map_tiles import TileDraw, board_origin, doubled, occupied, place_name
from platelayer.pipeline.write import write_all

if TYPE_CHECKING:
    from platelayer.atlas.compiled import Wanted
    from platelayer.atlas.find import FindOptions, Found, Search
    from platelayer.atlas.schematic import Shown
    from platelayer.atlas.survey import Runner, SurveyOptions, SurveyResult
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.model.map_tiles import AtlasBox, AtlasLog, Axial, Draw, Mode
    from platelayer.scene.shapes import Scene
    from platelayer.scene.theme import Theme


LOG_NAME, REPORT_NAME, RECORD_NAME = "atlas.json", "report.txt", ".platelayer-files"
TITLE = "lost-atlas"
_PLACE = re.compile(r"[A-Z]+[1-9][0-9]*")
_ADDRESS = re.compile(r"https?://[!\"$-~]{1,200}")


class AtlasOptions(Struct, frozen=True, kw_only=True):
    """Options of a map. `players` None: any number that the mode allows; `seed` None: a new one;
    `blanks`: the most blank overlays to lay (None: as many as the rules require); `title`: whose
    map tiles (an id or a path); `paper`: for the pages to join and the guide; `page`: the address
    of a browser edition, which the code on the map opens ("": it names the command); `source`: a
    map that people laid, which is taken in place of a new one (its mode is that of the file, if it
    names one), and with `finish` completed. Without `drawn` only the log is written."""

    mode: str = ""
    players: int | None = None
    seed: int | None = None
    policy: str = "compact"
    blanks: int | None = None
    paper: str = "a4"
    language: str = "en"
    theme: str = "classic"
    title: str = TITLE
    drawn: bool = True
    png: bool = True
    page: str = ""
    source: Path | None = None
    finish: bool = False


class MadeMap(Struct, frozen=True, kw_only=True):
    """A map that was assembled: its log, a short report for players, its files by name, and
    notes."""

    log: AtlasLog
    report: str
    files: dict[str, bytes]
    problems: tuple[Problem, ...] = ()


class NewMap(Struct, frozen=True, kw_only=True):
    """A map that was assembled and written: its log, a short report for players, its files, and
    notes."""

    log: AtlasLog
    report: str
    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()


def read_box(title: str = TITLE) -> AtlasBox:
    """The box of a title, by its id or path. Raises ProblemsFound when its definition has errors,
    and CannotRun when it has no map tiles."""
    from platelayer.definitions.map_tiles import shipped_box

    if title == TITLE:
        return shipped_box()
    from platelayer.definitions.titles import load_title

    return _box_of(load_title(title), title)


def _box_of(loaded: Loaded, title: str) -> AtlasBox:
    if loaded.title.atlas is None:
        raise CannotRun(f'title: {title} has no map tiles (the block "atlas" of a definition)')
    return loaded.title.atlas


def other_title(title: str) -> str:
    """The title option of the commands that reproduce a map: none for Railways of the Lost
    Atlas."""
    return "" if title == TITLE else title


def assemble_map(options: AtlasOptions) -> tuple[AtlasBox, AtlasLog]:
    """Stages 1 to 4: the box and the log of a map, measured and checked.

    Raises CannotRun for an unknown mode, number of players, seed or policy; ProblemsFound for a map
    that fails the independent check, which should never happen.
    """
    box = read_box(options.title)
    return box, _log_of(box, options)


def _log_of(box: AtlasBox, options: AtlasOptions) -> AtlasLog:
    """The log of a new map, or of one that people laid, with its measures."""
    from platelayer.atlas.measures import measure

    source = options.source
    log = _assemble(box, options) if source is None else _from_table(box, options, source)
    return replace(log, metrics=tuple(measure(box, log).items()))


class Endings(Struct, frozen=True, kw_only=True):
    """All maps that a half-laid one can become, the best first by the measure `best`: their logs
    with that measure, and for each the lines to add to the file; all lines where a tile lies left
    of column A or above row 1, which shifts the letters."""

    logs: tuple[AtlasLog, ...]
    lines: tuple[tuple[str, ...], ...]
    best: str


def atlas_endings(
    source: Path,
    *,
    best: str = "most fairness",
    most: int = 10_000,
    mode: str = "",
    title: str = TITLE,
) -> Endings:
    """Every legal way to finish a map that people have half laid. `best` is a measure to make most
    or least of, as for `find`. Raises ProblemsFound with what breaks the rules so far, CannotRun
    for more than `most` ways, for none, and for a measure that is none."""
    from platelayer.atlas.check import HAND, check_log
    from platelayer.atlas.conditions import WrongWords, read_objectives
    from platelayer.atlas.log import load_map
    from platelayer.atlas.measures import Surveyor
    from platelayer.atlas.table import TooMany, endings, in_order
    from platelayer.definitions.titles import load_title

    try:
        objective, *others = read_objectives(best)
    except WrongWords as error:
        raise CannotRun(f"best: {error}") from error
    _ask(not others, "best: one measure sorts the ways to finish a map")
    box = _box_of(load_title(title), title)
    loaded = load_map(source, box, mode)
    _ask(
        loaded.log.algorithm == HAND, f"from: {source} is a log of the assembler, which is finished"
    )
    if problems := check_log(box, loaded.log, name=loaded.name, finished=False):
        raise ProblemsFound(problem.located(loaded.place) for problem in problems)
    start = in_order(loaded.log)
    surveyor = Surveyor(box)
    try:
        found = [(surveyor.subject(log), log) for log in endings(box, start, most=most)]
    except TooMany as error:
        raise CannotRun(
            f"{source} can be finished in more than {most} ways: lay more of it, or ask for `most`"
        ) from error
    _ask(bool(found), f"{source} cannot be finished: whatever is drawn next fits nowhere")
    found.sort(key=lambda entry: -objective.rank(entry[0]))
    return Endings(
        logs=tuple(
            replace(log, metrics=((objective.name, subj.value(objective.name)),))
            for subj, log in found
        ),
        lines=tuple(_lines(log, len(start.draws), loaded.name) for _, log in found),
        best=str(objective),
    )


def _lines(log: AtlasLog, known: int, name: Callable[[Axial], str]) -> tuple[str, ...]:
    """The draws that a map has got, as lines; all of them where the names of the file do not
    reach."""
    origin = board_origin(log)
    if all(doubled(at).x >= 0 and _PLACE.fullmatch(name(at)) for at in occupied(log)):
        return tuple(_drawn(log.draws[known:], name))
    return (f"mode {log.mode}", *_drawn(log.draws, lambda at: place_name(at, origin)))


def _drawn(draws: Sequence[Draw], name: Callable[[Axial], str]) -> Iterator[str]:
    for draw in draws:
        if isinstance(draw, TileDraw):
            yield f"{draw.tile} {name(draw.at)} {draw.rotation}"
        elif draw.overlay_at is not None:
            yield f"capital {name(draw.overlay_at)}"


def _from_table(box: AtlasBox, options: AtlasOptions, source: Path) -> AtlasLog:
    """A map that people laid, complete. Raises ProblemsFound with what breaks the rules, and
    CannotRun."""
    from platelayer.atlas.assemble import POLICIES, NoMap
    from platelayer.atlas.check import HAND, check_log
    from platelayer.atlas.log import load_map
    from platelayer.atlas.table import finish, in_order, with_blanks

    loaded = load_map(source, box, options.mode)
    log, by_hand = loaded.log, loaded.log.algorithm == HAND
    _ask(
        options.mode in ("", log.mode),
        f"mode: {source} is a map of mode {log.mode}, not {options.mode}",
    )
    _ask(
        options.finish or options.seed is None,
        "seed: a map that is laid needs none, but to finish it: --finish",
    )
    _ask(
        by_hand or not options.finish,
        f"finish: {source} is a log of the assembler, which is finished",
    )
    if not (loaded.tells_blanks or options.finish):
        log = with_blanks(box, log)
    problems = check_log(box, log, name=loaded.name, finished=not options.finish)
    if problems:
        half_laid = by_hand and not check_log(box, log, finished=False)
        hint = "--finish draws and lays what is missing" if half_laid else ""
        raise ProblemsFound(
            replace(problem, hint=problem.hint or hint).located(loaded.place)
            for problem in problems
        )
    if by_hand:
        log = in_order(log)
    if not options.finish:
        return log
    chosen = POLICIES.get(options.policy)
    _ask(
        chosen is not None and not chosen.sweeps,
        f"policy: {options.policy} cannot finish a map; use uniform, compact or best",
    )
    seed = _seed(options)
    try:
        return finish(box, log, seed=seed, policy=options.policy, blanks=options.blanks)
    except NoMap as error:
        raise CannotRun(str(error)) from error


def _seed(options: AtlasOptions) -> int:
    """The seed that is asked for, or a new one."""
    seed = new_seed() if options.seed is None else options.seed
    _ask(0 <= seed <= MAX_SEED, f"seed: {seed} is not a whole number from 0 to {MAX_SEED}")
    _ask(options.blanks is None or options.blanks >= 0, f"blanks: {options.blanks} is less than 0")
    return seed


def _assemble(box: AtlasBox, options: AtlasOptions) -> AtlasLog:
    from platelayer.atlas.assemble import NoMap, assemble

    mode = chosen_mode(box, options)
    seed = _seed(options)
    try:
        log = assemble(box, mode.id, seed=seed, policy=options.policy, blanks=options.blanks)
    except NoMap as error:
        raise CannotRun(str(error)) from error
    _check(box, log)
    return log


def atlas_new(folder: Path, options: AtlasOptions, *, processes: int = 1) -> NewMap:
    """Assemble a map and write it into a folder, all or nothing, replacing an earlier map there.
    The work is done in this process, or in two.

    Raises as `make_map` does, and CannotRun for an output that cannot be written, or that would
    replace `source`.
    """
    made = make_map(options, processes=processes)
    sources = () if options.source is None else (options.source,)
    write_all(folder, made.files, record=RECORD_NAME, sources=sources)
    files = tuple(folder / name for name in made.files)
    return NewMap(log=made.log, report=made.report, files=files, problems=made.problems)


def make_map(options: AtlasOptions, *, processes: int = 1) -> MadeMap:
    """Stages 1 to 5: a map with its files. Raises as `assemble_map` does, CannotRun for a paper or
    theme that does not exist, and ProblemsFound for what would be illegible or does not fit the
    paper."""
    from platelayer.atlas.files import MapPrint, map_files
    from platelayer.atlas.log import log_text
    from platelayer.atlas.measures import Surveyor
    from platelayer.atlas.report import HEX_MM, again_command, companies_in_play, map_report
    from platelayer.definitions.themes import complete_theme
    from platelayer.definitions.titles import load_title
    from platelayer.imposition.paper import find_paper
    from platelayer.pipeline.load import spoken_in

    paper, theme = find_paper(options.paper), complete_theme(options.theme)
    _check_page(options)
    loaded = load_title(options.title)
    title, box = loaded.title, _box_of(loaded, options.title)
    log = _log_of(box, options)
    mode = box.mode_by_id[log.mode]
    companies = companies_in_play(box, mode, log)
    subject, fairness = Surveyor(box).subject(log), dict(log.metrics)["fairness"]
    homes, chosen = subject.homes_by_company, subject.chosen
    files = {LOG_NAME: log_text(log).encode()}
    notes = spoken_in(title, options.language)
    names = {
        company_id: title.company_by_id[company_id].name.get(options.language)
        for company_id in {*companies, *homes}
    }
    report = map_report(
        box,
        mode,
        log,
        companies=[names[company_id] for company_id in companies],
        homes=[
            *((names[company_id], measured.worth) for company_id, measured in homes.items()),
            *(
                (f"{names[company_id]} ({place_name(best.at, board_origin(log))})", best.home.worth)
                for company_id, best in chosen.items()
            ),
        ],
        fairness=fairness,
        hex_mm=HEX_MM,
        title=other_title(options.title),
        tongue=Tongue(options.language, dict(title.terms)),
    )
    if options.drawn:
        job = MapPrint(
            title=title,
            log=log,
            companies=companies,
            style=_style(loaded, theme, options.language),
            paper=paper,
            png=options.png,
            homes=homes,
            chosen=chosen,
            fairness=fairness,
            again="" if log.seed is None else again_command(log, other_title(options.title)),
            code=options.page and f"{options.page}#atlas={log.mode},{log.policy},{log.seed}",
        )
        printed, problems = map_files(job, processes)
        files, notes = files | printed, sort_problems((*notes, *problems))
        files[REPORT_NAME] = f"{report}\n".encode()
    return MadeMap(log=log, report=report, files=files, problems=notes)


def _check_page(options: AtlasOptions) -> None:
    """Raises CannotRun for an address that no code can hold, or a map that the page there would not
    make."""
    if not options.page:
        return
    fit = _ADDRESS.fullmatch(options.page)
    _ask(
        fit is not None,
        f"page: {options.page[:60]!a} is not an address like https://example.org/platelayer/",
    )
    alike = options.title == TITLE and options.blanks is None and options.source is None
    _ask(alike, "page: only maps of lost-atlas with all their blanks can be opened there")


def _check(box: AtlasBox, log: AtlasLog) -> None:
    """Raises ProblemsFound for a map that breaks the rules, which would be a bug in the
    assembler."""
    from platelayer.atlas.check import check_log

    hint = f"this is a bug in Platelayer; please report it with mode {log.mode}, seed {log.seed}, policy {log.policy}"
    if problems := check_log(box, log):
        raise ProblemsFound(replace(problem, file=LOG_NAME, hint=hint) for problem in problems)


def _style(loaded: Loaded, theme: Theme, language: str) -> Style:
    """The style to draw a map in. Raises ProblemsFound where a face lacks a character of the
    title."""
    from platelayer.definitions.themes import unprintable
    from platelayer.drawing.kit.style import style_of

    missing = unprintable(loaded, theme, language)
    if has_errors(missing):
        raise ProblemsFound(missing)
    return style_of(loaded.title, theme, language)


def chosen_mode(box: AtlasBox, options: AtlasOptions) -> Mode:
    """The requested mode, which must be for that many players; the policy must exist. Raises
    CannotRun."""
    from platelayer.atlas.assemble import POLICIES

    modes = box.mode_by_id
    _ask(
        options.mode in modes,
        f"mode: there is no mode {options.mode!r}; modes are {', '.join(modes)}",
    )
    _ask(
        options.policy in POLICIES,
        f"policy: there is no policy {options.policy!r}; use {', '.join(POLICIES)}",
    )
    mode, players = modes[options.mode], options.players
    if players is not None and players not in mode.players:
        fitting = [candidate.id for candidate in box.modes if players in candidate.players]
        hint = f"; for {players} use {' or '.join(fitting)}" if fitting else ""
        raise CannotRun(f"players: mode {mode.id} is for {counts(mode.players)} players{hint}")
    return mode


def counts(numbers: tuple[int, ...]) -> str:
    """A range of numbers in words: "3 to 5", or "3"."""
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _ask(fits: bool, message: str) -> None:
    if not fits:
        raise CannotRun(message)


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
    """Painter of a gallery for this name of a file. Raises CannotRun."""
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
