"""What a map shows of the land behind its hexes: rivers, regions and seas."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from platelayer.foundation.text import Text
from platelayer.model.described import DISTINCT, HexName, Ink, Key, Read, Words, common, written
from platelayer.model.hexes import EDGES, Coord, Layout, neighbour


def _place(about: str, *required: str, **properties: Any) -> dict[str, Any]:
    """The schema of a place that is written as an object."""
    hex_name = {**common("hex"), "description": 'The hex. Example: "D4".'}
    return {
        "description": about,
        "type": "object",
        "properties": {"$comment": common("comment"), "hex": hex_name, **properties},
        "required": ["hex", *required],
        "additionalProperties": False,
    }


_NUMBER = {
    "title": "a corner, 0 to 5",
    "description": "A corner of a hex, 0 to 5: corner 2 lies between edges 2 and 3. Example: 2.",
    "type": "integer",
    "minimum": 0,
    "maximum": 5,
}
_SHARE = {
    "description": "How far along the way from the middle of the hex: 0 is the middle, 1 the edge or corner. Default: "
    "1. Example: 0.5.",
    "type": "number",
    "minimum": 0,
    "maximum": 1,
}
_EDGE = {**common("edge"), "description": "The edge. Example: 2."}
_CORNER = _place(
    'A corner of a hex. Example: {"hex": "D4", "corner": 2}.', "corner", corner=_NUMBER
)
_WAYPOINT = {
    "title": 'a hex such as "D4", or a point of one such as {"hex": "D4", "edge": 2}',
    "description": "A place on a map: the middle of a hex, a corner or the middle of an edge, or a place on the way "
    "there.",
    "anyOf": [
        common("hex"),
        _place("A place on an edge, or on the way to it.", "edge", edge=_EDGE, distance=_SHARE),
        _place("A corner, or a place on the way to it.", "corner", corner=_NUMBER, distance=_SHARE),
    ],
}


@written(Read(_WAYPOINT))
class Waypoint(Struct, frozen=True):
    """A place on a map: the middle of the hex `at`, or a `share` of the way from there towards an
    edge (2.5: the corner between edges 2 and 3)."""

    at: Coord
    towards: float | None = None
    share: float = 1.0

    def touches(self, layout: Layout) -> tuple[Coord, ...]:
        """The hexes it lies in or on whose rim."""
        if self.towards is None or self.share < 1.0:
            return (self.at,)
        edges = {int(self.towards): None, int(self.towards + 0.5): None}
        return (self.at, *(neighbour(self.at, edge, layout) for edge in edges))


def joined(one: Waypoint, other: Waypoint, layout: Layout) -> bool:
    """True when a river may run from one place to the other: through a hex that both touch, or
    between neighbours."""
    shared = set(one.touches(layout)) & set(other.touches(layout))
    inside = all(point.towards is None or point.share < 1.0 for point in (one, other))
    return bool(shared) or (
        inside and other.at in (neighbour(one.at, edge, layout) for edge in EDGES)
    )


class River(Struct, frozen=True, kw_only=True):
    """A river."""

    id: Key
    course: Annotated[
        tuple[Waypoint, ...],
        Meta(min_length=2, max_length=200),
        "Places it runs through, from its source to its mouth. Each one and the next touch a common hex, or are the "
        "middles of two neighbours. A river that flows into another ends on a place of the other's course.",
    ]
    name: Annotated[Text | None, "Its name, printed along it where there is room."] = None


class Region(Struct, frozen=True, kw_only=True):
    """A region."""

    id: Key
    hexes: Annotated[
        tuple[HexName, ...],
        Meta(min_length=1, max_length=2000),
        DISTINCT,
        "Its hexes, by printed coordinates; no hex is in two regions. Either this or `zone`.",
    ] = ()
    zone: Annotated[
        Words | None,
        Meta(max_length=60),
        'The zone whose hexes it has, in place of a list. Example: "Piedmont".',
    ] = None
    name: Annotated[Text | None, "Its name. If left out: none is printed."] = None
    tint: Annotated[
        Ink | None,
        "The ground of its white hexes, whose terrain is then shown by signs alone. Example: "
        '"map.zone.2". If left out: none.',
    ] = None


class Sea(Struct, frozen=True, kw_only=True):
    """A sea."""

    id: Key
    start: Annotated[
        Waypoint, Read(_CORNER), "Where its coast begins: a corner on the outline of the board."
    ] = field(name="from")
    end: Annotated[Waypoint, Read(_CORNER), "Where its coast ends, clockwise round the board."] = (
        field(name="to")
    )
    name: Annotated[Text | None, "Its name, printed beside the board where there is room."] = None
