"""The system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from gate import require_module, skip_unless_gate
from patience import patient

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


_running: list[Any] = []


@contextmanager
def opened_browser() -> Iterator[Any]:
    """A browser, closed at the end. Skips where there is no Chromium or no Playwright."""
    if CHROMIUM is None:
        skip_unless_gate("needs Chromium (Debian: apt-get install chromium)")
    playwright = require_module("playwright.sync_api", "studio-test")
    # .ci/tools removes Playwright's own Node.js, which is as large as all other packages together.
    if not (Path(playwright.__file__).parents[1] / "driver" / "node").exists():
        node = shutil.which("node") or skip_unless_gate(
            "needs node (Debian: apt-get install nodejs)"
        )
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", node)
    with ExitStack() as stack:
        # A thread can have one Playwright: who comes later shares it.
        if not _running:
            stack.enter_context(patient(playwright.Page))
            _running.append(stack.enter_context(playwright.sync_playwright()))
            stack.callback(_running.clear)
        browser = _running[0].chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
