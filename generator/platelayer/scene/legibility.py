"""Legibility: the design rules of print (PRINT, "Legibility rules").

LG01 text too small (what is read in play 7 pt, fine print 5 pt), LG02 stroke too thin, LG03 text
outside the safe zone, LG04 text over something it must keep clear of, LG05 too little contrast,
LG06 something outside the bleed, LG07 text covered by a later shape, LG14 text outside the box that
owns it, LG15 text over a line of a relief that is nearly as dark, LG16 words that do not lie
plainly nearest to their own stop, LG17 words in a river without a halo, LG19 other words close to a
name of a map, LG20 such a name across a line of its own colour. LG10 tells of words that were cut
or left out for want of room.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, pairwise, product
from operator import not_
from weakref import WeakKeyDictionary

from msgspec import Struct

from platelayer.foundation.geometry import MM_PER_INCH, mm_from_pt
from platelayer.foundation.problems import (
    Problem,
    Problems,
    Severity,
    severity_of,
    sort_problems,
)
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
    Items,
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

# Association of words with stops: in a hex of several stops, names and values stand clearly nearest
# to their own stop (LG16).

# Minimum ratio of the distance from a name, value or table to the next stop and that to its own
# stop.
APART = 1.3
_OWNER_SLACK_MM = 0.2

# A line and half its width; a circle is a line of zero length.
_Stroke = tuple[Point, Point, float]
# Words, their stop, the stop that they may seem to belong to, and their distances from both in mm.
Misplaced = tuple[str, int, int, float, float]


def misplaced(items: Iterable[Item]) -> Iterator[Misplaced]:
    """Yield words that are not clearly at their own stop, in all hexes among some items."""
    stops: dict[int, list[_Stroke]] = {}
    words: list[Group] = []
    inner = [*_sorted(items, stops, words)]
    for group in words if len(stops) > 1 else ():
        runs = [*_runs(group.items, IDENTITY)]
        led = any(isinstance(item, Group) and item.stop == group.of for item in group.items)
        if led or not runs or group.of not in stops:
            continue
        # A table below a name must be near the stop even without the name.
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
) -> Iterator[Items]:
    """Collect the stops and words of one hex in `stops` and `words`; yield the items of placed
    scenes."""
    for item in items:
        if isinstance(item, Use):
            yield item.scene.items
        elif isinstance(item, Group):
            if item.stop is not None:
                stops.setdefault(item.stop, []).extend(_strokes(item.items))
            elif item.of is not None:
                words.append(item)
            elif item.matrix == IDENTITY:
                yield from _sorted(item.items, stops, words)
            else:
                yield item.items


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
    """Yield texts with their corners."""
    for item in items:
        match item:
            case TextRun() if item.text:
                yield item.text, [apply(matrix, corner) for corner in run_corners(item)]
            case Group():
                yield from _runs(item.items, multiply(matrix, item.matrix))


def _distance(box: Bounds, stroke: _Stroke) -> float:
    """Return the distance from a box to a line, less half the line's width."""
    left, top, right, bottom = box
    a, b, half = stroke
    gaps = [
        math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) for x, y in (a, b)
    ]
    if a != b:
        gaps += (distance_to_line((x, y), a, b) for x in (left, right) for y in (top, bottom))
    return min(gaps) - half


# The ground of words.

_CELL_MM = 16.0


class Grid:
    """Boxes by the cells of a grid that they touch."""

    def __init__(self, boxes: Sequence[Bounds]) -> None:
        self._boxes = boxes
        self._by_cell: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, box in enumerate(boxes):
            for cell in product(*_cells(box)):
                self._by_cell[cell].append(number)

    def touching(self, bounds: Bounds) -> list[int]:
        """Return the numbers of the boxes that touch some bounds, in ascending order."""
        boxes, by_cell = self._boxes, self._by_cell
        found: Iterable[int] = range(len(boxes))
        columns, rows = _cells(bounds)
        if len(columns) * len(rows) < len(boxes):
            cells = (by_cell[cell] for cell in product(columns, rows) if cell in by_cell)
            found = sorted({*chain.from_iterable(cells)})
        left, top, right, bottom = bounds
        return [
            number
            for number in found
            if boxes[number][0] <= right
            and left <= boxes[number][2]
            and boxes[number][1] <= bottom
            and top <= boxes[number][3]
        ]


def _cells(bounds: Bounds) -> tuple[range, range]:
    """Return the columns and rows of the grid that some bounds touch."""
    left, top, right, bottom = bounds
    return (
        range(int(left // _CELL_MM), int(right // _CELL_MM) + 1),
        range(int(top // _CELL_MM), int(bottom // _CELL_MM) + 1),
    )


def close_by(shapes: Iterable[FlatShape], texts: Sequence[FlatText]) -> list[list[FlatShape]]:
    """Return, for each text, the shapes whose bounds touch the text's bounds, in painting order."""
    grid = Grid([text.bounds for text in texts])
    near: list[list[FlatShape]] = [[] for _ in texts]
    for shape in shapes:
        for number in grid.touching(shape.bounds):
            near[number].append(shape)
    return near


class Beneath(Struct, frozen=True, kw_only=True, eq=False):
    """The ground of a text: the fills found directly below it, by painting order (bare paper: -1);
    the lowest of them; and all nearby shapes that it does not hide, in painting order."""

    grounds: dict[int, Ink]
    floor: int
    shapes: Sequence[FlatShape]


def beneath(text: FlatText, near: Sequence[FlatShape]) -> Beneath:
    """Find the ground of a text among nearby shapes: the topmost fill under each of its sample
    points."""
    grounds = {}
    bare: Sequence[Point] | None = None
    for shape in reversed(near):
        if shape.fill is None or shape.order > text.order:
            continue
        if shape.covers_box(text.bounds):
            grounds[shape.order] = shape.fill
            break
        if bare is None:
            bare = _samples(text.corners)
        left = [*compress(bare, map(not_, shape.covered(bare)))]
        if len(left) < len(bare):
            grounds[shape.order] = shape.fill
            bare = left
        if not bare:
            break
    else:
        grounds[-1] = WHITE
    floor = min(grounds)
    return Beneath(
        grounds=grounds, floor=floor, shapes=[shape for shape in near if shape.order >= floor]
    )


def _samples(corners: Polygon) -> list[Point]:
    """Return nine points of a text's box: its centre, and points slightly inside its corners and
    the middles of its sides."""
    x, y = middle_of(corners)
    sides = polygon_lines(corners, closed=True)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in sides]
    inset = [(px + (x - px) * 0.02, py + (y - py) * 0.02) for px, py in (*corners, *middles)]
    return [*inset, (x, y)]


# Overprinting black words: those on a ground that can also be printed beneath them, so that
# misaligned plates show no white at their edges.


# The key of the scene that draws a text, and the text.
Word = tuple[str, TextRun]


class Words(Struct, array_like=True):
    """Black words by their ground. A word that is placed several times may be in both sets; sets,
    because joining them hashes no text again."""

    on_light: set[Word] = set()
    on_heavy: set[Word] = set()

    def add(self, text: FlatText, under: Beneath) -> None:
        """Add a text, if it is black, by its ground: heavy if the text is large, or if any part of
        the ground has too much ink to print black on top."""
        if not is_black(text.run.ink):
            return
        is_heavy = (
            text.size_pt > _MOST_OVER_PT
            or any(map(_is_heavy, under.grounds.values()))
            or any(_darkens(shape, text) for shape in under.shapes if shape.order < text.order)
        )
        (self.on_heavy if is_heavy else self.on_light).add((text.owner, text.run))


_BLACK = (0.0, 0.0, 0.0, 1.0)
_SLIP = 1e-6
# Larger figures knock out the ground, as printers do it: overprinted on yellow, black turns brown.
_MOST_OVER_PT = 24.0

_known: WeakKeyDictionary[Scene, Words] = WeakKeyDictionary()


def overprinting(scenes: Iterable[Scene]) -> frozenset[Word]:
    """Return the black words of some pieces, including all scenes placed in them, that may
    overprint everywhere."""
    words = [black_words(scene) for scene in scenes]
    light = set[Word]().union(*(word.on_light for word in words))
    return frozenset(light.difference(*(word.on_heavy for word in words)))


def is_black(ink: Ink) -> bool:
    """Return True if an ink is printed as full black alone."""
    return ink.spot is None and recipe_of(ink) == _BLACK


def remember(scene: Scene, words: Words) -> None:
    """Store the black words of a scene as long as the scene exists."""
    _known[scene] = words


def black_words(scene: Scene) -> Words:
    """Return the black words of a scene, including all scenes placed in it."""
    if scene not in _known:
        shapes, texts = flatten_scene(scene)
        texts, words = [text for text in texts if is_black(text.run.ink)], Words()
        for text, near in zip(texts, close_by(shapes, texts), strict=True):
            words.add(text, beneath(text, near))
        remember(scene, words)
    return _known[scene]


def _darkens(shape: FlatShape, text: FlatText) -> bool:
    """Return True if a shape below any part of a text has too much ink."""
    is_dark = shape.fill is not None and _is_heavy(shape.fill)
    if is_dark and any(shape.covered(_samples(text.corners))):
        return True
    most = inks_of_line(shape.stroke_mm)
    return shape.line is not None and _is_heavy(shape.line, most) and shape.crosses(text.corners)


@kept_by_press(maxsize=1024)
def _is_heavy(ink: Ink, most: int = INKS) -> bool:
    cyan, magenta, yellow, _ = recipe_of(ink, most)
    return ink.spot is None and math.fsum((cyan, magenta, yellow, 1.0)) > MAX_TOTAL_INK + _SLIP


MIN_TEXT_PT = 5.0
# Minimum size of text that is read during play, from a seat at the table, on every kind of piece.
# The exception is fine print (`TextRun.fine`), which may be as small as MIN_TEXT_PT: checklists,
# designers' lines and notices, the ornaments of money and shares, and letters that repeat what a
# pattern shows.
MIN_PLAY_PT = 7.0
MIN_STROKE_MM = mm_from_pt(0.25)
MIN_CONTRAST = 4.5
# For names on a map in letters of at least this size (WCAG 2.2, 1.4.3: large text).
LARGE_CONTRAST, LARGE_PT = 3.0, 14.0
# Clearance from a name on a map to all other words; and the contrast below which a line across the
# name counts as having the same colour.
NAME_APART_MM, SAME_COLOUR = 1.0, 1.5
# Pictures with fewer pixels per inch look blurred, on a press or at arm's length.
MIN_DPI, PRESS_DPI = 200, 300
# The 4.5:1 of black words on a screen as it appears on paper, where black ink is paler.
MIN_PRINTED_CONTRAST = 3.8
# Contrast between words that are read during play and the lines of a relief that cross them.
MIN_LINE_CONTRAST = 3.0
_LINE_SLACK_MM = 0.3
_CLEAR_OF = (Role.TRACK, Role.SLOT, Role.SYMBOL, Role.ORNAMENT)
_SLACK_MM = 0.1
# Maximum number of characters of a text that a message quotes.
_MOST_CHARS = 60
_ROUNDING_MM = 1e-6
_TEXT_SLACK_MM = 0.25
_BOX_SLACK_MM = 0.05


_SHORTER = "shorten the text, or give the piece a larger size (pieces, sizes)"
_APART = "put less on the piece, give it a larger size (pieces, sizes), or move a stop, name or icon (at)"
_NAME_APART = "move the name of the hex or its stop (at), or shorten the name of the land or river"
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
    "LG19": _NAME_APART,
    "LG20": _NAME_APART,
}


def check_legibility(scene: Scene, *, press: bool = False) -> tuple[Problem, ...]:
    """Return the problems of one scene, sorted. `file` is empty, and each message names `scene.key`
    and the words concerned. For a `press`, contrast is that of the inks as printed, otherwise as
    on a screen."""
    steps = legibility_steps(scene, press=press)
    return sort_problems([problem for step in steps for problem in step])


def legibility_steps(scene: Scene, *, press: bool = False) -> Iterator[Sequence[Problem]]:
    """Yield the problems of `check_legibility` text by text, so that the caller can do other work
    in between."""
    shapes, texts = flatten_scene(scene)
    found = [*_thin_strokes(shapes), *_outside_bleed(scene, shapes)]
    for text in texts:
        if text.run.lost is not None:
            left, whole = text.run.lost
            shown = f"is cut to {_quoted(left)}" if left else "is left out"
            found.append(("LG10", f"there is no room for {_quoted(whole)}, which {shown}"))
    for words, own, other, away, nearest in misplaced(scene.items):
        message = (
            f"{_quoted(words)} of stop:{own} lies {away:.1f} mm from it, and {nearest:.1f} mm from stop:{other}; "
            f"{APART:g} times as far is needed"
        )
        found.append(("LG16", message))
    yield [*_problems(scene, found), *_coarse(scene, shapes, PRESS_DPI if press else MIN_DPI)]
    texts = [text for text in texts if text.run.text]
    grid = Grid([text.bounds for text in texts])
    outline = flatten_commands(scene.die_line)[0][0]
    black = Words()
    for number, (text, near) in enumerate(zip(texts, close_by(shapes, texts), strict=True)):
        under = beneath(text, near)
        # Overlapping texts are one problem, reported for the later text.
        before = (texts[other] for other in grid.touching(text.bounds) if other < number)
        found = [
            *_small(text),
            *_unsafe(scene, text, outline),
            *_astray(text),
            *_wet(text, under.shapes),
            *_pale(text, under, press),
            *_crossed(text, under),
            *_clashes(text, before, under),
        ]
        if text.run.name is not None:
            x, y, end, foot = text.bounds
            by = NAME_APART_MM
            around = grid.touching((x - by, y - by, end + by, foot + by))
            found += _near_names(text, (texts[other] for other in around))
        if press:
            black.add(text, under)
        yield _problems(scene, found)
    if press:
        remember(scene, black)


def _quoted(words: str) -> str:
    """Return words in quotes, shortened for a message."""
    return repr(str(words) if len(words) <= _MOST_CHARS else f"{words[:_MOST_CHARS]} ...")


# Codes and messages.
_Found = Iterator[tuple[str, str]]


def _problems(scene: Scene, found: Iterable[tuple[str, str]]) -> list[Problem]:
    return [
        Problem(
            code,
            f"{scene.key}: {message}",
            _HINTS[code],
            severity=severity_of(code),
            about=scene.key,
        )
        for code, message in found
    ]


def _coarse(scene: Scene, shapes: Iterable[FlatShape], least: int) -> Problems:
    for shape in shapes:
        if shape.image is not None:
            image = shape.image
            width_mm = image.width_mm * shape.scale
            dpi = image.pixels.width / width_mm * MM_PER_INCH
            if dpi < least - 0.5:
                needed = [
                    math.ceil(side * least / dpi)
                    for side in (image.pixels.width, image.pixels.height)
                ]
                message = (
                    f'"{image.pixels.file}" has {dpi:.0f} dpi as printed on {scene.key}, {width_mm:.1f} mm wide; '
                    f"{least} dpi take {needed[0]} x {needed[1]} pixels"
                )
                yield Problem(
                    "PI02",
                    message,
                    "export it with that many pixels, or as SVG",
                    severity=Severity.WARNING,
                    about=scene.key,
                )


def _thin_strokes(shapes: Iterable[FlatShape]) -> _Found:
    least = MIN_STROKE_MM - 1e-6
    thin = {round(s.stroke_mm, 3) for s in shapes if 0 < s.stroke_mm < least}
    for width in sorted(thin):
        message = f"a stroke is {width} mm wide; at least {MIN_STROKE_MM:.3f} mm prints safely"
        yield "LG02", message


def _outside_bleed(scene: Scene, shapes: Iterable[FlatShape]) -> _Found:
    reach = scene.bleed_mm + 0.05
    page = (-reach, -reach, scene.width_mm + reach, scene.height_mm + reach)
    # Bounds from control points are quick to compute but may be too large, so only shapes that fail
    # with them are checked exactly.
    for shape in shapes:
        if _holds(page, shape.bounds) or _holds(page, _seen(shape, shape.bounds)):
            continue
        left, top, right, bottom = _seen(shape, shape.exact_bounds)
        over = max(-left, -top, right - scene.width_mm, bottom - scene.height_mm) - scene.bleed_mm
        if over > 0.05 and left <= right and top <= bottom:
            message = f"a {shape.role.value} shape reaches {over:.2f} mm beyond the bleed"
            yield "LG06", message
            return


def _seen(shape: FlatShape, bounds: Bounds) -> Bounds:
    """Return bounds within those of every clip; left > right or top > bottom if nothing remains."""
    left, top, right, bottom = bounds
    for clip in shape.clips:
        clip_left, clip_top, clip_right, clip_bottom = clip.bounds
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


def _small(text: FlatText) -> _Found:
    least = MIN_TEXT_PT if text.run.fine else MIN_PLAY_PT
    if text.size_pt < least - 0.05:
        words = _quoted(text.run.text)
        message = f"{words} is {text.size_pt:.1f} pt; at least {least:g} pt is needed"
        yield "LG01", message


def _unsafe(scene: Scene, text: FlatText, outline: Polygon) -> _Found:
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
            yield "LG03", message
            return


def _astray(text: FlatText) -> _Found:
    """Yield ink beyond the box that owns a text, measured along the sides of that box, however it
    is rotated."""
    if text.box is None:
        return
    origin, across, end, down = text.box
    is_upright = origin[1] == across[1] and origin[0] == down[0]
    if is_upright and _holds((*origin, *end), text.bounds):
        return
    over = max(_beyond(text.corners, origin, across), _beyond(text.corners, origin, down))
    if over > _BOX_SLACK_MM:
        message = f"{_quoted(text.run.text)} reaches {over:.2f} mm beyond its box"
        yield "LG14", message


def _beyond(corners: Polygon, start: Point, end: Point) -> float:
    """Return the distance in mm by which the outermost corner lies before the start of a side or
    after its end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not length:
        return 0.0
    places = [((x - start[0]) * dx + (y - start[1]) * dy) / length for x, y in corners]
    return max(-min(places), max(places) - length)


def _clashes(text: FlatText, before: Iterable[FlatText], under: Beneath) -> _Found:
    """Yield shapes below a text that it must keep clear of, shapes painted over it, and earlier
    texts that it overlaps."""
    words = text.run.text
    for shape in under.shapes:
        role = shape.role
        if shape.order > text.order:
            if shape.fill is not None and any(shape.covered(_samples(text.corners))):
                message = f"{_quoted(words)} is covered by a later {role.value} shape"
                yield "LG07", message
        elif role in _CLEAR_OF and role not in text.run.over and _overlap(text.corners, shape):
            yield "LG04", f"{_quoted(words)} overlaps a {role.value}"
    for other in before:
        is_seen = other.order >= under.floor
        if is_seen and _depth(text.corners, other.corners) > _TEXT_SLACK_MM:
            message = f"{_quoted(words)} overlaps the text {_quoted(other.run.text)}"
            yield "LG04", message


def _wet(text: FlatText, near: Sequence[FlatShape]) -> _Found:
    """Yield a river above or below words without a halo in between."""
    waters = [shape for shape in near if shape.role is Role.WATER]
    if not waters:
        return
    halos = [shape.order for shape in near if shape.role is Role.HALO and shape.order < text.order]
    for water in waters:
        if max(halos, default=-1) < water.order and _overlap(text.corners, water):
            yield "LG17", f"a river runs through {_quoted(text.run.text)}"
            return


def _pale(text: FlatText, under: Beneath, press: bool) -> _Found:
    ink, most = text.run.ink, inks_of_words(text.size_pt)
    ratio, worst = min(
        (_contrast(ink, ground, press, most), ground.name) for ground in {*under.grounds.values()}
    )
    is_large = text.run.name is not None and text.size_pt >= LARGE_PT
    least = LARGE_CONTRAST if is_large else MIN_CONTRAST
    if press:
        least = round(least * MIN_PRINTED_CONTRAST / MIN_CONTRAST, 1)
    if ratio < least - 0.01:
        words, where = _quoted(text.run.text), " in print" if press else ""
        found = f"{words} in {ink.name} on {worst} has a contrast of {ratio:.1f}:1{where}"
        yield "LG05", f"{found}; at least {least}:1 is needed"


def _crossed(text: FlatText, under: Beneath) -> _Found:
    """Yield words of play over a relief line that is nearly as dark, and map names over any line of
    their own colour, where no halo interrupts it."""
    if text.run.fine:
        return
    is_name = text.run.name is not None
    lines = [
        (shape, shape.line)
        for shape in under.shapes
        if (is_name or shape.role is Role.RELIEF)
        and shape.line is not None
        and shape.order < text.order
    ]
    if not lines:
        return
    halo = max((shape.order for shape in under.shapes if shape.role is Role.HALO), default=-1)
    ink, middle = text.run.ink, middle_of(text.corners)
    box = tuple(_towards(corner, middle, _LINE_SLACK_MM) for corner in text.corners)
    for shape, drawn in lines:
        code, least = ("LG15", MIN_LINE_CONTRAST)
        if shape.role is not Role.RELIEF:
            code, least = ("LG20", SAME_COLOUR)
        if shape.role is Role.HALO or shape.order < halo < text.order:
            continue
        ratio = _contrast(ink, drawn, press=False, most=INKS)
        if ratio < least and _visible(shape, box) and shape.crosses(box):
            words, line = f"{_quoted(text.run.text)} in {ink.name}", f"a line of {drawn.name}"
            found = f"{words} is crossed by {line}, with a contrast of {ratio:.1f}:1"
            yield code, f"{found}; at least {least:g}:1 is needed"
            # A relief consists of many such lines, and all have the same remedy.
            return


def _near_names(text: FlatText, around: Iterable[FlatText]) -> _Found:
    """Yield words so close to a letter of a map name that a reader takes them for part of it."""
    name, corners = text.run.name or "", text.corners
    for other in around:
        if other.run.name == name:
            continue
        gap = min(
            distance_to_line(corner, a, b)
            for one, two in ((corners, other.corners), (other.corners, corners))
            for corner in one
            for a, b in polygon_lines(two, closed=True)
        )
        if gap < NAME_APART_MM - 0.01:
            words = f"{_quoted(text.run.text)} of {_quoted(name)} is {gap:.1f} mm from"
            message = f"{words} {_quoted(other.run.text)}; at least {NAME_APART_MM:g} mm is needed"
            yield "LG19", message


def _visible(shape: FlatShape, box: Polygon) -> bool:
    """Return True if any part of a box lies within all clips of a shape."""
    points = (*box, middle_of(box))
    return all(any(clip.surrounded(points)) for clip in shape.clips)


@kept_by_press(maxsize=4096)
def _contrast(words: Ink, ground: Ink, press: bool, most: int) -> float:
    return printed_contrast(words, ground, most) if press else contrast(words, ground)


def _overlap(corners: Polygon, shape: FlatShape) -> bool:
    """Return True if a text's box overlaps the fill or stroke of a shape by more than the
    tolerance."""
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
    """Return the overlap of two convex boxes in mm (0 or less: none), by separating axes."""
    least = float("inf")
    for polygon in (one, other):
        for (ax, ay), (bx, by) in pairwise(polygon[:3]):
            length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
            ux, uy = (bx - ax) / length, (by - ay) / length
            p = [x * ux + y * uy for x, y in one]
            q = [x * ux + y * uy for x, y in other]
            least = min(least, min(max(p), max(q)) - max(min(p), min(q)))
    return least
