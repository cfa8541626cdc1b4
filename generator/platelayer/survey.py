"""A mode, a seed and a number of maps in, a survey of them out: a table, histograms, and the seeds at the extremes.

The same maps whatever the number of workers: each map has a seed of its own (`seed_of_map`), and chunks of them are
joined in order. A survey that was stopped goes on where it was when it is started again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path

from msgspec import Struct, field

from platelayer.atlas.measures import MEASURES, NONE
from platelayer.atlas.rows import Wanted, rows_of
from platelayer.definitions.themes import load_theme
from platelayer.drawing.atlas_histograms import Histogram, draw_histograms
from platelayer.drawing.style import Style
from platelayer.foundation.problems import CannotRun
from platelayer.model.atlas import AtlasBox
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Scene
from platelayer.survey_engine import run_here, run_on_dask
from platelayer.survey_store import Store, columns_measured, is_whole, whole_file

Progress = Callable[[str, int, int], None]
_STEP = 0.05
"""Means are counted in steps of this."""


class SurveyOptions(Struct, frozen=True, kw_only=True):
    """How to survey: `workers` processes (0: in this process, without dask), or the dask scheduler at an address;
    `check` every map independently too."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    scheduler: str | None = None
    check: bool = False


class SurveyResult(Struct, frozen=True, kw_only=True):
    """What there is now: files, summary as text, and how many of the maps had been made before."""

    folder: Path
    files: tuple[Path, ...]
    text: str
    found: int


def survey(
    box: AtlasBox,
    wanted: Wanted,
    count: int,
    folder: Path,
    options: SurveyOptions,
    *,
    progress: Progress = lambda _stage, _done, _of: None,
) -> SurveyResult:
    """Survey `count` maps into a folder that is new, empty, or holds a part of the same survey.

    Raises CannotRun for a mode, policy, count or folder that will not do, or when it is interrupted.
    """
    if count < 1:
        raise CannotRun(f"--count {count}: a survey has one map or more")
    store = Store(folder, wanted, count)
    missing = store.missing()
    to_do = sum(end - first for first, end in missing)
    done = found = count - to_do
    progress("maps", done, count)
    try:
        for (first, end), rows in _run(partial(rows_of, box, wanted, check=options.check), missing, options):
            store.keep(first, end, rows)
            done += end - first
            progress("maps", done, count)
    except KeyboardInterrupt as stop:
        raise CannotRun(f"interrupted: {done} of {count} maps are kept; the same command goes on from there") from stop
    progress("tables", 0, 1)
    tables = store.join()
    tallies = _tally(row for table in store.tables() for row in table)
    text = _text(wanted, count, tallies)
    written = {
        "summary.txt": text,
        "summary.json": json.dumps(_summary(wanted, count, tallies), indent=1) + "\n",
        "histograms.svg": render_svg(_histograms(wanted, count, tallies)).decode(),
    }
    for name, content in written.items():
        with whole_file(folder / name) as stream:
            stream.write(content)
    return SurveyResult(folder=folder, files=(*tables, *(folder / name for name in written)), text=text, found=found)


def _run(
    work: Callable[[int, int], str], ranges: Sequence[tuple[int, int]], options: SurveyOptions
) -> Iterator[tuple[tuple[int, int], str]]:
    if not ranges:
        return iter(())
    if options.workers == 0 and options.scheduler is None:
        return run_here(work, ranges)
    return run_on_dask(work, ranges, workers=options.workers, scheduler=options.scheduler)


class Tally(Struct):
    """One measure over many maps, in memory that does not grow with them: how often each value (means in steps), sums,
    and the first map with the least and the greatest. Maps on which there is nothing to measure are counted apart."""

    counts: Counter[float] = field(default_factory=Counter)
    number: int = 0
    without: int = 0
    total: float = 0.0
    squares: float = 0.0
    least: tuple[float, int] | None = None
    greatest: tuple[float, int] | None = None

    def add(self, value: float, seed: int, *, whole: bool) -> None:
        """Count one map."""
        if value == NONE:
            self.without += 1
            return
        self.counts[value if whole else round(round(value / _STEP) * _STEP, 2)] += 1
        self.number += 1
        self.total += value
        self.squares += value * value
        if self.least is None or value < self.least[0]:
            self.least = value, seed
        if self.greatest is None or value > self.greatest[0]:
            self.greatest = value, seed

    @property
    def mean(self) -> float:
        """Mean of all values."""
        return self.total / self.number if self.number else NONE

    @property
    def deviation(self) -> float:
        """Standard deviation of all values."""
        return sqrt(max(0.0, self.squares / self.number - self.mean**2)) if self.number else 0.0


def _tally(rows: Iterable[dict[str, float]]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    whole: dict[str, bool] = {}
    for row in rows:
        if not tallies:
            tallies = {name: Tally() for name in columns_measured(tuple(row))}
            whole = {name: is_whole(name) for name in tallies}
        seed = int(row["seed"])
        for name, tally in tallies.items():
            tally.add(row[name], seed, whole=whole[name])
    return tallies


def _summary(wanted: Wanted, count: int, tallies: dict[str, Tally]) -> dict[str, object]:
    """summary.json: for each measure mean, standard deviation, and the seeds at the extremes."""
    return {
        "format": "platelayer.survey-summary/1",
        "mode": wanted.mode,
        "policy": wanted.policy,
        "seed": wanted.seed,
        "maps": count,
        "restart_rate": round(_restart_rate(tallies), 6),
        "measures": {
            name: {
                "mean": round(tally.mean, 4),
                "deviation": round(tally.deviation, 4),
                "least": _extreme(tally.least),
                "greatest": _extreme(tally.greatest),
                "maps_without": tally.without,
            }
            for name, tally in tallies.items()
        },
    }


def _extreme(found: tuple[float, int] | None) -> dict[str, float] | None:
    return None if found is None else {"value": found[0], "seed": found[1]}


def _restart_rate(tallies: dict[str, Tally]) -> float:
    """Dead ends among all assemblies that were begun."""
    restarts = tallies["restarts"]
    return restarts.total / (restarts.total + restarts.number)


def _text(wanted: Wanted, count: int, tallies: dict[str, Tally]) -> str:
    """summary.txt: a line for each measure."""
    head = f"{'measure':<26} {'mean':>9} {'s.d.':>8} {'least':>8} {'with seed':>16} {'greatest':>8} {'with seed':>16}"
    lines = [
        f"{count} maps of mode {wanted.mode}, policy {wanted.policy}, seed {wanted.seed}",
        f"dead ends: {_restart_rate(tallies):.4%} of all assemblies",
        "",
        head,
    ]
    for name, tally in tallies.items():
        if tally.least is None or tally.greatest is None:
            lines.append(f"{name:<26} nothing to measure on any map")
            continue
        least, greatest = tally.least, tally.greatest
        lines.append(
            f"{name:<26} {tally.mean:>9.3f} {tally.deviation:>8.3f} {least[0]:>8g} {least[1]:>16} "
            f"{greatest[0]:>8g} {greatest[1]:>16}"
        )
    options = f"--mode {wanted.mode} --policy {wanted.policy}"
    options += "" if wanted.blanks is None else f" --blanks {wanted.blanks}"
    lines += ["", f"To see one of them: platelayer atlas new {options} --seed SEED -o DIR", ""]
    return "\n".join(lines)


def _histograms(wanted: Wanted, count: int, tallies: dict[str, Tally]) -> Scene:
    return draw_histograms(
        f"{count} maps: {wanted.mode}, {wanted.policy}, seed {wanted.seed}",
        [
            Histogram(
                name=name,
                meaning=MEASURES.get(name, "dead ends before the map"),
                counts=tuple(sorted(tally.counts.items())),
                mean=tally.mean,
                whole=is_whole(name),
            )
            for name, tally in tallies.items()
        ],
        Style(theme=load_theme("classic")),
    )
