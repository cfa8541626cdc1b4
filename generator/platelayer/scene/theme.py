"""Themes: named inks, strokes and type styles, without any knowledge of games."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field
from msgspec.structs import replace

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.scene.inks import Ink, mix, shaded
from platelayer.scene.shapes import Stroke
from platelayer.scene.typeset import TypeStyle


class Pattern(Frozen, kw_only=True):
    """Signs that identify a colour besides its ink: a motif within the rim of hexes ("solid",
    "dots", "lines" ...) and a letter. Lengths are those on a hex of 38.1 mm."""

    motif: str
    ink: Ink
    rim_mm: float
    spacing_mm: float
    stroke_mm: float
    letter: Text | None = None


class Theme(Frozen, kw_only=True, eq=False):
    """The look, by name: `inks` ("tile.yellow"), `strokes` ("track"), `types` ("tile.revenue"). A
    missing name is an error in the code or the theme file and raises KeyError. `patterns` are those
    of tile colours ("yellow") that have one; `edge` is "none" for tiles without a keyline;
    `hatch_mm` is the distance of the lines that hatch locomotives (0: none); `company_tint` is
    how much white is mixed into large areas of companies' colours, 0 (none) to 1, and `relief`
    how strong relief and tints of regions on maps are, 0 (none) to 1. `outland` is how much
    less lightness (CIE L*) the ground round a board has than its land (0: as the ink is).
    `livery` says which inks take on how much (0 to 1) of which colour of a livery: role
    ("paper") -> ink -> share."""

    id: str
    inks: dict[str, Ink]
    strokes: dict[str, Stroke]
    types: dict[str, TypeStyle]
    patterns: dict[str, Pattern] = field(default_factory=dict)
    edge: str = "line"
    company_tint: float = 0.0
    hatch_mm: float = 0.0
    relief: float = 1.0
    outland: float = 0.0
    livery: dict[str, dict[str, float]] = field(default_factory=dict)

    def dressed(self, colours: Mapping[str, Ink]) -> Theme:
        """The theme with the colours of a livery, by role, in the inks that take them on."""
        inks = {
            name: replace(mix(self.inks[name], colour, self.livery[role][name]), name=name)
            for role, colour in colours.items()
            for name in self.livery.get(role, ())
        }
        if self.outland and "map.ground" in inks:
            land, ground = inks.get("tile.white", self.inks["tile.white"]), inks["map.ground"]
            inks["map.ground"] = replace(shaded(ground, land, self.outland), name="map.ground")
        strokes = {
            name: replace(stroke, ink=inks[stroke.ink.name])
            for name, stroke in self.strokes.items()
            if stroke.ink.name in inks
        }
        return replace(self, inks={**self.inks, **inks}, strokes={**self.strokes, **strokes})

    def ink(self, name: str) -> Ink:
        """The ink of that name."""
        return self.inks[name]

    def stroke(self, name: str) -> Stroke:
        """The stroke of that name."""
        return self.strokes[name]

    def type(self, name: str) -> TypeStyle:
        """The type style of that name."""
        return self.types[name]
