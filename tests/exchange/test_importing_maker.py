"""Ways in which games of 18xx-maker write their data, each a small case made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exchange.corpus import block
from platelayer.definitions.titles import load_title
from platelayer.exchange.importers import import_title

_COMPANIES = [
    {"name": "Aa", "abbrev": "A", "color": "red"},
    {"name": "Bb", "abbrev": "B", "color": "blue"},
]


def _imported(tmp_path: Path, *hexes: dict[str, Any], flat: bool = True, **more: Any) -> Path:
    """The title of a game with this map."""
    info = {"title": "18Dale"} | ({"orientation": "horizontal"} if flat else {})
    game = {
        "info": info,
        "map": {"hexes": list(hexes)},
        "companies": _COMPANIES,
        "phases": [],
        "trains": [],
    } | more
    source = tmp_path / "games" / "18Dale.json"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(json.dumps(game), encoding="utf-8")
    import_title(source, tmp_path / "out")
    return tmp_path / "out"


def _map_hex(folder: Path, printed: str) -> dict[str, Any]:
    return block(folder, "map")["hexes"][printed]


def test_angles_on_a_pointy_map_turn_from_the_foot_of_the_sheet(tmp_path: Path) -> None:
    cities = [{"angle": 210, "percent": 0.75}, {"angle": 330, "percent": 0.75}]
    track = [{"side": 3, "type": "straight"}, {"side": 5, "type": "sharp"}]
    out = _imported(tmp_path, {"cities": cities, "track": track, "hexes": ["B2"]}, flat=False)
    # Side 1 is at the left of the sheet, at 90 degrees: 210 is side 3, and 330 is side 5.
    assert _map_hex(out, "B2")["track"] == [
        [3, "stop:0"],
        [0, "stop:0"],
        [5, "stop:1"],
        [0, "stop:1"],
    ]


def test_track_that_stops_short_leads_to_no_city_beyond_its_end(tmp_path: Path) -> None:
    cities = [{"angle": 0, "percent": 0.5}, {"angle": 180, "percent": 0.5}]
    track = [
        {"side": 1, "type": "straight", "end": 0.125},
        {"side": 4, "type": "straight", "end": 0.125},
    ]
    out = _imported(tmp_path, {"cities": cities, "track": track, "hexes": ["B2"]})
    assert _map_hex(out, "B2")["track"] == [[0, "stop:0"], [3, "stop:1"]]


def test_track_that_the_game_draws_itself_joins_what_lies_at_its_ends(tmp_path: Path) -> None:
    cities = [{"angle": 0, "percent": 0.5}, {"angle": 180, "percent": 0.3}]
    paths = [
        "M -85 45 L 0 -30",
        "M 85 45 C 40 20, 10 -10, 0 -30",
        "m 0 85 l 0 -20",
        "M 0 60 L 0 50",
    ]
    track = [{"type": "custom", "path": path} for path in paths]
    tile = {"color": "green", "cities": cities, "values": [{"value": 40}], "track": track}
    made = block(_imported(tmp_path, {"hexes": ["B2"]}, tiles={"X1": tile}), "tiles")["X1"]
    assert made["tile"]["track"] == [[1, "stop:1"], [5, "stop:1"]]
    report = (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")
    assert "| custom track | 2 | tile X1 |" in report


def test_bridges_and_tunnels_are_what_crossing_costs(tmp_path: Path) -> None:
    edge, within = {"cost": 40, "angle": 120, "percent": 1}, {"cost": 80}
    hexes = [
        {"bridges": [edge], "hexes": ["B2"]},
        {"tunnels": [edge | {"side": 2}, within], "hexes": ["B4"]},
        {"bridges": [{"cost": 20, "side": 6, "percent": 1}], "hexes": ["C3"]},
    ]
    out = _imported(tmp_path, *hexes)
    assert _map_hex(out, "B2") == {"borders": [{"edge": 2, "kind": "river", "cost": 40}]}
    assert _map_hex(out, "B4") == {
        "terrain": [{"kinds": ["mountain"], "cost": 80}],
        "borders": [{"edge": 2, "kind": "mountain", "cost": 40}],
    }
    assert _map_hex(out, "C3") == {"borders": [{"edge": 5, "kind": "river", "cost": 20}]}
    pointy = _imported(
        tmp_path / "pointy", {"tunnels": [edge | {"angle": 150}], "hexes": ["B2"]}, flat=False
    )
    assert _map_hex(pointy, "B2") == {"borders": [{"edge": 2, "kind": "mountain", "cost": 40}]}


def test_borders_that_a_hex_has_no_room_for_are_told(tmp_path: Path) -> None:
    bridges = [
        {"cost": 10 * number, "side": 1 + number % 6, "percent": 1} for number in range(1, 15)
    ]
    out = _imported(tmp_path, {"bridges": bridges, "hexes": ["B2"]})
    assert len(_map_hex(out, "B2")["borders"]) == 12
    report = (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")
    assert "more than 12 borders" in report


def test_tokens_that_name_a_hex_are_homes(tmp_path: Path) -> None:
    companies = [
        {**_COMPANIES[0], "tokens": ["B2", "Upper Dale", 40]},
        {**_COMPANIES[1], "tokens": ["Free", 60]},
    ]
    hexes = [
        {"cities": [{}], "hexes": ["B2"]},
        {"cities": [{"name": {"name": "Upper Dale"}}], "hexes": ["B4"]},
        {
            "cities": [{}],
            "tokens": [{"company": "B", "destination": True, "angle": 180}],
            "hexes": ["C3"],
        },
    ]
    made = block(_imported(tmp_path, *hexes, companies=companies), "companies")
    assert made["A"]["stations"] == [0, 0, 40]
    assert (made["A"]["homes"], made["A"]["all_homes"]) == ([{"hex": "B2"}, {"hex": "B4"}], True)
    assert (made["B"]["stations"], made["B"]["destination"]) == ([0, 60], {"hex": "C3"})
    assert "$comment" not in made["A"]


def test_colours_of_hexes_that_the_game_names(tmp_path: Path) -> None:
    colours = {
        "moor": "#99aa77",
        "map": {"mountain": "#c0a080", "sundown": "rgb(255, 120, 0)"},
        "lightGray": "#b2b2b2",
    }
    hexes = {"B2": "mountain", "B4": "sundown", "C3": "lightGray", "C5": "tomato"}
    out = _imported(
        tmp_path,
        *({"color": name, "hexes": [place]} for place, name in hexes.items()),
        colors=colours,
    )
    assert _map_hex(out, "B2") == {"ground": "#c0a080"}  # plain ground, on which tiles may lie
    assert _map_hex(out, "B4") == {"colour": "gray", "ground": "#ff7800"}
    assert _map_hex(out, "C3") == {"colour": "gray", "ground": "#b2b2b2"}
    assert _map_hex(out, "C5") == {"colour": "gray", "ground": "#ff6347"}


def test_tiles_of_the_catalogue_that_lies_beside_the_game(tmp_path: Path) -> None:
    tiles = {
        "X9": {
            "color": "yellow",
            "cities": [{}],
            "values": [{"value": 20}],
            "track": [{"side": 1, "type": "straight"}],
        }
    }
    path = tmp_path / "src" / "data" / "tiles" / "yellow.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(tiles), encoding="utf-8")
    made = block(
        _imported(
            tmp_path, {"hexes": ["B2"]}, tiles={"57": 2, "X9": 3, "X10": {"tile": "X9"}, "X11": 1}
        ),
        "tiles",
    )
    assert set(made) == {"57", "X9", "X10"}
    assert (made["X9"]["count"], made["X10"]["count"]) == (3, 1)
    assert made["X9"]["tile"] == made["X10"]["tile"]
    assert made["X9"]["tile"]["stops"] == [{"kind": "city", "revenue": 20}]
    report = (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")
    assert "| tile that no catalogue has | 1 | X11 |" in report


def test_a_map_that_is_a_copy_of_another_has_its_hexes_but_those_removed(tmp_path: Path) -> None:
    boards = [
        {"name": "Whole", "hexes": [{"cities": [{}], "hexes": ["B2"]}, {"hexes": ["B4", "C3"]}]},
        {"name": "Short", "copy": 0, "remove": ["B4"], "hexes": [{"towns": [{}], "hexes": ["C3"]}]},
    ]
    out = _imported(tmp_path, map=boards)
    whole, short = load_title(out).title.maps
    assert [hexagon.id for hexagon in whole.hexes] == ["B2", "C3", "B4"]
    assert [(hexagon.id, len(hexagon.tile.stops)) for hexagon in short.hexes] == [
        ("B2", 1),
        ("C3", 1),
    ]
    assert (whole.id, short.id) == ("main", "Short")


def test_a_tile_prints_the_number_before_a_bar(tmp_path: Path) -> None:
    own = {"quantity": 1, "color": "brown", "cities": [{"size": 2}], "values": [{"value": 50}]}
    out = _imported(
        tmp_path, {"hexes": ["B2"]}, tiles={"Det|brown": own, "Det|gray": own, "X9": own}
    )
    tiles = block(out, "tiles")
    assert {tile_id: entry.get("number") for tile_id, entry in tiles.items()} == {
        "Det-brown": "Det",
        "Det-gray": "Det",
        "X9": None,
    }


def _report(tmp_path: Path) -> str:
    return (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")


def test_spellings_of_older_files(tmp_path: Path) -> None:
    """`mountain`, `water` and `offBoardTrack`, one thing for a list of one, and a hex that copies
    another."""
    hexes = [
        {"mountain": {"cost": "$60"}, "hexes": ["B2"]},
        {"water": [{"cost": 40}, {"cost": "30 g"}], "labels": {"label": "OO"}, "hexes": "B4"},
        {"copy": "B4", "names": {"name": "Upper Dale"}, "hexes": ["C3"]},
        {
            "color": "offboard",
            "offBoardTrack": [{"side": 3}],
            "offBoardRevenue": {
                "name": {"name": "Mill"},
                "revenues": {"color": "yellow", "cost": "20"},
            },
            "hexes": ["C5"],
        },
    ]
    out = _imported(tmp_path, *hexes)
    water = [{"kinds": ["water"], "cost": 40}, {"kinds": ["water"], "cost": 30}]
    assert _map_hex(out, "B2") == {"terrain": [{"kinds": ["mountain"], "cost": 60}]}
    assert _map_hex(out, "B4") == {"labels": ["OO"], "terrain": water}
    assert _map_hex(out, "C3") == {"name": "Upper Dale", "labels": ["OO"], "terrain": water}
    assert _map_hex(out, "C5") == {
        "name": "Mill",
        "colour": "red",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 20}}],
        "track": [[2, "stop:0"]],
    }


def test_track_that_ends_at_a_stop_or_goes_round_it(tmp_path: Path) -> None:
    cities = [{"angle": 90, "percent": 0.5}, {"angle": 270, "percent": 0.5}]
    kinds = ["sharpStop", "gentleStopRev", "stop", "straightStop"]
    tiles = {
        f"X{number}": {"cities": cities, "track": [{"side": 1, "type": kind}]}
        for number, kind in enumerate(kinds)
    }
    tiles["X7"] = {
        "cities": [{}],
        "track": [{"side": 1, "type": "straight"}, {"side": 1, "type": "bent"}],
    }
    tiles["X8"] = {
        "towns": [{"percent": 0.5, "angle": 60}],
        "track": [{"side": 2, "type": "mid"}, {"side": 4}],
    }
    made = block(_imported(tmp_path, {"hexes": ["B2"]}, tiles=tiles), "tiles")
    track = {name: tile["tile"]["track"] for name, tile in made.items()}
    assert [track[f"X{number}"] for number in range(2)] == [[[0, "stop:0"]], [[0, "stop:1"]]]
    assert [len(track[f"X{number}"]) for number in (2, 3)] == [1, 1]
    assert track["X7"] == [[0, "stop:0"], [3, "stop:0"], [0, 3]]
    assert ["junction", "stop:0"] in track["X8"]


def test_revenues_by_phase_or_in_colours_that_no_tile_has(tmp_path: Path) -> None:
    phases = [
        {"name": "2", "tiles": "yellow"},
        {"name": "4", "tiles": "green"},
        {"name": "6", "tiles": "brown"},
    ]
    by_phase = [
        {"color": "white", "value": 10, "phase": 2},
        {"color": "gray", "value": 40, "phase": 4},
        {"color": "white", "value": 200, "phase": 6},
    ]
    in_ink = [
        {"color": "yellow", "cost": 30},
        {"color": "brown", "cost": 60},
        {"color": "black", "cost": 100},
    ]
    hexes = [
        {
            "color": "offboard",
            "offBoardRevenue": {"revenues": revenues},
            "track": [{"type": "offboard"}],
            "hexes": [at],
        }
        for at, revenues in (("B2", by_phase), ("B4", in_ink))
    ]
    out = _imported(tmp_path, *hexes, phases=phases)
    revenue = [_map_hex(out, at)["stops"][0]["revenue"] for at in ("B2", "B4")]
    assert revenue == [
        {"yellow": 10, "green": 40, "brown": 200},
        {"yellow": 30, "brown": 60, "gray": 100},
    ]


def test_trains_that_rust_by_a_note_or_by_a_phase(tmp_path: Path) -> None:
    trains = [
        {
            "name": "2",
            "price": "$80",
            "quantity": 4,
            "info": [{"note": "Rusted by 4. Skips towns"}],
        },
        {"name": "3", "price": 180, "quantity": 4},
        {"name": "4", "price": 300, "quantity": 3, "info": [{"note": "Permanent, can't be sold"}]},
    ]
    phases = [{"name": "2"}, {"name": "3"}, {"name": "4", "rust": ["2 / 3", "5"]}]
    made = block(_imported(tmp_path, {"hexes": ["B2"]}, trains=trains, phases=phases), "trains")
    assert [made[name].get("rusts_on") for name in "234"] == [["4"], ["4"], None]
    assert [made[name].get("note") for name in "234"] == ["Skips towns", None, "can't be sold"]
    assert made["4"]["permanent"] is True
    assert made["2"]["price"] == 80
    assert "| train 5 that rusts | 1 | phase 4 |" in _report(tmp_path)


def test_a_part_of_another_form_is_left_out_by_name(tmp_path: Path) -> None:
    hexes = [
        {"cities": [{}, 7], "labels": "OO", "hexes": ["B2"]},
        {"track": [{"side": "one"}], "hexes": ["B4", 5]},
        "C3",
    ]
    out = _imported(tmp_path, *hexes, companies=[*_COMPANIES, 3])
    assert set(block(out, "map")["hexes"]) == {"B2", "B4"}
    assert _map_hex(out, "B2")["stops"] == [{"kind": "city"}]
    assert set(block(out, "companies")) == {"A", "B"}
    for place in (
        "map.hexes[0].cities[1]",
        "map.hexes[1].hexes[1]",
        "map.hexes[2]",
        "companies[2]",
    ):
        assert f"{place} (" in _report(tmp_path)


def test_a_reference_to_what_was_left_out_goes_with_it(tmp_path: Path) -> None:
    privates = [{"name": "Bridge Works", "price": "$1-$40", "revenue": 5, "tile": "9241"}]
    out = _imported(tmp_path, {"hexes": ["B2"]}, privates=privates, tiles={"57": 2, "9241": 1})
    made = block(out, "privates")["P1"]
    assert "shows" not in made
    assert "shows tile:9241" in made["$comment"]
    assert "value" not in made
    assert made["abilities"] == ["Price: $1-$40."]
    load_title(out)


def _marked(value: Any, path: str, marks: dict[str, str]) -> Any:
    """The value with a key of its own in each object, but for tables by name."""
    if isinstance(value, list):
        return [_marked(part, f"{path}[]", marks) for part in value]
    if not isinstance(value, dict):
        return value
    more = {}
    if path not in ("tiles", "shareTypes", "tokenTypes", "stock.movement", "colors"):
        more = {f"mark{len(marks)}": f"<{len(marks)}>"}
        marks[f"<{len(marks)}>"] = path
    return {
        key: _marked(part, f"{path}.{key}".lstrip("."), marks) for key, part in value.items()
    } | more


def test_a_field_that_nothing_reads_is_named_with_its_value(tmp_path: Path) -> None:
    """A stranger's key in each object of a game turns up in a comment or in the report."""
    hexes = [
        {
            "cities": [{"size": 2, "name": {"name": "Dale"}, "companies": [{"label": "A"}]}],
            "terrain": [{"type": "mountain", "cost": 40}],
            "icons": [{"type": "port"}],
            "bridges": [{"cost": 10}],
            "tokens": [{"label": "x"}, {"company": "B", "destination": True}],
            "industries": [{"top": "1"}],
            "borders": [{"side": 2, "color": "water"}],
            "hexes": ["B2"],
        },
        {
            "offBoardRevenue": {"revenues": [{"color": "yellow", "value": 20}]},
            "track": [{"side": 2, "type": "offboard"}],
            "color": "offboard",
            "hexes": ["B4"],
        },
    ]
    game: dict[str, Any] = {
        "info": {"title": "18Dale", "orientation": "horizontal"},
        "players": [{"number": 3, "capital": 200}],
        "map": {"hexes": hexes, "lines": [{"x": 1}]},
        "tiles": {"X1": {"cities": [{}], "values": [{"value": 20}], "track": [{"side": 1}]}},
        "companies": [{**_COMPANIES[0], "token": {"bar": True}}, {**_COMPANIES[1], "shares": [{"percent": 20}]}],
        "privates": [{"name": "P", "price": 20, "revenue": 5}],
        "trains": [{"name": "2", "price": 80, "quantity": 3, "info": [{"note": "Rusted by 3"}]}],
        "phases": [{"name": "2", "tiles": "yellow"}],
        "stock": {"market": [{"value": 20, "legend": 0}, 30], "legend": [{"color": "red"}], "par": {"values": [30]}},
        "rounds": [{"name": "SR"}],
        "links": {"bgg": "x"},
    }  # fmt: skip
    marks: dict[str, str] = {}
    source = tmp_path / "games" / "18Dale.json"
    source.parent.mkdir()
    source.write_text(json.dumps(_marked(game, "", marks)), encoding="utf-8")
    import_title(source, tmp_path / "out")
    texts = [path.read_text("utf-8") for path in (tmp_path / "out").iterdir() if path.is_file()]
    assert len(marks) > 25
    assert {
        place for mark, place in marks.items() if not any(mark in text for text in texts)
    } == set()
