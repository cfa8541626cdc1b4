"""Foreign data of another type than usual: an import ends with a title and its losses, or with a
line."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from often import often
from platelayer.exchange.eighteen_games.title import title_from_folder
from platelayer.exchange.imported import Imported
from platelayer.exchange.maker import title_from_file
from platelayer.exchange.ruby import game as ruby
from platelayer.foundation.problems import CannotRun

GAMES = Path(__file__).parent / "games"
OTHER: tuple[Any, ...] = (
    None, True, -1, 0, 3, 10**12, 1.5, "", "x", "A1", "p" * 300, [], [1], ["a", ["b"]], {}, {"a": 1}, [{}], [None],
    {"text": "Y", "since": "green"},
)  # fmt: skip
ROUNDS = often([*range(40)], *range(4))
"""Each is so many changes of the data, one at a time."""
CHANGES = 25


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, (list, tuple))
        else ()
    )
    for key, part in entries:
        yield from _paths(part, (*path, key))


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    key, *rest = path
    if isinstance(value, dict):
        return {
            name: _put(part, tuple(rest), new) if name is key else part
            for name, part in value.items()
        }
    return [
        _put(part, tuple(rest), new) if index == key else part for index, part in enumerate(value)
    ]


def _changes(data: Any, seed: int) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    dice, paths = random.Random(seed), [*_paths(data)]
    for _ in range(CHANGES):
        path, new = dice.choice(paths), dice.choice(OTHER)
        yield path, new, _put(data, path, new)


@cache
def _mill() -> Any:
    pytest.importorskip("tree_sitter_ruby")
    with ruby.read_game(GAMES / "g_18_mill", rules=()) as (game, _):
        return copy.deepcopy(game)


def _imported(data: Any, monkeypatch: pytest.MonkeyPatch) -> Imported:
    """The game with other data."""
    game = copy.copy(_mill())
    game.data, game.others = data, []
    monkeypatch.setattr(
        "platelayer.exchange.eighteen_games.title.read_game",
        lambda *_, **__: nullcontext((game, None)),
    )
    with ExitStack() as during:
        return title_from_folder(GAMES / "g_18_mill", "mill", rules=(), during=during)


@pytest.mark.parametrize("seed", ROUNDS)
def test_any_part_of_a_game_of_18xx_games(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, new, data in _changes(_mill().data, seed):
        try:
            made = _imported(data, monkeypatch)
        except CannotRun:
            continue
        assert made.head["id"] == "mill", (path, new)


@pytest.mark.parametrize("players", [[{}], [2, 1.5], "2-4", {"a": 1}, [2, 3, 4]])
def test_numbers_of_players_that_are_none_are_told(
    players: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _imported({**_mill().data, "players": players}, monkeypatch)
    assert "numbers of players" in made.losses.lost
    assert min(made.head["players"]) == "2"


@pytest.mark.parametrize("seed", ROUNDS)
def test_any_part_of_a_game_of_18xx_maker(seed: int, tmp_path: Path) -> None:
    data = json.loads((GAMES / "18Ford.json").read_text(encoding="utf-8"))
    path = tmp_path / "18Ford.json"
    for where, new, swapped in _changes(data, seed):
        path.write_text(json.dumps(swapped), encoding="utf-8")
        try:
            made = title_from_file(path, "ford")
        except CannotRun:
            continue
        assert made.head["id"] == "ford", (where, new)
