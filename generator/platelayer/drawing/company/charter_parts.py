"""Parts that charters of all kinds share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from msgspec import Struct

from platelayer.drawing.company.divisions import DIVISIONS, REVERSED
from platelayer.drawing.company.inks import CompanyInks
from platelayer.drawing.kit.card import Card
from platelayer.drawing.kit.guilloche import Pattern
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.ornament import wheel
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import ASIDE, LEAD, listed
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import CARD_PLAY_MM, train_card
from platelayer.model.company import Company, Home
from platelayer.model.phase import Phase
from platelayer.model.slots import TOKEN_PLAY_MM
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Role,
    TextRun,
    circle_path,
    polygon_path,
    rectangle_path,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import fit, set_centred, set_line, text_width

map_words = FixedWords("map")

BETWEEN = "   ·   "
"""Stands between facts on one line."""
words = FixedWords("companies")

CORNER_MM = 1.6
_LEAST_STEP = 3.2
_APART = 9.0
"""Between two groups of token places."""


class Charter(Struct, frozen=True, kw_only=True):
    """What the parts of one charter draw from."""

    card: Card
    title: Title
    company: Company
    inks: CompanyInks
    pattern: Pattern
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

    def key(self, part: str) -> str:
        """Key of a scene that only this charter places."""
        return f"charter:{self.company.id}:{part}"

    def shared_key(self, part: str) -> str:
        """Key of a scene that the charters of all companies of one colour and size place."""
        company, unit = self.company, f"{self.card.unit_mm:.12g}"
        return f"charter:{company.colour}{company.text_colour}@{unit}:{part}"

    def mm(self, length_mm: float) -> float:
        """A length on paper in design units."""
        return length_mm / self.card.unit_mm


def train_limits(title: Title, company: Company) -> tuple[tuple[Phase, int], ...]:
    """The company's train limit in every phase that sets one: by its size where phases speak of it, else by its kind;
    its own limit, if it has one, holds where the phases say nothing."""
    sizes = {limit.who for phase in title.phases for limit in phase.train_limits}
    who = company.size if company.size in sizes else company.kind.value
    found: list[tuple[Phase, int]] = []
    for phase in title.phases:
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        known = [limits[who]] if who in limits else []
        known += [company.train_limit] if company.train_limit is not None else []
        if known:
            found.append((phase, known[0]))
    return tuple(found)


def capital_words(charter: Charter) -> str:
    """ "Regional railway  ·  Director 20 %  ·  8 × 10 %  ·  floats at 50 %" in the language of the print."""
    style, company = charter.style, charter.company
    parts = [style.words(company.class_name)] if company.class_name is not None else []
    for certificate in company.certificates:
        if certificate.director:
            parts.append(style.words(words("director_holds"), certificate.percent))
        else:
            pattern = words("shares_held") if certificate.reserved else words("shares")
            parts.append(style.words(pattern, certificate.count, certificate.percent))
    if company.float_percent is not None:
        parts.append(style.words(words("floats"), company.float_percent))
    return BETWEEN.join(parts)


def home_names(title: Title, company: Company, style: Style) -> tuple[tuple[str, str], ...]:
    """Printed coordinates and name of each home; without a name, what its icon shows ("" where there is neither). Two
    stops of one place are one."""
    return tuple(dict.fromkeys((home.hex, _place(title, home, style)) for home in company.homes))


def listed_homes(company: Company, places: Sequence[str], style: Style) -> str:
    """Names of homes in a row: all of them, or those that the company chooses from."""
    if company.all_homes:
        return listed(places, style, between=words("between_all"), last=words("and"))
    return listed(places, style, last=words("or"))


def destination_words(title: Title, company: Company, style: Style) -> str:
    """The destination of a company and its hex; "" where it has none."""
    goal = company.destination
    if goal is None:
        return ""
    name = _place(title, goal, style)
    place = style.words(ASIDE, name, goal.hex) if name else goal.hex
    return style.words(LEAD, style.words(words("destination")), place)


def _place(title: Title, home: Home, style: Style) -> str:
    if home.name is not None:
        return style.words(home.name)
    for gamemap in title.maps:
        hexagon = gamemap.by_id.get(home.hex)
        if hexagon is not None:
            stops = hexagon.tile.stops
            own = stops[home.stop].name if home.stop is not None and home.stop < len(stops) else None
            signs = (
                map_words.table("icons")[icon.name]
                for icon in hexagon.tile.icons
                if icon.name in map_words.table("icons")
            )
            names = [name for name in (hexagon.name, own) if name is not None] or [*signs][:1]
            return " ".join(map(style.words, names))
    return ""


def label(charter: Charter, text: str, x: float, y: float) -> tuple[TextRun, ...]:
    """A heading of a part, its baseline at y."""
    return set_line(text, charter.card.type("charter.label"), charter.style.ink("text"), x, y)


def limits_width(charter: Charter, phase_width: float, most: float) -> float:
    """Width of the table of train limits: its phases or its heading, whichever is wider, up to `most`; 0 where no phase
    limits the company."""
    count = len(train_limits(charter.title, charter.company))
    heading = text_width(charter.style.words(words("train_limit")), charter.card.type("charter.label"))
    return min(most, max(heading, phase_width * count)) if count else 0.0


def station_slots(charter: Charter, x: float, y: float, width: float) -> tuple[Item, ...]:
    """A row of token places from x, their middles at y, with the price below each; `width` is the room available.
    Prices too long to stand beside each other lose their currency, and then stand in a row of their own."""
    company, style, card = charter.company, charter.style, charter.card
    size = charter.mm(charter.title.pieces.size("token", company.id).width_mm + TOKEN_PLAY_MM)
    prices = company.token_places or company.stations
    count = len(prices)
    homes = 0 if company.token_places else max(1, len(company.homes) if company.all_homes else 1)
    alone, text = _shared_price(charter, prices, homes)
    # Places that are no list of tokens stand in two groups: those with a price of their own, and the others.
    apart = _APART if company.token_places and 0 < alone < count else 0.0
    step = min(size + 2.6, (width - size - apart) / max(1, count - 1))
    items: list[Item] = []
    below = y + size / 2 + 3.2
    cost = card.type("charter.cost")
    own = [_station_price(charter, price, home=number < homes) for number, price in enumerate(prices[:alone])]
    room = step - 0.6 if count > 1 else width
    least = cost.at(min(cost.size_pt, cost.min_pt))
    if any(text_width(price, least) > room for price in own):
        own = [str(price) if price else told for price, told in zip(prices, own, strict=False)]
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
            items += set_line(own[number], fitted, style.ink("text"), at - half, below)
    if in_a_row:
        fitted, line = one_line(" · ".join([*own, text] if shared else own), cost, width)
        items += set_line(line, fitted, style.ink("text"), x, below)
    elif shared:
        left, right = x + apart + alone * step + 0.8, x + apart + (count - 1) * step + size - 0.8
        items += _bracket(charter, text, left, right, below)
    return tuple(items)


def _shared_price(charter: Charter, prices: Sequence[int | None], homes: int) -> tuple[int, str]:
    """How many of the first places have a price of their own, and what the others share: one price at the company's
    formation, or a place that shows it."""
    company, style = charter.company, charter.style
    if company.formation_cost and not any(prices[homes:]):
        text = style.words(words("formation"), charter.title.money(company.formation_cost))
        return homes, text
    told = [*takewhile(lambda price: price is None, reversed(prices))]
    alone = len(prices) - (len(told) if len(told) > 1 else 0)
    return alone, style.words(words("as_placed"))


def _station_price(charter: Charter, price: int | None, *, home: bool) -> str:
    """What a station costs, in words."""
    if price is None:
        return charter.style.words(words("as_placed"))
    if price:
        return charter.title.money(price)
    return charter.style.words(words("home") if home else words("free"))


def _slot(charter: Charter, x: float, y: float, r: float) -> tuple[Item, ...]:
    """An empty place for a token, the company's division showing faintly."""
    card, inks, company = charter.card, charter.inks, charter.company
    division = company.roundel.division.removeprefix(REVERSED) if company.roundel is not None else ""
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


def _bracket(charter: Charter, text: str, left: float, right: float, y: float) -> tuple[Item, ...]:
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
    lines = (Path(commands=arm, stroke=stroke, role=Role.ORNAMENT) for arm in arms if right - left > 2 * half)
    return (*lines, *set_centred(text, style, ink, middle, level))


def limit_table(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    """Train limits: a column for each phase, headed in the colour of its newest tiles."""
    limits = train_limits(charter.title, charter.company)
    if not limits:
        return ()
    card, style, inks = charter.card, charter.style, charter.inks
    step = width / len(limits)
    head = height * 0.42
    clip = rectangle_path(x, y, width, height, CORNER_MM)
    rule = card.stroke(inks.line, 0.15)
    inside: list[Item] = [Path(commands=clip, fill=style.ink("white"))]
    for number, (phase, _) in enumerate(limits):
        left, ground = x + number * step, _phase_ink(phase, style)
        inside.append(Path(commands=rectangle_path(left, y, step, head), fill=ground, stroke=rule))
        name, kind = phase.id, fit(phase.id, card.type("charter.phase"), step - 0.8)
        upright = text_width(name, kind) > step - 0.4
        if upright:
            kind, name = one_line(phase.id, kind, head - 0.6)
        inside += set_centred(
            name, kind, readable_on(ground), left + step / 2, y + head / 2, angle=-90.0 if upright else 0.0
        )
    for limit, first, last in _runs([limit for _, limit in limits]):
        left, right = x + first * step, x + (last + 1) * step
        inside.append(Path(commands=rectangle_path(left, y + head, right - left, height), stroke=rule))
        middle = (left + right) / 2, y + (head + height) / 2
        figure = fit(str(limit), card.type("charter.limit"), right - left - 0.6)
        inside += set_centred(str(limit), figure, style.ink("text"), *middle)
    outline = Path(commands=clip, stroke=card.stroke(inks.line, 0.35), role=Role.ORNAMENT)
    return (Group(items=tuple(inside), clip=clip), outline)


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


def train_stack(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    """Where train cards lie: one place of a card's true size and, showing from under it, one for each further
    train the company may ever own, numbered."""
    card, inks, style = charter.card, charter.inks, charter.style
    long, short = (charter.mm(side + CARD_PLAY_MM) for side in train_card(charter.title))
    long, short = min(long, width), min(short, height)
    most = max((limit for _, limit in train_limits(charter.title, charter.company)), default=1)
    count = max(1, most)
    step = (width - long) / (count - 1) if count > 1 else 0.0
    items: list[Item] = []
    for number in reversed(range(count)):
        left = x + number * step
        fill = mix(style.ink("white"), inks.tint, 0.3 + 0.7 * number / count)
        items.append(
            Path(
                commands=rectangle_path(left, y, long, short, CORNER_MM),
                fill=fill,
                stroke=card.stroke(inks.line, 0.3),
                role=Role.ORNAMENT,
            )
        )
        figure = card.type("charter.place")
        if step > max(_LEAST_STEP, text_width(str(count), figure) + 1.0):
            items.append(Path(commands=rectangle_path(left + long - step + 0.4, y + 0.6, step - 0.8, 5.2), fill=fill))
            items += set_centred(str(number + 1), figure, inks.line, left + long - step / 2, y + 3.2)
    items += wheel(x + long / 2 - step * 0.2, y + short / 2, short * 0.2, inks.veil)
    return tuple(items)
