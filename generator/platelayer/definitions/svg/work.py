"""What it may cost to read and paint pictures, counted in steps."""

from __future__ import annotations

import math
from itertools import pairwise

from platelayer.definitions.svg.tree import refuse
from platelayer.model.picture import Layer

MAX_WORK = 140_000
"""The most steps of one picture: enough for 1000 shapes of 20 points each."""
MAX_WORK_OF_TITLE = 2_000_000
"""The most steps of all pictures of a title, enough for 100 elaborate logos; and of all that a map
shows."""

ELEMENT, SHAPE, POINT = 2, 40, 4
"""Steps for an element wherever it is used, for a shape, and for a point of a path or a dash of its
line."""
CHARACTER, STYLE_CHARACTER = 1 / 16, 1 / 2
"""Steps for a character of markup, whenever it is read, and of a style."""


class Work:
    """The steps that the pictures of one title have taken."""

    def __init__(self) -> None:
        self._picture = self._title = 0.0

    def begin(self) -> None:
        """The next picture begins."""
        self._picture = 0.0

    def take(self, line: int, steps: float) -> None:
        """Takes steps for what stands on a line. Raises SvgError if there are too many."""
        self._picture += steps
        self._title += steps
        if self._picture > MAX_WORK:
            costs = f"a shape takes {SHAPE}, a point or dash {POINT}, an element {ELEMENT} whenever it is used"
            message = f"the drawing is too detailed: it takes more than {MAX_WORK} steps ({costs})"
            refuse(line, message, "simplify its paths, lengthen its dashes")
        if self._title > MAX_WORK_OF_TITLE:
            message = f"the title's pictures are too detailed: together they take more than {MAX_WORK_OF_TITLE} steps"
            refuse(line, message, "simplify their paths")


def work_of(layer: Layer) -> float:
    """The steps that a layer takes wherever it is painted."""
    points = [
        complex(*command[at : at + 2])
        for command in layer.commands
        for at in range(1, len(command), 2)
    ]
    dashes = 0.0
    if layer.dash:  # counted along the lines through all points: a curve is no longer
        pattern = math.fsum(layer.dash) / len(layer.dash)
        dashes = (
            math.fsum(abs(b - a) for a, b in pairwise(points)) / pattern if pattern else math.inf
        )
    return SHAPE + POINT * (len(layer.commands) + dashes)
