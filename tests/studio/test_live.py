"""The picture follows the files: edits, problems, broken files, two pages, a studio that has
gone."""

from __future__ import annotations

import json

import pytest

from studio.conftest import say, small_title, until, version, wait_for_new


def change(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def first_hex(folder):
    """A hex of the map with its text, and a name to give it."""
    return next(iter(json.loads((folder / "map.json").read_text(encoding="utf-8"))["map"]["hexes"]))


def rename(folder, name):
    """Name the map, which is written on it."""
    value = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    value["map"]["name"] = name
    (folder / "map.json").write_text(json.dumps(value, indent=2), encoding="utf-8")


def opened(page, studio, view="map"):
    page.goto(f"{studio.address}#{view}")
    page.wait_for_selector(".viewer[data-version]")
    return version(page)


def test_an_edit_elsewhere_changes_the_picture(studio, page):
    before = opened(page, studio)
    source = page.locator(".stage .picture").get_attribute("data-src")
    rename(studio.folder, "Elsewhere")
    wait_for_new(page, before)
    assert page.locator(".stage .picture").get_attribute("data-src") != source


def test_an_edit_in_the_page_is_saved_and_seen(studio, page):
    before = opened(page, studio)
    page.select_option(".editor select", "map.json")
    page.locator(".cm-line", has_text='"name"').first.click()
    page.keyboard.press("End")
    text = (studio.folder / "map.json").read_text(encoding="utf-8")
    line = next(each for each in text.split("\n") if '"name"' in each)
    page.keyboard.press("Shift+Home")
    page.keyboard.insert_text('"name": "Typed here",')
    assert page.locator(".saved").inner_text() == "Not saved"
    page.keyboard.press("Control+s")
    until(lambda: "Typed here" in (studio.folder / "map.json").read_text(encoding="utf-8"))
    wait_for_new(page, before)
    assert line not in (studio.folder / "map.json").read_text(encoding="utf-8")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+s")
    until(lambda: line.strip() in (studio.folder / "map.json").read_text(encoding="utf-8"))


def test_a_problem_appears_and_leads_both_ways(studio, page):
    opened(page, studio)
    name = first_hex(studio.folder)
    value = json.loads((studio.folder / "map.json").read_text(encoding="utf-8"))
    value["map"]["hexes"][name]["track"] = [[0, 1], [0, 2]]
    value["map"]["hexes"][name]["labels"] = ["QQ"]
    (studio.folder / "map.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    row = page.locator(".problem").first
    row.wait_for()
    row.click()
    page.wait_for_function(
        "() => document.querySelector('.codehost').shadowRoot.querySelector('.cm-activeLine') !== null"
    )
    # And from the picture to the line.
    shape = page.locator(f'.hex[aria-label="{name}"]')
    shape.click(force=True)
    page.wait_for_function(
        "name => document.querySelector('.crumb').textContent.includes(name)", arg=f"hexes › {name}"
    )
    assert page.locator(".frame").first.get_attribute("points")
    assert page.locator(".editor select").input_value() == "map.json"


def test_a_broken_file_keeps_the_last_picture_and_says_so(studio, page):
    opened(page, studio)
    source = page.locator(".stage .picture").get_attribute("data-src")
    sound = (studio.folder / "map.json").read_text(encoding="utf-8")
    (studio.folder / "map.json").write_text(sound[:-40], encoding="utf-8")
    page.wait_for_selector(".notice.stale:not([hidden])")
    assert page.locator(".stage .picture").get_attribute("data-src") == source
    assert page.evaluate("document.querySelector('.stage img').naturalWidth") > 0
    assert page.locator(".problem .code").first.inner_text() == "JS01"
    (studio.folder / "map.json").write_text(sound, encoding="utf-8")
    page.wait_for_selector(".notice.stale", state="hidden")
    page.wait_for_function(
        "() => document.querySelectorAll('.problem .code').length === 0 || !document.body.innerText.includes('JS01')"
    )


@pytest.mark.slow
def test_a_file_broken_from_the_start_is_explained(studio, page):
    (studio.folder / "title.json").write_text("{", encoding="utf-8")
    page.goto(studio.address)
    page.wait_for_selector(".problem")
    assert page.locator(".problem .code").first.inner_text() == "JS01"


@pytest.mark.slow
def test_two_pages_see_the_same_edit_in_their_own_language(studio, page):
    other = page.context.new_page()
    other.goto(studio.address)
    other.wait_for_selector(".viewer[data-version]")
    before = opened(page, studio)
    other.select_option('select[title="Language of the print"]', "ja")
    other.wait_for_function(
        "() => document.querySelector('.stage .picture').dataset.src.includes('lang=ja')"
    )
    second = version(other)
    rename(studio.folder, "For both")
    wait_for_new(page, before)
    wait_for_new(other, second)
    assert "lang=ja" not in page.locator(".stage .picture").get_attribute("data-src")
    other.close()


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_many_pages_see_the_same_edit(studio, page, count):
    pages = [page, *(page.context.new_page() for _ in range(count - 1))]
    before = [opened(each, studio) for each in pages]
    rename(studio.folder, "Seen by all")
    for each, was in zip(pages, before, strict=True):
        wait_for_new(each, was)
    # The last of them can still be worked in.
    last = pages[-1]
    last.bring_to_front()
    last.select_option(".editor select", "map.json")
    last.locator(".cm-content").click()
    last.keyboard.press("Control+End")
    last.keyboard.insert_text("\n")
    last.keyboard.press("Control+s")
    last.wait_for_function("() => document.querySelector('.saved').textContent === ''")


def test_a_page_that_loses_its_line_finds_its_studio_again(studio, page):
    lines = []

    def between(line):
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket("**/news", between)
    before = opened(page, studio)
    lines[0].close()
    page.wait_for_selector(".offline:not([hidden])")
    page.wait_for_selector(".offline", state="hidden")
    assert len(lines) == 2
    rename(studio.folder, "After a rest")
    wait_for_new(page, before)


@pytest.mark.slow
def test_a_page_of_a_studio_that_has_ended_says_so(begin, page, tmp_path):
    first = begin(small_title(tmp_path / "title"))
    opened(page, first)
    first.stop()
    page.wait_for_selector(".offline:not([hidden])")
    again = begin(first.folder, first.port)
    page.wait_for_url(f"{again.address}**")
    assert page.locator(".offline").is_hidden()


def test_a_conflict_tells_in_words_what_differs(studio, page):
    opened(page, studio)
    op = {"op": "put", "file": "map.json", "pointer": "/map/hexes/B4/terrain/0/cost", "value": 40}
    say(studio, do="edit", label="", ops=[op])
    path = studio.folder / "map.json"
    path.write_text(path.read_text("utf-8").replace('"cost": 20', '"cost": 60'), encoding="utf-8")
    page.wait_for_selector(".conflict:not([hidden]) li")
    assert "60" in page.locator(".conflict .facts").inner_text()
    assert "40" in page.locator(".conflict .facts").inner_text()
    page.get_by_role("button", name="Keep mine").click()
    page.wait_for_selector(".conflict", state="hidden")
    until(lambda: '"cost": 40' in path.read_text("utf-8"))  # it saves after the bar has gone


def test_unsaved_text_is_not_lost_when_the_file_changes(studio, page):
    opened(page, studio)
    page.select_option(".editor select", "map.json")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n")
    until(lambda: say(studio, do="open", name="map.json")["text"].endswith("\n\n"))
    theirs = (studio.folder / "map.json").read_text(encoding="utf-8") + " "
    (studio.folder / "map.json").write_text(theirs, encoding="utf-8")
    page.wait_for_selector(".conflict:not([hidden])")
    page.locator(".conflict button").last.click()
    page.wait_for_selector(".conflict", state="hidden")
    assert say(studio, do="open", name="map.json")["text"] == theirs
    page.keyboard.press("Control+z")
    until(
        lambda: say(studio, do="open", name="map.json")["text"] == theirs.removesuffix(" ") + "\n"
    )


def test_the_schemas_complete_and_explain(studio, page):
    opened(page, studio)
    page.select_option(".editor select", "map.json")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type('"leg')
    page.wait_for_selector(".cm-tooltip-autocomplete")
    assert '"legend"' in page.locator(".cm-tooltip-autocomplete").inner_text()
    page.keyboard.press("Escape")
    # The page sends what is typed a moment later; a text that has changed until then would refuse
    # it.
    until(lambda: '"leg' in say(studio, do="open", name="map.json")["text"])
    say(studio, do="revert", label="Back")
    shown = (
        "document.querySelector('.codehost').shadowRoot.querySelector('.cm-content').textContent"
    )
    page.wait_for_function(f"() => !{shown}.includes('leg')")
    page.locator(".cm-line .tok-key", has_text='"layout"').first.hover()
    page.wait_for_selector(".tip")
    assert "Orientation" in page.locator(".tip").inner_text()


def test_every_language_of_a_title_can_be_shown(studio, page):
    before = opened(page, studio)
    choice = page.locator('select[title="Language of the print"]')
    assert choice.locator("option").all_inner_texts() == ["English", "日本語"]
    rename(studio.folder, {"en": "The north", "fr": "Le nord"})
    wait_for_new(page, before)
    assert choice.locator("option").all_inner_texts() == ["English", "日本語", "français"]
    before = version(page)
    choice.select_option("fr")
    wait_for_new(page, before)
    assert "lang=fr" in page.locator(".stage .picture").get_attribute("data-src")
    rename(studio.folder, "The north")
    page.wait_for_function(
        "() => document.querySelector('.stage .picture').dataset.src.includes('lang=en')"
    )
