"""A sheet plan's JSON in, typed layouts out: which kinds of piece go into which file, and how they lie there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import ANY_LANGUAGE, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How pieces lie on pages; schemas/sheet.schema.json says what each field means."""

    arrange: str
    bleed_mm: float = 0.0
    gaps_mm: tuple[float, ...] = (0.0,)
    marks: str = "none"
    overlap_mm: float = 0.0
    blank_between_groups: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPlan:
    """One file to print: its stem, its name for people, the kinds it holds, and its layouts by name, default first."""

    stem: str
    name: Text
    kinds: tuple[str, ...]
    layouts: dict[str, Layout]
    sort_by_group: bool = False

    def layout(self, name: str) -> Layout:
        """The layout of that name, or the default."""
        return self.layouts.get(name) or next(iter(self.layouts.values()))


SheetPlan = tuple[DocumentPlan, ...]


@cache
def standard_plan() -> SheetPlan:
    """The plan that comes with Platelayer (checked against its schema by the tests, not at every start)."""
    return build_plan(json.loads(asset_path("sheets", "standard.json").read_text(encoding="utf-8")))


def read_plan(path: Path) -> SheetPlan:
    """A plan from anywhere. Raises ProblemsFound with everything that is wrong in the file."""
    from platelayer.definitions.source import read_checked

    return build_plan(read_checked(path, "sheet").value)


def build_plan(value: Mapping[str, Any]) -> SheetPlan:
    """Typed documents from JSON that is known to be sound."""
    return tuple(
        DocumentPlan(
            stem=stem,
            name=_text(entry["name"]),
            kinds=tuple(entry["kinds"]),
            layouts={name: _layout(layout) for name, layout in entry["layouts"].items()},
            sort_by_group=entry.get("sort_by_group", False),
        )
        for stem, entry in value["documents"].items()
    )


def check_layout_name(name: str, plan: SheetPlan) -> None:
    """Raises ProblemsFound with SH04 when no document of the plan has a layout of that name."""
    known = list(dict.fromkeys(each for document in plan if "tile" in document.kinds for each in document.layouts))
    if name in known:
        return
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else ""
    message = f'there is no tile layout "{name}"; there are {", ".join(known)}'
    raise ProblemsFound([Problem(code="SH04", message=message, hint=hint)])


def _layout(entry: Mapping[str, Any]) -> Layout:
    fields = {key: value for key, value in entry.items() if key != "gaps_mm"}
    return Layout(gaps_mm=tuple(entry.get("gaps_mm", (0.0,))), **fields)


def _text(value: str | Mapping[str, str]) -> Text:
    return Text(((ANY_LANGUAGE, value),)) if isinstance(value, str) else Text(tuple(value.items()))
