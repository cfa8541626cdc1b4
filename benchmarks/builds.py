"""All titles with all sorts of options, 95 builds: each prints, or is refused for a reason; prints
a line for each.

Run: PYTHONPATH=generator python benchmarks/builds.py [TITLE ...]. A line says how many files and
pages there are and what is left out or printed otherwise than asked for, or why nothing is printed.
The exit status is 1 if a build ended without a reason that a printer would accept (a piece that the
paper is too small for, a die for another paper, a finish that excludes another), lost a piece
without a word, or did not pass preflight.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from platelayer.foundation.cache import Cache
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity
from platelayer.model.kinds import Piece
from platelayer.pipeline.build import Print, build, prepare, read_options

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
SETS: dict[str, tuple[str | None, dict[str, object]]] = {
    "A4": (None, {}),
    "A4 on both sides": (None, {"duplex": "long"}),
    "A4 on both sides, flipped short": (None, {"duplex": "short"}),
    "A4 folded": (None, {"duplex": "fold"}),
    "Letter on both sides": (None, {"paper": "letter", "duplex": "long"}),
    "A3, lines": (None, {"paper": "a3", "cut": "lines"}),
    "SRA3, no lines": (None, {"paper": "sra3", "cut": "none"}),
    "A5": (None, {"paper": "148x210mm"}),
    "gray, low ink, Japanese": (None, {"color": "gray", "theme": "low-ink", "language": "ja"}),
    "CMYK, spot": (None, {"color": "cmyk", "cut": "spot"}),
    "offset on SRA3": ("offset", {}),
    "offset, marks": ("offset", {"cut": "marks"}),
    "offset on A3, folded": ("offset", {"paper": "a3", "duplex": "fold"}),
    "offset on A4": ("offset", {"paper": "a4"}),
    "punchboards": ("punchboard", {}),
    "publisher": ("publisher", {}),
    "Silhouette": ("silhouette", {}),
    "DriveThruCards": ("drivethrucards", {}),
    "The Game Crafter": ("thegamecrafter", {}),
}
ACCEPTED = ("SH01", "SH05", "SH06")
"""Reasons that a printer would accept."""


def outcome(title: str, words: str, cache: Cache) -> tuple[str, bool]:
    """What comes of one build in words, and whether that is acceptable: all that was asked for is
    placed or told of, and preflight has nothing to say."""
    profile, given = SETS[words]
    options = read_options(profile, given)
    try:
        made = build(title, options, cache=cache)
    except ProblemsFound as error:
        errors = [problem for problem in error.problems if problem.severity is Severity.ERROR]
        return f"refused: {errors[0]}", all(problem.code in ACCEPTED for problem in errors)
    except CannotRun as error:
        return f"refused: {error}", False
    noted = Counter(problem.code for problem in made.problems if problem.code[:2] in ("SH", "PF"))
    lost = missing(made, prepare(title, options, cache=cache).chosen)
    asides = "".join(f", {code} x {count}" for code, count in sorted(noted.items()))
    asides += f", lost {' '.join(lost)}" if lost else ""
    clean = not any(code.startswith("PF") for code in noted)
    return f"{len(made.files) - 1} files, {made.pages} pages{asides}", clean and not lost


def missing(made: Print, asked: Sequence[Piece]) -> list[str]:
    """Pieces that lie in none of the files as often as they were asked for, by manifest.json, and
    of which no problem speaks by name or kind."""
    manifest = json.loads(made.files["manifest.json"])
    placed = Counter(
        f"{one['kind']}:{one['id']}" for one in manifest["placements"] if one["face"] == "front"
    )
    told = {word for problem in made.problems for word in problem.message.replace(",", " ").split()}
    return [
        piece.key
        for piece in asked
        if placed[piece.key] < piece.count and not {piece.key, piece.kind} & told
    ]


def main(titles: Sequence[str]) -> int:
    """Print a line for each build of the titles."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        for title in titles:
            for words in SETS:
                said, accepted = outcome(title, words, cache)
                wrong += not accepted
                print(f"{title:<11} {words:<32} {'' if accepted else '! '}{said}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or TITLES))
