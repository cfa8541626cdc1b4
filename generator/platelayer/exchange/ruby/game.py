"""The data of one game of 18xx.games, from its folder of Ruby files.

All of its Ruby is read in a process of its own (reader.py), within limits of memory and time
(foundation/apart.py). The two exchange the messages defined here, which are plain data.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from platelayer.exchange.ruby.values import Unread
from platelayer.foundation.apart import Died, apart
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.values import Frozen, Json

# Ten times the largest data file of any known game.
MOST_BYTES = 2 * 1024 * 1024

# A tile, the hex on which it lies, and the tile that is to replace it.
Question = tuple[Json, Json, Json]


class GameRequest(Frozen, kw_only=True, tag="game"):
    """The first request: read a folder, with optional rules."""

    folder: bytes
    rules: tuple[str, ...] = ()


class RubyGame(Struct, kw_only=True):
    """The data of a game. `data` is by the keys of reader.DATA, `catalogue` has colour and tile
    string of the engine's tiles by number, `drawn` are places where the game draws by lot,
    `decides` its own methods for upgrades, which answer UpgradeRequests if `asks` is true,
    `of_routes` those for routes, `places` the hexes by tile for which its code names tiles, `removed`
    tiles that only optional rules use. There may be `records` of play, which count rotations from its own tiles."""

    name: str
    data: Json
    catalogue: dict[str, tuple[str, str]]
    files: tuple[str, ...]
    unread: list[tuple[str, Unread]] = []
    chosen: list[tuple[str, str]] = []
    drawn: tuple[Unread, ...] = ()
    missing: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    of_routes: tuple[str, ...] = ()
    counts: Json = {}
    asks: bool = False
    records: bool = True
    places: dict[str, list[str]] = {}
    removed: tuple[str, ...] = ()
    others: list[Other] = []


class Other(Frozen, kw_only=True):
    """Another map of a game, for some numbers of players or with an optional rule. `game` is the
    game with this map, without a catalogue and maps of its own; None once the budget is used up."""

    players: tuple[int, ...] = ()
    rule: str | None = None
    game: RubyGame | None = None


class UpgradeRequest(Frozen, kw_only=True, tag="upgrades"):
    """Later requests: may tiles replace others by the rules of the game? `things` are tiles and
    hexes, each once; `questions` are triples of indices in it. An `owner` lays them by an ability."""

    things: list[Json]
    questions: list[tuple[int, int, int]]
    owner: Json | None = None


class Verdicts(Frozen, kw_only=True):
    """The verdict on each question; `unread` once the rules cost too much, from where all are no."""

    allowed: list[bool]
    unread: Unread | None = None


# Asks a game's own rules, as UpgradeRequest does.
Allows = Callable[[Sequence[Question], Json | None], Verdicts]
REQUESTS: msgspec.msgpack.Decoder[GameRequest | UpgradeRequest] = msgspec.msgpack.Decoder(
    GameRequest | UpgradeRequest
)


@contextmanager
def read_game(
    folder: Path, *, rules: Sequence[str] = ()
) -> Iterator[tuple[RubyGame, Allows | None]]:
    """Read a game's folder such as `lib/engine/game/g_1846`. While the block lasts, the second
    value asks the game's own rules of upgrading, if it has any.

    Raises CannotRun where there is no game in it, and for files that cost more than the limits.
    """
    with apart("platelayer.exchange.ruby.reader") as ask:

        def request(message: Any) -> bytes:
            try:
                return ask(msgspec.msgpack.encode(message))
            except Died as error:
                raise CannotRun(_refusal(folder, error)) from error

        def allows(questions: Sequence[Question], owner: Json | None) -> Verdicts:
            things = {id(thing): thing for question in questions for thing in question}
            index = {key: at for at, key in enumerate(things)}
            triples = [(index[id(a)], index[id(b)], index[id(c)]) for a, b, c in questions]
            message = UpgradeRequest(things=list(things.values()), questions=triples, owner=owner)
            return msgspec.msgpack.decode(request(message), type=Verdicts)

        first = GameRequest(folder=os.fsencode(folder), rules=tuple(map(writable, rules)))
        game = msgspec.msgpack.decode(request(first), type=RubyGame)
        yield game, allows if game.asks else None


def _refusal(folder: Path, error: Died) -> str:
    """Return a message for what could not be read."""
    hint = " (hint: a data file of a game takes a few milliseconds; is it one?)"
    place = error.note or str(folder)
    return f"{place}: reading it {error.reason}{hint if error.note else ''}"


def writable(name: str) -> str:
    """Return the name of a file or rule as text that can be encoded, whatever its bytes are."""
    return name.encode("utf-8", "replace").decode()
