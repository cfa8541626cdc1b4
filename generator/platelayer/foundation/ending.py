"""How the command ends at Ctrl-C and for lack of memory."""

# `signal` is the same with enumerations: it takes 2 ms in which Ctrl-C would end in a traceback.
import _signal  # type: ignore[import-not-found]
import atexit
import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

INTERRUPTED = 130
"""The exit status at Ctrl-C by the convention of shells: 128 plus the number of its signal."""
_NO_MEMORY = 2
_INTERRUPTED_WORDS = b"platelayer: interrupted\n"
_NO_MEMORY_WORDS = b"platelayer: there is not enough memory for this\n"
_LACK = (
    "cannot allocate memory",
    "not enough memory",
    "out of memory",
    "failed to map segment",
    "can't start new thread",
    "error return without exception set",
    "returned null without setting an exception",
)
"""How libraries and the system say that they got no memory."""
_MOST_CAUSES = 100
"""How far causes are followed, which may go round in a circle."""

_first: "list[Callable[[], None]]" = []


def end_clearly() -> None:
    """From now on Ctrl-C ends this process at once, in one line, wherever it is. An exception could
    be lost in a callback or a destructor, or come out of an import as another one. So could one for
    lack of memory; it ends the process as well.

    What has to be put back first stands in an `Unwinding`. A process that was made deaf to Ctrl-C
    stays so.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupted)
    atexit.register(deaf)
    sys.unraisablehook = _lost


def deaf() -> None:
    """From now on Ctrl-C changes nothing: the work is done, and how it ended is told. (Python
    itself would end without a word while it clears up.)"""
    if _signal.getsignal(_signal.SIGINT) in (_interrupted, _unwind):
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


class Unwinding:
    """`with Unwinding():` within this, the first Ctrl-C raises KeyboardInterrupt, for there is
    something to put back. It does nothing in a program that deals with Ctrl-C itself, nor beside
    the main thread."""

    def __enter__(self) -> None:
        self._outermost = _signal.getsignal(_signal.SIGINT) is _interrupted and _set(_unwind)

    def __exit__(self, *_: object) -> None:
        if self._outermost:
            _set(_interrupted)


class Before:
    """`with Before(act):` within this, `act` is called before Ctrl-C ends the process."""

    def __init__(self, act: "Callable[[], None]") -> None:
        self._act = act

    def __enter__(self) -> None:
        _first.append(self._act)

    def __exit__(self, *_: object) -> None:
        _first.remove(self._act)


def is_lack_of_memory(error: BaseException) -> bool:
    """Is this, or what it was raised from, due to a lack of memory? Not every library raises
    MemoryError: the linker fails to map an extension, a thread cannot be started, and some code
    forgets to say what failed."""
    try:  # in plain loops: Python complains of a generator that ends for lack of memory, whoever catches it
        for _ in range(_MOST_CAUSES):
            if _is_lack(error):
                return True
            cause = error.__cause__ or error.__context__
            if cause is None:
                break
            error = cause
    except MemoryError:  # there is too little even to look
        return True
    return False


def _is_lack(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno == errno.ENOMEM
    ):
        return True
    if isinstance(error, (ImportError, OSError, RuntimeError, SystemError)):
        message = str(error).lower()
        for words in _LACK:
            if words in message:
                return True
    return False


def end_without_memory() -> "NoReturn":
    """End this process at once with one line. It needs no memory, which there may be none of even
    to clear up."""
    _end(_NO_MEMORY_WORDS, _NO_MEMORY)


def _interrupted(_number: int, _frame: object) -> None:
    for act in _first:
        try:
            act()
        except Exception:  # we end, whatever cannot be tidied up
            continue
    _end(_INTERRUPTED_WORDS, INTERRUPTED)


def _unwind(_number: int, _frame: object) -> None:
    _signal.signal(_signal.SIGINT, _interrupted)
    raise KeyboardInterrupt


def _set(handler: "Callable[[int, object], None]") -> bool:
    try:
        _signal.signal(_signal.SIGINT, handler)
    except ValueError:  # not in the main thread
        return False
    return True


def _lost(lost: "sys.UnraisableHookArgs") -> None:
    """What cannot be raised out of a destructor or a callback."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _interrupted(_signal.SIGINT, None)
    if issubclass(lost.exc_type, MemoryError):
        end_without_memory()
    sys.__unraisablehook__(lost)


def _end(words: bytes, status: int) -> "NoReturn":
    try:
        os.write(2, words)
    except OSError:  # nobody listens
        pass
    finally:
        os._exit(status)
