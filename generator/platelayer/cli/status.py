"""Exit statuses of the command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

from platelayer.foundation.problems import Problem, has_errors

EXIT_CLEAN = 0
EXIT_PROBLEMS = 1
EXIT_COULD_NOT_RUN = 2
EXIT_INTERRUPTED = 130
"""The convention of shells: 128 plus the signal number of Ctrl-C."""


def exit_after(problems: Iterable[Problem]) -> NoReturn:
    """End the command: EXIT_PROBLEMS if there is an error among the problems, else EXIT_CLEAN."""
    sys.exit(EXIT_PROBLEMS if has_errors(problems) else EXIT_CLEAN)
