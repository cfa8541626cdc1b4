"""Upright charters: what they say, and that all of it can be read."""

from __future__ import annotations

import pytest
from company_samples import LONG_NAMES, STYLE, company, title_of
from msgspec.structs import replace

from platelayer.drawing.company.charter import draw_charter
from platelayer.foundation.text import Text
from platelayer.model.company import Certificate, CompanyKind
from platelayer.model.title import Size, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

ABILITY = Text.plain(
    "The train with the express token may pass cities without counting them, in any number."
)


def words_of(scene: Scene) -> str:
    return " ".join(text.run.text for text in flatten_scene(scene)[1])


def title_with(size: tuple[float, float], **changes: object) -> Title:
    shares = (Certificate(percent=40, director=True), Certificate(percent=20, count=3))
    given = {
        "kind": CompanyKind.MINOR,
        "certificates": shares,
        "stations": (0,),
        "abilities": (ABILITY,),
    }
    subject = company("AA", **(given | changes))
    return title_of([subject], (Size(kind="charter", width_mm=size[0], height_mm=size[1]),))


@pytest.mark.parametrize("size", [(92, 140), (105, 148), (88, 126)])
@pytest.mark.parametrize("name", LONG_NAMES)
def test_it_stands_upright_and_shows_what_the_company_may_do(
    name: str, size: tuple[float, float]
) -> None:
    scene = draw_charter(title_with(size, name=Text.plain(name)), "AA", STYLE)
    assert (scene.width_mm, scene.height_mm) == pytest.approx(size)
    assert STYLE.words(ABILITY) in words_of(scene)
    assert "Director 40 %" in words_of(scene)
    assert not [str(problem) for problem in check_legibility(scene)]


@pytest.mark.parametrize(
    ("size", "loans", "words"),
    [
        ((92, 140), 5, "Loans of 50"),
        ((180, 90), 20, "Loans of 50"),
        ((92, 140), 20, "At most 20 loans."),
    ],
)
def test_loans_have_boxes_where_notes_leave_room_and_words_elsewhere(
    size: tuple[float, float], loans: int, words: str
) -> None:
    scene = draw_charter(replace(title_with(size, loans=loans), loan=50), "AA", STYLE)
    assert words in words_of(scene)
    assert not [str(problem) for problem in check_legibility(scene)]


def test_a_company_may_have_much_to_say() -> None:
    scene = draw_charter(title_with((92, 140), abilities=(ABILITY, ABILITY)), "AA", STYLE)
    assert words_of(scene).count("express token") == 2
    assert not [str(problem) for problem in check_legibility(scene)]


def test_a_station_may_be_priced_by_its_place() -> None:
    printed = words_of(draw_charter(title_with((92, 140), stations=(0, None, 40)), "AA", STYLE))
    assert "home see map 40" in printed
