"""Cards in design units: one long side of known length; lines and least type stay true to size on
paper. And cards in mm: ground, frame, the band at the head."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.drawing.kit.layout import Box
from platelayer.drawing.kit.lettering import ink_height, one_line
from platelayer.drawing.kit.ornament import Pattern, Ring, braid_scene, rosette_scene, tapering_rule
from platelayer.drawing.kit.parts import diamond
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import CARD_SAFE_MM
from platelayer.model.title import Size
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Anchor,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    multiply,
    rotation,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, rise_mm, set_line, text_width

# Width of the lines of ornaments, and of curves below words.
LINE_MM, VEIL_MM = 0.1, 0.12


class Card(Frozen, kw_only=True):
    """A landscape card in design units: `width` x `height`, each unit `unit_mm` on paper. `bleed`
    and `safe` are in design units, too; a card printed upright is turned as a whole."""

    width: float
    height: float
    unit_mm: float
    bleed: float
    safe: float
    upright: bool
    safe_mm: float
    style: Style

    @property
    def box(self) -> Box:
        """The card within its trim."""
        return Box(0, 0, self.width, self.height)

    @property
    def sheet(self) -> Box:
        """The card and its bleed."""
        return self.box.inset(-self.bleed)

    def stroke(
        self, ink: Ink, width_mm: float, dash: tuple[float, ...] = (), cap: str = "butt"
    ) -> Stroke:
        """A line of this width on paper, whatever the card's size."""
        return Stroke(ink, width_mm / self.unit_mm, dash=dash, cap=cap, join="round")

    def type(self, name: str) -> TypeStyle:
        """A type style of the theme whose least size holds on paper."""
        style = self.style.type(name)
        least = style.min_pt / self.unit_mm
        return replace(style, min_pt=least, size_pt=max(style.size_pt, least))

    def ground(self, ink: Ink) -> Path:
        """The whole card and its bleed in one ink."""
        return self.sheet.plate(ink)

    def inset(self, by: float) -> Commands:
        """The rectangle at this distance inside the trim."""
        return self.box.inset(by).path()

    def rule(self, at: Point, length: float, ink: Ink, width: float, *, towards: int) -> Items:
        """A tapering rule of the style's motif from a point, leftwards (-1) or rightwards (1)."""
        motif, unit = self.style.motif, self.unit_mm
        return tapering_rule(*at, length, ink, width, towards=towards, motif=motif, unit_mm=unit)

    def scene(self, key: str, label: str, items: Items) -> Scene:
        """The finished piece."""
        k = self.unit_mm
        width, height = self.width * k, self.height * k
        matrix = scaling(k)
        if self.upright:
            # A quarter turn anticlockwise: the head of the card lies at the left of the upright
            # piece.
            matrix = multiply((0.0, -1.0, 1.0, 0.0, 0.0, width), matrix)
            width, height = height, width
        drawn = items if k == 1 and not self.upright else (Group(items, matrix=matrix),)
        return Scene(
            key,
            width,
            height,
            drawn,
            bleed_mm=BLEED_MM,
            safe_mm=self.safe_mm,
            label=label,
        )


class Engraved(Frozen, kw_only=True):
    """A card with the engine-turned curves of a pattern; `stem` begins the keys of its curves,
    which pieces with equal keys share. Lengths are in design units, but those of `line_mm` are on
    paper."""

    card: Card
    pattern: Pattern
    stem: str

    def key(self, part: str) -> str:
        """Key of a part."""
        return f"{self.stem}:{part}"

    def rosette(
        self,
        part: str,
        rings: tuple[Ring, ...],
        radius: float,
        ink: Ink,
        *,
        line_mm: float = LINE_MM,
    ) -> Scene:
        """A rosette to be placed by `centred`."""
        return rosette_scene(
            self.key(part), rings, radius, self.card.stroke(ink, line_mm), Role.ORNAMENT
        )

    def underprint(self, part: str, rings: tuple[Ring, ...], radius: float, ink: Ink) -> Scene:
        """A rosette to be placed by `centred`, pale enough for words to lie on it."""
        return rosette_scene(
            self.key(part), rings, radius, self.card.stroke(ink, VEIL_MM), Role.GROUND
        )

    def braid(self, part: str, strip: Box, ink: Ink, *, line_mm: float = LINE_MM) -> Use:
        """A braid along a strip, across or down; those of a piece share their swells if only the
        last word of `part`, after a colon, differs."""
        x, y, length, depth = strip
        at = translation(x, y)
        if depth > length:
            length, depth = depth, length
            at = multiply(translation(strip.right, y), rotation(90))
        stroke = self.card.stroke(ink, line_mm)
        scene = braid_scene(self.key(part), self.pattern.wave, length, depth / 2, stroke)
        return Use(scene, matrix=at)


def design_card(size: Size, style: Style, *, design: tuple[float, float], safe_mm: float) -> Card:
    """A card for a piece of this size, with at least `design` units to draw on in each direction. A
    piece that stands upright is turned, unless the design stands upright, too."""
    turned = size.height_mm > size.width_mm and design[0] > design[1]
    width, height = (size.height_mm, size.width_mm) if turned else (size.width_mm, size.height_mm)
    unit = min(width / design[0], height / design[1])
    return Card(
        width=width / unit,
        height=height / unit,
        unit_mm=unit,
        bleed=BLEED_MM / unit,
        safe=safe_mm / unit,
        upright=turned,
        safe_mm=safe_mm,
        style=style,
    )


# Cards in mm.


# The most of a heading's band that the game's name may take.
_BESIDE = 0.45


def trimmed(size: Size) -> Box:
    """A piece within its trim."""
    return Box(0, 0, size.width_mm, size.height_mm)


def card_scene(key: str, label: str, size: Size, items: Sequence[Item], style: Style) -> Scene:
    """A finished card: the items on its ground."""
    ground = trimmed(size).inset(-BLEED_MM).plate(style.ink("card.ground"))
    return Scene(
        key,
        size.width_mm,
        size.height_mm,
        (ground, *items),
        bleed_mm=BLEED_MM,
        safe_mm=CARD_SAFE_MM,
        label=label,
    )


def heading_band(words: str, beside: str, card: Box, style: Style) -> tuple[Items, Box]:
    """The dark band at the head of a card with a heading at its left and the game's name at its
    right; and the card below it."""
    big, small = style.type("card.title"), style.type("card.game")
    rise = rise_mm(words, big)
    # Accents of capitals stay within the safe zone.
    above = max(0, ink_height(words, big)[1] - rise - 0.4)
    tall = rise + 2 * (CARD_SAFE_MM + 0.4) + above
    band, _, line, rest = card.rows(tall, 0.45, 0.35, 0)
    inner, light = band.inset(4.0, 0), style.ink("card.band.text")
    small, beside = one_line(beside, small, inner.width * _BESIDE)
    big, words = one_line(words, big, inner.width - text_width(beside, small) - 6.0)
    base = (tall + above + rise_mm(words, big)) / 2
    runs = (
        *set_line(words, big, light, inner.x, base),
        *set_line(beside, small, light, inner.right, base, anchor=Anchor.END),
    )
    bled = line.inset(-BLEED_MM, 0)
    items = (
        Box(bled.x, -BLEED_MM, bled.width, tall + BLEED_MM).plate(style.ink("card.band")),
        bled.plate(style.ink("card.gold")),
        inner.boxed(runs),
    )
    return items, rest


def frames(card: Box, style: Style) -> Items:
    """A double frame inside the safe zone with small plates in its corners."""
    dark, gold = style.ink("card.accent"), style.ink("card.gold")
    outer = card.inset(CARD_SAFE_MM)
    return (
        outer.plate(stroke=Stroke(dark, 0.5)),
        outer.inset(0.9).plate(stroke=Stroke(gold, 0.25)),
        diamond(outer.x, outer.y, 0.9, dark),
        diamond(outer.right, outer.y, 0.9, dark),
        diamond(outer.right, outer.foot, 0.9, dark),
        diamond(outer.x, outer.foot, 0.9, dark),
    )
