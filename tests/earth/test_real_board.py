"""Boards of real places."""

import json
import math
from itertools import pairwise

import pytest

from platelayer.api import check
from platelayer.earth.board import real_board
from platelayer.earth.survey import Grid
from platelayer.foundation.geometry import contours
from platelayer.foundation.problems import CannotRun, Severity
from platelayer.model.gamemap import Coord, CoordinateScheme, Layout, hex_at
from platelayer.pipeline.scaffold import NewTitle, new_title


def names_of(board):
    """Names of stops on a map, by hex."""
    return {
        key: [hexagon["name"]] if "name" in hexagon else [stop["name"] for stop in hexagon["stops"]]
        for key, hexagon in board["hexes"].items()
        if hexagon
    }


def test_a_place_on_the_map_is_where_it_is_on_the_earth():
    grid = Grid(134.0, 33.6, 9, 7, 20.0, Layout.POINTY, 35.0)
    (point,) = grid.flat([(133.0, 34.2)])
    assert grid.place(point) == pytest.approx((133.0, 34.2))
    # Equal areas: a degree each way at 60 degrees north has half the area of one at the equator.
    north, equator = (Grid(0.0, lat, 5, 5, 1.0, Layout.FLAT) for lat in (60.0, 0.0))
    areas = []
    for grid in (north, equator):
        corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)]
        line = grid.flat((lon, grid.lat + lat) for lon, lat in corners)
        areas.append(abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(line))))
    assert areas[0] / areas[1] == pytest.approx(0.5, rel=0.002)


def test_rivers_of_a_region_meet():
    """The Main flows into the Rhine, and both leave the board."""
    rivers = real_board("Frankfurt am Main", 9, 12, 20.0, Layout.POINTY).board["rivers"]
    courses = [[json.dumps(spot) for spot in river["course"]] for river in rivers.values()]
    main, rhine = courses[:2]
    assert min(len(main), len(rhine)) > 15
    assert main[-1] in rhine[1:-1]


def test_the_middle_of_each_hex_lies_in_it():
    for layout in Layout:
        grid = Grid(0.0, 0.0, 6, 5, 20.0, layout)
        xs, ys = zip(*(grid.centre(at) for at in grid.hexes), strict=True)
        assert min(xs) == pytest.approx(-max(xs))
        assert min(ys) == pytest.approx(-max(ys))


def test_contours_are_rings_and_lines_from_edge_to_edge():
    raster = [
        [1.0, 1.0, 1.0, 1.0, 0.0],
        [1.0, 0.0, 1.0, 1.0, 0.0],
        [1.0, 1.0, 1.0, 1.0, 0.0],
    ]
    edge, ring = contours(raster, 0.5)
    assert edge == [(3.5, 0.0), (3.5, 1.0), (3.5, 2.0)] or edge[::-1] == [
        (3.5, 0.0),
        (3.5, 1.0),
        (3.5, 2.0),
    ]
    assert ring[0] == ring[-1]
    assert set(ring) == {(1.0, 0.5), (1.5, 1.0), (1.0, 1.5), (0.5, 1.0)}


def test_seattle_has_its_sound_cities_states_and_neighbours():
    made = real_board("Seattle", 6, 8, 40.0, Layout.FLAT)
    names = names_of(made.board)
    known = [name for group in names.values() for name in group]
    assert {"Seattle", "Tacoma", "Olympia", "Everett", "Portland"} <= set(known)
    assert len(known) == len(set(known))
    assert made.board["hexes"][made.cities[0]]["name"] == "Seattle"
    red = {n for key, (n, *_) in names.items() if made.board["hexes"][key].get("colour") == "red"}
    assert red
    assert "Seattle" not in red
    assert made.board["seas"]["water"]["coasts"]
    lands = {str(land["name"]) for land in made.board["regions"].values()}
    assert "Washington" in lands
    assert "Natural Earth" in made.note
    assert "GeoNames (CC BY 4.0)" in made.note
    # The sound reaches far into the hexes of its cities, and none of it below their signs.
    grid = Grid(-122.332, 47.606, 8, 6, 40.0, Layout.FLAT)
    scheme = CoordinateScheme(letters_on="x")
    deep = 0
    for (start,) in made.board["seas"]["water"]["coasts"]:
        x, y = grid.centre(
            Coord(*map(sum, zip(scheme.parse(start["hex"]), made.corner, strict=True)))
        )
        for point in ((x + right / 100, y + down / 100) for right, down in start["points"]):
            dx, dy = grid.shift
            at = hex_at((point[0] + dx, point[1] + dy), Layout.FLAT, 1.0)
            hexagon = made.board["hexes"].get(
                scheme.name(Coord(at.x - made.corner.x, at.y - made.corner.y)), {}
            )
            way = math.dist(point, grid.centre(at))
            deep += bool(hexagon) and hexagon.get("colour") != "red" and way < 0.35
            if hexagon.get("stops", [{}])[0].get("kind") == "city":
                assert way > 0.15
    assert deep > 40
    # The largest city stands out.
    assert made.board["hexes"][made.cities[0]]["stops"] == [
        {"kind": "city", "slots": 2, "revenue": 20}
    ]
    again = real_board("Seattle", 6, 8, 40.0, Layout.FLAT)
    assert json.dumps(again.board) == json.dumps(made.board)


def test_a_map_crosses_the_date_line():
    made = real_board("17.5S 179.3E", 8, 9, 40.0, Layout.FLAT)
    names = [name for group in names_of(made.board).values() for name in group]
    assert "Suva" in names


def test_the_open_ocean_is_refused_with_the_nearest_city():
    with pytest.raises(
        CannotRun, match=r"no land within 8 x 6 hexes of 25 km around 30N 40W; the nearest city is"
    ):
        real_board("30N 40W", 6, 8, 25.0, Layout.FLAT)


@pytest.mark.parametrize("km", [0.0, -3.0, 4.9, 251.0, float("nan")])
def test_hexes_of_unfit_width_are_refused(km):
    with pytest.raises(CannotRun, match="hexes may be 5 to 250 km wide"):
        real_board("Seattle", 6, 8, km, Layout.FLAT)


def test_a_new_title_of_a_place_has_no_problems(tmp_path):
    new = NewTitle(land="51.8N 4.9E", rows=5, columns=7, km=25.0, companies=3, tiles="1830")
    new_title(tmp_path / "delta", new=new)
    found = check(str(tmp_path / "delta"))
    assert [problem for problem in found if problem.severity is Severity.ERROR] == []
    title = json.loads((tmp_path / "delta/title.json").read_text())
    assert "Map data: Natural Earth; GeoNames, CC BY 4.0" in title["credits"]
    assert [entry["subject"] for entry in title["provenance"]] == ["/maps/main", "tiles"]
    companies = json.loads((tmp_path / "delta/companies.json").read_text())["companies"]
    board = json.loads((tmp_path / "delta/map.json").read_text())["map"]
    homes = [board["hexes"][company["homes"][0]["hex"]] for company in companies.values()]
    assert all(home["stops"][0]["kind"] == "city" for home in homes)


def test_nothing_is_written_where_a_place_is_unknown_or_has_too_few_cities(tmp_path):
    for new in (
        NewTitle(land="Nowhereville"),
        NewTitle(land="23N 5E", rows=3, columns=3, km=20.0, companies=8),
        NewTitle(km=20.0),
        NewTitle(turn=20.0),
    ):
        with pytest.raises(CannotRun):
            new_title(tmp_path / "none", new=new)
        assert not (tmp_path / "none").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "size", "km", "layout"),
    [
        ("48.5N 9E", (30, 20), 45, "pointy"),
        ("Shikokuchūō", (12, 9), 22, "pointy"),
        ("20.8N 156.8W", (14, 9), 45, "flat"),
        ("41.5S 173E", (10, 16), 90, "flat"),
        ("23N 5E", (12, 9), 60, "flat"),
        ("78N 16E", (12, 9), 40, "flat"),
        ("Singapore", (12, 9), 8, "flat"),
    ],
)
def test_places_all_over_the_earth_have_no_problems(tmp_path, place, size, km, layout):
    columns, rows = size
    new = NewTitle(land=place, rows=rows, columns=columns, km=float(km), layout=layout)
    new_title(tmp_path / "there", new=new)
    found = check(str(tmp_path / "there"))
    # Warnings are of islands that are cut off, and of maps for large paper.
    assert [problem for problem in found if problem.severity is Severity.ERROR] == []


@pytest.mark.slow
@pytest.mark.parametrize("box", ["small", "1830", "1846", "1889", "18EU"])
@pytest.mark.parametrize("place", ["51.8N 4.9E", "Matsuyama", "Denver"])
def test_every_box_of_tiles_fits_a_place(tmp_path, box, place):
    new_title(tmp_path / "there", new=NewTitle(land=place, tiles=box, companies=4))
    found = check(str(tmp_path / "there"))
    assert [problem for problem in found if problem.severity is Severity.ERROR] == []
