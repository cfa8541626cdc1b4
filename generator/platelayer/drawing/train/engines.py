"""The engines that grow from train to train, and the coach (assets/art/engines.json)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from platelayer.drawing.kit.art import path_commands, read_art
from platelayer.drawing.train.engine_gear import bands, bogie, buffers, motion, tender
from platelayer.drawing.train.engine_parts import (
    DARK,
    Engine,
    Line,
    Part,
    Plate,
    Wheel,
    arch,
    balloon,
    box,
    chimney,
    dome,
    heap,
    path,
    shape,
)
from platelayer.scene.shapes import Command, Point

COACH_CLASS = -1
"""The class of a car that only lengthens another train (a Pullman)."""
CLASSES = 7
"""Engines in the file, from the smallest to the largest."""


class _Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to draw; what `at` holds, the schema says for each."""

    draw: str
    at: tuple[float, ...] = ()
    path: str = ""
    tone: str = DARK
    edge: bool = False
    width: float = 0.0
    spokes: int = 0
    crank: float | None = None
    wheels: tuple[tuple[float, float, int], ...] = ()
    main: int = 0


class _Drawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    about: str
    length: float
    height: float
    parts: tuple[_Step, ...]


class _Engines(Struct, frozen=True, kw_only=True):
    """The whole file: engines from the smallest to the largest, and the coach."""

    engines: tuple[_Drawn, ...]
    coach: _Drawn


@cache
def engine_of(size_class: int) -> Engine:
    """The engine of a class, or of the nearest that there is; the coach for COACH_CLASS."""
    art = read_art("engines", _Engines)
    drawn = art.coach if size_class == COACH_CLASS else art.engines[max(0, min(len(art.engines) - 1, size_class))]
    parts: list[Part] = []
    for step in drawn.parts:
        parts += _parts(step, parts)
    return Engine(name=drawn.name, length=drawn.length, height=drawn.height, parts=tuple(parts))


_PLATES: Mapping[str, Callable[..., tuple[Command, ...]]] = {
    "box": box,
    "arch": arch,
    "balloon": balloon,
    "chimney": chimney,
    "dome": dome,
    "heap": heap,
    "shape": lambda *at: shape(*_points(at)),
}
_GEAR: Mapping[str, Callable[..., tuple[Part, ...]]] = {"bands": bands, "buffers": buffers, "tender": tender}


def _parts(step: _Step, before: Sequence[Part]) -> tuple[Part, ...]:
    """What a step draws; its rods join the cranks of the wheels `before` it."""
    at = step.at
    match step.draw:
        case "line":
            return (Line(commands=path(*_points(at)), width=step.width, tone=step.tone),)
        case "wheel":
            return (Wheel(x=at[0], radius=at[1], spokes=step.spokes, crank=step.crank),)
        case "bogie":
            return bogie(at[0], *(Wheel(x=x, radius=radius, spokes=spokes) for x, radius, spokes in step.wheels))
        case "motion":
            drivers = tuple(part for part in before if isinstance(part, Wheel) and part.crank is not None)
            return motion(drivers, (at[0], at[1]), step.main)
        case kind if kind in _GEAR:
            return _GEAR[kind](*at)
    commands = path_commands(step.path) if step.path else _PLATES[step.draw](*at)
    return (Plate(commands=commands, tone=step.tone, edge=step.edge),)


def _points(at: Sequence[float]) -> tuple[Point, ...]:
    return tuple(zip(at[::2], at[1::2], strict=True))
