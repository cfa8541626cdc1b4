"""Regular expressions that end soon."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

_MOST = 1000
_TOO_MUCH = re.compile(r"\)[*+?{]|\\[1-9kgGpP]|\(\?")
"""What could keep a pattern busy for ever, or means something else here."""


class Pattern(Struct, frozen=True):
    """A regular expression that is short and repeats at most two things, so that it ends soon."""

    source: str

    def search(self, text: str) -> re.Match[str] | None:
        """Where it first fits."""
        return self._made().search(_short(text))

    def findall(self, text: str) -> list[Any]:
        """All that it fits."""
        found = self._made().findall(_short(text))
        return [list(each) if isinstance(each, tuple) else each for each in found]

    def replace(self, text: str, other: str, *, most: int = 0) -> str:
        """The text with another in place of what it fits."""
        return self._made().sub(lambda _: other, _short(text), count=most)

    def split(self, text: str) -> list[str]:
        """What is between the places it fits."""
        return self._made().split(_short(text))

    def _made(self) -> re.Pattern[str]:
        if len(self.source) > 60 or len(re.findall(r"[*+{]", self.source)) > 2 or _TOO_MUCH.search(self.source):
            raise ValueError
        try:
            return re.compile(self.source.replace(r"\A", "^").replace(r"\z", "$").replace(r"\h", "[0-9a-fA-F]"))
        except re.error as wrong:
            raise ValueError from wrong


def _short(text: str) -> str:
    if len(text) > _MOST:
        raise ValueError
    return text
