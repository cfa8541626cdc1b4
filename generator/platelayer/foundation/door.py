"""The only way to read files from disk, except for our own shipped files (see `resources`).

A file may be anything that a stranger has put there: a pipe, a device, a link, a folder, terabytes
of zeros, endless numbers. A test forbids other ways to read a file, to parse JSON or to join a name
to a folder.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, step

# Maximum nesting of objects and arrays.
MOST_DEEP = 60
# Maximum digits of an integer: up to here all programs read the same number.
MOST_DIGITS = 18
# Maximum bytes to read from a file that reports size 0, as system files do.
_UNTOLD = 1 << 20
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_NOCTTY"))
_SAFE = (
    r"\A(?![ ]*(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|\Z))"
    r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff/\\:*?\"<>|]{0,254}[^\x00-\x1f\x7f-\x9f\ud800-\udfff/\\:*?\"<>|. ]\Z"
)
# A file name that every system accepts: no separators, drives, streams or control characters, no
# Windows device (CON, COM1.txt), and no dot or space at the end, which also excludes "." and "..".
SafeName = Annotated[str, msgspec.Meta(pattern=_SAFE, max_length=255)]
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")

T = TypeVar("T")


class NotRead(CannotRun):
    """Raised for a file that is refused. `code` is that of a problem: FI01 if it is not a file,
    JS01 if it is not JSON, JS03 if it is too large or too deeply nested, JS04 if it is not text,
    SC01 if it has another type. `reason` says why, without the name of the file; `line` and
    `column` count from 1, 0 = unknown."""

    def __init__(
        self,
        name: str,
        reason: str,
        line: int = 0,
        column: int = 0,
        *,
        code: str = "FI01",
        hint: str = "",
    ):
        words = f"{reason} (hint: {hint})" if hint else reason
        super().__init__(f"{name}:{line}: {words}" if line else f"{name}: {words}")
        self.reason, self.line, self.column, self.code, self.hint = reason, line, column, code, hint

    @property
    def missing(self) -> bool:
        """True if no file of that name exists."""
        return isinstance(self.__cause__, (FileNotFoundError, NotADirectoryError))

    def found(self, file: str) -> ProblemsFound:
        """Return the refusal as a problem of the file, named as the user knows it."""
        problem = Problem(
            self.code, self.reason, self.hint, file=file, line=self.line, column=self.column
        )
        return ProblemsFound([problem])


def is_safe_path(name: str) -> bool:
    """True if a name consists of safe names joined by "/"."""
    return all(len(part) <= 255 and re.match(_SAFE, part) for part in name.split("/"))


def distinct(name: str, taken: set[str]) -> str:
    """Return a file name that differs from all in `taken`, and add it to them. It is numbered if a
    system that ignores case or the encoding of accents would confuse it with another, and gets a
    "_" in front if it is the name of a Windows device."""
    name = name if is_safe_path(name) else f"_{name}"
    tried = chain((name,), (f"{name}~{number}" for number in count(2)))
    chosen = next(each for each in tried if _folded(each) not in taken)
    taken.add(_folded(chosen))
    return chosen


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def check_names(names: Iterable[str]) -> None:
    """Raise CannotRun if these files cannot coexist on every system."""
    taken: dict[str, str] = {}
    for name in names:
        if not is_safe_path(name):
            raise CannotRun(f"{name!r} is not a valid file name on every system")
        other = taken.setdefault(_folded(name), name)
        if other is not name:
            raise CannotRun(f"{other!r} and {name!r} are one file where case does not count")


def inside(folder: Path, name: str) -> Path:
    """Return the path in a folder for a name that comes from outside: safe names joined by "/".
    Raises NotRead for any other name, and if a link would be followed; the folder itself may be
    a link."""
    if is_safe_path(name):
        try:
            plain = Path(os.path.realpath(folder), *name.split("/"))
            if os.path.normcase(os.path.realpath(plain)) == os.path.normcase(plain):
                return folder.joinpath(*name.split("/"))
        except (OSError, ValueError):
            pass
        hint = "put the file or folder itself there"
        raise NotRead(str(folder / name), "this is a link, or lies behind one", hint=hint)
    raise NotRead(
        str(folder), f"{name!r} is not the name of a file in this folder that every system takes"
    )


def joined(folder: Path, name: str) -> Path:
    """Return the path of a file that another file in the folder names. It may be a link, but not to
    anything outside the folder. Raises NotRead."""
    path = folder / name
    # Invalid paths are reported when the file is read.
    with suppress(OSError, ValueError, RuntimeError):
        if Path(name).is_absolute() or not real(path).is_relative_to(real(folder)):
            raise NotRead(
                str(folder), f'"{name}" leads out of this folder', hint="put the file there"
            )
    return path


def unpack(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files with names that come from outside into a temporary folder. Raises CannotRun."""
    for name, data in files.items():
        path = inside(folder, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise CannotRun(f"cannot write {path}: {error.strerror or error}") from error


def real(path: Path) -> Path:
    """Return the path with all links resolved; a link to itself stays. (`Path.resolve` would raise
    RuntimeError for that.)"""
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path.absolute()


def is_there(path: Path) -> bool:
    """Return True if anything of that name exists, even a broken link."""
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def read_bytes(
    path: Path, most: int, *, name: str = "", within: Path | None = None, own: bool = False
) -> bytes:
    """Return the content of a regular file of at most `most` bytes. Messages call it `name`. A link
    is followed, but not out of the folder `within`; with `own`, the file must belong to this
    user, where the system tells. Raises NotRead."""
    data = _read(path, most + 1, name or str(path), within, own)
    if len(data) > most:
        reason = f"this file is too large; at most {_in_words(most)} are read"
        raise NotRead(name or str(path), reason, code="JS03")
    return data


def read_start(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a regular file. Raises NotRead."""
    return _read(path, most, str(path), None, own=False)


def _read(path: Path, most: int, name: str, within: Path | None, own: bool) -> bytes:
    try:
        if within is not None and not real(path).is_relative_to(real(within)):
            raise NotRead(
                name, "this is a link that leads out of its folder; put the file itself there"
            )
        # Check before opening: opening a device may have side effects.
        if not stat.S_ISREG(path.stat().st_mode):
            _refuse_kind(path, name)
        with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                _refuse_kind(path, name)
            if own and not is_own(status):
                raise NotRead(name, "this file belongs to another user")
            size = status.st_size or _UNTOLD  # read() allocates as many bytes as it is asked for
            # A file without data yet that may have some later (/proc/kmsg) counts as empty.
            data = stream.read(min(most, size + 1)) or b""
        if not own:  # cache files are not reported here, but as part of the step that uses them
            step(f"read {name}: {len(data):,} bytes")
        return data
    except FileNotFoundError as error:
        raise NotRead(name, "there is no such file") from error
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a symbolic link to itself
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "the path cannot be used"
        )
        raise NotRead(name, f"this file cannot be read: {reason}") from error


def _refuse_kind(path: Path, name: str) -> NoReturn:
    if path.is_dir():
        raise NotRead(name, "this is a folder, not a file", hint="name a file in it")
    raise NotRead(
        name,
        "this is not a regular file",
        hint="pipes and devices are not read; write a file first",
    )


def is_own(status: os.stat_result) -> bool:
    """Return True if a file belongs to this user. Windows does not tell, and a browser has only one
    user."""
    return sys.platform in ("win32", "emscripten") or status.st_uid == os.geteuid()


def read_text(path: Path, most: int) -> str:
    """Return the text of a file read as by `read_bytes`: UTF-8, with or without a byte order mark.
    Raises NotRead."""
    return decoded(read_bytes(path, most), str(path))


def decoded(data: bytes, name: str) -> str:
    """Return the bytes of a file as text. Raises NotRead."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1
        reason = f"this is not UTF-8 text: byte 0x{data[error.start]:02x} is invalid"
        raise NotRead(
            name, reason, line, column, code="JS04", hint="save the file as UTF-8"
        ) from error


def read_json(
    path: Path,
    kind: type[T],
    most: int,
    *,
    most_values: int = sys.maxsize,
    within: Path | None = None,
    own: bool = False,
) -> T:
    """Return the value of a JSON file of at most `most` bytes, as a `kind` that msgspec can convert
    to: a Struct, `dict[str, int]`, `dict`. Raises NotRead like `read_bytes` and `parse_json`."""
    text = decoded(read_bytes(path, most, within=within, own=own), str(path))
    return parse_json(text, kind, name=str(path), most_values=most_values)


def parse_json(text: str, kind: type[T], *, name: str, most_values: int = sys.maxsize) -> T:
    """Return the value of a JSON text; messages call it `name`. Raises NotRead like `parse_value`,
    and for a value that is not of this `kind`."""
    value = parse_value(text, name=name, most_values=most_values)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise NotRead(name, plain_fault(error), code="SC01") from error


def parse_value(text: str, *, name: str, most_values: int = sys.maxsize) -> Any:
    """Return the value of a JSON text, of any type. Raises NotRead if it is not JSON, is nested
    deeper than MOST_DEEP, has more than `most_values` values, or contains numbers of more than
    MOST_DIGITS digits, infinities, or unpaired surrogates."""

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            reason = f"a number has {len(digits):,} digits; at most {MOST_DIGITS} are read"
            raise NotRead(name, reason, _line_of(text, digits), code="JS03")
        return int(digits)

    def fraction(literal: str) -> float:
        number = float(literal)
        if number in (float("inf"), float("-inf")):
            raise NotRead(
                name,
                f"the number {literal[:40]} is too large",
                _line_of(text, literal),
                code="JS03",
            )
        return number

    def constant(word: str) -> NoReturn:
        reason = f"{word} is not JSON; numbers are written as digits"
        raise NotRead(name, reason, _line_of(text, word), code="JS01")

    try:
        value = json.loads(text, parse_int=whole, parse_float=fraction, parse_constant=constant)
    except json.JSONDecodeError as error:
        reason = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
        raise NotRead(name, reason, error.lineno, error.colno, code="JS01") from error
    except RecursionError as error:
        raise _too_deep(name) from error
    _check_values(value, text, name, most_values)
    return value


def _check_values(value: Any, text: str, name: str, most_values: int) -> None:
    count, layer, may_hold_halves = 1, [value], _ESCAPED_SURROGATE.search(text) is not None
    for _ in range(MOST_DEEP + 1):
        deeper: list[Any] = []
        for node in layer:
            if may_hold_halves and isinstance(node, str) and (half := _SURROGATE.search(node)):
                written = re.search(rf"\\u{ord(half[0]):04x}", text, re.IGNORECASE)
                line = text.count("\n", 0, written.start() if written else 0) + 1
                reason = "half of a surrogate pair is not a character; write the whole character"
                raise NotRead(name, reason, line, code="JS04")
            if isinstance(node, dict):
                deeper += node
                deeper += node.values()
            elif isinstance(node, list):
                deeper += node
        if not deeper:
            return
        count += len(deeper)
        if count > most_values:
            raise NotRead(
                name, f"there are more than {most_values:,} values in this file", code="JS03"
            )
        layer = deeper
    raise _too_deep(name)


def _too_deep(name: str) -> NotRead:
    return NotRead(
        name,
        f"objects and lists are nested too deeply; at most {MOST_DEEP} levels are read",
        code="JS03",
    )


def _line_of(text: str, literal: str) -> int:
    return text.count("\n", 0, text.find(literal)) + 1


_KINDS = {"object": "an object", "array": "a list", "str": "a text", "int": "a whole number", "float": "a number",
          "bool": "true or false", "bytes": "bytes in base64"}  # fmt: skip


def plain_fault(error: msgspec.ValidationError) -> str:
    """Return an error of msgspec ("Expected `array | null`, got `str` - at `$.a[0]`") in plain
    words."""
    message, _, at = str(error).partition(" - at ")
    where = at.replace("`", "").removeprefix("key in ").removeprefix("$").removeprefix(".")
    if " matching regex " in message:
        message = "this text is not of the form that is allowed"
    elif message.startswith("Expected"):
        message = re.sub(r"`([^`]*)`", lambda match: _kinds(match[1].split(" | ")), message)
    message = re.sub(r"Object missing required field `(.*)`", r'the field "\1" is missing', message)
    message = re.sub(r"Object contains unknown field `(.*)`", r'there is no field "\1"', message)
    words = message.replace("`", "")
    return f"{where}: {words[0].lower()}{words[1:]}" if where else words[0].lower() + words[1:]


def _kinds(names: list[str]) -> str:
    """Return kinds of JSON values in plain words: "a list", "a whole number, a text or nothing"."""
    *others, last = (
        _KINDS.get(name, "nothing" if name == "null" and len(names) > 1 else name) for name in names
    )
    return f"{', '.join(others)} or {last}" if others else last


def _in_words(most: int) -> str:
    """Return a number of bytes in words: "2 MB"."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if most >= unit:
            return f"{most // unit} {name}"
    return f"{most} bytes"
