"""What tests of several folders share: the built pack of 18EU, and the command."""

from __future__ import annotations

import gc
import io
import os
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import HealthCheck, settings

from missing_words import missing_words
from packs import Pack, build
from platelayer.cli.app import exit_status
from platelayer.foundation.cache import FOLDER
from platelayer.foundation.pool import PROCESSES
from platelayer.pipeline import faces
from platelayer.pipeline.job import BuildOptions

# What the tests of every title share tells what it compares.
pytest.register_assert_rewrite("looks.every_face")

# The gate tries the same examples every time; HYPOTHESIS_PROFILE=explore looks for new ones. How
# long an example takes depends on what else the machine does.
settings.register_profile(
    "gate",
    max_examples=30,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))

# What is loaded and drawn for all tests stays to the end, and a collector that looks through it again
# and again takes an eighth of the time.
gc.set_threshold(50_000, 20, 20)

# pytest-xdist keeps all processors busy: a build in a test process stays in it. The command that
# tests run does not.
os.environ[PROCESSES] = "1"

# No test finds what another has left in the user's cache, or leaves anything there.
os.environ[FOLDER] = ""


@pytest.fixture(autouse=True, scope="session")
def own_caches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the system keep its caches in a folder of the tests."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("caches"))


@pytest.fixture(autouse=True, scope="session")
def drawing() -> Iterator[None]:
    """Let tests draw, also where `make predrawn` has been run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faces, "predrawn", lambda *_given: None)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With `-n auto` a worker more than there are processors: tests of pages wait for a browser."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of tests that wait for a browser stand evenly among the others, which are busy."""
    files = dict.fromkeys(item.path for item in items)
    waiting = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    busy = [path for path in files if path not in waiting]
    place: dict[Path, float] = {path: number for number, path in enumerate(busy)}
    for number, path in enumerate(path for path in files if path in waiting):
        place[path] = number * len(busy) / len(waiting)
    items.sort(key=lambda item: place[item.path])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name fixed words that await their translation: `tools/missing_words.py` stops a release."""
    for code, words in missing_words().items():
        shown = ", ".join(words[:20])
        terminalreporter.write_line(
            f"{code}.json lacks {len(words)} words, shown in English: {shown}"
        )


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """The whole pack of 18EU on A4, built once."""
    return build("18eu", tmp_path_factory.mktemp("pack"), BuildOptions())


@pytest.fixture
def platelayer(tmp_path: Path):
    """The command in this process, run in an empty folder. What a test of the process itself needs
    starts one of its own."""

    def run(*words: object, cwd: Path = tmp_path) -> CompletedProcess[str]:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        arguments = [*map(str, words)]
        with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
            status = exit_status(arguments)
        printed = (each.buffer.getvalue().decode() for each in (out, err))
        return CompletedProcess(arguments, status, *printed)

    return run
