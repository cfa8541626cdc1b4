"""Destination cards: what destinations pay, by tile colour."""

from __future__ import annotations

from platelayer.drawing.kit.card import Card, design_card
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.rich_text import wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.map_tile import rose_items
from platelayer.foundation.languages import FixedWords
from platelayer.model.tile import RevenueStep
from platelayer.model.title import DestinationCard, Title
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
from platelayer.scene.typeset import fit, set_centred, set_line

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
    size = title.pieces.size("destination-card", piece_id)
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
