"""Counterparts in two definitions: entries of lists, ids, tiles of the same shape, hexes at the
same place."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import permutations
from typing import Any

from msgspec import Struct

from platelayer.definitions.build import build_scheme, build_tile, catalogue_definitions
from platelayer.model.company import COMPANIES, PRIVATES
from platelayer.model.described import text
from platelayer.model.gamemap import EDGES, Coord, Layout, neighbour, opposite
from platelayer.model.tile import EndKind, Tile, rotate_tile

Json = Mapping[str, Any]
# Indices in the earlier and in the later list; None if the entry is missing in one.
Pairs = list[tuple[int | None, int | None]]

_MOST_ALIKE_STOPS = 5
# Keys of a stop that do not affect what it is.
_DRAWN = ("at", "$comment")
# Minimum number of named places that must agree before one map is regarded as another in other
# coordinates.
_FEWEST_PLACES = 3


def in_any_order(
    before: Sequence[str], after: Sequence[str], alike: Callable[[int, int], float]
) -> Pairs:
    """Pair the entries of two lists whose order has no meaning: equal ones first, then the most
    similar, and finally the last one of each, if a single one is left on both sides."""
    left, pairs = defaultdict(list), []
    for index, digest in enumerate(before):
        left[digest].append(index)
    new = []
    for index, digest in enumerate(after):
        if left[digest]:
            pairs.append((left[digest].pop(0), index))
        else:
            new.append(index)
    gone = sorted(index for indices in left.values() for index in indices)
    ranked = sorted((-alike(i, j), i, j) for i in gone for j in new)
    single = len(gone) == len(new) == 1
    for likeness, i, j in ranked:
        if i in gone and j in new and (likeness < 0 or single):
            pairs.append((i, j))
            gone.remove(i)
            new.remove(j)
    return [
        *sorted(pairs, key=lambda pair: pair[1]),
        *((i, None) for i in gone),
        *((None, j) for j in new),
    ]


def in_order(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """Pair the entries of two lists whose order has a meaning, so that as few as possible are new,
    gone or changed."""
    pairs: Pairs = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        both = min(i_end - i, j_end - j) if tag in ("equal", "replace") else 0
        pairs += ((i + step, j + step) for step in range(both))
        pairs += ((index, None) for index in range(i + both, i_end))
        pairs += ((None, index) for index in range(j + both, j_end))
    if len(before) == len(after):
        differing = [one != other for one, other in zip(before, after, strict=True)]
        changed = [i is None or j is None or before[i] != after[j] for i, j in pairs]
        if changed.count(True) >= differing.count(True):
            return [(index, index) for index in range(len(after))]
    return pairs


def name_of(entry: Any) -> str:
    """Return the name of an entry of a block without case and accents, to recognise it under
    another id."""
    if not isinstance(entry, Mapping):
        return ""
    named = entry.get("name") or (entry.get("faces") or [{}])[0].get("name")
    if not isinstance(named, (str, Mapping)) or not named:
        return ""
    plain = text(named)
    bare = unicodedata.normalize("NFKD", plain.get("en"))
    return "".join(char for char in bare.casefold() if not unicodedata.combining(char))


def renamed_ids(
    before: Json, after: Json, sign: Callable[[str, Any], Any] | None = None
) -> dict[str, str]:
    """Return the earlier id of each entry that was renamed, by its new id. Entries match if no
    others have the same name (or the same `sign`)."""
    sign_of = sign or (lambda _, entry: name_of(entry))
    gone = {key: sign_of(key, before[key]) for key in before if key not in after}
    new = {key: sign_of(key, after[key]) for key in after if key not in before}
    renamed = {}
    for key, signed in gone.items():
        others = [other for other, signed_too in new.items() if signed and signed_too == signed]
        if len(others) == 1 and list(gone.values()).count(signed) == 1:
            renamed[key] = others[0]
    return renamed


def beginning_of(before: Json, after: Json) -> Callable[[str, Any], Any]:
    """Return a function that gives the train that begins a phase (or the start of the game), to
    recognise the phase under another id."""
    firsts = [next(iter(title.get("phases") or {}), None) for title in (before, after)]

    def sign(phase_id: str, phase: Any) -> Any:
        on = phase.get("on")
        return (on if isinstance(on, list) else [on]) if on else phase_id in firsts

    return sign


def share_privates(before: dict[str, Any], after: Json) -> None:
    """Move companies that the later definition has in the other of the two blocks, under the same
    id or name: the block itself has no meaning."""
    for block, other in ((COMPANIES, PRIVATES), (PRIVATES, COMPANIES)):
        here, there = before.get(block) or {}, before.get(other) or {}
        now_here, now_there = after.get(block) or {}, after.get(other) or {}
        known = {name_of(entry) for entry in now_there.values()} - {
            name_of(entry) for entry in now_here.values()
        }
        moved = {
            key: entry
            for key, entry in here.items()
            if key not in now_here
            and key not in there
            and (key in now_there or (name_of(entry) or None) in known)
        }
        if moved:
            before[other] = {**there, **moved}
            before[block] = {key: entry for key, entry in here.items() if key not in moved}


def borders_as_in(board: Json, other: Json) -> Json:
    """Return the earlier map with each border on the same side of its edge as in the later one. A
    border counts for both hexes, whichever one declares it."""
    scheme, layout = build_scheme(other["coordinates"]), Layout(other["layout"])
    sides, sides_before = (
        {
            (name, border["edge"])
            for name, hexagon in gamemap["hexes"].items()
            for border in hexagon.get("borders", ())
        }
        for gamemap in (other, board)
    )
    hexes = dict(board["hexes"])
    for name, hexagon in board["hexes"].items():
        for border in hexagon.get("borders", ()):
            at = scheme.parse(name)
            beyond = scheme.name(neighbour(at, border["edge"], layout)) if at else ""
            side = beyond, opposite(border["edge"])
            has_changed_sides = (name, border["edge"]) not in sides and side in sides - sides_before
            if has_changed_sides and beyond in hexes and name in other["hexes"]:
                kept = [one for one in hexes[name]["borders"] if one is not border]
                hexes[name] = {**hexes[name], "borders": kept}
                moved = {**border, "edge": side[1]}
                hexes[beyond] = {
                    **hexes[beyond],
                    "borders": [*hexes[beyond].get("borders", ()), moved],
                }
    return {**board, "hexes": hexes}


def written_tile(number: str, entry: Any) -> Json | None:
    """Return the tile with a number as JSON: the title's own or the catalogue's."""
    own = entry.get("tile") if isinstance(entry, Mapping) else None
    return own if own is not None else catalogue_definitions().get(number)


def outline(tile: Tile) -> tuple[Any, ...]:
    """Return a tile's colour, stops, track and labels, independent of its rotation and number."""
    return min(_outline(rotate_tile(tile, turns)) for turns in EDGES)


def _outline(tile: Tile) -> tuple[Any, ...]:
    ends = defaultdict(list)
    between = []
    for segment in tile.track:
        kinds = sorted((end.kind.value, end.index) for end in segment.ends)
        stops = [end.index for end in segment.ends if end.kind is EndKind.STOP]
        edges = segment.edges
        if len(stops) == 1 and len(edges) == 1:
            ends[stops[0]].append(edges[0])
        else:
            between.append((segment.gauge.value, *kinds))
    places = sorted(
        (
            stop.kind.value,
            stop.slots,
            [(step.value, step.since or "") for step in stop.revenue],
            sorted(ends[index]),
        )
        for index, stop in enumerate(tile.stops)
    )
    return tile.colour, places, sorted(between), sorted(label.text for label in tile.labels)


def shape_of_number(number: str, entry: Any) -> Any:
    """Return the outline of the tile with a number; None if there is no such tile."""
    written = written_tile(number, entry)
    return None if written is None else outline(build_tile(number, written))


def stops_in_order_of(before: Json, after: Json, pairs: Pairs) -> Json:
    """Return the earlier hex with its stops, and the ends of its track, numbered as in the later
    one. Stops that no longer exist come last. Of several similar stops, those with the same
    track are paired."""
    stops, others = before.get("stops", []), after.get("stops", [])
    new = {i: j for i, j in pairs if i is not None and j is not None}
    free = iter(range(len(others), len(others) + len(stops)))
    new |= {i: next(free) for i in range(len(stops)) if i not in new}
    track = list(before.get("track", []))
    wanted = Counter(map(_segment, after.get("track", [])))

    def agreement(numbers: Mapping[int, int]) -> int:
        numbered = Counter(_segment(_numbered(segment, numbers)) for segment in track)
        return (numbered & wanted).total()

    best = max(_alike_numberings(stops, others, new), key=agreement)
    if all(i == j for i, j in best.items()):
        return before
    ordered = sorted(range(len(stops)), key=lambda i: best[i])
    return {
        **before,
        "stops": [stops[i] for i in ordered],
        "track": [_numbered(segment, best) for segment in track],
    }


def _alike_numberings(
    stops: Sequence[Any], others: Sequence[Any], new: Mapping[int, int]
) -> Iterator[dict[int, int]]:
    yield dict(new)
    by_look = defaultdict(list)
    for i, j in new.items():
        # Stops that look the same on either side are interchangeable.
        for which, stop in enumerate([stops[i], *others[j : j + 1]]):
            look = repr({key: part for key, part in stop.items() if key not in _DRAWN})
            by_look[which, look].append(i)
    for alike in by_look.values():
        if 1 < len(alike) <= _MOST_ALIKE_STOPS:
            for order in permutations(alike):
                yield {**new, **{i: new[j] for i, j in zip(alike, order, strict=True)}}


def _segment(segment: Sequence[Any]) -> str:
    return repr((sorted(map(str, segment[:2])), segment[2:]))


def undirected(segment: list[Any]) -> list[Any]:
    """Return a segment of track as written from its lesser end, since track has no direction. With
    lanes, which belong to its ends, it stays as it is."""
    ends = sorted(segment[:2], key=lambda end: (isinstance(end, str), end))
    more = segment[2:]
    return (
        segment
        if any(isinstance(part, Mapping) and "lanes" in part for part in more)
        else [*ends, *more]
    )


def _numbered(segment: Sequence[Any], numbers: Mapping[int, int]) -> list[Any]:
    def end(written: Any) -> Any:
        if isinstance(written, str) and written.startswith("stop:"):
            index = int(written.removeprefix("stop:"))
            return f"stop:{numbers.get(index, index)}"
        return written

    return [end(segment[0]), end(segment[1]), *segment[2:]]


class Placing(Struct, frozen=True):
    """The hexes of one map mapped to those of another: the later name of each earlier hex, and the
    later edges. Edge e becomes `turn` + `sense` * e."""

    names: Mapping[str, str]
    turn: int
    sense: int

    def edge(self, edge: float) -> float:
        """Return the edge of the later map for one of the earlier map (fractions allowed)."""
        return (self.turn + self.sense * edge) % 6


def placing(before: Json, after: Json) -> Placing | None:
    """Return the symmetry and shift of the grid that brings most named places of one map onto those
    of another; None if the printed coordinates already match best."""
    olds, news = _places(before), _places(after)
    as_printed = sum(news.get(name) == place for name, place in olds.items())
    if not olds or not news or as_printed >= min(len(olds), len(news)) / 2:
        return None
    old, new = build_scheme(before["coordinates"]), build_scheme(after["coordinates"])
    layouts = Layout(before["layout"]), Layout(after["layout"])
    votes: Counter[tuple[int, int, Coord]] = Counter()
    by_place = defaultdict(list)
    for name, place in news.items():
        by_place[place].append(new.parse(name) or Coord(0, 0))
    origin = old.parse(next(iter(before["hexes"]))) or Coord(0, 0)

    def moved(name: str, turn: int, sense: int) -> tuple[int, int]:
        at = old.parse(name) or Coord(0, 0)
        return _moved(Coord(at.x - origin.x, at.y - origin.y), layouts, turn, sense)

    for name, place in olds.items():
        for sense in (1, -1):
            for turn in EDGES:
                x, y = moved(name, turn, sense)
                votes.update(
                    (-sense, turn, Coord(to.x - x, to.y - y)) for to in by_place.get(place, ())
                )
    if not votes:
        return None
    (mirrored, turn, shift), agreeing = min(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    if agreeing < _FEWEST_PLACES or agreeing <= as_printed:
        return None
    names = {}
    for name in before["hexes"]:
        x, y = moved(name, turn, -mirrored)
        names[name] = new.name(Coord(x + shift.x, y + shift.y))
    return Placing(names, turn, -mirrored)


def _places(board: Json) -> dict[str, Any]:
    """Return name and stops of each named hex."""
    return {
        key: (name_of(hexagon), tuple(sorted(stop["kind"] for stop in hexagon.get("stops", ()))))
        for key, hexagon in board["hexes"].items()
        if name_of(hexagon)
    }


def _moved(at: Coord, layouts: tuple[Layout, Layout], turn: int, sense: int) -> Coord:
    """Return the coordinates of a hex in a grid that is rotated, and possibly mirrored, relative to
    another."""
    one, other = layouts
    # Any position is a number of steps over edge 0 plus a number of steps over edge 1.
    first, second = neighbour(Coord(0, 0), 0, one), neighbour(Coord(0, 0), 1, one)
    determinant = first.x * second.y - first.y * second.x
    along = (at.x * second.y - at.y * second.x) // determinant
    across = (first.x * at.y - first.y * at.x) // determinant
    a, b = neighbour(Coord(0, 0), turn, other), neighbour(Coord(0, 0), turn + sense, other)
    return Coord(along * a.x + across * b.x, along * a.y + across * b.y)


def laid_on(board: Json, placed: Placing) -> dict[str, Any]:
    """Return the earlier map in the coordinates and edges of the later one."""
    hexes = {
        placed.names[name]: _turned(hexagon, placed) for name, hexagon in board["hexes"].items()
    }
    return {**board, "hexes": hexes}


def _turned(hexagon: Json, placed: Placing) -> dict[str, Any]:
    def end(written: Any) -> Any:
        return int(placed.edge(written)) if isinstance(written, int) else written

    def position(written: Any) -> Any:
        if isinstance(written, Mapping):
            return {**written, "edge": placed.edge(written["edge"])}
        return placed.edge(written) if isinstance(written, (int, float)) else written

    def turned_at(entries: Any, *keys: str) -> list[Any]:
        return [
            {key: position(part) if key in keys else part for key, part in entry.items()}
            if isinstance(entry, Mapping)
            else entry
            for entry in entries
        ]

    parts: dict[str, Callable[[Any], Any]] = {
        "track": lambda track: [
            [end(segment[0]), end(segment[1]), *segment[2:]] for segment in track
        ],
        "stubs": lambda stubs: [end(edge) for edge in stubs],
        "borders": lambda borders: [{**border, "edge": end(border["edge"])} for border in borders],
        "stops": lambda stops: turned_at(stops, "at"),
        "icons": lambda icons: turned_at(icons, "at"),
        "partitions": lambda partitions: turned_at(partitions, "a", "b"),
    }
    return {key: parts[key](part) if key in parts else part for key, part in hexagon.items()}
