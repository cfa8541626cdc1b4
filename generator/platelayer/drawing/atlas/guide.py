"""The building guide: a page that shows how to lay an assembled map with the tiles of the box."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.atlas.facts import page_head
from platelayer.drawing.atlas.poster import board_with_names
from platelayer.drawing.atlas.schematic import Grid, Stage, Step, grid_of, hour, picture, stages_of, tile_sign
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.rich_text import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.languages import FixedWords
from platelayer.model.atlas import AtlasBox, AtlasLog
from platelayer.model.atlas_board import board_origin, occupied, place_name
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Group, Item, Path, Scene, Stroke, rectangle_path, translation
from platelayer.scene.typeset import fit, set_centred, set_line, text_width

atlas_words = FixedWords("atlas")

_GAP_MM = 5.0
_COLUMNS = 3
_EDGE_MM = 0.2
_LIST_MM = 28.0
"""Least width of a column of steps."""
_LEAST_PICTURE_MM = 18.0
_ROW_MM = 6.3
"""Height of a step."""
_SIGN_MM = 2.75
"""Hexes of the tiles shown with the steps."""
_ROUNDEL_MM = 6.0
_MOST_PER_ROW = 6


class _Page(Struct, frozen=True, kw_only=True):
    """What the page is about, and how wide it is."""

    title: Title
    box: AtlasBox
    log: AtlasLog
    companies: tuple[str, ...]
    style: Style
    width: float

    def words(self, text: str, *parts: object) -> str:
        """One of the guide's phrases by its key."""
        return self.style.words(atlas_words.table("guide_words")[text], *parts)


def draw_guide(
    title: Title, log: AtlasLog, style: Style, width_mm: float, height_mm: float, *, companies: Sequence[str]
) -> tuple[Scene, ...]:
    """The building guide on one page of this size (mm), key `atlas-guide:1`.

    `companies` are ids of the companies in play. Raises KeyError when the title has no map tiles, or lacks those of the
    log; ValueError for a log without tiles.
    """
    box, board = board_with_names(title, log)
    page = _Page(title=title, box=box, log=log, companies=tuple(companies), style=style, width=width_mm)
    left, top, right, bottom = MapPlan(gamemap=board, across_mm=title.pieces.size("map-tile").width_mm).bounds
    items, y = page_head(title, log, page.words("guide"), style, width_mm)
    y = _setup(page, (math.ceil(right - left), math.ceil(bottom - top)), y, items)
    y = _hours(page, y, items)
    foot = _blanks(page, height_mm, items)
    _stages(page, y, foot, items)
    return (
        Scene(
            key="atlas-guide:1", width_mm=width_mm, height_mm=height_mm, items=tuple(items), label=page.words("guide")
        ),
    )


def _setup(page: _Page, table_mm: tuple[int, int], y: float, items: list[Item]) -> float:
    """Room on the table, players and cash, columns of charters; companies in play."""
    style = page.style
    body, strong, ink = style.type("atlas.guide.body"), style.type("atlas.guide.strong"), style.ink("text")
    across = page.title.pieces.size("map-tile").width_mm
    facts = [(page.words("table"), page.words("size", *table_mm, f"{across:g}"))]
    mode = page.box.mode_by_id.get(page.log.mode)
    if mode is not None:
        cash = ",  ".join(f"{players}: {page.title.money(amount)}" for players, amount in mode.cash)
        columns = " + ".join(str(size) for size in mode.columns)
        facts += [(page.words("cash"), cash), (page.words("columns"), columns)]
    x = 0.0
    for label, value in facts:
        items += set_line(label, body, ink, x, y)
        x += text_width(label, body) + 1.6
        items += set_line(value, strong, ink, x, y)
        x += text_width(value, strong) + 6.0
    y += 2.4
    known = with_roundels(page.title)
    playing = [known[company_id] for company_id in page.companies if company_id in known]
    if not playing:
        return y + 2.4
    label = page.words("companies")
    items += set_line(label, body, ink, 0, y + 4.6)
    start = text_width(label, body) + 4.0
    named = [(company, style.words(company.name)) for company in playing]
    beside, least = _ROUNDEL_MM + 2.4, strong.at(strong.min_pt)
    longest = max(text_width(name, least) for _, name in named)
    # As many beside each other as have room for every name; more rows would take it from the pictures.
    fitting = (count for count in range(_MOST_PER_ROW, 2, -1) if (page.width - start) / count - beside >= longest)
    per_row = min(len(named), next(fitting, 3))
    pitch = (page.width - start) / per_row
    for number, (company, name) in enumerate(named):
        row, column = divmod(number, per_row)
        left, middle = start + column * pitch, y + _ROUNDEL_MM / 2 + 0.4 + row * (_ROUNDEL_MM + 1.2)
        roundel = roundel_items(company, _ROUNDEL_MM, style)
        items.append(Group(items=roundel, matrix=translation(left + _ROUNDEL_MM / 2, middle)))
        type_style, shown = one_line(name, strong, pitch - beside)
        items += set_line(shown, type_style, ink, left + _ROUNDEL_MM + 1.2, middle + type_style.cap_height_mm / 2)
    return y + math.ceil(len(named) / per_row) * (_ROUNDEL_MM + 1.2) + 2.6


def _hours(page: _Page, y: float, items: list[Item]) -> float:
    """How the guide shows places and turns: the six ways a tile may lie, by the hour to which its number points."""
    style, width = page.style, page.width
    body, strong, ink = style.type("atlas.guide.body"), style.type("atlas.guide.strong"), style.ink("text")
    tall, across = 17.0, 4.6
    items.append(Path(commands=rectangle_path(0, y, width, tall, 1.5), fill=style.ink("card.tint")))
    room = width * 0.4
    lines = wrap_rich(page.words("how"), body, room - 6.0)
    first = y + tall / 2 - (len(lines) - 1) * body.size_mm * 0.61 + body.cap_height_mm / 2
    for number, line in enumerate(lines):
        items += set_line(line, body, ink, 3.0, first + number * body.size_mm * 1.22)
    pitch = (width - room) / 6
    for rotation in range(6):
        x = room + (rotation + 0.5) * pitch
        items.append(Group(items=tile_sign(14, rotation, across, style), matrix=translation(x, y + 6.6)))
        words = page.words("hour", hour(rotation))
        items += set_centred(words, fit(words, strong, pitch - 0.6), ink, x, y + tall - 2.4)
    return y + tall + 4.0


def _blanks(page: _Page, bottom: float, items: list[Item]) -> float:
    """Where blanks go at the end, at the foot of the page; returns the room left above."""
    if not page.log.blanks:
        return bottom - _EDGE_MM
    style = page.style
    type_style, strong, ink = style.type("atlas.guide.body"), style.type("atlas.guide.strong"), style.ink("text")
    origin = board_origin(page.log)
    places = sorted(page.log.blanks, key=lambda at: (at.q, at.r))
    words = ",  ".join(place_name(at, origin) for at in places)
    label = page.words("blanks")
    lead = text_width(label, type_style) + 2.0
    lines = wrap_rich(words, strong, page.width, lead_mm=lead)
    step = strong.size_mm * 1.25
    top = bottom - 0.8 - (len(lines) - 1) * step
    items += set_line(label, type_style, ink, 0, top)
    for number, line in enumerate(lines):
        items += set_line(line, strong, ink, 0.0 if number else lead, top + number * step)
    return top - strong.size_mm - 1.6


class _Cells(Struct, frozen=True, kw_only=True):
    """Cells of one size for the stages: `columns` side by side, with `lists` columns of steps in each, `listing` mm
    high; `grid` is how the map lies in each picture."""

    columns: int
    lists: int
    width: float
    height: float
    listing: float
    grid: Grid


def _cells(page: _Page, stages: Sequence[Stage], top: float, bottom: float) -> _Cells:
    """The division of the room that draws the map largest."""
    longest = max(len(stage.new) for stage in stages)
    layouts: list[_Cells] = []
    for columns in range(1, min(_COLUMNS, len(stages)) + 1):
        rows = math.ceil(len(stages) / columns)
        wide = (page.width - 2 * _EDGE_MM - (columns - 1) * _GAP_MM) / columns
        tall = (bottom - top - (rows - 1) * _GAP_MM) / rows
        lists = max(1, min(longest, int(wide // _LIST_MM)))
        listing = math.ceil(longest / lists) * _ROW_MM + 1.0
        tall = max(tall, listing + _LEAST_PICTURE_MM)
        grid = grid_of(occupied(page.log), board_origin(page.log), wide - 3.0, tall - listing - 4.0)
        high = min(tall, grid.height + 7.2 + listing)
        grid = grid_of(occupied(page.log), board_origin(page.log), wide - 3.0, high - listing - 4.0)
        layouts.append(_Cells(columns=columns, lists=lists, width=wide, height=high, listing=listing, grid=grid))
    return max(layouts, key=lambda cells: cells.grid.across)


def _stages(page: _Page, top: float, bottom: float, items: list[Item]) -> None:
    """A picture for each stage, its steps below it."""
    style = page.style
    stages = stages_of(page.log)
    cells = _cells(page, stages, top, bottom)
    wide, tall, listing = cells.width, cells.height, cells.listing
    frame = Stroke(ink=style.ink("card.hair"), width_mm=0.15)
    for number, stage in enumerate(stages):
        row, column = divmod(number, cells.columns)
        x, y = _EDGE_MM + column * (wide + _GAP_MM), top + row * (tall + _GAP_MM)
        under = y + tall - listing
        items += [
            Path(commands=rectangle_path(x, y, wide, tall, 1.5), stroke=frame),
            Path(commands=(("M", x, under), ("L", x + wide, under)), stroke=frame),
            Group(items=picture(page.box, stage, cells.grid, style), matrix=translation(x + 1.5, y + 1.5)),
        ]
        per_column = math.ceil(len(stage.new) / cells.lists)
        room = (wide - 1.0) / cells.lists
        for index, step in enumerate(stage.new):
            place, line = divmod(index, per_column)
            items += _step(page, step, (x + 1.0 + place * room, under + 0.5 + line * _ROW_MM), room)


def _step(page: _Page, step: Step, at: tuple[float, float], room: float) -> list[Item]:
    """Its order, the piece as it lies, where hex 1 goes and to which hour the number points."""
    style = page.style
    body, strong, ink = style.type("atlas.guide.step"), style.type("atlas.guide.strong"), style.ink("text")
    x, middle = at[0], at[1] + _ROW_MM / 2
    base = middle + strong.cap_height_mm / 2
    items: list[Item] = [
        *set_line(str(step.order), body, style.ink("text.soft"), x + 3.6, base, anchor=Anchor.END),
    ]
    sign = x + 8.2
    if step.tile is None:
        items += icon_block("capital", "", 4.2, style, strong).at(sign, middle)
        hint = page.words("capital")
    else:
        items.append(
            Group(items=tile_sign(step.tile, step.rotation, _SIGN_MM, style), matrix=translation(sign, middle))
        )
        hint = page.words("hour", hour(step.rotation))
    items += set_line(step.place, strong, ink, x + 12.6, base)
    left = x + 12.6 + text_width("W00", strong) + 0.8
    items += set_line(hint, fit(hint, body, room - (left - at[0]) - 0.8), ink, left, base)
    return items
