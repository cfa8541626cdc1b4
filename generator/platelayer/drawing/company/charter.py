"""Charters: where a company keeps its stations, trains and money, and what limits them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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
    Box,
    Paragraphs,
    Told,
    Way,
    agreed,
    listed,
    one_stepped,
    paragraph_items,
    set_in,
    stepped,
    wrap_even,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company, Home
from platelayer.model.kinds import KINDS, piece_size
from platelayer.model.manifest import CARD_PLAY_MM, is_small, is_wide, train_bay, train_card
from platelayer.model.tile import TOKEN_PLAY_MM
from platelayer.model.title import Title
from platelayer.model.train import Phase
from platelayer.scene.breaks import holds_wide
from platelayer.scene.inks import Ink, mix, readable_on
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
_BETWEEN = "   ·   "
"""Stands between facts on one line."""
_CORNER_MM = 1.6
_STRIP = 3.4
"""Width of the strip with a braid beside the company's colour."""
_FOOT_LEADING = 1.22
_BELOW_HEADING = 1.7
"""From the heading of a table or of the money to what it heads."""
_AFTER_LABEL = 3.0
"""Between a heading and what stands beside it."""
_ABOVE_TRAINS = 1.5
"""From the heading of the trains to their cards."""
_LEAST_STEP = 3.2
_BETWEEN_PLACES = 2.6
"""Between two token places."""
_BELOW_PLACE = 3.2
"""From a token place to the baseline of its price."""
_APART = 9.0
"""Between two groups of token places."""


class _Panel(NamedTuple):
    """A place for what a company may do."""

    x: float
    y: float
    width: float
    height: float


class _Form(Struct, frozen=True, kw_only=True):
    """A form of charters: width and height in design units that the parts need, what draws them,
    and the panels that there is room for: first the one that takes least of everything else."""

    design: tuple[float, float]
    draw: Callable[[_Charter], tuple[Item, ...]]
    panels: Callable[[_Charter], tuple[_Panel, ...]]


class _Charter(Engraved, frozen=True, kw_only=True):
    """What the parts of one charter draw from."""

    title: Title
    company: Company
    form: _Form
    inks: CompanyInks
    style: Style

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
    def shared(self) -> Engraved:
        """Curves that the charters of all companies of one colour and size place."""
        company, unit = self.company, f"{self.card.unit_mm:.12g}"
        stem = f"charter:{company.colour}{company.text_colour}@{unit}"
        return Engraved(
            card=self.card, pattern=pattern_of(company.colour, self.style.motif), stem=stem
        )

    @property
    def token(self) -> float:
        """Diameter of a place for a token of the company."""
        return self.mm(piece_size(self.title, "token", self.company.id).width_mm + TOKEN_PLAY_MM)

    @property
    def bay(self) -> float:
        """Height of the place for trains."""
        return self.mm(train_bay(self.title, self.company).height_mm)

    @property
    def low(self) -> float:
        """Lower edge of what stands at the foot."""
        return self.card.height - self.mm(SAFE_MM) - 0.4

    def mm(self, length_mm: float) -> float:
        """A length on paper in design units."""
        return length_mm / self.card.unit_mm

    def beside(self, left: float, width: float, right: float) -> float:
        """Left edge of a part `width` wide that stands at `left`, or up to `right` if the title has
        the sides of trains and money exchanged."""
        return right - width if self.title.pieces.trains_at_right else left


class _Braid(NamedTuple):
    """A braid below the money: whose curves it is one of, half its height and its upper side as
    shares of the place."""

    curves: Engraved
    part: str
    half: float
    top: float


_COLUMN, _RIGHT = 43.0, 5.0
"""Width of a minor's column in its colour, and of the margin on the other side."""
_SIGN, _SECOND, _TABLE = 13.6, 3.6, 13.0
"""Height of the sign of a minor's home, of its name in another language, and least height of its
table of limits."""
_LOW_SIGN, _LOW_SIGN_OF_TWO, _LOW_TABLE = 10.4, 12.0, 10.6
"""Heights of a sign, of one with a second line, and of the table where room is needed for a panel
or another name."""
_TALL, _LOW = 112.0, 103.0
"""From these heights of a card on there is room for a minor's name in another language: above the
usual sign, and above a low one."""
_DESCENT = 0.27
"""How far letters reach below their line, by the size of the type."""
_PANEL_GAP = 3.4
_PANEL_LEFT, _PANEL_RIGHT, _AIR = 6.2, 3.2, 1.3
"""Beside the words of a panel, and the least room above and below them."""
_LEAST_MINOR_PANEL = 7.0
_LEAST_ROSETTE = 7.0
_CLEAR = 0.1
"""Between letters and accents of names."""

_ORDER, _WIDE_STEP, _WIDE_TABLE, _WIDE_PANELS = 30.0, 9.0, 12.4, (0.56, 0.62, 0.68)
"""On a wide charter: room for its place in the operating order, what shows of a train below
another, the height of the table of limits, and the shares of the width that what the company may do
can have."""
_PHASE, _CLOSE_PHASE = 6.6, 4.8
"""Widths of a phase in that table, usually and at least."""
_SIDE, _LEFT = 6.0, 5.5
"""Margins of upright charters and of those of majors."""
_EDGE_MM = 3.1
"""From the trim to the letters of the name on an upright charter."""
_NAME_LEADING = 1.16
_GAP = 4.5
"""Between two areas of a major's charter."""
_LEAST_PANEL = 12.0
"""Least height of the abilities of a major."""
_ACCENT = 0.1
"""Room for accents above capitals, in ems."""
_SECOND_LEADING = 1.14
_FOOT = 1.8
"""Least room below the capital, for descenders."""


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
_TALL_ROW, _TALL_PURSE = _TALL_HEAD.height + _STRIP + 4.8, 18.6
"""On an upright charter: the baseline of the heading of the stations, and how far above the trains
that of the money is."""


def draw_charter(title: Title, piece_id: str, style: Style) -> Scene:
    """The charter of a minor, major or national company of a title. Raises KeyError."""
    charter = _charter_of(title, company_of(title, piece_id), style)
    items = charter.form.draw(charter)
    return charter.card.scene(f"charter:{piece_id}", charter.name, items)


def charters_agree(title: Title, piece_id: str, style: Style) -> tuple[Way | None, bool]:
    """How all charters of the form of this one set what their companies may do, None if no panel
    has room for that of any; and whether this one has room. Raises KeyError."""
    charter = _charter_of(title, title.company_by_id[piece_id], style)
    told, way = _told(charter), _agreed(charter)
    return way, told is None or (way is not None and set_in(told, way) is not None)


def _charter_of(title: Title, company: Company, style: Style) -> _Charter:
    size = piece_size(title, "charter", company.id, company.size)
    tall, wide = size.height_mm > size.width_mm, is_wide(size.width_mm, size.height_mm)
    form = (
        _TALL_FORM
        if tall
        else _WIDE_FORM
        if wide
        else _MINOR_FORM
        if is_small(company)
        else _MAJOR_FORM
    )
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


def _major_items(charter: _Charter) -> tuple[Item, ...]:
    card, style = charter.card, charter.style
    right = card.width - _LEFT
    low, tall = charter.low, charter.bay
    trains = charter.mm(train_bay(charter.title, charter.company).width_mm)
    treasury = right - _LEFT - trains - _GAP
    head = _HEAD.height + _STRIP
    row = head + 13.6
    table = _limits_width(charter, 7.6, treasury)
    # Without abilities the money area reaches up, beside a band of fine lines.
    panels = _major_panels(charter)
    paneled, across = bool(panels), bool(panels and charter.company.abilities)
    high = not across and (paneled or not (table or _stations(charter)))
    # Beside the stations stands the table, and the money area where it reaches up.
    beside = max(table, treasury if high else 0.0)
    slots = right - _LEFT - (beside + _GAP if beside else 0.0)
    purse = head + (27.4 if table else 6.4) if high else low - tall
    places = charter.beside(_LEFT, slots, right) if high else _LEFT
    limits = charter.beside(right - table, treasury, _LEFT + treasury) if high else right - table
    bay, money = (
        charter.beside(_LEFT, trains, right),
        charter.beside(right - treasury, treasury, _LEFT + treasury),
    )
    return (
        card.ground(style.ink("paper")),
        *_header(charter, _HEAD),
        boxed(_heading(charter, 39.5, right), 39.5, 0.0, right - 39.5, _HEAD.height),
        boxed(_stations_label(charter, places, head + 4.6, slots), places, head, slots, 13.6),
        *_station_slots(charter, places, row, slots),
        *_limit_table(charter, limits, head + 6.4, (table, 14.4), heading=head + 4.6),
        *_train_stack(charter, bay, low - tall, trains, tall),
        *(_abilities_panel(charter) if across else ()),
        *(
            _band(charter, panels[0]._replace(x=bay, width=trains))
            if paneled and not across
            else ()
        ),
        *_treasury(charter, money, purse, (treasury, low - purse), paneled=paneled),
    )


def _major_panels(charter: _Charter) -> tuple[_Panel, ...]:
    """Between the stations and the trains, on cards taller than the design."""
    y = (
        _HEAD.height
        + _STRIP
        + 13.6
        + charter.mm(piece_size(charter.title, "token", charter.company.id).width_mm) / 2
        + 6.4
    )
    spare = charter.low - charter.bay - 6.4 - y
    return (
        (_Panel(_LEFT, y, charter.card.width - 2 * _LEFT, spare),) if spare > _LEAST_PANEL else ()
    )


def _band(charter: _Charter, panel: _Panel) -> tuple[Item, ...]:
    """A band of fine lines in place of a panel."""
    x, y, width, height = panel
    braid = charter.braid("band:across", width, height * 0.42, charter.inks.veil, line_mm=VEIL_MM)
    inside = Use(scene=braid, matrix=translation(x, y + height * 0.08))
    return (Group(items=(inside,), clip=rectangle_path(x, y, width, height, _CORNER_MM)),)


def _header(charter: _Charter, head: _Head) -> tuple[Item, ...]:
    """The company's colour with its roundel in a halo of fine lines; a braid below."""
    card, inks, style = charter.card, charter.inks, charter.style
    w, b = card.width, card.bleed
    pattern = charter.pattern
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    halo = charter.rosette("halo", rings, head.halo, mix(inks.band, inks.on_band, 0.4))
    strip = charter.braid("strip:across", w + 2 * b, _STRIP * 0.42, style.ink("paper"))
    band = rectangle_path(-b, -b, w + 2 * b, head.height + b)
    gold = style.ink("certificate.gold")
    return (
        Path(commands=band, fill=inks.band),
        Group(items=(centred(halo, head.x, head.y),), clip=band),
        Path(commands=rectangle_path(-b, head.height, w + 2 * b, _STRIP), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, head.height + _STRIP * 0.08)),
        Path(
            commands=rectangle_path(-b, head.height - 0.25, w + 2 * b, 0.5),
            fill=gold,
            role=Role.ORNAMENT,
        ),
        Circle(cx=head.x, cy=head.y, r=head.rim, fill=gold, role=Role.ORNAMENT),
        Circle(cx=head.x, cy=head.y, r=head.paper, fill=style.ink("paper"), role=Role.ORNAMENT),
        placed_roundel(charter.company, head.roundel, card, head.x, head.y),
    )


def _heading(charter: _Charter, left: float, right: float) -> tuple[TextRun, ...]:
    """The name on one line or two, and beneath it how the capital is made up."""
    card, inks = charter.card, charter.inks
    type_style, lines = balanced(
        charter.name, card.type("charter.name"), right - left, 2, several=0.66, clip=True
    )
    note, second = card.type("charter.capital"), charter.second_name
    capital = _capital_words(charter)
    if second or len(lines) > 1:
        rest = _second_step(second, capital, note)
        type_style = _lowered(charter, type_style, lines, (second or capital, rest), note)
    type_style = stepped(type_style, card.type("charter.name"))
    room = _HEAD.height - charter.mm(SAFE_MM) - _FOOT
    rest = _second_step(second, capital, note)
    dropped: tuple[TextRun, ...] = ()
    if (
        second
        and _ascent(lines[0], type_style) + _heading_height(type_style, lines, second, note) + rest
        > room
    ):
        second, dropped = "", left_out(second, note, inks.on_band)
    step = _second_step(second, capital, note)
    leading = line_step(lines, type_style, 1.04)
    drop = _drop(type_style, lines, second or capital, note)
    block = _heading_height(type_style, lines, capital or second, note) + step
    above = max(
        _ascent(lines[0], type_style) if second else 0.0,
        ink_height(lines[0], type_style)[1] - type_style.cap_height_mm,
    )
    top = max(_HEAD.height / 2 - block / 2 + 0.2, charter.mm(SAFE_MM) + above)
    first = top + type_style.cap_height_mm
    runs = [
        *set_block(
            lines, type_style, inks.on_band, left, first, leading=leading / type_style.size_mm
        ),
        *dropped,
    ]
    base = first + leading * (len(lines) - 1) + drop
    for text in (second, capital):
        if text:
            fitted, line = one_stepped(text, note, right - left)
            runs += set_line(line, fitted, inks.on_band, left, base)
            base += step
    return tuple(runs)


def _second_step(second: str, capital: str, note: TypeStyle) -> float:
    """From the name in another language to how the capital is made up, where a charter has both."""
    if not (second and capital):
        return 0.0
    touching = (
        ink_height(capital, note.beside(capital))[1] - ink_height(second, note.beside(second))[0]
    )
    return max(_SECOND_LEADING * note.size_mm, touching + 0.1)


def _lowered(
    charter: _Charter,
    type_style: TypeStyle,
    lines: Sequence[str],
    below: tuple[str, float],
    note: TypeStyle,
) -> TypeStyle:
    """The type of a name that leaves room for the line below it, and for what else follows that
    line."""
    line, rest = below
    room = _HEAD.height - charter.mm(SAFE_MM) - _FOOT
    while type_style.size_pt > type_style.min_pt:
        if (
            _ascent(lines[0], type_style) + _heading_height(type_style, lines, line, note) + rest
            <= room
        ):
            break
        type_style = type_style.at(max(type_style.min_pt, type_style.size_pt - 0.5))
    return type_style


def _ascent(line: str, type_style: TypeStyle) -> float:
    """How far letters and accents of a line reach above its capitals."""
    high = max(rise_mm(line, type_style), ink_height(line, type_style)[1])
    return max(high - type_style.cap_height_mm, _ACCENT * type_style.size_mm)


def _heading_height(
    type_style: TypeStyle, lines: Sequence[str], below: str, note: TypeStyle
) -> float:
    """Height of a name on some lines with one line of notes below it."""
    drop = _drop(type_style, lines, below, note)
    return type_style.cap_height_mm + line_step(lines, type_style, 1.04) * (len(lines) - 1) + drop


def _drop(type_style: TypeStyle, lines: Sequence[str], below: str, note: TypeStyle) -> float:
    """From the last line of a name to the line of notes below it."""
    if not below:
        return 0.0
    clear = ink_height(below, note)[1] - min(0.0, ink_height(lines[-1], type_style)[0]) + 0.1
    return max(0.27 * type_style.size_mm + 0.12 * note.size_mm + rise_mm(below, note), clear)


def _stations(charter: _Charter) -> bool:
    """Whether there are places for tokens."""
    return bool(charter.company.token_places or charter.company.stations)


def _stations_label(
    charter: _Charter, x: float, y: float, width: float, *, held: bool = False
) -> tuple[TextRun, ...]:
    """The heading of the stations, if there are any, and, beside it, the home (and what is `held`
    back for the company)."""
    card, style = charter.card, charter.style
    heading = style.words(company_words("stations")) if _stations(charter) else ""
    type_style, shown = one_line(heading, card.type("charter.label"), width)
    runs = set_line(shown, type_style, style.ink("text"), x, y) if heading else ()
    homes = home_names(charter.title, charter.company, style)
    goal = _destination_words(charter.title, charter.company, style)
    if not homes and not goal:
        return runs
    places = _homes_told(charter)
    after = x + (text_width(shown, type_style) + _AFTER_LABEL if heading else 0.0)
    note = card.type("charter.note")
    home = style.words(LEAD, style.words(company_words("home_base")), places) if homes else ""
    blocks = (
        style.words(company_words("held_back"), listed(charter.company.blocks, style))
        if held
        else ""
    )
    text = _BETWEEN.join(filter(None, (home, blocks if charter.company.blocks else "", goal)))
    fitted, text = one_stepped(text, note, x + width - after)
    return (*runs, *set_line(text, fitted, style.ink("text"), after, y))


def _treasury(
    charter: _Charter, x: float, y: float, size: tuple[float, float], *, paneled: bool
) -> tuple[Item, ...]:
    """Where the money lies, on a pale rosette, if there is room for one; at its foot, what it may
    do (unless a panel says that) and where revenue goes."""
    width, height = size
    inks = charter.inks
    rings = (replace(charter.pattern.heart, inner=0.55, outer=1.0),)
    radius = min(width, height) * 0.47
    rosette = charter.underprint("treasury", rings, radius, inks.veil)
    foot, words = _foot(charter, _reminders(charter, paneled=paneled), (x, y), size)
    middle = foot / 2 if words else height / 2
    veil = centred(rosette, x + width / 2, y + max(middle, height * 0.42))
    return (
        *_label(charter, company_words("treasury"), x, y - 1.5, width),
        *_money_area(charter, x, y, width, height),
        *(
            (Group(items=(veil,), clip=_inner_path(x, y, width, height)),)
            if radius > _LEAST_ROSETTE
            else ()
        ),
        *words,
    )


def _foot(
    charter: _Charter, texts: Sequence[str], at: Point, size: tuple[float, float]
) -> tuple[float, tuple[Item, ...]]:
    """Words at the foot of the money area, and how far down they begin. Raises DoesNotFit."""
    (x, y), (width, height) = at, size
    note, lines, high = _foot_lines(charter, texts, width)
    first = height - high + note.size_mm
    if first < note.size_mm:
        message = f"charter: what it may do does not fit an area {height * charter.card.unit_mm:.0f} mm high"
        raise DoesNotFit(message, "shorten it, or give charter a larger size")
    words = set_block(
        lines, note, charter.style.ink("text"), x + 2.2, y + first, leading=_FOOT_LEADING
    )
    return first - note.size_mm, (boxed(words, x, y, width, height),) if lines else ()


def _foot_lines(
    charter: _Charter, texts: Sequence[str], width: float
) -> tuple[TypeStyle, tuple[str, ...], float]:
    """Words at the foot of a money area of this width: their type, their lines, and the room that
    they take."""
    note = charter.card.type("charter.reminder").beside("".join(texts))
    lines = tuple(line for text in texts for line in wrap_even(text, note, width - 4))
    return note, lines, (len(lines) - 1) * _FOOT_LEADING * note.size_mm + note.size_mm + 2.2


def _money_area(
    charter: _Charter, x: float, y: float, width: float, height: float
) -> tuple[Item, ...]:
    """The ground of the place where the money lies."""
    ground, line = charter.style.ink("white"), charter.card.stroke(charter.inks.line, 0.3)
    outline = rectangle_path(x, y, width, height, _CORNER_MM)
    return (
        Path(commands=outline, fill=ground, stroke=line, role=Role.ORNAMENT),
        Path(commands=_inner_path(x, y, width, height), fill=charter.inks.tint),
    )


def _inner_path(x: float, y: float, width: float, height: float) -> tuple[Command, ...]:
    return rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, _CORNER_MM - 0.6)


def _braided_treasury(
    charter: _Charter,
    x: float,
    row: float,
    size: tuple[float, float],
    braid: _Braid,
    *,
    texts: Sequence[str] = (),
) -> tuple[Item, ...]:
    """Where the money lies, its heading at `row`: on a braid, or with words that no panel says.
    Raises DoesNotFit."""
    width, height = size
    y = row + _BELOW_HEADING
    ink = charter.inks.veil
    strand = braid.curves.braid(braid.part, width - 1.6, height * braid.half, ink, line_mm=VEIL_MM)
    place = translation(x + 0.8, y + height * braid.top)
    return (
        *_label(charter, company_words("treasury"), x, row, width),
        *_money_area(charter, x, y, width, height),
        *(_foot(charter, texts, (x, y), size)[1] if texts else (Use(scene=strand, matrix=place),)),
    )


def _reminders(charter: _Charter, *, paneled: bool) -> tuple[str, ...]:
    """What the company may do, where no panel says it, and what happens to revenue, for companies
    with shares."""
    style = charter.style
    abilities = (
        () if paneled else tuple(style.words(ability) for ability in charter.company.abilities)
    )
    shares = [certificate.percent for certificate in charter.company.certificates]
    if not shares:
        return abilities
    return (
        *abilities,
        style.words(company_words("paid_out"), min(shares)),
        style.words(company_words("withheld")),
    )


def _tall_items(charter: _Charter) -> tuple[Item, ...]:
    """Everything on an upright charter."""
    card, style, company = charter.card, charter.style, charter.company
    left, right = _SIDE, card.width - _SIDE
    tall, token = charter.bay, charter.token
    trains = _tall_trains(charter)
    slots = min((token + _BETWEEN_PLACES) * max(1, len(company.stations)), (right - left) * 0.6)
    row = _TALL_ROW
    table = _limits_width(charter, _PHASE, (right - left) * 0.55)
    wide = right - left - (table + 4.0 if table else 0.0)
    money, limits = (
        charter.beside(right - wide, wide, left + wide),
        charter.beside(left, table, right),
    )
    purse = trains - _TALL_PURSE
    sign = left + slots + 2.4
    braid = _Braid(charter, "treasury:across", half=0.3, top=0.2)
    return (
        card.ground(style.ink("paper")),
        *_header(charter, _TALL_HEAD),
        boxed(
            _name(charter, _TALL_HEAD.x + 15.8, right, _TALL_HEAD.y),
            _TALL_HEAD.x + 15.8,
            0.0,
            right - _TALL_HEAD.x - 15.8,
            _TALL_HEAD.height,
        ),
        *_label(
            charter,
            company_words("stations") if len(company.stations) > 1 else company_words("station"),
            left,
            row,
            sign - _AFTER_LABEL - left,
        ),
        *_station_slots(charter, left, row + 2.0 + token / 2, slots),
        *_home(charter, sign, row, right - sign, token),
        *_abilities_panel(charter),
        *_limit_table(charter, limits, purse + _BELOW_HEADING, (table, 10.6), heading=purse),
        *_braided_treasury(charter, money, purse, (wide, 10.6), braid),
        *_train_stack(charter, left, trains, right - left, tall),
    )


def _tall_trains(charter: _Charter) -> float:
    """Upper edge of the trains on an upright charter."""
    return charter.low - 0.2 - charter.bay


def _tall_panels(charter: _Charter) -> tuple[_Panel, ...]:
    """Between the stations and the money."""
    y = _TALL_ROW + charter.token + 7.8
    return (
        _Panel(
            _SIDE, y, charter.card.width - 2 * _SIDE, _tall_trains(charter) - _TALL_PURSE - 5.0 - y
        ),
    )


class _WideRooms(NamedTuple):
    """Where the parts of a charter stand beside the trains: the left edge and the width of all, the
    width of the token places (0 without any) and of the table of limits, whether these stand beside
    each other, the baseline of the headings below the stations, and the upper edge of the panel."""

    x: float
    width: float
    places: float
    table: float
    beside: bool
    second: float
    panel: float


def _wide_rooms(charter: _Charter) -> _WideRooms:
    company, token, head = charter.company, charter.token, _HEAD.height + _STRIP
    width = charter.card.width - 2 * _LEFT - _wide_trains(charter) - _GAP
    x = charter.beside(charter.card.width - _LEFT - width, width, _LEFT + width)
    table = _limits_width(charter, _PHASE, width * 0.6)
    places = max(len(company.token_places or company.stations), 1) * (token + _BETWEEN_PLACES)
    # Phases move closer where that makes room for the table beside the stations.
    close = _limits_width(charter, _CLOSE_PHASE, width)
    beside = bool(table) and places + _BETWEEN_PLACES + close <= width
    table = min(table, width - places - _BETWEEN_PLACES) if beside else table
    second = head + 6.0 + token + 9.4 if places else head + 4.6
    # What the company may do stands below the table, beside the money.
    panel = second - 3.0 if beside or not table else second + _WIDE_TABLE + 3.4
    return _WideRooms(x, width, places, table, beside, second, panel)


def _wide_trains(charter: _Charter) -> float:
    """Width of the trains on a charter with these beside all else."""
    title, company = charter.title, charter.company
    long = charter.mm(train_card(title)[0] + CARD_PLAY_MM)
    most = max((limit for _, limit in train_limits(title, company)), default=1)
    return min(long + (most - 1) * _WIDE_STEP, charter.mm(train_bay(title, company).width_mm))


def _wide_panels(charter: _Charter) -> tuple[_Panel, ...]:
    """Below the table, ever wider at the cost of the money; at last in the whole width, with the
    money above it."""
    rooms = _wide_rooms(charter)
    *shares, last = _WIDE_PANELS
    above = rooms.width - rooms.table - _GAP if rooms.table and not rooms.beside else 0.0
    told = _reminders(charter, paneled=True)
    widths = [
        *shares,
        1.0 if above and _foot_lines(charter, told, above)[2] <= _WIDE_TABLE else last,
    ]
    return tuple(
        _Panel(rooms.x, rooms.panel, rooms.width * share, charter.low - rooms.panel)
        for share in widths
    )


def _wide_items(charter: _Charter) -> tuple[Item, ...]:
    """Everything on a charter with its trains beside all else."""
    card, style, company = charter.card, charter.style, charter.company
    edge, low = card.width - _LEFT, charter.low
    head, token, tall = _HEAD.height + _STRIP, charter.token, charter.bay
    name_right = edge - (_ORDER if company.order is not None else 0.0)
    x, width, places, table, beside, second, _ = _wide_rooms(charter)
    right, trains = x + width, _wide_trains(charter)
    bay = head + 7.4 + (low - head - 7.4 - tall) / 2
    slots = width - (table + _BETWEEN_PLACES if beside else 0.0)
    said = _said(charter)
    panel = said[0].width if said is not None else 0.0
    across = panel == width
    column = max(0.0 if across else panel, 0.0 if beside else table)
    purse, deep = (
        x + (column + _GAP if column else 0.0),
        _WIDE_TABLE if across else low - second - _BELOW_HEADING,
    )
    table_x, table_y = (right - table, head + 9.6) if beside else (x, second)
    return (
        card.ground(style.ink("paper")),
        *_header(charter, _HEAD),
        boxed(_heading(charter, 39.5, name_right), 39.5, 0.0, name_right - 39.5, _HEAD.height),
        boxed(
            _order(charter, edge - 14.0, _HEAD.height / 2 - 2.0),
            name_right,
            0.0,
            edge - name_right,
            _HEAD.height,
        ),
        *_train_stack(charter, charter.beside(_LEFT, trains, edge), bay, trains, tall),
        boxed(_stations_label(charter, x, head + 4.6, width, held=True), x, head, width, 13.6),
        *_station_slots(charter, x, head + 6.0 + token / 2, min(slots, places - _BETWEEN_PLACES)),
        *_limit_table(
            charter, table_x, table_y + _BELOW_HEADING, (table, _WIDE_TABLE), heading=table_y
        ),
        *_abilities_panel(charter),
        *_treasury(charter, purse, second + _BELOW_HEADING, (right - purse, deep), paneled=True),
    )


def _name(charter: _Charter, left: float, right: float, middle: float) -> tuple[TextRun, ...]:
    card, inks = charter.card, charter.inks
    own = card.type("charter.minor")
    type_style, lines = balanced(charter.name, own, right - left, 2, several=0.82, clip=True)
    type_style = stepped(type_style, own)
    capital = _capital_words(charter)
    note, capital = one_stepped(capital, card.type("charter.capital"), right - left)
    leading = line_step(lines, type_style, _NAME_LEADING)
    clear = ink_height(capital, note)[1] - ink_height(lines[-1], type_style)[0] + 0.1
    drop = max(0.3 * type_style.size_mm + 0.8 * note.size_mm, clear) if capital else 0.0
    block = type_style.cap_height_mm + leading * (len(lines) - 1) + drop
    first = middle - block / 2 + type_style.cap_height_mm
    first = max(first, charter.mm(_EDGE_MM) + ink_height(lines[0], type_style)[1])
    last = first + leading * (len(lines) - 1)
    return (
        *set_block(
            lines, type_style, inks.on_band, left, first, leading=leading / type_style.size_mm
        ),
        *(set_line(capital, note, inks.on_band, left, last + drop) if capital else ()),
        *left_out(charter.second_name, note, inks.on_band),
    )


def _home(charter: _Charter, x: float, row: float, width: float, tall: float) -> tuple[Item, ...]:
    """The home as a station sign: the map tile it comes with, or its hexes on the map."""
    card, light = charter.card, charter.inks.on_line
    badge_text, name = _home_words(charter)
    if not name:
        return ()
    y = row + 2.0
    badge = tall / 2 - 2.4 if badge_text else 0.0
    middle = y + tall / 2
    start = x + 2.6 + (2 * badge + 2.0 if badge else 0.0)
    sign, name = one_stepped(name, card.type("charter.sign"), x + width - 2.4 - start)
    items: list[Item] = [
        *_label(charter, company_words("home_base"), x, row, width),
        *_sign_plate(charter, x, y, width, tall),
    ]
    if badge:
        code = fit(badge_text, card.type("charter.sign"), badge * 1.5)
        items += _badge(charter, badge_text, code, (x + 2.6 + badge, middle), badge)
    words = set_line(name, sign, light, start, middle + sign.cap_height_mm / 2)
    items.append(boxed(words, x + 0.8, y + 0.8, width - 1.6, tall - 1.6))
    return tuple(items)


def _sign_plate(
    charter: _Charter, x: float, y: float, width: float, height: float
) -> tuple[Item, ...]:
    """The plate of an enamelled station sign."""
    rim = rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, _CORNER_MM - 0.5)
    line = charter.card.stroke(charter.inks.on_line, 0.25)
    return (
        Path(commands=rectangle_path(x, y, width, height, _CORNER_MM), fill=charter.inks.line),
        Path(commands=rim, stroke=line, role=Role.ORNAMENT),
    )


def _badge(
    charter: _Charter, text: str, type_style: TypeStyle, middle: Point, radius: float
) -> tuple[Item, ...]:
    """Words in a light hexagon on a sign."""
    x, y = middle
    turns = [math.pi / 3 * number for number in range(6)]
    corners = tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)
    plate = Path(commands=polygon_path(corners), fill=charter.inks.on_line)
    words = set_centred(text, type_style, charter.style.ink("text"), x, y)
    return (plate, boxed(words, x - radius, y - radius, 2 * radius, 2 * radius))


def _home_words(charter: _Charter) -> tuple[str, str]:
    """What stands in the badge of the home, and beside it; empty where there is no home."""
    style, company, box = charter.style, charter.company, charter.title.atlas
    homes = home_names(charter.title, company, style)
    if homes:
        goal = _destination_words(charter.title, company, style)
        return "", _BETWEEN.join(filter(None, (_homes_told(charter), goal)))
    if box is None:
        return "", ""
    for tile in box.map_tiles:
        if any(hexagon.company == company.id for hexagon in tile.hexes):
            return str(tile.number), style.words(company_words("map_tile"))
    return "", style.words(company_words("any_city"))


class _MinorRooms(NamedTuple):
    """Where the parts of a minor's charter stand: the sides of all, the upper edge of the sign,
    whether there is one, and the lower edge of the panel."""

    left: float
    right: float
    top: float
    signed: bool
    bottom: float


def _minor_rooms(charter: _Charter) -> _MinorRooms:
    company = charter.company
    return _MinorRooms(
        left=_COLUMN + _STRIP + 4.6,
        right=charter.card.width - _RIGHT,
        top=16.4 + (_SECOND if _has_second(charter) else 0.0),
        # Without a sign and places for tokens, the money lies right below the name.
        signed=bool(company.stations or company.homes),
        bottom=charter.low - charter.bay - 6.2,
    )


def _minor_panels(charter: _Charter) -> tuple[_Panel, ...]:
    """Above the trains, on cards taller than the design; then higher by what the sign and the table
    can spare."""
    left, right, top, signed, bottom = _minor_rooms(charter)
    usual = bottom - top - 5.6 - (_SIGN if signed else 0.0) - _BELOW_HEADING - _TABLE - _PANEL_GAP
    grown = usual + _TABLE - _LOW_TABLE + (_SIGN - _low_sign(charter) if signed else 0.0)
    if usual < _LEAST_MINOR_PANEL:
        return ()
    return tuple(_Panel(left, bottom - height, right - left, height) for height in (usual, grown))


def _low_sign(charter: _Charter) -> float:
    """Height of a sign that makes room: none is made if it has a second line."""
    return _SIGN if _has_two_lines(charter) else _LOW_SIGN


def _minor_items(charter: _Charter) -> tuple[Item, ...]:
    """Everything on the charter of a minor."""
    card, style, company = charter.card, charter.style, charter.company
    left, right, top, signed, bottom = _minor_rooms(charter)
    low, tall, token = charter.low, charter.bay, charter.token
    slots = min((token + _BETWEEN_PLACES) * len(company.stations), (right - left) * 0.5)
    table = _limits_width(charter, 6.4, 6.4 * 8)
    wide = right - left - (table + 4.5 if table else 0.0)
    money, limits = (
        charter.beside(right - wide, wide, left + wide),
        charter.beside(left, table, right),
    )
    # On cards taller than the design, a panel tells what the company may do; on others, the money
    # area.
    said = _said(charter)
    least = _LOW_SIGN_OF_TWO if _has_two_lines(charter) else _LOW_SIGN
    sign = least if _has_second(charter) and card.height < _TALL else _SIGN
    if said is not None:
        usual, _ = _minor_panels(charter)
        sign = _SIGN if said[0] == usual else _low_sign(charter)
        bottom = said[0].y - _PANEL_GAP
    row = top + 5.6 + (sign if signed else 0.0)
    heading = card.type("charter.label")
    last = text_width(
        style.words(company_words("treasury" if money > limits else "train_limit")), heading
    )
    if company.stations and max(money, limits) + last > right - slots:
        row = max(row, top + sign / 2 - 1.2 + token / 2 + _BELOW_PLACE + 1.2 * heading.size_mm)
    places = (right - slots + _BETWEEN_PLACES, top + sign / 2 - 1.2 - token / 2)
    untold = () if said is not None else tuple(map(style.words, company.abilities))
    # Charters of one colour share their curves: heights are rounded, so that the last bits never
    # differ.
    high = round(bottom - row - _BELOW_HEADING, 3)
    part = f"treasury {wide:.12g}x{high:.12g}:across"
    braid = _Braid(charter.shared, part, half=0.26, top=0.24)
    return (
        card.ground(style.ink("paper")),
        *_column(charter),
        boxed(
            (*_minor_name(charter, left, right, places), *_second(charter, left, right, places)),
            left,
            0.0,
            right - left,
            top,
        ),
        *_sign(charter, left, top, (right - left - slots - 1.5, sign)),
        *_station_slots(
            charter, right - slots + _BETWEEN_PLACES, top + sign / 2 - 1.2, slots - _BETWEEN_PLACES
        ),
        *_limit_table(charter, limits, row + _BELOW_HEADING, (table, high), heading=row),
        *_braided_treasury(charter, money, row, (wide, high), braid, texts=untold),
        *_abilities_panel(charter),
        *_train_stack(charter, left, low - tall, right - left, tall),
    )


def _has_two_lines(charter: _Charter) -> bool:
    """Whether a minor's sign has a second line, and so nothing to spare for a panel."""
    return bool(charter.company.blocks) or charter.company.destination is not None


def _column(charter: _Charter) -> tuple[Item, ...]:
    """The company's colour, full height, with its number in a ring of lace."""
    card, inks, style = charter.card, charter.inks, charter.style
    b, h = card.bleed, card.height
    x, y = _COLUMN / 2 + 0.6, h * 0.47
    gold = style.ink("certificate.gold")
    rings = (charter.pattern.rim, replace(charter.pattern.small, inner=0.74, outer=0.92))
    lace = charter.rosette("lace", rings, 19.4, mix(inks.band, inks.on_band, 0.55))
    strip = charter.braid("strip:down", h + 2 * b, _STRIP * 0.42, style.ink("paper"))
    place = multiply(translation(_COLUMN + _STRIP * 0.92, -b), rotation(90))
    return (
        Path(commands=rectangle_path(-b, -b, _COLUMN + b, h + 2 * b), fill=inks.band),
        Path(commands=rectangle_path(_COLUMN, -b, _STRIP, h + 2 * b), fill=inks.line),
        Use(scene=strip, matrix=place),
        Path(
            commands=rectangle_path(_COLUMN - 0.25, -b, 0.5, h + 2 * b),
            fill=gold,
            role=Role.ORNAMENT,
        ),
        *_fans(charter, x),
        centred(lace, x, y),
        boxed(
            (*_number(charter, x, y), *_sort(charter, x, y - 26.5), *_order(charter, x, y + 28.0)),
            0,
            0,
            _COLUMN,
            h,
        ),
    )


def _sort(charter: _Charter, x: float, y: float) -> tuple[TextRun, ...]:
    """What companies of its sort are called."""
    text = charter.style.words(charter.company.class_name or company_words("minor"))
    type_style, text = one_stepped(text, charter.card.type("charter.column"), _COLUMN - 6)
    return set_centred(text, type_style, charter.inks.on_band, x, y)


def _fans(charter: _Charter, x: float) -> tuple[Item, ...]:
    """Half a rosette at the head of the column and half at its foot, running off the edge; minors
    of one colour share them."""
    card, inks = charter.card, charter.inks
    b, h = card.bleed, card.height
    shared = charter.shared
    rings = (shared.pattern.petals, shared.pattern.rim)
    fan = shared.rosette("fan", rings, 17.0, mix(inks.band, inks.on_band, 0.3))
    clip = rectangle_path(-b, -b, _COLUMN + b, h + 2 * b)
    return (Group(items=(centred(fan, x, 0.0), centred(fan, x, h)), clip=clip),)


def _number(charter: _Charter, x: float, y: float) -> tuple[Item, ...]:
    """The number, or the roundel of a minor that is known by letters."""
    inks, company = charter.inks, charter.company
    if not company.token_text.isdecimal():
        return (
            Circle(cx=x, cy=y, r=11.4, fill=charter.style.ink("paper"), role=Role.ORNAMENT),
            placed_roundel(company, 21.6, charter.card, x, y),
        )
    style = charter.card.type("charter.number")
    text, inside = company.token_text, 13.6
    half_wide, half_tall = text_width(text, style) / 2, figure_height(style) / 2
    style = style.at(style.size_pt * min(1.0, inside / math.hypot(half_wide, half_tall)))
    tall = figure_height(style)
    return set_line(text, style, inks.on_band, x - text_width(text, style) / 2, y + tall / 2)


def _order(charter: _Charter, x: float, y: float) -> tuple[Item, ...]:
    """Its place in the operating order."""
    card, inks, company, style = charter.card, charter.inks, charter.company, charter.style
    if company.order is None:
        return ()
    caption, figure = card.type("charter.column"), card.type("charter.order")
    turn = style.words(company_words("operates"))
    return (
        *card.rule((x - 4.2, y), 10.5, inks.on_band, 0.16, towards=-1),
        *card.rule((x + 4.2, y), 10.5, inks.on_band, 0.16, towards=1),
        *set_centred(str(company.order), figure, inks.on_band, x, y),
        *set_centred(turn, fit(turn, caption, _COLUMN - 8), inks.on_band, x, y + 6.2),
    )


def _minor_name(charter: _Charter, left: float, right: float, places: Point) -> tuple[TextRun, ...]:
    """The name, in the whole width unless it would run into the token places, whose upper left
    corner is given."""
    whole, beside = right - left, places[0] - 1.0 - left
    block, widest, lowest = _name_block(charter, left, whole)
    if widest > beside and lowest > places[1]:
        block, _, _ = _name_block(charter, left, beside)
    return block


def _name_block(
    charter: _Charter, left: float, width: float
) -> tuple[tuple[TextRun, ...], float, float]:
    """The name within a width; how wide it is, and how far down it reaches."""
    own = charter.card.type("charter.minor")
    type_style, lines = balanced(charter.name, own, width, 2, several=0.66, clip=True)
    type_style = stepped(type_style, own)
    leading = line_step(lines, type_style, 1.04)
    first = (
        (9.6 if len(lines) == 1 else 9.0)
        + type_style.cap_height_mm / 2
        - leading * (len(lines) - 1) / 2
    )
    block = set_block(
        lines,
        type_style,
        charter.style.ink("text"),
        left,
        first,
        leading=leading / type_style.size_mm,
    )
    low = ink_height(lines[-1], type_style.beside(lines[-1]))[0]
    lowest = first + leading * (len(lines) - 1) + max(_DESCENT * type_style.size_mm, -low)
    return block, max(text_width(line, type_style) for line in lines), lowest


def _has_second(charter: _Charter) -> bool:
    """Whether the name in another language has a line, as on cards taller than the design."""
    return bool(charter.second_name) and charter.card.height >= _LOW


def _second(charter: _Charter, left: float, right: float, places: Point) -> tuple[TextRun, ...]:
    """The name in another language, beside the token places (their upper left corner) where it
    would run into them."""
    text, ink = charter.second_name, charter.style.ink("text")
    type_style = charter.card.type("charter.capital")
    for width, lowest in ((right - left, places[1]), (places[0] - 1.0 - left, 16.4 + _SECOND)):
        fitted, line = one_stepped(text, type_style, width)
        low, high = ink_height(line, fitted.beside(line))
        base = max(
            16.4 + 0.5 * _SECOND, _name_block(charter, left, right - left)[2] + high + _CLEAR
        )
        if _has_second(charter) and base - low <= lowest - _CLEAR:
            return set_line(line, fitted, ink, left, base)
    return left_out(text, type_style, ink)


def _sign(charter: _Charter, x: float, y: float, size: tuple[float, float]) -> tuple[Item, ...]:
    """The home as an enamelled station sign: the place, its hex in a hexagon, or below the name
    where there are more than that has room for; what is held back for the company."""
    card, inks, style, company = charter.card, charter.inks, charter.style, charter.company
    homes = home_names(charter.title, company, style)
    if not homes:
        return ()
    (width, height), light = size, inks.on_line
    name = _listed_homes(company, [place or hexagon for hexagon, place in homes], style)
    hexes = " ".join(hexagon for hexagon, _ in homes)
    badge = 4.4
    code = fit(hexes, card.type("charter.hex"), badge * 1.6)
    if text_width(hexes, code) > badge * 1.75:
        badge = 0.0
    middle = x + 2.6 + badge
    held = (
        style.words(company_words("held_back"), listed(company.blocks, style))
        if company.blocks
        else ""
    )
    below = "" if badge else ", ".join(dict.fromkeys(home.hex for home in company.homes))
    held = _BETWEEN.join(
        filter(None, (below, held, _destination_words(charter.title, company, style)))
    )
    start, room = (
        middle + (badge + 2.2 if badge else 0.0),
        width - 2 * badge - (7.4 if badge else 5.2),
    )
    place_style, name = one_stepped(name, card.type("charter.sign"), room)
    note = card.type("charter.held")
    lift = 1.7 if held else 0.0
    held_style, held = one_line(held, note, room) if held else (note, "")
    return (
        *_sign_plate(charter, x, y, width, height),
        *(_badge(charter, hexes, code, (middle, y + height / 2), badge) if badge else ()),
        boxed(
            (
                *set_line(
                    name,
                    place_style,
                    light,
                    start,
                    y + height / 2 + place_style.cap_height_mm / 2 - lift,
                ),
                *(set_line(held, held_style, light, start, y + height - 2.6) if held else ()),
            ),
            x + 0.8,
            y + 0.8,
            width - 1.6,
            height - 1.6,
        ),
    )


def _abilities_panel(charter: _Charter) -> tuple[Item, ...]:
    """What a company may do beyond the common rules, on its tinted panel; nothing without one."""
    said = _said(charter)
    if said is None:
        return ()
    (x, y, width, height), paragraphs = said
    card, inks, style = charter.card, charter.inks, charter.style
    return (
        Path(
            commands=rectangle_path(x, y, width, height, _CORNER_MM),
            fill=inks.tint,
            stroke=card.stroke(inks.line, 0.25),
        ),
        Path(
            commands=rectangle_path(x, y + _CORNER_MM, 1.1, height - 2 * _CORNER_MM), fill=inks.line
        ),
        *paragraph_items(paragraphs, style.ink("text"), x + _PANEL_LEFT, diamonds=inks.line),
    )


def _said(charter: _Charter) -> tuple[_Panel, Paragraphs] | None:
    """The panel of a company's abilities and how they are set on it; None for a company without
    abilities, or without room for any panel. Raises DoesNotFit where they are too long."""
    told, way = _told(charter), _agreed(charter)
    if told is None:
        return None
    paragraphs = set_in(told, way) if way is not None else None
    if way is None or paragraphs is None:
        high = max(box.height for box in told.boxes) * charter.card.unit_mm
        message = f"charter: what it may do does not fit a panel {high:.0f} mm high"
        raise DoesNotFit(message, "shorten it, or give charter a larger size")
    return charter.form.panels(charter)[way.box], paragraphs


def _agreed(charter: _Charter) -> Way | None:
    """How charters of this form set their abilities; None if no panel has room for those of any."""
    title, style, form = charter.title, charter.style, charter.form
    if (form, style) not in title.kept:
        telling = [
            company for company in title.companies if company.has_charter and company.abilities
        ]
        is_wide = any(
            holds_wide(style.words(text)) for company in telling for text in company.abilities
        )
        told = (
            _told(other)
            for other in (_charter_of(title, company, style) for company in telling)
            if other.form is form
        )
        title.kept[form, style] = agreed(
            [each for each in told if each is not None], is_wide=is_wide
        )
    way: Way | None = title.kept[form, style]
    return way


def _told(charter: _Charter) -> Told | None:
    """What a company may do, and the boxes on panels that there is room for; None where there is
    neither."""
    body, panels = charter.card.type("charter.body"), charter.form.panels(charter)
    texts = tuple(charter.style.words(text) for text in charter.company.abilities)
    boxes = (
        Box(y + _AIR, width - _PANEL_LEFT - _PANEL_RIGHT, height - 2 * _AIR)
        for _, y, width, height in panels
    )
    return Told(texts, body, tuple(boxes)) if texts and panels else None


def train_limits(title: Title, company: Company) -> tuple[tuple[Phase, int], ...]:
    """The company's train limit in every phase that sets one, from its formation to its closing: by
    its size, or the next that it may become, where phases speak of one, else by its kind; its own
    limit, if it has one, holds where the phases say nothing."""
    sizes = {limit.who for phase in title.phases for limit in phase.train_limits}
    own = [size for size in (company.size, *company.later_sizes) if size in sizes] or [
        company.kind.value
    ]
    phases: list[tuple[Phase, int]] = []
    for phase in dropwhile(lambda phase: phase.id != (company.opens or phase.id), title.phases):
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        known = [limits[who] for who in own if who in limits]
        known += [company.train_limit] if company.train_limit is not None else []
        if known:
            phases.append((phase, known[0]))
        if phase.id == company.closes:
            break
    return tuple(phases)


def _capital_words(charter: _Charter) -> str:
    """ "Regional railway  ·  Director 20 %  ·  8 × 10 %  ·  floats at 50 %" in the language of the
    print."""
    style, company = charter.style, charter.company
    parts = [style.words(company.class_name)] if company.class_name is not None else []
    for certificate in company.certificates:
        if certificate.director:
            parts.append(style.words(company_words("director_holds"), certificate.percent))
        else:
            pattern = (
                company_words("shares_held") if certificate.reserved else company_words("shares")
            )
            parts.append(style.words(pattern, certificate.count, certificate.percent))
    if company.float_percent is not None:
        parts.append(style.words(company_words("floats"), company.float_percent))
    return _BETWEEN.join(parts)


def home_names(title: Title, company: Company, style: Style) -> tuple[tuple[str, str], ...]:
    """Printed coordinates and name of each home; without a name, what its icon shows ("" where
    there is neither). Two stops of one place are one."""
    return tuple(dict.fromkeys((home.hex, _place(title, home, style)) for home in company.homes))


def _homes_told(charter: _Charter) -> str:
    """Homes with their coordinates; of several places of one name, the name once."""
    company, style = charter.company, charter.style
    homes = home_names(charter.title, company, style)
    names = {name for _, name in homes}
    if len(names) == 1 and all(names):
        places = _listed_homes(company, [hexagon for hexagon, _ in homes], style)
        return style.words(ASIDE, *names, places)
    named = [style.words(ASIDE, name, hexagon) if name else hexagon for hexagon, name in homes]
    return _listed_homes(company, named, style)


def _listed_homes(company: Company, places: Sequence[str], style: Style) -> str:
    """Names of homes in a row: all of them, or those that the company chooses from."""
    if company.all_homes:
        return listed(
            places, style, between=company_words("between_all"), last=company_words("and")
        )
    return listed(places, style, last=company_words("or"))


def _destination_words(title: Title, company: Company, style: Style) -> str:
    """The destination of a company and its hex; "" where it has none."""
    goal = company.destination
    if goal is None:
        return ""
    name = _place(title, goal, style)
    place = style.words(ASIDE, name, goal.hex) if name else goal.hex
    return style.words(LEAD, style.words(company_words("destination")), place)


def _place(title: Title, home: Home, style: Style) -> str:
    if home.name is not None:
        return style.words(home.name)
    for gamemap in title.maps:
        hexagon = gamemap.by_id.get(home.hex)
        if hexagon is not None:
            stops = hexagon.tile.stops
            own = (
                stops[home.stop].name if home.stop is not None and home.stop < len(stops) else None
            )
            signs = (
                map_words.table("icons")[icon.name]
                for icon in hexagon.tile.icons
                if icon.name in map_words.table("icons")
            )
            names = [name for name in (hexagon.name, own) if name is not None] or [*signs][:1]
            return " ".join(map(style.words, names))
    return ""


def _label(charter: _Charter, text: Text, x: float, y: float, width: float) -> tuple[Item, ...]:
    """A heading of a part, its baseline at y, in the width of that part."""
    style = charter.style
    type_style, words = one_line(style.words(text), charter.card.type("charter.label"), width)
    tall = 1.3 * type_style.size_mm
    return (
        boxed(
            set_line(words, type_style, style.ink("text"), x, y),
            x,
            y - tall + 0.3 * tall,
            width,
            tall,
        ),
    )


def _limits_width(charter: _Charter, phase_width: float, most: float) -> float:
    """Width of the table of train limits: its phases or its heading, whichever is wider, up to
    `most`; 0 where no phase limits the company."""
    count = len(train_limits(charter.title, charter.company))
    heading = text_width(
        charter.style.words(company_words("train_limit")), charter.card.type("charter.label")
    )
    return min(most, max(heading, phase_width * count)) if count else 0.0


def _station_slots(charter: _Charter, x: float, y: float, width: float) -> tuple[Item, ...]:
    """A row of token places from x, their middles at y, with the price below each; `width` is the
    room available. Prices too long to stand beside each other lose their currency, and then stand
    in a row of their own."""
    company, style, card = charter.company, charter.style, charter.card
    size = charter.token
    prices = company.token_places or company.stations
    count = len(prices)
    homes = 0 if company.token_places else max(1, len(company.homes) if company.all_homes else 1)
    alone, text = _shared_price(charter, prices, homes)
    # Places that are no list of tokens stand in two groups: those with a price of their own, and
    # the others.
    apart = _APART if company.token_places and 0 < alone < count else 0.0
    step = min(size + _BETWEEN_PLACES, (width - size - apart) / max(1, count - 1))
    items: list[Item] = []
    below = y + size / 2 + _BELOW_PLACE
    cost = card.type("charter.cost")
    own = [
        _station_price(charter, price, home=number < homes)
        for number, price in enumerate(prices[:alone])
    ]
    room = step - 0.6 if count > 1 else width
    least = cost.at(min(cost.size_pt, cost.min_pt))
    if any(text_width(price, least) > room for price in own):
        own = [
            str(price) if price else own_price
            for price, own_price in zip(prices, own, strict=False)
        ]
    shared = alone < count
    in_a_row = any(text_width(price, least) > room for price in own)
    in_a_row |= shared and apart + alone * step + text_width(text, least) > width
    for number in range(count):
        middle = x + size / 2 + number * step + (apart if number >= alone else 0.0)
        items += _slot(charter, middle, y, size / 2)
        if number < alone and not in_a_row:
            fitted = fit(own[number], cost, room)
            half = text_width(own[number], fitted) / 2
            at = min(max(x + half, middle), max(x + width - half, x + half))
            price = set_line(own[number], fitted, style.ink("text"), at - half, below)
            items.append(boxed(price, x, y + size / 2, max(width, 2 * half), 5.0))
    if in_a_row:
        fitted, line = one_line(" · ".join([*own, text] if shared else own), cost, width)
        items.append(
            boxed(set_line(line, fitted, style.ink("text"), x, below), x, y + size / 2, width, 5.0)
        )
    elif shared:
        left, right = x + apart + alone * step + 0.8, x + apart + (count - 1) * step + size - 0.8
        items += _bracket(charter, text, left, right, below)
    return tuple(items)


def _shared_price(charter: _Charter, prices: Sequence[int | None], homes: int) -> tuple[int, str]:
    """How many of the first places have a price of their own, and what the others share: one price
    at the company's formation, or a place that shows it."""
    company, style = charter.company, charter.style
    if company.formation_cost and not any(prices[homes:]):
        text = style.words(company_words("formation"), charter.title.money(company.formation_cost))
        return homes, text
    unpriced = [*takewhile(lambda price: price is None, reversed(prices))]
    alone = len(prices) - (len(unpriced) if len(unpriced) > 1 else 0)
    return alone, style.words(company_words("as_placed"))


def _station_price(charter: _Charter, price: int | None, *, home: bool) -> str:
    """What a station costs, in words."""
    if price is None:
        return charter.style.words(company_words("as_placed"))
    if price:
        return charter.title.money(price)
    return charter.style.words(company_words("home") if home else company_words("free"))


def _slot(charter: _Charter, x: float, y: float, r: float) -> tuple[Item, ...]:
    """An empty place for a token, the company's division showing faintly."""
    card, inks, company = charter.card, charter.inks, charter.company
    division = (
        company.roundel.division.removeprefix(REVERSED) if company.roundel is not None else ""
    )
    outline = DIVISIONS.get(division, ())
    ghost: tuple[Item, ...] = ()
    if outline:
        shape = transform_commands(outline, scaling(r * 0.8))
        ghost = (
            Group(
                items=(Path(commands=shape, fill=inks.tint, even_odd=True),),
                matrix=translation(x, y),
                clip=circle_path(0, 0, r * 0.8),
            ),
        )
    rim = card.stroke(inks.line, 0.35)
    return (
        Circle(cx=x, cy=y, r=r, fill=charter.style.ink("white"), stroke=rim, role=Role.SLOT),
        *ghost,
        Circle(cx=x, cy=y, r=r * 0.8, stroke=card.stroke(inks.veil, 0.2), role=Role.ORNAMENT),
    )


def _bracket(charter: _Charter, text: str, left: float, right: float, y: float) -> tuple[Item, ...]:
    """A price that several places share, between the arms of a bracket; y is its baseline."""
    card, ink = charter.card, charter.style.ink("text")
    style = fit(text, card.type("charter.cost"), right - left - 6)
    half = text_width(text, style) / 2 + 1
    middle, level = max((left + right) / 2, left - 0.8 + half), y - style.cap_height_mm / 2
    stroke = card.stroke(charter.inks.line, 0.2)
    arms = (
        polygon_path(((left, level - 1.3), (left, level), (middle - half, level)), closed=False),
        polygon_path(((right, level - 1.3), (right, level), (middle + half, level)), closed=False),
    )
    lines = (
        Path(commands=arm, stroke=stroke, role=Role.ORNAMENT)
        for arm in arms
        if right - left > 2 * half
    )
    words = set_centred(text, style, ink, middle, level)
    return (
        *lines,
        boxed(words, min(left, middle - half), level - 3.0, max(right - left, 2 * half), 6.0),
    )


def _limit_table(
    charter: _Charter, x: float, y: float, size: tuple[float, float], *, heading: float
) -> tuple[Item, ...]:
    """Train limits: a column for each phase, headed in the colour of its newest tiles. The baseline
    of the table's own heading is at `heading`. Nothing where no phase limits the company."""
    width, height = size
    limits = train_limits(charter.title, charter.company)
    if not limits:
        return ()
    card, style, inks = charter.card, charter.style, charter.inks
    step = width / len(limits)
    head = height * 0.42
    clip = rectangle_path(x, y, width, height, _CORNER_MM)
    rule = card.stroke(inks.line, 0.15)
    inside: list[Item] = [Path(commands=clip, fill=style.ink("white"))]
    for number, (phase, _) in enumerate(limits):
        left, ground = x + number * step, _phase_ink(phase, style)
        inside.append(Path(commands=rectangle_path(left, y, step, head), fill=ground, stroke=rule))
        name, type_style = phase.id, fit(phase.id, card.type("charter.phase"), step - 0.8)
        upright = text_width(name, type_style) > step - 0.4
        if upright:
            type_style, name = one_line(phase.id, type_style, head - 0.6)
        words = set_centred(
            name,
            type_style,
            readable_on(ground),
            left + step / 2,
            y + head / 2,
            angle=-90.0 if upright else 0.0,
        )
        inside.append(boxed(words, left, y, step, head))
    for limit, first, last in _runs([limit for _, limit in limits]):
        left, right = x + first * step, x + (last + 1) * step
        inside.append(
            Path(commands=rectangle_path(left, y + head, right - left, height), stroke=rule)
        )
        middle = (left + right) / 2, y + (head + height) / 2
        figure = fit(str(limit), card.type("charter.limit"), right - left - 0.6)
        words = set_centred(str(limit), figure, style.ink("text"), *middle)
        inside.append(boxed(words, left, y + head, right - left, height - head))
    outline = Path(commands=clip, stroke=card.stroke(inks.line, 0.35), role=Role.ORNAMENT)
    return (
        *_label(charter, company_words("train_limit"), x, heading, width),
        Group(items=tuple(inside), clip=clip),
        outline,
    )


def _runs(limits: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Equal neighbours joined: (limit, index of the first, index of the last)."""
    at = 0
    for limit, members in groupby(limits):
        count = len(tuple(members))
        yield limit, at, at + count - 1
        at += count


def _phase_ink(phase: Phase, style: Style) -> Ink:
    name = f"tile.{phase.tiles[-1]}" if phase.tiles else ""
    return style.ink(name) if name in style.theme.inks else style.ink("tile.white")


def _train_stack(
    charter: _Charter, x: float, y: float, width: float, height: float
) -> tuple[Item, ...]:
    """Where train cards lie, below a heading: one place of a card's true size and, showing from
    under it, one for each further train the company may ever own, numbered."""
    card, inks, style = charter.card, charter.inks, charter.style
    long, short = (charter.mm(side + CARD_PLAY_MM) for side in train_card(charter.title))
    long, short = min(long, width), min(short, height)
    most = max((limit for _, limit in train_limits(charter.title, charter.company)), default=1)
    count = max(1, most)
    step = (width - long) / (count - 1) if count > 1 else 0.0
    shown = min(step, long)
    items: list[Item] = [*_label(charter, company_words("trains"), x, y - _ABOVE_TRAINS, width)]
    # The first lies on top at the right: of each that it covers, the left corner shows, where its
    # index is.
    for number in reversed(range(count)):
        left = x + (count - 1 - number) * step
        fill = mix(style.ink("white"), inks.tint, 0.3 + 0.7 * number / count)
        items.append(
            Path(
                commands=rectangle_path(left, y, long, short, _CORNER_MM),
                fill=fill,
                stroke=card.stroke(inks.line, 0.3),
                role=Role.ORNAMENT,
            )
        )
        figure = card.type("charter.place")
        if shown > max(_LEAST_STEP, text_width(str(count), figure) + 1.0):
            items.append(
                Path(commands=rectangle_path(left + 0.4, y + 0.6, shown - 0.8, 5.2), fill=fill)
            )
            words = set_centred(str(number + 1), figure, inks.line, left + shown / 2, y + 3.2)
            items.append(boxed(words, left, y, shown, short))
    items += wheel(
        x + (count - 1) * step + long / 2 + shown * 0.2, y + short / 2, short * 0.2, inks.veil
    )
    return tuple(items)


_MAJOR_FORM = _Form(design=(148.0, 105.0), draw=_major_items, panels=_major_panels)
_MINOR_FORM = _Form(design=(148.0, 105.0), draw=_minor_items, panels=_minor_panels)
_TALL_FORM = _Form(design=(92.0, 140.0), draw=_tall_items, panels=_tall_panels)
_WIDE_FORM = _Form(design=(237.0, 105.0), draw=_wide_items, panels=_wide_panels)
"""Charters across, upright, and with trains beside all else."""
