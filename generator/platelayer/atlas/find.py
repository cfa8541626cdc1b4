"""Search for maps that meet conditions, keeping the Pareto fronts of the best."""

from __future__ import annotations

import json
import math
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.atlas.assemble import POLICIES, NoMap
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import Wanted, compiled, map_of, seed_of_map
from platelayer.atlas.conditions import Condition, Objective, impossible, shown, staged
from platelayer.atlas.lines import code_of
from platelayer.atlas.measures import Surveyor
from platelayer.atlas.report import map_options
from platelayer.atlas.survey import MISTAKE
from platelayer.foundation.pool import available_processes, share_out
from platelayer.foundation.problems import CannotRun, Interrupted, Problem, ProblemsFound
from platelayer.foundation.text import counted
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import AtlasBox, AtlasLog

FORMAT = "platelayer.atlas-find/1"
# Maps that a process searches at a time. They take a fiftieth of a second with the compiled core
# and half a second without it, which is the longest delay of Ctrl-C and of the time limit.
CHUNK = 100
# As CHUNK, for even maps, which take up to half a second each with the compiled core.
EVEN_CHUNK = 2
# Number of maps searched when the box allows none that meets the conditions. Also the number on
# which each condition is tested alone if no map met them all.
FEW = CHUNK
MAX_MAPS = 10_000_000
# Target duration in seconds of each round of jobs.
_ROUND_S = 5.0
# If a step of a search took less time, the next one may be larger.
_STEP_S = 0.02
# Maps on which each condition is tested alone in one step.
_AT_ONCE = 10

Progress = Callable[[str, int, int], None]
Range = tuple[int, int]


class Search(Frozen, kw_only=True):
    """Maps to search (those of a survey), their conditions and objectives, and the number to keep.
    With `patient`, every condition is tried on every map, even if it has failed another. `title`
    names whose maps they are in commands (empty: Railways of the Lost Atlas)."""

    wanted: Wanted
    where: tuple[Condition, ...]
    best: tuple[Objective, ...]
    count: int
    patient: bool = False
    title: str = ""


class Candidate(NamedTuple):
    """A map that meets all conditions: its number and the ranks by each objective (-inf: nothing to
    measure)."""

    number: int
    ranks: tuple[float, ...]

    def beats(self, other: Candidate) -> bool:
        """Return True if this map is at least as good by every objective and better by one."""
        pairs = zip(self.ranks, other.ranks, strict=True)
        return self.ranks != other.ranks and all(one >= two for one, two in pairs)


class Tried(Struct):
    """Results for one condition: the number of maps on which it was tried, the number that met it,
    and the closest of the others (its values, and its number)."""

    maps: int = 0
    met: int = 0
    distance: float = math.inf
    nearest: tuple[float, ...] = ()
    number: int = -1

    def add(self, other: Tried) -> None:
        """Add the results of later maps."""
        self.maps += other.maps
        self.met += other.met
        if other.distance < self.distance:
            self.distance, self.nearest, self.number = other.distance, other.nearest, other.number


class Searched(Struct, kw_only=True):
    """Result of searching some maps."""

    maps: int = 0
    met: int = 0
    tried: list[Tried] = []
    found: list[Candidate] = []

    def add(self, other: Searched, count: int) -> None:
        """Add the results of later maps, and keep the first `count` fronts."""
        self.maps += other.maps
        self.met += other.met
        if not self.tried:
            self.tried = [Tried() for _ in other.tried]
        for mine, theirs in zip(self.tried, other.tried, strict=True):
            mine.add(theirs)
        self.found = [*chain.from_iterable(fronts([*self.found, *other.found], count))]


def search_maps(box: AtlasBox, search: Search, first: int, end: int) -> Searched:
    """Search the maps from `first` to `end` - 1 of a survey. Raises what `assemble` raises."""
    wanted = search.wanted
    stages = [[*range(len(search.where))]] if search.patient else staged(search.where)
    result = Searched(maps=end - first, tried=[Tried() for _ in search.where])
    # The compiled core measures maps completely; without it, only the requested measures are
    # computed.
    surveyor, core = Surveyor(box), compiled(box, wanted.mode, wanted.policy, wanted.blanks)
    seeds = [seed_of_map(wanted.seed, number) for number in range(first, end)]
    rows = core.rows(seeds) if core is not None else []
    for number in range(first, end):
        whole = None if rows else surveyor.subject(map_of(box, wanted, number))
        subject = whole or rows[number - first]
        for stage in stages:
            met = True
            for index in stage:
                condition = search.where[index]
                if condition.company:  # the compiled core has no measures of single companies
                    whole = whole or surveyor.subject(map_of(box, wanted, number))
                seen = condition.seen(whole if whole and condition.company else subject)
                fits = condition.is_met(seen)
                met = met and fits
                distance = math.inf if fits else condition.distance(seen)
                result.tried[index].add(Tried(1, int(fits), distance, seen, number))
            if not met:
                break
        else:
            ranks = tuple(objective.rank(subject) for objective in search.best)
            result.met += 1
            result.found.append(Candidate(number, ranks))
    result.found = [*chain.from_iterable(fronts(result.found, search.count))]
    return result


def fronts(candidates: Iterable[Candidate], count: int) -> list[list[Candidate]]:
    """Return the first `count` Pareto fronts: maps that no other beats, then those that no other of
    the rest beats, and so on. Each is ordered by the first objective, then the next, then by
    number. Maps equal by every objective are in one front, but at most the first `count` of
    them.

    A map has no later front among fewer maps, so the fronts of parts contain everything that
    belongs to the fronts of the whole.
    """
    ordered = sorted(
        candidates, key=lambda candidate: ([-rank for rank in candidate.ranks], candidate.number)
    )
    # Maps with equal values for all objectives form one front, so a search for two values that many
    # maps share would carry thousands along. At most `count` of them can ever be shown.
    left = [
        candidate
        for _, alike in groupby(ordered, key=lambda one: one.ranks)
        for candidate in islice(alike, count)
    ]
    ranked: list[list[Candidate]] = []
    while left and len(ranked) < count:
        front: list[Candidate] = []
        rest: list[Candidate] = []
        for candidate in left:  # a later candidate never beats an earlier one
            (rest if any(other.beats(candidate) for other in front) else front).append(candidate)
        ranked.append(front)
        left = rest
    return ranked


def chosen(candidates: Iterable[Candidate], count: int) -> tuple[list[Candidate], int]:
    """Return at most `count` maps, whole fronts first, and how many of them belong to the first
    front. From a front that is too large, those farthest apart are chosen."""
    picked: list[Candidate] = []
    best = 0
    for number, front in enumerate(fronts(candidates, count)):
        picked += _spread_out(front, count - len(picked))
        if number == 0:
            best = len(picked)
        if len(picked) == count:
            break
    return picked, best


def _spread_out(front: Sequence[Candidate], count: int) -> list[Candidate]:
    """Return the best map by each objective, then repeatedly the one farthest (in shares of each
    objective's range) from those already chosen; in the order of the front."""
    if len(front) <= count:
        return list(front)
    ranks = [[rank if math.isfinite(rank) else 0.0 for rank in one.ranks] for one in front]
    spans = [(max(column) - min(column)) or 1.0 for column in zip(*ranks, strict=True)]
    bests = [column.index(max(column)) for column in zip(*ranks, strict=True)]
    taken = list(dict.fromkeys(bests))[:count]

    def apart(one: int, two: int) -> float:
        # Use shares of the range, so that an objective in hundreds has the same weight as one in
        # tens; and fsum, so that rounding does not decide ties by the order of the objectives.
        return math.fsum(
            abs(a - b) / span for a, b, span in zip(ranks[one], ranks[two], spans, strict=True)
        )

    while len(taken) < count:
        left = [number for number in range(len(front)) if number not in taken]
        taken.append(
            max(left, key=lambda number: (min(apart(number, other) for other in taken), -number))
        )
    return [front[number] for number in sorted(taken)]


class FindOptions(Frozen, kw_only=True):
    """Limit of a search, in maps or seconds."""

    maps: int | None = None
    seconds: int | None = None


class FoundMap(Frozen, kw_only=True):
    """A map found, remade from its seed: its number, whether no other beats it (`front`), its code,
    and the requested measures, as printed."""

    number: int
    front: bool
    log: AtlasLog
    code: str
    values: dict[str, str]


class Found(Frozen, kw_only=True):
    """Result of a search for people. `reasons` say, for conditions that no map of the mode can meet, why; if
    none met all, `alone` tells how each condition fared on the first maps, whatever these are
    otherwise."""

    search: Search
    searched: Searched
    reasons: dict[int, str]
    alone: tuple[Tried, ...]
    maps: tuple[FoundMap, ...]

    def command(self, log: AtlasLog) -> str:
        """Return the command that makes a map again."""
        return f"platelayer atlas new {_options(self.search, log.seed)}"

    @property
    def again(self) -> str:
        """Return the command that finds the same maps again on any machine."""
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
    """Search maps 0, 1, 2 ... of a survey for the best ones that meet all conditions.

    The result depends only on the search and the number of maps. Raises CannotRun, Interrupted, and
    ProblemsFound for a map that fails the independent check.
    """
    # No map can be found, but show how near maps come, and why none can.
    reasons = _reasons(box, search)
    if reasons:
        options = FindOptions(maps=min(options.maps or FEW, FEW))
    try:
        searched = _search(box, search, options, progress)
        *_, found = _finish(box, search, searched)
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; nothing was written") from error
    except NoMap as error:
        raise CannotRun(str(error)) from error
    assert found is not None  # the last step always sets it
    return found


class Hunt:
    """A search like `find` in this process and thread, in steps, so that the caller can do other
    work in between. It runs for `seconds`, or until `stopped`. `searched` is the result so far,
    `found` the final result."""

    def __init__(self, box: AtlasBox, search: Search, seconds: float) -> None:
        self.box, self.search, self.seconds = box, search, seconds
        self.searched = Searched(tried=[Tried() for _ in search.where])
        self.spent = 0.0
        self.stopped = False
        self.found: Found | None = None

    def steps(self) -> Iterator[None]:
        """Run the whole search, step by step. Raises CannotRun, and ProblemsFound like `find`."""
        started, step = time.monotonic(), 1
        total = FEW if _reasons(self.box, self.search) else MAX_MAPS
        try:
            while self.searched.maps < total and self.spent < self.seconds and not self.stopped:
                before, end = time.monotonic(), min(self.searched.maps + step, total)
                part = search_maps(self.box, self.search, self.searched.maps, end)
                self.searched.add(part, self.search.count)
                if time.monotonic() - before < _STEP_S:
                    step = min(2 * step, CHUNK)
                self.spent = time.monotonic() - started
                yield
        except NoMap as error:
            raise CannotRun(str(error)) from error
        for found in _finish(self.box, self.search, self.searched):
            self.found = found
            yield


def _finish(box: AtlasBox, search: Search, searched: Searched) -> Iterator[Found | None]:
    """Yield None for each step, and finally the best maps, each remade, with the results of each
    condition by itself if no map met all. Raises ProblemsFound."""
    alone = Searched()
    if not searched.met:
        patient, few = replace(search, patient=True), min(searched.maps, FEW)
        for first in range(0, few, _AT_ONCE):
            part = search_maps(box, patient, first, min(first + _AT_ONCE, few))
            alone.add(part, search.count)
            yield None
    picked, best = chosen(searched.found, search.count)
    maps = []
    for place, candidate in enumerate(picked):
        maps.append(_replayed(box, search, candidate, front=place < best))
        yield None
    yield Found(
        search=search,
        searched=searched,
        reasons=_reasons(box, search),
        alone=tuple(alone.tried),
        maps=tuple(maps),
    )


def _reasons(box: AtlasBox, search: Search) -> dict[int, str]:
    return impossible(box, box.mode_by_id[search.wanted.mode], search.where)


def _search(box: AtlasBox, search: Search, options: FindOptions, progress: Progress) -> Searched:
    """Search as many maps as the time allows, in jobs of a few seconds, in all processes of this
    machine. The first round always runs."""
    # A clock that all processes share.
    started, ends, seconds = time.time(), math.inf, options.seconds
    total = MAX_MAPS if options.maps is None else options.maps
    chunk = EVEN_CHUNK if POLICIES[search.wanted.policy].sweeps else CHUNK
    ranges = ((first, min(first + chunk, total)) for first in range(0, total, chunk))
    whole = Searched(tried=[Tried() for _ in search.where])
    size = workers = available_processes()
    while jobs := list(islice(ranges, size)):
        began = time.time()
        parts = share_out(partial(_in_time, box, search, ends), jobs, processes=workers)
        # Count only the parts before the first gap, so that the number of maps identifies the maps.
        for part in parts:
            if part is None:
                break
            whole.add(part, search.count)
        if seconds is None:
            progress("maps", whole.maps, total)
        else:
            ends = started + seconds
            progress("seconds", min(seconds, round(time.time() - started)), seconds)
        if not all(parts) or time.time() >= ends:
            break
        spent = max(time.time() - began, 0.001)
        # Let rounds grow towards a few seconds of work: long enough that processes rarely wait for
        # the slowest, short enough to check the clock. At most eightfold, because the first
        # estimate is the least reliable.
        size = max(workers, min(round(len(jobs) * _ROUND_S / spent), 8 * size))
    return whole


def _in_time(box: AtlasBox, search: Search, ends: float, job: Range) -> Searched | None:
    """Return the result of a job, or None if it is too late to begin."""
    return None if time.time() >= ends else search_maps(box, search, *job)


def _replayed(box: AtlasBox, search: Search, candidate: Candidate, *, front: bool) -> FoundMap:
    """Return a map remade from its seed, as `atlas new` makes it, and checked. Raises
    ProblemsFound."""
    wanted = search.wanted
    log = map_of(box, wanted, candidate.number)
    words = f"mode {wanted.mode}, policy {wanted.policy}, seed {log.seed}"
    if problems := check_log(box, log):
        problem = problems[0]
        raise ProblemsFound([Problem(problem.code, f"{words}: {problem.message}", MISTAKE)])
    subject = Surveyor(box).subject(log)
    values = {objective.name: shown(subject.value(objective.name)) for objective in search.best}
    for condition in search.where:
        values.setdefault(condition.name, condition.printed(condition.seen(subject)))
    code = code_of(box, log)
    return FoundMap(number=candidate.number, front=front, log=log, code=code, values=values)


def found_text(found: Found) -> str:
    """Return the result as text for people."""
    search, searched = found.search, found.searched
    wanted = search.wanted
    met = f"{searched.met} met every condition" if search.where else "no conditions"
    lines = [
        f"{counted(searched.maps, 'map')} of mode {wanted.mode}, policy {wanted.policy}, seed {wanted.seed}: {met}"
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
        best = found.maps[0]
        lines += ["", f"Map:   {found.command(best.log)}", f"Code:  {best.code}"]
    else:
        lines.append("no map found")
    return "\n".join([*lines, f"Again: {found.again}"])


def _fared(found: Found, number: int) -> str:
    """Return the line about a condition."""
    condition, tried = found.search.where[number], found.searched.tried[number]
    met = []
    if tried.maps:
        met.append(
            f"{tried.met} of {counted(tried.maps, 'map')}"
            + " that met quicker ones" * (tried.maps < found.searched.maps)
        )
    if found.alone and tried.maps < found.searched.maps:
        met.append(
            f"{found.alone[number].met} of the first {counted(found.alone[number].maps, 'map')}"
        )
    line = f"{condition}: met by {', by '.join(met)}"
    if (
        not any(attempt.met for attempt in (tried, *found.alone[number : number + 1]))
        and (near := _nearest(found, number)) is not None
    ):
        line += f"; nearest {condition.printed(near.nearest)} (seed {seed_of_map(found.search.wanted.seed, near.number)})"
    return f"{line}; impossible: {why}" if (why := found.reasons.get(number)) else line


def _nearest(found: Found, number: int) -> Tried | None:
    """Return the nearest miss of a condition: among the maps on which it was tried, or among the
    first ones."""
    tried = (found.searched.tried[number], *found.alone[number : number + 1])
    nearest = min(tried, key=lambda attempt: attempt.distance)
    return nearest if math.isfinite(nearest.distance) else None


def numbers_in(value: str) -> list[float]:
    """Return the sides of a table, or the minimum and the maximum over homes."""
    return [float(number) for number in value.replace("..", "x").split("x")]


def as_json(found: Found) -> str:
    """Return the result as JSON (docs/formats.md)."""
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
                else {
                    "value": [*map(float, near.nearest)],
                    "seed": seed_of_map(wanted.seed, near.number),
                },
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
                "code": shown_map.code,
            }
            for shown_map in found.maps
        ],
        "again": found.again,
    }
    return json.dumps(document, indent=1) + "\n"
