"""A theme: named inks, strokes and type styles, and nothing about any game."""

from __future__ import annotations

from dataclasses import dataclass

from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Stroke
from platelayer.scene.typeset import TypeStyle


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Theme:
    """The look, by name: `inks` ("tile.yellow"), `strokes` ("track"), `types` ("tile.revenue"). A missing name is a
    slip in code or theme file and raises KeyError."""

    id: str
    inks: dict[str, Ink]
    strokes: dict[str, Stroke]
    types: dict[str, TypeStyle]

    def ink(self, name: str) -> Ink:
        """The ink of that name."""
        return self.inks[name]

    def stroke(self, name: str) -> Stroke:
        """The stroke of that name."""
        return self.strokes[name]

    def type(self, name: str) -> TypeStyle:
        """The type style of that name."""
        return self.types[name]
