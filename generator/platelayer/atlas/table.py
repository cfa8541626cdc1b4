"""Maps laid at a table: a legal order of their draws, their blanks, and the ways to finish them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.atlas.assemble import (
    MAX_RESTARTS,
    POLICIES,
    Assembly,
    Choice,
    NoMap,
    lay_blanks,
    lay_pile,
    put_overlay,
    put_tile,
    score_of,
)
from platelayer.atlas.check import MIN_CONTACT, check_log, never_reached
from platelayer.atlas.layouts import (
    Frontier,
    Piece,
    Pile,
    ProjectPiece,
    TilePiece,
    axial_of,
    borders_of,
    looks_alike,
    number_of,
    placed_at,
    tiles_in_play,
)
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    NEIGHBOURS,
    AtlasBox,
    AtlasLog,
    Axial,
    Ground,
    MapTile,
    Mode,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)


def with_blanks(box: AtlasBox, log: AtlasLog) -> AtlasLog:
    """Put a blank on every empty hex next to a home, unless it touches a border."""
    grounds = {
        place: hexagon.ground
        for draw in log.placed
        if draw.tile in box.tile_by_number
        for place, hexagon in box.laid(draw)
    }
    beside = {
        home + step
        for home, ground in grounds.items()
        if ground is Ground.HOME
        for step in NEIGHBOURS
        if home + step not in grounds
    }
    shut = {
        place + step
        for place, ground in grounds.items()
        if ground is Ground.BORDER
        for step in NEIGHBOURS
    }
    return replace(log, blanks=tuple(sorted(beside - shut)))


def in_order(log: AtlasLog) -> AtlasLog:
    """Put the draws in a legal order, close to the given one, with each capital after its tile.
    Return the log as it is if there is none."""

    def fits(tile: TileDraw, covered: set[Axial]) -> bool:
        contacts = sum(place + step in covered for place in tile.hexes for step in NEIGHBOURS)
        return contacts >= MIN_CONTACT

    tiles = log.placed
    for first in tiles:
        order, left = [first], [tile for tile in tiles if tile is not first]
        covered = set(first.hexes)
        # The number of contacts of a tile only grows, so laying the first one that fits cannot miss
        # an order.
        while ready := next((tile for tile in left if fits(tile, covered)), None):
            order.append(ready)
            left.remove(ready)
            covered.update(ready.hexes)
        if len(order) == len(tiles):
            break
    else:
        return log
    capitals = [
        draw for draw in log.draws if isinstance(draw, ProjectDraw) and draw.overlay_at is not None
    ]
    draws = []
    for tile in order:
        draws += [tile, *(capital for capital in capitals if capital.overlay_at in tile.hexes)]
    if len(draws) != len(tiles) + len(capitals):
        return log
    return replace(
        log, draws=tuple(replace(draw, draw=number) for number, draw in enumerate(draws, start=1))
    )


def finish(
    box: AtlasBox, log: AtlasLog, *, seed: int, policy: str, blanks: int | None = None
) -> AtlasLog:
    """Finish a half-laid map, whose draws are in order: draw and lay the rest of its pile by the
    rules. Every legal ending can come up. In a mode with stacks, the rest of the stack is dealt
    from the other tiles.

    `policy` is a key of POLICIES that lays one draw after another. Raises NoMap when no ending was
    found.
    """
    mode, chosen, dice = box.mode_by_id[log.mode], POLICIES[policy], Dice(seed)
    finished = []
    # An ending that gets stuck is discarded as a whole, and all remaining pieces are shuffled
    # again: undoing only one draw would make some endings more likely than others.
    for _ in range(MAX_RESTARTS):
        assembly = lay_pile(
            Pile(_rest(box, mode, log, dice), None), chosen.weights, dice, laid_on(box, log)
        )
        if assembly.stuck is None:
            spaces = lay_blanks(assembly.frontier, assembly.homes, blanks)
            score = score_of(assembly.frontier.covered, spaces, assembly.homes)
            finished.append((score, assembly, spaces))
        if len(finished) == chosen.maps:
            break
    if not finished:
        raise NoMap(f"{MAX_RESTARTS} attempts to finish this map ended in dead ends")
    _, assembly, spaces = min(finished, key=lambda entry: entry[0])
    draws = tuple(
        replace(draw, alternatives=0) if isinstance(draw, TileDraw) else draw
        for draw in assembly.draws
    )
    return replace(log, draws=draws, blanks=tuple(map(axial_of, spaces)), blank_limit=blanks)


def undrawn(box: AtlasBox, log: AtlasLog) -> tuple[dict[int, tuple[int, bool]], dict[bool, int]]:
    """Return the copies left of each map tile in play and whether it is dealt as a home; and the
    number of tiles still to be drawn, by whether they are dealt as homes."""
    mode = box.mode_by_id[log.mode]
    laid = Counter(draw.tile for draw in log.placed)
    copies = Counter(piece.tile.number for piece in tiles_in_play(box, mode))
    copies.subtract(laid)
    left = {
        number: (count, mode.deals_as_home(box.tile_by_number[number]))
        for number, count in copies.items()
    }
    dealt = {True: mode.homes_per_stack, False: mode.tiles_used - mode.homes_per_stack}
    wanted = {
        kind: dealt[kind] - sum(laid[number] for number, (_, home) in left.items() if home is kind)
        if mode.stacks
        else sum(count for count, home in left.values() if home is kind)
        for kind in (True, False)
    }
    return left, wanted


def places_of(frontier: Frontier, tile: MapTile) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the triangles where a map tile may go, with its different turns there; the first tile
    lies at (0, 0)."""
    for triangle in frontier.places() if frontier.covered else [2 * number_of(Axial(0, 0))]:
        turns = [*frontier.turns(triangle, borders_of(tile))]
        if turns:
            yield triangle, turns[:1] if looks_alike(tile) else turns


# Maximum number of maps with one more tile that are checked for a forgotten tile.
_MOST_COMPLETED = 1500


def forgotten(box: AtlasBox, log: AtlasLog, *, lists_blanks: bool) -> TileDraw | None:
    """Return the tile, as it may have lain, that is missing from a faulty map and makes it complete
    and legal; None if more is wrong with the map."""
    mode = box.mode_by_id.get(log.mode)
    if mode is None or len(log.placed) != mode.tiles_used - 1:
        return None
    laid = Counter((draw.tile, draw.copy) for draw in log.placed)
    pieces = [
        piece for piece in tiles_in_play(box, mode) if not laid[piece.tile.number, piece.copy]
    ]
    covered = {at for draw in log.placed for at in draw.hexes}
    beside = {at + step for at in covered for step in NEIGHBOURS} - covered
    triangles: dict[frozenset[Axial], list[tuple[Axial, int]]] = {}
    # Hex 1 of a tile that touches the map is beside it, or one step from a place beside it.
    for at in sorted({one + step for one in beside for step in (Axial(0, 0), *NEIGHBOURS)}):
        for rotation in range(6):
            places = frozenset(tile_hexes(at, rotation))
            contacts = sum(place + step in covered for place in places for step in NEIGHBOURS)
            if contacts >= MIN_CONTACT and covered.isdisjoint(places):
                triangles.setdefault(places, []).append((at, rotation))
    first = TileDraw(0, 0, 1, Axial(0, 0), 0)
    ways = [
        replace(first, tile=tile.number, copy=copy, at=at, rotation=rotation)
        for _, lies in sorted(triangles.items(), key=lambda entry: min(entry[1]))
        if not never_reached([*log.placed, replace(first, at=lies[0][0], rotation=lies[0][1])])
        for at, rotation in lies
        for tile, copy in pieces
    ]
    for draw in ways[:_MOST_COMPLETED]:
        whole = replace(log, draws=(*log.draws, draw))
        if not check_log(box, whole if lists_blanks else with_blanks(box, whole)):
            return draw
    return None


class TooMany(Exception):
    """Raised when a map has more endings than wanted."""


class _Board(NamedTuple):
    """Tiles laid, in any order, and the numbers of tiles still to be drawn: those dealt as homes, and
    others."""

    laid: tuple[tuple[TilePiece, Choice], ...]
    homes: int
    others: int


def endings(box: AtlasBox, log: AtlasLog, *, most: int) -> Iterator[AtlasLog]:
    """Yield every different map that a half-laid one, whose draws are in order, can become by the
    rules. Copies of a tile look alike; all blanks are laid. Raises TooMany for more than `most`,
    before the first."""
    mode = box.mode_by_id[log.mode]
    left, wanted = undrawn(box, log)
    boards: dict[frozenset[tuple[int, int, int]], _Board] = {
        frozenset(): _Board((), wanted[True], wanted[False])
    }
    for _ in range(wanted[True] + wanted[False]):
        boards = _one_more(box, log, left, boards, most)
    used = sum(isinstance(draw, ProjectDraw) for draw in log.draws)
    ends = []
    for board in boards.values():
        free = sorted(_with(box, log, board).cities)
        for cities in combinations(free, min(len(free), mode.capital_projects - used)):
            ends.append((board, cities))
            if len(ends) > most:
                raise TooMany
    drawn = {draw.capital_project for draw in log.draws if isinstance(draw, ProjectDraw)}
    projects = [number for number in range(1, box.capital_projects + 1) if number not in drawn]
    for board, cities in ends:
        assembly = _with(box, log, board)
        # Projects without a free city are deferred.
        for project, city in zip_longest(projects[: mode.capital_projects - len(drawn)], cities):
            put_overlay(assembly, project, city)
        blanks = lay_blanks(assembly.frontier, assembly.homes)
        yield replace(log, draws=tuple(assembly.draws), blanks=tuple(map(axial_of, blanks)))


def _one_more(
    box: AtlasBox,
    log: AtlasLog,
    left: Mapping[int, tuple[int, bool]],
    boards: Mapping[frozenset[tuple[int, int, int]], _Board],
    most: int,
) -> dict[frozenset[tuple[int, int, int]], _Board]:
    """Boards with one tile more than these, by the set of tiles with their positions, as several
    orders lead to the same board. `left` gives, for each tile, its copies and whether it is dealt
    as a home."""
    grown = {}
    taken = Counter(draw.tile for draw in log.placed)
    for lies, board in boards.items():
        frontier = _with(box, log, board).frontier
        own = Counter(piece.tile.number for piece, _ in board.laid)
        for number, (count, as_home) in left.items():
            if own[number] == count or not (board.homes if as_home else board.others):
                continue
            tile = box.tile_by_number[number]
            homes, others = board.homes - as_home, board.others - (not as_home)
            piece = TilePiece(tile, taken[number] + own[number] + 1)
            for triangle, turns in places_of(frontier, tile):
                for turn in turns if frontier.covered else turns[:1]:
                    key = lies | {(number, triangle, turn)}
                    if key not in grown:
                        grown[key] = _Board(
                            (*board.laid, (piece, Choice(triangle, turn, 0))), homes, others
                        )
            if len(grown) > most:
                raise TooMany
    return grown


def _with(box: AtlasBox, log: AtlasLog, board: _Board) -> Assembly:
    assembly = laid_on(box, log)
    for piece, choice in board.laid:
        put_tile(assembly, piece, choice)
    return assembly


def laid_on(box: AtlasBox, log: AtlasLog) -> Assembly:
    """Return the assembly of the tiles on the table."""
    assembly = Assembly(stack=None)
    cities = {}
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            tile = box.tile_by_number[draw.tile]
            _, triangle, turn = placed_at(tile, draw.at, draw.rotation)
            put_tile(assembly, TilePiece(tile, draw.copy), Choice(triangle, turn, 0))
            cities = {axial_of(city): city for city in assembly.cities}
        elif draw.overlay_at is not None:
            put_overlay(assembly, draw.capital_project, cities[draw.overlay_at])
    return assembly


def _rest(box: AtlasBox, mode: Mode, log: AtlasLog, dice: Dice) -> tuple[Piece, ...]:
    """Return the rest of the pile, shuffled."""
    laid = {(draw.tile, draw.copy) for draw in log.placed}
    left = [
        piece for piece in tiles_in_play(box, mode) if (piece.tile.number, piece.copy) not in laid
    ]
    if mode.stacks:
        _, wanted = undrawn(box, log)
        left = [
            piece
            for kind, count in wanted.items()
            for piece in dice.shuffled(
                [piece for piece in left if mode.deals_as_home(piece.tile) is kind]
            )[:count]
        ]
    used = {draw.capital_project for draw in log.draws if isinstance(draw, ProjectDraw)}
    projects = [number for number in range(1, mode.capital_projects + 1) if number not in used]
    return tuple(
        dice.shuffled([*left, *map(ProjectPiece, projects[: mode.capital_projects - len(used)])])
    )
