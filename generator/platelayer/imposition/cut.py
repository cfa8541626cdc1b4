"""Cut lines: each line is drawn once, however many pieces share it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from platelayer.imposition.draft import Placed
from platelayer.imposition.finish import Finish
from platelayer.imposition.nicks import nicked
from platelayer.imposition.page import CutLine
from platelayer.imposition.plan import Board
from platelayer.scene.inks import as_spot
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    transform_commands,
)
from platelayer.scene.theme import Theme

_SHARED = "shared-lines"
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_HAIR_MM = 0.1
_SPOT_MM = 0.25
_SAME_MM, _SHIFT = 0.05, 0.1237
"""Ends closer than this count as one. The shift keeps round lengths away from the boundaries of
rounding."""


def cut_items(
    outlines: Sequence[tuple[Command, ...]], finish: Finish, theme: Theme
) -> tuple[Item, ...]:
    """Cut lines as thin lines, or in the spot colour on its own layer, each line once."""
    return line_items(tuple(merged(outlines)), finish, theme)


def line_items(commands: tuple[Command, ...], finish: Finish, theme: Theme) -> tuple[Item, ...]:
    """Lines as they are, thin or in the spot colour on its own layer."""
    if not commands:
        return ()
    if finish.cut == "spot":
        stroke = Stroke(ink=as_spot(theme.ink("cut"), finish.spot_name), width_mm=_SPOT_MM)
        return (
            Group(
                items=(Path(commands=commands, stroke=stroke, role=Role.MARK),),
                layer=finish.spot_layer,
            ),
        )
    stroke = Stroke(ink=theme.ink("mark"), width_mm=_HAIR_MM)
    return (Path(commands=commands, stroke=stroke, role=Role.MARK),)


def outlines_of(placed: Iterable[Placed]) -> list[tuple[Command, ...]]:
    """The die lines of the fronts on a page, in its coordinates."""
    return [
        transform_commands(copy.scene.die_line, copy.matrix)
        for copy in placed
        if copy.face == copy.entry.face
    ]


def cut_lines(placed: Iterable[Placed]) -> tuple[CutLine, ...]:
    """The outlines of the fronts on a page, for a cutter: closed where no other piece has a line of
    it, so that each is a shape of its own there; the rest in one, each line once."""
    fronts = [copy for copy in placed if copy.face == copy.entry.face]
    outlines = outlines_of(fronts)
    often = Counter(line for outline in outlines for line in _lines(outline))
    names = Counter(_name(copy) for copy in fronts)
    seen: Counter[str] = Counter()
    alone: list[CutLine] = []
    shared: list[tuple[Command, ...]] = []
    for copy, outline in zip(fronts, outlines, strict=True):
        name = _name(copy)
        seen[name] += 1
        if any(often[line] > 1 for line in _lines(outline)):
            shared.append(outline)
        else:
            name = f"{name}-{seen[name]}" if names[name] > 1 else name
            alone.append(
                CutLine(id=name, commands=outline if outline[-1] == ("Z",) else (*outline, ("Z",)))
            )
    lines = tuple(merged(shared))
    return (*alone, CutLine(id=_SHARED, commands=lines)) if lines else tuple(alone)


def die_lines(placed: Iterable[Placed], board: Board) -> tuple[CutLine, ...]:
    """The outlines of the fronts on a page with nicks, each under its kind and a number: a die cuts
    whatever lies there."""
    fronts = [copy for copy in placed if copy.face == copy.entry.face]
    seen: Counter[str] = Counter()
    lines: list[CutLine] = []
    for copy, outline in zip(fronts, outlines_of(fronts), strict=True):
        kind = copy.entry.piece.kind
        seen[kind] += 1
        lines.append(CutLine(id=f"{kind}-{seen[kind]}", commands=nicked(outline, board)))
    return tuple(lines)


def _name(copy: Placed) -> str:
    """The name of a piece as an id in XML: "tile-57"."""
    return _NO_NAME.sub("_", copy.entry.piece.key.replace(":", "-", 1))


def _lines(outline: Sequence[Command]) -> Iterator[tuple[tuple[int, int], ...]]:
    """The lines of a straight outline, either way round."""
    if any(command[0] == "C" for command in outline):
        return
    points = [
        _rounded((float(command[1]), float(command[2]))) for command in outline if len(command) == 3
    ]
    for start, end in zip(points, (*points[1:], points[0]), strict=True):
        yield tuple(sorted((start, end)))


def merged(outlines: Iterable[tuple[Command, ...]]) -> list[Command]:
    """Straight outlines as runs in which no line appears twice, because a knife that follows a line
    twice cuts too deep; then outlines with curves, unchanged."""
    done: set[tuple[tuple[int, int], ...]] = set()
    straight: list[Command] = []
    curved: list[Command] = []
    for outline in outlines:
        if any(command[0] == "C" for command in outline):
            curved += outline
            continue
        points = [
            (float(command[1]), float(command[2])) for command in outline if len(command) == 3
        ]
        last: Point | None = None
        for start, end in zip(points, (*points[1:], points[0]), strict=True):
            line = tuple(sorted((_rounded(start), _rounded(end))))
            if line in done:
                last = None
                continue
            done.add(line)
            if last is None:
                straight.append(("M", *start))
            straight.append(("L", *end))
            last = end
    return straight + curved


def _rounded(point: Point) -> tuple[int, int]:
    return round(point[0] / _SAME_MM + _SHIFT), round(point[1] / _SAME_MM + _SHIFT)
