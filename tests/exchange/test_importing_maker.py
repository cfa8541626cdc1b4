"""Ways in which games of 18xx-maker write their data, each a small case made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def _block(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))[name]


def _map_hex(folder: Path, printed: str) -> dict[str, Any]:
    return _block(folder, "map")["hexes"][printed]


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
    made = _block(_imported(tmp_path, {"hexes": ["B2"]}, tiles={"X1": tile}), "tiles")["X1"]
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
    made = _block(_imported(tmp_path, *hexes, companies=companies), "companies")
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
            "track": [{"side": 1, "type": "mid"}],
        }
    }
    path = tmp_path / "src" / "data" / "tiles" / "yellow.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(tiles), encoding="utf-8")
    made = _block(
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
    tiles = _block(out, "tiles")
    assert {tile_id: entry.get("number") for tile_id, entry in tiles.items()} == {
        "Det-brown": "Det",
        "Det-gray": "Det",
        "X9": None,
    }
