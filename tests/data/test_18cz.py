"""18CZ as data: every number of the rulebook, read through the loader; and the reference where it
is at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from facts import needs_reference, reference

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind
from platelayer.model.hexes import Layout, neighbour
from platelayer.model.kinds import PLAY, piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.market import MarketShape
from platelayer.model.tile import EndKind, StopKind, Tile
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

TITLE = shipped("18cz")
MAPS = {board.id: board for board in TITLE.maps}
MAIN = MAPS["main"]
VARIANTS = {name: shipped("18cz", name) for name in ("bohemia", "moravia")}

LOCALS = [company for company in TITLE.companies if company.kind is CompanyKind.PRIVATE]
MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]
SIZES = ("small", "medium", "large")


def of_size(companies: list[Company], size: str) -> list[Company]:
    return [company for company in companies if company.size == size]


# --- players


def test_cash_certificate_limits_and_bank() -> None:
    assert [(each.players, each.cash, each.certificate_limit) for each in TITLE.players] == [
        (3, 380, 14),
        (4, 300, 12),
        (5, 250, 10),
        (6, 210, 9),
    ]
    assert TITLE.bank is None
    players = VARIANTS["bohemia"].players
    assert [(each.players, each.cash, each.certificate_limit) for each in players] == [(2, 280, 14)]
    # Rulebook §11-2.
    players = VARIANTS["moravia"].players
    assert [(each.players, each.cash, each.certificate_limit) for each in players] == [
        (2, 500, 15),
        (3, 450, 13),
    ]


def test_the_other_sum_for_three_players_is_reported() -> None:
    note = next(each.note.get("en") for each in TITLE.provenance if each.subject == "players")
    assert "350" in note
    assert "380" in note


# --- maps


def test_three_maps_of_pointy_hexes() -> None:
    assert {board.id: len(board.hexes) for board in TITLE.maps} == {
        "main": 107,
        "bohemia": 73,
        "moravia": 44,
    }
    assert all(board.layout is Layout.POINTY for board in TITLE.maps)
    assert [MAIN.by_id[at].name.get("en") for at in ("E11", "C25")] == ["Praha", "Ostrava"]  # type: ignore[union-attr]


WESTERN_HOMES = {"D16", "H16"}
"""Homes of Sx and By on the reconstructed map of Moravia and Silesia, where the main map has other
hexes."""


def test_further_maps_show_the_same_hexes() -> None:
    for board in TITLE.maps:
        made_up = WESTERN_HOMES if board.id == "moravia" else set[str]()
        assert all(each.at == MAIN.by_id[each.id].at for each in board.hexes)
        for each in board.hexes:
            assert all(
                neighbour(each.at, border.edge, board.layout) in board.by_coord
                for border in each.borders
            )
            if each.id not in made_up:
                assert each.tile == MAIN.by_id[each.id].tile
                beside_home = {
                    border
                    for border in each.borders
                    if board.by_coord[neighbour(each.at, border.edge, board.layout)].id in made_up
                }
                assert set(each.borders) - beside_home <= set(MAIN.by_id[each.id].borders)


def test_bohemia_has_places_for_vaclav() -> None:
    (places,) = MAPS["bohemia"].places
    assert (places.name.get("en"), places.name.get("ja")) == ("Vaclav", "ヴァツラフ")
    # Rulebook §11-1: shares, start price, who decides on track and on stations.
    small, medium, large = (space.get("en") for space in places.spaces)
    for space, words in (
        (small, ("50 %", "price 50")),
        (medium, ("60 %", "price 60")),
        (large, ("50 %", "price 90")),
    ):
        assert all(each in space for each in words)
    assert "Track: the other player. Stations: player with priority." in medium
    assert all(
        "Track: player with priority. Stations: the other." in each for each in (small, large)
    )
    assert MAIN.places == ()


def test_moravia_has_places_for_five_private_companies() -> None:
    # Rulebook §11-2: five private companies lie on places of the map, with their lowest bids.
    (places,) = MAPS["moravia"].places
    privates = [each for each in VARIANTS["moravia"].companies if each.kind is CompanyKind.PRIVATE]
    assert len(places.spaces) == len(privates) == 5
    for private in privates:
        (texts_found,) = (
            space.get("en") for space in places.spaces if space.get("en").startswith(private.id)
        )
        assert texts_found.endswith(f": {private.value} K")


# Rulebook §4-2-d: the homes of the large companies are places. §4-2-b, c: the others.
PLACES = {
    "A7": "ドレスデン", "B4": "ドレスデン", "B18": "ベルリン", "A21": "ベルリン", "F2": "ミュンヘン",
    "H4": "ミュンヘン", "J14": "ウィーン", "I17": "ウィーン", "I23": "ブダペスト", "G27": "ブダペスト",
    "D4": "カルロヴィ・ヴァリ",
    "C25": "オストラヴァ", "E15": "パルドゥビツェ", "F22": "プルジェロフ", "I9": "ストラコニツェ", "E11": "プラハ",
    "D2": "ヘブ", "G19": "ブルノ",
}  # fmt: skip


def test_places_by_their_japanese_names() -> None:
    for at, name in PLACES.items():
        hexagon = MAIN.by_id[at]
        assert hexagon.name is not None
        assert hexagon.name.get("ja") == name
    assert all(
        each.name is None or each.name.has("ja") for board in TITLE.maps for each in board.hexes
    )


def test_every_reconstruction_is_named() -> None:
    known = {each.subject for each in TITLE.provenance if each.source == "reconstruction"}
    assert {
        "maps/moravia",
        "tiles/red",
        "money",
        "marker/exchange",
        "pieces/sizes",
        "variants/moravia",
    } <= known
    assert all(each.note.has("ja") for each in TITLE.provenance)


# --- tiles


def test_160_tiles_by_colour_and_the_purple_ones() -> None:
    counts, purple = Counter[str](), Counter[str]()
    for entry in TITLE.tiles:
        counts[entry.tile.colour] += entry.count
        if entry.tile.frame is not None:
            purple[entry.tile.colour] += entry.count
            assert entry.via is not None
        else:
            assert entry.via is None
    assert counts == {"yellow": 69, "green": 54, "brown": 28, "gray": 4, "red": 5}
    assert purple == {"green": 10, "brown": 7, "gray": 3}


def test_red_home_tiles() -> None:
    red = [entry.tile for entry in TITLE.tiles if entry.tile.colour == "red"]
    assert sorted(label.text for tile in red for label in tile.labels) == [
        "By",
        "Pr",
        "Sx",
        "Ug",
        "kk",
    ]
    for tile in red:
        (stop,) = tile.stops
        assert [tuple(step) for step in stop.revenue] == [
            (20, "yellow"),
            (30, "green"),
            (40, "brown"),
            (50, "gray"),
        ]
        assert (stop.kind, stop.slots, tile.exits) == (StopKind.CITY, 1, (0, 1))
        assert [icon.text for icon in tile.icons] == ["+50"]


# --- companies


def test_local_railways() -> None:
    assert {size: len(of_size(LOCALS, size)) for size in SIZES} == {
        "small": 6,
        "medium": 6,
        "large": 6,
    }
    assert {size: {each.income for each in of_size(LOCALS, size)} for size in SIZES} == {
        "small": {5},
        "medium": {10},
        "large": {20},
    }


# Rulebook §12-1 to §12-3 and §12-5 to §12-7.
NAMES = {
    "S1": "プラナ＝タホフ", "S2": "ムニエルニーク＝ムシエノ", "S3": "スピタビ＝ポリチカ", "S4": "コステレツ＝テルチ",
    "S5": "ストラコニツェ＝ブラトナー＝ブジェズニツェ", "S6": "マルティニツェ・フ・クルコノシーフ＝ロキトニツェ",
    "M1": "ロウドニツェ・ナト・ラベム＝クメティニエヴェス", "M2": "スヴォイシーン＝ボル",
    "M3": "ハプリーチクーフ・プロト＝ティシュノフ", "M4": "オパヴァ＝グラーツ",
    "M5": "ハヌショヴィツェ＝スタレー・ムニエスト", "M6": "フリードラント＝ビーラー",
    "L1": "ウーイエズト＝ルハチョヴィツェ", "L2": "インドルジフーフ・フラデツ＝オブラタニ",
    "L3": "オポチュノ＝ダブルシュカ", "L4": "テプリツェ＝ポルジチ＝トルトノフ",
    "L5": "ネザミスリツェ＝モルコヴィツェ＝スリージャニ", "L6": "ドマジュリツェ＝タホフ",
    "EKJ": "カルロヴィ・ヴァリ＝ヨハンジョルゲンシュタット鉄道", "OFE": "オストラヴァ＝フリートランド鉄道",
    "BCB": "ボヘミア商業鉄道", "MW": "モラヴィア西部鉄道", "VBW": "ボヘミア合同森林鉄道", "BN": "ボヘミア北方鉄道",
    "NWB": "オーストリア北西鉄道", "ATE": "ウースチー・ナド・ラベム＝テプリツェ鉄道", "BTE": "ブシュチェフラト鉄道",
    "KFN": "フェルディナント皇帝北方鉄道", "SX": "ザクセン王立鉄道", "PR": "プロイセン王立鉄道",
    "BY": "バイエルン王立鉄道", "kk": "帝立王立オーストリア国有鉄道", "Ug": "ハンガリー王立鉄道",
}  # fmt: skip


def test_names_of_companies() -> None:
    assert {company.id: company.name.get("ja") for company in TITLE.companies} == NAMES
    assert {company.id: company.token_text for company in MAJORS if company.size == "large"} == {
        "SX": "Sx", "PR": "Pr", "BY": "By", "kk": "kk", "Ug": "Ug"
    }  # fmt: skip


# Rulebook §4-1, §12-4.
PURPLE = {"small": "(green)", "medium": "(green or brown)", "large": "(green, brown or grey)"}
NO_COST = {"small": "(river)", "medium": "(river or hills)", "large": "(river, hills or mountains)"}


def test_a_local_railway_has_one_of_two_abilities_once() -> None:
    for company in LOCALS:
        assert company.size is not None
        choice, first, second, sale = (text.get("en") for text in company.abilities)
        assert "once: A or B" in choice
        assert (first[:2], second[:2]) == ("A:", "B:")
        assert PURPLE[company.size] in first
        assert NO_COST[company.size] in second
        assert "1 K to its value" in sale


@pytest.mark.parametrize(
    ("size", "shares", "stations", "floats"),
    [
        ("small", [(50, 1, True), (25, 2, False)], (0, 40, 100), 50),
        ("medium", [(40, 1, True), (20, 3, False)], (0, 40, 100), 60),
        ("large", [(20, 1, True), (10, 8, False)], (0, 40), 50),
    ],
)
def test_companies(
    size: str, shares: list[tuple[int, int, bool]], stations: tuple[int, ...], floats: int
) -> None:
    companies = of_size(MAJORS, size)
    assert len(companies) == 5
    for company in companies:
        assert [
            (each.percent, each.count, each.director) for each in company.certificates
        ] == shares
        assert company.stations == stations
        assert company.float_percent == floats


def test_homes_have_both_names_in_japanese() -> None:
    # §4-2, tables 2 to 4.
    named = {
        company.id: {home.name.get("ja") for home in company.homes if home.name}
        for company in MAJORS
    }
    assert named == {
        "EKJ": {"カルロヴィ・ヴァリ Karlovy Vary"},
        "OFE": {"オストラヴァ Ostrava"},
        "BCB": {"パルドゥビツェ Pardubice"},
        "MW": {"プルジェロフ Přerov"},
        "VBW": {"ストラコニツェ Strakonice"},
        "BN": {"プラハ Praha"},
        "NWB": {"プラハ Praha"},
        "ATE": {"テプリツェ Teplice"},
        "BTE": {"ヘブ Cheb"},
        "KFN": {"ブルノ Brno"},
        "SX": {"ドレスデン Dresden"},
        "PR": {"ベルリン Berlin"},
        "BY": {"ミュンヘン München"},
        "kk": {"ウィーン Wien"},
        "Ug": {"ブダペスト Budapest"},
    }


def test_homes() -> None:
    assert {
        company.id: [(home.hex, home.stop) for home in company.homes]
        for company in MAJORS
        if company.size != "large"
    } == {
        "EKJ": [("D4", 0)],
        "OFE": [("C25", 0)],
        "BCB": [("E15", 0)],
        "MW": [("F22", 0)],
        "VBW": [("I9", 0)],
        "BN": [("E11", 1)],
        "NWB": [("E11", 0)],
        "ATE": [("B8", None)],
        "BTE": [("D2", 0)],
        "KFN": [("G19", 0)],
    }
    large = {
        company.id: [home.hex for home in company.homes]
        for company in MAJORS
        if company.size == "large"
    }
    assert large == {
        "SX": ["A7", "B4"],
        "PR": ["A21", "B18"],
        "BY": ["F2", "H4"],
        "kk": ["J14", "I17"],
        "Ug": ["G27", "I23"],
    }
    for company, hexes in large.items():
        letters = TITLE.company_by_id[company].token_text
        assert all(
            [label.text for label in MAIN.by_id[at].tile.labels] == [letters] for at in hexes
        )


# --- trains, phases, market


def test_train_cards_and_their_prices() -> None:
    assert {train.id: train.count for train in TITLE.trains} == dict(
        zip("abcdefghij", (5, 4, 4, 4, 4, 4, 4, 2, 2, 5), strict=True)
    )
    assert {train.id: [face.price for face in train.faces] for train in TITLE.trains} == {
        "a": [70],
        "b": [70, 80],
        "c": [120, 80],
        "d": [120, 180, 250],
        "e": [250, 180, 250],
        "f": [250, 400, 350],
        "g": [350, 400, 350],
        "h": [350, 500, 700],
        "i": [350, 500, 800],
        "j": [350, 500, 1000],
    }
    assert [train.id for train in TITLE.trains if train.unlimited] == ["j"]


def test_an_e_train_leaves_out_towns_only() -> None:
    # Rulebook §8-7.
    large = {
        face.name: face for train in TITLE.trains for face in train.faces if face.name.endswith("E")
    }
    assert set(large) == {"3E", "4E", "5E", "6E", "8E"}
    for name, face in large.items():
        counted, left_out = face.reach
        assert (set(counted.stops), counted.visit, counted.pay) == (
            {"city", "offboard", "town"},
            *[int(name[0])] * 2,
        )
        assert (left_out.stops, left_out.visit, left_out.pay) == (("town",), None, 0)


def sort_of(name: str) -> str:
    return "large" if name.endswith("E") else "medium" if "+" in name else "small"


def test_trains_rust_within_their_own_size_only() -> None:
    for train in TITLE.trains:
        for face in train.faces:
            assert {sort_of(name) for name in face.rusts_on} <= {sort_of(face.name)}
            assert face.obsolete_on == ()


def test_trains_run_as_far_as_their_numbers_say() -> None:
    # Section 8-7: 3 counts three places; 3+3 three towns more; 3E three places in all, and towns
    # may be passed over.
    any_stop = {"city", "town", "offboard"}
    for train in TITLE.trains:
        for face in train.faces:
            number = int(face.name[0])
            runs = [(set(reach.stops), reach.visit, reach.pay) for reach in face.reach]
            expected = {
                "small": [(any_stop, number, number)],
                "medium": [({"town"}, number, number), (any_stop, number, number)],
                "large": [(any_stop, number, number), ({"town"}, None, 0)],
            }
            assert runs == expected[sort_of(face.name)], face.name


def test_phases() -> None:
    limits = {
        phase.id: {limit.who: limit.limit for limit in phase.train_limits} for phase in TITLE.phases
    }
    assert limits["a"] == {"small": 3}
    assert limits["d"] == {"small": 3, "medium": 3, "large": 3}
    assert limits["j"] == {"small": 1, "medium": 1, "large": 2}
    first = {
        colour: next(p.id for p in TITLE.phases if colour in p.tiles)
        for colour in (*TITLE.colours, "red")
    }
    assert first == {"yellow": "a", "green": "d", "brown": "g", "gray": "i", "red": "d"}


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert market.shape is MarketShape.ZIGZAG
    prices = [cell.price for cell in market.rows[0] if cell is not None]
    assert (prices[0], prices[-1], prices) == (40, 370, sorted(prices))
    # Rulebook §7-3: red, blue, green by size.
    assert [zone.colour for zone in market.zones] == ["tile.red", "tile.blue", "tile.green"]
    par = {
        zone.who: [c.price for c in market.rows[0] if c is not None and zone.id in c.zones]
        for zone in market.zones
    }
    assert par == {
        "small": [50, 55, 60, 65, 70],
        "medium": [60, 70, 80, 90, 100],
        "large": [90, 100, 110, 120],
    }


def test_game_track() -> None:
    amounts = [each.amount for each in TITLE.pieces.rounds]
    assert [each for each in amounts if each is not None] == [
        40,
        45,
        50,
        55,
        60,
        65,
        70,
        75,
        80,
        90,
        100,
        110,
        120,
    ]
    sets = [
        len(part)
        for part in "".join("s" if each is None else "o" for each in amounts).split("s")[1:]
    ]
    assert sets == [1, 1, 1, 1, 2, 2, 2, 3]
    assert TITLE.pieces.rounds_once


def test_the_ends_of_the_market_are_reported() -> None:
    """Rulebook §9-2: no move beyond the right and left ends of the market, which has two lines."""
    for title in (TITLE, VARIANTS["moravia"]):
        assert title.market is not None
        prices = [cell.price for cell in title.market.rows[0] if cell is not None]
        assert (prices[:2], prices[-2:]) == ([40, 45], [350, 370])
        texts_found = words_of(title.market.movement)
        assert "No move left of 40 and 45, or right of 350 and 370" in texts_found
        assert "左端（40・45）と右端（350・370）より先へは動かない" in texts_found


# --- places of cards and costs


def test_costs_where_the_first_tile_is_an_upgrade() -> None:
    """Rulebook §8-4: the first tile on a river costs; §8-5: upgrades cost nothing. OO and Praha are
    both."""
    (stated,) = (each for each in TITLE.provenance if each.subject == "maps/main/terrain")
    assert stated.conflict
    for language in ("en", "ja"):
        assert all(each in stated.note.get(language) for each in ("B8", "E11", "§8-4", "§8-5"))
    for board in (MAIN, *VARIANTS["bohemia"].maps):
        assert [board.by_id[at].tile.terrain[0].cost for at in ("B8", "E11")] == [10, 10]
        legend = words_of(board.legend)
        assert "first tile only, on OO and P too" in legend
        assert "アップグレードに数えるOOとPの最初のタイルも" in legend
    (board,) = VARIANTS["moravia"].maps
    assert not [each.id for each in board.hexes if each.tile.labels and each.tile.terrain]


# --- the box


def test_the_box() -> None:
    totals = build_manifest(TITLE).totals
    expected = {
        "map": 3,
        "tile": 160,
        "charter": 15,
        "certificate": 80,
        "private": 18,
        "train": 38,
        "token/station": 40,
        "token/market": 30,
        "marker/progress": 1,
        "marker/exchange": 42,
        "number-card": 6,
        "money": 180,
        "market": 1,
        "revenue-chart": 1,
        "round-track": 1,
        "offer-sheet": 3,
    }
    assert {key: totals[key] for key in expected} == expected
    # Shares and local railways in three sizes of card.
    assert [totals[f"certificate/{size}"] for size in SIZES] == [15, 20, 45]
    assert [totals[f"private/{size}"] for size in SIZES] == [6, 6, 6]
    tables = [aid for aid in TITLE.aids if aid.id == "shares"]
    assert [aid.count for aid in tables] == [6]


def test_cards_in_three_sizes() -> None:
    def area(kind: str, piece: str, size: str | None = None) -> float:
        found = piece_size(TITLE, kind, piece, size)
        return round(found.width_mm * found.height_mm)

    small, medium, large = (area("certificate", "", size) for size in SIZES)
    assert small < medium < large
    # Local railways have more to say than shares: their three sizes are larger, so that they are
    # read from a seat.
    own = [area("private", "", size) for size in SIZES]
    assert own[0] < own[1] < own[2]
    assert all(area("certificate", "", size) <= area("private", "", size) for size in SIZES)
    assert (area("number-card", "1"), area("train", "a"), area("summary", "shares")) == (
        small,
        medium,
        large,
    )


def test_the_sheet_of_the_initial_round_has_a_back_for_play() -> None:
    assert build_manifest(TITLE).by_key["offer-sheet:small"].back == PLAY


def test_revenue_tables() -> None:
    (aid,) = (aid for aid in TITLE.aids if aid.id == "shares")
    table = aid.sections[0].table
    assert table is not None
    cells = [[int(cell.get("en")) for cell in row] for row in table.rows]
    shown = {row[at]: (row[at + 1], row[at + 2]) for row in cells for at in (0, 3, 6)}
    assert sorted(shown) == list(range(10, 280, 10))
    assert all(
        (4 * a >= r > 4 * (a - 1), 4 * b >= 3 * r > 4 * (b - 1)) == (True, True)
        for r, (a, b) in shown.items()
    )


# --- upgrades


def followers(title: Title, source: str) -> set[str]:
    return {pair.to for pair in upgrade_graph(title).by_source.get(source, ())}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("hex:E11", {"8889", "8890"}),
        ("8889", {"8891"}),
        ("8891", {"8892"}),
        ("8892", {"8893"}),
        ("hex:D26", {"8859", "8860", "8863", "8864", "8865", "8885"}),
        ("8859", {"8896p"}),
        ("hex:A7", {"8896"}),
        ("hex:J14", {"8895"}),
        ("3", {"8866p", "887p", "888p"}),
        ("887p", {"889p"}),
        ("57", {"14", "14p", "15", "15p", "619"}),
        ("202", {"207", "208", "622"}),
        ("207", {"216", "216p"}),
        ("611", {"595p"}),
        ("216", {"8857p"}),
        ("8893", set()),
        ("8896", set()),
    ],
)
def test_what_may_replace_what(source: str, expected: set[str]) -> None:
    assert followers(TITLE, source) == expected


def test_two_towns_become_one_on_purple_edged_tiles_only() -> None:
    for number in ("1", "2", "55", "56", "69"):
        assert all(TITLE.tile_by_id[to].via for to in followers(TITLE, number))
    # By the edges that are left without track: two beside each other, one between them, or opposite
    # ones.
    assert {number: followers(TITLE, number) for number in ("2", "56", "69", "1", "55")} == {
        "2": {"887p"},
        "56": {"887p"},
        "69": {"8866p"},
        "1": {"888p"},
        "55": {"888p"},
    }


def test_purple_tiles_say_who_may_lay_them() -> None:
    pairs = upgrade_graph(TITLE).pairs
    assert {pair.to for pair in pairs if pair.via} == {
        e.tile.id for e in TITLE.tiles if e.tile.frame
    }


# --- variants


def test_bohemia_for_two() -> None:
    title = VARIANTS["bohemia"]
    assert [board.id for board in title.maps] == ["bohemia"]
    companies = {company.id for company in title.companies if company.has_charter}
    assert companies == {"EKJ", "BCB", "VBW", "SX", "BY", "kk", "BN", "NWB", "ATE", "BTE"}
    left = {company.id for company in title.companies if not company.has_charter}
    assert left == {"S1", "S2", "S3", "M1", "M2", "M3", "L1", "L2", "L3"}


def words_of(texts: Iterable[Text]) -> str:
    return " ".join(f"{text.get('en')} {text.get('ja')}" for text in texts)


def texts_of(title: Title) -> Iterator[Text]:
    """All that the aids of a title say."""
    for aid in title.aids:
        yield aid.name
        for section in (*aid.sections, *aid.back):
            yield section.heading
            yield from section.lines
            if section.table is not None:
                yield from section.table.head
                yield from (cell for row in section.table.rows for cell in row)


def test_bohemia_on_its_aids() -> None:
    # Rulebook §11-1.
    title = VARIANTS["bohemia"]
    texts_found = words_of(texts_of(title))
    assert {"vaclav", "setup", "stock"} <= {aid.id for aid in title.aids}
    assert all(
        each in texts_found
        for each in ("280 K", "14枚", "70 % of a large one", "always pay out", "ヴァツラフ")
    )
    assert "380" not in texts_found
    # His trains take the place of exports.
    assert "An export counts" not in texts_found
    assert "Vaclav" in words_of(event for phase in title.phases for event in phase.events)


def test_moravia() -> None:
    # Rulebook §11-2.
    title = VARIANTS["moravia"]
    majors = [company for company in title.companies if company.kind is CompanyKind.MAJOR]
    assert [company.id for company in majors] == ["SX", "PR", "BY", "kk", "Ug"]
    assert {company.stations for company in majors} == {(0, 40, 100)}
    privates = [company for company in title.companies if company.kind is CompanyKind.PRIVATE]
    assert {"MW", "3E"} < {company.id for company in privates}
    assert {company.closes for company in privates} == {"g"}
    stated = [
        (train.faces[0].name, train.faces[0].price, train.count, train.optional)
        for train in title.trains
    ]
    assert stated == [
        ("2", 70, 5, 1),
        ("3", 120, 4, 1),
        ("4", 250, 3, 0),
        ("4+4", 400, 2, 1),
        ("5+5", 500, 5, 0),
    ]
    assert [train.faces[0].rusts_on for train in title.trains] == [("4",), ("5+5",), (), (), ()]
    limits = {phase.id: [limit.limit for limit in phase.train_limits] for phase in title.phases}
    assert limits == {"a": [4], "d": [4], "e": [4], "g": [3], "j": [2]}
    market = title.market
    assert market is not None
    (zone,) = market.zones
    assert (zone.colour, zone.who) == ("tile.red", "large")
    assert [c.price for c in market.rows[0] if c is not None and c.zones] == [50, 55, 60, 65, 70]
    assert "large companies two" not in words_of(market.movement)
    assert title.pieces.rounds_note is not None
    texts_found = words_of((*texts_of(title), title.pieces.rounds_note))
    # AR/SR left of 50: here stock rounds stand above their operating rounds.
    first = next(n for n, each in enumerate(title.pieces.rounds) if each.amount == 50) - 1
    assert title.pieces.rounds[first].name.get("en") == "Stock round 3"
    assert (
        texts_found.count("tock round 3, above 50 K")
        == texts_found.count("「50 K」の上の株式ラウンド3")
        == 3
    )
    assert not re.search("left of|の左", texts_found)
    # Private companies close with the first 4+4: none of them is left at the end.
    assert "120 K for each local railway" not in texts_found
    assert "ローカル鉄道各120 K" not in texts_found
    # Large companies begin on red tiles: no slot of a city waits for one.
    assert "slot for a home" not in texts_found
    assert "slot stays free" not in words_of(line for board in title.maps for line in board.legend)
    assert all(
        each in texts_found
        for each in ("500 K", "450 K", "15枚", "13枚", "70 % of a company", "5 K or more")
    )


@pytest.mark.parametrize("variant", [None, "bohemia", "moravia"])
def test_japanese_keeps_to_the_words_and_marks_of_the_rulebook(variant: str | None) -> None:
    title = TITLE if variant is None else VARIANTS[variant]
    texts_found = [text.get("ja") for text in texts_of(title)]
    texts_found += [text.get("ja") for company in title.companies for text in company.abilities]
    texts_found += [text.get("ja") for phase in title.phases for text in phase.events]
    texts_found += [text.get("ja") for text in (title.market.movement if title.market else ())]
    texts_found += [text.get("ja") for board in title.maps for text in board.legend]
    wrong = (
        "地方鉄道",
        "小会社",
        "中会社",
        "大会社",
        "収益",
        "株券上限",
        "所持金",
        "ヘックス",
        "ヴァーツラフ",
        "停車地",
    )
    assert [each for each in texts_found if any(word in each for word in wrong)] == []
    assert [
        each for each in texts_found if re.search(r"[ぁ-ヿ一-鿿][:,;()]|[:,;()][ぁ-ヿ一-鿿]", each)
    ] == []


def test_every_company_of_a_variant_has_a_home_there() -> None:
    for title in VARIANTS.values():
        (board,) = title.maps
        for company in title.companies:
            assert all(home.hex in board.by_id for home in company.homes)


# --- the reference


FACTS = reference("18cz")


def printed(at: str) -> str:
    """Printed coordinates: the reference's number minus 1."""
    return f"{at[0]}{int(at[1:]) - 1}"


def track_of(tile: Tile) -> set[frozenset[str]]:
    kinds: dict[StopKind, list[int]] = {}
    names = {}
    for index, stop in enumerate(tile.stops):
        kinds.setdefault(stop.kind, []).append(index)
        names[index] = f"{stop.kind.value}:{len(kinds[stop.kind]) - 1}"
    return {
        frozenset(
            str(end.index) if end.kind is EndKind.EDGE else names[end.index] for end in segment.ends
        )
        for segment in tile.track
    }


def assert_same(tile: Tile, fact: dict[str, Any]) -> None:
    assert tile.colour == fact["color"]
    # Rulebook §12-7: Sx, Pr, By.
    assert [label.text.casefold() for label in tile.labels] == [
        each.casefold() for each in fact["labels"]
    ]
    assert track_of(tile) == {frozenset(map(str, path[:2])) for path in fact["paths"]}
    for kind, key in ((StopKind.CITY, "cities"), (StopKind.TOWN, "towns")):
        own = [stop for stop in tile.stops if stop.kind is kind]
        assert len(own) == len(fact[key])
        for stop, stated in zip(own, fact[key], strict=True):
            if kind is StopKind.CITY:
                assert stop.slots == stated["slots"]
            if isinstance(stated["revenue"], int):
                assert [step.value for step in stop.revenue] == (
                    [stated["revenue"]] if stated["revenue"] else []
                )
            else:
                assert (
                    stated["revenue"].items()
                    <= {step.since: step.value for step in stop.revenue}.items()
                )


@needs_reference
def test_hexes_against_the_reference() -> None:
    facts = FACTS["hexes"]
    assert {printed(at) for at in facts} == set(MAIN.by_id)
    gone = {printed(at) for at in FACTS["hex_variants"]["2_players"]["hexes_removed"]}
    assert set(MAPS["bohemia"].by_id) == set(MAIN.by_id) - gone
    for at, fact in facts.items():
        hexagon = MAIN.by_id[printed(at)]
        assert_same(hexagon.tile, fact)
        assert [terrain.cost for terrain in hexagon.tile.terrain] == [
            each["cost"] for each in fact.get("upgrades", ())
        ]
        assert hexagon.stubs == tuple(fact.get("stubs", ()))
        borders = {(border.edge, border.kind) for border in hexagon.borders}
        assert borders == {(each["edge"], each["type"]) for each in fact.get("borders", ())}
        name = fact["name"] and fact["name"].replace("Karolvy", "Karlovy")
        if hexagon.tile.labels[:1] and hexagon.tile.labels[0].text in (
            "Sx",
            "Pr",
            "By",
            "kk",
            "Ug",
        ):
            assert name is None  # Rulebook §4-2-d names them.
        else:
            assert (hexagon.name.get("en") if hexagon.name else None) == name


@needs_reference
def test_tiles_against_the_reference() -> None:
    facts = FACTS["tiles"]
    assert {entry.tile.id: entry.count for entry in TITLE.tiles} == {
        name: fact["count"] for name, fact in facts.items()
    }
    for name, fact in facts.items():
        if fact.get("custom"):
            assert_same(TITLE.tile_by_id[name].tile, fact)


@needs_reference
def test_trains_against_the_reference() -> None:
    for fact, train in zip(FACTS["trains"], TITLE.trains, strict=True):
        stated = {each["name"][:-1]: each for each in (fact, *fact.get("variants", ()))}
        assert {face.name for face in train.faces} == set(stated)
        for face in train.faces:
            assert face.price == stated[face.name]["price"]
            rusts = {re.sub("[a-j]$", "", name) for name in stated[face.name].get("rusts_on", ())}
            assert set(face.rusts_on) == rusts


@needs_reference
def test_local_railways_against_the_reference() -> None:
    for fact in FACTS["companies"]:
        company = TITLE.company_by_id[fact["sym"]]
        assert (company.value, company.income) == (fact["value"], fact["revenue"])
        assert company.second_name is not None
        german = company.second_name.get("en").split(" · ")[0]
        # Rulebook §12-2 has Schweibing.
        assert re.findall(r"\w+", german) == re.findall(
            r"\w+", fact["name"].replace("Schweißing", "Schweibing")
        )


def test_moravia_has_a_banker_order_cards_and_an_order_of_the_first_stock_round() -> None:
    """§3-3 and §6 hold in the variant, too (§11-2)."""
    (aid,) = (aid for aid in VARIANTS["moravia"].aids if aid.id == "setup")
    for language, stated in (
        (
            "en",
            (
                "the banker",
                "order card for each player",
                "least cash then takes the lowest order card",
            ),
        ),
        (
            "ja",
            ("バンカー", "人数分のプレイ順カード", "現金の少ない順に小さい数字のプレイ順カード"),
        ),
    ):
        lines = " ".join(line.get(language) for section in aid.sections for line in section.lines)
        assert [words for words in stated if words not in lines] == []


def test_the_map_of_moravia_shows_the_home_of_mw() -> None:
    """§11-2: MW, a private company there, has its only station at home, F22."""
    title = VARIANTS["moravia"]
    style = Style(theme=load_theme("classic"))
    manifest = build_manifest(title)
    (piece,) = (piece for piece in manifest.pieces if piece.key == "map:moravia")
    (scene,) = draw_piece(title, manifest, piece, style)
    texts_found = [(text.run.text, text.bounds) for text in flatten_scene(scene)[1]]
    (left, _, right, low) = next(bounds for words, bounds in texts_found if words == "Přerov")
    roundels = [
        (box[0] + box[2], box[1] - low) for words, box in texts_found if words == "MW"
    ]  # another is in the legend
    assert any(abs(across - left - right) < 2 and 0 < below < 10 for across, below in roundels)


@pytest.mark.parametrize("variant", [None, "bohemia", "moravia"])
def test_aids_show_who_may_point_out_revenue_and_where_discarded_trains_go(
    variant: str | None,
) -> None:
    """§8-8: any player may point out a higher revenue; §8-9: trains discarded in a takeover leave
    the game."""
    title = TITLE if variant is None else VARIANTS[variant]
    lines = [
        line
        for aid in title.aids
        for section in (*aid.sections, *aid.back)
        for line in section.lines
    ]
    assert any("Any player may point out a higher one" in line.get("en") for line in lines)
    assert any("どのプレイヤーも指摘できる" in line.get("ja") for line in lines)
    if variant != "moravia":  # no takeovers
        assert any("discarded from the game" in line.get("en") for line in lines)
        assert any("破棄してゲームから除外する" in line.get("ja") for line in lines)


def test_the_revenue_chart_is_reported_to_be_ours() -> None:
    """§8-8 has it at the foot of the map."""
    (stated,) = (each for each in TITLE.provenance if each.subject == "revenue-chart")
    assert stated.source == "reconstruction"
    assert "foot of the map" in stated.note.get("en")
