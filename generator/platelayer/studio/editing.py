"""Edits of a page: values at pointers in files, ids changed everywhere, and strokes of brushes.

A brush turns the JSON of a hex or tile into another. An operation, usually decoded from what a page
sends, changes the texts of a workspace through an `Editor`.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import astuple

from platelayer.definitions.assemble import (
    UNKNOWN_FACT,
    Assembled,
    assemble_title,
    with_id_in_facts,
)
from platelayer.definitions.build import catalogue_definitions
from platelayer.definitions.edits import moved, renamed, renumber, with_value, without
from platelayer.definitions.source import read_as
from platelayer.definitions.titles import Loaded, read_assembled, read_title
from platelayer.foundation.door import NotRead, parse_value
from platelayer.foundation.problems import (
    Problem,
    ProblemsFound,
    Severity,
    join_pointer,
    split_pointer,
)
from platelayer.foundation.values import Json
from platelayer.model.described import ID
from platelayer.model.gamemap import Layout
from platelayer.pipeline.scaffold import box_of
from platelayer.studio.clips import Clip, Way, pasted
from platelayer.studio.clips import moved as moved_hexes
from platelayer.studio.folder import Refused, with_plain_ends
from platelayer.studio.view import View
from platelayer.studio.workspace import Edit, Workspace, difference

if TYPE_CHECKING:
    from pathlib import Path


EDGES = 6


class Brush(Struct, tag_field="brush", forbid_unknown_fields=True):
    """Change to the JSON of a hex, in place."""

    def is_on(self, hexagon: Json) -> bool:  # noqa: ARG002 - a brush that always paints
        """Return True if the hex already has what the brush paints, so that a stroke begun there
        erases."""
        return False

    def put(self, hexagon: Json) -> None:
        """Paint the hex."""
        raise NotImplementedError

    def take(self, hexagon: Json) -> None:
        """Erase from the hex what the brush paints."""


class Ground(Brush, tag="colour"):
    """Brush for the colour of the hex; white is plain ground."""

    colour: str

    def put(self, hexagon: Json) -> None:
        """Set the colour."""
        if self.colour == "white":
            hexagon.pop("colour", None)
        else:
            hexagon["colour"] = self.colour


class Entry(Brush):
    """Brush for an entry of a list in the hex. It replaces entries of the same kind."""

    key: ClassVar[str]

    @property
    def entry(self) -> Any:
        """Entry to add to the list."""
        raise NotImplementedError

    def is_of_kind(self, entry: Any) -> bool:
        """Return True if the brush replaces or erases this entry."""
        raise NotImplementedError

    def is_on(self, hexagon: Json) -> bool:
        """Return True if the hex has an entry of the same kind."""
        return any(map(self.is_of_kind, hexagon.get(self.key, ())))

    def put(self, hexagon: Json) -> None:
        """Add the entry."""
        self.take(hexagon)
        hexagon.setdefault(self.key, []).append(self.entry)

    def take(self, hexagon: Json) -> None:
        """Remove the entries of the same kind."""
        _keep(hexagon, self.key, lambda entry: not self.is_of_kind(entry))


class Land(Entry, tag="terrain"):
    """Brush for terrain with its building cost."""

    key = "terrain"
    terrain: str
    cost: int = 0

    @property
    def entry(self) -> Any:
        """Terrain as JSON."""
        return {"kinds": [self.terrain], **({"cost": self.cost} if self.cost else {})}

    def is_of_kind(self, entry: Any) -> bool:
        """Return True for the same terrain at any cost."""
        return bool(entry.get("kinds") == [self.terrain])

    def is_on(self, hexagon: Json) -> bool:
        """Return True if the hex has this terrain at this cost."""
        return self.entry in hexagon.get(self.key, ())


class StopBrush(Brush, tag="stop"):
    """Brush for a stop. It adds stops of its kind up to `most`, then changes those with other slots
    or revenue. The revenue is a number, or numbers by colour or phase."""

    stop: str
    slots: int = 1
    revenue: int | dict[str, int] | None = None
    most: int = 1

    def is_on(self, hexagon: Json) -> bool:
        """Return True if the hex has `most` stops of this kind, all with these slots and this
        revenue."""
        own = self._own(hexagon)
        return len(own) >= self.most and all(map(self._is_such, own))

    def put(self, hexagon: Json) -> None:
        """Add a stop, or change the first one with other slots or revenue."""
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
        """Remove the last stop of this kind, with its track."""
        numbers = [
            number
            for number, stop in enumerate(hexagon.get("stops", ()))
            if stop["kind"] == self.stop
        ]
        if numbers:
            without_stop(hexagon, numbers[-1])


class NameBrush(Brush, tag="name"):
    """Brush for the name of the hex; an empty text removes it. If the hex has names by language,
    only that of `language` is set."""

    text: str
    language: str = ""

    def put(self, hexagon: Json) -> None:
        """Set or remove the name."""
        names = hexagon.get("name")
        if not self.text:
            hexagon.pop("name", None)
        elif isinstance(names, dict) and self.language:
            names[self.language] = self.text
        else:
            hexagon["name"] = self.text


class LabelBrush(Entry, tag="label"):
    """Brush for a label such as Y."""

    key = "labels"
    text: str

    @property
    def entry(self) -> Any:
        """Text of the label."""
        return self.text

    def is_of_kind(self, entry: Any) -> bool:
        """Return True for the same label."""
        return bool(entry == self.text)


class IconBrush(Entry, tag="icon"):
    """Brush for an icon such as a port."""

    key = "icons"
    icon: str

    @property
    def entry(self) -> Any:
        """Name of the icon."""
        return self.icon

    def is_of_kind(self, entry: Any) -> bool:
        """Return True for the same icon at any position."""
        return bool((entry["name"] if isinstance(entry, dict) else entry) == self.icon)


class BorderBrush(Entry, tag="border"):
    """Brush for a line on one edge."""

    key = "borders"
    edge: int
    border: str
    cost: int = 0

    @property
    def entry(self) -> Any:
        """Line as JSON."""
        cost = {"cost": self.cost} if self.cost else {}
        return {"edge": self.edge, "kind": self.border, **cost}

    def is_of_kind(self, entry: Any) -> bool:
        """Return True for any line on the same edge."""
        return bool(entry["edge"] == self.edge)

    def is_on(self, hexagon: Json) -> bool:
        """Return True if the edge has a line of this kind."""
        lines = hexagon.get(self.key, ())
        return any((line["edge"], line["kind"]) == (self.edge, self.border) for line in lines)


class TrackBrush(Entry, tag="track"):
    """Brush for a track segment between two ends: edges 0 to 5, "stop:0" or "junction"."""

    key = "track"
    a: int | str
    b: int | str
    gauge: str = ""

    @property
    def entry(self) -> Any:
        """Segment as JSON."""
        return [self.a, self.b, *([{"gauge": self.gauge}] if self.gauge else [])]

    def is_of_kind(self, entry: Any) -> bool:
        """Return True for a segment between the same ends."""
        return {*entry[:2]} == {self.a, self.b}


class Turn(Brush, tag="turn"):
    """Brush that turns everything with a direction clockwise by `turns` x 60 degrees."""

    turns: int = 1

    def put(self, hexagon: Json) -> None:
        """Turn the hex."""
        hexagon |= Way(Layout.FLAT, self.turns).hexagon(hexagon)


class MoveBrush(Brush, tag="move"):
    """Brush that moves a stop towards an edge, to a distance from the centre in halves of the hex's
    width. Without an edge, the stop returns to the position that its track gives it."""

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
    """Brush that leaves plain ground: it removes everything but the name and zone of the hex, and
    comments."""

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
    | MoveBrush
    | Clear
)


def stroke(brush: Brush, hexagon: Json, *, take: bool) -> Json:
    """Return the JSON of a hex after a stroke of a brush."""
    after = copy.deepcopy(hexagon)
    if take:
        brush.take(after)
    elif not brush.is_on(after):
        brush.put(after)
    return after


def without_stop(hexagon: Json, number: int) -> None:
    """Remove a stop with its track, and renumber the later stops in the remaining track."""
    del hexagon["stops"][number]
    gone, later = f"stop:{number}", {f"stop:{at}": f"stop:{at - 1}" for at in range(number + 1, 40)}
    _keep(hexagon, "stops", bool)
    _keep(hexagon, "track", lambda segment: gone not in segment[:2])
    for segment in hexagon.get("track", ()):
        segment[:2] = [later.get(end, end) for end in segment[:2]]


# Function that edits a text, and its arguments: a pointer, usually followed by a value.
Change: TypeAlias = tuple[Callable[..., str], str, *tuple[Any, ...]]


def changes(before: Any, after: Any, pointer: str = "") -> Iterator[Change]:
    """Yield as few edits as possible that turn one value into another, in an order in which each
    can be applied after those before it."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [key for key in before if key not in after]:
            yield without, pointer + join_pointer(key)
        for key, value in after.items():
            at = pointer + join_pointer(key)
            if key not in before:
                yield with_value, at, value
            elif value != before[key]:
                yield from changes(before[key], value, at)
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        # One entry appended, entries changed, or one entry removed; otherwise replace the whole
        # list.
        pairs = list(zip(before, after, strict=False))
        same = next((at for at, (old, new) in enumerate(pairs) if old != new), len(pairs))
        more = len(after) - len(before)
        if more == 1 and same == len(before):
            yield with_value, f"{pointer}/-", after[-1]
        elif more == 0:
            for number, (old, new) in enumerate(pairs):
                if old != new:
                    yield from changes(old, new, f"{pointer}/{number}")
        elif more == -1 and after[same:] == before[same + 1 :]:
            yield without, f"{pointer}/{same}"
        else:
            yield with_value, pointer, after
    else:
        yield with_value, pointer, after


def _keep(hexagon: Json, key: str, wanted: Callable[[Any], Any]) -> None:
    """Filter a list of a hex; remove its key if nothing remains."""
    if key in hexagon:
        hexagon[key] = [entry for entry in hexagon[key] if wanted(entry)]
        if not hexagon[key]:
            del hexagon[key]


_MOST_ROUNDS = 40


# A JSON pointer (RFC 6901).
Pointer: TypeAlias = Annotated[str, Meta(pattern="^(/|$)")]


class Op(Struct, tag_field="op", forbid_unknown_fields=True):
    """Operation on the texts of a workspace."""

    def apply(self, editor: Editor) -> None:
        """Apply the operation. Raises Refused if it is not possible."""
        raise NotImplementedError


class InFile(Op):
    """Edit of the text of a file at a pointer. The fields of a subclass are further arguments of
    `work`."""

    work: ClassVar[Callable[..., str]]
    file: str
    pointer: Pointer

    def apply(self, editor: Editor) -> None:
        """Make the edit."""
        editor.change(self.file, type(self).work, *astuple(self)[1:])


class Put(InFile, tag="put"):
    """Set the value at a pointer of a file; index "-" appends to a list."""

    work = with_value
    value: Any


class Remove(InFile, tag="remove"):
    """Remove the value at a pointer of a file, with its key."""

    work = without


class Rekey(InFile, tag="rekey"):
    """Change the key of the value at a pointer of a file."""

    work = renamed
    key: str


class Move(InFile, tag="move"):
    """Move the value at a pointer of a file to another position, counted from 0, within its object
    or list."""

    work = moved
    to: int


class Write(Op, tag="write"):
    """Replace the whole text of a file."""

    file: str
    text: str

    def apply(self, editor: Editor) -> None:
        """Write the text with LF line ends."""
        editor.write(self.file, with_plain_ends(self.text))


class Painting(Op):
    """Stroke of a brush over several hexes or tiles. If `take` is None, it erases if the first of
    them has what the brush paints, and paints otherwise."""

    brush: AnyBrush
    take: bool | None = None

    def apply(self, editor: Editor) -> None:
        """Paint or erase."""
        editor.took = self.take
        for file, pointer, before in self.places(editor):
            if editor.took is None:
                editor.took = self.brush.is_on(before)
            for work, where, *given in changes(before, self.painted(before, editor.took), pointer):
                editor.change(file, work, where, *given)

    def places(self, editor: Editor) -> Iterator[tuple[str, str, Json]]:
        """Yield the file, pointer and JSON of each hex or tile."""
        raise NotImplementedError

    def painted(self, before: Json, take: bool) -> Json:
        """Return the new JSON of a hex or tile."""
        return stroke(self.brush, before, take=take)


class Stroke(Painting, tag="stroke", kw_only=True):
    """Paint hexes of a map."""

    map: str
    hexes: list[str]

    def places(self, editor: Editor) -> Iterator[tuple[str, str, Json]]:
        """Return the file, pointer and JSON of each hex."""
        editor.touched.append((self.map, self.hexes))
        return (editor.hexagon(self.map, name) for name in self.hexes)


class TileStroke(Painting, tag="stroke_tile", kw_only=True):
    """Paint a tile that the title defines."""

    tile: str

    def places(self, editor: Editor) -> Iterator[tuple[str, str, Json]]:
        """Yield the file, pointer and JSON of the tile."""
        yield editor.tile(self.tile)

    def painted(self, before: Json, take: bool) -> Json:
        """Return the new JSON of the tile, which always states its colour."""
        plain = "white" if isinstance(self.brush, Ground) else before.get("colour", "white")
        return {"colour": plain, **stroke(self.brush, before, take=take)}


class SetCount(Op, tag="set_count"):
    """Set the number of copies of a tile in the box; zero removes the tile."""

    tile: str
    count: Annotated[int, Meta(ge=0, le=500)] | Literal["unlimited"]

    def apply(self, editor: Editor) -> None:
        """Set the count. Raises Refused for the other side of a tile, which has no count of its
        own."""
        file, pointer = editor.place(join_pointer("tiles", self.tile))
        entry = editor.get(file, pointer)
        if self.count == 0:
            if entry is not None:
                editor.change(file, without, pointer)
        elif not isinstance(entry, dict):
            editor.change(file, with_value, pointer, self.count)
        elif "back_of" in entry:
            raise Refused(
                f"{self.tile} is the other side of {entry['back_of']}: there are as many as of that"
            )
        else:
            editor.change(file, with_value, f"{pointer}/count", self.count)
            if "printed" in entry and self.count != "unlimited":
                editor.change(file, without, f"{pointer}/printed")


class OwnTile(Op, tag="own_tile"):
    """Define a new tile in the title: a copy of the tile `like` of the box or the catalogue, or a
    plain one."""

    tile: Annotated[str, Meta(pattern=f"^{ID}$")]
    like: str = ""

    def apply(self, editor: Editor) -> None:
        """Put one copy in the box. Raises Refused if the number is taken."""
        file, pointer = editor.place(join_pointer("tiles", self.tile))
        if editor.get(file, pointer) is not None or self.tile in catalogue_definitions():
            raise Refused(f"there is already a tile {self.tile}")
        value = editor.get(*editor.place(join_pointer("tiles", self.like, "tile")))
        value = value or catalogue_definitions().get(self.like, {"colour": "yellow"})
        editor.change(file, with_value, pointer, {"count": 1, "tile": value})


class DrawRiver(Op, tag="draw_river"):
    """Draw a river across a map, or extend one that ends where the course begins (or begins where
    it ends). A course of a single hex removes the river there."""

    map: str
    course: Annotated[list[str | Json], Meta(min_length=1)]
    name: str = ""

    def apply(self, editor: Editor) -> None:
        """Draw, extend or remove the river."""
        file, pointer = editor.place(join_pointer("maps", self.map, "rivers"))
        rivers: Json = editor.get(file, pointer) or {}
        first, last = self.course[0], self.course[-1]
        if len(self.course) == 1:
            gone = [key for key, river in rivers.items() if first in river["course"]]
            if not gone:
                raise Refused(f"there is no river in {first}: drag from hex to hex to draw one")
            # Remove the block with its last river.
            whole = pointer if len(rivers) == 1 else pointer + join_pointer(gone[-1])
            editor.change(file, without, whole)
            return
        for key, river in rivers.items():
            course = river["course"]
            if course[-1] == first:
                longer = [*course, *self.course[1:]]
            elif course[0] == last:
                longer = [*self.course[:-1], *course]
            else:
                continue
            editor.change(file, with_value, pointer + join_pointer(key, "course"), longer)
            return
        key = next(key for number in itertools.count(1) if (key := f"river-{number}") not in rivers)
        river = {"name": self.name} if self.name else {}
        editor.change(
            file, with_value, pointer + join_pointer(key), {**river, "course": self.course}
        )


class AddHexes(Op, tag="add_hexes"):
    """Add hexes of plain ground at empty coordinates of a map."""

    map: str
    hexes: list[str]

    def apply(self, editor: Editor) -> None:
        """Add the hexes."""
        editor.touched.append((self.map, self.hexes))
        for name in self.hexes:
            file, pointer = editor.place(join_pointer("maps", self.map, "hexes"))
            if name in editor.value(file, pointer):
                raise Refused(f"there is already a hex {name}")
            editor.change(file, with_value, pointer + join_pointer(name), {})


class RemoveHexes(Op, tag="remove_hexes"):
    """Remove hexes from a map."""

    map: str
    hexes: list[str]

    def apply(self, editor: Editor) -> None:
        """Remove the hexes."""
        for name in self.hexes:
            file, pointer = editor.place(join_pointer("maps", self.map, "hexes", name))
            editor.change(file, without, pointer)


class Placing(Op, kw_only=True):
    """Set hexes down on a map, the first of them at `at`."""

    map: str
    at: str
    turns: Annotated[int, Meta(ge=0, lt=EDGES)] = 0
    mirrored: bool = False

    def apply(self, editor: Editor) -> None:
        """Set the hexes down. Raises Refused if this adds errors to the title."""
        before, found = editor.assembled()
        known = {_without_place(problem) for problem in found}
        if self.map not in before.get("maps", {}):
            raise Refused(f"there is no map {self.map}")
        try:
            after, placed = self.after(editor, before, found)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Refused("a map cannot have such hexes") from error
        editor.placed += placed
        editor.touched.append((self.map, placed))
        for work, pointer, *given in changes(before, after):
            file, inside = editor.place(pointer)
            editor.change(file, work, inside, *given)
        made, found = editor.assembled()
        if new := [fault.message for fault in found if _without_place(fault) not in known]:
            raise Refused("; ".join(new[:3]))
        if made != after:
            raise Refused("the variant changes some of this: choose no variant first")

    def after(
        self, editor: Editor, title: Json, faults: list[Problem]
    ) -> tuple[Json, tuple[str, ...]]:
        """Return the title with the hexes set down, and their names. Raises Refused."""
        raise NotImplementedError


class Paste(Placing, tag="paste", kw_only=True):
    """Paste hexes that were copied from this or another title."""

    clip: Clip

    def after(
        self,
        editor: Editor,  # noqa: ARG002
        title: Json,
        faults: list[Problem],  # noqa: ARG002
    ) -> tuple[Json, tuple[str, ...]]:
        """Return the title with the hexes pasted, and their names. Raises Refused."""
        return pasted(title, self.map, self.at, self.clip, turns=self.turns, mirrored=self.mirrored)


class MoveHexes(Placing, tag="move_hexes", kw_only=True):
    """Move hexes within a map, with all references to them."""

    hexes: Annotated[list[str], Meta(min_length=1)]

    def after(
        self, editor: Editor, title: Json, faults: list[Problem]
    ) -> tuple[Json, tuple[str, ...]]:
        """Return the title with the hexes moved, and their new names. Raises Refused."""
        _must_be_readable(faults)
        editor.touched.append((self.map, self.hexes))
        return moved_hexes(
            title, self.map, self.hexes, self.at, turns=self.turns, mirrored=self.mirrored
        )


class Rename(Op, tag="rename"):
    """Change the id of an entry of the assembled title, given by its pointer such as
    "/companies/SNCF", and all references to it."""

    pointer: Annotated[str, Meta(pattern="^/.")]
    key: str

    def apply(self, editor: Editor) -> None:
        """Change the key of the entry. Then replace the old key with the new one wherever a
        reference is broken, until none is."""
        old = split_pointer(self.pointer)[-1]
        if self.key == old:
            return
        faults = editor.assembled()[1]
        _must_be_readable(faults)
        before = {_without_place(fault) for fault in faults}
        file, pointer = editor.place(self.pointer)
        editor.change(file, renamed, pointer, self.key)
        for _ in range(_MOST_ROUNDS):
            faults = editor.assembled()[1]
            caused = [fault for fault in faults if _without_place(fault) not in before]
            if not caused:
                return
            followed = [self._follow(editor, fault, old) for fault in caused]
            if not any(followed):
                what = "; ".join(fault.message for fault in caused[:3])
                raise Refused(f"{old} cannot become {self.key}: {what}")
        raise Refused(f"{old} is referred to in too many ways to be renamed here")

    def _follow(self, editor: Editor, fault: Problem, old: str) -> bool:
        """Replace the old key with the new one in the value, or the key, that an error reports as a
        broken reference. Return False if the old key is not there."""
        file, pointer = editor.own(fault.file), fault.pointer
        value = editor.value(file, pointer)
        if fault.code == UNKNOWN_FACT:
            text = with_id_in_facts(value, fault, old, self.key)
            if text == value:
                return False
            editor.change(file, with_value, pointer, text)
            return True
        found = list(_names_in(value, pointer, old))
        for at in found:
            name = editor.value(file, at).removesuffix(old) + self.key
            editor.change(file, with_value, at, name)
        key = split_pointer(pointer)[-1] if pointer else ""
        if found or not _is_name(key, old):
            return bool(found)
        editor.change(file, renamed, pointer, key.removesuffix(old) + self.key)
        return True


class Renumber(Op, tag="renumber"):
    """Renumber all hexes of the title; `first` gives the coordinates of the first column and
    row."""

    first: Annotated[str, Meta(max_length=6)] = "A1"

    def apply(self, editor: Editor) -> None:
        """Change coordinates wherever hexes are named. Texts that mention hexes in words are left
        alone and listed for the page. Raises Refused if an error could hide a hex."""
        assembled = editor.without_variant()
        _must_be_readable(assembled.problems)
        made = renumber(assembled, self.first)
        for path, text in made.files.items():
            editor.write(editor.own(str(path)), with_plain_ends(text))
        editor.prose += (words for _, words in made.prose)


class Respell(Op, tag="respell"):
    """Replace one of the words that a problem at a pointer of a file is about, in the value or in
    its key."""

    file: str
    pointer: str
    words: list[str]
    instead: str

    def apply(self, editor: Editor) -> None:
        """Replace the word. Raises Refused if none of the words is there."""
        value = editor.value(self.file, self.pointer)
        entries = dict(enumerate(value)) if isinstance(value, list) else value
        inner = entries.items() if isinstance(entries, dict) else ()
        words = (
            (with_value, "", value),
            (renamed, "", ("", *split_pointer(self.pointer))[-1]),
            *((renamed, join_pointer(key), key) for key, _ in inner),
            *((with_value, join_pointer(key), word) for key, word in inner),
        )
        for work, below, word in words:
            if word in self.words:
                editor.change(self.file, work, self.pointer + below, self.instead)
                return
        raise Refused(f"{self.file} has changed: what was to become {self.instead} is not there")


class AcceptBox(Op, tag="accept_box"):
    """Write the counts of the title's pieces as the contents of its box, or of the box of the
    variant that the page shows."""

    def apply(self, editor: Editor) -> None:
        """Write the counts that differ. Raises Refused if the title has other errors, CannotRun if
        it has no block `pieces`."""
        loaded, variant = editor.read()
        others = [
            problem
            for problem in loaded.problems
            if problem.severity is Severity.ERROR and problem.code != "BX01"
        ]
        if others:
            raise Refused(f"correct the other errors first: {others[0].message}")
        box = box_of(loaded, variant)
        file = editor.own(str(box.document.path))
        for pointer, count in box.values:
            editor.change(file, with_value, pointer, count)


class Waive(Op, tag="waive"):
    """Waive a finding of a rule, with the reason."""

    code: str
    at: str
    reason: str

    def apply(self, editor: Editor) -> None:
        """Append the waiver. Raises Refused without a reason."""
        reason = self.reason.strip()
        if not reason:
            raise Refused("a waiver needs a reason")
        file, pointer = editor.place("/waivers")
        waiver = {"code": self.code, "at": self.at, "reason": reason}
        if editor.get(file, pointer) is None:
            editor.change(file, with_value, pointer, [waiver])
        else:
            editor.change(file, with_value, f"{pointer}/-", waiver)


def _is_name(value: Any, old: str) -> bool:
    """Return True if a value is the given id, or the key of one of its pieces such as
    "charter:NR"."""
    return isinstance(value, str) and (value == old or value.endswith(f":{old}"))


def _names_in(value: Any, pointer: str, old: str) -> Iterator[str]:
    """Yield the pointers of all places in a value that name an id."""
    if _is_name(value, old):
        yield pointer
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _names_in(inner, pointer + join_pointer(key), old)


AnyOp: TypeAlias = (
    Put
    | Remove
    | Rekey
    | Move
    | Write
    | Stroke
    | TileStroke
    | SetCount
    | OwnTile
    | DrawRiver
    | AddHexes
    | RemoveHexes
    | Paste
    | MoveHexes
    | Rename
    | Renumber
    | Respell
    | AcceptBox
    | Waive
)


class Editor:
    """Collects the edits that operations make to the texts of a workspace; each operation sees the
    results of those before it. Names are looked up in a view."""

    def __init__(self, workspace: Workspace, view: View | None) -> None:
        self._workspace, self._view = workspace, view
        self._texts: dict[str, str] = {}
        self.edits: list[Edit] = []
        # True if the last stroke erased; hexes that look different, by map; names of hexes set
        # down.
        self.took: bool | None = None
        self.touched: list[tuple[str, Sequence[str]]] = []
        self.placed: list[str] = []
        # Texts that mention hexes by outdated coordinates.
        self.prose: list[str] = []

    def do(self, ops: Iterable[AnyOp]) -> None:
        """Apply operations. Raises Refused if one is not possible."""
        for op in ops:
            op.apply(self)

    def _text(self, name: str) -> str:
        return self._texts[name] if name in self._texts else self._workspace.open(name).text

    def write(self, name: str, text: str) -> None:
        """Replace the text of a file."""
        edit = difference(name, self._text(name), text)
        if edit.removed != edit.inserted:
            self.edits.append(edit)
            self._texts[name] = text

    def change(self, name: str, work: Callable[..., str], pointer: str, *given: Any) -> None:
        """Edit a file at a pointer with a function of `definitions.edits`. Raises Refused if the
        file is not JSON or has no such pointer."""
        self._value(name)
        try:
            self.write(name, work(self._text(name), pointer, *given))
        except KeyError as error:
            raise Refused(f"{name} has no {pointer}") from error
        except ValueError as error:
            raise Refused(f"{name}: {error}") from error

    def _value(self, name: str) -> Any:
        try:
            return parse_value(self._text(name), name=name)
        except NotRead as error:
            raise Refused(
                f"{name} cannot be read as it is now: correct it first, or undo"
            ) from error

    def assembled(self) -> tuple[Json, list[Problem]]:
        """Return the JSON of the title after the edits, and its errors."""
        view, value = self._seen, {}
        try:
            with read_as(self._all_texts):
                whole = assemble_title(view.folder, view.variant)
                value = whole.value
                problems = read_assembled(whole).problems
        except ProblemsFound as error:
            problems = error.problems
        return value, [problem for problem in problems if problem.severity is Severity.ERROR]

    def read(self) -> tuple[Loaded, str | None]:
        """Return the title after the edits, and the variant. Raises ProblemsFound."""
        view = self._seen
        with read_as(self._all_texts):
            return read_title(view.folder, variant=view.variant), view.variant

    @property
    def _all_texts(self) -> dict[Path, str]:
        root = self._workspace.folder.root
        return {
            **self._workspace.texts,
            **{root / name: text for name, text in self._texts.items()},
        }

    def without_variant(self) -> Assembled:
        """Assemble the title after the edits, without a variant. Raises ProblemsFound."""
        with read_as(self._all_texts):
            return assemble_title(self._seen.folder)

    @property
    def _seen(self) -> View:
        if self._view is None or self._view.loaded is None:
            raise Refused("there is no title to edit here yet")
        return self._view

    def place(self, pointer: str) -> tuple[str, str]:
        """Return the file, and the pointer in it, for a pointer of the assembled title."""
        loaded = self._seen.loaded
        assert loaded is not None
        document, inside = loaded.assembled.source(pointer)
        return self.own(str(document.path)), inside

    def own(self, path: str) -> str:
        """Return the name of a file relative to the studio's folder. Raises Refused for a file
        elsewhere."""
        name = self._seen.name_of(path)
        self._workspace.folder.file(name)
        return name

    def value(self, file: str, pointer: str) -> Any:
        """Return the value at a pointer of a file. Raises Refused if there is none."""
        value = self._value(file)
        for key in split_pointer(pointer):
            try:
                value = value[int(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise Refused(f"{file} has no {pointer}") from error
        return value

    def get(self, file: str, pointer: str) -> Any:
        """Return the value at a pointer of a file; None if there is none."""
        try:
            return self.value(file, pointer)
        except Refused:
            return None

    def hexagon(self, map_id: str, name: str) -> tuple[str, str, Json]:
        """Return the file, pointer and JSON of a hex. Raises Refused if it has errors, as brushes
        could not handle it."""
        return self._to_paint(name, *self.place(join_pointer("maps", map_id, "hexes", name)))

    def tile(self, number: str) -> tuple[str, str, Json]:
        """Return the file, pointer and JSON of a tile that the title defines. Raises Refused for a
        tile of the catalogue, or if the tile has errors."""
        file, pointer = self.place(join_pointer("tiles", number, "tile"))
        if self.get(file, pointer) is None:
            raise Refused(f"{number} is no tile of this title's own: make it yours first")
        return self._to_paint(number, file, pointer)

    def _to_paint(self, name: str, file: str, pointer: str) -> tuple[str, str, Json]:
        value, view = self.value(file, pointer), self._seen
        bad = [
            problem
            for problem in view.read_problems
            if problem.severity is Severity.ERROR
            and f"{problem.pointer}/".startswith(f"{pointer}/")
            and view.name_of(problem.file) == file
        ]
        if bad or not isinstance(value, dict):
            why = f": {bad[0].message}" if bad else ""
            raise Refused(f"{name} has an error that must be corrected first{why}")
        return file, pointer, value


def _must_be_readable(faults: Iterable[Problem]) -> None:
    """Raise Refused if a file does not match its schema, as names in it could be missed."""
    for fault in faults:
        if fault.code.startswith(("JS", "SC", "FI")):
            raise Refused(f"correct the errors first, so that nothing is missed: {fault.message}")


def _without_place(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.message, problem.pointer
