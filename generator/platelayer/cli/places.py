"""Addresses of files in reports for programs."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def relative_path(file: str) -> str:
    """A file as a path with "/", relative to the working folder if it is inside it, else absolute."""
    here = Path.cwd()
    path = Path(os.path.normpath(here / file))  # not resolved: a link keeps the name that the user gave
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def file_uri(file: str) -> str:
    """A file as a URI reference (RFC 3986): relative if it is inside the working folder, else `file:///...`."""
    path = relative_path(file)
    if Path(path).is_absolute():
        return Path(path).as_uri()
    # A path looks like a scheme if its first part has a colon: "./a:b".
    return quote(path) if ":" not in path.partition("/")[0] else "./" + quote(path)
