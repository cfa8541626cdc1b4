"""Codes of maps: the whole log of a map in about 120 letters and digits, as links have it.

A code is "1" (its version), a number in base 62, and four check digits. The number packs the fields
of the log one after another, the first in its lowest places: each field is a whole number below a
bound that is known before it is read (docs/formats.md). Places are counted from the least q and r
of the map, so a map reads back with its first tile at (0, 0).
"""

from __future__ import annotations

import re

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
_SHORTEST = 12


def encode(box: AtlasBox, log: AtlasLog) -> str:
    """Return the code of a legal map, complete or half-laid. Measures are left out, and the seed of
    a map that another assembler made. Raises ValueError for a map that does not fit the box."""
    fields: list[tuple[int, int]] = []

    def put(value: int, bound: int) -> None:
        if not 0 <= value < bound:
            raise ValueError(f"{value} is not below {bound}")
        fields.append((value, bound))

    def put_sized(value: int, usual: int, bound: int) -> None:
        put(int(value >= usual), 2)
        put(value, bound if value >= usual else usual)

    ruled = log.blanks == with_blanks(box, log).blanks
    blanks = () if ruled else log.blanks
    places = [*(draw.at for draw in log.placed), *log.overlays, *blanks] or [Axial(0, 0)]
    least = Axial(*map(min, zip(*places, strict=True)))
    most = Axial(*map(max, zip(*places, strict=True)))
    spans = [last - first + 1 for first, last in zip(least, most, strict=True)]

    def put_place(at: Axial) -> None:
        for value, first, span in zip(at, least, spans, strict=True):
            put(value - first, span)

    put([*box.mode_by_id].index(log.mode), _MODES)
    put(log.stack or 0, _STACKS)
    put(0 if log.blank_limit is None else log.blank_limit + 1, _LIMITS)
    seeded = log.algorithm == ALGORITHM and log.policy in POLICIES and log.seed is not None
    put(int(seeded), 2)
    if seeded:
        put([*POLICIES].index(log.policy), _POLICIES)
        put_sized(log.restarts, _RESTARTS, _MANY_RESTARTS)
        put_sized(log.seed or 0, _SEEDS, MAX_SEED + 1)
    put(len(log.draws), _DRAWS)
    largest = max((draw.tile for draw in log.placed), default=0)
    put(largest, _TILES)
    for span in spans:
        put(span, _PLACES)
    copies = _copies(box)
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            put(draw.tile, largest + 1)
            left = copies[draw.tile]
            put(left.index(draw.copy), len(left))
            left.remove(draw.copy)
            put_place(draw.at)
            put(draw.rotation, _TURNS)
        else:
            put(0, largest + 1)
            put(draw.capital_project, _PROJECTS)
            put(int(draw.overlay_at is not None), 2)
            if draw.overlay_at is not None:
                put_place(draw.overlay_at)
    put(int(ruled), 2)
    if not ruled:
        put(len(blanks), _DRAWS)
        for place in blanks:
            put_place(place)
    number = 0
    for value, bound in reversed(fields):
        number = number * bound + value
    code = _VERSION + _text(number)
    return code + _text(_number(code) % _PRIME).rjust(_CHECK_DIGITS, _DIGITS[0])


def decode(box: AtlasBox, code: str) -> AtlasLog:
    """Return the log that a code, or a link that ends in "=" and a code, stands for; it need not be
    legal. Raises ProblemsFound (AT23) for anything else."""
    code = re.sub(r"\s", "", code.rpartition("=")[2])
    try:
        return _unpacked(box, code)
    except (KeyError, IndexError, ValueError) as error:
        message = f"{code[:12]}... is no code of a map of this title, or damaged"
        hint = "copy the code or the link whole: capitals and small letters differ"
        raise ProblemsFound([Problem("AT23", message, hint)]) from error


def _unpacked(box: AtlasBox, code: str) -> AtlasLog:
    """Raises KeyError, IndexError or ValueError for a faulty code."""
    body, check = code[:-_CHECK_DIGITS], code[-_CHECK_DIGITS:]
    if len(code) < _SHORTEST or code[0] != _VERSION or _number(body) % _PRIME != _number(check):
        raise ValueError(code)
    number = _number(body[1:])

    def take(bound: int) -> int:
        nonlocal number
        number, value = divmod(number, bound)
        return value

    def take_sized(usual: int, bound: int) -> int:
        return take(bound if take(2) else usual)

    mode = [*box.mode_by_id][take(_MODES)]
    stack, limit = take(_STACKS) or None, take(_LIMITS)
    seed, policy, algorithm, restarts = None, HAND, HAND, 0
    if take(2):
        policy, algorithm = [*POLICIES][take(_POLICIES)], ALGORITHM
        restarts = take_sized(_RESTARTS, _MANY_RESTARTS)
        seed = take_sized(_SEEDS, MAX_SEED + 1)
    count, largest = take(_DRAWS), take(_TILES)
    spans = take(_PLACES), take(_PLACES)

    def take_place() -> Axial:
        return Axial(*map(take, spans))

    copies, frontier = _copies(box), Frontier()
    draws: list[Draw] = []
    for order in range(1, count + 1):
        if not (tile := take(largest + 1)):
            project, laid = take(_PROJECTS), take(2)
            draws.append(ProjectDraw(order, project, take_place() if laid else None))
            continue
        copy = copies[tile].pop(take(len(copies[tile])))
        at, rotation = take_place(), take(_TURNS)
        alternatives = 0
        if algorithm == ALGORITHM:
            hexes = [number_of(place) for place in tile_hexes(at, rotation)]
            printed = box.tile_by_number[tile]
            alternatives = ways_to_lay(frontier, printed)
            frontier.lay(hexes, [hexes[index] for index in borders_of(printed)])
        draws.append(TileDraw(order, tile, copy, at, rotation, alternatives))
    ruled = take(2)
    blanks = () if ruled else tuple(take_place() for _ in range(take(_DRAWS)))
    if number:
        raise ValueError(code)
    first = next((draw.at for draw in draws if isinstance(draw, TileDraw)), Axial(0, 0))

    def moved(at: Axial) -> Axial:
        return Axial(at.q - first.q, at.r - first.r)

    for index, draw in enumerate(draws):
        if isinstance(draw, TileDraw):
            draws[index] = replace(draw, at=moved(draw.at))
        elif draw.overlay_at is not None:
            draws[index] = replace(draw, overlay_at=moved(draw.overlay_at))
    log = AtlasLog(
        mode=mode,
        seed=seed,
        policy=policy,
        algorithm=algorithm,
        draws=tuple(draws),
        blanks=tuple(map(moved, blanks)),
        restarts=restarts,
        stack=stack,
        blank_limit=limit - 1 if limit else None,
    )
    return with_blanks(box, log) if ruled else log


def seed_of(code: str) -> int:
    """Return the seed of everything that is shuffled for a map: the same for the same code."""
    return _number(code) % (MAX_SEED + 1)


def _copies(box: AtlasBox) -> dict[int, list[int]]:
    """Copies of each tile that are not laid."""
    return {tile.number: [*range(1, tile.copies + 1)] for tile in box.map_tiles}


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
