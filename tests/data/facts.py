"""What tests of all titles ask: the reference's facts of a title, and a title's tiles and hexes
told as those are."""

from __future__ import annotations

import json
from typing import Any

from beside import SHARED, needs
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import EndKind, Tile, stop_end
from platelayer.model.title import Title

FOLDER = SHARED / "reference"
needs_reference = needs("reference")

_STOPS = (("city", "cities"), ("town", "towns"), ("offboard", "offboards"))


def reference(name: str) -> dict[str, Any]:
    """The facts of a title; none where they do not lie beside the checkout: see
    `needs_reference`."""
    path = FOLDER / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if FOLDER.is_dir() else {}
    return found


def counts_by_colour(title: Title) -> dict[str, dict[str, int]]:
    """How many of each tile, by colour."""
    found: dict[str, dict[str, int]] = {}
    for entry in title.tiles:
        found.setdefault(entry.tile.colour, {})[entry.tile.id] = entry.count
    return found


def words_of(title: Title, aid: str, language: str) -> str:
    """All words of an aid, each part of it on a line."""
    texts = []
    for own in title.aids:
        if aid not in ("*", own.id):
            continue
        texts.append(own.name)
        for section in (*own.sections, *own.back):
            texts += [section.heading, *section.lines]
            if section.table:
                texts += [cell for row in (section.table.head, *section.table.rows) for cell in row]
    return "\n".join(each.get(language) for each in texts)


def exits_of(tile: Tile, stop: int) -> set[int]:
    """The edges that track leads to from one stop."""
    ends = [set(segment.ends) for segment in tile.track]
    return {
        end.index
        for pair in ends
        if stop_end(stop) in pair
        for end in pair
        if end.kind is EndKind.EDGE
    }


def assert_as_in_the_reference(here: MapHex, there: dict[str, Any], *, name: str | None) -> None:
    """A hex has the colour, stops, track, labels and costs of the reference, and the name that it
    is to have."""
    assert (here.name.get("en") if here.name else None) == name
    assert here.tile.colour == there["color"], here.id
    stops = [
        (
            kind,
            stop["revenue"],
            stop.get("slots", 0),
            stop.get("hide", False),
            stop.get("route") == "optional",
        )
        for kind, key in _STOPS
        for stop in there.get(key, ())
    ]
    for stop, stated in zip(here.tile.stops, stops, strict=True):
        steps = {step.since: step.value for step in stop.revenue}
        revenue = steps if len(steps) > 1 else sum(steps.values())
        assert (stop.kind.value, revenue, stop.slots, stop.hidden, stop.optional) == stated, here.id
    kinds = [kind for kind, *_ in stops]
    ends = [
        frozenset(
            str(end.index) if end.kind is EndKind.EDGE else f"{kinds[end.index]}:{end.index}"
            for end in each.ends
        )
        for each in here.tile.track
    ]
    # The reference of 18EU lists some track twice.
    assert set(ends) == {frozenset(map(str, path[:2])) for path in there["paths"]}, here.id
    assert [label.text for label in here.tile.labels] == there["labels"]
    costs = [terrain.cost for terrain in here.tile.terrain if terrain.cost]
    assert costs == [upgrade["cost"] for upgrade in there.get("upgrades", ())]
