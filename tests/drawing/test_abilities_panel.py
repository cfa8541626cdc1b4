"""What a company may do stays in its panel, whatever the language; what no panel holds is an
error."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from often import crossed
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.problems import Problem
from platelayer.foundation.resources import title_ids
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.scene.flatten import FlatShape, FlatText, flatten_scene
from platelayer.scene.shapes import Role, Scene
from shipped import shipped

_LEAST_AIR_MM = 0.3
"""Between the ink of words and the rim of a panel."""


def charters(title: Title, language: str) -> dict[str, Scene]:
    """The charters of companies that have abilities, by company."""
    manifest, style = build_manifest(title), style_of(title, load_theme("classic"), language)
    told = {company.id for company in title.companies if company.abilities}
    pieces = [piece for piece in manifest.pieces if piece.kind == "charter" and piece.id in told]
    return {piece.id: draw_piece(title, manifest, piece, style)[0] for piece in pieces}


def box_of(text: FlatText, shapes: list[FlatShape]) -> FlatShape:
    """The smallest filled shape below the middle of a text: the ground or a panel on it."""
    x, y = (text.bounds[0] + text.bounds[2]) / 2, (text.bounds[1] + text.bounds[3]) / 2
    below = [
        shape
        for shape in shapes
        if shape.fill is not None and shape.order < text.order and any(shape.covered([(x, y)]))
    ]
    return min(
        below,
        key=lambda each: (each.bounds[2] - each.bounds[0]) * (each.bounds[3] - each.bounds[1]),
    )


def outside(title: Title, language: str) -> list[str]:
    """Words of abilities that reach beyond their panels or are too near their rims."""
    found = []
    for company in title.companies:
        scene = charters(replace(title, companies=(company,)), language).get(company.id)
        if scene is None:
            continue
        shapes, texts = flatten_scene(scene)
        panels = [shape for shape in shapes if shape.role is not Role.ORNAMENT]
        abilities = "".join(text.get(language) for text in company.abilities).replace(" ", "")
        for text in texts:
            words = text.run.text.replace(" ", "")
            if len(words) < 4 or words not in abilities:
                continue
            left, top, right, bottom = box_of(text, panels).bounds
            air = min(
                text.bounds[0] - left,
                text.bounds[1] - top,
                right - text.bounds[2],
                bottom - text.bounds[3],
            )
            if air < _LEAST_AIR_MM:
                found.append(
                    f"{scene.key} ({language}): {text.run.text!r} has {air:.2f} mm to its panel's rim"
                )
    return found


@pytest.mark.parametrize(("language", "title_id"), crossed(["en", "ja"], title_ids()))
def test_abilities_stay_in_their_panels(title_id: str, language: str) -> None:
    assert outside(shipped(title_id), language) == []


@pytest.mark.parametrize("words", [20, 40, 60, 80])
@pytest.mark.parametrize("company_id", ["EPP", "BK"])
def test_longer_ones_stay_there_too_or_are_refused(company_id: str, words: int) -> None:
    title = shipped("1824")
    company = next(each for each in title.companies if each.id == company_id)
    long = replace(
        company, abilities=(Text.plain("It may do this. " * (words // 4)), Text.plain("And that."))
    )
    title = replace(title, companies=(long,))
    refused: tuple[Problem, ...] = ()
    found: list[str] = []
    try:
        found = outside(title, "en")
    except DoesNotFit as error:
        refused = error.problems
    assert found == []
    assert [each.code for each in refused] == (["LG08"] if refused else [])
    assert words > 40 or not refused


def test_a_text_that_no_panel_holds_is_refused() -> None:
    title = shipped("1824")
    company = next(each for each in title.companies if each.id == "EPP")
    long = replace(company, abilities=(Text.plain("It may do this. " * 100),))
    with pytest.raises(DoesNotFit, match="LG08 charter: what it may do does not fit"):
        charters(replace(title, companies=(long,)), "en")
