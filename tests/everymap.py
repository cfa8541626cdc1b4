"""All legal maps of small boxes, state by state and draw by draw, and how often they are drawn; by
brute force, for tests and benchmarks. Shares nothing with the assembler but its chain and the names
of placements."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import Any

from platelayer.atlas.assemble import assemble
from platelayer.atlas.layouts import Chain, Placed, axial_of, placed_at
from platelayer.foundation.pool import available_processes, share_out
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    AtlasBox,
    AtlasHex,
    Axial,
    Ground,
    MapTile,
    Mode,
    tile_hexes,
    turned,
)
from replay import Held, placements

Layout = frozenset[tuple[int, Axial, int]]
"""Tiles by number with place and rotation; a tile of three equal hexes with rotation 0 or 1."""


GROUNDS = {each.value[0]: each for each in Ground}


def small(
    *tiles: tuple[int, str],
    projects: int = 0,
    first: int = 1,
    step: int = 1,
    bridging: tuple[str, ...] = (),
    **mode: Any,
) -> AtlasBox:
    """A box of so many copies of tiles, each the first letters of three grounds, numbered from
    `first` in steps; homes are those of companies C0, C1 ..., one a tile."""
    designs = tuple(
        MapTile(
            number=first + step * index,
            copies=copies,
            hexes=tuple(
                AtlasHex(ground=GROUNDS[each], company=f"C{index}" if each == "h" else None)
                for each in grounds
            ),  # type: ignore[arg-type]
        )
        for index, (copies, grounds) in enumerate(tiles)
    )
    rules = Mode(
        id="small",
        players=(2,),
        cash=((2, 100),),
        capital_projects=projects,
        cycles=1,
        columns=(1,),
        trains=(),
        **{"removed": (), "tiles_used": 0, **mode},
    )
    return AtlasBox(
        map_tiles=designs,
        modes=(rules,),
        capital_projects=9,
        capital_overlays=9,
        blank_overlays=9,
        bridging=bridging,
    )


BOXES = {
    "three of a kind": small((3, "ppp")),
    "six of a kind": small((6, "ppp")),
    "a border": small((1, "pbp"), (2, "cpp"), projects=1),
    "two borders": small((1, "bpm"), (1, "mbc"), (1, "ccp"), projects=2),
    "five, two of them borders": small((2, "bpp"), (3, "ppp")),
    "stacks": small(
        *((1, "hpp"), (1, "hcp"), (2, "ccc"), (2, "ppp")),
        **{"projects": 1, "stacks": 2, "homes_per_stack": 1, "tiles_used": 3},
    ),
}


def moved(tiles: list[tuple[int, Axial, int]], box: AtlasBox, turn: int) -> Layout:
    """A layout turned, and shifted so that its first hex lies at (0, 0)."""
    raw = []
    for number, place, before in tiles:
        at, rotation = turned(place, turn), (before + turn) % 6
        if (
            len(set(box.tile_by_number[number].hexes)) == 1
        ):  # the one of three equal rotations that a log would have
            corners = tile_hexes(at, rotation)
            at, rotation = next(
                (each, rotation % 2)
                for each in corners
                if set(tile_hexes(each, rotation % 2)) == set(corners)
            )
        raw.append((number, at, rotation))
    low = min(each for _, at, rotation in raw for each in tile_hexes(at, rotation))
    return frozenset(
        (number, Axial(at.q - low.q, at.r - low.r), rotation) for number, at, rotation in raw
    )


def turns_of(layout: Layout, box: AtlasBox) -> set[Layout]:
    return {moved(list(layout), box, turn) for turn in range(6)}


def in_play(box: AtlasBox, laid: Counter[int]) -> Iterator[MapTile]:
    """Tiles that may still be drawn, by what a stack can have."""
    mode = box.modes[0]
    homes = {
        tile.number
        for tile in box.map_tiles
        if any(each.ground is Ground.HOME for each in tile.hexes)
    }
    of_homes = sum(count for number, count in laid.items() if number in homes)
    for tile in box.map_tiles:
        if laid[tile.number] == tile.copies:
            continue
        if mode.stacks:
            is_home = tile.number in homes
            if (of_homes if is_home else laid.total() - of_homes) == (
                mode.homes_per_stack if is_home else mode.tiles_used - mode.homes_per_stack
            ):
                continue
        yield tile


def size_of(box: AtlasBox) -> int:
    return box.modes[0].tiles_used or sum(tile.copies for tile in box.map_tiles)


@cache
def layouts(name: str) -> dict[Layout, int]:
    """All legal layouts of a box, not turned into each other, each once, with the number of turns
    that look different: state by state."""
    box = BOXES[name]
    states: set[Layout] = {frozenset()}
    for _ in range(size_of(box)):
        found: set[Layout] = set()
        for state in states:
            held: Held = {}
            for number, at, rotation in state:
                held |= dict(
                    zip(tile_hexes(at, rotation), box.tile_by_number[number].hexes, strict=True)
                )
            for tile in in_play(box, Counter(number for number, _, _ in state)):
                for at, rotation in placements(held, tile) if held else [(Axial(0, 0), 0)]:
                    new = [*state, (tile.number, at, rotation)]
                    found.add(min((moved(new, box, turn) for turn in range(6)), key=sorted))
        states = found
    return {state: len(turns_of(state, box)) for state in states}


def capitals_of(box: AtlasBox, layout: Layout) -> list[frozenset[Axial]]:
    cities = [
        place
        for number, at, rotation in layout
        for place, each in zip(
            tile_hexes(at, rotation), box.tile_by_number[number].hexes, strict=True
        )
        if each.ground is Ground.CITY
    ]
    return [*map(frozenset, combinations(cities, min(len(cities), box.modes[0].capital_projects)))]


def count(name: str) -> Fraction:
    """Maps of a box: layouts, a symmetrical one for less than 1, with their capitals."""
    return sum(
        (
            Fraction(turns, 6) * len(capitals_of(BOXES[name], each))
            for each, turns in layouts(name).items()
        ),
        Fraction(),
    )


def logs(box: AtlasBox) -> Iterator[tuple[Fraction, list[Placed], int]]:
    """All that the assembler may draw, projects apart: probability, tiles in order, the product of
    their alternatives."""
    mode = box.modes[0]
    copies = {tile.number: tile.copies for tile in box.map_tiles}
    homes = {
        tile.number
        for tile in box.map_tiles
        if any(each.ground is Ground.HOME for each in tile.hexes)
    }

    def more(
        chance: Fraction, tiles: list[Placed], held: Held, ways: int
    ) -> Iterator[tuple[Fraction, list[Placed], int]]:
        if len(tiles) == size_of(box):
            yield chance, tiles, ways
            return
        laid = Counter(each.tile.number for each in tiles)
        # What is dealt as a home or not comes up as often as there is room left for it in the
        # stack.
        rooms = {True: size_of(box), False: size_of(box)}
        if mode.stacks:
            rooms = {True: mode.homes_per_stack, False: mode.tiles_used - mode.homes_per_stack}
            room = {
                kind: rooms[kind] - sum(n for each, n in laid.items() if (each in homes) == kind)
                for kind in rooms
            }
        for tile in in_play(box, laid):
            kind = tile.number in homes
            left = sum(
                copies[each] - laid[each]
                for each in copies
                if not mode.stacks or (each in homes) == kind
            )
            share = Fraction(copies[tile.number] - laid[tile.number], left)
            if mode.stacks:
                share *= Fraction(room[kind], sum(room.values()))
            options = placements(held, tile) if held else [(Axial(0, 0), 0)]
            for at, rotation in options:
                after = held | dict(zip(tile_hexes(at, rotation), tile.hexes, strict=True))
                new = [*tiles, placed_at(tile, at, rotation)]
                yield from more(chance * share / len(options), new, after, ways * len(options))

    yield from more(Fraction(1), [], {}, 1)


def chain_of(box: AtlasBox, seed: int) -> Chain:
    """A chain that starts with the uniform map of a seed."""
    first = assemble(box, "small", seed=seed, policy="uniform")
    tiles = [
        placed_at(box.tile_by_number[draw.tile], draw.at, draw.rotation) for draw in first.placed
    ]
    return Chain(box, box.modes[0], tiles, Dice(seed + 2**40))


def drawn(name: str, seeds: Iterable[int], sweeps: int) -> Counter[Layout]:
    """How often each layout, turned or not, is where a chain of so many sweeps ends: one chain for
    each seed, all from one map (without sweeps: from the uniform map of the seed)."""
    box, ends = BOXES[name], Counter[tuple[Placed, ...]]()
    start = chain_of(box, 0).placed
    for seed in seeds:
        chain = (
            Chain(box, box.modes[0], start, Dice(seed + 2**40)) if sweeps else chain_of(box, seed)
        )
        chain.run(sweeps * len(start))
        away = 2 * (chain.placed[0].hexes[0])  # a map that lies elsewhere is the same
        ends[tuple(each._replace(triangle=each.triangle - away) for each in chain.placed)] += 1
    seen = Counter[Layout]()
    for tiles, often in ends.items():
        seen[shape_of(box, [*tiles])] += often
    return seen


def drawn_by_all(name: str, draws: int, sweeps: int) -> Counter[Layout]:
    """The same for seeds from 0, by all processors."""
    shares = [range(first, min(first + 2000, draws)) for first in range(0, draws, 2000)]
    found = Counter[Layout]()
    for each in share_out(
        partial(drawn, name, sweeps=sweeps), shares, processes=available_processes()
    ):
        found.update(each)
    return found


def chi_square(name: str, seen: Counter[Layout]) -> tuple[float, int]:
    """Chi-square against each map (a layout with its capitals) being as likely, and its degrees of
    freedom."""
    box, draws = BOXES[name], seen.total()
    cells = {
        turn: len(capitals_of(box, layout))
        for layout in layouts(name)
        for turn in turns_of(layout, box)
    }
    if not set(seen) <= set(cells):
        return math.inf, len(cells) - 1
    total = sum(cells.values())
    chi = math.fsum(
        (seen[cell] - draws * each / total) ** 2 / (draws * each / total)
        for cell, each in cells.items()
    )
    return chi, len(cells) - 1


def shape_of(box: AtlasBox, tiles: list[Placed]) -> Layout:
    return moved([(each.tile.number, *place_of(each, tiles)) for each in tiles], box, 0)


def place_of(placed: Placed, tiles: list[Placed]) -> tuple[Axial, int]:
    """Where a tile lies, as if another lay at (0, 0)."""
    return axial_of(placed.hexes[0] - tiles[0].hexes[0]), placed.rotation


def likelihood(chi: float, freedom: int) -> float:
    """How often chi-square is as great by chance (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return math.erfc(((chi / freedom) ** (1 / 3) - 1 + part) / math.sqrt(2 * part)) / 2
