"""Hints that suggest a known word similar to an unknown one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache

from platelayer.foundation.resources import asset_json


def suggestion(word: str, known: Iterable[str], *, most: int = 1) -> str:
    """A hint that names the known words that may be meant by an unknown one: those that are often
    mistaken for it (assets/slips.json), else those closest to it, ignoring case; "" if there is
    none. No number is a slip of another: 580 does not mean 80, nor til:57 tile:579."""
    by_folded = {name.casefold(): name for name in known}
    meant = [slip for slip in slips().get(word.casefold(), ()) if slip.casefold() in by_folded]
    cutoff = 0.8 if word.casefold() in slips() else 0.5 if most > 1 else 0.6
    alike = (
        [] if word.isdecimal() else [name for name in by_folded if _digits(name) == _digits(word)]
    )
    near = meant[:most] or get_close_matches(word.casefold(), alike, n=most, cutoff=cutoff)
    names = [f'"{by_folded[name.casefold()]}"' for name in near]
    return f"did you mean {' or '.join(names)}?" if names else ""


def suggested(hint: str) -> tuple[str, ...]:
    """The words that a hint of `suggestion` names."""
    found = _SUGGESTED.search(hint)
    return tuple(_QUOTED.findall(found[1])) if found else ()


_SUGGESTED = re.compile(r'did you mean (".+?")\?')
_QUOTED = re.compile(r'"([^"]+)"')


@cache
def slips() -> Mapping[str, tuple[str, ...]]:
    """Words that may be meant, by a word in lower case that is often written in their place."""
    return {word: tuple(meant) for word, meant in asset_json("slips.json")["slips"].items()}


def _digits(word: str) -> list[str]:
    """The numbers in a word, digits that are typed twice as one."""
    return re.findall("[0-9]+", re.sub(r"([0-9])\1+", r"\1", word))


def counted(number: int, word: str, several: str = "") -> str:
    """A count with its noun: 1 hex, 2 hexes; `several` is an irregular plural."""
    return f"{number} {word if number == 1 else several or f'{word}s'}"


def numbered(noun: str, count: int) -> str:
    """A number of stops (slots ...) with their own numbers: "no stops", "1 stop (0)", "3 stops (0
    to 2)"."""
    if count < 2:
        return f"1 {noun} (0)" if count else f"no {noun}s"
    return f"{count} {noun}s (0 to {count - 1})"


def listed(words: Iterable[str], *, most: int = 12) -> str:
    """A list of words for a message: the first `most` of them, quoted."""
    return named((f'"{word}"' for word in words), most)


def named(names: Iterable[str], most: int = 6) -> str:
    """Names for a message: the first `most` of them, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
