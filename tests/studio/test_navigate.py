"""Getting around: addresses, going to anything, renaming, completion, two pictures, saving a
picture."""

from __future__ import annotations

import json

import pytest

from platelayer.pipeline.draw import draw
from platelayer.studio.view import View
from studio.conftest import copy_of, until


def at(page):
    return page.evaluate("location.hash")


def wait_at(page, address):
    page.wait_for_function("address => location.hash === address", arg=address)


def chosen(page, name):
    page.wait_for_selector(f'.hex[aria-label="{name}"][aria-selected="true"]')


def hexagon(page, name):
    return page.locator(f'.hex[aria-label="{name}"]')


def test_back_leads_through_what_was_shown(of_18eu, page):
    page.goto(of_18eu.address)
    page.wait_for_selector(".hex")
    wait_at(page, "#map")
    hexagon(page, "F9").click(force=True)
    wait_at(page, "#map/F9")
    hexagon(page, "C4").click(force=True)
    wait_at(page, "#map/C4")
    page.keyboard.press("Escape")
    page.locator('.tab[title^="Pieces"]').click()
    wait_at(page, "#pieces")
    page.locator(".card").first.click()
    page.wait_for_selector(".large .viewer[data-version]")
    large = at(page)
    assert large.startswith("#pieces/tile:")
    page.go_back()
    page.wait_for_selector(".grid .card")
    page.go_back()
    chosen(page, "C4")
    page.go_back()
    chosen(page, "F9")
    for address in ("#map/C4", "#pieces", large):
        page.go_forward()
        wait_at(page, address)
    page.wait_for_selector(".large .viewer[data-version]")


@pytest.mark.slow
def test_an_address_opens_in_a_new_page(of_18eu, page):
    page.goto(f"{of_18eu.address}#map/F9")
    chosen(page, "F9")
    page.wait_for_function("() => document.querySelector('.crumb').textContent.includes('F9')")
    for address, sign in (
        ("#pieces/charter:DR", ".large .viewer[data-version]"),
        ("#upgrades/F9", ".panel header strong"),
        ("#upgrades/tile:57", ".panel header strong"),
        ("#pieces:charter", '.card[data-key="charter:DR"]'),
    ):
        page.goto("about:blank")
        page.goto(of_18eu.address + address)
        page.wait_for_selector(sign)
        assert at(page) == address
    page.evaluate("location.hash = '#map/nowhere'")
    wait_at(page, "#map")


def test_an_address_opens_the_form_of_its_piece(studio, page):
    settings = json.dumps(json.dumps({"form": True}))
    page.add_init_script(
        f"if (location.protocol === 'http:') localStorage.setItem('studio', {settings})"
    )
    page.goto(f"{studio.address}#pieces/train:3")
    page.wait_for_selector('.inspector [data-field="/trains/3/price"]')


@pytest.mark.slow
def test_sheets_have_addresses_to_the_page(of_18eu, page):
    page.goto(f"{of_18eu.address}#sheets/tiles/2")
    page.wait_for_selector(".sheets figure:nth-child(2)")
    page.wait_for_function(
        "() => Math.abs(document.querySelector('.sheets figure:nth-child(2)').getBoundingClientRect().top"
        " - document.querySelector('.sheets').getBoundingClientRect().top) < 40"
    )
    page.locator(".kinds .kind").last.click()
    page.wait_for_function(
        "() => location.hash.startsWith('#sheets/') && !location.hash.startsWith('#sheets/tiles')"
    )
    page.go_back()
    page.wait_for_selector('.kind[aria-current="true"]:has-text("Tiles")')


@pytest.mark.slow
@pytest.mark.slow
def test_each_of_several_maps_has_its_address(tmp_path, begin, page):
    studio = begin(copy_of("18cz", tmp_path / "18cz"))
    view = View(studio.folder, "", None)
    view.reload()
    board = view.title.maps[1]
    name = board.hexes[3].id
    page.goto(f"{studio.address}#map:{board.id}/{name}")
    chosen(page, name)
    assert page.locator(".viewbar select").first.input_value() == board.id
    page.locator(".viewbar select").first.select_option(view.title.maps[0].id)
    wait_at(page, "#map")
    page.go_back()
    chosen(page, name)


def go_to(page, typed):
    page.keyboard.press("Control+k")
    page.locator("[role=combobox]").fill(typed)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_anything_is_gone_to_by_its_id_or_name(of_18eu, page):
    page.goto(of_18eu.address)
    page.wait_for_selector(".hex")
    page.keyboard.press("Control+k")
    page.wait_for_selector('.goals li:has-text("Hex")')
    for typed, first in (
        ("F9", "Hex"),
        ("57", "Tiles"),
        ("DR", "Company"),
        ("trains.json", "File"),
        ("low ink", "Theme"),
        ("berlin", "Hex"),
    ):
        page.locator("[role=combobox]").fill(typed)
        row = page.locator('.goals [aria-selected="true"]')
        assert row.locator(".dim").last.inner_text() == first, typed
        assert page.locator("[role=combobox]").get_attribute(
            "aria-activedescendant"
        ) == row.get_attribute("id")
    page.locator("[role=combobox]").fill("F9")
    page.keyboard.press("Enter")
    chosen(page, "F9")
    assert at(page) == "#map/F9"
    go_to(page, "tile:57")
    page.wait_for_selector(".large .viewer[data-version]")
    assert at(page) == "#pieces/tile:57"
    go_to(page, "sheets")
    page.wait_for_selector(".sheets")
    go_to(page, "dark")
    page.wait_for_selector('html[data-scheme="dark"]')


def test_the_list_is_walked_through_with_the_arrows(of_18eu, page):
    page.goto(of_18eu.address)
    page.wait_for_selector(".hex")
    page.keyboard.press("Control+k")
    page.wait_for_selector('.goals li:has-text("Hex")')
    page.locator("[role=combobox]").fill("e")
    for key, index in (
        ("ArrowDown", 1),
        ("ArrowDown", 2),
        ("ArrowUp", 1),
        ("ArrowUp", 0),
        ("PageDown", 8),
    ):
        page.keyboard.press(key)
        assert page.locator('.goals [aria-selected="true"]').get_attribute("id") == f"goal-{index}"
    page.locator("[role=combobox]").fill("nothing is called so")
    assert page.locator(".told").inner_text() == "Nothing is called so."
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


RANK = """async ([words, typed]) => {
  const { ranked } = await import(new URL('static/js/goto.js', location.href).href);
  return ranked(words.map((label) => ({ label, kind: 'x' })), typed).map((each) => each.label);
}"""


@pytest.mark.slow
def test_ranking_is_predictable(of_18eu, page):
    page.goto(of_18eu.address)
    words = ["Bath 5", "a5", "5 a", "57", "5", "Orléans", "Great Western"]
    assert page.evaluate(RANK, [words, "5"]) == ["5", "5 a", "57", "Bath 5", "a5"]
    assert page.evaluate(RANK, [words, "orleans"]) == ["Orléans"]
    assert page.evaluate(RANK, [words, "gwn"]) == ["Great Western"]
    assert page.evaluate(RANK, [words, "western gr"]) == ["Great Western"]
    assert page.evaluate(RANK, [words, ""]) == words


@pytest.mark.slow
def test_a_company_is_renamed_wherever_it_is_named(tmp_path, begin, page):
    studio = begin(copy_of("18eu", tmp_path / "18eu"))
    page.goto(f"{studio.address}#pieces/charter:DR")
    page.wait_for_selector(".large .viewer[data-version]")
    page.keyboard.press("F2")
    field = page.get_by_label("New id")
    assert field.input_value() == "DR"
    field.fill("FS")
    page.keyboard.press("Enter")
    page.wait_for_selector('dialog .progress:has-text("already")')
    page.watched.faults.clear()
    field.fill("DRG")
    page.keyboard.press("Enter")
    page.wait_for_selector('dialog .progress:has-text("DR is DRG now")')
    wait_at(page, "#pieces/charter:DRG")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+s")
    until(lambda: "DRG" in json.loads((studio.folder / "companies.json").read_text())["companies"])
    page.keyboard.press("Control+z")
    page.wait_for_function(
        "() => document.querySelector('[aria-label=Redo]').title === 'Redo: Rename DR to DRG'"
    )


@pytest.mark.slow
def test_a_hex_is_renamed_by_a_command(studio, page):
    page.goto(studio.address)
    page.wait_for_selector(".hex")
    page.keyboard.press("Control+k")
    page.wait_for_selector('.goals li:has-text("Hex")')
    page.locator("[role=combobox]").fill("rename c3")
    page.keyboard.press("Enter")
    page.get_by_label("New id").fill("A9")
    page.keyboard.press("Enter")
    page.wait_for_selector(
        'dialog .progress:has-text("C3 is A9 now"), dialog .progress:has-text("C3")'
    )


def completed(page, studio, file, before):
    """What is offered behind a text of a file."""
    path = studio.folder / file
    page.goto(f"{studio.address}#map")
    page.wait_for_selector(".hex")
    page.get_by_label("File", exact=True).select_option(file)
    page.wait_for_selector(f'.cm-content[aria-label="{file}"]')
    text = path.read_text()
    line = text[: text.index(before) + len(before)].count("\n")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    for _ in range(line):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    for _ in range(
        len(text.split("\n", line + 1)[line])
        - len(text[: text.index(before) + len(before)].split("\n")[-1])
    ):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Control+Space")
    page.wait_for_selector(".cm-tooltip-autocomplete li")
    return page.locator(".cm-tooltip-autocomplete .cm-completionLabel").all_inner_texts()


@pytest.mark.parametrize(
    ("file", "before", "among"),
    [
        pytest.param("trains.json", '"rusts_on": ["', '"4"', marks=pytest.mark.slow),
        pytest.param("trains.json", '"starts": "', '"3"', marks=pytest.mark.slow),
        ("companies.json", '"hex": "', '"C3"'),
    ],
)
def test_ids_are_completed(studio, page, file, before, among):
    assert among in completed(page, studio, file, before)


@pytest.mark.slow
@pytest.mark.slow
def test_two_pictures_move_in_step(of_18eu, page):
    page.goto(f"{of_18eu.address}#map")
    page.wait_for_selector(".viewer[data-version]")
    page.get_by_role("button", name="Side by side").click()
    second = page.locator(".second")
    page.wait_for_selector(".second[data-version]")
    assert (
        second.get_by_label("Language of the print").input_value()
        != page.locator(".top").get_by_label("Language of the print").input_value()
    )
    transform = "at => document.querySelector(at).style.transform"
    size = "at => document.querySelector(at).style.width"
    for act in (
        lambda: page.locator(".viewer:not(.second)").get_by_label("Zoom in").click(),
        lambda: (second.locator(".port").focus(), page.keyboard.press("+")),
        lambda: page.keyboard.press("ArrowLeft"),
    ):
        before = page.evaluate(transform, ".stage")
        act()
        assert page.evaluate(transform, ".stage") != before
        assert page.evaluate(transform, ".stage") == page.evaluate(transform, ".second .stage")
        assert page.evaluate(size, ".stage") == page.evaluate(size, ".second .stage")
    first_address = page.locator(".stage .picture").first.get_attribute("data-src")
    second.get_by_label("Theme").select_option("low-ink")
    page.wait_for_function(
        "() => document.querySelector('.second .stage .picture').dataset.src.includes('theme=low-ink')"
    )
    assert page.locator(".stage .picture").first.get_attribute("data-src") == first_address
    # It follows what is edited, and stays open from view to view.
    before = second.locator(".stage .picture").get_attribute("data-src")
    path = of_18eu.folder / "map.json"
    path.write_text(path.read_text().replace('"Berlin"', '"Spandau"', 1))
    page.wait_for_function(
        "before => document.querySelector('.second .stage .picture').dataset.src !== before",
        arg=before,
    )
    go_to(page, "tile:57")
    page.wait_for_selector(".large .second[data-version]")
    second.get_by_label("Second picture").first.select_option("tile:14")
    page.wait_for_function(
        "() => document.querySelector('.second .stage .picture').dataset.src.includes('tile%3A14')"
    )
    second.get_by_role("button", name="Close the second picture").click()
    assert second.count() == 0
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Side by side"


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("svg", b"<"),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (("png", b"\x89PNG"), ("pdf", b"%PDF"))
        ),
    ],
)
def test_what_is_shown_is_saved(of_18eu, page, suffix, start):
    page.goto(f"{of_18eu.address}#pieces/tile:57")
    page.wait_for_selector(".large .viewer[data-version]")
    page.get_by_role("button", name="Save the picture").click()
    with page.expect_download() as waiting:
        page.locator(f'[data-suffix="{suffix}"]').click()
    assert waiting.value.suggested_filename == f"18eu-tile-57.{suffix}"
    data = waiting.value.path().read_bytes()
    assert data.startswith(start)
    if suffix == "png":
        wide, high = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        about = page.evaluate("async () => (await fetch('faces/tile:57')).json()")[0]
        assert (wide, high) == tuple(
            round(about[side] / 25.4 * 300) for side in ("width_mm", "height_mm")
        )
    if suffix == "pdf":
        assert data == draw(of_18eu.folder, "tile:57").pdf()
