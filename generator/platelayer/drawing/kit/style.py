"""The style of a drawing: the theme, the language, and the title's own words and pictures."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text
from platelayer.model.company import Livery, Motif, Picture
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide
from platelayer.scene.inks import (
    BLACK,
    WHITE,
    Ink,
    contrast,
    ink_from_hex,
    ink_from_rgb,
    mix,
    readable_on,
)
from platelayer.scene.legibility import MIN_PRINTED_CONTRAST, MIN_TEXT_PT
from platelayer.scene.press import INKS, printed_contrast, printing_on
from platelayer.scene.shapes import Stroke
from platelayer.scene.typeset import Theme, TypeStyle

# Inks made darker or lighter until they are legible on a ground.


_YELLOWS = (0.09, 0.19)
# A pastel must stay soft when it is darkened: above this lightness, the saturation is limited to
# this maximum.
_PASTEL = (0.8, 0.62)


def darkened(ink: Ink, ground: Ink, ratio: float, press: str = "") -> Ink:
    """Return the ink, darkened until it has at least this contrast to a lighter ground and, if a
    press is named, is legible on it in print. Yellows turn towards ochre on the way, as
    engravers mix them, because a dark yellow is a dull olive."""
    return _until(ink, ground, ratio, -0.02, press)


def lightened(ink: Ink, ground: Ink, ratio: float, press: str = "") -> Ink:
    """Return the ink, lightened until it has at least this contrast to a darker ground and, if a
    press is named, is legible on it in print."""
    return _until(ink, ground, ratio, 0.02, press)


def _until(ink: Ink, ground: Ink, ratio: float, step: float, press: str) -> Ink:
    if contrast(ink, ground) >= ratio and is_read(ink, ground, press):
        return ink
    hue, lightness, saturation = colorsys.rgb_to_hls(*ink.rgb)
    if step < 0 and _YELLOWS[0] < hue < _YELLOWS[1] and saturation > 0.2:
        hue, saturation = _YELLOWS[0] + (hue - _YELLOWS[0]) * 0.45, min(saturation, 0.85)
    if step < 0 and lightness > _PASTEL[0]:
        saturation = min(saturation, _PASTEL[1])
    while 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        rgb = colorsys.hls_to_rgb(hue, lightness, saturation)
        rounded = (round(rgb[0] * 255) / 255, round(rgb[1] * 255) / 255, round(rgb[2] * 255) / 255)
        name = "#" + "".join(f"{round(part * 255):02x}" for part in rounded)
        mixed = ink_from_rgb(rounded, name)
        if contrast(mixed, ground) >= ratio and is_read(mixed, ground, press):
            return mixed
    return BLACK if step < 0 else WHITE


def is_read(words: Ink, ground: Ink, press: str) -> bool:
    """Return True if words of any size have the contrast on a press that LG05 requires, or if no
    press is named."""
    if not press:
        return True
    with printing_on(press):
        # Small words have fewer inks, with which strong colours print paler.
        return all(
            printed_contrast(words, ground, most) >= MIN_PRINTED_CONTRAST
            for most in range(2, INKS + 1)
        )


# Every piece is painted to this distance beyond its trim: slightly more than an eighth of an inch,
# which is the maximum that shops require. Layouts show as much of it as fits.
BLEED_MM = 3.2

# Contrasts in a livery: of black to the paper, of its lines to the paper, and of its accents.
_PAPER_CONTRAST, _LINE_CONTRAST, _ACCENT_CONTRAST = 15.0, 7.0, 5.4
# Share of lines and metal in the ground of a livery, and share of metal in that mixture: lines
# alone would make it grey.
_SHADE, _WARMTH = 0.2, 0.62


# A word that every language has, as a sample of its script.
_SAMPLE = FixedWords("cards")("rusted_by")


class Style(Struct, frozen=True, kw_only=True, eq=False):
    """A theme in the colours of a title, a language, the title's own wording of fixed words (by
    name) and its pictures (by id), the motif of its ornaments (None: the plain one for anything
    that belongs to no title), the year of its latest engine, and the press it is printed on (""
    for a screen or a home printer)."""

    theme: Theme
    language: str = "en"
    terms: Mapping[str, Text] = {}
    pictures: Mapping[str, Picture] = {}
    motif: Motif | None = None
    last_year: int | None = None
    press: str = ""

    def ink(self, name: str) -> Ink:
        """Return the theme's ink of that name."""
        return self.theme.ink(name)

    def stroke(self, name: str) -> Stroke:
        """Return the theme's stroke of that name."""
        return self.theme.stroke(name)

    def type(self, name: str) -> TypeStyle:
        """Return the theme's type style of that name, with its Japanese faces in Japanese
        prints."""
        type_style = self.theme.type(name)
        is_japanese = type_style.japanese and holds_wide(_SAMPLE.get(self.language))
        return type_style.in_japanese() if is_japanese else type_style

    def ink_on(self, ground: Ink, dark: Ink = BLACK) -> Ink:
        """Return white or a dark ink, whichever is easier to read on a ground; if it fades on the
        press, the other one, provided that does not."""
        better = readable_on(ground, dark=dark)
        other = dark if better is WHITE else WHITE
        fades = not is_read(better, ground, self.press) and is_read(other, ground, self.press)
        return other if fades else better

    def finer(self) -> Style:
        """Return the style in which all words may be fine print."""
        types = {
            name: replace(type_style, min_pt=MIN_TEXT_PT, fine=True)
            for name, type_style in self.theme.types.items()
        }
        return replace(self, theme=replace(self.theme, types=types))

    def words(self, text: Text, *parts: object) -> str:
        """Return a text in the language of the print; `parts` fill the placeholders of fixed
        words."""
        return self.tongue.say(text, *parts)

    @property
    def tongue(self) -> Tongue:
        """The language, with the title's own wording."""
        return Tongue(self.language, self.terms)

    def named(self, key: str, *tables: Mapping[str, Text]) -> str:
        """Return the words for a key in the first of the tables that has it, or the key itself."""
        return next((self.words(table[key]) for table in tables if key in table), key)


def style_of(title: Title, theme: Theme, language: str, press: str = "") -> Style:
    """Return the style in which a title is drawn: a theme in its livery and a language, with its
    own wording and pictures, for a press if one is named."""
    pictures = {picture.id: picture for picture in title.pictures}
    motif, livery = None, title.livery
    if livery is not None:
        theme, motif = theme.dressed(livery_inks(livery)), livery.ornament
    terms, year = dict(title.terms), title.last_year
    return Style(
        theme=theme,
        language=language,
        terms=terms,
        pictures=pictures,
        motif=motif,
        last_year=year,
        press=press,
    )


def livery_inks(livery: Livery) -> dict[str, Ink]:
    """Return the colours of a livery by role, adjusted to be legible: `ground` is the shade of its
    paper."""
    stated, metal = ink_from_hex(livery.paper), ink_from_hex(livery.metal)
    lighter = (mix(stated, WHITE, step / 20) for step in range(21))
    paper = next(ink for ink in lighter if contrast(ink, BLACK) >= _PAPER_CONTRAST)
    line = darkened(ink_from_hex(livery.line), paper, _LINE_CONTRAST)
    return {
        "paper": paper,
        "ground": mix(paper, mix(line, metal, _WARMTH), _SHADE),
        "line": line,
        "accent": darkened(ink_from_hex(livery.accent), paper, _ACCENT_CONTRAST),
        "metal": metal,
    }
