"""Rules on upgrades: tiles that nothing leads to, tiles that lead nowhere, and the upgrade
table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import named
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.title import TileCount, Title
from platelayer.model.upgrade import HEX
from platelayer.rules.graph import followers, hex_source, spots, upgrade_graph
from platelayer.rules.rule import rule
from platelayer.rules.tile_rules import tile_pointer


def _ordinary(title: Title) -> Iterator[TileCount]:
    """Tiles in the order of colours that are laid as any other: those of abilities and of own
    ground have own ways."""
    return (
        entry for entry in title.tiles if entry.via is None and entry.tile.colour in title.colours
    )


@rule("UP01", "tile that replaces nothing", reads=("atlas", "colours", "maps", "tiles", "upgrades"))
def something_before(title: Title) -> Iterator[Problem]:
    """A tile of the second colour or a later one cannot replace any tile or map hex in any
    rotation, so it can never be laid. A label of a map hex that applies from a later colour
    (`since`) counts for what lies on that hex. Tiles that only an ability lays (`via`) are not
    checked.

    Wrong: a green tile with the label Z, when no yellow tile or yellow hex has that label.

    Right: the same label on both, or an option under `upgrades` that the game uses (merging_labels,
    added ...).

    Source: docs/upgrades.md, 1 to 5: what may replace what.
    """
    replacing = upgrade_graph(title).by_tile
    on_hexes = {name for spot in spots(title) for name in spot.alone}
    carried = _labels_by_colour(title)
    for entry in _ordinary(title):
        tile = entry.tile
        if tile.colour != title.colours[0] and tile.id not in replacing and tile.id not in on_hexes:
            before = title.colours[title.colours.index(tile.colour) - 1]
            alone = tile.labels and not carried[before].intersection(
                label.text for label in tile.labels
            )
            yield Problem(
                pointer=tile_pointer(entry, *(("labels",) if alone else ())),
                about=tile.id,
                message=f"{tile.colour} tile {tile.id} cannot replace anything: no {before} tile or hex has its label, "
                "its stops, and track that it keeps",
                hint="compare labels, cities and towns, slots and track; or name the ability that lays it (via)",
            )


def _labels_by_colour(title: Title) -> dict[str, set[str]]:
    """Labels of the tiles of each colour, and of all hexes of the maps, whose labels may apply to
    any colour."""
    hexes = {
        label.text
        for board in title.maps
        for hexagon in board.hexes
        for label in hexagon.tile.labels
    }
    return {
        colour: hexes.union(
            label.text
            for entry in title.tiles
            if entry.tile.colour == colour
            for label in entry.tile.labels
        )
        for colour in title.colours
    }


@rule(
    "UP02",
    "tile that no chain from the map reaches",
    reads=("atlas", "colours", "maps", "tiles", "upgrades"),
)
def reached_from_the_map(title: Title) -> Iterator[Problem]:
    """By the tiles alone, no chain of upgrades leads to this tile, neither from a map hex nor from
    a tile with another way onto the map (`via`), such as a start tile or the tile of an ability.
    (UP01 covers tiles that replace nothing at all, UP08 tiles that fit nowhere on the map.)

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
            yield Problem(
                pointer=tile_pointer(entry),
                about=name,
                message=f"no chain from the map leads to {entry.tile.colour} tile {name}: {why}",
                hint="compare its stops and labels with those of the map; a start tile, or an ability's, has a via",
            )


@rule("UP03", "dead end", reads=("colours", "tiles", "upgrades"))
def goes_on(title: Title) -> Iterator[Problem]:
    """Nothing can replace this tile, though the box has tiles of the next colour. Many tiles are
    the last of their kind, so this is one note for all these tiles of a colour. It is an error if
    the title's official upgrade table continues from the tile, and is not reported if the table
    ends there.

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
            yield Problem(
                pointer=tile_pointer(entry),
                about=name,
                message=f"nothing can replace {colour} tile {name}, though the official table lists "
                f"{named(table[name])}",
                hint="one of them lacks track, stops or a label, or the title needs an option under upgrades",
            )
    for (colour, following), entries in ends.items():
        numbers = [entry.tile.id for entry in entries]
        tiles = f"tile {numbers[0]}" if len(numbers) == 1 else f"tiles {named(numbers, 20)}"
        yield Problem(
            pointer=tile_pointer(entries[0]),
            about=numbers[0] if len(numbers) == 1 else colour,
            message=f"nothing can replace {colour} {tiles}, though there are {following} tiles",
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
def as_the_table(title: Title) -> Iterator[Problem]:
    """The upgrades the tiles allow differ from the title's official upgrade table: the tiles allow
    a pair that is not in the table, or a tile in the table leads to no tile of the next step, or
    can be reached from none of the step before.

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
            yield Problem(
                pointer=join_pointer(
                    "upgrades", "chains", *(() if row is None else (row, "steps"))
                ),
                about=f"{pair.source}>{pair.to}",
                message=f"the tiles allow {pair.to} to replace {pair.source}, but the official table does not",
                hint="a label on one of them, or a row of the table, may be missing",
            )
    for row, chain in enumerate(title.chains):
        for at, (before, after) in enumerate(pairwise(chain.steps)):
            for number, old in enumerate(before):
                if old in graph.by_source and not any((old, new) in computed for new in after):
                    yield Problem(
                        pointer=join_pointer("upgrades", "chains", row, "steps", at, number),
                        about=old,
                        message=f"the official table lets {named(after)} replace {old}, but none keeps all of it",
                        hint="compare track, stops, slots and label",
                    )
            for number, new in enumerate(after):
                if new in graph.by_tile and not any((old, new) in computed for old in before):
                    yield Problem(
                        pointer=join_pointer("upgrades", "chains", row, "steps", at + 1, number),
                        about=new,
                        message=f"the official table lets {new} replace {named(before)}, but it keeps none of them",
                        hint="compare colour, track, stops, slots and label",
                    )


@rule(
    "UP09",
    "option that applies to nothing",
    Severity.WARNING,
    reads=("atlas", "colours", "maps", "tiles", "upgrades"),
)
def options_apply(title: Title) -> Iterator[Problem]:
    """An option under `upgrades` names a label, an icon, a tile, a hex or a colour that the title
    does not have. It is usually a typo.

    Wrong: "merging_labels": ["BV"] when the label on the tiles is "B-V".

    Right: "merging_labels": ["B-V"].

    Source: schemas/upgrades.schema.json.
    """
    known = _known_names(title)
    for keys, what, name in _names_in_options(title):
        if name not in known[what]:
            yield Problem(
                pointer=join_pointer("upgrades", *keys),
                about=name,
                message=f'the title has no {what} "{name}", so this option has no effect',
                hint=f"the title has {named(sorted(known[what]), 12)}" if known[what] else "",
            )


def _known_names(title: Title) -> dict[str, set[str]]:
    """What there is of each kind of thing that an option may name."""
    hexes = [
        (hex_source(title, board, hexagon), hexagon.tile)
        for board in title.maps
        for hexagon in board.hexes
    ]
    hexes += (
        [(HEX + hexagon.id, hexagon) for hexagon in printed_hexes(title.atlas)]
        if title.atlas is not None
        else []
    )
    numbers = {entry.tile.id for entry in title.tiles}
    tiles = [entry.tile for entry in title.tiles] + [tile for _, tile in hexes]
    colours = {tile.colour for tile in tiles} | set(title.colours)
    return {
        "label": {label.text for tile in tiles for label in tile.labels},
        "icon": {icon.name for tile in tiles for icon in tile.icons},
        "tile": numbers,
        "colour of tiles": colours,
        "tile, hex or colour": numbers | colours | {source for source, _ in hexes},
        "tile or hex": numbers | {source for source, _ in hexes},
        "ground": {kind for _, tile in hexes for terrain in tile.terrain for kind in terrain.kinds},
    }


def _names_in_options(title: Title) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """(keys below `upgrades`, kind of thing, name) of everything that the options name."""
    options = title.upgrades
    for option, what, names in (
        ("merging_labels", "label", options.merging_labels),
        ("merging_towns", "colour of tiles", options.merging_towns),
        ("kept_icons", "icon", options.kept_icons),
        ("edge_only_icons", "icon", options.edge_only_icons),
        ("fixed_rotation", "tile", options.fixed_rotation),
        ("never_upgraded", "tile, hex or colour", options.never_upgraded),
    ):
        for number, name in enumerate(names):
            yield (option, number), what, name
    for number, added in enumerate(options.added):
        yield ("added", number, "colour"), "colour of tiles", added.colour
        if added.label is not None:
            yield ("added", number, "label"), "label", added.label
        for index, name in enumerate(added.tiles):
            yield ("added", number, "tiles", index), "tile", name
    for number, ground in enumerate(options.grounds):
        yield ("grounds", number, "colour"), "colour of tiles", ground.colour
        for index, kind in enumerate(ground.terrain):
            yield ("grounds", number, "terrain", index), "ground", kind
        for index, label in enumerate(ground.labels):
            yield ("grounds", number, "labels", index), "label", label
    for number, grant in enumerate(options.granted):
        for index, name in enumerate(grant.sources):
            yield ("granted", number, "from", index), "tile or hex", name
        for index, name in enumerate(grant.to):
            yield ("granted", number, "to", index), "tile", name
