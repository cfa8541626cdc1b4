"""1824 as data: every number of the rulebook, read through the loader; and the reference where it
is at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from facts import assert_as_in_the_reference, needs_reference, reference, words_of

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import GameMap
from platelayer.model.manifest import build_manifest, train_limits
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


# --- map


def test_rivers_cost_20_and_mountains_40() -> None:
    for variant in (None, *VARIANTS):
        costs = {
            (terrain.kinds, terrain.cost)
            for each in board_of(variant).hexes
            for terrain in each.tile.terrain
        }
        assert costs == {(("river",), 20), (("mountain",), 40)}


def test_bukowina_is_marked_on_the_cisleithanian_maps() -> None:
    for variant in VARIANTS[1:]:
        marked = {
            each.id: each.tile.icons[0].text for each in board_of(variant).hexes if each.tile.icons
        }
        del marked["D5"], marked["B11"], marked["B21"]
        assert marked == {"F11": "B", "C8": "B", "E24": "b", "F23": "b", "F25": "b"}


# --- tiles


def after(title: Title, source: str) -> dict[str, tuple[int, ...]]:
    return {pair.to: pair.rotations for pair in upgrade_graph(title).by_source.get(source, ())}


# --- companies


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


def test_companies_of_the_variants() -> None:
    every = {each.id for each in TITLE.companies}
    two, three = (
        {each.id for each in shipped("1824", variant).companies} for variant in VARIANTS[1:]
    )
    assert every - two == {"SPB", "UG1", "UG2", "UG", "SB", "BH", "B3", "B4", "B5", "B6"}
    assert every - three == {"SPB", "UG2", "SB", "BH", "B4", "B5", "B6"}


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


# --- market


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert [len(row) for row in market.rows] == [14, 14, 14, 11, 9, 7, 5]
    zones = {
        letter: {(cell.price, x, y) for y, row in enumerate(market.rows) for x, cell in enumerate(row)
                 if cell and letter in cell.zones}
        for letter in ("p", "s")
    }  # fmt: skip
    assert zones["p"] == {(100, 2, 2), (90, 2, 3), (80, 2, 4), (70, 2, 5), (60, 2, 6)}
    assert zones["s"] == {(120, 2, 0)}


# --- the box


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
    shown = {language: words_of(title, "*", language) for language in ("en", "ja")}
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
        abilities = shipped("1824", variant).company_by_id["KK"].abilities
        assert any("Wien" in text.get("en") for text in abilities)


@pytest.mark.parametrize("variant", [None, "goods-time", "cisleithania-2", "cisleithania-3"])
def test_english_components_have_the_names_of_the_rulebook(variant: str | None) -> None:
    """§II: Staatsbahnen and Pre-Staatsbahnen."""
    title = shipped("1824", variant=variant)
    words = [text.get("en").lower() for _, text in located_texts(title)]
    assert [each for each in words if re.search("state[- ]railway|pre-state", each)] == []
    assert any("pre-staatsbahn" in each for each in words)
