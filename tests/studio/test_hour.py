"""A small real game made in the studio with mouse and keyboard alone: Shikoku 1889, seen in the
shared corpus, never imported. No JSON is typed. What was made is held against the import of that
game."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path

import pytest

from beside import SHARED, needs
from platelayer import check
from platelayer.definitions.titles import load_title
from platelayer.exchange.importers import import_title
from platelayer.foundation.problems import Severity
from studio.conftest import say, until

pytestmark = [pytest.mark.slow, needs("corpus")]

GAME = "18xx-games/game/g_1889"
MOUNTAINS = "E4 D5 F5 C6 E6 G6 D7 F7 A8 G8 B9 H9 H11 H13"
CITIES = "F3 G4 H7 A10 J11 G12 E2 I2 K8 C10 I4"
PORTS = "B11 G10 I12 J9"
PLAIN = "D3 H3 J3 B5 C8 E8 I8 D9 I10"
NAMES = {
    "F3": "Saijou",
    "G4": "Niihama",
    "H7": "Ikeda",
    "A10": "Sukumo",
    "J11": "Anan",
    "G12": "Nahari",
    "E2": "Matsuyama",
    "I2": "Marugame",
    "K8": "Tokushima",
    "C10": "Kubokawa",
    "J5": "Ritsurin Kouen",
    "G10": "Nangoku",
    "J9": "Komatsujima",
    "I12": "Muki",
    "B11": "Nakamura",
    "I4": "Kotohira",
    "C4": "Ohzu",
    "K4": "Takamatsu",
    "B7": "Uwajima",
    "B3": "Yawatahama",
    "G14": "Muroto",
    "F1": "Imabari",
    "J1": "Sakaide & Okayama",
    "L7": "Naruto & Awaji",
    "F9": "Kouchi",
}
TRACK = {
    "C4": "2",
    "K4": "012",
    "B7": "135",
    "B3": "05",
    "G14": "34",
    "F1": "01",
    "J1": "01",
    "L7": "12",
    "F9": "2345",
}
PRINTED = {"yellow": "C4 K4", "gray": "B7 B3 G14 J7", "red": "F1 J1 L7", "green": "F9"}
OFFBOARD = {"F1": (30, 60, 100), "J1": (20, 40, 80), "L7": (20, 40, 80)}
COUNTS = {
    1: "12 13 14 16 19 20 25 26 27 28 29 39 40 41 42 45 46 47 205 206 437 438 439 440 465 466 492",
    2: "3 5 6 7 23 24 57 611",
    3: "15 58",
    4: "448",
    5: "8 9",
}
TILES = {number: count for count, numbers in COUNTS.items() for number in numbers.split()}
COMPANIES = [
    ("AR", "Awa Railroad", "#37383a", [0, 40], "K8"),
    ("IR", "Iyo Railway", "#f48221", [0, 40], "E2"),
    ("SR", "Sanuki Railway", "#76a042", [0, 40], "I2"),
    ("KO", "Takamatsu & Kotohira Electric Railway", "#d81e3e", [0, 40], "K4"),
    ("TR", "Tosa Electric Railway", "#00a993", [0, 40, 40], "F9"),
    ("KU", "Tosa Kuroshio Railway", "#0189d1", [0], "C10"),
    ("UR", "Uwajima Railway", "#6f533e", [0, 40, 40], "B7"),
]
PRIVATES = [
    ("TER", "Takamatsu E-Railroad", 20, 5, "Blocks Takamatsu (K4) while a player owns it."),
    ("MF", "Mitsubishi Ferry", 30, 5, "Its owner may place the port tile on a coastal town."),
    (
        "ER",
        "Ehime Railway",
        40,
        10,
        "When it is sold to a company: a green tile on Ohzu (C4) at once.",
    ),
    ("SMR", "Sumitomo Mines Railway", 50, 15, "Its company builds in mountains for nothing."),
    ("DR", "Dougo Railway", 60, 15, "May be exchanged for a 10 % share of the Iyo Railway."),
    ("SIR", "South Iyo Railway", 80, 20, ""),
    ("UTF", "Uno-Takamatsu Ferry", 150, 30, "Does not close while a player owns it."),
]
TRAINS = [
    ("2", 6, 80, 2, "4"),
    ("3", 5, 180, 3, "6"),
    ("4", 4, 300, 4, "D"),
    ("5", 3, 450, 5, ""),
    ("6", 2, 630, 6, ""),
]
PHASES = [
    ("2", 4, "yellow", 1),
    ("3", 4, "yellow green", 2),
    ("4", 3, "yellow green", 2),
    ("5", 2, "yellow green brown", 3),
    ("6", 2, "yellow green brown", 3),
    ("D", 2, "yellow green brown", 3),
]
MARKET = """
75 80 90 100p 110 125 140 155 175 200 225 255 285 315 350
70 75 80 90p 100 110 125 140 155 175 200 225 255 285 315
65 70 75 80p 90 100 110 125 140 155 175 200
60 65 70 75p 80 90 100 110 125 140
55 60 65 70p 75 80 90 100
50y 55 60 65p 70 75 80
45y 50y 55 60 65 70
40y 45y 50y 55 60
30o 40y 45y 50y
20o 30o 40y 45y
10o 20o 30o 40y
"""
PLAYERS = {"2": (420, 25), "3": (420, 19), "4": (420, 14), "5": (390, 12), "6": (390, 11)}


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

    # --- the map
    # -------------------------------------------------------------------------------------------------

    def spot(self, name, empty=False):
        full, vacant = (
            f'.hex[aria-label="{name}"]',
            f'.hex.empty[aria-label="{name}, an empty place"]',
        )
        return self.page.locator(vacant if empty else f"{full}, {vacant}")

    def at(self, name, edge=None, part=1.0):
        """A point of the window: the middle of a hex, or towards one of its edges."""
        self.spot(name).first.wait_for()
        box, port = None, self.page.locator(".port").bounding_box()
        while box is None:  # the map may just be drawn anew
            box = self.spot(name).first.bounding_box()
        if not self.within(box, port):
            self.click(self.page.get_by_role("button", name="Fit", exact=True))
            box = self.spot(name).first.bounding_box()
        x, y, half = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["height"] / 2
        angle = math.radians(90 + 60 * (edge or 0))
        return (
            (x, y)
            if edge is None
            else (x + part * half * math.cos(angle), y + part * half * math.sin(angle))
        )

    @staticmethod
    def within(box, port):
        return all(
            port[at] < box[at] and box[at] + box[size] < port[at] + port[size]
            for at, size in (("x", "width"), ("y", "height"))
        )

    def drag(self, *points):
        self.acts += 1
        self.page.mouse.move(*points[0])
        self.page.mouse.down()
        for point in points[1:]:
            self.page.mouse.move(*point, steps=6)
        self.page.mouse.up()

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

    # --- the form
    # ------------------------------------------------------------------------------------------------

    @property
    def form(self):
        return self.page.locator(".inspector")

    def part(self, section):
        self.pick(self.page.get_by_label("Part of the title"), section)
        self.page.wait_for_function(
            "part => document.querySelector('.inspector').dataset.part === part", arg=section
        )

    def field(self, at):
        return self.page.locator(f'.inspector [data-at="{at}"]')

    def fill(self, at, value):
        self.click(self.field(at))
        self.key("Control+a")
        if value == "":
            self.key("Delete")
        else:
            self.write(str(value))
        self.key("Tab")

    def new(self, section, name, kind=""):
        """A new entry of a list."""
        self.click(self.form.get_by_role("button", name="New", exact=True))
        box = self.page.locator("dialog[open]")
        self.write(name)
        if kind:
            self.pick(box.locator("select"), kind)
        self.click(box.locator("button.strong"))
        self.page.wait_for_function(
            "id => document.querySelector('.inspector [aria-label=Id]')?.value === id", arg=name
        )
        self.page.wait_for_selector(
            f'.inspector [data-field="/{section}/{name}/name"], .inspector [data-field^="/{section}/{name}/"]'
        )

    def more(self):
        details = self.form.locator("details.more").first
        if details.get_attribute("open") is None:
            self.click(details.locator("summary").first)


def read(studio, name):
    return json.loads(say(studio, do="open", name=name)["text"])


def hexes(studio):
    return read(studio, "map.json")["map"]["hexes"]


def make_map(person, studio):
    page = person.page
    person.click(page.get_by_role("button", name="Edit (e)"))
    page.wait_for_selector(".hex.empty")
    # The only hex that is left becomes the first of Shikoku.
    person.brush("Hexes")
    for name in ("B2", "B4", "C1", "C3", "A1"):
        person.paint(name)
        page.wait_for_selector(f'.hex:not(.empty)[aria-label="{name}"]', state="detached")
    person.brush("Clear")
    person.paint("A3")
    person.key("Escape")
    person.part("maps/main")
    person.fill("/maps/main/name", "The railways of Shikoku")
    person.part("maps/main/hexes")
    person.pick(page.get_by_label("Entry", exact=True), "A3")
    until(lambda: person.form.get_by_label("Id", exact=True).input_value() == "A3")
    person.fill("/maps/main/hexes/A3/name", "")
    person.click(person.form.get_by_label("Id", exact=True))
    person.key("Control+a")
    person.write("A8")
    person.key("Enter")
    until(lambda: set(hexes(studio)) == {"A8"})
    wanted = {
        *MOUNTAINS.split(),
        *CITIES.split(),
        *PORTS.split(),
        *PLAIN.split(),
        "J5",
        "K6",
        "H5",
        "I6",
    }
    wanted |= {name for names in PRINTED.values() for name in names.split()}
    todo = sorted(wanted - {"A8"})
    while todo:
        page.wait_for_function("() => document.querySelectorAll('.hex.empty').length > 0")
        for name in [*todo]:
            if person.spot(name, empty=True).count():
                person.tap(*person.at(name))
                until(lambda name=name: name in hexes(studio))
                page.wait_for_selector(f'.hex:not(.empty)[aria-label="{name}"]')
                todo.remove(name)


def paint_map(person, _studio):
    for colour, names in PRINTED.items():
        person.brush("Colour", colour)
        person.paint(names)
    person.brush("Terrain", "mountain", cost=80)
    person.paint(MOUNTAINS)
    person.brush("Terrain", "water", cost=80)
    person.paint("K6 H5 I6 F9 I4")
    person.brush("Stop", "city")
    person.paint(CITIES)
    person.brush("Stop", "town")
    person.paint(f"J5 {PORTS}")
    person.brush("Stop", "city", revenue=20)
    person.paint("C4")
    person.brush("Stop", "city", revenue=30)
    person.paint("K4")
    person.brush("Stop", "city", revenue=40, slots=2)
    person.paint("B7")
    person.brush("Stop", "city", revenue=30, slots=2)
    person.paint("F9")
    person.brush("Stop", "town", revenue=20)
    person.paint("B3 G14")
    for name, (yellow, brown, gray) in OFFBOARD.items():
        person.brush("Stop", "offboard", in_yellow=yellow, in_brown=brown, in_gray=gray)
        person.paint(name)
    person.brush("Icon", icon="port")
    person.paint(PORTS)
    for text, name in (("H", "I4"), ("T", "K4"), ("K", "F9")):
        person.brush("Label", text=text)
        person.paint(name)


def draw_map(person, studio):
    page = person.page
    person.brush("Track")
    for name, edges in TRACK.items():
        until(lambda name=name: hexes(studio)[name].get("stops"))
        for edge in edges:
            person.drag(person.at(name, int(edge), 0.85), person.at(name))
            until(
                lambda name=name, edge=edge: any(
                    int(edge) in each for each in hexes(studio)[name].get("track", [])
                )
            )
    person.drag(person.at("J7", 1, 0.85), person.at("J7", 5, 0.85))
    person.brush("Name")
    for name, words in NAMES.items():
        person.tap(*person.at(name))
        page.wait_for_selector(".naming")
        person.write(words)
        person.key("Enter")
        until(lambda name=name, words=words: hexes(studio)[name].get("name") == words)
    person.key("Escape")


def make_title(person, studio):
    person.part("")
    person.fill("/id", "shikoku")
    person.fill("/name", "Shikoku 1889")
    person.more()
    person.fill("/currency", "¥{}")
    person.fill("/bank", 7000)
    for colour in ("yellow", "green", "brown"):
        person.click(person.field(f"/colours#{colour}"))
    for count, (cash, limit) in PLAYERS.items():
        person.fill("/players#key", count)
        person.page.wait_for_selector(f'.inspector [data-at="/players/{count}/cash"]')
        person.fill(f"/players/{count}/cash", cash)
        person.fill(f"/players/{count}/certificate_limit", limit)
    until(lambda: len(read(studio, "title.json").get("players", {})) == len(PLAYERS))


def make_companies(person, _studio):
    person.part("companies")
    for name, words, colour, stations, home in COMPANIES:
        person.new("companies", name)
        at = f"/companies/{name}"
        person.fill(f"{at}/name", words)
        person.fill(f"{at}/colour", colour)
        if len(stations) == 1:
            person.fill(f"{at}/stations/1", "")
        elif len(stations) == 3:
            person.fill(f"{at}/stations/2", 40)
        person.more()
        person.click(person.field(f"{at}/homes#add"))
        person.page.wait_for_selector(f'.inspector [data-at="{at}/homes/0/hex"]')
        person.fill(f"{at}/homes/0/hex", home)
    for name, words, value, income, ability in PRIVATES:
        person.new("companies", name, "private")
        at = f"/companies/{name}"
        person.fill(f"{at}/name", words)
        person.fill(f"{at}/value", value)
        person.fill(f"{at}/income", income)
        if ability:
            person.more()
            person.click(person.field(f"{at}/abilities#add"))
            person.fill(f"{at}/abilities/0", ability)


def make_trains(person, _studio):
    person.part("trains")
    for name, count, price, stops, rusts in [*TRAINS, ("D", 6, 1100, 0, "")]:
        person.new("trains", name)
        at = f"/trains/{name}"
        person.fill(f"{at}/count", count)
        person.fill(f"{at}/price", price)
        for key in ("visit", "pay"):
            if stops:
                if not person.field(f"{at}/reach/0/{key}").count():
                    person.click(person.field(f"{at}/reach/0/{key}#null"))
                person.fill(f"{at}/reach/0/{key}", stops)
            else:
                person.click(person.field(f"{at}/reach/0/{key}#null"))
        if name != "2":
            person.more()
            person.fill(f"{at}/starts", name)
        if rusts:
            person.more()
            person.fill(f"{at}/rusts_on/0", rusts)
            person.click(person.field(f"{at}/permanent"))
    for number, train in enumerate("456"):
        person.more()
        person.click(person.field("/trains/D/trade_ins#add"))
        person.fill(f"/trains/D/trade_ins/{number}/train", train)
        person.fill(f"/trains/D/trade_ins/{number}/price", 800)
    person.part("phases")
    for name, limit, tiles, rounds in PHASES:
        person.new("phases", name)
        at = f"/phases/{name}"
        person.fill(f"{at}/train_limits/major", limit)
        person.fill(f"{at}/operating_rounds", rounds)
        for tile in ("green", "brown"):
            chip = person.field(f"{at}/tiles#{tile}")
            if (tile in tiles) != (chip.get_attribute("aria-pressed") == "true"):
                person.click(chip)


def make_market(person, studio):
    person.part("market")
    person.click(person.form.get_by_role("button", name="Add Market"))
    person.page.wait_for_selector('.inspector [data-at="/market/rows/0/0"]')
    for letter, words in (("y", "No certificate limit"), ("o", "Any number may be bought")):
        person.fill("/market/zones#key", letter)
        person.page.wait_for_selector(f'.inspector [data-at="/market/zones/{letter}/name"]')
        person.fill(f"/market/zones/{letter}/name", words)
    rows = [line.split() for line in MARKET.split("\n") if line]
    person.click(person.field("/market/rows/0/0"))
    for number, row in enumerate(rows):
        for price in row:
            person.key("Control+a")
            person.write(price)
            person.key("Tab")
        if number + 1 < len(rows):
            person.key("Enter")
    until(lambda: read(studio, "title.json")["market"]["rows"] == rows)


def make_tiles(person, _studio):
    page = person.page
    person.click(page.get_by_role("tab", name="Tiles"))
    page.wait_for_selector(".catalogue .card")
    search = page.get_by_label("Search tiles")
    for number, count in TILES.items():
        person.click(search)
        person.key("Control+a")
        person.write(number)
        person.click(page.locator(f'.catalogue [data-tile="{number}"]'))
        person.click(page.get_by_role("button", name="Add", exact=False).first)
        if count > 1:
            person.click(page.get_by_label(f"How many of {number}", exact=True))
            person.key("Control+a")
            person.write(str(count))
            person.key("Enter")


def test_a_small_real_game_is_made_by_hand(begin, page, tmp_path, record_property):
    (tmp_path / "mine").mkdir()
    studio = begin(tmp_path / "mine")
    begun = time.monotonic()
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.goto(studio.address)
    person = Person(page, studio)
    person.click(page.locator(".welcome button.strong"))
    person.pick(page.get_by_label("Begin with"), "bare")
    person.click(page.locator("dialog[open] button.strong"))
    page.wait_for_selector(".viewer[data-version]")
    person.click(page.get_by_role("tab", name="Form"))
    times = {}
    for make in (
        make_title,
        make_map,
        paint_map,
        draw_map,
        make_tiles,
        make_companies,
        make_trains,
        make_market,
    ):
        now = time.monotonic()
        make(person, studio)
        times[make.__name__] = round(time.monotonic() - now)
    person.key("Control+s")
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    total = f"{person.acts} actions in {time.monotonic() - begun:.0f} s: {times}"
    record_property("hour", total)
    sys.stderr.write(f"\n{total}\n")

    problems = [str(each) for each in check(str(studio.folder)) if each.severity is Severity.ERROR]
    assert problems == []
    hold_against_the_import(studio.folder, tmp_path)
    person.key("Control+p")
    person.click(page.locator("dialog[open] .actions button.strong"))
    page.wait_for_selector("dialog[open] .files a", timeout=300_000)
    person.click(page.get_by_role("button", name="Write to the output folder"))
    until(lambda: len([*(studio.folder / "output").rglob("*.pdf")]) > 5)


def ends_of(tile):
    return {frozenset((str(segment.a), str(segment.b))) for segment in tile.track}


def hold_against_the_import(folder: Path, tmp_path: Path):
    """What was made by hand says what the game's own data say."""
    import_title(SHARED / "corpus" / GAME, tmp_path / "imported")
    made, theirs = (load_title(str(path)).title for path in (folder, tmp_path / "imported"))
    ours, other = ({each.id: each for each in title.maps[0].hexes} for title in (made, theirs))
    assert ours.keys() == other.keys()
    for name, hexagon in ours.items():
        assert hexagon.tile.colour == other[name].tile.colour, name
        assert [stop.kind for stop in hexagon.tile.stops] == [
            stop.kind for stop in other[name].tile.stops
        ], name
        assert ends_of(hexagon.tile) == ends_of(other[name].tile), name
    assert {
        train.id: (train.count, [face.price for face in train.faces])
        for train in made.trains
        if train.id != "D"
    } == {
        train.id: (train.count, [face.price for face in train.faces])
        for train in theirs.trains
        if train.id != "D"
    }
    assert {phase.id: phase.tiles for phase in made.phases} == {
        phase.id: phase.tiles for phase in theirs.phases
    }
    assert made.bank == theirs.bank
    assert made.players == theirs.players
