"""The fixed places of a train card: what rusts the train, what it rusts, what may be traded in for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.lettering import ink_height, line_step
from platelayer.drawing.kit.parts import chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.facts import called, colour_of_name, rusted_by
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Group, Item, Path, Stroke, translation
from platelayer.scene.typeset import TypeStyle, rise_mm, set_line, text_width

say = FixedWords("cards")

_CHIP_EMS = 1.16
_TAIL_GAP_MM = 0.9
_BETWEEN_MM = 0.9
"""Between two values of a place."""
_COLUMN_GAP_MM = 2.4
_BELOW_LABEL_MM = 0.75
_LINE_GAP_MM = 0.55
_LEADING = 1.15


class PlaceTypes(Struct, frozen=True, kw_only=True):
    """Type of the places."""

    label: TypeStyle
    chip: TypeStyle


class _Value(Struct, frozen=True, kw_only=True):
    """A train's name on a chip, and a price beside it."""

    name: str
    ground: Ink
    tail: str = ""

    def width(self, types: PlaceTypes) -> float:
        """Width in mm on one line."""
        tail = text_width(self.tail, types.chip) + _TAIL_GAP_MM if self.tail else 0.0
        return chip_width(self.name, types.chip) + tail


class _Fact(Struct, frozen=True, kw_only=True):
    """Words and the trains that they are about; words without trains stand for themselves."""

    label: str
    values: tuple[_Value, ...] = ()


_Place = tuple[_Fact, ...]


def _places(title: Title, train: Train, face: TrainFace, style: Style) -> tuple[_Place, ...]:
    """What stands in each of the three places of a face."""

    def values(names: Iterable[str]) -> tuple[_Value, ...]:
        return tuple(
            _Value(name=called(title, name), ground=tile_ink(colour_of_name(title, name), style)) for name in names
        )

    def told(words: Text, names: Sequence[str]) -> _Place:
        return (_Fact(label=style.words(words), values=values(names)),) if names else ()

    ends = told(say("obsolete_by"), face.obsolete_on) + told(say("rusted_by"), face.rusts_on)
    traded = tuple(
        replace(value, tail=title.money(trade.price)) for trade in face.trade_ins for value in values([trade.train])
    )
    return (
        ends or (_Fact(label=style.words(say("permanent"))),),
        told(say("rusts"), rusted_by(title, train, face)),
        (_Fact(label=style.words(say("trade_in")), values=traded),) if traded else (),
    )


class Places(Struct, frozen=True, kw_only=True):
    """Where the places are on all train cards of a title, for a width: the columns that its trains use, each with its x
    and width; or, where these do not stand side by side, rows one below the other (no columns). In `airy` places the
    values of each stand on one line; `beside` their label on low faces."""

    width: float
    types: PlaceTypes
    airy: bool
    beside: bool
    columns: tuple[tuple[float, float], ...]
    used: tuple[int, ...]

    @staticmethod
    def of(title: Title, style: Style, types: PlaceTypes, width: float, *, beside: bool = False) -> Places:
        """The places that hold what all trains of a title say, the values below their labels or beside them."""
        faces = [_places(title, train, face, style) for train in title.trains for face in train.faces]
        used = tuple(index for index in range(3) if any(places[index] for places in faces))
        every = [[fact for places in faces for fact in places[index]] for index in used]
        wanted = [max(_wanted(fact, types, beside=beside) for fact in facts) for facts in every]
        least = wanted if beside else [max(_least(fact, types) for fact in facts) for facts in every]
        room = width - _COLUMN_GAP_MM * (len(used) - 1)
        if math.fsum(least) > room:
            return Places(width=width, types=types, airy=False, beside=False, columns=(), used=used)
        spare = room - math.fsum(least)
        more = math.fsum(wanted) - math.fsum(least)
        share = min(1.0, spare / more) if more > 0 else 0.0
        rest = max(0.0, spare - more) / len(used)
        x, columns = 0.0, []
        for low, high in zip(least, wanted, strict=True):
            wide = low + (high - low) * share + rest
            columns.append((x, wide))
            x += wide + _COLUMN_GAP_MM
        return Places(
            width=width, types=types, airy=more <= spare + 0.01, beside=beside, columns=tuple(columns), used=used
        )


def _least(fact: _Fact, types: PlaceTypes) -> float:
    return max([text_width(fact.label, types.label), *(value.width(types) for value in fact.values)])


def _wanted(fact: _Fact, types: PlaceTypes, *, beside: bool) -> float:
    row, label = (
        math.fsum(value.width(types) + _BETWEEN_MM for value in fact.values),
        text_width(fact.label, types.label),
    )
    return label + row if beside else max(label, row - _BETWEEN_MM)


def told_items(
    title: Title, train: Train, face: TrainFace, style: Style, width: float
) -> tuple[tuple[Item, ...], float]:
    """What a face says in the places as running text in a narrow face: for cards with too much to say for chips."""
    kind = style.type("train.note.tight")
    items: list[Item] = []
    y = 0.0
    for fact in (fact for place in _places(title, train, face, style) for fact in place):
        values = " · ".join(f"{value.name} {value.tail}".strip() for value in fact.values)
        lines = wrap_within(f"{fact.label} {values}".strip(), kind, width)
        rise = max(rise_mm(lines[0], kind), ink_height(lines[0], kind.beside(lines[0]))[1])
        step = line_step(lines, kind, _LEADING)
        items += set_lines(lines, kind, style.ink("card.text"), 0.0, y + rise, leading=step / kind.size_mm)
        foot = -ink_height(lines[-1], kind.beside(lines[-1]))[0] + 0.05
        y += rise + (len(lines) - 1) * step + max(_LINE_GAP_MM, foot)
    return tuple(items), max(0.0, y)


def place_items(
    title: Title, train: Train, face: TrainFace, style: Style, places: Places
) -> tuple[tuple[Item, ...], float]:
    """What a face says in the places, from (0, 0) down; and how high that is in mm."""
    types = places.types
    found = [_places(title, train, face, style)[index] for index in places.used]
    items: list[Item] = []
    line = types.chip.size_mm * _CHIP_EMS
    if not places.columns:
        # Each place keeps its line on every card, whether it says something or not.
        y = 0.0
        for place in found:
            begun = y
            for fact in place:
                block, tall = _row(fact, types, style, places.width, y)
                items += block
                y += max(tall, line) + _LINE_GAP_MM
            y = max(y, begun + line + _LINE_GAP_MM)
        return tuple(items), max(0.0, y - _LINE_GAP_MM)
    height = 0.0
    for place, (x, width) in zip(found, places.columns, strict=True):
        y = 0.0
        for fact in place:
            if places.beside:
                block, tall = _row(fact, types, style, width + 0.01, y)
                items.append(Group(items=block, matrix=translation(x, 0.0)))
            else:
                block, tall = _column(fact, types, style, (x, y, width))
                items += block
            y += tall + _LINE_GAP_MM
        height = max(height, y - _LINE_GAP_MM)
    least = line if places.beside else types.label.cap_height_mm + _BELOW_LABEL_MM + line
    height = max(height, least)
    hair = Stroke(ink=style.ink("card.rule"), width_mm=0.12)
    items += [
        Path(commands=(("M", x - _COLUMN_GAP_MM / 2, -0.3), ("L", x - _COLUMN_GAP_MM / 2, least)), stroke=hair)
        for place, (x, _) in zip(found[1:], places.columns[1:], strict=True)
        if place
    ]
    return tuple(items), height


def _column(
    fact: _Fact, types: PlaceTypes, style: Style, at: tuple[float, float, float]
) -> tuple[tuple[Item, ...], float]:
    """A label with its values below it, within x, y and a width."""
    x, y, width = at
    ink = style.ink("card.soft") if fact.values else style.ink("card.text")
    rise = rise_mm(fact.label, types.label)
    items: list[Item] = [*set_line(fact.label, types.label, ink, x, y + rise)]
    if not fact.values:
        return tuple(items), rise
    block, tall = _flow(fact.values, types, style, width, lambda dy: (x, y + rise + _BELOW_LABEL_MM + dy))
    return (*items, *block), rise + _BELOW_LABEL_MM + tall


def _row(fact: _Fact, types: PlaceTypes, style: Style, width: float, y: float) -> tuple[tuple[Item, ...], float]:
    """A label with its values beside it, on as many lines as they need."""
    ink = style.ink("card.soft") if fact.values else style.ink("card.text")
    lines = wrap_within(fact.label, types.label, width)
    rise, step = rise_mm(fact.label, types.label), _LEADING * types.label.size_mm
    tall = types.chip.size_mm * _CHIP_EMS if fact.values else rise
    base = y + (tall + rise) / 2
    items = [*set_lines(lines, types.label, ink, 0.0, base, leading=_LEADING)]
    after = (text_width(lines[-1], types.label) + _BETWEEN_MM) if lines else 0.0
    down = step * (len(lines) - 1)
    if not fact.values:
        return tuple(items), tall + down
    if after + fact.values[0].width(types) > width:
        after, down = 0.0, down + tall + _LINE_GAP_MM
    block, high = _flow(fact.values, types, style, width, lambda dy: (0.0, y + down + dy), first=after)
    return (*items, *block), down + high


def _flow(
    values: Sequence[_Value],
    types: PlaceTypes,
    style: Style,
    width: float,
    place: Callable[[float], tuple[float, float]],
    *,
    first: float = 0.0,
) -> tuple[tuple[Item, ...], float]:
    """Values on as many lines as they need, the first beginning further in; `place` says where a line begins."""
    tall = types.chip.size_mm * _CHIP_EMS
    items: list[Item] = []
    x, y = first, 0.0
    for value in values:
        wide = value.width(types)
        if x > 0 and x + wide > width + 0.01:
            x, y = 0.0, y + tall + _LINE_GAP_MM
        if wide > width + 0.01:
            words = f"{value.name} {value.tail}".strip()
            lines = wrap_within(words, types.chip, width)
            left, top = place(y)
            ink, step = style.ink("card.text"), _LEADING * types.chip.size_mm
            items += set_lines(lines, types.chip, ink, left, top + rise_mm(words, types.chip), leading=_LEADING)
            x, y = 0.0, y + step * len(lines)
            continue
        left, top = place(y)
        middle = top + tall / 2
        items += chip_items(value.name, value.ground, types.chip, left + x, middle)
        if value.tail:
            at = left + x + chip_width(value.name, types.chip) + _TAIL_GAP_MM
            base = middle + types.chip.cap_height_mm / 2
            items += set_line(value.tail, types.chip, style.ink("card.text"), at, base)
        x += wide + _BETWEEN_MM
    return tuple(items), y + (tall if x > 0 else 0.0)
