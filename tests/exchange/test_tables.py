"""Titles as tables: there and back without loss, as designers write them, and with their slips."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from beside import needs
from exchange import corpus
from often import often
from platelayer.cli.app import cli
from platelayer.definitions.assemble import assemble_title
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.tables.columns import names_of, reach
from platelayer.exchange.tables.read import follow_tables, read_title
from platelayer.exchange.tables.sheets import Cell, Sheet, read_sheets
from platelayer.foundation.problems import CannotRun, Place, Problem, ProblemsFound
from platelayer.pipeline.load import check
from platelayer.pipeline.scaffold import NewTitle, new_title

openpyxl = pytest.importorskip("openpyxl")


def _read(**texts: str) -> Any:
    """The definition that CSV files make, without problems."""
    tables = read_title(
        read_sheets({f"{name}.csv": text.encode() for name, text in texts.items()}), "game", "game"
    )
    assert [str(problem) for problem in tables.problems] == []
    return tables.value


def _problems(**texts: str) -> list[str]:
    tables = read_title(
        read_sheets({f"{name}.csv": text.encode() for name, text in texts.items()}), "game", "game"
    )
    return [f"{problem.place} {problem.words}" for problem in tables.problems]


def _definition(reference: str | Path) -> Any:
    value = dict(assemble_title(reference).value)
    value.pop("$schema", None)
    return value


def _workbook(folder: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets.items():
        worksheet = workbook.create_sheet(name)
        for row in rows:
            worksheet.append(row)
    workbook.save(folder / "game.xlsx")
    return folder / "game.xlsx"


# There and back.


@pytest.mark.parametrize(
    "title", often(("18cz", "1841", "18eu", "1824", "lost-atlas"), "lost-atlas")
)
@pytest.mark.parametrize("language", often(("en", "ja"), "ja"))
def test_a_title_goes_there_and_back(title: str, language: str) -> None:
    from platelayer.exchange.tables.write import workbook_of

    before = _definition(title)
    data = workbook_of(before, language)
    assert data == workbook_of(before, language)
    tables = read_title(read_sheets({"x.xlsx": data}), "x", "x")
    assert tables.problems == []
    assert tables.value == before
    for block in ("trains", "phases", "companies", "tiles"):
        assert list(tables.value[block]) == list(before[block])


@pytest.mark.slow
@needs("corpus")
@pytest.mark.parametrize(
    "source", [*corpus.ruby_games(), *corpus.maker_games()], ids=lambda path: path.name
)
def test_an_imported_game_goes_there_and_back(source: Path) -> None:
    from platelayer.exchange.tables.write import workbook_of

    if source.is_dir():
        pytest.importorskip("tree_sitter_ruby")
    before = _definition(corpus.imported(source))
    tables = read_title(read_sheets({"x.xlsx": workbook_of(before)}), "x", "x")
    assert tables.problems == []
    assert tables.value == before


def test_an_export_is_a_title_and_imports_as_it_was(tmp_path: Path) -> None:
    export_title("lost-atlas", "spreadsheet", tmp_path)
    assert (tmp_path / "compass.svg").is_file()
    before, after = _definition("lost-atlas"), _definition(tmp_path / "lost-atlas.xlsx")
    assert after == before
    import_title(tmp_path / "lost-atlas.xlsx", tmp_path / "back")
    assert _definition(tmp_path / "back") == before
    assert (tmp_path / "back" / "compass.svg").is_file()


def test_what_was_edited_in_a_table_counts(tmp_path: Path) -> None:
    new_title(tmp_path / "my-game", "spreadsheet")
    path = tmp_path / "my-game" / "my-game.xlsx"
    assert not check(str(path), quick=True)
    workbook = openpyxl.load_workbook(path)
    trains = workbook["trains"]
    price = next(cell for cell in trains[1] if cell.value == "price").column
    trains.cell(2, price).value = "£ 1,085"
    workbook.save(path)
    value = _definition(path)
    assert next(iter(value["trains"].values()))["price"] == 1085
    assert value["id"] == "my-game"


# As designers write.


def test_trains_in_japanese() -> None:
    value = _read(
        列車="列車,枚数,値段,廃車\n２,5,80円,４\n3,4,180,-\n４,3,¥300,\n",
        フェイズ="フェーズ,列車制限,タイル,OR数\n2,4,黄,1\n3,4,黄、緑,2\n",
    )
    assert value["trains"]["2"] == {
        "name": "2",
        "count": 5,
        "price": 80,
        "rusts_on": ["4"],
        "reach": reach("2"),
        "colour": "yellow",
    }
    assert value["trains"]["3"]["permanent"] is True
    assert value["trains"]["3"]["starts"] == "3"
    assert value["phases"]["2"] == {
        "on": None,
        "train_limits": {"major": 4},
        "tiles": ["yellow"],
        "operating_rounds": 1,
    }
    assert value["phases"]["3"]["on"] == "3"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("3", [(("city", "town", "offboard"), 3, 3, 1)]),
        ("2+2", [(("city", "offboard"), 2, 2, 1), (("town",), 2, 2, 1)]),
        ("4D", [(("city", "town", "offboard"), 4, 4, 2)]),
        ("5E", [(("city", "town", "offboard"), None, 5, 1)]),
        ("4H", [(("city", "town", "offboard"), None, None, 1)]),
        ("D", [(("city", "town", "offboard"), None, None, 1)]),
    ],
)
def test_reach_follows_from_a_name(name: str, said: list[Any]) -> None:
    found = [
        (tuple(entry["stops"]), entry["visit"], entry["pay"], entry.get("multiplier", 1))
        for entry in reach(name)
    ]
    assert found == said


def test_a_train_may_count_hexes() -> None:
    value = _read(trains="Train,Count,Price,Reach\n4H,2,100,\nX,1,200,6H\nD,1,900,\n")
    assert [train.get("hexes") for train in value["trains"].values()] == [4, 6, None]
    everywhere = [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}]
    assert all(train["reach"] == everywhere for train in value["trains"].values())


def test_shares_homes_and_stations() -> None:
    value = _read(
        companies='Abbr,Name,Colour,Shares,Tokens,Home,Float %\nNR,Northern,navy,"20,10x8","0, 40, ?","B3, C4/1",60\n'
        "SR,Southern,#FF0000,,0,B3,50\n",
        shares="company,percent,count\nSR,30,\n,10,7\n",
    )
    company = value["companies"]["NR"]
    assert company["certificates"] == [
        {"percent": 20, "director": True},
        {"percent": 10, "count": 8},
    ]
    assert company["stations"] == [0, 40, None]
    assert company["homes"] == [{"hex": "B3"}, {"hex": "C4", "stop": 1}]
    assert company["kind"] == "major"
    assert value["companies"]["SR"]["certificates"] == [
        {"percent": 30, "director": True},
        {"percent": 10, "count": 7},
    ]


def test_rows_of_a_map() -> None:
    value = _read(
        map="layout,flat\n\nHex,Type,Name,Value,Cost\nA2,off-board,West,20/50,\nB1,mountain,,,60\nB3,2 towns,Twin,10; 20,\n"
        "C2,city 2,Port,30,\n"
    )
    hexes = value["maps"]["main"]["hexes"]
    assert hexes["A2"] == {
        "colour": "red",
        "name": "West",
        "stops": [{"kind": "offboard", "revenue": {"yellow": 20, "brown": 50}}],
        "track": [[4, "stop:0"], [5, "stop:0"]],
    }
    assert hexes["B1"] == {"terrain": [{"kinds": ["mountain"], "cost": 60}]}
    assert hexes["B3"]["stops"] == [
        {"kind": "town", "revenue": 10},
        {"kind": "town", "revenue": 20},
    ]
    assert hexes["C2"]["stops"] == [{"kind": "city", "slots": 2, "revenue": 30}]


@pytest.mark.parametrize(
    ("drawn", "layout", "names"),
    [
        # Every second cell: the parity of doubled coordinates.
        (",1,2,3\nA,C Aa 20,,T\nB,,M60 Bb,\n", "flat", {"A1": "Aa", "B2": "Bb"}),
        # All cells of a row, every second one half a hex to the right.
        ("layout,pointy\nC Aa 20,T\n.,M60 Bb\n", "pointy", {"A1": "Aa", "B4": "Bb"}),
    ],
)
def test_a_drawn_map(drawn: str, layout: str, names: dict[str, str]) -> None:
    if layout == "flat":
        drawn = "layout,flat\n" + drawn
    board = _read(map=drawn)["maps"]["main"]
    assert board["layout"] == layout
    named = {key: entry["name"] for key, entry in board["hexes"].items() if "name" in entry}
    by_place = sorted(named.values())
    assert by_place == sorted(names.values())
    first = next(entry for entry in board["hexes"].values() if entry.get("name") == "Aa")
    assert first["stops"] == [{"kind": "city", "revenue": 20}]
    other = next(entry for entry in board["hexes"].values() if entry.get("name") == "Bb")
    assert other["terrain"] == [{"kinds": ["mountain"], "cost": 60}]


def test_a_map_of_merged_and_coloured_cells(tmp_path: Path) -> None:
    from openpyxl.styles import PatternFill

    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Map"
    for at, words in {
        "A1:B1": "O West 20/50",
        "C1:D1": "C Aa",
        "B2:C2": ".",
        "D2:E2": "C2 Bb 40 [Y] >14",
    }.items():
        sheet.merge_cells(at)
        sheet[at.partition(":")[0]] = words
    sheet["D2"].fill = PatternFill("solid", fgColor="FFFFD966")
    workbook.save(tmp_path / "game.xlsx")
    board = _definition(tmp_path / "game.xlsx")["maps"]["main"]
    assert board["layout"] == "pointy"
    assert board["coordinates"] == {"letters_on": "y"}
    assert list(board["hexes"]) == ["A1", "A3", "B2", "B4"]
    assert board["hexes"]["A1"]["colour"] == "red"
    assert board["hexes"]["A1"]["track"] == [[4, "stop:0"], [5, "stop:0"]]
    assert board["hexes"]["B4"] == {
        "colour": "yellow",
        "name": "Bb",
        "stops": [{"kind": "city", "slots": 2, "revenue": 40}],
        "labels": ["Y"],
        "track": [[1, "stop:0"], [4, "stop:0"]],
    }


def test_a_market_by_letters_and_by_colours(tmp_path: Path) -> None:
    from openpyxl.styles import PatternFill

    value = _read(
        market="60,66,74p,82\n55,60p,\n,50,\nzone,name,colour,par\np,Start,tile.yellow,yes\n"
    )
    assert value["market"]["rows"] == [["60", "66", "74p", "82"], ["55", "60p"], [None, "50"]]
    assert value["market"]["zones"] == {
        "p": {"name": "Start", "colour": "tile.yellow", "par": True}
    }
    path = _workbook(tmp_path, {"Market": [[60, 66, 74], [50, 60]]})
    workbook = openpyxl.load_workbook(path)
    workbook["Market"]["C1"].fill = PatternFill("solid", fgColor="FFFFE066")
    workbook.save(path)
    market = _definition(path)["market"]
    assert market["rows"] == [["60", "66", "74y"], ["50", "60"]]
    assert market["zones"] == {"y": {"name": "Start price", "colour": "#ffe066", "par": True}}


def test_texts_are_player_aids() -> None:
    value = _read(
        texts="card,heading,text,text (ja)\nTurn,Stock,Sell.,売る。\n,,Buy.,買う。\n,Operate,Lay.,敷く。\n"
    )
    assert value["aids"]["Turn"]["sections"] == [
        {
            "heading": "Stock",
            "lines": [{"en": "Sell.", "ja": "売る。"}, {"en": "Buy.", "ja": "買う。"}],
        },
        {"heading": "Operate", "lines": [{"en": "Lay.", "ja": "敷く。"}]},
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_encodings_of_csv(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "列車.csv").write_bytes("列車,枚数,値段\r\n急行,5,80\r\n".encode(encoding))
    (train,) = _definition(tmp_path)["trains"].values()
    assert (train["name"], train["count"], train["price"]) == ("急行", 5, 80)


def test_semicolons_and_accents_of_the_west(tmp_path: Path) -> None:
    text = "Company;Name;Colour;Shares\r\nKR;Königsbrück & Ölsnitz;red;20,10x8\r\n"
    (tmp_path / "companies.csv").write_bytes(text.encode("cp1252"))
    company = _definition(tmp_path / "companies.csv")["companies"]["KR"]
    assert company["name"] == "Königsbrück & Ölsnitz"
    assert company["certificates"] == [
        {"percent": 20, "director": True},
        {"percent": 10, "count": 8},
    ]


def test_an_open_document() -> None:
    def cell(words: str, more: str = "") -> str:
        return f'<table:table-cell office:value-type="string"{more}><text:p>{words}</text:p></table:table-cell>'

    def number(value: float, kind: str = "float") -> str:
        return f'<table:table-cell office:value-type="{kind}" office:value="{value}"/>'

    rows = [
        [cell("Abbr"), cell("Name"), cell("Colour"), cell("Float"), cell("Tokens")],
        ['<table:table-cell table:number-columns-repeated="5"/>'],
        [cell("NR"), cell("North<text:s text:c=\"2\"/>West"),
         '<table:table-cell table:style-name="blue"/>', number(0.6, "percentage"),
         '<table:table-cell table:formula="of:=1+1"/>'],
    ]  # fmt: skip
    body = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{rest}:1.0"'
        for name, rest in {
            "office": "office",
            "table": "table",
            "text": "text",
            "style": "style",
            "fo": "xsl-fo-compatible",
        }.items()
    )
    content = (
        f'<office:document-content {spaces}><office:automatic-styles><style:style style:name="blue" '
        'style:family="table-cell"><style:table-cell-properties fo:background-color="#1F4E8C"/></style:style>'
        f'</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Companies">{body}'
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/>'
        "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("content.xml", content)
    tables = read_title(read_sheets({"game.ods": packed.getvalue()}), "game", "game.ods")
    assert tables.value["companies"]["NR"] == {
        "name": "North  West", "float_percent": 60, "stations": "", "kind": "major", "colour": "#1f4e8c",
    }  # fmt: skip
    assert [problem.place for problem in tables.problems] == ["game.ods:Companies!E3"]


def test_cells_are_pasted_into_the_standard_input(tmp_path: Path) -> None:
    pasted = "Train\tCost\tQty\tRusts\n2\t80\t6\t4\n4\t300\t3\t\n"
    target = tmp_path / "pasted"
    outcome = CliRunner().invoke(cli, ["import", "-", "-o", str(target)], input=pasted)
    assert "5 files" not in outcome.output
    assert list(_definition(target)["trains"]) == ["2", "4"]
    assert _definition(target)["id"] == "pasted"


def test_tables_in_the_words_of_a_rulebook(tmp_path: Path) -> None:
    path = _workbook(
        tmp_path,
        {
            "Overview": [
                ["Game name:", "Steam & Salt"],
                ["Currency", "$"],
                ["Bank size", 9000],
                ["No. of players", 2, 3],
                ["Starting cash ($)", 600, 400],
            ],
            "Stock Market": [["60", "67", "100p"], ["53", "60"]],
            "Private Companies": [
                ["Name", "Face value ($)", "Revenue / OR", "Special power"],
                ["Canal", 20, 5, "One.\nTwo."],
            ],
            "Corporations": [["Corporation", "Tokens"], ["Pennsylvania Railroad", "0/40"]],
            "Rolling stock": [
                ["Train", "# of trains", "Price ($)", "Rusts on", "Phase"],
                ["2", 6, 80, "4-train", 2],
                ["4-train", 4, 300, "never", 4],
                ["Diesel", "unlimited", 1100, None, "D"],
            ],
            "Phases": [
                ["Phase", "Train limit", "Tile colours", "Operating Rounds"],
                [2, 4, "Yellow", 1],
                [4, 3, "Y/G", 2],
                ["D", 2, "Yellow, green & brown", 3],
            ],
        },
    )
    value = _definition(path)
    assert not [problem for problem in check(str(path), quick=True) if problem.code[:2] == "TB"]
    assert (value["name"], value["currency"], value["bank"]) == ("Steam & Salt", "${}", 9000)
    assert value["players"] == {"2": {"cash": 600}, "3": {"cash": 400}}
    assert value["market"]["zones"]["p"]["par"] is True
    assert value["companies"]["PR"]["name"] == "Pennsylvania Railroad"
    assert value["companies"]["PR"]["stations"] == [0, 40]
    assert value["companies"]["Canal"]["abilities"] == ["One.", "Two."]
    assert [
        (key, train.get("rusts_on"), train.get("starts")) for key, train in value["trains"].items()
    ] == [
        ("2", ["4"], None),
        ("4", None, "4"),
        ("Diesel", None, "D"),
    ]
    assert value["trains"]["Diesel"]["unlimited"] is True
    assert [(phase["on"], phase["tiles"][-1]) for phase in value["phases"].values()] == [
        (None, "yellow"),
        ("4", "green"),
        ("Diesel", "brown"),
    ]


# Slips.


def test_slips_are_told_with_their_cells(tmp_path: Path) -> None:
    path = _workbook(
        tmp_path,
        {
            "Trains": [
                ["Trains of the coast"],
                [],
                ["Train", "Qty", "Cost", "Rusts", "My thoughts"],
                [2, 6, "$80", 4, "cheap?"],
                [],
                [3, "five", 180, 4],
                [4, 3, "=200+100"],
                [datetime(2026, 2, 4), 2, 500],
                [5, 2, 600, None, None, "see rule 7"],
            ],
            "Map": [["Hex", "Type", "Cost"], ["B1", "mountian", 60], ["B3", "ctiy"], ["33", "town"]],
            "Phasse": [[1]],
            "Budget": [[1]],
        },
    )  # fmt: skip
    with pytest.raises(ProblemsFound) as caught:
        import_title(path, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    said = {
        str(problem.place).partition("game.xlsx:")[2]: problem for problem in caught.value.problems
    }
    assert set(said) == {
        "Trains!B6", "Trains!C7", "Trains!A8", "Trains!E3", "Trains!F9",
        "Map!B2", "Map!B3", "Map!A4", "Phasse!A1", "Budget!A1",
    }  # fmt: skip
    warnings = {place for place, problem in said.items() if problem.severity.word == "warning"}
    assert warnings == {"Trains!E3", "Trains!F9", "Budget!A1"}
    assert "mountain" in said["Map!B2"].hint
    assert "no saved value" in said["Trains!C7"].message
    assert "date" in said["Trains!A8"].message
    assert "as text" in said["Trains!A8"].hint
    found = {
        problem.place.partition("game.xlsx:")[2]
        for problem in check(str(path), quick=True)
        if problem.code == "TB01"
    }
    assert found == set(said) - warnings


def test_rows_that_repeat_or_lack_an_id() -> None:
    found = _problems(
        trains="Train,Cost\n2,80\n2,90\n,100\n", companies="Abbr,Name,Share\nNR,North,20x\n"
    )
    assert [line.partition(" ")[0] for line in found] == [
        "game:trains!A3",
        "game:trains!B4",
        "game:companies!C2",
    ]


def test_rules_point_at_cells(tmp_path: Path) -> None:
    (tmp_path / "trains.csv").write_text("Train,Qty,Cost,Rusts\n2,5,80,7\n", encoding="utf-8")
    problems = check(str(tmp_path), quick=True)
    assert any("trains!D2" in problem.place and problem.code == "RF04" for problem in problems)


_JUNK = (
    None, "-", 0, -5, 3.5, 99_999_999, '{"a": 1}', "[1, 2]", "[]", "null", "=A1", "{cash.4}", "2+2", "yellow 20", "D4/1",
    "20,10x8", "/a/b", "あ", "Z" * 50, "M60", "O 20/50", "C2 [Y] >9", "name", "players", "layout", "first number", "100p",
    "²", "٣", "𝕏",
)  # fmt: skip
_DRAWN = {
    "map": "layout,pointy\n,1,2,3\nA,C Aa,T,M60\nB,.,O 20/50,.\n",
    "title": "name,X\nplayers,2,3\ncash,9,8\n",
}


@pytest.mark.parametrize("seed", often(range(8), 0))
def test_no_table_breaks_the_reader(seed: int) -> None:
    from platelayer.exchange.tables.write import sheets_of

    random = Random(seed)
    whole = [
        [sheet for _, sheet in sheets_of(_definition("lost-atlas"))],
        read_sheets({f"{name}.csv": text.encode() for name, text in _DRAWN.items()}),
    ]
    for _ in range(40):
        sheets = [
            Sheet(name=sheet.name, cells=dict(sheet.cells), merged=dict(sheet.merged))
            for sheet in random.choice(whole)
        ]
        for _ in range(random.randint(1, 12)):
            sheet = random.choice(sheets)
            at = random.choice(sorted(sheet.cells))
            sheet.cells[at] = Cell(
                random.choice(_JUNK), random.choice(["", "#ffee00"]), random.choice([1, 1, 2])
            )
            if random.random() < 0.2:
                sheet.merged[at[0] + 1, at[1]] = at
        read = read_title(sheets, "x", "x")
        assert isinstance(read.value, dict)
        assert all(problem.place for problem in read.problems)


def test_a_damaged_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.xlsx").write_bytes(b"PK\x03\x04 no archive")
    outcome = CliRunner().invoke(cli, ["check", str(tmp_path / "game.xlsx")])
    assert outcome.exit_code == 1
    assert "TB03" in outcome.output


def test_names_of_fields_are_those_of_all_languages() -> None:
    assert {"cost", "値段", "Price", "価格"} <= set(names_of("price"))


def test_the_template_has_lists_and_notes(tmp_path: Path) -> None:
    (name,) = new_title(tmp_path / "x", "spreadsheet", NewTitle(companies=4, tiles="1889"))
    assert not [
        each for each in check(str(tmp_path / "x" / name), quick=True) if each.code == "TB01"
    ]
    workbook = openpyxl.load_workbook(tmp_path / "x" / name)
    companies = workbook["companies"]
    lists = [each.formula1 for each in companies.data_validations.dataValidation]
    assert any("major" in formula for formula in lists)
    assert all(cell.comment for cell in companies[1])
    assert workbook.sheetnames[0] == "title"


def test_a_folder_follows_its_table_but_for_what_was_edited(tmp_path: Path) -> None:
    table, folder = tmp_path / "trains.csv", tmp_path / "title"
    table.write_text("Train,Price,Count\n2,80,5\n", encoding="utf-8")
    assert follow_tables(table, folder) == ()
    table.write_text("Train,Price,Count\n2,90,5\n", encoding="utf-8")
    assert follow_tables(table, folder) == ()
    assert _definition(folder)["trains"]["2"]["price"] == 90
    own = (folder / "trains.json").read_text("utf-8").replace("90", "95")
    (folder / "trains.json").write_text(own, encoding="utf-8")
    table.write_text("Train,Price,Count\n2,100,5\n", encoding="utf-8")
    assert follow_tables(table, folder) == ("trains.json",)
    assert _definition(folder)["trains"]["2"]["price"] == 95
    table.write_text("Train,Price,Count\n2,much,5\n", encoding="utf-8")
    with pytest.raises(ProblemsFound):
        follow_tables(table, folder)
    other = tmp_path / "other"
    new_title(other)
    table.write_text("Train,Price\n2,80\n", encoding="utf-8")
    with pytest.raises(CannotRun):
        follow_tables(table, other)


@pytest.mark.parametrize(
    ("hint", "in_cells"),
    [
        ('give the last "permanent": true', 'give the last "yes" under permanent'),
        (
            'add "3": {"cash": ..., "certificate_limit": ...}',
            'add a row "3" with ... under cash, ... under certificate_limit',
        ),
        ('name a train ("on": "3")', 'name a train ("3" under on)'),
        ("use {cash.4}", "use {cash.4}"),
    ],
)
def test_hints_name_columns_where_the_source_is_a_table(hint: str, in_cells: str) -> None:
    problem = Problem(code="TR01", message="", hint=hint)
    assert problem.at(Place("game.xlsx", "/trains/3", 3, 2, "trains")).hint == in_cells
    assert problem.at(Place("trains.json", "/trains/3", 3, 2)).hint == hint
