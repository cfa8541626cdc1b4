"""The graph of a title's upgrades: 18EU against the rulebook's table, map hexes, surroundings,
abilities, labels.

Expected rotations were worked out by hand: edges 0-5 clockwise from the bottom, those of a tile at
(e + r) mod 6.
"""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from facts_18eu import UPGRADES
from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.titles import load_title
from platelayer.model.tile import StopKind
from platelayer.model.title import TileCount
from platelayer.rules import graph
from platelayer.rules.graph import hex_source, spots, upgrade_graph
from shipped import shipped

HERE = Path(__file__).parent
ALL = (0, 1, 2, 3, 4, 5)


def test_what_is_kept_of_a_title_serves_the_same_title_read_again():
    """Two threads, or the studio, may read it at once; its maps are then equal, not the same."""
    first, again = (load_title("1824").title for _ in range(2))
    assert first == again
    assert first.maps[0] is not again.maps[0]
    graph._book.__wrapped__.cache_clear()
    graph.spots.__wrapped__.cache_clear()
    graph.lands(first)
    assert {spot.source for spot in spots(again)} <= {
        hex_source(first, board, hexagon) for board in first.maps for hexagon in board.hexes
    }
    assert not any(spot.source.startswith("hex:main/") for spot in spots(again))


@pytest.fixture(scope="module")
def europe():
    return shipped("18eu")


@cache
def base() -> str:
    return (HERE / "base.json").read_text(encoding="utf-8")


def patched(folder: Path, patch):
    path = folder / "title.json"
    path.write_text(json.dumps(merge_patch(json.loads(base()), patch)), encoding="utf-8")
    return load_title(path).title


def hexes(**contents):
    return {"maps": {"main": {"hexes": contents}}}


def by_source(title):
    return {
        source: {pair.to: pair.rotations for pair in pairs}
        for source, pairs in upgrade_graph(title).by_source.items()
    }


def spot(title, name):
    return next(each for each in spots(title) if each.hexagon.id == name)


def test_18eu_is_the_rulebooks_table_in_both_directions(europe):
    computed = {(pair.source, pair.to) for pair in upgrade_graph(europe).tile_pairs}
    printed = {
        (old, new)
        for row in UPGRADES
        for before, after in pairwise(row)
        for old in before
        for new in after
    }
    assert computed <= printed
    for row in UPGRADES:
        for before, after in pairwise(row):
            assert {old for old, new in computed if new in after} == set(before)
            assert {new for old, new in computed if old in before} == set(after)
    assert {number for row in UPGRADES for step in row for number in step} == set(europe.tile_by_id)
    assert tuple(tuple(chain.steps) for chain in europe.chains) == UPGRADES


def test_18eu_first_tiles_of_every_hex(europe):
    graph = by_source(europe)
    first = {
        "town": UPGRADES[0][0],
        "city": UPGRADES[1][0],
        "Y": UPGRADES[2][0],
        "": UPGRADES[5][0],
    }
    special = {"J1": ("580",), "E10": ("581",), "N11": ("581",), "P11": UPGRADES[5][1]}
    for hexagon in europe.maps[0].hexes:
        tile = hexagon.tile
        content = "Y" if tile.labels else "".join(stop.kind.value for stop in tile.stops)
        expected = special.get(hexagon.id) or (first[content] if tile.colour == "white" else ())
        assert tuple(graph.get(f"hex:{hexagon.id}", ())) == expected, hexagon.id


def test_hexes_come_first_and_all_in_the_order_of_the_title(europe):
    pairs = upgrade_graph(europe).pairs
    assert [pair.from_hex for pair in pairs] == sorted(
        (pair.from_hex for pair in pairs), reverse=True
    )
    order = [entry.tile.id for entry in europe.tiles]
    sources = [pair.source for pair in upgrade_graph(europe).tile_pairs]
    assert sources == sorted(sources, key=order.index)
    assert all(pair.rotations for pair in pairs)


def test_the_rim_of_the_map_takes_rotations(europe):
    here = spot(europe, "L1")
    assert here.blocked == (1, 2)
    assert here.first == {"7": ALL, "8": ALL, "9": ALL}
    assert {name: here.here[name] for name in ("7", "8", "9")} == {
        "7": (3, 4, 5),
        "8": (3, 4),
        "9": (0, 3),
    }
    assert here.alone["81"] == ALL
    assert "81" not in here.here, "0, 2, 4 and 1, 3, 5 both meet the rim"
    lille = spot(europe, "G2")
    assert lille.blocked == (3,)
    assert lille.here["58"] == (0, 2, 4, 5)


def test_printed_hexes_take_rotations(europe):
    """U6 has Rome at its lower right, which has track there; T7 has it below; the port V5 has track
    up alone."""
    assert 5 not in spot(europe, "U6").blocked
    assert 0 in spot(europe, "U6").blocked, "no hex below"
    assert 0 not in spot(europe, "T7").blocked
    assert 0 not in spot(europe, "T5").blocked, "the port has track towards it"
    assert 0 in spot(europe, "U4").blocked
    assert 5 in spot(europe, "U4").blocked, "the port has no track towards it"


@pytest.mark.parametrize(
    ("border", "blocked"),
    [
        ({"edge": 3, "kind": "impassable"}, True),
        ({"edge": 3, "kind": "province"}, False),
        ({"edge": 3, "kind": "river", "cost": 40}, False),
        ({"edge": 3, "kind": "impassable", "until": "3"}, False),
        ({"edge": 3, "kind": "impassable", "since": "3"}, False),
    ],
)
def test_impassable_borders_block_both_sides(tmp_path, border, blocked):
    title = patched(tmp_path, hexes(B5={"borders": [border]}))
    assert (3 in spot(title, "B5").blocked) is blocked
    assert (0 in spot(title, "B3").blocked) is blocked


def test_a_chain_goes_on_with_the_track_laid(tmp_path):
    """C4 with its lower right, upper left and lower left closed: 57 as 0-3, 14 never, 15 never."""
    borders = [{"edge": edge, "kind": "impassable"} for edge in (1, 2, 5)]
    here = spot(patched(tmp_path, hexes(C4={"borders": borders})), "C4")
    assert here.blocked == (1, 2, 5)
    assert here.here == {"57": (0, 3)}
    assert here.alone.keys() == {"57", "14", "15", "611"}


def test_a_label_that_applies_later_holds_for_all_that_is_laid(tmp_path):
    patch = merge_patch(
        {"tiles": {"576": 2, "578": 2, "582": 1}},
        hexes(C4={"labels": [{"text": "Y", "since": "green"}]}),
    )
    title = patched(tmp_path, patch)
    assert by_source(title)["hex:C4"] == {"57": ALL}
    assert "576" not in by_source(title)["57"], "by the tiles alone labels differ"
    assert spot(title, "C4").alone.keys() == {"57", "576", "582"}, (
        "57 is straight and 578 has no straight track"
    )
    assert spot(title, "B3").alone.keys() == {"57", "14", "15", "611"}


def test_a_tile_of_an_ability_says_so(tmp_path):
    own = {
        "colour": "green",
        "stops": [{"kind": "city", "slots": 2}],
        "track": [[e, "stop:0"] for e in (1, 2, 4, 5)],
    }
    title = patched(tmp_path, {"tiles": {"14p": {"count": 1, "via": "local railway", "tile": own}}})
    pairs = {(pair.source, pair.to): pair for pair in upgrade_graph(title).pairs}
    assert pairs["57", "14p"].rotations == (1, 2, 4, 5)
    assert pairs["57", "14p"].via == "local railway"
    assert pairs["57", "14"].via is None
    assert pairs["14p", "611"].rotations == (1, 4)
    assert pairs["14p", "611"].via is None


def test_a_fixed_rotation_is_one_on_the_map(tmp_path):
    title = patched(tmp_path, {"upgrades": {"fixed_rotation": ["57", "14"]}})
    assert by_source(title)["hex:C4"] == {"57": (0,)}
    assert by_source(title)["57"] == {"14": (0,), "15": (0, 3)}
    free = patched(tmp_path, {"upgrades": {"fixed_rotation": ["14"]}})
    assert spot(free, "C4").alone["14"] == (0,)
    assert spot(free, "C4").alone["57"] == ALL


def test_what_is_never_upgraded(tmp_path):
    title = patched(tmp_path, {"upgrades": {"never_upgraded": ["hex:C4", "8"]}})
    assert "hex:C4" not in by_source(title)
    assert "hex:B3" in by_source(title)
    assert "8" not in by_source(title)
    assert {3, 5} <= set(spot(title, "B3").blocked), "C4 stays without track for good"


def test_what_is_granted_comes_beside_what_may_replace_a_tile_anyway(tmp_path):
    grant = {"upgrades": {"granted": [{"from": ["57"], "to": ["9"]}]}}
    after = by_source(patched(tmp_path, grant))["57"]
    assert after == {"9": (0, 3), "14": (0, 2, 3, 5), "15": (0, 3)}


def test_hexes_of_a_further_map_are_named_with_it(tmp_path):
    second = {"name": "Second", "layout": "pointy", "coordinates": {"letters_on": "y"}}
    free = {"A1": {}, "A3": {}, "B2": {"stops": [{"kind": "town"}]}, "B4": {}}
    title = patched(tmp_path, {"maps": {"second": {**second, "hexes": free}}})
    assert {"hex:A1", "hex:A3", "hex:B2", "hex:B4", "hex:B5"} <= set(by_source(title))
    clashing = {"A2": {"stops": [{"kind": "town"}]}, "A4": {}}
    title = patched(tmp_path, {"maps": {"second": {**second, "hexes": clashing}}})
    assert by_source(title)["hex:A2"].keys() == {"7", "8", "9"}
    assert by_source(title)["hex:second/A2"].keys() == {"3", "4", "58"}


def test_a_title_without_maps_or_tiles(europe):
    assert all(not pair.from_hex for pair in upgrade_graph(replace(europe, maps=())).pairs)
    assert upgrade_graph(replace(europe, tiles=())).pairs == ()
    assert spots(replace(europe, maps=())) == ()
    assert spots(replace(europe, tiles=()))[0].here == {}


def test_equal_tiles_under_many_numbers_all_follow(europe):
    more = tuple(
        TileCount(tile=replace(entry.tile, id=f"{entry.tile.id}.{copy}"), count=1)
        for copy in range(3)
        for entry in europe.tiles
    )
    graph = upgrade_graph(replace(europe, tiles=more, maps=()))
    assert len(graph.pairs) == 9 * len(upgrade_graph(europe).tile_pairs)


def test_no_hex_of_18eu_is_without_room(europe):
    for each in spots(europe):
        assert set(each.here) & set(each.first), each.source
        kinds = {stop.kind for stop in each.hexagon.tile.stops}
        assert kinds <= {StopKind.CITY, StopKind.TOWN}
