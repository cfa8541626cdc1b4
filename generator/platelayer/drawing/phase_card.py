"""A title in, its phase card out: what each phase allows, trains with prices and counts, bonuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from platelayer.drawing import card_words as say
from platelayer.drawing.card_parts import CARD_BLEED_MM, CARD_SAFE_MM, card_scene, ground, heading_band
from platelayer.drawing.phase_tables import CardTypes, Side, bonus_line, phase_table, side_of, train_tables
from platelayer.drawing.style import Style
from platelayer.drawing.tables import DoesNotFit, Drawn, draw_table
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Scene, translation

_SCALES = (1.15, 1.1, 1.05, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.72, 0.68)
_LARGE_SCALES = (1.3, 1.25, 1.2)
_FEW_PHASES = 4
"""So many phases leave room for larger type, and for what happens in them."""
_GAP_MM = 2.6
_SIDE_MM = 4.0
_MOST_PAD_MM = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """Blocks one below the other, the gaps between them, and how many rows could take more room."""

    blocks: tuple[Drawn, ...]
    rows: int

    @property
    def height(self) -> float:
        """Height in mm with gaps."""
        return sum(block.height for block in self.blocks) + _GAP_MM * (len(self.blocks) - 1)


def draw_phase_card(title: Title, piece_id: str, style: Style) -> Scene:
    """The front of the phase card in the title's size. Raises DoesNotFit when the phases do not fit even in the least
    type."""
    return draw_phase_card_side(title, piece_id, style, back=False)


def draw_phase_card_side(title: Title, piece_id: str, style: Style, *, back: bool) -> Scene:
    """The front of the phase card, or the back of a two-sided one: its phases, their trains and, in front, bonuses."""
    side = side_of(title, back=back)
    size = title.pieces.size("phase-card", piece_id)
    width, height = size.width_mm, size.height_mm
    name = style.words(say.PHASES)
    band, top = heading_band(name, style.words(title.name), width, style)
    room = height - top - 1.6 - CARD_SAFE_MM - 0.8
    # Events are paragraphs: set large they would tear the rows apart.
    scales = [scale for scale in _SCALES if scale <= 1 or not any(phase.events for phase in side.phases)]
    if len(side.phases) <= _FEW_PHASES:
        scales = [*_LARGE_SCALES, *_SCALES]
    body = _fitting(
        lambda scale, pad: _body(title, side, style, width - 2 * _SIDE_MM, scale=scale, pad=pad), room, scales
    )
    if body is None:
        hint = "give phase-card a larger size, or shorten what happens in the phases"
        raise DoesNotFit(f"phase-card: the phases do not fit a card of {width:g} x {height:g} mm", hint)
    items: list[Item] = [ground(width, height, CARD_BLEED_MM, style.ink("card.ground")), *band]
    spare = max(0.0, room - body.height) / max(1, len(body.blocks))
    y = top + 1.6 + min(1.0, spare / 2)
    for block in body.blocks:
        items.append(Group(items=block.items, matrix=translation(_SIDE_MM, y)))
        y += block.height + _GAP_MM + min(3.0, spare)
    return card_scene(f"phase-card:{piece_id}{':back' if back else ''}", name, width, height, items)


def _fitting(body: Callable[[float, float], _Body], room: float, scales: Sequence[float]) -> _Body | None:
    """The largest type that fits, then rows as airy as the room allows."""
    for scale in scales:
        try:
            tight = body(scale, 0.0)
        except DoesNotFit:
            continue
        if tight.height <= room:
            extra = min(_MOST_PAD_MM * max(1.0, scale) ** 3, (room - tight.height) / (2 * max(1, tight.rows)) * 0.85)
            return body(scale, extra)
    return None


def _body(title: Title, side: Side, style: Style, width: float, *, scale: float, pad: float) -> _Body:
    types = CardTypes.of(style, scale)
    tables = [phase_table(title, side, style, types, pad), *train_tables(title, side, style, types, pad)]
    drawn = [draw_table(table, width) for table in tables]
    drawn += [bonus_line(bonus, style, types, width) for bonus in side.bonuses]
    return _Body(blocks=tuple(drawn), rows=sum(len(table.rows) for table in tables))
