"""A title's upgrade graph, by the tiles alone and on its maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace

from platelayer.foundation.problems import join_pointer
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import EDGES, GameMap, Layout, MapHex, neighbour, opposite
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.tile import HEX, Tile, Upgrade, UpgradeGraph, UpgradeOptions
from platelayer.model.title import Title
from platelayer.rules.replacement import (
    UNLAID,
    Changes,
    Form,
    changes_to,
    colour_index,
    granted_turns,
    lying,
    tile_form,
    turns,
    with_labels,
)
from platelayer.rules.rule import once, reached

# The hexes of a map on which track may be laid, and the edges that it may cross.


_SIDES = {
    Layout.FLAT: ("bottom", "lower left", "upper left", "top", "upper right", "lower right"),
    Layout.POINTY: ("lower left", "left", "upper left", "upper right", "right", "lower right"),
}


class Land(Frozen, kw_only=True, dict=True):
    """A map and the order of tile colours, which determines where tiles may still be laid."""

    gamemap: GameMap
    colours: Sequence[str]

    def pointer(self, hexagon: MapHex, *keys: str | int) -> str:
        """Return the JSON pointer of a hex, or of something in it."""
        return join_pointer("maps", self.gamemap.id, "hexes", hexagon.id, *keys)

    def edge_words(self, edge: int) -> str:
        """Return an edge in words, e.g. "edge 3 (top)"."""
        return f"edge {edge} ({_SIDES[self.gamemap.layout][edge]})"

    def beyond(self, hexagon: MapHex, edge: int) -> MapHex | None:
        """Return the hex on the other side of an edge; None off the map."""
        return self.gamemap.by_coord.get(neighbour(hexagon.at, edge, self.gamemap.layout))

    def buildable(self, hexagon: MapHex) -> bool:
        """Return True if a tile may be laid here: the hex is unlaid, or of a colour that can be
        upgraded."""
        unlaid = hexagon.tile.colour == UNLAID or hexagon.tile.colour in self.colours[:-1]
        return unlaid and hexagon.half is None

    def opens(self, hexagon: MapHex, edge: int) -> bool:
        """Return True if track can leave this hex by this edge, now or later, as far as the hex
        alone determines."""
        return edge in self._open_edges[hexagon.id]

    @cached_property
    def _open_edges(self) -> dict[str, frozenset[int]]:
        return {
            hexagon.id: frozenset(
                edge
                for edge in (EDGES if self.buildable(hexagon) else hexagon.tile.exits)
                if not barred(hexagon, edge)
            )
            for hexagon in self.gamemap.hexes
        }

    def joined(self, hexagon: MapHex, edge: int) -> MapHex | None:
        """Return the neighbour to which track can ever lead across an edge, or None."""
        other = self.beyond(hexagon, edge)
        if other is None or not self.opens(hexagon, edge) or not self.opens(other, opposite(edge)):
            return None
        return other

    def components(self) -> Iterator[tuple[MapHex, ...]]:
        """Yield groups of hexes that track can ever connect, the largest first. Hexes that track
        can never reach or leave are in no group."""
        groups = []
        seen = set()
        for start in self.gamemap.hexes:
            if start.id in seen or not any(self.opens(start, edge) for edge in EDGES):
                continue
            seen.add(start.id)
            group = [start]
            for hexagon in group:
                for edge in EDGES:
                    other = self.joined(hexagon, edge)
                    if other is not None and other.id not in seen:
                        seen.add(other.id)
                        group.append(other)
            groups.append(tuple(group))
        yield from sorted(groups, key=len, reverse=True)


@once
def lands(title: Title) -> tuple[Land, ...]:
    """Return every map of a title."""
    return tuple(Land(gamemap=gamemap, colours=title.colours) for gamemap in title.maps)


def map_hexes(title: Title) -> Iterator[tuple[Land, MapHex]]:
    """Yield every hex of every map of a title."""
    for land in lands(title):
        for hexagon in land.gamemap.hexes:
            yield land, hexagon


def barred(hexagon: MapHex, edge: int) -> bool:
    """Return True if no track ever crosses this edge: the hex has an impassable border there that
    no phase adds or removes."""
    return bool(hexagon.borders) and any(
        border.edge == edge
        and border.kind == "impassable"
        and border.since is None
        and border.until is None
        for border in hexagon.borders
    )


# Rotations by tile number.
Rotations = dict[str, tuple[int, ...]]

# A tile on the map: its number and rotation.
Lie = tuple[str, int]


class Spot(Frozen, kw_only=True):
    """A map hex whose tile may be replaced, and what its surroundings allow.

    `blocked` are the edges across which no track may lead: the rim of the map, impassable borders,
    printed hexes without track there. `takes` is "" where only granted tiles may be laid. `first`
    are the tiles that may be laid on it, by the tiles alone. `alone` and `here` give each tile that
    a chain of upgrades from this hex reaches, with its rotations on the map: by the tiles alone,
    and with the surroundings.
    """

    source: str
    board: GameMap
    hexagon: MapHex
    takes: str
    blocked: tuple[int, ...]
    first: Rotations
    alone: Rotations
    here: Rotations


# Cached, because the variants of a title share most of their tiles and hexes.
_tile_form = lru_cache(1 << 10)(tile_form)


def _form_of(hexagon: MapHex, source: str, colours: Sequence[str], options: UpgradeOptions) -> Form:
    """Return the form of a map hex; no tile fits half of one."""
    form = _tile_form(hexagon.tile, colours, options, name=source, stubs=hexagon.stubs)
    return form if hexagon.half is None else replace(form, takes=None)


class _Box:
    """Tiles sorted by what they may follow, with the results computed so far."""

    def __init__(
        self, tiles: tuple[Tile, ...], colours: tuple[str, ...], options: UpgradeOptions
    ) -> None:
        self._colours = colours
        self.tiles = {tile.id: _tile_form(tile, colours, options) for tile in tiles}
        self._sorted: dict[tuple[object, ...], list[tuple[Form, Changes]]] = {}
        # Group tiles by rules 1 and 2, so that only the few pairs these rules allow are compared in
        # detail.
        for form in self.tiles.values():
            changes = changes_to(form, colours, options)
            self._sorted.setdefault(self._key(form, form.colour), []).append((form, changes))
        self._found: dict[Form, Rotations] = {}
        self._reached: dict[tuple[Form, int], Rotations] = {}

    def _key(self, form: Form, colour: str) -> tuple[object, ...]:
        """Return a key for rules 1 and 2, and kept icons: forms with equal keys may follow each
        other."""
        return colour, form.labels_at(colour_index(colour, self._colours)), form.icons

    def after(self, old: Form) -> Rotations:
        """Return every tile that may replace a form, with its rotations against it, in the order of
        the box."""
        # Forms compare equal whatever their ids, so identical tiles and hexes share an answer.
        turns_of = self._found.get(old)
        if turns_of is None:
            fitting = () if old.takes is None else self._sorted.get(self._key(old, old.takes), ())
            turns_of = {
                new.id: turned for new, changes in fitting if (turned := turns(old, new, changes))
            }
            if old.granted:
                # Replacements that the title grants by name also follow the order of the box.
                turns_of = {
                    name: tuple(sorted(either))
                    for name, new in self.tiles.items()
                    if (either := {*turns_of.get(name, ()), *granted_turns(old, new)})
                }
            self._found[old] = turns_of
        return turns_of

    def reach(self, form: Form, blocked: int) -> Rotations:
        """Return every tile that a chain from a hex reaches without track across blocked edges (as
        bits), with its rotations on the map. Labels of the hex that apply later count for every
        tile laid on it."""
        # Most hexes of a map are identical, and so are their surroundings.
        if (form, blocked) not in self._reached:
            self._reached[form, blocked] = self._reach(form, blocked)
        return self._reached[form, blocked]

    def _reach(self, form: Form, blocked: int) -> Rotations:
        later = [(text, since) for text, since in form.labels if since > 0]
        reached: dict[str, set[int]] = {}
        # A tile may be reached in several rotations, so rotations are tracked as sets.
        waiting = [(self.after(form), {0})]
        while waiting:
            following, lies = waiting.pop()
            for name, relative in following.items():
                tile = self.tiles[name]
                turned = {(at + turn) % 6 for at in lies for turn in relative}
                allowed = {
                    turn
                    for turn in lying(tile, sorted(turned))
                    if not tile.turned[turn].exits & blocked
                }
                # Follow a tile that is reached again only from new rotations, so that the search
                # ends even if tiles replace each other in a circle.
                new = allowed - reached.get(name, set())
                if new:
                    reached.setdefault(name, set()).update(new)
                    waiting.append((self.after(with_labels(tile, later)), new))
        return {name: tuple(sorted(reached[name])) for name in self.tiles if name in reached}

    def ways(self, form: Form, blocked: int, start: Lie | None = None) -> dict[Lie, Lie | None]:
        """Return, for each tile that a chain from a hex reaches (or from a tile on it, `start`),
        the tile before it on one of the shortest chains, both with their rotation (None: what is
        printed). Like `reach`, but tile by tile."""
        later = [(text, since) for text, since in form.labels if since > 0]
        before = {}
        first = form if start is None else with_labels(self.tiles[start[0]], later)
        waiting = [(self.after(first), start)]
        # Search breadth first, so that the first chain to a tile is one of the shortest.
        for following, last in waiting:
            for name, relative in following.items():
                tile = self.tiles[name]
                turned = {((last[1] if last else 0) + turn) % 6 for turn in relative}
                for turn in lying(tile, sorted(turned)):
                    if (name, turn) not in before and not tile.turned[turn].exits & blocked:
                        before[name, turn] = last
                        waiting.append((self.after(with_labels(tile, later)), (name, turn)))
        return before


# Cached, because variants with the same tiles share a box, as does a title whose map is edited.
_box = lru_cache(4)(_Box)


class _Book:
    """A title's box, and the hexes of its maps and map tiles."""

    def __init__(self, title: Title) -> None:
        colours, options = title.colours, title.upgrades
        self.box = _box(tuple(entry.tile for entry in title.tiles), colours, options)
        self.hexes = {
            source: _form_of(hexagon, source, colours, options)
            for board in title.maps
            for hexagon in board.hexes
            for source in (hex_source(title, board, hexagon),)
        }
        # The hexes of map tiles have no surroundings until a map is assembled: the graph lists
        # them, but they are not spots of a map.
        for tile in printed_hexes(title.atlas) if title.atlas is not None else ():
            source = HEX + tile.id
            self.hexes[source] = _tile_form(tile, colours, options, name=source)

    def is_open(self, source: str) -> bool:
        """Return True for a hex whose track may still change."""
        form = self.hexes[source]
        return (form.colour == UNLAID and form.takes is not None) or bool(self.box.after(form))


@once
def _book(title: Title) -> _Book:
    return _Book(title)


def hex_source(title: Title, board: GameMap, hexagon: MapHex) -> str:
    """Return the name of a map hex in the graph: `hex:D4`, or `hex:map/D4` on a later map if the
    first map also has this hex."""
    first = title.maps[0]
    plain = board.id == first.id or hexagon.id not in first.by_id
    return f"{HEX}{hexagon.id}" if plain else f"{HEX}{board.id}/{hexagon.id}"


ATLAS = ("atlas",)


def prints(title: Title) -> Iterator[tuple[str, tuple[str, ...], Tile]]:
    """Yield what is printed on each hex of a title's maps and map tiles: the name of the hex in the
    graph, the keys that lead to it, and the tile."""
    for board in title.maps:
        for hexagon in board.hexes:
            source = hex_source(title, board, hexagon)
            yield source, ("maps", board.id, "hexes", hexagon.id), hexagon.tile
    for tile in printed_hexes(title.atlas) if title.atlas is not None else ():
        yield HEX + tile.id, ATLAS, tile


@once
def upgrade_graph(title: Title) -> UpgradeGraph:
    """Return all upgrades of a title by the tiles alone: each hex of its maps and map tiles, then
    each tile, with what may replace it."""
    book, box = _book(title), _book(title).box
    via = {
        entry.tile.id: None if entry.via is None else entry.via.get("en") for entry in title.tiles
    }
    pairs = [
        Upgrade(source=form.id, to=name, rotations=turned, via=via[name])
        for form in (*book.hexes.values(), *box.tiles.values())
        for name, relative in box.after(form).items()
        if (turned := lying(box.tiles[name], relative))
    ]
    return UpgradeGraph(title=title.id, variant=title.variant, pairs=tuple(pairs))


def followers(title: Title, tiles: Iterable[str]) -> set[str]:
    """Return these tiles and every tile that a chain of upgrades reaches from them, by the tiles
    alone."""
    following = upgrade_graph(title).by_source
    return {*reached(tiles, lambda name: [pair.to for pair in following.get(name, ())])}


@once
def spots(title: Title) -> tuple[Spot, ...]:
    """Return every map hex on which tiles may be laid, with what its surroundings allow of each
    chain from it."""
    book, box = _book(title), _book(title).box
    places = []
    for land in lands(title):
        board = land.gamemap
        source_of = {hexagon.id: hex_source(title, board, hexagon) for hexagon in board.hexes}
        # Edges by which track may ever leave, as far as the hex alone determines. A hex that is
        # still open may get track to any edge, whatever tiles there are: consulting the tiles here
        # would make the answer for each hex depend on those of its neighbours, in circles.
        exits_of = {
            hexagon.id: EDGES if book.is_open(source_of[hexagon.id]) else hexagon.tile.exits
            for hexagon in board.hexes
        }
        for hexagon in board.hexes:
            source = source_of[hexagon.id]
            form = book.hexes[source]
            if form.takes is None and not form.granted:
                continue
            blocked = tuple(
                edge
                for edge in EDGES
                if (other := land.beyond(hexagon, edge)) is None
                or opposite(edge) not in exits_of[other.id]
                or barred(hexagon, edge)
                or barred(other, opposite(edge))
            )
            spot = Spot(
                source=source,
                board=board,
                hexagon=hexagon,
                takes=form.takes or "",
                blocked=blocked,
                first=box.after(form),
                alone=box.reach(form, 0),
                here=box.reach(form, _bits(blocked)),
            )
            places.append(spot)
    return tuple(places)


def ways(title: Title, spot: Spot) -> dict[Lie, Lie | None]:
    """Return, for each tile that a chain reaches on a map hex within its surroundings, the tile
    before it, both with their rotation (None: what is printed there)."""
    book = _book(title)
    return book.box.ways(book.hexes[spot.source], _bits(spot.blocked))


def next_lays(title: Title, spot: Spot, lie: Lie | None) -> tuple[dict[str, list[int]], Rotations]:
    """Return the tiles that may replace the tile on a map hex (None: what is printed there), with
    their rotations: by the tiles alone, and within the surroundings."""
    book, box = _book(title), _book(title).box
    form, blocked = book.hexes[spot.source], _bits(spot.blocked)
    # Labels printed on the hex that apply from a later colour also apply to the tile that lies on
    # it by then.
    if lie is not None:
        form = with_labels(box.tiles[lie[0]], [label for label in form.labels if label[1] > 0])
    turned = {
        name: sorted({((lie[1] if lie else 0) + turn) % 6 for turn in relative})
        for name, relative in box.after(form).items()
    }
    here = {
        name: tuple(
            turn
            for turn in lying(box.tiles[name], turns)
            if not box.tiles[name].turned[turn].exits & blocked
        )
        for name, turns in turned.items()
    }
    return turned, here


def later(title: Title, spot: Spot, lie: Lie) -> int:
    """Return the edges, as bits, to which a tile on a map hex, or any tile that may follow it
    there, has track."""
    book, box = _book(title), _book(title).box
    exits = 0
    # Exits have two bits for each edge, one for each gauge; track of either gauge counts.
    for name, turn in (lie, *box.ways(book.hexes[spot.source], _bits(spot.blocked), lie)):
        exits |= box.tiles[name].turned[turn].exits
    return sum(1 << edge for edge in EDGES if exits >> 2 * edge & 0b11)


def _bits(edges: Iterable[int]) -> int:
    # Set the bits of both gauges of each edge, as in `replacement.py`.
    return sum(0b11 << 2 * edge for edge in edges)


@once
def loose_spots(title: Title) -> tuple[tuple[str, Rotations], ...]:
    """Return the hexes of the title's map tiles, without surroundings, each with the tiles that a
    chain reaches there and their rotations."""
    book = _book(title)
    return tuple(
        (name, book.box.reach(book.hexes[name], 0))
        for name, keys, _ in prints(title)
        if keys == ATLAS and book.hexes[name].takes is not None
    )
