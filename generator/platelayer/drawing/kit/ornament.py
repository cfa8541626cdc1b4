"""Printer's ornaments: guilloche curves derived from a name, banners, seals, wheels and rules, and
the signs, borders and plates of a motif."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from platelayer.foundation.geometry import settled
from platelayer.foundation.values import Frozen
from platelayer.model.company import Figure, Motif
from platelayer.scene.inks import Ink
from platelayer.scene.paths import path_data_commands
from platelayer.scene.shapes import (
    Circle,
    Command,
    Commands,
    Group,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    multiply,
    notched_path,
    polygon_path,
    rectangle_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)

# Guilloche curves derived from a name: rosettes and wave bands as smooth cubic paths in fine lines.


# x, y and their derivatives.
Knot = tuple[float, float, float, float]
Curve = Callable[[float], Knot]

_STEPS_PER_LOBE = 4
# Half the distance between the two points from which a derivative is computed.
_NUDGE = 1e-4
# Sharpness of the tips of lobes, for motifs that do not state one.
_TIPS = (-0.12, 0.0, 0.1, 0.18)


class Ring(Frozen, kw_only=True):
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


class Wave(Frozen, kw_only=True):
    """A braid: `strands` equal waves, each shifted along. `waves` swings in each swell, which is
    `swell` half widths of the braid long; `depth` (0-1) is how far the braid narrows between
    swells; `sway` as in Ring."""

    strands: int
    waves: int
    swell: float
    depth: float
    sway: float


class Pattern(Frozen, kw_only=True):
    """The curves of one company: three rings of its rosette, the lace of small rosettes, its
    braid."""

    rim: Ring
    petals: Ring
    heart: Ring
    small: Ring
    wave: Wave


def pattern_of(name: str, motif: Motif | None = None) -> Pattern:
    """Return the pattern derived from a name: always the same, and different for other names. The
    motif determines the tips of its lobes, and how far they lean over."""
    digits = _digits(name)
    tips, most = (_TIPS, 1.0) if motif is None else (motif.tips, motif.sway)

    def pick(*choices: float) -> float:
        return choices[next(digits) % len(choices)]

    def ring(
        inner: float, outer: float, per_turn: tuple[int, ...], turns: tuple[int, ...], sway: float
    ) -> Ring:
        count = int(pick(*turns))
        # Add or subtract one from a multiple of the turns: the two numbers have no common factor,
        # so that the curve closes only after all turns, and each turn is slightly offset from the
        # previous one.
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
    """Yield numbers 0-255 without end, determined by the name."""
    block = name.encode()
    # Do not use `random`: its sequence for a seed may change with a release of Python, and
    # companies would get other rosettes.
    while True:
        block = hashlib.sha256(block).digest()
        yield from block


def signature_path(name: str, x: float, y: float, width_mm: float) -> Commands:
    """Return a pen flourish centred on (x, y), always the same for a name."""
    digits = _digits(f"{name} signed")
    swings = [(next(digits) / 255, next(digits) / 255) for _ in range(3)]
    height = width_mm * 0.1

    def place(t: float) -> Point:
        # Letters are loops that lean forward and fade away; then comes one long stroke back.
        fade = 1.25 - t
        loops = (a * math.sin((9 + 4 * k) * t * math.pi + 6 * b) for k, (a, b) in enumerate(swings))
        across = math.fsum(loops)
        second = swings[1][0] * math.sin(7 * t * math.pi + 6 * swings[1][1])
        up = math.sin(13 * t * math.pi + 6 * swings[0][0]) + second
        start = 2.0 * math.exp(-60 * (t - 0.06) ** 2)
        along = x + width_mm * (t - 0.5) + 0.55 * height * fade * across
        return along, y - height * (0.62 * fade * up + start) + 0.4 * height * t

    return smooth_path(derived(place), 0.0, 1.0, 44)


def smooth_path(
    curve: Curve, start: float, stop: float, steps: int, *, closed: bool = False
) -> Commands:
    """Return a curve as one path of `steps` cubics that share the curve's points and tangents at
    their joints (Hermite form). `curve` gives x, y and their derivatives for a parameter from
    `start` to `stop`."""
    span = (stop - start) / steps
    return _joined([curve(start + span * number) for number in range(steps + 1)], span, closed)


def _joined(knots: Sequence[Knot], span: float, closed: bool) -> Commands:
    """Return knots joined by cubics; the parameter grows by `span` from each to the next."""
    # The derivative of a Bezier curve at its first point is three times the step to its first
    # handle.
    reach = span / 3
    commands: list[Command] = [("M", knots[0][0], knots[0][1])]
    commands += [
        ("C", x1 + dx1 * reach, y1 + dy1 * reach, x2 - dx2 * reach, y2 - dy2 * reach, x2, y2)
        for (x1, y1, dx1, dy1), (x2, y2, dx2, dy2) in pairwise(knots)
    ]
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def derived(place: Callable[[float], Point]) -> Curve:
    """Return a curve defined by its points alone, with measured derivatives."""

    def curve(t: float) -> Knot:
        (ax, ay), (bx, by) = place(t - _NUDGE), place(t + _NUDGE)
        return (ax + bx) / 2, (ay + by) / 2, (bx - ax) / (2 * _NUDGE), (by - ay) / (2 * _NUDGE)

    return curve


@lru_cache(256)
def ring_path(ring: Ring, radius_mm: float) -> Commands:
    """Return a ring of a rosette of that radius, with its middle at (radius, radius)."""
    # The radius is middle + swing * (cos p + edge * cos 3p), where the phase p is faster than the
    # angle by the ratio of lobes to turns. The third harmonic sharpens or rounds the tips; sway
    # makes them lean by turning each point further by the sine of its phase.
    middle = (ring.outer + ring.inner) / 2 * radius_mm
    swing = (ring.outer - ring.inner) / 2 * radius_mm
    ratio, edge, sway = ring.lobes / ring.turns, ring.edge, ring.sway
    # At the tips both harmonics are 1; without this division the lobes would leave the ring.
    swing /= 1 + edge
    sin, cos, steepest = math.sin, math.cos, -swing * ratio
    steps = ring.lobes * _STEPS_PER_LOBE
    span = 2 * math.pi * ring.turns / steps
    knots = []
    for number in range(steps + 1):
        angle = span * number
        phase = ratio * angle
        s, c = sin(phase), cos(phase)
        r = middle + swing * (c + edge * cos(3 * phase))
        dr = steepest * (s + 3 * edge * sin(3 * phase))
        turned = angle + sway / ratio * s
        across, up, rate = sin(turned), cos(turned), r * (1 + sway * c)
        # At round angles knots lie halfway between two rounded values, which `settled` decides.
        x, y = settled(radius_mm + r * across), settled(radius_mm - r * up)
        knots.append((x, y, dr * across + rate * up, rate * across - dr * up))
    return _joined(knots, span, closed=True)


def rosette_scene(
    key: str, rings: tuple[Ring, ...], radius_mm: float, stroke: Stroke, role: Role
) -> Scene:
    """Return a rosette to be placed by `centred`; scaling it would make its lines thinner."""
    paths = (ring_path(ring, radius_mm) for ring in rings)
    items = tuple(Path(path, stroke=stroke, role=role) for path in paths)
    return Scene(key, 2 * radius_mm, 2 * radius_mm, items)


def centred(scene: Scene, x: float, y: float) -> Use:
    """Return a scene placed with its middle at (x, y)."""
    return Use(scene, matrix=translation(x - scene.width_mm / 2, y - scene.height_mm / 2))


def braid_scene(key: str, wave: Wave, length_mm: float, half_mm: float, stroke: Stroke) -> Scene:
    """Return a horizontal braid, `length_mm` long and twice `half_mm` high, with equal ends.

    One swell is drawn once and placed along the line; braids whose keys have the same stem share
    it.
    """
    swell = half_mm * wave.swell
    stem = key.rpartition(":")[0]
    line = Path(swell_path(wave, swell, half_mm), stroke=stroke, role=Role.ORNAMENT)
    # Swaying strands lean beyond the ends of their swell.
    lean = abs(wave.sway) * swell / wave.waves / (4 * math.pi) + 0.1
    tall = 2 * half_mm
    unit = Scene(f"{stem}:swell", swell, tall, (line,), bleed_mm=lean)
    # An odd number of swells with one in the middle makes both ends equal.
    count = math.ceil(length_mm / swell)
    count += (count + 1) % 2
    first = length_mm / 2 - count * swell / 2
    places = (translation(first + number * swell, 0.0) for number in range(count))
    placed = tuple(Use(unit, matrix=place) for place in places)
    clip = rectangle_path(0, -0.2, length_mm, tall + 0.4)
    items = (Group(placed, clip=clip),)
    return Scene(key, length_mm, tall, items)


@lru_cache(64)
def swell_path(wave: Wave, swell_mm: float, half_mm: float) -> Commands:
    """Return one swell of all strands, from one narrow place of the braid to the next."""
    k, m = 2 * math.pi / swell_mm, 2 * math.pi * wave.waves / swell_mm
    bend = wave.sway / (2 * m)
    sin, cos = math.sin, math.cos

    def strand(shift: float) -> Curve:
        def curve(x: float) -> Knot:
            phase = m * x + shift
            # The strand is narrow at both ends of the swell and wide in its middle. The slopes are
            # the derivatives of this formula, so that neighbouring swells join without a kink.
            width = half_mm * (1 - wave.depth * (0.5 + 0.5 * cos(k * x)))
            narrowing = half_mm * wave.depth * 0.5 * k * sin(k * x)
            slope = narrowing * sin(phase) + width * m * cos(phase)
            along, rate = x + bend * sin(2 * phase), 1 + wave.sway * cos(2 * phase)
            return along, half_mm + width * sin(phase), rate, slope

        return curve

    # Neighbours overlap slightly, so that no viewer shows a seam.
    lap, steps = 0.03, wave.waves * (_STEPS_PER_LOBE + 1)
    shifts = (2 * math.pi * number / wave.strands for number in range(wave.strands))
    paths = (smooth_path(strand(shift), -lap, swell_mm + lap, steps) for shift in shifts)
    return tuple(command for path in paths for command in path)


# Left, top, width, height.
Box = tuple[float, float, float, float]

# Line width of a figure as a share of half its height, and the minimum that prints.
_LINE, _LEAST_LINE_MM = 0.2, 0.1
# Distance from the corner of a border to its first repeat, as a multiple of half its height: space
# for a sign.
_CORNER = 2.1


def banner(
    middle: Point,
    width_mm: float,
    height_mm: float,
    *,
    radius_mm: float,
    fill: Ink,
    shade: Ink,
    rim: Stroke,
) -> Items:
    """Return a ribbon with its middle at a point, rising along an arc, with folded tails in `shade`
    behind it."""
    x, y = middle
    half, tall = width_mm / 2, height_mm / 2
    tail, drop = height_mm * 0.95, height_mm * 0.3

    def at(across: float, up: float) -> Point:
        angle = across / radius_mm
        r = radius_mm + up
        return x + r * math.sin(angle), y + radius_mm - r * math.cos(angle)

    tails = []
    for side in (-1, 1):
        near, far = side * (half - tail * 0.45), side * (half + tail * 0.62)
        notch = side * (half + tail * 0.22)
        upper = (at(near, tall - drop), at(far, tall - drop), at(notch, -drop))
        cut = (*upper, at(far, -tall - drop), at(near, -tall - drop))
        fold = (at(side * half, -tall), at(near, -tall), at(near, -tall - drop))
        tails.append(Path(polygon_path(cut), fill=shade, stroke=rim))
        tails.append(Path(polygon_path(fold), fill=rim.ink, stroke=rim))
    top = smooth_path(derived(lambda t: at(t, tall)), -half, half, 4)
    bottom = smooth_path(derived(lambda t: at(-t, -tall)), -half, half, 4)
    _, bx, by = bottom[0]
    arch = (*top, ("L", bx, by), *bottom[1:], ("Z",))
    return (*tails, Path(arch, fill=fill, stroke=rim))


def seal(
    x: float, y: float, radius_mm: float, *, wax: Ink, light: Ink, ribbon: Ink, line: Stroke
) -> Items:
    """Return a gold wafer with a scalloped rim on two ribbon ends, stamped with a driving wheel."""
    r, teeth = radius_mm, 28
    tails = []
    for lean in (-1, 1):
        ends = ((0.05, 0.4), (0.62, 0.3), (0.86, 1.42), (0.52, 1.28), (0.26, 1.5))
        tail = polygon_path((lean * across * r, down * r) for across, down in ends)
        tails.append(Path(tail, fill=ribbon, stroke=line, role=Role.ORNAMENT))

    # Shallow waves look like a wax seal, deeper ones like a gear.
    def scallops(a: float) -> Point:
        reach = r * (1 + 0.045 * math.cos(teeth * a))
        return reach * math.sin(a), -reach * math.cos(a)

    rim = smooth_path(derived(scallops), 0, 2 * math.pi, teeth * 4, closed=True)
    items = (
        *tails,
        Path(rim, fill=wax, stroke=line, role=Role.ORNAMENT),
        Circle(0, 0, r * 0.86, stroke=line, role=Role.ORNAMENT),
        Circle(0, 0, r * 0.8, fill=light, stroke=line, role=Role.ORNAMENT),
        *wheel(0, 0, r * 0.66, line.ink),
    )
    return (Group(items, matrix=translation(x, y)),)


def wheel(x: float, y: float, radius_mm: float, ink: Ink, spokes: int = 12) -> Items:
    """Return a locomotive's driving wheel: tyre, spokes, hub, crank and balance weight."""
    r = radius_mm
    tyre = Stroke(ink, max(0.1, r * 0.13))
    spoke = Stroke(ink, max(0.1, r * 0.07))
    rays = []
    for number in range(spokes):
        a = 2 * math.pi * number / spokes + math.pi / spokes
        for name, reach in (("M", r * 0.2), ("L", r * 0.9)):
            rays.append((name, reach * math.sin(a), -reach * math.cos(a)))
    arc = derived(lambda a: (r * 0.92 * math.sin(a), -r * 0.92 * math.cos(a)))
    weight = smooth_path(arc, -0.75, 0.75, 4, closed=True)
    items = (
        Path(tuple(rays), stroke=spoke, role=Role.ORNAMENT),
        Path(weight, fill=ink, role=Role.ORNAMENT),
        Circle(0, 0, r * 0.935, stroke=tyre, role=Role.ORNAMENT),
        Circle(0, 0, r * 0.24, fill=ink, role=Role.ORNAMENT),
        Circle(0, r * 0.4, r * 0.13, fill=ink, role=Role.ORNAMENT),
    )
    return (Group(items, matrix=translation(x, y)),)


def beads(
    x: float, y: float, width_mm: float, height_mm: float, *, bead_mm: float, ink: Ink
) -> Items:
    """Return a row of round beads along a rectangle, evenly spaced from corner to corner."""
    right, low = x + width_mm, y + height_mm
    corners = ((x, y), (right, y), (right, low), (x, low), (x, y))
    items = []
    for start, end in pairwise(corners):
        length = abs(end[0] - start[0]) + abs(end[1] - start[1])
        step = length / round(length / (bead_mm * 1.9))
        # A bead is the round cap of a dash of zero length.
        dots = Stroke(ink, bead_mm, dash=(0.001, step - 0.001), cap="round")
        side = polygon_path((start, end), closed=False)
        items.append(Path(side, stroke=dots, role=Role.ORNAMENT))
    return tuple(items)


def tapering_rule(
    x: float,
    y: float,
    length_mm: float,
    ink: Ink,
    width_mm: float,
    *,
    towards: int,
    motif: Motif | None,
    unit_mm: float = 1.0,
) -> Items:
    """Return a tapering rule from x in the direction `towards` (-1 or 1), with the sign of the
    motif (a diamond without one) at its thick end. One unit is `unit_mm` on paper."""
    d = 0.55 if motif is None else 0.75
    tip = x + towards * length_mm
    start = x + towards * 2.2 * d
    middle = x + towards * d
    head: Items
    if motif is None:
        lozenge = polygon_path(((x, y), (middle, y - d), (x + towards * 2 * d, y), (middle, y + d)))
        head = (Path(lozenge, fill=ink, role=Role.ORNAMENT),)
    else:
        head = sign_items(motif, middle, y, d, ink, unit_mm=unit_mm)
    taper = polygon_path(((start, y - width_mm), (tip, y), (start, y + width_mm)))
    return (*head, Path(taper, fill=ink, role=Role.ORNAMENT))


def sign_items(
    motif: Motif, x: float, y: float, radius: float, ink: Ink, *, unit_mm: float = 1.0
) -> Items:
    """Return the sign of a motif in a circle around (x, y); one unit is `unit_mm` on paper."""
    return _figure_items(motif.sign, (radius, unit_mm), ink, x, y)


def _figure_items(
    figure: Figure, size: tuple[float, float], ink: Ink, x: float = 0.0, y: float = 0.0
) -> tuple[Path, ...]:
    """Return a figure that spans -1 to 1, with its (0, 0) at (x, y); `size` is half its height in
    units, and the length of a unit in mm."""
    half, unit_mm = size
    place = multiply(translation(x, y), scaling(half))
    items = []
    if figure.fill:
        commands = transform_commands(_commands(figure.fill), place)
        items.append(Path(commands, fill=ink, role=Role.ORNAMENT))
    if figure.line:
        line = Stroke(ink, max(_LEAST_LINE_MM / unit_mm, _LINE * half))
        commands = transform_commands(_commands(figure.line), place)
        items.append(Path(commands, stroke=line, role=Role.ORNAMENT))
    return tuple(items)


_commands = lru_cache(256)(path_data_commands)


@lru_cache(64)
def run_items(
    motif: Motif, box: Box, *, half: float, ink: Ink, corner: float = _CORNER, unit_mm: float = 1.0
) -> Items:
    """Return the border of a motif along a rectangle, its middle line, twice `half` high. It runs
    from `corner` (in half heights) beside one corner to the same distance before the next, with
    as many whole repeats as fit, stretched to fill the side. Empty for a motif without a border.
    One unit is `unit_mm` on paper."""
    if motif.run is None:
        return ()
    # One path for hundreds of repeats: placed individually, they would take a browser longer than
    # the rest of a map.
    items = []
    for figure in _figure_items(motif.run, (half, unit_mm), ink):
        path = run_path(figure.commands, motif.length * half, box, corner * half)
        if path:
            items.append(replace(figure, commands=path))
    return tuple(items)


def run_path(figure: Commands, length: float, box: Box, gap: float) -> Commands:
    """Return a figure repeated along the sides of a rectangle, about every `length`, but at least
    `gap` from its corners."""
    x, y, width, height = box
    right, low = x + width, y + height
    sides = ((x, y, width), (right, y, height), (right, low, width), (x, low, height))
    repeats: list[Command] = []
    for number, (left, top, long) in enumerate(sides):
        count = math.floor((long - 2 * gap) / length)
        if count < 1:
            continue
        step = (long - 2 * gap) / count
        side = multiply(translation(left, top), rotation(90 * number))
        for index in range(count):
            repeat = (step / length, 0.0, 0.0, 1.0, gap + index * step, 0.0)
            repeats += transform_commands(figure, multiply(side, repeat))
    return tuple(repeats)


def plate_path(motif: Motif | None, box: Box, bite: float, *, inset: float = 0.0) -> Commands:
    """Return the outline of a plate whose corners are cut `bite` deep in the style of the motif
    (notched without one); or a line within it at the distance `inset`."""
    x, y, width, height = box
    shape = "notched" if motif is None else motif.plate
    bite = max(0.0, bite - _NARROWER.get(shape, 0.0) * inset)
    return _PLATES[shape](x + inset, y + inset, width - 2 * inset, height - 2 * inset, bite)


def _clipped(x: float, y: float, width: float, height: float, bite: float) -> Commands:
    right, bottom, b = x + width, y + height, bite * 0.8
    ends = ((x + b, y), (right - b, y), (right, y + b), (right, bottom - b))
    return polygon_path((*ends, (right - b, bottom), (x + b, bottom), (x, bottom - b), (x, y + b)))


def _stepped(x: float, y: float, width: float, height: float, bite: float) -> Commands:
    right, bottom, b = x + width, y + height, bite * 0.6
    return polygon_path(
        (
            *((x + b, y), (right - b, y), (right - b, y + b), (right, y + b)),
            *((right, bottom - b), (right - b, bottom - b), (right - b, bottom), (x + b, bottom)),
            *((x + b, bottom - b), (x, bottom - b), (x, y + b), (x + b, y + b)),
        )
    )


_PLATES: Mapping[str, Callable[[float, float, float, float, float], Commands]] = {
    "square": lambda x, y, width, height, _bite: rectangle_path(x, y, width, height),
    "rounded": rectangle_path,
    "notched": notched_path,
    "clipped": _clipped,
    "stepped": _stepped,
}
# Reduction of the corner depth of a line within a plate, for each mm of its inset.
_NARROWER = {"rounded": 1.0, "clipped": 0.73}
