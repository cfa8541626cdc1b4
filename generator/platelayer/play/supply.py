"""Supply of tiles: which tiles run out, where, and a board that proves it; and the reach of track.

Hexes want tiles, and each tile has the number of copies in the box. The maximum number of hexes
that can have tiles of one kind at once is a maximum flow from hexes (one each) to tiles (their
copies). Its minimum cut gives the hexes and the tiles between which the box is too small.

Each hex can be upgraded to its tile independently, and each upgrade returns the tile that it
replaces. The flow is therefore not only a bound: laying the hexes one after another reaches it,
provided that no tile has two sides. The flow is found by augmenting paths (Ford & Fulkerson 1956;
Kuhn 1955): for some hundred hexes and a dozen tiles, importing a library would take longer than
running these lines.

The reach of track is based on the tiles that may be laid, not on those that are: a hex that is not
reached cannot be reached on any board that the tiles allow. Copies of tiles, money and turns are
ignored, so a hex that is reached here may still be out of reach in play.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import CannotRun, step
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import EDGES, GameMap, MapHex, neighbour, opposite
from platelayer.model.position import Lay, Position
from platelayer.model.tile import WITH_SLOTS, EndKind, StopKind, Tile, rotate_tile
from platelayer.model.title import TileCount, Title
from platelayer.rules.graph import Lie, Rotations, Spot, barred, later, loose_spots, spots, ways

# Copies of an unlimited tile: more than any map has hexes.
UNLIMITED = 10**6

_WORDS = FixedWords("supply")
_SHOWN = ("city", "pass", "town", "halt", "offboard")


class Step(NamedTuple):
    """One tile laid on a hex."""

    hex: str
    lay: Lay


class Bound(Frozen, kw_only=True):
    """Maximum number of hexes that can have a tile of one colour and kind at once.

    `kind` is the content of the tiles ("city", "2 cities, label OO", "track"; "" for all tiles of
    the colour), and `like` is one of them. Of the hexes that `want` a tile, `most` can have one. If
    not all can, the box is too small between the hexes `short` and the `tiles`, of which it has
    `copies` in total. `steps` are lays, in order, to a board on which `most` hexes have one.
    """

    colour: str
    kind: str
    like: Tile | None = None
    want: tuple[str, ...]
    most: int
    short: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    copies: int | None = None
    steps: tuple[Step, ...] = ()

    @property
    def binds(self) -> bool:
        """True if the box has too few tiles."""
        return self.most < len(self.want)

    @property
    def name(self) -> str:
        """Colour and kind, such as "gray: city"."""
        return f"{self.colour}: {self.kind or 'all tiles'}"


class Tightness(Frozen, kw_only=True):
    """Demand for a tile: `hexes` can be upgraded to it; `wanted` of them are expected to take it,
    if all cities and one in `_ON` of the other hexes are upgraded from each colour to the next,
    and each chooses a tile by the number of ways in which it can lie there and by their worth.
    The box has `copies` (None: unlimited). `rank` 1 is the tightest."""

    tile: str
    colour: str
    copies: int | None
    hexes: int
    wanted: float
    rank: int = 0

    @property
    def ratio(self) -> float:
        """Number of hexes that want the tile per copy; 0 if copies are unlimited."""
        return 0.0 if self.copies is None else self.wanted / max(1, self.copies)


class Supply(Frozen, kw_only=True):
    """Supply of the box for a map (None: the map tiles of the title, each hex by itself)."""

    title: str
    variant: str | None
    board: str | None
    bounds: tuple[Bound, ...]
    tiles: tuple[Tightness, ...]
    never: tuple[str, ...]

    @property
    def binding(self) -> tuple[Bound, ...]:
        """Bounds that bind, starting with those that leave the largest share of hexes without a
        tile."""
        tight = [bound for bound in self.bounds if bound.binds]
        return tuple(
            sorted(
                tight, key=lambda bound: (bound.most * 1000 // len(bound.want), -len(bound.want))
            )
        )


class _Want(NamedTuple):
    """A hex, with the tiles to which it can be upgraded and their rotations there."""

    hex: str
    here: Rotations
    spot: Spot | None


def board_of(title: Title, board: str | None) -> GameMap | None:
    """Return the map of a title by its id, by default the first; None for a title of map tiles.
    Raises CannotRun."""
    by_id = {gamemap.id: gamemap for gamemap in title.maps}
    if board is None:
        if not title.maps and title.atlas is None:
            hint = (
                f"; look at a variant: {', '.join(variant.id for variant in title.variants)}"
                if title.variants
                else ""
            )
            raise CannotRun(f"{title.id} defines no map on which its tiles could lie{hint}")
        return title.maps[0] if title.maps else None
    if board not in by_id:
        hint = suggestion(board, by_id, most=3)
        known = ", ".join(gamemap.id for gamemap in title.maps)
        fault = f"map: {title.id} has no map {board!r}; known: {known}"
        raise CannotRun("; ".join(filter(None, (fault, hint))))
    return by_id[board]


def supply_of(title: Title, board: str | None = None) -> Supply:
    """Return the supply of the box for a map of a title. Raises CannotRun for a map that the title
    does not have."""
    gamemap = board_of(title, board)
    stocked = replace(title, tiles=tuple(entry for entry in title.tiles if _copies(title, entry)))
    if gamemap is None:
        wants = [_Want(name, here, None) for name, here in loose_spots(stocked) if here]
    else:
        wants = [
            _Want(spot.hexagon.id, spot.here, spot)
            for spot in spots(stocked)
            if spot.board.id == gamemap.id and spot.here
        ]
    reached = {number for want in wants for number in want.here}
    return Supply(
        title=title.id,
        variant=title.variant,
        board=None if gamemap is None else gamemap.id,
        bounds=tuple(_bounds(stocked, wants)),
        tiles=tuple(_tightness(stocked, wants)),
        never=tuple(entry.tile.id for entry in title.tiles if entry.tile.id not in reached),
    )


def _copies(title: Title, entry: TileCount) -> int:
    """Return the number of copies of a tile. The back of a tile has as many as its front."""
    piece = title.tile_by_id.get(entry.back_of or "", entry)
    return UNLIMITED if piece.unlimited else piece.count


def kind_of(tile: Tile, tongue: Tongue = Tongue()) -> str:  # noqa: B008 - frozen
    """Return the content of a tile in words: "city", "2 cities, label OO", "track"."""
    one, several = _WORDS.table("kinds"), _WORDS.table("several")
    counts = Counter(stop.kind.value for stop in tile.stops)
    parts = [
        tongue.say(several[kind], counts[kind]) if counts[kind] > 1 else tongue.say(one[kind])
        for kind in _SHOWN
        if counts[kind]
    ] or [tongue.say(one["track"])]
    if tile.labels:
        parts.append(tongue.say(_WORDS("labelled"), " ".join(label.text for label in tile.labels)))
    return tongue.say(_WORDS("list")).join(parts)


def _bounds(title: Title, wants: Sequence[_Want]) -> Iterator[Bound]:
    """Yield a bound for each colour and kind of tile, and one for each colour, in order of
    colours."""
    of_kind: dict[tuple[str, str], list[str]] = {}
    for entry in title.tiles:
        tile = entry.tile
        of_kind.setdefault((tile.colour, ""), []).append(tile.id)
        of_kind.setdefault((tile.colour, kind_of(tile)), []).append(tile.id)
    order = {colour: place for place, colour in enumerate(title.colours)}
    paths: dict[str, dict[Lie, Lie | None]] = {}
    for colour, kind in sorted(
        of_kind, key=lambda key: (order.get(key[0], len(order)), key[0], key[1])
    ):
        numbers = of_kind[colour, kind]
        if kind == "" and len({other for c, other in of_kind if c == colour and other}) == 1:
            continue  # all tiles of the colour are of one kind
        step(f"supply of {colour}: {kind or 'all tiles'}")
        bound = _bound(title, wants, (colour, kind), numbers, paths)
        if bound.want:
            yield bound


def _bound(
    title: Title,
    wants: Sequence[_Want],
    which: tuple[str, str],
    numbers: Sequence[str],
    paths: dict[str, dict[Lie, Lie | None]],
) -> Bound:
    # Both sides of a tile use up its copies, so pieces are counted.
    piece = {number: title.tile_by_id[number].back_of or number for number in numbers}
    room = {piece[number]: _copies(title, title.tile_by_id[number]) for number in numbers}
    choices = {
        want.hex: tuple(dict.fromkeys(piece[number] for number in numbers if number in want.here))
        for want in wants
    }
    choices = {hex_id: pieces for hex_id, pieces in choices.items() if pieces}
    matched, short, cut = matching(choices, room)
    like = title.tile_by_id[numbers[0]].tile if which[1] else None
    bound = Bound(colour=which[0], kind=which[1], like=like, want=tuple(choices), most=len(matched))
    by_hex = {want.hex: want for want in wants}
    steps: list[Step] = []
    for hex_id, taken in matched.items():
        want = by_hex[hex_id]
        if want.spot is not None:
            number = next(n for n in numbers if piece[n] == taken and n in want.here)
            if hex_id not in paths:
                paths[hex_id] = ways(title, want.spot)
            steps += _path(hex_id, (number, want.here[number][0]), paths[hex_id])
    if not bound.binds:
        return replace(bound, steps=tuple(steps))
    return replace(
        bound,
        short=short,
        tiles=cut,
        copies=sum(room[number] for number in cut),
        steps=tuple(steps),
    )


def _path(hex_id: str, last: Lie, before: Mapping[Lie, Lie | None]) -> Iterator[Step]:
    chain = []
    lie: Lie | None = last
    while lie is not None:
        chain.append(lie)
        lie = before[lie]
    for number, turn in reversed(chain):
        yield Step(hex_id, Lay(number, turn))


def matching(
    choices: Mapping[str, Sequence[str]], room: Mapping[str, int]
) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """Give as many hexes as possible one of their tiles, using no tile more often than its `room`
    allows. Return the tile of each hex that gets one, and the minimum cut: the hexes that
    compete and the tiles for which they compete (both empty if every hex has one)."""
    taken = {}
    holders: dict[str, list[str]] = {number: [] for number in room}

    def give(hex_id: str, seen: set[str]) -> bool:
        """Give a hex a tile, moving other hexes to other tiles if needed; False if that is
        impossible."""
        for number in choices[hex_id]:
            if number in seen:
                continue
            seen.add(number)
            if len(holders[number]) < room[number]:
                holders[number].append(hex_id)
                taken[hex_id] = number
                return True
            # A tile without free copies becomes available if one of its holders can take another
            # tile; `seen` prevents a search from trying the same tile twice.
            for other in holders[number]:
                if give(other, seen):
                    holders[number].remove(other)
                    holders[number].append(hex_id)
                    taken[hex_id] = number
                    return True
        return False

    without = [hex_id for hex_id in choices if not give(hex_id, set())]
    # The minimum cut: from the hexes without a tile to the tiles that they want, to the holders of
    # those tiles, and on to the tiles that these want. None of these holders can move, otherwise
    # the search would have found it.
    short, cut = dict.fromkeys(without), dict[str, None]()
    for hex_id in (waiting := [*without]):
        for number in choices[hex_id]:
            if number not in cut:
                cut[number] = None
                more = [other for other in holders[number] if other not in short]
                short |= dict.fromkeys(more)
                waiting += more
    return (
        {hex_id: taken[hex_id] for hex_id in choices if hex_id in taken},
        tuple(hex_id for hex_id in choices if hex_id in short),
        tuple(number for number in room if number in cut),
    )


def _tightness(title: Title, wants: Iterable[_Want]) -> Iterator[Tightness]:
    """Yield every tile to which some hex can be upgraded, the tightest first."""
    colour = {entry.tile.id: entry.tile.colour for entry in title.tiles}
    share = Counter[str]()
    hexes = Counter[str]()
    order = {name: place for place, name in enumerate(title.colours)}
    worth = {entry.tile.id: _worth(entry.tile) for entry in title.tiles}
    served = {entry.tile.id for entry in title.tiles if entry.tile.stops_of(*WITH_SLOTS)}
    for want in wants:
        weight = {number: len(turned) * worth[number] for number, turned in want.here.items()}
        of_colour = Counter[str]()
        for number, heavy in weight.items():
            of_colour[colour[number]] += heavy
        for number, heavy in weight.items():
            hexes[number] += 1
            steps = 0 if number in served else order.get(colour[number], 0)
            share[number] += _FINE * heavy // of_colour[colour[number]] // _ON**steps
    rows = []
    for entry in title.tiles:
        number = entry.tile.id
        if hexes[number]:
            copies = _copies(title, entry)
            row = Tightness(
                tile=number,
                colour=colour[number],
                copies=None if copies == UNLIMITED else copies,
                hexes=hexes[number],
                wanted=round(share[number] / _FINE, 3),
            )
            rows.append(row)
    rows.sort(key=lambda row: -row.ratio)
    for rank, row in enumerate(rows, 1):
        yield replace(row, rank=rank)


# Shares are counted in such parts of a hex, as whole numbers add up identically on all machines.
_FINE = 5**12
# A hex with a city is upgraded from each colour to the next; of this number of other hexes, one is.
# In the recorded games of 2026, 0.49, 0.53 and 0.38 of the hexes that could have a yellow, green or
# brown city had one at once, 0.45, 0.27 and 0.05 a town, 0.17, 0.13 and 0.04 plain track.
_ON = 5
# Worth of track between two edges, by their distance: 20 times the share of the shortest ways
# between the two hexes beyond these edges that lead through this hex. None does if the two hexes
# are adjacent, the only one does if they are opposite, otherwise one of two.
_WORTH = {0: 0, 1: 0, 2: 10, 3: 20}


def _worth(tile: Tile) -> int:
    """Return the worth of a tile's track to trains that pass through. Track that only ends there
    counts a little."""
    pairs = (
        (a, b)
        for edges, _ in joined_by(tile, ())
        for a in EDGES
        for b in range(a)
        if edges >> a & edges >> b & 1
    )
    return 1 + sum(_WORTH[min(a - b, 6 - a + b)] for a, b in pairs)


def witness(title: Title, supply: Supply, bound: Bound) -> Position:
    """Return the board on which a bound is reached, as a position."""
    lying = {step.hex: step.lay for step in bound.steps}
    return Position(
        title=title.id,
        variant=title.variant,
        board=supply.board,
        tiles=tuple(sorted(lying.items())),
    )


class Use(Frozen, kw_only=True):
    """Use of the box in recorded games: tiles that ran out in at least one game, and tiles that no
    game used; and Spearman's rank correlation of use (the largest share of a tile's copies on
    the map at once, averaged over games) with the rank of tightness, and with the number of
    copies alone (fewest first)."""

    games: int
    tiles: int
    ran_out: tuple[str, ...]
    unused: tuple[str, ...]
    by_tightness: float
    by_counts: float


def use_of(supply: Supply, peaks: Sequence[Mapping[str, int]]) -> Use:
    """Return the use of tiles with a limited number of copies, given the maximum number of copies
    on the map at once in each game."""
    rows = [row for row in supply.tiles if row.copies]
    shares = [
        math.fsum(min(1.0, peak.get(row.tile, 0) / (row.copies or 1)) for peak in peaks)
        for row in rows
    ]
    out = [any(peak.get(row.tile, 0) >= (row.copies or 1) for peak in peaks) for row in rows]
    return Use(
        games=len(peaks),
        tiles=len(rows),
        ran_out=tuple(row.tile for row, gone in zip(rows, out, strict=True) if gone),
        unused=tuple(row.tile for row, share in zip(rows, shares, strict=True) if not share),
        by_tightness=round(spearman([row.ratio for row in rows], shares), 4),
        by_counts=round(spearman([-(row.copies or 0) for row in rows], shares), 4),
    )


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Return Spearman's rank correlation of two lists, where ties share their mean rank; 0 if
    either list does not vary."""
    try:
        return statistics.correlation(_ranks(a), _ranks(b))
    except statistics.StatisticsError:
        return 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: place for place, value in reversed([*enumerate(ordered, 1)])}
    last = {value: place for place, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]


class Passable(NamedTuple):
    """Track that a hex can ever have, as bits. `through` has six bits for each edge: the edges to
    which track from there can lead, including itself; `around` the edges to which it can lead
    without passing a city. `stops` are the edges from which a stop can be reached, `cities`
    those from which a city can be reached."""

    through: int = 0
    around: int = 0
    stops: int = 0
    cities: int = 0

    def leads(self, edge: int, *, full: bool = False) -> int:
        """Return the edges to which track from an edge can lead, as bits; if cities are `full`,
        without passing one."""
        return (self.around if full else self.through) >> 6 * edge & 0b111111

    def opens(self, edge: int) -> bool:
        """Return True if track can lead to this edge."""
        return self.leads(edge) != 0


class PhaseReach(Frozen, kw_only=True):
    """Hexes that trains can reach from the homes with the tile colours of a phase: those with
    track, those with stops, and the hexes with stops that they cannot reach."""

    phase: str
    colours: tuple[str, ...]
    hexes: tuple[str, ...]
    stops: tuple[str, ...]
    missed: tuple[str, ...]


class Cut(Frozen, kw_only=True):
    """A city that divides the map for other companies when all its slots are taken, and the hexes
    with stops on the smaller side."""

    hex: str
    beyond: tuple[str, ...]


class WalledIn(Frozen, kw_only=True):
    """A home that a single lay can close for good: the company, its home, the only adjacent hex to
    which track can lead, and the tile laid there."""

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
    """Return hexes with stops together with the other hexes of their groups, such as an off-board
    of several hexes."""
    of_hex = {
        h.id: {group for stop in h.tile.stops for group in stop.groups} for h in gamemap.hexes
    }
    groups = set().union(*(of_hex[hex_id] for hex_id in sorted(stops)))
    return stops | {hex_id for hex_id, own in of_hex.items() if own & groups}


def _has_stop(hexagon: MapHex) -> bool:
    return any(not stop.hidden for stop in hexagon.tile.stops)


class _Tracks:
    """Track of a title's tiles in all rotations in which they can lie."""

    def __init__(self, title: Title) -> None:
        self._title = title
        self._known: dict[Lie, Passable] = {}

    def of(self, hexagon: MapHex, spot: Spot | None, allowed: set[str]) -> Passable:
        """Return all track that can lie on a hex with tiles of the `allowed` colours."""
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
    """Return, for each edge of a group, all edges of the group: six bits for each edge."""
    bits = 0
    for edges, _ in groups:
        for edge in EDGES:
            if edges >> edge & 1:
                bits |= edges << 6 * edge
    return bits


# Track at an edge of a hex.
Node = tuple[str, int]


def _beyond(gamemap: GameMap, graph: dict[str, Passable], node: Node) -> Node | None:
    """Return the other side of an edge; None if track cannot cross it."""
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
    """Return all track that trains can reach from `starts`, passing every city except that of the
    hex `full`."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    # The list grows during iteration: breadth first, each node once.
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
    """Yield cities that divide stops that are otherwise connected to each other."""

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
        # If a full city divides the others, any one of them is cut off from some of the rest, so
        # testing one is enough.
        reached = side(others[0], hex_id)
        near = [other for other in others if other in reached]
        far = [other for other in others if other not in reached]
        if far:
            yield Cut(hex=hex_id, beyond=tuple(far if len(far) <= len(near) else near))


def _walled_in(
    title: Title, gamemap: GameMap, graph: dict[str, Passable], here: dict[str, Spot]
) -> Iterator[WalledIn]:
    """Yield homes with one way out where a first tile on the hex beyond can never lead back."""
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
    """Return the groups that track joins without passing the stops `barring`: the edges of each, as
    bits, and its stops."""
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
