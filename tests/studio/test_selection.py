"""Hexes selected on the map, copied, pasted, moved and cleared, by pointer and by keyboard."""

from __future__ import annotations

import json

import pytest

from studio.conftest import say, until
from studio.test_live import opened
from studio.test_paint import at, choose, drag, editing, hexes

pytestmark = pytest.mark.slow


def selected(page):
    found = page.locator('.hex[aria-selected="true"]').all()
    return {each.get_attribute("aria-label") for each in found}


def test_clicks_boxes_and_keys_select(studio, page):
    editing(page, studio)
    page.mouse.click(*at(page, "C3"))
    assert selected(page) == {"C3"}
    page.keyboard.down("Shift")
    page.mouse.click(*at(page, "C5"))
    page.mouse.click(*at(page, "B4"))
    assert selected(page) == {"C3", "C5", "B4"}
    page.mouse.click(*at(page, "C5"))
    page.keyboard.up("Shift")
    assert selected(page) == {"C3", "B4"}
    page.keyboard.press("Control+a")
    assert selected(page) == {*hexes(studio)}
    page.keyboard.press("Escape")
    assert len(selected(page)) == 1
    page.mouse.click(*at(page, "C3"))
    page.keyboard.press("Shift+ArrowDown")
    assert selected(page) == {"C3", "C5"}
    page.keyboard.press("ArrowUp")
    assert selected(page) == {"C3"}
    page.keyboard.down("Shift")
    (x0, y0), (x1, y1) = at(page, "B2"), at(page, "D4")
    drag(page, (x0 - 5, y0 - 5), (x1 + 5, y1 + 5))
    page.keyboard.up("Shift")
    assert selected(page) >= {"B2", "B4", "C3", "D2", "D4"}


def test_a_brush_on_a_selected_hex_paints_all_in_one_step(studio, page):
    editing(page, studio)
    before = hexes(studio)
    page.keyboard.press("Control+a")
    page.keyboard.press("t")
    choose(page, choice="forest")
    page.mouse.click(*at(page, "C3"))
    until(lambda: all({"kinds": ["forest"]} in each.get("terrain", ()) for each in hexes(studio).values()))  # fmt: skip
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_a_drag_moves_what_is_selected_and_its_references(studio, page):
    editing(page, studio)
    before = hexes(studio)
    named = [name for name, each in before.items() if each.get("stops") and "track" not in each]
    page.mouse.click(*at(page, named[0]))
    drag(page, at(page, named[0]), at(page, "C5"))
    until(lambda: hexes(studio)["C5"] == before[named[0]])
    assert hexes(studio)[named[0]] == {}
    until(lambda: selected(page) == {"C5"})
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_copied_hexes_are_text_that_turns_and_mirrors(studio, page, window):
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    editing(page, studio, "Track")
    drag(page, at(page, "C5", 0, 0.85), at(page, "C5", 3, 0.85))
    until(lambda: hexes(studio)["C5"].get("track") == [[0, 3]])
    page.keyboard.press("Escape")
    page.mouse.click(*at(page, "C5"))
    page.keyboard.press("Control+c")
    until(lambda: '"platelayer": "hexes"' in page.evaluate("navigator.clipboard.readText()"))
    page.keyboard.press("Control+v")
    page.wait_for_selector(".ghost polygon")
    page.keyboard.press("r")
    page.mouse.move(*at(page, "C3"))
    page.mouse.click(*at(page, "C3"))
    until(lambda: hexes(studio)["C3"].get("track") == [[1, 4]])
    assert page.locator(".ghost").count() == 0
    # With keys alone, mirrored.
    page.locator('.hex[aria-label="C3"]').focus()
    page.keyboard.press("Control+c")
    page.wait_for_timeout(300)
    page.keyboard.press("Control+v")
    page.wait_for_selector(".ghost polygon")
    page.keyboard.press("f")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(lambda: hexes(studio)["C5"].get("track") == [[5, 2]])
    page.keyboard.press("Control+v")
    page.wait_for_selector(".ghost polygon")
    page.keyboard.press("Escape")
    assert page.locator(".ghost").count() == 0


def test_delete_clears_and_with_shift_removes(studio, page):
    editing(page, studio)
    page.mouse.click(*at(page, "C3"))
    page.keyboard.press("c")
    choose(page, choice="green")
    page.mouse.click(*at(page, "C3"))
    until(lambda: hexes(studio)["C3"].get("colour") == "green")
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    until(lambda: hexes(studio)["C3"].keys() == {"$comment", "name"})
    page.keyboard.press("Shift+Delete")
    until(lambda: "C3" not in hexes(studio))


def test_hexes_of_a_title_that_cannot_be_changed_are_copied(page, begin, window):
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    studio = begin("18eu")
    opened(page, studio)
    name = page.locator(".hex").nth(20).get_attribute("aria-label")
    page.mouse.click(*at(page, name))
    page.keyboard.press("Control+c")
    until(lambda: '"platelayer": "hexes"' in page.evaluate("navigator.clipboard.readText()"))
    page.keyboard.press("Delete")
    page.keyboard.press("Control+v")
    page.wait_for_timeout(200)
    assert page.locator(".ghost").count() == 0


def test_track_through_several_hexes_is_one_stroke(studio, page):
    editing(page, studio, "Track")
    before = hexes(studio)
    drag(page, at(page, "C1", 3, 0.85), at(page, "C3"), at(page, "C5", 0, 0.85))
    by_the_city = [*before["C3"]["track"], [3, "stop:0"], [0, "stop:0"]]
    through = {"C1": [[3, 0]], "C3": by_the_city, "C5": [[3, 0]]}
    until(lambda: {name: hexes(studio)[name].get("track") for name in through} == through)
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_brushes_and_zoom_stand_in_the_palette_of_commands(studio, page):
    opened(page, studio)
    page.wait_for_selector(".hex")
    for typed, pressed in (("border", "Border"), ("terrain", "Terrain")):
        page.keyboard.press("Control+k")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.tool[aria-pressed="true"]:has-text("{pressed}")')
    page.keyboard.press("Control+k")
    page.keyboard.type("zoom")
    labels = page.locator(".goals .name").all_inner_texts()
    assert {"Zoom in", "Zoom out", "Fit", "Real size"} <= {*labels}
    page.keyboard.press("Escape")


def test_a_notch_of_the_wheel_zooms_by_a_sixth(studio, page):
    opened(page, studio)
    page.wait_for_selector(".hex")
    page.mouse.move(*at(page, "C3"))

    def factor():
        return int(page.locator(".viewer .scale").inner_text().split()[0])

    for modifier in ("", "Control"):
        before = factor()
        if modifier:
            page.keyboard.down(modifier)
        page.mouse.wheel(0, -100)
        page.wait_for_timeout(100)
        if modifier:
            page.keyboard.up(modifier)
        assert 1.1 <= factor() / before <= 1.2


def test_json_of_the_clipboard_names_no_place(studio):
    text = say(studio, do="copy", map="main", hexes=["C5", "C3"])["text"]
    assert [each[:2] for each in json.loads(text)["hexes"]] == [[0, 0], [-1, 0]]


def test_the_form_shows_what_selected_hexes_share_and_changes_all(studio, page):
    editing(page, studio)
    before = hexes(studio)
    page.keyboard.press("i")
    page.mouse.click(*at(page, "B2"))
    page.keyboard.down("Shift")
    page.mouse.click(*at(page, "D4"))
    page.keyboard.up("Shift")
    form = page.locator(".inspector")
    form.get_by_text("2 hexes").wait_for()
    assert "(mixed)" in form.locator('[data-field$="/name"]').inner_text()
    form.locator('summary[data-at$="#more"]').last.click()
    field = form.locator('[data-field$="/zone"] input')
    field.fill("North")
    field.press("Enter")
    until(lambda: [hexes(studio)[name].get("zone") for name in ("B2", "D4")] == ["North", "North"])
    page.mouse.click(*at(page, "C5"))
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_a_home_is_picked_by_a_click_on_the_map(studio, page):
    opened(page, studio)
    page.wait_for_selector(".hex")
    page.keyboard.press("i")
    form = page.locator(".inspector")
    form.get_by_label("Part of the title").select_option("companies")
    form.get_by_label("Entry").select_option("NVR")

    def homes():
        text = say(studio, do="open", name="companies.json")["text"]
        return [home["hex"] for home in json.loads(text)["companies"]["NVR"]["homes"]]

    before = homes()
    picker = form.get_by_role("button", name="Pick on the map").first
    picker.click()
    page.get_by_text("Click a hex for NVR").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_text("Click a hex for NVR").count() == 0
    picker.click()
    page.wait_for_selector(".hex")
    page.mouse.click(*at(page, "F2"))
    until(lambda: homes() == ["F2", *before[1:]])


def test_hexes_of_a_list_are_clicked_one_after_another_and_an_icon_is_chosen_by_its_picture(
    studio, page
):
    opened(page, studio)
    page.wait_for_selector(".hex")
    page.keyboard.press("i")
    form = page.locator(".inspector")
    form.get_by_label("Part of the title").select_option("companies")
    form.get_by_label("Entry").select_option("NVR")

    def first():
        text = say(studio, do="open", name="companies.json")["text"]
        return json.loads(text)["companies"]["NVR"]

    form.locator('summary[data-at$="#more"]').last.click()
    field = form.locator('[data-field$="/blocks"]')
    field.get_by_role("button", name="Pick on the map").click()
    page.get_by_text("each joins the list, or leaves it").wait_for()
    for hexagon, chosen in (("B2", ["B2"]), ("D4", ["B2", "D4"]), ("B2", ["D4"])):
        page.mouse.click(*at(page, hexagon))
        until(lambda chosen=chosen: first().get("blocks") == chosen)
    until(lambda: page.locator(".hex.picked").get_attribute("aria-label") == "D4")
    page.keyboard.press("Escape")
    assert page.locator(".hex.picked").count() == 0
    page.mouse.click(*at(page, "C5"))
    form.locator('summary[data-at$="#more"]').last.click()
    form.locator('[data-at$="/icons#add"]').click()
    form.locator('[data-at$="/icons/0#pick"]').click()
    first_icon = page.locator(".icons img").first
    until(lambda: first_icon.evaluate("each => each.naturalWidth") > 0)
    page.get_by_role("dialog").get_by_role("button", name="mine").click()
    until(lambda: hexes(studio)["C5"].get("icons") == ["mine"])
    page.keyboard.press("e")
    page.keyboard.press("o")
    page.locator(".options").get_by_role("button", name="Choose Icon").click()
    page.get_by_role("dialog").get_by_role("button", name="tree").click()
    until(lambda: page.locator('.options input[name="icon"]').input_value() == "tree")
