"""Speed of what people wait for: a table of wall time, processor time and memory, each beside the figure aimed at.

    make bench                                                      everything, in three minutes
    python benchmarks/run.py --only build --only check              rows whose names have one of these words
    python benchmarks/run.py --game 1889.json --peer-seconds 13.9   a game of 18xx-maker, against its own time
    python benchmarks/run.py --record                               and a line for each row in history.csv

Each row but those of the studio is a command in fresh processes, of which the fastest counts; memory is the most that
one held. Loops are processor time in units of a fixed loop in Python, by which machines and hours compare. Run it with
nothing beside it. The studio's rows need Chromium and Playwright.

A theme that no file of faces has shows the time of a build that draws everything.
"""

from __future__ import annotations

import argparse
import compileall
import csv
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import linear_regression
from typing import NamedTuple

import platelayer
from platelayer.foundation.cache import FOLDER
from platelayer.foundation.resources import predrawn_path, title_path
from studio import SHOWN, large, session, spread, work

ROOT = Path(__file__).resolve().parent.parent
HISTORY = Path(__file__).with_name("history.csv")
COLUMNS = ("commit", "date", "python", "row", "wall_s", "cpu_s", "loops", "mb")
PYTHON = platform.python_version()
LOOP = "s=0\nfor i in range(10**7): s+=i*i%7"
# A handmade game in 18xx-maker's format.
GAME = ROOT / "tests" / "exchange" / "games" / "18Ford.json"
HEXES = (250, 500, 1000, 1500)
# In the browser, and without it, where no edit waits for anything.
EDITS, WORKED = 30, 15
# Modules are compiled once, as pip does when it installs a package.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


class Row(NamedTuple):
    """A command with the figure aimed at: how often it is run, and what is done before each run."""

    name: str
    aim: str
    arguments: Sequence[str]
    runs: int = 3
    before: Callable[[int], None] = lambda _: None


class Figures(NamedTuple):
    """Seconds by the clock and of the processors, and megabytes."""

    wall_s: float
    cpu_s: float
    mb: float


def measure(command: Sequence[str]) -> Figures:
    """One fresh process, with those that it starts. Ends the program if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return Figures(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def loop_s() -> float:
    """Processor time of the fixed loop."""
    return min(measure([sys.executable, "-c", LOOP]).cpu_s for _ in range(3))


def best(row: Row) -> Figures:
    """The least time of some runs, and the most memory."""
    found = []
    for run in range(row.runs):
        row.before(run)
        found.append(measure([sys.executable, "-m", "platelayer", *row.arguments]))
    return Figures(
        min(each.wall_s for each in found),
        min(each.cpu_s for each in found),
        max(each.mb for each in found),
    )


def lay_board(folder: Path, count: int, run: int) -> None:
    """Write a title with so many hexes before its first run, so that other rows do not wait for it."""
    if run == 0:
        large(folder, count)


def rows(out: Path, game: Path) -> list[Row]:
    """All commands, in an order in which each finds what it needs."""
    imported, edited = out / "game", out / "edited"
    shutil.copytree(title_path("18eu"), edited)
    measure([sys.executable, "-m", "platelayer", "import", str(game), "-o", str(imported)])

    def edit(run: int) -> None:
        path = edited / "trains.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r'(?<="price": )\d+', str(101 + run), text, count=1), encoding="utf-8"
        )

    def cold(title: str, *more: str) -> list[str]:
        return ["build", title, "--no-cache", "-o", f"{out}/cold", *more]

    def export(form: str) -> list[str]:
        return ["export", "18eu", "--to", form, "-o", f"{out}/{form}"]

    again = ["build", str(edited), "-o", f"{out}/again"]
    warm = ["check", "18eu"]
    boards = []
    for count in HEXES:
        folder = out / f"hexes-{count}"
        lay = partial(lay_board, folder, count)
        boards.append(Row(f"board of {count} hexes", "", cold(str(folder)), 4, lay))
    return [
        Row("--help", "0.05", ["--help"], 5),
        Row(f"build {game.stem}", "25x the peer", cold(str(imported)), 6),
        Row("build 18eu", "0.85, cpu 1.4", cold("18eu")),
        Row("build 18eu, all drawn", "", cold("18eu", "--theme", "low-ink")),
        Row("build 1841", "1.3", cold("1841")),
        Row("build 18cz", "1.4", cold("18cz")),
        Row("build 1824", "1.0", cold("1824")),
        Row("build lost-atlas", "0.85", cold("lost-atlas")),
        Row("build, to fill the cache", "", again, 1),
        Row("build after an edit", "0.45", again, before=edit),
        Row("build again", "0.25", again),
        Row("check, to fill the cache", "", warm, 1),
        Row("check 18eu, warm", "0.25", warm),
        Row("check --quick 1841", "0.5", ["check", "--quick", "1841"]),
        Row("export tabletop-simulator", "15", export("tabletop-simulator"), 1),
        Row("export sprites", "15", export("sprites"), 1),
        *boards,
    ]


class Table:
    """The table as it is printed, and its lines for the history."""

    def __init__(self, only: Sequence[str]) -> None:
        self._only = only
        self.found: dict[str, tuple[Figures, float]] = {}
        self._loop_s = loop_s()
        has = "as in a wheel" if predrawn_path().exists() else "none (make predrawn makes them)"
        print(f"faces drawn ahead: {has}")
        print(f"{'':<28}{'wall s':>9}{'cpu s':>8}{'loops':>7}{'MB':>6}  aim (s)", flush=True)

    def wants(self, name: str) -> bool:
        """True for a row that is to be measured."""
        return not self._only or any(word in name for word in self._only)

    def add(self, name: str, aim: str, figures: Figures, note: str = "") -> None:
        """Print a row."""
        loops = figures.cpu_s / self._loop_s
        self.found[name] = figures, loops
        wall, cpu, mb = figures
        print(f"{name:<28}{wall:>9.3f}{cpu:>8.2f}{loops:>7.2f}{mb:>6.0f}  {aim}{note}", flush=True)

    def growth(self) -> None:
        """Print the processor time of each further hex, and how far the boards are from a straight
        line."""
        spent = {
            count: self.found[f"board of {count} hexes"][0].cpu_s
            for count in HEXES
            if f"board of {count} hexes" in self.found
        }
        if len(spent) < len(HEXES):
            return
        each = [
            f"{1000 * (spent[more] - spent[fewer]) / (more - fewer):.2f} from {fewer} to {more}"
            for fewer, more in pairwise(spent)
        ]
        slope, start = linear_regression([*spent], [*spent.values()])
        off = max(abs(cpu / (start + slope * count) - 1) for count, cpu in spent.items())
        print(f"each further hex takes {1000 * slope:.2f} ms ({', '.join(each)}); ", end="")
        print(f"boards are within {100 * off:.0f} % of a straight line (aim: 20 %)")

    def record(self) -> None:
        """Append the rows to the history, under the commit and its date."""
        commit = _git("describe", "--always", "--dirty", "--abbrev=8", "--exclude=*")
        about = (commit, _git("show", "-s", "--format=%cs"), PYTHON)
        with HISTORY.open("a", encoding="utf-8", newline="") as file:
            for name, ((wall, cpu, mb), loops) in self.found.items():
                line = (*about, name, f"{wall:.3f}", f"{cpu:.3f}", f"{loops:.2f}", f"{mb:.0f}")
                csv.writer(file, lineterminator="\n").writerow(line)


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def worked(hexes: int | None) -> tuple[Figures, str]:
    """Processor time of the studio from an edit of a hex's terrain to the picture of the map."""
    start = time.perf_counter()
    ((_, stages),) = work(WORKED, hexes, ["terrain"])
    note = ", ".join(f"{stage} {1000 * taken:.0f} ms" for stage, taken in stages.items())
    used_s = sum(stages[stage] for stage in SHOWN)
    return Figures((time.perf_counter() - start) / WORKED, used_s, 0), f" ({note})"


def seen(hexes: int | None) -> tuple[Figures, str]:
    """From a saved edit to the picture in a browser: the 95th percentile, and the studio's own
    processor time for each edit, with its search for problems."""
    times, _, used_s, memory = session(EDITS, hexes=hexes)
    wall_s = sorted(times)[int(0.95 * len(times))] / 1000
    return Figures(wall_s, used_s / len(times), memory[-1]), spread(times)


def read_options() -> argparse.Namespace:
    """The rows to measure."""
    asked = argparse.ArgumentParser(description="Speed of what people wait for.")
    asked.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="rows with this word"
    )
    asked.add_argument("--game", type=Path, default=GAME, help="a game in 18xx-maker's format")
    asked.add_argument("--peer-seconds", type=float, help="time that 18xx-maker takes for the game")
    asked.add_argument("--record", action="store_true", help="append the rows to history.csv")
    return asked.parse_args()


def main() -> None:
    """Print the table."""
    options = read_options()
    compileall.compile_dir(str(Path(platelayer.__file__).parent), quiet=1)
    table = Table(options.only)
    with tempfile.TemporaryDirectory() as place:
        ENVIRONMENT[FOLDER] = str(Path(place, "cache"))
        for row in rows(Path(place), options.game):
            if "to fill the cache" in row.name:
                best(row)
            elif table.wants(row.name):
                figures, ratio = best(row), ""
                if row.name == f"build {options.game.stem}" and options.peer_seconds:
                    ratio = f": {options.peer_seconds / figures.wall_s:.1f}x"
                table.add(row.name, row.aim, figures, ratio)
    table.growth()
    for name, hexes in (("terrain painted, 18EU", None), ("terrain painted, 1000 hexes", 1000)):
        if table.wants(name):
            table.add(name, "", *worked(hexes))
    for name, aim, hexes in (("studio, 18EU", "0.12", None), ("studio, 1000 hexes", "0.3", 1000)):
        if not table.wants(name):
            continue
        if shutil.which("chromium") is None or find_spec("playwright") is None:
            print(f"{name:<28} not measured: needs Chromium and Playwright")
        else:
            figures, times = seen(hexes)
            table.add(name, aim, figures, f" (p95; {times})")
    if options.record:
        table.record()
    print(f"(this script: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB)")


if __name__ == "__main__":
    main()
