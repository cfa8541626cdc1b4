"""Upright charters: the company's colour at the head, what it may do, and its trains at the foot."""

from __future__ import annotations

import math

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
from platelayer.drawing.company.roundel import roundel_items
from platelayer.drawing.kit.card import Card
from platelayer.drawing.kit.guilloche import braid_scene, centred, rosette_scene
from platelayer.drawing.kit.lettering import balanced, ink_height, left_out, line_step, one_line
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import train_bay
from platelayer.model.slots import TOKEN_PLAY_MM
from platelayer.scene.inks import mix
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Role,
    TextRun,
    Use,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, set_block, set_centred, set_line

words = FixedWords("companies")

DESIGN = (92.0, 140.0)
"""Width and height in design units that the parts need."""
_SIDE = 6.0
_HEAD = 24.0
_STRIP = 3.4
_NAME_LEADING = 1.16
_EDGE_MM = 3.1


def tall_card(width_mm: float, height_mm: float, style: Style, *, bleed_mm: float, safe_mm: float) -> Card:
    """An upright card to design on, with at least `DESIGN` units each way."""
    unit = min(width_mm / DESIGN[0], height_mm / DESIGN[1])
    return Card(
        width=width_mm / unit,
        height=height_mm / unit,
        unit_mm=unit,
        bleed=bleed_mm / unit,
        safe=safe_mm / unit,
        upright=False,
        bleed_mm=bleed_mm,
        safe_mm=safe_mm,
        style=style,
    )


def tall_items(charter: Charter) -> tuple[Item, ...]:
    """Everything on an upright charter."""
    card, style, company = charter.card, charter.style, charter.company
    left, right = _SIDE, card.width - _SIDE
    low = card.height - charter.mm(3.0) - 0.6
    tall = charter.mm(train_bay(charter.title, company).height_mm)
    trains = low - tall
    token = charter.mm(charter.title.pieces.size("token", company.id).width_mm + TOKEN_PLAY_MM)
    slots = min((token + 2.6) * max(1, len(company.stations)), (right - left) * 0.6)
    head = _HEAD + _STRIP
    row = head + 4.8
    table = limits_width(charter, 6.6, (right - left) * 0.55)
    money = left + (table + 4.0 if table else 0.0)
    purse = trains - 18.6
    sign = left + slots + 2.4
    return (
        card.ground(style.ink("paper")),
        *_head(charter),
        *label(charter, style.words(words("stations") if len(company.stations) > 1 else words("station")), left, row),
        *station_slots(charter, left, row + 2.0 + token / 2, slots),
        *_home(charter, sign, row, right - sign, token),
        *abilities_panel(charter, left, row + token + 7.8, right - left, purse - 5.0 - (row + token + 7.8)),
        *(label(charter, style.words(words("train_limit")), left, purse) if table else ()),
        *limit_table(charter, left, purse + 1.7, table, 10.6),
        *label(charter, style.words(words("treasury")), money, purse),
        *_treasury(charter, money, purse + 1.7, right - money, 10.6),
        *label(charter, style.words(words("trains")), left, trains - 1.5),
        *train_stack(charter, left, trains, right - left, tall),
    )


def _head(charter: Charter) -> tuple[Item, ...]:
    """The company's colour with its roundel in a halo, its name and how its capital is made up; a braid below."""
    card, inks, style = charter.card, charter.inks, charter.style
    w, b = card.width, card.bleed
    x, y = 17.4, _HEAD / 2 + 0.8
    pattern = charter.pattern
    rings = (replace(pattern.rim, inner=0.7), replace(pattern.small, inner=0.68, outer=0.93))
    stroke = card.stroke(mix(inks.band, inks.on_band, 0.4), 0.1)
    halo = rosette_scene(charter.key("halo"), rings, 15.2, stroke, Role.ORNAMENT)
    strip = braid_scene(
        charter.key("strip:across"), pattern.wave, w + 2 * b, _STRIP * 0.42, card.stroke(style.ink("paper"), 0.1)
    )
    band = rectangle_path(-b, -b, w + 2 * b, _HEAD + b)
    gold = style.ink("certificate.gold")
    return (
        Path(commands=band, fill=inks.band),
        Group(items=(centred(halo, x, y),), clip=band),
        Path(commands=rectangle_path(-b, _HEAD, w + 2 * b, _STRIP), fill=inks.line),
        Use(scene=strip, matrix=translation(-b, _HEAD + _STRIP * 0.08)),
        Path(commands=rectangle_path(-b, _HEAD - 0.25, w + 2 * b, 0.5), fill=gold, role=Role.ORNAMENT),
        Circle(cx=x, cy=y, r=10.1, fill=gold, role=Role.ORNAMENT),
        Circle(cx=x, cy=y, r=9.7, fill=style.ink("paper"), role=Role.ORNAMENT),
        Group(
            items=roundel_items(charter.company, 18.4, style, unit_mm=charter.card.unit_mm), matrix=translation(x, y)
        ),
        *_name(charter, x + 15.8, w - _SIDE, y),
    )


def _name(charter: Charter, left: float, right: float, middle: float) -> tuple[TextRun, ...]:
    card, inks = charter.card, charter.inks
    style, lines = balanced(charter.name, card.type("charter.minor"), right - left, 2, several=0.82, clip=True)
    capital = capital_words(charter)
    note, capital = one_line(capital, card.type("charter.capital"), right - left)
    leading = line_step(lines, style, _NAME_LEADING)
    clear = ink_height(capital, note)[1] - ink_height(lines[-1], style)[0] + 0.1
    drop = max(0.3 * style.size_mm + 0.8 * note.size_mm, clear) if capital else 0.0
    block = style.cap_height_mm + leading * (len(lines) - 1) + drop
    first = middle - block / 2 + style.cap_height_mm
    first = max(first, charter.mm(_EDGE_MM) + ink_height(lines[0], style)[1])
    last = first + leading * (len(lines) - 1)
    return (
        *set_block(lines, style, inks.on_band, left, first, leading=leading / style.size_mm),
        *(set_line(capital, note, inks.on_band, left, last + drop) if capital else ()),
        *left_out(charter.second_name, note, inks.on_band),
    )


def _home(charter: Charter, x: float, row: float, width: float, tall: float) -> tuple[Item, ...]:
    """The home as a station sign: the map tile it comes with, or its hexes on the map."""
    card, inks, style = charter.card, charter.inks, charter.style
    badge_text, name = _home_words(charter)
    if not name:
        return ()
    y, wide = row + 2.0, width
    plate = rectangle_path(x, y, wide, tall, CORNER_MM)
    rim = rectangle_path(x + 0.8, y + 0.8, wide - 1.6, tall - 1.6, CORNER_MM - 0.5)
    badge, light = (tall / 2 - 2.4 if badge_text else 0.0), inks.on_line
    middle = y + tall / 2
    start = x + 2.6 + (2 * badge + 2.0 if badge else 0.0)
    sign, name = one_line(name, card.type("charter.sign"), x + wide - 2.4 - start)
    items: list[Item] = [
        *label(charter, style.words(words("home_base")), x, row),
        Path(commands=plate, fill=inks.line),
        Path(commands=rim, stroke=card.stroke(light, 0.25), role=Role.ORNAMENT),
    ]
    if badge:
        at = x + 2.6 + badge
        turns = [math.pi / 3 * k for k in range(6)]
        corners = tuple((at + badge * math.cos(a), middle + badge * math.sin(a)) for a in turns)
        code = fit(badge_text, card.type("charter.sign"), badge * 1.5)
        items += [Path(commands=polygon_path(corners), fill=light)]
        items += set_centred(badge_text, code, style.ink("text"), at, middle)
    items += set_line(name, sign, light, start, middle + sign.cap_height_mm / 2)
    return tuple(items)


def _home_words(charter: Charter) -> tuple[str, str]:
    """What stands in the badge of the home, and beside it; empty where there is no home."""
    style, company, box = charter.style, charter.company, charter.title.atlas
    homes = home_names(charter.title, company, style)
    if homes:
        places = [f"{name} ({hexagon})" if name else hexagon for hexagon, name in homes]
        goal = destination_words(charter.title, company, style)
        return "", BETWEEN.join(filter(None, (listed_homes(company, places, style), goal)))
    if box is None:
        return "", ""
    for tile in box.map_tiles:
        if any(each.company == company.id for each in tile.hexes):
            return str(tile.number), style.words(words("map_tile"))
    return "", style.words(words("any_city"))


def _treasury(charter: Charter, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
    card, inks, style = charter.card, charter.inks, charter.style
    outline = rectangle_path(x, y, width, height, CORNER_MM)
    inner = rectangle_path(x + 0.8, y + 0.8, width - 1.6, height - 1.6, CORNER_MM - 0.6)
    veil = card.stroke(inks.veil, 0.12)
    braid = braid_scene(charter.key("treasury:across"), charter.pattern.wave, width - 1.6, height * 0.3, veil)
    return (
        Path(commands=outline, fill=style.ink("white"), stroke=card.stroke(inks.line, 0.3), role=Role.ORNAMENT),
        Path(commands=inner, fill=inks.tint),
        Use(scene=braid, matrix=translation(x + 0.8, y + height * 0.2)),
    )
