"""The page docs/rules.md, made from the problem codes and their explanations."""

from __future__ import annotations

import re
from pathlib import Path

from platelayer.foundation.codes import Code
from platelayer.pipeline.check import code_families
from platelayer.rules.run import all_rules

PAGE = Path(__file__).parent / "rules.md"

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
    """The text of docs/rules.md."""
    families = code_families()
    contents = [
        f"- [{name}](#{_anchor(name)}): {' - '.join(dict.fromkeys((min(codes), max(codes))))}"
        for name, codes in families.items()
    ]
    sections = [
        f"## {name}\n\n" + "\n\n".join(_entry(code, codes[code]) for code in codes)
        for name, codes in families.items()
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
