"""Cards with little on them: destination cards, which pay by tile colour, number cards and the
priority card.
"""

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
# Height of the red head.
_HEAD = 17.5
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
    """The word, the letter of the card and the name of the game on the red of destinations, a
    compass rose beside them."""
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
    runs = (*set_line(words, large, ink, _SIDE, 9.4), *set_line(game, small, ink, _SIDE, 13.8))
    line = rectangle_path(-b, _HEAD, card.width + 2 * b, 0.7)
    return (
        Path(commands=shape, fill=red),
        Group(items=(rose,), clip=shape),
        Path(commands=line, fill=style.ink("map.red.line")),
        boxed(runs, _SIDE, 0, room, _HEAD),
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
        fill, middle = tile_ink(colour, style), x + wide / 2
        name = style.named(colour, map_words.table("colours"))
        words = set_centred(name, fit(name, head, wide), style.ink("card.text"), middle, top - 3.4)
        items.append(boxed(words, x, _HEAD, wide, top - _HEAD))
        box = rectangle_path(x, top, wide, tall, 1.6)
        items.append(Path(commands=box, fill=fill, stroke=line, role=Role.SYMBOL))
        if step is None:
            inner = rectangle_path(x + 2.2, top + 4.2, wide - 4.4, tall - 8.4, 0.8)
            empty, edge = style.ink("card.ground"), card.stroke(line.ink, 0.15)
            items.append(Path(commands=inner, fill=empty, stroke=edge))
        else:
            value, ink = title.money(step.value), readable_on(fill)
            over, level = (Role.SYMBOL,), top + tall / 2
            figures = set_centred(value, type_style, ink, middle, level, over=over)
            items.append(boxed(figures, x, top, wide, tall))
    return tuple(items)


def _foot(printed: DestinationCard, card: Card) -> tuple[Item, ...]:
    """The note of the card, else instructions for its use."""
    style = card.style
    key = "destination_note" if printed.revenue else "destination_blank"
    text = style.words(printed.note or atlas_words(key))
    type_style, width = card.type("destination.note"), card.width - 2 * _SIDE
    lines = wrap_even(text, type_style, width)
    items: list[Item] = []
    step = type_style.size_mm * 1.2
    steps = (len(lines) - 1) * step
    lowest = card.height - card.safe - type_style.size_mm * 0.3 - steps
    y = min(card.height - 6.4 - steps / 2, lowest)
    ink, middle = style.ink("card.soft"), card.width / 2
    for number, line in enumerate(lines):
        fitted = fit(line, type_style, width)
        items += set_line(line, fitted, ink, middle, y + number * step, anchor=Anchor.MIDDLE)
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
    # The engine grows with the place of the number among those of the title.
    numbers, width_mm = title.pieces.number_cards, inner - 5.0
    known = piece_id.isdecimal() and int(piece_id) in numbers
    rank = numbers.index(int(piece_id)) if known else 0
    grade = round(rank * (CLASSES - 1) / max(_LARGEST_CLASS_NUMBER - 1, len(numbers) - 1))
    long, _ = locomotive_size(grade, width_mm, style)
    _, tallest = locomotive_size(CLASSES - 1, width_mm, style)
    shape = locomotive_items(grade, width_mm, style)
    engine = Group(items=shape, matrix=translation(-long / 2, 0.0))
    rail = height - _FRAME_MM - 2.6
    items.append(Group(items=(engine,), matrix=translation(middle, rail)))
    # The number is as large as the room allows, its ink centred.
    room = rail - tallest - (first + 2.2)
    type_style = style.type("card.number")
    glyphs = face(type_style.faces[0]).glyphs
    inked = [glyphs[char] for char in piece_id if char in glyphs]
    low, high = min(glyph[1] for glyph in inked), max(glyph[2] for glyph in inked)
    tall_pt = room * 0.8 / (high - low) / MM_PER_PT
    wide_pt = type_style.size_pt * (inner - 3.0) / text_width(piece_id, type_style)
    type_style = type_style.at(max(type_style.min_pt, round(min(tall_pt, wide_pt), 1)))
    base = first + 2.2 + room / 2 + (low + high) / 2 * type_style.size_mm
    items += set_line(piece_id, type_style, ink, middle, base, anchor=Anchor.MIDDLE)
    inside = boxed(items, _FRAME_MM, _FRAME_MM, inner, height - 2 * _FRAME_MM)
    return card_scene(f"number-card:{piece_id}", piece_id, width, height, [inside])


# The priority card: an express engine, or a picture of the title, and the words.


card_words = FixedWords("cards")

_CLASS = 5
_LEADING = 1.15
_MARGIN_MM = CARD_SAFE_MM + 1.4
_BESIDE_PICTURE_MM = 3.2


def draw_priority_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The card of the player who acts first, in the title's size for priority cards."""
    size = piece_size(title, "priority-card", piece_id)
    width, height = size.width_mm, size.height_mm
    ink, words = style.ink("card.accent"), style.words(card_words("priority"))
    middle, inner = width / 2, width - 2 * _MARGIN_MM
    note = style.words(card_words("priority_note"))
    small = style.type("card.body")
    notes = [
        part
        for row in wrap_even(note, small, inner - 4.0)
        for part in wrap_within(row, small, inner - 4.0)
    ]
    big, names = balanced(words, style.type("card.banner"), inner - 6.0, 3, several=0.8)
    foot = height - _MARGIN_MM - 2.2 - (len(notes) - 1) * _LEADING * small.size_mm
    line = foot - small.cap_height_mm - 1.9
    base = line - 3.0 - (len(names) - 1) * _LEADING * big.size_mm
    rail = base - rise_mm(names[0], big) - 2.6
    room = rail - _MARGIN_MM - 1.6
    picture = title.pieces.priority_picture
    full = min(inner * 0.82, room / locomotive_size(_CLASS, 1.0, style)[1])
    long, _ = locomotive_size(_CLASS, full, style)
    items: list[Item] = [ground(width, height, BLEED_MM, style.ink("card.ground"))]
    if picture is None:
        hills = hill_items(0.0, width, rail + 0.15, 1.0, style)
        track = rail_items(0.0, width, rail, style)
        window = rectangle_path(_MARGIN_MM - 0.6, _MARGIN_MM, width - 2 * _MARGIN_MM + 1.2, height)
        items.append(Group(items=(*hills, *track), clip=window))
    items += frames(width, height, style)
    if picture is not None and room > 0:
        side = min(inner - _BESIDE_PICTURE_MM, room)
        shown = picture_items(picture, side * math.sqrt(2), ink, style)
        level = (_MARGIN_MM + 1.6 + rail) / 2
        items.append(Group(items=shown, matrix=translation(middle, level)))
    elif full > 0:
        engine = locomotive_items(_CLASS, full, style)
        items.append(Group(items=engine, matrix=translation(middle - long / 2, rail)))
    centred, text = Anchor.MIDDLE, style.ink("card.text")
    items += set_block(names, big, ink, middle, base, leading=_LEADING, anchor=centred)
    items += diamonds(middle, line, min(34.0, inner * 0.7), style.ink("card.gold"))
    items += set_lines(notes, small, text, middle, foot, leading=_LEADING, anchor=centred)
    inside = boxed(items, _MARGIN_MM, _MARGIN_MM, inner, height - 2 * _MARGIN_MM)
    return card_scene(f"priority-card:{piece_id}", words, width, height, [inside])
