"""Spot inks and layers: what the file says, what the plates of a printer show, what is left when a
layer is off."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path as File
from xml.etree import ElementTree

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from pdf_bytes import document, forms_in, numbers, opened, operators, page_of, plates, run
from PIL import Image
from sample_scenes import CONDENSED, GREEN, RED, tile

from platelayer.imposition.paper import Document
from platelayer.render.content import ClashingSpots
from platelayer.render.pdf import render_pdf
from platelayer.render.png import render_png
from platelayer.render.svg import render_svg
from platelayer.scene.inks import BLACK, Ink, as_spot, ink_from_hex
from platelayer.scene.shapes import (
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    Use,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_line

CUT = Ink("cut", (0.93, 0.0, 0.55), (0.0, 1.0, 0.0, 0.0), "CutContour")
CUT_LINE = Stroke(ink=CUT, width_mm=0.5)
BOX = rectangle_path(2, 2, 20, 20)


def cut(*items: Item, layer: str = "Cut") -> Group:
    return Group(items=items or (Path(commands=BOX, stroke=CUT_LINE),), layer=layer)


def small(*items: Item) -> Document:
    return document(page_of(*items, width_mm=60, height_mm=50))


def cut_tile() -> Document:
    """A tile whose outline is its cut line."""
    piece = tile()
    line = Path(commands=piece.die_line, stroke=CUT_LINE)
    place = translation(5, 5)
    return small(Use(scene=piece, matrix=place), Group(items=(line,), matrix=place, layer="Cut"))


@pytest.mark.parametrize(
    ("colour", "space", "paper", "look"),
    [
        ("rgb", "/DeviceRGB", [1, 1, 1], [0.93, 0, 0.55]),
        ("cmyk", "/DeviceCMYK", [0, 0, 0, 0], [0, 1, 0, 0]),
    ],
)
def test_a_spot_ink_is_a_separation_in_full(
    colour: str, space: str, paper: list[float], look: list[float]
) -> None:
    with opened(small(cut()), colour=colour) as pdf:
        resources = pdf.pages[0].obj["/Resources"]
        found = operators(pdf.pages[0])
        (name,) = [operands[0] for operands, operator in found if operator == "CS"]
        kind, plate, alternate, tint = resources["/ColorSpace"][str(name)]
        assert [numbers(operands) for operands, operator in found if operator == "SCN"] == [[1]]
        assert (str(kind), str(plate), str(alternate)) == ("/Separation", "/CutContour", space)
        assert (int(tint["/FunctionType"]), numbers(tint["/Domain"]), int(tint["/N"])) == (
            2,
            [0, 1],
            1,
        )
        assert (numbers(tint["/C0"]), numbers(tint["/C1"])) == (paper, look)


def overprints(holder: pikepdf.Object, painted: set[str]) -> list[tuple[str, bool, bool]]:
    """Each painting operator of a stream, with whether fills and strokes overprint there: PDF's
    default is no."""
    resources = (holder.obj if isinstance(holder, pikepdf.Page) else holder)["/Resources"]
    state, kept, found = (False, False), [], []
    for operands, operator in operators(holder):
        if operator == "q":
            kept.append(state)
        elif operator == "Q":
            state = kept.pop()
        elif operator == "gs":
            values = resources["/ExtGState"][str(operands[0])]
            assert int(values["/OPM"]) == 1
            state = (bool(values["/op"]), bool(values["/OP"]))
        elif operator in painted:
            found.append((operator, *state))
    assert not kept
    return found


def test_only_spot_inks_overprint() -> None:
    box = Path(commands=BOX, fill=GREEN, stroke=Stroke(ink=RED, width_mm=1))
    both = replace(box, stroke=CUT_LINE)
    filled = replace(box, fill=CUT)
    line = Path(commands=BOX, stroke=CUT_LINE)
    items = (
        box,
        line,
        box,
        both,
        filled,
        Group(items=(line, *set_line("a", CONDENSED, BLACK, 9, 9)), matrix=translation(1, 1)),
        line,
        Use(scene=tile()),
        line,
        *set_line("b", CONDENSED, BLACK, 9, 9),
    )
    with opened(small(*items)) as pdf:
        found = overprints(pdf.pages[0], {"S", "f", "B", "Tj", "Do"})
        assert [operator for operator, _, _ in found] == [
            "B",
            "S",
            "B",
            "B",
            "B",
            "S",
            "Tj",
            "S",
            "Do",
            "S",
            "Tj",
        ]
        strokes = [stroke for operator, _, stroke in found if operator in "SB"]
        fills = [fill for operator, fill, _ in found if operator in ("B", "Tj")]
        assert strokes == [False, True, False, True, False, True, True, True]
        assert fills == [False, False, False, True, False, False]
        assert ("Do", False, False) in found  # a form inherits its placer's state
        assert overprints(forms_in(pdf)[0], {"S"}) == [("S", False, False)]


def test_forms_name_their_own_spots_and_layers() -> None:
    """reportlab's own forms lose these resources, which only Ghostscript notices."""
    inner = Scene(key="inner", width_mm=30, height_mm=30, items=(cut(),))
    with opened(small(Use(scene=inner))) as pdf:
        resources = forms_in(pdf)[0]["/Resources"]
        assert {str(key) for key in resources} == {"/ColorSpace", "/ExtGState", "/Properties"}
        assert set(pdf.pages[0].obj["/Resources"].keys()) == {"/XObject"}


def test_every_stream_names_what_it_uses_and_no_more() -> None:
    kinds = {
        "cs": "/ColorSpace",
        "CS": "/ColorSpace",
        "gs": "/ExtGState",
        "BDC": "/Properties",
        "Do": "/XObject",
        "Tf": "/Font",
    }
    inner = Scene(
        key="inner",
        width_mm=30,
        height_mm=30,
        items=(cut(), Path(commands=BOX, fill=as_spot(RED, "White"))),
    )
    words = set_line("x", CONDENSED, BLACK, 9, 9)
    other = cut(Path(commands=BOX, stroke=CUT_LINE), layer="Other")
    made = small(Use(scene=inner), cut(), other, Use(scene=tile()), *words)
    with opened(made) as pdf:
        for holder in (*pdf.pages, *forms_in(pdf)):
            used: dict[str, set[str]] = {}
            for operands, operator in operators(holder):
                if operator in kinds:
                    which = 0 if operator == "Tf" else -1
                    used.setdefault(kinds[operator], set()).add(str(operands[which]))
            resources = (holder.obj if isinstance(holder, pikepdf.Page) else holder)["/Resources"]
            # All fonts of a file are in one dictionary, which streams without words do not name.
            fonts = used.pop("/Font", set())
            named = {kind: set(resources[kind].keys()) for kind in resources}
            assert fonts <= named.pop("/Font", set())
            assert bool(fonts) == ("/Font" in resources)
            assert used == named


def test_layers_stand_in_the_catalogue_in_their_order_and_are_on() -> None:
    with opened(small(cut(), cut(layer="Fold — 折"), cut())) as pdf:
        layers = pdf.Root.OCProperties
        assert [str(group["/Name"]) for group in layers["/OCGs"]] == ["Cut", "Fold — 折"]
        assert [str(group["/Name"]) for group in layers["/D"]["/Order"]] == ["Cut", "Fold — 折"]
        assert str(layers["/D"]["/Name"])
        assert str(layers["/D"]["/BaseState"]) == "/ON"
        # ISO 15930-7: no automatic states.
        assert not {"/AS", "/OFF"} & set(layers["/D"].keys())
        marks = [
            (operator, str(operands[0]) if operands else "")
            for operands, operator in operators(pdf.pages[0])
        ]
        assert [mark for mark in marks if mark[0] in ("BDC", "EMC")] == [
            ("BDC", "/OC"),
            ("EMC", ""),
        ] * 3


def test_a_file_without_layers_says_nothing_of_them() -> None:
    with opened(small(Use(scene=tile()))) as pdf:
        assert "/OCProperties" not in pdf.Root
        assert {key for form in forms_in(pdf) for key in form["/Resources"]} == {"/Font"}


@pytest.mark.parametrize("colour", ["rgb", "cmyk"])
def test_outside_tools_accept_spots_and_layers(colour: str, tmp_path: File) -> None:
    inner = Scene(
        key="inner", width_mm=30, height_mm=30, items=(cut(), *set_line("x", CONDENSED, CUT, 9, 9))
    )
    pdf = render_pdf(small(Use(scene=inner), cut(cut(Use(scene=tile()))), cut()), colour=colour)
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


@pytest.mark.parametrize("colour", ["rgb", "cmyk"])
def test_the_cut_line_is_on_its_own_plate_and_on_no_other(colour: str, tmp_path: File) -> None:
    with_line = plates(render_pdf(cut_tile(), colour=colour), tmp_path)
    without = plates(
        render_pdf(small(Use(scene=tile(), matrix=translation(5, 5))), colour=colour), tmp_path
    )
    assert with_line["CutContour"].max() == 1.0
    for ink in ("Cyan", "Magenta", "Yellow", "Black"):
        assert np.array_equal(with_line[ink], without[ink]), ink


def test_a_line_that_does_not_overprint_would_be_seen(tmp_path: File) -> None:
    """The test above can fail: knocked out, the line leaves its shape in the ground."""
    pdf = render_pdf(cut_tile(), colour="cmyk")
    with pikepdf.open(io.BytesIO(pdf)) as changed:
        for state in changed.pages[0].obj["/Resources"]["/ExtGState"].values():
            state["/OP"], state["/op"] = False, False
        out = io.BytesIO()
        changed.save(out)
    assert not np.array_equal(
        plates(out.getvalue(), tmp_path)["Yellow"], plates(pdf, tmp_path)["Yellow"]
    )


def switched_off(pdf: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as changed:
        changed.Root.OCProperties["/D"]["/OFF"] = changed.Root.OCProperties["/OCGs"]
        out = io.BytesIO()
        changed.save(out)
    return out.getvalue()


def poppler(pdf: bytes) -> np.ndarray:
    done = subprocess.run(
        ["pdftoppm", "-r", "150", "-png", "-"], input=pdf, capture_output=True, check=True
    )
    return np.asarray(Image.open(io.BytesIO(done.stdout)).convert("RGB"))


@pytest.mark.parametrize("colour", ["rgb", "cmyk"])
def test_a_layer_can_be_switched_off(colour: str, tmp_path: File) -> None:
    on, off = (
        render_pdf(cut_tile(), colour=colour),
        switched_off(render_pdf(cut_tile(), colour=colour)),
    )
    plain = render_pdf(small(Use(scene=tile(), matrix=translation(5, 5))), colour=colour)
    assert not np.array_equal(poppler(on), poppler(plain))
    assert np.array_equal(poppler(off), poppler(plain))
    (tmp_path / "off").mkdir()
    assert plates(off, tmp_path / "off").get("CutContour", np.zeros(1)).max() == 0


def test_two_looks_for_one_separation_are_an_error() -> None:
    other = Stroke(ink=replace(CUT, cmyk=(1.0, 0.0, 0.0, 0.0)), width_mm=1)
    with pytest.raises(ClashingSpots, match="CutContour"):
        render_pdf(small(cut(), Path(commands=BOX, stroke=other)))


@pytest.mark.parametrize(
    "name", ["", " Cut", "black", "All", "None", "Cy\nan", "x" * 128, "\ud800"]
)
def test_names_no_separation_can_have(name: str) -> None:
    with pytest.raises(ValueError, match="cannot"):
        as_spot(RED, name)
    with pytest.raises(ValueError, match="cannot print as"):
        render_pdf(small(Path(commands=BOX, fill=replace(RED, spot=name))))


@pytest.mark.parametrize(
    "name", ["CutContour", "Thru-cut", "die/cut (1)#%", "抜き型", "Stanz Form ß"]
)
def test_a_separation_may_have_any_other_name(name: str, tmp_path: File) -> None:
    pdf = render_pdf(small(Path(commands=BOX, fill=as_spot(RED, name))))
    with pikepdf.open(io.BytesIO(pdf)) as found:
        (space,) = found.pages[0].obj["/Resources"]["/ColorSpace"].values()
        assert str(space[1]) == f"/{name}"
    assert "No syntax" in run(["qpdf", "--check"], pdf, tmp_path)


def test_svg_names_its_layers() -> None:
    scene = Scene(key="s", width_mm=30, height_mm=30, items=(cut(), cut(layer='<"&')), label="s")
    text = render_svg(scene)
    labels = [element.get("data-layer") for element in ElementTree.fromstring(text).iter()]
    assert [label for label in labels if label] == ["Cut", '<"&']
    inkscape = "{http://www.inkscape.org/namespaces/inkscape}"
    modes = [element.get(f"{inkscape}groupmode") for element in ElementTree.fromstring(text).iter()]
    assert modes.count("layer") == 2
    assert b"inkscape" not in render_svg(tile())
    assert render_png(scene) != render_png(replace(scene, items=()))


def test_an_ink_with_too_much_on_paper_is_refused_in_cmyk_only() -> None:
    heavy = Ink("heavy", (0.1, 0.1, 0.1), (0.8, 0.8, 0.8, 0.1))
    made = small(Path(commands=BOX, fill=heavy))
    assert render_pdf(made)
    with pytest.raises(ValueError, match="250%"):
        render_pdf(made, colour="cmyk")
    assert render_pdf(small(Path(commands=BOX, fill=ink_from_hex("#000080"))), colour="cmyk")
