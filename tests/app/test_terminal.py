"""The command at its edges: streams that are closed, full or not UTF-8, and a strange
environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from often import often

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors of POSIX")
COMMAND = (sys.executable, "-m", "platelayer")


def _environment(**more: str) -> dict[str, str]:
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT / "generator"), **more}


def _run(*words: object, shell_words: str = "", **more: str) -> subprocess.CompletedProcess[bytes]:
    """The command with its standard output and error as bytes; `shell_words` redirect them."""
    command = [*map(str, (*COMMAND, *words))]
    if shell_words:
        command = ["sh", "-c", f'exec "$@" {shell_words}', "sh", *command]
    done = subprocess.run(command, check=False, env=_environment(**more), capture_output=True)
    assert b"Traceback" not in done.stderr + done.stdout, done.stderr
    assert b"Exception ignored" not in done.stderr, done.stderr
    return done


# The Czech names of the English report are what a Japanese terminal cannot show.
@pytest.mark.parametrize(
    ("encoding", "language"),
    often(
        [("cp1252", "ja"), ("cp932", "en"), ("ascii", "ja"), ("latin-1", "ja"), ("utf-8", "ja")],
        ("cp932", "en"),
        ("ascii", "ja"),
    ),
)
def test_any_terminal_takes_every_report(encoding: str, language: str) -> None:
    done = _run("manifest", "18cz", "--lang", language, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    shown = done.stdout.decode(
        "utf-8" if encoding == "ascii" else encoding
    )  # click takes ASCII for a slip
    assert len(shown.splitlines()) > 100
    assert ("\\u" in shown or "\\x" in shown) == (encoding not in ("ascii", "utf-8"))


def test_json_is_utf_8_whatever_the_terminal_speaks() -> None:
    words = ("manifest", "18cz", "--lang", "ja", "--format", "json")
    done = _run(*words, PYTHONIOENCODING="cp1252")
    assert json.loads(done.stdout.decode("utf-8"))


@POSIX
@pytest.mark.parametrize(
    "closed", often([">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"], "<&- >&- 2>&-")
)
def test_closed_streams_change_no_exit_status(tmp_path: Path, closed: str) -> None:
    assert (
        _run("build", "18eu", "--only", "token", "-o", tmp_path, shell_words=closed).returncode == 0
    )
    assert (tmp_path / "18eu" / "tokens.pdf").read_bytes().startswith(b"%PDF")
    assert _run("build", "nonesuch", shell_words=closed).returncode == 1


ANSWERING = (
    "titles", "check 18eu --quick", "manifest 18eu", "manifest 18eu --format json", "upgrades 18eu", "explain LG01",
    "export 18eu --to csv", "export 18eu --to tile-strings", "compare 18eu 18eu", "--help",
    "--version", "supply 18eu", "atlas find --mode micro2 --maps 20",
)  # fmt: skip


@POSIX
@pytest.mark.parametrize(
    ("words", "lost"),
    often(
        product(ANSWERING, (">&-", ">/dev/full")),
        ("titles", ">&-"),
        ("manifest 18eu", ">/dev/full"),
        ("export 18eu --to csv", ">/dev/full"),
    ),
)
def test_an_answer_that_nobody_gets_is_a_failure(words: str, lost: str) -> None:
    if lost == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    done = _run(*words.split(), shell_words=lost)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "value",
    ["abc", *(pytest.param(value, marks=pytest.mark.slow) for value in ("", "-1", "9" * 400))],
)
def test_no_variable_dates_a_file(tmp_path: Path, value: str) -> None:
    for name, more in (("dated", {"SOURCE_DATE_EPOCH": value}), ("plain", {})):
        assert (
            _run("build", "18eu", "--only", "token", "-o", tmp_path / name, **more).returncode == 0
        )
    pdfs = [(tmp_path / name / "18eu" / "tokens.pdf").read_bytes() for name in ("dated", "plain")]
    assert pdfs[0] == pdfs[1]


def test_a_scale_that_makes_no_sense_is_refused(platelayer, tmp_path: Path) -> None:
    for scale in ("0", "-1", "nan", "inf", "1e400"):
        done = platelayer("build", "18eu", "--only", "token", "-o", ".", "--scale-x", scale)
        assert (done.returncode, "SH06" in done.stderr) == (1, True), scale
    assert not [*tmp_path.iterdir()]


def test_a_number_of_processes_that_makes_no_sense_is_refused(
    platelayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATELAYER_PROCESSES", "many")
    done = platelayer("build", "18eu", "-o", "out")
    assert done.returncode == 2
    assert "PLATELAYER_PROCESSES" in done.stderr
