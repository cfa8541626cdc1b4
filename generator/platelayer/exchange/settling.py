"""Additions that make an imported title agree with its source: options of upgrading, abilities that
lay tiles, waivers.

The engine of 18xx.games allows upgrades to change the number of cities on hexes with a label, and
compares only track. The options that a title needs for this under `upgrades`, and the colours from
which its labels apply, are derived from its own tiles: for each colour and label, the stops that
appear or merge in upgrades that keep the track. For tiles that still cannot replace anything, the
game's own rules are asked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from operator import le
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.titles import load_title
from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import filled
from platelayer.foundation.door import unpack
from platelayer.foundation.problems import (
    Problem,
    ProblemsFound,
    Severity,
    sort_problems,
    split_pointer,
    step,
)
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.tile import HEX, AddedStops, Gauge, StopKind, Tile, UpgradeOptions
from platelayer.model.title import Title
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
from platelayer.rules.rule import UNKNOWN, UNUSED, all_rules, judge_by

# Labels with the colour from which they apply, by map and hex.
Labels = dict[tuple[str, str], dict[str, str]]

# Reasons for accepting findings of an imported title because its source has it so: for errors,
# where errors with other codes remain, and for warnings.
REASONS, AS_FOUND = asset_json("imports.json")["accepted"].values()
# Findings that upgrade rules in code can explain.
_DECIDED = ("UP01", "UP02", "UP04", "UP05")
# Maximum number of findings of one code that are waived one by one; more are waived together.
_MOST_WAIVERS = 4
# A rule in code that concerns more hexes than this is not about single places.
_MOST_HEXES = 8
_MOST_QUESTIONS = 4000
# Maximum number of tiles of an ability that no other ability has.
_FEW_TILES = 2
# Maximum number of entries of each option, as in the schema.
_MOST_SOURCES = 200
_MOST_ENTRIES = {
    "merging_labels": 30,
    "merging_towns": 9,
    "added": 30,
    "never_upgraded": 100,
    "grounds": 9,
    "granted": 200,
}
_TRACKS = {gauge: "broad" if gauge is Gauge.STANDARD else gauge.value for gauge in Gauge}
# Grounds of hexes whose colour is not a colour of tiles.
_GROUNDS = {
    "gray": "ground.slate",
    "red": "ground.pink",
    "blue": "ground.sky",
    "green": "ground.mint",
}
# In the engine a halt is a town, and a pass is a city.
_COUNTED_AS = {StopKind.HALT: StopKind.TOWN, StopKind.PASS: StopKind.CITY}
# A hex that a game's rules know nothing about.
_NOWHERE: Json = {"id": "", "name": "", "coordinates": "", "location_name": None}


def settle(imported: Imported, source: str) -> None:
    """Complete an imported title, in steps that each build on the result of those before. A title
    that breaks a schema is left unchanged. `source` is the name of its source."""
    steps: tuple[Callable[[Imported, Title], bool], ...] = (
        _open_grounds,
        _put_late_labels,
        _allow_stops,
        _label_few_hexes,
        _grant,
        _leave_as_printed,
        _name_layers,
        _grant_places,
        _grant_lays,
        _grant_events,
    )
    with tempfile.TemporaryDirectory(prefix="platelayer-") as folder, suppress(ProblemsFound):
        place = Path(folder)
        title = _loaded(imported, source, place)
        for settled in steps:
            step(f"settling: {settled.__name__.strip('_').replace('_', ' ')}")
            if settled(imported, title):
                title = _loaded(imported, source, place)
        waivers, imported.accepted = _waivers(_findings(title), imported.decides)
        for variant_id in list(imported.head.get("variants", ())):
            step(f"settling: variant {variant_id}")
            _settle_variant(imported, variant_id, waivers, place)
        if not imported.head.get("variants", True):
            del imported.head["variants"]
        if waivers:
            imported.head["waivers"] = waivers


def _loaded(imported: Imported, source: str, place: Path) -> Title:
    """Return the title, after removing references to parts that do not exist. Raises
    ProblemsFound."""
    while True:
        unpack(place, imported.files(source))
        try:
            return load_title(place).title
        except ProblemsFound as error:
            dangling = (problem for problem in error.problems if problem.code == "RF01")
            if not any(_left_out(imported, problem) for problem in dangling):  # one at a time
                raise


def _left_out(imported: Imported, problem: Problem) -> bool:
    """Remove a reference to a part that does not exist. Return False if it is not in a block or map
    of this title."""
    boards = dict(
        zip(("map", *(f"map-{name}" for name in [*imported.maps][1:])), imported.maps, strict=False)
    )
    stem = Path(problem.file).stem
    board = boards.get(stem)
    block = imported.maps[board] if board is not None else imported.blocks.get(stem)
    keys = split_pointer(problem.pointer)[1:]
    if block is None or not keys:
        return False
    entry: Any = block
    entries: Any = block
    for depth, key in enumerate(keys[:-1]):
        entries = entries[int(key) if isinstance(entries, list) else key]
        if depth < 2 and isinstance(entries, dict):
            entry = entries
    last = int(keys[-1]) if isinstance(entries, list) else keys[-1]
    comments = imported.losses.comments(keys[0])
    comments.lose("reference to what there is not", f"{last} {entries[last]}")
    del entries[last]
    words = comments.comment["$comment"]
    entry["$comment"] = f"{entry['$comment']} {words}" if "$comment" in entry else words
    return True


def problems_in(folder: Path) -> tuple[Problem, ...]:
    """Return the problems of an imported title: of its definition, and by the rules."""
    step("checking the title")
    try:
        loaded = load_title(folder)
    except ProblemsFound as error:
        return error.problems
    findings = [problem.located(loaded.place) for problem in _findings(loaded.title)]
    return sort_problems([*loaded.problems, *findings])


def _findings(title: Title) -> list[Problem]:
    """Return every finding of the rules, except those of sizes, which require drawing pieces, and
    of waivers."""
    skipped = (UNUSED, UNKNOWN, *SIZE_RULES)
    return judge_by(title, [code for code in all_rules() if code not in skipped])


# Steps: each returns whether it has changed the title.


def _open_grounds(imported: Imported, title: Title) -> bool:
    """Turn hexes without track in other colours into plain ground, if the game's own rules let
    tiles of the first colour replace them. The ground keeps the colour of the hex."""
    if imported.allows is None:
        return False
    first = title.colours[0]
    news = [_described(entry.tile) for entry in title.tiles if entry.tile.colour == first]
    opened = {}
    changed = False
    for board, hexagon, form in _hexes(title):
        tile = hexagon.tile
        if form.takes is not None or tile.colour == UNLAID or tile.track or form.counts[3]:
            continue
        if form not in opened:
            old, place = _described(tile), _described_hex(hexagon)
            opened[form] = any(imported.allows([(old, place, new) for new in news], None))
        if opened[form]:
            entry = imported.maps[board.id]["hexes"][hexagon.id]
            entry.setdefault("ground", _GROUNDS.get(tile.colour, "ground.sand"))
            del entry["colour"]
            changed = True
    return changed


def _put_late_labels(imported: Imported, title: Title) -> bool:
    """If no tile of the next colour has the label of a hex, let the label apply from the first
    later colour that has it. Also add a ground for each colour outside the order whose tiles
    have labels of white hexes: such tiles lie only on these hexes."""
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    labels: Labels = {}
    on_white = set()
    for board, hexagon, form in _hexes(title):
        if hexagon.tile.colour == UNLAID:
            on_white |= _texts(hexagon.tile)
        for label in hexagon.tile.labels:
            if label.since is not None or form.takes not in title.colours:
                continue
            if (label.text, form.takes) in served:
                continue
            later = title.colours[title.colours.index(form.takes) + 1 :]
            since = next((colour for colour in later if (label.text, colour) in served), None)
            if since is not None:
                labels.setdefault((board.id, hexagon.id), {})[label.text] = since
    by_colour: dict[str, dict[str, None]] = {}
    for entry in title.tiles:
        if entry.tile.colour not in title.colours and entry.via is None:
            texts = sorted(_texts(entry.tile) & on_white)
            by_colour.setdefault(entry.tile.colour, {}).update(dict.fromkeys(texts))
    grounds = [
        {"colour": colour, "labels": list(texts)} for colour, texts in by_colour.items() if texts
    ]
    _put_labels(imported, labels)
    _allow(imported, {"grounds": grounds})
    return bool(labels or grounds)


def _allow_stops(imported: Imported, title: Title) -> bool:
    """Allow stops to appear or merge in upgrades that keep the track. If the game decides upgrades
    in code, also allow towns to merge, into tiles that could replace nothing otherwise."""
    groups = _pairs_by_label(title)
    added: list[Json] = []
    merging: list[str] = []
    for (colour, label), pairs in groups.items():
        if not label:
            continue
        cities = [new.counts[0] - old.counts[0] for old, new in pairs if _keeps_track(old, new)]
        most = max([0, *cities])
        if most:
            added.append({"colour": colour, "label": label, "cities": most})
        if any(change < most for change in cities) and label not in merging:
            merging.append(label)
    towns: list[str] = []
    if imported.decides:
        stops = tuple(AddedStops(**entry) for entry in added)
        options = UpgradeOptions(added=stops, merging_labels=tuple(merging))
        for (colour, _), pairs in groups.items():
            replacing = {
                new
                for old, new in pairs
                if turns(old, new, changes_to(new, title.colours, options))
            }
            rest = [(old, new) for old, new in pairs if new not in replacing]
            if any(turns(old, new, Changes(merging_towns=True)) for old, new in rest):
                towns.append(colour)
    worked_out = {
        "merging_labels": merging,
        "merging_towns": list(dict.fromkeys(towns)),
        "added": added,
    }
    _allow(imported, worked_out)
    return any(worked_out.values())


def _label_few_hexes(imported: Imported, title: Title) -> bool:
    """If a tile can replace nothing yet, and the game's own rules let it replace something on a few
    hexes only, give these hexes its label from its colour on."""
    if imported.allows is None:
        return False
    labels: Labels = {}
    question_count = 0
    replacing = upgrade_graph(title).by_tile
    reached = {name for spot in spots(title) for name in spot.alone}
    places = [(board, hexagon) for board, hexagon, _ in _hexes(title)]
    olds = {
        tile_form(tile, title.colours, title.upgrades): _described(tile)
        for tile in (entry.tile for entry in title.tiles)
    }
    for _, hexagon, form in _hexes(title):
        olds.setdefault(form, _described(hexagon.tile))
    for new in (entry.tile for entry in title.tiles):
        if new.colour not in title.colours[1:] or new.id in replacing or new.id in reached:
            continue
        form, described = tile_form(new, title.colours, title.upgrades), _described(new)
        homes = []
        for before, old in olds.items():
            cities, towns = (form.counts[at] - before.counts[at] for at in (0, 1))
            changes = Changes(cities=cities, towns=towns)
            if before.takes != new.colour or not turns(before, form, changes):
                continue
            if imported.allows([(old, _NOWHERE, described)], None)[0]:
                continue  # allowed on any hex
            elsewhere = [place for place in places if place not in homes]
            elsewhere = elsewhere[: max(0, _MOST_QUESTIONS - question_count)]
            question_count += len(elsewhere)
            answers = imported.allows(
                [(old, _described_hex(hexagon), described) for _, hexagon in elsewhere], None
            )
            homes += [place for place, is_home in zip(elsewhere, answers, strict=True) if is_home]
        for board, hexagon in homes if len(homes) <= _MOST_HEXES else ():
            for text in _texts(new) - _texts(hexagon.tile):
                labels.setdefault((board.id, hexagon.id), {})[text] = new.colour
    _put_labels(imported, labels)
    return bool(labels)


def _grant(imported: Imported, title: Title) -> bool:
    """Grant upgrades that only the game's own rules allow: to the next colour or within one colour;
    to any colour if the game decides on colours, or on hexes in a colour that takes no tile.
    Tiles are tested regardless of their hex, printed hexes one by one."""
    if imported.allows is None:
        return False
    graph = upgrade_graph(title)
    known = {(pair.source, pair.to) for pair in graph.pairs}
    decides_colours = any(
        place.startswith("upgrades_to_correct_color") for place in imported.decides
    )
    tiles = {entry.tile.id: entry.tile for entry in title.tiles if not entry.via}
    forms = [tile_form(tile, title.colours, title.upgrades) for tile in tiles.values()]

    def candidates(old: Form, *, on_map: bool) -> list[str]:
        any_colour = decides_colours or (on_map and old.takes is None)
        return [
            new.id
            for new in forms
            if (any_colour or new.colour in (old.takes, old.colour) or new.id not in graph.by_tile)
            and new.id != old.id
            and old.counts[3] == new.counts[3]
            and (old.id, new.id) not in known
            and edges_kept(old, new)
        ]

    questions = [
        (old.id, tiles[old.id], _NOWHERE, to)
        for old in forms
        for to in candidates(old, on_map=False)
    ]
    alike = {}
    for _, hexagon, form in _hexes(title):
        if hexagon.half is not None:
            continue
        if form not in alike:
            alike[form] = hexagon.tile, candidates(form, on_map=True)
        tile, fitting = alike[form]
        place = _described_hex(hexagon)
        questions += [(form.id, tile, place, to) for to in fitting]
    return _allow_all(imported, _allowed(imported, title, questions[:_MOST_QUESTIONS], None))


def _allowed(
    imported: Imported,
    title: Title,
    questions: list[tuple[str, Tile, Json, str]],
    owner: Json | None,
) -> dict[str, list[str]]:
    """Return, by source, the tiles that may replace it by the game's own rules; without such rules,
    all of them. `questions` are (name of the source, its tile, its hex, new tile); `owner` lays
    the tiles by an ability."""
    tiles = {id(tile): tile for _, tile, _, _ in questions}
    old = {key: _described(tile) for key, tile in tiles.items()}
    new = {to: _described(title.tile_by_id[to].tile) for to in {to: None for *_, to in questions}}
    triples = [(old[id(tile)], place, new[to]) for _, tile, place, to in questions]
    answers = imported.allows(triples, owner) if imported.allows else [True] * len(triples)
    targets: dict[str, list[str]] = {}
    for (source, _, _, to), is_allowed in zip(questions, answers, strict=True):
        if is_allowed:
            targets.setdefault(source, []).append(to)
    return targets


def _grant_places(imported: Imported, title: Title) -> bool:
    """Grant tiles on the hexes that the source names for them, if they keep the track and the stops
    there."""
    known = {(pair.source, pair.to) for pair in upgrade_graph(title).pairs}
    targets: dict[str, list[str]] = {}
    for _, hexagon, form in _hexes(title):
        for number, places in imported.places.items():
            entry = title.tile_by_id.get(number)
            if entry is None or hexagon.id not in places or (form.id, number) in known:
                continue
            new = tile_form(entry.tile, title.colours, title.upgrades)
            if all(map(le, form.counts, new.counts)) and edges_kept(form, new):
                targets.setdefault(form.id, []).append(number)
    return _allow_all(imported, targets)


def _grant_lays(imported: Imported, title: Title) -> bool:
    """Grant the tiles that abilities lay on any hex regardless of labels and stops, as long as
    cities are kept: on hexes, and for tiles that only abilities lay, also on tiles."""
    known = {(pair.source, pair.to) for pair in upgrade_graph(title).pairs}
    forms = {
        entry.tile.id: tile_form(entry.tile, title.colours, title.upgrades) for entry in title.tiles
    }
    hexes = [
        (form, hexagon.tile, _described_hex(hexagon))
        for _, hexagon, form in _hexes(title)
        if hexagon.half is None
    ]
    tiles = [(form, title.tile_by_id[name].tile, _NOWHERE) for name, form in forms.items()]
    targets: dict[str, list[str]] = {}
    for owner, numbers in imported.lays:
        questions = []
        for new in (forms[number] for number in numbers if number in forms):
            own = imported.blocks["tiles"][new.id]
            only_laid = isinstance(own, dict) and "tile" in own and len(numbers) <= _FEW_TILES
            any_colour = only_laid and imported.allows is not None
            for old, tile, place in [*hexes, *(tiles if only_laid else ())]:
                fits = new.colour == old.takes or (any_colour and old.takes is not None)
                if fits and (old.id, new.id) not in known and _keeps_cities(old, new):
                    questions.append((old.id, tile, place, new.id))
        for source, more in _allowed(imported, title, questions, owner).items():
            known |= {(source, number) for number in more}
            targets.setdefault(source, []).extend(more)
    return _allow_all(imported, targets)


def _grant_events(imported: Imported, title: Title) -> bool:
    """Grant tiles that replace nothing yet, because events of a game lay them: on printed hexes
    with the same colour and label that take no other tile, and on each other in the order of the
    box."""
    graph = upgrade_graph(title)
    tiles = [tile_form(entry.tile, title.colours, title.upgrades) for entry in title.tiles]
    targets: dict[str, list[str]] = {}
    for _, hexagon, form in _hexes(title):
        if form.takes is not None or hexagon.half is not None or not form.labels:
            continue
        steps = [form]
        for new in tiles:
            is_alike = (form.colour, form.labels) == (new.colour, new.labels)
            if is_alike and new.id not in graph.by_tile and _keeps_cities(steps[-1], new):
                for old in steps:
                    targets.setdefault(old.id, []).append(new.id)
                steps.append(new)
    return _allow_all(imported, {old: list(dict.fromkeys(to)) for old, to in targets.items()})


def _keeps_cities(old: Form, new: Form) -> bool:
    """Return True if another tile keeps the track to the edges, has no fewer cities, and the same
    number of all other stops except towns."""
    return (
        old.counts[0] <= new.counts[0]
        and old.counts[2:] == new.counts[2:]
        and old.id != new.id
        and bool(edges_kept(old, new))
    )


def _allow_all(imported: Imported, targets: dict[str, list[str]]) -> bool:
    """Grant tiles by the tiles or hexes that they replace; those replaced by the same tiles share
    an entry. Return True if there are any."""
    sources: dict[tuple[str, ...], list[str]] = {}
    for source, numbers in targets.items():
        sources.setdefault(tuple(numbers), []).append(source)
    granted = [
        {"from": together[at : at + _MOST_SOURCES], "to": list(to)}
        for to, together in sources.items()
        for at in range(0, len(together), _MOST_SOURCES)
    ]
    _allow(imported, {"granted": granted})
    return bool(granted)


def _leave_as_printed(imported: Imported, title: Title) -> bool:
    """Mark hexes as never upgraded if no tile of the box fits on them: off-boards, and hexes in a
    tile colour with a label that no tile has, or between edges that no tile respects."""
    held = {entry.tile.colour for entry in title.tiles}
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    staying = []
    for spot in spots(title):
        tile = spot.hexagon.tile
        if tile.colour == UNLAID:
            stays = any(stop.kind is StopKind.OFFBOARD for stop in tile.stops)
        else:
            stays = bool(spot.first) or any(
                (text, spot.takes) not in served for text in _texts(tile)
            )
        if stays and spot.takes in held and not spot.here:
            staying.append(spot.source)
    _allow(imported, {"never_upgraded": staying})
    if staying:
        names = ", ".join(hexagon.removeprefix("hex:") for hexagon in staying)
        imported.losses.assume(f"No tile of the box fits on {names}: they stay as printed.")
    return bool(staying)


def _name_layers(imported: Imported, title: Title) -> bool:
    """Give tiles that cannot be reached by upgrades the owner of the ability that lays them."""
    if not imported.laying:
        return False
    findings = {(problem.code, problem.about) for problem in _findings(title)}
    alone = {about for code, about in findings if code in ("UP01", "UP02")}
    alone |= {entry.tile.id for entry in title.tiles if ("TL06", entry.tile.colour) in findings}
    laid = sorted(alone & imported.laying.keys())
    for number in laid:
        entry = imported.blocks["tiles"][number]
        whole = dict(entry) if isinstance(entry, dict) else {"count": entry}
        tile = {"tile": whole.pop("tile")} if "tile" in whole else {}
        imported.blocks["tiles"][number] = {**whole, "via": imported.laying[number], **tile}
    return bool(laid)


def _allow(imported: Imported, options: Json) -> None:
    """Add entries to the block `upgrades`, up to the maximum that the format accepts, and remove
    empty options."""
    block = imported.blocks.setdefault("upgrades", {})
    comments = imported.losses.comments("upgrades")
    for key, value in options.items():
        entries = [*block.get(key, ()), *value]
        block[key] = comments.fit(f"entries in {key}", entries, _MOST_ENTRIES[key])
    block |= comments.comment
    imported.blocks["upgrades"] = filled(block)


def _put_labels(imported: Imported, labels: Labels) -> None:
    """Give hexes labels that apply from a colour on, replacing the same labels without a colour."""
    for (board, printed), texts in labels.items():
        hexagon = imported.maps[board]["hexes"][printed]
        kept = [
            label
            for label in hexagon.get("labels", ())
            if (label["text"] if isinstance(label, dict) else label) not in texts
        ]
        later = [{"text": text, "since": colour} for text, colour in texts.items()]
        imported.maps[board]["hexes"][printed] = hexagon | {"labels": [*kept, *later]}


# Tiles and hexes


def _hexes(title: Title) -> Iterator[tuple[GameMap, MapHex, Form]]:
    for board in title.maps:
        for hexagon in board.hexes:
            form = tile_form(
                hexagon.tile,
                title.colours,
                title.upgrades,
                name=HEX + hexagon.id,
                stubs=hexagon.stubs,
            )
            yield board, hexagon, form


def _texts(tile: Tile) -> set[str]:
    return {label.text for label in tile.labels}


def _pairs_by_label(title: Title) -> dict[tuple[str, str], list[tuple[Form, Form]]]:
    """Return the pairs of forms of which one may follow the other, by colour and label of the new
    tile ("": no label, or several)."""
    options, colours = title.upgrades, title.colours
    news = [tile_form(entry.tile, colours, options) for entry in title.tiles if entry.via is None]
    hexes = [replace(form, id="") for _, _, form in _hexes(title)]
    olds = [*dict.fromkeys(hexes), *dict.fromkeys(news)]
    pairs: dict[tuple[str, str], list[tuple[Form, Form]]] = {}
    for new in dict.fromkeys(news):
        labels = new.labels_at(colour_index(new.colour, colours))
        key = (new.colour, labels[0] if len(labels) == 1 else "")
        following = [(old, new) for old in olds if may_follow(old, new, colours)]
        if following:
            pairs.setdefault(key, []).extend(following)
    return pairs


def _keeps_track(old: Form, new: Form) -> bool:
    """Return True if a tile keeps the track of another, whatever its number of cities. Cities may
    appear where there were none only on white hexes, by tiles that are never replaced."""
    appears = old.counts[0] == 0 and new.takes is None and old.colour == UNLAID
    if bool(old.counts[0]) != bool(new.counts[0]) and not appears:
        return False
    if old.counts[1:] != new.counts[1:]:
        return False
    change = new.counts[0] - old.counts[0]
    return bool(turns(old, new, Changes(cities=max(change, 0), merging=change < 0)))


def _described_hex(hexagon: MapHex) -> Json:
    """Return a hex in the form in which a game's rules read it."""
    name = hexagon.name.get("en") if hexagon.name is not None else None
    return {"id": hexagon.id, "name": hexagon.id, "coordinates": hexagon.id, "location_name": name}


def _described(tile: Tile) -> Json:
    """Return a tile in the form in which a game's rules read it."""
    stops = []
    by_kind: dict[StopKind, list[Json]] = {}
    for stop in tile.stops:
        halt = stop.kind is StopKind.HALT
        description = {
            "slots": stop.slots,
            "edges": [],
            "halt?": halt,
            "boom": stop.boom,
            "pass?": stop.kind is StopKind.PASS,
            "size": stop.size,
        }
        stops.append(description)
        kind = _COUNTED_AS.get(stop.kind, stop.kind)
        by_kind.setdefault(kind, []).append(description)
    label = next((label.text for label in tile.labels if label.since is None), None)
    later = next((label for label in tile.labels if label.since is not None), None)
    return {
        "name": tile.id,
        "id": f"{tile.id}-0",
        "color": tile.colour,
        "label": label,
        "future_label": later and {"label": later.text, "color": later.since},
        "cities": by_kind.get(StopKind.CITY, []),
        "towns": by_kind.get(StopKind.TOWN, []),
        "offboards": by_kind.get(StopKind.OFFBOARD, []),
        "city_towns": stops,
        "halts": [stop for stop in stops if stop["halt?"]],
        "paths": [{"track": _TRACKS[part.gauge]} for part in tile.track if part.is_track],
        "exits": list(tile.exits),
        "frame": {"color": tile.frame} if tile.frame else None,
        "icons": [],
        "paths_are_subset_of?": True,
        "city_town_edges_are_subset_of?": True,
    }


# Waivers


def _waivers(problems: Iterable[Problem], decides: tuple[str, ...]) -> tuple[list[Json], list[str]]:
    """Return waivers for findings that come from the source, and the lines of the report on them.
    `decides` are places in the source that decide upgrades in code."""
    by_code: dict[str, dict[str, Problem]] = {}
    for problem in problems:
        reasons = REASONS if problem.severity is Severity.ERROR else AS_FOUND
        if problem.severity is not Severity.NOTE and problem.code in reasons and problem.about:
            by_code.setdefault(problem.code, {}).setdefault(problem.about, problem)
    block = []
    report = []
    for code, places in by_code.items():
        reason = (REASONS | AS_FOUND)[code]
        if code in _DECIDED and decides:
            reason += f" See {decides[0]}."
        if len(places) > _MOST_WAIVERS:
            block.append({"code": code, "reason": reason})
            report.append(f"{code}, {len(places)} times: {reason}")
            report += [f"  - {problem.message}" for problem in places.values()]
        else:
            block += [{"code": code, "at": about, "reason": reason} for about in places]
            report += [f"{code}: {problem.message}. {reason}" for problem in places.values()]
    return block, report


def _settle_variant(imported: Imported, variant_id: str, waived: list[Json], place: Path) -> None:
    """Add the waivers of a variant to a title that is stored in a folder, or remove a variant that
    cannot be read."""
    variant = imported.head["variants"][variant_id]
    try:
        title = load_title(place, variant=variant_id).title
    except ProblemsFound as error:
        del imported.head["variants"][variant_id]
        imported.losses.lose("map of a variant", f"{variant['name']}: {error.problems[0].message}")
        return
    block, report = _waivers(_findings(title), imported.decides)
    if block != waived:
        variant["patch"]["waivers"] = block
    news = [line for line in report if line not in imported.accepted and not line.startswith(" ")]
    imported.accepted += [f"{variant['name']}: {line}" for line in news]
