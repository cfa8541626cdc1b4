"""The data of one game of 18xx.games, from its folder of Ruby files.

All of its Ruby is read in a process of its own, which has limits (foundation/apart.py) and hands
back plain data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from platelayer.exchange.ruby.values import Unread
from platelayer.foundation.apart import Apart, Died
from platelayer.foundation.door import read_bytes, real
from platelayer.foundation.problems import CannotRun

Json = dict[str, Any]
Question = tuple[Json, Json, Json]
"""A tile, the place where it lies, and the tile that is to replace it."""
WANTED = (
    "tiles",
    "hexes",
    "layout",
    "trains",
    "phases",
    "market",
    "companies",
    "corporations",
    "currency",
    "bank",
)
"""What every game has, so that its absence is said."""

SPACES = {
    "p": "par", "e": "endgame", "c": "close", "b": "multiple_buy", "o": "unlimited", "y": "no_cert_limit",
    "l": "liquidation", "a": "acquisition", "r": "repar", "i": "ignore_one_sale", "j": "ignore_two_sales",
    "s": "safe_par", "P": "par_overlap", "x": "par_1", "z": "par_2", "w": "par_3", "C": "convert_range",
    "m": "max_price", "n": "max_price_1", "u": "phase_limited", "B": "pays_bonus", "W": "pays_bonus_1",
    "X": "pays_bonus_2", "Y": "pays_bonus_3", "Z": "pays_bonus_4", "t": "type_limited",
    "k": "ignore_sale_unless_president", "d": "max_one_drop_unless_president", "f": "max_two_drops_unless_president",
}  # fmt: skip
"""What the letters after a price mean in the engine."""

ANY_ORDER = "an order that chance decides"
"""Why something is drawn by lot of which one was taken, not all."""

MAX_BYTES = 2 * 1024 * 1024
"""Largest Ruby file that is read: ten times the largest data file of any known game."""


class Wanted(Struct, frozen=True, kw_only=True, tag="game"):
    """The first question of a game: its folder, and the optional rules to read it with."""

    folder: bytes
    rules: tuple[str, ...] = ()


class RubyGame(Struct, kw_only=True):
    """What was read of a game. `data` by the keys of reader.DATA, `catalogue` the tile strings of
    the engine by number with their colour, `unread` what only running the game could tell, `drawn`
    where it draws by lot, `files` what was read, `decides` where it has rules of upgrading of its
    own, `asks` whether these can be asked."""

    name: str
    data: dict[str, Any]
    catalogue: dict[str, tuple[str, str]]
    files: tuple[str, ...]
    unread: list[tuple[str, Unread]] = field(default_factory=list)
    chosen: list[tuple[str, str]] = field(default_factory=list)
    drawn: tuple[Unread, ...] = ()
    missing: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    counts: dict[str, Any] = field(default_factory=dict)
    asks: bool = False
    others: list[Other] = field(default_factory=list)


class Other(Struct, frozen=True, kw_only=True):
    """Another map of a game: for these numbers of players, or with an optional rule; `game` is the
    game as it is then, without another catalogue or maps. None where it was not read any more."""

    players: tuple[int, ...] = ()
    rule: str | None = None
    game: RubyGame | None = None


class Upgrades(Struct, frozen=True, kw_only=True, tag="upgrades"):
    """Later questions: whether the rules of the game let tiles replace others. `things` are tiles
    and places, each once; `asked` are indices in that list: of a tile, of where it lies, and of
    what is to replace it."""

    things: list[Json]
    asked: list[tuple[int, int, int]]


class Verdicts(Struct, frozen=True, kw_only=True):
    """What the rules say to each question; `unread` once they cost too much, when all that is left
    is no."""

    allowed: list[bool]
    unread: Unread | None = None


Allows = Callable[[Sequence[Question]], Verdicts]
ASKED: msgspec.msgpack.Decoder[Wanted | Upgrades] = msgspec.msgpack.Decoder(Wanted | Upgrades)
_GAME = msgspec.msgpack.Decoder(RubyGame)
_VERDICTS = msgspec.msgpack.Decoder(Verdicts)


@contextmanager
def read_game(
    folder: Path, *, rules: Sequence[str] = ()
) -> Iterator[tuple[RubyGame, Allows | None]]:
    """Read a game folder such as `lib/engine/game/g_1846`, with some of its optional rules. With
    the game comes what asks its own rules of upgrading, as long as the block lasts.

    Raises CannotRun where there is no game in it, and for files that cost more than the limits.
    """
    with Apart("platelayer.exchange.ruby.reader") as reader:

        def asked(question: Any) -> bytes:
            try:
                return reader.ask(msgspec.msgpack.encode(question))
            except Died as error:
                raise CannotRun(_refusal(folder, error)) from error

        def allows(questions: Sequence[Question]) -> Verdicts:
            things = {id(thing): thing for question in questions for thing in question}
            at = {key: index for index, key in enumerate(things)}
            places = [(at[id(old)], at[id(place)], at[id(new)]) for old, place, new in questions]
            return _VERDICTS.decode(asked(Upgrades(things=[*things.values()], asked=places)))

        game = _GAME.decode(
            asked(Wanted(folder=os.fsencode(folder), rules=tuple(map(writable, rules))))
        )
        yield game, allows if game.asks else None


def _refusal(folder: Path, error: Died) -> str:
    """What could not be read, with the line at which its brackets are nested most deeply, which is
    what a parser breaks on."""
    if not error.note:
        return f"{folder}: reading it {error.reason}"
    where, hint = error.note, "a data file of a game takes a few milliseconds; is it one?"
    around = real(folder).parent if folder.name else folder
    with suppress(CannotRun):
        line, depth = deepest(read_bytes(around / error.note.lstrip("/"), MAX_BYTES, within=around))
        if depth > _DEEP:
            where, hint = (
                f"{error.note}:{line}",
                f"brackets are {depth:,} deep there; data files have a few",
            )
    return f"{where}: reading it {error.reason} (hint: {hint})"


def writable(name: str) -> str:
    """A name of a file or rule as text, whatever its bytes are."""
    return name.encode("utf-8", "replace").decode()


_DEEP = 50
_BRACKET = re.compile(rb"[][(){}\n]")


def deepest(data: bytes) -> tuple[int, int]:
    """The line at which the most brackets are open, and how many."""
    line, depth, most = 1, 0, (1, 0)
    for bracket in _BRACKET.finditer(data):
        if bracket[0] == b"\n":
            line += 1
        elif bracket[0] in b"([{":
            depth += 1
            if depth > most[1]:
                most = (line, depth)
        else:
            depth = max(0, depth - 1)
    return most
