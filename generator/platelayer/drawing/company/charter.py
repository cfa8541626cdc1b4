"""Charters: where a company keeps its stations, trains and money, and what limits them.

Charters have three forms: across, upright, and wide with the trains beside all else. A form first
says which panels it can spare for what the company may do, so that all charters of a form agree on
one setting of these words; then it draws. Lengths are in design units (`kit.surfaces`), those named `_mm`
in mm.
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
    strut,
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
    polygon_path,
)
from platelayer.scene.typeset import (
    TypeStyle,
    fit,
    rise_mm,
    set_centred,
    text_width,
)

map_words = FixedWords("map")

SAFE_MM = KINDS["charter"].safe_mm
# Stands between facts on one line.
_BETWEEN = "   ·   "
# Radius of corners, and words on a sign from its rim.
_CORNER, _SIGN_PAD = 1.6, 1.7
# From the frame of the place for notes to the notes,
# and radius of its corners, which notes must not cover.
_NOTES_PAD, _NOTES_CORNER = 0.3, 0.8
# Least height of a place for notes.
_LEAST_NOTES = 5
# Squares of loans: their sides, the least of these, what lies between them, and above them.
_LOAN, _LEAST_LOAN, _LOAN_GAP, _LOAN_HEADING = 7.0, 3.6, 0.9, 6.4
# From the baseline of a heading to the part that it heads.
_HEADING = 1.66
# Width of the strip with a braid beside the company's colour.
_STRIP = 2.7
# From a slot to the baseline of the price below it, and at least to Japanese letters.
_PRICE_BASE, _ABOVE_WIDE = 2.9, 0.9
# Between areas side by side, and between slots.
_GAP, _SLOT_GAP = 4.5, 2.6


class _Form(Frozen, kw_only=True):
    """A form of charters: width and height in design units that its parts need; what the colour of
    the company and the margins take of it at the left, above, and at the right; what draws it, and
    the panels that it can spare, first the one that takes least of everything else."""

    design: tuple[float, float]
    margins: tuple[float, float, float]
    draw: Callable[[_Charter], Items]
    panels: Callable[[_Charter], tuple[Box, ...]]


class _Charter(CompanyCard, frozen=True, kw_only=True):
    """A company, its card, and its measures in design units."""

    form: _Form

    @property
    def capital(self) -> str:
        """ "Regional railway  ·  Director 20 %  ·  8 × 10 %  ·  floats at 50 %"."""
        company = self.company
        parts = [self.style.words(company.class_name)] if company.class_name is not None else []
        for certificate in company.certificates:
            if certificate.director:
                parts.append(self.words("director_holds", certificate.percent))
            else:
                key = "shares_held" if certificate.reserved else "shares"
                parts.append(self.words(key, certificate.count, certificate.percent))
        if company.float_percent is not None:
            parts.append(self.words("floats", company.float_percent))
        return _BETWEEN.join(parts)

    @property
    def blocks(self) -> str:
        """Hexes that are held back for the company, in words; "" without any."""
        blocks = self.company.blocks
        return self.words("held_back", listed(blocks, self.style)) if blocks else ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Abilities of the company, and its terms as one paragraph."""
        abilities = tuple(map(self.style.words, self.company.abilities))
        return (*abilities, join_parts(self.terms)) if self.terms else abilities

    @property
    def destination(self) -> str:
        """The destinations and their hexes, in words; "" without one."""
        places = []
        for goal in self.company.destinations:
            name = _stop_name(self.title, goal, self.style)
            places.append(self.style.words(ASIDE, name, goal.hex) if name else goal.hex)
        if not places:
            return ""
        return self.style.words(LEAD, self.words("destination"), listed(places, self.style))

    @property
    def homes(self) -> str:
        """Homes with their coordinates; of several places of one name, the name once."""
        style = self.style
        homes = home_names(self.title, self.company, style)
        names = {name for _, name in homes}
        if len(names) == 1 and all(names):
            return style.words(ASIDE, *names, self.listed([hexagon for hexagon, _ in homes]))
        return self.listed(
            [style.words(ASIDE, name, hexagon) if name else hexagon for hexagon, name in homes]
        )

    def listed(self, homes: Sequence[str]) -> str:
        """Homes in a row: all of them, or those that the company chooses from."""
        if self.company.all_homes:
            between, last = company_words("between_all"), company_words("and")
            return listed(homes, self.style, between=between, last=last)
        return listed(homes, self.style, last=company_words("or"))

    @property
    def prices(self) -> tuple[int | str | None, ...]:
        """The price of each slot for a token, or words in its place."""
        return self.company.token_places or self.company.stations

    @property
    def limits(self) -> tuple[tuple[Phase, int], ...]:
        """The company's train limit by phase."""
        return train_limits(self.title, self.company)

    @property
    def most_trains(self) -> int:
        """The most trains that the company may ever own."""
        return most_trains(self.title, self.company)

    @property
    def token(self) -> float:
        """Diameter of a slot for a token of the company."""
        return self.mm(piece_size(self.title, "token", self.company.id).width_mm + TOKEN_PLAY_MM)

    @property
    def bay(self) -> tuple[float, float]:
        """Width and height of the place for trains."""
        bay = train_bay(self.title, self.company)
        return self.mm(bay.width_mm), self.mm(bay.height_mm)

    @property
    def notes(self) -> tuple[float, float]:
        """Width and height of the frame round a place for notes."""
        bay = notes_bay(self.title, self.company)
        return self.mm(bay.width_mm) + 2 * _NOTES_PAD, self.mm(bay.height_mm) + 2 * _NOTES_PAD

    def stack_width(self, row: Box, money: float) -> float:
        """Width of the trains in a row: so that all indices show, which leaves `money` for the
        notes if it can."""
        long, under = self.mm(train_card(self.title)[0] + CARD_PLAY_MM), self.most_trains - 1
        least, most = (long + under * self.mm(shows) for shows in shown_mm(self.title))
        return min(self.bay[0], most, max(least, row.width - _GAP - money))

    @property
    def body(self) -> Box:
        """Room for the parts: inside the margins of the form, down to the safe zone."""
        left, top, right = self.form.margins
        foot = self.card.height - self.mm(SAFE_MM) - 0.4
        return Box(left, top, self.card.width - left - right, foot - top)

    def mm(self, length_mm: float) -> float:
        """A length on paper in design units."""
        return length_mm / self.card.unit_mm

    def sides(self, row: Box, *widths: float, gap: float = _GAP) -> tuple[Box, ...]:
        """Areas side by side, in the other order if the title swaps the sides of trains and
        money."""
        if self.title.pieces.trains_at_right:
            return row.columns(*reversed(widths), gap=gap)[::-1]
        return row.columns(*widths, gap=gap)


def draw_charter(title: Title, piece_id: str, style: Style) -> Scene:
    """The charter of a minor, major or national company of a title. Raises KeyError."""
    charter = _charter_of(title, company_of(title, piece_id), style)
    items = charter.form.draw(charter)
    return charter.card.scene(f"charter:{piece_id}", charter.name, items)


def charter_setting(title: Title, piece_id: str, style: Style) -> tuple[Setting | None, bool]:
    """The setting of abilities on all charters of the form of this one, None if no panel has room
    for those of any; and whether this one has room. Raises KeyError."""
    charter = _charter_of(title, title.company_by_id[piece_id], style)
    text, setting = _abilities_text(charter), _common_setting(charter)
    fits = setting is not None and text is not None and set_paragraphs(text, setting) is not None
    return setting, text is None or fits


def _charter_of(title: Title, company: Company, style: Style) -> _Charter:
    size = piece_size(title, "charter", company.id, company.size)
    if size.height_mm > size.width_mm:
        form = _TALL_FORM
    elif is_wide(size.width_mm, size.height_mm):
        form = _WIDE_FORM
    else:
        form = _ACROSS_FORM
    return _Charter(
        card=design_card(size, style, design=form.design, safe_mm=SAFE_MM),
        title=title,
        company=company,
        form=form,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"charter:{company.id}",
    )


# Across: stations and limits above, trains and money below.


def _across_rows(charter: _Charter) -> tuple[Box, Box, Box]:
    """Stations and limits; a panel, on cards taller than the design; trains and money."""
    token, bay = charter.token, charter.bay[1]
    # Slots and table have one middle; larger tokens take room from the panel.
    _, stations, _, panel, _, low = charter.body.rows(6.4, 14.4, token / 2 - 1, 0, 6.4, bay)
    return stations, panel, low


def _across_panels(charter: _Charter) -> tuple[Box, ...]:
    """Between the stations and the trains."""
    panel = _across_rows(charter)[1]
    return (panel,) if panel.height > 12 else ()


def _draw_across(charter: _Charter) -> Items:
    stations, between, low = _across_rows(charter)
    stack = charter.stack_width(low, charter.notes[0])
    trains, money = charter.sides(low, stack, 0)
    table_width = _limits_width(charter, 7.6, money.width)
    middle, paneled = _abilities_panel(charter), bool(_across_panels(charter))
    slots, table = stations, stations
    # Without abilities the money area reaches up, beside a band of fine lines.
    if not middle and (paneled or not (table_width or charter.prices)):
        slots, column = charter.sides(stations, stack, 0)
        align = Anchor.START if charter.title.pieces.trains_at_right else Anchor.END
        table = column.within(table_width, column.height, align)
        top = table.foot + 6.6 if table_width else table.y
        money = Box(money.x, top, money.width, money.foot - top)
        if paneled:
            band = Box(trains.x, between.y, trains.width, between.height)
            inner, ink = band.inset(0, band.height * 0.08), charter.inks.veil
            veil = charter.braid("band:across", inner, ink, line_mm=VEIL_MM)
            middle = (band.clipped((veil,), _CORNER),)
    elif table_width:
        slots, table = stations.columns(0, table_width, gap=_GAP)
    return (
        *_header(charter, _HEAD),
        _stations_line(charter, slots),
        *_station_slots(charter, slots),
        *_limit_table(charter, table),
        *_train_stack(charter, trains),
        *middle,
        *_treasury(charter, money, _reminders(charter, paneled=paneled)),
    )


# Upright charters: stations and home, panel, money and limits, trains.


_TALL_HEADING = 5.8


def _tall_rows(charter: _Charter) -> tuple[Box, Box, Box, Box]:
    """Stations and home, panel, limits and money, trains."""
    notes = charter.notes[1]
    # Between the rows stand their headings and, below the slots, prices.
    bay = charter.bay[1]
    rows = charter.body.rows(
        5.8, charter.token, 5.4, 0, _TALL_HEADING, max(notes, 10.6), _TALL_HEADING, bay, 0.1
    )
    _, stations, _, panel, _, low, _, trains, _ = rows
    return stations, panel, low, trains


def _draw_tall(charter: _Charter) -> Items:
    stations, panel, low, trains = _tall_rows(charter)
    abilities = _set_abilities(charter)
    top = panel.y if abilities is None else abilities[0].foot
    low = low._replace(y=top + _TALL_HEADING, height=low.foot - top - _TALL_HEADING)
    width, count = stations.width, len(charter.company.stations)
    slots_width = min((charter.token + _SLOT_GAP) * max(1, count), width * 0.6)
    slots, home = stations.columns(slots_width - 0.6, 0, gap=3)
    # Beside a place for notes, the table stands upright in what is left.
    table_width = _limits_width(charter, 6.6, min(width * 0.55, width - charter.notes[0] - 2.4))
    table, money = low.within(0, low.height, Anchor.START), low
    if table_width:
        table, money = charter.sides(low, table_width, 0, gap=2.4)
    return (
        *_header(charter, _TALL_HEAD),
        _label(charter, "stations" if count > 1 else "station", slots),
        *_station_slots(charter, slots),
        *_tall_home(charter, home),
        *_abilities_panel(charter),
        *_limit_table(charter, table, low),
        *_treasury(charter, money),
        *_train_stack(charter, trains),
    )


def _tall_home(charter: _Charter, box: Box) -> Items:
    """The home as a station sign: its hexes on the map, or the number of the map tile it comes with
    in a badge."""
    badge = ""
    if charter.company.homes:
        name = _BETWEEN.join(filter(None, (charter.homes, charter.destination)))
    elif charter.title.atlas is None:
        return ()
    else:
        name = charter.words("any_city")
        for tile in charter.title.atlas.map_tiles:
            if any(hexagon.company == charter.company.id for hexagon in tile.hexes):
                badge, name = str(tile.number), charter.words("map_tile")
                break
    return (_label(charter, "home_base", box), *_sign(charter, box, name, badge))


# Wide charters: the trains stand beside all else.


# Height of the table of limits, of headings, and of prices below slots.
_WIDE_TABLE, _WIDE_HEAD, _WIDE_PRICES = 12.4, 5.6, 5.4
_BELOW_ROUNDEL = 1.2
# Least height of the names of phases, with the bar of low-ink above them; least room from the table
# of limits to the trains below it.
_PHASE_ROW = 5.2
_ABOVE_TRAINS = 1.7
# From a panel, and from prices without one, to the notes.
_BELOW_PANEL, _BELOW_PRICES = 2.4, 0.6
# What the notes leave beside them, if the trains can yield so much; the most that words there take.
_BESIDE_NOTES, _NOTE_WORDS = 32, 24


class _WideRooms(NamedTuple):
    """Layout of a wide charter: the row of the stations and its slots; the table of limits; the
    panel; the trains."""

    stations: Box
    slots: Box
    table: Box
    panel: Box
    trains: Box


def _wide_rooms(charter: _Charter) -> list[_WideRooms]:
    """With the panel right across below the slots, if these leave room for the table, and with the
    panel beside them. Below the panel lie the notes."""
    body = charter.body
    stack = charter.stack_width(body, charter.notes[0] + _BESIDE_NOTES)
    side, room = charter.sides(body, stack, 0)
    head, trains = side.rows(0, charter.bay[1])
    upper, _, _ = room.rows(0, _BELOW_PANEL, charter.notes[1])
    step, count = charter.token + _SLOT_GAP, max(len(charter.prices), 1)
    # At the left, the heading stands below the roundel.
    heading = _WIDE_HEAD + (_BELOW_ROUNDEL if charter.title.pieces.trains_at_right else 0)
    _, stations, _, across = upper.rows(heading, charter.token, _WIDE_PRICES, 0)
    slots_width = min(count * step - _SLOT_GAP, room.width)
    slots = stations.within(slots_width, stations.height, Anchor.START)
    table_width = _limits_width(charter, 6.6, side.width * 0.6)
    # The table stands above the trains if these leave room for it.
    spare = head.height - _WIDE_HEAD - _WIDE_TABLE
    above = table_width > 0 and spare > 1
    if above:
        tall = _WIDE_TABLE - max(0.0, _ABOVE_TRAINS - spare / 2)
        table = head.rows(_WIDE_HEAD + spare / 2, tall, 0)[1]
        table = table.within(table_width, tall, Anchor.END)
    else:
        # Phases move closer where that makes room for the table beside the stations.
        close, free = _limits_width(charter, 4.8, room.width), room.right - slots.right - 5
        fits = close <= free
        table_width = min(table_width, free) if fits else close
        row = room.rows(11.3, _WIDE_TABLE, 0)[1]
        table = row.within(table_width, _WIDE_TABLE, Anchor.END)
    rooms = []
    if above or fits:
        rooms.append(_WideRooms(stations, slots, table, across, trains))
    # Many slots take the whole width: the panel stands beside the table alone.
    many = slots.width > room.width / 2
    left, top = 0.0 if many else slots.width, heading
    if not above:
        low = heading + charter.token + _WIDE_PRICES + _WIDE_HEAD
        table = upper.rows(low, _WIDE_TABLE, 0)[1].within(close, _WIDE_TABLE, Anchor.START)
        left, top = max(left, close), low - 1.4 if many else top
    if not (many and rooms):
        panel = upper.rows(top, 0)[1].columns(left, 0, gap=3.4)[1]
        rooms.append(_WideRooms(stations, slots, table, panel, trains))
    return rooms


def _wide_panels(charter: _Charter) -> tuple[Box, ...]:
    """The first, then that with most room for words, then the last."""
    rooms = [each.panel for each in _wide_rooms(charter)]

    def words(box: Box) -> float:
        return (box.width - _PANEL_LEFT - _PANEL_RIGHT) * (box.height - 2 * _AIR)

    return rooms[0], max(rooms, key=words), rooms[-1]


def _draw_wide(charter: _Charter) -> Items:
    rooms, abilities = _wide_rooms(charter), _set_abilities(charter)
    layout, top = rooms[0], rooms[0].panel.y
    if abilities is not None:
        panel = abilities[0]
        layout = next(each for each in rooms if each.panel.width == panel.width)
        foot = panel.foot
        if panel.width < layout.stations.width:
            beside = layout.stations.foot + _WIDE_PRICES
            if layout.table.x < panel.x and layout.table.right > layout.stations.x:
                beside = layout.table.foot
            foot = max(foot, beside)
        top = foot + _BELOW_PANEL
    elif layout.panel.width < layout.stations.width:
        top = layout.table.foot + _BELOW_PANEL
    else:
        top += _BELOW_PRICES
    money = Box(layout.stations.x, top, layout.stations.width, charter.body.foot - top)
    return (
        *_header(charter, _HEAD),
        *_train_stack(charter, layout.trains),
        _stations_line(charter, layout.stations),
        *_station_slots(charter, layout.slots),
        *_limit_table(charter, layout.table),
        *_abilities_panel(charter),
        *_treasury(charter, money, _reminders(charter, paneled=True), beside=True),
    )


# Parts that several forms share.


# Width of the place in the operating order.
_ORDER = 30


class _Head(Frozen, kw_only=True):
    """The head of a charter: its height; the middle of the roundel, its diameter and the radius of
    its halo; the left edge of the name and the level of its middle, its type, the size of a name of
    several lines as a part of that, and its leading."""

    height: float
    middle: Point
    roundel: float
    halo: float
    left: float
    level: float
    type: str
    several: float
    leading: float


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


def _header(charter: _Charter, head: _Head) -> Items:
    """Paper, and the company's colour with its roundel in a halo of fine lines, its name and, but
    on upright charters, its place in the operating order; a braid below."""
    card, inks, pattern = charter.card, charter.inks, charter.pattern
    place = Box(charter.body.right - _ORDER, 0, _ORDER, head.height)
    order = () if head is _TALL_HEAD else _order(charter, place.right - 14, place.middle[1] - 2)
    right = place.x if order else charter.body.right
    name = Box(head.left, 0, right - head.left, head.height)
    gold = charter.ink("certificate.gold")
    band, strip, _ = card.sheet.rows(card.bleed + head.height, _STRIP, 0)
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    halo = charter.rosette("halo", rings, head.halo, mix(inks.band, inks.on_band, 0.4))
    return (
        card.ground(charter.ink("paper")),
        band.plate(inks.band),
        band.clipped((centred(halo, *head.middle),)),
        *charter.braided(strip),
        disc(head.middle, head.roundel / 2 + 1, gold, role=Role.ORNAMENT),
        *charter.emblem(head.roundel, *head.middle),
        _name(charter, head, name),
        place.boxed(order),
    )


def _name(charter: _Charter, head: _Head, box: Box) -> Group:
    """The name on one line or two, and beneath it the name in another language and how the capital
    is made up."""
    ink, own, note = charter.inks.on_band, charter.type(head.type), charter.type("charter.capital")
    type_style, lines = balanced(charter.name, own, box.width, 2, several=head.several, clip=True)
    # Upright charters leave out the other name.
    second, start = charter.second_name, Anchor.START
    dropped: Items = ()
    if head is _TALL_HEAD:
        second, dropped = "", left_out(second, note, ink)
        note, _ = one_stepped(charter.capital, note, box.width)
    notes = [text for text in (second, charter.capital) if text]
    if notes and text_width(_BETWEEN.join(notes), note) <= box.width:
        notes = [_BETWEEN.join(notes)]

    def laid(name: TypeStyle) -> Block:
        """The name in this type above the notes."""
        parts: list[Part] = [text_block(lines, name, ink, leading=head.leading, align=start)]
        # Japanese has no tails.
        tail = 0.14 if holds_wide(lines[-1]) else 0.27
        above, upper, air = lines[-1], name, tail * name.size_mm + 0.1 * note.size_mm
        for text in notes:
            fitted, line = one_stepped(text, note, box.width)
            high = rise_mm(text, note)
            step = air + high if upper is name else 1.14 * note.size_mm
            gap = max(step, clear_step(above, upper, text, note)) - high
            parts += (gap, text_block((line,), fitted, ink, rise=below(high)))
            above, upper = text, note
        return stacked(*parts, align=start)

    def highest(name: TypeStyle) -> float:
        """Least distance of the name's capitals from the edge: accents need room."""
        return safe + max(laid(name).over, 0.03 * name.size_mm)

    def fits(name: TypeStyle) -> bool:
        block = laid(name)
        return highest(name) + block.height + block.tails <= head.height - 0.4

    safe = charter.mm(SAFE_MM)
    sizes = sizes_down(type_style)
    type_style = next(filter(fits, sizes), sizes[-1])
    type_style = stepped(type_style, own)
    if second and not fits(type_style):
        notes, dropped = [charter.capital] if charter.capital else [], left_out(second, note, ink)
    block = laid(type_style)
    top = max(head.level - block.height / 2, highest(type_style))
    return box.boxed((*block.paint(box.x, top), *dropped))


def _heading(box: Box, *parts: Part, align: Anchor = Anchor.START) -> Group:
    """Words above a part, on one line."""
    line = Box(box.x, box.y - 5.5, box.width, 5.5)
    return line.centred(in_row(*parts, level=1), align, 1, down=_HEADING)


def _label(charter: _Charter, key: str, box: Box, align: Anchor = Anchor.START) -> Group:
    """The heading of a part."""
    type_style, ink = charter.type("charter.label"), charter.ink("text")
    return _heading(box, line_block(charter.words(key), type_style, ink, box.width), align=align)


def _order(charter: _Charter, x: float, y: float) -> Items:
    """The company's place in the operating order between two rules, centred on (x, y)."""
    ink, order = charter.inks.on_band, charter.company.order
    if order is None:
        return ()
    caption, turn = charter.type("charter.column"), charter.words("operates")
    return (
        *charter.rules(x, y, 10.5, ink, gap=4.2),
        *set_centred(str(order), charter.type("charter.order"), ink, x, y),
        *set_centred(turn, fit(turn, caption, _ORDER), ink, x, y + 6.2),
    )


def _sign(charter: _Charter, box: Box, name: str, badge: str) -> Items:
    """An enamelled station sign: a badge in a light hexagon, if there is one, and the name."""
    light, rim, radius = charter.inks.on_line, box.inset(0.8), box.height / 2 - 2.4
    line = charter.card.stroke(light, 0.25)
    items: list[Item] = [
        box.plate(charter.inks.line, radius=_CORNER),
        rim.plate(stroke=line, radius=1.1, role=Role.ORNAMENT),
    ]
    words = rim
    if badge:
        code = fit(badge, charter.type("charter.sign"), radius * 1.6)
        _, place, _, words = rim.columns(1.8, 2 * radius, 0.35, 0)
        lettering = set_centred(badge, code, charter.ink("text"), *place.middle)
        items.append(hexagon(*place.middle, place.width * math.sqrt(0.75), light))
        items.append(place.boxed(lettering))
    sign, name = one_stepped(name, charter.type("charter.sign"), words.width - 2 * _SIGN_PAD)
    items.append(words.words(name, sign, light, Anchor.START, pad=_SIGN_PAD))
    return tuple(items)


def _stations_line(charter: _Charter, box: Box) -> Group:
    """The heading of the stations, if there are any, and beside it homes, hexes held back and the
    destination."""
    ink, parts, left = charter.ink("text"), list[Part](), box.width
    if charter.prices:
        label = line_block(charter.words("stations"), charter.type("charter.label"), ink, left)
        parts += [label, 3]
        left -= label.width + 3
    home = ""
    if charter.company.homes:
        home = charter.style.words(LEAD, charter.words("home_base"), charter.homes)
    goal = charter.destination
    if home or goal or charter.blocks:
        text = _BETWEEN.join(filter(None, (home, charter.blocks, goal)))
        fitted, text = one_stepped(text, charter.type("charter.note"), left)
        parts.append(text_block((text,), fitted, ink))
    return _heading(box, *parts)


def _station_slots(charter: _Charter, box: Box) -> Items:
    """A row of token slots in a box, in the middle of its height, with the price below each. Prices
    too long to stand side by side lose their currency, and then stand in a row of their own."""
    company, title, prices = charter.company, charter.title, charter.prices
    cost, ink = charter.type("charter.cost"), charter.ink("text")
    size, count = charter.token, len(prices)
    homes = 0 if company.token_places else max(1, len(company.homes) if company.all_homes else 1)
    as_placed = charter.words("as_placed")
    # The first `alone` slots have a price of their own. The others share one: that of the company's
    # formation, or that of the place where the token is laid.
    if company.formation_cost and not any(prices[homes:]):
        alone, shared = homes, charter.words("formation", title.money(company.formation_cost))
    else:
        unpriced = len([*takewhile(lambda price: price is None, reversed(prices))])
        alone, shared = count - (unpriced if unpriced > 1 else 0), as_placed
    own = []
    for number, price in enumerate(prices[:alone]):
        if price is None:
            own.append(as_placed)
        elif isinstance(price, str):
            own.append(price)
        else:
            free = "home" if number < homes else "free"
            own.append(title.money(price) if price else charter.words(free))
    # Slots that are no list of stations stand in two groups.
    apart = 9 if company.token_places and 0 < alone < count else 0
    step = min(size + _SLOT_GAP, (box.width - size - apart) / max(1, count - 1))
    first = box.within(size, size, Anchor.START)
    slots = [
        first._replace(x=box.x + number * step + (apart if number >= alone else 0))
        for number in range(count)
    ]
    room = step - 0.6 if count > 1 else box.width
    least = cost.at(min(cost.size_pt, cost.min_pt))
    if any(text_width(price, least) > room for price in own):
        own = [str(price) if price else text for price, text in zip(prices, own, strict=False)]
    shares = alone < count
    texts = [*own, shared] if shares else own
    in_a_row = any(text_width(price, least) > room for price in own)
    in_a_row |= shares and apart + alone * step + text_width(shared, least) > box.width
    # Letters that fill the em need more air below their slots.
    tall = max((rise_mm(text, cost) for text in texts if holds_wide(text)), default=0.0)
    down = max(0.0, _ABOVE_WIDE + tall - _PRICE_BASE)
    row = Box(box.x, first.foot + down, box.width, 5 - down)
    items = [item for slot in slots for item in _slot(charter, slot)]
    if in_a_row:
        line = line_block(" · ".join(texts), cost, ink, box.width)
        items.append(_price(row, line, row.x))
        return tuple(items)
    for slot, text in zip(slots, own, strict=False):
        words = line_block(text, cost, ink, room)
        at = min(slot.middle[0] - words.width / 2, row.right - words.width)
        items.append(_price(row, words, max(at, row.x)))
    if shares:
        left, right = slots[alone].x + 0.8, slots[-1].right - 0.8
        items += _bracket(charter, shared, row._replace(x=left, width=right - left))
    return tuple(items)


def _price(row: Box, words: Block, x: float) -> Group:
    """Words below slots, from x."""
    return row.boxed(words.paint(x, row.y + _PRICE_BASE - words.height))


def _slot(charter: _Charter, box: Box) -> Items:
    """An empty slot for a token, the company's division showing faintly."""
    white, r = charter.ink("white"), box.width / 2
    ring = charter.card.stroke(mix(white, charter.inks.line, GHOST), 0.2)
    return (
        disc(box.middle, r, white, charter.line(0.35), Role.SLOT),
        box.place("token", roundel_ghost(charter.company, white, ring, box)),
    )


def _bracket(charter: _Charter, text: str, box: Box) -> Items:
    """A price that several slots share, between the arms of a bracket."""
    words = line_block(text, charter.type("charter.cost"), charter.ink("text"), box.width - 6)
    half, level = words.width / 2 + 1, box.y + _PRICE_BASE - words.height / 2
    middle = max(box.middle[0], box.x - 0.8 + half)
    arms = []
    if box.width > 2 * half:
        stroke = charter.line(0.2)
        for end, inner in ((box.x, middle - half), (box.right, middle + half)):
            arm = polygon_path(((end, level - 1.3), (end, level), (inner, level)), closed=False)
            arms.append(Path(arm, stroke=stroke, role=Role.ORNAMENT))
    place = Box(middle - half, box.y, 2 * half, box.height)
    return (*arms, _price(place, words, place.x + 1))


# Height of the bar in the colour of a phase.
_BAR = 1.3
# Phases that leave no room for wide columns.
_MANY = 5


def _limits_width(charter: _Charter, phase_width: float, most: float) -> float:
    """Width of the table of train limits: its phases or its heading, whichever is wider, up to
    `most`; 0 where no phase limits the company."""
    names = [phase.id for phase, _ in charter.limits]
    if not names:
        return 0
    heading = text_width(charter.words("train_limit"), charter.type("charter.label"))
    # Columns are as wide as the longest name, up to twice the usual.
    longest = max(text_width(name, charter.type("charter.phase")) for name in names) + 1.6
    each = max(phase_width, min(longest, 2 * phase_width)) if len(names) < _MANY else phase_width
    return min(most, max(heading, each * len(names)))


def _limit_table(charter: _Charter, box: Box, row: Box | None = None) -> Items:
    """Train limits: a column for each phase, or a row in a box that stands upright, headed in the
    colour of its newest tiles, equal neighbours joined. Its heading has the room of a wider `row`.
    Nothing where no phase limits the company."""
    limits = charter.limits
    if not limits:
        return ()
    style, rule, upright = charter.style, charter.line(0.15), box.height > box.width
    each = [0.0] * len(limits)
    grid = (
        box.grid([0, 0], each)
        if upright
        else box.grid(each, [max(box.height * 0.42, _PHASE_ROW), 0])
    )
    inside: list[Item] = [box.plate(charter.ink("white"), radius=_CORNER)]
    for number, (phase, _) in enumerate(limits):
        cell = grid[0, number] if upright else grid[number, 0]
        colour = f"tile.{phase.tiles[-1]}" if phase.tiles else ""
        ground = style.ink(colour if colour in style.theme.inks else "tile.white")
        # Tints are too much alike: their colour stands above them in full, or before them.
        rim, bar, low = rim_ink(colour, style), cell, cell
        if rim is not None:
            bar, low = cell.columns(_BAR, 0) if upright else cell.rows(_BAR, 0)
        type_style, name = fit(phase.id, charter.type("charter.phase"), cell.width - 0.8), phase.id
        angle = 0.0
        if text_width(name, type_style) > cell.width - 0.4:
            type_style, name = one_line(phase.id, type_style, cell.height - 0.6)
            angle = -90.0
        words = set_centred(name, type_style, readable_on(ground), *low.middle, angle=angle)
        inside += [cell.plate(ground, rule), *([bar.plate(rim)] if rim else []), cell.boxed(words)]
    first = 0
    for limit, phases in groupby(limit for _, limit in limits):
        end = first + len([*phases])
        cell = grid[1, first:end] if upright else grid[first:end, 1]
        first = end
        inside.append(cell.plate(stroke=rule))
        inside.append(
            cell.words(str(limit), charter.type("charter.limit"), charter.ink("text"), pad=0.3)
        )
    align = Anchor.END if row is not None and box.x > row.x else Anchor.START
    return (
        _label(charter, "train_limit", row or box, align),
        box.clipped(inside, _CORNER),
        box.plate(stroke=charter.line(0.35), radius=_CORNER, role=Role.ORNAMENT),
    )


def _train_stack(charter: _Charter, box: Box) -> Items:
    """Place of the train cards, below a heading: one for each train that the company may ever own,
    the first on top at the right; of those below it, the left corner shows, where their index
    is."""
    white, count = charter.ink("white"), charter.most_trains
    ghost = mix(white, charter.inks.line, GHOST)
    long, short = (charter.mm(side + CARD_PLAY_MM) for side in train_card(charter.title))
    card = box.within(min(long, box.width), min(short, box.height), Anchor.START, 0)
    step = (box.width - card.width) / (count - 1) if count > 1 else 0
    edge, cards = charter.card.stroke(ghost, 0.3), list[Item]()
    for number in range(count):
        place = card._replace(x=box.x + number * step)
        drawn: Items = (place.plate(white, edge, radius=_CORNER, role=Role.ORNAMENT),)
        if number == count - 1:
            drawn += wheel(*place.middle, card.height * 0.2, ghost)
        cards.append(place.place("train", drawn))
    whole = card._replace(width=box.width if count > 1 else card.width)
    return (
        _label(charter, "trains", box),
        whole.clipped(cards, _CORNER),
        whole.plate(stroke=charter.line(0.3), radius=_CORNER, role=Role.ORNAMENT),
    )


def _treasury(
    charter: _Charter, box: Box, texts: Sequence[str] = (), *, beside: bool = False
) -> Items:
    """Place of the notes, on a pale rosette if there is room for one. Its heading, what the
    company may do and where revenue goes stand above it, or `beside` it. Raises
    DoesNotFit."""
    column, place = box, box
    words = strut(0)
    loans: Items = ()
    if beside:
        column, place = box.columns(min(_NOTE_WORDS, box.width - charter.notes[0] - 2), 0, gap=2)
        label, ink = charter.type("charter.label"), charter.ink("text")
        heading = line_block(charter.words("treasury"), label, ink, column.width)
        block = _foot_block(charter, texts, column.width)
        words = stacked(heading, 1.2, block, align=Anchor.START)
    elif texts:
        words = _foot_block(charter, texts, box.width)
        place = box.rows(words.height + 2, 0)[1]
    if count := charter.company.loans:
        side = min(_LOAN, (place.width + _LOAN_GAP) / count - _LOAN_GAP)
        above, _, row = place.rows(0, _LOAN_HEADING, side)
        if side < _LEAST_LOAN or above.height < charter.notes[1]:  # notes keep their room
            company, most = replace(charter.company, loans=0), charter.words("most_loans", count)
            return _treasury(replace(charter, company=company), box, (*texts, most), beside=beside)
        place, loans = above, _loan_boxes(charter, row, side)
    # With no room for notes below them, the words stand on the place.
    within = place.height < _LEAST_NOTES
    if within:
        place, column = box, box.inset(2, 1)
        words = _foot_block(charter, texts, column.width) if texts else words
    if words.height > column.height:
        area = f"{box.height * charter.card.unit_mm:.0f} mm high"
        message = f"charter: what it may do does not fit an area {area}"
        raise DoesNotFit(message, "shorten it, or give charter a larger size")
    tint, inside = charter.inks.tint, place.inset(_NOTES_PAD)
    ghost: Items = ()
    if (radius := min(inside[2:]) * 0.47) > 7 and not within:
        rings = (replace(charter.pattern.heart, inner=0.55, outer=1),)
        ink = mix(tint, charter.inks.line, GHOST)
        ghost = (centred(charter.underprint("treasury", rings, radius, ink), *inside.middle),)
    standing = (column.centred(words, Anchor.START, 0),)
    return (
        *(() if beside else (_label(charter, "treasury", box),)),
        *(() if within else standing),
        place.plate(tint, radius=_NOTES_CORNER),
        *(standing if within else ()),
        *(() if within else (inside.place("money", (inside.clipped(ghost),)),)),
        place.plate(stroke=charter.line(0.3), radius=_NOTES_CORNER, role=Role.ORNAMENT),
        *loans,
    )


def _loan_boxes(charter: _Charter, row: Box, side: float) -> Items:
    """A square for each loan that the company may have, below what one is."""
    title, white, stroke = charter.title, charter.ink("white"), charter.line(0.3)
    words = (
        charter.words("loans")
        if title.loan is None
        else charter.words("loans_of", title.money(title.loan))
    )
    heading = line_block(words, charter.type("charter.label"), charter.ink("text"), row.width)
    squares = row.columns(*[side] * charter.company.loans, gap=_LOAN_GAP)
    return (
        _heading(row, heading),
        *(each.plate(white, stroke, radius=_CORNER) for each in squares),
    )


def _reminders(charter: _Charter, *, paneled: bool) -> tuple[str, ...]:
    """Abilities of the company, where no panel says them, and the use of revenue, for companies
    with several shares: how one that is owned whole pays is said by its abilities."""
    abilities = () if paneled else charter.texts
    share = min((each.percent for each in charter.company.certificates), default=100)
    if share == 100:
        return abilities
    return (*abilities, charter.words("paid_out", share), charter.words("withheld"))


def _foot_block(charter: _Charter, texts: Sequence[str], width: float) -> Block:
    """Words about the money, in a width."""
    note = charter.type("charter.reminder").beside("".join(texts))
    lines = tuple(line for text in texts for line in wrap_within(text, note, width))
    ink, rise = charter.ink("text"), leaded(1)
    return text_block(lines, note, ink, leading=1.22, align=Anchor.START, rise=rise)


# Beside the words of a panel of abilities, and the least room above and below them.
_PANEL_LEFT, _PANEL_RIGHT, _AIR = 6.2, 3.2, 1.3
# Further room below them: above, the room for accents makes most lines look low.
_LOW_AIR = 0.6


def _abilities_panel(charter: _Charter) -> Items:
    """Abilities of a company beyond the common rules, on its tinted panel; nothing without one."""
    abilities = _set_abilities(charter)
    if abilities is None:
        return ()
    box, paragraphs = abilities
    inks, bar = charter.inks, box.inset(0, _CORNER).columns(1.1)[0]
    return (
        box.plate(inks.tint, charter.line(0.25), radius=_CORNER),
        bar.plate(inks.line),
        *paragraph_items(paragraphs, charter.ink("text"), box.x + _PANEL_LEFT, diamonds=inks.line),
    )


def _set_abilities(charter: _Charter) -> tuple[Box, Paragraphs] | None:
    """The panel of a company's abilities and how they are set on it; None for a company without
    abilities, or without room for any panel. Raises DoesNotFit where they are too long."""
    text = _abilities_text(charter)
    if text is None:
        return None
    setting = _common_setting(charter)
    paragraphs = set_paragraphs(text, setting) if setting is not None else None
    if setting is None or paragraphs is None:
        high = max(box.height for box in text.boxes) * charter.card.unit_mm
        message = f"charter: what it may do does not fit a panel {high:.0f} mm high"
        raise DoesNotFit(message, "shorten it, or give charter a larger size")
    panel = charter.form.panels(charter)[setting.box]
    if charter.form is _WIDE_FORM or charter.form is _TALL_FORM:
        # The panel is as high as its words, and the notes have the rest.
        height = min(panel.height, paragraphs.height + 2 * _AIR + _LOW_AIR)
        low = panel._replace(height=height)
        tall = min(height - 2 * _AIR, paragraphs.height)
        box = TextBox(low.y + _AIR, paragraphs.box.width, tall)
        if shrunk := set_paragraphs(replace(text, boxes=(box,)), setting._replace(box=0)):
            return low, shrunk
    return panel, paragraphs


def _common_setting(charter: _Charter) -> Setting | None:
    """The setting of abilities on charters of this form; None if no panel has room for those of
    any."""
    title, style, form = charter.title, charter.style, charter.form
    if (form, style) not in title.kept:
        charters = [
            _charter_of(title, company, style) for company in title.companies if company.has_charter
        ]
        others = [other for other in charters if other.texts]
        texts = [text for other in others for text in other.texts]
        cards = [_abilities_text(other) for other in others if other.form is form]
        title.kept[form, style] = common_setting(
            [card for card in cards if card is not None], is_wide=any(map(holds_wide, texts))
        )
    setting: Setting | None = title.kept[form, style]
    return setting


def _abilities_text(charter: _Charter) -> CardText | None:
    """The abilities and the boxes on the panels that the form can spare; None where there are
    neither. Kept: all charters look at those of each other."""
    kept, key = (
        charter.title.kept,
        (_abilities_text, charter.company.ref, charter.form, charter.style),
    )
    if key not in kept:
        texts = charter.texts
        panels = charter.form.panels(charter) if texts else ()
        boxes = (
            TextBox(
                panel.y + _AIR, panel.width - _PANEL_LEFT - _PANEL_RIGHT, panel.height - 2 * _AIR
            )
            for panel in panels
        )
        found = (
            CardText(texts, scale(charter.type("charter.body")), tuple(boxes)) if panels else None
        )
        kept[key] = found
    text: CardText | None = kept[key]
    return text


# Homes of a company, which other pieces and exports show, too.


def home_names(title: Title, company: Company, style: Style) -> tuple[tuple[str, str], ...]:
    """Printed coordinates and name of each home; without a name, what its icon shows ("" where
    there is neither). Two stops of one place are one."""
    return tuple(
        dict.fromkeys((home.hex, _stop_name(title, home, style)) for home in company.homes)
    )


def _stop_name(title: Title, home: Home, style: Style) -> str:
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


_ACROSS_FORM = _Form(
    design=(148, 105), margins=(5.5, 21.8, 5.5), draw=_draw_across, panels=_across_panels
)
_TALL_FORM = _Form(
    design=(92, 140),
    margins=(6, 20.2, 6),
    draw=_draw_tall,
    panels=lambda charter: _tall_rows(charter)[1:2],
)
_WIDE_FORM = _Form(
    design=(237, 105), margins=(5.5, 21.8, 5.5), draw=_draw_wide, panels=_wide_panels
)
