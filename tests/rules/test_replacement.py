"""What may replace what by the tiles alone: the rules one by one. The tiles of the five titles are
facts (tests/data/stated).

Rotations were worked out by hand: edges e of the new tile lie at (e + r) mod 6.
"""

from functools import partial

import pytest
from build_tiles import cities, city, tile, town
from msgspec.structs import replace

from platelayer.definitions.build import catalogue_tile
from platelayer.model.tile import AddedStops, GrantedUpgrade, GroundColour, UpgradeOptions
from platelayer.rules.replacement import rotations

COLOURS = ("yellow", "green", "brown", "gray")
ALL = (0, 1, 2, 3, 4, 5)
NONE = ()
COMMON = UpgradeOptions()


def turns(old, new, options=COMMON, colours=COLOURS, stubs=()):
    return rotations(old, new, colours, options, stubs=stubs)


# 1: the next colour


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("white", "yellow", ALL),
        ("yellow", "green", ALL),
        ("green", "brown", ALL),
        ("brown", "gray", ALL),
        ("white", "green", NONE),
        ("yellow", "brown", NONE),
        ("yellow", "yellow", NONE),
        ("green", "yellow", NONE),
        ("gray", "yellow", NONE),
        ("red", "yellow", NONE),
        ("blue", "green", NONE),
    ],
)
def test_the_next_colour(old, new, expected):
    assert turns(city(old), city(new, 0, 3)) == expected


def test_the_order_is_the_title_s():
    order = ("yellow", "green", "purple", "gray")
    assert turns(city("green"), city("purple", 0), colours=order) == ALL
    assert turns(city("green"), city("brown", 0), colours=order) == NONE
    assert turns(city("purple"), city("gray", 0), colours=order) == ALL


# 2: labels


def test_labels_agree():
    assert turns(city("yellow", labels=["Y"]), city("green", 0, labels=["Y"])) == ALL
    assert turns(city("yellow", labels=["Y"]), city("green", 0)) == NONE
    assert turns(city("yellow"), city("green", 0, labels=["Y"])) == NONE
    assert turns(city("yellow", labels=["Y", "T"]), city("green", 0, labels=["T", "Y"])) == ALL
    assert turns(city("yellow", labels=["Y", "T"]), city("green", 0, labels=["Y"])) == NONE


def test_a_label_may_apply_from_a_later_colour():
    later = [{"text": "T", "since": "brown"}]
    assert turns(city("white", labels=later), city("yellow", 0)) == ALL
    assert turns(city("white", labels=later), city("yellow", 0, labels=["T"])) == NONE
    assert turns(city("green", 0, labels=later), city("brown", 0, labels=["T"])) == (0,)
    assert turns(city("green", 0, labels=later), city("brown", 0)) == NONE


def test_a_later_label_takes_the_place_of_those_before():
    hexagon = ["Y", {"text": "K", "since": "gray"}]
    assert turns(city("green", 0, labels=hexagon), city("brown", 0, labels=["Y"])) == (0,)
    assert turns(city("brown", 0, labels=hexagon), city("gray", 0, labels=["K"])) == (0,)
    assert turns(city("brown", 0, labels=hexagon), city("gray", 0, labels=["Y"])) == NONE


# 3: old track is kept


def test_plain_track_is_kept():
    straight = tile("yellow", (0, 3))
    assert turns(straight, tile("green", (0, 3), (1, 4))) == (0, 2, 3, 5)
    assert turns(straight, tile("green", (0, 1), (3, 4))) == NONE
    assert turns(straight, tile("green", (0, "c0"), (3, "c0"), stops=["town"])) == NONE


def test_a_junction_joins_its_exits():
    fork = tile("green", (0, "junction"), (1, "junction"), (3, "junction"))
    cross = tile("brown", *((edge, "junction") for edge in (0, 1, 3, 4)))
    assert turns(tile("yellow", (0, 3)), fork) == (0, 3)
    assert turns(fork, cross) == (0, 3)
    assert turns(fork, tile("brown", (0, 1), (1, 3))) == NONE
    assert turns(fork, tile("brown", (0, 1), (1, 3), (0, 3))) == (0,)


def test_track_to_a_stop_is_kept():
    assert turns(city("yellow", 0, 3), city("green", 0, 1, 3, 4)) == (0, 2, 3, 5)
    assert turns(city("yellow", 0, 1, 2), city("green", 0, 2, 4)) == NONE
    through_the_junction = tile(
        "green", (0, "junction"), (3, "junction"), ("c0", "junction"), stops=["city"]
    )
    assert turns(city("yellow", 0, 3), through_the_junction) == NONE
    assert turns(
        tile("yellow", (0, "junction"), ("c0", "junction"), stops=["city"]), through_the_junction
    ) == (0, 3)


def test_a_stop_on_the_junction_is_reached_from_where_it_was():
    old = tile("yellow", (0, "junction"), (1, "junction"), ("c0", "junction"), stops=["city"])
    aside = tile(
        "green", (0, 1), (2, "junction"), (4, "junction"), ("c0", "junction"), stops=["city"]
    )
    more = tile(
        "green", *((edge, "junction") for edge in (0, 1, 3)), ("c0", "junction"), stops=["city"]
    )
    assert turns(old, aside) == NONE, "0 and 1 stay joined, but lead to the city no more"
    assert turns(old, more) == (0,)


def test_track_between_stops_is_kept():
    old = tile("yellow", (0, "c0"), ("c0", "c1"), (3, "c1"), stops=["city", "town"])
    assert turns(
        old, tile("green", ("c1", "c0"), (0, "c1"), (3, "c0"), stops=["town", "city"])
    ) == (0,)
    assert turns(old, tile("green", (0, "c0"), (3, "c1"), stops=["city", "town"])) == NONE


def test_kinds_slots_and_sizes():
    assert turns(town("yellow", 0), city("green", 0)) == NONE
    assert turns(city("yellow", 0), town("green", 0)) == NONE
    assert turns(city("yellow", 0, slots=2), city("green", 0, slots=1)) == NONE
    assert turns(city("yellow", 0, slots=2), city("green", 0, slots=3)) == (0,)
    small, large = ({"kind": "pass", "size": size} for size in (1, 2))
    assert turns(tile("yellow", stops=[small]), tile("green", (0, "c0"), stops=[small])) == ALL
    assert turns(tile("yellow", stops=[small]), tile("green", (0, "c0"), stops=[large])) == NONE
    assert turns(tile("yellow", stops=[small]), city("green", 0)) == NONE


def test_the_number_of_stops_stays():
    assert turns(city("yellow"), tile("green", (0, 3))) == NONE
    assert turns(tile("yellow", (0, 3)), city("green", 0, 3)) == NONE
    assert turns(cities("yellow", [0], [3]), city("green", 0, 3, slots=2)) == NONE
    assert turns(city("yellow", 0), cities("green", [0], [3])) == NONE


def test_different_cities_stay_different():
    assert turns(cities("yellow", [0], [3]), cities("green", [0, 3], [1, 4])) == NONE
    assert turns(cities("yellow", [0], [3]), cities("green", [0, 1], [3, 4])) == (0, 2, 3, 5)


def test_gauge_is_kept():
    narrow, dual = {"gauge": "narrow"}, {"gauge": "dual"}
    assert turns(tile("yellow", (0, 3, narrow)), tile("green", (0, 3))) == NONE
    assert turns(tile("yellow", (0, 3)), tile("green", (0, 3, narrow))) == NONE
    assert turns(tile("yellow", (0, 3, narrow)), tile("green", (0, 3, narrow), (1, 4))) == (0, 3)
    assert turns(tile("yellow", (0, 3, narrow)), tile("green", (0, 3, dual))) == (0, 3)
    assert turns(tile("yellow", (0, 3, dual)), tile("green", (0, 3))) == NONE
    mixed = tile("green", (0, "junction"), (3, "junction", narrow))
    assert turns(tile("yellow", (0, 3)), mixed) == NONE


def test_whether_track_tapers_makes_no_difference():
    old = tile(
        "yellow", (3, "c0", {"terminal": True}), (4, "c0", {"terminal": True}), stops=["city"]
    )
    assert turns(old, city("green", 0, 2, 3, 4)) == (0, 1)


# 4: what appears, and what merges


def test_cities_merge_where_the_label_lets_them():
    options = UpgradeOptions(merging_labels=("OO",))
    old = cities("green", [0, 3], [2, 5], labels=["OO"])
    one = city("brown", 0, 2, 3, 5, slots=2, labels=["OO"])
    assert turns(old, one, options) == (0, 3)
    assert turns(old, one) == NONE
    assert turns(old, city("brown", 0, 2, 3, 5, slots=1, labels=["OO"]), options) == NONE, (
        "no room for both stations"
    )
    assert (
        turns(cities("green", [0, 3], [2, 5]), city("brown", 0, 2, 3, 5, slots=2), options) == NONE
    )
    assert turns(old, tile("brown", (0, 3), (2, 5), labels=["OO"]), options) == NONE, (
        "one city at least stays"
    )


def test_no_city_comes_out_of_nothing_while_others_merge():
    options = UpgradeOptions(merging_labels=("OO",))
    old = cities("green", [0], [1], labels=["OO"])
    new = cities("brown", [0, 1], [3], slots=[2, 2], labels=["OO"])
    assert turns(old, new, options) == NONE


def test_stops_appear_only_where_the_title_adds_them():
    options = UpgradeOptions(added=(AddedStops(colour="green", label="B", cities=1),))
    old, new = city("yellow", 0, labels=["B"]), cities("green", [0, 1], [3], labels=["B"])
    assert turns(old, new, options) == (0, 3, 5)
    assert turns(old, new) == NONE
    assert turns(old, city("green", 0, labels=["B"]), options) == NONE, "it is said to gain one"
    without = UpgradeOptions(added=(AddedStops(colour="green", cities=1, towns=-1),))
    assert turns(tile("yellow", (0, "c0"), stops=["town"]), city("green", 0), without) == NONE, (
        "kinds are kept"
    )
    plain = UpgradeOptions(added=(AddedStops(colour="yellow", towns=1),))
    assert turns(tile("white"), town("yellow", 0, 3), plain) == ALL
    assert turns(tile("white", labels=["B"]), town("yellow", 0, 3, labels=["B"]), plain) == NONE


def test_stops_appear_in_upgrades_to_single_tiles():
    options = UpgradeOptions(added=(AddedStops(colour="green", tiles=("981",), towns=1),))
    old, new = (
        town("yellow", 0, 3),
        tile("green", (0, "c0"), (3, "c0"), (1, "c1"), (2, "c1"), stops=["town", "town"]),
    )
    assert turns(old, replace(new, id="981"), options) == (0, 3)
    assert turns(old, replace(new, id="982"), options) == NONE
    assert turns(old, replace(town("green", 0, 3, 1), id="982"), options) == (0, 3), (
        "other tiles stay as they are"
    )


def test_two_towns_become_one_where_the_title_says_so():
    options = UpgradeOptions(added=(AddedStops(colour="green", towns=-1),))
    old = tile("yellow", (0, "c0"), (3, "c0"), (1, "c1"), (4, "c1"), stops=["town", "town"])
    assert turns(old, town("green", 0, 1, 3, 4), options) == (0, 3)
    assert turns(old, town("green", 0, 1, 3, 4)) == NONE


# 5: the title's own data


def test_stubs():
    assert turns(tile("white"), tile("yellow", (0, 2)), stubs=[2]) == (0, 2)
    assert turns(tile("white"), tile("yellow", (0, 3)), stubs=[0]) == (0, 3)
    assert turns(tile("white"), tile("yellow", (0, 3, {"gauge": "narrow"})), stubs=[0]) == (0, 3)
    assert turns(tile("white"), tile("yellow", (0, 3)), stubs=[0, 1]) == NONE


def test_fixed_rotation():
    options = UpgradeOptions(fixed_rotation=("601",))
    assert turns(city("white"), city("yellow", 0, id="601"), options) == (0,)
    assert turns(city("white"), city("yellow", 0, id="602"), options) == ALL
    assert turns(city("white"), city("yellow", 0, id="601"), options, stubs=[1]) == NONE


def test_what_is_never_upgraded():
    old, new = city("yellow", 0, id="57"), city("green", 0)
    assert turns(old, new) == (0,)
    assert turns(old, new, UpgradeOptions(never_upgraded=("57",))) == NONE
    assert turns(old, new, UpgradeOptions(never_upgraded=("yellow",))) == NONE
    assert turns(old, new, UpgradeOptions(never_upgraded=("58", "green"))) == (0,)


def test_what_is_granted_by_name():
    grant = UpgradeOptions(granted=(GrantedUpgrade(sources=("4",), to=("57", "A", "B")),))
    two_towns = tile("yellow", (0, "c0"), (3, "c1"), stops=["town", "town"], id="4")
    assert turns(town("yellow", 0, 3, id="4"), city("yellow", 0, 3, id="57"), grant) == (0, 3)
    assert turns(town("yellow", 0, 3, id="5"), city("yellow", 0, 3, id="57"), grant) == NONE
    assert turns(town("yellow", 0, 3, id="4"), city("yellow", 0, 3, id="58"), grant) == NONE
    assert turns(two_towns, town("green", 0, 3, labels=["T"], id="A"), grant) == (0, 3)
    assert turns(town("yellow", 0, 3, id="4"), tile("green", (0, 3), id="A"), grant) == (0, 3)
    beside = tile("green", (0, 3), (1, "c0"), stops=["town"], id="A")
    assert turns(town("yellow", 0, 3, id="4"), beside, grant) == NONE
    assert turns(tile("yellow", (0, 3), id="4"), town("green", 0, 2, 3, id="B"), grant) == (0, 3)
    assert turns(tile("yellow", (0, 3), id="4"), cities("green", [0], [3], id="B"), grant) == NONE


# What single titles need

CZ = UpgradeOptions(
    merging_labels=("P", "OO"),
    added=(
        AddedStops(colour="yellow", label="P", cities=1),
        AddedStops(colour="green", label="P", cities=1),
    ),
    grounds=(GroundColour(colour="red", labels=("SX", "PR")),),
)
czech = partial(turns, options=CZ)


def test_towns_merge_on_the_way_to_the_colours_the_title_names():
    double = tile("yellow", (1, "c0"), (3, "c0"), (0, "c1"), (2, "c1"), stops=["town", "town"])
    one = town("green", 0, 1, 2, 3)
    merging = UpgradeOptions(merging_towns=("green",))
    assert turns(double, one, merging) == (0,)
    assert czech(double, one) == NONE
    assert turns(double, one, UpgradeOptions(merging_towns=("brown",))) == NONE
    assert turns(town("yellow", 0, 3), one, merging) == turns(town("yellow", 0, 3), one) == (0, 3)
    assert turns(double, tile("green", (0, 2), (1, 3)), merging) == NONE, "one town at least stays"
    assert turns(tile("yellow", (0, 3)), one, merging) == NONE, "no town comes out of nothing"


def test_18cz_home_tiles_lie_on_their_hexes_alone():
    home = tile("red", (0, "c0"), (1, "c0"), stops=["city"], labels=["SX"])
    cityless = UpgradeOptions(
        grounds=CZ.grounds, added=(AddedStops(colour="red", label="SX", cities=1),)
    )
    assert turns(tile("white", labels=["SX"]), home, cityless) == ALL
    assert turns(tile("white", labels=["PR"]), home, cityless) == NONE
    assert turns(tile("white"), home, cityless) == NONE
    assert (
        turns(tile("white", labels=["SX"]), tile("yellow", (0, 3), labels=["SX"]), cityless) == NONE
    )


ATLAS_COLOURS = ("yellow", "green", "purple", "gray")
ATLAS = UpgradeOptions(
    kept_icons=("capital", "mine", "port"),
    edge_only_icons=("mine",),
    grounds=(GroundColour(colour="blue", terrain=("water", "lake")),),
)
atlas = partial(turns, options=ATLAS, colours=ATLAS_COLOURS)


def test_lost_atlas_bridges_go_on_water_for_good():
    water, bridge = tile("white", terrain=[{"kinds": ["water"]}]), tile("blue", (0, 3))
    assert atlas(water, bridge) == ALL
    assert atlas(water, catalogue_tile("9")) == NONE
    assert atlas(tile("white"), bridge) == NONE
    assert atlas(tile("white", terrain=[{"kinds": ["mountain"]}]), catalogue_tile("9")) == ALL
    assert atlas(bridge, catalogue_tile("20")) == NONE


def test_lost_atlas_cities_stay_where_they_are():
    assert atlas(tile("white"), catalogue_tile("57")) == NONE
    assert atlas(city("white"), catalogue_tile("7")) == NONE
