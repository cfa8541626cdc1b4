"""Rotations in which one tile may replace another, by the tiles alone.

Source: docs/upgrades.md, 1 to 5. Each tile is prepared once as a `Form`, in which track is bits:
two for each edge or pair of edges, one for each gauge, both for dual track. Then "all old track is
kept" is "no old bit is missing". Tapering and lanes make no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import astuple, replace

from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import EDGES
from platelayer.model.tile import AddedStops, EndKind, Gauge, StopKind, Tile, UpgradeOptions

# Colour of a hex that has no tile and is not preprinted in a colour of tiles.
UNLAID = "white"

# Two bits for each edge, one for each gauge that trains distinguish. Dual-gauge track sets both, so
# that one mask checks whether track is preserved for either gauge. Thin lines and ferries count as
# standard track.
_GAUGE_BITS = {Gauge.STANDARD: 0b01, Gauge.NARROW: 0b10, Gauge.DUAL: 0b11, Gauge.THIN: 0b01,
               Gauge.FERRY: 0b01}  # fmt: skip
_EDGE_BITS = 12
_ALL_EDGES = (1 << _EDGE_BITS) - 1

_RANK = {EndKind.EDGE: 0, EndKind.STOP: 1, EndKind.JUNCTION: 2}
# First of the two bits of each pair of edges, in either order.
_PAIR_BIT = [[2 * (6 * min(a, b) + max(a, b)) for b in EDGES] for a in EDGES]
_COUNTED = (StopKind.CITY, StopKind.TOWN, StopKind.PASS, StopKind.OFFBOARD)


class Turned(Frozen, kw_only=True):
    """Track at one rotation. `exits`: edges with track. `joined`: pairs of edges joined past no
    stop, by one segment or by the junction. `junction`: edges that lead to it. `stops`: edges that
    lead to each stop. All as bits."""

    exits: int
    joined: int
    junction: int
    stops: tuple[int, ...]


class Form(Frozen, kw_only=True, eq=False):
    """A tile or map hex prepared for comparison under a title's options. Equal forms upgrade alike,
    whatever their ids.

    `takes` is the colour that may replace it (None: none may). `labels` with the index of the
    colour from which each applies. `icons` are those that the title keeps. `needed` are the edges
    that the first tile must use, by any gauge. `stops` as (kind, slots, size of a pass); `counts`
    of them as cities, towns and halts, passes, off-boards; `growing` are the towns that may become
    cities. `granted` are the tiles that the title lets replace it by name.
    """

    id: str
    colour: str
    takes: str | None
    labels: tuple[tuple[str, int], ...]
    icons: frozenset[str]
    edges_only: bool
    fixed: bool
    needed: int
    stops: tuple[StopForm, ...]
    links: tuple[tuple[Link, int], ...]
    junction_stops: tuple[tuple[int, int], ...]
    counts: tuple[int, ...]
    turned: tuple[Turned, ...]
    growing: frozenset[int] = frozenset()
    granted: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and astuple(self)[1:] == astuple(other)[1:]

    def __hash__(self) -> int:
        # The other fields rarely differ, and hashing them takes ten times as long.
        return hash((self.colour, self.takes, self.labels, self.counts, self.turned[0]))

    def labels_at(self, colour: int) -> tuple[str, ...]:
        """Return the labels in force at the colour of that index, sorted: those that apply from the
        latest colour on."""
        latest = max((since for _, since in self.labels if since <= colour), default=0)
        return tuple(sorted(text for text, since in self.labels if since == latest))


class Changes(Frozen, kw_only=True):
    """Changes of the numbers of stops that the title's data allow in the upgrade to one tile: stops
    that appear (negative if several merge), and whether cities or towns may merge."""

    cities: int = 0
    towns: int = 0
    merging: bool = False
    merging_towns: bool = False

    def allow(self, before: tuple[int, ...], after: tuple[int, ...], growing: int = 0) -> bool:
        """Return True by rules 3 and 4: cities and towns in the allowed numbers, up to `growing`
        towns as cities, passes and off-boards as before."""
        # Passes and off-boards can neither be added nor merged.
        if after[2:] != before[2:]:
            return False
        for grown in range(growing + 1):
            cities = before[0] + self.cities + grown
            towns = before[1] + self.towns - grown
            cities_fit = after[0] == cities or (self.merging and 0 < after[0] < cities)
            towns_fit = after[1] == towns or (self.merging_towns and 0 < after[1] < towns)
            if cities_fit and towns_fit:
                return True
        return False

    @property
    def merging_kinds(self) -> frozenset[StopKind]:
        """Kinds of which several old stops may become one new one."""
        merging = {
            StopKind.CITY: self.merging or self.cities < 0,
            StopKind.TOWN: self.merging_towns or self.towns < 0,
        }
        return frozenset(kind for kind, merge in merging.items() if merge)

    @property
    def appearing(self) -> dict[StopKind, int]:
        """Number of new stops of each kind that may appear."""
        return {StopKind.CITY: max(0, self.cities), StopKind.TOWN: max(0, self.towns)}


def rotations(
    old: Tile,
    new: Tile,
    colours: Sequence[str],
    options: UpgradeOptions,
    *,
    stubs: Sequence[int] = (),
) -> tuple[int, ...]:
    """Return the rotations r (0-5, each reported) at which `new` rotated by r may replace `old` at
    rotation 0.

    `colours` is the title's order of tile colours, `stubs` the edges that the first tile on a hex
    must use.
    """
    before = tile_form(old, colours, options, stubs=stubs)
    after = tile_form(new, colours, options)
    found = {*granted_turns(before, after)}
    if may_follow(before, after, colours):
        found |= {*turns(before, after, changes_to(after, colours, options))}
    return lying(after, sorted(found))


def tile_form(
    tile: Tile,
    colours: Sequence[str],
    options: UpgradeOptions,
    *,
    name: str | None = None,
    stubs: Sequence[int] = (),
) -> Form:
    """Return a tile, or what is printed on a map hex, prepared for comparison; `name` is its name
    if that is not `tile.id`."""
    name = tile.id if name is None else name
    icons = {icon.name for icon in tile.icons}
    track = _track(tile)
    kinds: list[StopKind] = [
        StopKind.TOWN if stop.kind is StopKind.HALT else stop.kind for stop in tile.stops
    ]
    return Form(
        id=name,
        colour=tile.colour,
        takes=_next_colour(tile, name, colours, options),
        labels=tuple(
            sorted(
                (label.text, 0 if label.since is None else colour_index(label.since, colours))
                for label in tile.labels
            )
        ),
        icons=frozenset(icons & set(options.kept_icons)),
        edges_only=bool(icons & set(options.edge_only_icons)),
        fixed=name in options.fixed_rotation,
        needed=sum(1 << 2 * edge for edge in set(stubs)),
        stops=tuple((stop.kind, stop.slots, stop.size) for stop in tile.stops),
        links=tuple(sorted(track.links.items())),
        junction_stops=tuple(sorted(track.junction_stops.items())),
        counts=tuple(map(kinds.count, _COUNTED)),
        turned=tuple(_turned(track, turn) for turn in EDGES),
        growing=frozenset(
            index
            for index, stop in enumerate(tile.stops)
            if stop.boom and stop.kind is StopKind.TOWN
        ),
        granted=frozenset(
            number for grant in options.granted if name in grant.sources for number in grant.to
        ),
    )


def may_follow(old: Form, new: Form, colours: Sequence[str]) -> bool:
    """Return True by rules 1 and 2, and the kept icons of rule 5: everything by which tiles can be
    grouped."""
    if old.takes is None or old.takes != new.colour or old.icons != new.icons:
        return False
    at = colour_index(new.colour, colours)
    return old.labels_at(at) == new.labels_at(at)


def changes_to(new: Form, colours: Sequence[str], options: UpgradeOptions) -> Changes:
    """Return the changes that the title's data allow in an upgrade to `new`."""
    labels = new.labels_at(colour_index(new.colour, colours))

    def applies(added: AddedStops) -> bool:
        if added.colour != new.colour:
            return False
        if added.tiles:
            return new.id in added.tiles
        return added.label in labels if added.label else not labels

    fitting = [added for added in options.added if applies(added)]
    return Changes(
        cities=sum(added.cities for added in fitting),
        towns=sum(added.towns for added in fitting),
        merging=not set(options.merging_labels).isdisjoint(labels),
        merging_towns=new.colour in options.merging_towns,
    )


def turns(old: Form, new: Form, changes: Changes) -> tuple[int, ...]:
    """Return, by rules 3 and 4, the rotations against the old tile at which everything is kept, for
    forms that may follow each other."""
    if not changes.allow(old.counts, new.counts, len(old.growing)):
        return ()
    # Numbers of stops do not depend on rotation, so compare them once, before any track.
    return tuple(turn for turn in EDGES if _keeps_track(old, new, new.turned[turn], changes))


def granted_turns(old: Form, new: Form) -> tuple[int, ...]:
    """Return the rotations of a tile that may replace another by name: those at which it keeps
    everything that leads to edges."""
    return edges_kept(old, new) if new.id in old.granted else ()


def edges_kept(old: Form, new: Form) -> tuple[int, ...]:
    """Return the rotations at which every edge with track keeps it, track to a stop still leads to
    one (if there is any), and connected edges stay connected, even if through a stop."""
    before = old.turned[0]
    kept = []
    for turn, after in enumerate(new.turned):
        joined = after.joined
        for edges in after.stops:
            joined |= _joined_by(edges)
        # A stub only requires some track at its edge, of either gauge.
        used = after.exits | after.exits >> 1
        lost = before.exits & ~after.exits or before.joined & ~joined or old.needed & ~used
        if not lost and not (new.stops and _union(before.stops) & ~_union(after.stops)):
            kept.append(turn)
    return tuple(kept)


def lying(tile: Form, turned: Sequence[int]) -> tuple[int, ...]:
    """Return those of the given rotations that a tile may have on the map: only 0 for a tile with a
    fixed rotation."""
    return tuple(turn for turn in turned if turn == 0 or not tile.fixed)


def colour_index(colour: str, colours: Sequence[str]) -> int:
    """Return the position of a colour in the title's order; any other colour (of special ground)
    counts as the last."""
    return colours.index(colour) if colour in colours else len(colours)


def with_labels(form: Form, hex_labels: Sequence[tuple[str, int]]) -> Form:
    """Return the form of a tile on a hex with labels that it lacks: they count from their colour
    on."""
    texts = {text for text, _ in form.labels}
    more = [label for label in hex_labels if label[0] not in texts]
    return replace(form, labels=tuple(sorted([*form.labels, *more]))) if more else form


def _next_colour(
    tile: Tile, name: str, colours: Sequence[str], options: UpgradeOptions
) -> str | None:
    """Return, by rule 1, the colour after the tile's own; an unlaid hex comes before the first.
    Some ground has its own colour."""
    if not {name, tile.colour}.isdisjoint(options.never_upgraded):
        return None
    kinds = {kind for terrain in tile.terrain for kind in terrain.kinds}
    texts = {label.text for label in tile.labels}
    for ground in options.grounds:
        if tile.colour == UNLAID and not (
            kinds.isdisjoint(ground.terrain) and texts.isdisjoint(ground.labels)
        ):
            return ground.colour
    # Red and other colours that the title does not list are never upgraded, nor is the last colour.
    order = (UNLAID, *colours)
    if tile.colour not in order or tile.colour == order[-1]:
        return None
    following = order[order.index(tile.colour) + 1]
    # A colour reserved for some ground (blue for water) does not follow any other colour.
    return None if following in {ground.colour for ground in options.grounds} else following


class _Track(Struct):
    """A tile's track sorted by what it connects, with its gauges as bits."""

    plain: list[tuple[int, int, int]]
    stops: list[int]
    links: dict[Link, int]
    junction: int
    junction_stops: dict[int, int]


def _track(tile: Tile) -> _Track:
    track = _Track([], [0] * len(tile.stops), {}, 0, {})
    for segment in tile.track:
        # Track ends without a stop mark a port or a border.
        if not segment.is_track or (segment.terminal and not tile.stops):
            continue
        a, b, gauge = segment.a, segment.b, _GAUGE_BITS[segment.gauge]
        # Track has no direction: sort its ends, so that each case occurs once.
        if _RANK[b.kind] < _RANK[a.kind]:
            a, b = b, a
        if b.kind is EndKind.EDGE:
            track.plain.append((a.index, b.index, gauge))
        elif a.kind is EndKind.EDGE and b.kind is EndKind.STOP:
            track.stops[b.index] |= gauge << 2 * a.index
        elif a.kind is EndKind.EDGE:
            track.junction |= gauge << 2 * a.index
        elif b.kind is EndKind.STOP:
            link = (min(a.index, b.index), max(a.index, b.index))
            track.links[link] = track.links.get(link, 0) | gauge
        else:
            track.junction_stops[a.index] = track.junction_stops.get(a.index, 0) | gauge
    return track


def _turned(track: _Track, turn: int) -> Turned:
    junction = _turn_edges(track.junction, turn)
    stops = tuple(_turn_edges(edges, turn) for edges in track.stops)
    exits = junction
    for edges in stops:
        exits |= edges
    joined = _joined_by(junction)
    for a, b, gauge in track.plain:
        first, second = (a + turn) % 6, (b + turn) % 6
        joined |= gauge << _PAIR_BIT[first][second]
        exits |= gauge << 2 * first | gauge << 2 * second
    return Turned(exits=exits, joined=joined, junction=junction, stops=stops)


def _turn_edges(edges: int, turn: int) -> int:
    # Rotate the twelve bits as a ring: bits shifted out at the top re-enter at the bottom.
    return (edges << 2 * turn | edges >> (_EDGE_BITS - 2 * turn)) & _ALL_EDGES


def _joined_by(junction: int) -> int:
    """Return every pair of edges that lead to the junction by track of the same gauge."""
    joined = 0
    for a in EDGES if junction else ():
        for b in range(a + 1, 6):
            joined |= (junction >> 2 * a & junction >> 2 * b & 0b11) << _PAIR_BIT[a][b]
    return joined


def _keeps_track(old: Form, new: Form, after: Turned, changes: Changes) -> bool:
    """Return True by rule 3 at one rotation: every old segment is found on the new tile under some
    assignment of stops."""
    before = old.turned[0]
    # A stub only requires some track at its edge, of either gauge.
    used = after.exits | after.exits >> 1
    if before.exits & ~after.exits or before.joined & ~after.joined or old.needed & ~used:
        return False
    if old.junction_stops and before.junction & ~after.junction:
        return False
    before_stops: Sequence[int] = before.stops
    on_junction, links = dict(old.junction_stops), dict(old.links)
    if old.edges_only:
        # Edges must stay in use, but may lead to another stop than before.
        if _union(before.stops) & ~_union(after.stops):
            return False
        before_stops, on_junction, links = [0] * len(before.stops), {}, {}
    at_junction = dict(new.junction_stops)
    # For each old stop, the new stops of its kind that all of its track still reaches. Most pairs
    # of tiles fail here, before any search.
    candidates = [
        [
            index
            for index, (stop, reached) in enumerate(zip(new.stops, after.stops, strict=True))
            if _succeeds(was, stop, grows=number in old.growing)
            and not before_stops[number] & ~reached
            and not on_junction.get(number, 0) & ~at_junction.get(index, 0)
        ]
        for number, was in enumerate(old.stops)
    ]
    return all(candidates) and is_possible(
        Assignment(
            old=old.stops,
            new=new.stops,
            candidates=candidates,
            links=links,
            new_links=dict(new.links),
            merging=changes.merging_kinds,
            appearing=changes.appearing,
        )
    )


def _union(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _succeeds(was: StopForm, stop: StopForm, *, grows: bool) -> bool:
    """Return True if one stop can follow another: the kind is kept, slots never shrink, a pass
    keeps its size. Halts and towns may follow each other, as maps show both by the same dot; a
    boomtown may become a city."""
    (old_kind, old_slots, old_size), (kind, slots, size) = was, stop
    kept = kind is old_kind or {kind, old_kind} == {StopKind.HALT, StopKind.TOWN}
    return (kept or (grows and kind is StopKind.CITY)) and slots >= old_slots and size == old_size


# Maximum number of stops tried in one search, as the number of assignments is exponential. Tiles of
# real games need a few dozen; beyond this limit the answer is no.
MAX_STEPS = 3000

# Kind, number of slots, and size of a pass.
StopForm = tuple[StopKind, int, int | None]
# Two stops, the lower index first.
Link = tuple[int, int]


class Assignment(Frozen, kw_only=True):
    """Problem of assigning a new stop (by index) to each old one, from its `candidates`.

    Stops of the kinds in `merging` may be assigned the same new one, which then has slots for them
    all; others get different ones. At most `appearing` new stops of each kind may appear. Stops
    that `links` join (with gauges as bits) are assigned stops that `new_links` join, or the same
    one.
    """

    old: Sequence[StopForm]
    new: Sequence[StopForm]
    candidates: Sequence[Sequence[int]]
    links: Mapping[Link, int]
    new_links: Mapping[Link, int]
    merging: frozenset[StopKind]
    appearing: Mapping[StopKind, int]


def is_possible(problem: Assignment) -> bool:
    """Return True if there is such an assignment. At most MAX_STEPS stops are tried."""
    old, new, candidates = problem.old, problem.new, problem.candidates
    neighbours: list[list[tuple[int, int]]] = [[] for _ in old]
    for (a, b), gauges in problem.links.items():
        neighbours[a].append((b, gauges))
        neighbours[b].append((a, gauges))
    # Begin with the stops that have the fewest candidates: a choice is abandoned as soon as slots
    # or links do not fit, so that dead ends show early.
    order = sorted(range(len(old)), key=lambda number: len(candidates[number]))
    chosen: dict[int, int] = {}
    room = [slots for _, slots, _ in new]
    steps = MAX_STEPS

    def appearing_are_allowed() -> bool:
        used = {*chosen.values()}
        unused = Counter(kind for index, (kind, _, _) in enumerate(new) if index not in used)
        return all(count <= problem.appearing.get(kind, 0) for kind, count in unused.items())

    def is_joined(index: int, other: int, gauges: int) -> bool:
        """Return True if a new stop is joined to the one chosen for an old neighbour, is the same,
        or none is chosen yet."""
        there = chosen.get(other)
        if there is None or there == index:
            return True
        link = (min(index, there), max(index, there))
        return not gauges & ~problem.new_links.get(link, 0)

    def extend(depth: int) -> bool:
        """Return True if the stops from this position in the order on can be assigned."""
        nonlocal steps
        if depth == len(order):
            return appearing_are_allowed()
        number = order[depth]
        kind, slots, _ = old[number]
        # Search depth first and check slots and links at each step: there may be hundreds of
        # complete assignments of six stops, and the first wrong choice excludes most of them.
        for index in candidates[number]:
            steps -= 1
            if steps < 0:
                return False
            taken = index in chosen.values()
            if (taken and kind not in problem.merging) or room[index] < slots:
                continue
            if not all(is_joined(index, *neighbour) for neighbour in neighbours[number]):
                continue
            chosen[number] = index
            room[index] -= slots
            if extend(depth + 1):
                return True
            del chosen[number]
            room[index] += slots
        return False

    if len(old) == 1 and not problem.links:
        # By far the most common case: all candidates are equivalent.
        chosen[0] = candidates[0][0]
        return appearing_are_allowed()
    return extend(0)


def successors(before: Tile, after: Tile) -> list[int]:
    """Return, for each stop of a tile, the stop of the next tile that it becomes: the one with all
    of its edges or, if there are several or the stop has no track, the first that is still free.
    Merging stops share one."""
    edges_after = [_edges(after, stop) for stop in range(len(after.stops))]
    chosen = []
    for stop, was in enumerate(before.stops):
        edges = _edges(before, stop)
        kinds = [i for i, now in enumerate(after.stops) if now.kind is was.kind] or [
            *range(len(after.stops))
        ]
        fitting = [i for i in kinds if edges <= edges_after[i]] if edges else kinds
        free = [i for i in fitting if i not in chosen]
        chosen.append((free or fitting or kinds or [0])[0])
    return chosen


def _edges(tile: Tile, stop: int) -> frozenset[int]:
    """Return the edges to which track leads directly from a stop."""
    return frozenset(
        end.index
        for segment in tile.track
        if any(end.kind is EndKind.STOP and end.index == stop for end in segment.ends)
        for end in segment.ends
        if end.kind is EndKind.EDGE
    )
