"""What is too small for the plates of a press to meet on: black words overprint, fine things are of
few inks."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path as File

import numpy as np
import pytest
from pdf_bytes import document, page_of, plates
from test_true_colours import lab

from platelayer.render.content import Content, Parts
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import BLACK, WHITE, Ink, ink_from_hex
from platelayer.scene.press import printing_on, recipe_of
from platelayer.scene.shapes import Item, Path, Scene, Stroke, Use, rectangle_path
from platelayer.scene.typeset import TypeStyle, set_line

PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
BROWN = Ink("brown", (0.5, 0.35, 0.2), (0.3, 0.5, 0.8, 0.4))
TINT = Ink("tint", (0.9, 0.8, 0.7), (0.1, 0.2, 0.3, 0.0))
STRONG = Ink("strong", (0.9, 0.2, 0.4), (0.2, 0.8, 0.5, 0.0))


def style(size_pt: float) -> TypeStyle:
    return TypeStyle(faces=("BarlowCondensed-Bold",), size_pt=size_pt)


def piece(key: str, ground: Ink, words: Ink = BLACK, size_pt: float = 24.0) -> Scene:
    """A card of 60 x 20 mm with HHH on its ground."""
    items: tuple[Item, ...] = (
        Path(commands=rectangle_path(0, 0, 60, 20), fill=ground),
        *set_line("HHHHHH", style(size_pt), words, 5, 14),
    )
    return Scene(key=key, width_mm=60, height_mm=20, items=items)


def sheet(*items: Item, folder: File) -> dict[str, np.ndarray]:
    return plates(render_pdf(document(page_of(*items)), colour="cmyk"), folder)


def placed(scene: Scene, y: float = 20.0, scale: float = 1.0) -> Use:
    return Use(scene=scene, matrix=(scale, 0.0, 0.0, scale, 20.0, y))


def test_black_words_on_a_tint_leave_its_plates_alone(tmp_path: File) -> None:
    found = sheet(placed(piece("card", TINT)), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    for ink, share in zip(PROCESS[:3], TINT.cmyk, strict=False):
        assert found[ink][black] == pytest.approx(share, abs=0.01)


def test_large_black_figures_knock_out(tmp_path: File) -> None:
    ground = Path(commands=rectangle_path(0, 0, 60, 20), fill=TINT)
    figures = set_line("HHH", style(30), BLACK, 5, 14)
    large = Scene(key="large", width_mm=60, height_mm=20, items=(ground, *figures))
    found = sheet(placed(large), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_black_words_on_140_percent_and_more_knock_out(tmp_path: File) -> None:
    found = sheet(placed(piece("card", STRONG)), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_a_form_that_lies_on_a_dark_ground_somewhere_knocks_out_everywhere(tmp_path: File) -> None:
    label = Scene(
        key="label", width_mm=60, height_mm=20, items=set_line("HHHHHH", style(24), BLACK, 5, 14)
    )
    grounds = (TINT, STRONG)
    cards = [
        Scene(
            key=ground.name,
            width_mm=60,
            height_mm=20,
            items=(Path(commands=rectangle_path(0, 0, 60, 20), fill=ground), Use(scene=label)),
        )
        for ground in grounds
    ]
    found = sheet(*(placed(card, 20 + 30 * row) for row, card in enumerate(cards)), folder=tmp_path)
    black = found["Black"] == 1
    assert not any(found[ink][black].any() for ink in PROCESS[:3])
    alone = sheet(placed(cards[0]), folder=tmp_path)
    assert alone["Magenta"][alone["Black"] == 1] == pytest.approx(0.2, abs=0.01)


def test_black_words_over_a_dark_line_knock_out(tmp_path: File) -> None:
    card = piece("card", TINT)
    line = Path(commands=(("M", 0, 11), ("L", 60, 11)), stroke=Stroke(ink=STRONG, width_mm=1))
    crossed = Scene(
        key="crossed", width_mm=60, height_mm=20, items=(card.items[0], line, *card.items[1:])
    )
    found = sheet(placed(crossed), folder=tmp_path)
    black = found["Black"] == 1
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_what_follows_black_words_knocks_out_again(tmp_path: File) -> None:
    card = piece("card", TINT)
    patch = Path(commands=rectangle_path(0, 0, 5, 20), fill=WHITE)
    found = sheet(
        placed(Scene(key="c", width_mm=60, height_mm=20, items=(*card.items, patch))),
        folder=tmp_path,
    )
    middle, per_mm = int(30 * 150 / 25.4), 150 / 25.4
    assert found["Yellow"][middle, int(22 * per_mm)] == 0
    assert found["Yellow"][middle, int(78 * per_mm)] == pytest.approx(0.3, abs=0.01)


def inks_on(found: dict[str, np.ndarray]) -> set[str]:
    return {ink for ink in PROCESS if found[ink].max() > 0.02}


@pytest.mark.parametrize(
    ("size_pt", "scale", "most"), [(7.9, 1.0, 2), (8.0, 1.0, 3), (12.0, 0.5, 2), (5.0, 2.0, 3)]
)
def test_small_words_are_of_two_inks(
    size_pt: float, scale: float, most: int, tmp_path: File
) -> None:
    """Their size counts as they are placed."""
    found = sheet(placed(piece("card", WHITE, BROWN, size_pt), scale=scale), folder=tmp_path)
    assert len(inks_on(found)) == most


@pytest.mark.parametrize(("width_mm", "most"), [(0.1, 3), (0.17, 3), (0.25, 4)])
def test_hairlines_are_of_three_inks(width_mm: float, most: int, tmp_path: File) -> None:
    line = Path(
        commands=(("M", 20, 20), ("L", 90, 25)), stroke=Stroke(ink=BROWN, width_mm=width_mm)
    )
    assert len(inks_on(sheet(line, folder=tmp_path))) == most


def look(recipe: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE Lab of a recipe by the profile."""
    light, one, other = lab("CMYK", recipe)
    return light, one, other


@pytest.mark.parametrize(
    "colour",
    [
        "#a24e00",
        "#237644",
        "#93391b",
        "#14245c",
        "#8fce8a",
        "#7d3922",
        "#b3122a",
        "#ac5300",
        "#5c4a09",
        "#4f4435",
    ],
)
def test_three_inks_look_like_four(colour: str) -> None:
    """Most of these were olive, crimson or teal with two inks that were as dark."""
    three, four = (recipe_of(ink_from_hex(colour), most) for most in (3, 4))
    assert sum(map(bool, three)) <= 3
    assert math.dist(look(three), look(four)) < 2


@pytest.mark.parametrize(
    "colour", ["#a24e00", "#c03d29", "#cf3237", "#5b2d82", "#ac5300", "#772282", "#ca291e"]
)
def test_small_words_keep_their_hue_where_two_inks_can_be_as_dark(colour: str) -> None:
    two, whole = (recipe_of(ink_from_hex(colour), most) for most in (2, 4))
    assert sum(map(bool, two)) <= 2
    turns = [math.degrees(math.atan2(b, a)) for _, a, b in (look(two), look(whole))]
    assert abs((turns[0] - turns[1] + 180) % 360 - 180) < 22


@pytest.mark.parametrize("level", range(0, 256, 51))
def test_no_fine_colour_is_of_more_inks_than_it_may_be(level: int) -> None:
    for red, blue in product(range(0, 256, 51), repeat=2):
        ink = ink_from_hex(f"#{red:02x}{level:02x}{blue:02x}")
        for most in (2, 3):
            recipe = recipe_of(ink, most)
            assert sum(map(bool, recipe)) <= most, ink.name
            assert math.fsum(recipe) <= 2.4 + 1e-9


def test_parts_of_other_files_serve_only_where_they_print_alike() -> None:
    """The same words, at two sizes, on grounds on which black overprints and on which it does not,
    for the screen and for two presses."""
    words = (*set_line("HH", style(30), BLACK, 5, 14), *set_line("HH", style(30), BROWN, 30, 14))
    inner = Scene(key="words", width_mm=60, height_mm=20, items=tuple(words))
    known: dict[bytes, Content] = {}
    files = set()
    for press, ground, scale, colour in product(
        ("coated", "uncoated"), (TINT, STRONG), (1.0, 0.2), ("rgb", "cmyk", "gray")
    ):
        items = (Path(commands=rectangle_path(0, 0, 60, 20), fill=ground), Use(scene=inner))
        card = Scene(key="card", width_mm=60, height_mm=20, items=items)
        made = document(page_of(placed(card, scale=scale)))
        parts = Parts(dict(known))
        with printing_on(press):
            file = render_pdf(made, colour=colour)
            assert render_pdf(made, colour=colour, parts=parts) == file
        known |= parts.used
        files.add(file)
    # Screens do not know the press.
    assert len(files) == 2 * 2 * 2 + 2 * 2 * 2
