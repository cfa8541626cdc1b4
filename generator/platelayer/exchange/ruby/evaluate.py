"""Values of expressions in Ruby files, as far as they follow from literals.

A tree is walked, nothing is run: there are no files, no clock, no classes of Ruby. What is not data becomes an
`Unread` value that says where it stands, and everything around it is kept. Options are off: a condition that
cannot be known counts as false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.exchange.ruby.budget import TooMuch, checked_number, pay, pay_for
from platelayer.exchange.ruby.expressions import READERS
from platelayer.exchange.ruby.frames import Asked, Frame, Inner, Left
from platelayer.exchange.ruby.library import BASE, Definition, Library, Module
from platelayer.exchange.ruby.lists import Defaults, Mixed
from platelayer.exchange.ruby.literals import read_pair
from platelayer.exchange.ruby.methods import METHODS, QUICK
from platelayer.exchange.ruby.syntax import Source, is_self, line_of, text_of
from platelayer.exchange.ruby.values import Thing, Unread, is_unread, words
from platelayer.exchange.ruby.work import ruby_format, ruby_items, ruby_number
from platelayer.foundation.problems import CannotRun

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 400
"""How deep expressions may lie within each other, through methods and blocks."""
NO_DATA = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RuntimeError)
"""What readers and methods raise where their values are not of the kind that they take."""
_MOST_ELEMENTS = 2000
_MOST_ANCESTORS = 200
_COLOURS = ["white", "yellow", "green", "brown", "gray", "red", "blue"]
ENGINE: dict[str, Any] = {
    "Float::INFINITY": float("inf"),
    "Engine::Tile::COLORS": _COLOURS,
    "Tile::COLORS": _COLOURS,
}
"""Constants of Ruby and of the engine's code."""
STARTING = ("init_optional_rules", "initialize", "setup_preround", "setup", "init_round")
"""Methods that set up a game, in the order in which they are called."""
KERNEL: dict[str, Callable[..., Any]] = {
    "format": lambda pattern, *values: ruby_format(pattern, list(values)),
    "sprintf": lambda pattern, *values: ruby_format(pattern, list(values)),
    "Array": lambda value: [] if value is None else ruby_items(value) if isinstance(value, (list, dict)) else [value],
    "Integer": ruby_number,
    "String": words,
}
"""Functions that stand by themselves."""


class Evaluator:
    """What the expressions of one game are worth. `known` are instance variables and plain methods with a value by
    themselves (no optional rules, the most players)."""

    def __init__(self, library: Library, game: str, known: dict[str, Any]) -> None:
        self.library, self.game = library, game
        self.known = known
        self.drawn: list[Unread] = []
        self.depth = 0
        ancestors = library.lineage(game)
        own = [each for each in ancestors if each.name != BASE]
        beside = [each for each in library.siblings(game) if each not in ancestors]
        self._ancestors = (*own, *beside, *(each for each in ancestors if each.name == BASE))
        if len(self._ancestors) > _MOST_ANCESTORS:
            raise CannotRun(f"{game} comes from more than {_MOST_ANCESTORS} modules, which no game does")
        self._constants: dict[tuple[str, str], Any] = {}
        self._open: set[tuple[str, str]] = set()

    # What the game is asked for

    def constant(self, name: str) -> Any:
        """A constant of the game, from wherever it inherits it; None if there is none."""
        return self._inherited(self._ancestors, name)

    def _inherited(self, ancestors: Iterable[Module], name: str) -> Any:
        """The first constant of that name that is not being worked out: a text that builds on its own name means that
        of its parent."""
        for module in ancestors:
            if name in module.constants and (module.name, name) not in self._open:
                return self._defined(module.constants[name], name)
        return None

    def definition(self, name: str, *, method: bool = False) -> Definition | None:
        """Where a constant or method of the game is defined."""
        for module in self._ancestors:
            found = (module.methods if method else module.constants).get(name)
            if found is not None:
                return found
        return None

    def call(self, name: str, *arguments: Any) -> Any:
        """What a method of the game returns."""
        asked = Asked(name=name, arguments=arguments)
        for level, module in enumerate(self._ancestors):
            if name in module.methods:
                return self._enter(module.methods[name], level, asked)
        return Unread(what=name)

    # Constants

    def _defined(self, found: Definition, name: str) -> Any:
        key = (found.module, name)
        if key not in self._constants:
            self._open.add(key)
            try:
                frame = Frame(source=found.source, module=found.module)
                self._constants[key] = self.value(found.node, frame)
            finally:
                self._open.discard(key)
        return self._constants[key]

    def named(self, node: Node, frame: Frame) -> Any:
        """A constant by its name, as Ruby looks it up from where it stands."""
        name = text_of(node)
        parts = frame.module.split("::")
        for count in range(len(parts), 0, -1):
            module = self.library.modules.get("::".join(parts[:count]))
            if module is not None and name in module.constants and (module.name, name) not in self._open:
                return self._defined(module.constants[name], name)
        found = self._inherited(self.library.ancestors(frame.module), name)
        if found is None:
            found = self.constant(name)
        return self.unread(frame.source, node) if found is None else found

    def scoped(self, node: Node, frame: Frame) -> Any:
        """A constant by its full name."""
        scope, name = node.child_by_field_name("scope"), text_of(node.child_by_field_name("name"))
        if scope is None or text_of(scope) in ("self.class", "self"):
            found = self.constant(name)
            return self.unread(frame.source, node) if found is None else found
        if text_of(node) in ENGINE:
            return ENGINE[text_of(node)]
        full = self.library.resolve(text_of(scope), frame.module)
        found = None if full is None else self._inherited(self.library.ancestors(full), name)
        return self.unread(frame.source, node) if found is None else found

    # Expressions

    def value(self, node: Node, frame: Frame) -> Any:
        """The value of an expression. Raises TooMuch for what goes on and on."""
        pay()
        reader = READERS.get(node.type)
        if reader is None:
            return self.unread(frame.source, node)
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                raise TooMuch
            return reader(self, node, frame)
        except RecursionError as stop:
            raise TooMuch from stop
        except NO_DATA:
            return self.unread(frame.source, node)
        finally:
            self.depth -= 1

    def unread(self, source: Source, node: Node) -> Unread:
        """What stands there, as a value that cannot be read."""
        return Unread(what=source.shown(node), file=source.file, line=line_of(node))

    def all(self, nodes: list[Node], frame: Frame) -> Any:
        """The values of expressions in order: that of the last."""
        value = None
        for node in nodes:
            value = self.value(node, frame)
        return value

    def body(self, node: Node | None, frame: Frame) -> Any:
        """The value of a body, nil if there is none."""
        return None if node is None else self.all(node.named_children, frame)

    def call_value(self, node: Node, frame: Frame) -> Any:
        """A call."""
        receiver, name = node.child_by_field_name("receiver"), text_of(node.child_by_field_name("method"))
        asked = self._asked(name, node, frame)
        if receiver is None or is_self(receiver):
            return self.call_own(asked, node, frame)
        if receiver.type == "constant" and name == "new":
            return self._new(text_of(receiver), asked, node, frame)
        subject = self.value(receiver, frame)
        if subject is None and text_of(node.child_by_field_name("operator")) == "&.":
            return None
        return self.method(subject, asked, node, frame)

    def _asked(self, name: str, node: Node, frame: Frame) -> Asked:
        plain: list[Any] = []
        named: dict[Any, Any] = {}
        block = self._block(node.child_by_field_name("block"), frame)
        given = node.child_by_field_name("arguments")
        for child in given.named_children if given is not None else ():
            if child.type in ("pair", "hash_splat_argument"):
                read_pair(self, child, frame, named)
            elif child.type == "splat_argument":
                inner = self.all(child.named_children, frame)
                inner = list(inner) if isinstance(inner, (list, tuple)) else [inner]
                pay(len(inner))
                plain += inner
            elif child.type == "block_argument":
                block = self._block_of_name(child, frame)
            elif child.type != "comment":
                plain.append(self.value(child, frame))
        return Asked(name=name, arguments=tuple(plain), named=named, block=block)

    def _block(self, node: Node | None, frame: Frame) -> Callable[..., Any] | None:
        if node is None:
            return None
        parameters = node.child_by_field_name("parameters")
        targets = parameters.named_children if parameters is not None else []

        def run(*values: Any) -> Any:
            pay()
            names = Inner(frame.names)
            inner = Frame(source=frame.source, module=frame.module, names=names, method=frame.method, level=frame.level)
            given: Any = list(values)
            if len(values) == 1 and len(targets) > 1 and isinstance(values[0], (list, tuple)):
                given = values[0]
            for index, value in enumerate(values):
                names.own[f"_{index + 1}"] = value
            names.own["it"] = values[0] if values else None
            for index, target in enumerate(targets):
                value = given[index] if index < len(given) else None
                if target.type == "destructured_parameter":
                    self._spread_own(target.named_children, value, names)
                elif target.type == "splat_parameter":
                    names.own[text_of(target.child_by_field_name("name"))] = list(given[index:])
                else:
                    own = target.child_by_field_name("name")
                    names.own[text_of(own if own is not None else target)] = value
            try:
                return self.body(node.child_by_field_name("body"), inner)
            except Left as left:
                if left.kind == "next":
                    return left.value
                raise

        return run

    def _spread_own(self, targets: list[Node], value: Any, names: Inner) -> None:
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        for index, target in enumerate(targets):
            if target.type == "destructured_parameter":
                self._spread_own(target.named_children, values[index] if index < len(values) else None, names)
            else:
                names.own[text_of(target)] = values[index] if index < len(values) else None

    def _block_of_name(self, node: Node, frame: Frame) -> Callable[..., Any]:
        inner = node.named_children[0] if node.named_children else None
        if inner is None or inner.type not in ("simple_symbol", "delimited_symbol"):
            return lambda *_: self.unread(frame.source, node)
        name = text_of(inner).removeprefix(":")
        return lambda value, *rest: self.method(value, Asked(name=name, arguments=rest), node, frame)

    def _new(self, name: str, asked: Asked, node: Node, frame: Frame) -> Any:
        """`Hash.new`, `Set.new`, `Range.new`, and `Array.new` with a size."""
        size, *rest = asked.arguments or (0,)
        if name == "Hash":
            found = Defaults()
            found.missing, found.make = asked.arguments[0] if asked.arguments else None, asked.block
            return found
        if name in ("Set", "Array") and isinstance(size, list):
            return list(size)
        if name == "Range" and isinstance(size, int) and rest and isinstance(rest[0], int):
            pay(max(0, rest[0] - size))
            return list(range(size, rest[0] + 1))
        if name != "Array" or not isinstance(size, int) or size > _MOST_ELEMENTS:
            return self.unread(frame.source, node)
        pay(size)
        if asked.block is not None:
            return [asked.block(index) for index in range(size)]
        return [rest[0] if rest else None] * size

    def method(self, subject: Any, asked: Asked, node: Node, frame: Frame) -> Any:
        """What a method of a value returns."""
        if isinstance(subject, Thing) and asked.name in subject:
            return subject[asked.name]
        work = None if is_unread(subject) else METHODS.get(asked.name)
        if work is None:
            return self.unread(frame.source, node)
        arguments = [*asked.arguments, *([asked.named] if asked.named else [])]
        if asked.name == "sample" or (isinstance(subject, Mixed) and asked.name in ("first", "take")):
            self.drawn.append(self.unread(frame.source, node))
        try:
            if asked.name not in QUICK:
                pay_for(subject, *arguments)
            return checked_number(work(subject, arguments, asked.block))
        except Left as left:
            if left.kind == "break":
                return left.value
            raise
        except RecursionError as stop:
            raise TooMuch from stop
        except NO_DATA:
            return self.unread(frame.source, node)

    def call_own(self, asked: Asked, node: Node, frame: Frame, *, after: int = -1) -> Any:
        """A method of the game itself, looked for among the ancestors after some level (for `super`)."""
        if after < 0 and asked.name in self.known:
            return self.known[asked.name]
        for level, module in enumerate(self._ancestors):
            if level > after and asked.name in module.methods:
                return self._enter(module.methods[asked.name], level, asked)
        return self._function(asked, node, frame)

    def _function(self, asked: Asked, node: Node, frame: Frame) -> Any:
        """What Ruby itself has of that name, or an instance variable that is read by its name."""
        unread = self.unread(frame.source, node)
        first = asked.arguments[0] if asked.arguments else None
        if asked.name in ("send", "public_send") and isinstance(first, str):
            return self.call_own(replace(asked, name=first, arguments=asked.arguments[1:]), node, frame)
        if asked.name == "respond_to?":
            found: Any = any(first in module.methods for module in self._ancestors)
        elif asked.name == "const_get" and isinstance(first, str):
            found = self.constant(first)
        elif asked.name == "loop" and asked.block is not None:
            found = self._loop(asked.block)
        elif asked.name in KERNEL:
            try:
                found = KERNEL[asked.name](*asked.arguments)
            except (TypeError, ValueError):
                found = None
        else:
            found = None if asked.arguments else self.variable(f"@{asked.name}", unread)
        return unread if found is None else found

    def variable(self, name: str, unread: Unread) -> Any:
        """An instance variable: what is known, or what the game's own text gives it where that sets up the game."""
        if name not in self.known:
            self.known[name] = unread
            self.known[name] = self._given_at_the_start(name, unread)
        return self.known[name]

    @staticmethod
    def _loop(block: Callable[..., Any]) -> Any:
        """`loop`, until it breaks off or the budget of steps ends it."""
        while True:
            try:
                block()
            except Left as left:
                if left.kind == "break":
                    return left.value
                raise

    def _given_at_the_start(self, name: str, unread: Unread) -> Any:
        """The first of several assignments."""
        found = self.library.assignments([module for module in self._ancestors if module.name != BASE], name, STARTING)
        if found is None:
            return unread
        try:
            return self.value(found.node, Frame(source=found.source, module=found.module, method=""))
        except Left:
            return unread

    def _enter(self, found: Definition, level: int, asked: Asked) -> Any:
        frame = Frame(source=found.source, module=found.module, method=asked.name, level=level)
        parameters = found.node.child_by_field_name("parameters")
        waiting = list(asked.arguments)
        for each in parameters.named_children if parameters is not None else ():
            given = each.child_by_field_name("name")
            label = text_of(given if given is not None else each)
            default = each.child_by_field_name("value")
            if each.type == "splat_parameter":
                frame.names[label], waiting = waiting, []
            elif each.type == "hash_splat_parameter":
                frame.names[label] = dict(asked.named)
            elif each.type == "keyword_parameter" and label in asked.named:
                frame.names[label] = asked.named[label]
            elif each.type not in ("keyword_parameter", "block_parameter") and waiting:
                frame.names[label] = waiting.pop(0)
            elif each.type != "block_parameter":
                frame.names[label] = self.unread(found.source, each) if default is None else self.value(default, frame)
        try:
            body = found.node.child_by_field_name("body")
            return None if body is None else self.value(body, frame)
        except Left as left:
            return left.value

    def super_value(self, node: Node, frame: Frame) -> Any:
        """What the method of the same name further up returns."""
        asked = Asked(name=frame.method, arguments=tuple(frame.names.values())[:9])
        return self.call_own(asked, node, frame, after=frame.level)
