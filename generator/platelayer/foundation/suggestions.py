"""Hints that suggest a known word similar to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def suggestion(word: str, known: Iterable[str], *, most: int = 1) -> str:
    """A hint that names the known words closest to an unknown one, ignoring case; "" if none is close."""
    by_folded = {each.casefold(): each for each in known}
    near = get_close_matches(word.casefold(), by_folded, n=most, cutoff=0.5 if most > 1 else 0.6)
    names = [f'"{by_folded[each]}"' for each in near]
    return f"did you mean {' or '.join(names)}?" if names else ""


def listed(words: Iterable[str], *, most: int = 12) -> str:
    """A list of words for a message: the first `most` of them, quoted."""
    words = list(words)
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(f'"{word}"' for word in words[:most]) + more
