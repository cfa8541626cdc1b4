"""Colours of companies as a press prints them, measured through the profile that is embedded in the
file."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path as File

import numpy as np
import pikepdf
import pytest
from pdf_bytes import document, forms_in, numbers, opened, operators, page_of, plates
from PIL import Image, ImageCms
from sample_scenes import everything

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.imposition.tiling import single_page
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import enriched, greyed, proofed
from platelayer.render.svg import render_svg
from platelayer.scene.inks import (
    MAX_TOTAL_INK,
    WHITE,
    Ink,
    as_grey,
    as_spot,
    contrast,
    ink_from_hex,
    ink_from_rgb,
    is_grey,
    mix,
)
from platelayer.scene.press import PRESSES, press_at_hand, printing_on, proof, recipe_of
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
    rectangle_path,
)
from platelayer.scene.typeset import TypeStyle, set_line
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


# The proof on a screen shows what the painter writes: fills, strokes, words and mixtures, ink by
# ink


KINDS = ("certificate", "charter", "tile", "map", "money", "train", "token", "checklist")


def of_title(title: str, kinds: tuple[str, ...]) -> Iterator[Scene]:
    """Front and back of the first piece of each kind."""
    game = shipped(title)
    manifest, style = build_manifest(game), Style(theme=load_theme("classic"))
    for kind in kinds:
        for piece in [piece for piece in manifest.pieces if piece.kind == kind][:1]:
            yield from draw_piece(game, manifest, piece, style)
            if (back := draw_back(game, piece, style)) is not None:
                yield back


def inks_in(items: tuple[Item, ...]) -> Iterator[Ink]:
    """Inks of what is painted, as the painter goes through it."""
    for item in items:
        if isinstance(item, Group):
            yield from inks_in(item.items)
        elif isinstance(item, Use):
            yield from inks_in(item.scene.items)
        elif isinstance(item, TextRun):
            if item.text:
                yield item.ink
        elif isinstance(item, Circle) or item.commands:
            if item.fill is not None:
                yield item.fill
            if item.stroke is not None:
                yield item.stroke.ink


def written(pdf: pikepdf.Pdf) -> set[tuple[float, ...]]:
    """Recipes of a PDF."""
    holders = (*pdf.pages, *forms_in(pdf))
    listed = [pair for holder in holders for pair in operators(holder)]
    return {tuple(numbers(operands)) for operands, operator in listed if operator in ("k", "K")}


def shown_as(recipe: tuple[float, ...]) -> str:
    cyan, magenta, yellow, black = recipe
    return proof(Ink("recipe", (0, 0, 0), (cyan, magenta, yellow, black))).hex


@pytest.mark.parametrize("title", ["1841", "18cz"])
def test_a_proof_has_the_look_of_every_recipe_that_is_written_and_no_other(title: str) -> None:
    scenes = [*of_title(title, KINDS), everything()]
    assert len(scenes) > 8
    for scene in scenes:
        with opened(single_page(scene, "x", marks=False), colour="cmyk") as pdf:
            recipes = written(pdf)
        seen = {ink.hex for ink in inks_in(proofed(scene).items) if ink.spot is None}
        assert {shown_as(recipe) for recipe in recipes} == seen, scene.key


COLOURS = (
    "#a24e00",
    "#237644",
    "#93391b",
    "#14245c",
    "#8fce8a",
    "#7d3922",
    "#b3122a",
    "#f6d44b",
    "#5b2d82",
)
STEP_MM, STEPS_PER_MM = 20, 150 / 25.4


def samples() -> dict[tuple[float, float], tuple[str, Item]]:
    """Each colour as a fill, a mixture, a wide and a fine line, a large and a small word; where
    each is to be looked at."""
    found: dict[tuple[float, float], tuple[str, Item]] = {}
    for row, colour in enumerate(COLOURS):
        ink, y = ink_from_hex(colour), 20.0 + 25 * row
        dark = mix(ink, ink_from_hex("#000000"), 0.3)
        wide, fine = (Stroke(ink=ink, width_mm=width) for width in (2, 0.17))
        lines = tuple(
            part for n in range(20) for part in ((("M", 70, y + n * 0.1), ("L", 80, y + n * 0.1)))
        )
        (large,) = set_line("I", TypeStyle(faces=("Barlow-Bold",), size_pt=40), ink, 90, y + 5)
        (small,) = set_line(
            "IIIIII", TypeStyle(faces=("Barlow-Bold",), size_pt=7.9, tracking=-0.2), ink, 100, y + 1
        )
        found[15, y] = ("fill", Path(commands=rectangle_path(10, y - 5, 10, 10), fill=ink))
        found[35, y] = ("mixture", Circle(cx=35, cy=y, r=5, fill=dark))
        found[55, y] = ("line", Path(commands=(("M", 50, y), ("L", 60, y)), stroke=wide))
        found[75, y + 1] = ("hairline", Path(commands=lines, stroke=fine))
        found[90 + large.width_mm / 2, y] = ("word", large)
        found[100.42, y] = ("small word", small)
    return found


@pytest.mark.skipif(
    shutil.which("gs") is None, reason="Ghostscript, which separates the plates, is not installed"
)
def test_a_proof_looks_like_the_plates_of_ghostscript_through_the_profile(tmp_path: File) -> None:
    found = samples()
    page = page_of(*(item for _, item in found.values()))
    on_plates = plates(render_pdf(document(page), colour="cmyk"), tmp_path)
    looks = dict(zip(found, proofed(page.scene).items, strict=True))
    inks: dict[str, set[int]] = {}
    for (x, y), (use, _) in found.items():
        at = int(y * STEPS_PER_MM), int(x * STEPS_PER_MM)
        near = [(at[0], at[1] + by) for by in range(-3, 4)]
        row, column = max(near, key=lambda place: sum(plate[place] for plate in on_plates.values()))
        amounts = [
            float(on_plates[plate][row][column]) for plate in ("Cyan", "Magenta", "Yellow", "Black")
        ]
        (ink,) = inks_in((looks[x, y],))
        shown = [part * 255 for part in ink.rgb]
        assert shown == pytest.approx(converted("CMYK", "RGB", amounts), abs=9), (
            use,
            ink.name,
            amounts,
        )
        inks.setdefault(use, set()).add(sum(amount > 0.01 for amount in amounts))
    assert max(inks["small word"]) == 2
    assert max(inks["hairline"]) == max(inks["word"]) == 3
    assert max(inks["fill"]) == max(inks["line"]) == 4


def test_a_grey_pdf_sets_nothing_but_grey() -> None:
    for scene in of_title("18cz", ("certificate", "tile")):
        with opened(single_page(scene, "x", marks=False), colour="gray") as pdf:
            listed = [pair for holder in (*pdf.pages, *forms_in(pdf)) for pair in operators(holder)]
        found = {operator for _, operator in listed}
        assert {"g", "G"} <= found
        assert not found & {"rg", "RG", "k", "K", "cs", "CS"}


@pytest.mark.parametrize("colour", COLOURS)
def test_greys_are_as_light_as_their_colours(colour: str) -> None:
    ink = ink_from_hex(colour)
    grey = as_grey(ink)
    assert len(set(grey.rgb)) == 1
    assert contrast(grey, WHITE) == pytest.approx(contrast(ink, WHITE))
    (sheet,) = greyed([page_of(Path(commands=rectangle_path(0, 0, 9, 9), fill=ink)).scene])
    assert [ink.hex for ink in inks_in(sheet.items)] == [grey.hex]


def test_a_cut_line_stays_what_it_is_in_grey() -> None:
    cut = as_spot(ink_from_hex("#ec008c"), "CutContour")
    assert as_grey(cut) == cut


def test_only_black_solids_are_rich() -> None:
    black = ink_from_hex("#000000")
    solid, small = (
        Path(commands=rectangle_path(x, 20, size, size), fill=black)
        for x, size in ((20, 4), (40, 3.9))
    )
    line = Path(commands=(("M", 60, 20), ("L", 90, 20)), stroke=Stroke(ink=black, width_mm=6))
    word = set_line("H", TypeStyle(faces=("Barlow-Bold",), size_pt=60), black, 100, 60)
    for item, rich in ((solid, True), (small, False), (line, False), (word[0], False)):
        made = document(page_of(item))
        with opened(made, colour="cmyk", rich_black=True) as pdf:
            assert written(pdf) == {(0.4, 0.3, 0.3, 1) if rich else (0, 0, 0, 1)}
        with opened(made, colour="cmyk") as pdf:
            assert written(pdf) == {(0, 0, 0, 1)}


def test_a_rich_black_is_darker_on_the_proof() -> None:
    black = Path(commands=rectangle_path(0, 0, 9, 9), fill=ink_from_hex("#000000"))
    solid = Scene(key="s", width_mm=9, height_mm=9, items=(black,))
    (before,), (after,) = (
        tuple(inks_in(proofed(scene).items)) for scene in (solid, enriched([solid])[0])
    )
    assert sum(after.rgb) < sum(before.rgb)


def test_a_picture_in_cmyk_is_the_proof() -> None:
    picture = draw("1841", "certificate:SFMA-20", BuildOptions(color="cmyk"))
    assert picture.svg() == render_svg(proofed(picture.scene), title=picture.label)
    assert picture.svg() != draw("1841", "certificate:SFMA-20").svg()
