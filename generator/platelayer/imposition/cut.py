"""Cut lines: each line is drawn once, however many pieces share it."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from platelayer.imposition.draft import Placed
from platelayer.imposition.paper import CutLine
from platelayer.imposition.plan import Board
from platelayer.model.described import LETTERS
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import as_spot
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    transform_commands,
)
from platelayer.scene.typeset import Theme

# Nicks: short bridges in a die line that hold a piece in its board until it is punched out.


# Chords by which the length of a curve is measured: of a quarter of a circle they lack 0.04 %.
_STEPS = 16
# Positions tried for the first nick: the one that keeps nicks furthest from corners is taken.
_PHASES = 12

# Two points of a straight line, or the four of a cubic curve.
_Side = tuple[Point, ...]


def nicked(outline: Sequence[Command], board: Board) -> Commands:
    """A closed outline with as many gaps as the board's settings ask for, at equal distances along
    it and off its corners; as it is if nicks have no width."""
    sides = tuple(_sides(outline))
    measures = [_measure(side) for side in sides]
    ends = list(accumulate(measure[-1] for measure in measures))
    whole = ends[-1]
    count = max(board.least_nicks, round(whole / board.nick_every_mm))
    if not board.nick_mm or not count:
        return tuple(outline)
    step, half = whole / count, board.nick_mm / 2

    def distance_from_corners(first: float) -> float:
        """The least distance of a nick from an end of a side, in tenths of a millimetre so that
        equals are equals."""
        return min(round(min((end - first) % step, (first - end) % step) * 10) for end in ends)

    # A bridge at a corner tears the paper there when the piece is punched out.
    phases = [step * phase / _PHASES for phase in range(_PHASES)]
    first = max(phases, key=distance_from_corners)
    commands: list[Command] = []
    for number in range(count):
        start, end = first + number * step + half, first + (number + 1) * step - half
        commands += _between(sides, measures, ends, start, end)
    return tuple(commands)


def _sides(outline: Sequence[Command]) -> Iterator[_Side]:
    start = last = (0.0, 0.0)
    for verb, *numbers in outline:
        points = [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if verb == "M":
            start = last = points[0]
        elif verb == "Z":
            points = [start]
        if verb != "M" and points[-1] != last:
            yield (last, *points)
            last = points[-1]


def _split(side: _Side, at: float) -> tuple[_Side, _Side]:
    """A side before and behind a parameter from 0 to 1 (de Casteljau)."""
    before, behind, points = [side[0]], [side[-1]], side
    while len(points) > 1:
        points = tuple((x + (u - x) * at, y + (v - y) * at) for (x, y), (u, v) in pairwise(points))
        before.append(points[0])
        behind.append(points[-1])
    return tuple(before), tuple(reversed(behind))


def _measure(side: _Side) -> tuple[float, ...]:
    """Lengths along a side, from 0 on, at equal steps of its parameter."""
    steps = 1 if len(side) == 2 else _STEPS
    points = [_split(side, number / steps)[0][-1] for number in range(steps + 1)]
    return tuple(accumulate((math.dist(a, b) for a, b in pairwise(points)), initial=0.0))


def _parameter(measure: Sequence[float], length: float) -> float:
    """The parameter of a side at which a length along it is reached."""
    steps = len(measure) - 1
    number = min(max(bisect_left(measure, length), 1), steps)
    low, high = measure[number - 1], measure[number]
    return (number - 1 + (length - low) / (high - low)) / steps


def _between(
    sides: Sequence[_Side],
    measures: Sequence[Sequence[float]],
    ends: Sequence[float],
    start: float,
    end: float,
) -> Iterator[Command]:
    """The part of a closed outline from one length along it to another, which may lie beyond its
    end."""
    whole, begun = ends[-1], False
    # Twice round, as a part may run over the point where the outline begins.
    for turn in (0, 1):
        for side, measure, last in zip(sides, measures, ends, strict=True):
            first = last - measure[-1] + turn * whole
            low, high = max(start, first) - first, min(end, first + measure[-1]) - first
            if high - low <= 1e-9:
                continue
            near, far = _parameter(measure, low), _parameter(measure, high)
            part = _split(side, far)[0]
            part = _split(part, near / far)[1] if near > 0 else part
            if not begun:
                yield ("M", *part[0])
                begun = True
            yield ("L", *part[1]) if len(part) == 2 else ("C", *part[1], *part[2], *part[3])


_SHARED = "shared-lines"
_HAIR_MM = 0.1
_SPOT_MM = 0.25
# Ends closer than this count as one. The shift keeps round lengths away from the boundaries of
# rounding.
_SAME_MM, _SHIFT = 0.05, 0.1237


def cut_items(outlines: Sequence[Commands], options: PrintOptions, theme: Theme) -> Items:
    """Cut lines as thin lines, or in the spot colour on its own layer, each line once."""
    return line_items(tuple(merged(outlines)), options, theme)


def line_items(commands: Commands, options: PrintOptions, theme: Theme) -> Items:
    """Lines as they are, thin or in the spot colour on its own layer."""
    if not commands:
        return ()
    stroke = Stroke(theme.ink("mark"), _HAIR_MM)
    if options.cut == "spot":
        stroke = Stroke(as_spot(theme.ink("cut"), options.spot_name), _SPOT_MM)
    line = Path(commands, stroke=stroke, role=Role.MARK)
    return (Group((line,), layer=options.spot_layer) if options.cut == "spot" else line,)


def fronts_of(placed: Iterable[Placed]) -> list[tuple[Placed, Commands]]:
    """The fronts on a page with their die lines, in its coordinates."""
    return [
        (copy, transform_commands(copy.scene.die_line, copy.matrix))
        for copy in placed
        if copy.face == copy.entry.face
    ]


def cut_lines(placed: Iterable[Placed]) -> tuple[CutLine, ...]:
    """The outlines of the fronts on a page, for a cutter: closed where no other piece has a line of
    it, so that each is a shape of its own there; the rest in one, each line once."""
    fronts = fronts_of(placed)
    users = Counter(line for _, outline in fronts for line in _lines(outline))
    # Names of pieces as ids in XML: "tile-57".
    no_name = re.compile(f"[^{LETTERS}_.-]")  # 3 ms
    names = [no_name.sub("_", copy.entry.piece.key.replace(":", "-", 1)) for copy, _ in fronts]
    counts, seen = Counter(names), Counter[str]()
    alone = []
    shared = []
    for name, (_, outline) in zip(names, fronts, strict=True):
        seen[name] += 1
        if any(users[line] > 1 for line in _lines(outline)):
            shared.append(outline)
            continue
        closed = outline if outline[-1] == ("Z",) else (*outline, ("Z",))
        line_id = f"{name}-{seen[name]}" if counts[name] > 1 else name
        alone.append(CutLine(line_id, closed))
    if shared:
        alone.append(CutLine(_SHARED, tuple(merged(shared))))
    return tuple(alone)


def die_lines(placed: Iterable[Placed], board: Board) -> tuple[CutLine, ...]:
    """The outlines of the fronts on a page with nicks, each under its kind and a number: a die cuts
    whatever lies there."""
    seen: Counter[str] = Counter()
    lines = []
    for copy, outline in fronts_of(placed):
        kind = copy.entry.piece.kind
        seen[kind] += 1
        lines.append(CutLine(f"{kind}-{seen[kind]}", nicked(outline, board)))
    return tuple(lines)


_Line = tuple[tuple[int, int], ...]


def _lines(outline: Sequence[Command]) -> dict[_Line, tuple[Point, Point]]:
    """The start and end of each line of a straight outline, by an identity that is the same either
    way round; none of an outline with curves."""
    if any(command[0] == "C" for command in outline):
        return {}
    points = [(float(command[1]), float(command[2])) for command in outline if len(command) == 3]
    lines: dict[_Line, tuple[Point, Point]] = {}
    for start, end in zip(points, (*points[1:], points[0]), strict=True):
        ends = (
            (round(x / _SAME_MM + _SHIFT), round(y / _SAME_MM + _SHIFT)) for x, y in (start, end)
        )
        lines.setdefault(tuple(sorted(ends)), (start, end))
    return lines


def merged(outlines: Iterable[Commands]) -> list[Command]:
    """Straight outlines as runs in which no line appears twice, because a knife that follows a line
    twice cuts too deep; then outlines with curves, unchanged."""
    done = set()
    straight: list[Command] = []
    curved: list[Command] = []
    for outline in outlines:
        lines = _lines(outline)
        if not lines:
            curved += outline
        last: Point | None = None
        for line, (start, end) in lines.items():
            if line in done:
                last = None
                continue
            done.add(line)
            if last != start:
                straight.append(("M", *start))
            straight.append(("L", *end))
            last = end
    return straight + curved
