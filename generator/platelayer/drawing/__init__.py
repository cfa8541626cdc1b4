"""Pieces as scenes, each drawn by the functions that the record of its kind names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def drawer(name: str) -> Callable[..., Any]:
    """The function `module:function`, a leading dot standing for `platelayer.drawing`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module, "platelayer.drawing"), function)
    return found
