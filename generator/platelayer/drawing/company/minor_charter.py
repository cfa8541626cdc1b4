"""Charters of minor companies: a large number on a dark column, the home on a station sign."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.company.abilities import abilities_panel
from platelayer.drawing.company.charter_parts import (
    BETWEEN,
    CORNER_MM,
    Charter,
    destination_words,
    home_names,
    label,
    limit_table,
    limits_width,
    listed_homes,
    station_slots,
    train_stack,
)
from platelayer.drawing.company.roundel import roundel_items
from platelayer.drawing.kit.guilloche import braid_scene, centred, pattern_of, rosette_scene
from platelayer.drawing.kit.lettering import balanced, figure_height, ink_height, left_out, line_step, one_line
from platelayer.drawing.kit.ornament import diamond_rule
from platelayer.drawing.kit.text_blocks import listed
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import train_bay
from platelayer.model.slots import TOKEN_PLAY_MM
from platelayer.scene.inks import mix
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Point,
    Role,
    TextRun,
    Use,
    multiply,
    polygon_path,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import fit, set_block, set_centred, set_line, text_width

words = FixedWords("companies")

_COLUMN = 43.0
_STRIP = 3.4
_RIGHT = 5.0
_SIGN = 13.6
_SECOND = 3.6
_TALL = 112.0
_TABLE = 13.0
_DESCENT = 0.27
"""How far letters reach below their line, by the size of the type."""
_PANEL_GAP = 3.4
_LEAST_PANEL = 7.0
_CLEAR = 0.1
"""Between letters and accents of names."""


def minor_items(charter: Charter) -> tuple[Item, ...]:
    """Everything on the charter of a minor."""
    card, style, company = charter.card, charter.style, charter.company
    w, h = card.width, card.height
    left, right = _COLUMN + _STRIP + 4.6, w - _RIGHT
    low = h - charter.mm(3.0) - 0.4
    tall = charter.mm(train_bay(charter.title, company).height_mm)
    token = charter.mm(charter.title.pieces.size("token", company.id).width_mm + TOKEN_PLAY_MM)
    slots = min((token + 2.6) * len(company.stations), (right - left) * 0.5)
    top = 16.4 + (_SECOND if _has_second(charter) else 0.0)
    places = (right - slots + 2.6, top + _SIGN / 2 - 1.2 - token / 2)
    # Without a sign and places for tokens, the money lies right below the name.
    row = top + 5.6 + (_SIGN if company.stations or home_names(charter.title, company, style) else 0.0)
    table = limits_width(charter, 6.4, 6.4 * 8)
    money = left + (table + 4.5 if table else 0.0)
    bottom = low - tall - 6.2
    # On cards taller than the design, a panel tells what the company may do.
    spare = bottom - row - 1.7 - _TABLE - _PANEL_GAP
    paneled = bool(company.abilities) and spare >= _LEAST_PANEL
    if paneled:
        bottom -= spare + _PANEL_GAP
    # Charters of one colour share their curves: heights are rounded, so that the last bits never differ.
    high = round(bottom - row - 1.7, 3)
    return (
        card.ground(style.ink("paper")),
        *_column(charter),
        *_name(charter, left, right, places),
        *_second(charter, left, right, places),
        *_sign(charter, left, top, right - left - slots - 1.5),
        *station_slots(charter, right - slots + 2.6, top + _SIGN / 2 - 1.2, slots - 2.6),
        *(label(charter, style.words(words("train_limit")), left, row) if table else ()),
        *limit_table(charter, left, row + 1.7, table, high),
        *label(charter, style.words(words("treasury")), money, row),
        *_treasury(charter, money, row + 1.7, right - money, high),
        *(abilities_panel(charter, left, bottom + _PANEL_GAP, right - left, spare) if paneled else ()),
        *label(charter, style.words(words("trains")), left, low - tall - 1.5),
        *train_stack(charter, left, low - tall, right - left, tall),
    )


def _column(charter: Charter) -> tuple[Item, ...]:
    """The company's colour, full height, with its number in a ring of lace."""
    card, inks, style = charter.card, charter.inks, charter.style
    b, h = card.bleed, card.height
    x, y = _COLUMN / 2 + 0.6, h * 0.47
    gold = style.ink("certificate.gold")
    lace_ink = mix(inks.band, inks.on_band, 0.55)
    rings = (charter.pattern.rim, replace(charter.pattern.small, inner=0.74, outer=0.92))
    lace = rosette_scene(charter.key("lace"), rings, 19.4, card.stroke(lace_ink, 0.1), Role.ORNAMENT)
    strip = braid_scene(
        charter.key("strip:down"),
        charter.pattern.wave,
        h + 2 * b,
        _STRIP * 0.42,
        card.stroke(style.ink("paper"), 0.1),
    )
    place = multiply(translation(_COLUMN + _STRIP * 0.92, -b), rotation(90))
    return (
        Path(commands=rectangle_path(-b, -b, _COLUMN + b, h + 2 * b), fill=inks.band),
        Path(commands=rectangle_path(_COLUMN, -b, _STRIP, h + 2 * b), fill=inks.line),
        Use(scene=strip, matrix=place),
        Path(commands=rectangle_path(_COLUMN - 0.25, -b, 0.5, h + 2 * b), fill=gold, role=Role.ORNAMENT),
        *_fans(charter, x),
        centred(lace, x, y),
        *_number(charter, x, y),
        *_sort(charter, x, y - 26.5),
        *_order(charter, x, y + 28.0),
    )


def _sort(charter: Charter, x: float, y: float) -> tuple[TextRun, ...]:
    """What companies of its sort are called."""
    text = charter.style.words(charter.company.class_name or words("minor"))
    kind, text = one_line(text, charter.card.type("charter.column"), _COLUMN - 6)
    return set_centred(text, kind, charter.inks.on_band, x, y)


def _fans(charter: Charter, x: float) -> tuple[Item, ...]:
    """Half a rosette at the head of the column and half at its foot, running off the edge; minors of one colour share
    them."""
    card, inks = charter.card, charter.inks
    b, h = card.bleed, card.height
    stroke = card.stroke(mix(inks.band, inks.on_band, 0.3), 0.1)
    pattern = pattern_of(charter.company.colour)
    fan = rosette_scene(charter.shared_key("fan"), (pattern.petals, pattern.rim), 17.0, stroke, Role.ORNAMENT)
    clip = rectangle_path(-b, -b, _COLUMN + b, h + 2 * b)
    return (Group(items=(centred(fan, x, 0.0), centred(fan, x, h)), clip=clip),)


def _number(charter: Charter, x: float, y: float) -> tuple[Item, ...]:
    """The number, or the roundel of a minor that is known by letters."""
    inks, company = charter.inks, charter.company
    if not company.token_text.isdecimal():
        return (
            Circle(cx=x, cy=y, r=11.4, fill=charter.style.ink("paper"), role=Role.ORNAMENT),
            Group(
                items=roundel_items(company, 21.6, charter.style, unit_mm=charter.card.unit_mm),
                matrix=translation(x, y),
            ),
        )
    style = charter.card.type("charter.number")
    text, inside = company.token_text, 13.6
    half_wide, half_tall = text_width(text, style) / 2, figure_height(style) / 2
    style = style.at(style.size_pt * min(1.0, inside / math.hypot(half_wide, half_tall)))
    tall = figure_height(style)
    return set_line(text, style, inks.on_band, x - text_width(text, style) / 2, y + tall / 2)


def _order(charter: Charter, x: float, y: float) -> tuple[Item, ...]:
    """Its place in the operating order."""
    card, inks, company, style = charter.card, charter.inks, charter.company, charter.style
    if company.order is None:
        return ()
    caption, figure = card.type("charter.column"), card.type("charter.order")
    turn = style.words(words("operates"))
    return (
        *diamond_rule(x - 4.2, y, 10.5, inks.on_band, 0.16, towards=-1),
        *diamond_rule(x + 4.2, y, 10.5, inks.on_band, 0.16, towards=1),
        *set_centred(str(company.order), figure, inks.on_band, x, y),
        *set_centred(turn, fit(turn, caption, _COLUMN - 8), inks.on_band, x, y + 6.2),
    )


def _name(charter: Charter, left: float, right: float, places: Point) -> tuple[TextRun, ...]:
    """The name, in the whole width unless it would run into the token places, whose upper left corner is given."""
    whole, beside = right - left, places[0] - 1.0 - left
    block, widest, lowest = _name_block(charter, left, whole)
    if widest > beside and lowest > places[1]:
        block, _, _ = _name_block(charter, left, beside)
    return block


def _name_block(charter: Charter, left: float, width: float) -> tuple[tuple[TextRun, ...], float, float]:
    """The name within a width; how wide it is, and how far down it reaches."""
    style, lines = balanced(charter.name, charter.card.type("charter.minor"), width, 2, several=0.64, clip=True)
    leading = line_step(lines, style, 1.04)
    first = (9.6 if len(lines) == 1 else 9.0) + style.cap_height_mm / 2 - leading * (len(lines) - 1) / 2
    block = set_block(lines, style, charter.style.ink("text"), left, first, leading=leading / style.size_mm)
    low = ink_height(lines[-1], style.beside(lines[-1]))[0]
    lowest = first + leading * (len(lines) - 1) + max(_DESCENT * style.size_mm, -low)
    return block, max(text_width(line, style) for line in lines), lowest


def _has_second(charter: Charter) -> bool:
    """Whether the name in another language has a line, as on cards taller than the design."""
    return bool(charter.second_name) and charter.card.height >= _TALL


def _second(charter: Charter, left: float, right: float, places: Point) -> tuple[TextRun, ...]:
    """The name in another language, beside the token places (their upper left corner) where it would run into them."""
    text, ink = charter.second_name, charter.style.ink("text")
    kind = charter.card.type("charter.capital")
    for width, lowest in ((right - left, places[1]), (places[0] - 1.0 - left, 16.4 + _SECOND)):
        fitted, line = one_line(text, kind, width)
        low, high = ink_height(line, fitted.beside(line))
        base = max(16.4 + 0.5 * _SECOND, _name_block(charter, left, right - left)[2] + high + _CLEAR)
        if _has_second(charter) and base - low <= lowest - _CLEAR:
            return set_line(line, fitted, ink, left, base)
    return left_out(text, kind, ink)


def _sign(charter: Charter, x: float, y: float, width: float) -> tuple[Item, ...]:
    """The home as an enamelled station sign: the place, its hex in a hexagon; what is held back for the company."""
    card, inks, style, company = charter.card, charter.inks, charter.style, charter.company
    homes = home_names(charter.title, company, style)
    if not homes:
        return ()
    ground, light = inks.line, inks.on_line
    plate = rectangle_path(x, y, width, _SIGN, CORNER_MM)
    rim = rectangle_path(x + 0.8, y + 0.8, width - 1.6, _SIGN - 1.6, CORNER_MM - 0.5)
    name = listed_homes(company, [place or hexagon for hexagon, place in homes], style)
    hexes = " ".join(hexagon for hexagon, _ in homes)
    badge = 4.4
    middle = x + 2.6 + badge
    held = style.words(words("held_back"), listed(company.blocks, style)) if company.blocks else ""
    held = BETWEEN.join(filter(None, (held, destination_words(charter.title, company, style))))
    start, room = middle + badge + 2.2, width - 2 * badge - 7.4
    place_style, name = one_line(name, card.type("charter.sign"), room)
    note = card.type("charter.held")
    lift = 1.7 if held else 0.0
    held_style, held = one_line(held, note, room) if held else (note, "")
    turns = [math.pi / 3 * k for k in range(6)]
    corners = tuple((middle + badge * math.cos(a), y + _SIGN / 2 + badge * math.sin(a)) for a in turns)
    code = fit(hexes, card.type("charter.hex"), badge * 1.6)
    return (
        Path(commands=plate, fill=ground),
        Path(commands=rim, stroke=card.stroke(light, 0.25), role=Role.ORNAMENT),
        Path(commands=polygon_path(corners), fill=light),
        *set_centred(hexes, code, style.ink("text"), middle, y + _SIGN / 2),
        *set_line(name, place_style, light, start, y + _SIGN / 2 + place_style.cap_height_mm / 2 - lift),
        *(set_line(held, held_style, light, start, y + _SIGN - 2.6) if held else ()),
    )


def _treasury(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    card, inks, style = charter.card, charter.inks, charter.style
    outline = rectangle_path(x, y, width, height, CORNER_MM)
    inner = rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, CORNER_MM - 0.6)
    wave, key = pattern_of(charter.company.colour).wave, f"treasury {width:.12g}x{height:.12g}:across"
    braid = braid_scene(
        charter.shared_key(key),
        wave,
        width - 1.6,
        height * 0.26,
        card.stroke(inks.veil, 0.12),
    )
    return (
        Path(commands=outline, fill=style.ink("white"), stroke=card.stroke(inks.line, 0.3), role=Role.ORNAMENT),
        Path(commands=inner, fill=inks.tint),
        Use(scene=braid, matrix=translation(x + 0.8, y + height * 0.24)),
    )
