"""Types that all rooms share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar, dataclass_transform, overload

from msgspec import Struct, field

# An object of JSON.
Json = dict[str, Any]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A value that never changes once it is made."""


T = TypeVar("T")

if sys.version_info >= (3, 12):
    from functools import cached_property as cached_property  # noqa: PLC0414 - for others
else:

    class cached_property(Generic[T]):  # noqa: N801 - the name it has in functools
        """`functools.cached_property` as it is from Python 3.12 on: without a lock, which a fork
        would copy while another thread holds it."""

        def __init__(self, work: Callable[[Any], T]) -> None:
            self._work = work
            self.__doc__ = work.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        @overload
        def __get__(self, instance: None, owner: type) -> cached_property[T]: ...
        @overload
        def __get__(self, instance: object, owner: type) -> T: ...
        def __get__(self, instance: object | None, owner: type) -> cached_property[T] | T:
            """The value, worked out when it is first asked for."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._work(instance))  # type: ignore[no-any-return]
