"""Marks that sheets are aligned by, and cut lines in files of their own."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from pdf_bytes import plates_of_pages

from often import often
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.paper import CUTTER_CLEAR_MM, SQUARE_MM, find_medium
from platelayer.pipeline.build import build, read_options

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
def test_marks_are_on_all_plates_and_clear_of_every_bleed(paper: str, tmp_path: Path) -> None:
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


def test_the_colour_bar_has_every_ink_in_full_and_two_on_each_other(tmp_path: Path) -> None:
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
    machine: str, paper: str, tmp_path: Path
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
    for run in runs:
        xs, ys = [x for x, _ in run], [y for _, y in run]
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
