"""Coasts of a title's map, traced from Natural Earth by the places of its cities.

    python tools/coasts.py 18eu assets/titles/18eu/map.json

A plane is laid through the cities that `assets/land` knows by name, by least squares and without
those that do not fit; what is left at each city bends it near there. Land is then what is land on
the earth; hexes of the board hold their land to the rim and their water to the middle. The coasts
are written to the seas of the map as "coast", in place of those of that name.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import textwrap
import unicodedata
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from platelayer.definitions.titles import load_title
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.shore import ends_at_shore, wet_edges
from platelayer.earth.read import Circle, cities, near
from platelayer.foundation.geometry import contours
from platelayer.foundation.seeds import chance
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Coord,
    GameMap,
    Layout,
    MapHex,
    centre_mm,
    neighbour,
)

Grid = NDArray[np.float64]
Point = tuple[float, float]

# Names on maps, and the names of the same places today.
TODAY = dict(
    pair.split("=")
    for pair in """Agram=Zagreb;Brünn=Brno;Budweis=Ceske Budejovice;Danzig=Gdansk;Fünfkirchen=Pecs;
    Cologne=Koeln;Hermannstadt=Sibiu;Kaschau=Kosice;Klausenburg=Cluj-Napoca;Krakau=Krakow;
    Kronstadt=Brasov;Laibach=Ljubljana;Lemberg=Lviv;Mährisch-Ostrau=Ostrava;Pilsen=Plzen;
    Prag=Prague;Preßburg=Bratislava;Pressburg=Bratislava;Stettin=Szczecin;Szegedin=Szeged;
    Tarnopol=Ternopil;Thorn=Torun;Triest=Trieste;Wien=Vienna;Czernowitz=Chernivtsi;Bozen=Bolzano;
    Posen=Poznan;Breslau=Wroclaw;Königsberg=Kaliningrad;Genova=Genoa;Torino=Turin;Milano=Milan;
    Firenze=Florence;Venezia=Venice;Roma=Rome;Napoli=Naples;
    Livorno=Livorno;Kouchi=Kochi;Kotohira=Kotohira;Ohzu=Ozu;Saijou=Saijo;Brunswick=Braunschweig;
    Nuremberg=Nuernberg;Zürich=Zurich;Geneva=Geneve;Antwerp=Antwerpen""".replace("\n", "").split(
        ";"
    )
    for pair in (pair.strip(),)
)
# Cells of the grid to a hex, and hexes round the board.
_CELLS, _AROUND = 50, 8.0
# A city that lies farther than this from its hex, in hexes, does not count.
_FAR = 1.3
# The bending near cities: its reach in hexes, and the resistance to it.
_REACH, _STIFF = 2.2, 0.5
# Islands and lakes below this, in square hexes, are left out; what may be lost of a line, in hexes.
_SMALLEST, _LOST = 0.05, 0.009
# The farthest sea that is led to an edge, in hexes.
_INLET = 1.6


def plain(name: str) -> str:
    """A name in plain small letters."""
    letters = unicodedata.normalize("NFKD", name.replace("ß", "ss")).lower()
    return re.sub(r"[^a-z]", "", letters.replace("ue", "u").replace("oe", "o").replace("ae", "a"))


def flat(lon: Any, lat: Any) -> tuple[Any, Any]:
    """A place on Mercator's map, in degrees of the equator."""
    return lon, np.degrees(np.arcsinh(np.tan(np.radians(lat))))


class Earth:
    """Places of hexes on the earth: `at` maps points in hexes to longitude and latitude."""

    def __init__(self, gamemap: GameMap) -> None:
        by_name: dict[str, list[tuple[int, Point]]] = defaultdict(list)
        for city in cities():
            by_name[plain(city.name)].append((city.population, (city.lon, city.lat)))
        hexes: list[tuple[str, Point, list[Point]]] = []
        for hexagon in gamemap.hexes:
            text = hexagon.name
            shown = text.get("en") if text is not None else ""
            name = plain(TODAY.get(shown, shown))
            found = (
                [place for _, place in sorted(by_name.get(name, ()), reverse=True)] if name else []
            )
            if found and hexagon.tile.colour != "red":
                hexes.append((shown, centre_mm(hexagon.at, gamemap.layout, 1.0), found))
        points = np.array([point for _, point, _ in hexes])
        chosen = [found[0] for *_, found in hexes]
        weights = np.ones(len(hexes))
        around = np.column_stack([points, np.ones(len(points))])
        for _ in range(30):
            there = np.column_stack(flat(*np.array(chosen).T))
            root = weights[:, None] ** 0.5
            plane = np.linalg.lstsq(around * root, there * root, rcond=None)[0]
            size = abs(np.linalg.det(plane[:2])) ** 0.5
            off = np.hypot(*(around @ plane - there).T) / size
            weights = 1.0 / np.maximum(1.0, off / 0.5) ** 2
            for number, (_, point, found) in enumerate(hexes):
                guess = np.array([*point, 1.0]) @ plane
                chosen[number] = min(found, key=lambda at: math.dist(flat(*at), guess))
        kept = off < _FAR
        self.names = [(name, float(far)) for (name, *_), far in zip(hexes, off, strict=True)]
        self.plane, self.size, self.kept = plane, size, points[kept]
        self.km = 111.2 * size * math.cos(math.radians(chosen[0][1]))
        self.error = float(np.sqrt(np.mean(off[kept] ** 2)))
        rest = (there - around @ plane)[kept]
        self.bends = np.linalg.solve(
            self._nearness(self.kept) + _STIFF * np.eye(int(kept.sum())), rest
        )

    def _nearness(self, points: Grid) -> Grid:
        apart = ((points[:, None, :] - self.kept[None, :, :]) ** 2).sum(axis=2)
        nearness: Grid = np.exp(-apart / 2 / _REACH**2)
        return nearness

    def at(self, points: Grid) -> tuple[Grid, Grid]:
        """Longitudes and latitudes of points in hexes."""
        there = np.column_stack([points, np.ones(len(points))]) @ self.plane
        there = there + self._nearness(points) @ self.bends
        return there[:, 0], np.degrees(np.arctan(np.sinh(np.radians(there[:, 1]))))


def land_at(lon: Grid, lat: Grid, cell: float) -> Grid:
    """1 for places on land, else 0, by shores drawn on a grid of degrees."""
    west, north = lon.min() - 2 * cell, lat.max() + 2 * cell
    wide = int((lon.max() - west) / cell) + 3
    tall = int((north - lat.min()) / cell) + 3
    flips = np.zeros((tall + 1, wide), dtype=np.int32)
    for line in near("shores", Circle(0.0, 0.0, 400.0)):
        places = np.array(line)
        columns = np.ceil((places[:, 0] - west) / cell - 0.5).astype(int)
        for number in np.nonzero(columns[1:] != columns[:-1])[0]:
            (ax, ay), (bx, by) = places[number], places[number + 1]
            first, last = sorted((columns[number], columns[number + 1]))
            for column in range(max(first, 0), min(last, wide)):
                x = west + (column + 0.5) * cell
                y = ay + (by - ay) * (x - ax) / (bx - ax)
                flips[min(max(math.ceil((north - y) / cell - 0.5), 0), tall), column] += 1
    land = np.cumsum(flips, axis=0) % 2
    rows = np.clip(((north - lat) / cell).astype(int), 0, tall)
    found: Grid = land[rows, np.clip(((lon - west) / cell).astype(int), 0, wide - 1)].astype(float)
    return found


def waves(x: Grid, y: Grid, length: float, number: int) -> Grid:
    """A smooth wave from 0 to 1 of such a length in hexes."""
    x, y = x / length, y / length
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    left, top = int(column.min()), int(row.min())
    chances = np.array(
        [
            [chance(c, r, number, 5) for c in range(left, int(column.max()) + 2)]
            for r in range(top, int(row.max()) + 2)
        ]
    )
    x, y, column, row = x - column, y - row, column - left, row - top
    x, y = x * x * (3 - 2 * x), y * y * (3 - 2 * y)
    above = chances[row, column] * (1 - x) + chances[row, column + 1] * x
    below = chances[row + 1, column] * (1 - x) + chances[row + 1, column + 1] * x
    made: Grid = (above * (1 - y) + below * y + 1) / 2
    return made


def held(land: Grid, x: Grid, y: Grid, gamemap: GameMap, wet: set[tuple[Coord, int]]) -> Grid:
    """Land and water with what the board holds: to an uneven rim, the land of its hexes; the middle
    of its water; and water beyond edges at the sea, where the sea is not far."""
    layout, by_at = gamemap.layout, gamemap.by_coord
    board, ports = np.zeros_like(land), np.zeros_like(land)
    for hexagon in gamemap.hexes:
        within = ports if hexagon.tile.colour == "blue" else board
        within[_off(hexagon, layout, x, y) < 0.0] = 1.0
    # Islands of which a port would leave half are left out.
    island = land * (1.0 - _reached(board, np.maximum(land, board)))
    land = land * (1.0 - _reached(ports * island, island))
    uneven = 0.6 * waves(x, y, 0.55, 1) + 0.4 * waves(x, y, 0.2, 2)
    for hexagon in gamemap.hexes:
        if hexagon.tile.colour == "blue":
            cx, cy = centre_mm(hexagon.at, layout, 1.0)
            ashore = np.full_like(x, -1.0)
            for edge in EDGES:
                beside = by_at.get(at := neighbour(hexagon.at, edge, layout))
                if beside is not None and beside.tile.colour != "blue":
                    wx, wy = (
                        b - a for a, b in zip((cx, cy), centre_mm(at, layout, 1.0), strict=True)
                    )
                    ashore = np.maximum(ashore, (x - cx) * wx + (y - cy) * wy - 0.5)
            inside = (_off(hexagon, layout, x, y) < 0.0) & (ashore < -0.12 - 0.14 * uneven)
            land = np.where(inside, 0.0, land)
    sea = np.column_stack([x[land < 0.5], y[land < 0.5]])
    for at, edge in sorted(wet):
        beyond = neighbour(at, edge, layout)
        if beyond not in by_at and len(sea):
            bx, by = centre_mm(beyond, layout, 1.0)
            away = np.hypot(sea[:, 0] - bx, sea[:, 1] - by)
            tx, ty = sea[int(away.argmin())]
            steps = math.ceil(float(away.min()) / 0.2)
            if away.min() < _INLET:
                for step in range(steps + 1):
                    px, py = (
                        bx + (tx - bx) * step / max(steps, 1),
                        by + (ty - by) * step / max(steps, 1),
                    )
                    land = np.where(np.hypot(x - px, y - py) < 0.36 + 0.2 * uneven, 0.0, land)
    for hexagon in gamemap.hexes:
        tile = hexagon.tile
        if tile.colour == "blue" or hexagon.apart:
            continue
        off = _off(hexagon, layout, x, y)
        cx, cy = centre_mm(hexagon.at, layout, 1.0)
        out = np.hypot(x - cx, y - cy)
        if not ends_at_shore(hexagon):
            land = np.where(off < 0.025 + 0.05 * uneven, 1.0, land)
        elif tile.stops or tile.terrain or tile.labels or tile.icons or tile.name:
            inside = (off < -0.015 + 0.09 * uneven) & (out < 0.53 + 0.06 * uneven)
            land = np.where(inside, 1.0, land)
        else:
            inside = (off < -0.09 + 0.1 * uneven) & (out < 0.48 + 0.07 * uneven)
            land = np.where(inside, 1.0, land)
    return land


def _reached(seed: Grid, ground: Grid) -> Grid:
    """All ground that hangs together with some of it."""
    seed = seed * ground
    while True:
        grown = seed.copy()
        for axis in (0, 1):
            for way in (-1, 1):
                for _ in range(8):
                    grown = np.maximum(grown, np.roll(grown, way, axis) * ground)
        if (grown == seed).all():
            return grown
        seed = grown


def _off(hexagon: MapHex, layout: Layout, x: Grid, y: Grid) -> Grid:
    """Distance beyond the edges of a hex, below 0 within."""
    cx, cy = centre_mm(hexagon.at, layout, 1.0)
    across, along = (y - cy, x - cx) if layout is Layout.FLAT else (x - cx, y - cy)
    half, slant = across / 2, along * COS_30
    far: Grid = np.maximum(np.abs(across), np.maximum(np.abs(half + slant), np.abs(half - slant)))
    return far - 0.5


def thinned(line: list[Point], lost: float) -> list[Point]:
    """A line without points that may be lost (Douglas and Peucker, 1973)."""
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    if line[0] == line[-1]:
        far = max(range(len(line)), key=lambda n: math.dist(line[n], line[0]))
        keep.add(far)
        spans = [(0, far), (far, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        (ax, ay), (bx, by) = line[first], line[last]
        length = math.dist((ax, ay), (bx, by)) or 1.0
        offs = [
            abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
            for x, y in line[first + 1 : last]
        ]
        if offs and max(offs) > lost:
            middle = first + 1 + offs.index(max(offs))
            keep.add(middle)
            spans += [(first, middle), (middle, last)]
    return [line[number] for number in sorted(keep)]


def area(line: list[Point]) -> float:
    """Area that a closed line surrounds; a large one for others."""
    if line[0] != line[-1]:
        return math.inf
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(line))) / 2


def traced(gamemap: GameMap, earth: Earth) -> list[list[Point]]:
    """The coasts of a map, in hexes."""
    centres = np.array([centre_mm(hexagon.at, gamemap.layout, 1.0) for hexagon in gamemap.hexes])
    (left, top), (right, bottom) = centres.min(axis=0) - _AROUND, centres.max(axis=0) + _AROUND
    columns, rows = (int((b - a) * _CELLS) for a, b in ((left, right), (top, bottom)))
    x, y = np.meshgrid(left + np.arange(columns) / _CELLS, top + np.arange(rows) / _CELLS)
    points = np.column_stack([x.ravel(), y.ravel()])
    parts = [earth.at(part) for part in np.array_split(points, 40)]
    lon, lat = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    land = land_at(lon, lat, earth.size / _CELLS / 2).reshape(x.shape)
    land = held(land, x, y, gamemap, {*wet_edges(MapPlan(gamemap=gamemap, across_mm=1.0))})
    for _ in range(8):  # a soft edge, on which lines run between the cells
        for axis in (0, 1):
            land = (np.roll(land, 1, axis) + 2 * land + np.roll(land, -1, axis)) / 4
    lines = []
    for line in contours(land.tolist(), 0.5):
        made = [(left + c / _CELLS, top + r / _CELLS) for c, r in line]
        if area(made) > _SMALLEST:
            lines.append(thinned(made, _LOST))
    return lines


def written(lines: list[list[Point]], gamemap: GameMap, anchors: set[str]) -> str:
    """The coasts as an entry of a map's seas, each point beside the nearest of some hexes."""
    middles = [
        (hexagon.id, *centre_mm(hexagon.at, gamemap.layout, 1.0))
        for hexagon in gamemap.hexes
        if hexagon.id in anchors
    ]
    coasts = []
    for line in lines:
        pieces: list[dict[str, Any]] = []
        for x, y in line:
            at = min(middles, key=lambda at: round((at[1] - x) ** 2 + (at[2] - y) ** 2, 6))
            if not pieces or pieces[-1]["hex"] != at[0]:
                pieces.append({"hex": at[0], "points": []})
            pieces[-1]["points"].append([round(100 * (x - at[1])), round(100 * (y - at[2]))])
        words = ",\n".join(textwrap.indent(_folded(piece), " " * 12) for piece in pieces)
        coasts.append(f"          [\n{words}\n          ]")
    return (
        '      "coast": {\n        "coasts": [\n' + ",\n".join(coasts) + "\n        ]\n      },\n"
    )


def _folded(piece: dict[str, Any]) -> str:
    """A piece of a coast on several lines, which end between points."""
    words = re.sub(r"(\d), (-?\d)", r"\1,~\2", json.dumps(piece))
    return "\n  ".join(textwrap.wrap(words, 106, break_on_hyphens=False)).replace("~", " ")


def main() -> None:
    """Trace, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("title")
    parser.add_argument("file", type=Path, help="the file of the map, which has seas")
    parser.add_argument("--variant", help="of the title, whose map it is")
    options = parser.parse_args()
    base = load_title(options.title, variant=options.variant).title
    if base is None:
        parser.error(f"{options.title} has errors: platelayer check {options.title}")
    (gamemap,) = (entry for entry in base.maps if entry.id in (base.maps[0].id,))
    anchors = {hexagon.id for hexagon in gamemap.hexes}
    for variant in () if options.variant else base.variants:
        other = load_title(options.title, variant=variant.id).title
        for entry in other.maps if other is not None else ():
            if entry.id == gamemap.id:
                anchors &= {hexagon.id for hexagon in entry.hexes}
    earth = Earth(gamemap)
    for name, far in earth.names:
        sys.stderr.write(f"{name}: {far:.2f} hexes off{'' if far < _FAR else ', left out'}\n")
    sys.stderr.write(f"{earth.error:.2f} hexes off, {earth.km:.0f} km a hex\n")
    text = options.file.read_text(encoding="utf-8")
    text = re.sub(
        r'      "coast": \{\n        "coasts": \[\n.*?\n        \]\n      \},\n',
        "",
        text,
        flags=re.DOTALL,
    )
    seas, hexes = '    "seas": {\n', '    "hexes": {\n'
    if seas not in text:
        text = text.replace(hexes, f"{seas}    }},\n{hexes}", 1)
    if text.count(seas) != 1:
        parser.error(f"{options.file} is not laid out as shipped maps are")
    new = written(traced(gamemap, earth), gamemap, anchors)
    text = text.replace(seas, seas + new).replace("      },\n    },\n", "      }\n    },\n")
    options.file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
