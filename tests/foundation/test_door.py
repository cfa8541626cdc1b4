"""The door through which everything from disk comes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct

from platelayer.foundation.door import (
    NotRead,
    SafeName,
    inside,
    is_safe_path,
    parse_json,
    read_bytes,
    read_json,
    read_start,
)
from platelayer.foundation.problems import CannotRun

MOST = 1000


class Kept(Struct):
    """What a file of these tests holds."""

    count: int
    names: dict[SafeName, list[str]] = {}


# --- names

SAFE = (
    "a",
    "title.json",
    "a b",
    ".hidden",
    "..a",
    "com",
    "com10",
    "console",
    "nul-1",
    "地図.json",
    "a" * 255,
    "é",
    "-",
)
UNSAFE = (
    "", ".", "..", "a/b", "/", "\\", "a\\b", "C:", "c:x.json", "a:stream", "CON", "con.json", "Aux.svg", "nul .txt",
    "COM1", "lpt9.a.b", "COM¹", "conin$", "a.", "a ", "...", "a\n", "\na", "a\0", "\x7f", "a\x85", "a*", "a?", '"', "<",
    ">", "|", "\ud800", "a" * 256, " con",
)  # fmt: skip


@pytest.mark.parametrize("name", SAFE)
def test_names_that_every_system_takes(name: str) -> None:
    assert msgspec.convert(name, SafeName) == name
    assert is_safe_path(f"b/{name}")


@pytest.mark.parametrize("name", UNSAFE)
def test_names_that_some_system_reads_otherwise(name: str, tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(name, SafeName)
    for path in {name, f"a/{name}", f"{name}/a"} - {"a/b", "a/a/b", "a/b/a"}:
        assert not is_safe_path(path)
        with pytest.raises(CannotRun):
            inside(tmp_path, path)


@pytest.mark.parametrize(
    "path",
    ["C:/x.json", "//server/share/x.json", "/etc/passwd", "a//b", "a/../b", "./a", "a/", "~/../x"],
)
def test_paths_that_leave_their_folder(path: str, tmp_path: Path) -> None:
    assert not is_safe_path(path)
    with pytest.raises(CannotRun):
        inside(tmp_path, path)


def test_a_name_inside_a_folder(tmp_path: Path) -> None:
    (tmp_path / "real/sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real/way").symlink_to(tmp_path)
    (tmp_path / "real/file").symlink_to("nothing")
    assert inside(tmp_path / "real", "sub/a.json") == tmp_path / "real/sub/a.json"
    assert (
        inside(tmp_path / "link", "a.json") == tmp_path / "link/a.json"
    )  # the folder itself may be a link
    for name in ("way", "way/a.json", "file"):
        with pytest.raises(CannotRun, match=": this is a link, or lies behind one"):
            inside(tmp_path / "real", name)
    with pytest.raises(CannotRun, match=": this is a link, or lies behind one"):
        inside(tmp_path, "link/sub/a.json")


# --- files


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def _loop(path: Path) -> None:
    path.symlink_to(path)


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "nothing": (lambda path: None, "there is no such file"),  # noqa: ARG005
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "there is no such file"),
    "a folder": (lambda path: path.mkdir(), "this is a folder, not a file"),
    "a pipe": (_fifo, "this is not a regular file"),
    "a link to itself": (_loop, "this file cannot be read: "),
    "a terabyte": (_huge, "this file is too large; at most 1000 bytes are read"),
    "a link out": (
        lambda path: path.symlink_to("/etc/passwd"),
        "this is a link that leads out of its folder",
    ),
}


@pytest.mark.parametrize("case", NO_FILES)
def test_what_is_no_file_is_reported_in_a_line(case: str, tmp_path: Path) -> None:
    make, words = NO_FILES[case]
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "a.json"
    make(path)
    for read in (
        read_bytes,
        lambda path, most, within: read_json(path, dict, most, within=within),
    ):
        with pytest.raises(NotRead) as raised:
            read(path, MOST, within=path.parent)
        assert str(raised.value).startswith(f"{path}: {words}")
        assert raised.value.missing == (words == "there is no such file")


def test_a_null_in_a_path() -> None:
    with pytest.raises(NotRead, match="the path cannot be used"):
        read_bytes(Path("a\0b"), MOST)


def test_the_start_of_a_large_file(tmp_path: Path) -> None:
    _huge(tmp_path / "a")
    assert read_start(tmp_path / "a", 5) == bytes(5)


def test_devices(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("/dev/zero")
    for path in (Path("/dev/zero"), tmp_path / "a"):
        with pytest.raises(NotRead, match="this is not a regular file"):
            read_bytes(path, MOST)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell whose a file is")
def test_state_of_another_user_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("{}")
    assert read_json(tmp_path / "a", dict, MOST, own=True) == {}
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(NotRead, match="belongs to another user"):
        read_json(tmp_path / "a", dict, MOST, own=True)


# --- JSON

NO_JSON = {
    b"": ":1: this is not JSON: expecting value",
    b"{\n\n]": ":3: this is not JSON: ",
    b'{"count": 1}\xff': ":1: this is not UTF-8 text: byte 0xff is invalid",
    b"[" * 400 + b"]" * 400: ": objects and lists are nested too deeply",
    b"[" * 70 + b"]" * 70: ": objects and lists are nested too deeply; at most 60 levels are read",
    b'\n{"count": %s}' % (b"9" * 800): ":2: a number has 800 digits; at most 18 are read",
    b'{"count": 1e999}': ":1: the number 1e999 is too large",
    b'{"count": NaN}': ":1: NaN is not JSON",
    b'{"count":\n 1, "names": {"a": ["\\ud800"]}}': ":2: half of a surrogate pair is not a character",
    b"[]": ": expected an object, got a list",
    b"null": ": expected an object, got null",
    b'{"count": "1"}': ": count: expected a whole number, got a text",
    b"{}": ': the field "count" is missing',
    b'{"count": 1, "names": {"../up": []}}': ": names: this text is not of the form that is allowed",
    b'{"count": 1, "names": {"a": [1]}}': ": names[...][0]: expected a text, got a whole number",
}


@pytest.mark.parametrize("data", NO_JSON, ids=lambda data: ascii(data[:40]))
def test_what_is_no_such_json_is_reported_in_a_line(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(NotRead) as raised:
        read_json(path, Kept, MOST)
    assert str(raised.value).startswith(f"{path}{NO_JSON[data]}")
    assert "\n" not in str(raised.value)


class Many(Struct):
    """Fields of several kinds each; one is called as msgspec calls a kind."""

    float: bool
    some: list[int] | None = None
    any: int | str | None = None
    count: Annotated[int, Meta(le=5)] | None = None


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('{"float": true, "some": 5}', "some: expected a list or nothing, got a whole number"),
        ('{"float": true, "some": [null]}', "some[0]: expected a whole number, got null"),
        (
            '{"float": true, "any": []}',
            "any: expected a whole number, a text or nothing, got a list",
        ),
        ('{"float": true, "count": 6}', "count: expected a whole number <= 5"),
        ("{}", 'the field "float" is missing'),
    ],
)
def test_kinds_are_described_in_plain_words(text: str, printed: str) -> None:
    with pytest.raises(NotRead) as raised:
        parse_json(text, Many, name="a")
    assert raised.value.reason == printed


def test_very_deep_and_very_long() -> None:
    for text in ("[" * 1_000_000, '{"a":' * 1_000_000, "9" * 1_000_000):
        with pytest.raises(NotRead):
            parse_json(text, dict, name="a")
    with pytest.raises(NotRead, match="more than 100 values"):
        parse_json(f'{{"a": [{"1," * 100}1]}}', dict, name="a", most_values=100)


def test_what_is_sound_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(
        b'\xef\xbb\xbf{"count": 3, "names": {"y.json": ["\\ud83d\\ude82"]}}'
    )
    assert read_json(tmp_path / "a.json", Kept, MOST) == Kept(3, {"y.json": ["🚂"]})
    assert parse_json('{"a": 1.5}', dict, name="a") == {"a": 1.5}


@pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="only systems with named pipes have such files"
)
def test_a_file_that_would_say_more_later_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # /proc/kmsg says that it is a plain file, and lets readers wait: a pipe with no word in it,
    # said to be a file.
    pipe = tmp_path / "kmsg"
    os.mkfifo(pipe)
    held_open = os.open(pipe, os.O_RDWR)
    monkeypatch.setattr("platelayer.foundation.door.stat.S_ISREG", lambda _mode: True)
    try:
        assert read_start(pipe, 100) == b""
        os.write(held_open, b"<6> news")
        assert read_start(pipe, 100) == b"<6> news"
    finally:
        os.close(held_open)
