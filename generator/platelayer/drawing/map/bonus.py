"""Small plates with bonus tables for the free corners of a map."""

from __future__ import annotations

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.cartouche import Panel, plate_items
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import RevenueBonus, Title
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Item, Path, rectangle_path
from platelayer.scene.typeset import set_centred, set_line, text_width, wrap

words = FixedWords("map")

_PAD = 6.5
_CELL_MM = 11.0
_ROW_MM = 6.0
_HEAD_MM = 15.0


def bonus_panel(title: Title, bonus: RevenueBonus, style: Style) -> Panel:
    """One bonus: a row for each phase or colour in its own ink, a column for each count, and the note."""
    heading, cell, note = (style.type(f"map.legend{part}") for part in (".heading", ".strong", ".note"))
    columns = max(len(amounts) for _, amounts in bonus.rows)
    name = style.words(bonus.name)
    table = _HEAD_MM + columns * _CELL_MM
    width = max(table, text_width(name, heading)) + 2 * _PAD
    left, middle = (width - table) / 2, width / 2
    y = _PAD + heading.cap_height_mm + 0.6
    ink = style.ink("text")
    items: list[Item] = [
        *set_centred(name, heading, style.ink("map.title"), middle, y - heading.cap_height_mm / 2),
    ]
    y += 2.4
    if columns > 1:
        for column in range(columns):
            at = left + _HEAD_MM + (column + 0.5) * _CELL_MM
            items += set_centred(str(column + 1), note, ink, at, y + 1.6)
        y += 3.8
    line = style.stroke("map.offboard.rim")
    for head, amounts in bonus.rows:
        ground = style.theme.inks.get(f"tile.{head}") or style.ink("white")
        on = readable_on(ground, ink, style.ink("white"))
        row = rectangle_path(left, y, table, _ROW_MM)
        items.append(Path(commands=row, fill=ground, stroke=line))
        word = style.words(words.table("colours")[head]) if head in words.table("colours") else head
        items += set_centred(word, note, on, left + _HEAD_MM / 2, y + _ROW_MM / 2)
        for column, amount in enumerate(amounts):
            at = left + _HEAD_MM + (column + 0.5) * _CELL_MM
            items += set_centred(title.money(amount), cell, on, at, y + _ROW_MM / 2)
        y += _ROW_MM
    if bonus.note is not None:
        y += 1.2
        for text in wrap(style.words(bonus.note), note, width - 2 * _PAD):
            y += note.size_mm * 1.18
            items += set_line(text, note, ink, _PAD, y)
    height = y + _PAD - 0.5
    return Panel(width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items))
