"""Positions from game files of 18xx.games.

A file lists the players' actions. Their consequences are decided by the game's code, which is not
available here. Actions are therefore taken as they are, and consequences follow from the title's
data: a company that never operates again has left the map, a train that is bought or runs has begun
its phase. Everything else that may have changed the map is listed. Tiles and tokens that cannot lie
where the file says are left out and listed as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from platelayer.definitions.titles import position_text
from platelayer.exchange.losses import shown_by
from platelayer.foundation.door import parse_json, read_json
from platelayer.foundation.problems import CannotRun, Severity, split_pointer
from platelayer.foundation.resources import title_ids
from platelayer.foundation.text import listed
from platelayer.foundation.values import Frozen
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import GameMap
from platelayer.model.position import NEUTRAL, Lay, Placed, Position, Station
from platelayer.model.tile import WITH_SLOTS, Tile, rotate_tile
from platelayer.model.title import Title
from platelayer.pipeline.load import Reference, find
from platelayer.rules.positions import Named, check_position, hex_names
from platelayer.rules.replacement import successors


class ImportedPosition(Frozen, kw_only=True):
    """A position made from a game file, and notes on what the file lacks, one line each."""

    position: Position
    untold: tuple[str, ...]

    @property
    def text(self) -> str:
        """Text of the position's file."""
        return position_text(self.position)


def import_position(
    source: Path,
    reference: Reference | None = None,
    *,
    variant: str | None = None,
    at: int | None = None,
) -> ImportedPosition:
    """Return the position in a game file of 18xx.games, after all of its actions or after action
    `at`, as far as the file tells: tiles, tokens, homes of companies that have operated, phase.
    The position can always be drawn: impossible tiles and tokens are left out and listed.
    `reference` is the title; by default the shipped title of the same name, with the variant in
    the name.

    Raises CannotRun for a file that is not a game file, and for hexes that do not fit the map.
    """
    game = read_json(source, Game, MOST_BYTES)
    try:
        title = (
            _named(game, source) if reference is None else find(reference, variant=variant).title
        )
        position, untold = read_game(game, title, at=at)
    except NotAGame as error:
        raise CannotRun(f"{source}: {error}") from error
    return ImportedPosition(position=position, untold=untold)


def _named(game: Game, source: Path) -> Title:
    """Return the shipped title that a game names, with the variant given by the rest of the name:
    for "1824 Cisleithania", the matching variant on whose map the most tiles can lie; ties go to
    one for the game's number of players."""
    wanted = _letters(game.title or "")
    for title_id in title_ids():
        if _letters(title_id) == wanted:
            return find(title_id).title
    for title_id in title_ids():
        if wanted.startswith(_letters(title_id)):
            rest = wanted.removeprefix(_letters(title_id))
            variants = [
                entry.id
                for entry in find(title_id).title.variants
                if _letters(entry.id).startswith(rest)
            ]
            titles = [find(title_id, variant=variant).title for variant in variants]
            players = len(game.players or ())
            titles.sort(key=lambda title: players not in {count.players for count in title.players})
            if titles:
                return max(titles, key=lambda title: fits(game, title))
    raise CannotRun(
        f"title: {source} is of {game.title!r}, and no shipped title has that name; name the title"
    )


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def position_in_text(text: str, title: Title) -> ImportedPosition:
    """Return the position in the text of a game file of a known title. Raises CannotRun."""
    try:
        position, untold = read_game(parse_json(text, Game, name="game.json"), title)
    except NotAGame as error:
        raise CannotRun(str(error)) from error
    return ImportedPosition(position=position, untold=untold)


# Largest game file read: ten times the longest games of 18xx.games.
MOST_BYTES = 16 * 1024 * 1024

_Name = Annotated[str, Meta(max_length=100)]
_Id = Annotated[int, Meta(ge=-(10**9), le=10**9)] | float


class Route(Frozen):
    """A route of a train."""

    train: _Name | None = None
    hexes: Annotated[tuple[_Name, ...], Meta(max_length=400)] | None = None


class Action(Frozen, kw_only=True):
    """An action, with the fields that concern the map. A field means the same in every type of
    action."""

    type: _Name
    id: _Id | None = None
    entity: _Id | _Name | None = None
    entity_type: _Name | None = None
    action_id: _Id | None = None
    auto_actions: Annotated[tuple[Action, ...], Meta(max_length=200)] | None = None
    hex: _Name | None = None
    tile: _Name | None = None
    rotation: Annotated[int, Meta(ge=0, le=5)] | None = None
    city: _Name | None = None
    slot: Annotated[int, Meta(ge=0, le=99)] | None = None
    tokener: _Name | None = None
    train: _Name | None = None
    variant: _Name | None = None
    exchange: _Name | None = None
    routes: Annotated[tuple[Route, ...], Meta(max_length=60)] | None = None
    corporation: _Name | None = None
    minor: _Name | None = None
    shares: Annotated[tuple[_Name, ...], Meta(max_length=60)] | None = None

    @property
    def operator(self) -> str | None:
        """Company that acts; None for any other entity."""
        return str(self.entity) if self.entity_type in ("corporation", "minor") else None


class Game(Frozen, kw_only=True):
    """A game file."""

    title: _Name | None = None
    players: Annotated[tuple[object, ...], Meta(max_length=40)] | None = None
    actions: Annotated[tuple[Action, ...], Meta(max_length=20_000)] | None = None


# Actions of an operating company: its home is on the map by then.
_OPERATES = {"lay_tile", "place_token", "run_routes", "dividend", "buy_train", "pass"}
_BY_CODE = {
    "convert": "tokens may have been added or replaced",
    "split": "tokens may have moved to a new company",
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
# Number of runs of another company after which a company that no longer operates has left the game:
# between two turns of a company, another has at most two.
_GONE_AFTER = 3


class NotAGame(ValueError):
    """Raised for a game file that cannot be replayed, with a message in one line."""


def read_game(
    game: Game, title: Title, *, at: int | None = None
) -> tuple[Position, tuple[str, ...]]:
    """Return the position after action `at` of a game file (None: after the last one), and notes on
    what the file does not tell. The position can be drawn: pieces that cannot lie where the file
    says are left out and listed.

    Raises NotAGame for a file that is not a game file, for an action `at` that it does not have,
    and for a board that is not the title's.
    """
    if game.actions is None:
        raise NotAGame('not a game file of 18xx.games: it has no list of "actions"')
    if not title.maps:
        raise NotAGame(f"{title.id} has no map of its own")
    end = _end(game.actions, at)
    whole = [*_not_undone(game.actions)]
    past = whole if end == len(game.actions) else [*_not_undone(game.actions[:end])]
    # Later actions show which companies are still in play, and help to locate hexes named before.
    future = [(index, action) for index, action in whole if index >= end]
    for index, action in past:
        if action.type == "lay_tile" and None in (action.hex, action.tile, action.rotation):
            raise NotAGame(
                f'action {action.id or index} lays a tile, but lacks "hex", "tile" or "rotation"'
            )
    done = [action for _, action in (*past, *future)]
    board, named = _board(title, done)
    play = _Play(title, board, named.names, done)
    for number in range(len(past)):
        play.act(number)
    return _drawable(title, play.position(), play.untold())


def fits(game: Game, title: Title) -> int:
    """Return the number of tiles of a game that can lie where they were laid, on the best map of a
    title; -1 if no map fits."""
    try:
        return _board(title, [action for _, action in _not_undone(game.actions or ())])[1].possible
    except NotAGame:
        return -1


def _board(title: Title, done: Sequence[Action]) -> tuple[GameMap, Named]:
    """Return the map on which the most tiles can lie, and the game's names for its hexes. Raises
    NotAGame."""
    lays = dict.fromkeys(
        (str(action.hex), _lay(action)) for action in done if action.type == "lay_tile"
    )
    others = set()
    for action in done:
        of_token = _hex_of_city(action)
        if of_token is not None:
            others.add(of_token)
        for route in action.routes or ():
            others.update(name for name in route.hexes or () if _HEX.fullmatch(name))
    best = max(
        (
            (board, named)
            for board in title.maps
            if (named := hex_names(title, board, lays, others)) is not None
        ),
        key=lambda found: found[1].possible,
        default=None,
    )
    if best is not None:
        return best
    if lays or others:
        some = sorted({*(name for name, _ in lays), *others})[:12]
        raise NotAGame(
            f"it names too few hexes to tell where they are on the map of {title.id}: {listed(some)}"
        )
    return title.maps[0], Named({}, 0)


def _end(actions: Sequence[Action], at: int | None) -> int:
    if at is None:
        return len(actions)
    ids = [action.id for action in actions]
    if at not in ids:
        raise NotAGame(
            f"it has no action {at}; its actions are {ids[0] if ids else 0} to {ids[-1] if ids else 0}"
        )
    return ids.index(at) + 1


def _not_undone(actions: Sequence[Action]) -> Iterator[tuple[int, Action]]:
    """Yield the actions that count, with their indices in the file; nested actions follow the
    action that contains them.

    This is how the engine replays a file: "undo" reverts the last action, or all actions after the
    one that it names; "redo" reverts the last undo, unless another action came in between.
    """
    first = {action.id: index for index, action in reversed([*enumerate(actions)])}
    kept: list[int] = []
    undone = []
    for index, action in enumerate(actions):
        if action.type == "undo":
            target = action.action_id
            back = len(kept) - 1 if target is None else bisect_left(kept, first.get(target, -1) + 1)
            undone.append(kept[max(0, back) :])
            del kept[max(0, back) :]
        elif action.type == "redo":
            kept += undone.pop() if undone else ()
        elif action.type != "message":
            undone.clear()
            kept.append(index)
    for index in kept:
        yield index, actions[index]
        yield from ((index, nested) for nested in actions[index].auto_actions or ())


_COPY = re.compile(r"(.+)-\d+")


def _number(copy: str) -> str:
    """Return the number of a tile or the name of a train from the id of a copy: "57" from "57-2",
    the third copy."""
    match = _COPY.fullmatch(copy)
    return match[1] if match else copy


_HEX = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")


def _hex_of_city(action: Action) -> str | None:
    """Return the hex of a city that is printed on the map: "A10" for "A10-0-1"; otherwise None."""
    tile, _, _ = (action.city or "").rpartition("-")
    hex_id = _number(tile)
    return (
        hex_id
        if action.type in ("place_token", "remove_token") and _HEX.fullmatch(hex_id)
        else None
    )


def _lay(action: Action) -> Lay:
    return Lay(_number(str(action.tile)), action.rotation or 0)


class _Leaving(NamedTuple):
    """Numbers of two actions: a company's last operation, and the action by which the company has
    left the map."""

    last: int
    gone: int | None


class _Play:
    """The map while actions are replayed, with the title's ids. `done` has the actions of the whole
    game."""

    def __init__(
        self, title: Title, gamemap: GameMap, names: Mapping[str, str], done: Sequence[Action]
    ) -> None:
        self.title, self.gamemap, self.names, self.done = title, gamemap, names, done
        self.lays: dict[str, Lay] = {}
        self.shown: dict[str, Tile] = {hexagon.id: hexagon.tile for hexagon in gamemap.hexes}
        self.stops = {hex_id: [*range(len(tile.stops))] for hex_id, tile in self.shown.items()}
        self.hex_of: dict[str, str] = {}
        self.tokens: list[Placed] = []
        self.order = [phase.id for phase in title.phases]
        self.phase = 0
        self.notes: Counter[str] = Counter()
        # Companies by id and by the text of their tokens.
        with_tokens = [company for company in title.companies if company.has_charter]
        self.companies = {company.token_text: company for company in with_tokens}
        self.companies |= {company.id: company for company in with_tokens}
        self.trains = _trains(title)
        # Trains that were bought or have run, by id of the copy: the company, and the name of the
        # train in positions.
        self.held: dict[str, tuple[str, str]] = {}
        self.sold = set[str]()
        self.named = {
            face.name + train.id: f"{train.id} {face.name}"
            for train in title.trains
            for face in train.faces
            if len(train.faces) > 1
        }
        self.begun = set[str]()
        self.operating: str | None = None
        self.placing = Counter(str(a.tokener or a.entity) for a in done if a.type == "place_token")
        self.leaving = _leaving(done, self.companies)
        self.gone_at: dict[int | None, list[str]] = {}
        for name, leaves in self.leaving.items():
            self.gone_at.setdefault(leaves.gone, []).append(name)

    def act(self, number: int) -> None:
        """Apply the action with this number."""
        action, name = self.done[number], self.done[number].operator
        for gone in self.gone_at.get(number, ()):
            company = self.companies[gone].id
            if self._take_off(company):
                self.held = {c: held for c, held in self.held.items() if held[0] != company}
                self._note(
                    f"when {company}, which does not operate again, left: its tokens are taken off"
                )
        if name is not None and action.type in _OPERATES:
            self.operating = name
            if name not in self.begun:
                self.begun.add(name)
                self._begin(name, number)
        if action.type in _ACTS:
            _ACTS[action.type](self, action, number)
        elif action.type in _BY_CODE:
            self._note(f"what {action.type.replace('_', ' ')} did: {_BY_CODE[action.type]}")

    def _note(self, words: str) -> None:
        self.notes[words] += 1

    def _operates_after(self, number: int, name: str | None) -> bool:
        return self.leaving[name].last > number if name in self.leaving else False

    def _take_off(self, company: str) -> bool:
        before = len(self.tokens)
        self.tokens = [token for token in self.tokens if token.company != company]
        return len(self.tokens) < before

    def _begin(self, name: str, number: int) -> None:
        """Place the home tokens of a company that operates, if there is only one possible
        position."""
        company = self.companies.get(name)
        if company is None:
            self._note(f"the title has no company {name}: its tokens are neutral")
            return
        chosen = self.placing[name] > 0
        if len(company.homes) > 1 and not company.all_homes:
            if not chosen:
                self._note(f"which of its homes {company.id} began in")
            return
        for home in company.homes:
            tile = self.shown.get(home.hex)
            cities = (
                []
                if tile is None
                else [i for i, stop in enumerate(tile.stops) if stop.kind in WITH_SLOTS]
            )
            printed = self.stops.get(home.hex, ())
            if home.stop is not None and home.stop < len(printed):
                self._put(home.hex, printed[home.stop], None, company.id, number)
            elif len(cities) == 1:
                self._put(home.hex, cities[0], None, company.id, number)
            elif not chosen:
                self._note(f"in which city of {home.hex} {company.id} began")

    def _lay(self, action: Action, _: int) -> None:
        hex_id, lay = self.names.get(action.hex or ""), _lay(action)
        if lay.tile not in self.title.tile_by_id:
            lay = replace(lay, tile=shown_by(lay.tile, self.title.tile_by_id) or lay.tile)
        entry = self.title.tile_by_id.get(lay.tile)
        if hex_id is None or entry is None:
            where = action.hex if hex_id is None else hex_id
            what = "the map has no such hex" if hex_id is None else "the title has no such tile"
            self._note(f"tile {lay.tile} on {where}: {what}")
            return
        before, after = self.shown[hex_id], rotate_tile(entry.tile, lay.rotation)
        self.shown[hex_id] = after
        self.lays[hex_id] = lay
        self.hex_of = {tile: where for tile, where in self.hex_of.items() if where != hex_id}
        self.hex_of[str(action.tile)] = hex_id
        follows = successors(before, after)
        self.stops[hex_id] = [
            follows[stop] if stop < len(follows) else 0 for stop in self.stops[hex_id]
        ]
        moved = [token for token in self.tokens if token.hex == hex_id]
        self.tokens = [token for token in self.tokens if token.hex != hex_id]
        for token in moved:
            self._add(
                hex_id,
                follows[token.stop] if token.stop < len(follows) else 0,
                token.slot,
                token.company,
            )

    def _token(self, action: Action, number: int) -> None:
        tile_id, _, index = (action.city or "").rpartition("-")
        hex_id = self.hex_of.get(tile_id) or self.names.get(_hex_of_city(action) or "")
        cities = (
            []
            if hex_id is None
            else [i for i, s in enumerate(self.shown[hex_id].stops) if s.kind in WITH_SLOTS]
        )
        if hex_id is None or not re.fullmatch("[0-9]{1,2}", index) or int(index) >= len(cities):
            self._note(f"a token in {action.city}: there is no such city")
            return
        stop = cities[int(index)]
        if action.type == "remove_token":
            taken_off = (hex_id, stop, action.slot or 0)
            self.tokens = [
                token for token in self.tokens if (token.hex, token.stop, token.slot) != taken_off
            ]
            return
        name = action.tokener or action.operator
        if name is None and action.entity_type == "company" and self.operating is not None:
            name = self.operating
            self._note(
                f"whose token {action.entity} placed on {hex_id}: {name}, which was operating, is taken"
            )
        if name is None:
            self._note(f"whose token {action.entity} placed on {hex_id}")
            return
        company = self.companies.get(name)
        if company is None:
            self._note(
                f"the token of {name} on {hex_id}, which the title does not have: it is neutral"
            )
        self._put(hex_id, stop, action.slot, NEUTRAL if company is None else company.id, number)

    def _put(self, hex_id: str, stop: int, slot: int | None, company: str, number: int) -> None:
        """Place a token: in the slot of a company that makes room for it, in its own slot, or in
        the next free one if its own holds a token whose slot was a guess."""
        here = [token for token in self.tokens if (token.hex, token.stop) == (hex_id, stop)]
        if company != NEUTRAL and any(token.company == company for token in here):
            return  # a home, already placed here, which the file places as well
        stops = self.shown[hex_id].stops
        full = stop >= len(stops) or len(here) >= max(1, stops[stop].slots)
        what = "a neutral token" if company == NEUTRAL else f"the token of {company}"
        for token in here:
            if (full or token.slot == slot) and self._makes_room(token.company, company, number):
                self.tokens.remove(token)
                self.tokens.append(replace(token, company=company))
                self._note(f"on {hex_id} {what} replaced that of {token.company}")
                return
        if full:
            self._note(f"{what} on {hex_id} is left out: there is no free slot")
            return
        self._add(hex_id, stop, slot, company)

    def _makes_room(self, holder: str, company: str, number: int) -> bool:
        """Return True if the token of one company (`holder`) may have been replaced by that of
        another."""
        held, placing = self.title.company_by_id.get(holder), self.title.company_by_id.get(company)
        if held is None or self._operates_after(number, holder):
            return False
        reached = self.order[: self.phase + 1]
        minor = (
            held.kind is CompanyKind.MINOR
            and placing is not None
            and placing.kind is not CompanyKind.MINOR
        )
        return (
            minor
            or held.closes in reached
            or (holder in self.leaving and self.leaving[holder].gone is not None)
        )

    def _add(self, hex_id: str, stop: int, slot: int | None, company: str) -> None:
        here = [token for token in self.tokens if (token.hex, token.stop) == (hex_id, stop)]
        if company != NEUTRAL and any(token.company == company for token in here):
            return  # two cities with the company's tokens have become one
        taken = {token.slot for token in here}
        if slot is None or slot in taken:
            slot = next(free for free in range(len(here) + 1) if free not in taken)
        self.tokens.append(Placed(hex_id, stop, slot, company))

    def _exchange(self, action: Action, number: int) -> None:
        """Take off the token of a minor that is exchanged for a share."""
        company = (
            self.companies.get(action.operator or "") if action.entity_type == "minor" else None
        )
        if (
            company is not None
            and not self._operates_after(number, action.operator)
            and self._take_off(company.id)
        ):
            self._note(f"when {company.id} was exchanged for a share, its token was taken off")

    def _take_over(self, action: Action, number: int) -> None:
        """Merge two companies: the one that no longer operates leaves its tokens to the other."""
        survivor, absorbed = action.operator, action.minor or action.corporation
        if survivor is not None and self._operates_after(number, absorbed):
            survivor, absorbed = absorbed, survivor
        gone, stays = self.companies.get(absorbed or ""), self.companies.get(survivor or "")
        if gone is None or gone is stays or self._operates_after(number, absorbed):
            self._note(
                f"what {action.type.replace('_', ' ')} did: tokens may have been replaced or removed"
            )
            return
        left = [token for token in self.tokens if token.company == gone.id]
        if self._take_off(gone.id):
            whose = "are taken off" if stays is None else f"are shown as those of {stays.id}"
            self._note(
                f"what became of the tokens of {gone.id}, which was taken over: they {whose}"
            )
        for token in left if stays is not None else ():
            self._add(token.hex, token.stop, token.slot, stays.id if stays else NEUTRAL)

    def _train(self, action: Action, _: int) -> None:
        """Record the trains that a company buys, runs or discards, and the phases that they
        begin."""
        company = self.companies.get(action.operator or "")
        run = [route.train for route in action.routes or () if route.train]
        if action.type == "run_routes" and company is not None:
            # This was the last run of an obsolete train.
            for copy, (holder, name) in [*self.held.items()]:
                if holder == company.id and self._ended(self.title.faces_by_name[name].obsolete_on):
                    del self.held[copy]
        self.held.pop(action.exchange or "", None)
        for copy in filter(None, (action.train, *run)):
            name = _number((action.variant if copy == action.train else None) or copy)
            known = self.held.get(copy, ("", self.named.get(name, name)))[1]
            if action.variant and copy == action.train:
                known = self.named.get(name, name)
            face = self.title.faces_by_name.get(known)
            if action.type == "discard_train":
                self.held.pop(copy, None)
            elif company is not None and face is not None:
                if not (copy in run and self._ended(face.obsolete_on)):
                    self.held[copy] = (company.id, known)
            elif face is None:
                self._note(f"train {known}, which the title does not have")
        for train in filter(None, (action.variant, action.train, *run)):
            self.sold.add(_number(train))
            for place in self.trains.get(_number(train), ()):
                self.phase = max(self.phase, place)

    def _ended(self, ends: Collection[str]) -> bool:
        """Return True if one of these trains has been sold or one of these phases has begun."""
        return not {*self.sold, *self.order[: self.phase + 1]}.isdisjoint(ends)

    def _trains_held(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the companies with their trains that are not rusted."""
        held: dict[str, list[str]] = {}
        for holder, name in self.held.values():
            if not self._ended(self.title.faces_by_name[name].rusts_on):
                held.setdefault(holder, []).append(name)
        for company in self.title.companies:
            if company.id in held:
                yield company.id, tuple(sorted(held[company.id]))

    def position(self) -> Position:
        """Return tiles and tokens, hex by hex in the order of the map."""
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
            board=None if self.gamemap is self.title.maps[0] else self.gamemap.id,
            phase=self.order[self.phase] if self.order else None,
            tiles=tuple((hex_id, self.lays[hex_id]) for hex_id in order if hex_id in self.lays),
            tokens=tuple((hex_id, stations) for hex_id, stations in tokens.items() if stations),
            trains=tuple(self._trains_held()),
        )

    def untold(self) -> Iterator[str]:
        """Yield in words everything that the file leaves open."""
        for note, count in self.notes.items():
            yield note if count == 1 else f"{note} ({count} times)"
        if self.phase:
            yield "trains that the game discards or exports itself: the phase is that of the trains bought or run"
        if self.held:
            yield "trains that companies have without having bought or run them, and markers of private companies"


_ACTS: dict[str, Callable[[_Play, Action, int], None]] = {
    "lay_tile": _Play._lay,
    "place_token": _Play._token,
    "remove_token": _Play._token,
    "buy_train": _Play._train,
    "run_routes": _Play._train,
    "discard_train": _Play._train,
    "merge": _Play._take_over,
    "buy_corporation": _Play._take_over,
    "buy_shares": _Play._exchange,
}


def _trains(title: Title) -> dict[str, list[int]]:
    """Return the phases that trains begin, as indices in the order of phases, by name of the train.
    18xx.games refers to a train by its name, or by name and id ("3d") if several share the name."""
    begins: dict[str, list[int]] = {}
    for place, phase in enumerate(title.phases):
        for train in phase.begun_by:
            begins.setdefault(train, []).append(place)
    names: dict[str, set[str]] = {}
    for train_type in title.trains:
        for face in train_type.faces:
            for name in (train_type.id, face.name, face.name + train_type.id):
                names.setdefault(name, set()).add(train_type.id)
    whole = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
    return {
        name: begins[train]
        for name, train in (whole | {i: i for i in begins}).items()
        if train in begins
    }


def _leaving(done: Sequence[Action], companies: Iterable[str]) -> dict[str, _Leaving]:
    """Return the last operation of each company that operates at all, and the action by which it
    left the map, if it has. Runs of trains are counted: a company has one per operating round."""
    last = {
        a.operator: number for number, a in enumerate(done) if a.operator and a.type in _OPERATES
    }
    runs = [
        (number, a.operator)
        for number, a in enumerate(done)
        if a.operator and a.type == "run_routes"
    ]
    leaving = {}
    for company in companies:
        if company in last:
            later, gone = Counter[str](), None
            for number, name in runs[bisect_left(runs, (last[company] + 1, "")) :]:
                later[name] += 1
                if gone is None and later[name] == _GONE_AFTER - 1:
                    gone = number
            left = max(later.values(), default=0) >= _GONE_AFTER
            leaving[company] = _Leaving(last[company], gone if left else None)
    return leaving


def _drawable(
    title: Title, position: Position, untold: Iterable[str]
) -> tuple[Position, tuple[str, ...]]:
    """Return a position without its impossible tiles and tokens, in the first phase that allows its
    tiles; and the notes, with those left out."""
    notes = [*untold]
    phases = [phase.id for phase in title.phases]
    while problems := [p for p in check_position(title, position) if p.severity is Severity.ERROR]:
        if any(problem.code == "PO06" for problem in problems) and position.phase is not None:
            later = phases[phases.index(position.phase) + 1 :]
            position = replace(position, phase=later[0] if later else None)
            if not later:
                notes.append("the phase: none of the title allows all of these tiles")
            continue
        left_out = {tuple(split_pointer(problem.pointer)) for problem in problems}
        notes += [f"left out: {problem.message}" for problem in problems]
        tokens = (
            (
                hex_id,
                tuple(s for i, s in enumerate(here) if ("tokens", hex_id, str(i)) not in left_out),
            )
            for hex_id, here in position.tokens
        )
        position = replace(
            position,
            tiles=tuple(
                (hex_id, lay) for hex_id, lay in position.tiles if ("tiles", hex_id) not in left_out
            ),
            tokens=tuple((hex_id, here) for hex_id, here in tokens if here),
        )
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} more"]
    return position, tuple(notes)


_MOST_NOTES = 400
