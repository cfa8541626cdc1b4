"""Positions: what check finds in them, how they are drawn, and what a game file of 18xx.games tells."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from platelayer.definitions.decode import decode
from platelayer.definitions.position_file import load_position, position_text
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.map.board import NO_EXTRAS
from platelayer.drawing.map.ground import ground_ink
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.played import as_played
from platelayer.exchange.eighteen_games.played import NotAGame, read_game
from platelayer.model.position import InPlay, Lay, Position, placed
from platelayer.model.title import Title
from platelayer.pipeline.api import check_position, draw, import_position, load
from platelayer.pipeline.options import BuildOptions
from platelayer.play.positions import check_position as problems_in
from platelayer.play.positions import judge_lay, spots_of
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility

RIGHT = {
    "title": "18eu",
    "phase": "3",
    "tiles": {"F5": "57", "G4": "14", "H3": "576", "E6": "8 0", "H5": "9 1", "I6": "15", "C4": "201"},
    "tokens": {"F5": ["3"], "G4": ["RPR 0.1", "BNR 0.0"], "H3": ["2"], "I6": ["RBSR", "SNCF"], "C4": ["DR"]},
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
            {"title": "18cz", "tiles": {"E11": "8891 0"}, "tokens": {}, "phase": None, "market": {}},
        ),
        ("PO04", "/tiles/D5", {"tiles": {"D5": "9 0"}, "tokens": {}}),
        (
            "PO05",
            "/tiles/R5",
            {"tiles": dict.fromkeys(("C4", "H3", "L7", "M4", "P13", "Q2", "S8", "R5"), "201"), "tokens": {}},
        ),
        ("PO06", "/tiles/G4", {"phase": "2"}),
        ("PO07", "/tokens/G4/1", {"tokens": {"G4": ["RPR", "BNR 0.2"]}}),
        ("PO07", "/tokens/G4/1", {"tokens": {"G4": ["RPR 0.1", "BNR 0.1"]}}),
        ("PO07", "/tokens/E6/0", {"tokens": {"E6": ["RPR"]}}),
        ("PO08", "/tokens/F5", {"tokens": {"F5": ["3"], "G4": ["3"], "I6": ["3"]}}),
    ],
)
def test_what_cannot_be_is_found_at_its_place(code: str, pointer: str, other: dict[str, object]) -> None:
    position = _position(**other)
    problems = [*problems_in(load(position.title), position)]
    assert (code, pointer) in [(problem.code, problem.pointer) for problem in problems]
    assert {problem.code for problem in problems} <= {code, "PO04"}


def test_both_sides_of_a_tile_count_as_one() -> None:
    title = load("18eu")
    last = title.tiles[-1]
    back = replace(last, back_of="57", count=8, tile=replace(title.tile_by_id["57"].tile, id="57b"))
    title = replace(title, tiles=(*title.tiles, back))
    cities = [h.id for h in title.maps[0].hexes if h.tile.colour == "white" and len(h.tile.stops) == 1][:20]
    tiles = {hex_id: "57" if index % 2 else "57b" for index, hex_id in enumerate(cities[:9])}
    codes = [problem.code for problem in problems_in(title, _position(tiles=tiles, tokens={}, phase="2"))]
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


@pytest.mark.parametrize("theme", ["classic", "low-ink", "colour-blind"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_map_in_play_is_legible(theme: str, language: str) -> None:
    title = load("18eu")
    style = style_of(title, complete_theme(theme), language)
    scene = draw_map(replace(title, in_play=InPlay(position=_position(), numbers=True)), title.maps[0].id, style)
    assert check_legibility(scene) == ()


def _any_board(title: Title, seed: int, share: float = 0.0) -> Position:
    """A board with tiles at random on a share of its hexes, each of which may lie where it lies."""
    dice = random.Random(seed)
    here, tiles, share = spots_of(title, title.maps[0]), [], share or dice.choice((0.2, 0.4, 0.6))
    for hex_id, spot in sorted(here.items()):
        if dice.random() < share:
            tried = (Lay(dice.choice(sorted(title.tile_by_id)), dice.randrange(6)) for _ in range(400))
            lay = next((lay for lay in tried if judge_lay(spot, hex_id, lay) is None), None)
            tiles += [] if lay is None else [(hex_id, lay)]
    return Position(title=title.id, tiles=tuple(tiles))


@pytest.mark.parametrize(("name", "seed", "language"), [("1824", 1, "en"), ("1824", 5, "en"), ("18eu", 3, "ja")])
def test_names_of_rivers_keep_off_tiles_and_signs(name: str, seed: int, language: str) -> None:
    """The letters of the Theiß stand between a city, a sign and the next hexes; most of the Loire is covered."""
    title = load(name)
    shown = replace(title, in_play=InPlay(position=_any_board(title, seed), numbers=True))
    scene = draw_map(shown, title.maps[0].id, style_of(title, complete_theme("classic"), language))
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


def test_a_map_in_play_takes_little_longer_than_an_empty_one() -> None:
    """80 tiles against none."""
    title = load("18eu")
    style = style_of(title, complete_theme("classic"), "en")
    board = _any_board(title, 0, share=1.0)
    position = replace(board, tiles=board.tiles[:80])
    assert len(position.tiles) == 80

    def seconds(in_play: InPlay | None) -> float:
        best = []
        for _ in range(3):
            start = time.process_time()
            draw_map(replace(title, in_play=in_play), title.maps[0].id, style)
            best.append(time.process_time() - start)
        return min(best)

    assert seconds(InPlay(position=position)) <= 1.3 * seconds(None) + 0.05


# Games of 18xx.games. Their names of 18EU's hexes have letters on columns.


def _lay(number: int, hex_id: str, tile: str, rotation: int, entity: str = "1") -> dict[str, object]:
    return {
        "type": "lay_tile",
        "id": number,
        "entity": entity,
        "entity_type": "minor",
        "hex": hex_id,
        "tile": tile,
        "rotation": rotation,
    }


GAME = {
    "title": "18EU",
    "actions": [
        {"type": "bid", "id": 1, "entity": 7, "entity_type": "player", "minor": "1", "price": 100},
        _lay(2, "B9", "8-0", 1),
        {"type": "undo", "id": 3, "entity": "1", "entity_type": "minor"},
        {"type": "message", "id": 4, "entity": 7, "entity_type": "player", "message": "sorry"},
        _lay(5, "B9", "9-0", 1),
        _lay(6, "C8", "202-0", 1, "2"),
        {"type": "buy_train", "id": 7, "entity": "2", "entity_type": "minor", "train": "3-0", "price": 200},
        {
            "type": "run_routes",
            "id": 7.5,
            "entity": "2",
            "entity_type": "minor",
            "routes": [{"train": "2-0", "hexes": ["A10", "C8"]}, {"train": "3-0", "hexes": ["B7", "G2"]}],
        },
        _lay(8, "C8", "577-0", 1, "2"),
        {"type": "place_token", "id": 9, "entity": "SNCF", "entity_type": "corporation", "city": "K14-0-1", "slot": 0},
        {"type": "place_token", "id": 10, "entity": "BNR", "entity_type": "corporation", "city": "K14-0-0", "slot": 0},
        {"type": "merge", "id": 11, "entity": "SNCF", "entity_type": "corporation", "corporation": "1"},
    ],
}


def test_a_game_file_tells_tiles_tokens_homes_and_phase(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GAME), encoding="utf-8")
    brought = import_position(path)
    written = json.loads(brought.text)
    assert written["tiles"] == {"H3": "577 1", "I2": "9 1"}
    assert written["tokens"] == {"H3": ["2 0.0"], "J1": ["1 0.0"], "N11": ["BNR 0.0", "SNCF 1.0"]}
    assert written["phase"] == "3"
    assert any("merge" in line for line in brought.untold)


def test_a_game_file_is_read_up_to_an_action() -> None:
    position, _ = read_game(GAME, load("18eu"), at=2)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [("I2", "8 1")]
    position, _ = read_game(GAME, load("18eu"), at=6)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [("H3", "202 1"), ("I2", "9 1")]
    assert position.phase == "2"


def test_redo_takes_an_undo_back() -> None:
    redo = {"type": "redo", "id": 4, "entity": "1", "entity_type": "minor"}
    actions = [*GAME["actions"][:3], redo, *GAME["actions"][5:]]
    position, _ = read_game({"actions": actions}, load("18eu"), at=6)
    assert [(hex_id, str(lay)) for hex_id, lay in position.tiles] == [("H3", "202 1"), ("I2", "8 1")]


@pytest.mark.parametrize("game", [[], {}, {"actions": 3}, {"actions": [{"id": 1}]}])
def test_what_is_no_game_file_is_refused(game: object) -> None:
    with pytest.raises(NotAGame, match="not a game file"):
        read_game(game, load("18eu"))


def test_an_action_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotAGame, match="no action 99"):
        read_game(GAME, load("18eu"), at=99)


def test_tiles_change_no_ground_beside_them() -> None:
    """The tints of 1841's states go by the order in which their hexes come first, whatever lies on these."""
    title = load("1841")
    board, style = title.maps[0], style_of(title, complete_theme("classic"), "en")
    first = next(hexagon.id for hexagon in board.hexes if hexagon.zone is not None)
    position = Position(title="1841", tiles=((first, Lay("9", 0)),))
    _, played, _ = as_played(title, InPlay(position=position), NO_EXTRAS)
    for hexagon in board.hexes:
        if hexagon.id != first:
            inks = [ground_ink(MapPlan(gamemap=each, across_mm=38.6), hexagon, style) for each in (board, played)]
            assert inks[0] == inks[1], hexagon.id
