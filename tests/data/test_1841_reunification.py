"""The variants of Italian reunification of 1841 (rulebook §8.1.1 to §8.1.5), alone and with 1841
Lite (§8.3)."""

from __future__ import annotations

from itertools import chain, product

import pytest

from often import often
from platelayer.drawing.pieces import draw_piece
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import EDGES, GameMap, neighbour
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

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


def title_of(variant: str | None) -> Title:
    return shipped("1841", variant)


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
