"""Inks: what is printed of a colour, and never too much of it."""

from __future__ import annotations

import json
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.foundation.resources import asset_path
from platelayer.scene import press
from platelayer.scene.inks import (
    BLACK,
    CMYK,
    MAX_TOTAL_INK,
    WHITE,
    Ink,
    clearer_on,
    ink_from_hex,
    mix,
    perceived,
)

LIMIT = MAX_TOTAL_INK + 1e-6
PART = st.floats(0, 1)
HEX = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
THEMES = sorted(asset_path("themes").glob("*.json"))


def within(recipe: tuple[float, ...]) -> bool:
    return sum(recipe) <= LIMIT and all(0 <= part <= 1 for part in recipe)


@st.composite
def recipes(draw) -> Ink:
    """An ink of any recipe that a theme may give."""
    parts = [draw(PART) for _ in range(4)]
    most = max(1.0, sum(parts) / MAX_TOTAL_INK)
    cyan, magenta, yellow, black = (part / most for part in parts)
    return Ink("x", (draw(PART), draw(PART), draw(PART)), (cyan, magenta, yellow, black))


@given(HEX)
def test_any_colour_of_a_company_is_within_the_limit(colour: str) -> None:
    recipe = ink_from_hex(colour).cmyk
    assert within(recipe)
    assert all(round(part * 100) == pytest.approx(part * 100) for part in recipe)


@given(recipes() | HEX.map(ink_from_hex), recipes() | HEX.map(ink_from_hex), PART, PART)
def test_mixed_inks_stay_within_the_limit_however_often_mixed(
    one: Ink, other: Ink, share: float, again: float
) -> None:
    mixed = mix(one, other, share)
    assert within(mixed.cmyk)
    assert within(mix(mixed, other, again).cmyk)
    assert within(mix(mixed, BLACK, again).cmyk)


def test_a_mixture_that_rounding_would_lift_above_the_limit() -> None:
    """0.605 + 0.605 + 0.605 + 0.585 is 240 %; each rounded by itself may make 242 %."""
    heavy = Ink("heavy", (0.1, 0.1, 0.1), (0.6050001, 0.6050001, 0.6050001, 0.5849996))
    assert sum(round(part, 2) for part in heavy.cmyk) > LIMIT
    assert sum(mix(heavy, heavy, 0.5).cmyk) == pytest.approx(2.38)


@given(st.integers(0, 255))
def test_grey_is_black_ink_alone(level: int) -> None:
    recipe = ink_from_hex(f"#{level:02x}{level:02x}{level:02x}").cmyk
    assert recipe[:3] == (0, 0, 0)
    assert (
        recipe[3] == 1 if level <= 0x23 else recipe[3] == pytest.approx(1 - level / 255, abs=0.006)
    )


@pytest.mark.parametrize("colour", ["#231f20", "#3a3a3c", "#141414"])
def test_what_passes_for_black_or_grey_has_no_other_ink(colour: str) -> None:
    """Words in three inks have coloured edges where the plates do not meet."""
    assert ink_from_hex(colour).cmyk[:3] == (0, 0, 0)


@pytest.mark.parametrize("path", THEMES, ids=lambda path: path.stem)
def test_text_track_and_greys_of_every_theme_are_black_alone(path) -> None:
    """The files themselves, not what is read from them."""
    inks = json.loads(path.read_text(encoding="utf-8"))["inks"]
    for name, ink in inks.items():
        recipe = ink.get("cmyk") or [part * 100 for part in ink_from_hex(ink["rgb"]).cmyk]
        assert sum(recipe) <= 240, name
        rgb = ink["rgb"].lower()
        if rgb[1:3] == rgb[3:5] == rgb[5:7]:
            assert recipe[:3] == [0, 0, 0], name
        if name in ("black", "text", "track", "mark", "card.text"):
            assert recipe == [0, 0, 0, 100], name


@pytest.mark.parametrize(
    ("words", "ground", "lightness"),
    [
        ("#888888", "#ffffff", 63.06),
        ("#ffffff", "#888888", 68.54),
        ("#000000", "#aaaaaa", 58.15),
        ("#aaaaaa", "#000000", 56.24),
    ],
)
def test_perceived_contrast_is_that_of_apca(words, ground, lightness) -> None:
    """The values that APCA's own documentation gives for testing implementations."""
    assert perceived(ink_from_hex(words), ink_from_hex(ground)) == pytest.approx(
        lightness, abs=0.01
    )


@pytest.mark.parametrize(
    ("colour", "words"),
    [
        ("#e03c31", WHITE),
        ("#0f7fc4", WHITE),
        ("#e06a00", WHITE),
        ("#f5c400", BLACK),
        ("#f07f13", BLACK),
    ],
)
def test_initials_are_black_or_white_as_people_see_it(colour, words) -> None:
    assert clearer_on(ink_from_hex(colour)) is words


# Presses: each thread prints for its own


def test_threads_print_on_presses_of_their_own() -> None:
    """What one thread prints for another press changes nothing of what others see."""
    ink = ink_from_hex("#b5651d")
    coated = press.recipe_of(ink)
    seen: list[CMYK] = []
    with press.printing_on("gracol"):
        thread = Thread(target=lambda: seen.append(press.recipe_of(ink)))
        thread.start()
        thread.join()
        assert press.recipe_of(ink) != coated
    assert seen == [coated]
