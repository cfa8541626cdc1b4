"""The page docs/rules.md, made from the problem codes and their explanations."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from platelayer.foundation.codes import Code
from platelayer.pipeline.check import known_codes
from platelayer.rules.run import all_rules

PAGE = Path(__file__).parent / "rules.md"

# Codes begin with their family; families are in the order in which a title meets them.
FAMILIES = {
    "FI": "Files",
    "JS": "JSON",
    "SC": "Schema",
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

INTRODUCTION = """\
# Rules: every problem Platelayer reports

`make reference` generates this page from the explanations in the code; `platelayer explain CODE` prints the same text. A
code never changes its meaning.

An **error** stops a build and makes `check` exit with status 1; a **warning** is probably a mistake; a **note** is
worth knowing. A title can accept what a rule finds: a waiver names the code, the place and the reason, and the finding
is then reported as a note with that reason (see [definitions](definitions.md)). [Checking](checking.md) explains how to
run all this on every commit.
"""


def page() -> str:
    """The text of docs/rules.md. Raises KeyError for a family without a name."""
    codes = known_codes()
    by_family = sorted(codes, key=lambda code: (list(FAMILIES).index(code[:2]), code))
    families = [
        (FAMILIES[family], list(members))
        for family, members in groupby(by_family, key=lambda code: code[:2])
    ]
    contents = [
        f"- [{name}](#{_anchor(name)}): {' - '.join(dict.fromkeys((members[0], members[-1])))}"
        for name, members in families
    ]
    sections = [
        f"## {name}\n\n" + "\n\n".join(_entry(code, codes[code]) for code in members)
        for name, members in families
    ]
    return "\n\n".join([INTRODUCTION + "\n" + "\n".join(contents), *sections]) + "\n"


def _entry(name: str, code: Code) -> str:
    rule = all_rules().get(name)
    severity = (rule or code).severity.word
    return f"### {name} {_plain(code.name)}\n\n*{severity}*\n\n{_plain(code.explanation)}"


def _plain(text: str) -> str:
    """Text escaped so that Markdown shows it literally; text in backticks is literal anyway."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*<\[\]\\])", r"\\\1", part) for part in parts
    )


def _anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def main() -> None:
    """Write docs/rules.md."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
