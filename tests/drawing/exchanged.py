"""Hexes whose stops exchange their track or their values, and a judge of which stop each value
stands at.

The judge knows nothing of how words find their places: it looks for the figures among the words of
a finished drawing, and measures from them to the marks of the stops and to the tips of off-board
track.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import printed_number
from platelayer.model.gamemap import Layout
from platelayer.model.tile import Segment, StopKind, Tile, stop_end
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Item, Point, Scene

ACROSS = 38.1
STYLE = Style(theme=load_theme("classic"))
_APART, _SLACK_MM = 1.3, 0.3
_BLOCK_MM = 14.0
"""As far from the middle of a table a leader may begin: at the rim of the name above it."""
Box = tuple[float, float, float, float]


def several(tile: Tile) -> bool:
    """Whether more than one stop of a hex is drawn."""
    return len([stop for stop in tile.stops if not stop.hidden]) > 1


def exchanges(tile: Tile) -> Iterator[tuple[str, Tile]]:
    """What becomes of a hex when two of its stops exchange their track, and when they exchange
    their values, where the two are not alike, with words that say which."""
    shown = [index for index, stop in enumerate(tile.stops) if not stop.hidden]
    for i, j in combinations(shown, 2):
        one, other = tile.stops[i], tile.stops[j]
        turned = {stop_end(i): stop_end(j), stop_end(j): stop_end(i)}
        track = tuple(
            replace(segment, a=turned.get(segment.a, segment.a), b=turned.get(segment.b, segment.b))
            for segment in tile.track
        )
        if _ends(track) != _ends(tile.track) and one != other:
            yield f"track of {i} and {j}", replace(tile, track=track)
        if _worth(one.revenue) != _worth(other.revenue):
            stops = list(tile.stops)
            stops[i], stops[j] = (
                replace(one, revenue=other.revenue),
                replace(other, revenue=one.revenue),
            )
            yield f"values of {i} and {j}", replace(tile, stops=tuple(stops))


def _ends(track: Iterable[Segment]) -> list[tuple[int, ...]]:
    return sorted(
        tuple(sorted((end.kind.value, end.index) for end in segment.ends)) for segment in track
    )


def _worth(revenue: Iterable[tuple[int, str | None]]) -> list[tuple[int, str | None]]:
    return [*revenue] if any(value for value, _ in revenue) else []


def drawn(tile: Tile, layout: Layout) -> tuple[Item, ...]:
    """All that is drawn of a hex."""
    return hex_items(tile, layout, ACROSS, STYLE)


def digest(items: tuple[Item, ...]) -> str:
    """The same for all pictures that look the same."""
    return Digester().digest([_scene(items)])


def _scene(items: tuple[Item, ...]) -> Scene:
    return Scene(key="hex", width_mm=ACROSS, height_mm=ACROSS, items=items)


def strayed(tile: Tile, layout: Layout) -> list[str]:
    """Values that are not plainly nearest to their own stop, and those that are not there at all; a
    value with a line to its stop is told by that."""
    if len({str(_worth(stop.revenue)) for stop in tile.stops if not stop.hidden}) < 2:
        return []
    items = drawn(tile, layout)
    shapes, texts = flatten_scene(_scene(items))
    leader = STYLE.stroke("tile.leader").width_mm
    lines = [shape.polygons[0] for shape in shapes if shape.stroke_mm == leader]
    words = [(text.run.text, text.bounds) for text in texts]
    places = {index: points for index, points in enumerate(_places(tile, layout)) if points}
    found = []
    for index, circles in places.items():
        figures = [printed_number(value) for value, _ in _worth(tile.stops[index].revenue)]
        boxes = [*_written(figures, words)]
        if not figures or not boxes:
            found += [f"{figures} is missing"] if figures else []
            continue
        alike = [k for k in places if tile.stops[k].revenue == tile.stops[index].revenue]
        away = {k: min(_distance(box, points) for box in boxes) for k, points in places.items()}
        # Of several places where the same figures stand, the nearest is meant.
        own = min(boxes, key=lambda box: _distance(box, circles))
        near = _distance(own, circles)
        others = [_distance(own, points) for k, points in places.items() if k != index]
        led = any(_joins(line, own, circles) for line in lines)
        if min(others, default=math.inf) < _APART * near - _SLACK_MM and not led:
            found.append(f"{figures} of {index} is {near:.1f} mm away, the next {min(others):.1f}")
        if len(boxes) < len(alike):
            found.append(f"{figures} stands {len(boxes)} times, not {len(alike)}: {away}")
    return found


def _written(figures: list[str], words: list[tuple[str, Box]]) -> Iterator[Box]:
    """Where some figures stand one after the other, perhaps with the letters of their colours
    between them."""
    for start, (text, _) in enumerate(words):
        if not figures or text != figures[0]:
            continue
        boxes, rest = [], [*figures]
        for each, box in words[start : start + 2 * len(figures)]:
            if rest and each == rest[0]:
                boxes.append(box)
                rest.pop(0)
        if not rest:
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            yield min(lefts), min(tops), max(rights), max(bottoms)


def _places(tile: Tile, layout: Layout) -> Iterator[list[tuple[Point, float]]]:
    """Circles that each stop that is drawn covers: its mark or, of an off-board, its track."""
    plan = plan_hex(tile, layout, ACROSS)
    for index, (stop, mark) in enumerate(zip(tile.stops, plan.marks, strict=True)):
        if stop.hidden:
            yield []
        elif mark is not None:
            yield [((x, y), r) for x, y, r in mark.bulk]
        elif stop.kind is StopKind.OFFBOARD:
            end = stop_end(index)
            curves = [
                curve
                for part, curve in zip(tile.track, plan.curves, strict=True)
                if end in part.ends
            ]
            tips = [point for curve in curves for point in curve.points(0.5)]
            if not tips and stop.at is not None:
                raise AssertionError("an off-board without track is judged by no drawing")
            yield [(point, 0.5) for point in tips]
        else:
            yield []


def _distance(box: Box, circles: list[tuple[Point, float]]) -> float:
    left, top, right, bottom = box
    return max(
        0.0,
        min(
            math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) - r
            for (x, y), r in circles
        ),
    )


def _joins(line: Sequence[Point], box: Box, circles: list[tuple[Point, float]]) -> bool:
    """Whether a line leads from the words round some figures to a stop."""
    (x, y), end = line[0], line[-1]
    return (
        _distance((x, y, x, y), [(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), 0.0)]) < _BLOCK_MM
        and _distance((*end, *end), circles) < _SLACK_MM
    )
