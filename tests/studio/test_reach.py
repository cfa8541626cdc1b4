"""What a person with a keyboard, a screen reader or weak eyes finds, and where the way back
leads."""

from __future__ import annotations

import pytest

from studio.conftest import small_title
from studio.test_live import opened, rename
from studio.test_safe import edited, two_titles, type_at_end
from studio.test_views import SEEN, VIEWS, show

FOCUSED = """() => {
  const at = document.activeElement;
  return at === document.body ? 'nothing' : at.getAttribute('aria-label') || at.title || at.textContent;
}"""
CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, at) => value * a + under[at] * (1 - a));
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const up = (node) => node.parentElement ?? node.getRootNode().host;
  const behind = (node) => channels(getComputedStyle(node).backgroundColor);
  const ground = (node) => (node ? over(behind(node), ground(up(node))) : [255, 255, 255]);
  const opacity = (node) => (node ? getComputedStyle(node).opacity * opacity(up(node)) : 1);
  const hasWords = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const found = new Set();
  const look = (root) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (!hasWords(node) || node instanceof SVGElement || !node.checkVisibility()) continue;
      if (node.closest('option, style, title, [disabled], [aria-disabled=true]')) continue;
      const under = ground(node), [r, g, b, a] = channels(getComputedStyle(node).color);
      const seen = ratio(over([r, g, b, a * opacity(node)], under), under);
      if (seen < 4.5) found.add(`${node.tagName}.${node.className}: ${seen.toFixed(2)}`);
    }
  };
  look(document);
  return [...found];
}"""


def press(page, selector):
    """Press a button with the keyboard."""
    page.locator(selector).first.focus()
    page.keyboard.press("Enter")


def focused(page):
    page.wait_for_timeout(50)
    return page.evaluate(FOCUSED)


def lay_a_tile(page, name):
    page.wait_for_selector(f'.hex[aria-label="{name}"]')
    page.locator(f'.hex[aria-label="{name}"]').click(force=True)
    page.locator(".follow .lay:enabled").first.click()


@pytest.mark.slow
def test_laid_tiles_stay_while_another_view_is_looked_at(of_18eu, page):
    show(page, of_18eu, "upgrades")
    lay_a_tile(page, "F9")
    laid = page.locator("[data-laid]").get_attribute("data-laid")
    show(page, of_18eu, "map")
    page.wait_for_selector(SEEN["map"])
    show(page, of_18eu, "upgrades")
    page.wait_for_selector("[data-laid]")
    assert page.locator("[data-laid]").get_attribute("data-laid") == laid
    page.locator('button[title="Undo"]').first.click()
    assert page.locator("[data-laid]").count() == 0


@pytest.mark.slow
def test_tiles_laid_in_one_title_do_not_lie_in_another(begin, page, tmp_path):
    show(page, begin(two_titles(tmp_path / "both")), "upgrades")
    page.wait_for_selector(".boxed")
    names = page.locator(".hex").evaluate_all(
        "all => all.map((each) => each.getAttribute('aria-label'))"
    )
    for name in names:
        page.locator(f'.hex[aria-label="{name}"]').click(force=True)
        if page.locator(".follow .lay:enabled").count():
            break
    lay_a_tile(page, name)
    assert page.locator("[data-laid]").count() == 1
    page.select_option('select[title="Title"]', "beta")
    edited(page, "beta/map.json")
    page.wait_for_function("() => !document.querySelector('[data-laid]')")
    page.select_option('select[title="Title"]', "alpha")
    page.wait_for_selector("[data-laid]")


def test_back_and_forward_lead_from_view_to_view(studio, page):
    page.goto("about:blank")
    page.goto(studio.address)
    page.wait_for_selector('.tab[aria-selected="true"][title^="Map"]')
    for view in ("pieces", "upgrades"):
        show(page, studio, view)
    selected = '.tab[aria-selected="true"][title^="{}"]'
    page.go_back()
    page.wait_for_selector(selected.format("Pieces"))
    page.wait_for_selector(".card")
    page.go_back()
    page.wait_for_selector(selected.format("Map"))
    page.go_forward()
    page.wait_for_selector(selected.format("Pieces"))
    page.evaluate("location.hash = 'constructor'")
    page.wait_for_function("() => location.hash === '#pieces'")
    page.go_back()
    page.wait_for_selector(selected.format("Pieces"))
    page.go_back()
    page.wait_for_selector(selected.format("Map"))
    page.go_back()
    assert page.url == "about:blank"


@pytest.mark.slow
def test_what_was_pressed_keeps_the_focus(of_18eu, page):
    show(page, of_18eu, "map")
    page.wait_for_selector(SEEN["map"])
    for name in ("Pieces", "Sheets", "Upgrades", "Pieces"):
        press(page, f'.tab[title^="{name}"]')
        page.wait_for_selector(f'.tab[aria-selected="true"][title^="{name}"]')
        assert focused(page).startswith(name)
    page.wait_for_selector(".card")
    press(page, ".kinds .kind:nth-child(3)")
    assert focused(page) == page.locator(".kinds .kind[aria-current]").inner_text().replace(
        "\n", ""
    )
    press(page, ".problems .level.note")
    assert focused(page).startswith("Notes")
    show(page, of_18eu, "sheets")
    page.wait_for_selector(SEEN["sheets"])
    press(page, ".kinds .kind:nth-child(2)")
    page.wait_for_selector(".kinds .kind:nth-child(2)[aria-current]")
    assert focused(page) == page.locator(".kinds .kind[aria-current]").inner_text()


@pytest.mark.slow
def test_laying_a_tile_with_the_keyboard_keeps_the_focus(of_18eu, page):
    show(page, of_18eu, "upgrades")
    page.wait_for_selector(".hex")
    page.locator('.hex[aria-label="F9"]').focus()
    page.keyboard.press("Enter")
    press(page, ".follow .chip:enabled >> nth=1")
    assert focused(page).startswith("Rotation")
    press(page, ".follow .lay:enabled")
    assert focused(page) == "F9"
    press(page, '.upgrades button[title="Undo"]')
    assert focused(page) == "Undo"
    assert page.locator("[data-laid]").count() == 0
    page.keyboard.press("Enter")
    press(page, '.upgrades button[title="Redo"]')
    assert page.locator("[data-laid]").count() == 1
    press(page, '.panel button[title="Close"]')
    assert focused(page) != "nothing"


def test_saving_with_the_button_keeps_the_focus(studio, page):
    opened(page, studio)
    edited(page, "map.json")
    type_at_end(page)
    press(page, '.editor button[title="Save"]')
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    assert focused(page) == "Save"


@pytest.mark.slow
def test_the_divider_tells_where_it_is(studio, page):
    opened(page, studio)
    divider = page.locator('[role="separator"]')
    before = int(divider.get_attribute("aria-valuenow"))
    divider.focus()
    page.keyboard.press("ArrowLeft")
    assert int(divider.get_attribute("aria-valuenow")) == before + 2
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    assert divider.get_attribute("aria-valuenow") == divider.get_attribute("aria-valuemin")


def test_lists_consist_of_items_and_buttons_stay_buttons(of_18eu, page):
    show(page, of_18eu, "pieces")
    page.wait_for_selector(".card")
    items = page.get_by_role("list").locator(".card").count()
    assert (
        items == page.get_by_role("listitem").get_by_role("button").locator(".picture").count() > 5
    )
    assert page.locator("button[role=listitem]").count() == 0


def in_both_schemes(page):
    """Words that cannot be read on what is shown, light or dark."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("() => { for (const each of document.getAnimations()) each.finish(); }")
        found += page.evaluate(CONTRASTS)
    return found


@pytest.mark.slow
def test_words_can_be_read(of_18eu, page):
    found = {}
    for view in VIEWS:
        show(page, of_18eu, view)
        page.wait_for_selector(SEEN[view])
        if view == "upgrades":
            lay_a_tile(page, "F9")
        found[view] = in_both_schemes(page)
    for name in ("Settings", "Keys", "Print"):
        page.locator(f'.top button[title^="{name}"]').click()
        found[name] = in_both_schemes(page)
        page.keyboard.press("Escape")
    edited(page, "map.json")
    type_at_end(page)
    rename(of_18eu.folder, "Meanwhile")
    page.wait_for_selector(".conflict:not([hidden])")
    (of_18eu.folder / "trains.json").write_text("{", encoding="utf-8")
    page.wait_for_selector(".problem")
    found["conflict"] = in_both_schemes(page)
    assert not any(found.values()), found


@pytest.mark.slow
def test_words_of_a_random_map_can_be_read(begin, page):
    show(page, begin("lost-atlas"), "atlas")
    page.wait_for_selector(".log li")
    page.locator('.replay button[title="First"]').click()
    assert in_both_schemes(page) == []


def test_an_empty_folder_is_not_searched_for_ever(begin, page, tmp_path):
    (tmp_path / "empty").mkdir()
    empty = begin(tmp_path / "empty")
    page.goto(empty.address)
    page.wait_for_selector(".welcome")
    assert "checking" not in page.locator("#studio").inner_text()
    small_title(tmp_path / "empty")
    page.wait_for_selector(".viewer[data-version]")
    page.wait_for_function(
        "() => document.querySelector('.problems').innerText.includes('No problems')"
    )
