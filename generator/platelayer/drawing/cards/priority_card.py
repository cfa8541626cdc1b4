"""The priority card: an express engine and the words."""

from __future__ import annotations

from platelayer.drawing.kinds import CARD_SAFE_MM
from platelayer.drawing.kit.parts import card_scene, diamonds, frames, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.landscape import hill_items, rail_items
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Group, Item, Scene, rectangle_path, translation
from platelayer.scene.typeset import fit, rise_mm, set_line

say = FixedWords("cards")

_CLASS = 5
_FRAME_MM = CARD_SAFE_MM + 1.4


def draw_priority_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card of the player who acts first, in the title's size for priority cards."""
    size = title.pieces.size("priority-card", piece_id)
    width, height = size.width_mm, size.height_mm
    ink, words = style.ink("card.accent"), style.words(say("priority"))
    middle, inner = width / 2, width - 2 * _FRAME_MM
    note = style.words(say("priority_note"))
    small = fit(note, style.type("card.body"), inner - 4.0)
    big = fit(words, style.type("card.banner"), inner - 6.0)
    foot = height - _FRAME_MM - 2.2
    line = foot - small.cap_height_mm - 1.9
    base = line - 3.0
    rail = base - rise_mm(words, big) - 2.6
    room = rail - _FRAME_MM - 1.6
    full = min(inner * 0.82, room / locomotive_size(_CLASS, 1.0)[1])
    long, _ = locomotive_size(_CLASS, full)
    scenery = (*hill_items(0.0, width, rail + 0.15, style), *rail_items(0.0, width, rail, style))
    items: list[Item] = [
        ground(width, height, BLEED_MM, style.ink("card.ground")),
        Group(items=scenery, clip=rectangle_path(_FRAME_MM - 0.6, _FRAME_MM, width - 2 * _FRAME_MM + 1.2, height)),
        *frames(width, height, style),
        Group(items=locomotive_items(_CLASS, full, style), matrix=translation(middle - long / 2, rail)),
        *set_line(words, big, ink, middle, base, anchor=Anchor.MIDDLE),
        *diamonds(middle, line, min(34.0, inner * 0.7), style.ink("card.gold")),
        *set_line(note, small, style.ink("card.text"), middle, foot, anchor=Anchor.MIDDLE),
    ]
    return card_scene(f"priority-card:{piece_id}", words, width, height, items)
