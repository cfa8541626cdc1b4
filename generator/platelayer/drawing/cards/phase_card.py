"""Phase cards: tables of phases, of trains with prices and counts, and bonuses; and cards for a
single phase.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from platelayer.drawing.kit.card import card_scene, trimmed
from platelayer.drawing.kit.layout import Block, Box, paragraph, stacked, text_block
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import (
    SCALES,
    Cell,
    Column,
    DoesNotFit,
    Head,
    Span,
    Stack,
    draw_table,
    stacked_card,
)
from platelayer.drawing.train.card import side_band
from platelayer.drawing.train.phase_tables import (
    Cells,
    Side,
    events_of,
    limited_name,
    namesakes,
    side_of,
    side_stack,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.title import Size, Title
from platelayer.model.train import Phase
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Anchor, Scene
from platelayer.scene.typeset import fit, rise_mm

card_words = FixedWords("cards")

# Width of the band as a share of the card.
_BAND = 0.28
_GAP_MM = 0.9
# Least air above and below each row.
_PAD_MM = 0.5

_LARGE_SCALES = (1.3, 1.25, 1.2)
# Up to this many phases leave room for larger type, and for their events.
_FEW_PHASES = 4


def draw_phase_card(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """A phase card in the title's size: a single phase at large, or the table of several with their
    trains and, in front, bonuses. Raises DoesNotFit when the phases do not fit even in the smallest
    type, KeyError for a card that the title does not have."""
    side = side_of(title, piece_id, back=back)
    key = f"phase-card:{piece_id}{':back' if back else ''}"
    size = piece_size(title, "phase-card", piece_id)
    chosen = any(card.id == piece_id and card.front for card in title.pieces.phase_cards)
    if len(side.phases) == 1 and (chosen or len(title.phases) > 1):
        return _draw_phase(title, side.phases[0], size, style, key=key)
    head = Head(key=key, name=style.words(card_words("phases")), size=size)
    return draw_tables(title, side, head, style)


def draw_tables(title: Title, side: Side, head: Head, style: Style) -> Scene:
    """The tables of phases and trains, and the bonuses, of one side. Raises DoesNotFit."""
    # Events are paragraphs: in large type they would pull the rows apart.
    has_events = any(phase.events or phase.status for phase in side.phases)
    scales = [scale for scale in SCALES if scale <= 1 or not has_events]
    if len(side.phases) <= _FEW_PHASES:
        scales = [*_LARGE_SCALES, *SCALES]

    def stack(scale: float, pad: float, width: float) -> Stack:
        return side_stack(Cells.of(title, style, scale), side, pad, width)

    return stacked_card(title, head, stack, style, scales=scales)


def _draw_phase(title: Title, phase: Phase, size: Size, style: Style, *, key: str) -> Scene:
    """One phase on a card of its own: a band with its name, and its facts. Raises DoesNotFit when
    these do not fit even in the smallest type."""
    card = trimmed(size)
    band, _, beside, _ = card.columns(card.width * _BAND, 2.6, 0, CARD_SAFE_MM + 0.4)
    _, room, _ = beside.rows(CARD_SAFE_MM + 0.5, 0, CARD_SAFE_MM + 0.3)
    facts = _fitting(title, phase, room, style)
    if facts is None:
        on = f"a card of {size.width_mm:g} x {size.height_mm:g} mm"
        message = f"phase-card: phase {phase.id} does not fit {on}"
        hint = "give phase-card a larger size, or shorten what happens in the phase"
        raise DoesNotFit(message, hint)
    # A phase has its own name, or that of all trains on the card whose first sale begins it.
    names = namesakes(title, phase)
    name = "/".join(names) if names[0] == phase.id else phase.id
    colour = phase.tiles[-1] if phase.tiles else "white"
    pattern, ink = style.theme.patterns.get(colour), readable_on(tile_ink(colour, style))
    rim = 1.2 + (pattern.rim_mm if pattern is not None else 0)
    _, inner, _ = band.columns(CARD_SAFE_MM, 0, rim)
    word, measure = style.words(card_words("phase")), inner.width - 1.2
    label = fit(word, style.type("train.label"), measure)
    heading = text_block((word,), label, ink, measure, rise=rise_mm)
    above = CARD_SAFE_MM + 0.5
    _, middle, _ = inner.rows(above + heading.height, 0, CARD_SAFE_MM)
    items = (
        *side_band(colour, card, band.width, style),
        band.boxed(heading.paint(inner.x + 0.6, above)),
        middle.words(name, style.type("train.name").at(62), ink, pad=0.6),
        room.centred(facts),
    )
    return card_scene(key, f"{word} {name}", size, items, style)


def _fitting(title: Title, phase: Phase, room: Box, style: Style) -> Block | None:
    """The facts in the largest type that fits, their rows as airy as the room allows."""
    for scale in (smaller for smaller in SCALES if smaller <= 1):
        cells = Cells.of(title, style, scale)
        with suppress(DoesNotFit):
            tight, rows = _facts(cells, phase, room.width, _PAD_MM)
            if tight.height <= room.height:
                spare = (room.height - tight.height) / (2 * rows)
                return _facts(cells, phase, room.width, _PAD_MM + min(0.5, spare * 0.9))[0]
    return None


def _facts(cells: Cells, phase: Phase, width: float, pad: float) -> tuple[Block, int]:
    """A row for each fact, and below them the events of the phase; and how many rows could take
    more room."""
    types, style = cells.types, cells.style
    begins = replace(cells.begins(phase), type_style=types.strong)
    rows: list[tuple[Cell, ...]] = [(cells.label(card_words("begins_with")), begins)]
    if phase.tiles:
        rows.append((cells.label(card_words("tiles")), cells.tiles(phase)))
    if phase.tile_lays is not None:
        rows.append((cells.label(card_words("tile_lays")), cells.lays(phase)))
    if phase.revenue is not None:
        rows.append((cells.label(card_words("off_board")), cells.value(phase)))
    columns = (Column(), Column(flexible=True))
    tables = [draw_table(cells.table(columns, rows, head=False, pad=pad, gap=2.0), width)]
    if phase.train_limits:
        limits, words = phase.train_limits, cells.label(card_words("train_limit"))
        span = Span(first=0, last=len(limits) - 1, words=words)
        plain = replace(types.head, capitals=False)
        names = (limited_name(cells.title, limit.who, style) for limit in limits)
        heads = [replace(cells.soft(name), type_style=plain) for name in names]
        figures = [cells.figure(limit.limit) for limit in limits]
        middle = [Column(align=Anchor.MIDDLE)] * len(limits)
        table = cells.table(middle, (heads, figures), spans=(span,), pad=pad * 0.8, gap=1.2)
        tables.append(draw_table(table, width))
    # Above and below the whole there could be more room, too.
    spread = sum(len(table.rows) for table in tables) + 2
    parts: list[Block] = [*tables]
    events = events_of(phase, style)
    if events:
        em, ink = types.body.size_mm, style.ink("card.text")
        text = paragraph(events, types.body, ink, width, rise=lambda *_: em * 0.8)
        parts.append(stacked(text, em * 0.25))
    return stacked(*parts, gap=_GAP_MM + pad), spread
