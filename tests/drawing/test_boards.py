"""Markets of every shape, revenue chart, round track, checklist."""

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

from often import crossed
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.market import Room, column_letter, draw_market, spaces_of
from platelayer.drawing.boards.round_track import draw_round_track
from platelayer.drawing.boards.sheets import draw_revenue_chart, draw_score_sheet
from platelayer.drawing.charts.checklist import draw_checklists, subject_name
from platelayer.drawing.kit.panels import STRIP_MM, least_space_mm, space_mm
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.market import Cell, Market, MarketShape, Zone
from platelayer.model.title import RevenueChart, Round, ScoreSheet, Size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Role
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


def test_the_market_of_18eu_prints_every_price_on_one_a4_page(title, style):
    scene = draw_market(title, "market", style)
    assert scene.key == "market:market"
    assert scene.width_mm <= A4_ACROSS_MM[0]
    assert scene.height_mm <= A4_ACROSS_MM[1]
    prices = [each for each in texts(scene) if each.isdecimal()]
    rows = (17, 14, 11, 8, 6, 5, 4)
    assert len(prices) == sum(rows)
    assert prices.count("400") == 1
    assert check_legibility(scene) == ()


def test_a_market_of_19_by_13_lies_on_two_a4_pages(title, style):
    scene = draw(title, stairs(), style)
    assert scene.width_mm <= A4_ACROSS_MM[0]
    assert scene.height_mm <= 2 * A4_ACROSS_MM[1] - 8.0
    assert check_legibility(scene) == ()


def test_letters_stand_above_the_columns_and_keep_to_the_page(title, style):
    market = replace(stairs(), column_letters=True)
    scene = draw(title, market, style)
    assert scene.width_mm <= A4_ACROSS_MM[0]
    assert check_legibility(scene) == ()
    middles = {
        text.run.text: (text.corners[0][0] + text.corners[1][0]) / 2
        for text in flatten_scene(scene)[1]
    }
    steps = [middles[letter] - middles["A"] for letter in "ABCDEFGHIJKLMNOPQRS"]
    assert steps == pytest.approx([14.25 * column for column in range(19)], abs=0.1)
    assert column_letter(25) + column_letter(26) + column_letter(52) == "ZAABA"
    assert "K" not in texts(draw(title, stairs(), style))


def test_the_score_sheet_has_a_row_for_each_company_with_shares_and_a_column_for_each_player(
    title, style
):
    rows = (Text.plain("Cash"), Text.plain("Total"))
    held = replace(title, pieces=replace(title.pieces, score_sheet=ScoreSheet(count=3, rows=rows)))
    assert build_manifest(held).totals["score-sheet"] == 3
    scene = draw_score_sheet(held, "accounts", style)
    assert check_legibility(scene) == ()
    found = texts(scene)
    with_shares = [company.id for company in title.companies if company.certificates]
    assert [word for word in dict.fromkeys(found) if word in with_shares] == with_shares
    assert {"Cash", "Total", "Final accounts", *map(str, range(1, 7))} <= set(found)
    assert "7" not in found
    with pytest.raises(KeyError):
        draw_score_sheet(title, "accounts", style)


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


def test_a_zigzag_steps_half_a_space_with_odd_spaces_high():
    placed, _ = spaces_of(zigzag(), replace(ROOM, size_mm=(10_000.0, 196.0)))
    spaces = [box for _, box in placed]
    steps = {round(b.x - a.x, 3) for a, b in pairwise(spaces)}
    assert steps == {spaces[0].width / 2}
    low, high = {space.y for space in spaces[::2]}, {space.y for space in spaces[1::2]}
    assert len(low) == len(high) == 1
    assert high.pop() < low.pop()


def test_a_zigzag_folds_to_keep_to_the_page(title, style):
    scene = draw(title, zigzag(), style)
    assert scene.width_mm <= A4_ACROSS_MM[0]
    assert scene.height_mm <= A4_ACROSS_MM[1]
    assert {"40", "370"} <= set(texts(scene))
    assert check_legibility(scene) == ()


def test_a_folded_zigzag_shows_where_each_line_goes_on(title, style):
    """Rulebook of 18CZ 9-2: a dividend moves a marker right in its line, from 126 to 138 and from
    132 to 144."""
    printed = texts(draw(title, zigzag(), style))
    assert [text for text in printed if printed.count(text) == 2][-4:] == [
        "126",
        "138",
        "132",
        "144",
    ]
    assert texts(draw(title, replace(zigzag(), shape=MarketShape.LINE), style)).count("126") == 1


def test_an_export_is_a_crossed_out_engine_below_its_round(style):
    """Rulebook of 18CZ 8-13: the game track shows an engine with an X."""
    cz = shipped("18cz")
    bare = replace(
        cz,
        pieces=replace(cz.pieces, rounds=tuple(replace(r, export=False) for r in cz.pieces.rounds)),
    )

    def drawn(of):
        shapes, _ = flatten_scene(draw_round_track(of, "rounds", style))
        return [each for each in shapes if each.role is Role.SYMBOL], [
            each for each in shapes if each.line == red
        ]

    red = style.ink("board.ledge")
    assert drawn(bare) == ([], [])
    engines, crosses = drawn(cz)
    assert len(crosses) == 2 * 7
    for cross in crosses:
        left, top, right, bottom = cross.bounds
        assert any(
            left < e.bounds[2] and e.bounds[0] < right and top < e.bounds[3] < bottom + 1
            for e in engines
        )
    assert check_legibility(draw_round_track(cz, "rounds", style)) == ()


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


def test_movement_arrows_are_shapes(title, style):
    market = replace(
        title.market, movement=(Text.plain("→ Dividend paid"), Text.plain("Sold: ↓ one space"))
    )
    scene = draw(title, market, style)
    printed = " ".join(texts(scene))
    assert "Dividend paid" in printed
    assert not set("→↓") & set(printed)
    assert check_legibility(scene) == ()


def test_the_revenue_chart_has_a_space_for_every_step(title, style):
    scene = draw_revenue_chart(title, "revenue", style)
    numbers = [int(each) for each in texts(scene) if each.isdecimal()]
    assert numbers == list(range(10, 401, 10))
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_round_track_names_its_rounds(title, style, count):
    rounds = tuple(Round(id=f"r{n}", name=Text.plain(f"Operating round {n}")) for n in range(count))
    scene = draw_round_track(
        replace(title, pieces=replace(title.pieces, rounds=rounds)), "rounds", style
    )
    printed = " ".join(texts(scene))
    assert all(f"round {n}" in printed for n in range(count))
    assert check_legibility(scene) == ()


def test_the_round_track_shows_rounds_by_phase_where_they_differ(title, style):
    assert "Operating rounds by phase" not in texts(draw_round_track(title, "rounds", style))
    first, *others = title.phases
    scene = draw_round_track(
        replace(title, phases=(replace(first, operating_rounds=1), *others)), "rounds", style
    )
    assert "Operating rounds by phase" in texts(scene)
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_track_of_eight_sets_fits_letter_across(language):
    """279.4 mm less margins of 6, a bleed of 3.2 and marks of 5 on both sides."""
    scene = draw_round_track(
        shipped("18cz"), "rounds", Style(theme=load_theme("classic"), language=language)
    )
    assert scene.width_mm < 279.4 - 2 * (6 + 3.2 + 5)
    assert check_legibility(scene) == ()


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


@pytest.mark.parametrize(
    ("language", "made_up", "differ", "name"),
    crossed(
        [("en", "Reconstruction", "sources differ"), ("ja", "復元", "出典に相違")],
        ["18cz", "1841", "18eu", "1824", "lost-atlas"],
    ),
)
def test_the_checklist_names_reconstructions_and_conflicts(name, language, made_up, differ):
    title, style = shipped(name), Style(theme=load_theme("classic"), language=language)
    pages = draw_checklists(title, build_manifest(title), style, 186.0, 262.0)
    printed = "".join(each for page in pages for each in texts(page)).replace(" ", "")
    stated = [
        entry for entry in title.provenance if entry.source == "reconstruction" or entry.conflict
    ]
    assert {entry.conflict for entry in stated} == {True, False}
    for entry in stated:
        source = made_up if entry.source == "reconstruction" else ""
        brackets, colon = ("({})", ":") if language == "en" else ("（{}）", "：")
        heading = source + brackets.format(differ) if entry.conflict else source
        assert (
            f"{heading}{colon}{subject_name(title, entry.subject, style)}".replace(" ", "")
            in printed
        )


def test_what_is_reconstructed_is_described_in_words(title):
    english, japanese = (
        Style(theme=load_theme("classic"), language=language) for language in ("en", "ja")
    )
    assert subject_name(title, "companies/names", english) == "Companies – names"
    assert subject_name(title, "companies/names", japanese) == "会社 – 名称"
    assert subject_name(title, "map/B7", japanese) == "マップ – B7"


@pytest.mark.parametrize(
    ("language", "words", "other"), [("en", "Concessions", "Privates"), ("ja", "特許", "個人会社")]
)
def test_the_checklist_calls_concessions_so(language, words, other):
    title, style = shipped("1841"), Style(theme=load_theme("classic"), language=language)
    pages = draw_checklists(title, build_manifest(title), style, 186.0, 262.0)
    printed = [each for page in pages for each in texts(page)]
    assert words in printed
    assert other not in printed


@pytest.mark.parametrize("name", ["18cz", "1841", "18eu", "1824", "lost-atlas"])
def test_japanese_checklists_speak_of_their_subjects_in_japanese(name):
    stated = shipped(name)
    japanese = Style(theme=load_theme("classic"), language="ja")
    words = [subject_name(stated, entry.subject, japanese) for entry in stated.provenance]
    assert words
    assert [each for each in words if re.search("[a-z]{2}", each)] == []


def test_the_checklist_shows_where_the_box_declares_another_count(title, style):
    wrong = replace(
        title, pieces=replace(title.pieces, box=(("tile", 192), ("tile/green", 45), ("money", 7)))
    )
    pages = draw_checklists(wrong, build_manifest(wrong), style, 186.0, 262.0)
    found = [each for page in pages for each in texts(page)]
    assert {"in the box 192", "in the box 45", "in the box 7"} <= set(found)


def test_companies_have_one_row_for_all_their_certificates(style):
    title = shipped("18cz")
    pages = draw_checklists(title, build_manifest(title), style, 186.0, 262.0)
    found = [each for page in pages for each in texts(page)]
    assert found.count("Sächsische Eisenbahn") == 2  # its charter, its tokens
    assert found.count("Sächsische Eisenbahn, 10 %") == 1
    assert {"director’s 15", "ordinary 65", "station 40", "market 30"} <= set(found)


def test_groups_of_a_kind_that_overlap_can_be_distinguished(style):
    title = shipped("18cz")
    pages = draw_checklists(title, build_manifest(title), style, 186.0, 262.0)
    found = [each for page in pages for each in texts(page)]
    start = found.index("Charters")
    assert found[start : start + 5] == ["Charters", "15", "Small 5", "Medium 5", "Large 5"]
    assert "Major 15" not in found


@pytest.mark.parametrize(
    ("title_id", "lang"), crossed(["18cz", "1841", "18eu", "1824", "lost-atlas"], ["en", "ja"])
)
def test_the_last_page_of_a_checklist_is_no_remainder(title_id, lang):
    title = shipped(title_id)
    pages = draw_checklists(
        title,
        build_manifest(title),
        Style(theme=load_theme("classic"), language=lang),
        186.0,
        262.0,
    )
    lowest = max(y for text in flatten_scene(pages[-1])[1] for _, y in text.corners)
    assert lowest > 0.3 * 262.0


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


def test_a_chart_of_earnings_shows_what_several_shares_earn(title, style):
    chart = RevenueChart(step=1, top=30, columns=10, shares=(2, 3, 6))
    scene = draw_revenue_chart(
        replace(title, pieces=replace(title.pieces, revenue_chart=chart)), "revenue", style
    )
    printed = texts(scene)
    assert {"Earnings per share", "30", "60", "90", "180"} <= set(printed)
    assert printed.count("6×") == 30
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("cycles", [1, 6, 12])
def test_the_round_track_counts_cycles(title, style, cycles):
    scene = draw_round_track(
        replace(title, pieces=replace(title.pieces, cycles=cycles)), "rounds", style
    )
    assert [each for each in texts(scene) if each.isdecimal()] == [
        str(number + 1) for number in range(cycles)
    ]
    assert "Cycle" in texts(scene)
    assert check_legibility(scene) == ()


def test_companies_may_have_several_markers(title):
    pieces = replace(title.pieces, market_tokens=2)
    assert build_manifest(replace(title, pieces=pieces)).totals["token/market"] == 16


def test_rounds_that_are_played_once_lie_beside_the_loop(style):
    # Rulebook of 18EU 1.2, 4, 4.2.2.
    europe = shipped("18eu")
    scene = draw_round_track(europe, "rounds", style)
    assert check_legibility(scene) == ()
    printed = " ".join(texts(scene))
    assert all(
        name in printed
        for name in ("Initial Sale Round", "Stock round", "Operating round 2", "Final minor")
    )
    levels = {text.run.text: text.bounds[1] for text in flatten_scene(scene)[1]}
    assert levels["Initial Sale Round"] < levels["Stock round"] < levels["Final minor"]
    assert levels["Stock round"] == pytest.approx(levels["Operating round 1"], abs=0.5)


@pytest.mark.parametrize(
    ("ends", "arrows"),
    [((), 0), ((("left", "down"), ("right", "up")), 2 * 6), ((("right", "down"),), 0)],
)
def test_arrows_at_the_ends_of_rows_point_to_a_space(title, style, ends, arrows):
    """18EU has seven rows: no arrow down from the lowest or up from the highest, none where no
    space lies."""
    market = title.market
    plain = draw_market(replace(title, market=replace(market, ends=())), "market", style)
    scene = draw_market(replace(title, market=replace(market, ends=ends)), "market", style)
    more = len(flatten_scene(scene)[0]) - len(flatten_scene(plain)[0])
    assert more == 2 * arrows
    assert check_legibility(scene) == ()


def test_arrows_at_the_ends_of_rows_keep_clear_of_zone_marks(style):
    """1841's rows end in spaces of column K and of columns Q to S, which have marks in the corner
    of the arrow."""
    title = shipped("1841")
    market = title.market
    assert market.ends
    plain = flatten_scene(
        draw_market(replace(title, market=replace(market, ends=())), "market", style)
    )[0]
    marks = [shape.bounds for shape in plain if shape.bounds[2] - shape.bounds[0] < 3]
    before = {shape.bounds for shape in plain}
    arrows = [
        shape.bounds
        for shape in flatten_scene(draw_market(title, "market", style))[0]
        if shape.bounds not in before and shape.bounds[2] - shape.bounds[0] < 6
    ]
    assert len(marks) > 20
    assert len(arrows) == 2 * 24
    for left, top, right, bottom in arrows:
        assert not any(a < right and c > left and b < bottom and d > top for a, b, c, d in marks)


def test_a_long_word_of_the_legend_stays_on_the_board(title, style):
    market = replace(
        stairs(), movement=(Text.plain("Donaudampfschifffahrtsgesellschaftskapitän" * 3),)
    )
    scene = draw_market(replace(title, market=market), "market", style)
    assert check_legibility(scene) == ()
