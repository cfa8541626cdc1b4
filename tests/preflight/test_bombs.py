"""Hostile PDFs end in problems or in none: in little memory, in little time, never in a
traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bombs import BOMBS, LARGEST

from platelayer.foundation.problems import codes

resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

MEMORY = 300 * 2**20
"""Bytes of address space, of which Python with pikepdf takes nearly a half before it looks at
anything."""
SECONDS = 10
ROOT = Path(__file__).parents[2]


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def checked(data: bytes, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command's check of a file, in a process of its own within the limits."""
    path = folder / "it.pdf"
    path.write_bytes(data)
    words = (
        "-m",
        "platelayer",
        "preflight",
        str(path),
        "--profile",
        "drivethrucards",
        "--format",
        "json",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), "MALLOC_ARENA_MAX": "1"}
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        preexec_fn=_limited,
        capture_output=True,
        encoding="utf-8",
        timeout=60
        * SECONDS,  # other work may keep the processor from it; what counts is its own time
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_a_file_like_others(name: str, tmp_path: Path) -> None:
    data = BOMBS[name]()
    assert len(data) <= LARGEST
    done = checked(data, tmp_path)
    assert (done.returncode in (0, 1), done.stderr) == (True, ""), done.returncode
    assert {problem["code"] for problem in json.loads(done.stdout)["problems"]} <= codes().keys()


def test_one_bomb_is_always_tried(tmp_path: Path) -> None:
    done = checked(BOMBS["content of paths"](), tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
