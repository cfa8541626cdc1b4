"""The frame of a map, with printed coordinates along the rim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.hexes import COS_30, Layout
from platelayer.scene.shapes import Circle, Item, Path, Point, Stroke, polygon_path, rectangle_path
from platelayer.scene.typeset import set_centred

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

FRAME_INSET_MM = 7.0
"""From the trim to the outer line of the frame."""
FRAME_BAND_MM = 6.2
"""Width of the band that carries the coordinates."""
_GAP_MM = 0.9


def frame_items(plan: MapPlan, width_mm: float, height_mm: float, style: Style) -> tuple[Item, ...]:
    """A heavy outer line, a band with the coordinates of columns and rows, graduated like the frame of a chart."""
    left = top = FRAME_INSET_MM
    right, bottom = width_mm - FRAME_INSET_MM, height_mm - FRAME_INSET_MM
    band = FRAME_BAND_MM
    heavy, fine = style.stroke("map.frame.heavy"), style.stroke("map.frame.fine")
    items: list[Item] = [
        Path(commands=_rectangle(left, top, right, bottom), fill=style.ink("map.frame.ground")),
        Path(commands=_rectangle(left + band, top + band, right - band, bottom - band), fill=style.ink("map.ground")),
    ]
    columns, rows = _stations(plan)
    dark: list[tuple[Point, ...]] = []
    ticks: list[tuple[Point, Point]] = []
    marks = (
        (columns, left + band, right - band, ((top, top + band), (bottom - band, bottom)), False),
        (rows, top + band, bottom - band, ((left, left + band), (right - band, right)), True),
    )
    strip = _GAP_MM
    for stations, low, high, bands, upright in marks:
        cuts = _cuts(stations, low, high)
        for number, (a, b) in enumerate(pairwise(cuts)):
            for inner, outer in ((bands[0][1], bands[0][0]), (bands[1][0], bands[1][1])):
                edge = inner - strip if inner > outer else inner + strip
                if number % 2 == 0:
                    dark.append(_box(a, b, inner, edge, upright))
                ticks.append(_line(b, inner, outer, upright) if b < high - 0.5 else _line(b, inner, edge, upright))
                if number == 0 and a > low + 0.5:
                    ticks.append(_line(a, inner, outer, upright))
    items.append(Path(commands=tuple(c for box in dark for c in polygon_path(box)), fill=style.ink("map.frame.line")))
    items.append(Path(commands=tuple(c for t in ticks for c in polygon_path(t, closed=False)), stroke=fine))
    items += _lines((left, top, right, bottom), heavy, fine)
    items += _corners(left, top, right, bottom, style)
    items += _letters(columns, rows, (left, top, right, bottom), style)
    return tuple(items)


def _stations(plan: MapPlan) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Where columns and rows that exist lie, and what the rim prints there."""
    scheme, (ox, oy) = plan.gamemap.scheme, plan.origin
    half, pitch = plan.across_mm / 2, plan.across_mm * COS_30
    step_x, step_y = (pitch, half) if plan.layout is Layout.FLAT else (half, pitch)
    xs = sorted({hexagon.at.x for hexagon in plan.gamemap.hexes})
    ys = sorted({hexagon.at.y for hexagon in plan.gamemap.hexes})
    return (
        [(ox + x * step_x, scheme.column(x)) for x in xs],
        [(oy + y * step_y, scheme.row(y)) for y in ys],
    )


def _cuts(stations: Sequence[tuple[float, str]], low: float, high: float) -> list[float]:
    """Borders between stations: half-way, and as far again beyond the first and last one, within the frame."""
    places = [place for place, _ in stations]
    middles = [(a + b) / 2 for a, b in pairwise(places)]
    if not middles:
        return [low, high]
    reach = min(b - a for a, b in pairwise(places)) / 2
    return [max(low, places[0] - reach), *middles, min(high, places[-1] + reach)]


def _box(a: float, b: float, inner: float, edge: float, upright: bool) -> tuple[Point, ...]:
    box = ((a, inner), (b, inner), (b, edge), (a, edge))
    return tuple((y, x) for x, y in box) if upright else box


def _line(at: float, inner: float, outer: float, upright: bool) -> tuple[Point, Point]:
    return ((inner, at), (outer, at)) if upright else ((at, inner), (at, outer))


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[tuple[str | float, ...], ...]:
    return rectangle_path(left, top, right - left, bottom - top)


def _lines(frame: Box, heavy: Stroke, fine: Stroke) -> list[Item]:
    left, top, right, bottom = frame
    band, gap = FRAME_BAND_MM, _GAP_MM
    return [
        Path(commands=_rectangle(left - 1.3, top - 1.3, right + 1.3, bottom + 1.3), stroke=heavy),
        Path(commands=_rectangle(left, top, right, bottom), stroke=fine),
        Path(
            commands=_rectangle(left + band - gap, top + band - gap, right - band + gap, bottom - band + gap),
            stroke=fine,
        ),
        Path(commands=_rectangle(left + band, top + band, right - band, bottom - band), stroke=fine),
    ]


def _corners(left: float, top: float, right: float, bottom: float, style: Style) -> list[Item]:
    """A small wheel in each corner of the band."""
    band, ink = FRAME_BAND_MM, style.ink("map.frame.line")
    fine = style.stroke("map.frame.fine")
    items: list[Item] = []
    for x, y in ((left, top), (right - band, top), (right - band, bottom - band), (left, bottom - band)):
        cx, cy, r = x + band / 2, y + band / 2, band * 0.33
        items.append(Path(commands=rectangle_path(x, y, band, band), fill=style.ink("map.frame.ground"), stroke=fine))
        items.append(Circle(cx=cx, cy=cy, r=r, stroke=Stroke(ink=ink, width_mm=0.4)))
        spokes = [((cx - r * dx, cy - r * dy), (cx + r * dx, cy + r * dy)) for dx, dy in _SPOKES]
        items.append(Path(commands=tuple(c for s in spokes for c in polygon_path(s, closed=False)), stroke=fine))
        items.append(Circle(cx=cx, cy=cy, r=r * 0.28, fill=ink))
    return items


_SPOKES = ((1.0, 0.0), (0.5, COS_30), (-0.5, COS_30))


def _letters(
    columns: Sequence[tuple[float, str]],
    rows: Sequence[tuple[float, str]],
    frame: Box,
    style: Style,
) -> list[Item]:
    left, top, right, bottom = frame
    kind, ink, half = style.type("map.rim"), style.ink("text"), (FRAME_BAND_MM - _GAP_MM) / 2
    items: list[Item] = []
    for x, word in columns:
        for y in (top + half, bottom - half):
            items += set_centred(word, kind, ink, x, y)
    for y, word in rows:
        for x in (left + half, right - half):
            items += set_centred(word, kind, ink, x, y)
    return items
