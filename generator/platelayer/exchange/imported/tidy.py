"""JSON as a person would write it: an object or list stays on one line where it fits."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 120
_OPEN = ("hexes",)


def tidy_json(value: Any, *, open_levels: int = 1) -> bytes:
    """A value as text with a final line break; the outer `open_levels` and hexes have a line for each entry. What no
    text can hold (a name of a file whose bytes are no UTF-8) is "?"."""
    return (_lines(value, 0, open_levels, 0) + "\n").encode("utf-8", "replace")


def _lines(value: Any, indent: int, open_levels: int, used: int) -> str:
    flat = _flat(value)
    fits = indent + used + len(flat) <= _WIDTH
    if not isinstance(value, (dict, list)) or not value or (open_levels <= 0 and fits):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = []
        for key, each in value.items():
            label = f"{json.dumps(key, ensure_ascii=False)}: "
            levels = max(open_levels - 1, key in _OPEN)
            parts.append(label + _lines(each, indent + 2, levels, len(label) + 1))
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    parts = [_lines(each, indent + 2, open_levels - 1, 1) for each in value]
    return "[\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "]"


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_flat(each)}" for key, each in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
