"""A press as its colour profile measures it: the look of inks (A2B), and the search for the inks
that look most like a colour.

The other direction of a profile (B2A) is a table that somebody worked out from the first; ours are
made from this search, so nothing here reads one but to find the black that a profile assumes.
"""

from __future__ import annotations

import struct
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from platelayer.scene.inks import MAX_TOTAL_INK
from platelayer.scene.looks import FROM_SRGB, WHITE_D50, Profile, Table

Array = Any
"""Of numpy: a row a colour; inks and sRGB are shares of 1, looks CIELAB."""

D50 = np.array(WHITE_D50)
_MOST = MAX_TOTAL_INK - 0.02
"""Rounding to bytes, and to per cent, may add a little."""
_NODES = 9
"""Amounts of each ink that the search begins from."""
_SMOOTHED = 20
"""Rounds in which neighbours are drawn together."""
_PAIRS = tuple(combinations(range(3), 2))
_GOOD = 1.0
"""A miss (CIE 1976) that nobody sees between two prints: fewer inks are worth it."""


class Press:
    """The looks of inks on a press, relative to its paper and, where compensated, to its black."""

    def __init__(self, profile: Path, compensated: bool = True) -> None:
        self.profile = Profile(profile.read_bytes())
        black = self.profile.black if compensated else 0.0
        self._black = black * D50

    def with_tags(self, tags: dict[str, bytes]) -> bytes:
        """The profile with some tags replaced; equal ones are written once."""
        entries, body = [], b""
        at = 132 + 12 * len(self.profile.tags)
        places: dict[bytes, int] = {}
        for name, tag in {**self.profile.tags, **tags}.items():
            if tag not in places:
                places[tag] = at + len(body)
                body += tag + bytes(-len(tag) % 4)
            entries.append(struct.pack(">4sII", name.encode(), places[tag], len(tag)))
        whole = struct.pack(">I", at + len(body)) + self.profile.data[4:128]
        return whole + struct.pack(">I", len(entries)) + b"".join(entries) + body

    def look(self, inks: Array) -> Array:
        """CIELAB of inks, a row a recipe."""
        xyz = xyz_from_lab(lab_from_encoded(_looked_up(self.profile.inks, inks)))
        # The darkest that the press prints counts as black (black point compensation).
        return lab_from_xyz((xyz - self._black) * D50 / (D50 - self._black))


def _looked_up(table: Table, values: Array) -> Array:
    """What stands at places in a table of a profile, a row a place: as the table itself finds one."""
    shares = np.stack([_along(curve, values[:, n]) for n, curve in enumerate(table.before)], axis=1)
    grid = np.array(table.grid).reshape(-1, table.outputs) / 65535
    places = np.clip(shares, 0, 1) * (table.steps - 1)
    whole = np.minimum(places.astype(int), table.steps - 2)
    part = places - whole
    strides = np.array([table.steps ** (table.inputs - 1 - n) for n in range(table.inputs)])
    node, weight = whole @ strides, np.ones(len(values))
    # From the lowest node along the sides of the greatest share first (tetrahedral).
    order = np.argsort(-part, axis=1, kind="stable")
    found = np.zeros((len(values), table.outputs))
    for side in range(table.inputs):
        axis = order[:, side]
        share = np.take_along_axis(part, axis[:, None], 1)[:, 0]
        found += (weight - share)[:, None] * grid[node]
        node, weight = node + strides[axis], share
    found += weight[:, None] * grid[node]
    return np.stack([_along(curve, found[:, n]) for n, curve in enumerate(table.after)], axis=1)


def _along(curve: Array, values: Array) -> Array:
    return np.interp(np.clip(values, 0, 1), np.linspace(0, 1, len(curve)), np.array(curve) / 65535)


def lab_from_encoded(values: Array) -> Array:
    """CIELAB of shares of 65535, as tables of 16 bits write it in version 2 of ICC profiles."""
    sixteenths = values * 65535 / 256
    return np.stack([sixteenths[:, 0] / 2.55, sixteenths[:, 1] - 128, sixteenths[:, 2] - 128], 1)


def xyz_from_lab(lab: Array) -> Array:
    """XYZ of CIELAB, both beside the white of D50."""
    middle = (lab[:, 0] + 16) / 116
    roots = np.stack([middle + lab[:, 1] / 500, middle, middle - lab[:, 2] / 200], 1)
    return np.where(roots > 6 / 29, roots**3, (roots - 4 / 29) * 3 * (6 / 29) ** 2) * D50


def lab_from_xyz(xyz: Array) -> Array:
    """CIELAB of XYZ, both beside the white of D50."""
    ratio = xyz / D50
    roots = np.where(
        ratio > (6 / 29) ** 3,
        np.cbrt(np.maximum(ratio, 0)),
        ratio / (3 * (6 / 29) ** 2) + 4 / 29,
    )
    x, y, z = roots.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], 1)


def lab_from_srgb(colours: Array) -> Array:
    """CIELAB of what a screen shows, beside its white."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return lab_from_xyz(linear @ np.array(FROM_SRGB).T)


def misses(press: Press, inks: Array, aims: Array) -> Array:
    """Differences of the looks of inks from those aimed at (CIE 1976)."""
    return np.linalg.norm(press.look(inks) - aims, axis=1)


def search(press: Press, aims: Array, beside: Array | None = None) -> Array:
    """The inks for each look: the nearest that the press makes within the most ink, with black by a
    curve over the grey that cyan, magenta and yellow share, and no black or third ink where the
    others do (`_GOOD`). `beside` has for each row the rows of its neighbours (-1 for none), towards
    whose inks it is drawn, so that what is interpolated between them looks as it should."""
    steps = np.linspace(0, 1, _NODES)
    starts = np.array([inks for inks in product(steps, repeat=4) if sum(inks) <= _MOST])
    light = starts[starts[:, 3] == 0]
    coloured = _refined(press, _nearest(press, light, aims), aims, _only(aims, 0, 1, 2))
    # Black in the place of the grey that the three share. Below 15 % its dots would be seen as specks
    # in light colours. The power lets it come slowly, so that colours do not turn dull at once, and
    # lets it have the dark ones, where three inks drift with every plate and add up to 300 %.
    black = np.clip((coloured[:, :3].min(axis=1) - 0.15) / 0.85, 0, 1) ** 1.5
    inks = _nearest(press, starts, aims, black)
    free = np.ones(inks.shape, bool)
    wanted = np.column_stack([inks[:, :3], black])
    inks = _refined(press, inks, aims, free, wanted=wanted, pull=np.array([0.0, 0.0, 0.0, 3.0]))
    best = misses(press, inks, aims)
    for left in (*((*pair, 3) for pair in _PAIRS), (0, 1, 2), *_PAIRS):
        # Only what has little of an ink can do without it.
        gone = ~_only(aims, *left)
        rows = np.flatnonzero((inks * gone < 0.1).all(axis=1))
        start = np.where(gone, 0.0, inks if 3 in left else coloured)[rows]
        tried = _refined(press, start, aims[rows], ~gone[rows])
        good = misses(press, tried, aims[rows]) < np.maximum(_GOOD, best[rows] + 0.1)
        inks[rows[good]], free[rows[good]] = tried[good], ~gone[rows[good]]
    if beside is not None:
        there = (beside >= 0)[:, :, None]
        for _ in range(_SMOOTHED):
            around = (inks[beside] * there).sum(axis=1) / there.sum(axis=1)
            inks = _refined(press, inks, aims, free, wanted=around, pull=np.full(4, 8.0), rounds=2)
    return inks


def _only(aims: Array, *inks: int) -> Array:
    return np.tile(np.isin(range(4), inks), (len(aims), 1))


def _nearest(press: Press, starts: Array, aims: Array, black: Array | None = None) -> Array:
    """Of some recipes the one that looks most like each aim, and has about its black."""
    looks = press.look(starts)
    found = np.empty((len(aims), 4))
    # Part by part: all distances at once would take gigabytes.
    for part in np.array_split(np.arange(len(aims)), len(aims) // 2000 + 1):
        unlike = (looks**2).sum(axis=1) - 2 * aims[part] @ looks.T
        if black is not None:
            unlike += (20 * (starts[:, 3] - black[part, None])) ** 2
        found[part] = starts[unlike.argmin(axis=1)]
    return found


def _refined(
    press: Press,
    inks: Array,
    aims: Array,
    free: Array,
    *,
    wanted: Array | float = 0.0,
    pull: Array | float = 0.0,
    rounds: int = 14,
) -> Array:
    """Inks after damped Newton's steps (Levenberg and Marquardt) towards their aims and, as strongly
    as they are pulled (CIELAB for a whole ink), towards those wanted. Only free inks move."""

    def cost(tried: Array) -> Array:
        return ((press.look(tried) - aims) ** 2).sum(1) + ((pull * (tried - wanted)) ** 2).sum(1)

    inks, damping, now = inks.copy(), np.ones(len(inks)), cost(inks)
    for _ in range(rounds):
        look = press.look(inks)
        slopes = np.zeros((len(inks), 3, 4))
        for ink in range(4):
            # Away from the ends, beyond which the profile says nothing.
            way = np.where(inks[:, ink] < 0.5, 0.01, -0.01)
            moved = inks.copy()
            moved[:, ink] += way
            slopes[:, :, ink] = (press.look(moved) - look) / way[:, None]
        slopes *= free[:, None, :]
        left = np.einsum("nij,ni->nj", slopes, aims - look) + pull**2 * (wanted - inks) * free
        square = np.einsum("nij,nik->njk", slopes, slopes)
        square += np.eye(4) * (pull**2 + damping[:, None] + ~free)[:, None, :]
        tried = _within(inks + np.linalg.solve(square, left[:, :, None])[:, :, 0])
        then = cost(tried)
        better = then < now
        inks[better], now[better] = tried[better], then[better]
        damping = np.clip(np.where(better, damping / 5, damping * 8), 1e-2, 1e7)
    return inks


def _within(inks: Array) -> Array:
    """Inks within nothing, all and the most ink: the colours give way, as black is worth three."""
    inks = np.clip(inks, 0, 1)
    colours = inks[:, :3].sum(axis=1)
    room = np.clip(_MOST - inks[:, 3], 0, colours) / np.maximum(colours, 1e-9)
    return np.column_stack([inks[:, :3] * room[:, None], inks[:, 3]])
