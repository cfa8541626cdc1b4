"""18EU as data: every number of the rulebook, read through the loader; and the reference where it
is at hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from facts import assert_as_in_the_reference, counts_by_colour, exits_of, needs_reference, reference
from msgspec.structs import replace

from facts_18eu import BOX, UPGRADES
from platelayer.model.company import CompanyKind, Home
from platelayer.model.hexes import Coord, Layout, neighbour, opposite
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.market import MarketShape
from platelayer.model.tile import StopKind, edge_end
from shipped import shipped

TITLE = shipped("18eu")
(BOARD,) = TITLE.maps

MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]
MINORS = [company for company in TITLE.companies if company.kind is CompanyKind.MINOR]


def hexes_where(test: Any) -> set[str]:
    return {each.id for each in BOARD.hexes if test(each)}


# --- players and bank


def test_cash_certificate_limits_and_bank() -> None:
    assert [(each.players, each.cash, each.certificate_limit) for each in TITLE.players] == [
        (2, 750, 28),
        (3, 450, 20),
        (4, 350, 16),
        (5, 300, 13),
        (6, 250, 11),
    ]
    assert TITLE.bank == 12_000


# --- map


def test_118_hexes_of_a_flat_map_with_letters_on_columns() -> None:
    assert len(BOARD.hexes) == 118
    assert BOARD.layout is Layout.FLAT
    assert BOARD.by_id["F1"].at == Coord(0, 5)
    assert BOARD.by_id["Q14"].at == Coord(13, 16)


def test_off_boards() -> None:
    found = {
        each.tile.name.get("en"): (
            each.id,
            each.tile.stops[0].kind,
            [tuple(step) for step in each.tile.stops[0].revenue],
        )
        for each in BOARD.hexes
        if each.tile.colour == "red" and each.tile.name
    }
    assert found == {
        "London": ("F1", StopKind.OFFBOARD, [(40, "yellow"), (70, "brown")]),
        "Hamburg": ("B7", StopKind.CITY, [(30, "yellow"), (50, "brown")]),
        "Rome": ("V7", StopKind.OFFBOARD, [(30, "yellow"), (50, "brown")]),
        "Warsaw": ("E14", StopKind.OFFBOARD, [(20, "yellow"), (30, "brown")]),
        "Bucharest": ("Q14", StopKind.OFFBOARD, [(30, "yellow"), (50, "brown")]),
    }
    assert {
        name: exits_of(BOARD.by_id[name].tile, 0) for name in ("F1", "B7", "V7", "E14", "Q14")
    } == {
        "F1": {0, 5},
        "B7": {0, 1, 5},
        "V7": {2, 3, 4},
        "E14": {1},
        "Q14": {2},
    }
    assert BOARD.by_id["B7"].tile.stops[0].slots == 1


def test_ports() -> None:
    ports = [each for each in BOARD.hexes if "port" in [icon.name for icon in each.tile.icons]]
    assert {each.id: each.tile.exits for each in ports} == {
        "A4": (0,),
        "U2": (3,),
        "V5": (3,),
        "T9": (3,),
    }
    for each in ports:
        (stop,) = each.tile.stops
        assert (each.tile.colour, each.tile.icons[0].name) == ("blue", "port")
        assert (stop.kind, stop.revenue[0].value, stop.optional) == (StopKind.TOWN, 10, True)


def test_mountains_and_rough() -> None:
    costs = {
        each.id: (terrain.kinds, terrain.cost)
        for each in BOARD.hexes
        for terrain in each.tile.terrain
    }
    mountains = {"R3", "Q4", "P5", "Q6", "R7", "Q8", "P9", "O10"}
    rough = {
        *("N1", "P1", "J3", "T3", "I4", "K4", "N5", "O6", "P7", "O8", "J9", "L9", "N9"),
        *("I10", "M10", "H11", "I12", "O12", "J13"),
    }
    assert {name for name, found in costs.items() if found == (("mountain",), 120)} == mountains
    assert hexes_where(lambda each: "M" in [icon.text for icon in each.tile.icons]) == mountains
    # Rulebook 4.6: the printed hex south of Vienna stands in the row of the mountains; its upgrade
    # costs 60.
    assert costs.pop("P11") == (("mountain",), 60)
    assert {name for name, found in costs.items() if found == (("rough",), 60)} == rough
    assert set(costs) - mountains - rough == {"A4", "U2", "V5", "T9"}  # the sea


@pytest.mark.parametrize(
    ("name", "at", "label", "revenue", "exits"),
    [
        ("Paris", "J1", "P", 40, [{4}, {5}]),
        ("Berlin", "E10", "B-V", 30, [{4}, {1}]),
        ("Vienna", "N11", "B-V", 30, [{0}, {3}]),
    ],
)
def test_special_cities(
    name: str, at: str, label: str, revenue: int, exits: list[set[int]]
) -> None:
    hexagon = BOARD.by_id[at]
    assert hexagon.name is not None
    assert hexagon.name.get("en") == name
    assert hexagon.tile.colour == "yellow"
    assert [each.text for each in hexagon.tile.labels] == [label]
    assert [(stop.kind, stop.slots, stop.revenue[0].value) for stop in hexagon.tile.stops] == (
        [(StopKind.CITY, 1, revenue)] * 2
    )
    assert [exits_of(hexagon.tile, index) for index in (0, 1)] == exits


def test_semmering() -> None:
    semmering = BOARD.by_id["P11"]
    (segment,) = semmering.tile.track
    assert (semmering.tile.colour, set(segment.ends)) == ("yellow", {edge_end(1), edge_end(3)})
    assert semmering.tile.terrain[0].cost == 60


def test_no_other_hex_is_preprinted() -> None:
    assert hexes_where(lambda each: each.tile.colour == "yellow") == {"J1", "E10", "N11", "P11"}
    assert all(not each.tile.track for each in BOARD.hexes if each.tile.colour == "white")


def test_y_cities() -> None:
    lettered = hexes_where(lambda each: "Y" in [label.text for label in each.tile.labels])
    assert lettered == {"Q2", "H3", "C4", "M4", "R5", "L7", "S8", "G10", "P13"}
    assert all(
        [stop.kind for stop in BOARD.by_id[each].tile.stops] == [StopKind.CITY] for each in lettered
    )


def test_reserved_hexes() -> None:
    held = {each.id: each.reserved for each in BOARD.hexes if each.reserved}
    assert held == {"H3": ("2",), "K2": ("3",), "F9": ("7",), "S6": ("10",), "U6": ("10",)}
    assert {company.id: company.blocks for company in MINORS if company.blocks} == {
        "2": ("H3",),
        "3": ("K2",),
        "7": ("F9",),
        "10": ("S6", "U6"),
    }


def test_printed_track_meets_the_board() -> None:
    for each in BOARD.hexes:
        for edge in each.tile.exits:
            beside = BOARD.by_coord[neighbour(each.at, edge, BOARD.layout)]
            assert beside.tile.colour == "white" or opposite(edge) in beside.tile.exits, each.id


# --- tiles

COUNTS = {
    "yellow": {"3": 8, "4": 10, "7": 4, "8": 15, "9": 15, "57": 8, "58": 14, "201": 7, "202": 9},
    "green": {
        **{
            "14": 4,
            "15": 4,
            "80": 4,
            "81": 4,
            "82": 4,
            "83": 4,
            "141": 5,
            "142": 4,
            "143": 2,
            "144": 2,
        },
        **{"576": 4, "577": 4, "578": 3, "579": 3, "580": 1, "581": 2},
    },
    "brown": {
        **{"145": 4, "146": 5, "147": 4, "544": 3, "545": 3, "546": 3},
        **{"582": 9, "583": 1, "584": 2, "611": 8},
    },
    "gray": {"513": 5},
}


def test_tiles() -> None:
    found = counts_by_colour(TITLE)
    assert found == COUNTS
    assert {colour: sum(counts.values()) for colour, counts in found.items()} == {
        "yellow": 90,
        "green": 54,
        "brown": 42,
        "gray": 5,
    }


def test_upgrade_table() -> None:
    assert tuple(chain.steps for chain in TITLE.chains) == UPGRADES
    assert sorted(
        number for chain in TITLE.chains for step in chain.steps for number in step
    ) == sorted(entry.tile.id for entry in TITLE.tiles)


def test_each_step_of_the_table_is_of_the_next_colour() -> None:
    for chain in TITLE.chains:
        colours = [
            {TITLE.tile_by_id[number].tile.colour for number in step} for step in chain.steps
        ]
        first = TITLE.colours.index(*colours[0])
        assert colours == [{colour} for colour in TITLE.colours[first : first + len(colours)]]


# --- companies


def test_corporations() -> None:
    assert [company.id for company in MAJORS] == [
        "BNR",
        "DR",
        "FS",
        "RBSR",
        "RPR",
        "AIRS",
        "SNCF",
        "GSR",
    ]
    for company in MAJORS:
        assert [(c.percent, c.count, c.director) for c in company.certificates] == [
            (20, 1, True),
            (10, 8, False),
        ]
        assert (company.stations, company.formation_cost) == ((0, 0, 0, 0, 0), 100)
        assert (company.float_percent, company.homes) == (50, ())


def test_names_are_those_of_the_rulebook() -> None:
    """Rulebook 4.2, 4.3: names in their own languages, in both prints; accents restored."""
    assert {company.id: company.name.get("ja") for company in MAJORS} == {
        "BNR": "Société Nationale des Chemins de Fer Belges",
        "DR": "Nederlandsche Spoorwegen",
        "RBSR": "Königlich-Bayerische Staatseisenbahn",
        "RPR": "Königlich-Preussische Eisenbahn-Verwaltung",
        "AIRS": "Kaiserlich-Königliche Oesterreichische Staatsbahn",
        "FS": "Ferrovie dello Stato",
        "SNCF": "Société Nationale des Chemins de Fer Français",
        "GSR": "Deutsche Reichsbahn",
    }
    for company in TITLE.companies:
        assert company.name.get("ja") == company.name.get("en")
        assert company.second_name is not None


def test_minors() -> None:
    assert [(company.id, company.order) for company in MINORS] == [
        (str(n), n) for n in range(1, 16)
    ]
    assert [[replace(home, name=None) for home in company.homes] for company in MINORS] == [
        [Home(*home)]
        for home in (
            *(
                ("J1", 0),
                ("H3", 0),
                ("J1", 1),
                ("G10", 0),
                ("S8", 0),
                ("N11", 1),
                ("E10", 1),
                ("P13", 0),
            ),
            *(("E10", 0), ("R5", 0), ("N11", 0), ("C4", 0), ("L7", 0), ("M4", 0), ("Q2", 0)),
        )
    ]
    stated = {
        company.id: home.name.get("en") for company in MINORS for home in company.homes if home.name
    }
    # Rulebook 4.2; it has minor 9 in the northwest: see the provenance of its hex.
    assert stated == {
        "1": "Paris (NE)",
        "3": "Paris (SE)",
        "6": "Vienna (N)",
        "7": "Berlin (SW)",
        "9": "Berlin (NE)",
        "11": "Vienna (S)",
    }
    for company in MINORS:
        assert (company.stations, company.certificates, company.colour) == ((0,), (), "#000000")
        (home,) = company.homes
        assert home.stop is not None
        assert BOARD.by_id[home.hex].tile.stops[home.stop].kind is StopKind.CITY


def test_no_two_minors_share_a_home() -> None:
    assert len({company.homes for company in MINORS}) == 15


# --- trains and phases


def test_trains() -> None:
    assert [
        (t.id, t.count, t.optional, t.faces[0].price, t.faces[0].rusts_on) for t in TITLE.trains
    ] == [
        ("2", 15, 0, 100, ("4",)),
        ("3", 5, 2, 200, ("6",)),
        ("P", 5, 0, 100, ()),
        ("4", 4, 1, 300, ("8",)),
        ("5", 3, 0, 500, ()),
        ("6", 2, 0, 600, ()),
        ("8", 8, 0, 800, ()),
    ]
    assert sum(train.printed for train in TITLE.trains) == 45
    # Rulebook 2, note 6: eight cards, but 8-trains are available without limit.
    assert [train.id for train in TITLE.trains if train.unlimited] == ["8"]


def test_trains_reach_as_many_cities_as_their_name_says_and_any_towns() -> None:
    for train in TITLE.trains:
        (face,) = train.faces
        cities, towns = face.reach
        assert (cities.stops, towns.stops) == (("city", "offboard"), ("town",))
        expected = (1, 1, 0, 0) if train.id == "P" else (int(train.id), int(train.id), None, None)
        assert (cities.visit, cities.pay, towns.visit, towns.pay) == expected


def test_pullmans_are_sold_from_phase_3() -> None:
    (pullman,) = TITLE.train_by_id["P"].faces
    assert pullman.available_from == "3"
    assert TITLE.train_by_id["P"].starts is None
    assert pullman.note is not None


def test_phases() -> None:
    yellow, green, brown, gray = TITLE.colours
    assert [(p.id, p.on, p.tiles, p.operating_rounds, p.revenue) for p in TITLE.phases] == [
        ("2", None, (yellow,), 2, "yellow"),
        ("3", "3", (yellow, green), 2, "yellow"),
        ("4", "4", (yellow, green), 2, "yellow"),
        ("5", "5", (yellow, green, brown), 2, "brown"),
        ("6", "6", (yellow, green, brown), 2, "brown"),
        ("8", "8", (yellow, green, brown, gray), 2, "brown"),
    ]
    limits = [{each.who: each.limit for each in phase.train_limits} for phase in TITLE.phases]
    assert limits == [
        {"major": major, "minor": minor}
        for major, minor in ((4, 2), (4, 2), (3, 1), (2, 1), (2, 1), (2, 1))
    ]


# --- market, bonus


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert market.shape is MarketShape.GRID
    assert market.par_prices == (70, 75, 82, 90, 100)
    assert [len(row) for row in market.rows] == [17, 14, 11, 8, 6, 5, 4]
    prices = [[cell.price for cell in row if cell] for row in market.rows]
    assert prices[0] == [
        82,
        90,
        100,
        110,
        122,
        135,
        150,
        165,
        180,
        200,
        225,
        245,
        270,
        300,
        330,
        360,
        400,
    ]
    assert prices[-1] == [40, 50, 60, 65]
    assert all(row == sorted(row) for row in prices)
    for upper, lower in pairwise(prices):
        assert all(above >= below for above, below in zip(upper, lower, strict=False))


def test_red_to_red_bonus() -> None:
    """Rulebook 4.4.3: the table, and none if one end is Hamburg."""
    (bonus,) = TITLE.bonuses
    assert bonus.note is not None
    assert "none if one end is Hamburg" in bonus.note.get("en")
    assert [(row.head, row.amounts) for row in bonus.rows] == [
        ("green", (10,)),
        ("brown", (20, 40, 60, 80)),
        ("gray", (30, 60, 90, 120, 150)),
    ]


# --- the box


def test_manifest() -> None:
    totals = build_manifest(TITLE).totals
    for key, count in BOX.items():
        assert totals[key] == count, key
    assert dict(TITLE.pieces.box).items() <= totals.items()


def test_sizes() -> None:
    assert piece_size(TITLE, "tile").width_mm == 38.1
    assert piece_size(TITLE, "map").width_mm == 38.6


def test_round_track() -> None:
    # Rulebook 1.2 (Initial Sale Round), 4 (stock round, two operating rounds, once the final
    # exchange).
    assert [each.id for each in TITLE.pieces.rounds] == ["isr", "sr", "or1", "or2", "fmr"]


def words_of(aid: str, language: str) -> str:
    """All words of an aid."""
    (found,) = (each for each in TITLE.aids if each.id == aid)
    texts = [found.name]
    for section in (*found.sections, *found.back):
        texts += [section.heading, *section.lines]
        if section.table:
            texts += [cell for row in (section.table.head, *section.table.rows) for cell in row]
    return "\n".join(each.get(language) for each in texts)


@pytest.mark.parametrize(
    ("section", "aid", "en", "ja"),
    [
        ("1.2", "setup", "£120 side up", "£120の面を上"),
        ("4.2.1", "setup", "£100 or more, in multiples of £5", "最低£100、£5の倍数"),
        (
            "4.2.1",
            "setup",
            "At £0 the player who put it up must take it",
            "£0でも買い手がなければ、競売者が引き取る",
        ),
        ("3.1", "stock", "60 % of a company", "1社60%まで"),
        (
            "3.1",
            "stock",
            "50 % of a company (except after a bankruptcy)",
            "1社50%まで（破産を除く）",
        ),
        ("3.1", "stock", "own treasury 80 %", "自社株80%まで"),
        (
            "4.1.1",
            "stock",
            "Buy none of a company that you sold in the same SR",
            "同じ株式ラウンドに買い戻せない",
        ),
        ("4.3.1", "stock", "the first in SR order", "株式ラウンド順に早い人"),
        ("4.1.3", "founding", "£70, £75, £82, £90 or £100", "£70・£75・£82・£90・£100"),
        ("4.3", "founding", "£100 for four more tokens", "£100を支払い、追加トークンを4つ"),
        ("4.3", "founding", "players hold 50 %", "保有が50%になると上場"),
        ("4.3", "founding", "the other five go to the pool", "残りの5株はPoolへ"),
        ("4.2.2", "founding", "bought the first 5-train", "最初の5列車を購入した会社の社長から"),
        (
            "4.2.2",
            "founding",
            "for a treasury share, or a pool share only if the treasury has none",
            "Treasuryに株がない時だけ、Poolの株",
        ),
        ("4.2.2", "founding", "treasury first\ncompany\ncompany", "Treasury（優先）\n会社\n会社"),
        ("4.2.2", "founding", "else pool\nbank\npool", "なければPool\n銀行\nPool"),
        (
            "4.1.3",
            "founding",
            "Exchange one of your minors at once (more in later turns)",
            "1社転換し（2社目からは後の手番に）",
        ),
        (
            "4.6",
            "operating",
            "Only the minor shown (2, 3, 7, 10)",
            "枠付きヘクス（小会社3、7、10に隣接、2は本拠地）",
        ),
        (
            "4.4.4",
            "operating",
            "up to £10, the treasury’s down",
            "£10単位で切り上げ、会社分を切り下げる",
        ),
        ("4.4.8", "operating", "any number from the pool", "Poolの自社株を何枚でも買う"),
        ("4.4.3", "operating", "unless one end is Hamburg", "片側の終点がハンブルグならなし"),
        (
            "4.4.3",
            "operating",
            "Each minor is a separate company",
            "各小会社も別々の会社とみなす",
        ),
        ("4.4.3", "founding", "an unlimited train could legally run", "制限は運行と同じ"),
        ("4.1.2", "founding", "This is not a purchase", "購入とはみなさない"),
        ("4.4.8", "operating", "within the pool limit", "Pool制限内で"),
        ("1.2", "setup", "Initial Sale Round of Turn Order", "Turn Orderの初期売り出しラウンド"),
        (
            "4.6",
            "operating",
            "£120 for yellow (flip the M marker), £60 for green",
            "黄£120（“M”マーカーを裏返す）、緑£60",
        ),
        (
            "4.5",
            "buying",
            "a train other than a P at the end of its turn, with or without a route",
            "ルートの有無にかかわらずP列車以外の列車を最低1台",
        ),
        ("4.5.1", "buying", "Treasury shares may not be sold", "Treasuryの株は売れない"),
        ("4.4.6", "buying", "at least £1", "最低£1"),
        (
            "5",
            "setup",
            "play to the end of the last OR",
            "最後の運行ラウンドまで行って終わる",
        ),
    ],
)
def test_aids_show_the_rules(section: str, aid: str, en: str, ja: str) -> None:
    assert section
    assert en in words_of(aid, "en")
    assert ja in words_of(aid, "ja")


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
    assert subjects >= {"bonuses", "aids"}
    assert {each.subject for each in TITLE.provenance if each.source == "reconstruction"} == {
        "companies/Japanese",
        "companies/names",
        "map/landscape",
        "map/names",
        "pieces/boards",
        "pieces/money",
    }
    for each in TITLE.provenance:
        assert each.source != "rulebook" or "§" in each.note.get("en"), each.subject


def test_a_contradiction_of_the_rulebook_is_reported_with_both_sections() -> None:
    stated = {each.subject: each for each in TITLE.provenance if each.conflict}
    for language in ("en", "ja"):
        minors = stated["aids/founding/companies"].note.get(language)
        assert "§4.1.3" in minors
        assert "§4.3" in minors


def test_no_hex_of_a_minor_s_own_is_called_adjacent() -> None:
    """Rulebook 4.6: held hexes lie beside the homes of minors; the one of minor 2 is its home
    itself."""
    (minor,) = (each for each in MINORS if set(each.blocks) & {home.hex for home in each.homes})
    assert minor.id == "2"
    assert BOARD.by_id["H3"].reserved == ("2",)
    for term in ("companies/held_back", "map/reserved"):
        assert "隣接" not in dict(TITLE.terms)[term].get("ja")
    assert not [line for line in BOARD.legend if "隣接" in line.get("ja")]


OTHER_WORDS = (
    "大会社",
    "運営",
    "駅トークン",
    "町",
    "荒地",
    "山岳",
    "ヘックス",
    "成立",
    "無配",
    "入札",
)
"""Words that the Japanese rulebook has others for."""


def test_japanese_uses_the_words_of_the_rulebook() -> None:
    texts = [words_of(aid.id, "ja") for aid in TITLE.aids]
    texts += [event.get("ja") for phase in TITLE.phases for event in phase.events]
    texts += [line.get("ja") for line in BOARD.legend]
    texts += [each.name.get("ja") for each in TITLE.pieces.rounds]
    texts += [chain.name.get("ja") for chain in TITLE.chains]
    assert TITLE.market is not None
    texts += [line.get("ja") for line in TITLE.market.movement]
    assert not [(word, text) for word in OTHER_WORDS for text in texts if word in text]
    half_width = (":", ",", "(", ")", "?", "!")
    assert not [
        text
        for text in texts
        for sign in half_width
        if sign in text.replace("£1,000", "").replace("£12,000", "")
    ]


# --- the reference, where it lies beside the checkout

KNOWN = reference("18eu")


def printed_here(theirs: str) -> str:
    """The reference has letters on the columns and numbers on the rows; the rulebook (4.6: M-8) the
    other way round."""
    return f"{chr(ord('A') + int(theirs[1:]) - 1)}{ord(theirs[0]) - ord('A') + 1}"


def test_coordinates_as_in_the_rulebook() -> None:
    # Rulebook 4.6: M-8 lies south of Munich and is no mountain.
    assert (BOARD.scheme.letters_on, BOARD.by_id["L7"].name.get("en")) == ("y", "Munich")
    assert BOARD.by_id["M8"].at == neighbour(BOARD.by_id["L7"].at, 5, Layout.FLAT)
    assert not BOARD.by_id["M8"].tile.terrain


@needs_reference
def test_reference_has_the_same_hexes() -> None:
    assert set(BOARD.by_id) == set(map(printed_here, KNOWN["hexes"]))


@needs_reference
def test_hexes_as_in_the_reference() -> None:
    for printed, there in KNOWN["hexes"].items():
        assert_as_in_the_reference(BOARD.by_id[printed_here(printed)], there, name=there["name"])


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    assert {entry.tile.id: entry.count for entry in TITLE.tiles} == {
        number: tile["count"] for number, tile in KNOWN["tiles"].items()
    }


@needs_reference
def test_market_as_in_the_reference() -> None:
    assert TITLE.market is not None
    printed = [
        [f"{cell.price}{''.join(cell.zones)}" for cell in row if cell] for row in TITLE.market.rows
    ]
    assert printed == KNOWN["market"]["rows"]


@needs_reference
def test_companies_as_in_the_reference() -> None:
    assert {company.id: company.colour for company in MAJORS} == {
        each["sym"]: each["color"] for each in KNOWN["corporations"]
    }
    assert {company.id: company.name.get("en") for company in MINORS} == {
        each["sym"]: each["name"] for each in KNOWN["minors"]
    }
