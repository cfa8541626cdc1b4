"""Rows of measures, one per map."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from platelayer.atlas.assemble import ALGORITHM, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import compiled
from platelayer.atlas.measure_names import MEASURES
from platelayer.atlas.measures import Surveyor
from platelayer.model.atlas import AtlasBox, AtlasLog

COLUMNS = ("map", "seed", "restarts", *MEASURES)
"""Of a row: the number of the map from 0, its seed, its restarts, its measures."""
Columns = list[list[float]]
"""The values of some maps, column by column."""
_SEED_BYTES = 6
_WHOLE, _MEAN = r"-?[0-9]{1,16}", r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?"


class WrongMap(Exception):
    """Raised when a map from the assembler fails the independent check; its arguments are the code
    of the problem and a message."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Which maps a survey makes; two surveys with equal settings have equal maps. `box` tells a box
    of one's own from others: a digest of it."""

    mode: str
    policy: str
    seed: int
    blanks: int | None = None
    box: str = ""
    algorithm: str = ALGORITHM
    columns: tuple[str, ...] = COLUMNS


def seed_of_map(seed: int, number: int) -> int:
    """The seed of map `number` (from 0) of a survey: the first 6 bytes, as one big-endian number,
    of the SHA-256 of the text "SEED:NUMBER" in ASCII. So it depends on nothing else: neither on
    workers nor on earlier maps."""
    digest = hashlib.sha256(f"{seed}:{number}".encode("ascii")).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")


def map_of(box: AtlasBox, wanted: Wanted, number: int) -> AtlasLog:
    """Map `number` of a survey. Raises what `assemble` raises."""
    seed = seed_of_map(wanted.seed, number)
    return assemble(box, wanted.mode, seed=seed, policy=wanted.policy, blanks=wanted.blanks)


def same_version(wanted: Wanted) -> None:
    """Raises ValueError where this is another version of Platelayer, as it may be on a worker far
    away."""
    if (wanted.algorithm, wanted.columns) != (ALGORITHM, COLUMNS):
        raise ValueError(
            f"the maps are to be made with {wanted.algorithm}, but this is another version of Platelayer"
        )


def rows_of(box: AtlasBox, wanted: Wanted, first: int, end: int, *, check: bool = False) -> str:
    """Rows of CSV for the maps from `first` to `end` - 1, without a header; with `check`, each is
    checked too.

    Raises WrongMap, naming the seed, ValueError for maps of another version of Platelayer, and what
    `assemble` raises.
    """
    same_version(wanted)
    seeds = [seed_of_map(wanted.seed, number) for number in range(first, end)]
    core = compiled(box, wanted.mode, wanted.policy, wanted.blanks)
    fast = [] if core is None else core.rows(seeds, check=check)  # none if one of them is wrong
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
    """Restarts and measures of maps, one by one; raises WrongMap."""
    surveyor = Surveyor(box)
    for number in range(first, end):
        log = map_of(box, wanted, number)
        if check and (problems := check_log(box, log)):
            words = f"mode {wanted.mode}, policy {wanted.policy}, seed {log.seed}: {problems[0].message}"
            raise WrongMap(problems[0].code, words)
        yield log.restarts, surveyor.measure(log)


def read_rows(text: str, wanted: Wanted, first: int, end: int) -> Columns:
    """The columns of what `rows_of` makes for the maps from `first` to `end` - 1.

    Raises ValueError for a text that does not have exactly one row for each of these maps in order,
    each with its seed and a number in every column: a whole number or, in the column of a mean, one
    with decimals.
    """
    fits, kinds = _shape(wanted.columns)
    lines = text.split("\n")
    if lines.pop() or len(lines) != end - first:
        raise ValueError(f"{len(lines)} rows for {end - first} maps")
    for number, line in enumerate(lines, start=first):
        if not fits(line):
            raise ValueError(f"the row of map {number} does not have a number in every column")
    words = zip(*(line.split(",") for line in lines), strict=True)
    columns: Columns = [list(map(kind, column)) for kind, column in zip(kinds, words, strict=True)]
    for number, named in zip(range(first, end), zip(*columns[:2], strict=True), strict=True):
        if named != (number, seed_of_map(wanted.seed, number)):
            raise ValueError(f"the row of map {number} belongs to another map")
    return columns


@cache
def _shape(
    columns: tuple[str, ...],
) -> tuple[Callable[[str], object], tuple[type[int] | type[float], ...]]:
    """A pattern that recognises a row, and the type of each column."""
    whole = [is_whole(name) for name in columns]
    pattern = re.compile(",".join(_WHOLE if is_int else _MEAN for is_int in whole))
    return pattern.fullmatch, tuple(int if is_int else float for is_int in whole)


def is_whole(name: str) -> bool:
    """Does a column contain only whole numbers?"""
    return not name.endswith(("_mean", "_centrality", "fairness"))
