"""Legends of maps: what belongs together stands in one column."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.captions import revenue_table
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.panels import legend_entries
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.text import Text
from platelayer.model.company import Picture
from platelayer.model.gamemap import Border, Coord, MapHex
from platelayer.model.tile import Icon, RevenueStep, Tile
from platelayer.scene.flatten import bounds_of, flatten_commands
from platelayer.scene.shapes import Path
from shipped import shipped

TITLE = shipped("18eu")
PLAN = MapPlan(gamemap=TITLE.maps[0], across_mm=38.6)
STYLE = Style(theme=load_theme("classic"))


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
