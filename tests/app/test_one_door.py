"""One door: files are read, JSON is parsed and names are joined to folders in `foundation/door.py`
alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "platelayer"
DOORS = ("foundation/door.py", "foundation/resources.py")
FOLDERS = (
    "around",
    "aside",
    "chunks",
    "data",
    "folder",
    "here",
    "home",
    "into",
    "parent",
    "path",
    "place",
    "real",
    "root",
)
"""Last words of the names that folders have in our code. Division is for folders and numbers
alike."""


def _word(node: ast.expr) -> str:
    """The last word of what something is called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").rpartition("_")[2]
        case ast.Call(func=func):
            return _word(func)
    return ""


def _is_said(node: ast.expr) -> bool:
    """Whether a name is said in the code itself: a text, or a constant."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
        case ast.JoinedStr(values=values):
            return all(
                not isinstance(value, ast.FormattedValue) or _is_said(value.value)
                for value in values
            )
    return False


def found(source: str) -> Iterator[tuple[int, str]]:
    """Lines that go past the door, and how."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr | ast.ImportFrom) and (
            how := _read(node) or ("join" if _joins(node) else "")
        ):
            yield node.lineno, how


def _read(node: ast.AST) -> str:
    """How a file is read, or JSON is parsed."""
    match node:
        case ast.ImportFrom(module="json" | "io" | "os" | "fileinput" | "mmap" | "builtins"):
            return f"from {node.module} import"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="json"), attr="load" | "loads" as name)):
            return f"json.{name}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="open")):
            return "os.open"
        case ast.Call(
            func=ast.Attribute(attr="read_text" | "read_bytes" | "resolve" as name, value=whose),
            args=args,
        ):
            return "" if _word(whose) == "door" or (name == "resolve" and args) else name
        case ast.Call(func=ast.Name(id="open") | ast.Attribute(attr="open")) if _reads(node):
            return "open"
    return ""


def _joins(node: ast.AST) -> bool:
    """Whether a name that the code does not say is joined to a folder."""
    match node:
        case ast.Call(func=ast.Attribute(attr="joinpath"), args=names):
            return not all(map(_is_said, names))
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path"), attr="join")):
            return True
        case ast.Call(func=ast.Name(id="Path" | "PurePath"), args=[_, *names]):
            return not all(map(_is_said, names))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Div):
                left = left.left
            return _word(left) in FOLDERS and not _is_said(right)
    return False


def _reads(call: ast.Call) -> bool:
    """Whether a call of something called "open" is one of a file, to read it."""
    whose = call.func.value if isinstance(call.func, ast.Attribute) else None
    if whose is not None and _word(whose) in ("workspace", "pikepdf", "webbrowser", "self"):
        return False
    modes = [
        arg.value
        for arg in call.args
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
    ]
    return not modes or "r" in modes[-1]


@cache
def everything() -> set[tuple[str, str]]:
    """All that goes past the door, by file."""
    paths = (
        path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix() not in DOORS
    )
    return {
        (path.relative_to(PACKAGE).as_posix(), how)
        for path in paths
        for _, how in found(path.read_text("utf-8"))
    }


EXEMPT = {
    # Our own: sources, ids and numbers that the code makes, names of files that it has just made.
    ("atlas/layouts.py", "read_bytes"): "our own sources",
    ("atlas/layouts.py", "join"): "names of our own sources",
    ("foundation/cache.py", "join"): "digests as names",
    ("atlas/survey.py", "join"): "names of its own files",
    ("atlas/make.py", "join"): "names of files that were written",
    ("pipeline/build.py", "join"): "names of files that were written",
    (
        "comparison/compare.py",
        "join",
    ): "the name of a folder, for a copy of it, and a fixed name in those of PATH",
    ("pipeline/write.py", "join"): "the other door, that for writing: it checks each name",
    ("exchange/maker.py", "join"): "fixed names",
    ("exchange/importers.py", "join"): "fixed names",
    ("exchange/imported.py", "join"): "a checked name, read within its folder",
    # Shown, not read.
    ("cli/app.py", "join"): "shown",
    ("cli/reports.py", "join"): "shown",
    ("definitions/assemble.py", "join"): "a path as the user would type it",
    # Checked by `Folder.inside`, which knows what belongs to a title.
    ("studio/answers.py", "join"): "a name of letters and digits",
    ("studio/desk.py", "join"): "lines of JSON",
    ("studio/editing.py", "join"): "names that Folder has checked",
    ("studio/folder.py", "join"): "here names are checked",
    ("studio/view.py", "join"): "a name that Folder has checked",
    ("studio/worker.py", "join"): "names that Folder has checked",
    ("studio/workspace.py", "join"): "names that Folder has checked",
    # Not files of anybody's.
    ("cli/app.py", "os.open"): "the null device",
    ("cli/terminal.py", "os.open"): "the null device",
    ("foundation/apart.py", "open"): "the null device",
    ("pipeline/write.py", "os.open"): "locks",
    ("preflight/document.py", "read_bytes"): "a stream of pikepdf's",
    ("foundation/pixels.py", "from io import"): "bytes that the door has read, for Pillow",
    ("imposition/ganging.py", "join"): "a division",
    ("scene/paths.py", "join"): "a division",
    # Doors of their own, which open nothing else.
    (
        "definitions/source.py",
        "json.loads",
    ): "definitions, with bounds of their own, whose lines are known",
}
"""What may go past the door, and why."""


def test_nothing_goes_past_the_door() -> None:
    assert everything() - EXEMPT.keys() == set(), (
        "read files by foundation/door.py, shipped ones by resources.py"
    )


def test_no_exemption_is_idle() -> None:
    assert EXEMPT.keys() - everything() == set()


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("Path(name).read_text()", "read_text"),
        ("path.read_bytes()", "read_bytes"),
        ("open(name)", "open"),
        ("path.open('rb')", "open"),
        ("os.open(name, 0)", "os.open"),
        ("path.resolve()", "resolve"),
        ("json.loads(text)", "json.loads"),
        ("from json import loads", "from json import"),
        ("folder / name", "join"),
        ("self._folder / 'a' / name", "join"),
        ("view.folder.parent / f'{name}.json'", "join"),
        ("os.path.join(folder, name)", "join"),
        ("Path(folder, name)", "join"),
        ("own_place() / name", "join"),
    ],
)
def test_ways_past_it_are_seen(line: str, how: str) -> None:
    assert [each for _, each in found(line)] == [how]


@pytest.mark.parametrize(
    "line",
    [
        "door.read_text(path, 1)",
        "workspace.open(name)",
        "folder / 'title.json'",
        "width / height",
        "path.open('xb')",
        "Path(folder, 'a')",
    ],
)
def test_other_lines_are_not(line: str) -> None:
    assert not [*found(line)]
