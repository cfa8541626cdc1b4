"""Captions of a hex: tile number, names, letters, icons, and terrain with its cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.hex.captions import TILE_MM, Captions, Option
from platelayer.drawing.hex.ground import colour_ink
from platelayer.drawing.hex.patterns import letter_block
from platelayer.drawing.hex.places import Candidate
from platelayer.drawing.hex.stop_marks import Mark
from platelayer.drawing.hex.terrain import terrain_items, terrain_size
from platelayer.drawing.kit.icons import icon_block, over_symbols
from platelayer.drawing.kit.text_blocks import Block, line_breaks, sizes_down, words_block
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.tile import Icon, Label, StopKind, Terrain
from platelayer.scene.shapes import Group, Item, Path, Role, TextRun, rectangle_path, translation

# Corners for the tile's number: lower right, lower left, then up.
_CORNERS = {Layout.FLAT: (5.5, 0.5, 2.5, 3.5, 4.5, 1.5), Layout.POINTY: (4.5, 5.5, 0.5, 3.5, 1.5, 2.5)}
# Directions in degrees, clockwise from the right, where each is looked for first.
_LABEL_WAY = {Layout.FLAT: 180.0, Layout.POINTY: -150.0}
_ICON_WAY = {Layout.FLAT: 120.0, Layout.POINTY: 150.0}
_COST_WAY = 90.0
_LETTER_WAY = -120.0
_ICON_SHARES = (0.19, 0.16, 0.135)
_SIGN_SHARES = (0.32, 0.27, 0.23, 0.2, 0.17, 0.145)
_BARE_SIGN_SHARES = (0.46, 0.38, 0.3)


def add_number(captions: Captions) -> None:
    """The tile's number, small in a corner."""

    def options() -> Iterator[Option]:
        for rank, kind in enumerate(sizes_down(captions.kind("tile.number"))):
            block = words_block((captions.tile.id,), kind, captions.ink)
            places: list[Candidate] = []
            for number, corner in enumerate(_CORNERS[captions.layout]):
                x, y = edge_point(corner, captions.layout, 1.0)
                out = captions.field.reach((x, y), block.width, block.height)
                places += [(number * 0.15 + step * 0.1, x * (out - step), y * (out - step)) for step in (0.0, 0.8)]
            yield rank * 0.2, block, places

    captions.place(options(), enough=0.9, good=0.2)


def add_name(captions: Captions) -> None:
    """The name of the place, on one to three lines, above or below its stops."""
    if captions.tile.name is None or captions.named:
        return
    red = captions.tile.colour == "red" or any(stop.kind is StopKind.OFFBOARD for stop in captions.tile.stops)
    large = red and not captions.marks
    text = captions.style.words(captions.tile.name)
    options = _name_options(captions, text, captions.marks, large=large, own=False)
    captions.place(options, enough=0.9, good=0.7)


def add_stop_names(captions: Captions) -> None:
    """Names of single stops, each beside its own."""
    for stop, mark in zip(captions.tile.stops, captions.plan.marks, strict=True):
        if stop.name is not None and mark is not None and not stop.hidden:
            text = captions.style.words(stop.name)
            captions.place(_name_options(captions, text, (mark,), large=False, own=True), enough=0.9, good=0.7)


def _name_options(
    captions: Captions, text: str, marks: tuple[Mark, ...], *, large: bool, own: bool
) -> Iterator[Option]:
    top = bottom = middle = 0.0
    if marks:
        top = min(y - r for mark in marks for _, y, r in mark.bulk)
        bottom = max(y + r for mark in marks for _, y, r in mark.bulk)
        middle = math.fsum(mark.x for mark in marks) / len(marks)
    breaks = line_breaks(text)
    for rank, kind in enumerate(sizes_down(captions.kind("tile.name.large" if large else "tile.name"))):
        for count, lines in enumerate(breaks):
            block = words_block(lines, kind, captions.ink)
            places = _name_places(
                round(middle, 2),
                round(top, 2),
                round(bottom, 2),
                across_mm=captions.across,
                height=round(block.height, 2),
                own=own,
            )
            yield rank * 0.25 + count * 0.2, block, places


@lru_cache(maxsize=1024)
def _name_places(
    middle: float, top: float, bottom: float, *, across_mm: float, height: float, own: bool
) -> tuple[Candidate, ...]:
    """Places for a name: just above its stops, just below, then anywhere; mm."""
    gap = 1.0 * across_mm / TILE_MM
    above, below = (top - gap - height / 2, bottom + gap + height / 2) if top < bottom else (0.0, 0.0)
    weight = 0.16 if own else 0.06
    step = across_mm / 30
    rows = {above: 0, below: 0} | {k * step: 0 for k in range(-13, 14)}
    found: list[Candidate] = []
    for row in rows:
        off = min(abs(row - above), abs(row - below) + 1.5)
        found += [(weight * abs(k) * step + 0.07 * off, middle + k * step, row) for k in range(-7, 8)]
    return tuple(sorted(found))


def add_labels(captions: Captions) -> None:
    """Letters of the tile; those that apply later stand on a chip of the colour from which they do."""
    for label in captions.tile.labels:
        captions.place(_label_options(captions, label), enough=1.5, good=0.7)


def _label_options(captions: Captions, label: Label) -> Iterator[Option]:
    for rank, kind in enumerate(sizes_down(captions.kind("tile.label"), 1.0)):
        block = words_block((label.text,), kind, captions.ink)
        if label.since is not None:
            block = _chip(captions, words_block((label.text,), kind, captions.style.ink("text")), label.since)
        places = captions.ring((block.width, block.height), _LABEL_WAY[captions.layout], (0.72, 0.6, 0.84, 1.1))
        more = [(-0.1 if captions.bare else 0.3, 0.0, 0.0)]
        if rank >= 4:
            more += [(cost + 0.6, x, y) for cost, x, y in captions.inside()]
        yield rank * 0.4, block, sorted((*places, *more))


def _chip(captions: Captions, words: Block, colour: str) -> Block:
    pad = 1.2 * captions.scale
    width, height = words.width + pad, words.height + pad
    box = rectangle_path(-width / 2, -height / 2, width, height, 0.5 * captions.scale)
    rim, fill = captions.style.stroke("tile.disc"), colour_ink(colour, captions.style)
    ground = Path(commands=box, fill=fill, stroke=rim, role=Role.SYMBOL)
    return Block((ground, *over_symbols(words.items)), width + rim.width_mm, height + rim.width_mm)


def add_colour_letter(captions: Captions) -> None:
    """The letter of the tile's colour, where the theme has one; far from the middle, where nothing else needs room."""
    if captions.tile.colour not in captions.style.theme.patterns:
        return

    def options() -> Iterator[Option]:
        for rank, kind in enumerate(sizes_down(captions.kind("tile.colour"))):
            block = letter_block(captions.tile.colour, kind, captions.style)
            if block is not None:
                size = (block.width, block.height)
                ring = captions.ring(size, _LETTER_WAY, (1.1, 0.95, 0.8, 0.65, 0.5))
                inside = [(cost + 1.2, x, y) for cost, x, y in captions.inside()]
                # The pattern of the rim tells the colour already.
                items = (replace(each, fine=True) if isinstance(each, TextRun) else each for each in block.items)
                sign = Block(over_symbols(tuple(items)), block.width, block.height)
                yield rank * 0.2, sign, sorted((*ring, *inside))

    captions.place(options(), enough=0.6, good=0.25)


def add_hinted_icons(captions: Captions) -> None:
    """Small pictures that have a hint where they stand: everything else keeps clear of them."""
    for icon in captions.tile.icons:
        if icon.at is not None:
            captions.place(_icon_options(captions, icon), enough=1.1, good=0.8)


def add_icons(captions: Captions) -> None:
    """Small pictures without a hint, where there is room."""
    for icon in captions.tile.icons:
        if icon.at is None:
            captions.place(_icon_options(captions, icon), enough=1.1, good=0.8)


def _icon_options(captions: Captions, icon: Icon) -> Iterator[Option]:
    least = captions.kind("tile.cost")
    for rank, share in enumerate(_ICON_SHARES):
        kind = least.at(least.size_pt * share / _ICON_SHARES[-1])
        block = icon_block(icon.name, icon.text, share * captions.across, captions.style, kind)
        if icon.at is not None:
            distance = 0.62 if icon.at.distance is None else icon.at.distance
            places: tuple[Candidate, ...] = ((0.0, *captions.towards(icon.at.edge, distance)),)
        else:
            shares = (0.5, 0.62, 0.74, 0.86, 1.1)
            places = captions.ring((block.width, block.height), _ICON_WAY[captions.layout], shares)
            places = ((-0.05, 0.0, 0.0), *places)
        yield rank * 0.35, block, places


def add_terrain(captions: Captions) -> None:
    """Each kind of ground with its cost."""
    for entry in captions.tile.terrain:
        captions.place(_terrain_options(captions, entry), enough=1.0, good=0.8)


def _terrain_options(captions: Captions, entry: Terrain) -> Iterator[Option]:
    shares = _BARE_SIGN_SHARES if captions.bare else _SIGN_SHARES
    ways = [
        (rank * 0.3 + (0.0 if below else 0.4), share, below) for rank, share in enumerate(shares) for below in (1, 0)
    ]
    for cost, share, below in sorted(ways):
        block = _terrain_block(captions, entry, share * captions.across, below=bool(below))
        size = (block.width, block.height)
        places = captions.inside() if captions.bare else captions.ring(size, _COST_WAY, (0.7, 0.8, 0.6, 0.5, 1.1))
        yield cost, block, places


def _terrain_block(captions: Captions, entry: Terrain, width_mm: float, *, below: bool) -> Block:
    """Symbols of the ground side by side, the cost below or to the right of them."""
    words = Block((), 0.0, 0.0)
    if entry.cost:
        kind = captions.kind("tile.cost.large" if captions.bare else "tile.cost")
        words = words_block((str(entry.cost),), kind, captions.ink)
    if not entry.kinds:
        return _chip(
            captions, words_block((str(entry.cost),), captions.kind("tile.cost"), captions.style.ink("text")), "white"
        )
    gap = 0.45 * captions.scale
    signs = [(sign, *terrain_size(sign, round(width_mm, 2))) for sign in entry.kinds]
    total = math.fsum(width for _, width, _ in signs) + gap * (len(signs) - 1)
    tall = max(height for _, _, height in signs)
    space = 1.6 * gap if entry.cost else 0.0
    if below:
        width, height = max(total, words.width), tall + space + words.height
        left, middle, place = -total / 2, (tall - height) / 2, (0.0, (height - words.height) / 2)
    else:
        width, height = total + space + words.width, max(tall, words.height)
        left, middle, place = -width / 2, 0.0, ((width - words.width) / 2, 0.0)
    items: list[Item] = []
    for sign, sign_width, _ in signs:
        matrix = translation(left + sign_width / 2, middle)
        items.append(Group(items=terrain_items(sign, sign_width, captions.style), matrix=matrix))
        left += sign_width + gap
    return Block((*items, *words.at(*place)), width, height)
