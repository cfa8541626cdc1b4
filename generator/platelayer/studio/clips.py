"""Hexes copied or moved as one piece, which may be turned and mirrored.

All functions take JSON as it stands in an assembled title and return new JSON. Within a piece, a
place is a pair (u, v): u steps across edge 0 and v steps across edge 1 from the first hex. This
holds for both layouts.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from platelayer.definitions.build import build_scheme, waypoint_hex
from platelayer.definitions.references import hexes_named
from platelayer.foundation.geometry import direction, settled
from platelayer.foundation.problems import join_pointer
from platelayer.foundation.values import Json
from platelayer.model.gamemap import Coord, CoordinateScheme, Layout, neighbour
from platelayer.studio.folder import Refused

Place: TypeAlias = tuple[int, int]
EDGES = 6
# Neighbours of (0, 0) across edges 0 to 5.
_STEPS: tuple[Place, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
# Mirrored left to right, edge k becomes this number minus k.
_MIRROR = {Layout.FLAT: 0, Layout.POINTY: 5}
_HALVES = ("left", "top", "right", "bottom")
_MOST_HEXES = 2000
_OFF_GRID = "{} lies off the grid of the other hexes: leave it out"


class Way(NamedTuple):
    """Transformation of hexes: an optional left-to-right mirroring, then clockwise turns by 60
    degrees."""

    layout: Layout
    turns: int = 0
    mirrored: bool = False

    def edge(self, edge: float) -> Any:
        """Transform an edge, or a direction between edges."""
        turned = (_MIRROR[self.layout] - edge if self.mirrored else edge) + self.turns
        return turned % EDGES if isinstance(edge, int) else round(turned % EDGES, 6)

    def place(self, place: Place) -> Place:
        """Transform a place around (0, 0)."""
        (a, b), (c, d) = _STEPS[self.edge(0)], _STEPS[self.edge(1)]
        return place[0] * a + place[1] * c, place[0] * b + place[1] * d

    def hexagon(self, hexagon: Json, name: str = "") -> Json:
        """Transform everything in a hex or tile that has a direction. Raises Refused for half a hex
        that would no longer be half a hex."""
        made = copy.deepcopy(hexagon)
        for segment in made.get("track", ()):
            segment[:2] = [self.edge(end) if isinstance(end, int) else end for end in segment[:2]]
            if self.mirrored and len(segment) > 2 and "lanes" in segment[2]:
                lanes = segment[2]["lanes"]
                segment[2]["lanes"] = [[count, count - 1 - lane] for count, lane in lanes]
        for line in made.get("borders", ()):
            line["edge"] = self.edge(line["edge"])
        if "stubs" in made:
            made["stubs"] = [self.edge(edge) for edge in made["stubs"]]
        for part in (*made.get("stops", ()), *made.get("icons", ())):
            if isinstance(part, dict) and "at" in part:
                part["at"] = self._position(part["at"])
        for line in made.get("partitions", ()):
            line.update({end: self._position(line[end]) for end in "ab"})
        if "half" in made:
            if self.turns % 3:
                raise Refused(f"{name or 'this'} is half a hex, which turns by 180 degrees only")
            number = _HALVES.index(made["half"])
            number = -number + 2 if self.mirrored and number % 2 == 0 else number
            made["half"] = _HALVES[(number + 2 * (self.turns // 3)) % 4]
        return made

    def waypoint(self, waypoint: Any, hexagon: Any) -> Any:
        """Transform a place on a river's course, a corner of a sea, or points of a coast, and put
        it in another hex."""
        if not isinstance(waypoint, Mapping):
            return hexagon
        made = {**waypoint, "hex": hexagon}
        if "edge" in made:
            made["edge"] = self.edge(made["edge"])
        if "corner" in made:  # corner k lies between edges k and k + 1
            made["corner"] = int(self.edge(made["corner"] + 0.5) - 0.5) % EDGES
        if "points" in made:
            dx, dy = direction(math.radians(60.0 * self.turns))
            points = [(-x if self.mirrored else x, y) for x, y in made["points"]]
            made["points"] = [
                [settled(x * dx - y * dy), settled(x * dy + y * dx)] for x, y in points
            ]
        return made

    def _position(self, at: Any) -> Any:
        if isinstance(at, Mapping):
            return {**at, "edge": self.edge(at["edge"])}
        return at if at == "centre" else self.edge(at)


class Clip(Struct, forbid_unknown_fields=True):
    """Hexes by place, and the rivers that run only within them. The courses of these rivers name
    places instead of hexes."""

    platelayer: Literal["hexes"]
    hexes: Annotated[list[tuple[int, int, Json]], Meta(min_length=1, max_length=_MOST_HEXES)]
    rivers: Annotated[list[Json], Meta(max_length=60)] = []


class _Grid(NamedTuple):
    """Conversion between the hexes of a map and places relative to `first`."""

    scheme: CoordinateScheme
    layout: Layout
    first: Coord

    @classmethod
    def around(cls, board: Json, first: str) -> _Grid:
        """Return the grid around a hex, given by its printed coordinates. Raises Refused if they do
        not exist."""
        scheme = build_scheme(board["coordinates"])
        at = scheme.parse(first)
        if at is None:
            raise Refused(f"{first} is no place of this map")
        return cls(scheme, Layout(board["layout"]), at)

    def place(self, name: str) -> Place:
        """Return the place of a hex. Raises Refused for a hex off the grid."""
        at = self.scheme.parse(name)
        assert at is not None
        x, y = at.x - self.first.x, at.y - self.first.y
        if (x + y) % 2:
            raise Refused(_OFF_GRID.format(name))
        # Solved from the steps across edges 0 and 1 in doubled coordinates.
        return ((x + y) // 2, -x) if self.layout is Layout.FLAT else (y, (-x - y) // 2)

    def name(self, place: Place) -> str:
        """Return the printed coordinates of a place. Raises Refused if it has none."""
        zero = Coord(0, 0)
        a, b = neighbour(zero, 0, self.layout), neighbour(zero, 1, self.layout)
        u, v = place
        at = Coord(self.first.x + u * a.x + v * b.x, self.first.y + u * a.y + v * b.y)
        name = self.scheme.name(at)
        if self.scheme.parse(name) != at:
            raise Refused("part of this would lie where the map has no coordinates")
        return name


def clip_of(board: Json, names: Sequence[str]) -> Clip:
    """Copy hexes of a map, with the rivers that run only within them. The first hex becomes the
    centre. Raises Refused for hexes that do not exist or are off the grid."""
    hexes, taken = board["hexes"], {*names}
    if missing := [name for name in names if name not in hexes]:
        raise Refused(f"there is no hex {missing[0]}")
    if apart := [name for name in names if hexes[name].get("apart")]:
        raise Refused(_OFF_GRID.format(apart[0]))
    grid, still = _Grid.around(board, names[0]), Way(Layout(board["layout"]))
    rivers = [
        {
            **river,
            "course": [still.waypoint(at, grid.place(waypoint_hex(at))) for at in river["course"]],
        }
        for river in board.get("rivers", {}).values()
        if taken.issuperset(map(waypoint_hex, river["course"]))
    ]
    return Clip("hexes", [(*grid.place(name), hexes[name]) for name in names], rivers)


def pasted(
    title: Json, map_id: str, at: str, clip: Clip, *, turns: int = 0, mirrored: bool = False
) -> tuple[Json, tuple[str, ...]]:
    """Return a title with a clip pasted on one of its maps, and the names of the pasted hexes. The
    first hex goes to `at`. Pasted hexes replace existing ones; references to those then mean the
    new hexes. Raises Refused."""
    board = title["maps"][map_id]
    grid, way = _Grid.around(board, at), Way(Layout(board["layout"]), turns, mirrored)
    laid = {grid.name(way.place((u, v))): hexagon for u, v, hexagon in clip.hexes}
    if len(laid) < len(clip.hexes):
        raise Refused("two hexes of this lie at one place")
    hexes = {name: way.hexagon(hexagon, name) for name, hexagon in laid.items()}
    rivers = dict(board.get("rivers", {}))
    for river in clip.rivers:
        try:
            course = [_put_down(way, grid, waypoint) for waypoint in river["course"]]
        except (KeyError, TypeError, ValueError) as error:
            raise Refused("this is no river") from error
        number = 1
        while (key := f"river-{number}") in rivers:
            number += 1
        rivers[key] = {**river, "course": course}
    after = {
        **board,
        "hexes": {**board["hexes"], **hexes},
        **({"rivers": rivers} if rivers else {}),
    }
    return {**title, "maps": {**title["maps"], map_id: after}}, tuple(hexes)


def _put_down(way: Way, grid: _Grid, waypoint: Any) -> Any:
    u, v = waypoint["hex"] if isinstance(waypoint, Mapping) else waypoint
    return way.waypoint(waypoint, grid.name(way.place((u, v))))


def moved(
    title: Json,
    map_id: str,
    names: Sequence[str],
    at: str,
    *,
    turns: int = 0,
    mirrored: bool = False,
) -> tuple[Json, tuple[str, ...]]:
    """Return a title with hexes of a map moved, and the new names of these hexes. The first hex
    goes to `at`; plain ground remains in the old places. References follow: homes, destinations,
    cards, upgrades, waivers, changes by variants. Rivers, regions and seas follow only if they
    lie entirely within the hexes. Raises Refused."""
    board = title["maps"][map_id]
    layout = Layout(board["layout"])
    clip = replace(clip_of(board, names), rivers=[])
    after, places = pasted(title, map_id, at, clip, turns=turns, mirrored=mirrored)
    to, way = dict(zip(names, places, strict=True)), Way(layout, turns, mirrored)
    hexes = after["maps"][map_id]["hexes"]
    hexes |= {name: {} for name in names if name not in places}
    after["maps"][map_id] |= _lands(board, to, way)
    return _with_references(after, map_id, to), places


# Keys that name hexes, by block of a map.
_LANDS = {
    "rivers": ("course",),
    "regions": ("hexes",),
    "seas": ("from", "to", "coasts"),
    "beyond": ("near", "mountains"),
}


def _lands(board: Json, to: Mapping[str, str], way: Way) -> Json:
    """Return the rivers, regions, seas and lands beyond of a map after a move of hexes. `to` maps
    old names to new ones."""

    def turned(part: Any) -> Any:
        """Return the moved form of a hex or waypoint, or of a list of them. Raises KeyError for a
        hex that is not moved."""
        if isinstance(part, list):
            return list(map(turned, part))
        return way.waypoint(part, to[waypoint_hex(part)])

    made = {block: dict(board[block]) for block in _LANDS if block in board}
    for block, entries in made.items():
        for name, entry in entries.items():
            with suppress(KeyError):
                after = {key: turned(entry[key]) for key in _LANDS[block] if key in entry}
                if way.mirrored and "to" in after:  # a coast runs clockwise
                    after["from"], after["to"] = after["to"], after["from"]
                entries[name] = {**entry, **after}
    return made


def _with_references(title: Json, map_id: str, to: Mapping[str, str]) -> Json:
    """Return a title whose references to hexes outside the map's own blocks are renamed by `to`.
    Raises Refused for a name that may also mean a hex of another map, or if a variant changes a
    hex that would be replaced."""
    others = {
        name for key, other in title["maps"].items() if key != map_id for name in other["hexes"]
    }
    for path, name, of in [*hexes_named(title)]:
        if of not in ("", map_id) or name not in to or to[name] == name:
            continue
        if not of and name in others:
            raise Refused(
                f"{join_pointer(*path)} names {name}, which is on several maps: it cannot follow"
            )
        text: Any = title
        for key in path:
            text = text[key]
        title = _replaced(title, path, text.removesuffix(name) + to[name])
    for variant, entry in title.get("variants", {}).items():
        patch = entry["patch"].get("maps", {}) if isinstance(entry["patch"], dict) else {}
        changed = patch.get(map_id, {}).get("hexes", {}) if isinstance(patch, dict) else {}
        if clash := [name for name in changed if name in to.values() and name not in to]:
            raise Refused(f"variant {variant} changes {clash[0]}, which this would replace")
        renamed = {to.get(name, name): value for name, value in changed.items()}
        if list(renamed) != list(changed):
            path = ("variants", variant, "patch", "maps", map_id, "hexes")
            title = _replaced(title, path, renamed)
    return title


def _replaced(around: Any, path: Sequence[Any], value: Any) -> Any:
    """Return a copy of nested JSON with the value at a path replaced; the rest is shared."""
    if not path:
        return value
    key, *rest = path
    inner = _replaced(around[key], rest, value)
    if isinstance(around, list):
        return [*around[:key], inner, *around[key + 1 :]]
    return {**around, key: inner}
