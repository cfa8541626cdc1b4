"""Words from anywhere, as a terminal may show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.foundation.text import printable


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Salt Lake City", "Salt Lake City"),
        ("東京 駅", "東京 駅"),
        ("全角\u3000の間", "全角\u3000の間"),
        ("1\u00a0000", "1\u00a0000"),
        ("e\u0301 🚂", "e\u0301 🚂"),
        ("", ""),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x00\x07\x08\x7f", r"\x00\x07\x08\x7f"),
        ("\x9b31m\x85", r"\x9b31m\x85"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("2\u202egnp.exe", r"2\u202egnp.exe"),
        ("\u2066\u2069\u200f\u061c", r"\u2066\u2069\u200f\u061c"),
        ("\ud800", r"\ud800"),
        ("\udc80.json", r"\udc80.json"),
    ],
)
def test_what_steers_a_terminal_is_shown(words: str, shown: str) -> None:
    assert printable(words) == shown


@given(st.text(st.characters(codec=None)))
def test_nothing_printable_is_changed_and_all_else_is(words: str) -> None:
    shown = printable(words)
    shown.encode()  # there is no lone surrogate any more
    assert printable(shown) == shown
    assert all(char >= " " and not "\x7f" <= char <= "\x9f" for char in shown)
    if words.isprintable():
        assert shown == words
