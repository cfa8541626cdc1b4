"""Problem codes of positions, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from platelayer.foundation.problems import Problem, Problems, join_pointer, severity_of
from platelayer.foundation.text import counted, listed, numbered, suggestion
from platelayer.model.gamemap import Coord, CoordinateScheme, GameMap
from platelayer.model.position import NEUTRAL, Lay, Position, placed
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.rules.graph import Spot, spots

# Checks of positions: permitted pieces, by the title's upgrades, box, phases and companies.


# Kinds of stops that may hold tokens: some games place tokens in off-boards and towns, where no
# slot is printed.
MAY_HOLD_TOKENS = (StopKind.CITY, StopKind.PASS, StopKind.OFFBOARD, StopKind.TOWN)


def check_position(title: Title, position: Position) -> Problems:
    """Yield everything impossible in a position, with pointers into it; `title` has the position's
    variant applied."""
    gamemap = _map_of(title, position)
    if isinstance(gamemap, Problem):
        yield gamemap
        return
    yield from _names(title, position)
    yield from _lays(title, gamemap, position)
    yield from _box(title, position)
    for company, amounts in position.markers:
        if company not in title.company_by_id:
            yield _unknown("company", company, title.company_by_id, "markers", company)
        for hex_id, _ in amounts:
            if hex_id not in gamemap.by_id:
                yield _unknown("hex", hex_id, gamemap.by_id, "markers", company, hex_id)
    shown = title.shown_in(position)
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
        slots = 0 if stop is None or stop.kind not in MAY_HOLD_TOKENS else max(1, stop.slots)
        if token.slot >= slots:
            if stop is None:
                message = f"{token.hex} has no stop {token.stop} for a token of {token.company}"
                hint = f"it has {numbered('stop', len(stops))}"
            else:
                message = f"stop {token.stop} of {token.hex} has no slot {token.slot} for a token of {token.company}"
                hint = f"it has {numbered('slot', slots)}"
            yield _problem("PO07", message, *keys, hint=hint, about=token.hex)
        elif (token.hex, token.stop, token.slot) in taken:
            message = f"two tokens are in slot {token.slot} of stop {token.stop} of {token.hex}"
            yield _problem("PO07", message, *keys, about=token.hex)
        taken.add((token.hex, token.stop, token.slot))
    for company_id, number in count.items():
        stations = len(title.company_by_id[company_id].stations)
        if stations and number > stations:
            message = f"{company_id} has {counted(number, 'token')} on the map, and {counted(stations, 'station')}"
            place = next(
                hex_id
                for hex_id, here in position.tokens
                if any(s.company == company_id for s in here)
            )
            yield _problem("PO08", message, "tokens", place, about=company_id)


def _problem(code: str, message: str, *keys: str | int, hint: str = "", about: str = "") -> Problem:
    return Problem(
        code, message, hint, severity=severity_of(code), pointer=join_pointer(*keys), about=about
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
            "PO01",
            f"{title.id} has no fixed map to lay tiles on",
            "title",
            hint="lay a random map on it with --atlas SEED" if title.atlas else "",
            about=title.id,
        )
    try:
        return title.map_of(position)
    except KeyError:
        return _unknown("map", position.board or "", [gamemap.id for gamemap in title.maps], "map")


def _names(title: Title, position: Position) -> Problems:
    if position.phase is not None and position.phase not in title.phase_by_id:
        yield _unknown("phase", position.phase, title.phase_by_id, "phase")
    for number, train in enumerate(position.removed):
        if train not in title.train_by_id:
            yield _unknown("train", train, title.train_by_id, "removed", number)
    known = title.faces_by_name
    for company, trains in position.trains:
        if company not in title.company_by_id:
            yield _unknown("company", company, title.company_by_id, "trains", company)
        for number, train in enumerate(trains):
            if train not in known:
                yield _unknown("train", train, known, "trains", company, number)
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
    """Return the hexes of a map on which tiles may be laid, by printed coordinates."""
    return {spot.hexagon.id: spot for spot in spots(title) if spot.board.id == gamemap.id}


def _lays(title: Title, gamemap: GameMap, position: Position) -> Problems:
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
    """Return the problem of a tile on a hex after any chain of upgrades, or None. With `spot` None,
    no tile may be laid on the hex."""
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


# Maximum number of tiles that a hint names.
_LISTED = 24


def _box(title: Title, position: Position) -> Problems:
    piece = {entry.tile.id: entry.back_of or entry.tile.id for entry in title.tiles}
    lying = Counter(piece[lay.tile] for _, lay in position.tiles if lay.tile in piece)
    last = {piece.get(lay.tile, lay.tile): hex_id for hex_id, lay in position.tiles}
    for number, count in lying.items():
        entry = title.tile_by_id[number]
        if not entry.unlimited and count > entry.count:
            message = (
                f"tile {number} lies on {counted(count, 'hex', 'hexes')}; the box has {entry.count}"
            )
            yield _problem("PO05", message, "tiles", last[number], about=number)


# Translation of hex names used by other programs.
# Programs and rulebooks label the same board in different ways: letters on rows or on columns,
# counted from different corners. A record of play does not say which scheme it uses, but only one
# scheme makes all of its tiles possible.


# Maximum number of tile lays that are tried; further ones add no information.
_MOST_LAYS = 2000


class Named(NamedTuple):
    """Our names of hexes, by those of another program, and the number of its lays that are possible
    there."""

    names: dict[str, str]
    possible: int


def hex_names(
    title: Title, gamemap: GameMap, lays: Collection[tuple[str, Lay]], others: Iterable[str]
) -> Named | None:
    """Return our names of the hexes that a record names: those of its `lays`, and `others`.

    Among the lettering schemes under which most names are on the map, the one that makes most lays
    possible is used; the map's own if no other makes more. None if no scheme places three quarters
    of the names, or if several make equally many lays possible.
    """
    named = sorted({*(name for name, _ in lays), *others})
    spots = spots_of(title, gamemap)
    best = []
    most = (3 * len(named) // 4, -1)
    for names in _ways(gamemap, named):
        if len(names) < most[0]:
            continue
        possible = 0
        for name, lay in islice(lays, _MOST_LAYS):
            if lay.tile in title.tile_by_id and name in names:
                possible += judge_lay(spots.get(names[name]), names[name], lay) is None
        if (len(names), possible) > most:
            best, most = [names], (len(names), possible)
        elif (len(names), possible) == most:
            best.append(names)
    own = {name: name for name in named if name in gamemap.by_id}
    if own in best:
        return Named(own, most[1])
    return Named(best[0], most[1]) if len(best) == 1 else None


def _ways(gamemap: GameMap, named: list[str]) -> list[dict[str, str]]:
    """Return every lettering scheme under which three quarters of the names are hexes of the map:
    those names, with our names."""
    ways: list[dict[str, str]] = []
    if 3 * len(named) // 4 > len(gamemap.hexes):
        return ways
    first = named[: len(named) // 4 + 1]  # at least one of these is on the map
    for axis in ("x", "y"):
        scheme = CoordinateScheme(letters_on=axis)
        places = {name: at for name in named if (at := scheme.parse(name)) is not None}
        corners = [places[name] for name in first if name in places]
        shifts = {
            (hexagon.at.x - at.x, hexagon.at.y - at.y)
            for hexagon in gamemap.hexes
            for at in corners
        }
        for dx, dy in sorted(shifts):
            here = {
                name: gamemap.by_coord.get(Coord(at.x + dx, at.y + dy))
                for name, at in places.items()
            }
            names = {name: spot.id for name, spot in here.items() if spot is not None}
            if names not in ways:
                ways.append(names)
    return ways
