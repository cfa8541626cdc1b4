"""A name in, engine-turned curves of its own out: rosettes and wave bands as smooth cubic paths in fine lines."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from platelayer.scene.shapes import (
    Command,
    Group,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    rectangle_path,
    translation,
)

Commands = tuple[Command, ...]
Curve = Callable[[float], Point]

_STEPS_PER_LOBE = 4
_NUDGE = 1e-4
_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """One closed curve that goes `turns` times round while its radius swings `lobes` times between the rims of a
    ring. `inner` and `outer` are those rims as parts of the rosette's radius; `sway` bends the lobes into loops (0:
    none, 1: strongly); `edge` sharpens (> 0) or rounds (< 0) their tips. `lobes` and `turns` have no common factor."""

    inner: float
    outer: float
    lobes: int
    turns: int
    sway: float = 0.0
    edge: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """A braid: `strands` equal waves, each shifted along. `waves` swings in each swell, which is `swell` half widths
    of the braid long; `depth` (0-1) is how far the braid narrows between swells; `sway` as in Ring."""

    strands: int
    waves: int
    swell: float
    depth: float
    sway: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """The curves of one company: three rings of its rosette, the lace of small rosettes, its braid."""

    rim: Ring
    petals: Ring
    heart: Ring
    small: Ring
    wave: Wave


def pattern_of(name: str) -> Pattern:
    """The pattern that belongs to a name, always the same; other names give others."""
    digits = _digits(name)

    def pick(*choices: float) -> float:
        return choices[next(digits) % len(choices)]

    def ring(inner: float, outer: float, per_turn: tuple[int, ...], turns: tuple[int, ...], sway: float) -> Ring:
        count = int(pick(*turns))
        lobes = int(pick(*per_turn)) * count + int(pick(1, -1))
        edge = pick(-0.12, 0.0, 0.1, 0.18)
        return Ring(
            inner=inner, outer=outer, lobes=lobes, turns=count, sway=sway * pick(-1, -0.5, 0, 0.5, 1), edge=edge
        )

    return Pattern(
        rim=ring(0.86, 1.0, (16, 18, 20, 22, 24), (3, 4), 0.9),
        petals=ring(0.5, 0.9, (5, 6, 7, 8, 9, 10), (9, 10, 11), 0.7),
        heart=ring(0.36, 0.62, (8, 9, 11, 12, 14), (5, 6, 7), 0.8),
        small=ring(0.66, 1.0, (8, 9, 10, 11, 12), (3, 4, 5), 0.8),
        wave=Wave(
            strands=int(pick(6, 8)),
            waves=int(pick(2, 3, 4)),
            swell=pick(4.5, 5.5, 6.5),
            depth=pick(0.35, 0.5, 0.7),
            sway=pick(-0.8, 0.0, 0.8),
        ),
    )


def _digits(name: str) -> Iterator[int]:
    """Numbers 0-255 without end, fixed by the name."""
    block = name.encode()
    while True:
        block = hashlib.sha256(block).digest()
        yield from block


def signature_path(name: str, x: float, y: float, width_mm: float) -> Commands:
    """A hand's flourish centred on (x, y), always the same for a name."""
    digits = _digits(f"{name} signed")
    swings = [(next(digits) / 255, next(digits) / 255) for _ in range(3)]
    height = width_mm * 0.1

    def curve(t: float) -> Point:
        # Letters: loops that lean forward and die away; then one long stroke back.
        fade = 1.25 - t
        across = sum(a * math.sin((9 + 4 * k) * t * math.pi + 6 * b) for k, (a, b) in enumerate(swings))
        up = math.sin(13 * t * math.pi + 6 * swings[0][0]) + swings[1][0] * math.sin(7 * t * math.pi + 6 * swings[1][1])
        start = 2.0 * math.exp(-60 * (t - 0.06) ** 2)
        return (
            x + width_mm * (t - 0.5) + 0.55 * height * fade * across,
            y - height * (0.62 * fade * up + start) + 0.4 * height * t,
        )

    return smooth_path(curve, 0.0, 1.0, 44)


def smooth_path(curve: Curve, start: float, stop: float, steps: int, *, closed: bool = False) -> Commands:
    """A curve given by a parameter as one path of `steps` cubics with its own tangents at the joints (Hermite form).

    Coordinates are rounded to a thousandth of a mm.
    """
    span = (stop - start) / steps
    knots = [_knot(curve, start + span * number) for number in range(steps + 1)]
    (x, y), _ = knots[0]
    commands: list[Command] = [("M", _r(x), _r(y))]
    reach = span / 3
    for ((x1, y1), (dx1, dy1)), ((x2, y2), (dx2, dy2)) in pairwise(knots):
        controls = (x1 + dx1 * reach, y1 + dy1 * reach, x2 - dx2 * reach, y2 - dy2 * reach, x2, y2)
        commands.append(("C", *map(_r, controls)))
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def _knot(curve: Curve, t: float) -> tuple[Point, Point]:
    (ax, ay), (bx, by) = curve(t - _NUDGE), curve(t + _NUDGE)
    return curve(t), ((bx - ax) / (2 * _NUDGE), (by - ay) / (2 * _NUDGE))


def _r(value: float) -> float:
    return round(value, _DIGITS)


def ring_path(ring: Ring, radius_mm: float) -> Commands:
    """A ring of a rosette round (0, 0)."""
    middle, swing = (ring.outer + ring.inner) / 2 * radius_mm, (ring.outer - ring.inner) / 2 * radius_mm
    ratio = ring.lobes / ring.turns

    def curve(angle: float) -> Point:
        phase = ratio * angle
        r = middle + swing * (math.cos(phase) + ring.edge * math.cos(3 * phase)) / (1 + ring.edge)
        turned = angle + ring.sway / ratio * math.sin(phase)
        return r * math.sin(turned), -r * math.cos(turned)

    return smooth_path(curve, 0.0, 2 * math.pi * ring.turns, ring.lobes * _STEPS_PER_LOBE, closed=True)


def rosette_scene(key: str, rings: tuple[Ring, ...], radius_mm: float, stroke: Stroke) -> Scene:
    """A rosette round (0, 0), to be placed by `Use`; scaling it would thin its lines."""
    items = tuple(Path(commands=ring_path(ring, radius_mm), stroke=stroke, role=Role.ORNAMENT) for ring in rings)
    return Scene(key=key, width_mm=0.0, height_mm=0.0, items=items)


def braid_scene(key: str, wave: Wave, length_mm: float, half_mm: float, stroke: Stroke) -> Scene:
    """A braid along the x axis from 0 to `length_mm`, `half_mm` to either side, alike at both ends.

    One swell is drawn once and placed along the line; braids of one key's stem share it.
    """
    swell = half_mm * wave.swell
    unit = _swell_scene(f"{key.rpartition(':')[0]}:swell", wave, swell, half_mm, stroke)
    count = math.ceil(length_mm / swell)
    count += (count + 1) % 2
    first = length_mm / 2 - count * swell / 2
    placed = tuple(Use(scene=unit, matrix=translation(first + number * swell, 0.0)) for number in range(count))
    clip = rectangle_path(0, -half_mm - 0.2, length_mm, 2 * half_mm + 0.4)
    return Scene(key=key, width_mm=0.0, height_mm=0.0, items=(Group(items=placed, clip=clip),))


def _swell_scene(key: str, wave: Wave, swell_mm: float, half_mm: float, stroke: Stroke) -> Scene:
    wavelength = swell_mm / wave.waves

    def strand(shift: float) -> Curve:
        def curve(x: float) -> Point:
            width = 1 - wave.depth * (0.5 + 0.5 * math.cos(2 * math.pi * x / swell_mm))
            phase = 2 * math.pi * (x / wavelength + shift)
            return x + wave.sway * wavelength / (4 * math.pi) * math.sin(2 * phase), half_mm * width * math.sin(phase)

        return curve

    # Neighbours overlap a little, so that no viewer shows a seam.
    lap, steps = 0.03, wave.waves * (_STEPS_PER_LOBE + 1)
    paths = (smooth_path(strand(number / wave.strands), -lap, swell_mm + lap, steps) for number in range(wave.strands))
    commands = tuple(command for path in paths for command in path)
    line = Path(commands=commands, stroke=stroke, role=Role.ORNAMENT)
    return Scene(key=key, width_mm=0.0, height_mm=0.0, items=(line,))
