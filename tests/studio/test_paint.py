"""Painting on the map: strokes, hexes, track and borders by pointer and by keyboard."""

from __future__ import annotations

import json
import math

import pytest

from studio.conftest import say, until
from studio.test_live import opened

# A stroke is many edits, and the pointer outruns a busy machine: these belong to a quiet one.
pytestmark = pytest.mark.slow


def hexes(studio):
    return json.loads(say(studio, do="open", name="map.json")["text"])["map"]["hexes"]


def editing(page, studio, tool="", choice=""):
    """Open the palette with a brush."""
    opened(page, studio)
    page.get_by_role("button", name="Edit (e)").click()
    page.wait_for_selector(".hex.empty")
    choose(page, tool, choice)


def choose(page, tool="", choice=""):
    if tool:
        page.locator(".tool", has_text=tool).click()
    if choice:
        page.locator(f'.choice[data-value="{choice}"]').click()


def at(page, name, edge=None, part=1.0):
    """A point of the window: the centre of a hex, or towards one of its edges (of a flat
    layout)."""
    box = page.locator(f'.hex[aria-label="{name}"]').bounding_box()
    x, y, half = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["height"] / 2
    if edge is None:
        return x, y
    angle = math.radians(90 + 60 * edge)
    return x + part * half * math.cos(angle), y + part * half * math.sin(angle)


def drag(page, *points):
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=6)
    page.mouse.up()


def forest(studio):
    found = hexes(studio)
    return {
        name for name, given in found.items() if {"kinds": ["forest"]} in given.get("terrain", ())
    }


def test_a_drag_over_three_hexes_is_one_step(studio, page):
    editing(page, studio, "Terrain", "forest")
    before = hexes(studio)
    drag(page, at(page, "C1"), at(page, "C3"), at(page, "C5"))
    until(lambda: forest(studio) == {"C1", "C3", "C5"})
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_the_first_hex_says_whether_a_drag_takes_away(studio, page):
    editing(page, studio, "Terrain", "forest")
    drag(page, at(page, "C3"), at(page, "C5"))
    until(lambda: forest(studio) == {"C3", "C5"})
    drag(page, at(page, "C5"), at(page, "C3"), at(page, "C1"))
    until(lambda: forest(studio) == set())


def test_a_hex_outside_the_frame_is_added_and_can_be_painted(studio, page):
    editing(page, studio)
    page.mouse.click(*at(page, "G3, an empty place"))
    until(lambda: hexes(studio).get("G3") == {})
    page.wait_for_selector('.hex[aria-label="G3"]')
    choose(page, "Hexes")
    page.mouse.click(*at(page, "G3"))
    until(lambda: "G3" not in hexes(studio))


def test_track_is_drawn_and_taken_away(studio, page):
    editing(page, studio, "Track")
    drag(page, at(page, "C5", 0, 0.85), at(page, "C5", 3, 0.85))
    until(lambda: hexes(studio)["C5"].get("track") == [[0, 3]])
    drag(page, at(page, "B2", 4, 0.85), at(page, "B2"))
    until(lambda: hexes(studio)["B2"].get("track") == [[4, "stop:0"]])
    page.mouse.click(*at(page, "C5", 0, 0.5))
    until(lambda: "track" not in hexes(studio)["C5"])


def test_track_is_laid_where_the_pointer_let_go_however_slow_the_answer(studio, page):
    editing(page, studio, "Track")
    waiting = []
    page.route(
        "**/do?*",
        lambda route: (
            waiting.append(route) if '"do":"open"' in route.request.post_data else route.continue_()
        ),
    )
    drag(page, at(page, "C5", 0, 0.85), at(page, "C5", 3, 0.85))
    page.mouse.move(*at(page, "C5"))
    page.mouse.move(*at(page, "B4"))
    until(lambda: page.wait_for_timeout(20) or waiting)
    for route in waiting:
        route.continue_()
    until(lambda: page.wait_for_timeout(20) or hexes(studio)["C5"].get("track") == [[0, 3]])
    assert page.locator(".notice.bad").count() == 0


def test_a_river_runs_from_beyond_the_rim_however_fast_the_pointer(studio, page):
    editing(page, studio, "River")
    drag(page, at(page, "C1", 3, 0.8), at(page, "C5"))
    until(
        lambda: (
            rivers(studio) == {"river-1": {"course": [{"hex": "C1", "edge": 3}, "C1", "C3", "C5"]}}
        )
    )
    drag(page, at(page, "C5"), at(page, "D4"))
    until(lambda: rivers(studio)["river-1"]["course"][-1] == "D4")
    page.mouse.click(*at(page, "C3"))
    until(lambda: rivers(studio) is None)


def rivers(studio):
    return json.loads(say(studio, do="open", name="map.json")["text"])["map"].get("rivers")


def test_a_river_is_drawn_with_the_keyboard(studio, page):
    editing(page, studio, "River")
    page.locator('.hex[aria-label="C1"]').focus()
    for key in ("Enter", "ArrowDown", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    until(lambda: rivers(studio) == {"river-1": {"course": ["C1", "C3", "C5"]}})


def test_a_hex_is_named_in_place(studio, page):
    editing(page, studio, "Name")
    page.mouse.click(*at(page, "B4"))
    page.get_by_label("Name of B4").fill("Hilltown")
    page.keyboard.press("Enter")
    until(lambda: hexes(studio)["B4"].get("name") == "Hilltown")
    page.keyboard.press("Escape")  # the brush
    page.mouse.dblclick(*at(page, "B4"))
    field = page.get_by_label("Name of B4")
    assert field.input_value() == "Hilltown"
    field.fill("Elsewhere")
    field.press("Escape")
    page.locator('.hex[aria-label="D2"]').focus()
    choose(page, "Name")
    page.locator('.hex[aria-label="D2"]').press("Enter")
    page.get_by_label("Name of D2").fill("Dunmore")
    page.locator(".port").click(position={"x": 5, "y": 5})  # leaving it keeps what was typed
    until(lambda: hexes(studio)["D2"]["name"] == "Dunmore")
    assert hexes(studio)["B4"]["name"] == "Hilltown"


def test_a_city_moves_within_its_hex_and_back(studio, page):
    editing(page, studio, "Move")
    drag(page, at(page, "B2"), at(page, "B2", 4, 0.5))
    until(lambda: "at" in hexes(studio)["B2"]["stops"][0])
    place = hexes(studio)["B2"]["stops"][0]["at"]
    assert place["edge"] == 4
    assert abs(place["distance"] - 0.5) < 0.06
    page.mouse.click(*at(page, "B2", 4, 0.5))
    until(lambda: "at" not in hexes(studio)["B2"]["stops"][0])
    page.mouse.click(*at(page, "C5"))
    page.wait_for_selector(".notice.bad:not([hidden])")


def test_the_frame_is_dragged_and_the_map_grows_in_one_step(studio, page):
    editing(page, studio)
    before = hexes(studio)
    box = page.get_by_role("button", name="Add hexes on the right").bounding_box()
    width = page.locator('.hex[aria-label="C3"]').bounding_box()["width"] * 0.75
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, (x, y), (x + 2 * width, y))
    until(lambda: set(hexes(studio)) - set(before) == {"G1", "G3", "G5", "H2", "H4"})
    page.wait_for_selector('.hex[aria-label="H4"]')
    page.get_by_role("button", name="Add hexes on the left").press("Enter")
    until(lambda: len(hexes(studio)) > len(before) + 5)
    page.keyboard.press("Control+z")
    until(lambda: len(hexes(studio)) == len(before) + 5)
    page.keyboard.press("Control+z")
    until(lambda: hexes(studio) == before)


def test_an_off_board_pays_by_the_colour_of_the_phase(studio, page):
    editing(page, studio, "Stop", "offboard")
    page.get_by_label("In Yellow").fill("30")
    page.get_by_label("In Brown").fill("70")
    page.mouse.click(*at(page, "C5"))
    made = {
        "colour": "red",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 30, "brown": 70}}],
    }
    until(lambda: hexes(studio)["C5"] == made)


def test_a_border_lies_on_the_edge_beside_the_pointer(studio, page):
    editing(page, studio, "Border", "mountain")
    page.mouse.click(*at(page, "C5", 4, 0.7))
    until(lambda: hexes(studio)["C5"].get("borders") == [{"edge": 4, "kind": "mountain"}])


def test_every_value_that_the_schemas_name_has_a_word(studio, page):
    editing(page, studio)
    for tool, least in {"Colour": 9, "Terrain": 10, "Stop": 5, "Border": 7, "Track": 6}.items():
        choose(page, tool)
        words = page.locator(".choice").all_inner_texts()
        assert len(words) >= least
        assert not [word for word in words if "value_" in word]


def test_the_keyboard_paints_and_leaves_the_brush(studio, page):
    opened(page, studio)
    page.locator(".port").focus()
    page.keyboard.press("e")
    page.wait_for_selector(".hex.empty")
    choose(page, "Terrain", "forest")
    page.locator('.hex[aria-label="C3"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(lambda: forest(studio) == {"C5"})
    page.keyboard.press("Escape")
    assert page.locator('.tool[aria-pressed="true"]').count() == 0
    page.keyboard.press("e")
    page.wait_for_selector(".hex.empty", state="detached")


def test_what_is_refused_is_said_on_the_map(studio, page):
    editing(page, studio, "Terrain", "forest")
    text = say(studio, do="open", name="map.json")["text"]
    say(
        studio,
        do="edit",
        label="break",
        ops=[{"op": "write", "file": "map.json", "text": text[:-4]}],
    )
    page.wait_for_selector(".notice.stale:not([hidden])")
    page.mouse.click(*at(page, "C5"))
    page.wait_for_selector(".notice.bad:not([hidden])")
    assert "map.json cannot be read" in page.locator(".notice").inner_text()
    assert [fault for fault in page.watched.faults if "403" not in fault] == []
    page.watched.faults.clear()


def test_a_title_of_platelayer_has_no_palette(begin, page):
    opened(page, begin("18eu"))
    page.keyboard.press("e")
    assert not page.locator(".palette").is_visible()
    assert not page.get_by_role("button", name="Edit (e)").is_visible()
