"""Wide charters: trains beside all else, nothing left out, all of it legible."""

from __future__ import annotations

import pytest
from company_samples import LONG_NAMES, STYLE, company, title_of

from platelayer.drawing.company.charter import draw_charter
from platelayer.foundation.text import Text
from platelayer.model.company import Certificate, CompanyKind
from platelayer.model.manifest import train_bay, train_card
from platelayer.model.title import Size, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

ABILITY = Text.plain(
    "The train with the express token may pass cities without counting them, in any number."
)
SHARES = (Certificate(percent=20, director=True), Certificate(percent=10, count=8))


def words_of(scene: Scene) -> str:
    return " ".join(text.run.text for text in flatten_scene(scene)[1])


def title_with(size: tuple[float, float], **changes: object) -> Title:
    given = {
        "kind": CompanyKind.MAJOR,
        "certificates": SHARES,
        "stations": (0, 40),
        "abilities": (ABILITY,),
    }
    subject = company("AA", **(given | changes))
    return title_of([subject], (Size(kind="charter", width_mm=size[0], height_mm=size[1]),))


@pytest.mark.parametrize("size", [(188, 83), (189, 89), (210, 100)])
@pytest.mark.parametrize("name", LONG_NAMES)
def test_it_shows_what_the_company_may_do_and_holds_its_trains(
    name: str, size: tuple[float, float]
) -> None:
    title = title_with(size, name=Text.plain(name))
    scene = draw_charter(title, "AA", STYLE)
    assert (scene.width_mm, scene.height_mm) == pytest.approx(size)
    assert STYLE.words(ABILITY) in words_of(scene)
    assert "Director 20 %" in words_of(scene)
    assert not [str(problem) for problem in check_legibility(scene)]
    assert train_bay(title, title.companies[0]).holds(*train_card(title))


def test_a_name_with_accents_and_tails_keeps_what_stands_below_it_off_the_braid() -> None:
    given = {"name": Text.plain("ÅČȘ ÅČȘ ÅČȘ ÅČȘ"), "second_name": Text.plain("x")}
    scene = draw_charter(title_with((188, 83), **given), "AA", STYLE)
    assert "Director 20 %" in words_of(scene)
    assert not [str(problem) for problem in check_legibility(scene)]


def test_words_below_many_slots_have_their_whole_width_where_no_phase_limits_trains() -> None:
    title = title_with((188, 83), kind=CompanyKind.NATIONAL, stations=(0,) * 10)
    texts = flatten_scene(draw_charter(title, "AA", STYLE))[1]
    left = {text.run.text: text.bounds[0] for text in texts}
    (words, *_) = (x for text, x in left.items() if STYLE.words(ABILITY).startswith(text))
    assert words - left["Treasury"] < 6
