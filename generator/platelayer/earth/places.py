"""Places as people write them: coordinates in degrees, and names of cities."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from platelayer.earth.read import City, cities, countries, folded, folded_names, zones
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import listed, suggestion

WAYS = '"47.6N 122.3W", "47.6, -122.3", "47°36\'N 122°20\'W" or a city such as "Seattle" or "Springfield, Illinois"'
# A city is meant without its country if it is so many times larger than others of its name.
_FAMED = 5
_MOST_CHOICES = 12

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]+)?"
_ANGLE = rf"""([+-]?{_NUMBER})\s*°?\s*(?:({_NUMBER})\s*'?\s*(?:({_NUMBER})\s*"?\s*)?)?"""
_BETWEEN = r"(?:\s*[,;]\s*|\s*)"
# Letters of the compass stand after both numbers or before both.
_AFTER = re.compile(rf"{_ANGLE}([NSEW]?){_BETWEEN}{_ANGLE}([NSEW]?)")
_BEFORE = re.compile(rf"([NSEW])\s*{_ANGLE}{_BETWEEN}([NSEW])\s*{_ANGLE}")
_DECIMALS = re.compile(rf"([+-]?{_NUMBER})(?:\s*[,;]\s*|\s+)([+-]?{_NUMBER})")
_SIGNS = str.maketrans("′’‘´″”“º˚−–，、", "''''\"\"\"°°--,,")


class Centre(NamedTuple):
    """A place on the earth, and its name if it has one."""

    lon: float
    lat: float
    name: str = ""

    @property
    def words(self) -> str:
        """Name and coordinates: "Seattle, Washington, US (47.6N 122.3W)"."""
        north, east = f"{abs(self.lat):.4g}", f"{abs(self.lon):.4g}"
        degrees = f"{north}{'S' if self.lat < 0 else 'N'} {east}{'W' if self.lon < 0 else 'E'}"
        return f"{self.name} ({degrees})" if self.name else degrees


def find_place(text: str) -> Centre:
    """The place that a text names. Raises CannotRun if there is none, or if there are several."""
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
    """Words that may stand behind the name of a city: its state and its country."""
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
