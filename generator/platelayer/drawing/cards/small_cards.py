"""Destination cards: what destinations pay, by tile colour."""

from __future__ import annotations

import math

from platelayer.drawing.kit.card import Card, design_card
from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.lettering import balanced, line_step, one_line
from platelayer.drawing.kit.parts import card_scene, diamonds, frames, ground, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_even, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.map_tile import rose_items
from platelayer.drawing.train.locomotive import (
    CLASSES,
    hill_items,
    locomotive_items,
    locomotive_size,
    rail_items,
)
from platelayer.foundation.geometry import MM_PER_PT
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.tile import RevenueStep
from platelayer.model.title import DestinationCard, Title
from platelayer.scene.fonts import face
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Role,
    Scene,
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, rise_mm, set_block, set_centred, set_line, text_width

map_words = FixedWords("map")
atlas_words = FixedWords("atlas")

_DESIGN = (88.0, 63.0)
_SAFE_MM = 3.2
_SIDE = 6.0
_HEAD = 17.5
"""Height of the red head."""
_ROSE = 29.0


def draw_destination_card(title: Title, piece_id: str, style: Style) -> Scene:
    """A destination card of the box (its id); a card without values has empty boxes to fill in.
    Raises KeyError."""
    printed = {card.id: card for card in title.pieces.destination_cards}[piece_id]
    size = piece_size(title, "destination-card", piece_id)
    card = design_card(size, style, design=_DESIGN, safe_mm=_SAFE_MM)
    items = (
        card.ground(style.ink("card.ground")),
        *_head(title, printed, card),
        *_boxes(title, printed, card),
        *_foot(printed, card),
    )
    return card.scene(f"destination-card:{piece_id}", piece_id, items)


def _head(title: Title, printed: DestinationCard, card: Card) -> tuple[Item, ...]:
    """The word, which card it is and the name of the game on the red of destinations, a compass
    rose beside them."""
    style, b = card.style, card.bleed
    red = style.ink("tile.red")
    shape = rectangle_path(-b, -b, card.width + 2 * b, _HEAD + b)
    rose = Group(items=rose_items(_ROSE, style), matrix=translation(card.width - 14.0, _HEAD / 2))
    letter = f" {printed.id}" if printed.revenue else ""
    words, game = f"{style.words(atlas_words('destination_head'))}{letter}", style.words(title.name)
    room = card.width - _SIDE - 26.0
    large = fit(words, card.type("destination.head"), room)
    small, game = one_line(game, card.type("destination.game"), room)
    ink = readable_on(red)
    return (
        Path(commands=shape, fill=red),
        Group(items=(rose,), clip=shape),
        Path(
            commands=rectangle_path(-b, _HEAD, card.width + 2 * b, 0.7),
            fill=style.ink("map.red.line"),
        ),
        boxed(
            (*set_line(words, large, ink, _SIDE, 9.4), *set_line(game, small, ink, _SIDE, 13.8)),
            _SIDE,
            0,
            room,
            _HEAD,
        ),
    )


def _boxes(title: Title, printed: DestinationCard, card: Card) -> tuple[Item, ...]:
    """A box for each colour, its name above, its value large within."""
    style = card.style
    steps: tuple[RevenueStep | None, ...] = printed.revenue
    colours = [step.since or "white" for step in printed.revenue] or [*title.colours]
    if not printed.revenue:
        steps = (None,) * len(colours)
    gap = 2.2
    wide = (card.width - 2 * _SIDE - gap * (len(colours) - 1)) / len(colours)
    top, tall = _HEAD + 9.6, 21.0
    head, type_style = card.type("destination.colour"), card.type("destination.value")
    for paid in printed.revenue:
        type_style = fit(title.money(paid.value), type_style, wide - 3.0)
    line = card.stroke(style.ink("card.accent"), 0.35)
    items: list[Item] = []
    for number, (colour, step) in enumerate(zip(colours, steps, strict=True)):
        x = _SIDE + number * (wide + gap)
        fill = tile_ink(colour, style)
        name = (
            style.words(map_words.table("colours")[colour])
            if colour in map_words.table("colours")
            else colour
        )
        words = set_centred(
            name, fit(name, head, wide), style.ink("card.text"), x + wide / 2, top - 3.4
        )
        items.append(boxed(words, x, _HEAD, wide, top - _HEAD))
        box = rectangle_path(x, top, wide, tall, 1.6)
        items.append(Path(commands=box, fill=fill, stroke=line, role=Role.SYMBOL))
        if step is None:
            inner = rectangle_path(x + 2.2, top + 4.2, wide - 4.4, tall - 8.4, 0.8)
            items.append(
                Path(
                    commands=inner,
                    fill=style.ink("card.ground"),
                    stroke=card.stroke(line.ink, 0.15),
                )
            )
        else:
            ink = readable_on(fill)
            value = set_centred(
                title.money(step.value),
                type_style,
                ink,
                x + wide / 2,
                top + tall / 2,
                over=(Role.SYMBOL,),
            )
            items.append(boxed(value, x, top, wide, tall))
    return tuple(items)


def _foot(printed: DestinationCard, card: Card) -> tuple[Item, ...]:
    """What to do with the card."""
    style = card.style
    text = printed.note or (
        atlas_words("destination_note") if printed.revenue else atlas_words("destination_blank")
    )
    type_style = card.type("destination.note")
    lines = wrap_even(style.words(text), type_style, card.width - 2 * _SIDE)
    items: list[Item] = []
    step = type_style.size_mm * 1.2
    lowest = card.height - card.safe - type_style.size_mm * 0.3 - (len(lines) - 1) * step
    y = min(card.height - 6.4 - (len(lines) - 1) * step / 2, lowest)
    for number, line in enumerate(lines):
        items += set_line(
            line,
            fit(line, type_style, card.width - 2 * _SIDE),
            style.ink("card.soft"),
            card.width / 2,
            y + number * step,
            anchor=Anchor.MIDDLE,
        )
    return tuple(items)


# Number cards: a very large number in a frame, and an engine that grows with it.


_FRAME_MM = CARD_SAFE_MM + 2.4
_LARGEST_CLASS_NUMBER = 6


def draw_number_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card with the number `piece_id` in the title's size for number cards, upright or
    across."""
    size = piece_size(title, "number-card", piece_id)
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


# The priority card: an express engine, or a picture of the title, and the words.


card_words = FixedWords("cards")

_CLASS = 5
_LEADING = 1.15
_PRIORITY_CARD_FRAME_MM = CARD_SAFE_MM + 1.4
_BESIDE_PICTURE_MM = 3.2


def draw_priority_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card of the player who acts first, in the title's size for priority cards."""
    size = piece_size(title, "priority-card", piece_id)
    width, height = size.width_mm, size.height_mm
    ink, words = style.ink("card.accent"), style.words(card_words("priority"))
    middle, inner = width / 2, width - 2 * _PRIORITY_CARD_FRAME_MM
    note = style.words(card_words("priority_note"))
    small = style.type("card.body")
    notes = [
        part
        for row in wrap_even(note, small, inner - 4.0)
        for part in wrap_within(row, small, inner - 4.0)
    ]
    big, names = balanced(words, style.type("card.banner"), inner - 6.0, 3, several=0.8)
    foot = height - _PRIORITY_CARD_FRAME_MM - 2.2 - (len(notes) - 1) * _LEADING * small.size_mm
    line = foot - small.cap_height_mm - 1.9
    base = line - 3.0 - (len(names) - 1) * _LEADING * big.size_mm
    rail = base - rise_mm(names[0], big) - 2.6
    room = rail - _PRIORITY_CARD_FRAME_MM - 1.6
    picture = title.pieces.priority_picture
    full = min(inner * 0.82, room / locomotive_size(_CLASS, 1.0, style)[1])
    long, _ = locomotive_size(_CLASS, full, style)
    art: tuple[Item, ...] = ()
    if picture is not None and room > 0:
        side = min(inner - _BESIDE_PICTURE_MM, room)
        shown = picture_items(picture, side * math.sqrt(2), ink, style)
        art = (
            Group(
                items=shown, matrix=translation(middle, (_PRIORITY_CARD_FRAME_MM + 1.6 + rail) / 2)
            ),
        )
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
    window = (
        _PRIORITY_CARD_FRAME_MM - 0.6,
        _PRIORITY_CARD_FRAME_MM,
        width - 2 * _PRIORITY_CARD_FRAME_MM + 1.2,
        height,
    )
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
    inside = boxed(
        items,
        _PRIORITY_CARD_FRAME_MM,
        _PRIORITY_CARD_FRAME_MM,
        inner,
        height - 2 * _PRIORITY_CARD_FRAME_MM,
    )
    return card_scene(f"priority-card:{piece_id}", words, width, height, [inside])
