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
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import neighbour
from platelayer.model.kinds import PLAY, piece_size
from platelayer.model.manifest import build_manifest
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
SIZES = ("small", "medium", "large")


# --- maps


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


def test_places_have_japanese_names() -> None:
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


def test_purple_tiles() -> None:
    purple = Counter[str]()
    for entry in TITLE.tiles:
        if entry.tile.frame is not None:
            purple[entry.tile.colour] += entry.count
            assert entry.via is not None
        else:
            assert entry.via is None
    assert purple == {"green": 10, "brown": 7, "gray": 3}


# --- companies


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


# --- trains, phases, market


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


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    prices = [cell.price for cell in market.rows[0] if cell is not None]
    assert (prices[0], prices[-1], prices) == (40, 370, sorted(prices))
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
    sets = [
        len(part)
        for part in "".join("s" if each is None else "o" for each in amounts).split("s")[1:]
    ]
    assert sets == [1, 1, 1, 1, 2, 2, 2, 3]


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
        legend = words_of(board.legend)
        assert "first tile only, on OO and P too" in legend
        assert "アップグレードに数えるOOとPの最初のタイルも" in legend
    (board,) = VARIANTS["moravia"].maps
    assert not [each.id for each in board.hexes if each.tile.labels and each.tile.terrain]


# --- the box


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


def test_two_towns_become_one_on_purple_edged_tiles_only() -> None:
    for number in ("1", "2", "55", "56", "69"):
        assert all(TITLE.tile_by_id[to].via for to in followers(TITLE, number))


def test_purple_tiles_say_who_may_lay_them() -> None:
    pairs = upgrade_graph(TITLE).pairs
    assert {pair.to for pair in pairs if pair.via} == {
        e.tile.id for e in TITLE.tiles if e.tile.frame
    }


# --- variants


def test_bohemia_for_two() -> None:
    title = VARIANTS["bohemia"]
    companies = {company.id for company in title.companies if company.has_charter}
    assert companies == {"EKJ", "BCB", "VBW", "SX", "BY", "kk", "BN", "NWB", "ATE", "BTE"}


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
    privates = [company for company in title.companies if company.kind is CompanyKind.PRIVATE]
    assert {"MW", "3E"} < {company.id for company in privates}
    market = title.market
    assert market is not None
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


def test_the_revenue_chart_is_reported_to_be_ours() -> None:
    """§8-8 has it at the foot of the map."""
    (stated,) = (each for each in TITLE.provenance if each.subject == "revenue-chart")
    assert stated.source == "reconstruction"
    assert "foot of the map" in stated.note.get("en")
