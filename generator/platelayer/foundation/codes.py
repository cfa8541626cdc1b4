"""Problem codes: a short name, and the text that `platelayer explain CODE` prints.

The codes of rules stand in the rules' docstrings, all others in assets/codes.toml.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import asset_bytes

# Codes begin with their family; families are in the order in which a title meets them.
FAMILIES = {
    "FI": "Files",
    "JS": "JSON",
    "SC": "Schema",
    "TB": "Tables",
    "RF": "References",
    "PI": "Pictures",
    "DF": "Definitions",
    "BX": "The box",
    "TX": "Texts",
    "GL": "Glyphs",
    "DR": "Drafts",
    "TH": "Themes",
    "PR": "Profiles",
    "IM": "Imports",
    "TL": "Tiles",
    "UP": "Upgrades",
    "PO": "Positions",
    "MP": "Map",
    "CO": "Companies",
    "TR": "Trains",
    "PH": "Phases",
    "MK": "Market",
    "MO": "Money and limits",
    "PC": "Pieces",
    "BD": "Boards against data",
    "RW": "Waivers",
    "AT": "Maps of the Lost Atlas",
    "LG": "Legibility",
    "SH": "Sheets",
    "PF": "Preflight",
}


class Code(NamedTuple):
    """A short name, a paragraph that says what the code means, what is wrong and what is right, and
    how severe it is; a rule has a severity of its own."""

    name: str
    explanation: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return f"{self.name}\n\n{self.explanation}"


@cache
def codes() -> dict[str, Code]:
    """The codes that no rule explains."""
    import tomllib

    return {
        code: Code(
            entry["name"], entry["text"].strip(), Severity[entry.get("severity", "error").upper()]
        )
        for code, entry in tomllib.loads(asset_bytes("codes.toml").decode("utf-8")).items()
    }


def severity_of(code: str) -> Severity:
    """Severity of problems with a code of assets/codes.toml."""
    return codes()[code].severity


# Docstrings that are printed, even if Python leaves them out (`python -OO`).


def docstring(function: Callable[..., Any]) -> str:
    """The docstring of a function without its indentation: under -OO read from its source, or a
    sentence that says so if there is no source either."""
    return inspect.getdoc(function) or _in_source(function)


def _in_source(function: Callable[..., Any]) -> str:
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (
        OSError,
        SyntaxError,
        ValueError,
    ):  # no source, or what Python takes for it is another's
        return "Python runs without docstrings (-OO), and their source is not installed."
    return (
        ast.get_docstring(definition) if isinstance(definition, ast.FunctionDef) else None
    ) or ""
