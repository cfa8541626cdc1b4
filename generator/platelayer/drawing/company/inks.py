"""A company's inks on paper, for lines, grounds and words, whatever its colour."""

from __future__ import annotations

import colorsys

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.model.company import Company
from platelayer.scene.inks import (
    BLACK,
    RGB,
    WHITE,
    Ink,
    contrast,
    ink_from_hex,
    ink_from_rgb,
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
"""Words with less contrast to their field than this are a mistake in the definition: black or white replaces them."""
_NEARLY_BLACK = 1.8
_YELLOWS = (0.09, 0.19)
_PASTEL = (0.8, 0.62)
"""A pastel stays soft as it darkens: above this lightness, at most this saturation."""


class CompanyInks(Struct, frozen=True, kw_only=True):
    """`field` and `second` are the roundel's colours; `frame` is the field on large areas; `band` is the field,
    darkened or lightened just enough to make `on_band` readable; `line` is for fine lines and large figures on paper;
    `tint` a light ground and `veil` the underprint on it; `on_line` is readable on an area of `line`. Themes may have
    `frame` and `band` pale."""

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
    band = darkened(field, words, WORD_CONTRAST) if lighter else lightened(field, words, WORD_CONTRAST)
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


def darkened(ink: Ink, ground: Ink, ratio: float) -> Ink:
    """The ink, darkened until it has at least this contrast to a lighter ground. Yellows turn towards ochre on the way,
    as engravers mix them, because a dark yellow is a dull olive."""
    return _until(ink, ground, ratio, -0.02)


def lightened(ink: Ink, ground: Ink, ratio: float) -> Ink:
    """The ink, lightened until it has at least this contrast to a darker ground."""
    return _until(ink, ground, ratio, 0.02)


def _until(ink: Ink, ground: Ink, ratio: float, step: float) -> Ink:
    if contrast(ink, ground) >= ratio:
        return ink
    hue, lightness, saturation = colorsys.rgb_to_hls(*ink.rgb)
    if step < 0 and _YELLOWS[0] < hue < _YELLOWS[1] and saturation > 0.2:
        hue, saturation = _YELLOWS[0] + (hue - _YELLOWS[0]) * 0.45, min(saturation, 0.85)
    if step < 0 and lightness > _PASTEL[0]:
        saturation = min(saturation, _PASTEL[1])
    while 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        mixed = _ink(colorsys.hls_to_rgb(hue, lightness, saturation))
        if contrast(mixed, ground) >= ratio:
            return mixed
    return BLACK if step < 0 else WHITE


def _ink(rgb: RGB) -> Ink:
    rounded = (round(rgb[0] * 255) / 255, round(rgb[1] * 255) / 255, round(rgb[2] * 255) / 255)
    name = "#" + "".join(f"{round(part * 255):02x}" for part in rounded)
    return ink_from_rgb(rounded, name)
