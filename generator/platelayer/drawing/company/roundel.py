"""A company's inks on paper, for lines, grounds and words, whatever its colour."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.card import Card
from platelayer.drawing.kit.icons import picture_group
from platelayer.drawing.kit.lettering import left_out
from platelayer.drawing.kit.style import BLEED_MM, Style, darkened, lightened
from platelayer.foundation.geometry import PT_PER_MM, direction
from platelayer.model.company import Company, CompanyKind, Roundel
from platelayer.model.kinds import Piece, piece_size
from platelayer.model.picture import Picture
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
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    TextRun,
    circle_path,
    polygon_path,
    rectangle_path,
    scaling,
    translation,
)
from platelayer.scene.shapes import transform_commands as transformed
from platelayer.scene.typeset import TypeStyle, prepared, set_line, split_by_face, text_width

LINE_CONTRAST = 5.4
"""Fine lines and large words on paper: a 0.1 mm line in a paler ink fades to a tint."""
WORD_CONTRAST = 4.6
"""Words on a field: a little above the 4.5 that the design rules require."""
DIVISION_CONTRAST = 2.0
"""The two colours of a roundel must differ in grey, too."""
_TELLING = 1.5
"""Words with less contrast to their field than this are a mistake in the definition: black or white
replaces them."""
_NEARLY_BLACK = 1.8


class CompanyInks(Struct, frozen=True, kw_only=True):
    """`field` and `second` are the roundel's colours; `frame` is the field on large areas; `band`
    is the field, darkened or lightened just enough to make `on_band` readable; `line` is for fine
    lines and large figures on paper; `tint` a light ground and `veil` the underprint on it;
    `on_line` is readable on an area of `line`. Themes may have `frame` and `band` pale."""

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
    """The inks of one company on the paper of the theme."""
    paper = style.ink("paper")
    field, words = ink_from_hex(company.colour), ink_from_hex(company.text_colour)
    if contrast(field, words) < _TELLING:
        words = readable_on(field)
    elif luminance(words) < luminance(field) and contrast(words, BLACK) < _NEARLY_BLACK:
        words = BLACK
    line = darkened(field, paper, LINE_CONTRAST)
    second = ink_from_hex(company.second)
    if contrast(field, second) < DIVISION_CONTRAST:
        second = line if contrast(field, line) >= DIVISION_CONTRAST else WHITE
    lighter = luminance(words) > luminance(field)
    band = (
        darkened(field, words, WORD_CONTRAST) if lighter else lightened(field, words, WORD_CONTRAST)
    )
    if contrast(words, band) < WORD_CONTRAST:
        words, band = readable_on(field), field
    if style.theme.company_tint:
        band = mix(field, WHITE, style.theme.company_tint)
        words = darkened(field, band, WORD_CONTRAST)
    return CompanyInks(
        field=field,
        frame=mix(field, WHITE, style.theme.company_tint) if style.theme.company_tint else field,
        second=second,
        band=band,
        on_band=words,
        line=line,
        on_line=WHITE,
        tint=mix(paper, line, 0.05),
        veil=mix(paper, line, 0.17),
    )


# Roundels: two colours, a heraldic division, and the abbreviation on a band; the sign of a
# destination.


_BAND = 0.415
"""Half the height of the band with the abbreviation: divisions show above and below it."""
_LETTERS = 1.72
"""Height of the letters, in halves of the band."""
PLAIN = "plain"
NUMBER = "number"
REVERSED = "reversed-"
"""Prefix of a division with its two colours exchanged."""

_OUT = 1.1
"""How far divisions of a disc of radius 1 reach: a little beyond its rim, which clips them."""
_Commands = tuple[Command, ...]

_ROUNDEL = 0.7
"""The roundel, as a share of the sign."""
_HEADS = 4
_REACH, _TIP, _HALF = 0.98, 0.74, 0.26
"""From where and how far an arrowhead reaches, by the radius, and half its width in radians."""

_SQUARE = 0.02
"""How far the sides of a square picture may differ, as a share of it."""


def with_roundels(title: Title) -> dict[str, Company]:
    """The companies of a title by `ref`, each with its roundel filled in, worked out where the
    title gives none.

    They are worked out for all companies of the game, so that those of a variant fit the tokens and
    maps of the box.
    """
    divisions = assign_divisions(title.line_up or title.companies)
    return {
        company.ref: replace(company, roundel=Roundel(division=divisions.get(company.ref, PLAIN)))
        for company in title.companies
    }


def company_of(title: Title, ref: str) -> Company:
    """One company with its roundel filled in, by its `ref`. Raises KeyError."""
    return with_roundels(title)[ref]


def roundel_items(
    company: Company, diameter_mm: float, style: Style, *, unit_mm: float = 1.0
) -> tuple[Item, ...]:
    """The roundel centred on (0, 0).

    Take the company from `with_roundels(title)`, so that no two of a title are alike; one without a
    roundel is drawn plain, a minor with a number as a disc with the number. The abbreviation is
    left out where it would be set below the least size of its type style; `unit_mm` is the size on
    paper of a unit of the drawing.
    """
    inks = company_inks(company, style)
    logo = style.pictures.get(company.logo or "")
    if logo is not None:
        return _logo_disc(logo, diameter_mm, inks)
    division = company.roundel.division if company.roundel is not None else _plain(company)
    if division == NUMBER:
        return _number_disc(company, diameter_mm, inks, _type(style, "roundel.number", unit_mm))
    return _divided_disc(
        company, division, diameter_mm, inks, _type(style, "roundel.text", unit_mm)
    )


def placed_roundel(company: Company, diameter: float, card: Card, x: float, y: float) -> Group:
    """The roundel on a card, centred on (x, y); lengths in the card's design units."""
    items = roundel_items(company, diameter, card.style, unit_mm=card.unit_mm)
    half = diameter / 2
    return Group(items=items, matrix=translation(x, y), box=(-half, -half, half, half))


def _type(style: Style, name: str, unit_mm: float) -> TypeStyle:
    type_style = style.type(name)
    return replace(type_style, min_pt=type_style.min_pt / unit_mm)


def _logo_disc(logo: Picture, diameter_mm: float, inks: CompanyInks) -> tuple[Item, ...]:
    """A company's own sign: a square picture fills the disc, another one lies in it with all its
    corners."""
    r = diameter_mm / 2
    edge = max(0.12, r * 0.05)
    square = abs(logo.width - logo.height) < _SQUARE
    size = (
        diameter_mm - edge
        if square
        else (diameter_mm - 2 * edge) / math.hypot(logo.width, logo.height)
    )
    rim = Stroke(ink=min(inks.line, inks.on_band, key=luminance), width_mm=edge)
    inside = (
        Circle(cx=0, cy=0, r=r, fill=inks.band),
        picture_group(logo, size, inks.on_band, role=Role.GROUND),
    )
    return (
        Group(items=inside, clip=circle_path(0, 0, r - edge / 2)),
        Circle(cx=0, cy=0, r=r - edge / 2, stroke=rim),
    )


def _plain(company: Company) -> str:
    numbered = company.kind is CompanyKind.MINOR and company.token_text.isdecimal()
    return NUMBER if numbered else PLAIN


def _number_disc(
    company: Company, diameter_mm: float, inks: CompanyInks, type_style: TypeStyle
) -> tuple[Item, ...]:
    r = diameter_mm / 2
    rim = Stroke(ink=inks.on_band, width_mm=max(0.12, r * 0.055))
    items = (Circle(cx=0, cy=0, r=r, fill=inks.band), Circle(cx=0, cy=0, r=r * 0.86, stroke=rim))
    words = lettered(company.token_text, type_style, inks.on_band, r * 0.76, r * 1.02)
    return (*items, *words)


def _divided_disc(
    company: Company, division: str, diameter_mm: float, inks: CompanyInks, type_style: TypeStyle
) -> tuple[Item, ...]:
    r = diameter_mm / 2
    field, second = inks.field, inks.second
    if division.startswith(REVERSED):
        division, field, second = division.removeprefix(REVERSED), second, field
    edge = max(0.12, r * 0.035)
    band = r * _BAND
    line = max(0.12, r * 0.045)
    inside: list[Item] = [Circle(cx=0, cy=0, r=r, fill=field)]
    if DIVISIONS[division]:
        inside.append(
            Path(commands=transformed(DIVISIONS[division], scaling(r)), fill=second, even_odd=True)
        )
    inside.append(Path(commands=_box(-r, -band - line, r, band + line), fill=inks.on_band))
    inside.append(Path(commands=_box(-r, -band, r, band), fill=inks.band))
    rim = Stroke(ink=min(inks.line, inks.on_band, key=luminance), width_mm=edge)
    items = (
        Group(items=tuple(inside), clip=circle_path(0, 0, r - edge / 2)),
        Circle(cx=0, cy=0, r=r - edge / 2, stroke=rim),
    )
    words = lettered(company.token_text, type_style, inks.on_band, r - edge - line, band * _LETTERS)
    return (*items, *words)


def lettered(
    text: str, type_style: TypeStyle, ink: Ink, radius_mm: float, tall_mm: float
) -> tuple[TextRun, ...]:
    """A word in the middle of a disc, as large as possible with its ink inside the disc and at most
    `tall_mm` high; nothing when that is below the least size of the style."""
    parts = split_by_face(prepared(text, capitals=type_style.capitals), type_style)
    heights = [face(name).glyphs[char][1:] for name, words in parts for char in words]
    low, high = (
        min(low for low, _ in heights),
        max(*(high for _, high in heights), type_style.cap_height_mm / type_style.size_mm),
    )
    low = low if low < -0.05 else 0.0
    size = tall_mm / (high - low) * PT_PER_MM
    while size >= type_style.min_pt:
        candidate = type_style.at(math.floor(size * 20) / 20)
        half = (high - low) * candidate.size_mm / 2
        chord = 2 * math.sqrt(max(0.0, radius_mm**2 - half**2)) - 0.04 * radius_mm
        if text_width(text, candidate) <= chord and candidate.size_pt >= type_style.min_pt:
            down = (high + low) / 2 * candidate.size_mm
            return set_line(text, candidate, ink, 0, down, anchor=Anchor.MIDDLE)
        size -= 0.25 + size * 0.01
    return ()


def destination_items(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """The sign centred on (0, 0); take the company from `with_roundels(title)`."""
    r = diameter_mm / 2
    inks = company_inks(company, style)
    dark = min(inks.line, inks.on_band, key=luminance)
    heads: list[Command] = []
    for number in range(_HEADS):
        turn = 2 * math.pi * number / _HEADS
        corners = ((_REACH, turn - _HALF), (_REACH, turn + _HALF), (_TIP, turn))
        points = [
            (r * reach * math.sin(angle), -r * reach * math.cos(angle)) for reach, angle in corners
        ]
        heads += [("M", *points[0]), ("L", *points[1]), ("L", *points[2]), ("Z",)]
    edge = max(0.12, r * 0.05)
    return (
        Circle(
            cx=0,
            cy=0,
            r=r - edge / 2,
            fill=style.ink("paper"),
            stroke=Stroke(ink=dark, width_mm=edge),
        ),
        Group(items=(Path(commands=tuple(heads), fill=dark),), clip=circle_path(0, 0, r)),
        *roundel_items(company, diameter_mm * _ROUNDEL, style),
    )


def _box(left: float, top: float, right: float, bottom: float) -> _Commands:
    return polygon_path(((left, top), (right, top), (right, bottom), (left, bottom)))


def _bars(edges: Sequence[tuple[float, float]]) -> _Commands:
    """Upright stripes between pairs of x."""
    return _join(_box(a, -_OUT, b, _OUT) for a, b in edges)


def _stripes(edges: Sequence[tuple[float, float]]) -> _Commands:
    """Level stripes between pairs of y."""
    return _join(_box(-_OUT, a, _OUT, b) for a, b in edges)


def _slanted(offsets: Sequence[tuple[float, float]], slope: float) -> _Commands:
    """Stripes between lines y = slope x + offset."""
    return _join(
        polygon_path(
            (
                (-1.5, -1.5 * slope + a),
                (1.5, 1.5 * slope + a),
                (1.5, 1.5 * slope + b),
                (-1.5, -1.5 * slope + b),
            )
        )
        for a, b in offsets
    )


def _sectors(count: int, turn: float = 0.0) -> _Commands:
    """Every second of `count` sectors, the first beginning `turn` degrees clockwise from the
    top."""
    step = 2 * math.pi / count
    first = math.radians(turn - 90)
    reach = 1.6

    def wedge(number: int) -> _Commands:
        a = first + number * step
        ways = (direction(a + step * k) for k in (0, 0.5, 1))
        return polygon_path(((0, 0), *((reach * x, reach * y) for x, y in ways)))

    return _join(wedge(number) for number in range(0, count, 2))


def _chequers(side: float) -> _Commands:
    n = math.ceil(1 / side)
    squares = ((x, y) for y in range(-n, n) for x in range(-n, n) if (x + y) % 2)
    return _join(_box(x * side, y * side, (x + 1) * side, (y + 1) * side) for x, y in squares)


def _waves(centres: Sequence[float], half: float, lift: float, length: float) -> _Commands:
    """Wavy level stripes round each y."""

    def edge(y: float, backwards: bool) -> list[Command]:
        halves = math.ceil(2 * _OUT / length) * 2
        xs = [-_OUT + length / 2 * k for k in range(halves + 1)]
        swings = [lift if k % 2 else -lift for k in range(halves)]
        steps = [(a, b, s) for a, b, s in zip(xs, xs[1:], swings, strict=False)]
        if backwards:
            steps = [(b, a, s) for a, b, s in reversed(steps)]
        third = length / 6
        curves: list[Command] = []
        for a, b, swing in steps:
            way = 1 if b > a else -1
            curves.append(
                ("C", a + way * third, y + swing * 2, b - way * third, y + swing * 2, b, y)
            )
        return curves

    def band(y: float) -> _Commands:
        end = -_OUT + length * math.ceil(2 * _OUT / length)
        return (
            ("M", -_OUT, y - half),
            *edge(y - half, False),
            ("L", end, y + half),
            *edge(y + half, True),
            ("Z",),
        )

    return _join(band(y) for y in centres)


def _star(points: int, outer: float, inner: float) -> tuple[Point, ...]:
    return tuple(
        (
            (outer, inner)[k % 2] * math.sin(math.pi * k / points),
            -(outer, inner)[k % 2] * math.cos(math.pi * k / points),
        )
        for k in range(2 * points)
    )


def _join(parts: Iterable[_Commands]) -> _Commands:
    return tuple(command for part in parts for command in part)


# What the second colour fills, by even-odd rule, in the order in which they are given to the
# companies of a title: the easiest to tell apart first. The band hides |y| < BAND, so each division
# shows above or below it.
DIVISIONS: dict[str, _Commands] = {
    "quarterly": _box(0, -_OUT, _OUT, 0) + _box(-_OUT, 0, 0, _OUT),
    "pale": _bars([(-0.27, 0.27)]),
    "border": circle_path(0, 0, _OUT) + circle_path(0, 0, 0.76),
    "bend": _slanted([(-0.36, 0.36)], 1.0),
    "paly": _bars([(-1.0, -0.6), (-0.2, 0.2), (0.6, 1.0)]),
    "chevron": polygon_path(
        ((0, -0.93), (1.2, 0.2), (1.2, 0.75), (0, -0.47), (-1.2, 0.75), (-1.2, 0.2))
    ),
    "saltire": polygon_path(
        tuple(
            (x * 1.6, y * 1.6)
            for x, y in ((0, -0.2), (0.8, -1), (1, -0.8), (0.2, 0), (1, 0.8), (0.8, 1), (0, 0.2))
        )
        + tuple(
            (x * 1.6, y * 1.6) for x, y in ((-0.8, 1), (-1, 0.8), (-0.2, 0), (-1, -0.8), (-0.8, -1))
        )
    ),
    "fess": _box(-_OUT, 0, _OUT, _OUT),
    "per-pale": _box(0, -_OUT, _OUT, _OUT),
    "lozenge": polygon_path(((0, -1), (0.75, 0), (0, 1), (-0.75, 0))),
    "bend-sinister": _slanted([(-0.36, 0.36)], -1.0),
    "barry": _stripes([(-0.85, -0.7), (-0.55, -0.3), (0.3, 0.55), (0.7, 0.85)]),
    "cross": _bars([(-0.2, 0.2)]) + _box(-_OUT, -0.58, -0.2, 0.58) + _box(0.2, -0.58, _OUT, 0.58),
    "gyronny": _sectors(8),
    "pile": polygon_path(((-0.8, -_OUT), (0.8, -_OUT), (0, 0.95))),
    "chief": _box(-_OUT, -_OUT, _OUT, -0.66),
    "bendy": _slanted([(-1.6, -1.2), (-0.8, -0.4), (0.0, 0.4), (0.8, 1.2), (1.6, 2.0)], 1.0),
    "flaunches": circle_path(-1.15, 0, 0.85) + circle_path(1.15, 0, 0.85),
    "per-chevron": polygon_path(((0, -0.85), (1.2, 0.55), (1.2, 1.2), (-1.2, 1.2), (-1.2, 0.55))),
    "per-bend": polygon_path(((-_OUT, -_OUT), (_OUT, _OUT), (-_OUT, _OUT))),
    "chequy": _chequers(0.25),
    "base": _box(-_OUT, 0.66, _OUT, _OUT),
    "sun": _sectors(24, 7.5),
    "canton": _box(-_OUT, -_OUT, 0, 0),
    "roundels": _join(circle_path(x, y, 0.145) for y in (-0.66, 0.66) for x in (-0.42, 0, 0.42)),
    "per-bend-sinister": polygon_path(((_OUT, -_OUT), (-_OUT, _OUT), (_OUT, _OUT))),
    "mullet": polygon_path(_star(8, 0.98, 0.42)),
    "barry-wavy": _waves((-0.64, 0.64), 0.1, 0.09, 0.55),
    "tierce": _box(-_OUT, -_OUT, -0.3, _OUT),
    "bendy-sinister": _slanted(
        [(-1.6, -1.2), (-0.8, -0.4), (0.0, 0.4), (0.8, 1.2), (1.6, 2.0)], -1.0
    ),
    PLAIN: (),
}


def assign_divisions(companies: Iterable[Company]) -> dict[str, str]:
    """A division for every company of a title that has tokens, by `ref`; no two are alike.

    A roundel given in the title is kept. Minors known by a number get `number` (a plain disc: the
    number tells them apart), privates and concessions `plain`. When all divisions are used up, they
    come again with colours exchanged.
    """
    companies = tuple(companies)
    given = {
        company.ref: company.roundel.division
        for company in companies
        if company.roundel is not None
    }
    taken = set(given.values())
    free = iter(
        [
            name
            for name in (*DIVISIONS, *(REVERSED + name for name in DIVISIONS))
            if name not in taken
        ]
    )
    divisions: dict[str, str] = {}
    for company in companies:
        if company.ref in given:
            divisions[company.ref] = given[company.ref]
        elif not company.has_charter:
            divisions[company.ref] = PLAIN
        elif company.kind is CompanyKind.MINOR and company.token_text.isdecimal():
            divisions[company.ref] = NUMBER
        else:
            divisions[company.ref] = next(free, PLAIN)
    return divisions


# Round tokens: the station token, the sign of a destination, and the market token with spots along
# its edge.


SAFE_MM = 1.0
MARKET, DESTINATION = "-market", "-destination"
_SPOTS = 8


def draw_token(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The token `<company>` (station), `<company>-market` or `<company>-destination` of a title, or
    the back of a market token that is turned over in play. Raises KeyError."""
    scene = _draw(title, piece_id, style, turned=back)
    return replace(scene, key=f"{scene.key}:back") if back else scene


def draw_token_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A station token is the same on both sides; a market token has its colours reversed: the
    second colour for the field, the company's colour for words."""
    scene = _draw(title, piece.id, style, turned=piece.group == "market")
    return replace(scene, key=f"{piece.key}:back")


def _draw(title: Title, piece_id: str, style: Style, *, turned: bool) -> Scene:
    sort = next((suffix for suffix in (MARKET, DESTINATION) if piece_id.endswith(suffix)), "")
    sort = "" if piece_id in title.company_by_id else sort
    company = company_of(title, piece_id.removesuffix(sort))
    if turned:
        # The second colour as the front uses it: the front does not use one too near to the
        # company's colour either.
        second = company_inks(company, style).second.hex
        company = replace(company, colour=second, second=company.colour, text_colour=company.colour)
    size = piece_size(title, "token", piece_id)
    r = min(size.width_mm, size.height_mm) / 2
    if sort == MARKET:
        items = _market(company, r, style, turned=turned)
    else:
        items = _destination(company, r, style) if sort else _station(company, r, style)
    return Scene(
        key=f"token:{piece_id}",
        width_mm=2 * r,
        height_mm=2 * r,
        items=(Group(items=items, matrix=translation(r, r), box=(-r, -r, r, r)),),
        bleed_mm=BLEED_MM,
        safe_mm=min(SAFE_MM, r * 0.16),
        outline=circle_path(r, r, r),
        label=style.words(company.name),
    )


def _station(company: Company, r: float, style: Style) -> tuple[Item, ...]:
    """The roundel as large as the cut allows, on the company's colour."""
    inks = company_inks(company, style)
    edge = min(inks.line, inks.on_band, key=luminance)
    return (
        Path(commands=_square(r + BLEED_MM), fill=inks.band),
        Circle(cx=0, cy=0, r=r * 0.91, fill=edge),
        Group(items=_lettered(company, r * 1.8, style)),
    )


def _lettered(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """The roundel, which tells if its abbreviation is too long for it."""
    items = roundel_items(company, diameter_mm, style)
    if style.pictures.get(company.logo or "") or any(isinstance(item, TextRun) for item in items):
        return items
    return (
        *items,
        *left_out(
            company.token_text, style.type("roundel.text"), company_inks(company, style).on_band
        ),
    )


def _destination(company: Company, r: float, style: Style) -> tuple[Item, ...]:
    """The sign of a destination on paper, which the cut may miss a little."""
    ground = Path(commands=_square(r + BLEED_MM), fill=company_inks(company, style).band)
    return (ground, Group(items=destination_items(company, r * 1.84, style)))


def _market(company: Company, r: float, style: Style, *, turned: bool) -> tuple[Item, ...]:
    """A smaller roundel in a light edge with spots of the company's colour, as gaming chips have; a
    dark edge shows the other side at a glance."""
    inks = company_inks(company, style)
    ring, line = style.ink("paper"), inks.line
    if turned:
        ring, line = (
            min(inks.line, inks.on_band, style.ink("black"), key=luminance),
            style.ink("paper"),
        )
    spots: list[Command] = []
    step = 2 * math.pi / _SPOTS
    for number in range(_SPOTS):
        spots += _wedge(r * 0.7, (r + BLEED_MM) * 1.5, step * number, step * 0.25)
    edge = Stroke(ink=line, width_mm=max(0.12, r * 0.025))
    return (
        Path(commands=_square(r + BLEED_MM), fill=inks.second),
        # Their contour keeps pale spots from looking torn out of the edge.
        Group(
            items=(Path(commands=tuple(spots), fill=inks.field, stroke=edge),),
            clip=_square(r + BLEED_MM),
        ),
        Circle(cx=0, cy=0, r=r * 0.85, fill=ring, stroke=edge),
        Group(items=_lettered(company, r * 1.59, style)),
    )


def _square(half: float) -> tuple[Command, ...]:
    return rectangle_path(-half, -half, 2 * half, 2 * half)


def _wedge(inner: float, outer: float, middle: float, half: float) -> tuple[Command, ...]:
    def at(radius: float, angle: float) -> Point:
        return radius * math.sin(angle), -radius * math.cos(angle)

    (ax, ay), (bx, by) = at(inner, middle - half), at(outer, middle - half)
    (cx, cy), (dx, dy) = at(outer, middle + half), at(inner, middle + half)
    return (("M", ax, ay), ("L", bx, by), ("L", cx, cy), ("L", dx, dy), ("Z",))
