"""Cards in design units: one long side of known length; lines and least type stay true to size on paper."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.style import Style
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Matrix,
    Path,
    Scene,
    Stroke,
    multiply,
    rectangle_path,
    scaling,
)
from platelayer.scene.typeset import TypeStyle


class Card(Struct, frozen=True, kw_only=True):
    """A landscape card in design units: `width` x `height`, each unit `unit_mm` on paper. `bleed` and `safe` are in
    design units, too; a card printed upright is turned as a whole."""

    width: float
    height: float
    unit_mm: float
    bleed: float
    safe: float
    upright: bool
    bleed_mm: float
    safe_mm: float
    style: Style

    def stroke(self, ink: Ink, width_mm: float, dash: tuple[float, ...] = (), cap: str = "butt") -> Stroke:
        """A line of this width on paper, whatever the card's size."""
        return Stroke(ink=ink, width_mm=width_mm / self.unit_mm, dash=dash, cap=cap, join="round")

    def type(self, name: str) -> TypeStyle:
        """A type style of the theme whose least size holds on paper."""
        style = self.style.type(name)
        least = style.min_pt / self.unit_mm
        return replace(style, min_pt=least, size_pt=max(style.size_pt, least))

    def ground(self, ink: Ink) -> Path:
        """The whole card and its bleed in one ink."""
        b = self.bleed
        return Path(commands=rectangle_path(-b, -b, self.width + 2 * b, self.height + 2 * b), fill=ink)

    def inset(self, by: float) -> tuple[Command, ...]:
        """The rectangle at this distance inside the trim."""
        return rectangle_path(by, by, self.width - 2 * by, self.height - 2 * by)

    def scene(self, key: str, label: str, items: tuple[Item, ...]) -> Scene:
        """The finished piece."""
        k = self.unit_mm
        width, height = self.width * k, self.height * k
        matrix: Matrix = scaling(k)
        if self.upright:
            # A quarter turn anticlockwise: the head of the card lies at the left of the upright piece.
            matrix = multiply((0.0, -1.0, 1.0, 0.0, 0.0, width), matrix)
            width, height = height, width
        drawn = items if k == 1 and not self.upright else (Group(items=items, matrix=matrix),)
        return Scene(
            key=key,
            width_mm=width,
            height_mm=height,
            items=drawn,
            bleed_mm=self.bleed_mm,
            safe_mm=self.safe_mm,
            label=label,
        )


def design_card(
    width_mm: float, height_mm: float, style: Style, *, design: tuple[float, float], bleed_mm: float, safe_mm: float
) -> Card:
    """A card for a piece of this size, with at least `design` units to draw on in each direction."""
    upright = height_mm > width_mm
    long, short = max(width_mm, height_mm), min(width_mm, height_mm)
    unit = min(long / design[0], short / design[1])
    return Card(
        width=long / unit,
        height=short / unit,
        unit_mm=unit,
        bleed=bleed_mm / unit,
        safe=safe_mm / unit,
        upright=upright,
        bleed_mm=bleed_mm,
        safe_mm=safe_mm,
        style=style,
    )
