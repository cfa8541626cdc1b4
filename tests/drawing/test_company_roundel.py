"""Roundels: told apart without colour, words readable whatever the colours, nothing outside the
disc."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from company_samples import EU, STYLE, company
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.drawing.company.roundel import (
    DIVISIONS,
    NUMBER,
    PLAIN,
    REVERSED,
    assign_divisions,
    company_inks,
    roundel_items,
    with_roundels,
)
from platelayer.model.company import Company, CompanyKind, Roundel
from platelayer.scene.flatten import FlatText, flatten_scene
from platelayer.scene.inks import contrast, luminance
from platelayer.scene.legibility import MIN_PLAY_PT, MIN_STROKE_MM
from platelayer.scene.shapes import Group, Scene, translation

GRID = 28
COLOUR = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")
SEEN = 0.03
"""Share of the disc in which two divisions must differ: about two of 28 x 28 squares a side."""


def scene_of(subject: Company, diameter: float) -> Scene:
    items = (
        Group(
            items=roundel_items(subject, diameter, STYLE),
            matrix=translation(diameter / 2, diameter / 2),
        ),
    )
    return Scene(key="roundel", width_mm=diameter, height_mm=diameter, items=items)


def mask(division: str) -> tuple[bool, ...]:
    """Light or dark at every point of a coarse grid, for a black company with a white second
    colour."""
    roundel = Roundel(division=division)
    subject = company(
        "ABC", colour="#000000", second="#ffffff", text_colour="#ffffff", roundel=roundel
    )
    shapes, _ = flatten_scene(scene_of(subject, float(GRID)))
    points = ((x + 0.5, y + 0.5) for y in range(GRID) for x in range(GRID))
    inside = (point for point in points if math.dist(point, (GRID / 2, GRID / 2)) < GRID / 2 - 1)
    found = []
    for point in inside:
        top = next(shape for shape in reversed(shapes) if any(shape.covered([point])))
        assert top.fill is not None
        found.append(luminance(top.fill) > 0.5)
    return tuple(found)


def test_all_divisions_differ_without_colour() -> None:
    masks = {name: mask(name) for name in (*DIVISIONS, *(REVERSED + name for name in DIVISIONS))}
    for one, other in combinations(masks, 2):
        differing = sum(a != b for a, b in zip(masks[one], masks[other], strict=True)) / len(
            masks[one]
        )
        assert differing >= SEEN, f"{one} and {other} differ in {differing:.1%} only"


def test_companies_of_18eu_differ() -> None:
    divisions = assign_divisions(EU.companies)
    assert [divisions[str(number)] for number in range(1, 16)] == [NUMBER] * 15
    majors = [divisions[c.id] for c in EU.companies if c.kind is CompanyKind.MAJOR]
    assert len(set(majors)) == 8
    assert NUMBER not in majors


def test_sixty_companies_differ() -> None:
    divisions = assign_divisions(company(f"C{number}") for number in range(60))
    assert len(set(divisions.values())) == 60


def test_a_division_given_is_kept_and_not_given_again() -> None:
    first = next(iter(DIVISIONS))
    divisions = assign_divisions(
        [company("A"), company("B", roundel=Roundel(division=first)), company("C")]
    )
    assert divisions["B"] == first
    assert len(set(divisions.values())) == 3


def test_privates_are_plain_and_take_no_division() -> None:
    divisions = assign_divisions([company("P", kind=CompanyKind.PRIVATE), company("A")])
    assert divisions == {"P": PLAIN, "A": next(iter(DIVISIONS))}


def test_minors_with_letters_have_divisions() -> None:
    divisions = assign_divisions(
        [company("SD1", kind=CompanyKind.MINOR), company("SD2", kind=CompanyKind.MINOR)]
    )
    assert NUMBER not in divisions.values()
    assert len(set(divisions.values())) == 2


@given(COLOUR, COLOUR, COLOUR)
@settings(max_examples=150, deadline=None)
def test_inks_work_on_every_colour(colour: str, second: str, words: str) -> None:
    inks = company_inks(company("X", colour=colour, second=second, text_colour=words), STYLE)
    assert contrast(inks.on_band, inks.band) >= 4.5
    assert contrast(inks.field, inks.second) >= 2.0
    assert contrast(inks.line, STYLE.ink("paper")) >= 4.5
    assert contrast(inks.line, inks.tint) >= 4.5
    assert contrast(inks.on_line, inks.line) >= 4.5
    assert contrast(STYLE.ink("text"), inks.veil) >= 7
    assert all(
        sum(ink.cmyk) <= 2.4001 for ink in (inks.band, inks.line, inks.tint, inks.veil, inks.second)
    )


@pytest.mark.parametrize(
    "words", ["X", "FS", "BNR", "SNCF", "IRSFF", "Ug", "MÁV", "StEGS", "Holding", "W"]
)
@pytest.mark.parametrize("diameter", [8.0, 9.0, 14.0, 26.0])
def test_words_stay_on_the_band(words: str, diameter: float) -> None:
    subject = company("A", token_text=words, roundel=Roundel(division="chequy"))
    shapes, texts = flatten_scene(scene_of(subject, diameter))
    assert all(shape.stroke_mm == 0 or shape.stroke_mm >= MIN_STROKE_MM for shape in shapes)
    for text in texts:
        _on_the_band(text, diameter)
    assert "".join(text.run.text for text in texts) in (words, "")
    assert texts or len(words) * 1.2 > diameter


def _on_the_band(text: FlatText, diameter: float) -> None:
    middle = (diameter / 2, diameter / 2)
    assert text.size_pt >= MIN_PLAY_PT
    for x, y in text.corners:
        assert math.dist((x, y), middle) <= diameter / 2
        # The band is four tenths of the disc high; accents of capitals may be no higher.
        assert abs(y - diameter / 2) <= diameter * 0.2 + 0.01


def test_a_word_too_long_for_a_small_disc_is_left_out() -> None:
    _, texts = flatten_scene(scene_of(company("Holding", roundel=Roundel(division="pale")), 4.0))
    assert texts == ()


def test_a_roundel_works_without_a_title() -> None:
    number = company("7", kind=CompanyKind.MINOR)
    assert flatten_scene(scene_of(number, 10.0))[1][0].run.text == "7"
    assert flatten_scene(scene_of(company("BNR"), 10.0))[1][0].run.text == "BNR"


def test_with_roundels_keeps_ids_and_order() -> None:
    assert list(with_roundels(EU)) == [c.id for c in EU.companies]
    assert all(c.roundel is not None for c in with_roundels(EU).values())
