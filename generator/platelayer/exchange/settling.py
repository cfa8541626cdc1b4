"""Additions that make an imported title agree with its source: options of upgrading, abilities that
lay tiles, waivers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.titles import load_title
from platelayer.exchange.imported import Allows, Imported
from platelayer.foundation.door import unpack
from platelayer.foundation.problems import Problem, ProblemsFound, Severity, sort_problems
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.model.upgrade import HEX, AddedStops, UpgradeOptions
from platelayer.rules.graph import spots, upgrade_graph
from platelayer.rules.piece_rules import SIZE_RULES
from platelayer.rules.replacement import (
    UNLAID,
    Changes,
    Form,
    changes_to,
    colour_index,
    edges_kept,
    may_follow,
    tile_form,
    turns,
)
from platelayer.rules.run import UNKNOWN, UNUSED, all_rules, judge_by

# Options of upgrading worked out from the tiles of a title.
#
# The engine of 18xx.games lets the number of cities change where a hex has a label, and compares
# track alone. What the title then needs under `upgrades`, and from which colour its labels apply,
# follows from its own tiles: for each colour and label, the stops that appear or merge in upgrades
# whose track is kept. For tiles that then still replace nothing, the game's own rules are asked.


Json = dict[str, Any]
Labels = dict[tuple[str, str], dict[str, str]]
"""By map and hex: labels with the colour from which they apply."""

_MOST_HEXES = 8
"""A rule in code about more hexes than these is none about single places."""
_MOST_QUESTIONS = 4000


def work_out_upgrades(title: Title, *, freely: bool) -> Json:
    """The block `upgrades`, without what it does not need. `freely` where the game decides in code:
    towns may merge, too, into a tile that could replace nothing else."""
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
        block["merging_labels"] = merging
    if towns:
        block["merging_towns"] = towns
    if added:
        block["added"] = added
    return block


def late_labels(title: Title) -> Labels:
    """Labels of hexes that no tile of the next colour has, with the first later colour whose tiles
    have them."""
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    labels: Labels = {}
    for board, hexagon, form in _hexes(title):
        for label in hexagon.tile.labels:
            if (
                label.since is None
                and form.takes in title.colours
                and (label.text, form.takes) not in served
            ):
                later = title.colours[title.colours.index(form.takes) + 1 :]
                since = next((colour for colour in later if (label.text, colour) in served), None)
                if since is not None:
                    labels.setdefault((board.id, hexagon.id), {})[label.text] = since
    return labels


def own_grounds(title: Title) -> list[Json]:
    """Colours outside the order whose tiles have labels that white hexes have, too: they lie there
    and nowhere else."""
    printed = {
        label.text
        for _, hexagon, _ in _hexes(title)
        if hexagon.tile.colour == UNLAID
        for label in hexagon.tile.labels
    }
    by_colour: dict[str, list[str]] = {}
    for entry in title.tiles:
        if entry.tile.colour not in title.colours and entry.via is None:
            texts = {label.text for label in entry.tile.labels} & printed
            by_colour.setdefault(entry.tile.colour, []).extend(sorted(texts))
    return [
        {"colour": colour, "labels": list(dict.fromkeys(labels))}
        for colour, labels in by_colour.items()
        if labels
    ]


def stay_as_printed(title: Title) -> list[str]:
    """Hexes on which nothing in the box fits, as `never_upgraded` names them: off-boards, and what
    is printed in a colour of tiles with a label that none has or between edges that none keeps
    to."""
    held = {entry.tile.colour for entry in title.tiles}
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    sources = []
    for spot in spots(title):
        tile = spot.hexagon.tile
        alone = spot.first or any((text, spot.takes) not in served for text in _texts(tile))
        stays = (
            alone
            if tile.colour != UNLAID
            else any(stop.kind is StopKind.OFFBOARD for stop in tile.stops)
        )
        if stays and spot.takes in held and not spot.here:
            sources.append(spot.source)
    return sources


def by_the_game(title: Title, allows: Allows) -> tuple[list[Json], Labels]:
    """What the game's own rules say of tiles that could replace nothing: stops that appear in
    upgrades to them (entries of `added`), and hexes that have their label from their colour on."""
    added: dict[tuple[str, int, int], list[str]] = {}
    labels: Labels = {}
    asked = 0
    replacing = upgrade_graph(title).by_tile
    reached = {name for spot in spots(title) for name in spot.alone}
    tiles = [entry.tile for entry in title.tiles]
    places = [(board, hexagon) for board, hexagon, _ in _hexes(title)]
    for new in tiles:
        if new.colour in title.colours[1:] and new.id not in replacing and new.id not in reached:
            after = _told(new)
            homes: list[tuple[GameMap, MapHex]] = []
            for old, change in _kept_by(title, tiles, new):
                before = _told(old)
                if allows([(before, _NOWHERE, after)])[0]:
                    if _texts(old) == _texts(new):
                        added.setdefault((new.colour, *change), []).append(new.id)
                        break
                    continue
                elsewhere = [place for place in places if place not in homes][
                    : max(0, _MOST_QUESTIONS - asked)
                ]
                asked += len(elsewhere)
                answers = allows([(before, _hex_told(hexagon), after) for _, hexagon in elsewhere])
                homes += [
                    place for place, allowed in zip(elsewhere, answers, strict=True) if allowed
                ]
            for board, hexagon in homes if len(homes) <= _MOST_HEXES else ():
                for text in _texts(new) - _texts(hexagon.tile):
                    labels.setdefault((board.id, hexagon.id), {})[text] = new.colour
    entries = [
        {"colour": colour, "tiles": numbers}
        | ({"cities": cities} if cities else {})
        | ({"towns": towns} if towns else {})
        for (colour, cities, towns), numbers in added.items()
        if cities or towns
    ]
    return entries, labels


def granted_by_the_game(title: Title, allows: Allows) -> list[Json]:
    """Upgrades that the game's own rules allow and that neither the tiles nor other options tell
    of, as the option `granted`: to the next colour, or within one; tiles wherever they lie, hexes
    of the map each by itself."""
    known = {(pair.source, pair.to) for pair in upgrade_graph(title).pairs}
    news = [
        (tile_form(entry.tile, title.colours, title.upgrades), entry.tile)
        for entry in title.tiles
        if not entry.via
    ]
    told = {form.id: _told(tile) for form, tile in news}

    def candidates(old: Form) -> list[str]:
        return [
            new.id
            for new, _ in news
            if new.colour in (old.takes, old.colour)
            and new.id != old.id
            and (old.id, new.id) not in known
            and edges_kept(old, new)
        ]

    questions = [(old.id, told[old.id], _NOWHERE, to) for old, _ in news for to in candidates(old)]
    alike: dict[Form, tuple[Json, list[str]]] = {}
    for _, hexagon, form in _hexes(title):
        if form.takes is not None and hexagon.half is None:
            if form not in alike:
                alike[form] = _told(hexagon.tile), candidates(form)
            tile, fitting = alike[form]
            place = _hex_told(hexagon)
            questions += [(form.id, tile, place, to) for to in fitting]
    questions = questions[:_MOST_QUESTIONS]
    answers = allows([(tile, place, told[to]) for _, tile, place, to in questions])
    targets: dict[str, list[str]] = {}
    for (source, _, _, to), allowed in zip(questions, answers, strict=True):
        if allowed:
            targets.setdefault(source, []).append(to)
    together: dict[tuple[str, ...], list[str]] = {}
    for source, replacing in targets.items():
        together.setdefault(tuple(replacing), []).append(source)
    return [{"from": sources, "to": list(replacing)} for replacing, sources in together.items()]


_NOWHERE: Json = {"id": "", "name": "", "coordinates": "", "location_name": None}


def _hex_told(hexagon: MapHex) -> Json:
    name = hexagon.name.get("en") if hexagon.name is not None else None
    return {"id": hexagon.id, "name": hexagon.id, "coordinates": hexagon.id, "location_name": name}


def _told(tile: Tile) -> Json:
    """A tile as a game's rules ask for it."""
    stops = [{"slots": stop.slots, "edges": []} for stop in tile.stops]
    kinds = [stop.kind for stop in tile.stops]
    return {
        "name": tile.id,
        "id": f"{tile.id}-0",
        "color": tile.colour,
        "label": next((label.text for label in tile.labels if label.since is None), None),
        "future_label": next(
            (
                {"label": label.text, "color": label.since}
                for label in tile.labels
                if label.since is not None
            ),
            None,
        ),
        "cities": [stop for stop, kind in zip(stops, kinds, strict=True) if kind is StopKind.CITY],
        "towns": [
            stop
            for stop, kind in zip(stops, kinds, strict=True)
            if kind in (StopKind.TOWN, StopKind.HALT)
        ],
        "offboards": [
            stop for stop, kind in zip(stops, kinds, strict=True) if kind is StopKind.OFFBOARD
        ],
        "city_towns": stops,
        "icons": [],
        "paths_are_subset_of?": True,
        "city_town_edges_are_subset_of?": True,
    }


def _kept_by(
    title: Title, tiles: Iterable[Tile], new: Tile
) -> Iterator[tuple[Tile, tuple[int, int]]]:
    """Tiles and hexes whose track a tile keeps, with the cities and towns that appear or merge, the
    least first."""
    after = tile_form(new, title.colours, title.upgrades)
    olds = {tile_form(tile, title.colours, title.upgrades): tile for tile in tiles}
    for _, hexagon, form in _hexes(title):
        olds.setdefault(form, hexagon.tile)
    changed = []
    for before, old in olds.items():
        change = (after.counts[0] - before.counts[0], after.counts[1] - before.counts[1])
        changes = Changes(cities=change[0], towns=change[1])
        if (
            before.takes == new.colour
            and before.counts[2:] == after.counts[2:]
            and turns(before, after, changes)
        ):
            changed.append((sum(map(abs, change)), old, change))
    yield from ((old, change) for _, old, change in sorted(changed, key=lambda item: item[0]))


def _texts(tile: Tile) -> set[str]:
    return {label.text for label in tile.labels}


def _options(added: list[Json], merging: list[str]) -> UpgradeOptions:
    stops = tuple(
        AddedStops(colour=addition["colour"], label=addition["label"], cities=addition["cities"])
        for addition in added
    )
    return UpgradeOptions(added=stops, merging_labels=tuple(merging))


def _groups(title: Title) -> dict[tuple[str, str], list[tuple[Form, Form]]]:
    """Pairs of what may follow each other by colour and label, by the colour and label of the new
    tile ("": none, or several)."""
    options, colours = title.upgrades, title.colours
    new = [tile_form(entry.tile, colours, options) for entry in title.tiles if entry.via is None]
    old = [
        *dict.fromkeys(replace(form, id="") for _, _, form in _hexes(title)),
        *dict.fromkeys(new),
    ]
    pairs: dict[tuple[str, str], list[tuple[Form, Form]]] = {}
    for after in dict.fromkeys(new):
        labels = after.labels_at(colour_index(after.colour, colours))
        key = (after.colour, labels[0] if len(labels) == 1 else "")
        for before in old:
            if may_follow(before, after, colours):
                pairs.setdefault(key, []).append((before, after))
    return pairs


def _hexes(title: Title) -> Iterator[tuple[GameMap, MapHex, Form]]:
    for board in title.maps:
        for hexagon in board.hexes:
            yield (
                board,
                hexagon,
                tile_form(
                    hexagon.tile,
                    title.colours,
                    title.upgrades,
                    name=HEX + hexagon.id,
                    stubs=hexagon.stubs,
                ),
            )


def _fits(old: Form, new: Form) -> bool:
    """The old track is kept, whatever the number of cities; only on ground of their own do they
    appear from none."""
    appears = old.counts[0] == 0 and new.takes is None and old.colour == UNLAID
    if (bool(old.counts[0]) != bool(new.counts[0]) and not appears) or old.counts[1:] != new.counts[
        1:
    ]:
        return False
    change = new.counts[0] - old.counts[0]
    return bool(turns(old, new, Changes(cities=max(change, 0), merging=change < 0)))


def _merging_towns(
    title: Title, groups: dict[tuple[str, str], list[tuple[Form, Form]]], options: UpgradeOptions
) -> list[str]:
    """Colours of tiles that only towns that merge lead to."""
    colours: list[str] = []
    for (colour, _), pairs in groups.items():
        led_to = {
            new for old, new in pairs if turns(old, new, changes_to(new, title.colours, options))
        }
        for old, new in pairs:
            if (
                colour not in colours
                and new not in led_to
                and turns(old, new, Changes(merging_towns=True))
            ):
                colours.append(colour)
    return colours


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
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place, suppress(ProblemsFound):
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
