"""Methods of Ruby's strings, numbers, arrays and hashes that data files use, by name."""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Callable
from typing import Any

from platelayer.exchange.ruby.budget import pay, pay_for
from platelayer.exchange.ruby.lists import LISTS, compared
from platelayer.exchange.ruby.texts import TEXTS, matches
from platelayer.exchange.ruby.values import truthy, words
from platelayer.exchange.ruby.work import (
    Block,
    ruby_append,
    ruby_both,
    ruby_by,
    ruby_delete,
    ruby_dig,
    ruby_divide,
    ruby_each,
    ruby_except,
    ruby_extend,
    ruby_fetch,
    ruby_find,
    ruby_find_index,
    ruby_flat,
    ruby_flat_map,
    ruby_for_each,
    ruby_format,
    ruby_group_by,
    ruby_includes,
    ruby_index,
    ruby_items,
    ruby_join,
    ruby_kept,
    ruby_kept_here,
    ruby_key,
    ruby_last,
    ruby_map,
    ruby_map_with_index,
    ruby_merge,
    ruby_merge_here,
    ruby_minus,
    ruby_number,
    ruby_plain,
    ruby_plus,
    ruby_power,
    ruby_push,
    ruby_put,
    ruby_rehash,
    ruby_run,
    ruby_slice,
    ruby_sum,
    ruby_times,
    ruby_to_h,
    ruby_unique,
    ruby_with_index,
    ruby_with_object,
)

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "<=>": compared,
}


def _paid(work: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison that pays for what it may walk through."""

    def found(first: Any, second: Any) -> Any:
        pay_for(first, second)
        return work(first, second)

    return found


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": ruby_plus,
    "-": ruby_minus,
    "*": ruby_times,
    "/": ruby_divide,
    "%": ruby_format,
    "**": ruby_power,
    "<<": ruby_append,
    "|": lambda first, second: (
        ruby_unique(ruby_plus(first, second), [], None) if isinstance(first, list) else first | second
    ),
    "&": ruby_both,
    **{name: _paid(work) for name, work in _COMPARISONS.items()},
    "=~": lambda first, second: matches(first, [second], None),
    "!~": lambda first, second: matches(first, [second], None) is None,
}


def _folded(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `inject`, with an operator or a block."""
    given = list(arguments)
    work = block if block is not None else BINARY[given.pop()]
    items = ruby_items(subject)
    total = given[0] if given else items.pop(0)
    for each in items:
        total = work(total, each)
    return total


def _product(subject: Any, arguments: list[Any], _block: Block) -> list[Any]:
    pay(3 * len(subject) * len(arguments[0]))
    return [[a, b] for a in subject for b in arguments[0]]


METHODS: dict[str, Callable[[Any, list[Any], Block], Any]] = {
    **LISTS,
    **TEXTS,
    "freeze": ruby_plain(lambda subject: subject),
    "deep_freeze": ruby_plain(lambda subject: subject),
    "itself": ruby_plain(lambda subject: subject),
    "to_sym": ruby_plain(words),
    "to_s": ruby_plain(words),
    "to_i": ruby_plain(ruby_number),
    "to_a": ruby_plain(ruby_items),
    "to_set": ruby_plain(ruby_items),
    "entries": ruby_plain(ruby_items),
    "dup": ruby_plain(copy.copy),
    "clone": ruby_plain(copy.copy),
    "keys": ruby_plain(lambda subject: [list(key) if isinstance(key, tuple) else key for key in subject]),
    "values": ruby_plain(lambda subject: list(subject.values())),
    "size": ruby_plain(len),
    "length": ruby_plain(len),
    "count": lambda subject, _a, block: len(ruby_kept(subject, block, wanted=True)) if block else len(subject),
    "empty?": ruby_plain(lambda subject: not subject),
    "any?": lambda subject, _a, block: any(
        truthy(ruby_run(block, each) if block else each) for each in ruby_each(subject)
    ),
    "all?": lambda subject, _a, block: all(
        truthy(ruby_run(block, each) if block else each) for each in ruby_each(subject)
    ),
    "none?": lambda subject, _a, block: not any(truthy(ruby_run(block, each)) for each in ruby_each(subject)),
    "nil?": ruby_plain(lambda subject: subject is None),
    "zero?": ruby_plain(lambda subject: subject == 0),
    "positive?": ruby_plain(lambda subject: subject > 0),
    "even?": ruby_plain(lambda subject: subject % 2 == 0),
    "odd?": ruby_plain(lambda subject: subject % 2 == 1),
    "abs": ruby_plain(abs),
    "merge": ruby_merge,
    "merge!": ruby_merge_here,
    "update": ruby_merge_here,
    "except": ruby_except,
    "slice": ruby_slice,
    "[]": ruby_index,
    "[]=": ruby_put,
    "store": ruby_put,
    "fetch": ruby_fetch,
    "dig": ruby_dig,
    "key?": ruby_includes,
    "has_key?": ruby_includes,
    "include?": ruby_includes,
    "member?": ruby_includes,
    "start_with?": lambda subject, arguments, _b: subject.startswith(tuple(arguments)),
    "end_with?": lambda subject, arguments, _b: subject.endswith(tuple(arguments)),
    "to_h": ruby_to_h,
    "map": ruby_map,
    "collect": ruby_map,
    "each": ruby_for_each,
    "each_key": lambda subject, _a, block: [ruby_run(block, each) for each in list(subject)] and subject,
    "each_value": lambda subject, _a, block: [ruby_run(block, each) for each in list(subject.values())] and subject,
    "each_pair": ruby_for_each,
    "each_with_index": lambda subject, _a, block: (
        ruby_with_index(subject, [], block)
        if block
        else [[each, index] for index, each in enumerate(ruby_items(subject))]
    ),
    "with_index": ruby_map_with_index,
    "each_with_object": ruby_with_object,
    "flat_map": ruby_flat_map,
    "filter_map": lambda subject, _a, block: [
        kept for each in ruby_each(subject) if truthy(kept := ruby_run(block, each))
    ],
    "select": lambda subject, _a, block: ruby_kept(subject, block, wanted=True),
    "filter": lambda subject, _a, block: ruby_kept(subject, block, wanted=True),
    "reject": lambda subject, _a, block: ruby_kept(subject, block, wanted=False),
    "select!": lambda subject, _a, block: ruby_kept_here(subject, block, wanted=True),
    "keep_if": lambda subject, _a, block: ruby_kept_here(subject, block, wanted=True),
    "reject!": lambda subject, _a, block: ruby_kept_here(subject, block, wanted=False),
    "delete_if": lambda subject, _a, block: ruby_kept_here(subject, block, wanted=False),
    "find": ruby_find,
    "detect": ruby_find,
    "find_index": ruby_find_index,
    "index": ruby_find_index,
    "delete": ruby_delete,
    "push": ruby_push,
    "append": ruby_push,
    "<<": ruby_push,
    "concat": ruby_extend,
    "unshift": lambda subject, arguments, _b: subject.insert(0, arguments[0]) or subject,
    "compact": ruby_plain(
        lambda subject: ruby_rehash(
            subject,
            [each for each in ruby_items(subject) if (each[1] if isinstance(subject, dict) else each) is not None],
        )
    ),
    "flatten": lambda subject, arguments, _b: ruby_flat(subject, arguments[0] if arguments else 20),
    "uniq": ruby_unique,
    "reverse": ruby_plain(lambda subject: subject[::-1]),
    "min_by": lambda subject, _a, block: ruby_by(subject, block)[0],
    "max_by": lambda subject, _a, block: ruby_by(subject, block)[-1],
    "sum": ruby_sum,
    "group_by": ruby_group_by,
    "last": ruby_last,
    "drop": lambda subject, arguments, _b: ruby_items(subject)[arguments[0] :],
    "zip": lambda subject, arguments, _b: [list(each) for each in zip(subject, *arguments, strict=False)],
    "product": _product,
    "join": lambda subject, arguments, _b: ruby_join(subject, arguments[0] if arguments else ""),
    "delete_prefix": lambda subject, arguments, _b: subject.removeprefix(arguments[0]),
    "delete_suffix": lambda subject, arguments, _b: subject.removesuffix(arguments[0]),
    "strip": ruby_plain(lambda subject: subject.strip()),
    "chomp": ruby_plain(lambda subject: subject.rstrip("\n")),
    "squeeze": lambda subject, _a, _b: re.sub(r"(.)\1+", r"\1", subject),
    "squish": ruby_plain(lambda subject: " ".join(subject.split())),
    "lines": ruby_plain(lambda subject: subject.splitlines(keepends=True)),
    "upcase": ruby_plain(lambda subject: subject.upper()),
    "downcase": ruby_plain(lambda subject: subject.lower()),
    "capitalize": ruby_plain(lambda subject: subject.capitalize()),
    "tr": lambda subject, arguments, _b: subject.translate(str.maketrans(arguments[0], arguments[1])),
    "transform_values": lambda subject, _a, block: {key: ruby_run(block, each) for key, each in subject.items()},
    "transform_keys": lambda subject, arguments, block: {
        ruby_key(ruby_run(block, key) if block else arguments[0].get(key, key)): each for key, each in subject.items()
    },
    "+": lambda subject, arguments, _b: ruby_plus(subject, arguments[0]),
    "-": lambda subject, arguments, _b: ruby_minus(subject, arguments[0]),
    "tap": lambda subject, _a, block: (ruby_run(block, subject), subject)[1],
    "then": lambda subject, _a, block: ruby_run(block, subject),
    "inject": _folded,
    "reduce": _folded,
}

QUICK = frozenset((
    "[]=", "store", "fetch", "dig", "key?", "has_key?", "size", "length", "empty?", "last", "push", "append", "<<",
    "pop", "nil?", "freeze", "deep_freeze", "itself", "is_a?", "kind_of?", "instance_of?", "tap", "then", "to_sym",
    "times", "upto", "downto", "step", "+", "frozen?",
))  # fmt: skip
"""Methods that take the same time whatever the size of their value, or pay for it themselves: all others are paid for
by the size of value and arguments."""
