"""What the pipeline found in, the text or JSON of a report out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from platelayer.foundation.problems import Problem, Severity
from platelayer.model.manifest import Manifest

Format = Literal["text", "json"]


def report_titles(rows: Sequence[dict[str, Any]], form: Format) -> str:
    """Shipped titles, one a line: id, name, players, subtitle."""
    if form == "json":
        return _json({"titles": list(rows)})
    wide = max(len(row["id"]) for row in rows)
    return "\n".join(f"{row['id']:<{wide}}  {row['name']}, {row['players']} players. {row['subtitle']}" for row in rows)


def report_problems(problems: Sequence[Problem], form: Format, *, checked: int) -> str:
    """Problems one a line and a summary line; or JSON with the same and counts by severity."""
    counts = {level.word: sum(1 for p in problems if p.severity is level) for level in reversed(Severity)}
    if form == "json":
        return _json({"checked": checked, "problems": [problem_as_json(p) for p in problems], "totals": counts})
    told = ", ".join(_counted(number, word) for word, number in counts.items() if number) or "no problems"
    return "\n".join([*map(str, problems), f"{_counted(checked, 'title')} checked: {told}"])


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """A problem with every field, `severity` as a word."""
    return {
        "code": problem.code,
        "severity": problem.severity.word,
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "pointer": problem.pointer,
        "message": problem.message,
        "hint": problem.hint,
    }


def report_manifest(manifest: Manifest, form: Format, language: str) -> str:
    """Every piece with its count, then the totals; JSON as the contract in ARCHITECTURE.md says."""
    pieces = [
        {
            "kind": piece.kind,
            "id": piece.id,
            "name": piece.name.get(language),
            "count": piece.count,
            **({"group": piece.group} if piece.group else {}),
        }
        for piece in manifest.pieces
    ]
    if form == "json":
        return _json(
            {"title": manifest.title, "variant": manifest.variant, "pieces": pieces, "totals": manifest.totals}
        )
    lines = [f"{piece['count']:>4}  {piece['kind']}:{piece['id']}  {piece['name']}" for piece in pieces]
    totals = [f"{count:>4}  {key}" for key, count in manifest.totals.items()]
    return "\n".join([*lines, "", *totals])


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
