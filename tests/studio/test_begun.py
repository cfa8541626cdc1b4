"""The first five minutes: a title begun in the dialog, and what is still to do in it."""

from __future__ import annotations

import json

import pytest

from platelayer import check
from platelayer.foundation.problems import Severity
from studio.conftest import say, until

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


def hexes(studio):
    return json.loads(say(studio, do="open", name="map.json")["text"])["map"]["hexes"]


def test_a_map_that_grows_on_the_left_keeps_its_first_column_a(studio, page):
    page.goto(studio.address)
    page.wait_for_selector(".viewer[data-version]")
    page.keyboard.press("e")
    before = hexes(studio)
    page.get_by_role("button", name="Add hexes on the left").click()
    until(lambda: len(hexes(studio)) > len(before))
    assert {name[0] for name in hexes(studio)} == set("ABCDEFG")
    assert hexes(studio)["C2"] == before["B2"]
    companies = json.loads(say(studio, do="open", name="companies.json")["text"])["companies"]
    assert companies["NVR"]["homes"] == [{"hex": "C2"}]
    page.get_by_role("button", name="Add hexes at the top").click()
    until(lambda: min(int(name[1:]) for name in hexes(studio)) == 1 and "C4" in hexes(studio))
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_renumber_is_one_step(studio, page):
    before = hexes(studio)
    page.goto(f"{studio.address}#map/B2")
    page.wait_for_selector(".viewer[data-version]")
    ops = [{"op": "remove_hexes", "map": "main", "hexes": ["A3"]}]
    say(studio, do="edit", label="Remove", ops=ops)
    page.get_by_role("tab", name="Form").click()
    page.get_by_label("Part of the title").select_option("maps/main")
    page.get_by_role("button", name="Renumber from A1").click()
    until(lambda: "A2" in hexes(studio))
    assert hexes(studio)["A2"] == before["B2"]
    page.get_by_text("These texts still name hexes as they were").wait_for()
    page.locator(".inspector").get_by_role("button", name="Undo").click()
    until(lambda: "B2" in hexes(studio))
