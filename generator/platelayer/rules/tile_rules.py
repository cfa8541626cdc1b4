"""Rules on tiles (numbers, shapes, track, values, colours) and on upgrades: tiles that no upgrade
leads to, tiles without upgrades, and the upgrade table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from msgspec.structs import fields, replace

from platelayer.foundation.problems import Problem, Problems, Severity, join_pointer
from platelayer.foundation.text import named
from platelayer.foundation.values import grouped
from platelayer.model.tile import COMMON_RULES, HEX, End, EndKind, Label, StopKind, Tile, edge_end
from platelayer.model.title import TileCount, Title
from platelayer.rules.graph import Spot, followers, prints, spots, upgrade_graph
from platelayer.rules.replacement import UNLAID, Form, Turned, colour_index, tile_form
from platelayer.rules.rule import finding, rule


def tile_pointer(entry: TileCount, *keys: str | int) -> str:
    """Return the pointer to a tile in the title; `keys` lead on into its definition there."""
    if entry.is_standard:
        return join_pointer("tiles", entry.tile.id)
    return join_pointer("tiles", entry.tile.id, "tile", *keys)


@rule("TL01", "number of another tile", Severity.WARNING, reads=("tiles/.",))
def number_of_another(title: Title) -> Problems:
    """A tile of the title has the number of a standard tile but differs from it in colour, label,
    track or stops. Players who use their own stock of tiles would lay the wrong one.

    Wrong: {"57": {"count": 4, "tile": {"colour": "yellow", "track": [[0, 3]]}}}; 57 is a city on
    straight track.

    Right: a unique number, {"57X": {"count": 4, "tile": {...}}}; or a waiver if the published game
    does print it this way.

    Source: the tile catalogue (assets/tiles).
    """
    for entry in title.tiles:
        standard = entry.standard
        if (
            standard is not None
            and entry.tile != standard
            and (differs := _differences(entry.tile, standard))
        ):
            yield finding(
                tile_pointer(entry),
                f"{entry.tile.id} is the number of a standard tile with {differs}",
                "give the tile another number, or leave out its definition to use the standard tile",
            )


def _differences(tile: Tile, standard: Tile) -> str:
    """Return the differences of a tile from the standard tile, in words; "" if only values and
    drawing differ."""
    differs = [
        words
        for words, same in (
            ("another colour", tile.colour == standard.colour),
            ("other labels", _texts(tile) == _texts(standard)),
            ("other stops or track", shape(tile) == shape(standard)),
        )
        if not same
    ]
    return " and ".join(differs)


def _texts(tile: Tile) -> list[str]:
    return sorted(label.text for label in tile.labels)


@rule("TL02", "two numbers for one tile", Severity.WARNING, reads=("tiles/+",))
def one_number_each(title: Title) -> Problems:
    """Two tiles differ only in number and rotation. This is a note if one is the mirror image of
    the other and they are not both standard tiles: it may be intended, or the tile may be defined
    the wrong way round.

    Wrong: {"A": {"count": 1, "tile": {"colour": "yellow", "track": [[0, 1]]}}, "B": {"count": 1,
    "tile": {"colour": "yellow", "track": [[2, 3]]}}}.

    Right: {"A": {"count": 2, "tile": {"colour": "yellow", "track": [[0, 1]]}}}.

    Source: a tile may be rotated but never turned over, so a rotation is the same tile and a mirror
    image is not.
    """
    looks = [_look(entry) for entry in title.tiles]
    alike = Counter(looks)
    earlier: dict[object, TileCount] = {}
    for entry, look in zip(title.tiles, looks, strict=True):
        if alike[look] == 1:
            continue
        other = earlier.setdefault((look, shape(entry.tile)), entry)
        if other is not entry:
            yield finding(
                tile_pointer(entry),
                f"{entry.tile.id} is {other.tile.id} rotated: the same tile under two numbers",
                "count them under one number",
                about=f"{other.tile.id}={entry.tile.id}",
            )
            continue
        image = earlier.get((look, shape(mirror(entry.tile))))
        if (
            image is not None
            and image is not entry
            and not (entry.is_standard and image.is_standard)
        ):
            yield finding(
                tile_pointer(entry),
                f"{entry.tile.id} is the mirror image of {image.tile.id}",
                about=f"{image.tile.id}={entry.tile.id}",
                severity=Severity.NOTE,
            )


def _look(entry: TileCount) -> object:
    """Return everything that distinguishes two tiles of the same shape."""
    tile = entry.tile
    values = tuple(
        sorted((stop.kind.value, stop.boom, stop.slots, stop.revenue) for stop in tile.stops)
    )
    signs = tuple(sorted((icon.name, icon.text) for icon in tile.icons))
    labels = tuple(sorted((label.text, label.since or "") for label in tile.labels))
    grounds = tile.ground, tile.frame, tile.second_frame, tile.stripes
    track = tuple(sorted(segment.gauge.value for segment in tile.track))
    return (
        tile.colour,
        values,
        signs,
        labels,
        tile.terrain,
        grounds,
        track,
        tile.partitions,
        entry.via,
    )


@rule("TL03", "track that leads nowhere", reads=("atlas", "maps/./hexes/.", "tiles/."))
def track_leads_somewhere(title: Title) -> Problems:
    """Track from an edge ends at a junction without other track and is not "terminal"; or one of
    several lanes of an edge has no track, so the exit leads nowhere.

    Wrong: "track": [[0, "junction"]]; "track": [[0, 3, {"lanes": [[2, 0], [1, 0]]}]] alone.

    Right: "track": [[0, "junction"], [2, "junction"]]; "track": [[0, "junction", {"terminal":
    true}]]; "track": [[0, 3]].

    Source: track joins two ends (tile.schema.json); a train that enters must be able to go
    somewhere.
    """
    for place, at, tile in _all_tiles(title):
        to_junction = [
            n
            for n, segment in enumerate(tile.track)
            if EndKind.JUNCTION in (segment.a.kind, segment.b.kind)
        ]
        if len(to_junction) == 1 and tile.track[to_junction[0]].terminal is None:
            yield finding(
                at("track", to_junction[0]),
                f"the track of {place} leads to a junction that nothing else leads to",
                "join it to an edge, a stop, or a second segment at the junction",
                about=place,
            )
        for edge, width, missing in _empty_lanes(tile):
            lanes = ", ".join(map(str, missing))
            yield finding(
                at(),
                f"edge {edge} of {place} has {width} lanes, but no track on lane {lanes}",
                "lanes are counted from 0; a single track needs none",
                about=place,
            )


def _empty_lanes(tile: Tile) -> Iterator[tuple[int, int, list[int]]]:
    lanes: dict[int, set[tuple[int, int]]] = {}
    for segment in tile.track:
        for end, lane in zip(segment.ends, segment.lanes or (), strict=False):
            if end.kind is EndKind.EDGE:
                lanes.setdefault(end.index, set()).add((lane.width, lane.index))
    for edge, used in sorted(lanes.items()):
        width = max(lanes_across for lanes_across, _ in used)
        missing = sorted(set(range(width)) - {index for _, index in used})
        if missing:
            yield edge, width, missing


def _all_tiles(title: Title) -> Iterator[tuple[str, Callable[..., str], Tile]]:
    """Yield (place, pointer to it or to a part by its keys, tile) for every tile of the box and
    everything printed on a map."""
    for entry in title.tiles:
        yield entry.tile.id, partial(tile_pointer, entry), entry.tile
    for board in title.maps:
        for hexagon in board.hexes:
            yield (
                hexagon.id,
                partial(join_pointer, "maps", board.id, "hexes", hexagon.id),
                hexagon.tile,
            )


@rule("TL04", "stop without track", reads=("tiles/.",))
def stops_have_track(title: Title) -> Problems:
    """A city, town or pass on a tile has no track, so no train can reach it. White tiles stand for
    map hexes and may have none.

    Wrong: {"colour": "yellow", "stops": [{"kind": "town"}], "track": [[0, 3]]}: the track bypasses
    the town.

    Right: {"colour": "yellow", "stops": [{"kind": "town"}], "track": [[0, "stop:0"], [3,
    "stop:0"]]}.

    Source: track is connected to stops by their index (tile.schema.json).
    """
    for entry in title.tiles:
        tile = entry.tile
        reached = {
            end.index for segment in tile.track for end in segment.ends if end.kind is EndKind.STOP
        }
        for index, stop in enumerate(tile.stops):
            if index not in reached and tile.colour != UNLAID:
                yield finding(
                    tile_pointer(entry, "stops", index),
                    f"no track leads to the {stop.kind.value} of {tile.id}"
                    + (f" (stop {index})" if len(tile.stops) > 1 else ""),
                    f'write track to it as [0, "stop:{index}"]',
                )


@rule(
    "TL05",
    "revenue falls",
    Severity.WARNING,
    reads=("atlas", "colours", "maps/./hexes/.", "tiles/+", "upgrades"),
)
def revenue_rises(title: Title) -> Problems:
    """A tile may replace one whose best city (or town) pays more. An upgrade that nobody wants is
    usually a mistake.

    Wrong: a green city of 20 on a yellow one of 30.

    Right: a green city of 40 on a yellow one of 30.

    Source: in every 18xx game, stops on better tiles pay as much or more.
    """
    order = (UNLAID, *title.colours)
    keys_of: dict[str, tuple[str, ...]] = {}
    best = {entry.tile.id: _best(entry.tile, order) for entry in title.tiles}
    for source, keys, printed in prints(title):
        keys_of[source], best[source] = keys, _best(printed, order)
    for pair in upgrade_graph(title).pairs:
        for kind, before in best[pair.source].items():
            after = best[pair.to].get(kind)
            if after is not None and after < before:
                name, entry = pair.source.removeprefix(HEX), title.tile_by_id[pair.to]
                is_own = not entry.is_standard and entry.tile.stops
                yield finding(
                    join_pointer(*keys_of[pair.source])
                    if pair.from_hex and not is_own
                    else tile_pointer(entry, *(("stops",) if is_own else ())),
                    f"the {kind.value} pays {before} on {name}, but {after} on {pair.to}, which may replace it",
                    "check both values",
                    about=f"{name}>{pair.to}",
                )


def _best(tile: Tile, order: Sequence[str]) -> dict[StopKind, int]:
    """Return the most that a stop of each kind pays while the tile's own colour is the latest."""
    best: dict[StopKind, int] = {}
    latest = colour_index(tile.colour, order)
    for stop in tile.stops:
        paid = [
            step.value
            for step in stop.revenue
            if step.since not in order or order.index(step.since) <= latest
        ]
        # Values are listed in the order in which they come into force.
        if paid:
            best[stop.kind] = max(paid[-1], best.get(stop.kind, 0))
    return best


@rule(
    "TL06",
    "colour that is never available",
    reads=("colours", "phases/*/tiles", "tiles/+", "upgrades"),
)
def colours_come(title: Title) -> Problems:
    """The colour of tiles is in no phase, or is missing from the order of colours, so they can
    never be laid. This is reported once for all tiles of the colour. Tiles laid by an ability
    (`via`) and tiles for special grounds need no place in the order, but they do need a phase.

    Wrong: gray tiles in a title whose last phase has "tiles": ["yellow", "green", "brown"].

    Right: a phase with "tiles": ["yellow", "green", "brown", "gray"].

    Source: phases say which tiles may be laid (phases.schema.json); the order is the title's
    `colours`.
    """
    coming = {colour for phase in title.phases for colour in phase.tiles}
    own_ground = {ground.colour for ground in title.upgrades.grounds}
    late: dict[str, list[TileCount]] = {}
    unordered: dict[str, list[TileCount]] = {}
    for entry in title.tiles:
        colour = entry.tile.colour
        if colour == UNLAID:
            continue
        if title.phases and colour not in coming:
            late.setdefault(colour, []).append(entry)
        elif colour not in title.colours and colour not in own_ground and entry.via is None:
            unordered.setdefault(colour, []).append(entry)
    for colour, tiles in late.items():
        reason = f"but no phase allows {colour} tiles"
        yield _never_laid(tiles, colour, reason, f'add "{colour}" to the tiles of a phase')
    order = ", ".join(title.colours)
    for colour, tiles in unordered.items():
        hint = f"the order is {order}; add it to colours or grounds, or give the tile a via"
        yield _never_laid(tiles, colour, "which is not among the colours of the title", hint)


def _never_laid(tiles: Sequence[TileCount], colour: str, why: str, hint: str) -> Problem:
    names = [entry.tile.id for entry in tiles]
    who = f"tile {names[0]} is" if len(names) == 1 else f"{len(names)} tiles ({named(names)}) are"
    return finding(tile_pointer(tiles[0], "colour"), f"{who} {colour}, {why}", hint, about=colour)


Shape = tuple[object, ...]


@lru_cache(1 << 9)
def shape(tile: Tile) -> Shape:
    """Return stops (kind, slots, size) and track, independent of the tile's rotation and the order
    of its stops. Lanes, tapering and the positions of stops do not count."""
    form = tile_form(tile, (), COMMON_RULES)
    # The smallest of the six rotations represents them all.
    return min(_lying(form, turned) for turned in form.turned)


def mirror(tile: Tile) -> Tile:
    """Return the mirrored track of a tile, every edge e at (6 - e) mod 6; positions of stops are
    not kept."""
    track = (
        replace(segment, a=_mirrored(segment.a), b=_mirrored(segment.b)) for segment in tile.track
    )
    return replace(tile, track=tuple(track))


def _mirrored(end: End) -> End:
    return edge_end(-end.index) if end.kind is EndKind.EDGE else end


def _lying(form: Form, turned: Turned) -> Shape:
    at_junction = dict(form.junction_stops)
    stops: list[Shape] = [
        (kind.value, slots, size or 0, edges, at_junction.get(stop, 0))
        for stop, ((kind, slots, size), edges) in enumerate(
            zip(form.stops, turned.stops, strict=True)
        )
    ]
    ranks = _ranks(stops)
    # Distinguish stops with the same rank by the stops that they are connected to, step by step.
    for _ in range(len(stops) if form.links else 0):
        joined: list[list[tuple[int, int]]] = [[] for _ in stops]
        for (a, b), gauges in form.links:
            joined[a].append((gauges, ranks[b]))
            joined[b].append((gauges, ranks[a]))
        ranks = _ranks(
            [(rank, tuple(sorted(links))) for rank, links in zip(ranks, joined, strict=True)]
        )
    links = sorted((*sorted((ranks[a], ranks[b])), gauges) for (a, b), gauges in form.links)
    return tuple(sorted(stops)), turned.joined, turned.junction, tuple(links)


def _ranks(values: list[Shape]) -> list[int]:
    """Return the rank of each value among the distinct values."""
    order = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [order[value] for value in values]


def _ordinary(title: Title) -> Iterator[TileCount]:
    """Yield tiles of ordinary colours that are laid in the ordinary way, unlike those of abilities
    and of special ground."""
    return (
        entry for entry in title.tiles if entry.via is None and entry.tile.colour in title.colours
    )


@rule("UP01", "tile that replaces nothing", reads=("atlas", "colours", "maps", "tiles", "upgrades"))
def something_before(title: Title) -> Problems:
    """A tile of the second or a later colour cannot replace any tile or map hex in any rotation, so
    it can never be laid. A label of a map hex that applies from a later colour (`since`) also
    applies to the tiles on that hex. Tiles that only an ability lays (`via`) are not checked.

    Wrong: a green tile with the label Z, when no yellow tile or yellow hex has that label.

    Right: the same label on both, or an option under `upgrades` that the game uses (merging_labels,
    added ...).

    Source: docs/upgrades.md, 1 to 5: what may replace what.
    """
    replacing = upgrade_graph(title).by_tile
    on_hexes = {name for spot in spots(title) for name in spot.alone}
    # Labels of the tiles of each colour, and labels of the hexes of all maps, which may apply to
    # any colour.
    hexes = {
        label.text
        for board in title.maps
        for hexagon in board.hexes
        for label in hexagon.tile.labels
    }
    carried = {
        colour: hexes.union(
            label.text
            for entry in title.tiles
            if entry.tile.colour == colour
            for label in entry.tile.labels
        )
        for colour in title.colours
    }
    for entry in _ordinary(title):
        tile = entry.tile
        if tile.colour != title.colours[0] and tile.id not in replacing and tile.id not in on_hexes:
            before = title.colours[title.colours.index(tile.colour) - 1]
            alone = tile.labels and not carried[before].intersection(
                label.text for label in tile.labels
            )
            yield finding(
                tile_pointer(entry, *(("labels",) if alone else ())),
                f"{tile.colour} tile {tile.id} cannot replace anything: no {before} tile or hex has its label, "
                "its stops, and track that it keeps",
                "compare labels, cities and towns, slots and track; or name the ability that lays it (via)",
            )


@rule(
    "UP02",
    "tile that no chain from the map reaches",
    reads=("atlas", "colours", "maps", "tiles", "upgrades"),
)
def reached_from_the_map(title: Title) -> Problems:
    """No chain of upgrades leads to this tile from a map hex, or from a tile with another way onto
    the map (`via`), such as a start tile or the tile of an ability. (UP01 covers tiles that replace
    nothing, UP08 tiles that fit nowhere on the map.)

    Wrong: yellow tiles with a town, but no hex with a town and no label.

    Right: a hex that takes the tile; {"via": "Set-up"} for a tile that lies on the map when the
    game starts; or leave the tile out of the box.

    Source: docs/upgrades.md: the first tile goes on a hex, every later one on a tile.
    """
    if not any(spot.first for spot in spots(title)):
        return
    reached = {name for spot in spots(title) for name in spot.alone}
    own_way = [entry.tile.id for entry in title.tiles if entry.via is not None]
    reached |= followers(title, own_way)
    replacing = upgrade_graph(title).by_tile
    for entry in _ordinary(title):
        name = entry.tile.id
        first = entry.tile.colour == title.colours[0]
        if name not in reached and (first or name in replacing):
            others = [pair.source for pair in replacing.get(name, ())]
            why = (
                f"it follows {named(others)}, which no hex leads to"
                if others
                else "no hex takes it"
            )
            yield finding(
                tile_pointer(entry),
                f"no chain from the map leads to {entry.tile.colour} tile {name}: {why}",
                "compare its stops and labels with those of the map; a start tile, or an ability's, has a via",
                about=name,
            )


@rule("UP03", "dead end", reads=("colours", "tiles", "upgrades"))
def goes_on(title: Title) -> Problems:
    """Nothing can replace this tile, although the box has tiles of the next colour. Many tiles are
    the last of their kind, so this is one note for all such tiles of a colour. It is an error if
    the title's official upgrade table continues from the tile, and not reported if the table ends
    there.

    Wrong: "chains": [{"name": "Cities", "steps": [["57"], ["14"]]}] with a 14 that lacks the track
    of 57.

    Right: for every tile of a step, at least one tile of the next step that keeps its track, stops
    and label.

    Source: docs/upgrades.md; the title's own table under upgrades/chains.
    """
    going_on = upgrade_graph(title).by_source
    table = _table(title)
    held = {entry.tile.colour for entry in title.tiles}
    ends: dict[tuple[str, str], list[TileCount]] = {}
    for entry in _ordinary(title):
        name, colour = entry.tile.id, entry.tile.colour
        following = (*title.colours, "")[title.colours.index(colour) + 1]
        if (
            name in going_on
            or following not in held
            or {name, colour} & set(title.upgrades.never_upgraded)
        ):
            continue
        if name not in table:
            ends.setdefault((colour, following), []).append(entry)
        elif table[name]:
            yield finding(
                tile_pointer(entry),
                f"nothing can replace {colour} tile {name}, though the official table lists "
                f"{named(table[name])}",
                "one of them lacks track, stops or a label, or the title needs an option under upgrades",
                about=name,
            )
    for (colour, following), entries in ends.items():
        numbers = [entry.tile.id for entry in entries]
        tiles = f"tile {numbers[0]}" if len(numbers) == 1 else f"tiles {named(numbers, 20)}"
        yield finding(
            tile_pointer(entries[0]),
            f"nothing can replace {colour} {tiles}, though there are {following} tiles",
            about=numbers[0] if len(numbers) == 1 else colour,
            severity=Severity.NOTE,
        )


def _table(title: Title) -> dict[str, tuple[str, ...]]:
    """Each tile of the official table with those of the next steps, none for the last."""
    colours_after: dict[str, tuple[str, ...]] = {}
    for chain in title.chains:
        for before, after in pairwise((*chain.steps, ())):
            for name in before:
                colours_after[name] = tuple(dict.fromkeys((*colours_after.get(name, ()), *after)))
    return colours_after


@rule("UP07", "differs from the official table", reads=("colours", "tiles", "upgrades"))
def as_the_table(title: Title) -> Problems:
    """The upgrades the tiles allow differ from the title's official upgrade table: the tiles allow
    a pair that is not in the table, or a tile in the table leads to no tile of the next step, or
    from none of the previous step.

    Wrong: "steps": [["57"], ["14", "583"]]: 583 is brown and cannot replace 57.

    Right: "steps": [["57"], ["14", "15"], ["611"]].

    Source: the upgrade table in the rulebook (upgrades/chains), and the rotations computed from the
    tiles.
    """
    if not title.chains:
        return
    table, graph = _table(title), upgrade_graph(title)
    special = {
        entry.tile.id
        for entry in title.tiles
        if entry.via is not None and entry.tile.id not in table
    }
    computed = {(pair.source, pair.to) for pair in graph.tile_pairs}
    for pair in graph.tile_pairs:
        if pair.to not in table.get(pair.source, ()) and special.isdisjoint((pair.source, pair.to)):
            rows = {
                name: row
                for row, chain in enumerate(title.chains)
                for step in chain.steps
                for name in step
            }
            row = rows.get(pair.source, rows.get(pair.to))
            yield finding(
                ("upgrades", "chains", *(() if row is None else (row, "steps"))),
                f"the tiles allow {pair.to} to replace {pair.source}, but the official table does not",
                "a label on one of them, or a row of the table, may be missing",
                about=f"{pair.source}>{pair.to}",
            )
    for row, chain in enumerate(title.chains):
        for at, (before, after) in enumerate(pairwise(chain.steps)):
            for number, old in enumerate(before):
                if old in graph.by_source and not any((old, new) in computed for new in after):
                    yield finding(
                        ("upgrades", "chains", row, "steps", at, number),
                        f"the official table lets {named(after)} replace {old}, but none keeps all of it",
                        "compare track, stops, slots and label",
                        about=old,
                    )
            for number, new in enumerate(after):
                if new in graph.by_tile and not any((old, new) in computed for old in before):
                    yield finding(
                        ("upgrades", "chains", row, "steps", at + 1, number),
                        f"the official table lets {new} replace {named(before)}, but it keeps none of them",
                        "compare colour, track, stops, slots and label",
                        about=new,
                    )


@rule(
    "UP09",
    "option that applies to nothing",
    Severity.WARNING,
    reads=("atlas", "colours", "maps", "tiles", "upgrades"),
)
def options_apply(title: Title) -> Problems:
    """An option under `upgrades` names a label, an icon, a tile, a hex or a colour that the title
    does not have. It is usually a typo.

    Wrong: "merging_labels": ["BV"] when the label on the tiles is "B-V".

    Right: "merging_labels": ["B-V"].

    Source: schemas/upgrades.schema.json.
    """
    # Names of each kind of thing that an option may refer to.
    hexes = [(source, tile) for source, _, tile in prints(title)]
    numbers = {entry.tile.id for entry in title.tiles}
    tiles = [entry.tile for entry in title.tiles] + [tile for _, tile in hexes]
    colours = {tile.colour for tile in tiles} | set(title.colours)
    known: dict[str, set[str]] = {
        "label": {label.text for tile in tiles for label in tile.labels},
        "icon": {icon.name for tile in tiles for icon in tile.icons},
        "tile": numbers,
        "colour of tiles": colours,
        "tile, hex or colour": numbers | colours | {source for source, _ in hexes},
        "tile or hex": numbers | {source for source, _ in hexes},
        "ground": {kind for _, tile in hexes for terrain in tile.terrain for kind in terrain.kinds},
    }
    for path, what in _IN_OPTIONS.items():
        for keys, name in _names(title.upgrades, path.split("/"), "upgrades"):
            if name not in known[what]:
                yield finding(
                    (*keys,),
                    f'the title has no {what} "{name}", so this option has no effect',
                    f"the title has {named(sorted(known[what]), 12)}" if known[what] else "",
                    about=name,
                )


# Kind of name expected at each path below `upgrades`.
_IN_OPTIONS = {
    "merging_labels/*": "label",
    "merging_towns/*": "colour of tiles",
    "kept_icons|edge_only_icons/*": "icon",
    "fixed_rotation/*": "tile",
    "never_upgraded/*": "tile, hex or colour",
    "added/*/colour": "colour of tiles",
    "added/*/label": "label",
    "added/*/tiles/*": "tile",
    "grounds/*/colour": "colour of tiles",
    "grounds/*/terrain/*": "ground",
    "grounds/*/labels/*": "label",
    "granted/*/from/*": "tile or hex",
    "granted/*/to/*": "tile",
}


def _names(
    value: Any, steps: Sequence[str], *at: str | int
) -> Iterator[tuple[list[str | int], str]]:
    """The names at a path in a value of the model: where, and each."""
    if not steps:
        if value is not None:
            yield [*at], value
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from _names(entry, steps[1:], *at, number)
    else:
        for field in fields(value):
            if field.encode_name in steps[0].split("|"):
                yield from _names(getattr(value, field.name), steps[1:], *at, field.encode_name)


# Rules for laying tiles on hexes: labels, rotations, space and numbers.


def _pointer(spot: Spot, *keys: str | int) -> str:
    return join_pointer("maps", spot.board.id, "hexes", spot.hexagon.id, *keys)


@rule(
    "UP04", "label without tiles", reads=("atlas", "colours", "maps/./hexes/.", "tiles", "upgrades")
)
def labels_served(title: Title) -> Problems:
    """A map hex has a label, and the box has no tile with that label in a colour that the hex
    needs: its next colour, and every further colour up to the last one with such tiles.

    Wrong: a white hex with "labels": ["Y"], and yellow tiles without any Y.

    Right: tiles 201 and 202; or {"text": "Y", "since": "green"} for a label that applies from green
    onwards.

    Source: docs/upgrades.md, 2: labels must match.
    """
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    lacking = grouped(
        ((label.text, colour), spot)
        for spot in spots(title)
        for label in spot.hexagon.tile.labels
        for colour in _needed(spot, label, served, title.colours)
    )
    if not title.tiles and lacking:
        first, *_ = lacking.values()
        yield finding(
            _pointer(first[0], "labels"),
            f"no tiles yet, but hexes have labels: {named(dict.fromkeys(text for text, _ in lacking))}",
            'add "tiles"',
            about="labels",
        )
        return
    for (text, colour), lacks in lacking.items():
        names = [spot.hexagon.id for spot in lacks]
        labels = lacks[0].hexagon.tile.labels
        yield finding(
            _pointer(lacks[0], "labels", [label.text for label in labels].index(text)),
            f'no {colour} tile in the box has the label "{text}" of {named(names)}',
            f'add tiles with "{text}", or say from which colour it applies: {{"text": "{text}", "since": ...}}',
            about=f"{text}/{colour}",
        )


def _needed(
    spot: Spot, label: Label, served: set[tuple[str, str]], colours: Sequence[str]
) -> Iterator[str]:
    """Colours that a hex with a label needs and that no tile serves, until another label takes its
    place."""
    text = label.text
    if spot.takes not in colours:
        # Ground whose tiles have a colour of their own needs only that colour.
        if (text, spot.takes) not in served:
            yield spot.takes
        return
    own = colours.index(label.since) if label.since in colours else 0
    first = max(own, colours.index(spot.takes))
    others = [
        colours.index(other.since) for other in spot.hexagon.tile.labels if other.since in colours
    ]
    # From this colour on, another label of the hex replaces this one.
    end = min((index for index in others if index > own), default=len(colours))
    there = [
        index
        for index, colour in enumerate(colours)
        if (text, colour) in served and first <= index < end
    ]
    for index in range(first, max(there, default=min(first, end - 1)) + 1):
        if index not in there:
            yield colours[index]


@rule("UP05", "hex that no tile fits", reads=("colours", "maps", "tiles", "upgrades"))
def every_hex_laid(title: Title) -> Problems:
    """No tile in the box can be laid on this map hex. Either none has its stops and label (a note
    if the hex is preprinted in a tile colour, because it may be meant to stay), or all of them
    would lead off the map, across an impassable border, or into a printed hex without track on that
    side.

    Wrong: a hex with two towns and no tile with two towns; a hex whose neighbours leave only one
    edge open.

    Right: a tile for it; or a colour that is never upgraded ("gray") if it is to stay as printed.

    Source: docs/upgrades.md, "On the map".
    """
    held = {entry.tile.colour for entry in title.tiles}
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    for spot in spots(title):
        name, colour = spot.hexagon.id, spot.hexagon.tile.colour
        labels = [label.text for label in spot.hexagon.tile.labels]
        if spot.takes not in held or spot.here:
            continue
        if spot.first:
            edges = ", ".join(map(str, spot.blocked)) or "none"
            yield finding(
                _pointer(spot),
                f"no rotation of any {spot.takes} tile fits {name}: its blocked edges are {edges}",
                "change its neighbours, or what is printed around it",
                about=name,
                cause=spot.takes,
            )
        elif all((text, spot.takes) in served for text in labels):
            yield finding(
                _pointer(spot),
                f"no {spot.takes} tile may be laid on {name}{_content(spot.hexagon.tile)}",
                "compare its stops, label and track with the tiles; a gray hex stays as it is",
                about=name,
                severity=Severity.NOTE if colour != UNLAID else Severity.ERROR,
                cause=f"{spot.takes}{_content(spot.hexagon.tile)}",
            )


def _content(tile: Tile) -> str:
    """Content of a hex in words: " (2 cities, label OO)"."""
    kinds = Counter(stop.kind.value for stop in tile.stops)
    plurals = {"city": "cities", "pass": "passes"}
    parts = [
        f"{number} {kind if number == 1 else plurals.get(kind, kind + 's')}"
        for kind, number in sorted(kinds.items())
    ]
    parts += [f"label {label.text}" for label in tile.labels]
    parts += [f"track to edges {', '.join(map(str, tile.exits))}"] if tile.exits else []
    return f" ({', '.join(parts)})" if parts else " (plain ground)"


@rule(
    "UP06",
    "fewer tiles than hexes with a label",
    Severity.WARNING,
    reads=("colours", "maps/+/hexes/+", "tiles", "upgrades"),
)
def enough_tiles(title: Title) -> Problems:
    """A map has more hexes with a label than the box has tiles with the label in one colour, so
    some hexes cannot be laid or upgraded at the same time. This may be intended: scarce tiles are
    part of many games. Colours in which only abilities lay tiles with the label (`via`) are not
    checked.

    Wrong: fourteen Y hexes and three yellow Y tiles.

    Right: as many tiles as hexes; or a waiver that says where the number of tiles comes from.

    Source: counts of the title's own tiles and hexes; a replaced tile returns to the supply.
    """
    tiles: Counter[tuple[str, str]] = Counter()
    ordinary: dict[tuple[str, str], TileCount] = {}
    for entry in title.tiles:
        for text in {label.text for label in entry.tile.labels}:
            tiles[text, entry.tile.colour] += entry.count
            if entry.via is None:
                ordinary.setdefault((text, entry.tile.colour), entry)
    needing = grouped(
        ((label.text, colour), spot)
        for spot in spots(title)
        for label in spot.hexagon.tile.labels
        for colour in dict.fromkeys(title.tile_by_id[name].tile.colour for name in spot.alone)
        if (label.text, colour) in ordinary
    )
    for (text, colour), needy in needing.items():
        spots_there = max(grouped((spot.board.id, spot) for spot in needy).values(), key=len)
        hexes, number = len(spots_there), tiles[text, colour]
        if hexes > number:
            yield finding(
                tile_pointer(ordinary[text, colour]),
                f'{hexes} hexes with the label "{text}" may take a {colour} tile, but the box has {number}: '
                + named([spot.hexagon.id for spot in spots_there]),
                f"{hexes - number} more would serve them all",
                about=f"{text}/{colour}",
            )


@rule(
    "UP08",
    "tile without room on the map",
    Severity.WARNING,
    reads=("colours", "maps", "tiles", "upgrades"),
)
def room_for_every_tile(title: Title) -> Problems:
    """On every hex that could take this tile, in every rotation, its track would lead off the map,
    across an impassable border, or into a printed hex without track on that side.

    Wrong: a straight town tile if the only town is in a corner of the map.

    Right: a hex for it; or leave the tile out of the box.

    Source: docs/upgrades.md, "On the map".
    """
    alone = {name for spot in spots(title) for name in spot.alone}
    here = {name for spot in spots(title) for name in spot.here}
    for entry in title.tiles:
        name = entry.tile.id
        if name in alone and name not in here:
            hexes = [spot.hexagon.id for spot in spots(title) if name in spot.alone]
            yield finding(
                tile_pointer(entry),
                f"{entry.tile.colour} tile {name} does not fit in any rotation on {named(hexes)}",
                "its track would leave the map, or end at a border or a side without track",
                about=name,
            )
