"""A company's inks on paper, for lines, grounds and words, whatever its colour."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.kit.shades import darkened, lightened
from platelayer.drawing.kit.style import Style
from platelayer.model.company import Company
from platelayer.scene.inks import (
    BLACK,
    WHITE,
    Ink,
    contrast,
    ink_from_hex,
    luminance,
    mix,
    readable_on,
)

LINE_CONTRAST = 5.4
"""Fine lines and large words on paper: a 0.1 mm line in a paler ink fades to a tint."""
WORD_CONTRAST = 4.6
"""Words on a field: a little above the 4.5 that the design rules require."""
DIVISION_CONTRAST = 2.0
"""The two colours of a roundel must differ in grey, too."""
_TELLING = 1.5
"""Words with less contrast to their field than this are a mistake in the definition: black or white
replaces them."""
_NEARLY_BLACK = 1.8


class CompanyInks(Struct, frozen=True, kw_only=True):
    """`field` and `second` are the roundel's colours; `frame` is the field on large areas; `band`
    is the field, darkened or lightened just enough to make `on_band` readable; `line` is for fine
    lines and large figures on paper; `tint` a light ground and `veil` the underprint on it;
    `on_line` is readable on an area of `line`. Themes may have `frame` and `band` pale."""

    field: Ink
    frame: Ink
    second: Ink
    band: Ink
    on_band: Ink
    line: Ink
    on_line: Ink
    tint: Ink
    veil: Ink


def company_inks(company: Company, style: Style) -> CompanyInks:
    """The inks of one company on the paper of the theme."""
    paper = style.ink("paper")
    field, words = ink_from_hex(company.colour), ink_from_hex(company.text_colour)
    if contrast(field, words) < _TELLING:
        words = readable_on(field)
    elif luminance(words) < luminance(field) and contrast(words, BLACK) < _NEARLY_BLACK:
        words = BLACK
    line = darkened(field, paper, LINE_CONTRAST)
    second = ink_from_hex(company.second)
    if contrast(field, second) < DIVISION_CONTRAST:
        second = line if contrast(field, line) >= DIVISION_CONTRAST else WHITE
    lighter = luminance(words) > luminance(field)
    band = (
        darkened(field, words, WORD_CONTRAST) if lighter else lightened(field, words, WORD_CONTRAST)
    )
    if contrast(words, band) < WORD_CONTRAST:
        words, band = readable_on(field), field
    if style.theme.company_tint:
        band = mix(field, WHITE, style.theme.company_tint)
        words = darkened(field, band, WORD_CONTRAST)
    return CompanyInks(
        field=field,
        frame=mix(field, WHITE, style.theme.company_tint) if style.theme.company_tint else field,
        second=second,
        band=band,
        on_band=words,
        line=line,
        on_line=WHITE,
        tint=mix(paper, line, 0.05),
        veil=mix(paper, line, 0.17),
    )
