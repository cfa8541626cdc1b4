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
from platelayer.model.market import MarketShape
from platelayer.model.tile import EndKind, stop_end
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import flatten_scene
from shipped import shipped

TITLE = shipped("lost-atlas")
STYLE = Style(
    theme=load_theme("classic"), pictures={picture.id: picture for picture in TITLE.pictures}
)
TOTALS = build_manifest(TITLE).totals

MINORS = [company for company in TITLE.companies if company.kind is CompanyKind.MINOR]
MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]


# --- players, money


def test_cash_of_the_long_game() -> None:
    assert [(each.players, each.cash, each.certificate_limit) for each in TITLE.players] == [
        (3, 300, None),
        (4, 275, None),
        (5, 220, None),
    ]


def test_money() -> None:
    money = dict(TITLE.pieces.money)
    assert money == {1: 80, 5: 76, 20: 77, 100: 35, 500: 10, 2000: 7}
    assert sum(money.values()) == TOTALS["money"] == 285
    assert sum(value * count for value, count in money.items()) == TITLE.bank == 24_500


# --- the box


@pytest.mark.parametrize(
    ("key", "count"),
    {
        "map-tile": 33,
        "capital-project": 3,
        "overlay/capital": 3,
        "overlay/blank": 12,
        "tile": 135,
        "charter/minor": 12,
        "charter/major": 6,
        "certificate": 48 + 54,
        "train": 29,
        "phase-card": 3,
        "money": 285,
        "market": 1,
        "revenue-chart": 1,
        "round-track": 1,
        "destination-card": 4,
        "summary": 10,
        "priority-card": 1,
        "token": 11 * 3 + 4 + 6 * 7,
        "token/market": 18 * 2,
        "marker/suburb": 2,
        "marker/express": 1,
    }.items(),
)
def test_box(key: str, count: int) -> None:
    assert TOTALS[key] == count
    if key in dict(TITLE.pieces.box):
        assert dict(TITLE.pieces.box)[key] == count


def test_tiles_and_overlays_fit_the_hexes_of_the_map() -> None:
    sizes = {
        kind: piece_size(TITLE, kind).width_mm
        for kind in ("map-tile", "capital-project", "tile", "overlay")
    }
    assert sizes == {"map-tile": 40, "capital-project": 40, "tile": 39.5, "overlay": 39.5}


# --- tiles

COUNTS = {
    "yellow": {"5": 5, "6": 7, "57": 7, "7": 6, "8": 14, "9": 13, "291": 1, "292": 1, "293": 1},
    "green": {
        **{
            "14": 4,
            "15": 5,
            "619": 4,
            "23": 4,
            "24": 4,
            "25": 2,
            "294": 2,
            "295": 2,
            "296": 1,
            "LA1": 1,
            "LA2": 1,
        },
        **dict.fromkeys(
            ("16", "17", "19", "20", "21", "22", "26", "27", "28", "29", "30", "31", "624"), 1
        ),
    },
    "purple": {
        **dict.fromkeys(("39", "40", "44", "70", "LA3", "LA4", "LA5"), 1),
        **dict.fromkeys(("41", "42", "43", "45", "46", "47", "297"), 2),
        "125": 6,
    },
    "gray": {"51": 3, "LA6": 1, "LA7": 1},
    "blue": {"721": 2, "722": 2, "723": 1},
}


def test_tiles() -> None:
    found = counts_by_colour(TITLE)
    assert found == COUNTS
    assert {colour: sum(counts.values()) for colour, counts in found.items()} == {
        "yellow": 55,
        "green": 43,
        "purple": 27,
        "gray": 5,
        "blue": 5,
    }


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


@pytest.mark.parametrize(
    ("old", "new", "rotations"),
    [
        ("291", "294", (2, 5)),  # {0, 2} in {2, 3, 5, 0} and {5, 0, 2, 3}
        (
            "293",
            "294",
            (0, 2, 3, 5),
        ),  # {0, 3} in {0, 1, 3, 4}, {2, 3, 5, 0} and these turned half round
        ("297", "LA6", (0,)),
        ("125", "51", (0,)),
        ("LA1", "LA4", (0, 5)),  # only edges count: {0, 1} in {0, 1, 2} and {5, 0, 1}
        ("LA4", "LA7", (0, 1)),  # {0, 1, 2} in {5, 0, 1, 2} and {0, 1, 2, 3}
        ("LA2", "LA5", (0,)),
    ],
)
def test_upgrades(old: str, new: str, rotations: tuple[int, ...]) -> None:
    assert upgrades()[old, new] == rotations


def test_colours_follow_in_order() -> None:
    assert TITLE.colours == ("yellow", "green", "purple", "gray")
    colour = {entry.tile.id: entry.tile.colour for entry in TITLE.tiles}
    steps = {(colour[old], colour[new]) for old, new in upgrades()}
    assert steps == {("yellow", "green"), ("green", "purple"), ("purple", "gray")}


def test_cities_stay_as_many_and_icons_stay() -> None:
    for old, new in upgrades():
        before, after = TITLE.tile_by_id[old].tile, TITLE.tile_by_id[new].tile
        assert len(before.stops) == len(after.stops)
        assert {each.name for each in before.icons} == {each.name for each in after.icons}


def test_first_tiles_on_map_tiles() -> None:
    first: dict[str, dict[str, tuple[int, ...]]] = {}
    for pair in upgrade_graph(TITLE).pairs:
        if pair.from_hex:
            first.setdefault(pair.source, {})[pair.to] = pair.rotations
    every = (0, 1, 2, 3, 4, 5)
    assert first["hex:tile-2/1"] == {"LA1": (4, 5)}  # the mine leaves at edge 5, either way
    assert first["hex:tile-7/2"] == {"LA2": (0,)}  # the port keeps its coast at edges 2 and 3
    assert first["hex:tile-12/1"] == dict.fromkeys(("7", "8", "9"), every)
    assert first["hex:tile-5/3"] == dict.fromkeys(("721", "722", "723"), every)
    assert first["hex:tile-8/2"] == dict.fromkeys(("5", "6", "57"), every)
    assert first["hex:capital"] == dict.fromkeys(("291", "292", "293"), every)
    assert "hex:tile-9/3" not in first  # the homes of Bridging and Spacious are never upgraded
    assert "hex:tile-11/3" not in first


def test_bridges_are_never_upgraded() -> None:
    bridges = {"721", "722", "723"}
    assert not any(old in bridges or new in bridges for old, new in upgrades())
    assert [(each.colour, each.terrain) for each in TITLE.upgrades.grounds] == [
        ("blue", ("water",))
    ]


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


def test_minors() -> None:
    assert [(company.id, company.name.get("en")) for company in MINORS] == [
        ("AD", "Adaptive"),
        ("AG", "Agricultural"),
        ("BR", "Bridging"),
        ("EM", "Eastern Mining"),
        ("EA", "Expansive"),
        ("ER", "Express"),
        ("NP", "Northern Port"),
        ("OV", "Overnight"),
        ("RE", "Resourceful"),
        ("SP", "Spacious"),
        ("SU", "Suburban"),
        ("TU", "Tunneling"),
    ]
    for company in MINORS:
        assert [(c.percent, c.count, c.director) for c in company.certificates] == [
            (40, 1, True),
            (20, 3, False),
        ]
        assert len(company.stations) == (2 if company.id == "EA" else 1)


def test_majors() -> None:
    names = ["Conglomerate", "Experiment", "Federation", "International", "Syndicate", "Unlimited"]
    assert [company.name.get("en") for company in MAJORS] == names
    for company in MAJORS:
        assert [(c.percent, c.count, c.director) for c in company.certificates] == [
            (20, 1, True),
            (10, 8, False),
        ]
        assert company.stations == (None,) * 5  # rulebook §15: the tile tells what a station costs


def test_a_major_has_a_free_circle_and_two_at_the_right() -> None:
    # Rulebook §22; its five tokens: §2.
    for company in TITLE.companies:
        if company.kind is CompanyKind.MAJOR:
            assert (company.token_places, len(company.stations)) == ((0, None, None), 5)
        else:
            assert not company.token_places


def test_the_second_station_of_expansive_costs_40() -> None:
    assert TITLE.company_by_id["EA"].stations == (0, 40)  # rulebook §26


ABILITIES = {  # rulebook §26: what the charter has to say, in words that the text cannot do without
    "AD": ("empty basic city", "no capital, mine or port"),
    "AG": ("upgraded a tile", "one yellow tile"),
    "BR": (
        "five bridge tiles",
        "2 straight, 2 gentle, 1 sharp",
        "in place of a yellow tile",
        "edge of water",
    ),
    "EM": ("mine", "clockwise or anticlockwise", "Any company may upgrade"),
    "EA": ("one more station token", "40"),
    "ER": ("single train", "one stop more"),
    "NP": ("port", "Any company may upgrade", "one city"),
    "OV": ("skip cities blocked", "no stop", "earns nothing"),
    "RE": ("run once more", "train limit", "may not be sold"),
    "SP": ("one train more",),
    "SU": ("one or both", "basic cities", "no station", "one token a tile", "10 more"),
    "TU": ("60", "40 is paid first"),
}


@pytest.mark.parametrize("company", MINORS, ids=lambda company: company.id)
def test_abilities_are_those_of_the_rulebook(company: Company) -> None:
    stated = " ".join(ability.get("en") or "" for ability in company.abilities)
    assert [words for words in ABILITIES[company.id] if words not in stated] == []
    aid = {each.id: each for each in TITLE.aids}["abilities"]
    lines = [line.get("ja") or "" for section in aid.sections for line in section.lines]
    assert [line for line in lines if line.startswith(f"{company.name.get('ja')}：")]


def test_companies_have_the_names_of_the_rulebook_in_japanese() -> None:
    for company in TITLE.companies:
        ending = "社" if company.kind is CompanyKind.MINOR else ""
        assert company.name.get("ja") == f"{company.name.get('en')}{ending}"


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


def test_only_bridging_lays_bridges() -> None:
    via = {entry.tile.id: entry.via.get("en") for entry in TITLE.tiles if entry.via}
    assert via == dict.fromkeys(("721", "722", "723"), "Bridging")  # rulebook §26


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


def test_trains() -> None:
    assert [
        (t.id, t.count, t.colour, t.faces[0].price, t.faces[0].rusts_on) for t in TITLE.trains
    ] == [
        ("2", 7, "yellow", 100, ("4",)),
        ("3", 6, "green", 200, ("6",)),
        ("4", 4, "green", 300, ("7",)),
        ("5", 3, "purple", 450, ()),
        ("6", 2, "purple", 550, ()),
        ("7", 7, "gray", 750, ()),
    ]
    for train in TITLE.trains:
        assert [(reach.visit, reach.pay) for reach in train.faces[0].reach] == [
            (int(train.id), int(train.id))
        ]


def test_the_seven_is_infinite_on_its_other_face() -> None:
    seven, endless = TITLE.train_by_id["7"].faces
    assert (seven.name, endless.name, endless.price) == ("7", "∞", 1000)
    assert [reach.visit for reach in endless.reach] == [None]
    assert endless.note is not None
    assert all("800" in words for _, words in endless.note.forms)


def test_phases() -> None:
    colours = ("yellow", "green", "purple", "gray")
    assert [(phase.id, phase.on, phase.tiles[-1], phase.revenue) for phase in TITLE.phases] == [
        ("2", None, "yellow", "yellow"),
        ("3", "3", "green", "green"),
        ("4", "4", "green", "green"),
        ("5", "5", "purple", "purple"),
        ("6", "6", "purple", "purple"),
        ("7", "7", "gray", "gray"),
    ]
    for phase in TITLE.phases:
        reached = colours.index(phase.tiles[-1]) + 1
        assert phase.tiles == colours[:reached]
    limits = {
        phase.id: {each.who: each.limit for each in phase.train_limits} for phase in TITLE.phases
    }
    # Rulebook §5; Spacious owns one train more than other minors (§26).
    assert limits == {
        "2": {"minor": 2, "Spacious": 3},
        "3": {"minor": 2, "major": 4, "Spacious": 3},
        "4": {"minor": 2, "major": 3, "Spacious": 3},
        **{phase: {"minor": 1, "major": 2, "Spacious": 2} for phase in ("5", "6", "7")},
    }


def test_what_a_phase_lets_companies_lay_and_begin() -> None:
    """Rulebook §14: two yellow tiles, or from green on one upgrade instead. §5: what a phase
    changes."""
    lays = [phase.tile_lays.get("en") if phase.tile_lays else None for phase in TITLE.phases]
    assert lays == ["2 yellow", *["2 yellow or 1 upgrade"] * 5]
    events = {
        phase.id: " ".join(event.get("en") or "" for event in phase.events)
        for phase in TITLE.phases
    }
    assert "60–90" in events["2"]
    assert "60–110" in events["3"]
    assert "60–135" in events["5"]
    assert "merger rounds" in events["3"]
    for phase, rusted in (("4", "2-trains"), ("6", "3-trains"), ("7", "4-trains")):
        assert rusted in events[phase]


def test_sevens_never_run_out() -> None:
    assert [train.id for train in TITLE.trains if train.unlimited] == ["7"]  # rulebook §18


# --- boards and cards


def test_stock_track() -> None:
    market = TITLE.market
    assert market is not None
    assert market.shape is MarketShape.LINE
    (row,) = market.rows
    assert [cell.price for cell in row if cell] == [
        *range(0, 121, 10),
        *(135, 150, 165, 180, 200, 220, 245, 270, 300, 330, 360, 400, 450, 500),
    ]
    assert len(row) == 27
    starts = {
        zone.colour: [c.price for c in row if c and zone.id in c.zones] for zone in market.zones
    }
    assert starts == {
        "tile.yellow": [60, 70, 80, 90],
        "tile.green": [100, 110],
        "tile.purple": [120, 135],
    }
    assert all(zone.par for zone in market.zones)


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
    assert [each.id for each in TITLE.pieces.rounds] == ["sr", "or1", "or2", "mr", "export"]
    names = [each.name.get("ja") or "" for each in TITLE.pieces.rounds]
    for name, word in zip(names, ("株式", "経営", "経営", "合併", "列車の輸出"), strict=True):
        assert name.startswith(word)


def test_summaries_of_the_box() -> None:
    """Rulebook §2: set-up 1, turns 5, micro games 1 and 1, headquarters and hostile mergers 1,
    abilities 1."""
    counts = {aid.id: aid.count for aid in TITLE.aids}
    assert counts == {"setup": 1, "turn": 5, "micro3": 1, "micro2": 1, "mergers": 1, "abilities": 1}
    assert sum(counts.values()) == TOTALS["summary"]


@pytest.mark.parametrize(("mode", "aids"), [("short", 8), ("micro3", 9), ("micro2", 9)])
def test_a_mode_prints_the_summaries_that_it_needs(mode: str, aids: int) -> None:
    title = shipped("lost-atlas", mode)
    ids = {aid.id for aid in title.aids}
    assert {"setup", "turn", "mergers", "abilities"} <= ids
    assert ids & {"micro3", "micro2"} == ({mode} if mode != "short" else set())
    assert build_manifest(title).totals["summary"] == aids
    stated = " ".join(
        line.get("en") or "" for aid in title.aids for part in aid.sections for line in part.lines
    )
    assert ("Spacious: It may own one train more" in stated) == (mode != "short")


@pytest.mark.parametrize(
    "words",
    [
        "at least $120, in steps of $5",  # rulebook §7
        "The bid and the other shares go to its treasury",
        "Par is half",
        "one share of a started company",  # §8
        "bank pool holds at most 50 % of a company",  # §4
        "at most 60 % of a company",
        "2 yellow tiles or 1 upgrade",  # §14
        "Mountains cost $40",
        "the amount on the tile",  # §15
        "At most one on a tile",
        "skips none",  # §16
        "local route",
        "withhold all",  # §17
        "for $1 or more if both presidents agree",  # §18
        "the cheapest train of stack and bank pool",  # §20
        "bankrupt",
        "a route connects a station of each",  # §22
        "the mean, rounded down",
        "all 2s if it is a 2",  # §23
        "most cash and shares at market price",  # §25
    ],
)
def test_the_turn_summary_shows(words: str) -> None:
    (turn,) = [aid for aid in TITLE.aids if aid.id == "turn"]
    assert words in " ".join(
        line.get("en") or "" for section in (*turn.sections, *turn.back) for line in section.lines
    )


def test_the_turn_summary_has_the_table_of_trains() -> None:
    # Rulebook §5: start price, price, what rusts the train, limits of minors and majors.
    (turn,) = [aid for aid in TITLE.aids if aid.id == "turn"]
    (table,) = [section.table for section in turn.back if section.table]
    assert [tuple(cell.get("en") for cell in row) for row in table.rows] == [
        ("2, yellow", "$100", "$60–90", "4", "2", "–"),
        ("3, green", "$200", "$60–110", "6", "2", "4"),
        ("4, green", "$300", "$60–110", "7 or ∞", "2", "3"),
        ("5, purple", "$450", "$60–135", "–", "1", "2"),
        ("6, purple", "$550", "$60–135", "–", "1", "2"),
        ("7, grey", "$750", "$60–135", "–", "1", "2"),
        ("∞, grey", "$1,000", "$60–135", "–", "1", "2"),
    ]


def test_every_part_cites_the_rulebook() -> None:
    """Each provenance names a section in both languages, but for colours that no rulebook names."""
    for each in TITLE.provenance:
        if each.subject != "companies/colours":
            assert "§" in (each.note.get("en") or ""), each.subject
            assert "§" in (each.note.get("ja") or ""), each.subject


def test_destination_cards() -> None:
    known, second, third, blank = TITLE.pieces.destination_cards
    for language in ("en", "ja"):
        names = {
            piece.name.get(language)
            for piece in build_manifest(TITLE).pieces
            if piece.kind == "destination-card"
        }
        assert len(names) == 4
    assert [tuple(step) for step in known.revenue] == [
        (30, "yellow"),
        (40, "green"),
        (70, "purple"),
        (100, "gray"),
    ]
    assert blank.revenue == ()
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

MODES = {
    "short": ({2: 450, 3: 300, 4: 275}, {"2": 6, "3": 5, "4": 3, "5": 2, "6": 1, "7": 7}),
    "micro3": ({3: 225}, {"2": 5, "3": 4, "4": 4}),
    "micro2": ({2: 225}, {"2": 3, "3": 3, "4": 3}),
}


@pytest.mark.parametrize("mode", MODES)
def test_modes(mode: str) -> None:
    cash, trains = MODES[mode]
    title = shipped("lost-atlas", mode)
    assert {each.players: each.cash for each in title.players} == cash
    assert {train.id: train.printed for train in title.trains} == trains
    assert title.pieces.cycles == 4
    last = list(trains)[-1]
    assert title.phases[-1].id == last
    absent = {company.id for company in TITLE.companies} - {
        company.id for company in title.companies
    }
    assert absent == ({"AD", "OV", "BR", "SP"} if mode == "short" else set())


@pytest.mark.parametrize(
    ("mode", "map_tiles", "projects", "capitals", "without"),
    [
        # All 25 tiles of the short game are laid. Micro games use one of two or three stacks: any
        # tile may come up, but only one project, so that one overlay is enough.
        (
            "short",
            25,
            2,
            2,
            {"9": 1, "10": 1, "11": 1, "21": 1, "26": 1, "12": 1, "13": 1, "14": 1},
        ),
        ("micro3", 32, 2, 1, {"26": 1}),
        ("micro2", 33, 3, 1, {}),
    ],
)
def test_what_a_mode_prints_of_the_map(
    mode: str, map_tiles: int, projects: int, capitals: int, without: dict[str, int]
) -> None:
    manifest = build_manifest(shipped("lost-atlas", mode))
    totals = manifest.totals
    assert (totals["map-tile"], totals["capital-project"], totals["overlay/capital"]) == (
        map_tiles,
        projects,
        capitals,
    )
    assert totals["overlay/blank"] == 12
    printed = {piece.id: piece.count for piece in manifest.pieces if piece.kind == "map-tile"}
    whole = {
        piece.id: piece.count for piece in build_manifest(TITLE).pieces if piece.kind == "map-tile"
    }
    assert {number: count - printed.get(number, 0) for number, count in whole.items()} == {
        number: without.get(number, 0) for number in whole
    }


@pytest.mark.parametrize("mode", MODES)
def test_no_export_in_micro_games(mode: str) -> None:
    rounds = [each.id for each in shipped("lost-atlas", mode).pieces.rounds]
    assert rounds == ["sr", "or1", "or2", "mr", *(["export"] if mode == "short" else [])]


def test_the_long_game_has_six_cycles() -> None:
    assert TITLE.pieces.cycles == 6


# --- the reference, where it is at hand

KNOWN = reference("lost-atlas")


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    assert KNOWN["track_tiles"]["counts"] == COUNTS


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


def test_trains_may_cross_on_track_and_who_sold():
    """§16: routes cross in cities and where track crosses; §8: one cannot buy what one has sold
    oneself."""
    for mode in (None, "micro3", "micro2"):
        title = shipped("lost-atlas", mode)
        lines = [
            line
            for aid in title.aids
            for section in (*aid.sections, *aid.back)
            for line in section.lines
        ]
        assert any("cross in cities and where track crosses" in line.get("en") for line in lines)
        assert any("都市や交差での交差は可" in line.get("ja") for line in lines)
        assert any("whose shares you sold this round" in line.get("en") for line in lines)
        assert any("自分がこのラウンドに売った" in line.get("ja") for line in lines)


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
