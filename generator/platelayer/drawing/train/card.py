"""Train cards: one face, or several that are read by turning the card; and facts about trains that
other cards share.

A face has a band in the colour of its phase with the train's name. Beside the band are, from top to
bottom: phase and price; three slots of facts (end, rusts, trade-in); an engine in the remaining
room; and a note. Slots have the same columns on all cards of a title.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, chain, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.ground import box_path, letter_block, motif_items, rim_share
from platelayer.drawing.kit.icons import over_symbols
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    chip_block,
    flowed,
    in_row,
    line_block,
    line_path,
    paragraph,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import (
    Stamp,
    balanced,
    broken,
    ink_height,
    left_out,
    line_step,
    wrap_even,
    wrap_within,
)
from platelayer.drawing.kit.parts import (
    MARK_MM,
    tile_ink,
    zone_mark,
)
from platelayer.drawing.kit.style import BLEED_MM, Style, darkened
from platelayer.drawing.kit.surfaces import card_scene, trimmed
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.drawing.train.locomotive import (
    CLASSES,
    COACH_CLASS,
    engine_block,
    hill_items,
    locomotive_size,
    rail_items,
)
from platelayer.foundation.geometry import MM_PER_PT
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.tile import HEX_MM
from platelayer.model.title import Title
from platelayer.model.train import Reach, Train, TrainFace
from platelayer.scene.breaks import name_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Scene,
    Stroke,
    boxed,
    multiply,
    rotation,
    translation,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, drop_mm, fit, rise_mm, text_width

# Facts on train cards beyond the train's own data: colours, rusting, sizes of engine.


card_words = FixedWords("cards")

_ENDLESS = 1000
_PLAIN = "white"


def train_named(title: Title, name: str) -> Train | None:
    """Return the train with this id, or with a face of this name; None if there is none."""
    named = (train for train in title.trains if any(face.name == name for face in train.faces))
    return title.train_by_id.get(name) or next(named, None)


def called(title: Title, name: str) -> str:
    """Return the name by which other cards mention a train: the name of its only face, otherwise
    the given id."""
    train = title.train_by_id.get(name)
    return train.faces[0].name if train is not None and len(train.faces) == 1 else name


def cards_of(train: Train) -> str:
    """Return the number of cards of a train in the box: `5 + 2` if two are optional."""
    return f"{train.count} + {train.optional}" if train.optional else str(train.count)


def phase_of(title: Title, train: Train) -> str | None:
    """Return the id of the phase that a train begins: the stated one, otherwise the phase that says
    so, otherwise, for the first train, the first phase; None if the train begins none."""
    if train.starts is not None:
        return train.starts
    names = {train.id, *(face.name for face in train.faces)}
    for phase in title.phases:
        if names.intersection(phase.begun_by):
            return phase.id
    first = bool(title.trains) and title.trains[0].id == train.id
    return title.phases[0].id if first and title.phases else None


def band_colour(title: Title, train: Train, face: TrainFace | None = None) -> str:
    """Return the tile colour that keys a card: the stated one, otherwise that of the newest tiles
    in the phase that the train begins or, if it begins none, from which it is sold; otherwise
    white."""
    if train.colour is not None:
        return train.colour
    available = (face or train.faces[0]).available_from
    phase = title.phase_by_id.get(phase_of(title, train) or available or "")
    return phase.tiles[-1] if phase is not None and phase.tiles else _PLAIN


def colour_of_name(title: Title, name: str) -> str:
    """Return the tile colour that keys a train's name or, if there is no such train, a phase's
    name."""
    train = train_named(title, name)
    if train is not None:
        return band_colour(title, train)
    phase = title.phase_by_id.get(name)
    return phase.tiles[-1] if phase is not None and phase.tiles else _PLAIN


def price_of(title: Title, face: TrainFace) -> str:
    """Return the price of a train, "" for one that is handed out and never sold."""
    return title.money(face.price) if face.price else ""


def rusted_by(
    title: Title, train: Train, face: TrainFace, *, last_run: bool = False
) -> tuple[str, ...]:
    """Return the names of the trains that a face rusts or, with `last_run`, allows one last run:
    only those that list this face as their first cause."""
    names = {face.name}
    # On a card named after one of its trains, each train counts under that name (7 and E of 1822).
    if face is train.faces[0] or any(other.name == train.id for other in train.faces):
        names.add(train.id)
        phase = phase_of(title, train)
        # A name shared by a train and a phase refers to the train.
        if phase is not None and train_named(title, phase) is None:
            names.add(phase)
    rusting = [
        other.name
        for owner in title.trains
        for other in owner.faces
        if names.intersection((other.obsolete_on if last_run else other.rusts_on)[:1])
    ]
    return tuple(dict.fromkeys(rusting))


def ended_by(
    title: Title, train: Train, face: TrainFace
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return pairs (fixed word, names of trains) for the effects that the sale of a face has on
    other trains, consistent with those trains' own cards. Effects on no trains are omitted."""
    ended = (
        ("obsoletes", rusted_by(title, train, face, last_run=True)),
        ("rusts", rusted_by(title, train, face)),
    )
    return tuple((key, names) for key, names in ended if names)


def paying(face: TrainFace, style: Style) -> tuple[tuple[str, int], ...]:
    """Return pairs (kinds of stop in words, number of them that pay) for kinds of which only some
    pay. All other stops on the run pay."""
    return tuple(
        (_stops(reach, style), reach.pay)
        for reach in face.reach
        if reach.pay is not None and reach.in_part and not _is_skipped(reach, face)
    )


def multiplied(face: TrainFace, style: Style) -> tuple[tuple[str, int], ...]:
    """Return pairs (kinds of stop in words, multiplier) for kinds that pay a multiple of their
    value."""
    return tuple(
        (_stops(reach, style), reach.multiplier)
        for reach in face.reach
        if reach.multiplier > 1 and reach.pay != 0
    )


def skipped(face: TrainFace, style: Style) -> tuple[str, ...]:
    """Return, in words, the kinds of stop that a train may skip on its way; they pay where the
    train counts them."""
    return tuple(_stops(reach, style) for reach in face.reach if _is_skipped(reach, face))


def _is_skipped(reach: Reach, face: TrainFace) -> bool:
    """Return True if any number of these stops may be passed without pay, although some of the kind
    count."""
    counted = (set(other.stops) for other in face.reach if other.pay != 0)
    passed = reach.visit is None and reach.pay == 0
    return passed and any(stops.issuperset(reach.stops) for stops in counted)


def _stops(reach: Reach, style: Style) -> str:
    if {"city", "town", "offboard"} <= set(reach.stops):
        return style.words(card_words("any_stops"))
    kinds = [kind for kind in reach.stops if kind != "offboard" or "city" not in reach.stops]
    words = card_words.table("stops")
    return style.words(card_words("and")).join(style.words(words[kind]) for kind in kinds)


def size_class(title: Title, face: TrainFace) -> int:
    """Return the class of engine to draw. All classes are shared out among the trains of a title in
    order of their reach; a car that only extends another train's run is a coach."""
    if _is_coach(face):
        return COACH_CLASS
    sides = (side for train in title.trains for side in train.faces if not _is_coach(side))
    steps = sorted(set(map(_strength, sides)))
    return round(steps.index(_strength(face)) * (CLASSES - 1) / max(1, len(steps) - 1))


def _is_coach(face: TrainFace) -> bool:
    """Return True for a car that doubles a stop of another train's run (18EU), adds a single stop
    to it, or is handed out and has no limit (1822)."""
    visits = [reach.visit for reach in face.reach]
    if face.doubles or face.hexes is not None:
        return bool(face.doubles)
    if set(visits) == {None}:
        return not face.price
    return None not in visits and sum(each or 0 for each in visits) == 1


def _strength(face: TrainFace) -> int:
    if face.hexes is not None:
        return face.hexes
    paid = [reach for reach in face.reach if reach.pay != 0]
    cities = [reach for reach in paid if "city" in reach.stops] or paid
    counts = (
        [count for count in (reach.visit, reach.pay) if count is not None] for reach in cities
    )
    return max((min(count, default=_ENDLESS) for count in counts), default=_ENDLESS)


# Height above which a face has room for the title's name and a landscape.
_TALL_MM = 36.0
# Minimum width and height of a face with type at full size.
_FULL_SIZE_MM = (58.0, 44.0)
_FIGURE_CONTRAST = 4.8
# Height above which a face also has its name in corners, where it shows in a hand and below other
# cards; and the maximum width of the name there, if its smallest type allows.
_INDEXED_MM, _INDEX_MM = 18.0, 4.2
_LETTER_PT = 7.0
_DOT = " · "


class _Face(Frozen, kw_only=True):
    """A face, the box from (0, 0) that it is drawn in, and the inner part of the box for anything
    that must be readable."""

    title: Title
    train: Train
    face: TrainFace
    style: Style
    box: Box
    inner: Box

    @property
    def tall(self) -> bool:
        """True if there is room for more than the necessary parts."""
        return self.box.height > _TALL_MM

    @property
    def colour(self) -> str:
        """The tile colour of the band."""
        return band_colour(self.title, self.train, self.face)

    @property
    def letter(self) -> Stamp | None:
        """The letter of the band's colour, if the theme has one."""
        return letter_block(self.colour, self.style.type("tile.colour").at(_LETTER_PT), self.style)

    @property
    def zone(self) -> int | None:
        """Index of the market zone of the companies that alone may run the train, None if there is
        none."""
        market, who = self.title.market, self.face.who
        zones = market.zones if market is not None and who is not None else ()
        return next((number for number, zone in enumerate(zones) if zone.who == who), None)

    @property
    def figures(self) -> Ink | None:
        """Ink of the train's name on a plate of paper, dark enough to be readable there: the stated
        one, otherwise that of `zone`; None if the name is printed on the band."""
        colour = self.face.figures
        if not colour and self.zone is not None and self.title.market is not None:
            colour = self.title.market.zones[self.zone].colour
        if not colour:
            return None
        ground = self.style.ink("card.ground")
        return darkened(tile_ink(colour, self.style), ground, _FIGURE_CONTRAST, self.style.press)

    def scaled(self, name: str, least: float) -> TypeStyle:
        """Return a type style, reduced on a smaller face: on the smallest to `least` of its
        size."""
        type_style, (width, height) = self.style.type(name), _FULL_SIZE_MM
        scale = max(0.5, min(1, self.box.width / width, self.box.height / height))
        size = round(type_style.size_pt * (least + (1 - least) * (2 * scale - 1)), 1)
        return type_style.at(max(type_style.min_pt, size))


_INNER_MM = 1.3


def draw_train(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the card of train `piece_id`, in the title's size for trains. Raises KeyError for an
    unknown train.

    One face fills the card. Two lie head to head, so that a half turn of the card swaps them. A
    third lies at the right and is read after a quarter turn; with more, all faces form rows.
    """
    # Hide the prices of other trains, so that no card depends on them by accident.
    title = replace(title, trains=title.trains_beside(piece_id))
    train = title.train_of_card(piece_id)
    if piece_id != train.id and train.option is not None:
        noted = tuple(replace(face, note=train.option) for face in train.faces)
        train = replace(train, faces=noted)
    faces = train.sides[1 if back else 0]
    size = piece_size(title, "train", piece_id)
    card = trimmed(size)
    panels = _panels(len(faces), card)
    items: list[Item] = []
    for (place, turns), face in zip(panels, faces, strict=True):
        sides = zip(_sides(place), _sides(card), strict=True)
        at_trim = [abs(side - edge) < SLACK_MM for side, edge in sides]
        # The sides in reading orientation, starting with the left.
        read = at_trim[turns:] + at_trim[:turns]
        box = Box(0, 0, *(place[:1:-1] if turns % 2 else place[2:]))
        inner = _cut(box, [CARD_SAFE_MM if trim else _INNER_MM for trim in read])
        spot = _Face(title=title, train=train, face=face, style=style, box=box, inner=inner)
        # Painted areas extend beyond every side of a face; readable parts stay inside.
        band, edge = _band_items(spot)
        inside = (*_beside(spot, edge + 1.0), *band)
        left, top, right, foot = _sides(place)
        corner = ((left, top), (right, top), (right, foot), (left, foot))[turns]
        matrix = multiply(translation(*corner), rotation(90 * turns))
        clip = _cut(box, [-BLEED_MM if trim else 0 for trim in read]).path()
        items.append(Group(inside, matrix=matrix, clip=clip))
    # Dashes between faces would look like cuts.
    line = Stroke(style.ink("card.accent"), 0.25)
    items += [place.rule(line) for place, turns in panels[:-1] if turns == 0]
    strips = (place for place, turns in panels if turns == 1)
    items += [line_path((strip.x, strip.y), (strip.x, strip.foot), line) for strip in strips]
    label = f"{style.words(card_words('train'))} {' / '.join(face.name for face in faces)}"
    return card_scene(f"train:{piece_id}{':back' if back else ''}", label, size, items, style)


def _panels(count: int, card: Box) -> list[tuple[Box, int]]:
    """Return the parts of a card that show one face each, with the number of quarter turns of
    each."""
    if count not in (2, 3):
        return [(row, 0) for row in card.rows(*[0] * count)]
    strip_mm = [min(card.height * 0.48, card.width * 0.34)] if count == 3 else []
    halves, *strips = card.columns(0, *strip_mm)
    upper, lower = halves.rows(0, 0)
    return [(upper, 0), (lower, 2), *((strip, 1) for strip in strips)]


def _sides(box: Box) -> tuple[float, ...]:
    """Return the left, upper, right and lower side."""
    return box.x, box.y, box.right, box.foot


def _cut(box: Box, margins: Sequence[float]) -> Box:
    """Return the box inside margins at its left, upper, right and lower side."""
    left, top, right, foot = margins
    return Box(box.x + left, box.y + top, box.width - left - right, box.height - top - foot)


# The band with the train's name.


# How far the plate of a coloured name extends towards the trim, and its minimum distance from the
# end of the band.
_PLATE_MM, _PLATE_RIM_MM = 0.8, 1.3
# Maximum width of the band, as a share of the face.
_MOST_BAND = 0.33
_BESIDE_NAME_MM = 2.4
# Height of a name as a share of a tall face, which also has the title's name, and of a low one.
_TALL_SHARE, _LOW_SHARE = 0.66, 0.8
_ABOVE_TITLE_MM = 0.8
_BELOW_INDEX_MM = 1.2
_LETTER_GAP_MM = 0.4
# Gap between the letter of a colour and the name beside it.
_LETTER_BESIDE_MM = 1.2
_TITLE_LEADING = 1.1
_MOST_TITLE_LINES = 4
_NAME_LEADING = 1.06
_MOST_NAME_LINES = 3
# A name smaller than this takes another line if that enlarges it at least by this factor.
_SMALL_PT, _WORTH = 16.0, 1.3


def side_band(colour: str, card: Box, width: float, style: Style) -> Items:
    """Draw a band in a tile colour along the left side of a card, with that colour's pattern, and a
    double line beside it. It extends beyond the trim."""
    bled = card.inset(-BLEED_MM)
    band, line, _, hair, _ = bled.columns(width + BLEED_MM, 0.5, 0.35, 0.18, 0)
    items: list[Item] = [band.plate(tile_ink(colour, style))]
    pattern = style.theme.patterns.get(colour)
    if pattern is not None:
        rim = (band.right - pattern.rim_mm, band.y, band.right, band.foot)
        items.append(Group(motif_items(pattern, rim, 1), clip=box_path(rim)))
    dark = style.ink("card.accent")
    return (*items, line.plate(dark), hair.plate(dark))


def _band_items(spot: _Face) -> tuple[Items, float]:
    """Draw the band in the colour of the phase, with the train's name, very large, and below it the
    title's name if there is room. Return it with its width in mm. It extends beyond the trim,
    for the caller to clip."""
    style, title = spot.style, spot.title
    left, top, low, letter = spot.inner.x, spot.inner.y, spot.inner.foot, spot.letter
    # On a low face, the letter of the colour has its own line above the name.
    beneath_letter = top + (letter.height + _LETTER_GAP_MM if letter else 0)
    name_top = top if spot.tall else beneath_letter
    # Maximum height of a name if nothing else on the band is in its way.
    most_tall = (low - name_top) * (_TALL_SHARE if spot.tall else _LOW_SHARE)
    type_style, title_style = style.type("train.name"), style.type("train.title")
    # The band has the same width on all faces of this size in a title.
    names = dict.fromkeys(face.name for train in title.trains for face in train.faces)
    size = min(_filling_pt((name,), type_style, most_tall) for name in names)
    widest = max(text_width(name, type_style.at(size)) for name in names)
    rim = rim_share(spot.colour, style) * HEX_MM
    if spot.tall:
        smallest = title_style.at(title_style.min_pt)
        parts = name_parts(style.words(title.name))
        word = max(text_width(part, smallest) for part in parts)
        least = max(spot.box.width * 0.3, word + 2 * left)
    else:
        least = spot.box.width * 0.28
    band = min(spot.box.width * _MOST_BAND, max(least, widest + left + rim + _BESIDE_NAME_MM))

    figures = spot.figures
    items = [*side_band(spot.colour, spot.box, band, style)]
    ink, middle = readable_on(tile_ink(spot.colour, style)), (band - rim) / 2
    if figures is not None:
        # A plate of paper makes a coloured name readable on any phase's colour; it stays clear of
        # that colour's pattern and of other faces.
        sides = zip(_sides(spot.inner), _sides(spot.box), strict=True)
        out = [min(_PLATE_MM, abs(side - edge) - _PLATE_RIM_MM) for side, edge in sides]
        plate = _cut(spot.inner, [-each for each in out])
        plate = plate._replace(width=band - plate.x - max(_PLATE_RIM_MM, rim + 0.2))
        items.append(plate.plate(style.ink("card.ground"), radius=1.2))
        ink, middle = figures, plate.middle[0]
        left, low = max(left, plate.x + _PLATE_MM), min(low, plate.foot - _PLATE_MM)
    if letter is not None:
        items += over_symbols(letter.at(left + letter.width / 2, top + letter.height / 2))

    words: list[Item] = []
    if spot.tall:
        fitted = _title_lines(spot, band - 2 * left)
        if fitted is None:
            words += left_out(style.words(title.name), title_style, ink)
        else:
            small, lines = fitted
            block = text_block(lines, small, ink, leading=_TITLE_LEADING)
            low -= max(0.4, block.tails)
            words += block.paint(max(left, middle - block.width / 2), low - block.height)
            low -= block.height - small.cap_height_mm + small.size_mm + _ABOVE_TITLE_MM
            name_top = beneath_letter
    if spot.box.height > _INDEXED_MM:
        # Repeat the name, small, in the upper left corner, which stays visible under other cards.
        x, beside = (
            (left + letter.width + _LETTER_BESIDE_MM, letter.height) if letter else (left, 0.0)
        )
        narrow = fit(spot.face.name, style.type("train.index"), _INDEX_MM)
        index = line_block(spot.face.name, narrow, ink, band - left - x, rise=_top_mm)
        corner = Box(x, top, band - x, index.height + index.tails)
        words.append(corner.boxed(index.paint(x, top)))
        name_top += max(0, corner.height + _BELOW_INDEX_MM - beside)
    room = band - left - rim - _BESIDE_NAME_MM
    big, lines = _name_lines(spot.face.name, type_style, room, min(most_tall, low - name_top))
    name = text_block(lines, big, ink, leading=_NAME_LEADING, by_ink=True)
    x = max(left, middle - name.width / 2)
    words += name.paint(x, (name_top + low - name.height) / 2)
    return (*items, boxed(words, 0, 0, band, spot.box.height)), band


def _top_mm(text: str, type_style: TypeStyle) -> float:
    """Return the height of a line above its baseline: that of its capitals and Japanese, accents
    included. A lower sign (∞) counts as a capital, because print shops measure the line of
    letters, not the ink."""
    return max(rise_mm(text, type_style), ink_height(text, type_style.beside(text))[1])


def _filling_pt(lines: Sequence[str], type_style: TypeStyle, tall: float) -> float:
    """Return the size in points at which the ink of the lines is `tall` mm high."""
    unit = type_style.at(1 / MM_PER_PT)
    high, low = ink_height(lines[0], unit)[1], ink_height(lines[-1], unit)[0]
    steps = line_step(lines, unit, _NAME_LEADING) * (len(lines) - 1)
    return tall / (high - low + steps) / MM_PER_PT


def _name_lines(
    name: str, type_style: TypeStyle, room: float, tall: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    """Return the type and lines of the train's name, as large as its band allows; long names take
    several lines."""

    def size(lines: Sequence[str]) -> float:
        most = _filling_pt(lines, type_style, tall)
        return min(most, *(most * room / text_width(line, type_style.at(most)) for line in lines))

    best: tuple[str, ...] = (name,)
    for count in range(2, min(_MOST_NAME_LINES, len(name)) + 1):
        lines = broken(name, count)
        if size(best) < _SMALL_PT and size(lines) > size(best) * _WORTH:
            best = lines
    if size(best) < type_style.min_pt:
        counts = range(2, _MOST_NAME_LINES + 2)
        best = max((broken(name, count, anywhere=True) for count in counts), key=size)
    return type_style.at(round(size(best) - 0.05, 1)), best


def _title_lines(spot: _Face, room: float) -> tuple[TypeStyle, tuple[str, ...]] | None:
    """Return the type and lines of the title's name: two lines, or more if the name is too wide for
    two or would have a word broken. None if it is too long for the card, where it is not
    essential."""
    words, type_style = spot.style.words(spot.title.name), spot.style.type("train.title")
    ends = set(accumulate(len(part) for part in name_parts(words)))
    best: tuple[TypeStyle, tuple[str, ...]] | None = None
    for most in range(2, _MOST_TITLE_LINES + 1):
        small, lines = balanced(words, type_style, room, most)
        if max(text_width(line, small) for line in lines) > room + SLACK_MM:
            continue
        best = small, lines
        if set(accumulate(len(line.replace(" ", "")) for line in lines)) <= ends:
            break
    return best


# Everything beside the band.


# Minimum height and length of an engine; if there is less room, there is none.
_LEAST_ENGINE_MM, _LEAST_LONG_MM = 2.5, 8.0
# Length of the longest engine, and the minimum room at its ends.
_MOST_LONG_MM, _BESIDE_ENGINE_MM = 45.0, 1.2
# Gap between an engine and the words above it on a face that shares its card.
_ABOVE_ENGINE_MM = 0.8
# Class of the tallest engine, which determines the scale of all.
_TALLEST_CLASS = 6
_ABOVE_NOTE_MM, _RAIL_MM = 1.4, 0.9
# Lowest level of the rail, as a share of the face.
_LOWEST_RAIL = 0.87
# Full height of the hills, if there is room.
_HILLS_MM = 10.0
# Attempts at laying out slots: scale of the type, whether values stand beside their labels, and
# whether the face is laid out on its own. The first with airy slots is used.
_TALL_TRIES = tuple(
    (scale, beside, False) for scale in (1.3, 1.2, 1.1, 1.0) for beside in (True, False)
)
_LOW_TRIES = ((1.0, True, False), (1.0, True, True), (0.9, True, True), (1.0, False, False))


def _beside(spot: _Face, edge: float) -> Items:
    """Draw price, slots, engine and note from x = `edge` to the right. The head never moves; the
    engine gets the room that the note leaves."""
    style, tall, inner = spot.style, spot.tall, spot.inner
    x0, apart = edge + 2.0 * min(1, spot.box.height / _TALL_MM), 1.7 if tall else 0.9
    room = Box(x0, inner.y, inner.right - x0, inner.height)
    head, down = _head(spot, room)
    label, chip = spot.scaled("train.label", 0.8), spot.scaled("train.chip", 0.72)
    for scale, beside, own in _TALL_TRIES if tall else _LOW_TRIES:
        types = _SlotTypes(label.by(scale), chip.by(scale))
        slots = _slots(spot, types, room.width, beside=beside, own=own)
        if slots.airy:
            break
    facts = _slots_block(spot, slots)
    begins = room.y + down + min(apart, max(0.2, room.height - down - facts.height))
    high = begins + facts.height + apart
    try:
        note = _note_block(spot, room.width, room.foot - begins - facts.height, apart)
    except DoesNotFit:
        # Set the facts as running text in a narrow type if there are too many for chips.
        type_style, ink = spot.style.type("train.note.tight"), spot.style.ink("card.text")
        texts = []
        for fact in chain.from_iterable(_facts(spot.title, spot.train, spot.face, spot.style)):
            # A line must not begin with a dot.
            dot = _DOT.replace(" ", "\u00a0", 1)
            values = dot.join(f"{value.name} {value.tail}".strip() for value in fact.values)
            words = f"{fact.label} {values}".strip()
            leading = _LEADING
            text = paragraph(
                words, type_style, ink, room.width, leading=leading, rise=_top_mm, fill=False
            )
            # Leave room for descenders in the last line, and a gap before the next text.
            texts.append(stacked(text, max(_LINE_GAP_MM, text.tails + 0.05)))
        facts = stacked(*texts)
        high = begins + facts.height + _LEAST_ENGINE_MM
        note = _note_block(spot, room.width, room.foot - begins - facts.height, 0.2)
    under = note.height + _ABOVE_NOTE_MM if note.height else _RAIL_MM
    rail = min(spot.box.height * _LOWEST_RAIL, room.foot - under)
    free = rail - high + apart * 0.4
    items: list[Item] = []
    if free >= _LEAST_ENGINE_MM:
        end = spot.box.width + BLEED_MM
        if tall:
            items += hill_items(edge, end, rail + 0.15, min(1, free / _HILLS_MM), style)
        size = size_class(spot.title, spot.face)
        # Engines of a title have one scale, as large as the tallest allows. On low faces, each
        # fills its own room instead.
        full = min(_MOST_LONG_MM, spot.box.width - edge - 2 * _BESIDE_ENGINE_MM)
        tallest = size if size == COACH_CLASS or not tall else _TALLEST_CLASS
        clear = free if tall else free - _ABOVE_ENGINE_MM
        full *= min(1, max(0.1, clear) / locomotive_size(tallest, full, style)[1])
        engine = engine_block(size, full, style)
        if engine.width >= _LEAST_LONG_MM:
            middle = (edge + spot.box.width) / 2
            items += engine.paint(middle - engine.width / 2, rail - engine.height)
            if not tall:
                # Sleepers across the whole width would look like a cutting line.
                reach = engine.width / 2 + _BESIDE_ENGINE_MM
                items += rail_items(middle - reach, middle + reach, rail, style, sleepers=False)
        if tall:
            items += rail_items(edge, end, rail, style)
    foot = Box(x0, room.foot - note.height - _ABOVE_NOTE_MM, room.width, under)
    if spot.figures is not None and note.height:
        # The colour of the name shows who may run the train; repeat it on the note.
        bar = Box(foot.x - 1, foot.y + _ABOVE_NOTE_MM - 0.7, foot.width + 1, note.height + 0.9)
        items.append(bar.plate(spot.figures, radius=0.8))
    return (
        *items,
        boxed(head, x0, 0.0, room.width, begins),
        Box(x0, begins, room.width, facts.height).inset(0, -apart).boxed(facts.paint(x0, begins)),
        foot.boxed(note.paint(x0, foot.y + _ABOVE_NOTE_MM)),
    )


_BESIDE_PRICE_MM, _BESIDE_CORNER_MM = 2.0, 1.8
# Size of the sign for who may run a train, as a share of the height of the price.
_SIGN = 0.72
_SLACK_MM = 0.3
# Share of the head's width that a long price always gets; maximum share of a face's width for the
# name in the upper right corner.
_LEAST_PRICE, _MOST_CORNER = 0.36, 0.13
_PHASE_LEADING = 1.12
_CHIP_EMS = 1.16


def _head(spot: _Face, room: Box) -> tuple[Items, float]:
    """Draw the phase that the train begins at the left, the price at the right, and between them
    the sign of the companies that alone may run it. Return all this with its height in mm."""
    title, train, face, style = spot.title, spot.train, spot.face, spot.style
    top, x0, x1 = room.y, room.x, room.right
    # If the upper right corner is a corner of the card, a short name has a chip there too, for hands
    # fanned the other way.
    index = fit(face.name, spot.scaled("train.index", 0.7), _INDEX_MM)
    chip = chip_block(face.name, spot.colour, index, style)
    outer = (
        min(spot.inner.y, spot.box.right - spot.inner.right) > _INNER_MM + SLACK_MM
        and spot.box.height > _INDEXED_MM
    )
    has_chip = outer and chip.width <= _MOST_CORNER * spot.box.width
    if has_chip:
        x1 -= chip.width + _BESIDE_CORNER_MM
    width = x1 - x0
    price, big = price_of(title, face), spot.scaled("train.price", 0.6)
    # The phase that the train begins, or from which it is sold.
    phase, words = face.available_from, card_words("from_phase")
    begun = title.phase_by_id.get(phase_of(title, train) or "")
    names = begun.begun_by if begun is not None else ()
    # If a card has several trains, the one named by a phase begins it (1822: 2, behind L).
    beginner = next((each for each in train.faces if each.name in names), train.faces[0])
    if face is beginner and (phase is None or face.name in names):
        phase, words = phase_of(title, train), card_words("starts_phase")
    small = spot.scaled("train.label", 0.8)
    if phase is not None and phase != phase.upper():
        # Phases a to j keep their small letters.
        small = replace(small, capitals=False, tracking=0)
    ink, zone = spot.figures, spot.zone
    beside = _BESIDE_PRICE_MM
    if ink is not None and zone is not None:
        beside += ink_height(price, big)[1] * _SIGN + _BESIDE_PRICE_MM
    # Cards with several trains are sorted by a letter. It is on the first face, unless a train has
    # it as its name.
    lettered = len(train.id) == 1 and train.id.isalpha() and face is train.faces[0]
    lettered &= all(other.name != train.id for other in train.faces)
    letter = text_block((train.id,) if lettered else (), big, style.ink("card.accent"))
    own = letter.width + _BESIDE_PRICE_MM if lettered else 0
    # The letter may also name the phase.
    told = phase is None or (lettered and phase == train.id)
    begins = "" if told else style.words(words, phase)
    most = width - own - (text_width(begins, small) if begins else 0) - beside - _SLACK_MM
    # For a uniform look, the longest price of the title sets the type on all cards with one face.
    longest = price
    if len(train.faces) == 1:
        single = [other.faces[0].price for other in title.trains if len(other.faces) == 1]
        longest = max((price, *map(title.money, single)), key=len)
    figures = fit(longest, big, max(width * _LEAST_PRICE, most))
    lines = wrap_within(price, figures, width)
    amount = text_block(lines, figures, style.ink("card.text"), leading=1, align=Anchor.END)
    cap = figures.cap_height_mm
    # The chip is centred on the capitals of the price; the highest part sets the line's height.
    rises = [ink_height(price, big)[1], cap + amount.over, letter.height + letter.over]
    if has_chip:
        rises.append((chip.height + cap) / 2)
    base = top + max(rises)
    middle, down = base - cap / 2, base - cap + amount.height + amount.tails
    items = [*amount.paint(x1 - amount.width, base - cap)]
    if has_chip:
        items += chip.paint(room.right - chip.width, middle - chip.height / 2)
        down = max(down, top + chip.height)
    taken = amount.width + beside
    if ink is not None and zone is not None:
        scale, at = cap / MARK_MM * _SIGN, x1 - taken + _BESIDE_PRICE_MM + cap * _SIGN / 2
        mark = zone_mark(zone, 0, 0, ink)
        items.append(Group((mark,), matrix=(scale, 0.0, 0.0, scale, at, middle)))
    # The letter is level with the price, so that the order of sorted cards shows at a glance.
    items += letter.paint(x0, base - letter.height)
    down = max(down, base + letter.tails)
    left, narrow = x0 + own, width - taken - own
    if begins:
        rows, first = wrap_within(begins, small, max(1, narrow)), top
        if len(rows) > 1 and max(text_width(part, small) for part in begins.split()) > narrow:
            left, first = x0, down + _BESIDE_PRICE_MM / 2
            rows = wrap_within(begins, small, width)
        soft, rise = style.ink("card.soft"), _top_mm(begins, small)
        start, leading = Anchor.START, _PHASE_LEADING
        block = text_block(rows, small, soft, leading=leading, align=start, rise=lambda *_: rise)
        items += block.paint(left, first)
        down = max(down, first + block.height)
    return tuple(items), down - top


# Slots: end of the train, trains that it rusts, trade-ins.


_TAIL_GAP_MM = 0.9
# Gap between two values of a slot.
_BETWEEN_MM = 0.9
_COLUMN_GAP_MM = 2.4
_BELOW_LABEL_MM = 0.75
_LINE_GAP_MM = 0.55
_LEADING = 1.15


class _SlotTypes(NamedTuple):
    label: TypeStyle
    chip: TypeStyle

    @property
    def line(self) -> float:
        """Height of a line of chips."""
        return self.chip.size_mm * _CHIP_EMS


class _Value(Frozen, kw_only=True):
    """A train's name on a chip, with a price beside it."""

    name: str
    colour: str
    tail: str = ""

    def block(self, types: _SlotTypes, style: Style) -> Block:
        """Return the chip and the price on one line."""
        chip, ink = chip_block(self.name, self.colour, types.chip, style), style.ink("card.text")
        if self.tail:
            chip = in_row(chip, _TAIL_GAP_MM, text_block((self.tail,), types.chip, ink))
        return chip.sized(chip.width, types.line)


class _Fact(Frozen, kw_only=True):
    """A label and the trains that it is about; a label without trains is complete in itself."""

    label: str
    values: tuple[_Value, ...] = ()


class _Slots(Frozen, kw_only=True):
    """Layout of the slots on all train cards of a title, for a width: indices of the slots in use,
    and widths of their columns or, if they do not fit side by side, none: they are then rows one
    below the other. In `airy` slots, the values of each fit on one line; with `beside`, values
    stand beside their label."""

    width: float
    types: _SlotTypes
    used: tuple[int, ...]
    columns: tuple[float, ...] = ()
    airy: bool = False
    beside: bool = False


def _facts(
    title: Title, train: Train, face: TrainFace, style: Style
) -> tuple[tuple[_Fact, ...], ...]:
    """Return the facts in each of the three slots of a face."""

    def value(name: str, tail: str = "") -> _Value:
        return _Value(name=called(title, name), colour=colour_of_name(title, name), tail=tail)

    def fact(key: str, values: Iterable[_Value]) -> tuple[_Fact, ...]:
        values = tuple(values)
        return (_Fact(label=style.words(card_words(key)), values=values),) if values else ()

    ends = fact("obsolete_by", map(value, face.obsolete_on))
    ends += fact("rusted_by", map(value, face.rusts_on))
    traded = [value(trade.train, title.money(trade.price)) for trade in face.trade_ins]
    return (
        ends or (_Fact(label=style.words(card_words("permanent"))),),
        tuple(
            each
            for key, names in ended_by(title, train, face)
            for each in fact(key, map(value, names))
        ),
        fact("trade_in", traded),
    )


def _slots(spot: _Face, types: _SlotTypes, width: float, *, beside: bool, own: bool) -> _Slots:
    """Return slots that hold the facts of all trains of a title with this number of faces or, if
    `own`, of one face alone; values stand below their labels or beside them."""

    def least(fact: _Fact) -> float:
        values = (value.block(types, style).width for value in fact.values)
        return max([text_width(fact.label, types.label), *values])

    def wanted(fact: _Fact) -> float:
        row = math.fsum(value.block(types, style).width + _BETWEEN_MM for value in fact.values)
        label = text_width(fact.label, types.label)
        return label + row if beside else max(label, row - _BETWEEN_MM)

    title, style = spot.title, spot.style
    faces = [
        _facts(title, train, face, style)
        for train in ((spot.train,) if own else title.trains)
        for face in ((spot.face,) if own else train.faces)
        if len(train.faces) == len(spot.train.faces)
    ]
    used = tuple(index for index in range(3) if any(slots[index] for slots in faces))
    every = [[fact for slots in faces for fact in slots[index]] for index in used]
    wants = [max(map(wanted, facts)) for facts in every]
    needs = wants if beside else [max(map(least, facts)) for facts in every]
    spare = width - _COLUMN_GAP_MM * (len(used) - 1) - math.fsum(needs)
    if spare < 0:
        return _Slots(width=width, types=types, used=used)
    # Columns first grow towards their preferred width, each by the same share; the rest is divided
    # equally.
    more = math.fsum(wants) - math.fsum(needs)
    share = min(1, spare / more) if more > 0 else 0
    rest = max(0, spare - more) / len(used)
    columns = [low + (high - low) * share + rest for low, high in zip(needs, wants, strict=True)]
    return _Slots(
        width=width,
        types=types,
        used=used,
        columns=tuple(columns),
        airy=more <= spare + SLACK_MM,
        beside=beside,
    )


def _slots_block(spot: _Face, slots: _Slots) -> Block:
    """Lay out the facts of a face in the slots. Each slot has the same place on every card, even if
    empty."""
    types, style = slots.types, spot.style
    facts = _facts(spot.title, spot.train, spot.face, style)
    shown = [facts[index] for index in slots.used]
    start, line = Anchor.START, types.line
    if not slots.columns:
        rows = [
            stacked(
                *(_row(fact, types, style, slots.width, level=bool(fact.values)) for fact in slot),
                gap=_LINE_GAP_MM,
                align=start,
            )
            for slot in shown
        ]
        held = (replace(row, height=max(row.height, line)) for row in rows)
        return stacked(*held, gap=_LINE_GAP_MM, align=start)
    least = line if slots.beside else types.label.cap_height_mm + _BELOW_LABEL_MM + line
    hair = Stroke(style.ink("card.rule"), 0.12)
    valued = any(fact.values for slot in shown for fact in slot)
    columns = []
    for number, (slot, width) in enumerate(zip(shown, slots.columns, strict=True)):
        filled = partial(_row, level=valued) if slots.beside else _column
        # A slot may extend over empty slots after it.
        empty = takewhile(lambda each: not shown[each], range(number + 1, len(shown)))
        room = width + math.fsum(_COLUMN_GAP_MM + slots.columns[each] for each in empty)
        blocks = (filled(fact, types, style, room) for fact in slot)
        columns.append(replace(stacked(*blocks, gap=_LINE_GAP_MM, align=start), width=width))
    row = in_row(*columns, gap=_COLUMN_GAP_MM, level=0)
    # Slots without values need no minimum height, which leaves room for an engine.
    height = max(row.height, least if valued else 0)

    def paint(x: float, y: float) -> Items:
        """Draw the slots, and a line before each non-empty one except the first."""
        used = Box(x - _COLUMN_GAP_MM / 2, y - 0.3, slots.width, least + 0.3)
        grid = used.grid([width + _COLUMN_GAP_MM for width in slots.columns], [0])
        lines = (grid.upright(n, hair) for n, slot in enumerate(shown) if n and slot)
        return (*row.paint(x, y), *lines)

    return Block(row.width, height, paint)


def _column(fact: _Fact, types: _SlotTypes, style: Style, width: float) -> Block:
    """Lay out a label with its values below it."""
    label = _label(fact, types, style, width)
    if not fact.values:
        return label
    values = _flow((), fact.values, types, style, width)
    below = _BELOW_LABEL_MM + drop_mm(fact.label, types.label)
    return stacked(label, below, values, align=Anchor.START)


def _row(
    fact: _Fact, types: _SlotTypes, style: Style, width: float, *, level: bool = True
) -> Block:
    """Lay out a label with its values beside it, on as many lines as they need. With `level`, the
    label is level with values in other slots even if it has none itself."""
    label = _label(fact, types, style, width)
    if level:
        tall = label.height - rise_mm(fact.label, types.label) + types.line
        label = label.sized(label.width, tall)
    return _flow((label,), fact.values, types, style, width)


def _label(fact: _Fact, types: _SlotTypes, style: Style, width: float) -> Block:
    ink = style.ink("card.soft" if fact.values else "card.text")
    lines = wrap_within(fact.label, types.label, width)
    return text_block(lines, types.label, ink, leading=_LEADING, align=Anchor.START, rise=rise_mm)


def _flow(
    before: tuple[Block, ...],
    values: Sequence[_Value],
    types: _SlotTypes,
    style: Style,
    width: float,
) -> Block:
    """Lay out values after other blocks, on as many lines as they need. A value too wide for a line
    is set as words on several."""
    ink, blocks = style.ink("card.text"), [*before]
    for value in values:
        block = value.block(types, style)
        if block.width > width + SLACK_MM:
            words = f"{value.name} {value.tail}".strip()
            block = paragraph(words, types.chip, ink, width, leading=_LEADING, rise=rise_mm)
        blocks.append(block)
    return flowed(blocks, width + SLACK_MM, _BETWEEN_MM, _LINE_GAP_MM)


_NOTE_LEADING = 1.2
_NOTE_BETWEEN_MM = 0.5
_DESCENT = 0.25
_TOLERANCE_MM = 0.01


def _note_block(spot: _Face, width: float, room: float, gap: float) -> Block:
    """Lay out the lines at the foot of a face, in a narrower typeface if they do not fit otherwise.
    `room` is the height that the slots leave, `gap` the distance from the slots. Raises
    DoesNotFit."""
    face, style = spot.face, spot.style
    pays = style.words(card_words("pays"))
    texts = []
    for stops, count in paying(face, style):
        reach = style.words(card_words("pays_up_to" if count else "pays_none"), stops, count)
        texts.append(f"{pays} {reach}")
    for stops, times in multiplied(face, style):
        texts.append(f"{pays} {style.words(card_words('times'), stops, times)}")
    texts += [style.words(card_words("skips"), stops) for stops in skipped(face, style)]
    if face.hexes is not None:
        texts.append(style.words(card_words("runs_hexes"), face.hexes))
    if face.gauges:
        names = (style.words(card_words.table("gauges")[gauge]) for gauge in face.gauges)
        texts.append(
            style.words(card_words("on_gauges"), style.words(card_words("and")).join(names))
        )
    if face.salvage:
        texts.append(style.words(card_words("salvage"), spot.title.money(face.salvage)))
    if face.note is not None:
        texts.append(style.words(face.note))
    wide, ink = style.type("train.note"), style.ink("card.text")
    if spot.figures is not None:
        ink = spot.style.ink_on(spot.figures)
    kinds = [wide.at(wide.min_pt), style.type("train.note.tight")]
    joined = _DOT.join(texts)
    fitting = [each for each in kinds if text_width(joined, each) <= width]
    if len(texts) > 1 and fitting and not spot.tall:
        # Joining the texts saves a line, which leaves room for the engine.
        texts, kinds = [joined], fitting
    for type_style in kinds:
        blocks = []
        for text in texts:
            lines = wrap_even(text, type_style, width)
            high = max(
                _top_mm(lines[0], type_style), *(rise_mm(line, type_style) for line in lines)
            )
            start, leading = Anchor.START, _NOTE_LEADING
            block = text_block(
                lines,
                type_style,
                ink,
                width,
                leading=leading,
                align=start,
                rise=lambda *_, high=high: high,
            )
            blocks.append(stacked(block, _DESCENT * type_style.size_mm))
        note = stacked(*blocks, gap=_NOTE_BETWEEN_MM)
        if note.height <= room - (gap if texts else 0) + _TOLERANCE_MM:
            return note
    card = f"the card of {face.name} of {style.words(spot.title.name)}"
    message = f"train: what stands on {card} does not fit"
    raise DoesNotFit(message, "give train a larger size, or shorten the note")
