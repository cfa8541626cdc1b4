"""Findings of a check, and the check of PNG pictures, which needs no library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.problems import MAX_PROBLEMS, Problem, Problems, severity_of
from platelayer.model.options import PngLimits

# Hint for damaged files.
ANEW = "export the file again from the program that made it"

# Maximum length of a message, as names in a file can have any length.
_LONGEST = 400
_MAX_RUNS = 8


class Findings:
    """Collects the problems of one file, at present those of a `page` (from 1; 0: anywhere). The
    same message for several pages becomes one problem."""

    def __init__(self, file: str) -> None:
        self._file, self.page = file, 0
        self._pages: dict[tuple[str, str, str], list[int]] = {}

    def add(self, code: str, message: str, hint: str = "") -> None:
        """Add a problem of the current page."""
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - 3]}..."
        pages = self._pages.setdefault((code, message, hint), [])
        if self.page not in pages[-1:]:
            pages.append(self.page)

    def problems(self) -> tuple[Problem, ...]:
        """Return all problems, by code, page and words."""
        rows = sorted(self._pages.items(), key=lambda row: (row[0][0], min(row[1]), row[0][1]))
        problems = [
            Problem(
                code,
                f"{page_words(filter(None, pages))}{message}",
                hint,
                severity=severity_of(code),
                file=self._file,
                pages=tuple(filter(None, pages)),
            )
            for (code, message, hint), pages in rows[:MAX_PROBLEMS]
        ]
        if len(rows) > MAX_PROBLEMS:
            message = f"{len(rows) - MAX_PROBLEMS} more problems in this file are not listed"
            problems.append(Problem("PF05", message, file=self._file))
        return tuple(problems)


def page_words(pages: Iterable[int]) -> str:
    """Return "pages 1-3, 7: " for a problem on these pages; "" for none."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and runs[-1][1] == page - 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    if not runs:
        return ""
    words = ", ".join(
        f"{first}" if first == last else f"{first}-{last}" for first, last in runs[:_MAX_RUNS]
    )
    if len(runs) > _MAX_RUNS:
        words += f" and {sum(last - first + 1 for first, last in runs[_MAX_RUNS:])} more"
    return f"page{'s' * (words != str(runs[0][0]))} {words}: "


SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Modes by PNG colour type (third edition, 11.2.1); palettes hold RGB.
_MODES = {0: "gray", 2: "rgb", 3: "rgb", 4: "gray", 6: "rgb"}
_WITH_ALPHA = (4, 6)
# Maximum number of chunks; usual programs write several thousand bytes per chunk.
_MOST_CHUNKS = 100_000
_PER_METRE = 1
# Rounding tolerance: resolutions are stored as whole dots per metre.
_DPI_SLACK = 0.6


def check_png(data: bytes, name: str, limits: PngLimits) -> tuple[Problem, ...]:
    """Return PF23 to PF26 for a picture: not one of the shop's sizes, its resolution, its colours.
    Without sizes, pictures are for screens and may have any size, and be transparent."""
    return tuple(replace(problem, file=name) for problem in _found(data, limits))


def _found(data: bytes, limits: PngLimits) -> Problems:
    chunks = dict(_chunks(data)) if data.startswith(SIGNATURE) else {}
    head = chunks.get(b"IHDR", b"")
    if len(head) != 13:
        words = "the file is empty" if not data else "this is not a PNG picture, or a damaged one"
        yield Problem("PF23", words, "export the picture again")
        return
    if b"IEND" not in chunks:
        message = "the picture ends too early, or is damaged"
        yield Problem("PF23", message, "export the picture again")
    width, height, depth, kind = struct.unpack(">IIBB", head[:10])
    allowed = [(one.width_px, one.height_px) for one in limits.sizes]
    if allowed and sorted((width, height)) not in map(sorted, allowed):
        words = " or ".join(dict.fromkeys(f"{wide} x {high}" for wide, high in allowed[:6]))
        more = " or another size of the shop" if len(allowed) > 6 else ""
        message = f"the picture is {width} x {height} pixels; it must be {words}{more}"
        hint = f"draw it at {limits.dpi} dpi with a bleed of {limits.bleed_mm:g} mm"
        yield Problem("PF23", message, hint)
    resolution = chunks.get(b"pHYs", b"")
    if len(resolution) != 9 or resolution[8] != _PER_METRE:
        message = f"the picture does not say its resolution; {limits.dpi} dpi is required"
        yield Problem("PF24", message, "add it (chunk pHYs)")
    else:
        across, down = (dots * MM_PER_INCH / 1000 for dots in struct.unpack(">II", resolution[:8]))
        if max(abs(across - limits.dpi), abs(down - limits.dpi)) > _DPI_SLACK:
            message = (
                f"the picture says {across:.4g} x {down:.4g} dpi; {limits.dpi} dpi is required"
            )
            yield Problem("PF24", message, f"draw it at {limits.dpi} dpi")
    if _MODES.get(kind) != limits.colours or depth != 8:
        mode = f"{_MODES.get(kind, 'unknown colours')}, {depth} bits"
        message = f"the colours are {mode}; {limits.colours} with 8 bits is required"
        yield Problem("PF25", message, f"save as {limits.colours}")
    if allowed and (kind in _WITH_ALPHA or b"tRNS" in chunks):
        message = "the picture has an alpha channel: parts of it may be transparent"
        severity, hint = severity_of("PF26"), "put it on a background"
        yield Problem("PF26", message, hint, severity=severity)


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield (kind, data) of every complete chunk, up to the first that is not. Nothing is copied or
    decompressed."""
    whole, at = memoryview(data), len(SIGNATURE)
    for _ in range(_MOST_CHUNKS):
        if at + 12 > len(data):
            return
        length, kind = struct.unpack_from(">I4s", data, at)
        body, check = whole[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if len(check) != 4 or zlib.crc32(body, zlib.crc32(kind)) != int.from_bytes(check, "big"):
            return
        yield kind, body
        at += 12 + length
