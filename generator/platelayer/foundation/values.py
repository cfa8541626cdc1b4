"""Types and one function that all rooms use."""

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
    """An immutable value."""


def grouped(entries: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return entries grouped by key, in order of first appearance."""
    groups: dict[K, list[T]] = {}
    for key, entry in entries:
        groups.setdefault(key, []).append(entry)
    return groups
