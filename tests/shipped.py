"""The titles that ship, each read once in a process: nothing changes a title."""

from __future__ import annotations

from functools import cache

from platelayer.definitions.titles import Loaded, load_title
from platelayer.model.title import Title


@cache
def loaded(title_id: str, variant: str | None = None) -> Loaded:
    return load_title(title_id, variant=variant)


def shipped(title_id: str, variant: str | None = None) -> Title:
    return loaded(title_id, variant).title
