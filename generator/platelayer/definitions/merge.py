"""JSON merge patches (RFC 7396)."""

from __future__ import annotations

from typing import Any

NEVER = object()
"""What no patch can say: a null where there was another value, or within an object that is new."""


def merge_patch(target: Any, patch: Any) -> Any:
    """The target after an RFC 7396 merge patch. Neither argument is modified; unchanged parts are
    shared."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, change in patch.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), change)
    return merged


def patch_between(before: Any, after: Any) -> Any:
    """The merge patch that makes one value of another; where none can, it holds NEVER. Neither
    argument is modified."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return NEVER if _has_null(after) else after
    changes = {
        key: patch_between(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }
    return {**{key: None for key in before if key not in after}, **changes}


def says_all(patch: Any) -> bool:
    """False for a patch that holds NEVER."""
    return patch is not NEVER and not (
        isinstance(patch, dict) and not all(map(says_all, patch.values()))
    )


def _has_null(value: Any) -> bool:
    """Whether a null stands in an object that a patch would make anew; in lists it stays."""
    return value is None or (isinstance(value, dict) and any(map(_has_null, value.values())))
