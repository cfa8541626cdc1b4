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
from platelayer.imposition.marks import ARM_MM, CUTTER_MARGIN_MM, INSET_MM, SQUARE_MM
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


def test_a_cutter_needs_its_margin() -> None:
    with pytest.raises(ProblemsFound, match="SH06"):
        made("silhouette", margin_mm=10.0)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_cutter_finds_its_marks_and_nothing_else_there(paper: str, tmp_path: Path) -> None:
    (page,) = plates_of_pages(made("silhouette", paper=paper)["charters.pdf"], tmp_path, dpi=DPI)
    black = page["Black"] > 0.5
    high, wide = black.shape
    inset, square, arm = (round(length * MM) for length in (INSET_MM, SQUARE_MM, ARM_MM))
    assert black[inset + 1 : inset + square - 1, inset + 1 : inset + square - 1].all()
    assert black[inset : inset + 3, wide - inset - arm + 2 : wide - inset - 2].any(axis=0).all()
    assert black[inset + 2 : inset + arm - 2, wide - inset - 3 : wide - inset + 1].any(axis=1).all()
    assert black[high - inset - 3 : high - inset + 1, inset + 2 : inset + arm - 2].any(axis=0).all()
    assert black[high - inset - arm + 2 : high - inset - 2, inset : inset + 3].any(axis=1).all()
    clear = int((CUTTER_MARGIN_MM - INSET_MM - SQUARE_MM - 0.5) * MM)
    assert not black[inset + square + 2 : inset + square + clear, : inset + square].any()
    assert not black[:inset, :].any()


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
