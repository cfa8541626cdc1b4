"""Roundels: two colours, a division, and the abbreviation on a band."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.company.divisions import BAND, DIVISIONS, NUMBER, PLAIN, REVERSED, assign_divisions
from platelayer.drawing.company.inks import CompanyInks, company_inks
from platelayer.drawing.kit.pictures import picture_group
from platelayer.drawing.kit.style import Style
from platelayer.foundation.units import PT_PER_MM
from platelayer.model.company import Company, CompanyKind, Roundel
from platelayer.model.picture import Picture
from platelayer.model.title import Title
from platelayer.scene.fonts import face
from platelayer.scene.inks import Ink, luminance
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Role,
    Stroke,
    TextRun,
    circle_path,
    polygon_path,
    scaling,
)
from platelayer.scene.shapes import transform_commands as transformed
from platelayer.scene.typeset import TypeStyle, prepared, set_line, split_by_face, text_width

_SQUARE = 0.02
"""How far the sides of a square picture may differ, as a share of it."""

__all__ = ["assign_divisions", "company_of", "roundel_items", "with_roundels"]


def with_roundels(title: Title) -> dict[str, Company]:
    """The companies of a title by `ref`, each with its roundel filled in, worked out where the title gives none.

    They are worked out for all companies of the game, so that those of a variant fit the tokens and maps of the box.
    """
    divisions = assign_divisions(title.line_up or title.companies)
    return {
        company.ref: replace(company, roundel=Roundel(division=divisions.get(company.ref, PLAIN)))
        for company in title.companies
    }


def company_of(title: Title, ref: str) -> Company:
    """One company with its roundel filled in, by its `ref`. Raises KeyError."""
    return with_roundels(title)[ref]


def roundel_items(company: Company, diameter_mm: float, style: Style, *, unit_mm: float = 1.0) -> tuple[Item, ...]:
    """The roundel centred on (0, 0).

    Take the company from `with_roundels(title)`, so that no two of a title are alike; one without a roundel is drawn
    plain, a minor with a number as a disc with the number. The abbreviation is left out where it would be set below
    the least size of its type style; `unit_mm` is the size on paper of a unit of the drawing.
    """
    inks = company_inks(company, style)
    logo = style.pictures.get(company.logo or "")
    if logo is not None:
        return _logo_disc(logo, diameter_mm, inks)
    division = company.roundel.division if company.roundel is not None else _plain(company)
    if division == NUMBER:
        return _number_disc(company, diameter_mm, inks, _type(style, "roundel.number", unit_mm))
    return _divided_disc(company, division, diameter_mm, inks, _type(style, "roundel.text", unit_mm))


def _type(style: Style, name: str, unit_mm: float) -> TypeStyle:
    kind = style.type(name)
    return replace(kind, min_pt=kind.min_pt / unit_mm)


def _logo_disc(logo: Picture, diameter_mm: float, inks: CompanyInks) -> tuple[Item, ...]:
    """A company's own sign: a square picture fills the disc, another one lies in it with all its corners."""
    r = diameter_mm / 2
    edge = max(0.12, r * 0.05)
    square = abs(logo.width - logo.height) < _SQUARE
    size = diameter_mm - edge if square else (diameter_mm - 2 * edge) / math.hypot(logo.width, logo.height)
    rim = Stroke(ink=min(inks.line, inks.on_band, key=luminance), width_mm=edge)
    inside = (Circle(cx=0, cy=0, r=r, fill=inks.band), picture_group(logo, size, inks.on_band, role=Role.GROUND))
    return (Group(items=inside, clip=circle_path(0, 0, r - edge / 2)), Circle(cx=0, cy=0, r=r - edge / 2, stroke=rim))


def _plain(company: Company) -> str:
    numbered = company.kind is CompanyKind.MINOR and company.token_text.isdecimal()
    return NUMBER if numbered else PLAIN


def _number_disc(company: Company, diameter_mm: float, inks: CompanyInks, kind: TypeStyle) -> tuple[Item, ...]:
    r = diameter_mm / 2
    rim = Stroke(ink=inks.on_band, width_mm=max(0.12, r * 0.055))
    items = (Circle(cx=0, cy=0, r=r, fill=inks.band), Circle(cx=0, cy=0, r=r * 0.86, stroke=rim))
    words = lettered(company.token_text, kind, inks.on_band, r * 0.76, r * 1.02)
    return (*items, *words)


def _divided_disc(
    company: Company, division: str, diameter_mm: float, inks: CompanyInks, kind: TypeStyle
) -> tuple[Item, ...]:
    r = diameter_mm / 2
    field, second = inks.field, inks.second
    if division.startswith(REVERSED):
        division, field, second = division.removeprefix(REVERSED), second, field
    edge = max(0.12, r * 0.05)
    band = r * BAND
    line = max(0.12, r * 0.06)
    inside: list[Item] = [Circle(cx=0, cy=0, r=r, fill=field)]
    if DIVISIONS[division]:
        inside.append(Path(commands=transformed(DIVISIONS[division], scaling(r)), fill=second, even_odd=True))
    inside.append(Path(commands=_strip(r, band + line), fill=inks.on_band))
    inside.append(Path(commands=_strip(r, band), fill=inks.band))
    rim = Stroke(ink=min(inks.line, inks.on_band, key=luminance), width_mm=edge)
    items = (
        Group(items=tuple(inside), clip=circle_path(0, 0, r - edge / 2)),
        Circle(cx=0, cy=0, r=r - edge / 2, stroke=rim),
    )
    words = lettered(company.token_text, kind, inks.on_band, r - edge - line, band * 1.42)
    return (*items, *words)


def _strip(r: float, half: float) -> tuple[tuple[str | float, ...], ...]:
    return polygon_path(((-r, -half), (r, -half), (r, half), (-r, half)))


def lettered(text: str, style: TypeStyle, ink: Ink, radius_mm: float, tall_mm: float) -> tuple[TextRun, ...]:
    """A word in the middle of a disc, as large as possible with its ink inside the disc and at most `tall_mm` high;
    nothing when that is below the least size of the style."""
    parts = split_by_face(prepared(text, capitals=style.capitals), style)
    heights = [face(name).glyphs[char][1:] for name, words in parts for char in words]
    low, high = (
        min(low for low, _ in heights),
        max(*(high for _, high in heights), style.cap_height_mm / style.size_mm),
    )
    low = low if low < -0.05 else 0.0
    size = tall_mm / (high - low) * PT_PER_MM
    while size >= style.min_pt:
        candidate = style.at(math.floor(size * 20) / 20)
        half = (high - low) * candidate.size_mm / 2
        chord = 2 * math.sqrt(max(0.0, radius_mm**2 - half**2)) - 0.04 * radius_mm
        if text_width(text, candidate) <= chord and candidate.size_pt >= style.min_pt:
            down = (high + low) / 2 * candidate.size_mm
            return set_line(text, candidate, ink, 0, down, anchor=Anchor.MIDDLE)
        size -= 0.25 + size * 0.01
    return ()
