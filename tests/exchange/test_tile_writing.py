"""Tile strings that are written and read again: track, stops, revenues, labels, costs and borders
stay."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from platelayer.definitions.build import build_tile
from platelayer.definitions.titles import load_title
from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.tile_strings import (
    hex_string,
    read_tile,
    same_tile,
    tile_definition,
    tile_string,
    turns,
)
from platelayer.model.gamemap import Border, Coord, MapHex
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.tile import (
    CENTRE,
    JUNCTION,
    Gauge,
    Icon,
    Label,
    Lane,
    RevenueStep,
    Segment,
    Stop,
    StopKind,
    Terminal,
    Terrain,
    Tile,
    edge_end,
    stop_end,
)
from shipped import shipped

TITLES = ("1824", "1841", "18cz", "18eu", "lost-atlas")
KEYS = frozenset(("white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "black"))


def plain(tile: Tile) -> Tile:
    """A tile as the language has it: it tells no stop without revenue from one of 0, and no line
    that it has not."""
    return replace(
        tile,
        stops=tuple(
            replace(
                stop, revenue=() if all(step.value == 0 for step in stop.revenue) else stop.revenue
            )
            for stop in tile.stops
        ),
        terrain=tuple(replace(each, kinds=tuple(sorted(each.kinds))) for each in tile.terrain),
    )


def read_again(tile: Tile, string: str, *, on_map: bool) -> tuple[Tile, dict[str, Any]]:
    losses = Losses()
    parts, refused = read_tile(string)
    assert not refused
    found = tile_definition(parts, Comments(losses, tile.id), keys=KEYS, on_map=on_map)
    more = {key: found.pop(key) for key in ("borders", "stubs") if key in found}
    return build_tile(tile.id, {"colour": tile.colour, **found}), more


@pytest.mark.parametrize("name", TITLES)
def test_every_tile_and_hex_is_the_same_when_it_is_read_again(name: str) -> None:
    title = load_title(name).title
    tiles = [entry.tile for entry in title.tiles] + (
        [*printed_hexes(title.atlas)] if title.atlas else []
    )
    assert tiles
    for tile in tiles:
        again, _ = read_again(tile, tile_string(tile, Comments(Losses(), "")), on_map=False)
        assert same_tile(plain(tile), plain(again)), tile.id
    for gamemap in title.maps:
        for hexagon in gamemap.hexes:
            again, more = read_again(
                hexagon.tile, hex_string(hexagon, Comments(Losses(), "")), on_map=True
            )
            assert same_tile(plain(hexagon.tile), plain(again)), hexagon.id
            assert tuple(more.get("stubs", ())) == hexagon.stubs
            borders = {
                (each["edge"], each["kind"], each.get("cost", 0))
                for each in more.get("borders", ())
            }
            assert borders == {(each.edge, each.kind, each.cost) for each in hexagon.borders}, (
                hexagon.id
            )


def test_what_the_language_has_words_for() -> None:
    tile = Tile(
        id="X",
        colour="green",
        stops=(
            Stop(
                kind=StopKind.CITY,
                revenue=(RevenueStep(40, None),),
                slots=2,
                at=CENTRE,
                groups=("OO",),
                boom=True,
            ),
            Stop(
                kind=StopKind.OFFBOARD,
                revenue=(RevenueStep(30, "yellow"), RevenueStep(60, "brown")),
                hidden=True,
            ),
            Stop(kind=StopKind.HALT, symbol="K"),
        ),
        track=(
            Segment(a=edge_end(0), b=stop_end(0), gauge=Gauge.NARROW),
            Segment(a=edge_end(1), b=JUNCTION),
            Segment(
                a=edge_end(2), b=stop_end(1), terminal=Terminal.LONG, lanes=(Lane(2, 1), Lane(2, 0))
            ),
        ),
        labels=(Label(text="Y"), Label(text="B", since="brown")),
        icons=(Icon(name="port"),),
        terrain=(Terrain(kinds=("marsh", "river"), cost=40),),
        frame="#ff0000",
        stripes="brown",
    )
    assert tile_string(tile, Comments(Losses(), "")) == (
        "city=revenue:40,slots:2,groups:OO,boom:1,loc:center;offboard=revenue:yellow_30|brown_60,hide:1;halt=revenue:0,symbol:K;junction;"
        "path=a:0,b:_0,track:narrow;path=a:1,b:_3;path=a:2,b:_1,terminal:1,a_lane:2.1,b_lane:2.0;"
        "label=Y;future_label=label:B,color:brown;upgrade=cost:40,terrain:swamp|river;icon=image:port;"
        "frame=color:#ff0000;stripes=color:brown"
    )


def test_what_it_has_no_words_for_is_counted() -> None:
    losses = Losses()
    hexagon = MapHex(
        at=Coord(0, 0),
        tile=Tile(id="A1", colour="white", icons=(Icon(name="star", text="K"),)),
        borders=(Border(edge=0, kind="impassable", since="3"),),
        zone="Savoy",
    )
    assert (
        hex_string(hexagon, Comments(losses, "A1"))
        == "icon=image:star;border=edge:0,type:impassable"
    )
    assert set(losses.lost) == {"words of an icon", "phases of a border", "zone of a hex"}


def test_other_names_for_keys_of_revenues() -> None:
    stop = Stop(kind=StopKind.OFFBOARD, revenue=(RevenueStep(20, "white"), RevenueStep(70, "gray")))
    tile = Tile(id="A1", colour="red", stops=(stop,))
    keys = {"white": "yellow", "gray": "green"}
    assert tile_string(tile, Comments(Losses(), ""), keys) == "offboard=revenue:yellow_20|green_70"


@pytest.mark.parametrize(("number", "ways"), [("9", 3), ("57", 3), ("8", 6), ("81", 2), ("513", 1)])
def test_in_how_many_ways_a_tile_lies(number: str, ways: int) -> None:
    assert turns(shipped("18eu").tile_by_id[number].tile) == ways
