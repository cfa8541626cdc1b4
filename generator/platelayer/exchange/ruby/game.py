"""The data of one game of 18xx.games, from its folder of Ruby files.

All of its Ruby is read in a process of its own, which has limits (foundation/apart.py) and hands
back plain data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from platelayer.foundation.apart import Apart, Died, note
from platelayer.foundation.door import read_bytes, real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.properties import cached_property

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


# Values of Ruby data, and what the files of one game may cost: a budget of steps that nothing
# resets.
#
# A value is a plain one of Python, or one that cannot be known without running the file. A step is
# a
# node of a tree, a turn of a loop, an element that is made, four that are walked through, or 64
# characters of a text: so much time and memory follow from it that a limit of steps is one of both.
# Whoever makes something pays for it before it is made.


MOST = 1_500_000
"""Steps for one import; the costliest known game takes a tenth of them."""
SHARE = 300_000
"""Steps for one constant or method that is asked for."""
_AT_ONCE = 100_000
"""Steps for what one expression makes."""
_CHARACTERS, _WALKED = 64, 4
MOST_BITS = 63


class TooMuch(Exception):
    """Raised when a constant or method costs more than data ever does."""


class TooLarge(ValueError):
    """Raised instead of making something that no data holds: the expression is not read."""


class Budget:
    """Steps that are left. `floor` is where the share of what is read now ends."""

    def __init__(self, steps: int = MOST) -> None:
        self.left, self.floor = steps, 0

    def pay(self, steps: int = 1) -> None:
        """Take steps. Raises TooLarge for too many at once, TooMuch when the share is used up."""
        if not steps <= _AT_ONCE:  # also where it is no number
            raise TooLarge
        self.left -= max(0, steps)
        if self.left < self.floor:
            raise TooMuch

    @contextmanager
    def share(self, steps: int = SHARE) -> Iterator[None]:
        """A share of what is left."""
        outer = self.floor
        self.floor = max(outer, self.left - steps)
        try:
            yield
        finally:
            self.floor = outer


_budget = Budget()


def budget() -> Budget:
    """That of the game which is being read: a process reads one at a time."""
    return _budget


def begin(steps: int = MOST) -> None:
    """A new game has a new budget."""
    global _budget  # noqa: PLW0603 - shared by all that reads the game
    _budget = Budget(steps)


def pay(steps: int = 1) -> None:
    """Take steps of the budget (see Budget.pay)."""
    _budget.pay(steps)


def pay_for_text(characters: int) -> None:
    """Pay for a text of this length."""
    _budget.pay(characters // _CHARACTERS)


def pay_for(*values: Any) -> int:
    """Pay for walking through values all the way down; returns what they cost. A value that holds
    itself costs too much."""
    before = _budget.left
    waiting = list(values)
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            if len(node) >= _CHARACTERS:
                pay_for_text(len(node))
        elif isinstance(node, dict):
            _budget.pay(len(node) // _WALKED + 1)
            waiting += node
            waiting += node.values()
        elif isinstance(node, (list, tuple)):
            _budget.pay(len(node) // _WALKED + 1)
            waiting += node
    return before - _budget.left


def checked_number(value: Any) -> Any:
    """A value, unless it is a whole number that no data has."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise TooLarge
    return value


MOST_DEEP = 40
MOST_VALUES = 20_000
"""Levels, and values in all, of what is read for one constant or method; a whole known game has
6,000."""


class Unread(Struct, frozen=True, kw_only=True):
    """A value that only the program itself could work out: what stands there, in which file and
    line, and why it was not read where there is more to say."""

    what: str
    file: str = ""
    line: int = 0
    why: str = ""

    def __bool__(self) -> bool:
        return False

    @property
    def place(self) -> str:
        """`map.rb:12`."""
        return f"{self.file}:{self.line}"


class Thing(dict[str, Any]):
    """Something of the engine, such as a tile, by what it answers to which question. What is read
    of one with a `role` is noted, in order."""

    role = ""

    @classmethod
    def of(cls, value: Any, role: str = "") -> Any:
        """Plain data as things, all the way down."""
        if isinstance(value, dict):
            thing = cls({key: cls.of(entry) for key, entry in value.items()})
            thing.role = role
            return thing
        return [cls.of(entry) for entry in value] if isinstance(value, list) else value

    def read(self, name: str) -> Any:
        """What it answers."""
        if self.role:
            _read.append((self.role, name))
        return self[name]

    def __eq__(self, other: object) -> bool:
        if self.role:
            _read.append((self.role, WHOLE))
        return dict.__eq__(self, other)

    __hash__ = dict.__hash__


WHOLE = ""
"""What is noted where a thing is compared as a whole."""
_read: list[tuple[str, str]] = []


@contextmanager
def noting() -> Iterator[list[tuple[str, str]]]:
    """What is read of things with a role while the block lasts, as pairs of role and question."""
    _read.clear()
    yield _read
    _read.clear()


def is_unread(value: Any) -> bool:
    """True for a value that could not be read."""
    return isinstance(value, Unread)


def truthy(value: Any) -> bool:
    """What counts as true in Ruby: everything but nil and false; an unread value counts as
    false."""
    return value is not None and value is not False and not is_unread(value)


def checked_data(value: Any) -> Any:
    """A value that may leave the evaluator: it has no more values, deeper levels or larger numbers
    than data ever have. Raises TooLarge."""
    count, layer = 0, [value]
    for _ in range(MOST_DEEP + 1):
        pay(len(layer) // 4)
        deeper: list[Any] = []
        for node in layer:
            if isinstance(node, (dict, list, tuple)):
                count += len(node)
            elif isinstance(node, str):
                count += len(node) // 100
            if count > MOST_VALUES:
                raise TooLarge
            if isinstance(node, dict):
                deeper += node
                deeper += node.values()
            elif isinstance(node, (list, tuple)):
                deeper += node
            else:
                checked_number(node)
        layer = deeper
    if layer:
        raise TooLarge
    return value


def unread_in(value: Any) -> Iterator[Unread]:
    """Everything in a value that could not be read, in order."""
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
    """The value without its unread parts: entries of hashes and elements of arrays are left out;
    None for one that is unread as a whole."""
    if isinstance(value, Unread):
        return None
    if isinstance(value, dict):
        return {
            _key(key): readable(entry)
            for key, entry in value.items()
            if not (is_unread(key) or is_unread(entry))
        }
    if isinstance(value, (list, tuple)):
        return [readable(entry) for entry in value if not is_unread(entry)]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _key(key: Any) -> Any:
    plain = readable(key)
    return tuple(map(_key, plain)) if isinstance(plain, list) else plain


def words(value: Any) -> str:
    """A value as Ruby's to_s writes it."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (list, tuple, dict)):
        pay_for(value)
    return str(value)


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


# Syntax trees of Ruby files.


_MOST_SHOWN = 4000


class Source(Struct, frozen=True, kw_only=True, dict=True):
    """One Ruby file: its path as the user would type it, its bytes and its tree."""

    file: str
    data: bytes
    root: Node

    def shown(self, node: Node) -> str:
        """How a node begins, on one line of at most 60 characters."""
        begins = self.data[node.start_byte : min(node.end_byte, node.start_byte + _MOST_SHOWN)]
        what = " ".join(begins.decode("utf-8", "replace").split())
        return what if len(what) <= 60 else f"{what[:57]}..."

    @cached_property
    def heredocs(self) -> dict[int, Node]:
        """The bodies of heredocs by the offset of what begins them: in a file they stand in the
        same order."""
        if b"<<" not in self.data:
            return {}
        beginnings, bodies = [], []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node.type == "heredoc_beginning":
                beginnings.append(node)
            elif node.type == "heredoc_body":
                bodies.append(node)
            waiting += node.children
        starts = sorted(node.start_byte for node in beginnings)
        return dict(zip(starts, sorted(bodies, key=lambda node: node.start_byte), strict=False))


def read_source(path: Path, file: str, *, within: Path) -> Source:
    """A Ruby file of a folder as a tree. Raises CannotRun for one that cannot be read."""
    data = read_bytes(path, MAX_BYTES, name=file, within=within)
    note(file)
    return Source(file=file, data=data, root=_parser().parse(data).root_node)


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language()))


def text_of(node: Node | None) -> str:
    """What stands in the file."""
    text = None if node is None else node.text  # which is cut out anew whenever it is asked for
    return "" if text is None else text.decode("utf-8", "replace")


def is_self(node: Node) -> bool:
    """Whether a node is the game itself, or its class."""
    return node.end_byte - node.start_byte <= len("self.class") and text_of(node) in (
        "self",
        "self.class",
    )


def line_of(node: Node) -> int:
    """Its line, from 1."""
    return node.start_point[0] + 1
