"""Lengths and path commands in, the short and steady digits every painter writes out."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.scene.shapes import Command, Matrix


def number(value: float, places: int = 3) -> str:
    """A number in the fewest digits: at most `places` decimals, no exponent, no "-0". In mm 3 places are a micron.

    Raises ValueError when it is not finite: a viewer would drop the rest of the drawing in silence.
    """
    # `+ 0.0` turns -0.0 into 0.0; nine digits hold 3 decimals of any length up to a kilometre.
    text = f"{round(value, places) + 0.0:.9g}"
    if "n" in text:
        raise ValueError(f"not a finite number: {value}")
    return text


def numbers(values: Sequence[float], places: int = 3) -> str:
    """Numbers with spaces between."""
    return " ".join([number(value, places) for value in values])


def matrix_numbers(matrix: Matrix) -> str:
    """The six numbers of a matrix: the turn to 6 places (a micron at a metre), the shift to 4."""
    return f"{numbers(matrix[:4], 6)} {numbers(matrix[4:], 4)}"


def svg_path(commands: Sequence[Command], *, scale: float = 1.0, places: int = 3) -> str:
    """Path commands as the `d` attribute of SVG. `scale` multiplies every number."""
    parts: list[str] = []
    for letter, *values in commands:
        parts.append(f"{letter}{numbers([float(value) * scale for value in values], places)}")
    return "".join(parts)
