"""The poster of a map: what it must show, by the facts of 18EU and by small maps made for one
purpose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges, border_line, border_manners
from platelayer.drawing.map.map_tile import draw_overlay
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.pieces import draw_back
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind, Home
from platelayer.model.gamemap import Border, Coord, CoordinateScheme, GameMap, Layout, MapHex
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import RevenueStep, Stop, StopKind, Terrain, Tile
from platelayer.model.title import HexOverlay, Title
from platelayer.scene.flatten import FlatShape, FlatText, flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Path, Scene
from shipped import shipped


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


@pytest.fixture(scope="module")
def europe() -> Title:
    return replace(shipped("18eu"), currency="{}")


@pytest.fixture(scope="module")
def poster(europe: Title, style: Style) -> Scene:
    return draw_map(europe, "main", style)


@pytest.fixture(scope="module")
def flat(poster: Scene) -> tuple[tuple[FlatShape, ...], tuple[FlatText, ...]]:
    return flatten_scene(poster)


def _cells(layout: Layout, columns: int, rows: int) -> Iterator[Coord]:
    for a in range(columns):
        for b in range(rows):
            yield Coord(a, 2 * b + a % 2) if layout is Layout.FLAT else Coord(2 * a + b % 2, b)


def small_title(
    europe: Title,
    layout: Layout,
    hexes: dict[str, MapHex] | None = None,
    companies: tuple[Company, ...] = (),
) -> Title:
    """A map of 5 x 4 blank hexes with some of them replaced."""
    letters_on = "x" if layout is Layout.FLAT else "y"
    scheme = CoordinateScheme(letters_on=letters_on)
    blank = {
        scheme.name(at): MapHex(at=at, tile=Tile(id=scheme.name(at), colour="white"))
        for at in _cells(layout, 5, 4)
    }
    given = {
        name: replace(given, at=blank[name].at, tile=replace(given.tile, id=name))
        for name, given in (hexes or {}).items()
    }
    gamemap = GameMap(
        id="main",
        name=Text.plain("Nowhere"),
        layout=layout,
        scheme=scheme,
        hexes=tuple({**blank, **given}.values()),
    )
    return replace(europe, maps=(gamemap,), companies=companies, bonuses=())


@pytest.mark.parametrize("layout", list(Layout))
def test_a_map_of_everything_can_be_read(europe: Title, style: Style, layout: Layout) -> None:
    at = Coord(0, 0)
    steps = (
        RevenueStep(20, "yellow"),
        RevenueStep(30, "green"),
        RevenueStep(50, "brown"),
        RevenueStep(70, "gray"),
    )
    names = (
        ("A1", "C3", "B4", "D2", "C5", "E5")
        if layout is Layout.FLAT
        else ("A1", "C3", "B4", "D2", "C5", "A5")
    )
    hexes = dict(
        zip(
            names,
            (
                MapHex(
                    at=at,
                    tile=Tile(
                        id="",
                        colour="red",
                        name=Text.plain("Elsewhere"),
                        stops=(Stop(kind=StopKind.OFFBOARD, revenue=steps),),
                    ),
                ),
                MapHex(
                    at=at,
                    tile=Tile(id="", colour="white", stops=(Stop(kind=StopKind.CITY, slots=1),)),
                    reserved=("X",),
                ),
                MapHex(at=at, tile=Tile(id="", colour="white"), zone="North", reserved=("X",)),
                MapHex(at=at, tile=Tile(id="", colour="blue", terrain=(Terrain(kinds=("sea",)),))),
                MapHex(
                    at=at,
                    tile=Tile(
                        id="", colour="white", terrain=(Terrain(kinds=("swamp", "hill"), cost=40),)
                    ),
                    zone="South",
                ),
                MapHex(
                    at=at,
                    tile=Tile(id="", colour="white"),
                    zone="South",
                    stubs=(1, 3),
                    borders=(
                        Border(edge=2, kind="province", since="3", until="5"),
                        Border(edge=2, kind="river", cost=20),
                    ),
                ),
            ),
            strict=True,
        )
    )
    company = Company(
        id="X",
        name=Text.plain("Crosstown"),
        kind=CompanyKind.MAJOR,
        token_text="XT",
        colour="#204080",
        second="#ffffff",
        text_colour="#ffffff",
        homes=(Home("C3", 0),),
    )
    scene = draw_map(small_title(europe, layout, hexes, (company,)), "main", style)
    assert [str(problem) for problem in check_legibility(scene)] == []
    found = {text.run.text for text in flatten_scene(scene)[1]}
    assert {"ELSEWHERE", "70", "3–4", "20", "XT", "North", "South", "Swamp / Hill: 40"} <= found


def test_the_legend_shows_only_zones_that_are_tinted(europe: Title, style: Style) -> None:
    hexes = {
        "C3": MapHex(at=Coord(0, 0), tile=Tile(id="", colour="white"), zone="North"),
        "C5": MapHex(at=Coord(0, 0), tile=Tile(id="", colour="yellow"), zone="South"),
        "C7": MapHex(
            at=Coord(0, 0),
            tile=Tile(id="", colour="white", terrain=(Terrain(kinds=("hill",)),)),
            zone="East",
        ),
    }
    scene = draw_map(small_title(europe, Layout.FLAT, hexes), "main", style)
    found = {text.run.text for text in flatten_scene(scene)[1]}
    assert {"North", "East"} <= found, "a sign tells the hills, the ground the land"
    assert "South" not in found


def test_borders_of_some_phases_differ_by_line_and_the_legend_shows_them(
    europe: Title, style: Style
) -> None:
    """Phases of 18EU are 2, 3, 4, 5, 6 and 8."""
    terms = ((None, None), (None, "4"), ("3", "6"), ("5", None), (None, "3"))
    borders = tuple(
        Border(edge=edge, kind="province", since=a, until=b) for edge, (a, b) in enumerate(terms)
    )
    bordered = MapHex(at=Coord(0, 0), tile=Tile(id="", colour="white"), borders=borders)
    title = small_title(europe, Layout.FLAT, {"C3": bordered})
    scene = draw_map(title, "main", style)
    assert [str(problem) for problem in check_legibility(scene)] == []
    words = " ".join(text.run.text for text in flatten_scene(scene)[1])
    plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
    manners = border_manners(plan, title.phases)
    assert manners == {
        ("province", ""): -1,
        ("province", "2"): 0,
        ("province", "2–3"): 1,
        ("province", "3–5"): 2,
        ("province", "5+"): 3,
    }
    for _, term in manners:
        assert not term or f"phase {term}" in words
    lines = [border_line("province", (), style, manner=manner)[-1] for manner in manners.values()]
    strokes = [line.stroke for line in lines if isinstance(line, Path)]
    assert (
        len({stroke.dash for stroke in strokes if stroke})
        == len({stroke.ink for stroke in strokes if stroke})
        == 5
    )


@pytest.mark.parametrize("declared", [False, True])
def test_zones_have_frontiers_of_their_own_only_where_a_map_declares_none(
    declared: bool, europe: Title
) -> None:
    """A map with province borders has all of them: between two provinces of one country there is
    none."""
    white = Tile(id="", colour="white")
    borders = (Border(edge=0, kind="province", until="4"),) if declared else ()
    hexes = {
        "C3": MapHex(at=Coord(0, 0), tile=white, zone="North", borders=borders),
        "C5": MapHex(at=Coord(0, 0), tile=white, zone="South"),
        "C7": MapHex(at=Coord(0, 0), tile=white, zone="East"),
    }
    title = small_title(europe, Layout.FLAT, hexes)
    plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
    assert len(border_edges(plan)) == (1 if declared else 2)


def test_japanese_words_need_a_face_but_the_map_is_drawn_in_english_without(
    europe: Title, style: Style
) -> None:
    scene = draw_map(small_title(europe, Layout.FLAT), "main", style)
    assert "Hex 38.6 mm flat to flat" in {text.run.text for text in flatten_scene(scene)[1]}


def test_an_overlay_prints_its_hex_without_borders(europe: Title, style: Style) -> None:
    overlay = HexOverlay(id="vienna", name=Text.plain("Vienna"), hex="N11")
    title = replace(europe, pieces=replace(europe.pieces, overlays=(overlay,)))
    scene = draw_overlay(title, "vienna", style)
    assert [str(problem) for problem in check_legibility(scene)] == []
    assert {"Vienna", "B-V", "30", "6", "11"} <= {text.run.text for text in flatten_scene(scene)[1]}
    (piece,) = (piece for piece in build_manifest(title).pieces if piece.kind == "overlay")
    back = draw_back(title, piece, style)
    assert back is not None
    assert "Vienna" in {text.run.text for text in flatten_scene(back)[1]}
    with pytest.raises(KeyError):
        draw_overlay(title, "nowhere", style)


def test_unknown_map(europe: Title, style: Style) -> None:
    with pytest.raises(KeyError):
        draw_map(europe, "moon", style)
