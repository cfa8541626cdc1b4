"""Lengths and path commands as short, stable digits for every painter, and digests of scenes:
SHA-256 of everything that is painted, so that equal digests print the same on every system."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, islice
from typing import Any

from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Command,
    Commands,
    Group,
    Image,
    Item,
    Matrix,
    Path,
    Point,
    Scene,
    Stroke,
    TextRun,
    Use,
)


def number(value: float, places: int = 3) -> str:
    """Return a number in the fewest digits: `places` decimals (1 or more) without trailing zeros,
    no exponent, no "-0".

    In mm, 3 places are a micron. Raises ValueError if the value is not finite: a viewer would
    silently drop the rest of the drawing.
    """
    return numbers((value,), places)


def numbers(values: Iterable[float], places: int = 3) -> str:
    """Return numbers, each as `number` writes it, separated by spaces."""
    return _joined(tuple(values), places)


@lru_cache(8192)
def _joined(values: tuple[float, ...], places: int) -> str:
    """Return what `numbers` returns. Cached, because digests and painters write the same numbers,
    and many are those of upright shapes."""
    return _shortened(f"%.{places}f " * len(values) % values, places)[:-1]


@lru_cache(4096)
def matrix_numbers(matrix: Matrix) -> str:
    """Return the six numbers of a matrix: the rotation to 6 places (a micron at a metre), the shift
    to 4."""
    return f"{numbers(matrix[:4], 6)} {numbers(matrix[4:], 4)}"


@cache
def _svg_commands(places: int) -> dict[str, str]:
    """Return the formats of SVG's path commands."""
    number = f"%.{places}f "
    return {"M": f"M{2 * number}", "L": f"L{2 * number}", "C": f"C{6 * number}", "Z": "Z"}


# Formats of PDF path commands, with 3 decimal places.
_PDF_COMMANDS = {
    "M": "%.3f %.3f m\n",
    "L": "%.3f %.3f l\n",
    "C": 6 * "%.3f " + "c\n",
    "Z": "h\n",
}


@lru_cache(4096)
def svg_path(commands: Commands, *, scale: float = 1.0, places: int = 3) -> str:
    """Return path commands as the `d` attribute of SVG. `scale` multiplies every number. Cached,
    because a map with one changed hex consists of the same paths."""
    text = _written(commands, _svg_commands(places), scale, places)
    for letter in "MLCZ":
        text = text.replace(f" {letter}", letter)
    return text.rstrip()


# Several times the number that a title needs.
_MOST_KEPT = 40_000


@lru_cache(_MOST_KEPT)
def pdf_path(commands: Commands) -> str:
    """Return path commands as PDF's path construction operators. Cached, because a path's digest
    and its page both need them, companies share engraved curves, and an edit leaves most paths
    unchanged."""
    return _written(commands, _PDF_COMMANDS, 1.0, 3)[:-1]


def _written(
    commands: Sequence[Command], formats: Mapping[Any, str], scale: float, places: int
) -> str:
    """Return all commands as text in one step: painting spends most of its time here."""
    pattern = "".join([formats[command[0]] for command in commands])
    values = [value for command in commands for value in command[1:]]
    if scale != 1.0:
        values = [float(value) * scale for value in values]
    return _shortened(pattern % tuple(values), places)


def _shortened(text: str, places: int) -> str:
    """Return a text without trailing zeros in its numbers, each of which has `places` decimals and
    is followed by a space."""
    if "n" in text:  # as in "nan" or "inf"
        raise ValueError("a number is not finite")
    for _ in range(places):
        text = text.replace("0 ", " ")
    return text.replace(". ", " ").replace("-0 ", "0 ")


# Path data of SVG as commands of shapes.


# A number as SVG writes it. The expression can match in one way only, so it takes time in
# proportion to the text.
NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
# Largest absolute value that is read.
LARGEST = 1e9

_THIRD = 2 / 3
_SHOWN = 30
_PLACES = 6
# Maximum angle of one curve; slightly more than a quarter of a circle, as angles are inexact.
_QUARTER = math.pi / 2 + 0.001
_SAME = 1e-15
_LETTERS = re.compile("([MmZzLlHhVvCcSsQqTtAa])")
# Number of arguments that each command takes at a time.
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_BLANK, _ONE, _FLAG = r"[\s,]*+", rf"((?>{NUMBER}))", "([01])"
_ARC = "".join(_BLANK + pattern for pattern in (_ONE, _ONE, _ONE, _FLAG, _FLAG, _ONE, _ONE))
_ARCS = re.compile(rf"(?>(?:{_ARC})*){_BLANK}"), re.compile(_ARC)
_NUMBERS = re.compile(rf"(?>(?:{_BLANK}{_ONE})*){_BLANK}"), re.compile(NUMBER)
# Commands that S and T continue smoothly: curves of the same kind.
_SMOOTH = {"C": "C", "S": "C", "Q": "Q", "T": "Q"}


def path_data_commands(data: str, most: int | None = None) -> Commands:
    """Return the commands of an SVG path's `d` attribute, at most the first `most` of them, with
    arcs and quadratic curves as cubic ones. Raises ValueError for invalid data, and for numbers
    beyond LARGEST."""
    return () if data.strip() in ("", "none") else tuple(islice(_drawn(data), most))


def _steps(data: str) -> Iterator[tuple[str, Sequence[float]]]:
    """Yield the commands of path data, each with its numbers. Raises ValueError."""
    head, *parts = _LETTERS.split(data)
    if head.strip() or parts[0] not in "Mm":
        raise ValueError(f'it begins with "{(head.strip() or parts[0])[:_SHOWN]}", not with M')
    for letter, words in zip(parts[::2], parts[1::2], strict=True):
        count = _TAKES[letter.upper()]
        whole, one = _ARCS if count == _TAKES["A"] else _NUMBERS
        # Match the whole text first: searching a text that does not fit would start again at each
        # of its characters.
        matches = one.findall(words) if whole.fullmatch(words) else []
        numbers = [*map(float, chain.from_iterable(matches) if one is _ARCS[1] else matches)]
        if (
            bool(numbers) != bool(count)
            or (count and len(numbers) % count)
            or (words.strip() and not matches)
        ):
            wrong = f'"{letter}{words.strip()[:_SHOWN]}"'
            raise ValueError(f"{wrong} is wrong: {letter} takes {count or 'no'} numbers at a time")
        if numbers and not -LARGEST <= min(numbers) <= max(numbers) <= LARGEST:
            raise ValueError(f"a number after {letter} is beyond {LARGEST:g}")
        yield letter, numbers[:count]
        letter = {"M": "L", "m": "l"}.get(letter, letter)  # noqa: PLW2901 - more points after M are lines
        for start in range(count, len(numbers), count or 1):
            yield letter, numbers[start : start + count]


def _drawn(data: str) -> Iterator[Command]:
    at = start = control = (0.0, 0.0)
    closed, before = False, ""
    for letter, numbers in _steps(data):
        kind = letter.upper()
        if kind == "Z":
            if not closed:
                if not cmath.isclose(complex(*at), complex(*start), rel_tol=_SAME, abs_tol=_SAME):
                    yield ("L", *start)
                yield ("Z",)
            at, closed, before = start, True, ""
            continue
        if closed and kind != "M":
            yield ("M", *start)
        closed = False
        points = _points(letter, numbers, at)
        if kind in "ST":
            mirrored = (at[0] + at[0] - control[0], at[1] + at[1] - control[1])
            points.insert(0, mirrored if _SMOOTH.get(before) == _SMOOTH[kind] else at)
        match kind:
            case "M":
                start = points[0]
                yield ("M", *start)
            case "C" | "S":
                yield ("C", *points[0], *points[1], *points[2])
            case "Q" | "T":
                yield _cubic(at, *points)
            case "A":
                # An arc of an ellipse (SVG 2, appendix B.2). Without a radius it is a line, and if
                # it ends where it began, it is omitted.
                shape, end = numbers[:5], points[0]
                if not shape[0] or not shape[1]:
                    yield ("L", *end)
                elif at != end:
                    try:
                        yield from _elliptical(complex(*at), shape, complex(*end))
                    except ArithmeticError as error:
                        raise ValueError("an arc is too narrow") from error
            case _:
                yield ("L", *points[0])
        if kind in _SMOOTH:
            control = points[-2]
        at, before = points[-1], kind


def _points(letter: str, numbers: Sequence[float], at: Point) -> list[Point]:
    """Return the points that a command names; the last one is its end."""
    x, y = at if letter.islower() else (0.0, 0.0)
    match letter.upper():
        case "H":
            return [(numbers[0] + x, at[1])]
        case "V":
            return [(at[0], numbers[0] + y)]
        case "A":
            return [(numbers[5] + x, numbers[6] + y)]
    return [(numbers[k] + x, numbers[k + 1] + y) for k in range(0, len(numbers), 2)]


def _cubic(at: Point, control: Point, end: Point) -> Command:
    """Return a quadratic curve as a cubic one."""
    (x, y), (qx, qy), (ex, ey) = at, control, end
    return (
        *("C", x + (qx - x) * _THIRD, y + (qy - y) * _THIRD),
        *(ex + (qx - ex) * _THIRD, ey + (qy - ey) * _THIRD, ex, ey),
    )


def _elliptical(start: complex, shape: Sequence[float], end: complex) -> Iterator[Command]:
    """Yield cubic curves along an arc, each at most a quarter of the ellipse. They are computed on
    the unit circle into which rotating back and scaling turns the ellipse."""
    rx, ry, turn_degrees, large, sweep = shape
    radii, turned = complex(abs(rx), abs(ry)), cmath.rect(1.0, math.radians(turn_degrees))

    def on_circle(point: complex) -> complex:
        upright = point * turned.conjugate()
        return complex(upright.real / radii.real, upright.imag / radii.imag)

    def on_ellipse(point: complex) -> Point:
        placed = complex(point.real * radii.real, point.imag * radii.imag) * turned
        return placed.real, placed.imag

    # Enlarge radii that are too short to reach from start to end.
    radii *= max(1.0, abs(on_circle((end - start) / 2)))
    first, last = on_circle(start), on_circle(end)
    chord = last - first
    distance = math.sqrt(max(1 / abs(chord) ** 2 - 0.25, 0.0))
    centre = (first + last) / 2 + chord * (1j if large != sweep else -1j) * distance
    angle = cmath.phase(first - centre)
    arc = cmath.phase(last - centre) - angle
    if arc < 0 and sweep:
        arc += math.tau
    elif arc > 0 and not sweep:
        arc -= math.tau
    count = math.ceil(abs(arc) / _QUARTER)
    step = arc / count
    pull = 1j * 4 / 3 * math.tan(step / 4)
    for number in range(count):
        here, there = (
            cmath.rect(1.0, angle + number * step),
            cmath.rect(1.0, angle + (number + 1) * step),
        )
        points = (here * (1 + pull), there * (1 - pull), there)
        placed = chain.from_iterable(on_ellipse(centre + point) for point in points)
        # The square root of either 1e-16 or 0, depending on the C library, is 1e-8 or 0; round
        # here, so that this decides no later rounding.
        yield ("C", *(round(value, _PLACES) for value in placed))


class Digester:
    """Digests scenes; a scene that several of them place is read once.

    Every length is rounded as painters write it, because the last bits of a float differ between
    Python releases and systems without affecting the print.

    The hashed text is what `repr` would write for tuples of everything painted. It is assembled
    here because `repr` examines each character of a path's numbers, which took half of the time.
    """

    def __init__(self) -> None:
        # Keep the scenes alive, so that no other scene can get the same id().
        self._known: dict[int, tuple[Scene, str]] = {}

    def digest(self, scenes: Iterable[Scene]) -> str:
        """Return the digest of one or more scenes in order: size, bleed, outline, every shape with
        its inks, every word."""
        return joined(map(self.scene, scenes))

    def scene(self, scene: Scene) -> str:
        """Return the digest of one scene, to be joined with others."""
        known = self._known.get(id(scene))
        if known is None:
            size = numbers((scene.width_mm, scene.height_mm, scene.bleed_mm))
            whole = f"('{size}', {_commands(scene.outline)}, {self._items(scene.items)})"
            known = self._known[id(scene)] = (scene, sha256(whole.encode()).hexdigest())
        return known[1]

    def _items(self, items: Iterable[Item]) -> str:
        return f"[{', '.join(map(self._item, _painted(items)))}]"

    def _item(self, item: Item) -> str:
        match item:
            case Path():
                inks = f"{_ink(item.fill)}, {_stroke(item.stroke)}"
                return f"('path', {_commands(item.commands)}, {inks}, {item.even_odd})"
            case Circle():
                place = numbers((item.cx, item.cy, item.r))
                return f"('circle', '{place}', {_ink(item.fill)}, {_stroke(item.stroke)})"
            case TextRun():
                lengths = (item.x, item.y, item.width_mm, item.angle, item.tracking_mm)
                place = numbers((*lengths, item.size_pt))
                words = f"{item.text!r}, {item.face!r}, '{place}', {item.anchor.value!r}"
                return f"('text', {words}, {_ink(item.ink)})"
            case Image():
                size = numbers((item.width_mm, item.height_mm))
                return f"('image', '{size}', '{sha256(item.pixels.data).hexdigest()}')"
            case Group():
                placed = f"'{matrix_numbers(item.matrix)}', {_commands(item.clip)}, {item.layer!r}"
                return f"('group', {placed}, {self._items(item.items)})"
            case Use():
                return f"('use', '{matrix_numbers(item.matrix)}', '{self.scene(item.scene)}')"


def _painted(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items without the groups that only mark which box owns their words."""
    for item in items:
        if (
            isinstance(item, Group)
            and (item.box, item.stop, item.of) != (None, None, None)
            and (item.matrix, item.clip, item.layer) == (IDENTITY, None, None)
        ):
            yield from _painted(item.items)
        else:
            yield item


def joined(digests: Iterable[str]) -> str:
    """Return the digest of scenes in order from the digest of each."""
    return sha256("\n".join(digests).encode()).hexdigest()


def _commands(commands: Commands | None) -> str:
    if commands is None:
        return "None"
    lines = pdf_path(commands).replace("\n", "\\n")
    return f"'{lines}'"


@lru_cache(1024)
def _ink(ink: Ink | None) -> str:
    return "None" if ink is None else f"('{numbers((*ink.rgb, *ink.cmyk))}', {ink.spot!r})"


@lru_cache(1024)
def _stroke(stroke: Stroke | None) -> str:
    if stroke is None:
        return "None"
    lengths = numbers((stroke.width_mm, *stroke.dash))
    return f"({_ink(stroke.ink)}, '{lengths}', {stroke.cap!r}, {stroke.join!r})"
