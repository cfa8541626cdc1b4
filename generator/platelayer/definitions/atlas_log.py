"""The file atlas.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.definitions.atlas_hand import BY_HAND, read_hand
from platelayer.definitions.decode import decode
from platelayer.definitions.source import Document, read_checked, read_text
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Locator, Problem, ProblemsFound
from platelayer.model.atlas import (
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    ProjectDraw,
    TileDraw,
    axial_name,
)

FORMAT = "platelayer.atlas/1"


class LoadedLog(NamedTuple):
    """A log, where each part of it stands in its file (`place("/draws/4")`), what its places are
    called, and whether the file tells blanks."""

    log: AtlasLog
    place: Locator
    name: Callable[[Axial], str] = axial_name
    tells_blanks: bool = True


def load_map(path: Path, box: AtlasBox, mode: str = "") -> LoadedLog:
    """A map from a log (atlas.json), or from lines typed in by hand (see `atlas_hand`), for which
    `mode` is the mode if they name none. Raises ProblemsFound as these do."""
    text = read_text(path, str(path))
    if text.lstrip().startswith("{"):
        return load_log(path)
    hand = read_hand(text, path, box, mode)
    return LoadedLog(hand.log, hand.place, hand.name, hand.tells_blanks)


def load_log(path: Path, file: str | None = None) -> LoadedLog:
    """A log from a file that follows the schema "atlas". `file` is its name in problems, by default
    `path`.

    It is not checked here whether the map is legal. Raises ProblemsFound with every problem: FI, JS
    and SC codes.
    """
    document = read_checked(path, "atlas", file)
    problems = tuple(_problems(document))
    if problems:
        raise ProblemsFound(problems)
    raw = document.value
    tells_blanks = "blanks" in raw or raw.get("algorithm", BY_HAND) != BY_HAND
    return LoadedLog(_build(raw), document.place, tells_blanks=tells_blanks)


def log_text(log: AtlasLog) -> str:
    """A log as the text of atlas.json: a line for each draw; the same log always gives the same
    text."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
    }
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
    log: AtlasLog = decode(
        AtlasLog,
        {"seed": None, "policy": BY_HAND, "algorithm": BY_HAND, **raw},
        draws=_draws(raw["draws"]),
        blanks=tuple(Axial(*place) for place in raw.get("blanks", ())),
        metrics=tuple(raw.get("metrics", {}).items()),
    )
    return log


def _draws(raw: Sequence[dict[str, Any]]) -> tuple[Draw, ...]:
    """The draws; a tile without a copy is the first that no other draw names."""
    named = {(draw["tile"], draw["copy"]) for draw in raw if "copy" in draw}
    draws: list[Draw] = []
    for draw in raw:
        copy = draw.get("copy", 0)
        if "tile" in draw and not copy:
            copy = next(number for number in count(1) if (draw["tile"], number) not in named)
            named.add((draw["tile"], copy))
        draws.append(_draw(draw, copy))
    return tuple(draws)


def _draw(raw: dict[str, Any], copy: int) -> Draw:
    if "capital_project" in raw:
        place = raw.get("overlay_at")
        overlay_at = None if place is None else Axial(*place)
        return ProjectDraw(
            draw=raw["draw"], capital_project=raw["capital_project"], overlay_at=overlay_at
        )
    return TileDraw(
        draw=raw["draw"],
        tile=raw["tile"],
        copy=copy,
        at=Axial(*raw["at"]),
        rotation=raw["rotation"],
        alternatives=raw.get("alternatives", 0),
    )
