"""Records of the files in a folder: the manifest.json of a print, and plain lists of files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platelayer.definitions.quick import quick_check
from platelayer.definitions.source import read_checked, read_document
from platelayer.foundation.problems import ProblemsFound

PRINT_FORMAT, FILES_FORMAT = "platelayer.build/1", "platelayer.files/1"
MAX_BYTES = 4 * 1024 * 1024
"""Largest record read: ten times that of a whole box in pictures."""


def read_print(path: Path) -> dict[str, Any]:
    """What the manifest.json of a print says. Raises ProblemsFound with every problem: FI, JS and
    SC codes."""
    value: dict[str, Any] = read_checked(path, "manifest", max_bytes=MAX_BYTES).value
    return value


def files_record(digests: Mapping[str, str]) -> bytes:
    """A plain list of files with their SHA-256, which is left out if it is ""."""
    files = [
        {"file": name, **({"sha256": digest} if digest else {})} for name, digest in digests.items()
    ]
    return (
        json.dumps({"format": FILES_FORMAT, "files": files}, ensure_ascii=False, indent=1) + "\n"
    ).encode()


def recorded_files(path: Path) -> dict[str, str]:
    """The files that a record lists, with their SHA-256 ("" if there is none). Empty if there is no
    record, or one that Platelayer did not write."""
    if path.is_symlink():
        return {}
    try:
        document = read_document(path, max_bytes=MAX_BYTES)
    except ProblemsFound:
        return {}
    value = document.value
    if (
        document.doubts
        or not isinstance(value, dict)
        or value.get("format") not in (PRINT_FORMAT, FILES_FORMAT)
    ):
        return {}
    listed = [value.get("files"), value.get("reports", [])]
    if not all(map(quick_check("manifest", "/$defs/files"), listed)):
        return {}
    return {file["file"]: file.get("sha256", "") for files in listed for file in files}
