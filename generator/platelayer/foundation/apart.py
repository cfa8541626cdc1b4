"""Work in a separate process with limits on memory and time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import IO, NoReturn

from platelayer.foundation.problems import CannotRun

# Limits of a process: memory and processor time where the system can enforce them, elapsed time
# always.
MEMORY_MB = 640
CPU_SECONDS = 10
SECONDS = 60

_MOST_BYTES = 64 * 1024 * 1024
# Kinds of messages. Questions and answers are the normal case; the other kinds report notes,
# refusals and faults.
_ANSWER, _NOTE, _REFUSED, _FAULT = b"anrf"
_OUT_OF_MEMORY = 97
_BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from platelayer.foundation.apart import serve; "
    "serve(sys.argv[2])"
)


class Died(Exception):
    """Raised when the process ended before it answered. `reason` completes a sentence about what it
    was reading ("takes more than 10 seconds"), `note` is its last note."""

    def __init__(self, reason: str, note: str) -> None:
        super().__init__(reason)
        self.reason, self.note = reason, note


@contextmanager
def apart(module: str) -> Iterator[Callable[[bytes], bytes]]:
    """Start a process that answers questions with the function `answer(question: bytes) -> bytes`
    of a module, and yield a function to ask it.

    Asking raises Died if no answer comes, and CannotRun if the module raises it. The process ends
    with the block, or with this process. Its answers are plain bytes, so they cannot run code here.
    """
    command = [sys.executable, "-I", "-S", "-c", _BEGIN, json.dumps(sys.path), module]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except (OSError, ValueError) as error:
        raise CannotRun(
            f"cannot start another process of Python ({sys.executable}): {error}"
        ) from error
    ends = time.monotonic() + SECONDS
    clock = threading.Timer(SECONDS, process.kill)
    clock.daemon = True
    clock.start()
    noted = ""

    def ask(question: bytes) -> bytes:
        nonlocal noted
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # the process has ended: reading reports how
            _write(process.stdin, _ANSWER, question)
        while (message := _read(process.stdout)) is not None:
            kind, words = message
            if kind == _ANSWER:
                return words
            text = words.decode()
            if kind == _REFUSED:
                raise CannotRun(text)
            if kind == _FAULT:
                raise Died(f"ends in a fault of Platelayer ({text}); please report it", noted)
            noted = text
        process.kill()
        status = process.wait()
        if time.monotonic() >= ends:
            reason = f"takes more than {SECONDS} seconds"
        elif status == -getattr(signal, "SIGXCPU", 0) != 0:
            reason = f"takes more than {CPU_SECONDS} seconds of processor time"
        elif status == _OUT_OF_MEMORY:
            reason = f"takes more than {MEMORY_MB} MB of memory"
        else:
            reason = f"is more than the parser can take (it broke off, status {status})"
        raise Died(reason, noted)

    try:
        yield ask
    finally:
        clock.cancel()
        process.kill()
        process.communicate()  # close the pipes and wait for its end


# Used inside such a process: streams that answers are written to.
_out: list[IO[bytes]] = []


def note(words: str) -> None:
    """Called in such a process: record what it does next, for the report if it does not survive."""
    for stream in _out:
        _write(stream, _NOTE, words.encode("utf-8", "replace"))


def serve(module: str) -> NoReturn:
    """Answer questions within the limits until there are no more, then end the process."""
    _limit()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends this process
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    _out.append(answers)
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 - what a library prints is no answer
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    status = 0
    try:
        answer: Callable[[bytes], bytes] = import_module(module).answer
        while (question := _read(questions)) is not None:
            try:
                kind, words = _ANSWER, answer(question[1])
            except CannotRun as error:
                kind, words = _REFUSED, str(error).encode("utf-8", "replace")
            except MemoryError:
                raise
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"[:300]
                kind, words = _FAULT, fault.encode("utf-8", "replace")
            _write(answers, kind, words)
    except MemoryError:
        status = _OUT_OF_MEMORY
    except OSError:  # the parent no longer reads
        status = 1
    os._exit(status)


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the parent's timer is the only limit
        return
    for name, most in (
        ("RLIMIT_AS", MEMORY_MB * 1024 * 1024),
        ("RLIMIT_CPU", CPU_SECONDS),
        ("RLIMIT_CORE", 0),
    ):
        with suppress(AttributeError, OSError, ValueError):
            kind = getattr(resource, name)
            soft, hard = resource.getrlimit(kind)
            resource.setrlimit(
                kind, (most if soft == resource.RLIM_INFINITY else min(soft, most), hard)
            )


def _write(stream: IO[bytes], kind: int, words: bytes) -> None:
    stream.write(bytes([kind]) + len(words).to_bytes(4, "big") + words)
    stream.flush()


def _read(stream: IO[bytes]) -> tuple[int, bytes] | None:
    """Return the kind and content of the next message; None at the end of the stream."""
    head = stream.read(5)
    length = int.from_bytes(head[1:], "big")
    if len(head) < 5 or length > _MOST_BYTES:
        return None
    words = stream.read(length)
    return (head[0], words) if len(words) == length else None
