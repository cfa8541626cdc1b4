"""Tables of phases and trains."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.patterns import letter_of
from platelayer.drawing.kit.parts import hexagon, tile_ink
from platelayer.drawing.kit.rich_text import rich_width, set_lines, set_rich, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.table_stack import TIGHT
from platelayer.drawing.kit.tables import Cell, Chips, Column, Drawn, Span, Swatches, Table, Words
from platelayer.drawing.kit.text_blocks import listed
from platelayer.drawing.train.facts import (
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
from platelayer.model.phase import Phase
from platelayer.model.title import RevenueBonus, Title
from platelayer.model.train import Train, TrainFace
from platelayer.scene.breaks import join_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Anchor, Item, Stroke
from platelayer.scene.typeset import TypeStyle, set_centred

say = FixedWords("cards")

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
            kind = style.type(name)
            return kind.at(max(kind.min_pt, round(kind.size_pt * scale, 2)))

        return CardTypes(
            head=sized("card.head"),
            body=sized("card.body.tight" if scale <= TIGHT else "card.body"),
            strong=sized("card.strong"),
            figure=sized("card.figure"),
            chip=sized("card.chip"),
            scale=scale,
        )


class Side(Struct, frozen=True, kw_only=True):
    """What one side of the phase card shows."""

    phases: tuple[Phase, ...]
    trains: tuple[Train, ...]
    bonuses: tuple[RevenueBonus, ...]


def side_of(title: Title, card_id: str, *, back: bool) -> Side:
    """The phases of a side, and the trains on sale from one of them on; trains of no phase and bonuses are in front."""
    front, behind = title.phase_sides(card_id)
    later = {phase.id for phase in behind}
    trains = (t for t in title.trains if ((phase_of(title, t) or t.faces[0].available_from) in later) is back)
    return Side(phases=behind if back else front, trains=tuple(trains), bonuses=() if back else title.bonuses)


def whole_side(title: Title) -> Side:
    """Everything on one side."""
    return Side(phases=title.phases, trains=title.trains, bonuses=title.bonuses)


def briefer_sides(title: Title) -> tuple[Side, ...]:
    """Everything, then what is left for smaller cards: without what happens in phases and bonuses, without trains."""
    plain = tuple(replace(phase, events=(), status=()) for phase in title.phases)
    return (
        whole_side(title),
        Side(phases=plain, trains=title.trains, bonuses=()),
        Side(phases=plain, trains=(), bonuses=()),
    )


def limited_name(title: Title, who: str, style: Style) -> str:
    """Whom a train limit binds: a kind or size of companies, or the only company of its size."""
    of_size = [company.name for company in title.companies if company.size == who]
    if who not in say.table("who") and len(of_size) == 1:
        return style.words(of_size[0])
    return style.named(who, say.table("who"))


def limits_of(phases: Sequence[Phase]) -> tuple[str, ...]:
    """Everybody with a train limit in some phase, in order of first mention."""
    return tuple(dict.fromkeys(limit.who for phase in phases for limit in phase.train_limits))


def phase_table(title: Title, side: Side, style: Style, types: CardTypes, pad: float) -> Table:
    """A row for each phase. Columns that say nothing (off-board values, events, operating rounds where the round track
    shows them) are left out."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    phases, who = side.phases, limits_of(title.phases)
    valued = any(phase.revenue is not None for phase in title.phases)
    eventful = any(phase.events or phase.status for phase in phases)
    counted = any(phase.operating_rounds for phase in title.phases)
    laid = any(phase.tile_lays is not None for phase in phases)

    def head(words: str) -> Words:
        return Words(text=words, kind=types.head, ink=soft)

    def figure(value: int | None) -> Words:
        return Words(text=_NONE if value is None else str(value), kind=types.figure, ink=text)

    heads: list[Cell] = [head(style.words(words)) for words in (say("phase"), say("begins_with"), say("tiles"))]
    if laid:
        heads.append(head(style.words(say("tile_lays"))))
    heads += [head(limited_name(title, each, style)) for each in who]
    columns = [Column(align=Anchor.MIDDLE), Column(), Column(), *([Column()] if laid else [])]
    columns += [Column(align=Anchor.MIDDLE)] * len(who)
    if counted:
        heads.append(head(style.words(say("operating_rounds"))))
        columns.append(Column(align=Anchor.MIDDLE))
    if valued:
        heads.append(head(style.words(say("off_board"))))
        columns.append(Column(align=Anchor.MIDDLE))
    if eventful:
        heads.append(None)
        columns.append(Column(flexible=True))
    before = 4 if laid else 3
    rows: list[tuple[Cell, ...]] = [tuple(heads)]
    for phase in phases:
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        row: list[Cell] = [
            Chips(names=((phase.id, tile_ink(phase.tiles[-1] if phase.tiles else "white", style)),), kind=types.chip),
            Words(text=begins(title, phase, style), kind=types.body, ink=text),
            tiles_cell(phase, style, types),
            *([lays_cell(phase, style, types)] if laid else ()),
            *(figure(limits.get(each)) for each in who),
        ]
        if counted:
            row.append(figure(phase.operating_rounds))
        if valued:
            row.append(value_cell(phase, style, types))
        if eventful:
            words = told(phase, style)
            row.append(Words(text=words, kind=types.body, ink=text) if words else None)
        rows.append(tuple(row))
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        spans=(Span(first=before, last=before + len(who) - 1, words=head(style.words(say("train_limit")))),)
        if who
        else (),
        pad=0.62 + pad,
        gap=2.6,
    )


def lays_cell(phase: Phase, style: Style, types: CardTypes) -> Cell:
    """How many tiles a company lays."""
    if phase.tile_lays is None:
        return None
    return Words(text=style.words(phase.tile_lays), kind=types.body, ink=style.ink("card.text"))


def tiles_cell(phase: Phase, style: Style, types: CardTypes) -> Cell:
    """The colours of tiles that may be laid."""
    return Swatches(
        inks=tuple(tile_ink(colour, style) for colour in phase.tiles),
        edge=style.ink("card.text"),
        size_mm=3.5 * types.scale,
        letters=tuple(letter_of(colour, style) for colour in phase.tiles),
        kind=_letters(style),
    )


def begins(title: Title, phase: Phase, style: Style) -> str:
    """With what a phase begins: the first sale of a train, or of any of those on the card that it is called after."""
    if phase.on is None:
        return style.words(phase.begins or say("at_start"))
    return style.words(say("first_train"), listed(namesakes(title, phase), style, last=say("or")))


def namesakes(title: Title, phase: Phase) -> tuple[str, ...]:
    """The trains of which the first that is sold begins a phase, each with the others on its card where that has the
    name of one of them."""
    found: tuple[str, ...] = ()
    for name in phase.begun_by:
        train = title.train_by_id.get(name)
        names = tuple(face.name for face in train.faces) if train is not None else ()
        found += names if name in names else (called(title, name),)
    return tuple(dict.fromkeys(found)) or (phase.id,)


def told(phase: Phase, style: Style) -> str:
    """What happens as a phase begins, and what holds while it lasts; a dot parts what does not end as sentences do."""
    parts = [style.words(text) for text in (*phase.events, *phase.status)]
    ended = (part if part.rstrip().endswith(_ENDS) else part + _DOT for part in parts[:-1])
    return join_parts([*ended, *parts[-1:]])


def value_cell(phase: Phase, style: Style, types: CardTypes) -> Cell:
    """The key of the off-board values in force: a plate in its colour, or the word itself."""
    if phase.revenue is None:
        return None
    if phase.revenue in say.table("colour"):
        ink = _key_ink(phase.revenue, style)
        return Swatches(
            inks=(ink,),
            edge=style.ink("card.text"),
            size_mm=2.7 * types.scale,
            plate=True,
            letters=(letter_of(phase.revenue, style),),
            kind=_letters(style),
        )
    return Words(text=phase.revenue, kind=types.strong, ink=style.ink("card.text"))


def _letters(style: Style) -> TypeStyle:
    """Letters of colours on swatches."""
    return style.type("tile.colour").at(MIN_PLAY_PT)


def _key_ink(colour: str, style: Style) -> Ink:
    plain = {"black": "black", "white": "white"}
    return style.ink(plain[colour]) if colour in plain else tile_ink(colour, style)


def train_tables(title: Title, side: Side, style: Style, types: CardTypes, pad: float) -> tuple[Table, ...]:
    """A column for each train with its price, count and what rusts it (a row only where something does); in several
    tables when there are many. Trains that share one card stay together below its letter."""
    count = sum(len(train.faces) for train in side.trains)
    most = _MOST_TRAINS if types.scale > TIGHT else _MOST_TIGHT
    each = math.ceil(count / max(1, math.ceil(count / most)))
    blocks: list[list[tuple[Train, TrainFace]]] = []
    for train in side.trains:
        if not blocks or len(blocks[-1]) >= each:
            blocks.append([])
        blocks[-1] += [(train, face) for face in train.faces]
    return tuple(_train_table(title, faces, style, types, pad) for faces in blocks)


def _card_spans(faces: Sequence[tuple[Train, TrainFace]], types: CardTypes, ink: Ink) -> tuple[Span, ...]:
    """The letter of each card above its trains, where a card can be one of several trains and has a letter of its
    own."""
    if all(len(train.faces) == 1 or train.id in (face.name for face in train.faces) for train, _ in faces):
        return ()
    columns: dict[str, list[int]] = {}
    for number, (train, _) in enumerate(faces, start=1):
        columns.setdefault(train.id, []).append(number)
    return tuple(
        Span(first=those[0], last=those[-1], words=Words(text=card, kind=types.strong, ink=ink))
        for card, those in columns.items()
    )


def _train_table(
    title: Title, faces: Sequence[tuple[Train, TrainFace]], style: Style, types: CardTypes, pad: float
) -> Table:
    text, soft = style.ink("card.text"), style.ink("card.soft")

    def label(words: str) -> Words:
        return Words(text=words, kind=types.head, ink=soft)

    def chips(names: Sequence[str]) -> Cell:
        if not names:
            return Words(text=_NONE, kind=types.body, ink=soft)
        first = (called(title, names[0]), tile_ink(colour_of_name(title, names[0]), style))
        return Chips(names=(first,), kind=types.chip.at(max(types.chip.min_pt, types.chip.size_pt * 0.86)))

    rows: list[tuple[Cell, ...]] = [
        (
            label(style.words(say("train"))),
            *(
                Chips(names=((face.name, tile_ink(band_colour(title, train, face), style)),), kind=types.chip)
                for train, face in faces
            ),
        ),
        (
            label(style.words(say("price"))),
            *(Words(text=title.money(face.price), kind=types.figure, ink=text) for _, face in faces),
        ),
        (
            label(style.words(say("count"))),
            *(Words(text="∞" if train.unlimited else cards_of(train), kind=types.body, ink=text) for train, _ in faces),
        ),
    ]
    if any(face.rusts_on or face.obsolete_on for _, face in faces):
        rows.append(
            (label(style.words(say("rusted"))), *(chips(face.rusts_on + face.obsolete_on) for _, face in faces))
        )
    if any(face.trade_ins for _, face in faces):
        rows.append((label(style.words(say("trade_in"))), *(_trade(title, face, types, text) for _, face in faces)))
    for stops in dict.fromkeys(stops for _, face in faces for stops, _ in paying(face, style)):
        counts = (dict(paying(face, style)).get(stops) for _, face in faces)
        cells = (Words(text=_NONE if count is None else str(count), kind=types.body, ink=text) for count in counts)
        rows.append((label(style.words(say("paying"), stops)), *cells))
    for stops in dict.fromkeys(stops for _, face in faces for stops, _ in multiplied(face, style)):
        times = (dict(multiplied(face, style)).get(stops, 1) for _, face in faces)
        tolds = (Words(text=_NONE if each == 1 else f"{each} ×", kind=types.body, ink=text) for each in times)
        rows.append((label(style.words(say("multiplier"), stops)), *tolds))
    for stops in dict.fromkeys(stops for _, face in faces for stops in skipped(face, style)):
        told = (style.words(say("yes")) if stops in skipped(face, style) else _NONE for _, face in faces)
        row = (Words(text=each, kind=types.body, ink=text) for each in told)
        rows.append((label(style.words(say("skips"), stops)), *row))
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


def _trade(title: Title, face: TrainFace, types: CardTypes, ink: Ink) -> Cell:
    if not face.trade_ins:
        return Words(text=_NONE, kind=types.body, ink=ink)
    words = ", ".join(f"{called(title, trade.train)}: {title.money(trade.price)}" for trade in face.trade_ins)
    return Words(text=words, kind=types.body, ink=ink)


def bonus_line(bonus: RevenueBonus, style: Style, types: CardTypes, width: float) -> Drawn:
    """A bonus table on one line: its name, then each heading (a hex where it is a colour) with its amounts; the note
    below."""
    text, soft, edge = style.ink("card.text"), style.ink("card.soft"), style.ink("card.text")
    name = style.words(bonus.name)
    tall = types.figure.size_mm * 1.1
    middle = tall / 2
    items: list[Item] = list(set_rich(name, types.head, soft, 0.0, middle + types.head.cap_height_mm / 2))
    x = rich_width(name.upper() if types.head.capitals else name, types.head) + 4.0
    y = tall
    for heading, amounts in bonus.rows:
        words = "  ".join(str(amount) for amount in amounts)
        size = 3.4 * types.scale
        coloured = heading in say.table("colour")
        lead = size * 1.155 if coloured else rich_width(heading, types.strong)
        wide = lead + 1.4 + rich_width(words, types.figure)
        if x + wide > width and x > 0.1:
            x, middle, y = 0.0, middle + tall + 0.6, y + tall + 0.6
        if coloured:
            ink = tile_ink(heading, style)
            items.append(hexagon(x + lead / 2, middle, size, ink, Stroke(ink=edge, width_mm=0.15)))
            items += set_centred(letter_of(heading, style), _letters(style), readable_on(ink), x + lead / 2, middle)
        else:
            items += set_rich(heading, types.strong, text, x, middle + types.strong.cap_height_mm / 2)
        items += set_rich(words, types.figure, text, x + lead + 1.4, middle + types.figure.cap_height_mm / 2)
        x += wide + 5.0
    if bonus.note is not None:
        lines = wrap_within(style.words(bonus.note), types.body, width)
        y += 1.1
        items += set_lines(lines, types.body, text, 0.0, y + types.body.cap_height_mm, leading=1.2)
        y += types.body.cap_height_mm + ((len(lines) - 1) * 1.2 + 0.25) * types.body.size_mm
    return Drawn(items=tuple(items), height=y)
