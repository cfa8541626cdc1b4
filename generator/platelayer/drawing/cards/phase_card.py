"""Phase cards: tables of phases, of trains with prices and counts, and bonuses; and cards for a
single phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from platelayer.drawing.hex.ground import box_path, motif_items
from platelayer.drawing.kit.layout import placing
from platelayer.drawing.kit.parts import card_scene, ground, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.tables import (
    SCALES,
    Cell,
    Column,
    DoesNotFit,
    Drawn,
    Head,
    Span,
    Stack,
    Table,
    Words,
    draw_table,
    stacked_card,
)
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    Cells,
    Side,
    bonus_line,
    events_of,
    limited_name,
    namesakes,
    phase_table,
    side_of,
    train_tables,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.title import Size, Title
from platelayer.model.train import Phase
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Scene,
    boxed,
    rectangle_path,
)
from platelayer.scene.typeset import fit, rise_mm, set_centred, set_line

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
        types = CardTypes.of(style, scale)
        tables = [
            phase_table(title, side, style, types, pad),
            *train_tables(title, side, style, types, pad),
        ]
        bonuses = [bonus_line(bonus, style, types, width) for bonus in side.bonuses]
        return Stack.of(tables, width, bonuses)

    return stacked_card(title, head, stack, style, scales=scales)


def _draw_phase(title: Title, phase: Phase, size: Size, style: Style, *, key: str) -> Scene:
    """One phase on a card of its own. Raises DoesNotFit when its facts do not fit even in the
    smallest type."""
    width, height = size.width_mm, size.height_mm
    band = width * _BAND
    left, right = band + 2.6, width - CARD_SAFE_MM - 0.4
    top, low = CARD_SAFE_MM + 0.5, height - CARD_SAFE_MM - 0.3
    block = _fitting(title, phase, right - left, low - top, style)
    if block is None:
        message = f"phase-card: phase {phase.id} does not fit a card of {width:g} x {height:g} mm"
        hint = "give phase-card a larger size, or shorten what happens in the phase"
        raise DoesNotFit(message, hint)
    down = top + (low - top - block.height) / 2
    # A phase has its own name, or that of all trains on the card whose first sale begins it.
    names = namesakes(title, phase)
    name = "/".join(names) if names[0] == phase.id else phase.id
    items: list[Item] = [
        ground(width, height, BLEED_MM, style.ink("card.ground")),
        *_band_items(phase, name, band, height, style),
        *block.paint(left, down),
    ]
    label = f"{style.words(card_words('phase'))} {name}"
    return card_scene(key, label, width, height, items)


def _band_items(
    phase: Phase, name: str, band: float, height: float, style: Style
) -> tuple[Item, ...]:
    """The band in the colour of the newest tiles, with the word and the name of the phase."""
    colour = phase.tiles[-1] if phase.tiles else "white"
    fill, dark, b = tile_ink(colour, style), style.ink("card.accent"), BLEED_MM
    tall = height + 2 * b
    ink = readable_on(fill)
    pattern = style.theme.patterns.get(colour)
    word, label = style.words(card_words("phase")), style.type("train.label")
    left = CARD_SAFE_MM
    edge = band - 1.2 - (pattern.rim_mm if pattern is not None else 0.0)
    middle, room = (left + edge) / 2, edge - left - 1.2
    head = CARD_SAFE_MM + 0.5 + rise_mm(word, label)
    big = fit(name, style.type("train.name").at(62), room)
    items: list[Item] = [Path(commands=rectangle_path(-b, -b, band + b, tall), fill=fill)]
    if pattern is not None:
        box = (band - pattern.rim_mm, -b, band, height + b)
        items.append(Group(items=motif_items(pattern, box, 1.0), clip=box_path(box)))
    for x, wide in ((band, 0.5), (band + 0.85, 0.18)):
        items.append(Path(commands=rectangle_path(x, -b, wide, tall), fill=dark))
    words = (
        *set_line(word, fit(word, label, room), ink, middle, head, anchor=Anchor.MIDDLE),
        *set_centred(name, big, ink, middle, (head + height - CARD_SAFE_MM) / 2),
    )
    return (*items, boxed(words, 0.0, 0.0, band, height))


def _fitting(title: Title, phase: Phase, width: float, room: float, style: Style) -> Drawn | None:
    """The facts in the largest type that fits, their rows as airy as the room allows."""
    for scale in (smaller for smaller in SCALES if smaller <= 1):
        try:
            types = CardTypes.of(style, scale)
            tight = _facts(title, phase, width, types, style, pad=_PAD_MM)
            if tight.height <= room:
                spare = (room - tight.height) / (2 * max(1, len(tight.rows) + 1))
                pad = _PAD_MM + min(0.5, spare * 0.9)
                return _facts(title, phase, width, types, style, pad=pad)
        except DoesNotFit:
            continue
    return None


def _facts(
    title: Title, phase: Phase, width: float, types: CardTypes, style: Style, *, pad: float
) -> Drawn:
    """A row for each fact, and below them the events of the phase."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    cells = Cells(title=title, style=style, types=types)

    def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], **options: Any) -> Drawn:
        shown = Table(
            columns=tuple(columns),
            rows=tuple(map(tuple, rows)),
            rule=style.ink("card.hair"),
            strong=style.ink("card.accent"),
            **options,
        )
        return draw_table(shown, width)

    begins = replace(cells.begins(phase), type_style=types.strong)
    rows: list[tuple[Cell, ...]] = [(cells.label(card_words("begins_with")), begins)]
    if phase.tiles:
        rows.append((cells.label(card_words("tiles")), cells.tiles(phase)))
    if phase.tile_lays is not None:
        rows.append((cells.label(card_words("tile_lays")), cells.lays(phase)))
    if phase.revenue is not None:
        rows.append((cells.label(card_words("off_board")), cells.value(phase)))
    blocks = [table((Column(), Column(flexible=True)), rows, head=False, pad=pad, gap=2.0)]
    if phase.train_limits:
        limits, names = phase.train_limits, replace(types.head, capitals=False)
        heading = cells.label(card_words("train_limit"))
        span = Span(first=0, last=len(limits) - 1, words=heading)
        who = [limited_name(title, limit.who, style) for limit in limits]
        heads = [Words(text=name, type_style=names, ink=soft) for name in who]
        figures = [cells.figure(limit.limit) for limit in limits]
        middle = [Column(align=Anchor.MIDDLE)] * len(limits)
        blocks.append(table(middle, (heads, figures), spans=(span,), pad=pad * 0.8, gap=1.2))
    events = events_of(phase, style)
    if events:
        lines = wrap_within(events, types.body, width)
        below = (len(lines) - 1) * 1.2 * types.body.size_mm + 0.25 * types.body.size_mm
        base = types.body.size_mm * 0.8
        words = set_lines(lines, types.body, text, 0.0, base, leading=1.2, measure_mm=width)
        blocks.append(Drawn(width, base + below, placing(words)))
    items: list[Item] = []
    ends: list[float] = []
    y = 0.0
    for number, block in enumerate(blocks):
        y += (_GAP_MM + pad) if number else 0.0
        items += block.paint(0, y)
        ends += [y + row for row in block.rows]
        y += block.height
    return Drawn(width, y, placing(items), rows=(*ends, y))
