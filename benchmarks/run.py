"""Cold processes in, a table of seconds, megabytes and bytes out: `make bench`.

Every figure is the best of several runs of a fresh process, as `time` would see it; peak memory is
that process's own.
"""

from __future__ import annotations

import compileall
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import platelayer
from platelayer.foundation.cache import FOLDER
from platelayer.foundation.resources import title_path

RUNS = 5
EDITED = "{out}/edited"
"""A copy of 18EU in which the price of terrain on the map, or the name of a company, is another for
every run."""
# Modules are compiled once, as pip does when it installs a package.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
_LONG = ["--mode", "long", "--seed", "7", "--no-png"]
OTHERS = ("1824", "1841", "18cz", "lost-atlas")
ONCE = ("build every PNG",)
LIMITS = {
    "--help": ("<= 0.20 s", ["--help"]),
    "check 18eu": ("<= 1.50 s, in two languages", ["check", "--no-cache", "18eu"]),
    "check 18eu again": ("", ["check", "18eu"]),
    "check --quick 18eu": ("<= 0.30 s", ["check", "--quick", "18eu"]),
    "manifest 18eu": ("", ["manifest", "18eu"]),
    "draw 18eu tile:57": ("", ["draw", "18eu", "tile:57", "-o", "{out}/57.svg"]),
    "atlas new": (
        "<= 0.80 s: assembled, checked, SVG and PDF",
        ["atlas", "new", *_LONG, "-o", "{out}/atlas"],
    ),
    "build 18eu": (
        "<= 1.40 s, aim 0.80; <= 200 MB, aim 110",
        ["build", "18eu", "--no-cache", "-o", "{out}"],
    ),
    "build again, map edited": ("<= 0.60 s, aim 0.35", ["build", EDITED, "-o", "{out}/again"]),
    "build again, name edited": ("<= 0.60 s, aim 0.35", ["build", EDITED, "-o", "{out}/again"]),
    "build for a press": (
        "<= 1.5 x build 18eu",
        [
            "build",
            "18eu",
            "-o",
            "{out}/press",
            "--color",
            "cmyk",
            "--cut",
            "spot",
            "--duplex",
            "long",
            "--no-cache",
        ],
    ),
    "build what changed": (
        "",
        ["build", "18eu", "-o", "{out}/since", "--since", "{out}/18eu/manifest.json"],
    ),
    "build every PNG": (
        "<= 20 s",
        ["build", "18eu", "-o", "{out}/png", "--profile", "pictures", "--no-cache"],
    ),
    **{
        f"build {title}": ("<= 3 s", ["build", title, "--no-cache", "-o", "{out}"])
        for title in OTHERS
    },
}


EDITS = {
    "build again, map edited": ("map.json", re.compile(r'(?<="cost": )\d+'), "{}"),
    "build again, name edited": (
        "companies.json",
        re.compile(r'(?<="name": ")[^"]*'),
        "Company {}",
    ),
}


def edit(name: str, out: Path, run: int) -> None:
    """Changes something in the copy of 18EU."""
    file, what, words = EDITS[name]
    path = out / "edited" / file
    path.write_text(
        what.sub(words.format(100 + run), path.read_text(encoding="utf-8"), count=1),
        encoding="utf-8",
    )


def measure(
    arguments: list[str], runs: int = RUNS, before: Callable[[int], None] = lambda _: None
) -> tuple[float, float]:
    """Best seconds and the peak resident megabytes of some fresh processes."""
    best, peak = float("inf"), 0.0
    for run in range(runs):
        before(run)
        start = time.perf_counter()
        command = [sys.executable, "-m", "platelayer", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        best = min(best, time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss / 1024)
        if status:
            raise SystemExit(f"platelayer {' '.join(arguments)} failed")
    return best, peak


STAGES = """
import time
marks = [("start", time.process_time())]
def mark(name): marks.append((name, time.process_time()))
from pathlib import Path
from platelayer.definitions.titles import load_title
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
mark("import definitions")
title = load_title("18eu").title
style = Style(theme=load_theme("classic"))
mark("1 definitions")
from platelayer.model.manifest import build_manifest
manifest = build_manifest(title)
mark("2 manifest")
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.run import run_rules
run_rules(title)
graph = upgrade_graph(title)
mark("3 rules")
from platelayer.pipeline import produce
from platelayer.drawing.kinds import drawer
from platelayer.model.kinds import KINDS
from platelayer.drawing.pieces import draw_piece
from platelayer.render.pdf import render_pdf
from platelayer.scene.legibility import check_legibility
from platelayer.definitions.profiles import load_profile
from platelayer.pipeline.job import Drawn, PrintJob
from platelayer.imposition.impose import impose
from platelayer.model.options import PrintOptions
from platelayer.imposition.plan import standard_plan
for kind in {piece.kind for piece in manifest.pieces} - {"checklist", "upgrade-chart"}:
    drawer(KINDS[kind].pages or KINDS[kind].front)
mark("import the rest")
profile = load_profile("home")
job = PrintJob(
    title=title, manifest=manifest, graph=graph, style=style, profile=profile, plan=standard_plan(),
    options=PrintOptions(),
)
drawn = [Drawn(piece=piece, fronts=draw_piece(title, manifest, piece, style, graph)) for piece in manifest.pieces]
mark("4 drawing")
for each in drawn:
    for scene in each.fronts:
        check_legibility(scene)
mark("5 legibility")
documents = produce.impose_pieces(job, drawn)
mark("6 sheets")
for document in documents:
    render_pdf(document)
mark("7 render")
for (_, before), (name, after) in zip(marks, marks[1:]):
    print(f"  {name:<20} {after - before:6.3f} s of processor")
"""


def main() -> None:
    """Print the table."""
    compileall.compile_dir(str(Path(platelayer.__file__).parent), quiet=1)
    print(f"{'command':<20} {'seconds':>8} {'MB':>6}  limit")
    with tempfile.TemporaryDirectory() as out:
        ENVIRONMENT[FOLDER] = str(Path(out, "cache"))
        shutil.copytree(title_path("18eu"), Path(out, "edited"))
        packs = 0.0
        for name, (limit, arguments) in LIMITS.items():
            words = [word.replace("{out}", out) for word in arguments]
            before = partial(edit, name, Path(out)) if name in EDITS else lambda _: None
            if name in EDITS:
                measure(words, 1)
            seconds, megabytes = measure(words, 1 if name in ONCE else RUNS, before)
            packs += seconds if name in {f"build {title}" for title in ("18eu", *OTHERS)} else 0.0
            print(f"{name:<20} {seconds:8.3f} {megabytes:6.0f}  {limit}")
        print(f"{'all five packs':<20} {packs:8.3f} {'':>6}  <= 9 s, aim 6")
        size = sum(path.stat().st_size for path in Path(out, "18eu").glob("*.pdf"))
    print(
        f"all PDFs of 18eu: {size / 1e6:.2f} MB (limit 2 MB)\n\nbuild 18eu, stage by stage, one process:"
    )
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", STAGES], check=True)
    print(f"(this script: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB)")


if __name__ == "__main__":
    main()
