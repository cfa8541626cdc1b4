"""PNG: its size, its edge, and what happens when it cannot be made."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator

import pytest
from PIL import Image
from sample_scenes import card, tile

from platelayer.render.png import (
    PngTooLarge,
    PngUnavailable,
    png_file,
    png_painter,
    png_version,
    render_png,
)
from platelayer.scene.shapes import Scene


def opened(scene: Scene, **options) -> Image.Image:
    return Image.open(io.BytesIO(render_png(scene, **options)))


@pytest.mark.parametrize(
    ("dpi", "bleed", "size"),
    [
        (110, False, (273, 381)),  # 63 x 88 mm are 2.4803 x 3.4646 in
        (300, False, (744, 1039)),
        (300, True, (780, 1075)),  # 66 x 91 mm
    ],
)
def test_pixels_by_size_and_resolution(dpi: float, bleed: bool, size: tuple[int, int]) -> None:
    assert opened(card(), dpi=dpi, bleed=bleed).size == size


def test_the_file_says_its_resolution() -> None:
    picture = opened(card(), dpi=300)
    picture.verify()
    assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.02)


def test_a_hex_is_cut_out_and_keeps_its_bleed_when_requested() -> None:
    cut, whole = opened(tile(), dpi=100), opened(tile(), dpi=100, bleed=True)
    middle, corner = (cut.width // 2, 3), (2, 2)
    assert cut.getpixel(corner)[3] == 0
    assert cut.getpixel(middle) == (0, 0, 0, 255)
    assert whole.getpixel((whole.width // 4 + 10, 3))[3] == 255


def test_the_same_bytes_twice() -> None:
    assert render_png(card()) == render_png(card())


def test_absurd_sizes_are_refused_before_anything_is_painted() -> None:
    with pytest.raises(PngTooLarge, match="lower dpi"):
        render_png(card(), dpi=100_000)
    with pytest.raises(PngTooLarge):
        render_png(Scene(key="long", width_mm=90_000, height_mm=1, items=()), dpi=110)


@pytest.mark.parametrize("dpi", [0, -5, float("nan")])
def test_a_resolution_is_positive(dpi: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        render_png(card(), dpi=dpi)


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Makes packages as they are where their system library cannot be loaded."""

    def hidden(*packages: str) -> None:
        class Hidden:
            def find_spec(self, name: str, *_: object) -> None:
                if name.partition(".")[0] in packages:
                    raise OSError(f"no library for {name} was found")

        for name in [*sys.modules]:
            if name.partition(".")[0] in packages:
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [Hidden(), *sys.meta_path])
        png_painter.cache_clear()

    yield hidden
    png_painter.cache_clear()


def test_without_cairo_pictures_are_painted_from_their_pdf(hide: Callable[..., None]) -> None:
    with_cairo = opened(tile(), dpi=100)
    assert png_version().startswith("cairo ")
    hide("cairosvg", "cairocffi")
    assert png_version().startswith("pdfium ")
    cut, whole = opened(tile(), dpi=100), opened(tile(), dpi=100, bleed=True)
    assert (cut.size, cut.mode, cut.info) == (with_cairo.size, with_cairo.mode, with_cairo.info)
    assert (cut.getpixel((2, 2))[3], cut.getpixel((cut.width // 2, 3))) == (0, (0, 0, 0, 255))
    assert whole.getpixel((whole.width // 4 + 10, 3))[3] == 255
    assert opened(card(), dpi=300, bleed=True).size == (780, 1075)
    wide = opened(card(), pixels=(600, 400))  # fitted in, in the middle
    assert (wide.size, wide.getpixel((10, 200))[3], wide.getpixel((300, 200))[3]) == (
        (600, 400),
        0,
        255,
    )
    assert render_png(card()) == render_png(card())


def test_with_nothing_to_paint_by_the_command_that_installs_it_is_named(
    hide: Callable[..., None],
) -> None:
    hide("cairosvg", "pypdfium2")
    with pytest.raises(PngUnavailable, match=r"pip install pypdfium2, or .* cairo"):
        render_png(card())


def test_a_picture_says_that_its_colours_are_srgb() -> None:
    assert opened(card()).info["srgb"] == 1


@pytest.mark.parametrize(("opacity", "mode"), [(255, "RGB"), (254, "RGBA")])
def test_pixels_of_a_canvas_come_back_from_their_file(opacity: int, mode: str) -> None:
    pixels = bytes(
        number % 251 if number % 4 != 3 else 255 for number in range(7 * 5 * 4 - 1)
    ) + bytes([opacity])
    picture = Image.open(io.BytesIO(png_file(7, 5, pixels, 300)))
    assert (picture.size, picture.mode) == ((7, 5), mode)
    assert picture.convert("RGBA").tobytes() == pixels
    assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.02)
    assert "srgb" in picture.info
