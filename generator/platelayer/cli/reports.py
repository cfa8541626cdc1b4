"""Reports as text, JSON, SARIF and GitHub workflow commands.

Sources: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", whose sections
are named below; docs.github.com, "Workflow commands for GitHub Actions" (what is escaped, and how:
actions/toolkit, packages/core/src/command.ts).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import click
from msgspec import Struct

from platelayer import __version__
from platelayer.cli.terminal import counted
from platelayer.cli.upgrades import upgrades_dot, upgrades_text
from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.manifest import Manifest
from platelayer.model.upgrade import UpgradeGraph
from platelayer.pipeline.lists import upgrades_json

Format = Literal["text", "json"]
CheckFormat = Literal["text", "json", "sarif", "github"]
UpgradesFormat = Literal["text", "json", "svg", "dot"]

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class CheckReport(Struct, frozen=True, kw_only=True):
    """What a check found: the problems in reporting order, how many things (`what`: titles, files)
    were checked, and all codes (only SARIF needs them)."""

    problems: Sequence[Problem]
    checked: int
    codes: Callable[[], Mapping[str, Code]]
    what: str = "title"

    @property
    def totals(self) -> dict[str, int]:
        """Counts by the word for each severity, the most serious first."""
        return {
            level.word: sum(problem.severity is level for problem in self.problems)
            for level in reversed(Severity)
        }

    @property
    def summary(self) -> str:
        """One line: what was checked, and how many problems of each severity there are."""
        totals = (
            ", ".join(counted(number, word) for word, number in self.totals.items() if number)
            or "no problems"
        )
        return f"{counted(self.checked, self.what)} checked: {totals}"


def report_check(report: CheckReport, form: CheckFormat) -> str:
    """A check as text with styles (which `click.echo` removes where they cannot be shown), JSON,
    SARIF 2.1.0 or GitHub workflow commands."""
    return _RENDER[form](report)


def styled_problem(problem: Problem) -> str:
    """A problem as the text of `str(problem)`, coloured by severity."""
    place = click.style(problem.place, bold=True) + " " if problem.place else ""
    severity = click.style(problem.severity.word, fg=_COLOURS[problem.severity], bold=True)
    hint = click.style(problem.after, dim=True) if problem.after else ""
    return f"{place}{severity} {problem.code} {problem.message}{hint}"


def _text(report: CheckReport) -> str:
    worst = max((problem.severity for problem in report.problems), default=None)
    summary = click.style(report.summary, fg="green" if worst is None else _COLOURS[worst])
    return "\n".join([*map(styled_problem, report.problems), summary])


def _check_json(report: CheckReport) -> str:
    problems = [problem.as_json for problem in report.problems]
    return _json({"checked": report.checked, "problems": problems, "totals": report.totals})


_RENDER: dict[CheckFormat, Callable[[CheckReport], str]] = {
    "text": _text,
    "json": _check_json,
    "sarif": lambda report: _json(sarif_log(report.problems, report.codes())),
    "github": lambda report: "\n".join([*github_lines(report.problems), report.summary]),
}


def report_titles(rows: Sequence[dict[str, Any]], form: Format) -> str:
    """Shipped titles, one per line: id, name, players, subtitle."""
    if form == "json":
        return _json({"titles": list(rows)})
    wide = max(len(row["id"]) for row in rows)
    return "\n".join(
        f"{row['id']:<{wide}}  {row['name']}, {row['players']} players. {row['subtitle']}"
        for row in rows
    )


def report_manifest(manifest: Manifest, form: Format, language: str) -> str:
    """Every piece with its count, then the totals; JSON by the contract in docs/formats.md."""
    pieces = [
        {
            "kind": piece.kind,
            "id": piece.id,
            "name": piece.name.get(language),
            "count": piece.count,
            **({"group": piece.group} if piece.group else {}),
            **({"unlimited": True} if piece.unlimited else {}),
        }
        for piece in manifest.pieces
    ]
    if form == "json":
        return _json(
            {
                "title": manifest.title,
                "variant": manifest.variant,
                "pieces": pieces,
                "totals": manifest.totals,
            }
        )
    lines = [
        f"{piece['count']:>4}  {piece['kind']}:{piece['id']}  {piece['name']}"
        + ("  (unlimited in the game)" if "unlimited" in piece else "")
        for piece in pieces
    ]
    totals = [f"{count:>4}  {key}" for key, count in manifest.totals.items()]
    return "\n".join([*lines, "", *totals])


def report_upgrades(graph: UpgradeGraph, colours: Mapping[str, str], form: UpgradesFormat) -> str:
    """The graph of upgrades as a table, JSON or Graphviz; `colours` are those of the tiles by
    number."""
    if form == "json":
        return upgrades_json(graph)
    return upgrades_dot(graph, colours) if form == "dot" else upgrades_text(graph, colours)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


# SARIF: for code scanning services and editors

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(problems: Sequence[Problem], codes: Mapping[str, Code]) -> dict[str, Any]:
    """A log of one run (3.13, 3.14): every code as a rule, every problem as a result."""
    rank = {code: index for index, code in enumerate(codes)}
    driver = {
        "name": "platelayer",
        "version": __version__,
        "rules": [_rule(*item) for item in codes.items()],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, rank) for problem in problems],
            }
        ],
    }


def _rule(name: str, code: Code) -> dict[str, Any]:
    """A reportingDescriptor (3.49)."""
    return {
        "id": name,
        "name": "".join(
            word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", code.name)
        ),
        "shortDescription": {"text": code.name},
        "help": {"text": code.explanation},
    }


def _result(problem: Problem, rank: Mapping[str, int]) -> dict[str, Any]:
    """A result (3.27)."""
    result: dict[str, Any] = {"ruleId": problem.code}
    if problem.code in rank:
        result["ruleIndex"] = rank[problem.code]
    result |= {"level": problem.severity.word, "message": {"text": problem.words}}
    return result | ({"locations": [_location(problem)]} if problem.file else {})


def _location(problem: Problem) -> dict[str, Any]:
    """A location (3.28) with its region (3.30); lines and columns count from 1 there too."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": file_uri(problem.file)}}
    if problem.line:
        physical["region"] = {"startLine": problem.line, "startColumn": problem.column}
    logical = (
        {"logicalLocations": [{"fullyQualifiedName": problem.pointer}]} if problem.pointer else {}
    )
    return {"physicalLocation": physical, **logical}


# GitHub workflow commands: shown beside the lines of a change

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_lines(problems: Iterable[Problem]) -> tuple[str, ...]:
    """One command per problem: `::error
    file=titles/x/map.json,line=3,col=5,title=RF07::message`."""
    return tuple(map(_command, problems))


def _command(problem: Problem) -> str:
    properties: dict[str, str | int] = {}
    if problem.file:
        properties["file"] = relative_path(problem.file)
    if problem.line:
        properties |= {"line": problem.line, "col": problem.column}
    properties["title"] = problem.code
    pairs = ",".join(
        f"{name}={str(value).translate(_IN_PROPERTIES)}" for name, value in properties.items()
    )
    return f"::{_COMMANDS[problem.severity]} {pairs}::{problem.words.translate(_IN_DATA)}"


def relative_path(file: str) -> str:
    """A file as a path with "/", relative to the working folder if it is inside it, else
    absolute."""
    here = Path.cwd()
    path = Path(
        os.path.normpath(here / file)
    )  # not resolved: a link keeps the name that the user gave
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def file_uri(file: str) -> str:
    """A file as a URI reference (RFC 3986): relative if it is inside the working folder, else
    `file:///...`."""
    path = relative_path(file)
    if Path(path).is_absolute():
        return Path(path).as_uri()
    # A path looks like a scheme if its first part has a colon: "./a:b".
    return quote(path) if ":" not in path.partition("/")[0] else "./" + quote(path)
