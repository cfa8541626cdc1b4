"""1824 as data: every number of the rulebook, read through the loader; and the reference where it
is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from facts import assert_as_in_the_reference, needs_reference, reference

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import Coord, Layout, neighbour, opposite
from platelayer.model.manifest import build_manifest
from platelayer.model.market import MarketShape
from platelayer.model.places import train_limits
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.text_rules import located_texts
from platelayer.scene.legibility import check_legibility
from shipped import shipped

VARIANTS = ("goods-time", "cisleithania-2", "cisleithania-3")


TITLE = shipped("1824")
(BOARD,) = TITLE.maps
COAL, STATE, REGIONAL = (
    ("EPP", "EOD", "MLB", "SPB"),
    ("SD", "UG", "KK"),
    ("BK", "MS", "CL", "SB", "BH"),
)
BEFORE = {"SD": ("SD1", "SD2", "SD3"), "UG": ("UG1", "UG2"), "KK": ("KK1", "KK2")}


def board_of(variant: str | None) -> GameMap:
    (board,) = shipped("1824", variant).maps
    return board


def companies(title: Title, *ids: str) -> list[Company]:
    return [title.company_by_id[each] for each in ids]


# --- players, bank, variants


def money(title: Title) -> list[tuple[int, int, int | None]]:
    return [(each.players, each.cash, each.certificate_limit) for each in title.players]


def test_cash_certificate_limits_and_bank() -> None:
    assert money(TITLE) == [(3, 820, 21), (4, 680, 16), (5, 560, 13), (6, 460, 11)]
    assert TITLE.bank == 12_000
    assert TITLE.money(1000) == "1,000G"


def test_cisleithania_has_a_bank_of_its_own() -> None:
    two, three = (shipped("1824", variant) for variant in VARIANTS[1:])
    assert (money(two), two.bank) == ([(2, 830, 14)], 4000)
    assert (money(three), three.bank) == ([(3, 700, 16)], 9000)


# --- map


def test_103_hexes_of_a_pointy_map_with_letters_on_rows() -> None:
    assert len(BOARD.hexes) == 103
    assert BOARD.layout is Layout.POINTY
    assert BOARD.by_id["B3"].at == Coord(3, 0)
    assert BOARD.by_id["K14"].at == Coord(14, 9)


@pytest.mark.parametrize(
    ("variant", "count"), [("goods-time", 103), ("cisleithania-2", 65), ("cisleithania-3", 65)]
)
def test_maps_of_the_variants(variant: str, count: int) -> None:
    board = board_of(variant)
    assert len(board.hexes) == count
    assert (board.id == "main") is (variant == "goods-time")


def mines(board: GameMap) -> dict[str, dict[str | None, int]]:
    return {
        each.id: {step.since: step.value for step in each.tile.stops[0].revenue}
        for each in board.hexes
        if "mine" in [icon.name for icon in each.tile.icons]
    }


def test_mines_have_two_values() -> None:
    small, large = {"yellow": 10, "brown": 40}, {"yellow": 20, "brown": 60}
    assert mines(BOARD) == {"D5": small, "B11": small, "B21": large, "I24": large}
    assert mines(board_of("cisleithania-2")) == {"D5": small, "B11": small, "B21": large}


def test_rivers_cost_20_and_mountains_40() -> None:
    for variant in (None, *VARIANTS):
        costs = {
            (terrain.kinds, terrain.cost)
            for each in board_of(variant).hexes
            for terrain in each.tile.terrain
        }
        assert costs == {(("river",), 20), (("mountain",), 40)}


def test_wien_and_buda_pest() -> None:
    wien, pest = BOARD.by_id["F11"], BOARD.by_id["G16"]
    assert [(stop.kind, stop.revenue[0].value) for stop in wien.tile.stops] == [
        (StopKind.CITY, 30)
    ] * 3
    assert [(stop.kind, stop.revenue[0].value) for stop in pest.tile.stops] == [
        (StopKind.CITY, 20)
    ] * 2
    assert (wien.tile.exits, pest.tile.exits) == ((0, 1, 2), (0, 3))
    assert [each.tile.labels[0].text for each in (wien, pest)] == ["W", "Bu"]
    assert (wien.tile.colour, pest.tile.colour) == ("white", "white")


def test_t_cities() -> None:
    lettered = [each for each in BOARD.hexes if "T" in [label.text for label in each.tile.labels]]
    assert {each.name.get("en") for each in lettered if each.name} == {
        "Krakau",
        "Tarnopol",
        "Czernowitz",
        "Triest",
    }
    assert all([stop.kind for stop in each.tile.stops] == [StopKind.CITY] for each in lettered)


def test_printed_track_meets_the_board() -> None:
    for variant in (None, *VARIANTS):
        board = board_of(variant)
        for each in board.hexes:
            for edge in each.tile.exits:
                beside = board.by_coord[neighbour(each.at, edge, board.layout)]
                assert beside.tile.colour == "white" or opposite(edge) in beside.tile.exits, (
                    variant,
                    each.id,
                )


def test_bukowina_is_marked_on_the_cisleithanian_maps() -> None:
    for variant in VARIANTS[1:]:
        marked = {
            each.id: each.tile.icons[0].text for each in board_of(variant).hexes if each.tile.icons
        }
        del marked["D5"], marked["B11"], marked["B21"]
        assert marked == {"F11": "B", "C8": "B", "E24": "b", "F23": "b", "F25": "b"}


# --- tiles


def by_colour(title: Title) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in title.tiles:
        found[entry.tile.colour] = found.get(entry.tile.colour, 0) + entry.count
    return found


def test_143_tiles() -> None:
    assert by_colour(TITLE) == {"yellow": 72, "green": 48, "brown": 20, "gray": 3}
    assert len(TITLE.tiles) == 59


def test_tiles_of_the_variants() -> None:
    assert by_colour(shipped("1824", "goods-time")) == {
        "yellow": 84,
        "green": 53,
        "brown": 20,
        "gray": 3,
    }
    for variant in VARIANTS[1:]:
        assert by_colour(shipped("1824", variant)) == {
            "yellow": 71,
            "green": 47,
            "brown": 19,
            "gray": 2,
        }


def after(title: Title, source: str) -> dict[str, tuple[int, ...]]:
    return {pair.to: pair.rotations for pair in upgrade_graph(title).by_source.get(source, ())}


def test_wien_goes_from_three_cities_to_one() -> None:
    # By hand: 499 has the cities {0}, {1, 4}, {2}; 491 {0, 5}, {1, 4}, {2, 3}, which half a turn
    # leaves as they are; 493 {0, 5}, {1, 2, 3, 4}, where two of them come together either way; 496
    # one city.
    assert after(TITLE, "hex:F11") == {"499": (0,)}
    assert after(TITLE, "499") == {"491": (0, 3)}
    assert after(TITLE, "491") == {"493": (0, 3)}
    assert after(TITLE, "493") == {"496": (0, 1, 2, 3, 4, 5)}
    assert after(TITLE, "496") == {}


def test_buda_pest_becomes_one_city() -> None:
    assert 0 in after(TITLE, "hex:G16")["498"]
    assert set(after(TITLE, "hex:G16")) == {"498"}
    assert set(after(TITLE, "498")) == {"490"}
    assert set(after(TITLE, "490")) == {"126"}
    assert set(after(TITLE, "126")) == {"495"}


def test_t_cities_have_a_row_of_their_own() -> None:
    assert set(after(TITLE, "hex:J7")) == {"401", "447"}
    # 405 has the exits 0, 1, 2: it keeps 401 (0, 1) unturned, and turned back once; and never 447's
    # wide bend (0, 4).
    assert after(TITLE, "401") == {"405": (0, 5)}
    assert after(TITLE, "447") == {"405": (4,)}
    assert after(TITLE, "405") == {"497": (0,)}
    assert after(TITLE, "497") == {"494": (0,)}


def test_cities_and_towns() -> None:
    assert set(after(TITLE, "5")) == {"14", "15", "619"}
    assert set(after(TITLE, "57")) == {"14", "15", "619"}
    for city in ("14", "15", "619"):
        assert set(after(TITLE, city)) == {"611"}
    assert set(after(TITLE, "58")) == {"87", "88"}
    assert set(after(shipped("1824", "goods-time"), "58")) == {"87", "88", "204"}
    for double in ("1", "2", "55", "56", "69", "630", "631"):
        assert after(TITLE, double) == {}, double


# --- companies


def test_mountain_railways() -> None:
    mountain = companies(TITLE, *(f"B{number}" for number in range(1, 7)))
    assert [(each.kind, each.value, each.income) for each in mountain] == [
        (CompanyKind.PRIVATE, 120, 25)
    ] * 6


def test_coal_railways_with_their_regional() -> None:
    pairs = {"EPP": ("BK", "D5"), "EOD": ("MS", "B11"), "MLB": ("CL", "B21"), "SPB": ("SB", "I24")}
    for coal, (regional, home) in pairs.items():
        company = TITLE.company_by_id[coal]
        assert (company.size, company.stations, [each.hex for each in company.homes]) == (
            "coal",
            (0,),
            [home],
        )
        assert company.owned_whole
        assert all(
            regional in text
            for text in [company.abilities[0].get("en"), company.abilities[2].get("ja")]
        )
        assert company.order == list(pairs).index(coal) + 1
    assert {each.size for each in TITLE.companies} == {"coal", None}


def test_pre_state_railways() -> None:
    found = {each.id: each for names in BEFORE.values() for each in companies(TITLE, *names)}
    assert {name: each.value for name, each in found.items()} == {
        **{"SD1": 240, "SD2": 120, "SD3": 120, "UG1": 240, "UG2": 120},
        **{"KK1": 240, "KK2": 120},
    }
    assert {
        name: [(home.hex, home.stop) for home in each.homes] for name, each in found.items()
    } == {
        **{
            "SD1": [("F11", 0)],
            "SD2": [("H9", 0)],
            "SD3": [("H3", 0)],
            "UG1": [("G16", 1)],
            "UG2": [("I14", 0)],
        },
        **{"KK1": [("F11", 1)], "KK2": [("F11", 2)]},
    }


def test_state_railways_take_over_the_places_of_their_forerunners() -> None:
    for name, before in BEFORE.items():
        state = TITLE.company_by_id[name]
        # KK keeps one of two stations in Wien: a company has one in a hex (§XI).
        assert (state.kind, state.all_homes) == (CompanyKind.NATIONAL, name != "KK")
        assert state.homes == tuple(
            home for each in companies(TITLE, *before) for home in each.homes
        )
        held = sum(each.percent * each.count for each in state.certificates if each.reserved)
        assert held == 20 + 10 * (len(before) - 1)


def test_certificates() -> None:
    for company in companies(TITLE, *STATE, *REGIONAL):
        assert [each.percent for each in company.certificates if each.director] == [20]
        assert sum(each.count for each in company.certificates) == 9
    assert TITLE.company_by_id["BK"].float_percent == 50


def test_41_stations() -> None:
    assert [TITLE.company_by_id[name].stations for name in REGIONAL] == [(0, 40, 100)] * 5
    assert {name: TITLE.company_by_id[name].stations for name in STATE} == {
        "SD": (0, 0, 0, 100, 100),
        "UG": (0, 0, 100, 100, 100),
        "KK": (0, 40, 100, 100, 100),
    }
    assert sum(len(each.stations) for each in TITLE.companies) == 41


def test_companies_of_the_variants() -> None:
    every = {each.id for each in TITLE.companies}
    two, three = (
        {each.id for each in shipped("1824", variant).companies} for variant in VARIANTS[1:]
    )
    assert every - two == {"SPB", "UG1", "UG2", "UG", "SB", "BH", "B3", "B4", "B5", "B6"}
    assert every - three == {"SPB", "UG2", "SB", "BH", "B4", "B5", "B6"}
    pest = shipped("1824", "cisleithania-3").company_by_id
    assert [pest[name].homes[0].hex for name in ("UG1", "UG")] == ["H11", "H11"]
    assert pest["UG"].stations == (0, 40, 100, 100)  # §XI: 40 with only the home placed


@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_state_railways_show_their_capital_and_their_next_station(variant: str | None) -> None:
    # §VIII: 120 for each share that is not reserved, so 720 for Sd and 840 for the others; §XI: 40,
    # or 100.
    title = shipped("1824", variant)
    for name in STATE:
        if name not in title.company_by_id:
            continue
        state = title.company_by_id[name]
        free = sum(each.count for each in state.certificates if not each.reserved)
        for language in ("en", "ja"):
            shown = " ".join(text.get(language) for text in state.abilities)
            assert all(str(amount) in shown for amount in (120 * free, 40, 100)), (name, shown)


# --- trains and phases


def test_56_trains_with_their_trade_in_prices() -> None:
    assert [
        (
            each.id,
            each.count,
            each.faces[0].price,
            *(trade for face in each.faces for trade in face.trade_ins),
        )
        for each in TITLE.trains
        if not each.faces[0].trade_ins
    ] == [("2", 9, 80), ("1g", 6, 120)]
    assert [
        (each.id, each.count, face.price, trade.train, trade.price)
        for each in TITLE.trains
        for face in each.faces
        for trade in face.trade_ins
    ] == [
        ("3", 7, 180, "2", 140),
        ("4", 4, 280, "3", 190),
        ("5", 3, 400, "4", 260),
        ("6", 3, 600, "5", 400),
        ("8", 2, 800, "6", 500),
        ("10", 8, 1000, "8", 600),
        ("2g", 5, 240, "1g", 180),
        ("3g", 4, 360, "2g", 240),
        ("4g", 3, 600, "3g", 420),
        ("5g", 2, 800, "4g", 500),
    ]
    assert sum(each.printed for each in TITLE.trains) == 56


def test_what_rusts() -> None:
    assert {each.id: each.faces[0].rusts_on for each in TITLE.trains if each.faces[0].rusts_on} == {
        "2": ("4",),
        "3": ("6",),
        "4": ("8",),
        "5": ("10",),
        "1g": ("3g", "4g", "5g"),
        "2g": ("4g", "5g"),
        "3g": ("5g",),
    }


def test_goods_trains_count_a_mine_beside_their_number() -> None:
    for number in range(1, 6):
        (face,) = TITLE.train_by_id[f"{number}g"].faces
        assert [(reach.stops, reach.visit) for reach in face.reach] == [
            (("city", "offboard"), number + 1),
            (("town",), None),
        ]
    sold = {
        name: TITLE.train_by_id[name].faces[0].available_from
        for name in ("1g", "2g", "3g", "4g", "5g")
    }
    assert sold == {"1g": "PH2", "2g": "PH3", "3g": "PH4", "4g": "PH6", "5g": "PH7"}


@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_phases(variant: str | None) -> None:
    # §XIII; three operating rounds from the first 6-train: §XI.
    yellow, green, brown, gray = TITLE.colours
    assert [(p.id, p.on, p.tiles, p.operating_rounds) for p in shipped("1824", variant).phases] == [
        ("PH1", None, (yellow,), 1),
        ("PH2", "2", (yellow,), 1),
        ("PH3", "3", (yellow, green), 2),
        ("PH4", "4", (yellow, green), 2),
        ("PH5", "5", (yellow, green, brown), 2),
        ("PH6", "6", (yellow, green, brown), 3),
        ("PH7", "8", (yellow, green, brown, gray), 3),
        ("PH8", "10", (yellow, green, brown, gray), 3),
    ]


def test_train_limits_on_charters_begin_and_end_with_the_company() -> None:
    """§VII, §VIII: Pre-Staatsbahnen become Staatsbahnen after the first 4-, 5- and 6-train; §XIII:
    limits."""
    limits = {
        company: [
            (phase.id, limit) for phase, limit in train_limits(TITLE, TITLE.company_by_id[company])
        ]
        for company in ("SD", "UG", "KK", "SD1", "UG2", "KK1")
    }
    assert limits["SD"] == [("PH4", 4), ("PH5", 4), ("PH6", 3), ("PH7", 3), ("PH8", 3)]
    assert limits["UG"] == limits["SD"][1:]
    assert limits["KK"] == limits["SD"][2:]
    ends = {company: (limits[company][0], limits[company][-1]) for company in ("SD1", "UG2", "KK1")}
    assert ends == {
        each: (("PH1", 2), (last, 2))
        for each, last in (("SD1", "PH4"), ("UG2", "PH5"), ("KK1", "PH6"))
    }


def test_train_limits() -> None:
    # Coal 2 (§VI), Pre-Staatsbahn 2 (§VII), regional 4/3/2, Staatsbahn 4/3 (§VIII), changing in PH4
    # and PH6 (§XIII).
    limits = {
        phase.id: {limit.who: limit.limit for limit in phase.train_limits} for phase in TITLE.phases
    }
    first = {"coal": 2, "minor": 2, "major": 4}
    last = {"major": 2, "national": 3}
    assert limits == {
        **{
            "PH1": first,
            "PH2": first,
            "PH3": first,
            "PH4": {"coal": 2, "minor": 2, "major": 3, "national": 4},
        },
        **{
            "PH5": {"minor": 2, "major": 3, "national": 4},
            "PH6": {"minor": 2, **last},
            "PH7": last,
            "PH8": last,
        },
    }


def said_in_phases(title: Title, language: str) -> dict[str, str]:
    return {
        phase.id: " ".join(event.get(language) for event in phase.events) for phase in title.phases
    }


def test_state_railways_are_formed_with_their_trains() -> None:
    def formed(variant: str | None, language: str, words: str) -> dict[str, str]:
        shown = said_in_phases(shipped("1824", variant), language)
        return {
            name: phase
            for name in ("Sd", "Ug", "k&k")
            for phase, text in shown.items()
            if words % name in text
        }

    # §VII, §VIII, §XIII
    for language, words in (("en", "%s is formed at the end"), ("ja", "ORの終わりに%s設立")):
        assert formed(None, language, words) == {"Sd": "PH4", "Ug": "PH5", "k&k": "PH6"}
        assert formed("cisleithania-2", language, words) == {"Sd": "PH4", "k&k": "PH5"}


def test_what_else_phases_bring() -> None:
    # §XIII, and for the g-trains the table of §XII.
    shown = said_in_phases(TITLE, "ja")
    stated = {
        "PH2": ("1gを購入", "外国が通常列車1両を購入"),
        "PH3": ("2gを購入", "他社から列車", "鉱山鉄道と山岳鉄道を転換"),
        "PH4": ("2列車廃車", "3gを購入", "最初の3gで1g廃車", "山岳鉄道は転換し閉鎖"),
        "PH5": ("鉱山鉄道は転換し閉鎖", "高い方"),
        "PH6": ("3列車廃車", "4gを購入", "最初の4gで2g廃車"),
        "PH7": ("4列車廃車", "5gを購入", "最初の5gで3g廃車"),
        "PH8": ("5列車廃車",),
    }
    assert [
        (phase, text)
        for phase, texts in stated.items()
        for text in texts
        if text not in shown[phase]
    ] == []


# --- market


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert market.shape is MarketShape.GRID
    assert [len(row) for row in market.rows] == [14, 14, 14, 11, 9, 7, 5]
    zones = {
        letter: {(cell.price, x, y) for y, row in enumerate(market.rows) for x, cell in enumerate(row)
                 if cell and letter in cell.zones}
        for letter in ("p", "s")
    }  # fmt: skip
    assert zones["p"] == {(100, 2, 2), (90, 2, 3), (80, 2, 4), (70, 2, 5), (60, 2, 6)}
    assert zones["s"] == {(120, 2, 0)}


# --- the box


def test_manifest() -> None:
    totals = build_manifest(TITLE).totals
    for key, count in {
        "map": 1,
        "tile": 143,
        "train": 56,
        "private": 6 + 4 + 7,
        "private/private": 6,
        "private/coal": 4,
        "private/minor": 7,
        "certificate": 27 + 45,
        "charter": 4 + 7 + 3 + 5,
        "token/station": 41,
        "token/market": 8,
        "marker/round": 1,
        "priority-card": 1,
        "phase-card": 1,
        "market": 1,
        "round-track": 1,
    }.items():
        assert totals[key] == count, key
    assert dict(TITLE.pieces.box).items() <= totals.items()


def test_reserved_certificates_are_pieces_of_their_own() -> None:
    ids = {
        piece.id: piece.count
        for piece in build_manifest(TITLE).pieces
        if piece.kind == "certificate"
    }
    assert (ids["SD-director"], ids["SD-10r"], ids["SD-10"]) == (1, 2, 6)
    assert (ids["KK-10r"], ids["KK-10"], ids["BK-10"]) == (1, 7, 8)


@pytest.mark.parametrize("variant", VARIANTS)
def test_box_of_the_variants(variant: str) -> None:
    title = shipped("1824", variant)
    assert dict(title.pieces.box).items() <= build_manifest(title).totals.items()


def test_numbers_of_pieces() -> None:
    totals = build_manifest(TITLE).totals
    kinds = ("tile", "train", "certificate", "private", "charter")
    assert [totals[kind] for kind in kinds] == [143, 56, 72, 17, 19]


@pytest.mark.parametrize("language", often(["en", "ja"], "ja"))
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_variants_change_can_be_read(variant: str, language: str) -> None:
    title = shipped("1824", variant)
    manifest = build_manifest(title)
    style = Style(theme=load_theme("classic"), language=language)
    assert [
        str(problem)
        for piece in manifest.pieces
        if piece.kind in ("map", "summary", "phase-card", "private")
        for scene in draw_piece(title, manifest, piece, style)
        for problem in check_legibility(scene)
    ] == []


def texts_of_aids(variant: str | None, language: str) -> str:
    sections = [
        section for aid in shipped("1824", variant).aids for section in (*aid.sections, *aid.back)
    ]
    return "\n".join(line.get(language) for section in sections for line in section.lines)


IN_THE_AIDS = {
    "IV": ("席順の逆順で、全員パスするまで", "対応する地域会社の10%株も買える", "補償も代替もない"),
    "V": (
        "各ORの開始時に25Gの配当",
        "機会は少なくとも1回",
        "1～6の順に強制転換、例外なし",
        "社長株は不可",
    ),
    "VI": (
        "その半額が地域会社の初期株価（すぐにマーカーを株価表に置く）",
        "購入価格から120Gを引いた資本金",
        "g列車だけを2両まで",
        "次のORから運行する",
    ),
    "VII": ("購入価格がそのまま資本金", "列車制限2、半配当"),
    "VIII": (
        *(
            "初期株価の8倍と鉱山鉄道の資産",
            "は10倍",
            "予約のない株1枚につき120G",
            "120Gか240Gも受け取る",
            "前身1の本拠地",
        ),
        *(
            "2株以上を持つ社長がいれば運行",
            "同数なら1、2、3の所有者、プライオリティカード",
            "転換による10%株はその前でもよい",
        ),
    ),
    "IX": ("筆頭株主が社長", "同数では交代しない", "時計回りで近い人", "4株あるとき"),
    "X": ("鉱山は終点で、g列車だけが入れる", "最初の5列車から高い方"),
    "XI": (
        *(
            "最初の3列車から2回、6列車から3回",
            "同額なら右のマス、同じマスなら上が先",
            "最初のタイルは本拠地",
            "川20G、山40G",
        ),
        *("1ヘクスに1社1つ", "その会社の空きが残るときだけ", "1つしかなければ40G、2つ以上なら100G"),
    ),
    "XII": (
        *(
            "手番の終わりに列車保有義務",
            "自分の会社からは1G以上",
            "他人の会社からは常に定価",
            "廃車で制限内に収まる場合でも",
        ),
        *(
            "制限を超えた列車は、補償なし",
            "下取りは1社1ORに1回",
            "破産はない",
            "すぐに50%、SRの終わりごとに50%",
        ),
        *(
            "返すまで株を買えない",
            "定価を超えて払えない",
            "フェイズを変えるが、代金はない",
            "2両が1つの鉱山から出発",
        ),
    ),
    "XIV": (
        "駅は2つ以上、自社のトークンは1つ以上",
        "同じヘクスの2つの都市は、離れていても不可",
        "駅を共有してよい",
    ),
    "XVI": (
        *(
            "1社の株を5株以上",
            "100%まで",
            "bankpoolへ。1社50%まで",
            "1マスだけ下がる",
            "次の手番に制限内に戻す",
        ),
        *(
            "最後に売買した人の左隣がプライオリティカード",
            "売った会社の株は、そのSRに買えない",
            "1回以上運行した会社",
        ),
    ),
    "XVII": ("銀行破産で終了", "ORを最後まで"),
}
"""Words of the aids by the section of the rulebook that demands them."""


@pytest.mark.parametrize("variant", [None, "goods-time", "cisleithania-3"])
def test_player_aids_show_the_rules(variant: str | None) -> None:
    shown = texts_of_aids(variant, "ja")
    assert [
        (section, words)
        for section, all_ in IN_THE_AIDS.items()
        for words in all_
        if words not in shown
    ] == []


def test_the_round_track_has_every_round() -> None:
    # §XI: up to three operating rounds; §XII: export at the end of the set.
    assert [each.id for each in TITLE.pieces.rounds] == ["sr", "or1", "or2", "or3", "export"]


@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_rounds_that_wait_for_a_phase_say_so(variant: str | None) -> None:
    # §XIII: two operating rounds from PH3, three from PH6; trains are exported from PH2 on.
    for language in ("en", "ja"):
        named = {
            each.id: each.name.get(language) for each in shipped("1824", variant).pieces.rounds
        }
        waits = {each: re.findall(r"PH\d", name) for each, name in named.items()}
        assert waits == {"sr": [], "or1": [], "or2": ["PH3"], "or3": ["PH6"], "export": ["PH2"]}


@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_the_marker_of_a_regional_is_placed_with_its_coal_railway(variant: str | None) -> None:
    """§VI: it goes onto the chart, at half the price, when the coal railway is bought."""
    title = shipped("1824", variant)
    shown = {language: texts_of_aids(variant, language) for language in ("en", "ja")}
    assert "half the price is the regional’s par. Place its marker at once." in shown["en"]
    assert "その半額が地域会社の初期株価（すぐにマーカーを株価表に置く）" in shown["ja"]
    for coal, regional in (("K1", "BK"), ("K2", "MS"), ("K3", "CL"), ("K4", "SB")):
        if company := title.company_by_id.get(regional):
            assert (
                f"When {coal} is bought, place the marker at half its price"
                in company.abilities[0].get("en")
            )
            assert (
                f"{coal}が買われたら、その価格の半額（初期株価）にマーカーを置く"
                in company.abilities[0].get("ja")
            )


def texts(found: Any) -> list[str]:
    """All Japanese words of a block of JSON, and those of no language."""
    if isinstance(found, dict):
        return (
            [found["ja"]]
            if "ja" in found
            else [text for each in found.values() for text in texts(each)]
        )
    return [text for each in found for text in texts(each)] if isinstance(found, list) else []


FOLDER = Path(__file__).parents[2] / "assets" / "titles" / "1824"
NOT_TERMS = (
    "運営",
    "石炭",
    "地方鉄道",
    "国有化前",
    "会社資金",
    "会社シート",
    "停車地",
    "町",
    "開始株価",
    "株券上限",
    "ヘックス",
)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_japanese_has_the_terms_of_the_rulebook_and_its_punctuation(path: Path) -> None:
    block = json.loads(path.read_text(encoding="utf-8"))
    block.pop("provenance", None)
    kana = "[\u3040-\u30ff\u4e00-\u9fff]"
    for text in texts(block):
        assert not [term for term in NOT_TERMS if term in text], text
        assert not re.search(rf"{kana}[,:;!?]|[,:;!?(]{kana}|{kana}\)", text), text
        assert not re.search(r"\d %|\d G\b|〜|-\d", text), text


# --- words


def test_provenance_names_every_block_and_the_reconstructions() -> None:
    subjects = {each.subject.partition("/")[0] for each in TITLE.provenance}
    assert subjects >= {
        "players",
        "map",
        "tiles",
        "companies",
        "trains",
        "phases",
        "market",
        "pieces",
        "upgrades",
    }
    assert subjects >= {"aids", "variants"}
    assert {each.subject for each in TITLE.provenance if each.source == "reconstruction"} == {
        "companies/B2",
        "last_year",
        "map/landscape",
        "pieces/private",
        "pieces/money",
        "companies/colours",
        "companies/Japanese",
        "market/places",
        "pieces/boards",
    }


def test_what_the_rulebook_decides_cites_its_section() -> None:
    for each in TITLE.provenance:
        if each.source == "rulebook":
            assert all(
                re.search(r"§[IVX]+", each.note.get(language)) for language in ("en", "ja")
            ), each.subject


# --- the reference, where it lies beside the checkout

KNOWN = reference("1824")


def reference_hexes(variant: str | None) -> dict[str, Any]:
    hexes: dict[str, Any] = {
        None: KNOWN["hexes"],
        "goods-time": KNOWN["hexes"] | KNOWN["hex_variants"]["goods_time"]["hexes_set"],
        "cisleithania-2": KNOWN["cisleithania"]["hexes_2_players"],
        "cisleithania-3": KNOWN["cisleithania"]["hexes_3_players"],
    }[variant]
    return hexes


RENAMED = {"G6": "Salzburg", "G16": "Budapest", "K10": None, "K12": "Sarajevo"}


def printed(there: str) -> str:
    """The rulebook's coordinates: one letter on, one number back."""
    letter, number = re.fullmatch(r"([A-Z])(\d+)", there).groups()  # type: ignore[union-attr]
    return f"{chr(ord(letter) + 1)}{int(number) - 1}"


@needs_reference
@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_hexes_as_in_the_reference(variant: str | None) -> None:
    board, hexes = board_of(variant), reference_hexes(variant)
    assert set(board.by_id) == set(map(printed, hexes))
    for name, there in hexes.items():
        here = board.by_id[printed(name)]
        assert_as_in_the_reference(here, there, name=RENAMED.get(here.id, there["name"]))


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    assert {entry.tile.id: entry.count for entry in TITLE.tiles} == {
        number: tile["count"] for number, tile in KNOWN["tiles"].items()
    }
    for number, there in KNOWN["tiles"].items():
        if there.get("custom"):
            tile = TITLE.tile_by_id[number].tile
            assert [(stop.revenue[0].value, stop.slots) for stop in tile.stops] == [
                (city["revenue"], city["slots"]) for city in there["cities"]
            ]
            assert sorted(
                sorted(end.index for end in segment.ends) for segment in tile.track
            ) == sorted(
                sorted((edge, int(city.partition(":")[2]))) for edge, city in there["paths"]
            )
            assert [label.text for label in tile.labels] == there["labels"]


@needs_reference
def test_market_as_in_the_reference() -> None:
    assert TITLE.market is not None
    found = [
        [f"{cell.price}{'p' if 'p' in cell.zones else ''}" for cell in row if cell]
        for row in TITLE.market.rows
    ]
    assert found == KNOWN["market"]["rows"]


@needs_reference
@pytest.mark.parametrize("variant", [None, *VARIANTS[1:]])
def test_trains_as_in_the_reference(variant: str | None) -> None:
    there = {each["name"]: each for each in KNOWN["trains"]}
    if variant is not None:
        changed = KNOWN["hex_variants"][variant.replace("-", "_") + "_players"]["trains_set"]
        there |= {each["name"]: each for each in changed}
    del there["10"]  # 20 stand for a supply that never ends
    for name, train in there.items():
        here = shipped("1824", variant).train_by_id[name]
        (face,) = here.faces
        assert (here.count, face.price, list(face.rusts_on)) == (
            train["count"],
            train["price"],
            train.get("rusts_on", []),
        )
        assert {each.train: face.price - each.price for each in face.trade_ins} == train.get(
            "trade_in_discount", {}
        )


@needs_reference
def test_phases_as_in_the_reference_but_for_what_the_rulebook_has() -> None:
    # §XIII has a phase before the first 2-train; §XI three operating rounds from the first 6-train,
    # not the 5-train.
    for here, there in zip(TITLE.phases[1:], KNOWN["phases"], strict=True):
        assert here.on == there["on"]
        assert list(here.tiles) == there["tiles"]
        assert here.operating_rounds == (2 if there["on"] == "5" else there["operating_rounds"])
        limits = {limit.who: limit.limit for limit in here.train_limits}
        assert limits == {
            who: limit for who, limit in there["train_limit"].items() if who in limits
        }


@needs_reference
def test_companies_as_in_the_reference() -> None:
    kept = {each["sym"]: each for each in KNOWN["corporations"]}
    assert {each.id for each in TITLE.companies if each.has_charter} == set(kept)
    for name, there in kept.items():
        company = TITLE.company_by_id[name]
        assert sorted(
            each.percent for each in company.certificates for _ in range(each.count)
        ) == sorted(there["shares"])
        assert sum(each.percent * each.count for each in company.certificates if each.reserved) == (
            sum(there.get("reserved_shares", ())) if not company.owned_whole else 0
        )
        if company.kind is not CompanyKind.NATIONAL:
            home = there["home"]
            assert [(each.hex, each.stop) for each in company.homes] == [
                (printed(home["coordinates"]), home.get("city", 0))
            ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_companies_look_in_variants_as_in_the_game(variant: str) -> None:
    looks = {
        company.id: (company.colour, company.second, company.roundel) for company in TITLE.companies
    }
    assert all(company.roundel is not None for company in TITLE.companies if company.has_charter)
    for company in shipped("1824", variant).companies:
        assert (company.colour, company.second, company.roundel) == looks[company.id]


def test_kk_takes_back_one_of_its_two_stations_in_wien() -> None:
    for variant in (None, "cisleithania-2", "cisleithania-3"):
        kk = shipped("1824", variant).company_by_id["KK"]
        assert ([home.hex for home in kk.homes], kk.all_homes) == (["F11", "F11"], False)
        assert any("Wien" in text.get("en") for text in kk.abilities)


@pytest.mark.parametrize("variant", [None, "goods-time", "cisleithania-2", "cisleithania-3"])
def test_english_components_have_the_names_of_the_rulebook(variant: str | None) -> None:
    """§II: Staatsbahnen and Pre-Staatsbahnen."""
    title = shipped("1824", variant=variant)
    words = [text.get("en").lower() for _, text in located_texts(title)]
    assert [each for each in words if re.search("state[- ]railway|pre-state", each)] == []
    assert any("pre-staatsbahn" in each for each in words)
