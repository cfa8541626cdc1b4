"""What is selected as a form: fields of every kind, entries added and removed, text and form in
step."""

from __future__ import annotations

import json

import pytest

from studio.conftest import say, until

FORM = "localStorage.setItem('studio', JSON.stringify({autosave: false, form: true, editor: true}))"


def read(studio, name):
    return json.loads(say(studio, do="open", name=name)["text"])


def text(studio, name):
    return say(studio, do="open", name=name)["text"]


def form(page, studio, section="", entry=""):
    """Open the form on a part of the title."""
    page.add_init_script(f"if (location.protocol === 'http:') {FORM}")
    page.goto(studio.address)
    page.wait_for_selector(".inspector .fields")
    go(page, section, entry)


def go(page, section, entry=""):
    if section:
        page.get_by_label("Part of the title").select_option(section)
        page.wait_for_selector(f'.inspector[data-part="{section}"]')
    if entry:
        page.get_by_label("Entry", exact=True).select_option(entry)
        page.wait_for_function(
            "id => document.querySelector('.inspector [aria-label=Id]')?.value === id", arg=entry
        )


def box(page, name, within="body"):
    return page.locator(f".inspector .{within}").get_by_label(name, exact=True)


def put(page, name, value):
    """Type into a field, and leave it."""
    field = box(page, name).and_(page.locator("input, textarea")).first
    field.fill(value)
    field.press("Tab")


def test_the_form_follows_what_is_clicked_and_edits_its_name(studio, page):
    form(page, studio)
    page.locator('.hex[aria-label="D2"]').click()
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Id]')?.value === 'D2'"
    )
    before = text(studio, "map.json")
    put(page, "Name", "Dunsmere")
    until(lambda: '"name": "Dunsmere"' in text(studio, "map.json"))
    assert text(studio, "map.json") == before.replace('"Dunmere"', '"Dunsmere"')
    page.get_by_role("tab", name="Text").click()
    shown = (
        "document.querySelector('.codehost').shadowRoot.querySelector('.cm-content').textContent"
    )
    page.wait_for_function(f"() => {shown}.includes('Dunsmere')")


def test_a_price_is_one_step_and_can_be_undone(studio, page):
    form(page, studio, "trains", "3")
    before = text(studio, "trains.json")
    field = box(page, "Price")
    field.press_sequentially("5", delay=20)  # 1805
    field.fill("")
    field.press_sequentially("195", delay=400)
    until(lambda: read(studio, "trains.json")["trains"]["3"]["price"] == 195)
    assert text(studio, "trains.json") == before.replace('"price": 180', '"price": 195')
    field.press("Control+z")
    until(lambda: text(studio, "trains.json") == before)
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Price]').value === '180'"
    )


def test_what_is_not_valid_is_said_and_kept(studio, page):
    form(page, studio, "trains", "3")
    before = text(studio, "trains.json")
    put(page, "Price", "dear")
    page.wait_for_selector("[data-field='/trains/3/price'] .fault")
    assert "A whole number" in page.locator("[data-field='/trains/3/price'] .fault").inner_text()
    put(page, "Count", "7")
    until(lambda: read(studio, "trains.json")["trains"]["3"]["count"] == 7)
    assert box(page, "Price").input_value() == "dear"
    go(page, "companies", "SVR")
    go(page, "trains", "3")
    assert box(page, "Price").input_value() == "dear"
    assert text(studio, "trains.json") == before.replace('"count": 4', '"count": 7')
    put(page, "Price", "200")
    until(lambda: read(studio, "trains.json")["trains"]["3"]["price"] == 200)
    assert page.locator("[data-field='/trains/3/price'] .fault").count() == 0


def test_a_colour_comes_with_its_verdict(studio, page):
    form(page, studio, "companies", "SVR")
    page.wait_for_selector(".verdict .good")
    put(page, "Colour", "#20508f")
    until(lambda: read(studio, "companies.json")["companies"]["SVR"]["colour"] == "#20508f")
    page.wait_for_selector(".verdict .warning")
    assert "NVR" in page.locator(".verdict .warning").inner_text()


@pytest.mark.slow
def test_a_market_is_typed(studio, page):
    form(page, studio, "market")
    before = text(studio, "title.json")
    cell = page.get_by_label("Row 1, column 1", exact=True)
    cell.fill("61")
    cell.press("Tab")
    until(lambda: read(studio, "title.json")["market"]["rows"][0][0] == "61")
    assert text(studio, "title.json") == before.replace(
        '["60", "66", "74", "82p"', '["61", "66", "74", "82p"'
    )
    page.get_by_label("Row 5, column 1", exact=True).focus()
    for price in ("40", "45", "50p"):
        page.keyboard.type(price)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(lambda: read(studio, "title.json")["market"]["rows"][4:] == [["40", "45", "50p"]])
    page.get_by_label("Row 5, column 3", exact=True).focus()
    page.get_by_role("button", name="p · Start price").click()
    until(lambda: read(studio, "title.json")["market"]["rows"][4] == ["40", "45", "50"])
    page.get_by_label("Row 5, column 2", exact=True).fill("")
    page.keyboard.press("Tab")
    until(lambda: read(studio, "title.json")["market"]["rows"][4] == ["40", None, "50"])
    page.get_by_label("Row 5, column 3", exact=True).fill("")
    page.keyboard.press("Tab")
    until(lambda: read(studio, "title.json")["market"]["rows"][4] == ["40"])
    page.get_by_role("button", name="Remove row 5").click()
    until(lambda: len(read(studio, "title.json")["market"]["rows"]) == 4)


@pytest.mark.slow
def test_a_train_is_added_moved_and_removed(studio, page):
    form(page, studio, "trains")
    before = text(studio, "trains.json")
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    until(lambda: list(read(studio, "trains.json")["trains"]) == ["2", "3", "4", "5"])
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Id]')?.value === '5'"
    )
    page.locator(".tools-of").get_by_role("button", name="Move 5 up").click()
    until(lambda: list(read(studio, "trains.json")["trains"]) == ["2", "3", "5", "4"])
    page.locator(".tools-of").get_by_role("button", name="Remove 5").click()
    until(lambda: list(read(studio, "trains.json")["trains"]) == ["2", "3", "4"])
    for _ in range(3):
        page.locator(".tools-of").get_by_role("button", name="Undo").click()
    until(lambda: text(studio, "trains.json") == before)


@pytest.mark.slow
def test_an_id_changes_wherever_it_is_named(studio, page):
    form(page, studio, "maps/main/hexes", "D4")
    put(page, "Id", "D6")
    until(lambda: read(studio, "companies.json")["companies"]["SVR"]["homes"] == [{"hex": "D6"}])
    assert "D4" not in read(studio, "map.json")["map"]["hexes"]
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Id]')?.value === 'D6'"
    )
    go(page, "trains", "3")
    put(page, "Id", "3+")
    until(lambda: read(studio, "trains.json")["trains"].get("3+", {}).get("name") == "3+")


@pytest.mark.slow
def test_lists_and_references(studio, page):
    form(page, studio, "trains", "2")
    put(page, "Rusts on 2", "3")
    until(lambda: read(studio, "trains.json")["trains"]["2"]["rusts_on"] == ["4", "3"])
    page.locator("input[aria-label='Rusts on 1']").focus()
    names = page.locator("input[aria-label='Rusts on 1']").evaluate(
        "each => [...each.list.options].map(one => one.value)"
    )
    assert names == ["2", "3", "4"]
    put(page, "Rusts on 2", "")
    until(lambda: read(studio, "trains.json")["trains"]["2"]["rusts_on"] == ["4"])
    box(page, "Stops").first.get_by_role("button", name="Town").click()
    until(
        lambda: (
            read(studio, "trains.json")["trains"]["2"]["reach"][0]["stops"]
            == ["city", "town", "offboard"]
        )
    )


@pytest.mark.slow
def test_one_of_several_forms_is_chosen(studio, page):
    form(page, studio, "maps/main/hexes", "C3")
    page.get_by_label("How Labels 1 is given").select_option(label="Details")
    until(lambda: read(studio, "map.json")["map"]["hexes"]["C3"]["labels"] == [{"text": "Y"}])
    page.get_by_label("How Labels 1 is given").select_option(label="Text")
    until(lambda: read(studio, "map.json")["map"]["hexes"]["C3"]["labels"] == ["Y"])


def test_a_text_may_be_by_language(studio, page):
    form(page, studio, "companies", "NVR")
    page.locator("[data-field='/companies/NVR/name']").get_by_role(
        "button", name="A text for each language"
    ).click()
    until(
        lambda: (
            read(studio, "companies.json")["companies"]["NVR"]["name"]
            == {"en": "North Valley Railway"}
        )
    )
    put(page, "Name (ja)", "北谷鉄道")
    until(
        lambda: read(studio, "companies.json")["companies"]["NVR"]["name"].get("ja") == "北谷鉄道"
    )
    put(page, "Name (ja)", "")
    until(
        lambda: (
            read(studio, "companies.json")["companies"]["NVR"]["name"]
            == {"en": "North Valley Railway"}
        )
    )
    page.get_by_role("button", name="One text for all languages").click()
    until(
        lambda: read(studio, "companies.json")["companies"]["NVR"]["name"] == "North Valley Railway"
    )


@pytest.mark.slow
def test_what_is_left_out_is_offered_with_its_default(studio, page):
    form(page, studio, "trains", "3")
    before = text(studio, "trains.json")
    page.locator(".inspector summary", has_text="More").click()
    assert box(page, "Optional").get_attribute("placeholder") == "default: 0"
    put(page, "Optional", "2")
    until(lambda: read(studio, "trains.json")["trains"]["3"]["optional"] == 2)
    put(page, "Optional", "")
    until(lambda: text(studio, "trains.json") == before)


def test_problems_stand_beside_the_field(studio, page):
    form(page, studio, "trains", "3")
    put(page, "Starts phase", "9")
    page.wait_for_selector("[data-field='/trains/3/starts'] .told .error")
    assert "9" in page.locator("[data-field='/trains/3/starts'] .told .error").inner_text()


def test_the_form_follows_the_text_and_says_when_there_is_none(studio, page):
    form(page, studio, "trains", "3")
    whole = text(studio, "trains.json")
    say(
        studio,
        do="edit",
        label="dearer",
        ops=[{"op": "write", "file": "trains.json", "text": whole.replace("180", "210")}],
    )
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Price]').value === '210'"
    )
    say(
        studio,
        do="edit",
        label="broken",
        ops=[{"op": "write", "file": "trains.json", "text": whole[:-4]}],
    )
    page.get_by_text("trains.json cannot be read as it is now").first.wait_for()
    say(studio, do="undo")
    page.wait_for_function(
        "() => document.querySelector('.inspector [aria-label=Price]')?.value === '210'"
    )
    assert all("403" in fault for fault in page.watched.faults)
    page.watched.faults.clear()


@pytest.mark.slow
def test_a_block_that_is_missing_is_begun(studio, page):
    whole = read(studio, "title.json")
    del whole["market"]
    say(
        studio,
        do="edit",
        label="",
        ops=[{"op": "write", "file": "title.json", "text": json.dumps(whole)}],
    )
    form(page, studio, "market")
    page.get_by_role("region", name="Inspector").get_by_role("button", name="Add Market").click()
    until(lambda: read(studio, "title.json").get("market", {}).get("shape") == "grid")
    page.get_by_label("Row 2, column 1", exact=True).wait_for()


@pytest.mark.slow
def test_a_title_of_platelayer_is_only_shown(begin, page):
    page.add_init_script(f"if (location.protocol === 'http:') {FORM}")
    page.goto(begin("18eu").address)
    page.wait_for_selector(".inspector .fields")
    for section in ("trains", "companies", "market", "maps/main/hexes"):
        go(page, section)
        if page.get_by_label("Entry", exact=True).count():
            page.get_by_label("Entry", exact=True).select_option(index=1)
        page.wait_for_selector(".inspector .fields .entry, .inspector .fields .group")
        assert (
            page.locator(
                ".inspector .body input:not([readonly]), .inspector .body textarea"
            ).count()
            == 0
        )
        assert page.locator(".inspector .body button:not([disabled])").count() == 0
    assert page.locator(".tools-of button").count() == 0


@pytest.mark.slow
def test_keys_lead_to_the_form_and_to_the_text(studio, page):
    page.goto(studio.address)
    page.wait_for_selector(".hex")
    page.locator(".port").focus()
    page.keyboard.press("i")
    page.wait_for_selector(".inspector:not([hidden])")
    page.wait_for_function(
        "() => document.querySelector('.inspector').contains(document.activeElement)"
    )
    page.locator(".port").focus()
    page.keyboard.press("/")
    page.wait_for_selector(".inspector[hidden]", state="attached")


@pytest.mark.slow
def test_the_form_has_words_in_japanese(studio, page):
    settings = json.dumps(json.dumps({"ui": "ja", "form": True}))
    page.add_init_script(
        f"if (location.protocol === 'http:') localStorage.setItem('studio', {settings})"
    )
    page.goto(studio.address)
    page.wait_for_selector(".inspector .fields")
    assert page.locator(".inspector").get_by_text("銀行", exact=True).count() > 0
