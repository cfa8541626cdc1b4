"""The bands of an upgrade chart: tiles that upgrades connect, by colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.legend_entries import pass_name
from platelayer.foundation.languages import FixedWords
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.model.upgrade import HEX, Upgrade, UpgradeGraph

map_words = FixedWords("map")
say = FixedWords("cards")

HEX_COLUMN = ""
"""The column of unlaid hexes, before those of the title's colours."""


class Node(Struct, frozen=True, kw_only=True):
    """A tile, or map hexes of one content: its drawing, the words beside it, the colour of its column.

    `after` are the keys of what may replace it, in the title's order; `via` the ability that alone may lay it.
    """

    key: str
    tile: Tile
    words: str
    column: str
    after: tuple[str, ...]
    via: str | None = None

    @property
    def is_hex(self) -> bool:
        """True for map hexes."""
        return self.key.startswith(HEX)


class Band(Struct, frozen=True, kw_only=True):
    """Tiles and hexes that chains of upgrades connect, in the title's order, and what they are together."""

    name: str
    nodes: tuple[Node, ...]

    def column(self, colour: str) -> tuple[Node, ...]:
        """Those of one colour."""
        return tuple(node for node in self.nodes if node.column == colour)


def chart_columns(title: Title, bands: Iterable[Band]) -> tuple[str, ...]:
    """The colours that occur, in the order of upgrading: unlaid hexes first, colours with a ground of their own
    last."""
    there = {node.column for band in bands for node in band.nodes}
    return tuple(dict.fromkeys(c for c in (HEX_COLUMN, *title.colours, *sorted(there)) if c in there))


def chart_bands(title: Title, graph: UpgradeGraph, style: Style) -> tuple[Band, ...]:
    """Bands in the order of the official table, then in that of the box. Only hexes of the first map are shown; tiles
    that neither replace nor are replaced go into a last band."""
    nodes = {node.key: node for node in (*_hexes(title, graph, style), *_tiles(title, graph, style))}
    groups = _joined_by_ground(_components(nodes), nodes, title)
    alone = [key for group in groups if len(group) == 1 for key in group]
    chains = {number: place for place, chain in enumerate(title.chains) for step in chain.steps for number in step}
    order = {key: place for place, key in enumerate(nodes)}
    bands: list[tuple[int, int, Band]] = []
    for group in groups:
        if len(group) > 1:
            rows = [chains[key] for key in group if key in chains]
            members = [nodes[key] for key in group]
            name = style.words(title.chains[rows[0]].name) if rows else _content(title, members, style)
            first = min(order[key] for key in group if not nodes[key].is_hex)
            band = Band(name=name, nodes=tuple(nodes[key] for key in group))
            bands.append((rows[0] if rows else len(title.chains), first, band))
    found = [band for *_, band in sorted(bands, key=lambda each: each[:2])]
    if alone:
        found.append(Band(name=style.words(say("without_upgrades")), nodes=tuple(nodes[key] for key in alone)))
    return tuple(found)


def _tiles(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[Node]:
    for entry in title.tiles:
        number = entry.tile.id
        after = tuple(pair.to for pair in graph.by_source.get(number, ()))
        yield Node(
            key=number,
            tile=entry.tile,
            words=number,
            column=entry.tile.colour,
            after=after,
            via=None if entry.via is None else style.words(entry.via),
        )


def _printed(title: Title) -> tuple[Tile, ...]:
    if title.maps:
        return tuple(hexagon.tile for hexagon in title.maps[0].hexes)
    return printed_hexes(title.atlas) if title.atlas is not None else ()


def _hexes(title: Title, graph: UpgradeGraph, style: Style) -> Iterator[Node]:
    """Hexes of the first map, or of map tiles, with one content and the same first tiles, as one node."""
    groups: dict[tuple[object, ...], list[tuple[Tile, tuple[Upgrade, ...]]]] = {}
    for tile in _printed(title):
        pairs = graph.by_source.get(HEX + tile.id)
        if pairs:
            stops = tuple((stop.kind, stop.slots, stop.size) for stop in tile.stops)
            after = tuple(pair.to for pair in pairs)
            groups.setdefault((tile.colour, stops, tile.labels, tile.track, after), []).append((tile, pairs))
    for alike in groups.values():
        tile, pairs = alike[0]
        labels = " ".join(label.text for label in tile.labels)
        if len(alike) == 1:
            words = style.words(tile.name) if tile.name else tile.id
        else:
            words = f"{labels} ×{len(alike)}".strip()
        yield Node(
            key=HEX + tile.id,
            tile=replace(tile, colour=_ground_colour(title, tile), terrain=(), partitions=(), name=None),
            words=words,
            column=HEX_COLUMN if tile.colour == "white" else tile.colour,
            after=tuple(pair.to for pair in pairs),
        )


def _ground_colour(title: Title, tile: Tile) -> str:
    """The colour of the only tiles that may lie on a hex, where its terrain requires one (water: blue); else its
    own."""
    kinds = {kind for terrain in tile.terrain for kind in terrain.kinds}
    return next((each.colour for each in title.upgrades.grounds if kinds & set(each.terrain)), tile.colour)


def _components(nodes: dict[str, Node]) -> list[tuple[str, ...]]:
    """Keys that arrows connect, whichever way they point; each group and the groups in the order of the nodes."""
    joined: dict[str, set[str]] = {key: set() for key in nodes}
    for key, node in nodes.items():
        for other in node.after:
            joined[key].add(other)
            joined[other].add(key)
    seen: set[str] = set()
    groups = []
    for key in nodes:
        if key in seen:
            continue
        group, waiting = set(), [key]
        while waiting:
            here = waiting.pop()
            if here not in group:
                group.add(here)
                waiting += joined[here]
        seen |= group
        groups.append(tuple(each for each in nodes if each in group))
    return groups


def _joined_by_ground(groups: list[tuple[str, ...]], nodes: dict[str, Node], title: Title) -> list[tuple[str, ...]]:
    """Groups that hold only hexes and tiles with grounds of their own become one."""
    own = [group for group in groups if all(nodes[key].column not in title.colours for key in group)]
    if len(own) < 2:
        return groups
    there = {key for group in own for key in group}
    return [*(group for group in groups if group not in own), tuple(key for key in nodes if key in there)]


_KINDS = (
    (StopKind.PASS, say("passes")),
    (StopKind.CITY, say("cities")),
    (StopKind.TOWN, say("towns")),
)


def _content(title: Title, nodes: list[Node], style: Style) -> str:
    """What a band is, from its tiles: the signs that they keep ("Mine"), the ground that they alone lie on ("Water"),
    else their stops ("Cities Y", "Double towns", "Passes of size 2")."""
    tiles = [node.tile for node in nodes]
    signs = dict.fromkeys(icon.name for tile in tiles for icon in tile.icons if icon.name in title.upgrades.kept_icons)
    if signs:
        return " · ".join(style.named(sign, map_words.table("icons")) for sign in signs)
    colours = {node.column for node in nodes if not node.is_hex}
    grounds = dict.fromkeys(kind for each in title.upgrades.grounds if each.colour in colours for kind in each.terrain)
    if grounds:
        return " · ".join(style.named(kind, map_words.table("terrain")) for kind in grounds)
    labels = dict.fromkeys(label.text for tile in tiles for label in tile.labels)
    return " ".join((_stops_words(tiles, style), *labels))


def _stops_words(tiles: list[Tile], style: Style) -> str:
    """What stops tiles of a band have: the first kind of `_KINDS` among them, and what sets bands of one kind apart."""
    kinds = {stop.kind for tile in tiles for stop in tile.stops}
    if kinds == {StopKind.TOWN} and all(len(tile.stops) == 2 for tile in tiles):
        return style.words(say("double_towns"))
    name = style.words(next((words for kind, words in _KINDS if kind in kinds), say("plain_track")))
    sizes = {stop.size for tile in tiles for stop in tile.stops if stop.kind is StopKind.PASS}
    return pass_name(name, next(iter(sizes)), style) if len(sizes) == 1 and None not in sizes else name
