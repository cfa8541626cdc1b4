"""Reading of a game's folder of Ruby files, in a process of its own (see game.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from platelayer.exchange.ruby.evaluate import NO_DATA, Evaluator, Left
from platelayer.exchange.ruby.game import (
    ASKED,
    MOST,
    MOST_DEEP,
    MOST_VALUES,
    SHARE,
    WHOLE,
    Other,
    RubyGame,
    Thing,
    TooLarge,
    TooMuch,
    Unread,
    Upgrades,
    Verdicts,
    Wanted,
    begin,
    budget,
    checked_data,
    is_unread,
    line_of,
    noting,
    readable,
    unread_in,
)
from platelayer.exchange.ruby.library import CATALOGUE, Library
from platelayer.foundation.door import real
from platelayer.foundation.problems import CannotRun

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
}
"""What is read: first the constants that hold it, then the methods that may change it."""

_LISTS = {"companies": "COMPANIES", "corporations": "CORPORATIONS", "minors": "MINORS"}
"""How constants are called that hold parts of a list."""

DECIDERS = (
    "upgrades_to?",
    "upgrades_to_correct_label?",
    "upgrades_to_correct_city_town?",
    "upgrades_to_correct_color?",
    "legal_tile_rotation?",
    "upgrade_ignore_num_cities",
)
"""Methods by which a game decides in code what its tiles may replace."""


_SETTLES = "init_optional_rules"
_OTHERS = MOST // 3
"""Steps for other maps of a game."""
_LEAST = 20
"""Hexes that a map by itself has, unless the first has fewer than twice as many; a rule may add a
few to another."""
_TWO_COLOURS = {
    "GREENBROWN": ("green", "brown"),
    "BROWNGRAY": ("brown", "gray"),
    "BROWNSEPIA": ("brown", "sepia"),
}
_WHY = f"working it out takes more than {SHARE:,} steps, or is nested too deeply"
_WHY_LARGE = f"it has more than {MOST_VALUES:,} values, or more than {MOST_DEEP} levels"
_WHY_ALL = "the steps for this game are used up"
_MOST_FRAMES = 10_000
"""Frames of Python's stack, so that the depth of expressions is the limit (evaluate.MAX_DEPTH)."""
_reader: _Reader


def answer(question: bytes) -> bytes:
    """What a game is asked: first what there is of it (Wanted), then what may replace what
    (Upgrades). Raises CannotRun for a folder that holds no game."""
    global _reader  # noqa: PLW0603 - a process reads one game
    asked = ASKED.decode(question)
    if isinstance(asked, Wanted):
        sys.setrecursionlimit(max(_MOST_FRAMES, sys.getrecursionlimit()))
        folder = Path(os.fsdecode(asked.folder))
        _reader = reader_of(folder, asked.rules)
        try:
            reply: Any = _reader.read()
        except TooMuch as error:  # outside of all that can be left out by name
            raise CannotRun(
                f"{folder}: its modules include each other too often to be followed"
            ) from error
    else:
        reply = _reader.allows(asked)
    return msgspec.msgpack.encode(reply)


def reader_of(folder: Path, rules: tuple[str, ...]) -> _Reader:
    """What reads a game folder. Raises CannotRun for a folder that holds no game."""
    begin()
    library = Library(folder=folder)
    library.read_folder(folder)
    own = [
        name for name in library.modules if name.split("::")[-1] == "Game" and name.count("::") >= 3
    ]
    if not own:
        raise CannotRun(
            f"{folder} is not the folder of a game of 18xx.games: no class Game in its Ruby files"
        )
    name = sorted(own)[0]
    # A folder may hold more than one game (a variant beside it): the one that its name names comes
    # first.
    plain = real(folder).name.replace("_", "").lower()
    name = next(
        (candidate for candidate in own if candidate.split("::")[-2].lower() == plain), name
    )
    return _Reader(library, name, rules)


class _Reader:
    def __init__(self, library: Library, name: str, rules: tuple[str, ...]) -> None:
        self.library, self.name, self.rules = library, name, rules
        self.halted = self.as_told = False
        self.answers = _Answers()
        self.unread: list[tuple[str, Unread]] = []
        self.chosen: list[tuple[str, str]] = []

    def read(self) -> RubyGame:
        """The game, with its other maps."""
        catalogue = self._catalogue()
        game = self.game_for(self._players(), catalogue)
        game.others = list(self._others(game))
        return game

    def game_for(
        self, players: tuple[int, int] | None, catalogue: dict[str, tuple[str, str]]
    ) -> RubyGame:
        """The game as it is for some numbers of players: the largest decides."""
        self._begin(players)
        data = {key: self._read(key, names) for key, names in DATA.items()}
        data["players"] = players
        if self._is_own("location_name"):
            data["location_names"] = self._names_of(data["hexes"], data["location_names"])
        if not self._beside("GAME_SUBTITLE", "GAME_TITLE"):
            data["subtitle"] = None  # it is that of the parent's title
        files = tuple(self.library.files)
        return RubyGame(
            name=self.name.split("::")[-2],
            data=data,
            catalogue=catalogue,
            files=files,
            unread=list(dict.fromkeys(self.unread)),
            chosen=self.chosen,
            drawn=tuple(dict.fromkeys(self.evaluator.drawn)),
            missing=tuple(self.library.missing),
            decides=tuple(self._deciders()),
            counts=self._train_counts(data["trains"]),
            asks=any(self._is_own(name) for name in DECIDERS),
        )

    def _begin(self, players: tuple[int, int] | None) -> None:
        """Begin the game with as many players as there can be."""
        self.people = players
        self.evaluator = Evaluator(self.library, self.name, _known(players, list(self.rules)))
        self._settle_rules()

    def board_for(self, players: tuple[int, int] | None) -> dict[str, tuple[str, str]]:
        """What its methods and constants say of the map for so many players, without any hex that
        they leave out."""
        self._begin(players)
        names = DATA["hexes"]
        for name in (
            *(name for name in names if name[0].islower() and self._is_own(name)),
            names[0],
        ):
            value = self._safely(self.evaluator, name, constant=name[0].isupper())
            if isinstance(value, dict) and value:
                return _by_place(readable(value))
        return {}

    def _others(self, game: RubyGame) -> Iterator[Other]:
        """Other maps of the game: for fewer players, and by an optional rule that is off. Those
        that have the map of one before them are left out; once their share of the budget is used
        up, they are named only."""
        if not any(self._is_own(name) for name in DATA["hexes"] if name[0].islower()):
            return
        floor = budget().left - _OTHERS
        bounds, board = game.data["players"], _by_place(game.data["hexes"])
        known = {"{}", repr(board), repr(self._another(None).board_for(bounds))}
        by_players: dict[str, list[int]] = {}
        for count in range(*bounds) if bounds else ():
            part = repr(
                self._another(None).board_for((count, count)) if budget().left > floor else {}
            )
            if part not in known:
                by_players.setdefault(part, []).append(count)
        for alike in by_players.values():
            yield Other(
                players=tuple(alike),
                game=self._another(None).part_for((alike[0], alike[-1]), floor),
            )
        known |= by_players.keys()
        for rule in self._rules_off(game):
            hexes = self._another(rule).board_for(bounds) if budget().left > floor else {}
            large = len(hexes) >= min(_LEAST, len(board) / 2)
            if large and not hexes.items() <= board.items() and repr(hexes) not in known:
                known.add(repr(hexes))
                yield Other(rule=rule, game=self._another(rule).part_for(bounds, floor))

    def part_for(self, players: tuple[int, int] | None, floor: int) -> RubyGame | None:
        """The game with the map that its methods tell for some players, if more steps are left than
        `floor`."""
        self.as_told = True
        return self.game_for(players, {}) if budget().left > floor else None

    def _rules_off(self, game: RubyGame) -> list[str]:
        """Optional rules that the game was not read with."""
        rules = game.data["rules"]
        symbols = (
            [rule.get("sym") for rule in rules if isinstance(rule, dict)]
            if isinstance(rules, list)
            else []
        )
        return [
            symbol for symbol in symbols if isinstance(symbol, str) and symbol not in self.rules
        ]

    def _another(self, rule: str | None) -> _Reader:
        return _Reader(self.library, self.name, (*self.rules, *([rule] if rule else ())))

    def _settle_rules(self) -> None:
        """Let the game settle its optional rules as when it begins: some follow from others, or
        choose its set."""
        rules = (
            self._safely(self.evaluator, _SETTLES, list(self.rules))
            if self._is_own(_SETTLES)
            else None
        )
        if isinstance(rules, list):
            self.evaluator.known |= {"@optional_rules": rules, "optional_rules": rules}

    def _beside(self, name: str, other: str) -> bool:
        """Whether two constants are defined in the same file."""
        definitions = [self.evaluator.definition(constant) for constant in (name, other)]
        return all(definitions) and len({one.source.file for one in definitions if one}) == 1

    def _players(self) -> tuple[int, int] | None:
        evaluator = Evaluator(self.library, self.name, {})
        players = self._safely(evaluator, "PLAYER_RANGE", constant=True)
        if (
            isinstance(players, list)
            and len(players) == 2
            and all(isinstance(number, int) for number in players)
        ):
            return players[0], players[1]
        return None

    def _read(self, key: str, names: tuple[str, ...]) -> Any:
        """The first of constants and methods with a value; methods of the game itself come before
        constants."""
        tries = [
            candidate for candidate in names if candidate[0].islower() and self._is_own(candidate)
        ]
        tries += [candidate for candidate in names if candidate[0].isupper()]
        failed: list[Unread] = []
        for name in tries:
            value = self._safely(self.evaluator, name, constant=name[0].isupper())
            if not value and name[0].islower() and not is_unread(value):
                # Data may be put together from options, of which none is on: then with all that can
                # be on.
                all_on = Evaluator(self.library, self.name, _known(self.people, None))
                value = self._safely(all_on, name)
            parts = list(unread_in(value))
            if key == "hexes" and isinstance(value, dict):
                value = {colour: _with_all_places(tiles) for colour, tiles in value.items()}
            if is_unread(value) or (parts and not readable(value)):
                failed += parts
                continue
            self.unread += [(key, part) for part in parts]
            if value is not None and value not in ({}, []):
                self.unread += [(key, part) for part in failed]
                return readable(
                    self._whole_map(value) if key == "hexes" and name[0].islower() else value
                )
        self.unread += [(key, part) for part in failed]
        return self._parts(key)

    def _whole_map(self, value: Any) -> Any:
        """The map that a method gives, or the one of HEXES if that is the same and more: a method
        may leave hexes out for few players or by an option, and what a condition is cannot always
        be known."""
        whole = None if self.as_told else self._safely(self.evaluator, "HEXES", constant=True)
        if (
            not isinstance(whole, dict)
            or is_unread(whole)
            or not _by_place(value).keys() < _by_place(whole).keys()
        ):
            return value
        self.chosen.append(("hexes", "HEXES"))
        return {colour: _with_all_places(tiles) for colour, tiles in whole.items()}

    def _parts(self, key: str) -> Any:
        """Where the game chooses in code among lists of its own, all of them: a box holds what may
        be chosen."""
        ending = _LISTS.get(key)
        chosen: list[Any] = []
        for module in self.library.lineage(self.name) if ending else ():
            for name in sorted(
                module.constants, key=lambda constant: module.constants[constant].node.start_byte
            ):
                value = (
                    self._safely(self.evaluator, name, constant=True)
                    if str(ending) in name
                    else None
                )
                entries = (
                    [entry for entry in value if isinstance(entry, dict)]
                    if isinstance(value, list)
                    else []
                )
                fresh = [entry for entry in entries if "name" in entry and entry not in chosen]
                if fresh:
                    chosen += fresh
                    self.chosen.append((key, name))
        return readable(chosen) or None

    def _is_own(self, method: str) -> bool:
        definition = self.evaluator.definition(method, method=True)
        return definition is not None and definition.source.file != "base.rb"

    def _safely(
        self, evaluator: Evaluator, name: str, *arguments: Any, constant: bool = False
    ) -> Any:
        """A constant or what a method returns, for a share of the budget; unread where that is not
        enough."""
        why = ""
        try:
            with budget().share():
                return checked_data(
                    evaluator.constant(name) if constant else evaluator.call(name, *arguments)
                )
        except (TooMuch, RecursionError):
            why = _WHY if budget().left > 0 else _WHY_ALL
        except TooLarge:
            why = _WHY_LARGE
        except (Left, *NO_DATA):
            why = ""
        definition = evaluator.definition(name, method=not constant)
        if definition is None:
            return Unread(what=name, why=why)
        return Unread(
            what=name, file=definition.source.file, line=line_of(definition.node), why=why
        )

    def _catalogue(self) -> dict[str, tuple[str, str]]:
        """Tile strings of the engine's own catalogue beside a game, by number: (colour, string);
        nothing where it is not there."""
        if self.library.module(CATALOGUE) is None:
            return {}
        evaluator = Evaluator(self.library, CATALOGUE, {})
        strings: dict[str, tuple[str, str]] = {}
        for colour in ("WHITE", "YELLOW", "GREEN", *_TWO_COLOURS, "BROWN", "GRAY", "RED", "BLUE"):
            tiles = self._safely(evaluator, colour, constant=True)
            self.unread += [("tiles", value) for value in unread_in(tiles)]
            for number, code in tiles.items() if isinstance(tiles, dict) else ():
                if isinstance(code, str):
                    first, second = _TWO_COLOURS.get(colour, (colour.lower(), ""))
                    stripes = f"stripes=color:{second}" if second else ""
                    strings.setdefault(
                        str(number), (first, ";".join(filter(None, (stripes, code))))
                    )
        return strings

    def _deciders(self) -> list[str]:
        places = []
        for name in DECIDERS:
            method = self.evaluator.definition(name, method=True)
            if method is not None and method.source.file != "base.rb":
                places.append(f"{name} in {method.source.file}:{line_of(method.node)}")
        return places

    def _names_of(self, hexes: Any, known: Any) -> dict[str, Any]:
        """Names of hexes by the method that tells them one by one; where it cannot be read, those
        that are known."""
        names = dict(known) if isinstance(known, dict) else {}
        for by_places in hexes.values() if isinstance(hexes, dict) else ():
            for places in by_places if isinstance(by_places, dict) else ():
                for place in places if isinstance(places, (list, tuple)) else [places]:
                    name = self._safely(self.evaluator, "location_name", place)
                    if isinstance(name, Unread) and name.why:
                        self.unread.append(("location_names", name))
                        return names
                    if isinstance(name, str):
                        names[place] = name
        return names

    def allows(self, asked: Upgrades) -> Verdicts:
        """What the game's own rules of upgrading say; what cannot be known is no. Where they cost
        too much they are asked no more."""
        olds = {index: Thing.of(asked.things[index], "old") for index, _, _ in asked.asked}
        places = {index: Thing.of(asked.things[index], "place") for _, index, _ in asked.asked}
        news = {index: Thing.of(asked.things[index], "new") for _, _, index in asked.asked}
        allowed: list[bool] = []
        unread = None
        for old, place, new in asked.asked:
            roles = {"old": olds[old], "place": places[place], "new": news[new]}
            verdict: Any = False if self.halted else self.answers.known(roles)
            if verdict is None:
                verdict = self._verdict(roles)
            if isinstance(verdict, Unread) and verdict.why:
                self.halted, unread = True, verdict
            allowed.append(verdict is True)
        return Verdicts(allowed=allowed, unread=unread)

    def _verdict(self, roles: dict[str, Thing]) -> Any:
        # A tile knows its hex, and the hex its tile.
        tile = _with(roles["old"], "hex", _with(roles["place"], "tile", roles["old"]))
        with noting() as read:
            verdict = self._safely(self.evaluator, DECIDERS[0], tile, roles["new"])
            self.answers.note(roles, read, verdict is True)
        return verdict

    def _train_counts(self, trains: Any) -> dict[str, Any]:
        """Counts of trains that a method gives, by name or for all; with the most players, since a
        box has trains for all. It is not asked about trains without end, of which it would say how
        many lie in the depot at first."""
        if self._is_own("num_trains_map"):
            by_name = self._safely(self.evaluator, "num_trains_map")
            return (
                {str(name): count for name, count in by_name.items()}
                if isinstance(by_name, dict)
                else {}
            )
        if not self._is_own("num_trains") or not isinstance(trains, list):
            return {}
        counts: dict[str, Any] = {}
        for train in trains:
            name = train.get("name") if isinstance(train, dict) else None
            if name is not None and train.get("num") != "unlimited":
                count = self._safely(self.evaluator, "num_trains", train)
                if isinstance(count, Unread) and count.why:
                    self.unread.append(("trains", count))
                    return counts
                if isinstance(count, int) or count == "unlimited":
                    counts[str(name)] = count
        return counts


def _with(thing: Thing, name: str, value: Thing) -> Thing:
    whole = Thing(thing)
    whole.role, whole[name] = thing.role, value
    return whole


_ASKS = object()
"""The key of what a node of the tree asks, which no answer is."""


class _Answers:
    """Verdicts by what was read for them: a tree of questions, each with a branch for every answer.
    Code that reads the same in the same order decides the same."""

    def __init__(self) -> None:
        self._root: dict[Any, Any] | bool | None = None

    def known(self, roles: dict[str, Thing]) -> bool | None:
        """The verdict, if all that it follows from has been read before."""
        node = self._root
        while isinstance(node, dict):
            node = node.get(_answer(roles, *node[_ASKS]))
        return node

    def note(self, roles: dict[str, Thing], read: list[tuple[str, str]], verdict: bool) -> None:
        """Keep a verdict with what was read for it, unless things were compared as a whole."""
        steps = list(dict.fromkeys(read))
        if not steps or any(name == WHOLE for _, name in steps):
            return
        if self._root is None:
            self._root = {_ASKS: steps[0]}
        node: Any = self._root
        for at, (role, name) in enumerate(steps, 1):
            if not isinstance(node, dict) or node[_ASKS] != (role, name):
                return  # code that reads something else than before: it depends on more than what it reads
            last: Any = {_ASKS: steps[at]} if at < len(steps) else verdict
            node = node.setdefault(_answer(roles, role, name), last)


def _answer(roles: dict[str, Thing], role: str, name: str) -> Any:
    value = roles[role].get(name)
    return repr(value) if isinstance(value, (list, dict)) else value


def _by_place(hexes: Any) -> dict[str, tuple[str, str]]:
    """What is printed on each hex: colour and string, in the order of the hexes."""
    printed = {
        str(place): (str(colour), str(code))
        for colour, by_places in (hexes.items() if isinstance(hexes, dict) else ())
        for places, code in (by_places.items() if isinstance(by_places, dict) else ())
        for place in (places if isinstance(places, (list, tuple)) else [places])
    }
    return dict(sorted(printed.items()))


def _with_all_places(hexes: Any) -> Any:
    """Hexes of one colour; one whose string is unread is plain, for its place is known."""
    if not isinstance(hexes, dict):
        return hexes
    return {places: "" if is_unread(code) else code for places, code in hexes.items()}


def _known(players: tuple[int, int] | None, rules: list[str] | None) -> dict[str, Any]:
    """What a method may ask of a game that has just begun, with some optional rules (None: all that
    there are), and as many players as there can be."""
    people = [None] * (players[1] if players else 4)
    options: Any = _Every() if rules is None else rules
    known = {
        "@optional_rules": options,
        "optional_rules": options,
        "@players": people,
        "players": people,
    }
    return known | (
        {"@units": _Every(), "@kits": _Every(), "@regionals": _Every()} if rules is None else {}
    )


class _Every(dict[Any, Any]):
    """Options of which every one is on."""

    def __contains__(self, _key: object) -> bool:
        return True

    def get(self, _key: Any, _default: Any = None) -> Any:
        """True, for every key."""
        return True
