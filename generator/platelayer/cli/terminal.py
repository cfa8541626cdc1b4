"""Output of the command: text for people, UTF-8 for programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from platelayer.foundation.problems import Problem, Severity, has_errors, reporting_to
from platelayer.foundation.text import printable

SEVERITY_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def prepare_streams() -> None:
    """Make standard output and error safe to write to: they may be closed, and what they cannot
    encode is escaped.

    The requested output must not be lost unnoticed: writing it to a closed standard output
    fails, as if that were full. On Windows, a program without a console has none, and no shell can
    close it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            lost = name == "stdout" and os.name == "posix"
            nowhere = os.open(os.devnull, os.O_RDONLY if lost else os.O_WRONLY)
            setattr(sys, name, open(nowhere, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - kept until we end
        elif hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def echo(text: str, *, err: bool = False) -> None:
    """Print a note on what was done. It need not be read: standard output may be closed. Control
    characters, from a file or a path, are shown as escapes and have no effect."""
    if err or sys.__stdout__ is not None:
        click.echo("\n".join(map(printable, text.split("\n"))), err=err)


def answer(text: str) -> None:
    """Print a text that the user has requested, so that a closed standard output is an error."""
    click.echo("\n".join(map(printable, text.split("\n"))))


def echo_written(path: Path, words: str = "") -> None:
    """Print the path of a file that a command has written, or other words on it. If the file is
    standard output ("-"), only those are printed, on standard error."""
    is_output = str(path) == "-"
    if words or not is_output:
        echo(words or str(path), err=is_output)


def echo_styled(text: str, *, err: bool = False) -> None:
    """Printable text with styles: kept on a terminal, removed elsewhere and where NO_COLOR
    (no-color.org) is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(text, err=err, color=False if plain else None)


def emit(document: str | bytes) -> None:
    """JSON, SVG and the like for programs: UTF-8, whatever the terminal uses."""
    data = document.encode() if isinstance(document, str) else document
    click.echo(data if data.endswith(b"\n") else data + b"\n", nl=False)


def report(text: str, form: str) -> None:
    """A report in the requested format: "text" is for people, all others are for programs."""
    if form == "text":
        echo_styled(text)
    else:
        emit(text)


def styled_problem(problem: Problem) -> str:
    """A problem as the text of `str(problem)`, coloured by severity."""
    place = click.style(problem.place, bold=True) + " " if problem.place else ""
    severity = click.style(problem.severity.word, fg=SEVERITY_COLOURS[problem.severity], bold=True)
    hint = click.style(problem.after, dim=True) if problem.after else ""
    return f"{place}{severity} {problem.code} {problem.message}{hint}"


def echo_problems(problems: Iterable[Problem]) -> None:
    """Problems on standard error, one per line."""
    for problem in problems:
        echo_styled(styled_problem(problem), err=True)


# Exit statuses of the command.


EXIT_CLEAN = 0
EXIT_PROBLEMS = 1
EXIT_COULD_NOT_RUN = 2
# After Ctrl-C, by the convention of shells: 128 plus the number of its signal.
EXIT_INTERRUPTED = 130


def exit_after(problems: Iterable[Problem]) -> NoReturn:
    """End the command: EXIT_PROBLEMS if there is an error among the problems, else EXIT_CLEAN."""
    sys.exit(EXIT_PROBLEMS if has_errors(problems) else EXIT_CLEAN)


# Progress of a command on standard error.


_COLUMNS = 79
_BAR = 40
# Key of click's context that stores --verbose.
_VERBOSE = "platelayer.verbose"


def be_verbose(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    """Print each step from now on, with the seconds since now."""
    if not value or ctx.meta.get(_VERBOSE):
        return
    ctx.meta[_VERBOSE] = True
    begin = time.perf_counter()
    ctx.find_root().with_resource(
        reporting_to(lambda text: echo(f"{time.perf_counter() - begin:8.3f} s  {text}", err=True))
    )


@contextmanager
def watch() -> Iterator[Callable[[str, int, int], None]]:
    """A callable that takes (stage, done, of), for a progress bar; until it is called, the last
    step. Shown on a terminal, unless all steps are."""
    context = click.get_current_context(silent=True)
    if not sys.stderr.isatty() or (context and context.meta.get(_VERBOSE)):
        yield lambda _stage, _done, _of: None
        return
    counts = False

    def show(line: str, end: str = "") -> None:
        sys.stderr.write(f"\r{line:<{_COLUMNS}.{_COLUMNS}}{end}")
        sys.stderr.flush()

    def at(text: str) -> None:
        if not counts:
            show(printable(text))

    def progress(stage: str, done: int, of: int) -> None:
        nonlocal counts
        counts = True
        show(f"{stage:<10} {'#' * (_BAR * done // max(of, 1)):.<{_BAR}} {done}/{of}")

    try:
        with reporting_to(at):
            yield progress
    finally:
        show("", end="\r")
