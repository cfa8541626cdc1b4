"""Types that all rooms share."""

from __future__ import annotations

from functools import cached_property as cached_property  # noqa: PLC0414 - for others
from typing import Any, dataclass_transform

from msgspec import Struct, field

# An object of JSON.
Json = dict[str, Any]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A value that never changes once it is made."""
