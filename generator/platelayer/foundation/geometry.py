"""Units of length: millimetres, points and inches."""

from __future__ import annotations

import math

from platelayer.foundation.ties import settled

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH


def pt_from_mm(length_mm: float) -> float:
    """Millimetres to PostScript points (1/72 inch)."""
    return length_mm * PT_PER_MM


def mm_from_pt(length_pt: float) -> float:
    """PostScript points (1/72 inch) to millimetres."""
    return length_pt * MM_PER_PT


# Matrices of the plane.


# A length or a factor. A whole number stays one when it is kept and read again; as `float` it would
# not.
Number = int | float
Point = tuple[Number, Number]
# (a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f, as in SVG and PDF.
Matrix = tuple[Number, Number, Number, Number, Number, Number]
# A matrix that moves nothing.
Linear = tuple[float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def translation(x: float, y: float) -> Matrix:
    """Moves by (x, y) mm."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def direction(angle: float) -> Point:
    """The unit vector of an angle in radians, clockwise from the x axis. A half is a half under
    every C library."""
    return settled(math.cos(angle)), settled(math.sin(angle))


def rotation(degrees: float, about: Point = (0.0, 0.0)) -> Matrix:
    """Turns clockwise (y down) by `degrees` about a point; quarter turns are exact."""
    turned = degrees % 360
    radians = math.radians(turned)
    quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    cos, sin = quarter.get(turned) or (math.cos(radians), math.sin(radians))
    x, y = about
    return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)


def scaling(factor: float) -> Matrix:
    """Scales about the origin."""
    return (factor, 0.0, 0.0, factor, 0.0, 0.0)


def apply(matrix: Matrix, point: Point) -> Point:
    """A point transformed."""
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def inverse(matrix: Matrix) -> Matrix:
    """The matrix that takes it back."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    return (
        d / size,
        -b / size,
        -c / size,
        a / size,
        (c * f - d * e) / size,
        (b * e - a * f) / size,
    )


def least_scale(linear: Linear) -> float:
    """By how much the direction that a matrix stretches least is stretched: its smaller singular
    value."""
    a, b, c, d = linear
    total = a * a + b * b + c * c + d * d
    apart = math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d))
    return math.sqrt(max(total - apart, 0.0) / 2)
