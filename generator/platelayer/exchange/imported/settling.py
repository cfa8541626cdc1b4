"""What an imported title needs to agree with its source: options of upgrading, abilities that lay
tiles, waivers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from platelayer.definitions.titles import load_title
from platelayer.exchange.imported.title import Imported
from platelayer.exchange.imported.upgrades import (
    Labels,
    by_the_game,
    granted_by_the_game,
    late_labels,
    own_grounds,
    stay_as_printed,
    work_out_upgrades,
)
from platelayer.foundation.door import unpack
from platelayer.foundation.ending import Unwinding
from platelayer.foundation.problems import Problem, ProblemsFound, Severity, sort_problems
from platelayer.model.title import Title
from platelayer.rules.run import UNKNOWN, UNUSED, all_rules, judge_by
from platelayer.rules.size_rules import SIZE_RULES

Json = dict[str, Any]

REASONS = {
    "CO01": "The certificates are those of the source; what they are worth may change in play.",
    "CO03": "The source places this home so; the city may come with a tile.",
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
"""Why a finding of an imported title may be as it is: the program it comes from says it otherwise.
What is not here stays an error."""
AS_FOUND = {
    "CO04": "The source gives these companies one home.",
    "CO06": "The source has these prices of stations.",
    "CO10": "The source has this company float by an exchange.",
    "MK04": "The source has these zones.",
    "MK05": "The source has these prices.",
    "MO03": "The source has these amounts.",
    "MO11": "The source pays less there later.",
    "MP08": "The source has two places of this name.",
    "PC03": "The source uses both words.",
    "PH06": "The source has this status.",
    "PH08": "The source gives no train limit in this phase.",
    "TR04": "The source sells this train at this price.",
    "TR08": "In the source this train rusts then.",
    "TR10": "In the source this train begins this phase.",
}
"""Warnings of facts that published games have now and then: why they are so in an imported
title."""
DECIDED = ("UP01", "UP02", "UP04", "UP05")
"""Findings that rules of upgrading in code explain."""

_ALIKE = 4
"""So many findings of one code are waived together."""


def _waivers(
    problems: Iterable[Problem], decides: tuple[str, ...] = ()
) -> tuple[list[Json], list[str]]:
    """Waivers for what comes from the source, more than a few findings of one code as one, and what
    the report says of them. `decides` are places in the source that decide upgrades in code."""
    by_code: dict[str, dict[str, Problem]] = {}
    for problem in problems:
        reasons = REASONS if problem.severity is Severity.ERROR else AS_FOUND
        if problem.severity is not Severity.NOTE and problem.code in reasons and problem.about:
            by_code.setdefault(problem.code, {}).setdefault(problem.about, problem)
    block: list[Json] = []
    said: list[str] = []
    for code, places in by_code.items():
        reason = (REASONS | AS_FOUND)[code]
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


def settle(imported: Imported, source: str) -> None:
    """Work out options of upgrading from the tiles of an imported title, which tiles abilities lay,
    and waivers of what the source has so. A title that breaks a schema is left as it is. `source`
    is the name of what it was read from."""
    with (
        Unwinding(),
        tempfile.TemporaryDirectory(prefix="platelayer-") as place,
        suppress(ProblemsFound),
    ):
        title = _loaded(imported, source, Path(place))
        for step in _STEPS:
            if step(imported, title):
                title = _loaded(imported, source, Path(place))
        waived, imported.accepted = _waivers(_findings(title), imported.decides)
        for variant_id in list(imported.head.get("variants", ())):
            _settle_variant(imported, variant_id, waived, Path(place))
        if not imported.head.get("variants", True):
            del imported.head["variants"]
        if waived:
            imported.head["waivers"] = waived


def _settle_variant(imported: Imported, variant_id: str, waived: list[Json], place: Path) -> None:
    """Work out the waivers of a variant of a title that lies in a folder; one that cannot be read
    is left out."""
    variant = imported.head["variants"][variant_id]
    try:
        title = load_title(place, variant=variant_id).title
    except ProblemsFound as error:
        del imported.head["variants"][variant_id]
        imported.losses.lose("map of a variant", f"{variant['name']}: {error.problems[0].message}")
        return
    block, said = _waivers(_findings(title), imported.decides)
    if block != waived:
        variant["patch"]["waivers"] = block
    news = [line for line in said if line not in imported.accepted and not line.startswith(" ")]
    imported.accepted += [f"{variant['name']}: {line}" for line in news]


def problems_in(folder: Path) -> tuple[Problem, ...]:
    """What is wrong with an imported title: of its definition, and by the rules."""
    try:
        loaded = load_title(folder)
    except ProblemsFound as error:
        return error.problems
    return sort_problems(
        [*loaded.problems, *(problem.located(loaded.place) for problem in _findings(loaded.title))]
    )


def _findings(title: Title) -> list[Problem]:
    """What the rules find but those of sizes, for which pieces are drawn, and of waivers: every
    finding, however many are alike."""
    return judge_by(
        title, [code for code in all_rules() if code not in (UNUSED, UNKNOWN, *SIZE_RULES)]
    )


def _loaded(imported: Imported, source: str, place: Path) -> Title:
    unpack(place, imported.files(source))
    return load_title(place).title


def _put_late_labels(imported: Imported, title: Title) -> bool:
    """Labels that no tile of the next colour has, and colours whose tiles lie on ground of their
    own."""
    labels, grounds = late_labels(title), own_grounds(title)
    _put_labels(imported, labels)
    _allow(imported, {"grounds": grounds})
    return bool(labels or grounds)


def _allow_stops(imported: Imported, title: Title) -> bool:
    """Stops that appear or merge in upgrades whose track is kept."""
    worked_out = work_out_upgrades(title, freely=bool(imported.decides))
    _allow(imported, worked_out)
    return bool(worked_out)


def _ask_the_game(imported: Imported, title: Title) -> bool:
    """What the game's own rules say of tiles that could replace nothing."""
    if imported.allows is None:
        return False
    added, labels = by_the_game(title, imported.allows)
    _put_labels(imported, labels)
    _allow(imported, {"added": added})
    return bool(added or labels)


def _grant(imported: Imported, title: Title) -> bool:
    """What else the game's own rules allow."""
    granted = granted_by_the_game(title, imported.allows) if imported.allows is not None else []
    _allow(imported, {"granted": granted})
    return bool(granted)


def _leave_as_printed(imported: Imported, title: Title) -> bool:
    """Hexes on which no tile of the box fits."""
    staying = stay_as_printed(title)
    _allow(imported, {"never_upgraded": staying})
    if staying:
        named = ", ".join(hexagon.removeprefix("hex:") for hexagon in staying)
        imported.losses.assume(f"No tile of the box fits on {named}: they stay as printed.")
    return bool(staying)


def _name_layers(imported: Imported, title: Title) -> bool:
    """Tiles that no chain leads to and that an ability lays, with whose it is."""
    findings = (
        {(problem.code, problem.about) for problem in _findings(title)}
        if imported.laying
        else set()
    )
    alone = {about for code, about in findings if code in ("UP01", "UP02")}
    alone |= {entry.tile.id for entry in title.tiles if ("TL06", entry.tile.colour) in findings}
    laid = sorted(alone & imported.laying.keys())
    for number in laid:
        entry = imported.blocks["tiles"][number]
        whole = dict(entry) if isinstance(entry, dict) else {"count": entry}
        tile = {"tile": whole.pop("tile")} if "tile" in whole else {}
        imported.blocks["tiles"][number] = {**whole, "via": imported.laying[number], **tile}
    return bool(laid)


_STEPS: tuple[Callable[[Imported, Title], bool], ...] = (
    _put_late_labels,
    _allow_stops,
    _ask_the_game,
    _grant,
    _leave_as_printed,
    _name_layers,
)
"""What is worked out, in order, each from the title as the steps before have left it; True where
they changed it."""


_MOST = {
    "merging_labels": 30,
    "merging_towns": 9,
    "added": 30,
    "never_upgraded": 100,
    "grounds": 9,
    "granted": 200,
}
"""Entries that each option of upgrading may have."""


def _allow(imported: Imported, options: Json) -> None:
    """Add to the block `upgrades` of an imported title; lists grow as far as the format lets them,
    and what is empty goes."""
    block, comments = (
        imported.blocks.setdefault("upgrades", {}),
        imported.losses.comments("upgrades"),
    )
    for key, value in options.items():
        block[key] = comments.fit(f"entries in {key}", [*block.get(key, ()), *value], _MOST[key])
    block |= comments.comment
    imported.blocks["upgrades"] = {key: value for key, value in block.items() if value}


def _put_labels(imported: Imported, labels: Labels) -> None:
    """Give hexes the labels that apply from a colour on."""
    for (board, printed), texts in labels.items():
        hexagon = imported.maps[board]["hexes"][printed]
        there = [
            label if isinstance(label, dict) else {"text": label}
            for label in hexagon.get("labels", ())
        ]
        others = [
            label if len(label) > 1 else label["text"]
            for label in there
            if label["text"] not in texts
        ]
        later = [{"text": text, "since": colour} for text, colour in texts.items()]
        imported.maps[board]["hexes"][printed] = hexagon | {"labels": [*others, *later]}
