"""The functions that records of kinds of piece name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def drawer(name: str) -> Callable[..., Any]:
    """What `module:function` names, a leading dot standing for `platelayer.drawing`."""
    module, _, function = name.partition(":")
    drawn: Callable[..., Any] = getattr(import_module(module, "platelayer.drawing"), function)
    return drawn
