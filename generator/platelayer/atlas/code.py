"""Codes of maps: the whole log of a map in about 120 letters and digits, as links have it.

A code is "1" (its version), a number in base 62, and four check digits. The number packs the fields
of the log one after another, the first in its lowest places: each field is a whole number below a
bound that is known before it is read (docs/formats.md). Places are counted from the least q and r
of the map, so a map reads back with its first tile at (0, 0).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest

from msgspec.structs import replace

from platelayer.atlas.assemble import ALGORITHM, POLICIES, ways_to_lay
from platelayer.atlas.even import borders_of
from platelayer.atlas.frontier import Frontier, number_of
from platelayer.atlas.table import with_blanks
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.seeds import MAX_SEED
from platelayer.model.map_tiles import (
    HAND,
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)

_VERSION = "1"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_CHECK_DIGITS = 4
# The largest prime that fits: no single wrong digit, and no two neighbours exchanged, keep the rest.
_PRIME = 14_776_331
# Bounds of the fields, by those of the format of definitions.
_MODES, _STACKS, _LIMITS, _POLICIES = 20, 10, 202, 16
_RESTARTS, _MANY_RESTARTS = 32, 1_000_001
_SEEDS = 10**9
_DRAWS, _TILES, _PROJECTS, _PLACES, _TURNS = 501, 1000, 21, 402, 6


def encode(box: AtlasBox, log: AtlasLog) -> str:
    """Return the code of a legal map, complete or half-laid. Measures are left out, and the seed of
    a map that another assembler made. Raises ValueError for a map that does not fit the box."""
    number, scale = 0, 1

    def put(bound: int, value: int) -> int:
        nonlocal number, scale
        if not 0 <= value < bound:
            raise ValueError(f"{value} is not below {bound}")
        number, scale = number + scale * value, scale * bound
        return value

    _walked(box, put, log)
    code = _VERSION + _text(number)
    return code + _text(_number(code) % _PRIME).rjust(_CHECK_DIGITS, _DIGITS[0])


def decode(box: AtlasBox, code: str) -> AtlasLog:
    """Return the log that a code, or a link that ends in "=" and a code, stands for; it need not be
    legal. Raises ProblemsFound (AT23) for anything else."""
    code = re.sub(r"\s", "", code.rpartition("=")[2])
    body, check = code[:-_CHECK_DIGITS], code[-_CHECK_DIGITS:]
    number = 0

    def take(bound: int, _value: int) -> int:
        nonlocal number
        number, value = divmod(number, bound)
        return value

    try:
        if code[0] != _VERSION or _number(body) % _PRIME != _number(check):
            raise ValueError(code)
        number = _number(body[1:])
        log = _walked(box, take, replace(_NOTHING, mode=next(iter(box.mode_by_id))))
        if number:
            raise ValueError(code)
    except (KeyError, IndexError, ValueError) as error:
        message = f"{code[:12]}... is no code of a map of this title, or damaged"
        hint = "copy the code or the link whole: capitals and small letters differ"
        raise ProblemsFound([Problem("AT23", message, hint)]) from error
    return log


_NOTHING = AtlasLog(mode="", seed=None, policy=HAND, algorithm=HAND, draws=(), blanks=())


def _walked(box: AtlasBox, field: Callable[[int, int], int], log: AtlasLog) -> AtlasLog:
    """Walk through the fields of a code, and return the log that they make. `field` takes the bound of
    each and its value in a log: it writes that value, or reads another. Raises KeyError, IndexError
    or ValueError for faulty fields."""

    def sized(usual: int, bound: int, value: int) -> int:
        return field(bound if field(2, int(value >= usual)) else usual, value)

    modes, policies = [*box.mode_by_id], [*POLICIES]
    ruled = log.blanks == with_blanks(box, log).blanks
    given = () if ruled else log.blanks
    places = [*(draw.at for draw in log.placed), *log.overlays, *given] or [Axial(0, 0)]
    least, most = (Axial(*map(end, zip(*places, strict=True))) for end in (min, max))
    mode = modes[field(_MODES, modes.index(log.mode))]
    stack = field(_STACKS, log.stack or 0)
    limit = field(_LIMITS, 0 if log.blank_limit is None else log.blank_limit + 1)
    seed, policy, algorithm, restarts = None, HAND, HAND, 0
    known = log.policy in POLICIES and log.seed is not None
    if field(2, int(log.algorithm == ALGORITHM and known)):
        policy, algorithm = (
            policies[field(_POLICIES, policies.index(log.policy) if known else 0)],
            ALGORITHM,
        )
        restarts = sized(_RESTARTS, _MANY_RESTARTS, log.restarts)
        seed = sized(_SEEDS, MAX_SEED + 1, log.seed or 0)
    count = field(_DRAWS, len(log.draws))
    largest = field(_TILES, max((draw.tile for draw in log.placed), default=0))
    spans = [field(_PLACES, last - first + 1) for first, last in zip(least, most, strict=True)]
    first: Axial | None = None

    def place(at: Axial) -> Axial:
        """The place of a hex, from that of the first tile."""
        nonlocal first
        steps = zip(spans, at, least, strict=True)
        read = Axial(*(field(span, value - start) for span, value, start in steps))
        if first is None:
            first = read
        return Axial(read.q - first.q, read.r - first.r)

    copies = {tile.number: [*range(1, tile.copies + 1)] for tile in box.map_tiles}
    frontier, draws = Frontier(), list[Draw]()
    for order in range(1, count + 1):
        draw = log.draws[order - 1] if log.draws else None
        laid = draw if isinstance(draw, TileDraw) else TileDraw(0, 0, 0, least, 0)
        if tile := field(largest + 1, laid.tile):
            left = copies[tile]
            copy = left.pop(field(len(left), left.index(laid.copy) if laid.tile else 0))
            at, rotation = place(laid.at), field(_TURNS, laid.rotation)
            alternatives = 0
            if algorithm == ALGORITHM:
                hexes = [number_of(each) for each in tile_hexes(at, rotation)]
                printed = box.tile_by_number[tile]
                alternatives = ways_to_lay(frontier, printed)
                frontier.lay(hexes, [hexes[index] for index in borders_of(printed)])
            draws.append(TileDraw(order, tile, copy, at, rotation, alternatives))
            continue
        project = draw if isinstance(draw, ProjectDraw) else ProjectDraw(0, 0, None)
        number, on = field(_PROJECTS, project.capital_project), project.overlay_at
        city = place(on or least) if field(2, int(on is not None)) else None
        draws.append(ProjectDraw(order, number, city))
    blanks: tuple[Axial, ...] = ()
    if not (ruled := bool(field(2, int(ruled)))):
        listed = field(_DRAWS, len(given))
        blanks = tuple(place(at) for at, _ in zip_longest(given, range(listed), fillvalue=least))
    made = AtlasLog(
        mode=mode,
        seed=seed,
        policy=policy,
        algorithm=algorithm,
        draws=tuple(draws),
        blanks=blanks,
        restarts=restarts,
        stack=stack or None,
        blank_limit=limit - 1 if limit else None,
    )
    return with_blanks(box, made) if ruled else made


def seed_of(code: str) -> int:
    """Return the seed of everything that is shuffled for a map: the same for the same code."""
    return _number(code) % (MAX_SEED + 1)


def _text(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def _number(text: str) -> int:
    """Raises KeyError for anything but letters and digits."""
    number = 0
    for letter in text:
        number = number * len(_DIGITS) + _VALUES[letter]
    return number
