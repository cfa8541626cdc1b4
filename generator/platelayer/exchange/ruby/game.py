"""Values of Ruby data, and the data of one game of 18xx.games, read from its folder of Ruby files.

All Ruby is read in a separate process (reader.py), within limits of memory and time
(foundation/apart.py). The two processes exchange the messages defined here, which are plain data.

A value is a plain Python value, or an `Unread` if only running the file could tell. A game is read
within a budget of steps. A step is a node of a tree, a turn of a loop, or four elements or 64
characters that a method makes. A single step is limited only by the memory and time of the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from platelayer.foundation.apart import Died, apart
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Frozen, Json

# Steps for one import; the costliest known game takes a tenth of them.
MOST_STEPS = 1_500_000
# Steps for one constant or method.
SHARE = 300_000
_MOST_AT_ONCE = 100_000
_CHARACTERS_A_STEP, _ELEMENTS_A_STEP = 64, 4
MOST_BITS = 63
# Maximum levels and values of one constant or method; a whole known game has up to 6,000 values.
MOST_LEVELS = 40
MOST_VALUES = 20_000


class NoData(ValueError):
    """Raised for an expression that is not data; the expression becomes an Unread."""


class TooLarge(NoData):
    """Raised instead of making a value that is larger than data ever are."""


class TooMuch(Exception):
    """Raised when a constant or method takes more steps than data ever do."""


class _Budget:
    """Remaining steps. The share of the value that is being read ends at `floor`."""

    def __init__(self) -> None:
        self.begin()

    def begin(self, steps: int = MOST_STEPS) -> None:
        self.left, self.floor = steps, 0

    def pay(self, steps: int = 1) -> None:
        """Spend steps. Raises TooLarge for too many at once, TooMuch when the share is used up."""
        if not steps <= _MOST_AT_ONCE:  # written this way to refuse NaN, too
            raise TooLarge
        self.left -= max(0, steps)
        if self.left < self.floor:
            raise TooMuch

    @contextmanager
    def share(self) -> Iterator[None]:
        outer = self.floor
        self.floor = max(outer, self.left - SHARE)
        try:
            yield
        finally:
            self.floor = outer


# A process reads one game at a time.
budget = _Budget()
pay = budget.pay


def paid(value: Any, subject: Any = None) -> Any:
    """Return a value made from a subject, after paying for it unless it is the subject itself."""
    if isinstance(value, str):
        pay(len(value) // _CHARACTERS_A_STEP)
    elif isinstance(value, (dict, list)) and value is not subject:
        pay(len(value) // _ELEMENTS_A_STEP)
    return checked_number(value)


def checked_number(value: Any) -> Any:
    """Return a value. Raises TooLarge for a whole number that is larger than data ever have."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise TooLarge
    return value


def checked_data(value: Any) -> Any:
    """Return a value that may leave the evaluator. Raises TooLarge for more values, deeper levels
    or larger numbers than data ever have."""
    count = 0
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        deeper: list[Any] = []
        for entry in level:
            if isinstance(entry, (dict, list, tuple)):
                count += len(entry)
            elif isinstance(entry, str):
                count += len(entry) // 100
            else:
                checked_number(entry)
            if count > MOST_VALUES:
                raise TooLarge
            if isinstance(entry, dict):
                deeper += entry
                deeper += entry.values()
            elif isinstance(entry, (list, tuple)):
                deeper += entry
        if not deeper:
            return value
        level = deeper
    raise TooLarge


class Unread(Struct, frozen=True, kw_only=True):
    """A value that only the program itself could compute: its source text, file and line, and a
    reason if there is more to say."""

    what: str
    file: str = ""
    line: int = 0
    why: str = ""

    def __bool__(self) -> bool:
        return False

    @property
    def place(self) -> str:
        """File and line: `map.rb:12`."""
        return f"{self.file}:{self.line}"


# Reason for an element drawn from a random order: a single one is taken, not all.
ANY_ORDER = "an order that chance decides"


def is_unread(value: Any) -> bool:
    """Return True if a value as a whole could not be read."""
    return isinstance(value, Unread)


def unread_in(value: Any) -> Iterator[Unread]:
    """Yield everything in a value that could not be read, in order."""
    if isinstance(value, Unread):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from unread_in(key)
            yield from unread_in(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from unread_in(entry)


def readable(value: Any) -> Any:
    """Return a value without its unread entries and elements, None for an unread one."""
    if isinstance(value, dict):
        return {
            _readable_key(key): readable(entry)
            for key, entry in value.items()
            if not (is_unread(key) or is_unread(entry))
        }
    if isinstance(value, (list, tuple)):
        return [readable(entry) for entry in value if not is_unread(entry)]
    if value is None or is_unread(value):
        return None
    return value if isinstance(value, (str, int, float)) else str(value)


def _readable_key(key: Any) -> Any:
    plain = readable(key)
    return tuple(map(_readable_key, plain)) if isinstance(plain, list) else plain


def truthy(value: Any) -> bool:
    """Return True if Ruby treats a value as true: all values except nil and false. Unread values
    are false."""
    return value is not None and value is not False and not is_unread(value)


def to_s(value: Any) -> str:
    """Return the text of a value, like Ruby's `to_s`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


class Thing(dict[str, Any]):
    """An object of the engine, such as a tile: its answers by method."""

    @classmethod
    def of(cls, value: Any) -> Any:
        """Return plain data with all objects, at every level, as things."""
        if isinstance(value, dict):
            return cls({key: cls.of(entry) for key, entry in value.items()})
        return [cls.of(entry) for entry in value] if isinstance(value, list) else value


class Traced(Thing):
    """A thing that logs each read as its `role` and the method, or "" when it is compared as a
    whole. All traced things share the log `reads`."""

    role = 0
    reads: ClassVar[list[tuple[int, str]]] = []

    @classmethod
    def by(cls, role: int, thing: Thing, **more: Thing) -> Traced:
        """Return a traced copy of a thing in this role, with more answers."""
        traced = cls(thing, **more)
        traced.role = role
        return traced

    def __getitem__(self, method: str) -> Any:
        self.reads.append((self.role, method))
        return super().__getitem__(method)

    def __eq__(self, other: object) -> bool:
        self.reads.append((self.role, ""))
        return dict.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]


# Meanings of the letters after a price in the engine.
PRICE_TYPES: dict[str, str] = asset_json("imports.json")["price_types"]


# Maximum size of a file: ten times the largest data file of any known game.
MOST_BYTES = 2 * 1024 * 1024

# A tile, the hex on which it lies, and the tile that would replace it.
Question = tuple[Json, Json, Json]


class GameRequest(Frozen, kw_only=True, tag="game"):
    """First request: read a folder, with optional rules."""

    folder: bytes
    rules: tuple[str, ...] = ()


class RubyGame(Struct, kw_only=True):
    """Data of a game.

    `data` has the keys of reader.DATA. `catalogue` has colour and tile string of the engine's tiles
    by number. `drawn` are places where the game draws by lot. `decides` are the game's own methods
    for upgrades, which answer UpgradeRequests if `asks` is true; `of_routes` are those for routes.
    `places` has, by tile, the hexes for which the game's code names it. `removed` are tiles that
    only optional rules use. `loans` are the maximum numbers by company, `loan` is the amount of
    one. `rules` are constants about play. `records` is true if there may be records of play, which
    count rotations from the game's own tiles.
    """

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
    loans: Json = {}
    loan: Any = None
    rules: Json = {}
    others: list[Other] = []


class Other(Frozen, kw_only=True):
    """Another map of a game, for some numbers of players or with an optional rule. `game` is the
    game with this map, without a catalogue or other maps; None once the budget is used up."""

    players: tuple[int, ...] = ()
    rule: str | None = None
    game: RubyGame | None = None


class UpgradeRequest(Frozen, kw_only=True, tag="upgrades"):
    """Later requests: may tiles replace others by the rules of the game? `things` are tiles and
    hexes, without repetition; `questions` are triples of indices into it. If there is an
    `owner`, its ability lays the tiles."""

    things: list[Json]
    questions: list[tuple[int, int, int]]
    owner: Json | None = None


class Verdicts(Frozen, kw_only=True):
    """Verdict on each question. `unread` is set once the rules take too many steps; all verdicts
    from there on are no."""

    allowed: list[bool]
    unread: Unread | None = None


# Function that asks a game's own rules: questions and owner are as in UpgradeRequest.
Allows = Callable[[Sequence[Question], Json | None], Verdicts]
REQUESTS: msgspec.msgpack.Decoder[GameRequest | UpgradeRequest] = msgspec.msgpack.Decoder(
    GameRequest | UpgradeRequest
)


@contextmanager
def read_game(
    folder: Path, *, rules: Sequence[str] = ()
) -> Iterator[tuple[RubyGame, Allows | None]]:
    """Yield the game in a folder such as `lib/engine/game/g_1846`, and a function that asks the
    game's own upgrade rules until the block ends; None if the game has no such rules.

    Raises CannotRun for a folder without a game, and for files that exceed the limits.
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
    """Return the message about files that could not be read."""
    hint = " (hint: a data file of a game takes a few milliseconds; is it one?)"
    place = error.note or str(folder)
    return f"{place}: reading it {error.reason}{hint if error.note else ''}"


def writable(name: str) -> str:
    """Return the name of a file or rule as text that can be encoded, whatever bytes it contains."""
    return name.encode("utf-8", "replace").decode()
