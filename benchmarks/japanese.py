"""How full the lines of running Japanese text are, by title, and what is wrong with them: python
benchmarks/japanese.py [-v]."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from japanese_lines import full_lines, lone, mean, paragraphs_of, parted_names  # type: ignore[import-not-found]
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.load import load


def main() -> None:
    """A row a title."""
    print(f"{'title':12} {'lines':>6} {'mean':>6} {'<80 %':>6} {'lone':>5} {'parted':>6}")
    for name in title_ids():
        found = paragraphs_of(load(name))
        fills, alone, parted = full_lines(found), lone(found), parted_names(found)
        slack = len([fill for fill in fills if fill < 0.8])
        print(
            f"{name:12} {len(fills):6} {mean(fills):6.1%} {slack:6} {len(alone):5} {len(parted):6}"
        )
        if "-v" in sys.argv:
            print(
                *(f"  alone {line}" for line in alone),
                *(f"  parted {line}" for line in parted),
                sep="\n",
            )


if __name__ == "__main__":
    main()
