"""What a process of its own is asked in tests of foundation/apart.py."""

from __future__ import annotations

import os
import signal

from platelayer.foundation.apart import note
from platelayer.foundation.problems import CannotRun


def answer(question: bytes) -> bytes:
    """Whatever the question asks for, with an echo."""
    asked = question.decode()
    note(f"asked for {asked}")
    if asked == "noise":
        os.write(1, b"this is no answer")
        os.write(2, b"nor this")
    elif asked == "refusal":
        raise CannotRun("this cannot be answered")
    elif asked == "fault":
        raise KeyError("key")
    elif asked == "memory":
        bytearray(4 * 1024**3)
    elif asked == "loop":
        while True:
            pass
    elif asked == "wait":
        signal.pause()
    elif asked == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif asked == "too much":
        return b"x" * (65 * 1024 * 1024)
    return question
