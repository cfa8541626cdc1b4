"""Charters: places for a company's stations, trains and money, and the limits on them.

Charters have three forms: across, upright, and wide with the trains beside everything else. A form
defines a layout: the areas of all parts, including a panel for abilities where it can spare one.
All charters of a form thus share one setting of the abilities. Lengths are in design units
(`kit.surfaces`), except those named `_mm`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.company.roundel import (
    GHOST,
    CompanyCard,
    company_inks,
    company_of,
    company_words,
    roundel_ghost,
)
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    below,
    disc,
    in_row,
    leaded,
    line_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import (
    ASIDE,
    LEAD,
    CardText,
    Paragraphs,
    Setting,
    TextBox,
    balanced,
    clear_step,
    common_setting,
    left_out,
    listed,
    one_line,
    one_stepped,
    paragraph_items,
    scale,
    set_paragraphs,
    sizes_down,
    stepped,
    wrap_within,
)
from platelayer.drawing.kit.ornament import centred, pattern_of, wheel
from platelayer.drawing.kit.parts import hexagon, rim_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import VEIL_MM, design_card
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.company import Company, Home
from platelayer.model.kinds import KINDS, piece_size
from platelayer.model.manifest import (
    CARD_PLAY_MM,
    is_wide,
    most_trains,
    notes_bay,
    shown_mm,
    train_bay,
    train_card,
    train_limits,
)
from platelayer.model.tile import TOKEN_PLAY_MM
from platelayer.model.title import Title
from platelayer.model.train import Phase
from platelayer.scene.breaks import holds_wide, join_parts
from platelayer.scene.inks import mix, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_centred, text_width

map_words = FixedWords("map")

SAFE_MM = KINDS["charter"].safe_mm
# Radius of corners; distance of the words on a sign from its rim.
_CORNER, _SIGN_PAD = 1.6, 1.7
# Frame of the place for notes: distance to the notes, radius of its corners (which notes must not
# cover), and minimum height.
_NOTES_PAD, _NOTES_CORNER, _LEAST_NOTES = 0.3, 0.8, 5
# Squares of loans: their side, its minimum, the gap between squares, and the room for the heading.
_LOAN, _LEAST_LOAN, _LOAN_GAP, _LOAN_HEADING = 7.0, 3.6, 0.9, 6.4
# Distance from the baseline of a heading to the part below.
_HEADING = 1.66
# Width of the strip with a braid, and of the position in the operating order.
_STRIP, _ORDER = 2.7, 30
# Distance from a slot to the baseline of its price, and minimum distance to Japanese letters.
_PRICE_BASE, _ABOVE_WIDE = 2.9, 0.9
# Gap between areas side by side, and between slots.
_GAP, _SLOT_GAP = 4.5, 2.6
# Height of the bar in a phase's colour, and minimum height of a phase's name including the bar.
_BAR, _PHASE_ROW = 1.3, 5.2
# Number of phases from which there is no room for wide columns.
_MANY = 5
# Room at the left and right of the words on a panel, and minimum room above and below them.
_PANEL_LEFT, _PANEL_RIGHT, _AIR = 6.2, 3.2, 1.3
# Extra room below the words: room for accents above makes most lines look low.
_LOW_AIR = 0.6
# On upright charters: height of a heading with the air above it.
_TALL_HEADING = 5.8
# On wide charters: heights of the table of limits, of headings, and of prices below slots; distance
# from the part above the notes to the notes, shorter by how much below prices; room beside the
# notes, if the trains can spare it; maximum width of words there.
_TABLE, _HEADED, _PRICES = 12.4, 5.6, 5.4
_ABOVE_NOTES, _BELOW_PRICES, _BESIDE_NOTES, _NOTE_WORDS = 2.4, 0.6, 32, 24


class _Rooms(NamedTuple):
    """Layout of a charter: the row of stations and its slots; the table of limits, and the row that
    the table's heading may fill; the panel of abilities, if there is room for one; the trains;
    the notes; and a station sign or a band of fine lines, if the form has one."""

    row: Box
    slots: Box
    table: Box
    limits: Box
    panel: Box | None
    trains: Box
    money: Box
    sign: Box | None = None
    band: Box | None = None


class _Head(Frozen, kw_only=True):
    """Head of a charter: its height; middle and diameter of the roundel, and the radius of its
    halo; left edge, middle level and type of the name; the size of a name of several lines
    relative to that type, and its leading."""

    height: float
    middle: Point
    roundel: float
    halo: float
    left: float
    level: float
    type: str
    several: float
    leading: float


class _Form(Frozen, kw_only=True):
    """Form of charters: the minimum `design` width and height for its parts, in design units;
    `margins` at the left, above and at the right, including the band in the company's colour;
    its head; and a function that returns its layouts, starting with the one whose panel takes
    least from everything else. Panels are at most as high as the number passed to it (0: without
    abilities).

    A `fitted` panel is only as high as its words; words about the money may stand `beside` the
    notes; `upright` charters carry fewer texts.
    """

    design: tuple[float, float]
    margins: tuple[float, float, float]
    head: _Head
    layouts: Callable[[_Charter, float], tuple[_Rooms, ...]]
    fitted: bool = True
    beside: bool = False
    upright: bool = False


def _facts(*texts: str) -> str:
    """Return the facts joined on one line, skipping empty ones."""
    return "   ·   ".join(filter(None, texts))


class _Charter(CompanyCard, frozen=True, kw_only=True):
    """A company, its charter, and the charter's measures in design units."""

    form: _Form

    @property
    def capital(self) -> str:
        """Class, shares and float on one line: "Director 20 % · 8 × 10 % · floats at 50 %"."""
        company, floats = self.company, self.company.float_percent
        kind = "" if company.class_name is None else self.style.words(company.class_name)
        held = [
            self.words("director_holds", each.percent)
            if each.director
            else self.words("shares_held" if each.reserved else "shares", each.count, each.percent)
            for each in company.certificates
        ]
        if floats is not None:
            held.append(self.words("floats", floats))
        return _facts(kind, *held)

    @property
    def texts(self) -> tuple[str, ...]:
        """Abilities of the company, and its terms as one paragraph."""
        abilities = tuple(map(self.style.words, self.company.abilities))
        return (*abilities, join_parts(self.terms)) if self.terms else abilities

    @property
    def homes(self) -> str:
        """The homes: all of them, or the ones that the company may choose from."""
        if self.company.all_homes:
            between, last = company_words("between_all"), company_words("and")
            return self.places(self.company.homes, between=between, last=last)
        return self.places(self.company.homes, last=company_words("or"))

    @property
    def destination(self) -> str:
        """The destinations, introduced by a label; "" if there are none."""
        return self.led("destination", self.places(self.company.destinations))

    def places(self, homes: Sequence[Home], **joints: Text) -> str:
        """Return a list of hexes with the names of their stops. If all have the same name, it is
        given once; stops with the same hex and name are listed once."""
        style = self.style
        places = dict.fromkeys((each.hex, _stop_name(self.title, each, style)) for each in homes)
        names = {name for _, name in places}
        if len(names) == 1 and all(names):
            return style.words(ASIDE, *names, listed([at for at, _ in places], style, **joints))
        named = [style.words(ASIDE, name, at) if name else at for at, name in places]
        return listed(named, style, **joints)

    def led(self, key: str, words: str) -> str:
        """Return words after a label and a colon; "" if there are no words."""
        return words and self.style.words(LEAD, self.words(key), words)

    def set(self, name: str, text: str, width: float) -> Block:
        """Set words on a line at most `width` wide, in the type `charter.<name>`."""
        return line_block(text, self.type(f"charter.{name}"), self.ink("text"), width)

    @property
    def prices(self) -> tuple[int | str | None, ...]:
        """Price of each token slot, or words that replace it."""
        return self.company.token_places or self.company.stations

    @property
    def limits(self) -> tuple[tuple[Phase, int], ...]:
        """The company's train limit by phase."""
        return train_limits(self.title, self.company)

    @property
    def token(self) -> float:
        """Diameter of a slot for the company's tokens."""
        return self.mm(piece_size(self.title, "token", self.company.id).width_mm + TOKEN_PLAY_MM)

    @property
    def bay(self) -> float:
        """Height of the place for trains."""
        return self.mm(train_bay(self.title, self.company).height_mm)

    @property
    def notes(self) -> tuple[float, float]:
        """Width and height of the frame around the space for notes."""
        bay = notes_bay(self.title, self.company)
        return self.mm(bay.width_mm) + 2 * _NOTES_PAD, self.mm(bay.height_mm) + 2 * _NOTES_PAD

    @property
    def body(self) -> Box:
        """Area for the parts: inside the margins of the form, down to the safe zone."""
        left, top, right = self.form.margins
        foot = self.card.height - self.mm(SAFE_MM) - 0.4
        return Box(left, top, self.card.width - left - right, foot - top)

    def stack_width(self, row: Box, money: float) -> float:
        """Return the width of the trains in a row: enough to show all indices, while leaving
        `money` for the notes if possible."""
        title, under = self.title, most_trains(self.title, self.company) - 1
        long = self.mm(train_card(title)[0] + CARD_PLAY_MM)
        least, most = (long + under * self.mm(shows) for shows in shown_mm(title))
        bay = self.mm(train_bay(title, self.company).width_mm)
        return min(bay, most, max(least, row.width - _GAP - money))

    def limits_width(self, phase_width: float, most: float) -> float:
        """Return the width of the table of train limits, at most `most`: that of its phases or its
        heading, whichever is wider; 0 if no phase limits the company."""
        names = [phase.id for phase, _ in self.limits]
        if not names:
            return 0
        heading = text_width(self.words("train_limit"), self.type("charter.label"))
        # Columns are as wide as the longest name, up to twice the usual width.
        longest = max(text_width(name, self.type("charter.phase")) for name in names) + 1.6
        if len(names) < _MANY:
            phase_width = max(phase_width, min(longest, 2 * phase_width))
        return min(most, max(heading, phase_width * len(names)))

    def mm(self, length_mm: float) -> float:
        """Return a length on paper in design units."""
        return length_mm / self.card.unit_mm

    def sides(self, row: Box, *widths: float, gap: float = _GAP) -> tuple[Box, ...]:
        """Return areas side by side, in reverse order on the card if the title swaps the sides of
        trains and money."""
        if self.title.pieces.trains_at_right:
            return row.columns(*reversed(widths), gap=gap)[::-1]
        return row.columns(*widths, gap=gap)


def _across(charter: _Charter, words: float) -> tuple[_Rooms, ...]:
    """Lay out slots beside limits; a panel, on cards taller than the design; and trains beside
    notes."""
    # Slots and table are centred on one level; larger tokens take room from the panel.
    above = charter.token / 2 - 1
    _, row, _, panel, _, low = charter.body.rows(6.4, 14.4, above, 0, 6.4, charter.bay)
    stack = charter.stack_width(low, charter.notes[0])
    trains, money = charter.sides(low, stack, 0)
    width = charter.limits_width(7.6, money.width)
    slots, table = row.columns(0, width, gap=_GAP) if width else (row, row)
    paneled, band = panel.height > 12, None
    # Without abilities, the notes extend upwards, beside a band of fine lines.
    if not words and (paneled or not (width or charter.prices)):
        slots, column = charter.sides(row, stack, 0)
        align = Anchor.START if charter.title.pieces.trains_at_right else Anchor.END
        table = column.within(width, column.height, align)
        money = money.with_top(table.foot + 6.6 if width else table.y)
        band = trains._replace(y=panel.y, height=panel.height) if paneled else None
    spared = panel if paneled else None
    return (_Rooms(slots, slots, table, table, spared, trains, money, band=band),)


def _tall(charter: _Charter, words: float) -> tuple[_Rooms, ...]:
    """Lay out slots beside the sign of the home; the panel; limits beside notes; and trains."""
    wide, high = charter.notes
    # Between the rows stand their headings and, below the slots, prices.
    _, row, _, panel, _, low, _, trains, _ = charter.body.rows(
        5.8, charter.token, 5.4, 0, _TALL_HEADING, max(high, 10.6), _TALL_HEADING, charter.bay, 0.1
    )
    panel = panel._replace(height=min(panel.height, words))
    low = low.with_top(panel.foot + _TALL_HEADING)
    each = charter.token + _SLOT_GAP
    slots_width = min(each * max(1, len(charter.prices)), row.width * 0.6) - 0.6
    slots, sign = row.columns(slots_width, 0, gap=3)
    # Beside a place for notes, the table stands upright in what is left.
    width = charter.limits_width(6.6, min(row.width * 0.55, row.width - wide - 2.4))
    table, money = charter.sides(low, width, 0, gap=2.4) if width else (low, low)
    return (_Rooms(slots, slots, table, low, panel, trains, money, sign),)


def _wide(charter: _Charter, words: float) -> tuple[_Rooms, ...]:
    """Lay out trains, perhaps with the table of limits above them, beside slots, panel and notes.
    Return three layouts: with the panel across the full width below the slots, if these leave
    room for the table; with most room for words; with the panel beside the slots."""
    body, at_right = charter.body, charter.title.pieces.trains_at_right
    stack = charter.stack_width(body, charter.notes[0] + _BESIDE_NOTES)
    side, room = charter.sides(body, stack, 0)
    head, trains = side.rows(0, charter.bay)
    upper = room.rows(0, _ABOVE_NOTES + charter.notes[1])[0]
    # At the left, the heading stands below the roundel.
    heading = _HEADED + (1.2 if at_right else 0)
    _, row, prices, across = upper.rows(heading, charter.token, _PRICES, 0)
    count = max(len(charter.prices), 1)
    slots_width = min(count * (charter.token + _SLOT_GAP) - _SLOT_GAP, room.width)
    slots = row.within(slots_width, row.height, Anchor.START)
    # Many slots take the whole width: a panel beside them stands beside the table alone.
    many = slots.width > room.width / 2
    width, spare = charter.limits_width(6.6, side.width * 0.6), head.height - _HEADED - _TABLE
    # Phases move closer where that makes room for the table beside the stations.
    close, free = charter.limits_width(4.8, room.width), room.right - slots.right - 5
    above = width > 0 and spare > 1
    low, left, top = Box(room.x, prices.foot + _HEADED, close, _TABLE), slots.width, row.y
    if above:
        tall = _TABLE - max(0.0, 1.7 - spare / 2)
        table = head.rows(_HEADED + spare / 2, tall, 0)[1].within(width, tall, Anchor.END)
    else:
        table = room.rows(11.3, _TABLE, 0)[1].within(min(width, free), _TABLE, Anchor.END)
        left, top = (close, low.y - 1.4) if many else (max(left, close), top)
    beside = upper.columns(left, 0, gap=3.4)[1].with_top(top)
    ways = [(table if above else low, beside)]
    if above or close <= max(0, free):
        ways = [(table, across), *([] if many else ways)]

    def roomy(way: tuple[Box, Box]) -> float:
        """Return the area for words on a panel."""
        return _words_box(way[1]).width * _words_box(way[1]).height

    layouts = []
    for table, whole in (ways[0], max(ways, key=roomy), ways[-1]):
        panel = whole._replace(height=min(whole.height, words))
        ends = [panel.foot, prices.foot] if words else [prices.foot + _BELOW_PRICES - _ABOVE_NOTES]
        if table is low and close:
            ends.append(low.foot)
        money = room.with_top(max(ends) + _ABOVE_NOTES)
        layouts.append(_Rooms(row, slots, table, table, panel, trains, money))
    return tuple(layouts)


def _words_box(panel: Box) -> TextBox:
    """Return the area for words on a panel."""
    width = panel.width - _PANEL_LEFT - _PANEL_RIGHT
    return TextBox(panel.y + _AIR, width, panel.height - 2 * _AIR)


_HEAD = _Head(
    height=19.1,
    middle=(18.5, 11.6),
    roundel=21,
    halo=16,
    left=36,
    level=9.5,
    type="charter.name",
    several=0.66,
    leading=1.04,
)
_TALL_HEAD = _Head(
    height=17.5,
    middle=(17, 11),
    roundel=17,
    halo=15,
    left=32,
    level=9,
    type="charter.minor",
    several=0.82,
    leading=1.16,
)
_MARGINS = (5.5, 21.8, 5.5)
_ACROSS = _Form(design=(148, 105), margins=_MARGINS, head=_HEAD, layouts=_across, fitted=False)
_TALL = _Form(design=(92, 140), margins=(6, 20.2, 6), head=_TALL_HEAD, layouts=_tall, upright=True)
_WIDE = _Form(design=(237, 105), margins=_MARGINS, head=_HEAD, layouts=_wide, beside=True)


def draw_charter(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the charter of a minor, major or national company of a title. Raises KeyError."""
    charter = _charter_of(title, company_of(title, piece_id), style)
    rooms, paragraphs = _set_abilities(charter)
    if charter.form.upright:
        reminders: tuple[str, ...] = ()
    else:
        # State the use of revenue only for companies with several shares: the abilities of a
        # company with a single owner say how it pays.
        reminders = () if rooms.panel else charter.texts
        share = min((each.percent for each in charter.company.certificates), default=100)
        if share < 100:
            reminders += (charter.words("paid_out", share), charter.words("withheld"))
    items = (
        *_header(charter),
        *_stations(charter, rooms),
        *(_sign(charter, rooms.sign) if rooms.sign else ()),
        *_limit_table(charter, rooms.table, rooms.limits),
        *_trains(charter, rooms.trains),
        *((_band(charter, rooms.band),) if rooms.band else ()),
        *(_panel(charter, rooms.panel, paragraphs) if rooms.panel and paragraphs else ()),
        *_treasury(charter, rooms.money, reminders),
    )
    return charter.card.scene(f"charter:{piece_id}", charter.name, items)


def charter_setting(title: Title, piece_id: str, style: Style) -> tuple[Setting | None, bool]:
    """Return the setting of abilities on all charters of this one's form, None if no panel has room
    for any company's abilities; and whether this company's abilities fit. Raises KeyError."""
    charter = _charter_of(title, title.company_by_id[piece_id], style)
    text, setting = _abilities_text(charter), _common_setting(charter)
    fits = setting is not None and text is not None and set_paragraphs(text, setting) is not None
    return setting, text is None or fits


def _charter_of(title: Title, company: Company, style: Style) -> _Charter:
    size = piece_size(title, "charter", company.id, company.size)
    wide, tall = is_wide(size.width_mm, size.height_mm), size.height_mm > size.width_mm
    form = _TALL if tall else _WIDE if wide else _ACROSS
    return _Charter(
        card=design_card(size, style, design=form.design, safe_mm=SAFE_MM),
        title=title,
        company=company,
        form=form,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"charter:{company.id}",
    )


def _header(charter: _Charter) -> Items:
    """Draw the paper and, in a band in the company's colour, its roundel in a halo of fine lines,
    its name and, except on upright charters, its position in the operating order between two
    rules; a braid below."""
    card, inks, pattern, head = charter.card, charter.inks, charter.pattern, charter.form.head
    order, right, ink = charter.company.order, charter.body.right, inks.on_band
    place = Box(right - _ORDER, 0, _ORDER, head.height)
    ordered: Items = ()
    if order is not None and not charter.form.upright:
        x, y, right = place.right - 14, place.middle[1] - 2, place.x
        turn, caption = charter.words("operates"), charter.type("charter.column")
        ordered = (
            *charter.rules(x, y, 10.5, ink, gap=4.2),
            *set_centred(str(order), charter.type("charter.order"), ink, x, y),
            *set_centred(turn, fit(turn, caption, _ORDER), ink, x, y + 6.2),
        )
    band, strip, _ = card.sheet.rows(card.bleed + head.height, _STRIP, 0)
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    halo = charter.rosette("halo", rings, head.halo, mix(inks.band, ink, 0.4))
    gold = charter.ink("certificate.gold")
    return (
        card.ground(charter.ink("paper")),
        band.plate(inks.band),
        band.clipped((centred(halo, *head.middle),)),
        *charter.braided(strip),
        disc(head.middle, head.roundel / 2 + 1, gold, role=Role.ORNAMENT),
        *charter.emblem(head.roundel, *head.middle),
        _name(charter, Box(head.left, 0, right - head.left, head.height)),
        place.boxed(ordered),
    )


def _name(charter: _Charter, box: Box) -> Group:
    """Draw the name on one or two lines, and below it the second name and the composition of the
    capital."""
    head, ink, start = charter.form.head, charter.inks.on_band, Anchor.START
    own, note, safe = charter.type(head.type), charter.type("charter.capital"), charter.mm(SAFE_MM)
    fitted, lines = balanced(charter.name, own, box.width, 2, several=head.several, clip=True)
    second, dropped = charter.second_name, list[Item]()
    if charter.form.upright:
        second, dropped = "", [*left_out(second, note, ink)]
        note, _ = one_stepped(charter.capital, note, box.width)
    notes = [text for text in (second, charter.capital) if text]
    if notes and text_width(joined := _facts(*notes), note) <= box.width:
        notes = [joined]

    def laid(name: TypeStyle) -> Block:
        """Return the name in this type above the notes."""
        parts: list[Part] = [text_block(lines, name, ink, leading=head.leading, align=start)]
        # Japanese has no descenders.
        tail = 0.14 if holds_wide(lines[-1]) else 0.27
        above, least = (lines[-1], name), tail * name.size_mm + 0.1 * note.size_mm
        for text in notes:
            size, line = one_stepped(text, note, box.width)
            high = rise_mm(text, note)
            least = least if above[1] is name else 1.14 * note.size_mm - high
            gap = max(least, clear_step(*above, text, note) - high)
            parts += (gap, text_block(line, size, ink, rise=below(high)))
            above = text, note
        return stacked(*parts, align=start)

    def highest(name: TypeStyle) -> float:
        """Return the minimum distance of the name's capitals from the edge, with room for
        accents."""
        return safe + max(laid(name).over, 0.03 * name.size_mm)

    def fits(name: TypeStyle) -> bool:
        block = laid(name)
        return highest(name) + block.height + block.tails <= head.height - 0.4

    sizes = sizes_down(fitted)
    fitted = stepped(next(filter(fits, sizes), sizes[-1]), own)
    if second and not fits(fitted):
        notes, dropped = notes[1:], [*left_out(second, note, ink)]
    block = laid(fitted)
    top = max(head.level - block.height / 2, highest(fitted))
    return box.boxed((*block.paint(box.x, top), *dropped))


def _heading(box: Box, *parts: Part, align: Anchor = Anchor.START) -> Group:
    """Draw words above a part, on one line."""
    line = Box(box.x, box.y - 5.5, box.width, 5.5)
    return line.centred(in_row(*parts, level=1), align, 1, down=_HEADING)


def _label(charter: _Charter, key: str, box: Box, align: Anchor = Anchor.START) -> Group:
    return _heading(box, charter.set("label", charter.words(key), box.width), align=align)


def _sign(charter: _Charter, box: Box) -> Items:
    """Draw the home as an enamelled station sign: its hexes on the map, or the number of its map
    tile in a light hexagon."""
    company, atlas = charter.company, charter.title.atlas
    badge, name = "", _facts(charter.homes, charter.destination)
    if not company.homes:
        if atlas is None:
            return ()
        name = charter.words("any_city")
        for tile in atlas.map_tiles:
            if any(hexagon.company == company.id for hexagon in tile.hexes):
                badge, name = str(tile.number), charter.words("map_tile")
                break
    light, rim, radius = charter.inks.on_line, box.inset(0.8), box.height / 2 - 2.4
    line, own = charter.card.stroke(light, 0.25), charter.type("charter.sign")
    items: list[Item] = [
        _label(charter, "home_base", box),
        box.plate(charter.inks.line, radius=_CORNER),
        rim.plate(stroke=line, radius=1.1, role=Role.ORNAMENT),
    ]
    words = rim
    if badge:
        _, place, _, words = rim.columns(1.8, 2 * radius, 0.35, 0)
        code = set_centred(badge, fit(badge, own, radius * 1.6), charter.ink("text"), *place.middle)
        items.append(hexagon(*place.middle, place.width * math.sqrt(0.75), light))
        items.append(place.boxed(code))
    type_style, name = one_stepped(name, own, words.width - 2 * _SIGN_PAD)
    items.append(words.words(name, type_style, light, Anchor.START, pad=_SIGN_PAD))
    return tuple(items)


def _stations(charter: _Charter, rooms: _Rooms) -> Items:
    """Draw a row of token slots with prices below them. The heading above is followed, if the
    layout has no sign, by homes, hexes held back and destinations."""
    company, style, count, row = charter.company, charter.style, len(charter.prices), rooms.row
    parts, left, text = list[Part](), row.width, ""
    if count:
        key = "station" if rooms.sign and count == 1 else "stations"
        label = charter.set("label", charter.words(key), left)
        parts, left = [label, 3], left - label.width - 3
    if not rooms.sign:
        blocks = charter.words("held_back", listed(company.blocks, style)) if company.blocks else ""
        text = _facts(charter.led("home_base", charter.homes), blocks, charter.destination)
    if text:
        fitted, text = one_stepped(text, charter.type("charter.note"), left)
        parts.append(text_block(text, fitted, charter.ink("text")))
    return (_heading(row, *parts), *_slots(charter, rooms.slots))


def _slots(charter: _Charter, box: Box) -> Items:
    """Draw token slots, each with the company's division faintly inside and its price below. Prices
    too long to fit side by side are printed without currency and, if still too long, on a line
    of their own."""
    company, title, prices = charter.company, charter.title, charter.prices
    cost, size, count = charter.type("charter.cost"), charter.token, len(prices)
    homes = 0 if company.token_places else max(1, len(company.homes) if company.all_homes else 1)
    # The first `alone` slots have a price of their own. The others share one: that of the company's
    # formation, or that of the place where the token is laid.
    shared = as_placed = charter.words("as_placed")
    unpriced = len([*takewhile(lambda price: price is None, reversed(prices))])
    alone = count - (unpriced if unpriced > 1 else 0)
    if company.formation_cost and not any(prices[homes:]):
        alone, shared = homes, charter.words("formation", title.money(company.formation_cost))
    own = []
    for number, price in enumerate(prices[:alone]):
        free = as_placed if price is None else charter.words("home" if number < homes else "free")
        own.append(title.money(price) if price and not isinstance(price, str) else price or free)
    # Slots given as a list of places, not of stations, stand in two groups.
    apart = 9 if company.token_places and 0 < alone < count else 0
    step = min(size + _SLOT_GAP, (box.width - size - apart) / max(1, count - 1))
    first = box.within(size, size, Anchor.START)
    slots = [
        first._replace(x=box.x + number * step + (apart if number >= alone else 0))
        for number in range(count)
    ]
    room = step - 0.6 if count > 1 else box.width
    least = cost.at(min(cost.size_pt, cost.min_pt))

    def crowded() -> bool:
        return any(text_width(price, least) > room for price in own)

    if crowded():
        own = [str(price) if price else text for price, text in zip(prices, own, strict=False)]
    texts = [*own, shared] if alone < count else own
    # Letters that fill the em need more air below their slots.
    tall = max((rise_mm(text, cost) for text in texts if holds_wide(text)), default=0.0)
    down = max(0.0, _ABOVE_WIDE + tall - _PRICE_BASE)
    row = Box(box.x, first.foot + down, box.width, 5 - down)
    white = charter.ink("white")
    ring = charter.card.stroke(mix(white, charter.inks.line, GHOST), 0.2)
    items: list[Item] = []
    for slot in slots:
        ghost = roundel_ghost(company, white, ring, slot)
        items.append(disc(slot.middle, size / 2, white, charter.line(0.35), Role.SLOT))
        items.append(slot.place("token", ghost))
    after = apart + alone * step + text_width(shared, least) if alone < count else 0
    if crowded() or after > box.width:
        line = charter.set("cost", " · ".join(texts), box.width)
        return (*items, _price(row, line, row.x))
    for slot, text in zip(slots, own, strict=False):
        words = charter.set("cost", text, room)
        at = min(slot.middle[0] - words.width / 2, row.right - words.width)
        items.append(_price(row, words, max(at, row.x)))
    if alone < count:
        left, right = slots[alone].x + 0.8, slots[-1].right - 0.8
        items += _bracket(charter, shared, row._replace(x=left, width=right - left))
    return tuple(items)


def _price(row: Box, words: Block, x: float) -> Group:
    """Draw words below slots, starting at x."""
    return row.boxed(words.paint(x, row.y + _PRICE_BASE - words.height))


def _bracket(charter: _Charter, text: str, box: Box) -> Items:
    """Draw a price shared by several slots, between the arms of a bracket."""
    words = charter.set("cost", text, box.width - 6)
    half, level = words.width / 2 + 1, box.y + _PRICE_BASE - words.height / 2
    middle = max(box.middle[0], box.x - 0.8 + half)
    arms = ((box.x, middle - half), (box.right, middle + half)) if box.width > 2 * half else ()
    place, stroke = Box(middle - half, box.y, 2 * half, box.height), charter.line(0.2)
    return (
        *(
            Path(
                (("M", end, level - 1.3), ("L", end, level), ("L", inner, level)),
                stroke=stroke,
                role=Role.ORNAMENT,
            )
            for end, inner in arms
        ),
        _price(place, words, place.x + 1),
    )


def _limit_table(charter: _Charter, box: Box, row: Box) -> Items:
    """Draw the train limits, with a column for each phase, or a row in an upright box. Phases are
    headed in the colour of their newest tiles; equal limits of neighbours are joined. The
    heading may fill a wider row. Empty if no phase limits the company."""
    limits = charter.limits
    if not limits:
        return ()
    style, rule, upright = charter.style, charter.line(0.15), box.height > box.width
    each, heads = [0.0] * len(limits), max(box.height * 0.42, _PHASE_ROW)
    grid = box.grid([0, 0], each) if upright else box.grid(each, [heads, 0])

    def at(phases: int | slice, row: int) -> Box:
        return grid[row, phases] if upright else grid[phases, row]

    inside: list[Item] = [box.plate(charter.ink("white"), radius=_CORNER)]
    for number, (phase, _) in enumerate(limits):
        cell = at(number, 0)
        colour = f"tile.{phase.tiles[-1]}" if phase.tiles else ""
        ground = style.ink(colour if colour in style.theme.inks else "tile.white")
        inside.append(cell.plate(ground, rule))
        # Tints are too similar, so a bar above or before the name has the full colour.
        rim, low = rim_ink(colour, style), cell
        if rim is not None:
            bar, low = cell.columns(_BAR, 0) if upright else cell.rows(_BAR, 0)
            inside.append(bar.plate(rim))
        type_style, name = fit(phase.id, charter.type("charter.phase"), cell.width - 0.8), phase.id
        angle = 0.0
        if text_width(name, type_style) > cell.width - 0.4:
            type_style, name = one_line(phase.id, type_style, cell.height - 0.6)
            angle = -90.0
        words = set_centred(name, type_style, readable_on(ground), *low.middle, angle=angle)
        inside.append(cell.boxed(words))
    first, figures = 0, charter.type("charter.limit")
    for limit, phases in groupby(limit for _, limit in limits):
        joined = slice(first, first + len([*phases]))
        first, cell = joined.stop, at(joined, 1)
        inside += (
            cell.plate(stroke=rule),
            cell.words(str(limit), figures, charter.ink("text"), pad=0.3),
        )
    return (
        _label(charter, "train_limit", row, Anchor.END if box.x > row.x else Anchor.START),
        box.clipped(inside, _CORNER),
        box.plate(stroke=charter.line(0.35), radius=_CORNER, role=Role.ORNAMENT),
    )


def _trains(charter: _Charter, box: Box) -> Items:
    """Draw the place of the train cards below a heading: one for each train that the company may
    ever own, the first on top at the right. Of the cards below it, the left corner shows, which
    has their index."""
    white, count = charter.ink("white"), most_trains(charter.title, charter.company)
    ghost = mix(white, charter.inks.line, GHOST)
    long, short = (charter.mm(side + CARD_PLAY_MM) for side in train_card(charter.title))
    card = box.within(min(long, box.width), min(short, box.height), Anchor.START, 0)
    step = (box.width - card.width) / (count - 1) if count > 1 else 0
    edge, cards = charter.card.stroke(ghost, 0.3), list[Item]()
    for number in range(count):
        place = card._replace(x=box.x + number * step)
        engine = wheel(*place.middle, card.height * 0.2, ghost) if number == count - 1 else ()
        plate = place.plate(white, edge, radius=_CORNER, role=Role.ORNAMENT)
        cards.append(place.place("train", (plate, *engine)))
    whole = card._replace(width=box.width if count > 1 else card.width)
    return (
        _label(charter, "trains", box),
        whole.clipped(cards, _CORNER),
        whole.plate(stroke=charter.line(0.3), radius=_CORNER, role=Role.ORNAMENT),
    )


def _treasury(charter: _Charter, box: Box, texts: Sequence[str]) -> Items:
    """Draw the place of the notes, on a pale rosette if there is room for one, with a square below
    it for each loan. The heading, the company's abilities and the use of revenue stand above or
    beside it. Raises DoesNotFit."""
    loans, beside, (wide, high) = charter.company.loans, charter.form.beside, charter.notes
    column = place = box
    heading = list[Part]()
    if beside:
        column, place = box.columns(min(_NOTE_WORDS, box.width - wide - 2), 0, gap=2)
        heading = [charter.set("label", charter.words("treasury"), column.width), 1.2]
    side = min(_LOAN, (place.width + _LOAN_GAP) / max(1, loans) - _LOAN_GAP)
    below_notes = _LOAN_HEADING + side if loans else 0.0
    words = _money_words(charter, heading, texts, column.width)
    above = 0 if beside or not texts else words.height + 2
    if loans and (side < _LEAST_LOAN or place.height - above - below_notes < high):
        # Notes take precedence: state the number of loans in words.
        loans, below_notes, texts = 0, 0.0, (*texts, charter.words("most_loans", loans))
        words = _money_words(charter, heading, texts, column.width)
        above = 0 if beside else words.height + 2
    row = place.with_top(place.foot - side)
    place = Box(place.x, place.y + above, place.width, place.height - above - below_notes)
    # If there is no room for notes below the words, print the words on the place for notes.
    within = place.height < _LEAST_NOTES
    if within:
        place, column = box, box.inset(2, 1)
        words = _money_words(charter, (), texts, column.width) if texts else words
    if words.height > column.height:
        area = f"an area {box.height * charter.card.unit_mm:.0f} mm high"
        raise DoesNotFit(*_too_long(area))
    tint, inside = charter.inks.tint, place.inset(_NOTES_PAD)
    notes: Items = ()
    if (radius := min(inside[2:]) * 0.47) > 7 and not within:
        rings = (replace(charter.pattern.heart, inner=0.55, outer=1),)
        ink = mix(tint, charter.inks.line, GHOST)
        notes = (centred(charter.underprint("treasury", rings, radius, ink), *inside.middle),)
    return (
        *(() if beside else (_label(charter, "treasury", box),)),
        place.plate(tint, radius=_NOTES_CORNER),
        column.centred(words, Anchor.START, 0),
        *(() if within else (inside.place("money", (inside.clipped(notes),)),)),
        place.plate(stroke=charter.line(0.3), radius=_NOTES_CORNER, role=Role.ORNAMENT),
        *(_loan_squares(charter, row, loans, side) if loans else ()),
    )


def _money_words(
    charter: _Charter, heading: Sequence[Part], texts: Sequence[str], width: float
) -> Block:
    """Lay out words about the money below a heading, at most `width` wide."""
    note = charter.type("charter.reminder").beside("".join(texts))
    lines = tuple(line for text in texts for line in wrap_within(text, note, width))
    start, ink = Anchor.START, charter.ink("text")
    return stacked(*heading, text_block(lines, note, ink, align=start, rise=leaded(1)), align=start)


def _loan_squares(charter: _Charter, row: Box, loans: int, side: float) -> Items:
    """Draw a square for each loan, below a heading with the value of a loan."""
    title, white, stroke = charter.title, charter.ink("white"), charter.line(0.3)
    value = () if title.loan is None else (title.money(title.loan),)
    label = charter.words("loans_of" if value else "loans", *value)
    squares = row.columns(*[side] * loans, gap=_LOAN_GAP)
    return (
        _heading(row, charter.set("label", label, row.width)),
        *(each.plate(white, stroke, radius=_CORNER) for each in squares),
    )


def _too_long(area: str) -> tuple[str, str]:
    """Return the message and hint for abilities that do not fit an area."""
    hint = "shorten it, or give charter a larger size"
    return f"charter: what it may do does not fit {area}", hint


def _panel(charter: _Charter, box: Box, paragraphs: Paragraphs) -> Items:
    """Draw the company's abilities on a tinted panel with a bar."""
    inks, x = charter.inks, box.x + _PANEL_LEFT
    return (
        box.plate(inks.tint, charter.line(0.25), radius=_CORNER),
        box.inset(0, _CORNER).columns(1.1)[0].plate(inks.line),
        *paragraph_items(paragraphs, charter.ink("text"), x, diamonds=inks.line),
    )


def _band(charter: _Charter, box: Box) -> Group:
    """Draw a band of fine lines in place of a panel."""
    inner = box.inset(0, box.height * 0.08)
    veil = charter.braid("band:across", inner, charter.inks.veil, line_mm=VEIL_MM)
    return box.clipped((veil,), _CORNER)


def _set_abilities(charter: _Charter) -> tuple[_Rooms, Paragraphs | None]:
    """Return the layout of a charter, and the abilities set on its panel: None for a company
    without any, or if there is no room for a panel. Raises DoesNotFit if they are too long."""
    layouts, text = charter.form.layouts, _abilities_text(charter)
    if text is None:
        return layouts(charter, 0)[0], None
    setting = _common_setting(charter)
    paragraphs = set_paragraphs(text, setting) if setting is not None else None
    if setting is None or paragraphs is None:
        high = max(box.height for box in text.boxes) * charter.card.unit_mm
        raise DoesNotFit(*_too_long(f"a panel {high:.0f} mm high"))
    high = math.inf
    # The panel is only as high as its words; the notes get the rest.
    if charter.form.fitted and paragraphs.height <= paragraphs.box.height:
        paragraphs = paragraphs.fitted()
        high = paragraphs.height + 2 * _AIR + _LOW_AIR
    return layouts(charter, high)[setting.box], paragraphs


def _common_setting(charter: _Charter) -> Setting | None:
    """Return the setting of abilities on charters of this form; None if no panel has room for any
    company's abilities."""
    title, style, form = charter.title, charter.style, charter.form
    if (form, style) not in title.kept:
        charters = [
            _charter_of(title, company, style) for company in title.companies if company.has_charter
        ]
        cards = [_abilities_text(other) for other in charters if other.form is form]
        wide = any(holds_wide(text) for other in charters for text in other.texts)
        title.kept[form, style] = common_setting([*filter(None, cards)], is_wide=wide)
    setting: Setting | None = title.kept[form, style]
    return setting


def _abilities_text(charter: _Charter) -> CardText | None:
    """Return the abilities with the boxes on the panels that the form can spare; None if the form
    has no panel."""
    texts = charter.texts
    layouts = charter.form.layouts(charter, math.inf) if texts else ()
    boxes = tuple(_words_box(rooms.panel) for rooms in layouts if rooms.panel)
    return CardText(texts, scale(charter.type("charter.body")), boxes) if boxes else None


def _stop_name(title: Title, home: Home, style: Style) -> str:
    """Return the name of a home's stop or hex or, if it has none, the meaning of its icon; "" if
    there is neither."""
    if home.name is not None:
        return style.words(home.name)
    maps = (gamemap.by_id for gamemap in title.maps if home.hex in gamemap.by_id)
    hexagon = next((hexes[home.hex] for hexes in maps), None)
    if hexagon is None:
        return ""
    stops, icons = hexagon.tile.stops, map_words.table("icons")
    own = stops[home.stop].name if home.stop is not None and home.stop < len(stops) else None
    names = [name for name in (hexagon.name, own) if name is not None]
    signs = [icons[icon.name] for icon in hexagon.tile.icons if icon.name in icons]
    return " ".join(map(style.words, names or signs[:1]))
