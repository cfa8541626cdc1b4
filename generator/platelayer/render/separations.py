"""Colour spaces of spot inks, overprint states, and optional content groups of a PDF."""

from __future__ import annotations

from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFString

from platelayer.scene.inks import REGISTRATION, Ink, spot_name_fault
from platelayer.scene.numbers import numbers
from platelayer.scene.press import recipe_of

ColourMode = Literal["rgb", "cmyk"]

_SPACES = {"rgb": "/DeviceRGB", "cmyk": "/DeviceCMYK"}
_PAPER = {"rgb": "1 1 1", "cmyk": "0 0 0 0"}


class ClashingSpots(ValueError):
    """Two different looks for one separation: a printer has one plate of that name and can mix only
    one."""

    def __init__(self, spot: str) -> None:
        self.spot = spot
        super().__init__(f"two different inks print as the separation {spot!r}")


class Separations:
    """Names and objects of what the streams of one PDF refer to besides fonts and forms. Each is
    made when it is first named, so that a file contains those it uses, in the order of use."""

    def __init__(self, pdf: Any, mode: ColourMode) -> None:
        self._pdf, self._mode = pdf, mode
        self._spots: dict[str, tuple[str, Ink]] = {}
        self._layers: dict[str, tuple[str, Any]] = {}
        self._overprints: dict[tuple[bool, bool], str] = {}

    def spot(self, ink: Ink) -> str:
        """The colour space of a spot ink. Raises ClashingSpots if its separation already has a
        different look, ValueError for a name that no separation can have."""
        spot = str(ink.spot)
        if spot not in self._spots:
            if ink != REGISTRATION and (fault := spot_name_fault(spot)):
                raise ValueError(
                    f"ink {ink.name!r} cannot print as the separation {spot!r}: {fault}"
                )
            name = f"S{len(self._spots) + 1}"
            self._pdf.Reference(_separation(ink, self._mode), name)
            self._spots[spot] = (name, ink)
        name, known = self._spots[spot]
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            raise ClashingSpots(spot)
        return name

    def overprint(self, fills: bool, strokes: bool) -> str:
        """The graphics state in which fills and strokes leave the other plates as they are, or
        not."""
        name = f"O{2 * fills + strokes}"
        if (fills, strokes) not in self._overprints:
            flags = {"op": fills, "OP": strokes}
            state = {key: "true" if flag else "false" for key, flag in flags.items()}
            self._pdf.Reference(PDFDictionary({"Type": "/ExtGState", **state, "OPM": 1}), name)
            self._overprints[fills, strokes] = name
        return name

    def layer(self, label: str) -> str:
        """The property list of a layer: its optional content group."""
        if label not in self._layers:
            name = f"L{len(self._layers) + 1}"
            group = PDFDictionary({"Type": "/OCG", "Name": PDFString(label)})
            self._layers[label] = (name, self._pdf.Reference(group, name))
        return self._layers[label][0]

    def layers(self) -> Any:
        """The catalogue's OCProperties: every layer in order, each switched on; None if there is
        none.

        PDF/X-4 (ISO 15930-7, 6.21) requires a named configuration that lists all layers and chooses
        nothing by itself.
        """
        if not self._layers:
            return None
        groups = [reference for _, reference in self._layers.values()]
        configuration = {"Name": PDFString("Layers"), "Order": PDFArray(groups), "BaseState": "/ON"}
        return PDFDictionary({"OCGs": PDFArray(groups), "D": PDFDictionary(configuration)})


def _separation(ink: Ink, mode: ColourMode) -> Any:
    """A colour space of one ink; where there is no plate for it, it looks like its recipe."""
    recipe = numbers(recipe_of(ink) if mode == "cmyk" else ink.rgb)
    tint = {
        "FunctionType": 2,
        "Domain": "[0 1]",
        "C0": f"[{_PAPER[mode]}]",
        "C1": f"[{recipe}]",
        "N": 1,
    }
    return PDFArray(["/Separation", _name(str(ink.spot)), _SPACES[mode], PDFDictionary(tint)])


def _name(text: str) -> str:
    """A PDF name (ISO 32000-1, 7.3.5): characters other than letters and digits are written as
    their UTF-8 bytes."""
    plain = (
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}"
        for byte in text.encode()
    )
    return "/" + "".join(plain)
