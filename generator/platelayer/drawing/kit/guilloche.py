"""Engine-turned curves that belong to a name: rosettes and wave bands as smooth cubic paths in fine
lines."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from platelayer.foundation.ties import settled
from platelayer.model.livery import Motif
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
Knot = tuple[float, float, float, float]
"""x, y and their derivatives."""
Curve = Callable[[float], Knot]

_STEPS_PER_LOBE = 4
_NUDGE = 1e-4
_TIPS = (-0.12, 0.0, 0.1, 0.18)
"""How sharp the tips of lobes are where no motif says so."""


class Ring(Struct, frozen=True, kw_only=True):
    """One closed curve that goes `turns` times round while its radius swings `lobes` times between
    the rims of a ring. `inner` and `outer` are those rims as parts of the rosette's radius; `sway`
    bends the lobes into loops (0: none, 1: strongly); `edge` sharpens (> 0) or rounds (< 0) their
    tips. `lobes` and `turns` have no common factor."""

    inner: float
    outer: float
    lobes: int
    turns: int
    sway: float = 0.0
    edge: float = 0.0


class Wave(Struct, frozen=True, kw_only=True):
    """A braid: `strands` equal waves, each shifted along. `waves` swings in each swell, which is
    `swell` half widths of the braid long; `depth` (0-1) is how far the braid narrows between
    swells; `sway` as in Ring."""

    strands: int
    waves: int
    swell: float
    depth: float
    sway: float


class Pattern(Struct, frozen=True, kw_only=True):
    """The curves of one company: three rings of its rosette, the lace of small rosettes, its
    braid."""

    rim: Ring
    petals: Ring
    heart: Ring
    small: Ring
    wave: Wave


def pattern_of(name: str, motif: Motif | None = None) -> Pattern:
    """The pattern that belongs to a name, always the same; other names give others. The tips of its
    lobes, and how far they lean over, are those of the motif."""
    digits = _digits(name)
    tips, most = (_TIPS, 1.0) if motif is None else (motif.tips, motif.sway)

    def pick(*choices: float) -> float:
        return choices[next(digits) % len(choices)]

    def ring(
        inner: float, outer: float, per_turn: tuple[int, ...], turns: tuple[int, ...], sway: float
    ) -> Ring:
        count = int(pick(*turns))
        lobes = int(pick(*per_turn)) * count + int(pick(1, -1))
        edge = pick(*tips)
        leaning = sway * most * pick(-1, -0.5, 0, 0.5, 1)
        return Ring(inner=inner, outer=outer, lobes=lobes, turns=count, sway=leaning, edge=edge)

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
            sway=pick(-0.8, 0.0, 0.8) * most,
        ),
    )


def _digits(name: str) -> Iterator[int]:
    """An endless stream of numbers 0-255, fixed by the name."""
    block = name.encode()
    while True:
        block = hashlib.sha256(block).digest()
        yield from block


def signature_path(name: str, x: float, y: float, width_mm: float) -> Commands:
    """A hand's flourish centred on (x, y), always the same for a name."""
    digits = _digits(f"{name} signed")
    swings = [(next(digits) / 255, next(digits) / 255) for _ in range(3)]
    height = width_mm * 0.1

    def place(t: float) -> Point:
        # Letters: loops that lean forward and die away; then one long stroke back.
        fade = 1.25 - t
        across = math.fsum(
            a * math.sin((9 + 4 * k) * t * math.pi + 6 * b) for k, (a, b) in enumerate(swings)
        )
        up = math.sin(13 * t * math.pi + 6 * swings[0][0]) + swings[1][0] * math.sin(
            7 * t * math.pi + 6 * swings[1][1]
        )
        start = 2.0 * math.exp(-60 * (t - 0.06) ** 2)
        return (
            x + width_mm * (t - 0.5) + 0.55 * height * fade * across,
            y - height * (0.62 * fade * up + start) + 0.4 * height * t,
        )

    return smooth_path(derived(place), 0.0, 1.0, 44)


def smooth_path(
    curve: Curve, start: float, stop: float, steps: int, *, closed: bool = False
) -> Commands:
    """A curve as one path of `steps` cubics that have the curve's own points and tangents at their
    joints (Hermite form). `curve` gives x, y and their derivatives for a parameter from `start` to
    `stop`."""
    span = (stop - start) / steps
    knots = [curve(start + span * number) for number in range(steps + 1)]
    reach = span / 3
    commands: list[Command] = [("M", knots[0][0], knots[0][1])]
    for (x1, y1, dx1, dy1), (x2, y2, dx2, dy2) in pairwise(knots):
        commands.append(
            ("C", x1 + dx1 * reach, y1 + dy1 * reach, x2 - dx2 * reach, y2 - dy2 * reach, x2, y2)
        )
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def derived(place: Callable[[float], Point]) -> Curve:
    """A curve from its points alone: the derivatives are measured."""

    def curve(t: float) -> Knot:
        (ax, ay), (bx, by) = place(t - _NUDGE), place(t + _NUDGE)
        return (ax + bx) / 2, (ay + by) / 2, (bx - ax) / (2 * _NUDGE), (by - ay) / (2 * _NUDGE)

    return curve


@lru_cache(maxsize=256)
def ring_path(ring: Ring, radius_mm: float) -> Commands:
    """A ring of a rosette of that radius, its middle at (radius, radius)."""
    middle, swing = (
        (ring.outer + ring.inner) / 2 * radius_mm,
        (ring.outer - ring.inner) / 2 * radius_mm,
    )
    ratio, edge, sway = ring.lobes / ring.turns, ring.edge, ring.sway
    swing /= 1 + edge
    sin, cos = math.sin, math.cos

    def curve(angle: float) -> Knot:
        phase = ratio * angle
        s, c = sin(phase), cos(phase)
        r = middle + swing * (c + edge * cos(3 * phase))
        dr = -swing * ratio * (s + 3 * edge * sin(3 * phase))
        turned = angle + sway / ratio * s
        across, up, rate = sin(turned), cos(turned), r * (1 + sway * c)
        # Knots at nice angles lie halfway between two places that are written.
        x, y = settled(radius_mm + r * across), settled(radius_mm - r * up)
        return x, y, dr * across + rate * up, rate * across - dr * up

    return smooth_path(
        curve, 0.0, 2 * math.pi * ring.turns, ring.lobes * _STEPS_PER_LOBE, closed=True
    )


def rosette_scene(
    key: str, rings: tuple[Ring, ...], radius_mm: float, stroke: Stroke, role: Role
) -> Scene:
    """A rosette to be placed by `centred`; scaling it would thin its lines."""
    items = tuple(
        Path(commands=ring_path(ring, radius_mm), stroke=stroke, role=role) for ring in rings
    )
    return Scene(key=key, width_mm=2 * radius_mm, height_mm=2 * radius_mm, items=items)


def centred(scene: Scene, x: float, y: float) -> Use:
    """A scene placed with its middle at (x, y)."""
    return Use(scene=scene, matrix=translation(x - scene.width_mm / 2, y - scene.height_mm / 2))


def braid_scene(key: str, wave: Wave, length_mm: float, half_mm: float, stroke: Stroke) -> Scene:
    """A level braid, `length_mm` long and twice `half_mm` high, alike at both ends.

    One swell is drawn once and placed along the line; braids of one key's stem share it.
    """
    swell = half_mm * wave.swell
    stem = key.rpartition(":")[0]
    line = Path(commands=_swell_path(wave, swell, half_mm), stroke=stroke, role=Role.ORNAMENT)
    # Swaying strands lean out of their swell.
    lean = abs(wave.sway) * swell / wave.waves / (4 * math.pi) + 0.1
    unit = Scene(
        key=f"{stem}:swell", width_mm=swell, height_mm=2 * half_mm, items=(line,), bleed_mm=lean
    )
    count = math.ceil(length_mm / swell)
    count += (count + 1) % 2
    first = length_mm / 2 - count * swell / 2
    placed = tuple(
        Use(scene=unit, matrix=translation(first + number * swell, 0.0)) for number in range(count)
    )
    clip = rectangle_path(0, -0.2, length_mm, 2 * half_mm + 0.4)
    return Scene(
        key=key, width_mm=length_mm, height_mm=2 * half_mm, items=(Group(items=placed, clip=clip),)
    )


@lru_cache(maxsize=64)
def _swell_path(wave: Wave, swell_mm: float, half_mm: float) -> Commands:
    """One swell of all strands: from one narrow place of the braid to the next."""
    k, m = 2 * math.pi / swell_mm, 2 * math.pi * wave.waves / swell_mm
    bend = wave.sway / (2 * m)
    sin, cos = math.sin, math.cos

    def strand(shift: float) -> Curve:
        def curve(x: float) -> Knot:
            phase = m * x + shift
            width = half_mm * (1 - wave.depth * (0.5 + 0.5 * cos(k * x)))
            narrowing = half_mm * wave.depth * 0.5 * k * sin(k * x)
            slope = narrowing * sin(phase) + width * m * cos(phase)
            return (
                x + bend * sin(2 * phase),
                half_mm + width * sin(phase),
                1 + wave.sway * cos(2 * phase),
                slope,
            )

        return curve

    # Neighbours overlap a little, so that no viewer shows a seam.
    lap, steps = 0.03, wave.waves * (_STEPS_PER_LOBE + 1)
    shifts = (2 * math.pi * number / wave.strands for number in range(wave.strands))
    paths = (smooth_path(strand(shift), -lap, swell_mm + lap, steps) for shift in shifts)
    return tuple(command for path in paths for command in path)
