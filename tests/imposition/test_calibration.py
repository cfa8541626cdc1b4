"""The calibration sheet, read from its bytes: true to size, and what it says to type makes any
printer print true."""

import re
import subprocess
from itertools import pairwise

import pytest
from msgspec.structs import replace
from pdf_places import placed_forms, stroked_lines
from sheet_pieces import card, disc, piece

from often import often
from platelayer.imposition.calibration import calibration_sheet
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import find_paper
from platelayer.model.options import PrintOptions
from platelayer.render.pdf import render_pdf
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import apply

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "297x210mm": (297.0, 210.0)}
FLIPS = ("long", "short")


def sheet(theme, paper="a4", duplex="long", language="en", margin=6.0):
    return calibration_sheet(find_paper(paper), margin, duplex, theme, language)


class Sheet:
    """What lies on a calibration sheet, found in its bytes: frame, ticks of the two scales, cross
    of the back."""

    def __init__(self, data, size):
        self.width, self.height = size
        front, back = ([points for _, _, points in lines] for lines in stroked_lines(data))
        self.frame = next(p for p in front if len(p) == 4 and len(set(p)) == 4)
        scales = next(p for p in front if len(p) > 100)
        lines = list(zip(scales[::2], scales[1::2], strict=True))
        self.across = {
            round(a[0], 3): abs(a[1] - b[1]) for a, b in lines[:-2] if abs(a[0] - b[0]) < 1e-6
        }
        self.down = {
            round(a[1], 3): abs(a[0] - b[0]) for a, b in lines[:-2] if abs(a[1] - b[1]) < 1e-6
        }
        (self.cross,) = [
            p for p in back if len(p) == 4 and p[0][1] == p[1][1] and p[2][0] == p[3][0]
        ]

    def box(self):
        xs, ys = zip(*self.frame, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @staticmethod
    def zero(ticks):
        """The middle one of the longest ticks, which are the ones with numbers."""
        longest = max(ticks.values())
        numbered = sorted(at for at, length in ticks.items() if length > longest - 0.01)
        assert len(numbered) == 3
        return numbered[1]


@pytest.mark.parametrize("duplex", FLIPS)
@pytest.mark.parametrize("paper", PAPERS)
def test_frame_scales_and_cross_are_true(paper, duplex, theme):
    width, height = PAPERS[paper]
    found = Sheet(render_pdf(sheet(theme, paper, duplex)), (width, height))
    left, top, right, bottom = found.box()
    assert (left, top, width - right, height - bottom) == pytest.approx((20, 20, 20, 20), abs=1e-3)
    for ticks, middle in ((found.across, width / 2), (found.down, height / 2)):
        places = sorted(ticks)
        assert len(places) == 33
        assert [b - a for a, b in pairwise(places)] == pytest.approx([0.5] * 32, abs=2e-3)
        assert Sheet.zero(ticks) == pytest.approx(middle, abs=1e-3)
    # Behind the zero, however the sheet is flipped: in the middle of the paper.
    (_, y), _, (x, _), _ = found.cross
    assert (x, y) == pytest.approx((width / 2, height / 2), abs=1e-3)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("duplex", FLIPS)
@pytest.mark.parametrize("paper", [*PAPERS, "a3"])
def test_it_is_legible(paper, duplex, language, theme):
    for page in sheet(theme, paper, duplex, language).pages:
        assert check_legibility(page.scene) == ()


@pytest.mark.parametrize(("paper", "margin"), [("a4", 13.0), ("120x180mm", 6.0)])
def test_where_there_is_no_room_it_says_so(paper, margin, theme):
    with pytest.raises(ValueError, match="calibrate"):
        sheet(theme, paper, margin=margin)


def typed(data, tmp_path):
    """The options in the words of the sheet, each with its formulae, as pdftotext reads them."""
    path = tmp_path / "calibration.pdf"
    path.write_bytes(data)
    words = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], check=True, capture_output=True, text=True
    ).stdout
    found = {}
    for option, formulae in re.findall(r"--([a-z-]+) (\S+)", words):
        found.setdefault(option, formulae)
    return found


def worked_out(formulae, readings):
    """Formulae of the sheet with what was read off put in."""
    assert re.fullmatch(r"[0-9ABCDWHxy()/,.+-]+", formulae)
    return eval(f"({formulae},)", {"__builtins__": {}}, readings)


def pieces():
    made = []
    for entry in (
        piece("train", "2", card("train:2", 67, 44), 7),
        piece("token", "A", disc("token:A"), 9),
    ):
        made.append(replace(entry, back=replace(entry.scene, key=f"{entry.scene.key}:back")))
    return made


def printed(point, scale, shift):
    return point[0] * scale[0] + shift[0], point[1] * scale[1] + shift[1]


@pytest.mark.parametrize(
    "paper_and_flip", [(paper, duplex) for paper in PAPERS for duplex in FLIPS]
)
@pytest.mark.parametrize(
    "printer",
    [
        ((1.0, 1.0), (0.0, 0.0), (0.0, 0.0)),
        ((1.0, 1.0), (0.8, -0.5), (0.8, -0.5)),
        ((1.0, 1.0), (0.0, 0.0), (-1.4, 2.1)),
        ((0.996, 1.003), (1.1, -0.7), (-0.6, 1.9)),
    ],
)
@pytest.mark.parametrize("language", often(["en", "ja"], "en"))
def test_what_it_says_to_type_makes_fronts_and_backs_print_true(
    printer, paper_and_flip, language, theme, tmp_path
):
    """A printer that stretches pages and shifts each side: all that it prints is read off the
    calibration sheet as one would with a ruler and a lamp; with the options that the sheet then
    says, every piece lies where it should."""
    (scale, front, back), (paper, duplex) = printer, paper_and_flip
    width, height = size = PAPERS[paper]
    sideways = (duplex == "long") == (width <= height)
    data = render_pdf(sheet(theme, paper, duplex, language))
    found = Sheet(data, size)
    left, top, right, bottom = found.box()
    (left, top), (right, bottom) = (
        printed((left, top), scale, front),
        printed((right, bottom), scale, front),
    )
    (_, cy), _, (cx, _), _ = found.cross
    cx, cy = printed((cx, cy), scale, back)
    seen = (width - cx, cy) if sideways else (cx, height - cy)
    zero = printed((Sheet.zero(found.across), Sheet.zero(found.down)), scale, front)
    readings = {
        **dict(
            zip(
                "ABCDWH",
                (left, top, width - right, height - bottom, right - left, bottom - top),
                strict=True,
            )
        ),
        **dict(
            zip("xy", ((seen[0] - zero[0]) / scale[0], (seen[1] - zero[1]) / scale[1]), strict=True)
        ),
    }
    words = typed(data, tmp_path)
    plain = PrintOptions(paper=paper, duplex=duplex)
    corrected_by = replace(
        plain,
        offset_mm=worked_out(words["offset"], readings),
        back_offset_mm=worked_out(words["back-offset"], readings),
        scale=(*worked_out(words["scale-x"], readings), *worked_out(words["scale-y"], readings)),
    )
    compared = 0
    for true, made in zip(
        impose("18XX", pieces(), theme=theme, options=plain),
        impose("18XX", pieces(), theme=theme, options=corrected_by),
        strict=True,
    ):
        if (true.pages[0].scene.width_mm, true.pages[0].scene.height_mm) != size:
            continue
        pages = zip(placed_forms(render_pdf(true)), placed_forms(render_pdf(made)), strict=True)
        for number, (wanted, corrected) in enumerate(pages):
            shift = back if number % 2 else front
            compared += 1
            for (_, there), (_, here) in zip(wanted, corrected, strict=True):
                for point in ((0, 0), (14, 14)):
                    at = printed(apply(here, point), scale, shift)
                    assert at == pytest.approx(apply(there, point), abs=0.03)
    assert compared >= 2
