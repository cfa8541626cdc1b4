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


def undeclared(read: dict[str, set[str]]) -> dict[str, list[str]]:
    """By kind: what is read, but not declared."""
    found = {
        name: [field for field in sorted(fields) if not is_covered(field, KINDS[name].inputs)]
        for name, fields in read.items()
    }
    return {name: fields for name, fields in found.items() if fields}


@pytest.mark.parametrize("title", [FIELD, "18cz", "lost-atlas"])
def test_the_ends_of_each_kind_read_nothing_else(title: str) -> None:
    assert undeclared(reads_of(title, ends=True)) == {}


@pytest.mark.slow
def test_what_is_read_is_what_is_declared(read: dict[str, set[str]]) -> None:
    assert set(read) == set(KINDS)
    assert undeclared(read) == {}
    # No title here has a home in the hex of a capital project, which would show its station.
    read["capital-project"].add("companies.stations")
    # Nor has any company loans, of which its charter would show the amount.
    read["charter"].add("loan")
    for name, kind in KINDS.items():
        assert [field for field in kind.reads if not is_needed(field, read[name])] == [], name
