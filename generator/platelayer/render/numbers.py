"""Lengths and path commands in, the short and steady digits every painter writes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from platelayer.scene.shapes import Command, Matrix


def number(value: float, places: int = 3) -> str:
    """A number in the fewest digits: `places` decimals (1 or more) without their trailing zeros, no exponent, no "-0".

    In mm 3 places are a micron. Raises ValueError when the value is not finite: a viewer would drop the rest of the
    drawing in silence.
    """
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    if "n" in text:  # "nan", "inf"
        raise ValueError(f"not a finite number: {value}")
    return "0" if text == "-0" else text


def numbers(values: Iterable[float], places: int = 3) -> str:
    """Numbers, each as `number` writes it, with spaces between."""
    pattern = f"%.{places}f"
    values = tuple(values)
    text = " ".join([(pattern % value).rstrip("0").rstrip(".") for value in values])
    # Painting spends its time here, so the rare cases are looked for once in the whole text.
    return " ".join([number(value, places) for value in values]) if "-0" in text or "n" in text else text


def matrix_numbers(matrix: Matrix) -> str:
    """The six numbers of a matrix: the turn to 6 places (a micron at a metre), the shift to 4."""
    return f"{numbers(matrix[:4], 6)} {numbers(matrix[4:], 4)}"


def svg_path(commands: Sequence[Command], *, scale: float = 1.0, places: int = 3) -> str:
    """Path commands as the `d` attribute of SVG. `scale` multiplies every number."""
    loose: Sequence[tuple[Any, ...]] = commands
    return "".join([letter + numbers([value * scale for value in values], places) for letter, *values in loose])


_PDF_OPERATORS = {"M": " m", "L": " l", "C": " c", "Z": "h"}


def pdf_path(commands: Sequence[Command]) -> str:
    """Path commands as the path construction operators of PDF."""
    loose: Sequence[tuple[Any, ...]] = commands
    return "\n".join([numbers(values) + _PDF_OPERATORS[letter] for letter, *values in loose])
