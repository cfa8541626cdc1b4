"""The painters draw the same: SVG by way of cairosvg, PDF by way of poppler, PNG by cairo and by
PDFium, pixel against pixel."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from itertools import groupby

import cairosvg
import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image, ImageFilter
from sample_scenes import card, everything, tile

from font_fallback import SIGNS
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.imposition.paper import Document, Page
from platelayer.model.manifest import build_manifest
from platelayer.render.pdf import render_pdf
from platelayer.render.png import pdfium_pixels, render_png
from platelayer.render.svg import render_svg
from platelayer.scene.inks import BLACK, WHITE
from platelayer.scene.shapes import Group, Path, Scene, Use, rectangle_path
from platelayer.scene.typeset import set_line
from shipped import shipped

DPI = 150
MUCH = 0.4 * 255
"""A pixel differs when any of its colours does by 40 %."""


def page_of(scene: Scene) -> Scene:
    """The scene on white paper cut to whole pixels, so that both rasters line up."""
    pixel = 25.4 / DPI
    width, height = (round(side / pixel) * pixel for side in (scene.width_mm, scene.height_mm))
    paper = Path(commands=rectangle_path(-9, -9, width + 18, height + 18), fill=WHITE)
    return Scene(key="paper", width_mm=width, height_mm=height, items=(paper, Use(scene=scene)))


def by_png(scene: Scene) -> Image.Image:
    return Image.open(io.BytesIO(render_png(page_of(scene), dpi=DPI))).convert("RGB")


def by_pdfium(scene: Scene) -> Image.Image:
    """PNG where there is no cairo."""
    page = page_of(scene)
    size = round(page.width_mm / 25.4 * DPI), round(page.height_mm / 25.4 * DPI)
    pixels = pdfium_pixels(page, *size, bleed=False)
    return Image.frombytes("RGBA", size, pixels).convert("RGB")


def by_svg(scene: Scene) -> Image.Image:
    """Our SVG as cairosvg reads it."""
    picture = cairosvg.svg2png(bytestring=render_svg(page_of(scene)), scale=DPI / 96)
    return Image.open(io.BytesIO(picture)).convert("RGB")


def by_pdf(scene: Scene) -> Image.Image:
    page = page_of(scene)
    whole = (0.0, 0.0, page.width_mm, page.height_mm)
    pdf = render_pdf(
        Document(
            stem="t", title="t", subject="", pages=(Page(scene=page, trim=whole, bleed=whole),)
        )
    )
    done = subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-png", "-"], input=pdf, capture_output=True, check=True
    )
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Share of pixels that differ much, once each is the mean of its 3 x 3 neighbours: antialiasing
    is forgiven (and poppler's habit to draw letters on whole pixels), a missing line of half a
    millimetre is not."""
    assert max(abs(one.width - other.width), abs(one.height - other.height)) <= 1
    size = (min(one.width, other.width), min(one.height, other.height))
    blurred = [
        np.asarray(image.crop((0, 0, *size)).filter(ImageFilter.BoxBlur(1)), dtype=int)
        for image in (one, other)
    ]
    return float((np.abs(blurred[0] - blurred[1]).max(axis=2) > MUCH).mean())


def signs() -> list[Scene]:
    """Everyday signs of every class, and two that no font has, two lines to a scene: the time that
    cairosvg takes grows with the square of the words of a picture."""
    style = load_theme("classic").types["map.legend"]
    words = [
        *map(chr, (code for block in SIGNS.values() for part in block for code in part)),
        "\U00013000",
        "\U0001f682",
    ]
    lines = ["".join(words[start : start + 40]) for start in range(0, len(words), 40)]
    return [
        Scene(
            key="signs",
            width_mm=150,
            height_mm=16,
            items=tuple(
                run
                for row, line in enumerate(lines[start : start + 2])
                for run in set_line(line, style, BLACK, 2, 5 + 4 * row)
            ),
        )
        for start in range(0, len(lines), 2)
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: [everything(), tile(), card()],
        lambda: signs()[::4],
        pytest.param(signs, marks=pytest.mark.slow),
    ],
    ids=["shapes", "some signs", "signs"],
)
def test_all_painters_draw_the_same(drawn: Callable[[], list[Scene]]) -> None:
    for scene in drawn():
        pdf = by_pdf(scene)
        for painted in (by_svg, by_png, by_pdfium):
            assert difference(painted(scene), pdf) < 0.0005, (scene.key, painted.__name__)


@pytest.mark.slow
def test_a_png_is_the_picture_of_the_svg() -> None:
    """A piece of each kind, both ways by cairo: only at the edges of lines do rounded numbers
    tell."""
    title = shipped("18eu")
    manifest, style = build_manifest(title), Style(theme=load_theme("classic"))
    differing = {}
    for kind, pieces in groupby(manifest.pieces, key=lambda piece: piece.kind):
        scene = draw_piece(title, manifest, next(pieces), style)[0]
        one, other = (np.asarray(painted(scene), dtype=int) for painted in (by_svg, by_png))
        assert one.shape == other.shape
        differing[kind] = (np.abs(one - other).max(axis=2) > 0.2 * 255).mean()
        assert difference(by_pdfium(scene), by_png(scene)) < 0.0005, kind
    assert max(differing.values()) < 0.0005, differing


@pytest.mark.parametrize("painted", [by_svg, by_png, by_pdfium])
def test_the_comparison_sees_what_one_painter_leaves_out(
    painted: Callable[[Scene], Image.Image],
) -> None:
    """Every item of the sample in turn is taken from one side; those that ink more than a speck are
    missed."""
    scene = everything()
    reference = by_pdf(scene)
    for number in (1, 2, 3, 4, len(scene.items) - 1, len(scene.items) - 2):
        without = replace(scene, items=scene.items[:number] + scene.items[number + 1 :])
        assert difference(painted(without), reference) > 0.001, scene.items[number]


@pytest.mark.parametrize("painted", [by_svg, by_png, by_pdfium])
def test_the_comparison_sees_a_clip_that_is_not_kept(
    painted: Callable[[Scene], Image.Image],
) -> None:
    scene = everything()
    unclipped = tuple(
        replace(item, clip=None) if isinstance(item, Group) else item for item in scene.items
    )
    assert difference(painted(replace(scene, items=unclipped)), by_pdf(scene)) > 0.01
