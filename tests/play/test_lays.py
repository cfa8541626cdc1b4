"""Lays: what each rule refuses, what is legal, and moves in order of income."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from platelayer.cli.app import cli
from platelayer.foundation.problems import CannotRun
from platelayer.model.position import Lay
from platelayer.play.lays import moves_json, table

# A corner of 18EU: from London by Lille and Antwerp to Brussels, and on to Paris.
BOARD = {
    "format": "platelayer.position/1",
    "title": "18eu",
    "phase": "3",
    "tiles": {"G2": "58 2", "F3": "3 0", "H3": "577 4", "I2": "9 1"},
    "tokens": {"H3": ["BNR"], "J1": ["3 1"]},
    "trains": {"BNR": ["2", "3"]},
}


@pytest.fixture
def here(tmp_path):
    def read(company: str | None = "BNR", **changes):
        path = tmp_path / "board.json"
        path.write_text(json.dumps({**BOARD, **changes}), encoding="utf-8")
        return table("18eu", path, company=company)

    return read


@pytest.mark.parametrize(
    ("hex_id", "lay", "rules"),
    [
        ("G4", "57 1", ()),
        ("G4", "57 0", ("connection",)),  # from Brussels, track comes to edge 1 only
        ("G4", "57 2", ("connection",)),
        ("G4", "8 0", ("upgrade",)),  # no track of a hex without a city
        ("F3", "141 0", ()),
        ("F3", "141 2", ("track",)),
        ("H3", "513 0", ("phase", "upgrade")),
        ("K2", "8 5", ("reserved", "connection")),
        ("F1", "57 0", ("hex",)),
        ("T5", "57 0", ("connection",)),
    ],
)
def test_each_rule_is_named(here, hex_id, lay, rules) -> None:
    number, turn = lay.split()
    verdict = here().judge(hex_id, Lay(number, int(turn)))
    assert verdict.rules == rules, verdict.words


def test_without_a_company_connections_do_not_count(here) -> None:
    assert here(None).judge("T5", Lay("57", 0)).legal


def test_the_box_runs_out(here) -> None:
    # The box has two tiles 581, for Berlin and Vienna, and one 580, for Paris.
    board = here(None, tiles={**BOARD["tiles"], "E10": "581 0"})
    assert board.judge("N11", Lay("581", 1)).legal
    board = here(None, tiles={"L7": "578 1", "M4": "578 0", "Q2": "578 4"})
    verdict = board.judge("S8", Lay("578", 0))
    assert verdict.rules[0] == "left"
    assert verdict.words[0] == "box: none of the 3 tiles 578 is left."


def test_mountains_cost(here) -> None:
    board = here(None)
    assert board.judge("J3", Lay("9", 0)).cost == 60
    assert (
        board.verdict_words(board.judge("J3", Lay("9", 0))) == "9 0 on J3 is legal, and costs £60."
    )


def test_moves_are_legal_and_in_order(here) -> None:
    board = here()
    moves = board.moves()
    assert all(board.judge(move.hex, move.lay).legal for move in moves)
    incomes = [move.income for move in moves]
    assert incomes == sorted(incomes, reverse=True)
    # Cologne joined to Brussels: London to Brussels and Cologne.
    assert (moves[0].hex, moves[0].income) == ("G4", 200)
    assert len(json.loads(moves_json(moves))) == len(moves)


def test_unknown_names_are_refused(here) -> None:
    with pytest.raises(CannotRun, match='there is no hex "Z99"'):
        here().judge("Z99", Lay("57", 0))
    with pytest.raises(CannotRun, match='there is no tile "57x"; did you mean "57"'):
        here().judge("G4", Lay("57x", 0))


def test_the_command_ends_with_1_for_an_illegal_lay(tmp_path) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD), encoding="utf-8")
    words = ["position", "lay", "18eu", str(path), "--tile", "57", "--at", "G4", "--company", "BNR"]
    told = CliRunner().invoke(cli, [*words, "--turn", "0"])
    assert (told.exit_code, told.output.startswith("connection: ")) == (1, True)
    told = CliRunner().invoke(cli, [*words, "--turn", "1"])
    assert (told.exit_code, told.output) == (0, "57 1 on G4 is legal.\n")
    told = CliRunner().invoke(cli, ["position", "moves", "18eu", str(path), "--company", "BNR"])
    assert told.output.startswith("G4: 57 1, then £200\n")
