"""Positions: what check finds in them, how they are drawn, and what a game file of 18xx.games
tells."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import pytest
from msgspec import convert
from msgspec.structs import replace

from often import crossed
from platelayer.api import check_position, draw, import_position, load
from platelayer.definitions.decode import decode
from platelayer.definitions.themes import complete_theme
from platelayer.definitions.titles import load_position, position_text
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.exchange.eighteen_games.positions import Action, Game, NotAGame, _not_undone
from platelayer.exchange.eighteen_games.positions import read_game as read_game_of
from platelayer.foundation.problems import CannotRun, Severity, has_errors
from platelayer.model.position import InPlay, Position, Station, placed
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.rules.positions import check_position as problems_in
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility

RIGHT = {
    "title": "18eu",
    "phase": "3",
    "tiles": {
        "F5": "57",
        "G4": "14",
        "H3": "576",
        "E6": "8 0",
        "H5": "9 1",
        "I6": "15",
        "C4": "201",
    },
    "tokens": {
        "F5": ["3"],
        "G4": ["RPR 0.1", "BNR 0.0"],
        "H3": ["2"],
        "I6": ["RBSR", "SNCF"],
        "C4": ["DR"],
    },
    "removed": [],
    "market": {"SNCF": [0, 4]},
}


def _position(**other: object) -> Position:
    position: Position = decode(Position, RIGHT | other)
    return position


def test_a_possible_position_has_no_problems() -> None:
    assert list(problems_in(load("18eu"), _position())) == []


@pytest.mark.parametrize(
    ("code", "pointer", "other"),
    [
        ("PO01", "/phase", {"phase": "99"}),
        ("PO01", "/map", {"map": "elsewhere"}),
        ("PO01", "/removed/0", {"removed": ["99"]}),
        ("PO01", "/tiles/Z99", {"tiles": {"Z99": "57"}, "tokens": {}}),
        ("PO01", "/tiles/F5", {"tiles": {"F5": "57x"}, "tokens": {}}),
        ("PO01", "/tokens/F5/0", {"tokens": {"F5": ["XYZ"]}}),
        ("PO01", "/market/SNCF", {"market": {"SNCF": [0, 99]}}),
        ("PO02", "/tiles/E6", {"tiles": {"E6": "57"}, "tokens": {}}),
        ("PO02", "/tiles/C4", {"tiles": {"C4": "57"}, "tokens": {}}),
        (
            "PO03",
            "/tiles/E11",
            {
                "title": "18cz",
                "tiles": {"E11": "8891 0"},
                "tokens": {},
                "phase": None,
                "market": {},
            },
        ),
        ("PO04", "/tiles/D5", {"tiles": {"D5": "9 0"}, "tokens": {}}),
        (
            "PO05",
            "/tiles/R5",
            {
                "tiles": dict.fromkeys(("C4", "H3", "L7", "M4", "P13", "Q2", "S8", "R5"), "201"),
                "tokens": {},
            },
        ),
        ("PO06", "/tiles/G4", {"phase": "2"}),
        ("PO07", "/tokens/G4/1", {"tokens": {"G4": ["RPR", "BNR 0.2"]}}),
        ("PO07", "/tokens/G4/1", {"tokens": {"G4": ["RPR 0.1", "BNR 0.1"]}}),
        ("PO07", "/tokens/E6/0", {"tokens": {"E6": ["RPR"]}}),
        ("PO08", "/tokens/F5", {"tokens": {"F5": ["3"], "G4": ["3"], "I6": ["3"]}}),
    ],
)
def test_what_cannot_be_is_found_at_its_place(
    code: str, pointer: str, other: dict[str, object]
) -> None:
    position = _position(**other)
    problems = [*problems_in(load(position.title), position)]
    assert (code, pointer) in [(problem.code, problem.pointer) for problem in problems]
    assert {problem.code for problem in problems} <= {code, "PO04"}


def test_both_sides_of_a_tile_count_as_one() -> None:
    title = load("18eu")
    last = title.tiles[-1]
    back = replace(last, back_of="57", count=8, tile=replace(title.tile_by_id["57"].tile, id="57b"))
    title = replace(title, tiles=(*title.tiles, back))
    cities = [
        h.id for h in title.maps[0].hexes if h.tile.colour == "white" and len(h.tile.stops) == 1
    ][:20]
    tiles = {hex_id: "57" if index % 2 else "57b" for index, hex_id in enumerate(cities[:9])}
    codes = [
        problem.code for problem in problems_in(title, _position(tiles=tiles, tokens={}, phase="2"))
    ]
    assert codes.count("PO05") == 1


def test_a_file_is_checked_at_lines(tmp_path: Path) -> None:
    path = tmp_path / "paused.json"
    path.write_text(position_text(_position(tiles={"E6": "57"}, tokens={})), encoding="utf-8")
    (problem,) = check_position(path)
    assert (problem.code, problem.pointer, problem.line) == ("PO02", "/tiles/E6", 6)


def test_a_text_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "paused.json"
    path.write_text(position_text(_position()), encoding="utf-8")
    assert load_position(path).position == _position()


def test_tokens_without_slots_take_those_that_are_free() -> None:
    position = _position(tokens={"G4": ["DR", "BNR 0.0"], "I6": ["FS", "SNCF"]})
    assert [(token.company, token.slot) for token in placed(position)] == [
        ("DR", 1),
        ("BNR", 0),
        ("FS", 0),
        ("SNCF", 1),
    ]


@pytest.mark.parametrize(
    ("theme", "language"), crossed(["classic", "low-ink", "colour-blind"], ["en", "ja"])
)
def test_a_map_in_play_is_legible(theme: str, language: str) -> None:
    title = load("18eu")
    style = style_of(title, complete_theme(theme), language)
    scene = draw_map(
        replace(title, in_play=InPlay(position=_position(), numbers=True)), title.maps[0].id, style
    )
    assert check_legibility(scene) == ()


def _words(scene: object) -> list[str]:
    return [text.run.text for text in flatten_scene(scene)[1]]  # type: ignore[arg-type]


def test_a_map_in_play_shows_tiles_tokens_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "paused.json"
    path.write_text(position_text(_position()), encoding="utf-8")
    empty = _words(draw("18eu", "map").scene)
    plain = _words(draw("18eu", "map", BuildOptions(position=str(path))).scene)
    numbered = _words(draw("18eu", "map", BuildOptions(position=str(path), numbers=True)).scene)
    for company in ("RPR", "BNR", "RBSR", "SNCF", "DR"):
        assert plain.count(company) == empty.count(company) + 1
    assert sorted(word for word in numbered if word not in plain) == sorted(
        {"576", "8", "9", "15", "14", "57", "201"} - {*plain}
    )
    assert numbered.count("57") == plain.count("57") + 1
    assert "Dortmund" in empty
    assert "Dortmund" not in plain  # a tile hides what it lies on


# Games of 18xx.games. Their names of 18EU's hexes have letters on columns.


def does(kind: str, who: object, of: str = "corporation", **more: object) -> dict[str, object]:
    """An action of a game file."""
    return {"type": kind, "entity": who, "entity_type": of, **more}


def _lay(
    number: int, hex_id: str, tile: str, rotation: int, entity: str = "1"
) -> dict[str, object]:
    return does("lay_tile", entity, "minor", id=number, hex=hex_id, tile=tile, rotation=rotation)


GAME = {
    "title": "18EU",
    "actions": [
        does("bid", 7, "player", id=1, minor="1", price=100),
        _lay(2, "B9", "8-0", 1),
        does("undo", "1", "minor", id=3),
        does("message", 7, "player", id=4, message="sorry"),
        _lay(5, "B9", "9-0", 1),
        _lay(6, "C8", "202-0", 1, "2"),
        does("buy_train", "2", "minor", id=7, train="3-0", price=200),
        does(
            "run_routes",
            "2",
            "minor",
            id=7.5,
            routes=[
                {"train": "2-0", "hexes": ["A10", "C8"]},
                {"train": "3-0", "hexes": ["B7", "G2"]},
            ],
        ),
        _lay(8, "C8", "577-0", 1, "2"),
        does("place_token", "SNCF", id=9, city="K14-0-1", slot=0),
        does("place_token", "BNR", id=10, city="K14-0-0", slot=0),
        does("merge", "SNCF", id=11, corporation="1"),
    ],
}


def read_game(
    game: object, title: Title, at: int | None = None
) -> tuple[Position, tuple[str, ...]]:
    return read_game_of(convert(game, Game), title, at=at)


def test_a_game_file_tells_tiles_tokens_homes_and_phase(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GAME), encoding="utf-8")
    brought = import_position(path)
    written = json.loads(brought.text)
    assert written["tiles"] == {"H3": "577 1", "I2": "9 1"}
    assert written["tokens"] == {
        "H3": ["2 0.0"],
        "J1": ["SNCF 0.0"],
        "N11": ["BNR 0.0", "SNCF 1.0"],
    }
    assert written["phase"] == "3"
    assert any(
        "tokens of 1, which was taken over: they are shown as those of SNCF" in line
        for line in brought.untold
    )


def test_a_game_file_is_read_up_to_an_action() -> None:
    position, _ = read_game(GAME, load("18eu"), at=2)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [("I2", "8 1")]
    position, _ = read_game(GAME, load("18eu"), at=6)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [
        ("H3", "202 1"),
        ("I2", "9 1"),
    ]
    assert position.phase == "2"


def test_redo_takes_an_undo_back() -> None:
    redo = does("redo", "1", "minor", id=4)
    actions = [*GAME["actions"][:3], redo, *GAME["actions"][5:]]
    position, _ = read_game({"actions": actions}, load("18eu"), at=6)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [
        ("H3", "202 1"),
        ("I2", "8 1"),
    ]


def test_what_is_no_game_file_is_refused() -> None:
    with pytest.raises(NotAGame, match="not a game file"):
        read_game({}, load("18eu"))


def test_an_action_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotAGame, match="no action 99"):
        read_game(GAME, load("18eu"), at=99)


def test_trains_by_name_and_id_begin_phases() -> None:
    """18CZ's cards carry letters: 18xx.games calls the large train of card d "3d", and buys it as a
    variant."""
    runs = does("run_routes", "SX", routes=[{"train": "3d-1"}])
    buys = does("buy_train", "ATE", train="4e-2", variant="3+3e")
    title = load("18cz")
    assert read_game({"actions": [{**runs, "id": 1}]}, title)[0].phase == "d"
    assert read_game({"actions": [{**runs, "id": 1}, {**buys, "id": 2}]}, title)[0].phase == "e"


def test_companies_have_the_trains_that_they_bought_or_ran() -> None:
    """18EU: the first 4 rusts the 2s; a train that is discarded or sold to another company is gone."""

    title = load("18eu")
    actions = [
        does("run_routes", "SNCF", routes=[{"train": "2-0"}, {"train": "2-1"}]),
        does("buy_train", "SNCF", train="3-0"),
        does("buy_train", "BNR", train="2-1"),
    ]
    trains = {"BNR": ("2",), "SNCF": ("2", "3")}
    assert dict(read_game({"actions": actions}, title)[0].trains) == trains
    actions.append(does("buy_train", "BNR", train="4-0"))
    trains = {"BNR": ("4",), "SNCF": ("3",)}
    assert dict(read_game({"actions": actions}, title)[0].trains) == trains
    actions.append(does("discard_train", "SNCF", train="3-0"))
    position, untold = read_game({"actions": actions}, title)
    assert dict(position.trains) == {"BNR": ("4",)}
    assert any("markers of private companies" in note for note in untold)
    buys = [does("buy_train", "ATE", train="4e-2", variant="3+3e")]
    assert dict(read_game({"actions": buys}, load("18cz"))[0].trains) == {"ATE": ("e 3+3",)}


def test_the_phase_allows_the_tiles_that_lie() -> None:
    """The train that began the phase left the bank unseen."""
    lays = [_lay(1, "B9", "9-0", 1), _lay(2, "C8", "202-0", 1, "2"), _lay(3, "C8", "577-0", 1, "2")]
    runs = does("run_routes", "2", "minor", id=4, routes=[{"hexes": ["K14", "B7", "G2"]}])
    assert read_game({"actions": [*lays, runs]}, load("18eu"))[0].phase == "3"


def _token(
    number: int, city: str, company: str, kind: str = "corporation", slot: int = 0
) -> dict[str, object]:
    more = {"city": city, "slot": slot, "tokener": company}
    return {"type": "place_token", "id": number, "entity": company, "entity_type": kind, **more}


def test_a_minor_that_is_exchanged_makes_room_for_its_major() -> None:
    """As 18EU's files have it: the minor "buys" a share, then the major places its token, or
    passes."""
    share = does("buy_shares", "1", "minor", id=12, shares=["BNR_2"])
    passed = does("pass", "BNR", id=13)
    base = GAME["actions"][:-1]
    position, untold = read_game(
        {"actions": [*base, share, _token(13, "A10-0-0", "BNR")]}, load("18eu")
    )
    assert dict(position.tokens)["J1"] == (Station("BNR", 0, 0),)
    assert "when 1 was exchanged for a share, its token was taken off" in untold
    position, _ = read_game({"actions": [*base, share, passed]}, load("18eu"))
    assert "J1" not in dict(position.tokens)


def test_a_company_that_never_operates_again_has_left_the_map() -> None:
    """Minor 1 is not seen any more while minor 2 runs: with the second of three runs it is gone."""
    run = does("run_routes", "2", "minor", routes=[{"hexes": ["A10", "C8"]}])
    actions = [*GAME["actions"][:-1], *({**run, "id": 20 + turn} for turn in range(3))]
    for at, there in ((8, True), (10, True), (20, False), (None, False)):
        position, untold = read_game({"actions": actions}, load("18eu"), at=at)
        assert ("J1" in dict(position.tokens)) is there, at
        assert (
            any(line.startswith("when 1, which does not operate again, left") for line in untold)
            is not there
        )


def test_a_token_of_a_company_that_the_title_does_not_have_is_neutral(tmp_path: Path) -> None:
    game = {"title": "18EU", "actions": [*GAME["actions"], _token(30, "K14-0-0", "N", slot=1)]}
    path, paused = tmp_path / "game.json", tmp_path / "paused.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    brought = import_position(path)
    paused.write_text(brought.text, encoding="utf-8")
    assert json.loads(brought.text)["tokens"]["N11"] == ["BNR 0.0", "SNCF 1.0"]  # there is one slot
    assert any(line.startswith("a neutral token on N11 is left out") for line in brought.untold)
    text = brought.text.replace('"J1": ["SNCF 0.0"]', '"J1": ["*", "SNCF 1.0"]')
    paused.write_text(text, encoding="utf-8")
    assert check_position(paused) == ()
    drawn = draw("18eu", "map", BuildOptions(position=str(paused)))
    assert check_legibility(drawn.scene) == ()


def test_a_neutral_token_takes_the_place_of_a_company_that_leaves(tmp_path: Path) -> None:
    """As 1824 blocks a mine when its railway has closed."""
    path, paused = tmp_path / "game.json", tmp_path / "paused.json"
    run = does("run_routes", "2", "minor", routes=[{"hexes": ["A10", "C8"]}])
    actions = [
        *GAME["actions"][:-1],
        _token(20, "A10-0-0", "B"),
        *({**run, "id": 21 + turn} for turn in range(3)),
    ]
    path.write_text(json.dumps({"title": "18EU", "actions": actions}), encoding="utf-8")
    brought = import_position(path)
    assert json.loads(brought.text)["tokens"]["J1"] == ["* 0.0"]
    assert "the token of B on J1, which the title does not have: it is neutral" in brought.untold
    assert "on J1 a neutral token replaced that of 1" in brought.untold
    paused.write_text(brought.text, encoding="utf-8")
    plain, drawn = draw("18eu", "map"), draw("18eu", "map", BuildOptions(position=str(paused)))
    assert plain.scene != drawn.scene
    assert check_legibility(drawn.scene) == ()


def test_takeovers_may_give_more_tokens_than_stations() -> None:
    (problem,) = problems_in(
        load("18eu"), _position(tokens={"F5": ["3"], "G4": ["3"], "I6": ["3"]})
    )
    assert (problem.code, problem.severity) == ("PO08", Severity.WARNING)


def test_of_variants_the_one_that_the_name_tells(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for players, variant in ((2, "cisleithania-2"), (3, "cisleithania-3")):
        path.write_text(
            json.dumps({"title": "1824 Cisleithania", "players": [{}] * players, "actions": []})
        )
        assert import_position(path).position.variant == variant


def test_what_cannot_lie_is_left_out_by_name() -> None:
    """A tile on no hex of the map, one that cannot come there, one that the box has not, a token in
    no slot."""
    actions = [
        *GAME["actions"],
        _lay(40, "ZZ99", "9-1", 0, "2"),
        _lay(41, "D9", "577-1", 0, "2"),
        _lay(42, "D11", "X99-0", 0, "2"),
        _token(43, "K14-0-1", "FS"),
    ]
    title = load("18eu")
    position, untold = read_game({"actions": actions}, title)
    assert [
        problem for problem in problems_in(title, position) if problem.severity is Severity.ERROR
    ] == []
    for part in ("ZZ99", "577", "X99", "token of FS on N11"):
        assert any(part in line for line in untold), (part, untold)


HOSTILE = {
    "nested actions": (
        "auto_actions: expected a list or nothing, got a whole number",
        {"actions": [{"type": "pass", "auto_actions": 5}]},
    ),
    "slot": ("slot", {"actions": [_token(1, "K14-0-1", "FS") | {"slot": [1]}]}),
    "negative slot": ("slot", {"actions": [_token(1, "K14-0-1", "FS") | {"slot": -1}]}),
    "rotation": ("rotation", {"actions": [_lay(1, "B9", "9-0", 7)]}),
    "actions": ("actions", {"actions": 3}),
    "no type": ("type", {"actions": [{"id": 1}]}),
    "list": ("expected an object", []),
}


@pytest.mark.parametrize(("said", "game"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_of_another_type_is_refused_in_a_line(
    said: str, game: object, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    with pytest.raises(CannotRun, match=said):
        import_position(path, "18eu")


def test_what_no_json_should_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for text, said in (
        ('{"actions": [{"type": "pass", "id": ' + "9" * 5000 + "}]}", "5,000 digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"actions": [', "not JSON"),
    ):
        path.write_text(text)
        with pytest.raises(CannotRun, match=said):
            import_position(path, "18eu")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CannotRun, match="not a regular file"):
        import_position(tmp_path / "pipe", "18eu")


def test_nulls_say_nothing() -> None:
    empty = dict.fromkeys(("routes", "auto_actions", "slot", "city", "hex", "entity", "train"))
    kinds = (
        "run_routes",
        "place_token",
        "buy_train",
        "merge",
        "buy_shares",
        "pass",
        "undo",
        "redo",
        "message",
    )
    position, _ = read_game({"actions": [{"type": kind, **empty} for kind in kinds]}, load("18eu"))
    assert (position.tiles, position.tokens) == ((), ())


def test_undos_are_taken_in_one_pass() -> None:
    """Each step touches what it takes back and no more; counted, as time is anybody's."""
    actions = [
        *({"type": "pass", "id": n} for n in range(9000)),
        *({"type": "undo", "id": n} for n in range(9000, 18000)),
    ]
    taken = convert(actions, tuple[Action, ...])
    assert [*_not_undone(taken)] == []
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        assert [*_not_undone(taken)] == []
    finally:
        sys.setprofile(None)
    assert steps < 20 * len(taken)


def _swapped(value: object, dice: random.Random) -> object:
    """A value with one of its parts exchanged for something of another type."""
    other = dice.choice(
        [None, -1, 10**30, 1.5, True, "", "x" * 300, "A1", [], [1], [[]], {}, {"a": 1}]
    )
    if isinstance(value, dict) and value and dice.random() < 0.9:
        key = dice.choice(sorted(value))
        return {**value, key: _swapped(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        place = dice.randrange(len(value))
        return [*value[:place], _swapped(value[place], dice), *value[place + 1 :]]
    return other


def test_any_damaged_game_becomes_a_position_that_draws_or_a_line(tmp_path: Path) -> None:
    path, title, drawn = tmp_path / "game.json", load("18eu"), 0
    for seed in range(300):
        dice = random.Random(seed)
        game: object = json.loads(json.dumps(GAME))
        for _ in range(dice.randrange(1, 4)):
            game = _swapped(game, dice)
        path.write_text(json.dumps(game), encoding="utf-8")
        try:
            brought = import_position(path, title)
        except CannotRun:
            continue
        drawn += 1
        path.write_text(brought.text, encoding="utf-8")
        assert not has_errors(problems_in(title, load_position(path).position))
    assert 30 < drawn < 300


@pytest.mark.parametrize("name", ["18eu", "1841"])
def test_any_tiles_on_any_hexes_become_a_position_that_draws(name: str) -> None:
    """What no player could lay, with homes and tokens on it: cities come and go."""
    title, dice = load(name), random.Random(7)
    hexes, tiles = [hexagon.id for hexagon in title.maps[0].hexes], sorted(title.tile_by_id)
    companies = [company.id for company in title.companies if company.has_charter]
    actions = []
    for number in range(2000):
        hex_id, entity = dice.choice(hexes), dice.choice(companies)
        lay = _lay(number, hex_id, f"{dice.choice(tiles)}-{number}", dice.randrange(6), entity)
        token = _token(number, f"{hex_id}-0-{dice.randrange(2)}", entity, slot=dice.randrange(3))
        merger = does("merge", entity, "minor", id=number, minor=companies[0])
        actions.append(dice.choice([lay, lay, token, merger]))
    position, _ = read_game({"actions": actions}, title)
    assert not has_errors(problems_in(title, position))
