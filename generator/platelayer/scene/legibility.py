"""Legibility: the design rules of print (PRINT, "Legibility rules").

LG01 text too small, LG02 stroke too thin, LG03 text outside the safe zone, LG04 text over something it must keep clear
of, LG05 too little contrast, LG06 something outside the bleed, LG07 text covered by a later shape.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from platelayer.foundation.problems import Problem, sort_problems
from platelayer.foundation.units import mm_from_pt
from platelayer.scene.flatten import (
    Bounds,
    FlatShape,
    FlatText,
    Polygon,
    bounds_of,
    distance_to_line,
    flatten_commands,
    flatten_scene,
    inside,
    polygon_lines,
    touch,
)
from platelayer.scene.inks import WHITE, Ink, contrast
from platelayer.scene.press import proof
from platelayer.scene.shapes import Point, Role, Scene

MIN_TEXT_PT = 5.0
MIN_PLAY_PT = 7.0
"""The least size of what is read from a seat at the table; the fine print of checklists, designers' lines and the
ornaments of money and shares may be as small as MIN_TEXT_PT."""
MIN_STROKE_MM = mm_from_pt(0.25)
MIN_CONTRAST = 4.5
MIN_PRINTED_CONTRAST = 3.8
"""What black words keep of 4.5 on paper, where black ink is paler than the black of a screen."""
_CLEAR_OF = frozenset({Role.TRACK, Role.SLOT, Role.SYMBOL, Role.ORNAMENT})
_SLACK_MM = 0.1
_TOLD = 60
"""The most characters of a text that a message shows."""
_ROUNDING_MM = 1e-6
_TEXT_SLACK_MM = 0.25
_CELL_MM = 16.0
_WIDE_CELLS = 60


def check_legibility(scene: Scene, *, min_text_pt: float = MIN_TEXT_PT, press: bool = False) -> tuple[Problem, ...]:
    """Problems of one scene, sorted; `file` is empty and each message names `scene.key` and the words concerned.

    `min_text_pt` is MIN_PLAY_PT for what is read in play, MIN_TEXT_PT where there is fine print. Contrast is that of
    the inks as they look in print if they go to a `press`, otherwise on a screen.
    """
    shapes, texts = flatten_scene(scene)
    near = _Index(shapes, texts)
    found = [*_thin_strokes(scene, shapes), *_outside_bleed(scene, shapes)]
    outline = _outline(scene)
    for text in texts:
        found += _small(scene, text, min_text_pt)
        found += _unsafe(scene, text, outline)
        found += _clashes(scene, text, near, press)
    return sort_problems(found)


class _Index:
    """Shapes and texts by the squares of a grid that they touch; wide shapes, which would be in most of a poster's
    squares, are in a separate list."""

    def __init__(self, shapes: Sequence[FlatShape], texts: Sequence[FlatText]) -> None:
        self._shapes: dict[tuple[int, int], list[FlatShape]] = defaultdict(list)
        self._wide = [shape for shape in shapes if _is_wide(shape.bounds)]
        self._texts: dict[tuple[int, int], list[FlatText]] = defaultdict(list)
        wide = {shape.order for shape in self._wide}
        for shape in shapes:
            if shape.order not in wide:
                for cell in _cells(shape.bounds):
                    self._shapes[cell].append(shape)
        for text in texts:
            for cell in _cells(text.bounds):
                self._texts[cell].append(text)

    def shapes_near(self, bounds: Bounds) -> list[FlatShape]:
        """Shapes whose bounds touch `bounds`, in painting order."""
        found = {s.order: s for cell in _cells(bounds) for s in self._shapes.get(cell, ()) if touch(s.bounds, bounds)}
        found |= {shape.order: shape for shape in self._wide if touch(shape.bounds, bounds)}
        return [found[order] for order in sorted(found)]

    def texts_near(self, bounds: Bounds) -> list[FlatText]:
        """Texts whose bounds touch `bounds`, in painting order."""
        found = {t.order: t for cell in _cells(bounds) for t in self._texts.get(cell, ()) if touch(t.bounds, bounds)}
        return [found[order] for order in sorted(found)]


def _cells(bounds: Bounds) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(value // _CELL_MM) for value in bounds)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _is_wide(bounds: Bounds) -> bool:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) > _WIDE_CELLS * _CELL_MM**2


def _quoted(text: FlatText) -> str:
    """A text in quotes, shortened to fit a message."""
    words = text.run.text
    return repr(words if len(words) <= _TOLD else f"{words[:_TOLD]} ...")


def _problem(code: str, scene: Scene, message: str) -> Problem:
    return Problem(code=code, message=f"{scene.key}: {message}", about=scene.key)


def _thin_strokes(scene: Scene, shapes: Sequence[FlatShape]) -> Iterator[Problem]:
    thin = {round(s.stroke_mm, 3) for s in shapes if 0 < s.stroke_mm < MIN_STROKE_MM - 1e-6}
    for width in sorted(thin):
        yield _problem("LG02", scene, f"a stroke is {width} mm wide; at least {MIN_STROKE_MM:.3f} mm prints safely")


def _outside_bleed(scene: Scene, shapes: Sequence[FlatShape]) -> Iterator[Problem]:
    reach = scene.bleed_mm + 0.05
    page = (-reach, -reach, scene.width_mm + reach, scene.height_mm + reach)
    for shape in shapes:
        # Bounds from control points are quick but may be too large: only shapes that fail them are checked closely.
        if _holds(page, _seen(shape, shape.bounds)):
            continue
        left, top, right, bottom = _seen(shape, shape.exact_bounds)
        over = max(-left, -top, right - scene.width_mm, bottom - scene.height_mm) - scene.bleed_mm
        if over > 0.05 and left <= right and top <= bottom:
            yield _problem("LG06", scene, f"a {shape.role.value} shape reaches {over:.2f} mm beyond the bleed")
            return


def _seen(shape: FlatShape, bounds: Bounds) -> Bounds:
    """Bounds within those of every clip; left > right or top > bottom when nothing is left."""
    left, top, right, bottom = bounds
    for clip in shape.clips:
        clip_left, clip_top, clip_right, clip_bottom = bounds_of(clip)
        left, top = max(left, clip_left), max(top, clip_top)
        right, bottom = min(right, clip_right), min(bottom, clip_bottom)
    return left, top, right, bottom


def _holds(outer: Bounds, inner: Bounds) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _outline(scene: Scene) -> Polygon:
    return flatten_commands(scene.die_line)[0][0]


def _small(scene: Scene, text: FlatText, min_text_pt: float) -> Iterator[Problem]:
    min_text_pt = MIN_TEXT_PT if text.run.fine else min_text_pt
    if text.size_pt < min_text_pt - 0.05:
        yield _problem(
            "LG01", scene, f"{_quoted(text)} is {text.size_pt:.1f} pt; at least {min_text_pt:g} pt is needed"
        )


def _unsafe(scene: Scene, text: FlatText, outline: Polygon) -> Iterator[Problem]:
    safe = scene.safe_mm - _ROUNDING_MM
    if scene.outline is None and _holds((safe, safe, scene.width_mm - safe, scene.height_mm - safe), text.bounds):
        return
    lines = polygon_lines(outline, closed=True)
    for corner in text.corners:
        gap = min(distance_to_line(corner, a, b) for a, b in lines)
        if not inside(corner, outline) or gap < scene.safe_mm - 0.05:
            where = f"{gap:.2f} mm from the edge" if inside(corner, outline) else "beyond the edge"
            yield _problem("LG03", scene, f"{_quoted(text)} is {where}; the safe zone is {scene.safe_mm:g} mm")
            return


def _clashes(scene: Scene, text: FlatText, near: _Index, press: bool) -> Iterator[Problem]:
    shapes = near.shapes_near(text.bounds)
    samples = _samples(text.corners)
    grounds = _grounds(shapes, text, samples)
    floor = min(grounds)
    words = _quoted(text)
    yield from _pale(scene, text, set(grounds.values()), press)
    for shape in shapes:
        if shape.order < floor:
            continue
        if shape.order > text.order:
            if shape.fill is not None and any(shape.covers(point) for point in samples):
                yield _problem("LG07", scene, f"{words} is covered by a later {shape.role.value} shape")
        elif shape.role in _CLEAR_OF and shape.role not in text.run.over and _overlap(text.corners, shape):
            yield _problem("LG04", scene, f"{words} overlaps a {shape.role.value}")
    for other in near.texts_near(text.bounds):
        if text.order > other.order >= floor and _depth(text.corners, other.corners) > _TEXT_SLACK_MM:
            yield _problem("LG04", scene, f"{words} overlaps the text {_quoted(other)}")


def _samples(corners: Polygon) -> tuple[Point, ...]:
    middles = tuple(((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in polygon_lines(corners, closed=True))
    centre = (math.fsum(x for x, _ in corners) / 4, math.fsum(y for _, y in corners) / 4)
    inset = tuple((x + (centre[0] - x) * 0.02, y + (centre[1] - y) * 0.02) for x, y in corners + middles)
    return (*inset, centre)


def _grounds(shapes: Sequence[FlatShape], text: FlatText, samples: Sequence[Point]) -> dict[int, Ink]:
    """What lies right below a text: the topmost fill under each of its sample points, by painting order. Bare paper
    counts as order -1."""
    found: dict[int, Ink] = {}
    bare = list(samples)
    for shape in reversed(shapes):
        if shape.fill is None or shape.order > text.order:
            continue
        left = [] if shape.covers_box(text.bounds) else [point for point in bare if not shape.covers(point)]
        if len(left) < len(bare):
            found[shape.order] = shape.fill
            bare = left
        if not bare:
            return found
    return found | {-1: WHITE}


def _pale(scene: Scene, text: FlatText, inks: Iterable[Ink], press: bool) -> Iterator[Problem]:
    words_ink = text.run.ink
    ratio, worst = min((_contrast(words_ink, ink, press), ink.name) for ink in inks)
    least = MIN_PRINTED_CONTRAST if press else MIN_CONTRAST
    if ratio < least - 0.01:
        words, where = f"{_quoted(text)} in {words_ink.name} on {worst}", " in print" if press else ""
        yield _problem("LG05", scene, f"{words} has a contrast of {ratio:.1f}:1{where}; at least {least}:1 is needed")


@lru_cache(maxsize=4096)
def _contrast(words: Ink, ground: Ink, press: bool) -> float:
    return contrast(proof(words), proof(ground)) if press else contrast(words, ground)


def _overlap(corners: Polygon, shape: FlatShape) -> bool:
    """True when a text's box touches the fill or stroke of a shape by more than the slack."""
    centre = (math.fsum(x for x, _ in corners) / 4, math.fsum(y for _, y in corners) / 4)
    box = tuple(_towards(corner, centre, _SLACK_MM) for corner in corners)
    points = (*box, centre)
    if shape.clips and not all(any(inside(point, clip) for point in points) for clip in shape.clips):
        return False
    return any(shape.covers(point) for point in points) or shape.crosses(box)


def _towards(point: Point, centre: Point, by: float) -> Point:
    dx, dy = centre[0] - point[0], centre[1] - point[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    step = min(by, length * 0.5)
    return point[0] + dx / length * step, point[1] + dy / length * step


def _depth(one: Polygon, other: Polygon) -> float:
    """How deep two convex boxes overlap in mm (0 or less: not at all), by separating axes."""
    least = float("inf")
    for polygon in (one, other):
        for (ax, ay), (bx, by) in pairwise(polygon[:3]):
            length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
            ux, uy = (bx - ax) / length, (by - ay) / length
            p = [x * ux + y * uy for x, y in one]
            q = [x * ux + y * uy for x, y in other]
            least = min(least, min(max(p), max(q)) - max(min(p), min(q)))
    return least
