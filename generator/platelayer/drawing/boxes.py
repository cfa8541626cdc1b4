"""Sides of boxes: fronts styled like card backs, spines, and the list of contents."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product

from platelayer.drawing.backs import CardBack, Engraver, engine, light_ground
from platelayer.drawing.kit.layout import Box, stacked, text_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Column, Table, Words, draw_table
from platelayer.drawing.map.panels import cartouche, divider, name_block, plate_items, plated
from platelayer.foundation.geometry import MM_PER_PT
from platelayer.model.kinds import KINDS
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, name_parts
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import Anchor, Group, Items, Scene
from platelayer.scene.typeset import text_width

# Distance from the frame of a front to its plates, on a front as wide as a card.
_AROUND_MM = 4.0
# Minimum width of a plate with a cartouche's words below the name.
_LEAST_PLATE_MM = 42.0
_PLATE_PAD_MM = 6.5
# Clearance of letters from the edge of a plate, including its frame; and as a share of its height.
_PLATE_CLEAR_MM, _PLATE_CLEAR = 3.7, 0.2
_SPINE_CLEAR_MM = 2.5
# Height of the plate of a side: minimum, and share of the side's height; maximum type size without
# a plate.
_SPINE_HIGH_MM, _SPINE_SHARE, _BARE_PT = 22.0, 0.3, 21.0
# Height of a plate with the contents, extra height for each further line, and maximum type size.
_CONTENTS_HIGH_MM, _CONTENTS_MORE_MM, _CONTENTS_PT = 15.0, 4.0, 15.0
_LEADING = 1.15
# Names in a list, each with the comma that follows it.
_LISTED = re.compile("[^、,]+[、,]? ?")


# Maximum width of a list of contents, and distance from its plate's edges to the words.
_LIST_MM, _LIST_PAD_MM = 92.0, 9.0
# Type sizes of the list; the first that fits is used.
_LIST_PT = (12, 10, 8, 7, 6)


def box_ground(style: Style) -> Ink:
    """Return the ink that covers a box."""
    return light_ground(style.ink("back.wheel"), style)


def _engraver(title: Title, key: str, box: Box, style: Style) -> Engraver:
    back = CardBack(
        key=key,
        size_mm=box[2:],
        ground=box_ground(style),
        pattern=title.id,
        emblem=engine,
    )
    return Engraver(back, style, box)


def draw_box_front(
    title: Title, width_mm: float, height_mm: float, style: Style, contents: str = ""
) -> Scene:
    """Draw a front: the frame of a card's back with the cartouche of the first map, or only the
    name on a plate if there is no room; an engine above it if there is room; and below it the
    contents, if the box does not hold everything."""
    key = f"box:front:{contents}:{width_mm:g}x{height_mm:g}"
    engraver = _engraver(title, key, Box(0, 0, width_mm, height_mm), style)
    around = _AROUND_MM * engraver.k
    box, foot = engraver.field.inset(around), Box(0, 0, 0, 0)
    if contents:
        high = _CONTENTS_HIGH_MM + _CONTENTS_MORE_MM * contents.count("\n")
        box, foot = box.rows(0, high, gap=around)
    items: Items = ()
    if box.width >= _LEAST_PLATE_MM:
        wide = min(box.width, _LIST_MM + 2 * _LIST_PAD_MM)
        panel = cartouche(title, next(iter(title.maps), title), wide, style)
        sign = engraver.medallion(math.inf)
        with_sign = stacked(sign, around, panel)
        if with_sign.height + sign.height <= box.height:
            panel = with_sign
        if panel.height <= box.height:
            items = (box.centred(panel),)
    if not items:
        words = style.words(title.name)
        items = _plate(words, box.within(box.width, min(box.width * 0.6, box.height)), style)
    if contents:
        items = (*items, *_plate(contents, foot, style, most_pt=_CONTENTS_PT))
    return Scene(key, width_mm, height_mm, (*engraver.frame(), *items))


def draw_box_list(
    title: Title, counts: Mapping[str, int], width_mm: float, height_mm: float, style: Style
) -> Scene:
    """Draw the contents of a box, a line for each kind of piece, on a plate in the frame of a
    card's back."""
    key = f"box:list:{width_mm:g}x{height_mm:g}"
    engraver = _engraver(title, key, Box(0, 0, width_mm, height_mm), style)
    box = engraver.field.inset(_AROUND_MM * engraver.k)
    wide = min(_LIST_MM, box.width - 2 * _LIST_PAD_MM)
    ink, rule = style.ink("text"), style.ink("card.hair")
    letters, figures = style.type("map.credits"), style.type("card.figure")
    head = (name_block(style.words(title.name), "map.title", style, wide), divider(wide, style))
    columns = (Column(flexible=True), Column(align=Anchor.END))
    for size in _LIST_PT:
        rows = tuple(
            (
                Words(style.words(KINDS[kind].name), letters.at(size), ink),
                Words(str(count), figures.at(size), ink),
            )
            for kind, count in counts.items()
        )
        table = Table(
            columns=columns, rows=rows, rule=rule, strong=rule, head=False, pad=0.12 * size, gap=4
        )
        inside = stacked(*head, 5, draw_table(table, wide))
        panel = plated(inside, _LIST_PAD_MM, style, grand=True)
        if panel.height <= box.height:
            break
    return Scene(key, width_mm, height_mm, (*engraver.frame(), box.centred(panel)))


def draw_box_spine(words: str, width_mm: float, height_mm: float, style: Style) -> Scene:
    """Draw a side: words on a plate or, if the side is too low for one, in light letters on the
    ground."""
    side = Box(0, 0, width_mm, height_mm)
    box = side.inset(2 * _SPINE_CLEAR_MM, _SPINE_CLEAR_MM)
    high = max(_SPINE_HIGH_MM, _SPINE_SHARE * height_mm)
    if high <= box.height:
        items = _plate(words, side.within(min(box.width, high * 5), high), style)
    else:
        ink = readable_on(box_ground(style), style.ink("card.text"), style.ink("back.plate"))
        items = (_words(words, box, style, ink, _BARE_PT),)
    return Scene(f"box:spine:{words}:{width_mm:g}x{height_mm:g}", width_mm, height_mm, items)


def _plate(words: str, box: Box, style: Style, *, most_pt: float = math.inf) -> Items:
    """Draw words on a plate, inside its frame."""
    across = min(_PLATE_PAD_MM, 0.17 * box.width)
    inner = box.inset(across, max(_PLATE_CLEAR_MM, _PLATE_CLEAR * box.height))
    name = _words(words, inner, style, style.ink("map.title"), most_pt)
    return (box.placed(plate_items(box.width, box.height, style)), name)


def _words(words: str, box: Box, style: Style, ink: Ink, most_pt: float) -> Group:
    """Draw lines of words. Each is a name, or a list of names that is broken only between names;
    each takes up to three lines if that makes all of them larger."""
    letters = style.type("map.title").beside(words)
    letters = letters.at(min(letters.size_pt, most_pt))
    # Kanji fill the height of their em.
    first = 1 if holds_wide(words) else letters.cap_height_mm / letters.size_mm

    def size(lines: Sequence[str]) -> float:
        most = box.height / (first + (len(lines) - 1) * _LEADING) / MM_PER_PT
        widths = (letters.size_pt * box.width / text_width(line, letters) for line in lines)
        return min(letters.size_pt, most, *widths)

    ways = (tuple(chain(*way)) for way in product(*map(_ways, words.splitlines())))
    lines = max(ways, key=lambda way: (size(way), -max(map(len, way))))
    return box.centred(text_block(lines, letters.at(size(lines)), ink, leading=_LEADING))


def _ways(words: str) -> Iterator[tuple[str, ...]]:
    """Yield ways to break a name or a list into one, two and three lines."""
    parts = _LISTED.findall(words)
    if len(parts) == 1:
        space = "" if holds_wide(words) else " "
        parts = [part + space for part in name_parts(words)]
    for count in range(3):
        for ends in combinations(range(1, len(parts)), count):
            cuts = pairwise((0, *ends, len(parts)))
            yield tuple("".join(parts[start:end]).strip() for start, end in cuts)
