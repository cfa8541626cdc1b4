"""Shapes of a display list: paths, circles, text runs, groups and uses, in millimetres, y down."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from platelayer.foundation.geometry import (
    IDENTITY,
    Matrix,
    Number,
    Point,
    apply,
    multiply,
    rotation,
    scaling,
    translation,
)
from platelayer.foundation.pixels import Pixels
from platelayer.scene.inks import Ink

__all__ = [  # re-exported, so that drawing modules find all they need here
    "IDENTITY",
    "Matrix",
    "Number",
    "Point",
    "apply",
    "multiply",
    "rotation",
    "scaling",
    "translation",
]

# ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",).
Command = tuple[str | Number, ...]
Commands = tuple[Command, ...]

_ARC = 4 / 3 * math.tan(math.pi / 8)


class Role(Enum):
    """Meaning of a shape to a reader; the legibility rules use nothing else.

    GROUND is what text may be on, RELIEF a ground with lines, on which it may be while they are
    pale; TRACK, SLOT and SYMBOL are what text must keep clear of; TEXT and ORNAMENT explain
    themselves (text must not cross an ornament, but nobody has to read the ornament); WATER is a
    river, which text may cross only on a HALO, its ground drawn round its letters; MARK is outside
    the trim.
    """

    GROUND = "ground"
    RELIEF = "relief"
    TRACK = "track"
    SLOT = "slot"
    SYMBOL = "symbol"
    ORNAMENT = "ornament"
    WATER = "water"
    HALO = "halo"
    MARK = "mark"


class Anchor(Enum):
    """Point of a text run, on the baseline, that its position refers to."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


# Share of a run's width to the left of its anchor, and of the spare width to the left of aligned
# items.
SHARE = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}


class Stroke(Struct, frozen=True, array_like=True, cache_hash=True):
    """A line: ink, width in mm, dash pattern in mm, cap (butt, round, square) and join (miter,
    round, bevel)."""

    ink: Ink
    width_mm: Number
    dash: tuple[Number, ...] = ()
    cap: str = "butt"
    join: str = "miter"


class Path(Struct, frozen=True, array_like=True, tag=True):
    """A filled and/or stroked path. `even_odd` chooses the fill rule."""

    commands: Commands
    fill: Ink | None = None
    stroke: Stroke | None = None
    even_odd: bool = False
    role: Role = Role.GROUND


class Circle(Struct, frozen=True, array_like=True, tag=True):
    """A circle of radius `r` round (cx, cy)."""

    cx: Number
    cy: Number
    r: Number
    fill: Ink | None = None
    stroke: Stroke | None = None
    role: Role = Role.GROUND


class Image(Struct, frozen=True, kw_only=True, array_like=True, tag=True):
    """A picture of pixels, from (0, 0) to (width_mm, height_mm)."""

    pixels: Pixels
    width_mm: Number
    height_mm: Number
    role: Role = Role.GROUND


class Cut(str):
    """Words that were shortened, or left out if nothing remains, for want of room; `whole` is the
    full text."""

    __slots__ = ("whole",)
    whole: str

    def __new__(cls, shown: str, whole: str) -> Cut:
        """Return `shown`, which remains of `whole`."""
        cut = super().__new__(cls, shown)
        cut.whole = whole.whole if isinstance(whole, Cut) else str(whole)
        return cut

    @property
    def lost(self) -> tuple[str, str] | None:
        """The remaining text and the whole, as plain words; None if there was nothing to lose."""
        return (str(self), self.whole) if self.whole else None


class TextRun(Struct, frozen=True, kw_only=True, array_like=True, tag=True):
    """Words in ONE face on a baseline at (x, y), `size_pt` high, turned by `angle` degrees
    clockwise.

    `width_mm` is the measured advance width (painters do not measure); `tracking_mm` is added after
    each letter. `over` lists roles this run is meant to be on (an abbreviation inside a city slot).
    `fine` is fine print: what nobody has to read in play. `name` is the name of a map (of a land,
    a river or a sea) that the run is a letter of: it keeps clear of all other words. `lost` is what
    is left of words that were cut for want of room, and all of them: this run is the first of what
    is left, or empty.
    """

    x: Number
    y: Number
    text: str
    face: str
    size_pt: Number
    ink: Ink
    width_mm: Number
    anchor: Anchor = Anchor.START
    angle: Number = 0.0
    tracking_mm: Number = 0.0
    over: tuple[Role, ...] = ()
    fine: bool = False
    name: str | None = None
    lost: tuple[str, str] | None = None


class Group(Struct, frozen=True, array_like=True, tag=True):
    """Items under one transform, perhaps clipped to `clip` (in the group's own coordinates).
    `layer` names an optional layer of the PDF (the cut line). `box` (left, top, right, bottom, in
    the group's own coordinates) owns the words of the group: nothing of it is painted, but no ink
    of a word may leave it. On the box of a `place`, people lay a thing of this kind: nothing but a
    ghost is printed there. In a hex of several stops, `stop` is the number of the stop that it
    draws, `of` that of the stop whose name or values it writes."""

    items: Items
    matrix: Matrix = IDENTITY
    clip: Commands | None = None
    layer: str | None = None
    box: tuple[Number, Number, Number, Number] | None = None
    stop: int | None = None
    of: int | None = None
    place: str | None = None


class Use(Struct, frozen=True, array_like=True, tag=True):
    """A scene placed inside another: painters draw each distinct scene (by `scene.key`) once and
    place it often."""

    scene: Scene
    matrix: Matrix = IDENTITY


Item = Path | Circle | TextRun | Image | Group | Use
Items = tuple[Item, ...]


class Scene(Struct, frozen=True, eq=False, weakref=True, array_like=True):
    """One face of one piece, or one sheet: a display list with its trim.

    Coordinates run from (0, 0), the upper left of the trim box, to (width_mm, height_mm); whatever
    bleeds extends `bleed_mm` beyond it on every side. `outline` is the die line (closed commands; a
    rectangle if None). `safe_mm` is how far inside the outline all readable parts must stay. `key`
    names the scene uniquely in one run, e.g. "tile:57"; `label` is for people. `places` are the
    centres of a board's hexes by printed coordinates, for whoever points at them: nothing of it is
    painted. `cuts` are the numbers of the items where a layer begins that seldom changes with those
    below it.
    """

    key: str
    width_mm: Number
    height_mm: Number
    items: Items
    bleed_mm: Number = 0.0
    safe_mm: Number = 0.0
    outline: Commands | None = None
    label: str = ""
    places: tuple[tuple[str, Number, Number], ...] = ()
    cuts: tuple[int, ...] = ()

    @property
    def layers(self) -> tuple[Items, ...]:
        """The items between consecutive cuts, in painting order."""
        return tuple(
            self.items[start:end] for start, end in pairwise((0, *self.cuts, len(self.items)))
        )

    @property
    def die_line(self) -> Commands:
        """The outline, or the trim rectangle."""
        return self.outline or rectangle_path(0, 0, self.width_mm, self.height_mm)


def boxed(items: Sequence[Item], x: float, y: float, width: float, height: float) -> Group:
    """Return items whose words belong to a box with its upper left corner at (x, y)."""
    return Group(tuple(items), box=(x, y, x + width, y + height))


def shifted(items: Items, x: float, y: float) -> Group:
    """Return items that are drawn around (0, 0), moved around another point."""
    return Group(items, matrix=translation(x, y))


def middle_of(points: Collection[Point]) -> Point:
    """Return the mean of points."""
    count = len(points)
    return math.fsum(x for x, _ in points) / count, math.fsum(y for _, y in points) / count


def polygon_path(points: Iterable[Point], *, closed: bool = True) -> Commands:
    """Return straight lines through points."""
    commands: list[Command] = [("L" if index else "M", x, y) for index, (x, y) in enumerate(points)]
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def polygons_path(outlines: Iterable[Iterable[Point]], *, closed: bool = True) -> Commands:
    """Return several polygons as one path: filled together, touching polygons show no seam."""
    commands: list[Command] = []
    for points in outlines:
        commands += polygon_path(points, closed=closed)
    return tuple(commands)


def rectangle_path(
    x: float, y: float, width: float, height: float, radius: float = 0.0
) -> Commands:
    """Return a rectangle, with rounded corners if `radius` > 0."""
    if radius <= 0:
        return polygon_path(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))
    r, k = radius, radius * (1 - _ARC)
    right, bottom = x + width, y + height
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
        ("Z",),
    )


def notched_path(x: float, y: float, width: float, height: float, radius: float) -> Commands:
    """Return a rectangle whose corners are cut out as quarter circles, like those of tickets and
    brass plates."""
    r, k = radius, radius * _ARC
    right, bottom = x + width, y + height
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - r, y + k, right - k, y + r, right, y + r),
        ("L", right, bottom - r),
        ("C", right - k, bottom - r, right - r, bottom - k, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + r, bottom - k, x + k, bottom - r, x, bottom - r),
        ("L", x, y + r),
        ("C", x + k, y + r, x + r, y + k, x + r, y),
        ("Z",),
    )


@lru_cache(4096)
def circle_path(cx: float, cy: float, r: float) -> Commands:
    """Return a circle as four curves, for clips and outlines. Cached, because a pack has few
    different circles and writes each of them on many pieces."""
    k = r * _ARC
    return (
        ("M", cx + r, cy),
        ("C", cx + r, cy + k, cx + k, cy + r, cx, cy + r),
        ("C", cx - k, cy + r, cx - r, cy + k, cx - r, cy),
        ("C", cx - r, cy - k, cx - k, cy - r, cx, cy - r),
        ("C", cx + k, cy - r, cx + r, cy - k, cx + r, cy),
        ("Z",),
    )


def transform_commands(commands: Sequence[Command], matrix: Matrix) -> Commands:
    """Return transformed path commands."""
    a, b, c, d, e, f = matrix
    moved: list[Command] = []
    for name, *numbers in cast("Sequence[tuple[Any, ...]]", commands):
        out = [name]
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            out += (a * x + c * y + e, b * x + d * y + f)
        moved.append(tuple(out))
    return tuple(moved)


# Unique scenes, for callers that store values instead of references.


class Table:
    """Scenes that place others, which are often the same ones. Each is stored once, and wherever it
    is placed there is an empty scene instead, whose key is its number."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        # Keep the scenes alive, so that no other scene can get the same id().
        self._known: dict[int, tuple[Scene, Scene]] = {}

    def stand_in(self, scene: Scene) -> Scene:
        """Add a scene with all that it places, and return its stand-in."""
        if id(scene) not in self._known:
            added = replace(scene, items=self._items(scene.items))
            number = Scene(str(len(self.scenes)), 0.0, 0.0, ())
            self._known[id(scene)] = (scene, number)
            self.scenes.append(added)
        return self._known[id(scene)][1]

    def _items(self, items: Sequence[Item]) -> Items:
        changed: list[Item] = []
        for item in items:
            if isinstance(item, Use):
                changed.append(replace(item, scene=self.stand_in(item.scene)))
            elif isinstance(item, Group):
                changed.append(replace(item, items=self._items(item.items)))
            else:
                changed.append(item)
        return tuple(changed)


def restored(scenes: Sequence[Scene]) -> Callable[[Scene], Scene]:
    """Return a function from a stand-in to its scene. The scenes of the table are restored in
    place, so they must belong to the caller."""

    def scene_of(number: Scene) -> Scene:
        return scenes[int(number.key)]

    def restore(items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, Use):
                force_setattr(item, "scene", scene_of(item.scene))
            elif isinstance(item, Group):
                restore(item.items)

    for scene in scenes:
        restore(scene.items)
    return scene_of
