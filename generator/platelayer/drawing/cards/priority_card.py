"""The priority card: an express engine, or a picture of the title, and the words."""

from __future__ import annotations

import math

from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.lettering import balanced
from platelayer.drawing.kit.parts import card_scene, diamonds, frames, ground
from platelayer.drawing.kit.rich_text import set_lines, wrap_even, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import (
    hill_items,
    locomotive_items,
    locomotive_size,
    rail_items,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import CARD_SAFE_MM
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Group, Item, Scene, boxed, rectangle_path, translation
from platelayer.scene.typeset import rise_mm, set_block

card_words = FixedWords("cards")

_CLASS = 5
_LEADING = 1.15
_FRAME_MM = CARD_SAFE_MM + 1.4
_BESIDE_PICTURE_MM = 3.2


def draw_priority_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card of the player who acts first, in the title's size for priority cards."""
    size = title.pieces.size("priority-card", piece_id)
    width, height = size.width_mm, size.height_mm
    ink, words = style.ink("card.accent"), style.words(card_words("priority"))
    middle, inner = width / 2, width - 2 * _FRAME_MM
    note = style.words(card_words("priority_note"))
    small = style.type("card.body")
    notes = [
        part
        for row in wrap_even(note, small, inner - 4.0)
        for part in wrap_within(row, small, inner - 4.0)
    ]
    big, names = balanced(words, style.type("card.banner"), inner - 6.0, 3, several=0.8)
    foot = height - _FRAME_MM - 2.2 - (len(notes) - 1) * _LEADING * small.size_mm
    line = foot - small.cap_height_mm - 1.9
    base = line - 3.0 - (len(names) - 1) * _LEADING * big.size_mm
    rail = base - rise_mm(names[0], big) - 2.6
    room = rail - _FRAME_MM - 1.6
    picture = title.pieces.priority_picture
    full = min(inner * 0.82, room / locomotive_size(_CLASS, 1.0, style)[1])
    long, _ = locomotive_size(_CLASS, full, style)
    art: tuple[Item, ...] = ()
    if picture is not None and room > 0:
        side = min(inner - _BESIDE_PICTURE_MM, room)
        shown = picture_items(picture, side * math.sqrt(2), ink, style)
        art = (Group(items=shown, matrix=translation(middle, (_FRAME_MM + 1.6 + rail) / 2)),)
    elif full > 0:
        art = (
            Group(
                items=locomotive_items(_CLASS, full, style),
                matrix=translation(middle - long / 2, rail),
            ),
        )
    scenery = (
        *hill_items(0.0, width, rail + 0.15, 1.0, style),
        *rail_items(0.0, width, rail, style),
    )
    window = (_FRAME_MM - 0.6, _FRAME_MM, width - 2 * _FRAME_MM + 1.2, height)
    items: list[Item] = [
        ground(width, height, BLEED_MM, style.ink("card.ground")),
        *((Group(items=scenery, clip=rectangle_path(*window)),) if picture is None else ()),
        *frames(width, height, style),
        *art,
        *set_block(names, big, ink, middle, base, leading=_LEADING, anchor=Anchor.MIDDLE),
        *diamonds(middle, line, min(34.0, inner * 0.7), style.ink("card.gold")),
        *set_lines(
            notes,
            small,
            style.ink("card.text"),
            middle,
            foot,
            leading=_LEADING,
            anchor=Anchor.MIDDLE,
        ),
    ]
    inside = boxed(items, _FRAME_MM, _FRAME_MM, inner, height - 2 * _FRAME_MM)
    return card_scene(f"priority-card:{piece_id}", words, width, height, [inside])
