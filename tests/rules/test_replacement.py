"""What may replace what by the tiles alone: the rules one by one, and tiles of the five titles.

Rotations were worked out by hand from the edges in the reference facts (18cz.json, 1841.json,
1824.json, 18eu.json, lost-atlas.json); edges e of the new tile lie at (e + r) mod 6.
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


# 18EU


def test_18eu_special_cities():
    options = UpgradeOptions(
        merging_labels=("B-V",), added=(AddedStops(colour="green", label="B-V", cities=1),)
    )
    paris = cities("yellow", [4], [5], labels=["P"])
    assert turns(paris, catalogue_tile("580"), options) == (3,)
    assert turns(catalogue_tile("580"), catalogue_tile("583"), options) == (0,)
    berlin = cities("yellow", [4], [1], labels=["B-V"])
    assert turns(berlin, catalogue_tile("581"), options) == ALL
    assert turns(berlin, catalogue_tile("581")) == NONE
    assert turns(catalogue_tile("581"), catalogue_tile("584"), options) == ALL


# 18CZ

CZ = UpgradeOptions(
    merging_labels=("P", "OO"),
    added=(
        AddedStops(colour="yellow", label="P", cities=1),
        AddedStops(colour="green", label="P", cities=1),
    ),
    grounds=(GroundColour(colour="red", labels=("SX", "PR")),),
)
czech = partial(turns, options=CZ)


def test_18cz_praha_grows_to_four_cities_and_becomes_one():
    praha = cities("white", [5], [3], labels=["P"])
    t8889 = cities("yellow", [2], [3], [4], labels=["P"])
    t8890 = cities("yellow", [0], [2], [4], labels=["P"])
    t8891 = cities("green", [0], [2], [3], [4], labels=["P"])
    t8892 = city("brown", 0, 1, 2, 3, 4, 5, slots=4, labels=["P"])
    t8893 = city("gray", 0, 1, 2, 3, 4, 5, slots=4, labels=["P"])
    assert czech(praha, t8889) == (1,)
    assert czech(praha, t8890) == (1, 3, 5)
    assert czech(t8889, t8891) == (0,)
    assert czech(t8890, t8891) == (0, 2, 4)
    assert czech(t8891, t8892) == ALL
    assert czech(t8892, t8893) == ALL
    assert turns(praha, t8889) == NONE
    assert czech(t8891, city("brown", 0, 1, 2, 3, 4, 5, slots=3, labels=["P"])) == NONE


def test_18cz_double_cities():
    oo = {"labels": ["OO"]}
    t8859 = cities("green", [0, 3], [2, 5], **oo)
    t8860 = cities("green", [1, 5], [2, 4], **oo)
    t8863 = cities("green", [0, 1], [2, 5], **oo)
    t8864 = cities("green", [1, 5], [2, 3], **oo)
    p8894 = city("brown", 2, 3, 4, 5, slots=2, frame="#800080", **oo)
    p8895 = city("brown", 0, 2, 4, 5, slots=2, frame="#800080", **oo)
    p8896 = city("brown", 0, 2, 3, 5, slots=2, frame="#800080", **oo)
    assert czech(cities("yellow", [], [], **oo), t8859) == ALL
    assert [czech(t8859, p) for p in (p8894, p8895, p8896)] == [NONE, NONE, (0, 3)]
    assert [czech(t8860, p) for p in (p8894, p8895, p8896)] == [NONE, NONE, (2, 5)]
    assert czech(t8863, p8894) == (3,)
    assert czech(t8864, p8895) == (3,)


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


# 1841

IT = UpgradeOptions(merging_labels=("Y", "T"), fixed_rotation=("601",))
IT_COLOURS = ("yellow", "green", "brown")
italian = partial(turns, options=IT, colours=IT_COLOURS)


def test_1841_passes_keep_their_size():
    def a_pass(colour, size, *edges, slots=1):
        return tile(
            colour,
            *((e, "c0") for e in edges),
            stops=[{"kind": "pass", "size": size, "slots": slots}],
        )

    t613, t610, t616 = (
        a_pass("green", 1, 0, 3),
        a_pass("brown", 2, 0, 3),
        a_pass("brown", 1, 0, 1, 3, 4, slots=2),
    )
    assert italian(a_pass("yellow", 1), t613) == ALL
    assert italian(a_pass("green", 2), t610) == ALL, "hexes that begin green take brown"
    assert italian(a_pass("green", 2), t616) == NONE
    assert italian(t613, t616) == (0, 2, 3, 5)
    assert italian(t613, t610) == NONE
    assert italian(city("yellow"), t613) == NONE


def test_1841_venezia():
    venezia = tile("white", stops=["city", "town"], labels=["V"])
    both = {"stops": ["city", "town"], "labels": ["V"]}
    t601 = tile("yellow", (1, "c0"), ("c1", 5), ("c0", "c1"), id="601", **both)
    t602 = tile("green", (0, "c0"), (2, "c0"), (3, "c0"), ("c1", 4), ("c0", "c1"), id="602", **both)
    t603 = tile(
        "brown", *((e, "c0") for e in (0, 1, 2, 3, 5)), ("c1", 4), ("c0", "c1"), id="603", **both
    )
    assert italian(venezia, t601) == (0,)
    assert turns(venezia, t601, colours=IT_COLOURS) == ALL
    assert italian(t601, t602) == (1,)
    assert italian(t602, t603) == (0,)


def test_1841_firenze_torino_and_milano():
    firenze = cities("yellow", [1, 5], [2], labels=["Y"])
    assert italian(firenze, catalogue_tile("207")) == (5,)
    assert italian(firenze, catalogue_tile("208")) == (1, 4)
    assert italian(firenze, catalogue_tile("622")) == (5,)
    torino = cities("yellow", [1, 5], [4], labels=["T"])
    assert italian(torino, catalogue_tile("606")) == (4,)
    milano = city("yellow", 3, 4, labels=["M"])
    assert italian(milano, catalogue_tile("604")) == (0, 1)
    assert italian(city("yellow", labels=["G"]), catalogue_tile("612")) == ALL


# 1824

AU = UpgradeOptions(merging_labels=("W", "Bu"))
austrian = partial(turns, options=AU)


def test_1824_wien():
    wien = cities("white", [0], [1], [2], labels=["W"])
    t499 = cities("yellow", [0], [1, 4], [2], labels=["W"])
    t491 = cities("green", [0, 5], [1, 4], [2, 3], labels=["W"])
    t493 = cities("brown", [0, 5], [1, 2, 3, 4], slots=[1, 3], labels=["W"])
    t496 = city("gray", 0, 1, 2, 3, 4, 5, slots=4, labels=["W"])
    assert austrian(wien, t499) == (0,)
    assert austrian(t499, t491) == (0, 3)
    assert austrian(t491, t493) == (0, 3)
    assert austrian(t493, t496) == ALL
    assert turns(t491, t493) == NONE


def test_1824_buda_and_pest():
    budapest = cities("white", [0], [3], labels=["Bu"])
    t498 = cities("yellow", [5, 0], [2, 3], labels=["Bu"])
    t490 = city("green", 0, 1, 3, 4, slots=2, labels=["Bu"])
    t126 = city("brown", 0, 1, 2, 3, 4, 5, slots=2, labels=["Bu"])
    t495 = city("gray", 0, 1, 2, 3, 4, 5, slots=3, labels=["Bu"])
    assert austrian(budapest, t498) == (0, 1, 3, 4)
    assert austrian(t498, t490) == (2, 5)
    assert austrian(t490, t126) == ALL
    assert austrian(t126, t495) == ALL


# Railways of the Lost Atlas

ATLAS_COLOURS = ("yellow", "green", "purple", "gray")
ATLAS = UpgradeOptions(
    kept_icons=("capital", "mine", "port"),
    edge_only_icons=("mine",),
    grounds=(GroundColour(colour="blue", terrain=("water", "lake")),),
)
atlas = partial(turns, options=ATLAS, colours=ATLAS_COLOURS)


def test_lost_atlas_capitals_keep_their_sign():
    capital = {"icons": ["capital"]}
    t291, t57 = city("yellow", 0, 2, **capital), catalogue_tile("57")
    t294 = city("green", 0, 1, 3, 4, slots=2, **capital)
    t297 = city("purple", 0, 1, 2, 3, 4, slots=3, **capital)
    la6 = city("gray", 0, 1, 2, 3, 4, slots=3, **capital)
    assert atlas(city("white", **capital), t291) == ALL
    assert atlas(city("white", **capital), t57) == NONE
    assert atlas(city("white"), t291) == NONE
    assert atlas(t291, t294) == (2, 5)
    assert atlas(t294, t297) == (0, 3)
    assert atlas(t297, la6) == (0,)


def test_lost_atlas_mine_keeps_its_edges_and_turns_either_way():
    mine = {"stops": ["city", "city"], "icons": ["mine"]}
    printed = tile("yellow", ("c0", "c1"), (5, "c1"), **mine)
    la1 = tile("green", ("c0", "c1"), (0, "c1"), (1, "c1"), **mine)
    la4 = tile(
        "purple",
        ("c0", "c1"),
        *((e, "c1") for e in (0, 1, 2)),
        stops=["city", ("city", 2)],
        icons=["mine"],
    )
    la7 = tile(
        "gray",
        ("c0", "c1"),
        *((e, "c1") for e in (0, 1, 2, 5)),
        stops=["city", ("city", 2)],
        icons=["mine"],
    )
    assert atlas(printed, la1) == (4, 5)
    assert atlas(la1, la4) == (0, 5)
    assert atlas(la4, la7) == (0, 1)
    split = tile("green", (0, "c0"), (1, "c1"), **mine)
    assert atlas(printed, split) == (4, 5), "track between the cities is not looked at"
    assert turns(printed, split, UpgradeOptions(kept_icons=("mine",)), ATLAS_COLOURS) == NONE


def test_lost_atlas_port():
    port = {"icons": ["port"]}
    printed = cities("yellow", [4, 5], [0], **port)
    la2 = cities("green", [0, 1], [4, 5], **port)
    la5 = cities("purple", [0, 1], [4, 5], slots=[2, 2], **port)
    assert atlas(printed, la2) == (0,)
    assert atlas(la2, la5) == (0,)


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
