"""The lowest releases that pyproject.toml declares: each title prints with them, and surveys
run."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


def _lowest() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = []
    for entry in (*project["dependencies"], *project["optional-dependencies"]["cluster"]):
        name, extras, bound = re.fullmatch(r"([\w.-]+)(\[\w+\])?>=([\d.]+)(?:;.*)?", entry).groups()
        pins += [f"{each}=={bound}" for each in (name, *re.findall(r"\w+", extras or ""))]
    return pins


@pytest.mark.slow
def test_every_title_prints_with_the_lowest_releases_declared(tmp_path: Path) -> None:
    pins = tmp_path / "pins.txt"
    pins.write_text("\n".join(_lowest()), encoding="utf-8")

    def run(*words: object) -> str:
        done = subprocess.run(
            [*map(str, words)], check=False, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "venv")
    python = next(path for path in sorted((tmp_path / "venv").glob("*/python*")) if path.is_file())
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        f"{ROOT}[cluster]",
        "-c",
        pins,
    )
    for title in TITLES:
        run(python, "-m", "platelayer", "build", title, "-o", "out")
        run(
            python,
            "-m",
            "platelayer",
            "preflight",
            *sorted((tmp_path / "out" / title).glob("*.pdf")),
        )
    run(
        python,
        "-m",
        "platelayer",
        "build",
        "18eu",
        "-o",
        "press",
        "--color",
        "cmyk",
        "--cut",
        "spot",
        "--duplex",
        "long",
    )
    run(python, "-m", "platelayer", "draw", "18eu", "tile:57", "-o", "57.png")
    run(python, "-m", "platelayer", "atlas", "new", "--mode", "micro2", "--seed", "1", "-o", "map")
    run(
        python,
        "-m",
        "platelayer",
        "atlas",
        "survey",
        "--mode",
        "micro2",
        "--count",
        "300",
        "-o",
        "survey",
    )
    assert (tmp_path / "survey" / "maps.csv").exists()
