"""Values of expressions in Ruby files, as far as they follow from literals.

A tree is walked, nothing is run: there are no files, no clock, no Ruby classes. Data that cannot be
known become an `Unread` value with its file and line; everything around it is kept. A condition
that cannot be known counts as false, so options are off.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.exchange.ruby.game import (
    ANY_ORDER,
    PRICE_TYPES,
    NoData,
    Thing,
    TooMuch,
    Unread,
    checked_number,
    is_unread,
    pay,
    to_s,
    truthy,
)
from platelayer.exchange.ruby.library import (
    BASE,
    Definition,
    Library,
    Module,
    Source,
    children_of,
    field_text,
    namespaces,
    text_of,
)
from platelayer.exchange.ruby.methods import (
    CHANCE,
    NO_DATA,
    Block,
    Defaults,
    Pattern,
    Shuffled,
    is_kind,
    operate,
    ruby_format,
    ruby_items,
    ruby_key,
    ruby_number,
    ruby_plus,
    run_method,
    words_between,
)
from platelayer.foundation.values import Json

if TYPE_CHECKING:
    from tree_sitter import Node

# Maximum nesting of expressions, through methods and blocks.
MAX_DEPTH = 400
_MOST_ELEMENTS = 2000
_COLOURS = ["white", "yellow", "green", "brown", "gray", "red", "blue"]
# Constants of Ruby and of the engine's code.
_CONSTANTS: Json = {
    "Float::INFINITY": float("inf"),
    "Engine::Tile::COLORS": _COLOURS,
    "Tile::COLORS": _COLOURS,
    "Engine::SharePrice::TYPE_MAP": PRICE_TYPES,
    "SharePrice::TYPE_MAP": PRICE_TYPES,
}
# Methods that set up a game, in call order.
_STARTING = (
    "init_optional_rules",
    "initialize",
    "init_loans",
    "setup_preround",
    "setup",
    "init_round",
)
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "e": "\x1b", "0": "\0", "r": "\r", "a": "\a", "b": "\b"}
_WITHOUT_VALUE = ("comment", "heredoc_body", "rescue", "ensure")


class Jump(Exception):
    """Raised by `return`, `next` and `break`; `kind` is the statement's name, `value` its value."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.kind, self.value = kind, value


class Call(Struct, frozen=True, kw_only=True):
    """A call of a method by name, with arguments, named arguments and a block."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: dict[Any, Any] = {}
    block: Block = None


class Names(ChainMap[str, Any]):
    """Local names. The names of a block take precedence over those around it, which the block may
    change."""

    def __setitem__(self, name: str, value: Any) -> None:
        holder = next((names for names in self.maps if name in names), self.maps[0])
        holder[name] = value


class Frame(Struct, kw_only=True):
    """Context of expressions: their file, the module that contains them and local names; and the
    current method, with its parameters, its keyword parameters, and the index of its module
    among the ancestors.

    A node of type x is read by `_read_x`, which raises one of NO_DATA for an expression that is not
    data.
    """

    game: Evaluator
    source: Source
    module: str
    names: Names = field(default_factory=Names)
    method: str = ""
    parameters: list[str] = []
    keywords: list[str] = []
    level: int = -1

    # Constants

    def _read_constant(self, node: Node) -> Any:
        """Return a constant by its name, looked up in the enclosing modules, then inherited ones,
        then the game."""
        around = filter(None, map(self.game.library.modules.get, namespaces(self.module)))
        inherited = self.game.library.ancestors(self.module)
        return self.game.first_constant(
            chain(around, inherited, self.game.ancestors), text_of(node)
        )

    def _read_scope_resolution(self, node: Node) -> Any:
        """Return a constant by its full name."""
        scope, name = field_text(node, "scope"), field_text(node, "name")
        if scope in ("", "self.class", "self"):
            return self.game.first_constant(self.game.ancestors, name)
        if text_of(node) in _CONSTANTS:
            return _CONSTANTS[text_of(node)]
        module = self.game.library.resolve(scope, self.module)
        if module is None:
            raise NoData
        return self.game.first_constant(self.game.library.ancestors(module), name)

    # Expressions

    def value(self, node: Node) -> Any:
        """Return the value of an expression. Raises TooMuch if it takes too many steps or is nested
        too deeply."""
        pay()
        read = getattr(self, f"_read_{node.type}", None)
        if read is None:
            return self.source.unread(node)
        self.game.depth += 1
        try:
            if self.game.depth > MAX_DEPTH:
                raise TooMuch
            return read(node)
        except RecursionError as error:
            raise TooMuch from error
        except NO_DATA:
            return self.source.unread(node)
        finally:
            self.game.depth -= 1

    def part(self, node: Node, name: str) -> Any:
        """Return the value of a field of an expression, None (nil) if there is no such field."""
        part = node.child_by_field_name(name)
        return None if part is None else self.value(part)

    def _last(self, nodes: list[Node]) -> Any:
        """Evaluate statements and return the value of the last one."""
        value = None
        for node in nodes:
            value = self.value(node)
        return value

    def _spread(self, node: Node) -> list[Any]:
        """Return the elements of `*list`."""
        value = self._last(node.named_children)
        return ruby_items(value) if isinstance(value, (list, tuple, dict)) else [value]

    # Calls

    def _read_call(self, node: Node) -> Any:
        call = self._call(node)
        receiver = node.child_by_field_name("receiver")
        text = text_of(receiver)
        if receiver is None or text in ("self", "self.class"):
            return self._call_own(call, node)
        if receiver.type == "constant" and call.name == "new":
            return self._new(text, call)
        if receiver.type in ("constant", "scope_resolution"):
            full = self.game.library.resolve(text, self.module)
            module = self.game.library.module(full) if full is not None else None
            if module is not None and call.name in module.methods:
                return self.game.enter(module.methods[call.name], -1, call)
        subject = self.value(receiver)
        if subject is None and field_text(node, "operator") == "&.":
            return None
        return self._call_method(subject, call, node)

    def _call(self, node: Node) -> Call:
        """Return a call with the values of its arguments."""
        arguments = []
        named: dict[Any, Any] = {}
        block_node = node.child_by_field_name("block")
        block = None if block_node is None else self._block(block_node)
        for child in children_of(node, "arguments"):
            if child.type in ("pair", "hash_splat_argument"):
                self._add_pair(child, named)
            elif child.type == "splat_argument":
                arguments += self._spread(child)
            elif child.type == "block_argument":
                block = self._block_of_symbol(child)
            elif child.type != "comment":
                arguments.append(self.value(child))
        name = field_text(node, "method")
        return Call(name=name, arguments=tuple(arguments), named=named, block=block)

    def _block(self, node: Node) -> Block:
        targets = children_of(node, "parameters")
        body = children_of(node, "body")
        # An array passed to a block with several parameters is spread over them.
        is_spread = len(targets) > 1 or (not targets and re.search(rb"\b_2\b", node.text or b""))

        def run(*values: Any) -> Any:
            pay()
            own = {"it": values[0] if values else None}
            if is_spread and len(values) == 1 and isinstance(values[0], (list, tuple)):
                values = tuple(values[0])
            for index, value in enumerate(values):
                own[f"_{index + 1}"] = value
            _bind(targets, values, own)
            try:
                return replace(self, names=self.names.new_child(own))._last(body)
            except Jump as jump:
                if jump.kind == "next":
                    return jump.value
                raise

        return run

    def _block_of_symbol(self, node: Node) -> Block:
        """Return the block `&:name`, which calls a method of its first value."""
        symbol = node.named_children[0] if node.named_children else None
        if symbol is None or symbol.type not in ("simple_symbol", "delimited_symbol"):
            return lambda *_: self.source.unread(node)
        name = text_of(symbol).removeprefix(":")
        return lambda value, *arguments: self._call_method(
            value, Call(name=name, arguments=arguments), node
        )

    def _new(self, name: str, call: Call) -> Any:
        """Return the value of `Hash.new`, `Set.new`, `Range.new`, or `Array.new` with a size."""
        first, second = (*call.arguments, None, None)[:2]
        if name == "Hash":
            defaults = Defaults()
            defaults.missing, defaults.make = first, call.block
            return defaults
        if name in ("Set", "Array") and isinstance(first, list):
            return list(first)
        if name == "Range" and isinstance(first, int) and isinstance(second, int):
            return list(range(first, second + 1))
        size = 0 if first is None else first
        if name != "Array" or not isinstance(size, int) or size > _MOST_ELEMENTS:
            raise NoData
        if call.block is not None:
            return [call.block(index) for index in range(size)]
        return [second] * size

    def _call_method(self, subject: Any, call: Call, node: Node) -> Any:
        if isinstance(subject, Thing) and call.name in subject:
            return subject[call.name]
        if is_unread(subject):
            return self.source.unread(node)
        is_shuffled = isinstance(subject, Shuffled)
        if call.name == "sample" or (is_shuffled and call.name in ("first", "take")):
            self.game.drawn.append(self.source.unread(node))
        elif is_shuffled and call.name == "[]":
            self.game.drawn.append(self.source.unread(node, why=ANY_ORDER))
        arguments = [*call.arguments, call.named] if call.named else call.arguments
        try:
            return run_method(call.name, subject, arguments, call.block)
        except Jump as jump:
            if jump.kind == "break":
                return jump.value
            raise
        except RecursionError as error:
            raise TooMuch from error
        except NO_DATA:
            return self.source.unread(node)

    def _call_own(self, call: Call, node: Node, *, after: int = -1) -> Any:
        """Call a method of the game, searching only the ancestors after a level (for `super`); if
        there is none, call one of Ruby's own functions."""
        name = call.name
        if after < 0 and name in self.game.known:
            return self.game.known[name]
        if name == CHANCE and not call.arguments:  # however the engine implements it
            return self.source.unread(node, what=CHANCE)
        for level, module in enumerate(self.game.ancestors):
            if level > after and name in module.methods:
                return self.game.enter(module.methods[name], level, call)
        if name == "raise":
            raise Jump("return", self.source.unread(node))
        first = call.arguments[0] if call.arguments else None
        if name in ("send", "public_send") and isinstance(first, str):
            sent = replace(call, name=first, arguments=call.arguments[1:])
            return self._call_own(sent, node)
        if name == "respond_to?":
            return any(first in module.methods for module in self.game.ancestors)
        if name == "const_get" and isinstance(first, str):
            return self.game.first_constant(self.game.ancestors, first)
        if name == "loop" and call.block is not None:
            while True:
                try:
                    call.block()
                except Jump as jump:
                    if jump.kind == "break":
                        return jump.value
                    raise
        if name in ("format", "sprintf"):
            return ruby_format(first, list(call.arguments[1:]))
        if name == "Integer":
            return ruby_number(first)
        if name == "String":
            return to_s(first)
        if name == "Array":
            if first is None:
                return []
            return ruby_items(first) if isinstance(first, (list, dict)) else [first]
        if call.arguments:
            raise NoData
        return self.game.variable(f"@{name}", self.source.unread(node))

    def _read_super(self, _node: Node) -> Any:
        arguments = tuple(self.names[name] for name in self.parameters)
        named = {name: self.names[name] for name in self.keywords}
        call = Call(name=self.method, arguments=arguments, named=named)
        return self._call_own(call, _node, after=self.level)

    # Names

    def _read_identifier(self, node: Node) -> Any:
        """Return the value of a local name, or of the method with that name."""
        name = text_of(node)
        if name in self.names:
            return self.names[name]
        return self._call_own(Call(name=name), node)

    _read_hash_key_symbol = _read_identifier  # in `{ name: }`

    def _read_instance_variable(self, node: Node) -> Any:
        return self.game.variable(text_of(node), self.source.unread(node))

    # Literals

    def _read_nil(self, node: Node) -> bool | None:
        return {"true": True, "false": False}.get(node.type)

    _read_true = _read_false = _read_comment = _read_heredoc_body = _read_nil

    def _read_integer(self, node: Node) -> Any:
        digits = text_of(node).replace("_", "")
        return checked_number(int(digits, 10 if digits.isdigit() else 0))

    def _read_float(self, node: Node) -> float:
        return float(text_of(node).replace("_", ""))

    def _read_character(self, node: Node) -> str:
        return text_of(node)[1:]

    def _read_string(self, node: Node) -> str:
        parts = []
        is_verbatim = text_of(node).removeprefix(":").startswith("'")
        for child in node.named_children:
            text = text_of(child)
            if child.type == "interpolation":
                inner = self._last(child.named_children)
                if is_unread(inner):
                    raise NoData
                text = to_s(inner)
            elif is_verbatim:
                text = re.sub(r"\\(['\\])", r"\1", text)
            elif child.type == "escape_sequence":
                text = _escaped(text)
            parts.append(text)
        return "".join(parts)

    _read_bare_string = _read_bare_symbol = _read_string

    def _read_chained_string(self, node: Node) -> str:
        """Return adjacent string literals as one."""
        parts = [self.value(child) for child in node.named_children]
        if any(map(is_unread, parts)):
            raise NoData
        return "".join(parts)

    def _read_heredoc_beginning(self, node: Node) -> str:
        """Return the text of a heredoc; `<<~` removes the common indent."""
        parts = []
        for child in self.source.heredocs[node.start_byte].named_children:
            if child.type == "interpolation":
                parts.append(to_s(self._last(child.named_children)))
            elif child.type != "heredoc_end":
                parts.append(text_of(child))
        text = "".join(parts).removeprefix("\n")
        if "~" not in text_of(node):
            return text
        lines = text.splitlines(keepends=True)
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        return "".join(line[indent:] if line.strip() else line.lstrip(" ") for line in lines)

    def _read_simple_symbol(self, node: Node) -> str:
        return text_of(node).removeprefix(":")

    def _read_delimited_symbol(self, node: Node) -> str:
        return self._read_string(node)

    def _read_array(self, node: Node) -> list[Any]:
        """Return an array; pairs in it become a hash at its end."""
        items = []
        pairs: dict[Any, Any] = {}
        for child in node.named_children:
            if child.type == "splat_argument":
                items += self._spread(child)
            elif child.type in ("pair", "hash_splat_argument"):
                self._add_pair(child, pairs)
            elif child.type != "comment":
                items.append(self.value(child))
        return [*items, pairs] if pairs else items

    _read_string_array = _read_symbol_array = _read_right_assignment_list = _read_array

    def _read_hash(self, node: Node) -> dict[Any, Any]:
        pairs: dict[Any, Any] = {}
        for child in node.named_children:
            self._add_pair(child, pairs)
        return pairs

    def _add_pair(self, node: Node, pairs: dict[Any, Any]) -> None:
        """Add a pair, or the pairs of `**other`."""
        if node.type == "hash_splat_argument":
            other = self._last(node.named_children)
            if isinstance(other, dict):
                pairs.update(other)
            else:
                pairs[self.source.unread(node)] = other
            return
        key_node = node.child_by_field_name("key")
        if key_node is None:
            return
        is_name = key_node.type == "hash_key_symbol"
        key = text_of(key_node) if is_name else self.value(key_node)
        value_node = node.child_by_field_name("value") or key_node  # `{ name: }`
        value = self.value(value_node)
        if isinstance(key, dict):
            key = self.source.unread(key_node)
        pairs[ruby_key(key)] = value

    def _read_range(self, node: Node) -> list[Any]:
        """Return a range as the list of its elements."""
        first, last = self.part(node, "begin"), self.part(node, "end")
        is_open = field_text(node, "operator") == "..."
        if isinstance(first, int) and isinstance(last, int):
            return list(range(first, last + (not is_open)))
        if isinstance(first, str) and isinstance(last, str):
            words = words_between(first, last)
            return words[:-1] if is_open else words
        raise NoData

    def _read_regex(self, node: Node) -> Pattern:
        text = text_of(node)
        has_flags = not text.endswith("/")
        if has_flags or any(child.type == "interpolation" for child in node.named_children):
            raise NoData
        return Pattern(source=text.strip("/"))

    # Operators

    def _read_unary(self, node: Node) -> Any:
        operator, value = field_text(node, "operator"), self.part(node, "operand")
        if operator in ("!", "not"):
            return not truthy(value)
        if operator == "defined?":
            return None
        if operator == "-" and isinstance(value, (int, float)):
            return -value
        if operator == "+" or isinstance(value, (int, float)):
            return value
        raise NoData

    def _read_binary(self, node: Node) -> Any:
        operator = field_text(node, "operator")
        first = self.part(node, "left")
        if operator in ("&&", "and"):
            return self.part(node, "right") if truthy(first) else first
        if operator in ("||", "or"):
            return first if truthy(first) else self.part(node, "right")
        value = self._operate(operator, first, self.part(node, "right"), node)
        left = node.child_by_field_name("left")
        if operator == "<<" and isinstance(first, str) and left and left.type == "identifier":
            self.names[text_of(left)] = value
        return value

    def _operate(self, operator: str, first: Any, second: Any, node: Node) -> Any:
        if operator == "+" and isinstance(first, list) and is_unread(second):
            return ruby_plus(first, [second])
        if operator == "!=" and is_unread(second) and not is_unread(first):
            return True  # an unknown value equals no other
        if is_unread(first) or is_unread(second):
            return self.source.unread(node)
        try:
            return operate(operator, first, second)
        except NO_DATA:
            return self.source.unread(node)

    # Conditions and loops

    def _read_conditional(self, node: Node) -> Any:
        """Return the value of `if`, `unless` or `?:`."""
        return self.part(node, "consequence" if self._holds(node) else "alternative")

    _read_if = _read_elsif = _read_unless = _read_conditional

    def _read_if_modifier(self, node: Node) -> Any:
        return self.part(node, "body") if self._holds(node) else None

    _read_unless_modifier = _read_if_modifier

    def _holds(self, node: Node) -> bool:
        is_negated = node.type.startswith("un")  # unless, until
        return truthy(self.part(node, "condition")) != is_negated

    def _read_case(self, node: Node) -> Any:
        """Return the value of the first branch that matches, None if none does."""
        # In a `case` without a value, the branches are conditions.
        is_plain = node.child_by_field_name("value") is None
        subject = True if is_plain else self.part(node, "value")
        for branch in node.named_children:
            if branch.type == "else":
                return self._last(branch.named_children)
            for pattern in branch.children_by_field_name("pattern"):
                wanted = self._last(pattern.named_children)
                if is_unread(subject) or (is_plain and not truthy(wanted)):
                    continue
                if _fits(wanted, subject):
                    return self._last(children_of(branch, "body"))
        return None

    def _read_while(self, node: Node) -> None:
        while self._holds(node) and self._turn(node):
            pass

    _read_until = _read_while

    def _read_for(self, node: Node) -> Any:
        pattern = node.child_by_field_name("pattern")
        items = self._last(children_of(node, "value"))
        for item in items if isinstance(items, (list, tuple)) else ():
            if pattern is not None:
                self._assign(pattern, item)
            if not self._turn(node):
                break
        return items

    def _turn(self, loop: Node) -> bool:
        """Run the body of a loop once; return False if it breaks out of the loop."""
        pay()
        try:
            self._last(children_of(loop, "body"))
        except Jump as jump:
            if jump.kind == "return":
                raise
            return jump.kind == "next"
        return True

    def _read_return(self, node: Node) -> Any:
        values = [
            self.value(child)
            for arguments in node.named_children
            for child in arguments.named_children
        ]
        raise Jump(node.type, values[0] if len(values) == 1 else values or None)

    _read_next = _read_break = _read_return

    def _read_body_statement(self, node: Node) -> Any:
        """Return the value of the last statement."""
        statements = [child for child in node.named_children if child.type not in _WITHOUT_VALUE]
        return self._last(statements)

    _read_parenthesized_statements = _read_block_body = _read_then = _read_body_statement
    _read_else = _read_begin = _read_body_statement

    # Assignments

    def _read_assignment(self, node: Node) -> Any:
        value = self.part(node, "right")
        left = node.child_by_field_name("left")
        if left is not None:
            self._assign(left, value)
        return value

    def _read_operator_assignment(self, node: Node) -> Any:
        """Evaluate `+=`, `||=` and the like."""
        left = node.child_by_field_name("left")
        if left is None:
            return None
        operator = field_text(node, "operator").removesuffix("=")
        name = text_of(left)
        is_name = left.type in ("identifier", "instance_variable")
        is_unset = is_name and name not in self.names and name not in self.game.known
        before = None if is_unset else self.value(left)
        if operator in ("||", "&&") and truthy(before) == (operator == "||"):
            return before
        value = self.part(node, "right")
        if operator not in ("||", "&&"):
            value = self._operate(operator, before, value, node)
        self._assign(left, value)
        return value

    def _assign(self, left: Node, value: Any) -> None:
        """Assign a value to a name or an element, or its elements to several targets."""
        if left.type == "identifier":
            self.names[text_of(left)] = value
        elif left.type == "instance_variable":
            self.game.known[text_of(left)] = value
        elif left.type == "element_reference":
            holder = self.part(left, "object")
            key = self.value(left.named_children[1])
            if isinstance(holder, dict):
                holder[ruby_key(key)] = value
            elif isinstance(holder, list) and isinstance(key, int) and key < len(holder):
                holder[key] = value
        elif left.type in ("left_assignment_list", "destructured_left_assignment"):
            values = list(value) if isinstance(value, (list, tuple)) else [value]
            for index, target in enumerate(left.named_children):
                if target.type in ("rest_assignment", "splat_parameter"):
                    if target.named_children:
                        self._assign(target.named_children[0], values[index:])
                    return
                missing = value if is_unread(value) else None
                self._assign(target, values[index] if index < len(values) else missing)

    # Elements

    def _read_element_reference(self, node: Node) -> Any:
        """Return an element by its index, or the elements in a range of indices."""
        holder = self.part(node, "object")
        indices = node.named_children[1:]
        is_range = len(indices) == 1 and indices[0].type == "range"
        if not is_range or not isinstance(holder, (list, tuple, str)):
            keys = tuple(self.value(child) for child in indices)
            return self._call_method(holder, Call(name="[]", arguments=keys), node)
        start, end = self.part(indices[0], "begin"), self.part(indices[0], "end")
        if end is not None and field_text(indices[0], "operator") != "...":
            end = None if end == -1 else end + 1
        return holder[start:end]


class Evaluator:
    """Evaluator of one game's expressions. `known` has the instance variables and methods without
    arguments whose values are given (optional rules, players); variables that the game sets are
    added."""

    def __init__(self, library: Library, game: str, known: Json) -> None:
        self.library, self.known = library, known
        self.drawn: list[Unread] = []
        lineage = list(library.ancestors(game))
        siblings = [module for module in library.siblings(game) if module not in lineage]
        # The engine's own class comes last: a game may use data of a module without including it in
        # a way that can be recognised.
        self.ancestors = sorted([*lineage, *siblings], key=lambda module: module.name == BASE)
        self.depth = 0
        self._constants: dict[tuple[str, str], Any] = {}
        self._evaluating: set[tuple[str, str]] = set()

    def constant(self, name: str) -> Any:
        """Return a constant of the game or one that it inherits, None if there is none."""
        try:
            return self.first_constant(self.ancestors, name)
        except NoData:
            return None

    def call(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Return the value of a method of the game; an Unread if there is no such method."""
        call = Call(name=name, arguments=arguments, named=named)
        for level, module in enumerate(self.ancestors):
            if name in module.methods:
                return self.enter(module.methods[name], level, call)
        return Unread(what=name)

    def definition(self, name: str, *, method: bool = False) -> Definition | None:
        """Return the definition of a constant or method of the game, None if there is none."""
        for module in self.ancestors:
            definition = (module.methods if method else module.constants).get(name)
            if definition is not None:
                return definition
        return None

    def _frame(self, definition: Definition) -> Frame:
        return Frame(game=self, source=definition.source, module=definition.module)

    def first_constant(self, modules: Iterable[Module], name: str) -> Any:
        """Return the first constant of this name that is not being evaluated: in `X =
        X.merge(...)`, the second X is a parent's. Raises NoData if there is none."""
        for module in modules:
            key = module.name, name
            if key in self._constants:  # possibly while its changes are being evaluated
                return self._constants[key]
            if name in module.constants and key not in self._evaluating:
                self._evaluating.add(key)
                try:
                    definition = module.constants[name]
                    self._constants[key] = self._frame(definition).value(definition.node)
                    for change in module.changes.get(name, ()):
                        self._frame(change).value(change.node)
                finally:
                    self._evaluating.discard(key)
                return self._constants[key]
        raise NoData

    def variable(self, name: str, unread: Unread) -> Any:
        """Return an instance variable: a known one, or the first value that is assigned to it when
        the game is set up; otherwise `unread`."""
        if name in self.known:
            return self.known[name]
        self.known[name] = unread
        for method in _STARTING:
            for module in self.ancestors:
                definition = module.methods.get(method)
                if definition is None or module.name == BASE or name not in definition.assigned:
                    continue
                with suppress(Jump):
                    self.known[name] = self._frame(definition).value(definition.assigned[name])
                return self.known[name]
        return self.known[name]

    def enter(self, definition: Definition, level: int, call: Call) -> Any:
        """Call a method that is defined in the game's files, and return its value."""
        frame = self._frame(definition)
        frame.method, frame.level = call.name, level
        arguments = list(call.arguments)
        for parameter in children_of(definition.node, "parameters"):
            name = field_text(parameter, "name") or text_of(parameter)
            kind = parameter.type
            if kind == "block_parameter":
                continue
            if kind == "splat_parameter":
                value: Any = arguments
                arguments = []
            elif kind == "hash_splat_parameter":
                value = dict(call.named)
            elif kind == "keyword_parameter" and name in call.named:
                value = call.named[name]
            elif kind != "keyword_parameter" and arguments:
                value = arguments.pop(0)
            elif parameter.child_by_field_name("value") is not None:
                value = frame.part(parameter, "value")
            else:
                value = frame.source.unread(parameter)
            frame.names[name] = value
            (frame.keywords if kind == "keyword_parameter" else frame.parameters).append(name)
        try:
            return frame.part(definition.node, "body")
        except Jump as jump:
            return jump.value


def _bind(targets: list[Node], values: Sequence[Any], names: Json) -> None:
    """Assign values to the parameters of a block; parameters without a value are nil."""
    for index, target in enumerate(targets):
        value = values[index] if index < len(values) else None
        if target.type == "destructured_parameter":
            inner = value if isinstance(value, (list, tuple)) else [value]
            _bind(target.named_children, inner, names)
        elif target.type == "splat_parameter":
            names[field_text(target, "name")] = list(values[index:])
        else:
            names[field_text(target, "name") or text_of(target)] = value


def _escaped(text: str) -> str:
    """Return the character of an escape sequence."""
    if text.startswith("\\u"):
        try:
            character = chr(int(text[2:].strip("{}"), 16))
        except (ValueError, OverflowError):
            return text
        return text if "\ud800" <= character <= "\udfff" else character
    return "" if text == "\\\n" else _ESCAPES.get(text[1:], text[1:])


def _fits(wanted: Any, subject: Any) -> bool:
    """Return True if Ruby's `===` holds, for values, ranges, classes and patterns."""
    if isinstance(wanted, Pattern):
        return isinstance(subject, str) and wanted.search(subject) is not None
    if is_unread(wanted):
        return is_kind(subject, wanted)
    return bool(wanted == subject or (isinstance(wanted, list) and subject in wanted))
