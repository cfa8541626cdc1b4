"""The upgrade explorer saves and opens maps in play, and says what the box holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from platelayer.api import check_position, supply
from platelayer.exchange.eighteen_games.positions import import_position
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from play.test_positions import GAME
from studio.test_views import SEEN, show


@pytest.fixture
def explorer(of_18eu, page):
    show(page, of_18eu, "upgrades")
    page.wait_for_selector(SEEN["upgrades"])
    page.wait_for_selector(".hex")
    return page


def saved(page) -> dict[str, object]:
    with page.expect_download() as waiting:
        page.locator('button[title="Save the position"]').click()
    value: dict[str, object] = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    return value


def choose(page, path: Path) -> None:
    with page.expect_file_chooser() as waiting:
        page.locator('button[title="Open a position"]').click()
    waiting.value.set_files(path)


def laid(page) -> set[str]:
    return set(
        page.evaluate(
            "() => [...document.querySelectorAll('[data-laid]')].map((each) => each.dataset.laid)"
        )
    )


def test_what_is_laid_is_saved_and_opened_again(explorer, tmp_path: Path) -> None:
    explorer.locator('.hex[aria-label="F9"]').click(force=True)
    explorer.locator(".follow li .lay").first.click()
    value = saved(explorer)
    assert value["title"] == "18eu"
    (tmp_path / "one.json").write_text(json.dumps(value), encoding="utf-8")
    assert check_position(tmp_path / "one.json") == ()
    board = laid(explorer)
    assert len(board) == 1
    explorer.locator('button[title="Undo"]').first.click()
    assert laid(explorer) == set()
    choose(explorer, tmp_path / "one.json")
    explorer.wait_for_selector("[data-laid]")
    assert laid(explorer) == board
    assert "1 tiles were laid" in explorer.locator(".panel .told").inner_text()


@pytest.mark.slow
def test_a_game_file_is_laid_with_its_tokens(explorer, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(GAME), encoding="utf-8")
    position = import_position(tmp_path / "game.json").position
    choose(explorer, tmp_path / "game.json")
    explorer.wait_for_selector("[data-laid]")
    assert {words.partition("/")[2] for words in laid(explorer)} == {
        f"{h} {lay}" for h, lay in position.tiles
    }
    value = saved(explorer)
    assert value["tokens"] == {h: [str(s) for s in stations] for h, stations in position.tokens}
    explorer.locator('button[title="Picture of the position"]').click()
    with explorer.expect_download() as waiting:
        explorer.locator('dialog button[data-suffix="svg"]').click()
    drawn = Path(waiting.value.path()).read_text(encoding="utf-8")
    (tmp_path / "game.position.json").write_text(json.dumps(value), encoding="utf-8")
    options = BuildOptions(position=str(tmp_path / "game.position.json"), numbers=True)
    title = re.compile("<title>[^<]*</title>")  # the page of a picture names its title, too
    assert title.sub("", drawn, count=1) == title.sub(
        "", draw("18eu", "map", options=options).svg().decode(), count=1
    )


def test_what_is_no_position_is_refused_in_words(explorer, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(
        '{"format": "platelayer.position/1", "title": "1841"}', encoding="utf-8"
    )
    choose(explorer, tmp_path / "other.json")
    explorer.wait_for_function(
        "() => document.querySelector('.panel .told.bad')?.textContent.includes('a position of 1841, not of 18eu')"
    )
    assert [refusal.status for refusal in explorer.watched.refusals] == [422]
    explorer.watched.faults.clear()


@pytest.mark.slow
def test_supply_agrees_with_the_command_and_lays_its_proof(explorer) -> None:
    report = supply("18eu")
    explorer.locator(".supply:not(.routes) summary").click()
    explorer.wait_for_selector(".supply:not(.routes) section")
    assert explorer.locator(".supply:not(.routes) section").count() == len(report.supply.binding)
    first = explorer.locator(".supply:not(.routes) section", has_text="grey: city")
    assert "at most 5 can have one at once" in first.inner_text()
    first.locator("button", has_text="Hexes that compete").click()
    marked = explorer.evaluate(
        "() => [...document.querySelectorAll('.hex.short')].map((h) => h.getAttribute('aria-label'))"
    )
    assert set(marked) == set(report.bound("gray: city").short)
    first.locator("button", has_text="Lay the board").click()
    explorer.wait_for_selector("[data-laid]")
    witness = {hex_id: str(lay) for hex_id, lay in report.witness("gray: city").tiles}
    assert {
        words.split("/")[1].split(" ", 1)[0]: words.split(" ", 1)[1] for words in laid(explorer)
    } == witness
    explorer.locator('button[title="Undo"]').first.click()
    assert laid(explorer) == set()


def test_routes_are_shown_along_the_track(explorer, tmp_path: Path) -> None:
    board = {
        "format": "platelayer.position/1",
        "title": "18eu",
        "phase": "3",
        "tiles": {"G2": "58 2", "F3": "3 0", "H3": "577 4", "I2": "9 1"},
        "tokens": {"H3": ["BNR"], "J1": ["3 1"]},
        "trains": {"BNR": ["2", "3"]},
    }
    (tmp_path / "one.json").write_text(json.dumps(board), encoding="utf-8")
    choose(explorer, tmp_path / "one.json")
    explorer.wait_for_selector("[data-laid]")
    explorer.locator(".routes summary").click()
    explorer.wait_for_selector('.routes [data-company="BNR"]')
    words = explorer.locator('.routes [data-company="BNR"]').inner_text()
    assert "BNR: £180 is the most" in words
    assert "Paris 40 – Brussels 40 = £80" in words

    def run() -> set[str]:
        return set(
            explorer.evaluate(
                "() => [...document.querySelectorAll('[data-run]')].map((each) => each.dataset.run)"
            )
        )

    assert run() == {"F1", "G2", "F3", "H3", "I2", "J1"}
    explorer.locator('.routes [aria-pressed="true"]').click()
    assert run() == set()
    # With a train that is none, with another one, and after a lay.
    explorer.locator(".routes select").select_option("BNR")
    explorer.locator(".routes input").fill("9")
    explorer.locator(".routes form button").click()
    explorer.wait_for_selector(".routes :text('there is no train')")
    explorer.watched.faults.clear()
    explorer.locator(".routes input").fill("4")
    explorer.locator(".routes form button").click()
    explorer.wait_for_selector(".routes :text('BNR: £140 is the most')")
    explorer.locator('button[title="Undo"]').first.click()
    explorer.wait_for_selector(".routes :text('BNR: £0 is the most')")
