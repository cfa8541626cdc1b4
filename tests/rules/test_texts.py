"""Every text of a title is located, wherever the model keeps one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import astuple

from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.titles import load_title
from platelayer.foundation.text import Text
from platelayer.rules.text_rules import located_texts

HERE = Path(__file__).parent
TESTS = HERE.parent


def texts_within(value: Any) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Struct):
        for each in astuple(value):
            yield from texts_within(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_within(each)


def assert_all_located(reference: str | Path) -> int:
    title = load_title(reference).title
    located = list(located_texts(title))
    assert Counter(text for _, text in located) == Counter(texts_within(title))
    assert len({at for at, _ in located}) == len(located)
    return len(located)


@pytest.mark.parametrize(
    "title", ["18eu", "1841", "lost-atlas", str(TESTS / "field"), str(TESTS / "land")]
)
def test_no_text_of_a_title_is_left_out(title: str) -> None:
    """Also none of a field that nobody has named beside the model, such as what holds in a
    phase."""
    assert assert_all_located(title) > 25


def test_no_text_anywhere_is_left_out(tmp_path: Path) -> None:
    """The case of PC02 with a text in every place that takes one."""
    base = json.loads((HERE / "base.json").read_text(encoding="utf-8"))
    cases = json.loads((HERE / "cases" / "PC02.json").read_text(encoding="utf-8"))
    everywhere = next(case for case in cases["fail"] if case["name"] == "everywhere")
    (tmp_path / "title.json").write_text(
        json.dumps(merge_patch(base, everywhere["patch"])), encoding="utf-8"
    )
    assert assert_all_located(tmp_path) > 50
