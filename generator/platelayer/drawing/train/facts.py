"""Facts on train cards beyond the train's own data: colours, what rusts what, sizes of engine."""

from __future__ import annotations

from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.locomotive import CLASSES, COACH_CLASS
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.model.train import Reach, Train, TrainFace

card_words = FixedWords("cards")

_ENDLESS = 1000
_PLAIN = "white"


def train_named(title: Title, name: str) -> Train | None:
    """The train with that id, or with a face of that name."""
    train = title.train_by_id.get(name)
    if train is not None:
        return train
    return next(
        (train for train in title.trains if any(face.name == name for face in train.faces)), None
    )


def called(title: Title, name: str) -> str:
    """What a train is called that others name by its id: the name on its card, if that has one
    alone."""
    train = title.train_by_id.get(name)
    return train.faces[0].name if train is not None and len(train.faces) == 1 else name


def cards_of(train: Train) -> str:
    """How many cards of a train are in the box: `5 + 2` where two are optional."""
    return f"{train.count} + {train.optional}" if train.optional else str(train.count)


def phase_of(title: Title, train: Train) -> str | None:
    """Id of the phase a train begins: as stated, else the phase that says so, else the first for
    the first train."""
    if train.starts is not None:
        return train.starts
    names = {train.id, *(face.name for face in train.faces)}
    for phase in title.phases:
        if names.intersection(phase.begun_by):
            return phase.id
    first = bool(title.trains) and title.trains[0].id == train.id
    return title.phases[0].id if first and title.phases else None


def band_colour(title: Title, train: Train, face: TrainFace | None = None) -> str:
    """The tile colour that keys a card: as stated, else the latest tiles of the phase that the
    train begins or, for one that begins none, from which it is sold, else white."""
    if train.colour is not None:
        return train.colour
    available = (face or train.faces[0]).available_from
    phase = title.phase_by_id.get(phase_of(title, train) or available or "")
    return phase.tiles[-1] if phase is not None and phase.tiles else _PLAIN


def colour_of_name(title: Title, name: str) -> str:
    """The tile colour that keys a train's name or, if there is no such train, a phase's name."""
    train = train_named(title, name)
    if train is not None:
        return band_colour(title, train)
    phase = title.phase_by_id.get(name)
    return phase.tiles[-1] if phase is not None and phase.tiles else _PLAIN


def rusted_by(title: Title, train: Train, face: TrainFace) -> tuple[str, ...]:
    """Names of the trains that a face rusts: those that name it first among what rusts them."""
    names = {face.name}
    if face is train.faces[0]:
        names.add(train.id)
        phase = phase_of(title, train)
        # A name that is both a train's and a phase's is the train's.
        if phase is not None and train_named(title, phase) is None:
            names.add(phase)
    rusting = [
        other.name
        for owner in title.trains
        for other in owner.faces
        if (other.rusts_on + other.obsolete_on)[:1]
        and (other.rusts_on + other.obsolete_on)[0] in names
    ]
    return tuple(dict.fromkeys(rusting))


def paying(face: TrainFace, style: Style) -> tuple[tuple[str, int], ...]:
    """(kinds of stop in words, how many of them pay) for kinds that pay only in part: all other
    stops on the run pay."""
    return tuple(
        (_stops(reach, style), reach.pay)
        for reach in face.reach
        if reach.pay is not None and reach.in_part and not _left_out(reach, face)
    )


def multiplied(face: TrainFace, style: Style) -> tuple[tuple[str, int], ...]:
    """(kinds of stop in words, how many times their value they pay) for kinds that pay more than
    their value."""
    return tuple(
        (_stops(reach, style), reach.multiplier) for reach in face.reach if reach.multiplier > 1
    )


def skipped(face: TrainFace, style: Style) -> tuple[str, ...]:
    """Kinds of stop in words that a train may leave out on its way: they pay where it counts
    them."""
    return tuple(_stops(reach, style) for reach in face.reach if _left_out(reach, face))


def _left_out(reach: Reach, face: TrainFace) -> bool:
    """Any number may be passed without pay, while others of the kind are counted."""
    counted = (other for other in face.reach if other.pay != 0)
    return (
        reach.visit is None
        and reach.pay == 0
        and any(set(reach.stops) <= set(other.stops) for other in counted)
    )


def _stops(reach: Reach, style: Style) -> str:
    kinds = [kind for kind in reach.stops if kind != "offboard" or "city" not in reach.stops]
    if {"city", "town"} <= set(kinds):
        return style.words(card_words("any_stops"))
    return style.words(card_words("and")).join(
        style.words(card_words.table("stops")[kind]) for kind in kinds
    )


def size_class(title: Title, face: TrainFace) -> int:
    """The engine to draw: trains of a title in order of how far they go share out all classes; a
    train that adds a single stop to another's run is a coach."""
    reach = _strength(face)
    if reach <= 1:
        return COACH_CLASS
    steps = sorted({_strength(side) for train in title.trains for side in train.faces} - {0, 1})
    return round(steps.index(reach) * (CLASSES - 1) / max(1, len(steps) - 1))


def _strength(face: TrainFace) -> int:
    cities = [reach for reach in face.reach if "city" in reach.stops] or list(face.reach)
    counts = (
        [count for count in (reach.visit, reach.pay) if count is not None] for reach in cities
    )
    return max((min(count, default=_ENDLESS) for count in counts), default=_ENDLESS)
