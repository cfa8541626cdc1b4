"""The ground of maps: the sea and its shores, relief, and the washes of states."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path as FilePath
from typing import Any

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.hex import terrain
from platelayer.drawing.hex.geometry import between
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map import relief
from platelayer.drawing.map.ground import wash_edges
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.shore import Coast, coast_of
from platelayer.model.gamemap import EDGES, Coord, Layout, neighbour
from platelayer.model.title import Title
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import Group, Path, Point
from shipped import shipped

LAYOUTS = ("flat", "pointy")
ACROSS_MM = 38.6
FRAME = (-60.0, -60.0, 400.0, 400.0)


def island(
    folder: FilePath,
    layout: str,
    *,
    sea: Any = None,
    seas: Any = None,
    beyond: Any = None,
    regions: Any = None,
    drop: str = "",
    **changes: Any,
) -> Title:
    """A board of five by five hexes with mountains in the middle; `changes` are those of hexes by
    their names."""
    places = [(x, y) for y in range(10) for x in range(5) if (x + y) % 2 == 0]
    if layout == "pointy":
        places = [(x, y) for y in range(5) for x in range(10) if (x + y) % 2 == 0]
    hexes: dict[str, Any] = {f"{chr(ord('A') + x)}{y + 1}": {} for x, y in places}
    middle = list(hexes)[10:15]
    hexes |= {name: {"terrain": [{"kinds": ["mountain"], "cost": 40}]} for name in middle} | changes
    board = {
        "name": "Nowhere",
        "layout": layout,
        "coordinates": {"letters_on": "x"},
        "hexes": {name: hexagon for name, hexagon in hexes.items() if name != drop},
    }
    board |= {"sea": sea} if sea else {}
    board |= {"seas": seas} if seas else {}
    board |= {"beyond": beyond} if beyond else {}
    board |= {"regions": regions} if regions else {}
    file = folder / "title.json"
    file.write_text(
        json.dumps(
            {"format": "platelayer.title/1", "id": "nowhere", "name": "No", "maps": {"main": board}}
        )
    )
    loaded = load_title(str(file))
    assert loaded.title is not None, loaded.problems
    return loaded.title


def plan_of(title: Title) -> MapPlan:
    return MapPlan(gamemap=title.maps[0], across_mm=ACROSS_MM)


def shores(title: Title) -> tuple[MapPlan, Coast]:
    plan = plan_of(title)
    return plan, coast_of(plan, FRAME)


CORNERS = [(x, y) for x in (0.5, 299.5) for y in (0.5, 299.5)]


def test_lines_between_hexes_run_on_to_a_slanting_coast() -> None:
    plan, coast = shores(shipped("18eu"))
    onward = {plan.one_side(edge) for cape in coast.capes for _, edge in cape.lines if edge}
    # Of the Netherlands and Germany, and of two hexes at the Baltic Sea.
    assert {(Coord(4, 3), 4), (Coord(7, 2), 5)} <= onward


@pytest.mark.parametrize("title", ["18eu", "1841"])
def test_capes_end_where_those_of_neighbours_begin(title: str) -> None:
    _, coast = shores(shipped(title))
    checked = 0
    for cape in coast.capes:
        middle, *rim = cape.outline
        for (start, end), edge in cape.lines:
            dx, dy = end[0] - start[0], end[1] - start[1]

            def across(point: Point, ax=start[0], ay=start[1], dx=dx, dy=dy) -> float:
                return (dx * (point[1] - ay) - dy * (point[0] - ax)) / math.hypot(dx, dy)

            if edge is not None:
                side = math.copysign(1.0, across(middle))
                assert min(side * across(point) for point in rim) > -0.5
                checked += 1
    assert checked


@pytest.mark.parametrize("layout", LAYOUTS)
class TestShores:
    def test_island_lies_in_the_sea(self, tmp_path: FilePath, layout: str) -> None:
        plan, coast = shores(island(tmp_path, layout, A1={"colour": "blue"}))
        outline = plan.outside_edges(plan.gamemap.hexes)
        water = plan.gamemap.by_id["A1"].at
        assert all(coast.on_water(corner) for corner in CORNERS)
        assert {edge for edge in outline if edge[0] != water} <= coast.edges.keys()

    def test_off_board_area_keeps_land_where_no_blue_hex_is_near(
        self, tmp_path: FilePath, layout: str
    ) -> None:
        far = "E9" if layout == "flat" else "E5"
        red = {"colour": "red"}
        plan, coast = shores(
            island(tmp_path, layout, A1={"colour": "blue"}, **dict.fromkeys(("E5", far), red))
        )
        assert coast.on_water(plan.centre(plan.gamemap.by_id["A1"].at))
        assert coast.lines
        at = plan.gamemap.by_id[far].at
        assert not {edge for edge in coast.edges if edge[0] == at}

    def test_board_without_blue_hexes_has_no_sea(self, tmp_path: FilePath, layout: str) -> None:
        _, coast = shores(island(tmp_path, layout))
        assert not coast.open_sea
        assert not any(coast.on_water(corner) for corner in CORNERS)

    def test_sea_around_in_one_line(self, tmp_path: FilePath, layout: str) -> None:
        plan, coast = shores(island(tmp_path, layout, sea="around"))
        assert {*plan.outside_edges(plan.gamemap.hexes)} == coast.edges.keys()
        for hexagon in plan.gamemap.hexes:
            assert not coast.on_water(plan.centre(hexagon.at))

    def test_sea_on_some_sides(self, tmp_path: FilePath, layout: str) -> None:
        plan, coast = shores(island(tmp_path, layout, sea=["south", "east"]))
        left, top, right, bottom = plan.bounds
        x, y = (left + right) / 2, (top + bottom) / 2
        beyond = [(x, top - 15), (right + 15, y), (x, bottom + 15), (left - 15, y)]
        assert [coast.on_water(point) for point in beyond] == [False, True, True, False]

    def test_holes_are_lakes_and_ports_lie_at_the_sea(
        self, tmp_path: FilePath, layout: str
    ) -> None:
        middle = "C5" if layout == "flat" else "E3"
        _, coast = shores(island(tmp_path, layout, drop=middle))
        assert len(coast.edges) == 6
        far = "E5"
        plan, coast = shores(island(tmp_path, layout, **{far: {"icons": ["port"]}}))
        at = plan.gamemap.by_id[far].at
        assert {edge for edge in plan.outside_edges(plan.gamemap.hexes) if edge[0] == at} <= (
            coast.edges.keys()
        )

    def test_coasts_point_by_point(self, tmp_path: FilePath, layout: str) -> None:
        lake = [[-20, -20], [20, -20], [20, 20], [-20, 20], [-20, -20]]
        line = [[-3000, 80], [0, 75], [3000, 80]]
        low = "C9" if layout == "flat" else "E5"
        seas = {
            "lake": {"coasts": [[{"hex": "C5", "points": lake}]]},
            "sea": {"coasts": [[{"hex": low, "points": line}]]},
        }
        plan, coast = shores(island(tmp_path, layout, seas=seas))
        assert [len(coast.lines), coast.lines[0][0] == coast.lines[0][-1]] == [2, True]
        wet = {h.id for h in plan.gamemap.hexes if coast.on_water(plan.centre(h.at))}
        assert wet == {"C5"}
        x, y = plan.centre(plan.gamemap.by_id[low].at)
        assert coast.on_water((x, y + 0.9 * ACROSS_MM))
        assert not coast.on_water((x, y + 0.6 * ACROSS_MM))

    def test_water_parts_states(self, tmp_path: FilePath, layout: str) -> None:
        ring = [[-45, 30], [45, 30], [45, 38], [-45, 38], [-45, 30]]
        other = "C7" if layout == "flat" else "E5"
        points = ring if layout == "flat" else [[y, x] for x, y in ring]
        lands = {name: {"name": name, "hexes": [name]} for name in ("C5", other)}
        water = {"strait": {"coasts": [[{"hex": "C5", "points": points}]]}}
        plan, coast = shores(island(tmp_path, layout, regions=lands, seas=water))
        assert wash_edges(plan, coast) == {}
        assert len(wash_edges(plan)) == 2

    def test_hexes_in_colour_stay_whole(self, tmp_path: FilePath, layout: str) -> None:
        yellow = {"colour": "yellow"}
        plan, coast = shores(island(tmp_path, layout, sea="around", A1=yellow, E5=yellow))
        for name in ("A1", "E5"):
            at = plan.gamemap.by_id[name].at
            for corner in plan.polygon(at):  # rows of `on_water` are 2 mm high
                assert not coast.on_water(between(corner, plan.centre(at), 0.05))

    def test_edit_leaves_the_coast_elsewhere(self, tmp_path: FilePath, layout: str) -> None:
        _, one = shores(island(tmp_path, layout, sea="around"))
        _, two = shores(island(tmp_path, layout, sea="around", A1={"colour": "yellow"}))
        changed = {*one.lines[0]} ^ {*two.lines[0]}
        assert 0 < len(changed) < len(one.lines[0]) / 2


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


PLACES = [Coord(x, y) for y in range(10) for x in range(5) if (x + y) % 2 == 0]


def ranges(title: Title, style: Style) -> tuple[Group, ...]:
    """The shading of hexes, round their middles."""
    plan, coast = shores(title)
    beyond, *board = relief.shading_items(plan, coast, {}, style) or (Group(items=()),)
    assert isinstance(beyond, Group)
    groups = []
    for item in (*beyond.items, *board):
        assert isinstance(item, Group)
        (inner,) = item.items
        assert isinstance(inner, Group)
        groups.append(inner)
    return tuple(groups)


@pytest.mark.parametrize("layout", LAYOUTS)
class TestRanges:
    def test_after_edits_they_are_those_of_a_map_drawn_for_the_first_time(
        self, tmp_path: FilePath, layout: str, style: Style
    ) -> None:
        dice = random.Random(layout)
        for _ in range(4):
            name, kind = dice.choice(["A1", "B2", "C1"]), dice.choice(["mountain", "hill", "rough"])
            title = island(tmp_path, layout, **{name: {"terrain": [{"kinds": [kind]}]}})
            kept = ranges(title, style)
            relief._ridges.cache_clear()
            relief._outlines.cache_clear()
            assert kept == ranges(title, style)

    def test_they_fade_within_five_millimetres(
        self, tmp_path: FilePath, layout: str, style: Style
    ) -> None:
        title = island(tmp_path, layout)
        plan = plan_of(title)
        known = plan.gamemap.by_coord
        rim = [at for at in known if relief.relief_kind(plan, known[at]) is not None]
        assert len(rim) == 5
        # Ridges of mountains go on for a hex beyond the board.
        around = (neighbour(at, edge, plan.layout) for at in rim for edge in EDGES)
        high = [*rim, *(at for at in around if at not in known)]
        assert len(high) > 5
        beside = 0
        for group in ranges(title, style):
            x, y = group.matrix[4:]
            for path in group.items:
                assert isinstance(path, Path)
                for name, *numbers in path.commands:
                    if name == "Z":
                        continue
                    point = (numbers[0] + x, numbers[1] + y)
                    out = min(
                        max(
                            (point[0] - cx) * wx + (point[1] - cy) * wy
                            for wx, wy in relief._ways(plan.layout)
                        )
                        for cx, cy in map(plan.centre, high)
                    )
                    # Slopes are those between heights two steps of the grid apart.
                    assert out < ACROSS_MM / 2 + 5.0 + 2 * relief._STEP_MM
                    beside += out > ACROSS_MM / 2
        assert beside

    def test_neighbouring_lands_have_their_own(
        self, tmp_path: FilePath, layout: str, style: Style
    ) -> None:
        near = {"hex": "A1", "edge": 2}
        lands = {"far": {"name": "Far", "near": near, "mountains": [near]}}
        title = island(tmp_path, layout, beyond=lands)
        before = {group.matrix[4:] for group in ranges(island(tmp_path, layout), style)}
        after = {group.matrix[4:] for group in ranges(title, style)}
        plan = plan_of(title)
        at = neighbour(plan.gamemap.by_id["A1"].at, 2, plan.layout)
        assert after - before == {plan.centre(at)}

    def test_high_hexes_that_adjoin_hang_together_without_triangles(self, layout: str) -> None:
        dice = random.Random(layout)
        for _ in range(20):
            high = dict.fromkeys(dice.sample(PLACES, 14), terrain.ranges()["mountain"])
            net = relief._Net(high, Layout(layout))
            around = {
                at: {
                    other
                    for edge in EDGES
                    if (other := neighbour(at, edge, Layout(layout))) in high
                }
                for at in high
            }
            for at in high:
                links = {*net.links(at)}
                assert links <= around[at]
                assert all(at in net.links(other) for other in links)
                assert not any(links & {*net.links(other)} for other in links)
                reached, rest = {at}, [at]
                for one in rest:
                    new = {*net.links(one)} - reached
                    reached |= new
                    rest += new
                assert all(around[one] <= reached for one in reached)

    def test_theme_without_relief_has_none(
        self, tmp_path: FilePath, layout: str, style: Style
    ) -> None:
        flat = replace(style, theme=replace(style.theme, relief=0.0))
        assert not ranges(island(tmp_path, layout), flat)


@pytest.mark.parametrize("theme", ["classic", "colour-blind"])
@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824", "lost-atlas"])
def test_the_ground_round_a_board_is_8_percent_darker(theme, title):
    style = style_of(shipped(title), load_theme(theme), "en")
    land, ground = (
        116 * luminance(style.ink(name)) ** (1 / 3) - 16 for name in ("tile.white", "map.ground")
    )
    assert ground / land == pytest.approx(0.92, abs=0.003)
