"""Prints of the tests: built and written into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from platelayer.foundation.problems import Problem
from platelayer.pipeline.build import build as build_in_memory
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.reprint import Change


class Pack(NamedTuple):
    """What a print wrote."""

    folder: Path
    files: tuple[Path, ...]
    pages: int
    pieces: int
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...]


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
