"""Cards of private companies and concessions: price, income, what they may do, and when they
close."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.company.roundel import (
    CompanyInks,
    company_inks,
    company_of,
    lettered,
    placed_roundel,
)
from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.card import Card, Engraved, design_card
from platelayer.drawing.kit.icons import picture_group
from platelayer.drawing.kit.lettering import balanced, ink_height, line_step, one_line
from platelayer.drawing.kit.ornament import centred, pattern_of
from platelayer.drawing.kit.rich_text import (
    INDENT,
    CardText,
    Paragraphs,
    Setting,
    TextBox,
    common_setting,
    paragraph_items,
    set_paragraphs,
    stepped,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.geometry import PT_PER_MM
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind
from platelayer.model.hexes import Layout
from platelayer.model.kinds import piece_size
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, join_parts
from platelayer.scene.inks import Ink
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Use,
    boxed,
    multiply,
    rectangle_path,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_centred, set_line, text_width

company_words = FixedWords("companies")
card_words = FixedWords("cards")

_ACROSS = 0.866
"""Flat to flat of a hex, as a share of its width from corner to corner."""
_CAPTION = 0.16
"""Room for the name of a hex or tile below it, as a share of the height."""

SAFE_MM = 3.2
_DESIGN = (88.0, 63.0)
_BAND = 4.2
_SIDE = 6.5
_LEFT, _RIGHT = _SIDE - 0.4 + INDENT, 5.2
_KINDS = {
    CompanyKind.PRIVATE: company_words("private"),
    CompanyKind.CONCESSION: company_words("concession"),
    CompanyKind.MINOR: company_words("minor"),
}
_KIND_EMS = 0.92
"""From the top of capitals to the foot of descenders."""
_ASCENT = 1.1
"""Height of letters such as d, in capitals."""
_LEAST_PT = MIN_PLAY_PT
"""The smallest readable type."""

_PANEL, _CLEAR = 13.4, 1.4
"""Upper edge of the tinted panel, and how far below it a name begins."""
_BETWEEN_NAMES = 0.25
"""The least room between the letters of a name and of the second one."""
_SECOND, _SECOND_WIDE = 3.6, 0.84
"""Room for a second name below the first, and its size where it is Japanese, which looks larger."""
_SHOWN, _SHOWN_GAP = 20.0, 1.5
"""Side of a square for what the card shows, and how far it is from the text."""
_DISC, _LACE, _RING = 5.3, 7.4, 7.7
"""Radii of a counter: its disc, the lace round it, and the paper below both."""
_COUNTERS, _EMBLEM, _RULE = 4.5, 17.8, 16.8
"""How far above the lower edge counters begin, and how far roundel and rule reach."""


class _Room(NamedTuple):
    """Size of the name (1: as in the theme) and its middle; where abilities begin, but at least so
    far below the name, and how far above what stands at the foot they end, in design units."""

    name: float
    middle: float
    top: float
    below: float
    foot: float

    def on(self, company: Company, card: Card) -> _Room:
        """The room on one card, between its names and its counters, roundel or rule."""
        second = _SECOND if company.second_name is not None else 0.0
        counted = company.value is not None or company.income is not None
        foot = (
            _COUNTERS + 2 * _RING * _grown(card)
            if counted
            else _EMBLEM
            if company.has_charter
            else _RULE
        )
        room = self._replace(
            middle=self.middle - second * 0.25, top=self.top + second * 0.9, foot=self.foot + foot
        )
        return room._replace(top=max(room.top, _foot_of_names(company, card, room) + self.below))


def _head(card: Card) -> float:
    """Height of the band at the head: larger on a small card, where the safe zone takes more of
    it."""
    return 7.4 + min(1.8, max(0.0, card.safe - SAFE_MM))


def _grown(card: Card) -> float:
    """How much larger than designed the counters of a small card are, so that what they say can be
    read."""
    return min(1.2, max(1.0, 0.92 / card.unit_mm))


_ROOMS = (
    _Room(name=1.0, middle=18.8, top=23.6, below=2.2, foot=0.9),
    _Room(name=0.72, middle=17.0, top=20.0, below=1.8, foot=0.5),
    _Room(name=0.62, middle=16.4, top=18.4, below=1.2, foot=0.5),
)


def draw_private(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The card of a private company, a concession, or a company that one certificate owns whole; or
    its back where it is turned over in play: name and income, and what holds from then on. Raises
    KeyError."""
    company, key = company_of(title, title.private(piece_id).ref), f"private:{piece_id}"
    card = _card_of(title, company, style)
    number = _room_number(title, company, card)
    if back:
        company, key = _turned(company), f"{key}:back"
    inks = company_inks(company, style)
    paragraphs = _said(title, company, card, number, back=back)
    page, room = _page(company, card, paragraphs is not None), _ROOMS[number].on(company, card)
    items = (
        *_ground(company, card, inks),
        *_heading(company, card, inks, room),
        *(
            paragraph_items(paragraphs, style.ink("text"), _LEFT, diamonds=inks.line)
            if paragraphs is not None
            else ()
        ),
        *_shown(title, company, card, inks, room, aside=page is not card),
        *_amounts(title, company, card, inks),
        *_emblem(company, card),
    )
    return card.scene(key, style.words(company.name), items)


def privates_agree(
    title: Title, piece_id: str, style: Style
) -> tuple[list[tuple[Setting | None, bool]], bool]:
    """How the cards like this one set what their companies may do, in front and on a back that is
    read in play, and whether all cards are set as Japanese there; and whether this one has room.
    Raises KeyError."""
    company = title.private(piece_id)
    card = _card_of(title, company, style)
    sides = [(company, False), *([(_turned(company), True)] if company.used is not None else [])]
    ways = [
        (_agreed(title, side, card, back=back), _is_wide(title, style, back=back))
        for side, back in sides
    ]
    told = [_told(title, side, card) for side, _ in sides]
    return ways, all(
        not each.texts or (way is not None and set_paragraphs(each, way) is not None)
        for each, (way, _) in zip(told, ways, strict=True)
    )


def _card_of(title: Title, company: Company, style: Style) -> Card:
    size = piece_size(title, "private", company.id, company.size)
    return design_card(size, style, design=_DESIGN, safe_mm=SAFE_MM)


def _turned(company: Company) -> Company:
    """A company as the back of its card shows it."""
    abilities = (company.used,) if company.used is not None else ()
    return replace(
        company,
        abilities=abilities,
        value=None,
        min_price=None,
        max_price=None,
        min_players=None,
        shows=None,
    )


def _page(company: Company, card: Card, told: bool) -> Card:
    """What the text has of a card: what the card shows stands at the right of it."""
    return (
        replace(card, width=card.width - _SHOWN - _SHOWN_GAP)
        if company.shows is not None and told
        else card
    )


def _room_number(title: Title, company: Company, card: Card) -> int:
    """Index of the room that the text takes on the front and on a back read in play: a name has one
    size on both."""
    sides = [(company, False), *([(_turned(company), True)] if company.used is not None else [])]
    ways = [
        _agreed(title, side, card, back=back)
        for side, back in sides
        if _texts(title, side, card.style)
    ]
    return max((way.box for way in ways if way is not None), default=0)


def _said(
    title: Title, company: Company, card: Card, number: int, *, back: bool
) -> Paragraphs | None:
    """Abilities and terms of a company, set in a room; None without any. Raises DoesNotFit."""
    told, way = _told(title, company, card), _agreed(title, company, card, back=back)
    if not told.texts:
        return None
    paragraphs = set_paragraphs(told, way._replace(box=number)) if way is not None else None
    if paragraphs is None:
        size = f"{card.width * card.unit_mm:.0f} x {card.height * card.unit_mm:.0f} mm"
        raise DoesNotFit(
            f"private: what it may do does not fit a card of {size}", "give private a larger size"
        )
    return paragraphs


def _agreed(title: Title, company: Company, card: Card, *, back: bool) -> Setting | None:
    """How cards of one size set their words: all of those that have no size of their own, as these
    stand alone, and so do words in fine print."""
    is_wide = _is_wide(title, card.style, back=back)
    if card.type("private.body").fine or _has_own_size(title, company):
        return common_setting(
            [told for told in (_told(title, company, card),) if told.texts], is_wide=is_wide
        )
    if (card, back) not in title.kept:
        sisters = [other for other in _all_of(title, back=back) if not _has_own_size(title, other)]
        cards = (
            _told(title, other, card)
            for other in sisters
            if _card_of(title, other, card.style) == card
        )
        title.kept[card, back] = common_setting(
            [told for told in cards if told.texts], is_wide=is_wide
        )
    way: Setting | None = title.kept[card, back]
    return way


def _all_of(title: Title, *, back: bool) -> list[Company]:
    """The companies of all cards, as their fronts or those of their backs that are read in play
    show them."""
    companies = [
        company for company in title.companies if company.owned_whole or not company.has_charter
    ]
    return (
        [_turned(company) for company in companies if company.used is not None]
        if back
        else companies
    )


def _is_wide(title: Title, style: Style, *, back: bool) -> bool:
    """Whether any card says something Japanese."""
    key = ("privates", style, back)
    if key not in title.kept:
        texts = (
            text for company in _all_of(title, back=back) for text in _texts(title, company, style)
        )
        title.kept[key] = any(map(holds_wide, texts))
    is_wide: bool = title.kept[key]
    return is_wide


def _has_own_size(title: Title, company: Company) -> bool:
    return any(size.kind == f"private:{company.id}" for size in title.pieces.sizes_of("private"))


def _told(title: Title, company: Company, card: Card) -> CardText:
    """What a card says of a company, and the boxes it may stand in: a name gives up air, and then
    size."""
    texts = _texts(title, company, card.style)
    wide = _page(company, card, bool(texts)).width - _LEFT - _RIGHT
    rooms = (room.on(company, card) for room in _ROOMS) if texts else ()
    boxes = (TextBox(room.top, wide, card.height - room.foot - room.top) for room in rooms)
    return CardText(texts, card.type("private.body"), tuple(boxes))


def _texts(title: Title, company: Company, style: Style) -> tuple[str, ...]:
    """What a company may do, and its terms."""
    return (
        *(style.words(text) for text in company.abilities),
        *_private_terms(title, company, style),
    )


def _curves(company: Company, card: Card) -> Engraved:
    pattern = pattern_of(company.id, card.style.motif)
    return Engraved(card=card, pattern=pattern, stem=f"private:{company.id}:{card.unit_mm:.12g}")


def _ground(company: Company, card: Card, inks: CompanyInks) -> tuple[Item, ...]:
    """Tinted paper between a band of the colour above and a braid below it."""
    w, b = card.width, card.bleed
    style = card.style
    curves = _curves(company, card)
    strip = curves.braid("across", w + 2 * b, _BAND * 0.42, style.ink("paper"))
    veil = curves.underprint("veil", (curves.pattern.petals,), 18.5, inks.veil)
    gold, head = style.ink("certificate.gold"), _head(card)
    panel = rectangle_path(3.0, _PANEL, w - 6.0, card.height - _PANEL - 3.0, 1.6)
    return (
        card.ground(style.ink("paper")),
        Path(commands=panel, fill=inks.tint, stroke=card.stroke(inks.line, 0.2)),
        centred(veil, w / 2, (card.height + 10) / 2),
        Path(commands=rectangle_path(-b, -b, w + 2 * b, head + b), fill=inks.band),
        Path(commands=rectangle_path(-b, head, w + 2 * b, _BAND * 0.92), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, head + _BAND * 0.04)),
        Path(
            commands=rectangle_path(-b, head - 0.25, w + 2 * b, 0.5), fill=gold, role=Role.ORNAMENT
        ),
    )


def _heading(company: Company, card: Card, inks: CompanyInks, room: _Room) -> tuple[Item, ...]:
    """What it is and its short name in the band; its name below."""
    style, w = card.style, card.width
    kind = style.words(company.class_name or _KINDS.get(company.kind, company_words("private")))
    chip = card.type("private.chip")
    least = card.safe + 0.1
    low, rise = ink_height(company.token_text, chip)
    most = (_head(card) - 0.45 - least) / (rise - min(0.0, low))
    chip = chip.at(max(chip.min_pt, chip.size_pt * min(1.0, most)))
    rise, wide = ink_height(company.token_text, chip)[1], text_width(company.token_text, chip)
    italic = card.type("private.kind")
    # Between the safe zone and the gold line there is little room on a small card: descenders stay
    # in it.
    tall = max(
        rise_mm(kind, italic) - italic.cap_height_mm + _KIND_EMS * italic.size_mm,
        _inked(kind, italic),
    )
    shrunk = italic.size_pt * (_head(card) - 0.45 - least) / tall
    italic = italic.at(min(italic.size_pt, max(_LEAST_PT / card.unit_mm, shrunk)))
    sort, kind = one_line(kind, italic, w - 2 * _SIDE - wide - 4)
    base = max(6.0, least + max(_ASCENT * sort.cap_height_mm, ink_height(kind, sort)[1]))
    edge = _head(card) - 0.5 + min(0.0, ink_height(company.token_text, chip)[0])
    head = (
        *set_line(kind, sort, inks.on_band, _SIDE, base),
        *set_line(
            company.token_text,
            chip,
            inks.on_band,
            w - _SIDE - wide,
            max(least + rise, min(6.0, edge)),
        ),
    )
    names = (
        run
        for line, named, middle in _names(company, card, room)
        for run in set_centred(line, named, style.ink("text"), w / 2, middle)
    )
    panel = card.height - _PANEL
    return (
        boxed(head, _SIDE, 0.0, w - 2 * _SIDE, _head(card)),
        boxed([*names], _SIDE, _PANEL, w - 2 * _SIDE, panel),
    )


def _names(company: Company, card: Card, room: _Room) -> Iterator[tuple[str, TypeStyle, float]]:
    """Lines of its name, and its name in another language, small: each with its type and its
    middle."""
    style, wide = card.style, card.width - 2 * _SIDE
    largest = card.type("private.name")
    largest = largest.at(max(largest.min_pt, largest.size_pt * room.name))
    several = 0.72 if company.second_name is None else 0.64
    name, lines = balanced(style.words(company.name), largest, wide, 2, several=several, clip=True)
    name = stepped(name, card.type("private.name"))
    leading = line_step(lines, name, 1.02)
    # Of two lines, the upper one may not touch the edge of the panel.
    above = rise_mm(lines[0], name) - name.cap_height_mm / 2
    first = max(room.middle - leading * (len(lines) - 1) / 2, _PANEL + _CLEAR + above)
    if company.second_name is not None:
        words, second = style.words(company.second_name), card.type("private.second")
        if holds_wide(words):
            second = second.at(max(second.min_pt, second.size_pt * _SECOND_WIDE))
        second, text = one_line(words, second, wide)
        # Descenders of the one and accents of the other may need more than the usual room.
        down = name.cap_height_mm / 2 - ink_height(lines[-1], name)[0]
        up = ink_height(text, second)[1] - second.cap_height_mm / 2
        below = max(name.size_mm * 0.38 + 2.8, down + up + _BETWEEN_NAMES)
        yield text, second, first + leading * (len(lines) - 1) + below
    for number, line in enumerate(lines):
        yield line, name, first + number * leading


def _foot_of_names(company: Company, card: Card, room: _Room, beyond: float = 0.0) -> float:
    """How far down names reach that end beyond a place from the left, as if each had a descender:
    texts begin on one level."""
    return max(
        (
            middle
            + type_style.cap_height_mm / 2
            - ink_height(line + _lowest(line), type_style.beside(line))[0]
            for line, type_style, middle in _names(company, card, room)
            if (card.width + text_width(line, type_style)) / 2 > beyond
        ),
        default=0.0,
    )


def _lowest(line: str) -> str:
    """What reaches lowest in a line, if it is nothing rare."""
    return "日" if holds_wide(line) else "g"


def _inked(text: str, type_style: TypeStyle) -> float:
    """From the lowest to the highest ink of a line in mm."""
    low, high = ink_height(text, type_style)
    return high - min(0.0, low)


def _shown(
    title: Title, company: Company, card: Card, inks: CompanyInks, room: _Room, *, aside: bool
) -> tuple[Item, ...]:
    """A hex, a tile or a picture at the right of the abilities; without them, in the middle."""
    x = card.width - _SIDE - _SHOWN / 2 if aside else card.width / 2
    rise = _SHOWN_GAP * (1 if aside else -1 if company.second_name is not None else 0)
    # It keeps clear of the names above it.
    foot = _foot_of_names(company, card, room, beyond=x - _SHOWN / 2)
    top, bottom = max(room.top - rise, foot + _CLEAR), card.height - room.foot
    size = min(_SHOWN, bottom - top)
    items = _shown_items(title, company, size * card.unit_mm, inks.line, card.style)
    matrix = multiply(translation(x, (top + bottom) / 2), scaling(1 / card.unit_mm))
    return (Group(items=items, matrix=matrix),) if items else ()


def _amounts(title: Title, company: Company, card: Card, inks: CompanyInks) -> tuple[Item, ...]:
    """Price and income in two rosettes, and between them when it closes."""
    style, w, h = card.style, card.width, card.height
    grown = _grown(card)
    ring = _RING * grown
    y = h - _COUNTERS - ring
    curves = _curves(company, card)
    lace = curves.rosette("lace", (curves.pattern.small,), _LACE * grown, inks.line)
    items: list[Item] = []
    amounts: tuple[tuple[Text, int | None, float], ...] = (
        (company_words("price"), company.value, _SIDE - 1.1 + ring),
        (company_words("income"), company.income, w - _SIDE + 1.1 - ring),
    )
    for caption, amount, x in amounts:
        if amount is not None:
            items += _counter(title.money(amount), style.words(caption), x, y, (card, inks, lace))
    left, right = _SIDE + 1.0 + 2 * ring, w - _SIDE - 1.0 - 2 * ring
    items += [
        *card.rule((w / 2, y - 4.4), (right - left) / 2, inks.line, 0.14, towards=-1),
        *card.rule((w / 2, y - 4.4), (right - left) / 2, inks.line, 0.14, towards=1),
    ]
    if company.closes and not company.has_charter:
        says = (
            company_words("closes_in_phase")
            if company.closes in title.phase_by_id
            else company_words("closes")
        )
        text = style.words(says, company.closes)
        items += _closes(
            text, card.type("private.closes"), style.ink("text"), (left, right, y + 0.8)
        )
    return tuple(items)


def _emblem(company: Company, card: Card) -> tuple[Item, ...]:
    """The roundel of a company that operates, as its tokens show it."""
    if not company.has_charter:
        return ()
    x, y = card.width / 2, card.height - 11.2
    return (
        Circle(cx=x, cy=y, r=6.6, fill=card.style.ink("paper"), role=Role.ORNAMENT),
        placed_roundel(company, 12.2, card, x, y),
    )


def _closes(
    text: str, type_style: TypeStyle, ink: Ink, room: tuple[float, float, float]
) -> tuple[Item, ...]:
    left, right, y = room
    fitted, lines = balanced(text, type_style, right - left, 2)
    step = 1.15 * fitted.size_mm
    first = y - step * (len(lines) - 1) / 2
    runs = [
        run
        for number, line in enumerate(lines)
        for run in set_centred(line, fitted, ink, (left + right) / 2, first + number * step)
    ]
    return (boxed(runs, left, y - 1.5 * step, right - left, 3 * step),)


def _counter(
    amount: str, caption: str, x: float, y: float, parts: tuple[Card, CompanyInks, Scene]
) -> tuple[Item, ...]:
    """An amount on a disc of the colour in a rosette, its caption beneath the figures."""
    card, inks, lace = parts
    grown = _grown(card)
    solid = _DISC * grown
    type_style = card.type("private.amount")
    figures = lettered(amount, type_style, inks.on_line, solid * 0.92, 3.7 * grown)
    if not figures:
        type_style, amount = one_line(amount, type_style.at(type_style.min_pt), 2 * solid)
        figures = set_centred(amount, type_style, inks.on_line, 0.0, 0.0)
    small = card.type("private.caption")
    small = small.at(max(small.min_pt, card.style.type("private.caption").size_pt * grown))
    return (
        Circle(
            cx=x,
            cy=y,
            r=_RING * grown,
            fill=card.style.ink("paper"),
            stroke=card.stroke(inks.line, 0.2),
            role=Role.ORNAMENT,
        ),
        centred(lace, x, y),
        Circle(cx=x, cy=y, r=solid, fill=inks.line),
        boxed(
            (
                Group(items=figures, matrix=translation(x, y - 0.9 * grown)),
                *set_centred(
                    caption, fit(caption, small, 7.8 * grown), inks.on_line, x, y + 2.7 * grown
                ),
            ),
            x - solid,
            y - solid,
            2 * solid,
            2 * solid,
        ),
    )


def _shown_items(
    title: Title, company: Company, size_mm: float, ink: Ink, style: Style
) -> tuple[Item, ...]:
    """What a card shows, centred on (0, 0), in a square of a size; a hex has its coordinates below
    it, a tile its number. Nothing where the company shows nothing."""
    if company.shows is None:
        return ()
    kind, name = company.shows
    if kind == "picture":
        picture = style.pictures.get(name)
        return () if picture is None else (picture_group(picture, size_mm, ink),)
    tile, layout = _tile(title, kind, name)
    return _with_caption(tile, layout, name, size_mm, style)


def _tile(title: Title, kind: str, name: str) -> tuple[Tile, Layout]:
    """The hex with these coordinates, or the tile with this number, and how its map lies."""
    usual = title.maps[0].layout if title.maps else Layout.FLAT
    if kind == "tile":
        return title.tile_by_id[name].tile, usual
    gamemap = next(gamemap for gamemap in title.maps if name in gamemap.by_id)
    return gamemap.by_id[name].tile, gamemap.layout


def _with_caption(
    tile: Tile, layout: Layout, name: str, size_mm: float, style: Style
) -> tuple[Item, ...]:
    caption = max(size_mm * _CAPTION, MIN_PLAY_PT / PT_PER_MM * 1.1)
    tall = size_mm - caption
    across = tall if layout is Layout.FLAT else tall * _ACROSS
    type_style = style.type("card.body")
    type_style = fit(name, type_style.at(max(MIN_PLAY_PT, caption * PT_PER_MM * 0.8)), size_mm)
    return (
        Group(
            items=thumbnail_items(tile, layout, across, style), matrix=translation(0, -caption / 2)
        ),
        *set_centred(name, type_style, style.ink("text"), 0, size_mm / 2 - caption * 0.4),
    )


def _private_terms(title: Title, company: Company, style: Style) -> tuple[str, ...]:
    """A paragraph with a sentence for each of these that a company has; none where it has none."""
    prices = join_parts(
        [
            *_prices(title, company, style),
            *_incomes(title, company, style),
            *_players(company, style),
        ]
    )
    return (prices,) if prices else ()


def _prices(title: Title, company: Company, style: Style) -> Iterator[str]:
    if company.discount and company.value is not None:
        yield style.words(
            company_words("discounted"), title.money(company.value - company.discount)
        )
    least, most = (
        None if price is None else title.money(price)
        for price in (company.min_price, company.max_price)
    )
    if least is not None and most is not None:
        yield style.words(company_words("price_range"), least, most)
    elif least is not None:
        yield style.words(company_words("price_from"), least)
    elif most is not None:
        yield style.words(company_words("price_up_to"), most)


def _incomes(title: Title, company: Company, style: Style) -> Iterator[str]:
    for step in company.incomes[1:]:
        amount, since = title.money(step.value), step.since or ""
        if since in card_words.table("colour"):
            yield style.words(
                company_words("income_from"), amount, style.words(card_words.table("colour")[since])
            )
        else:
            yield style.words(company_words("income_from_phase"), amount, since)


def _players(company: Company, style: Style) -> Iterator[str]:
    if company.min_players is not None:
        yield style.words(company_words("with_players"), company.min_players)
