"""Work in a process of its own, within limits of memory and time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import IO, NoReturn

from platelayer.foundation.problems import CannotRun

MEMORY_MB = 640
CPU_SECONDS = 10
SECONDS = 60
"""What such a process may use in total: memory and processor time where the system can limit them,
time always."""

_MOST_BYTES = 64 * 1024 * 1024
_ANSWER, _NOTE, _REFUSED, _FAULT = b"anrf"
_OUT_OF_MEMORY = 97
_BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from platelayer.foundation.apart import serve; "
    "serve(sys.argv[2])"
)


class Died(Exception):
    """Raised when the process has ended before it answered: `reason` goes on from what it was
    reading ("takes more than 10 seconds"), `note` is what it noted last."""

    def __init__(self, reason: str, note: str) -> None:
        super().__init__(reason)
        self.reason, self.note = reason, note


class Apart:
    """A process that answers questions, with the function `answer(question: bytes) -> bytes` of a
    module. What comes from it are bytes, which are data at most; it ends with the block, or with
    this process."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._note = ""
        self._late = False

    def __enter__(self) -> Apart:
        command = [sys.executable, "-I", "-S", "-c", _BEGIN, json.dumps(sys.path), self._module]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError) as error:
            raise CannotRun(
                f"cannot start another process of Python ({sys.executable}): {error}"
            ) from error
        self._clock = threading.Timer(SECONDS, self._stop_late)
        self._clock.daemon = True
        try:
            self._clock.start()
        except RuntimeError as error:
            self._end()
            raise CannotRun(f"cannot start a thread: {error}") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._clock.cancel()
        self._end()
        self._clock.join()

    def _end(self) -> None:
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()

    def _stop_late(self) -> None:
        self._late = True
        self._process.kill()

    def ask(self, question: bytes) -> bytes:
        """What the module answers. Raises Died where it does not, and the CannotRun that it
        raises."""
        asking, answering = self._process.stdin, self._process.stdout
        assert asking is not None
        assert answering is not None
        with suppress(OSError):  # it has ended: reading says how
            _write(asking, _ANSWER, question)
        while (message := _read(answering)) is not None:
            kind, words = message
            if kind == _ANSWER:
                return words
            if kind == _REFUSED:
                raise CannotRun(words.decode())
            if kind == _FAULT:
                raise Died(
                    f"ends in a fault of Platelayer ({words.decode()}); please report it",
                    self._note,
                )
            self._note = words.decode()
        self._process.kill()
        raise Died(self._reason(self._process.wait()), self._note)

    def _reason(self, status: int) -> str:
        if self._late:
            return f"takes more than {SECONDS} seconds"
        if status == -getattr(signal, "SIGXCPU", 0) != 0:
            return f"takes more than {CPU_SECONDS} seconds of processor time"
        if status == _OUT_OF_MEMORY:
            return f"takes more than {MEMORY_MB} MB of memory"
        return f"is more than the parser can take (it broke off, status {status})"


def note(words: str) -> None:
    """In such a process: what it does next, to be reported if it does not survive."""
    if _out is not None:
        _write(_out, _NOTE, words.encode("utf-8", "replace"))


_out: IO[bytes] | None = None
"""In such a process: where answers go."""


def serve(module: str) -> NoReturn:
    """Answer questions until there are no more, within the limits, and end the process."""
    global _out  # noqa: PLW0603 - a process serves once
    _limit()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks ends this one
    asking = os.fdopen(os.dup(0), "rb")
    _out = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 - what a library prints is no answer
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    status = 0
    try:
        answer: Callable[[bytes], bytes] = import_module(module).answer
        while (asked := _read(asking)) is not None:
            kind, words = _answered(answer, asked[1])
            _write(_out, kind, words)
    except MemoryError:
        status = _OUT_OF_MEMORY
    except OSError:  # nobody listens any more
        status = 1
    os._exit(status)


def _answered(answer: Callable[[bytes], bytes], question: bytes) -> tuple[int, bytes]:
    try:
        return _ANSWER, answer(question)
    except CannotRun as error:
        return _REFUSED, str(error).encode("utf-8", "replace")
    except MemoryError:
        raise
    except Exception as error:
        return _FAULT, f"{type(error).__name__}: {error}"[:300].encode("utf-8", "replace")


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the clock of the process that asks is the limit
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
    """The kind and words of what comes next; None at the end."""
    head: bytes = stream.read(5)
    length = int.from_bytes(head[1:], "big")
    if len(head) < 5 or length > _MOST_BYTES:
        return None
    words: bytes = stream.read(length)
    return (head[0], words) if len(words) == length else None
