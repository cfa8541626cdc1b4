"""Commands of the documents: each page from top to bottom, in an empty folder, as a reader would
type them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "docs/getting-started.md",
    *(
        pytest.param(page, marks=pytest.mark.slow)
        for page in (
            *("README.md", "README.ja.md", "docs/checking.md", "docs/importing.md"),
            *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/printing*.md"))),
            *("docs/exporting.md", "docs/atlas.md"),
        )
    ),
]
# Set-up: tests/app/test_wheel.py and test_release.py try it.
SET_UP = (
    "make",
    "pipx",
    "uv",
    "uvx",
    "python3",
    "podman",
    "docker",
    "eval",
    "_PLATELAYER_COMPLETE",
)


def _files(text: str) -> dict[str, str]:
    """Files that a page shows, by the name in the comment above each."""
    return dict(re.findall(r"<!-- ([\w./-]+) -->\n```\w*\n(.*?)```\n", text, re.DOTALL))


def _lines(text: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _output_of(line: str) -> str | None:
    """The file or folder that a command is told to write."""
    words = shlex.split(line, comments=True)
    return words[words.index("-o") + 1] if "-o" in words else None


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_do_what_they_say(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text("utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PLATELAYER_CACHE": str(tmp_path / "cache"),
    }
    for name, shown in _files(text).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(shown, "utf-8")
    typed = [line for line in _lines(text) if not line.startswith(SET_UP)]
    assert sum(line.startswith("platelayer ") for line in typed) >= 3
    environment |= {"HOME": str(tmp_path), "SHELL": "/bin/bash"}
    for line in typed:
        done = subprocess.run(
            ["bash", "-ec", line],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if (output := _output_of(line)) is not None:
            assert (folder / output).exists(), line
