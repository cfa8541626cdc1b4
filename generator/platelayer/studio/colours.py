"""How a colour reads, beside the field where it is chosen: the rules' own measures, before they are
asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.definitions.themes import complete_theme
from platelayer.drawing.company.inks import DIVISION_CONTRAST
from platelayer.foundation.problems import CannotRun
from platelayer.model.company import Company
from platelayer.rules.livery_rules import alike
from platelayer.scene.inks import Ink, contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.scene.theme import Theme

_RGB = re.compile("#[0-9a-fA-F]{6}")


def verdict(
    loaded: Loaded | None,
    colour: str,
    *,
    theme: str,
    on: str = "",
    company: str = "",
    field: str = "",
) -> dict[str, Any]:
    """What a colour looks like; its contrast to another or to the better of black and white, and
    the least that is legible; and the companies that it makes hard to tell from its own. Raises
    CannotRun for what is no colour."""
    whole = complete_theme(theme)
    ink = _ink(colour, whole)
    beside = _ink(on, whole) if on else readable_on(ink)
    least = DIVISION_CONTRAST if field == "second" else MIN_CONTRAST
    near = _near(loaded, company, field, ink) if loaded and company else []
    return {
        "rgb": ink.hex,
        "beside": beside.hex,
        "contrast": round(contrast(ink, beside), 1),
        "least": least,
        "alike": near,
    }


def _ink(colour: str, theme: Theme) -> Ink:
    if _RGB.fullmatch(colour):
        return ink_from_hex(colour)
    if colour not in theme.inks:
        raise CannotRun(f"there is no ink {colour!r} in the theme {theme.id}")
    return theme.inks[colour]


def _near(loaded: Loaded, company_id: str, field: str, ink: Ink) -> list[dict[str, Any]]:
    """The companies that one with another colour looks like: with whose eyes, and how far apart
    they are."""
    companies = loaded.title.companies
    company = next((company for company in companies if company.id == company_id), None)
    if company is None or field not in ("colour", "second"):
        return []
    written = loaded.assembled.value.get("companies", {}).get(company_id, {})
    changed = _with(company, field, ink, second_is_written="second" in written)
    others = [other for other in companies if other.id != company_id]
    return [
        {
            "company": likeness.company.id,
            "vision": likeness.vision.word,
            "difference": round(likeness.difference, 1),
        }
        for likeness in alike(changed, others)
    ]


def _with(company: Company, field: str, ink: Ink, *, second_is_written: bool) -> Company:
    if field == "second":
        return replace(company, second=ink.hex)
    return replace(
        company,
        colour=ink.hex,
        second=company.second if second_is_written else readable_on(ink).hex,
    )
