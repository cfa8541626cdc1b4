"""The file atlas.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.definitions.source import Document, read_checked
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.model.atlas import AtlasLog, Axial, Draw, ProjectDraw, TileDraw

FORMAT = "platelayer.atlas/1"
BY_HAND = "hand"
"""Policy and algorithm of a map that names none: a map typed in from a table."""


class LoadedLog(NamedTuple):
    """A log, and the file it was read from, which knows the place of each part: `document.place("/draws/4")`."""

    log: AtlasLog
    document: Document


def load_log(path: Path, file: str | None = None) -> LoadedLog:
    """A log from a file that follows the schema "atlas". `file` is its name in problems, by default `path`.

    It is not checked here whether the map is legal. Raises ProblemsFound with every problem: FI, JS and SC codes.
    """
    document = read_checked(path, "atlas", file)
    problems = tuple(_problems(document))
    if problems:
        raise ProblemsFound(problems)
    return LoadedLog(_build(document.value), document)


def log_text(log: AtlasLog) -> str:
    """A log as the text of atlas.json: a line for each draw; the same log always gives the same text."""
    head: dict[str, Any] = {"format": FORMAT, "mode": log.mode, "seed": log.seed, "policy": log.policy}
    head["algorithm"] = log.algorithm
    if log.stack is not None:
        head["stack"] = log.stack
    if log.blank_limit is not None:
        head["blank_limit"] = log.blank_limit
    parts = [f"{_json(key)}: {_json(value)}" for key, value in head.items()]
    parts.append(f'"draws": {_lines([_draw_json(draw) for draw in log.draws])}')
    parts.append(f'"blanks": {_json(log.blanks)}')
    parts.append(f'"restarts": {log.restarts}')
    parts.append(f'"metrics": {_json(dict(log.metrics))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    return "[\n  " + ",\n  ".join(map(_json, rows)) + "\n ]" if rows else "[]"


def _draw_json(draw: Draw) -> dict[str, Any]:
    if isinstance(draw, TileDraw):
        return {
            "draw": draw.draw,
            "tile": draw.tile,
            "copy": draw.copy,
            "at": draw.at,
            "rotation": draw.rotation,
            "alternatives": draw.alternatives,
        }
    where = {"deferred": True} if draw.overlay_at is None else {"overlay_at": draw.overlay_at}
    return {"draw": draw.draw, "capital_project": draw.capital_project, **where}


def _problems(document: Document) -> Iterator[Problem]:
    """What the schema does not check: a capital project was either laid or deferred."""
    for index, raw in enumerate(document.value["draws"]):
        if "capital_project" not in raw or ("overlay_at" in raw) != ("deferred" in raw):
            continue
        both = "overlay_at" in raw
        place = document.place(join_pointer("draws", index))
        message = (
            'a capital project has either "overlay_at" or "deferred", not both'
            if both
            else 'the key "overlay_at" is missing'
        )
        hint = "" if both else 'or, when no city could take it: "deferred": true'
        yield Problem(code="SC04" if both else "SC03", message=message, hint=hint).at(place)


def _build(raw: dict[str, Any]) -> AtlasLog:
    return AtlasLog(
        mode=raw["mode"],
        seed=raw.get("seed"),
        policy=raw.get("policy", BY_HAND),
        algorithm=raw.get("algorithm", BY_HAND),
        draws=tuple(map(_draw, raw["draws"])),
        blanks=tuple(Axial(*place) for place in raw.get("blanks", ())),
        restarts=raw.get("restarts", 0),
        stack=raw.get("stack"),
        blank_limit=raw.get("blank_limit"),
        metrics=tuple(raw.get("metrics", {}).items()),
    )


def _draw(raw: dict[str, Any]) -> Draw:
    if "capital_project" in raw:
        place = raw.get("overlay_at")
        overlay_at = None if place is None else Axial(*place)
        return ProjectDraw(draw=raw["draw"], capital_project=raw["capital_project"], overlay_at=overlay_at)
    return TileDraw(
        draw=raw["draw"],
        tile=raw["tile"],
        copy=raw.get("copy", 1),
        at=Axial(*raw["at"]),
        rotation=raw["rotation"],
        alternatives=raw.get("alternatives", 0),
    )
