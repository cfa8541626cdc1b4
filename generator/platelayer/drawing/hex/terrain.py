"""Terrain symbols: fine flat vector art, centred, at any width (assets/art/terrain.json)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.hex.terrain_pen import SHEET, Pen, smooth, straight, wave
from platelayer.drawing.hex.terrain_relief import draw_dune, draw_mound, draw_peak
from platelayer.drawing.kit.art import read_art
from platelayer.drawing.kit.style import Style
from platelayer.scene.shapes import Item, Point, Scene, Use, translation

_OTHER = "other"
_WORKED_OUT: Mapping[str, Callable[..., None]] = {"dune": draw_dune, "mound": draw_mound, "peak": draw_peak}


class _Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to draw; what it needs of these, the schema says for each."""

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


class _Motif(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What symbols have several of, in any size; its points are parts of that size."""

    about: str
    steps: tuple[_Step, ...]


class _Symbol(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of terrain on a sheet 100 wide and `height` high."""

    about: str
    height: float
    steps: tuple[_Step, ...]


class _Terrain(Struct, frozen=True, kw_only=True):
    """The whole file; `same_as` names kinds that share a symbol."""

    motifs: dict[str, _Motif]
    symbols: dict[str, _Symbol]
    same_as: dict[str, str]


def _art() -> _Terrain:
    return read_art("terrain", _Terrain)


def terrain_kind(kind: str) -> str:
    """The kind whose symbol stands for `kind` ("swamp" is drawn as "marsh"); "other" when none does."""
    kind = _art().same_as.get(kind, kind)
    return kind if kind in _art().symbols else _OTHER


def terrain_size(kind: str, width_mm: float) -> tuple[float, float]:
    """Width and height in mm of the symbol for a kind of terrain."""
    return width_mm, width_mm * _art().symbols[terrain_kind(kind)].height / SHEET


def terrain_items(kind: str, width_mm: float, style: Style) -> tuple[Item, ...]:
    """The symbol for a kind of terrain, centred on (0, 0), `width_mm` wide; `terrain_size` gives its height.

    Every shape has Role.SYMBOL. It comes as one `Use`, so that painters keep each symbol and size once.
    """
    width_mm = round(width_mm, 2)
    scene = _symbol(terrain_kind(kind), width_mm, style)
    return (Use(scene=scene, matrix=translation(-scene.width_mm / 2, -scene.height_mm / 2)),)


@lru_cache(maxsize=256)
def _symbol(kind: str, width_mm: float, style: Style) -> Scene:
    pen = Pen(style, width_mm)
    for step in _art().symbols[kind].steps:
        _draw(pen, step)
    width, height = terrain_size(kind, width_mm)
    return Scene(
        key=f"terrain:{kind}:{width_mm:g}", width_mm=width, height_mm=height, items=tuple(pen.items), bleed_mm=1.0
    )


def _draw(pen: Pen, step: _Step, foot: Point = (0.0, 0.0), size: float = 1.0) -> None:
    """Draw a step whose points count from `foot` in units of `size`."""

    def placed(points: Sequence[Point]) -> list[Point]:
        return [(foot[0] + x * size, foot[1] + y * size) for x, y in points]

    line = smooth if step.smooth else straight
    match step.draw:
        case "fill" if step.corners:
            rest = tuple(("L", *point) for point in placed(step.corners))
            pen.fill((*line(placed(step.points)), *rest, ("Z",)), step.ink)
        case "fill":
            pen.fill(line(placed(step.points), closed=True), step.ink)
        case "line":
            pen.line(line(placed(step.points), closed=step.closed), step.ink, step.weight)
        case "lines":
            pen.lines([placed(points) for points in step.strokes], step.ink, step.weight)
        case "waves":
            pen.lines([wave(*each) for each in step.waves], step.ink, step.weight)
        case kind if kind in _WORKED_OUT:
            _WORKED_OUT[kind](pen, *step.at)
        case motif:
            x, y, across = step.at
            for inner in _art().motifs[motif].steps:
                _draw(pen, inner, (x, y), across)
