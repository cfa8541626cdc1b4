"""Exit statuses of the command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

from platelayer.foundation.problems import Problem, has_errors

EXIT_CLEAN = 0
EXIT_PROBLEMS = 1
EXIT_COULD_NOT_RUN = 2


def exit_after(problems: Iterable[Problem]) -> NoReturn:
    """End the command: EXIT_PROBLEMS if there is an error among the problems, else EXIT_CLEAN."""
    sys.exit(EXIT_PROBLEMS if has_errors(problems) else EXIT_CLEAN)
