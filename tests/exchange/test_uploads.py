"""Pictures for Screentop and Tabletopia, and their tables."""

from __future__ import annotations

import csv
import io
import struct
from collections import Counter, defaultdict
from functools import cache

import pytest

from platelayer.exchange.writers.pictures import MOST_PX, chosen, painted, upload_files
from platelayer.pipeline.job import BuildOptions

SOME = ("tile:5*", "train", "certificate:B*", "token:B*", "charter:B*", "summary")


@cache
def uploaded(
    title: str, sheeted: bool, pieces: tuple[str, ...] = SOME, language: str = "en"
) -> tuple[list[dict[str, str]], dict[str, tuple[int, int]]]:
    """The rows of the table, and the sizes of the pictures in pixels."""
    choice = chosen(title, BuildOptions(pieces=pieces, language=language))
    files = painted(upload_files(choice, 30, sheeted=sheeted), 1)
    text = files.pop("pieces.csv").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    counts = Counter({(row["kind"], row["id"]): int(row["count"]) for row in rows})
    assert counts == {(piece.kind, piece.id): piece.count for piece in choice.pieces}
    assert {row[face] for row in rows for face in ("front", "back")} - {""} == set(files)
    sizes = {name: struct.unpack(">II", data[16:24]) for name, data in files.items()}
    assert all(max(size) <= MOST_PX for size in sizes.values())
    return rows, sizes


@pytest.mark.parametrize(("title", "language"), [("18eu", "en"), ("18cz", "ja")])
def test_a_sheet_for_screentop_divides_into_its_cells(title: str, language: str) -> None:
    rows, sizes = uploaded(title, True, SOME, language)
    cells = defaultdict(list)
    for row in rows:
        columns, height = int(row["columns"]), int(row["rows"])
        wide, tall = sizes[row["front"]]
        assert wide % columns == tall % height == 0
        ratio = float(row["width_mm"]) / float(row["height_mm"])
        assert wide / columns / (tall / height) == pytest.approx(ratio, abs=0.1)
        if row["back"].endswith("-backs.png"):
            assert sizes[row["back"]] == (wide, tall)
        elif row["back"]:
            assert sizes[row["back"]] == (wide / columns, tall / height)
        assert int(row["cell"]) <= columns * height
        cells[row["front"]].append(int(row["cell"]))
    assert all(found == [*range(1, len(found) + 1)] for found in cells.values())


def test_faces_for_tabletopia_are_of_one_size() -> None:
    rows, sizes = uploaded("18eu", False)
    by_kind = defaultdict(set)
    for row in rows:
        if row["back"]:
            assert sizes[row["front"]] == sizes[row["back"]]
        by_kind[row["kind"], row["width_mm"], row["height_mm"]].add(sizes[row["front"]])
    assert all(len(found) == 1 for found in by_kind.values())
