"""Python -O and -OO, which leave out assertions and docstrings: the command says and finds the
same."""

from __future__ import annotations

from pathlib import Path

import pytest

from looks.digests import TITLES
from often import often
from platelayer.foundation.problems import docstring
from platelayer.pipeline.check import explain, known_codes
from processes import run_python

ALL_TEXTS = """
from platelayer.pipeline.check import known_codes
from platelayer.pipeline.check import explain
for code in known_codes():
    print(explain(code))
"""


def test_explain_prints_the_text_of_a_rule() -> None:
    done = run_python("-OO", "-m", "platelayer", "explain", "CO01")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == explain("CO01") + "\n"
    assert "Wrong:" in done.stdout


@pytest.mark.parametrize("command", [[], ["atlas", "new"]])
def test_help_says_the_same(command: list[str]) -> None:
    plain, optimised = (
        run_python(level, "-m", "platelayer", *command, "--help").stdout for level in ("-B", "-OO")
    )
    assert optimised == plain
    assert len(plain) > 200


@pytest.mark.slow
def test_every_code_is_explained_alike() -> None:
    done = run_python("-OO", "-c", ALL_TEXTS)
    assert done.stderr == ""
    assert done.stdout == "".join(f"{explain(code)}\n" for code in known_codes())


@pytest.mark.parametrize("level", often(["-O", "-OO"], "-OO"))
@pytest.mark.parametrize("how", often(["--quick", "--no-cache"], "--quick"))
@pytest.mark.parametrize("title", often(TITLES, "18eu"))
def test_checks_find_the_same(title: str, how: str, level: str) -> None:
    folder = Path(__file__).parents[1] / "definitions/cases/reject/folder-all-at-once"
    words = ("-m", "platelayer", "check", title, folder, how, "--format", "json")
    plain, optimised = run_python(*words), run_python(level, *words)
    assert plain.stderr == optimised.stderr == ""
    assert (optimised.returncode, optimised.stdout) == (plain.returncode, plain.stdout)
    assert optimised.returncode == 1


def test_prints_are_the_same_bytes(tmp_path: Path) -> None:
    for level in ("-B", "-OO"):
        words = ("build", "18eu", "--only", "train,market", "-o", tmp_path / level)
        done = run_python(level, "-m", "platelayer", *words)
        assert done.returncode == 0, done.stderr
    plain, optimised = (sorted((tmp_path / level).rglob("*.*")) for level in ("-B", "-OO"))
    assert [path.read_bytes() for path in plain] == [path.read_bytes() for path in optimised]
    assert len(plain) >= 3


def test_a_function_without_source_says_why_it_has_no_text() -> None:
    made: dict[str, object] = {}
    exec("def silent(): pass", made)
    assert "-OO" in docstring(made["silent"])  # type: ignore[arg-type]
