"""Player aids: sections in columns, in the largest type that fits."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.cards.phase_card import draw_tables
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.parts import (
    card_scene,
    ground,
    heading_band,
    rule,
    sign_items,
    tile_ink,
)
from platelayer.drawing.kit.rich_text import (
    opening,
    rich_width,
    scale,
    set_lines,
    set_rich,
    wrap_within,
)
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.tables import (
    Block,
    Cell,
    Chips,
    Column,
    Columns,
    DoesNotFit,
    Drawn,
    Head,
    Table,
    Words,
    balance,
    column_items,
    columns_height,
    draw_table,
    natural_width,
)
from platelayer.drawing.train.phase_tables import briefer_sides
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.title import Aid, AidSection, AidTable, Size, Title
from platelayer.scene.breaks import end_space, holds_wide
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    boxed,
    polygon_path,
    translation,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, rise_mm, set_centred

__all__ = ["DoesNotFit", "draw_summary"]

card_words = FixedWords("cards")
map_words = FixedWords("map")

_LARGEST_PT = 9.0
_AIRS = (1.8, 1.5, 1.25)
_SIDE_MM = 4.0
_COLUMN_GAP_MM = 5.0
_LEAST_COLUMN_MM = 42.0
_LEADING = 1.2
_INDENT_EMS = 1.05
_NUMBERED = re.compile(r"(\d+)[.)]?\s+(.*)", re.DOTALL)
_LEAD = re.compile(r"([^.:。：]{1,24}[.:。：])\s*(.*)", re.DOTALL)
_TOPIC = re.compile(r"([^.:。：]{1,24}[:：])\s*(.*)", re.DOTALL)
_MOST_LEAD = 0.62
"""Of a line, what words in bold at its beginning may take."""
_BADGE_EMS, _SIGN_EMS, _NUMBER_EMS = 1.16, 0.94, 1.06
"""Diameter of a company's badge, size of the sign of a step and diameter of the disc of its number,
in ems."""
_AFTER_EMS = 0.34
"""Between a badge, sign or number and the words after it, in ems."""


_Badges = tuple[tuple[str, Company], ...]
"""Companies by their names in the language of the print."""


class _Types(Struct, frozen=True, kw_only=True):
    """Type of an aid at one size, and the companies that stand as badges beside their names. Until
    `drawn` things are only measured."""

    head: TypeStyle
    body: TypeStyle
    strong: TypeStyle
    style: Style
    badges: _Badges
    drawn: bool = False

    @property
    def line_mm(self) -> float:
        """From baseline to baseline."""
        return self.body.size_mm * _LEADING


def draw_summary(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The player aid `piece_id` in the title's size; in front it may be the tables of phases and
    trains.

    The type of all aids of this size shrinks as needed, but not below its least size: then
    DoesNotFit. Raises KeyError for an unknown aid.
    """
    aid = {aid.id: aid for aid in title.aids}[piece_id]
    size = piece_size(title, "summary", piece_id)
    width, height = size.width_mm, size.height_mm
    name = style.words(aid.name)
    if aid.phases and not back:
        head = Head(key=f"summary:{piece_id}", name=style.words(card_words("phases")), size=size)
        *larger, least = briefer_sides(title)
        for side in larger:
            with suppress(DoesNotFit):
                return draw_tables(title, side, head, style)
        return draw_tables(title, least, head, style)
    band, top, room = _head(title, aid, size, style)
    badges = tuple(
        (style.words(company.name), company) for company in with_roundels(title).values()
    )
    shown, most = _turned(aid) if back else aid, _agreed_pt(title, size, style, badges)
    columns, column_mm = _fitted(shown, room, style, badges, most)
    gap = _COLUMN_GAP_MM
    lines = tuple(
        Path(
            commands=(("M", x, top), ("L", x, top + columns_height(columns))),
            stroke=Stroke(ink=style.ink("card.hair"), width_mm=0.15),
        )
        for number in range(1, len(columns))
        for x in (_SIDE_MM + number * (column_mm + gap) - gap / 2,)
    )
    body = Group(items=column_items(columns, column_mm, gap), matrix=translation(_SIDE_MM, top))
    items = (ground(width, height, BLEED_MM, style.ink("card.ground")), *band, *lines, body)
    return card_scene(f"summary:{piece_id}{':back' if back else ''}", name, width, height, items)


def _head(
    title: Title, aid: Aid, size: Size, style: Style
) -> tuple[tuple[Item, ...], float, tuple[float, float]]:
    """The band with the name of an aid, how far down its sections begin, and the room for them."""
    band, top = heading_band(style.words(aid.name), style.words(title.name), size.width_mm, style)
    top += 3.0
    return band, top, (size.width_mm - 2 * _SIDE_MM, size.height_mm - top - CARD_SAFE_MM - 1.2)


def _turned(aid: Aid) -> Aid:
    """An aid with what stands on its back."""
    return replace(aid, sections=aid.back)


def _agreed_pt(title: Title, size: Size, style: Style, badges: _Badges) -> float:
    """The largest of the sizes of type in which every side of every aid of this size fits that fits
    at all."""
    key = ("aids", size.width_mm, size.height_mm, style)
    if key not in title.kept:
        sizes = [_LARGEST_PT]
        for aid in title.aids:
            own = piece_size(title, "summary", aid.id)
            if (own.width_mm, own.height_mm) != (size.width_mm, size.height_mm):
                continue
            room = _head(title, aid, size, style)[2]
            for side in (*(() if aid.phases else (aid,)), *((_turned(aid),) if aid.back else ())):
                with suppress(DoesNotFit):
                    sizes.append(_choice(side, room, style, badges, _LARGEST_PT)[0].body.size_pt)
        title.kept[key] = min(sizes)
    agreed: float = title.kept[key]
    return agreed


def _fitted(
    aid: Aid, room: tuple[float, float], style: Style, badges: _Badges, most: float
) -> tuple[Columns, float]:
    """The sections in the largest type that fits, up to `most` pt, as airy as that allows, and the
    width of a column."""
    types, measure = _choice(aid, room, style, badges, most)
    air = next((air for air in _AIRS if _columns(aid, types, measure, air) is not None), 1.0)
    columns = _columns(aid, replace(types, drawn=True), measure, air)
    assert columns is not None
    return columns, measure.width


def _choice(
    aid: Aid, room: tuple[float, float], style: Style, badges: _Badges, most: float
) -> tuple[_Types, _Measure]:
    """The largest type and the columns in which the sections fit. Raises DoesNotFit."""
    width, _ = room
    least = style.type("aid.body").min_pt
    counts = [n for n in (2, 3, 4) if (width - (n - 1) * _COLUMN_GAP_MM) / n >= _LEAST_COLUMN_MM]
    sizes = [
        size.size_pt
        for size in scale(style.type("aid.body").at(_LARGEST_PT))
        if size.size_pt <= most
    ]
    # The blank half of a stop at the end of a Japanese line is beyond the line; in the safe zone,
    # if there is room.
    beyond = end_space("。") if holds_wide(style.words(aid.name)) else 0.0
    ways = ((blank, each) for blank in dict.fromkeys((beyond, 0.0)) for each in (counts, [1]))
    found = (
        _largest(aid, room, style, badges, sizes=sizes, counts=each, blank=blank)
        for blank, each in ways
    )
    fitted = next(filter(None, found), None)
    if fitted is None:
        message = f"summary:{aid.id} does not fit its card even at {least:g} pt"
        raise DoesNotFit(message, "shorten it, or give summary a larger size")
    return fitted


def _largest(
    aid: Aid,
    room: tuple[float, float],
    style: Style,
    badges: _Badges,
    *,
    sizes: Sequence[float],
    counts: Sequence[int],
    blank: float,
) -> tuple[_Types, _Measure] | None:
    """The largest of these sizes of type in which the sections fit one of these numbers of columns,
    with so many ems after the last that keep within the safe zone."""
    split: tuple[_Types, _Measure] | None = None
    for size in sizes:
        types, waited = _types(style, size, badges), split is not None
        width, height = (
            room[0] - max(0.0, blank * types.strong.size_mm - (_SIDE_MM - CARD_SAFE_MM)),
            room[1],
        )
        for whole in (True, False):
            for count in counts:
                column_mm = (width - (count - 1) * _COLUMN_GAP_MM) / count
                measure = _Measure(width=column_mm, height=height, count=count, whole=whole)
                fits = (whole or split is None) and _columns(aid, types, measure, 1.0) is not None
                if fits and whole:
                    return types, measure
                if fits:
                    split = split or (types, measure)
        # A whole section in the next smaller type is better than a split one, but not in the
        # smallest.
        if split is not None and (waited or types.body.size_pt < _LARGEST_PT):
            break
    return split


def _types(style: Style, size: float, badges: _Badges) -> _Types:
    return _Types(
        head=style.type("aid.head").at(size),
        body=style.type("aid.body").at(size),
        strong=style.type("aid.strong").at(size),
        style=style,
        badges=badges,
    )


class _Measure(Struct, frozen=True, kw_only=True):
    """Width and greatest height of columns in mm, how many there are, and whether sections stay
    whole."""

    width: float
    height: float
    count: int
    whole: bool


def _columns(aid: Aid, types: _Types, measure: _Measure, air: float) -> Columns | None:
    """Balanced columns with this much air, or None where they do not fit."""
    sections = _sections(aid.sections, types, measure.width)
    if sections is None:
        return None
    if measure.whole:
        sections = tuple(
            (*(replace(block, keep=True) for block in blocks[:-1]), blocks[-1])
            for blocks in sections
        )
    blocks = [block.aired(air) for section in sections for block in section]
    if math.fsum(block.height for block in blocks) > measure.height * measure.count:
        return None
    return balance(blocks, measure.count, measure.height)


@lru_cache(maxsize=16)
def _sections(
    sections: tuple[AidSection, ...], types: _Types, width: float
) -> tuple[tuple[Block, ...], ...] | None:
    """Sections as blocks for a column; None where one does not fit. Kept: whole or split, with much
    air or little, they are the same."""
    try:
        return tuple(tuple(_section(section, types, width)) for section in sections)
    except DoesNotFit:
        return None


def _section(section: AidSection, types: _Types, width: float) -> list[Block]:
    head = types.head
    accent = types.style.ink("card.accent")
    lines = wrap_within(types.style.words(section.heading), head, width)
    first = rise_mm(lines[0], head)
    base = first + (len(lines) - 1) * _LEADING * head.size_mm
    heading: tuple[Item, ...] = ()
    if types.drawn:
        heading = (
            *set_lines(lines, head, accent, 0.0, first, leading=_LEADING),
            rule(0.0, base + 0.28 * head.size_mm, width, types.style.ink("card.gold"), 0.3),
        )
    tall = base + 0.28 * head.size_mm + 0.35
    blocks = [Block(items=heading, height=tall, airy=types.line_mm * 0.85, keep=True)]
    blocks += [_paragraph(line, types, width) for line in section.lines]
    if section.table is not None:
        drawn = _drawn_table(section.table, types, width)
        blocks.append(Block(items=drawn.items, height=drawn.height, above=types.line_mm * 0.4))
    return blocks


class _Opening(Struct, frozen=True, kw_only=True):
    """How a line of an aid begins: a number, a company's badge or neither, the sign of a step, and
    words in bold; then the rest of its words. `whole` has both."""

    number: str
    badge: Company | None
    sign: str
    lead: str
    words: str
    whole: str


def _opened(words: str, types: _Types) -> _Opening:
    numbered = _NUMBERED.fullmatch(words)
    number, words = (numbered[1], numbered[2]) if numbered else ("", words)
    begun = (_LEAD if numbered else _TOPIC).fullmatch(words)
    lead, rest = (begun[1], begun[2]) if begun else ("", words)
    if lead.count("(") + lead.count("（") != lead.count(")") + lead.count("）"):
        lead, rest = "", words
    badge = dict(types.badges).get(lead[:-1]) if lead and not number else None
    sign = _sign_of(lead, types.style) if number else ""
    return _Opening(number=number, badge=badge, sign=sign, lead=lead, words=rest, whole=words)


def _sign_of(lead: str, style: Style) -> str:
    """The sign of a step that begins with these words, "" if it has none: the first of whose words,
    between upright strokes, there is one among them."""
    told = lead.casefold()
    for name, words in card_words.table("signs").items():
        if any(word and word in told for word in style.words(words).split("|")):
            return name
    return ""


def _paragraph(text: Text, types: _Types, width: float) -> Block:
    """A line of an aid. Numbered lines hang from their number, those about a company from its
    badge, others from a small diamond; a step begins with its sign, and what a line is about is
    bold."""
    body, strong = types.body, types.strong
    em, cap = body.size_mm, body.cap_height_mm
    opened = _opened(types.style.words(text), types)
    number, lead = opened.number, opened.lead
    disc = max(_NUMBER_EMS * em, rich_width(number, strong) + 0.5 * em) if number else 0.0
    hung = disc if number else _BADGE_EMS * em if opened.badge is not None else 0.0
    indent = hung + _AFTER_EMS * em if hung else em * _INDENT_EMS
    measure = width - indent
    sign_mm = (_SIGN_EMS + _AFTER_EMS) * em if opened.sign else 0.0
    after = end_space(lead[-1:]) * em if holds_wide(lead[-1:]) else rich_width("n", body) * 0.45
    lead_mm = sign_mm + rich_width(lead, strong) + after if lead else 0.0
    lines = wrap_within(opened.words, body, measure, lead_mm=lead_mm) or ("",)
    most = _MOST_LEAD * measure if opened.words else measure
    if lead_mm > most or rich_width(lines[0], body) > measure - lead_mm + SLACK_MM:
        # What is too long to be bold is set like the rest.
        sign_mm, lead, lead_mm = 0.0, "", 0.0
        opened = replace(opened, sign="")
        lines = wrap_within(opened.whole, body, measure)
    height = cap + max(0, len(lines) - 1) * types.line_mm + 0.22 * em
    above, airy = 0.12 * em, types.line_mm * 0.22
    if not types.drawn:
        return Block(items=(), height=height, above=above, airy=airy)
    style, middle = types.style, cap / 2
    ink, accent = style.ink("card.text"), style.ink("card.accent")
    items: list[Item] = []
    if number:
        items.append(Circle(cx=disc / 2, cy=middle, r=disc / 2, fill=accent))
        items += set_centred(number, strong, readable_on(accent), disc / 2, middle)
    elif opened.badge is not None:
        badge = roundel_items(opened.badge, hung, style)
        items.append(Group(items=badge, matrix=translation(hung / 2, middle)))
    else:
        x, r = indent * 0.32, em * 0.15
        diamond = polygon_path(((x - r, middle), (x, middle - r), (x + r, middle), (x, middle + r)))
        items.append(Path(commands=diamond, fill=style.ink("card.gold")))
    if opened.sign:
        items += sign_items(opened.sign, _SIGN_EMS * em, style, indent + _SIGN_EMS * em / 2, middle)
    items += set_rich(lead, strong, ink, indent + sign_mm, cap)
    if not lead:
        items += set_lines(lines, body, ink, indent, cap, leading=_LEADING, measure_mm=measure)
    else:
        open_mm = opening(lines[0], body, measure - lead_mm) if len(lines) > 1 else 0.0
        items += set_rich(lines[0], body, ink, indent + lead_mm, cap, open_mm=open_mm)
        items += set_lines(
            lines[1:], body, ink, indent, cap + types.line_mm, leading=_LEADING, measure_mm=measure
        )
    # Nothing frames a paragraph: above and below it, only others can be in its way.
    box = boxed(items, 0.0, -2 * em, width, height + 4 * em)
    return Block(items=(box,), height=height, above=above, airy=airy)


def _drawn_table(table: AidTable, types: _Types, width: float) -> Drawn:
    """A table in the type of the lines, or in slightly smaller type where it is too wide."""
    sizes = [
        size.size_pt
        for size in scale(types.body.at(_LARGEST_PT))
        if size.size_pt <= types.body.size_pt
    ]
    for size in sizes:
        with suppress(DoesNotFit):
            return draw_table(_table(table, _resized(types, size), width), width)
    last = replace(_table(table, _resized(types, sizes[-1]), width), whole_words=False)
    with suppress(DoesNotFit):
        return draw_table(last, width)
    return draw_table(
        replace(last, columns=tuple(replace(column, flexible=True) for column in last.columns)),
        width,
    )


def _resized(types: _Types, size: float) -> _Types:
    return replace(types, body=types.body.at(size), strong=types.strong.at(size))


def _table(table: AidTable, types: _Types, width: float) -> Table:
    """A table with its first column flush left; the widest column wraps where the table is too
    wide. Where its head repeats itself, the rows continue in groups of columns with a line between
    them."""
    style, ink = types.style, types.style.ink("card.text")

    def cells(texts: Sequence[Text], type_style: TypeStyle) -> tuple[Cell, ...]:
        return tuple(_cell(style.words(text), type_style, style) for text in texts)

    head = tuple(
        Words(text=style.words(text), type_style=types.strong, ink=ink) for text in table.head
    )
    rows = (head, *(cells(row, types.body) for row in table.rows))
    count = len(table.head)
    parted = _parted([words.text for words in head])
    widths = [max(natural_width(row[index]) for row in rows) for index in range(count)]
    gap = types.body.size_mm * 0.8
    wide = math.fsum(widths) + gap * (count - 1) > width
    return Table(
        columns=tuple(
            Column(
                align=Anchor.START if index == 0 and not parted else Anchor.MIDDLE,
                flexible=wide and widths[index] == max(widths),
            )
            for index in range(count)
        ),
        rows=rows,
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=types.body.size_mm * 0.3,
        gap=gap,
        parted=parted,
    )


def _cell(words: str, type_style: TypeStyle, style: Style) -> Cell:
    """A cell of a table: on a chip in a tile colour where it names one."""
    for colour, name in map_words.table("colours").items():
        if re.fullmatch(rf"(.+, |.+（)?{re.escape(style.words(name))}）?", words):
            return Chips(names=((words, tile_ink(colour, style)),), type_style=type_style)
    return Words(text=words, type_style=type_style, ink=style.ink("card.text"))


def _parted(head: Sequence[str]) -> tuple[int, ...]:
    """Where a head of two or more columns starts again, if it consists only of repetitions; () if
    it does not."""
    count = len(head)
    periods = (n for n in range(2, count // 2 + 1) if count % n == 0)
    period = next((n for n in periods if all(head[i] == head[i % n] for i in range(count))), count)
    return tuple(range(period, count, period))
