"""Cards for a single phase: its number large in the colour of its tiles, beside it what it allows."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.hex.patterns import box_path, motif_items
from platelayer.drawing.kinds import CARD_SAFE_MM
from platelayer.drawing.kit.parts import card_scene, ground, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.table_stack import SCALES
from platelayer.drawing.kit.tables import Cell, Column, DoesNotFit, Drawn, Span, Table, Words, draw_table
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    begins,
    lays_cell,
    limited_name,
    namesakes,
    tiles_cell,
    told,
    value_cell,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.phase import Phase
from platelayer.model.title import Size, Title
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Anchor, Group, Item, Path, Scene, rectangle_path, translation
from platelayer.scene.typeset import fit, rise_mm, set_centred, set_line

say = FixedWords("cards")

_BAND = 0.28
"""Width of the band as a share of the card."""
_GAP_MM = 0.9
_PAD_MM = 0.5
"""Least air above and below each row."""


def draw_phase(title: Title, phase: Phase, size: Size, style: Style, *, key: str) -> Scene:
    """One phase on a card of its own. Raises DoesNotFit when its facts do not fit even in the smallest type."""
    width, height = size.width_mm, size.height_mm
    band = width * _BAND
    left, right = band + 2.6, width - CARD_SAFE_MM - 0.4
    top, low = CARD_SAFE_MM + 0.5, height - CARD_SAFE_MM - 0.3
    told = _fitting(title, phase, right - left, low - top, style)
    if told is None:
        hint = "give phase-card a larger size, or shorten what happens in the phase"
        raise DoesNotFit(f"phase-card: phase {phase.id} does not fit a card of {width:g} x {height:g} mm", hint)
    down = top + (low - top - told.height) / 2
    items: list[Item] = [
        ground(width, height, BLEED_MM, style.ink("card.ground")),
        *_band_items(title, phase, band, height, style),
        Group(items=told.items, matrix=translation(left, down)),
    ]
    return card_scene(key, f"{style.words(say('phase'))} {phase_name(title, phase)}", width, height, items)


def phase_name(title: Title, phase: Phase) -> str:
    """What a phase is called: as it is, or after all trains on the card whose first sale begins it."""
    names = namesakes(title, phase)
    return "/".join(names) if names[0] == phase.id else phase.id


def _band_items(title: Title, phase: Phase, band: float, height: float, style: Style) -> tuple[Item, ...]:
    """The band in the colour of the newest tiles, with the word and the name of the phase."""
    colour = phase.tiles[-1] if phase.tiles else "white"
    fill, dark, b = tile_ink(colour, style), style.ink("card.accent"), BLEED_MM
    tall = height + 2 * b
    ink = readable_on(fill)
    pattern = style.theme.patterns.get(colour)
    box = (band - pattern.rim_mm, -b, band, height + b) if pattern is not None else None
    word, label = style.words(say("phase")), style.type("train.label")
    left = CARD_SAFE_MM
    edge = band - 1.2 - (pattern.rim_mm if pattern is not None else 0.0)
    middle, room = (left + edge) / 2, edge - left - 1.2
    head = CARD_SAFE_MM + 0.5 + rise_mm(word, label)
    name = phase_name(title, phase)
    big = fit(name, style.type("train.name").at(62), room)
    return (
        Path(commands=rectangle_path(-b, -b, band + b, tall), fill=fill),
        *((Group(items=motif_items(pattern, box, 1.0), clip=box_path(box)),) if pattern and box else ()),
        Path(commands=rectangle_path(band, -b, 0.5, tall), fill=dark),
        Path(commands=rectangle_path(band + 0.85, -b, 0.18, tall), fill=dark),
        *set_line(word, fit(word, label, room), ink, middle, head, anchor=Anchor.MIDDLE),
        *set_centred(name, big, ink, middle, (head + height - CARD_SAFE_MM) / 2),
    )


def _fitting(title: Title, phase: Phase, width: float, room: float, style: Style) -> Drawn | None:
    """The facts in the largest type that fits, their rows as airy as the room allows."""
    for scale in (each for each in SCALES if each <= 1):
        try:
            types = CardTypes.of(style, scale)
            tight = _facts(title, phase, width, types, style, pad=_PAD_MM)
            if tight.height <= room:
                spare = (room - tight.height) / (2 * max(1, len(tight.rows) + 1))
                return _facts(title, phase, width, types, style, pad=_PAD_MM + min(0.5, spare * 0.9))
        except DoesNotFit:
            continue
    return None


def _facts(title: Title, phase: Phase, width: float, types: CardTypes, style: Style, *, pad: float) -> Drawn:
    """A row for each fact, and below them what happens in the phase."""
    text, soft = style.ink("card.text"), style.ink("card.soft")

    def row(words: str, cell: Cell) -> tuple[Cell, ...]:
        return Words(text=words, kind=types.head, ink=soft), cell

    rows = [row(style.words(say("begins_with")), Words(text=begins(title, phase, style), kind=types.strong, ink=text))]
    if phase.tiles:
        rows.append(row(style.words(say("tiles")), tiles_cell(phase, style, types)))
    if phase.tile_lays is not None:
        rows.append(row(style.words(say("tile_lays")), lays_cell(phase, style, types)))
    if phase.revenue is not None:
        rows.append(row(style.words(say("off_board")), value_cell(phase, style, types)))
    hair, strong = style.ink("card.hair"), style.ink("card.accent")
    columns = (Column(), Column(flexible=True))
    blocks = [
        draw_table(
            Table(columns=columns, rows=tuple(rows), head=False, pad=pad, gap=2.0, rule=hair, strong=strong), width
        )
    ]
    if phase.train_limits:
        span = Span(
            first=0,
            last=len(phase.train_limits) - 1,
            words=Words(text=style.words(say("train_limit")), kind=types.head, ink=soft),
        )
        names = replace(types.head, capitals=False)
        who = tuple(
            Words(text=limited_name(title, each.who, style), kind=names, ink=soft) for each in phase.train_limits
        )
        limits = tuple(Words(text=str(each.limit), kind=types.figure, ink=text) for each in phase.train_limits)
        middle = (Column(align=Anchor.MIDDLE),) * len(who)
        blocks.append(
            draw_table(
                Table(
                    columns=middle, rows=(who, limits), spans=(span,), pad=pad * 0.8, gap=1.2, rule=hair, strong=strong
                ),
                width,
            )
        )
    events = told(phase, style)
    if events:
        lines = wrap_within(events, types.body, width)
        below = (len(lines) - 1) * 1.2 * types.body.size_mm + 0.25 * types.body.size_mm
        base = types.body.size_mm * 0.8
        words = set_lines(lines, types.body, text, 0.0, base, leading=1.2)
        blocks.append(Drawn(items=words, height=base + below))
    return _stacked(blocks, pad)


def _stacked(blocks: list[Drawn], pad: float) -> Drawn:
    """Blocks one below the other."""
    items: list[Item] = []
    rows: list[float] = []
    y = 0.0
    for number, block in enumerate(blocks):
        y += (_GAP_MM + pad) if number else 0.0
        items.append(Group(items=block.items, matrix=translation(0, y)))
        rows += [y + row for row in block.rows]
        y += block.height
    return Drawn(items=tuple(items), height=y, rows=(*rows, y))
