"""The browser edition: seconds until there is something to look at, until the page can be used and
until an edit of 18EU is shown, with the processor time that the browser takes for it.

    python benchmarks/edition.py [EDITS]     10 edits by default

Needs node, npm, Chromium and Playwright. The edition is made in a temporary folder and served from
this machine, so nothing here depends on a network. "Again" is a visit in a browser that was closed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
LOOK_S, READY_S, EDIT_MS, LINK = 2, 7, 700, 4000
MOST_MS = 300_000
EDIT = """async (name) => {
  const port = document.querySelector(".viewer"), before = port.dataset.version, start = performance.now();
  const shown = new Promise((done) => {
    new MutationObserver((_, observer) => {
      if (port.dataset.version === before) return;
      observer.disconnect();
      done(performance.now() - start);
    }).observe(port, { attributeFilter: ["data-version"] });
  });
  const ops = [{ op: "put", file: "18eu/map.json", pointer: "/map/hexes/D5/name", value: name }];
  await fetch("do", { method: "POST", body: JSON.stringify({ do: "edit", at: "18eu", label: "Name", ops }) });
  return shown;
}"""


class Host(SimpleHTTPRequestHandler):
    """A plain web host."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


def processor_s() -> float:
    """Processor time of all processes that this one has started, and that they have (Linux)."""
    parents: dict[int, tuple[int, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields = text.rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        parents[int(path.parent.name)] = (int(fields[1]), ticks / os.sysconf("SC_CLK_TCK"))
    own = {os.getpid()}
    while more := {each for each, (parent, _) in parents.items() if parent in own} - own:
        own |= more
    return sum(parents[each][1] for each in own - {os.getpid()})


def visit(page: Page, address: str, wanted: str) -> None:
    """Open the page: seconds until its first picture, and until what is wanted is there."""
    start, before = time.perf_counter(), processor_s()
    page.goto(address, wait_until="commit")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#boot .last img')].some((each) => each.complete)",
        polling=20,
    )
    looked = time.perf_counter() - start
    page.wait_for_selector(wanted, timeout=MOST_MS)
    print(
        f"picture {looked:.1f} s (limit {LOOK_S}), ready {time.perf_counter() - start:.1f} s (limit "
        f"{READY_S} again), processor {processor_s() - before:.1f} s"
    )


def main(edits: int) -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    import web

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        web.make(Path(folder) / "web")
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(Host, directory=str(Path(folder) / "web"))
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        opened = partial(
            playwright.chromium.launch_persistent_context, Path(folder) / "browser", args=["--no-sandbox"],
            executable_path=shutil.which("chromium"), viewport={"width": 1400, "height": 900}, locale="en-GB",
        )  # fmt: skip
        context = opened()
        page = context.pages[0]
        print("first: ", end="")
        visit(page, address, ".welcome")
        page.wait_for_function(
            "() => document.documentElement.dataset.whole !== undefined", timeout=MOST_MS
        )
        page.evaluate("fetch('shipped', { method: 'POST', body: JSON.stringify({ id: '18eu' }) })")
        page.wait_for_selector(".viewer[data-version]", timeout=MOST_MS)
        page.wait_for_timeout(10_000)  # for the search for problems
        before = processor_s()
        times = []
        for number in range(edits):
            times.append(page.evaluate(EDIT, f"Town {number}"))
            page.wait_for_timeout(500)
        used_ms = 1000 * (processor_s() - before) / edits
        print(
            f"edit of 18EU: median {sorted(times)[edits // 2]:.0f} ms (limit {EDIT_MS}), processor {used_ms:.0f} ms"
        )
        link = page.evaluate(
            "fetch('link?at=18eu').then((answer) => answer.json()).then(({ title }) => title.length)"
        )
        print(f"link to 18EU with a changed name: {link} characters (limit {LINK})")
        page.wait_for_timeout(5000)  # until all is kept
        context.close()
        context = opened()
        print("again: ", end="")
        visit(context.pages[0], address, ".viewer[data-version]")
        context.close()
        server.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10)
