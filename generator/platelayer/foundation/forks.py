"""Forks by programs that use Platelayer in several threads.

A fork copies every lock as it is, but only the thread that forks: in the child, the lock of a
module that another thread was importing is held for ever, and many of our functions import what
they need when they are called. This module is imported first, and imports only what Python has at
hand.
"""

from __future__ import annotations

import _imp
import _thread
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def _wait_for_imports() -> None:
    """Wait until no other thread of ours imports anything; from then on, none can begin to."""
    while True:
        _imp.acquire_lock()
        others = (
            frame
            for thread, frame in sys._current_frames().items()
            if thread != _thread.get_ident()
        )
        if not any(map(_imports_for_us, others)):
            return
        _imp.release_lock()
        time.sleep(0.001)


def _imports_for_us(frame: FrameType | None) -> bool:
    """True if a thread is importing something that a module of ours needs, itself or through
    another library: the first use of a codec imports it, too."""
    importing = False
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        importing = importing or "importlib" in module
        if importing and module.startswith("platelayer"):
            return True
        frame = frame.f_back
    return False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_wait_for_imports,
        after_in_parent=_imp.release_lock,
        after_in_child=_imp.release_lock,
    )
