"""Relief of a map: ranges lit from the upper left in flat tones, and textures of flat ground.

Adjacent high hexes are joined by ridges, which are splines from middle to middle; spurs leave the
ridges on both sides. The ground slopes away from each line like a roof, and its height at a point
is that of the highest roof above it. Slopes towards the light and away from it are shown in tones
with sharp edges, as Swiss maps shade rock (Imhof, "Cartographic Relief Presentation", 1965).
Everything depends only on the kinds of nearby hexes, so that an edit changes nothing farther away.

Lengths apply to hexes of the usual size (`DESIGN_MM`). Sums, products and square roots are
identical on all systems, so the outlines are, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.terrain import Form, ranges, texture_sign, textures
from platelayer.drawing.hex.terrain import relief_kind as relief_kind_of
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.ground import ground_ink, wash_bands
from platelayer.drawing.map.plan import DESIGN_MM, Edge, MapPlan, spot
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

# Distance between two samples of height.
_STEP_MM = 1.8
# Number of straight pieces of a ridge from hex to hex; maximum random displacement of the tops;
# share by which the line between its neighbours moves each top; sag of a ridge between two tops, as
# a share of its height; and sag of a ridge that joins two main ridges.
_PIECES, _STRAY_MM, _DRAWN, _SAG, _SADDLE_SAG = 6, 4.0, 0.3, 0.12, 0.7
# Direction across the light, and how much better ridges along it fit than others: wide ranges
# consist of long ridges with a bright and a dark side.
_ACROSS_LIGHT, _LIT_FIT, _CHANCE_FIT = (0.87, -0.5), 0.15, 0.03
# Light comes from the upper left, but turns by this share for a ridge along its direction, which
# would otherwise have neither a bright nor a dark side (Imhof's turning of the light).
_TURN = 0.9
# Height of the body of a range and of the roots of its spurs, as shares of the range's height.
# Points of a spur: shares of its length and of its height; length of the ribs on it.
_BODY, _RELIEF = 0.6, 0.42
_SPUR, _RIB_MM = ((0.35, 0.9), (0.7, 0.62), (1.0, 0.1)), 5.5
# The end of a range: distance from its last top in mm, and share of its height.
_END = ((0.0, 1.0), (5.0, 0.9), (10.0, 0.7), (15.5, 0.36))
# Distances over which relief fades: beyond high hexes, within them before other colours and states,
# and beyond the board. Ground above the last height is the foot of high ground.
_FADE_MM, _EDGE_MM, _AWAY_MM, _FOOT = 5.0, 4.0, 18.0, 0.04
# Tones of slopes: the ink, its share in the ground, and the slope from which it applies, as the
# rise over two steps to the right and two down.
_TONES = (
    ("light", 0.55, 0.08),
    ("light", 1.0, 0.26),
    ("shade", 0.3, -0.08),
    ("shade", 0.62, -0.26),
)
_ON_COLOUR, _OFF_BOARD = 0.55, 0.75
# Strength of the washes of states on tones, which show through.
_UNDER = 0.6
# Ranges that rise higher than this continue beyond the board.
_BEYOND = 0.6
# Points nearer than this to the line between their neighbours are omitted.
_FINE_MM = 0.12
# Maximum distance in hexes of the hexes that determine the ridges of one, and of the hexes that
# these ridges reach.
_KNOWN, _REACH = 4, 2
# Margin of the grid of a hex in steps: one for computing slopes, and one in which outlines are
# closed.
_MARGIN = 2

# Texture.

# Share of the ground in the inks of signs.
_QUIET = {"line": 0.52, "shade": 0.45, "light": 0.25}
# Clearance between signs and other contents of hexes.
_CLEAR_MM = 0.5
# Step between the widths of signs, because painters store each size once; and the smallest as a
# share of the largest.
_SIZES_MM, _SMALLEST = 1.0, 0.55
# Maximum random displacement of signs, as a share of their distance.
_JITTER = 0.36

# A point of a ridge in mm, and its height.
_Vertex = tuple[float, float, float]
_Rows = list[list[float]]


def relief_kind(plan: MapPlan, hexagon: MapHex) -> str | None:
    """Return the kind of terrain that a hex shows as relief, or None: the first kind with a relief,
    if the hex is white and neither it nor its region has a ground of its own; or a pass, on any
    ground."""
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


def shading_items(
    plan: MapPlan, coast: Coast | None, washes: Mapping[str, Sequence[Edge]], style: Style
) -> Items:
    """Draw ranges in tones of the grounds of their hexes. Ranges fade in the plain hexes around
    them and before other ground; tones within the `washes` of a state take on its colour.
    Mountains whose ridge ends at the rim of the board continue for a hex beyond it if there is
    land. Neighbouring lands have mountains of their own, which take precedence there. Without a
    coast, ranges end at the edges of their hexes."""
    layout, known = plan.layout, plan.gamemap.by_coord
    kinds = {
        at: kind
        for at, hexagon in known.items()
        if (kind := relief_kind(plan, hexagon)) is not None and kind in ranges()
    }
    if not (kinds and style.theme.relief):
        return ()
    if coast is not None:
        beyond = dict(_run_on(kinds, layout))
        for land in plan.gamemap.beyond:
            beyond |= {place: "mountain" for at in land.mountains for place in at.touches(layout)}
        for place, kind in beyond.items():
            if place not in known and not coast.on_water(plan.centre(place)):
                kinds[place] = kind
    ridges = {
        at: _ridges(at, layout, tuple(map(kinds.get, _places(at, layout, _KNOWN)))) for at in kinds
    }
    scale, white = plan.across_mm / DESIGN_MM, style.ink("tile.white")

    def is_plain(at: Coord) -> bool:
        """Return True for a hex without a ground of its own, in which a range may fade."""
        hexagon = known.get(at)
        return hexagon is not None and hexagon.tile.colour == "white" and not hexagon.tile.ground

    def fade_mm(at: Coord, edge: int) -> float:
        """Return the distance over which a range fades, within a high hex before an edge or within
        another hex behind the edge; 0 if it does not fade."""
        other = neighbour(at, edge, layout)
        if at not in kinds:
            shared = plan.state_of.get(at) == plan.state_of.get(other)
            return _FADE_MM if other in kinds and other in known and shared else 0.0
        if other in kinds:
            return 0.0
        if at not in known and other not in known:
            return _AWAY_MM
        fades = coast is None or (is_plain(other) and fade_mm(other, (edge + 3) % 6))
        return 0.0 if fades else _EDGE_MM

    items: dict[bool, list[Item]] = {True: [], False: []}
    # A board without a coast is assembled from pieces: players expect grounds to change at the
    # edges of hexes, and the foot of a range in a plain would take twice the time of the range.
    reach = 0 if coast is None else 1
    for at in dict.fromkeys(place for one in kinds for place in _places(one, layout, reach)):
        hexagon, high = known.get(at), at in kinds
        fades = tuple(fade_mm(at, edge) for edge in EDGES)
        if not high and not (any(fades) and is_plain(at)):
            continue
        near = tuple(found for place in _places(at, layout, _REACH) if (found := ridges.get(place)))
        outlines = _outlines(at, layout, fades, near, scale=scale, high=high)
        if not any(outlines):
            continue
        ground = ground_ink(plan, hexagon, style) if hexagon else style.ink("map.ground")
        if not high:
            beside = (kinds.get(neighbour(at, edge, layout)) for edge in EDGES)
            highest = max(filter(None, beside), key=lambda kind: ranges()[kind].rise)
            foot = style.theme.inks.get(f"terrain.{highest}.ground", white)
            ground = foot if ground.rgb == white.rgb else mix(ground, foot, 0.5)
        # Tones on coloured ground are weaker, as its colour matters in play; so are those beyond
        # the board.
        strength = style.theme.relief
        if not is_plain(at):
            strength *= _ON_COLOUR if hexagon else _OFF_BOARD
        inks = [ground]
        for part, share, _ in _TONES:
            inks.append(mix(ground, style.ink(f"map.relief.{part}"), share * strength))
        tones: list[Item] = []
        corners = set(map(spot, plan.polygon(at)))
        edges = [
            edge
            for edge in washes.get(plan.state_of.get(at, ""), ())
            if is_plain(at) and not corners.isdisjoint(map(spot, plan.edge_line(edge)))
        ]
        x, y = plan.centre(at)
        lines = plan.moved(-x, -y).lines(edges)
        for outline, ink in zip(outlines, inks, strict=True):
            if outline:
                tones.append(Path(commands=outline, fill=ink, role=Role.RELIEF))
                if edges:
                    colour = plan.state_colours[plan.state_of[at]]
                    bands = wash_bands(lines, colour, ink, style, _UNDER)
                    tones.append(Group(items=bands, clip=outline))
        if hexagon is None:
            # Otherwise contour lines below would show between the tones, as dashes.
            tones.insert(0, Path(commands=polygon_path(plan.corners), fill=ground))
        clip = polygon_path(plan.polygon(at))
        items[hexagon is None].append(Group(items=(shifted(tuple(tones), x, y),), clip=clip))
    if coast is None:
        return tuple(items[False])
    return (Group(items=tuple(items[True]), clip=rectangle_path(*coast.frame)), *items[False])


def _run_on(kinds: Mapping[Coord, str], layout: Layout) -> Iterator[tuple[Coord, str]]:
    """Yield the hexes to which ending ridges of mountains would continue, with their kinds."""
    for at, kind in kinds.items():
        if ranges()[kind].rise <= _BEYOND:
            continue
        beside = [neighbour(at, edge, layout) for edge in EDGES]
        high = [edge for edge in EDGES if beside[edge] in kinds]
        if high and max(high) - min(high) in (0, 1, 5):
            yield beside[(high[0] + 3) % 6], kind


@lru_cache(maxsize=16)
def _round(layout: Layout, reach: int) -> tuple[Coord, ...]:
    """Return the coordinates at most `reach` hexes from (0, 0)."""
    found = {Coord(0, 0)}
    for _ in range(reach):
        found |= {neighbour(at, edge, layout) for at in found for edge in EDGES}
    return tuple(sorted(found))


@lru_cache(maxsize=2)
def _ways(layout: Layout) -> tuple[Point, ...]:
    """Return the unit vector towards the middle of each edge."""
    return tuple(centre_mm(neighbour(Coord(0, 0), edge, layout), layout, 1.0) for edge in EDGES)


def _places(at: Coord, layout: Layout, reach: int) -> Iterator[Coord]:
    return (Coord(at.x + dx, at.y + dy) for dx, dy in _round(layout, reach))


class _Roof(NamedTuple):
    """Ground on both sides of a straight line, in steps of the grid: the rows and columns that it
    covers; the start, direction and length of the line; its height at both ends, and its rise
    per step; the fall of the ground per step away from the line, and its reach. The `light` of a
    range's roof has components from the left and from above; that of a spur's roof is None."""

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
    light: Point | None

    @classmethod
    def over(cls, one: _Vertex, two: _Vertex, wide_mm: float, light: Point | None = None) -> _Roof:
        """Return the roof over a line between two points. It extends `wide_mm` to either side where
        the height is 1."""
        (ax, ay, high), (bx, by, low) = one, two
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
            light,
        )

    def raise_ground(self, heights: _Rows, lights: list[list[Point]], left: int, top: int) -> None:
        """Raise the ground to the roof where it is lower, and set the roof's light there. `left`
        and `top` are the first column and row of the grid."""
        (ax, ay), (dx, dy), (high, low) = self.start, self.way, self.heights
        length, rise, steep, light = self.length, self.rise, self.steep, self.light
        ax, ay = ax - left, ay - top
        west, east = max(0, self.left - left), min(len(heights[0]) - 1, self.right - left)
        slanting = dy > 0.2 or dy < -0.2
        half = self.reach / abs(dy) if slanting else 0.0
        for row in range(max(0, self.top - top), min(len(heights), self.bottom - top + 1)):
            line, lit, y = heights[row], lights[row], row - ay
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
                    if light is not None:
                        lit[column] = light
                along += dx
                off += dy


class _Ridges(Frozen, cache_hash=True):
    """Roofs over the ridges that begin in a hex."""

    roofs: tuple[_Roof, ...]


# Cached, as an edit changes few hexes.
@lru_cache(maxsize=2048)
def _ridges(at: Coord, layout: Layout, near: tuple[str | None, ...]) -> _Ridges:
    """Return the ridges that begin in a hex, given the kinds of the hexes around it."""
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
    """Ridges between high hexes. Of any three hexes that adjoin each other, the two that fit least
    are not linked. Connected hexes stay connected, by lines instead of triangles."""

    def __init__(self, forms: Mapping[Coord, Form], layout: Layout) -> None:
        self._forms, self._layout = forms, layout
        self._links: dict[Coord, tuple[Coord, ...]] = {}
        self._fits: dict[tuple[Coord, Coord], float] = {}

    def links(self, at: Coord) -> tuple[Coord, ...]:
        """Return the hexes to which ridges lead from a hex."""
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
        """Yield the roofs of a ridge between two hexes, in the form of the lower one."""
        form = min(self._forms[one], self._forms[two], key=lambda form: form.rise)
        (ax, ay, high), (bx, by, low) = self._top(one), self._top(two)
        (tx, ty), (ux, uy) = self._way(one, two), self._way(two, one)
        key = (one.x * 8 + two.x, one.y * 8 + two.y)
        is_main = two in self._main(one) and one in self._main(two)
        sag = _SAG if is_main else _SADDLE_SAG
        line: list[_Vertex] = []
        for step in range(_PIECES + 1):
            # Hermite form of a cubic curve; both directions point along the ridge, away from its
            # ends.
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
        return _crest(line, ((tx, ty), (-ux, -uy)), key, form)

    def _main(self, at: Coord) -> list[Coord]:
        """Return the two links of a hex that fit best."""
        return sorted(self.links(at), key=lambda other: -self._fit(at, other))[:2]

    def ends(self, at: Coord) -> Iterator[_Roof]:
        """Yield the roofs of the end of a range in a hex; for an isolated mountain, of both
        ends."""
        x, y, high = self._top(at)
        # A single mountain has a bright and a dark side.
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
            key = (at.x * 8 + number, at.y * 8 + 4)
            yield from _crest(line, (way, way), key, self._forms[at])

    def _beside(self, at: Coord) -> list[Coord]:
        around = (neighbour(at, edge, self._layout) for edge in EDGES)
        return [other for other in around if other in self._forms]

    def _fit(self, one: Coord, two: Coord) -> float:
        """Return how much of the high ground around a link extends along it rather than across it;
        more for links across the light."""
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
            # A random number decides between two that fit equally.
            fit = along / (along + across) + _LIT_FIT * lit * lit / (dx * dx + dy * dy)
            fit += _CHANCE_FIT * chance(one.x + two.x, one.y + two.y, 11)
            self._fits[key] = fit
        return fit

    def _top(self, at: Coord) -> _Vertex:
        """Return the point at which the ridges of a hex meet, with its height."""
        x, y = centre_mm(at, self._layout, DESIGN_MM)
        main = self._main(at)
        if len(main) == 2:
            # Hexes in a row form a zigzag; the ridge through them must not.
            for other in main:
                ox, oy = centre_mm(other, self._layout, DESIGN_MM)
                x, y = x + (ox - x) * _DRAWN / 2, y + (oy - y) * _DRAWN / 2
        high = self._forms[at].rise * (0.95 + 0.15 * chance(*at, 23))
        return x + _STRAY_MM * chance(*at, 21), y + _STRAY_MM * chance(*at, 22), high

    def _way(self, at: Coord, to: Coord) -> Point:
        """Return the direction in which a ridge leaves a hex, in continuation of the ridge on the
        other side of its top."""
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
    """Return a vector scaled to length 1. `math.hypot` differs between systems, the square root
    does not."""
    size = math.sqrt(x * x + y * y)
    return x / size, y / size


def _between(one: Coord, two: Coord, layout: Layout) -> Point:
    """Return the vector from the middle of one hex to that of another, in hexes."""
    return centre_mm(Coord(two.x - one.x, two.y - one.y), layout, 1.0)


def _light(dx: float, dy: float) -> Point:
    """Return the components, from the left and from above, of the light on a ridge with this
    direction."""
    x, y = _unit(dx, dy)
    # Across the ridge, on the side of the light; for most ridges along the light it comes from
    # above, so that it does not jump at bends of such a ridge.
    side = _TURN * (1.0 + (x + y) * (x + y) / 2)
    side = side if x > 0.45 * y else -side
    x, y = _unit(1.0 - y * side, 1.0 + x * side)
    return x * 1.414, y * 1.414


def _crest(
    line: Sequence[_Vertex], ways: tuple[Point, Point], key: tuple[int, int], form: Form
) -> Iterator[_Roof]:
    """Yield roofs over a ridge, which has the directions `ways` at its ends, and over the spurs
    that leave it on alternate sides."""
    side = 1.0 if chance(*key, 41) > 0 else -1.0
    ahead, number = form.apart_mm * (0.6 + 0.3 * chance(*key, 42)), 0
    (ax, ay), (bx, by) = ways
    # The body is so wide that half of the pieces are enough.
    rough = [*line[:-1:2], line[-1]]
    for step, (one, two) in enumerate(pairwise(rough)):
        t = (step + 0.5) / (len(rough) - 1)
        light = _light(ax + (bx - ax) * t, ay + (by - ay) * t)
        yield _Roof.over(one, two, form.wide_mm, light)
    for (x, y, ha), (ex, ey, hb) in pairwise(line):
        yield _Roof.over((x, y, ha * _RELIEF), (ex, ey, hb * _RELIEF), form.steep_mm)
        dx, dy = ex - x, ey - y
        size = math.sqrt(dx * dx + dy * dy)
        while ahead < size:
            t, number = ahead / size, number + 1
            # Spurs lean towards the descending end of the ridge.
            lean = 0.35 * chance(*key, number, 43) + (0.3 if hb < ha else -0.3)
            root = (x + dx * t, y + dy * t, (ha + (hb - ha) * t) * _RELIEF)
            yield from _spur(
                root, (dx * lean - dy * side, dy * lean + dx * side), (*key, number), form
            )
            ahead += form.apart_mm * (1.0 + 0.25 * chance(*key, number, 46))
            side = -side
        ahead -= size


def _spur(root: _Vertex, way: Point, key: tuple[int, ...], form: Form) -> Iterator[_Roof]:
    """Yield the roofs of a spur with a rib."""
    (x, y, z), (dx, dy) = root, _unit(*way)
    reach = form.long_mm * (0.9 + 0.25 * chance(*key, 44))
    bend = 0.35 * chance(*key, 45)
    before = root
    for point, (out, share) in enumerate(_SPUR):
        far = out * reach
        off = bend * out * far + form.sway_mm / 2 * chance(*key, point, 47)
        x, y, high = root[0] + dx * far - dy * off, root[1] + dy * far + dx * off, z * share
        yield _Roof.over(before, (x, y, high), form.steep_mm)
        before = (x, y, high)
        if point == 0:
            side = 1.0 if chance(*key, point, 48) > 0 else -1.0
            rib = _RIB_MM + 1.5 * chance(*key, point, 49)
            end = (x + (dx * 0.7 - dy * side) * rib, y + (dy * 0.7 + dx * side) * rib, high * 0.3)
            yield _Roof.over(before, end, form.steep_mm)


# Cached, as an edit changes few hexes.
@lru_cache(maxsize=2048)
def _outlines(
    at: Coord,
    layout: Layout,
    fades: tuple[float, ...],
    near: tuple[_Ridges, ...],
    *,
    scale: float,
    high: bool,
) -> tuple[Commands, ...]:
    """Return the outlines in a hex of the foot of a range and of each tone, relative to the hex's
    middle. The hex is high itself or adjacent to high ones; ranges fade over a distance before
    or behind its edges."""
    middle = centre_mm(at, layout, DESIGN_MM)
    corners = corner_points(layout, DESIGN_MM)
    if not high:
        # Relief fades within this margin, so there is nothing further in.
        ends = [end % 6 for edge in EDGES if fades[edge] for end in (edge - 1, edge)]
        inner = corner_points(layout, DESIGN_MM - 2 * _FADE_MM)
        corners = tuple(points[k] for k in ends for points in (corners, inner))
    west, north, east, south = bounds_of(corners)
    left = math.floor((middle[0] + west) / _STEP_MM) - _MARGIN
    top = math.floor((middle[1] + north) / _STEP_MM) - _MARGIN
    right = math.ceil((middle[0] + east) / _STEP_MM) + _MARGIN
    bottom = math.ceil((middle[1] + south) / _STEP_MM) + _MARGIN
    columns, rows = right + 1 - left, bottom + 1 - top
    ranges_, spurs = ([[0.0] * columns for _ in range(rows)] for _ in range(2))
    lights = [[(1.0, 1.0)] * columns for _ in range(rows)]
    for ridges in near:
        for roof in ridges.roofs:
            if (
                roof.top <= bottom
                and roof.bottom >= top
                and roof.left <= right
                and roof.right >= left
            ):
                roof.raise_ground(spurs if roof.light is None else ranges_, lights, left, top)
    heights = [
        [a * a * _BODY + b for a, b in zip(one, two, strict=True)]
        for one, two in zip(ranges_, spurs, strict=True)
    ]
    blank = [0.0] * columns
    slopes = [blank]
    for above, line, below, lit in zip(heights, heights[1:], heights[2:], lights[1:], strict=False):
        slopes.append(
            [
                0.0,
                *(
                    lx * (east - west) + ly * (south - north)
                    for (lx, ly), west, east, north, south in zip(
                        lit[1:], line, line[2:], above[1:], below[1:], strict=False
                    )
                ),
                0.0,
            ]
        )
    slopes.append(blank)
    x, y = left * _STEP_MM - middle[0], top * _STEP_MM - middle[1]
    ways = [(*way, fade) for way, fade in zip(_ways(layout), fades, strict=True) if fade]
    if ways:
        for row, (line, shades) in enumerate(zip(heights, slopes, strict=True)):
            down = row * _STEP_MM + y
            for column, height in enumerate(line):
                if height:
                    across = column * _STEP_MM + x
                    way_in = min(
                        [(DESIGN_MM / 2 - across * wx - down * wy) / fade for wx, wy, fade in ways]
                    )
                    share = way_in if high else 1.0 - way_in
                    if share < 1.0:
                        share = max(0.0, share)
                        line[column] = height * share
                        shades[column] *= share
    for values in (heights, slopes):
        values[0] = values[-1] = blank
        for line in values:
            line[0] = line[-1] = 0.0
    foot = () if high else _outline(heights, _FOOT, (x, y), scale)
    return foot, *(_outline(slopes, level, (x, y), scale) for *_, level in _TONES)


def _outline(values: _Rows, level: float, origin: Point, scale: float) -> Commands:
    """Return the outlines of the area beyond a level, without specks."""
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
    """The free part of a hex. The room for a sign is computed once for each position."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._known: dict[tuple[Point, Point], bool] = {}

    def clear(self, spot: Point, box: Point) -> bool:
        """Return True if a box around a spot, relative to the hex's middle, is clear of
        everything."""
        clear = self._known.get((spot, box))
        if clear is None:
            room = self._field.room(*spot, box, enough=2 * _CLEAR_MM, floor=_CLEAR_MM)
            clear = self._known[spot, box] = room > _CLEAR_MM
        return clear


def texture_items(plan: MapPlan, room: Callable[[str], Room], style: Style) -> Items:
    """Draw small signs all over hexes of flat ground, nearer ones over farther ones. `room` returns
    the free part of a hex by its printed coordinates."""
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
        for at, number, width_mm in _spots(hexagon.at, kind, plan.layout, plan.across_mm):
            sign = texture_sign(kind, number, width_mm, quiet)
            wide, tall = sign.width_mm, sign.height_mm
            if free.clear(at, (wide, tall)):
                matrix = translation(x + at[0] - wide / 2, y + at[1] - tall / 2)
                items.append(Use(scene=sign, matrix=matrix))
    return tuple(items)


@lru_cache(maxsize=8)
def _quiet(style: Style) -> Style:
    """Return the style with terrain inks closer to the ground, as textures must be less prominent
    than the grid and rivers."""
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
    """Return positions for signs in a hex, relative to its middle, in randomly displaced rows, with
    the number and width (mm) of each sign."""
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
