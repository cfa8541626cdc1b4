"""The finish of sheets: cut lines, backs, and corrections for a printer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.scene.inks import spot_name_fault
from platelayer.scene.shapes import IDENTITY, Matrix
from platelayer.scene.theme import Theme

Cut = Literal["none", "marks", "lines", "spot"]
Duplex = Literal["none", "long", "short", "fold"]
# Marks of a sheet: none (but for two sides), for the plates of a press, for the sensor of a
# Silhouette cutter.
Register = Literal["none", "press", "silhouette"]
# Ways of duplex that print both sides of a sheet.
TWO_SIDED = ("long", "short")
MOST_OFFSET_MM = 20.0
LEAST_SCALE, MOST_SCALE = 0.95, 1.05


class Finish(Struct, frozen=True, kw_only=True):
    """`cut`: how outlines are shown (not at all, marks beside the pieces, thin lines, or lines in
    the spot colour `spot_name` on the layer `spot_layer`). `duplex`: where backs go (nowhere, on
    the back of a sheet that is flipped about its long or short edge, or beside the fronts to be
    folded over). `register`: marks to align the sheet by, with a colour bar on a press; `bleed_mm`
    is the least that a shop requires; `outlines` keeps the cut lines of each page for a file of
    their own. Offsets in mm to the right and down, and scales, correct a printer's errors
    (`platelayer calibrate` finds them); backs follow their fronts and are moved by `back_offset_mm`
    more."""

    cut: Cut = "marks"
    spot_name: str = "CutContour"
    spot_layer: str = "Cut line"
    duplex: Duplex = "none"
    register: Register = "none"
    bleed_mm: float = 0.0
    outlines: bool = False
    offset_mm: tuple[float, float] = (0.0, 0.0)
    back_offset_mm: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)

    @property
    def press(self) -> bool:
        """True if marks are on all plates, with a colour bar."""
        return self.register == "press"

    def correction(
        self, width_mm: float, height_mm: float, *, back: bool, sideways: bool = True
    ) -> Matrix:
        """The transform of a whole page of that size: scaled about its middle, then moved. Backs go
        where their fronts go, as seen through the sheet (`sideways`: flipped like the page of a
        book), and by their own offset."""
        dx, dy = self.offset_mm
        if back:
            dx, dy = (-dx, dy) if sideways else (dx, -dy)
            dx, dy = dx + self.back_offset_mm[0], dy + self.back_offset_mm[1]
        across, down = self.scale
        if (dx, dy, across, down) == (0.0, 0.0, 1.0, 1.0):
            return IDENTITY
        shift = dx + (1 - across) * width_mm / 2, dy + (1 - down) * height_mm / 2
        return (across, 0.0, 0.0, down, *shift)


def check_finish(finish: Finish, theme: Theme | None = None) -> None:
    """Raises ProblemsFound with SH06 for each invalid offset, scale or spot name, and for the name
    of a spot colour that the theme already has with a different look."""
    faults = [*_faults(finish)]
    if theme is not None and finish.cut == "spot":
        cut, name = theme.ink("cut"), finish.spot_name
        alike = [ink for ink in theme.inks.values() if ink.spot == name]
        if any((ink.rgb, ink.cmyk) != (cut.rgb, cut.cmyk) for ink in alike):
            message = (
                f'the theme {theme.id} already has a spot colour "{name}" that looks different'
            )
            faults.append((message, "give the cut line another spot name"))
    if faults:
        raise ProblemsFound(
            Problem(code="SH06", message=message, hint=hint) for message, hint in faults
        )


def _faults(finish: Finish) -> Iterator[tuple[str, str]]:
    for name, offset in (("offset", finish.offset_mm), ("back offset", finish.back_offset_mm)):
        if not all(math.isfinite(length) and abs(length) <= MOST_OFFSET_MM for length in offset):
            words = ",".join(f"{length:g}" for length in offset)
            hint = f"use -{MOST_OFFSET_MM:g} to {MOST_OFFSET_MM:g} mm; platelayer calibrate finds the right value"
            yield f"the {name} {words} mm is out of range", hint
    for axis, scale in zip("xy", finish.scale, strict=True):
        if not (math.isfinite(scale) and LEAST_SCALE <= scale <= MOST_SCALE):
            hint = f"use {LEAST_SCALE:g} to {MOST_SCALE:g}; to change the size of pieces, give them a size"
            yield f"a scale of {scale:g} in {axis} is out of range", hint
    fault = spot_name_fault(finish.spot_name)
    if fault:
        message = f'"{finish.spot_name}" cannot name a spot colour: {fault}'
        yield message, "shops ask for CutContour, Thru-cut or die-cut"
