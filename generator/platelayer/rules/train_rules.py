"""Rules on trains: rusting, supply and prices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import listed
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.rules.rule import rule
from platelayer.rules.sales import sale_times, trains_by_name


def _face(train: Train, number: int, *keys: str | int) -> str:
    """Pointer to a face: a train of one face has no list of faces."""
    faces = ("faces", number) if len(train.faces) > 1 else ()
    return join_pointer("trains", train.id, *faces, *keys)


def _faces(title: Title) -> Iterator[tuple[int, Train, int, TrainFace]]:
    """(place of the train in order of sale, the train, number of the face, the face)."""
    for place, train in enumerate(title.trains):
        for number, face in enumerate(train.faces):
            yield place, train, number, face


@rule("TR01", "train rusts before it is sold", reads=("phases", "trains"))
def rusts_too_early(title: Title) -> Iterator[Problem]:
    """A train rusts, or becomes obsolete, on its own first sale, on that of a train sold before it, or with a phase
    that begins before it is sold.

    Wrong: train "3" with "rusts_on": ["2"], or with its own name.

    Right: "rusts_on": ["6"].

    Source: trains are sold in the order of the definition (those available from a phase, from that phase on); whatever
    rusts a train comes after it.
    """
    times, trains = sale_times(title), trains_by_name(title)
    for _, train, number, face in _faces(title):
        for key, targets in (("rusts_on", face.rusts_on), ("obsolete_on", face.obsolete_on)):
            for index, target in enumerate(targets):
                names = (target,) if target in trains else title.phase_by_id[target].begun_by
                causes = [trains[name].id for name in names]
                begun = target not in trains and title.phase_by_id[target].begins is not None
                if begun or (causes and min(times[cause] for cause in causes) > times[train.id]):
                    continue
                cause = min(causes, key=times.__getitem__, default=None)
                how = "rusts" if key == "rusts_on" else "becomes obsolete"
                when = "its own first sale" if cause == train.id else "which is before it is sold"
                yield Problem(
                    pointer=_face(train, number, key, index),
                    about=train.id,
                    message=f'train "{face.name}" {how} on "{target}", {when}',
                    hint="name a later train",
                )


@rule("TR02", "train never on sale", reads=("phases", "trains"))
def never_sold(title: Title) -> Iterator[Problem]:
    """A train can never be bought: it has no cards; it is available only from a phase that its own sale begins, or that
    nothing begins; or it comes after a train whose supply never runs out.

    Wrong: train "4" with "available_from": "4", where phase 4 begins on train "4".

    Right: no "available_from": it goes on sale when the trains before it are sold out.

    Source: trains are sold in order; phases begin with the first sale of a train.
    """
    endless: str | None = None
    for train in title.trains:
        if train.printed == 0:
            yield Problem(
                pointer=join_pointer("trains", train.id, "count"),
                about=train.id,
                message=f'train "{train.id}" has no cards',
                hint="give it a count, or remove it",
            )
        waits = all(face.available_from is None for face in train.faces)
        if waits and endless is not None:
            yield Problem(
                pointer=join_pointer("trains", train.id),
                about=train.id,
                message=f'train "{train.id}" is never on sale: the supply of train "{endless}" before it is endless',
                hint='set "available_from", or move it before the other',
            )
        if train.unlimited and waits and endless is None:
            endless = train.id
        yield from _dead_phases(title, train)


def _dead_phases(title: Title, train: Train) -> Iterator[Problem]:
    trains = trains_by_name(title)
    for number, face in enumerate(train.faces):
        phase = face.available_from
        if phase is None or phase == title.phases[0].id:
            continue
        begun = title.phase_by_id[phase]
        causes = [trains[name].id for name in begun.begun_by]
        own = bool(causes) and set(causes) == {train.id}
        if begun.begins is not None or (causes and not own):
            continue
        reason = "which its own first sale begins" if own else "which no train begins"
        yield Problem(
            pointer=_face(train, number, "available_from"),
            about=train.id,
            message=f'train "{face.name}" is on sale only from phase {phase}, {reason}',
            hint="remove available_from, or name an earlier phase",
        )


@rule("TR03", "every train rusts", Severity.WARNING, reads=("trains",))
def all_rust(title: Title) -> Iterator[Problem]:
    """No train of the title is permanent, so companies could be left with no lasting train to buy.

    Wrong: three trains, each with "rusts_on".

    Right: the last with "permanent": true.

    Source: in published titles the last trains stay to the end of the game.
    """
    if title.trains and all(face.rusts_on or face.obsolete_on for train in title.trains for face in train.faces):
        yield Problem(
            pointer=join_pointer("trains", title.trains[-1].id),
            about=title.trains[-1].id,
            message=f"each of the {len(title.trains)} trains rusts; none is permanent",
            hint='give the last "permanent": true',
        )


@rule("TR04", "longer train costs less", Severity.NOTE, reads=("trains/+",))
def cheaper_though_longer(title: Title) -> Iterator[Problem]:
    """A train costs less than another although it goes at least as far in everything both count, and farther in
    something. Trains that count different kinds of stop are not compared, nor are trains that go on sale with a phase,
    alongside others.

    Wrong: a 4-train for 180 where the 3-train costs 200.

    Right: a 4-train for 300.

    Source: in published titles prices rise with reach.
    """
    faces = [face for face in _faces(title) if face[3].available_from is None]
    for (_, _, _, one), (_, train, number, other) in combinations(faces, 2):
        shorter, longer = (one, other) if _goes_farther(other, one) else (other, one)
        if _goes_farther(longer, shorter) and longer.price < shorter.price:
            yield Problem(
                pointer=_face(train, number, "price"),
                about=train.id,
                message=f'train "{longer.name}" costs {longer.price} and goes farther than "{shorter.name}" '
                f"for {shorter.price}",
                hint="one of the prices may be a mistake",
            )


def _goes_farther(one: TrainFace, other: TrainFace) -> bool:
    if [set(reach.stops) for reach in one.reach] != [set(reach.stops) for reach in other.reach]:
        return False
    pairs = [
        (_count(mine), _count(theirs))
        for first, second in zip(one.reach, other.reach, strict=True)
        for mine, theirs in ((first.visit, second.visit), (first.pay, second.pay))
    ]
    return all(mine >= theirs for mine, theirs in pairs) and any(mine > theirs for mine, theirs in pairs)


def _count(number: int | None) -> float:
    return float("inf") if number is None else number


@rule("TR05", "more stops pay than are visited", reads=("trains/.",))
def pays_beyond_its_reach(title: Title) -> Iterator[Problem]:
    """A train is paid for more stops of some kinds than it may visit.

    Wrong: {"stops": ["city"], "visit": 3, "pay": 4}.

    Right: "pay": 3; or null if every stop visited pays; or fewer, which the card then states.

    Source: `visit` and `pay` of a train's reach count the same stops.
    """
    for _, train, number, face in _faces(title):
        for index, reach in enumerate(face.reach):
            if reach.pay is not None and reach.visit is not None and reach.pay > reach.visit:
                yield Problem(
                    pointer=_face(train, number, "reach", index, "pay"),
                    about=train.id,
                    message=f'train "{face.name}" is paid for more stops ({reach.pay}) than it may visit '
                    f"({reach.visit}): {' and '.join(reach.stops)}",
                    hint='"pay" is "visit" or less; null pays for every stop visited',
                )


_COUNTS_AS = {StopKind.HALT: StopKind.TOWN}
"""Kinds of stop that trains have no number of their own for."""


@rule("TR06", "reach of stops that do not exist", Severity.WARNING, reads=("atlas", "maps", "tiles", "trains/."))
def stops_nowhere(title: Title) -> Iterator[Problem]:
    """Trains count a kind of stop that no map or tile has, so a part of their reach has no effect. This is reported
    once for all trains. A missing kind counted together with existing kinds is harmless.

    Wrong: {"stops": ["pass"], "visit": 2, "pay": 2} in a title without passes.

    Right: the same with a pass on the map or on a tile; or {"stops": ["city", "pass"], ...}.

    Source: trains run to stops on the map or on tiles laid there.
    """
    hexes = [hexagon.tile for gamemap in title.maps for hexagon in gamemap.hexes]
    hexes += printed_hexes(title.atlas) if title.atlas else ()
    tiles = (*hexes, *(entry.tile for entry in title.tiles))
    there = {_COUNTS_AS.get(stop.kind, stop.kind).value for tile in tiles for stop in tile.stops}
    if not there:
        return
    idle: dict[tuple[str, ...], list[tuple[Train, int, int, TrainFace]]] = {}
    for _, train, number, face in _faces(title):
        for index, reach in enumerate(face.reach):
            if not there.intersection(reach.stops):
                idle.setdefault(reach.stops, []).append((train, number, index, face))
    for stops, entries in idle.items():
        train, number, index, _ = entries[0]
        names = listed(dict.fromkeys(face.name for *_, face in entries), most=6)
        kinds = " or ".join(stops)
        yield Problem(
            pointer=_face(train, number, "reach", index, "stops"),
            about=train.id,
            message=f"no {kinds} is on a map or a tile, but trains count them: {names}",
            hint=f"the stops that there are: {', '.join(sorted(there))}",
        )


@rule("TR07", "trade-in that costs more", Severity.WARNING, reads=("trains/.",))
def dear_trade_in(title: Title) -> Iterator[Problem]:
    """A train costs more with a trade-in than without.

    Wrong: "price": 800, "trade_ins": [{"train": "4", "price": 900}].

    Right: "price": 1100, "trade_ins": [{"train": "4", "price": 800}].

    Source: an older train is handed in for a lower price.
    """
    for _, train, number, face in _faces(title):
        for index, trade in enumerate(face.trade_ins):
            if trade.price > face.price:
                yield Problem(
                    pointer=_face(train, number, "trade_ins", index, "price"),
                    about=train.id,
                    message=f"{face.name} costs {trade.price} with a {trade.train} traded in, more than the "
                    f"{face.price} without",
                    hint="the price of a trade-in is what is still paid",
                )
