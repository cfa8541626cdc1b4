"""Tests that need more than the extra `test`: skipped with the reason, but fatal in the gate."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

import pytest


def skip_unless_gate(reason: str) -> NoReturn:
    """Skip a test for which something is missing. The gate (`PLATELAYER_GATE`) has everything, so
    there it fails."""
    if os.environ.get("PLATELAYER_GATE"):
        pytest.fail(f"the gate skips nothing: {reason}", pytrace=False)
    pytest.skip(reason)


def require_module(name: str, extra: str) -> Any:
    """Return a module that an extra brings."""
    if find_spec(name.split(".", maxsplit=1)[0]) is None:
        skip_unless_gate(f"needs {name.split('.', maxsplit=1)[0]}: pip install -e '.[{extra}]'")
    return import_module(name)
