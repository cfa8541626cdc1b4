"""Legibility: the design rules of print (PRINT, "Legibility rules").

LG01 text too small (what is read in play 7 pt, fine print 5 pt), LG02 stroke too thin, LG03 text
outside the safe zone, LG04 text over something it must keep clear of, LG05 too little contrast,
LG06 something outside the bleed, LG07 text covered by a later shape, LG14 text outside the box that
owns it, LG15 text over a line of a relief that is nearly as dark, LG16 words that do not lie
plainly nearest to their own stop, LG17 words in a river without a halo. LG10 tells of words that
were cut or left out for want of room.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, pairwise
from operator import not_
from typing import TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.foundation.geometry import mm_from_pt
from platelayer.foundation.problems import Problem, Severity, sort_problems
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
from platelayer.scene.inks import MAX_TOTAL_INK, WHITE, Ink, contrast
from platelayer.scene.press import (
    INKS,
    inks_of_line,
    inks_of_words,
    kept_by_press,
    printed_contrast,
    recipe_of,
)
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Role,
    Scene,
    TextRun,
    Use,
    apply,
    middle_of,
    multiply,
)
from platelayer.scene.typeset import run_corners

# Owners of words: in a hex of several stops, names and values stand plainly nearest to their own
# (LG16).

# Least ratio of distances from a name, value or table to the next stop and to its own.
APART = 1.3
_OWNER_SLACK_MM = 0.2

# A line and half its width; a circle is a line without length.
_Stroke = tuple[Point, Point, float]
# Words, their stop, the stop that they may be taken to belong to, and how far they are from the two
# in mm.
Misplaced = tuple[str, int, int, float, float]


def misplaced(items: Iterable[Item]) -> Iterator[Misplaced]:
    """Words that do not stand plainly at their own stop, in all hexes that are among some items."""
    stops: dict[int, list[_Stroke]] = {}
    words: list[Group] = []
    inner = [*_sorted(items, stops, words)]
    for group in words if len(stops) > 1 else ():
        runs = [*_runs(group.items, IDENTITY)]
        led = any(isinstance(item, Group) and item.stop == group.of for item in group.items)
        if led or not runs or group.of not in stops:
            continue
        # A table below a name must be at the stop by itself.
        figures = [
            run for run in runs if run[0][-1].isdigit() and not any(map(str.isalpha, run[0]))
        ]
        box = bounds_of([corner for _, corners in figures or runs for corner in corners])
        away = {
            index: min(_distance(box, stroke) for stroke in strokes)
            for index, strokes in stops.items()
        }
        own = max(0.0, away.pop(group.of))
        other = min(away, key=away.__getitem__)
        if away[other] < APART * own - _OWNER_SLACK_MM:
            yield " ".join(text for text, _ in runs), group.of, other, own, away[other]
    for each in inner:
        yield from misplaced(each)


def _sorted(
    items: Iterable[Item], stops: dict[int, list[_Stroke]], words: list[Group]
) -> Iterator[tuple[Item, ...]]:
    """Put stops and words of one hex into `stops` and `words`; yield what is placed elsewhere."""
    for item in items:
        match item:
            case Group() if item.stop is not None:
                stops.setdefault(item.stop, []).extend(_strokes(item.items))
            case Group() if item.of is not None:
                words.append(item)
            case Group() if item.matrix == IDENTITY:
                yield from _sorted(item.items, stops, words)
            case Group():
                yield item.items
            case Use():
                yield item.scene.items


def _strokes(items: Iterable[Item]) -> Iterator[_Stroke]:
    for item in items:
        if not isinstance(item, (Circle, Path)):
            continue
        half = item.stroke.width_mm / 2 if item.stroke else 0.0
        if isinstance(item, Circle):
            centre = (item.cx, item.cy)
            yield centre, centre, item.r + half
            continue
        for polygon, closed in flatten_commands(item.commands):
            for a, b in polygon_lines(polygon, closed=closed):
                yield a, b, half


def _runs(items: Iterable[Item], matrix: Matrix) -> Iterator[tuple[str, list[Point]]]:
    """Texts with their corners."""
    for item in items:
        match item:
            case TextRun() if item.text:
                yield item.text, [apply(matrix, corner) for corner in run_corners(item)]
            case Group():
                yield from _runs(item.items, multiply(matrix, item.matrix))


def _distance(box: Bounds, stroke: _Stroke) -> float:
    """From a box to a line, less half its width."""
    left, top, right, bottom = box
    a, b, half = stroke
    gaps = [
        math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) for x, y in (a, b)
    ]
    if a != b:
        gaps += (distance_to_line((x, y), a, b) for x in (left, right) for y in (top, bottom))
    return min(gaps) - half


# The ground of words, found through a grid of squares.

_Flat = TypeVar("_Flat", FlatShape, FlatText)
_CELL_MM = 16.0
_WIDE_CELLS = 60


class Beneath(Struct, frozen=True, kw_only=True, eq=False):
    """Ground of a text: the shapes whose bounds touch it, in painting order; the points at which
    its ground was sampled; and the fills found there, by painting order (bare paper: -1)."""

    shapes: Sequence[FlatShape]
    samples: Sequence[Point]
    grounds: dict[int, Ink]


def beneath(text: FlatText, near: Nearby) -> Beneath:
    """Find the ground of a text."""
    shapes, corners = near.shapes_near(text.bounds), text.corners
    # Nine points of its box: corners and middles of sides, a little further in, and the centre.
    x, y = middle_of(corners)
    middles = tuple(
        ((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in polygon_lines(corners, closed=True)
    )
    inset = ((px + (x - px) * 0.02, py + (y - py) * 0.02) for px, py in corners + middles)
    samples = (*inset, (x, y))
    return Beneath(shapes=shapes, samples=samples, grounds=_grounds(shapes, text, samples))


class Nearby:
    """Shapes and texts by the squares of a grid that they touch; wide shapes, which would be in
    most of a poster's squares, are in a separate list."""

    def __init__(self, shapes: Sequence[FlatShape], texts: Sequence[FlatText]) -> None:
        self._shapes: dict[tuple[int, int], list[FlatShape]] = defaultdict(list)
        self._texts: dict[tuple[int, int], list[FlatText]] = defaultdict(list)
        self._wide: list[FlatShape] = []
        for shape in shapes:
            left, top, right, bottom = shape.bounds
            if (right - left) * (bottom - top) > _WIDE_CELLS * _CELL_MM**2:
                self._wide.append(shape)
                continue
            for cell in _cells(shape.bounds):
                self._shapes[cell].append(shape)
        for text in texts:
            for cell in _cells(text.bounds):
                self._texts[cell].append(text)

    def shapes_near(self, bounds: Bounds) -> list[FlatShape]:
        """Shapes whose bounds touch `bounds`, in painting order."""
        return _touching(bounds, self._shapes, self._wide)

    def texts_near(self, bounds: Bounds) -> list[FlatText]:
        """Texts whose bounds touch `bounds`, in painting order."""
        return _touching(bounds, self._texts, ())


def _touching(
    bounds: Bounds, by_cell: Mapping[tuple[int, int], list[_Flat]], wide: Iterable[_Flat]
) -> list[_Flat]:
    near = chain(wide, *(by_cell.get(cell, ()) for cell in _cells(bounds)))
    by_order = {item.order: item for item in near if touch(item.bounds, bounds)}
    return [by_order[order] for order in sorted(by_order)]


def _cells(bounds: Bounds) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(value // _CELL_MM) for value in bounds)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _grounds(
    shapes: Sequence[FlatShape], text: FlatText, samples: Sequence[Point]
) -> dict[int, Ink]:
    """Fills right below a text: the topmost one under each of its sample points, by painting order.
    Bare paper counts as order -1."""
    inks: dict[int, Ink] = {}
    bare = list(samples)
    for shape in reversed(shapes):
        if shape.fill is None or shape.order > text.order:
            continue
        left: list[Point] = []
        if not shape.covers_box(text.bounds):
            left = [*compress(bare, map(not_, shape.covered(bare)))]
        if len(left) < len(bare):
            inks[shape.order] = shape.fill
            bare = left
        if not bare:
            return inks
    return inks | {-1: WHITE}


# Black words that overprint: those whose ground can be printed under them too, so that no white
# shows at their edges where the plates do not meet.


# The key of the scene that draws a text, and the text.
Word = tuple[str, TextRun]


class Words(Struct, array_like=True):
    """Black words by what they lie on; one that is placed more than once may be in both. Sets,
    because joining them hashes no text again."""

    on_light: set[Word] = field(default_factory=set)
    on_heavy: set[Word] = field(default_factory=set)

    def add(self, text: FlatText, under: Beneath) -> None:
        """Add a text, if it is black, by its ground: heavy if a part of it leaves no room for black
        ink on top."""
        if not is_black(text.run.ink):
            return
        floor = min(under.grounds)
        below = (shape for shape in under.shapes if floor <= shape.order < text.order)
        is_heavy = any(map(_is_heavy, under.grounds.values())) or any(
            _darkens(shape, text, under) for shape in below
        )
        (self.on_heavy if is_heavy else self.on_light).add((text.owner, text.run))


_BLACK = (0.0, 0.0, 0.0, 1.0)
_SLIP = 1e-6

_known: WeakKeyDictionary[Scene, Words] = WeakKeyDictionary()


def overprinting(scenes: Iterable[Scene]) -> frozenset[Word]:
    """The black words of some pieces, with those of all scenes they place, that may overprint
    wherever they are."""
    words = [black_words(scene) for scene in scenes]
    light = set[Word]().union(*(word.on_light for word in words))
    return frozenset(light.difference(*(word.on_heavy for word in words)))


def is_black(ink: Ink) -> bool:
    """True if an ink is printed as full black alone."""
    return ink.spot is None and recipe_of(ink) == _BLACK


def remember(scene: Scene, words: Words) -> None:
    """Keep the black words of a scene, as long as there is the scene."""
    _known[scene] = words


def black_words(scene: Scene) -> Words:
    """The black words of a scene, with those of all scenes it places."""
    if scene not in _known:
        shapes, texts = flatten_scene(scene)
        near, words = Nearby(shapes, texts), Words()
        for text in texts:
            if is_black(text.run.ink):
                words.add(text, beneath(text, near))
        remember(scene, words)
    return _known[scene]


def _darkens(shape: FlatShape, text: FlatText, under: Beneath) -> bool:
    """True if a shape lies below a part of a text with too much ink."""
    if shape.fill is not None and _is_heavy(shape.fill) and any(shape.covered(under.samples)):
        return True
    most = inks_of_line(shape.stroke_mm)
    return shape.line is not None and _is_heavy(shape.line, most) and shape.crosses(text.corners)


@kept_by_press(maxsize=1024)
def _is_heavy(ink: Ink, most: int = INKS) -> bool:
    cyan, magenta, yellow, _ = recipe_of(ink, most)
    return ink.spot is None and math.fsum((cyan, magenta, yellow, 1.0)) > MAX_TOTAL_INK + _SLIP


MIN_TEXT_PT = 5.0
# The least size of all that is read in play, from a seat at the table: on every kind of piece. The
# exception is fine print (`TextRun.fine`): checklists, designers' lines and notices, the ornaments
# of money and shares, and letters that say again what a pattern shows. It may be as small as
# MIN_TEXT_PT.
MIN_PLAY_PT = 7.0
MIN_STROKE_MM = mm_from_pt(0.25)
MIN_CONTRAST = 4.5
# What black words keep of 4.5 on paper, where black ink is paler than the black of a screen.
MIN_PRINTED_CONTRAST = 3.8
# Between words that are read in play and the lines of a relief that they cross.
MIN_LINE_CONTRAST = 3.0
_LINE_SLACK_MM = 0.3
_CLEAR_OF = frozenset({Role.TRACK, Role.SLOT, Role.SYMBOL, Role.ORNAMENT})
_SLACK_MM = 0.1
# The most characters of a text that a message shows.
_MOST_CHARS = 60
_ROUNDING_MM = 1e-6
_TEXT_SLACK_MM = 0.25
_BOX_SLACK_MM = 0.05


_SHORTER = "shorten the text, or give the piece a larger size (pieces, sizes)"
_APART = "put less on the piece, give it a larger size (pieces, sizes), or move a stop, name or icon (at)"
_HINTS = {
    "LG01": _SHORTER,
    "LG02": "give the stroke at least that width in the theme",
    "LG03": _SHORTER,
    "LG04": _APART,
    "LG05": "choose a darker or lighter colour; leave out text_colour, so that it is chosen for you",
    "LG06": _APART,
    "LG07": _APART,
    "LG10": _SHORTER,
    "LG14": _SHORTER,
    "LG15": 'move a stop, name or icon (at), or lower "relief" in the theme',
    "LG16": _APART,
    "LG17": "move the name, or a place of the river's course",
}


def check_legibility(
    scene: Scene, *, min_text_pt: float = MIN_PLAY_PT, press: bool = False
) -> tuple[Problem, ...]:
    """Problems of one scene, sorted; `file` is empty and each message names `scene.key` and the
    words concerned.

    `min_text_pt` is the least size of text that is no fine print. Contrast is that of the inks as
    they look in print if they go to a `press`, otherwise on a screen.
    """
    steps = legibility_steps(scene, min_text_pt=min_text_pt, press=press)
    return sort_problems([problem for step in steps for problem in step])


def legibility_steps(
    scene: Scene, *, min_text_pt: float = MIN_PLAY_PT, press: bool = False
) -> Iterator[Sequence[Problem]]:
    """Yield the problems of `check_legibility` text by text, for callers with other things to do in
    between."""
    shapes, texts = flatten_scene(scene)
    problems = [*_thin_strokes(scene, shapes), *_outside_bleed(scene, shapes)]
    for text in texts:
        if text.run.lost is not None:
            left, whole = text.run.lost
            shown = f"is cut to {_quoted(left)}" if left else "is left out"
            message = f"there is no room for {_quoted(whole)}, which {shown}"
            problems.append(replace(_problem("LG10", scene, message), severity=Severity.WARNING))
    for words, own, other, away, nearest in misplaced(scene.items):
        message = (
            f"{_quoted(words)} of stop:{own} lies {away:.1f} mm from it, and {nearest:.1f} mm from stop:{other}; "
            f"{APART:g} times as far is needed"
        )
        problems.append(_problem("LG16", scene, message))
    yield problems
    texts = tuple(text for text in texts if text.run.text)
    near = Nearby(shapes, [text for text in texts if not text.run.ground])
    outline = flatten_commands(scene.die_line)[0][0]
    black = Words()
    for text in texts:
        problems = [
            *_small(scene, text, min_text_pt),
            *_unsafe(scene, text, outline),
            *_astray(scene, text),
        ]
        if text.run.ground and not press:
            yield [*problems, *_wet(scene, text, near.shapes_near(text.bounds), -1)]
            continue
        under = beneath(text, near)
        problems += _wet(scene, text, under.shapes, -1 if text.run.ground else min(under.grounds))
        if not text.run.ground:
            problems += _pale(scene, text, under, press)
            problems += _crossed(scene, text, under)
            problems += _clashes(scene, text, near, under)
        if press:
            black.add(text, under)
        yield problems
    if press:
        remember(scene, black)


def _quoted(words: str) -> str:
    """Words in quotes, shortened to fit a message."""
    return repr(str(words) if len(words) <= _MOST_CHARS else f"{words[:_MOST_CHARS]} ...")


def _problem(code: str, scene: Scene, message: str) -> Problem:
    return Problem(code=code, message=f"{scene.key}: {message}", hint=_HINTS[code], about=scene.key)


def _thin_strokes(scene: Scene, shapes: Sequence[FlatShape]) -> Iterator[Problem]:
    thin = {round(s.stroke_mm, 3) for s in shapes if 0 < s.stroke_mm < MIN_STROKE_MM - 1e-6}
    for width in sorted(thin):
        message = f"a stroke is {width} mm wide; at least {MIN_STROKE_MM:.3f} mm prints safely"
        yield _problem("LG02", scene, message)


def _outside_bleed(scene: Scene, shapes: Sequence[FlatShape]) -> Iterator[Problem]:
    reach = scene.bleed_mm + 0.05
    page = (-reach, -reach, scene.width_mm + reach, scene.height_mm + reach)
    for shape in shapes:
        # Bounds from control points are quick but may be too large: only shapes that fail them are
        # checked closely.
        if _holds(page, _seen(shape, shape.bounds)):
            continue
        left, top, right, bottom = _seen(shape, shape.exact_bounds)
        over = max(-left, -top, right - scene.width_mm, bottom - scene.height_mm) - scene.bleed_mm
        if over > 0.05 and left <= right and top <= bottom:
            message = f"a {shape.role.value} shape reaches {over:.2f} mm beyond the bleed"
            yield _problem("LG06", scene, message)
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
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _small(scene: Scene, text: FlatText, min_text_pt: float) -> Iterator[Problem]:
    least = MIN_TEXT_PT if text.run.fine else min_text_pt
    if text.size_pt < least - 0.05:
        words = _quoted(text.run.text)
        message = f"{words} is {text.size_pt:.1f} pt; at least {least:g} pt is needed"
        yield _problem("LG01", scene, message)


def _unsafe(scene: Scene, text: FlatText, outline: Polygon) -> Iterator[Problem]:
    safe = scene.safe_mm - _ROUNDING_MM
    zone = (safe, safe, scene.width_mm - safe, scene.height_mm - safe)
    if scene.outline is None and _holds(zone, text.bounds):
        return
    lines = polygon_lines(outline, closed=True)
    for corner in text.corners:
        gap, within = min(distance_to_line(corner, a, b) for a, b in lines), inside(corner, outline)
        if not within or gap < scene.safe_mm - 0.05:
            where = f"{gap:.2f} mm from the edge" if within else "beyond the edge"
            words = _quoted(text.run.text)
            message = f"{words} is {where}; the safe zone is {scene.safe_mm:g} mm"
            yield _problem("LG03", scene, message)
            return


def _astray(scene: Scene, text: FlatText) -> Iterator[Problem]:
    """Ink beyond the box that owns a text, along the sides of that box, however it is turned."""
    if text.box is None:
        return
    origin, across, _, down = text.box
    over = max(_beyond(text.corners, origin, across), _beyond(text.corners, origin, down))
    if over > _BOX_SLACK_MM:
        message = f"{_quoted(text.run.text)} reaches {over:.2f} mm beyond its box"
        yield _problem("LG14", scene, message)


def _beyond(corners: Polygon, start: Point, end: Point) -> float:
    """Distance in mm of the outermost of some corners before the start of a side or after its
    end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not length:
        return 0.0
    places = [((x - start[0]) * dx + (y - start[1]) * dy) / length for x, y in corners]
    return max(-min(places), max(places) - length)


def _clashes(scene: Scene, text: FlatText, near: Nearby, under: Beneath) -> Iterator[Problem]:
    floor = min(under.grounds)
    words = _quoted(text.run.text)
    for shape in under.shapes:
        if shape.order < floor:
            continue
        role = shape.role
        if shape.order > text.order:
            if shape.fill is not None and any(shape.covered(under.samples)):
                message = f"{words} is covered by a later {role.value} shape"
                yield _problem("LG07", scene, message)
        elif role in _CLEAR_OF and role not in text.run.over and _overlap(text.corners, shape):
            yield _problem("LG04", scene, f"{words} overlaps a {role.value}")
    for other in near.texts_near(text.bounds):
        is_below = text.order > other.order >= floor
        if is_below and _depth(text.corners, other.corners) > _TEXT_SLACK_MM:
            yield _problem("LG04", scene, f"{words} overlaps the text {_quoted(other.run.text)}")


def _wet(scene: Scene, text: FlatText, near: Sequence[FlatShape], floor: int) -> Iterator[Problem]:
    """A river through words, from below or above, with no halo between the two; shapes below
    `floor` are hidden."""
    waters = [shape for shape in near if shape.role is Role.WATER and shape.order >= floor]
    halos = [shape.order for shape in near if shape.role is Role.HALO and shape.order < text.order]
    for water in waters:
        if max(halos, default=-1) < water.order and _overlap(text.corners, water):
            problem = _problem("LG17", scene, f"a river runs through {_quoted(text.run.text)}")
            yield replace(problem, severity=Severity.WARNING)
            return


def _pale(scene: Scene, text: FlatText, under: Beneath, press: bool) -> Iterator[Problem]:
    ink, most = text.run.ink, inks_of_words(text.size_pt)
    ratio, worst = min(
        (_contrast(ink, ground, press, most), ground.name) for ground in {*under.grounds.values()}
    )
    least = MIN_PRINTED_CONTRAST if press else MIN_CONTRAST
    if ratio < least - 0.01:
        words, where = _quoted(text.run.text), " in print" if press else ""
        found = f"{words} in {ink.name} on {worst} has a contrast of {ratio:.1f}:1{where}"
        yield _problem("LG05", scene, f"{found}; at least {least}:1 is needed")


def _crossed(scene: Scene, text: FlatText, under: Beneath) -> Iterator[Problem]:
    """Words of play over a line of a relief that is nearly as dark as they are."""
    if text.run.fine:
        return
    floor, ink = min(under.grounds), text.run.ink
    middle = middle_of(text.corners)
    box = tuple(_towards(corner, middle, _LINE_SLACK_MM) for corner in text.corners)
    for shape in under.shapes:
        if shape.role is not Role.RELIEF or shape.line is None:
            continue
        if not floor <= shape.order < text.order:
            continue
        ratio = _contrast(ink, shape.line, press=False, most=INKS)
        if ratio < MIN_LINE_CONTRAST and _visible(shape, box) and shape.crosses(box):
            words, line = f"{_quoted(text.run.text)} in {ink.name}", f"a line of {shape.line.name}"
            found = f"{words} is crossed by {line}, with a contrast of {ratio:.1f}:1"
            message = f"{found}; at least {MIN_LINE_CONTRAST:g}:1 is needed"
            yield _problem("LG15", scene, message)
            return


def _visible(shape: FlatShape, box: Polygon) -> bool:
    """True if some of a box lies within all clips of a shape."""
    points = (*box, middle_of(box))
    return not shape.clips or all(
        any(inside(point, clip) for point in points) for clip in shape.clips
    )


@kept_by_press(maxsize=4096)
def _contrast(words: Ink, ground: Ink, press: bool, most: int) -> float:
    return printed_contrast(words, ground, most) if press else contrast(words, ground)


def _overlap(corners: Polygon, shape: FlatShape) -> bool:
    """True when a text's box touches the fill or stroke of a shape by more than the slack."""
    centre = middle_of(corners)
    box = tuple(_towards(corner, centre, _SLACK_MM) for corner in corners)
    points = (*box, centre)
    return _visible(shape, box) and (any(shape.covered(points)) or shape.crosses(box))


def _towards(point: Point, centre: Point, by: float) -> Point:
    dx, dy = centre[0] - point[0], centre[1] - point[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    step = min(by, length * 0.5)
    return point[0] + dx / length * step, point[1] + dy / length * step


def _depth(one: Polygon, other: Polygon) -> float:
    """Overlap of two convex boxes in mm (0 or less: none), by separating axes."""
    least = float("inf")
    for polygon in (one, other):
        for (ax, ay), (bx, by) in pairwise(polygon[:3]):
            length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
            ux, uy = (bx - ax) / length, (by - ay) / length
            p = [x * ux + y * uy for x, y in one]
            q = [x * ux + y * uy for x, y in other]
            least = min(least, min(max(p), max(q)) - max(min(p), min(q)))
    return least


# Problem codes of the legibility rules, with what `platelayer explain CODE` prints for each.
