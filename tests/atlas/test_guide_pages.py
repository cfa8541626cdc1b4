"""The building guide for phones: whole, and draw by draw."""

import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from platelayer.atlas.assemble import assemble
from platelayer.atlas.files import guide_pages
from platelayer.atlas.measures import Surveyor
from platelayer.atlas.report import MapPrint
from platelayer.atlas.schematic import steps_of
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text
from platelayer.model.map_tiles import ProjectDraw, TileDraw
from shipped import shipped

LOADED = shipped("lost-atlas")
EMPTY = {"meta", "polygon", "circle", "use", "br"}


class Reader(HTMLParser):
    """Texts by the class of their element, and whether all elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.kinds: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in EMPTY:
            self.open.append(tag)
            self.kinds.append(dict(attrs).get("class", ""))

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag
            self.kinds.pop()

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.kinds[-1] if self.kinds else "", data))


def pages(
    mode: str, seed: int, language: str = "en", title=LOADED
) -> tuple[object, dict[str, str]]:
    log = assemble(title.atlas, mode, seed=seed)
    job = MapPrint(
        title=title,
        log=log,
        companies=["AG", "RE"],
        style=Style(theme=load_theme("classic"), language=language),
        paper="a4",
        homes=Surveyor(title.atlas).subject(log).homes_by_company,
        chosen={},
        fairness=90.0,
        again="platelayer atlas new --title '<b>'",
    )
    return log, {name: data.decode() for name, data in guide_pages(job).items()}


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("mode", "seed"), [("long", 7), ("short", 9), ("micro3", 3), ("micro2", 1)]
)
def test_every_step_is_there_in_order(mode, seed, language):
    log, made = pages(mode, seed, language)
    found = read(made["guide.html"])
    tiles = [int(text) for kind, text in found.texts if kind == "number"]
    assert tiles == [draw.tile for draw in log.placed]
    steps = steps_of(LOADED.atlas, log)
    places = [text for kind, text in found.texts if kind == "place"]
    assert places == [place for step in steps for _, place in step.hexes]
    near = [text for kind, text in found.texts if kind == "near"]
    assert [re.findall(r"\d+", words) for words in near] == [
        [str(number) for number in step.beside] for step in steps
    ]


@pytest.mark.parametrize("page", ["guide.html", "blind.html"])
def test_letters_can_be_read_on_a_phone(page):
    made = pages("long", 7)[1][page]
    *steps, whole = re.findall(r'class="board" viewBox="\S+ \S+ (\S+) \S+"([^>]*)', made)
    # 390 pixels less the margins; the last picture scrolls at its own size.
    letters = min(map(int, re.findall(r"(?:\.name{font:|font-size=.)(\d+)", made)))
    assert all(letters * 358 / float(width) >= 12 for width, _ in steps)
    assert f'width="{whole[0]}"' in whole[1]
    assert letters >= 12


def test_the_room_on_the_table_comes_first():
    made = pages("long", 7)[1]
    assert made["guide.html"].index("705 × 400 mm") < made["guide.html"].index("Map tiles</dt>")
    assert "705 × 400" not in made["blind.html"]


def test_a_blind_guide_shows_nothing_before_it_is_asked_for():
    log, made = pages("long", 7)
    page = made["blind.html"]
    shown = re.sub(
        r"</summary>.*?(?=<li>|</ol>|</details>\s*<p)",
        "</summary>",
        page[page.index("<ol>") :],
        flags=re.S,
    )
    assert 'class="number"' not in shown
    assert 'class="place"' not in shown
    assert page.count("<details>") == len(log.draws) + len(steps_of(LOADED.atlas, log)) + 1
    assert "<details open" not in page


def test_a_deferred_project_is_a_draw_of_its_own():
    seeds = (
        seed
        for seed in range(200)
        if any(
            isinstance(draw, ProjectDraw) and draw.overlay_at is None
            for draw in assemble(LOADED.atlas, "long", seed=seed).draws
        )
    )
    log, made = pages("long", next(seeds))
    assert "Put it below the pile" in made["blind.html"]
    found = read(made["blind.html"])
    numbers = [int(text) for kind, text in found.texts if kind == "number"]
    assert numbers == [
        draw.tile for draw in log.draws if isinstance(draw, TileDraw) for _ in range(2)
    ]


def test_nothing_comes_from_elsewhere_and_all_is_escaped():
    title = replace(LOADED, name=Text.plain('<script>alert("&")</script>'))
    for page in pages("micro2", 1, title=title)[1].values():
        found = read(page)
        assert not found.tags & {"script", "link", "img", "iframe"}
        assert not re.search(r"https?:|url\(|@import", page)
        assert "&lt;script&gt;alert(&quot;&amp;&quot;)" in page
        assert "&lt;b&gt;" in page


@pytest.mark.parametrize("mode", ["long", "micro2"])
def test_the_homes_are_compared_at_the_end(mode):
    log, made = pages(mode, 3)
    homes = Surveyor(LOADED.atlas).subject(log).homes_by_company
    for page in made.values():
        assert "Fairness 90.0 of 100" in page
        bars = re.findall(
            r'<td>([^<]+)</td><td><meter max="(\d+)" value="(\d+)"></meter></td><td>\$(\d+)</td>',
            page,
        )
        most = str(max(each.worth for each in homes.values()))
        wanted = {
            (LOADED.company_by_id[each].name.get("en"), most, *[str(homes[each].worth)] * 2)
            for each in homes
        }
        assert set(bars) == wanted


def test_what_to_do_before_the_first_tile():
    log, made = pages("micro3", 3)
    fetched = sorted({draw.tile for draw in log.placed})
    (listed,) = re.findall(
        r"Fetch these 16 and lay them out in order of number: ([^.]*)\.", made["guide.html"]
    )
    assert [int(words.split()[0]) for words in listed.split(",")] == fetched
    assert "this map has already drawn its tiles" in made["guide.html"]
    assert "only the one on top of a column can be started" in made["guide.html"].lower()


def test_a_blind_guide_gives_away_nothing_and_tells_the_rules():
    _, made = pages("micro3", 3)
    before = made["blind.html"][: made["blind.html"].index("<ol>")]
    assert "Put back in the box: 26." in before
    assert "Lay out in order of number: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 (2×)," in before
    assert "Map tile 21 brings Adaptive into play" in before
    assert "A border hex may touch only the other two hexes of its own tile" in before
    for company in ("Agricultural", "Resourceful"):
        assert company not in before
    assert "In play: Agricultural, Resourceful." in made["blind.html"]
    short = pages("short", 9)[1]["blind.html"]
    assert "Put back in the box: 9, 10, 11, 12, 13, 14, 21, 26." in short
