"""Cartouches: name, subtitle and credits within an engraved plate, in several widths."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.kit.lettering import balanced, ink_height, line_step, one_line
from platelayer.drawing.kit.ornament import diamond_rule, wheel
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.gamemap import GameMap
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Item, Path, Point, Stroke, notched_path
from platelayer.scene.typeset import fit, set_line, text_width, wrap

map_words = FixedWords("map")

_BITE = 4.2
"""Radius of the quarter circles cut out of the corners of a plate, mm."""
_PAD = 7.0
_LEAST_LINE = 0.3
"""How much smaller than its type a name on one line may be."""
_SEVERAL, _LEADING = 0.8, 1.04
_DIVIDER_MM, _UNDER_MM = 5.2, 3.0
"""From the last line of the name to the middle of the divider, and at least from its lowest letter."""


class Panel(Struct, frozen=True, kw_only=True):
    """Something drawn from (0, 0) to its width and height, mm."""

    width_mm: float
    height_mm: float
    items: tuple[Item, ...]


def plate_items(width_mm: float, height_mm: float, style: Style) -> tuple[Item, ...]:
    """A plate with hollowed corners: paper, a strong line, and fine ones within."""
    ink = style.ink("map.frame.line")
    return (
        Path(
            commands=notched_path(0, 0, width_mm, height_mm, _BITE),
            fill=style.ink("map.plate"),
            stroke=Stroke(ink=ink, width_mm=0.7),
        ),
        Path(
            commands=notched_path(1.3, 1.3, width_mm - 2.6, height_mm - 2.6, _BITE),
            stroke=Stroke(ink=ink, width_mm=0.16),
        ),
        Path(
            commands=notched_path(2.0, 2.0, width_mm - 4.0, height_mm - 4.0, _BITE),
            stroke=Stroke(ink=ink, width_mm=0.32),
        ),
    )


def cartouche(title: Title, gamemap: GameMap, width_mm: float, style: Style) -> Panel:
    """The cartouche of a map at one width; its height follows from what it says."""
    inner = width_mm - 2 * _PAD
    middle = width_mm / 2
    items, y = name_items(style.words(title.name), "map.title", style, (middle, _PAD + 1.0), inner)
    items += divider(middle, y, inner, style)
    y += 2.6
    ink = style.ink("text")
    for text, kind_name, gap in _texts(title, gamemap):
        kind = style.type(kind_name)
        lines = wrap(style.words(text), kind, inner)
        y += gap
        for line in lines:
            y += kind.size_mm * 1.12
            fitted, told = one_line(line, kind, inner)
            items += set_line(told, fitted, ink, middle, y, anchor=Anchor.MIDDLE)
    height = y + _PAD - 0.6
    return Panel(width_mm=width_mm, height_mm=height, items=(*plate_items(width_mm, height, style), *items))


def name_items(words: str, kind: str, style: Style, at: Point, width_mm: float) -> tuple[list[Item], float]:
    """The name of a plate on one line, a long one on two, from a point down, centred on it; and where the divider below
    stands."""
    lines: tuple[str, ...] = (words,)
    fitted = fit(words, style.type(kind), width_mm)
    if fitted.size_pt < _LEAST_LINE * style.type(kind).size_pt or text_width(words, fitted) > width_mm:
        fitted, lines = balanced(words, style.type(kind), width_mm, 2, several=_SEVERAL, clip=True)
    leading = line_step(lines, fitted, _LEADING)
    base = at[1] + fitted.cap_height_mm
    items: list[Item] = []
    for number, line in enumerate(lines):
        items += set_line(line, fitted, style.ink("map.title"), at[0], base + number * leading, anchor=Anchor.MIDDLE)
    last = base + (len(lines) - 1) * leading
    return items, last + max(_DIVIDER_MM, _UNDER_MM - ink_height(lines[-1], fitted)[0])


def _texts(title: Title, gamemap: GameMap) -> list[tuple[Text, str, float]]:
    """What stands below the name: words, type style, and the space before them in mm."""
    said = title.subtitle or gamemap.name
    found = [] if said == title.name else [(said, "map.subtitle", 0.0)]
    several = len(title.maps) > 1 or title.variant is not None
    if several and title.subtitle is not None and title.subtitle != gamemap.name:
        found.append((gamemap.name, "map.board", 0.8))
    found += [(credit, "map.credits", 0.0 if number else 1.2) for number, credit in enumerate(title.credits)]
    return [*found, (map_words("prototype"), "map.notice", 1.6)]


def divider(x: float, y: float, width: float, style: Style) -> list[Item]:
    """A wheel between two tapering rules."""
    ink = style.ink("map.title")
    radius = 2.3
    reach = min(width / 2 - radius - 1, 26.0)
    return [
        *wheel(x, y, radius, ink, spokes=10),
        *diamond_rule(x - radius - 0.9, y, reach, ink, 0.22, towards=-1),
        *diamond_rule(x + radius + 0.9, y, reach, ink, 0.22, towards=1),
    ]
