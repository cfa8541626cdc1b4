"""Charters: where a company keeps its stations, trains and money, and what limits them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.drawing.company.abilities import abilities_panel
from platelayer.drawing.company.charter_parts import (
    BETWEEN,
    CORNER_MM,
    Charter,
    capital_words,
    destination_words,
    home_names,
    label,
    limit_table,
    limits_width,
    listed_homes,
    station_slots,
    train_stack,
)
from platelayer.drawing.company.inks import company_inks
from platelayer.drawing.company.minor_charter import minor_items
from platelayer.drawing.company.roundel import company_of, roundel_items
from platelayer.drawing.company.tall_charter import tall_card, tall_items
from platelayer.drawing.kinds import LOOKS
from platelayer.drawing.kit.card import design_card
from platelayer.drawing.kit.guilloche import braid_scene, centred, pattern_of, rosette_scene
from platelayer.drawing.kit.lettering import balanced, ink_height, left_out, line_step, one_line
from platelayer.drawing.kit.rich_text import wrap_even
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.text_blocks import ASIDE, LEAD
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import is_small, train_bay
from platelayer.model.title import Title
from platelayer.scene.inks import mix
from platelayer.scene.shapes import Circle, Group, Item, Path, Role, Scene, TextRun, Use, rectangle_path, translation
from platelayer.scene.typeset import TypeStyle, rise_mm, set_block, set_line, text_width

words = FixedWords("companies")

SAFE_MM = LOOKS["charter"].safe_mm
_DESIGN = (148.0, 105.0)
_HEAD = 22.4
_STRIP = 3.4
_LEFT = 5.5
_GAP = 4.5
_LEAST_PANEL = 12.0
_ACCENT = 0.1
_SECOND_LEADING = 1.14
_FOOT = 1.8
"""Least room below the capital, for descenders."""


def draw_charter(title: Title, piece_id: str, style: Style) -> Scene:
    """The charter of a minor, major or national company of a title. Raises KeyError."""
    company = company_of(title, piece_id)
    size = title.pieces.size("charter", piece_id, company.size)
    tall = size.height_mm > size.width_mm
    if tall:
        card = tall_card(size.width_mm, size.height_mm, style, bleed_mm=BLEED_MM, safe_mm=SAFE_MM)
    else:
        card = design_card(size.width_mm, size.height_mm, style, design=_DESIGN, bleed_mm=BLEED_MM, safe_mm=SAFE_MM)
    charter = Charter(
        card=card,
        title=title,
        company=company,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id),
        style=style,
    )
    draw = tall_items if tall else minor_items if is_small(company) else _major_items
    items = draw(charter)
    return card.scene(f"charter:{piece_id}", charter.name, items)


def _major_items(charter: Charter) -> tuple[Item, ...]:
    card, style = charter.card, charter.style
    w, h = card.width, card.height
    right = w - _LEFT
    low = h - charter.mm(SAFE_MM) - 0.4
    tall = charter.mm(train_bay(charter.title, charter.company).height_mm)
    treasury = (right - _LEFT) * 0.31
    trains = right - _LEFT - treasury - _GAP
    head = _HEAD + _STRIP
    row = head + 13.6
    table = limits_width(charter, 7.6, treasury)
    # On cards taller than the design, abilities stand above trains and money; without any the money area reaches up.
    panel = row + charter.mm(charter.title.pieces.size("token", charter.company.id).width_mm) / 2 + 6.4
    spare = low - tall - 6.4 - panel
    paneled = spare > _LEAST_PANEL
    across = paneled and bool(charter.company.abilities)
    high = not across and (paneled or not (table or _stations(charter)))
    # Beside the stations stands the table, and the money area where it reaches up.
    beside = max(table, treasury if high else 0.0)
    slots = right - _LEFT - (beside + _GAP if beside else 0.0)
    purse = head + (27.4 if table else 6.4) if high else low - tall
    return (
        card.ground(style.ink("paper")),
        *_header(charter),
        *_stations_label(charter, _LEFT, head + 4.6, slots),
        *station_slots(charter, _LEFT, row, slots),
        *(label(charter, style.words(words("train_limit")), right - table, head + 4.6) if table else ()),
        *limit_table(charter, right - table, head + 6.4, table, 14.4),
        *label(charter, style.words(words("trains")), _LEFT, low - tall - 1.5),
        *train_stack(charter, _LEFT, low - tall, trains, tall),
        *(_panel(charter, _LEFT, panel, right - _LEFT if across else trains, spare) if paneled else ()),
        *label(charter, style.words(words("treasury")), right - treasury, purse - 1.5),
        *_treasury(charter, right - treasury, purse, (treasury, low - purse), paneled=paneled),
    )


def _panel(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    """What the company may do, or a band of fine lines for a company without abilities."""
    if charter.company.abilities:
        return abilities_panel(charter, x, y, width, height)
    veil = charter.card.stroke(charter.inks.veil, 0.12)
    braid = braid_scene(charter.key("band:across"), charter.pattern.wave, width, height * 0.42, veil)
    inside = Use(scene=braid, matrix=translation(x, y + height * 0.08))
    return (Group(items=(inside,), clip=rectangle_path(x, y, width, height, CORNER_MM)),)


def _header(charter: Charter) -> tuple[Item, ...]:
    """The company's colour with its roundel in a halo of fine lines, its name, its capital; a braid below."""
    card, inks, style = charter.card, charter.inks, charter.style
    w, b = card.width, card.bleed
    halo_ink = mix(inks.band, inks.on_band, 0.4)
    x, y = 20.0, 13.4
    pattern = charter.pattern
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    halo = rosette_scene(charter.key("halo"), rings, 17.6, card.stroke(halo_ink, 0.1), Role.ORNAMENT)
    strip = braid_scene(
        charter.key("strip:across"),
        charter.pattern.wave,
        w + 2 * b,
        _STRIP * 0.42,
        card.stroke(style.ink("paper"), 0.1),
    )
    band = rectangle_path(-b, -b, w + 2 * b, _HEAD + b)
    gold = style.ink("certificate.gold")
    return (
        Path(commands=band, fill=inks.band),
        Group(items=(centred(halo, x, y),), clip=band),
        Path(commands=rectangle_path(-b, _HEAD, w + 2 * b, _STRIP), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, _HEAD + _STRIP * 0.08)),
        Path(commands=rectangle_path(-b, _HEAD - 0.25, w + 2 * b, 0.5), fill=gold, role=Role.ORNAMENT),
        Circle(cx=x, cy=y, r=12.1, fill=gold, role=Role.ORNAMENT),
        Circle(cx=x, cy=y, r=11.6, fill=style.ink("paper"), role=Role.ORNAMENT),
        Group(
            items=roundel_items(charter.company, 22.0, style, unit_mm=charter.card.unit_mm), matrix=translation(x, y)
        ),
        *_heading(charter, 39.5, w - _LEFT),
    )


def _heading(charter: Charter, left: float, right: float) -> tuple[TextRun, ...]:
    """The name on one line or two, and beneath it how the capital is made up."""
    card, inks = charter.card, charter.inks
    style, lines = balanced(charter.name, card.type("charter.name"), right - left, 2, several=0.66, clip=True)
    note, second = card.type("charter.capital"), charter.second_name
    capital = capital_words(charter)
    if second or len(lines) > 1:
        rest = _second_step(second, capital, note)
        style = _lowered(charter, style, lines, (second or capital, rest), note)
    room = _HEAD - charter.mm(SAFE_MM) - _FOOT
    rest = _second_step(second, capital, note)
    dropped: tuple[TextRun, ...] = ()
    if second and _ascent(lines[0], style) + _heading_height(style, lines, second, note) + rest > room:
        second, dropped = "", left_out(second, note, inks.on_band)
    step = _second_step(second, capital, note)
    leading = line_step(lines, style, 1.04)
    drop = _drop(style, lines, second or capital, note)
    block = _heading_height(style, lines, capital or second, note) + step
    above = max(_ascent(lines[0], style) if second else 0.0, ink_height(lines[0], style)[1] - style.cap_height_mm)
    top = max(_HEAD / 2 - block / 2 + 0.2, charter.mm(SAFE_MM) + above)
    first = top + style.cap_height_mm
    runs = [*set_block(lines, style, inks.on_band, left, first, leading=leading / style.size_mm), *dropped]
    base = first + leading * (len(lines) - 1) + drop
    for text in (second, capital):
        if text:
            kind, line = one_line(text, note, right - left)
            runs += set_line(line, kind, inks.on_band, left, base)
            base += step
    return tuple(runs)


def _second_step(second: str, capital: str, note: TypeStyle) -> float:
    """From the name in another language to how the capital is made up, where a charter has both."""
    if not (second and capital):
        return 0.0
    touching = ink_height(capital, note.beside(capital))[1] - ink_height(second, note.beside(second))[0]
    return max(_SECOND_LEADING * note.size_mm, touching + 0.1)


def _lowered(
    charter: Charter, style: TypeStyle, lines: Sequence[str], below: tuple[str, float], note: TypeStyle
) -> TypeStyle:
    """The type of a name that leaves room for the line below it, and for what else follows that line."""
    line, rest = below
    room = _HEAD - charter.mm(SAFE_MM) - _FOOT
    while style.size_pt > style.min_pt:
        if _ascent(lines[0], style) + _heading_height(style, lines, line, note) + rest <= room:
            break
        style = style.at(max(style.min_pt, style.size_pt - 0.5))
    return style


def _ascent(line: str, style: TypeStyle) -> float:
    """How far letters and accents of a line reach above its capitals."""
    high = max(rise_mm(line, style), ink_height(line, style)[1])
    return max(high - style.cap_height_mm, _ACCENT * style.size_mm)


def _heading_height(style: TypeStyle, lines: Sequence[str], below: str, note: TypeStyle) -> float:
    """Height of a name on some lines with one line of notes below it."""
    drop = _drop(style, lines, below, note)
    return style.cap_height_mm + line_step(lines, style, 1.04) * (len(lines) - 1) + drop


def _drop(style: TypeStyle, lines: Sequence[str], below: str, note: TypeStyle) -> float:
    """From the last line of a name to the line of notes below it."""
    if not below:
        return 0.0
    clear = ink_height(below, note)[1] - min(0.0, ink_height(lines[-1], style)[0]) + 0.1
    return max(0.27 * style.size_mm + 0.12 * note.size_mm + rise_mm(below, note), clear)


def _stations(charter: Charter) -> bool:
    """Whether there are places for tokens."""
    return bool(charter.company.token_places or charter.company.stations)


def _stations_label(charter: Charter, x: float, y: float, width: float) -> tuple[TextRun, ...]:
    """The heading of the stations, if there are any, and, beside it, the home."""
    card, style = charter.card, charter.style
    heading = style.words(words("stations")) if _stations(charter) else ""
    runs = label(charter, heading, x, y) if heading else ()
    homes = home_names(charter.title, charter.company, style)
    goal = destination_words(charter.title, charter.company, style)
    if not homes and not goal:
        return runs
    told = [style.words(ASIDE, name, hexagon) if name else hexagon for hexagon, name in homes]
    places = listed_homes(charter.company, told, style)
    after = x + (text_width(heading, card.type("charter.label")) + 3 if heading else 0.0)
    note = card.type("charter.note")
    home = style.words(LEAD, style.words(words("home_base")), places) if homes else ""
    text = BETWEEN.join(filter(None, (home, goal)))
    fitted, text = one_line(text, note, x + width - after)
    return (*runs, *set_line(text, fitted, style.ink("text"), after, y))


def _treasury(charter: Charter, x: float, y: float, size: tuple[float, float], *, paneled: bool) -> tuple[Item, ...]:
    """Where the money lies, on a pale rosette; at its foot, what it may do (unless a panel says that) and where revenue
    goes."""
    width, height = size
    card, inks, style = charter.card, charter.inks, charter.style
    outline = rectangle_path(x, y, width, height, CORNER_MM)
    inner = rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, CORNER_MM - 0.6)
    rings = (replace(charter.pattern.heart, inner=0.55, outer=1.0),)
    radius = min(width, height) * 0.47
    rosette = rosette_scene(charter.key("treasury"), rings, radius, card.stroke(inks.veil, 0.12), Role.GROUND)
    note = card.type("charter.reminder")
    lines = [line for text in _reminders(charter, paneled=paneled) for line in wrap_even(text, note, width - 4)]
    leading = 1.22
    foot = height - 2.2 - (len(lines) - 1) * leading * note.size_mm
    middle = (foot - note.size_mm) / 2 if lines else height / 2
    return (
        Path(commands=outline, fill=style.ink("white"), stroke=card.stroke(inks.line, 0.3), role=Role.ORNAMENT),
        Path(commands=inner, fill=inks.tint),
        Group(items=(centred(rosette, x + width / 2, y + max(middle, height * 0.42)),), clip=inner),
        *set_block(lines, note, style.ink("text"), x + 2.2, y + foot, leading=leading),
    )


def _reminders(charter: Charter, *, paneled: bool) -> tuple[str, ...]:
    """What the company may do, where no panel says it, and what happens to revenue, for companies with shares."""
    style = charter.style
    told = () if paneled else tuple(style.words(ability) for ability in charter.company.abilities)
    shares = [certificate.percent for certificate in charter.company.certificates]
    if not shares:
        return told
    return (*told, style.words(words("paid_out"), min(shares)), style.words(words("withheld")))
