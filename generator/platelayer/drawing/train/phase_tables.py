"""Tables of phases and trains."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.ground import letter_of
from platelayer.drawing.kit.parts import hexagon, tile_ink
from platelayer.drawing.kit.rich_text import listed, rich_width, set_lines, set_rich, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import (
    TIGHT,
    Cell,
    Chips,
    Column,
    Drawn,
    Span,
    Swatches,
    Table,
    Words,
)
from platelayer.drawing.train.card import (
    band_colour,
    called,
    cards_of,
    colour_of_name,
    multiplied,
    paying,
    phase_of,
    skipped,
)
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.title import RevenueBonus, Title
from platelayer.model.train import Phase, Train, TrainFace
from platelayer.scene.breaks import join_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Anchor, Item, Stroke
from platelayer.scene.typeset import TypeStyle, set_centred

card_words = FixedWords("cards")

_MOST_TRAINS, _MOST_TIGHT = 13, 7
"""Trains beside each other, and those whose names or prices are long."""
_NONE = "–"
_ENDS = (".", "!", "?", ":", ";", ",", "。", "！", "？", "…")
_DOT = " ·"


class CardTypes(Struct, frozen=True, kw_only=True):
    """Type of the card at one scale."""

    head: TypeStyle
    body: TypeStyle
    strong: TypeStyle
    figure: TypeStyle
    chip: TypeStyle
    scale: float

    @staticmethod
    def of(style: Style, scale: float) -> CardTypes:
        """All styles scaled alike, none below its least size."""

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


class Cells(Struct, frozen=True, kw_only=True):
    """The cells of tables of phases and trains of a title, in the type of one scale."""

    title: Title
    style: Style
    types: CardTypes

    def label(self, text: Text, *args: object) -> Words:
        """The head of a row or a column."""
        return Words(
            text=self.style.words(text, *args),
            type_style=self.types.head,
            ink=self.style.ink("card.soft"),
        )

    def words(self, text: str) -> Words:
        """Words in plain type."""
        return Words(text=text, type_style=self.types.body, ink=self.style.ink("card.text"))

    def figure(self, value: int | None) -> Words:
        """A number, or a dash."""
        text = _NONE if value is None else str(value)
        return Words(text=text, type_style=self.types.figure, ink=self.style.ink("card.text"))

    def phase(self, phase: Phase) -> Cell:
        """The id of a phase in the colour of its newest tiles."""
        ink = tile_ink(phase.tiles[-1] if phase.tiles else "white", self.style)
        return Chips(names=((phase.id, ink),), type_style=self.types.chip)

    def begins(self, phase: Phase) -> Words:
        """With what a phase begins: the first sale of a train, or of any of those on the card that
        it is called after."""
        if phase.on is None:
            return self.words(self.style.words(phase.begins or card_words("at_start")))
        names = listed(namesakes(self.title, phase), self.style, last=card_words("or"))
        return self.words(self.style.words(card_words("first_train"), names))

    def tiles(self, phase: Phase) -> Cell:
        """The colours of tiles that may be laid."""
        return Swatches(
            inks=tuple(tile_ink(colour, self.style) for colour in phase.tiles),
            edge=self.style.ink("card.text"),
            size_mm=3.5 * self.types.scale,
            letters=tuple(letter_of(colour, self.style) for colour in phase.tiles),
            type_style=_letters(self.style),
        )

    def lays(self, phase: Phase) -> Cell:
        """How many tiles a company lays."""
        return None if phase.tile_lays is None else self.words(self.style.words(phase.tile_lays))

    def limit(self, who: str, phase: Phase) -> Words:
        """How many trains a kind or size of companies may own."""
        return self.figure({limit.who: limit.limit for limit in phase.train_limits}.get(who))

    def rounds(self, phase: Phase) -> Words:
        """How many operating rounds there are."""
        return self.figure(phase.operating_rounds)

    def value(self, phase: Phase) -> Cell:
        """The key of the off-board values in force: a plate in its colour, or the word itself."""
        if phase.revenue is None:
            return None
        if phase.revenue in card_words.table("colour"):
            return Swatches(
                inks=(_key_ink(phase.revenue, self.style),),
                edge=self.style.ink("card.text"),
                size_mm=2.7 * self.types.scale,
                plate=True,
                letters=(letter_of(phase.revenue, self.style),),
                type_style=_letters(self.style),
            )
        return Words(
            text=phase.revenue, type_style=self.types.strong, ink=self.style.ink("card.text")
        )

    def told(self, phase: Phase) -> Cell:
        """What happens in a phase."""
        words = told(phase, self.style)
        return self.words(words) if words else None


class Side(Struct, frozen=True, kw_only=True):
    """What one side of the phase card shows."""

    phases: tuple[Phase, ...]
    trains: tuple[Train, ...]
    bonuses: tuple[RevenueBonus, ...]


def side_of(title: Title, card_id: str, *, back: bool) -> Side:
    """The phases of a side, and the trains on sale from one of them on; trains of no phase and
    bonuses are in front."""
    front, behind = title.phase_sides(card_id)
    later = {phase.id for phase in behind}
    trains = (
        t
        for t in title.trains
        if ((phase_of(title, t) or t.faces[0].available_from) in later) is back
    )
    return Side(
        phases=behind if back else front,
        trains=tuple(trains),
        bonuses=() if back else title.bonuses,
    )


def whole_side(title: Title) -> Side:
    """Everything on one side."""
    return Side(phases=title.phases, trains=title.trains, bonuses=title.bonuses)


def briefer_sides(title: Title) -> tuple[Side, ...]:
    """Everything, then what is left for smaller cards: without what happens in phases and bonuses,
    without trains."""
    plain = tuple(replace(phase, events=(), status=()) for phase in title.phases)
    return (
        whole_side(title),
        Side(phases=plain, trains=title.trains, bonuses=()),
        Side(phases=plain, trains=(), bonuses=()),
    )


def limited_name(title: Title, who: str, style: Style) -> str:
    """Whom a train limit binds: a kind or size of companies, or the only company of its size."""
    of_size = [company.name for company in title.companies if company.size == who]
    if who not in card_words.table("who") and len(of_size) == 1:
        return style.words(of_size[0])
    return style.named(who, card_words.table("who"))


def limits_of(phases: Sequence[Phase]) -> tuple[str, ...]:
    """Everybody with a train limit in some phase, in order of first mention."""
    return tuple(dict.fromkeys(limit.who for phase in phases for limit in phase.train_limits))


def phase_table(title: Title, side: Side, style: Style, types: CardTypes, pad: float) -> Table:
    """A row for each phase. Columns that say nothing (off-board values, events, operating rounds
    where the round track shows them) are left out."""
    cells = Cells(title=title, style=style, types=types)
    phases, who = side.phases, limits_of(title.phases)
    centred = Column(align=Anchor.MIDDLE)
    shown: list[tuple[Cell, Column, Callable[[Phase], Cell]]] = [
        (cells.label(card_words("phase")), centred, cells.phase),
        (cells.label(card_words("begins_with")), Column(), cells.begins),
        (cells.label(card_words("tiles")), Column(), cells.tiles),
    ]
    if any(phase.tile_lays is not None for phase in phases):
        shown.append((cells.label(card_words("tile_lays")), Column(), cells.lays))
    before = len(shown)
    for owner in who:
        named = Words(
            text=limited_name(title, owner, style),
            type_style=types.head,
            ink=style.ink("card.soft"),
        )
        shown.append((named, centred, partial(cells.limit, owner)))
    if any(phase.operating_rounds for phase in title.phases):
        shown.append((cells.label(card_words("operating_rounds")), centred, cells.rounds))
    if any(phase.revenue is not None for phase in title.phases):
        shown.append((cells.label(card_words("off_board")), centred, cells.value))
    if any(phase.events or phase.status for phase in phases):
        shown.append((None, Column(flexible=True), cells.told))
    limits = (
        Span(
            first=before, last=before + len(who) - 1, words=cells.label(card_words("train_limit"))
        ),
    )
    return Table(
        columns=tuple(column for _, column, _ in shown),
        rows=(
            tuple(head for head, _, _ in shown),
            *(tuple(cell(phase) for _, _, cell in shown) for phase in phases),
        ),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        spans=limits if who else (),
        pad=0.62 + pad,
        gap=2.6,
    )


def namesakes(title: Title, phase: Phase) -> tuple[str, ...]:
    """The trains of which the first that is sold begins a phase, each with the others on its card
    where that has the name of one of them."""
    names_of: tuple[str, ...] = ()
    for name in phase.begun_by:
        train = title.train_by_id.get(name)
        names = tuple(face.name for face in train.faces) if train is not None else ()
        names_of += names if name in names else (called(title, name),)
    return tuple(dict.fromkeys(names_of)) or (phase.id,)


def told(phase: Phase, style: Style) -> str:
    """What happens as a phase begins, and what holds while it lasts; a dot parts what does not end
    as sentences do."""
    parts = [style.words(text) for text in (*phase.events, *phase.status)]
    ended = (part if part.rstrip().endswith(_ENDS) else part + _DOT for part in parts[:-1])
    return join_parts([*ended, *parts[-1:]])


def _letters(style: Style) -> TypeStyle:
    """Letters of colours on swatches."""
    return style.type("tile.colour").at(MIN_PLAY_PT)


def _key_ink(colour: str, style: Style) -> Ink:
    plain = {"black": "black", "white": "white"}
    return style.ink(plain[colour]) if colour in plain else tile_ink(colour, style)


def train_tables(
    title: Title, side: Side, style: Style, types: CardTypes, pad: float
) -> tuple[Table, ...]:
    """A column for each train with its price, count and what rusts it (a row only where something
    does); in several tables when there are many. Trains that share one card stay together below its
    letter."""
    count = sum(len(train.faces) for train in side.trains)
    most = _MOST_TRAINS if types.scale > TIGHT else _MOST_TIGHT
    per_block = math.ceil(count / max(1, math.ceil(count / most)))
    blocks: list[list[tuple[Train, TrainFace]]] = []
    for train in side.trains:
        if not blocks or len(blocks[-1]) >= per_block:
            blocks.append([])
        blocks[-1] += [(train, face) for face in train.faces]
    return tuple(_train_table(title, faces, style, types, pad) for faces in blocks)


def _card_spans(
    faces: Sequence[tuple[Train, TrainFace]], types: CardTypes, ink: Ink
) -> tuple[Span, ...]:
    """The letter of each card above its trains, where a card can be one of several trains and has a
    letter of its own."""
    if all(
        len(train.faces) == 1 or train.id in (face.name for face in train.faces)
        for train, _ in faces
    ):
        return ()
    columns: dict[str, list[int]] = {}
    for number, (train, _) in enumerate(faces, start=1):
        columns.setdefault(train.id, []).append(number)
    return tuple(
        Span(
            first=those[0], last=those[-1], words=Words(text=card, type_style=types.strong, ink=ink)
        )
        for card, those in columns.items()
    )


def _train_table(
    title: Title,
    faces: Sequence[tuple[Train, TrainFace]],
    style: Style,
    types: CardTypes,
    pad: float,
) -> Table:
    text, soft = style.ink("card.text"), style.ink("card.soft")
    cells = Cells(title=title, style=style, types=types)

    def chips(names: Sequence[str]) -> Cell:
        if not names:
            return Words(text=_NONE, type_style=types.body, ink=soft)
        first = (called(title, names[0]), tile_ink(colour_of_name(title, names[0]), style))
        return Chips(
            names=(first,),
            type_style=types.chip.at(max(types.chip.min_pt, types.chip.size_pt * 0.86)),
        )

    def name(train: Train, face: TrainFace) -> Cell:
        return Chips(
            names=((face.name, tile_ink(band_colour(title, train, face), style)),),
            type_style=types.chip,
        )

    def price(face: TrainFace) -> Cell:
        return Words(text=title.money(face.price), type_style=types.figure, ink=text)

    rows: list[tuple[Cell, ...]] = [
        (cells.label(card_words("train")), *(name(train, face) for train, face in faces)),
        (cells.label(card_words("price")), *(price(face) for _, face in faces)),
        (
            cells.label(card_words("count")),
            *(cells.words("∞" if train.unlimited else cards_of(train)) for train, _ in faces),
        ),
    ]
    if any(face.rusts_on or face.obsolete_on for _, face in faces):
        rows.append(
            (
                cells.label(card_words("rusted")),
                *(chips(face.rusts_on + face.obsolete_on) for _, face in faces),
            )
        )
    if any(face.trade_ins for _, face in faces):
        rows.append(
            (
                cells.label(card_words("trade_in")),
                *(cells.words(_trade(title, face)) for _, face in faces),
            )
        )
    for stops in dict.fromkeys(stops for _, face in faces for stops, _ in paying(face, style)):
        counts = (dict(paying(face, style)).get(stops) for _, face in faces)
        row = (cells.words(_NONE if count is None else str(count)) for count in counts)
        rows.append((cells.label(card_words("paying"), stops), *row))
    for stops in dict.fromkeys(stops for _, face in faces for stops, _ in multiplied(face, style)):
        factors = (dict(multiplied(face, style)).get(stops, 1) for _, face in faces)
        row = (cells.words(_NONE if factor == 1 else f"{factor} ×") for factor in factors)
        rows.append((cells.label(card_words("multiplier"), stops), *row))
    for stops in dict.fromkeys(stops for _, face in faces for stops in skipped(face, style)):
        row = (
            cells.words(style.words(card_words("yes")) if stops in skipped(face, style) else _NONE)
            for _, face in faces
        )
        rows.append((cells.label(card_words("skips"), stops), *row))
    return Table(
        columns=(Column(), *([Column(align=Anchor.MIDDLE)] * len(faces))),
        rows=tuple(rows),
        spans=_card_spans(faces, types, text),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=0.5 + pad * 0.8,
        gap=1.0,
        even=True,
        wraps=types.scale <= TIGHT,
    )


def _trade(title: Title, face: TrainFace) -> str:
    return (
        ", ".join(
            f"{called(title, trade.train)}: {title.money(trade.price)}" for trade in face.trade_ins
        )
        or _NONE
    )


def bonus_line(bonus: RevenueBonus, style: Style, types: CardTypes, width: float) -> Drawn:
    """A bonus table on one line: its name, then each heading (a hex where it is a colour) with its
    amounts; the note below."""
    text, soft, edge = style.ink("card.text"), style.ink("card.soft"), style.ink("card.text")
    name = style.words(bonus.name)
    tall = types.figure.size_mm * 1.1
    middle = tall / 2
    items: list[Item] = list(
        set_rich(name, types.head, soft, 0.0, middle + types.head.cap_height_mm / 2)
    )
    x = rich_width(name.upper() if types.head.capitals else name, types.head) + 4.0
    y = tall
    for row in bonus.rows:
        heading = row.head
        words = "  ".join(str(amount) for amount in row.amounts)
        size = 3.4 * types.scale
        coloured = heading in card_words.table("colour")
        lead = size * 1.155 if coloured else rich_width(heading, types.strong)
        wide = lead + 1.4 + rich_width(words, types.figure)
        if x + wide > width and x > 0.1:
            x, middle, y = 0.0, middle + tall + 0.6, y + tall + 0.6
        if coloured:
            ink = tile_ink(heading, style)
            items.append(hexagon(x + lead / 2, middle, size, ink, Stroke(ink=edge, width_mm=0.15)))
            items += set_centred(
                letter_of(heading, style), _letters(style), readable_on(ink), x + lead / 2, middle
            )
        else:
            items += set_rich(
                heading, types.strong, text, x, middle + types.strong.cap_height_mm / 2
            )
        items += set_rich(
            words, types.figure, text, x + lead + 1.4, middle + types.figure.cap_height_mm / 2
        )
        x += wide + 5.0
    if bonus.note is not None:
        lines = wrap_within(style.words(bonus.note), types.body, width)
        y += 1.1
        items += set_lines(lines, types.body, text, 0.0, y + types.body.cap_height_mm, leading=1.2)
        y += types.body.cap_height_mm + ((len(lines) - 1) * 1.2 + 0.25) * types.body.size_mm
    return Drawn(items=tuple(items), height=y)
