"""GitHub workflow commands, which GitHub shows beside the lines of a change.

Source: docs.github.com, "Workflow commands for GitHub Actions"; what is escaped, and how, is in actions/toolkit,
packages/core/src/command.ts.
"""

from __future__ import annotations

from collections.abc import Iterable

from platelayer.cli.places import relative_path
from platelayer.foundation.problems import Problem, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_lines(problems: Iterable[Problem]) -> tuple[str, ...]:
    """One command per problem: `::error file=titles/x/map.json,line=3,col=5,title=RF07::message`."""
    return tuple(map(_command, problems))


def _command(problem: Problem) -> str:
    properties: dict[str, str | int] = {}
    if problem.file:
        properties["file"] = relative_path(problem.file)
    if problem.line:
        properties |= {"line": problem.line, "col": problem.column}
    properties["title"] = problem.code
    pairs = ",".join(f"{name}={str(value).translate(_IN_PROPERTIES)}" for name, value in properties.items())
    return f"::{_COMMANDS[problem.severity]} {pairs}::{problem.words.translate(_IN_DATA)}"
