"""The proof on a screen shows what the painter writes: fills, strokes, words and mixtures, ink by
ink."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path as File

import pikepdf
import pytest
from pdf_bytes import document, forms_in, numbers, opened, operators, page_of, plates
from sample_scenes import everything
from test_true_colours import converted

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.imposition.tiling import single_page
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import enriched, greyed, proofed
from platelayer.render.svg import render_svg
from platelayer.scene.inks import WHITE, Ink, as_grey, as_spot, contrast, ink_from_hex, mix
from platelayer.scene.press import proof
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
from shipped import shipped

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
