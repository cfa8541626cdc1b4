"""The independent check of maps, and the land that it and the measures see.

The check shares only the types and the geometry of the model with the assembler: it replays the
draws from the rules alone. A hex is a single whole number, `key_of`, so that finding a neighbour
takes one addition. Triangles of places are of two kinds, "up" with corners x, x + east,
x + south-east and "down"; each is stored with what a tile in it would touch, and only triangles
near a new tile are updated.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.atlas.report import companies_in_play
from platelayer.foundation.problems import Problem, Problems
from platelayer.foundation.text import counted
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    HAND,
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    Mode,
    ProjectDraw,
    TileDraw,
    axial_name,
    hex_topology,
    turned,
)
from platelayer.model.tile import Stop, StopKind, Tile

# Distance from the first tile beyond which a tile cannot be connected to it through other tiles of
# a box, in hexes.
FAR = 1000


def check_log(
    box: AtlasBox,
    log: AtlasLog,
    *,
    name: Callable[[Axial], str] = axial_name,
    finished: bool = True,
) -> tuple[Problem, ...]:
    """Check a map; the problems are in the order of the file, and none if the rules can give it.

    A map from a table (`algorithm` "hand") need not have its draws in order: some order must exist
    in which every tile touches those before it, and projects are only counted. `name` names hexes
    in messages. A map that is not `finished` may lack tiles, capitals and blanks.
    """
    mode = box.mode_by_id.get(log.mode)
    if mode is None:
        known = ", ".join(box.mode_by_id)
        message = f"there is no mode {log.mode!r}; modes are {known}"
        return (Problem("AT01", message, pointer="/mode"),)
    return tuple(_Check(box, mode, log, name, finished=finished).run())


class _Check:
    """Rules for one log; `pointers` are those of its draws, by identity, since equal draws may be
    listed twice."""

    def __init__(
        self,
        box: AtlasBox,
        mode: Mode,
        log: AtlasLog,
        name: Callable[[Axial], str],
        *,
        finished: bool,
    ) -> None:
        self.box, self.mode, self.log = box, mode, log
        self.name, self.finished = name, finished
        self.pointers = {id(draw): f"/draws/{index}" for index, draw in enumerate(log.draws)}
        self.by_hand = log.algorithm == HAND
        self.land = Land()

    def run(self) -> Problems:
        """All rules in turn."""
        yield from self.numbers()
        yield from self.supply()
        yield from self.stack()
        if self.by_hand:
            yield from self.lay_in_some_order()
            yield from self.count_projects()
        else:
            yield from self.pile()
            yield from self.replay()
        yield from self.whole()
        if self.finished:
            yield from self.blanks()

    def problem(self, code: str, draw: Draw, message: str, hint: str = "") -> Problem:
        """Problem of one draw."""
        piece = (
            f"tile {draw.tile}"
            if isinstance(draw, TileDraw)
            else f"capital project {draw.capital_project}"
        )
        words = f"draw {draw.draw}, {piece}: {message}"
        return Problem(code, words, hint, pointer=self.pointers[id(draw)])

    # Contents of the pile

    def numbers(self) -> Problems:
        """AT19, AT05: numbers of draws, and rotations."""
        for expected, draw in enumerate(self.log.draws, start=1):
            if draw.draw != expected and not self.by_hand:
                yield self.problem("AT19", draw, f"this is draw {expected} of the file")
            if isinstance(draw, TileDraw) and draw.rotation not in range(6):
                yield self.problem(
                    "AT05", draw, f"rotation {draw.rotation}; only 0 to 5 are allowed"
                )

    def supply(self) -> Problems:
        """AT02, AT03, AT04: tiles and copies."""
        seen: Counter[tuple[int, int]] = Counter()
        removed = dict(self.mode.removed)
        in_play = {
            tile.number: tile.copies - removed.get(tile.number, 0) for tile in self.box.map_tiles
        }
        for draw in self.log.placed:
            copies = in_play.get(draw.tile, 0)
            if draw.tile not in in_play:
                yield self.problem("AT02", draw, "the box has no such map tile")
            elif not copies:
                yield self.problem(
                    "AT02", draw, f"this tile stays in the box in mode {self.mode.id}"
                )
            elif not 1 <= draw.copy <= copies:
                message = f"copy {draw.copy}; mode {self.mode.id} has {copies} of this tile, copies 1 to {copies}"
                yield self.problem("AT02", draw, message)
            elif seen[draw.tile, draw.copy]:
                yield self.problem("AT03", draw, f"copy {draw.copy} has already been laid")
            seen[draw.tile, draw.copy] += 1
        if not self.mode.stacks and self.finished:
            left = [
                f"{number}" if count == 1 else f"{number} (copy {copy})"
                for number, count in in_play.items()
                for copy in range(1, count + 1)
                if not seen[number, copy]
            ]
            if left:
                message = f"map tiles never laid: {', '.join(left)}"
                yield Problem("AT04", message, pointer="/draws")

    def stack(self) -> Problems:
        """AT15: the stack of a micro game."""
        mode, stack = self.mode, self.log.stack
        if stack is not None and not 1 <= stack <= mode.stacks:
            none = f"mode {mode.id} has no stacks"
            allowed = f"1 to {mode.stacks} are allowed" if mode.stacks else none
            yield Problem("AT15", f"stack {stack}; {allowed}", pointer="/stack")
        if not mode.stacks:
            return
        if stack is None and not self.by_hand:
            message = (
                f"mode {mode.id} uses one of {mode.stacks} stacks; the file does not say which"
            )
            yield Problem("AT15", message, pointer="")
        dealt = Counter(
            mode.deals_as_home(self.box.tile_by_number[draw.tile]) for draw in self.known()
        )
        homes = "tiles with homes"
        if mode.stack_homes:
            homes += f" and {', '.join(map(str, mode.stack_homes))}"
        for kind, words, wanted in (
            (True, homes, mode.homes_per_stack),
            (False, "other tiles", mode.tiles_used - mode.homes_per_stack),
        ):
            if dealt[kind] > wanted or (self.finished and dealt[kind] != wanted):
                message = f"{words}: {dealt[kind]}; a stack of mode {mode.id} has {wanted}"
                yield Problem("AT15", message, pointer="/draws")

    def known(self) -> Iterable[TileDraw]:
        """Draws of tiles that the box has."""
        return (draw for draw in self.log.placed if draw.tile in self.box.tile_by_number)

    def pile(self) -> Problems:
        """AT11: each piece once from the top, then deferred projects as they went to the bottom."""
        size = self.mode.tiles_used
        if not size:
            removed = sum(copies for _, copies in self.mode.removed)
            size = sum(tile.copies for tile in self.box.map_tiles) - removed
        # In the first round each piece comes up once. Later pieces can only be projects that were
        # put to the bottom, in that order.
        first_round = size + self.mode.capital_projects
        bottom: deque[int] = deque()
        seen = set()
        for index, draw in enumerate(self.log.draws):
            if isinstance(draw, TileDraw):
                if index >= first_round:
                    message = f"the pile has {first_round} pieces; after those only deferred projects come up"
                    yield self.problem("AT11", draw, message)
                continue
            number = draw.capital_project
            if index < first_round:
                if number in seen:
                    message = f"it can come up again only after all {first_round} pieces of the pile have been drawn"
                    yield self.problem("AT11", draw, message)
            elif not bottom:
                yield self.problem("AT11", draw, "the pile is empty")
            elif draw.overlay_at is None:
                message = (
                    "only projects were left in the pile: this one comes up once a city is free"
                )
                yield self.problem("AT11", draw, message)
            elif (due := bottom.popleft()) != number:
                message = f"capital project {due} is next from the bottom of the pile"
                yield self.problem("AT11", draw, message)
            seen.add(number)
            if draw.overlay_at is None:
                bottom.append(number)

    # Laying

    def replay(self) -> Problems:
        """AT06 to AT10, AT12, AT18: draw by draw."""
        cities: dict[Axial, bool] = {}  # cities without overlay laid so far; True if they have one
        laid: set[int] = set()
        drawn = set()
        sound = True
        for draw in self.log.draws:
            if isinstance(draw, ProjectDraw):
                yield from self.lay_overlay(draw, cities, laid)
                drawn.add(draw.capital_project)
                continue
            if (tile := self.box.tile_by_number.get(draw.tile)) is None:
                sound = False
                continue
            problems = list(self.lay_tile(draw, tile, count=sound))
            # After an illegal tile, the number of places for the next one is undefined: otherwise
            # one mistake would be reported again for each later tile.
            sound = sound and all(problem.code == "AT18" for problem in problems)
            yield from problems
            cities |= {
                place: False
                for place, hexagon in self.box.laid(draw)
                if hexagon.ground is Ground.CITY
            }
        wanted = self.mode.capital_projects
        if len(drawn) != wanted:
            message = f"{len(drawn)} capital projects were drawn; mode {self.mode.id} has {wanted}"
            yield Problem("AT12", message, pointer="/draws")
        free = sum(not taken for taken in cities.values())
        if free and (left := sorted(drawn - laid)):
            names = ", ".join(map(str, left))
            message = f"capital project {names} was never laid, although {free} basic cities could take it"
            yield Problem("AT12", message, pointer="/draws")

    def lay_tile(self, draw: TileDraw, tile: MapTile, *, count: bool) -> Problems:
        """AT06, AT07, AT08, AT18: one tile, laid even with problems; with `count`, also the number
        of its alternatives."""
        places = draw.hexes
        land = self.land
        if land.first is not None and draw.at.steps_to(land.first) > FAR:
            yield self.problem("AT07", draw, f"{self.name(draw.at)} is far from everything else")
            return
        keys = [key_of(place) for place in places]
        borders = tuple(hexagon.ground is Ground.BORDER for hexagon in tile.hexes)
        if count:
            wanted = land.alternatives(tile)
            if draw.alternatives != wanted:
                message = f"{draw.alternatives} alternatives; by the rules there should be {wanted}"
                yield self.problem("AT18", draw, message)
        if covered := [place for place, key in zip(places, keys, strict=True) if key in land.owner]:
            others = ", ".join(
                f"{self.name(place)} of tile {land.owner[key_of(place)]}" for place in covered
            )
            yield self.problem("AT06", draw, f"lies on {others}")
        contact = sum(land.contact(key) for key in keys)
        if contact < MIN_CONTACT and land.owner:
            message = (
                f"touches earlier tiles along {contact} edges; at least {MIN_CONTACT} are needed"
            )
            yield self.problem("AT07", draw, message)
        for place, key, is_border in zip(places, keys, borders, strict=True):
            if is_border and (touched := land.contact(key)):
                hexes = counted(touched, "hex", "hexes")
                message = f"its border at {self.name(place)} touches {hexes} of other tiles; it may touch none"
                yield self.problem("AT08", draw, message)
            if near := land.borders_beside(key):
                numbers = ", ".join(f"tile {number}" for number in near)
                message = f"{self.name(place)} touches the border of {numbers}"
                yield self.problem("AT08", draw, message)
        land.lay(draw.tile, places, borders)

    def lay_overlay(self, draw: ProjectDraw, cities: dict[Axial, bool], laid: set[int]) -> Problems:
        """AT09, AT10, AT12: one project, whose overlay is then laid."""
        number, place = draw.capital_project, draw.overlay_at
        in_play = self.mode.capital_projects * max(1, self.mode.stacks)
        in_play = min(self.box.capital_projects, in_play)
        if not 1 <= number <= in_play:
            message = f"mode {self.mode.id} has capital projects 1 to {in_play}"
            yield self.problem("AT12", draw, message)
        if number in laid:
            yield self.problem("AT12", draw, "its overlay has already been laid")
        free = [city for city, taken in cities.items() if not taken]
        if place is None:
            if free:
                message = (
                    f"{len(free)} basic cities could take it, for example {self.name(free[0])}"
                )
                yield self.problem("AT10", draw, message)
            return
        hint = "no basic city is free: the project is deferred"
        if free:
            hint = f"free: {', '.join(map(self.name, free))}"
        if place not in cities:
            message = f"{self.name(place)} is not a basic city of an earlier tile"
            yield self.problem("AT09", draw, message, hint)
        elif cities[place]:
            yield self.problem("AT09", draw, f"{self.name(place)} already has an overlay", hint)
        else:
            cities[place] = True
        laid.add(number)

    # Maps typed in by hand

    def lay_in_some_order(self) -> Problems:
        """AT06, AT07, AT08 for a map whose order of draws is unknown.

        What a tile may touch only grows as others are laid, so laying whatever can be laid until
        nothing can finds an order from a given first tile if there is one; every tile is tried as
        the first.
        """
        draws = [draw for draw in self.known() if draw.rotation in range(6)]
        # As the order is unknown, a tile listed before its neighbours touches nothing yet. So
        # contacts are checked at the end, over all orders.
        whole = Land()
        for draw in draws:
            if whole.first is not None and draw.at.steps_to(whole.first) > FAR:
                yield self.problem(
                    "AT07", draw, f"{self.name(draw.at)} is far from everything else"
                )
                continue
            self.land = whole
            problems = self.lay_tile(draw, self.box.tile_by_number[draw.tile], count=False)
            yield from (problem for problem in problems if problem.code in {"AT06", "AT08"})
        self.land = whole
        for draw in never_reached(draws):
            message = f"touches other tiles along too few edges in every order; at least {MIN_CONTACT} are needed"
            yield self.problem("AT07", draw, message)

    def count_projects(self) -> Problems:
        """AT09, AT12 for a map whose order of draws is unknown."""
        cities = {
            place: False
            for draw in self.known()
            for place, hexagon in self.box.laid(draw)
            if hexagon.ground is Ground.CITY
        }
        laid: set[int] = set()
        overlays = [
            d for d in self.log.draws if isinstance(d, ProjectDraw) and d.overlay_at is not None
        ]
        for draw in overlays:
            yield from self.lay_overlay(draw, cities, laid)
        wanted = min(self.mode.capital_projects, len(cities))
        if len(overlays) > wanted or (self.finished and len(overlays) != wanted):
            message = (
                f"{len(overlays)} capital overlays; mode {self.mode.id} lays {wanted} on this map"
            )
            yield Problem("AT12", message, pointer="/draws")

    # The finished map

    def whole(self) -> Problems:
        """AT16: one piece."""
        parts = self.land.parts()
        # The smaller part is more likely the one with the typing error.
        if len(parts) > 1:
            smallest = min(parts, key=len)
            numbers = ", ".join(
                str(number) for number in sorted({self.land.owner[key] for key in smallest})
            )
            message = f"the map is in {len(parts)} separate pieces; one of them has tiles {numbers}"
            yield Problem("AT16", message, pointer="/draws")

    def blanks(self) -> Problems:
        """AT13, AT14: blanks on the empty places beside homes."""
        log = self.log
        land = self.land
        places: dict[Axial, None] = {}
        for draw in self.known():
            for home, hexagon in self.box.laid(draw):
                if hexagon.ground is Ground.HOME:
                    near = (home + step for step in NEIGHBOURS)
                    places |= dict.fromkeys(at for at in near if land.takes_blank(key_of(at)))
        seen = set()
        for index, place in enumerate(log.blanks):
            if place in places and place not in seen:
                seen.add(place)
                continue
            key = key_of(place)
            if place in seen:
                reason = "there is one already"
            elif key in land.owner:
                reason = f"tile {land.owner[key]} is there"
            elif borders := land.borders_beside(key):
                reason = f"it touches the border of tile {borders[0]}"
            else:
                reason = "there is no home beside it"
            message = f"a blank at {self.name(place)}: {reason}"
            yield Problem("AT13", message, pointer=f"/blanks/{index}")
        missing = [place for place in places if place not in seen]
        limit = log.blank_limit
        wanted = len(places) if limit is None else min(limit, len(places))
        if len(seen) < wanted:
            names = ", ".join(map(self.name, missing))
            message = f"{counted(len(seen), 'blank')} where there should be {wanted}; empty spaces: {names}"
            yield Problem("AT14", message, pointer="/blanks")
        elif len(seen) > wanted:
            message = f"{counted(len(seen), 'blank')}; the map was made with at most {limit}"
            yield Problem("AT13", message, pointer="/blanks")


def never_reached(draws: Sequence[TileDraw]) -> list[TileDraw]:
    """Return the fewest tiles that no order reaches, whichever tile comes first; none if there is
    an order.

    A tile's contacts only grow as others are laid, so repeatedly laying everything that can be laid
    finds an order from a given first tile if there is one.
    """
    owner = {place: index for index, draw in enumerate(draws) for place in draw.hexes}
    touching: list[Counter[int]] = [Counter() for _ in draws]
    for place, index in owner.items():
        for step in NEIGHBOURS:
            if (other := owner.get(place + step, index)) != index:
                touching[index][other] += 1
    fewest = list(draws)
    for first in range(len(draws)):
        reached, left, laid = {first}, dict.fromkeys(range(len(draws))), [first]
        del left[first]
        while laid:
            laid = [
                index
                for index in left
                if sum(touching[index][other] for other in reached) >= MIN_CONTACT
            ]
            reached.update(laid)
            for index in laid:
                del left[index]
        if len(left) < len(fewest):
            fewest = [draws[index] for index in left]
        if not left:
            break
    return fewest


# Minimum number of edges along which a map tile touches tiles already laid. Source: reference
# facts, assembly rules.
MIN_CONTACT = 3

# More than the distance between any two hexes that are compared.
_ROW = 1 << 13


def key_of(place: Axial) -> int:
    """Return a place as one number."""
    return place.q * _ROW + place.r


_STEPS = tuple(key_of(step) for step in NEIGHBOURS)
# Triangles by their first corner: rotations 0 and 1 of a map tile give the two kinds, and the other
# rotations give the same ones again.
_KINDS = tuple(
    tuple(key_of(turned(corner, rotation)) for corner in CORNERS_OF_TILE) for rotation in (0, 1)
)
_TURNS = (0, 1, 2)


class Land:
    """The hexes of map tiles laid so far. `owner` is the tile number on each."""

    def __init__(self) -> None:
        self.owner: dict[int, int] = {}
        self.first: Axial | None = None
        self._contact: dict[int, int] = {}  # number of laid hexes that each place touches
        self._border: dict[int, int] = {}  # border hexes, with the tile that each belongs to
        self._shut: set[int] = set()  # places that touch a border
        # Triangles for tiles, with a bit for each corner that touches nothing.
        self._open: dict[tuple[int, int], int] = {}
        self._open_by_bits = [0] * 8

    def contact(self, key: int) -> int:
        """Return the number of edges along which a place touches laid hexes."""
        return self._contact.get(key, 0)

    def borders_beside(self, key: int) -> list[int]:
        """Return the numbers of the tiles whose border hexes a place touches."""
        border = self._border
        return (
            [border[key + step] for step in _STEPS if key + step in border]
            if key in self._shut
            else []
        )

    def takes_blank(self, key: int) -> bool:
        """Return True for an empty place that is not beside a border."""
        return key not in self.owner and key not in self._shut

    def lay(self, number: int, places: tuple[Axial, ...], borders: tuple[bool, ...]) -> None:
        """Lay a tile on three places, whether it is allowed there or not."""
        keys = [key_of(place) for place in places]
        if self.first is None:
            self.first = places[0]
        contact = self._contact
        # Covering a hex changes the triangles that contain it, and the contacts of its neighbours
        # change theirs: only these must be updated.
        near = set(keys)
        for key, is_border in zip(keys, borders, strict=True):
            beside = [key + step for step in _STEPS]
            near.update(beside)
            if key not in self.owner:
                for other in beside:
                    contact[other] = contact.get(other, 0) + 1
            self.owner[key] = number
            if is_border:
                self._border[key] = number
                self._shut.update(beside)
        for kind, offsets in enumerate(_KINDS):
            for first in {key - offset for key in near for offset in offsets}:
                self._look_at(first, kind)

    def _look_at(self, first: int, kind: int) -> None:
        """Update whether a triangle is open."""
        if (before := self._open.pop((first, kind), None)) is not None:
            self._open_by_bits[before] -= 1
        total = bits = 0
        for bit, offset in zip((1, 2, 4), _KINDS[kind], strict=True):
            key = first + offset
            if key in self.owner or key in self._shut:
                return
            touched = self._contact.get(key, 0)
            total += touched
            if not touched:
                bits |= bit
        if total >= MIN_CONTACT:
            self._open[first, kind] = bits
            self._open_by_bits[bits] += 1

    def alternatives(self, tile: MapTile) -> int:
        """Return the number of distinct legal placements of a tile; 1 for the first tile of a
        map."""
        if self.first is None:
            return 1
        # Number of distinct ways to lay a tile in a triangle, by the bits of the corners that touch
        # nothing: each border hex of the tile needs such a corner. The three rotations of a tile
        # are all the same, or all different.
        first, second, third = tile.hexes
        alike = first == second == third and first.tile is None
        borders = [corner for corner in _TURNS if tile.hexes[corner].ground is Ground.BORDER]
        turns = [
            sum(1 << (corner + turn) % 3 for corner in borders)
            for turn in ((0,) if alike else _TURNS)
        ]
        ways = tuple(sum(turn & ~bits == 0 for turn in turns) for bits in range(8))
        return sum(count * ways[bits] for bits, count in enumerate(self._open_by_bits) if count)

    def parts(self) -> list[list[int]]:
        """Return the hexes in connected groups, one list each."""
        left, parts = dict.fromkeys(self.owner), []
        while left:
            part = [left.popitem()[0]]
            for key in part:
                for step in _STEPS:
                    if key + step in left:
                        del left[key + step]
                        part.append(key + step)
            parts.append(part)
        return parts


# The hexes of a map tile as input of the measures: open sides, exits, income and cost.


# Income of a city with nothing printed: that of its yellow tiles, 5, 6 and 57. Source: the tile
# catalogue.
CITY_INCOME = 20
# Income of a capital: that of its yellow tiles, 291 to 293. Source: reference facts, special track
# tiles.
CAPITAL_INCOME = 40
# Income of a destination: the yellow value of the only known destination card. Source: reference
# facts.
DESTINATION_INCOME = 30

# Income of a city on its green tiles, 14, 15 and 619. Source: the tile catalogue.
GREEN_CITY_INCOME = 30
# Income of a capital on its green tiles, 294 to 296. Source: reference facts, special track
# tiles.
GREEN_CAPITAL_INCOME = 50
# The green value of the card 30/40/70/100. Source: rulebook, section 3.
GREEN_DESTINATION_INCOME = 40
# Income of a hex with this sign on its green tile: LA1 (50 and 30), LA2. Source: reference facts,
# special track tiles.
GREEN_SIGN_INCOME = {"mine": 80, "port": 60}

ALL_EDGES = 0b111111
_FINISHED, _COAST = "gray", "coast"


class Face(Frozen, kw_only=True):
    """One hex in its rotation. `open_edges` has a bit for each edge across which track may ever
    lead; `exits` are the edges of printed track; `income` is the money of its stops as first built
    (0: it has none), `green` in the green phase; `cost` the cost of building there."""

    ground: Ground
    open_edges: int = ALL_EDGES
    exits: tuple[int, ...] = ()
    income: int = 0
    green: int = 0
    cost: int = 0

    def is_open(self, edge: int) -> bool:
        """Return True if track may ever lead across this edge."""
        return bool(self.open_edges >> edge % 6 & 1)

    @property
    def is_basic(self) -> bool:
        """True for a city that takes a suburb: it pays like a basic city, and has no sign."""
        return self.income == CITY_INCOME and self.green == GREEN_CITY_INCOME

    def as_capital(self) -> Face:
        """Return the hex with a capital overlay."""
        return replace(self, income=CAPITAL_INCOME, green=GREEN_CAPITAL_INCOME)


def faces_of(tile: MapTile, rotation: int) -> tuple[Face, Face, Face]:
    """Return hexes 1, 2 and 3 of a map tile rotated by `rotation`."""
    one, two, three = (_face(hexagon, rotation) for hexagon in tile.hexes)
    return one, two, three


def _face(hexagon: AtlasHex, rotation: int) -> Face:
    printed = hex_topology(hexagon)
    income = _income(printed.stops) if hexagon.ground in (Ground.HOME, Ground.CITY) else 0
    # A hex that is never upgraded (gray) pays the printed value in the green phase, too.
    green = income
    if income and printed.colour != _FINISHED:
        signs = (GREEN_SIGN_INCOME.get(icon.name) for icon in printed.icons)
        green = next(filter(None, signs), GREEN_CITY_INCOME)
    return Face(
        ground=hexagon.ground,
        open_edges=sum({1 << (edge + rotation) % 6 for edge in _open_edges(hexagon, printed)}),
        exits=tuple(sorted((edge + rotation) % 6 for edge in printed.exits)),
        income=income,
        green=green,
        cost=sum(terrain.cost for terrain in printed.terrain),
    )


def _open_edges(hexagon: AtlasHex, printed: Tile) -> Iterable[int]:
    """Return the edges across which track may ever lead.

    A border has none. A destination, and a hex that is never upgraded (gray), have their printed
    exits only. A coast is closed on the side of the water, which lies clockwise from its first end
    to its second. Water is open on all sides, for companies that build bridges.
    """
    if hexagon.ground is Ground.BORDER:
        return ()
    if hexagon.ground is Ground.DESTINATION or printed.colour == _FINISHED:
        return printed.exits
    coasts = [partition for partition in printed.partitions if partition.kind == _COAST]
    return [
        edge
        for edge in range(6)
        if not any(
            (edge - coast.a.edge) % 6 < (coast.b.edge - coast.a.edge) % 6 for coast in coasts
        )
    ]


def _income(stops: Iterable[Stop]) -> int:
    """Return the money of all stops as first printed; stops that count as one place pay once."""
    by_place: dict[object, int] = {}
    for index, stop in enumerate(stops):
        money = (
            stop.revenue[0].value if stop.revenue else CITY_INCOME * (stop.kind is StopKind.CITY)
        )
        place = stop.groups or index
        by_place[place] = max(money, by_place.get(place, 0))
    return sum(by_place.values())


# A map by numbers of its hexes, and the connections by land between them.


_BLANK = Face(ground=Ground.PLAIN, open_edges=0b111111)
_LAND = frozenset({Ground.HOME, Ground.PLAIN, Ground.MOUNTAIN, Ground.CITY})
# Number of bridges of a company with this ability; each replaces a yellow tile. Source: rulebook,
# section 26.
BRIDGES = 5
# Amount that a suburb adds to a city. Source: rulebook, section 26.
SUBURB_INCOME = 10


class Terrain(Struct):
    """A map by the numbers of its hexes: faces; neighbours beyond each edge (-1: none); ways by
    land; ways into destinations (named by number); the positions of everything; whether some
    company builds bridges, and the homes of those; and by home, the income from a mountain, the
    stops of a train beyond its number, and suburbs."""

    places: list[Axial]
    faces: list[Face]
    beyond: list[tuple[int, ...]]
    land: list[list[int]]
    entered: list[list[int]]
    tiled: int
    homes: dict[int, str] = {}
    cities: list[int] = []
    capitals: list[int] = []
    destinations: list[list[int]] = []
    bridged: bool = False
    bridgers: set[int] = set()
    mountain_bonuses: dict[int, int] = {}
    extra_stops: dict[int, int] = {}
    suburbs: dict[int, int] = {}


def is_land(face: Face) -> bool:
    """Return True if track may lead over the hex without a bridge."""
    return face.ground in _LAND


def _takes_track(face: Face) -> bool:
    """Return True if track may lead over the hex, even if by a bridge."""
    return face.ground in _LAND or face.ground is Ground.WATER


class Terrains:
    """The terrain of maps of one box. Caches the faces of the box's map tiles in each rotation."""

    def __init__(self, box: AtlasBox) -> None:
        self._box = box
        self._faces: dict[tuple[int, int], tuple[Face, Face, Face]] = {}

    def of(self, log: AtlasLog) -> Terrain:
        """Return a map by the numbers of its hexes: those of tiles in the order they were laid,
        then blanks."""
        capitals = set(log.overlays)
        places: list[Axial] = []
        faces: list[Face] = []
        homes = {}
        cities = []
        taken = []
        destinations = []
        for draw in log.placed:
            tile = self._box.tile_by_number[draw.tile]
            first = len(places)
            places += draw.hexes
            key = draw.tile, draw.rotation
            if key not in self._faces:
                self._faces[key] = faces_of(tile, draw.rotation)
            faces += self._faces[key]
            entered = []
            for number, hexagon in enumerate(tile.hexes, start=first):
                match hexagon.ground:
                    case Ground.HOME:
                        homes[number] = hexagon.company or str(draw.tile)
                    case Ground.CITY:
                        cities.append(number)
                        if places[number] in capitals:
                            taken.append(number)
                            faces[number] = faces[number].as_capital()
                    case Ground.DESTINATION:
                        entered.append(number)
            if entered:
                destinations.append(entered)
        # Blanks come after all tiles: numbers below `tiled` are hexes of tiles, which matters for
        # the rim of a home.
        tiled = len(places)
        places += log.blanks
        faces += [_BLANK] * len(log.blanks)
        at: dict[tuple[int, int], int] = {place: number for number, place in enumerate(places)}
        beyond = [tuple(at.get((q + dq, r + dr), -1) for dq, dr in NEIGHBOURS) for q, r in places]
        # Adjacent hexes are connected by land if both are land and neither is closed at their edge.
        land = [
            [
                other
                for edge, other in enumerate(around)
                if other >= 0
                and face.open_edges >> edge & 1
                and faces[other].ground in _LAND
                and faces[other].open_edges >> (edge + 3) % 6 & 1
            ]
            if face.ground in _LAND
            else []
            for face, around in zip(faces, beyond, strict=True)
        ]
        box = self._box

        def own(power: Sequence[tuple[str, int]]) -> dict[int, int]:
            amounts = dict(power)
            return {home: amounts[company] for home, company in homes.items() if company in amounts}

        ground = Terrain(
            places,
            faces,
            beyond,
            land,
            [[] for _ in places],
            tiled,
            homes=homes,
            cities=cities,
            capitals=taken,
            destinations=destinations,
            bridged=not set(box.bridging).isdisjoint(self.companies(log)),
            bridgers={home for home, company in homes.items() if company in box.bridging},
            mountain_bonuses=own(box.mountain_bonuses),
            extra_stops=own(box.extra_stops),
            suburbs=own(box.suburbs),
        )
        for index, hexes in enumerate(destinations):
            for number in hexes:
                for edge in ground.faces[number].exits:
                    other = ground.beyond[number][edge]
                    if other >= 0 and _takes_track(faces[other]) and faces[other].is_open(edge + 3):
                        ground.entered[other].append(index)
        return ground

    def companies(self, log: AtlasLog) -> tuple[str, ...]:
        """Return the ids of the companies in play on a map."""
        return companies_in_play(self._box, self._box.mode_by_id[log.mode], log)


class Ways(Frozen):
    """Shortest ways by land from one home: hexes in layers (by steps), the steps to each, and the
    lowest cost of the mountains on such a way."""

    layers: list[list[int]]
    steps: dict[int, int]
    cost: dict[int, int]


def ways_from(ground: Terrain, home: int, bonus: int = 0) -> Ways:
    """Return the shortest ways by land from a home, which gets a bonus each time it pays for a
    mountain."""
    # Search one layer per step, so that cost decides only between ways of equal length.
    land, faces = ground.land, ground.faces
    steps, cost = {home: 0}, {home: faces[home].cost and faces[home].cost - bonus}
    layers = [[home]]
    while layers[-1]:
        layer: dict[int, int] = {}
        for number in layers[-1]:
            so_far = cost[number]
            for other in land[number]:
                if other not in steps and so_far < layer.get(other, so_far + 1):
                    layer[other] = so_far
        for number, so_far in layer.items():
            steps[number] = len(layers)
            paid = faces[number].cost
            cost[number] = so_far + paid - bonus if paid else so_far
        layers.append(list(layer))
    layers.pop()
    return Ways(layers, steps, cost)


def steps_with_bridges(ground: Terrain, home: int) -> dict[int, int]:
    """Return the fewest steps from a home to each hex, from near to far, over land and water, with
    at most BRIDGES hexes of water on each way. Shapes of bridges are ignored."""
    # A second visit to a hex by a longer way is useful if that way has used fewer bridges, since
    # more water can then be crossed. The recorded number of steps is that of the first visit, which
    # is the minimum.
    faces, steps, fewest = ground.faces, {home: 0}, {home: 0}
    layer = [(home, 0)]
    for step in range(1, len(faces)):
        new = []
        for number, bridges in layer:
            for edge, other in enumerate(ground.beyond[number]):
                if other < 0 or not (_takes_track(faces[other]) and faces[number].is_open(edge)):
                    continue
                used = bridges + (faces[other].ground is Ground.WATER)
                if (
                    used <= BRIDGES
                    and faces[other].is_open(edge + 3)
                    and used < fewest.get(other, BRIDGES + 1)
                ):
                    fewest[other] = used
                    steps.setdefault(other, step)
                    new.append((other, used))
        layer = new
    return steps
