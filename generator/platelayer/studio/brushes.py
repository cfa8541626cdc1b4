"""Brushes: what a stroke over a hex makes of its JSON."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from platelayer.foundation.pointers import join_pointer
from platelayer.studio.folder import Refused

Json: TypeAlias = dict[str, Any]
EDGES = 6


class Brush(Struct, tag_field="brush", forbid_unknown_fields=True):
    """A brush. Each turns the JSON of a hex into another; none changes what it is given."""

    def is_on(self, hexagon: Json) -> bool:  # noqa: ARG002 - a brush that always paints
        """True if the hex has it already, so that a first stroke removes it."""
        return False

    def put(self, hexagon: Json) -> None:
        """Paint the hex."""
        raise NotImplementedError

    def take(self, hexagon: Json) -> None:
        """Take it away again."""


class Ground(Brush, tag="colour"):
    """The colour of the hex; white is that of plain ground."""

    colour: str

    def put(self, hexagon: Json) -> None:
        """Paint the hex."""
        if self.colour == "white":
            hexagon.pop("colour", None)
        else:
            hexagon["colour"] = self.colour


class Land(Brush, tag="terrain"):
    """Terrain with what it costs to build on."""

    terrain: str
    cost: int = 0

    def is_on(self, hexagon: Json) -> bool:
        """True if it has that terrain at that cost."""
        return self._as_json in hexagon.get("terrain", ())

    def put(self, hexagon: Json) -> None:
        """Add the terrain, in place of the same at another cost."""
        self.take(hexagon)
        hexagon.setdefault("terrain", []).append(self._as_json)

    def take(self, hexagon: Json) -> None:
        """Take away terrain of that kind."""
        _keep(hexagon, "terrain", lambda terrain: terrain.get("kinds") != [self.terrain])

    @property
    def _as_json(self) -> Json:
        return {"kinds": [self.terrain], **({"cost": self.cost} if self.cost else {})}


class StopBrush(Brush, tag="stop"):
    """A place where trains stop: one more of its kind up to `most`, then those that are unlike it
    change. The revenue is a number, or numbers by colour or phase."""

    stop: str
    slots: int = 1
    revenue: int | dict[str, int] | None = None
    most: int = 1

    def is_on(self, hexagon: Json) -> bool:
        """True if there are as many as there may be, all of this kind."""
        own = self._own(hexagon)
        return len(own) >= self.most and all(map(self._is_such, own))

    def put(self, hexagon: Json) -> None:
        """Add the stop, or change the first that is another."""
        own = self._own(hexagon)
        if len(own) < self.most:
            own = [{"kind": self.stop}]
            hexagon.setdefault("stops", []).extend(own)
        stop = next((stop for stop in own if not self._is_such(stop)), None)
        if stop is not None:
            stop.update({} if self.revenue is None else {"revenue": self.revenue})
            if self.stop == "city":
                stop.pop("slots", None)
                stop.update({"slots": self.slots} if self.slots != 1 else {})
        if self.stop == "offboard":
            hexagon.setdefault("colour", "red")

    def _own(self, hexagon: Json) -> list[Json]:
        return [stop for stop in hexagon.get("stops", ()) if stop["kind"] == self.stop]

    def _is_such(self, stop: Json) -> bool:
        slots = self.stop != "city" or stop.get("slots", 1) == self.slots
        return slots and self.revenue in (None, stop.get("revenue"))

    def take(self, hexagon: Json) -> None:
        """Take away the last such stop, with its track."""
        numbers = [
            number
            for number, stop in enumerate(hexagon.get("stops", ()))
            if stop["kind"] == self.stop
        ]
        if numbers:
            without_stop(hexagon, numbers[-1])


class NameBrush(Brush, tag="name"):
    """The name of the place; none takes it away. Where the hex has names by language, that of a
    language."""

    text: str
    language: str = ""

    def put(self, hexagon: Json) -> None:
        """Name the hex."""
        names = hexagon.get("name")
        if not self.text:
            hexagon.pop("name", None)
        elif isinstance(names, dict) and self.language:
            names[self.language] = self.text
        else:
            hexagon["name"] = self.text


class LabelBrush(Brush, tag="label"):
    """Letters such as Y."""

    text: str

    def is_on(self, hexagon: Json) -> bool:
        """True if it has the label."""
        return self.text in hexagon.get("labels", ())

    def put(self, hexagon: Json) -> None:
        """Add the label."""
        if not self.is_on(hexagon):
            hexagon.setdefault("labels", []).append(self.text)

    def take(self, hexagon: Json) -> None:
        """Take it away."""
        _keep(hexagon, "labels", lambda label: label != self.text)


class IconBrush(Brush, tag="icon"):
    """A small picture such as a port."""

    icon: str

    def is_on(self, hexagon: Json) -> bool:
        """True if it has the icon."""
        return any(_name(icon) == self.icon for icon in hexagon.get("icons", ()))

    def put(self, hexagon: Json) -> None:
        """Add the icon."""
        if not self.is_on(hexagon):
            hexagon.setdefault("icons", []).append(self.icon)

    def take(self, hexagon: Json) -> None:
        """Take it away."""
        _keep(hexagon, "icons", lambda icon: _name(icon) != self.icon)


class BorderBrush(Brush, tag="border"):
    """A line on one edge."""

    edge: int
    border: str
    cost: int = 0

    def is_on(self, hexagon: Json) -> bool:
        """True if the edge has such a line."""
        return any(
            (line["edge"], line["kind"]) == (self.edge, self.border)
            for line in hexagon.get("borders", ())
        )

    def put(self, hexagon: Json) -> None:
        """Draw the line, in place of another on that edge."""
        self.take(hexagon)
        cost = {"cost": self.cost} if self.cost else {}
        hexagon.setdefault("borders", []).append({"edge": self.edge, "kind": self.border, **cost})

    def take(self, hexagon: Json) -> None:
        """Take away the lines on that edge."""
        _keep(hexagon, "borders", lambda line: line["edge"] != self.edge)


class TrackBrush(Brush, tag="track"):
    """A segment of track between two ends: edges 0 to 5, "stop:0" or "junction"."""

    a: int | str
    b: int | str
    gauge: str = ""

    def is_on(self, hexagon: Json) -> bool:
        """True if the segment is there."""
        return any(self._is_it(segment) for segment in hexagon.get("track", ()))

    def put(self, hexagon: Json) -> None:
        """Lay the segment."""
        self.take(hexagon)
        gauge = [{"gauge": self.gauge}] if self.gauge else []
        hexagon.setdefault("track", []).append([self.a, self.b, *gauge])

    def take(self, hexagon: Json) -> None:
        """Take it away."""
        _keep(hexagon, "track", lambda segment: not self._is_it(segment))

    def _is_it(self, segment: list[Any]) -> bool:
        return {*segment[:2]} == {self.a, self.b}


class Turn(Brush, tag="turn"):
    """All that has a direction, turned clockwise by `turns` x 60 degrees."""

    turns: int = 1

    def put(self, hexagon: Json) -> None:
        """Turn the hex."""
        for segment in hexagon.get("track", ()):
            segment[:2] = [
                (end + self.turns) % EDGES if isinstance(end, int) else end for end in segment[:2]
            ]
        for line in hexagon.get("borders", ()):
            line["edge"] = (line["edge"] + self.turns) % EDGES
        if "stubs" in hexagon:
            hexagon["stubs"] = [(edge + self.turns) % EDGES for edge in hexagon["stubs"]]
        for part in (*hexagon.get("stops", ()), *filter(_is_object, hexagon.get("icons", ()))):
            if "at" in part:
                part["at"] = self._turned(part["at"])
        for line in hexagon.get("partitions", ()):
            line.update({end: self._turned(line[end]) for end in "ab"})

    def _turned(self, at: Any) -> Any:
        if isinstance(at, Mapping):
            return {**at, "edge": (at["edge"] + self.turns) % EDGES}
        return at if at == "centre" else (at + self.turns) % EDGES


class Move(Brush, tag="move"):
    """A stop put somewhere else: towards an edge, at a distance from the centre in halves of the
    hex's width. Without an edge: where its track puts it."""

    stop: int
    edge: float | None = None
    distance: float | None = None

    def put(self, hexagon: Json) -> None:
        """Move the stop."""
        stops = hexagon.get("stops", ())
        if not 0 <= self.stop < len(stops):
            raise Refused(f"there is no stop {self.stop} in this hex")
        if self.edge is None:
            stops[self.stop].pop("at", None)
        elif not self.distance:
            stops[self.stop]["at"] = "centre"
        else:
            stops[self.stop]["at"] = {
                "edge": round(self.edge % EDGES, 2),
                "distance": round(self.distance, 2),
            }


class Clear(Brush, tag="clear"):
    """Plain ground: all but the names of the hex goes."""

    def put(self, hexagon: Json) -> None:
        """Clear the hex."""
        for key in [key for key in hexagon if key not in ("name", "zone", "$comment")]:
            del hexagon[key]


AnyBrush: TypeAlias = (
    Ground
    | Land
    | StopBrush
    | NameBrush
    | LabelBrush
    | IconBrush
    | BorderBrush
    | TrackBrush
    | Turn
    | Move
    | Clear
)


def stroke(brush: Brush, hexagon: Json, *, take: bool) -> Json:
    """The JSON of a hex after a stroke of a brush."""
    after = copy.deepcopy(hexagon)
    if take:
        brush.take(after)
    elif not brush.is_on(after):
        brush.put(after)
    return after


def without_stop(hexagon: Json, number: int) -> None:
    """Take away a stop with its track; the track of later stops follows their numbers."""
    del hexagon["stops"][number]
    gone, later = f"stop:{number}", {f"stop:{at}": f"stop:{at - 1}" for at in range(number + 1, 40)}
    _keep(hexagon, "stops", bool)
    _keep(hexagon, "track", lambda segment: gone not in segment[:2])
    for segment in hexagon.get("track", ()):
        segment[:2] = [later.get(end, end) for end in segment[:2]]


def changes(before: Any, after: Any, pointer: str = "") -> Iterator[tuple[str, Any, bool]]:
    """Steps from one value to another, as (pointer, new value, true if it goes): as few as
    possible, in an order in which each can be made after those before it."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [key for key in before if key not in after]:
            yield pointer + join_pointer(key), None, True
        for key, value in after.items():
            yield from _change_of(before, key, value, pointer + join_pointer(key))
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        yield from _changes_of_list(before, after, pointer)
    else:
        yield pointer, after, False


def _change_of(before: Json, key: str, value: Any, pointer: str) -> Iterator[tuple[str, Any, bool]]:
    if key not in before:
        yield pointer, value, False
    elif value != before[key]:
        yield from changes(before[key], value, pointer)


def _changes_of_list(
    before: list[Any], after: list[Any], pointer: str
) -> Iterator[tuple[str, Any, bool]]:
    """An entry at the end, entries that differ, an entry less; else the whole list."""
    pairs = zip(before, after, strict=False)
    same = next(
        (number for number, (old, new) in enumerate(pairs) if old != new),
        min(len(before), len(after)),
    )
    more = len(after) - len(before)
    if more == 1 and same == len(before):
        yield f"{pointer}/-", after[-1], False
    elif more == 0:
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield from changes(old, new, f"{pointer}/{number}")
    elif more == -1 and after[same:] == before[same + 1 :]:
        yield f"{pointer}/{same}", None, True
    else:
        yield pointer, after, False


def _keep(hexagon: Json, key: str, wanted: Callable[[Any], Any]) -> None:
    """Keep what is wanted of a list; the key goes with the last entry."""
    if key in hexagon:
        hexagon[key] = [entry for entry in hexagon[key] if wanted(entry)]
        if not hexagon[key]:
            del hexagon[key]


def _name(icon: Any) -> Any:
    return icon["name"] if _is_object(icon) else icon


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
