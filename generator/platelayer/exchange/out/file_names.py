"""Names of exported files from a pattern such as "{kind}-{id}-{face}"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from string import Formatter

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import suggestion

FIELDS = ("title", "kind", "id", "face", "name", "group", "count", "language")
"""What a pattern may have in braces."""
PATTERN = "{kind}-{id}-{face}"

_MOST_BYTES = 240
"""Of a name with its suffix; file systems take 255."""
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)


def check_pattern(pattern: str) -> None:
    """Raises CannotRun for a pattern that is none, or names a field that there is not."""
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as stop:
        raise CannotRun(f"--name: {pattern!r} is not a pattern ({stop}); write e.g. {PATTERN}") from stop
    fields = [field for _, field, _, _ in parts if field is not None]
    for field, form, conversion in ((field, form, how) for _, field, form, how in parts if field is not None):
        if field not in FIELDS:
            hint = suggestion(field, FIELDS) or f"fields are {', '.join(FIELDS)}"
            raise CannotRun(f"--name: there is no field {{{field}}}; {hint}")
        if form or conversion:
            raise CannotRun(f"--name: a field is its name in braces alone, {{{field}}}")
    if not fields:
        raise CannotRun(
            f"--name: {pattern!r} has no field, so that all files would have one name; write e.g. {PATTERN}"
        )
    if pattern.startswith("/") or any(part in ("", ".", "..") for part in pattern.split("/")):
        raise CannotRun(f"--name: {pattern!r} leads out of the folder, or to no file")


def file_name(pattern: str, fields: Mapping[str, str]) -> str:
    """The name, without a suffix. A slash of the pattern makes a folder; a field makes none, and what not every system
    takes in a name becomes "_"."""
    filled = pattern.format_map({key: _FORBIDDEN.sub("_", value) for key, value in fields.items()})
    return "/".join(_part(part) for part in unicodedata.normalize("NFC", filled).split("/"))


def _part(part: str) -> str:
    plain = part.rstrip(" .") or "_"
    return f"_{plain}" if _DEVICES.fullmatch(plain) else plain


def check_names(names: Sequence[tuple[str, str]]) -> None:
    """Raises CannotRun for two faces with one name (as systems see it that ignore case), and for a name too long.
    `names` pairs names with what they are of."""
    taken: dict[str, str] = {}
    for name, whose in names:
        if any(len(part.encode()) > _MOST_BYTES for part in name.split("/")):
            raise CannotRun(f"--name: the name of {whose} would have more than {_MOST_BYTES} bytes: {name[:60]}...")
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in taken:
            raise CannotRun(
                f"--name: {taken[folded]} and {whose} would both be called {name}; tell them apart, e.g. with {PATTERN}"
            )
        taken[folded] = whose
