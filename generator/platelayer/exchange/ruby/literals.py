"""Readers of literals and local names: one for each kind of node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from platelayer.exchange.ruby.budget import checked_number, pay, pay_for, pay_for_text
from platelayer.exchange.ruby.frames import Asked, Frame
from platelayer.exchange.ruby.patterns import Pattern
from platelayer.exchange.ruby.syntax import text_of
from platelayer.exchange.ruby.texts import words_between
from platelayer.exchange.ruby.values import is_unread, words
from platelayer.exchange.ruby.work import ruby_key

if TYPE_CHECKING:
    from tree_sitter import Node

    from platelayer.exchange.ruby.evaluate import Evaluator

_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "e": "\x1b", "0": "\0", "r": "\r", "a": "\a", "b": "\b"}


def read_string(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A string; unread where something in it is."""
    parts: list[str] = []
    opening = frame.source.data[node.start_byte : node.start_byte + 2]
    plain = opening.removeprefix(b":").startswith(b"'")
    for child in node.named_children:
        if child.type == "interpolation":
            inner = ev.all(child.named_children, frame)
            if is_unread(inner):
                return ev.unread(frame.source, node)
            parts.append(words(inner))
        elif child.type == "escape_sequence":
            parts.append(_escaped(text_of(child), plain=plain))
        else:
            text = text_of(child)
            parts.append(re.sub(r"\\(['\\])", r"\1", text) if plain else text)
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    pay_for_text(sum(map(len, parts)))
    return "".join(parts)


def read_chained(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """Literals that stand next to each other."""
    parts = [ev.value(child, frame) for child in node.named_children]
    return ev.unread(frame.source, node) if any(map(is_unread, parts)) else _joined(parts)


def read_heredoc(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A heredoc; `<<~` takes away the common indent."""
    body = frame.source.heredocs.get(node.start_byte)
    if body is None:
        return ev.unread(frame.source, node)
    parts: list[str] = []
    for child in body.named_children:
        if child.type == "interpolation":
            parts.append(words(ev.all(child.named_children, frame)))
        elif child.type != "heredoc_end":
            parts.append(text_of(child))
    text = _joined(parts).removeprefix("\n")
    if "~" not in text_of(node):
        return text
    lines = text.splitlines(keepends=True)
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "".join(line[indent:] if line.strip() else line.lstrip(" ") for line in lines)


def read_array(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """An array; pairs at its end are a hash."""
    found: list[Any] = []
    loose: dict[Any, Any] = {}
    for child in node.named_children:
        if child.type == "splat_argument":
            inner = ev.all(child.named_children, frame)
            inner = list(inner) if isinstance(inner, (list, tuple, dict)) else [inner]
            pay(len(inner))
            found += inner
        elif child.type in ("pair", "hash_splat_argument"):
            read_pair(ev, child, frame, loose)
        elif child.type != "comment":
            found.append(ev.value(child, frame))
    return [*found, loose] if loose else found


def read_word_array(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """%w[] and %i[]."""
    return [read_string(ev, child, frame) for child in node.named_children]


def read_hash(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A hash."""
    found: dict[Any, Any] = {}
    for child in node.named_children:
        if child.type != "comment":
            read_pair(ev, child, frame, found)
    return found


def read_pair(ev: Evaluator, node: Node, frame: Frame, into: dict[Any, Any]) -> None:
    """Add a pair, or the pairs of `**other`, to a hash."""
    if node.type == "hash_splat_argument":
        inner = ev.all(node.named_children, frame)
        if isinstance(inner, dict):
            pay(len(inner))
            into.update(inner)
        else:
            into[ev.unread(frame.source, node)] = inner
        return
    key_node, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key_node is None:
        return
    key = text_of(key_node) if key_node.type == "hash_key_symbol" else ev.value(key_node, frame)
    value = read_local(ev, text_of(key_node), key_node, frame) if value_node is None else ev.value(value_node, frame)
    into[hashable(key)] = value


def read_range(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A range as the list of its elements."""
    first, last = (node.child_by_field_name(each) for each in ("begin", "end"))
    low = None if first is None else ev.value(first, frame)
    high = None if last is None else ev.value(last, frame)
    open_end = text_of(node.child_by_field_name("operator")) == "..."
    if isinstance(low, int) and isinstance(high, int):
        pay(max(0, high - low))
        return list(range(low, high + (not open_end)))
    if isinstance(low, str) and isinstance(high, str):
        try:
            found = words_between(low, high)
        except ValueError:
            return ev.unread(frame.source, node)
        return found[:-1] if open_end else found
    return ev.unread(frame.source, node)


def read_pattern(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A regular expression."""
    if any(child.type == "interpolation" for child in node.named_children) or not text_of(node).endswith("/"):
        return ev.unread(frame.source, node)
    return Pattern(source=text_of(node).strip("/"))


def read_local(ev: Evaluator, name: str, node: Node, frame: Frame) -> Any:
    """A local name, or the method of that name."""
    if name in frame.names:
        return frame.names[name]
    return ev.call_own(Asked(name=name), node, frame)


def read_symbol(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A symbol."""
    if node.named_children:
        return read_string(ev, node, frame)
    return text_of(node).removeprefix(":").strip('"')


def read_integer(_ev: Evaluator, node: Node, _frame: Frame) -> Any:
    """A whole number."""
    digits = text_of(node).replace("_", "")
    return checked_number(int(digits, 10 if digits.isdigit() else 0))


def read_float(_ev: Evaluator, node: Node, _frame: Frame) -> Any:
    """A number with a point."""
    return float(text_of(node).replace("_", ""))


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


Reader = Callable[["Evaluator", "Node", "Frame"], Any]
LITERALS: dict[str, Reader] = {
    "integer": read_integer,
    "float": read_float,
    "string": read_string,
    "character": lambda _ev, node, _frame: text_of(node)[1:],
    "regex": read_pattern,
    "chained_string": read_chained,
    "heredoc_beginning": read_heredoc,
    "simple_symbol": read_symbol,
    "delimited_symbol": read_symbol,
    "array": read_array,
    "string_array": read_word_array,
    "symbol_array": read_word_array,
    "hash": read_hash,
    "range": read_range,
}
