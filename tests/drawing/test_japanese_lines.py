"""Running Japanese text fills its lines, leaves no character alone, and parts no foreign name."""

from __future__ import annotations

from functools import cache

import pytest

from japanese_lines import Paragraph, full_lines, lone, mean, paragraphs_of, parted_names
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.load import load


@cache
def paragraphs(name: str) -> tuple[Paragraph, ...]:
    return tuple(paragraphs_of(load(name)))


@pytest.mark.parametrize("name", title_ids())
def test_lines_are_full(name):
    fills = full_lines(paragraphs(name))
    assert len(fills) > 50
    assert mean(fills) >= 0.9


@pytest.mark.parametrize("name", title_ids())
def test_no_character_stands_alone(name):
    assert lone(paragraphs(name)) == []


@pytest.mark.parametrize("name", title_ids())
def test_no_name_is_parted(name):
    assert parted_names(paragraphs(name)) == []
