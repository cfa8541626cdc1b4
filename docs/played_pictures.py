"""The pictures of positions, supply and routes: for each title a map in play, and a board that proves a
bound; and the routes of a company of 18EU."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from table import FOLDER, small_png

from platelayer.atlas.assemble import assemble
from platelayer.atlas.poster import board_with_names
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.map.map_tile import with_homes
from platelayer.model.gamemap import GameMap, neighbour, opposite
from platelayer.model.map_tiles import board_origin, homes_of, place_name
from platelayer.model.position import InPlay, Lay, Position, Station
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.play.report import SupplyReport
from platelayer.play.routes import routes_of
from platelayer.play.supply import supply_of
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.positions import check_position, judge_lay, spots_of
from platelayer.scene.shapes import Scene

WIDTH_PX = 1400
PAUSED = {"18cz": (8, 46), "1841": (3, 44), "18eu": (2, 46), "1824": (5, 46), "lost-atlas": (7, 34)}
"""Of each title the seed of a game, and how many lays were made when it was paused."""
ROUTES = ("18eu", "15", ("4", "5", "P"))
"""A title, one of its companies, and its trains in the picture."""
_COMPANIES, _UPGRADES, _TOKENS = 6, 0.35, 0.3
_TOKEN = -1


def title_with_map(name: str) -> Title:
    """A title; Lost Atlas with a random map."""
    title = load(name)
    if title.atlas is None:
        return title
    log = assemble(title.atlas, "long", seed=7, policy="compact", blanks=None)
    box, board = board_with_names(title, log)
    homes = {
        company: place_name(at, board_origin(log)) for company, at in homes_of(box, log).items()
    }
    return with_homes(replace(title, maps=(board,)), homes)


class Game:
    """A game as far as it shows on the map: companies in turn lay tiles where their track leads,
    and tokens."""

    def __init__(self, title: Title, seed: int) -> None:
        self.title, self.board, self.dice = title, title.maps[0], random.Random(seed)
        self.tiles: dict[str, Lay] = {}
        self.tokens: dict[str, list[Station]] = {}
        self._spots, self._graph = spots_of(title, self.board), upgrade_graph(title)
        self._colours = title.colours[: -1 if len(title.colours) > 2 else None]
        at_home = [
            (company.id, home.hex, home.stop or 0)
            for company in title.companies
            for home in company.homes[:1]
            if company.has_charter and home.hex in self._spots
        ]
        self.companies = self.dice.sample(at_home, min(_COMPANIES, len(at_home)))

    def position(self, lays: int) -> Position:
        """The map after so many turns."""
        for company, hex_id, stop in self.companies:
            if hex_id not in self.tiles and not self._shown()[hex_id].track:
                self._lay(hex_id, None)
            self._token(company, hex_id, stop)
        for turn in range(lays):
            company, *_ = self.companies[turn % len(self.companies)]
            reached = sorted(self._reached(company))
            ways = [
                (hex_id, edge)
                for hex_id, edge in reached
                if edge != _TOKEN and hex_id not in self.tiles
            ]
            if ways and self.dice.random() > _UPGRADES:
                self._lay(*self.dice.choice(ways))
            elif upgradable := sorted({hex_id for hex_id, _ in reached if hex_id in self.tiles}):
                cities = [hex_id for hex_id in upgradable if self._shown()[hex_id].stops]
                self._upgrade(self.dice.choice(cities or upgradable))
            if self.dice.random() < _TOKENS:
                for hex_id in sorted({hex_id for hex_id, _ in reached}):
                    if self._token(company, hex_id):
                        break
        tokens = tuple((hex_id, tuple(stations)) for hex_id, stations in self.tokens.items())
        return Position(title=self.title.id, tiles=tuple(sorted(self.tiles.items())), tokens=tokens)

    def _shown(self) -> dict[str, Tile]:
        return self.title.shown_in(Position(title=self.title.id, tiles=tuple(self.tiles.items())))

    def _reached(self, company: str) -> set[tuple[str, int]]:
        """Hexes that the track of a company comes to, each with an edge by which it does (its own
        token: _TOKEN)."""
        shown, found = self._shown(), set[tuple[str, int]]()
        held = {
            hex_id: [each.company for each in stations] for hex_id, stations in self.tokens.items()
        }
        front = [(hex_id, _TOKEN) for hex_id, companies in held.items() if company in companies]
        while front:
            here = front.pop()
            if here not in found:
                found.add(here)
                front += self._beyond(here[0], shown)
        return found

    def _beyond(self, hex_id: str, shown: dict[str, Tile]) -> Iterator[tuple[str, int]]:
        edges = {edge for segment in shown[hex_id].track for edge in segment.edges}
        for edge in sorted(edges):
            other = self.board.by_coord.get(
                neighbour(self.board.by_id[hex_id].at, edge, self.board.layout)
            )
            if other is not None and other.tile.colour not in ("red", "blue"):
                yield other.id, opposite(edge)

    def _left(self, number: str) -> bool:
        entry = self.title.tile_by_id[number]
        used = Counter(lay.tile for lay in self.tiles.values())[number]
        return entry.count is None or used < entry.count

    def _lay(self, hex_id: str, edge: int | None) -> None:
        """The first tile on a hex, so that track comes in over an edge."""
        source = self._graph.by_source.get(f"hex:{hex_id}", ())
        lays = [
            Lay(pair.to, turn) for pair in source for turn in pair.rotations if pair.via is None
        ]
        self._choose(hex_id, [lay for lay in lays if edge is None or self._leads(lay, edge)])

    def _leads(self, lay: Lay, edge: int) -> bool:
        track = self.title.tile_by_id[lay.tile].tile.track
        return any((end + lay.rotation) % 6 == edge for segment in track for end in segment.edges)

    def _upgrade(self, hex_id: str) -> None:
        was = self.tiles[hex_id]
        pairs = [pair for pair in self._graph.by_source.get(was.tile, ()) if pair.via is None]
        self._choose(
            hex_id,
            [Lay(pair.to, (turn + was.rotation) % 6) for pair in pairs for turn in pair.rotations],
        )

    def _choose(self, hex_id: str, lays: list[Lay]) -> None:
        spot, stops = self._spots.get(hex_id), len(self._shown()[hex_id].stops)
        fitting = [
            lay
            for lay in lays
            if (tile := self.title.tile_by_id[lay.tile].tile).colour in self._colours
            and (
                hex_id not in self.tokens or len(tile.stops) == stops
            )  # cities that merge take tokens along
            and self._left(lay.tile)
            and judge_lay(spot, hex_id, lay) is None
        ]
        if fitting:
            self.tiles[hex_id] = self.dice.choice(fitting)

    def _token(self, company: str, hex_id: str, stop: int | None = None) -> bool:
        """A token in the first slot that is free; whether there was one."""
        held = self.tokens.get(hex_id, [])
        on_map = [each.company for stations in self.tokens.values() for each in stations].count(
            company
        )
        if any(each.company == company for each in held) or on_map >= len(
            self.title.company_by_id[company].stations or ()
        ):
            return False
        for index, each in enumerate(self._shown()[hex_id].stops):
            taken = {station.slot for station in held if station.stop == index}
            free = [slot for slot in range(each.slots) if slot not in taken]
            if each.kind in (StopKind.CITY, StopKind.PASS) and stop in (None, index) and free:
                self.tokens[hex_id] = [*held, Station(company, index, free[0])]
                return True
        return False


def drawn(title: Title, position: Position, language: str = "en") -> Scene:
    """A map in play."""
    for problem in check_position(title, position):
        raise ValueError(problem.message)
    board: GameMap = title.maps[0]
    shown = replace(title, in_play=InPlay(position=position, numbers=True))
    return draw_map(shown, board.id, style_of(title, load_theme("classic"), language))


def main(folder: Path = FOLDER) -> None:
    """Draw them into docs/pictures/."""
    for name, (seed, lays) in PAUSED.items():
        title = title_with_map(name)
        shown = {
            "position": Game(title, seed).position(lays),
            "supply": SupplyReport(title=title, supply=supply_of(title), reach=None).witness(),
        }
        for stem, position in shown.items():
            (folder / f"{stem}-{name}.png").write_bytes(
                small_png(drawn(title, position), width_px=WIDTH_PX)
            )
        if name == ROUTES[0]:
            _, company, trains = ROUTES
            found = routes_of(
                title,
                replace(shown["position"], phase="5"),
                company=company,
                trains=trains,
                seconds=5.0,
                language="en",
            )
            (folder / f"routes-{name}.png").write_bytes(
                small_png(found.picture(theme="classic").scene, width_px=WIDTH_PX)
            )


if __name__ == "__main__":
    main()
