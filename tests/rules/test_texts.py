"""Every text of a title is located, wherever the model keeps one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.text import Text
from platelayer.rules.texts import located_texts

REFERENCES = ("18eu", Path(__file__).parent / "base.json")


def texts_within(value: Any) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_within(getattr(value, field.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_within(each)


@pytest.mark.parametrize("reference", REFERENCES, ids=str)
def test_no_text_is_left_out(reference: str | Path) -> None:
    title = load_title(reference).title
    located = list(located_texts(title))
    assert Counter(text for _, text in located) == Counter(texts_within(title))
    assert len({at for at, _ in located}) == len(located)
