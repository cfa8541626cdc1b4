"""Phase cards: what phases allow, trains with prices and counts, and bonuses."""

from __future__ import annotations

from platelayer.drawing.cards.phase_reminder import draw_phase
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.table_stack import SCALES, Head, Stack, stacked_card
from platelayer.drawing.train.phase_tables import CardTypes, Side, bonus_line, phase_table, side_of, train_tables
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene

say = FixedWords("cards")

_LARGE_SCALES = (1.3, 1.25, 1.2)
_FEW_PHASES = 4
"""Up to this many phases leave room for larger type, and for what happens in them."""


def draw_phase_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The front of a phase card in the title's size. Raises DoesNotFit when the phases do not fit even in the smallest
    type, KeyError for a card that the title has not."""
    return draw_phase_card_side(title, piece_id, style, back=False)


def draw_phase_card_side(title: Title, piece_id: str, style: Style, *, back: bool) -> Scene:
    """The front of a phase card, or the back of a two-sided one: a single phase at large, or the table of several with
    their trains and, in front, bonuses."""
    side = side_of(title, piece_id, back=back)
    key = f"phase-card:{piece_id}{':back' if back else ''}"
    size = title.pieces.size("phase-card", piece_id)
    chosen = any(card.id == piece_id and card.front for card in title.pieces.phase_cards)
    if len(side.phases) == 1 and (chosen or len(title.phases) > 1):
        return draw_phase(title, side.phases[0], size, style, key=key)
    head = Head(key=key, name=style.words(say("phases")), size=size)
    return draw_tables(title, side, head, style)


def draw_tables(title: Title, side: Side, head: Head, style: Style) -> Scene:
    """The tables of phases and trains, and the bonuses, of one side. Raises DoesNotFit."""
    # Events are paragraphs: in large type they would pull the rows apart.
    scales = [scale for scale in SCALES if scale <= 1 or not any(phase.events or phase.status for phase in side.phases)]
    if len(side.phases) <= _FEW_PHASES:
        scales = [*_LARGE_SCALES, *SCALES]

    def stack(scale: float, pad: float, width: float) -> Stack:
        types = CardTypes.of(style, scale)
        tables = [phase_table(title, side, style, types, pad), *train_tables(title, side, style, types, pad)]
        return Stack.of(tables, width, [bonus_line(bonus, style, types, width) for bonus in side.bonuses])

    return stacked_card(title, head, stack, style, scales=scales)
