"""Texts of every title, with each of its variants."""

from __future__ import annotations

import pytest

from looks.digests import TITLES
from looks.every_face import amounts
from platelayer.rules.text_rules import located_texts
from shipped import shipped


@pytest.mark.parametrize("title_id", TITLES)
def test_texts_write_money_as_the_currency_does_and_leave_no_brace(title_id: str) -> None:
    """1841 Lite once had L.10,900 and L2520 in one sentence. Braces stand for facts, which are
    filled in, but in templates."""
    for variant in (None, *(each.id for each in shipped(title_id).variants)):
        title = shipped(title_id, variant)
        for at, text in located_texts(title):
            for _, words in text.forms:
                assert "{" not in words or "/terms/" in at, (variant, at)
                for written, right in amounts(title, words):
                    assert written == right, (variant, at)
