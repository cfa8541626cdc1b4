"""How methods of Ruby's arrays, hashes and strings work, by function."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from platelayer.exchange.ruby.budget import MOST_BITS, TooLarge, pay, pay_for, pay_for_text
from platelayer.exchange.ruby.patterns import Pattern
from platelayer.exchange.ruby.values import is_unread, truthy, words

Block = Callable[..., Any] | None


def ruby_items(subject: Any) -> list[Any]:
    """Elements of an array, or pairs of a hash."""
    if isinstance(subject, dict):
        return [list(pair) for pair in subject.items()]
    if isinstance(subject, (list, tuple)):
        return list(subject)
    raise TypeError


def ruby_run(block: Block, item: Any) -> Any:
    """What a block makes of an item."""
    if block is None:
        raise TypeError
    pay()
    return block(*item) if isinstance(item, _Pair) else block(item)


class _Pair(list[Any]):
    """A pair that a block takes as two values."""


def ruby_each(subject: Any) -> list[Any]:
    """Ruby's `each`."""
    return [_Pair(pair) for pair in subject.items()] if isinstance(subject, dict) else ruby_items(subject)


def ruby_rehash(subject: Any, kept: list[Any]) -> Any:
    """Ruby's `rehash`."""
    return dict(kept) if isinstance(subject, dict) else kept


def ruby_merge(subject: dict[Any, Any], arguments: list[Any], block: Block) -> dict[Any, Any]:
    """Ruby's `merge`."""
    merged = dict(subject)
    for other in arguments:
        if is_unread(other):
            merged[other] = other
            continue
        for key, value in other.items():
            merged[key] = block(key, merged[key], value) if block is not None and key in merged else value
    return merged


def ruby_merge_here(subject: dict[Any, Any], arguments: list[Any], block: Block) -> dict[Any, Any]:
    """Ruby's `merge_here`."""
    subject.update(ruby_merge(subject, arguments, block))
    return subject


def ruby_index(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `index`."""
    if isinstance(subject, dict):
        return subject.get(ruby_key(arguments[0]))
    if isinstance(arguments[0], Pattern):
        match = arguments[0].search(subject)
        return match[arguments[1] if len(arguments) > 1 else 0] if match else None
    if len(arguments) == 2:
        return subject[arguments[0] : arguments[0] + arguments[1]]
    if isinstance(arguments[0], list):
        return [subject[index] for index in arguments[0] if index < len(subject)]
    if isinstance(subject, (list, tuple, str)) and isinstance(arguments[0], int):
        return subject[arguments[0]] if -len(subject) <= arguments[0] < len(subject) else None
    raise TypeError


def ruby_fetch(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `fetch`."""
    if isinstance(subject, dict) and arguments[0] not in subject:
        return arguments[1] if len(arguments) > 1 else ruby_run(block, arguments[0])
    return subject[arguments[0]]


def ruby_dig(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `dig`."""
    for key in arguments:
        if subject is None:
            return None
        subject = ruby_index(subject, [key], None)
    return subject


def ruby_to_h(subject: Any, _arguments: list[Any], block: Block) -> dict[Any, Any]:
    """Ruby's `to_h`."""
    pairs = [ruby_run(block, each) for each in ruby_each(subject)] if block is not None else ruby_items(subject)
    return {ruby_key(key): value for key, value in pairs}


def ruby_key(key: Any) -> Any:
    """Ruby's `key`."""
    return tuple(map(ruby_key, key)) if isinstance(key, (list, tuple)) else key


def ruby_flat(subject: Any, depth: int) -> list[Any]:
    """Ruby's `flat`."""
    found: list[Any] = []
    pay(len(subject))
    for each in subject:
        found += ruby_flat(each, depth - 1) if isinstance(each, (list, tuple)) and depth else [each]
    return found


def ruby_flat_map(subject: Any, _arguments: list[Any], block: Block) -> list[Any]:
    """Ruby's `flat_map`."""
    return ruby_flat([ruby_run(block, each) for each in ruby_each(subject)], 1)


def ruby_for_each(subject: Any, _arguments: list[Any], block: Block) -> Any:
    """Ruby's `for_each`."""
    if block is None:
        return ruby_items(subject)
    for each in ruby_each(subject):
        ruby_run(block, each)
    return subject


def ruby_with_index(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `with_index`."""
    if block is None:
        raise TypeError
    first = arguments[0] if arguments else 0
    for index, each in enumerate(ruby_items(subject)):
        pay()
        block(each, index + first)
    return subject


def ruby_map(subject: Any, _arguments: list[Any], block: Block) -> Any:
    """Ruby's `map`."""
    if block is None:
        return list(ruby_items(subject))
    return [ruby_run(block, each) for each in ruby_each(subject)]


def ruby_map_with_index(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `map_with_index`."""
    first = arguments[0] if arguments else 0
    if block is None:
        return [[each, index + first] for index, each in enumerate(ruby_items(subject))]
    return [block(each, index + first) for index, each in enumerate(ruby_items(subject))]


def ruby_with_object(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `with_object`."""
    if block is None:
        raise TypeError
    for each in ruby_items(subject):
        block(each, arguments[0])
    return arguments[0]


def ruby_kept(subject: Any, block: Block, *, wanted: bool) -> Any:
    """Ruby's `kept`."""
    return ruby_rehash(
        subject,
        [
            list(each) if isinstance(each, _Pair) else each
            for each in ruby_each(subject)
            if truthy(ruby_run(block, each)) is wanted
        ],
    )


def ruby_kept_here(subject: Any, block: Block, *, wanted: bool) -> Any:
    """Ruby's `kept_here`."""
    kept = ruby_kept(subject, block, wanted=wanted)
    subject.clear()
    if isinstance(subject, dict):
        subject.update(kept)
    else:
        subject.extend(kept)
    return subject


def ruby_find(subject: Any, _arguments: list[Any], block: Block) -> Any:
    """Ruby's `find`."""
    for each in ruby_each(subject):
        if truthy(ruby_run(block, each)):
            return list(each) if isinstance(each, _Pair) else each
    return None


def ruby_find_index(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `find_index`."""
    for index, each in enumerate(ruby_items(subject)):
        if (each == arguments[0]) if arguments else truthy(ruby_run(block, each)):
            return index
    return None


def ruby_delete(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `delete`."""
    if isinstance(subject, dict):
        return subject.pop(ruby_key(arguments[0]), None)
    if isinstance(subject, str):
        return subject.replace(arguments[0], "")
    while arguments[0] in subject:
        subject.remove(arguments[0])
    return arguments[0]


def ruby_push(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `push`."""
    if isinstance(subject, str):
        more = "".join(map(words, arguments))
        pay_for_text(len(subject) + len(more))
        return subject + more
    subject.extend(arguments)
    return subject


def ruby_extend(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `extend`."""
    for each in arguments:
        subject.extend(list(each))
    return subject


def ruby_put(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `put`."""
    subject[ruby_key(arguments[0]) if isinstance(subject, dict) else arguments[0]] = arguments[1]
    return arguments[1]


def ruby_except(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `except`."""
    return {key: value for key, value in subject.items() if key not in arguments}


def ruby_slice(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `slice`."""
    if isinstance(subject, dict):
        return {key: subject[key] for key in arguments if key in subject}
    return ruby_index(subject, arguments, block)


def ruby_by(subject: Any, block: Block) -> list[Any]:
    """Ruby's `by`."""
    if block is not None and any(is_unread(ruby_run(block, each)) for each in ruby_items(subject)):
        raise TypeError
    return sorted(ruby_items(subject), key=(lambda each: ruby_run(block, each)) if block is not None else None)


def ruby_group_by(subject: Any, _arguments: list[Any], block: Block) -> dict[Any, Any]:
    """Ruby's `group_by`."""
    found: dict[Any, Any] = {}
    for each in ruby_items(subject):
        found.setdefault(ruby_key(ruby_run(block, each)), []).append(each)
    return found


def ruby_sum(subject: Any, arguments: list[Any], block: Block) -> Any:
    """Ruby's `sum`."""
    total = arguments[0] if arguments else 0
    for each in ruby_each(subject):
        total = ruby_plus(total, ruby_run(block, each) if block is not None else each)
    return total


def ruby_first(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `first`."""
    items = ruby_items(subject)
    return items[: arguments[0]] if arguments else (items[0] if items else None)


def ruby_last(subject: Any, arguments: list[Any], _block: Block) -> Any:
    """Ruby's `last`."""
    items = ruby_items(subject)
    return items[-arguments[0] :] if arguments else (items[-1] if items else None)


def ruby_unique(subject: Any, _arguments: list[Any], block: Block) -> list[Any]:
    """Ruby's `unique`."""
    found: dict[str, Any] = {}
    for each in ruby_items(subject):
        key = ruby_run(block, each) if block is not None else each
        pay_for(key)
        found.setdefault(repr(key), each)
    return list(found.values())


def ruby_number(subject: Any) -> int:
    """Ruby's `number`."""
    if isinstance(subject, (int, float)):
        return int(subject)
    match = re.match(r"\s*[-+]?\d+", words(subject))
    return int(match[0]) if match else 0


def ruby_includes(subject: Any, arguments: list[Any], _block: Block) -> bool:
    """Ruby's `includes`."""
    return bool(arguments[0] in subject)


def ruby_plain(work: Callable[[Any], Any]) -> Callable[[Any, list[Any], Block], Any]:
    """A method without arguments and block."""
    return lambda subject, _arguments, _block: work(subject)


def ruby_times(first: Any, second: Any) -> Any:
    """Ruby's `times`."""
    if isinstance(first, list) and isinstance(second, str):
        return ruby_join(first, second)
    if isinstance(first, (list, str)):
        (pay if isinstance(first, list) else pay_for_text)(second * len(first))
    elif isinstance(first, int) and isinstance(second, int) and first.bit_length() + second.bit_length() > MOST_BITS:
        raise TooLarge
    return first * second


def ruby_join(subject: Any, by: str) -> str:
    """Ruby's `join`."""
    parts = list(map(words, subject))
    pay_for_text(sum(map(len, parts)) + len(by) * len(parts))
    return by.join(parts)


def ruby_minus(first: Any, second: Any) -> Any:
    """Ruby's `minus`."""
    if not isinstance(first, (list, tuple)):
        return first - second
    pay_for_comparing(first, second)
    return [each for each in first if each not in second]


def ruby_both(first: Any, second: Any) -> Any:
    """Ruby's `&`."""
    if not isinstance(first, (list, tuple)):
        return first & second
    pay_for_comparing(first, second)
    return [each for each in first if each in second]


def pay_for_comparing(first: Any, second: Any) -> None:
    """Pay for comparing each element of a list with each of another."""
    pay(pay_for(first) * max(1, len(second)) // 16 + pay_for(second))


def ruby_plus(first: Any, second: Any) -> Any:
    """Ruby's `plus`."""
    if isinstance(first, (list, tuple)):
        pay(len(first) + len(second))
        return [*first, *second]
    if isinstance(first, str):
        pay_for_text(len(first) + len(second))
    return first + second


def ruby_divide(first: Any, second: Any) -> Any:
    """Ruby's `divide`."""
    return first // second if isinstance(first, int) and isinstance(second, int) else first / second


def ruby_append(first: Any, second: Any) -> Any:
    """Ruby's `append`."""
    return ruby_push(first, [second], None)


def ruby_format(first: Any, second: Any) -> Any:
    """Ruby's `format`."""
    if not isinstance(first, str):
        return first % second
    if "*" in first:  # a width among the values
        raise ValueError
    widths = re.findall(r"\d+", first)
    if any(len(width) > 4 for width in widths):
        raise TooLarge
    pay_for_text(len(first) + sum(map(int, widths)) + 64 * pay_for(second) * first.count("%"))
    return first % (tuple(second) if isinstance(second, list) else second)


def ruby_power(first: Any, second: Any) -> Any:
    """Ruby's `power`."""
    if isinstance(first, int) and abs(first).bit_length() * abs(second) > MOST_BITS:
        raise TooLarge
    power = first**second
    if isinstance(power, complex):
        raise ValueError
    return power
