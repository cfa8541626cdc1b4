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
from platelayer.model.company import Company, CompanyKind
from platelayer.model.hexes import Layout
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, join_parts
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Point,
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

# Flat to flat of a hex, as a share of its width from corner to corner.
_ACROSS = 0.866
# Room for the name of a hex or tile below it, as a share of the height.
_CAPTION = 0.16

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
# From the top of capitals to the foot of descenders.
_KIND_EMS = 0.92
# Height of letters such as d, in capitals.
_ASCENT = 1.1

# Upper edge of the tinted panel, and how far below it a name begins.
_PANEL, _CLEAR = 13.4, 1.4
# The least room between the letters of a name and of the second one.
_BETWEEN_NAMES = 0.25
# Room for a second name below the first, and its size where it is Japanese, which looks larger.
_SECOND, _SECOND_WIDE = 3.6, 0.84
# Side of a square for the hex, tile or picture of a card, and its distance from the text.
_SHOWN, _SHOWN_GAP = 20.0, 1.5
# Radii of a counter: its disc, the lace round it, and the paper below both.
_DISC, _LACE, _RING = 5.3, 7.4, 7.7
# How far above the lower edge counters begin, and how far roundel and rule reach.
_COUNTERS, _EMBLEM, _RULE = 4.5, 17.8, 16.8


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
        if company.value is not None or company.income is not None:
            foot = _COUNTERS + 2 * _RING * _grown(card)
        else:
            foot = _EMBLEM if company.has_charter else _RULE
        middle, top = self.middle - second * 0.25, self.top + second * 0.9
        room = self._replace(middle=middle, top=top, foot=self.foot + foot)
        return room._replace(top=max(top, _foot_of_names(company, card, room) + self.below))


# A name gives up air, and then size.
_ROOMS = (
    _Room(name=1.0, middle=18.8, top=23.6, below=2.2, foot=0.9),
    _Room(name=0.72, middle=17.0, top=20.0, below=1.8, foot=0.5),
    _Room(name=0.62, middle=16.4, top=18.4, below=1.2, foot=0.5),
)


def _head(card: Card) -> float:
    """Height of the band at the head: larger on a small card, where the safe zone takes more of
    it."""
    return 7.4 + min(1.8, max(0.0, card.safe - SAFE_MM))


def _grown(card: Card) -> float:
    """Scale by which the counters of a small card are enlarged, so that they can be read."""
    return min(1.2, max(1.0, 0.92 / card.unit_mm))


def draw_private(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The card of a private company, a concession, or a company that one certificate owns whole; or
    its back where it is turned over in play: name and income, and what holds from then on. Raises
    KeyError, and DoesNotFit where abilities and terms are too long."""
    company, key = company_of(title, title.private(piece_id).ref), f"private:{piece_id}"
    card = _card_of(title, company, style)
    # A name has one size on the front and on a back read in play.
    settings = [
        _common_setting(title, side, card, back=behind)
        for side, behind in _sides(company)
        if _texts(title, side, style)
    ]
    number = max((each.box for each in settings if each is not None), default=0)
    if back:
        company, key = _turned(company), f"{key}:back"
    inks, room = company_inks(company, style), _ROOMS[number].on(company, card)
    text = _card_text(title, company, card)
    abilities: tuple[Item, ...] = ()
    if text.texts:
        setting = _common_setting(title, company, card, back=back)
        fitted = set_paragraphs(text, setting._replace(box=number)) if setting is not None else None
        if fitted is None:
            size = f"{card.width * card.unit_mm:.0f} x {card.height * card.unit_mm:.0f} mm"
            message = f"private: what it may do does not fit a card of {size}"
            raise DoesNotFit(message, "give private a larger size")
        abilities = paragraph_items(fitted, style.ink("text"), _LEFT, diamonds=inks.line)
    items = (
        *_ground(company, card, inks),
        *_heading(company, card, inks, room),
        *abilities,
        *_shown(title, company, card, inks, room, aside=bool(abilities)),
        *_amounts(title, company, card, inks),
    )
    if company.has_charter:
        # The roundel of a company that operates, as its tokens show it.
        x, y = card.width / 2, card.height - 11.2
        disc = Circle(cx=x, cy=y, r=6.6, fill=style.ink("paper"), role=Role.ORNAMENT)
        items = (*items, disc, placed_roundel(company, 12.2, card, x, y))
    return card.scene(key, style.words(company.name), items)


def private_setting(
    title: Title, piece_id: str, style: Style
) -> tuple[list[tuple[Setting | None, bool]], bool]:
    """For the front and for a back that is read in play: the setting of the cards like this one,
    and whether all cards are set as Japanese there; and whether this one has room. Raises
    KeyError."""
    company = title.private(piece_id)
    card = _card_of(title, company, style)
    settings: list[tuple[Setting | None, bool]] = []
    fits = True
    for side, back in _sides(company):
        setting = _common_setting(title, side, card, back=back)
        settings.append((setting, _is_wide(title, style, back=back)))
        text = _card_text(title, side, card)
        if text.texts:
            fits &= setting is not None and set_paragraphs(text, setting) is not None
    return settings, fits


def _card_of(title: Title, company: Company, style: Style) -> Card:
    size = piece_size(title, "private", company.id, company.size)
    return design_card(size, style, design=_DESIGN, safe_mm=SAFE_MM)


def _sides(company: Company) -> list[tuple[Company, bool]]:
    """The company as the front shows it, and as a back that is read in play does; (company,
    whether it is the back)."""
    return [(company, False), *([(_turned(company), True)] if company.used is not None else [])]


def _turned(company: Company) -> Company:
    """A company as the back of its card shows it."""
    return replace(
        company,
        abilities=(company.used,) if company.used is not None else (),
        value=None,
        min_price=None,
        max_price=None,
        min_players=None,
        shows=None,
    )


def _common_setting(title: Title, company: Company, card: Card, *, back: bool) -> Setting | None:
    """The setting of the cards of one size: of all that have no size of their own, as these stand
    alone, and so do words in fine print."""

    def has_own_size(company: Company) -> bool:
        own = f"private:{company.id}"
        return any(size.kind == own for size in title.pieces.sizes_of("private"))

    is_wide = _is_wide(title, card.style, back=back)
    if card.type("private.body").fine or has_own_size(company):
        text = _card_text(title, company, card)
        return common_setting([text] if text.texts else [], is_wide=is_wide)
    if (card, back) not in title.kept:
        texts = [
            _card_text(title, other, card)
            for other in _all_of(title, back=back)
            if not has_own_size(other) and _card_of(title, other, card.style) == card
        ]
        shown = [text for text in texts if text.texts]
        title.kept[card, back] = common_setting(shown, is_wide=is_wide)
    setting: Setting | None = title.kept[card, back]
    return setting


def _all_of(title: Title, *, back: bool) -> list[Company]:
    """The companies of all cards, as their fronts or those of their backs that are read in play
    show them."""
    companies = [
        company for company in title.companies if company.owned_whole or not company.has_charter
    ]
    return [side for company in companies for side, behind in _sides(company) if behind == back]


def _is_wide(title: Title, style: Style, *, back: bool) -> bool:
    """True if any card says something Japanese."""
    key = ("privates", style, back)
    if key not in title.kept:
        companies = _all_of(title, back=back)
        texts = (text for company in companies for text in _texts(title, company, style))
        title.kept[key] = any(map(holds_wide, texts))
    is_wide: bool = title.kept[key]
    return is_wide


def _card_text(title: Title, company: Company, card: Card) -> CardText:
    """Abilities and terms of a company, and the boxes that they may stand in."""
    texts = _texts(title, company, card.style)
    # A hex, tile or picture stands at the right of the text.
    taken = _SHOWN + _SHOWN_GAP if company.shows is not None else 0.0
    width = card.width - taken - _LEFT - _RIGHT
    rooms = (room.on(company, card) for room in _ROOMS) if texts else ()
    boxes = (TextBox(room.top, width, card.height - room.foot - room.top) for room in rooms)
    return CardText(texts, card.type("private.body"), tuple(boxes))


def _texts(title: Title, company: Company, style: Style) -> tuple[str, ...]:
    """Abilities of a company, and a paragraph with a sentence for each of its terms."""
    terms = join_parts([*_terms(title, company, style)])
    abilities = tuple(map(style.words, company.abilities))
    return (*abilities, terms) if terms else abilities


def _terms(title: Title, company: Company, style: Style) -> Iterator[str]:
    if company.discount and company.value is not None:
        price = title.money(company.value - company.discount)
        yield style.words(company_words("discounted"), price)
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
    colours = card_words.table("colour")
    for step in company.incomes[1:]:
        amount, since = title.money(step.value), step.since or ""
        if since in colours:
            yield style.words(company_words("income_from"), amount, style.words(colours[since]))
        else:
            yield style.words(company_words("income_from_phase"), amount, since)
    if company.min_players is not None:
        yield style.words(company_words("with_players"), company.min_players)


def _curves(company: Company, card: Card) -> Engraved:
    pattern = pattern_of(company.id, card.style.motif)
    return Engraved(card=card, pattern=pattern, stem=f"private:{company.id}:{card.unit_mm:.12g}")


def _ground(company: Company, card: Card, inks: CompanyInks) -> tuple[Item, ...]:
    """Tinted paper between a band of the colour above and a braid below it."""
    w, b, style = card.width, card.bleed, card.style
    wide = w + 2 * b
    curves = _curves(company, card)
    strip = curves.braid("across", wide, _BAND * 0.42, style.ink("paper"))
    veil = curves.underprint("veil", (curves.pattern.petals,), 18.5, inks.veil)
    gold, head = style.ink("certificate.gold"), _head(card)
    panel = rectangle_path(3.0, _PANEL, w - 6.0, card.height - _PANEL - 3.0, 1.6)
    edge = rectangle_path(-b, head - 0.25, wide, 0.5)
    return (
        card.ground(style.ink("paper")),
        Path(commands=panel, fill=inks.tint, stroke=card.stroke(inks.line, 0.2)),
        centred(veil, w / 2, (card.height + 10) / 2),
        Path(commands=rectangle_path(-b, -b, wide, head + b), fill=inks.band),
        Path(commands=rectangle_path(-b, head, wide, _BAND * 0.92), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, head + _BAND * 0.04)),
        Path(commands=edge, fill=gold, role=Role.ORNAMENT),
    )


def _heading(company: Company, card: Card, inks: CompanyInks, room: _Room) -> tuple[Item, ...]:
    """Its class and its short name in the band; its name below."""
    style, width, head = card.style, card.width - 2 * _SIDE, _head(card)
    short, least = company.token_text, card.safe + 0.1
    # Between the safe zone and the gold line there is little room on a small card: descenders stay
    # in it.
    room_in_band = head - 0.45 - least
    chip = card.type("private.chip")
    low, rise = ink_height(short, chip)
    most = room_in_band / (rise - min(0.0, low))
    chip = chip.at(max(chip.min_pt, chip.size_pt * min(1.0, most)))
    low, rise = ink_height(short, chip)
    wide = text_width(short, chip)
    kind = style.words(company.class_name or _KINDS.get(company.kind, company_words("private")))
    italic = card.type("private.kind")
    letters = rise_mm(kind, italic) - italic.cap_height_mm + _KIND_EMS * italic.size_mm
    lowest, highest = ink_height(kind, italic)
    shrunk = italic.size_pt * room_in_band / max(letters, highest - min(0.0, lowest))
    italic = italic.at(min(italic.size_pt, max(MIN_PLAY_PT / card.unit_mm, shrunk)))
    sort, kind = one_line(kind, italic, width - wide - 4)
    base = max(6.0, least + max(_ASCENT * sort.cap_height_mm, ink_height(kind, sort)[1]))
    chip_base = max(least + rise, min(6.0, head - 0.5 + min(0.0, low)))
    in_band = (
        *set_line(kind, sort, inks.on_band, _SIDE, base),
        *set_line(short, chip, inks.on_band, card.width - _SIDE - wide, chip_base),
    )
    names: list[Item] = []
    for line, type_style, middle in _names(company, card, room):
        names += set_centred(line, type_style, style.ink("text"), card.width / 2, middle)
    return (
        boxed(in_band, _SIDE, 0.0, width, head),
        boxed(names, _SIDE, _PANEL, width, card.height - _PANEL),
    )


def _names(company: Company, card: Card, room: _Room) -> Iterator[tuple[str, TypeStyle, float]]:
    """Lines of its name, and its name in another language, small: each with its type and its
    middle."""
    style, wide = card.style, card.width - 2 * _SIDE
    own = card.type("private.name")
    largest = own.at(max(own.min_pt, own.size_pt * room.name))
    several = 0.72 if company.second_name is None else 0.64
    name, lines = balanced(style.words(company.name), largest, wide, 2, several=several, clip=True)
    name = stepped(name, own)
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
    """Foot of the names that end beyond a distance from the left, as if each had a descender:
    texts begin on one level."""
    lowest = 0.0
    for line, type_style, middle in _names(company, card, room):
        if (card.width + text_width(line, type_style)) / 2 > beyond:
            deep = line + ("日" if holds_wide(line) else "g")
            low = ink_height(deep, type_style.beside(line))[0]
            lowest = max(lowest, middle + type_style.cap_height_mm / 2 - low)
    return lowest


def _shown(
    title: Title, company: Company, card: Card, inks: CompanyInks, room: _Room, *, aside: bool
) -> tuple[Item, ...]:
    """A hex, a tile or a picture at the right of the abilities; without them, in the middle. A hex
    has its coordinates below it, a tile its number."""
    if company.shows is None:
        return ()
    style = card.style
    x = card.width - _SIDE - _SHOWN / 2 if aside else card.width / 2
    rise = _SHOWN_GAP * (1 if aside else -1 if company.second_name is not None else 0)
    # It keeps clear of the names above it.
    foot = _foot_of_names(company, card, room, beyond=x - _SHOWN / 2)
    top, bottom = max(room.top - rise, foot + _CLEAR), card.height - room.foot
    size_mm = min(_SHOWN, bottom - top) * card.unit_mm
    kind, name = company.shows
    items: tuple[Item, ...]
    if kind == "picture":
        if name not in style.pictures:
            return ()
        items = (picture_group(style.pictures[name], size_mm, inks.line),)
    else:
        if kind == "tile":
            tile = title.tile_by_id[name].tile
            layout = title.maps[0].layout if title.maps else Layout.FLAT
        else:
            gamemap = next(gamemap for gamemap in title.maps if name in gamemap.by_id)
            tile, layout = gamemap.by_id[name].tile, gamemap.layout
        caption = max(size_mm * _CAPTION, MIN_PLAY_PT / PT_PER_MM * 1.1)
        tall = size_mm - caption
        across = tall if layout is Layout.FLAT else tall * _ACROSS
        hexagon = thumbnail_items(tile, layout, across, style)
        type_style = style.type("card.body").at(max(MIN_PLAY_PT, caption * PT_PER_MM * 0.8))
        type_style, base = fit(name, type_style, size_mm), size_mm / 2 - caption * 0.4
        items = (
            Group(items=hexagon, matrix=translation(0, -caption / 2)),
            *set_centred(name, type_style, style.ink("text"), 0, base),
        )
    matrix = multiply(translation(x, (top + bottom) / 2), scaling(1 / card.unit_mm))
    return (Group(items=items, matrix=matrix),)


def _amounts(title: Title, company: Company, card: Card, inks: CompanyInks) -> tuple[Item, ...]:
    """Price and income in two rosettes, and between them when it closes."""
    style, w, h = card.style, card.width, card.height
    grown = _grown(card)
    ring = _RING * grown
    y = h - _COUNTERS - ring
    curves = _curves(company, card)
    lace = curves.rosette("lace", (curves.pattern.small,), _LACE * grown, inks.line)
    items: list[Item] = []
    for caption, amount, x in (
        ("price", company.value, _SIDE - 1.1 + ring),
        ("income", company.income, w - _SIDE + 1.1 - ring),
    ):
        if amount is not None:
            words = style.words(company_words(caption))
            items += _counter(title.money(amount), words, (x, y), card, inks, lace=lace)
    left, right = _SIDE + 1.0 + 2 * ring, w - _SIDE - 1.0 - 2 * ring
    half = (right - left) / 2
    for towards in (-1, 1):
        items += card.rule((w / 2, y - 4.4), half, inks.line, 0.14, towards=towards)
    if company.closes and not company.has_charter:
        in_phase = company.closes in title.phase_by_id
        closes = company_words("closes_in_phase" if in_phase else "closes")
        text, middle = style.words(closes, company.closes), y + 0.8
        fitted, lines = balanced(text, card.type("private.closes"), right - left, 2)
        step = 1.15 * fitted.size_mm
        base = middle - step * (len(lines) - 1) / 2
        runs: list[Item] = []
        for number, line in enumerate(lines):
            level = base + number * step
            runs += set_centred(line, fitted, style.ink("text"), (left + right) / 2, level)
        items.append(boxed(runs, left, middle - 1.5 * step, right - left, 3 * step))
    return tuple(items)


def _counter(
    amount: str, caption: str, middle: Point, card: Card, inks: CompanyInks, *, lace: Scene
) -> tuple[Item, ...]:
    """An amount on a disc of the colour in a rosette, its caption beneath the figures."""
    x, y = middle
    grown, ink = _grown(card), inks.on_line
    solid = _DISC * grown
    type_style = card.type("private.amount")
    figures = lettered(amount, type_style, ink, solid * 0.92, 3.7 * grown)
    if not figures:
        type_style, amount = one_line(amount, type_style.at(type_style.min_pt), 2 * solid)
        figures = set_centred(amount, type_style, ink, 0.0, 0.0)
    small = card.type("private.caption")
    small = small.at(max(small.min_pt, card.style.type("private.caption").size_pt * grown))
    small = fit(caption, small, 7.8 * grown)
    words: tuple[Item, ...] = (
        Group(items=figures, matrix=translation(x, y - 0.9 * grown)),
        *set_centred(caption, small, ink, x, y + 2.7 * grown),
    )
    paper, edge = card.style.ink("paper"), card.stroke(inks.line, 0.2)
    return (
        Circle(cx=x, cy=y, r=_RING * grown, fill=paper, stroke=edge, role=Role.ORNAMENT),
        centred(lace, x, y),
        Circle(cx=x, cy=y, r=solid, fill=inks.line),
        boxed(words, x - solid, y - solid, 2 * solid, 2 * solid),
    )
