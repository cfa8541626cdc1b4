"""Operators and methods of Ruby's strings, numbers, arrays and hashes, as far as data files use
them.

All raise TypeError, ValueError or the like for values that they do not take.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key
from itertools import combinations
from math import comb
from typing import Any

from msgspec import Struct

from platelayer.exchange.ruby.game import (
    MOST_BITS,
    TooLarge,
    Unread,
    is_unread,
    pay,
    pay_for,
    pay_for_text,
    truthy,
    words,
)

Block = Callable[..., Any] | None

_CLASSES: dict[str, tuple[type, ...]] = {
    "String": (str,), "Symbol": (str,), "Integer": (int,), "Float": (float,), "Numeric": (int, float),
    "Array": (list, tuple), "Hash": (dict,), "NilClass": (type(None),),
}  # fmt: skip
_MOST_WORDS = 1000
_MOST_SEARCHED = 1000
_MOST_PATTERN = 60
_TOO_MUCH = re.compile(r"\)[*+?{]|\\[1-9kgGpP]|\(\?")
"""What could keep a pattern busy for ever, or means something else in Python."""
_MOST_WIDTH = 4
"""Digits of a width in a format."""


class Pattern(Struct, frozen=True):
    """A regular expression that is short and repeats at most two things, so that it ends soon."""

    source: str

    def search(self, text: str) -> re.Match[str] | None:
        """Where it first fits."""
        return self._made().search(_short(text))

    def findall(self, text: str) -> list[Any]:
        """All that it fits."""
        matches = self._made().findall(_short(text))
        return [list(item) if isinstance(item, tuple) else item for item in matches]

    def replace(self, text: str, other: str, *, most: int = 0) -> str:
        """The text with another in place of what it fits."""
        return self._made().sub(lambda _: other, _short(text), count=most)

    def split(self, text: str) -> list[str]:
        """What is between the places it fits."""
        return self._made().split(_short(text))

    def _made(self) -> re.Pattern[str]:
        repeats = len(re.findall(r"[*+{]", self.source))
        if len(self.source) > _MOST_PATTERN or repeats > 2 or _TOO_MUCH.search(self.source):
            raise ValueError
        try:
            return re.compile(
                self.source.replace(r"\A", "^").replace(r"\z", "$").replace(r"\h", "[0-9a-fA-F]")
            )
        except re.error as error:
            raise ValueError from error


def _short(text: str) -> str:
    if len(text) > _MOST_SEARCHED:
        raise ValueError
    return text


class Defaults(dict[Any, Any]):
    """A hash with a value for keys that it has not: `Hash.new(0)`, or a block that makes one."""

    missing: Any = None
    make: Block = None

    def get(self, key: Any, _default: Any = None) -> Any:
        """The value of a key, made where it is missing."""
        if key not in self and self.make is not None:
            return self.make(self, key)
        return super().get(key, self.missing)


CHANCE = "rand"


class Mixed(list[Any]):
    """An array in an order that chance decides: what is drawn from it may be any of it."""


class _Pair(list[Any]):
    """A pair that a block takes as two values."""


def ruby_items(subject: Any) -> list[Any]:
    """Elements of an array, or pairs of a hash."""
    if isinstance(subject, dict):
        return [list(pair) for pair in subject.items()]
    if isinstance(subject, (list, tuple)):
        return list(subject)
    raise TypeError


def ruby_key(key: Any) -> Any:
    """A key of a hash: lists are tuples."""
    return tuple(map(ruby_key, key)) if isinstance(key, (list, tuple)) else key


def _each(subject: Any) -> list[Any]:
    """What a block sees in turn."""
    return (
        [_Pair(pair) for pair in subject.items()]
        if isinstance(subject, dict)
        else ruby_items(subject)
    )


def _run(block: Block, item: Any) -> Any:
    """What a block makes of an item."""
    if block is None:
        raise TypeError
    pay()
    return block(*item) if isinstance(item, _Pair) else block(item)


# Operators


def ruby_plus(first: Any, second: Any) -> Any:
    """Ruby's `+`."""
    if isinstance(first, (list, tuple)):
        pay(len(first) + len(second))
        return [*first, *second]
    if isinstance(first, str):
        pay_for_text(len(first) + len(second))
    return first + second


def _minus(first: Any, second: Any) -> Any:
    if not isinstance(first, (list, tuple)):
        return first - second
    _pay_for_comparing(first, second)
    return [item for item in first if item not in second]


def _both(first: Any, second: Any) -> Any:
    if not isinstance(first, (list, tuple)):
        return first & second
    _pay_for_comparing(first, second)
    return [item for item in first if item in second]


def _pay_for_comparing(first: Any, second: Any) -> None:
    """Pay for comparing each element of a list with each of another."""
    pay(pay_for(first) * max(1, len(second)) // 16 + pay_for(second))


def _times(first: Any, second: Any) -> Any:
    if isinstance(first, list) and isinstance(second, str):
        return _join(first, second)
    if isinstance(first, (list, str)):
        (pay if isinstance(first, list) else pay_for_text)(second * len(first))
    elif (
        isinstance(first, int)
        and isinstance(second, int)
        and first.bit_length() + second.bit_length() > MOST_BITS
    ):
        raise TooLarge
    return first * second


def _divide(first: Any, second: Any) -> Any:
    return first // second if isinstance(first, int) and isinstance(second, int) else first / second


def ruby_format(first: Any, second: Any) -> Any:
    """Ruby's `%`: a remainder, or a text with values."""
    if not isinstance(first, str):
        return first % second
    if "*" in first:  # a width among the values
        raise ValueError
    widths = re.findall(r"\d+", first)
    if any(len(width) > _MOST_WIDTH for width in widths):
        raise TooLarge
    pay_for_text(len(first) + sum(map(int, widths)) + 64 * pay_for(second) * first.count("%"))
    return first % (tuple(second) if isinstance(second, list) else second)


def _power(first: Any, second: Any) -> Any:
    if isinstance(first, int) and abs(first).bit_length() * abs(second) > MOST_BITS:
        raise TooLarge
    power = first**second
    if isinstance(power, complex):
        raise ValueError
    return power


def _compared(first: Any, second: Any) -> int:
    return int(first > second) - int(first < second)


def _match(text: Any, other: Any) -> int | None:
    """Ruby's `=~`."""
    match = other.search(text) if isinstance(other, Pattern) else text.search(other)
    return match.start() if match else None


def _groups(text: str, pattern: Pattern) -> list[Any] | None:
    """What `match` finds: all of it, then its groups; nil for nothing."""
    match = pattern.search(text)
    return [match[0], *match.groups()] if match else None


def _paid(work: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison that pays for what it may walk through."""

    def found(first: Any, second: Any) -> Any:
        pay_for(first, second)
        return work(first, second)

    return found


def _push(subject: Any, *more: Any) -> Any:
    if isinstance(subject, str):
        text = "".join(map(words, more))
        pay_for_text(len(subject) + len(text))
        return subject + text
    subject.extend(more)
    return subject


def _unique(subject: Any, block: Block = None) -> list[Any]:
    unique: dict[str, Any] = {}
    for item in ruby_items(subject):
        key = _run(block, item) if block is not None else item
        pay_for(key)
        unique.setdefault(repr(key), item)
    return list(unique.values())


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": ruby_plus,
    "-": _minus,
    "*": _times,
    "/": _divide,
    "%": ruby_format,
    "**": _power,
    "<<": _push,
    "|": lambda first, second: (
        _unique(ruby_plus(first, second)) if isinstance(first, list) else first | second
    ),
    "&": _both,
    "==": _paid(operator.eq),
    "!=": _paid(operator.ne),
    "<": _paid(operator.lt),
    ">": _paid(operator.gt),
    "<=": _paid(operator.le),
    ">=": _paid(operator.ge),
    "<=>": _paid(_compared),
    "=~": _match,
    "!~": lambda first, second: _match(first, second) is None,
}


# Texts


def ruby_number(subject: Any) -> int:
    """Ruby's `to_i`."""
    if isinstance(subject, (int, float)):
        return int(subject)
    match = re.match(r"\s*[-+]?\d+", words(subject))
    return int(match[0]) if match else 0


def next_word(text: str) -> str:
    """Ruby's `succ`: A9 comes before B0, AZ before BA."""
    if not text.isascii() or not text.isalnum():
        raise ValueError
    letters = list(text)
    for at in range(len(letters) - 1, -1, -1):
        last = {"9": "0", "z": "a", "Z": "A"}.get(letters[at])
        if last is None:
            letters[at] = chr(ord(letters[at]) + 1)
            return "".join(letters)
        letters[at] = last
    return ("1" if letters[0] == "0" else letters[0]) + "".join(letters)


def words_between(first: str, last: str) -> list[str]:
    """A range of words: A8..A11."""
    reached = [first]
    while reached[-1] != last:
        if len(reached) > _MOST_WORDS or len(reached[-1]) > len(last):
            raise ValueError
        reached.append(next_word(reached[-1]))
    return reached


def _join(subject: Any, by: str = "") -> str:
    parts = list(map(words, subject))
    pay_for_text(sum(map(len, parts)) + len(by) * len(parts))
    return by.join(parts)


def _replaced(most: int) -> Callable[[Any, Any, Any], str]:
    def found(text: Any, what: Any, other: Any) -> str:
        whole, by = str(text), str(other)
        if isinstance(what, Pattern):
            pay_for_text(len(by) * (len(whole) + 1))
            return what.replace(whole, by, most=most)
        pay_for_text(len(by) * whole.count(str(what)))
        return whole.replace(str(what), by, most or -1)

    return found


def _split(text: str, by: Any = " ", most: int = 0) -> list[str]:
    if isinstance(by, Pattern):
        return by.split(text)
    return text.split(None if by == " " else by, most - 1) if by else list(text)


def _filled(way: Callable[..., str]) -> Callable[..., str]:
    """rjust and the like."""

    def found(text: Any, width: int, *by: str) -> str:
        pay_for_text(width)
        return way(text, width, *by)

    return found


def _character(code: Any) -> Any:
    if isinstance(code, int) and 0xD800 <= code <= 0xDFFF:
        raise ValueError
    return chr(code) if isinstance(code, int) else code[:1]


# Elements


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
    raise TypeError


def _fetch(subject: Any, block: Block, key: Any, *default: Any) -> Any:
    if isinstance(subject, dict) and key not in subject:
        return default[0] if default else _run(block, key)
    return subject[key]


def _dig(subject: Any, *keys: Any) -> Any:
    for key in keys:
        if subject is None:
            return None
        subject = _index(subject, key)
    return subject


def _slice(subject: Any, *keys: Any) -> Any:
    if isinstance(subject, dict):
        return {key: subject[key] for key in keys if key in subject}
    return _index(subject, *keys)


def _picked(subject: Any, *keys: Any) -> list[Any]:
    if isinstance(subject, dict):
        return [subject.get(ruby_key(key)) for key in keys]
    return [subject[index] if -len(subject) <= index < len(subject) else None for index in keys]


def _put(subject: Any, key: Any, value: Any) -> Any:
    subject[ruby_key(key) if isinstance(subject, dict) else key] = value
    return value


def _inserted(subject: list[Any], at: int, *items: Any) -> list[Any]:
    at = at + len(subject) + 1 if at < 0 else at
    subject[at:at] = items
    return subject


def _concat(subject: Any, *others: Any) -> Any:
    for other in others:
        subject.extend(list(other))
    return subject


def _delete(subject: Any, what: Any) -> Any:
    if isinstance(subject, dict):
        return subject.pop(ruby_key(what), None)
    if isinstance(subject, str):
        return subject.replace(what, "")
    while what in subject:
        subject.remove(what)
    return what


def _removed(subject: Any, at: int) -> Any:
    if isinstance(subject, dict):
        key = next(iter(subject), None)
        return None if key is None else [key, subject.pop(key)]
    return subject.pop(at) if subject else None


def _first(subject: Any, *count: int) -> Any:
    """`first` and `take`: of an order left to chance, all."""
    if isinstance(subject, Mixed) and count:
        return list(subject)
    items = ruby_items(subject)
    return items[: count[0]] if count else items[0] if items else None


def _last(subject: Any, *count: int) -> Any:
    items = ruby_items(subject)
    return items[-count[0] :] if count else items[-1] if items else None


# Whole arrays and hashes


def _merge(subject: dict[Any, Any], block: Block, *others: Any) -> dict[Any, Any]:
    merged = dict(subject)
    for other in others:
        if is_unread(other):
            merged[other] = other
            continue
        for key, value in other.items():
            merged[key] = (
                block(key, merged[key], value) if block is not None and key in merged else value
            )
    return merged


def _merge_here(subject: dict[Any, Any], block: Block, *others: Any) -> dict[Any, Any]:
    subject.update(_merge(subject, block, *others))
    return subject


def _deep_merged(subject: Any, other: Any) -> Any:
    merged = dict(subject)
    for key, value in other.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = _deep_merged(merged[key], value) if both else value
    return merged


def _to_h(subject: Any, block: Block) -> dict[Any, Any]:
    pairs = (
        [_run(block, item) for item in _each(subject)] if block is not None else ruby_items(subject)
    )
    return {ruby_key(key): value for key, value in pairs}


def _keys_changed(subject: Any, block: Block, *by: Any) -> dict[Any, Any]:
    names = by[0] if by else {}
    return {
        ruby_key(_run(block, key) if block else names.get(key, key)): value
        for key, value in subject.items()
    }


def _flat(subject: Any, depth: int = 20) -> list[Any]:
    flat: list[Any] = []
    pay(len(subject))
    for item in subject:
        flat += _flat(item, depth - 1) if isinstance(item, (list, tuple)) and depth else [item]
    return flat


def _compact(subject: Any) -> Any:
    if isinstance(subject, dict):
        return {key: value for key, value in subject.items() if value is not None}
    return [item for item in ruby_items(subject) if item is not None]


def _rotated(subject: Any, turn: int = 1) -> list[Any]:
    items = ruby_items(subject)
    turn = turn % len(items) if items else 0
    return items[turn:] + items[:turn]


def _tallied(subject: Any) -> dict[Any, Any]:
    counts: dict[Any, Any] = {}
    for item in map(ruby_key, ruby_items(subject)):
        counts[item] = counts.get(item, 0) + 1
    return counts


def _product(subject: Any, other: Any) -> list[Any]:
    pay(3 * len(subject) * len(other))
    return [[a, b] for a in subject for b in other]


def _combined(subject: Any, size: int) -> list[Any]:
    pay(comb(len(subject), size) * (size + 1))
    return [list(combination) for combination in combinations(subject, size)]


def is_kind(subject: Any, kind: Any) -> bool:
    """Ruby's `is_a?` for the classes that data have."""
    classes = _CLASSES.get(kind.what) if isinstance(kind, Unread) else None
    return (
        classes is not None
        and isinstance(subject, classes)
        and not (isinstance(subject, bool) and bool not in classes)
    )


# With a block


def _over(subject: Sequence[Any], block: Block) -> list[Any]:
    """What an iterator goes over; a block sees each."""
    pay(len(subject))
    items = list(subject)
    for item in items if block is not None else ():
        _run(block, item)
    return items


def _for_each(subject: Any, block: Block) -> Any:
    if block is None:
        return ruby_items(subject)
    for item in _each(subject):
        _run(block, item)
    return subject


def _for_part(part: Callable[[Any], Any]) -> Callable[[Any, Block], Any]:
    """each_key and each_value."""

    def found(subject: Any, block: Block) -> Any:
        for item in list(part(subject)):
            _run(block, item)
        return subject

    return found


def _map(subject: Any, block: Block) -> list[Any]:
    return (
        [_run(block, item) for item in _each(subject)] if block is not None else ruby_items(subject)
    )


def _with_index(subject: Any, block: Block) -> Any:
    """Ruby's `each_with_index`."""
    if block is None:
        return _mapped_with_index(subject, block)
    for index, item in enumerate(ruby_items(subject)):
        pay()
        block(item, index)
    return subject


def _mapped_with_index(subject: Any, block: Block, first: int = 0) -> list[Any]:
    pairs = [[item, index] for index, item in enumerate(ruby_items(subject), first)]
    return pairs if block is None else [block(*pair) for pair in pairs]


def _with_object(subject: Any, block: Block, memo: Any) -> Any:
    if block is None:
        raise TypeError
    for item in ruby_items(subject):
        block(item, memo)
    return memo


def _kept(subject: Any, block: Block, *, wanted: bool = True) -> Any:
    items = [item for item in _each(subject) if truthy(_run(block, item)) is wanted]
    plain = [list(item) if isinstance(item, _Pair) else item for item in items]
    return dict(plain) if isinstance(subject, dict) else plain


def _kept_here(subject: Any, block: Block, *, wanted: bool = True) -> Any:
    remaining = _kept(subject, block, wanted=wanted)
    subject.clear()
    (subject.update if isinstance(subject, dict) else subject.extend)(remaining)
    return subject


def _count(subject: Any, block: Block) -> int:
    return len(_kept(subject, block)) if block is not None else len(subject)


def _tested(subject: Any, block: Block) -> Iterator[bool]:
    """Which elements hold: by a block, or by themselves."""
    return (truthy(_run(block, item) if block is not None else item) for item in _each(subject))


def _find(subject: Any, block: Block) -> Any:
    for item in _each(subject):
        if truthy(_run(block, item)):
            return list(item) if isinstance(item, _Pair) else item
    return None


def _find_index(subject: Any, block: Block, *wanted: Any) -> Any:
    for index, item in enumerate(ruby_items(subject)):
        if (item == wanted[0]) if wanted else truthy(_run(block, item)):
            return index
    return None


def _while(subject: Any, block: Block, *, taken: bool) -> list[Any]:
    items = ruby_items(subject)
    count = next((at for at, item in enumerate(items) if not truthy(_run(block, item))), len(items))
    return items[:count] if taken else items[count:]


def _group_by(subject: Any, block: Block) -> dict[Any, Any]:
    groups: dict[Any, Any] = {}
    for item in ruby_items(subject):
        groups.setdefault(ruby_key(_run(block, item)), []).append(item)
    return groups


def _runs(subject: Any, block: Block) -> list[Any]:
    """Ruby's `chunk_while`."""
    if block is None:
        raise TypeError
    runs: list[list[Any]] = []
    for item in ruby_items(subject):
        pay()
        if runs and truthy(block(runs[-1][-1], item)):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _sum(subject: Any, block: Block, total: Any = 0) -> Any:
    for item in _each(subject):
        total = ruby_plus(total, _run(block, item) if block is not None else item)
    return total


def _folded(subject: Any, block: Block, *given: Any) -> Any:
    """Ruby's `inject`, with an operator or a block."""
    *first, work = given if block is None else (*given, block)
    items = ruby_items(subject)
    total = first[0] if first else items.pop(0)
    for item in items:
        total = (work if block is not None else BINARY[work])(total, item)
    return total


def _sorted(subject: Any, block: Block) -> list[Any]:
    return sorted(ruby_items(subject), key=cmp_to_key(block) if block is not None else None)


def _by(subject: Any, block: Block) -> list[Any]:
    """In the order of what a block makes of each."""
    if block is not None and any(is_unread(_run(block, item)) for item in ruby_items(subject)):
        raise TypeError
    return sorted(
        ruby_items(subject), key=(lambda item: _run(block, item)) if block is not None else None
    )


def _sorted_by(subject: Any, block: Block) -> list[Any]:
    items = ruby_items(subject)
    first = _run(block, items[0]) if items and block is not None else None
    if isinstance(first, Unread) and first.what in (CHANCE, f"@random.{CHANCE}", f"@game.{CHANCE}"):
        return Mixed(items)
    return _by(subject, block)


def _extreme(work: Callable[[Any], Any], *, down: bool) -> Callable[..., Any]:
    def found(subject: Any, block: Block, *count: int) -> Any:
        items = _map(subject, block)
        if any(map(is_unread, items)):
            raise TypeError
        return sorted(items, reverse=down)[: count[0]] if count else work(items)

    return found


def _steps(subject: Any, block: Block, first: int, *width: int) -> list[Any]:
    """`(1..9).step(2)` and `1.step(9, 2)`."""
    if isinstance(subject, int):
        step = width[0] if width else 1
        return _over(range(subject, first + (1 if step > 0 else -1), step), block)
    return _over(ruby_items(subject)[::first], block)


def _slices(subject: Any, block: Block, size: int) -> list[Any]:
    items = ruby_items(subject)
    return _over([items[at : at + size] for at in range(0, len(items), size)], block)


def _windows(subject: Any, block: Block, size: int) -> list[Any]:
    items = ruby_items(subject)
    pay(len(items) * size)
    return _over([items[at : at + size] for at in range(len(items) - size + 1)], block)


def _here(work: Callable[..., Any]) -> Callable[..., Any]:
    """A method that changes its array, by the one that returns another."""

    def changed(subject: Any, *given: Any) -> Any:
        subject[:] = work(list(subject), *given)
        return subject

    return changed


def _copied(subject: Any) -> Any:
    """A copy that may be changed, of a key of a hash as well."""
    return list(subject) if isinstance(subject, tuple) else copy.copy(subject)


METHODS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("freeze", "deep_freeze", "itself"), lambda subject: subject),
    **dict.fromkeys(("to_sym", "to_s"), words),
    **dict.fromkeys(("to_a", "to_set", "entries", "lazy"), ruby_items),
    **dict.fromkeys(("dup", "clone"), _copied),
    **dict.fromkeys(("size", "length"), len),
    **dict.fromkeys(("is_a?", "kind_of?", "instance_of?"), is_kind),
    **dict.fromkeys(
        ("key?", "has_key?", "include?", "member?"), lambda subject, item: item in subject
    ),
    **dict.fromkeys(("value?", "has_value?"), lambda subject, value: value in subject.values()),
    **dict.fromkeys(("[]=", "store"), _put),
    **dict.fromkeys(("push", "append", "<<"), _push),
    **dict.fromkeys(("unshift", "prepend"), lambda subject, *items: _inserted(subject, 0, *items)),
    **dict.fromkeys(("first", "take"), _first),
    **dict.fromkeys(("values_at", "fetch_values"), _picked),
    **dict.fromkeys(
        ("succ", "next"), lambda text: text + 1 if isinstance(text, int) else next_word(text)
    ),
    "to_i": ruby_number,
    "to_f": float,
    "deep_dup": copy.deepcopy,
    "frozen?": lambda _: True,
    "nil?": lambda subject: subject is None,
    "empty?": operator.not_,
    "eql?": lambda subject, other: bool(subject == other),
    "<=>": _compared,
    "+": ruby_plus,
    "-": _minus,
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
    "divmod": lambda subject, by: list(divmod(subject, by)),
    "fdiv": lambda subject, by: subject / by,
    "ord": lambda text: ord(text[0]),
    "chr": _character,
    "=~": _match,
    "match": _groups,
    "match?": lambda text, pattern: _match(text, pattern) is not None,
    "gsub": _replaced(0),
    "sub": _replaced(1),
    "scan": lambda text, pattern: pattern.findall(text),
    "split": _split,
    "lines": lambda text: text.splitlines(keepends=True),
    "rjust": _filled(str.rjust),
    "ljust": _filled(str.ljust),
    "center": _filled(str.center),
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
    "key": lambda subject, value: next(
        (key for key, item in subject.items() if item == value), None
    ),
    "invert": lambda subject: {ruby_key(value): key for key, value in subject.items()},
    "except": lambda subject, *keys: {
        key: value for key, value in subject.items() if key not in keys
    },
    "deep_merge": _deep_merged,
    "[]": _index,
    "dig": _dig,
    "slice": _slice,
    "last": _last,
    "drop": lambda subject, count: ruby_items(subject)[count:],
    "sample": lambda subject, _count: ruby_items(
        subject
    ),  # all that may be drawn; one alone is not known
    "shuffle": lambda subject: Mixed(ruby_items(subject)),
    "shift": lambda subject: _removed(subject, 0),
    "pop": lambda subject: _removed(subject, -1),
    "delete": _delete,
    "delete_at": lambda subject, at: subject.pop(at),
    "insert": _inserted,
    "concat": _concat,
    "replace": _here(lambda _subject, other: other),
    "compact": _compact,
    "compact!": _here(_compact),
    "flatten": _flat,
    "flatten!": _here(_flat),
    "reverse": lambda subject: subject[::-1],
    "reverse!": _here(lambda subject: subject[::-1]),
    "rotate": _rotated,
    "rotate!": _here(_rotated),
    "tally": _tallied,
    "minmax": lambda subject: [min(subject), max(subject)],
    "transpose": lambda subject: [list(row) for row in zip(*subject, strict=True)],
    "zip": lambda subject, *others: [list(items) for items in zip(subject, *others, strict=False)],
    "product": _product,
    "combination": _combined,
    "cycle": lambda subject: (ruby_items(subject) * (100 // max(1, len(subject)) + 1))[:100],
    "join": _join,
}
"""Methods that take no block: of a value and arguments."""

BLOCKS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("merge!", "update"), _merge_here),
    **dict.fromkeys(("map", "collect"), _map),
    **dict.fromkeys(("each", "each_pair"), _for_each),
    **dict.fromkeys(("each_with_object", "with_object"), _with_object),
    **dict.fromkeys(("each_char", "chars"), _over),
    **dict.fromkeys(("select", "filter", "find_all"), _kept),
    **dict.fromkeys(("select!", "keep_if"), _kept_here),
    **dict.fromkeys(
        ("reject!", "delete_if"), lambda subject, block: _kept_here(subject, block, wanted=False)
    ),
    **dict.fromkeys(("find", "detect"), _find),
    **dict.fromkeys(("find_index", "index"), _find_index),
    **dict.fromkeys(("inject", "reduce"), _folded),
    "merge": _merge,
    "fetch": _fetch,
    "to_h": _to_h,
    "map!": _here(_map),
    "flat_map": lambda subject, block: _flat(_map(subject, block), 1),
    "filter_map": lambda subject, block: [item for item in _map(subject, block) if truthy(item)],
    "each_key": _for_part(dict.keys),
    "each_value": _for_part(dict.values),
    "each_with_index": _with_index,
    "with_index": _mapped_with_index,
    "each_slice": _slices,
    "each_cons": _windows,
    "each_index": lambda subject, block: _over(range(len(subject)), block),
    "each_entry": lambda subject, block: _over(ruby_items(subject), block),
    "reverse_each": lambda subject, block: _over(ruby_items(subject)[::-1], block),
    "times": lambda subject, block: _over(range(subject), block),
    "upto": lambda subject, block, last: _over(range(subject, last + 1), block),
    "downto": lambda subject, block, last: _over(range(subject, last - 1, -1), block),
    "step": _steps,
    "reject": lambda subject, block: _kept(subject, block, wanted=False),
    "partition": lambda subject, block: [
        ruby_items(_kept(subject, block, wanted=side)) for side in (True, False)
    ],
    "take_while": lambda subject, block: _while(subject, block, taken=True),
    "drop_while": lambda subject, block: _while(subject, block, taken=False),
    "count": _count,
    "any?": lambda subject, block: any(_tested(subject, block)),
    "all?": lambda subject, block: all(_tested(subject, block)),
    "none?": lambda subject, block: not any(_tested(subject, block)),
    "one?": lambda subject, block: list(_tested(subject, block)).count(True) == 1,
    "uniq": _unique,
    "uniq!": _here(_unique),
    "sort": _sorted,
    "sort!": _here(_sorted),
    "sort_by": _sorted_by,
    "sort_by!": _here(_sorted_by),
    "min": _extreme(min, down=False),
    "max": _extreme(max, down=True),
    "min_by": lambda subject, block: _by(subject, block)[0],
    "max_by": lambda subject, block: _by(subject, block)[-1],
    "sum": _sum,
    "group_by": _group_by,
    "chunk_while": _runs,
    "transform_values": lambda subject, block: {
        key: _run(block, value) for key, value in subject.items()
    },
    "transform_keys": _keys_changed,
    "tap": lambda subject, block: (_run(block, subject), subject)[1],
    "then": lambda subject, block: _run(block, subject),
}
"""Methods that may take a block: of a value, a block and arguments."""

_QUICK = frozenset((
    "[]=", "store", "fetch", "dig", "key?", "has_key?", "size", "length", "empty?", "last", "push", "append", "<<",
    "pop", "nil?", "freeze", "deep_freeze", "itself", "is_a?", "kind_of?", "instance_of?", "tap", "then", "to_sym",
    "times", "upto", "downto", "step", "+", "frozen?",
))  # fmt: skip
"""Methods that take the same time whatever the size of their value, or pay for it themselves: all
others are paid for by the size of value and arguments."""


def run_method(name: str, subject: Any, arguments: Sequence[Any], block: Block) -> Any:
    """What a method of a value returns. Raises KeyError for one that is not known."""
    work = BLOCKS[name] if name in BLOCKS else METHODS[name]
    if name not in _QUICK:
        pay_for(subject, *arguments)
    return work(subject, block, *arguments) if name in BLOCKS else work(subject, *arguments)
