"""Searches for maps that meet conditions: over all processors, or on a cluster."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import count as counted_from
from itertools import islice, takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.atlas.assemble import POLICIES, NoMap
from platelayer.atlas.check import check_log
from platelayer.atlas.cluster import run_on_dask
from platelayer.atlas.compiled import map_of, seed_of_map
from platelayer.atlas.conditions import Wish, impossible
from platelayer.atlas.finding import (
    Candidate,
    Search,
    Searched,
    Tried,
    chosen,
    read_searched,
    search_maps,
)
from platelayer.atlas.measures import NONE, Surveyor
from platelayer.atlas.report import map_options
from platelayer.atlas.survey import MISTAKE
from platelayer.foundation.pool import available_processes, share_out
from platelayer.foundation.problems import CannotRun, Interrupted, Problem, ProblemsFound
from platelayer.model.map_tiles import AtlasBox, AtlasLog

FORMAT = "platelayer.atlas-find/1"
CHUNK = 100
"""Maps that a process searches at a time: with the compiled core a fiftieth of a second, without it
half a second, the most that Ctrl-C and the clock wait."""
EVEN_CHUNK = 2
"""The same of even maps, each of which takes up to half a second with the compiled core."""
FEW = CHUNK
"""Maps to look at where the box says that none can meet the conditions; and on which each condition
is tried alone if none did."""
MAX_MAPS = 10_000_000
_ROUND_S = 5.0
"""Seconds of work that are handed out at a time."""
_STEP_S = 0.02
"""A step of a search that took less may be larger the next time."""
_AT_ONCE = 10
"""Maps on which each condition is tried alone in one step."""

Progress = Callable[[str, int, int], None]
Range = tuple[int, int]


class FindOptions(Struct, frozen=True, kw_only=True):
    """How long to search, in maps or seconds; in the processes of this machine, or those of a dask
    scheduler."""

    maps: int | None = None
    seconds: int | None = None
    scheduler: str | None = None


class FoundMap(Struct, frozen=True, kw_only=True):
    """One map that was found, replayed from its seed: its number, whether nothing beats it
    (`front`), and the measures that were asked about, as printed."""

    number: int
    front: bool
    log: AtlasLog
    values: dict[str, str]


class Found(Struct, frozen=True, kw_only=True):
    """What a search found. `reasons` say, for conditions that no map of the mode can meet, why; if
    none met all, `alone` tells how each condition fared on the first maps, whatever these are
    otherwise."""

    search: Search
    searched: Searched
    reasons: dict[int, str]
    alone: tuple[Tried, ...]
    maps: tuple[FoundMap, ...]

    def command(self, log: AtlasLog) -> str:
        """The command that makes a map again."""
        return f"platelayer atlas new {_options(self.search, log.seed)}"

    @property
    def again(self) -> str:
        """The command that finds the same again, whatever the machine."""
        search = self.search
        where = f" --where {shlex.quote(', '.join(map(str, search.where)))}" if search.where else ""
        best = shlex.quote(
            ", ".join(
                objective.name if objective.most else f"least {objective.name}"
                for objective in search.best
            )
        )
        return (
            f"platelayer atlas find {_options(search, search.wanted.seed)}{where} --best {best} "
            f"--count {search.count} --maps {self.searched.maps}"
        )


def _options(search: Search, seed: int | None) -> str:
    wanted = search.wanted
    return map_options(
        search.title, mode=wanted.mode, seed=seed, policy=wanted.policy, blanks=wanted.blanks
    )


def find(
    box: AtlasBox,
    search: Search,
    options: FindOptions,
    *,
    progress: Progress = lambda _stage, _done, _of: None,
) -> Found:
    """Search maps 0, 1, 2 ... of a survey for the best that meet all conditions.

    The result depends on nothing but the search and the number of maps. Raises CannotRun,
    Interrupted, and ProblemsFound for a map that fails the independent check or is not the same
    when made again.
    """
    reasons = _reasons(box, search)
    if reasons:
        options = FindOptions(maps=min(options.maps or FEW, FEW))
    try:
        searched = _search(box, search, options, progress)
        return _finished(_finish(box, search, searched))
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; nothing was written") from error
    except NoMap as error:
        raise CannotRun(str(error)) from error


class Hunt:
    """The same search in this process and thread, a step at a time, for who has something else to
    do in between: as long as there are `seconds`, until it is `stopped`. `searched` is what was
    searched so far, `found` the result once all steps are done."""

    def __init__(self, box: AtlasBox, search: Search, seconds: float) -> None:
        self.box, self.search, self.seconds = box, search, seconds
        self.searched = Searched(tried=[Tried() for _ in search.where])
        self.spent = 0.0
        self.stopped = False
        self.found: Found | None = None

    def steps(self) -> Iterator[None]:
        """Does all of it. Raises CannotRun, and ProblemsFound as `find` does."""
        started, step = time.monotonic(), 1
        total = FEW if _reasons(self.box, self.search) else MAX_MAPS
        try:
            while self.searched.maps < total and self.spent < self.seconds and not self.stopped:
                before, end = time.monotonic(), min(self.searched.maps + step, total)
                part = search_maps(self.box, self.search, self.searched.maps, end)
                self.searched.add(read_searched(part), self.search.count)
                if time.monotonic() - before < _STEP_S:
                    step = min(2 * step, CHUNK)
                self.spent = time.monotonic() - started
                yield
        except NoMap as error:
            raise CannotRun(str(error)) from error
        self.found = yield from _finish(self.box, self.search, self.searched)


def _finish(box: AtlasBox, search: Search, searched: Searched) -> Generator[None, None, Found]:
    """The best of what was searched, each made again; and how each condition fares alone, if no map
    met all. Raises ProblemsFound."""
    alone = Searched()
    if not searched.met:
        patient, few = replace(search, patient=True), min(searched.maps, FEW)
        for first in range(0, few, _AT_ONCE):
            alone.add(
                read_searched(search_maps(box, patient, first, min(first + _AT_ONCE, few))),
                search.count,
            )
            yield
    picked, best = chosen(searched.found, search.count)
    maps = []
    for place, candidate in enumerate(picked):
        maps.append(_replayed(box, search, candidate, front=place < best))
        yield
    reasons = _reasons(box, search)
    return Found(
        search=search,
        searched=searched,
        reasons=reasons,
        alone=tuple(alone.tried),
        maps=tuple(maps),
    )


def _finished(steps: Generator[None, None, Found]) -> Found:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found


def _reasons(box: AtlasBox, search: Search) -> dict[int, str]:
    return impossible(box, box.mode_by_id[search.wanted.mode], search.where)


def _search(box: AtlasBox, search: Search, options: FindOptions, progress: Progress) -> Searched:
    """All maps that there is time for, chunk by chunk; of those, the first without a break."""
    started = time.monotonic()
    seconds = options.seconds
    ends = None if seconds is None else time.time() + seconds  # a clock that all processes share
    total = MAX_MAPS if options.maps is None else options.maps
    chunk = EVEN_CHUNK if POLICIES[search.wanted.policy].sweeps else CHUNK
    ranges = ((first, min(first + chunk, total)) for first in range(0, total, chunk))
    parts: dict[int, Searched] = {}

    def done(maps: int) -> None:
        if seconds is None:
            progress("maps", maps, total)
        else:
            progress("seconds", min(seconds, round(time.monotonic() - started)), seconds)

    work = partial(search_maps, box, search)
    results = (
        _on_dask(work, ranges, ends, options.scheduler)
        if options.scheduler
        else _by_pool(work, ranges, ends)
    )
    done(0)
    with closing(results):
        for number, ((first, end), text) in enumerate(results, start=1):
            parts[first] = read_searched(text)
            done(number * chunk if end < total else total)
    whole = Searched(tried=[Tried() for _ in search.where])
    for first in takewhile(parts.__contains__, counted_from(0, chunk)):
        whole.add(parts[first], search.count)
    return whole


def _by_pool(work: Callable[[int, int], str], ranges: Iterator[Range], ends: float | None) -> Any:
    """Ranges with what they hold, in the processes of this machine, a few seconds of work at a
    time. The first round is done whatever the clock says."""
    workers = available_processes()
    size, deadline = workers, None
    while jobs := list(islice(ranges, size)):
        began = time.monotonic()
        results = share_out(partial(_in_time, work, deadline), jobs, processes=workers)
        yield from ((job, text) for job, text in zip(jobs, results, strict=True) if text)
        if not all(results) or (ends is not None and time.time() >= ends):
            return
        deadline = ends
        spent = max(time.monotonic() - began, 0.001)
        size = max(workers, min(round(len(jobs) * _ROUND_S / spent), 8 * size))


def _in_time(work: Callable[[int, int], str], ends: float | None, job: Range) -> str:
    """The work, or nothing if it is too late to begin."""
    return "" if ends is not None and time.time() >= ends else work(*job)


def _on_dask(
    work: Callable[[int, int], str], ranges: Iterator[Range], ends: float | None, scheduler: str
) -> Any:
    """Ranges with what they hold, from the workers of a scheduler; none is handed out after the
    end."""

    def in_time() -> Iterator[Range]:
        for span in ranges:
            if span[0] and ends is not None and time.time() >= ends:
                return
            yield span

    return run_on_dask(work, in_time(), workers=0, scheduler=scheduler)


def _replayed(box: AtlasBox, search: Search, candidate: Candidate, *, front: bool) -> FoundMap:
    """A map made once more from its seed, as `atlas new` makes it, and checked. Raises
    ProblemsFound."""
    wanted = search.wanted
    log = map_of(box, wanted, candidate.number)
    words = f"mode {wanted.mode}, policy {wanted.policy}, seed {log.seed}"
    if problems := check_log(box, log):
        problem = problems[0]
        raise ProblemsFound(
            [Problem(code=problem.code, message=f"{words}: {problem.message}", hint=MISTAKE)]
        )
    subject = Surveyor(box).subject(log)
    values = {objective.name: shown(subject.value(objective.name)) for objective in search.best}
    same = candidate.worth == tuple(objective.rank(subject) for objective in search.best)
    for condition in search.where:
        seen = condition.seen(subject)
        values.setdefault(
            condition.name, spread(seen) if isinstance(condition, Wish) else shown(*seen)
        )
        same = same and condition.is_met(seen)
    if not same:
        raise ProblemsFound(
            [
                Problem(
                    code="AT20", message=f"{words}: measures differ when made again", hint=MISTAKE
                )
            ]
        )
    return FoundMap(number=candidate.number, front=front, log=log, values=values)


def shown(*values: float) -> str:
    """A measure as printed: a number, or two sides."""
    return "x".join(f"{value:.10g}" for value in values)


def spread(values: tuple[float, ...]) -> str:
    """What homes measure as printed: a number, or the least and the greatest."""
    least, most = min(values, default=NONE), max(values, default=NONE)
    return f"{least:g}" if least == most else f"{least:g}..{most:g}"


def found_text(found: Found) -> str:
    """The result as text for people."""
    search, searched = found.search, found.searched
    wanted = search.wanted
    met = f"{searched.met} met every condition" if search.where else "no conditions"
    lines = [
        f"{searched.maps} maps of mode {wanted.mode}, policy {wanted.policy}, seed {wanted.seed}: {met}"
    ]
    lines += [f"  {_fared(found, number)}" for number in range(len(search.where))]
    if found.maps:
        names = list(found.maps[0].values)
        wide = [
            max(len(name), *(len(shown_map.values[name]) for shown_map in found.maps))
            for name in names
        ]
        head = "  ".join(f"{name:>{width}}" for name, width in zip(names, wide, strict=True))
        lines += [
            "",
            f"by {', '.join(map(str, search.best))} (* nothing beats it)",
            f"  {'seed':>15}  {head}",
        ]
        for shown_map in found.maps:
            row = "  ".join(
                f"{shown_map.values[name]:>{width}}"
                for name, width in zip(names, wide, strict=True)
            )
            lines.append(f"{'*' if shown_map.front else ' '} {shown_map.log.seed:>15}  {row}")
        lines += ["", f"Map:   {found.command(found.maps[0].log)}"]
    else:
        lines.append("no map found")
    return "\n".join([*lines, f"Again: {found.again}"])


def _fared(found: Found, number: int) -> str:
    """What a condition met with."""
    condition, tried = found.search.where[number], found.searched.tried[number]
    met = []
    if tried.maps:
        met.append(
            f"{tried.met} of {_maps(tried)}"
            + " that met quicker ones" * (tried.maps < found.searched.maps)
        )
    if found.alone and tried.maps < found.searched.maps:
        met.append(f"{found.alone[number].met} of the first {_maps(found.alone[number])}")
    line = f"{condition}: met by {', by '.join(met)}"
    if (
        not any(attempt.met for attempt in (tried, *found.alone[number : number + 1]))
        and (near := _nearest(found, number)) is not None
    ):
        seen = spread(near.nearest) if isinstance(condition, Wish) else shown(*near.nearest)
        line += f"; nearest {seen} (seed {seed_of_map(found.search.wanted.seed, near.number)})"
    return f"{line}; impossible: {why}" if (why := found.reasons.get(number)) else line


def _maps(tried: Tried) -> str:
    return f"{tried.maps} map{'s' * (tried.maps != 1)}"


def _nearest(found: Found, number: int) -> Tried | None:
    """Where a condition was missed by least: among the maps it was tried on, or the first."""
    tried = (found.searched.tried[number], *found.alone[number : number + 1])
    missed = [
        (attempt.distance, place, attempt)
        for place, attempt in enumerate(tried)
        if attempt.distance is not None
    ]
    return min(missed)[2] if missed else None


def numbers_in(value: str) -> list[float]:
    """The sides of a table, or the least and the greatest of homes."""
    return [float(number) for number in value.replace("..", "x").split("x")]


def as_json(found: Found) -> str:
    """The result for programs (docs/formats.md)."""
    search, searched = found.search, found.searched
    wanted = search.wanted
    document = {
        "format": FORMAT,
        "mode": wanted.mode,
        "policy": wanted.policy,
        "seed": wanted.seed,
        "maps": searched.maps,
        "met": searched.met,
        "conditions": [
            {
                "condition": str(condition),
                "maps": tried.maps,
                "met": tried.met,
                "nearest": None
                if (near := _nearest(found, number)) is None
                else {"value": list(near.nearest), "seed": seed_of_map(wanted.seed, near.number)},
                "impossible": found.reasons.get(number),
            }
            for number, (condition, tried) in enumerate(
                zip(search.where, searched.tried, strict=True)
            )
        ],
        "best": [str(objective) for objective in search.best],
        "found": [
            {
                "map": shown_map.number,
                "seed": shown_map.log.seed,
                "front": shown_map.front,
                "values": {
                    name: float(value)
                    if "x" not in value and ".." not in value
                    else numbers_in(value)
                    for name, value in shown_map.values.items()
                },
                "command": found.command(shown_map.log),
            }
            for shown_map in found.maps
        ],
        "again": found.again,
    }
    return json.dumps(document, indent=1) + "\n"
