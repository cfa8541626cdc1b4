"""Lays: what each rule refuses, what is legal, and moves in order of income."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from platelayer.cli.app import cli
from platelayer.foundation.problems import CannotRun
from platelayer.model.gamemap import neighbour, opposite
from platelayer.model.position import Lay, Position, Station
from platelayer.model.tile import rotate_tile
from platelayer.pipeline.load import find
from platelayer.play.routes import Table, moves_json, table
from platelayer.rules.graph import next_lays
from platelayer.rules.positions import spots_of

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
    # Tile 57 looks the same when it is turned by half.
    assert [str(move.lay) for move in moves if move.hex == "G4" and move.lay.tile == "57"] == [
        "57 1"
    ]
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


KINDS_OF_FAULTS = ("edge", "track", "upgrade", "phase", "left", "connection", "hex", "reserved")


def illegal_lays(seed: int) -> Iterator[tuple[Table, str, Lay, str]]:
    """Illegal lays on a random board of 18EU, each with the rule that it breaks, found by the tiles
    and the map alone."""
    dice = random.Random(seed)
    title = find("18eu").title
    board, spots = title.maps[0], spots_of(title, title.maps[0])
    lying: dict[str, Lay] = {}
    for hex_id in dice.choices(sorted(spots), k=dice.randint(10, 80)):
        lie = lying.get(hex_id)
        _, fitting = next_lays(title, spots[hex_id], (lie.tile, lie.rotation) if lie else None)
        lays = [Lay(tile, turn) for tile, turns in fitting.items() for turn in turns]
        if lays:
            lying[hex_id] = dice.choice(lays)
    position = Position(
        title="18eu",
        phase="6",
        tiles=tuple(lying.items()),
        tokens=(("J1", (Station("BNR", 1),)),),
    )
    shown = title.shown_in(position)
    here = Table(title=title, position=position, company=None)
    used = Counter(lay.tile for lay in lying.values())

    def neighbours(hex_id: str) -> dict[int, str | None]:
        at = board.by_id[hex_id].at
        others = {edge: board.by_coord.get(neighbour(at, edge, board.layout)) for edge in range(6)}
        return {edge: other and other.id for edge, other in others.items()}

    for hex_id, spot in sorted(spots.items()):
        lie = lying.get(hex_id)
        alone, fitting = next_lays(title, spot, (lie.tile, lie.rotation) if lie else None)
        wrong = [each for each in title.tile_by_id if each not in alone]
        yield here, hex_id, Lay(dice.choice(wrong), dice.randrange(6)), "upgrade"
        reserved = [c for c in spot.hexagon.reserved if lie is None]
        for tile, turns in fitting.items():
            new = title.tile_by_id[tile].tile
            for turn in range(6):
                exits = rotate_tile(new, turn).exits
                if {edge for edge, other in neighbours(hex_id).items() if other is None} & {*exits}:
                    yield here, hex_id, Lay(tile, turn), "edge" if turn in alone[tile] else "track"
                if lie is not None and not {*shown[hex_id].exits} <= {*exits}:
                    yield here, hex_id, Lay(tile, turn), "track"
            if not turns:
                continue
            lay = Lay(tile, dice.choice(turns))
            if reserved:
                yield here, hex_id, lay, "reserved"
            if new.colour != "yellow":
                early = Table(title=title, position=replace(position, phase="2"), company=None)
                yield early, hex_id, lay, "phase"
            entry = title.tile_by_id[tile]
            if used[tile] and not entry.unlimited:
                few = tuple(replace(e, count=used[tile]) if e is entry else e for e in title.tiles)
                gone = Table(title=replace(title, tiles=few), position=position, company=None)
                yield gone, hex_id, lay, "left"
            # No track comes to the hex, and no token is on it: nobody can reach it.
            around = neighbours(hex_id)
            if hex_id not in dict(position.tokens) and not any(
                other and opposite(edge) in shown[other].exits for edge, other in around.items()
            ):
                yield replace(here, company="BNR"), hex_id, lay, "connection"
    for hexagon in board.hexes:
        if hexagon.id not in spots:
            yield here, hexagon.id, Lay("57", 0), "hex"


def refused(count: int) -> None:
    """Illegal lays of each kind are refused with the rule that they break."""
    found = Counter[str]()
    for seed in range(1000):
        for each, hex_id, lay, rule in illegal_lays(seed):
            if found[rule] < count:
                verdict = each.judge(hex_id, lay)
                assert rule in verdict.rules, (seed, hex_id, lay, rule, verdict)
                found[rule] += 1
        if all(found[rule] >= count for rule in KINDS_OF_FAULTS):
            break
    assert {rule: found[rule] for rule in KINDS_OF_FAULTS} == dict.fromkeys(KINDS_OF_FAULTS, count)


def test_illegal_lays_are_refused_with_the_rule_that_they_break() -> None:
    refused(4)


@pytest.mark.slow
def test_a_thousand_illegal_lays_are_refused_with_the_rule_that_they_break() -> None:
    refused(125)


def asking(board: Table, connection: str) -> Table:
    upgrades = replace(board.title.upgrades, connection=connection)
    return replace(board, title=replace(board.title, upgrades=upgrades))


def test_a_city_that_others_fill_leads_nowhere_but_may_pay_more(here) -> None:
    """BNR comes from Paris to Brussels, which SNCF's token fills. A second slot or a neutral token
    would let it pass. In green, Brussels pays more, too (18EU, 4.6: the tile of a city extends a
    route or raises its income)."""
    tokens = {"H3": ["SNCF"], "J1": ["BNR"]}
    yellow = {"I2": "9 1", "H3": "202 1"}
    full = here(tiles=yellow, tokens=tokens)
    assert full.judge("H3", Lay("577", 4)).legal
    full = asking(full, "track")
    assert full.judge("H3", Lay("577", 4)).rules == ("connection",)
    passing = here(tiles=yellow, tokens={**tokens, "H3": ["*"]})
    assert asking(passing, "track").judge("H3", Lay("577", 4)).legal
    wider = here(phase="5", tiles={"I2": "9 1", "H3": "577 4"}, tokens=tokens)
    assert asking(wider, "track").judge("H3", Lay("582", 1)).legal


def test_18cz_upgrades_track_that_a_company_reaches() -> None:
    """8-5: the company need not be able to use what an upgrade adds. Other titles ask for that."""
    position = Position(
        title="18cz",
        phase="e",
        tiles=(("E15", Lay("57", 0)), ("F14", Lay("9", 0))),
        tokens=(("E15", (Station("BCB"),)),),
    )
    board = Table(title=find("18cz").title, position=position, company="BCB")
    assert board.judge("F14", Lay("20", 0)).legal
    for connection in ("track", "value", "city"):
        assert asking(board, connection).judge("F14", Lay("20", 0)).rules == ("connection",)


def test_titles_ask_for_what_their_rulebooks_say() -> None:
    """1841, 4.1: city tiles that are reached; 18CZ, 8-5, 1824 and Lost Atlas: any track."""
    asked = {
        name: find(name).title.upgrades.connection for name in ("1841", "18cz", "1824", "18eu")
    }
    assert asked == {"1841": "city", "18cz": "any", "1824": "any", "18eu": "value"}
    assert find("lost-atlas").title.upgrades.connection == "any"
