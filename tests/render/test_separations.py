"""Spot inks and layers: what the file says, what the plates of a printer show, what is left when a
layer is off."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path as File
from pathlib import Path as FilePath
from xml.etree import ElementTree

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from pdf_bytes import (
    document,
    forms_in,
    numbers,
    opened,
    operators,
    page_of,
    plates,
    plates_of_pages,
    run,
)
from PIL import Image
from sample_scenes import CONDENSED, GREEN, RED, tile

from often import often
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.paper import CUTTER_CLEAR_MM, SQUARE_MM, Document, find_medium
from platelayer.pipeline.build import build, read_options
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


# Marks that sheets are aligned by, and cut lines in files of their own


PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
DPI = 100
MM = DPI / 25.4
NEAR_MM = 0.05
PIECES = ("tile:57", "train:2", "token:BNR", "charter:BNR", "number-card")


def made(profile: str, **given: object) -> Mapping[str, bytes]:
    return build("18eu", read_options(profile, {"pieces": PIECES, **given})).files


def placements(files: Mapping[str, bytes], file: str) -> list[dict]:
    return [
        each for each in json.loads(files["manifest.json"])["placements"] if each["file"] == file
    ]


@pytest.mark.parametrize("paper", often(["a4", "letter", "sra3"], "sra3"))
def test_marks_are_on_all_plates_and_clear_of_every_bleed(paper: str, tmp_path: FilePath) -> None:
    files = made("offset", paper=paper)
    for name in ("press-cards.pdf", "press-board.pdf"):
        placed = placements(files, name)
        for number, found in enumerate(plates_of_pages(files[name], tmp_path, dpi=DPI), start=1):
            printed = np.minimum.reduce([found[ink] for ink in PROCESS])
            assert printed.max() > 0.9
            assert sum(each["page"] == number for each in placed) > 0
            for x, y, width, height in (
                each["trim_mm"] for each in placed if each["page"] == number
            ):
                left, top = int((x - 3) * MM), int((y - 3) * MM)
                right, bottom = int((x + width + 3) * MM), int((y + height + 3) * MM)
                assert not (printed[max(top, 0) : bottom, max(left, 0) : right] > 0.5).any()


def test_the_colour_bar_has_every_ink_in_full_and_two_on_each_other(tmp_path: FilePath) -> None:
    page = plates_of_pages(made("offset")["press-cards.pdf"], tmp_path, dpi=DPI)[0]
    row = int(13 * MM)  # a margin of 10 mm, then a rim of 6
    patches = {
        tuple(round(float(page[ink][row, column]), 1) for ink in PROCESS)
        for column in range(int(90 * MM))
    }
    assert patches >= {
        (1, 0, 0, 0),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
        (0, 0, 0, 1),
        (0, 1, 1, 0),
        (1, 0, 1, 0),
        (1, 1, 0, 0),
    }


def test_marks_for_plates_need_plates() -> None:
    with pytest.raises(ProblemsFound, match="SH06"):
        made("home", register="press")


@pytest.mark.parametrize(
    ("machine", "paper"),
    [("cameo", "a4"), ("cameo-5-alpha", "letter"), ("cameo-feeder", "a4"), ("portrait", "letter")],
)
def test_a_cutter_finds_its_marks_and_nothing_else_there(
    machine: str, paper: str, tmp_path: FilePath
) -> None:
    files = made("silhouette", paper=paper, media=machine)
    (page, *_) = plates_of_pages(files["cutter-cards.pdf"], tmp_path, dpi=DPI)
    cutter = find_medium(machine).cutter
    assert cutter is not None
    black = page["Black"] > 0.5
    reach = round((cutter.reach_mm + CUTTER_CLEAR_MM - 0.3) * MM)
    # All corners as the upper left one.
    corners = [black, black[:, ::-1], black[::-1], black[::-1, ::-1]]
    arm, thick = cutter.arm_mm, cutter.thick_mm
    angle, square = (arm, 2 * arm * thick - thick**2), (SQUARE_MM, SQUARE_MM**2)
    sides = [square, angle, angle, None] if cutter.marks == 3 else [angle] * 4
    for corner, expected in zip(corners, sides, strict=True):
        rows, columns = np.nonzero(corner[:reach, :reach])
        if expected is None:
            assert not len(rows)
            continue
        side, area = expected
        for positions in (rows, columns):
            assert positions.min() / MM == pytest.approx(cutter.inset_mm, abs=0.4)
            assert (positions.max() + 1) / MM == pytest.approx(cutter.inset_mm + side, abs=0.4)
        assert len(rows) / MM**2 == pytest.approx(area, abs=4)
    if machine == "portrait":
        assert black.shape[1] < black.shape[0], "wider paper does not go in"


def boxes(runs: list[list[tuple[float, float]]]) -> list[tuple[float, ...]]:
    found = []
    for points in runs:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return sorted(found)


def in_dxf(data: bytes) -> tuple[float, float, list[list[tuple[float, float]]]]:
    """Width and height of the sheet, and runs of points in mm from its upper left."""
    lines = data.decode("ascii").splitlines()
    tags = list(zip(map(int, lines[::2]), lines[1::2], strict=True))
    assert tags[tags.index((9, "$INSUNITS")) + 1] == (70, "4"), "millimetres"
    runs: dict[str, list] = {"CUT": [], "PAGE": []}
    entity, layer, across = "", "", 0.0
    circle: list[float] = []
    for code, value in tags:
        if code == 0:
            entity = value
        elif code == 8:
            layer = value
        elif entity == "POLYLINE" and code == 70:
            assert value == "1", "closed"
            runs[layer].append([])
        elif entity == "CIRCLE" and code in (10, 20, 40):
            circle.append(float(value))
            if code == 40:
                x, y, radius = circle
                circle = []
                runs[layer].append([(x - radius, y - radius), (x + radius, y + radius)])
        elif entity == "VERTEX" and code == 10:
            across = float(value)
        elif entity == "VERTEX" and code == 20:
            runs[layer][-1].append((across, float(value)))
    ((x, y, width, height),) = boxes(runs["PAGE"])
    assert (x, y) == (0, 0)
    return width, height, [[(x, height - y) for x, y in run] for run in runs["CUT"]]


@pytest.mark.slow
def test_another_program_reads_the_same_cut_lines() -> None:
    ezdxf = pytest.importorskip("ezdxf", reason="needs the extra release")
    files = made("silhouette")
    for name in [name for name in files if name.endswith("-cut.dxf")]:
        drawing = ezdxf.read(io.StringIO(files[name].decode("ascii")))
        assert drawing.header["$INSUNITS"] == 4
        width, height, runs = in_dxf(files[name])
        circles = drawing.modelspace().query("CIRCLE")
        assert bool(circles) == name.startswith("tokens")
        if circles:
            continue
        lines = drawing.modelspace().query("POLYLINE")
        assert all(line.is_closed for line in lines)
        read = [[vertex.dxf.location for vertex in line.vertices] for line in lines]
        edge, *cut = [[(point.x, height - point.y) for point in run] for run in read]
        assert boxes([edge]) == [(0, 0, width, height)]
        assert cut == runs


@pytest.mark.parametrize("profile", ["silhouette", "cricut"])
def test_what_is_cut_is_where_it_is_printed(profile: str) -> None:
    files = made(profile)
    cut = [name for name in files if name.endswith("-cut.dxf")]
    assert len(cut) >= 4
    for name in cut:
        stem, number, _ = name.rsplit("-", 2)
        width, height, runs = in_dxf(files[name])
        placed = [each for each in placements(files, f"{stem}.pdf") if each["page"] == int(number)]
        trims = sorted(tuple(each["trim_mm"]) for each in placed)
        assert len(trims) == len(runs) > 0
        for trim, box in zip(trims, boxes(runs), strict=True):
            assert box == pytest.approx(trim, abs=NEAR_MM)
        for other in (f"{stem}-{number}.svg", f"{stem}-{number}-cut.svg"):
            head = files[other].decode()[:1000]
            assert float(re.search(r'viewBox="0[ ,]0[ ,]([\d.]+)', head)[1]) == pytest.approx(width)
            assert f'height="{height:g}mm"' in head
