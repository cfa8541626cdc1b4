"""Titles from other programs: the example of docs/importing.md, lists of tiles, and what is
refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from exchange.corpus import block
from platelayer.cli.app import cli
from platelayer.definitions.pictures import read_svg
from platelayer.exchange.imported import Imported, complete
from platelayer.exchange.importers import (
    IMPORTERS,
    Importer,
    ImportRequest,
    add_importer,
    import_title,
)
from platelayer.exchange.losses import Losses
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.load import check

DOCS = Path(__file__).resolve().parents[2] / "docs" / "importing.md"


def _example(name: str) -> str:
    """A file that the documentation shows, after a comment with its name."""
    found = re.search(
        rf"<!-- {re.escape(name)} -->\n```\w*\n(.*?)```\n",
        DOCS.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert found is not None, name
    return found[1]


def _errors(folder: Path) -> list[str]:
    return [str(problem) for problem in check(str(folder)) if problem.severity.word == "error"]


@pytest.fixture(name="dale")
def _dale(tmp_path: Path) -> Path:
    pytest.importorskip("tree_sitter_ruby")
    for name in ("g_18_dale/map.rb", "g_18_dale/game.rb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(_example(name), encoding="utf-8")
    import_title(tmp_path / "g_18_dale", tmp_path / "18dale")
    return tmp_path / "18dale"


def test_the_example_of_the_documentation_comes_out_as_it_says(dale: Path) -> None:
    assert (dale / "map.json").read_text(encoding="utf-8") == _example("18dale/map.json")
    report = (dale / "import-report.md").read_text(encoding="utf-8")
    assert _example("18dale/import-report.md") in report
    assert _errors(dale) == []


def test_companies_trains_phases_and_market(dale: Path) -> None:
    companies = block(dale, "companies")
    railway = companies["D-U"]
    assert railway["token_text"] == "D&U"
    assert railway["certificates"] == [
        {"percent": 20, "director": True},
        {"percent": 10, "count": 8},
    ]
    assert (railway["stations"], railway["homes"], railway["float_percent"]) == (
        [0, 40],
        [{"hex": "B2", "stop": 0}],
        50,
    )
    private = block(dale, "privates")["SC"]
    assert (private["blocks"], private["value"], private["income"]) == (["C1"], 20, 5)
    trains = block(dale, "trains")
    assert (trains["2"]["count"], trains["2"]["rusts_on"]) == (4, ["3"])
    assert (trains["3"]["count"], trains["3"]["starts"], trains["3"]["permanent"]) == (3, "3", True)
    assert trains["3"]["reach"] == [{"stops": ["city"], "visit": 3, "pay": 3}]
    assert block(dale, "phases")["3"]["on"] == "3"
    assert block(dale, "market")["rows"] == [["50", "60p", "70p", "80", "90"]]
    title = json.loads((dale / "title.json").read_text(encoding="utf-8"))
    assert (title["name"], title["bank"], title["currency"]) == ("18Dale", 2000, "£{}")
    assert title["players"] == {
        "2": {"cash": 300, "certificate_limit": 12},
        "3": {"cash": 200, "certificate_limit": 9},
    }
    assert all("g_18_dale" in each["note"] for each in title["provenance"])


def test_the_same_files_give_the_same_bytes(dale: Path, tmp_path: Path) -> None:
    import_title(tmp_path / "g_18_dale", tmp_path / "again" / "18dale")
    first, second = (
        {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        for folder in (dale, tmp_path / "again" / "18dale")
    )
    assert first == second
    assert len(first) == 11


def _changed(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The example with some of its text replaced, imported."""
    pytest.importorskip("tree_sitter_ruby")
    folder = tmp_path / "lib" / "engine" / "game" / "g_18_dale"
    folder.mkdir(parents=True)
    for name in ("map.rb", "game.rb"):
        text = _example(f"g_18_dale/{name}")
        for old, new in changes:
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    import_title(folder, tmp_path / "out")
    return tmp_path / "out"


def test_pictures_beside_a_game_come_with_it(tmp_path: Path) -> None:
    for name in ("logos/18_dale/DU.svg", "icons/18_dale/sheep.svg"):
        path = tmp_path / "public" / name
        path.parent.mkdir(parents=True)
        square = '<rect width="9" height="9" fill="#d81e3e"/>'
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{square}</svg>',
            encoding="utf-8",
        )
    out = _changed(tmp_path)
    title = json.loads((out / "title.json").read_text(encoding="utf-8"))
    assert title["pictures"] == {
        "DU": "pictures/DU.svg",
        "sheep": {"file": "pictures/sheep.svg", "name": "Sheep"},
    }
    assert block(out, "companies")["D-U"]["logo"] == "DU"
    assert block(out, "map")["hexes"]["A1"]["icons"] == ["sheep"]
    assert _errors(out) == []


def test_legends_call_icons_by_words_and_not_by_files(tmp_path: Path) -> None:
    for name in ("Yellow_hex", "SC2", "x_1"):
        path = tmp_path / "public" / "icons" / "18_dale" / f"{name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        square = '<rect width="9" height="9" fill="#d81e3e"/>'
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{square}</svg>',
            encoding="utf-8",
        )
    icons = ";".join(
        f"icon=image:18_dale/{name}"
        for name in ("Yellow_hex", "SC2", "x_1", "oil-derrick_and_well", "sc-3")
    )
    out = _changed(tmp_path, ("%w[B4 C1] => '',", f"%w[B4 C1] => '{icons}',"))
    assert json.loads((out / "title.json").read_text(encoding="utf-8"))["pictures"] == {
        "Yellow_hex": {"file": "pictures/Yellow_hex.svg", "name": "Yellow hex"},
        "SC2": {"file": "pictures/SC2.svg", "name": "Sheep Carts"},
        "x_1": "pictures/x_1.svg",
    }
    said = [
        icon["text"] for icon in block(out, "map")["hexes"]["B4"]["icons"] if isinstance(icon, dict)
    ]
    assert said == ["oil derrick", "SC"]
    assert _errors(out) == []


def test_words_of_a_logo_become_outlines_and_the_report_says_so(tmp_path: Path) -> None:
    path = tmp_path / "public" / "logos" / "18_dale" / "DU.svg"
    path.parent.mkdir(parents=True)
    disc = '<circle cx="50%" cy="50%" r="50%" fill="navy"/>'
    disc += '<text x="50%" y="60%" text-anchor="middle" fill="#fff">DU</text>'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{disc}</svg>',
        encoding="utf-8",
    )
    out = _changed(tmp_path)
    assert block(out, "companies")["D-U"]["logo"] == "DU"
    picture = read_svg((out / "pictures" / "DU.svg").read_bytes(), "DU")
    assert [layer.fill for layer in picture.layers] == ["#000080", "#ffffff", "#ffffff"]
    assert "outlines of our own faces" in (out / "import-report.md").read_text(encoding="utf-8")


def test_hexes_that_a_method_leaves_out_are_there(tmp_path: Path) -> None:
    fewer = """def optional_hexes
          return game_hexes if @never_set

          { white: { %w[A1] => '' } }
        end

        def num_trains(train)"""
    out = _changed(tmp_path, ("def num_trains(train)", fewer))
    assert len(block(out, "map")["hexes"]) > 1
    assert "Hexes are all those of HEXES" in (out / "import-report.md").read_text(encoding="utf-8")


def test_trains_without_end_stay_so_whatever_a_method_counts(tmp_path: Path) -> None:
    unlimited = ("rusts_on: '3', num: 4", "rusts_on: '3', num: 'unlimited'")
    out = _changed(
        tmp_path, unlimited, ("return train[:num] if", "return 1 if train[:num] == 'unlimited' ||")
    )
    assert block(out, "trains")["2"]["unlimited"] is True


def test_a_picture_that_runs_something_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "public" / "logos" / "18_dale" / "DU.svg"
    path.parent.mkdir(parents=True)
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script/></svg>',
        encoding="utf-8",
    )
    out = _changed(tmp_path)
    assert "logo" not in block(out, "companies")["D-U"]
    assert not (out / "pictures").exists()


def test_an_icon_of_a_company_that_the_hex_shows_is_left_out(tmp_path: Path) -> None:
    out = _changed(tmp_path, ("%w[B4 C1] => '',", "%w[B4 C1] => 'icon=image:18_dale/SC',"))
    hexes = block(out, "map")["hexes"]
    assert "icons" not in hexes["C1"]
    assert hexes["B4"]["icons"] == [{"name": "sc", "text": "SC"}]


def test_statuses_beginnings_and_shared_ids(tmp_path: Path) -> None:
    out = _changed(
        tmp_path,
        (
            "operating_rounds: 1 },",
            "operating_rounds: 1, status: %w[can_buy_companies own_rule] },",
        ),
        ("on: '3', train_limit", "on: '2-3', train_limit"),
        ("sym: 'SC'", "sym: 'D&U'"),
    )
    phases = block(out, "phases")
    assert phases["2"]["status"] == ["can_buy_companies", "Own rule"]
    assert (phases["3"]["on"], phases["3"]["begins"]) == (None, "Train 2, number 4")
    assert set(block(out, "privates")) == set(block(out, "companies")) == {"D-U"}
    assert _errors(out) == []


def test_publishers_have_their_names(tmp_path: Path) -> None:
    publishers = (
        "GAME_PUBLISHER = [:gmt_games, :golden_spike, :self_published, 'MY Games'].freeze\n"
    )
    out = _changed(tmp_path, ("GAME_TITLE", f"{publishers}        GAME_TITLE"))
    head = json.loads((out / "title.json").read_text(encoding="utf-8"))
    assert head["credits"][-1] == "Published by GMT Games, Golden Spike, MY Games"


def test_labels_let_cities_merge_and_appear(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    two, one = "city=revenue:30;city=revenue:30;", "city=revenue:50,slots:2;"
    tiles = {
        "M1": ("green", two + "path=a:0,b:_0;path=a:3,b:_1;label=M"),
        "M2": ("brown", one + "path=a:0,b:_0;path=a:3,b:_0;label=M"),
    }
    code = ", ".join(
        f"'{name}' => {{ 'count' => 1, 'color' => '{c}', 'code' => '{s}' }}"
        for name, (c, s) in tiles.items()
    )
    text = _example("g_18_dale/map.rb").replace("'57' => 2,", f"'57' => 2, {code},")
    text = text.replace("yellow: {", "yellow: { ['B6'] => 'city=revenue:20;path=a:0,b:_0;label=M',")
    (tmp_path / "g_18_dale").mkdir()
    (tmp_path / "g_18_dale" / "map.rb").write_text(text, encoding="utf-8")
    (tmp_path / "g_18_dale" / "game.rb").write_text(_example("g_18_dale/game.rb"), encoding="utf-8")
    import_title(tmp_path / "g_18_dale", tmp_path / "out")
    upgrades = block(tmp_path / "out", "upgrades")
    assert (upgrades["merging_labels"], upgrades["added"]) == (
        ["M"],
        [{"colour": "green", "label": "M", "cities": 1}],
    )


def test_names_of_hexes_that_a_method_tells_one_by_one(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    (tmp_path / "g_18_dale").mkdir()
    board = _example("g_18_dale/map.rb").replace("LOCATION_NAMES =", "NAMES_NORTH =")
    game = _example("g_18_dale/game.rb").replace("def num_trains(train)", """def location_name(coord)
          return NAMES_EAST[coord] if @optional_rules.include?(:east)

          self.class::NAMES_NORTH[coord]
        end

        def num_trains(train)""")  # fmt: skip
    (tmp_path / "g_18_dale" / "map.rb").write_text(board, encoding="utf-8")
    (tmp_path / "g_18_dale" / "game.rb").write_text(game, encoding="utf-8")
    import_title(tmp_path / "g_18_dale", tmp_path / "out")
    hexes = block(tmp_path / "out", "map")["hexes"]
    assert {name: each["name"] for name, each in hexes.items() if "name" in each} == {
        "A1": "Upper Dale",
        "B2": "Dale",
    }


def test_majors_with_one_share_until_others_are_issued_have_the_usual_certificates(
    tmp_path: Path,
) -> None:
    pytest.importorskip("tree_sitter_ruby")
    (tmp_path / "g_18_dale").mkdir()
    for name in ("g_18_dale/map.rb", "g_18_dale/game.rb"):
        text = _example(name).replace("tokens: [0, 40],", "tokens: [0, 40], shares: [100],")
        (tmp_path / name).write_text(text, encoding="utf-8")
    import_title(tmp_path / "g_18_dale", tmp_path / "out")
    certificates = block(tmp_path / "out", "companies")["D-U"]["certificates"]
    assert certificates == [{"percent": 20, "director": True}, {"percent": 10, "count": 8}]
    assert "one share of 100 %" in (tmp_path / "out" / "import-report.md").read_text(
        encoding="utf-8"
    )


def test_lists_of_tiles(tmp_path: Path) -> None:
    source = tmp_path / "tiles.txt"
    source.write_text(_example("tiles.txt"), encoding="utf-8")
    import_title(source, tmp_path / "dale")
    tiles = block(tmp_path / "dale", "tiles")
    assert [(name, each["count"], each["tile"]["colour"]) for name, each in tiles.items()] == [
        ("D1", 2, "green"),
        ("D2", 1, "yellow"),
    ]


def test_a_line_that_is_no_tile_is_refused_with_its_number(tmp_path: Path) -> None:
    source = tmp_path / "tiles.txt"
    source.write_text(
        "X1 pink city=revenue:40\n\ncity=revenue:40;pith=a:0,b:_0\nnonsense\n", encoding="utf-8"
    )
    with pytest.raises(ProblemsFound) as raised:
        import_title(source, tmp_path / "out")
    assert [(each.code, each.line) for each in raised.value.problems] == [
        ("IM02", 1),
        ("IM01", 3),
        ("IM02", 4),
    ]
    assert 'did you mean "path"?' in raised.value.problems[1].hint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("game.json", "{", ":1: this is not JSON"),
        ("game.json", "[]", "expected an object, got a list"),
        (
            "game.json",
            '{"info": {"title": "X"}, "map": {"hexes": [{"track": [{"side": 1e999}], "hexes": ["A2"]}]}}',
            ":1: the number 1e999 is too large",
        ),
        ("game.rb", "X = 1", "name its folder"),
        ("empty.txt", "# nothing\n", "has no tiles"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(CannotRun, match=said):
        import_title(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_without_a_game_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "x.rb").write_text("class X; end")
    with pytest.raises(CannotRun, match="is not the folder of a game"):
        import_title(tmp_path / "x", tmp_path / "out")


def test_the_only_game_of_a_folder_is_found_and_several_are_named(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    mill = Path(__file__).parent / "games" / "g_18_mill"
    games = tmp_path / "clone" / "lib" / "engine" / "game"
    shutil.copytree(mill, games / mill.name)
    (games / "base.rb").write_text("class Base\nend\n", "utf-8")
    for number, around in enumerate((tmp_path / "clone", games)):
        import_title(around, tmp_path / f"out{number}")
        report = (tmp_path / f"out{number}" / "import-report.md").read_text("utf-8")
        assert "From g_18_mill." in report
    shutil.copytree(mill, games / "g_18_dale")
    with pytest.raises(CannotRun, match=r'holds 2 games; .*: "g_18_dale", "g_18_mill"'):
        import_title(games, tmp_path / "out")


def test_without_tree_sitter_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    (tmp_path / "g_x").mkdir()
    (tmp_path / "g_x" / "game.rb").write_text("module Engine\nend\n", encoding="utf-8")
    with pytest.raises(CannotRun, match=r"type: .*\[import\]'"):
        import_title(tmp_path / "g_x", tmp_path / "out")


def test_a_tile_string_is_drawn(tmp_path: Path, platelayer) -> None:
    done = platelayer("draw", "city=revenue:40;path=a:0,b:_0", "-o", "x.svg")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.svg").read_bytes().startswith(b"<")
    refused = platelayer("draw", "citty=revenue:40", "-o", "y.svg")
    assert refused.returncode == 1
    assert 'did you mean "city"?' in refused.stderr


def test_the_command_writes_a_folder_and_says_what_was_lost(dale: Path, platelayer) -> None:
    done = platelayer("import", dale.parent / "g_18_dale", "-o", "once")
    assert done.returncode == 0, done.stderr
    assert "3 details not imported" in done.stdout
    assert "import-report.md, then: platelayer check once" in done.stdout
    again = platelayer("import", dale.parent / "g_18_dale", "-o", "once")
    assert again.returncode == 2
    assert "not an empty folder" in again.stderr


def test_a_game_of_18xx_maker(tmp_path: Path) -> None:
    free = {"color": "white", "removeBorders": [1, 2, 3, 4, 5, 6]}
    hexes = [
        {
            "color": "plain",
            "cities": [{}],
            "names": [{"name": "Upper"}, {"name": "Dale"}],
            "hexes": ["A2"],
        },
        {"color": "plain", "hexes": ["A4", "B3"]},
        {**free, "labels": [{"label": "in brown"}], "hexes": ["B1"]},
    ]
    game = {
        "info": {"title": "18Dale", "orientation": "horizontal"},
        "map": {"hexes": hexes},
        "phases": [
            {"name": "3", "limit": 3, "tiles": "train_green"},
            {"name": "2", "limit": 2, "tiles": "yellow", "minor": True},
            {"name": "3", "limit": 1, "tiles": "green", "minor": True},
        ],
        "companies": [
            {"name": "Dale", "abbrev": "D", "color": "red"},
            {"name": "Mine", "abbrev": "M", "minor": True},
        ],
        "trains": [
            {"name": "2", "price": 80, "quantity": 3},
            {"name": "3", "price": 180, "quantity": 3},
        ],
        "tiles": {"57": 2},
    }
    (tmp_path / "18Dale.json").write_text(json.dumps(game), encoding="utf-8")
    import_title(tmp_path / "18Dale.json", tmp_path / "out")
    board = block(tmp_path / "out", "map")["hexes"]
    assert set(board) == {"A2", "A4", "B3"}
    assert board["A2"]["name"] == "Upper Dale"
    phases = block(tmp_path / "out", "phases")
    assert [(name, each["tiles"][-1], each["train_limits"]) for name, each in phases.items()] == [
        ("2", "yellow", {"minor": 2}),
        ("3", "green", {"major": 3, "minor": 1}),
    ]
    assert "| words beside the map | 1 | B1 |" in (tmp_path / "out" / "import-report.md").read_text(
        encoding="utf-8"
    )


def test_an_optional_rule_that_the_game_has_not_is_refused_with_those_that_it_has(
    tmp_path: Path,
) -> None:
    begun = "class Game < Game::Base\n"
    _changed(
        tmp_path,
        (begun, f"{begun}OPTIONAL_RULES = [{{ sym: :short_game, short_name: 'Short' }}].freeze\n"),
    )
    folder = tmp_path / "lib" / "engine" / "game" / "g_18_dale"
    with pytest.raises(
        CannotRun,
        match='no optional rule "shrt_game"; known: "short_game"; did you mean "short_game"',
    ):
        import_title(folder, tmp_path / "refused", rules=("shrt_game",))
    assert not (tmp_path / "refused").exists()
    assert import_title(folder, tmp_path / "read", rules=("short_game",)).files


def test_data_of_ruby_files_that_is_of_another_kind_is_left_out(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    _changed(
        tmp_path,
        ("coordinates: 'B2'", "coordinates: [['B2'], {}], destination_coordinates: [1]"),
        ("MARKET = [", "MARKET = 7\nNO_MARKET = ["),
    )
    assert not (tmp_path / "out" / "market.json").exists()
    report = (tmp_path / "out" / "import-report.md").read_text("utf-8")
    assert "home off the map" in report
    assert "destination off the map" in report


def test_a_bug_of_ours_is_not_blamed_on_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platelayer.exchange.maker.market_block", lambda *_: {}["a bug"])
    (tmp_path / "x.json").write_text('{"info": {"title": "X"}}', "utf-8")
    with pytest.raises(KeyError, match="a bug"):
        import_title(tmp_path / "x.json", tmp_path / "out")


def _hexes_of(source: Path, request: ImportRequest) -> Imported:
    """An importer from outside: a text of names of hexes, one a line."""
    printed = source.read_text("utf-8").split()
    if not printed:
        raise CannotRun(f"{source} names no hexes")
    head = {
        "format": "platelayer.title/1",
        "id": request.title_id(source.stem),
        "name": source.stem,
    }
    board = {"name": source.stem, "layout": "flat", "coordinates": {"letters_on": "x"}}
    hexes = {each: {"stops": [{"kind": "city"}], "name": each} for each in printed}
    losses = Losses()
    losses.assume("All hexes are cities.")
    return complete(
        Imported(head=head, maps={"main": {**board, "hexes": hexes}}, blocks={}, losses=losses)
    )


def test_an_importer_from_outside_works_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platelayer.exchange.importers.IMPORTERS", [*IMPORTERS])
    monkeypatch.chdir(tmp_path)
    add_importer(
        Importer(
            name="lists of hexes",
            source="a text file of hexes",
            takes=lambda source: source.suffix == ".hexes",
            read=_hexes_of,
            modules=("json",),
        )
    )
    (tmp_path / "dale.hexes").write_text("A2 A4 B3", "utf-8")
    done = CliRunner().invoke(cli, ["import", "dale.hexes"])
    assert done.exit_code == 0, done.output
    assert set(block(tmp_path / "dale", "map")["hexes"]) == {"A2", "A4", "B3"}
    assert "All hexes are cities." in (tmp_path / "dale" / "import-report.md").read_text("utf-8")
    assert "a text file of hexes" in CliRunner().invoke(cli, ["import", "--help"]).output
    with pytest.raises(CannotRun, match="lists what can be imported"):
        import_title(tmp_path / "nothing", tmp_path / "out")
    with pytest.raises(
        CannotRun, match=r"rules: .* does nothing for a text file of hexes; it is for 18xx\.games"
    ):
        import_title(tmp_path / "dale.hexes", tmp_path / "out", rules=("short",))
    with pytest.raises(ValueError, match="there is an importer called 'lists of hexes'"):
        add_importer(
            Importer(name="lists of hexes", source="", takes=lambda _: True, read=_hexes_of)
        )


def test_an_importer_names_the_modules_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platelayer.exchange.importers.IMPORTERS", [*IMPORTERS])
    needs = ("json", "no_such_module")
    add_importer(
        Importer(
            name="x",
            source="an x",
            takes=lambda _: True,
            read=_hexes_of,
            modules=needs,
            install="x-reader",
        )
    )
    (tmp_path / "a.x").write_text("A2", "utf-8")
    with pytest.raises(
        CannotRun, match=r"x is read with no_such_module, .* type: .*pip install x-reader"
    ):
        import_title(tmp_path / "a.x", tmp_path / "out")


def test_what_the_engine_reads_of_a_sloppy_game(tmp_path: Path) -> None:
    """The price before a sign that it does not know, and all of several destinations."""
    pytest.importorskip("tree_sitter_ruby")
    _changed(
        tmp_path,
        ("coordinates: 'B2'", "coordinates: 'B2', destination_coordinates: %w[B4 B2]"),
        ("MARKET = [", "MARKET = [%w[10#r 20 30p]]\nNO_MARKET = ["),
    )
    assert block(tmp_path / "out", "market")["rows"] == [["10", "20", "30p"]]
    companies = block(tmp_path / "out", "companies")
    aiming = [company for company in companies.values() if "destination" in company]
    assert [company["destination"] for company in aiming] == [{"hex": "B4"}]
    assert aiming[0]["further_destinations"] == [{"hex": "B2"}]


def test_what_a_game_says_of_single_companies_trains_and_stops(tmp_path: Path) -> None:
    _changed(
        tmp_path,
        ("coordinates: 'B2'", "coordinates: 'B2', max_ownership_percent: 80, capitalization: :full"),
        ("desc: 'Blocks C1 while a player owns it.',", ""),
        ("abilities: [{", "abilities: [{ type: 'token', hexes: ['B2'], price: 40, count: 1 }, {"),
        ("name: '2', distance: 2,", "name: '2H', distance: 2, salvage: 20, track_type: :narrow,"),
        ("offboard=revenue:yellow_20|brown_50;", "offboard=revenue:yellow_20|brown_50,hide:1,visit_cost:0;"),
        ("label=D',", "label=D;border=edge:2,type:water;stub=edge:4',"),
    )  # fmt: skip
    company = block(tmp_path / "out", "companies")["D-U"]
    assert (company["ownership_limit"], company["capital"]) == (80, "full")
    private = block(tmp_path / "out", "privates")["SC"]
    assert private["abilities"] == ["May place a station in B2 for £40."]
    assert 'rule of an ability (token: {"count": 1})' in private["$comment"]
    train = block(tmp_path / "out", "trains")["2H"]
    assert (train["hexes"], train["salvage"], train["gauges"]) == (2, 20, ["narrow", "dual"])
    (stop,) = block(tmp_path / "out", "map")["hexes"]["A1"]["stops"]
    assert (stop["visits"], stop["hidden"]) == (0, True)
    tile = block(tmp_path / "out", "tiles")["D1"]["tile"]
    assert tile["partitions"] == [
        {
            "a": {"edge": 1.5, "distance": 1.07},
            "b": {"edge": 2.5, "distance": 1.07},
            "kind": "river",
        }
    ]
    assert [4, "junction", {"gauge": "future", "terminal": "short"}] in tile["track"]
