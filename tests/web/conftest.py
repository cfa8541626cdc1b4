"""The browser edition on a web host of its own, in a browser that reaches nobody else."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import web
from chromium import opened_browser
from gate import skip_unless_gate

TIMEOUT_MS = int(os.environ.get("STUDIO_TIMEOUT_MS", "120000"))
PLACE = "/some/where/"


class Host(SimpleHTTPRequestHandler):
    """A plain web host, with the edition in a folder below its root."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(
            "/" + path.removeprefix(PLACE) if path.startswith(PLACE) else "/none"
        )

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The edition's folder. What it is made of is fetched once, into build/web."""
    if not (shutil.which("node") and shutil.which("npm")):
        skip_unless_gate("needs node and npm (Debian: apt-get install npm)")
    folder = tmp_path_factory.mktemp("edition") / "web"
    try:
        web.make(folder)
    except web.NotFetched as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="session")
def address(edition: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(edition))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PLACE}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium."""
    with opened_browser() as browser:
        yield browser


@pytest.fixture
def page(browser, address):
    """A page that fails its test if it throws, breaks its policy, or asks anybody but its host."""
    context = browser.new_context(
        viewport={"width": 1400, "height": 900}, locale="en-GB", accept_downloads=True
    )
    context.set_default_timeout(TIMEOUT_MS)
    faults: list[str] = []
    own = address.removesuffix(PLACE)

    def route(asked) -> None:
        if asked.request.url.startswith(own):
            asked.continue_()
        else:
            faults.append(f"asks for {asked.request.url}")
            asked.abort()

    context.route("**/*", route)
    opened = context.new_page()
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: message.type == "error" and faults.append(message.text))
    yield opened
    context.close()
    assert faults == [], "\n".join(faults)


@pytest.fixture
def in_japanese(browser):
    """A browser that speaks Japanese, with several pages."""
    context = browser.new_context(locale="ja-JP")
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()
