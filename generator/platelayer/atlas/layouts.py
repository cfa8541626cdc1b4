"""Layouts of map tiles: the places where the next one may go, piles to draw from, and the policy
"even". Its heavy work is done by the compiled library where there is one.

A hex (q, r) is the whole number q * ROW + r. Any three hexes that a map tile can cover form a
triangle; there are two kinds: rotations 0, 2 and 4 of a tile cover triangles of kind 0, rotations
1, 3 and 5 those of kind 1. A triangle is the whole number 2 * corner + kind, its corner being where
hex 1 lies at rotation 0 or 1; so whole numbers sort by (q, r) of the corner, then by kind. With
turn t, hex i lies in corner (i + t) mod 3, and the rotation is kind + 2 * t.

The policy "even" is a Markov chain that comes to every legal map equally often. A layout is legal if some order of
laying it keeps the rules. A chain starts with a map of the policy "uniform" and makes, again and again, one of three
changes at random:
- a tile is taken up and laid again so that it touches one of the others, each of these places and turns as likely;
- two tiles change places, each with a random turn;
- with stacks, a tile is replaced by one of those left in the box that are dealt as it is, or by itself, and gets a
  random turn.

A change that is not legal is not made. Of places, those that touch many tiles are proposed more
often, by as many; the rule of Metropolis and Hastings evens that out: a change is made with
probability min(1, before / after). The last change does the same for the ways to lay the capitals.
So no map is left more easily than it is reached, and the chain has the same probability of being on
each map (Hastings, "Monte Carlo sampling methods using Markov chains and their applications",
1970). docs/atlas-method.md says how many changes are enough. All numbers are whole, so a seed gives the
same map everywhere.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    AtlasBox,
    Axial,
    Ground,
    MapTile,
    Mode,
    tile_hexes,
    turned,
)

# Environment variable: 0 disables the library.
OFF = "PLATELAYER_COMPILED"
SOURCES = ("compiled.c", "compiled_chain.c", "compiled_check.c")
FOLDER = Path(__file__).parent


def library_name(folder: Path = FOLDER) -> str:
    """Return the file name of the library built from these sources, so that one built from others
    is never loaded."""
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in SOURCES)).hexdigest()
    return f"_compiled_{digest[:12]}.so"


@cache
def library() -> Any:
    """Return the library, or None if it is not built or not wanted."""
    if os.environ.get(OFF) == "0":
        return None
    try:
        return ctypes.CDLL(str(FOLDER / library_name()))
    except OSError:
        # The library is missing or built for another system; a browser lacks even its sources.
        return None


def numbers(count: int) -> array[int]:
    """An array of `count` int32 zeros."""
    return array("i", bytes(4 * count))


def at(numbers: array[int]) -> Any:
    """Return the address of an array, to pass to the library."""
    return ctypes.c_void_p(numbers.buffer_info()[0])


# Minimum number of edges along which a map tile touches tiles already laid. Source: reference
# facts, assembly rules.
MIN_CONTACTS = 3

# More than twice the maximum distance of a hex from (0, 0), which is two for each map tile of a
# box.
ROW = 1 << 10
_HALF = ROW // 2


def number_of(at: Axial) -> int:
    """Return a hex as a whole number."""
    return at.q * ROW + at.r


def axial_of(number: int) -> Axial:
    """Return the hex of a number, the inverse of `number_of`."""
    q, r = divmod(number + _HALF, ROW)
    return Axial(q, r - _HALF)


STEPS = tuple(number_of(step) for step in NEIGHBOURS)
_CORNERS = tuple(
    tuple(number_of(turned(offset, kind)) for offset in CORNERS_OF_TILE) for kind in (0, 1)
)
# A hex h is a corner of the triangles 2 * h + each of these.
_IN_TRIANGLES = tuple(kind - 2 * offset for kind in (0, 1) for offset in _CORNERS[kind])


def corners_of(triangle: int) -> tuple[int, int, int]:
    """Return the three hexes of a triangle; at turn 0 they are hexes 1, 2 and 3 of a map tile."""
    first, (a, b, c) = triangle >> 1, _CORNERS[triangle & 1]
    return first + a, first + b, first + c


class Frontier:
    """Places for the next map tile.

    `taken` are hexes that are covered, or must stay empty beside a border; `contacts` tells for
    each hex how many of its neighbours are covered; `open` holds the triangles without a taken hex
    that touch anything, with the number of edges along which they do.
    """

    __slots__ = ("_closed", "contacts", "covered", "open", "taken")

    def __init__(self) -> None:
        self.covered: list[int] = []
        self.taken: set[int] = set()
        self.contacts: dict[int, int] = {}
        self.open: dict[int, int] = {}
        self._closed: set[int] = set()

    def lay(self, hexes: Sequence[int], borders: Iterable[int]) -> None:
        """Cover the hexes of a tile; `borders` are those among them that nothing else may touch,
        ever."""
        self.covered += hexes
        for hexagon in hexes:
            self._take(hexagon)
        for border in borders:
            for step in STEPS:
                if border + step not in self.taken:
                    self._take(border + step)
        taken, contacts, opened, closed = self.taken, self.contacts, self.open, self._closed
        for hexagon in hexes:
            for step in STEPS:
                beside = hexagon + step
                contacts[beside] = contacts.get(beside, 0) + 1
                if beside in taken:
                    continue
                base = 2 * beside
                for offset in _IN_TRIANGLES:
                    triangle = base + offset
                    if triangle not in closed:
                        opened[triangle] = opened.get(triangle, 0) + 1

    def _take(self, number: int) -> None:
        # Closed permanently: hexes are never freed while a map is assembled, so `lay` need not
        # examine a closed triangle again.
        self.taken.add(number)
        base = 2 * number
        for offset in _IN_TRIANGLES:
            self._closed.add(base + offset)
            self.open.pop(base + offset, None)

    def places(self) -> list[int]:
        """Triangles where a tile without a border may go, sorted."""
        # The order of the dict is that in which triangles opened. Sorting makes the order depend on
        # the map alone, so that a number of the stream means the same place on every machine.
        return sorted([triangle for triangle, total in self.open.items() if total >= MIN_CONTACTS])

    def turns(self, triangle: int, borders: Iterable[int]) -> Iterator[int]:
        """The turns at which a tile may go there if its hexes `borders` (0 to 2) must touch
        nothing."""
        free = [self.contacts.get(corner, 0) == 0 for corner in corners_of(triangle)]
        return (turn for turn in (0, 1, 2) if all(free[(border + turn) % 3] for border in borders))

    def empty_beside(self, number: int) -> list[int]:
        """Neighbours of a hex where something could still be laid."""
        return [number + step for step in STEPS if number + step not in self.taken]


# The shuffled pile of a map; in micro games it is first dealt into stacks.


class TilePiece(NamedTuple):
    """One copy of a map tile."""

    tile: MapTile
    copy: int


class ProjectPiece(NamedTuple):
    """A capital project by its number."""

    number: int


Piece = TilePiece | ProjectPiece


class Pile(NamedTuple):
    """Pieces in the order they are drawn; `stack` is the number of the stack they come from (None:
    no stacks)."""

    pieces: tuple[Piece, ...]
    stack: int | None


def tiles_in_play(box: AtlasBox, mode: Mode) -> tuple[TilePiece, ...]:
    """Return the map tiles that a mode does not leave in the box, by number and copy; the last
    copies are left out."""
    removed = dict(mode.removed)
    return tuple(
        TilePiece(tile, copy)
        for tile in sorted(box.map_tiles, key=lambda tile: tile.number)
        for copy in range(1, tile.copies - removed.get(tile.number, 0) + 1)
    )


def draw_pile(box: AtlasBox, mode: Mode, dice: Dice) -> Pile:
    """Return the shuffled pile of a mode.

    With stacks, the tiles with homes (and those the mode deals with them) are shuffled and dealt,
    then the others; each stack gets its capital projects; one stack is used. Source: reference
    facts, modes.
    """
    tiles = tiles_in_play(box, mode)
    if not mode.stacks:
        projects = range(1, mode.capital_projects + 1)
        return Pile(tuple(dice.shuffled([*tiles, *map(ProjectPiece, projects)])), None)
    # All stacks are shuffled and dealt although only one is used: the numbers that this takes from
    # the stream are part of the algorithm, and a seed must continue to give the map that is printed
    # with it.
    homes = dice.shuffled([piece for piece in tiles if mode.deals_as_home(piece.tile)])
    others = dice.shuffled([piece for piece in tiles if not mode.deals_as_home(piece.tile)])
    used = dice.below(mode.stacks)
    of_homes, of_others = mode.homes_per_stack, len(others) // mode.stacks
    first_project = used * mode.capital_projects + 1
    stack: list[Piece] = [
        *homes[used * of_homes : (used + 1) * of_homes],
        *others[used * of_others : (used + 1) * of_others],
        *map(ProjectPiece, range(first_project, first_project + mode.capital_projects)),
    ]
    return Pile(tuple(dice.shuffled(stack)), used + 1)


_TURNS = 3
# Maximum number of tiles of a map that certainly fits on the board of the library.
_MOST_TILES = 120
# Number of changes in one call of the library, times the square of the number of tiles: a tenth of
# a second, because Ctrl-C waits for the call to end.
_SLICE = 10**8


class Placed(NamedTuple):
    """A map tile in a triangle (as in `frontier`) with a turn. Hexes are whole numbers that add up
    like axial coordinates, so a map may lie anywhere: no two of its hexes have the same number."""

    tile: MapTile
    triangle: int
    turn: int

    @property
    def hexes(self) -> tuple[int, ...]:
        """Places of hexes 1, 2 and 3."""
        corners = corners_of(self.triangle)
        return tuple(corners[(index + self.turn) % _TURNS] for index in range(3))

    @property
    def rotation(self) -> int:
        """As in a log."""
        return (self.triangle & 1) + 2 * self.turn


def placed_at(tile: MapTile, at: Axial, rotation: int) -> Placed:
    """Return a tile as placed in a log; a tile of three equal hexes has turn 0 in every
    triangle."""
    turn = rotation // 2
    corner = number_of(tile_hexes(at, rotation)[-turn % _TURNS])
    return Placed(tile, 2 * corner + rotation % 2, 0 if looks_alike(tile) else turn)


def looks_alike(tile: MapTile) -> bool:
    """Return True if all rotations within a triangle look the same. What is printed on a hex
    rotates with it."""
    first, second, third = tile.hexes
    return first == second == third and first.tile is None


def borders_of(tile: MapTile) -> tuple[int, ...]:
    """Return the places (0 to 2) of a tile's borders."""
    return tuple(
        index for index, hexagon in enumerate(tile.hexes) if hexagon.ground is Ground.BORDER
    )


def even_map(
    box: AtlasBox, mode: Mode, start: Sequence[Placed], dice: Dice, *, sweeps: int
) -> tuple[list[Placed], list[int]]:
    """The tiles of a map after `sweeps` changes for each tile, times the square of the tiles, in an
    order in which they can be laid, and the places of its capitals. The first tile lies at (0, 0)
    and is not turned."""
    chain = Chain(box, mode, start, dice)
    chain.run(sweeps * len(start) ** 3)
    tiles = normal(chain.in_order())
    cities = [
        number
        for placed in tiles
        for number, hexagon in zip(placed.hexes, placed.tile.hexes, strict=True)
        if hexagon.ground is Ground.CITY
    ]
    return tiles, dice.shuffled(cities)[: mode.capital_projects]


class Chain:
    """A legal layout that is changed step by step; it stores which tile lies on each hex and, for
    each tile, the edges along which it touches others (`touched`)."""

    def __init__(self, box: AtlasBox, mode: Mode, start: Sequence[Placed], dice: Dice) -> None:
        self.placed = list(start)
        self._dice, self._projects, self._stacks = dice, mode.capital_projects, mode.stacks
        self._changes = (
            (self._move, self._swap, self._replace) if mode.stacks else (self._move, self._swap)
        )
        self._home = {tile.number: mode.deals_as_home(tile) for tile in box.map_tiles}
        self._tile = box.tile_by_number
        self._copies = Counter(piece.tile.number for piece in tiles_in_play(box, mode))
        self._owner: dict[int, int] = {}
        self._border: set[int] = set()
        self.touched: list[dict[int, int]] = [{} for _ in start]
        self._lay_all()

    def _lay_all(self) -> None:
        for index, placed in enumerate(self.placed):
            self._lay(index, placed, self._touching(placed) or {})

    def run(self, steps: int) -> None:
        """Change the layout `steps` times, in the compiled library if there is one. A single tile
        never changes."""
        # Python and the library take the same numbers from the stream for each change, so both
        # produce the same map and leave the stream at the same number.
        if len(self.placed) < 2 or self._run_compiled(steps):
            return
        for _ in range(steps):
            self.step()

    def _run_compiled(self, steps: int) -> bool:
        """Make the changes in the compiled library, with the same random numbers but many times as
        fast. Return False if there is no library for them."""
        core, tiles = library(), [self._tile[number] for number in self._copies]
        ways = [self._capitals(cities) for cities in range(3 * len(self.placed) + 1)]
        if core is None or len(self.placed) > _MOST_TILES or ways[-1] >= 2**63:
            return False
        index = {tile.number: index for index, tile in enumerate(tiles)}
        lie = [
            (tile, axial_of(tile.triangle // 2 - self.placed[0].triangle // 2))
            for tile in self.placed
        ]
        placed = array(
            "i",
            [
                n
                for tile, (q, r) in lie
                for n in (index[tile.tile.number], q, r, tile.triangle & 1, tile.turn)
            ],
        )
        kinds = array("i")
        for tile in tiles:
            kinds.append(sum(1 << place for place in borders_of(tile)))
            kinds.append(looks_alike(tile))
            kinds.append(sum(hexagon.ground is Ground.CITY for hexagon in tile.hexes))
            kinds.extend((self._home[tile.number], self._copies[tile.number]))
        state, capitals = array("Q", [self._dice.state]), array("Q", ways)
        layout = len(lie), at(placed), len(tiles), at(kinds)
        rules = int(self._stacks > 0), len(NEAR[0]), at(_BESIDE), at(capitals)
        most = max(1, _SLICE // len(lie) ** 2)
        for done in range(0, steps, most):
            now = ctypes.c_int64(min(most, steps - done))
            if core.platelayer_chain(*layout, *rules, at(state), now):
                return False
        self._dice.state = state[0]
        self.placed = [
            Placed(tiles[tile], 2 * number_of(Axial(q, r)) + kind, turn)
            for tile, q, r, kind, turn in zip(*[iter(placed)] * 5, strict=True)
        ]
        self._owner, self._border, self.touched = {}, set(), [{} for _ in self.placed]
        self._lay_all()
        return True

    def step(self) -> None:
        """Make one change, or none."""
        self._changes[self._dice.below(len(self._changes))]()

    def in_order(self) -> list[Placed]:
        """Return the tiles in a random order in which each touches enough earlier ones."""
        # With some first tiles not all others can be laid (`can_be_laid`), so first tiles are tried
        # in random order.
        touched, dice = self.touched, self._dice
        for first in dice.shuffled(range(len(self.placed))):
            reach = Counter(touched[first])
            order = [first]
            # Sorted, because the next tile is chosen by index, and the order in which neighbours
            # were counted differs between Python and the library.
            while free := sorted(
                index
                for index, edges in reach.items()
                if edges >= MIN_CONTACTS and index not in order
            ):
                order.append(free[dice.below(len(free))])
                reach.update(touched[order[-1]])
            if len(order) == len(self.placed):
                return [self.placed[index] for index in order]
        raise AssertionError("a chain is always on a legal map")

    # Changes

    # Metropolis-Hastings: a random change is proposed, and accepted with the probability that makes
    # all layouts equally likely in the long run, min(1, ways back / ways there). An impossible
    # proposal leaves the layout unchanged, which counts as a step as well: trying again at once
    # would favour layouts with few legal changes.

    def _move(self) -> None:
        index, other = self._two()
        placed, beside = self.placed[index], self.placed[other].triangle
        near = NEAR[beside & 1]
        new = placed._replace(
            triangle=(beside & ~1) + near[self._dice.below(len(near))], turn=self._turn()
        )
        if _is_double(new):
            return
        before = self._lift(index)
        # The tile has already been lifted: its old place is free, and it does not touch itself.
        touched = self._touching(new)
        # The new place can be proposed via each of the tiles that it touches, and the way back via
        # each tile that the old place touched.
        if (
            touched is None
            or sum(touched.values()) < MIN_CONTACTS
            or not self._happens(len(before), len(touched))
            or not self._lay(index, new, touched).can_be_laid()
        ):
            if self.placed[index] is new:
                self._lift(index)
            self._lay(index, placed, before)

    def _swap(self) -> None:
        pair = self._two()
        one, other = (self.placed[index] for index in pair)
        self._exchange(
            pair,
            (
                one._replace(tile=other.tile, turn=self._turn()),
                other._replace(tile=one.tile, turn=self._turn()),
            ),
        )

    def _replace(self) -> None:
        index = self._dice.below(len(self.placed))
        old = self.placed[index]
        used = Counter(tile.tile.number for tile in self.placed)
        # Allow the copy that lies here as a choice: then the number of choices is the same before
        # and after, and cancels out.
        used[old.tile.number] -= 1
        home = self._home[old.tile.number]
        left = [
            number
            for number, copies in self._copies.items()
            if copies > used[number] and self._home[number] == home
        ]
        new = old._replace(tile=self._tile[left[self._dice.below(len(left))]], turn=self._turn())
        others = sum(map(_cities, self.placed)) - _cities(old)
        # The distribution must be even over maps with their capitals. So a layout counts once for
        # each way to place these, of which there are more with more cities.
        if self._happens(
            self._capitals(others + _cities(new)), self._capitals(others + _cities(old))
        ):
            self._exchange((index,), (new,))

    def _exchange(self, indices: Sequence[int], tiles: Sequence[Placed]) -> None:
        """Put other tiles in the same places. The contacts stay the same, so only borders can
        forbid it."""
        if any(map(_is_double, tiles)):
            return
        # Lift both before laying either, as they may touch each other. The places stay the same, so
        # tiles are still connected by the same edges.
        before = [(index, self.placed[index], self.touched[index]) for index in indices]
        for index in indices:
            self._lift(index)
        fits = True
        for index, new in zip(indices, tiles, strict=True):
            fits = (
                fits
                and (touched := self._touching(new)) is not None
                and bool(self._lay(index, new, touched))
            )
        if fits:
            return
        for index in indices:
            self._lift(index)
        for index, old, _ in before:
            self._lay(index, old, self._touching(old) or {})

    def _two(self) -> tuple[int, int]:
        """Return two random tiles."""
        # Choose the second among all others: indices from the first on stand for the next one.
        index, other = self._dice.below(len(self.placed)), self._dice.below(len(self.placed) - 1)
        return index, other + (other >= index)

    def _turn(self) -> int:
        return self._dice.below(_TURNS)

    def _happens(self, more: int, of: int) -> bool:
        """Return True with probability min(1, more / of)."""
        return more >= of or self._dice.below(of) < more

    def _capitals(self, cities: int) -> int:
        """Return the number of ways to lay the capitals."""
        return comb(cities, min(cities, self._projects))

    # The layout

    def _touching(self, placed: Placed) -> dict[int, int] | None:
        """Return the edges along which a tile would touch each other tile; None if it covers one,
        or a border touches."""
        owner, border = self._owner, self._border
        touching: dict[int, int] = {}
        borders = borders_of(placed.tile)
        for place, hexagon in enumerate(placed.hexes):
            if hexagon in owner:
                return None
            for step in STEPS:
                other = owner.get(hexagon + step)
                if other is not None:
                    if place in borders or hexagon + step in border:
                        return None
                    touching[other] = touching.get(other, 0) + 1
        return touching

    def _lay(self, index: int, placed: Placed, touched: dict[int, int]) -> Chain:
        self.placed[index], self.touched[index] = placed, touched
        hexes = placed.hexes
        self._owner.update(dict.fromkeys(hexes, index))
        self._border.update(hexes[place] for place in borders_of(placed.tile))
        for other, edges in touched.items():
            self.touched[other][index] = edges
        return self

    def _lift(self, index: int) -> dict[int, int]:
        """Remove a tile; return its contacts."""
        touched = self.touched[index]
        for hexagon in self.placed[index].hexes:
            self._owner.pop(hexagon, None)
            self._border.discard(hexagon)
        for other in touched:
            self.touched[other].pop(index, None)
        return touched

    def can_be_laid(self) -> bool:
        """Return True if the tiles can be laid in some order. Contacts only grow as tiles are laid,
        so from a given first tile it is enough to lay whatever can be laid. A tile reached from
        a first tile reaches no more if it comes first itself."""
        touched, failed = self.touched, set[int]()
        for first in range(len(touched)):
            if first in failed:
                continue
            reach, laid, queue = [0] * len(touched), {first}, [first]
            for index in queue:
                for other, edges in touched[index].items():
                    reach[other] += edges
                    if reach[other] >= MIN_CONTACTS and other not in laid:
                        laid.add(other)
                        queue.append(other)
            if len(laid) == len(touched):
                return True
            failed |= laid
        return False


def _is_double(placed: Placed) -> bool:
    """Return True if this is another name for a placement with turn 0."""
    # A tile of three equal hexes has one placement with three names. If all three counted, it would
    # replace another tile three times as often as it is replaced.
    return placed.turn > 0 and looks_alike(placed.tile)


def _cities(placed: Placed) -> int:
    return sum(hexagon.ground is Ground.CITY for hexagon in placed.tile.hexes)


def normal(tiles: Sequence[Placed]) -> list[Placed]:
    """Return the map shifted and rotated so that the first tile lies at (0, 0) and is not
    rotated."""
    first, back = tiles[0].hexes[0], -tiles[0].rotation % 6
    return [
        placed_at(
            tile.tile, turned(axial_of(tile.hexes[0] - first), back), (tile.rotation + back) % 6
        )
        for tile in tiles
    ]


def _near(kind: int) -> tuple[int, ...]:
    """Return the triangles adjacent to the triangle of a kind at (0, 0)."""
    own = corners_of(kind)
    rim = {corner + step for corner in own for step in STEPS}.difference(own)
    # Two triangles that touch have corners at most three steps apart. `_move` picks by the order of
    # this product, and the library has the same table (_BESIDE).
    reach = range(-3, 4)
    triangles: Iterable[int] = (
        2 * number_of(Axial(q, r)) + half for q, r, half in product(reach, reach, (0, 1))
    )
    return tuple(
        triangle
        for triangle in triangles
        if not rim.isdisjoint(corners_of(triangle)) and set(own).isdisjoint(corners_of(triangle))
    )


NEAR = (_near(0), _near(1))
_BESIDE = array(
    "i", [n for kind in NEAR for triangle in kind for n in (*axial_of(triangle >> 1), triangle & 1)]
)
