"""Random maps from a request to their files, and maps to check, search and choose from.

The stages of `atlas new`, in order:

1 definition  JSON -> box of map tiles; a file -> tiles laid      (definitions, log)
2 assembly    box, mode, seed -> log                              (assemble, table)
3 measures    log -> figures                                      (measures)
4 check       log -> no breach of the rules                       (check)
5 printing    log -> poster, guide                                (files)
6 files       bytes -> disk, all or nothing                       (pipeline.write)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from platelayer.atlas.assemble import POLICIES, NoMap, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import Wanted, map_of
from platelayer.atlas.conditions import (
    WrongWords,
    names_companies,
    read_conditions,
    read_objectives,
)
from platelayer.atlas.lines import (
    Lines,
    LoadedLog,
    code_of,
    lines_of,
    load_map,
    log_of,
    log_text,
    seed_of,
    vocabulary,
)
from platelayer.atlas.measures import Surveyor, compared, false_metrics, judged, measure
from platelayer.atlas.report import (
    MapPrint,
    again_command,
    charters_and_card,
    companies_in_play,
    deal,
    map_report,
)
from platelayer.atlas.table import TooMany, endings, finish, forgotten, in_order, with_blanks
from platelayer.definitions.build import build_box, shipped_box
from platelayer.definitions.decode import encode as written
from platelayer.definitions.source import MadeVariant
from platelayer.definitions.themes import complete_theme, load_theme, unprintable
from platelayer.definitions.titles import Loaded, load_title
from platelayer.foundation.door import is_there
from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    sort_problems,
)
from platelayer.foundation.seeds import MAX_SEED, Dice, new_seed
from platelayer.foundation.values import Frozen, Json
from platelayer.model.described import text
from platelayer.model.map_tiles import (
    BORDER,
    HAND,
    SCHEME,
    AtlasBox,
    AtlasLog,
    Axial,
    Mode,
    atlas_words,
    axial_name,
    board_of,
    board_origin,
    homes_of,
    place_name,
)
from platelayer.pipeline.load import language_notes
from platelayer.pipeline.write import write_all, write_one

if TYPE_CHECKING:
    from platelayer.atlas.find import FindOptions, Found, Search
    from platelayer.atlas.schematic import Shown
    from platelayer.atlas.survey import Runner, SurveyOptions, SurveyResult
    from platelayer.model.title import Title


LOG_NAME, REPORT_NAME, RECORD_NAME = "atlas.json", "report.txt", ".platelayer-files"
TITLE = "lost-atlas"
_LINK = re.compile(r"[^#]*#\w+=(.*)", re.DOTALL)
# Mode, policy and seed, as in older links, which are printed on maps.
_SETTINGS = re.compile(r"([^,]+),([^,]+),([0-9]{1,40})")
# A code, which may be copied from several printed lines, or settings.
_CODE = re.compile(rf"[0-9A-Za-z\s]{{30,}}|{_SETTINGS.pattern}")
_ADDRESS = re.compile(r"https?://[!\"$-~]{1,200}")


class AtlasOptions(Frozen, kw_only=True):
    """Options of a map. `players`: shuffle and print for so many (None: as players do); `tables`:
    also print sealed guides for so many; `seed` None: a new one;
    `blanks`: the most blank overlays to lay (None: as many as the rules require); `title`: id or
    path of the title with the map tiles; `paper`: for the pages to join and the guide; `page`:
    address of a browser edition, which the code on the map opens ("": it gives the command), or
    path of a page for a phone to write (FILE.html);
    `source`: a map that exists, as for `load_source`, used instead of a new one (with the mode it
    names, if any) and completed with `finish`. Without `drawn` only the log is written."""

    mode: str = ""
    players: int | None = None
    tables: int | None = None
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
    source: Path | str | None = None
    finish: bool = False


class MadeMap(Frozen, kw_only=True):
    """Assembled map: log, code, short report for players, contents of its files by name and of a page
    for a phone by path, and notes."""

    log: AtlasLog
    code: str
    report: str
    files: dict[str, bytes]
    pages: dict[Path, bytes]
    problems: tuple[Problem, ...] = ()


class NewMap(Frozen, kw_only=True):
    """Map written to disk: log, code, short report for players, paths of its files, and notes."""

    log: AtlasLog
    code: str
    report: str
    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()


def read_box(title: str = TITLE) -> AtlasBox:
    """The box of a title, by its id or path. Raises ProblemsFound when its definition has errors,
    and CannotRun when it has no map tiles."""

    if title == TITLE:
        return shipped_box()

    return _box_of(load_title(title), title)


def _box_of(loaded: Loaded, title: str) -> AtlasBox:
    if loaded.title.atlas is None:
        raise CannotRun(f'title: {title} has no map tiles (the block "atlas" of a definition)')
    return loaded.title.atlas


def other_title(title: str) -> str:
    """Title option of the commands that reproduce a map: empty for Railways of the Lost Atlas."""
    return "" if title == TITLE else title


def assemble_map(options: AtlasOptions) -> tuple[AtlasBox, AtlasLog]:
    """Stages 1 to 4: the box and the log of a map, measured and checked.

    Raises CannotRun for an unknown mode, number of players, seed or policy; ProblemsFound for a map
    that fails the independent check, which should never happen.
    """
    box = read_box(options.title)
    return box, _laid(box, options, options.title).log


class _Laid(NamedTuple):
    """A map; if it was finished, the seed of that, the draws that were there, and the names of its
    hexes in its file."""

    log: AtlasLog
    seed: int | None = None
    known: int = 0
    name: Callable[[Axial], str] = axial_name


def _laid(box: AtlasBox, options: AtlasOptions, title: Title | str) -> _Laid:
    """A new map, checked, or one from a table, with its measures."""

    if options.source is not None:
        laid = _from_table(box, options, options.source, title)
    else:
        laid = _Laid(log := _assembled(box, options))
        if problems := check_log(box, log):
            origin = f"mode {log.mode}, seed {log.seed}, policy {log.policy}"
            hint = f"this is a bug in Platelayer; please report it with {origin}"
            raise ProblemsFound(replace(problem, file=LOG_NAME, hint=hint) for problem in problems)
    log = laid.log
    return laid._replace(log=replace(log, metrics=tuple(measure(box, log).items())))


def _assembled(box: AtlasBox, options: AtlasOptions) -> AtlasLog:

    mode, policy = (
        known_id("mode", options.mode, box.mode_by_id),
        known_id("policy", options.policy, POLICIES),
    )
    _require_players(box, box.mode_by_id[mode], options.players)
    try:
        return assemble(box, mode, seed=_seed(options), policy=policy, blanks=options.blanks)
    except NoMap as error:
        raise CannotRun(str(error)) from error


def load_source(
    box: AtlasBox, source: Path | str, mode: str = "", *, title: Title | str = TITLE
) -> LoadedLog:
    """Read a map, which need not be legal: a file (atlas.json, or lines, of this mode if they name
    none), a code, "MODE,POLICY,SEED", or a link that ends in either; lines may have the words of
    the title. Raises ProblemsFound for anything else, CannotRun for an unknown mode, policy or
    seed."""

    link = _LINK.fullmatch(str(source))
    words = link[1] if link else str(source)
    # Never read a file because of a link, even if one has that name: the link may come from
    # anybody.
    if not link and is_there(Path(words)):
        return load_map(
            Path(words),
            box,
            mode and known_id("mode", mode, box.mode_by_id),
            lambda: vocabulary(load_title(title).title if isinstance(title, str) else title),
        )
    if not link and not _CODE.fullmatch(words):
        hint = "a map is a file such as atlas.json, a code, a link, or settings such as short,compact,7"
        raise ProblemsFound([Problem("FI01", "there is no such file", hint, file=words[:80])])
    if settings := _SETTINGS.fullmatch(words):
        own, policy, seed = settings.groups()
        log = _assembled(box, AtlasOptions(mode=own, policy=policy, seed=int(seed)))
    else:
        log = log_of(box, words)
    name = partial(place_name, origin=board_origin(log))
    return LoadedLog(log, Lines(f"map {words[:12]}"), name)


def map_variant(value: Json, source: str) -> MadeVariant:
    """Variant of a title with the board of a random map instead of map tiles, and its companies at
    home there: that of the map's mode, if the title has one, and a map. Its name has the map's code.

    `source` is a seed, or a map as for `load_source`. Raises CannotRun for a title without map
    tiles; ProblemsFound for a map that breaks the rules; and as `load_source` does.
    """

    if "atlas" not in value:
        raise CannotRun(
            f'atlas: {value["id"]} has no map tiles (the block "atlas" of a definition)'
        )
    box = build_box(value["atlas"])
    if source.isdecimal():
        source = f"{box.modes[0].id},compact,{source}"
    log = _laid(box, AtlasOptions(source=source), TITLE).log
    base = log.mode if log.mode in value.get("variants", {}) else None
    code = code_of(box, log)
    return MadeVariant(f"atlas={code}", base, partial(_laid_out, box, log, code))


# Kinds of pieces that form a map.
_MAP_PIECES = ("map-tile", "capital-project", "overlay")
# Rules that a random map may break: dead ends, hexes without a fitting tile, tiles for absent
# ground.
_UP_TO_CHANCE = ("MP01", "MP02", "MP04", "MP06", "UP01", "UP05", "UP08", "UP09")


def _laid_out(box: AtlasBox, log: AtlasLog, code: str, value: Json) -> Json:
    """JSON of a title with a board instead of its map tiles."""

    companies = dict(value.get("companies", {}))
    names = {key: text(company["name"]) for key, company in companies.items()}
    board, origin = board_of(box, log, names), board_origin(log)
    for company, at in homes_of(box, log).items():
        if company in companies:
            home = {"homes": [{"hex": place_name(at, origin)}]}
            companies[company] = companies[company] | home
    hexes = {hexagon.id: written(hexagon) for hexagon in board.hexes}
    pieces = value.get("pieces", {})
    sizes, counts = (
        {
            key: number
            for key, number in pieces.get(block, {}).items()
            if re.split("[:/]", key)[0] not in _MAP_PIECES
        }
        for block in ("sizes", "box")
    )
    if across := pieces.get("sizes", {}).get("map-tile"):
        sizes["map"] = across
    in_play = companies_in_play(box, box.mode_by_id[log.mode], log)
    amounts = {
        card: destinations["revenue"]
        for card, destinations in pieces.get("destination_cards", {}).items()
        if "revenue" in destinations
    }
    # Destinations pay by the card that players of this code are dealt.
    _, card = charters_and_card(Dice(seed_of(code)), in_play, [*amounts])
    paid = amounts.get(card)
    bridged = not {*box.bridging}.isdisjoint(in_play)
    water = {"colour": "white", "ground": "tile.blue", "terrain": [{"kinds": ["water"]}]}
    for hexagon in hexes.values():
        for stop in hexagon.get("stops", ()):
            if paid and stop["kind"] == "offboard" and "revenue" not in stop:
                stop["revenue"] = paid
        if bridged and hexagon == {"colour": "blue"}:
            hexagon.update(water)
        elif hexagon["colour"] == BORDER:
            hexagon.update(colour="gray", ground=f"tile.{BORDER}")
    reason = written(atlas_words("drawn_at_random"))
    return {
        **{key: block for key, block in value.items() if key != "atlas"},
        "maps": {
            "atlas": {
                "name": written(atlas_words.table("modes").get(log.mode, board.name)),
                "layout": board.layout.value,
                "coordinates": written(SCHEME),
                "hexes": hexes,
            }
        },
        "companies": companies,
        "pieces": {**pieces, "sizes": sizes, "box": counts},
        "waivers": [
            *value.get("waivers", ()),
            *({"code": code, "reason": reason, "optional": True} for code in _UP_TO_CHANCE),
        ],
    }


class Endings(Frozen, kw_only=True):
    """Legal ways to finish a half-laid map, the best first: their logs with the measure `best`, and
    for each the code, and the lines to add to the file, in whose coordinates `name` names a hex;
    `known` draws are laid already."""

    known: int
    name: Callable[[Axial], str]
    logs: tuple[AtlasLog, ...]
    codes: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    best: str


def atlas_endings(
    source: Path | str,
    *,
    best: str = "most fairness",
    most: int = 10_000,
    mode: str = "",
    title: str = TITLE,
    language: str = "en",
) -> Endings:
    """Find every legal way to finish a half-laid map; lines are in this language. `best` is a
    measure to maximise or minimise, as for `find`. Raises ProblemsFound with every breach of the
    rules so far, CannotRun for more than `most` ways, for none, and for an unknown measure."""

    try:
        objective, *others = read_objectives(best)
    except WrongWords as error:
        raise CannotRun(f"best: {error}") from error
    _require(not others, "best: one measure sorts the ways to finish a map")
    loaded_title = load_title(title)
    box = _box_of(loaded_title, title)
    tongue = Tongue(language, dict(loaded_title.title.terms))
    loaded = load_source(box, source, mode, title=loaded_title.title)
    _require(
        loaded.log.algorithm == HAND, f"from: {source} is a log of the assembler, which is finished"
    )
    if problems := check_log(box, loaded.log, name=loaded.name, finished=False):
        raise ProblemsFound(problem.located(loaded.place) for problem in problems)
    start = in_order(loaded.log)
    known = len(start.draws)
    surveyor = Surveyor(box)
    try:
        found = [(surveyor.subject(log), log) for log in endings(box, start, most=most)]
    except TooMany as error:
        raise CannotRun(
            f"{source} can be finished in more than {most} ways: add tiles, or raise `most`"
        ) from error
    _require(bool(found), f"{source} cannot be finished: whatever is drawn next fits nowhere")
    found.sort(key=lambda entry: -objective.rank(entry[0]))
    return Endings(
        logs=tuple(
            replace(log, metrics=((objective.name, subj.value(objective.name)),))
            for subj, log in found
        ),
        codes=tuple(code_of(box, log) for _, log in found),
        known=known,
        name=loaded.name,
        lines=tuple(
            tuple(lines_of(box, log.draws[known:], loaded.name, tongue)) for _, log in found
        ),
        best=str(objective),
    )


def _from_table(
    box: AtlasBox, options: AtlasOptions, source: Path | str, title: Title | str
) -> _Laid:
    """Read a map that exists, and finish it if requested. Raises ProblemsFound, CannotRun."""

    loaded = load_source(box, source, options.mode, title=title)
    log, by_hand = loaded.log, loaded.log.algorithm == HAND
    _require(
        options.mode.casefold() in ("", log.mode.casefold()),
        f"mode: {source} is a map of mode {log.mode}, not {options.mode}",
    )
    _require(
        options.finish or options.seed is None,
        "seed: a map that is laid needs none, but to finish it: --finish",
    )
    _require(
        by_hand or not options.finish,
        f"finish: {source} is a log of the assembler, which is finished",
    )
    if not (loaded.lists_blanks or options.finish):
        log = with_blanks(box, log)
    problems = check_log(box, log, name=loaded.name, finished=not options.finish)
    if problems:
        if by_hand and not options.finish:
            problems = _without_consequences(box, loaded, problems)
        half_laid = by_hand and not check_log(box, log, finished=False)
        hint = "--finish draws and lays what is missing" if half_laid else ""
        raise ProblemsFound(
            replace(problem, hint=problem.hint or hint).located(loaded.place)
            for problem in problems
        )
    if by_hand:
        log = in_order(log)
    if not options.finish:
        return _Laid(log)
    policy = known_id("policy", options.policy, POLICIES)
    _require(
        not POLICIES[policy].sweeps,
        f"policy: {policy} cannot finish a map; use uniform, compact or best",
    )
    seed = _seed(options)
    try:
        whole = finish(box, log, seed=seed, policy=policy, blanks=options.blanks)
    except NoMap as error:
        raise CannotRun(str(error)) from error
    return _Laid(whole, seed, len(log.draws), loaded.name)


def _seed(options: AtlasOptions) -> int:
    """Requested seed, or a new one."""
    seed = new_seed() if options.seed is None else options.seed
    _require(0 <= seed <= MAX_SEED, f"seed: {seed} is not a whole number from 0 to {MAX_SEED}")
    _require(
        options.blanks is None or options.blanks >= 0, f"blanks: {options.blanks} is less than 0"
    )
    return seed


def atlas_new(folder: Path, options: AtlasOptions, *, processes: int = 1) -> NewMap:
    """Assemble a map and write it into a folder, all or nothing, replacing an earlier map there.
    The work is done in this process, or in two.

    Raises as `make_map` does, and CannotRun for an output that cannot be written, or that would
    replace `source`.
    """
    made = make_map(options, processes=processes)
    sources = (Path(options.source),) if options.source else ()
    write_all(folder, made.files, record=RECORD_NAME, sources=sources)
    for path, data in made.pages.items():
        write_one(path, data, sources=sources)
    files = (*(folder / name for name in made.files), *made.pages)
    return NewMap(
        log=made.log, code=made.code, report=made.report, files=files, problems=made.problems
    )


def make_map(options: AtlasOptions, *, processes: int = 1) -> MadeMap:
    """Stages 1 to 5: a map with its files. Raises as `assemble_map` does, CannotRun for an unknown
    paper or theme, and ProblemsFound for text that would be illegible or pieces larger than the
    paper."""
    from platelayer.atlas.files import map_files
    from platelayer.drawing.kit.style import style_of
    from platelayer.imposition.paper import find_paper

    _require(
        options.drawn or options.tables is None, "tables: guides are drawn; leave --no-draw out"
    )
    find_paper(options.paper)  # report an unknown paper even if nothing is drawn
    theme = complete_theme(options.theme)
    is_file = options.page.endswith(".html") and "://" not in options.page
    if options.page and not is_file:
        _require(
            _ADDRESS.fullmatch(options.page) is not None,
            f"page: {options.page[:60]!a} is neither a FILE.html nor an address like https://example.org/platelayer/",
        )
        _require(options.title == TITLE, "page: only maps of lost-atlas can be opened there")
    loaded = load_title(options.title)
    title, box = loaded.title, _box_of(loaded, options.title)
    laid = _laid(box, options, title)
    log, tongue = laid.log, Tongue(options.language, dict(title.terms))
    mode, code = box.mode_by_id[log.mode], code_of(box, log)
    _require_players(box, mode, options.players)
    companies = companies_in_play(box, mode, log)
    dealt = options.players and deal(
        title, log, companies=companies, players=options.players, seed=seed_of(code)
    )
    subject, fairness = Surveyor(box).subject(log), dict(log.metrics)["fairness"]
    homes, style = subject.homes_by_company, style_of(title, theme, options.language)
    files, pages = {LOG_NAME: log_text(log).encode()}, {}
    notes = language_notes(title, options.language)
    judgements = [
        sentence
        for sentence in (
            compared(log, fairness, tongue) if options.title == TITLE else "",
            *judged(title, homes, tongue),
            tongue.say(atlas_words.table("judgement_words")["advice"]) if homes else "",
        )
        if sentence
    ]
    job = MapPrint(
        title=title,
        log=log,
        companies=companies,
        style=style,
        paper=options.paper,
        png=options.png,
        homes=homes,
        chosen=subject.chosen,
        fairness=fairness,
        deal=dealt or None,
        tables=options.tables or 0,
        judgements=judgements,
        again=again_command(log, code, other_title(options.title)),
        link="" if is_file or not options.page else f"{options.page}#table={code}",
    )
    new = lines_of(box, log.draws[laid.known :], laid.name, tongue)
    report = map_report(
        job, finished=() if laid.seed is None else (str(laid.seed), *new), code=code
    )
    if is_file:
        from platelayer.atlas.phone import page_file

        pages[Path(options.page)] = page_file(title, log, style, options.players)
    if options.drawn:
        missing = unprintable(loaded, theme, options.language)
        if has_errors(missing):
            raise ProblemsFound(missing)
        printed, problems = map_files(job, processes)
        files, notes = files | printed, sort_problems((*notes, *problems))
        files[REPORT_NAME] = f"{report}\n".encode()
    return MadeMap(log=log, code=code, report=report, files=files, pages=pages, problems=notes)


def known_id(option: str, value: str, known: Collection[str]) -> str:
    """The id of a mode or policy, given in any case. Raises CannotRun."""
    ids = {each.casefold(): each for each in known}
    found = value if value in known else ids.get(value.casefold())
    if found is None:
        raise CannotRun(f"{option}: there is no {option} {value!r}; use {', '.join(known)}")
    return found


def _require_players(box: AtlasBox, mode: Mode, players: int | None) -> None:
    if players is not None and players not in mode.players:
        fitting = [candidate.id for candidate in box.modes if players in candidate.players]
        numbers = " to ".join(dict.fromkeys(map(str, (mode.players[0], mode.players[-1]))))
        hint = f"; for {players} use {' or '.join(fitting)}" if fitting else ""
        raise CannotRun(f"players: mode {mode.id} is for {numbers} players{hint}")


def _require(fits: bool, message: str) -> None:
    if not fits:
        raise CannotRun(message)


Progress = Callable[[str, int, int], None]
# Fifty sheets, more than anyone looks through.
MAX_GALLERY = 600
GALLERY_DPI = 120


def check_maps(sources: Sequence[Path | str], title: str = TITLE) -> tuple[Problem, ...]:
    """Problems of maps, as for `load_source`, in the order of the maps and of their lines."""

    box = read_box(title)
    problems: list[Problem] = []
    for source in sources:
        try:
            loaded = load_source(box, source, title=title)
        except ProblemsFound as error:
            problems += error.problems
            continue
        log = loaded.log if loaded.lists_blanks else with_blanks(box, loaded.log)
        if faults := check_log(box, log, name=loaded.name):
            faults = _without_consequences(box, loaded, faults)
            problems += [problem.located(loaded.place) for problem in faults]
            continue
        for name, recorded, value in false_metrics(box, log):
            truth = f"it is {value:g}" if value is not None else "there is no such measure"
            message = f"{name} is recorded as {recorded:g}; {truth}"
            problem = Problem("AT20", message)
            problems.append(problem.at(loaded.place(f"/metrics/{name}")))
    return tuple(problems)


def _without_consequences(
    box: AtlasBox, loaded: LoadedLog, problems: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """Problems of a map from a table; a single one if they all follow from a forgotten tile."""

    if loaded.log.algorithm != HAND:
        return problems
    draw = forgotten(box, loaded.log, lists_blanks=loaded.lists_blanks)
    if draw is None:
        return problems
    (line,) = lines_of(box, [draw], loaded.name, Tongue())
    message = f"a map tile is missing; the map is legal, for example, with {line}"
    hint = "`atlas endings` lists every way to complete it, --finish draws and lays a tile"
    return (Problem("AT04", message, hint, pointer="/draws"),)


def survey_maps(
    folder: Path,
    count: int,
    options: SurveyOptions,
    *,
    progress: Progress,
    title: str = TITLE,
    run: Runner | None = None,
    **request: object,
) -> SurveyResult:
    """Survey maps of a title into a folder; `request` is mode, policy, seed and blanks. Raises
    CannotRun."""
    from platelayer.atlas.survey import survey

    box = read_box(title)
    options = replace(options, title=other_title(title))
    wanted = _wanted(box, title, **request)
    return survey(box, wanted, count, folder, options, progress=progress, run=run)


def draw_gallery_file(path: Path, count: int, title: str = TITLE, **request: object) -> None:
    """Draw the first maps of a survey to .svg or .pdf; `request` is mode, policy, seed and blanks.
    Raises CannotRun."""
    from platelayer.atlas.schematic import Shown

    _require_gallery(path)
    if not 1 <= count <= MAX_GALLERY:
        raise CannotRun(f"count {count}: a gallery has 1 to {MAX_GALLERY} maps")
    box = read_box(title)
    wanted = _wanted(box, title, **request)
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
    **request: object,
) -> Found:
    """Search maps, to be drawn to a .svg or .pdf (None: not); `request` is mode, policy, seed and
    blanks. Raises CannotRun, also for every fault in `where` and `best`."""
    from platelayer.atlas.find import find

    box, search = wanted_search(
        title=title, players=players, where=where, best=best, count=count, **request
    )
    if path is not None:
        _require_gallery(path)
    return find(box, search, options, progress=progress)


def wanted_search(
    *, players: int | None, where: str, best: str, count: int, title: str = TITLE, **request: object
) -> tuple[AtlasBox, Search]:
    """Parse a search, and read the box of its maps; `request` is mode, policy, seed and blanks.
    Raises CannotRun, also for every fault in `where` and `best`."""
    from platelayer.atlas.find import Search

    box = read_box(title)
    wanted = _wanted(box, title, **request)
    _require_players(box, box.mode_by_id[wanted.mode], players)
    # Load the title only if conditions name companies, as loading takes long.
    names = company_names(title) if names_companies(where) else {}
    faults = []
    try:
        conditions = read_conditions(where, companies=names)
    except WrongWords as error:
        faults += [f"where: {fault}" for fault in error.args]
    try:
        objectives = read_objectives(best)
    except WrongWords as error:
        faults += [f"best: {fault}" for fault in error.args]
    if faults:
        raise CannotRun("; ".join(faults))
    search = Search(
        wanted=wanted,
        where=conditions,
        best=objectives,
        count=count,
        title=other_title(title),
    )
    return box, search


def company_names(title: str) -> dict[str, str]:
    """Ids of the companies of a title by id and by name in every language, in lower case."""

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


def draw_endings(path: Path, endings: Endings, count: int, title: str = TITLE) -> None:
    """Draw the first ways to finish a map to .svg, .pdf or .png, what is new in colour. Raises
    CannotRun."""
    from platelayer.atlas.schematic import Shown

    _require_gallery(path)
    shown = [
        Shown(
            log=log,
            name=f"{number}: {log.metrics[0][1]:g}",
            words="; ".join(lines) if len(lines) == 1 else "",
            place=endings.name,
            known=endings.known,
        )
        for number, (log, lines) in enumerate(zip(endings.logs, endings.lines, strict=True), 1)
    ]
    _draw_maps(path, read_box(title), endings.best, shown[: min(count, MAX_GALLERY)])


def draw_checked(path: Path, source: Path | str, title: str = TITLE) -> bool:
    """Draw a map, which need not be legal, to .svg, .pdf or .png; False for one that cannot be
    read. Raises CannotRun."""
    from platelayer.atlas.schematic import Shown

    _require_gallery(path)
    box = read_box(title)
    try:
        loaded = load_source(box, source, title=title)
    except ProblemsFound:
        return False
    draws = tuple(
        draw
        for draw in loaded.log.draws
        if getattr(draw, "tile", None) in {None, *box.tile_by_number}
    )
    log, named = replace(loaded.log, draws=draws), loaded.name is not axial_name
    if not log.placed:
        return False
    name = loaded.name if named else partial(place_name, origin=board_origin(log))
    _draw_maps(path, box, str(source)[:60], [Shown(log=log, name=log.mode, words="", place=name)])
    return True


def _require_gallery(path: Path) -> None:
    suffix = path.suffix.lower()
    known = {".svg", ".pdf", ".png"}
    _require(suffix in known, f"{path}: a gallery is drawn to .svg, .pdf or .png")


def _draw_maps(path: Path, box: AtlasBox, title: str, shown: Sequence[Shown]) -> None:
    from platelayer.atlas.schematic import draw_gallery, joined
    from platelayer.drawing.kit.style import Style
    from platelayer.imposition.paper import Document, Page
    from platelayer.render.pdf import render_pdf
    from platelayer.render.svg import render_svg

    sheets = draw_gallery(title, box, shown, Style(theme=load_theme("classic")))
    whole = joined(sheets) if len(sheets) > 1 else sheets[0]
    if path.suffix.lower() == ".svg":
        data = render_svg(whole, title=title)
    elif path.suffix.lower() == ".png":
        from platelayer.render.png import render_png

        data = render_png(whole, dpi=GALLERY_DPI)
    else:
        trim = (0.0, 0.0, sheets[0].width_mm, sheets[0].height_mm)
        pages = tuple(Page(sheet, trim, trim) for sheet in sheets)
        data = render_pdf(
            Document(stem="gallery", title=title, subject="Maps to choose from", pages=pages)
        )
    write_all(path.parent, {path.name: data})


def _wanted(box: AtlasBox, title: str, **request: object) -> Wanted:
    """The requested maps. Raises CannotRun for an unknown mode, policy or seed."""

    own = hashlib.sha256(repr(box).encode()).hexdigest()[:16] if other_title(title) else ""
    wanted = Wanted(**request, box=own)  # type: ignore[arg-type]
    wanted = replace(
        wanted,
        mode=known_id("mode", wanted.mode, box.mode_by_id),
        policy=known_id("policy", wanted.policy, POLICIES),
    )
    if not 0 <= wanted.seed <= MAX_SEED:
        raise CannotRun(f"seed: {wanted.seed} is not a whole number from 0 to {MAX_SEED}")
    return wanted
