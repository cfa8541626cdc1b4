"""Pages for dies and sheets of labels, with each piece on one of their places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.imposition.draft import (
    Draft,
    PieceToPrint,
    Placed,
    SheetSettings,
    is_turned,
    pages_of,
    placed_front,
    with_blanks,
)
from platelayer.imposition.marks import cross
from platelayer.imposition.outline import form_of, grown
from platelayer.imposition.page import Box
from platelayer.imposition.paper import find_paper, frames
from platelayer.imposition.plan import Die, Layout
from platelayer.model.kinds import Form
from platelayer.scene.shapes import Command, Point, Scene, circle_path, polygon_path

_SLACK_MM = 0.3
"""How much larger than its place a piece may be: no more than paper shrinks and dies shift."""
_PIN_MM, _PIN_CROSS_MM = 1.6, 4.0
"""The radius of a pin's hole, and the reach of the cross through it."""


def fits_die(scene: Scene, layout: Layout) -> bool:
    """Whether a piece is no larger than the places of the die."""
    if layout.die is None:
        return False
    place, size = sorted(layout.die.size_mm), sorted((scene.width_mm, scene.height_mm))
    return size[0] <= place[0] + _SLACK_MM and size[1] <= place[1] + _SLACK_MM


def check_die_paper(stem: str, layout: Layout, settings: SheetSettings) -> None:
    """Raises ProblemsFound with SH05 for paper that the die is not made for, and for folded
    backs."""
    if layout.die is None:
        return
    paper, given = find_paper(layout.die.paper), settings.paper
    if sorted((paper.width_mm, paper.height_mm)) != sorted((given.width_mm, given.height_mm)):
        message = f"the layout of {stem} is for {paper.name}, not for {given.name}"
        raise ProblemsFound(
            [Problem(code="SH05", message=message, hint=f"use the paper {layout.die.paper}")]
        )
    if settings.finish.duplex == "fold":
        message = f"the layout of {stem} takes the whole sheet: there is no half to fold over"
        raise ProblemsFound(
            [Problem(code="SH05", message=message, hint="use duplex long, short or none")]
        )


def die_sheets(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pages of a die, its places filled column by column; places stay blank between groups if the
    layout says so."""
    die = layout.die
    if die is None:
        return
    paper = find_paper(die.paper)
    frame = next(way for way in frames(paper, settings.margin_mm) if way.width_mm == paper.width_mm)
    boxes = places_of(die)
    copies = with_blanks(entries, layout.blank_between_groups, len(boxes))
    pins = tuple(
        command
        for pin in die.pins_mm
        for command in (*circle_path(*pin, _PIN_MM), *cross(*pin, _PIN_CROSS_MM))
    )
    for run in pages_of(copies, len(boxes)):
        taken = {box: entry for box, entry in zip(boxes, run, strict=False) if entry is not None}
        placed = tuple(_placed(entry, box, taken.keys(), layout) for box, entry in taken.items())
        yield Draft(frame=frame, placed=placed, marks=pins, lines=layout.outlined)


def places_of(die: Die) -> tuple[Box, ...]:
    """The places of a die, column by column, in mm from the upper left of the paper."""
    (x, y), (width, height), (across, down) = die.first_mm, die.size_mm, die.pitch_mm
    return tuple(
        (x + column * across, y + row * down + (down / 2 if low else 0.0), width, height)
        for column in range(die.columns)
        for low in (die.short_columns and column % 2 == 1,)
        for row in range(die.rows - low)
    )


def _placed(entry: PieceToPrint, box: Box, taken: Collection[Box], layout: Layout) -> Placed:
    """A piece centred in its place. Colour extends over the cut on all sides except those that a
    neighbour touches."""
    scene = entry.scene
    x, y, width, height = box
    size = (scene.width_mm, scene.height_mm)
    if is_turned(entry, box):
        size = size[::-1]
    own = (x + (width - size[0]) / 2, y + (height - size[1]) / 2, *size)
    bleed = min(layout.bleed_mm, scene.bleed_mm)
    above = any(_touch(other, box) for other in taken)
    below = any(_touch(box, other) for other in taken)
    sides = (bleed, 0.0 if above else bleed, bleed, 0.0 if below else bleed)
    clip = _clip(scene, bleed, (above, below), turned=is_turned(entry, box))
    return placed_front(entry, own, bleed=sides, clip=clip)


def _touch(upper: Box, lower: Box) -> bool:
    return abs(upper[0] - lower[0]) < 0.01 and abs(upper[1] + upper[3] - lower[1]) < 0.01


def _clip(
    scene: Scene, bleed: float, touched: tuple[bool, bool], *, turned: bool
) -> tuple[Command, ...]:
    """The outline grown by the bleed and cut off where the piece above or below begins (left and
    right of a piece that is turned: a quarter clockwise brings its left side up)."""
    form = form_of(scene)
    if form is Form.DISC:
        return grown(scene, form, bleed)
    length = scene.width_mm if turned else scene.height_mm
    if form is Form.HEXAGON:
        points = [(float(c[1]), float(c[2])) for c in grown(scene, form, bleed) if len(c) == 3]
    else:
        right, bottom = scene.width_mm + bleed, scene.height_mm + bleed
        points = [(-bleed, -bleed), (right, -bleed), (right, bottom), (-bleed, bottom)]
    axis = 0 if turned else 1
    if touched[0]:
        points = _kept(points, axis, 0.0, 1.0)
    if touched[1]:
        points = _kept(points, axis, length, -1.0)
    return polygon_path(points)


def _kept(points: Sequence[Point], axis: int, limit: float, sign: float) -> list[Point]:
    """A convex polygon without what lies before `limit` (beyond it, with sign -1) along an axis."""
    kept: list[Point] = []
    for one, other in zip(points, (*points[1:], points[0]), strict=True):
        here, there = sign * (one[axis] - limit), sign * (other[axis] - limit)
        if here >= 0:
            kept.append(one)
        if here * there < 0:
            share = here / (here - there)
            kept.append(
                (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)
            )
    return kept
