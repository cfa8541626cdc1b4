"""Measures of small maps laid by hand, counted with a finger on the paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import faces_of, steps_with_bridges, ways_from
from platelayer.atlas.measures import (
    MEASURES,
    NONE,
    Surveyor,
    evenness,
    false_metrics,
    measure,
    measure_home,
    train_income,
    train_incomes,
)
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import (
    NEIGHBOURS,
    AtlasBox,
    AtlasLog,
    Axial,
    Ground,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)
from shipped import shipped

BOX = shipped_box()
HOMES_IN_A_ROW = ((1, 0, 0, 0), (12, 1, 1, 1), (3, 2, 0, 0))
"""EA, a mountain, a city and AG in columns 0 to 3; round the mountain lead plains."""


def laid(
    *tiles: tuple[int, int, int, int],
    overlays: tuple[Axial, ...] = (),
    blanks: tuple[Axial, ...] = (),
) -> AtlasLog:
    """Tiles as (number, q, r, rotation)."""
    draws = tuple(
        TileDraw(draw=n, tile=tile, copy=1, at=Axial(q, r), rotation=rotation, alternatives=1)
        for n, (tile, q, r, rotation) in enumerate(tiles, start=1)
    )
    projects = tuple(
        ProjectDraw(draw=90 + n, capital_project=n, overlay_at=at) for n, at in enumerate(overlays)
    )
    return AtlasLog(
        mode="long",
        seed=None,
        policy="hand",
        algorithm="hand",
        draws=draws + projects,
        blanks=blanks,
    )


def measured(*tiles: tuple[int, int, int, int], **more: tuple[Axial, ...]) -> dict[str, float]:
    return measure(BOX, laid(*tiles, **more))


def homes_of(*tiles: tuple[int, int, int, int], **more: tuple[Axial, ...]) -> dict:
    return Surveyor(BOX).subject(laid(*tiles, **more)).homes_by_company


def those(values: dict[str, float], names: str) -> tuple[float, ...]:
    return tuple(values[name] for name in names.split())


def test_one_tile():
    # Tile 3: city at (0, 0), home AG south-east of it, plain south of it.
    values = measured((3, 0, 0, 0))
    assert list(values) == list(MEASURES)
    names = (
        "hexes perimeter diameter homes income_min homes_short_of_cities land_parts land_largest"
    )
    assert those(values, names) == (3, 12, 1, 1, 20, 1, 1, 3)
    names = "home_distance_mean mountain_cost_mean destination_way_min capital_centrality"
    assert those(values, names) == (NONE,) * 4
    names = "homes_without_destination stranded_homes gaps dead_exits"
    assert those(values, names) == (1, 0, 0, 0)


def test_a_capital_pays_more_and_is_central():
    values = measured((3, 0, 0, 0), overlays=(Axial(0, 0),))
    assert values["income_min"] == 40
    assert values["capital_centrality"] == 1


def test_a_row_of_tiles():
    # Columns 0 to 4: home EA and mountain and plain; then three plains turned to fill up; then city, home AG, plain.
    #  tile 1 at rotation 0: EA (0,0), mountain (1,0), plain (0,1)
    #  tile 12 at rotation 1: (1,1), (1,2), (0,2): plains
    #  tile 3 at rotation 0: city (2,0), AG (3,0), plain (2,1)
    values = measured((1, 0, 0, 0), (12, 1, 1, 1), (3, 2, 0, 0))
    assert values["home_distance_min"] == values["home_distance_max"] == 3
    assert values["home_land_mean"] == 3
    # EA: city (2,0) is 2 steps away over the mountain (40) or 3 round it: the fewest steps count,
    # so 40. AG lies 3 steps away, over the mountain too. AG: the city is next to it (0), EA 3 steps
    # by the mountain or by plains: (2,1), (1,1), (0,1) takes 4, so over the mountain, 40.
    assert values["mountain_cost_min"] == 40
    assert values["mountain_cost_max"] == 80
    # Within 3 steps each home has the city (20) and the other home (20).
    assert (values["income_min"], values["income_max"]) == (40, 40)
    assert values["hexes"] == 9
    assert values["perimeter"] == 22
    assert values["diameter"] == 3


def test_the_way_into_a_destination_is_by_its_printed_entrance():
    # Tile 26: border (0,0), plain (1,0), destination (0,1), entered from that plain alone. Tile 3:
    # city (1,1), home AG (2,1). The city touches the destination too, but on the wrong side: AG,
    # city, plain, destination are 3 steps.
    values = measured((26, 0, 0, 0), (3, 1, 1, 0))
    assert values["destination_way_min"] == 3
    assert values["income_min"] == 20 + 30
    assert those(values, "destinations destinations_blocked dead_exits") == (1, 0, 0)
    assert values["homes_without_destination"] == 0


def test_entrances_into_nothing_are_dead():
    # Tile 27 alone: three entrances, all into empty places.
    values = measured((27, 0, 0, 0))
    assert those(values, "destinations destinations_blocked dead_exits") == (1, 1, 3)


def test_a_home_among_water_is_stranded():
    # Tile 9: water, plain, home BR with exits 3, 4, 5, 0. Edge 3 leads to the tile's water, 4 to
    # its plain.
    values = measured((9, 0, 0, 0))
    assert values["stranded_homes"] == 1
    assert values["dead_exits"] == 2
    assert values["land_parts"] == 1
    # Turned round, BR keeps to its exits: a plain beside its closed edges 1 and 2 is another part
    # of the land.
    assert measured((9, 0, 0, 0), (12, -1, 1, 3))["land_parts"] == 2


def test_water_is_dead_where_nobody_lays_bridges():
    # Rulebook §26: Bridging alone lays bridges, and its track alone may run to water. Tile 27 has
    # three entrances; the one at edge 4 of its hex 2 leads to the water of tile 18, the other two
    # into nothing.
    towards = (27, 0, 0, 0), (18, 2, -2, 0)
    assert tile_hexes(Axial(2, -2), 0)[2] == Axial(1, 0) + NEIGHBOURS[4]
    assert BOX.tile_by_number[18].hexes[2].ground is Ground.WATER
    alone = measured(*towards)
    assert (alone["destinations_blocked"], alone["dead_exits"]) == (1, 3)
    # Tile 9, far away, is home to Bridging: of its own exits, the one to its water is alive, two
    # lead to nothing.
    far = (9, 9, 9, 0)
    bridged = measured(*towards, far)
    assert (bridged["destinations_blocked"], bridged["dead_exits"]) == (0, 4)
    nobody = measure(replace(BOX, bridging=()), laid(*towards, far))
    assert (nobody["destinations_blocked"], nobody["dead_exits"]) == (1, 6)


@pytest.mark.parametrize("seed", range(1, 7))
def test_trains_of_bridging_cross_at_most_five_hexes_of_water(seed):
    """Against all hexes that can be reached in so many steps, whatever number of bridges that
    takes, one set a step."""
    log = assemble(BOX, "long", seed=seed, policy="compact")
    subject = Surveyor(BOX).subject(log)
    ground = subject.ground
    (home,) = ground.bridgers
    assert ground.homes[home] == "BR"
    steps: dict[int, int] = {}
    at = {(home, 0)}
    for step in range(len(ground.faces)):
        for number, _ in at:
            steps.setdefault(number, step)
        at = {
            (other, bridges + (ground.faces[other].ground is Ground.WATER))
            for number, bridges in at
            for edge, other in enumerate(ground.beyond[number])
            if other >= 0
            and ground.faces[other].ground not in (Ground.BORDER, Ground.DESTINATION)
            and ground.faces[number].is_open(edge)
            and ground.faces[other].is_open(edge + 3)
        }
        at = {(number, bridges) for number, bridges in at if bridges <= 5}
    assert steps_with_bridges(ground, home) == steps
    by_land = replace(BOX, bridging=())
    plain = Surveyor(by_land).subject(log).homes_by_company
    own = subject.homes_by_company
    assert own["BR"].worth >= plain["BR"].worth
    assert {company: home for company, home in own.items() if company != "BR"} == {
        company: home for company, home in plain.items() if company != "BR"
    }


def test_adaptive_is_worth_its_best_basic_city():
    log = assemble(BOX, "long", seed=2, policy="compact")
    subject = Surveyor(BOX).subject(log)
    ((company, best),) = subject.chosen.items()
    assert company == "AD"
    places = {at: each.ground for draw in log.placed for at, each in BOX.laid(draw)}
    assert places[best.at] is Ground.CITY
    assert best.at not in log.overlays
    ground = subject.ground
    for city in ground.cities:
        if city not in ground.capitals:
            ways = ways_from(ground, city)
            worth = sum(train_incomes(ground, ways)) - max(
                0, measure_home(ground, ways).mountain_cost
            )
            assert worth <= best.home.worth
    assert "AD" not in subject.homes_by_company
    short = assemble(BOX, "short", seed=2, policy="compact")
    assert Surveyor(BOX).subject(short).chosen == {}


def test_a_port_is_closed_on_the_side_of_the_sea():
    port = faces_of(BOX.tile_by_number[7], 0)[1]
    assert [edge for edge in range(6) if port.is_open(edge)] == [0, 1, 4, 5]
    assert port.exits == (0, 4, 5)
    assert port.income == 30
    turned = faces_of(BOX.tile_by_number[7], 2)[1]
    assert [edge for edge in range(6) if turned.is_open(edge)] == [0, 1, 2, 3]


def test_the_mine_pays_for_both_its_cities():
    assert faces_of(BOX.tile_by_number[2], 0)[0].income == 50


def test_a_gap_is_an_empty_place_that_is_shut_in():
    ring = tuple(Axial(5, 5) + step for step in NEIGHBOURS)
    assert measured((12, 0, 0, 0), blanks=ring)["gaps"] == 1
    assert measured((12, 0, 0, 0), blanks=ring[1:])["gaps"] == 0
    wide = {a + b for a in (Axial(5, 5), Axial(6, 5)) for b in NEIGHBOURS} - {
        Axial(5, 5),
        Axial(6, 5),
    }
    values = measured((12, 0, 0, 0), blanks=tuple(sorted(wide)))
    assert (values["gaps"], values["gap_hexes"]) == (1, 2)


def test_homes_by_company():
    homes = homes_of(*HOMES_IN_A_ROW)
    assert {company: each.mountain_cost for company, each in homes.items()} == {"EA": 80, "AG": 40}


def test_ways_to_cities_and_what_trains_may_pay_on_a_row_of_tiles():
    homes = homes_of(*HOMES_IN_A_ROW)
    # EA: the city after 2 steps, AG after 3. AG: the city after 1 step, EA after 3.
    assert {company: each.city_way for company, each in homes.items()} == {"EA": 5, "AG": 4}
    # A 2-train: home and a city, yellow, 20 each. A 3-train and a 4-train: both homes and the city,
    # green, 30 each.
    assert {each.trains for each in homes.values()} == {(40, 90, 90)}
    assert {company: each.worth for company, each in homes.items()} == {
        "EA": 220 - 80,
        "AG": 220 - 40,
    }
    assert {each.rivals for each in homes.values()} == {1}
    values = measured(*HOMES_IN_A_ROW)
    assert values["fairness"] == 93.75
    assert (values["city_way_min"], values["city_way_mean"], values["city_way_max"]) == (4, 4.5, 5)
    names = "homes_without_capital capital_way_max capital_cost_max"
    assert those(values, names) == (2, NONE, NONE)
    # Four columns, and seven halves of a hex from top to bottom.
    assert (values["table_long_mm"], values["table_short_mm"]) == (151, 140)


def test_ways_to_capitals_cost_their_mountains():
    homes = homes_of(*HOMES_IN_A_ROW, overlays=(Axial(2, 0),))
    assert {company: (each.capital_way, each.capital_cost) for company, each in homes.items()} == {
        "EA": (2, 40),
        "AG": (1, 0),
    }
    # The capital pays 40, in green 50.
    assert {each.trains for each in homes.values()} == {(60, 110, 110)}


def test_ways_to_destinations_cost_their_mountains():
    # As above, tile 26's destination is 3 steps from AG, by city and plain. A 2-train takes the
    # destination (30), longer trains the city too (30, 30, 40).
    homes = homes_of((26, 0, 0, 0), (3, 1, 1, 0))
    assert (homes["AG"].destination_way, homes["AG"].destination_cost) == (3, 0)
    assert homes["AG"].trains == (50, 100, 100)
    # Tunneling is at home on a mountain, which costs 40 wherever it goes.
    lonely = homes_of((8, 0, 0, 0), overlays=(Axial(0, 1),))
    assert (lonely["TU"].capital_way, lonely["TU"].capital_cost) == (1, 40)


def test_land_that_no_home_reaches_is_dead():
    assert measured((3, 0, 0, 0))["dead_land"] == 0
    assert measured((3, 0, 0, 0), (14, 9, 9, 0))["dead_land"] == 2


def test_a_train_pays_for_no_more_stops_and_track_than_it_has():
    def paid(number: int, own: int, *stops: tuple[int, int], **powers: int) -> int:
        return train_income(number, own, [(*stop, True) for stop in stops], **powers)

    assert paid(2, 20, (3, 20), (4, 100)) == 40
    assert paid(3, 20, (3, 20), (4, 100), (1, 10)) == 140
    assert paid(3, 20, (4, 100), (4, 100), (3, 30)) == 150
    assert paid(4, 20, *[(1, 10)] * 9) == 50
    assert paid(4, 20, *[(1, 10)] * 9, extra=1) == 60
    assert paid(4, 20, *[(1, 10)] * 9, suburbs=2) == 70
    assert paid(2, 30) == 30
    # A suburb on the lesser stop.
    assert train_income(2, 20, [(1, 25, False), (2, 20, True)], suburbs=1) == 50


def test_evenness_is_one_hundred_less_the_gini_coefficient():
    assert evenness([50, 50, 50]) == 100
    assert evenness([0, 0]) == 100
    assert evenness([0, 0, 0, 40]) == pytest.approx(25)
    worths = [10, 20, 70, 20]
    pairs = [abs(one - other) for one in worths for other in worths]
    assert evenness(worths) == pytest.approx(100 - 100 * (sum(pairs) / 16) / (2 * 30))


def test_green_incomes_are_those_of_the_track_tiles():
    tiles = shipped("lost-atlas").tiles
    by_sign: dict[str, set[int]] = {}
    for each in (count.tile for count in tiles):
        if each.colour == "green" and each.stops:
            places = {
                stop.groups or index: stop.revenue[0].value for index, stop in enumerate(each.stops)
            }
            sign = next((icon.name for icon in each.icons), "")
            by_sign.setdefault(sign, set()).add(sum(places.values()))
    assert by_sign == {"": {30}, "capital": {50}, "mine": {80}, "port": {60}}
    assert faces_of(BOX.tile_by_number[2], 0)[0].green == 80
    assert faces_of(BOX.tile_by_number[7], 0)[1].green == 60
    assert faces_of(BOX.tile_by_number[11], 0)[2].green == 20
    assert faces_of(BOX.tile_by_number[3], 0)[0].as_capital().green == 50


def test_measures_asked_for_one_by_one_are_the_same():
    log = assemble(BOX, "micro2", seed=5)
    values, subject = Surveyor(BOX).measure(log), Surveyor(BOX).subject(log)
    assert {name: subject.value(name) for name in reversed(MEASURES)} == values


def test_a_false_metric_is_told():
    log = laid((3, 0, 0, 0))
    told = replace(log, metrics=(("perimeter", 13), ("hexes", 3), ("beauty", 9)))
    assert false_metrics(BOX, told) == (("perimeter", 13, 12), ("beauty", 9, None))


@pytest.mark.parametrize(
    ("mode", "seed"), [("long", 1), ("long", 2), ("short", 3), ("micro3", 4), ("micro2", 5)]
)
def test_against_slow_counting(mode, seed):
    box = without_printed_exits(replace(BOX, bridging=()))
    log = assemble(box, mode, seed=seed, policy="uniform")
    values = measure(box, log)
    ground = {at: each.ground.value for draw in log.placed for at, each in box.laid(draw)}
    pairs = sum(place + step in ground for place in ground for step in NEIGHBOURS) // 2
    assert values["perimeter"] == 6 * len(ground) - 2 * pairs
    assert values["diameter"] == max(apart(one, other) for one in ground for other in ground)
    homes = [place for place, each in ground.items() if each == "home"]
    straight = [apart(one, other) for i, one in enumerate(homes) for other in homes[:i]]
    assert values["home_distance_mean"] == pytest.approx(sum(straight) / len(straight), abs=1e-4)
    land = {p for p, each in ground.items() if each in ("home", "city", "plain", "mountain")} | set(
        log.blanks
    )
    steps = {home: spread(home, land) for home in homes}
    by_land = [
        steps[one][other]
        for i, one in enumerate(homes)
        for other in homes[:i]
        if other in steps[one]
    ]
    assert (values["home_land_min"], values["home_land_max"]) == (min(by_land), max(by_land))
    assert values["home_pairs_apart"] == len(straight) - len(by_land)
    everything = {Axial(q, r) for q in range(-70, 71) for r in range(-70, 71)}
    empty = everything - ground.keys() - set(log.blanks)
    outside = spread(Axial(-70, -70), empty)
    assert values["gap_hexes"] == len(empty) - len(outside)


def without_printed_exits(box: AtlasBox) -> AtlasBox:
    """A box whose hexes are open on all sides."""
    tiles = (
        replace(tile, hexes=tuple(replace(each, tile=None) for each in tile.hexes))
        for tile in box.map_tiles
    )
    return replace(box, map_tiles=tuple(tiles))


def apart(one: Axial, other: Axial) -> int:
    q, r = one.q - other.q, one.r - other.r
    return (abs(q) + abs(r) + abs(q + r)) // 2


def spread(start: Axial, places: set[Axial]) -> dict[Axial, int]:
    """Steps from a place to all that can be reached."""
    steps, waiting = {start: 0}, [start]
    for place in waiting:
        for step in NEIGHBOURS:
            if place + step in places and place + step not in steps:
                steps[place + step] = steps[place] + 1
                waiting.append(place + step)
    return steps


def test_the_document_defines_every_measure():
    page = (Path(__file__).resolve().parents[2] / "docs" / "atlas-measures.md").read_text("utf-8")
    for name, meaning in MEASURES.items():
        assert f"| `{name}` | {meaning} |" in page
