"""Python and the command in processes of their own, with our source and little else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[1] / "generator"


def run_python(
    *words: object, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with a path and these variables as its environment."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        env={"PATH": os.defpath, "PYTHONPATH": str(GENERATOR), **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def run_command(
    *words: object, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command; it never prints a traceback."""
    done = run_python("-m", "platelayer", *words, cwd=cwd, **environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
