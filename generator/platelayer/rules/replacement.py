"""Two tiles in, the rotations out at which the second may replace the first by the tiles alone.

Source: issue "The rules validator", "Upgrades: exact semantics", 1-5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from platelayer.model.hexes import EDGES
from platelayer.model.tile import EndKind, Gauge, Stop, StopKind, Tile
from platelayer.model.upgrade import UpgradeOptions

UNLAID = "white"

Track = tuple[int, Gauge]
"""An edge and the gauge of the track that reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A tile's track sorted by what it joins, ready to be compared. Edges are those of rotation 0."""

    stop_edges: tuple[frozenset[Track], ...]
    plain: frozenset[tuple[int, int, Gauge]]
    links: frozenset[tuple[int, int, Gauge]]
    junction: frozenset[Track]
    junction_stops: frozenset[tuple[int, Gauge]]


@lru_cache(maxsize=4096)
def _plan(tile: Tile) -> _Plan:
    stop_edges: list[set[Track]] = [set() for _ in tile.stops]
    plain: set[tuple[int, int, Gauge]] = set()
    links: set[tuple[int, int, Gauge]] = set()
    junction: set[Track] = set()
    junction_stops: set[tuple[int, Gauge]] = set()
    for segment in tile.track:
        first, second = sorted(segment.ends, key=lambda end: (_ORDER[end.kind], end.index))
        match first.kind, second.kind:
            case EndKind.EDGE, EndKind.EDGE:
                plain.add((first.index, second.index, segment.gauge))
            case EndKind.EDGE, EndKind.STOP:
                stop_edges[second.index].add((first.index, segment.gauge))
            case EndKind.EDGE, EndKind.JUNCTION:
                junction.add((first.index, segment.gauge))
            case EndKind.STOP, EndKind.STOP:
                links.add((first.index, second.index, segment.gauge))
            case _:
                junction_stops.add((first.index, segment.gauge))
    return _Plan(
        stop_edges=tuple(map(frozenset, stop_edges)),
        plain=frozenset(plain),
        links=frozenset(links),
        junction=frozenset(junction),
        junction_stops=frozenset(junction_stops),
    )


_ORDER = {EndKind.EDGE: 0, EndKind.STOP: 1, EndKind.JUNCTION: 2}


def rotations(
    old: Tile,
    new: Tile,
    colours: Sequence[str],
    options: UpgradeOptions,
    *,
    stubs: Sequence[int] = (),
) -> tuple[int, ...]:
    """Rotations r (0-5, each reported) at which `new` turned by r may replace `old` at rotation 0.

    `colours` is the title's order of tile colours, `stubs` the edges that the first tile on a hex must use.
    """
    if not (
        _follows(old, new, colours, options) and _labels_agree(old, new, colours) and _icons_agree(old, new, options)
    ):
        return ()
    if not _counts_agree(old, new, options):
        return ()
    turns = (0,) if new.id in options.fixed_rotation else EDGES
    return tuple(r for r in turns if _keeps_track(old, new, r, options) and _uses_stubs(new, r, stubs))


def _follows(old: Tile, new: Tile, colours: Sequence[str], options: UpgradeOptions) -> bool:
    """Rule 1: the next colour; an unlaid hex comes before the first. Ground of its own takes a colour of its own."""
    kinds = {kind for terrain in old.terrain for kind in terrain.kinds}
    for ground in options.grounds:
        fits = bool(kinds & set(ground.terrain)) and old.colour == UNLAID
        if fits or new.colour == ground.colour:
            return fits and new.colour == ground.colour
    if old.colour in options.never_upgraded:
        return False
    order = [UNLAID, *colours]
    return old.colour in order and new.colour in colours and order.index(new.colour) == order.index(old.colour) + 1


def _labels(tile: Tile, colour: str, colours: Sequence[str]) -> Counter[str]:
    """Labels in force from `colour` on."""
    at = colours.index(colour) if colour in colours else len(colours)
    return Counter(label.text for label in tile.labels if label.since is None or colours.index(label.since) <= at)


def _labels_agree(old: Tile, new: Tile, colours: Sequence[str]) -> bool:
    """Rule 2: the same labels, those counted that apply from the new tile's colour."""
    return _labels(old, new.colour, colours) == _labels(new, new.colour, colours)


def _icons_agree(old: Tile, new: Tile, options: UpgradeOptions) -> bool:
    """Rule 5: icons that the title keeps are on both or on neither."""
    kept = set(options.kept_icons)
    return {icon.name for icon in old.icons} & kept == {icon.name for icon in new.icons} & kept


def _is_city(stop: Stop) -> bool:
    return stop.kind in (StopKind.CITY, StopKind.PASS)


def _counts_agree(old: Tile, new: Tile, options: UpgradeOptions) -> bool:
    """Rules 3 and 4: as many cities and towns as before and as the title adds; fewer cities only where labels merge."""
    labels = {label.text for label in new.labels}
    cities, towns = sum(map(_is_city, old.stops)), sum(s.kind is StopKind.TOWN for s in old.stops)
    for added in options.added:
        if added.colour == new.colour and (added.label in labels if added.label else not labels):
            cities, towns = cities + added.cities, towns + added.towns
    new_cities, new_towns = sum(map(_is_city, new.stops)), sum(s.kind is StopKind.TOWN for s in new.stops)
    merging = labels & set(options.merging_labels) and 0 < new_cities <= cities
    return new_towns == towns and (new_cities == cities or bool(merging))


def _uses_stubs(new: Tile, turns: int, stubs: Sequence[int]) -> bool:
    exits = {(edge + turns) % 6 for edge in new.exits}
    return exits.issuperset(stubs)


def _keeps_track(old: Tile, new: Tile, turns: int, options: UpgradeOptions) -> bool:
    """Rule 3 at one rotation: every old segment is found on the new tile under some assignment of stops."""
    before, after = _plan(old), _plan(new)
    edges_only = bool({icon.name for icon in old.icons} & set(options.edge_only_icons))
    joined = {((edge + turns) % 6, gauge) for edge, gauge in after.junction}
    plain = {_pair((a + turns) % 6, (b + turns) % 6, gauge) for a, b, gauge in after.plain}
    if not all(_joins(a, b, gauge, plain, joined) for a, b, gauge in before.plain):
        return False
    if not _keeps_junction(before, plain, joined):
        return False
    if edges_only:
        reached = {track for stop in after.stop_edges for track in _turned(stop, turns)}
        return all(_reaches(track, reached) for stop in before.stop_edges for track in stop)
    candidates = [
        [
            index
            for index, stop in enumerate(new.stops)
            if _succeeds(was, stop)
            and all(_reaches(track, _turned(after.stop_edges[index], turns)) for track in before.stop_edges[number])
        ]
        for number, was in enumerate(old.stops)
    ]
    merging = bool({label.text for label in new.labels} & set(options.merging_labels))
    return any(_fits(old, new, before, after, choice) for choice in _assignments(old, candidates, merging))


def _pair(a: int, b: int, gauge: Gauge) -> tuple[int, int, Gauge]:
    return (a, b, gauge) if a <= b else (b, a, gauge)


def _turned(tracks: frozenset[Track], turns: int) -> set[Track]:
    return {((edge + turns) % 6, gauge) for edge, gauge in tracks}


def _reaches(track: Track, among: set[Track]) -> bool:
    """Track of a gauge is kept by track of that gauge or by dual track."""
    edge, gauge = track
    return (edge, gauge) in among or (edge, Gauge.DUAL) in among


def _joins(a: int, b: int, gauge: Gauge, plain: set[tuple[int, int, Gauge]], joined: set[Track]) -> bool:
    """Two edges stay joined by a segment, or by a junction that both lead to."""
    direct = _pair(a, b, gauge) in plain or _pair(a, b, Gauge.DUAL) in plain
    return direct or (_reaches((a, gauge), joined) and _reaches((b, gauge), joined))


def _keeps_junction(before: _Plan, plain: set[tuple[int, int, Gauge]], joined: set[Track]) -> bool:
    """Junction tiles compare by their exits: each pair of them stays joined."""
    exits = sorted(before.junction, key=lambda track: track[0])
    return all(
        _joins(a, b, gauge, plain, joined)
        for k, (a, gauge) in enumerate(exits)
        for b, other in exits[k + 1 :]
        if other is gauge
    )


def _succeeds(was: Stop, stop: Stop) -> bool:
    """A stop can follow another: the kind is kept, slots never shrink, a pass keeps its size."""
    return stop.kind is was.kind and stop.slots >= was.slots and stop.size == was.size


def _assignments(old: Tile, candidates: Sequence[Sequence[int]], merging: bool) -> Iterator[tuple[int, ...]]:
    """Every choice of a new stop for each old one: different ones, unless cities may merge."""

    def extend(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        number = len(chosen)
        if number == len(candidates):
            yield chosen
            return
        for index in candidates[number]:
            if index not in chosen or (merging and _is_city(old.stops[number])):
                yield from extend((*chosen, index))

    return extend(())


def _fits(old: Tile, new: Tile, before: _Plan, after: _Plan, choice: tuple[int, ...]) -> bool:
    """Slots hold the stations of all cities that merge, and stops that were joined still are, or are one."""
    needed: Counter[int] = Counter()
    for was, index in zip(old.stops, choice, strict=True):
        needed[index] += was.slots
    if any(new.stops[index].slots < slots for index, slots in needed.items()):
        return False
    links = {_pair(a, b, gauge) for a, b, gauge in after.links}
    for a, b, gauge in before.links:
        one, other = choice[a], choice[b]
        if one != other and not {_pair(one, other, gauge), _pair(one, other, Gauge.DUAL)} & links:
            return False
    return all((choice[stop], gauge) in after.junction_stops for stop, gauge in before.junction_stops)
