"""What is asked for is placed, or the build fails: sheet plans that leave kinds out, hold them
twice, or elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from often import often
from packs import build
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.plan import standard_plan
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest

KINDS_OF = {document.stem: document.kinds for document in standard_plan()}
TOTALS = read_manifest("18eu").totals
KIND_HOMES = {kind: stem for stem, kinds in KINDS_OF.items() for kind in kinds}


def _print(
    folder: Path, documents: dict[str, Any], *only: str, **more: Any
) -> Counter[tuple[str, str]]:
    """(file, kind) of every front that a print with this plan (none: the standard plan) says it
    placed."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"documents": documents}), encoding="utf-8")
    options = BuildOptions(sheets=str(plan) if documents else None, only=only, **more)
    result = build("18eu", folder / "out", options)
    value = result.manifest
    assert sorted(each["file"] for each in value["files"]) == sorted(
        {each["file"] for each in value["files"]}
    )
    return Counter(
        (each["file"], each["kind"]) for each in value["placements"] if each["face"] == "front"
    )


def _refused(folder: Path, documents: dict[str, Any], *only: str) -> list[str]:
    with pytest.raises(ProblemsFound) as raised:
        _print(folder, documents, *only)
    assert not (folder / "out").exists()
    return [f"{problem.code} {problem.message}" for problem in raised.value.problems]


def test_a_kind_that_no_document_holds_stops_the_print(tmp_path: Path) -> None:
    found = _refused(tmp_path, {"tokens": {"kinds": ["token"]}}, "token", "marker")
    assert found == ["SH09 no document in the sheet plan holds pieces of the kind marker"]


def test_all_kinds_without_a_document_are_told_at_once(tmp_path: Path) -> None:
    found = _refused(
        tmp_path, {"tokens": {"kinds": ["number-card"]}, "tiles": {"kinds": ["number-card"]}}
    )
    kinds = ("tile", "token", "marker")
    assert found == sorted(
        f"SH09 no document in the sheet plan holds pieces of the kind {kind}" for kind in kinds
    )


def test_a_kind_in_two_documents_is_printed_in_both(tmp_path: Path) -> None:
    twice = {"trains": {"kinds": ["train", "marker"]}}
    placed = _print(tmp_path, twice, "train", "marker", "token")
    assert placed["tokens.pdf", "marker"] == placed["trains.pdf", "marker"] == TOTALS["marker"]
    assert placed["trains.pdf", "train"] > 20
    assert placed["tokens.pdf", "token"] == 63


def test_a_kind_in_a_document_that_cannot_hold_it_is_refused(tmp_path: Path) -> None:
    found = _refused(tmp_path, {"cards": {"kinds": [*KINDS_OF["cards"], "map"]}}, "map")
    assert found
    assert all(each.startswith("SH01") for each in found)


@pytest.mark.parametrize("output", ["cards", "pictures"])
def test_cards_and_pictures_are_counted_too(tmp_path: Path, output: str) -> None:
    only = ("token", "train", "checklist")
    placed = _print(tmp_path, {}, *only, output=output)
    kinds: Counter[str] = Counter()
    for (_, kind), number in placed.items():
        kinds[kind] += number
    sheets = _print(tmp_path, {}, *only)
    assert kinds == {kind: sheets[f"{KIND_HOMES[kind]}.pdf", kind] for kind in only}


@pytest.mark.parametrize(
    "more",
    often(
        {"plain": {}, "duplex": {"duplex": "long"}, "moved": {"offset_mm": (1.5, -1.0)}}, "plain"
    ),
)
def test_a_map_in_parts_is_one_placement_that_names_all_of_its_pages(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    pack = build("18eu", tmp_path, BuildOptions(only=("map",), **more))
    value = pack.manifest
    by_file = {each["file"]: each for each in value["placements"]}
    assert len(by_file) == len(value["placements"]) == 2
    poster, tiled = by_file["map.pdf"], by_file["map-tiled.pdf"]
    assert "pages" not in poster
    assert (tiled["page"], tiled["trim_mm"], tiled["rotation"]) == (
        1,
        tiled["pages"][0]["trim_mm"],
        0,
    )
    (pages,) = (each["pages"] for each in value["files"] if each["file"] == "map-tiled.pdf")
    assert [each["page"] for each in tiled["pages"]] == [*range(1, pages + 1)]
    _, _, width, height = poster["trim_mm"]
    parts = [each["part_mm"] for each in tiled["pages"]]
    assert fsum(w * h for _, _, w, h in parts) == pytest.approx(width * height, rel=1e-5)
    corner = (max(x + w for x, _, w, _ in parts), max(y + h for _, y, _, h in parts))
    assert corner == pytest.approx((width, height), abs=0.005)
    for index, (x, y, w, h) in enumerate(parts):
        for left, top, wide, high in parts[index + 1 :]:
            assert (
                min(x + w, left + wide) - max(x, left) < 0.01
                or min(y + h, top + high) - max(y, top) < 0.01
            )
    assert all(each["trim_mm"][2:] == each["part_mm"][2:] for each in tiled["pages"])
    again = build(
        "18eu",
        tmp_path / "again",
        BuildOptions(only=("map",), since=str(pack.folder / "manifest.json"), **more),
    )
    assert again.pieces == 0
