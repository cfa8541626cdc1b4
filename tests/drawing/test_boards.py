"""Markets of every shape, revenue chart, round track, checklist."""

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.market import Room, draw_market, spaces_of
from platelayer.drawing.charts.checklist import draw_checklists, subject_name
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import STRIP_MM, least_space_mm, space_mm
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.market import Cell, Market, MarketShape, Zone
from platelayer.model.title import Size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from shipped import shipped

A4_ACROSS_MM = (283.0, 196.0)
TOKEN_MM = 12.0
ROOM = Room(size_mm=A4_ACROSS_MM, space_mm=(16.0, 22.0), least_mm=(13.5, 19.7))

# reference/18cz.json: 46 prices in one zigzag, even ones low, odd ones high.
ZIGZAG = (
    "40 45 50p 53 55p 58 60pP 63 65p 68 70pP 75 80P 85 90zP 95 100zP 105 110z 115 120z 126 132 138 144 151 158 165 "
    "172 180 188 196 204 213 222 231 240 250 260 275 290 305 320 335 350 370"
)
# reference/1841.json: 13 rows of up to 19.
LENGTHS_1841 = (19, 19, 19, 16, 14, 13, 12, 11, 10, 9, 8, 7, 6)
ZONES = tuple(
    Zone(id=letter, name=Text.plain(f"Zone {letter}"), colour=colour, par=True)
    for letter, colour in (("p", "tile.yellow"), ("P", "tile.green"), ("z", "tile.blue"))
)


@pytest.fixture(scope="module")
def style():
    return Style(theme=load_theme("classic"))


@pytest.fixture(scope="module")
def title():
    europe = shipped("18eu")
    return replace(europe, currency="{}", pieces=replace(europe.pieces, rounds_once=False))


def cell(text):
    digits = text.rstrip("pPz")
    return Cell(price=int(digits), zones=tuple(text[len(digits) :]))


def zigzag():
    return Market(shape=MarketShape.ZIGZAG, rows=(tuple(map(cell, ZIGZAG.split())),), zones=ZONES)


def stairs(**first):
    rows = [
        [Cell(price=100 + 10 * x - 5 * y) for x in range(n)] for y, n in enumerate(LENGTHS_1841)
    ]
    rows[0][0] = replace(rows[0][0], **first)
    return Market(shape=MarketShape.GRID, rows=tuple(map(tuple, rows)), zones=ZONES)


def draw(title, market, style):
    return draw_market(replace(title, market=market), "market", style)


def texts(scene):
    return [text.run.text for text in flatten_scene(scene)[1]]


def test_a_market_of_19_by_13_lies_on_two_a4_pages(title, style):
    scene = draw(title, stairs(), style)
    assert scene.width_mm <= A4_ACROSS_MM[0]
    assert scene.height_mm <= 2 * A4_ACROSS_MM[1] - 8.0
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("market", [zigzag(), stairs(), replace(zigzag(), shape=MarketShape.LINE)])
def test_every_space_holds_a_token_and_none_overlap(market):
    placed, (wide, tall) = spaces_of(market, ROOM)
    spaces = [box for _, box in placed]
    assert len(spaces) == sum(len(row) for row in market.rows)
    for number, one in enumerate(spaces):
        assert min(one.width, one.height - STRIP_MM) >= TOKEN_MM
        assert one.x + one.width <= wide + 0.01
        assert one.y + one.height <= tall + 0.01
        for other in spaces[number + 1 :]:
            beside = one.x + one.width <= other.x + 0.01 or other.x + other.width <= one.x + 0.01
            above = one.y + one.height <= other.y + 0.01 or other.y + other.height <= one.y + 0.01
            assert beside or above


@pytest.mark.parametrize("token", [12.0, 15.0])
@pytest.mark.parametrize("shape", MarketShape)
def test_a_token_in_a_space_leaves_its_price_free(title, style, token, shape):
    sized = replace(
        title,
        pieces=replace(title.pieces, sizes=(Size(kind="token", width_mm=token, height_mm=token),)),
    )
    market = stairs() if shape is MarketShape.GRID else replace(zigzag(), shape=shape)
    scene = draw(sized, market, style)
    assert check_legibility(scene) == ()
    placed, _ = spaces_of(
        market, Room(size_mm=A4_ACROSS_MM, space_mm=space_mm(sized), least_mm=least_space_mm(sized))
    )
    spaces = [box for _, box in placed]
    assert all(min(space.width, space.height - STRIP_MM) >= token + 1.0 for space in spaces)
    prices = [text for text in flatten_scene(scene)[1] if text.run.text.isdecimal()]
    assert {text.size_pt for text in prices} == {14.0}
    assert all(text.bounds[3] - text.bounds[1] < STRIP_MM for text in prices)


def test_gaps_are_left_open(title, style):
    market = Market(
        shape=MarketShape.GRID,
        rows=((Cell(price=10), None, Cell(price=30)), (None, Cell(price=20), None)),
    )
    spaces = [box for _, box in spaces_of(market, ROOM)[0]]
    assert len(spaces) == 3
    assert spaces[1].x == 2 * spaces[0].width
    assert check_legibility(draw(title, market, style)) == ()


def test_ledges_are_thick_bars(title, style):
    def thick(scene):
        return sum(shape.stroke_mm > 1.0 for shape in flatten_scene(scene)[0])

    assert thick(draw(title, stairs(), style)) == 0
    assert thick(draw(title, stairs(ledge=("up", "right")), style)) == 2


def test_words_stand_in_place_of_a_price(title, style):
    plain, closed = (
        texts(draw(title, market, style)) for market in (stairs(), stairs(text="Closed"))
    )
    assert plain.count("100") == closed.count("100") + 1
    assert "Closed" in closed


@pytest.fixture(scope="module")
def pages(title, style):
    return draw_checklists(title, build_manifest(title), style, 186.0, 262.0)


def test_the_checklist_lists_every_piece_with_its_count(title, pages):
    assert [page.key for page in pages] == [
        f"checklist:{number}" for number in range(1, len(pages) + 1)
    ]
    found = [each for page in pages for each in texts(page)]
    for entry in title.tiles:
        assert entry.tile.id in found
        assert f"×{entry.count}" in found
    printed = " ".join(found)
    for company in title.companies:
        assert company.name.get("en").split()[0] in printed
    assert "191" in found
    for page in pages:
        assert check_legibility(page) == ()


def test_what_is_reconstructed_is_described_in_words(title):
    english, japanese = (
        Style(theme=load_theme("classic"), language=language) for language in ("en", "ja")
    )
    assert subject_name(title, "companies/names", english) == "Companies – names"
    assert subject_name(title, "companies/names", japanese) == "会社 – 名称"
    assert subject_name(title, "map/B7", japanese) == "マップ – B7"


def test_groups_of_a_kind_that_overlap_can_be_distinguished(style):
    title = shipped("18cz")
    pages = draw_checklists(title, build_manifest(title), style, 186.0, 262.0)
    found = [each for page in pages for each in texts(page)]
    start = found.index("Charters")
    assert found[start : start + 5] == ["Charters", "15", "Small 5", "Medium 5", "Large 5"]
    assert "Major 15" not in found


def test_a_small_page_makes_more_pages_and_loses_nothing(title, style, pages):
    small = draw_checklists(title, build_manifest(title), style, 186.0, 120.0)
    assert len(small) > len(pages)

    def words(scenes):
        stated = [
            each
            for page in scenes
            for each in texts(page)
            if "page " not in each and "18EU" not in each
        ]
        return sorted(word for each in stated for word in each.split())

    assert words(small) == words(pages)
