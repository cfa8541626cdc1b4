"""A studio in a process of its own, and a browser to look at it with."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

from chromium import opened_browser
from platelayer.pipeline.scaffold import new_title

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_MS = int(os.environ.get("STUDIO_TIMEOUT_MS", "120000"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Studio(NamedTuple):
    folder: Path
    address: str
    port: int
    process: subprocess.Popen[str]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(240)
        assert self.process.stdout is not None
        self.process.stdout.close()


def start(folder: str | Path, home: Path, port: int | None = None) -> Studio:
    """A studio for a folder; its secrets are kept in `home`."""
    port = port or free_port()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), "XDG_STATE_HOME": str(home)}
    command = [
        sys.executable,
        "-m",
        "platelayer",
        "studio",
        str(folder),
        "--no-open",
        "--port",
        str(port),
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environment, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line + process.stdout.read()
    return Studio(Path(folder), found[0], port, process)


def copy_of(title: str, folder: Path) -> Path:
    """A title to write on."""
    shutil.copytree(ROOT / "assets" / "titles" / title, folder)
    schemas = folder / ".platelayer" / "schemas"
    shutil.copytree(ROOT / "schemas", schemas)
    for path in folder.glob("*.json"):
        text = path.read_text(encoding="utf-8").replace(
            '"../../../schemas/', '"./.platelayer/schemas/'
        )
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Studio]]:
    """Starts studios, and stops them in the end."""
    begun: list[Studio] = []

    def new(folder: str | Path, port: int | None = None) -> Studio:
        begun.append(start(folder, tmp_path / "state", port))
        return begun[-1]

    yield new
    for each in begun:
        if each.process.poll() is None:
            each.stop()


def say(studio: Studio, **asked: object) -> dict[str, object]:
    """What the studio answers to a page that asks for something to be done."""
    with urlopen(studio.address, timeout=60) as page:
        key = re.search(r'<meta name="key" content="(\w+)">', page.read().decode())
    assert key
    headers = {
        "Origin": f"http://127.0.0.1:{studio.port}",
        "Content-Type": "application/json",
        "X-Platelayer-Key": key[1],
    }
    request = Request(studio.address + "do", json.dumps(asked).encode(), headers)
    with urlopen(request, timeout=60) as answer:
        found: dict[str, object] = json.load(answer)
    return found


class Shared:
    """A studio that many tests use in turn: each finds the files as they were."""

    def __init__(self, folder: Path) -> None:
        self._files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        self.studio = start(folder, folder.parent / "state")

    def restore(self) -> None:
        say(self.studio, do="revert", label="")
        for path in sorted(self.studio.folder.rglob("*"), reverse=True):
            if path.is_symlink() or (path.is_file() and path not in self._files):
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        for path, data in self._files.items():
            if not path.is_file() or path.read_bytes() != data:
                path.write_bytes(data)


def small_title(folder: Path) -> Path:
    """A new title as `platelayer new` writes it."""
    new_title(folder)
    return folder


@pytest.fixture(scope="session")
def _small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    shared = Shared(small_title(tmp_path_factory.mktemp("small") / "title"))
    yield shared
    shared.studio.stop()


@pytest.fixture(scope="session")
def _large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    shared = Shared(copy_of("18eu", tmp_path_factory.mktemp("large") / "18eu"))
    yield shared
    shared.studio.stop()


@pytest.fixture
def studio(_small: Shared) -> Iterator[Studio]:
    """A studio for a small title, which tests may change but not stop."""
    yield _small.studio
    _small.restore()


@pytest.fixture
def of_18eu(_large: Shared) -> Iterator[Studio]:
    """The same for a copy of 18EU."""
    yield _large.studio
    _large.restore()


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium."""
    with opened_browser() as browser:
        yield browser


class Watched(NamedTuple):
    """What a page has done that it should not."""

    faults: list[str]
    addresses: list[str]
    refusals: list[Any]
    """Answers that are none, to tell what was asked and why it was refused."""


@pytest.fixture(scope="session")
def window(browser):
    """A window in English. A window of its own costs each page as much as the page itself."""
    context = browser.new_context(
        viewport={"width": 1400, "height": 900}, locale="en-GB", accept_downloads=True
    )
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()


# Files are saved when a test says so, and a new tab knows nothing of earlier ones.
_BEGIN = """
if (location.protocol === 'http:' && !sessionStorage.getItem('begun')) {
  sessionStorage.setItem('begun', 'yes');
  localStorage.clear();
  localStorage.setItem('studio', '{"autosave": false}');
}
"""


@pytest.fixture
def page(window):
    """A page in a new tab, which fails the test if it throws, breaks its policy or asks for what is
    not there."""
    opened = window.new_page()
    opened.add_init_script(_BEGIN)
    opened.watched = watch(opened)
    yield opened
    assert opened.watched.faults == [], [
        (each.url, each.text()) for each in opened.watched.refusals
    ]
    for each in window.pages:
        each.close()


def watch(opened) -> Watched:
    watched = Watched([], [], [])
    opened.on("pageerror", lambda error: watched.faults.append(str(error.stack)))
    opened.on("request", lambda request: watched.addresses.append(request.url))
    opened.on(
        "response", lambda response: response.status >= 400 and watched.refusals.append(response)
    )
    opened.on("console", lambda message: _tell(watched, message))
    return watched


# A studio that has stopped; and Chromium's own editing of the text, which tries to keep styles and
# is not let.
_EXPECTED = (
    "ERR_CONNECTION",
    "ERR_INCOMPLETE",
    "ERR_EMPTY",
    "503 (Service Unavailable)",
    "Applying inline style violates",
)


def _tell(watched: Watched, message) -> None:
    if message.type == "error" and not any(each in message.text for each in _EXPECTED):
        watched.faults.append(message.text)


def version(page) -> str:
    """The version of the picture that is shown."""
    return page.locator(".viewer").first.get_attribute("data-version") or ""


def wait_for_new(page, before: str) -> None:
    page.wait_for_function(
        "before => (document.querySelector('.viewer').dataset.version || '') !== before", arg=before
    )


def until(holds: Callable[[], bool], seconds: float = TIMEOUT_MS / 1000) -> None:
    """Waits until it holds; what it looks up may not be there yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(LookupError):
            if holds():
                return
        time.sleep(0.05)
    raise AssertionError("waited in vain")
