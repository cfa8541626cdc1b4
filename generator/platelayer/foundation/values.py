"""Types and a function that all rooms share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeVar, dataclass_transform

from msgspec import Struct, field

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

# An object of JSON.
Json = dict[str, Any]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A value that never changes once it is made."""


def grouped(entries: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Entries by their keys, in order of first appearance."""
    groups: dict[K, list[T]] = {}
    for key, entry in entries:
        groups.setdefault(key, []).append(entry)
    return groups
