"""Operators and methods of Ruby's strings, numbers, arrays and hashes, as far as data files use
them.

Arrays are lists, or tuples if they are keys of hashes; symbols are strings. Each method raises one
of NO_DATA for values that it does not accept.
"""

from __future__ import annotations

import copy
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cmp_to_key, partial, reduce
from itertools import chain, combinations, cycle, islice, product, takewhile
from typing import Any

from msgspec import Struct

from platelayer.exchange.ruby.game import (
    MOST_BITS,
    NoData,
    TooLarge,
    Unread,
    is_unread,
    paid,
    pay,
    to_s,
    truthy,
)

# A callable, or None for a call without a block: calling None raises TypeError, one of NO_DATA.
Block = Any
Method = Callable[..., Any]

NO_DATA = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RuntimeError)
CHANCE = "rand"

_CLASSES: dict[str, tuple[type, ...]] = {
    "String": (str,), "Symbol": (str,), "Integer": (int,), "Float": (float,), "Numeric": (int, float),
    "Array": (list, tuple), "Hash": (dict,), "NilClass": (type(None),),
}  # fmt: skip
_MOST_WORDS = 1000
_MOST_SEARCHED = 1000
_MOST_PATTERN = 60
# Repeated groups and back references may take forever; (? has another meaning in Python.
_REFUSED_IN_PATTERNS = re.compile(r"\)[*+?{]|\\[1-9kgGpP]|\(\?")


class Pattern(Struct, frozen=True):
    """A regular expression that is short and has at most two repeats, so that searches end soon."""

    source: str

    def compiled_for(self, text: str) -> re.Pattern[str]:
        """Return the compiled pattern for a text to search. Raises NoData if the search may take
        long."""
        repeats = len(re.findall(r"[*+{]", self.source))
        too_long = len(self.source) > _MOST_PATTERN or len(text) > _MOST_SEARCHED
        if too_long or repeats > 2 or _REFUSED_IN_PATTERNS.search(self.source):
            raise NoData
        source = self.source.replace(r"\A", "^").replace(r"\z", "$").replace(r"\h", "[0-9a-fA-F]")
        try:
            return re.compile(source)
        except re.error as error:
            raise NoData from error

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        return self.compiled_for(text).search(text)


class Defaults(dict[Any, Any]):
    """A hash with a default for missing keys: `Hash.new(0)`, or a block that makes values."""

    missing: Any = None
    make: Block = None

    def get(self, key: Any, _default: Any = None) -> Any:
        """Return the value of a key; a missing one is made by the block, if any, or is the
        default."""
        if key not in self and self.make is not None:
            return self.make(self, key)
        return super().get(key, self.missing)


class Shuffled(list[Any]):
    """An array in random order: a draw from it may give any of its elements."""


def ruby_items(subject: Any) -> list[Any]:
    """Return the elements of an array, or the pairs of a hash."""
    if isinstance(subject, dict):
        return [list(pair) for pair in subject.items()]
    if isinstance(subject, (list, tuple)):
        return list(subject)
    raise NoData


def ruby_key(key: Any) -> Any:
    """Return a value as a key of a hash: lists become tuples."""
    return tuple(map(ruby_key, key)) if isinstance(key, (list, tuple)) else key


def is_kind(subject: Any, kind: Any) -> bool:
    """Return True if Ruby's `is_a?` holds, for the classes that data have; a class is an Unread
    with its name."""
    classes = _CLASSES.get(kind.what, ()) if isinstance(kind, Unread) else ()
    return isinstance(subject, classes) and not isinstance(subject, bool)


# Operators


def ruby_plus(first: Any, second: Any) -> Any:
    """Return the sum or concatenation that Ruby's `+` gives."""
    if isinstance(first, (list, tuple)):
        return [*first, *second]
    return first + second


def _kept(first: Any, second: Any, *, wanted: bool) -> list[Any]:
    """Return the elements of an array that are in another, or those that are not."""
    pay(len(first) * len(second) // 16)
    return [item for item in first if (item in second) is wanted]


def _minus(first: Any, second: Any) -> Any:
    is_array = isinstance(first, (list, tuple))
    return _kept(first, second, wanted=False) if is_array else first - second


def _and(first: Any, second: Any) -> Any:
    is_array = isinstance(first, (list, tuple))
    return _kept(first, second, wanted=True) if is_array else first & second


def _or(first: Any, second: Any) -> Any:
    return _unique([*first, *second], None) if isinstance(first, list) else first | second


def _times(first: Any, second: Any) -> Any:
    is_join = isinstance(first, list) and isinstance(second, str)
    return _join(first, second) if is_join else first * second


def ruby_format(first: Any, second: Any) -> Any:
    """Return the result of Ruby's `%`: a remainder, or a text with values filled in."""
    several = isinstance(first, str) and isinstance(second, list)
    return first % (tuple(second) if several else second)


def _power(first: Any, second: Any) -> Any:
    if isinstance(first, int) and abs(first).bit_length() * abs(second) > MOST_BITS:
        raise TooLarge
    power = first**second
    if isinstance(power, complex):
        raise NoData
    return power


def _match(text: Any, other: Any) -> int | None:
    """Return the position that Ruby's `=~` gives, with the pattern on either side; None without a
    match."""
    match = other.search(text) if isinstance(other, Pattern) else text.search(other)
    return match.start() if match else None


def _push(subject: Any, *items: Any) -> Any:
    if isinstance(subject, str):
        return subject + "".join(map(to_s, items))
    subject.extend(items)
    return subject


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": ruby_plus,
    "-": _minus,
    "*": _times,
    "/": lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) else a / b,
    "%": ruby_format,
    "**": _power,
    "<<": _push,
    "|": _or,
    "&": _and,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "<=>": lambda a, b: int(a > b) - int(a < b),
    "=~": _match,
    "!~": lambda a, b: _match(a, b) is None,
}


def operate(name: str, first: Any, second: Any) -> Any:
    """Return the result of an operator for two values. Raises one of NO_DATA."""
    return paid(_OPERATORS[name](first, second), first)


# Methods by name. Those in _METHODS take a value and arguments, those in _BLOCK_METHODS a value, a
# block or None, and arguments.

_METHODS: dict[str, Method] = {}
_BLOCK_METHODS: dict[str, Method] = {}


def _method(*names: str, table: dict[str, Method] = _METHODS) -> Callable[[Method], Method]:
    def add(work: Method) -> Method:
        table.update(dict.fromkeys(names, work))
        return work

    return add


_block_method: Callable[..., Callable[[Method], Method]] = partial(_method, table=_BLOCK_METHODS)


def _in_place(work: Method) -> Method:
    """Turn a method that returns another array or hash into one that changes its own."""

    def changed(subject: Any, *arguments: Any) -> Any:
        made = work(copy.copy(subject), *arguments)
        subject.clear()
        (subject.update if isinstance(subject, dict) else subject.extend)(made)
        return subject

    return changed


# Texts


@_method("to_i")
def ruby_number(subject: Any) -> int:
    """Return a whole number like Ruby's `to_i`: of a text, the digits at its beginning, 0 if there
    are none."""
    if isinstance(subject, (int, float)):
        return int(subject)
    match = re.match(r"\s*[-+]?\d+", to_s(subject))
    return int(match[0]) if match else 0


@_method("succ", "next")
def _successor(subject: Any) -> Any:
    """Return the next number or text: B0 after A9, BA after AZ."""
    if isinstance(subject, int):
        return subject + 1
    if not subject.isascii() or not subject.isalnum():
        raise NoData
    letters = list(subject)
    for at in reversed(range(len(letters))):
        wrapped = {"9": "0", "z": "a", "Z": "A"}.get(letters[at])
        if wrapped is None:
            letters[at] = chr(ord(letters[at]) + 1)
            return "".join(letters)
        letters[at] = wrapped
    carried = "1" if letters[0] == "0" else letters[0]
    return carried + "".join(letters)


def words_between(first: str, last: str) -> list[str]:
    """Return the texts in a range such as A8..A11."""
    words = [first]
    while words[-1] != last:
        if len(words) > _MOST_WORDS or len(words[-1]) > len(last):
            raise NoData
        words.append(_successor(words[-1]))
    return words


@_method("join")
def _join(subject: Any, separator: str = "") -> str:
    return separator.join(map(to_s, subject))


@_method("gsub")
def _replaced(subject: Any, old: Any, new: Any, most: int = 0) -> str:
    if isinstance(old, Pattern):
        return old.compiled_for(str(subject)).sub(lambda _: str(new), str(subject), count=most)
    return str(subject).replace(str(old), str(new), most or -1)


@_method("scan")
def _found(text: str, pattern: Pattern) -> list[Any]:
    matches = pattern.compiled_for(text).findall(text)
    return [list(groups) if isinstance(groups, tuple) else groups for groups in matches]


@_method("split")
def _split(text: str, separator: Any = " ", most: int = 0) -> list[str]:
    if isinstance(separator, Pattern):
        return separator.compiled_for(text).split(text)
    return text.split(None if separator == " " else separator, most - 1) if separator else [*text]


# Elements


@_method("[]")
def _index(subject: Any, at: Any, count: Any = None) -> Any:
    if isinstance(subject, dict):
        return subject.get(ruby_key(at))
    if isinstance(at, Pattern):
        match = at.search(subject)
        return match[count or 0] if match else None
    if count is not None:
        return subject[at : at + count]
    if isinstance(at, list):
        return [subject[index] for index in at if index < len(subject)]
    if isinstance(subject, (list, tuple, str)) and isinstance(at, int):
        return subject[at] if -len(subject) <= at < len(subject) else None
    raise NoData


@_method("slice")
def _slice(subject: Any, *keys: Any) -> Any:
    if isinstance(subject, dict):
        return {key: subject[key] for key in keys if key in subject}
    return _index(subject, *keys)


@_method("[]=", "store")
def _store(subject: Any, key: Any, value: Any) -> Any:
    subject[ruby_key(key) if isinstance(subject, dict) else key] = value
    return value


@_method("insert")
def _insert(subject: list[Any], at: int, *items: Any) -> list[Any]:
    at = at + len(subject) + 1 if at < 0 else at
    subject[at:at] = items
    return subject


@_method("delete")
def _delete(subject: Any, item: Any) -> Any:
    if isinstance(subject, dict):
        return subject.pop(ruby_key(item), None)
    if isinstance(subject, str):
        return subject.replace(item, "")
    while item in subject:
        subject.remove(item)
    return item


@_method("shift")
def _shift(subject: Any) -> Any:
    if not subject:
        return None
    if isinstance(subject, dict):
        key = next(iter(subject))
        return [key, subject.pop(key)]
    return subject.pop(0)


@_method("first", "take")
def _first(subject: Any, *count: int) -> Any:
    items = ruby_items(subject)
    if not count:
        return items[0] if items else None
    # A box contains everything that may be drawn by lot.
    return items if isinstance(subject, Shuffled) else items[: count[0]]


@_method("last")
def _last(subject: Any, *count: int) -> Any:
    items = ruby_items(subject)
    if count:
        return items[-count[0] :]
    return items[-1] if items else None


@_block_method("fetch")
def _fetch(subject: Any, block: Block, key: Any, *default: Any) -> Any:
    if isinstance(subject, dict) and key not in subject:
        return default[0] if default else block(key)
    return subject[key]


# Whole arrays and hashes


@_block_method("merge")
def _merge(subject: dict[Any, Any], block: Block, *others: Any) -> dict[Any, Any]:
    merged = dict(subject)
    for other in others:
        if is_unread(other):
            merged[other] = other
            continue
        for key, value in other.items():
            both = block is not None and key in merged
            merged[key] = block(key, merged[key], value) if both else value
    return merged


@_method("deep_merge")
def _deep_merge(subject: Any, other: Any) -> Any:
    merged = dict(subject)
    for key, value in other.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = _deep_merge(merged[key], value) if both else value
    return merged


@_method("flatten")
def _flat(subject: Any, depth: int = 20) -> list[Any]:
    flat: list[Any] = []
    pay(len(subject))
    for item in subject:
        flat += _flat(item, depth - 1) if isinstance(item, (list, tuple)) and depth else [item]
    return flat


@_method("compact")
def _compact(subject: Any) -> Any:
    if isinstance(subject, dict):
        return {key: value for key, value in subject.items() if value is not None}
    return [item for item in ruby_items(subject) if item is not None]


@_method("rotate")
def _rotate(subject: Any, turn: int = 1) -> list[Any]:
    items = ruby_items(subject)
    turn = turn % len(items) if items else 0
    return items[turn:] + items[:turn]


# With a block


def _over(items: Sequence[Any], block: Block, *, subject: Any = None) -> Any:
    """Call a block, if any, with each item; return the subject if both are given, otherwise the
    items."""
    pay(len(items))
    for item in items if block is not None else ():
        block(item)
    return list(items) if subject is None or block is None else subject


@_block_method("map", "collect")
def _map(subject: Any, block: Block) -> list[Any]:
    items = ruby_items(subject)
    return items if block is None else [block(item) for item in items]


@_block_method("with_index")
def _map_with_index(subject: Any, block: Block, first: int = 0) -> list[Any]:
    pairs = [[item, index] for index, item in enumerate(ruby_items(subject), first)]
    return pairs if block is None else [block(*pair) for pair in pairs]


@_block_method("select", "filter", "find_all")
def _select(subject: Any, block: Block, *, wanted: bool = True) -> Any:
    kept = [item for item in ruby_items(subject) if truthy(block(item)) is wanted]
    return {ruby_key(key): value for key, value in kept} if isinstance(subject, dict) else kept


_reject = partial(_select, wanted=False)


def _tests(subject: Any, block: Block) -> Iterator[bool]:
    items = ruby_items(subject)
    return map(truthy, items if block is None else map(block, items))


@_block_method("find_index", "index")
def _find_index(subject: Any, block: Block, *wanted: Any) -> Any:
    for index, item in enumerate(ruby_items(subject)):
        found = item == wanted[0] if wanted else truthy(block(item))
        if found:
            return index
    return None


def _taken(subject: Any, block: Block) -> list[Any]:
    return list(takewhile(lambda item: truthy(block(item)), ruby_items(subject)))


@_block_method("uniq")
def _unique(subject: Any, block: Block) -> list[Any]:
    unique: dict[str, Any] = {}
    for item in ruby_items(subject):
        unique.setdefault(repr(item if block is None else block(item)), item)
    return list(unique.values())


@_block_method("group_by")
def _group_by(subject: Any, block: Block) -> dict[Any, Any]:
    groups: dict[Any, Any] = {}
    for item in ruby_items(subject):
        groups.setdefault(ruby_key(block(item)), []).append(item)
    return groups


@_block_method("chunk_while")
def _chunk_while(subject: Any, block: Block) -> list[Any]:
    runs: list[list[Any]] = []
    for item in ruby_items(subject):
        if runs and truthy(block(runs[-1][-1], item)):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


@_block_method("sum")
def _sum(subject: Any, block: Block, total: Any = 0) -> Any:
    for item in _map(subject, block):
        total = operate("+", total, item)
    return total


@_block_method("inject", "reduce")
def _inject(subject: Any, block: Block, *arguments: Any) -> Any:
    """Fold with a block, or with the operator that is the last argument."""
    first = list(arguments)
    name = first.pop() if block is None else ""
    items = first + ruby_items(subject)
    total = items.pop(0)
    for item in items:
        total = operate(name, total, item) if block is None else block(total, item)
    return total


@_block_method("sort")
def _sort(subject: Any, block: Block) -> list[Any]:
    return sorted(ruby_items(subject), key=None if block is None else cmp_to_key(block))


@_block_method("sort_by")
def _sort_by(subject: Any, block: Block) -> list[Any]:
    items = ruby_items(subject)
    first = block(items[0]) if items and block is not None else None
    if isinstance(first, Unread) and first.what in (CHANCE, f"@random.{CHANCE}", f"@game.{CHANCE}"):
        return Shuffled(items)
    return _ordered(subject, block)


def _ordered(subject: Any, block: Block) -> list[Any]:
    items = ruby_items(subject)
    keys = _map(subject, block)
    if any(map(is_unread, keys)):
        raise NoData
    return [items[at] for at in sorted(range(len(items)), key=keys.__getitem__)]


def _extreme(subject: Any, block: Block, count: tuple[int, ...], *, largest: bool) -> Any:
    items = _map(subject, block)
    if any(map(is_unread, items)):
        raise NoData
    if count:
        return sorted(items, reverse=largest)[: count[0]]
    return max(items) if largest else min(items)


@_block_method("step")
def _step(subject: Any, block: Block, first: int, width: int = 1) -> Any:
    """Step as in `1.step(9, 2)` or as in `(1..9).step(2)`."""
    if isinstance(subject, int):
        return _over(range(subject, first + (1 if width > 0 else -1), width), block)
    return _over(ruby_items(subject)[::first], block)


def _windows(subject: Any, size: int, step: int, last: int) -> list[list[Any]]:
    items = ruby_items(subject)
    return [items[at : at + size] for at in range(0, len(items) + last, step)]


@_block_method("transform_keys")
def _transform_keys(subject: Any, block: Block, *mapping: Any) -> dict[Any, Any]:
    names = mapping[0] if mapping else {}
    return {
        ruby_key(block(key) if block else names.get(key, key)): value
        for key, value in subject.items()
    }


def _lists(parts: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return list(map(list, parts))


def _chr(code: Any) -> str:
    """Return a character by its code, or the first one of a text. Raises ValueError for half of a
    surrogate pair, which cannot be encoded."""
    return code[:1] if isinstance(code, str) else chr(code).encode().decode()


def _dup(subject: Any) -> Any:
    # Keys of hashes are arrays as tuples: the copy is a list, which can be changed.
    return list(subject) if isinstance(subject, tuple) else copy.copy(subject)


_METHODS |= {
    **dict.fromkeys(("freeze", "deep_freeze", "itself"), lambda subject: subject),
    **dict.fromkeys(("to_sym", "to_s"), to_s),
    **dict.fromkeys(("to_a", "to_set", "entries", "lazy"), ruby_items),
    **dict.fromkeys(("size", "length"), len),
    **dict.fromkeys(("is_a?", "kind_of?", "instance_of?"), is_kind),
    **dict.fromkeys(("key?", "has_key?", "include?", "member?"), operator.contains),
    **dict.fromkeys(("value?", "has_value?"), lambda subject, value: value in subject.values()),
    **dict.fromkeys(("push", "append", "<<"), _push),
    **dict.fromkeys(("unshift", "prepend"), lambda subject, *items: _insert(subject, 0, *items)),
    **dict.fromkeys(("dup", "clone"), _dup),
    **dict.fromkeys(
        ("values_at", "fetch_values"),
        lambda subject, *keys: [_index(subject, key) for key in keys],
    ),
    **{name: _OPERATORS[name] for name in ("<=>", "+", "-", "=~")},
    "dig": lambda subject, *keys: reduce(
        lambda held, key: None if held is None else _index(held, key), keys, subject
    ),
    "concat": lambda subject, *others: _push(subject, *chain(*others)),
    "pop": lambda subject: subject.pop() if subject else None,
    "tally": lambda subject: dict(Counter(map(ruby_key, ruby_items(subject)))),
    "product": lambda subject, other: _lists(product(subject, other)),
    "combination": lambda subject, size: _lists(combinations(subject, size)),
    # The first hundred elements of the infinite list.
    "cycle": lambda subject: list(islice(cycle(ruby_items(subject)), 100)),
    "chr": _chr,
    "match": lambda text, pattern: (
        [match[0], *match.groups()] if (match := pattern.search(text)) else None
    ),
    "to_f": float,
    "deep_dup": copy.deepcopy,
    "frozen?": lambda _: True,
    "nil?": lambda subject: subject is None,
    "empty?": operator.not_,
    "eql?": operator.eq,
    "zero?": lambda subject: subject == 0,
    "positive?": lambda subject: subject > 0,
    "negative?": lambda subject: subject < 0,
    "even?": lambda subject: subject % 2 == 0,
    "odd?": lambda subject: subject % 2 == 1,
    "abs": abs,
    "pred": lambda subject: subject - 1,
    "ceil": lambda subject: -int(-subject // 1),
    "floor": lambda subject: int(subject // 1),
    "round": lambda subject: int(subject + 0.5 if subject >= 0 else subject - 0.5),
    "clamp": lambda subject, low, high: min(max(subject, low), high),
    "between?": lambda subject, low, high: low <= subject <= high,
    "divmod": lambda subject, other: list(divmod(subject, other)),
    "fdiv": operator.truediv,
    "ord": lambda text: ord(text[0]),
    "match?": lambda text, pattern: _match(text, pattern) is not None,
    "sub": lambda text, old, new: _replaced(text, old, new, 1),
    "lines": lambda text: text.splitlines(keepends=True),
    "rjust": str.rjust,
    "ljust": str.ljust,
    "center": str.center,
    "strip": str.strip,
    "chomp": lambda text: text.rstrip("\n"),
    "squeeze": lambda text: re.sub(r"(.)\1+", r"\1", text),
    "squish": lambda text: " ".join(text.split()),
    "upcase": str.upper,
    "downcase": str.lower,
    "swapcase": str.swapcase,
    "capitalize": str.capitalize,
    "titleize": lambda text: text.replace("_", " ").title(),
    "tr": lambda text, old, new: text.translate(str.maketrans(old, new)),
    "start_with?": lambda text, *parts: text.startswith(parts),
    "end_with?": lambda text, *parts: text.endswith(parts),
    "delete_prefix": str.removeprefix,
    "delete_suffix": str.removesuffix,
    "keys": lambda subject: [list(key) if isinstance(key, tuple) else key for key in subject],
    "values": lambda subject: list(subject.values()),
    "key": lambda subject, value: next((k for k, item in subject.items() if item == value), None),
    "invert": lambda subject: {ruby_key(value): key for key, value in subject.items()},
    "except": lambda subject, *keys: {k: item for k, item in subject.items() if k not in keys},
    "drop": lambda subject, count: ruby_items(subject)[count:],
    # Everything that may be drawn, since the actual draw is unknown.
    "sample": lambda subject, _count: ruby_items(subject),
    "shuffle": lambda subject: Shuffled(ruby_items(subject)),
    "delete_at": lambda subject, at: subject.pop(at),
    "replace": _in_place(lambda _subject, other: other),
    "compact!": _in_place(_compact),
    "flatten!": _in_place(_flat),
    "reverse": lambda subject: subject[::-1],
    "reverse!": _in_place(lambda subject: subject[::-1]),
    "rotate!": _in_place(_rotate),
    "minmax": lambda subject: [min(subject), max(subject)],
    "transpose": lambda subject: _lists(zip(*subject, strict=True)),
    "zip": lambda subject, *others: _lists(zip(subject, *others, strict=False)),
}

_BLOCK_METHODS |= {
    **dict.fromkeys(("each_char", "chars"), _over),
    **dict.fromkeys(
        ("each", "each_pair"),
        lambda subject, block: _over(ruby_items(subject), block, subject=subject),
    ),
    **dict.fromkeys(
        ("find", "detect"),
        lambda subject, block: next(
            (item for item in ruby_items(subject) if truthy(block(item))), None
        ),
    ),
    **dict.fromkeys(
        ("each_with_object", "with_object"),
        lambda subject, block, memo: _over(
            ruby_items(subject), lambda item: block(item, memo), subject=memo
        ),
    ),
    **dict.fromkeys(("merge!", "update"), _in_place(_merge)),
    **dict.fromkeys(("select!", "keep_if"), _in_place(_select)),
    **dict.fromkeys(("reject!", "delete_if"), _in_place(_reject)),
    "each_key": lambda subject, block: _over(list(subject), block, subject=subject),
    "each_value": lambda subject, block: _over(list(subject.values()), block, subject=subject),
    "each_with_index": lambda subject, block: _over(
        _map_with_index(subject, None), block and (lambda pair: block(*pair)), subject=subject
    ),
    "each_slice": lambda subject, block, size: _over(_windows(subject, size, size, 0), block),
    "each_cons": lambda subject, block, size: _over(_windows(subject, size, 1, 1 - size), block),
    "reject": _reject,
    "partition": lambda subject, block: [
        work(ruby_items(subject), block) for work in (_select, _reject)
    ],
    "count": lambda subject, block: len(subject if block is None else _select(subject, block)),
    "take_while": _taken,
    "drop_while": lambda subject, block: ruby_items(subject)[len(_taken(subject, block)) :],
    "tap": lambda subject, block: _over([subject], block, subject=subject),
    "map!": _in_place(_map),
    "flat_map": lambda subject, block: _flat(_map(subject, block), 1),
    "filter_map": lambda subject, block: [item for item in _map(subject, block) if truthy(item)],
    "to_h": lambda subject, block: {ruby_key(key): item for key, item in _map(subject, block)},
    "each_index": lambda subject, block: _over(range(len(subject)), block),
    "each_entry": lambda subject, block: _over(ruby_items(subject), block),
    "reverse_each": lambda subject, block: _over(ruby_items(subject)[::-1], block),
    "times": lambda subject, block: _over(range(subject), block),
    "upto": lambda subject, block, last: _over(range(subject, last + 1), block),
    "downto": lambda subject, block, last: _over(range(subject, last - 1, -1), block),
    "any?": lambda subject, block: any(_tests(subject, block)),
    "all?": lambda subject, block: all(_tests(subject, block)),
    "none?": lambda subject, block: not any(_tests(subject, block)),
    "one?": lambda subject, block: list(_tests(subject, block)).count(True) == 1,
    "uniq!": _in_place(_unique),
    "sort!": _in_place(_sort),
    "sort_by!": _in_place(_sort_by),
    "min": lambda subject, block, *count: _extreme(subject, block, count, largest=False),
    "max": lambda subject, block, *count: _extreme(subject, block, count, largest=True),
    "min_by": lambda subject, block: _ordered(subject, block)[0],
    "max_by": lambda subject, block: _ordered(subject, block)[-1],
    "transform_values": lambda subject, block: {k: block(item) for k, item in subject.items()},
    "then": lambda subject, block: block(subject),
}


def run_method(name: str, subject: Any, arguments: Sequence[Any], block: Block) -> Any:
    """Return the value of a method. Raises one of NO_DATA."""
    if name in _BLOCK_METHODS:
        return paid(_BLOCK_METHODS[name](subject, block, *arguments), subject)
    return paid(_METHODS[name](subject, *arguments), subject)
