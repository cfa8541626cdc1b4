"""What reading accepts of a picture, every painter paints, at any size."""

from __future__ import annotations

import io
import subprocess
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from test_painters import by_pdf, by_png, by_svg, difference

from drawn_svg import Pen, damaged
from platelayer.definitions.pictures import read_svg
from platelayer.definitions.svg_tree import SvgError
from platelayer.drawing.kit.icons import picture_group
from platelayer.imposition.tiling import single_page
from platelayer.model.company import Picture
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import PAINTERS
from platelayer.scene.inks import WHITE, ink_from_hex
from platelayer.scene.legibility import check_legibility
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Group, Path, Scene, rectangle_path, translation

SIZES_MM = (1.0, 14.0, 90.0)
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'


def scene_of(picture: Picture, size_mm: float) -> Scene:
    group = picture_group(picture, size_mm, ink_from_hex("#123456"))
    paper = Path(commands=rectangle_path(0, 0, size_mm, size_mm), fill=WHITE)
    placed = Group(items=(group,), matrix=translation(size_mm / 2, size_mm / 2))
    return Scene(key="picture", width_mm=size_mm, height_mm=size_mm, items=(paper, placed))


def paint_by_all(picture: Picture, dpi: int = 150) -> None:
    for size in SIZES_MM:
        scene = scene_of(picture, size)
        check_legibility(scene)
        assert Digester().digest([scene])
        assert PAINTERS[".svg"](scene, label="x", dpi=dpi, bleed=False).endswith(b"</svg>\n")
        png = Image.open(io.BytesIO(PAINTERS[".png"](scene, label="x", dpi=dpi, bleed=False)))
        png.load()
        assert png.width == round(size / 25.4 * dpi)
        assert render_pdf(single_page(scene, "x"), colour="cmyk")
        assert PAINTERS[".pdf"](scene, label="x", dpi=dpi, bleed=False).startswith(b"%PDF")


def read(text: str) -> Picture | None:
    try:
        return read_svg(text.encode("utf-8", "xmlcharrefreplace"), "x")
    except SvgError:
        return None


@given(st.randoms(use_true_random=False), st.sampled_from((0.0, 0.03)), st.booleans())
@settings(max_examples=20)
def test_what_is_accepted_is_painted_by_all(rng: Random, odd: float, harm: bool) -> None:
    text = Pen(rng, odd).picture()
    picture = read(damaged(rng, text) if harm else text)
    if picture is not None:
        paint_by_all(picture)


@pytest.mark.parametrize("seed", range(6))
def test_plain_pictures_look_alike_by_all(seed: int) -> None:
    pictures = (
        read(Pen(Random(each), 0.0).picture()) for each in range(1000 * seed, 1000 * seed + 99)
    )
    scene = scene_of(next(picture for picture in pictures if picture is not None), 14.0)
    # Poppler bends lines that are wider than their curves in its own way.
    assert difference(by_svg(scene), by_png(scene)) < 0.0005
    assert difference(by_pdf(scene), by_png(scene)) < 0.05


EDGES = {
    "a point": '<path d="M50 50" stroke="red" stroke-width="20"/>',
    "a point that is closed": '<path d="M50 50z" stroke="red" stroke-linecap="round" stroke-width="20"/>',
    "a line of no length": '<path d="M50 50h0" stroke="red" stroke-linecap="round" stroke-width="20"/>',
    "a thin line": '<path d="M0 50h100" stroke="red" stroke-width="1e-300"/>',
    "a wide line": '<path d="M50 50h1" stroke="red" stroke-width="1990"/>',
    "short dashes": '<path d="M0 50h100" stroke="red" stroke-dasharray=".004 .004" stroke-width="9"/>',
    "dashes that round to nothing": '<path d="M0 50h100" stroke="red" stroke-dasharray="1e-9 9" stroke-width="9"/>',
    "dashes of no length": '<path d="M0 50h100" stroke="red" stroke-dasharray="0 9" stroke-linecap="round"/>',
    "one dash": '<path d="M0 50h100" stroke="red" stroke-dasharray="1e9" stroke-width="9"/>',
    "the most dashes": f'<path d="M0 50h100" stroke="red" stroke-dasharray="{"1 2 " * 5}"/>',
    "the smallest": '<rect width="1e-9" height="1e-9"/>',
    "the farthest": '<path d="M-1900 -1900L1990 1990" stroke="red" stroke-width="9"/>',
    "the flattest": '<rect transform="scale(1 1e-9)" width="100" height="100" stroke="red"/>',
    "the most points": f'<path d="M50 50{"l1 1-1-1" * 10_000}"/>',
    "the most shapes": '<circle cx="50" cy="50" r="9" stroke="red" stroke-dasharray="4"/>' * 500,
    "the darkest": "".join(
        f'<rect x="{k}" width="1" height="99" fill="#0000{k:02x}"/>' for k in range(99)
    ),
}


@pytest.mark.parametrize("inside", EDGES.values(), ids=EDGES)
def test_the_farthest_that_is_accepted_is_painted_by_all(inside: str) -> None:
    picture = read(f'{HEAD}{inside}<rect width="9" height="9"/></svg>')
    assert picture is not None
    paint_by_all(picture)
    pdf = PAINTERS[".pdf"](scene_of(picture, 1.0), label="x", dpi=150, bleed=False)
    for command in (
        ["pdftoppm", "-r", "72", "-png", "-"],
        ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=nullpage", "-"],
    ):
        done = subprocess.run(command, input=pdf, capture_output=True, check=True)
        assert not done.stderr, done.stderr


@pytest.mark.parametrize("slope", [1.0, 0.7, 0.02])
@pytest.mark.parametrize("size_mm", [3.0, 12.0, 60.0, 90.0])
def test_a_line_from_far_away_is_seen_at_the_finest_resolution(
    size_mm: float, slope: float
) -> None:
    ends = f"M{50 - 1990} {50 - 1990 * slope}L{50 + 1930} {50 + 1930 * slope}"
    picture = read(f'{HEAD}<path d="{ends}" stroke="#ff0000" stroke-width="20"/></svg>')
    assert picture is not None
    group = Group(items=(picture_group(picture, size_mm, WHITE),), matrix=translation(10, 10))
    scene = Scene(key="far", width_mm=20, height_mm=20, items=(group,))
    png = Image.open(io.BytesIO(PAINTERS[".png"](scene, label="", dpi=1200, bleed=False))).convert(
        "RGBA"
    )
    assert png.getpixel((png.width // 2, png.height // 2)) == (255, 0, 0, 255)


def test_dashes_are_never_too_short_to_print() -> None:
    picture = read(f'{HEAD}<path d="M0 50h100" stroke="red" stroke-dasharray=".02 .01"/></svg>')
    assert picture is not None
    (path,) = picture_group(picture, 3.0, WHITE).items
    assert isinstance(path, Path)
    assert path.stroke is not None
    assert path.stroke.dash == pytest.approx((0.2 / 3, 0.1 / 3))
