"""Track that can ever be laid on a map: hexes that no train will reach, cities that can cut it,
homes that can be walled in.

All of it is about tiles that may be laid, not about those that are: a hex that is not reached can
be reached on no board that the tiles allow. Copies of tiles, money and turns are left out, so a hex
that is reached here may still be out of reach in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from platelayer.foundation.problems import step
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import EDGES, GameMap, MapHex, neighbour, opposite
from platelayer.model.tile import WITH_SLOTS, EndKind, StopKind, Tile, rotate_tile
from platelayer.model.title import Title
from platelayer.rules.graph import Lie, Spot, barred, later, spots


class Passable(NamedTuple):
    """Track that a hex can ever have, as bits. `through` has six for each edge: the edges that
    track from there can lead to, itself among them; `around` those to which it can without a city
    on the way. `stops` are the edges from which a stop can be reached, `cities` those from which a
    city can."""

    through: int = 0
    around: int = 0
    stops: int = 0
    cities: int = 0

    def leads(self, edge: int, *, full: bool = False) -> int:
        """The edges to which track from an edge can lead; `full`: past cities alone."""
        return (self.around if full else self.through) >> 6 * edge & 0b111111

    def opens(self, edge: int) -> bool:
        """Track can lead to this edge."""
        return self.leads(edge) != 0


class PhaseReach(Frozen, kw_only=True):
    """Hexes that trains can reach from the homes with the tile colours of a phase: those with
    track, those of them with stops, and hexes with stops that they cannot reach."""

    phase: str
    colours: tuple[str, ...]
    hexes: tuple[str, ...]
    stops: tuple[str, ...]
    missed: tuple[str, ...]


class Cut(Frozen, kw_only=True):
    """A city that divides the map for others when all of its slots are taken: the stops on the
    smaller side."""

    hex: str
    beyond: tuple[str, ...]


class WalledIn(Frozen, kw_only=True):
    """A home that one lay can close for good: the company, its hex, and the tile on the only hex
    beside it."""

    company: str
    home: str
    hex: str
    lay: str


class Reach(Frozen, kw_only=True):
    """Track that can ever be laid on a map. `never` are hexes on which no train will ever run."""

    phases: tuple[PhaseReach, ...]
    never: tuple[str, ...]
    cuts: tuple[Cut, ...]
    walled_in: tuple[WalledIn, ...]


def reach_of(title: Title, gamemap: GameMap) -> Reach:
    """Return the reach of track on a map of a title, phase by phase."""
    here = {spot.hexagon.id: spot for spot in spots(title) if spot.board.id == gamemap.id}
    tracks = _Tracks(title)
    phases = []
    last: tuple[str, ...] | None = None
    grounds = tuple(ground.colour for ground in title.upgrades.grounds)
    graph = {}
    for name, colours in [(phase.id, phase.tiles) for phase in title.phases] or [
        ("", title.colours)
    ]:
        if colours == last:
            continue
        last = colours
        step(f"reach of track in phase {name or 1}")
        allowed = {*colours, *grounds}
        graph = {h.id: tracks.of(h, here.get(h.id), allowed) for h in gamemap.hexes}
        # Track at the homes of companies; at all cities, if they have none.
        homes = [
            home.hex for company in title.companies if company.has_charter for home in company.homes
        ]
        known = [hex_id for hex_id in dict.fromkeys(homes) if hex_id in graph] or [
            h.id for h in gamemap.hexes
        ]
        starts = [
            (hex_id, edge) for hex_id in known for edge in EDGES if graph[hex_id].cities >> edge & 1
        ]
        found = _spread(gamemap, graph, starts)
        touched = {hex_id for hex_id, _ in found}
        with_stops = [h.id for h in gamemap.hexes if _has_stop(h)]
        stops = _with_their_groups(
            gamemap, {hex_id for hex_id, edge in found if graph[hex_id].stops >> edge & 1}
        )
        touched |= stops
        phases.append(
            PhaseReach(
                phase=name,
                colours=tuple(colours),
                hexes=tuple(h.id for h in gamemap.hexes if h.id in touched),
                stops=tuple(hex_id for hex_id in with_stops if hex_id in stops),
                missed=tuple(hex_id for hex_id in with_stops if hex_id not in stops),
            )
        )
    reached = {hex_id for phase in phases for hex_id in phase.hexes}
    land = [h for h in gamemap.hexes if h.id in here or h.tile.exits or _has_stop(h)]
    return Reach(
        phases=tuple(phases),
        never=tuple(h.id for h in land if h.id not in reached),
        cuts=tuple(_cuts(gamemap, graph, phases[-1].stops)),
        walled_in=tuple(_walled_in(title, gamemap, graph, here)),
    )


def _with_their_groups(gamemap: GameMap, stops: set[str]) -> set[str]:
    """Hexes with stops, and the others of the same places, such as an off-board of several
    hexes."""
    of_hex = {
        h.id: {group for stop in h.tile.stops for group in stop.groups} for h in gamemap.hexes
    }
    groups = set().union(*(of_hex[hex_id] for hex_id in sorted(stops)))
    return stops | {hex_id for hex_id, own in of_hex.items() if own & groups}


def _has_stop(hexagon: MapHex) -> bool:
    return any(not stop.hidden for stop in hexagon.tile.stops)


class _Tracks:
    """Track of the tiles of a title, in all rotations in which they can lie."""

    def __init__(self, title: Title) -> None:
        self._title = title
        self._known: dict[Lie, Passable] = {}

    def of(self, hexagon: MapHex, spot: Spot | None, allowed: set[str]) -> Passable:
        """All that can lie on a hex, with tiles of some colours."""
        through, around, stops, cities = _let_through(hexagon.tile)
        for number, turns in spot.here.items() if spot else ():
            tile = self._title.tile_by_id[number].tile
            if tile.colour not in allowed:
                continue
            for turn in turns:
                known = self._known.get((number, turn))
                if known is None:
                    known = self._known[number, turn] = _let_through(rotate_tile(tile, turn))
                through |= known.through
                around |= known.around
                stops |= known.stops
                cities |= known.cities
        return Passable(through, around, stops, cities)


def _let_through(tile: Tile) -> Passable:
    """Return the track of one tile. Track ends at an off-board."""
    cities = [index for index, stop in enumerate(tile.stops) if stop.kind in WITH_SLOTS]
    ending = [index for index, stop in enumerate(tile.stops) if stop.kind is StopKind.OFFBOARD]
    by_stop, by_city = 0, 0
    for edges, stops in joined_by(tile, ()):
        by_stop |= edges if stops else 0
        by_city |= edges if not stops.isdisjoint(cities) else 0
    own = sum(1 << 7 * edge for edge in tile.exits)
    return Passable(
        through=own | _pairs(joined_by(tile, ending)),
        around=_pairs(joined_by(tile, [*ending, *cities])),
        stops=by_stop,
        cities=by_city,
    )


def _pairs(groups: Iterable[tuple[int, set[int]]]) -> int:
    """For each edge of a group, the edges of it, six bits each."""
    bits = 0
    for edges, _ in groups:
        for edge in EDGES:
            if edges >> edge & 1:
                bits |= edges << 6 * edge
    return bits


# Track at an edge of a hex.
Node = tuple[str, int]


def _beyond(gamemap: GameMap, graph: dict[str, Passable], node: Node) -> Node | None:
    """The other side of an edge, if track can cross it."""
    hex_id, edge = node
    hexagon = gamemap.by_id[hex_id]
    other = gamemap.by_coord.get(neighbour(hexagon.at, edge, gamemap.layout))
    back = opposite(edge)
    if (
        other is None
        or barred(hexagon, edge)
        or barred(other, back)
        or not graph[other.id].opens(back)
    ):
        return None
    return other.id, back


def _spread(
    gamemap: GameMap, graph: dict[str, Passable], starts: Sequence[Node], full: str | None = None
) -> dict[Node, None]:
    """All track that trains get to, through every city but a `full` one."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    # The list grows while it is walked: breadth first, each node once.
    for node in waiting:
        beyond = _beyond(gamemap, graph, node)
        if beyond is None:
            continue
        hex_id, edge = beyond
        entry = graph[hex_id]
        bits = entry.leads(edge, full=hex_id == full) | 1 << edge
        for to in EDGES:
            if bits >> to & 1 and (hex_id, to) not in found:
                found[hex_id, to] = None
                waiting.append((hex_id, to))
    return found


def _cuts(gamemap: GameMap, graph: dict[str, Passable], stops: Sequence[str]) -> Iterator[Cut]:
    """Cities that divide what hangs together without them; islands apart from it are no matter of
    theirs."""

    def side(start: str, full: str | None) -> set[str]:
        edges = [(start, edge) for edge in EDGES if graph[start].stops >> edge & 1]
        found = _spread(gamemap, graph, edges, full)
        return {start} | {other for other, edge in found if graph[other].stops >> edge & 1}

    whole: dict[str, set[str]] = {}
    for hex_id in stops:
        if hex_id not in whole:
            together = side(hex_id, None)
            whole |= dict.fromkeys(together, together)
    for hex_id in stops:
        others = [other for other in stops if other != hex_id and other in whole[hex_id]]
        if not graph[hex_id].cities or not others:
            continue
        # If the city is full, one of the others no longer gets to the rest: whichever is asked, the
        # city parts them.
        reached = side(others[0], hex_id)
        near = [other for other in others if other in reached]
        far = [other for other in others if other not in reached]
        if far:
            yield Cut(hex=hex_id, beyond=tuple(far if len(far) <= len(near) else near))


def _walled_in(
    title: Title, gamemap: GameMap, graph: dict[str, Passable], here: dict[str, Spot]
) -> Iterator[WalledIn]:
    """Homes with one way out, and a first tile on the hex there that never leads back."""
    for company in title.companies:
        for home in company.homes if company.has_charter else ():
            if home.hex not in graph:
                continue
            out = [
                beyond
                for edge in EDGES
                if graph[home.hex].cities >> edge & 1
                and (beyond := _beyond(gamemap, graph, (home.hex, edge))) is not None
            ]
            if len(out) != 1:
                continue
            ((hex_id, back),) = out
            spot = here.get(hex_id)
            if spot is None or back in spot.hexagon.tile.exits:
                continue
            for number, turns in spot.first.items():
                closing = [
                    turn
                    for turn in turns
                    if turn in spot.here.get(number, ())
                    and not later(title, spot, (number, turn)) >> back & 1
                ]
                if closing:
                    yield WalledIn(
                        company=company.id, home=home.hex, hex=hex_id, lay=f"{number} {closing[0]}"
                    )
                    break


def joined_by(tile: Tile, barring: Sequence[int]) -> list[tuple[int, set[int]]]:
    """Return the groups that track joins without passing some stops: the edges of each, as bits,
    and its stops."""
    groups: list[set[tuple[EndKind, int]]] = []
    for segment in tile.track:
        ends = {(end.kind, end.index) for end in segment.ends}
        if not segment.is_track or any((EndKind.STOP, index) in ends for index in barring):
            continue
        # A segment joins all groups that it touches into one.
        meeting = [group for group in groups if group & ends]
        groups = [group for group in groups if group not in meeting]
        groups.append(ends.union(*meeting))
    return [
        (
            sum(1 << index for kind, index in group if kind is EndKind.EDGE),
            {index for kind, index in group if kind is EndKind.STOP},
        )
        for group in groups
    ]
