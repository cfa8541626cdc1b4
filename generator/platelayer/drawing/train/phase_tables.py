"""Tables of phases and trains."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.ground import letter_of
from platelayer.drawing.kit.layout import (
    Block,
    chip_block,
    flowed,
    in_row,
    paragraph,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import LEAD, listed
from platelayer.drawing.kit.parts import hexagon, key_edge, tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import (
    TIGHT,
    Cell,
    Column,
    Span,
    Stack,
    Table,
    Words,
    swatch_block,
)
from platelayer.drawing.train.card import (
    band_colour,
    called,
    cards_of,
    colour_of_name,
    multiplied,
    paying,
    phase_of,
    price_of,
    skipped,
)
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.values import Frozen
from platelayer.model.title import RevenueBonus, Title
from platelayer.model.train import Phase, Train, TrainFace
from platelayer.scene.breaks import holds_wide, join_parts
from platelayer.scene.inks import readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Anchor, Stroke
from platelayer.scene.typeset import TypeStyle, set_centred

card_words = FixedWords("cards")

# Maximum number of trains in a table, and in one with tight type because of long names or prices.
_MOST_TRAINS, _MOST_TIGHT = 13, 7
_NONE = "–"
# Minimum space above and below each row, and between columns.
PAD_MM, GAP_MM = 0.62, 2.6
# Punctuation that may end a sentence.
_ENDS = (".", "!", "?", ":", ";", ",", "。", "！", "？", "…")


class CardTypes(Frozen, kw_only=True):
    """Type of the card at one scale."""

    head: TypeStyle
    body: TypeStyle
    strong: TypeStyle
    figure: TypeStyle
    chip: TypeStyle
    scale: float

    @staticmethod
    def of(style: Style, scale: float) -> CardTypes:
        """Return all type styles at this scale, none below its minimum size."""

        def sized(name: str) -> TypeStyle:
            type_style = style.type(name)
            return type_style.at(max(type_style.min_pt, round(type_style.size_pt * scale, 2)))

        return CardTypes(
            head=sized("card.head"),
            body=sized("card.body.tight" if scale <= TIGHT else "card.body"),
            strong=sized("card.strong"),
            figure=sized("card.figure"),
            chip=sized("card.chip"),
            scale=scale,
        )


class Cells(Frozen, kw_only=True):
    """Cells of a title's tables of phases and trains, in type at one scale."""

    title: Title
    style: Style
    types: CardTypes

    @staticmethod
    def of(title: Title, style: Style, scale: float) -> Cells:
        """Return cells in type at this scale."""
        return Cells(title=title, style=style, types=CardTypes.of(style, scale))

    def table(
        self, columns: Sequence[Column], rows: Iterable[Sequence[Cell]], **options: Any
    ) -> Table:
        """Return a table in the inks of cards."""
        return Table(
            columns=tuple(columns),
            rows=tuple(map(tuple, rows)),
            rule=self.style.ink("card.hair"),
            strong=self.style.ink("card.accent"),
            **options,
        )

    def soft(self, words: str) -> Words:
        """Return the head of a row or column."""
        return Words(words, self.types.head, self.style.ink("card.soft"))

    def label(self, key: str, *args: object) -> Words:
        """Return fixed words as the head of a row or column."""
        return self.soft(self.style.words(card_words(key), *args))

    def words(self, text: str, type_style: TypeStyle | None = None) -> Words:
        """Return words, in the body type unless another is given."""
        ink = self.style.ink("card.text")
        return Words(text, type_style or self.types.body, ink)

    def figure(self, value: int | None) -> Words:
        """Return a number, or a dash for None."""
        return self.words(_NONE if value is None else str(value), self.types.figure)

    def swatches(self, colours: Sequence[str], size_mm: float, *, plate: bool = False) -> Block:
        """Return swatches of colours with their letters, `size_mm` high at full type size."""
        style = self.style
        blocks = [
            swatch_block(
                colour,
                style,
                size_mm * self.types.scale,
                plate=plate,
                letter=letter_of(colour, style),
                type_style=_letters(style),
            )
            for colour in colours
        ]
        return in_row(*blocks, gap=0.5)

    def chip(self, name: str, colour: str, type_style: TypeStyle | None = None) -> Block:
        """Return a name on a plate in a tile colour."""
        return chip_block(name, colour, type_style or self.types.chip, self.style)

    def phase(self, phase: Phase) -> Cell:
        """Return the id of a phase in the colour of its newest tiles."""
        return self.chip(phase.id, phase.tiles[-1] if phase.tiles else "white")

    def begins(self, phase: Phase) -> Words:
        """Return how a phase begins: as stated, or with the first sale of a train or of any train
        on the card that the phase is named after."""
        if phase.on is None:
            return self.words(self.style.words(phase.begins or card_words("at_start")))
        names = listed(namesakes(self.title, phase), self.style, last=card_words("or"))
        return self.words(self.style.words(card_words("first_train"), names))

    def tiles(self, phase: Phase) -> Cell:
        """Return the colours of tiles that may be laid."""
        return self.swatches(phase.tiles, 3.5)

    def lays(self, phase: Phase) -> Cell:
        """Return a company's tile lays; None if not stated."""
        return None if phase.tile_lays is None else self.words(self.style.words(phase.tile_lays))

    def limit(self, who: str, phase: Phase) -> Words:
        """Return the train limit of companies of a kind or size."""
        return self.figure({limit.who: limit.limit for limit in phase.train_limits}.get(who))

    def rounds(self, phase: Phase) -> Words:
        """Return the number of operating rounds."""
        return self.figure(phase.operating_rounds)

    def value(self, phase: Phase) -> Cell:
        """Return the key of the off-board values in force: a plate in its colour, or the word
        itself."""
        if phase.revenue is None:
            return None
        if phase.revenue in card_words.table("colour"):
            return self.swatches((phase.revenue,), 2.7, plate=True)
        return self.words(phase.revenue, self.types.strong)

    def events(self, phases: Sequence[Phase], phase: Phase) -> Cell:
        """Return the events and rules of one of several phases."""
        words = events_of(phases, phase, self.style)
        return self.words(words) if words else None


class Side(Frozen):
    """Contents of one side of the phase card."""

    phases: tuple[Phase, ...]
    trains: tuple[Train, ...]
    bonuses: tuple[RevenueBonus, ...]


def side_of(title: Title, card_id: str, *, back: bool) -> Side:
    """Return the phases of a side, and the trains on sale from one of these phases. Trains of no
    phase, and bonuses, are on the front."""
    front, behind = title.phase_sides(card_id)
    later = {phase.id for phase in behind}
    trains = tuple(
        train
        for train in title.trains
        if ((phase_of(title, train) or train.faces[0].available_from) in later) is back
    )
    if back:
        return Side(behind, trains, ())
    return Side(front, trains, title.bonus_tables)


def whole_side(title: Title) -> Side:
    """Return everything on one side."""
    return Side(title.phases, title.trains, title.bonus_tables)


def briefer_sides(title: Title) -> tuple[Side, ...]:
    """Return everything, then less for smaller cards: first without events of phases and bonuses,
    then also without trains."""
    plain = tuple(replace(phase, events=(), status=()) for phase in title.phases)
    return (
        whole_side(title),
        Side(plain, title.trains, ()),
        Side(plain, (), ()),
    )


def limited_name(title: Title, who: str, style: Style) -> str:
    """Return the name of the companies bound by a train limit: a kind or size, or the only company
    of that size."""
    of_size = [company.name for company in title.companies if company.size == who]
    if who not in card_words.table("who") and len(of_size) == 1:
        return style.words(of_size[0])
    return style.named(who, card_words.table("who"))


def limits_of(phases: Sequence[Phase]) -> tuple[str, ...]:
    """Return everyone with a train limit in some phase, in order of first mention."""
    return tuple(dict.fromkeys(limit.who for phase in phases for limit in phase.train_limits))


class PhaseFact(NamedTuple):
    """One fact that a table states for each phase; `limit` is set for a train limit."""

    head: Cell
    cell: Callable[[Phase], Cell]
    column: Column = Column(align=Anchor.MIDDLE)
    limit: bool = False


def phase_facts(cells: Cells, phases: Sequence[Phase], *, brief: bool = False) -> list[PhaseFact]:
    """Return the facts to state about phases. Empty ones (off-board values, events, operating
    rounds where the round track shows them) are omitted, with `brief` also tile lays and events."""
    title, label = cells.title, cells.label
    facts = [
        PhaseFact(label("phase"), cells.phase),
        PhaseFact(label("begins_with"), cells.begins, Column()),
        PhaseFact(label("tiles"), cells.tiles, Column()),
    ]
    if not brief and any(phase.tile_lays is not None for phase in phases):
        facts.append(PhaseFact(label("tile_lays"), cells.lays, Column()))
    for owner in limits_of(title.phases):
        head = cells.soft(limited_name(title, owner, cells.style))
        facts.append(PhaseFact(head, partial(cells.limit, owner), limit=True))
    if any(phase.operating_rounds for phase in title.phases):
        facts.append(PhaseFact(label("operating_rounds"), cells.rounds))
    if any(phase.revenue is not None for phase in title.phases):
        facts.append(PhaseFact(label("off_board"), cells.value))
    if not brief and any(phase.events or phase.status for phase in phases):
        events = partial(cells.events, phases)
        facts.append(PhaseFact(None, events, Column(flexible=True)))
    return facts


def phase_table(cells: Cells, side: Side, pad: float) -> Table:
    """Return a table with a row for each phase."""
    facts = phase_facts(cells, side.phases)
    limits = [number for number, fact in enumerate(facts) if fact.limit]
    words = cells.label("train_limit")
    spans = (Span(limits[0], limits[-1], words),) if limits else ()
    rows = ([fact.cell(phase) for fact in facts] for phase in side.phases)
    heads, columns = [fact.head for fact in facts], [fact.column for fact in facts]
    return cells.table(columns, (heads, *rows), spans=spans, pad=PAD_MM + pad, gap=GAP_MM)


def namesakes(title: Title, phase: Phase) -> tuple[str, ...]:
    """Return the names of the trains whose first sale begins a phase. A train that names a card of
    several trains brings in all of them. Without any, return the phase's id."""
    names_of: tuple[str, ...] = ()
    for name in phase.begun_by:
        train = title.train_by_id.get(name)
        names = tuple(face.name for face in train.faces) if train is not None else ()
        names_of += names if name in names else (called(title, name),)
    return tuple(dict.fromkeys(names_of)) or (phase.id,)


def events_of(phases: Sequence[Phase], phase: Phase, style: Style) -> str:
    """Return the events at the start of one of these phases and the rules during it, each ending as
    a sentence. A rule that applies in several of the phases is stated once, where it begins."""
    number, last = phases.index(phase), len(phases) - 1
    stated: dict[str, list[str]] = {"": [*map(style.words, phase.events)]}
    for rule in phase.status:
        if number and rule in phases[number - 1].status:
            continue
        end, lead = number, ""
        while end < last and rule in phases[end + 1].status:
            end += 1
        if end > number:
            key = "from_phase" if end == last else "phases_to"
            lead = style.words(card_words(key), phase.id, phases[end].id)
        stated.setdefault(lead, []).append(style.words(rule))
    parts = []
    for lead, texts in stated.items():
        ended = [
            text if text.rstrip().endswith(_ENDS) else text + ("。" if holds_wide(text) else ".")
            for text in texts
        ]
        if lead:
            ended[0] = style.words(LEAD, lead, ended[0])
        parts += ended
    return join_parts(parts)


def _letters(style: Style) -> TypeStyle:
    """Return the type of the letters on swatches."""
    return style.type("tile.colour").at(MIN_PLAY_PT)


def train_tables(
    title: Title, side: Side, style: Style, types: CardTypes, pad: float
) -> tuple[Table, ...]:
    """Return tables with a column for each train: its price, count and what rusts it (a row only if
    some train rusts). Many trains take several tables. Trains that share a card stay together,
    below its letter."""
    count = sum(len(train.faces) for train in side.trains)
    most = _MOST_TRAINS if types.scale > TIGHT else _MOST_TIGHT
    per_block = math.ceil(count / max(1, math.ceil(count / most)))
    blocks: list[list[tuple[Train, TrainFace]]] = []
    for train in side.trains:
        if not blocks or len(blocks[-1]) >= per_block:
            blocks.append([])
        blocks[-1] += [(train, face) for face in train.faces]
    return tuple(_train_table(title, faces, style, types, pad) for faces in blocks)


def _train_table(
    title: Title,
    faces: Sequence[tuple[Train, TrainFace]],
    style: Style,
    types: CardTypes,
    pad: float,
) -> Table:
    cells = Cells(title=title, style=style, types=types)
    small = types.chip.by(0.86)
    rows: list[tuple[Cell, ...]] = []

    def add(key: str, row: Iterable[Cell], *args: object) -> None:
        rows.append((cells.label(key, *args), *row))

    def rusted(names: Sequence[str]) -> Cell:
        if not names:
            return replace(cells.soft(_NONE), type_style=types.body)
        return cells.chip(called(title, names[0]), colour_of_name(title, names[0]), small)

    def trade(face: TrainFace) -> Cell:
        by_price: dict[str, list[str]] = {}
        for each in face.trade_ins:
            by_price.setdefault(title.money(each.price), []).append(called(title, each.train))
        trades = [f"{', '.join(names)}: {price}" for price, names in by_price.items()]
        return cells.words("; ".join(trades) or _NONE)

    names = (cells.chip(face.name, band_colour(title, train, face)) for train, face in faces)
    add("train", names)
    prices = (price_of(title, face) or _NONE for _, face in faces)
    add("price", (cells.words(price, types.figure) for price in prices))
    counts = ("∞" if train.unlimited else cards_of(train) for train, _ in faces)
    add("count", map(cells.words, counts))
    if any(face.obsolete_on for _, face in faces):
        add("obsolete_by", (rusted(face.obsolete_on) for _, face in faces))
    if any(face.rusts_on for _, face in faces):
        add("rusted", (rusted(face.rusts_on) for _, face in faces))
    if any(face.trade_ins for _, face in faces):
        add("trade_in", (trade(face) for _, face in faces))
    for key, sign, of_face in (("paying", "", paying), ("multiplier", " ×", multiplied)):
        by_face = [dict(of_face(face, style)) for _, face in faces]
        for stops in dict.fromkeys(stops for counts in by_face for stops in counts):
            row = [f"{each[stops]}{sign}" if stops in each else _NONE for each in by_face]
            add(key, map(cells.words, row), stops)
    passed = [skipped(face, style) for _, face in faces]
    for stops in dict.fromkeys(stops for each in passed for stops in each):
        yes = style.words(card_words("yes"))
        add(
            "skips",
            (cells.words(yes if stops in each else _NONE) for each in passed),
            stops,
        )
    # The letter of each card stands above its trains if cards hold several trains and have letters
    # of their own.
    spans = []
    if any(
        len(train.faces) > 1 and all(face.name != train.id for face in train.faces)
        for train, _ in faces
    ):
        numbers_of: dict[str, list[int]] = {}
        for number, (train, _) in enumerate(faces, start=1):
            numbers_of.setdefault(train.id, []).append(number)
        for card, numbers in numbers_of.items():
            words = cells.words(card, types.strong)
            spans.append(Span(numbers[0], numbers[-1], words))
    columns = (Column(), *([Column(align=Anchor.MIDDLE)] * len(faces)))
    return cells.table(
        columns,
        rows,
        spans=tuple(spans),
        pad=0.5 + pad * 0.8,
        gap=1.0,
        even=True,
        wraps=types.scale <= TIGHT,
    )


def side_stack(
    cells: Cells, side: Side, pad: float, width: float, more: Sequence[Table] = ()
) -> Stack:
    """Stack a side's tables of phases and trains, more tables, and the side's bonuses. Raises
    DoesNotFit."""
    trains = train_tables(cells.title, side, cells.style, cells.types, pad)
    bonuses = [_bonus_block(bonus, cells, width) for bonus in side.bonuses]
    return Stack.of((phase_table(cells, side, pad), *trains, *more), width, bonuses)


def _bonus_block(bonus: RevenueBonus, cells: Cells, width: float) -> Block:
    """Lay out a bonus table on one line: its name, then each heading (a hex if it is a colour) with
    its amounts; below it the note."""
    style, types, ink = cells.style, cells.types, cells.style.ink("card.text")
    tall, size = types.figure.size_mm * 1.1, 3.4 * types.scale
    name = text_block((style.words(bonus.name),), types.head, style.ink("card.soft"))
    # The first heading stands a little closer to the name.
    entries = [in_row(name, -1.0).sized(name.width - 1.0, tall)]
    for row in bonus.rows:
        head = text_block((row.head,), types.strong, ink)
        if row.head in card_words.table("colour"):
            fill, letter = tile_ink(row.head, style), letter_of(row.head, style)
            hexed = hexagon(0, 0, size, fill, key_edge(row.head, style, Stroke(ink, 0.15)))
            on_it = set_centred(letter, _letters(style), readable_on(fill), 0, 0)
            head = shape_block((hexed, *on_it), size * 1.155, size)
        amounts = text_block(("  ".join(map(str, row.amounts)),), types.figure, ink)
        entry = in_row(head, 1.4, amounts)
        entries.append(entry.sized(entry.width, tall))
    line = flowed(entries, width, 5.0, 0.6)
    if bonus.note is None:
        return line
    note = paragraph(style.words(bonus.note), types.body, ink, width, fill=False)
    return stacked(line, 1.1, note, 0.25 * types.body.size_mm, align=Anchor.START)
