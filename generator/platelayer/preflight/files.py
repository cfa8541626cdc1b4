"""The problems of a finished PDF or PNG, by its path."""

from __future__ import annotations

from pathlib import Path

from platelayer.foundation.files import read_at_most
from platelayer.foundation.problems import Problem
from platelayer.model.profile import Limits
from platelayer.preflight.inspect import MAX_FILE_BYTES, inspect_pdf
from platelayer.preflight.png import SIGNATURE, check_png


def check_file(path: Path, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a file by the limits of a profile: a PNG is checked as a picture if the profile takes pictures,
    anything else as a PDF. FI01 for a file that cannot be read at all, PF05 for one that is too large."""
    name = str(path)
    try:
        if path.is_dir():
            return (Problem(code="FI01", file=name, message="this is a folder, not a file", hint="name its files"),)
        size = path.stat().st_size or MAX_FILE_BYTES  # pipes say 0
        data = read_at_most(path, min(size, MAX_FILE_BYTES) + 1)
    except OSError as stop:
        return (Problem(code="FI01", file=name, message=f"cannot read the file: {stop.strerror or stop}"),)
    except ValueError:
        return (Problem(code="FI01", file=name, message="this is not a file name"),)
    if limits.png is not None and data.startswith(SIGNATURE):
        return check_png(data, name, limits.png)
    return inspect_pdf(data, name, limits)
