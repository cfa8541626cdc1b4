"""Reader of a game's folder of Ruby files, which runs in a separate process (see game.py)."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from platelayer.exchange.ruby.evaluate import Evaluator, Jump
from platelayer.exchange.ruby.game import (
    MOST_LEVELS,
    MOST_STEPS,
    MOST_VALUES,
    REQUESTS,
    SHARE,
    GameRequest,
    Other,
    RubyGame,
    Thing,
    TooLarge,
    TooMuch,
    Traced,
    Unread,
    UpgradeRequest,
    Verdicts,
    budget,
    checked_data,
    is_unread,
    readable,
    unread_in,
)
from platelayer.exchange.ruby.library import BASE, BASE_FILE, CATALOGUE, Definition, Library, plain
from platelayer.exchange.ruby.methods import NO_DATA
from platelayer.foundation.door import real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.values import Json

# Constants that contain the data, and methods that may change them.
DATA: dict[str, tuple[str, ...]] = {
    "tiles": ("TILES", "game_tiles"),
    "hexes": ("HEXES", "game_hexes", "optional_hexes"),
    "location_names": ("LOCATION_NAMES", "game_location_names", "location_names"),
    "layout": ("LAYOUT", "layout"),
    "axes": ("AXES", "axes"),
    "trains": ("TRAINS", "game_trains"),
    "phases": ("PHASES", "game_phases"),
    "market": ("MARKET", "game_market"),
    "market_colours": ("STOCKMARKET_COLORS",),
    "market_texts": ("MARKET_TEXT",),
    "companies": ("COMPANIES", "game_companies"),
    "corporations": ("CORPORATIONS", "game_corporations"),
    "minors": ("MINORS", "game_minors"),
    "events": ("EVENTS_TEXT",),
    "statuses": ("STATUS_TEXT",),
    "phase_revenue": ("REAL_PHASE_TO_REV_PHASE",),
    "certificate_limit": ("CERT_LIMIT", "game_cert_limit"),
    "cash": ("STARTING_CASH", "starting_cash"),
    "bank": ("BANK_CASH", "bank_starting_cash"),
    "currency": ("CURRENCY_FORMAT_STR",),
    "players": ("PLAYER_RANGE",),
    "title": ("GAME_DISPLAY_TITLE", "GAME_TITLE"),
    "subtitle": ("GAME_SUBTITLE",),
    "designer": ("GAME_DESIGNER",),
    "publisher": ("GAME_PUBLISHER",),
    "rules": ("OPTIONAL_RULES",),
    "connection": ("TRACK_RESTRICTION",),
}
# Constants for rules of play that definitions have no place for.
_RULES = re.compile(
    "(ALLOW|ALWAYS_BUY|BANKRUPTCY|BUY_SHARE|CAPITALIZATION|CERT_LIMIT_|CLOSED_CORP|CORPORATE_BUY|DISCARDED|EBUY"
    "|GAME_END_CHECK|HOME_TOKEN|LIMIT_TOKENS|MARKET_SHARE|M(AJOR|INOR)_TILE_LAYS|MIN_BID|MUST|NEXT_SR|OBSOLETE"
    "|ONLY_HIGHEST|PLAYER_LOAN|POOL_SHARE|PRESIDENT_SALES|SELL|SOLD|TILE_(COST|LAYS|RESERVATION|UPGRADES)|TURN_SELL)"
)
# Parts of the names of constants that contain part of a list.
_LISTS = {"companies": "COMPANIES", "corporations": "CORPORATIONS", "minors": "MINORS"}
# Methods of a game that decide which tiles may replace which; the first calls the others.
_DECIDERS = (
    "upgrades_to?",
    "upgrades_to_correct_label?",
    "upgrades_to_correct_city_town?",
    "upgrades_to_correct_color?",
    "legal_tile_rotation?",
    "upgrade_ignore_num_cities",
)
# Methods of a game that determine routes and their revenue.
_OF_ROUTES = (
    "revenue_for",
    "extra_revenue",
    "routes_revenue",
    "east_west_bonus",
    "pullman?",
    "route_trains",
    "check_distance",
    "check_connected",
    "check_overlap",
    "check_other",
    "check_route_token",
    "check_route_combination",
    "compute_stops",
)
# Methods that count the shares of a company in play.
_SHARES = ("total_shares", "num_player_shares")
# A hash that begins with a hex as its key, and a call that lays a tile on a hex.
_BY_HEX = re.compile(rb"\{\s*(#.*\s*)*'[A-Za-z]{1,2}\d+' *=>")
_LAYS = re.compile(rb"hex_by_id\('(\w+)'\)\.lay\(tile_by_id\('([^']+)-\d+'\)")
_SETTLES_RULES = "init_optional_rules"
# Copies of a tile are counted up to this number (exclusive); no box contains more.
_MOST_COPIES = 100
# Steps for all other maps of a game.
_OTHERS = MOST_STEPS // 3
# Minimum size of another map, or half the size of the first if that is less: a smaller one only has
# the few hexes that a rule adds.
_FEWEST_HEXES = 20
_TWO_COLOURS = {
    "GREENBROWN": ("green", "brown"),
    "BROWNGRAY": ("brown", "gray"),
    "BROWNSEPIA": ("brown", "sepia"),
}
_TOO_MUCH = f"working it out takes more than {SHARE:,} steps, or is nested too deeply"
_TOO_LARGE = f"it has more than {MOST_VALUES:,} values, or more than {MOST_LEVELS} levels"
_USED_UP = "the steps for this game are used up"
# Enough for evaluate.MAX_DEPTH, which is the limit meant to apply.
_PYTHON_FRAMES = 10_000

Range = tuple[int, int]
_readers: list[_Reader] = []


def answer(request: bytes) -> bytes:
    """Answer a GameRequest with a RubyGame, and later UpgradeRequests with Verdicts. Raises
    CannotRun for a folder without a game."""
    message = REQUESTS.decode(request)
    if isinstance(message, UpgradeRequest):
        return msgspec.msgpack.encode(_readers[0].allows(message))
    sys.setrecursionlimit(max(_PYTHON_FRAMES, sys.getrecursionlimit()))
    folder = Path(os.fsdecode(message.folder))
    try:
        _readers.append(_reader_of(folder, message))
        game = _readers[0].read()
    except TooMuch as error:  # not within a value that could be left out by name
        raise CannotRun(
            f"{folder}: its modules include each other too often to be followed"
        ) from error
    return msgspec.msgpack.encode(game)


def _reader_of(folder: Path, request: GameRequest) -> _Reader:
    budget.begin()
    library = Library(folder=folder)
    library.read_folder(folder)
    names = [name for name in library.modules if name.endswith("::Game") and name.count("::") >= 3]
    if not names:
        raise CannotRun(
            f"{folder} is not the folder of a game of 18xx.games: no class Game in its Ruby files"
        )
    # A folder may also contain a variant: the game with the folder's name takes precedence.
    folder_name = plain(real(folder).name)
    named_so = (name for name in names if name.split("::")[-2].lower() == folder_name)
    return _Reader(library, next(named_so, min(names)), request.rules)


class _Reader:
    """Reader of a game with some optional rules."""

    def __init__(self, library: Library, name: str, rules: tuple[str, ...]) -> None:
        self.library, self.name, self.rules = library, name, rules
        self.unread: list[tuple[str, Unread]] = []
        self.chosen: list[tuple[str, str]] = []
        self._is_other = self._is_halted = False
        self._verdicts: dict[str, dict[Any, Any]] = {}

    def read(self) -> RubyGame:
        """Return the game, with its other maps."""
        catalogue = self._catalogue()
        evaluator = Evaluator(self.library, self.name, {})
        players = self._value(evaluator, "PLAYER_RANGE")
        is_range = isinstance(players, list) and len(players) == 2
        if is_range and all(isinstance(number, int) for number in players):
            bounds: Range | None = (players[0], players[1])
        else:
            bounds = None
        game = self._game(bounds, catalogue)
        game.others = list(self._others(game))
        return game

    def _game(self, players: Range | None, catalogue: dict[str, tuple[str, str]]) -> RubyGame:
        """Return the game for a range of numbers of players; its data are those for the largest
        number."""
        self._begin(players)
        data = {key: self._data(key) for key in DATA}
        data["players"] = players
        removed = self._remove_tiles(data["tiles"])
        if self._own("location_name"):
            data["location_names"] = self._location_names(data["hexes"], data["location_names"])
        title, subtitle = map(self.evaluator.definition, ("GAME_TITLE", "GAME_SUBTITLE"))
        if not title or not subtitle or title.source.file != subtitle.source.file:
            data["subtitle"] = None  # it belongs to the parent's title
        deciders = {name: self._own(name) for name in _DECIDERS}
        loans = self._loans(data)
        return RubyGame(
            name=self.name.split("::")[-2],
            data=data,
            catalogue=catalogue,
            files=tuple(self.library.files),
            unread=list(dict.fromkeys(self.unread)),
            chosen=self.chosen,
            drawn=tuple(dict.fromkeys(self.evaluator.drawn)),
            missing=tuple(self.library.missing),
            decides=tuple(
                f"{name} in {method.source.unread(method.node).place}"
                for name, method in deciders.items()
                if method is not None
            ),
            of_routes=tuple(filter(self._own, _OF_ROUTES)),
            counts=self._train_counts(data["trains"]),
            asks=any(deciders.values()),
            places=self._places(),
            removed=removed,
            loans=loans,
            loan=self._value(self.evaluator, "loan_value") if self._own("loan_value") else None,
            rules=self._rules(),
        )

    def _rules(self) -> Json:
        """Return the values of the game's own constants about rules of play, by name."""
        names = dict.fromkeys(
            name
            for module in self.library.ancestors(self.name)
            for name, definition in module.constants.items()
            if _RULES.match(name) and definition.source.file != BASE_FILE
        )
        return {name: readable(self._value(self.evaluator, name)) for name in names}

    def _loans(self, data: Json) -> Json:
        """Return the maximum number of loans by company, if the game lends to companies. A method
        that counts shares in play is given all shares that a major may have; a single share of
        100 % is split in play."""
        if not self._own("maximum_loans") or self._value(self.evaluator, "init_loans") == []:
            return {}
        loans: Json = {}
        for entry in (*(data["corporations"] or ()), *(data["minors"] or ())):
            if not isinstance(entry, dict):
                continue
            shares, counts = entry.get("shares"), 10 if entry.get("type") != "minor" else None
            if isinstance(shares, list) and len(shares) > 1 and isinstance(shares[1], int):
                counts = 100 // max(shares[1], 1)
            of_shares = {} if counts is None else dict.fromkeys(_SHARES, counts)
            company = Thing({"type": None, "id": entry.get("sym")} | of_shares | entry)
            most = self._value(self.evaluator, "maximum_loans", company)
            if isinstance(most, int):
                loans[str(entry.get("sym"))] = most
            elif isinstance(most, Unread):
                self.unread.append(("loans", most))
        return loans

    def _begin(self, players: Range | None) -> None:
        """Begin the game with the maximum number of players, and let it settle its optional rules:
        some imply others, or choose its set."""
        self.players = players
        self.evaluator = Evaluator(self.library, self.name, _known(players, list(self.rules)))
        if self._own(_SETTLES_RULES):
            rules = self._value(self.evaluator, _SETTLES_RULES, list(self.rules))
            if isinstance(rules, list):
                self.evaluator.known |= {"@optional_rules": rules, "optional_rules": rules}

    # Other maps

    def _others(self, game: RubyGame) -> Iterator[Other]:
        """Yield each different map once: those for fewer players, then those with an optional rule
        that is off. They come without their game once their share of the budget is used up."""
        if not any(self._own(name) for name in DATA["hexes"]):
            return
        floor = budget.left - _OTHERS
        bounds, first_map = game.data["players"], _by_coordinate(game.data["hexes"])
        known = {"{}", repr(first_map), repr(self._another(None)._map(bounds))}
        by_map: dict[str, list[int]] = {}
        for count in range(*bounds) if bounds else ():
            if budget.left > floor:
                hexes = repr(self._another(None)._map((count, count)))
                if hexes not in known:
                    by_map.setdefault(hexes, []).append(count)
        for counts in by_map.values():
            other = self._another(None)._other_game((counts[0], counts[-1]), floor)
            yield Other(players=tuple(counts), game=other)
        known |= by_map.keys()
        rules = game.data["rules"]
        for rule in rules if isinstance(rules, list) else ():
            symbol = rule.get("sym") if isinstance(rule, dict) else None
            if not isinstance(symbol, str) or symbol in self.rules or budget.left <= floor:
                continue
            hexes_by_rule = self._another(symbol)._map(bounds)
            is_small = len(hexes_by_rule) < min(_FEWEST_HEXES, len(first_map) / 2)
            is_part = hexes_by_rule.items() <= first_map.items()
            if not is_small and not is_part and repr(hexes_by_rule) not in known:
                known.add(repr(hexes_by_rule))
                yield Other(rule=symbol, game=self._another(symbol)._other_game(bounds, floor))

    def _another(self, rule: str | None) -> _Reader:
        rules = self.rules if rule is None else (*self.rules, rule)
        return _Reader(self.library, self.name, rules)

    def _other_game(self, players: Range | None, floor: int) -> RubyGame | None:
        self._is_other = True
        return self._game(players, {}) if budget.left > floor else None

    def _map(self, players: Range | None) -> dict[str, tuple[str, str]]:
        """Return the map for a range of numbers of players as the game's methods give it; hexes may
        be missing."""
        self._begin(players)
        constant, *methods = DATA["hexes"]
        for name in (*filter(self._own, methods), constant):
            value = self._value(self.evaluator, name)
            if isinstance(value, dict) and value:
                return _by_coordinate(readable(value))
        return {}

    # Data

    def _data(self, key: str) -> Any:
        """Return the first value found for a key: the game's own methods come before constants."""
        methods = [name for name in DATA[key] if self._own(name)]
        failed = []
        for name in (*methods, *filter(str.isupper, DATA[key])):
            value = self._value(self.evaluator, name)
            if not value and name in methods and not is_unread(value):
                # Data may be assembled from options, which are all off here: try with all on.
                all_on = Evaluator(self.library, self.name, _known(self.players, None))
                value = self._value(all_on, name)
            parts = list(unread_in(value))
            if key == "hexes" and isinstance(value, dict):
                value = _with_unread_plain(value)
            if is_unread(value) or (parts and not readable(value)):
                failed += parts
                continue
            self.unread += [(key, part) for part in parts]
            if value is None or value in ({}, []):
                continue
            self.unread += [(key, part) for part in failed]
            if key == "hexes" and name in methods and not self._is_other:
                value = self._whole_map(value)
            return readable(value)
        self.unread += [(key, part) for part in failed]
        return self._list_of_parts(key)

    def _whole_map(self, hexes: Any) -> Any:
        """Return HEXES if it has all hexes of a method's map and more, otherwise the method's map.
        A method may leave hexes out for few players, or by an option whose condition cannot
        always be known."""
        whole = self._value(self.evaluator, "HEXES")
        if not isinstance(whole, dict):
            return hexes
        if not _by_coordinate(hexes).keys() < _by_coordinate(whole).keys():
            return hexes
        self.chosen.append(("hexes", "HEXES"))
        return _with_unread_plain(whole)

    def _list_of_parts(self, key: str) -> Any:
        """Return the entries of all constants that contain part of a list: if the game's code
        chooses among them, the box contains all."""
        if key not in _LISTS:
            return None
        chosen = []
        for module in self.library.ancestors(self.name):
            constants = sorted(
                module.constants, key=lambda name: module.constants[name].node.start_byte
            )
            for name in constants:
                value = self._value(self.evaluator, name) if _LISTS[key] in name else None
                entries = value if isinstance(value, list) else []
                fresh = [
                    entry
                    for entry in entries
                    if isinstance(entry, dict) and "name" in entry and entry not in chosen
                ]
                if fresh:
                    chosen += fresh
                    self.chosen.append((key, name))
        return readable(chosen) or None

    def _own(self, method: str) -> Definition | None:
        """Return the game's own definition of a method, None if only the engine defines it."""
        definition = self.evaluator.definition(method, method=True)
        is_own = definition is not None and definition.source.file != BASE_FILE
        return definition if is_own else None

    def _value(self, evaluator: Evaluator, name: str, *arguments: Any, **named: Any) -> Any:
        """Return a constant or the value of a method, computed within a share of the budget; an
        Unread if the share is used up or the value is not data."""
        is_method = not name.isupper()
        try:
            with budget.share():
                value = (
                    evaluator.call(name, *arguments, **named)
                    if is_method
                    else evaluator.constant(name)
                )
                return checked_data(value)
        except (TooMuch, RecursionError):
            why = _TOO_MUCH if budget.left > 0 else _USED_UP
        except (TooLarge, MemoryError):
            why = _TOO_LARGE
        except (Jump, *NO_DATA):
            why = ""
        definition = evaluator.definition(name, method=is_method)
        if definition is None:
            return Unread(what=name, why=why)
        return definition.source.unread(definition.node, what=name, why=why)

    def _catalogue(self) -> dict[str, tuple[str, str]]:
        """Return colour and tile string of the tiles in the engine's catalogue by number; empty if
        the catalogue's file is not found near the game."""
        strings: dict[str, tuple[str, str]] = {}
        if self.library.module(CATALOGUE) is None:
            return strings
        evaluator = Evaluator(self.library, CATALOGUE, {})
        for constant in ("WHITE", "YELLOW", "GREEN", *_TWO_COLOURS, "BROWN", "GRAY", "RED", "BLUE"):
            tiles = self._value(evaluator, constant)
            self.unread += [("tiles", part) for part in unread_in(tiles)]
            colour, second = _TWO_COLOURS.get(constant, (constant.lower(), ""))
            stripes = f"stripes=color:{second}" if second else ""
            for number, string in tiles.items() if isinstance(tiles, dict) else ():
                if isinstance(string, str):
                    parts = filter(None, (stripes, string))
                    strings.setdefault(str(number), (colour, ";".join(parts)))
        return strings

    def _places(self) -> dict[str, list[str]]:
        """Return, by tile, the hexes for which the game's code or tables name it."""
        hexes_by_tile: dict[str, list[str]] = {}

        def add(hexagon: str, value: Any) -> None:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str):
                    hexes_by_tile.setdefault(part, []).append(hexagon)

        tables = {name for names in DATA.values() for name in names}
        for module in self.evaluator.ancestors:
            if module.name == BASE:
                break
            texts = {method.source.file: method.source.data for method in module.methods.values()}
            for hexagon, tile in _LAYS.findall(b"".join(texts.values())):
                add(hexagon.decode(), tile.decode())
            for name, definition in module.constants.items():
                opening = definition.source.data[definition.node.start_byte :][:200]
                if name not in tables and _BY_HEX.match(opening):
                    value = self._value(self.evaluator, name)
                    for hexagon, entry in value.items() if isinstance(value, dict) else ():
                        add(str(hexagon), entry)
        return hexes_by_tile

    def _remove_tiles(self, tiles: Any) -> tuple[str, ...]:
        """Remove the tiles that the game removes because an optional rule is on or off, and return
        their numbers. The game's other methods can then use the remaining copies."""
        if not isinstance(tiles, dict):
            return ()
        copies = {}
        for name, entry in tiles.items():
            count = entry.get("count") if isinstance(entry, dict) else entry
            number = count if isinstance(count, int) and count < _MOST_COPIES else 1
            copies[name] = [
                Thing({"name": str(name), "id": f"{name}-{at}"}) for at in range(number)
            ]
        box = list(chain.from_iterable(copies.values()))
        self.evaluator.known |= {"@tiles": box, "@all_tiles": [*box]}
        if self._own("optional_tiles"):
            self._value(self.evaluator, "optional_tiles")
        kept = Counter(tile["name"] for tile in box)
        removed = tuple(name for name, things in copies.items() if things and not kept[str(name)])
        for name in removed:
            del tiles[name]
        return removed

    def _location_names(self, hexes: Any, known: Any) -> Json:
        """Return the names of hexes, with those from the method that names one hex at a time, as
        far as it can be read."""
        names = dict(known) if isinstance(known, dict) else {}
        for coordinate in _by_coordinate(hexes):
            name = self._value(self.evaluator, "location_name", coordinate)
            if isinstance(name, Unread) and name.why:
                self.unread.append(("location_names", name))
                return names
            if isinstance(name, str):
                names[coordinate] = name
        return names

    def _train_counts(self, trains: Any) -> Json:
        """Return the counts of trains by name, from a method that gives all of them or one at a
        time, for the maximum number of players: a box contains the trains for any number."""
        if self._own("num_trains_map"):
            by_name = self._value(self.evaluator, "num_trains_map")
            pairs = by_name.items() if isinstance(by_name, dict) else ()
            return {str(name): count for name, count in pairs}
        counts: Json = {}
        if not self._own("num_trains") or not isinstance(trains, list):
            return counts
        for train in trains:
            # For unlimited trains, the method gives the initial number in the depot.
            if not isinstance(train, dict) or train.get("num") == "unlimited":
                continue
            count = self._value(self.evaluator, "num_trains", train)
            if isinstance(count, Unread) and count.why:
                self.unread.append(("trains", count))
                return counts
            if train.get("name") is not None and (isinstance(count, int) or count == "unlimited"):
                counts[str(train["name"])] = count
        return counts

    # Upgrades

    def allows(self, request: UpgradeRequest) -> Verdicts:
        """Return the verdicts of the game's own rules. Unknown verdicts are no, and so are all
        verdicts once the rules have taken too many steps."""
        owner = Thing.of(request.owner)
        by_ability = () if owner is None else (True,)
        named = {} if owner is None else {"selected_company": owner}
        self.evaluator.known["@phase"] = self._last_phase()
        things = list(map(Thing.of, request.things))
        known = self._verdicts.setdefault(repr(request.owner), {})
        allowed = []
        unread = None
        for question in request.questions:
            asked = old, place, new = [things[at] for at in question]
            # If code reads the same answers in the same order, its verdict is the same: verdicts
            # are leaves of a tree with a branch for every answer. Most branches end with a colour.
            verdict: Any = False if self._is_halted else known
            while isinstance(verdict, dict):
                verdict = verdict.get(_answer(asked, verdict[_NEXT])) if verdict else None
            if verdict is None:
                Traced.reads.clear()
                # A tile knows its hex, and the hex its tile.
                around = Traced.by(1, place, tile=Traced.by(0, old))
                tiles = Traced.by(0, old, hex=around), Traced.by(2, new)
                verdict = self._value(self.evaluator, _DECIDERS[0], *tiles, *by_ability, **named)
                steps, node = [*dict.fromkeys(Traced.reads)], known
                for step in steps if all(method for _, method in steps) else ():
                    # If it reads something else than before, it depends on more than its reads.
                    if not isinstance(node, dict) or node.setdefault(_NEXT, step) != step:
                        break
                    leaf: Any = verdict is True if step == steps[-1] else {}
                    node = node.setdefault(_answer(asked, step), leaf)
            if isinstance(verdict, Unread) and verdict.why:
                self._is_halted, unread = True, verdict
            allowed.append(verdict is True)
        return Verdicts(allowed=allowed, unread=unread)

    def _last_phase(self) -> Thing:
        """Return the phase in which rules allow most, with the colours and statuses of all
        phases."""
        phases = [phase for phase in self._data("phases") or () if isinstance(phase, dict)]
        every = {
            key: [each for phase in phases for each in phase.get(key) or ()]
            for key in ("tiles", "status")
        }
        name = phases[-1].get("name") if phases else None
        return Thing(every | {"name": name, "available?": True})


# Key of the next read in a branch; it equals no answer.
_NEXT = object()


def _answer(asked: Sequence[Thing], step: tuple[int, str]) -> Any:
    role, method = step
    value = asked[role].get(method)
    return repr(value) if isinstance(value, (list, dict)) else value


def _by_coordinate(hexes: Any) -> dict[str, tuple[str, str]]:
    """Return colour and tile string of each hex, sorted so that equal maps have the same `repr`."""
    printed = {}
    for colour, strings in hexes.items() if isinstance(hexes, dict) else ():
        for coordinates, string in strings.items() if isinstance(strings, dict) else ():
            several = isinstance(coordinates, (list, tuple))
            for coordinate in coordinates if several else [coordinates]:
                printed[str(coordinate)] = str(colour), str(string)
    return dict(sorted(printed.items()))


def _with_unread_plain(hexes: dict[Any, Any]) -> dict[Any, Any]:
    """Return a map in which hexes with unread strings are plain, since their coordinates are
    known."""
    plain_map = {}
    for colour, strings in hexes.items():
        plain_map[colour] = strings
        if isinstance(strings, dict):
            plain_map[colour] = {
                coordinates: "" if is_unread(string) else string
                for coordinates, string in strings.items()
            }
    return plain_map


def _known(players: Range | None, rules: list[str] | None) -> Json:
    """Return the initial values of a game that begins with the maximum number of players and some
    optional rules, or with all options on if `rules` is None."""
    people = [None] * (players[1] if players else 4)
    options: Any = _Every() if rules is None else rules
    known = {
        "@optional_rules": options,
        "optional_rules": options,
        "@players": people,
        "players": people,
    }
    if rules is None:
        known |= {"@units": options, "@kits": options, "@regionals": options}
    return known


class _Every(dict[Any, Any]):
    """Options that are all on."""

    def __contains__(self, _key: object) -> bool:
        return True

    def get(self, _key: Any, _default: Any = None) -> Any:
        return True
