"""1841 as data: every number of the rulebook, read through the loader; the reference where it is at
hand; variants."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from facts import exits_of, needs_reference, reference

from platelayer.drawing.map.map_tile import draw_overlay
from platelayer.drawing.map.panels import pass_name
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import GameMap, neighbour, opposite
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

VARIANTS = ("lite", "version-1", "version-1-lite")
TITLE = shipped("1841")
EVERY_VARIANT = (None, *(each.id for each in TITLE.variants))
(BOARD,) = TITLE.maps


def title_of(variant: str | None) -> Title:
    return shipped("1841", variant)


def board_of(variant: str | None) -> GameMap:
    return title_of(variant).maps[0]


def where(test: Any, board: GameMap = BOARD) -> set[str]:
    return {each.id for each in board.hexes if test(each)}


def kinds(variant: str | None = None) -> dict[CompanyKind, list[str]]:
    found: dict[CompanyKind, list[str]] = {}
    for company in title_of(variant).companies:
        found.setdefault(company.kind, []).append(company.id)
    return found


# --- map


def test_off_boards_pay_in_three_steps() -> None:
    found: dict[str, list[int]] = {}
    for each in BOARD.hexes:
        for stop in each.tile.stops:
            if stop.kind is StopKind.OFFBOARD and not stop.hidden:
                assert [step.since for step in stop.revenue] == ["white", "gray", "black"]
                assert each.tile.name is not None
                found[each.tile.name.get("en")] = [step.value for step in stop.revenue]
    assert found == {
        "Lausanne & Lötschberg": [0, 90, 150],
        "Gotthard": [20, 30, 150],
        "Trento & Brennero": [20, 70, 140],
        "Lyon": [0, 140, 200],
        "East": [50, 80, 120],
        "Adriatic Coast": [10, 70, 150],
        "Marseille": [60, 100, 150],
        "Roma": [10, 40, 200],
    }


def provinces(board: GameMap, phase: str) -> set[frozenset[tuple[str, int]]]:
    """Edges, named from both sides, with a state border in a phase."""
    order = [each.id for each in TITLE.phases]
    found = set()
    for each in board.hexes:
        for border in each.borders:
            begins = order.index(border.since) if border.since else 0
            ends = order.index(border.until) if border.until else len(order)
            if border.kind == "province" and begins <= order.index(phase) < ends:
                beside = board.by_coord[neighbour(each.at, border.edge, board.layout)]
                found.add(frozenset(((each.id, border.edge), (beside.id, opposite(border.edge)))))
    return found


def test_state_borders_by_phase() -> None:
    assert [len(provinces(BOARD, phase.id)) for phase in TITLE.phases] == [41, 41, 14, 2, 2, 2, 2]
    lugano = provinces(BOARD, "8")
    assert {name for edge in lugano for name, _ in edge} == {"C7", "D8", "E7"}


def test_every_border_stands_on_both_sides() -> None:
    for variant in EVERY_VARIANT:
        board = board_of(variant)
        for each in board.hexes:
            for border in each.borders:
                beside = board.by_coord[neighbour(each.at, border.edge, board.layout)]
                twins = [
                    (b.kind, b.since, b.until)
                    for b in beside.borders
                    if b.edge == opposite(border.edge)
                ]
                assert (border.kind, border.since, border.until) in twins, (variant, each.id)


def test_states() -> None:
    cities = {
        "Piedmont": {"H4", "J6", "M3", "M7"},
        "Tuscany": {"R14", "P12", "Q11", "S11"},
        "Conservative Area": {"K11", "L12", "K13", "L14", "K15"},
        "Lombardy": {"D8", "E7", "F8", "E9", "H8", "H10", "E11"},
        "Veneto": {"H12", "G13", "F14", "G15", "F16", "D16"},
        "Switzerland": {"C7"},
    }
    for state, hexes in cities.items():
        lying = where(lambda each, state=state: each.zone == state)
        assert {
            at for at in lying if any(s.kind is StopKind.CITY for s in BOARD.by_id[at].tile.stops)
        } == hexes
    assert {zone for zone, _ in BOARD.zone_names} == set(cities)
    for each in BOARD.hexes:
        assert (each.zone is None) == (each.tile.colour in ("red", "blue"))


def test_lite_replaces_the_south() -> None:
    board = board_of("lite")
    assert set(BOARD.by_id) - set(board.by_id) == {
        *("R12", "S11", "S13", "S15", "T10", "T12", "T14", "U13", "U15", "V12", "V14")
    }


@pytest.mark.parametrize(("variant", "stated"), [("lite", "Lite"), ("version-1", "Version 1")])
def test_the_poster_of_a_variant_shows_it(variant: str, stated: str) -> None:
    subtitle = title_of(variant).subtitle
    assert subtitle is not None
    assert subtitle.get("en") == stated
    assert subtitle.get("ja") != stated


def test_version_1_has_overlays_for_the_cuneo_area_and_firenze() -> None:
    """Rulebook §7: the original Genova is a tile, not an overlay."""
    title = title_of("version-1")
    assert {each.hex for each in title.pieces.overlays} == {"M3", "N4", "O3", "O5", "R14"}
    assert TITLE.pieces.overlays == ()
    style = read_to_print("1841", BuildOptions())[2]
    wall_mm = style.stroke("map.border.impassable").width_mm
    for overlay, walled in (
        ("cuneo", True),
        ("cuneo-east", True),
        ("firenze", False),
    ):  # N4 differs in its border alone
        shapes, _ = flatten_scene(draw_overlay(title, overlay, style))
        assert any(shape.stroke_mm == pytest.approx(wall_mm) for shape in shapes) == walled, overlay
    cuneo, firenze = board_of("version-1").by_id["M3"], board_of("version-1").by_id["R14"]
    assert (cuneo.tile.colour, cuneo.tile.track) == ("white", ())
    assert [exits_of(firenze.tile, stop) for stop in (0, 1)] == [{1}, {2}]
    assert [exits_of(BOARD.by_id["R14"].tile, stop) for stop in (0, 1)] == [{1, 5}, {2}]


# --- tiles and upgrades


@pytest.mark.parametrize("variant", EVERY_VARIANT)
def test_version_1_has_another_tile_of_genova(variant: str | None) -> None:
    first = variant in ("version-1", "version-1-lite")
    assert ("608" in title_of(variant).tile_by_id) == first
    assert ("612" in title_of(variant).tile_by_id) != first


def pairs() -> dict[tuple[str, str], tuple[int, ...]]:
    return {(pair.source, pair.to): tuple(pair.rotations) for pair in upgrade_graph(TITLE).pairs}


def test_each_special_city_has_its_own_chain() -> None:
    found: dict[str, set[str]] = {}
    for source, target in pairs():
        found.setdefault(source, set()).add(target)
    assert found["hex:F8"] == {"604"}
    assert found["604"] == {"605"}
    assert found["hex:H4"] == {"606"}
    assert found["606"] == {"607"}
    assert found["hex:M7"] == {"612"}
    assert found["612"] == {"609"}
    assert found["hex:F16"] == {"601"}
    assert found["601"] == {"602"}
    assert found["602"] == {"603"}


def test_passes_follow_passes_of_their_size_only() -> None:
    """The engine's words: passes, and nothing else, are upgraded to passes, of the same size."""
    size = {
        **{entry.tile.id: entry.tile.stops[0].size for entry in TITLE.tiles if entry.tile.stops},
        **{f"hex:{each.id}": each.tile.stops[0].size for each in BOARD.hexes if each.tile.stops},
    }
    targets: dict[int, set[str]] = {}
    for source, target in pairs():
        assert size.get(source) == size.get(target), (source, target)
        if size.get(source):
            targets.setdefault(size[source] or 0, set()).add(target)
    assert targets == {1: {"613", "614", "615", "616", "617", "618"}, 2: {"610"}}


def test_601_is_laid_as_it_is_drawn() -> None:
    assert pairs()["hex:F16", "601"] == (0,)


# --- companies


FREE_MAJORS = ["AFI", "ATFA", "CFCC", "CGTF", "CTDA", "CTS", "ICSF", "IFAI", "ILTF", "RATF", "RSFS"]


@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_concessions_call_their_companies_what_they_are(variant: str | None) -> None:
    """All but the first name one company: "the SFTC, a major at Cuneo"."""
    japanese = {"major": "大会社", "minor": "小会社"}
    founded = {company.id: company.kind.value for company in title_of(variant).companies}
    for company_id in kinds(variant)[CompanyKind.CONCESSION][1:]:
        words = title_of(variant).company_by_id[company_id].abilities[0]
        named = re.search(r"the (\w+), a (\w+) ", words.get("en"))
        assert named
        assert founded[named[1]] == named[2]
        assert f"{japanese[named[2]]}{named[1]}（" in words.get("ja")


def test_companies() -> None:
    assert sorted(kinds()[CompanyKind.MAJOR]) == sorted(
        ["SSFL", "IRSFF", "SFTG", "SFTN", "SFTC", "SFLi", "SB", "SFL", *FREE_MAJORS]
    )
    assert sorted(kinds("version-1")[CompanyKind.MINOR]) == sorted(
        ["SFMA", "SFLP", "SFTC", "SFV", "SFL", "CTLP", "FTP", "SLDV"]
    )
    tuscan = {"SFMA", "SFLP", "SSFL", "SFLi"}
    for lite, full in (("lite", None), ("version-1-lite", "version-1")):
        for kind in (CompanyKind.MAJOR, CompanyKind.MINOR):
            assert set(kinds(lite)[kind]) == set(kinds(full)[kind]) - tuscan


@pytest.mark.parametrize("variant", EVERY_VARIANT)
def test_stations(variant: str | None) -> None:
    for company in title_of(variant).companies:
        counts = {CompanyKind.MAJOR: 5, CompanyKind.MINOR: 2}
        assert len(company.stations) == counts.get(company.kind, 0)


def test_passes_go_by_name_or_size() -> None:
    style = read_to_print("1841", BuildOptions())[2]
    assert [pass_name("Pass", size, style) for size in (1, 2, 3)] == [
        "Apennine pass",
        "Alpine pass",
        "Pass of size 3",
    ]


# --- trains, phases, market


def test_only_8_trains_pass_over_passes() -> None:
    for train in TITLE.trains:
        counted, free = train.faces[0].reach
        assert (counted.visit, counted.pay) == (int(train.id), int(train.id))
        assert (free.visit, free.pay) == (None, None)
        assert ("pass" in free.stops) == (train.id == "8")
        assert ("pass" in counted.stops) == (train.id != "8")


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert [len(row) for row in market.rows] == [19, 19, 19, 16, 14, 13, 12, 11, 10, 9, 8, 7, 6]
    prices = [[cell.price for cell in row if cell] for row in market.rows]
    assert max(map(max, prices)) == prices[0][-1] == 516
    for upper, lower in pairwise(prices):
        assert all(above >= below for above, below in zip(upper, lower, strict=False))
    places: dict[str, set[tuple[int, int]]] = {}
    for row, cells in enumerate(market.rows):
        for column, cell in enumerate(cells):
            for zone in cell.zones if cell else ():
                places.setdefault(zone, set()).add((column, row))
    assert {column for column, _ in places["m"]} == {"ABCDEFGHIJKLMNOPQRS".index("K")}
    assert places["n"] == {
        (column, row) for column in (16, 17, 18) for row in (0, 1, 2)
    }  # §4.6.7: the last three
    majors_only = {cell.price for row in market.rows for cell in row if cell and "x" in cell.zones}
    assert majors_only == {216, 340}


def merged_price(figure: int) -> tuple[int, int]:
    """The rightmost column in which some row has its last price below the figure, and that price;
    of rows alike the upper counts. Worked out here from the prices alone, as the engine does."""
    assert TITLE.market is not None
    best = (-1, 0)
    for row in TITLE.market.rows:
        below = [
            (column, cell.price) for column, cell in enumerate(row) if cell and cell.price < figure
        ]
        if below and below[-1][0] > best[0]:
            best = below[-1]
    return best[1], best[0]


def test_the_merger_table_follows_from_the_market() -> None:
    (merger,) = (aid for aid in TITLE.aids if aid.id == "merger")
    (table,) = (section.table for section in merger.sections if section.table)
    rows = [[cell.get("en") for cell in row] for row in table.rows]
    stated: dict[int, tuple[int, int]] = {}
    for figures, price, letter in (row[start : start + 3] for start in (0, 3) for row in rows):
        first, _, last = figures.strip().partition("–")
        if first.isdecimal():
            stated |= dict.fromkeys(
                range(int(first), int(last or first) + 1), (int(price), ord(letter) - ord("A"))
            )
    assert sorted(stated) == list(range(10, 251))
    assert {figure: merged_price(figure) for figure in stated} == stated


@pytest.mark.parametrize("variant", ["version-1", "version-1-lite"])
def test_version_1_shows_how_its_simultaneous_bids_go(variant: str) -> None:
    """Rulebook §7 names them; the procedure is that of the engine's blind auction."""
    (aid,) = (each for each in title_of(variant).aids if each.id == "concessions")
    heading, lines = aid.sections[0].heading, aid.sections[0].lines
    assert heading is not None
    assert "simultaneous bids" in heading.get("en")
    assert "同時入札" in heading.get("ja")
    stated = [line.get("en").partition(".")[0] for line in lines]
    assert stated == ["1", "2", "3", "4"]
    for line, en, ja in zip(
        lines,
        (
            "in secret, each player notes a bid",
            "The highest for each concession",
            "highest total of bids",
            "raise by at least L.5",
        ),
        ("秘密に書く", "最高額の人", "入札の合計額の最も多い人", "L.5以上値を上げる"),
        strict=True,
    ):
        assert en in line.get("en")
        assert ja in line.get("ja")
    notes = {each.subject: each.note.get("en") for each in TITLE.provenance}
    assert "blind auction" in notes["variants/version-1"]


def test_aids_follow_the_variants() -> None:
    assert {aid.id for aid in TITLE.aids} - {aid.id for aid in title_of("lite").aids} == {"tuscany"}
    assert {aid.id for aid in TITLE.aids} - {aid.id for aid in title_of("version-1").aids} == {
        "succession"
    }
    for variant in EVERY_VARIANT:
        (setup,) = (aid for aid in title_of(variant).aids if aid.id == "setup")
        (table,) = (section.table for section in setup.sections if section.table)
        rows = [
            [int(cell.get("en").replace(",", "")) for cell in row[1:]]
            for row in (table.head, *table.rows)
        ]
        expected = [
            (each.players, each.cash, each.certificate_limit) for each in title_of(variant).players
        ]
        assert list(zip(*rows, strict=True)) == expected, variant


# --- the box


def test_provenance_names_conflicts() -> None:
    notes = {each.subject: (each.source, each.note.get("en")) for each in TITLE.provenance}
    assert "three" in notes["trains"][1]
    assert "G3" in notes["map"][1]
    assert notes["score-sheet"][0] == "reconstruction"
    assert {each.subject for each in TITLE.provenance if each.conflict} >= {
        "trains",
        "market",
        "aids/merger",
        "variants/lite",
    }
    assert {"variants/lite", "variants/version-1", "variants/version-1-lite"} <= notes.keys()
    for each in TITLE.provenance:
        assert each.note.get("ja") != each.note.get("en")


# --- the reference, where it lies beside the checkout

KNOWN = reference("1841")


@needs_reference
def test_hexes_as_in_the_reference() -> None:
    assert set(BOARD.by_id) == set(KNOWN["hexes"])
    for at, fact in KNOWN["hexes"].items():
        tile = BOARD.by_id[at].tile
        assert tile.colour == fact["color"], at
        assert [terrain.cost for terrain in tile.terrain if terrain.cost] == [
            u["cost"] for u in fact.get("upgrades", ())
        ]
        assert len(tile.stops) == sum(
            len(fact.get(kind, ())) for kind in ("cities", "towns", "offboards")
        ), at
        assert set(tile.exits) == {
            end for path in fact["paths"] for end in path if isinstance(end, int)
        }, at
        closed = {border.edge for border in BOARD.by_id[at].borders if border.kind == "impassable"}
        assert {border["edge"] for border in fact.get("borders", ())} <= closed, at


@needs_reference
def test_state_borders_as_in_the_reference() -> None:
    facts = KNOWN["province_borders"]
    for variant, kind in ((None, "full"), ("lite", "lite")):
        board = board_of(variant)
        for phase, hexes in facts[kind].items():
            expected = set()
            for at, edges in hexes.items():
                for edge in edges:
                    beside = board.by_coord[neighbour(board.by_id[at].at, edge, board.layout)]
                    expected.add(frozenset(((at, edge), (beside.id, opposite(edge)))))
            assert provinces(board, phase) == expected, (variant, phase)


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    facts = KNOWN["tiles"]
    assert {entry.tile.id: (entry.count, entry.tile.colour) for entry in TITLE.tiles} == {
        number: (fact["count"], fact["color"]) for number, fact in facts.items()
    }
