"""Ids and short words in the form the format takes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from typing import Any

_MOST = 40
_LETTERS = r"A-Za-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3005-\ud7ff\uf900-\ufaff"
"""Letters and digits of the names of sizes, as in schemas/common.schema.json."""
_SPOKEN = {
    "&": "-",
    "∞": "inf",
    "½": ".5",
    "*": "x",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "æ": "ae",
    "Æ": "AE",
    "ł": "l",
}


def safe_id(name: object) -> str:
    """An id from a name: letters and digits stay, accents go, and whatever else there is becomes
    "-"."""
    words = "".join(_SPOKEN.get(char, char) for char in str(name))
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", words) if not unicodedata.combining(char)
    )
    return re.sub(r"[^A-Za-z0-9._+]+", "-", plain).strip("-._+"[:3])[:_MOST].rstrip("-") or "x"


def safe_size(name: object) -> str:
    """The name of a size from any name, "" if nothing is left of it: signs that the format does not
    take become "-"."""
    return (
        re.sub(f"[^{_LETTERS} ._+&/-]+", "-", str(name)).strip(" ._+&/-")[:_MOST].strip(" ._+&/-")
    )


def unused(name: str, taken: Container[str], ending: str = "") -> str:
    """A name that is not taken: with an ending, then with numbers."""
    if name not in taken:
        return name
    if ending and f"{name[: _MOST - len(ending)]}{ending}" not in taken:
        return f"{name[: _MOST - len(ending)]}{ending}"
    number = 2
    while f"{name[:36]}-{number}" in taken:
        number += 1
    return f"{name[:36]}-{number}"


def one_line(words: object) -> str:
    """Words without line breaks and markup, with single spaces."""
    return " ".join(re.sub(r"<[^>]{0,40}>", " ", str(words or "")).split())


def mark(symbol: object) -> str:
    """The letters and digits of a symbol, by which icons name companies."""
    return "".join(char for char in str(symbol or "").casefold() if char.isalnum())


def spoken(symbol: object) -> str:
    """A symbol such as `can_buy_companies` as words."""
    return str(symbol).replace("_", " ").strip().capitalize()


def in_words(file_name: str) -> str:
    """The name of a picture's file as words: "Oil derrick" for "oil-derrick", "Yellow hex" for
    "Yellow_hex2"; "" if it has no words."""
    parted = re.sub(
        r"[_\-. ]+|(?<=[a-z])(?=[A-Z])", " ", file_name.rsplit("/", 1)[-1].removesuffix(".svg")
    )
    words = re.sub(r"(?<=[^ 0-9])[ ]?[0-9]+$", "", parted).split()
    if not any(re.fullmatch("[A-Za-z]?[a-z]{2,}", word) for word in words):
        return ""
    return " ".join(word if word.isupper() else word.lower() for word in words).capitalize()


def several(value: Any) -> list[Any]:
    """A list, or one value as a list; nothing for nil."""
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def number(value: Any, low: int, high: int) -> int | None:
    """A whole number within bounds, or None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        value = int(value)
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        else None
    )
