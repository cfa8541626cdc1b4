"""The part of rpds that jsonschema and referencing use, which is native code that a browser has not."""

from __future__ import annotations

from typing import Any


class HashTrieMap(dict[Any, Any]):
    """A mapping whose changes are new mappings."""

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """A mapping as one of these."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """The same with one more entry."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """The same without an entry. Raises KeyError."""
        rest = dict(self)
        del rest[key]
        return HashTrieMap(rest)

    def update(self, *more: Any, **named: Any) -> HashTrieMap:  # type: ignore[override]
        """The same with more entries."""
        return HashTrieMap({**self, **dict(*more, **named)})


class HashTrieSet(frozenset[Any]):
    """A set whose changes are new sets."""

    def insert(self, value: Any) -> HashTrieSet:
        """The same with one more."""
        return HashTrieSet(self | {value})

    def discard(self, value: Any) -> HashTrieSet:
        """The same without one, if it is there."""
        return HashTrieSet(self - {value})


class List(tuple[Any, ...]):
    """A list whose changes are new lists."""

    def push_front(self, value: Any) -> List:
        """The same with one more at the front."""
        return List((value, *self))
