"""Maps in play for the studio: data for the upgrade explorer, which lays tiles and saves and opens
positions; supply of the box, and routes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, has_errors
from platelayer.foundation.values import Json
from platelayer.model.kinds import piece_size
from platelayer.model.position import POSITION
from platelayer.model.tile import HEX
from platelayer.pipeline.load import upgrades_json
from platelayer.pipeline.registry import function

if TYPE_CHECKING:
    from platelayer.model.position import Position
    from platelayer.pipeline.registry import TitleView
    from platelayer.play.supply import Bound
    from platelayer.scene.shapes import Scene


_FILE = "position.json"
_MOST_CHARACTERS = 4 * 1024 * 1024


class Laid(Struct, forbid_unknown_fields=True):
    """Tiles with rotations on a map by hex ("57 1"), and the rest of the opened position."""

    map: str
    tiles: dict[str, str]
    rest: str = ""


class Opened(Struct, forbid_unknown_fields=True):
    """Text of a file: a position, or a game of 18xx.games."""

    text: str


class Board(Struct):
    """Id of a map; "" for the first."""

    map: str = ""


class Running(Struct):
    """A position as the text of its file, and a company (default: all), with trains ("3,4") that
    replace its own."""

    position: str
    company: str = ""
    trains: str = ""


class InText(Struct):
    """A position as the text of its file."""

    position: str


def explorer(view: TitleView) -> Json:
    """Return the pairs of `platelayer upgrades --format json`, the tiles of the box, the hexes of
    each map by their names in the pairs, and the edges of each hex that no track may cross."""
    from platelayer.rules.graph import hex_source, spots

    title = view.title
    pairs = msgspec.json.decode(upgrades_json(view.graph))["pairs"]
    blocked = {spot.source: list(spot.blocked) for spot in spots(title)}
    fixed = title.upgrades.fixed_rotation if title.upgrades else ()
    return {
        "pairs": pairs,
        "colours": list(title.colours),
        "tiles": {
            entry.tile.id: {
                "count": entry.count,
                "colour": entry.tile.colour,
                "exits": sorted(entry.tile.exits),
                "fixed": entry.tile.id in fixed,
            }
            for entry in title.tiles
        },
        "hexes": {
            f"{board.id}/{hexagon.id}": {
                "source": hex_source(title, board, hexagon),
                "blocked": blocked.get(hex_source(title, board, hexagon), []),
            }
            for board in title.maps
            for hexagon in board.hexes
        },
        "across_mm": {
            **{
                f"map:{board.id}": piece_size(title, "map", board.id).width_mm
                for board in title.maps
            },
            "tile": piece_size(title, "tile").width_mm,
        },
        "prefix": HEX,
    }


def saved(view: TitleView, laid: Laid) -> Json:
    """Return a position as the text of its file, and its problems. Raises ProblemsFound for
    malformed tiles."""
    from platelayer.definitions.titles import position_text

    maps = [board.id for board in view.title.maps]
    value = {"format": "platelayer.position/1", "title": view.title.id, "tiles": laid.tiles}
    tiles = _read(json.dumps(value)).tiles
    base = _read(laid.rest or json.dumps({**value, "tiles": {}}))
    board = None if laid.map == maps[0] else laid.map
    position = replace(base, variant=view.title.variant, board=board, tiles=tuple(sorted(tiles)))
    return {"text": position_text(position), "problems": _told(view, position)}


def opened(view: TitleView, asked: Opened) -> Json:
    """Return the contents of a file: the map, its tiles in order, the number of tokens, the rest as
    a position, its problems, and the facts missing from a game file. Raises ProblemsFound,
    CannotRun."""
    from platelayer.definitions.titles import position_text

    if len(asked.text) > _MOST_CHARACTERS:
        raise CannotRun(f"this file has more than {_MOST_CHARACTERS} characters")
    untold: tuple[str, ...] = ()
    if '"actions"' in asked.text and f'"{POSITION}"' not in asked.text:
        imported = function("position_in_text")(asked.text, view.title)
        position, untold = imported.position, imported.untold
    else:
        position = _read(asked.text)
    if position.title != view.title.id:
        raise CannotRun(f"this is a position of {position.title}, not of {view.title.id}")
    if position.variant not in (None, view.title.variant):
        raise CannotRun(
            f"this is a position of the variant {position.variant}: choose that variant"
        )
    tokens = sum(len(stations) for _, stations in position.tokens)
    return {
        "map": position.board or (view.title.maps[0].id if view.title.maps else ""),
        "tiles": [[hex_id, lay.tile, lay.rotation] for hex_id, lay in position.tiles],
        "tokens": tokens,
        "rest": position_text(replace(position, tiles=())),
        "problems": _told(view, position),
        "untold": untold,
    }


def drawn(view: TitleView, asked: InText, language: str, theme: str) -> Scene:
    """Draw the map in play with the numbers of its tiles. Raises ProblemsFound for an impossible
    position."""
    from platelayer.drawing.boards.sheets import draw_map
    from platelayer.model.position import InPlay

    position = _read(asked.position)
    problems = _problems(view, position)
    if has_errors(problems):
        raise ProblemsFound(problems)
    title = replace(view.title, in_play=InPlay(position=position, numbers=True))
    return draw_map(title, title.map_of(position).id, view.style(language, theme))


def pdf(scene: Scene) -> bytes:
    """Return a map as a PDF of one page."""
    from platelayer.pipeline.draw import Picture

    return Picture(scene=scene, label=scene.label).pdf()


def supplied(view: TitleView, asked: Board, language: str) -> Json:
    """Return the supply of a map in words: bounds that bind, with the hexes that compete and the
    lays to a board that proves the bound; reach of track; tiles, the tightest first; and tiles
    that no hex can take. Raises CannotRun."""
    from platelayer.foundation.languages import Tongue
    from platelayer.play.report import bound_name, bound_words, reach_words, said, tightness_words
    from platelayer.play.supply import board_of, reach_of, supply_of

    title, tongue = view.title, Tongue(language, dict(view.title.terms))
    gamemap = board_of(title, asked.map or None)
    supply = supply_of(title, asked.map or None)

    def told(bound: Bound) -> Json:
        return {
            "name": bound_name(bound, tongue),
            "says": bound_words(bound, tongue),
            "short": bound.short,
            "steps": [[step.hex, step.lay.tile, step.lay.rotation] for step in bound.steps],
        }

    reach = None if gamemap is None else reach_of(title, gamemap)
    return {
        "intro": said(tongue, "shorts", len(supply.binding), len(supply.bounds)),
        "bounds": [told(bound) for bound in supply.binding],
        "reach": []
        if reach is None
        else [said(tongue, "bound", *row) for row in reach_words(reach, tongue)],
        "tiles": [
            {"tile": row.tile, "rank": row.rank, "says": tightness_words(row, tongue)}
            for row in supply.tiles
        ],
        "never": supply.never,
    }


def routed(view: TitleView, running: Running, language: str) -> Json:
    """Return the incomes of companies in words, the highest first, with the runs as curves relative
    to the centres of their hexes, for hexes of width 1. Raises ProblemsFound, CannotRun."""
    from platelayer.drawing.map.board import NO_EXTRAS, as_played
    from platelayer.model.position import InPlay
    from platelayer.play.routes import colour_of, routes_of, track_of
    from platelayer.scene.paths import svg_path

    position = _read(running.position)
    problems = _problems(view, position)
    if has_errors(problems):
        raise ProblemsFound(problems)
    found = routes_of(
        view.title,
        position,
        company=running.company or None,
        trains=[name.strip() for name in running.trains.split(",") if name.strip()],
        seconds=_SECONDS_OF_ROUTES,
        language=language,
    )
    _, board, _ = as_played(view.title, InPlay(position=position), NO_EXTRAS)
    rows = []
    for income in found.incomes:
        first, *words = found.income_words(income)
        runs = [
            {
                "says": line.strip(),
                "colour": colour_of(number),
                "track": [
                    [hex_id, svg_path(commands, places=4)]
                    for hex_id, commands in track_of(income.best.runs[number], board, 1.0)
                ],
            }
            for number, line in enumerate(words)
        ]
        rows.append({"company": income.company, "says": first, "runs": runs})
    return {
        "incomes": rows,
        "notes": found.not_counted if rows else found.text.splitlines(),
        "companies": [each.id for each in view.title.companies if each.has_charter],
    }


# Time to search for the routes of one company.
_SECONDS_OF_ROUTES = 1.0


def _read(text: str) -> Position:
    """Read a position from the text of its file. Raises ProblemsFound."""
    from platelayer.definitions.source import read_as
    from platelayer.definitions.titles import load_position

    path = Path(_FILE).absolute()
    with read_as({path: text}):
        return load_position(path, _FILE).position


def _problems(view: TitleView, position: Position) -> tuple[Problem, ...]:
    from platelayer.rules.positions import check_position

    return tuple(check_position(view.title, position))


def _told(view: TitleView, position: Position) -> list[Json]:
    return [msgspec.to_builtins(problem.as_json) for problem in _problems(view, position)]
