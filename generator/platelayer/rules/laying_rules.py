"""Rules on laying tiles on hexes: labels, rotations, room and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import named
from platelayer.model.tile import Label, Tile
from platelayer.model.title import TileCount, Title
from platelayer.rules.graph import Spot, spots
from platelayer.rules.replacement import UNLAID
from platelayer.rules.rule import rule
from platelayer.rules.tile_rules import tile_pointer


def _pointer(spot: Spot, *keys: str | int) -> str:
    return join_pointer("maps", spot.board.id, "hexes", spot.hexagon.id, *keys)


@rule(
    "UP04", "label without tiles", reads=("atlas", "colours", "maps/./hexes/.", "tiles", "upgrades")
)
def labels_served(title: Title) -> Iterator[Problem]:
    """A map hex has a label, and the box has no tile with that label in a colour the hex needs. It
    needs its next colour, and every further colour up to the last one in which such tiles exist.

    Wrong: a white hex with "labels": ["Y"], and yellow tiles without any Y.

    Right: tiles 201 and 202; or {"text": "Y", "since": "green"} for a label that applies from green
    onwards.

    Source: docs/upgrades.md, 2: labels must match.
    """
    served = {
        (label.text, entry.tile.colour) for entry in title.tiles for label in entry.tile.labels
    }
    lacking: dict[tuple[str, str], list[Spot]] = {}
    for spot in spots(title):
        for label in spot.hexagon.tile.labels:
            for colour in _needed(spot, label, served, title.colours):
                lacking.setdefault((label.text, colour), []).append(spot)
    if not title.tiles and lacking:
        first, *_ = lacking.values()
        yield Problem(
            pointer=_pointer(first[0], "labels"),
            about="labels",
            message=f"no tiles yet, but hexes have labels: {named(dict.fromkeys(text for text, _ in lacking))}",
            hint='add "tiles"',
        )
        return
    for (text, colour), lacks in lacking.items():
        names = [spot.hexagon.id for spot in lacks]
        labels = lacks[0].hexagon.tile.labels
        yield Problem(
            pointer=_pointer(lacks[0], "labels", [label.text for label in labels].index(text)),
            about=f"{text}/{colour}",
            message=f'no {colour} tile in the box has the label "{text}" of {named(names)}',
            hint=f'add tiles with "{text}", or say from which colour it applies: {{"text": "{text}", "since": ...}}',
        )


def _needed(
    spot: Spot, label: Label, served: set[tuple[str, str]], colours: Sequence[str]
) -> Iterator[str]:
    """Colours that a hex with a label needs and that no tile serves, until another label takes its
    place."""
    text = label.text
    if spot.takes not in colours:
        if (text, spot.takes) not in served:
            yield spot.takes
        return
    own = colours.index(label.since) if label.since in colours else 0
    first = max(own, colours.index(spot.takes))
    others = [
        colours.index(other.since) for other in spot.hexagon.tile.labels if other.since in colours
    ]
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
def every_hex_laid(title: Title) -> Iterator[Problem]:
    """No tile in the box can be laid on this map hex. Either none has its stops and label (a note
    if the hex is preprinted in a tile colour, as it may be meant to stay), or all of them would
    lead off the map, across an impassable border, or into a printed hex without track on that side.

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
            yield Problem(
                pointer=_pointer(spot),
                about=name,
                message=f"no rotation of any {spot.takes} tile fits {name}: its blocked edges are {edges}",
                hint="change its neighbours, or what is printed around it",
                cause=spot.takes,
            )
        elif all((text, spot.takes) in served for text in labels):
            yield Problem(
                pointer=_pointer(spot),
                about=name,
                message=f"no {spot.takes} tile may be laid on {name}{_content(spot.hexagon.tile)}",
                hint="compare its stops, label and track with the tiles; a gray hex stays as it is",
                severity=Severity.NOTE if colour != UNLAID else Severity.ERROR,
                cause=f"{spot.takes}{_content(spot.hexagon.tile)}",
            )


def _content(tile: Tile) -> str:
    """What a hex has, in words: " (2 cities, label OO)"."""
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
def enough_tiles(title: Title) -> Iterator[Problem]:
    """A map has more hexes with a label than the box has tiles of one colour with it, so some of
    the hexes can never be laid or upgraded. This may be intended: scarce tiles are part of many
    games. Colours in which only abilities lay tiles with the label (`via`) are not checked.

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
    needing: dict[tuple[str, str], dict[str, list[Spot]]] = {}
    for spot in spots(title):
        for label in spot.hexagon.tile.labels:
            for colour in dict.fromkeys(title.tile_by_id[name].tile.colour for name in spot.alone):
                if (label.text, colour) in ordinary:
                    boards = needing.setdefault((label.text, colour), {})
                    boards.setdefault(spot.board.id, []).append(spot)
    for (text, colour), boards in needing.items():
        spots_there = max(boards.values(), key=len)
        hexes, number = len(spots_there), tiles[text, colour]
        if hexes > number:
            yield Problem(
                pointer=tile_pointer(ordinary[text, colour]),
                about=f"{text}/{colour}",
                message=f'{hexes} hexes with the label "{text}" may take a {colour} tile, but the box has {number}: '
                + named([spot.hexagon.id for spot in spots_there]),
                hint=f"{hexes - number} more would serve them all",
            )


@rule(
    "UP08",
    "tile without room on the map",
    Severity.WARNING,
    reads=("colours", "maps", "tiles", "upgrades"),
)
def room_for_every_tile(title: Title) -> Iterator[Problem]:
    """By the tiles alone, this tile can be laid on the map. But on every hex that could take it, in
    every rotation, its track would lead off the map, across an impassable border, or into a printed
    hex without track on that side.

    Wrong: a straight town tile, when the only town is in a corner of the map.

    Right: a hex for it; or leave the tile out of the box.

    Source: docs/upgrades.md, "On the map".
    """
    alone = {name for spot in spots(title) for name in spot.alone}
    here = {name for spot in spots(title) for name in spot.here}
    for entry in title.tiles:
        name = entry.tile.id
        if name in alone and name not in here:
            hexes = [spot.hexagon.id for spot in spots(title) if name in spot.alone]
            yield Problem(
                pointer=tile_pointer(entry),
                about=name,
                message=f"{entry.tile.colour} tile {name} does not fit in any rotation on {named(hexes)}",
                hint="its track would leave the map, or end at a border or a side without track",
            )
