"""Smaller programs whose games are imported, by an invented game of each, and files of programs
that are recognised alone."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from exchange.corpus import block
from platelayer.definitions.build import build_tile, catalogue_definitions
from platelayer.exchange import importers
from platelayer.exchange.importers import import_title
from platelayer.exchange.maker_form import edge_point
from platelayer.exchange.others.common import Stop, standard, tile_code, turned
from platelayer.exchange.tile_strings import same_tile, tile_from_string
from platelayer.foundation.problems import CannotRun, ProblemsFound, has_errors

_HERE = Path(__file__).parent / "programs"
_SOURCES = {
    "map18xx": _HERE / "map18xx" / "games" / "18Dale",
    "rusty_train game": _HERE / "rusty_train" / "dale.game",
    "rusty_train tiles": _HERE / "rusty_train" / "tiles.json",
    "18xxtools": _HERE / "18Dale.18xx.json",
    "xxpaper": _HERE / "18Dale.xxp",
    "ps18xx": _HERE / "ps18xx" / "src" / "dale-map.ps",
}
Json = dict[str, Any]


def _title(source: Path, folder: Path) -> Path:
    imported = import_title(source, folder)
    assert not has_errors(imported.problems)
    return folder


def _hexes(folder: Path) -> Json:
    hexes: Json = block(folder, "map")["hexes"]
    return hexes


def _track(entry: Json) -> set[tuple[Any, ...]]:
    return {tuple(sorted(segment[:2], key=str)) for segment in entry.get("track", ())}


# What each reads


def test_a_pointy_map_of_map18xx(tmp_path: Path) -> None:
    folder = _title(_SOURCES["map18xx"], tmp_path / "title")
    hexes = _hexes(folder)
    # Its sides are named as on a flat map, which is turned back by half a side: S is the lower right.
    assert hexes["A1"] == {
        "name": "Upper Dale",
        "colour": "red",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 20, "brown": 50}}],
        "track": [[5, "stop:0"]],
    }
    # [1, 0] is the second of the first row; S and SE, turned by one, are the lower left and right.
    mill = hexes["A3"]
    assert (mill["name"], mill["colour"], mill["stops"]) == (
        "Mill",
        "gray",
        [{"kind": "city", "revenue": 40}],
    )
    assert _track(mill) == {(0, "stop:0"), (5, "stop:0")}
    assert hexes["B4"] == {"terrain": [{"kinds": ["mountain"], "cost": 40}]}
    assert hexes["C1"]["icons"] == [{"name": "s-c", "text": "S&C"}]
    stile = hexes["C3"]
    assert (stile["stops"], stile["terrain"]) == (
        [{"kind": "town", "revenue": 10}],
        [{"kinds": [], "cost": 20}],
    )
    assert _track(stile) == {(3, "stop:0"), (5, "stop:0")}
    assert stile["borders"] == [{"edge": 2, "kind": "impassable"}]
    assert '"Anna, 1847"' in hexes["C5"]["$comment"]
    tiles = block(folder, "tiles")
    # 5 and 7 have the track of the catalogue, though drawn in another rotation.
    assert {name: tiles[name] for name in ("5", "7", "57")} == {"5": 3, "7": 4, "57": 2}
    assert tiles["D1"]["count"] == 2
    assert tiles["D1"]["tile"]["stops"] == [{"kind": "city", "revenue": 40, "slots": 2}]
    assert _track(tiles["D1"]["tile"]) == {(0, "stop:0"), (3, "stop:0"), (5, "stop:0")}
    assert tiles["D1"]["tile"]["labels"] == ["D"]
    companies = block(folder, "companies")
    assert companies["MILL"]["homes"] == [{"hex": "A3", "stop": 0}]
    assert companies["D-U"]["homes"] == [{"hex": "B2", "stop": 0}]
    assert "certificates" not in companies["D-U"]
    assert json.loads((folder / "title.json").read_text(encoding="utf-8"))["currency"] == "£{}"


def test_a_flat_map_of_map18xx(tmp_path: Path) -> None:
    folder = tmp_path / "maps" / "18Vale"
    shutil.copytree(_SOURCES["map18xx"].parent.parent / "tiledefs", folder / "tiledefs")
    tiles = [
        {
            "location": "B2",
            "tile": "fork",
            "color": "green",
            "orientation": "SE",
            "text": {"1": "30", "code": "V"},
        },
        {"location": [0, 0], "color": "red", "arrows": ["S", "SE"]},
    ]
    board = {
        "orientation": "Horizontal",
        "tiles": tiles,
        "barriers": [{"location": [1, 0], "side": "NW"}],
    }
    (folder / "map.yaml").write_text(json.dumps(board, indent="\t"), encoding="utf-8")
    pytest.importorskip("yaml")
    hexes = _hexes(_title(folder, tmp_path / "title"))
    # North, south and south-east, turned by two.
    assert _track(hexes["B2"]) == {(5, "stop:0"), (2, "stop:0"), (1, "stop:0")}
    assert (hexes["B2"]["labels"], hexes["B2"]["borders"]) == (
        ["V"],
        [{"edge": 2, "kind": "impassable"}],
    )
    assert hexes["A1"]["stops"] == [{"kind": "offboard", "hidden": True}]
    assert _track(hexes["A1"]) == {(0, "stop:0"), (5, "stop:0")}


def test_a_folder_without_tile_definitions_takes_them_from_the_catalogue(tmp_path: Path) -> None:
    shutil.copytree(_SOURCES["map18xx"], tmp_path / "18Dale")
    path = tmp_path / "18Dale" / "map.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"ends"', '"57"'), encoding="utf-8")
    folder = _title(path, tmp_path / "title")
    assert _hexes(folder)["A3"]["stops"] == [{"kind": "city", "revenue": 40}]
    assert _hexes(folder)["B2"] == {"name": "Dale", "stops": [{"kind": "city"}]}
    assert "tile definition that there is not (halt)" in _hexes(folder)["C3"]["$comment"]


def test_a_game_of_rusty_train(tmp_path: Path) -> None:
    folder = _title(_SOURCES["rusty_train game"], tmp_path / "title")
    hexes = _hexes(folder)
    assert hexes["C1"] == {
        "name": "Upper Dale",
        "colour": "red",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 30, "brown": 60}}],
        "track": [[1, "stop:0"], [0, "stop:0"]],
    }
    # Mid and straight track from top (3), lower right (5) and lower left (1) to 4, turned by one.
    assert _track(hexes["B2"]) == {(4, "stop:0"), (0, "stop:0"), (2, "stop:0"), (5, "stop:0")}
    assert (hexes["B2"]["stops"], hexes["B2"]["labels"]) == (
        [{"kind": "city", "revenue": 40, "slots": 2}],
        ["D"],
    )
    # GentleR from the bottom leads to the upper right (4); turned back by one, to 5 and 3.
    assert _track(hexes["A3"]) == {(5, "stop:0"), (3, "stop:0")}
    assert hexes["A3"]["stops"] == [{"kind": "town", "revenue": 10}]
    assert hexes["B4"] == {"terrain": [{"kinds": ["mountain"], "cost": 80}]}
    assert hexes["C3"]["stops"] == [{"kind": "city", "revenue": 20}]
    assert hexes["C5"] == {"name": "Dale", "stops": [{"kind": "city"}]}
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    assert "tile Stile: revenue of a town without track (10)" in head["$comment"]
    assert "tile that no catalogue has (Nowhere)" in hexes["A5"]["$comment"]
    position = json.loads((folder / "position.json").read_text(encoding="utf-8"))
    assert position["tokens"] == {"B2": ["D-U 0.1"], "C3": ["MILL 0.0"]}


def test_tiles_of_rusty_train(tmp_path: Path) -> None:
    folder = _title(_SOURCES["rusty_train tiles"], tmp_path / "title")
    tiles = block(folder, "tiles")
    assert tiles["58"] == 1
    cities = tiles["D2"]["tile"]
    assert cities["stops"] == [
        {"kind": "city", "revenue": 60},
        {"kind": "city", "revenue": 80, "slots": 2},
    ]
    assert _track(cities) == {(1, "stop:0"), (2, "stop:0"), (3, "stop:1"), (4, "stop:1")}
    assert cities["labels"] == ["Y"]
    assert tiles["D1"]["tile"]["terrain"] == [{"kinds": [], "cost": 80}]
    assert "see rule 7" in tiles["D1"]["$comment"]
    report = (folder / "import-report.md").read_text(encoding="utf-8")
    assert "printed hex without a place on a map | 4 |" in report


def test_a_saved_game_of_18xxtools(tmp_path: Path) -> None:
    folder = _title(_SOURCES["18xxtools"], tmp_path / "title")
    hexes = _hexes(folder)
    assert hexes["A2"]["stops"] == [{"kind": "offboard", "revenue": {"yellow": 20, "brown": 50}}]
    assert hexes["B1"] == {"terrain": [{"kinds": ["mountain", "water"], "cost": 40}]}
    assert (_track(hexes["B3"]), hexes["B3"]["labels"]) == ({(0, "stop:0"), (2, "stop:0")}, ["D"])
    assert hexes["B3"]["borders"] == [{"edge": 3, "kind": "impassable"}]
    assert hexes["C2"]["stops"] == [{"kind": "town"}]
    assert "57, turned by 1" in hexes["C2"]["$comment"]
    assert "C4" not in hexes
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    assert (head["bank"], head["currency"]) == (2000, "£{}")
    assert head["players"]["3"] == {"cash": 200, "certificate_limit": 9}
    company = block(folder, "companies")["D-U"]
    assert (company["stations"], company["float_percent"]) == ([0, 40], 50)
    assert company["certificates"] == [
        {"percent": 20, "director": True},
        {"percent": 20, "count": 4},
    ]
    assert block(folder, "companies")["MILL"]["kind"] == "minor"
    assert block(folder, "privates")["SC"]["blocks"] == ["B1"]
    trains = block(folder, "trains")
    assert trains["2"]["rusts_on"] == ["3+1"]
    assert trains["3+1"]["reach"][1] == {"stops": ["town"], "visit": 1, "pay": 1}
    assert block(folder, "phases")["3"]["on"] == "3+1"
    assert block(folder, "market")["rows"] == [["60", "70p", "80p", "90"], ["50", "60y"]]


@pytest.mark.parametrize(
    ("meta", "printed"),
    [
        ({"coordParity": 0}, "B3"),
        ({"coordParity": 1}, "B4"),
        ({"staggerParity": 1}, "D2"),
        ({"orientation": "pointy"}, "B4"),
        ({"orientation": "pointy", "pointyStaggerParity": 1}, "B3"),
    ],
)
def test_places_of_its_grid_as_18xxtools_exports_them(
    tmp_path: Path, meta: Json, printed: str
) -> None:
    """The second column of the second row, in each of its systems of coordinates."""
    state = {
        "meta": {"baseGame": "custom", "orientation": "flat", **meta},
        "hexes": {"B3": {"bg": "white"}},
    }
    source = tmp_path / "x.18xx.json"
    source.write_text(json.dumps(state), encoding="utf-8")
    assert list(_hexes(_title(source, tmp_path / "title"))) == [printed]


def test_packs_of_tiles_of_18xxtools(tmp_path: Path) -> None:
    source = tmp_path / "tile-packs.js"
    source.write_text(
        "const TILE_PACKS = { 'Basic': { yellow: {\n"
        "  '57': { dsl: 'city=revenue:20;path=a:0,b:_0;path=a:_0,b:3', color: 'yellow' },\n"
        "  'K1': { dsl: 'city=revenue:30,slots:2;path=a:0,b:_0;label=K', color: 'green' } } } };\n",
        encoding="utf-8",
    )
    tiles = block(_title(source, tmp_path / "title"), "tiles")
    assert tiles["57"] == 1
    assert tiles["K1"]["tile"]["labels"] == ["K"]


def test_papers_of_xxpaper(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    folder = _title(_SOURCES["xxpaper"], tmp_path / "title")
    company, minor = (block(folder, "companies")[key] for key in ("D-U", "MILL"))
    assert company["name"] == "Dale & Upper Dale"
    assert (company["stations"], company["colour"]) == ([0, 40, 100], "#2e8b57")
    assert "number of markers (5)" in company["$comment"]
    assert minor["kind"] == "minor"
    assert minor["certificates"] == [{"percent": 40, "director": True}, {"percent": 20, "count": 3}]
    assert company["certificates"] == [
        {"percent": 20, "director": True},
        {"percent": 10, "count": 8},
    ]
    assert "float_percent" not in company
    private = block(folder, "privates")["SC"]
    assert (private["value"], private["income"]) == (20, 5)
    trains = block(folder, "trains")
    assert [(train["price"], train["count"]) for train in trains.values()] == [
        (80, 6),
        (180, 2),
        (300, 4),
        (1100, 8),
    ]
    assert trains["2"]["rusts_on"] == ["4"]
    assert "To D: £800" in trains["4"]["$comment"]
    assert json.loads((folder / "title.json").read_text(encoding="utf-8"))["currency"] == "£{}"


def test_a_map_of_ps18xx(tmp_path: Path) -> None:
    folder = _title(_SOURCES["ps18xx"], tmp_path / "title")
    hexes = _hexes(folder)
    # Two edges from the lower left, turned by five.
    assert _track(hexes["A1"]) == {(5, "stop:0"), (0, "stop:0")}
    assert hexes["A1"]["stops"] == [{"kind": "offboard", "revenue": {"yellow": 20, "brown": 50}}]
    assert (hexes["A3"]["name"], hexes["A3"]["colour"]) == ("Mill", "gray")
    assert _track(hexes["A3"]) == {(1, "stop:0"), (0, "stop:0")}
    assert hexes["B2"]["borders"] == [{"edge": 2, "kind": "impassable"}]
    assert hexes["B4"] == {"terrain": [{"kinds": ["mountain"], "cost": 40}]}
    assert hexes["C1"]["icons"] == [{"name": "s-c", "text": "S&C"}]  # of a transparent tile
    assert hexes["C3"]["stops"] == [{"kind": "town"}]
    assert hexes["C3"]["borders"] == [{"edge": 3, "kind": "river", "cost": 40}]
    assert _track(hexes["C5"]) == {
        (2, 5),
        (2, "stop:0"),
        (5, "stop:0"),
    }  # plain track beside a city's
    assert "C7" not in hexes
    tiles = block(folder, "tiles")
    assert {name: tiles[name] for name in ("5", "7")} == {"5": 3, "7": 4}
    assert tiles["62"] == 1  # two cities of two stations
    assert (
        tiles["77"]["tile"]["track"] == [[0, 5, {"gauge": "narrow"}]]
        if isinstance(tiles["77"], dict)
        else 2
    )
    assert tiles["X02"]["tile"]["stops"] == [{"kind": "city", "revenue": 40, "slots": 2}]
    assert _track(tiles["X02"]["tile"]) == {(2, "stop:0"), (0, "stop:0"), (1, "stop:0")}
    assert block(folder, "companies")["D-U"]["homes"] == [{"hex": "A3", "stop": 0}]
    assert len(block(folder, "companies")["D-U"]["stations"]) == 3
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    assert head["currency"] == "£{}"
    assert "//tlNoHex LayPrivate" in head["$comment"]
    assert "tileCodes 434" in head["$comment"]


def test_a_map_of_ps18xx_without_the_program_around_it(tmp_path: Path) -> None:
    for part in ("map", "tc"):
        shutil.copy(_HERE / "ps18xx" / "src" / f"dale-{part}.ps", tmp_path)
    folder = _title(tmp_path / "dale-map.ps", tmp_path / "title")
    assert _hexes(folder)["B2"]["stops"] == [{"kind": "city"}]
    assert block(folder, "tiles")["62"] == 1
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    assert "tile 407: generic tile that is not known (534)" in head["$comment"]


# What all hold


@pytest.mark.slow
@pytest.mark.parametrize("name", _SOURCES)
def test_an_import_ends_in_a_print(name: str, tmp_path: Path) -> None:
    from platelayer.pipeline.build import build
    from platelayer.pipeline.job import BuildOptions

    title = _title(_SOURCES[name], tmp_path / "title")
    assert build(title, BuildOptions(draft=True)).files


def _marked(value: Any, marks: list[str], path: str = "") -> Any:
    """A value with a stranger's key in each of its objects."""
    if isinstance(value, list):
        return [_marked(part, marks, f"{path}.{index}") for index, part in enumerate(value)]
    if not isinstance(value, dict):
        return value
    marks.append(path)
    return {key: _marked(part, marks, f"{path}.{key}") for key, part in value.items()} | {
        "stray": f"<{path}>"
    }


# Objects whose keys are names of texts, tiles or phases, where another key is another name, or that are
# tables by number.
_NAMES = ("text", "manifest", "amounts", "customTiles", "phaseRevenue", "activePhases", "startingCash", "certLimit",
          "hexes", "", "revenue")  # fmt: skip


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("map18xx", "map.json"),
        ("map18xx", "manifest.json"),
        ("rusty_train game", "dale.game"),
        ("rusty_train tiles", "tiles.json"),
        ("18xxtools", "18Dale.18xx.json"),
    ],
)
def test_a_field_that_nothing_reads_is_named_with_its_value(
    source: str, file: str, tmp_path: Path
) -> None:
    program = _SOURCES[source] if _SOURCES[source].is_dir() else _SOURCES[source].parent
    shutil.copytree(program, tmp_path / "copy")
    path, marks = tmp_path / "copy" / file, []
    path.write_text(
        json.dumps(_marked(json.loads(path.read_text(encoding="utf-8")), marks)), encoding="utf-8"
    )
    folder = tmp_path / "title"
    import_title(path.parent if _SOURCES[source].is_dir() else path, folder)
    said = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.[jm]*")))
    silent = [
        mark for mark in marks if f"<{mark}>" not in said and mark.rpartition(".")[2] not in _NAMES
    ]
    silent = [mark for mark in silent if mark != ".hexes.C4"]  # which is none
    assert silent == []


def test_standard_track_that_is_drawn_leads_where_it_led() -> None:
    """Plain tiles, and tiles with one stop in the centre, from their drawing alone."""
    compared = 0
    for number, given in catalogue_definitions().items():
        tile = build_tile(number, given)
        ends = [
            [end.index if end.kind.value == "edge" else None for end in segment.ends]
            for segment in tile.track
        ]
        plain = not tile.stops and all(None not in pair for pair in ends)
        central = len(tile.stops) == 1 and all(None in pair for pair in ends)
        odd = (
            *(tile.labels, tile.icons, tile.terrain, tile.stripes, tile.frame, tile.partitions),
            *(
                segment.gauge.value != "standard" or segment.terminal or segment.lanes
                for segment in tile.track
            ),
            *(stop.hidden or stop.groups or len(stop.revenue) != 1 for stop in tile.stops),
        )
        if any(odd) or not (plain or central):
            continue
        lines = [
            standard(pair[0], pair[1])
            if pair[0] is not None and pair[1] is not None
            else [edge_point(next(edge for edge in pair if edge is not None)), 0j]
            for pair in ends
        ]
        stops = [
            Stop(kind=stop.kind.value, revenue=str(stop.revenue[0].value), slots=stop.slots or 1)
            for stop in tile.stops
        ]
        code = turned(tile_code(stops, lines), 1)
        assert same_tile(
            build_tile(number, tile_from_string(code, colour=str(tile.colour))), tile
        ), code
        compared += 1
    assert compared > 100


def test_lines_that_meet_away_from_stops_are_one() -> None:
    """A loop past a city, in two halves: three ways between the same two edges."""
    around = -0.6j
    lines = [
        standard(2, 5),
        [edge_point(2), around],
        [edge_point(5), around],
    ]
    code = tile_code([Stop(kind="city", revenue="10")], lines)
    assert sorted(code.split(";")[1:]) == ["path=a:2,b:5", "path=a:2,b:_0", "path=a:_0,b:5"]


def test_an_alias_in_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    source = tmp_path / "bomb.xxp"
    source.write_text("a: &a [x, x]\nb: &b [*a, *a]\n", encoding="utf-8")
    with pytest.raises(CannotRun, match=r"bomb.xxp:2: this YAML has the alias \*a"):
        import_title(source, tmp_path / "title")
    source.write_text("company:\n  - {\n", encoding="utf-8")
    with pytest.raises(CannotRun, match="this is not YAML"):
        import_title(source, tmp_path / "title")
    assert not (tmp_path / "title").exists()


# Recognition


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("game.json", '{"id": 7, "players": [{"name": "A"}], "title": "1830", "actions": []}', "18xx.games"),
        ("save.json", '{"SaveName": "x", "ObjectStates": []}', "Tabletop Simulator"),
        ("box.json", '{"bname": "x", "version": "1", "board": {}, "tray": []}', "Board18"),
        ("paused.json", '{"game": "1830", "log": [{"type": "tilelay"}]}', "games/NAME"),
        ("manifest.json", '{"amounts": {"7": 4}, "tiles": []}', "map18xx: import its folder"),
        ("title.json", '{"format": "platelayer.title/1", "id": "x", "name": "X"}', "check, draw and build"),
        ("old.xxp", '{% set companies = [\n {"name": "A"}] %}\n[DEFAULT]\n', "xxpaper"),
        ("cut.studio3", "xx", "Silhouette Studio"),
        ("map.png", b"\x89PNG\r\n", "a picture"),
        ("save.rails", b"\xac\xed\x00\x05", "Rails"),
        ("save.vsav", {"savedata": "x"}, "VASSAL"),
        ("1830.vmod", {"buildFile.xml": "<x/>", "images/a.png": "x"}, "VASSAL"),
        ("game.zip", {"18Dale/map.json": "{}", "18Dale/companies.json": "{}"}, "18xxtools"),
    ],
)  # fmt: skip
def test_a_file_of_another_program_gets_one_line(
    name: str, content: str | bytes | dict[str, str], words: str, tmp_path: Path
) -> None:
    source = tmp_path / name
    if isinstance(content, dict):
        with zipfile.ZipFile(source, "w") as archive:
            for member, text in content.items():
                archive.writestr(member, text)
    else:
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CannotRun) as refused:
        import_title(source, tmp_path / "title")
    assert str(refused.value).startswith(f"{source} looks like ")
    assert words in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("page.html", '<html lang="en">\nwords\nwords</html>', "has no tiles, such as X1 green"),
        ("read.md", "# A game\n\nMore at https://example.org/", "has no tiles, such as X1 green"),
        ("other.json", '{"hexes": {}}', "is no game file of 18xx-maker"),
        ("empty/notes.txt", "A1", "holds no game; docs/importing.md lists"),
        ("ours/title.json", "{}", "looks like a title of Platelayer"),
        (
            "clone/games/X.json",
            '{"info": {"title": "X"}}',
            'folder of 18xx-maker; name the file of a game: "games/X.json"',
        ),
        ("nothing.csv", "name\n", 'there is no sheet called "nothing"'),
    ],
)
def test_what_is_no_game_gets_one_line(tmp_path: Path, name: str, content: str, words: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    source = tmp_path / name.partition("/")[0]
    with pytest.raises((CannotRun, ProblemsFound)) as refused:
        import_title(source, tmp_path / "title")
    assert words in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_games_that_are_read_are_not_taken_for_others() -> None:
    takers = {
        "map18xx": importers.is_map18xx,
        "rusty_train": importers.is_rusty_train,
        "18xxtools": importers.is_18xxtools,
        "xxpaper": importers.is_xxpaper,
        "ps18xx": importers.is_ps18xx,
    }
    for name, source in _SOURCES.items():
        assert [taker for taker, takes in takers.items() if takes(source)] == [
            name.partition(" ")[0]
        ]
    other = _HERE.parent / "games" / "18Ford.json"
    assert not any(takes(other) for takes in takers.values())
    assert importers.recognised(other) is None
