"""Words of 18xx-maker, each with what it becomes, and drawn as what it stands for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exchange.corpus import block
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.style import Style
from platelayer.exchange.importers import import_title
from platelayer.model.gamemap import Layout
from platelayer.model.tile import Tile

STYLE = Style(theme=load_theme("classic"))

_INFO = {"title": "18Dale", "orientation": "horizontal"}
_COMPANY = {"name": "Aa", "abbrev": "A", "color": "red"}


def _imported(tmp_path: Path, **game: Any) -> Path:
    source = tmp_path / "games" / "18Dale.json"
    source.parent.mkdir(parents=True, exist_ok=True)
    whole = {"info": _INFO, "companies": [_COMPANY], "map": {"hexes": [{"hexes": ["B2"]}]}} | game
    source.write_text(json.dumps(whole), encoding="utf-8")
    import_title(source, tmp_path / "out")
    return tmp_path / "out"


# A word in place of others: parts of a tile, and the same in today's words of 18xx-maker.
_CITY = {"cities": [{}]}
_CENTRAL = {"centerTowns": [{}]}
_ALIKE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    **{
        f"{kind}{place}": (
            {"track": [{"side": 2, "type": f"{kind}{place}"}]},
            {"track": [{"side": 2, "type": kind}]},
        )
        for kind, places in (
            ("straight", ("Left", "Right")),
            ("gentle", ("Inner", "Outer")),
            ("sharp", ("Inner", "Outer")),
        )
        for place in places
    },
    "begin and stop": (
        {"track": [{"side": 1, "type": "straight", "begin": 0.5, "stop": 1}], **_CITY},
        {"track": [{"side": 1, "type": "straight", "start": 0.5, "end": 1}], **_CITY},
    ),
    "straightGentleHalf": (
        {"track": [{"side": 1, "type": "straightGentleHalf"}], **_CITY},
        {"track": [{"side": 1, "type": "straight", "end": 0.3667}], **_CITY},
    ),
    "gentleHalf": (
        {"track": [{"side": 1, "type": "gentleHalf"}], **_CENTRAL},
        {"track": [{"side": 1, "type": "gentle", "end": 0.5}], **_CENTRAL},
    ),
    "gentleHalfRev": (
        {"track": [{"side": 1, "type": "gentleHalfRev"}], **_CENTRAL},
        {"track": [{"side": 5, "type": "gentle", "start": 0.5}], **_CENTRAL},
    ),
    "gentleStop": (
        {"track": [{"side": 1, "type": "gentleStop"}], "towns": [{"angle": 66, "percent": 0.55}]},
        {
            "track": [{"side": 1, "type": "gentle", "end": 0.75}],
            "towns": [{"angle": 66, "percent": 0.55}],
        },
    ),
    "sharpStop": (
        {"track": [{"side": 1, "type": "sharpStop"}], "towns": [{"angle": 30, "percent": 0.58}]},
        {
            "track": [{"side": 1, "type": "sharp", "end": 0.5}],
            "towns": [{"angle": 30, "percent": 0.58}],
        },
    ),
    "stop": (
        {"track": [{"side": 1, "type": "stop"}], **_CITY},
        {"track": [{"side": 1}], **_CITY},
    ),
    "double gauge": (
        {"track": [{"side": 1, "type": "straight", "gauge": "double"}]},
        {"track": [{"side": 1, "type": "straight", "gauge": "dual"}]},
    ),
    "offBoardTrack": (
        {"offBoardTrack": [{"side": 1}], "offBoardRevenue": {"revenues": [{"value": 20}]}},
        {
            "track": [{"side": 1, "type": "offboard"}],
            "offBoardRevenue": [{"revenues": [{"value": 20}]}],
        },
    ),
    "mountain and water": (
        {"mountain": {"cost": 40}, "water": {"cost": 20}},
        {"terrain": [{"type": "mountain", "cost": 40}, {"type": "water", "cost": 20}]},
    ),
    "names of terrain": (
        {"terrain": [{"type": "swamp"}, {"type": "stream"}, {"type": "cactus"}, {"type": "tree"}]},
        {"terrain": [{"type": "marsh"}, {"type": "river"}, {"type": "desert"}, {"type": "forest"}]},
    ),
    "anchor": ({"icons": [{"type": "anchor"}]}, {"icons": [{"type": "port"}]}),
    "routeBonuses": (
        {"routeBonuses": [{"value": "+30", "angle": 180}]},
        {"tokens": [{"label": "+30"}]},
    ),
}  # fmt: skip


def test_every_word_draws_what_it_stands_for(tmp_path: Path) -> None:
    tiles = {
        f"{side}{number}": {"color": "yellow", **parts}
        for number, pair in enumerate(_ALIKE.values())
        for side, parts in zip("XY", pair, strict=True)
    }
    title = load_title(_imported(tmp_path, tiles=tiles)).title
    for number, word in enumerate(_ALIKE):
        pair = (title.tile_by_id[f"{side}{number}"].tile for side in "XY")
        one, other = (tile_scene(tile, Layout.FLAT, 38.1, STYLE, number="1").items for tile in pair)
        assert one == other, word
        plain = Tile(id="1", colour="yellow")
        assert one != tile_scene(plain, Layout.FLAT, 38.1, STYLE, number="1").items, word


@pytest.mark.parametrize(
    ("gauge", "ours"),
    [("narrow", "narrow"), ("dual", "dual"), ("dashed", "ferry"), ("line", "line")],
)
def test_gauges(tmp_path: Path, gauge: str, ours: str) -> None:
    track = [{"side": 1, "type": "straight", "gauge": gauge}]
    folder = _imported(tmp_path, tiles={"X1": {"track": track}})
    assert block(folder, "tiles")["X1"]["tile"]["track"] == [[0, 3, {"gauge": ours}]]


def test_pieces_aids_and_the_legend_of_the_market(tmp_path: Path) -> None:
    folder = _imported(
        tmp_path,
        tokens=["Round", {"icon": "coal"}, {"icon": "coal"}, {"icon": "train", "color": "yellow"}],
        privates=[{"name": "P", "price": 20, "revenue": 5, "company": "A", "token": {"label": "$10"}}],
        turns=[{"name": "Stock Round", "steps": ["Sell", "Buy"], "ordered": True, "optional": ["Pass"]}],
        pools=[{"name": "Bank Pool", "notes": [{"color": "red", "note": "At most 50%"}]}],
        stock={
            "market": [[50, 60, {"value": 70, "color": "orange"}], [40, 50, 60]],
            "limits": [{"description": "Par", "min": 40, "max": 70}],
            "ledges": [{"coords": ["0 1", "2 1", "2 2"]}],
        },
        links={"rules": "https://example.org/rules"},
    )  # fmt: skip
    markers = block(folder, "pieces")["markers"]
    assert {key: (one.get("text"), one["count"], one.get("picture")) for key, one in markers.items()} == {
        "round": ("Round", 1, None), "coal": (None, 2, "coal"), "train": (None, 1, None), "p": ("$10", 1, None),
    }  # fmt: skip
    (section,) = block(folder, "aids")["turns"]["sections"]
    assert section == {"heading": "Stock Round", "lines": ["1. Sell", "2. Buy", "Pass"]}
    market = block(folder, "market")
    assert market["notes"] == ["Par: 40 to 70", "Bank Pool: At most 50%"]
    assert market["zones"]["q"]["name"] == "Orange"
    assert [[cell["ledge"] if isinstance(cell, dict) else [] for cell in row] for row in market["rows"]] == [
        [[], [], []], [["up"], ["up"], ["left"]],
    ]  # fmt: skip
    assert block(folder, "privates")["P1"]["share_of"] == "A"
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    assert {
        "subject": "all",
        "source": "reference",
        "note": "Rules: https://example.org/rules",
    } in head["provenance"]


def test_lines_marks_and_destinations_on_a_map(tmp_path: Path) -> None:
    hexes = [
        {"hexes": ["B2"], "tokens": [{"company": "A", "destination": True}]},
        {"hexes": ["B4"], "tokens": [{"company": "A", "destination": True}], "companies": [{"label": "B&O"}]},
        {"hexes": ["C3"], "track": [{"side": 3, "type": "stub"}], "labels": [{"label": "Bechuanaland"}]},
    ]  # fmt: skip
    lines = [{"color": "water", "coords": ["B2p4", "B2p5", "B2p6"]}]
    folder = _imported(tmp_path, map={"hexes": hexes, "borders": lines})
    made = block(folder, "map")["hexes"]
    company = block(folder, "companies")["A"]
    assert (company["destination"], company["further_destinations"]) == (
        {"hex": "B2"},
        [{"hex": "B4"}],
    )
    assert made["B4"]["icons"] == [{"name": "b-o", "text": "B&O"}]
    assert (made["C3"]["stubs"], made["C3"]["name"]) == ([2], "Bechuanaland")
    borders = [
        (name, edge["edge"], edge["kind"])
        for name in made
        for edge in made[name].get("borders", ())
    ]
    # The lower right side of B2 and the lower one, each written on the hex beyond it.
    assert borders == [("C3", 2, "river"), ("B4", 3, "river")]


def test_words_on_places_for_stations(tmp_path: Path) -> None:
    company = {**_COMPANY, "tokens": ["Home", "$40", "Exchange", ""]}
    made = block(_imported(tmp_path, companies=[company]), "companies")["A"]
    assert made["stations"] == [0, 40, None, None]
    assert made["token_places"] == [0, 40, "Exchange", None]


def test_trains_by_their_names(tmp_path: Path) -> None:
    trains = [{"name": name, "price": 100, "quantity": 2} for name in ("4H", "5E")]
    made = block(_imported(tmp_path, trains=trains), "trains")
    assert (made["4H"]["hexes"], made["4H"]["reach"][0]["visit"]) == (4, None)
    assert made["5E"]["reach"] == [
        {"stops": ["city", "offboard"], "visit": 5, "pay": 5},
        {"stops": ["town"], "visit": None, "pay": 0},
    ]


def test_a_hex_in_the_colour_of_a_terrain_has_it(tmp_path: Path) -> None:
    hexes = [
        {"hexes": ["B2"], "color": "mountain"},
        {"hexes": ["B4"], "color": "river", "terrain": [{"type": "water", "cost": 20}]},
        {"hexes": ["C3"], "color": "land"},
    ]
    made = block(_imported(tmp_path, map={"hexes": hexes}), "map")["hexes"]
    assert made["B2"]["terrain"] == [{"kinds": ["mountain"]}]
    assert made["B4"]["terrain"] == [{"kinds": ["water"], "cost": 20}]
    assert made["C3"] == {}
