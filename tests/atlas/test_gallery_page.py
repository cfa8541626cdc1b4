"""The gallery of maps in the docs: its codes, links and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from platelayer.atlas.check import check_log
from platelayer.atlas.lines import log_of
from platelayer.atlas.measures import measure
from platelayer.definitions.build import shipped_box

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(
    r"^\| \[.*?\]\(.*?#atlas=(\w+)\) \| (\w+) \| `.*?` \| ([\d.]+) \| (\d+) \| (.*?) \| ([\d.]+) \|",
    re.M,
)


@pytest.mark.parametrize("page", ["atlas-gallery.md", "ja/atlas-gallery.md"])
def test_maps_are_what_the_page_says(page: str) -> None:
    text, box = (DOCS / page).read_text("utf-8"), shipped_box()
    rows = ROW.findall(text)
    assert len(rows) == 8
    for code, mode, fairness, hexes, table, apart in rows:
        log = log_of(box, code)
        assert not check_log(box, log)
        assert (log.mode, f"`{code}`" in text) == (mode, True)
        values = measure(box, log)
        sides = f"{values['table_short_mm']:.0f} x {values['table_long_mm']:.0f}"
        assert (hexes, table) == (f"{values['hexes']}", sides)
        assert (fairness, apart) == (
            f"{values['fairness']:.1f}",
            f"{values['home_distance_mean']:.1f}",
        ), "renew the page: docs/atlas_gallery.py"
    for picture in re.findall(r"\]\(([./]*pictures/.*?)\)", text):
        assert (DOCS / page).parent.joinpath(picture).is_file()
