"""Surveys: a table, histograms, and the seeds at the extremes.

The maps are the same for any number of workers: each map has its own seed (`seed_of_map`), and
chunks are joined in order. A survey that was stopped continues where it left off when it is started
again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from math import fsum, sqrt
from pathlib import Path

from msgspec import Struct, field

from platelayer.atlas.assemble import NoMap
from platelayer.atlas.cluster import run_here, run_on_dask
from platelayer.atlas.compiled import Columns, Wanted, WrongMap, is_whole, rows_of
from platelayer.atlas.histograms import Histogram, draw_histograms
from platelayer.atlas.measures import MEASURES, NONE
from platelayer.atlas.report import map_options
from platelayer.atlas.store import MAX_MAPS, RESULTS, Range, Store, whole_file
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.pool import available_processes
from platelayer.foundation.problems import CannotRun, Interrupted, Problem, ProblemsFound
from platelayer.model.map_tiles import AtlasBox
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Scene

Progress = Callable[[str, int, int], None]
MISTAKE = "this is a bug in Platelayer; please report it"
_STEP = 0.05
"""Means are counted in steps of this."""
_NAMES = 2
"""Columns that name a map: its number and its seed."""


class SurveyOptions(Struct, frozen=True, kw_only=True):
    """How to survey: `workers` processes (0: in this process, without dask), or the dask scheduler
    at an address; `check` every map independently too; `title` names whose maps they are in
    commands (empty: Railways of the Lost Atlas)."""

    workers: int = field(default_factory=available_processes)
    scheduler: str | None = None
    check: bool = False
    title: str = ""


class SurveyResult(Struct, frozen=True, kw_only=True):
    """The result: files, and the summary as text. Of the maps, `found` had been made before;
    `damaged` had been made before, but their chunk was damaged; `unchecked` were made again to be
    checked."""

    folder: Path
    files: tuple[Path, ...]
    text: str
    found: int
    damaged: int
    unchecked: int


def survey(
    box: AtlasBox,
    wanted: Wanted,
    count: int,
    folder: Path,
    options: SurveyOptions,
    *,
    progress: Progress = lambda _stage, _done, _of: None,
) -> SurveyResult:
    """Survey `count` maps into a folder that is new, empty, or contains part of the same survey.

    Raises CannotRun for an unsuitable count or folder, and if workers are lost; Interrupted if you
    stop it; ProblemsFound for a map that fails the independent check. Whatever is raised, finished
    work is kept.
    """
    if not 1 <= count <= MAX_MAPS:
        raise CannotRun(f"count: a survey has 1 to {MAX_MAPS} maps")
    done = 0
    try:
        store = Store(folder, wanted, count, checked=options.check)
        missing, damaged, unchecked = store.standing()
        done = found = count - sum(end - first for first, end in missing)
        progress("maps", done, count)
        with closing(
            _run(partial(rows_of, box, wanted, check=options.check), missing, options)
        ) as chunks:
            for span, rows in chunks:
                store.keep(span, rows)
                done += span[1] - span[0]
                progress("maps", done, count)
        progress("tables", 0, 1)
        files, text = _write(store, options.title)
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted{_kept(done, count)}") from error
    except WrongMap as error:
        code, words = error.args
        raise ProblemsFound(
            [Problem(code=code, message=words + _kept(done, count), hint=MISTAKE)]
        ) from error
    except (CannotRun, NoMap) as error:
        raise CannotRun(f"{error}{_kept(done, count)}") from error
    except OSError as error:
        words = f"cannot write {error.filename or folder}: {error.strerror or error}"
        raise CannotRun(words + _kept(done, count)) from error
    return SurveyResult(
        folder=folder, files=files, text=text, found=found, damaged=damaged, unchecked=unchecked
    )


def _write(store: Store, title: str) -> tuple[tuple[Path, ...], str]:
    """All files of a survey whose chunks are complete, and its summary as text."""
    wanted, count = store.wanted, store.count
    tallies = {name: Tally(whole=is_whole(name)) for name in wanted.columns[_NAMES:]}
    tables = store.join(partial(_count, tallies))
    text = _text(wanted, count, tallies, title)
    summary = json.dumps(_summary(wanted, count, tallies), indent=1) + "\n"
    histograms = render_svg(_histograms(wanted, count, tallies))
    results = tuple(store.folder / name for name in RESULTS)
    for path, content in zip(results, (text.encode(), summary.encode(), histograms), strict=True):
        with whole_file(path) as stream:
            stream.write(content)
    return (*tables, *results), text


def _kept(done: int, count: int) -> str:
    return (
        f"; {done} of {count} maps are saved; run the same command again to continue"
        if done
        else ""
    )


def _run(
    work: Callable[[int, int], str], ranges: Sequence[Range], options: SurveyOptions
) -> Generator[tuple[Range, str], None, None]:
    if not ranges or (options.workers == 0 and options.scheduler is None):
        return run_here(work, ranges)
    return run_on_dask(
        work, ranges, workers=min(options.workers, len(ranges)), scheduler=options.scheduler
    )


class Tally(Struct, kw_only=True):
    """One measure over many maps, in memory that does not grow with them: how often each value
    occurs (means in steps), sums, and the first map with the least and the greatest. Maps with
    nothing to measure are counted separately."""

    whole: bool
    counts: Counter[float] = field(default_factory=Counter)
    number: int = 0
    without: int = 0
    total: float = 0.0
    squares: float = 0.0
    least: tuple[float, int] | None = None
    greatest: tuple[float, int] | None = None

    def add(self, values: list[float], seeds: list[float]) -> None:
        """Count some maps."""
        counts = Counter(values)
        self.without += counts.pop(NONE, 0)
        if not counts:
            return
        for value, number in counts.items():
            self.counts[value if self.whole else round(round(value / _STEP) * _STEP, 2)] += number
        self.number += counts.total()
        self.total += fsum(value * number for value, number in counts.items())
        self.squares += fsum(value * value * number for value, number in counts.items())
        least, greatest = min(counts), max(counts)
        if self.least is None or least < self.least[0]:
            self.least = least, int(seeds[values.index(least)])
        if self.greatest is None or greatest > self.greatest[0]:
            self.greatest = greatest, int(seeds[values.index(greatest)])

    @property
    def mean(self) -> float:
        """Mean of all values."""
        return self.total / self.number if self.number else NONE

    @property
    def deviation(self) -> float:
        """Standard deviation of all values."""
        return sqrt(max(0.0, self.squares / self.number - self.mean**2)) if self.number else 0.0


def _count(tallies: dict[str, Tally], columns: Columns) -> None:
    for tally, values in zip(tallies.values(), columns[_NAMES:], strict=True):
        tally.add(values, columns[1])


def _summary(wanted: Wanted, count: int, tallies: dict[str, Tally]) -> dict[str, object]:
    """summary.json: for each measure mean, standard deviation, and the seeds at the extremes."""
    return {
        "format": "platelayer.atlas.survey-summary/1",
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


def _extreme(extreme: tuple[float, int] | None) -> dict[str, float] | None:
    return None if extreme is None else {"value": extreme[0], "seed": extreme[1]}


def _restart_rate(tallies: dict[str, Tally]) -> float:
    """Dead ends among all assemblies that were begun."""
    restarts = tallies["restarts"]
    return restarts.total / (restarts.total + restarts.number)


def _text(wanted: Wanted, count: int, tallies: dict[str, Tally], title: str) -> str:
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
    options = map_options(
        title, mode=wanted.mode, seed="SEED", policy=wanted.policy, blanks=wanted.blanks
    )
    lines += ["", f"To see one of them: platelayer atlas new {options} -o DIR", ""]
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
                whole=tally.whole,
            )
            for name, tally in tallies.items()
        ],
        Style(theme=load_theme("classic")),
    )
