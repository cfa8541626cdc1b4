"""Problem codes: a short name, and the paragraph that `platelayer explain CODE` prints."""

from __future__ import annotations

from typing import NamedTuple

from platelayer.foundation.problems import Severity


class Code(NamedTuple):
    """A short name, a paragraph that says what the code means, what is wrong and what is right, and
    how severe it is; a rule has a severity of its own."""

    name: str
    explanation: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return f"{self.name}\n\n{self.explanation}"
