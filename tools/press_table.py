"""The tables from which `scene.press` begins to mix inks, each worked out from the colour profile of
its press; and the tables from looks to inks of the profiles that were made for this project.

`python tools/press_table.py` writes them for all presses, `python tools/press_table.py PRESS ...`
for some. They are shipped, so that files do not depend on anybody's numpy.
"""

from __future__ import annotations

import struct
import sys
from itertools import product

import numpy as np

from platelayer.foundation.resources import asset_path
from platelayer.scene.press import COLOUR_STEPS, FULL, PRESSES
from press_profile import (
    Array,
    Press,
    lab_from_encoded,
    lab_from_srgb,
    search,
)

LAB_STEPS = 33
"""Nodes along each side of a profile's cube of looks; a and b of 0 are a node."""


def press_table(press: Press) -> bytes:
    """Recipes of the nodes of a cube in sRGB, and black ink for each of 256 greys: a byte a part."""
    colours = np.round(_cube(COLOUR_STEPS, 3) * FULL) / FULL
    recipes = search(press, lab_from_srgb(colours), beside=_neighbours(COLOUR_STEPS))
    # For each grey of sRGB the black ink that looks as light, from the darkest that it can be.
    black = np.zeros((FULL + 1, 4))
    black[:, 3] = np.arange(FULL + 1) / FULL
    lights, greys = press.look(black)[:, 0], lab_from_srgb(black[:, [3, 3, 3]])[:, 0]
    nearest = np.abs(lights - greys[:, None])[:, ::-1].argmin(axis=1)
    return b"".join(
        np.round(part * FULL).astype(np.uint8).tobytes()
        for part in (recipes, (FULL - nearest) / FULL)
    )


def rebuilt(press: Press) -> bytes:
    """The profile with the inks for each look (B2A) searched for as ours are: what others convert
    by it prints as clean as what we mix."""
    aims = lab_from_encoded(_cube(LAB_STEPS, 3))
    inks = search(press, aims, beside=_neighbours(LAB_STEPS))
    straight = [0, 65535]
    numbers = np.concatenate(
        [straight * 3, np.round(inks * 65535).astype(int).ravel(), straight * 4]
    )
    unit = struct.pack(">9i", *(65536 * (n % 4 == 0) for n in range(9)))
    head = struct.pack(">4s4x4B", b"mft2", 3, 4, LAB_STEPS, 0) + unit + struct.pack(">HH", 2, 2)
    table = head + numbers.astype(">u2").tobytes()
    return press.with_tags({"B2A0": table, "B2A1": table, "B2A2": table})


def _cube(steps: int, sides: int) -> Array:
    return np.array(list(product(np.linspace(0, 1, steps), repeat=sides)))


def _neighbours(steps: int) -> Array:
    """For each node of a cube the six beside it; -1 beyond a side."""
    nodes = np.pad(np.arange(steps**3).reshape(steps, steps, steps), 1, constant_values=-1)
    inner = (slice(1, -1),) * 3
    beside = [np.roll(nodes, by, axis)[inner].ravel() for axis in range(3) for by in (1, -1)]
    return np.stack(beside, axis=1)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PRESSES:
        profile = asset_path("icc", f"{PRESSES[chosen]}.icc")
        if profile.with_name(f"{profile.stem}-cc0.txt").exists():
            profile.write_bytes(rebuilt(Press(profile, compensated=False)))
        profile.with_suffix(".table").write_bytes(press_table(Press(profile)))
