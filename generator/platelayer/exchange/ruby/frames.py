"""Where an expression stands, and how a method or block ends early."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from platelayer.exchange.ruby.syntax import Source


class Left(Exception):
    """Raised where a method or block ends early; carries its value."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.kind, self.value = kind, value


class Asked(Struct, frozen=True, kw_only=True):
    """What a call asks for: a method by its name, with arguments, named arguments and a block."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: dict[Any, Any] = field(default_factory=dict)
    block: Callable[..., Any] | None = None


class Frame(Struct, kw_only=True):
    """Where an expression stands: its file, the module whose text it is in, local names, and the method it is in with
    the place among the ancestors that it was found at."""

    source: Source
    module: str
    names: dict[str, Any] = field(default_factory=dict)
    method: str = ""
    level: int = -1


class Inner(dict[str, Any]):
    """Local names of a block: its own, and those around it, which it may change."""

    def __init__(self, outer: dict[str, Any]) -> None:
        super().__init__()
        self.own: dict[str, Any] = {}
        self.outer = outer

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.outer

    def __getitem__(self, name: str) -> Any:
        return self.own[name] if name in self.own else self.outer[name]

    def __setitem__(self, name: str, value: Any) -> None:
        (self.outer if name not in self.own and name in self.outer else self.own)[name] = value

    def values(self) -> Any:
        """Values of the names around, for `super` inside a block."""
        return self.outer.values()
