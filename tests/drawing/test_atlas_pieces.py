"""Map tiles, overlays and capital projects: their shape, what is printed on them, and that it can
be read."""

from __future__ import annotations

import math

import pytest
from atlas_samples import COPIES, lost_atlas
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Size, Title
from platelayer.scene.flatten import flatten_commands, flatten_scene
from platelayer.scene.shapes import Scene

HEX_AREA = math.sqrt(3) / 2


@pytest.fixture(scope="module")
def title() -> Title:
    return lost_atlas()


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


def drawn(title: Title, key: str, style: Style) -> Scene:
    manifest = build_manifest(title)
    (scene,) = draw_piece(title, manifest, manifest.by_key[key], style)
    return scene


def sized(title: Title, across_mm: float) -> Title:
    kinds = ("map-tile", "overlay", "capital-project")
    sizes = tuple(Size(kind=kind, width_mm=across_mm, height_mm=across_mm) for kind in kinds)
    return replace(title, pieces=replace(title.pieces, sizes=sizes))


def words(scene: Scene) -> list[str]:
    return [text.run.text for text in flatten_scene(scene)[1]]


def area(scene: Scene) -> float:
    ((points, _),) = flatten_commands(scene.die_line)
    ring = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ring)) / 2


def test_the_box_has_33_map_tiles_3_projects_and_15_overlays(title):
    totals = build_manifest(title).totals
    assert totals["map-tile"] == 33
    assert totals["capital-project"] == 3
    assert (totals["overlay/capital"], totals["overlay/blank"]) == (3, 12)
    pieces = {
        piece.id: piece.count for piece in build_manifest(title).pieces if piece.kind == "map-tile"
    }
    assert pieces == {str(number): count for number, count in COPIES.items()}


@pytest.mark.parametrize("across_mm", [27.0, 40.0])
def test_a_map_tile_is_cut_out_as_three_hexes_in_one(title, style, across_mm):
    for key in ("map-tile:14", "capital-project:capital"):
        scene = drawn(sized(title, across_mm), key, style)
        assert area(scene) == pytest.approx(3 * HEX_AREA * across_mm**2, rel=1e-6)
        # Twelve sides: eighteen of the three hexes less twice the three that they share.
        assert len(flatten_commands(scene.die_line)[0][0]) == 12
        assert scene.height_mm == pytest.approx(2 * across_mm)
        assert scene.bleed_mm == 3.2
    assert area(drawn(sized(title, across_mm), "overlay:blank", style)) == pytest.approx(
        HEX_AREA * across_mm**2
    )


@pytest.mark.parametrize(
    ("number", "values"),
    [
        (2, ["20", "30", "40"]),
        (7, ["30"]),
        (9, ["30"]),
        (11, ["20"]),
        (8, ["40", "40"]),
        (22, ["40"] * 3),
    ],
)
def test_values_and_costs_are_those_of_the_facts(title, style, number, values):
    printed = sorted(
        word for word in words(drawn(title, f"map-tile:{number}", style)) if word.isdecimal()
    )
    assert printed == sorted([*values, str(number)])


def test_a_piece_that_the_box_has_not_is_a_key_error(title, style):
    from platelayer.drawing.map.map_tile import draw_map_tile, draw_overlay

    for draw, piece_id in ((draw_map_tile, "29"), (draw_map_tile, "x"), (draw_overlay, "city")):
        with pytest.raises(KeyError):
            draw(title, piece_id, style)
