"""Hexes copied, turned, mirrored, pasted and moved, beside a model that works by angles and plain values."""

from __future__ import annotations

import copy
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.titles import read_title
from platelayer.model.gamemap import (
    Coord,
    CoordinateScheme,
    Layout,
    centre_mm,
    edge_angle,
    neighbour,
)
from platelayer.studio.clips import Way, clip_of, moved, pasted
from platelayer.studio.desk import read_action
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.view import View
from platelayer.studio.workspace import Workspace
from studio.conftest import small_title

LAYOUTS = [*Layout]
EDGES = st.integers(0, 5)


def seen(x, y, turns, mirrored):
    """A point after a look in the mirror and some turns."""
    x, angle = (-x if mirrored else x), math.radians(60 * turns)
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def seen_edge(layout, edge, turns, mirrored):
    """The edge in that direction, to halves."""
    angle = edge_angle(edge, layout)
    x, y = seen(math.cos(angle), math.sin(angle), turns, mirrored)
    return (
        round(2 * (math.degrees(math.atan2(y, x)) - math.degrees(edge_angle(0, layout))) / 60)
        / 2
        % 6
    )


def seen_hex(layout, hexagon, turns, mirrored):
    after = copy.deepcopy(hexagon)
    turn = lambda edge: seen_edge(layout, edge, turns, mirrored)  # noqa: E731
    for segment in after.get("track", ()):
        segment[:] = [end if isinstance(end, str) else turn(end) for end in segment]
    for line in after.get("borders", ()):
        line["edge"] = turn(line["edge"])
    for stop in after.get("stops", ()):
        if "at" in stop:
            stop["at"] = {**stop["at"], "edge": turn(stop["at"]["edge"])}
    return after


def seen_place(board, pair, name, turns, mirrored):
    """Coordinates of a hex when the first of a pair comes to the second; None where there are none."""
    (scheme, layout), (anchor, at) = board, pair
    x0, y0 = centre_mm(scheme.parse(anchor), layout, 10)
    x1, y1 = centre_mm(scheme.parse(at), layout, 10)
    x, y = centre_mm(scheme.parse(name), layout, 10)
    dx, dy = seen(x - x0, y - y0, turns, mirrored)
    step_x, step_y = centre_mm(Coord(1, 1), layout, 10)
    place = Coord(round((x1 + dx) / step_x), round((y1 + dy) / step_y))
    name = scheme.name(place)
    return name if scheme.parse(name) == place else None


PAIR = st.lists(EDGES, min_size=2, max_size=2, unique=True)
BORDER = st.fixed_dictionaries({"edge": EDGES, "kind": st.just("river")})
HEXAGON = st.fixed_dictionaries(
    {},
    optional={
        "track": st.lists(PAIR, min_size=1, max_size=2),
        "borders": st.lists(BORDER, min_size=1, max_size=2),
        "name": st.sampled_from(["Ulm", "京都"]),
        "stops": st.just([{"kind": "city", "at": {"edge": 2.5, "distance": 0.5}}]),
        "colour": st.sampled_from(["yellow", "gray"]),
    },
)


@given(layout=st.sampled_from(LAYOUTS), hexagon=HEXAGON, turns=EDGES, mirrored=st.booleans())
def test_a_hex_looks_as_in_a_mirror_and_turned(layout, hexagon, turns, mirrored):
    before = copy.deepcopy(hexagon)
    assert Way(layout, turns, mirrored).hexagon(hexagon) == seen_hex(
        layout, hexagon, turns, mirrored
    )
    assert hexagon == before


@given(layout=st.sampled_from(LAYOUTS), hexagon=HEXAGON, turns=EDGES, mirrored=st.booleans())
def test_the_way_back_leads_back(layout, hexagon, turns, mirrored):
    there = Way(layout, turns, mirrored)
    back = there if mirrored else Way(layout, -turns % 6)
    assert back.hexagon(there.hexagon(hexagon)) == hexagon


def board(layout, hexes, **more):
    scheme = {"letters_on": "y", "first_letter": "H", "first_number": 9}
    return {"name": "M", "layout": layout.value, "coordinates": scheme, "hexes": hexes, **more}


def around(layout, radius=2):
    scheme = CoordinateScheme(letters_on="y", first_letter="H", first_number=9)
    places = {Coord(0, 0)}
    for _ in range(radius):
        places |= {neighbour(at, edge, layout) for at in places for edge in range(6)}
    return scheme, sorted(map(scheme.name, places))


@given(data=st.data(), layout=st.sampled_from(LAYOUTS), turns=EDGES, mirrored=st.booleans())
def test_a_copy_stands_where_geometry_puts_it(data, layout, turns, mirrored):
    scheme, names = around(layout)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=6, unique=True))
    at = data.draw(st.sampled_from(names))
    hexes = {name: {"name": name, "track": [[0, 1]]} for name in names}
    title = {"maps": {"map": board(layout, hexes)}}
    kept = copy.deepcopy(title)
    wanted = {name: seen_place((scheme, layout), (chosen[0], at), name, turns, mirrored) for name in chosen}  # fmt: skip
    clip = clip_of(title["maps"]["map"], chosen)
    if None in wanted.values():
        with pytest.raises(Refused, match="no coordinates"):
            pasted(title, "map", at, clip, turns=turns, mirrored=mirrored)
        return
    after, placed = pasted(title, "map", at, clip, turns=turns, mirrored=mirrored)
    assert placed == tuple(wanted.values())
    assert after["maps"]["map"]["hexes"] == hexes | {
        to: seen_hex(layout, hexes[name], turns, mirrored) for name, to in wanted.items()
    }
    assert title == kept


def test_a_piece_of_one_layout_fits_the_other():
    flat = board(
        Layout.FLAT, {"H9": {"track": [[0, "stop:0"]], "stops": [{"kind": "city"}]}, "J9": {}}
    )
    pointy = {"maps": {"map": board(Layout.POINTY, {"H9": {}})}}
    after, placed = pasted(pointy, "map", "H9", clip_of(flat, ["H9", "J9"]))
    assert placed == ("H9", "I8")  # across edge 0
    assert after["maps"]["map"]["hexes"]["H9"]["track"] == [[0, "stop:0"]]


def title_with_references():
    city, town = {"stops": [{"kind": "city"}], "name": "Ulm"}, {"stops": [{"kind": "town"}]}
    hexes = {"H9": city, "J9": town, "L9": {}, "H11": {}, "J11": {}}
    labelled = {"map": {"hexes": {"H9": {"labels": ["Y"]}}}}
    return {
        "maps": {
            "map": board(
                Layout.FLAT,
                hexes,
                rivers={
                    "po": {"course": ["H9", {"hex": "H9", "corner": 1}, "J9"]},
                    "long": {"course": ["H9", "J9", "L9"]},
                },
                regions={"all": {"hexes": ["H9", "J9"]}, "more": {"hexes": ["L9"]}},
                seas={
                    "sea": {"from": {"hex": "H9", "corner": 0}, "to": {"hex": "J9", "corner": 3}}
                },
            )
        },
        "companies": {"A": {"homes": [{"hex": "H9", "stop": 0}, {"hex": "L9"}], "blocks": ["J9"]}},
        "privates": {"P": {"destination": {"hex": "J9"}, "shows": "hex:H9"}},
        "pieces": {"overlays": {"x": {"hex": "H9"}}},
        "upgrades": {"never_upgraded": ["hex:H9", "hex:map/J9", "57"]},
        "waivers": [{"code": "MP01", "at": "H9", "reason": "x"}],
        "variants": {
            "v": {"patch": {"companies": {"A": {"homes": [{"hex": "J9"}]}}, "maps": labelled}}
        },
    }


def test_what_refers_to_a_hex_follows_it():
    title = title_with_references()
    kept = copy.deepcopy(title)
    after, placed = moved(title, "map", ["H9", "J9"], "H11")
    assert title == kept
    assert placed == ("H11", "J11")
    where = after["maps"]["map"]
    assert where["hexes"]["H11"]["name"] == "Ulm"
    assert where["hexes"]["H9"] == where["hexes"]["J9"] == {}
    assert where["rivers"] == {
        "po": {"course": ["H11", {"hex": "H11", "corner": 1}, "J11"]},
        "long": {"course": ["H9", "J9", "L9"]},
    }
    assert where["regions"] == {"all": {"hexes": ["H11", "J11"]}, "more": {"hexes": ["L9"]}}
    assert where["seas"]["sea"]["to"] == {"hex": "J11", "corner": 3}
    assert after["companies"]["A"] == {"homes": [{"hex": "H11", "stop": 0}, {"hex": "L9"}], "blocks": ["J11"]}  # fmt: skip
    assert after["privates"]["P"] == {"destination": {"hex": "J11"}, "shows": "hex:H11"}
    assert after["pieces"]["overlays"]["x"] == {"hex": "H11"}
    assert after["upgrades"]["never_upgraded"] == ["hex:H11", "hex:map/J11", "57"]
    assert after["waivers"][0]["at"] == "H11"
    assert after["variants"]["v"]["patch"] == {
        "companies": {"A": {"homes": [{"hex": "J11"}]}},
        "maps": {"map": {"hexes": {"H11": {"labels": ["Y"]}}}},
    }


def test_a_given_coast_turns_with_its_hexes():
    title = title_with_references()
    line = [{"hex": "H9", "points": [[-50, 10], [0, 20]]}, {"hex": "J9", "points": [[30.5, 0]]}]
    title["maps"]["map"]["seas"] = {"given": {"coasts": [line]}}
    after, placed = moved(title, "map", ["H9", "J9"], "H11", mirrored=True)
    (coast,) = after["maps"]["map"]["seas"]["given"]["coasts"]
    assert [piece["hex"] for piece in coast] == [*placed]
    assert [piece["points"] for piece in coast] == [[[50, 10], [0, 20]], [[-30.5, 0]]]


def test_a_mirrored_coast_still_runs_clockwise():
    after, _ = moved(title_with_references(), "map", ["H9", "J9"], "H11", mirrored=True)
    assert after["maps"]["map"]["seas"]["sea"] == {
        "from": {"hex": "J11", "corner": 2},
        "to": {"hex": "H11", "corner": 5},
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda title: title["maps"]["map"]["hexes"]["J9"].update(apart=True), "off the grid"),
        (lambda title: title["maps"]["map"]["hexes"]["J9"].update(half="left"), "half a hex"),
        (lambda title: title["maps"].update(lite=board(Layout.FLAT, {"H9": {}})), "several maps"),
        (
            lambda title: title["variants"]["v"]["patch"]["maps"]["map"]["hexes"].update(I10={}),
            "variant v changes I10",
        ),
    ],
)
def test_what_cannot_be_moved_is_refused(change, words):
    title = title_with_references()
    change(title)
    kept = copy.deepcopy(title)
    with pytest.raises(Refused, match=words):
        moved(title, "map", ["H9", "J9"], "H11", turns=1)
    assert title == kept


# Through files.


@pytest.mark.parametrize("title", ["18eu", "1841"])
def test_hexes_of_other_titles_are_pasted_or_refused_whole(title, tmp_path):
    workspace = Workspace(Folder(small_title(tmp_path / "title"), writable=True))
    view = View(tmp_path / "title", "", None)
    view.reload(workspace.texts)
    source = read_title(title).assembled.value["maps"]
    map_id = next(iter(source))
    outcomes = set()
    for name, hexagon in list(source[map_id]["hexes"].items())[:40]:
        before = workspace.texts
        clip = {"platelayer": "hexes", "hexes": [[0, 0, hexagon]], "rivers": []}
        action = {"do": "edit", "label": "", "ops": [{"op": "paste", "map": "main", "at": "C3", "clip": clip}]}  # fmt: skip
        try:
            read_action(json.dumps(action).encode()).answer(workspace, view)
        except Refused:
            assert workspace.texts == before
            outcomes.add("refused")
        else:
            text = workspace.open("map.json").text
            assert json.loads(text)["map"]["hexes"]["C3"] == hexagon, name
            outcomes.add("pasted")
    assert "pasted" in outcomes
