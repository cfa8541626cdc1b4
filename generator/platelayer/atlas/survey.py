"""Surveys: many maps in a table, histograms, and the seeds at the extremes.

The maps are the same for any number of workers: each map has its own seed (`seed_of_map`), and
chunks are joined in order. A survey that was stopped continues when it is started again, be it in
processes of this machine or on a dask cluster (`survey_on`). Its folder holds:

survey.json          settings; another survey cannot continue in the same folder
chunks/A-B.SEAL.csv  maps A to B, as plain CSV: a whole chunk or nothing. The seal is a digest of its bytes, of the
                     settings, and of which maps these are; A-B.checked.SEAL.csv if they were checked
maps.csv             all chunks in order, made when the last is done, with RESULTS
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import islice
from math import fsum, sqrt
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import asdict

from platelayer.atlas.assemble import NoMap
from platelayer.atlas.compiled import Columns, Wanted, WrongMap, is_whole, read_rows, rows_of
from platelayer.atlas.measures import MEASURES, NONE
from platelayer.atlas.report import map_options
from platelayer.definitions.source import read_document
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.door import NotRead, read_bytes
from platelayer.foundation.pool import available_processes, share_out
from platelayer.foundation.problems import CannotRun, Interrupted, Problem, ProblemsFound
from platelayer.foundation.resources import to_install
from platelayer.foundation.text import counted
from platelayer.foundation.values import Frozen, Json
from platelayer.model.map_tiles import AtlasBox
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Anchor, Item, Role, Scene, Stroke, polygon_path, rectangle_path
from platelayer.scene.shapes import Path as Shape
from platelayer.scene.typeset import set_block, set_line, wrap

FORMAT = "platelayer.survey/2"
# Maps in a chunk: a second or two of work, which is the most that each worker loses if it is
# killed.
CHUNK = 250
# The number of a map has seven digits.
MAX_MAPS = 10_000_000
TABLE = "maps.csv"
RESULTS = ("summary.txt", "summary.json", "histograms.svg")
MISTAKE = "this is a bug in Platelayer; please report it"

# Number of columns that identify a map: its number and its seed.
_NAMES = 2
# Resolution to which means are rounded for counting.
_STEP = 0.05
_MAX_BYTES_PER_MAP = 2000
_MAX_SHOWN = 50

_NAME = r"([0-9]{7})-([0-9]{7})(?:\.checked)?\.[0-9a-f]{32}\.csv"
_CHUNK = re.compile(_NAME)
_ASIDE = re.compile(
    rf"\.({'|'.join(map(re.escape, ('survey.json', TABLE, *RESULTS)))}|{_NAME})\.[0-9a-f]{{16}}\.part"
)

# First map of a chunk, and the end (exclusive).
Range = tuple[int, int]
Progress = Callable[[str, int, int], None]
# Function that returns the rows of the maps from a first one up to an end.
Work: TypeAlias = Callable[[int, int], str]
# Function that does the work for some chunks: it stores the rows of each, and then reports to this
# process that it is done.
Runner: TypeAlias = Callable[
    [Work, Sequence[Range], Callable[[Range, str], None], Callable[[Range], None]], None
]


class SurveyOptions(Frozen, kw_only=True):
    """Options of a survey: the number of processes; `check` every map independently too; `title`
    names whose maps they are in commands (empty: Railways of the Lost Atlas)."""

    workers: int = field(default_factory=available_processes)
    check: bool = False
    title: str = ""


class SurveyResult(Frozen, kw_only=True):
    """Files of a survey, and its summary as text. Of the maps, `found` had been made before;
    `damaged` had been made before, but their chunk was damaged; `unchecked` were made again to be
    checked."""

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
    run: Runner | None = None,
) -> SurveyResult:
    """Survey `count` maps into a folder that is new, empty, or contains part of the same survey;
    by default in processes of this machine.

    Raises CannotRun for an unsuitable count or folder; Interrupted if it is stopped; ProblemsFound
    for a map that fails the independent check. Whatever is raised, finished work is kept.
    """
    if not 1 <= count <= MAX_MAPS:
        raise CannotRun(f"count: a survey has 1 to {MAX_MAPS} maps")
    done = 0

    def report(span: Range) -> None:
        nonlocal done
        done += span[1] - span[0]
        progress("maps", done, count)

    def kept() -> str:
        words = f"; {done} of {count} maps are saved; run the same command again to continue"
        return words if done else ""

    try:
        store = Store(folder, wanted, count, checked=options.check)
        missing, damaged, unchecked = store.standing()
        done = found = count - sum(end - first for first, end in missing)
        progress("maps", done, count)
        work = partial(rows_of, box, wanted, check=options.check)
        if run:
            run(work, missing, store.keep, report)
        else:
            # Each process writes its own chunks, so that rows never accumulate in the memory of
            # this one.
            make = partial(_make, work, store.keep)
            share_out(make, missing, processes=max(1, options.workers), done=report)
        progress("tables", 0, 1)
        files, text = _write(store, options.title)
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted{kept()}") from error
    except WrongMap as error:
        code, words = error.args
        problem = Problem(code, words + kept(), MISTAKE)
        raise ProblemsFound([problem]) from error
    except (CannotRun, NoMap) as error:
        raise CannotRun(f"{error}{kept()}") from error
    except OSError as error:
        words = f"cannot write {error.filename or folder}: {error.strerror or error}"
        raise CannotRun(words + kept()) from error
    return SurveyResult(files=files, text=text, found=found, damaged=damaged, unchecked=unchecked)


def _make(work: Work, keep: Callable[[Range, str], None], span: Range) -> None:
    keep(span, work(*span))


# The folder


class Chunk(NamedTuple):
    """Rows as text without a header, their values by column, and whether each map was checked."""

    text: str
    columns: Columns
    checked: bool


class Store:
    """Folder of one survey of `count` maps; `checked`: each is also to be checked.

    Raises CannotRun if another survey is there, or if something that should be in the folder leads
    out of it.
    """

    def __init__(self, folder: Path, wanted: Wanted, count: int, *, checked: bool = False) -> None:
        self.folder, self.wanted, self.count, self.checked = folder, wanted, count, checked
        self._chunks = folder / "chunks"
        self._header = ",".join(wanted.columns) + "\n"
        settings = {
            "format": FORMAT,
            **asdict(wanted),
            "columns": list(wanted.columns),
            "chunk": CHUNK,
        }
        if not wanted.box:
            del settings["box"]  # surveys from before there were other boxes lack it
        self._settings = json.dumps(settings).encode()
        self._begin(folder / "survey.json", settings)
        for path in (*folder.iterdir(), *self._chunks.iterdir()):
            if _ASIDE.fullmatch(path.name):  # remains of a survey that was killed
                with suppress(IsADirectoryError, PermissionError):
                    path.unlink(missing_ok=True)
        self._names = self._names_by_range()

    def _begin(self, path: Path, settings: Json) -> None:
        """Start a survey in the folder, or make sure that the one already there is the same."""
        for folder in (path, self._chunks):
            if os.path.realpath(folder) != str(Path(os.path.realpath(self.folder), folder.name)):
                raise CannotRun(
                    f"{folder} is a link, but a survey stays in its own folder; name another folder"
                )
        if os.path.lexists(path):
            if differing := _differing(path, settings):
                raise CannotRun(
                    f"{self.folder} holds another survey ({differing}); name another folder"
                )
        elif self.folder.exists() and not all(
            _ASIDE.fullmatch(entry.name) for entry in self.folder.iterdir()
        ):
            raise CannotRun(
                f"{self.folder} is not empty and does not contain a survey; name another folder"
            )
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as stream:
                stream.write(json.dumps(settings, indent=1).encode() + b"\n")
        self._chunks.mkdir(exist_ok=True)

    def _names_by_range(self) -> dict[Range, list[str]]:
        names: dict[Range, list[str]] = {}
        for path in self._chunks.iterdir():
            if name := _CHUNK.fullmatch(path.name):
                names.setdefault((int(name[1]), int(name[2]) + 1), []).append(path.name)
        return names

    def ranges(self) -> Iterator[Range]:
        """All chunks, in order."""
        return ((first, min(first + CHUNK, self.count)) for first in range(0, self.count, CHUNK))

    def standing(self) -> tuple[list[Range], int, int]:
        """Read every chunk to see whether it exists and is as it was written: the chunks to make, and how
        many of their maps exist but are damaged, or are not checked as they should be."""
        missing: list[Range] = []
        damaged = unchecked = 0
        for span in self.ranges():
            chunk = self.read(span)
            if chunk is None:
                damaged += (span[1] - span[0]) * (span in self._names)
            elif self.checked and not chunk.checked:
                unchecked += span[1] - span[0]
            else:
                continue
            missing.append(span)
        return missing, damaged, unchecked

    def keep(self, span: Range, rows: str) -> None:
        """Write a chunk, and remove earlier files of the same maps."""
        data = (self._header + rows).encode()
        name = self._name(span, data, checked=self.checked)
        with whole_file(self._chunks / name) as stream:
            stream.write(data)
        for other in self._names.get(span, ()):
            if other != name:
                # A file that cannot be removed does no harm: it has no valid seal.
                with suppress(OSError):
                    (self._chunks / other).unlink()

    def read(self, span: Range) -> Chunk | None:
        """A chunk that is as it was written, preferably one that was checked; None if there is
        none."""
        # Two surveys at the same time, or one that was killed between writing and removing, may
        # have left several files of the same maps.
        for name in sorted(self._names.get(span, ()), key=_is_checked, reverse=True):
            path, data = self._chunks / name, None
            with suppress(NotRead):
                most = _MAX_BYTES_PER_MAP * (1 + span[1] - span[0])
                data = None if path.is_symlink() else read_bytes(path, most)
            if data is None or name != self._name(span, data, checked=_is_checked(name)):
                continue
            with suppress(ValueError):
                text = data.decode("ascii").removeprefix(self._header)
                return Chunk(text, read_rows(text, self.wanted, *span), _is_checked(name))
        return None

    def _name(self, span: Range, data: bytes, *, checked: bool) -> str:
        """Name of a chunk's file, with its seal."""
        name = f"{span[0]:07}-{span[1] - 1:07}{'.checked' if checked else ''}"
        # The seal includes the settings, so that chunks of another survey that somebody copies into
        # the folder are rejected.
        seal = hashlib.sha256(self._settings + f"\n{name}\n".encode() + data).hexdigest()[:32]
        return f"{name}.{seal}.csv"

    def join(self, look: Callable[[Columns], None]) -> Path:
        """Make the table of all maps, showing the columns of each chunk to `look`."""
        self._names = self._names_by_range()  # other processes have written chunks
        path = self.folder / TABLE
        with whole_file(path) as table:
            table.write(self._header.encode())
            for span in self.ranges():
                if (chunk := self.read(span)) is None:
                    raise CannotRun(
                        f"maps {span[0]} to {span[1] - 1} have been damaged since they were made"
                    )
                table.write(chunk.text.encode())
                look(chunk.columns)
        return path


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that is written under a unique temporary name, and renamed when it is complete and on
    disk."""
    aside = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        with aside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _is_checked(name: str) -> bool:
    return ".checked." in name


def _differing(path: Path, settings: Json) -> str:
    """Setting of the survey in a file that differs, in words; "" if none does. Raises CannotRun for
    a damaged file."""
    try:
        document = read_document(path)
        problems = document.doubts
    except ProblemsFound as error:
        problems = error.problems
    if problems:
        raise CannotRun(
            f"{problems[0].place}: {problems[0].message}; name another folder for the survey"
        )
    values = document.value if isinstance(document.value, dict) else {}
    for key, wanted in settings.items():
        recorded = json.dumps(values.get(key))
        if recorded != json.dumps(wanted):
            return f"{key} {recorded if len(recorded) <= _MAX_SHOWN else recorded[: _MAX_SHOWN - 4] + ' ...'}"
    return ""


# Results


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
        # Values repeat so often that counting them first is several times as fast as adding them
        # one by one.
        for value, number in counts.items():
            self.counts[value if self.whole else round(round(value / _STEP) * _STEP, 2)] += number
        self.number += counts.total()
        self.total += fsum(value * number for value, number in counts.items())
        self.squares += fsum(value * value * number for value, number in counts.items())
        least, greatest = min(counts), max(counts)
        # Strictly less, so that the first map with the extreme value is named, however the chunks
        # were divided.
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


def _write(store: Store, title: str) -> tuple[tuple[Path, ...], str]:
    """All files of a survey whose chunks are complete, and its summary as text."""
    wanted, count = store.wanted, store.count
    tallies = {name: Tally(whole=is_whole(name)) for name in wanted.columns[_NAMES:]}

    def look(columns: Columns) -> None:
        for tally, values in zip(tallies.values(), columns[_NAMES:], strict=True):
            tally.add(values, columns[1])

    table = store.join(look)
    restarts = tallies["restarts"]
    # Share of dead ends among all assemblies that were begun.
    restart_rate = restarts.total / (restarts.total + restarts.number)
    text = _summary_text(wanted, count, tallies, restart_rate, title)
    summary = {
        "format": "platelayer.survey-summary/1",
        "mode": wanted.mode,
        "policy": wanted.policy,
        "seed": wanted.seed,
        "maps": count,
        "restart_rate": round(restart_rate, 6),
        "measures": {
            name: {
                "mean": round(tally.mean, 4),
                "deviation": round(tally.deviation, 4),
                "least": tally.least and {"value": tally.least[0], "seed": tally.least[1]},
                "greatest": tally.greatest
                and {"value": tally.greatest[0], "seed": tally.greatest[1]},
                "maps_without": tally.without,
            }
            for name, tally in tallies.items()
        },
    }
    histograms = draw_histograms(
        f"{counted(count, 'map')}: {wanted.mode}, {wanted.policy}, seed {wanted.seed}",
        tallies,
        Style(theme=load_theme("classic")),
    )
    contents = (
        text.encode(),
        json.dumps(summary, indent=1).encode() + b"\n",
        render_svg(histograms),
    )
    results = tuple(store.folder / name for name in RESULTS)
    for path, content in zip(results, contents, strict=True):
        with whole_file(path) as stream:
            stream.write(content)
    return (table, *results), text


def _summary_text(
    wanted: Wanted, count: int, tallies: dict[str, Tally], restart_rate: float, title: str
) -> str:
    """summary.txt: a line for each measure."""
    lines = [
        f"{counted(count, 'map')} of mode {wanted.mode}, policy {wanted.policy}, seed {wanted.seed}",
        f"dead ends: {restart_rate:.4%} of all assemblies",
        "",
        f"{'measure':<26} {'mean':>9} {'s.d.':>8} {'least':>8} {'with seed':>16} {'greatest':>8} {'with seed':>16}",
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


_ACROSS = 4
_CELL = (62.0, 42.0)
_GAP_MM = 8.0
_RIM_MM = 10.0
_HEAD_MM = 14.0
# Maximum number of bars in a histogram; with more values, neighbours share a bar.
_BARS = 30
_WIDEST_MM = 9.0
_PLOT_TOP_MM, _PLOT_BOTTOM_MM = 13.0, 5.0


def draw_histograms(title: str, tallies: Mapping[str, Tally], style: Style) -> Scene:
    """A sheet with a histogram of each measure, by name, in mm as on paper; the sheet is as large
    as it needs to be."""
    rows = math.ceil(len(tallies) / _ACROSS)
    width = 2 * _RIM_MM + _ACROSS * _CELL[0] + (_ACROSS - 1) * _GAP_MM
    height = 2 * _RIM_MM + _HEAD_MM + rows * (_CELL[1] + _GAP_MM) - _GAP_MM
    items: list[Item] = [
        Shape(commands=rectangle_path(0, 0, width, height), fill=style.ink("white")),
        *set_line(
            title, style.type("sheet.strong").at(13), style.ink("text"), _RIM_MM, _RIM_MM + 4.5
        ),
    ]
    for index, (name, tally) in enumerate(tallies.items()):
        row, column = divmod(index, _ACROSS)
        x = _RIM_MM + column * (_CELL[0] + _GAP_MM)
        y = _RIM_MM + _HEAD_MM + row * (_CELL[1] + _GAP_MM)
        items += _plot(name, tally, x, y, style)
    return Scene("histograms", width, height, tuple(items), label=title)


def _plot(measure: str, tally: Tally, x: float, y: float, style: Style) -> list[Item]:
    """One histogram with its upper left corner at (x, y)."""
    width, height = _CELL
    soft, strong = style.type("sheet"), style.type("sheet.strong")
    name = measure.replace("_", " ")
    mean = f"mean {tally.mean:.4g}" if tally.counts else "none"
    meaning = wrap(MEASURES.get(measure, "dead ends before the map"), soft, width)
    items: list[Item] = [
        *set_line(name, strong, style.ink("text"), x, y + 2.8),
        *set_line(mean, soft, style.ink("text"), x + width, y + 2.8, anchor=Anchor.END),
        *set_block(meaning, soft, style.ink("text.soft"), x, y + 6.2),
    ]
    base, top = y + height - _PLOT_BOTTOM_MM, y + _PLOT_TOP_MM
    if not tally.counts:
        return items
    low, step, bars = _bars(tally)
    most = max(bars)
    pitch = min(_WIDEST_MM, width / len(bars))
    gap = min(0.4, pitch / 6)
    for index, number in enumerate(bars):
        if number:
            bar = max(0.15, (base - top) * number / most)
            shape = rectangle_path(x + index * pitch + gap / 2, base - bar, pitch - gap, bar)
            items.append(Shape(commands=shape, fill=style.ink("tile.shore")))
    rule = Stroke(style.ink("rule"), 0.2)
    items.append(
        Shape(
            commands=polygon_path(((x, base), (x + width, base)), closed=False),
            stroke=rule,
            role=Role.MARK,
        )
    )
    # About seven evenly spread bars show their value.
    for index in range(0, len(bars), max(1, math.ceil(len(bars) / 7))):
        words = (
            f"{low + index * step:g}" if tally.whole or step >= 1 else f"{low + index * step:.2f}"
        )
        at = x + (index + 0.5) * pitch
        items += set_line(words, soft, style.ink("text.soft"), at, base + 3.2, anchor=Anchor.MIDDLE)
    total = sum(bars)
    share = f"{most / total:.0%}"
    items += set_line(share, soft.at(5.5), style.ink("text.soft"), x, top - 0.6)
    items.append(
        Shape(
            commands=polygon_path(((x + 6, top), (x + width, top)), closed=False),
            stroke=Stroke(style.ink("rule.soft"), 0.15),
            role=Role.MARK,
        )
    )
    return items


def _bars(tally: Tally) -> tuple[float, float, list[int]]:
    """The value of the first bar, the step to the next, and the height of each."""
    values = [*tally.counts]
    low, high = min(values), max(values)
    if tally.whole:
        unit = math.gcd(*(int(value - low) for value in values)) or 1
        step: float = unit * max(1, math.ceil((high - low + unit) / unit / _BARS))
    else:
        step = max(0.05, math.ceil((high - low) / _BARS / 0.05) * 0.05)
    bars = [0] * (int((high - low) / step + 1e-6) + 1)
    for value, number in tally.counts.items():
        bars[int((value - low) / step + 1e-6)] += number
    return low, step, bars


# Chunks assigned to each thread of a worker: enough that no thread waits, and few enough that rows
# never accumulate.
_WAITING = 3


def survey_on(
    client: Any,
    folder: Path,
    count: int,
    *,
    mode: str,
    policy: str = "compact",
    seed: int = 1,
    blanks: int | None = None,
    title: str = "lost-atlas",
    check: bool = False,
    progress: Progress = lambda _stage, _done, _of: None,
) -> SurveyResult:
    """Survey `count` maps of a title (an id or a path) into a folder of this machine, by the
    workers of a `distributed.Client`, which all need the same version of Platelayer.

    Raises CannotRun, Interrupted and ProblemsFound as `survey` does, and whatever dask raises when
    the cluster is lost. Whatever is raised, finished work is kept.
    """
    from platelayer.atlas.make import survey_maps

    return survey_maps(
        Path(folder),
        count,
        SurveyOptions(check=check),
        progress=progress,
        title=title,
        run=partial(_run, client),
        mode=mode,
        policy=policy,
        seed=seed,
        blanks=blanks,
    )


def _run(
    client: Any,
    work: Work,
    ranges: Sequence[Range],
    keep: Callable[[Range, str], None],
    done: Callable[[Range], None],
) -> None:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        needed = to_install("platelayer[cluster]")
        raise CannotRun(f"this runs on dask, which is not installed: {needed}") from error
    left = iter(ranges)

    def submit(most: int) -> list[Any]:
        # Rows come back and are stored here, as workers need not share a disk with this machine.
        return [client.submit(_with_range, work, span, pure=False) for span in islice(left, most)]

    threads = sum(client.nthreads().values()) or 1
    running = distributed.as_completed(submit(threads * _WAITING), with_results=True)
    for _, (span, rows) in running:
        keep(span, rows)
        done(span)
        running.update(submit(1))


def _with_range(work: Work, span: Range) -> tuple[Range, str]:
    return span, work(*span)
