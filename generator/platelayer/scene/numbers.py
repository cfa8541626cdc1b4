"""Lengths and path commands as short, stable digits that every painter writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from platelayer.scene.shapes import Command, Matrix


def number(value: float, places: int = 3) -> str:
    """A number in the fewest digits: `places` decimals (1 or more) without their trailing zeros, no
    exponent, no "-0".

    In mm 3 places are a micron. Raises ValueError when the value is not finite: a viewer would
    silently drop the rest of the drawing.
    """
    return numbers((value,), places)


def numbers(values: Iterable[float], places: int = 3) -> str:
    """Numbers, each as `number` writes it, with spaces between."""
    return _joined(tuple(values), places)


@lru_cache(maxsize=8192)
def _joined(values: tuple[float, ...], places: int) -> str:
    """The same. Kept: a digest and painters write the same numbers, and many are those of an
    upright shape."""
    return _shortened(f"%.{places}f " * len(values) % values, places)[:-1]


def matrix_numbers(matrix: Matrix) -> str:
    """The six numbers of a matrix: the turn to 6 places (a micron at a metre), the shift to 4."""
    return f"{numbers(matrix[:4], 6)} {numbers(matrix[4:], 4)}"


_SVG_COMMANDS = {"M": "M%.{0}f %.{0}f ", "L": "L%.{0}f %.{0}f ", "C": "C" + 6 * "%.{0}f ", "Z": "Z"}
_MOST_PATHS_KEPT = 40_000
"""Several times as many as a title needs."""
_paths_kept: dict[int, tuple[Sequence[Command], str]] = {}
_PDF_COMMANDS = {
    "M": "%.{0}f %.{0}f m\n",
    "L": "%.{0}f %.{0}f l\n",
    "C": 6 * "%.{0}f " + "c\n",
    "Z": "h\n",
}


@lru_cache(maxsize=4096)
def svg_path(commands: tuple[Command, ...], *, scale: float = 1.0, places: int = 3) -> str:
    """Path commands as the `d` attribute of SVG. `scale` multiplies every number. Kept: a map of
    which one hex has changed consists of the same paths."""
    text = _written(commands, _SVG_COMMANDS, scale, places)
    for letter in "MLCZ":
        text = text.replace(f" {letter}", letter)
    return text.rstrip()


def pdf_path(commands: Sequence[Command]) -> str:
    """Path commands as the path construction operators of PDF. A path is written once, however
    often the same object is used: its digest and its page both need it, and companies share
    engraved curves in different inks."""
    path = _paths_kept.get(id(commands))
    if path is None or path[0] is not commands:
        if len(_paths_kept) > _MOST_PATHS_KEPT:
            _paths_kept.clear()
        path = _paths_kept[id(commands)] = (
            commands,
            _written(commands, _PDF_COMMANDS, 1.0, 3)[:-1],
        )
    return path[1]


def _written(
    commands: Sequence[Command], formats: dict[str, str], scale: float, places: int
) -> str:
    """All commands in one go: painting spends most of its time here."""
    numbered = {letter: pattern.format(places) for letter, pattern in formats.items()}
    pattern = "".join([numbered[str(command[0])] for command in commands])
    values = [value for command in commands for value in command[1:]]
    if scale != 1.0:
        values = [float(value) * scale for value in values]
    return _shortened(pattern % tuple(values), places)


def _shortened(text: str, places: int) -> str:
    """Text without trailing zeros in its numbers, each of which has `places` decimals and is
    followed by a space."""
    if "nan" in text or "inf" in text:
        raise ValueError("a number is not finite")
    for _ in range(places):
        text = text.replace("0 ", " ")
    return text.replace(". ", " ").replace("-0 ", "0 ")
