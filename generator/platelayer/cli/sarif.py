"""SARIF 2.1.0 logs for code scanning services and editors.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0"; sections are named below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from platelayer import __version__
from platelayer.cli.places import file_uri
from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Problem

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(problems: Sequence[Problem], codes: Mapping[str, Code]) -> dict[str, Any]:
    """A log of one run (3.13, 3.14): every code as a rule, every problem as a result."""
    rank = {code: index for index, code in enumerate(codes)}
    driver = {"name": "platelayer", "version": __version__, "rules": [_rule(*item) for item in codes.items()]}
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
        "name": "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", code.name)),
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
    logical = {"logicalLocations": [{"fullyQualifiedName": problem.pointer}]} if problem.pointer else {}
    return {"physicalLocation": physical, **logical}
