"""Checks of positions: what may lie where, by the title's upgrades, box, phases and companies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem
from platelayer.foundation.suggestions import counted, listed, suggestion
from platelayer.model.gamemap import GameMap
from platelayer.model.position import NEUTRAL, Lay, Position, placed
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.play.codes import CODES
from platelayer.rules.graph import Spot, spots

WITH_SLOTS = (StopKind.CITY, StopKind.PASS, StopKind.OFFBOARD, StopKind.TOWN)
"""Stops that may hold tokens: some games have tokens in off-boards and towns, where nothing is
printed for them."""


def check_position(title: Title, position: Position) -> Iterator[Problem]:
    """Everything in a position that cannot be, with pointers into it; `title` has the position's
    variant applied."""
    gamemap = _map_of(title, position)
    if isinstance(gamemap, Problem):
        yield gamemap
        return
    yield from _names(title, position)
    yield from _lays(title, gamemap, position)
    yield from _box(title, position)
    yield from _tokens(title, gamemap, position)


def _problem(code: str, message: str, *keys: str | int, hint: str = "", about: str = "") -> Problem:
    return Problem(
        code=code,
        severity=CODES[code].severity,
        message=message,
        pointer=join_pointer(*keys),
        hint=hint,
        about=about,
    )


def _unknown(what: str, name: str, known: Iterable[str], *keys: str | int) -> Problem:
    return _problem(
        "PO01",
        f'there is no {what} "{name}"',
        *keys,
        hint=suggestion(name, known, most=3),
        about=name,
    )


def _map_of(title: Title, position: Position) -> GameMap | Problem:
    if not title.maps:
        return _problem(
            "PO01", f"{title.id} has no map of its own to lay tiles on", "title", about=title.id
        )
    try:
        return position.map_of(title)
    except KeyError:
        return _unknown("map", position.board or "", [gamemap.id for gamemap in title.maps], "map")


def _names(title: Title, position: Position) -> Iterator[Problem]:
    if position.phase is not None and position.phase not in title.phase_by_id:
        yield _unknown("phase", position.phase, title.phase_by_id, "phase")
    for number, train in enumerate(position.removed):
        if train not in title.train_by_id:
            yield _unknown("train", train, title.train_by_id, "removed", number)
    rows = title.market.rows if title.market is not None else ()
    for company, (row, column) in position.market:
        if company not in title.company_by_id:
            yield _unknown("company", company, title.company_by_id, "market", company)
        elif not (
            0 <= row < len(rows) and 0 <= column < len(rows[row]) and rows[row][column] is not None
        ):
            message = f"the market has no space in row {row}, column {column}"
            yield _problem(
                "PO01",
                message,
                "market",
                company,
                hint="rows and columns count from 0",
                about=company,
            )


def spots_of(title: Title, gamemap: GameMap) -> dict[str, Spot]:
    """The hexes of a map that may take tiles, by printed coordinates."""
    return {spot.hexagon.id: spot for spot in spots(title) if spot.board.id == gamemap.id}


def _lays(title: Title, gamemap: GameMap, position: Position) -> Iterator[Problem]:
    here = spots_of(title, gamemap)
    phase = title.phase_by_id.get(position.phase or "")
    for hex_id, lay in position.tiles:
        if hex_id not in gamemap.by_id:
            yield _unknown("hex", hex_id, gamemap.by_id, "tiles", hex_id)
            continue
        if lay.tile not in title.tile_by_id:
            yield _unknown("tile", lay.tile, title.tile_by_id, "tiles", hex_id)
            continue
        problem = judge_lay(here.get(hex_id), hex_id, lay)
        if problem is not None:
            yield problem
        colour = title.tile_by_id[lay.tile].tile.colour
        if phase is not None and colour in title.colours and colour not in phase.tiles:
            message = f"tile {lay.tile} on {hex_id} is {colour}; phase {phase.id} allows {listed(phase.tiles)}"
            yield _problem("PO06", message, "tiles", hex_id, about=hex_id)


def judge_lay(spot: Spot | None, hex_id: str, lay: Lay) -> Problem | None:
    """What is wrong with a tile on a hex, after any chain of upgrades; None if nothing is. `spot`
    None: the hex takes no tile."""
    if spot is None or lay.tile not in spot.alone:
        what = "takes no tile" if spot is None else f"cannot come to tile {lay.tile}"
        reached = [] if spot is None else sorted(spot.here)
        hint = f"it can come to {listed(reached)}" if 0 < len(reached) <= _LISTED else ""
        return _problem(
            "PO02", f"{hex_id} {what} by any upgrades", "tiles", hex_id, hint=hint, about=hex_id
        )
    if lay.rotation in spot.here.get(lay.tile, ()):
        return None
    turns = listed([f"{lay.tile} {turn}" for turn in spot.here.get(lay.tile, ())])
    hint = f"it can lie as {turns}" if turns else ""
    if lay.rotation in spot.alone[lay.tile]:
        message = f"tile {lay.tile} on {hex_id} leads off the map or into a closed side with rotation {lay.rotation}"
        return _problem("PO04", message, "tiles", hex_id, hint=hint, about=hex_id)
    message = (
        f"tile {lay.tile} cannot lie on {hex_id} with rotation {lay.rotation}: track would be lost"
    )
    return _problem("PO03", message, "tiles", hex_id, hint=hint, about=hex_id)


_LISTED = 24
"""The most tiles that a hint names."""


def _box(title: Title, position: Position) -> Iterator[Problem]:
    piece = {entry.tile.id: entry.back_of or entry.tile.id for entry in title.tiles}
    lying = Counter(piece[lay.tile] for _, lay in position.tiles if lay.tile in piece)
    last = {piece.get(lay.tile, lay.tile): hex_id for hex_id, lay in position.tiles}
    for number, count in lying.items():
        entry = title.tile_by_id[number]
        if not entry.unlimited and count > entry.count:
            message = f"tile {number} lies on {count} hexes; the box has {entry.count}"
            yield _problem("PO05", message, "tiles", last[number], about=number)


def _tokens(title: Title, gamemap: GameMap, position: Position) -> Iterator[Problem]:
    shown = position.on_hexes(title)
    count = Counter[str]()
    taken = set[tuple[str, int, int]]()
    index = Counter[str]()
    for token in placed(position):
        keys = ("tokens", token.hex, index[token.hex])
        index[token.hex] += 1
        if token.company != NEUTRAL:
            if token.company not in title.company_by_id:
                yield _unknown("company", token.company, title.company_by_id, *keys)
                continue
            count[token.company] += 1
        if token.hex not in gamemap.by_id:
            yield _unknown("hex", token.hex, gamemap.by_id, *keys)
            continue
        stops = shown[token.hex].stops
        stop = stops[token.stop] if token.stop < len(stops) else None
        slots = 0 if stop is None or stop.kind not in WITH_SLOTS else max(1, stop.slots)
        if token.slot >= slots:
            if stop is None:
                message = f"{token.hex} has no stop {token.stop} for a token of {token.company}"
                hint = f"it has {counted('stop', len(stops))}"
            else:
                message = f"stop {token.stop} of {token.hex} has no slot {token.slot} for a token of {token.company}"
                hint = f"it has {counted('slot', slots)}"
            yield _problem("PO07", message, *keys, hint=hint, about=token.hex)
        elif (token.hex, token.stop, token.slot) in taken:
            message = f"two tokens are in slot {token.slot} of stop {token.stop} of {token.hex}"
            yield _problem("PO07", message, *keys, about=token.hex)
        taken.add((token.hex, token.stop, token.slot))
    for company_id, number in count.items():
        stations = len(title.company_by_id[company_id].stations)
        if stations and number > stations:
            message = f"{company_id} has {number} tokens on the map, and {stations} stations"
            place = next(
                hex_id
                for hex_id, here in position.tokens
                if any(s.company == company_id for s in here)
            )
            yield _problem("PO08", message, "tokens", place, about=company_id)
