"""From saving to seeing: edits of 18EU's map and companies, until the browser shows the new
picture.

    python benchmarks/studio.py [EDITS] [--paint] [--hexes N] [--pan]     500 edits by default
    python benchmarks/studio.py [EDITS] [--hexes N] --work                the studio's own work alone

Needs Chromium and Playwright. Files are written from outside, as an editor would, or hexes are
painted in the page with `--paint`; the time ends when the page has put the decoded picture in
place. `--hexes` takes a map of so many hexes in place of 18EU's. `--pan` counts frames a second
while the picture is dragged and zoomed. Memory is what the studio's process holds. `--work` is
processor time by stage, without a server and a browser.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from platelayer.foundation.pool import gc_paused

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
PAUSE_S = 0.5
"""Between edits. Problems are still looked for when the next one comes."""
LIMIT_MS, LIMIT_MB = 120, 200
PAINT_MS, LARGE_MS = 120, 300
WATCH = """() => {
  window.seen = [];
  window.patched = [];
  const port = document.querySelector('.viewer');
  new MutationObserver(() => window.seen.push([port.dataset.version, Date.now()]))
    .observe(port, {attributes: true, attributeFilter: ['data-version']});
  new MutationObserver(() => window.patched.push(Date.now()))
    .observe(port, {attributes: true, attributeFilter: ['data-patched']});
  addEventListener('pointerdown', () => { window.pressed = Date.now(); }, true);
}"""
FRAMES = """() => {
  window.frames_at = [];
  const note = (at) => { window.frames_at.push(at); window.noting = requestAnimationFrame(note); };
  window.noting = requestAnimationFrame(note);
}"""
COLUMNS = 25
"""Of a large map, whose columns have letters."""


def memory_mb(process: int) -> float:
    """Resident memory of a process (Linux)."""
    text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def processor_s(process: int) -> float:
    """Processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def edits(folder: Path) -> list[tuple[Path, Any]]:
    """What is written, in turn: another price of terrain, another name, another colour of a
    company."""
    return [(folder / "map.json", _edit_map), (folder / "companies.json", _edit_company)]


def _edit_map(value: dict[str, Any], number: int) -> None:
    hexes = value["map"]["hexes"]
    names = [
        name
        for name, each in hexes.items()
        if isinstance(each, dict) and isinstance(each.get("name"), dict)
    ]
    hexes[names[number % len(names)]]["name"]["en"] = f"Town {number}"


def _edit_terrain(value: dict[str, Any], number: int) -> None:
    hexes = value["map"]["hexes"]
    plain = [
        name
        for name, each in hexes.items()
        if isinstance(each, dict) and not {"stops", "colour"} & {*each}
    ]
    kind = ("forest", "mountain", "hill")[(number + number // len(plain)) % 3]
    hexes[plain[number % len(plain)]]["terrain"] = [{"kinds": [kind], "cost": 40}]


def _edit_company(value: dict[str, Any], number: int) -> None:
    companies = value["companies"]
    names = [name for name, each in companies.items() if "colour" in each]
    companies[names[number % len(names)]]["colour"] = f"#{(number * 7919) % 0x1000000:06x}"


def large(folder: Path, count: int) -> None:
    """A new title with a map of so many hexes: cities, towns, terrain and plain ground."""
    from platelayer.pipeline.scaffold import new_title

    new_title(folder)
    path = folder / "map.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    hexes = value["map"]["hexes"]
    # From 1: A1 would have a single neighbour, and no tile fits there.
    for number in range(1, count + 1):
        row, column = divmod(number, COLUMNS)
        hexes.setdefault(f"{chr(ord('A') + column)}{2 * row + 1 + column % 2}", _contents(number))
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def _contents(number: int) -> dict[str, Any]:
    if number % 11 == 3:
        return {"name": {"en": f"Town {number}"}, "stops": [{"kind": "city"}]}
    if number % 7 == 2:
        return {"name": {"en": f"Vale {number}"}, "stops": [{"kind": "town"}]}
    return {"terrain": [{"kinds": ["hill"], "cost": 40}]} if number % 13 == 5 else {}


def palette(page: Page) -> list[str]:
    """Take the brush for forest; the names of the hexes on the screen."""
    page.get_by_role("button", name="Edit (e)").click()
    page.locator(".tool", has_text="Terrain").click()
    page.locator('.choice[data-value="forest"]').click()
    page.wait_for_timeout(1000)
    hexes = page.locator(".hex:not(.empty)")
    names: list[str] = hexes.evaluate_all(
        "(all) => all.map((hex) => hex.getAttribute('aria-label'))"
    )
    return [name for name in names if centre(page, name)]


def centre(page: Page, name: str) -> tuple[float, float] | None:
    """The centre of a hex as it lies now, unless something is before it: the first forest adds a row
    to the legend, and the whole map moves."""
    found: tuple[float, float] | None = page.locator(
        f'.hex[aria-label="{name}"]'
    ).evaluate("""(hex) => {
      const box = hex.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      return document.elementFromPoint(x, y)?.closest('.hex') === hex ? [x, y] : null;
    }""")
    return found


def painted(page: Page, name: str) -> tuple[float, float]:
    """Paint one hex: milliseconds from the press to the picture of the hex, and to that of the
    whole map."""
    seen, at = page.evaluate("window.seen.length"), centre(page, name)
    assert at is not None, f"{name} has left the screen"
    page.mouse.click(*at)
    page.wait_for_function("seen => window.seen.length > seen", arg=seen, polling=25)
    of_hex, of_map = page.evaluate(
        "[window.patched.at(-1), window.seen.at(-1)[1]].map((at) => at - window.pressed)"
    )
    return of_hex, of_map


def save(page: Page, path: Path, text: str) -> float:
    """Save a file as another program does: milliseconds from the save to the picture that shows
    it."""
    seen = page.evaluate("window.seen.length")
    start = time.time()
    path.write_text(text, encoding="utf-8")
    page.wait_for_function("seen => window.seen.length > seen", arg=seen, polling=25)
    taken: float = page.evaluate("window.seen.at(-1)[1]") - 1000 * start
    return taken


def pan(page: Page) -> None:
    """Frames while the picture is zoomed and dragged."""
    box = page.locator(".port").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    for what in ("zoom", "pan"):
        page.evaluate(FRAMES)
        if what == "pan":
            page.mouse.down()
        for step in range(120):
            if what == "zoom":
                page.mouse.wheel(0, -40 if step < 60 else 40)
            else:
                page.mouse.move(x + 3 * (step % 60), y + 2 * (step % 60))
            page.wait_for_timeout(10)
        page.mouse.up()
        at = page.evaluate("(cancelAnimationFrame(window.noting), window.frames_at)")
        gaps = sorted(after - before for before, after in pairwise(at))
        rate = 1000 * len(gaps) / (at[-1] - at[0])
        print(
            f"{what}: {rate:.0f} frames a second, p95 {gaps[int(0.95 * len(gaps))]:.0f} ms a frame"
        )


def read_options() -> argparse.Namespace:
    """The measurements to take."""
    asked = argparse.ArgumentParser(description="From saving to seeing, in the studio.")
    asked.add_argument("edits", nargs="?", type=int, default=500)
    asked.add_argument("--paint", action="store_true", help="paint hexes in the page")
    asked.add_argument("--hexes", type=int, help="a map of so many hexes, in place of 18EU's")
    asked.add_argument("--work", action="store_true", help="processor time by stage, no browser")
    asked.add_argument(
        "--pan", action="store_true", help="count frames while the picture is dragged and zoomed"
    )
    return asked.parse_args()


class Session(NamedTuple):
    """The measurements: milliseconds of each edit, and those until the whole map shows what was
    painted; seconds of the studio's processor; its memory on the way."""

    times_ms: list[float]
    whole_ms: list[float]
    used_s: float
    memory_mb: list[float]


def session(
    count: int, *, hexes: int | None = None, paint: bool = False, frames: bool = False
) -> Session:
    """Edits of 18EU, or of a map of so many hexes, in a studio of their own."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "title"
        if hexes:
            large(folder, hexes)
        else:
            shutil.copytree(ROOT / "assets" / "titles" / "18eu", folder)
        command = [sys.executable, "-m", "platelayer", "studio", str(folder), "--no-open"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_STATE_HOME": place}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(address[0])
            page.wait_for_selector(".viewer[data-version]", timeout=120_000)
            page.wait_for_timeout(4000)
            page.evaluate(WATCH)
            if frames:
                pan(page)
                page.keyboard.press("0")
            found = _measured(page, folder, process.pid, count, paint=paint)
            browser.close()
        process.terminate()
        process.wait()
    return found


def _measured(page: Page, folder: Path, process: int, count: int, *, paint: bool) -> Session:
    files = edits(folder)
    values = {path: json.loads(path.read_text(encoding="utf-8")) for path, _ in files}
    names = palette(page) if paint else []
    memory, before = [memory_mb(process)], processor_s(process)
    times: list[float] = []
    whole: list[float] = []
    for number in range(count):
        if names:
            of_hex, of_map = painted(page, names[number * 7 % len(names)])
            times.append(of_hex)
            whole.append(of_map)
        else:
            path, edit = files[number % len(files)]
            edit(values[path], number)
            times.append(save(page, path, json.dumps(values[path], ensure_ascii=False, indent=2)))
        time.sleep(PAUSE_S)
        if number % 50 == 49:
            memory.append(memory_mb(process))
    memory.append(memory_mb(process))
    return Session(times, whole, processor_s(process) - before, memory)


# Stages of an edit until the page has its picture.
SHOWN = ("reading", "state", "picture")


def work(
    count: int, hexes: int | None, kinds: Sequence[str] = ("name", "company", "terrain")
) -> Iterator[tuple[str, dict[str, float]]]:
    """Processor time of stages of an edit in seconds, the median of `count` edits: for an edit of a
    name, a company and terrain."""
    from platelayer.studio.pictures import Pictures
    from platelayer.studio.view import View

    looks = ("en", "classic")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "title"
        if hexes:
            large(folder, hexes)
        else:
            shutil.copytree(ROOT / "assets" / "titles" / "18eu", folder)
        view, pictures = View(folder.parent, "title", None), Pictures()
        stages: dict[str, Callable[[], object]] = {
            "reading": view.reload,
            "state": lambda: json.dumps(view.state(*looks)),
            "picture": lambda: pictures.faces(view, f"map:{view.title.maps[0].id}", *looks),
            "rules": lambda: [*view.judge(looks[1])],
            "legibility": lambda: [*view.proofs(*looks)],
        }
        for run in stages.values():
            run()
        files = (*edits(folder), (folder / "map.json", _edit_terrain))
        values = {path: json.loads(path.read_text(encoding="utf-8")) for path, _ in files}
        for name, (path, edit) in zip(("name", "company", "terrain"), files, strict=True):
            if name not in kinds:
                continue
            taken: dict[str, list[float]] = {stage: [] for stage in stages}
            for number in range(count):
                edit(values[path], number)
                path.write_text(json.dumps(values[path], ensure_ascii=False), encoding="utf-8")
                gc.collect()
                with gc_paused():
                    for stage, run in stages.items():
                        start = time.process_time()
                        run()
                        taken[stage].append(time.process_time() - start)
            yield name, {stage: median(times) for stage, times in taken.items()}


def spread(times: list[float]) -> str:
    """Median, 95th percentile and most of some times."""
    ranked, count = sorted(times), len(times)
    return f"median {ranked[count // 2]:.0f} ms, p95 {ranked[int(0.95 * count)]:.0f} ms, most {ranked[-1]:.0f} ms"


def main() -> None:
    """Measure and print."""
    options = read_options()
    count = options.edits
    if options.work:
        for name, stages in work(count, options.hexes):
            shown = sum(stages[stage] for stage in SHOWN)
            print(f"{name}: {1000 * shown:.0f} ms to the picture", end="; ")
            print(", ".join(f"{stage} {1000 * taken:.0f}" for stage, taken in stages.items()))
        return
    times, whole, used_s, memory = session(
        count, hexes=options.hexes, paint=options.paint, frames=options.pan
    )
    if times:
        what, limit = (
            ("press", PAINT_MS)
            if options.paint
            else ("save", LARGE_MS if options.hexes else LIMIT_MS)
        )
        print(f"{what} -> picture over {count} edits: {spread(times)} (limit {limit})")
        print(
            f"processor of the studio: {1000 * used_s / count:.0f} ms an edit, with its search for problems"
        )
        print(
            f"memory of the studio: {memory[0]:.0f} MB before, {memory[-1]:.0f} MB after ", end=""
        )
        print(f"(limit {LIMIT_MB}): {' '.join(f'{each:.0f}' for each in memory)}")
    if whole:
        print(f"press -> the whole map: {spread(whole)}")


if __name__ == "__main__":
    main()
