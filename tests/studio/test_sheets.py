"""Trains, phases, companies and tiles as tables."""

from __future__ import annotations

import json

import pytest

from studio.conftest import say, until

pytestmark = pytest.mark.slow


def block(studio, name):
    return json.loads(say(studio, do="open", name=f"{name}.json")["text"])[name]


def table(page, studio, part):
    page.goto(studio.address)
    page.get_by_role("tab", name="Form").click()
    page.get_by_label("Part of the title").select_option(part)
    page.locator(".inspector").get_by_role("button", name="Table", exact=True).click()
    page.locator(".table-of table").wait_for()
    return page.locator(".table-of")


PASTE = """([where, text]) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.querySelector(where).dispatchEvent(event);
}"""
COPY = """where => {
  const clipboardData = new DataTransfer(), at = document.querySelector(where);
  at.focus();
  at.setSelectionRange(0, 0);
  at.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData("text/plain");
}"""


def test_a_spreadsheet_is_pasted_copied_and_taken_back_as_one_step(studio, page):
    before = block(studio, "trains")
    table(page, studio, "trains")
    text = "Id\tPrice\tReach\tRusts on\n2\t90\t2\t4\n5\t450\t5\t\n2+2\t600\t2+2\t\n"
    page.evaluate(PASTE, ['[data-at="add"]', text])
    until(lambda: "2+2" in block(studio, "trains"))
    trains = block(studio, "trains")
    assert (trains["2"]["price"], trains["5"]["price"]) == (90, 450)
    assert [part["visit"] for part in trains["5"]["reach"]] == [5]
    assert [part["visit"] for part in trains["2+2"]["reach"]] == [2, 2]
    assert list(trains) == ["2", "3", "4", "5", "2+2"]
    copied = page.evaluate(COPY, '[data-at="/trains/2/price"]').split("\n")
    assert copied[0].split("\t")[0] == "Id"
    assert [line.split("\t")[0] for line in copied[1:]] == list(trains)
    page.keyboard.press("Control+z")
    until(lambda: block(studio, "trains") == before)


def test_cells_are_typed_filled_down_and_sorted(studio, page):
    shown = table(page, studio, "companies")
    cell = shown.locator('[data-at="/companies/NVR/float_percent"]')
    cell.fill("60")
    cell.press("Enter")
    until(lambda: block(studio, "companies")["NVR"]["float_percent"] == 60)
    page.keyboard.press("Control+d")
    until(lambda: block(studio, "companies")["SVR"]["float_percent"] == 60)
    shown.locator('[data-at="/companies/NVR/name"]').click()
    shown.locator('[data-at="/companies/SVR/name"]').click(modifiers=["Shift"])
    assert shown.get_by_label("All selected cells").get_attribute("placeholder") == "mixed"
    shown.get_by_role("button", name="Sort by Name").click()
    until(lambda: list(block(studio, "companies")) == ["ET", "NVR", "PC", "SVR"])
    home = shown.locator('[data-at="/companies/NVR/homes"]')
    home.fill("B4, D2")
    home.press("Tab")
    until(lambda: block(studio, "companies")["NVR"]["homes"] == [{"hex": "B4"}, {"hex": "D2"}])
    bad = shown.locator('[data-at="/companies/NVR/colour"]')
    bad.fill("blueish")
    bad.press("Tab")
    page.locator(".notice-of").get_by_text("NVR").wait_for()
    assert block(studio, "companies")["NVR"]["colour"] == "#1f4e8c"


def test_tiles_are_added_by_number_and_count(studio, page):
    table(page, studio, "tiles")
    page.evaluate(PASTE, ['[data-at="add"]', "63\t3\n57\t9\n"])
    until(lambda: block(studio, "tiles").get("63") == 3)
    assert block(studio, "tiles")["57"] == 9
