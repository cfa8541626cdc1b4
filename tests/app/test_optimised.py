"""Python -O, which leaves out assertions: the command finds and prints the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from looks.digests import TITLES
from often import often
from processes import run_python


@pytest.mark.parametrize("how", often(["--quick", "--no-cache"], "--quick"))
@pytest.mark.parametrize("title", often(TITLES, "18eu"))
def test_checks_find_the_same(title: str, how: str) -> None:
    folder = Path(__file__).parents[1] / "definitions/cases/reject/folder-all-at-once"
    words = ("-m", "platelayer", "check", title, folder, how, "--format", "json")
    plain, optimised = run_python(*words), run_python("-O", *words)
    assert plain.stderr == optimised.stderr == ""
    assert (optimised.returncode, optimised.stdout) == (plain.returncode, plain.stdout)
    assert optimised.returncode == 1


def test_prints_are_the_same_bytes(tmp_path: Path) -> None:
    for level in ("-B", "-O"):
        words = ("build", "18eu", "--only", "train,market", "-o", tmp_path / level)
        done = run_python(level, "-m", "platelayer", *words)
        assert done.returncode == 0, done.stderr
    plain, optimised = (sorted((tmp_path / level).rglob("*.*")) for level in ("-B", "-O"))
    assert [path.read_bytes() for path in plain] == [path.read_bytes() for path in optimised]
    assert len(plain) >= 3
