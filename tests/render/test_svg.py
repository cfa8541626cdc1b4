"""SVG: what the file says, element by element."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from sample_scenes import HEX_MM, SANS, card, everything, outputs_by_seed, roundel, tile

from platelayer.render.png import (
    PngTooLarge,
    PngUnavailable,
    png_file,
    png_painter,
    png_version,
    render_png,
)
from platelayer.render.svg import render_svg, scene_id
from platelayer.scene.fonts import glyph_outline
from platelayer.scene.inks import BLACK
from platelayer.scene.paths import svg_path
from platelayer.scene.shapes import Path, Scene, TextRun, Use, polygon_path, translation
from platelayer.scene.typeset import set_line

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


def parsed(scene: Scene, **options) -> ElementTree.Element:
    return ElementTree.fromstring(render_svg(scene, **options))


def scene_of(*items, **options) -> Scene:
    return Scene(key="t", width_mm=60, height_mm=40, items=items, **options)


def test_size_and_viewbox_are_in_mm() -> None:
    root = parsed(card())
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "63mm",
        "88mm",
        "0 0 63 88",
    )


def test_bleed_widens_the_picture_on_every_side() -> None:
    root = parsed(card(), bleed=True)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "66mm",
        "91mm",
        "-1.5 -1.5 66 91",
    )


def test_a_hex_is_cut_out_unless_its_bleed_is_requested() -> None:
    assert [
        child.get("clip-path") is not None for child in parsed(tile()) if child.tag == f"{SVG}g"
    ] == [True]
    assert all(child.get("clip-path") is None for child in parsed(tile(), bleed=True))


def test_a_hex_of_38_1_mm_measures_38_1_mm() -> None:
    ground = next(path for path in parsed(tile(), bleed=True) if path.tag == f"{SVG}path")
    points = re.findall(r"[ML]([\d.]+) ([\d.]+)", ground.attrib["d"])
    heights = [float(y) for _, y in points]
    assert max(heights) - min(heights) == pytest.approx(HEX_MM, abs=0.001)


def test_every_reference_stays_inside_and_every_id_is_single() -> None:
    text = render_svg(everything()).decode()
    root = ElementTree.fromstring(text)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    references = [element.attrib[HREF] for element in root.iter() if HREF in element.attrib]
    references += re.findall(r"url\((.*?)\)", text)
    assert references
    assert {reference[1:] for reference in references} == set(ids)
    assert all(reference.startswith("#") for reference in references)
    # Namespaces are names, not places; nothing else may look like an address.
    assert re.findall(r"\w+://[^\"]*", re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)) == []


def test_words_are_outlines_with_their_text_as_label() -> None:
    root = parsed(everything())
    assert not list(root.iter(f"{SVG}text"))
    labels = {element.get("aria-label") for element in root.iter()}
    assert {"TRACKED Ärmel", '& <b> "quoted" (brackets) \\', "Wien – Zürich, 1 000 fl."} <= labels


def test_each_glyph_of_a_face_is_defined_once() -> None:
    root = parsed(
        scene_of(*set_line("noon", SANS, BLACK, 5, 10), *set_line("on no", SANS, BLACK, 5, 20))
    )
    definitions = root.find(f"{SVG}defs")
    assert definitions is not None
    assert sorted(element.get("id") for element in definitions) == ["BR6e", "BR6f"]
    assert len([element for element in root.iter() if HREF in element.attrib]) == 8


def test_each_placed_scene_is_defined_once_and_placed_often() -> None:
    placed = [Use(scene=card(), matrix=translation(x, 0)) for x in range(4)]
    root = parsed(scene_of(*placed))
    definitions = root.find(f"{SVG}defs")
    assert definitions is not None
    assert [element.get("id") for element in definitions if element.tag == f"{SVG}g"] == [
        "s.roundel.SB",
        "s.card.1",
    ]
    uses = [element.get("transform") for element in root if element.get(HREF) == "#s.card.1"]
    assert uses == [None, "translate(1 0)", "translate(2 0)", "translate(3 0)"]


KEYS = st.text(alphabet=":._-a5 é", max_size=5)


@given(KEYS, KEYS)
def test_different_keys_never_share_an_id(one: str, other: str) -> None:
    assert (scene_id(one) == scene_id(other)) == (one == other)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9._-]*", scene_id(one))


@pytest.mark.parametrize("title", ["<script>&\"'", "a\x00b\x0b", "例え"])
def test_a_title_can_hold_anything(title: str) -> None:
    found = parsed(scene_of(), title=title).findtext(f"{SVG}title")
    assert found == title.replace("\x00", "\ufffd").replace("\x0b", "\ufffd")


def test_the_label_is_the_title_unless_one_is_given() -> None:
    assert parsed(everything()).findtext(f"{SVG}title") == "Every <shape> & more"


def test_one_element_per_line_and_steady_numbers() -> None:
    lines = render_svg(everything()).decode().splitlines()
    assert all(
        line.count("<") == 1 or re.fullmatch(r"<title>[^<]*</title>", line) for line in lines
    )
    numbers = [
        found
        for line in lines
        for found in re.findall(r'(?<=[ "MLC(])-?[\d.]+(?:e-?\d+)?(?=[ "MLCZ)])', line)
    ]
    assert len(numbers) > 1000
    assert not [
        found for found in numbers if "e" in found or found == "-0" or re.search(r"\.\d{8}", found)
    ]


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    program = "import sys; from sample_scenes import everything as e; from platelayer.render.svg import render_svg as r;"
    program += "sys.stdout.buffer.write(r(e()))"
    assert outputs_by_seed(program) == {render_svg(everything())}


def test_a_glyph_no_face_has_is_a_box() -> None:
    run = TextRun(x=0, y=5, text="\u2603", face="Barlow-Regular", size_pt=9, ink=BLACK, width_mm=3)
    box = svg_path(glyph_outline("Barlow-Regular", "\u05d0"), scale=1000, places=1)
    assert f'd="{box}"' in render_svg(scene_of(run)).decode()


def test_a_path_that_is_not_finite_is_an_error() -> None:
    with pytest.raises(ValueError, match="finite"):
        render_svg(scene_of(Path(commands=polygon_path(((0, 0), (float("nan"), 1))), fill=BLACK)))


def test_a_roundel_stays_small() -> None:
    assert len(render_svg(roundel())) < 3000


# PNG: its size, its edge, and what happens when it cannot be made


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
