"""Work in a process of its own: it answers, or it is said why not."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from platelayer.foundation import apart
from platelayer.foundation.apart import Died
from platelayer.foundation.problems import CannotRun


def test_it_answers_one_question_after_the_other_whatever_is_printed() -> None:
    with apart.apart("answering") as ask:
        assert [ask(each) for each in (b"one", b"noise", b"three")] == [
            b"one",
            b"noise",
            b"three",
        ]


def test_a_refusal_is_raised_here_and_the_process_goes_on() -> None:
    with apart.apart("answering") as ask:
        with pytest.raises(CannotRun, match=r"^this cannot be answered$"):
            ask(b"refusal")
        assert ask(b"more") == b"more"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (b"fault", r"ends in a fault of Platelayer \(KeyError: 'key'\); please report it"),
        (b"memory", "takes more than 640 MB of memory"),
        (b"loop", "takes more than 1 seconds of processor time"),
        (b"crash", "is more than the parser can take"),
        (b"too much", "is more than the parser can take"),
    ],
)
def test_how_it_dies_is_reported_with_what_it_did_last(
    monkeypatch: pytest.MonkeyPatch, question: bytes, reason: str
) -> None:
    pytest.importorskip("resource")
    monkeypatch.setattr(apart, "CPU_SECONDS", 1)
    monkeypatch.setattr(apart, "_BEGIN", apart._BEGIN.replace("serve(", "import platelayer.foundation.apart as a; "
                                                              "a.CPU_SECONDS = 1; serve("))  # fmt: skip
    with apart.apart("answering") as ask, pytest.raises(Died, match=reason) as raised:
        ask(question)
    assert raised.value.note == f"asked for {question.decode()}"


def test_time_is_limited_where_the_system_limits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "SECONDS", 1)
    with apart.apart("answering") as ask, pytest.raises(Died, match=r"takes more than 1 seconds$"):
        ask(b"wait")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_the_process_that_asks() -> None:
    lines = (
        f"import os, sys; sys.path[:0] = {sys.path!r}",
        "from platelayer.foundation.apart import apart",
        "with apart('answering') as ask:",
        "    ask(b'one')",
        "    print(*open(f'/proc/self/task/{os.getpid()}/children'), flush=True)",
        "    os._exit(0)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    until = time.monotonic() + 20
    while _works(int(done.stdout)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _works(int(done.stdout))


def _works(process: int) -> bool:
    """Whether a process is there, and no zombie."""
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text("ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
