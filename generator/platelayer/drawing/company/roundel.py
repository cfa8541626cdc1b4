"""Roundels and tokens of companies, and inks that suit paper for any company colour."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.icons import path_commands, picture_group, read_art
from platelayer.drawing.kit.layout import Box, disc
from platelayer.drawing.kit.ornament import centred
from platelayer.drawing.kit.style import BLEED_MM, Style, darkened, lightened
from platelayer.drawing.kit.surfaces import Engraved
from platelayer.foundation.geometry import PT_PER_MM
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.values import Frozen
from platelayer.model.company import Company, CompanyKind, Picture, Roundel
from platelayer.model.kinds import Piece, piece_size
from platelayer.model.title import Title
from platelayer.scene.fonts import face
from platelayer.scene.inks import (
    BLACK,
    WHITE,
    Ink,
    contrast,
    ink_from_hex,
    luminance,
    mix,
    readable_on,
)
from platelayer.scene.shapes import (
    Anchor,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Stroke,
    circle_path,
    polygon_path,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import TypeStyle, prepared, set_line, split_by_face, text_width

# Share of a descender that counts as height, so that words with one are not much smaller.
_TAIL = 0.55
# Share of an ink in the faint pictures on places for cards, notes and tokens.
GHOST = 0.1
# Contrast of fine lines and large words on paper: a 0.1 mm line in a paler ink fades to a tint.
_LINE_CONTRAST = 5.4
# Contrast of words on a field: a little above the 4.5 that the design rules require.
_WORD_CONTRAST = 4.6
# Contrast of a roundel's two colours, which must differ in greyscale too.
DIVISION_CONTRAST = 2.0
# Words with less contrast to their field than this are a mistake in the definition: black or white
# replaces them.
_TELLING = 1.5
_NEARLY_BLACK = 1.8


class CompanyInks(Struct, frozen=True, kw_only=True):
    """Inks of a company. `field` and `second` are the roundel's colours; `frame` is the field on
    large areas; `band` is the field, darkened or lightened just enough to make `on_band`
    readable; `line` is for fine lines and large figures on paper; `tint` is a light ground and
    `veil` the underprint on it; `on_line` is readable on an area of `line`. Themes may have
    `frame` and `band` pale."""

    field: Ink
    frame: Ink
    second: Ink
    band: Ink
    on_band: Ink
    line: Ink
    on_line: Ink
    tint: Ink
    veil: Ink


def company_inks(company: Company, style: Style) -> CompanyInks:
    """Return the inks of one company on the theme's paper."""
    return _inks_of(company.colour, company.text_colour, company.second, style)


# Cached, because every piece of a company needs them.
@lru_cache(256)
def _inks_of(colour: str, text_colour: str, second_colour: str, style: Style) -> CompanyInks:
    paper, press = style.ink("paper"), style.press
    field, words = ink_from_hex(colour), ink_from_hex(text_colour)
    if contrast(field, words) < _TELLING:
        words = readable_on(field)
    elif luminance(words) < luminance(field) and contrast(words, BLACK) < _NEARLY_BLACK:
        words = BLACK
    line = darkened(field, paper, _LINE_CONTRAST)
    tint, veil = (mix(paper, line, share) for share in (0.05, 0.17))
    # Percentages in it are printed on the tint; a screen shows them well enough as they are.
    line = darkened(line, tint, 1, press)
    # White beside paper looks torn out.
    cream = style.ink("roundel.cream")
    second = ink_from_hex(second_colour)
    if contrast(field, second) < DIVISION_CONTRAST:
        second = line if contrast(field, line) >= DIVISION_CONTRAST else cream
    elif luminance(second) > luminance(cream):
        second = cream
    lighter = luminance(words) > luminance(field)
    band = (darkened if lighter else lightened)(field, words, _WORD_CONTRAST, press)
    if contrast(words, band) < _WORD_CONTRAST:
        words, band = style.ink_on(field), field
    frame = field
    if style.theme.company_tint:
        frame = band = mix(field, WHITE, style.theme.company_tint)
        words = darkened(field, band, _WORD_CONTRAST, press)
    return CompanyInks(
        field=field,
        frame=frame,
        second=second,
        band=band,
        on_band=words,
        line=line,
        on_line=WHITE,
        tint=tint,
        veil=veil,
    )


# Roundels: two colours, a heraldic division, and the abbreviation on a band; the sign of a
# destination.


# Half the height of the band with the abbreviation: divisions show above and below it.
_BAND = 0.415
# Height of the letters in half heights of the band, and without a band in radii.
_LETTERS, _ALONE = 1.72, 1.35
# Share of their width to which letters are condensed before they replace the division.
_NARROW = 0.75
PLAIN = "plain"
NUMBER = "number"
# Prefix of a division with its two colours exchanged.
REVERSED = "reversed-"

# Roundels and signs are drawn around this point.
_MIDDLE = (0.0, 0.0)

# Diameter of the roundel, as a share of the sign of a destination.
_ROUNDEL = 0.7
_HEADS = 4
# Base and tip of an arrowhead, as shares of the radius, and half its width in radians.
_REACH, _TIP, _HALF = 0.98, 0.74, 0.26

# Maximum difference between the sides of a picture that counts as square.
_SQUARE = 0.02


def with_roundels(title: Title) -> dict[str, Company]:
    """Return the companies of a title by `ref`, each with its roundel filled in: computed if the
    title gives none.

    Roundels are assigned across all companies of the game, so that companies of a variant match the
    tokens and maps in the box.
    """
    if with_roundels not in title.kept:
        assigned = assign_divisions(title.line_up or title.companies)
        title.kept[with_roundels] = {
            company.ref: replace(
                company, roundel=Roundel(division=assigned.get(company.ref, PLAIN))
            )
            for company in title.companies
        }
    companies: dict[str, Company] = title.kept[with_roundels]
    return companies


def company_of(title: Title, ref: str) -> Company:
    """Return one company with its roundel filled in, by its `ref`. Raises KeyError."""
    return with_roundels(title)[ref]


def roundel_items(
    company: Company, diameter_mm: float, style: Style, *, unit_mm: float = 1.0
) -> Items:
    """Draw the roundel centred on (0, 0).

    Take the company from `with_roundels(title)`, so that each roundel of a title is unique; a
    company without a roundel is drawn plain, a minor with a number as a disc with the number. An
    abbreviation that would be smaller than the minimum size of its type style is condensed; if that
    is not enough, it replaces the division. `unit_mm` is the size on paper of a unit of the
    drawing.
    """
    inks = company_inks(company, style)
    logo = style.pictures.get(company.logo or "")
    if logo is not None:
        return _logo_disc(logo, diameter_mm, inks)
    division = NUMBER if _is_numbered(company) else PLAIN
    if company.roundel is not None:
        division = company.roundel.division
    type_style = style.type("roundel.number" if division == NUMBER else "roundel.text")
    type_style = replace(type_style, min_pt=type_style.min_pt / unit_mm)
    r = diameter_mm / 2
    text, ink, edge = company.token_text, inks.on_band, max(0.12, r * 0.035)
    if division == NUMBER:
        rim = Stroke(ink, max(0.12, r * 0.055))
        if words := lettered(text, type_style, ink, r * 0.76, r * 1.02, narrowest=_NARROW):
            return (disc(_MIDDLE, r, inks.band), disc(_MIDDLE, r * 0.86, stroke=rim), *words)
    line, band = max(0.12, r * 0.045), r * _BAND
    within, tall = r - edge - line, band * _LETTERS
    words = lettered(text, type_style, ink, within, tall, narrowest=_NARROW)
    if division == NUMBER or not words:
        words = lettered(text, type_style, ink, within, r * _ALONE, narrowest=0)
        return (*_rimmed((disc(_MIDDLE, r, inks.band),), r, edge, inks), *words)
    field, second = inks.field, inks.second
    if division.startswith(REVERSED):
        division, field, second = division.removeprefix(REVERSED), second, field
    inside: list[Item] = [disc(_MIDDLE, r, field)]
    if outline := divisions()[division]:
        shape = transform_commands(outline, scaling(r))
        inside.append(Path(shape, fill=second, even_odd=True))
    bar = Box(-r, -band, 2 * r, 2 * band)
    inside += (bar.inset(0, -line).plate(inks.on_band), bar.plate(inks.band))
    return (*_rimmed(inside, r, edge, inks), *words)


def _is_numbered(company: Company) -> bool:
    return company.kind is CompanyKind.MINOR and company.token_text.isdecimal()


def _rimmed(inside: Sequence[Item], r: float, edge: float, inks: CompanyInks) -> Items:
    """Draw items in a disc with a dark rim."""
    rim = Stroke(min(inks.line, inks.on_band, key=luminance), edge)
    return (
        Group(tuple(inside), clip=circle_path(0, 0, r - edge / 2)),
        disc(_MIDDLE, r - edge / 2, stroke=rim),
    )


def _logo_disc(logo: Picture, diameter_mm: float, inks: CompanyInks) -> Items:
    """Draw a company's own logo: a square picture fills the disc, any other fits inside it, corners
    included."""
    r = diameter_mm / 2
    edge = max(0.12, r * 0.05)
    if abs(logo.width - logo.height) < _SQUARE:
        size = diameter_mm - edge
    else:
        size = (diameter_mm - 2 * edge) / math.hypot(logo.width, logo.height)
    ground = disc(_MIDDLE, r, inks.band)
    picture = picture_group(logo, size, inks.on_band, role=Role.GROUND)
    return _rimmed((ground, picture), r, edge, inks)


def lettered(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    radius_mm: float,
    tall_mm: float,
    *,
    narrowest: float = 1,
) -> Items:
    """Draw a word in the middle of a disc, as large as possible with its ink inside the disc and at
    most `tall_mm` high, counting only part of the descenders. Below the minimum size of the
    style the word is condensed, to no less than the share `narrowest` of its width; if that is
    not enough, return nothing. With `narrowest` 0, the word is always drawn."""
    parts = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    heights = [face(name).glyphs[char][1:] for name, words in parts for char in words]
    low = min(low for low, _ in heights)
    low = low if low < -0.05 else 0.0
    cap = type_style.cap_height_mm / type_style.size_mm
    high = max(*(high for _, high in heights), cap)
    size = tallest = tall_mm / (high - _TAIL * low) * PT_PER_MM
    least = type_style.min_pt if narrowest else min(type_style.min_pt, tallest)
    while size >= least or least <= tallest:
        candidate = type_style.at(max(least, math.floor(size * 20) / 20))
        half = (high - low) * candidate.size_mm / 2
        chord = 2 * math.sqrt(max(0.0, radius_mm**2 - half**2)) - 0.04 * radius_mm
        width = chord / text_width(text, candidate)
        down = (high + low) / 2 * candidate.size_mm
        runs = set_line(text, candidate, ink, 0, down, anchor=Anchor.MIDDLE)
        if width >= 1:
            return runs
        if size <= least:
            condensed = Group(runs, matrix=(width, 0.0, 0.0, 1.0, 0.0, 0.0))
            return (condensed,) if width >= narrowest else ()
        size = max(least, size - 0.25 - size * 0.01)
    return ()


def roundel_ghost(company: Company, ground: Ink, ring: Stroke, place: Box) -> Items:
    """Draw a company's roundel without letters in the middle of a place for its tokens or shares: a
    ring, and its division in a still paler ink."""
    roundel, ghost = company.roundel, list[Item]()
    division = roundel.division.removeprefix(REVERSED) if roundel is not None else ""
    r = 0.4 * min(place.width, place.height)
    if outline := divisions().get(division, ()):
        shape = transform_commands(outline, scaling(r))
        faint = Path(shape, fill=mix(ground, ring.ink, 0.6), even_odd=True)
        clip = circle_path(0, 0, r)
        ghost.append(Group((faint,), matrix=translation(*place.middle), clip=clip))
    return (*ghost, disc(place.middle, r, stroke=ring, role=Role.ORNAMENT))


def destination_items(company: Company, diameter_mm: float, style: Style) -> Items:
    """Draw the sign of a destination, centred on (0, 0): a roundel between arrowheads that point to
    it. Take the company from `with_roundels(title)`."""
    r = diameter_mm / 2
    inks = company_inks(company, style)
    dark = min(inks.line, inks.on_band, key=luminance)
    heads = _around(_HEADS, ((_REACH * r, -_HALF), (_REACH * r, _HALF), (_TIP * r, 0)))
    edge = max(0.12, r * 0.05)
    rim = Stroke(dark, edge)
    return (
        disc(_MIDDLE, r - edge / 2, style.ink("paper"), rim),
        Group((Path(heads, fill=dark),), clip=circle_path(0, 0, r)),
        *roundel_items(company, diameter_mm * _ROUNDEL, style),
    )


def _around(count: int, corners: Sequence[tuple[float, float]]) -> Commands:
    """Return a polygon repeated `count` times around the middle. Its corners are given by radius
    and angle, in radians clockwise from the top."""
    turns = [2 * math.pi * number / count for number in range(count)]
    return tuple(
        command
        for turn in turns
        for command in polygon_path(
            [(r * math.sin(a + turn), -r * math.cos(a + turn)) for r, a in corners]
        )
    )


class _Roundels(Frozen, kw_only=True):
    """The file of divisions: areas of the second colour in a disc of radius 1, by the even-odd
    rule. Their order is that in which companies of a title get them: the easiest to distinguish
    first."""

    divisions: dict[str, str]


@cache
def divisions() -> dict[str, Commands]:
    """Return the outlines of all divisions; that of a plain disc is empty. The band with the
    letters hides the middle, so each division shows above or below it."""
    stated = read_art("roundels", _Roundels).divisions
    return {name: path_commands(path) if path else () for name, path in stated.items()}


def assign_divisions(companies: Iterable[Company]) -> dict[str, str]:
    """Return a unique division for every company of a title that has tokens, by `ref`.

    A roundel given in the title stays. Minors known by a number get `number` (a plain disc, as the
    number distinguishes them), privates and concessions `plain`. Once all divisions are used, they
    repeat with their colours exchanged.
    """
    companies = tuple(companies)
    given = {
        company.ref: company.roundel.division
        for company in companies
        if company.roundel is not None
    }
    names = (*divisions(), *(REVERSED + name for name in divisions()))
    free = iter([name for name in names if name not in given.values()])
    assigned = {}
    for company in companies:
        if company.ref in given:
            assigned[company.ref] = given[company.ref]
        elif not company.has_charter:
            assigned[company.ref] = PLAIN
        elif _is_numbered(company):
            assigned[company.ref] = NUMBER
        else:
            assigned[company.ref] = next(free, PLAIN)
    return assigned


# Round tokens: the station token, the sign of a destination, and the market token with spots along
# its edge.


SAFE_MM, _RIM_MM = 1.0, 0.35
MARKET, DESTINATION = "-market", "-destination"
_SPOTS = 8


def draw_token(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the token `<company>` (station), `<company>-market` or `<company>-destination` of a
    title, or the back of a market token that is turned over in play. Raises KeyError."""
    scene = _draw(title, piece_id, style, turned=back)
    return replace(scene, key=f"{scene.key}:back") if back else scene


def draw_token_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back of a token. A station token is the same on both sides; a market token has its
    colours reversed: the second colour as the field, with black or white words."""
    scene = _draw(title, piece.id, style, turned=piece.group == "market")
    return replace(scene, key=f"{piece.key}:back")


def _draw(title: Title, piece_id: str, style: Style, *, turned: bool) -> Scene:
    sort = next((suffix for suffix in (MARKET, DESTINATION) if piece_id.endswith(suffix)), "")
    sort = "" if piece_id in title.company_by_id else sort
    company = company_of(title, piece_id.removesuffix(sort))
    inks = company_inks(company, style)
    rim = inks.field if contrast(inks.field, WHITE) >= _TELLING else inks.line
    if turned:
        # Use the second colour of the front, which replaces one too close to the company's colour.
        second, words = inks.second.hex, readable_on(inks.second).hex
        company = replace(company, colour=second, second=company.colour, text_colour=words)
    size = piece_size(title, "token", piece_id)
    r = min(size.width_mm, size.height_mm) / 2
    ground = (
        Box(0, 0, 0, 0).inset(-r - BLEED_MM).plate(rim),
        disc(_MIDDLE, r - _RIM_MM, inks.band),
    )
    items: Items
    if sort == MARKET:
        items = _market(company, r, rim, style, turned=turned)
    elif sort == DESTINATION:
        # The sign fills the disc, except for the tolerance of the cut.
        items = (*ground, Group(destination_items(company, r * 1.84, style)))
    else:
        # The roundel as large as the cut allows, on the company's colour.
        edge = min(inks.line, inks.on_band, key=luminance)
        items = (
            *ground,
            disc(_MIDDLE, r * 0.91, edge),
            Group(roundel_items(company, r * 1.8, style)),
        )
    return Scene(
        f"token:{piece_id}",
        2 * r,
        2 * r,
        (Group(items, matrix=translation(r, r), box=(-r, -r, r, r)),),
        bleed_mm=BLEED_MM,
        safe_mm=min(SAFE_MM, r * 0.16),
        outline=circle_path(r, r, r),
        label=style.words(company.name),
    )


def _market(company: Company, r: float, rim: Ink, style: Style, *, turned: bool) -> Items:
    """Draw a smaller roundel in a rim and an edge with spots of the company's colour, as on gaming
    chips. The edge is light, and dark on the other side, so that sides differ at a glance."""
    inks, paper = company_inks(company, style), style.ink("paper")
    dark = min(inks.line, inks.on_band, style.ink("black"), key=luminance)
    ring, line = (dark, paper) if turned else (paper, inks.line)
    reach, half = r + BLEED_MM, math.pi / _SPOTS / 2
    square = Box(0, 0, 0, 0).inset(-reach)
    corners = ((r * 0.7, -half), (reach * 1.5, -half), (reach * 1.5, half), (r * 0.7, half))
    edge = Stroke(line, max(0.12, r * 0.025))
    # Their contour keeps pale spots from looking torn out of the edge.
    spotted = Path(_around(_SPOTS, corners), fill=inks.field, stroke=edge)
    beyond = Path(square.path() + circle_path(0, 0, r - _RIM_MM), fill=rim, even_odd=True)
    return (
        square.plate(inks.second),
        square.clipped((spotted, beyond)),
        disc(_MIDDLE, r * 0.85, ring, edge),
        Group(roundel_items(company, r * 1.59, style)),
    )


company_words = FixedWords("companies")


class CompanyCard(Engraved, frozen=True, kw_only=True):
    """Card in a company's colours and the language of the print."""

    title: Title
    company: Company
    inks: CompanyInks

    @property
    def style(self) -> Style:
        """The style of the print."""
        return self.card.style

    @property
    def name(self) -> str:
        """The company's name."""
        return self.style.words(self.company.name)

    @property
    def second_name(self) -> str:
        """The company's name in a second language; "" if there is none or if it is the same."""
        second = self.company.second_name
        words = self.style.words(second) if second is not None else ""
        return "" if words == self.name else words

    def words(self, key: str, *parts: object) -> str:
        """Return fixed words in the language of the print."""
        return self.style.words(company_words(key), *parts)

    @property
    def terms(self) -> tuple[str, ...]:
        """Sentences about the terms that distinguish the company from others."""
        company = self.company
        other = self.title.company_by_id.get(company.share_of or "")
        share = company.share_of if other is None else other.token_text
        said = any(str(share) in self.style.words(text) for text in company.abilities)
        # An ownership limit is pointless if a single certificate holds the whole company.
        shared = all(certificate.percent < 100 for certificate in company.certificates)
        terms = {
            "ownership_limit": company.ownership_limit if shared else None,
            "capital_full": company.capital if company.capital == "full" else None,
            "capital_incremental": company.capital if company.capital == "incremental" else None,
            "share_of": None if said else share,
        }
        return tuple(self.words(key, value) for key, value in terms.items() if value is not None)

    def ink(self, name: str) -> Ink:
        """Return an ink of the theme."""
        return self.style.ink(name)

    def type(self, name: str) -> TypeStyle:
        """Return a type style of the theme with its minimum size on paper."""
        return self.card.type(name)

    def line(self, width_mm: float) -> Stroke:
        """Return a stroke in the dark shade of the company's colour, with this width on paper."""
        return self.card.stroke(self.inks.line, width_mm)

    def rules(
        self, x: float, y: float, length: float, ink: Ink, width: float = 0.16, *, gap: float = 0
    ) -> Items:
        """Draw tapering rules of this length on both sides of (x, y), each beginning `gap` away
        from it."""
        left = self.card.rule((x - gap, y), length, ink, width, towards=-1)
        return (*left, *self.card.rule((x + gap, y), length, ink, width, towards=1))

    def braided(self, strip: Box) -> Items:
        """Draw a strip, horizontal or vertical, in the dark shade of the company's colour, with a
        braid in paper and a gold line along its upper or left side."""
        x, y, width, height = strip
        part, inner, edge = "strip:across", strip.inset(0, 0.2), Box(x, y - 0.25, width, 0.5)
        if height > width:
            part, inner, edge = "strip:down", strip.inset(0.2, 0), Box(x - 0.25, y, 0.5, height)
        return (
            strip.plate(self.inks.line),
            self.braid(part, inner, self.ink("paper")),
            edge.plate(self.ink("certificate.gold"), role=Role.ORNAMENT),
        )

    def roundel(self, diameter: float, x: float, y: float) -> Group:
        """Draw the roundel, centred on (x, y)."""
        items = roundel_items(self.company, diameter, self.style, unit_mm=self.card.unit_mm)
        half = diameter / 2
        return Group(items, matrix=translation(x, y), box=(-half, -half, half, half))

    def emblem(self, diameter: float, x: float, y: float) -> Items:
        """Draw the roundel on a slightly larger disc of paper, centred on (x, y)."""
        paper = disc((x, y), diameter / 2 + 0.5, self.ink("paper"), role=Role.ORNAMENT)
        return (paper, self.roundel(diameter, x, y))

    def counter(self, box: Box, lace: Scene, radius: float, words: Items) -> Items:
        """Draw words on a disc in the dark shade of the company's colour, surrounded by lace on a
        disc of paper of this radius."""
        paper, middle = self.ink("paper"), box.middle
        return (
            disc(middle, radius, paper, self.line(0.2), Role.ORNAMENT),
            centred(lace, *middle),
            disc(middle, box.width / 2, self.inks.line),
            box.boxed(words),
        )
