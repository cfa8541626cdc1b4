"""Game files of 18xx.games: what lies on the map after some actions.

A file is the list of what the players did; what follows from it is decided by the game's code, which is not here. So
only what an action says itself is taken, and everything else that may have changed the map is listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from platelayer.foundation.suggestions import listed
from platelayer.model.company import Company
from platelayer.model.gamemap import GameMap
from platelayer.model.position import Lay, Placed, Position, Station
from platelayer.model.tile import EndKind, StopKind, Tile, rotate_tile
from platelayer.model.title import Title
from platelayer.play.naming import hex_names

Action = Mapping[str, Any]

_OPERATORS = ("corporation", "minor")
_OPERATES = {"lay_tile", "place_token", "run_routes", "dividend", "buy_train", "pass"}
"""Actions with which a company operates: by then its home is on the map."""
_BY_CODE = {
    "merge": "tokens of merged companies may have been replaced or removed",
    "convert": "tokens may have been added or replaced",
    "split": "tokens may have moved to a new company",
    "buy_corporation": "tokens of the company that was bought may have been replaced",
    "acquire_company": "tokens of the company that was acquired may have been replaced",
    "choose_ability": "an ability may have changed the map",
    "special_buy": "something may have been placed on the map",
    "hex_token": "tokens beside slots are not in positions",
    "claim_hex_token": "tokens beside slots are not in positions",
    "remove_hex_token": "tokens beside slots are not in positions",
    "remove_border": "borders are those that are printed",
    "bankrupt": "companies may have been closed",
    "manual_close_company": "a company was closed",
}
_CITIES = (StopKind.CITY, StopKind.PASS)


class NotAGame(ValueError):
    """What is wrong with a game file, in one line."""


def read_game(game: Any, title: Title, *, at: int | None = None) -> tuple[Position, tuple[str, ...]]:
    """The position after action `at` of a game file (None: after the last one), and what the file does not tell.

    Raises NotAGame for what is no game file, an action that it has not, and a board that is not the title's.
    """
    actions = _actions(game, at)
    if not title.maps:
        raise NotAGame(f"{title.id} has no map of its own")
    play = _Play(title, title.maps[0])
    whole = _actions(game, None)  # the more of a game there is, the surer is what its hexes are called here
    lays = [(str(action["hex"]), _lay(action)) for action in whole if action["type"] == "lay_tile"]
    others = {hex_id for action in whole for hex_id in _hexes_of(action)}
    names = hex_names(title, title.maps[0], lays, others)
    if names is None and (lays or others):
        some = sorted({*(name for name, _ in lays), *others})[:12]
        raise NotAGame(f"it names too few hexes to tell where they are on the map of {title.id}: {listed(some)}")
    play.names = names or {}
    play.settle(actions)
    for action in actions:
        play.act(action)
    return play.position(), tuple(play.untold())


def _actions(game: Any, at: int | None) -> list[Action]:
    """The actions that count, without those that were undone. Actions nested in others follow them."""
    raw = game.get("actions") if isinstance(game, dict) else None
    if not isinstance(raw, list) or not all(isinstance(action, dict) and "type" in action for action in raw):
        raise NotAGame('not a game file of 18xx.games: it has no list of "actions"')
    if at is not None:
        ids = [action.get("id") for action in raw]
        if at not in ids:
            raise NotAGame(f"it has no action {at}; its actions are {ids[0] if ids else 0} to {ids[-1] if ids else 0}")
        raw = raw[: ids.index(at) + 1]
    flat: list[Action] = []
    for action in _not_undone(raw):
        flat += [action, *action.get("auto_actions", ())]
    for action in flat:
        if action["type"] == "lay_tile" and not (
            isinstance(action.get("hex"), str)
            and isinstance(action.get("tile"), str)
            and isinstance(action.get("rotation"), int)
        ):
            raise NotAGame(f'action {action.get("id")} lays a tile, but lacks "hex", "tile" or "rotation"')
    return flat


def _not_undone(raw: list[Action]) -> list[Action]:
    """As the engine replays a file: "undo" takes back the last action, or all after the one that it names; "redo" the
    last undo, as long as nothing else has been done. Messages stay."""
    kept: list[Action | None] = []
    undone: list[list[tuple[int, Action]]] = []
    for index, action in enumerate(raw):
        kept.append(None)
        match action["type"]:
            case "undo":
                target = action.get("action_id")
                if target is None:
                    back = next((i for i in range(index - 1, -1, -1) if _counts(kept[i])), 0)
                else:
                    ids = [entry.get("id") for entry in raw]
                    back = ids.index(target) + 1 if target in ids else 0
                taken = [(i, kept[i]) for i in range(back, index) if _counts(kept[i])]
                undone.append([(i, entry) for i, entry in taken if entry is not None])
                for i, _ in taken:
                    kept[i] = None
            case "redo":
                for i, entry in undone.pop() if undone else ():
                    kept[i] = entry
            case "message":
                kept[index] = action
            case _:
                undone.clear()
                kept[index] = action
    return [action for action in kept if action is not None]


def _counts(action: Action | None) -> bool:
    return action is not None and action["type"] != "message"


_TILE = re.compile(r"(.+)-\d+")


def _number(tile_id: str) -> str:
    """The number of a tile: "57" of its third copy "57-2"."""
    match = _TILE.fullmatch(tile_id)
    return match[1] if match else tile_id


_HEX = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")


def _hex_of_city(action: Action) -> str | None:
    """The hex of a city that is printed on the map: "A10" of "A10-0-1"."""
    tile, _, _ = str(action.get("city", "")).rpartition("-")
    hex_id = _number(tile)
    return hex_id if action["type"] in ("place_token", "remove_token") and _HEX.fullmatch(hex_id) else None


def _hexes_of(action: Action) -> Iterator[str]:
    """Hexes that an action names beside those of tiles: where it places tokens, where trains run."""
    hex_id = _hex_of_city(action)
    if hex_id is not None:
        yield hex_id
    for route in action.get("routes", ()):
        yield from (str(name) for name in route.get("hexes", ()) if _HEX.fullmatch(str(name)))


def _lay(action: Action) -> Lay:
    return Lay(_number(str(action["tile"])), int(action["rotation"]) % 6)


class _Play:
    """The map while actions are replayed, in our names."""

    def __init__(self, title: Title, gamemap: GameMap) -> None:
        self.title, self.gamemap = title, gamemap
        self.names: dict[str, str] = {}
        self.lays: dict[str, Lay] = {}
        self.shown: dict[str, Tile] = {hexagon.id: hexagon.tile for hexagon in gamemap.hexes}
        self.hex_of: dict[str, str] = {}
        self.tokens: list[Placed] = []
        self.phase = title.phases[0].id if title.phases else None
        self.notes: Counter[str] = Counter()
        self.bought = False

    def settle(self, actions: list[Action]) -> None:
        """Homes of the companies that operate, where there is only one place for them."""
        operating = dict.fromkeys(
            str(action.get("entity"))
            for action in actions
            if action.get("entity_type") in _OPERATORS and action["type"] in _OPERATES
        )
        placed = Counter(
            str(action.get("tokener") or action.get("entity")) for action in actions if action["type"] == "place_token"
        )
        for name in operating:
            company = self.title.company_by_id.get(name)
            if company is None:
                self.notes[f"the title has no company {name}: its tokens are left out"] += 1
                continue
            self._settle(company, chosen=placed[name] > 0)

    def _settle(self, company: Company, *, chosen: bool) -> None:
        homes = company.homes
        if len(homes) > 1 and not company.all_homes:
            if not chosen:
                self.notes[f"which of its homes {company.id} began in"] += 1
            return
        for home in homes:
            tile = self.shown.get(home.hex)
            cities = [] if tile is None else [i for i, stop in enumerate(tile.stops) if stop.kind in _CITIES]
            stop = home.stop if home.stop is not None else cities[0] if len(cities) == 1 else None
            if tile is None or stop is None:
                if not chosen:
                    self.notes[f"in which city of {home.hex} {company.id} began"] += 1
                continue
            self._put(home.hex, stop, None, company.id)

    def act(self, action: Action) -> None:
        """One action."""
        kind = action["type"]
        if kind == "lay_tile":
            self._lay(action)
        elif kind in ("place_token", "remove_token"):
            self._token(action, remove=kind == "remove_token")
        elif kind == "buy_train":
            self._buy(action)
        elif kind in _BY_CODE:
            self.notes[f"what {kind.replace('_', ' ')} did: {_BY_CODE[kind]}"] += 1

    def _lay(self, action: Action) -> None:
        hex_id, number = self.names[action["hex"]], _number(action["tile"])
        entry = self.title.tile_by_id.get(number)
        if entry is None:
            self.notes[f"tile {number} on {hex_id}: the title has no such tile"] += 1
            return
        lay = _lay(action)
        before, after = self.shown[hex_id], rotate_tile(entry.tile, lay.rotation)
        self.shown[hex_id] = after
        self.lays[hex_id] = lay
        self.hex_of = {tile: where for tile, where in self.hex_of.items() if where != hex_id}
        self.hex_of[action["tile"]] = hex_id
        moved = [token for token in self.tokens if token.hex == hex_id]
        self.tokens = [token for token in self.tokens if token.hex != hex_id]
        follows = successors(before, after)
        for token in moved:
            self._put(hex_id, follows[token.stop], token.slot, token.company)

    def _token(self, action: Action, *, remove: bool) -> None:
        tile_id, _, index = str(action.get("city", "")).rpartition("-")
        printed = _hex_of_city(action)
        hex_id = self.hex_of.get(tile_id) or self.names.get(printed or "")
        cities = [] if hex_id is None else [i for i, s in enumerate(self.shown[hex_id].stops) if s.kind in _CITIES]
        if hex_id is None or not index.isdecimal() or int(index) >= len(cities):
            self.notes[f"a token in {action.get('city')}: there is no such city"] += 1
            return
        stop, slot = cities[int(index)], action.get("slot")
        if remove:
            self.tokens = [t for t in self.tokens if (t.hex, t.stop, t.slot) != (hex_id, stop, slot or 0)]
            return
        company = str(action.get("tokener") or action.get("entity"))
        if company not in self.title.company_by_id or action.get("entity_type") == "player":
            self.notes[f"whose token {action.get('entity')} placed on {hex_id}"] += 1
            return
        self._put(hex_id, stop, slot, company)

    def _put(self, hex_id: str, stop: int, slot: int | None, company: str) -> None:
        """A token in its slot, or in the next free one where another was put by guess of its order."""
        here = [token for token in self.tokens if (token.hex, token.stop) == (hex_id, stop)]
        if any(token.company == company for token in here):
            return  # its home, which the file places as well
        taken = {token.slot for token in here}
        if slot is None or slot in taken:
            slot = next(free for free in range(len(here) + 1) if free not in taken)
        self.tokens.append(Placed(hex_id, stop, slot, company))

    def _buy(self, action: Action) -> None:
        name = str(action.get("variant") or _number(str(action.get("train", ""))))
        order = [phase.id for phase in self.title.phases]
        begun = [phase.id for phase in self.title.phases if name in phase.begun_by]
        self.bought = True
        if begun and self.phase is not None and order.index(begun[-1]) > order.index(self.phase):
            self.phase = begun[-1]

    def position(self) -> Position:
        """What lies on the map, hex by hex in the order of the map."""
        order = [hexagon.id for hexagon in self.gamemap.hexes]
        tokens = {
            hex_id: tuple(
                Station(token.company, token.stop, token.slot)
                for token in sorted(self.tokens, key=lambda token: (token.stop, token.slot))
                if token.hex == hex_id
            )
            for hex_id in order
        }
        return Position(
            title=self.title.id,
            variant=self.title.variant,
            phase=self.phase,
            tiles=tuple((hex_id, self.lays[hex_id]) for hex_id in order if hex_id in self.lays),
            tokens=tuple((hex_id, stations) for hex_id, stations in tokens.items() if stations),
        )

    def untold(self) -> Iterator[str]:
        """What the file does not tell, a line each."""
        for note, count in self.notes.items():
            yield note if count == 1 else f"{note} ({count} times)"
        if self.bought:
            yield "trains that the game discards or exports itself: the phase is that of the trains that were bought"


def successors(before: Tile, after: Tile) -> list[int]:
    """Which stop of a tile each stop of the one before it becomes: the one with all of its edges; of several, and of a
    stop without track, the first that is not taken. Several stops that become one share it."""
    edges_after = [_edges(after, stop) for stop in range(len(after.stops))]
    chosen: list[int] = []
    for stop, was in enumerate(before.stops):
        edges = _edges(before, stop)
        kinds = [i for i, now in enumerate(after.stops) if now.kind is was.kind] or [*range(len(after.stops))]
        fitting = [i for i in kinds if edges <= edges_after[i]] if edges else kinds
        free = [i for i in fitting if i not in chosen]
        chosen.append((free or fitting or kinds or [0])[0])
    return chosen


def _edges(tile: Tile, stop: int) -> frozenset[int]:
    """The edges to which track leads straight from a stop."""
    return frozenset(
        end.index
        for segment in tile.track
        if any(end.kind is EndKind.STOP and end.index == stop for end in segment.ends)
        for end in segment.ends
        if end.kind is EndKind.EDGE
    )
