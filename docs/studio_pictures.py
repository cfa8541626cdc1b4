"""18EU in the studio, the pictures of docs/studio.md out: taken in Debian's Chromium, so they differ a little between
machines."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, sync_playwright

from platelayer.foundation.resources import title_path

FOLDER = Path(__file__).parent / "pictures"
_SLIP = ('"G8": {', '"G8": {"labels": ["Y"], ')
"""A label that Magdeburg does not have, and a rule that finds it."""


@contextmanager
def studio() -> Iterator[str]:
    """The address of a studio for a copy of 18EU with a slip in it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "18eu")
        shutil.copytree(title_path("18eu"), folder)
        board = folder / "map.json"
        board.write_text(board.read_text(encoding="utf-8").replace(*_SLIP, 1), encoding="utf-8")
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_STATE_HOME": place}
        command = [sys.executable, "-m", "platelayer", "studio", str(folder), "--no-open"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield address[0]
        process.terminate()
        process.wait()


def _pick(page: Page, hexagon: str) -> None:
    page.locator(f'.hex[aria-label="{hexagon}"]').dispatch_event("click")
    page.wait_for_timeout(500)


def _take(page: Page, address: str, view: str) -> None:
    page.goto(f"{address}#{view}")
    page.wait_for_selector(".viewer[data-version]")
    page.wait_for_function("() => document.querySelector('.problem')")
    if view == "upgrades":
        page.wait_for_selector(".boxed img")
        _pick(page, "F9")
        page.locator(".follow .lay").first.click()
        page.wait_for_timeout(800)
    elif page.viewport_size and page.viewport_size["width"] > 860:
        page.locator(".problem").first.click()
        page.wait_for_timeout(800)


def main() -> None:
    """Take all pictures into docs/pictures/."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stderr.write("docs/pictures/studio-*.png stay as they are: they need Chromium\n")
        return
    pictures: tuple[tuple[str, str, int, Literal["light", "dark"]], ...] = (
        ("map", "map", 1280, "light"),
        ("upgrades", "upgrades", 1280, "light"),
        ("narrow", "upgrades", 430, "dark"),
    )
    with studio() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, view, width, scheme in pictures:
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, locale="en-GB")
            page = context.new_page()
            _take(page, address, view)
            page.screenshot(path=FOLDER / f"studio-{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
