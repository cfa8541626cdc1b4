"""Page for a phone at the table: a map step by step, and a map while players lay it.

The page itself is static/table.js. In the browser edition it asks `answer`; `page_file` is the page
of one map as a single file.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from platelayer.atlas.assemble import DEFAULT_POLICY, POLICIES, NoMap
from platelayer.atlas.check import check_log
from platelayer.atlas.files import ground_symbols, ground_word
from platelayer.atlas.layouts import axial_of, corners_of
from platelayer.atlas.lines import code_of, seed_of
from platelayer.atlas.make import AtlasOptions, assemble_map, load_source
from platelayer.atlas.measures import Surveyor
from platelayer.atlas.poster import facts_of, map_name
from platelayer.atlas.report import MapPrint, board_size_mm, companies_in_play, deal, tasks_of
from platelayer.atlas.table import (
    TooMany,
    endings,
    finish,
    in_order,
    laid_on,
    places_of,
    undrawn,
    with_blanks,
)
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import style_of
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import shipped_bytes
from platelayer.foundation.seeds import new_seed
from platelayer.foundation.text import Text
from platelayer.foundation.values import Json
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    HAND,
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    ProjectDraw,
    TileDraw,
    board_origin,
    doubled,
    occupied,
    place_name,
)

if TYPE_CHECKING:
    from platelayer.atlas.view import TableRequest
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title

STATIC = Path(__file__).parent / "static"
atlas_words = FixedWords("atlas")

# Tasks before the first tile; the others come after the last one.
_FIRST_TASKS = ("tiles", "overlays")
# Up to 1,500 endings are all measured, which takes about ten seconds in a browser without the
# compiled library. Of more, the second number is drawn at random.
_MOST_ENDINGS, _DRAWN_ENDINGS, _SHOWN_ENDINGS = 1500, 300, 12


def answer(request: TableRequest, language: str) -> Json:
    """Answer the page. Raises CannotRun, ProblemsFound."""
    title, style = _shipped(language)
    box = title.atlas
    assert box is not None, "it comes with map tiles"
    if not (request.mode or request.code):
        return choices(title, style)
    if request.code:
        log = load_source(box, f"#table={request.code}").log
    elif request.draws is None:
        seed = new_seed() if request.seed is None else request.seed
        _, log = assemble_map(AtlasOptions(mode=request.mode, policy=request.policy, seed=seed))
    else:
        log = _log_of(box, request)
    if problems := check_log(box, log, name=_namer(log), finished=log.algorithm != HAND):
        raise ProblemsFound(problems)
    if request.then == "finish":
        log = _finished(box, in_order(log), new_seed())
    elif request.then == "endings":
        return _endings(box, log)
    elif request.tile is not None:
        return _places(box, log, request.tile)
    return sheet(title, log, style)


@cache
def _shipped(language: str) -> tuple[Title, Style]:
    title = load_title("lost-atlas").title
    return title, style_of(title, load_theme("classic"), language)


def _log_of(box: AtlasBox, request: TableRequest) -> AtlasLog:
    """The log of draws. Raises CannotRun."""
    copies: Counter[int] = Counter()
    projects, draws = count(1), list[Draw]()
    for number, (tile, q, r, rotation) in enumerate(request.draws or (), start=1):
        if tile == 0:
            draws.append(ProjectDraw(number, next(projects), Axial(q, r)))
            continue
        if tile not in box.tile_by_number or rotation not in range(6):
            raise CannotRun(f"there is no map tile {tile} in the box, or no turn {rotation}")
        copies[tile] += 1
        draws.append(TileDraw(number, tile, copies[tile], Axial(q, r), rotation))
    return AtlasLog(
        mode=request.mode, seed=None, policy=HAND, algorithm=HAND, draws=tuple(draws), blanks=()
    )


def choices(title: Title, style: Style) -> Json:
    """Words of the page, signs of hexes, and what a map may be."""
    box = title.atlas
    assert box is not None, "a map is of a title with map tiles"
    modes, tables = atlas_words.table("modes"), ("page_words", "guide_words", "table_words")
    return {
        "language": style.language,
        "words": {
            key: text.get(style.language)
            for table in tables
            for key, text in atlas_words.table(table).items()
        }
        | {"capital_project": style.words(atlas_words("capital_project"))},
        "symbols": ground_symbols(style),
        "grounds": {
            hexagon.ground.value: ground_word(hexagon.ground, style)
            for tile in box.map_tiles
            for hexagon in tile.hexes
        },
        "tiles": {
            tile.number: [hexagon.ground.value for hexagon in tile.hexes] for tile in box.map_tiles
        },
        "modes": {
            mode.id: {
                "name": style.words(modes.get(mode.id, Text.plain(mode.id))),
                "players": mode.players,
            }
            for mode in box.modes
        },
        "policies": {
            policy: style.words(atlas_words.table("policies")[policy])
            for policy in (DEFAULT_POLICY, *(each for each in POLICIES if each != DEFAULT_POLICY))
        },
    }


def sheet(title: Title, log: AtlasLog, style: Style) -> Json:
    """A map for the page, with what is shuffled for each number of players; of a half-laid one, what
    may be drawn next."""
    box = title.atlas
    assert box is not None, "a map is of a title with map tiles"
    mode = box.mode_by_id[log.mode]
    left, wanted = undrawn(box, log)
    assembly = laid_on(box, log)
    projects = mode.capital_projects - len(log.overlays)
    whole = log.algorithm != HAND or not (any(wanted.values()) or (projects and assembly.cities))
    if whole and log.algorithm == HAND and not log.blanks:
        log = with_blanks(box, log)
    # Blanks may be in a row or column of their own, which affects the coordinates.
    name = _namer(log)
    value: Json = {
        "mode": log.mode,
        "name": map_name(log, style),
        "facts": [f"{label} {value}".strip() for label, value in facts_of(log, style)],
        "by_hand": log.algorithm == HAND,
        "code": code_of(box, log),
        "draws": [*_raw(log)],
        "names": {f"{at.q},{at.r}": name(at) for at in occupied(log)},
        "blanks": log.blanks,
    }
    if not whole:
        cities = map(axial_of, assembly.cities)
        tiles = (
            (number, copies, next(places_of(assembly.frontier, box.tile_by_number[number]), None))
            for number, (copies, home) in left.items()
            if copies and wanted[home]
        )
        return value | {
            "left": [(number, copies, place is not None) for number, copies, place in tiles],
            "wanted": sum(wanted.values()),
            "projects": projects,
            "cities": [*cities],
        }
    companies = companies_in_play(box, mode, log)

    def tasks(players: int | None) -> list[Json]:
        dealt = players and deal(
            title, log, companies=companies, players=players, seed=seed_of(value["code"])
        )
        job = MapPrint(title=title, log=log, style=style, companies=companies, deal=dealt or None)
        return [{"key": task.key, "head": task.head, "lines": task.lines} for task in tasks_of(job)]

    across = piece_size(title, "map-tile").width_mm
    origin, first = board_origin(log), log.placed[0]
    side = across / math.sqrt(3)
    spots = [doubled(at) for at in first.hexes]
    middle = (
        side * (1 + 1.5 * sum(x - origin.x for x, _ in spots) / 3),
        across / 2 * (1 + sum(y - origin.y for _, y in spots) / 3),
    )
    subject = Surveyor(box).subject(log)
    fairness: Json = {}
    if homes := sorted(subject.homes_by_company.items()):
        fairness["head"] = style.words(
            atlas_words.table("balance_words")["fairness"], f"{subject.value('fairness'):.1f}"
        )
        fairness["homes"] = [
            (style.words(title.company_by_id[company].name), home.worth, title.money(home.worth))
            for company, home in homes
        ]
    return value | {
        "size_cm": [math.ceil(mm / 10) for mm in board_size_mm(log, across)],
        "first_cm": [round(mm / 10) for mm in middle],
        "before": [task for task in tasks(None) if task["key"] in _FIRST_TASKS],
        "after": {
            str(players or ""): [task for task in tasks(players) if task["key"] not in _FIRST_TASKS]
            for players in (None, *mode.players)
        },
        "fairness": fairness,
    }


def _raw(log: AtlasLog) -> Iterator[tuple[int, ...]]:
    """Pieces laid, as a request has them."""
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            yield (draw.tile, *draw.at, draw.rotation)
        elif draw.overlay_at is not None:
            yield (0, *draw.overlay_at, 0)


def _namer(log: AtlasLog) -> Callable[[Axial], str]:
    return partial(place_name, origin=board_origin(log))


def page_file(title: Title, log: AtlasLog, style: Style, players: int | None) -> bytes:
    """The page of one map as a file that needs no other, and no network."""
    data = {**choices(title, style), "sheet": sheet(title, log, style), "players": players}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    script, css = (shipped_bytes(STATIC / name).decode() for name in ("table.js", "table.css"))
    name = escape(f"{style.words(title.name)} – {map_name(log, style)}")
    return (
        f'<!doctype html>\n<html lang="{escape(style.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{css}</style>\n</head>\n<body>\n"
        f'<script type="application/json" id="map">{text}</script>\n<script type="module">\n{script}'
        'start(JSON.parse(document.getElementById("map").textContent));\n</script>\n</body>\n</html>\n'
    ).encode()


def _places(box: AtlasBox, log: AtlasLog, number: int) -> Json:
    """Legal places of a tile, each with the positions of hex 1 and the rotations that it may have
    there. The first tile may be turned in any way, as the phone lies beside the map."""
    tile = box.tile_by_number.get(number)
    if tile is None:
        raise CannotRun(f"there is no map tile {number} in the box")
    frontier = laid_on(box, log).frontier
    if not frontier.covered:
        return {"places": [[(0, 0, rotation) for rotation in range(6)]]}
    return {
        "places": [
            [(*axial_of(corners_of(triangle)[turn]), (triangle & 1) + 2 * turn) for turn in turns]
            for triangle, turns in places_of(frontier, tile)
        ]
    }


def _endings(box: AtlasBox, log: AtlasLog) -> Json:
    """The fairest ways to finish a half-laid map, and how many were compared: all, or where there
    are `more_than` so many, some drawn at random. Raises CannotRun."""
    start, surveyor, more_than = in_order(log), Surveyor(box), 0
    try:
        found = [*endings(box, start, most=_MOST_ENDINGS)]
    except TooMany:
        drawn = (_finished(box, start, seed) for seed in range(_DRAWN_ENDINGS))
        found = [*{tuple(sorted(_raw(end))): end for end in drawn}.values()]
        more_than = _MOST_ENDINGS
    measured = [(surveyor.subject(end).value("fairness"), end) for end in found]
    measured.sort(key=lambda entry: -entry[0])
    return {
        "ways": len(measured),
        "more_than": more_than,
        "endings": [
            {"fairness": round(fairness, 1), "draws": [*_raw(end)]}
            for fairness, end in measured[:_SHOWN_ENDINGS]
        ],
    }


def _finished(box: AtlasBox, start: AtlasLog, seed: int) -> AtlasLog:
    try:
        return finish(box, start, seed=seed, policy=DEFAULT_POLICY)
    except NoMap as error:
        raise CannotRun(str(error)) from error
