"""What every drawing needs beside its subject: the theme, the language, the title's way to print money."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Stroke
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle

BLEED_MM = 3.2
"""How far every piece is painted beyond its trim: an eighth of an inch and a little, the most that shops ask for.
Layouts show as much of it as they have room for."""


class Style(Struct, frozen=True, kw_only=True, eq=False):
    """A theme and a language ("en" or "ja")."""

    theme: Theme
    language: str = "en"

    def ink(self, name: str) -> Ink:
        """The theme's ink of that name."""
        return self.theme.ink(name)

    def stroke(self, name: str) -> Stroke:
        """The theme's stroke of that name."""
        return self.theme.stroke(name)

    def type(self, name: str) -> TypeStyle:
        """The theme's type style of that name."""
        return self.theme.type(name)

    def words(self, text: Text) -> str:
        """A text in the language of the print."""
        return text.get(self.language)
