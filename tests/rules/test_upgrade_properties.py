"""What must hold for any tiles: turning, all rotations, no way back to itself; and agreement with a
slow, plain reading of the rules of upgrading that shares nothing with the fast one."""

from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from platelayer.definitions.build import build_tile, catalogue_tiles
from platelayer.model.tile import (
    AddedStops,
    EndKind,
    Gauge,
    StopKind,
    UpgradeOptions,
    rotate_tile,
    stop_end,
)
from platelayer.rules.replacement import rotations
from platelayer.rules.tile_rules import mirror, shape

EDGE, STOP, JUNCTION = EndKind.EDGE, EndKind.STOP, EndKind.JUNCTION
COLOURS = ("yellow", "green", "brown", "gray")
OPTIONS = (
    UpgradeOptions(),
    UpgradeOptions(merging_labels=("B",), added=(AddedStops(colour="green", label="B", cities=1),)),
    UpgradeOptions(
        added=(AddedStops(colour="green", towns=-1), AddedStops(colour="brown", cities=1))
    ),
    UpgradeOptions(kept_icons=("port",), edge_only_icons=("mine",)),
)


@st.composite
def tiles(draw, colours=("white", *COLOURS)):
    stops = draw(
        st.lists(st.sampled_from([("city", 1), ("city", 2), ("town", 0), ("pass", 1)]), max_size=3)
    )
    ends = [*range(6), "junction", *(f"stop:{number}" for number in range(len(stops)))]
    pairs = [pair for pair in combinations(ends, 2) if set(pair) != {"junction"}]
    track = draw(st.lists(st.sampled_from(pairs), max_size=6, unique=True))
    gauges = draw(
        st.lists(st.sampled_from(["standard"] * 4 + ["narrow", "dual"]), min_size=6, max_size=6)
    )
    raw = {
        "colour": draw(st.sampled_from(colours)),
        "stops": [
            {"kind": kind, "slots": slots} if slots else {"kind": kind} for kind, slots in stops
        ],
        "track": [[*pair, {"gauge": gauge}] for pair, gauge in zip(track, gauges, strict=False)],
        "labels": draw(st.sampled_from([[], [], ["B"]])),
        "icons": draw(st.sampled_from([[], [], ["port"], ["mine"]])),
    }
    return build_tile("X", raw)


@st.composite
def growing(draw):
    """A tile, and one of the next colour with all of its stops and track, turned, and more: so that
    many may follow."""
    old = draw(tiles(colours=("yellow", "green")))
    more = draw(tiles(colours=("green", "brown")))
    turn = draw(st.integers(0, 5))
    grown = rotate_tile(old, turn)
    extra = [segment for segment in more.track if all(end.kind is EDGE for end in segment.ends)]
    fields = {
        "colour": "green" if old.colour == "yellow" else "brown",
        "track": (*grown.track, *extra),
    }
    return old, type(old)(id="Y", stops=old.stops, labels=old.labels, icons=old.icons, **fields)


STANDARD = catalogue_tiles()
ANY = st.one_of(tiles(), st.sampled_from(STANDARD))
PAIRS = st.one_of(growing(), st.tuples(ANY, ANY))
EDGES = st.lists(st.integers(0, 5), max_size=2, unique=True)


@given(PAIRS, st.integers(0, 5), st.sampled_from(OPTIONS), EDGES)
def test_turning_what_is_replaced_turns_every_answer(pair, turn, options, stubs):
    old, new = pair
    answer = rotations(old, new, COLOURS, options, stubs=stubs)
    turned = rotations(
        rotate_tile(old, turn), new, COLOURS, options, stubs=[(edge + turn) % 6 for edge in stubs]
    )
    assert turned == tuple(sorted((each + turn) % 6 for each in answer))


@given(PAIRS, st.integers(0, 5), st.sampled_from(OPTIONS))
def test_turning_what_replaces_turns_every_answer_back(pair, turn, options):
    old, new = pair
    answer = rotations(old, new, COLOURS, options)
    assert rotations(old, rotate_tile(new, turn), COLOURS, options) == tuple(
        sorted((r - turn) % 6 for r in answer)
    )


@given(PAIRS, st.sampled_from(OPTIONS))
def test_mirroring_both_mirrors_every_answer(pair, options):
    old, new = pair
    answer = rotations(old, new, COLOURS, options)
    assert rotations(mirror(old), mirror(new), COLOURS, options) == tuple(
        sorted(-r % 6 for r in answer)
    )


@given(ANY, st.sampled_from(OPTIONS))
def test_a_tile_never_replaces_itself(each, options):
    assert rotations(each, each, COLOURS, options) == ()


@given(growing())
def test_a_tile_with_all_of_another_and_more_replaces_it(pair):
    old, new = pair
    assert rotations(old, new, COLOURS, UpgradeOptions())


@settings(max_examples=150)
@given(PAIRS, st.sampled_from(OPTIONS), EDGES)
def test_as_a_plain_reading_of_the_rules_says(pair, options, stubs):
    old, new = pair
    expected = tuple(r for r in range(6) if may_replace(old, rotate_tile(new, r), options, stubs))
    assert rotations(old, new, COLOURS, options, stubs=stubs) == expected


@given(ANY, st.integers(0, 5))
def test_a_shape_is_the_same_whichever_way_a_tile_lies(each, turn):
    assert shape(rotate_tile(each, turn)) == shape(each)
    assert shape(rotate_tile(mirror(each), turn)) == shape(mirror(each))
    assert mirror(mirror(each)).track == each.track


@given(tiles(), st.randoms(use_true_random=False))
def test_a_shape_is_the_same_in_whatever_order_stops_are_listed(each, random):
    order = list(range(len(each.stops)))
    random.shuffle(order)

    def renamed(end):
        return stop_end(order.index(end.index)) if end.kind is STOP else end

    track = tuple(
        replace(segment, a=renamed(segment.a), b=renamed(segment.b)) for segment in each.track
    )
    listed = replace(each, stops=tuple(each.stops[index] for index in order), track=track)
    assert shape(listed) == shape(each)


def may_replace(old, new, options, stubs):
    """Rules 1 to 5 for two tiles as they lie, every choice of stops tried, every segment looked
    for."""
    order = ("white", *COLOURS)
    if order.index(new.colour) - order.index(old.colour) != 1:
        return False
    if sorted(label.text for label in old.labels) != sorted(label.text for label in new.labels):
        return False
    icons = [{icon.name for icon in each.icons} for each in (old, new)]
    if any((name in icons[0]) != (name in icons[1]) for name in options.kept_icons):
        return False
    if not set(stubs) <= set(new.exits):
        return False
    edges_only = bool(icons[0] & set(options.edge_only_icons))
    choices = product(range(len(new.stops)), repeat=len(old.stops))
    return any(
        stops_kept(old, new, choice, options) and track_kept(old, new, choice, edges_only)
        for choice in choices
    )


def stops_kept(old, new, choice, options):
    labels = {label.text for label in new.labels}
    for kind in StopKind:
        olds = [index for index, stop in enumerate(old.stops) if stop.kind is kind]
        news = [index for index, stop in enumerate(new.stops) if stop.kind is kind]
        change = sum(
            {StopKind.CITY: each.cities, StopKind.TOWN: each.towns}.get(kind, 0)
            for each in options.added
            if each.colour == new.colour and (each.label in labels if each.label else not labels)
        )
        merging = kind is StopKind.CITY and bool(labels & set(options.merging_labels))
        number = len(olds) + change
        if len(news) != number and not (merging and 0 < len(news) < number):
            return False
        if any(choice[index] not in news for index in olds):
            return False
        different = {choice[index] for index in olds}
        if len(different) < len(olds) and not merging and change >= 0:
            return False
        if len(news) - len(different) > max(0, change):
            return False
        for index in different:
            stations = sum(old.stops[each].slots for each in olds if choice[each] == index)
            if new.stops[index].slots < stations:
                return False
    return True


def track_kept(old, new, choice, edges_only):
    was, there = set(track_of(old, choice)), set(track_of(new, range(len(new.stops))))
    ways = joined(there)
    exits = {(end, gauge) for *ends, gauge in there for end in ends if end[0] is EDGE}
    to_stops = {(a, gauge) for a, b, gauge in there if (a[0], b[0]) == (EDGE, STOP)}

    def kept(segment):
        a, b, gauge = segment
        kinds = (a[0], b[0])
        if kinds == (EDGE, EDGE):
            return (a, b, gauge) in ways
        if kinds == (EDGE, STOP) and edges_only:
            return (a, gauge) in to_stops
        if kinds == (EDGE, JUNCTION):
            return (a, gauge) in exits
        return segment in there or a == b or edges_only

    junction_has_stops = any((a[0], b[0]) == (STOP, JUNCTION) for a, b, _ in was)
    at_junction = {each for each in was if (each[0][0], each[1][0]) == (EDGE, JUNCTION)}
    return (
        all(map(kept, was))
        and joined(was) <= ways
        and (at_junction <= there or not junction_has_stops)
    )


def track_of(each, names):
    """(end, end, gauge) with ends as (kind, index) in order, stops renamed, and dual track as one
    of each gauge."""
    rank = (EDGE, STOP, JUNCTION)
    for segment in each.track:
        ends = [
            (end.kind, names[end.index] if end.kind is STOP else end.index) for end in segment.ends
        ]
        a, b = sorted(ends, key=lambda end: (rank.index(end[0]), end[1]))
        for gauge in (
            (Gauge.STANDARD, Gauge.NARROW) if segment.gauge is Gauge.DUAL else (segment.gauge,)
        ):
            yield a, b, gauge


def joined(track):
    """Pairs of edges joined past no stop: by a segment, or by the junction."""
    plain = {each for each in track if each[0][0] is each[1][0] is EDGE}
    to_junction = sorted(
        ((a, gauge) for a, b, gauge in track if (a[0], b[0]) == (EDGE, JUNCTION)),
        key=lambda each: each[0][1],
    )
    return plain | {
        (a, b, gauge) for (a, gauge), (b, other) in combinations(to_junction, 2) if gauge is other
    }
