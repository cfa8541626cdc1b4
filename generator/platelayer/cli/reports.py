"""Reports as text, JSON, SARIF and GitHub workflow commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import click
from msgspec import Struct

from platelayer.cli.github import github_lines
from platelayer.cli.sarif import sarif_log
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
    """What a check found: the problems in reporting order, how many things (`what`: titles, files) were checked, and
    all codes (only SARIF needs them)."""

    problems: Sequence[Problem]
    checked: int
    codes: Callable[[], Mapping[str, Code]]
    what: str = "title"

    @property
    def totals(self) -> dict[str, int]:
        """Counts by the word for each severity, the most serious first."""
        return {level.word: sum(problem.severity is level for problem in self.problems) for level in reversed(Severity)}

    @property
    def summary(self) -> str:
        """One line: what was checked, and how many problems of each severity there are."""
        totals = ", ".join(counted(number, word) for word, number in self.totals.items() if number) or "no problems"
        return f"{counted(self.checked, self.what)} checked: {totals}"


def report_check(report: CheckReport, form: CheckFormat) -> str:
    """A check as text with styles (which `click.echo` removes where they cannot be shown), JSON, SARIF 2.1.0 or GitHub
    workflow commands."""
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
    return "\n".join(f"{row['id']:<{wide}}  {row['name']}, {row['players']} players. {row['subtitle']}" for row in rows)


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
            {"title": manifest.title, "variant": manifest.variant, "pieces": pieces, "totals": manifest.totals}
        )
    lines = [
        f"{piece['count']:>4}  {piece['kind']}:{piece['id']}  {piece['name']}"
        + ("  (unlimited in the game)" if "unlimited" in piece else "")
        for piece in pieces
    ]
    totals = [f"{count:>4}  {key}" for key, count in manifest.totals.items()]
    return "\n".join([*lines, "", *totals])


def report_upgrades(graph: UpgradeGraph, colours: Mapping[str, str], form: UpgradesFormat) -> str:
    """The graph of upgrades as a table, JSON or Graphviz; `colours` are those of the tiles by number."""
    if form == "json":
        return upgrades_json(graph)
    return upgrades_dot(graph, colours) if form == "dot" else upgrades_text(graph, colours)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
