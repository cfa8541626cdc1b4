"""The homes of an assembled map compared by small bars: a page, and a panel for the poster."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.drawing.atlas.facts import page_head
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.rich_text import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.atlas import AtlasLog
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Group, Item, Path, Scene, rectangle_path, translation
from platelayer.scene.typeset import fit, set_line, text_width

atlas_words = FixedWords("atlas")

_NAME_MM = 34.0
_HEAD_PT = 8.0
_GAP_MM = 4.0
_ROW_MM, _BAR_MM, _ROUNDEL_MM = 11.0, 2.0, 7.0
_MARK_MM = 0.35
_LINE_MM, _LINE_PT, _LINE_BAR_MM = 3.3, 7.0, 1.7

COLUMNS = {
    "train_2": "tile.yellow",
    "train_3": "tile.green",
    "train_4": "tile.green",
    "worth": "map.title",
    "city_way": "tile.gray",
    "city_cost": "tile.gray",
    "capital_way": "tile.gray",
    "destination_way": "tile.gray",
    "rivals": "tile.gray",
}
"""What is compared, and the ink of its bars. The words for it are in atlas/balance_words."""
_WORTH = [*COLUMNS].index("worth")
_MONEY = frozenset({"train_2", "train_3", "train_4", "worth", "city_cost"})


class HomeRow(Struct, frozen=True, kw_only=True):
    """A home: id of its company, and a value for each of COLUMNS (None: it has none)."""

    company: str
    values: tuple[int | None, ...]


def draw_balance(
    title: Title,
    log: AtlasLog,
    style: Style,
    width_mm: float,
    height_mm: float,
    *,
    rows: Sequence[HomeRow],
    fairness: float,
) -> Scene:
    """The homes of a map side by side on a page of this size (mm), key `atlas-balance:1`. The bars
    of a column have one scale, and a mark at their mean."""
    words = {
        key: style.words(text, f"{fairness:.1f}")
        for key, text in atlas_words.table("balance_words").items()
    }
    items, y = page_head(title, log, words["balance"], style, width_mm)
    about, tall = _about(words["fairness"], words["about"], style, width_mm)
    items.append(Group(items=tuple(about), matrix=translation(0, y)))
    y += tall + 3.0
    pitch = (width_mm - _NAME_MM) / len(COLUMNS)
    heads = style.type("atlas.guide.strong").at(_HEAD_PT)
    for number, column in enumerate(COLUMNS):
        lines = wrap_rich(words[column], heads, pitch - 1.6)
        for place, line in enumerate(lines):
            base = y + 7.0 - (len(lines) - 1 - place) * heads.size_mm * 1.1
            items += set_line(line, heads, style.ink("text"), _NAME_MM + number * pitch, base)
    y += 9.0
    known = with_roundels(title)
    for place, row in enumerate(rows):
        top = y + place * _ROW_MM
        items.append(
            Path(commands=rectangle_path(0, top, width_mm, 0.15), fill=style.ink("card.hair"))
        )
        middle = top + _ROW_MM / 2
        company = known[row.company]
        roundel = roundel_items(company, _ROUNDEL_MM, style)
        items.append(Group(items=roundel, matrix=translation(_ROUNDEL_MM / 2 + 0.4, middle)))
        strong = style.type("atlas.guide.strong")
        type_style, name = one_line(style.words(company.name), strong, _NAME_MM - _ROUNDEL_MM - 4.0)
        items += set_line(
            name,
            type_style,
            style.ink("text"),
            _ROUNDEL_MM + 2.4,
            middle + type_style.cap_height_mm / 2,
        )
    for number, (column, ink) in enumerate(COLUMNS.items()):
        values = [row.values[number] for row in rows]
        figures = [
            "–" if value is None else title.money(value) if column in _MONEY else str(value)
            for value in values
        ]
        bars = _bars(values, figures, style.ink(ink), pitch - _GAP_MM, style)
        items.append(Group(items=tuple(bars), matrix=translation(_NAME_MM + number * pitch, y)))
    return Scene(
        key="atlas-balance:1",
        width_mm=width_mm,
        height_mm=height_mm,
        items=tuple(items),
        label=words["balance"],
    )


def worth_items(
    title: Title, style: Style, width_mm: float, *, rows: Sequence[HomeRow], fairness: float
) -> tuple[tuple[Item, ...], float]:
    """The fairness of a map, and the worth of each home as a bar in a line, the mean marked; and
    how high that is."""
    strong, ink = style.type("atlas.fact.strong"), style.ink("text")
    line = strong.at(_LINE_PT)
    words = {
        key: style.words(text, f"{fairness:.1f}")
        for key, text in atlas_words.table("balance_words").items()
    }
    heading, worth = words["fairness"], words["worth"]
    head = fit(heading, strong, width_mm - text_width(worth, line) - 2.0)
    base = head.cap_height_mm
    items: list[Item] = [*set_line(heading, head, ink, 0, base)]
    items += set_line(worth, line, ink, width_mm, base, anchor=Anchor.END)
    y = base + 1.6
    names = [title.company_by_id[row.company].token_text for row in rows]
    worths = [row.values[_WORTH] or 0 for row in rows]
    money = [title.money(amount) for amount in worths]
    left = max(text_width(name, line) for name in names) + 1.2
    room = width_mm - left - max(text_width(text, line) for text in money) - 1.2
    most, mean = max(worths) or 1, math.fsum(worths) / len(worths)
    for name, value, paid in zip(names, worths, money, strict=True):
        base, top = y + (_LINE_MM + line.cap_height_mm) / 2, y + (_LINE_MM - _LINE_BAR_MM) / 2
        items += set_line(name, line, ink, 0, base)
        items.append(
            Path(
                commands=rectangle_path(left, top, room, _LINE_BAR_MM), fill=style.ink("card.tint")
            )
        )
        if value:
            bar = rectangle_path(left, top, room * value / most, _LINE_BAR_MM)
            items.append(Path(commands=bar, fill=style.ink(COLUMNS["worth"])))
        mark = rectangle_path(
            left + min(room * mean / most, room - _MARK_MM), top - 0.4, _MARK_MM, _LINE_BAR_MM + 0.8
        )
        items.append(Path(commands=mark, fill=ink))
        items += set_line(paid, line, ink, width_mm, base, anchor=Anchor.END)
        y += _LINE_MM
    return tuple(items), y


def _about(fairness: str, about: str, style: Style, width: float) -> tuple[list[Item], float]:
    """The fairness of the whole map and how to read the bars; and how much room that takes."""
    body, strong, ink = (
        style.type("atlas.guide.body"),
        style.type("atlas.guide.strong").at(13),
        style.ink("text"),
    )
    aside = text_width(fairness, strong) + 8.0
    lines = wrap_rich(about, body, width - aside - 8.0)
    step = body.size_mm * 1.25
    tall = len(lines) * step + 4.6
    items: list[Item] = [
        Path(commands=rectangle_path(0, 0, width, tall, 1.5), fill=style.ink("card.tint"))
    ]
    items += set_line(fairness, strong, ink, 4.0, tall / 2 + strong.cap_height_mm / 2)
    first = tall / 2 - (len(lines) - 1) * step / 2 + body.cap_height_mm / 2
    for number, line in enumerate(lines):
        items += set_line(line, body, ink, aside + 4.0, first + number * step)
    return items, tall


def _bars(
    values: Sequence[int | None], figures: Sequence[str], ink: Ink, room: float, style: Style
) -> Iterator[Item]:
    """A column: each value, in words, above its bar."""
    strong, tint, text = style.type("atlas.guide.strong"), style.ink("card.tint"), style.ink("text")
    there = [value for value in values if value is not None]
    most = max(there, default=0) or 1
    mean = math.fsum(there) / len(there) if there else 0.0
    for place, (value, words) in enumerate(zip(values, figures, strict=True)):
        y = place * _ROW_MM
        yield from set_line(words, strong, text, 0, y + 4.6)
        yield Path(commands=rectangle_path(0, y + 6.2, room, _BAR_MM), fill=tint)
        if value:
            yield Path(commands=rectangle_path(0, y + 6.2, room * value / most, _BAR_MM), fill=ink)
        if there:
            mark = rectangle_path(
                min(room * mean / most, room - _MARK_MM), y + 5.7, _MARK_MM, _BAR_MM + 1.0
            )
            yield Path(commands=mark, fill=text)
