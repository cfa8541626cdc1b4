"""The finish of sheets: cut lines, backs, and corrections for a printer."""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import spot_name_fault
from platelayer.scene.shapes import IDENTITY, Matrix
from platelayer.scene.theme import Theme

# Ways of duplex that print both sides of a sheet.
TWO_SIDED = ("long", "short")
MOST_OFFSET_MM = 20.0
LEAST_SCALE, MOST_SCALE = 0.95, 1.05


def correction(
    options: PrintOptions,
    width_mm: float,
    height_mm: float,
    *,
    back: bool,
    sideways: bool = True,
) -> Matrix:
    """The transform of a whole page of that size that corrects a printer's errors: scaled about its
    middle, then moved. Backs go where their fronts go, as seen through the sheet (`sideways`:
    flipped like the page of a book), and by their own offset."""
    dx, dy = options.offset_mm
    if back:
        dx, dy = (-dx, dy) if sideways else (dx, -dy)
        dx, dy = dx + options.back_offset_mm[0], dy + options.back_offset_mm[1]
    across, down = options.scale
    if (dx, dy, across, down) == (0.0, 0.0, 1.0, 1.0):
        return IDENTITY
    shift = dx + (1 - across) * width_mm / 2, dy + (1 - down) * height_mm / 2
    return (across, 0.0, 0.0, down, *shift)


def check_finish(options: PrintOptions, theme: Theme | None = None) -> None:
    """Raises ProblemsFound with SH06 for each invalid offset, scale or spot name, and for the name
    of a spot colour that the theme already has with a different look."""
    faults = [*_faults(options)]
    if theme is not None and options.cut == "spot":
        cut, name = theme.ink("cut"), options.spot_name
        alike = [ink for ink in theme.inks.values() if ink.spot == name]
        if any((ink.rgb, ink.cmyk) != (cut.rgb, cut.cmyk) for ink in alike):
            message = (
                f'the theme {theme.id} already has a spot colour "{name}" that looks different'
            )
            faults.append((message, "give the cut line another spot name"))
    if faults:
        raise ProblemsFound(Problem("SH06", message, hint) for message, hint in faults)


def _faults(options: PrintOptions) -> Iterator[tuple[str, str]]:
    for name, offset in (("offset", options.offset_mm), ("back offset", options.back_offset_mm)):
        if not all(math.isfinite(length) and abs(length) <= MOST_OFFSET_MM for length in offset):
            words = ",".join(f"{length:g}" for length in offset)
            hint = f"use -{MOST_OFFSET_MM:g} to {MOST_OFFSET_MM:g} mm; platelayer calibrate finds the right value"
            yield f"the {name} {words} mm is out of range", hint
    for axis, scale in zip("xy", options.scale, strict=True):
        if not (math.isfinite(scale) and LEAST_SCALE <= scale <= MOST_SCALE):
            hint = f"use {LEAST_SCALE:g} to {MOST_SCALE:g}; to change the size of pieces, give them a size"
            yield f"a scale of {scale:g} in {axis} is out of range", hint
    fault = spot_name_fault(options.spot_name)
    if fault:
        message = f'"{options.spot_name}" cannot name a spot colour: {fault}'
        yield message, "shops ask for CutContour, Thru-cut or die-cut"
