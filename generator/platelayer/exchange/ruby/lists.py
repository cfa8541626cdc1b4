"""Further methods of Ruby's arrays, hashes and numbers: slices, folds, counting, drawing by lot."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from itertools import combinations
from math import comb
from typing import Any

from platelayer.exchange.ruby.budget import pay
from platelayer.exchange.ruby.values import Unread, is_unread, truthy
from platelayer.exchange.ruby.work import (
    Block,
    ruby_by,
    ruby_each,
    ruby_first,
    ruby_flat,
    ruby_items,
    ruby_kept,
    ruby_key,
    ruby_run,
    ruby_unique,
    ruby_with_object,
)

_CLASSES: dict[str, tuple[type, ...]] = {
    "String": (str,), "Symbol": (str,), "Integer": (int,), "Float": (float,), "Numeric": (int, float),
    "Array": (list, tuple), "Hash": (dict,), "NilClass": (type(None),),
}  # fmt: skip


class Defaults(dict[Any, Any]):
    """A hash with a value for keys that it has not: `Hash.new(0)`, or a block that makes one."""

    missing: Any = None
    make: Block = None

    def get(self, key: Any, _default: Any = None) -> Any:
        """The value of a key, made where it is missing."""
        if key not in self and self.make is not None:
            return self.make(self, key)
        return super().get(key, self.missing)


class Mixed(list[Any]):
    """An array in an order that chance decides: what is drawn from it may be any of it."""


def is_kind(subject: Any, arguments: list[Any], _block: Block) -> bool:
    """Ruby's `is_a?` for the classes that data have."""
    kind = arguments[0]
    found = _CLASSES.get(kind.what) if isinstance(kind, Unread) else None
    return found is not None and isinstance(subject, found) and not (isinstance(subject, bool) and bool not in found)


def compared(first: Any, second: Any) -> int:
    """Ruby's `<=>`."""
    return int(first > second) - int(first < second)


def _sorted(subject: Any, block: Block) -> list[Any]:
    items = ruby_items(subject)
    return sorted(items) if block is None else sorted(items, key=cmp_to_key(block))


def _sorted_by(subject: Any, _arguments: list[Any], block: Block) -> list[Any]:
    items = ruby_items(subject)
    if items and block is not None and _is_chance(ruby_run(block, items[0])):
        return Mixed(items)
    return ruby_by(subject, block)


def _is_chance(value: Any) -> bool:
    return isinstance(value, Unread) and value.what in ("rand", "@random.rand", "@game.rand")


def _over(found: Sequence[Any], block: Block) -> list[Any]:
    """What an iterator goes over; a block sees each."""
    pay(len(found))
    items = list(found)
    for each in items if block is not None else ():
        ruby_run(block, each)
    return items


def _steps(subject: Any, arguments: list[Any], block: Block) -> list[Any]:
    """`(1..9).step(2)` and `1.step(9, 2)`."""
    if isinstance(subject, int):
        width = arguments[1] if len(arguments) > 1 else 1
        return _over(range(subject, arguments[0] + (1 if width > 0 else -1), width), block)
    return _over(ruby_items(subject)[:: arguments[0]], block)


def _slices(subject: Any, arguments: list[Any], block: Block) -> list[Any]:
    items, size = ruby_items(subject), arguments[0]
    return _over([items[at : at + size] for at in range(0, len(items), size)], block)


def _windows(subject: Any, arguments: list[Any], block: Block) -> list[Any]:
    items, size = ruby_items(subject), arguments[0]
    pay(len(items) * size)
    return _over([items[at : at + size] for at in range(len(items) - size + 1)], block)


def _parted(subject: Any, _arguments: list[Any], block: Block) -> list[Any]:
    halves = [ruby_kept(subject, block, wanted=wanted) for wanted in (True, False)]
    return [ruby_items(half) for half in halves]


def _rotated(subject: Any, arguments: list[Any], _block: Block) -> list[Any]:
    items = ruby_items(subject)
    turn = (arguments[0] if arguments else 1) % len(items) if items else 0
    return items[turn:] + items[:turn]


def _tallied(subject: Any, _arguments: list[Any], _block: Block) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for each in map(ruby_key, ruby_items(subject)):
        found[each] = found.get(each, 0) + 1
    return found


def _picked(subject: Any, arguments: list[Any], _block: Block) -> list[Any]:
    if isinstance(subject, dict):
        return [subject.get(ruby_key(key)) for key in arguments]
    return [subject[index] if -len(subject) <= index < len(subject) else None for index in arguments]


def _inserted(subject: list[Any], arguments: list[Any], _block: Block) -> list[Any]:
    at, *items = arguments
    at = at + len(subject) + 1 if at < 0 else at
    subject[at:at] = items
    return subject


def _here(work: Callable[[Any, list[Any], Block], Any]) -> Callable[[Any, list[Any], Block], Any]:
    """A method that changes its array, by the one that returns another."""

    def changed(subject: Any, arguments: list[Any], block: Block) -> Any:
        subject[:] = work(list(subject), arguments, block)
        return subject

    return changed


def _while(subject: Any, block: Block, *, taken: bool) -> list[Any]:
    items = ruby_items(subject)
    count = next((at for at, each in enumerate(items) if not truthy(ruby_run(block, each))), len(items))
    return items[:count] if taken else items[count:]


def _removed(subject: Any, at: int) -> Any:
    if isinstance(subject, dict):
        key = next(iter(subject), None)
        return None if key is None else [key, subject.pop(key)]
    return subject.pop(at) if subject else None


def _deep_merged(subject: Any, arguments: list[Any], _block: Block) -> Any:
    found = dict(subject)
    for key, value in arguments[0].items():
        both = isinstance(found.get(key), dict) and isinstance(value, dict)
        found[key] = _deep_merged(found[key], [value], None) if both else value
    return found


def _runs(subject: Any, _arguments: list[Any], block: Block) -> list[Any]:
    """Ruby's `chunk_while`."""
    if block is None:
        raise TypeError
    found: list[list[Any]] = []
    for each in ruby_items(subject):
        pay()
        if found and truthy(block(found[-1][-1], each)):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _drawn(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `sample`: with a number, all that may be drawn; one alone is not known."""
    if not arguments:
        raise TypeError
    return ruby_items(subject)


def _some(subject: Any, arguments: list[Any], block: Block) -> Any:
    """`first` and `take`: of an order left to chance, all."""
    return list(subject) if isinstance(subject, Mixed) and arguments else ruby_first(subject, arguments, block)


def _extreme(work: Callable[[Any], Any], *, down: bool) -> Callable[[Any, list[Any], Block], Any]:
    def found(subject: Any, arguments: list[Any], block: Block) -> Any:
        items = [ruby_run(block, each) for each in ruby_each(subject)] if block is not None else ruby_items(subject)
        if any(map(is_unread, items)):
            raise TypeError
        return sorted(items, reverse=down)[: arguments[0]] if arguments else work(items)

    return found


def _combined(subject: Any, arguments: list[Any], _block: Block) -> list[Any]:
    pay(comb(len(subject), arguments[0]) * (arguments[0] + 1))
    return [list(each) for each in combinations(subject, arguments[0])]


LISTS: dict[str, Callable[[Any, list[Any], Block], Any]] = {
    "is_a?": is_kind,
    "kind_of?": is_kind,
    "instance_of?": is_kind,
    "<=>": lambda subject, arguments, _b: compared(subject, arguments[0]),
    "step": _steps,
    "upto": lambda subject, arguments, block: _over(range(subject, arguments[0] + 1), block),
    "downto": lambda subject, arguments, block: _over(range(subject, arguments[0] - 1, -1), block),
    "times": lambda subject, _a, block: _over(range(subject), block),
    "each_slice": _slices,
    "each_cons": _windows,
    "each_index": lambda subject, _a, block: _over(range(len(subject)), block),
    "each_entry": lambda subject, _a, block: _over(ruby_items(subject), block),
    "reverse_each": lambda subject, _a, block: _over(ruby_items(subject)[::-1], block),
    "partition": _parted,
    "transpose": lambda subject, _a, _b: [list(row) for row in zip(*subject, strict=True)],
    "rotate": _rotated,
    "rotate!": _here(_rotated),
    "tally": _tallied,
    "values_at": _picked,
    "fetch_values": _picked,
    "insert": _inserted,
    "prepend": lambda subject, arguments, _b: _inserted(subject, [0, *arguments], None),
    "map!": _here(lambda subject, _a, block: [ruby_run(block, each) for each in subject]),
    "sort": lambda subject, _a, block: _sorted(subject, block),
    "sort!": _here(lambda subject, _a, block: _sorted(subject, block)),
    "sort_by": _sorted_by,
    "sort_by!": _here(_sorted_by),
    "uniq!": _here(ruby_unique),
    "flatten!": _here(lambda subject, _a, _b: ruby_flat(subject, 20)),
    "compact!": _here(lambda subject, _a, _b: [each for each in subject if each is not None]),
    "reverse!": _here(lambda subject, _a, _b: subject[::-1]),
    "shuffle": lambda subject, _a, _b: Mixed(ruby_items(subject)),
    "sample": _drawn,
    "first": _some,
    "take": _some,
    "take_while": lambda subject, _a, block: _while(subject, block, taken=True),
    "drop_while": lambda subject, _a, block: _while(subject, block, taken=False),
    "shift": lambda subject, _a, _b: _removed(subject, 0),
    "pop": lambda subject, _a, _b: _removed(subject, -1),
    "delete_at": lambda subject, arguments, _b: subject.pop(arguments[0]),
    "find_all": lambda subject, _a, block: ruby_kept(subject, block, wanted=True),
    "one?": lambda subject, _a, block: (
        (len(ruby_kept(subject, block, wanted=True)) if block is not None else len(list(filter(truthy, subject)))) == 1
    ),
    "min": _extreme(min, down=False),
    "max": _extreme(max, down=True),
    "minmax": lambda subject, _a, _b: [min(subject), max(subject)],
    "with_object": ruby_with_object,
    "cycle": lambda subject, _a, _b: (ruby_items(subject) * (100 // max(1, len(subject)) + 1))[:100],
    "combination": _combined,
    "chunk_while": _runs,
    "invert": lambda subject, _a, _b: {ruby_key(value): key for key, value in subject.items()},
    "key": lambda subject, arguments, _b: next((key for key, each in subject.items() if each == arguments[0]), None),
    "value?": lambda subject, arguments, _b: arguments[0] in subject.values(),
    "has_value?": lambda subject, arguments, _b: arguments[0] in subject.values(),
    "deep_merge": _deep_merged,
    "replace": _here(lambda _s, arguments, _b: arguments[0]),
    "deep_dup": lambda subject, _a, _b: copy.deepcopy(subject),
    "lazy": lambda subject, _a, _b: ruby_items(subject),
    "negative?": lambda subject, _a, _b: subject < 0,
    "pred": lambda subject, _a, _b: subject - 1,
    "ceil": lambda subject, _a, _b: -int(-subject // 1),
    "floor": lambda subject, _a, _b: int(subject // 1),
    "round": lambda subject, _a, _b: int(subject + 0.5 if subject >= 0 else subject - 0.5),
    "clamp": lambda subject, arguments, _b: min(max(subject, arguments[0]), arguments[1]),
    "divmod": lambda subject, arguments, _b: list(divmod(subject, arguments[0])),
    "fdiv": lambda subject, arguments, _b: subject / arguments[0],
    "to_f": lambda subject, _a, _b: float(subject),
    "between?": lambda subject, arguments, _b: arguments[0] <= subject <= arguments[1],
    "eql?": lambda subject, arguments, _b: bool(subject == arguments[0]),
    "frozen?": lambda *_: True,
}
"""Methods by name."""
