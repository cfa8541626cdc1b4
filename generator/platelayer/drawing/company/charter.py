"""Charters: where a company keeps its stations, trains and money, and what limits them.

Charters have four forms: across for majors, across for minors, upright, and wide with the trains
beside all else. A form first says which panels it can spare for what the company may do, so that all
charters of a form agree on one setting of these words; then it draws. Lengths are in design units
(`kit.card`), those named `_mm` in mm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import dropwhile, groupby, takewhile
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.roundel import (
    DIVISIONS,
    REVERSED,
    CompanyInks,
    company_inks,
    company_of,
    placed_roundel,
)
from platelayer.drawing.kit.card import VEIL_MM, Engraved, design_card
from platelayer.drawing.kit.layout import Box
from platelayer.drawing.kit.lettering import (
    balanced,
    figure_height,
    ink_height,
    left_out,
    line_step,
    one_line,
)
from platelayer.drawing.kit.ornament import centred, pattern_of, wheel
from platelayer.drawing.kit.rich_text import (
    ASIDE,
    LEAD,
    CardText,
    Paragraphs,
    Setting,
    TextBox,
    common_setting,
    listed,
    one_stepped,
    paragraph_items,
    set_paragraphs,
    stepped,
    wrap_even,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company, Home
from platelayer.model.kinds import KINDS, piece_size
from platelayer.model.manifest import CARD_PLAY_MM, is_small, is_wide, train_bay, train_card
from platelayer.model.tile import TOKEN_PLAY_MM
from platelayer.model.title import Title
from platelayer.model.train import Phase
from platelayer.scene.breaks import holds_wide
from platelayer.scene.inks import mix, readable_on
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Scene,
    TextRun,
    Use,
    boxed,
    circle_path,
    multiply,
    polygon_path,
    rectangle_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import (
    TypeStyle,
    fit,
    rise_mm,
    set_block,
    set_centred,
    set_line,
    text_width,
)

company_words = FixedWords("companies")
map_words = FixedWords("map")

SAFE_MM = KINDS["charter"].safe_mm
# Stands between facts on one line.
_BETWEEN = "   ·   "
_CORNER_MM = 1.6
# Width of the strip with a braid beside the company's colour.
_STRIP = 3.4
_FOOT_LEADING = 1.22
# From the baseline of the heading of a table or of the money to what it heads.
_BELOW_HEADING = 1.7
# Between a heading and the words beside it.
_AFTER_LABEL = 3.0
_BETWEEN_SLOTS = 2.6
# From the edge of a slot to the baseline of its price.
_BELOW_SLOT = 3.2
# Between slots with prices of their own and those that share one.
_APART = 9.0


class _Form(Struct, frozen=True, kw_only=True):
    """A form of charters: width and height in design units that its parts need, what draws them,
    and the panels that it can spare, first the one that takes least of everything else."""

    design: tuple[float, float]
    draw: Callable[[_Charter], tuple[Item, ...]]
    panels: Callable[[_Charter], tuple[Box, ...]]


class _Charter(Engraved, frozen=True, kw_only=True):
    """A company, its card, and its measures in design units."""

    title: Title
    company: Company
    form: _Form
    inks: CompanyInks
    style: Style

    def words(self, key: str, *parts: object) -> str:
        """Fixed words in the language of the print."""
        return self.style.words(company_words(key), *parts)

    @property
    def name(self) -> str:
        """The company's name."""
        return self.style.words(self.company.name)

    @property
    def second_name(self) -> str:
        """The company's name in another language, "" where it has none or where it is the same."""
        second = self.company.second_name
        words = self.style.words(second) if second is not None else ""
        return "" if words == self.name else words

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
    def destination(self) -> str:
        """The destination and its hex, in words; "" without one."""
        goal = self.company.destination
        if goal is None:
            return ""
        name = _stop_name(self.title, goal, self.style)
        place = self.style.words(ASIDE, name, goal.hex) if name else goal.hex
        return self.style.words(LEAD, self.words("destination"), place)

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
    def limits(self) -> tuple[tuple[Phase, int], ...]:
        """The company's train limit by phase."""
        return train_limits(self.title, self.company)

    @property
    def most_trains(self) -> int:
        """The most trains that the company may ever own."""
        return max((limit for _, limit in self.limits), default=1)

    @property
    def shared(self) -> Engraved:
        """Curves that the charters of all companies of one colour and size place."""
        company, unit = self.company, f"{self.card.unit_mm:.12g}"
        stem = f"charter:{company.colour}{company.text_colour}@{unit}"
        pattern = pattern_of(company.colour, self.style.motif)
        return Engraved(card=self.card, pattern=pattern, stem=stem)

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
    def low(self) -> float:
        """Lower edge of the parts at the foot."""
        return self.card.height - self.mm(SAFE_MM) - 0.4

    def mm(self, length_mm: float) -> float:
        """A length on paper in design units."""
        return length_mm / self.card.unit_mm

    def swapped(self, left: float, width: float, right: float) -> float:
        """Left edge of a part `width` wide that stands at `left`, or ends at `right` if the title
        swaps the sides of trains and money."""
        return right - width if self.title.pieces.trains_at_right else left


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
        form = _MINOR_FORM if is_small(company) else _MAJOR_FORM
    return _Charter(
        card=design_card(size, style, design=form.design, safe_mm=SAFE_MM),
        title=title,
        company=company,
        form=form,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"charter:{company.id}",
        style=style,
    )


# Majors, across: stations and limits above, trains and money below.


# Left and right margins.
_LEFT = 5.5
# Between two areas.
_GAP = 4.5
_LEAST_PANEL = 12.0
# Widths of a phase in the table of limits, on charters across and on upright and wide ones.
_MAJOR_PHASE, _PHASE = 7.6, 6.6


def _draw_major(charter: _Charter) -> tuple[Item, ...]:
    card, style, inks, company = charter.card, charter.style, charter.inks, charter.company
    right, low = card.width - _LEFT, charter.low
    head = _HEAD.height + _STRIP
    bay_width, bay_height = charter.bay
    money_width = right - _LEFT - bay_width - _GAP
    table_width = _limits_width(charter, _MAJOR_PHASE, money_width)
    panels = _major_panels(charter)
    told = bool(panels and company.abilities)
    # Without abilities the money area reaches up, beside a band of fine lines.
    bare = not table_width and not company.token_places and not company.stations
    high = not told and (bool(panels) or bare)
    if high:
        beside = max(table_width, money_width)
        money_top = head + (27.4 if table_width else 6.4)
    else:
        beside = table_width
        money_top = low - bay_height
    slots_width = right - _LEFT - (beside + _GAP if beside else 0.0)
    slots_x, table_x = _LEFT, right - table_width
    if high:
        slots_x = charter.swapped(_LEFT, slots_width, right)
        table_x = charter.swapped(table_x, money_width, _LEFT + money_width)
    bay_x = charter.swapped(_LEFT, bay_width, right)
    money_x = charter.swapped(right - money_width, money_width, _LEFT + money_width)
    table = Box(table_x, head + 6.4, table_width, 14.4)
    money = Box(money_x, money_top, money_width, low - money_top)
    band: tuple[Item, ...] = ()
    if told:
        band = _abilities_panel(charter)
    elif panels:
        _, y, _, height = panels[0]
        braid = charter.braid("band:across", bay_width, height * 0.42, inks.veil, line_mm=VEIL_MM)
        inside = Use(scene=braid, matrix=translation(bay_x, y + height * 0.08))
        clip = rectangle_path(bay_x, y, bay_width, height, _CORNER_MM)
        band = (Group(items=(inside,), clip=clip),)
    return (
        card.ground(style.ink("paper")),
        *_header(charter, _HEAD),
        _major_name(charter, Box(39.5, 0.0, right - 39.5, _HEAD.height)),
        _stations_line(charter, Box(slots_x, head, slots_width, 13.6)),
        *_station_slots(charter, slots_x, head + 13.6, slots_width),
        *_limit_table(charter, table, heading=head + 4.6),
        *_train_stack(charter, Box(bay_x, low - bay_height, bay_width, bay_height)),
        *band,
        *_treasury(charter, money, paneled=bool(panels)),
    )


def _major_panels(charter: _Charter) -> tuple[Box, ...]:
    """Between the stations and the trains, on cards taller than the design."""
    token = charter.mm(piece_size(charter.title, "token", charter.company.id).width_mm)
    y = _HEAD.height + _STRIP + 13.6 + token / 2 + 6.4
    spare = charter.low - charter.bay[1] - 6.4 - y
    if spare <= _LEAST_PANEL:
        return ()
    return (Box(_LEFT, y, charter.card.width - 2 * _LEFT, spare),)


# Least room below the capital, for descenders.
_FOOT = 1.8
# Room for accents above capitals, in ems.
_ACCENT = 0.1
_SECOND_LEADING = 1.14


def _major_name(charter: _Charter, box: Box) -> Group:
    """The name on one line or two, and beneath it the name in another language and how the capital
    is made up."""
    card, ink = charter.card, charter.inks.on_band
    own, note = card.type("charter.name"), card.type("charter.capital")
    second, capital = charter.second_name, charter.capital
    type_style, lines = balanced(charter.name, own, box.width, 2, several=0.66, clip=True)

    def drop(name: TypeStyle, below: str) -> float:
        """From the last line of the name to the line of notes below it."""
        if not below:
            return 0.0
        clear = ink_height(below, note)[1] - min(0.0, ink_height(lines[-1], name)[0]) + 0.1
        return max(0.27 * name.size_mm + 0.12 * note.size_mm + rise_mm(below, note), clear)

    def height(name: TypeStyle, below: str) -> float:
        """Height of the name with one line of notes."""
        steps = line_step(lines, name, 1.04) * (len(lines) - 1)
        return name.cap_height_mm + steps + drop(name, below)

    def ascent(name: TypeStyle) -> float:
        """Reach of letters and accents above the capitals of the first line."""
        high = max(rise_mm(lines[0], name), ink_height(lines[0], name)[1])
        return max(high - name.cap_height_mm, _ACCENT * name.size_mm)

    step = 0.0
    if second and capital:
        high, low = (
            ink_height(capital, note.beside(capital))[1],
            ink_height(second, note.beside(second))[0],
        )
        step = max(_SECOND_LEADING * note.size_mm, high - low + 0.1)
    room = _HEAD.height - charter.mm(SAFE_MM) - _FOOT

    def fits(name: TypeStyle) -> bool:
        return ascent(name) + height(name, second or capital) + step <= room

    if second or len(lines) > 1:
        while type_style.size_pt > type_style.min_pt and not fits(type_style):
            type_style = type_style.at(max(type_style.min_pt, type_style.size_pt - 0.5))
    type_style = stepped(type_style, own)
    dropped: tuple[TextRun, ...] = ()
    if second and not fits(type_style):
        dropped = left_out(second, note, ink)
        second, step = "", 0.0
    leading = line_step(lines, type_style, 1.04)
    block = height(type_style, capital or second) + step
    above = ink_height(lines[0], type_style)[1] - type_style.cap_height_mm
    above = max(ascent(type_style) if second else 0.0, above)
    top = max(_HEAD.height / 2 - block / 2 + 0.2, charter.mm(SAFE_MM) + above)
    first = top + type_style.cap_height_mm
    ems = leading / type_style.size_mm
    runs = [*set_block(lines, type_style, ink, box.x, first, leading=ems), *dropped]
    base = first + leading * (len(lines) - 1) + drop(type_style, second or capital)
    for text in filter(None, (second, capital)):
        fitted, line = one_stepped(text, note, box.width)
        runs += set_line(line, fitted, ink, box.x, base)
        base += step
    return boxed(runs, *box)


# Upright charters: stations and home, panel, money and limits, trains.


# Left and right margins.
_SIDE = 6.0
# From the trim to the letters of the name.
_EDGE_MM = 3.1
_NAME_LEADING = 1.16


def _draw_tall(charter: _Charter) -> tuple[Item, ...]:
    card, company, token = charter.card, charter.company, charter.token
    left, right = _SIDE, card.width - _SIDE
    width = right - left
    slots = min((token + _BETWEEN_SLOTS) * max(1, len(company.stations)), width * 0.6)
    home_x = left + slots + 2.4
    trains, money_heading = _tall_trains(charter)
    table_width = _limits_width(charter, _PHASE, width * 0.55)
    money_width = width - (table_width + 4.0 if table_width else 0.0)
    money_x = charter.swapped(right - money_width, money_width, left + money_width)
    table_x = charter.swapped(left, table_width, right)
    top = money_heading + _BELOW_HEADING
    money, table = Box(money_x, top, money_width, 10.6), Box(table_x, top, table_width, 10.6)
    name_x = _TALL_HEAD.x + 15.8
    name = Box(name_x, 0.0, right - name_x, _TALL_HEAD.height)
    stations = charter.words("stations" if len(company.stations) > 1 else "station")
    return (
        card.ground(charter.style.ink("paper")),
        *_header(charter, _TALL_HEAD),
        _tall_name(charter, name),
        _label(charter, stations, left, _TALL_ROW, home_x - _AFTER_LABEL - left),
        *_station_slots(charter, left, _TALL_ROW + 2.0 + token / 2, slots),
        *_tall_home(charter, Box(home_x, _TALL_ROW + 2.0, right - home_x, token)),
        *_abilities_panel(charter),
        *_limit_table(charter, table, heading=money_heading),
        *_braided_treasury(charter, money, money_heading, charter, "treasury:across", half=0.3),
        *_train_stack(charter, Box(left, trains, width, charter.bay[1])),
    )


def _tall_trains(charter: _Charter) -> tuple[float, float]:
    """Upper edge of the trains, and the baseline of the heading of the money above them."""
    trains = charter.low - 0.2 - charter.bay[1]
    return trains, trains - 18.6


def _tall_panels(charter: _Charter) -> tuple[Box, ...]:
    """Between the stations and the money."""
    _, money_heading = _tall_trains(charter)
    y = _TALL_ROW + charter.token + 7.8
    return (Box(_SIDE, y, charter.card.width - 2 * _SIDE, money_heading - 5.0 - y),)


def _tall_name(charter: _Charter, box: Box) -> Group:
    """The name, and beneath it how the capital is made up."""
    card, ink, left = charter.card, charter.inks.on_band, box.x
    own = card.type("charter.minor")
    type_style, lines = balanced(charter.name, own, box.width, 2, several=0.82, clip=True)
    type_style = stepped(type_style, own)
    note, capital = one_stepped(charter.capital, card.type("charter.capital"), box.width)
    leading = line_step(lines, type_style, _NAME_LEADING)
    drop = 0.0
    if capital:
        clear = ink_height(capital, note)[1] - ink_height(lines[-1], type_style)[0] + 0.1
        drop = max(0.3 * type_style.size_mm + 0.8 * note.size_mm, clear)
    block = type_style.cap_height_mm + leading * (len(lines) - 1) + drop
    first = _TALL_HEAD.y - block / 2 + type_style.cap_height_mm
    first = max(first, charter.mm(_EDGE_MM) + ink_height(lines[0], type_style)[1])
    last = first + leading * (len(lines) - 1)
    ems = leading / type_style.size_mm
    runs = [*set_block(lines, type_style, ink, left, first, leading=ems)]
    if capital:
        runs += set_line(capital, note, ink, left, last + drop)
    return boxed([*runs, *left_out(charter.second_name, note, ink)], *box)


def _tall_home(charter: _Charter, box: Box) -> tuple[Item, ...]:
    """The home as a station sign: its hexes on the map, or the number of the map tile it comes with
    in a badge."""
    badge_text = ""
    if charter.company.homes:
        name = _BETWEEN.join(filter(None, (charter.homes, charter.destination)))
    elif charter.title.atlas is None:
        return ()
    else:
        name = charter.words("any_city")
        for tile in charter.title.atlas.map_tiles:
            if any(hexagon.company == charter.company.id for hexagon in tile.hexes):
                badge_text, name = str(tile.number), charter.words("map_tile")
                break
    x, y, width, height = box
    style = charter.card.type("charter.sign")
    badge = height / 2 - 2.4 if badge_text else 0.0
    middle = y + height / 2
    start = x + 2.6 + (2 * badge + 2.0 if badge else 0.0)
    sign, name = one_stepped(name, style, x + width - 2.4 - start)
    items = [
        _label(charter, charter.words("home_base"), x, _TALL_ROW, width),
        *_sign_plate(charter, box),
    ]
    if badge:
        code = fit(badge_text, style, badge * 1.5)
        items += _badge(charter, badge_text, code, (x + 2.6 + badge, middle), badge)
    words = set_line(name, sign, charter.inks.on_line, start, middle + sign.cap_height_mm / 2)
    return (*items, boxed(words, x + 0.8, y + 0.8, width - 1.6, height - 1.6))


# Wide charters: the trains stand beside all else.


# Room for the place in the operating order, and how much shows of a train below another.
_ORDER, _TRAIN_STEP = 30.0, 9.0
_WIDE_TABLE = 12.4
# Least width of a phase in the table of limits.
_CLOSE_PHASE = 4.8
# Shares of the width that the panel of abilities may take.
_WIDE_PANELS = (0.56, 0.62, 0.68)


class _WideRooms(NamedTuple):
    """Layout of the parts beside the trains: left edge and width of all, width of the slots and
    of the table of limits, whether these stand side by side, the baseline of the headings below the
    stations, and the upper edge of the panel."""

    x: float
    width: float
    slots: float
    table: float
    beside: bool
    second: float
    panel: float
    trains: float


def _wide_rooms(charter: _Charter) -> _WideRooms:
    title, company, token = charter.title, charter.company, charter.token
    card_width, head = charter.card.width, _HEAD.height + _STRIP
    long = charter.mm(train_card(title)[0] + CARD_PLAY_MM)
    trains = min(long + (charter.most_trains - 1) * _TRAIN_STEP, charter.bay[0])
    width = card_width - 2 * _LEFT - trains - _GAP
    x = charter.swapped(card_width - _LEFT - width, width, _LEFT + width)
    table = _limits_width(charter, _PHASE, width * 0.6)
    slots = max(len(company.token_places or company.stations), 1) * (token + _BETWEEN_SLOTS)
    # Phases move closer where that makes room for the table beside the stations.
    close = _limits_width(charter, _CLOSE_PHASE, width)
    beside = bool(table) and slots + _BETWEEN_SLOTS + close <= width
    table = min(table, width - slots - _BETWEEN_SLOTS) if beside else table
    second = head + 6.0 + token + 9.4
    # What the company may do stands below the table, beside the money.
    panel = second - 3.0 if beside or not table else second + _WIDE_TABLE + 3.4
    return _WideRooms(x, width, slots, table, beside, second, panel, trains)


def _wide_panels(charter: _Charter) -> tuple[Box, ...]:
    """Below the table, ever wider at the cost of the money; at last in the whole width, with the
    money above it."""
    rooms = _wide_rooms(charter)
    *shares, last = _WIDE_PANELS
    above = rooms.width - rooms.table - _GAP if rooms.table and not rooms.beside else 0.0
    reminders = _reminders(charter, paneled=True)
    if above and _foot_lines(charter, reminders, above)[2] <= _WIDE_TABLE:
        last = 1.0
    height = charter.low - rooms.panel
    return tuple(
        Box(rooms.x, rooms.panel, rooms.width * share, height) for share in (*shares, last)
    )


def _draw_wide(charter: _Charter) -> tuple[Item, ...]:
    card, company, low, token = charter.card, charter.company, charter.low, charter.token
    edge, head = card.width - _LEFT, _HEAD.height + _STRIP
    x, width, slots, table_width, beside, second, _, trains = _wide_rooms(charter)
    right, bay_height = x + width, charter.bay[1]
    name_right = edge - (_ORDER if company.order is not None else 0.0)
    bay_y = head + 7.4 + (low - head - 7.4 - bay_height) / 2
    abilities = _set_abilities(charter)
    panel = abilities[0].width if abilities is not None else 0.0
    across = panel == width
    # The money stands beside the panel and the table, or above a panel that takes the whole width.
    column = max(0.0 if across else panel, 0.0 if beside else table_width)
    money_x = x + (column + _GAP if column else 0.0)
    money_height = _WIDE_TABLE if across else low - second - _BELOW_HEADING
    money = Box(money_x, second + _BELOW_HEADING, right - money_x, money_height)
    table_x, heading = (right - table_width, head + 9.6) if beside else (x, second)
    table = Box(table_x, heading + _BELOW_HEADING, table_width, _WIDE_TABLE)
    slots_room = width - (table_width + _BETWEEN_SLOTS if beside else 0.0)
    order = _order(charter, edge - 14.0, _HEAD.height / 2 - 2.0)
    bay = Box(charter.swapped(_LEFT, trains, edge), bay_y, trains, bay_height)
    return (
        card.ground(charter.style.ink("paper")),
        *_header(charter, _HEAD),
        _major_name(charter, Box(39.5, 0.0, name_right - 39.5, _HEAD.height)),
        boxed(order, name_right, 0.0, edge - name_right, _HEAD.height),
        *_train_stack(charter, bay),
        _stations_line(charter, Box(x, head, width, 13.6), blocks=charter.blocks),
        *_station_slots(
            charter, x, head + 6.0 + token / 2, min(slots_room, slots - _BETWEEN_SLOTS)
        ),
        *_limit_table(charter, table, heading=heading),
        *_abilities_panel(charter),
        *_treasury(charter, money, paneled=True),
    )


# Minors, across: a column in the company's colour, and everything else beside it.


# Width of the column, and the margin on the other side.
_COLUMN, _RIGHT = 43.0, 5.0
# Height of the sign of the home, of the name in another language, and least height of the table.
_SIGN, _SECOND, _TABLE = 13.6, 3.6, 13.0
# Heights of a sign, of one with a second line, and of the table where a panel or a second name needs
# room.
_LOW_SIGN, _LOW_SIGN_OF_TWO, _LOW_TABLE = 10.4, 12.0, 10.6
# From these heights of a card on there is room for the second name: above the usual sign, and above
# a low one.
_TALL, _LOW = 112.0, 103.0
# Depth of descenders, in ems.
_DESCENT = 0.27
_PANEL_GAP = 3.4
_LEAST_MINOR_PANEL = 7.0
_MINOR_PHASE = 6.4
# Between letters and accents of names.
_CLEAR = 0.1
# Foot of the room for the name, above that of the second name.
_NAME_FOOT = 16.4


class _MinorRooms(NamedTuple):
    """Layout of the parts of a minor's charter: left and right edge of all, upper edge of the
    sign, whether there is one, lower edge of the panel, height of a sign that makes room for it."""

    left: float
    right: float
    top: float
    signed: bool
    bottom: float
    low_sign: float


def _minor_rooms(charter: _Charter) -> _MinorRooms:
    company = charter.company
    # A sign with a second line has nothing to spare.
    two_lines = bool(company.blocks) or company.destination is not None
    return _MinorRooms(
        left=_COLUMN + _STRIP + 4.6,
        right=charter.card.width - _RIGHT,
        top=_NAME_FOOT + (_SECOND if _has_second(charter) else 0.0),
        # Without a sign and slots for tokens, the money lies right below the name.
        signed=bool(company.stations or company.homes),
        bottom=charter.low - charter.bay[1] - 6.2,
        low_sign=_SIGN if two_lines else _LOW_SIGN,
    )


def _has_second(charter: _Charter) -> bool:
    """True if the name in another language has a line, as on cards taller than the design."""
    return bool(charter.second_name) and charter.card.height >= _LOW


def _minor_panels(charter: _Charter) -> tuple[Box, ...]:
    """Above the trains, on cards taller than the design; then higher by what the sign and the table
    can spare."""
    left, right, top, signed, bottom, low_sign = _minor_rooms(charter)
    usual = bottom - top - 5.6 - (_SIGN if signed else 0.0) - _BELOW_HEADING - _TABLE - _PANEL_GAP
    grown = usual + _TABLE - _LOW_TABLE + (_SIGN - low_sign if signed else 0.0)
    if usual < _LEAST_MINOR_PANEL:
        return ()
    return tuple(Box(left, bottom - height, right - left, height) for height in (usual, grown))


def _draw_minor(charter: _Charter) -> tuple[Item, ...]:
    card, style, company, token = charter.card, charter.style, charter.company, charter.token
    left, right, top, signed, bottom, low_sign = _minor_rooms(charter)
    width, bay_height = right - left, charter.bay[1]
    slots = min((token + _BETWEEN_SLOTS) * len(company.stations), width * 0.5)
    slots_x = right - slots + _BETWEEN_SLOTS
    table_width = _limits_width(charter, _MINOR_PHASE, _MINOR_PHASE * 8)
    money_width = width - (table_width + 4.5 if table_width else 0.0)
    money_x = charter.swapped(right - money_width, money_width, left + money_width)
    table_x = charter.swapped(left, table_width, right)
    # A panel says what the company may do; on cards without room for one, the money area.
    abilities = _set_abilities(charter)
    if abilities is not None:
        panel, usual = abilities[0], _minor_panels(charter)[0]
        sign = _SIGN if panel == usual else low_sign
        bottom = panel.y - _PANEL_GAP
        reminders: tuple[str, ...] = ()
    else:
        sign = _SIGN
        if _has_second(charter) and card.height < _TALL:
            sign = _LOW_SIGN if low_sign == _LOW_SIGN else _LOW_SIGN_OF_TWO
        reminders = tuple(map(style.words, company.abilities))
    slots_y = top + sign / 2 - 1.2
    row = top + 5.6 + (sign if signed else 0.0)
    # The heading at the right goes below the prices of the slots if it would run into them.
    type_style = card.type("charter.label")
    last = text_width(charter.words("treasury" if money_x > table_x else "train_limit"), type_style)
    if company.stations and max(money_x, table_x) + last > right - slots:
        row = max(row, slots_y + token / 2 + _BELOW_SLOT + 1.2 * type_style.size_mm)
    # Charters of one colour share their curves: heights are rounded, so that the last bits never
    # differ.
    height = round(bottom - row - _BELOW_HEADING, 3)
    money = Box(money_x, row + _BELOW_HEADING, money_width, height)
    table = Box(table_x, row + _BELOW_HEADING, table_width, height)
    braid = f"treasury {money_width:.12g}x{height:.12g}:across"
    name_box = Box(left, 0.0, width, top)
    return (
        card.ground(style.ink("paper")),
        *_column(charter),
        boxed(_minor_name(charter, name_box, slots_x, slots_y - token / 2), *name_box),
        *_minor_sign(charter, Box(left, top, width - slots - 1.5, sign)),
        *_station_slots(charter, slots_x, slots_y, slots - _BETWEEN_SLOTS),
        *_limit_table(charter, table, heading=row),
        *_braided_treasury(
            charter, money, row, charter.shared, braid, half=0.26, reminders=reminders
        ),
        *_abilities_panel(charter),
        *_train_stack(charter, Box(left, charter.low - bay_height, width, bay_height)),
    )


def _column(charter: _Charter) -> tuple[Item, ...]:
    """The company's colour, full height: above, the class of the company; in a ring of lace, its
    number, or the roundel of one that is known by letters; below, its place in the operating
    order."""
    card, inks, style, company = charter.card, charter.inks, charter.style, charter.company
    b, h = card.bleed, card.height
    x, y = _COLUMN / 2 + 0.6, h * 0.47
    ink = inks.on_band
    column = rectangle_path(-b, -b, _COLUMN + b, h + 2 * b)
    rings = (charter.pattern.rim, replace(charter.pattern.small, inner=0.74, outer=0.92))
    lace = charter.rosette("lace", rings, 19.4, mix(inks.band, ink, 0.55))
    strip = charter.braid("strip:down", h + 2 * b, _STRIP * 0.42, style.ink("paper"))
    down = multiply(translation(_COLUMN + _STRIP * 0.92, -b), rotation(90))
    gold = rectangle_path(_COLUMN - 0.25, -b, 0.5, h + 2 * b)
    # Half a rosette at the head and half at the foot, running off the edge; minors of one colour
    # share them.
    shared = charter.shared
    rings = (shared.pattern.petals, shared.pattern.rim)
    fan = shared.rosette("fan", rings, 17.0, mix(inks.band, ink, 0.3))
    number: tuple[Item, ...]
    if company.token_text.isdecimal():
        figure = card.type("charter.number")
        half_diagonal = math.hypot(
            text_width(company.token_text, figure) / 2, figure_height(figure) / 2
        )
        figure = figure.at(figure.size_pt * min(1.0, 13.6 / half_diagonal))
        start = x - text_width(company.token_text, figure) / 2
        base = y + figure_height(figure) / 2
        number = set_line(company.token_text, figure, ink, start, base)
    else:
        disc = Circle(cx=x, cy=y, r=11.4, fill=style.ink("paper"), role=Role.ORNAMENT)
        number = (disc, placed_roundel(company, 21.6, card, x, y))
    sort = style.words(company.class_name or company_words("minor"))
    caption, sort = one_stepped(sort, card.type("charter.column"), _COLUMN - 6)
    words = (
        *number,
        *set_centred(sort, caption, ink, x, y - 26.5),
        *_order(charter, x, y + 28.0),
    )
    return (
        Path(commands=column, fill=inks.band),
        Path(commands=rectangle_path(_COLUMN, -b, _STRIP, h + 2 * b), fill=inks.line),
        Use(scene=strip, matrix=down),
        Path(commands=gold, fill=style.ink("certificate.gold"), role=Role.ORNAMENT),
        Group(items=(centred(fan, x, 0.0), centred(fan, x, h)), clip=column),
        centred(lace, x, y),
        boxed(words, 0, 0, _COLUMN, h),
    )


def _minor_name(charter: _Charter, box: Box, slots_x: float, slots_y: float) -> tuple[TextRun, ...]:
    """The name and the name in another language, each in the whole width unless it would run into
    the slots, whose upper left corner is given."""
    card, ink, left = charter.card, charter.style.ink("text"), box.x
    own, narrow = card.type("charter.minor"), slots_x - 1.0 - left

    def block(width: float) -> tuple[tuple[TextRun, ...], float, float]:
        """The name within a width; how wide it is, and how far down it reaches."""
        type_style, lines = balanced(charter.name, own, width, 2, several=0.66, clip=True)
        type_style = stepped(type_style, own)
        leading = line_step(lines, type_style, 1.04)
        middle = 9.6 if len(lines) == 1 else 9.0
        first = middle + type_style.cap_height_mm / 2 - leading * (len(lines) - 1) / 2
        ems = leading / type_style.size_mm
        runs = set_block(lines, type_style, ink, left, first, leading=ems)
        low = ink_height(lines[-1], type_style.beside(lines[-1]))[0]
        lowest = first + leading * (len(lines) - 1) + max(_DESCENT * type_style.size_mm, -low)
        return runs, max(text_width(line, type_style) for line in lines), lowest

    name, widest, lowest = block(box.width)
    foot = lowest
    if widest > narrow and lowest > slots_y:
        name = block(narrow)[0]
    second, type_style = charter.second_name, card.type("charter.capital")
    if _has_second(charter):
        for width, floor in ((box.width, slots_y), (narrow, _NAME_FOOT + _SECOND)):
            fitted, line = one_stepped(second, type_style, width)
            low, high = ink_height(line, fitted.beside(line))
            base = max(_NAME_FOOT + 0.5 * _SECOND, foot + high + _CLEAR)
            if base - low <= floor - _CLEAR:
                return (*name, *set_line(line, fitted, ink, left, base))
    return (*name, *left_out(second, type_style, ink))


def _minor_sign(charter: _Charter, box: Box) -> tuple[Item, ...]:
    """The home as an enamelled station sign: its name, its hex in a badge, or below the name where
    there are more than a badge has room for; hexes held back and the destination."""
    card, style, company, light = charter.card, charter.style, charter.company, charter.inks.on_line
    homes = home_names(charter.title, company, style)
    if not homes:
        return ()
    x, y, width, height = box
    hexes = " ".join(hexagon for hexagon, _ in homes)
    radius = 4.4
    code = fit(hexes, card.type("charter.hex"), radius * 1.6)
    badge: tuple[Item, ...] = ()
    below = ""
    if text_width(hexes, code) > radius * 1.75:
        start, room = x + 2.6, width - 5.2
        below = ", ".join(dict.fromkeys(home.hex for home in company.homes))
    else:
        middle = x + 2.6 + radius
        start, room = middle + (radius + 2.2), width - 2 * radius - 7.4
        badge = _badge(charter, hexes, code, (middle, y + height / 2), radius)
    name = charter.listed([place or hexagon for hexagon, place in homes])
    sign, name = one_stepped(name, card.type("charter.sign"), room)
    note = _BETWEEN.join(filter(None, (below, charter.blocks, charter.destination)))
    lift = 1.7 if note else 0.0
    words = [*set_line(name, sign, light, start, y + height / 2 + sign.cap_height_mm / 2 - lift)]
    if note:
        fitted, note = one_line(note, card.type("charter.held"), room)
        words += set_line(note, fitted, light, start, y + height - 2.6)
    return (
        *_sign_plate(charter, box),
        *badge,
        boxed(words, x + 0.8, y + 0.8, width - 1.6, height - 1.6),
    )


# Parts that several forms share.


class _Head(Struct, frozen=True, kw_only=True):
    """The head of a charter: its height, the middle of the roundel and its diameter, and the radii
    of the disc of paper below that, of its gold rim and of the halo."""

    height: float
    x: float
    y: float
    roundel: float
    paper: float
    rim: float
    halo: float


_HEAD = _Head(height=22.4, x=20.0, y=13.4, roundel=22.0, paper=11.6, rim=12.1, halo=17.6)
_TALL_HEAD = _Head(height=24.0, x=17.4, y=12.8, roundel=18.4, paper=9.7, rim=10.1, halo=15.2)
# The baseline of the heading of the stations on an upright charter.
_TALL_ROW = _TALL_HEAD.height + _STRIP + 4.8


def _header(charter: _Charter, head: _Head) -> tuple[Item, ...]:
    """The company's colour with its roundel in a halo of fine lines; a braid below."""
    card, inks, style, pattern = charter.card, charter.inks, charter.style, charter.pattern
    b, width = card.bleed, card.width + 2 * card.bleed
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    halo = charter.rosette("halo", rings, head.halo, mix(inks.band, inks.on_band, 0.4))
    strip = charter.braid("strip:across", width, _STRIP * 0.42, style.ink("paper"))
    band = rectangle_path(-b, -b, width, head.height + b)
    edge = rectangle_path(-b, head.height - 0.25, width, 0.5)
    gold, paper = style.ink("certificate.gold"), style.ink("paper")
    return (
        Path(commands=band, fill=inks.band),
        Group(items=(centred(halo, head.x, head.y),), clip=band),
        Path(commands=rectangle_path(-b, head.height, width, _STRIP), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, head.height + _STRIP * 0.08)),
        Path(commands=edge, fill=gold, role=Role.ORNAMENT),
        Circle(cx=head.x, cy=head.y, r=head.rim, fill=gold, role=Role.ORNAMENT),
        Circle(cx=head.x, cy=head.y, r=head.paper, fill=paper, role=Role.ORNAMENT),
        placed_roundel(charter.company, head.roundel, card, head.x, head.y),
    )


def _label(charter: _Charter, text: str, x: float, y: float, width: float) -> Group:
    """The heading of a part, its baseline at y, in the width of that part."""
    type_style, words = one_line(text, charter.card.type("charter.label"), width)
    tall = 1.3 * type_style.size_mm
    runs = set_line(words, type_style, charter.style.ink("text"), x, y)
    return boxed(runs, x, y - tall + 0.3 * tall, width, tall)


def _order(charter: _Charter, x: float, y: float) -> tuple[Item, ...]:
    """The company's place in the operating order between two rules, centred on (x, y)."""
    card, ink, company = charter.card, charter.inks.on_band, charter.company
    if company.order is None:
        return ()
    caption, figure = card.type("charter.column"), card.type("charter.order")
    turn = charter.words("operates")
    return (
        *card.rule((x - 4.2, y), 10.5, ink, 0.16, towards=-1),
        *card.rule((x + 4.2, y), 10.5, ink, 0.16, towards=1),
        *set_centred(str(company.order), figure, ink, x, y),
        *set_centred(turn, fit(turn, caption, _COLUMN - 8), ink, x, y + 6.2),
    )


def _sign_plate(charter: _Charter, box: Box) -> tuple[Item, ...]:
    """The plate of an enamelled station sign."""
    x, y, width, height = box
    rim = rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, _CORNER_MM - 0.5)
    line = charter.card.stroke(charter.inks.on_line, 0.25)
    return (
        Path(commands=rectangle_path(*box, _CORNER_MM), fill=charter.inks.line),
        Path(commands=rim, stroke=line, role=Role.ORNAMENT),
    )


def _badge(
    charter: _Charter, text: str, type_style: TypeStyle, middle: Point, radius: float
) -> tuple[Item, ...]:
    """Words in a light hexagon on a sign."""
    x, y = middle
    turns = [math.pi / 3 * number for number in range(6)]
    corners = ((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)
    words = set_centred(text, type_style, charter.style.ink("text"), x, y)
    return (
        Path(commands=polygon_path(corners), fill=charter.inks.on_line),
        boxed(words, x - radius, y - radius, 2 * radius, 2 * radius),
    )


def _stations_line(charter: _Charter, box: Box, *, blocks: str = "") -> Group:
    """The heading of the stations, if there are any, and beside it homes, hexes held back and the
    destination."""
    card, style, company = charter.card, charter.style, charter.company
    x, y, right = box.x, box.y + 4.6, box.x + box.width
    runs: list[TextRun] = []
    after = x
    if company.token_places or company.stations:
        type_style, heading = one_line(
            charter.words("stations"), card.type("charter.label"), box.width
        )
        runs += set_line(heading, type_style, style.ink("text"), x, y)
        after = x + (text_width(heading, type_style) + _AFTER_LABEL)
    home = ""
    if company.homes:
        home = style.words(LEAD, charter.words("home_base"), charter.homes)
    goal = charter.destination
    if home or goal:
        text = _BETWEEN.join(filter(None, (home, blocks, goal)))
        fitted, text = one_stepped(text, card.type("charter.note"), right - after)
        runs += set_line(text, fitted, style.ink("text"), after, y)
    return boxed(runs, *box)


def _station_slots(charter: _Charter, x: float, y: float, width: float) -> tuple[Item, ...]:
    """A row of token slots from x, their middles at y, with the price below each; `width` is the
    room available. Prices too long to stand side by side lose their currency, and then stand in a
    row of their own."""
    company, style, card, title = charter.company, charter.style, charter.card, charter.title
    cost, ink, size = card.type("charter.cost"), style.ink("text"), charter.token
    prices = company.token_places or company.stations
    count = len(prices)
    homes = 0 if company.token_places else max(1, len(company.homes) if company.all_homes else 1)
    as_placed = charter.words("as_placed")
    # The first `alone` slots have a price of their own. The others share one: that of the company's
    # formation, or that of the place where the token is laid.
    if company.formation_cost and not any(prices[homes:]):
        alone, shared = homes, charter.words("formation", title.money(company.formation_cost))
    else:
        unpriced = len([*takewhile(lambda price: price is None, reversed(prices))])
        alone, shared = count - (unpriced if unpriced > 1 else 0), as_placed
    own: list[str] = []
    for number, price in enumerate(prices[:alone]):
        if price is None:
            own.append(as_placed)
        else:
            free = "home" if number < homes else "free"
            own.append(title.money(price) if price else charter.words(free))
    # Slots that are no list of stations stand in two groups.
    apart = _APART if company.token_places and 0 < alone < count else 0.0
    step = min(size + _BETWEEN_SLOTS, (width - size - apart) / max(1, count - 1))
    room = step - 0.6 if count > 1 else width
    least = cost.at(min(cost.size_pt, cost.min_pt))
    if any(text_width(price, least) > room for price in own):
        own = [str(price) if price else text for price, text in zip(prices, own, strict=False)]
    shares = alone < count
    in_a_row = any(text_width(price, least) > room for price in own)
    in_a_row |= shares and apart + alone * step + text_width(shared, least) > width
    items: list[Item] = []
    edge = y + size / 2
    below = edge + _BELOW_SLOT
    for number in range(count):
        middle = x + size / 2 + number * step + (apart if number >= alone else 0.0)
        items += _slot(charter, middle, y, size / 2)
        if number < alone and not in_a_row:
            fitted = fit(own[number], cost, room)
            half = text_width(own[number], fitted) / 2
            at = min(max(x + half, middle), max(x + width - half, x + half))
            words = set_line(own[number], fitted, ink, at - half, below)
            items.append(boxed(words, x, edge, max(width, 2 * half), 5.0))
    if in_a_row:
        fitted, line = one_line(" · ".join([*own, shared] if shares else own), cost, width)
        items.append(boxed(set_line(line, fitted, ink, x, below), x, edge, width, 5.0))
    elif shares:
        left = x + apart + alone * step + 0.8
        right = x + apart + (count - 1) * step + size - 0.8
        items += _bracket(charter, shared, left, right, below)
    return tuple(items)


def _slot(charter: _Charter, x: float, y: float, r: float) -> tuple[Item, ...]:
    """An empty slot for a token, the company's division showing faintly."""
    card, inks, roundel = charter.card, charter.inks, charter.company.roundel
    division = roundel.division.removeprefix(REVERSED) if roundel is not None else ""
    ghost: tuple[Item, ...] = ()
    if outline := DIVISIONS.get(division, ()):
        shape = transform_commands(outline, scaling(r * 0.8))
        faint = Path(commands=shape, fill=inks.tint, even_odd=True)
        clip = circle_path(0, 0, r * 0.8)
        ghost = (Group(items=(faint,), matrix=translation(x, y), clip=clip),)
    rim, ring = card.stroke(inks.line, 0.35), card.stroke(inks.veil, 0.2)
    return (
        Circle(cx=x, cy=y, r=r, fill=charter.style.ink("white"), stroke=rim, role=Role.SLOT),
        *ghost,
        Circle(cx=x, cy=y, r=r * 0.8, stroke=ring, role=Role.ORNAMENT),
    )


def _bracket(charter: _Charter, text: str, left: float, right: float, y: float) -> tuple[Item, ...]:
    """A price that several slots share, between the arms of a bracket; y is its baseline."""
    style = fit(text, charter.card.type("charter.cost"), right - left - 6)
    half = text_width(text, style) / 2 + 1
    middle, level = max((left + right) / 2, left - 0.8 + half), y - style.cap_height_mm / 2
    arms: list[Item] = []
    if right - left > 2 * half:
        stroke = charter.card.stroke(charter.inks.line, 0.2)
        for end, inner in ((left, middle - half), (right, middle + half)):
            arm = polygon_path(((end, level - 1.3), (end, level), (inner, level)), closed=False)
            arms.append(Path(commands=arm, stroke=stroke, role=Role.ORNAMENT))
    words = set_centred(text, style, charter.style.ink("text"), middle, level)
    width = max(right - left, 2 * half)
    return (*arms, boxed(words, min(left, middle - half), level - 3.0, width, 6.0))


def _limits_width(charter: _Charter, phase_width: float, most: float) -> float:
    """Width of the table of train limits: its phases or its heading, whichever is wider, up to
    `most`; 0 where no phase limits the company."""
    count = len(charter.limits)
    heading = text_width(charter.words("train_limit"), charter.card.type("charter.label"))
    return min(most, max(heading, phase_width * count)) if count else 0.0


def _limit_table(charter: _Charter, box: Box, *, heading: float) -> tuple[Item, ...]:
    """Train limits: a column for each phase, headed in the colour of its newest tiles, equal
    neighbours joined. The baseline of the table's own heading is at `heading`. Nothing where no
    phase limits the company."""
    limits = charter.limits
    if not limits:
        return ()
    card, style, inks = charter.card, charter.style, charter.inks
    x, y, width, height = box
    step, head = width / len(limits), height * 0.42
    clip = rectangle_path(*box, _CORNER_MM)
    rule = card.stroke(inks.line, 0.15)
    inside: list[Item] = [Path(commands=clip, fill=style.ink("white"))]
    for number, (phase, _) in enumerate(limits):
        left = x + number * step
        colour = f"tile.{phase.tiles[-1]}" if phase.tiles else ""
        ground = style.ink(colour if colour in style.theme.inks else "tile.white")
        inside.append(Path(commands=rectangle_path(left, y, step, head), fill=ground, stroke=rule))
        name, type_style, angle = (
            phase.id,
            fit(phase.id, card.type("charter.phase"), step - 0.8),
            0.0,
        )
        if text_width(name, type_style) > step - 0.4:
            type_style, name = one_line(phase.id, type_style, head - 0.6)
            angle = -90.0
        middle = left + step / 2
        words = set_centred(
            name, type_style, readable_on(ground), middle, y + head / 2, angle=angle
        )
        inside.append(boxed(words, left, y, step, head))
    column = 0
    for limit, phases in groupby(limit for _, limit in limits):
        left = x + column * step
        column += len([*phases])
        right = x + column * step
        cell = rectangle_path(left, y + head, right - left, height)
        inside.append(Path(commands=cell, stroke=rule))
        figure = fit(str(limit), card.type("charter.limit"), right - left - 0.6)
        middle, level = (left + right) / 2, y + (head + height) / 2
        words = set_centred(str(limit), figure, style.ink("text"), middle, level)
        inside.append(boxed(words, left, y + head, right - left, height - head))
    return (
        _label(charter, charter.words("train_limit"), x, heading, width),
        Group(items=tuple(inside), clip=clip),
        Path(commands=clip, stroke=card.stroke(inks.line, 0.35), role=Role.ORNAMENT),
    )


# From the heading of the trains to their cards, and the least that shows of a card if it bears its
# number.
_ABOVE_TRAINS, _LEAST_STEP = 1.5, 3.2


def _train_stack(charter: _Charter, box: Box) -> tuple[Item, ...]:
    """Place of the train cards, below a heading: one place of a card's true size and, showing from
    under it, one for each further train the company may ever own, numbered."""
    card, inks, style = charter.card, charter.inks, charter.style
    x, y, width, height = box
    long, short = (charter.mm(side + CARD_PLAY_MM) for side in train_card(charter.title))
    long, short = min(long, width), min(short, height)
    count = max(1, charter.most_trains)
    step = (width - long) / (count - 1) if count > 1 else 0.0
    shown = min(step, long)
    figure, edge = card.type("charter.place"), card.stroke(inks.line, 0.3)
    numbered = shown > max(_LEAST_STEP, text_width(str(count), figure) + 1.0)
    items: list[Item] = [_label(charter, charter.words("trains"), x, y - _ABOVE_TRAINS, width)]
    # The first lies on top at the right: of each that it covers, the left corner shows, where its
    # index is.
    for number in reversed(range(count)):
        left = x + (count - 1 - number) * step
        fill = mix(style.ink("white"), inks.tint, 0.3 + 0.7 * number / count)
        place = rectangle_path(left, y, long, short, _CORNER_MM)
        items.append(Path(commands=place, fill=fill, stroke=edge, role=Role.ORNAMENT))
        if numbered:
            plate = rectangle_path(left + 0.4, y + 0.6, shown - 0.8, 5.2)
            words = set_centred(str(number + 1), figure, inks.line, left + shown / 2, y + 3.2)
            items += (Path(commands=plate, fill=fill), boxed(words, left, y, shown, short))
    wheel_x = x + (count - 1) * step + long / 2 + shown * 0.2
    return (*items, *wheel(wheel_x, y + short / 2, short * 0.2, inks.veil))


# Least radius of the rosette below the money.
_LEAST_ROSETTE = 7.0


def _treasury(charter: _Charter, box: Box, *, paneled: bool) -> tuple[Item, ...]:
    """Place of the money, on a pale rosette, if there is room for one; at its foot, what it may
    do (unless a panel says that) and where revenue goes. Raises DoesNotFit."""
    x, y, width, height = box
    rings = (replace(charter.pattern.heart, inner=0.55, outer=1.0),)
    radius = min(width, height) * 0.47
    foot, words = _foot(charter, _reminders(charter, paneled=paneled), box)
    veil: tuple[Item, ...] = ()
    if radius > _LEAST_ROSETTE:
        rosette = charter.underprint("treasury", rings, radius, charter.inks.veil)
        middle = max(foot / 2 if words else height / 2, height * 0.42)
        placed = centred(rosette, x + width / 2, y + middle)
        veil = (Group(items=(placed,), clip=_inside(box)),)
    return (*_money_area(charter, box, y - 1.5), *veil, *words)


def _braided_treasury(
    charter: _Charter,
    box: Box,
    heading: float,
    curves: Engraved,
    part: str,
    *,
    half: float,
    reminders: Sequence[str] = (),
) -> tuple[Item, ...]:
    """Place of the money, on a braid of `curves` whose half height is a share of the area's; or
    with words that no panel says. Raises DoesNotFit."""
    x, y, width, height = box
    area = _money_area(charter, box, heading)
    if reminders:
        return (*area, *_foot(charter, reminders, box)[1])
    ink = charter.inks.veil
    braid = curves.braid(part, width - 1.6, height * half, ink, line_mm=VEIL_MM)
    return (*area, Use(scene=braid, matrix=translation(x + 0.8, y + height * (0.5 - half))))


def _money_area(charter: _Charter, box: Box, heading: float) -> tuple[Item, ...]:
    """The ground of the place where the money lies, its heading at a baseline."""
    line, white = charter.card.stroke(charter.inks.line, 0.3), charter.style.ink("white")
    outline = rectangle_path(*box, _CORNER_MM)
    return (
        _label(charter, charter.words("treasury"), box.x, heading, box.width),
        Path(commands=outline, fill=white, stroke=line, role=Role.ORNAMENT),
        Path(commands=_inside(box), fill=charter.inks.tint),
    )


def _inside(box: Box) -> tuple[Command, ...]:
    x, y, width, height = box
    return rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, _CORNER_MM - 0.6)


def _reminders(charter: _Charter, *, paneled: bool) -> tuple[str, ...]:
    """Abilities of the company, where no panel says them, and the use of revenue, for companies
    with shares."""
    abilities = () if paneled else map(charter.style.words, charter.company.abilities)
    shares = [certificate.percent for certificate in charter.company.certificates]
    if not shares:
        return tuple(abilities)
    return (*abilities, charter.words("paid_out", min(shares)), charter.words("withheld"))


def _foot(charter: _Charter, texts: Sequence[str], box: Box) -> tuple[float, tuple[Item, ...]]:
    """Words at the foot of the money area, and how far down they begin. Raises DoesNotFit."""
    x, y, width, height = box
    note, lines, high = _foot_lines(charter, texts, width)
    first = height - high + note.size_mm
    if first < note.size_mm:
        area = f"{height * charter.card.unit_mm:.0f} mm high"
        message = f"charter: what it may do does not fit an area {area}"
        raise DoesNotFit(message, "shorten it, or give charter a larger size")
    if not lines:
        return first - note.size_mm, ()
    ink = charter.style.ink("text")
    words = set_block(lines, note, ink, x + 2.2, y + first, leading=_FOOT_LEADING)
    return first - note.size_mm, (boxed(words, *box),)


def _foot_lines(
    charter: _Charter, texts: Sequence[str], width: float
) -> tuple[TypeStyle, tuple[str, ...], float]:
    """Words at the foot of a money area of this width: their type, their lines, and the room that
    they take."""
    note = charter.card.type("charter.reminder").beside("".join(texts))
    lines = tuple(line for text in texts for line in wrap_even(text, note, width - 4))
    return note, lines, (len(lines) - 1) * _FOOT_LEADING * note.size_mm + note.size_mm + 2.2


# Beside the words of a panel of abilities, and the least room above and below them.
_PANEL_LEFT, _PANEL_RIGHT, _AIR = 6.2, 3.2, 1.3


def _abilities_panel(charter: _Charter) -> tuple[Item, ...]:
    """Abilities of a company beyond the common rules, on its tinted panel; nothing without one."""
    abilities = _set_abilities(charter)
    if abilities is None:
        return ()
    box, paragraphs = abilities
    inks, ink = charter.inks, charter.style.ink("text")
    bar = rectangle_path(box.x, box.y + _CORNER_MM, 1.1, box.height - 2 * _CORNER_MM)
    line = charter.card.stroke(inks.line, 0.25)
    return (
        Path(commands=rectangle_path(*box, _CORNER_MM), fill=inks.tint, stroke=line),
        Path(commands=bar, fill=inks.line),
        *paragraph_items(paragraphs, ink, box.x + _PANEL_LEFT, diamonds=inks.line),
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
    return charter.form.panels(charter)[setting.box], paragraphs


def _common_setting(charter: _Charter) -> Setting | None:
    """The setting of abilities on charters of this form; None if no panel has room for those of
    any."""
    title, style, form = charter.title, charter.style, charter.form
    if (form, style) not in title.kept:
        able = [company for company in title.companies if company.has_charter and company.abilities]
        texts = [style.words(text) for company in able for text in company.abilities]
        others = [_charter_of(title, company, style) for company in able]
        cards = [_abilities_text(other) for other in others if other.form is form]
        title.kept[form, style] = common_setting(
            [card for card in cards if card is not None], is_wide=any(map(holds_wide, texts))
        )
    setting: Setting | None = title.kept[form, style]
    return setting


def _abilities_text(charter: _Charter) -> CardText | None:
    """The abilities and the boxes on the panels that the form can spare; None where there are
    neither."""
    texts = tuple(map(charter.style.words, charter.company.abilities))
    panels = charter.form.panels(charter) if texts else ()
    if not panels:
        return None
    boxes = (
        TextBox(panel.y + _AIR, panel.width - _PANEL_LEFT - _PANEL_RIGHT, panel.height - 2 * _AIR)
        for panel in panels
    )
    return CardText(texts, charter.card.type("charter.body"), tuple(boxes))


# Train limits and homes of a company, which other pieces and exports show, too.


def train_limits(title: Title, company: Company) -> tuple[tuple[Phase, int], ...]:
    """The company's train limit in every phase that sets one, from its formation to its closing: by
    its size, or the next that it may become, where phases speak of one, else by its kind; its own
    limit, if it has one, holds where the phases say nothing."""
    sizes = {limit.who for phase in title.phases for limit in phase.train_limits}
    own = [size for size in (company.size, *company.later_sizes) if size in sizes]
    own = own or [company.kind.value]
    phases: list[tuple[Phase, int]] = []
    for phase in dropwhile(lambda phase: phase.id != (company.opens or phase.id), title.phases):
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        limit = next((limits[who] for who in own if who in limits), company.train_limit)
        if limit is not None:
            phases.append((phase, limit))
        if phase.id == company.closes:
            break
    return tuple(phases)


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


_MAJOR_FORM = _Form(design=(148.0, 105.0), draw=_draw_major, panels=_major_panels)
_MINOR_FORM = _Form(design=(148.0, 105.0), draw=_draw_minor, panels=_minor_panels)
_TALL_FORM = _Form(design=(92.0, 140.0), draw=_draw_tall, panels=_tall_panels)
_WIDE_FORM = _Form(design=(237.0, 105.0), draw=_draw_wide, panels=_wide_panels)
