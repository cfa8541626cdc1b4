"""Commits of the git repository that a folder lies in. They are only read; nothing that the
repository names is run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from platelayer.foundation.door import is_safe_path
from platelayer.foundation.problems import CannotRun

MOST_COMMITS = 30
_PATIENCE_S = 4.0
_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
# A repository may come from anybody, and its settings name programs: to show a signature, to watch
# files, to fetch what is missing. `cat-file` and `ls-tree` run no filters.
_QUIET = ("-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}",
          "-c", "core.quotePath=false", "-c", "i18n.logOutputEncoding=UTF-8")  # fmt: skip
_SETTINGS = {
    "GIT_FLUSH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


class Commit(NamedTuple):
    """A commit: its id, when it was made (seconds since 1970), and its subject."""

    id: str
    time: int
    subject: str


def commits(folder: Path) -> tuple[Commit, ...]:
    """The last commits that touched a folder, the newest first: those that git finds in a short
    time. None if the folder is in no repository, or there is no git."""
    # Fields end in NUL, which no subject holds.
    log = _git(
        folder,
        "log",
        f"--max-count={MOST_COMMITS}",
        "--format=%H%x00%ct%x00%s%x00",
        "--",
        ".",
        patient=True,
    )
    fields = log.decode("utf-8", "replace").split("\0")
    return tuple(
        Commit(name.strip(), int(time), subject)
        for name, time, subject in zip(fields[:-1:3], fields[1:-1:3], fields[2:-1:3], strict=False)
        if _ID.fullmatch(name.strip()) and time.isdigit()
    )


def commit_of(folder: Path, revision: str) -> str:
    """The id of the commit that a word of git's names: HEAD~2, a tag, a branch. Raises
    CannotRun."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        name = _git(folder, *words).decode("ascii", "replace").strip()
    except CannotRun as error:
        raise CannotRun(f"{revision}: git knows no such revision of {folder}") from error
    if not _ID.fullmatch(name):
        raise CannotRun(f"{revision}: git knows no such revision of {folder}")
    return name


def files_of(
    folder: Path, commit: str, suffixes: Sequence[str], most_bytes: int, most_files: int
) -> dict[str, bytes]:
    """The files of a folder as they were in a commit, by their paths in it; links and hidden ones
    are left out. Raises CannotRun."""
    if not _ID.fullmatch(commit):
        raise CannotRun(f"{commit!r} is not a commit")
    entries = [
        (name, blob, size)
        for name, blob, size in _entries(
            _git(folder, "ls-tree", "-r", "-z", "--long", commit, "--", ".")
        )
        if name.endswith(tuple(suffixes)) and _is_plain(name)
    ]
    if len(entries) > most_files or sum(size for _, _, size in entries) > most_bytes:
        raise CannotRun("at that revision, the folder is too large to compare")
    asked = "".join(f"{blob}\n" for _, blob, _ in entries).encode()
    told = _git(folder, "cat-file", "--batch", given=asked) if entries else b""
    files, at = {}, 0
    for name, blob, size in entries:
        begin = told.find(b"\n", at) + 1
        if told[at:begin] != f"{blob} blob {size}\n".encode():
            raise CannotRun(f"{name} of this commit is missing from the repository")
        files[name] = told[begin : begin + size]
        at = begin + size + 1
    return files


def _entries(listing: bytes) -> Iterator[tuple[str, str, int]]:
    """Path, object and size of each file in a listing."""
    for line in listing.split(b"\0"):
        about, _, name = line.partition(b"\t")
        fields = about.decode("ascii", "replace").split()
        if len(fields) == 4 and fields[0] in ("100644", "100755") and fields[3].isdigit():
            try:
                yield name.decode(), fields[2], int(fields[3])
            except UnicodeDecodeError:  # not a name that a title can give
                continue


def _is_plain(name: str) -> bool:
    return is_safe_path(name) and not any(part.startswith(".") for part in name.split("/"))


@cache
def _program(path: str) -> str | None:
    """Path of git: in a folder that PATH names in full. Never in the one that we work in, where
    systems look for a program as well (Windows does so first), and which may be a stranger's."""
    name = "git.exe" if sys.platform == "win32" else "git"
    paths = (Path(folder, name) for folder in path.split(os.pathsep) if Path(folder).is_absolute())
    return next((str(path) for path in paths if path.is_file() and os.access(path, os.X_OK)), None)


def _git(folder: Path, *words: str, given: bytes = b"", patient: bool = False) -> bytes:
    """Return the output of git. With `patient` it is as much as there is when time is up, and
    nothing if git refuses; otherwise raises CannotRun."""
    program = _program(os.environ.get("PATH", os.defpath))
    if program is None:
        if patient:
            return b""
        raise CannotRun("git cannot be run: it is in none of the folders of PATH")
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("GIT_")
    } | _SETTINGS
    command = (program, "--no-pager", "--literal-pathspecs", *_QUIET, *words)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        if patient:
            return late.stdout or b""
        raise CannotRun("git takes too long") from late
    except OSError as error:
        if patient:
            return b""
        raise CannotRun(f"git cannot be run: {error.strerror or error}") from error
    if done.returncode and not patient:
        raise CannotRun(
            done.stderr.decode("utf-8", "replace").strip()[:200] or "git cannot read this"
        )
    return done.stdout
