"""Every kind of piece declares what of a title it is drawn from, and is drawn from nothing else."""

from __future__ import annotations

from collections import defaultdict

import pytest

from looks.digests import TITLES
from looks.reads import reads_of, variants_of
from platelayer.drawing.kinds import LOOKS


@pytest.fixture(scope="module")
def read() -> dict[str, set[str]]:
    """By kind: what drawers read of any title, and of any variant for the first and last piece of the kind."""
    found: dict[str, set[str]] = defaultdict(set)
    for title in TITLES:
        for kind, fields in reads_of(title).items():
            found[kind] |= fields
        for variant in variants_of(title):
            for kind, fields in reads_of(title, variant, ends=True).items():
                found[kind] |= fields
    return found


def test_every_kind_is_watched(read: dict[str, set[str]]) -> None:
    assert set(read) == set(LOOKS)


@pytest.mark.parametrize("kind", LOOKS)
def test_what_is_read_is_declared(kind: str, read: dict[str, set[str]]) -> None:
    assert set(LOOKS[kind].reads) == read[kind]
