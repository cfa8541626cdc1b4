"""Regions of a map: their names behind everything, and faint lines between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.places import Field
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import line_breaks, sizes_down, words_block
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, neighbour
from platelayer.model.landscape import Region
from platelayer.scene.shapes import Item, Path, Point, TextRun
from platelayer.scene.typeset import TypeStyle, set_centred, text_width

Span = tuple[float, float]
Row = tuple[str, float, Span]
"""A line of a name, its height, and the stretch it may take."""

_ROWS = 4
"""Heights tried for a name, for each half hex."""
_FILL = 0.8
"""How much of the room across a name takes."""
_WIDEST_GAP = 1.0
"""The widest space between letters, in ems."""
_LINE_GAP = 2
"""From line to line, in heights of a line rounded up to whole rows."""
_STEP_PT = 2.5
_OFF_PT = 0.22
"""What a mm away from the middle of the land is worth, in pt of size."""
_BEHIND_PT = 14.0
"""What each letter that would stand behind a place is worth."""
_GAPS, _SHIFTS = (1.0, 0.6, 0.3), (0.0, -0.5, 0.5, -1.0, 1.0)
"""Shares of the widest space between letters, and of the room on both sides of a name, that are tried."""
_TIGHT_PT, _SHIFT_PT = 2.0, 1.0
"""What letters closer together, or a name out of the middle, are worth at most."""
_BREAK_PT = 5.0
_AROUND_MM = 8.0
"""Round the middle of a place, what hides a letter: its stops, and most of its name."""
_CAPTION_AT = (0.3, 0.27, 0.33, 0.36, -0.3, -0.36)
"""Heights of a caption below the middle of its hex, as shares of the hex, best first."""
_FAR_MM = 0.4
"""What a place costs that is as far off as a hex is high, in mm of room."""


def state_edges(plan: MapPlan) -> tuple[Edge, ...]:
    """Edges between two regions where no border is drawn and the hexes do not belong together."""
    region_of = plan.gamemap.region_of
    if not region_of:
        return ()
    drawn = {*border_edges(plan), *plan.open_edges}
    edges: list[Edge] = []
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        one, two = region_of.get(plan.gamemap.by_coord[edge[0]].id), region_of.get(other.id)
        if edge not in drawn and one is not None and two is not None and one is not two:
            edges.append(edge)
    return tuple(edges)


def state_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Faint lines between regions."""
    edges = state_edges(plan)
    return (Path(commands=plan.lines(edges), stroke=style.stroke("map.state")),) if edges else ()


def region_names(plan: MapPlan, style: Style) -> dict[str, tuple[Item, ...]]:
    """By the id of each region: its name on its white hexes, as large as its land allows, in one to three lines. Those
    without room for large letters, or whose hexes lie alone, are left out."""
    items_of: dict[str, tuple[Item, ...]] = {}
    for region in plan.gamemap.regions:
        land = max(_lands(region, plan), key=len, default=())
        if region.name is not None and len(land) > 1:
            items = tuple(_name(style.words(region.name), land, plan, style))
            if items:
                items_of[region.id] = items
    return items_of


def region_captions(plan: MapPlan, named: Container[str], room: Callable[[str], Field], style: Style) -> Iterator[Item]:
    """The names of regions that are not `told` in large letters, once in each of their lands, where there is `room` in
    one of its hexes."""
    for region in plan.gamemap.regions:
        if region.name is None or region.id in named:
            continue
        name = style.words(region.name)
        for land in _lands(region, plan):
            yield from _caption(name, land, plan, room, style)


def _caption(
    name: str, land: Sequence[MapHex], plan: MapPlan, room: Callable[[str], Field], style: Style
) -> Iterator[Item]:
    """A name in small capitals in the hex nearest to the middle of a land that has room for it."""
    centres = {hexagon.id: plan.centre(hexagon.at) for hexagon in land}
    middle = tuple(math.fsum(centre[k] for centre in centres.values()) / len(centres) for k in (0, 1))
    for hex_id in sorted(centres, key=lambda name: round(measured(math.dist(centres[name], middle)), 2)):
        field = room(hex_id)
        for type_style in sizes_down(style.type("map.region.small")):
            block = words_block((name,), type_style, style.ink("map.region.small"))
            places = [(_FAR_MM * abs(y - 0.3), 0.0, y * plan.across_mm) for y in _CAPTION_AT]
            x, y, clear = field.best_box(places, block.width, block.height, 0.6)
            if clear > 0.0:
                yield from block.at(x + centres[hex_id][0], y + centres[hex_id][1])
                return


def _lands(region: Region, plan: MapPlan) -> list[tuple[MapHex, ...]]:
    """The white hexes of a region that hang together, in the order of the map."""
    rest: dict[Coord, MapHex] = {
        hexagon.at: hexagon
        for hexagon in (plan.gamemap.by_id.get(member) for member in region.hexes)
        if hexagon is not None and hexagon.tile.colour == "white"
    }
    lands: list[tuple[MapHex, ...]] = []
    while rest:
        group = [rest.pop(next(iter(rest)))]
        for hexagon in group:
            around = (neighbour(hexagon.at, edge, plan.layout) for edge in EDGES)
            group += [rest.pop(at) for at in around if at in rest]
        lands.append(tuple(group))
    return lands


class _Land(Struct, frozen=True):
    """Heights in even steps, the stretches of land at each, and the places that a name keeps off if it can."""

    middle: float
    step: float
    spans: dict[int, list[Span]]
    places: tuple[Point, ...]
    known: dict[tuple[int, int], Span | None]

    def widest(self, row: int, around: int) -> Span | None:
        """The widest stretch that is land at a row and `around` rows above and below it."""
        if (row, around) not in self.known:
            self.known[row, around] = self._widest(row, around)
        return self.known[row, around]

    def _widest(self, row: int, around: int) -> Span | None:
        common = self.spans.get(row, [])
        for other in range(row - around, row + around + 1):
            spans = self.spans.get(other, ())
            common = [(max(a, c), min(b, d)) for a, b in common for c, d in spans if min(b, d) > max(a, c)]
        return max(common, key=lambda span: (round(span[1] - span[0], 3), -span[0]), default=None)


class _Hexes(Struct, frozen=True):
    """The hexes that hang together: their centres, and those of the ones with a place or terrain."""

    centres: tuple[Point, ...]
    busy: tuple[Point, ...]
    layout: Layout
    across_mm: float


def _survey(hexes: _Hexes) -> _Land:
    centres = hexes.centres
    middle = math.fsum(y for _, y in centres) / len(centres)
    step = hexes.across_mm / 2 / _ROWS
    reach = math.ceil((max(abs(y - middle) for _, y in centres) + hexes.across_mm) / step)
    spans = {row: _spans(middle + row * step, hexes) for row in range(-reach, reach + 1)}
    return _Land(middle, step, spans, hexes.busy, {})


class _Line(Struct, frozen=True):
    """A line where it stands, round (x, y), from `left` on; and how wide each of its letters is."""

    words: str
    x: float
    y: float
    left: float
    letters: tuple[float, ...]


class _Setting(Struct, frozen=True):
    """Lines of a name, and the space between letters in mm."""

    type_style: TypeStyle
    lines: tuple[_Line, ...]
    gap: float

    def hidden(self, places: Sequence[Point]) -> int:
        """How many letters stand behind places."""
        near = self.type_style.cap_height_mm / 2 + _AROUND_MM
        count = 0
        for line in self.lines:
            beside = [px for px, py in places if abs(py - line.y) < near]
            at = line.left
            for wide in line.letters if beside else ():
                count += any(at - _AROUND_MM < px < at + wide + _AROUND_MM for px in beside)
                at += wide + self.gap
        return count


@lru_cache(maxsize=1024)
def _letters(line: str, type_style: TypeStyle) -> tuple[float, ...]:
    """The widths of letters."""
    return tuple(text_width(letter, type_style) for letter in line)


def _name(name: str, hexes: Sequence[MapHex], plan: MapPlan, style: Style) -> Iterator[TextRun]:
    centres = tuple(plan.centre(hexagon.at) for hexagon in hexes)
    busy = tuple(plan.centre(hexagon.at) for hexagon in hexes if hexagon.tile.stops or hexagon.tile.terrain)
    setting = _set(name, style.type("map.region"), _Hexes(centres, busy, plan.layout, plan.across_mm))
    if setting is None:
        return
    spaced = replace(setting.type_style, tracking=setting.gap / setting.type_style.size_mm * 1000)
    for line in setting.lines:
        for run in set_centred(line.words, spaced, style.ink("map.region"), line.x, line.y):
            yield replace(run, ground=True)


@lru_cache(maxsize=256)
def _set(name: str, type_style: TypeStyle, hexes: _Hexes) -> _Setting | None:
    """The best way to set a name on its land. Kept: few edits of a map move one."""
    land = _survey(hexes)
    best: tuple[float, _Setting] | None = None
    heights = sorted(land.spans, key=lambda row: (abs(row), row))
    for lines in line_breaks(name):
        lost = _BREAK_PT * (len(lines) - 1)
        for styled in sizes_down(type_style, _STEP_PT):
            for row in heights:
                most = styled.size_pt - lost - _OFF_PT * abs(row * land.step)
                if best is not None and most <= best[0]:
                    break
                rows = _rows(lines, styled, row, land)
                for cost, setting in _settings(rows, styled) if rows is not None else ():
                    if best is not None and most - cost <= best[0]:
                        continue
                    score = round(most - cost - _BEHIND_PT * setting.hidden(land.places), 3)
                    if best is None or score > best[0]:
                        best = score, setting
    return None if best is None else best[1]


def _settings(rows: Sequence[Row], type_style: TypeStyle) -> Iterator[tuple[float, _Setting]]:
    """Ways to set lines in their stretches, each with its cost, the best first."""
    widest = _widest_gap(rows, type_style)
    known = [(text_width(line, type_style), _letters(line, type_style)) for line, *_ in rows]
    for gap in (widest * share for share in _GAPS):
        for shift in _SHIFTS:
            lines = []
            for (line, y, (left, right)), (close, letters) in zip(rows, known, strict=True):
                wide = close + gap * (len(line) - 1)
                room = max(0.0, (right - left) * _FILL - wide) / 2
                x = (left + right) / 2 + shift * room
                lines.append(_Line(line, x, y, x - wide / 2, letters))
            tight = _TIGHT_PT * (widest - gap) / widest if widest else 0.0
            yield tight + _SHIFT_PT * abs(shift), _Setting(type_style, tuple(lines), gap)


def _rows(lines: Sequence[str], type_style: TypeStyle, row: int, land: _Land) -> tuple[Row, ...] | None:
    """Lines round a row with the stretches they have; None where one has too little."""
    around = math.ceil(type_style.cap_height_mm / 2 / land.step)
    rows: list[Row] = []
    for number, line in enumerate(lines):
        here = row + round((number - (len(lines) - 1) / 2) * around * _LINE_GAP * 1.25)
        span = land.widest(here, around)
        if span is None or (span[1] - span[0]) * _FILL < text_width(line, type_style):
            return None
        rows.append((line, land.middle + here * land.step, span))
    return tuple(rows)


def _widest_gap(rows: Sequence[Row], type_style: TypeStyle) -> float:
    """The space between letters that the narrowest line allows, in mm."""
    gaps = (
        ((right - left) * _FILL - text_width(line, type_style)) / max(1, len(line) - 1)
        for line, _, (left, right) in rows
    )
    return max(0.0, min(_WIDEST_GAP * type_style.size_mm, *gaps))


def _spans(y: float, hexes: _Hexes) -> list[Span]:
    """Stretches of a level line that lie within some hexes, joined where these touch."""
    apothem = hexes.across_mm / 2
    radius = apothem / COS_30
    flat = hexes.layout is Layout.FLAT
    spans: list[Span] = []
    for cx, cy in hexes.centres:
        off = abs(y - cy)
        if off >= (apothem if flat else radius):
            continue
        half = radius - off * radius / 2 / apothem if flat else min(apothem, (radius - off) * 2 * COS_30)
        spans.append((cx - half, cx + half))
    joined: list[Span] = []
    for left, right in sorted(spans):
        if joined and left - joined[-1][1] < 0.2:
            joined[-1] = (joined[-1][0], max(joined[-1][1], right))
        else:
            joined.append((left, right))
    return joined
