"""Roundels: told apart without colour, words readable whatever the colours, nothing outside the
disc."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from company_samples import STYLE, company

from looks.digests import TITLES
from platelayer.drawing.company.roundel import (
    REVERSED,
    assign_divisions,
    divisions,
    roundel_items,
    with_roundels,
)
from platelayer.model.company import Company, Roundel
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import Group, Scene, translation
from shipped import shipped

GRID = 28
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
    masks = {
        name: mask(name) for name in (*divisions(), *(REVERSED + name for name in divisions()))
    }
    for one, other in combinations(masks, 2):
        differing = sum(a != b for a, b in zip(masks[one], masks[other], strict=True)) / len(
            masks[one]
        )
        assert differing >= SEEN, f"{one} and {other} differ in {differing:.1%} only"


def test_a_division_given_is_kept_and_not_given_again() -> None:
    first = next(iter(divisions()))
    assigned = assign_divisions(
        [company("A"), company("B", roundel=Roundel(division=first)), company("C")]
    )
    assert assigned["B"] == first
    assert len(set(assigned.values())) == 3


@pytest.mark.parametrize("title_id", TITLES)
def test_every_roundel_has_its_letters_at_every_size(title_id: str) -> None:
    title = shipped(title_id)
    for subject in (*with_roundels(title).values(), company("Holding", token_text="Holdings")):
        for diameter in (2.8, 3.5, 4.6, 6.0, 9.0, 12.6, 22.0):
            _, texts = flatten_scene(scene_of(subject, diameter))
            assert "".join(text.run.text for text in texts) == subject.token_text
            for text in texts:
                assert text.size_pt >= 7 or diameter < 3.5
                for corner in text.corners:
                    assert math.dist(corner, (diameter / 2, diameter / 2)) < diameter / 2 * 1.15
