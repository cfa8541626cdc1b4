"""Files as large as are read: whatever they hold, refusing them takes time that grows no faster
than they do."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

import pytest

from often import often
from platelayer.definitions.source import MAX_BYTES, MAX_KEY
from platelayer.foundation.problems import MAX_PROBLEMS, Problem
from platelayer.pipeline.load import check

SECONDS = 5.0
"""Two and a half times what the slowest takes on a machine that does nothing else."""

HEAD = b'"format": "platelayer.title/1", "id": "x", "name": "x"'
MAP = (
    b'"maps": {"m": {"name": "x", "layout": "flat", "coordinates": {"letters": "rows"}, "hexes": {'
)


def filled(before: bytes, unit: bytes, after: bytes = b"") -> Callable[[int], bytes]:
    """A file of some size: a unit again and again, between two ends."""

    def make(size: int) -> bytes:
        return before + unit * ((size - len(before) - len(after)) // len(unit)) + after

    return make


def counted(before: bytes, unit: bytes, after: bytes) -> Callable[[int], bytes]:
    """The same with a number in the unit."""

    def units(room: int) -> Iterator[bytes]:
        number = 0
        while room >= len(unit) + 4:
            each = unit % number
            room -= len(each)
            number += 1
            yield each

    def make(size: int) -> bytes:
        return before + b"".join(units(size - len(before) - len(after))).rstrip(b",") + after

    return make


FILES: dict[str, Callable[[int], bytes]] = {
    "blanks in front": filled(b"", b"\n", b'{"nam": 1}'),
    "blanks between": filled(b'{"nam":', b" ", b"1}"),
    "blanks behind": filled(b'{"nam": 1}', b"\n"),
    "blanks everywhere": filled(b'{"nam": [', b"1 ,\n ", b"1]}"),
    "nothing but blanks": filled(b"", b"\n"),
    "a text not closed": filled(b'{"name": "', b"x"),
    "a text of escaped quotes": filled(b'{"name": "', b'\\"'),
    "backslashes": filled(b"", b"\\"),
    "a text of backslashes": filled(b'{"name": "', b"\\\\", b'"}'),
    "quotes": filled(b"", b'"'),
    "commas": filled(b'{"a": 1', b","),
    "commas and blanks": filled(b'{"a": 1', b", "),
    "commas, then a bracket": filled(b'{"a": 1', b",", b"}"),
    "brackets": filled(b"", b"["),
    "braces": filled(b"", b'{"a":'),
    "closing brackets": filled(b"", b"]"),
    "lists": filled(b"{%b, " % HEAD + b'"credits": [', b"[],", b"[]]}"),
    "lists of lists": filled(b"{%b, " % HEAD + b'"credits": [', b"[" * 36 + b"]" * 36 + b",", b"[]]}"),
    "zeros": filled(b"{%b, " % HEAD + b'"credits": [', b"0,", b"0]}"),
    "digits": filled(b"", b"7"),
    "fractions": filled(b"0.", b"7"),
    "numbers of many digits": filled(b'{"nam": [', b"7" * 4000 + b",", b"7]}"),
    "a key": filled(b'{"', b"k", b'": 1}'),
    "things in a long key": filled(b'{"' + b"k" * 100_000 + b'": {', b'"":0,', b'"":0}}'),
    "things in keys below keys": filled((b'{"' + b"k" * MAX_KEY + b'":') * 38 + b"[", b"NaN,", b"0]" + b"}" * 38),
    "one key": filled(b"{", b'"":0,', b'"":0}'),
    "keys twice": counted(b"{", b'"%x":0,"":0,', b"}"),
    "unknown keys": counted(b"{", b'"%x":0,', b"}"),
    "no numbers": filled(b'{"nam": [', b"NaN,", b"0]}"),
    "half characters": filled(b'{"nam": [', b'"\\ud83d",', b"0]}"),
    "choices of the wrong kind": counted(b"{%b, " % HEAD + MAP, b'"A%d":{"colour":"whit"},', b"}}}}"),
    "too many choices": counted(b"{%b, " % HEAD + b'"tiles": {', b'"T%x":0,', b"}}"),
    "entries of several kinds": counted(b"{%b, " % HEAD + b'"colours": [', b'%d,"a",[],', b"0]}"),
    "files that are not there": counted(b"{%b, " % HEAD + b'"maps": {', b'"T%x":"m.json",', b"}}"),
    "itself": counted(b"{%b, " % HEAD + b'"maps": {', b'"T%x":"title.json",', b"}}"),
    "variants": counted(b"{%b, " % HEAD + b'"variants": {', b'"T%x":{"name":"x","patch":{}},', b"}}"),
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def alone() -> Iterator[None]:
    """What earlier tests have left in memory is not the file's: a collection would look through all
    of it."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def timed(tmp_path) -> Callable[[bytes], tuple[float, tuple[Problem, ...]]]:
    """Seconds of processor time that checking a title file takes, and its problems."""

    def run(data: bytes) -> tuple[float, tuple[Problem, ...]]:
        path = tmp_path / "title.json"
        path.write_bytes(data)
        began = time.process_time()
        problems = check(str(path), quick=True)
        return time.process_time() - began, problems

    return run


@pytest.mark.parametrize("make", often(FILES, *list(FILES)[::6]))
def test_time_grows_no_faster_than_the_file(make: Callable[[int], bytes], timed) -> None:
    data = make(MAX_BYTES)
    assert MAX_BYTES - 5000 < len(data) <= MAX_BYTES
    for _ in range(4):  # a machine with other work may take three times as long for once
        quarter, _problems = timed(make(MAX_BYTES // 4))
        whole, problems = timed(data)
        # Four times the size takes four times as long, or sixteen if it is squared.
        if whole < min(SECONDS, 8 * quarter + 0.5):
            break
    else:
        pytest.fail(f"{whole:.1f} s for the whole, {quarter:.1f} s for a quarter")
    assert 0 < len(problems) <= 2 * MAX_PROBLEMS + 2
    assert max(len(str(problem)) + len(problem.pointer) for problem in problems) < 60 * MAX_KEY
