"""Terrain symbols and off-board tables: sizes kept, strokes that print, values that can be read."""

from __future__ import annotations

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.captions import revenue_table
from platelayer.drawing.hex.terrain import terrain_items, terrain_size
from platelayer.drawing.kit.style import Style
from platelayer.model.tile import RevenueStep
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import MIN_STROKE_MM, check_legibility
from platelayer.scene.shapes import Group, Path, Role, Scene, rectangle_path, translation

KINDS = (
    "hill", "mountain", "rough", "river", "marsh", "swamp", "lake", "sea", "water", "coast", "forest", "desert", "pass",
    "field", "never heard of",
)  # fmt: skip


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [5.0, 12.0, 30.0])
def test_symbols_fill_their_size(style: Style, kind: str, width: float) -> None:
    w, h = terrain_size(kind, width)
    items = terrain_items(kind, width, style)
    scene = Scene(
        key="test",
        width_mm=w,
        height_mm=h,
        items=(Group(items=items, matrix=translation(w / 2, h / 2)),),
    )
    shapes, texts = flatten_scene(scene)
    assert w == width
    assert not texts
    assert {shape.role for shape in shapes} == {Role.SYMBOL}
    assert all(shape.stroke_mm >= MIN_STROKE_MM for shape in shapes if shape.stroke_mm)
    left, top = min(s.bounds[0] for s in shapes), min(s.bounds[1] for s in shapes)
    right, bottom = max(s.bounds[2] for s in shapes), max(s.bounds[3] for s in shapes)
    slack = 0.03 * width + 0.1
    assert -slack <= left < right <= w + slack
    assert -slack <= top < bottom <= h + slack
    assert right - left > 0.8 * w
    assert bottom - top > 0.6 * h


@pytest.mark.parametrize(
    "steps",
    [
        (RevenueStep(40, "yellow"), RevenueStep(70, "brown")),
        (
            RevenueStep(10, "yellow"),
            RevenueStep(20, "green"),
            RevenueStep(30, "brown"),
            RevenueStep(40, "gray"),
        ),
        (RevenueStep(20, "white"), RevenueStep(70, "gray"), RevenueStep(140, "black")),
        (RevenueStep(30, None),),
        (RevenueStep(30, "2"), RevenueStep(60, "5")),
    ],
)
@pytest.mark.parametrize("limit", [12.0, 34.0])
def test_tables_can_be_read_on_red(
    style: Style, steps: tuple[RevenueStep, ...], limit: float
) -> None:
    items, width, height = revenue_table(steps, style, max_width_mm=limit)
    ground = Path(commands=rectangle_path(0, 0, 60, 60), fill=style.ink("tile.red"))
    scene = Scene(
        key="test",
        width_mm=60,
        height_mm=60,
        items=(ground, Group(items=items, matrix=translation(30, 30))),
    )
    assert check_legibility(scene) == ()
    shapes, texts = flatten_scene(scene)
    assert [text.run.text for text in texts if text.size_pt > 8] == [
        str(step.value) for step in steps
    ]
    boxes = [shape for shape in shapes if shape.role is Role.SYMBOL]
    assert min(s.bounds[0] for s in boxes) == pytest.approx(30 - width / 2, abs=0.3)
    assert max(s.bounds[2] for s in boxes) == pytest.approx(30 + width / 2, abs=0.3)
    assert max(s.bounds[3] for s in boxes) == pytest.approx(30 + height / 2, abs=0.3)
    assert width <= max(limit, 12.0) + 0.01 or len({s.bounds[0] for s in boxes}) == 1


def test_no_steps_no_table(style: Style) -> None:
    assert revenue_table((), style) == ((), 0.0, 0.0)
