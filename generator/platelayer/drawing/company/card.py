"""Cards of companies: what private, certificate and charter share."""

from __future__ import annotations

from platelayer.drawing.company.roundel import CompanyInks, roundel_items
from platelayer.drawing.kit.card import Engraved
from platelayer.drawing.kit.layout import Box, disc
from platelayer.drawing.kit.ornament import centred
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Group,
    Item,
    Role,
    Scene,
    Stroke,
    translation,
)
from platelayer.scene.typeset import TypeStyle

company_words = FixedWords("companies")


class CompanyCard(Engraved, frozen=True, kw_only=True):
    """A card in a company's colours, in the language of the print."""

    company: Company
    inks: CompanyInks

    @property
    def style(self) -> Style:
        """The style of the print."""
        return self.card.style

    @property
    def name(self) -> str:
        """The company's name."""
        return self.style.words(self.company.name)

    @property
    def second_name(self) -> str:
        """The company's name in another language, "" where it has none or where it is the same."""
        second = self.company.second_name
        words = self.style.words(second) if second is not None else ""
        return "" if words == self.name else words

    def words(self, key: str, *parts: object) -> str:
        """Fixed words in the language of the print."""
        return self.style.words(company_words(key), *parts)

    def ink(self, name: str) -> Ink:
        """An ink of the theme."""
        return self.style.ink(name)

    def type(self, name: str) -> TypeStyle:
        """A type style of the theme whose least size holds on paper."""
        return self.card.type(name)

    def line(self, width_mm: float) -> Stroke:
        """A line in the dark of the company's colour, of this width on paper."""
        return self.card.stroke(self.inks.line, width_mm)

    def rules(
        self, x: float, y: float, length: float, ink: Ink, width: float = 0.16, *, gap: float = 0
    ) -> tuple[Item, ...]:
        """Tapering rules of a length to both sides of (x, y), each so far from it."""
        left = self.card.rule((x - gap, y), length, ink, width, towards=-1)
        return (*left, *self.card.rule((x + gap, y), length, ink, width, towards=1))

    def braided(self, strip: Box) -> tuple[Item, ...]:
        """A strip, across or down, in the dark of the company's colour: on it a braid in paper, and
        a line of gold along its upper or left side."""
        x, y, width, height = strip
        part, inner, edge = "strip:across", strip.inset(0, 0.2), Box(x, y - 0.25, width, 0.5)
        if height > width:
            part, inner, edge = "strip:down", strip.inset(0.2, 0), Box(x - 0.25, y, 0.5, height)
        return (
            strip.plate(self.inks.line),
            self.braid(part, inner, self.ink("paper")),
            edge.plate(self.ink("certificate.gold"), role=Role.ORNAMENT),
        )

    def roundel(self, diameter: float, x: float, y: float) -> Group:
        """The roundel, centred on (x, y)."""
        items = roundel_items(self.company, diameter, self.style, unit_mm=self.card.unit_mm)
        half = diameter / 2
        return Group(items=items, matrix=translation(x, y), box=(-half, -half, half, half))

    def emblem(self, diameter: float, x: float, y: float) -> tuple[Item, ...]:
        """The roundel on a slightly larger disc of paper, centred on (x, y)."""
        paper = disc((x, y), diameter / 2 + 0.5, self.ink("paper"), role=Role.ORNAMENT)
        return (paper, self.roundel(diameter, x, y))

    def counter(
        self, box: Box, lace: Scene, radius: float, words: tuple[Item, ...]
    ) -> tuple[Item, ...]:
        """Words on a disc in the dark of the company's colour, in lace on one of paper of this
        radius."""
        paper, middle = self.ink("paper"), box.middle
        return (
            disc(middle, radius, paper, self.line(0.2), Role.ORNAMENT),
            centred(lace, *middle),
            disc(middle, box.width / 2, self.inks.line),
            box.boxed(words),
        )
