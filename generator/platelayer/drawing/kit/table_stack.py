"""Cards with tables and lines one below the other, in the largest type that fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from platelayer.drawing.kinds import CARD_SAFE_MM
from platelayer.drawing.kit.parts import card_scene, ground, heading_band
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.tables import DoesNotFit, Drawn, Table, draw_table
from platelayer.model.title import Size, Title
from platelayer.scene.shapes import Group, Item, Scene, translation

SCALES = (1.15, 1.1, 1.05, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.72, 0.68)
"""Scales of type, the largest first."""
TIGHT = SCALES[-1]
"""At this scale words are set in a narrow face."""
_GAP_MM = 2.6
_SIDE_MM = 4.0
_MOST_PAD_MM = 1.0


class Head(Struct, frozen=True, kw_only=True):
    """A card's key, what stands in its band, and its size."""

    key: str
    name: str
    size: Size


class Stack(Struct, frozen=True, kw_only=True):
    """Blocks one below the other, and how many rows of them could take more room."""

    blocks: tuple[Drawn, ...]
    rows: int

    @staticmethod
    def of(tables: Sequence[Table], width_mm: float, more: Sequence[Drawn] = ()) -> Stack:
        """Tables, and what else stands below them. Raises DoesNotFit when a table is too wide."""
        drawn = (*(draw_table(table, width_mm) for table in tables), *more)
        return Stack(blocks=drawn, rows=sum(len(table.rows) for table in tables))

    @property
    def height(self) -> float:
        """Height in mm with gaps."""
        return math.fsum(block.height for block in self.blocks) + _GAP_MM * (len(self.blocks) - 1)


Stacked = Callable[[float, float, float], Stack]
"""What a card shows at a scale of type, with this much air above and below each row, in a column of this width (mm)."""


def stacked_card(title: Title, head: Head, stack: Stacked, style: Style, *, scales: Sequence[float] = SCALES) -> Scene:
    """The card of this head. Raises DoesNotFit when the stack does not fit even in the smallest type."""
    width, height = head.size.width_mm, head.size.height_mm
    band, top = heading_band(head.name, style.words(title.name), width, style)
    room = height - top - 1.6 - CARD_SAFE_MM - 0.8
    body = _fitting(stack, width - 2 * _SIDE_MM, room, scales)
    if body is None:
        kind = head.key.partition(":")[0]
        hint = f"give {kind} a larger size, or shorten the events of the phases"
        raise DoesNotFit(f"{kind}: the phases do not fit a card of {width:g} x {height:g} mm", hint)
    items: list[Item] = [ground(width, height, BLEED_MM, style.ink("card.ground")), *band]
    spare = max(0.0, room - body.height) / max(1, len(body.blocks))
    y = top + 1.6 + min(1.0, spare / 2)
    for block in body.blocks:
        items.append(Group(items=block.items, matrix=translation(_SIDE_MM, y)))
        y += block.height + _GAP_MM + min(3.0, spare)
    return card_scene(head.key, head.name, width, height, items)


def _fitting(stack: Stacked, width: float, room: float, scales: Sequence[float]) -> Stack | None:
    """The largest type that fits, then rows as airy as the room allows."""
    for scale in scales:
        try:
            tight = stack(scale, 0.0, width)
        except DoesNotFit:
            continue
        if tight.height <= room:
            extra = min(_MOST_PAD_MM * max(1.0, scale) ** 3, (room - tight.height) / (2 * max(1, tight.rows)) * 0.85)
            return stack(scale, extra, width)
    return None
