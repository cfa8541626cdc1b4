"""Work shared by two processes: order, help, and a helper that dies."""

from __future__ import annotations

import os
import time

import pytest

from platelayer.foundation.sharing import share_out

HERE = os.getpid()
two_processors = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor shares with nobody")


def test_results_come_in_the_order_of_the_jobs() -> None:
    jobs = [*range(1000)]
    assert share_out(lambda job: job * job, jobs) == [job * job for job in jobs]
    assert share_out(str, []) == []
    assert share_out(str, [7]) == ["7"]


def _who(_job: int) -> int:
    time.sleep(0.01)
    return os.getpid()


@two_processors
def test_two_processes_take_part() -> None:
    assert len(set(share_out(_who, range(20)))) == 2


def _dies_elsewhere(job: int) -> int:
    time.sleep(0.01)
    if os.getpid() != HERE:
        os._exit(1)
    return job + 1


@two_processors
def test_what_a_dead_helper_had_taken_is_done_here() -> None:
    assert share_out(_dies_elsewhere, range(20)) == [*range(1, 21)]
