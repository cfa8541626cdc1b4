"""Faces of train cards: band, price, places, engine and note."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.kit.lettering import ink_height
from platelayer.drawing.kit.marks import MARK_MM, zone_mark
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import BLEED_MM
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.drawing.train.band import band_items
from platelayer.drawing.train.facts import phase_of, size_class
from platelayer.drawing.train.landscape import hill_items, rail_items
from platelayer.drawing.train.locomotive import COACH_CLASS, locomotive_items, locomotive_size
from platelayer.drawing.train.note import note_items
from platelayer.drawing.train.places import Places, PlaceTypes, place_items, told_items
from platelayer.drawing.train.spot import TALL_MM, FaceSpot, figures_of, zone_of
from platelayer.foundation.languages import FixedWords
from platelayer.scene.shapes import Anchor, Group, Item, translation
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, text_width

say = FixedWords("cards")

_TALLEST_CLASS = 6
_LEAST_ENGINE_MM = 2.5
_BESIDE_PRICE_MM = 1.5
_SIGN = 0.72
"""Size of the sign of those who alone may run a train, by the height of figures."""
_SLACK_MM = 0.3
_LEAST_PRICE = 0.36
"""Of the head, how much a price takes at least where it needs that."""
_PHASE_LEADING = 1.12
_ABOVE_NOTE_MM, _RAIL_MM = 1.4, 0.9
_LOWEST_RAIL = 0.87
"""How far down at most the rail lies, as a share of the face."""
_HILLS_MM = 10.0
"""The height of the hills where there is room for them."""
_LARGER = (1.3, 1.2, 1.1, 1.0)
"""Sizes of the type of places on tall faces: the largest in which the places of a title stand side by side."""


def face_items(spot: FaceSpot) -> tuple[Item, ...]:
    """A band in the phase's colour with the name, and the rest of the face beside it.

    Readable parts keep the insets; what is painted reaches beyond every side, for the caller to clip.
    """
    band, width = band_items(spot)
    return (*_beside(spot, width + 1.0), *band)


def _beside(spot: FaceSpot, edge: float) -> tuple[Item, ...]:
    """Price, places, engine and note from x = `edge` to the right. What stands at the head never moves; the engine has
    the room that the note leaves."""
    _, top, right, bottom = spot.insets
    style = spot.style
    x0, x1 = edge + 2.0 * min(1.0, spot.height / TALL_MM), spot.width - right
    low, apart = spot.height - bottom, 1.7 if spot.tall else 0.9
    head, down = _head(spot, x0, x1)
    places = _places(spot, x1 - x0)
    told, tall = place_items(spot.title, spot.train, spot.face, style, places)
    begins = top + down + min(apart, max(0.2, low - tall - top - down))
    high = begins + tall + apart
    try:
        note, long = note_items(spot.title, spot.face, style, width=x1 - x0, room=low - begins - tall, gap=apart)
    except DoesNotFit:
        told, tall = told_items(spot.title, spot.train, spot.face, style, x1 - x0)
        high = begins + tall + _LEAST_ENGINE_MM
        note, long = note_items(spot.title, spot.face, style, width=x1 - x0, room=low - begins - tall, gap=0.2)
    under = low - long - _ABOVE_NOTE_MM if long else low - _RAIL_MM
    rail = min(spot.height * _LOWEST_RAIL, under)
    room = rail - high + apart * 0.4
    items: list[Item] = []
    if room >= _LEAST_ENGINE_MM:
        if spot.tall:
            items += hill_items(edge, spot.width + BLEED_MM, rail + 0.15, min(1.0, room / _HILLS_MM), style)
        items += _engine(spot, rail, x0=x0, x1=x1, room=room)
        items += rail_items(edge, spot.width + BLEED_MM, rail, style)
    return (
        *items,
        *head,
        Group(items=told, matrix=translation(x0, begins)),
        Group(items=note, matrix=translation(x0, low - long)),
    )


def _places(spot: FaceSpot, width: float) -> Places:
    """The places of the title's cards, in the largest type in which they stand side by side."""
    label, chip = spot.scaled("train.label", 0.8), spot.scaled("train.chip", 0.72)
    for scale, beside in [(each, False) for each in _LARGER] if spot.tall else [(1.0, True), (1.0, False)]:
        types = PlaceTypes(label=label.at(label.size_pt * scale), chip=chip.at(chip.size_pt * scale))
        places = Places.of(spot.title, spot.style, types, width, beside=beside)
        if places.airy:
            break
    return places


def _head(spot: FaceSpot, x0: float, x1: float) -> tuple[tuple[Item, ...], float]:
    """The phase that the train begins at the left, the price at the right, between them the sign of those who alone may
    run it; and how far all that reaches down in mm."""
    style, top, room = spot.style, spot.insets[1], x1 - x0
    price, kind = spot.title.money(spot.face.price), spot.scaled("train.price", 0.6)
    row = ink_height(price, kind)[1]
    phase, small = _phase(spot)
    sign = zone_of(spot), figures_of(spot)
    beside = _BESIDE_PRICE_MM + (row * _SIGN + _BESIDE_PRICE_MM if None not in sign else 0.0)
    most = room - (text_width(phase, small) if phase else 0.0) - beside - _SLACK_MM
    kind = fit(price, kind, max(room * _LEAST_PRICE, most))
    lines = wrap_within(price, kind, room)
    low, rise = ink_height(price, kind)
    base = top + max(row, rise)
    down = base - top + (len(lines) - 1) * kind.size_mm - min(0.0, low)
    items = [*set_lines(lines, kind, style.ink("card.text"), x1, base, leading=1.0, anchor=Anchor.END)]
    taken = max(text_width(line, kind) for line in lines) + beside
    if (zone := sign[0]) is not None and (ink := sign[1]) is not None and spot.title.market is not None:
        cap = kind.cap_height_mm
        scale, at = cap / MARK_MM * _SIGN, x1 - taken + _BESIDE_PRICE_MM + cap * _SIGN / 2
        mark = zone_mark(spot.title.market.zones.index(zone), 0.0, 0.0, ink)
        items.append(Group(items=(mark,), matrix=(scale, 0.0, 0.0, scale, at, base - cap / 2)))
    if phase:
        words, first = wrap_within(phase, small, max(1.0, room - taken)), top
        if len(words) > 1 and max(text_width(part, small) for part in phase.split()) > room - taken:
            words, first = wrap_within(phase, small, room), top + down + _BESIDE_PRICE_MM / 2
        rises = max(rise_mm(phase, small), ink_height(phase, small)[1])
        items += set_lines(words, small, style.ink("card.soft"), x0, first + rises, leading=_PHASE_LEADING)
        down = max(down, first - top + rises + (len(words) - 1) * _PHASE_LEADING * small.size_mm)
    return tuple(items), down


def _phase(spot: FaceSpot) -> tuple[str, TypeStyle]:
    """Which phase the train begins, or from which it is sold, in words ("" for one that no phase speaks of), and their
    type."""
    kind = spot.scaled("train.label", 0.8)
    phase, told = spot.face.available_from, say("from_phase")
    if phase is None and spot.face is spot.train.faces[0]:
        phase, told = phase_of(spot.title, spot.train), say("starts_phase")
    if phase is None:
        return "", kind
    if phase != phase.upper():  # phases a to j are known by small letters
        kind = replace(kind, capitals=False, tracking=0)
    return spot.style.words(told, phase), kind


def _engine(spot: FaceSpot, rail: float, *, x0: float, x1: float, room: float) -> tuple[Item, ...]:
    """The engine on its rail; engines of a title are drawn to one scale, as large as the tallest allows."""
    size = size_class(spot.title, spot.face)
    full = x1 - x0 + (1.5 if spot.tall else 0.0)
    judged = size if size == COACH_CLASS else _TALLEST_CLASS
    full *= min(1.0, room / locomotive_size(judged, full)[1])
    long, _ = locomotive_size(size, full)
    place = translation(x0 + (x1 - x0 - long) / 2, rail)
    return (Group(items=locomotive_items(size, full, spot.style), matrix=place),)
