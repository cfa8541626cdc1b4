"""Rules on maps: track that leads nowhere, borders, off-boards, homes, isolated land and rivers."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.foundation.geometry import measured
from platelayer.foundation.problems import Problems, Severity, join_pointer
from platelayer.foundation.text import named
from platelayer.foundation.values import grouped
from platelayer.model.gamemap import EDGES, Border, MapHex, opposite
from platelayer.model.tile import JUNCTION, StopKind, stop_end
from platelayer.model.title import Title
from platelayer.rules.graph import Land, barred, lands, map_hexes
from platelayer.rules.rule import copies, finding, reached, rule

# The kind of border that suppresses the line.
_NO_BORDER = "none"


@rule("MP01", "track leads off the map", reads=("maps/./hexes",))
def track_off_map(title: Title) -> Problems:
    """Printed track or a stub on a map hex ends at an edge with no hex beyond it.

    Wrong: A2 in the top row of a flat map with "track": [[3, "stop:0"]].

    Right: "track": [[0, "stop:0"]]; or the hex that the track leads to.

    Source: tile edges are numbered 0 to 5 clockwise from the bottom (flat) or the lower left
    (pointy).
    """
    for land, hexagon in map_hexes(title):
        for edge, keys in _led_to(hexagon):
            if land.beyond(hexagon, edge) is None:
                yield finding(
                    land.pointer(hexagon, *keys),
                    f"{_what(keys)} of {hexagon.id} leads off the map at {land.edge_words(edge)}",
                    _open_edges(land, hexagon),
                )


@rule("MP02", "track leads into a blank side", reads=("colours", "maps/./hexes"))
def track_into_blank_side(title: Title) -> Problems:
    """Printed track or a stub on a map hex ends at an edge where the neighbour can never have
    track: at a red, blue or gray hex without track on that side, or at an impassable border.

    Wrong: a gray city with track to edge 4 beside a blue sea hex.

    Right: the sea hex has a port with track to that edge, or the city has no track to edge 4.

    Source: a route needs track on both sides of an edge; tiles are only laid on white hexes and on
    hexes of a colour that can be upgraded.
    """
    for land, hexagon in map_hexes(title):
        for edge, keys in _led_to(hexagon):
            other = land.beyond(hexagon, edge)
            if other is None:
                continue
            if barred(hexagon, edge) or barred(other, opposite(edge)):
                reason = f"the border to {other.id} is impassable"
            elif not land.opens(other, opposite(edge)):
                reason = f"{other.id} is {other.tile.colour} and has no track there"
            else:
                continue
            yield finding(
                land.pointer(hexagon, *keys),
                f"{_what(keys)} of {hexagon.id} is a dead end at {land.edge_words(edge)}: {reason}",
                _open_edges(land, hexagon),
            )


def _led_to(hexagon: MapHex) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield (edge, keys of what leads there) for the printed track, each edge once, and for the
    stubs."""
    seen = set()
    for index, segment in enumerate(hexagon.tile.track):
        for edge in segment.edges if segment.is_track else ():
            if edge not in seen:
                seen.add(edge)
                yield edge, ("track", index)
    for index, edge in enumerate(hexagon.stubs):
        yield edge, ("stubs", index)


def _what(keys: tuple[str, int]) -> str:
    return "a stub" if keys[0] == "stubs" else "track"


def _open_edges(land: Land, hexagon: MapHex) -> str:
    edges = [
        str(edge)
        for edge in EDGES
        if (other := land.beyond(hexagon, edge)) is not None
        and not barred(hexagon, edge)
        and land.opens(other, opposite(edge))
    ]
    return (
        f"track could continue at {'edge' if len(edges) == 1 else 'edges'} {', '.join(edges)}"
        if edges
        else ""
    )


@rule("MP03", "border that differs on its two sides", Severity.WARNING, reads=("maps/./hexes/+",))
def two_borders_on_an_edge(title: Title) -> Problems:
    """Both hexes at an edge have a border there, and the borders differ. A border is declared on
    one of its two hexes and applies to both; declared on both, it must be the same.

    Wrong: B3 has {"edge": 0, "kind": "river", "cost": 40}, and B5 below it {"edge": 3, "kind":
    "river", "cost": 20}.

    Right: one of the two alone.

    Source: the edge belongs to both hexes, and is crossed in both directions at the same cost.
    """
    for land, hexagon in map_hexes(title):
        for index, border in enumerate(hexagon.borders):
            other = land.beyond(hexagon, border.edge)
            # Check each edge once, from the first of its two hexes.
            if other is None or hexagon.at > other.at:
                continue
            for facing in other.borders:
                if facing.edge == opposite(border.edge) and _contradict(border, facing):
                    yield finding(
                        land.pointer(hexagon, "borders", index),
                        f'{hexagon.id} has the border "{border.kind}", cost {border.cost}, at '
                        f'{land.edge_words(border.edge)}, but {other.id} has the border "{facing.kind}", '
                        f"cost {facing.cost}, at its edge {facing.edge}",
                        "remove the wrong one: a border counts for both hexes",
                    )


def _contradict(border: Border, facing: Border) -> bool:
    """Return True if two borders on the same edge contradict each other. Different kinds may share
    an edge, but not with "none"; equal kinds at the same time must have the same cost."""
    if border.kind != facing.kind:
        return _NO_BORDER in (border.kind, facing.kind)
    return border.cost != facing.cost and (border.since, border.until) == (
        facing.since,
        facing.until,
    )


@rule("MP04", "off-board that nothing can enter", reads=("colours", "maps/./hexes"))
def closed_offboard(title: Title) -> Problems:
    """No track leads into an off-board: it has no track, or only track that nothing can connect to.
    Hexes that are `apart` are boxes beside the board and are not checked. Hexes whose off-boards
    share a group, or that are joined by a "none" border, are one area: one entrance is enough.

    Wrong: {"colour": "red", "stops": [{"kind": "offboard"}]} without track.

    Right: the same with "track": [[0, "stop:0"]], where the hex below is land.

    Source: an off-board is a terminus of routes.
    """
    for land in lands(title):
        areas = _areas(land)
        open_areas = {
            areas[hexagon.id] for hexagon in land.gamemap.hexes if _entered(land, hexagon, areas)
        }
        for hexagon in land.gamemap.hexes:
            stops = hexagon.tile.stops_of(StopKind.OFFBOARD)
            if stops and not hexagon.apart and areas[hexagon.id] not in open_areas:
                open_areas.add(areas[hexagon.id])
                yield finding(
                    land.pointer(
                        hexagon, *(("track",) if hexagon.tile.track else ("stops", stops[0]))
                    ),
                    f"nothing can enter the off-board {_named(hexagon)}: "
                    + (
                        "its track connects to nothing"
                        if hexagon.tile.track
                        else "no track leads to it"
                    ),
                    _open_edges(land, hexagon),
                )


def _areas(land: Land) -> dict[str, str]:
    """Return, for each off-board hex, the id of one of the hexes of its area."""
    offboards = [each for each in land.gamemap.hexes if each.tile.stops_of(StopKind.OFFBOARD)]
    beside: dict[str, set[str]] = {hexagon.id: set() for hexagon in offboards}
    groups = grouped(
        (group, hexagon.id)
        for hexagon in offboards
        for stop in hexagon.tile.stops
        for group in stop.groups
    )
    joined = [*groups.values()]
    for hexagon in offboards:
        for border in hexagon.borders:
            other = land.beyond(hexagon, border.edge)
            if border.kind == _NO_BORDER and other is not None and other.id in beside:
                joined.append([hexagon.id, other.id])
    for together in joined:
        for one in together:
            beside[one].update(together)
    return {one: min(reached([one], beside.__getitem__)) for one in beside}


def _entered(land: Land, hexagon: MapHex, areas: dict[str, str]) -> bool:
    """Return True if track from outside the area can lead to an off-board of this hex."""
    for stop in hexagon.tile.stops_of(StopKind.OFFBOARD):
        # Edges from which track leads to a stop, directly or via the junction.
        ends = [stop_end(stop)]
        if any(
            stop_end(stop) in segment.ends and JUNCTION in segment.ends
            for segment in hexagon.tile.track
        ):
            ends.append(JUNCTION)
        for segment in hexagon.tile.track:
            if not {*segment.ends}.isdisjoint(ends):
                for edge in segment.edges:
                    other = land.joined(hexagon, edge)
                    if other is not None and areas.get(other.id) != areas[hexagon.id]:
                        return True
    return False


@rule("MP05", "home without a name", Severity.WARNING, reads=("maps/./hexes/.",))
def unnamed_home(title: Title) -> Problems:
    """The home of a company has no name, so its charter can only print the coordinates.

    Wrong: "homes": [{"hex": "B3"}], with "B3": {"stops": [{"kind": "city"}]}.

    Right: "B3": {"name": "Northam", "stops": [{"kind": "city"}]}.

    Source: the charters and maps of published titles name home cities.
    """
    homes = grouped((home.hex, company.id) for company in title.companies for home in company.homes)
    for land, hexagon in map_hexes(title):
        has_name = hexagon.name is not None or any(
            stop.name is not None for stop in hexagon.tile.stops
        )
        if hexagon.id in homes and hexagon.tile.stops and not has_name:
            yield finding(
                land.pointer(hexagon),
                f"{hexagon.id}, the home of {', '.join(homes[hexagon.id])}, has no name",
                'give the hex a "name"',
            )


@rule("MP06", "disconnected land", Severity.WARNING, reads=("colours", "maps/./hexes"))
def disconnected_land(title: Title) -> Problems:
    """Hexes on which tiles may be laid are cut off from the rest of their map by sea, the rim or
    impassable borders: no route can ever lead there.

    Wrong: an island of two hexes with nothing but blue hexes around it.

    Right: a ferry printed on a blue hex; or no island.

    Source: every company builds outwards from its stations.
    """
    for land in lands(title):
        groups = [group for group in land.components() if any(map(land.buildable, group))]
        for group in groups[1:]:
            names = named(hexagon.id for hexagon in group)
            hexes = "1 hex is" if len(group) == 1 else f"{len(group)} hexes are"
            yield finding(
                land.pointer(group[0]),
                f"{hexes} cut off from the other {len(groups[0])} of the map: {names}",
                "look for an unwanted impassable border or a missing hex",
            )


def _named(hexagon: MapHex) -> str:
    return f"{hexagon.id} ({hexagon.name.get('en')})" if hexagon.name is not None else hexagon.id


@rule("MP07", "printed track that meets none", Severity.WARNING, reads=("maps/./hexes",))
def turned_away(title: Title) -> Problems:
    """Printed track without a stop does not meet the printed track that leads to its hex from a
    neighbour: the hex may be rotated wrongly. Hexes with stops are not checked, because an upgrade
    may connect them later.

    Wrong: "track": [[0, 2]] on P11, when the city of N11 above it has track to its bottom edge.

    Right: "track": [[1, 3]].

    Source: on published maps, printed track of neighbours connects.
    """
    for land, hexagon in map_hexes(title):
        exits = set(hexagon.tile.exits)
        if not exits or hexagon.tile.stops:
            continue
        leading = {
            edge: other.id
            for edge in EDGES
            if (other := land.beyond(hexagon, edge)) is not None
            and opposite(edge) in other.tile.exits
        }
        if leading and not exits & leading.keys():
            edge, leader = next(iter(leading.items()))
            yield finding(
                land.pointer(hexagon, "track"),
                f"the track of {hexagon.id} meets no other, though track of {leader} leads to its "
                f"{land.edge_words(edge)}",
                "edges are counted clockwise from the bottom (flat) or the lower left (pointy)",
            )


_SETTLED = (StopKind.CITY, StopKind.TOWN, StopKind.HALT)


@rule("MP08", "two places with one name", Severity.WARNING, reads=("maps/./hexes/+",))
def one_name_each(title: Title) -> Problems:
    """Two hexes with cities or towns have the same name. Off-boards, and stops that share a group,
    may have the same name on several hexes.

    Wrong: two towns with "name": "Farrow", one copied from the other.

    Right: a name for each; or a waiver, if there are two places of that name.

    Source: charters and rules refer to places by their names.
    """
    for land in lands(title):
        settled = [
            (hexagon.name, hexagon)
            for hexagon in land.gamemap.hexes
            if hexagon.tile.stops_of(*_SETTLED) and not hexagon.tile.stops_of(StopKind.OFFBOARD)
        ]
        for hexagon, other in copies(
            (name, hexagon) for name, hexagon in settled if name is not None
        ):
            if not _groups(hexagon) & _groups(other):
                yield finding(
                    land.pointer(hexagon, "name"),
                    f"{_named(hexagon)} has the same name as {other.id}",
                    "an entry may have been copied without its name",
                )


def _groups(hexagon: MapHex) -> set[str]:
    return {group for stop in hexagon.tile.stops for group in stop.groups}


_UNITS = (10, 5)
# Minimum number of amounts on a map from which a common unit can be inferred.
_ENOUGH = 6


@rule("MP09", "odd amount on a map", Severity.WARNING, reads=("maps/./hexes",))
def odd_amount(title: Title) -> Problems:
    """One value of a stop on a map, or one cost of terrain or borders, is not a multiple of 10 (or
    of 5), although all others are, and there are at least six.

    Wrong: a mountain for 12 on a map where others cost 120, 60 and 40.

    Right: 120.

    Source: amounts of a game have a common step, which suits its notes, its revenue chart and half
    dividends.
    """
    for land in lands(title):
        paid, spent = [], []
        for hexagon in land.gamemap.hexes:
            for number, stop in enumerate(hexagon.tile.stops):
                paid += [
                    (hexagon, ("stops", number, "revenue"), step.value) for step in stop.revenue
                ]
            for number, terrain in enumerate(hexagon.tile.terrain):
                spent.append((hexagon, ("terrain", number, "cost"), terrain.cost))
            spent += [
                (hexagon, ("borders", number, "cost"), border.cost)
                for number, border in enumerate(hexagon.borders)
            ]
        for what, amounts in (("pays", paid), ("costs", spent)):
            real = [entry for entry in amounts if entry[2]]
            for unit in _UNITS:
                odd = [entry for entry in real if entry[2] % unit]
                if len(odd) == 1 and len(real) > _ENOUGH:
                    hexagon, keys, amount = odd[0]
                    yield finding(
                        land.pointer(hexagon, *keys),
                        f"{_named(hexagon)} {what} {amount}; all others on the map are multiples of {unit}",
                        "a digit may be missing",
                    )
                    break


@rule("MP10", "border that is never there", Severity.WARNING, reads=("maps/./hexes/.", "phases"))
def border_of_no_time(title: Title) -> Problems:
    """A border disappears in the phase in which it appears, or in an earlier one.

    Wrong: {"edge": 5, "kind": "province", "since": "5", "until": "4"}.

    Right: "since": "4", "until": "5".

    Source: `since` and `until` are the phases between which the border is in force.
    """
    places = {phase.id: place for place, phase in enumerate(title.phases)}
    for land, hexagon in map_hexes(title):
        for index, border in enumerate(hexagon.borders):
            since, until = places.get(border.since or ""), places.get(border.until or "")
            if since is not None and until is not None and since >= until:
                yield finding(
                    land.pointer(hexagon, "borders", index),
                    f"the border at {land.edge_words(border.edge)} of {hexagon.id} appears in phase "
                    f"{border.since}, but disappears in phase {border.until}",
                    'swap "since" and "until"',
                )


# Colours of hexes in which a river may end: the sea, and land beyond the board.
_BEYOND = ("blue", "red")


@rule("MP11", "river that ends in a hex", Severity.WARNING, reads=("maps/./hexes", "maps/./rivers"))
def lost_river(title: Title) -> Problems:
    """A river ends in the middle of the land: neither on another river's course, nor on the rim of
    the map, nor at the sea.

    Wrong: "course": ["A1", "A3"], with hexes all round A3.

    Right: "course": ["A1", "A3", "A5", {"hex": "A5", "edge": 0}], with A5 at the lower rim.

    Source: rivers of maps flow into others, or leave the board.
    """
    for land in lands(title):
        gamemap, known = land.gamemap, land.gamemap.by_coord
        layout = gamemap.layout
        places = {
            river.id: [[measured(part) for part in at.point(layout, 1.0)] for at in river.course]
            for river in gamemap.rivers
        }
        for river in gamemap.rivers:
            end = river.course[-1]
            beside = [known.get(at) for at in end.touches(layout)]
            leaves = any(near is None or near.tile.colour in _BEYOND for near in beside)
            joins = any(
                places[river.id][-1] in others
                for other, others in places.items()
                if other != river.id
            )
            if not leaves and not joins:
                place = ("rivers", river.id, "course", len(river.course) - 1)
                yield finding(
                    join_pointer("maps", gamemap.id, *place),
                    f'river "{river.id}" ends in {known[end.at].id}',
                    "let it run on to an edge or corner on the rim or at the sea, or to a place of another "
                    "river's course",
                )
