"""The band of a train card: its colour, the train's name, and the title's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from platelayer.drawing.hex.patterns import box_path, letter_block, motif_items
from platelayer.drawing.kit.icons import over_symbols
from platelayer.drawing.kit.lettering import balanced, broken, evenly_broken, ink_height, left_out, line_step
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import BLEED_MM
from platelayer.drawing.kit.text_blocks import Block
from platelayer.drawing.train.facts import band_colour
from platelayer.drawing.train.spot import FaceSpot, figures_of
from platelayer.foundation.units import MM_PER_PT
from platelayer.scene.breaks import name_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import Anchor, Group, Item, Path, rectangle_path
from platelayer.scene.typeset import TypeStyle, set_line, text_width

_PLATE_MM, _PLATE_RIM_MM = 0.8, 1.3
"""How far the plate of coloured figures reaches towards the trim, and how far at least it ends before the band does."""
_MOST_BAND = 0.33
"""Of a face, the widest band."""
_BESIDE_NAME_MM = 2.4
_LETTER_PT = 7.0
_TALL_SHARE, _LOW_SHARE = 0.66, 0.8
"""Height of a name as a share of a tall face, which bears the title's name, too, and of a low one."""
_ABOVE_TITLE_MM = 0.8
_LETTER_GAP_MM = 0.4
_TITLE_LEADING = 1.1
_MOST_TITLE_LINES = 4
_NAME_LEADING = 1.06
_MOST_NAME_LINES = 3
_SMALL_PT, _WORTH = 16.0, 1.3
"""A name that would be smaller than this is broken on one more line, if it becomes so much larger."""


def band_items(spot: FaceSpot) -> tuple[tuple[Item, ...], float]:
    """The band in the colour of the phase, with the names; and how wide it is in mm. It reaches beyond the trim, for
    the caller to clip."""
    colour = tile_ink(band_colour(spot.title, spot.train, spot.face), spot.style)
    band = _width(spot)
    figures = figures_of(spot)
    dark, tall = spot.style.ink("card.accent"), spot.height + 2 * BLEED_MM
    return (
        Path(commands=rectangle_path(-BLEED_MM, -BLEED_MM, band + BLEED_MM, tall), fill=colour),
        *(_plate(spot, band) if figures is not None else ()),
        *_told(spot, band),
        Path(commands=rectangle_path(band, -BLEED_MM, 0.5, tall), fill=dark),
        Path(commands=rectangle_path(band + 0.85, -BLEED_MM, 0.18, tall), fill=dark),
        *_name(spot, band, readable_on(colour) if figures is None else figures),
    ), band


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


def _room(spot: FaceSpot) -> float:
    """Height in mm that a name may fill where nothing else on the band is in its way."""
    return (spot.height - _top(spot) - spot.insets[3]) * (_TALL_SHARE if spot.tall else _LOW_SHARE)


def _width(spot: FaceSpot) -> float:
    """Width in mm of the band: the same on all faces of this size of a title."""
    left, kind, tall = spot.insets[0], spot.style.type("train.name"), _room(spot)
    names = dict.fromkeys(face.name for train in spot.title.trains for face in train.faces)
    most = min(_filling_pt((name,), kind, tall) for name in names)
    wide = max(text_width(name, kind.at(most)) for name in names)
    least = max(spot.width * 0.3, _title_width(spot) + 2 * left) if spot.tall else spot.width * 0.28
    return min(spot.width * _MOST_BAND, max(least, wide + left + _BESIDE_NAME_MM))


def _filling_pt(lines: Sequence[str], kind: TypeStyle, tall: float) -> float:
    """The size in points at which the ink of lines is `tall` mm high."""
    unit = kind.at(1 / MM_PER_PT)
    high, low = ink_height(lines[0], unit)[1], ink_height(lines[-1], unit)[0]
    return tall / (high - low + line_step(lines, unit, _NAME_LEADING) * (len(lines) - 1)) / MM_PER_PT


def _fitted(spot: FaceSpot, room: float, tall: float) -> tuple[TypeStyle, tuple[str, ...]]:
    """The train's name as large as its band allows; long names on several lines."""
    kind, name = spot.style.type("train.name"), spot.face.name

    def size(lines: Sequence[str]) -> float:
        most = _filling_pt(lines, kind, tall)
        return min(most, *(most * room / text_width(line, kind.at(most)) for line in lines))

    best: tuple[str, ...] = (name,)
    for count in range(2, min(_MOST_NAME_LINES, len(name)) + 1):
        lines = broken(name, count)
        if size(best) < _SMALL_PT and size(lines) > size(best) * _WORTH:
            best = lines
    if size(best) < kind.min_pt:
        best = max((evenly_broken(name, count) for count in range(2, _MOST_NAME_LINES + 2)), key=size)
    return kind.at(round(size(best) - 0.05, 1)), best


def _title_width(spot: FaceSpot) -> float:
    """Width in mm of the longest word of the title's name in the smallest type."""
    kind = spot.style.type("train.title")
    kind = kind.at(kind.min_pt)
    return max(text_width(part, kind) for part in name_parts(spot.style.words(spot.title.name)))


def _name(spot: FaceSpot, band: float, ink: Ink) -> tuple[Item, ...]:
    """The train's name, huge, and the title's name below it where there is room."""
    left, _, _, bottom = spot.insets
    top, low = _top(spot), spot.height - bottom
    items: list[Item] = []
    plated = figures_of(spot) is not None
    middle = (left - _PLATE_MM + band - _plate_rim(spot)) / 2 if plated else band / 2
    if spot.tall and (found := _title_lines(spot, band - 2 * left)) is not None:
        small, lines = found
        below, step = max(0.4, -ink_height(lines[-1], small)[0]), line_step(lines, small, _TITLE_LEADING)
        for above, line in enumerate(reversed(lines)):
            items += set_line(line, small, ink, middle, low - below - above * step, anchor=Anchor.MIDDLE)
        low -= below + (len(lines) - 1) * step + small.size_mm + _ABOVE_TITLE_MM
        sign = _letter(spot)
        top += sign.height + _LETTER_GAP_MM if sign else 0.0
    elif spot.tall:
        items += left_out(spot.style.words(spot.title.name), spot.style.type("train.title"), ink)
    big, names = _fitted(spot, band - left - _BESIDE_NAME_MM, min(_room(spot), low - top))
    middle = max(middle, left + max(text_width(line, big) for line in names) / 2)
    step = line_step(names, big, _NAME_LEADING)
    down = (ink_height(names[0], big)[1] + ink_height(names[-1], big)[0] - step * (len(names) - 1)) / 2
    for number, line in enumerate(names):
        items += set_line(line, big, ink, middle, (top + low) / 2 + down + number * step, anchor=Anchor.MIDDLE)
    return tuple(items)


def _title_lines(spot: FaceSpot, room: float) -> tuple[TypeStyle, tuple[str, ...]] | None:
    """A title's name on two lines or, where these are too narrow for it or would part a word, on more; None for one
    that is too long for its card, where nobody has to read it."""
    words, kind = spot.style.words(spot.title.name), spot.style.type("train.title")
    ends = set(accumulate(len(part) for part in name_parts(words)))
    best: tuple[TypeStyle, tuple[str, ...]] | None = None
    for most in range(2, _MOST_TITLE_LINES + 1):
        small, lines = balanced(words, kind, room, most)
        if max(text_width(line, small) for line in lines) > room + 0.01:
            continue
        best = small, lines
        if set(accumulate(len(line.replace(" ", "")) for line in lines)) <= ends:
            break
    return best
