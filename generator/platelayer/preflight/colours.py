"""Colour spaces of a PDF and their families; with values, colours: how much ink, on which
plates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import pikepdf

from platelayer.preflight.objects import Budget, entry, items_of, name_of, number_of, numbers_of
from platelayer.preflight.streams import Unreadable, read_stream

_PLATES = {"Cyan": "cmyk", "Magenta": "cmyk", "Yellow": "cmyk", "Black": "cmyk"}
ALL = "All"
"""The separation that prints on every plate, as marks do."""
_MAX_DEPTH = 8
_PARTS = 5
"""The most items in the array of a colour space."""
_MOST_PLATES, _MOST_COLOURS = 32, 256
"""The most components of a DeviceN space, and entries of a table."""
_BYTES_A_STEP, _STEPS_A_FUNCTION = 200, 10


class Colour(NamedTuple):
    """A colour used for painting: its family, its space in words, its inks in per cent (None if
    they depend on the printer's conversion), its spot colours, and on how many plates it prints (0:
    unknown)."""

    family: str
    space: str
    ink: float | None = None
    spots: tuple[str, ...] = ()
    plates: int = 0


class Space(NamedTuple):
    """A colour space: its family (`pattern` for patterns), what to call it, how many values make a
    colour, its spot colours; for an indexed space the inks of each entry of its table; for a
    pattern space the one below it, if any."""

    family: str
    label: str
    components: int
    spots: tuple[str, ...] = ()
    table: tuple[float | None, ...] | None = None
    below: Space | None = None

    def colour(self, values: Sequence[float] | None = None) -> Colour:
        """A colour by its values from 0 to 1, or the initial colour of its space."""
        if values is None:
            values = _first_values(self)
        plates = (
            sum(value > 0 for value in values)
            if self.family in ("cmyk", "spot") and self.table is None
            else 0
        )
        return Colour(self.family, self.label, self._ink(values), self.spots, plates)

    def _ink(self, values: Sequence[float]) -> float | None:
        if self.table is not None:
            index = int(values[0]) if values else 0
            return self.table[index] if 0 <= index < len(self.table) else None
        inks = _INKS.get(self.family)
        return inks(values) if inks else None

    @property
    def most_ink(self) -> float | None:
        """The most ink that a colour of an indexed space can have; None for other spaces."""
        known = [ink for ink in self.table or () if ink is not None]
        return max(known, default=None)


def _first_values(space: Space) -> tuple[float, ...]:
    """ISO 32000-1, 8.6.8: black, full tints, the first entry of a table."""
    if space.table is not None:
        return (0.0,)
    return {"cmyk": (0.0, 0.0, 0.0, 1.0), "spot": (1.0,) * space.components}.get(
        space.family, (0.0,) * space.components
    )


def _sum_percent(values: Sequence[float]) -> float:
    return 100 * math.fsum(min(max(value, 0.0), 1.0) for value in values)


_INKS = {
    "gray": lambda values: 100 - _sum_percent(values[:1]),
    "cmyk": _sum_percent,
    "spot": _sum_percent,
}

GRAY = Space("gray", "DeviceGray", 1)
RGB = Space("rgb", "DeviceRGB", 3)
CMYK = Space("cmyk", "DeviceCMYK", 4)
PATTERN = Space("pattern", "Pattern", 0)
_NAMED = {
    "DeviceGray": GRAY,
    "G": GRAY,
    "CalGray": GRAY,
    "DeviceRGB": RGB,
    "RGB": RGB,
    "CalRGB": RGB,
    "DeviceCMYK": CMYK,
    "CMYK": CMYK,
    "CalCMYK": CMYK,
    "Pattern": PATTERN,
}
_MEASURED = {
    "CalGray": Space("gray", "CalGray", 1),
    "CalRGB": Space("rgb", "CalRGB", 3),
    "Lab": Space("lab", "Lab", 3),
}
_ICC = {1: ("gray", "Gray"), 3: ("rgb", "RGB"), 4: ("cmyk", "CMYK")}


def device_space(count: int) -> Space:
    """The device space with this many components: 1 gray, 3 RGB, 4 CMYK."""
    return {1: GRAY, 3: RGB, 4: CMYK}[count]


def read_space(value: Any, named: Any, budget: Budget, depth: int = 0) -> Space | None:
    """A colour space from its object; `named` are the colour spaces of the resources, for names
    other than device spaces. None for anything that is not a colour space."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, pikepdf.Name):
        own = entry(named, str(value))
        if own is None or isinstance(own, pikepdf.Name):
            return _NAMED.get(name_of(value if own is None else own))
        return read_space(own, None, budget, depth + 1)
    items = list(islice(items_of(value, budget), _PARTS))
    kind = name_of(items[0]) if items else ""
    if kind in _READ:
        return _READ[kind](items, named, budget, depth + 1)
    return _MEASURED.get(kind) or _NAMED.get(kind)


def _read_icc(items: list[Any], _named: Any, _budget: Budget, _depth: int) -> Space | None:
    count = int(number_of(entry(items[1], "/N"))) if len(items) > 1 else 0
    if count not in _ICC:
        return None
    family, label = _ICC[count]
    return Space(family, f"ICCBased {label}", count)


def _read_indexed(items: list[Any], named: Any, budget: Budget, depth: int) -> Space | None:
    base = read_space(items[1], named, budget, depth) if len(items) > 3 else None
    if base is None or base.table is not None or not base.components:
        return None
    table = items[3]
    try:
        data = read_stream(table, budget) if isinstance(table, pikepdf.Stream) else bytes(table)
    except (Unreadable, TypeError):
        return None
    budget.spend_steps(len(data) // _BYTES_A_STEP)
    rows = zip(*[iter(data[: _MOST_COLOURS * base.components])] * base.components, strict=False)
    inks = tuple(base.colour([byte / 255 for byte in row]).ink for row in rows)
    return Space(base.family, f"Indexed {base.label}", 1, base.spots, inks)


def _read_separation(items: list[Any], _named: Any, budget: Budget, _depth: int) -> Space | None:
    return _plates([name_of(items[1])], budget) if len(items) > 3 else None


def _read_device_n(items: list[Any], _named: Any, budget: Budget, _depth: int) -> Space | None:
    names = (
        [name_of(item) for item in islice(items_of(items[1], budget), _MOST_PLATES + 1)]
        if len(items) > 3
        else []
    )
    return _plates(names, budget) if 0 < len(names) <= _MOST_PLATES else None


def _plates(names: list[str], budget: Budget) -> Space:
    budget.spend_steps(sum(map(len, names)))
    spots = tuple(name for name in names if name not in _PLATES and name != "None")
    label = ("Separation " if len(names) == 1 else "DeviceN ") + ", ".join(
        f'"{name}"' for name in names
    )
    return Space("spot" if spots else "cmyk", label, len(names), spots)


def _read_pattern(items: list[Any], named: Any, budget: Budget, depth: int) -> Space | None:
    below = read_space(items[1], named, budget, depth) if len(items) > 1 else None
    return PATTERN._replace(below=below)


_READ = {
    "ICCBased": _read_icc,
    "Indexed": _read_indexed,
    "I": _read_indexed,
    "Separation": _read_separation,
    "DeviceN": _read_device_n,
    "Pattern": _read_pattern,
}


def shading_colour(shading: Any, named: Any, budget: Budget) -> Colour | None:
    """The colour of a shading, with the most ink at the ends of its gradients; None if its space is
    not a colour space."""
    space = read_space(entry(shading, "/ColorSpace"), named, budget)
    if space is None:
        return None
    inks = [
        space.colour(end).ink
        for end in _ends(entry(shading, "/Function"), space.components, budget)
    ]
    known = [ink for ink in inks if ink is not None]
    return Colour(space.family, f"{space.label} (shading)", max(known, default=None), space.spots)


def _ends(function: Any, count: int, budget: Budget, depth: int = 0) -> Iterator[tuple[float, ...]]:
    """The values at the ends of exponential functions, including stitched ones."""
    if depth > _MAX_DEPTH:
        return
    for key in ("/C0", "/C1"):
        numbers = numbers_of(entry(function, key), count)
        if numbers is not None:
            yield numbers
    for part in items_of(
        function if isinstance(function, pikepdf.Array) else entry(function, "/Functions"), budget
    ):
        budget.spend_steps(_STEPS_A_FUNCTION)
        yield from _ends(part, count, budget, depth + 1)
