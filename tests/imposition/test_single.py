"""One piece on a page of its own."""

import pytest
from sheet_pieces import card, disc, hexagon

from platelayer.imposition.tiling import single_page
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Role


@pytest.mark.parametrize(
    "scene", [hexagon("tile:57"), card("train:2", 67, 44), disc("token:BNR")], ids=lambda s: s.key
)
def test_a_page_with_marks_outside_the_bleed(scene):
    document = single_page(scene, "18XX")
    (page,) = document.pages
    assert document.stem == scene.key.replace(":", "-")
    assert page.trim[2:] == (scene.width_mm, scene.height_mm)
    assert page.bleed[2:] == (
        scene.width_mm + 2 * scene.bleed_mm,
        scene.height_mm + 2 * scene.bleed_mm,
    )
    x, y = page.bleed[:2]
    assert page.scene.width_mm == pytest.approx(page.bleed[2] + 2 * x)
    assert page.scene.height_mm == pytest.approx(page.bleed[3] + 2 * y)
    (marks,) = [shape for shape in flatten_scene(page.scene)[0] if shape.role is Role.MARK]
    assert min(marks.bounds[:2]) >= 1
    assert marks.bounds[2] <= page.scene.width_mm - 1
    assert marks.bounds[3] <= page.scene.height_mm - 1


def test_a_page_of_exactly_trim_and_bleed():
    (page,) = single_page(card("train:2", 67, 44), "18XX", marks=False).pages
    assert (page.scene.width_mm, page.scene.height_mm) == (73, 50)
    assert page.trim == (3, 3, 67, 44)
    assert page.bleed == (0, 0, 73, 50)
