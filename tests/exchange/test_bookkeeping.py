"""The books of a game: what happens in a short game, typed in, and every formula worked out."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from test_tile_writing import TITLES

from often import often
from platelayer.exchange import export
from platelayer.exchange.export import export_title
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.text import Text
from shipped import shipped

openpyxl = pytest.importorskip("openpyxl")

from exchange.spreadsheet import Sheets, Wrong  # noqa: E402
from platelayer.exchange.writers.bookkeeping import LEDGER_LINES, OPERATING_ROUNDS, books  # noqa: E402

LEDGER, PLAYERS = "ABCDEFGHI", ("Ann", "Bob", "Cem")


@cache
def shipped_books(name: str, language: str = "en") -> bytes:
    return books(shipped(name), language)


def opened(name: str, language: str = "en") -> Any:
    return openpyxl.load_workbook(io.BytesIO(shipped_books(name, language)))


def typed(workbook: Any, lines: list[tuple[Any, ...]]) -> None:
    """Three players, and lines of the ledger."""
    game, ledger = workbook.worksheets[:2]
    row = 5
    while game[f"A{row}"].value is not None and game[f"B{row}"].value is not None:
        game[f"B{row}"] = PLAYERS[row - 5] if row - 5 < len(PLAYERS) else None
        row += 1
    for number, line in enumerate(lines, 2):
        for letter, value in zip(LEDGER, line, strict=False):
            ledger[f"{letter}{number}"] = value


def rows_of(workbook: Any, company: str) -> list[int]:
    revenue = workbook["Revenue"]
    return [row for row in range(2, revenue.max_row + 1) if revenue[f"B{row}"].value == company]


SHORT_GAME = [
    (1, "Ann", "Bank", 200, "director's certificate", "BNR", 20, "Unsold", "Ann"),
    (1, "Bob", "Bank", 100, "share", "BNR", 10, "Unsold", "Bob"),
    (1, "Ann", "Bank", 300, "three shares", "BNR", 30, "Unsold", "Ann"),
    (1, "Bank", "BNR", 1000, "capital"),
    (1, "Cem", "Bank", 150, "a minor", 1, 100, "Unsold", "Cem"),
    (2, "BNR", "Bank", 100, "a 2-train"),
    (2, "BNR", "Bank", 60, "terrain"),
    (4, "Bank", "Bob", 110, "sold", "BNR", 10, "Bob", "Pool"),
]
"""Rounds 2 and 3 are operating rounds, 4 a stock round, 5 and 6 operating rounds again."""


@pytest.fixture(name="played", scope="module")
def _played() -> Any:
    workbook = opened("18eu")
    typed(workbook, SHORT_GAME)
    revenue, companies, trains = (workbook[name] for name in ("Revenue", "Companies", "Trains"))
    first, second, third, *_ = rows_of(workbook, "BNR")
    revenue[f"C{first}"] = 90
    revenue[f"C{second}"], revenue[f"D{second}"] = 100, 50
    revenue[f"C{third}"] = 100
    minor = rows_of(workbook, "1")[0]
    revenue[f"C{minor}"], revenue[f"D{minor}"] = 65, 33
    companies["D2"], companies["E2"], companies["F2"] = "Ann", 100, 110
    trains["G2"], trains["E2"] = 1, 2
    return workbook


@pytest.fixture(name="sheets", scope="module")
def _sheets(played: Any) -> Sheets:
    return Sheets(played)


def balance(sheets: Sheets, name: str = "Balance") -> dict[Any, list[Any]]:
    sheet = sheets.workbook[name]
    return {
        sheets.value(name, f"A{row}"): [sheets.value(name, f"{letter}{row}") for letter in "BCDEFG"]
        for row in range(2, sheet.max_row)
        if sheet[f"A{row}"].value
    }


def test_money_goes_where_the_lines_say(sheets: Sheets) -> None:
    lines = balance(sheets)
    # Ann: 450 - 200 - 300, 50 % of 90, of 50 and of 100. Bob: 450 - 100 + 110, 10 % of 90, and of
    # 50.
    assert lines["Ann"] == [450 - 500 + 45 + 25 + 50, 550, 0, 70 + 550, 4, 20]
    assert lines["Bob"] == [450 - 100 + 110 + 9 + 5, 0, 0, 474, 0, 20]
    assert lines["Cem"] == [450 - 150 + 33, 0, 0, 333, 1, 20]
    treasuries = (1000 - 160 + 50 + 10) + (65 - 33)
    assert lines["Treasuries"][0] == treasuries
    assert lines["Bank"][0] == 12_000 - 70 - 474 - 333 - treasuries
    assert lines["Check"][0] == 0


def test_dividends_go_to_whom_holds_the_shares_then(played: Any, sheets: Sheets) -> None:
    paid = [
        [sheets.value("Revenue", f"{letter}{row}") for letter in "AEFGK"]
        for row in rows_of(played, "BNR")[:3]
    ]
    assert paid == [[2, 45, 9, 0, 0], [3, 25, 5, 0, 50], [5, 50, 0, 0, 10]]


def test_shares_and_trains_are_counted(sheets: Sheets) -> None:
    assert [sheets.value("Companies", f"{letter}2") for letter in "IJKOPQ"] == [50, 0, 0, 10, 40, 0]
    assert [sheets.value("Companies", f"{letter}2") for letter in "RST"] == [900, 1, 4]
    assert [sheets.value("Trains", f"{letter}2") for letter in "ACEF"] == ["2", 15, 2, 12]


@pytest.mark.slow
def test_a_payer_who_is_nobody_shows_in_the_check() -> None:
    workbook = opened("18eu")
    typed(workbook, [*SHORT_GAME, (2, "Anne", "Bank", 50)])
    assert balance(Sheets(workbook))["Check"][0] == 50


@pytest.mark.parametrize(("name", "language"), often(product(TITLES, ["en", "ja"]), ("1841", "ja")))
def test_every_formula_has_a_value(name: str, language: str) -> None:
    title = shipped(name)
    workbook = opened(name, language)
    sheets = Sheets(workbook)
    formulas = 0
    for sheet in workbook:
        for row in sheet.iter_rows(max_row=min(sheet.max_row, 30)):
            for cell in row:
                if cell.data_type == "f":
                    formulas += 1
                    try:
                        value = sheets.value(sheet.title, cell.coordinate)
                    except Wrong as error:
                        raise AssertionError(
                            f"{sheet.title}!{cell.coordinate} {cell.value}: {error}"
                        ) from error
                    assert value is not None
    assert formulas > 100
    lines = balance(sheets, workbook.sheetnames[-1])
    counts = {count.players: count for count in title.players}
    most = counts[max(counts)]
    players = list(lines.values())[: most.players]
    assert [line[0] for line in players] == [most.cash] * most.players
    assert {line[5] for line in players} == {most.certificate_limit or 0} or most.limits


@pytest.mark.slow
def test_private_companies_pay_their_owner() -> None:
    title = shipped("1824")
    workbook = opened("1824")
    private = next(company for company in title.companies if company.id == "B1")
    typed(workbook, [(1, "Ann", "Bank", private.value, "", "B1", 100, "Unsold", "Ann")])
    sheets = Sheets(workbook)
    lines = balance(sheets)
    cash = next(count.cash for count in title.players if count.players == 3)
    assert lines["Ann"][0] == cash - private.value + OPERATING_ROUNDS * private.income
    assert lines["Ann"][2] == private.value
    names = workbook["Private companies"]
    owner = sheets.value(
        "Private companies", f"{openpyxl.utils.get_column_letter(names.max_column)}2"
    )
    assert owner == "Ann"
    assert lines["Check"][0] == 0


def test_words_are_never_formulas() -> None:
    title = shipped("18eu")
    company, *others = title.companies
    evil = replace(company, name=Text((("en", '=HYPERLINK("http://x","y")\x01'),)))
    title = replace(title, companies=(evil, *others), name=Text((("en", "=1+1"),)))
    workbook = openpyxl.load_workbook(io.BytesIO(books(title, "en")))
    assert workbook["Companies"]["B2"].data_type == "s"
    assert workbook["Companies"]["B2"].value.startswith("=HYPERLINK")
    assert workbook["Game"]["A1"].data_type == "s"


def test_the_file_says_no_time() -> None:
    with zipfile.ZipFile(io.BytesIO(shipped_books("lost-atlas"))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"1980-01-01T00:00:00Z" in archive.read("docProps/core.xml")


def test_the_currency_is_that_of_the_title() -> None:
    for name, language, sheet, amount in (
        ("18eu", "en", "Game", '"£"#,##0'),
        ("1841", "ja", "ゲーム", '"L."#,##0'),
    ):
        data = io.BytesIO(shipped_books(name, language))
        cell = openpyxl.load_workbook(data, read_only=True)[sheet]["H5"]
        assert cell.number_format.split(";")[0] == amount


def test_japanese_words() -> None:
    workbook = opened("1841", "ja")
    assert workbook.sheetnames == ["ゲーム", "記録", "収益", "会社", "個人会社", "列車", "残高"]
    assert workbook.worksheets[1].max_row == LEDGER_LINES + 1


def test_without_openpyxl_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(export, "find_spec", {}.get)
    with pytest.raises(CannotRun, match=r"openpyxl, which is not installed; type: .*spreadsheet"):
        export_title("18eu", "bookkeeping", tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Workbook contains no default style")
@pytest.mark.skipif(shutil.which("ssconvert") is None, reason="Gnumeric is not installed")
def test_a_spreadsheet_program_finds_the_same(played: Any, tmp_path: Path) -> None:
    source, worked_out = tmp_path / "books.xlsx", tmp_path / "again.xlsx"
    played.save(source)
    subprocess.run(
        ["ssconvert", "--recalc", str(source), str(worked_out)], check=True, capture_output=True
    )
    theirs, ours = openpyxl.load_workbook(worked_out, data_only=True), Sheets(played)
    compared = 0
    for sheet in played:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    their, our = (
                        theirs[sheet.title][cell.coordinate].value,
                        ours.value(sheet.title, cell.coordinate),
                    )
                    assert (their or 0) == (our or 0), (sheet.title, cell.coordinate, cell.value)
                    compared += 1
    assert compared > 1000
