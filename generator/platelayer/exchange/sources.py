"""Files that an import opens."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

from platelayer.foundation.problems import CannotRun

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOCTTY"))
_MOST_DEEP = 60
_MOST_VALUES = 150_000
_MOST_DIGITS = 18
_HALF = re.compile("[\ud800-\udfff]")


def read_file(path: Path, most: int, *, name: str = "", within: Path | None = None) -> bytes:
    """All of a file that another program wrote: a regular file of at most `most` bytes that lies in the folder `within`
    (by default anywhere), even where it is a link. `name` is how messages call it.

    Raises CannotRun for anything else.
    """
    name = name or str(path)
    try:
        if within is not None and not path.resolve().is_relative_to(within.resolve()):
            raise CannotRun(f"{name} is a link that leads out of its folder; put the file itself there")
        if not stat.S_ISREG(path.stat().st_mode):  # looked at first: opening a device may do something
            raise CannotRun(f"{name} is not a regular file; an import reads nothing else")
        with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
            regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            data = (stream.read(most + 1) or b"") if regular else b""
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a link to itself
        raise CannotRun(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from error
    if not regular:
        raise CannotRun(f"{name} is not a regular file; an import reads nothing else")
    if len(data) > most:
        raise CannotRun(f"{name} is larger than {_size(most)}, too large for such a file of a game")
    return data


def is_there(path: Path) -> bool:
    """Whether there is anything of that name, be it a link that leads nowhere."""
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def read_json(path: Path, most: int, *, within: Path | None = None) -> Any:
    """The value of a JSON file that another program wrote. Raises CannotRun for a file that `read_file` refuses or
    that is not JSON, and for one that is too large or too deeply nested, or has numbers or characters that are none."""
    data = read_file(path, most, within=within)
    numbers: list[str] = []

    def whole(digits: str) -> int:
        if len(digits) > _MOST_DIGITS:
            numbers.append(digits)
            return 0
        return int(digits)

    try:
        text = data.decode("utf-8-sig")
        value = json.loads(text, parse_int=whole)
    except RecursionError as error:
        raise CannotRun(_too_deep(path)) from error
    except ValueError as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise CannotRun(f"{path} is not JSON{where}") from error
    if numbers:
        line = text.count("\n", 0, text.find(numbers[0])) + 1
        raise CannotRun(f"{path}:{line}: a number has {len(numbers[0]):,} digits; at most {_MOST_DIGITS} are read")
    _check_values(path, value, text)
    return value


def _check_values(path: Path, value: Any, text: str) -> None:
    """Raises CannotRun for what is nested too deeply, has too many values, or words that are no text."""
    count, layer = 0, [value]
    for _ in range(_MOST_DEEP + 1):
        deeper: list[Any] = []
        for node in layer:
            half = _HALF.search(node) if isinstance(node, str) else None
            if half is not None:
                written = re.search(rf"\\u{ord(half[0]):04x}", text, re.IGNORECASE)
                line = text.count("\n", 0, written.start() if written else 0) + 1
                raise CannotRun(
                    f"{path}:{line}: half of a surrogate pair is not a character; write the whole character"
                )
            if isinstance(node, dict):
                deeper += node
                deeper += node.values()
            elif isinstance(node, list):
                deeper += node
        count += len(deeper)
        if count > _MOST_VALUES:
            raise CannotRun(f"{path} has more than {_MOST_VALUES:,} values, which no file of a game has")
        layer = deeper
    if layer:
        raise CannotRun(_too_deep(path))


def _too_deep(path: Path) -> str:
    return f"{path} is nested too deeply; at most {_MOST_DEEP} levels of objects and lists are read"


def _size(most: int) -> str:
    return f"{most // 1024 // 1024} MB" if most >= 1024 * 1024 else f"{most // 1024} KB"
