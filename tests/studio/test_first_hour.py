"""A game of one's own from an empty folder to its print, with few clicks and keys: 39 hexes, 6
companies, 3 privates, 5 trains, a market and 15 tiles. What a designer has in a spreadsheet is
pasted."""

from __future__ import annotations

import json
import sys

import pytest

from platelayer import check
from platelayer.foundation.problems import Severity
from studio.conftest import say, until
from studio.test_sheets import PASTE

pytestmark = pytest.mark.slow

COMPANIES = """Id	Name	Kind	Colour	Face value	Income
1	Great Northern	major	#1f4e8c
2	Great Western	major	#2e7d4f
3	Midland	major	#c8102e
4	Caledonian	major	#6fb7d6
5	Cambrian	major	#f2b632
6	Furness	major	#2b2b2b
CAN	Canal	private		20	5
QUA	Quarry	private		60	10
FER	Ferry	private		100	20"""
TRAINS = """Id	Count	Price	Reach	Starts phase	Rusts on	Permanent
2	6	80	2		4	false
3	5	180	3	3	5	false
4	4	300	4	4		true
5	3	450	5	5		true
D	4	900	D			true"""
PHASES = """Id	Begins on	Tiles	Operating rounds
2		yellow	1
3	3	yellow, green	2
4	4	yellow, green	2
5	5	yellow, green, brown	3"""
TILES = """7	4
8	9
9	9
57	5
58	4
3	2
4	3
14	4
15	4
80	2
81	2
82	2
83	2
63	4
611	2"""
MARKET = """60	67	71	76	82	90	100p	112	126	142
53	60	66	70	76	82	90p	100	112
46	55	60	65	70	76	82p"""


class Person:
    """Somebody with a mouse and a keyboard; `acts` counts clicks, drags, choices, keys pressed and
    words typed."""

    def __init__(self, page, studio):
        self.page, self.studio, self.acts = page, studio, 0

    def click(self, locator):
        self.acts += 1
        locator.click()

    def key(self, *keys):
        for each in keys:
            self.acts += 1
            self.page.keyboard.press(each)

    def write(self, words):
        self.acts += 1
        self.page.keyboard.type(words)

    def pick(self, locator, value):
        self.acts += 1
        locator.select_option(value)

    def spot(self, name):
        full, vacant = (
            f'.hex[aria-label="{name}"]',
            f'.hex.empty[aria-label="{name}, an empty place"]',
        )
        return self.page.locator(f"{full}, {vacant}")

    def at(self, name):
        """Middle of a hex in the window."""
        self.spot(name).first.wait_for()
        box, port = None, self.page.locator(".port").bounding_box()
        while box is None:  # the map may just be drawn anew
            box = self.spot(name).first.bounding_box()
        if not self.within(box, port):
            self.click(self.page.get_by_role("button", name="Fit", exact=True))
            box = self.spot(name).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    @staticmethod
    def within(box, port):
        return all(
            port[at] < box[at] and box[at] + box[size] < port[at] + port[size]
            for at, size in (("x", "width"), ("y", "height"))
        )

    def tap(self, *point):
        self.acts += 1
        self.page.mouse.click(*point)

    def brush(self, tool, *choices, **fields):
        """Take a brush, and set what it paints."""
        button = self.page.locator(".palette .tool", has_text=tool)
        if button.get_attribute("aria-pressed") != "true":
            self.click(button)
        for choice in choices:
            chip = self.page.locator(f'.palette .choice[data-value="{choice}"]')
            if chip.get_attribute("aria-pressed") != "true":
                self.click(chip)
        for name, value in fields.items():
            self.click(self.page.locator(f'.palette input[name="{name}"]'))
            self.key("Control+a")
            self.write(str(value))

    def paint(self, names):
        for name in names.split():
            self.tap(*self.at(name))

    def part(self, section):
        self.pick(self.page.get_by_label("Part of the title"), section)
        self.page.wait_for_function(
            "part => document.querySelector('.inspector').dataset.part === part", arg=section
        )


def read(studio, name):
    return json.loads(say(studio, do="open", name=name)["text"])


def test_a_game_is_made_and_printed_with_at_most_150_clicks_and_keys(begin, page, tmp_path):
    (tmp_path / "mine").mkdir()
    studio = begin(tmp_path / "mine")
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.goto(studio.address)
    person = Person(page, studio)
    person.click(page.locator(".welcome button.strong"))
    person.write("Cumbria")
    box = page.locator("dialog[open]")
    for label, value in (("Rows", 5), ("Companies", 6)):
        person.click(box.get_by_label(label))
        person.key("Control+a")
        person.write(str(value))
    person.pick(box.get_by_label("Box of tiles"), "")
    person.click(box.locator("button.strong"))
    page.wait_for_selector(".viewer[data-version]")

    def board():
        return read(studio, "map.json")["map"]["hexes"]

    def paste(part, at, text, done):
        if part:
            person.part(part)
        page.wait_for_selector(at)
        person.click(page.locator(at))
        person.key("Control+v")
        page.evaluate(PASTE, [at, text])
        until(lambda: page.locator(".notice-of").is_visible() or done())
        assert page.locator(".notice-of").inner_text() == ""
        until(done)

    person.key("e")
    page.wait_for_selector(".hex.empty")
    person.brush("Hexes")
    person.paint("A1")
    until(lambda: len(board()) == 39)
    plain = [name for name, hexagon in board().items() if not hexagon]
    person.brush("Terrain", "mountain", cost=80)
    person.paint(" ".join(plain[:5]))
    person.brush("Stop", "town")
    person.paint(" ".join(plain[5:11]))
    person.brush("Name")
    cities = [name for name, hexagon in board().items() if "name" in hexagon]
    for name, words in zip(
        cities, ("Kendal", "Carlisle", "Penrith", "Barrow", "Ulverston", "Keswick"), strict=True
    ):
        person.tap(*person.at(name))
        page.wait_for_selector(".naming")
        person.write(words)
        person.key("Enter")
        until(lambda name=name, words=words: board()[name].get("name") == words)
    person.key("Escape")

    person.click(page.get_by_role("tab", name="Form"))
    person.part("companies")
    person.click(page.locator(".inspector").get_by_role("button", name="Table", exact=True))
    add = '.table-of [data-at="add"]'

    def title():
        return read(studio, "title.json")

    paste("", add, COMPANIES, lambda: len(read(studio, "companies.json")["companies"]) == 9)
    paste("trains", add, TRAINS, lambda: len(title()["trains"]) == 5)
    paste("phases", add, PHASES, lambda: len(title()["phases"]) == 4)
    paste("tiles", add, TILES, lambda: len(title()["tiles"]) == 15)
    person.click(page.locator(".problems .todo").get_by_role("button", name="Add Market"))
    first = '.inspector [data-at="/market/rows/0/0"]'
    paste("", first, MARKET, lambda: len(title()["market"]["rows"]) == 3)
    person.key("Control+s")
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    person.key("Control+p")
    person.click(page.locator("dialog[open] .actions button.strong"))
    page.wait_for_selector("dialog[open] .files a", timeout=300_000)
    sys.stderr.write(f"\n{person.acts} clicks and keys\n")
    assert person.acts <= 150
    found = check(str(studio.folder))
    assert [str(each) for each in found if each.severity is Severity.ERROR] == []
