"""How many sheets and pages each title takes, at home and on a press: prints tables.

Run: PYTHONPATH=generator python benchmarks/sheets.py [TITLE ...]. First the totals by way of
printing: pages (sides that are printed) at home, sheets on a press, and the time of laying them out
(processor time, without drawing). Then the pages of every document. A print that is refused shows
the code of the problem instead.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from platelayer.foundation.cache import Cache
from platelayer.foundation.pool import gc_paused
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import Document
from platelayer.pipeline.build import prepare, read_options
from platelayer.pipeline.produce import lay_out

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
WAYS: dict[str, tuple[str | None, dict[str, object]]] = {
    "A4": (None, {}),
    "A4 duplex": (None, {"duplex": "long"}),
    "A4 fold": (None, {"duplex": "fold"}),
    "Letter": (None, {"paper": "letter"}),
    "Letter duplex": (None, {"paper": "letter", "duplex": "long"}),
    "SRA3 press": ("offset", {}),
    "SRA3 marks": ("offset", {"cut": "marks"}),
    "12x18 press": ("offset", {"paper": "304.8x457.2mm"}),
    "A3 press": ("offset", {"paper": "a3"}),
    "A4 press": ("offset", {"paper": "a4"}),
}
"""Ways of printing: a profile, and options."""


def pages(title: str, way: str, cache: Cache) -> tuple[dict[str, int], float] | str:
    """Pages of each document of a title printed in one way (of a press the sheets), with the
    seconds of laying them out; or the codes of what prevents it."""
    profile, given = WAYS[way]
    job = prepare(title, read_options(profile, given), cache=cache)
    seconds: list[float] = []

    def timed(*pieces: Any, **how: Any) -> tuple[Document, ...]:
        start = time.process_time()
        documents = impose(*pieces, **how)
        seconds.append(time.process_time() - start)
        return documents

    try:
        # As in a build, the collector of garbage does not run in between.
        with gc_paused(), patch("platelayer.pipeline.produce.impose", timed):
            documents, _ = lay_out(job.job, job.chosen)
    except ProblemsFound as error:
        return " ".join(sorted({problem.code for problem in error.problems}))
    return {
        document.stem: _amount(document, press=profile == "offset") for document in documents
    }, seconds[-1]


def _amount(document: Document, *, press: bool) -> int:
    """The pages of a document; on a press, its sheets, however many sides of them are printed."""
    if not press:
        return len(document.pages)
    return sum(not page.is_back for page in document.pages)


def table(titles: Sequence[str], cache: Cache) -> Iterator[str]:
    """The lines of both tables."""
    found = {way: {title: pages(title, way, cache) for title in titles} for way in WAYS}
    head = "".join(f"{title:>12}" for title in titles)
    yield f"{'':<16}{head}"
    for way, by_title in found.items():
        yield f"{way:<16}" + "".join(
            f"{value if isinstance(value, str) else sum(value[0].values()):>12}"
            for value in by_title.values()
        )
    for way, by_title in found.items():
        yield f"\n{way:<16}{head}"
        stems = dict.fromkeys(
            stem for value in by_title.values() if not isinstance(value, str) for stem in value[0]
        )
        for stem in stems:
            yield f"  {stem:<14}" + "".join(
                f"{'' if isinstance(value, str) else value[0].get(stem, ''):>12}"
                for value in by_title.values()
            )
        yield f"  {'seconds':<14}" + "".join(
            f"{'' if isinstance(value, str) else f'{value[1]:.2f}':>12}"
            for value in by_title.values()
        )


def main() -> None:
    """Print the tables for the titles named, or for all five."""
    with tempfile.TemporaryDirectory() as folder:
        for line in table(sys.argv[1:] or TITLES, Cache(Path(folder))):
            print(line)


if __name__ == "__main__":
    main()
