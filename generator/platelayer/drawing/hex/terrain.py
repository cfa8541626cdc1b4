"""Terrain symbols: fine flat vector art, centred, at any width (assets/art/terrain.json)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from platelayer.drawing.hex.geometry import between
from platelayer.drawing.kit.icons import read_art
from platelayer.drawing.kit.style import Style
from platelayer.foundation.values import Frozen
from platelayer.scene.shapes import (
    Command,
    Commands,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    translation,
)

# Width of the sheet on which a symbol is drawn; the height depends on the symbol.
_SHEET = 100.0
# Minimum line width, however small the symbol.
_FINEST_MM = 0.1
_OTHER = "other"
# Kinds of terrain that the line of a river already shows.
RIVER_KINDS = frozenset(("river", "water"))
# Sag of a flank, in units of the drawing: four times its value at mid-height.
_SAG = 8.8


class _Step(Frozen, kw_only=True, forbid_unknown_fields=True):
    """One drawing step; the schema says which fields each kind of step needs."""

    draw: str
    at: tuple[float, ...] = ()
    points: tuple[Point, ...] = ()
    corners: tuple[Point, ...] = ()
    strokes: tuple[tuple[Point, ...], ...] = ()
    waves: tuple[tuple[float, float, float, int, float], ...] = ()
    ink: str = ""
    weight: float = 1.0
    smooth: bool = False
    closed: bool = False


class _Motif(Frozen, kw_only=True, forbid_unknown_fields=True):
    """A part that symbols repeat in various sizes; its points are shares of that size."""

    about: str
    steps: tuple[_Step, ...]


class _Symbol(Frozen, kw_only=True, forbid_unknown_fields=True):
    """The symbol of a kind of terrain on a sheet 100 wide and `height` high."""

    about: str
    height: float
    steps: tuple[_Step, ...]


class _Sign(Frozen, kw_only=True, forbid_unknown_fields=True):
    """A sign that a texture repeats, on a sheet 100 wide and `height` high."""

    height: float
    steps: tuple[_Step, ...]


class Form(Frozen, kw_only=True, forbid_unknown_fields=True):
    """Form of a range of mountains or hills on a map, in mm on hexes of the usual size: its height
    (1: mountains), the width of its ridges and, less, of its spurs to either side where they are
    1 high, the way along a ridge from spur to spur (on its two sides by turns), the length of the
    longest, and how far chance moves their points."""

    about: str
    rise: float
    wide_mm: float
    steep_mm: float
    apart_mm: float
    long_mm: float
    sway_mm: float


class Texture(Frozen, kw_only=True, forbid_unknown_fields=True):
    """Signs scattered over flat ground on a map: the width of the largest and the distance between
    them, in mm on hexes of the usual size."""

    about: str
    width_mm: float
    apart_mm: float
    signs: tuple[_Sign, ...]


class _Terrain(Frozen, kw_only=True):
    """The whole file; `same_as` names kinds that share a symbol."""

    motifs: dict[str, _Motif]
    symbols: dict[str, _Symbol]
    ranges: dict[str, Form]
    textures: dict[str, Texture]
    same_as: dict[str, str]


def _art() -> _Terrain:
    return read_art("terrain", _Terrain)


def terrain_kind(kind: str) -> str:
    """Return the kind whose symbol stands for `kind` ("swamp" is drawn as "marsh"); "other" if none
    does."""
    kind = _art().same_as.get(kind, kind)
    return kind if kind in _art().symbols else _OTHER


def relief_kind(kind: str) -> str | None:
    """Return the range or texture by which maps show a kind of terrain as relief ("alps" as
    "mountain"); None if they do not."""
    kind = _art().same_as.get(kind, kind)
    return kind if kind in _art().ranges or kind in _art().textures else None


def ranges() -> Mapping[str, Form]:
    """Return the kinds of high ground."""
    return _art().ranges


def textures() -> Mapping[str, Texture]:
    """Return the kinds of flat ground with a texture."""
    return _art().textures


@lru_cache(256)
def texture_sign(kind: str, number: int, width_mm: float, style: Style) -> Scene:
    """Return the sign with that `number` of a texture, `width_mm` wide; words may cross it."""
    sign = textures()[kind].signs[number]
    pen = Pen(style, width_mm, Role.RELIEF)
    for step in sign.steps:
        _draw(pen, step)
    return Scene(
        f"relief:{kind}:{number}:{width_mm:g}",
        width_mm,
        width_mm * sign.height / _SHEET,
        tuple(_joined(pen.items)),
        bleed_mm=1.0,
    )


def _joined(items: Iterable[Path]) -> Iterator[Path]:
    """Yield items with consecutive lines of the same stroke merged into one path, because most
    lines of small signs are equally thin."""
    for stroke, run in groupby(items, key=lambda item: None if item.fill else item.stroke):
        paths = [*run]
        if stroke is None:
            yield from paths
        else:
            commands = tuple(command for path in paths for command in path.commands)
            yield Path(commands, stroke=stroke, role=paths[0].role)


def terrain_size(kind: str, width_mm: float) -> tuple[float, float]:
    """Return width and height in mm of the symbol for a kind of terrain."""
    return width_mm, width_mm * _art().symbols[terrain_kind(kind)].height / _SHEET


def terrain_items(kind: str, width_mm: float, style: Style) -> Items:
    """Return the symbol for a kind of terrain, centred on (0, 0), `width_mm` wide; `terrain_size`
    gives its height.

    Every shape has Role.SYMBOL. The symbol is a single `Use`, so that painters store each symbol
    and size once.
    """
    width_mm = round(width_mm, 2)
    scene = _symbol(terrain_kind(kind), width_mm, style)
    return (Use(scene, matrix=translation(-scene.width_mm / 2, -scene.height_mm / 2)),)


@lru_cache(256)
def _symbol(kind: str, width_mm: float, style: Style) -> Scene:
    pen = Pen(style, width_mm)
    for step in _art().symbols[kind].steps:
        _draw(pen, step)
    width, height = terrain_size(kind, width_mm)
    return Scene(
        f"terrain:{kind}:{width_mm:g}",
        width,
        height,
        tuple(pen.items),
        bleed_mm=1.0,
    )


def _draw(pen: Pen, step: _Step, foot: Point = (0.0, 0.0), size: float = 1.0) -> None:
    """Draw a step whose points are relative to `foot` in units of `size`."""

    def placed(points: Sequence[Point]) -> list[Point]:
        return [(foot[0] + x * size, foot[1] + y * size) for x, y in points]

    def line(points: Sequence[Point], *, closed: bool = False) -> Commands:
        return (smooth if step.smooth else polygon_path)(placed(points), closed=closed)

    match step.draw:
        case "fill" if step.corners:
            rest = (("L", *point) for point in placed(step.corners))
            pen.fill((*line(step.points), *rest, ("Z",)), step.ink)
        case "fill":
            pen.fill(line(step.points, closed=True), step.ink)
        case "line":
            pen.line(line(step.points, closed=step.closed), step.ink, step.weight)
        case "lines":
            pen.lines([placed(points) for points in step.strokes], step.ink, step.weight)
        case "waves":
            pen.lines([wave(*place) for place in step.waves], step.ink, step.weight)
        case kind if kind in _COMPUTED:
            _COMPUTED[kind](pen, *step.at)
        case motif:
            x, y, across = step.at
            for inner in _art().motifs[motif].steps:
                _draw(pen, inner, (x, y), across)


def _slope(top: Point, foot: Point) -> list[Point]:
    """Return the line from the top to a foot: a flank that is steep above and levels out below,
    broken by small ledges."""
    side = 1.0 if foot[0] > top[0] else -1.0
    points = [top]
    for share, ledge in ((0.2, -0.55), (0.38, 0.35), (0.6, -0.25), (0.8, 0.3)):
        x, y = between(top, foot, share)
        bend = _SAG * share * (1 - share)
        points.append((x - side * (bend - ledge), y + bend * 0.55))
    return [*points, foot]


def _at_height(line: Sequence[Point], y: float) -> float:
    """Return the x of a falling line at height y."""
    for (x1, y1), (x2, y2) in pairwise(line):
        if y1 <= y <= y2 and y2 > y1:
            return x1 + (x2 - x1) * (y - y1) / (y2 - y1)
    return line[-1][0]


def _draw_peak(pen: Pen, *at: float) -> None:
    """Draw a peak lit from the left: x and y of its top, x and y of the left and right feet, and
    the reach of its spur."""
    x, y, left_x, left_y, right_x, right_y, spur = at
    top = (x, y)
    left, right = _slope(top, (left_x, left_y)), _slope(top, (right_x, right_y))
    # The spur separates light from shade in a zigzag from the top to the foot.
    low = max(left_y, right_y)
    swing = ((0.16, 0.42), (0.30, 0.12), (0.48, 0.72), (0.64, 0.40), (0.82, 1.05), (1.0, 0.85))
    ridge = [top, *((x + spur * out, y + (low - y) * share) for share, out in swing)]
    foot = (ridge[-1][0], low + 1.2)
    outline = [*reversed(left), *right[1:]]
    pen.fill(polygon_path([*outline, foot]), "terrain.mountain.light")
    pen.fill(polygon_path([*ridge, foot, *reversed(right[1:])]), "terrain.mountain.shade")
    # Hachures: many and long in the shade, parallel to the right flank; few and short in the light.
    height = right_y - y
    fall, run = (right_x - x) / height, (x - left_x) / (left_y - y)
    shade = []
    for step in range(1, 8):
        start_y = y + height * (0.06 + 0.115 * step)
        start_x = _at_height(ridge, start_y) + 0.9
        length = height * (0.42 - 0.034 * step)
        end_y = min(start_y + length, right_y + 0.4)
        reach = _at_height(right, end_y) - 0.8
        end_x = min(start_x + (end_y - start_y) * fall * 0.92, reach)
        if end_y - start_y > 1.0 and end_x > start_x:
            shade.append(((start_x, start_y), (end_x, end_y)))
    pen.lines(shade, "terrain.mountain.line", 0.75)
    light = []
    for step in (2, 4, 6):
        start_y = y + height * (0.10 + 0.115 * step)
        start_x = _at_height(ridge, start_y) - 1.2
        length = height * (0.20 - 0.012 * step)
        flank = _at_height(left, min(start_y + length, left_y)) + 1.2
        end_x = max(start_x - length * run * 0.8, flank)
        if end_x < start_x:
            light.append(((start_x, start_y), (end_x, start_y + length)))
    pen.lines(light, "terrain.mountain.line", 0.6)
    pen.line(polygon_path(outline, closed=False), "terrain.mountain.line", 1.15)
    pen.line(polygon_path(ridge[:-1], closed=False), "terrain.mountain.line", 0.75)


# Height of a peak in symbols of mountains, and the extent of its spur.
_PEAK, _SPUR = 52.0, 9.0


def peak_items(corners: tuple[Point, Point, Point], style: Style) -> Items:
    """Return a peak as in the symbol for mountains, within a triangle: its top, left and right
    corners in mm."""
    size = (corners[1][1] - corners[0][1]) / _PEAK
    pen = Pen(style, size * _SHEET, Role.SLOT)
    _draw_peak(pen, *(coordinate / size for corner in corners for coordinate in corner), _SPUR)
    return tuple(pen.items)


def _draw_mound(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    """Draw a round hill with its foot at (x .. x + width, y), shaded on the right by fall lines."""

    def at(along: float, up: float) -> Point:
        return (x + width * along, y - height * up)

    arc = [
        (x, y),
        at(0.14, 0.48),
        at(0.34, 0.92),
        (x + width * 0.5, y - height),
        at(0.68, 0.88),
        at(0.88, 0.42),
        (x + width, y),
    ]
    base = ("C", x + width * 0.7, y + 2.4, x + width * 0.3, y + 2.4, x, y)
    pen.fill((*smooth(arc), base, ("Z",)), "terrain.hill.light")
    foot = (x + width * 0.72, y + 1.4)
    crest = [at(0.55, 0.99), at(0.62, 0.5), foot]
    back = smooth([foot, arc[6], arc[5], arc[4], crest[0]])
    pen.fill((*smooth(crest), *back[1:], ("Z",)), "terrain.hill.shade")
    strokes = []
    for share, start, end in (
        (0.58, 0.80, 0.38),
        (0.645, 0.72, 0.24),
        (0.715, 0.60, 0.12),
        (0.79, 0.46, 0.04),
    ):
        strokes.append((at(share, start), (x + width * share + width * 0.075, y - height * end)))
    for share, start, end in ((0.30, 0.62, 0.38), (0.21, 0.42, 0.14)):
        strokes.append((at(share, start), at(share - 0.06, end)))
    pen.lines(strokes, "terrain.hill.line", 0.75)
    pen.line(smooth(arc), "terrain.hill.line", 1.2)


def _draw_dune(pen: Pen, x: float, y: float, width: float) -> None:
    """Draw a dune with its foot at (x .. x + width, y) and its lee in the shade."""
    crest = [
        (x, y),
        (x + width * 0.3, y - 7),
        (x + width * 0.52, y - 13),
        (x + width * 0.74, y - 6),
        (x + width, y),
    ]
    pen.fill((*smooth(crest), ("Z",)), "terrain.desert.light")
    lee = [(x + width * 0.52, y - 13), (x + width * 0.49, y - 6), (x + width * 0.62, y)]
    pen.fill(
        (*smooth(lee), ("L", x + width, y), *smooth([crest[4], crest[3], crest[2]])[1:], ("Z",)),
        "terrain.desert.shade",
    )
    pen.line(smooth(crest), "terrain.desert.line", 1.0)
    pen.line(smooth(lee), "terrain.desert.line", 0.75)


_COMPUTED: Mapping[str, Callable[..., None]] = {
    "dune": _draw_dune,
    "mound": _draw_mound,
    "peak": _draw_peak,
}


def smooth(points: Sequence[Point], *, closed: bool = False) -> Commands:
    """Return a soft curve through points, as path commands: a Catmull-Rom spline, whose tangent at
    a point is half the vector between its neighbours, so that handles are a sixth of it."""
    count = len(points)

    def at(index: int) -> Point:
        return points[index % count] if closed else points[max(0, min(count - 1, index))]

    commands: list[Command] = [("M", *points[0])]
    for index in range(count if closed else count - 1):
        before, start, end, after = at(index - 1), at(index), at(index + 1), at(index + 2)
        leave = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        arrive = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        commands.append(("C", *leave, *arrive, *end))
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def wave(x: float, y: float, length: float, count: int, height: float) -> tuple[Point, ...]:
    """Return a line of `count` waves from (x, y), crests up, as points of a curve."""
    step = length / count
    points = [(x, y)]
    for index in range(count):
        start = x + index * step
        points += [(start + step * 0.5, y - height), (start + step, y)]
    return tuple(points)


class Pen:
    """Collects the shapes of one symbol. Points are in hundredths of the symbol's width, y down
    from its top."""

    def __init__(self, style: Style, width_mm: float, role: Role = Role.SYMBOL) -> None:
        self._style = style
        self._scale = width_mm / _SHEET
        self._role = role
        self.items: list[Path] = []

    def fill(self, commands: Iterable[Command], ink: str) -> None:
        """Add a flat area in the theme's ink of that name."""
        shape = self._scaled(commands)
        self.items.append(Path(shape, fill=self._style.ink(ink), role=self._role))

    def line(self, commands: Iterable[Command], ink: str, weight: float = 1.0) -> None:
        """Add a line `weight` hundredths of the width thick, but never too thin to print safely."""
        width = max(_FINEST_MM, weight * self._scale)
        stroke = Stroke(self._style.ink(ink), width, cap="round", join="round")
        self.items.append(Path(self._scaled(commands), stroke=stroke, role=self._role))

    def lines(self, strokes: Iterable[Sequence[Point]], ink: str, weight: float = 1.0) -> None:
        """Add many strokes as one path: two points make a straight stroke, more a curve."""
        commands: list[Command] = []
        for points in strokes:
            commands += (polygon_path if len(points) == 2 else smooth)(points, closed=False)
        if commands:
            self.line(commands, ink, weight)

    def _scaled(self, commands: Iterable[Command]) -> Commands:
        return tuple(
            (name, *(round(float(number) * self._scale, 3) for number in numbers))
            for name, *numbers in commands
        )
