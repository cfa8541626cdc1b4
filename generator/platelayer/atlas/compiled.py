"""The compiled twin of the assembler, the measures and the check: many maps at once.

`compiled.c` and `compiled_check.c` do what `assemble`, `measures` and `check` do, many times as
fast; a test compares them seed by seed. The library is built when Platelayer is installed where
there is a C compiler (`generator/build_compiled.py`). Everything works without it too, only more
slowly.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from operator import itemgetter
from typing import Any

from platelayer.atlas import assemble as score
from platelayer.atlas.assemble import ALGORITHM, MAX_RESTARTS, POLICIES, assemble
from platelayer.atlas.check import (
    CAPITAL_INCOME,
    CITY_INCOME,
    DESTINATION_INCOME,
    GREEN_CAPITAL_INCOME,
    GREEN_CITY_INCOME,
    GREEN_DESTINATION_INCOME,
    MIN_CONTACT,
    SUBURB_INCOME,
    check_log,
    faces_of,
)
from platelayer.atlas.layouts import MIN_CONTACTS, at, borders_of, library, looks_alike, numbers
from platelayer.atlas.measures import (
    GREEN_TRAINS,
    MEASURES,
    MEASURES_VERSION,
    NONE,
    REACH,
    TRAINS,
    Surveyor,
    evenness_of,
)
from platelayer.atlas.report import HEX_MM, size_mm
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import AtlasBox, AtlasLog, Ground, MapTile, Mode

# In the order of the enum in compiled.c.
_GROUNDS = [*Ground]
_CHECKED = {Ground.HOME: 1, Ground.CITY: 2, Ground.BORDER: 3}
_MAX_TRAINS, _MAX_DESTINATIONS = 8, 64
_NUMBERS = (
    *(
        "restarts",
        "columns",
        "half_rows",
        "hexes",
        "blanks",
        "perimeter",
        "diameter",
        "gaps",
        "gap_hexes",
        "homes",
    ),
    *("destinations", "destinations_blocked", "dead_exits", "land_parts", "land_largest"),
    *("capital_steps", "capital_pairs", "city_steps", "city_pairs"),
    *(
        "home_pairs_apart",
        "dead_land",
        "homes_short_of_cities",
        "homes_without_destination",
        "homes_without_capital",
    ),
    *("stranded_homes", "worth", "worth_apart"),
)
_SPREADS = (
    *(
        "home_distance",
        "home_land",
        "income",
        "mountain_cost",
        "city_way",
        "destination_way",
        "destination_cost",
    ),
    *("capital_way", "capital_cost", "rivals", *(f"train_{number}" for number in TRAINS)),
)
# Maximum dead ends of one map, times the square of the number of pieces: a few tenths of a second,
# because Ctrl-C waits for the library. A map with more dead ends is left to the Python modules.
_DEAD_ENDS = 10**7
_ROW = len(_NUMBERS) + 4 * (len(_SPREADS) - len(TRAINS) + _MAX_TRAINS)
_DRAW = 6


class Compiled(Frozen, kw_only=True):
    """The tables of a mode and a policy in the library's form."""

    library: Any
    settings: array[int]
    tiles: array[int]
    rules: array[int]
    designs: array[int]
    room: int

    def rows(self, seeds: Sequence[int], *, check: bool = False) -> list[Measured]:
        """Measure the map of each seed.

        Return no rows if the library cannot make all maps, or if `check` finds one that breaks a
        rule: the modules in Python then say what is wrong.
        """
        count, wanted = len(seeds), array("Q", seeds)
        rows = numbers(count * _ROW)
        logs = (
            [numbers(count * self.room * _DRAW), numbers(count * self.room * 2), numbers(count * 3)]
            if check
            else []
        )
        pointers = [at(log) for log in logs] or [None] * 3
        fault = self.library.platelayer_maps(
            at(self.settings), at(self.tiles), at(wanted), count, at(rows), self.room, *pointers
        )
        if fault:
            return []
        if check:
            sound = self.library.platelayer_check(
                at(self.rules), at(self.designs), count, self.room, *pointers
            )
            if sound != count:
                return []
        return [Measured(rows[index * _ROW : (index + 1) * _ROW]) for index in range(count)]


@cache
def compiled(box: AtlasBox, mode_id: str, policy_id: str, blanks: int | None) -> Compiled | None:
    """Return the library with the tables of a mode and a policy; None without a library, for a
    policy that it lacks ("even"), and for a box too large for it."""
    core, mode, policy = library(), box.mode_by_id[mode_id], POLICIES[policy_id]
    destinations = sum(
        tile.copies
        for tile in box.map_tiles
        if any(hexagon.ground is Ground.DESTINATION for hexagon in tile.hexes)
    )
    if core is None or policy.sweeps or destinations > _MAX_DESTINATIONS:
        return None
    removed = dict(mode.removed)
    in_play = [
        (tile, tile.copies - removed.get(tile.number, 0))
        for tile in sorted(box.map_tiles, key=lambda tile: tile.number)
    ]
    pieces = sum(copies for _, copies in in_play) + mode.capital_projects * max(1, mode.stacks)
    dead_ends = min(MAX_RESTARTS, max(1, _DEAD_ENDS // pieces**2))
    limit = -1 if blanks is None else min(blanks, 2**31 - 1)
    others = sum(copies for tile, copies in in_play if not mode.deals_as_home(tile))
    trains = [(number, track, int(number in GREEN_TRAINS)) for number, track in TRAINS.items()]
    settings = (
        *(
            len(in_play),
            mode.stacks,
            mode.homes_per_stack,
            mode.capital_projects,
            policy.maps,
            limit,
            dead_ends,
        ),
        int(not (set(box.homeless) - set(mode.absent)).isdisjoint(box.bridging)),
        *(REACH, len(TRAINS), MIN_CONTACTS),
        *(CAPITAL_INCOME, GREEN_CAPITAL_INCOME, DESTINATION_INCOME, GREEN_DESTINATION_INCOME),
        *(CITY_INCOME, GREEN_CITY_INCOME, SUBURB_INCOME),
        *(score.LONG, score.CROWDED, score.CRAMPED, score.APART),
        *policy.weights,
        *(number for train in trains for number in train),
        *([0] * 3 * (_MAX_TRAINS - len(trains))),
    )
    of_others = mode.tiles_used - mode.homes_per_stack
    in_pile = (mode.tiles_used or sum(copies for _, copies in in_play)) + mode.capital_projects
    rules = (
        *(len(in_play), mode.stacks, mode.homes_per_stack, of_others, mode.capital_projects),
        *(
            min(box.capital_projects, mode.capital_projects * max(1, mode.stacks)),
            in_pile,
            limit,
            MIN_CONTACT,
        ),
    )
    if mode.stacks and others // mode.stacks != of_others:
        return None
    return Compiled(
        library=core,
        settings=array("i", settings),
        tiles=array(
            "i", [number for tile, copies in in_play for number in _tile(box, mode, tile, copies)]
        ),
        rules=array("i", rules),
        designs=array(
            "i", [number for tile, copies in in_play for number in _design(mode, tile, copies)]
        ),
        room=21 * pieces + 2,
    )


def _tile(box: AtlasBox, mode: Mode, tile: MapTile, copies: int) -> Iterable[int]:
    yield copies
    yield mode.deals_as_home(tile)
    yield sum(1 << place for place in borders_of(tile))
    yield 1 if looks_alike(tile) else 3
    yield sum(
        1 << place for place, hexagon in enumerate(tile.hexes) if hexagon.company in box.bridging
    )
    yield tile.number in mode.stack_homes
    for powers in (dict(box.mountain_bonuses), dict(box.extra_stops), dict(box.suburbs)):
        for hexagon in tile.hexes:
            yield powers.get(hexagon.company or "", 0)
    for rotation in range(6):
        for face in faces_of(tile, rotation):
            exits = sum(1 << edge for edge in face.exits)
            yield from (
                _GROUNDS.index(face.ground),
                face.open_edges,
                exits,
                face.income,
                face.green,
                face.cost,
            )


def _design(mode: Mode, tile: MapTile, copies: int) -> Iterable[int]:
    # Computed here for the check, which shares no code with the assembler, not even for whether the
    # hexes of a tile are equal.
    first, second, third = tile.hexes
    yield copies
    yield tile.number in mode.stack_homes or any(
        hexagon.ground is Ground.HOME for hexagon in tile.hexes
    )
    yield not (first == second == third and first.tile is None)
    yield from (_CHECKED.get(hexagon.ground, 0) for hexagon in tile.hexes)


class Measured:
    """A map as measured by the library: a row of whole numbers, from which the requested measures
    are read."""

    def __init__(self, row: Sequence[int]) -> None:
        self._row = row

    @property
    def restarts(self) -> int:
        """Dead ends before the map."""
        return self._row[0]

    def value(self, measure: str) -> float:
        """Return one measure."""
        return _READ[measure](self._row)

    def values(self) -> dict[str, float]:
        """Return all MEASURES, in order."""
        row = self._row
        return {name: _READ[name](row) for name in MEASURES}


Reading = Callable[[Sequence[int]], float]


def _readings() -> dict[str, Reading]:
    """Return, for each of MEASURES, the function that reads it from a row."""
    readings: dict[str, Reading] = {
        name: itemgetter(place) for place, name in enumerate(_NUMBERS) if name in MEASURES
    }
    for place, name in enumerate(_SPREADS):
        readings |= _spread(name, len(_NUMBERS) + 4 * place)
    readings["table_short_mm"], readings["table_long_mm"] = partial(_side, min), partial(_side, max)

    def centrality(row: Sequence[int]) -> float:
        to_capitals, capitals, to_cities, cities = row[_CENTRE : _CENTRE + 4]
        return round(to_capitals / capitals / (to_cities / cities), 4) if capitals else NONE

    def fairness(row: Sequence[int]) -> float:
        homes = row[_HOMES]
        return round(evenness_of(homes, row[_WORTH], row[_WORTH + 1]), 4) if homes else NONE

    return readings | {"fairness": fairness, "capital_centrality": centrality}


def _spread(name: str, first: int) -> dict[str, Reading]:
    """Return readings of the minimum, the mean and the maximum of values for which the library
    stores count, sum, minimum and maximum."""
    return {
        f"{name}_min": lambda row: row[first + 2] if row[first] else NONE,
        f"{name}_mean": lambda row: round(row[first + 1] / row[first], 4) if row[first] else NONE,
        f"{name}_max": lambda row: row[first + 3] if row[first] else NONE,
    }


def _side(which: Callable[[tuple[int, int]], int], row: Sequence[int]) -> int:
    return which(size_mm(row[_COLUMNS], row[_COLUMNS + 1], HEX_MM)) if row[_HEXES] else 0


_COLUMNS, _HEXES, _HOMES, _CENTRE, _WORTH = map(
    _NUMBERS.index, ("columns", "hexes", "homes", "capital_steps", "worth")
)
_READ = _readings()


# Rows of measures, one for each map.


# Columns of a row: the map's number, counted from 0, its seed, its restarts, its measures.
COLUMNS = ("map", "seed", "restarts", *MEASURES)
# Values of some maps, column by column.
Columns = list[list[float]]
_SEED_BYTES = 6


class WrongMap(Exception):
    """Raised when a map from the assembler fails the independent check; its arguments are the code
    of the problem and a message."""


class Wanted(Frozen, kw_only=True):
    """Maps of a survey; surveys with equal settings have equal maps and measures. `box` identifies
    a custom box by its digest."""

    mode: str
    policy: str
    seed: int
    blanks: int | None = None
    box: str = ""
    algorithm: str = ALGORITHM
    measures: int = MEASURES_VERSION
    columns: tuple[str, ...] = COLUMNS


def seed_of_map(seed: int, number: int) -> int:
    """Return the seed of map `number` (from 0) of a survey: the first 6 bytes, as one big-endian
    number, of the SHA-256 of the text "SEED:NUMBER" in ASCII. It depends on nothing else,
    neither on workers nor on earlier maps."""
    digest = hashlib.sha256(f"{seed}:{number}".encode("ascii")).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")


def map_of(box: AtlasBox, wanted: Wanted, number: int) -> AtlasLog:
    """Return map `number` of a survey. Raises what `assemble` raises."""
    seed = seed_of_map(wanted.seed, number)
    return assemble(box, wanted.mode, seed=seed, policy=wanted.policy, blanks=wanted.blanks)


def same_version(wanted: Wanted) -> None:
    """Raise ValueError if this is another version of Platelayer, as may happen on a remote
    worker."""
    if (wanted.algorithm, wanted.measures, wanted.columns) != (
        ALGORITHM,
        MEASURES_VERSION,
        COLUMNS,
    ):
        raise ValueError(
            f"the maps are to be made with {wanted.algorithm}, but this is another version of Platelayer"
        )


def rows_of(box: AtlasBox, wanted: Wanted, first: int, end: int, *, check: bool = False) -> str:
    """Return rows of CSV for the maps from `first` to `end` - 1, without a header; with `check`,
    each map is checked too.

    Raises WrongMap, naming the seed, ValueError for maps of another version of Platelayer, and what
    `assemble` raises.
    """
    same_version(wanted)
    seeds = [seed_of_map(wanted.seed, number) for number in range(first, end)]
    core = compiled(box, wanted.mode, wanted.policy, wanted.blanks)
    fast = [] if core is None else core.rows(seeds, check=check)  # empty if one of them is wrong
    rows = (
        ((row.restarts, row.values()) for row in fast)
        if fast
        else _python_rows(box, wanted, first, end, check=check)
    )
    return "".join(
        ",".join(map(repr, (number, seed, restarts, *measures.values()))) + "\n"
        for number, seed, (restarts, measures) in zip(range(first, end), seeds, rows, strict=True)
    )


def _python_rows(
    box: AtlasBox, wanted: Wanted, first: int, end: int, *, check: bool
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield restarts and measures of maps, one by one; raises WrongMap."""
    surveyor = Surveyor(box)
    for number in range(first, end):
        log = map_of(box, wanted, number)
        if check and (problems := check_log(box, log)):
            words = f"mode {wanted.mode}, policy {wanted.policy}, seed {log.seed}: {problems[0].message}"
            raise WrongMap(problems[0].code, words)
        yield log.restarts, surveyor.measure(log)


def read_rows(text: str, wanted: Wanted, first: int, end: int) -> Columns:
    """Return the columns of the text that `rows_of` makes for the maps from `first` to `end` - 1.

    Raises ValueError for a text that does not have exactly one row for each of these maps in order,
    each with its seed and a number in every column.
    """
    kinds = [int if is_whole(name) else float for name in wanted.columns]
    words = zip(*(line.split(",") for line in text.splitlines()), strict=True)
    columns = [[*map(kind, column)] for kind, column in zip(kinds, words, strict=True)]
    numbers = range(first, end)
    if columns[:2] != [[*numbers], [seed_of_map(wanted.seed, number) for number in numbers]]:
        raise ValueError("these are rows of other maps")
    return columns


def is_whole(name: str) -> bool:
    """Return True if a column contains only whole numbers."""
    return not name.endswith(("_mean", "_centrality", "fairness"))
