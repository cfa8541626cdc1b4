"""The colour-blind theme tells tile colours by ink, pattern and letter; the low-ink theme prints
little."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from often import often, some_of
from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.hex.ground import letter_of, motif_items
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import wet_discs
from platelayer.drawing.train.card import draw_train
from platelayer.model.gamemap import Layout
from platelayer.model.kinds import piece_size
from platelayer.render.svg import render_svg
from platelayer.rules.company_rules import Vision, difference
from platelayer.scene.flatten import bounds_of, flatten_commands, flatten_scene
from platelayer.scene.inks import contrast
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Circle, Group, Path, Role
from shipped import shipped

COLOURS = ("white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "sepia")
THEME = load_theme("colour-blind")
CLEAR = 12.0
"""CIEDE2000: 10 is clear (see rule CO09)."""


@pytest.mark.parametrize("vision", Vision)
def test_every_eye_distinguishes_the_tile_colours(vision):
    near = {
        (one, other): round(
            difference(THEME.ink(f"tile.{one}").hex, THEME.ink(f"tile.{other}").hex, vision), 1
        )
        for one, other in combinations(COLOURS, 2)
    }
    assert {pair: by for pair, by in near.items() if by < CLEAR} == {}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_letter_is_another(language):
    letters = [letter_of(colour, Style(theme=THEME, language=language)) for colour in COLOURS[1:]]
    assert all(letters)
    assert len(set(letters)) == len(letters)


def test_every_motif_is_another_and_seen_on_its_ground():
    drawn = [pattern.motif for pattern in THEME.patterns.values() if pattern.motif != "none"]
    assert len(set(drawn)) == len(drawn) == 6
    for colour, pattern in THEME.patterns.items():
        if pattern.motif != "none":
            assert contrast(pattern.ink, THEME.ink(f"tile.{colour}")) > 2.5, colour


@pytest.mark.parametrize("number", ["57", "14", "611", "51", "48"])
def test_a_tile_says_its_colour(number):
    tile = next(tile for tile in catalogue_tiles() if tile.id == number)
    scene = tile_scene(tile, Layout.FLAT, 38.1, Style(theme=THEME))
    words = [text.run.text for text in flatten_scene(scene)[1]]
    assert letter_of(tile.colour, Style(theme=THEME)) in words
    assert THEME.patterns[tile.colour].ink.hex in render_svg(scene).decode()


@pytest.mark.parametrize(
    ("card", "colour", "faces"), [("a", "yellow", 1), ("b", "yellow", 2), ("d", "green", 3)]
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_face_of_a_train_card_says_its_colour(card, colour, faces, language):
    style = Style(theme=THEME, language=language)
    scene = draw_train(shipped("18cz"), card, style)
    words = [text.run.text for text in flatten_scene(scene)[1]]
    assert words.count(letter_of(colour, style)) == faces
    assert check_legibility(scene) == ()


def discs(items):
    """Circles with a fill and a rim: values, not slots."""
    for item in items:
        if isinstance(item, Group):
            yield from discs(item.items)
        elif (
            isinstance(item, Circle)
            and item.role is Role.SYMBOL
            and item.fill is not None
            and item.stroke is not None
        ):
            yield item


@pytest.mark.parametrize("part", some_of(4))
@pytest.mark.parametrize("theme", often(theme_ids(), "colour-blind"))
def test_values_stay_large_and_patterns_give_way(theme, part):
    style = Style(theme=load_theme(theme))
    scenes = [tile_scene(tile, Layout.FLAT, 38.1, style) for tile in catalogue_tiles()[part]]
    small = [
        (scene.key, disc.r) for scene in scenes for disc in discs(scene.items) if 1.0 < disc.r < 2.5
    ]
    assert small == []
    assert [str(problem) for scene in scenes for problem in check_legibility(scene)] == []


@pytest.mark.parametrize(
    "colour", [colour for colour in COLOURS[1:] if colour not in ("red", "blue")]
)
def test_motifs_fill_their_box(colour):
    box = (0.0, 0.0, 20.0, 12.0)
    for item in motif_items(THEME.patterns[colour], box, 1.0):
        assert isinstance(item, Path)
        left, top, right, bottom = bounds_of(
            [point for line, _ in flatten_commands(item.commands) for point in line]
        )
        assert max(left, top) < 2.0
        assert right > 18.0
        assert bottom > 10.0


def test_little_ink_on_tiles_and_grounds():
    low, classic = load_theme("low-ink"), load_theme("classic")
    for colour in COLOURS:
        name = f"tile.{colour}"
        assert sum(low.ink(name).cmyk) <= 0.35 * sum(classic.ink(name).cmyk), colour
    for name in ("paper", "map.ground", "map.margin", "board.ground", "card.ground", "card.band"):
        assert sum(low.ink(name).cmyk) == 0


@pytest.mark.parametrize("theme", ["low-ink", "colour-blind"])
def test_rivers_run_through_hexes_with_rims(theme):
    title = shipped("18eu")
    style = style_of(title, load_theme(theme), "en")
    (gamemap,) = title.maps
    plan = MapPlan(gamemap, piece_size(title, "map", gamemap.id).width_mm)
    scene = draw_map(title, gamemap.id, style)
    ((x, y),) = [(x, y) for name, x, y in scene.places if name == "N11"]
    shapes, _ = flatten_scene(scene)
    wet = [
        disc for disc in wet_discs(plan)[gamemap.by_id["N11"].at] if math.hypot(*disc[:2]) < 14.0
    ]
    tops = [
        [shape.fill for shape in shapes if shape.covered([(x + dx, y + dy)])[0]][-1]
        for dx, dy, _ in wet
    ]
    assert tops.count(style.ink("map.river")) > len(tops) / 2
