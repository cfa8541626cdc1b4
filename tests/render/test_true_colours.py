"""Colours of companies as a press prints them, measured through the profile that is embedded in the
file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path as File

import numpy as np
import pytest
from pdf_bytes import document, page_of, plates
from PIL import Image, ImageCms

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import (
    MAX_TOTAL_INK,
    WHITE,
    Ink,
    ink_from_hex,
    ink_from_rgb,
    is_grey,
    mix,
)
from platelayer.scene.press import PRESSES, press_at_hand, printing_on, proof, recipe_of
from platelayer.scene.shapes import Path, rectangle_path
from press_profile import Press, lab_from_srgb, misses, search
from press_table import press_table
from shipped import shipped

LIMIT = MAX_TOTAL_INK + 1e-6
PLATES = ("Cyan", "Magenta", "Yellow", "Black")
CELL_MM, COLUMNS, SHARP_MM = 5, 30, 25.4 / 150
Lab = tuple[float, float, float]


@cache
def transform(
    source: str, target: str, *, black_point: bool, press: str
) -> ImageCms.ImageCmsTransform:
    made = {
        "RGB": ImageCms.createProfile("sRGB"),
        "LAB": ImageCms.createProfile("LAB"),
        "CMYK": ImageCms.getOpenProfile(str(asset_path("icc", f"{PRESSES[press]}.icc"))),
    }
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION if black_point else ImageCms.Flags.NONE
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    return ImageCms.buildTransform(made[source], made[target], source, target, intent, flags)


def converted(
    source: str, target: str, parts: Iterable[float], *, black_point: bool = True
) -> tuple[int, ...]:
    pixel = Image.frombytes(source, (1, 1), bytes(round(part * 255) for part in parts))
    found = ImageCms.applyTransform(
        pixel, transform(source, target, black_point=black_point, press=press_at_hand())
    )
    return tuple(band.tobytes()[0] for band in found.split())


def lab(source: str, parts: Iterable[float]) -> Lab:
    light, a, b = converted(source, "LAB", parts, black_point=source == "CMYK")
    return light / 2.55, a - 128.0, b - 128.0


def miss(colour: str, recipe: Iterable[float]) -> float:
    """CIE 1976 difference of what is printed to the colour that the title states."""
    return math.dist(lab("RGB", ink_from_hex(colour).rgb), lab("CMYK", recipe))


@pytest.mark.parametrize("press", PRESSES)
def test_every_colour_is_within_1_of_what_is_attainable(press: str) -> None:
    """Colours of companies, and those between black, white and the strongest that a screen shows."""
    measured = Press(asset_path("icc", f"{PRESSES[press]}.icc"))
    stated = [ink_from_hex(colour) for colour in colours("18eu")]
    stated += [ink_from_rgb(rgb, "") for rgb in product((0.0, 0.3, 0.7, 1.0), repeat=3)]
    stated = [ink for ink in stated if not is_grey(ink.rgb)]
    aims = lab_from_srgb(np.array([list(bytes.fromhex(ink.hex[1:])) for ink in stated]) / 255)
    best = misses(measured, search(measured, aims), aims)
    with printing_on(press):
        found = misses(measured, np.array([recipe_of(ink) for ink in stated]), aims)
    assert (found - best).max() < 1.0


def colours(title: str) -> list[str]:
    return sorted({company.colour.lower() for company in shipped(title).companies})


@pytest.mark.slow
@pytest.mark.parametrize("press", PRESSES)
def test_the_table_is_that_of_the_profile(press: str) -> None:
    """Another numpy may round differently, and then choose another recipe of those that look nearly
    alike."""
    profile = asset_path("icc", f"{PRESSES[press]}.icc")
    kept, fresh = profile.with_suffix(".table").read_bytes(), press_table(Press(profile))
    assert len(kept) == len(fresh)
    assert (
        sum(abs(one - other) > 1 for one, other in zip(kept, fresh, strict=True)) < len(kept) / 50
    )


def printed(title: str, folder: File) -> dict[str, list[float]]:
    """What Ghostscript's plates carry where each company's colour fills a square."""
    squares = [
        Path(commands=rectangle_path(*cell(number), CELL_MM, CELL_MM), fill=ink_from_hex(colour))
        for number, colour in enumerate(colours(title))
    ]
    found = plates(render_pdf(document(page_of(*squares)), colour="cmyk"), folder)
    middles = [
        [int((side + CELL_MM / 2) / SHARP_MM) for side in cell(number)]
        for number in range(len(squares))
    ]
    amounts = [[float(found[plate][y][x]) for plate in PLATES] for x, y in middles]
    return dict(zip(colours(title), amounts, strict=True))


def cell(number: int) -> tuple[float, float]:
    return 10 + number % COLUMNS * CELL_MM, 10 + number // COLUMNS * CELL_MM


@pytest.mark.parametrize("title", often(title_ids(), "18cz", "lost-atlas"))
def test_companies_have_their_colours_on_the_plates(title: str, tmp_path: File) -> None:
    """Within 3, or as near as the profile's own conversion comes to a colour that the press cannot
    make."""
    on_plates = printed(title, tmp_path)
    misses = {
        colour: miss(colour, recipe)
        for colour, recipe in on_plates.items()
        if min(recipe[:3]) or recipe[3] < 1
    }
    assert len(misses) >= 4
    assert math.fsum(misses.values()) / len(misses) <= 3
    for colour, found in misses.items():
        best = miss(
            colour, [part / 255 for part in converted("RGB", "CMYK", ink_from_hex(colour).rgb)]
        )
        assert found <= max(3, best + 1), colour


def test_green_is_not_teal_and_purple_is_not_mauve() -> None:
    """What the arithmetic of 1 - RGB made of them missed by 46 and 36."""
    assert miss("#00a651", recipe_of(ink_from_hex("#00a651"))) <= 2
    assert miss("#5b2d82", recipe_of(ink_from_hex("#5b2d82"))) <= 2
    cyan, _, yellow, _ = recipe_of(ink_from_hex("#00a651"))
    assert cyan > 0.7
    assert yellow > 0.7


@pytest.mark.parametrize(
    "steps",
    [
        (0, 40, 99, 166, 231, 255),
        pytest.param((0, 13, 40, 77, 99, 128, 166, 199, 231, 255), marks=pytest.mark.slow),
    ],
)
def test_any_colour_is_near_and_within_the_limit(steps: tuple[int, ...]) -> None:
    levels = [step / 255 for step in steps]
    worse: list[float] = []
    for red in levels:
        for green in levels:
            for blue in levels:
                ink = ink_from_hex(
                    "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))
                )
                recipe = recipe_of(ink)
                assert sum(recipe) <= LIMIT, ink.name
                assert all(round(part * 100) == pytest.approx(part * 100) for part in recipe)
                profile = [part / 255 for part in converted("RGB", "CMYK", ink.rgb)]
                if any(recipe[:3]):
                    worse.append(miss(ink.name, recipe) - miss(ink.name, profile))
    worse.sort()
    assert math.fsum(worse) / len(worse) < 0.5
    assert worse[-1] < 3


@pytest.mark.parametrize("level", range(0, 256, 15))
def test_greys_are_black_ink_alone_and_as_light_as_they_should_be(level: int) -> None:
    ink = ink_from_hex(f"#{level:02x}{level:02x}{level:02x}")
    recipe = recipe_of(ink)
    assert recipe[:3] == (0, 0, 0)
    if level <= 0x23:
        assert recipe[3] == 1
    else:
        assert abs(lab("CMYK", recipe)[0] - lab("RGB", ink.rgb)[0]) < 2


def test_recipes_of_themes_are_printed_as_they_are() -> None:
    stated = Ink("stated", (0.1, 0.2, 0.3), (0.5, 0.22, 0.18, 0.68))
    assert recipe_of(stated) == stated.cmyk


@pytest.mark.parametrize("stated", [None, (0.9, 0.1, 0.9, 0.1)])
def test_mixtures_are_printed_as_they_look(
    stated: tuple[float, float, float, float] | None,
) -> None:
    """Whatever recipe their colours have: half of a recipe does not look like half of a colour."""
    green = ink_from_hex("#00a651")
    if stated:
        green = Ink("green", green.rgb, stated)
    assert recipe_of(mix(green, WHITE, 0.5)) == pytest.approx(
        recipe_of(ink_from_hex("#80d3a8")), abs=0.011
    )


def test_the_edge_of_a_tile_is_printed_as_dark_as_it_looks() -> None:
    """70 % of the recipe of yellow and 30 % of black missed by 18."""
    yellow, black = (load_theme("classic").ink(name) for name in ("tile.yellow", "black"))
    edge = mix(yellow, black, 0.3)
    assert miss(edge.hex, recipe_of(edge)) <= 2


@pytest.mark.parametrize(
    "colour", ["#ffffff", "#000000", "#00a651", "#ff00ff", "#0000ff", "#e03c31", "#7c7b8c"]
)
def test_a_proof_is_what_the_profile_shows(colour: str) -> None:
    ink = ink_from_hex(colour)
    shown = [part / 255 for part in converted("CMYK", "RGB", recipe_of(ink))]
    assert math.dist(lab("RGB", proof(ink).rgb), lab("RGB", shown)) < 2.5
