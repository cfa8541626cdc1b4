"""Reading: positions, limits, files that are not there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.source import (
    MAX_BYTES,
    MAX_DEPTH,
    Document,
    read_checked,
    read_document,
)
from platelayer.foundation.problems import Problem, join_pointer, split_pointer
from refusals import refused

TEXT = '{\r\n  "name": "Zürich",\r\n  "a/b": {"m~n": [1, {"x": true}]}\r\n}\r\n'

values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)


def document(text: str) -> Document:
    return Document(file="x.json", path=Path("x.json"), text=text, value=json.loads(text))


def only_problem(path: Path) -> Problem:
    (problem,) = refused(read_document, path)
    return problem


@pytest.mark.parametrize(
    ("pointer", "key", "place"),
    [
        ("", False, (1, 1)),
        ("/name", False, (2, 11)),
        ("/name", True, (2, 3)),
        ("/a~1b", True, (3, 3)),
        ("/a~1b/m~0n", True, (3, 11)),
        ("/a~1b/m~0n/0", False, (3, 19)),
        ("/a~1b/m~0n/1/x", False, (3, 28)),
        ("/a~1b/m~0n/1/x", True, (3, 23)),
        ("/a~1b/m~0n/1/missing", True, (3, 22)),
        ("/nowhere/at/all", False, (1, 1)),
    ],
)
def test_locate(pointer: str, key: bool, place: tuple[int, int]) -> None:
    assert document(TEXT).place(pointer, key=key)[2:4] == place


def test_pointers_of_rfc_6901() -> None:
    # RFC 6901, section 5.
    for pointer, key in {
        "/a~1b": "a/b",
        "/m~0n": "m~n",
        "/": "",
        "/ ": " ",
        '/k"l': 'k"l',
        "/c%d": "c%d",
    }.items():
        assert join_pointer(key) == pointer
        assert split_pointer(pointer) == (key,)
    assert split_pointer("") == ()
    assert split_pointer("/foo/0") == ("foo", "0")


def each_value(
    value: object, pointer: str = "", key: str | None = None
) -> Iterator[tuple[str, object, str | None]]:
    yield pointer, value, key
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from each_value(inner, pointer + join_pointer(name), name)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from each_value(inner, pointer + join_pointer(index))


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_and_key_is_located_where_json_has_it(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    read = document(text)
    lines = text.split("\n")
    decoder = json.JSONDecoder()

    def found(pointer: str, *, key: bool) -> object:
        _, _, line, column, _ = read.place(pointer, key=key)
        return decoder.raw_decode("\n".join(lines[line - 1 :]), column - 1)[0]

    for pointer, expected, name in each_value(value):
        assert found(pointer, key=False) == expected
        assert found(pointer, key=True) == (expected if name is None else name)


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[2.0, 2.5, 1e2, 7]")
    value = read_document(path).value
    assert value == [2, 2.5, 100, 7]
    assert [type(each) for each in value] == [int, float, int, int]


def test_nesting_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    read_document(path)
    path.write_text("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    assert only_problem(path).code == "JS03"


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'"' + b"x" * MAX_BYTES + b'"')
    assert (only_problem(path).code, only_problem(path).message) == (
        "JS03",
        "this file is too large; at most 1 MB are read",
    )


def test_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes('{"a": 1}'.encode("utf-16"))
    assert only_problem(path).code == "JS04"


def test_files_that_are_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("nothing.json", "", "pipe", "loop", "nul\0.json", "x" * 300):
        assert only_problem(tmp_path / name).code == "FI01", name


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    problem = only_problem(path)
    assert (problem.code, problem.file) == ("FI01", str(path))
    assert "Permission denied" in problem.message


def test_read_checked_shows_everything(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"id": "x", "id": "y", "inks": {}, "strokes": {}}')
    problems = refused(read_checked, path, "theme", "as typed.json")
    assert [(problem.code, problem.pointer) for problem in problems] == [
        ("SC03", ""),
        ("JS02", "/id"),
        ("SC04", "/inks"),
    ]
    assert {problem.file for problem in problems} == {"as typed.json"}
