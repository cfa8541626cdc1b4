"""Work shared among processes: order, help, ways to start, and processes that die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interrupts import interruptible
from platelayer.foundation import apart, workers
from platelayer.foundation.apart import Died
from platelayer.foundation.pool import PROCESSES, available_processes, share_out
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.workers import start_method

HERE = os.getpid()
GENERATOR = Path(workers.__file__).parents[2]
POSIX = os.name == "posix"


@pytest.fixture(params=["forkserver", "spawn"] if sys.platform == "linux" else ["spawn"])
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Ways to start processes beside the threads of a test process. `_program` forks."""
    monkeypatch.setattr(workers, "start_method", lambda: request.param)
    yield request.param
    assert not multiprocessing.active_children()


def _square(job: int) -> int:
    return job * job


def _who(_job: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def _dies_elsewhere(job: int) -> int:
    time.sleep(0.01)
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return job + 1


def _raises(job: int) -> int:
    raise ValueError(f"job {job}")


@pytest.mark.usefixtures("started")
def test_results_come_in_the_order_of_the_jobs() -> None:
    stated: list[int] = []
    jobs = [*range(100)]
    assert share_out(_square, jobs, processes=2, done=stated.append) == [job * job for job in jobs]
    assert sorted(stated) == jobs
    assert share_out(_square, [], processes=2) == []
    assert share_out(_square, [7], processes=2) == [49]


@pytest.mark.usefixtures("started")
def test_all_processes_take_part_and_this_one_waits() -> None:
    workers = set(share_out(_who, range(60), processes=2))
    assert len(workers) == 2
    assert HERE not in workers


@pytest.mark.usefixtures("started")
def test_what_a_dead_process_had_taken_is_done_here() -> None:
    stated: list[int] = []
    assert share_out(_dies_elsewhere, range(20), processes=2, done=stated.append) == [*range(1, 21)]
    assert sorted(stated) == [*range(20)]


@pytest.mark.usefixtures("started")
def test_what_work_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="job"):
        share_out(_raises, range(4), processes=2)


def _lacks_memory(_job: int) -> int:
    raise MemoryError


@pytest.mark.usefixtures("started")
def test_lack_of_memory_is_raised() -> None:
    with pytest.raises(MemoryError):
        share_out(_lacks_memory, range(4), processes=2)


def test_one_process_needs_nothing_picklable() -> None:
    stated: list[int] = []
    found = share_out(lambda job: (job, os.getpid()), [1, 2], processes=1, done=stated.append)
    assert found == [(1, os.getpid()), (2, os.getpid())]
    assert stated == [1, 2]


@pytest.mark.parametrize("words", ["0", "-1", "two", "1e9", "62", "9" * 5000, "²"])
def test_a_number_of_processes_that_makes_no_sense_is_refused(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROCESSES, words)
    with pytest.raises(CannotRun, match=PROCESSES):
        available_processes()


@pytest.mark.parametrize("number", [-1, 0, 62, 10**9])
def test_an_impossible_number_of_processes_is_refused(number: int) -> None:
    with pytest.raises(CannotRun, match=f"^{number} processes are not possible; use 1 to 61$"):
        share_out(_square, [1, 2], processes=number)


@pytest.mark.usefixtures("started")
def test_a_process_that_dies_before_it_has_read_its_work_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it is sent is more than fits into any pipe."""
    monkeypatch.setattr(workers, "_begin", _die)
    jobs = [bytes(4_000_000), bytes(3_000_000)]
    assert share_out(len, jobs, processes=2) == [4_000_000, 3_000_000]


def _die(*_given: object) -> None:
    os._exit(1)


def test_without_a_word_each_processor_has_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PROCESSES)
    assert 1 <= available_processes() <= (os.cpu_count() or 1)


def test_nothing_forks_beside_a_thread() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert start_method() == "spawn"
    finally:
        stop.set()
        thread.join()


_PROGRAM = """
import os, sys, time
from platelayer.foundation.pool import share_out
from platelayer.foundation.workers import start_method

def work(job):
    with open(os.path.join(sys.argv[1], str(os.getpid())), "w"):
        pass
    time.sleep(float(sys.argv[2]))
    return job

if __name__ == "__main__":
    print(start_method(), flush=True)
    print(sum(share_out(work, range(8), processes=2)), flush=True)
"""


def _program(folder: Path, sleep_s: float) -> subprocess.Popen[str]:
    """A program whose two workers leave a file each, named after their process; each of 8 jobs
    takes `sleep_s`."""
    path = folder / "program.py"
    path.write_text(_PROGRAM, encoding="utf-8")
    marks = folder / "workers"
    marks.mkdir()
    return subprocess.Popen(
        interruptible(sys.executable, str(path), str(marks), str(sleep_s)),
        env=os.environ | {"PYTHONPATH": str(GENERATOR)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _workers(folder: Path, number: int) -> list[int]:
    """The workers of `_program`, once there are so many."""
    for _ in range(12000):
        found = [int(each.name) for each in (folder / "workers").iterdir()]
        if len(found) >= number:
            return found
        time.sleep(0.025)
    raise AssertionError("no workers")


def _is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def _all_end(numbers: list[int]) -> bool:
    for _ in range(12000):
        if not any(map(_is_running, numbers)):
            return True
        time.sleep(0.025)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="fork is for Linux")
def test_a_process_with_one_thread_forks(tmp_path: Path) -> None:
    out, err = _program(tmp_path, 0.01).communicate(timeout=300)
    assert (out.split(), err) == (["fork", "28"], "")


@pytest.mark.skipif(not POSIX, reason="signals of POSIX")
def test_workers_do_not_outlive_a_killed_process(tmp_path: Path) -> None:
    program = _program(tmp_path, 60)
    workers = _workers(tmp_path, 2)
    program.kill()
    program.communicate(timeout=300)
    assert _all_end(workers)


@pytest.mark.skipif(not POSIX, reason="signals of POSIX")
def test_workers_end_at_ctrl_c_without_a_word(tmp_path: Path) -> None:
    program = _program(tmp_path, 60)
    workers = _workers(tmp_path, 2)
    os.killpg(program.pid, signal.SIGINT)
    _, err = program.communicate(timeout=300)
    assert _all_end(workers)
    assert (
        err.count("Traceback") == 1
    )  # this program's own: it does not catch KeyboardInterrupt, as the command does
    assert err.rstrip().endswith("KeyboardInterrupt")


# Work in a process of its own: it answers, or it is said why not


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
