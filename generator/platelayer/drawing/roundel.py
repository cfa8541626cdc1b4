"""A company and a diameter in, its roundel out: two colours, a division, the abbreviation on a band."""

from __future__ import annotations

import math
from dataclasses import replace

from platelayer.drawing.company_inks import CompanyInks, company_inks
from platelayer.drawing.divisions import BAND, DIVISIONS, NUMBER, PLAIN, REVERSED, assign_divisions
from platelayer.drawing.style import Style
from platelayer.model.company import Company, CompanyKind, Roundel
from platelayer.model.title import Title
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import Circle, Group, Item, Path, Stroke, circle_path, polygon_path, scaling
from platelayer.scene.shapes import transform_commands as transformed
from platelayer.scene.typeset import TypeStyle, set_centred, text_width

__all__ = ["assign_divisions", "company_of", "roundel_items", "with_roundels"]


def with_roundels(title: Title) -> dict[str, Company]:
    """The companies of a title by id, each with its roundel filled in, worked out where the title gives none."""
    divisions = assign_divisions(title.companies)
    return {
        company.id: replace(company, roundel=Roundel(division=divisions[company.id])) for company in title.companies
    }


def company_of(title: Title, company_id: str) -> Company:
    """One company with its roundel filled in. Raises KeyError."""
    return with_roundels(title)[company_id]


def roundel_items(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """The roundel centred on (0, 0).

    Take the company from `with_roundels(title)`, so that no two of a title are alike; one without a roundel is drawn
    plain, a minor with a number as a disc with the number. The abbreviation is left out where it would be set below
    the least size of its type style.
    """
    inks = company_inks(company, style)
    division = company.roundel.division if company.roundel is not None else _plain(company)
    if division == NUMBER:
        return _number_disc(company, diameter_mm, inks, style)
    return _divided_disc(company, division, diameter_mm, inks, style)


def _plain(company: Company) -> str:
    numbered = company.kind is CompanyKind.MINOR and company.token_text.isdecimal()
    return NUMBER if numbered else PLAIN


def _number_disc(company: Company, diameter_mm: float, inks: CompanyInks, style: Style) -> tuple[Item, ...]:
    r = diameter_mm / 2
    rim = Stroke(ink=inks.on_band, width_mm=max(0.12, r * 0.055))
    items: list[Item] = [
        Circle(cx=0, cy=0, r=r, fill=inks.band),
        Circle(cx=0, cy=0, r=r * 0.86, stroke=rim),
    ]
    words = fitted(company.token_text, style.type("roundel.number"), r * 0.76, r * 1.02)
    if words is not None:
        items += set_centred(company.token_text, words, inks.on_band, 0, 0)
    return tuple(items)


def _divided_disc(
    company: Company, division: str, diameter_mm: float, inks: CompanyInks, style: Style
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
    items: list[Item] = [
        Group(items=tuple(inside), clip=circle_path(0, 0, r - edge / 2)),
        Circle(cx=0, cy=0, r=r - edge / 2, stroke=rim),
    ]
    words = fitted(company.token_text, style.type("roundel.text"), r - edge - line, band * 1.42)
    if words is not None:
        items += set_centred(company.token_text, words, inks.on_band, 0, 0)
    return tuple(items)


def _strip(r: float, half: float) -> tuple[tuple[str | float, ...], ...]:
    return polygon_path(((-r, -half), (r, -half), (r, half), (-r, half)))


def fitted(text: str, style: TypeStyle, radius_mm: float, cap_mm: float) -> TypeStyle | None:
    """The style at the largest size at which the capitals of a word are at most `cap_mm` high and stay in a disc;
    None when that is below its least size."""
    size = style.size_pt * cap_mm / style.cap_height_mm
    while size >= style.min_pt:
        candidate = style.at(math.floor(size * 20) / 20)
        half = candidate.cap_height_mm / 2
        chord = 2 * math.sqrt(max(0.0, radius_mm**2 - half**2)) - 0.04 * radius_mm
        if text_width(text, candidate) <= chord:
            return candidate if candidate.size_pt >= style.min_pt else None
        size -= 0.25 + size * 0.01
    return None
