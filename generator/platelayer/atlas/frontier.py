"""Places where the next map tile may go, updated with each tile.

A hex (q, r) is the whole number q * ROW + r. Any three hexes that a map tile can cover form a
triangle; there are two kinds: rotations 0, 2 and 4 of a tile cover triangles of kind 0, rotations
1, 3 and 5 those of kind 1. A triangle is the whole number 2 * corner + kind, its corner being where
hex 1 lies at rotation 0 or 1; so whole numbers sort by (q, r) of the corner, then by kind. With
turn t, hex i lies in corner (i + t) mod 3, and the rotation is kind + 2 * t.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    AtlasBox,
    Axial,
    MapTile,
    Mode,
    turned,
)

# Edges along which a map tile touches tiles already laid. Source: reference facts, assembly
# rules.
MIN_CONTACTS = 3

# More than twice the greatest distance of a hex from (0, 0): two for each map tile of a box.
ROW = 1 << 10
_HALF = ROW // 2


def number_of(at: Axial) -> int:
    """A hex as a whole number."""
    return at.q * ROW + at.r


def axial_of(number: int) -> Axial:
    """The inverse of `number_of`."""
    q, r = divmod(number + _HALF, ROW)
    return Axial(q, r - _HALF)


STEPS = tuple(number_of(step) for step in NEIGHBOURS)
_CORNERS = tuple(
    tuple(number_of(turned(offset, kind)) for offset in CORNERS_OF_TILE) for kind in (0, 1)
)
# A hex h lies in the triangles 2 * h + each of these.
_IN_TRIANGLES = tuple(kind - 2 * offset for kind in (0, 1) for offset in _CORNERS[kind])


def corners_of(triangle: int) -> tuple[int, int, int]:
    """The three hexes of a triangle; at turn 0 they are hexes 1, 2 and 3 of a map tile."""
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
        self.taken.add(number)
        base = 2 * number
        for offset in _IN_TRIANGLES:
            self._closed.add(base + offset)
            self.open.pop(base + offset, None)

    def places(self) -> list[int]:
        """Triangles where a tile without a border may go, sorted."""
        return sorted([triangle for triangle, total in self.open.items() if total >= MIN_CONTACTS])

    def turns(self, triangle: int, borders: Iterable[int]) -> Iterator[int]:
        """The turns at which a tile may go there if its hexes `borders` (0 to 2) must touch
        nothing."""
        free = [self.contacts.get(corner, 0) == 0 for corner in corners_of(triangle)]
        return (turn for turn in (0, 1, 2) if all(free[(border + turn) % 3] for border in borders))

    def empty_beside(self, number: int) -> list[int]:
        """Neighbours of a hex where something could still be laid."""
        return [number + step for step in STEPS if number + step not in self.taken]


# The shuffled pile of a map, dealt into stacks first in micro games.


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
    """The map tiles that a mode does not leave in the box, by number and copy; those left are the
    last copies."""
    removed = dict(mode.removed)
    return tuple(
        TilePiece(tile, copy)
        for tile in sorted(box.map_tiles, key=lambda tile: tile.number)
        for copy in range(1, tile.copies - removed.get(tile.number, 0) + 1)
    )


def draw_pile(box: AtlasBox, mode: Mode, dice: Dice) -> Pile:
    """The pile of a mode, shuffled.

    With stacks, the tiles with homes (and those the mode deals with them) are shuffled and dealt,
    then the others; each stack gets its capital projects; one stack is used. Source: reference
    facts, modes.
    """
    tiles = tiles_in_play(box, mode)
    if not mode.stacks:
        projects = range(1, mode.capital_projects + 1)
        return Pile(tuple(dice.shuffled([*tiles, *map(ProjectPiece, projects)])), None)
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
