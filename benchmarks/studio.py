"""From saving to seeing: edits of 18EU's map and companies, until the browser shows the new picture.

    python benchmarks/studio.py [EDITS]     500 by default

Needs Chromium and Playwright. Files are written from outside, as an editor would; the time ends when the page has put
the decoded picture in place. Memory is what the studio's process holds.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAUSE_S = 0.5
"""Between edits. Problems are still looked for when the next one comes."""
LIMIT_MS, AIM_MS, LIMIT_MB, AIM_MB = 250, 120, 300, 150
WATCH = """() => {
  window.seen = [];
  const port = document.querySelector('.viewer');
  new MutationObserver(() => window.seen.push([port.dataset.version, Date.now()]))
    .observe(port, {attributes: true, attributeFilter: ['data-version']});
}"""


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
    """What is written, in turn: another price of terrain, another name, another colour of a company."""
    return [(folder / "map.json", _edit_map), (folder / "companies.json", _edit_company)]


def _edit_map(value: dict[str, Any], number: int) -> None:
    hexes = value["map"]["hexes"]
    names = [name for name, each in hexes.items() if isinstance(each, dict) and isinstance(each.get("name"), dict)]
    hexes[names[number % len(names)]]["name"]["en"] = f"Town {number}"


def _edit_company(value: dict[str, Any], number: int) -> None:
    companies = value["companies"]
    names = [name for name, each in companies.items() if "colour" in each]
    companies[names[number % len(names)]]["colour"] = f"#{(number * 7919) % 0x1000000:06x}"


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "18eu"
        shutil.copytree(ROOT / "assets" / "titles" / "18eu", folder)
        command = [sys.executable, "-m", "platelayer", "studio", str(folder), "--no-open"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_STATE_HOME": place}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(address[0])
            page.wait_for_selector(".viewer[data-version]")
            page.wait_for_timeout(4000)
            page.evaluate(WATCH)
            files = edits(folder)
            values = {path: json.loads(path.read_text(encoding="utf-8")) for path, _ in files}
            times: list[float] = []
            memory, before = [memory_mb(process.pid)], processor_s(process.pid)
            for number in range(count):
                path, edit = files[number % len(files)]
                edit(values[path], number)
                text = json.dumps(values[path], ensure_ascii=False, indent=2)
                seen = page.evaluate("window.seen.length")
                start = time.time()
                path.write_text(text, encoding="utf-8")
                page.wait_for_function("seen => window.seen.length > seen", arg=seen, polling=25)
                times.append(page.evaluate("window.seen.at(-1)[1]") - 1000 * start)
                time.sleep(PAUSE_S)
                if number % 50 == 49:
                    memory.append(memory_mb(process.pid))
            used = processor_s(process.pid) - before
            browser.close()
        process.terminate()
        process.wait()
    ranked = sorted(times)
    print(f"save -> picture over {count} edits: median {ranked[len(ranked) // 2]:.0f} ms, ", end="")
    print(f"p95 {ranked[int(0.95 * len(ranked))]:.0f} ms, most {ranked[-1]:.0f} ms (limit {LIMIT_MS}, aim {AIM_MS})")
    print(f"processor of the studio: {1000 * used / count:.0f} ms an edit, with its search for problems")
    print(f"memory of the studio: {memory[0]:.0f} MB before, {memory[-1]:.0f} MB after ", end="")
    print(f"(limit {LIMIT_MB}, aim {AIM_MB}): {' '.join(f'{each:.0f}' for each in memory)}")


if __name__ == "__main__":
    main()
