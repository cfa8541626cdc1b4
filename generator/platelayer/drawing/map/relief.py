"""The relief of a map: ranges lit from the upper left in flat tones, and textures of flat ground.

High hexes that adjoin are joined by ridges, splines from middle to middle; spurs leave these on both
sides. The ground falls away from each line like a roof, and its height at a point is that of the
highest roof above it. Slopes towards the light and away from it are laid on in tones with sharp
edges, as Swiss maps shade rock (Imhof, "Cartographic Relief Presentation", 1965). All of it follows
from the kinds of the hexes round a place, so that an edit changes no more than these.

Lengths are those on hexes of the usual size (`DESIGN_MM`). Sums, products and square roots are the
same on every system, so that the outlines are too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.terrain import Form, ranges, texture_sign, textures
from platelayer.drawing.hex.terrain import relief_kind as relief_kind_of
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.ground import ground_ink
from platelayer.drawing.map.plan import DESIGN_MM, MapPlan
from platelayer.drawing.map.shore import Coast
from platelayer.foundation.geometry import level_rings, thinned
from platelayer.foundation.seeds import chance
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import (
    EDGES,
    Coord,
    Layout,
    MapHex,
    centre_mm,
    corner_points,
    neighbour,
)
from platelayer.model.tile import StopKind
from platelayer.scene.flatten import bounds_of
from platelayer.scene.inks import mix
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Use,
    polygon_path,
    rectangle_path,
    shifted,
    translation,
)

# From one height to the next.
_STEP_MM = 1.8
# Straight pieces of a ridge from hex to hex; chance moves the tops between them so far; a ridge sags
# between two tops by this share of its height, one that joins two main ridges by the second.
_PIECES, _STRAY_MM, _SAG, _SADDLE_SAG = 6, 7.0, 0.16, 0.8
# Way across the light, and how much ridges that run along it fit better than others: wide ranges lie
# in long ridges with a bright and a dark side.
_ACROSS_LIGHT, _LIT_FIT, _CHANCE_FIT = (0.87, -0.5), 0.15, 0.03
# Points of a spur: shares of its length and of the height of its ridge; length of the ribs on it.
_SPUR, _RIB_MM = ((0.3, 0.86), (0.65, 0.6), (1.0, 0.1)), 4.5
# The same of the end of a range, in mm.
_END = ((0.0, 1.0), (5.0, 0.86), (10.0, 0.66), (15.0, 0.4))
# Ground fades so far beyond high hexes; where it is higher than this it is their foot.
_FADE_MM, _FOOT = 5.0, 0.04
# The height of the plain.
_PLAIN = 0.06
# Tones of slopes, from the ink of light or shade and its share in the ground: each is laid on from
# this slope on, the rise over two steps to the right and two down.
_TONES = (
    ("light", 0.55, 0.08),
    ("light", 1.0, 0.26),
    ("shade", 0.3, -0.08),
    ("shade", 0.62, -0.26),
)
_ON_COLOUR, _OFF_BOARD = 0.45, 0.35
# Ranges that rise higher go on beyond the board.
_BEYOND = 0.6
# Lines leave out points that are nearer to the line between those round them.
_FINE_MM = 0.12
# The kinds of hexes that decide the ridges of one lie at most so many hexes from it; ridges reach as
# far into others.
_KNOWN, _REACH = 3, 2
# Margin of the grid of a hex in steps: slopes take one, and outlines are closed in the other.
_MARGIN = 2

# Texture.

# Share of the ground in the inks of signs.
_QUIET = {"line": 0.52, "shade": 0.45, "light": 0.25}
# Between signs and what is drawn in hexes.
_CLEAR_MM = 0.5
# Signs come in widths so far apart, as painters keep each of them once; the smallest is this share
# of the largest.
_SIZES_MM, _SMALLEST = 1.0, 0.55
# Chance moves signs by this share of the way between them.
_JITTER = 0.36

# A point of a ridge in mm, and its height.
_Vertex = tuple[float, float, float]
_Rows = list[list[float]]


def relief_kind(plan: MapPlan, hexagon: MapHex) -> str | None:
    """The kind of terrain that a hex shows as relief, if it does: the first one with a relief of a white hex whose
    ground is neither its own nor that of its region; or a pass on any ground."""
    if hexagon.half is not None or hexagon.apart:
        return None
    if any(stop.kind is StopKind.PASS for stop in hexagon.tile.stops):
        return "pass"
    region = plan.gamemap.region_of.get(hexagon.id)
    tinted = hexagon.tile.ground is not None or (region is not None and region.tint is not None)
    if hexagon.tile.colour != "white" or tinted:
        return None
    kinds = (kind for terrain in hexagon.tile.terrain for kind in terrain.kinds)
    return next(filter(None, map(relief_kind_of, kinds)), None)


def shading_items(plan: MapPlan, coast: Coast | None, style: Style) -> Items:
    """Ranges in tones of the grounds of their hexes, which fade in the white hexes round them.
    Mountains at the rim of the board go on for a hex beyond it, where there is land: what lies
    there comes first. Without a coast they end where their hexes do."""
    layout, known = plan.layout, plan.gamemap.by_coord
    kinds = {
        at: kind
        for at, hexagon in known.items()
        if (kind := relief_kind(plan, hexagon)) is not None and kind in ranges()
    }
    if not (kinds and style.theme.relief):
        return ()
    rising = [at for at, kind in kinds.items() if ranges()[kind].rise > _BEYOND]
    if coast is not None:
        for at, edge in product(rising, EDGES):
            place = neighbour(at, edge, layout)
            # At a coast they fade: what is left of the land is a cape of its hex.
            is_inland = place not in known and (at, edge) not in coast.edges
            if is_inland and not coast.on_water(plan.centre(place)):
                kinds[place] = kinds[at]
    ridges = {
        at: _ridges(at, layout, tuple(map(kinds.get, _places(at, layout, _KNOWN)))) for at in kinds
    }
    scale, white = plan.across_mm / DESIGN_MM, style.ink("tile.white")
    items: dict[bool, list[Item]] = {True: [], False: []}
    # A board without a coast is laid out of pieces: grounds change at the edges of hexes, for which
    # players look there, and the foot of a range in a plain would take twice the time of the range.
    reach = 0 if coast is None else 1
    for at in dict.fromkeys(place for one in kinds for place in _places(one, layout, reach)):
        hexagon, high = known.get(at), at in kinds
        # Hexes with a ground of their own are no plain in which ranges fade.
        is_white = (
            hexagon is not None and hexagon.tile.colour == "white" and hexagon.tile.ground is None
        )
        if not (high or is_white or hexagon is None):
            continue
        beside = tuple(map(kinds.get, (neighbour(at, edge, layout) for edge in EDGES)))
        near = tuple(found for place in _places(at, layout, _REACH) if (found := ridges.get(place)))
        outlines = _outlines(at, layout, scale, (high, *map(bool, beside)), near)
        if not any(outlines):
            continue
        ground = ground_ink(plan, hexagon, style) if hexagon else style.ink("map.ground")
        if hexagon is not None and not high:
            highest = max(filter(None, beside), key=lambda kind: ranges()[kind].rise)
            foot = style.theme.inks.get(f"terrain.{highest}.ground", white)
            ground = foot if ground.rgb == white.rgb else mix(ground, foot, 0.5)
        # Tones of coloured ground are nearer to it, as its colour counts in play; so are those beyond
        # the board.
        strength = style.theme.relief * (1.0 if is_white else _ON_COLOUR if hexagon else _OFF_BOARD)
        inks = [ground]
        for part, share, _ in _TONES:
            inks.append(mix(ground, style.ink(f"map.relief.{part}"), share * strength))
        tones = tuple(
            Path(commands=outline, fill=ink, role=Role.RELIEF)
            for outline, ink in zip(outlines, inks, strict=True)
            if outline
        )
        if hexagon is None and high:
            # Contour lines below would show between the tones, as dashes.
            hollow = Path(commands=polygon_path(plan.corners), fill=ground)
            tones = (hollow, *tones)
        there = shifted(tones, *plan.centre(at))
        clip = polygon_path(plan.polygon(at))
        items[hexagon is None].append(Group(items=(there,), clip=clip))
    if coast is None:
        return tuple(items[False])
    return (Group(items=tuple(items[True]), clip=rectangle_path(*coast.frame)), *items[False])


@lru_cache(maxsize=16)
def _round(layout: Layout, reach: int) -> tuple[Coord, ...]:
    """Places at most so many hexes from (0, 0)."""
    found = {Coord(0, 0)}
    for _ in range(reach):
        found |= {neighbour(at, edge, layout) for at in found for edge in EDGES}
    return tuple(sorted(found))


@lru_cache(maxsize=2)
def _ways(layout: Layout) -> tuple[Point, ...]:
    """The way to the middle of each edge."""
    return tuple(centre_mm(neighbour(Coord(0, 0), edge, layout), layout, 1.0) for edge in EDGES)


def _places(at: Coord, layout: Layout, reach: int) -> Iterator[Coord]:
    return (Coord(at.x + dx, at.y + dy) for dx, dy in _round(layout, reach))


class _Roof(NamedTuple):
    """The ground on both sides of a straight line, in steps of the grid: the rows and columns that
    it reaches, where the line begins, its way and length; its height at both ends, how far it rises
    at each step, how far the ground falls at each step away from it, and how far it reaches."""

    top: int
    bottom: int
    left: int
    right: int
    start: Point
    way: Point
    length: float
    heights: Point
    rise: float
    steep: float
    reach: float

    @classmethod
    def over(cls, one: _Vertex, two: _Vertex, wide_mm: float) -> _Roof:
        """The roof over a line from point to point, so wide to either side where it is 1 high."""
        (ax, ay, high), (bx, by, low) = one, two
        high, low = high - _PLAIN, low - _PLAIN
        ax, ay, bx, by = ax / _STEP_MM, ay / _STEP_MM, bx / _STEP_MM, by / _STEP_MM
        dx, dy = bx - ax, by - ay
        length, steep = math.sqrt(dx * dx + dy * dy), _STEP_MM / wide_mm
        reach = max(high, low) / steep
        return cls(
            math.ceil(min(ay, by) - reach),
            math.floor(max(ay, by) + reach),
            math.ceil(min(ax, bx) - reach),
            math.floor(max(ax, bx) + reach),
            (ax, ay),
            (dx / length, dy / length),
            length,
            (high, low),
            (low - high) / length,
            steep,
            reach,
        )

    def raise_ground(self, heights: _Rows, left: int, top: int) -> None:
        """Raise the ground to the roof where it is lower; `left` and `top` are the first column and
        row of its grid."""
        (ax, ay), (dx, dy), (high, low) = self.start, self.way, self.heights
        length, rise, steep = self.length, self.rise, self.steep
        ax, ay = ax - left, ay - top
        west, east = max(0, self.left - left), min(len(heights[0]) - 1, self.right - left)
        slanting = dy > 0.2 or dy < -0.2
        half = self.reach / abs(dy) if slanting else 0.0
        for row in range(max(0, self.top - top), min(len(heights), self.bottom - top + 1)):
            line, y = heights[row], row - ay
            begin, end = west, east
            if slanting:
                middle = ax + y * dx / dy
                begin = max(begin, math.ceil(middle - half))
                end = min(end, math.floor(middle + half))
            along, off = (begin - ax) * dx + y * dy, (begin - ax) * dy - y * dx
            for column, known in enumerate(line[begin : end + 1], begin):
                away = off if off > 0.0 else -off
                if along < 0.0:
                    height = high - (away - along) * steep
                elif along > length:
                    height = low - (away + along - length) * steep
                else:
                    height = high + along * rise - away * steep
                if height > known:
                    line[column] = height
                along += dx
                off += dy


class _Ridges(Frozen, cache_hash=True):
    """The roofs over the ridges that begin in a hex."""

    roofs: tuple[_Roof, ...]


# Kept: an edit changes few hexes.
@lru_cache(maxsize=2048)
def _ridges(at: Coord, layout: Layout, near: tuple[str | None, ...]) -> _Ridges:
    """The ridges that begin in a hex, by the kinds of the hexes round it."""
    forms = {
        place: ranges()[kind]
        for place, kind in zip(_places(at, layout, _KNOWN), near, strict=True)
        if kind is not None
    }
    net = _Net(forms, layout)
    roofs: list[_Roof] = []
    links = net.links(at)
    for other in links:
        if other > at:
            roofs += net.ridge(at, other)
    if len(links) < 2:
        roofs += net.ends(at)
    return _Ridges(tuple(roofs))


class _Net:
    """Ridges between high hexes. Of each three that adjoin each other the two that fit least are
    not linked: all that hang together still do, in lines instead of triangles."""

    def __init__(self, forms: Mapping[Coord, Form], layout: Layout) -> None:
        self._forms, self._layout = forms, layout
        self._links: dict[Coord, tuple[Coord, ...]] = {}
        self._fits: dict[tuple[Coord, Coord], float] = {}

    def links(self, at: Coord) -> tuple[Coord, ...]:
        """The hexes to which ridges lead from a hex."""
        links = self._links.get(at)
        if links is None:
            beside = self._beside(at)
            links = self._links[at] = tuple(
                other
                for other in beside
                if all(
                    self._fit(at, other) > min(self._fit(at, third), self._fit(other, third))
                    for third in beside
                    if third in self._beside(other)
                )
            )
        return links

    def ridge(self, one: Coord, two: Coord) -> Iterator[_Roof]:
        """A ridge from hex to hex, in the form of the lower one."""
        form = min(self._forms[one], self._forms[two], key=lambda form: form.rise)
        (ax, ay, high), (bx, by, low) = self._top(one), self._top(two)
        (tx, ty), (ux, uy) = self._way(one, two), self._way(two, one)
        key = (one.x * 8 + two.x, one.y * 8 + two.y)
        is_main = two in self._main(one) and one in self._main(two)
        sag = _SAG if is_main else _SADDLE_SAG
        line: list[_Vertex] = []
        for step in range(_PIECES + 1):
            # Hermite's form of a cubic curve; both ways point along the ridge, away from its ends.
            t = step / _PIECES
            s = 1.0 - t
            a, b, c, d = s * s * (1 + 2 * t), t * t * (1 + 2 * s), t * s * s, t * t * s
            x, y = ax * a + bx * b + tx * c + ux * d, ay * a + by * b + ty * c + uy * d
            z = high * s + low * t
            if 0 < step < _PIECES:
                x += form.sway_mm * chance(*key, step, 31)
                y += form.sway_mm * chance(*key, step, 32)
                z *= 1.0 - sag * 4 * t * s + 0.07 * chance(*key, step, 33)
            line.append((x, y, z))
        return _crest(line, key, form)

    def _main(self, at: Coord) -> list[Coord]:
        """The two links of a hex that fit best."""
        return sorted(self.links(at), key=lambda other: -self._fit(at, other))[:2]

    def ends(self, at: Coord) -> Iterator[_Roof]:
        """The end of a range in a hex; both ends of a mountain by itself."""
        x, y, high = self._top(at)
        # A mountain by itself has a bright and a dark side.
        dx, dy = _ACROSS_LIGHT[0], _ACROSS_LIGHT[1] + 0.3 * chance(*at, 24)
        ways = [(dx, dy), (-dx, -dy + 0.3 * chance(*at, 25))]
        for other in self.links(at):
            ox, oy, _ = self._top(other)
            ways = [(x - ox, y - oy)]
        for number, way in enumerate(ways):
            dx, dy = _unit(*way)
            turn = 0.016 * chance(*at, 26, number)
            line = [
                (
                    x + dx * out - dy * turn * out * out,
                    y + dy * out + dx * turn * out * out,
                    high * z,
                )
                for out, z in _END
            ]
            yield from _crest(line, (at.x * 8 + number, at.y * 8 + 4), self._forms[at])

    def _beside(self, at: Coord) -> list[Coord]:
        around = (neighbour(at, edge, self._layout) for edge in EDGES)
        return [other for other in around if other in self._forms]

    def _fit(self, one: Coord, two: Coord) -> float:
        """The share along a link, rather than across it, of the high ground round it; more for links
        across the light."""
        key = (one, two) if one < two else (two, one)
        fit = self._fits.get(key)
        if fit is None:
            dx, dy = _between(*key, self._layout)
            along = across = 0.0
            for place in dict.fromkeys((*self._beside(one), *self._beside(two))):
                x, y = _between(key[0], place, self._layout)
                x, y = x - dx / 2, y - dy / 2
                onward, aside = x * dx + y * dy, x * dy - y * dx
                along += onward * onward
                across += aside * aside
            lit = _ACROSS_LIGHT[0] * dx + _ACROSS_LIGHT[1] * dy
            # Chance decides between two that fit equally.
            fit = along / (along + across) + _LIT_FIT * lit * lit / (dx * dx + dy * dy)
            fit += _CHANCE_FIT * chance(one.x + two.x, one.y + two.y, 11)
            self._fits[key] = fit
        return fit

    def _top(self, at: Coord) -> _Vertex:
        """The point at which the ridges of a hex meet, and its height."""
        x, y = centre_mm(at, self._layout, DESIGN_MM)
        high = self._forms[at].rise * (0.95 + 0.15 * chance(*at, 23))
        return x + _STRAY_MM * chance(*at, 21), y + _STRAY_MM * chance(*at, 22), high

    def _way(self, at: Coord, to: Coord) -> Point:
        """The way in which a ridge leaves a hex: on from the one on the other side of its top."""
        (x, y, _), (bx, by, _) = self._top(at), self._top(to)
        ux, uy = bx - x, by - y
        way, most = (ux, uy), -0.3
        for other in self.links(at):
            ox, oy, _ = self._top(other)
            vx, vy = ox - x, oy - y
            turn = (ux * vx + uy * vy) / math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy))
            if turn < most:
                way, most = ((bx - ox) / 2, (by - oy) / 2), turn
        return way


def _unit(x: float, y: float) -> Point:
    """The way of a vector. `math.hypot` differs between systems, the square root does not."""
    size = math.sqrt(x * x + y * y)
    return x / size, y / size


def _between(one: Coord, two: Coord, layout: Layout) -> Point:
    """From the middle of a hex to that of another, in hexes."""
    return centre_mm(Coord(two.x - one.x, two.y - one.y), layout, 1.0)


def _crest(line: Sequence[_Vertex], key: tuple[int, int], form: Form) -> Iterator[_Roof]:
    """Roofs over a ridge and over the spurs that leave it to either side by turns."""
    side = 1.0 if chance(*key, 41) > 0 else -1.0
    ahead, number = form.apart_mm * (0.6 + 0.3 * chance(*key, 42)), 0
    for (ax, ay, ha), (bx, by, hb) in pairwise(line):
        yield _Roof.over((ax, ay, ha), (bx, by, hb), form.wide_mm)
        dx, dy = bx - ax, by - ay
        size = math.sqrt(dx * dx + dy * dy)
        while ahead < size:
            t, number = ahead / size, number + 1
            # Spurs lean to where the ridge falls.
            lean = 0.4 * chance(*key, number, 43) + (0.25 if hb < ha else -0.25)
            root = (ax + dx * t, ay + dy * t, ha + (hb - ha) * t)
            yield from _spur(
                root, (dx * lean - dy * side, dy * lean + dx * side), (*key, number), form
            )
            ahead += form.apart_mm * (1.0 + 0.16 * chance(*key, number, 46))
            side = -side
        ahead -= size


def _spur(root: _Vertex, way: Point, key: tuple[int, ...], form: Form) -> Iterator[_Roof]:
    """A spur with a rib on each of its points but the last."""
    (x, y, z), (dx, dy) = root, _unit(*way)
    reach = form.long_mm * (0.3 + 0.7 * min(1.0, z / form.rise)) * (1.0 + 0.25 * chance(*key, 44))
    bend = 0.3 * chance(*key, 45)
    before = (x, y, z * 0.97)
    for point, (out, share) in enumerate(_SPUR):
        far = out * reach
        off = bend * out * far + form.sway_mm / 2 * chance(*key, point, 47)
        x, y, high = root[0] + dx * far - dy * off, root[1] + dy * far + dx * off, z * share
        yield _Roof.over(before, (x, y, high), form.steep_mm)
        before = (x, y, high)
        if out < 1.0:
            side = 1.0 if chance(*key, point, 48) > 0 else -1.0
            rib = (_RIB_MM + 1.5 * chance(*key, point, 49)) * math.sqrt(form.rise)
            end = (x + (dx * 0.6 - dy * side) * rib, y + (dy * 0.6 + dx * side) * rib, high * 0.25)
            yield _Roof.over((x, y, high * 0.97), end, form.steep_mm * 0.8)


# Kept: an edit changes few hexes.
@lru_cache(maxsize=2048)
def _outlines(
    at: Coord, layout: Layout, scale: float, around: tuple[bool, ...], near: tuple[_Ridges, ...]
) -> tuple[Commands, ...]:
    """The outlines in a hex of the foot of a range and of each tone, round the middle of the hex;
    `around` says whether it is high itself, and each of its neighbours."""
    high, *beside = around
    middle = centre_mm(at, layout, DESIGN_MM)
    # Beyond high hexes the ground falls to nothing: in this hex from the edges where high ones are,
    # round a high one beyond the edges where none are. In one that is not high there is nothing
    # farther in.
    ways = [way for way, is_high in zip(_ways(layout), beside, strict=True) if is_high is not high]
    corners = corner_points(layout, DESIGN_MM)
    if not high:
        ends = [end % 6 for edge in EDGES if beside[edge] for end in (edge - 1, edge)]
        inner = corner_points(layout, DESIGN_MM - 2 * _FADE_MM)
        corners = tuple(points[k] for k in ends for points in (corners, inner))
    west, north, east, south = bounds_of(corners)
    left = math.floor((middle[0] + west) / _STEP_MM) - _MARGIN
    top = math.floor((middle[1] + north) / _STEP_MM) - _MARGIN
    right = math.ceil((middle[0] + east) / _STEP_MM) + _MARGIN
    bottom = math.ceil((middle[1] + south) / _STEP_MM) + _MARGIN
    columns = right + 1 - left
    heights = [[0.0] * columns for _ in range(top, bottom + 1)]
    for ridges in near:
        for roof in ridges.roofs:
            if (
                roof.top <= bottom
                and roof.bottom >= top
                and roof.left <= right
                and roof.right >= left
            ):
                roof.raise_ground(heights, left, top)
    x, y = left * _STEP_MM - middle[0], top * _STEP_MM - middle[1]
    if ways:
        sign = -1.0 if high else 1.0
        for row, line in enumerate(heights):
            down = row * _STEP_MM + y
            for column, height in enumerate(line):
                if height:
                    across = column * _STEP_MM + x
                    beyond = DESIGN_MM / 2 - max([across * wx + down * wy for wx, wy in ways])
                    if beyond * sign > 0.0:
                        line[column] = height * max(0.0, 1.0 - beyond * sign / _FADE_MM)
    slopes = [[0.0] * columns]
    for above, below in zip(heights, heights[2:], strict=False):
        slopes.append([0.0, *(b - a for a, b in zip(above, below[2:], strict=False)), 0.0])
    slopes.append([0.0] * columns)
    for values in (heights, slopes):
        values[0] = values[-1] = [0.0] * columns
        for line in values:
            line[0] = line[-1] = 0.0
    foot = () if high else _outline(heights, _FOOT, (x, y), scale)
    return foot, *(_outline(slopes, level, (x, y), scale) for *_, level in _TONES)


def _outline(values: _Rows, level: float, origin: Point, scale: float) -> Commands:
    """Outlines of what lies beyond a level, without specks."""
    commands: list[Command] = []
    for ring in level_rings(values, level):
        if len(ring) > 5:
            line = [(x * _STEP_MM + origin[0], y * _STEP_MM + origin[1]) for x, y in ring]
            points = (
                (round(x * scale, 2), round(y * scale, 2)) for x, y in thinned(line, _FINE_MM)
            )
            commands += polygon_path(points)
    return tuple(commands)


# Textures.


class Room:
    """The free part of a hex: whether a sign has room there is worked out once for each place."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._known: dict[tuple[Point, Point], bool] = {}

    def clear(self, spot: Point, box: Point) -> bool:
        """True if a box round a spot, counted from the middle of the hex, keeps clear of all."""
        clear = self._known.get((spot, box))
        if clear is None:
            room = self._field.room(*spot, box, enough=2 * _CLEAR_MM, floor=_CLEAR_MM)
            clear = self._known[spot, box] = room > _CLEAR_MM
        return clear


def texture_items(plan: MapPlan, room: Callable[[str], Room], style: Style) -> Items:
    """Small signs all over hexes of flat ground, nearer ones over farther ones; `room` is the free
    part of a hex by its printed coordinates."""
    if not style.theme.relief:
        return ()
    quiet = _quiet(style)
    items: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        kind = relief_kind(plan, hexagon)
        if kind not in textures():
            continue
        x, y = plan.centre(hexagon.at)
        free = room(hexagon.id)
        for spot, number, width_mm in _spots(hexagon.at, kind, plan.layout, plan.across_mm):
            sign = texture_sign(kind, number, width_mm, quiet)
            wide, tall = sign.width_mm, sign.height_mm
            if free.clear(spot, (wide, tall)):
                matrix = translation(x + spot[0] - wide / 2, y + spot[1] - tall / 2)
                items.append(Use(scene=sign, matrix=matrix))
    return tuple(items)


@lru_cache(maxsize=8)
def _quiet(style: Style) -> Style:
    """The style with the inks of terrain nearer to the ground: textures are below the grid and
    rivers in loudness."""
    inks = dict(style.theme.inks)
    ground = style.ink("tile.white")
    for name, ink in style.theme.inks.items():
        family, _, part = name.rpartition(".")
        if family.startswith("terrain.") and part in _QUIET:
            share = 1.0 - (1.0 - _QUIET[part]) * style.theme.relief
            inks[name] = mix(ink, ground, share)
    return replace(style, theme=replace(style.theme, inks=inks))


@lru_cache(maxsize=1024)
def _spots(
    at: Coord, kind: str, layout: Layout, across_mm: float
) -> tuple[tuple[Point, int, float], ...]:
    """Places for signs in a hex, counted from its middle, in rows that chance disturbs; the number
    of each sign, and its width in mm."""
    texture, scale = textures()[kind], across_mm / DESIGN_MM
    apart = texture.apart_mm * scale
    reach = math.ceil(across_mm * 0.6 / apart)
    field = Field(layout, across_mm, texture.width_mm * 0.42 * scale)
    spots: list[tuple[Point, int, float]] = []
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            key = (at.x * 64 + column, at.y * 64 + row)
            dx = (column + (row % 2) / 2 + chance(*key, 1) * _JITTER) * apart
            dy = (row * 0.8 + chance(*key, 2) * _JITTER) * apart
            if field.room(dx, dy, (0.0, 0.0), enough=1.0) > 0.0:
                size = _SMALLEST + (1 - _SMALLEST) * (chance(*key, 3) + 1.0) / 2
                width_mm = round(texture.width_mm * scale * size / _SIZES_MM) * _SIZES_MM
                number = int((chance(*key, 4) + 1.0) / 2 * len(texture.signs)) % len(texture.signs)
                spots.append(((dx, dy), number, round(width_mm, 2)))
    return tuple(sorted(spots, key=lambda spot: (spot[0][1], spot[0][0])))
