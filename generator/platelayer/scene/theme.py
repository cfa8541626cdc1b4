"""Themes: named inks, strokes and type styles, without any knowledge of games."""

from __future__ import annotations

from msgspec import Struct, field

from platelayer.foundation.text import Text
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Stroke
from platelayer.scene.typeset import TypeStyle


class Pattern(Struct, frozen=True, kw_only=True):
    """What identifies a colour besides its ink: a motif within the rim of hexes ("solid", "dots", "lines" ...) and a
    letter. Lengths are those on a hex of 38.1 mm."""

    motif: str
    ink: Ink
    rim_mm: float
    spacing_mm: float
    stroke_mm: float
    letter: Text | None = None


class Theme(Struct, frozen=True, kw_only=True, eq=False):
    """The look, by name: `inks` ("tile.yellow"), `strokes` ("track"), `types` ("tile.revenue"). A missing name is an
    error in the code or the theme file and raises KeyError. `patterns` are those of tile colours ("yellow") that have
    one; `company_tint` is how much white is mixed into large areas of companies' colours, 0 (none) to 1, and
    `relief` how strong the relief of maps is, 0 (none) to 1."""

    id: str
    inks: dict[str, Ink]
    strokes: dict[str, Stroke]
    types: dict[str, TypeStyle]
    patterns: dict[str, Pattern] = field(default_factory=dict)
    company_tint: float = 0.0
    relief: float = 1.0

    def ink(self, name: str) -> Ink:
        """The ink of that name."""
        return self.inks[name]

    def stroke(self, name: str) -> Stroke:
        """The stroke of that name."""
        return self.strokes[name]

    def type(self, name: str) -> TypeStyle:
        """The type style of that name."""
        return self.types[name]
