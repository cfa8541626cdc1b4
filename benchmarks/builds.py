"""All titles with all sorts of options, 95 builds: each prints, or is refused for a reason; prints a line for each.

Run: PYTHONPATH=generator python benchmarks/builds.py [TITLE ...]. A line says how many files and pages there are and
what is left out or printed otherwise than asked for, or why nothing is printed. The exit status is 1 if a build ended
without a reason that a printer would accept (a piece that the paper is too small for, a die for another paper, a finish
that excludes another).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from platelayer.foundation.cache import Cache
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity
from platelayer.pipeline.build import build, read_options

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
SETS: dict[str, tuple[str | None, dict[str, object]]] = {
    "A4": (None, {}),
    "A4 on both sides": (None, {"duplex": "long"}),
    "A4 on both sides, flipped short": (None, {"duplex": "short"}),
    "A4 folded": (None, {"duplex": "fold"}),
    "Letter on both sides": (None, {"paper": "letter", "duplex": "long"}),
    "A3, lines": (None, {"paper": "a3", "cut": "lines"}),
    "A5": (None, {"paper": "148x210mm"}),
    "wide margins": (None, {"margin_mm": 12.7}),
    "without money and bank board": (None, {"without": ("money", "bank-board")}),
    "low ink, Japanese": (None, {"theme": "low-ink", "language": "ja"}),
    "CMYK, spot": (None, {"color": "cmyk", "cut": "spot"}),
    "offset on SRA3": ("offset", {}),
    "offset, marks": ("offset", {"cut": "marks"}),
    "offset on A3, folded": ("offset", {"paper": "a3", "duplex": "fold"}),
    "offset on A4": ("offset", {"paper": "a4"}),
    "offset, grids with marks": (
        "offset",
        {"cut": "marks", "layouts": (("trains", "grid"), ("certificates", "spaced"), ("tiles", "singles"))},
    ),
    "Silhouette": ("silhouette", {}),
    "Cricut": ("cricut", {}),
    "DriveThruCards": ("drivethrucards", {}),
}
ACCEPTED = ("SH01", "SH05", "SH06")
"""Reasons that a printer would accept."""


def outcome(title: str, words: str, cache: Cache) -> tuple[str, bool]:
    """What comes of one build in words, and whether that is acceptable."""
    profile, given = SETS[words]
    try:
        made = build(title, read_options(profile, given), cache=cache)
    except ProblemsFound as error:
        errors = [problem for problem in error.problems if problem.severity is Severity.ERROR]
        return f"refused: {errors[0]}", all(problem.code in ACCEPTED for problem in errors)
    except CannotRun as error:
        return f"refused: {error}", False
    noted = Counter(problem.code for problem in made.problems if problem.code.startswith("SH"))
    asides = "".join(f", {code} x {count}" for code, count in sorted(noted.items()))
    return f"{len(made.files) - 1} files, {made.pages} pages{asides}", True


def main(titles: Sequence[str]) -> int:
    """Print a line for each build of the titles."""
    cache, wrong = Cache(), 0
    for title in titles:
        for words in SETS:
            said, accepted = outcome(title, words, cache)
            wrong += not accepted
            print(f"{title:<11} {words:<32} {'' if accepted else '! '}{said}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or TITLES))
