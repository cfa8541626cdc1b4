"""Options of upgrading worked out from the tiles of a title.

The engine of 18xx.games lets the number of cities change where a hex has a label, and compares track alone. What the
title then needs under `upgrades` follows from its own tiles: for each colour and label, the stops that appear or merge
in upgrades whose track is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from platelayer.model.title import Title
from platelayer.model.upgrade import AddedStops, UpgradeOptions
from platelayer.rules.replacement import Changes, Form, changes_to, colour_index, may_follow, tile_form, turns

Json = dict[str, Any]


def work_out_upgrades(title: Title, *, freely: bool) -> Json:
    """The block `upgrades`, without what it does not need. `freely` where the game decides in code: towns may merge,
    too, into a tile that could replace nothing else."""
    groups = _groups(title)
    added: list[Json] = []
    merging: list[str] = []
    for (colour, label), pairs in groups.items():
        if label:
            cities = [new.counts[0] - old.counts[0] for old, new in pairs if _fits(old, new)]
            more = max([0, *cities])
            if more:
                added.append({"colour": colour, "label": label, "cities": more})
            if any(change < more for change in cities) and label not in merging:
                merging.append(label)
    towns = _merging_towns(title, groups, _options(added, merging)) if freely else []
    block: Json = {}
    if merging:
        block["merging_labels"] = merging[:30]
    if towns:
        block["merging_towns"] = towns
    if added:
        block["added"] = added[:30]
    return block


def _options(added: list[Json], merging: list[str]) -> UpgradeOptions:
    stops = tuple(AddedStops(colour=each["colour"], label=each["label"], cities=each["cities"]) for each in added)
    return UpgradeOptions(added=stops, merging_labels=tuple(merging))


def _groups(title: Title) -> dict[tuple[str, str], list[tuple[Form, Form]]]:
    """Pairs of what may follow each other by colour and label, by the colour and label of the new tile ("": none, or
    several)."""
    options, colours = title.upgrades, title.colours
    new = [tile_form(entry.tile, colours, options) for entry in title.tiles if entry.via is None]
    old = [*dict.fromkeys(_old_forms(title)), *dict.fromkeys(new)]
    found: dict[tuple[str, str], list[tuple[Form, Form]]] = {}
    for after in dict.fromkeys(new):
        labels = after.labels_at(colour_index(after.colour, colours))
        key = (after.colour, labels[0] if len(labels) == 1 else "")
        for before in old:
            if may_follow(before, after, colours):
                found.setdefault(key, []).append((before, after))
    return found


def _old_forms(title: Title) -> Iterator[Form]:
    for board in title.maps:
        for each in board.hexes:
            yield replace(tile_form(each.tile, title.colours, title.upgrades, stubs=each.stubs), id="")


def _fits(old: Form, new: Form) -> bool:
    """The old track is kept, whatever the number of cities."""
    if bool(old.counts[0]) != bool(new.counts[0]) or old.counts[1:] != new.counts[1:]:
        return False
    change = new.counts[0] - old.counts[0]
    return bool(turns(old, new, Changes(cities=max(change, 0), merging=change < 0)))


def _merging_towns(
    title: Title, groups: dict[tuple[str, str], list[tuple[Form, Form]]], options: UpgradeOptions
) -> list[str]:
    """Colours of tiles that only towns that merge lead to."""
    found: list[str] = []
    for (colour, _), pairs in groups.items():
        led_to = {new for old, new in pairs if turns(old, new, changes_to(new, title.colours, options))}
        for old, new in pairs:
            if colour not in found and new not in led_to and turns(old, new, Changes(merging_towns=True)):
                found.append(colour)
    return found
