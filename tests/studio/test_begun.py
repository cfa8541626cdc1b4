"""The first five minutes: a title begun in the dialog, and what is still to do in it."""

from __future__ import annotations

import base64
import json

import pytest
from playwright.sync_api import expect

from platelayer import check
from platelayer.foundation.problems import CannotRun, Severity
from platelayer.pipeline.scaffold import new_title
from platelayer.studio.answers import Brought, Dropped, bring
from platelayer.studio.folder import Folder
from studio.conftest import say, until

pytestmark = pytest.mark.slow


def test_a_new_title_is_as_the_dialog_says(begin, page, tmp_path):
    (tmp_path / "mine").mkdir()
    studio = begin(tmp_path / "mine")
    page.goto(studio.address)
    page.locator(".welcome button.strong").click()
    box = page.locator("dialog[open]")
    page.keyboard.type("Vale of Evesham")
    assert box.get_by_label("Folder").count() == 0  # the folder that is open is still empty
    box.get_by_label("Rows").fill("5")
    box.get_by_label("Columns").fill("7")
    box.get_by_label("Layout").select_option("pointy")
    box.get_by_label("Companies").fill("3")
    box.get_by_label("Box of tiles").select_option("1889")
    box.get_by_label("Currency").fill("£{}")
    page.screenshot(path=tmp_path / "new.png")
    page.keyboard.press("Enter")
    page.wait_for_selector(".viewer[data-version]")
    expect(page.get_by_role("tab", name="Form")).to_have_attribute("aria-selected", "true")
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
    page.locator(".top").get_by_role("button", name="New title").click()
    page.keyboard.type("Vale of York")
    assert box.get_by_label("Folder").input_value() == "vale-of-york"


def test_a_real_place_is_shown_before_it_is_made(begin, page, tmp_path):
    (tmp_path / "mine").mkdir()
    studio = begin(tmp_path / "mine")
    page.goto(studio.address)
    page.locator(".welcome button.strong").click()
    box = page.locator("dialog[open]")
    box.get_by_label("Real place").fill("30N 40W")
    box.get_by_label("Rows").fill("5")
    box.get_by_label("Columns").fill("7")
    expect(box.locator(".preview .bad")).to_contain_text("there is no land")
    box.get_by_label("Real place").fill("Seattle")
    box.get_by_label("Width of a hex in km").fill("40")
    box.get_by_label("Companies").click()
    expect(box.get_by_alt_text("Map of Seattle")).to_be_visible(timeout=30_000)
    until(lambda: page.evaluate("document.querySelector('dialog .preview img').naturalWidth > 100"))
    page.screenshot(path=tmp_path / "place.png")
    # The browser notes that the ocean was refused.
    assert all("422" in fault for fault in page.watched.faults)
    page.watched.faults.clear()
    box.get_by_label("Currency").press("Enter")
    page.wait_for_selector(".viewer[data-version]")
    board = json.loads((studio.folder / "map.json").read_text())["map"]
    assert "Tacoma" in [hexagon.get("name") for hexagon in board["hexes"].values()]


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


def test_what_is_empty_is_one_line_and_is_begun_by_a_button(begin, page, tmp_path):
    new_title(tmp_path / "bare", "bare")
    studio = begin(tmp_path / "bare")
    ops = [{"op": "put", "file": "title.json", "pointer": "/trains", "value": TRAIN}]
    say(studio, do="edit", label="A train", ops=ops)
    page.goto(studio.address)
    line = page.locator(".problems .todo")
    line.get_by_text("Phases").wait_for()
    assert page.locator(".problems li.error").count() == 0
    line.get_by_role("button", name="Add Phases").click()
    page.wait_for_selector('.inspector [data-at="/phases/2/train_limits/major"]')
    until(lambda: "2" in read(studio)["phases"])
    assert line.get_by_role("button", name="Add Phases").count() == 0
    line.get_by_role("button", name="Add Market").click()
    page.wait_for_selector('.inspector [data-at="/market/rows/0/0"]')


def read(studio):
    return json.loads(say(studio, do="open", name="title.json")["text"])


def test_a_train_reaches_what_its_name_says(studio, page):
    page.goto(studio.address)
    page.get_by_role("tab", name="Form").click()
    page.get_by_label("Part of the title").select_option("trains")
    for name, visits in (("5", [5]), ("3+2", [3, 2]), ("D", [None]), ("4H", [None])):
        page.locator(".inspector").get_by_role("button", name="New", exact=True).click()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        until(
            lambda name=name: (
                name in json.loads(say(studio, do="open", name="trains.json")["text"])["trains"]
            )
        )
        made = json.loads(say(studio, do="open", name="trains.json")["text"])["trains"][name]
        assert [part["visit"] for part in made["reach"]] == visits
    assert made["hexes"] == 4


def test_a_logo_and_a_picture_are_chosen_or_dropped(studio, page, tmp_path):
    (tmp_path / "star.svg").write_text(SVG, encoding="utf-8")
    page.goto(f"{studio.address}#pieces/charter:NVR")
    page.wait_for_selector(".viewer[data-version]")
    page.get_by_role("tab", name="Form").click()
    with page.expect_file_chooser() as chooser:
        page.locator(".inspector").get_by_role("button", name="Give NVR a logo").click()
    chooser.value.set_files(tmp_path / "star.svg")
    until(lambda: read(studio).get("pictures") == {"NVR": "pictures/NVR.svg"})
    page.get_by_label("Part of the title").select_option("pictures")
    with page.expect_file_chooser() as chooser:
        page.locator(".inspector").get_by_role("button", name="New", exact=True).click()
    chooser.value.set_files(tmp_path / "star.svg")
    until(lambda: read(studio)["pictures"].get("star") == "pictures/star.svg")
    page.get_by_role("tab", name="Map", exact=True).click()
    page.wait_for_selector(".hex")
    page.evaluate(DROP_ON, [".port", SVG])
    page.locator("dialog[open]").get_by_label("What it is for").select_option("SVR")
    page.locator("dialog[open] button.strong").click()
    until(lambda: "SVR" in read(studio)["pictures"])


TRAIN = {"2": {"count": 5, "name": "2", "price": 80, "permanent": True, "starts": "2",
    "reach": [{"stops": ["city"], "visit": 2, "pay": 2}]}}  # fmt: skip
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'
DROP_ON = """([where, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "shield.svg", { type: "image/svg+xml" }));
  for (const type of ["dragenter", "dragover", "drop"])
    document.querySelector(where).dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}"""


def test_a_spreadsheet_dropped_into_an_empty_folder_is_a_title(tmp_path):
    new_title(tmp_path / "table", "spreadsheet")
    (workbook,) = (tmp_path / "table").glob("*.xlsx")
    (tmp_path / "mine").mkdir()
    coded = base64.b64encode(workbook.read_bytes()).decode()
    made = bring(Folder(tmp_path / "mine"), Brought("", (Dropped(path=workbook.name, data=coded),)))
    assert made["at"] == ""
    assert made["lost"] == 0
    assert not check(tmp_path / "mine", quick=True)


def test_a_file_of_nothing_known_is_called_by_its_own_name(tmp_path) -> None:
    (tmp_path / "mine").mkdir()
    coded = base64.b64encode(b"hello").decode()
    with pytest.raises(CannotRun, match=r"^holiday\.txt has no tiles"):
        bring(Folder(tmp_path / "mine"), Brought("", (Dropped(path="holiday.txt", data=coded),)))
