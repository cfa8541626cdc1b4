"""Findings about one file, gathered into problems that name all their pages."""

from __future__ import annotations

from collections.abc import Iterable

from platelayer.foundation.codes import severity_of
from platelayer.foundation.problems import MAX_PROBLEMS, Problem

# The hint for files that are damaged.
ANEW = "export the file again from the program that made it"

# The most characters of one message: names in a file can have any length.
_LONGEST = 400
_MAX_RUNS = 8


class Findings:
    """Collects what is wrong with one file. The same words about several pages become one
    problem."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._pages: dict[tuple[str, str, str], list[int]] = {}

    def add(self, code: str, message: str, *, page: int = 0, hint: str = "") -> None:
        """A problem on a page (from 1) or in the file (0)."""
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - 3]}..."
        pages = self._pages.setdefault((code, message, hint), [])
        if page not in pages[-1:]:
            pages.append(page)

    def problems(self) -> tuple[Problem, ...]:
        """All problems, by code, page and words."""
        rows = sorted(self._pages.items(), key=lambda row: (row[0][0], min(row[1]), row[0][1]))
        problems = [
            Problem(
                code=code,
                severity=severity_of(code),
                file=self._file,
                message=f"{page_words(filter(None, pages))}{message}",
                hint=hint,
                pages=tuple(filter(None, pages)),
            )
            for (code, message, hint), pages in rows[:MAX_PROBLEMS]
        ]
        if len(rows) > MAX_PROBLEMS:
            message = f"{len(rows) - MAX_PROBLEMS} more problems in this file are not listed"
            problems.append(Problem(code="PF05", file=self._file, message=message))
        return tuple(problems)


def page_words(pages: Iterable[int]) -> str:
    """ "pages 1-3, 7: " for a problem on these pages; "" for none."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and runs[-1][1] == page - 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    if not runs:
        return ""
    words = ", ".join(
        f"{first}" if first == last else f"{first}-{last}" for first, last in runs[:_MAX_RUNS]
    )
    if len(runs) > _MAX_RUNS:
        words += f" and {sum(last - first + 1 for first, last in runs[_MAX_RUNS:])} more"
    return f"page{'s' * (words != str(runs[0][0]))} {words}: "
