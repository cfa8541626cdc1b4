"""Companies, privates, trains, phases and market of a small game of the field (1889's, by its
published facts), made by form from the starter: mouse and keyboard only, no JSON typed."""

from __future__ import annotations

import json

import pytest

from platelayer.definitions.titles import read_title
from platelayer.foundation.problems import Severity
from studio.conftest import say, small_title, until
from studio.test_inspector import box, form, go, put, read

pytestmark = pytest.mark.slow

COMPANIES = {
    "AR": ("Awa Railroad", "#37383a", "B2"),
    "IR": ("Iyo Railway", "#f48221", "D4"),
    "SR": ("Sanuki Railway", "#76a042", "F2"),
    "KO": ("Takamatsu & Kotohira Electric Railway", "#d81e3e", "C3"),
}
PRIVATES = {"TB": ("Takamatsu E-Railroad", 20, 5), "MF": ("Mitsubishi Ferry", 30, 5)}
TRAINS = {"2": (6, 80, 2), "3": (5, 180, 3), "4": (4, 300, 4), "5": (3, 450, 5), "6": (2, 630, 6)}
MARKET = """
75 80 90 100p 110 125 140 155 175 200
70 75 80 90p 100 110 125 140 155 175
65 70 75 80p 90 100 110 125 140
60 65 70 75p 80 90 100
55 60 65 70p 75 80
50 55 60 65p 70
"""


def new(page, name, kind=""):
    page.locator(".tools-of").get_by_role("button", name="New", exact=True).click()
    asked = page.get_by_role("dialog")
    asked.get_by_label("Id").fill(name)
    if kind:
        asked.get_by_label("Kind").select_option(kind)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "id => document.querySelector('.inspector [aria-label=Id]')?.value === id", arg=name
    )


def clear(page, section, count):
    go(page, section)
    for left in range(count, 0, -1):
        page.wait_for_function(
            "n => document.querySelectorAll('.entries .entry-of').length === n", arg=left
        )
        page.locator(".entries").get_by_role("button", name="Remove").first.click()


def test_a_game_is_made_without_a_word_of_json(begin, page, tmp_path):
    studio = begin(small_title(tmp_path / "game"))
    form(page, studio)
    put(page, "Name", "Shikoku")
    put(page, "Bank", "7000")
    companies(page)
    trains(page)
    phases(page)
    market(page, studio)
    page.get_by_role("tab", name="Text").click()
    page.keyboard.press("Control+s")
    until(
        lambda: (
            json.loads((studio.folder / "title.json").read_text(encoding="utf-8"))["bank"] == 7000
        )
    )
    found = read_title(studio.folder)
    errors = [each for each in found.problems if each.severity is Severity.ERROR]
    assert [
        each for each in errors if each.code != "BX01"
    ] == []  # the box still counts the starter's pieces
    title = found.title
    assert [each.id for each in title.companies] == [*COMPANIES, *PRIVATES]
    assert [(each.id, each.count, each.faces[0].price) for each in title.trains] == [
        (key, count, price) for key, (count, price, _) in TRAINS.items()
    ]
    assert [each.id for each in title.phases] == list(TRAINS)
    rows = read(studio, "title.json")["market"]["rows"]
    assert rows == [line.split() for line in MARKET.strip().splitlines()]


def companies(page):
    clear(page, "companies", 4)
    for key, (name, colour, home) in COMPANIES.items():
        new(page, key, "major")
        put(page, "Name", name)
        put(page, "Colour", colour)
        page.wait_for_function(
            "c => document.querySelector('.inspector [type=color]').value === c", arg=colour
        )
        until(lambda: page.locator(".inspector [data-field$='/colour'] .verdict p").count() > 0)
        box(page, "Add Homes").press("Enter")
        put(page, "Hex", home)
    for key, (name, value, income) in PRIVATES.items():
        new(page, key, "private")
        put(page, "Name", name)
        put(page, "Face value", str(value))
        put(page, "Income", str(income))


def trains(page):
    clear(page, "trains", 3)
    for key, (count, price, reach) in TRAINS.items():
        new(page, key)
        put(page, "Count", str(count))
        put(page, "Price", str(price))
        put(page, "Visits", str(reach))
        put(page, "Pays", str(reach))


def phases(page):
    clear(page, "phases", 3)
    for key in TRAINS:
        new(page, key)
        put(page, "Operating rounds", str(min(3, (int(key) + 1) // 2)))


def market(page, studio):
    go(page, "market")
    page.get_by_label("Row 1, column 1", exact=True).focus()
    for line in MARKET.strip().splitlines():
        for price in line.split():
            page.keyboard.type(price)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    until(
        lambda: (
            say(studio, do="values", name="title.json", pointers=["/market/rows/5/4"])["texts"]
            == ['"70"']
        )
    )
