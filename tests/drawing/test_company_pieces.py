"""Certificates, charters, tokens and privates: what they say, how large, and that all of it can be
read."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from company_samples import COLOURS, EU, LONG_NAMES, STYLE, company, title_of
from msgspec.structs import replace

from platelayer.drawing.company.cards import draw_certificate, draw_private
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.company.roundel import divisions, draw_token
from platelayer.drawing.pieces import draw_back
from platelayer.foundation.resources import schema_path
from platelayer.foundation.text import Text
from platelayer.model.company import Certificate, CompanyKind, Home
from platelayer.model.manifest import build_manifest, train_limits
from platelayer.model.title import Size
from platelayer.model.train import TrainLimit
from platelayer.scene.breaks import holds_wide
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Role, Scene
from shipped import shipped

ABILITIES = tuple(
    Text.plain(words)
    for words in (
        "Lays, once, a purple-edged tile in place of a normal tile and takes 10 off the cost of the hex.",
        "May be sold to a small company for up to its price from phase b.",
        "Blocks hexes D6 and E7 until it is closed or sold to a corporation; the corporation may then lay one "
        "extra yellow tile there without cost.",
        "When a corporation buys it, the corporation receives a discount of 20 on rough terrain and 40 on mountains.",
        "May be exchanged for a share of any floated company in the stock round, before its owner passes.",
    )
)

POSTCARD = Size(kind="charter", width_mm=148.0, height_mm=105.0)


def words_of(scene: Scene) -> list[str]:
    """Everything printed, in painting order; letters on arcs are runs of their own."""
    return [text.run.text for text in flatten_scene(scene)[1]]


def unread(scene: Scene) -> list[str]:
    return [str(problem) for problem in check_legibility(scene)]


@pytest.mark.parametrize("name", LONG_NAMES)
@pytest.mark.parametrize("size", [(88, 63), (63, 88), (67, 44), (120, 80), (88.9, 57.2)])
def test_certificates_of_long_names_and_other_sizes(name: str, size: tuple[float, float]) -> None:
    sizes = (Size(kind="certificate", width_mm=size[0], height_mm=size[1]),)
    shares = (Certificate(percent=100, director=True), Certificate(percent=5, count=20))
    title = title_of([company("StEGS", name=Text.plain(name), certificates=shares)], sizes)
    for grade in ("director", "5"):
        scene = draw_certificate(title, f"StEGS-{grade}", STYLE)
        assert (scene.width_mm, scene.height_mm) == pytest.approx(size)
        assert unread(scene) == []


def test_a_japanese_name_stands_straight_above_a_line_clear_of_the_frame() -> None:
    style = replace(STYLE, language="ja")
    shares = (Certificate(percent=20, director=True), Certificate(percent=10, count=8))
    names = {"name": Text.plain("東部鉱業鉄道"), "second_name": Text.plain("Östliche Bergbahn")}
    title = title_of([company("StEGS", **names, certificates=shares)])
    for grade in ("director", "10"):
        scene = draw_certificate(title, f"StEGS-{grade}", style)
        texts = [text for text in flatten_scene(scene)[1] if holds_wide(text.run.text)]
        assert {text.run.angle for text in texts} == {0.0}
        assert {text.run.face for text in texts} == {"NotoSerifJP-SemiBold"}
    # The frame's inner line is 8.45 mm from the trim.
    assert max(text.bounds[3] for text in texts) <= 63 - 8.45 - 1.2


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("words", ["#000000", "#ffffff"])
def test_every_piece_on_every_colour(colour: str, words: str) -> None:
    minor = company(
        "7", kind=CompanyKind.MINOR, order=7, colour=colour, text_colour=words, certificates=()
    )
    private = company(
        "P1", kind=CompanyKind.PRIVATE, colour=colour, text_colour=words, value=20, income=5
    )
    title = title_of(
        [company("ABC", colour=colour, text_colour=words, second="#888888"), minor, private]
    )
    scenes = [draw_certificate(title, f"ABC-{grade}", STYLE) for grade in ("director", "10")]
    scenes += [draw_charter(title, piece, STYLE) for piece in ("ABC", "7")]
    scenes += [draw_token(title, piece, STYLE) for piece in ("ABC", "ABC-market", "7")]
    scenes += [draw_private(title, "P1", STYLE)]
    assert [line for scene in scenes for line in unread(scene)] == []


def test_sizes_go_by_the_size_of_the_company() -> None:
    sizes = (
        Size(kind="certificate", width_mm=88, height_mm=63),
        Size(kind="certificate/small", width_mm=67, height_mm=44),
        Size(kind="certificate:C-10", width_mm=80, height_mm=50),
        Size(kind="private/small", width_mm=70, height_mm=46),
    )
    local = company(
        "P", kind=CompanyKind.PRIVATE, size="small", value=25, income=5, certificates=()
    )
    made = [company("A"), company("B", size="small"), company("C", size="small"), local]
    title = title_of(made, sizes)
    drawn = {name: draw_certificate(title, f"{name}-10", STYLE) for name in "ABC"}
    assert {name: (scene.width_mm, scene.height_mm) for name, scene in drawn.items()} == {
        "A": (88, 63),
        "B": (67, 44),
        "C": (80, 50),
    }
    assert draw_private(title, "P", STYLE).width_mm == 70
    totals = build_manifest(title).totals
    assert (totals["certificate"], totals["certificate/small"], totals["charter/small"]) == (
        27,
        18,
        2,
    )
    assert (totals["private"], totals["private/small"]) == (1, 1)


def test_a_certificate_that_is_not_there() -> None:
    for piece in ("BNR-30", "XYZ-10", "1-10"):
        with pytest.raises(KeyError):
            draw_certificate(EU, piece, STYLE)


def test_train_limits_are_those_of_the_rulebook() -> None:
    limits = {
        kind: train_limits(EU, EU.company_by_id[example])
        for kind, example in (("major", "BNR"), ("minor", "1"))
    }
    assert [(phase.id, limit) for phase, limit in limits["major"]] == [
        ("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("8", 2)
    ]  # fmt: skip
    assert [limit for _, limit in limits["minor"]] == [2, 2, 1, 1, 1, 1]


def test_a_limit_by_size_goes_before_one_by_kind() -> None:
    title = title_of(
        [company("A", size="small"), company("B"), company("C", size="other", train_limit=7)]
    )
    phases = tuple(
        replace(
            phase, train_limits=(TrainLimit(who="major", limit=4), TrainLimit(who="small", limit=2))
        )
        for phase in title.phases
    )
    title = replace(title, phases=phases)
    found = {c.id: {limit for _, limit in train_limits(title, c)} for c in title.companies}
    assert found == {"A": {2}, "B": {4}, "C": {4}}


@pytest.mark.parametrize("name", LONG_NAMES)
@pytest.mark.parametrize("kind", [CompanyKind.MAJOR, CompanyKind.MINOR, CompanyKind.NATIONAL])
@pytest.mark.parametrize("size", [(148, 105), (105, 148), (127, 95.2), (210, 148)])
def test_charters_of_long_names_and_other_sizes(
    name: str, kind: CompanyKind, size: tuple[float, float]
) -> None:
    homes = (Home("J1", 0), Home("N11", 1))
    subject = company(
        "IRSFF",
        name=Text.plain(name),
        kind=kind,
        homes=homes,
        all_homes=True,
        stations=(0, 0, 40, 100),
    )
    title = title_of([subject], (Size(kind="charter", width_mm=size[0], height_mm=size[1]),))
    scene = draw_charter(title, "IRSFF", STYLE)
    assert (scene.width_mm, scene.height_mm) == pytest.approx(size)
    shown = words_of(scene)
    assert shown.count("home") == 2
    assert {"40", "100"} <= set(shown)
    assert unread(scene) == []


@pytest.mark.parametrize("abilities", [(), ABILITIES[:1], ABILITIES[:3], ABILITIES])
@pytest.mark.parametrize("kind", [CompanyKind.PRIVATE, CompanyKind.CONCESSION])
@pytest.mark.parametrize("name", ["Plan - Tachau", LONG_NAMES[1]])
def test_privates(abilities: tuple[Text, ...], kind: CompanyKind, name: str) -> None:
    private = company(
        "S1",
        kind=kind,
        name=Text.plain(name),
        value=1200,
        income=5,
        closes="phase 5",
        abilities=abilities,
    )
    scene = draw_private(title_of([private]), "S1", STYLE)
    shown = words_of(scene)
    assert {"S1", "1,200", "5", "Closes: phase 5"} <= set(shown)
    assert ("Concession" in shown) == (kind is CompanyKind.CONCESSION)
    printed = " ".join(shown)
    assert all(word in printed for ability in abilities for word in STYLE.words(ability).split())
    assert (scene.width_mm, scene.height_mm) == (88.0, 63.0)
    assert unread(scene) == []


def test_a_few_wordy_privates_stand_beside_their_seal_in_type_like_the_others() -> None:
    short, wordy = ABILITIES[1:2], (Text.plain("May lay a tile next to a tile of its own. " * 14),)
    privates = [
        company(f"S{number}", kind=CompanyKind.PRIVATE, income=5, abilities=abilities)
        for number, abilities in enumerate([wordy, *[ABILITIES[:3]] * 3, *[short] * 6])
    ]
    title = title_of(privates)
    scenes = [draw_private(title, key, STYLE) for key in ("S0", "S1", "S4")]
    assert [unread(scene) for scene in scenes] == [[], [], []]
    sizes = [
        next(text.size_pt for text in flatten_scene(scene)[1] if text.run.text[:4] == start)
        for scene, start in zip(scenes, ("May ", "Lays", "May "), strict=True)
    ]
    # Above its seal, the first would have the least type, 7 pt.
    assert sizes[0] > 8
    assert sizes[1:] == [9.5, 9.5]


def test_what_closes_in_a_phase_says_so() -> None:
    private = company(
        "S1", kind=CompanyKind.PRIVATE, name=Text.plain("Tachau"), value=50, closes=EU.phases[2].id
    )
    shown = words_of(draw_private(replace(title_of([private]), phases=EU.phases), "S1", STYLE))
    assert f"Closes in phase {EU.phases[2].id}" in shown


def test_a_minor_with_shares_has_the_charter_of_a_major() -> None:
    shares = (Certificate(percent=40, director=True), Certificate(percent=20, count=3))
    minor = company(
        "M1", kind=CompanyKind.MINOR, certificates=shares, float_percent=40, stations=(50, 50)
    )
    shown = words_of(draw_charter(title_of([minor], sizes=(POSTCARD,)), "M1", STYLE))
    assert "Director 40 %   ·   3 × 20 %   ·   floats at 40 %" in shown
    assert "Paid out: 20 % for every share." in shown
    assert "Minor company" not in shown


def test_long_abilities_of_a_company_are_set_across_its_charter() -> None:
    """As wide as the treasury and the trains together; beside the treasury they would be in a
    narrow face."""
    able = company(
        "B1", kind=CompanyKind.MAJOR, abilities=(*ABILITIES[:1], *ABILITIES[:1]), stations=(0, 40)
    )
    scene = draw_charter(
        title_of([able], sizes=(Size(kind="charter", width_mm=148.0, height_mm=130.0),)),
        "B1",
        STYLE,
    )
    stated = [
        text
        for text in flatten_scene(scene)[1]
        if len(text.run.text) > 20 and text.run.text in STYLE.words(ABILITIES[0])
    ]
    assert {text.run.face for text in stated} == {"EBGaramond-Regular"}
    assert max(text.bounds[2] for text in stated) > 110
    assert unread(scene) == []


def test_every_division_a_title_may_name_can_be_drawn() -> None:
    schema = json.loads(schema_path("companies").read_text(encoding="utf-8"))
    named = schema["$defs"]["roundel"]["properties"]["division"]["enum"]
    assert set(named) == set(divisions())


def test_a_size_that_phases_speak_of_has_no_limit_where_they_are_silent() -> None:
    coal = company("COAL", size="coal", kind=CompanyKind.MINOR)
    first, second, *_ = EU.phases
    limits = (TrainLimit(who="minor", limit=2), TrainLimit(who="coal", limit=1))
    phases = (replace(first, train_limits=limits), replace(second, train_limits=limits[:1]))
    title = replace(title_of([coal]), phases=phases)
    assert [(phase.id, limit) for phase, limit in train_limits(title, coal)] == [(first.id, 1)]


def test_a_company_that_one_certificate_owns_has_a_card_with_its_sign() -> None:
    whole = company(
        "EPP",
        kind=CompanyKind.MINOR,
        certificates=(Certificate(percent=100),),
        value=240,
        class_name=Text.plain("Coal railway"),
    )
    assert whole.owned_whole
    scene = draw_private(title_of([whole]), "EPP", STYLE)
    assert unread(scene) == []
    assert Counter(words_of(scene))["EPP"] == 2  # in the band and on the roundel
    assert {"Coal railway", "240"} <= set(words_of(scene))
    charter = draw_charter(title_of([whole], sizes=(POSTCARD,)), "EPP", STYLE)
    assert any("Coal railway" in words for words in words_of(charter))


def test_a_charter_says_what_sort_of_company_it_is_and_what_is_held_back() -> None:
    held = (Certificate(percent=20, director=True), Certificate(percent=10, count=2, reserved=True))
    state = company(
        "SD",
        certificates=(*held, Certificate(percent=10, count=6)),
        class_name=Text.plain("State railway"),
    )
    state = replace(state, abilities=(Text.plain("Formed with the first 4-train."),))
    title = title_of([state])
    scene = draw_charter(title, "SD", STYLE)
    assert unread(scene) == []
    shown = " ".join(words_of(scene))
    assert "State railway   ·   Director 20 %   ·   2 × 10 % reserved   ·   6 × 10 %" in shown
    assert "Formed with the first" in shown
    assert "RESERVED SHARE" in words_of(draw_certificate(title, "SD-10r", STYLE))
    assert "SHARE" in words_of(draw_certificate(title, "SD-10", STYLE))


def test_cards_of_one_sort_have_the_back_of_their_sort() -> None:
    title = shipped("1824")
    manifest = build_manifest(title)
    backs = {
        piece.id: draw_back(title, piece, STYLE)
        for piece in manifest.pieces
        if piece.id in ("B1", "B2", "EPP", "KK1") and piece.kind == "private"
    }
    shown = {name: " ".join(words_of(back)) for name, back in backs.items() if back is not None}
    assert {name: words.partition("1824 ")[2].lower() for name, words in shown.items()} == {
        "B1": "mountain railway",
        "B2": "mountain railway",
        "EPP": "coal railway",
        "KK1": "pre-staatsbahn",
    }
    assert len({back.key for back in backs.values() if back is not None}) == 3


def test_places_for_tokens_may_be_others_than_the_tokens() -> None:
    # Lost Atlas, rulebook §22: a free circle for a token, and two at the right.
    subject = company("AA", stations=(None,) * 5, token_places=(0, None, None))
    scene = draw_charter(title_of([subject]), "AA", STYLE)
    slots = [shape for shape in flatten_scene(scene)[0] if shape.role is Role.SLOT]
    assert len(slots) == 3
    words = [text.run.text for text in flatten_scene(scene)[1]]
    assert words.count("free") == words.count("see map") == 1
    assert "home" not in words
    assert not [str(problem) for problem in check_legibility(scene)]
