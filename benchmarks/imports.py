"""How long an import takes, for every game of a corpus of other programs' games: prints seconds for
each, the longest and the mean, against the limit of one second.

Run: PYTHONPATH=generator python benchmarks/imports.py [FOLDER]. The folder holds
`18xx-games/game/g_*` and `18xx-maker/games/*.json`; by default it is ../shared/corpus beside the
checkout, or PLATELAYER_CORPUS. Each game is imported by the command in a process of its own:
seconds of processor time, with those for starting Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.0
_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "corpus"


def spent() -> float:
    """Seconds of processor time of all child processes so far."""
    times = os.times()
    return times.children_user + times.children_system


def seconds(source: Path, folder: Path) -> float:
    """Processor time of one import."""
    before = spent()
    command = [sys.executable, "-m", "platelayer", "import", str(source), "-o", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return spent() - before


def main() -> None:
    corpus = Path(
        sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PLATELAYER_CORPUS", _DEFAULT)
    )
    sources = [
        *sorted(corpus.glob("18xx-games/game/g_*")),
        *sorted(corpus.glob("18xx-maker/games/*.json")),
    ]
    if not sources:
        sys.exit(f"no games in {corpus}: name the folder of a corpus")
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        for number, source in enumerate(sources):
            found[source.name] = seconds(source, Path(place) / str(number))
            print(
                f"{source.name:24}{found[source.name]:6.2f}{'  over the limit' if found[source.name] > LIMIT else ''}"
            )
    longest = max(found, key=lambda name: found[name])
    mean = sum(found.values()) / len(found)
    print(f"\n{len(found)} games: mean {mean:.2f} s, longest {found[longest]:.2f} s ({longest})")


if __name__ == "__main__":
    main()
