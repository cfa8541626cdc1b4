"""The tile palette: the catalogue, the box, tiles of one's own, and where a tile may go."""

from __future__ import annotations

import json

import pytest

from platelayer.definitions.build import catalogue_definitions
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.scaffold import new_title
from platelayer.studio.desk import read_action
from platelayer.studio.editing import OwnTile, SetCount
from platelayer.studio.folder import Refused
from platelayer.studio.pictures import Pictures
from platelayer.studio.view import box, catalogue
from studio.conftest import say, small_title, until
from studio.test_workspace import do, opened


@pytest.fixture
def title(tmp_path):
    return opened(small_title(tmp_path / "title"))


def entries(title) -> dict:
    return json.loads(title[0].open("tiles.json").text)["tiles"]


def test_a_count_is_set_in_place_and_goes_with_the_last(title) -> None:
    before = title[0].open("tiles.json").text
    do(title, SetCount("57", 4), SetCount("63", 2), SetCount("S1", "unlimited"), SetCount("7", 0))
    now = entries(title)
    assert (now["57"], now["63"], now["S1"]["count"]) == (4, 2, "unlimited")
    assert "7" not in now
    assert "$comment" in now["S1"]
    title[0].undo()
    assert title[0].open("tiles.json").text == before


def test_a_title_without_tiles_gets_a_box(tmp_path) -> None:
    new_title(tmp_path / "bare", "bare")
    title = opened(tmp_path / "bare")
    do(title, SetCount("57", 3), OwnTile("X1"))
    assert [entry.tile.id for entry in title[1].title.tiles] == ["57", "X1"]
    assert not [problem for problem in title[1].read_problems if problem.severity.value == "error"]
    do(title, SetCount("57", 0), SetCount("X1", 0))
    assert title[1].title.tiles == ()


def test_the_other_side_of_a_tile_has_no_count_of_its_own(title) -> None:
    do(title, OwnTile("X1"))
    file, pointer = "tiles.json", "/tiles/X1"
    text = json.loads(title[0].open(file).text)
    text["tiles"]["X1"] = {"back_of": "57", "tile": {"colour": "green"}}
    title[0].replace("other", {file: json.dumps(text)})
    title[1].reload(title[0].texts)
    with pytest.raises(Refused, match="other side of 57"):
        do(title, SetCount("X1", 2))
    assert pointer


def test_a_tile_is_made_ones_own_with_all_it_has(title) -> None:
    do(title, OwnTile("X1", "57"), OwnTile("X2", "S1"))
    now = entries(title)
    assert now["X1"] == {"count": 1, "tile": catalogue_definitions()["57"]}
    assert now["X2"]["tile"] == now["S1"]["tile"]
    for taken in ("57", "X1", "63"):
        with pytest.raises(Refused, match="already"):
            do(title, OwnTile(taken))


def paint(title, tile: str, brush: dict, **more) -> None:
    op = {"op": "stroke_tile", "tile": tile, "brush": brush, **more}
    read_action(json.dumps({"do": "edit", "label": "Paint", "ops": [op]}).encode()).answer(*title)
    title[1].reload(title[0].texts)


def test_brushes_paint_tiles_too(title) -> None:
    do(title, OwnTile("X1"))
    for brush in (
        {"brush": "track", "a": 0, "b": 3},
        {"brush": "colour", "colour": "green"},
        {"brush": "turn"},
    ):
        paint(title, "X1", brush)
    assert entries(title)["X1"]["tile"] == {"colour": "green", "track": [[1, 4]]}
    paint(title, "X1", {"brush": "clear"})
    assert entries(title)["X1"]["tile"] == {"colour": "green"}
    paint(title, "X1", {"brush": "colour", "colour": "white"})
    assert entries(title)["X1"]["tile"] == {"colour": "white"}
    with pytest.raises(Refused, match="make it yours"):
        paint(title, "57", {"brush": "turn"})


def test_the_catalogue_and_the_box_are_told(title) -> None:
    told = catalogue()
    assert [each["id"] for each in told] == list(catalogue_definitions())
    found = {each["id"]: each for each in told}
    assert found["57"] == {
        "id": "57",
        "colour": "yellow",
        "exits": [0, 3],
        "stops": {"city": 1},
        "slots": 1,
        "labels": [],
    }
    told = box(title[1])
    own = {each["id"]: (each["count"], each["own"]) for each in told["tiles"]}
    assert (own["57"], own["S1"]) == ((3, False), (1, True))
    assert told["version"]


def test_any_tile_of_the_catalogue_has_a_picture(title) -> None:
    (face,) = Pictures().faces(title[1], "catalogue:63", "en", "classic")
    assert face.svg.startswith(b"<")
    with pytest.raises(CannotRun, match="no tile 0"):
        Pictures().faces(title[1], "catalogue:0", "en", "classic")


# In a browser.


def tiles(studio) -> dict:
    return json.loads(say(studio, do="open", name="tiles.json")["text"])["tiles"]


def palette(page, studio) -> None:
    page.goto(f"{studio.address}#tiles")
    page.wait_for_selector('.card[data-tile="57"]')


def card(page, number: str):
    return page.locator(f'.card[data-tile="{number}"]')


def search(page, words: str) -> list[str]:
    page.locator(".search").fill(words)
    return page.evaluate(
        "() => [...document.querySelectorAll('.catalogue > li:not([hidden]) .card')].map((each) => each.dataset.tile)"
    )


def test_words_of_a_search_narrow_it_down(studio, page) -> None:
    palette(page, studio)
    defined = catalogue_definitions()
    assert set(search(page, "57")) == {number for number in defined if number.startswith("57")}
    assert page.locator(".catalogue > li.exact .card").get_attribute("data-tile") == "57"
    assert search(page, "own") == ["S1"]
    found = search(page, "green city exits:4 label:y")
    assert len(found) > 1
    assert all(defined.get(each, {"labels": ["Y"]})["labels"] == ["Y"] for each in found)
    assert set(search(page, "yellow oo")) >= {"235"} & set(defined)
    assert search(page, "nothing of the kind") == []
    page.locator(".search").fill("")
    page.get_by_label("Colour", exact=True).select_option("gray")
    page.get_by_label("Exits", exact=True).select_option("6")
    shown = page.evaluate(
        "() => [...document.querySelectorAll('.catalogue > li:not([hidden]) .card')].map((each) => each.dataset.tile)"
    )
    assert "60" in shown
    assert all(defined[each]["colour"] == "gray" for each in shown)


def test_a_tile_is_dragged_into_the_box_and_taken_back(studio, page) -> None:
    palette(page, studio)
    assert "63" in search(page, "63")
    card(page, "63").drag_to(page.locator(".boxlist"))
    until(lambda: tiles(studio).get("63") == 1)
    page.wait_for_selector('.boxlist li[data-tile="63"]')
    page.keyboard.press("Control+z")
    until(lambda: "63" not in tiles(studio))
    page.wait_for_selector('.boxlist li[data-tile="63"]', state="detached")


@pytest.mark.slow
def test_a_tile_is_dragged_before_its_picture_has_come(studio, page) -> None:
    page.route("**/picture/**", lambda _: None)
    palette(page, studio)
    search(page, "63")
    card(page, "63").drag_to(page.locator(".boxlist"))
    until(lambda: tiles(studio).get("63") == 1)


def test_the_keyboard_finds_adds_and_counts(studio, page) -> None:
    palette(page, studio)
    page.locator(".search").fill("63")
    page.locator(".search").press("Enter")
    assert page.evaluate("() => document.activeElement.dataset.tile") == "63"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    until(lambda: tiles(studio).get("63") == 2)
    field = page.get_by_label("How many of 63", exact=True)
    field.fill("7")
    field.press("Enter")
    until(lambda: tiles(studio)["63"] == 7)
    page.get_by_role("button", name="One less (63)").click()
    page.get_by_role("button", name="One less (63)").click()
    until(lambda: tiles(studio)["63"] == 5)
    field.fill("0")
    field.press("Enter")
    until(lambda: "63" not in tiles(studio))


@pytest.mark.slow
def test_a_tile_of_ones_own_is_drawn_and_seen_in_pieces(studio, page) -> None:
    palette(page, studio)
    page.get_by_role("button", name="New tile").click()
    page.wait_for_selector(".drawing .viewer[data-version]")
    page.wait_for_selector(".drawing .hex")
    hexagon = page.locator(".drawing .hex").bounding_box()
    x, y, half = (
        hexagon["x"] + hexagon["width"] / 2,
        hexagon["y"] + hexagon["height"] / 2,
        hexagon["height"] / 2,
    )
    page.mouse.move(x, y + half * 0.9)
    page.mouse.down()
    page.mouse.move(x, y - half * 0.9, steps=6)
    page.mouse.up()
    until(lambda: page.wait_for_timeout(20) or tiles(studio)["X1"]["tile"].get("track") == [[0, 3]])
    page.locator(".tool", has_text="Stop").click()
    page.locator('.choice[data-value="town"]').click()
    page.mouse.click(x, y)
    until(
        lambda: (
            page.wait_for_timeout(20)
            or tiles(studio)["X1"]["tile"].get("stops") == [{"kind": "town"}]
        )
    )
    page.get_by_role("button", name="All tiles").click()
    page.wait_for_selector(".catalogue .card .own")
    page.locator('.tab[title^="Pieces"]').click()
    page.wait_for_selector('.card[data-key="tile:X1"]')


@pytest.mark.slow
def test_a_tile_of_the_catalogue_is_made_mine(studio, page) -> None:
    palette(page, studio)
    card(page, "57").click()
    page.get_by_role("button", name="Make it mine").click()
    until(lambda: tiles(studio).get("X1") == {"count": 1, "tile": catalogue_definitions()["57"]})
    page.wait_for_selector(".drawing .viewer[data-version]")


def test_where_a_tile_may_go_is_shown_on_the_map(studio, page) -> None:
    palette(page, studio)
    card(page, "57").click()
    page.get_by_role("button", name="Try on the map").click()
    page.wait_for_selector(".tried .choice")
    fits = {each.get_attribute("aria-label") for each in page.locator(".hex.fits").all()}
    assert fits == {"B2", "D4"}  # at the rim, straight track from F2 would run off the map
    page.locator('.tried .choice[data-hex$="/D4"]').click()
    page.locator(".follow li.trying .lay").click()
    page.wait_for_selector("[data-laid]")
    assert page.locator("[data-laid]").get_attribute("data-laid").split()[1] == "57"
    page.locator('.hex[aria-label="C1"]').click()
    page.wait_for_selector(".hint.warn")


@pytest.mark.slow
def test_a_title_of_platelayer_is_only_looked_at(begin, page) -> None:
    palette(page, begin("18eu"))
    card(page, "57").click()
    page.wait_for_selector(".turning")
    assert page.locator(".counter input:visible").count() == 0
    for name in ("Add to the box", "Make it mine", "New tile"):
        assert not page.locator(".view.tiles").get_by_role("button", name=name).is_visible()
    assert page.get_by_role("button", name="Try on the map").is_visible()
