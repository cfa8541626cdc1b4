"""The shuffled pile of a map, dealt into stacks first in micro games."""

from __future__ import annotations

from typing import NamedTuple

from platelayer.foundation.seeds import Dice
from platelayer.model.atlas import AtlasBox, MapTile, Mode


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
