"""Shapes painted on a cairo context, as the SVG painter writes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from platelayer.foundation.units import MM_PER_PT
from platelayer.scene.fonts import face, glyph_outline
from platelayer.scene.shapes import Anchor, Circle, Command, Group, Item, Matrix, Path, Stroke, TextRun, Use

if TYPE_CHECKING:
    from cairocffi import Context

    from platelayer.scene.inks import Ink

# Cairo's numbers, so that shapes need cairo only when they are painted.
_EVEN_ODD = 1
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_START_SHIFT = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}


def paint_items(context: Context, items: Sequence[Item]) -> None:
    """Paints items in order; the context's unit is the mm, y down."""
    for item in items:
        _PAINT[type(item)](context, item)


def trace(context: Context, commands: Sequence[Command]) -> None:
    """Adds a path to the context's own."""
    move_to, line_to, curve_to = context.move_to, context.line_to, context.curve_to
    for command in commands:
        match command[0]:
            case "C":
                curve_to(*command[1:])
            case "L":
                line_to(*command[1:])
            case "M":
                move_to(*command[1:])
            case _:
                context.close_path()


def _path(context: Context, path: Path) -> None:
    trace(context, path.commands)
    if path.even_odd:
        context.set_fill_rule(_EVEN_ODD)
    _finish(context, path.fill, path.stroke)
    context.set_fill_rule(0)


def _circle(context: Context, circle: Circle) -> None:
    context.new_sub_path()
    context.arc(circle.cx, circle.cy, circle.r, 0, math.tau)
    context.close_path()
    _finish(context, circle.fill, circle.stroke)


def _finish(context: Context, fill: Ink | None, stroke: Stroke | None) -> None:
    if fill is not None:
        context.set_source_rgb(*fill.rgb)
        context.fill_preserve()
    if stroke is not None:
        context.set_source_rgb(*stroke.ink.rgb)
        context.set_line_width(stroke.width_mm)
        context.set_dash(stroke.dash)
        context.set_line_cap(_CAPS[stroke.cap])
        context.set_line_join(_JOINS[stroke.join])
        context.stroke_preserve()
    context.new_path()


def _text(context: Context, run: TextRun) -> None:
    """A run as the outlines of its glyphs, filled together: letters that touch show no seam."""
    em = run.size_pt * MM_PER_PT
    advances = face(run.face).glyphs
    with context:
        context.translate(run.x, run.y)
        context.rotate(math.radians(run.angle))
        context.scale(em, em)
        context.translate(-_START_SHIFT[run.anchor] * run.width_mm / em, 0.0)
        for char in run.text:
            trace(context, glyph_outline(run.face, char))
            context.translate(advances[char][0] + run.tracking_mm / em, 0.0)
        context.set_source_rgb(*run.ink.rgb)
        context.fill()


def _group(context: Context, group: Group) -> None:
    with context:
        _transform(context, group.matrix)
        if group.clip is not None:
            trace(context, group.clip)
            context.clip()
        paint_items(context, group.items)


def _use(context: Context, use: Use) -> None:
    with context:
        _transform(context, use.matrix)
        paint_items(context, use.scene.items)


def _transform(context: Context, matrix: Matrix) -> None:
    from cairocffi import Matrix as CairoMatrix

    context.transform(CairoMatrix(*matrix))


_PAINT: dict[type, Callable[[Context, Any], None]] = {
    Path: _path,
    Circle: _circle,
    TextRun: _text,
    Group: _group,
    Use: _use,
}
