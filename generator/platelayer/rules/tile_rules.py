"""Rules on single tiles: numbers, shapes, track, values and colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from msgspec.structs import replace

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Problems, Severity
from platelayer.foundation.suggestions import named
from platelayer.model.tile import End, EndKind, StopKind, Tile, edge_end
from platelayer.model.title import TileCount, Title
from platelayer.model.upgrade import COMMON_RULES, HEX
from platelayer.rules.graph import prints, upgrade_graph
from platelayer.rules.replacement import UNLAID, Form, Turned, colour_index, tile_form
from platelayer.rules.rule import finding, rule


def tile_pointer(entry: TileCount, *keys: str | int) -> str:
    """Pointer to a tile in the title; `keys` lead on into its definition there."""
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
    """Differences of a tile from the standard tile, in words; "" if only values and drawing
    differ."""
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
    """All that tells two tiles of one shape apart."""
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
    """(place, pointer to it or to a part by its keys, tile) of every tile of the box and everything
    printed on a map."""
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
    """The most that a stop of each kind pays while the tile's own colour is the latest there is."""
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
    """Stops (kind, slots, size) and track, whatever the tile's rotation and the order of its stops.
    Lanes and tapering do not count, nor does where a stop is drawn."""
    form = tile_form(tile, (), COMMON_RULES)
    # The least of the six rotations stands for all of them.
    return min(_lying(form, turned) for turned in form.turned)


def mirror(tile: Tile) -> Tile:
    """The track of a tile as a mirror shows it, every edge e at (6 - e) mod 6; where stops are
    drawn is not kept."""
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
    # Stops that look alike are distinguished by the stops they are joined to, and these by theirs.
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
    """Place of each value among the sorted different ones."""
    order = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [order[value] for value in values]
