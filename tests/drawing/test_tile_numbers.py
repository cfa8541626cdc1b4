"""Numbers of tiles: in a corner of the author's choice or in none, other than the id, and never in
anything's way; and their edges."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from often import often, some_of
from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.definitions.titles import load_title
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.problems import Severity
from platelayer.model.gamemap import Layout
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.pipeline.load import check
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

STYLE = Style(theme=load_theme("classic"))
CITY = {"kind": "city", "slots": 4, "revenue": 80}
LARGE = {
    "colour": "brown",
    "stops": [CITY],
    "track": [[edge, "stop:0"] for edge in range(6)],
    "labels": ["Met"],
}
PLAIN = {"colour": "yellow", "track": [[0, 3]]}
WAYS = {Layout.FLAT: 60.0, Layout.POINTY: 90.0}
"""Where corner 0 lies, in degrees clockwise from the right: after edge 5 and before edge 0."""


def titled(folder: Path, tiles: dict[str, Any], layout: str = "flat", **pieces: Any) -> Title:
    board = {"name": "M", "layout": layout, "coordinates": {"letters_on": "x"}, "hexes": {"A1": {}}}
    whole = {
        "format": "platelayer.title/1",
        "id": "x",
        "name": "X",
        "currency": "{}",
        "tiles": tiles,
    }
    whole |= {"maps": {"m": board}, "pieces": pieces}
    (folder / "title.json").write_text(json.dumps(whole), encoding="utf-8")
    return load_title(folder).title


def faces(title: Title, tile_id: str) -> list[Scene]:
    manifest = build_manifest(title)
    return [
        scene
        for scene in draw_piece(title, manifest, manifest.by_key[f"tile:{tile_id}"], STYLE)
        if scene
    ]


def words(scene: Scene) -> dict[str, tuple[float, float]]:
    """Where the middle of each text lies from the middle of the piece."""
    return {
        text.run.text: (
            math.fsum(x for x, _ in text.corners) / 4 - scene.width_mm / 2,
            math.fsum(y for _, y in text.corners) / 4 - scene.height_mm / 2,
        )
        for text in flatten_scene(scene)[1]
    }


@pytest.mark.parametrize("tile_id", ["Metropol9", "Metropolis-brown", "WWWWWWWWWWWWWWWW"])
def test_a_long_number_on_a_large_city_stops_no_print(tmp_path: Path, tile_id: str) -> None:
    titled(tmp_path, {tile_id: {"count": 1, "tile": LARGE}})
    found = [each for each in check(str(tmp_path)) if each.code.startswith("LG")]
    assert [each for each in found if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("theme_id", often(theme_ids(), "classic"))
@pytest.mark.parametrize("layout", often(Layout, Layout.FLAT))
@pytest.mark.parametrize("part", some_of(3))
def test_a_long_number_touches_nothing_on_any_tile(
    theme_id: str, layout: Layout, part: slice
) -> None:
    style = Style(theme=load_theme(theme_id))
    left_out = 0
    tiles = catalogue_tiles()[part]
    for tile in tiles:
        scene = tile_scene(tile, layout, 38.1, style, number="Metropolis-brown")
        for problem in check_legibility(scene):
            assert (problem.code, problem.severity) == ("LG10", Severity.WARNING), problem
            left_out += 1
    assert left_out < len(tiles) / 25


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("corner", range(6))
def test_a_number_stands_in_the_corner_that_is_chosen(
    tmp_path: Path, layout: Layout, corner: int
) -> None:
    tiles = {
        "X1": {"count": 1, "tile": PLAIN, "number_corner": corner},
        "X2": {"count": 1, "tile": PLAIN},
    }
    title = titled(tmp_path, tiles, layout.value, number_corner=(corner + 3) % 6)
    for tile_id, chosen in (("X1", corner), ("X2", corner + 3)):
        x, y = words(faces(title, tile_id)[0])[tile_id]
        away = math.degrees(math.atan2(y, x)) - WAYS[layout] - 60 * chosen
        assert abs((away + 180) % 360 - 180) < 12
        assert math.hypot(x, y) > 12


def test_a_number_may_be_printed_nowhere(tmp_path: Path) -> None:
    tiles = {
        "X1": {"count": 1, "tile": PLAIN},
        "X2": {"count": 1, "tile": PLAIN, "number_corner": 2},
    }
    title = titled(tmp_path, tiles, number_corner="none")
    assert words(faces(title, "X1")[0]) == {}
    assert set(words(faces(title, "X2")[0])) == {"X2"}


def test_the_number_that_is_printed_may_differ_from_the_id(tmp_path: Path) -> None:
    tiles = {
        "Det-brown": {"count": 2, "number": "Det", "tile": PLAIN},
        "57": {"count": 1, "number": "57a"},
    }
    title = titled(tmp_path, {**tiles, "14": 1})
    manifest = build_manifest(title)
    assert [
        (piece.id, piece.name.get("en")) for piece in manifest.pieces if piece.kind == "tile"
    ] == [
        ("Det-brown", "Det"),
        ("57", "57a"),
        ("14", "14"),
    ]
    for tile_id, number in (("Det-brown", "Det"), ("57", "57a")):
        for scene in faces(title, tile_id):
            assert number in words(scene)
            assert tile_id not in words(scene)
    for kind in ("checklist", "upgrade-chart"):
        piece = next(piece for piece in manifest.pieces if piece.kind == kind)
        shown = {
            text
            for scene in draw_piece(title, manifest, piece, STYLE)
            if scene
            for text in words(scene)
        }
        assert {"14", "57a"} <= shown
        assert not {"Det-brown", "57"} & shown


@pytest.mark.parametrize("corner", [6, -1, "left", 1.5])
def test_a_corner_that_no_hex_has_is_an_error(tmp_path: Path, corner: object) -> None:
    whole = {
        "format": "platelayer.title/1",
        "id": "x",
        "name": "X",
        "pieces": {"number_corner": corner},
    }
    (tmp_path / "title.json").write_text(json.dumps(whole), encoding="utf-8")
    assert "/pieces/number_corner" in {
        each.pointer for each in check(str(tmp_path)) if each.code == "SC04"
    }


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("colour", ["yellow", "green", "brown", "gray", "purple", "red", "white"])
def test_a_slip_of_the_knife_shows_no_other_colour(layout: Layout, colour: str) -> None:
    scene = tile_scene(Tile(id="", colour=colour), layout, 38.1, STYLE)
    shapes, _ = flatten_scene(scene)
    axis = 1 if layout is Layout.FLAT else 0
    middle = (scene.width_mm / 2, scene.height_mm / 2)
    ways = [(away * (1 - axis), away * axis) for away in (0.0, 18.7, 19.0, 19.1, 22.2)]
    spots = [[(middle[0] + x, middle[1] + y)] for x, y in ways]
    (ground,) = [shape for shape in shapes if shape.fill is not None]
    (line,) = [shape for shape in shapes if shape.line is not None]
    assert all(ground.covered(spot) == [True] for spot in spots)
    assert ground.fill == STYLE.ink(f"tile.{colour}")
    assert line.stroke_mm == pytest.approx(0.25)
    assert line.bounds[axis] == pytest.approx(0.4)
