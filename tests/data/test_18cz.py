"""18CZ as data: every number of the rulebook, read through the loader; and the reference where it is at hand."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from facts import needs_reference, reference

from platelayer.definitions.titles import load_title
from platelayer.model.company import Company, CompanyKind, Home
from platelayer.model.hexes import Layout, neighbour
from platelayer.model.manifest import PLAY, build_manifest
from platelayer.model.market import MarketShape
from platelayer.model.tile import EndKind, StopKind, Tile
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.run import run_rules

LOADED = load_title("18cz")
TITLE = LOADED.title
MAPS = {board.id: board for board in TITLE.maps}
MAIN = MAPS["main"]
VARIANTS = {name: load_title("18cz", variant=name) for name in ("bohemia", "moravia")}

LOCALS = [company for company in TITLE.companies if company.kind is CompanyKind.PRIVATE]
MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]
SIZES = ("small", "medium", "large")


def of_size(companies: list[Company], size: str) -> list[Company]:
    return [company for company in companies if company.size == size]


def test_no_problem_is_found() -> None:
    assert LOADED.problems == ()
    assert [loaded.problems for loaded in VARIANTS.values()] == [(), ()]


@pytest.mark.parametrize("variant", [None, "bohemia", "moravia"])
def test_rules_find_no_error_and_no_warning(variant: str | None) -> None:
    title = TITLE if variant is None else VARIANTS[variant].title
    found = [each for each in run_rules(title) if each.severity.name != "NOTE" and each.code != "RW01"]
    assert found == []


# --- players ----------------------------------------------------------------------------------------------------------


def test_cash_certificate_limits_and_bank() -> None:
    assert [(each.players, each.cash, each.certificate_limit) for each in TITLE.players] == [
        (3, 380, 14),
        (4, 300, 12),
        (5, 250, 10),
        (6, 210, 9),
    ]
    assert TITLE.bank is None
    players = VARIANTS["bohemia"].title.players
    assert [(each.players, each.cash, each.certificate_limit) for each in players] == [(2, 280, 14)]
    assert [each.players for each in VARIANTS["moravia"].title.players] == [2, 3]


def test_the_other_sum_for_three_players_is_told() -> None:
    note = next(each.note.get("en") for each in TITLE.provenance if each.subject == "players")
    assert "350" in note
    assert "380" in note


# --- maps -------------------------------------------------------------------------------------------------------------


def test_three_maps_of_pointy_hexes() -> None:
    assert {board.id: len(board.hexes) for board in TITLE.maps} == {"main": 107, "bohemia": 73, "moravia": 42}
    assert all(board.layout is Layout.POINTY for board in TITLE.maps)
    assert [MAIN.by_id[at].name.get("en") for at in ("E11", "C25")] == ["Praha", "Ostrava"]  # type: ignore[union-attr]


def test_further_maps_show_the_same_hexes() -> None:
    for board in TITLE.maps:
        assert all(each.tile == MAIN.by_id[each.id].tile for each in board.hexes)
        assert all(each.at == MAIN.by_id[each.id].at for each in board.hexes)
        for each in board.hexes:
            assert set(each.borders) <= set(MAIN.by_id[each.id].borders)
            assert all(neighbour(each.at, border.edge, board.layout) in board.by_coord for border in each.borders)


def test_bohemia_has_places_for_vaclav() -> None:
    (places,) = MAPS["bohemia"].places
    assert places.name.get("en") == "Vaclav"
    assert len(places.spaces) == 3
    assert MAIN.places == MAPS["moravia"].places == ()


def test_every_reconstruction_is_named() -> None:
    known = {each.subject for each in TITLE.provenance if each.source == "reconstruction"}
    assert {"maps/moravia", "tiles/red", "money", "marker/exchange", "pieces/sizes", "variants/moravia"} <= known
    assert all(each.note.has("ja") for each in TITLE.provenance)


# --- tiles ------------------------------------------------------------------------------------------------------------


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
    assert sorted(label.text for tile in red for label in tile.labels) == ["BY", "PR", "SX", "Ug", "kk"]
    for tile in red:
        (stop,) = tile.stops
        assert [tuple(step) for step in stop.revenue] == [(20, "yellow"), (30, "green"), (40, "brown"), (50, "gray")]
        assert (stop.kind, stop.slots, tile.exits) == (StopKind.CITY, 1, (0, 1))
        assert [icon.text for icon in tile.icons] == ["+50"]


# --- companies --------------------------------------------------------------------------------------------------------


def test_local_railways() -> None:
    assert {size: len(of_size(LOCALS, size)) for size in SIZES} == {"small": 6, "medium": 6, "large": 6}
    assert {size: {each.income for each in of_size(LOCALS, size)} for size in SIZES} == {
        "small": {5},
        "medium": {10},
        "large": {20},
    }
    assert all(each.second_name is not None for each in LOCALS)
    # Only letters that Czech has and German has not tell which of the two names is which.
    assert "ř" in "".join(each.name.get("en") for each in LOCALS)
    assert "ß" in "".join(each.second_name.get("en") for each in LOCALS if each.second_name)


@pytest.mark.parametrize(
    ("size", "shares", "stations", "floats"),
    [
        ("small", [(50, 1, True), (25, 2, False)], (0, 40, 100), 50),
        ("medium", [(40, 1, True), (20, 3, False)], (0, 40, 100), 60),
        ("large", [(20, 1, True), (10, 8, False)], (0, 40), 50),
    ],
)
def test_companies(size: str, shares: list[tuple[int, int, bool]], stations: tuple[int, ...], floats: int) -> None:
    companies = of_size(MAJORS, size)
    assert len(companies) == 5
    for company in companies:
        assert [(each.percent, each.count, each.director) for each in company.certificates] == shares
        assert company.stations == stations
        assert company.float_percent == floats


def test_homes() -> None:
    assert {company.id: company.homes for company in MAJORS if company.size != "large"} == {
        "EKJ": (Home("D4", 0),),
        "OFE": (Home("C25", 0),),
        "BCB": (Home("E15", 0),),
        "MW": (Home("F22", 0),),
        "VBW": (Home("I9", 0),),
        "BN": (Home("E11", 1),),
        "NWB": (Home("E11", 0),),
        "ATE": (Home("B8", None),),
        "BTE": (Home("D2", 0),),
        "KFN": (Home("G19", 0),),
    }
    large = {company.id: [home.hex for home in company.homes] for company in MAJORS if company.size == "large"}
    assert large == {
        "SX": ["A7", "B4"],
        "PR": ["A21", "B18"],
        "BY": ["F2", "H4"],
        "kk": ["J14", "I17"],
        "Ug": ["G27", "I23"],
    }
    for company, hexes in large.items():
        assert all([label.text for label in MAIN.by_id[at].tile.labels] == [company] for at in hexes)


# --- trains, phases, market -------------------------------------------------------------------------------------------


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


def sort_of(name: str) -> str:
    return "large" if name.endswith("E") else "medium" if "+" in name else "small"


def test_trains_rust_within_their_own_size_only() -> None:
    for train in TITLE.trains:
        for face in train.faces:
            assert {sort_of(name) for name in face.rusts_on} <= {sort_of(face.name)}
            assert face.obsolete_on == ()


def test_phases() -> None:
    limits = {phase.id: {limit.who: limit.limit for limit in phase.train_limits} for phase in TITLE.phases}
    assert limits["a"] == {"small": 3}
    assert limits["d"] == {"small": 3, "medium": 3, "large": 3}
    assert limits["j"] == {"small": 1, "medium": 1, "large": 2}
    first = {colour: next(p.id for p in TITLE.phases if colour in p.tiles) for colour in (*TITLE.colours, "red")}
    assert first == {"yellow": "a", "green": "d", "brown": "g", "gray": "i", "red": "d"}


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert market.shape is MarketShape.ZIGZAG
    prices = [cell.price for cell in market.rows[0] if cell is not None]
    assert (prices[0], prices[-1], prices) == (40, 370, sorted(prices))
    par = {zone.who: [c.price for c in market.rows[0] if c is not None and zone.id in c.zones] for zone in market.zones}
    assert par == {
        "small": [50, 55, 60, 65, 70],
        "medium": [60, 70, 80, 90, 100],
        "large": [90, 100, 110, 120],
    }


def test_game_track() -> None:
    amounts = [each.amount for each in TITLE.pieces.rounds]
    assert [each for each in amounts if each is not None] == [40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120]
    sets = [len(part) for part in "".join("s" if each is None else "o" for each in amounts).split("s")[1:]]
    assert sets == [1, 1, 1, 1, 2, 2, 2, 3]
    assert TITLE.pieces.rounds_once


# --- the box ----------------------------------------------------------------------------------------------------------


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
        "offer-sheet": 1,
    }
    assert {key: totals[key] for key in expected} == expected
    # Shares and local railways in three sizes of card.
    assert [totals[f"certificate/{size}"] for size in SIZES] == [15, 20, 45]
    assert [totals[f"private/{size}"] for size in SIZES] == [6, 6, 6]
    tables = [aid for aid in TITLE.aids if aid.id == "shares"]
    assert [aid.count for aid in tables] == [6]


def test_cards_in_three_sizes() -> None:
    def area(kind: str, piece: str, size: str | None = None) -> float:
        found = TITLE.pieces.size(kind, piece, size)
        return round(found.width_mm * found.height_mm)

    small, medium, large = (area("certificate", "", size) for size in SIZES)
    assert small < medium < large
    assert [area("private", "", size) for size in SIZES] == [small, medium, large]
    assert (area("number-card", "1"), area("train", "a"), area("summary", "shares")) == (small, medium, large)


def test_the_sheet_of_the_initial_round_has_a_back_for_play() -> None:
    assert build_manifest(TITLE).by_key["offer-sheet:offer"].back == PLAY


def test_revenue_tables() -> None:
    (aid,) = (aid for aid in TITLE.aids if aid.id == "shares")
    table = aid.sections[0].table
    assert table is not None
    cells = [[int(cell.get("en")) for cell in row] for row in table.rows]
    shown = {row[at]: (row[at + 1], row[at + 2]) for row in cells for at in (0, 3, 6)}
    assert sorted(shown) == list(range(10, 280, 10))
    assert all((4 * a >= r > 4 * (a - 1), 4 * b >= 3 * r > 4 * (b - 1)) == (True, True) for r, (a, b) in shown.items())


# --- upgrades ---------------------------------------------------------------------------------------------------------


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
    # By the edges that are left without track: two beside each other, one between them, or opposite ones.
    assert {number: followers(TITLE, number) for number in ("2", "56", "69", "1", "55")} == {
        "2": {"887p"},
        "56": {"887p"},
        "69": {"8866p"},
        "1": {"888p"},
        "55": {"888p"},
    }


def test_purple_tiles_say_who_may_lay_them() -> None:
    pairs = upgrade_graph(TITLE).pairs
    assert {pair.to for pair in pairs if pair.via} == {e.tile.id for e in TITLE.tiles if e.tile.frame}


# --- variants ---------------------------------------------------------------------------------------------------------


def test_bohemia_for_two() -> None:
    title = VARIANTS["bohemia"].title
    assert [board.id for board in title.maps] == ["bohemia"]
    companies = {company.id for company in title.companies if company.has_charter}
    assert companies == {"EKJ", "BCB", "VBW", "SX", "BY", "kk", "BN", "NWB", "ATE", "BTE"}
    left = {company.id for company in title.companies if not company.has_charter}
    assert left == {"S1", "S2", "S3", "M1", "M2", "M3", "L1", "L2", "L3"}


def test_every_company_of_a_variant_has_a_home_there() -> None:
    for loaded in VARIANTS.values():
        (board,) = loaded.title.maps
        for company in loaded.title.companies:
            assert all(home.hex in board.by_id for home in company.homes)


# --- the reference ----------------------------------------------------------------------------------------------------


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
        frozenset(str(end.index) if end.kind is EndKind.EDGE else names[end.index] for end in segment.ends)
        for segment in tile.track
    }


def assert_same(tile: Tile, fact: dict[str, Any]) -> None:
    assert tile.colour == fact["color"]
    assert [label.text for label in tile.labels] == fact["labels"]
    assert track_of(tile) == {frozenset(map(str, path[:2])) for path in fact["paths"]}
    for kind, key in ((StopKind.CITY, "cities"), (StopKind.TOWN, "towns")):
        own = [stop for stop in tile.stops if stop.kind is kind]
        assert len(own) == len(fact[key])
        for stop, told in zip(own, fact[key], strict=True):
            if kind is StopKind.CITY:
                assert stop.slots == told["slots"]
            if isinstance(told["revenue"], int):
                assert [step.value for step in stop.revenue] == ([told["revenue"]] if told["revenue"] else [])
            else:
                assert told["revenue"].items() <= {step.since: step.value for step in stop.revenue}.items()


@needs_reference
def test_hexes_against_the_reference() -> None:
    facts = FACTS["hexes"]
    assert {printed(at) for at in facts} == set(MAIN.by_id)
    gone = {printed(at) for at in FACTS["hex_variants"]["2_players"]["hexes_removed"]}
    assert set(MAPS["bohemia"].by_id) == set(MAIN.by_id) - gone
    for at, fact in facts.items():
        hexagon = MAIN.by_id[printed(at)]
        assert_same(hexagon.tile, fact)
        assert [terrain.cost for terrain in hexagon.tile.terrain] == [each["cost"] for each in fact.get("upgrades", ())]
        assert hexagon.stubs == tuple(fact.get("stubs", ()))
        borders = {(border.edge, border.kind) for border in hexagon.borders}
        assert borders == {(each["edge"], each["type"]) for each in fact.get("borders", ())}
        name = fact["name"] and fact["name"].replace("Karolvy", "Karlovy")
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
        told = {each["name"][:-1]: each for each in (fact, *fact.get("variants", ()))}
        assert {face.name for face in train.faces} == set(told)
        for face in train.faces:
            assert face.price == told[face.name]["price"]
            rusts = {re.sub("[a-j]$", "", name) for name in told[face.name].get("rusts_on", ())}
            assert set(face.rusts_on) == rusts


@needs_reference
def test_local_railways_against_the_reference() -> None:
    for fact in FACTS["companies"]:
        company = TITLE.company_by_id[fact["sym"]]
        assert (company.value, company.income) == (fact["value"], fact["revenue"])
        assert company.second_name is not None
        assert re.findall(r"\w+", company.second_name.get("en")) == re.findall(r"\w+", fact["name"])
