"""Every view: what it shows agrees with the command, and it fits wide and narrow, light and
dark."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress

import pytest
from click.testing import CliRunner

from packs import build
from platelayer.atlas.lines import log_text
from platelayer.atlas.make import AtlasOptions, assemble_map
from platelayer.cli.app import cli
from platelayer.pipeline.job import BuildOptions
from studio import large_game
from studio.conftest import copy_of, version, wait_for_new

VIEWS = ("map", "pieces", "sheets", "upgrades")
SEEN = {
    "map": ".viewer[data-version]",
    "pieces": ".card img",
    "sheets": ".sheets img",
    "upgrades": ".boxed img",
}
TABS = {
    "map": "Map",
    "pieces": "Pieces",
    "sheets": "Sheets",
    "upgrades": "Upgrades",
    "atlas": "Random",
}
READ = """() => {
  const rows = [...document.querySelectorAll('.follow li')];
  return Object.fromEntries(rows.map((each) => [each.dataset.tile, each.dataset.rotations]));
}"""
TILE = "57 yellow city=revenue:20;path=a:0,b:_0;path=a:_0,b:3 (4)"
DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name, {type: 'text/plain'}));
  dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


TOO_LOW = """() => [...document.querySelectorAll('button')]
  .filter((each) => each.offsetHeight && each.offsetHeight < 20).map((each) => each.outerHTML)"""


def show(page, studio, view):
    """Open the studio at a view, or go to it in the page that is open."""
    if page.url.startswith(studio.address):
        page.locator(f'.tab[title^="{TABS[view]}"]').click()
    else:
        page.goto(f"{studio.address}#{view}")
    page.wait_for_selector(f'.tab[aria-selected="true"][title^="{TABS[view]}"]')


@pytest.mark.slow
def test_the_explorer_agrees_with_the_command(of_18eu, page):
    done = CliRunner().invoke(cli, ["upgrades", str(of_18eu.folder), "--format", "json"])
    told: dict[str, dict[str, str]] = {}
    for pair in json.loads(done.output)["pairs"]:
        told.setdefault(pair["from"], {})[pair["to"]] = "".join(map(str, pair["rotations"]))
    show(page, of_18eu, "upgrades")
    page.wait_for_selector(".boxed")
    for name in ("F9", "H3", "C4", "E10", "J1"):
        page.locator(f'.hex[aria-label="{name}"]').click(force=True)
        page.wait_for_function(
            "name => document.querySelector('.panel header strong')?.textContent === name",
            arg=f"Hex {name}",
        )
        assert page.evaluate(READ) == told.get(f"hex:{name}", {})
    for number in ("57", "8", "14"):
        page.locator(".boxed", has_text=number).first.click()
        heading = page.locator(".panel header strong").inner_text()
        assert page.evaluate(READ) == told.get(heading.removeprefix("Tile "), {})


def test_tiles_are_laid_counted_and_taken_back(of_18eu, page):
    from playwright.sync_api import TimeoutError as TookTooLong

    show(page, of_18eu, "upgrades")
    page.wait_for_selector(SEEN["upgrades"])
    row = page.locator(".follow li").first
    for seconds in (5, 60):  # a map that is drawn anew at this moment takes no click
        page.locator('.hex[aria-label="F9"]').click(force=True)
        with suppress(TookTooLong):
            row.wait_for(timeout=1000 * seconds)
            break
    tile = row.get_attribute("data-tile")
    count = row.locator(".count").inner_text()
    left = int(count.split()[0])
    row.locator(".lay").click()
    laid = page.locator("[data-laid]")
    assert laid.count() == 1
    assert laid.get_attribute("data-laid").split()[1] == tile
    assert page.locator(".boxed", has_text=f"{left - 1}/{left}").count() >= 1
    page.locator('button[title="Undo"]').first.click()
    assert laid.count() == 0
    page.locator('button[title="Redo"]').first.click()
    assert laid.count() == 1


def test_print_downloads_what_build_writes(of_18eu, page, tmp_path):
    show(page, of_18eu, "map")
    page.wait_for_selector(".viewer[data-version]")
    page.locator("button.strong", has_text="Print").click()
    page.locator("dialog button", has_text="None").click()
    page.locator('dialog input[value="token"]').check()
    page.locator("dialog button.strong").click()
    link = page.locator('dialog a[download="tokens.pdf"]')
    link.wait_for()
    with page.expect_download() as waiting:
        link.click()
    pack = build(str(of_18eu.folder), tmp_path / "out", BuildOptions(only=("token",)))
    expected = (tmp_path / "out" / "18eu" / "tokens.pdf").read_bytes()
    assert pack is not None
    assert (
        hashlib.sha256(waiting.value.path().read_bytes()).digest()
        == hashlib.sha256(expected).digest()
    )
    page.locator("dialog button", has_text="Write to the output folder").click()
    page.locator("dialog", has_text="files in output/18eu").wait_for()
    assert (of_18eu.folder / "output" / "18eu" / "tokens.pdf").read_bytes() == expected


def test_every_view_fits_and_no_request_leaves_this_machine(studio, page):
    for view in VIEWS:
        for width in (420, 1400):
            page.set_viewport_size({"width": width, "height": 860})
            if width == 420:
                show(page, studio, view)
            page.wait_for_selector(SEEN[view], state="attached" if width == 420 else "visible")
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert page.evaluate(TOO_LOW) == []
    page.locator('button[title="Settings"]').click()
    page.keyboard.press("Escape")
    assert len(page.watched.addresses) > 50
    for address in page.watched.addresses:
        assert address.startswith(
            (studio.address, f"blob:http://127.0.0.1:{studio.port}", "data:")
        ), address


def test_sheets_are_those_of_the_print(of_18eu, page):
    show(page, of_18eu, "sheets")
    page.locator(".kind", has_text="Tokens").click()
    page.wait_for_function("() => document.querySelector('.sheets img')?.naturalWidth > 99")
    first = page.locator(".sheets figure").count()
    assert first >= 1
    page.locator('select[title="Backs"]').select_option("long")
    page.wait_for_function(
        "first => document.querySelectorAll('.sheets figure').length === 2 * first", arg=first
    )
    page.locator('.column button[title="Real size"]').click()
    wide = page.locator(".sheets img").first.evaluate("each => each.clientWidth")
    assert wide == round(210 / 25.4 * 96)


def test_a_bank_card_calibrates_the_real_size(studio, page):
    show(page, studio, "map")
    page.wait_for_selector(SEEN["map"])
    page.locator('button[title="Settings"]').click()
    page.locator('input[aria-label="Real size"]').fill("5")
    assert page.locator(".bankcard").evaluate("each => each.clientWidth") == round(85.6 * 5)
    page.keyboard.press("Escape")
    page.locator('.viewer button[title="Real size"]').click()
    about = page.evaluate(
        "async () => (await (await fetch('faces/map%3Amain')).json())[0].width_mm"
    )
    assert page.locator(".stage").evaluate("each => each.clientWidth") == pytest.approx(
        5 * about, abs=1
    )


@pytest.mark.slow
def test_variant_theme_and_language_of_the_print_are_chosen(of_18eu, page):
    show(page, of_18eu, "pieces")
    page.wait_for_selector(SEEN["pieces"])
    for name, value, asked in (
        ("Theme", "colour-blind", "theme=colour-blind"),
        ("Language of the print", "ja", "lang=ja"),
    ):
        page.locator(f'select[title="{name}"]').select_option(value)
        page.wait_for_function(
            "asked => document.querySelector('.card img').src.includes(asked)", arg=asked
        )
    page.wait_for_function("() => document.querySelector('.card img').naturalWidth > 0")


def test_pieces_are_seen_from_both_sides_by_keys(of_18eu, page):
    show(page, of_18eu, "pieces")
    page.locator(".kind", has_text="Trains").click()
    page.locator(".card").first.focus()
    page.keyboard.press("Enter")
    page.locator(".face", has_text="Back").wait_for()
    page.locator(".large .port").focus()
    page.keyboard.press("b")
    page.wait_for_function("() => document.querySelector('.large img').src.includes('picture/1/')")
    name = page.locator(".sides strong").inner_text()
    page.keyboard.press("n")
    page.wait_for_function(
        "name => document.querySelector('.sides strong').textContent !== name", arg=name
    )
    page.keyboard.press("Escape")
    page.wait_for_selector(".grid:not([hidden])")


@pytest.mark.slow
def test_a_random_map_is_replayed_draw_by_draw(begin, page, tmp_path):
    atlas = begin(copy_of("lost-atlas", tmp_path / "lost-atlas"))
    show(page, atlas, "atlas")
    page.wait_for_selector(".log li")
    page.locator(".seed").fill("7")
    page.locator("button", has_text="New map").click()
    page.wait_for_function(
        "() => document.querySelector('.viewer').dataset.version.includes('-7-')"
    )
    draws = page.locator(".log li").count()
    with page.expect_download() as waiting:
        page.locator("a", has_text="Save the log").click()
    _, log = assemble_map(AtlasOptions(mode="long", seed=7, policy="compact"))
    assert waiting.value.path().read_text(encoding="utf-8") == log_text(log)
    page.locator('.replay button[title="First"]').click()
    assert page.locator(".layer > g:not(.hidden) .cover").count() > 2 * draws
    page.locator('.replay button[title="Next"]').click()
    page.locator('.replay button[title="Next"]').click()
    assert page.locator(".log .now").count() == 1
    assert page.locator(".told").inner_text() == f"2 / {draws}"
    page.locator("button", has_text="Gallery").click()
    page.locator(".maps .card").first.wait_for()
    assert page.locator(".maps .card").count() == 12


@pytest.mark.slow
def test_maps_are_searched_by_conditions(begin, page, tmp_path):
    atlas = begin(copy_of("lost-atlas", tmp_path / "lost-atlas"))
    show(page, atlas, "atlas")
    page.wait_for_selector(".log li")
    page.locator(".viewer select").first.select_option("micro2")
    page.get_by_role("button", name="Find", exact=True).click()
    said, find = page.locator(".seek [role=status]"), page.locator(".seek button.strong")
    page.get_by_label("Seconds").fill("600")
    page.get_by_label("Conditions").fill("diameter > 900")
    find.click()
    page.get_by_text("impossible").wait_for()
    assert page.locator(".maps .card").count() == 0
    page.get_by_label("Conditions").fill("income_min >= 30")
    page.get_by_label("Maps to keep").fill("3")
    find.click()
    page.wait_for_function(
        "() => /^[1-9]/.test(document.querySelector('.seek [role=status]').textContent)"
    )
    page.get_by_role("button", name="Stop").click()
    page.locator(".maps .card").first.wait_for()
    assert page.locator(".maps .card").count() == 3
    assert "met every condition" in said.inner_text()
    seed = page.locator(".maps .card .name").first.inner_text()
    page.locator(".maps .card").first.click()
    page.wait_for_function(
        "seed => document.querySelector('.viewer').dataset.version.includes(seed)", arg=seed
    )


def drop(page, files):
    """Drop files on the page, and open what they become."""
    page.evaluate(DROP, files)
    page.locator("dialog button.strong").click()
    page.locator("dialog button", has_text="Open").click()


def test_a_dropped_file_becomes_a_title(begin, page, tmp_path):
    (tmp_path / "empty").mkdir()
    empty = begin(tmp_path / "empty")
    page.goto(empty.address)
    page.wait_for_selector(".welcome")
    drop(page, {"mine.txt": TILE + "\n"})
    page.locator(".card").first.wait_for()
    assert (tmp_path / "empty" / "title.json").is_file()
    assert (tmp_path / "empty" / "import-report.md").is_file()


@pytest.mark.slow
def test_a_dropped_game_of_150_hexes_is_shown_and_followed(begin, page, tmp_path):
    pytest.importorskip("tree_sitter_ruby")
    folder = tmp_path / "18vale"
    folder.mkdir()
    large = begin(folder)
    page.goto(large.address)
    page.wait_for_selector(".welcome")
    drop(page, large_game.FILES)
    page.wait_for_selector(".viewer[data-version]")
    assert page.locator(".hex").count() == large_game.COLUMNS * large_game.ROWS
    report = (folder / "import-report.md").read_text(encoding="utf-8")
    assert "From 18vale." in report
    assert "- hexes: 150" in report
    # A name on the map changes, and the picture with it; a mistake leads to its hex.
    before = version(page)
    board = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    board["map"]["hexes"]["D4"] = {"name": "Elsewhere"}
    (folder / "map.json").write_text(json.dumps(board), encoding="utf-8")
    wait_for_new(page, before)
    board["map"]["hexes"]["D4"] = {"labels": ["QQ"]}
    (folder / "map.json").write_text(json.dumps(board), encoding="utf-8")
    page.locator(".problem", has_text="D4").first.click()
    page.wait_for_selector('.hex[aria-label="D4"][aria-selected="true"]')
    # What may be laid is worked out for every hex, and a tile is taken from the box.
    page.locator(".tab", has_text="Upgrades").click()
    page.locator('.hex[aria-label="D10"]').click(force=True)
    page.locator(".follow .lay").first.click()
    assert page.locator("[data-laid^='main/D10']").count() == 1


def test_the_page_speaks_japanese(studio, browser):
    context = browser.new_context(locale="ja-JP")
    page = context.new_page()
    page.goto(studio.address)
    page.wait_for_selector(".viewer[data-version]")
    assert page.locator(".tab").first.inner_text() == "マップ"
    assert page.evaluate("document.documentElement.lang") == "ja"
    context.close()
