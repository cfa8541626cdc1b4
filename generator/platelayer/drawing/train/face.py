"""Faces of train cards: number, price, engine, what rusts the train and what it rusts."""

from __future__ import annotations

import math
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.inks import darkened
from platelayer.drawing.hex.patterns import box_path, letter_block, motif_items
from platelayer.drawing.kit.icons import over_symbols
from platelayer.drawing.kit.lettering import balanced
from platelayer.drawing.kit.marks import MARK_MM, zone_mark
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.text_blocks import Block
from platelayer.drawing.train.facts import band_colour, phase_of, size_class
from platelayer.drawing.train.landscape import hill_items, rail_items
from platelayer.drawing.train.locomotive import COACH_CLASS, locomotive_items, locomotive_size
from platelayer.drawing.train.rows import RowTypes, row_items
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.units import MM_PER_PT
from platelayer.model.market import Zone
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.scene.breaks import name_parts
from platelayer.scene.fonts import face
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_line, split_by_face, text_width

say = FixedWords("cards")

Insets = tuple[float, float, float, float]
"""How far readable parts keep from the left, top, right and bottom side, in mm."""

_TALL_MM = 36.0
"""From this height on a face has room for the title's name and a landscape."""
_FULL_SIZE_MM = (58.0, 44.0)
"""Width and height of a face whose type is set in full size."""
_TALLEST_CLASS = 6
_FIGURE_CONTRAST = 4.8
_PLATE_MM, _PLATE_RIM_MM = 0.8, 1.3
"""How far the plate of coloured figures reaches towards the trim, and how far at least it ends before the band does."""
_LETTER_PT = 6.0
_BELOW_LETTER = 0.54
"""Height of a name as a share of a tall face where the letter of its colour stands above it."""
_LETTER_GAP_MM = 0.4
_LEAST_ENGINE_MM = 2.5
_CAP = 0.7
_HIGH = 1.05
"""Times the height of capitals that signs rise before they need room of their own."""
_TITLE_LEADING = 1.1
_MOST_TITLE_LINES = 4


class FaceSpot(Struct, frozen=True, kw_only=True):
    """A face and the place it is drawn on: `width` x `height` mm, from (0, 0), with insets."""

    title: Title
    train: Train
    face: TrainFace
    style: Style
    width: float
    height: float
    insets: Insets

    @property
    def tall(self) -> bool:
        """True where there is room for more than the necessary parts."""
        return self.height > _TALL_MM

    def scaled(self, name: str, least: float) -> TypeStyle:
        """A type style, smaller on a smaller face: on the smallest, `least` of its size."""
        kind = self.style.type(name)
        scale = max(0.5, min(1.0, self.width / _FULL_SIZE_MM[0], self.height / _FULL_SIZE_MM[1]))
        return kind.at(max(kind.min_pt, round(kind.size_pt * (least + (1 - least) * (2 * scale - 1)), 1)))


def face_items(spot: FaceSpot) -> tuple[Item, ...]:
    """A band in the phase's colour with the name, and the rest of the face beside it.

    Readable parts keep the insets; the band reaches 2 mm beyond every side, for the caller to clip.
    """
    colour = tile_ink(band_colour(spot.title, spot.train, spot.face), spot.style)
    band, size_pt = _band(spot)
    dark = spot.style.ink("card.accent")
    tall = spot.height + 2 * BLEED_MM
    figures = _figures(spot)
    ink = readable_on(colour) if figures is None else figures
    return (
        Path(commands=rectangle_path(-BLEED_MM, -BLEED_MM, band + BLEED_MM, tall), fill=colour),
        *(_plate(spot, band) if figures is not None else ()),
        *_told(spot, band),
        *_beside(spot, band + 1.0),
        Path(commands=rectangle_path(band, -BLEED_MM, 0.5, tall), fill=dark),
        Path(commands=rectangle_path(band + 0.85, -BLEED_MM, 0.18, tall), fill=dark),
        *_name(spot, band, size_pt, ink),
    )


def _zone(spot: FaceSpot) -> Zone | None:
    """The zone of the market for the companies that alone may run the train, if there is one."""
    zones = spot.title.market.zones if spot.title.market is not None and spot.face.who is not None else ()
    return next((zone for zone in zones if zone.who == spot.face.who), None)


def _figures(spot: FaceSpot) -> Ink | None:
    """The ink of coloured figures, dark enough for paper: as stated, else that of the zone of the companies that alone
    may run the train; None where they are printed straight on the band."""
    zone = _zone(spot)
    colour = spot.face.figures or (zone.colour if zone is not None else None)
    if colour is None:
        return None
    return darkened(tile_ink(colour, spot.style), spot.style.ink("card.ground"), _FIGURE_CONTRAST)


def _plate(spot: FaceSpot, band: float) -> tuple[Item, ...]:
    """A plate of paper on the band: coloured figures can be read there whatever the phase's colour."""
    left, top, _, bottom = (inset - _PLATE_MM for inset in spot.insets)
    width, height = band - left - _plate_rim(spot), spot.height - top - bottom
    return (Path(commands=rectangle_path(left, top, width, height, 1.2), fill=spot.style.ink("card.ground")),)


def _plate_rim(spot: FaceSpot) -> float:
    """How far the plate ends before the band does, clear of the pattern of its colour."""
    pattern = spot.style.theme.patterns.get(band_colour(spot.title, spot.train, spot.face))
    return _PLATE_RIM_MM if pattern is None else max(_PLATE_RIM_MM, pattern.rim_mm + 0.2)


def _told(spot: FaceSpot, band: float) -> tuple[Item, ...]:
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


def _letter(spot: FaceSpot) -> Block | None:
    colour = band_colour(spot.title, spot.train, spot.face)
    return letter_block(colour, spot.style.type("tile.colour").at(_LETTER_PT), spot.style)


def _top(spot: FaceSpot) -> float:
    """Where a name may begin: on a low face, the letter of its colour takes a line of its own above it."""
    sign = None if spot.tall else _letter(spot)
    return spot.insets[1] + (sign.height + _LETTER_GAP_MM if sign else 0.0)


def _band(spot: FaceSpot) -> tuple[float, float]:
    """Width in mm of the colour band and size in points of the name on it."""
    left, _, _, bottom = spot.insets
    top = _top(spot)
    share = 0.8 if not spot.tall else _BELOW_LETTER if _letter(spot) else 0.66
    tall = (spot.height - top - bottom) * share
    kind = spot.style.type("train.name")
    low, high = _ink_height(spot.face.name, kind.at(1 / MM_PER_PT))
    most = tall / (high - low) / MM_PER_PT
    wide = text_width(spot.face.name, kind.at(most))
    least = max(spot.width * 0.3, _title_width(spot) + 2 * left) if spot.tall else spot.width * 0.28
    band = min(spot.width * 0.38, max(least, wide + left + 2.4))
    return band, round(min(most, most * (band - left - 2.4) / wide), 1)


def _title_width(spot: FaceSpot) -> float:
    """Width in mm of the longest word of the title's name in the smallest type."""
    kind = spot.style.type("train.title")
    kind = kind.at(kind.min_pt)
    return max(text_width(part, kind) for part in name_parts(spot.style.words(spot.title.name)))


def _name(spot: FaceSpot, band: float, size_pt: float, ink: Ink) -> tuple[Item, ...]:
    """The train's name, huge, and the title's name below it where there is room."""
    left, _, _, bottom = spot.insets
    top = _top(spot)
    big = spot.style.type("train.name").at(size_pt)
    middle = max(band / 2, left + text_width(spot.face.name, big) / 2)
    if _figures(spot) is not None:
        middle = (left - _PLATE_MM + band - _plate_rim(spot)) / 2
        middle = max(middle, left + text_width(spot.face.name, big) / 2)
    level = top + (spot.height - top - bottom) / 2
    items: list[Item] = []
    if spot.tall:
        words = spot.style.words(spot.title.name)
        small, lines = _title_lines(words, spot.style.type("train.title"), min(band - left - 1.0, 2 * (middle - left)))
        below = max(0.4, -_ink_height(lines[-1], small)[0])
        for above, line in enumerate(reversed(lines)):
            base = spot.height - bottom - below - above * _TITLE_LEADING * small.size_mm
            items += set_line(line, small, ink, middle, base, anchor=Anchor.MIDDLE)
        level -= 1.2 * len(lines)
    down = math.fsum(_ink_height(spot.face.name, big)) / 2
    items += set_line(spot.face.name, big, ink, middle, level + down, anchor=Anchor.MIDDLE)
    return tuple(items)


def _title_lines(words: str, kind: TypeStyle, room: float) -> tuple[TypeStyle, tuple[str, ...]]:
    """A title's name on two lines or, where these are too narrow for it or would part a word, on more."""
    ends = set(accumulate(len(part) for part in name_parts(words)))
    for most in range(2, _MOST_TITLE_LINES + 1):
        small, lines = balanced(words, kind, room, most)
        whole = set(accumulate(len(line.replace(" ", "")) for line in lines)) <= ends
        if whole and max(text_width(line, small) for line in lines) <= room + 0.01:
            return small, lines
    return balanced(words, kind, room, _MOST_TITLE_LINES)


def _ink_height(name: str, kind: TypeStyle) -> tuple[float, float]:
    """Lowest and highest ink of a name above its baseline, in mm."""
    known = [face(each).glyphs[char] for each, words in split_by_face(name, kind) for char in words]
    low = min((glyph[1] for glyph in known), default=0.0)
    high = max((glyph[2] for glyph in known), default=_CAP)
    return low * kind.size_mm, high * kind.size_mm


def _beside(spot: FaceSpot, edge: float) -> tuple[Item, ...]:
    """Price, engine and facts from x = `edge` to the right."""
    _, top, right, bottom = spot.insets
    style = spot.style
    x0, x1 = edge + 2.0 * min(1.0, spot.height / _TALL_MM), spot.width - right
    price, kind = spot.title.money(spot.face.price), spot.scaled("train.price", 0.6)
    # The signs of currencies rise above figures.
    signs = _ink_height("".join(char for char in price if not char.isalnum()), kind)[1]
    cap = signs if signs > _HIGH * kind.cap_height_mm else kind.cap_height_mm
    types = RowTypes(
        label=spot.scaled("train.label", 0.8), chip=spot.scaled("train.chip", 0.72), note=style.type("train.note")
    )
    block, tall = row_items(spot.title, spot.train, spot.face, style, width=x1 - x0, types=types)
    low = spot.height - bottom
    rail = min(spot.height * 0.72, low - tall - 1.5)
    items: list[Item] = []
    room = rail - top - cap - 0.9
    if spot.tall:
        items += hill_items(edge, spot.width + BLEED_MM, rail + 0.15, style)
    if room >= _LEAST_ENGINE_MM:
        items += _engine(spot, rail, x0=x0, x1=x1, room=room)
        items += rail_items(edge, spot.width + BLEED_MM, rail, style)
    items += set_line(price, kind, style.ink("card.text"), x1, top + cap + 0.2, anchor=Anchor.END)
    zone, figures, beside = _zone(spot), _figures(spot), text_width(price, kind) + 1.5
    if zone is not None and figures is not None and spot.title.market is not None:
        number = spot.title.market.zones.index(zone)
        mark = zone_mark(number, 0.0, 0.0, figures)
        scale = cap / MARK_MM * 0.72
        place = (scale, 0.0, 0.0, scale, x1 - beside - cap * 0.36, top + 0.2 + cap / 2)
        items.append(Group(items=(mark,), matrix=place))
        beside += cap * 0.72 + 1.5
    items += _phase(spot, types.label, x0, x1 - x0 - beside)
    return (*items, Group(items=block, matrix=translation(x0, low - tall)))


def _phase(spot: FaceSpot, kind: TypeStyle, x: float, room: float) -> tuple[Item, ...]:
    """Which phase the train begins, or from which it is sold, if there is room for it."""
    phase, told = spot.face.available_from, say("from_phase")
    if phase is None and spot.face is spot.train.faces[0]:
        phase, told = phase_of(spot.title, spot.train), say("starts_phase")
    if phase is None:
        return ()
    words = spot.style.words(told).format(phase)
    # Phases a to j are known by small letters.
    kind = fit(words, kind if phase == phase.upper() else replace(kind, capitals=False), room)
    if text_width(words, kind) > room:
        return ()
    base = spot.insets[1] + rise_mm(words, kind) + 0.2
    return tuple(set_line(words, kind, spot.style.ink("card.soft"), x, base))


def _engine(spot: FaceSpot, rail: float, *, x0: float, x1: float, room: float) -> tuple[Item, ...]:
    """The engine on its rail; engines of a title are drawn to one scale, as large as the tallest allows."""
    size = size_class(spot.title, spot.face)
    full = x1 - x0 + (1.5 if spot.tall else 0.0)
    judged = size if size == COACH_CLASS else _TALLEST_CLASS
    full *= min(1.0, room / locomotive_size(judged, full)[1])
    long, _ = locomotive_size(size, full)
    place = translation(x0 + (x1 - x0 - long) / 2, rail)
    return (Group(items=locomotive_items(size, full, spot.style), matrix=place),)
