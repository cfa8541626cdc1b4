"""Logos of pixels: read safely, and painted alike in every format and colour."""

from __future__ import annotations

import base64
import io
import json
import math
import re
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path
from random import Random
from types import ModuleType

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageDraw
from test_painters import by_pdf, by_png, by_svg, difference

from drawn_svg import Pen, damaged
from platelayer.api import BuildOptions, build, check, draw, read_options
from platelayer.definitions.pictures import read_picture, read_svg
from platelayer.definitions.svg_tree import SvgError
from platelayer.drawing.kit.icons import picture_group
from platelayer.foundation.pixels import image_of, read_pixels
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.tiling import single_page
from platelayer.model.company import Picture
from platelayer.pipeline.scaffold import new_title
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import PAINTERS
from platelayer.scene.inks import WHITE, ink_from_hex, ink_from_rgb
from platelayer.scene.legibility import check_legibility
from platelayer.scene.looks import look_of_rgb
from platelayer.scene.paths import Digester
from platelayer.scene.press import inks_of_pixels, printing_on, proof, proof_of_pixels
from platelayer.scene.shapes import Group, Scene, rectangle_path, translation
from platelayer.scene.shapes import Path as ShapePath

BLUE, YELLOW = (30, 90, 170), (255, 220, 0)
_ORIENTATION = 0x0112
_GPS = 0x8825


def logo(mode: str = "RGBA", side: int = 300) -> Image.Image:
    """A blue disc with a yellow bar and a black dot; clear round it where that is possible."""
    image = Image.new(
        "RGBA", (side, side), (0, 0, 0, 0) if mode == "RGBA" else (255, 255, 255, 255)
    )
    pen, unit = ImageDraw.Draw(image), side / 10
    pen.ellipse((0, 0, side, side), fill=BLUE)
    pen.rectangle((2 * unit, 5 * unit, 8 * unit, 7 * unit), fill=YELLOW)
    pen.ellipse((4 * unit, 2 * unit, 6 * unit, 4 * unit), fill="black")
    return image.convert(mode)


def data_of(image: Image.Image, kind: str, **given: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **given)
    return file.getvalue()


@pytest.fixture(scope="module")
def title(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pixels") / "title"
    new_title(folder, "small")
    (folder / "logos").mkdir()
    (folder / "logos" / "clear.PNG").write_bytes(data_of(logo(), "PNG"))
    (folder / "logos" / "full.jpg").write_bytes(data_of(logo("RGB", 700), "JPEG", quality=90))
    (folder / "logos" / "few.png").write_bytes(data_of(logo("RGB", 40), "PNG"))
    change(
        folder, "title.json", {"pictures": {"clear": "logos/clear.PNG", "full": "logos/full.jpg"}}
    )
    companies = json.loads((folder / "companies.json").read_text(encoding="utf-8"))
    for company, picture in zip(companies["companies"].values(), ("clear", "full"), strict=False):
        company["logo"] = picture
    change(folder, "companies.json", companies)
    return folder


def change(folder: Path, name: str, given: dict[str, object]) -> None:
    value = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps(value | given), encoding="utf-8")


def test_data_that_does_not_print_is_left_out_and_a_photo_stands_upright() -> None:
    exif = Image.Exif()
    exif[_ORIENTATION] = 6
    exif.get_ifd(_GPS)[1] = "N"
    image = Image.new("RGB", (60, 30), BLUE)
    turned = read_pixels(data_of(image, "JPEG", exif=exif), "x.jpg")
    assert (turned.width, turned.height) == (30, 60)
    del exif[_ORIENTATION]
    plain = data_of(image, "JPEG", exif=exif, comment=b"by me")
    kept = read_pixels(plain, "x.jpg")
    assert b"Exif" in plain
    assert b"by me" in plain
    assert b"Exif" not in kept.data
    assert b"by me" not in kept.data
    assert image_of(kept).tobytes() == Image.open(BytesIO(plain)).tobytes(), "not compressed again"
    from PIL.PngImagePlugin import PngInfo

    words = PngInfo()
    words.add_text("Author", "somebody")
    png = read_pixels(data_of(logo(), "PNG", pnginfo=words, dpi=(72, 72)), "x.png")
    assert re.findall(rb"[A-Za-z]{4}", png.data[12:16]) == [b"IHDR"]
    assert b"somebody" not in png.data
    assert b"pHYs" not in png.data
    assert image_of(png).tobytes() == logo().tobytes()


BOMB = data_of(Image.new("1", (6000, 6000)), "PNG")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "neither PNG nor JPEG"),
        (b"GIF89a" + b"\0" * 30, "neither PNG nor JPEG"),
        (data_of(logo(), "PNG")[:900], "damaged"),
        (data_of(logo("RGB"), "JPEG")[:900], "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"\xff\xd8\xff\xe1", "damaged"),
        (data_of(logo("RGB").convert("CMYK"), "JPEG"), "colours are CMYK"),
        (data_of(Image.new("I;16", (9, 9)), "PNG"), "8 bits"),
        (data_of(Image.new("L", (400, 3)), "PNG"), "100 times"),
        (BOMB, "6000 x 6000 pixels"),
        (data_of(logo("RGB"), "PNG") + b" " * 4_300_000, "more than 4 MB"),
    ],
)
def test_what_is_no_printable_picture_is_one_clear_line(data: bytes, words: str) -> None:
    with pytest.raises(SvgError) as stop:
        read_picture("logo.png", data, "x")
    assert words in f"{stop.value.message} {stop.value.hint}"
    assert "\n" not in stop.value.message


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_all_usual_kinds_of_png_are_read(mode: str) -> None:
    pixels = read_pixels(data_of(logo("RGBA").convert(mode), "PNG"), "x.png")
    assert pixels.opaque == (mode not in ("LA", "P", "RGBA"))
    assert (pixels.width, pixels.height) == (300, 300)


def test_a_browser_which_has_no_pillow_knows_pictures_by_their_heads(
    monkeypatch: pytest.MonkeyPatch, title: Path
) -> None:
    files = {
        name: (title / "logos" / name).read_bytes() for name in ("clear.PNG", "full.jpg", "few.png")
    }
    known = {name: read_pixels(data, name) for name, data in files.items()}
    monkeypatch.setitem(sys.modules, "PIL.Image", ModuleType("PIL.Image"))
    for name, data in files.items():
        pixels = read_pixels(data, name)
        assert replace(pixels, mean=known[name].mean) == known[name]
    with pytest.raises(CannotRun, match="a browser shows"):
        image_of(pixels)


@pytest.mark.parametrize("press", ["coated", "uncoated", "gracol"])
def test_a_press_mixes_pixels_like_other_colours(press: str) -> None:
    colours = [
        (30, 90, 170),
        (255, 220, 0),
        (200, 16, 46),
        (0, 0, 0),
        (120, 120, 122),
        (255, 255, 255),
    ]
    image = Image.new("RGB", (len(colours), 1))
    for at, colour in enumerate(colours):
        image.putpixel((at, 0), colour)
    pixels = read_pixels(data_of(image, "PNG"), "x.png")
    with printing_on(press):
        inks = inks_of_pixels(pixels)
        shown = image_of(proof_of_pixels(pixels))
        for at, colour in enumerate(colours):
            ink = ink_from_rgb(tuple(part / 255 for part in colour), "")
            cyan, magenta, yellow, black = (part / 255 for part in inks[4 * at : 4 * at + 4])
            recipe = cyan, magenta, yellow, black
            printed = proof(replace(ink, cmyk=recipe, by_profile=False))
            assert math.dist(look_of_rgb(printed.rgb), look_of_rgb(proof(ink).rgb)) < 2, colour
            looks = [part / 255 for part in shown.getpixel((at, 0))]
            assert looks == pytest.approx(proof(ink).rgb, abs=0.06), colour
            assert sum(recipe) <= 2.41


def facts(data: bytes) -> list[tuple[str, str, str, bytes]]:
    """Colour space, filter, kind of mask and packed bytes of all pictures."""
    with pikepdf.open(BytesIO(data)) as pdf:
        return [
            (
                str(item.get("/ColorSpace", "")),
                str(item.get("/Filter", "")),
                next((key for key in ("/SMask", "/Mask", "/ImageMask") if key in item), ""),
                item.read_raw_bytes(),
            )
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]


def test_files_contain_each_picture_once(title: Path) -> None:
    only = BuildOptions(only=("token", "charter"))
    files = build(title, only).files
    found = facts(files["tokens.pdf"])
    assert sorted(each[:3] for each in found) == [
        ("/DeviceGray", "/FlateDecode", ""),
        ("/DeviceRGB", "/DCTDecode", ""),
        ("/DeviceRGB", "/FlateDecode", "/SMask"),
    ]
    kept = read_pixels((title / "logos" / "full.jpg").read_bytes(), "")
    assert kept.data in [data for _, kind, _, data in found if kind == "/DCTDecode"]
    assert files == build(title, only).files
    press = facts(build(title, BuildOptions(color="cmyk", only=("token",))).files["tokens.pdf"])
    assert sorted(each[:3] for each in press) == [
        ("", "/FlateDecode", "/ImageMask"),
        ("/DeviceCMYK", "/FlateDecode", ""),
        ("/DeviceCMYK", "/FlateDecode", "/Mask"),
    ]
    grey = facts(build(title, BuildOptions(color="gray", only=("token",))).files["tokens.pdf"])
    for space, _, mask, data in grey:
        if space == "/DeviceRGB":
            pixels = zlib.decompress(data)
            assert pixels[::3] == pixels[1::3] == pixels[2::3], mask


def test_a_shop_that_takes_no_transparency_gets_the_logo(title: Path) -> None:
    made = build(title, read_options("drivethrucards", {"only": ("certificate",)}))
    assert not [problem for problem in made.problems if problem.code.startswith("PF")]


def test_painters_agree(title: Path) -> None:
    picture = draw(title, "token:NVR")
    svg = picture.svg()
    (address,) = re.findall(r'"data:image/png;base64,([^"]+)"', svg.decode())
    assert image_of(read_pixels(base64.b64decode(address), "")).tobytes() == logo().tobytes()
    png = Image.open(BytesIO(picture.png(dpi=300))).convert("RGB")
    middle = png.width / 2
    # The bar and the dot, as far from the middle as they are in the logo.
    assert png.getpixel((int(middle), int(middle * 1.15))) == pytest.approx(YELLOW, abs=3)
    assert png.getpixel((int(middle), int(middle * 0.6))) == pytest.approx((0, 0, 0), abs=3)
    assert png.getpixel((int(middle * 0.5), int(middle * 0.8))) == pytest.approx(BLUE, abs=3)
    import pypdfium2

    page = pypdfium2.PdfDocument(picture.pdf())[0].render(scale=300 / 72).to_pil().convert("RGB")
    edge = (page.width - png.width) / 2
    for x, y in ((1, 1.15), (1, 0.6), (0.5, 0.8)):
        place = int(edge + middle * x), int(edge + middle * y)
        assert page.getpixel(place) == pytest.approx(
            png.getpixel((int(middle * x), int(middle * y))), abs=6
        )


def test_too_few_pixels_are_one_warning_with_what_is_needed(title: Path, tmp_path: Path) -> None:
    assert not [problem for problem in check(title) if problem.code == "PI02"]
    copy = tmp_path / "few"
    new_title(copy, "small")
    (copy / "few.png").write_bytes((title / "logos" / "few.png").read_bytes())
    change(copy, "title.json", {"pictures": {"few": "few.png"}})
    companies = json.loads((copy / "companies.json").read_text(encoding="utf-8"))
    next(iter(companies["companies"].values()))["logo"] = "few"
    change(copy, "companies.json", companies)
    (problem,) = [problem for problem in check(copy) if problem.code == "PI02"]
    dpi, side = map(int, re.findall(r"has (\d+) dpi .* take (\d+) x", problem.message)[0])
    assert problem.message.startswith('"few.png" has ')
    assert dpi < 200
    assert dpi * side / 40 == pytest.approx(200, rel=0.03)
    (copy / "few.png").write_bytes(data_of(logo(), "PNG")[:500])
    (problem,) = [problem for problem in check(copy, quick=True) if problem.code == "PI01"]
    assert problem.message == 'picture "few": the file is damaged or incomplete'


# What reading accepts of a picture, every painter paints, at any size


SIZES_MM = (1.0, 14.0, 90.0)
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'


def scene_of(picture: Picture, size_mm: float) -> Scene:
    group = picture_group(picture, size_mm, ink_from_hex("#123456"))
    paper = ShapePath(commands=rectangle_path(0, 0, size_mm, size_mm), fill=WHITE)
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
    assert isinstance(path, ShapePath)
    assert path.stroke is not None
    assert path.stroke.dash == pytest.approx((0.2 / 3, 0.1 / 3))
