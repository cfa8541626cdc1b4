"""The first five minutes: a title begun in the dialog, and what is still to do in it."""

from __future__ import annotations

import json

import pytest

from platelayer import check
from platelayer.foundation.problems import Severity

pytestmark = pytest.mark.slow


def test_a_new_title_is_as_the_dialog_says(begin, page, tmp_path):
    (tmp_path / "mine").mkdir()
    studio = begin(tmp_path / "mine")
    page.goto(studio.address)
    page.locator(".welcome button.strong").click()
    box = page.locator("dialog[open]")
    page.keyboard.type("Vale of Evesham")
    assert box.get_by_label("Folder").input_value() == "vale-of-evesham"
    box.get_by_label("Rows").fill("5")
    box.get_by_label("Columns").fill("7")
    box.get_by_label("Layout").select_option("pointy")
    box.get_by_label("Companies").fill("3")
    box.get_by_label("Box of tiles").select_option("1889")
    box.get_by_label("Currency").fill("£{}")
    page.screenshot(path=tmp_path / "new.png")
    page.keyboard.press("Enter")
    page.wait_for_selector(".viewer[data-version]")
    title = json.loads((studio.folder / "title.json").read_text())
    board = json.loads((studio.folder / "map.json").read_text())["map"]
    assert (title["name"], title["currency"], board["name"]) == (
        "Vale of Evesham",
        "£{}",
        "Vale of Evesham",
    )
    assert (board["layout"], len(board["hexes"])) == ("pointy", 35)
    assert len(json.loads((studio.folder / "companies.json").read_text())["companies"]) == 3
    assert not [each for each in check(str(studio.folder)) if each.severity is not Severity.NOTE]
