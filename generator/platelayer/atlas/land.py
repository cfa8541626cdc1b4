"""Contacts, borders and the number of places for the next tile.

A hex is a single whole number, `key_of`, so that finding a neighbour takes one addition. Triangles
of places are of two kinds, "up" with corners x, x + east, x + south-east and "down"; each is stored
with what a tile in it would touch, and only triangles near a new tile are updated.
"""

from __future__ import annotations

from platelayer.model.atlas import CORNERS_OF_TILE, NEIGHBOURS, Axial, Ground, MapTile, turned

MIN_CONTACT = 3
"""Edges along which a map tile touches tiles already laid. Source: reference facts, assembly
rules."""

_ROW = 1 << 13
"""A greater distance than between any two hexes that are compared."""


def key_of(place: Axial) -> int:
    """A place as one number."""
    return place.q * _ROW + place.r


_STEPS = tuple(key_of(step) for step in NEIGHBOURS)
# Each triangle by its first corner: rotations 0 and 1 of a map tile cover the two kinds, the others
# the same again.
_KINDS = tuple(
    tuple(key_of(turned(corner, rotation)) for corner in CORNERS_OF_TILE) for rotation in (0, 1)
)
_TURNS = (0, 1, 2)


class Land:
    """The hexes of map tiles laid so far. `owner` is the tile number on each; `pairs` counts
    neighbouring hexes."""

    def __init__(self) -> None:
        self.owner: dict[int, int] = {}
        self.first: Axial | None = None
        self.pairs = 0
        self.overlapping = False
        self._contact: dict[int, int] = {}  # how many hexes each place touches
        self._border: dict[int, int] = {}  # border hexes, with the tile each belongs to
        self._shut: set[int] = set()  # places that touch a border
        self._open: dict[
            tuple[int, int], int
        ] = {}  # triangles for tiles: which corners touch nothing, in bits
        self._open_by_bits = [0] * 8

    def contact(self, key: int) -> int:
        """Edges along which a place touches hexes that are laid."""
        return self._contact.get(key, 0)

    def borders_beside(self, key: int) -> list[int]:
        """Numbers of the tiles whose border hexes a place touches."""
        border = self._border
        return (
            [border[key + step] for step in _STEPS if key + step in border]
            if key in self._shut
            else []
        )

    def takes_blank(self, key: int) -> bool:
        """True for an empty place that is not beside a border."""
        return key not in self.owner and key not in self._shut

    def lay(self, number: int, places: tuple[Axial, ...], borders: tuple[bool, ...]) -> None:
        """Lay a tile on three places, whether it is allowed there or not."""
        keys = [key_of(place) for place in places]
        if self.first is None:
            self.first = places[0]
        contact = self._contact
        near = set(keys)
        for key, is_border in zip(keys, borders, strict=True):
            beside = [key + step for step in _STEPS]
            near.update(beside)
            if key in self.owner:
                self.overlapping = True
            else:
                self.pairs += contact.get(key, 0)
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
        """Mark a triangle as open, or as no longer open."""
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
        """How many distinct placements of a tile the rules allow; 1 for the first tile of a map."""
        if self.first is None:
            return 1
        ways = _ways(tile)
        return sum(count * ways[bits] for bits, count in enumerate(self._open_by_bits) if count)

    def rim(self) -> int:
        """Edges with a hex on one side only."""
        owner = self.owner
        return sum(key + step not in owner for key in owner for step in _STEPS)

    def parts(self) -> list[list[int]]:
        """The hexes, each connected group in one list."""
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


def _ways(tile: MapTile) -> tuple[int, ...]:
    """The number of distinct ways to lay a tile in a triangle, by the bits of the corners that
    touch nothing: each of its borders needs one of those. Its three rotations are all the same, or
    all different."""
    first, second, third = tile.hexes
    alike = first == second == third and first.tile is None
    borders = [corner for corner in _TURNS if tile.hexes[corner].ground is Ground.BORDER]
    turns = [
        sum(1 << (corner + turn) % 3 for corner in borders) for turn in ((0,) if alike else _TURNS)
    ]
    return tuple(sum(turn & ~bits == 0 for turn in turns) for bits in range(8))
