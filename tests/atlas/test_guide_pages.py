"""The building guide for phones: whole, and draw by draw."""

import re
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from often import crossed
from platelayer.atlas.assemble import assemble
from platelayer.atlas.files import guide_pages
from platelayer.atlas.make import AtlasOptions, atlas_new
from platelayer.atlas.measures import Surveyor
from platelayer.atlas.report import MapPrint, companies_in_play
from platelayer.atlas.schematic import steps_of
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text
from platelayer.model.map_tiles import (
    AtlasLog,
    Ground,
    ProjectDraw,
    TileDraw,
    board_origin,
    place_name,
    tile_hexes,
)
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


# A group that has only the guide's text and the tiles of the box lays the same map


BOX = shipped_box()
TITLE = shipped("lost-atlas")
NAMES = {
    "en": ("home", "plain", "mountain", "water", "city", "border", "off-board"),
    "ja": ("本拠地", "空白", "山", "水域", "都市", "境界", "盤外"),
}
GROUNDS = [*Ground]
WORDS = {
    "en": (
        r"in order of number: ([^.]*)\.",
        r"Put back in the box: ([^.]*)\.",
        "Tile ",
        "Capital",
        "lay blanks on",
    ),
    "ja": (
        r"番号順に並べる：([^。]*)。",
        r"箱に戻す：([^。]*)。",
        r"タイル\s*",
        "首都",
        "空白ヘックスタイルを置く場所",
    ),
}
PLACE = re.compile(r"([A-Z]+)(\d+)")


def numbers(listed: str) -> Counter[int]:
    """Numbers of map tiles as the guide lists them: "3, 12 (2×)"."""
    return Counter(
        {
            int(number): int(count or 1)
            for number, count in re.findall(r"(\d+)(?:\s*\((\d+)×\))?", listed)
        }
    )


def spot(place: str) -> tuple[int, int]:
    """Column and row of printed coordinates, from 0; the rows of a column are two apart."""
    letters, row = PLACE.fullmatch(place).groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return column - 1, int(row) - 1


def clockwise(places: tuple[str, ...]) -> list[str]:
    """Three places round a corner, clockwise from the top or the upper left one."""
    assert len(places) == 3
    spots = {place: spot(place) for place in places}
    columns = Counter(x for x, _ in spots.values())
    (pair,) = (x for x, count in columns.items() if count == 2)
    (alone,) = (place for place, (x, _) in spots.items() if x != pair)
    upper, lower = sorted(
        (place for place in places if place != alone), key=lambda place: spots[place][1]
    )
    assert spots[lower][1] - spots[upper][1] == 2
    assert abs(spots[alone][0] - pair) == 1
    assert spots[alone][1] == spots[upper][1] + 1
    return [upper, alone, lower] if spots[alone][0] > pair else [upper, lower, alone]


def cut_out(number: int) -> tuple[Ground, ...]:
    """A tile of the box as it lies in the hand: what its hexes show, clockwise round its middle."""
    tile = BOX.tile_by_number[number]
    return tuple(hexagon.ground for hexagon in tile.hexes)


def laid_by_text(
    text: str, language: str
) -> tuple[dict[str, tuple[int, int]], list[str], set[str]]:
    """A map laid by the guide's words alone: at each place the number of a tile and which of its
    hexes (for those that look alike, the first); capitals; blanks."""
    fetch, _, tile_word, capital, blanks = WORDS[language]
    ground_of = dict(zip(NAMES[language], GROUNDS, strict=True))
    pile = numbers(re.search(fetch, text)[1])
    board: dict[str, tuple[int, int]] = {}
    capitals: list[str] = []
    words = "|".join(NAMES[language])
    pattern = rf"(?:{tile_word}(\d+)|({capital}))\b[^\n]*\n\s*((?:(?:{words})\s+[A-Z]+\d+[\s·]*)+)"
    for number, is_capital, hexes in re.findall(pattern, text):
        shown = re.findall(rf"({words})\s+([A-Z]+\d+)", hexes)
        if is_capital:
            ((ground, place),) = shown
            assert ground_of[ground] is Ground.CITY
            assert cut_out(board[place][0])[board[place][1]] is Ground.CITY
            capitals.append(place)
            continue
        tile = int(number)
        assert pile[tile] > 0, f"tile {tile} was not fetched"
        pile[tile] -= 1
        wanted = {place: ground_of[ground] for ground, place in shown}
        places = clockwise(tuple(wanted))
        looks = cut_out(tile)
        turns = [
            k for k in range(3) if all(looks[(i + k) % 3] is wanted[places[i]] for i in range(3))
        ]
        assert turns, f"tile {tile} fits in no way"
        assert len(turns) == 1 or len(set(looks)) == 1, f"tile {tile} fits in several ways"
        assert not board.keys() & wanted.keys()
        board |= {place: (tile, (i + turns[0]) % 3) for i, place in enumerate(places)}
    assert not +pile, f"tiles left over: {+pile}"
    last = text[text.rindex(blanks) + len(blanks) :] if blanks in text else ""
    return board, capitals, set(re.findall(r"\b[A-Z]+\d+\b", last.split("\f")[0]))


def laid_by_log(log: AtlasLog) -> tuple[dict[str, tuple[int, int]], list[str], set[str]]:
    origin = board_origin(log)
    board = {
        place_name(at, origin): (draw.tile, 0 if len(set(cut_out(draw.tile))) == 1 else index)
        for draw in log.placed
        for index, at in enumerate(tile_hexes(draw.at, draw.rotation))
    }
    capitals = [place_name(at, origin) for at in log.overlays]
    return board, capitals, {place_name(at, origin) for at in log.blanks}


def same_looks(board: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The same with one hex for all of a tile that shows the same three times."""
    return {
        place: (tile, 0 if len(set(cut_out(tile))) == 1 else index)
        for place, (tile, index) in board.items()
    }


@pytest.mark.parametrize(
    ("mode", "seed", "policy", "language"),
    crossed(
        [
            ("long", 7, "compact"),
            ("long", 5, "uniform"),
            ("micro3", 9, "uniform"),
            ("micro2", 4, "compact"),
        ],
        ["ja", "en"],
    ),
)
def test_the_guide_alone_rebuilds_the_map(tmp_path: Path, language, mode, seed, policy):
    options = AtlasOptions(mode=mode, seed=seed, policy=policy, language=language, png=False)
    log = atlas_new(tmp_path, options).log
    text = subprocess.run(
        ["pdftotext", "-raw", tmp_path / "guide.pdf", "-"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    board, capitals, blanks = laid_by_text(text, language)
    assert (same_looks(board), capitals, blanks) == laid_by_log(log)
    fetch, back, *_ = WORDS[language]
    wanted = numbers(re.search(fetch, text)[1])
    put_back = numbers(found[1]) if (found := re.search(back, text)) else Counter()
    assert wanted + put_back == Counter({tile.number: tile.copies for tile in BOX.map_tiles})
    # What else is set up stands on the first page.
    first, rules = text.split("\f")[0], BOX.mode_by_id[mode]
    if language == "ja":  # Japanese is set with room beside figures, which reads as a blank
        first = re.sub(r"[ \n]", "", first)
    for company in companies_in_play(BOX, rules, log):
        assert TITLE.company_by_id[company].name.get(language).replace(" ", "") in "".join(
            first.split()
        )
    for train, count in rules.trains:
        assert (
            f"{count} × {train}-train" if language == "en" else f"{train}-列車{count}枚"
        ) in first
    for players, amount in rules.cash:
        assert (
            f"{players} players: ${amount}" if language == "en" else f"{players}人：${amount}"
        ) in first
    assert "+".join(map(str, rules.columns)) in first.replace(" ", "")
    assert (
        f"after cycle {rules.cycles}" if language == "en" else f"{rules.cycles}サイクルで終了"
    ) in first
    assert ("30/40/70/100" in first.replace(" ", "")) == any(
        draw.tile in (26, 27, 28) for draw in log.placed
    )
