"""The page for a phone at the table, in the browser edition and as a file, in Chromium on a screen of 390 x 844."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from axe import barriers
from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.lines import log_of
from platelayer.atlas.make import AtlasOptions, make_map
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import TileDraw, board_origin, place_name, tile_hexes

BOX = shipped_box()
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_LEAST_LETTERS = """() => Math.min(...[...document.querySelectorAll('main svg text, main, main *')]
    .filter((each) => each.checkVisibility())
    .filter((each) => [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * (each.ownerSVGElement ? each.getScreenCTM().a : 1)))"""
_SWIPE = """(by) => {
    const target = document.querySelector('main');
    for (const [kind, clientX] of [['touchstart', 200], ['touchend', 200 + by]]) {
        const touch = new Touch({ identifier: 1, target, clientX, clientY: 400 });
        const touches = kind === 'touchstart' ? [touch] : [];
        target.dispatchEvent(new TouchEvent(kind, { bubbles: true, touches, changedTouches: [touch] }));
    }
}"""


@pytest.fixture
def phone(browser):
    """Open phones; each fails its test if its page throws."""
    contexts, faults = [], []

    def opened(address: str):
        context = browser.new_context(locale="en-GB", **PHONE)
        contexts.append(context)
        context.set_default_timeout(120_000)
        context.add_init_script(
            "navigator.wakeLock.request = async () => { window.awake = true; return {}; };"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: said.type == "error" and faults.append(said.text))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def tap(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def choose(page, name: str) -> None:
    page.locator("fieldset label").filter(has_text=re.compile(f"^{name}$")).tap()


def map_at(page):
    """The map whose code is in the address."""
    return log_of(BOX, re.search(r"#table\d*=(\w+)", page.url)[1])


def hexes(draw: TileDraw) -> set[str]:
    return {f"{at.q},{at.r}" for at in tile_hexes(draw.at, draw.rotation)}


def shown(page, selector: str) -> list[str]:
    return page.locator(selector).get_attribute("data-hexes").split()


def lay(page, draw: TileDraw) -> None:
    """Lay a tile where a map has it, once its number has been tapped."""
    page.wait_for_selector("h1.ask:has-text('Tap')")
    if page.locator(".spot.trial").count() == 0:
        for spot in page.locator(".spot").all():
            if {*spot.get_attribute("data-hexes").split()} == hexes(draw):
                spot.tap()
                break
    turn(page, draw)
    tap(page, "It lies so")
    page.wait_for_selector(".numbers")


def turn(page, draw: TileDraw) -> None:
    tile = BOX.tile_by_number[draw.tile]
    wanted = [f"{at.q},{at.r}" for at in tile_hexes(draw.at, draw.rotation)]
    page.wait_for_selector(".spot.trial")
    for _ in range(6):
        if shown(page, ".spot.trial") == wanted or len({*tile.hexes}) == 1:
            return
        page.locator(".spot.trial").tap()
    raise AssertionError(f"tile {draw.tile} cannot be turned so")


def number(page, tile: int) -> None:
    page.locator(".numbers").get_by_role("button", name=str(tile), exact=True).tap()
    page.wait_for_selector(".numbers", state="detached")


@pytest.mark.slow
def test_a_new_map_is_followed_step_by_step_without_a_network(phone, address):
    page = phone(f"{address}#table")
    page.wait_for_selector("html[data-whole]")
    page.context.set_offline(True)
    assert barriers(page) == []
    choose(page, "4")
    tap(page, "New map")
    page.wait_for_selector("h1:has-text('Room on the table')")
    log = map_at(page)
    assert check_log(BOX, log) == ()
    assert page.evaluate("() => window.awake")
    assert re.search(r"Keep \d\d+ × \d\d+ cm free", page.locator("main").inner_text())
    assert barriers(page) == []
    tap(page, "Next")
    assert "Map tiles" in page.locator("main").inner_text()
    page.evaluate(_SWIPE, -120)
    names = board_origin(log)
    steps = [
        draw for draw in log.draws if isinstance(draw, TileDraw) or draw.overlay_at is not None
    ][:12]
    for count, draw in enumerate(steps, start=1):
        page.wait_for_selector(f"text=Step {count} of")
        text = page.locator(".piece").inner_text()
        if isinstance(draw, TileDraw):
            assert page.locator(".piece .number").first.inner_text() == str(draw.tile)
            assert page.locator(".places b").all_inner_texts() == [
                place_name(at, names) for at in tile_hexes(draw.at, draw.rotation)
            ]
        else:
            assert place_name(draw.overlay_at, names) in text
        assert page.evaluate(_LEAST_LETTERS) >= 11.99
        page.get_by_label("Laid", exact=True).tap()
    assert barriers(page) == []
    page.wait_for_selector("text=Step 13 of")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Step 12 of")
    assert page.get_by_label("Laid", exact=True).is_checked()
    page.reload()
    page.wait_for_selector("text=Step 12 of")
    assert page.get_by_label("Laid", exact=True).is_checked()


@pytest.mark.slow
def test_a_map_is_laid_with_slips_and_ended_and_its_link_gives_the_same_map(phone, address):
    page = phone(f"{address}#table")
    page.wait_for_selector("html[data-whole]")
    page.context.set_offline(True)
    choose(page, "Micro game for 2")
    tap(page, "We laid it ourselves")
    log = assemble(BOX, "micro2", seed=4711)
    # The last tile, and capitals, are left for an ending.
    tiles = [draw for draw in log.draws if isinstance(draw, TileDraw)][:-1]
    page.wait_for_selector(".numbers")
    assert barriers(page) == []
    for order, (draw, after) in enumerate(pairwise((*tiles, tiles[0]))):
        if order == 1:  # another number than the one drawn
            number(page, after.tile)
            tap(page, "Another tile")
        number(page, draw.tile)
        if order == 2:  # another place, then the right one
            page.locator(".spot").first.tap()
            page.wait_for_selector(".spot.trial")
            assert barriers(page) == []
            tap(page, "Another tile")
            number(page, draw.tile)
        if order == 3:  # a hex where nothing may lie
            page.locator(".table").tap(position={"x": 3, "y": 3})
            assert page.locator(".spot.trial").count() == 0
        if order == 4:  # one turn too many
            page.locator(".spot").first.tap()
            page.wait_for_selector(".spot.trial")
            page.locator(".spot.trial").tap()
            tap(page, "Another tile")
            number(page, draw.tile)
        lay(page, draw)
        if order == 5:  # the wrong tile laid
            tap(page, "Take back")
            page.wait_for_selector(f"text={len(log.placed) - order} more tiles")
            number(page, draw.tile)
            lay(page, draw)
        page.wait_for_selector(f"text={len(log.placed) - order - 1} more tiles")
    half = map_at(page)
    assert [(draw.tile, hexes(draw)) for draw in half.placed] == [
        (draw.tile, hexes(draw)) for draw in tiles
    ]
    tap(page, "Show the endings")
    page.wait_for_selector(".endings button")
    assert barriers(page) == []
    page.locator(".endings button").nth(1).tap()
    page.wait_for_selector("progress")
    whole = map_at(page)
    assert check_log(BOX, whole) == ()
    assert len(whole.placed) == 11
    assert len(whole.overlays) == 1
    assert barriers(page) == []
    while page.get_by_role("button", name="Next").is_enabled():
        tap(page, "Next")
    choose(page, "2")
    page.wait_for_selector("text=Column 1, from the top")
    ended = page.locator("main").inner_text()
    assert "Number yourselves 1 to 2" in ended

    other = phone(page.url)
    other.wait_for_selector("progress")
    assert map_at(other) == whole
    while other.get_by_role("button", name="Next").is_enabled():
        tap(other, "Next")
    assert other.locator("main").inner_text() == ended


def test_the_page_of_a_map_as_a_file_needs_nothing_else(phone, tmp_path):
    options = AtlasOptions(
        mode="micro2", seed=4711, players=2, drawn=False, page=str(tmp_path / "map.html")
    )
    made = make_map(options)
    ((path, data),) = made.pages.items()
    assert data == make_map(options).pages[path]
    assert not re.search(rb"(?:src|href)=|https?://(?!www\.w3\.org/2000/svg)|url\(|@import", data)
    path.write_bytes(data)
    page = phone(path.as_uri())
    page.wait_for_selector("h1:has-text('Room on the table')")
    tiles = []
    while page.get_by_role("button", name="Next").is_enabled():
        tap(page, "Next")
        tiles += page.locator(".piece h1 .number").all_inner_texts()
    assert tiles == [str(draw.tile) for draw in made.log.placed]
    assert "Column 1, from the top" in page.locator("main").inner_text()
