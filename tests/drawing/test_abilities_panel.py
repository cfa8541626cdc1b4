"""Abilities that are longer than any shipped ones stay in their panel; what no panel holds is an
error."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from looks.abilities import beyond_panels
from platelayer.definitions.themes import load_theme
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.scene.shapes import Scene
from shipped import shipped


def with_abilities(company_id: str, *abilities: str) -> tuple[Company, Scene]:
    """A company of 1824 with other abilities, and its charter."""
    title = shipped("1824")
    company = replace(
        title.company_by_id[company_id], abilities=tuple(Text.plain(text) for text in abilities)
    )
    title = replace(title, companies=(company,))
    return company, draw_charter(title, company_id, style_of(title, load_theme("classic"), "en"))


@pytest.mark.parametrize("words", [20, 40, 60, 80])
@pytest.mark.parametrize("company_id", ["EPP", "BK"])
def test_longer_ones_stay_there_too_or_are_refused(company_id: str, words: int) -> None:
    refused: list[str] = []
    found: list[str] = []
    try:
        drawn = with_abilities(company_id, "It may do this. " * (words // 4), "And that.")
        found = beyond_panels(*drawn, "en")
    except DoesNotFit as error:
        refused = [each.code for each in error.problems]
    assert found == []
    assert refused == (["LG08"] if refused else [])
    assert words > 40 or not refused
