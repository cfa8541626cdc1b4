"""Player aids: sections in columns, in the largest type that fits.

All aids of one size share one type size. A section is measured as blocks, which are then balanced
over columns; only the chosen arrangement is drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from platelayer.drawing.cards.offer_sheet import draw_tables
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.icons import sign_items
from platelayer.drawing.kit.layout import (
    Box,
    chip_block,
    placing,
    rule_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import (
    least_width,
    opening,
    rich_width,
    scale,
    set_lines,
    set_rich,
    wrap_within,
)
from platelayer.drawing.kit.parts import diamond
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import card_scene, heading_band, trimmed
from platelayer.drawing.kit.tables import (
    Cell,
    Column,
    Columns,
    DoesNotFit,
    Drawn,
    Entry,
    Head,
    Table,
    Words,
    balance,
    columns_block,
    draw_table,
    natural_width,
)
from platelayer.drawing.train.phase_tables import briefer_sides
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
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
    Items,
    Scene,
    Stroke,
    boxed,
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
# Maximum share of a line for bold words at its beginning.
_MOST_LEAD = 0.62
# Diameter of a company's badge, size of the sign of a step and diameter of the disc of its number,
# in ems.
_BADGE_EMS, _SIGN_EMS, _NUMBER_EMS = 1.16, 0.94, 1.06
# Gap between a badge, sign or number and the words after it, in ems.
_AFTER_EMS = 0.34


# Companies by their names in the language of the print.
_Badges = tuple[tuple[str, Company], ...]


class _Types(Frozen, kw_only=True):
    """Type of an aid at one size, and the companies whose badges precede their names."""

    head: TypeStyle
    body: TypeStyle
    strong: TypeStyle
    style: Style
    badges: _Badges

    @property
    def line_mm(self) -> float:
        """Distance from baseline to baseline."""
        return self.body.size_mm * _LEADING


def draw_summary(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the player aid `piece_id` in the title's size; its front may be the tables of phases and
    trains.

    The type of all aids of this size shrinks as needed, down to its minimum size; below that,
    raises DoesNotFit. Raises KeyError for an unknown aid.
    """
    aid = {aid.id: aid for aid in title.aids}[piece_id]
    size = piece_size(title, "summary", piece_id)
    name = style.words(aid.name)
    if aid.phases and not back:
        head = Head(f"summary:{piece_id}", style.words(card_words("phases")), size)
        *larger, least = briefer_sides(title)
        for side in larger:
            with suppress(DoesNotFit):
                return draw_tables(title, side, head, style)
        return draw_tables(title, least, head, style)
    band, room = _head(title, aid, size, style)
    companies = with_roundels(title).values()
    badges = tuple((style.words(company.name), company) for company in companies)
    shown = replace(aid, sections=aid.back) if back else aid
    types, measure = _choice(shown, room, style, badges, _common_pt(title, size, style, badges))
    # Spread lines as widely as the room allows.
    airs = (air for air in _AIRS if _columns(shown, types, measure, air) is not None)
    columns = _columns(shown, types, measure, next(airs, 1.0))
    assert columns is not None
    body = columns_block(columns, measure.width, _COLUMN_GAP_MM)
    hair = Stroke(style.ink("card.hair"), 0.15)
    # A line in the middle of each gap.
    pitch = measure.width + _COLUMN_GAP_MM
    used = Box(room.x - _COLUMN_GAP_MM / 2, room.y, pitch * len(columns), body.height)
    grid = used.grid([pitch] * len(columns), [body.height])
    lines = (grid.upright(number, hair) for number in range(1, len(columns)))
    items = (*band, *lines, *body.paint(room.x, room.y))
    return card_scene(f"summary:{piece_id}{':back' if back else ''}", name, size, items, style)


def _head(title: Title, aid: Aid, size: Size, style: Style) -> tuple[Items, Box]:
    """Return the band with the name of an aid, and the room for its sections."""
    name, game = style.words(aid.name), style.words(title.name)
    band, rest = heading_band(name, game, trimmed(size), style)
    _, room, _ = rest.inset(_SIDE_MM, 0).rows(3.0, 0, CARD_SAFE_MM + 1.2)
    return band, room


def _common_pt(title: Title, size: Size, style: Style, badges: _Badges) -> float:
    """Return the largest type size that fits every side of every aid of this size, ignoring sides
    that fit in no size."""
    key = ("aids", size.width_mm, size.height_mm, style)
    if key not in title.kept:
        sides = []
        for aid in title.aids:
            own = piece_size(title, "summary", aid.id)
            if (own.width_mm, own.height_mm) != (size.width_mm, size.height_mm):
                continue
            if not aid.phases:
                sides.append(aid)
            if aid.back:
                sides.append(replace(aid, sections=aid.back))
        least, largest = style.type("aid.body").min_pt, _LARGEST_PT
        # Try the fullest sides first: others are then tried only in type that fits these, and not
        # at all once that is the smallest.
        sides.sort(
            key=lambda side: (
                -sum(len(style.words(line)) for part in side.sections for line in part.lines)
            )
        )
        for side in sides:
            if largest <= least:
                break
            room = _head(title, side, size, style)[1]
            with suppress(DoesNotFit):
                types, _ = _choice(side, room, style, badges, largest)
                largest = types.body.size_pt
        title.kept[key] = largest
    common: float = title.kept[key]
    return common


def _choice(
    aid: Aid, room: Box, style: Style, badges: _Badges, most: float
) -> tuple[_Types, _Measure]:
    """Return the largest type, and the columns, in which the sections fit. Raises DoesNotFit."""
    width = room.width
    least = style.type("aid.body").min_pt
    counts = [n for n in (2, 3, 4) if (width - (n - 1) * _COLUMN_GAP_MM) / n >= _LEAST_COLUMN_MM]
    steps = scale(style.type("aid.body").at(_LARGEST_PT))
    sizes = [step.size_pt for step in steps if step.size_pt <= most]
    # The blank half of a full stop at the end of a Japanese line extends beyond the line, but is
    # kept inside the safe zone if there is room.
    beyond = end_space("。") if holds_wide(style.words(aid.name)) else 0
    for blank, each in product(dict.fromkeys((beyond, 0.0)), (counts, [1])):
        fitted = _largest(aid, room, style, badges, sizes=sizes, counts=each, blank=blank)
        if fitted is not None:
            return fitted
    message = f"summary:{aid.id} does not fit its card even at {least:g} pt"
    raise DoesNotFit(message, "shorten it, or give summary a larger size")


def _largest(
    aid: Aid,
    room: Box,
    style: Style,
    badges: _Badges,
    *,
    sizes: Sequence[float],
    counts: Sequence[int],
    blank: float,
) -> tuple[_Types, _Measure] | None:
    """Return the largest of these type sizes in which the sections fit one of these numbers of
    columns, and the columns, with `blank` ems after the last column inside the safe zone; None
    if they fit in none."""
    split: tuple[_Types, _Measure] | None = None
    for size in sizes:
        waited = split is not None
        types = _Types(
            head=style.type("aid.head").at(size),
            body=style.type("aid.body").at(size),
            strong=style.type("aid.strong").at(size),
            style=style,
            badges=badges,
        )
        width = room.width
        width -= max(0, blank * types.strong.size_mm - (_SIDE_MM - CARD_SAFE_MM))
        for whole, count in product((True, False), counts):
            column_mm = (width - (count - 1) * _COLUMN_GAP_MM) / count
            measure = _Measure(width=column_mm, height=room.height, count=count, whole=whole)
            if (whole or split is None) and _columns(aid, types, measure, 1.0) is not None:
                if whole:
                    return types, measure
                split = types, measure
        # If sections fit the largest type only when split, try the next smaller type for unsplit
        # ones. At smaller sizes, accept the split.
        if split is not None and (waited or types.body.size_pt < _LARGEST_PT):
            break
    return split


class _Measure(Frozen, kw_only=True):
    """Width and maximum height of columns in mm, their number, and whether sections must not be
    split."""

    width: float
    height: float
    count: int
    whole: bool


def _columns(aid: Aid, types: _Types, measure: _Measure, air: float) -> Columns | None:
    """Return balanced columns with this much air between lines, or None if they do not fit."""
    sections = _sections(aid.sections, types, measure.width)
    if sections is None:
        return None
    blocks: list[Entry] = []
    for section in sections:
        kept = (
            (replace(block, keep=True) for block in section[:-1]) if measure.whole else section[:-1]
        )
        blocks += (block.aired(air) for block in (*kept, section[-1]))
    if math.fsum(block.height for block in blocks) > measure.height * measure.count:
        return None
    return balance(blocks, measure.count, measure.height)


@lru_cache(256)
def _sections(
    sections: tuple[AidSection, ...], types: _Types, width: float
) -> tuple[tuple[Entry, ...], ...] | None:
    """Return sections as blocks for a column; None if one does not fit. Cached, because blocks are
    the same whether sections are split or not, and with any amount of air."""
    try:
        return tuple(tuple(_section(section, types, width)) for section in sections)
    except DoesNotFit:
        return None


def _section(section: AidSection, types: _Types, width: float) -> list[Entry]:
    style, head = types.style, types.head
    lines = wrap_within(style.words(section.heading), head, width)
    accent, gold = style.ink("card.accent"), Stroke(style.ink("card.gold"), 0.3)
    start, leading = Anchor.START, _LEADING
    heading = stacked(
        text_block(lines, head, accent, width, leading=leading, align=start, rise=rise_mm),
        0.28 * head.size_mm,
        rule_block(width, gold),
        0.35,
    )
    blocks = [replace(Entry.of(heading, keep=True), airy=types.line_mm * 0.85)]
    blocks += [_paragraph(line, types, width) for line in section.lines]
    if section.table is not None:
        drawn = _drawn_table(section.table, types, width)
        blocks.append(Entry.of(drawn, above=types.line_mm * 0.4))
    return blocks


def _sign_of(lead: str, style: Style) -> str:
    """Return the sign of a step that begins with these words: the first sign with one of its words
    (listed with `|` as separator) among them; "" if there is none."""
    lead = lead.casefold()
    for name, words in card_words.table("signs").items():
        if any(word and word in lead for word in style.words(words).split("|")):
            return name
    return ""


def _paragraph(text: Text, types: _Types, width: float) -> Entry:
    """Return a line of an aid. Numbered lines are indented behind their number, lines about a
    company behind its badge, others behind a small diamond. A step begins with its sign; the
    topic of a line is bold."""
    style, body, strong = types.style, types.body, types.strong
    em, cap = body.size_mm, body.cap_height_mm
    number, whole = "", style.words(text)
    numbered = _NUMBERED.fullmatch(whole)
    if numbered:
        number, whole = numbered.groups()
    begun = (_LEAD if numbered else _TOPIC).fullmatch(whole)
    lead, words = begun.groups() if begun else ("", whole)
    if lead.count("(") + lead.count("（") != lead.count(")") + lead.count("）"):
        lead, words = "", whole
    company = dict(types.badges).get(lead[:-1]) if lead and not number else None
    sign = _sign_of(lead, style) if number else ""
    hung = _BADGE_EMS * em if company is not None else 0
    if number:
        hung = max(_NUMBER_EMS * em, rich_width(number, strong) + 0.5 * em)
    indent = hung + _AFTER_EMS * em if hung else em * _INDENT_EMS
    measure = width - indent
    sign_mm = (_SIGN_EMS + _AFTER_EMS) * em if sign else 0
    after = end_space(lead[-1:]) * em if holds_wide(lead[-1:]) else rich_width("n", body) * 0.45
    lead_mm = sign_mm + rich_width(lead, strong) + after if lead else 0
    lines = wrap_within(words, body, measure, lead_mm=lead_mm, fill=True) or ("",)
    most = _MOST_LEAD * measure if words else measure
    if lead_mm > most or least_width(lines[0], body) > measure - lead_mm + SLACK_MM:
        # A topic that is too long for bold type is set like the rest.
        sign_mm, sign, lead, lead_mm = 0.0, "", "", 0.0
        lines = wrap_within(whole, body, measure, fill=True)
    height = cap + max(0, len(lines) - 1) * types.line_mm + 0.22 * em

    def paint(x: float, y: float) -> Items:
        ink, accent, middle = style.ink("card.text"), style.ink("card.accent"), cap / 2
        items: list[Item] = []
        if number:
            items.append(Circle(hung / 2, middle, hung / 2, fill=accent))
            items += set_centred(number, strong, readable_on(accent), hung / 2, middle)
        elif company is not None:
            badge = roundel_items(company, hung, style)
            items.append(Group(badge, matrix=translation(hung / 2, middle)))
        else:
            items.append(diamond(indent * 0.32, middle, em * 0.15, style.ink("card.gold")))
        if sign:
            items += sign_items(sign, _SIGN_EMS * em, style, indent + _SIGN_EMS * em / 2, middle)
        items += set_rich(lead, strong, ink, indent + sign_mm, cap)
        first, rest = (lines[:1], lines[1:]) if lead else ((), lines)
        for line in first:
            open_mm = opening(line, body, measure - lead_mm, last=not rest)
            items += set_rich(line, body, ink, indent + lead_mm, cap, open_mm=open_mm)
        base = cap + len(first) * types.line_mm
        items += set_lines(rest, body, ink, indent, base, leading=_LEADING, measure_mm=measure)
        # A paragraph has no frame: above and below it, only other paragraphs can be in its way.
        return placing((boxed(items, 0.0, -2 * em, width, height + 4 * em),))(x, y)

    return Entry(width, height, paint, above=0.12 * em, airy=types.line_mm * 0.22)


def _drawn_table(table: AidTable, types: _Types, width: float) -> Drawn:
    """Lay out a table in the type of the lines, or in slightly smaller type if it is too wide."""
    steps = scale(types.body.at(_LARGEST_PT))
    sizes = [step.size_pt for step in steps if step.size_pt <= types.body.size_pt]
    for size in sizes:
        smaller = replace(types, body=types.body.at(size), strong=types.strong.at(size))
        drawn = _table(table, smaller, width)
        with suppress(DoesNotFit):
            return draw_table(drawn, width)
    drawn = replace(drawn, whole_words=False)
    with suppress(DoesNotFit):
        return draw_table(drawn, width)
    columns = tuple(replace(column, flexible=True) for column in drawn.columns)
    return draw_table(replace(drawn, columns=columns), width)


def _table(table: AidTable, types: _Types, width: float) -> Table:
    """Return a table whose first column is flush left, as is the widest, which wraps if the table
    is too wide. If the head repeats a sequence of two or more columns, the rows continue in
    groups of columns separated by lines."""
    style, ink = types.style, types.style.ink("card.text")
    texts = [style.words(text) for text in table.head]
    count = len(texts)
    head = tuple(Words(text, types.strong, ink) for text in texts)
    rows = [head, *(tuple(_cell(text, types) for text in row) for row in table.rows)]
    periods = (n for n in range(2, count // 2 + 1) if count % n == 0)
    period = next((n for n in periods if texts == texts[:n] * (count // n)), count)
    parted = tuple(range(period, count, period))
    widths = [max(map(natural_width, column)) for column in zip(*rows, strict=True)]
    gap = types.body.size_mm * 0.8
    wide = math.fsum(widths) + gap * (count - 1) > width
    columns = []
    for number, each in enumerate(widths):
        wraps = wide and each == max(widths)
        flush = wraps or not (number or parted)
        columns.append(Column(align=Anchor.START if flush else Anchor.MIDDLE, flexible=wraps))
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=types.body.size_mm * 0.3,
        gap=gap,
        parted=parted,
    )


def _cell(text: Text, types: _Types) -> Cell:
    """Return a table cell: a chip in a tile colour if the text names one, otherwise plain words."""
    style = types.style
    words = style.words(text)
    for colour, name in map_words.table("colours").items():
        if re.fullmatch(rf"(.+, |.+（)?{re.escape(style.words(name))}）?", words):
            return chip_block(words, colour, types.body, style)
    return Words(words, types.body, style.ink("card.text"))
