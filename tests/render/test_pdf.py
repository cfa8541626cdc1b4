"""PDF: the file as qpdf, Ghostscript, poppler and pikepdf see it."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path as File

import pikepdf
import pytest
from pdf_bytes import document, forms_in, numbers, opened, operators, page_of, plates, run
from PIL import Image
from sample_scenes import (
    HEX_MM,
    SANS,
    YELLOW,
    card,
    everything,
    hex_points,
    outputs_by_seed,
    tile,
)

from platelayer.foundation.geometry import MM_PER_PT
from platelayer.imposition.paper import Document
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import ClashingKeys
from platelayer.scene.fonts import face, glyph_outline
from platelayer.scene.inks import BLACK, Ink
from platelayer.scene.shapes import (
    Group,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
    polygon_path,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import set_block, set_line


def sheets() -> Document:
    """Three pages: tiles in two designs, cards with a roundel on each, and the sample with every
    shape."""
    tiles = [
        Use(scene=tile(f"tile:{n}", number=str(n)), matrix=translation(45 * (n % 2), 40 * n))
        for n in (0, 1, 0)
    ]
    cards = [Use(scene=card(f"card:{n}", n), matrix=translation(64 * n, 10)) for n in range(3)]
    return document(page_of(*tiles), page_of(*cards, *tiles), page_of(Use(scene=everything())))


def test_every_page_has_its_own_boxes() -> None:
    # 5 mm are 14.173 pt; A4 is 595.276 x 841.890 pt.
    with opened(sheets()) as pdf:
        assert len(pdf.pages) == 3
        for page in pdf.pages:
            assert numbers(page.obj["/MediaBox"]) == pytest.approx(
                [0, 0, 595.276, 841.890], abs=0.001
            )
            assert numbers(page.obj["/CropBox"]) == numbers(page.obj["/MediaBox"])
            assert numbers(page.obj["/TrimBox"]) == pytest.approx(
                [14.173, 14.173, 581.102, 827.717], abs=0.001
            )
            assert numbers(page.obj["/BleedBox"]) == pytest.approx(
                [8.504, 8.504, 586.772, 833.386], abs=0.001
            )


def test_qpdf_and_ghostscript_accept_the_file(tmp_path: File) -> None:
    pdf = render_pdf(sheets())
    assert "No syntax or stream encoding errors" in run(["qpdf", "--check"], pdf, tmp_path)
    command = [
        "gs",
        "-q",
        "-dPDFSTOPONWARNING",
        "-dPDFSTOPONERROR",
        "-dNOPAUSE",
        "-dBATCH",
        "-sDEVICE=nullpage",
    ]
    assert run(command, pdf, tmp_path) == ""


def test_words_can_be_searched_for(tmp_path: File) -> None:
    path = tmp_path / "t.pdf"
    path.write_bytes(
        render_pdf(
            document(
                page_of(*(Use(scene=card(), matrix=translation(64 * n, 10)) for n in range(3)))
            )
        )
    )
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True).stdout.decode()
    assert text.count("Königlich Privilegierte Südbahn") == 6
    assert text.count("Anteil Nr. 1") == 3


def test_one_form_per_distinct_scene_however_often_it_is_placed() -> None:
    with opened(sheets()) as pdf:
        # tile:0, tile:1, three cards, their one roundel, the sample and the sample's tile
        assert len(forms_in(pdf)) == 8
        placed = [
            str(operands[0])
            for page in pdf.pages
            for operands, name in operators(page)
            if name == "Do"
        ]
        assert len(placed) == 3 + 6 + 1


def test_a_hex_of_38_1_mm_measures_38_1_mm_on_paper(tmp_path: File) -> None:
    """1.5 in are 900 pixels at 600 dpi."""
    shape = Path(commands=polygon_path(hex_points(HEX_MM)), fill=BLACK)
    scene = Scene(key="hex", width_mm=44, height_mm=HEX_MM, items=(shape,))
    made = document(page_of(Use(scene=scene, matrix=translation(3, 4)), width_mm=50, height_mm=50))
    path = tmp_path / "t.pdf"
    path.write_bytes(render_pdf(made))
    command = ["pdftoppm", "-r", "600", "-gray", "-png", str(path)]
    image = Image.open(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))
    left, top, right, bottom = image.point(lambda level: 255 * (level < 128)).getbbox()
    assert bottom - top == pytest.approx(900, abs=1)
    assert right - left == pytest.approx(900 * 2 / 3**0.5, abs=1)
    assert (left, top) == pytest.approx((3 / 25.4 * 600, 4 / 25.4 * 600), abs=1)


def test_state_is_set_where_it_changes_and_comes_back_after_a_group() -> None:
    bar = polygon_path(((0, 0), (5, 0), (5, 5)))
    line = Stroke(ink=BLACK, width_mm=1, dash=(2, 1), cap="round", join="bevel")
    red = Ink("red", (1.0, 0.0, 0.0), (0.0, 1.0, 1.0, 0.0))
    inner = Group(items=(Path(commands=bar, fill=YELLOW),), matrix=translation(1, 1))
    items = (
        Path(commands=bar, fill=red, stroke=line),
        inner,
        Path(commands=bar, fill=red, stroke=line),
    )
    with opened(document(page_of(*items))) as pdf:
        found = operators(pdf.pages[0])
    names = [name for _, name in found if name not in "mlh"]
    assert names == ["cm", "M", "rg", "G", "w", "d", "J", "j", "B", "q", "cm", "rg", "f", "Q", "B"]
    assert [numbers(operands) for operands, name in found if name in ("J", "j", "w")] == [
        [1],
        [1],
        [2],
    ]


def test_rgb_prints_neutral_inks_with_black_alone() -> None:
    with opened(document(page_of(*set_line("Words", SANS, BLACK, 9, 9), Use(scene=tile())))) as pdf:
        assert ([0], "g") in [
            (numbers(operands), name) for operands, name in operators(pdf.pages[0]) if name == "g"
        ]
        assert {
            name for _, name in operators(forms_in(pdf)[0]) if name.lower() in ("g", "rg", "k")
        } == {
            "rg",
            "RG",
            "g",
            "G",
        }


def test_cmyk_uses_every_inks_recipe_and_nothing_but_cmyk() -> None:
    ink = Ink("ochre", (0.8, 0.6, 0.2), (0.1, 0.4, 0.9, 0.05))
    patch = Path(
        commands=polygon_path(((0, 0), (9, 0), (9, 9))),
        fill=ink,
        stroke=Stroke(ink=BLACK, width_mm=1),
    )
    with opened(
        document(page_of(patch, *set_line("Words", SANS, BLACK, 9, 9))), colour="cmyk"
    ) as pdf:
        found = [
            (numbers(operands), name)
            for operands, name in operators(pdf.pages[0])
            if name in ("k", "K")
        ]
        names = {name for _, name in operators(pdf.pages[0])}
    assert found == [([0.1, 0.4, 0.9, 0.05], "k"), ([0, 0, 0, 1], "K"), ([0, 0, 0, 1], "k")]
    assert not names & {"rg", "RG", "g", "G"}


def test_the_same_document_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    program = "import sys; from test_pdf import sheets; from platelayer.render.pdf import render_pdf as r;"
    program += "sys.stdout.buffer.write(r(sheets()) + r(sheets(), colour='cmyk'))"
    both = render_pdf(sheets()) + render_pdf(sheets(), colour="cmyk")
    assert outputs_by_seed(program) == {both}


def test_documents_painted_one_after_the_other_do_not_mix_their_subsets() -> None:
    one = document(page_of(*set_line("Brno", SANS, BLACK, 9, 9)))
    other = document(page_of(*set_line("Wien", SANS, BLACK, 9, 9)))
    alone = render_pdf(one)
    render_pdf(other)
    assert render_pdf(one) == alone
    with pikepdf.open(io.BytesIO(alone)) as first, opened(other) as second:
        assert bytes(first.trailer["/ID"][0]) != bytes(second.trailer["/ID"][0])


def test_glyphs_no_face_has_are_boxes_that_are_copied_as_they_are(tmp_path: File) -> None:
    words = "a\u2603\U0001f682b"
    text = TextRun(x=0, y=5, text=words, face="Barlow-Regular", size_pt=9, ink=BLACK, width_mm=6)
    (tmp_path / "x.pdf").write_bytes(render_pdf(document(page_of(text))))
    read = subprocess.run(
        ["pdftotext", str(tmp_path / "x.pdf"), "-"], capture_output=True, text=True, check=True
    )
    assert read.stdout.strip() == words


def test_a_path_that_is_not_finite_is_an_error() -> None:
    with pytest.raises(ValueError, match="finite"):
        render_pdf(
            document(page_of(Path(commands=polygon_path(((0, 0), (float("inf"), 1))), fill=BLACK)))
        )


def test_two_drawings_under_one_key_are_an_error() -> None:
    with pytest.raises(ClashingKeys):
        render_pdf(document(page_of(Use(scene=tile())), page_of(Use(scene=tile(number="58")))))


def test_one_font_holds_all_letters_of_a_face(tmp_path: File) -> None:
    """A font of one byte would have room for 255."""
    letters = "".join(
        chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0x180)) if chr(code) in glyphs()
    )
    assert len(letters) > 255
    lines = [letters[start : start + 60] for start in range(0, len(letters), 60)]
    pdf = render_pdf(document(page_of(*set_block(lines, SANS, BLACK, 9, 50))))
    assert len(run(["pdffonts"], pdf, tmp_path).splitlines()) == 2 + 1
    path = tmp_path / "t.pdf"
    text = subprocess.run(
        ["pdftotext", "-raw", path, "-"], capture_output=True, check=True
    ).stdout.decode()
    assert set(letters) - {"\xad"} <= set(text)


def test_letters_beyond_the_first_plane_are_drawn(tmp_path: File) -> None:
    name, em, x, y = "NotoSansSymbols2-Regular", 60 * MM_PER_PT, 9.0, 50.0
    letters = "\u2b12\U0001f6f3"
    written = TextRun(x=x, y=y, text=letters, face=name, size_pt=60, ink=BLACK, width_mm=0)
    drawn = []
    for letter in letters:
        outline = transform_commands(glyph_outline(name, letter), (em, 0, 0, em, x, y))
        drawn.append(Path(commands=outline, fill=BLACK))
        x += em * glyphs(name)[letter][0]
    one, other = (
        plates(render_pdf(document(page_of(*items)), colour="cmyk"), tmp_path)["Black"]
        for items in ([written], drawn)
    )
    assert (one > 0.5).sum() > 5000
    # Paths colour each pixel that they touch.
    assert (abs(one - other) > 0.5).sum() < 0.2 * (one > 0.5).sum()


def glyphs(name: str = "Barlow-Regular") -> dict[str, tuple[float, float, float]]:
    return face(name).glyphs


def test_subsets_of_different_fonts_and_files_have_different_names(tmp_path: File) -> None:
    """Programs that join files take two subsets of one name for the same font."""
    bold = SANS.at(12).__class__(faces=("Barlow-Bold",), size_pt=12)
    made = [
        document(page_of(*set_line(words, style, BLACK, 9, 9)))
        for words in ("Brno", "Wien")
        for style in (SANS, bold)
    ]
    names = [
        run(["pdffonts"], render_pdf(each), tmp_path).splitlines()[2].split()[0] for each in made
    ]
    assert len({name.partition("+")[0] for name in names}) == 4
    assert render_pdf(made[0]) == render_pdf(made[0])
