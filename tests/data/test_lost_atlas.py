"""Railways of the Lost Atlas as data: every number of the reference facts, read through the
loader."""

from __future__ import annotations

import pytest
from facts import counts_by_colour, exits_of, needs_reference, reference

from platelayer.definitions.themes import load_theme
from platelayer.drawing.charts.upgrade_chart import draw_upgrade_charts
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.company import Company, CompanyKind
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import EndKind, stop_end
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

TITLE = shipped("lost-atlas")
STYLE = Style(
    theme=load_theme("classic"), pictures={picture.id: picture for picture in TITLE.pictures}
)

MINORS = [company for company in TITLE.companies if company.kind is CompanyKind.MINOR]
MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]


# --- the box


def test_tiles_and_overlays_fit_the_hexes_of_the_map() -> None:
    sizes = {
        kind: piece_size(TITLE, kind).width_mm
        for kind in ("map-tile", "capital-project", "tile", "overlay")
    }
    assert sizes == {"map-tile": 40, "capital-project": 40, "tile": 39.5, "overlay": 39.5}


# --- tiles


@pytest.mark.parametrize(
    ("number", "icon", "stops", "exits"),
    [
        ("291", "capital", [(40, 1)], [{0, 2}]),
        ("292", "capital", [(40, 1)], [{0, 1}]),
        ("293", "capital", [(40, 1)], [{0, 3}]),
        ("294", "capital", [(50, 2)], [{0, 1, 3, 4}]),
        ("295", "capital", [(50, 2)], [{0, 1, 2, 3}]),
        ("296", "capital", [(50, 2)], [{0, 2, 3, 4}]),
        ("297", "capital", [(60, 3)], [{0, 1, 2, 3, 4}]),
        ("125", None, [(40, 2)], [{0, 1, 2, 3, 4}]),
        ("51", None, [(50, 2)], [{0, 1, 2, 3, 4}]),
        ("LA1", "mine", [(50, 1), (30, 1)], [set(), {0, 1}]),
        ("LA2", "port", [(60, 1), (60, 1)], [{0, 1}, {4, 5}]),
        ("LA4", "mine", [(60, 1), (40, 2)], [set(), {0, 1, 2}]),
        ("LA5", "port", [(80, 2), (80, 2)], [{0, 1}, {4, 5}]),
        ("LA6", "capital", [(70, 3)], [{0, 1, 2, 3, 4}]),
        ("LA7", "mine", [(70, 1), (50, 2)], [set(), {0, 1, 2, 5}]),
    ],
)
def test_special_tiles(
    number: str, icon: str | None, stops: list[tuple[int, int]], exits: list[set[int]]
) -> None:
    tile = TITLE.tile_by_id[number].tile
    assert [each.name for each in tile.icons] == ([icon] if icon else [])
    assert [(stop.revenue[0].value, stop.slots) for stop in tile.stops] == stops
    assert [exits_of(tile, stop) for stop in range(len(stops))] == exits


def test_cities_of_a_mine_are_joined_and_those_of_a_port_are_one() -> None:
    for number in ("LA1", "LA4", "LA7"):
        ends = [set(segment.ends) for segment in TITLE.tile_by_id[number].tile.track]
        assert {stop_end(0), stop_end(1)} in ends
    for number in ("LA2", "LA5"):
        assert [stop.groups for stop in TITLE.tile_by_id[number].tile.stops] == [
            ("port",),
            ("port",),
        ]


def test_track_without_cities() -> None:
    pairs = {
        number: {frozenset(segment.edges) for segment in TITLE.tile_by_id[number].tile.track}
        for number in ("LA3", "721", "722", "723")
    }
    assert pairs == {
        "LA3": {frozenset((3, 1)), frozenset((3, 0)), frozenset((3, 5))},
        "721": {frozenset((0, 3))},
        "722": {frozenset((0, 2))},
        "723": {frozenset((0, 1))},
    }


# --- upgrades: rotations worked out by hand, edges of a tile at (e + r) mod 6


def upgrades() -> dict[tuple[str, str], tuple[int, ...]]:
    return {(pair.source, pair.to): pair.rotations for pair in upgrade_graph(TITLE).tile_pairs}


def test_colours_follow_in_order() -> None:
    colour = {entry.tile.id: entry.tile.colour for entry in TITLE.tiles}
    steps = {(colour[old], colour[new]) for old, new in upgrades()}
    assert steps == {("yellow", "green"), ("green", "purple"), ("purple", "gray")}


def test_cities_stay_as_many_and_icons_stay() -> None:
    for old, new in upgrades():
        before, after = TITLE.tile_by_id[old].tile, TITLE.tile_by_id[new].tile
        assert len(before.stops) == len(after.stops)
        assert {each.name for each in before.icons} == {each.name for each in after.icons}


def test_bridges_are_never_upgraded() -> None:
    bridges = {"721", "722", "723"}
    assert not any(old in bridges or new in bridges for old, new in upgrades())


def test_no_city_comes_to_a_hex_without_one_and_bridges_lie_on_water_alone() -> None:
    """Every hex of every map tile: cities only where there are some, bridges on water and nothing
    else there."""
    assert TITLE.atlas is not None
    ground = {
        f"hex:tile-{tile.number}/{place}": hexagon.ground.value
        for tile in TITLE.atlas.map_tiles
        for place, hexagon in enumerate(tile.hexes, 1)
    }
    ground["hex:capital"] = "city"
    laid: dict[str, set[str]] = {}
    for pair in upgrade_graph(TITLE).pairs:
        if pair.from_hex:
            laid.setdefault(ground[pair.source], set()).add(pair.to)
    assert set(laid) == {"plain", "mountain", "water", "city", "home"}
    bridges = {"721", "722", "723"}
    assert laid["water"] == bridges
    assert not bridges & (laid["plain"] | laid["mountain"] | laid["city"] | laid["home"])
    for bare in ("plain", "mountain", "water"):
        assert not [number for number in laid[bare] if TITLE.tile_by_id[number].tile.stops]
    for built in ("city", "home"):
        assert all(TITLE.tile_by_id[number].tile.stops for number in laid[built])


# --- companies


def test_expansive_has_two_stations() -> None:
    for company in MINORS:
        assert len(company.stations) == (2 if company.id == "EA" else 1)


@pytest.mark.parametrize("company", MINORS, ids=lambda company: company.id)
def test_an_aid_has_the_abilities_of_each_in_japanese(company: Company) -> None:
    aid = {each.id: each for each in TITLE.aids}["abilities"]
    lines = [line.get("ja") or "" for section in aid.sections for line in section.lines]
    assert [line for line in lines if line.startswith(f"{company.name.get('ja')}：")]


def test_a_major_keeps_the_abilities_of_its_minors() -> None:
    for company in MAJORS:
        stated = " ".join(ability.get("en") or "" for ability in company.abilities)
        for words in (
            "all abilities",
            "one for one",
            "mean of the two, rounded down",
            "free circle",
            "at the right",
        ):
            assert words in stated  # rulebook §22


def test_each_minor_but_adaptive_is_at_home_on_its_map_tile() -> None:
    assert TITLE.atlas is not None
    homes = {
        each.company: tile.number
        for tile in TITLE.atlas.map_tiles
        for each in tile.hexes
        if each.company
    }
    assert homes == {
        **{"EA": 1, "EM": 2, "AG": 3, "RE": 4, "ER": 5, "SU": 6},
        **{"NP": 7, "TU": 8, "BR": 9, "OV": 10, "SP": 11},
    }


# --- trains and phases


# --- boards and cards


def test_stock_track() -> None:
    market = TITLE.market
    assert market is not None
    (row,) = market.rows
    starts = {
        zone.colour: [c.price for c in row if c and zone.id in c.zones] for zone in market.zones
    }
    assert starts == {
        "tile.yellow": [60, 70, 80, 90],
        "tile.green": [100, 110],
        "tile.purple": [120, 135],
    }


@pytest.mark.parametrize(
    ("lead", "words"),
    [
        ("←", "Players sell shares"),  # rulebook §9, §20: one step whatever the number
        ("←", "sells a share to the bank"),  # §13
        ("←", "withholds"),  # §16, §17
        ("↓", "less than the price"),  # §17
        ("→", "pays out the price or more: 1 step; twice the price or more: 2 steps"),  # §17
        ("→", "all its shares held by players"),  # §10
    ],
)
def test_price_moves(lead: str, words: str) -> None:
    assert TITLE.market is not None
    for language in ("en", "ja"):
        assert all(rule.get(language) for rule in TITLE.market.movement)
    found = [rule.get("en") or "" for rule in TITLE.market.movement]
    assert [rule for rule in found if rule.startswith(lead) and words in rule]


def test_start_prices_by_phase() -> None:
    """Rulebook §7: the range grows with the phase; half the bid is kept within it."""
    assert TITLE.market is not None
    ranges = ("60–90", "60–110", "60–135")
    assert all(
        stated in (zone.name.get("en") or "")
        for zone, stated in zip(TITLE.market.zones, ranges, strict=True)
    )
    assert "half the winning bid" in (TITLE.market.movement[0].get("en") or "")


def test_rounds() -> None:
    """Rulebook §5, §23."""
    names = [each.name.get("ja") or "" for each in TITLE.pieces.rounds]
    for name, word in zip(names, ("株式", "経営", "経営", "合併", "列車の輸出"), strict=True):
        assert name.startswith(word)


@pytest.mark.parametrize("mode", ["short", "micro3", "micro2"])
def test_a_mode_prints_the_summaries_that_it_needs(mode: str) -> None:
    title = shipped("lost-atlas", mode)
    ids = {aid.id for aid in title.aids}
    assert {"setup", "turn", "mergers", "abilities"} <= ids
    assert ids & {"micro3", "micro2"} == ({mode} if mode != "short" else set())
    stated = " ".join(
        line.get("en") or "" for aid in title.aids for part in aid.sections for line in part.lines
    )
    assert ("Spacious: It may own one train more" in stated) == (mode != "short")


def test_every_part_cites_the_rulebook() -> None:
    """Each provenance names a section in both languages, but for colours that no rulebook names."""
    for each in TITLE.provenance:
        if each.subject != "companies/colours":
            assert "§" in (each.note.get("en") or ""), each.subject
            assert "§" in (each.note.get("ja") or ""), each.subject


def test_destination_cards() -> None:
    _, second, third, _ = TITLE.pieces.destination_cards
    for language in ("en", "ja"):
        names = {
            piece.name.get(language)
            for piece in build_manifest(TITLE).pieces
            if piece.kind == "destination-card"
        }
        assert len(names) == 4
    for made_up in (second, third):
        assert [step.since for step in made_up.revenue] == list(TITLE.colours)
    (stated,) = [each for each in TITLE.provenance if each.subject == "destination-card"]
    assert (
        stated.source == "reconstruction"
    )  # said on the checklist; a card does not say it of itself
    assert not any(
        "econstruct" in (card.note.get("en") or "") for card in (second, third) if card.note
    )


def test_what_is_not_known_is_named_as_a_reconstruction() -> None:
    made_up = {each.subject for each in TITLE.provenance if each.source == "reconstruction"}
    assert made_up >= {
        *(
            "overlay",
            "tiles/icons",
            "companies/colours",
            "phase-card",
            "revenue-chart",
            "destination-card",
            "marker",
        ),
        "summary:mergers",
    }


# --- modes


def test_companies_that_a_mode_leaves_out() -> None:
    for mode in ("short", "micro3", "micro2"):
        absent = TITLE.company_by_id.keys() - shipped("lost-atlas", mode).company_by_id.keys()
        assert absent == ({"AD", "OV", "BR", "SP"} if mode == "short" else set())


@pytest.mark.parametrize(
    ("mode", "without"),
    [
        # All 25 tiles of the short game are laid. Micro games use one of two or three stacks: any
        # tile may come up, but only one project, so that one overlay is enough.
        ("short", {"9", "10", "11", "21", "26", "12", "13", "14"}),
        ("micro3", {"26"}),
        ("micro2", set()),
    ],
)
def test_map_tiles_that_a_mode_leaves_out(mode: str, without: set[str]) -> None:
    printed, whole = (
        {p.id: p.count for p in build_manifest(title).pieces if p.kind == "map-tile"}
        for title in (shipped("lost-atlas", mode), TITLE)
    )
    assert {number: count - printed.get(number, 0) for number, count in whole.items()} == {
        number: int(number in without) for number in whole
    }


# --- the reference, where it is at hand

KNOWN = reference("lost-atlas")


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    assert KNOWN["track_tiles"]["counts"] == counts_by_colour(TITLE)


@needs_reference
def test_companies_as_in_the_reference() -> None:
    assert [(c.id, c.name.get("en")) for c in MINORS] == [
        (each["sym"], each["name"]) for each in KNOWN["minors"]
    ]
    assert [c.name.get("en") for c in MAJORS] == KNOWN["majors"]


@needs_reference
def test_stock_track_as_in_the_reference() -> None:
    assert TITLE.market is not None
    assert [cell.price for cell in TITLE.market.rows[0] if cell] == KNOWN["stock_track"]


@needs_reference
def test_trains_and_limits_as_in_the_reference() -> None:
    assert [(t.id, t.count, t.faces[0].price, t.colour) for t in TITLE.trains] == [
        (each["name"], each["count"], each["price"], each["color"]) for each in KNOWN["trains"]
    ]
    limits = {p.id: {each.who: each.limit for each in p.train_limits} for p in TITLE.phases}
    assert {phase: [each.get("minor"), each.get("major")] for phase, each in limits.items()} == (
        KNOWN["train_limits_minor_major"]
    )


@needs_reference
def test_special_tiles_as_in_the_reference() -> None:
    for number, special in KNOWN["track_tiles"]["special"].items():
        tile = TITLE.tile_by_id[number].tile
        assert tile.colour == special["color"]
        assert [(s.revenue[0].value, s.slots) for s in tile.stops] == [
            (each["revenue"], each["slots"]) for each in special.get("cities", ())
        ]
        if isinstance(special["paths"], list):
            printed = [
                {f"city:{e.index}" if e.kind is EndKind.STOP else e.index for e in s.ends}
                for s in tile.track
            ]
            assert printed == [set(path) for path in special["paths"]]


def test_bridges_are_of_bridging_alone():
    """§26: it alone lays bridges, so no phase shows them to everybody."""
    for mode in (None, "short", "micro3", "micro2"):
        title = shipped("lost-atlas", mode)
        assert not any("blue" in phase.tiles for phase in title.phases)
        via = {
            entry.via.get("en")
            for entry in title.tiles
            if entry.tile.colour == "blue" and entry.via is not None
        }
        assert via <= {"Bridging"}


def test_the_chart_counts_the_hexes_in_the_box():
    """§2: tiles 12 to 16 are in the box twice: 27 basic cities, 44 hexes of land without a city, 12
    of water."""
    (chart,) = draw_upgrade_charts(TITLE, upgrade_graph(TITLE), STYLE, None)
    shown = {text.run.text for text in flatten_scene(chart)[1]}
    for count in (27, 44, 12):
        assert f"×{count}" in shown


@pytest.mark.parametrize("mode", ["micro3", "micro2"])
def test_micro_summaries_list_the_trains_in_play(mode):
    """§3: 2-, 3- and 4-trains, no export."""
    title = shipped("lost-atlas", mode)
    turn = next(aid for aid in title.aids if aid.id == "turn")
    (rows,) = [section.table.rows for section in turn.back if section.table is not None]
    assert [row[0].get("en")[0] for row in rows] == ["2", "3", "4"]
    assert not any("∞" in line.get("en") for section in turn.back for line in section.lines)


def test_off_board_areas_have_one_name():
    """§2 has Distant Destination; its translation, like the aids, off-board area."""
    manifest = build_manifest(TITLE)
    cards = [piece for piece in manifest.pieces if piece.kind == "destination-card"]
    drawn = [scene for piece in cards for scene in draw_piece(TITLE, manifest, piece, STYLE)]
    drawn += [back for piece in cards if (back := draw_back(TITLE, piece, STYLE)) is not None]
    words = [text.run.text for scene in drawn for text in flatten_scene(scene)[1]]
    words += [piece.name.get("en") for piece in cards]
    assert [each for each in words if "estination" in each] == []
    assert any("ff-board" in each for each in words)
