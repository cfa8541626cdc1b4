"""How well `--land` agrees with boards that people drew: prints a table.

Run: PYTHONPATH=generator python benchmarks/real_places.py [GAMES], with the folder of 18xx.games' games for 1846
and 1889; 18EU and 1824 come with Platelayer. The place and the width of the hexes are fitted to the
cities and towns of each board, whose hexes are then compared: those on it are land, unless they are blue; some
that are missing are sea. A city is found if the made map names it.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from platelayer.api import import_title, load
from platelayer.earth.board import RealBoard, real_board
from platelayer.earth.read import find_place, folded
from platelayer.earth.survey import Grid
from platelayer.foundation.problems import CannotRun
from platelayer.model.gamemap import EDGES, Coord, CoordinateScheme, GameMap, neighbour


class Board(NamedTuple):
    """The facts by which a board is compared: the country of its cities where others have their names,
    and their names today; if north is not up; and its sea, as hexes that are not on it ("around": all beside it)."""

    sea: tuple[str, ...]
    country: str = ""
    is_turned: bool = False
    today: Mapping[str, str] = {}


# Rows of 1889 towards the main island, which the board leaves out.
_NORTH = 2
BOARDS = {
    "18eu": Board(
        sea=("B3", "B5", "C2", "D1", "E2", "B9", "B11", "C12", "U10", "V9", "V3", "V1"),
        today={
            "Frankfurt": "Frankfurt am Main", "Stettin": "Szczecin", "Brünn": "Brno", "Thorn": "Toruń",
            "Pressburg": "Bratislava", "Krakau": "Kraków", "Geneva": "Genève", "Hannover": "Hannover",
            "Cologne": "Köln", "Munich": "Munich", "Antwerp": "Antwerpen", "Florence": "Florence",
            "Venice": "Venice, Veneto", "Rotterdam": "Rotterdam", "Nuremberg": "Nürnberg",
        },
    ),
    "1824": Board(
        sea=("K8", "K6"),
        today={
            "Krakau": "Kraków", "Pilsen": "Pilsen", "Prag": "Prague", "Mährisch-Ostrau": "Ostrava",
            "Lemberg": "Lviv", "Brünn": "Brno", "Tarnopol": "Ternopil", "Kaschau": "Košice",
            "Wien": "Vienna", "Preßburg": "Bratislava", "Czernowitz": "Chernivtsi",
            "Klausenburg": "Cluj-Napoca", "Szegedin": "Szeged", "Kronstadt": "Braşov", "Bozen": "Bolzano",
            "Fünfkirchen": "Pécs", "Hermannstadt": "Sibiu", "Triest": "Trieste", "Dresden": "Dresden",
            "Kiew": "Kiev", "Bukarest": "Bucharest", "Mailand": "Milano",
        },
    ),
    "1889": Board(
        sea=("around",),
        country="JP",
        is_turned=True,
        today={
            "Saijou": "Saijō, Ehime", "Ohzu": "Ōzu, Ehime", "Kouchi": "Kochi", "Nangoku": "Nankoku",
            "Ikeda": "Ikeda, Tokushima", "Anan": "Anan, Tokushima", "Nakamura": "Nakamura, Kochi",
            "Muroto": "Muroto, Kochi",
            "Komatsujima": "Komatsushima", "Muki": "Mugi", "Sakaide & Okayama": "Sakaide",
        },
    ),
    "1846": Board(
        sea=("B6", "C19"),
        country="US",
        today={
            "Sarnia": "Sarnia, Ontario", "Erie": "Erie, Pennsylvania", "Springfield": "Springfield, Illinois",
            "Columbus": "Columbus, Ohio", "Wheeling": "Wheeling, West Virginia", "Centralia": "Centralia, Illinois",
            "Huntington": "Huntington, West Virginia", "Cairo": "Cairo, Illinois",
        },
    ),
}  # fmt: skip


def cities_of(board: GameMap, *kinds: str) -> Iterator[tuple[str, Coord]]:
    """Cities (and other kinds of stop) of a board with their hexes."""
    for hexagon in board.hexes:
        is_city = any(stop.kind.value in ("city", *kinds) for stop in hexagon.tile.stops)
        if is_city and hexagon.tile.colour != "blue" and hexagon.name:
            yield hexagon.name.get("en"), hexagon.at


def fitted(board: GameMap, known: Board) -> tuple[Grid, Coord, list[str]]:
    """The grid of a board, its first hex on the board, and cities that have no place."""
    xs, ys = zip(*(hexagon.at for hexagon in board.hexes), strict=True)
    left, top = min(xs) - 1, min(ys) - 1
    if (left + top + sum(board.hexes[0].at)) % 2:
        left -= 1
    across, down = max(xs) + 2 - left, max(ys) + 2 - top
    flat = board.layout.value == "flat"
    size = (across, down // 2 + 1) if flat else (across // 2 + 1, down)
    places, lost = [], []
    for name, at in cities_of(board, "town"):
        today = known.today.get(name, name)
        try:
            place = find_place(f"{today}, {known.country}" if known.country else today)
            places.append(((place.lon, place.lat), Coord(at.x - left, at.y - top)))
        except CannotRun as error:
            lost.append(f"{name}: {str(error)[:70]}")
    lons, lats = zip(*(place for place, _ in places), strict=True)

    def grid(state: list[float]) -> Grid:
        return Grid(state[0], state[1], *size, state[2], board.layout, state[3])

    def off(state: list[float]) -> float:
        tried = grid(state)
        points = tried.flat(place for place, _ in places)
        return sum(
            math.dist(point, tried.centre(at))
            for point, (_, at) in zip(points, places, strict=True)
        )

    # To begin with, cities and hexes are spread alike around their middles.
    state = [sum(lons) / len(lons), sum(lats) / len(lats), 1.0, 0.0]
    spreads = []
    for spots in (
        grid(state).flat(place for place, _ in places),
        [grid(state).centre(at) for _, at in places],
    ):
        middle = [sum(axis) / len(spots) for axis in zip(*spots, strict=True)]
        spreads.append(sum(math.dist(spot, middle) for spot in spots))
    state[2] = spreads[0] / spreads[1]
    steps = [state[2] / 50, state[2] / 50, state[2] / 5, 8.0]
    while steps[2] > 0.05:
        better = False
        for axis in range(4 if known.is_turned else 3):
            for sign in (-1, 1):
                tried = [*state]
                tried[axis] += sign * steps[axis]
                if tried[2] > 1.0 and off(tried) < off(state):
                    state, better = tried, True
        if not better:
            steps = [step / 2 for step in steps]
    return grid(state), Coord(left, top), lost


def compared(name: str, board: GameMap) -> None:
    """Print a row for a board, and below it what differs."""
    known = BOARDS[name]
    grid, first, lost = fitted(board, known)
    made = real_board(
        f"{grid.lat:.5f}, {grid.lon:.5f}",
        grid.rows,
        grid.columns,
        grid.km,
        grid.layout,
        turn=grid.turn,
    )
    scheme = CoordinateScheme(letters_on=made.board["coordinates"]["letters_on"])
    land = set()
    for key, hexagon in made.board["hexes"].items():
        at = scheme.parse(key)
        if at and hexagon.get("colour") != "red":
            land.add(Coord(at.x + made.corner.x + first.x, at.y + made.corner.y + first.y))
    truth = {hexagon.at: hexagon.tile.colour != "blue" for hexagon in board.hexes}
    if known.sea == ("around",):
        around = {neighbour(at, edge, board.layout) for at in truth for edge in EDGES}
        # Honshu lies north of it.
        truth |= {at: False for at in around - set(truth) if at.y > _NORTH}
    else:
        truth |= {at: False for key in known.sea if (at := board.scheme.parse(key))}
    wrong = [board.scheme.name(at) for at, is_land in truth.items() if (at in land) != is_land]
    names = {folded(word) for word in _names(made)}
    cities = [name for name, _ in cities_of(board)]
    missing = [
        city for city in cities if folded(known.today.get(city, city).split(",")[0]) not in names
    ]
    print(
        f"{name:<6}{grid.lat:7.2f}{grid.lon:8.2f}{grid.km:6.1f} km{grid.turn:5.0f}°  {grid.layout.value:<7}"
        f"land {1 - len(wrong) / len(truth):6.1%} of {len(truth):<5}"
        f"cities {1 - len(missing) / len(cities):6.1%} of {len(cities)}"
    )
    print(f"      otherwise: {', '.join(wrong)}\n      missing: {', '.join(missing)}")
    if lost:
        print("      nowhere: " + "; ".join(lost))


def _names(made: RealBoard) -> Iterator[str]:
    for hexagon in made.board["hexes"].values():
        yield hexagon.get("name", "")
        yield from (stop.get("name", "") for stop in hexagon.get("stops", ()))


def main(games: str = "") -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name in BOARDS:
            source = Path(games) / f"g_{name}"
            if name.startswith("18") and source.is_dir() and name in ("1846", "1889"):
                into = Path(folder) / name
                import_title(source, into)
                compared(name, load(str(into)).maps[0])
            elif name in ("18eu", "1824"):
                compared(name, load(name).maps[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
