"""The topology of a tile or a preprinted hex: stops, track, labels, icons, costs; and its rotation.

JSON shape (a tile; a map hex has the same keys and a few more):
    {"colour": "green", "stops": [{"kind": "city", "slots": 2, "revenue": 30}],
     "track": [[0, "stop:0"], [1, "stop:0"], [3, 5], [2, "junction", {"gauge": "narrow"}]], "labels": ["Y"]}
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.text import Text


class StopKind(Enum):
    """What a train stops at. A pass is a city of 1841 with a size; a halt is less than a town, and may become one; a
    port is a town with an icon."""

    CITY = "city"
    TOWN = "town"
    HALT = "halt"
    PASS = "pass"
    OFFBOARD = "offboard"


class Gauge(Enum):
    """Kind of track; dual track carries trains of both gauges. Future track and a line are drawn, but no track yet."""

    STANDARD = "standard"
    NARROW = "narrow"
    DUAL = "dual"
    THIN = "thin"
    FUTURE = "future"
    LINE = "line"


class Terminal(Enum):
    """How track tapers where a route ends: to its stop or to the middle, or short of them."""

    LONG = "long"
    SHORT = "short"


class EndKind(Enum):
    """What the end of a segment of track connects to."""

    EDGE = "edge"
    STOP = "stop"
    JUNCTION = "junction"


class End(Struct, frozen=True):
    """One end of a segment: an edge 0-5, a stop (index into `stops`) or the junction (index 0)."""

    kind: EndKind
    index: int


JUNCTION = End(EndKind.JUNCTION, 0)


def edge_end(edge: int) -> End:
    """The end at an edge of the hex."""
    return End(EndKind.EDGE, edge % 6)


def stop_end(index: int) -> End:
    """The end at stop number `index`."""
    return End(EndKind.STOP, index)


class Lane(Struct, frozen=True):
    """Where a segment crosses an edge that several lanes share: `index` counts from 0 among `width` lanes."""

    width: int
    index: int


class Segment(Struct, frozen=True, kw_only=True):
    """One piece of track between two ends. `terminal` track tapers: a route ends there."""

    a: End
    b: End
    gauge: Gauge = Gauge.STANDARD
    terminal: Terminal | None = None
    lanes: tuple[Lane, Lane] | None = None

    @property
    def ends(self) -> tuple[End, End]:
        """Both ends."""
        return self.a, self.b

    @property
    def is_track(self) -> bool:
        """Trains run on it."""
        return self.gauge not in (Gauge.FUTURE, Gauge.LINE)

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges among its ends, 0 to 2 of them."""
        return tuple(end.index for end in self.ends if end.kind is EndKind.EDGE)


class RevenueStep(NamedTuple):
    """A value and the tile colour or phase from which it applies (None: always)."""

    value: int
    since: str | None


class Position(Struct, frozen=True, kw_only=True):
    """A hint where to draw: towards `edge` (0-6, fractions point between edges) at `distance` apothems from the
    centre (0 = centre, 1 = middle of the edge; None: worked out)."""

    edge: float
    distance: float | None = None

    def rotated(self, turns: int) -> Position:
        """The same place after turning clockwise by `turns` x 60 degrees."""
        return replace(self, edge=(self.edge + turns) % 6)


CENTRE = Position(edge=0.0, distance=0.0)


class Stop(Struct, frozen=True, kw_only=True):
    """A city, town, pass or off-board.

    `revenue` has one step with `since` None, or several by tile colour or phase; empty when nothing is printed. `slots`
    counts station slots (0 for towns and off-boards). `groups`: stops that share a group count as one place.
    `optional`: a route may pass without counting it. `hidden`: not drawn (another hex shows it). `size`: of a pass.
    `boom`: a town that may become a city, or a city that came so. `symbol`: on a halt. `name` is for a stop with a name
    of its own (Buda, Pest).
    """

    kind: StopKind
    revenue: tuple[RevenueStep, ...] = ()
    slots: int = 0
    at: Position | None = None
    groups: tuple[str, ...] = ()
    optional: bool = False
    hidden: bool = False
    size: int | None = None
    boom: bool = False
    symbol: str = ""
    name: Text | None = None


class Label(Struct, frozen=True, kw_only=True):
    """A letter printed on the tile; `since` is the colour from which it applies (None: always)."""

    text: str
    since: str | None = None


class Icon(Struct, frozen=True, kw_only=True):
    """A small picture by name (assets/icons), e.g. port, mine, capital, tree; or a short text in a lozenge."""

    name: str
    at: Position | None = None
    text: str = ""


class Terrain(Struct, frozen=True, kw_only=True):
    """What the ground is (hill, mountain, rough, river, marsh, lake, sea ...) and what laying here costs."""

    kinds: tuple[str, ...]
    cost: int = 0


class Partition(Struct, frozen=True, kw_only=True):
    """A dividing line across the hex from position `a` to position `b`, e.g. a coast; `kind` names what it divides.
    `colour` (#rrggbb or ink name) in place of that of the kind."""

    a: Position
    b: Position
    kind: str
    colour: str | None = None


class Tile(Struct, frozen=True, kw_only=True):
    """A numbered tile, or what a map hex has printed on it.

    `id` is the printed number ("57"); for a map hex its coordinates. `colour` is a colour name of the title (white,
    yellow, green, brown, gray, purple, red, blue, sepia). `ground` is a colour (#rrggbb or ink name) that it is painted
    in, where that is not its colour's own. `frame` is a colour of a rim, `second_frame` another within it, `stripes` a
    second tile colour shown as stripes. `terrain` on a tile is the remaining cost of the next upgrade. `slot_mm` is
    how wide its slots are on a hex of 38.1 mm, where it has no room for usual ones (0: they are usual).
    """

    id: str
    colour: str
    stops: tuple[Stop, ...] = ()
    track: tuple[Segment, ...] = ()
    labels: tuple[Label, ...] = ()
    icons: tuple[Icon, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    partitions: tuple[Partition, ...] = ()
    ground: str | None = None
    frame: str | None = None
    second_frame: str | None = None
    stripes: str | None = None
    slot_mm: float = 0.0
    name: Text | None = None

    @property
    def exits(self) -> tuple[int, ...]:
        """Edges with track, sorted, each once."""
        return tuple(sorted({edge for segment in self.track if segment.is_track for edge in segment.edges}))

    def stops_of(self, *kinds: StopKind) -> tuple[int, ...]:
        """Indices of the stops of these kinds."""
        return tuple(index for index, stop in enumerate(self.stops) if stop.kind in kinds)


def rotate_end(end: End, turns: int) -> End:
    """An end after turning the tile clockwise by `turns` x 60 degrees."""
    return edge_end(end.index + turns) if end.kind is EndKind.EDGE else end


def _rotate_position(at: Position | None, turns: int) -> Position | None:
    return at.rotated(turns) if at is not None else None


def rotate_tile(tile: Tile, turns: int) -> Tile:
    """The tile turned clockwise by `turns` x 60 degrees: every edge e moves to (e + turns) mod 6; six are identity."""
    turns %= 6
    if turns == 0:
        return tile
    return replace(
        tile,
        stops=tuple(replace(stop, at=_rotate_position(stop.at, turns)) for stop in tile.stops),
        track=tuple(replace(s, a=rotate_end(s.a, turns), b=rotate_end(s.b, turns)) for s in tile.track),
        icons=tuple(replace(icon, at=_rotate_position(icon.at, turns)) for icon in tile.icons),
        partitions=tuple(replace(p, a=p.a.rotated(turns), b=p.b.rotated(turns)) for p in tile.partitions),
    )
