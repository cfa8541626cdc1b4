"""Problem codes: a short name, and the paragraph that `platelayer explain CODE` prints."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """A short name, and a paragraph that says what the code means, what is wrong and what is right."""

    name: str
    explanation: str

    def __str__(self) -> str:
        return f"{self.name}\n\n{self.explanation}"
