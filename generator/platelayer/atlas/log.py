"""Logs of maps in files: atlas.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import asdict

from platelayer.definitions.decode import decode
from platelayer.definitions.source import read_checked
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Locator, Place, Problem, ProblemsFound
from platelayer.model.map_tiles import (
    HAND,
    AtlasLog,
    Axial,
    Draw,
    ProjectDraw,
    TileDraw,
    axial_name,
)

FORMAT = "platelayer.atlas/1"
_json = partial(json.dumps, ensure_ascii=False, allow_nan=False)


class LoadedLog(NamedTuple):
    """Log with the locations of its parts in the file (`place("/draws/4")`), the names of its hexes
    in messages, and whether the file lists blanks."""

    log: AtlasLog
    place: Locator
    name: Callable[[Axial], str] = axial_name
    lists_blanks: bool = True


class Lines(NamedTuple):
    """Locator of a file in lines: the line of each part, by pointer; without lines, of a map that
    is in no file."""

    file: str
    lines: Mapping[str, int] = {}

    def __call__(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - a line has no keys
        """The place of a pointer."""
        line = self.lines.get(pointer, 0)
        return Place(self.file, pointer, line, min(line, 1))


def load_log(path: Path) -> LoadedLog:
    """Read a log that follows the schema "atlas"; the map need not be legal. Raises ProblemsFound
    with every problem: FI, JS and SC codes."""
    document = read_checked(path, "atlas")
    raw = document.value
    problems = []
    for index, draw in enumerate(raw["draws"]):
        # The schema leaves open which of the two keys there is.
        if "capital_project" in draw and ("overlay_at" in draw) == ("deferred" in draw):
            if "deferred" in draw:
                message = 'a capital project has either "overlay_at" or "deferred", not both'
                problem = Problem("SC04", message)
            else:
                hint = 'or, when no city could take it: "deferred": true'
                message = 'the key "overlay_at" is missing'
                problem = Problem("SC03", message, hint)
            problems.append(problem.at(document.place(join_pointer("draws", index))))
    if problems:
        raise ProblemsFound(problems)
    # A tile without a copy is the first copy that no other draw names.
    named = {(draw["tile"], draw["copy"]) for draw in raw["draws"] if "copy" in draw}
    draws: list[Draw] = []
    for draw in raw["draws"]:
        if "capital_project" in draw:
            at = Axial(*draw["overlay_at"]) if "overlay_at" in draw else None
            number = draw["capital_project"]
            draws.append(ProjectDraw(draw["draw"], capital_project=number, overlay_at=at))
            continue
        tile, copy = draw["tile"], draw.get("copy")
        if copy is None:
            copy = next(copy for copy in count(1) if (tile, copy) not in named)
            named.add((tile, copy))
        draws.append(
            TileDraw(
                draw=draw["draw"],
                tile=tile,
                copy=copy,
                at=Axial(*draw["at"]),
                rotation=draw["rotation"],
                alternatives=draw.get("alternatives", 0),
            )
        )
    log = decode(
        AtlasLog,
        {"seed": None, "policy": HAND, "algorithm": HAND, **raw},
        draws=tuple(draws),
        blanks=tuple(Axial(*place) for place in raw.get("blanks", ())),
        metrics=tuple(raw.get("metrics", {}).items()),
    )
    lists_blanks = "blanks" in raw or log.algorithm != HAND
    return LoadedLog(log, document.place, lists_blanks=lists_blanks)


def log_text(log: AtlasLog) -> str:
    """Text of atlas.json, with a line for each draw; equal logs give equal texts."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
        "algorithm": log.algorithm,
        "stack": log.stack,
        "blank_limit": log.blank_limit,
    }
    absent = {key for key in ("stack", "blank_limit") if head[key] is None}
    draws = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            value = asdict(draw)
        else:
            value = {"draw": draw.draw, "capital_project": draw.capital_project}
            if draw.overlay_at is None:
                value["deferred"] = True
            else:
                value["overlay_at"] = draw.overlay_at
        draws.append(_json(value))
    rows = ",\n  ".join(draws)
    lines = f"[\n  {rows}\n ]" if rows else "[]"
    parts = [f"{_json(key)}: {_json(value)}" for key, value in head.items() if key not in absent]
    parts.append(f'"draws": {lines}')
    parts.append(f'"blanks": {_json(log.blanks)}')
    parts.append(f'"restarts": {log.restarts}')
    parts.append(f'"metrics": {_json(dict(log.metrics))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"
