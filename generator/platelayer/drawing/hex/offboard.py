"""Small tables of off-board values: boxes in the colours they belong to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.patterns import letter_of
from platelayer.drawing.kit.style import Style
from platelayer.model.tile import RevenueStep
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Item, Path, Point, Role, Stroke, rectangle_path
from platelayer.scene.typeset import TypeStyle, set_centred, text_width

_PAD = 0.42
"""Space left and right of a value, in cap heights; above and below it is a little more."""


class _Box(Struct, frozen=True):
    value: str
    note: str
    ground: Ink


class _Grid(Struct, frozen=True, kw_only=True):
    """Boxes of one size in rows, centred on (0, 0); mm."""

    columns: int
    rows: int
    width: float
    height: float

    def corner(self, index: int) -> Point:
        """Upper left of a box."""
        row, column = divmod(index, self.columns)
        return (column - self.columns / 2) * self.width, (row - self.rows / 2) * self.height


def revenue_table(
    steps: tuple[RevenueStep, ...],
    style: Style,
    *,
    highlight: str | None = None,
    max_width_mm: float = 34.0,
    size_pt: float | None = None,
) -> tuple[tuple[Item, ...], float, float]:
    """Items centred on (0, 0), their width and height in mm.

    Each step is a box in the ink of its tile colour ("yellow" -> `tile.yellow`); a step that counts from a phase is a
    white box headed by the phase. `highlight` names the step (its `since`) drawn with a heavier rim. Boxes that do
    not fit in `max_width_mm` go into further rows of equal length. `size_pt` overrides the theme's `map.offboard`.
    """
    kind = style.type("map.offboard")
    kind = kind.at(size_pt) if size_pt is not None else kind
    boxes = [_box(step, style) for step in steps]
    if not boxes:
        return (), 0.0, 0.0
    cap = kind.cap_height_mm
    width = max(max(text_width(box.value, kind) for box in boxes) + 2 * _PAD * cap * 1.2, cap * 2.4)
    noted = any(box.note for box in boxes)
    # A letter says again what the ground shows; a phase is said nowhere else.
    again = [box.note != step.since for box, step in zip(boxes, steps, strict=True)]
    note_kind = _note_style(kind, style, fine=all(same or not box.note for box, same in zip(boxes, again, strict=True)))
    width = max(width, *(text_width(box.note, note_kind) + 0.8 * note_kind.cap_height_mm for box in boxes))
    head = note_kind.cap_height_mm * 1.7 if noted else 0.0
    height = cap * 1.95 + head
    columns = max(1, min(len(boxes), math.floor(max_width_mm / width)))
    rows = math.ceil(len(boxes) / columns)
    grid = _Grid(columns=math.ceil(len(boxes) / rows), rows=rows, width=width, height=height)
    rim = style.stroke("map.offboard.rim")
    items: list[Item] = []
    for index, box in enumerate(boxes):
        x, y = grid.corner(index)
        items.append(Path(commands=rectangle_path(x, y, width, height), fill=box.ground, stroke=rim, role=Role.SYMBOL))
        ink = readable_on(box.ground, style.ink("text"), style.ink("white"))
        middle = x + width / 2
        if box.note:
            runs = set_centred(box.note, note_kind, ink, middle, y + head * 0.75, over=(Role.SYMBOL,))
            items += (replace(run, fine=again[index]) for run in runs)
        items += set_centred(box.value, kind, ink, middle, y + head + (height - head) / 2, over=(Role.SYMBOL,))
    items += _rims(steps, grid, style, highlight)
    return tuple(items), grid.columns * width, rows * height


def _box(step: RevenueStep, style: Style) -> _Box:
    """The ground a step stands on, and the phase to write above it where its colour does not show it."""
    inks = style.theme.inks
    since = step.since
    if since is None:
        return _Box(str(step.value), "", style.ink("white"))
    ground = inks.get(f"tile.{since}") or inks.get(since)
    return _Box(str(step.value), letter_of(since, style) if ground else since, ground or style.ink("white"))


def _note_style(kind: TypeStyle, style: Style, *, fine: bool) -> TypeStyle:
    note = style.type("map.offboard.note")
    return note.at(max(note.min_pt if fine else MIN_PLAY_PT, min(note.size_pt, kind.size_pt * 0.6)))


def _rims(steps: Sequence[RevenueStep], grid: _Grid, style: Style, highlight: str | None) -> list[Item]:
    """A heavier line round a table that fills its rows, and round the highlighted step."""
    outer = style.stroke("map.offboard.frame")
    items: list[Item] = []
    if len(steps) == grid.rows * grid.columns:
        items.append(_frame(grid.corner(0), grid.columns * grid.width, grid.rows * grid.height, outer))
    for index, step in enumerate(steps):
        if highlight is not None and step.since == highlight:
            items.append(_frame(grid.corner(index), grid.width, grid.height, outer))
    return items


def _frame(corner: Point, width: float, height: float, stroke: Stroke) -> Path:
    return Path(commands=rectangle_path(*corner, width, height), stroke=stroke, role=Role.SYMBOL)
