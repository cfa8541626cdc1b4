"""Names of lands and rivers on maps: on arcs and smoothed lines, off what must be read, at the
least cost together."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, product
from unittest.mock import patch

import pytest

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map import names
from platelayer.drawing.map.names import (
    Label,
    Letter,
    Spot,
    Taken,
    choose,
    choose_in_turn,
    hits,
    total_cost,
)
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import network, stretches
from platelayer.drawing.map.room import Grid, frame_of, grown
from platelayer.foundation.text import Text
from platelayer.model.gamemap import River, Waypoint
from platelayer.model.hexes import Coord, Layout
from platelayer.scene.legibility import check_legibility
from platelayer.scene.typeset import TypeStyle
from shipped import shipped

TYPE = TypeStyle(faces=("Barlow-Regular",), size_pt=8)
MAPS = [
    ("18eu", "en"),
    ("18eu", "ja"),
    ("1841", "en"),
    ("1841", "ja"),
    ("18cz", "ja"),
    ("1824", "en"),
]


@cache
def placed(title_id: str, language: str) -> tuple[Taken, list[Label], list[Spot]]:
    """What is taken of the first map of a title, its names, and where they stand."""
    title = shipped(title_id)
    assert title is not None
    seen: list[tuple[Taken, list[Label]]] = []
    labels_of = names.map_labels

    def noted(plan: MapPlan, taken: Taken, *rest: object) -> list[Label]:
        seen.append((taken, labels_of(plan, taken, *rest)))  # type: ignore[arg-type]
        return seen[-1][1]

    with patch.object(names, "map_labels", noted):
        scene = draw_map(
            title, title.maps[0].id, Style(theme=load_theme("classic"), language=language)
        )
    assert not [problem for problem in check_legibility(scene) if problem.code == "LG17"]
    ((taken, labels),) = seen
    return taken, labels, list(choose(labels).spots)


@pytest.mark.parametrize(("title_id", "language"), often(MAPS, *MAPS[1::2], MAPS[4]))
def test_names_keep_off_stops_values_rivers_and_borders(title_id: str, language: str) -> None:
    taken, labels, spots = placed(title_id, language)
    for label, spot in zip(labels, spots, strict=True):
        assert [letter.char for letter in hits(spot, taken)] == [], label.name
        assert spot.letters, f"{label.name} is left out"
    assert total_cost(spots) <= choose_in_turn(labels).cost
    lands = [label.name for label in labels if label.kind == "land"]
    assert len(lands) == {"18eu": 7, "1841": 4, "18cz": 3, "1824": 8}[title_id]


@pytest.mark.parametrize(("title_id", "language"), often(MAPS, *MAPS[1::2], MAPS[4]))
def test_letters_follow_a_smooth_line(title_id: str, language: str) -> None:
    """No letter leans from the next one by more than 12 degrees, and the leans change evenly: no
    name jitters."""
    _, labels, spots = placed(title_id, language)
    for label, spot in zip(labels, spots, strict=True):
        turns = [(b.angle - a.angle + 180) % 360 - 180 for a, b in pairwise(spot.letters)]
        if label.kind == "river" and not any(letter.angle == 0.0 for letter in spot.letters):
            assert max(map(abs, turns), default=0.0) < 12, label.name
            assert all(abs(a - b) < 5 for a, b in pairwise(turns)), label.name


def test_japanese_names_of_upright_rivers_run_downwards() -> None:
    _, labels, spots = placed("18eu", "ja")
    (weser,) = (
        spot
        for label, spot in zip(labels, spots, strict=True)
        if label.name.startswith("ヴェーザー川")
    )
    assert [letter.char for letter in weser.letters] == list("ヴェーザー川")
    assert all(a.y < b.y for a, b in pairwise(weser.letters))
    for letter in weser.letters:
        assert (letter.angle == 0.0) == (letter.char != "ー"), (
            "only the sign for a long vowel lies along the line"
        )


def _label(name: str, *places: tuple[float, float, float]) -> Label:
    spots = []
    for cost, x, y in sorted(places):
        letter = Letter(name, x, y, 0.0, 2.0, 2.0)
        spots.append(names._spot(cost, (letter,), TYPE))
    return Label("land", name, (*spots, Spot(7.0, (), TYPE)))


def test_choice_costs_least() -> None:
    """As little as the cheapest of all combinations, where taking places in turn costs more."""
    labels = [
        _label("a", (0.0, 0, 0), (0.5, 20, 0)),
        _label("b", (0.2, 0.5, 0), (6.0, 40, 0)),
        _label("c", (0.1, 21, 0), (0.3, 60, 0)),
        _label("d", (0.1, 100, 0)),
    ]
    least = min(total_cost(spots) for spots in product(*(label.spots for label in labels)))
    choice = choose(labels)
    assert choice.proved
    assert choice.cost == pytest.approx(least)
    assert choice.cost == pytest.approx(1.1)
    assert choose_in_turn(labels).cost > choice.cost + 1


def test_grown_grid_takes_what_is_near() -> None:
    grid = Grid(frame_of((0, 0, 40, 30)))
    grid.take_disc((20.5, 15.5, 1.2))
    grid.take_line((5.5, 5.5), (9.5, 5.5), 0.4)
    rows = grid.rows()
    assert [column for column in range(40) if rows[5] >> column & 1] == [5, 6, 7, 8, 9]
    for reach in (1, 3, 5):
        wide = grown(rows, 40, reach)
        for row, column in product(range(reach + 1, 30 - reach), range(reach + 1, 40 - reach)):
            near = min(
                math.hypot(row - y, column - x)
                for y, x in product(range(30), range(40))
                if rows[y] >> x & 1
            )
            if abs(near - reach) > 1.0:
                assert bool(wide[row] >> column & 1) == (near < reach), (reach, row, column)


def _river(name: str, *course: Waypoint) -> River:
    return River(id=name, course=course, name=Text.plain(name))


def test_width_follows_what_lies_upstream() -> None:
    column = [Waypoint(Coord(4, y)) for y in range(0, 17, 2)]
    main, lone = _river("main", *column), _river("lone", *column)
    arm = _river("arm", Waypoint(Coord(2, 8)), Waypoint(Coord(3, 9)), column[5])
    with_arm, _ = network((main, arm), Layout.FLAT, 40.0)
    (alone,) = network((lone,), Layout.FLAT, 40.0)
    assert with_arm.points == alone.points
    upper, lower = len(alone.points) // 3, len(alone.points) - 1
    assert with_arm.halves[upper] == alone.halves[upper]
    assert with_arm.halves[lower] > alone.halves[lower] * 1.1
    assert alone.halves[0] < alone.halves[lower] / 4, "a source is tapered"


def test_tributary_ends_on_the_other_river() -> None:
    title = shipped("18eu")
    assert title is not None
    plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
    line_of = dict(zip((river.id for river in plan.gamemap.rivers), stretches(plan), strict=True))
    for arm, main in (("inn", "danube"), ("vltava", "elbe")):
        assert (
            min(math.dist(line_of[arm].points[-1], point) for point in line_of[main].points) < 1e-6
        )


def test_river_along_edges_stays_off_them() -> None:
    """All of it on one side, far enough that the line between the hexes is seen."""
    at = Coord(4, 4)
    around = _river("round", *(Waypoint(at, corner + 0.5) for corner in (0, 1, 2, 3)))
    (line,) = network((around,), Layout.FLAT, 40.0)
    plan_centre = (4 * 40 * math.sqrt(3) / 2, 4 * 20.0)
    inner = [math.dist(point, plan_centre) for point in line.points]
    edges = [
        abs(
            (x - plan_centre[0]) * math.sin(math.radians(60 * k))
            - (y - plan_centre[1]) * math.cos(math.radians(60 * k))
        )
        for x, y in line.points
        for k in range(3)
    ]
    assert max(inner) < 40 / math.sqrt(3) - 1
    assert max(edges) < 20 - 1.5
