"""Values of expressions in Ruby files, as far as they follow from literals.

A tree is walked, nothing is run: there are no files, no clock, no classes of Ruby. What is not data
becomes an `Unread` value that says where it stands, and everything around it is kept. Options are
off: a condition that cannot be known counts as false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.exchange.ruby.game import (
    ANY_ORDER,
    SPACES,
    Source,
    Thing,
    TooMuch,
    Unread,
    checked_number,
    is_self,
    is_unread,
    line_of,
    pay,
    pay_for,
    pay_for_text,
    text_of,
    truthy,
    words,
)
from platelayer.exchange.ruby.library import BASE, Definition, Library, Module
from platelayer.exchange.ruby.methods import (
    BINARY,
    CHANCE,
    Defaults,
    Mixed,
    Pattern,
    is_kind,
    ruby_format,
    ruby_items,
    ruby_key,
    ruby_number,
    ruby_plus,
    run_method,
    words_between,
)
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
    "Engine::SharePrice::TYPE_MAP": SPACES,
    "SharePrice::TYPE_MAP": SPACES,
}
"""Constants of Ruby and of the engine's code."""
STARTING = ("init_optional_rules", "initialize", "setup_preround", "setup", "init_round")
"""Methods that set up a game, in the order in which they are called."""
KERNEL: dict[str, Callable[..., Any]] = {
    "format": lambda pattern, *values: ruby_format(pattern, list(values)),
    "sprintf": lambda pattern, *values: ruby_format(pattern, list(values)),
    "Array": lambda value: (
        [] if value is None else ruby_items(value) if isinstance(value, (list, dict)) else [value]
    ),
    "Integer": ruby_number,
    "String": words,
}
"""Functions that stand by themselves."""
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "e": "\x1b", "0": "\0", "r": "\r", "a": "\a", "b": "\b"}
_ASIDE = ("comment", "heredoc_body", "rescue", "ensure")


class Left(Exception):
    """Raised where a method or block ends early; carries its value."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.kind, self.value = kind, value


class Asked(Struct, frozen=True, kw_only=True):
    """What a call asks for: a method by its name, with arguments, named arguments and a block."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: dict[Any, Any] = field(default_factory=dict)
    block: Callable[..., Any] | None = None


class Frame(Struct, kw_only=True):
    """Where an expression stands: its file, the module whose text it is in, local names, and the
    method it is in with the place among the ancestors that it was found at."""

    source: Source
    module: str
    names: dict[str, Any] = field(default_factory=dict)
    method: str = ""
    level: int = -1


class Inner(dict[str, Any]):
    """Local names of a block: its own, and those around it, which it may change."""

    def __init__(self, outer: dict[str, Any]) -> None:
        super().__init__()
        self.own: dict[str, Any] = {}
        self.outer = outer

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.outer

    def __getitem__(self, name: str) -> Any:
        return self.own[name] if name in self.own else self.outer[name]

    def __setitem__(self, name: str, value: Any) -> None:
        (self.outer if name not in self.own and name in self.outer else self.own)[name] = value

    def values(self) -> Any:
        """Values of the names around, for `super` inside a block."""
        return self.outer.values()


class Evaluator:
    """What the expressions of one game are worth. `known` are instance variables and plain methods
    with a value by themselves (no optional rules, the most players)."""

    def __init__(self, library: Library, game: str, known: dict[str, Any]) -> None:
        self.library, self.game = library, game
        self.known = known
        self.drawn: list[Unread] = []
        self.depth = 0
        ancestors = library.lineage(game)
        own = [ancestor for ancestor in ancestors if ancestor.name != BASE]
        beside = [sibling for sibling in library.siblings(game) if sibling not in ancestors]
        self._ancestors = (
            *own,
            *beside,
            *(ancestor for ancestor in ancestors if ancestor.name == BASE),
        )
        if len(self._ancestors) > _MOST_ANCESTORS:
            raise CannotRun(
                f"{game} comes from more than {_MOST_ANCESTORS} modules, which no game does"
            )
        self._constants: dict[tuple[str, str], Any] = {}
        self._open: set[tuple[str, str]] = set()

    # What the game is asked for

    def constant(self, name: str) -> Any:
        """A constant of the game, from wherever it inherits it; None if there is none."""
        return self._inherited(self._ancestors, name)

    def _inherited(self, ancestors: Iterable[Module], name: str) -> Any:
        """The first constant of that name that is not being worked out: a text that builds on its
        own name means that of its parent."""
        for module in ancestors:
            if name in module.constants and (module.name, name) not in self._open:
                return self._defined(module.constants[name], name)
        return None

    def definition(self, name: str, *, method: bool = False) -> Definition | None:
        """Where a constant or method of the game is defined."""
        for module in self._ancestors:
            definition = (module.methods if method else module.constants).get(name)
            if definition is not None:
                return definition
        return None

    def call(self, name: str, *arguments: Any) -> Any:
        """What a method of the game returns."""
        asked = Asked(name=name, arguments=arguments)
        for level, module in enumerate(self._ancestors):
            if name in module.methods:
                return self._enter(module.methods[name], level, asked)
        return Unread(what=name)

    # Constants

    def _defined(self, definition: Definition, name: str) -> Any:
        key = (definition.module, name)
        if key not in self._constants:
            self._open.add(key)
            try:
                frame = Frame(source=definition.source, module=definition.module)
                self._constants[key] = self.value(definition.node, frame)
                for change in self.library.modules[definition.module].changes.get(name, ()):
                    self.value(change.node, Frame(source=change.source, module=change.module))
            finally:
                self._open.discard(key)
        return self._constants[key]

    def named(self, node: Node, frame: Frame) -> Any:
        """A constant by its name, as Ruby looks it up from where it stands."""
        name = text_of(node)
        parts = frame.module.split("::")
        for count in range(len(parts), 0, -1):
            module = self.library.modules.get("::".join(parts[:count]))
            if module is not None and (module.name, name) in self._constants:
                return self._constants[module.name, name]
            if (
                module is not None
                and name in module.constants
                and (module.name, name) not in self._open
            ):
                return self._defined(module.constants[name], name)
        value = self._inherited(self.library.ancestors(frame.module), name)
        if value is None:
            value = self.constant(name)
        return self.unread(node, frame) if value is None else value

    def scoped(self, node: Node, frame: Frame) -> Any:
        """A constant by its full name."""
        scope, name = node.child_by_field_name("scope"), text_of(node.child_by_field_name("name"))
        if scope is None or text_of(scope) in ("self.class", "self"):
            value = self.constant(name)
            return self.unread(node, frame) if value is None else value
        if text_of(node) in ENGINE:
            return ENGINE[text_of(node)]
        full = self.library.resolve(text_of(scope), frame.module)
        value = None if full is None else self._inherited(self.library.ancestors(full), name)
        return self.unread(node, frame) if value is None else value

    # Expressions

    def value(self, node: Node, frame: Frame) -> Any:
        """The value of an expression. Raises TooMuch for what goes on and on."""
        pay()
        reader = self._READERS.get(node.type)
        if reader is None:
            return self.unread(node, frame)
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                raise TooMuch
            return reader(self, node, frame)
        except RecursionError as error:
            raise TooMuch from error
        except NO_DATA:
            return self.unread(node, frame)
        finally:
            self.depth -= 1

    def unread(self, node: Node, frame: Frame) -> Unread:
        """What stands there, as a value that cannot be read."""
        return Unread(what=frame.source.shown(node), file=frame.source.file, line=line_of(node))

    def _part(self, node: Node, name: str, frame: Frame) -> Any:
        """The value of a part of an expression, nil if there is none."""
        part = node.child_by_field_name(name)
        return None if part is None else self.value(part, frame)

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
        receiver, name = (
            node.child_by_field_name("receiver"),
            text_of(node.child_by_field_name("method")),
        )
        asked = self._asked(name, node, frame)
        if receiver is None or is_self(receiver):
            return self.call_own(asked, node, frame)
        if receiver.type == "constant" and name == "new":
            return self._new(text_of(receiver), asked, node, frame)
        if receiver.type in ("constant", "scope_resolution"):
            full = self.library.resolve(text_of(receiver), frame.module)
            module = self.library.module(full) if full is not None else None
            if module is not None and name in module.methods:
                return self._enter(module.methods[name], -1, asked)
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
                self._pair(child, frame, named)
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
            inner = Frame(
                source=frame.source,
                module=frame.module,
                names=names,
                method=frame.method,
                level=frame.level,
            )
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
            except Left as error:
                if error.kind == "next":
                    return error.value
                raise

        return run

    def _spread_own(self, targets: list[Node], value: Any, names: Inner) -> None:
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        for index, target in enumerate(targets):
            if target.type == "destructured_parameter":
                self._spread_own(
                    target.named_children, values[index] if index < len(values) else None, names
                )
            else:
                names.own[text_of(target)] = values[index] if index < len(values) else None

    def _block_of_name(self, node: Node, frame: Frame) -> Callable[..., Any]:
        inner = node.named_children[0] if node.named_children else None
        if inner is None or inner.type not in ("simple_symbol", "delimited_symbol"):
            return lambda *_: self.unread(node, frame)
        name = text_of(inner).removeprefix(":")
        return lambda value, *rest: self.method(
            value, Asked(name=name, arguments=rest), node, frame
        )

    def _new(self, name: str, asked: Asked, node: Node, frame: Frame) -> Any:
        """`Hash.new`, `Set.new`, `Range.new`, and `Array.new` with a size."""
        size, *rest = asked.arguments or (0,)
        if name == "Hash":
            defaults = Defaults()
            defaults.missing, defaults.make = (
                asked.arguments[0] if asked.arguments else None,
                asked.block,
            )
            return defaults
        if name in ("Set", "Array") and isinstance(size, list):
            return list(size)
        if name == "Range" and isinstance(size, int) and rest and isinstance(rest[0], int):
            pay(max(0, rest[0] - size))
            return list(range(size, rest[0] + 1))
        if name != "Array" or not isinstance(size, int) or size > _MOST_ELEMENTS:
            return self.unread(node, frame)
        pay(size)
        if asked.block is not None:
            return [asked.block(index) for index in range(size)]
        return [rest[0] if rest else None] * size

    def method(self, subject: Any, asked: Asked, node: Node, frame: Frame) -> Any:
        """What a method of a value returns."""
        if isinstance(subject, Thing) and asked.name in subject:
            return subject.read(asked.name)
        if is_unread(subject):
            return self.unread(node, frame)
        arguments = [*asked.arguments, *([asked.named] if asked.named else [])]
        if asked.name == "sample" or (
            isinstance(subject, Mixed) and asked.name in ("first", "take")
        ):
            self.drawn.append(self.unread(node, frame))
        elif isinstance(subject, Mixed) and asked.name == "[]":
            self.drawn.append(replace(self.unread(node, frame), why=ANY_ORDER))
        try:
            return checked_number(run_method(asked.name, subject, arguments, asked.block))
        except Left as error:
            if error.kind == "break":
                return error.value
            raise
        except RecursionError as error:
            raise TooMuch from error
        except NO_DATA:
            return self.unread(node, frame)

    def call_own(self, asked: Asked, node: Node, frame: Frame, *, after: int = -1) -> Any:
        """A method of the game itself, looked for among the ancestors after some level (for
        `super`)."""
        if after < 0 and asked.name in self.known:
            return self.known[asked.name]
        if asked.name == CHANCE and not asked.arguments:  # whatever the engine makes it of
            return replace(self.unread(node, frame), what=CHANCE)
        for level, module in enumerate(self._ancestors):
            if level > after and asked.name in module.methods:
                return self._enter(module.methods[asked.name], level, asked)
        return self._function(asked, node, frame)

    def _function(self, asked: Asked, node: Node, frame: Frame) -> Any:
        """What Ruby itself has of that name, or an instance variable that is read by its name."""
        unread = self.unread(node, frame)
        first = asked.arguments[0] if asked.arguments else None
        if asked.name == "raise":
            raise Left("return", unread)
        if asked.name in ("send", "public_send") and isinstance(first, str):
            return self.call_own(
                replace(asked, name=first, arguments=asked.arguments[1:]), node, frame
            )
        if asked.name == "respond_to?":
            value: Any = any(first in module.methods for module in self._ancestors)
        elif asked.name == "const_get" and isinstance(first, str):
            value = self.constant(first)
        elif asked.name == "loop" and asked.block is not None:
            value = self._loop(asked.block)
        elif asked.name in KERNEL:
            try:
                value = KERNEL[asked.name](*asked.arguments)
            except (TypeError, ValueError):
                value = None
        else:
            value = None if asked.arguments else self.variable(f"@{asked.name}", unread)
        return unread if value is None else value

    def variable(self, name: str, unread: Unread) -> Any:
        """An instance variable: what is known, or what the game's own text gives it where that sets
        up the game."""
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
            except Left as error:
                if error.kind == "break":
                    return error.value
                raise

    def _given_at_the_start(self, name: str, unread: Unread) -> Any:
        """The first of several assignments."""
        definition = self.library.assignments(
            [module for module in self._ancestors if module.name != BASE], name, STARTING
        )
        if definition is None:
            return unread
        try:
            return self.value(
                definition.node,
                Frame(source=definition.source, module=definition.module, method=""),
            )
        except Left:
            return unread

    def _enter(self, definition: Definition, level: int, asked: Asked) -> Any:
        frame = Frame(
            source=definition.source, module=definition.module, method=asked.name, level=level
        )
        parameters = definition.node.child_by_field_name("parameters")
        waiting = list(asked.arguments)
        for parameter in parameters.named_children if parameters is not None else ():
            given = parameter.child_by_field_name("name")
            label = text_of(given if given is not None else parameter)
            default = parameter.child_by_field_name("value")
            if parameter.type == "splat_parameter":
                frame.names[label], waiting = waiting, []
            elif parameter.type == "hash_splat_parameter":
                frame.names[label] = dict(asked.named)
            elif parameter.type == "keyword_parameter" and label in asked.named:
                frame.names[label] = asked.named[label]
            elif parameter.type not in ("keyword_parameter", "block_parameter") and waiting:
                frame.names[label] = waiting.pop(0)
            elif parameter.type != "block_parameter":
                frame.names[label] = (
                    self.unread(parameter, frame) if default is None else self.value(default, frame)
                )
        try:
            return self._part(definition.node, "body", frame)
        except Left as error:
            return error.value

    def super_value(self, node: Node, frame: Frame) -> Any:
        """What the method of the same name further up returns."""
        asked = Asked(name=frame.method, arguments=tuple(frame.names.values())[:9])
        return self.call_own(asked, node, frame, after=frame.level)

    # Literals, operators, conditions and assignments

    def _string(self, node: Node, frame: Frame) -> Any:
        """A string; unread where something in it is."""
        parts: list[str] = []
        opening = frame.source.data[node.start_byte : node.start_byte + 2]
        plain = opening.removeprefix(b":").startswith(b"'")
        for child in node.named_children:
            if child.type == "interpolation":
                inner = self.all(child.named_children, frame)
                if is_unread(inner):
                    return self.unread(node, frame)
                parts.append(words(inner))
            elif child.type == "escape_sequence":
                parts.append(_escaped(text_of(child), plain=plain))
            else:
                text = text_of(child)
                parts.append(re.sub(r"\\(['\\])", r"\1", text) if plain else text)
        return _joined(parts)

    def _chained(self, node: Node, frame: Frame) -> Any:
        """Literals that stand next to each other."""
        parts = [self.value(child, frame) for child in node.named_children]
        return self.unread(node, frame) if any(map(is_unread, parts)) else _joined(parts)

    def _heredoc(self, node: Node, frame: Frame) -> Any:
        """A heredoc; `<<~` takes away the common indent."""
        body = frame.source.heredocs.get(node.start_byte)
        if body is None:
            return self.unread(node, frame)
        parts: list[str] = []
        for child in body.named_children:
            if child.type == "interpolation":
                parts.append(words(self.all(child.named_children, frame)))
            elif child.type != "heredoc_end":
                parts.append(text_of(child))
        text = _joined(parts).removeprefix("\n")
        if "~" not in text_of(node):
            return text
        lines = text.splitlines(keepends=True)
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        return "".join(line[indent:] if line.strip() else line.lstrip(" ") for line in lines)

    def _array(self, node: Node, frame: Frame) -> Any:
        """An array; pairs at its end are a hash."""
        items: list[Any] = []
        loose: dict[Any, Any] = {}
        for child in node.named_children:
            if child.type == "splat_argument":
                inner = self.all(child.named_children, frame)
                inner = list(inner) if isinstance(inner, (list, tuple, dict)) else [inner]
                pay(len(inner))
                items += inner
            elif child.type in ("pair", "hash_splat_argument"):
                self._pair(child, frame, loose)
            elif child.type != "comment":
                items.append(self.value(child, frame))
        return [*items, loose] if loose else items

    def _word_array(self, node: Node, frame: Frame) -> Any:
        """%w[] and %i[]."""
        return [self._string(child, frame) for child in node.named_children]

    def _hash(self, node: Node, frame: Frame) -> Any:
        """A hash."""
        pairs: dict[Any, Any] = {}
        for child in node.named_children:
            if child.type != "comment":
                self._pair(child, frame, pairs)
        return pairs

    def _pair(self, node: Node, frame: Frame, into: dict[Any, Any]) -> None:
        """Add a pair, or the pairs of `**other`, to a hash."""
        if node.type == "hash_splat_argument":
            inner = self.all(node.named_children, frame)
            if isinstance(inner, dict):
                pay(len(inner))
                into.update(inner)
            else:
                into[self.unread(node, frame)] = inner
            return
        key_node, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key_node is None:
            return
        key = (
            text_of(key_node) if key_node.type == "hash_key_symbol" else self.value(key_node, frame)
        )
        value = (
            self._local(text_of(key_node), key_node, frame)
            if value_node is None
            else self.value(value_node, frame)
        )
        into[self.unread(key_node, frame) if isinstance(key, dict) else hashable(key)] = value

    def _range(self, node: Node, frame: Frame) -> Any:
        """A range as the list of its elements."""
        low, high = self._part(node, "begin", frame), self._part(node, "end", frame)
        open_end = text_of(node.child_by_field_name("operator")) == "..."
        if isinstance(low, int) and isinstance(high, int):
            pay(max(0, high - low))
            return list(range(low, high + (not open_end)))
        if isinstance(low, str) and isinstance(high, str):
            between = words_between(low, high)
            return between[:-1] if open_end else between
        return self.unread(node, frame)

    def _pattern(self, node: Node, frame: Frame) -> Any:
        """A regular expression."""
        if any(child.type == "interpolation" for child in node.named_children) or not text_of(
            node
        ).endswith("/"):
            return self.unread(node, frame)
        return Pattern(source=text_of(node).strip("/"))

    def _local(self, name: str, node: Node, frame: Frame) -> Any:
        """A local name, or the method of that name."""
        if name in frame.names:
            return frame.names[name]
        return self.call_own(Asked(name=name), node, frame)

    def _symbol(self, node: Node, frame: Frame) -> Any:
        """A symbol."""
        if node.named_children:
            return self._string(node, frame)
        return text_of(node).removeprefix(":").strip('"')

    def _integer(self, node: Node, _frame: Frame) -> Any:
        """A whole number."""
        digits = text_of(node).replace("_", "")
        return checked_number(int(digits, 10 if digits.isdigit() else 0))

    def _unary(self, node: Node, frame: Frame) -> Any:
        """-x, !x, defined? x."""
        operator, value = (
            text_of(node.child_by_field_name("operator")),
            self._part(node, "operand", frame),
        )
        if operator in ("!", "not"):
            return not truthy(value)
        if operator == "defined?":
            return None
        if isinstance(value, (int, float)):
            return -value if operator == "-" else value
        return value if operator == "+" else self.unread(node, frame)

    def _binary(self, node: Node, frame: Frame) -> Any:
        """An operator between two values."""
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        operator = text_of(node.child_by_field_name("operator"))
        if left is None or right is None:
            return self.unread(node, frame)
        first = self.value(left, frame)
        if operator in ("&&", "and"):
            return self.value(right, frame) if truthy(first) else first
        if operator in ("||", "or"):
            return first if truthy(first) else self.value(right, frame)
        value = self._operated(operator, first, self.value(right, frame), node, frame)
        if operator == "<<" and isinstance(first, str) and left.type == "identifier":
            frame.names[text_of(left)] = value
        return value

    def _operated(self, operator: str, first: Any, second: Any, node: Node, frame: Frame) -> Any:
        """The value of an operator, unread where it does not fit."""
        if operator == "+" and isinstance(first, list) and is_unread(second):
            return ruby_plus(first, [second])
        if operator == "!=" and is_unread(second) and not is_unread(first):
            return True  # what cannot be known counts as equal to nothing
        if operator not in BINARY or is_unread(first) or is_unread(second):
            return self.unread(node, frame)
        try:
            return checked_number(BINARY[operator](first, second))
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            return self.unread(node, frame)

    def _conditional(self, node: Node, frame: Frame) -> Any:
        """if, unless and ?:; what cannot be known is false."""
        return self._part(node, "consequence" if self._holds(node, frame) else "alternative", frame)

    def _modifier(self, node: Node, frame: Frame) -> Any:
        """A statement with if or unless behind it."""
        return self._part(node, "body", frame) if self._holds(node, frame) else None

    def _holds(self, node: Node, frame: Frame) -> bool:
        """Whether the condition of an if, unless, while or until holds."""
        return truthy(self._part(node, "condition", frame)) != node.type.startswith("un")

    def _case(self, node: Node, frame: Frame) -> Any:
        """case with its first branch that fits."""
        subject_node = node.child_by_field_name("value")
        subject = True if subject_node is None else self.value(subject_node, frame)
        for child in node.named_children:
            if child.type == "when":
                for pattern in child.children_by_field_name("pattern"):
                    wanted = self.all(pattern.named_children, frame)
                    known = not is_unread(subject) and (subject_node is not None or truthy(wanted))
                    if known and _fits(wanted, subject):
                        return self.body(child.child_by_field_name("body"), frame)
            elif child.type == "else":
                return self.body(child, frame)
        return None

    def _while(self, node: Node, frame: Frame) -> Any:
        """while and until; the budget of steps ends what goes on and on."""
        while self._holds(node, frame) and self._turn(node, frame):
            pass
        return None

    def _for(self, node: Node, frame: Frame) -> Any:
        """for x in y."""
        pattern = node.child_by_field_name("pattern")
        values = self.body(node.child_by_field_name("value"), frame)
        for item in values if isinstance(values, (list, tuple)) else ():
            if pattern is not None:
                self._put(pattern, item, frame)
            if not self._turn(node, frame):
                break
        return values

    def _turn(self, loop: Node, frame: Frame) -> bool:
        """One turn of a loop: False where it breaks off."""
        pay()
        try:
            self.body(loop.child_by_field_name("body"), frame)
        except Left as error:
            if error.kind == "return":
                raise
            return error.kind == "next"
        return True

    def _assign(self, node: Node, frame: Frame) -> Any:
        """An assignment."""
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if left is None or right is None:
            return None
        value = (
            self._array(right, frame)
            if right.type == "right_assignment_list"
            else self.value(right, frame)
        )
        self._put(left, value, frame)
        return value

    def _assign_by(self, node: Node, frame: Frame) -> Any:
        """+=, ||= and the like."""
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        operator = text_of(node.child_by_field_name("operator")).removesuffix("=")
        if left is None or right is None:
            return None
        name = text_of(left)
        unset = (
            left.type in ("identifier", "instance_variable")
            and name not in frame.names
            and name not in self.known
        )
        before = None if unset else self.value(left, frame)
        if operator in ("||", "&&"):
            if truthy(before) == (operator == "||"):
                return before
            value = self.value(right, frame)
        else:
            value = self._operated(operator, before, self.value(right, frame), node, frame)
        self._put(left, value, frame)
        return value

    def _put(self, left: Node, value: Any, frame: Frame) -> None:
        """Give a name, an element or several of them a value."""
        if left.type == "identifier":
            frame.names[text_of(left)] = value
        elif left.type == "instance_variable":
            self.known[text_of(left)] = value
        elif left.type == "element_reference":
            holder = self._part(left, "object", frame)
            keys = [self.value(child, frame) for child in left.named_children[1:]]
            if isinstance(holder, dict) and keys:
                holder[hashable(keys[0])] = value
            elif (
                isinstance(holder, list)
                and keys
                and isinstance(keys[0], int)
                and keys[0] < len(holder)
            ):
                holder[keys[0]] = value
        elif left.type in ("left_assignment_list", "destructured_left_assignment"):
            self._spread(left.named_children, value, frame)

    def _spread(self, targets: list[Node], value: Any, frame: Frame) -> None:
        """Give several names the elements of a value."""
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        pay(len(values))
        for index, target in enumerate(targets):
            if target.type in ("rest_assignment", "splat_parameter"):
                if target.named_children:
                    self._put(target.named_children[0], values[index:], frame)
                return
            missing = value if is_unread(value) else None
            self._put(target, values[index] if index < len(values) else missing, frame)

    def _element(self, node: Node, frame: Frame) -> Any:
        """An element by its index, or those of a range."""
        holder = self._part(node, "object", frame)
        first = node.named_children[1] if len(node.named_children) == 2 else None
        if first is not None and first.type == "range" and isinstance(holder, (list, tuple, str)):
            return self._sliced(holder, first, frame)
        keys = [self.value(child, frame) for child in node.named_children[1:]]
        return self.method(holder, Asked(name="[]", arguments=tuple(keys)), node, frame)

    def _sliced(self, holder: Any, node: Node, frame: Frame) -> Any:
        low, high = self._part(node, "begin", frame), self._part(node, "end", frame)
        if not isinstance(low, (int, type(None))) or not isinstance(high, (int, type(None))):
            return self.unread(node, frame)
        if high is not None and text_of(node.child_by_field_name("operator")) != "...":
            high = None if high == -1 else high + 1
        part = holder[low:high]
        (pay_for_text if isinstance(part, str) else pay)(len(part))
        return part

    def _leave(self, node: Node, frame: Frame) -> Any:
        """return, next and break."""
        values = [
            self.value(child, frame)
            for pair in node.named_children
            for child in pair.named_children
        ]
        raise Left(node.type, values[0] if len(values) == 1 else values or None)

    def _sequence(self, node: Node, frame: Frame) -> Any:
        """Statements, of which the last is the value."""
        return self.all([child for child in node.named_children if child.type not in _ASIDE], frame)

    _READERS: ClassVar[dict[str, Callable[[Evaluator, Node, Frame], Any]]] = {
        "integer": _integer,
        "float": lambda _ev, node, _frame: float(text_of(node).replace("_", "")),
        "string": _string,
        "character": lambda _ev, node, _frame: text_of(node)[1:],
        "regex": _pattern,
        "chained_string": _chained,
        "heredoc_beginning": _heredoc,
        "simple_symbol": _symbol,
        "delimited_symbol": _symbol,
        "array": _array,
        "string_array": _word_array,
        "symbol_array": _word_array,
        "hash": _hash,
        "range": _range,
        "nil": lambda *_: None,
        "true": lambda *_: True,
        "false": lambda *_: False,
        "comment": lambda *_: None,
        "heredoc_body": lambda *_: None,
        "constant": named,
        "scope_resolution": scoped,
        "identifier": lambda ev, node, frame: ev._local(text_of(node), node, frame),
        "instance_variable": lambda ev, node, frame: ev.variable(
            text_of(node), ev.unread(node, frame)
        ),
        "unary": _unary,
        "binary": _binary,
        "conditional": _conditional,
        "if": _conditional,
        "elsif": _conditional,
        "unless": _conditional,
        "if_modifier": _modifier,
        "unless_modifier": _modifier,
        "case": _case,
        "while": _while,
        "until": _while,
        "for": _for,
        "assignment": _assign,
        "operator_assignment": _assign_by,
        "element_reference": _element,
        "call": call_value,
        "super": super_value,
        "return": _leave,
        "next": _leave,
        "break": _leave,
        "parenthesized_statements": _sequence,
        "body_statement": _sequence,
        "block_body": _sequence,
        "then": _sequence,
        "else": _sequence,
        "begin": _sequence,
    }


def _joined(parts: list[str]) -> str:
    pay_for_text(sum(map(len, parts)))
    return "".join(parts)


def hashable(key: Any) -> Any:
    """A key of a hash: lists are tuples."""
    if not isinstance(key, list):
        return key
    pay_for(key)
    return ruby_key(key)


def _escaped(text: str, *, plain: bool) -> str:
    if plain:
        return text[1:] if text in ("\\'", "\\\\") else text
    if text.startswith("\\u"):
        digits = text[2:].strip("{}")
        try:
            char = chr(int(digits, 16))
        except (ValueError, OverflowError):
            return text
        return text if "\ud800" <= char <= "\udfff" else char
    if text == "\\\n":
        return ""
    return _ESCAPES.get(text[1:], text[1:])


def _fits(wanted: Any, subject: Any) -> bool:
    """Ruby's `===`, for values, ranges, classes and patterns."""
    if isinstance(wanted, Pattern):
        return isinstance(subject, str) and wanted.search(subject) is not None
    if is_unread(wanted):
        return is_kind(subject, wanted)
    pay_for(wanted)
    return bool(wanted == subject or (isinstance(wanted, list) and subject in wanted))
