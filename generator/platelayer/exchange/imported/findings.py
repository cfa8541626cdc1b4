"""Findings of the rules that an imported title has as its source has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from platelayer.foundation.problems import Problem, Severity

Json = dict[str, Any]

REASONS = {
    "CO01": "The certificates are those of the source; what they are worth may change in play.",
    "CO03": "The source places this home so; the city may come with a tile.",
    "CO04": "The source gives these companies one home.",
    "CO05": "The source gives this company fewer stations than homes.",
    "MP01": "The source prints this track.",
    "MP02": "The source prints this track.",
    "MP04": "The source prints this off-board; track reaches it otherwise.",
    "MK01": "The source does not mark where start prices are set.",
    "PH01": "In the source the phase begins otherwise than with one train.",
    "PH02": "The source lists the phases in this order.",
    "TL03": "The source prints this track, which ends inside the hex.",
    "TL04": "The source has this stop without track.",
    "TL06": "In the source this tile is laid by an ability, outside the order of colours.",
    "TR01": "The source names this train.",
    "TR02": "In the source this train is handed out, not sold in order.",
    "UP01": "The source decides in code what this tile may replace, or an ability lays it.",
    "UP02": "The source decides in code where this tile may lie, or an ability lays it.",
    "UP04": "The source decides in code which tiles may lie here.",
    "UP05": "The source decides in code which tiles may lie here.",
}
"""Why a finding of an imported title may be as it is: the program it comes from says it otherwise. What is not here
stays an error."""
DECIDED = ("UP01", "UP02", "UP04", "UP05")
"""Findings that rules of upgrading in code explain."""

_ALIKE = 4
"""So many findings of one code are waived together."""


def waivers(problems: Iterable[Problem], decides: tuple[str, ...] = ()) -> tuple[list[Json], list[str]]:
    """Waivers for the errors that come from the source, more than a few of one code as one, and what the report says of
    them. `decides` are places in the source that decide upgrades in code."""
    found: dict[str, dict[str, Problem]] = {}
    for problem in problems:
        if problem.severity is Severity.ERROR and problem.code in REASONS and problem.about:
            found.setdefault(problem.code, {}).setdefault(problem.about, problem)
    block: list[Json] = []
    said: list[str] = []
    for code, places in found.items():
        reason = REASONS[code]
        if code in DECIDED and decides:
            reason += f" See {decides[0]}."
        if len(places) > _ALIKE:
            block.append({"code": code, "reason": reason})
            said.append(f"{code}, {len(places)} times: {reason}")
            said += [f"  - {problem.message}" for problem in places.values()]
        else:
            block += [{"code": code, "at": about, "reason": reason} for about in places]
            said += [f"{code}: {problem.message}. {reason}" for problem in places.values()]
    return block, said


def laid_by_abilities(problems: Iterable[Problem], laying: dict[str, str], colours: dict[str, str]) -> dict[str, str]:
    """Tiles that no chain leads to and that an ability lays, with the name of whose it is; `colours` are those of all
    tiles by number."""
    told = {(problem.code, problem.about) for problem in problems}
    found = {about for code, about in told if code in ("UP01", "UP02")}
    found |= {number for number, colour in colours.items() if ("TL06", colour) in told}
    return {number: laying[number] for number in sorted(found) if number in laying}
