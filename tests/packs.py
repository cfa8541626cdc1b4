"""Prints of the tests: built and written into a folder."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.foundation.problems import Problem
from platelayer.pipeline.build import build as build_in_memory
from platelayer.pipeline.job import BuildOptions, Change


class Pack(NamedTuple):
    """What a print wrote."""

    folder: Path
    files: tuple[Path, ...]
    pages: int
    pieces: int
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...]

    @property
    def manifest(self) -> Any:
        """Its manifest.json."""
        return json.loads((self.folder / "manifest.json").read_bytes())


def build(reference: str, output: Path, options: BuildOptions) -> Pack:
    """Print a title into `output/<title id>/`."""
    made = build_in_memory(reference, options)
    return Pack(
        output / made.title,
        made.write(output),
        made.pages,
        made.pieces,
        made.problems,
        made.changes,
    )


def pdf_text(path: Path, *options: str) -> str:
    """The text of a PDF, by poppler."""
    command = ["pdftotext", *options, path, "-"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout
