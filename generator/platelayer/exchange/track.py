"""Points of track on a flat hex: complex numbers in apothems from its centre, with y downwards."""

from __future__ import annotations

import cmath
import math


def edge_point(edge: float) -> complex:
    """The middle of an edge."""
    return 1j * cmath.exp(1j * math.pi / 3 * edge)


def along(start: int, end: int, part: float) -> complex:
    """The point at a part of the standard track between two edges: a straight line, or an arc that
    meets both at right angles."""
    a, b = edge_point(start), edge_point(end)
    if (start - end) % 6 == 3:
        return a * (1 - 2 * part)
    centre = (a + b) / (1 + (a * b.conjugate()).real)
    return centre + (a - centre) * ((b - centre) / (a - centre)) ** part
