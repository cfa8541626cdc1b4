"""Legends of maps: what belongs together stands in one column."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.captions import revenue_table
from platelayer.drawing.kit.layout import Block
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map.panels import Entry, legend, legend_entries
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.text import Text
from platelayer.model.gamemap import Border, MapHex
from platelayer.model.hexes import Coord
from platelayer.model.livery import Picture
from platelayer.model.tile import Icon, RevenueStep, Tile
from platelayer.scene.flatten import bounds_of, flatten_commands, flatten_scene
from platelayer.scene.shapes import Path, Scene
from shipped import shipped

TITLE = shipped("18eu")
PLAN = MapPlan(gamemap=TITLE.maps[0], across_mm=38.6)
STYLE = Style(theme=load_theme("classic"))


def shown(panel: Block) -> Scene:
    return Scene(key="x", width_mm=panel.width, height_mm=panel.height, items=panel.paint(0.0, 0.0))


def column_of(entries: list[Entry], columns: int) -> dict[str, int]:
    """For the words of each entry the column that they stand in."""
    panel = legend(entries, STYLE, columns=columns, text_mm=40.0, across_mm=38.6)
    lefts = {text.run.text: text.bounds[0] for text in flatten_scene(shown(panel))[1]}
    each_mm = panel.width / columns
    return {entry.words: int(lefts[entry.words] // each_mm) for entry in entries}


def entries_of(groups: str) -> list[Entry]:
    """An entry for each digit: its group."""
    return [
        Entry(sign=(), words=f"sign {number}", group=int(group))
        for number, group in enumerate(groups)
    ]


@pytest.mark.parametrize(
    ("groups", "columns", "expected"),
    [
        ("000000", 2, [0, 0, 0, 1, 1, 1]),
        ("001111", 2, [0, 0, 1, 1, 1, 1]),  # evenly, the group would be parted
        ("011110", 2, [0, 0, 0, 0, 0, 1]),  # a group does not begin a column where it has room
        ("001122", 3, [0, 0, 1, 1, 2, 2]),
        ("0001111000", 3, [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]),
        (
            "111111",
            2,
            [0, 0, 0, 1, 1, 1],
        ),  # a group that would leave the other column empty is parted
    ],
)
def test_a_group_stands_in_one_column_unless_that_is_far_higher(
    groups: str, columns: int, expected: list[int]
) -> None:
    assert list(column_of(entries_of(groups), columns).values()) == expected


@pytest.mark.parametrize(
    ("columns", "width_mm"), [(1, 24.0), (1, 42.0), (1, 52.0), (2, 38.0), (4, 42.0)]
)
def test_the_scale_stands_on_the_margin_of_the_text_and_within_it(
    columns: int, width_mm: float
) -> None:
    panel = legend(entries_of("0000"), STYLE, columns=columns, text_mm=width_mm, across_mm=38.6)
    texts = {text.run.text: text.bounds for text in flatten_scene(shown(panel))[1]}
    zero, last = (
        texts["0"],
        next(bounds for words, bounds in texts.items() if words.endswith("0 mm")),
    )
    assert zero[0] == pytest.approx(6.5, abs=0.3)
    assert last[2] <= panel.width - 6.5 + 0.1
    assert all(left >= 6.4 and right <= panel.width - 6.4 for left, _, right, _ in texts.values())


def test_columns_end_on_one_line_where_that_leaves_no_holes() -> None:
    high, low = (
        [Entry((), f"tall {n}", 9.0) for n in range(3)],
        [Entry((), f"flat {n}", 6.5) for n in range(4)],
    )
    panel = legend([*high, *low], STYLE, columns=2, text_mm=40.0, across_mm=38.6)
    places = {text.run.text: text.bounds for text in flatten_scene(shown(panel))[1]}
    assert places["tall 0"][0] != places["flat 0"][0]
    # The middles of the last rows are half their heights above one line.
    assert places["tall 2"][3] + 9.0 / 2 == pytest.approx(places["flat 3"][3] + 6.5 / 2, abs=0.1)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("size_pt", [7.0, 8.5, 13.0])
def test_tables_of_values_have_no_holes(count: int, size_pt: float) -> None:
    keys = ("yellow", "green", "brown", "gray", "5", "D")
    steps = tuple(RevenueStep(50 * number, key) for number, key in enumerate(keys))
    for most in (8.0, 14.0, 20.0, 200.0):
        items, width, height = revenue_table(
            steps[:count], STYLE, max_width_mm=most, size_pt=size_pt
        )
        filled = [item for item in items if isinstance(item, Path) and item.fill]
        boxes = [bounds_of(flatten_commands(item.commands)[0][0]) for item in filled]
        assert len(boxes) == count
        areas = ((right - left) * (bottom - top) for left, top, right, bottom in boxes)
        assert math.fsum(areas) == pytest.approx(width * height)


def test_pictures_without_a_name_are_not_named_after_their_file() -> None:
    nameless = Picture(id="yellow-hex", width=1.0, height=1.0, layers=())
    named = Picture(id="sfva-2", width=1.0, height=1.0, layers=(), name=Text.plain("Mail contract"))
    tile = Tile(
        id="A1",
        colour="white",
        icons=(Icon(name="yellow-hex"), Icon(name="sfva-2"), Icon(name="port")),
    )
    gamemap = replace(
        PLAN.gamemap, hexes=(MapHex(at=Coord(0, 0), tile=tile),), rivers=(), seas=(), regions=()
    )
    style = replace(STYLE, pictures={picture.id: picture for picture in (nameless, named)})
    words = [entry.words for entry in legend_entries(TITLE, replace(PLAN, gamemap=gamemap), style)]
    assert "Mail contract" in words
    assert "Port" in words
    assert not [entry for entry in words if "hex" in entry.lower() or "sfva" in entry.lower()]


def test_colours_of_borders_without_names_share_a_line() -> None:
    colours = (("#d81e3e", None), ("#00a651", None), ("#004f8a", Text.plain("Customs border")))
    borders = tuple(
        Border(edge=edge, kind="province", colour=colour, name=name)
        for edge, (colour, name) in enumerate(colours)
    )
    bordered = MapHex(at=Coord(0, 0), tile=Tile(id="A1", colour="white"), borders=borders)
    gamemap = replace(PLAN.gamemap, hexes=(bordered,), rivers=(), seas=(), regions=())
    plan = replace(PLAN, gamemap=gamemap)
    signs = {entry.words: entry.sign for entry in legend_entries(TITLE, plan, STYLE)}
    words = [words for words in signs if "border" in words]
    assert words == ["State or province border", "Customs border"]
    one, two = (len({item.stroke.ink for item in signs[each] if item.stroke}) for each in words)  # type: ignore[union-attr]
    assert one == two + 1  # a colour more, beside the casing


def test_signs_are_no_higher_than_their_places() -> None:
    for name in ("1841", "18eu", "1824"):
        title = shipped(name)
        plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
        for entry in legend_entries(title, plan, style_of(title, STYLE.theme, "en")):
            scene = Scene(key="sign", width_mm=1, height_mm=1, items=entry.sign)
            ends = [shape.exact_bounds for shape in flatten_scene(scene)[0]]
            tall = max((bottom for *_, bottom in ends), default=0) - min(
                (top for _, top, *_ in ends), default=0
            )
            assert tall <= entry.height_mm + 1.4, entry.words
