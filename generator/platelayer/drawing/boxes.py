"""Sides of boxes: fronts in the dress of card backs, spines, and the list of what is inside."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from platelayer.drawing.backs import CardBack, Engraver, engine, light_ground
from platelayer.drawing.kit.layout import Box, stacked, text_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Column, Table, Words, draw_table
from platelayer.drawing.map.panels import cartouche, divider, name_block, plate_items, plated
from platelayer.foundation.geometry import MM_PER_PT
from platelayer.model.kinds import KINDS
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, name_parts
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Items, Scene
from platelayer.scene.typeset import fit, text_width

# From the frame of a front to its plates, on one as wide as a card.
_AROUND_MM = 4.0
# A narrower plate has no room for the words of a cartouche below the name.
_LEAST_PLATE_MM = 42.0
_PLATE_PAD_MM = 6.5
# The frame of a plate, and the air between it and letters.
_PLATE_CLEAR_MM = 3.7
_SPINE_CLEAR_MM = 2.5
_SPINE_HIGH_MM = 22.0
_CONTENTS_HIGH_MM, _CONTENTS_PT = 15.0, 15.0
_LEADING = 1.15
# Names in a list, each with the comma after it.
_LISTED = re.compile("[^、,]+[、,]? ?")


# The widest list of what is inside, and from its plate's edges to the words.
_LIST_MM, _LIST_PAD_MM = 92.0, 9.0
# Sizes of its type, of which the first that fits is used.
_LIST_PT = (12, 10, 8, 7, 6)


def box_ground(style: Style) -> Ink:
    """The ink all over a box."""
    return light_ground(style.ink("back.wheel"), style)


def _engraver(title: Title, key: str, box: Box, style: Style) -> Engraver:
    back = CardBack(
        key=key,
        label="",
        size_mm=box[2:],
        safe=0,
        turned=False,
        ground=box_ground(style),
        pattern=title.id,
        head="",
        foot="",
        emblem=engine,
    )
    return Engraver(back, style, box)


def draw_box_front(
    title: Title, width_mm: float, height_mm: float, style: Style, contents: str = ""
) -> Scene:
    """A front: the frame of a card's back, in it the cartouche of the first map on a plate, or the
    name alone where there is no map or no room, and an engine above it if there is room; below it
    what is inside, where that is not everything."""
    key = f"box:front:{contents}:{width_mm:g}x{height_mm:g}"
    engraver = _engraver(title, key, Box(0, 0, width_mm, height_mm), style)
    around = _AROUND_MM * engraver.k
    box, foot = engraver.field.inset(around), Box(0, 0, 0, 0)
    if contents:
        box, foot = box.rows(0, _CONTENTS_HIGH_MM, gap=around)
    items: Items = ()
    if title.maps and box.width >= _LEAST_PLATE_MM:
        panel = cartouche(title, title.maps[0], box.width, style)
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
    """The contents of a box, a line for each kind of piece, on a plate in the frame of a card's back."""
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


def draw_box_spine(names: Sequence[str], width_mm: float, height_mm: float, style: Style) -> Scene:
    """A side: the first of some names that fits, or the last, on a plate; none where it is too low
    for letters."""
    side = Box(0, 0, width_mm, height_mm)
    box = side.inset(_SPINE_CLEAR_MM)
    high = min(box.height, _SPINE_HIGH_MM)
    items: Items = ()
    if high > 2 * _PLATE_PAD_MM:
        plate = side.within(min(box.width, high * 5), high)
        room, letters = plate.width - 2 * _PLATE_PAD_MM, style.type("map.title")
        fitting = (name for name in names if text_width(name, fit(name, letters, room)) <= room)
        items = _plate(next(fitting, names[-1]), plate, style)
    key = f"box:spine:{':'.join(names)}:{width_mm:g}x{height_mm:g}"
    return Scene(key, width_mm, height_mm, items)


def _plate(words: str, box: Box, style: Style, *, most_pt: float = math.inf) -> Items:
    """A plate with a name or a list of names within its frame, on up to three lines where that lets
    them be larger: a list is parted between names alone."""
    letters, ink = style.type("map.title").beside(words), style.ink("map.title")
    letters, wide = letters.at(min(letters.size_pt, most_pt)), holds_wide(words)
    room = box.width - 2 * min(_PLATE_PAD_MM, 0.17 * box.width)
    inner = box.height - 2 * _PLATE_CLEAR_MM
    parts = _LISTED.findall(words)
    if len(parts) == 1:
        parts = [part if wide else f"{part} " for part in name_parts(words)]
    broken = (
        tuple("".join(parts[start:end]).strip() for start, end in pairwise((0, *ends, len(parts))))
        for count in range(3)
        for ends in combinations(range(1, len(parts)), count)
    )
    # Kanji are as high as their em.
    first = 1 if wide else letters.cap_height_mm / letters.size_mm

    def size(lines: Sequence[str]) -> float:
        most = inner / (first + (len(lines) - 1) * _LEADING) / MM_PER_PT
        widths = (letters.size_pt * room / text_width(line, letters) for line in lines)
        return min(letters.size_pt, most, *widths)

    lines = max(broken, key=size)
    name = text_block(lines, letters.at(size(lines)), ink, leading=_LEADING)
    return (box.placed(plate_items(box.width, box.height, style)), box.centred(name))
