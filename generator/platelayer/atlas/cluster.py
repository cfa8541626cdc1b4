"""Surveys on a dask cluster, for what outgrows one machine.

The maps and files are those of `platelayer atlas survey`, which continues such a survey and the
other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from platelayer.atlas.make import survey_maps
from platelayer.atlas.survey import Progress, Range, SurveyOptions, SurveyResult, Work
from platelayer.foundation.installing import to_install
from platelayer.foundation.problems import CannotRun

# Chunks handed out per thread of a worker: enough that none waits, so few that rows never pile up.
_WAITING = 3


def survey_on(
    client: Any,
    folder: Path,
    count: int,
    *,
    mode: str,
    policy: str = "compact",
    seed: int = 1,
    blanks: int | None = None,
    title: str = "lost-atlas",
    check: bool = False,
    progress: Progress = lambda _stage, _done, _of: None,
) -> SurveyResult:
    """Survey `count` maps of a title (an id or a path) into a folder of this machine, by the
    workers of a `distributed.Client`, which all need the same version of Platelayer.

    Raises CannotRun, Interrupted and ProblemsFound as `survey` does, and whatever dask raises when
    the cluster is lost. Whatever is raised, finished work is kept.
    """
    return survey_maps(
        Path(folder),
        count,
        SurveyOptions(check=check),
        progress=progress,
        title=title,
        run=partial(_run, client),
        mode=mode,
        policy=policy,
        seed=seed,
        blanks=blanks,
    )


def _run(
    client: Any,
    work: Work,
    ranges: Sequence[Range],
    keep: Callable[[Range, str], None],
    done: Callable[[Range], None],
) -> None:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        needed = to_install("platelayer[cluster]")
        raise CannotRun(f"this runs on dask, which is not installed: {needed}") from error
    left = iter(ranges)

    def submit(most: int) -> list[Any]:
        # Rows come back and are kept here, for workers need not share a disk with this machine.
        return [client.submit(_with_range, work, span, pure=False) for span in islice(left, most)]

    threads = sum(client.nthreads().values()) or 1
    running = distributed.as_completed(submit(threads * _WAITING), with_results=True)
    for _, (span, rows) in running:
        keep(span, rows)
        done(span)
        running.update(submit(1))


def _with_range(work: Work, span: Range) -> tuple[Range, str]:
    return span, work(*span)
