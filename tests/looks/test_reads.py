"""Every kind of piece declares what of a title it is drawn from, and is drawn from nothing else."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from looks.digests import TITLES
from looks.reads import is_covered, is_needed, reads_of, variants_of
from platelayer.model.kinds import KINDS

FIELD = str(Path(__file__).parents[1] / "field")
LAND = str(Path(__file__).parents[1] / "land")
"""Invented titles with what the others lack."""


@pytest.fixture(scope="module")
def read() -> dict[str, set[str]]:
    """By kind: what drawers read of any title, and of any variant for the first and last piece of
    the kind."""
    found: dict[str, set[str]] = defaultdict(set)
    for title in (*TITLES, FIELD, LAND):
        for kind, fields in reads_of(title).items():
            found[kind] |= fields
        for variant in variants_of(title):
            for kind, fields in reads_of(title, variant, ends=True).items():
                found[kind] |= fields
    return found


@pytest.mark.slow
def test_what_is_read_is_what_is_declared(read: dict[str, set[str]]) -> None:
    assert set(read) == set(KINDS)
    for name, kind in KINDS.items():
        assert [
            field for field in sorted(read[name]) if not is_covered(field, kind.inputs)
        ] == [], name
        assert [field for field in kind.reads if not is_needed(field, read[name])] == [], name
