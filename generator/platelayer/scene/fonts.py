"""Metrics and outlines of the bundled faces.

Metrics come from assets/fonts/metrics, one file per face, written by `tools/font_metrics.py`:
reading one takes 0.3 ms (a Japanese face 7), parsing the font ten times as long. Each face is read
on first use, so that a print without Japanese words does not wait for Japanese faces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from operator import add
from pathlib import Path
from struct import Struct as glyf_Struct
from struct import unpack_from

from msgspec import Struct

from platelayer.foundation.resources import asset_json, asset_path, shipped_bytes
from platelayer.scene.shapes import Command, Commands

# Outlines of glyphs in TrueType files, from the tables cmap, loca, glyf and hmtx.
# fontTools does the same and much more, but adds 0.2 s to each drawing for its import and for
# reading fonts; this module takes 10 ms. A test compares every glyph of every bundled font with
# fontTools.


_Point = tuple[float, float]
# Points, each with True if the outline passes through it.
_Contour = list[tuple[_Point, bool]]

# Bits of the flags of points and of parts of composite glyphs: OpenType specification, table
# "glyf".
_ON_CURVE, _X_BYTE, _Y_BYTE, _REPEAT, _X_SAME, _Y_SAME = 1, 2, 4, 8, 16, 32
_WORDS, _MORE = 1, 32
_TWO_THIRDS = 2 / 3
# In every font, glyph 0 is the box for missing characters (.notdef).
_MISSING = 0
_RECORD = glyf_Struct(">4sIII")


class GlyphFile:
    """The glyphs of one bundled font."""

    def __init__(self, name: str) -> None:
        self._data = data = shipped_bytes(asset_path("fonts", f"{name}.ttf"))
        metrics = asset_json("fonts", "metrics", f"{name}.json")
        self._numbers = {char: number for char, (*_, number) in metrics["glyphs"].items()}
        count = unpack_from(">H", data, 4)[0]
        records = [_RECORD.unpack_from(data, 12 + 16 * number) for number in range(count)]
        self._tables = {tag.decode("latin-1"): offset for tag, _, offset, _ in records}
        self.em: int = metrics["em"]
        glyphs: int = unpack_from(">H", data, self._tables["maxp"] + 4)[0]
        self._wide: int = unpack_from(">H", data, self._tables["hhea"] + 34)[0]
        long_places = unpack_from(">h", data, self._tables["head"] + 50)[0]
        places = unpack_from(
            f">{glyphs + 1}{'I' if long_places else 'H'}", data, self._tables["loca"]
        )
        self._places = places if long_places else tuple(2 * place for place in places)

    def outline(self, char: str) -> Commands:
        """Return the outline of a character in ems, y DOWN, with cubic curves only; () for a space,
        and the box for missing characters if the font lacks it."""
        glyph = self._numbers.get(char, _MISSING)
        contours = self._contours(glyph)
        if not contours:
            return ()
        # Shift the glyph to its left side bearing in hmtx, whatever the coordinates of its points.
        start, em = self._places[glyph] + self._tables["glyf"], self.em
        # Glyphs after the last one with its own advance width have only a left side bearing.
        wide, hmtx = self._wide, self._tables["hmtx"]
        place = hmtx + 4 * glyph + 2 if glyph < wide else hmtx + 4 * wide + 2 * (glyph - wide)
        bearing: int = unpack_from(">h", self._data, place)[0]
        shift = bearing - unpack_from(">h", self._data, start + 2)[0]
        placed = [
            [(((x + shift) / em, -y / em), on) for (x, y), on in contour] for contour in contours
        ]
        return tuple(command for contour in placed for command in _drawn(contour))

    def _contours(self, glyph: int) -> list[_Contour]:
        start, end = self._places[glyph], self._places[glyph + 1]
        if start == end:
            return []
        start += self._tables["glyf"]
        count = unpack_from(">h", self._data, start)[0]
        return self._simple(start + 10, count) if count >= 0 else list(self._composite(start + 10))

    def _simple(self, place: int, count: int) -> list[_Contour]:
        data = self._data
        ends = unpack_from(f">{count}H", data, place)
        place += 2 * count
        place += 2 + unpack_from(">H", data, place)[0]  # skip the instructions
        flags: list[int] = []
        points = ends[-1] + 1 if ends else 0
        while len(flags) < points:
            flag = data[place]
            place += 1
            times = 1
            if flag & _REPEAT:
                times += data[place]
                place += 1
            flags += [flag] * times
        xs, place = self._coordinates(flags, place, _X_BYTE, _X_SAME)
        ys, place = self._coordinates(flags, place, _Y_BYTE, _Y_SAME)
        all_points: _Contour = [
            ((x, y), bool(flag & _ON_CURVE)) for x, y, flag in zip(xs, ys, flags, strict=True)
        ]
        return [
            all_points[first : last + 1]
            for first, last in zip((0, *(end + 1 for end in ends)), ends, strict=False)
        ]

    def _coordinates(
        self, flags: list[int], place: int, byte: int, same: int
    ) -> tuple[list[int], int]:
        """Return one coordinate of all points, and the position where the next one begins. Steps
        between points take a byte, a word, or nothing."""
        data, steps = self._data, []
        for flag in flags:
            if flag & byte:
                steps.append(data[place] if flag & same else -data[place])
                place += 1
            elif flag & same:
                steps.append(0)
            else:
                steps.append(unpack_from(">h", data, place)[0])
                place += 2
        return list(accumulate(steps)), place

    def _composite(self, place: int) -> Iterator[_Contour]:
        """Yield the contours of a glyph composed of others, each shifted: a letter with its accent.
        None of the bundled fonts scales a part, or joins two at a point."""
        flags = _MORE
        while flags & _MORE:
            flags, part = unpack_from(">HH", self._data, place)
            dx, dy = unpack_from(">hh" if flags & _WORDS else ">bb", self._data, place + 4)
            place += 8 if flags & _WORDS else 6
            for contour in self._contours(part):
                yield [((x + dx, y + dy), on) for (x, y), on in contour]


def _drawn(contour: _Contour) -> Iterator[Command]:
    """Yield a contour as commands. It starts and ends at the first point on the outline; between
    two consecutive points off the outline it passes through their middle."""
    first = next(place for place, (_, on) in enumerate(contour) if on)
    here, rest = contour[first][0], [*contour[first + 1 :], *contour[: first + 1]]
    yield ("M", *here)
    pull: _Point | None = None
    for number, (point, on) in enumerate(rest):
        if on and pull is None:
            if number < len(rest) - 1:  # closing the path draws the last line
                yield ("L", *point)
            here = point
        elif on:
            assert pull is not None
            yield _cubic(here, pull, point)
            here, pull = point, None
        else:
            if pull is not None:
                middle = (0.5 * (pull[0] + point[0]), 0.5 * (pull[1] + point[1]))
                yield _cubic(here, pull, middle)
                here = middle
            pull = point
    yield ("Z",)


def _cubic(start: _Point, pull: _Point, end: _Point) -> Command:
    """Return a quadratic curve as a cubic one."""
    (x0, y0), (x, y), (x1, y1) = start, pull, end
    return (
        "C",
        x0 + _TWO_THIRDS * (x - x0),
        y0 + _TWO_THIRDS * (y - y0),
        x1 + _TWO_THIRDS * (x - x1),
        y1 + _TWO_THIRDS * (y - y1),
        x1,
        y1,
    )


# Advance, y_min and y_max of a glyph.
_Extent = tuple[float, float, float]


class Glyphs(dict[str, _Extent]):
    """Extents by character. `in` tells whether a face has a character; for any other, the extents
    are those of the box drawn in its place."""

    def __init__(self, extents: dict[str, _Extent], box: _Extent) -> None:
        super().__init__(extents)
        self._box = box

    def __missing__(self, char: str) -> _Extent:
        return self._box


class Kerning(dict[str, float]):
    """Distance added between two characters, in ems, by the pair: mostly 0, often negative."""

    def __init__(self, data: tuple[list[str], list[str], list[int]], em: float) -> None:
        super().__init__()
        first, second, kerned = data
        self._first, self._second, self._em = _classes(first), _classes(second), em
        pairs = zip(kerned[::3], kerned[1::3], strict=True)
        self._kerned = dict(zip(pairs, kerned[2::3], strict=True))

    def __missing__(self, pair: str) -> float:
        key = self._first.get(pair[0], -1), self._second.get(pair[1], -1)
        self[pair] = found = self._kerned.get(key, 0) / self._em
        return found


def _classes(classes: list[str]) -> dict[str, int]:
    return {char: number for number, chars in enumerate(classes) for char in chars}


class Face(Struct, frozen=True, kw_only=True):
    """One font file. Lengths are fractions of the em."""

    name: str
    cap_height: float
    glyphs: Glyphs
    kerning: Kerning

    @property
    def path(self) -> Path:
        """Path of the TrueType file."""
        return asset_path("fonts", f"{self.name}.ttf")


@cache
def face_names() -> tuple[str, ...]:
    """Return the names of all bundled faces, sorted."""
    return tuple(sorted(path.stem for path in asset_path("fonts").glob("*.ttf")))


@cache
def face(name: str) -> Face:
    """Return a bundled face by name, e.g. "BarlowCondensed-SemiBold". Raises KeyError for an
    unknown name."""
    if name not in face_names():
        raise KeyError(name)
    data = asset_json("fonts", "metrics", f"{name}.json")
    em = data["em"]
    glyphs = {
        char: (adv / em, low / em, high / em)
        for char, (adv, low, high, _) in data["glyphs"].items()
    }
    advance, low, high = data["box"]
    box = (advance / em, low / em, high / em)
    return Face(
        name=name,
        cap_height=data["cap_height"] / em,
        glyphs=Glyphs(glyphs, box),
        kerning=Kerning(data["kerning"], em),
    )


# Numbers that stand alone, as only even digit widths align them in columns. Next to a letter, as in
# 18EU, figures are part of a word.
NUMBER_ALONE = re.compile(r"(?<!\w)\d[\d.,]*\d(?!\w)")


@lru_cache(maxsize=16384)
def advances(name: str, text: str) -> tuple[float, ...]:
    """Return the distances from each character of a text to the next, in ems, including kerning."""
    known = face(name)
    glyphs, kerning = known.glyphs, known.kerning
    found = [glyphs[char][0] for char in text]
    even = {
        place
        for match in NUMBER_ALONE.finditer(text)
        for place in range(match.start() - 1, match.end() - 1)
    }
    for place, pair in enumerate(map(add, text, text[1:])):
        if (moved := kerning[pair]) and place not in even:
            found[place] += moved
    return tuple(found)


@cache
def _glyphs(name: str) -> GlyphFile:
    return GlyphFile(name)


@cache
def glyph_outline(name: str, char: str) -> Commands:
    """Return the outline of a glyph in ems, y DOWN, with cubic curves only: empty for a space, a
    box for a character that the face lacks."""
    return _glyphs(name).outline(char)
