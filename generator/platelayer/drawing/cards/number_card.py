"""Number cards: a very large number in a frame, and an engine that grows with it."""

from __future__ import annotations

from platelayer.drawing.kit.lettering import balanced, line_step
from platelayer.drawing.kit.parts import card_scene, diamonds, frames, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import CLASSES, locomotive_items, locomotive_size
from platelayer.foundation.units import MM_PER_PT
from platelayer.model.kinds import CARD_SAFE_MM
from platelayer.model.title import Title
from platelayer.scene.fonts import face
from platelayer.scene.shapes import Anchor, Group, Item, Scene, boxed, translation
from platelayer.scene.typeset import set_line, text_width

_FRAME_MM = CARD_SAFE_MM + 2.4
_LARGEST_CLASS_NUMBER = 6


def draw_number_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card with the number `piece_id` in the title's size for number cards, upright or
    across."""
    size = title.pieces.size("number-card", piece_id)
    width, height = size.width_mm, size.height_mm
    ink = style.ink("card.accent")
    middle, inner = width / 2, width - 2 * _FRAME_MM
    items: list[Item] = [
        ground(width, height, BLEED_MM, style.ink("card.ground")),
        *frames(width, height, style),
    ]
    name = style.words(title.name)
    game, lines = balanced(name, style.type("card.game"), inner - 4.0, 2, clip=True)
    first = _FRAME_MM + 1.2 + game.cap_height_mm
    for line in lines:
        items += set_line(line, game, ink, middle, first, anchor=Anchor.MIDDLE)
        first += line_step(lines, game, 1.1) if line is not lines[-1] else 0.0
    items += diamonds(middle, first + 2.2, min(18.0, inner * 0.6), style.ink("card.gold"))
    engine, tall = _engine(title, piece_id, inner - 5.0, style)
    rail = height - _FRAME_MM - 2.6
    items.append(Group(items=engine, matrix=translation(middle, rail)))
    room = rail - tall - (first + 2.2)
    items += _number(piece_id, style, (middle, first + 2.2 + room / 2), (inner - 3.0, room * 0.8))
    inside = boxed(items, _FRAME_MM, _FRAME_MM, inner, height - 2 * _FRAME_MM)
    return card_scene(f"number-card:{piece_id}", piece_id, width, height, [inside])


def _engine(
    title: Title, piece_id: str, width: float, style: Style
) -> tuple[tuple[Item, ...], float]:
    """An engine centred on x = 0, sized by the place of the number among the title's numbers; and
    its height."""
    numbers = title.pieces.number_cards
    place = numbers.index(int(piece_id)) if piece_id.isdecimal() and int(piece_id) in numbers else 0
    size = round(place * (CLASSES - 1) / max(_LARGEST_CLASS_NUMBER - 1, len(numbers) - 1))
    long, _ = locomotive_size(size, width, style)
    _, tallest = locomotive_size(CLASSES - 1, width, style)
    return (
        Group(items=locomotive_items(size, width, style), matrix=translation(-long / 2, 0.0)),
    ), tallest


def _number(
    words: str, style: Style, middle: tuple[float, float], room: tuple[float, float]
) -> tuple[Item, ...]:
    """The number as large as the room allows, its ink centred."""
    type_style = style.type("card.number")
    glyphs = face(type_style.faces[0]).glyphs
    known = [glyphs[char] for char in words if char in glyphs]
    low, high = min(glyph[1] for glyph in known), max(glyph[2] for glyph in known)
    size = min(
        room[1] / (high - low) / MM_PER_PT,
        type_style.size_pt * room[0] / text_width(words, type_style),
    )
    type_style = type_style.at(max(type_style.min_pt, round(size, 1)))
    base = middle[1] + (low + high) / 2 * type_style.size_mm
    return tuple(
        set_line(words, type_style, style.ink("card.accent"), middle[0], base, anchor=Anchor.MIDDLE)
    )
