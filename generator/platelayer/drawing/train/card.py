"""Train cards: one face, or several that you read by turning the card."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.ground import box_path, letter_block, motif_items
from platelayer.drawing.kit.icons import over_symbols
from platelayer.drawing.kit.lettering import (
    balanced,
    broken,
    evenly_broken,
    ink_height,
    left_out,
    line_step,
    one_line,
)
from platelayer.drawing.kit.parts import (
    MARK_MM,
    card_scene,
    chip_items,
    chip_width,
    ground,
    tile_ink,
    zone_mark,
)
from platelayer.drawing.kit.rich_text import Block, set_lines, wrap_even, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style, darkened
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.drawing.train.locomotive import (
    CLASSES,
    COACH_CLASS,
    hill_items,
    locomotive_items,
    locomotive_size,
    rail_items,
)
from platelayer.foundation.geometry import MM_PER_PT
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.market import Zone
from platelayer.model.title import Title
from platelayer.model.train import Reach, Train, TrainFace
from platelayer.scene.breaks import name_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Scene,
    Stroke,
    boxed,
    multiply,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, fit, rise_mm, set_line, text_width

# Facts on train cards beyond the train's own data: colours, what rusts what, sizes of engine.


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


_Insets = tuple[float, float, float, float]
"""How far readable parts keep from the left, top, right and bottom side, in mm."""

_TALL_MM = 36.0
"""From this height on a face has room for the title's name and a landscape."""
_FULL_SIZE_MM = (58.0, 44.0)
"""Width and height of a face whose type is set in full size."""
_FIGURE_CONTRAST = 4.8


class _FaceSpot(Struct, frozen=True, kw_only=True):
    """A face and the place it is drawn on: `width` x `height` mm, from (0, 0), with insets."""

    title: Title
    train: Train
    face: TrainFace
    style: Style
    width: float
    height: float
    insets: _Insets

    @property
    def tall(self) -> bool:
        """True where there is room for more than the necessary parts."""
        return self.height > _TALL_MM

    def scaled(self, name: str, least: float) -> TypeStyle:
        """A type style, smaller on a smaller face: on the smallest, `least` of its size."""
        type_style = self.style.type(name)
        scale = max(0.5, min(1.0, self.width / _FULL_SIZE_MM[0], self.height / _FULL_SIZE_MM[1]))
        return type_style.at(
            max(
                type_style.min_pt,
                round(type_style.size_pt * (least + (1 - least) * (2 * scale - 1)), 1),
            )
        )


_NOTE_LEADING = 1.2
_NOTE_BETWEEN_MM = 0.5
_DESCENT = 0.25
_TOLERANCE_MM = 0.01

_PLATE_MM, _PLATE_RIM_MM = 0.8, 1.3
"""How far the plate of coloured figures reaches towards the trim, and how far at least it ends
before the band does."""
_MOST_BAND = 0.33
"""Of a face, the widest band."""
_BESIDE_NAME_MM = 2.4
_LETTER_PT = 7.0
_TALL_SHARE, _LOW_SHARE = 0.66, 0.8
"""Height of a name as a share of a tall face, which bears the title's name, too, and of a low
one."""
_ABOVE_TITLE_MM = 0.8
_MOST_CORNER = 0.13
"""Of a face, the most that its name takes in the upper right corner."""
_BELOW_INDEX_MM = 1.2
_INDEXED_MM = 18.0
"""From this height on a face has its name in corners, too."""
_INDEX_MM = 4.2
"""The most that the name in a corner takes, if its smallest type allows: it shows in a hand and
below other cards."""
_LETTER_GAP_MM = 0.4
_TITLE_LEADING = 1.1
_MOST_TITLE_LINES = 4
_NAME_LEADING = 1.06
_MOST_NAME_LINES = 3
_SMALL_PT, _WORTH = 16.0, 1.3
"""A name that would be smaller than this is broken on one more line, if it becomes so much
larger."""

_CHIP_EMS = 1.16
_TAIL_GAP_MM = 0.9
_BETWEEN_MM = 0.9
"""Between two values of a place."""
_COLUMN_GAP_MM = 2.4
_BELOW_LABEL_MM = 0.75
_LINE_GAP_MM = 0.55
_LEADING = 1.15


class _PlaceTypes(Struct, frozen=True, kw_only=True):
    """Type of the places."""

    label: TypeStyle
    chip: TypeStyle


class _Value(Struct, frozen=True, kw_only=True):
    """A train's name on a chip, and a price beside it."""

    name: str
    ground: Ink
    tail: str = ""

    def width(self, types: _PlaceTypes) -> float:
        """Width in mm on one line."""
        tail = text_width(self.tail, types.chip) + _TAIL_GAP_MM if self.tail else 0.0
        return chip_width(self.name, types.chip) + tail


class _Fact(Struct, frozen=True, kw_only=True):
    """Words and the trains that they are about; words without trains stand for themselves."""

    label: str
    values: tuple[_Value, ...] = ()


_Place = tuple[_Fact, ...]

_TALLEST_CLASS = 6
_LEAST_ENGINE_MM, _LEAST_LONG_MM = 2.5, 8.0
"""The room for an engine, and its length, below which there is none."""
_BESIDE_PRICE_MM, _BESIDE_CORNER_MM = 1.5, 1.8
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
"""Sizes of the type of places on tall faces: the largest in which the places of a title stand side
by side."""

_INNER_MM = 1.3


class _Panel(Struct, frozen=True, kw_only=True):
    """The part of a card that shows one face: where its own upper left lies, how it is turned, its
    size, and how far each of its sides keeps clear."""

    matrix: Matrix
    width: float
    height: float
    insets: _Insets


def draw_train(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The card of train `piece_id`, in the title's size for trains. Raises KeyError for an unknown
    train.

    One face fills the card. Two lie head to head: the card is turned half round. A third lies on
    the right, read when the card is turned a quarter; further ones make rows.
    """
    train = title.train_of_card(piece_id)
    if piece_id != train.id and train.option is not None:
        train = replace(
            train, faces=tuple(replace(face, note=train.option) for face in train.faces)
        )
    faces = train.sides[1 if back else 0]
    size = piece_size(title, "train", piece_id)
    width, height = size.width_mm, size.height_mm
    panels = _panels(len(faces), width, height)
    items: list[Item] = [ground(width, height, BLEED_MM, style.ink("card.ground"))]
    for panel, face in zip(panels, faces, strict=True):
        spot = _FaceSpot(
            title=title,
            train=train,
            face=face,
            style=style,
            width=panel.width,
            height=panel.height,
            insets=panel.insets,
        )
        b = BLEED_MM
        reach = [b if inset == CARD_SAFE_MM else 0.0 for inset in panel.insets]
        clip = rectangle_path(
            -reach[0],
            -reach[1],
            panel.width + reach[0] + reach[2],
            panel.height + reach[1] + reach[3],
        )
        items.append(Group(items=_face_items(spot), matrix=panel.matrix, clip=clip))
    edge = Stroke(ink=style.ink("card.rule"), width_mm=0.2, dash=(0.9, 0.7))
    items += [
        Path(commands=(("M", *a), ("L", *b)), stroke=edge)
        for a, b in _seams(len(faces), width, height)
    ]
    label = f"{style.words(card_words('train'))} {' / '.join(face.name for face in faces)}"
    return card_scene(f"train:{piece_id}{':back' if back else ''}", label, width, height, items)


def _side(width: float, height: float) -> float:
    """Width in mm of the strip of a third face."""
    return min(height * 0.48, width * 0.34)


def _panels(count: int, width: float, height: float) -> Sequence[_Panel]:
    out, inn = CARD_SAFE_MM, _INNER_MM
    if count == 1:
        return (
            _Panel(
                matrix=translation(0, 0), width=width, height=height, insets=(out, out, out, out)
            ),
        )
    if count > 3:
        tall = height / count
        tops = [out, *([inn] * (count - 1))]
        bottoms = [*([inn] * (count - 1)), out]
        return [
            _Panel(
                matrix=translation(0, tall * row),
                width=width,
                height=tall,
                insets=(out, tops[row], out, bottoms[row]),
            )
            for row in range(count)
        ]
    side = _side(width, height) if count == 3 else 0.0
    wide, half = width - side, height / 2
    inner = inn if side else out
    turned = multiply(translation(wide, height), rotation(180))
    panels = [
        _Panel(matrix=translation(0, 0), width=wide, height=half, insets=(out, out, inner, inn)),
        _Panel(matrix=turned, width=wide, height=half, insets=(inner, out, out, inn)),
    ]
    if side:
        quarter = multiply(translation(width, 0), rotation(90))
        panels.append(
            _Panel(matrix=quarter, width=height, height=side, insets=(out, out, out, inn))
        )
    return panels


def _seams(count: int, width: float, height: float) -> Sequence[tuple[Point, Point]]:
    """Lines between the faces of a card."""
    if count == 1:
        return ()
    if count > 3:
        tops = [height * row / count for row in range(count + 1)]
        return [
            ((0.0, lower), (width, lower))
            for _, lower in pairwise(tops)
            if lower < height - SLACK_MM
        ]
    side = _side(width, height) if count == 3 else 0.0
    level = ((0.0, height / 2), (width - side, height / 2))
    return (level, ((width - side, 0.0), (width - side, height))) if side else (level,)


def _face_items(spot: _FaceSpot) -> tuple[Item, ...]:
    """A band in the phase's colour with the name, and the rest of the face beside it.

    Readable parts keep the insets; what is painted reaches beyond every side, for the caller to
    clip.
    """
    band, width = _band_items(spot)
    return (*_beside(spot, width + 1.0), *band)


def _beside(spot: _FaceSpot, edge: float) -> tuple[Item, ...]:
    """Price, places, engine and note from x = `edge` to the right. What stands at the head never
    moves; the engine has the room that the note leaves."""
    _, top, right, bottom = spot.insets
    style = spot.style
    x0, x1 = edge + 2.0 * min(1.0, spot.height / _TALL_MM), spot.width - right
    low, apart = spot.height - bottom, 1.7 if spot.tall else 0.9
    head, down = _head(spot, x0, x1)
    places = _places(spot, x1 - x0)
    told, tall = _place_items(spot.title, spot.train, spot.face, style, places)
    begins = top + down + min(apart, max(0.2, low - tall - top - down))
    high = begins + tall + apart
    try:
        note, long = _note_items(
            spot.title, spot.face, style, width=x1 - x0, room=low - begins - tall, gap=apart
        )
    except DoesNotFit:
        told, tall = _told_items(spot.title, spot.train, spot.face, style, x1 - x0)
        high = begins + tall + _LEAST_ENGINE_MM
        note, long = _note_items(
            spot.title, spot.face, style, width=x1 - x0, room=low - begins - tall, gap=0.2
        )
    under = low - long - _ABOVE_NOTE_MM if long else low - _RAIL_MM
    rail = min(spot.height * _LOWEST_RAIL, under)
    room = rail - high + apart * 0.4
    items: list[Item] = []
    if room >= _LEAST_ENGINE_MM:
        if spot.tall:
            items += hill_items(
                edge, spot.width + BLEED_MM, rail + 0.15, min(1.0, room / _HILLS_MM), style
            )
        items += _engine(spot, rail, x0=x0, x1=x1, room=room)
        items += rail_items(edge, spot.width + BLEED_MM, rail, style)
    return (
        *items,
        boxed(head, x0, 0.0, x1 - x0, begins),
        Group(items=told, matrix=translation(x0, begins), box=(0.0, -apart, x1 - x0, tall + apart)),
        Group(
            items=note,
            matrix=translation(x0, low - long),
            box=(0.0, -_ABOVE_NOTE_MM, x1 - x0, long),
        ),
    )


def _places(spot: _FaceSpot, width: float) -> _Places:
    """The places of the title's cards, in the largest type in which they stand side by side."""
    label, chip = spot.scaled("train.label", 0.8), spot.scaled("train.chip", 0.72)
    for scale, beside in (
        [(larger, False) for larger in _LARGER] if spot.tall else [(1.0, True), (1.0, False)]
    ):
        types = _PlaceTypes(
            label=label.at(label.size_pt * scale), chip=chip.at(chip.size_pt * scale)
        )
        places = _Places.of(spot.title, spot.style, types, width, beside=beside)
        if places.airy:
            break
    return places


def _head(spot: _FaceSpot, x0: float, x1: float) -> tuple[tuple[Item, ...], float]:
    """The phase that the train begins at the left, the price at the right, between them the sign of
    those who alone may run it; and how far all that reaches down in mm."""
    style, top, corner = spot.style, spot.insets[1], _corner(spot)
    right, x1 = x1, x1 - (corner[0] + _BESIDE_CORNER_MM if corner else 0.0)
    room = x1 - x0
    price, type_style = spot.title.money(spot.face.price), spot.scaled("train.price", 0.6)
    row = ink_height(price, type_style)[1]
    phase, small = _phase(spot)
    sign = _zone_of(spot), _figures_of(spot)
    beside = _BESIDE_PRICE_MM + (row * _SIGN + _BESIDE_PRICE_MM if None not in sign else 0.0)
    letter, big = _sorted_by(spot), type_style
    own = text_width(letter, big) + _BESIDE_PRICE_MM if letter else 0.0
    most = room - own - (text_width(phase, small) if phase else 0.0) - beside - _SLACK_MM
    type_style = fit(_longest_price(spot), type_style, max(room * _LEAST_PRICE, most))
    lines = wrap_within(price, type_style, room)
    low, rise = ink_height(price, type_style)
    chip_mm = (_CHIP_EMS * corner[1].size_mm + type_style.cap_height_mm) / 2 if corner else 0.0
    base = top + max(row, rise, chip_mm, ink_height(letter, big)[1] if letter else 0.0)
    down = base - top + (len(lines) - 1) * type_style.size_mm - min(0.0, low)
    items = [
        *set_lines(
            lines, type_style, style.ink("card.text"), x1, base, leading=1.0, anchor=Anchor.END
        )
    ]
    if corner:
        colour = tile_ink(band_colour(spot.title, spot.train, spot.face), style)
        items += chip_items(
            spot.face.name,
            colour,
            corner[1],
            right - corner[0],
            base - type_style.cap_height_mm / 2,
        )
        down = max(down, chip_mm + _CHIP_EMS * corner[1].size_mm / 2 - type_style.cap_height_mm / 2)
    taken = max(text_width(line, type_style) for line in lines) + beside
    if (
        (zone := sign[0]) is not None
        and (ink := sign[1]) is not None
        and spot.title.market is not None
    ):
        cap = type_style.cap_height_mm
        scale, at = cap / MARK_MM * _SIGN, x1 - taken + _BESIDE_PRICE_MM + cap * _SIGN / 2
        mark = zone_mark(spot.title.market.zones.index(zone), 0.0, 0.0, ink)
        items.append(Group(items=(mark,), matrix=(scale, 0.0, 0.0, scale, at, base - cap / 2)))
    if letter:
        # On the line of the price: cards that are sorted by it are seen to be in order at a glance.
        items += set_line(letter, big, style.ink("card.accent"), x0, base)
        down = max(down, base - top - min(0.0, ink_height(letter, big)[0]))
    left, narrow = x0 + own, room - taken - own
    if letter and letter == phase_of(spot.title, spot.train) and text_width(phase, small) > narrow:
        phase = ""  # the letter is the phase's, too
    if phase:
        words, first = wrap_within(phase, small, max(1.0, narrow)), top
        if len(words) > 1 and max(text_width(part, small) for part in phase.split()) > narrow:
            left, words, first = (
                x0,
                wrap_within(phase, small, room),
                top + down + _BESIDE_PRICE_MM / 2,
            )
        rises = max(rise_mm(phase, small), ink_height(phase, small)[1])
        items += set_lines(
            words, small, style.ink("card.soft"), left, first + rises, leading=_PHASE_LEADING
        )
        down = max(down, first - top + rises + (len(words) - 1) * _PHASE_LEADING * small.size_mm)
    return tuple(items), down


def _corner(spot: _FaceSpot) -> tuple[float, TypeStyle] | None:
    """Width and type of the chip with the name in the upper right corner, for hands that fan the
    other way; None where that is no corner of the card or the name too long."""
    _, top, right, _ = spot.insets
    outer = top == right == CARD_SAFE_MM and spot.height > _INDEXED_MM
    type_style = fit(spot.face.name, spot.scaled("train.index", 0.7), _INDEX_MM)
    wide = chip_width(spot.face.name, type_style)
    return (wide, type_style) if outer and wide <= _MOST_CORNER * spot.width else None


def _longest_price(spot: _FaceSpot) -> str:
    """The price that tells how large those of its sisters are printed, too: on cards of one face,
    that of all trains of the title."""
    own = spot.title.money(spot.face.price)
    if len(spot.train.faces) > 1:
        return own
    single = [train.faces[0].price for train in spot.title.trains if len(train.faces) == 1]
    return max((own, *map(spot.title.money, single)), key=len)


def _sorted_by(spot: _FaceSpot) -> str:
    """The letter by which cards are sorted that bear several trains, on the first face; "" where
    the name tells."""
    train, names = spot.train, {face.name for face in spot.train.faces}
    lettered = len(train.id) == 1 and train.id.isalpha() and train.id not in names
    return train.id if lettered and spot.face is train.faces[0] else ""


def _phase(spot: _FaceSpot) -> tuple[str, TypeStyle]:
    """Which phase the train begins, or from which it is sold, in words ("" for one that no phase
    speaks of), and their type."""
    type_style = spot.scaled("train.label", 0.8)
    phase, words = spot.face.available_from, card_words("from_phase")
    if phase is None and spot.face is spot.train.faces[0]:
        phase, words = phase_of(spot.title, spot.train), card_words("starts_phase")
    if phase is None:
        return "", type_style
    if phase != phase.upper():  # phases a to j are known by small letters
        type_style = replace(type_style, capitals=False, tracking=0)
    return spot.style.words(words, phase), type_style


def _engine(spot: _FaceSpot, rail: float, *, x0: float, x1: float, room: float) -> tuple[Item, ...]:
    """The engine on its rail, if it is long enough to be seen; engines of a title are drawn to one
    scale, as large as the tallest allows."""
    size = size_class(spot.title, spot.face)
    full = x1 - x0 + (1.5 if spot.tall else 0.0)
    judged = size if size == COACH_CLASS else _TALLEST_CLASS
    full *= min(1.0, room / locomotive_size(judged, full, spot.style)[1])
    long, _ = locomotive_size(size, full, spot.style)
    if long < _LEAST_LONG_MM:
        return ()
    place = translation(x0 + (x1 - x0 - long) / 2, rail)
    return (Group(items=locomotive_items(size, full, spot.style), matrix=place),)


def _places_items(title: Title, train: Train, face: TrainFace, style: Style) -> tuple[_Place, ...]:
    """What stands in each of the three places of a face."""

    def values(names: Iterable[str]) -> tuple[_Value, ...]:
        return tuple(
            _Value(name=called(title, name), ground=tile_ink(colour_of_name(title, name), style))
            for name in names
        )

    def told(words: Text, names: Sequence[str]) -> _Place:
        return (_Fact(label=style.words(words), values=values(names)),) if names else ()

    ends = told(card_words("obsolete_by"), face.obsolete_on) + told(
        card_words("rusted_by"), face.rusts_on
    )
    traded = tuple(
        replace(value, tail=title.money(trade.price))
        for trade in face.trade_ins
        for value in values([trade.train])
    )
    return (
        ends or (_Fact(label=style.words(card_words("permanent"))),),
        told(card_words("rusts"), rusted_by(title, train, face)),
        (_Fact(label=style.words(card_words("trade_in")), values=traded),) if traded else (),
    )


class _Places(Struct, frozen=True, kw_only=True):
    """Where the places are on all train cards of a title, for a width: the columns that its trains
    use, each with its x and width; or, where these do not stand side by side, rows one below the
    other (no columns). In `airy` places the values of each stand on one line; `beside` their label
    on low faces."""

    width: float
    types: _PlaceTypes
    airy: bool
    beside: bool
    columns: tuple[tuple[float, float], ...]
    used: tuple[int, ...]

    @staticmethod
    def of(
        title: Title, style: Style, types: _PlaceTypes, width: float, *, beside: bool = False
    ) -> _Places:
        """The places that hold what all trains of a title say, the values below their labels or
        beside them."""
        faces = [
            _places_items(title, train, face, style)
            for train in title.trains
            for face in train.faces
        ]
        used = tuple(index for index in range(3) if any(places[index] for places in faces))
        every = [[fact for places in faces for fact in places[index]] for index in used]
        wanted = [max(_wanted(fact, types, beside=beside) for fact in facts) for facts in every]
        least = (
            wanted if beside else [max(_least(fact, types) for fact in facts) for facts in every]
        )
        room = width - _COLUMN_GAP_MM * (len(used) - 1)
        if math.fsum(least) > room:
            return _Places(
                width=width, types=types, airy=False, beside=False, columns=(), used=used
            )
        spare = room - math.fsum(least)
        more = math.fsum(wanted) - math.fsum(least)
        share = min(1.0, spare / more) if more > 0 else 0.0
        rest = max(0.0, spare - more) / len(used)
        x, columns = 0.0, []
        for low, high in zip(least, wanted, strict=True):
            wide = low + (high - low) * share + rest
            columns.append((x, wide))
            x += wide + _COLUMN_GAP_MM
        return _Places(
            width=width,
            types=types,
            airy=more <= spare + SLACK_MM,
            beside=beside,
            columns=tuple(columns),
            used=used,
        )


def _least(fact: _Fact, types: _PlaceTypes) -> float:
    return max(
        [text_width(fact.label, types.label), *(value.width(types) for value in fact.values)]
    )


def _wanted(fact: _Fact, types: _PlaceTypes, *, beside: bool) -> float:
    row, label = (
        math.fsum(value.width(types) + _BETWEEN_MM for value in fact.values),
        text_width(fact.label, types.label),
    )
    return label + row if beside else max(label, row - _BETWEEN_MM)


def _told_items(
    title: Title, train: Train, face: TrainFace, style: Style, width: float
) -> tuple[tuple[Item, ...], float]:
    """What a face says in the places as running text in a narrow face: for cards with too much to
    say for chips."""
    type_style = style.type("train.note.tight")
    items: list[Item] = []
    y = 0.0
    for fact in (fact for place in _places_items(title, train, face, style) for fact in place):
        values = " · ".join(f"{value.name} {value.tail}".strip() for value in fact.values)
        lines = wrap_within(f"{fact.label} {values}".strip(), type_style, width)
        rise = max(
            rise_mm(lines[0], type_style), ink_height(lines[0], type_style.beside(lines[0]))[1]
        )
        step = line_step(lines, type_style, _LEADING)
        items += set_lines(
            lines,
            type_style,
            style.ink("card.text"),
            0.0,
            y + rise,
            leading=step / type_style.size_mm,
        )
        foot = -ink_height(lines[-1], type_style.beside(lines[-1]))[0] + 0.05
        y += rise + (len(lines) - 1) * step + max(_LINE_GAP_MM, foot)
    return tuple(items), max(0.0, y)


def _place_items(
    title: Title, train: Train, face: TrainFace, style: Style, places: _Places
) -> tuple[tuple[Item, ...], float]:
    """What a face says in the places, from (0, 0) down; and how high that is in mm."""
    types = places.types
    shown = [_places_items(title, train, face, style)[index] for index in places.used]
    items: list[Item] = []
    line = types.chip.size_mm * _CHIP_EMS
    if not places.columns:
        # Each place keeps its line on every card, whether it says something or not.
        y = 0.0
        for place in shown:
            begun = y
            for fact in place:
                block, tall = _row(fact, types, style, places.width, y)
                items += block
                y += max(tall, line) + _LINE_GAP_MM
            y = max(y, begun + line + _LINE_GAP_MM)
        return tuple(items), max(0.0, y - _LINE_GAP_MM)
    height = 0.0
    for place, (x, width) in zip(shown, places.columns, strict=True):
        y = 0.0
        for fact in place:
            if places.beside:
                block, tall = _row(fact, types, style, width + SLACK_MM, y)
                items.append(Group(items=block, matrix=translation(x, 0.0)))
            else:
                block, tall = _column(fact, types, style, (x, y, width))
                items += block
            y += tall + _LINE_GAP_MM
        height = max(height, y - _LINE_GAP_MM)
    least = line if places.beside else types.label.cap_height_mm + _BELOW_LABEL_MM + line
    height = max(height, least)
    hair = Stroke(ink=style.ink("card.rule"), width_mm=0.12)
    items += [
        Path(
            commands=(("M", x - _COLUMN_GAP_MM / 2, -0.3), ("L", x - _COLUMN_GAP_MM / 2, least)),
            stroke=hair,
        )
        for place, (x, _) in zip(shown[1:], places.columns[1:], strict=True)
        if place
    ]
    return tuple(items), height


def _column(
    fact: _Fact, types: _PlaceTypes, style: Style, at: tuple[float, float, float]
) -> tuple[tuple[Item, ...], float]:
    """A label with its values below it, within x, y and a width."""
    x, y, width = at
    ink = style.ink("card.soft") if fact.values else style.ink("card.text")
    rise = rise_mm(fact.label, types.label)
    items: list[Item] = [*set_line(fact.label, types.label, ink, x, y + rise)]
    if not fact.values:
        return tuple(items), rise
    block, tall = _flow(
        fact.values, types, style, width, lambda dy: (x, y + rise + _BELOW_LABEL_MM + dy)
    )
    return (*items, *block), rise + _BELOW_LABEL_MM + tall


def _row(
    fact: _Fact, types: _PlaceTypes, style: Style, width: float, y: float
) -> tuple[tuple[Item, ...], float]:
    """A label with its values beside it, on as many lines as they need."""
    ink = style.ink("card.soft") if fact.values else style.ink("card.text")
    lines = wrap_within(fact.label, types.label, width)
    rise, step = rise_mm(fact.label, types.label), _LEADING * types.label.size_mm
    tall = types.chip.size_mm * _CHIP_EMS if fact.values else rise
    base = y + (tall + rise) / 2
    items = [*set_lines(lines, types.label, ink, 0.0, base, leading=_LEADING)]
    after = (text_width(lines[-1], types.label) + _BETWEEN_MM) if lines else 0.0
    down = step * (len(lines) - 1)
    if not fact.values:
        return tuple(items), tall + down
    if after + fact.values[0].width(types) > width:
        after, down = 0.0, down + tall + _LINE_GAP_MM
    block, high = _flow(
        fact.values, types, style, width, lambda dy: (0.0, y + down + dy), first=after
    )
    return (*items, *block), down + high


def _flow(
    values: Sequence[_Value],
    types: _PlaceTypes,
    style: Style,
    width: float,
    place: Callable[[float], tuple[float, float]],
    *,
    first: float = 0.0,
) -> tuple[tuple[Item, ...], float]:
    """Values on as many lines as they need, the first beginning further in; `place` says where a
    line begins."""
    tall = types.chip.size_mm * _CHIP_EMS
    items: list[Item] = []
    x, y = first, 0.0
    for value in values:
        wide = value.width(types)
        if x > 0 and x + wide > width + SLACK_MM:
            x, y = 0.0, y + tall + _LINE_GAP_MM
        if wide > width + SLACK_MM:
            words = f"{value.name} {value.tail}".strip()
            lines = wrap_within(words, types.chip, width)
            left, top = place(y)
            ink, step = style.ink("card.text"), _LEADING * types.chip.size_mm
            items += set_lines(
                lines, types.chip, ink, left, top + rise_mm(words, types.chip), leading=_LEADING
            )
            x, y = 0.0, y + step * len(lines)
            continue
        left, top = place(y)
        middle = top + tall / 2
        items += chip_items(value.name, value.ground, types.chip, left + x, middle)
        if value.tail:
            at = left + x + chip_width(value.name, types.chip) + _TAIL_GAP_MM
            base = middle + types.chip.cap_height_mm / 2
            items += set_line(value.tail, types.chip, style.ink("card.text"), at, base)
        x += wide + _BETWEEN_MM
    return tuple(items), y + (tall if x > 0 else 0.0)


def _band_items(spot: _FaceSpot) -> tuple[tuple[Item, ...], float]:
    """The band in the colour of the phase, with the names; and how wide it is in mm. It reaches
    beyond the trim, for the caller to clip."""
    colour = tile_ink(band_colour(spot.title, spot.train, spot.face), spot.style)
    band = _width(spot)
    figures = _figures_of(spot)
    dark, tall = spot.style.ink("card.accent"), spot.height + 2 * BLEED_MM
    return (
        Path(commands=rectangle_path(-BLEED_MM, -BLEED_MM, band + BLEED_MM, tall), fill=colour),
        *(_plate(spot, band) if figures is not None else ()),
        *_told(spot, band),
        Path(commands=rectangle_path(band, -BLEED_MM, 0.5, tall), fill=dark),
        Path(commands=rectangle_path(band + 0.85, -BLEED_MM, 0.18, tall), fill=dark),
        *_name(spot, band, readable_on(colour) if figures is None else figures),
    ), band


def _plate(spot: _FaceSpot, band: float) -> tuple[Item, ...]:
    """A plate of paper on the band: coloured figures can be read there whatever the phase's
    colour."""
    left, top, _, bottom = (inset - _PLATE_MM for inset in spot.insets)
    width, height = band - left - _plate_rim(spot), spot.height - top - bottom
    return (
        Path(
            commands=rectangle_path(left, top, width, height, 1.2),
            fill=spot.style.ink("card.ground"),
        ),
    )


def _plate_rim(spot: _FaceSpot) -> float:
    """How far the plate ends before the band does, clear of the pattern of its colour."""
    pattern = spot.style.theme.patterns.get(band_colour(spot.title, spot.train, spot.face))
    return _PLATE_RIM_MM if pattern is None else max(_PLATE_RIM_MM, pattern.rim_mm + 0.2)


def _told(spot: _FaceSpot, band: float) -> tuple[Item, ...]:
    """The pattern and the letter of the band's colour, where the theme has them."""
    colour, style = band_colour(spot.title, spot.train, spot.face), spot.style
    pattern = style.theme.patterns.get(colour)
    if pattern is None:
        return ()
    box = (band - pattern.rim_mm, -BLEED_MM, band, spot.height + BLEED_MM)
    motif = Group(items=motif_items(pattern, box, 1.0), clip=box_path(box))
    sign = _letter(spot)
    if sign is None:
        return (motif,)
    left, top, _, _ = spot.insets
    return (motif, *over_symbols(sign.at(left + sign.width / 2, top + sign.height / 2)))


def _letter(spot: _FaceSpot) -> Block | None:
    colour = band_colour(spot.title, spot.train, spot.face)
    return letter_block(colour, spot.style.type("tile.colour").at(_LETTER_PT), spot.style)


def _top(spot: _FaceSpot) -> float:
    """Where a name may begin: on a low face, the letter of its colour takes a line of its own above
    it."""
    sign = None if spot.tall else _letter(spot)
    return spot.insets[1] + (sign.height + _LETTER_GAP_MM if sign else 0.0)


def _room(spot: _FaceSpot) -> float:
    """Height in mm that a name may fill where nothing else on the band is in its way."""
    return (spot.height - _top(spot) - spot.insets[3]) * (_TALL_SHARE if spot.tall else _LOW_SHARE)


def _width(spot: _FaceSpot) -> float:
    """Width in mm of the band: the same on all faces of this size of a title."""
    left, type_style, tall = spot.insets[0], spot.style.type("train.name"), _room(spot)
    names = dict.fromkeys(face.name for train in spot.title.trains for face in train.faces)
    most = min(_filling_pt((name,), type_style, tall) for name in names)
    wide = max(text_width(name, type_style.at(most)) for name in names)
    least = max(spot.width * 0.3, _title_width(spot) + 2 * left) if spot.tall else spot.width * 0.28
    return min(spot.width * _MOST_BAND, max(least, wide + left + _BESIDE_NAME_MM))


def _filling_pt(lines: Sequence[str], type_style: TypeStyle, tall: float) -> float:
    """The size in points at which the ink of lines is `tall` mm high."""
    unit = type_style.at(1 / MM_PER_PT)
    high, low = ink_height(lines[0], unit)[1], ink_height(lines[-1], unit)[0]
    return (
        tall / (high - low + line_step(lines, unit, _NAME_LEADING) * (len(lines) - 1)) / MM_PER_PT
    )


def _fitted(spot: _FaceSpot, room: float, tall: float) -> tuple[TypeStyle, tuple[str, ...]]:
    """The train's name as large as its band allows; long names on several lines."""
    type_style, name = spot.style.type("train.name"), spot.face.name

    def size(lines: Sequence[str]) -> float:
        most = _filling_pt(lines, type_style, tall)
        return min(most, *(most * room / text_width(line, type_style.at(most)) for line in lines))

    best: tuple[str, ...] = (name,)
    for count in range(2, min(_MOST_NAME_LINES, len(name)) + 1):
        lines = broken(name, count)
        if size(best) < _SMALL_PT and size(lines) > size(best) * _WORTH:
            best = lines
    if size(best) < type_style.min_pt:
        best = max(
            (evenly_broken(name, count) for count in range(2, _MOST_NAME_LINES + 2)), key=size
        )
    return type_style.at(round(size(best) - 0.05, 1)), best


def _title_width(spot: _FaceSpot) -> float:
    """Width in mm of the longest word of the title's name in the smallest type."""
    type_style = spot.style.type("train.title")
    type_style = type_style.at(type_style.min_pt)
    return max(
        text_width(part, type_style) for part in name_parts(spot.style.words(spot.title.name))
    )


def _name(spot: _FaceSpot, band: float, ink: Ink) -> tuple[Item, ...]:
    """The train's name, huge, and the title's name below it where there is room."""
    left, _, _, bottom = spot.insets
    top, low = _top(spot), spot.height - bottom
    items: list[Item] = []
    plated = _figures_of(spot) is not None
    middle = (left - _PLATE_MM + band - _plate_rim(spot)) / 2 if plated else band / 2
    if spot.tall and (title_lines := _title_lines(spot, band - 2 * left)) is not None:
        small, lines = title_lines
        below, step = (
            max(0.4, -ink_height(lines[-1], small)[0]),
            line_step(lines, small, _TITLE_LEADING),
        )
        for above, line in enumerate(reversed(lines)):
            items += set_line(
                line, small, ink, middle, low - below - above * step, anchor=Anchor.MIDDLE
            )
        low -= below + (len(lines) - 1) * step + small.size_mm + _ABOVE_TITLE_MM
        sign = _letter(spot)
        top += sign.height + _LETTER_GAP_MM if sign else 0.0
    elif spot.tall:
        items += left_out(spot.style.words(spot.title.name), spot.style.type("train.title"), ink)
    if spot.height > _INDEXED_MM:
        index, down = _index(spot, band, ink)
        items += index
        top += down
    big, names = _fitted(spot, band - left - _BESIDE_NAME_MM, min(_room(spot), low - top))
    middle = max(middle, left + max(text_width(line, big) for line in names) / 2)
    step = line_step(names, big, _NAME_LEADING)
    down = (
        ink_height(names[0], big)[1] + ink_height(names[-1], big)[0] - step * (len(names) - 1)
    ) / 2
    for number, line in enumerate(names):
        items += set_line(
            line, big, ink, middle, (top + low) / 2 + down + number * step, anchor=Anchor.MIDDLE
        )
    return (boxed(items, 0.0, 0.0, band, spot.height),)


def _index(spot: _FaceSpot, band: float, ink: Ink) -> tuple[tuple[Item, ...], float]:
    """The name once more, small, in the upper left corner, which shows of a card that lies under
    others; and how much lower than the letter of the colour, if there is one, it reaches, in mm."""
    left, top, _, _ = spot.insets
    sign = _letter(spot)
    x, tall = (left + sign.width + _LETTER_GAP_MM, sign.height) if sign else (left, 0.0)
    narrow = fit(spot.face.name, spot.style.type("train.index"), _INDEX_MM)
    type_style, name = one_line(spot.face.name, narrow, band - left - x)
    low, high = ink_height(name, type_style)
    # A sign lower than capitals (∞) stands where they would: shops measure the line of letters, not
    # the ink.
    high = max(high, type_style.cap_height_mm)
    index = boxed(
        set_line(name, type_style, ink, x, top + high), x, top, band - x, high - min(0.0, low)
    )
    return (index,), max(0.0, high - min(0.0, low) + _BELOW_INDEX_MM - tall)


def _title_lines(spot: _FaceSpot, room: float) -> tuple[TypeStyle, tuple[str, ...]] | None:
    """A title's name on two lines or, where these are too narrow for it or would part a word, on
    more; None for one that is too long for its card, where nobody has to read it."""
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


def _note_items(
    title: Title, face: TrainFace, style: Style, *, width: float, room: float, gap: float
) -> tuple[tuple[Item, ...], float]:
    """The lines at the foot of a face, from (0, 0) down, or in a narrower face where they do not
    fit else; and how high they are in mm. `room` is what the places leave, `gap` how far lines keep
    from them. Raises DoesNotFit."""
    texts = list(_sayings(face, style))
    if not texts and room >= -_TOLERANCE_MM:
        return (), 0.0
    room -= gap
    wide, tight = style.type("train.note"), style.type("train.note.tight")
    for type_style in (wide.at(wide.min_pt), tight):
        items, tall = _set(texts, type_style, style, width)
        if tall <= room + _TOLERANCE_MM:
            return items, tall
    message = (
        f"train: what stands on the card of {face.name} of {style.words(title.name)} does not fit"
    )
    raise DoesNotFit(message, "give train a larger size, or shorten the note")


def _sayings(face: TrainFace, style: Style) -> Iterator[str]:
    for stops, count in paying(face, style):
        reach = style.words(
            card_words("pays_up_to") if count else card_words("pays_none"), stops, count
        )
        yield f"{style.words(card_words('pays'))} {reach}"
    for stops, times in multiplied(face, style):
        yield f"{style.words(card_words('pays'))} {style.words(card_words('times'), stops, times)}"
    for stops in skipped(face, style):
        yield style.words(card_words("skips"), stops)
    if face.note is not None:
        yield style.words(face.note)


def _set(
    texts: list[str], type_style: TypeStyle, style: Style, width: float
) -> tuple[tuple[Item, ...], float]:
    items: list[Item] = []
    y = 0.0
    for number, text in enumerate(texts):
        y += _NOTE_BETWEEN_MM if number else 0.0
        lines = [
            part
            for line in wrap_even(text, type_style, width)
            for part in wrap_within(line, type_style, width)
        ]
        rise = max(
            ink_height(lines[0], type_style.beside(lines[0]))[1],
            *(rise_mm(line, type_style) for line in lines),
        )
        items += set_lines(
            lines, type_style, style.ink("card.text"), 0.0, y + rise, leading=_NOTE_LEADING
        )
        y += rise + ((len(lines) - 1) * _NOTE_LEADING + _DESCENT) * type_style.size_mm
    return tuple(items), y


def _zone_of(spot: _FaceSpot) -> Zone | None:
    """The zone of the market for the companies that alone may run the train, if there is one."""
    zones = (
        spot.title.market.zones
        if spot.title.market is not None and spot.face.who is not None
        else ()
    )
    return next((zone for zone in zones if zone.who == spot.face.who), None)


def _figures_of(spot: _FaceSpot) -> Ink | None:
    """The ink of coloured figures, dark enough for paper: as stated, else that of the zone of the
    companies that alone may run the train; None where they are printed straight on the band."""
    zone = _zone_of(spot)
    colour = spot.face.figures or (zone.colour if zone is not None else None)
    if colour is None:
        return None
    return darkened(tile_ink(colour, spot.style), spot.style.ink("card.ground"), _FIGURE_CONTRAST)
