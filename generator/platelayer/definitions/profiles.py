"""Profiles: the limits of a print for one place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platelayer.definitions.decode import Json, decode
from platelayer.definitions.schemas import quick_check
from platelayer.definitions.source import read_checked, read_document
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.options import OPTIONS, Limits, PngLimits, PngSize, Profile


def profile_ids() -> tuple[str, ...]:
    """Ids of the profiles that come with Platelayer, sorted."""
    return tuple(sorted(path.stem for path in asset_path("profiles").glob("*.json")))


def load_profile(name_or_path: str | Path) -> Profile:
    """A shipped profile by its name ("home"), or any profile by the path of its file.

    Raises ProblemsFound: PR01 for an unknown name, FI, JS and SC codes for its contents.
    """
    words = str(name_or_path)
    shipped = profile_ids()
    if words in shipped:
        path = asset_path("profiles", f"{words}.json")
    elif words.endswith(".json") or "/" in words:
        path = Path(name_or_path)
    else:
        message = f'there is no profile "{words}"; known profiles: {listed(shipped)}'
        hint = suggestion(words, shipped) or "name a profile, or the path of a .json file"
        raise ProblemsFound([Problem("PR01", message, hint)])
    raw = read_checked(path, "profile", None if words in shipped else words).value
    limits = _limits(raw["limits"])
    options = {
        name: decode(OPTIONS[name].described, value)
        for name, value in raw.get("options", {}).items()
        if name != "$comment"
    }
    return decode(Profile, raw, limits=limits, options=options)


def _limits(raw: Json) -> Limits:
    sizes = tuple((float(width), float(height)) for width, height in raw.get("page_sizes_mm", ()))
    png = None
    if "png" in raw:
        given = raw["png"]
        pictures = tuple(
            _png_size(size_id, size, given["dpi"], given["bleed_mm"])
            for size_id, size in given["sizes"].items()
        )
        png = decode(PngLimits, given, sizes=pictures)
    return decode(Limits, raw, page_sizes_mm=sizes, png=png)


def _png_size(size_id: str, raw: Json, dpi: int, bleed_mm: float) -> PngSize:
    width_px, height_px = raw["pixels"]
    width_mm, height_mm = raw.get("trim_mm") or (
        round(pixels * MM_PER_INCH / dpi - 2 * bleed_mm, 3) for pixels in (width_px, height_px)
    )
    trim = (float(width_mm), float(height_mm))
    return decode(PngSize, raw, id=size_id, width_px=width_px, height_px=height_px, trim_mm=trim)


# Records of the files in a folder: the manifest.json of a print, and plain lists of files.


PRINT_FORMAT, FILES_FORMAT = "platelayer.build/1", "platelayer.files/1"
# Largest record read: ten times that of a whole box in pictures.
MAX_BYTES = 4 * 1024 * 1024


def read_print(path: Path) -> dict[str, Any]:
    """Read the manifest.json of a print. Raises ProblemsFound with every problem: FI, JS and SC
    codes."""
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
