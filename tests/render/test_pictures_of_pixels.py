"""Logos of pixels: read safely, and painted alike in every format and colour."""

from __future__ import annotations

import base64
import json
import math
import re
import sys
import zlib
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image, ImageDraw

from platelayer.api import BuildOptions, build, check, draw, read_options
from platelayer.definitions.pictures import read_picture
from platelayer.definitions.svg_tree import SvgError
from platelayer.foundation.pixels import image_of, read_pixels
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.scaffold import new_title
from platelayer.scene.inks import ink_from_rgb
from platelayer.scene.looks import look_of_rgb
from platelayer.scene.press import inks_of_pixels, printing_on, proof, proof_of_pixels

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
