"""Data of the earth, packed by `tools/land.py` into `assets/land`: lines in degrees, and cities;
and places as people write them.

Each column of small numbers is preceded by its length: first the lowest byte of every number, then
the next byte. Lines are stored in parts, each with its bounding box, so that a map reads only the
part of the earth that it covers; each part is compressed by LZMA. Cities and names are read whole
and are compressed by deflate, which takes a quarter more space and a fifth of the time.
"""

from __future__ import annotations

import math
import re
import struct
import unicodedata
import zlib
from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import accumulate, compress, count
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import decode

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_bytes
from platelayer.foundation.text import listed, suggestion

# (longitude, latitude) in degrees, and west, south, east and north.
Place = tuple[float, float]
Box = tuple[float, float, float, float]

# Steps of a degree, of lines and of cities.
DEGREE = 500
# Populations are stored as logarithms, with this many steps for each doubling.
POPULATION = 8
# Header of each part of a layer: its bounding box in steps, and the length of its data.
PART = struct.Struct("<4iI")
# Number of segments of a line that share a bounding box.
_PIECE = 64


class Circle(NamedTuple):
    """A part of the earth: all places within `radius` degrees of the centre."""

    lon: float
    lat: float
    radius: float

    def meets(self, west: float, south: float, east: float, north: float) -> bool:
        """Return True if a box of degrees may have a place in the circle, False only if it has
        none."""
        if south - self.radius > self.lat or north + self.radius < self.lat:
            return False
        away = max(west - self.lon, self.lon - east, 0.0)
        away = min(away, max(west + 360.0 - self.lon, 0.0), max(self.lon + 360.0 - east, 0.0))
        # A degree of longitude is shortest at the latitude nearest to a pole.
        highest = min(max(abs(self.lat) + self.radius, abs(south), abs(north)), 90.0)
        return away * math.cos(math.radians(highest)) <= self.radius


class _Layer(NamedTuple):
    """Lines in steps of DEGREE. `pieces` are runs of points with their bounding boxes."""

    x: array[int]
    y: array[int]
    pieces: tuple[tuple[int, int, Box], ...]


def _columns(data: bytes, *codes: str) -> tuple[array[int], ...]:
    at, made = 0, []
    for code in codes:
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
        column = array(code)
        size = column.itemsize
        raw = bytearray(count * size)
        for part in range(size):
            raw[part::size] = data[at : at + count]
            at += count
        column.frombytes(bytes(raw))
        made.append(column)
    return tuple(made)


@cache
def _parts(name: str) -> tuple[tuple[Box, bytes], ...]:
    """Return the parts of a layer with their bounding boxes in degrees."""
    data = asset_bytes("land", f"{name}.lzma")
    (count,) = struct.unpack_from("<I", data)
    at = 4 + count * PART.size
    parts = []
    for *box, length in PART.iter_unpack(data[4:at]):
        west, south, east, north = (side / DEGREE for side in box)
        parts.append(((west, south, east, north), data[at : at + length]))
        at += length
    return tuple(parts)


@cache
def _layer(name: str, part: int) -> _Layer:
    from lzma import decompress

    lengths, *steps = _columns(decompress(_parts(name)[part][1]), "H", "i", "i")
    x, y = (array("i", accumulate(column)) for column in steps)
    pieces, first = [], 0
    for length in lengths:
        last = first + length - 1
        for start in range(first, last, _PIECE):
            end = min(start + _PIECE, last) + 1
            xs, ys = x[start:end], y[start:end]
            box = min(xs) / DEGREE, min(ys) / DEGREE, max(xs) / DEGREE, max(ys) / DEGREE
            pieces.append((start, end, box))
        first = last + 1
    return _Layer(x, y, tuple(pieces))


def near(name: str, circle: Circle) -> Iterator[list[Place]]:
    """Yield pieces of the lines of a layer ("shores", "rivers", "borders") that may lie in a
    circle. The pieces of a river or border come in order, and the last point of each is the
    first point of the next."""
    for part, (around, _) in enumerate(_parts(name)):
        if circle.meets(*around):
            x, y, pieces = _layer(name, part)
            for start, end, box in pieces:
                if circle.meets(*box):
                    yield [(x[n] / DEGREE, y[n] / DEGREE) for n in range(start, end)]


def is_land(lon: float, lat: float) -> bool:
    """Return True if a place is on land; lakes are not land."""
    land = False
    # Shores between the place and the north pole.
    for part, (around, _) in enumerate(_parts("shores")):
        if not (around[0] <= lon <= around[2] and lat <= around[3]):
            continue
        x, y, pieces = _layer("shores", part)
        for start, end, (west, _, east, north) in pieces:
            if west <= lon <= east and lat <= north:
                for n in range(start, end - 1):
                    ax, bx = x[n] / DEGREE, x[n + 1] / DEGREE
                    if (ax <= lon) != (bx <= lon):
                        ay, by = y[n] / DEGREE, y[n + 1] / DEGREE
                        land ^= ay + (by - ay) * (lon - ax) / (bx - ax) > lat
    return land


class City(NamedTuple):
    """City of GeoNames with its main name; `zone` is the index of its state."""

    name: str
    population: int
    lon: float
    lat: float
    zone: int


class Zone(NamedTuple):
    """A state or a similar division: its country, by ISO 3166, and its code and name there."""

    country: str
    code: str
    name: str


class _Names(Struct):
    countries: dict[str, dict[str, str]]
    zones: list[tuple[str, str, str, int]]
    cities: str


@cache
def _names() -> _Names:
    return decode(zlib.decompress(asset_bytes("land", "names.zlib")), type=_Names)


def _city_columns() -> tuple[array[int], ...]:
    """Return the steps of longitude and latitude, and the logarithms of populations."""
    return _columns(zlib.decompress(asset_bytes("land", "cities.zlib")), "i", "i", "B")


@cache
def cities() -> Sequence[City]:
    """Return all cities, in the order of their zones."""
    x, y, populations = _city_columns()
    zones = [n for n, (*_, count) in enumerate(_names().zones) for _ in range(count)]
    sizes = [round(2 ** (step / POPULATION)) for step in range(256)]
    return [
        City(name, sizes[size], lon / DEGREE, lat / DEGREE, zone)
        for name, lon, lat, size, zone in zip(
            _names().cities.split("\n"),
            accumulate(x),
            accumulate(y),
            populations,
            zones,
            strict=True,
        )
    ]


# Accents, and marks between words.
_ACCENTS, _MARKS = re.compile("[\u0300-\u036f]+"), re.compile("[ .'’-]+")


def folded(text: str) -> str:
    """Return names, one per line, without accents, case and punctuation between words."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _MARKS.sub(" ", bare).strip()


def folded_names() -> Iterator[str]:
    """Yield the folded names of all cities, in the order of their zones."""
    return map(str.strip, folded(_names().cities).split("\n"))


def cities_named(keys: Collection[str]) -> dict[str, list[Place]]:
    """Return the places of cities by folded name, the most populous city first."""
    x, y, populations = _city_columns()
    # Folding all names takes 50 ms. Names stripped of punctuation and non-ASCII letters, which is
    # quicker, select those that are folded.
    names = _names().cities.split("\n")
    picked = set(map(_bare, keys))
    bare = _bare(_names().cities).split(b"\n")
    found: dict[str, list[tuple[int, float, float]]] = {}
    lon = lat = passed = 0
    for number in compress(count(), map(picked.__contains__, bare)):
        lon, lat = lon + sum(x[passed : number + 1]), lat + sum(y[passed : number + 1])
        passed = number + 1
        name = folded(names[number])
        if name in keys:
            found.setdefault(name, []).append((-populations[number], lon / DEGREE, lat / DEGREE))
    return {name: [place[1:] for place in sorted(places)] for name, places in found.items()}


def _bare(text: str) -> bytes:
    letters = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore")
    return letters.lower().translate(None, b" .'-")


@cache
def zones() -> Sequence[Zone]:
    """Return all zones, in the order of the indices in `City.zone`."""
    return [Zone(*words) for *words, _ in _names().zones]


def countries() -> dict[str, dict[str, str]]:
    """Return the names of countries by ISO 3166 code and language."""
    return _names().countries


# Places as people write them: coordinates in degrees, and names of cities.

WAYS = '"47.6N 122.3W", "47.6, -122.3", "47°36\'N 122°20\'W" or a city such as "Seattle" or "Springfield, Illinois"'
# A city needs no country if it is this many times larger than any other of its name.
_FAMED = 5
_MOST_CHOICES = 12

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]+)?"
_ANGLE = rf"""([+-]?{_NUMBER})\s*°?\s*(?:({_NUMBER})\s*'?\s*(?:({_NUMBER})\s*"?\s*)?)?"""
_BETWEEN = r"(?:\s*[,;]\s*|\s*)"
# Compass letters come after both numbers or before both.
_AFTER = re.compile(rf"{_ANGLE}([NSEW]?){_BETWEEN}{_ANGLE}([NSEW]?)")
_BEFORE = re.compile(rf"([NSEW])\s*{_ANGLE}{_BETWEEN}([NSEW])\s*{_ANGLE}")
_DECIMALS = re.compile(rf"([+-]?{_NUMBER})(?:\s*[,;]\s*|\s+)([+-]?{_NUMBER})")
_SIGNS = str.maketrans("′’‘´″”“º˚−–，、", "''''\"\"\"°°--,,")


class Centre(NamedTuple):
    """A place on the earth, with its name if it has one."""

    lon: float
    lat: float
    name: str = ""

    @property
    def words(self) -> str:
        """Name and coordinates, such as "Seattle, Washington, US (47.6N 122.3W)"."""
        north, east = f"{abs(self.lat):.4g}", f"{abs(self.lon):.4g}"
        degrees = f"{north}{'S' if self.lat < 0 else 'N'} {east}{'W' if self.lon < 0 else 'E'}"
        return f"{self.name} ({degrees})" if self.name else degrees


def find_place(text: str) -> Centre:
    """Return the place that a text names. Raises CannotRun if there is none or more than one."""
    words = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS).strip()
    if not words:
        raise CannotRun(f"there is no place; write {WAYS}")
    return _coordinates(words, text) or _city(words, text)


def _coordinates(words: str, text: str) -> Centre | None:
    degrees = re.sub(r"(?<=[0-9]),(?=[0-9]+\s*°?\s*[NSEW])", ".", words.upper())
    degrees = degrees.replace("DEG", "°")
    if plain := _DECIMALS.fullmatch(degrees):
        lat, lon = map(float, plain.groups())
    elif parts := _BEFORE.fullmatch(degrees) or _AFTER.fullmatch(degrees):
        found: dict[bool, float] = {}
        angles = [parts.groups()[:4], parts.groups()[4:]]
        if parts.re is _BEFORE:
            angles = [(*numbers, side) for side, *numbers in angles]
        for whole, minutes, seconds, side in angles:
            size = abs(float(whole)) + float(minutes or 0) / 60 + float(seconds or 0) / 3600
            # Without letters, the latitude comes first.
            is_lon = side in ("E", "W") if side else bool(found)
            if is_lon in found or float(minutes or 0) >= 60 or float(seconds or 0) >= 60:
                raise CannotRun(f"{text!r} cannot be read as a place; write {WAYS}")
            found[is_lon] = -size if whole.startswith("-") != (side in ("S", "W")) else size
        lat, lon = found[False], found[True]
    else:
        return None
    if abs(lat) > 90 or abs(lon) > 180:
        raise CannotRun(
            f"there is no place at {text!r}: latitudes go to 90 degrees, longitudes to 180; the latitude comes first"
        )
    return Centre(lon, lat)


@cache
def _by_name() -> dict[str, list[City]]:
    found: dict[str, list[City]] = {}
    for city, key in sorted(
        zip(cities(), folded_names(), strict=True), key=lambda pair: -pair[0].population
    ):
        found.setdefault(key, []).append(city)
    return found


def _regions(city: City) -> Iterator[str]:
    """Yield the words that may follow the name of a city: those for its state and its country."""
    zone = zones()[city.zone]
    yield from (zone.country, zone.code, zone.name, *countries()[zone.country].values())


def _full(city: City) -> str:
    zone = zones()[city.zone]
    return ", ".join(filter(None, (city.name, zone.name, zone.country)))


def _city(words: str, text: str) -> Centre:
    name, *regions = [folded(part) for part in words.split(",")]
    found = _by_name().get(name, [])
    if not found:
        # "New York" is New York City.
        begun = [name_ for name_ in _by_name() if name and name_.startswith(f"{name} ")]
        found = sorted((c for n in begun for c in _by_name()[n]), key=lambda city: -city.population)
    known = found
    for region in regions:
        found = [city for city in found if region in map(folded, _regions(city))]
    # The largest of its name in each state.
    found = list({city.zone: city for city in reversed(found)}.values())
    found.sort(key=lambda city: -city.population)
    if not found:
        if known:
            there = listed(map(_full, known[:_MOST_CHOICES]))
            raise CannotRun(f"there is no {text!r}, only {there}")
        alike = [found[0].name for key, found in _by_name().items() if key[:1] == name[:1]]
        near = suggestion(words, alike)
        hint = f"{near} Or write" if near else "write its main name in GeoNames, or"
        raise CannotRun(
            f"there is no city {text!r} of 1,000 people or more "
            f"({hint} coordinates such as 47.6N 122.3W)"
        )
    if len(found) > 1 and found[0].population < _FAMED * found[1].population:
        choices = listed(map(_full, found[:_MOST_CHOICES]))
        raise CannotRun(f"there are several places {text!r}; write one of {choices}")
    return Centre(found[0].lon, found[0].lat, _full(found[0]))
