"""Words of a title in Markdown and in tables."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\\`*\[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^(?=[#+-])")
_FORMULA = re.compile(r"['\s]*[=+\-@\t\r\n＝＋－＠]")


def markdown(words: str) -> str:
    """Words as Markdown shows them, on one line: none of them is a mark, a link or HTML."""
    return _MARKS.sub(lambda found: f"\\{found[0]}", " ".join(words.split()))


def cell(words: str) -> str:
    """Words as a cell of a table: before what a spreadsheet would take for a formula stands a ' (OWASP, "CSV
    Injection"). Nothing else begins with ' and would be a formula without it, so a reader can take it away again."""
    return f"'{words}" if _FORMULA.match(words) else words
