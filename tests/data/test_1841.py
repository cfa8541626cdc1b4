"""1841 as data: every number of the rulebook, read through the loader; the reference where it is at
hand; variants."""

from __future__ import annotations

import re
from itertools import chain, pairwise, product
from typing import Any

import pytest
from facts import exits_of, needs_reference, reference

from often import often
from platelayer.drawing.map.map_tile import draw_overlay
from platelayer.drawing.map.panels import pass_name
from platelayer.drawing.pieces import draw_piece
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import EDGES, GameMap, neighbour, opposite
from platelayer.model.manifest import build_manifest
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


# The variants of Italian reunification of 1841 (rulebook §8.1.1 to §8.1.5), alone and with 1841
# Lite (§8.3)


NAMES = ("napoleon", "cavour", "wilhelm", "carlo-alberto", "franz-joseph")
ALONE = tuple(f"reunification-{name}" for name in NAMES)
WITH_LITE = tuple(f"{variant}-lite" for variant in ALONE)
LITE = ("lite", "version-1-lite", *WITH_LITE)
NO_SUCCESSION = ("napoleon", "cavour", "wilhelm", "franz-joseph")
LATE_MERGER = ("napoleon", "wilhelm", "franz-joseph")
TUSCAN = {"SFMA", "SFLP", "SSFL", "SFLi"}

PHASES = "2345678"
LOMBARDY, VENETO, PIEDMONT, TUSCANY = "Lombardy", "Veneto", "Piedmont", "Tuscany"
CONSERVATIVE, SWITZERLAND = "Conservative Area", "Switzerland"
# The phases in which two countries have a border; Lombardy and Veneto are Austria while it has them
# (§6.1).
STANDARD = {
    (LOMBARDY, PIEDMONT): "23",
    (CONSERVATIVE, LOMBARDY): "23",
    (CONSERVATIVE, VENETO): "234",
    (LOMBARDY, VENETO): "4",
    (CONSERVATIVE, TUSCANY): "23",
    (CONSERVATIVE, PIEDMONT): "23",
    (PIEDMONT, TUSCANY): "23",
    (LOMBARDY, SWITZERLAND): PHASES,
}
_AUSTRIA_TO_5 = {
    (LOMBARDY, PIEDMONT): "234",
    (CONSERVATIVE, LOMBARDY): "234",
    (LOMBARDY, VENETO): "",
}
_PIEDMONT_TO_5 = {(CONSERVATIVE, PIEDMONT): "234", (PIEDMONT, TUSCANY): "234"}
BORDERS = {
    None: STANDARD,
    "napoleon": STANDARD | {(CONSERVATIVE, VENETO): "23", (LOMBARDY, VENETO): ""} | _PIEDMONT_TO_5,
    "cavour": STANDARD | {(CONSERVATIVE, VENETO): "23", (LOMBARDY, VENETO): ""},
    "wilhelm": STANDARD | _AUSTRIA_TO_5 | _PIEDMONT_TO_5,
    "carlo-alberto": STANDARD
    | {(LOMBARDY, PIEDMONT): "2", (CONSERVATIVE, LOMBARDY): "2", (LOMBARDY, VENETO): "34"}
    | {(CONSERVATIVE, PIEDMONT): "2", (PIEDMONT, TUSCANY): "2"},
    "franz-joseph": STANDARD | _AUSTRIA_TO_5 | _PIEDMONT_TO_5,
}


def held(board: GameMap) -> dict[tuple[str, str], set[str]]:
    """For two countries the phases in which their common hexsides, but for impassable ones, have a
    border; each side is asked."""
    found: dict[tuple[str, str], set[str]] = {}
    for each in board.hexes:
        lines = {border.edge: border for border in each.borders}
        for edge in EDGES:
            beside = board.by_coord.get(neighbour(each.at, edge, board.layout))
            if beside is None or None in (each.zone, beside.zone) or each.zone == beside.zone:
                continue
            one, other = sorted((str(each.zone), str(beside.zone)))
            border = lines.get(edge)
            if border is not None and border.kind == "impassable":
                continue
            phases = ""
            if border is not None:
                phases = PHASES[
                    PHASES.index(border.since or "2") : PHASES.index(border.until)
                    if border.until
                    else None
                ]
            found.setdefault((one, other), set()).add(phases)
    return found


@pytest.mark.parametrize("name", list(BORDERS))
def test_borders_hold_in_the_phases_of_the_rulebook(name: str | None) -> None:
    board = title_of(name and f"reunification-{name}").maps[0]
    assert held(board) == {pair: {phases} for pair, phases in BORDERS[name].items()}


@pytest.mark.parametrize("name", NAMES)
def test_borders_of_lite_hold_in_the_same_phases_but_for_tuscany(name: str) -> None:
    lite = held(title_of(f"reunification-{name}-lite").maps[0])
    assert lite == {
        pair: {phases} for pair, phases in BORDERS[name].items() if pair != (PIEDMONT, TUSCANY)
    }


@pytest.mark.parametrize("variant", [*ALONE, *WITH_LITE])
def test_the_succession_takes_place_in_one_of_them_only(variant: str) -> None:
    title = title_of(variant)
    expected = not any(name in variant for name in NO_SUCCESSION)
    assert ({"SB", "SFL"} <= title.company_by_id.keys()) == expected
    assert ("succession" in {aid.id for aid in title.aids}) == expected
    stated = " ".join(each.get("en") for each in title.company_by_id["IRSFF"].abilities)
    assert ("becomes the SB and the SFL" in stated) == expected
    if expected:
        assert "Phase 3: if no legal route joins Milano and Venezia" in stated
        (aid,) = (aid for aid in title.aids if aid.id == "succession")
        words = " ".join(line.get("en") for section in aid.sections for line in section.lines)
        assert "start of phase 3" in words
        assert "the 3-train" in words
        assert "phase 4" not in words


def events(title: Title, language: str) -> dict[str, str]:
    return {
        phase.id: " ".join(event.get(language) for event in phase.events) for phase in title.phases
    }


@pytest.mark.parametrize("name", NAMES)
def test_phase_cards_show_when_the_merger_and_the_succession_take_place(name: str) -> None:
    title = title_of(f"reunification-{name}")
    merger = "5" if name in LATE_MERGER else "4"
    succession = {} if name in NO_SUCCESSION else {"3"}
    for language, merged, succeeds in (
        ("en", "Tuscan merger", "Ferdinandea succession."),
        ("ja", "トスカーナ合併を行う", "フェルディナンデアの継承を行う"),
    ):
        stated = events(title, language)
        assert {phase for phase, words in stated.items() if merged in words} == {merger}
        none = {"en": "no Ferdinandea succession", "ja": "フェルディナンデアの継承は起こらない"}[
            language
        ]
        assert {p for p, words in stated.items() if succeeds in words and none not in words} == set(
            succession
        )
        assert {p for p, words in stated.items() if none in words} == (
            {"4"} if name in NO_SUCCESSION else set()
        )


@pytest.mark.parametrize("name", NAMES)
def test_charters_and_the_card_of_the_tuscan_merger_show_its_phase(name: str) -> None:
    title = title_of(f"reunification-{name}")
    here, there = ("5", "4") if name in LATE_MERGER else ("4", "5")
    (aid,) = (aid for aid in title.aids if aid.id == "tuscany")
    heading = aid.sections[0].heading
    assert heading is not None
    assert heading.get("en") == f"Phase {here}: active Tuscan companies"
    assert heading.get("ja").startswith(f"フェイズ{here}：")
    words = " ".join(line.get("en") for section in aid.sections for line in section.lines)
    assert f"the {here}-train" in words
    assert f"the {there}-train" not in words
    for company_id in TUSCAN:
        abilities = title.company_by_id[company_id].abilities
        assert f"hase {here}" in abilities[-1].get("en")
        assert f"フェイズ{here}の開始時" in abilities[-1].get("ja")
    assert (
        title.company_by_id["SFMA"].abilities[0]
        == title_of(None).company_by_id["SFMA"].abilities[0]
    )


@pytest.mark.parametrize("variant", [*ALONE, *WITH_LITE])
def test_only_with_franz_joseph_companies_may_be_founded_in_austria_from_phase_3(
    variant: str,
) -> None:
    title = title_of(variant)
    free = [
        each
        for each in title.companies
        if each.kind is not CompanyKind.CONCESSION and None in each.stations
    ]
    assert len(free) == 14
    early = "franz-joseph" in variant
    for company in free:
        assert ("Austria only from phase 4" in company.abilities[0].get("en")) != early
        assert ("オーストリアも不可" in company.abilities[0].get("ja")) != early
    (aid,) = (aid for aid in title.aids if aid.id == "founding")
    words = " ".join(line.get("en") for section in aid.sections for line in section.lines)
    assert ("no city of Austria" in words) != early
    assert ("in Austria too" in events(title, "en")["3"]) == early


@pytest.mark.parametrize("variant", [*ALONE, *WITH_LITE])
def test_the_card_the_map_and_the_legend_are_those_of_the_variant(variant: str) -> None:
    title = title_of(variant)
    (aid,) = (aid for aid in title.aids if aid.id == "reunification")
    assert title.subtitle is not None
    assert title.subtitle.get("en").startswith(aid.name.get("en"))
    assert title.subtitle.get("ja").startswith(aid.name.get("ja"))
    last = {
        "napoleon": "3",
        "cavour": "3",
        "wilhelm": "4",
        "carlo-alberto": "2",
        "franz-joseph": "4",
    }
    (name,) = (name for name in NAMES if name in variant)
    lands = dict(title.maps[0].zone_names)
    assert lands[LOMBARDY].get("en") == f"Lombardy (Austria to phase {last[name]})"
    veneto = "4" if name == "carlo-alberto" else last[name]
    assert lands[VENETO].get("ja") == f"ヴェネト（フェイズ{veneto}までオーストリア）"


@pytest.mark.parametrize("variant", [*ALONE, *WITH_LITE])
def test_every_variant_has_its_provenance(variant: str) -> None:
    notes = {each.subject: each for each in title_of(None).provenance}
    assert "§8" in notes[f"variants/{variant}"].note.get("en")


@pytest.mark.parametrize(
    ("variant", "language"), often(product(LITE, ["en", "ja"]), ("lite", "en"), ("lite", "ja"))
)
def test_no_piece_of_lite_speaks_of_tuscany(variant: str, language: str) -> None:
    """§8.3.1, §8.3.6, §8.3.7: it has neither the country nor its companies, only an off-board area
    of that name."""
    _, _, style = read_to_print("1841", BuildOptions(language=language, variant=variant))
    title = title_of(variant)
    manifest = build_manifest(title)
    pieces = [
        each
        for each in manifest.pieces
        if each.kind in ("map", "phase-card", "summary", "bank-board", "charter")
    ]
    scenes = chain.from_iterable(draw_piece(title, manifest, piece, style) for piece in pieces)
    stated = {text.run.text for scene in scenes for text in flatten_scene(scene)[1]}
    spoken = {text for text in stated if any(word in text for word in ("Tuscan", "トスカーナ"))}
    assert {text for text in spoken if not text.startswith("トスカーナ・")} == set()
