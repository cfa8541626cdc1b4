"""A box, what a survey asks for and a range of its maps in, one row of measures for each map out."""

from __future__ import annotations

import hashlib

from msgspec import Struct

from platelayer.atlas.assemble import ALGORITHM, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.measures import MEASURES, Surveyor
from platelayer.model.atlas import AtlasBox

COLUMNS = ("map", "seed", "restarts", *MEASURES)
"""Of a row: the number of the map from 0, its seed, its restarts, its measures."""
_SEED_BYTES = 6


class WrongMap(Exception):
    """Raised when a map that the assembler made does not pass the independent check."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Which maps a survey asks for; two surveys of equal settings have equal maps."""

    mode: str
    policy: str
    seed: int
    blanks: int | None = None
    algorithm: str = ALGORITHM
    columns: tuple[str, ...] = COLUMNS


def seed_of_map(seed: int, number: int) -> int:
    """The seed of map `number` (from 0) of a survey: the first 6 bytes, as one big-endian number, of the SHA-256 of
    the text "SEED:NUMBER" in ASCII. So it depends on nothing else, neither on workers nor on the maps before."""
    digest = hashlib.sha256(f"{seed}:{number}".encode("ascii")).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")


def rows_of(box: AtlasBox, wanted: Wanted, first: int, end: int, *, check: bool = False) -> str:
    """Rows of CSV for the maps from `first` to `end` - 1, without a header; with `check`, each is checked too.

    Raises WrongMap, naming the seed, and what `assemble` raises.
    """
    surveyor = Surveyor(box)
    lines = []
    for number in range(first, end):
        seed = seed_of_map(wanted.seed, number)
        log = assemble(box, wanted.mode, seed=seed, policy=wanted.policy, blanks=wanted.blanks)
        if check and (found := check_log(box, log)):
            raise WrongMap(f"mode {wanted.mode}, policy {wanted.policy}, seed {seed}: {found[0].message}")
        values = (number, seed, log.restarts, *surveyor.measure(log).values())
        lines.append(",".join(map(repr, values)) + "\n")
    return "".join(lines)
