"""Cards of companies: private companies and concessions with their price, income, abilities and
closing; and share certificates."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.company.roundel import (
    CompanyCard,
    company_inks,
    company_of,
    company_words,
    lettered,
)
from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.icons import picture_group, picture_items
from platelayer.drawing.kit.layout import Block, Box, disc, in_row, line_path, text_block
from platelayer.drawing.kit.lettering import (
    INDENT,
    CardText,
    Setting,
    TextBox,
    balanced,
    clear_step,
    common_setting,
    ink_height,
    line_step,
    one_line,
    paragraph_items,
    scale,
    set_on_arc,
    set_paragraphs,
    sizes_down,
    stepped,
)
from platelayer.drawing.kit.ornament import (
    banner,
    beads,
    centred,
    pattern_of,
    run_items,
    seal,
    signature_path,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import LINE_MM, design_card
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.geometry import PT_PER_MM
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Certificate, Company, CompanyKind
from platelayer.model.gamemap import Layout
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, join_parts
from platelayer.scene.fonts import face
from platelayer.scene.inks import Ink, contrast, mix
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Use,
    multiply,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_centred, set_line, text_width

card_words = FixedWords("cards")

# Width of a hex from flat to flat, as a share of its width from corner to corner.
_ACROSS = 0.866
# Room for the name of a hex or tile below it, as a share of the height.
_CAPTION = 0.16

SAFE_MM = 3.2
_SIDE = 6.5
_LEFT, _RIGHT = _SIDE - 0.4 + INDENT, 5.2
_KINDS = {
    CompanyKind.PRIVATE: company_words("private"),
    CompanyKind.CONCESSION: company_words("concession"),
    CompanyKind.MINOR: company_words("minor"),
}
# Upper edge of the tinted panel, and how far below it a name begins.
_PANEL, _CLEAR = 13.4, 1.4
# Room for a second name below the first.
_SECOND = 3.6
# Side of a square for the hex, tile or picture of a card, and its distance from the text.
_SHOWN, _SHOWN_GAP = 20, 1.5
# How far above the lower edge words beside a seal end.
_BESIDE_FOOT = 5.0
# Share of cards that must fit larger type for the others to get a setting of their own.
_MOST_CARDS = 0.8
# Radius of a counter, and how far above the lower edge counters begin.
_RING, _COUNTERS = 7.7, 4.5


class _Room(NamedTuple):
    """Vertical layout of a card, in design units: scale of the name (1: as in the theme) and its
    middle; where abilities begin, and their minimum distance below the name; and how far above
    the parts at the foot they end."""

    name: float
    middle: float
    top: float
    below: float
    foot: float

    def on(self, private: _Private) -> _Room:
        """Return the room on one card, between its names and its counters, roundel or rule."""
        company, second = private.company, _SECOND if private.company.second_name else 0
        if company.value or company.income:
            foot = _COUNTERS + 2 * _RING * private.grown
        else:
            foot = 17.8 if company.has_charter else 16.8
        middle, top = self.middle - second * 0.25, self.top + second * 0.9
        room = self._replace(middle=middle, top=top, foot=self.foot + foot)
        return room._replace(top=max(top, _foot_of_names(private, room) + self.below))


# To leave more room, a name first moves up, then becomes smaller.
_ROOMS = (
    _Room(name=1, middle=18.8, top=23.6, below=2.2, foot=0.9),
    _Room(name=0.72, middle=17, top=20, below=2.2, foot=0.9),
    _Room(name=0.62, middle=16.0, top=18.2, below=1.6, foot=0.5),
)


class _Private(CompanyCard, frozen=True, kw_only=True):
    """A side of a card: the front, or a back that is read in play. With `beside`, its words stand
    beside the seal of its income, down to the foot of the panel, in type no larger than this."""

    back: bool
    beside: TypeStyle | None = None

    @property
    def head(self) -> float:
        """Height of the band at the head, larger on a small card because the safe zone takes up
        more of it."""
        return 7.4 + min(1.8, max(0, self.card.safe - SAFE_MM))

    @property
    def grown(self) -> float:
        """Scale that enlarges the counters of a small card enough to be read."""
        return min(1.2, max(1, 0.92 / self.card.unit_mm))

    @property
    def has_own_size(self) -> bool:
        """True if the title gives a size for this card alone."""
        own = f"private:{self.company.id}"
        return any(size.kind == own for size in self.title.pieces.sizes_of("private"))

    @property
    def texts(self) -> tuple[str, ...]:
        """Abilities of a company, and a paragraph with a sentence for each of its terms."""
        terms = join_parts([*_terms(self)])
        abilities = tuple(map(self.style.words, self.company.abilities))
        return (*abilities, terms) if terms else abilities

    @property
    def text(self) -> CardText:
        """Abilities and terms, with the boxes that may hold them."""
        texts, body = self.texts, self.type("private.body")
        # A hex, tile or picture stands at the right of the text.
        taken = _SHOWN + _SHOWN_GAP if self.company.shows is not None else 0
        width, foot = self.card.width - taken - _LEFT - _RIGHT, 0.0
        if self.beside is not None:
            seal = 2 * _RING * self.grown
            width, foot = width - seal - _SHOWN_GAP, _COUNTERS + seal - _BESIDE_FOOT
        rooms = (room.on(self) for room in _ROOMS) if texts else ()
        boxes = (
            TextBox(room.top, width, self.card.height - room.foot + foot - room.top)
            for room in rooms
        )
        alone = self.beside is not None or body.fine or self.has_own_size
        sizes = sizes_down(self.beside or body) if alone else scale(body)
        return CardText(texts, sizes, tuple(boxes))

    @property
    def sides(self) -> list[_Private]:
        """The front and, if the back is read in play, the back: name, income, and what applies
        after the card is turned."""
        company = self.company
        if company.used is None:
            return [self]
        turned = replace(
            company,
            abilities=(company.used,),
            value=None,
            min_price=None,
            max_price=None,
            min_players=None,
            shows=None,
        )
        return [self, replace(self, company=turned, back=True)]


def draw_private(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the card of a private company, of a concession, or of a company with a single 100 %
    certificate; or its back if it is turned over in play. Raises KeyError, and DoesNotFit if
    abilities and terms are too long."""
    sides = _private_of(title, company_of(title, title.private(piece_id).ref), style).sides
    # A name has one size on the front and on a back read in play.
    settings = [_common_setting(side)[1] for side in sides if side.texts]
    number = max((each.box for each in settings if each is not None), default=0)
    private, setting = _common_setting(sides[back])
    key = f"private:{piece_id}:back" if back else f"private:{piece_id}"
    card, room, text = private.card, _ROOMS[number].on(private), private.text
    abilities: Items = ()
    if text.texts:
        fitted = set_paragraphs(text, setting._replace(box=number)) if setting is not None else None
        if fitted is None:
            size = f"{card.width * card.unit_mm:.0f} x {card.height * card.unit_mm:.0f} mm"
            message = f"private: what it may do does not fit a card of {size}"
            raise DoesNotFit(message, "give private a larger size")
        ink = private.ink("text")
        abilities = paragraph_items(fitted, ink, _LEFT, diamonds=private.inks.line)
    items = (
        *_ground(private),
        *_heading(private, room),
        *abilities,
        *_shown(private, room, aside=bool(abilities)),
        *_amounts(private),
    )
    if private.company.has_charter:
        # A company that operates has its roundel on the card, as on its tokens.
        items = (*items, *private.emblem(12.2, card.width / 2, card.height - 11.2))
    return card.scene(key, private.name, items)


def private_setting(
    title: Title, piece_id: str, style: Style
) -> tuple[list[tuple[Setting | None, bool]], bool]:
    """Return, for the front and for a back that is read in play, the setting shared by cards like
    this one and whether all cards are set as Japanese; and whether the texts of this card fit.
    Raises KeyError."""
    settings = []
    fits = True
    for side in _private_of(title, title.private(piece_id), style).sides:
        fitted, setting = _common_setting(side)
        settings.append((setting, _is_wide(side)))
        text = fitted.text
        if text.texts:
            fits &= setting is not None and set_paragraphs(text, setting) is not None
    return settings, fits


def _private_of(title: Title, company: Company, style: Style) -> _Private:
    size = piece_size(title, "private", company.id, company.size)
    card = design_card(size, style, design=(88, 63), safe_mm=SAFE_MM)
    return _Private(
        card=card,
        title=title,
        company=company,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"private:{company.id}:{card.unit_mm:.12g}",
        back=False,
    )


def _common_setting(private: _Private) -> tuple[_Private, Setting | None]:
    """Return a side and the setting shared by the cards of its size. Cards with a size of their
    own, and fine print, get a setting of their own; so does a card with too many words for type
    that suits most others."""
    title, key, is_wide = private.title, (private.card, private.back), _is_wide(private)
    body = private.type("private.body")
    if body.fine or private.has_own_size:
        return _own_setting(private, body, is_wide=is_wide)
    if key not in title.kept:
        texts = [
            side.text
            for side in _like(private)
            if side.card == private.card and side.texts and not side.has_own_size
        ]
        common = common_setting(texts, is_wide=is_wide)
        larger = None
        if common is not None and common.size == len(scale(body)) - 1:
            # A few cards with many words must not make the type of all others small.
            own = ((text, common_setting([text], is_wide=is_wide)) for text in texts)
            able = [text for text, each in own if each is not None and each.size < common.size]
            if len(able) > _MOST_CARDS * len(texts):
                larger = common_setting(able, is_wide=is_wide)
        title.kept[key] = common, larger
    settings: tuple[Setting | None, Setting | None] = title.kept[key]
    common, larger = settings
    if larger is None or not private.texts:
        return private, common
    if set_paragraphs(private.text, larger):
        return private, larger
    return _own_setting(private, scale(body)[larger.size], is_wide=is_wide)


def _own_setting(
    private: _Private, most: TypeStyle, *, is_wide: bool
) -> tuple[_Private, Setting | None]:
    """Return a side and its own setting, with the words beside its seal if they can be larger there
    than above it."""
    company, sides = private.company, [private] if private.texts else []
    if company.income and not company.value and company.shows is None:
        sides += [replace(side, beside=most) for side in sides]
    own = [(side, side.text, common_setting([side.text], is_wide=is_wide)) for side in sides]
    fitting = [
        (text.sizes[setting.size].size_pt, side, setting)
        for side, text, setting in own
        if setting is not None
    ]
    return max(fitting, key=itemgetter(0), default=(0, private, None))[1:]


def _like(private: _Private) -> list[_Private]:
    """Return the fronts of all cards or, for a back, all backs that are read in play."""
    title = private.title
    fronts = [
        _private_of(title, company, private.style)
        for company in title.companies
        if company.owned_whole or not company.has_charter
    ]
    return [side for front in fronts for side in front.sides if side.back == private.back]


def _is_wide(private: _Private) -> bool:
    """Return True if any card has Japanese text on this side."""
    kept, key = private.title.kept, ("privates", private.style, private.back)
    if key not in kept:
        kept[key] = any(holds_wide(text) for side in _like(private) for text in side.texts)
    is_wide: bool = kept[key]
    return is_wide


def _terms(private: _Private) -> Iterator[str]:
    company, title = private.company, private.title
    if company.discount and company.value is not None:
        yield private.words("discounted", title.money(company.value - company.discount))
    least, most = (
        None if price is None else title.money(price)
        for price in (company.min_price, company.max_price)
    )
    if least is not None and most is not None:
        yield private.words("price_range", least, most)
    elif least is not None:
        yield private.words("price_from", least)
    elif most is not None:
        yield private.words("price_up_to", most)
    colours = card_words.table("colour")
    for step in company.incomes[1:]:
        amount, since = title.money(step.value), step.since or ""
        if since in colours:
            yield private.words("income_from", amount, private.style.words(colours[since]))
        else:
            yield private.words("income_from_phase", amount, since)
    if company.min_players is not None:
        yield private.words("with_players", company.min_players)
    yield from private.terms


def _ground(private: _Private) -> Items:
    """Draw tinted paper, above it a band in the company's colour and, below the band, a braid."""
    card, inks = private.card, private.inks
    band, strip, _ = card.sheet.rows(card.bleed + private.head, 3.86, 0)
    panel = card.box.rows(_PANEL, 0, 3)[1].inset(3, 0)
    veil = private.underprint("veil", (private.pattern.petals,), 18.5, inks.veil)
    return (
        card.ground(private.ink("paper")),
        panel.plate(inks.tint, private.line(0.2), radius=1.6),
        centred(veil, card.width / 2, card.height / 2 + 5),
        band.plate(inks.band),
        *private.braided(strip),
    )


def _heading(private: _Private, room: _Room) -> Items:
    """Draw the company's class and short name in the band, and its name below."""
    card, company, short = private.card, private.company, private.company.token_text
    ink, text = private.inks.on_band, private.ink("text")
    head, body = card.box.inset(_SIDE, 0), card.box.rows(_PANEL, 0)[1].inset(_SIDE, 0)
    kind = private.style.words(
        company.class_name or _KINDS.get(company.kind, company_words("private"))
    )
    chip, chip_base = _in_band(private, short, private.type("private.chip"))
    # Kinds have the same size on all cards, whatever their letters.
    italic = private.type("private.kind")
    reach = rise_mm(kind, italic) - italic.cap_height_mm + 0.92 * italic.size_mm
    italic, base = _in_band(private, kind, italic, reach)
    italic, kind = one_line(kind, italic, head.width - text_width(short, chip) - 4)
    names: list[Item] = []
    for line, type_style, middle in _names(private, room):
        names += set_centred(line, type_style, text, card.width / 2, middle)
    in_band = (
        *set_line(kind, italic, ink, head.x, base),
        *set_line(short, chip, ink, head.right, chip_base, anchor=Anchor.END),
    )
    return head.rows(private.head, 0)[0].boxed(in_band), body.boxed(names)


def _in_band(
    private: _Private, words: str, type_style: TypeStyle, reach: float = 0
) -> tuple[TypeStyle, float]:
    """Return the type and baseline of words in the band. All their ink, or letters that span
    `reach` from the highest to the lowest, must fit between the safe zone and the line of gold,
    which are close together on a small card."""
    least, most = private.card.safe + 0.1, private.head - 0.45
    low, high = ink_height(words, type_style)
    share = min(1, (most - least) / max(reach, high - min(0, low)))
    smallest = min(type_style.size_pt, MIN_PLAY_PT / private.card.unit_mm)
    fitted = type_style.at(max(smallest, type_style.size_pt * share))
    return fitted, max(least + high * share, min(6, most + min(0, low) * share))


def _names(private: _Private, room: _Room) -> Iterator[tuple[str, TypeStyle, float]]:
    """Yield the lines of the company's name and its second name, in small type: each line with its
    type and its middle."""
    company, wide = private.company, private.card.width - 2 * _SIDE
    own = private.type("private.name")
    largest = own.by(room.name)
    several = 0.86 if company.second_name is None else 0.64
    name, lines = balanced(private.name, largest, wide, 2, several=several, clip=True)
    name = stepped(name, own)
    leading = line_step(lines, name, 1.02)
    deep = leading * (len(lines) - 1)
    # Of two lines, the upper one may not touch the edge of the panel.
    above = rise_mm(lines[0], name) - name.cap_height_mm / 2
    first = max(room.middle - deep / 2, _PANEL + _CLEAR + above)
    if company.second_name is not None:
        words, second = private.style.words(company.second_name), private.type("private.second")
        # Japanese looks larger.
        if holds_wide(words):
            second = second.by(0.84)
        second, text = one_line(words, second, wide)
        middles = (name.cap_height_mm - second.cap_height_mm) / 2
        below = max(name.size_mm * 0.38 + 2.8, clear_step(lines[-1], name, text, second) + middles)
        yield text, second, first + deep + below
    for number, line in enumerate(lines):
        yield line, name, first + number * leading


def _foot_of_names(private: _Private, room: _Room, beyond: float = 0) -> float:
    """Return the foot of the names that end farther from the left than `beyond`, as if each had a
    descender, so that texts begin on one level."""
    lowest = 0.0
    for line, type_style, middle in _names(private, room):
        if (private.card.width + text_width(line, type_style)) / 2 > beyond:
            deep = line + ("日" if holds_wide(line) else "g")
            low = ink_height(deep, type_style.beside(line))[0]
            lowest = max(lowest, middle + type_style.cap_height_mm / 2 - low)
    return lowest


def _shown(private: _Private, room: _Room, *, aside: bool) -> Items:
    """Draw a hex with its coordinates below it, a tile with its number, or a picture: at the right
    of the abilities, or in the middle if there are none."""
    company, card, style, title = private.company, private.card, private.style, private.title
    if company.shows is None:
        return ()
    x = card.width - _SIDE - _SHOWN / 2 if aside else card.width / 2
    rise = _SHOWN_GAP * (1 if aside else -1 if company.second_name is not None else 0)
    # Keep what is shown clear of the names above.
    foot = _foot_of_names(private, room, beyond=x - _SHOWN / 2)
    top, bottom = max(room.top - rise, foot + _CLEAR), card.height - room.foot
    size_mm = min(_SHOWN, bottom - top) * card.unit_mm
    kind, name = company.shows
    items: Items
    if kind == "picture":
        if name in style.pictures:
            items = (picture_group(style.pictures[name], size_mm, private.inks.line),)
        else:
            items = picture_items(name, size_mm, private.inks.line, style)
    else:
        if kind == "tile":
            tile = title.tile_by_id[name].tile
            layout = title.layout
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
            Group(hexagon, matrix=translation(0, -caption / 2)),
            *set_centred(name, type_style, style.ink("text"), 0, base),
        )
    matrix = multiply(translation(x, (top + bottom) / 2), scaling(1 / card.unit_mm))
    return (Group(items, matrix=matrix),)


def _amounts(private: _Private) -> Items:
    """Draw the price and the income in two rosettes, with the closing condition between them."""
    company, card, title = private.company, private.card, private.title
    side = 2 * _RING * private.grown
    foot = card.box.inset(_SIDE - 1.1, _COUNTERS).within(
        card.width - 2 * _SIDE + 2.2, side, level=1
    )
    price, middle, income = foot.columns(side, 0, side, gap=2.1)
    items: list[Item] = []
    for caption, amount, box in (
        ("price", company.value, price),
        ("income", company.income, income),
    ):
        if amount:  # a seal with nought says nothing
            items += _counter(private, box, title.money(amount), private.words(caption))
    x, y = middle.middle
    if private.beside is None:
        items += private.rules(x, y - 4.4, middle.width / 2, private.inks.line, 0.14)
    if company.closes and not company.has_charter:
        in_phase = company.closes in title.phase_by_id
        text = private.words("closes_in_phase" if in_phase else "closes", company.closes)
        fitted, lines = balanced(text, private.type("private.closes"), middle.width, 2)
        closes = text_block(lines, fitted, private.ink("text"), leading=1.15)
        items.append(middle.rows(1.6, 0)[1].centred(closes))
    return tuple(items)


def _counter(private: _Private, box: Box, amount: str, caption: str) -> Items:
    """Draw an amount and its caption on a disc in the company's colour, in a rosette."""
    (x, y), inks, grown = box.middle, private.inks, private.grown
    solid = box.inset((_RING - 5.3) * grown)
    lace = private.rosette("lace", (private.pattern.small,), 7.4 * grown, inks.line)
    type_style = private.type("private.amount")
    figures = lettered(amount, type_style, inks.on_line, solid.width * 0.46, 3.7 * grown)
    if not figures:
        type_style, amount = one_line(amount, type_style.at(type_style.min_pt), solid.width)
        figures = set_centred(amount, type_style, inks.on_line, 0, 0)
    small = private.type("private.caption")
    small = small.at(max(small.min_pt, private.style.type("private.caption").size_pt * grown))
    small = fit(caption, small, 7.8 * grown)
    words: Items = (
        Group(figures, matrix=translation(x, y - 0.9 * grown)),
        *set_centred(caption, small, inks.on_line, x, y + 2.7 * grown),
    )
    return private.counter(solid, lace, box.width / 2, words)


# Share certificates.


# Distance from the trim to the braids along the four sides, and the braids' width.
_RIM, _BAND = 3, 4.4
# Radius of the counters in the corners.
_CORNER = 5.4
# Size of the per cent sign relative to its figures, and its distance from them in ems.
_SIGN, _SIGN_GAP = 0.56, 0.03
# Radius of the arcs on which names stand, and of a ribbon that looks straight.
_ARC, _STRAIGHT = 190, 100_000


class _Share(CompanyCard, frozen=True, kw_only=True):
    """A certificate on its card; certificates of one company and size share their curves."""

    certificate: Certificate

    @property
    def braids(self) -> Box:
        """The outer edge of the braids."""
        return self.card.box.inset(_RIM)

    @property
    def panel(self) -> Box:
        """The paper inside the braids."""
        return self.braids.inset(_BAND + 0.5)


def draw_certificate(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the certificate `<company>-director` or `<company>-<percent>` of a title. Raises
    KeyError if there is none."""
    company_id, _, grade = piece_id.rpartition("-")
    company = company_of(title, company_id)
    certificate = {each.grade: each for each in reversed(company.certificates)}[grade]
    size = piece_size(title, "certificate", piece_id, company.size)
    card = design_card(size, style, design=(88, 63), safe_mm=SAFE_MM)
    share = _Share(
        card=card,
        title=title,
        company=company,
        certificate=certificate,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"certificate:{company.id}:{card.width:.12g}x{card.height:.12g}@{card.unit_mm:.12g}",
    )
    words = share.words("director" if certificate.director else "share")
    items = _director(share) if certificate.director else _ordinary(share)
    return card.scene(
        f"certificate:{piece_id}",
        f"{share.name}: {words}, {certificate.percent} %",
        (*_border(share), share.panel.boxed(items)),
    )


def _border(share: _Share) -> Items:
    """Draw the field in the company's colour, braids along its four sides, and the panel of tinted
    paper inside."""
    card, inks, paper, box = share.card, share.inks, share.ink("paper"), share.braids
    # Braids are in paper where that stands out from the field, else in the dark of the colour.
    line = paper if contrast(paper, inks.frame) >= 2.3 else inks.line
    head, _, foot = box.inset(_BAND / 2, 0).rows(_BAND, 0, _BAND)
    left, _, right = box.inset(0, _BAND / 2).columns(_BAND, 0, _BAND)
    items: Items = (
        *(share.braid("braid:across", strip, line) for strip in (head, foot)),
        *(share.braid("braid:down", strip, line) for strip in (left, right)),
        box.inset(-0.4).plate(stroke=card.stroke(line, 0.15), role=Role.ORNAMENT),
    )
    key = share.key("braids")
    braids = Scene(key, card.width, card.height, items)
    return (
        card.ground(inks.frame),
        Use(braids),
        share.panel.plate(paper, share.line(0.35)),
        share.panel.inset(0.55).plate(inks.tint, share.line(LINE_MM)),
    )


def _percent(share: _Share, kind: str, ink: Ink, width: float) -> Block:
    """Lay out the percentage, at most `width` wide: large figures and, if legible, a small raised
    per cent sign."""

    def height(_text: str, type_style: TypeStyle) -> float:
        # Old-style figures of a serif are slightly lower than its capitals.
        return face(type_style.faces[0]).glyphs["0"][2] * type_style.size_mm

    def laid(own: TypeStyle) -> Block:
        figures, sign = str(share.certificate.percent), own.at(own.size_pt * _SIGN)
        block = text_block(figures, own, ink, rise=height)
        if sign.size_pt < sign.min_pt:
            return block
        return in_row(
            block, _SIGN_GAP * own.size_mm, text_block("%", sign, ink, rise=height), level=0
        )

    own = share.type(kind)
    whole = laid(own)
    if whole.width <= width:
        return whole
    size = math.floor(own.size_pt * width / whole.width * 20) / 20
    return laid(own.at(max(own.min_pt, size)))


def _corners(share: _Share) -> Items:
    """Draw a counter with the percentage in each corner, so that a fanned hand can be read."""
    lace = share.rosette("corner", (share.pattern.small,), _CORNER - 0.35, share.inks.line)
    solid = _CORNER * 0.66
    percent = _percent(share, "certificate.corner", share.inks.on_line, solid * 1.62).sized(0, 0)
    middles = share.card.box.inset(_RIM + _CORNER - 0.3)
    items: list[Item] = []
    for x, y in product((middles.x, middles.right), (middles.y, middles.foot)):
        box = Box(x, y, 0, 0).inset(-solid)
        items += share.counter(box, lace, _CORNER, percent.paint(x, y))
    return tuple(items)


def _veil(share: _Share, x: float, y: float, clip: Box) -> Group:
    """Draw the underprint: a large rosette, pale enough for words on top of it."""
    veil = share.underprint("veil", (share.pattern.petals,), 25.5, share.inks.veil)
    return clip.clipped((centred(veil, x, y),))


def _arched_name(
    share: _Share, kind: str, x: float, y: float, width: float, *, leading: float, ink: Ink
) -> tuple[Items, float]:
    """Set the company's name, centred on (x, y), on one or two lines: on concentric arcs, or
    straight in Japanese. Return it with the distance between its first and last baselines."""
    own = share.type(kind)
    type_style, lines = balanced(share.name, own, width, 2, several=0.82, clip=True)
    type_style = stepped(type_style, own)
    step = line_step(lines, type_style, leading)
    deep = step * (len(lines) - 1)
    base = y + (type_style.cap_height_mm - deep) / 2
    items: list[Item] = []
    for number, line in enumerate(lines):
        down = number * step
        if holds_wide(share.name):
            items += set_line(line, type_style, ink, x, base + down, anchor=Anchor.MIDDLE)
        else:
            items += set_on_arc(line, type_style, ink, x, base + down, radius_mm=_ARC - down)
    return tuple(items), deep


def _grade(share: _Share, text: str, x: float, y: float, reach: float) -> Items:
    """Draw the grade in spaced capitals between two tapering rules, without rules if there is no
    room."""
    style = share.type("certificate.grade")
    half = text_width(text.upper(), style) / 2 + 1.2
    words = set_centred(text, style, share.ink("text"), x, y)
    if reach - half <= 3:
        return words
    return (*words, *share.rules(x, y, reach - half, share.inks.line, gap=half))


def _fine(share: _Share, text: str, y: float) -> Items:
    """Draw a line of small print `y` above the foot; nothing on a card too small for it."""
    card = share.card
    style = fit(text, card.type("certificate.fine"), card.width - 31)
    if style.size_pt <= style.min_pt:
        return ()
    return set_centred(text, style, share.ink("text"), card.width / 2, card.height - y)


def _ordinary(share: _Share) -> Items:
    inks, certificate, pattern = share.inks, share.certificate, share.pattern
    w, h = share.card.width, share.card.height
    left, middle, right = w * 0.295, h * 0.557, w * 0.665
    percent = _percent(share, "certificate.percent", inks.line, w * 0.4).sized(0, 0)
    grade = share.words("reserved" if certificate.reserved else "share")
    bearer, second = share.words("bearer", certificate.percent), share.second_name
    fine, heart, radius = _fine(share, bearer, 10.9), middle, 13.3
    if second:
        # The rosette makes room for a second line, which may be as wide as the card.
        fine, heart, radius = (*_fine(share, second, 13.6), *fine), middle - 0.5, 12.7
    rosette = share.rosette("rosette", (pattern.rim, pattern.petals), radius, inks.line)
    name, _ = _arched_name(
        share, "certificate.name", w / 2, 15.2, w - 30.5, leading=1.02, ink=share.ink("text")
    )
    return (
        _veil(share, right, middle, share.panel.inset(0.6)),
        *_corners(share),
        centred(rosette, left, heart),
        *name,
        *share.emblem(16.4, left, heart),
        *percent.paint(right, middle - 1.6),
        *_grade(share, grade, right, middle + 10.3, 17),
        *fine,
    )


def _director(share: _Share) -> Items:
    inks, percent = share.inks, share.certificate.percent
    gold, pale = share.ink("certificate.gold"), share.ink("certificate.gold.light")
    bronze = share.ink("certificate.gold.line")
    w = share.card.width
    x, low = w / 2, share.card.height * 0.59
    figures = _percent(share, "certificate.percent.director", inks.line, w * 0.34).sized(0, 0)
    gilt = share.panel.inset(1.6)
    rule, thin = share.card.stroke(bronze, LINE_MM), share.card.stroke(bronze, 0.15)
    motif, unit_mm = share.style.motif, share.card.unit_mm
    # A border in gold: that of the motif, or beads without one.
    border = beads(*gilt, bead_mm=0.62, ink=gold)
    if motif is not None and motif.run is not None:
        border = run_items(motif, gilt, half=0.5, ink=gold, corner=1.2, unit_mm=unit_mm)
    return (
        _veil(share, x, low + 1, gilt.inset(0.8)),
        *border,
        gilt.inset(0.75).plate(stroke=rule, role=Role.ORNAMENT),
        *_corners(share),
        *_crest(share, x, 13.2),
        *_ribbon(share, x, 24.4),
        *figures.paint(x, low + 0.4),
        *_signature(share, x - w * 0.285, low + 3.2),
        *seal(x + w * 0.307, low - 0.4, 5.4, wax=gold, light=pale, ribbon=inks.band, line=thin),
        *_grade(share, share.words("director"), x, low + 9.5, 26),
        *_fine(share, share.second_name or share.words("presides", percent), 12.7),
    )


def _crest(share: _Share, x: float, y: float) -> Items:
    """Draw the roundel in a rosette that breaks through the border."""
    gold, paper, bronze = map(share.ink, ("certificate.gold", "paper", "certificate.gold.line"))
    rings = (share.pattern.rim, share.pattern.petals)
    rosette = share.rosette("crest", rings, 9.8, share.inks.line)
    rim, edge = share.card.stroke(bronze, 0.35), share.card.stroke(bronze, 0.15)
    return (
        disc((x, y), 10.4, paper, rim, Role.ORNAMENT),
        centred(rosette, x, y),
        disc((x, y), 6.9, gold, edge, Role.ORNAMENT),
        share.roundel(12.6, x, y),
    )


def _ribbon(share: _Share, x: float, y: float) -> Items:
    """Draw the company's name on a ribbon."""
    inks, width = share.inks, share.card.width
    name, deep = _arched_name(
        share, "certificate.banner", x, y, width - 36, leading=0.98, ink=inks.on_band
    )
    shade, rim, tall = mix(inks.band, inks.line, 0.55), share.line(0.2), 7 + deep * 0.6
    radius_mm = _STRAIGHT if holds_wide(share.name) else _ARC
    ribbon = banner(
        (x, y), width - 33, tall, radius_mm=radius_mm, fill=inks.band, shade=shade, rim=rim
    )
    return (*ribbon, *name)


def _signature(share: _Share, x: float, y: float) -> Items:
    """Draw a flourish over a line: a signature for the board."""
    ink, caption = share.ink("text"), share.type("certificate.caption")
    flourish = signature_path(share.company.id, x, y - 1.5, 12)
    items: list[Item] = [
        Path(flourish, stroke=share.line(0.2), role=Role.ORNAMENT),
        line_path((x - 7.5, y), (x + 7.5, y), share.card.stroke(ink, 0.1)),
    ]
    if caption.size_pt >= caption.min_pt:
        items += set_centred(share.words("signed"), caption, ink, x, y + 2)
    return tuple(items)
