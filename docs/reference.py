"""The page docs/rules.md and one page for each family of rules in docs/rules/, made from the problem
codes and their explanations."""

from __future__ import annotations

import re
from pathlib import Path

from platelayer.pipeline.load import code_families
from platelayer.rules.rule import all_rules

DOCS = Path(__file__).parent

INTRODUCTION = """\
# Rules: every problem Platelayer reports

An **error** stops a build and makes `check` exit with status 1; a **warning** is probably a mistake; a **note** is
worth knowing. Each code links to its explanation with a wrong and a right example, which `platelayer explain CODE` prints
too. A code never changes its meaning.

To accept a finding, add a waiver with the code, the place and your reason: the finding becomes a note with that reason
([definitions](definitions.md)). [Check a title](checking.md) shows how to run the rules on every commit.

`make reference` generates this page and those it links to.
"""


def pages() -> dict[str, str]:
    """Each page's text by its path below docs/."""
    index = [INTRODUCTION]
    made = {}
    for family, codes in code_families().items():
        page = f"rules/{family.lower().replace(' ', '-')}.md"
        entries = [f"# {family}", "[All rules](../rules.md)"]
        rows = [f"## {family}", "", "| code | problem | severity |", "|---|---|---|"]
        for name, code in codes.items():
            severity = (all_rules().get(name) or code).severity.word
            heading = f"{name} {_plain(code.name)}"
            entries += [f"## {heading}", f"*{severity}*", _plain(code.explanation)]
            rows.append(
                f"| [{name}]({page}#{_anchor(heading)}) | {_plain(code.name)} | {severity} |"
            )
        made[page] = "\n\n".join(entries) + "\n"
        index.append("\n".join(rows) + "\n")
    return {"rules.md": "\n".join(index), **made}


def _plain(text: str) -> str:
    """Text escaped so that Markdown shows it literally; text in backticks is literal anyway."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*<\[\]\\])", r"\\\1", part) for part in parts
    )


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main() -> None:
    """Write the pages, and remove those of families that are gone."""
    made = pages()
    (DOCS / "rules").mkdir(exist_ok=True)
    for old in DOCS.glob("rules/*.md"):
        if old.relative_to(DOCS).as_posix() not in made:
            old.unlink()
    for path, text in made.items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
