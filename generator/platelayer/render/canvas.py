"""Pixels of a scene in a browser, which has no cairo: painted on a canvas. Can be imported only in
Pyodide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from js import DOMMatrix, OffscreenCanvas, Path2D
from pyodide.ffi import JsException, to_js

from platelayer.foundation.geometry import MM_PER_PT
from platelayer.foundation.problems import CannotRun
from platelayer.scene.fonts import advances, glyph_outline
from platelayer.scene.inks import Ink
from platelayer.scene.paths import svg_path
from platelayer.scene.shapes import (
    SHARE,
    Circle,
    Commands,
    Group,
    Image,
    Item,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
)

# Units per em in the outlines of glyphs.
_EM = 1000
_SVG_MITER_LIMIT = 4.0
# A CanvasRenderingContext2D of the browser.
_Context = Any


class CanvasTooLarge(RuntimeError):
    """Raised if the browser provides no canvas of this size."""


def canvas_pixels(scene: Scene, width: int, height: int, *, bleed: bool) -> bytes:
    """Return red, green, blue and opacity of each pixel, row by row; the scene is fitted in as in
    its SVG. Raises CanvasTooLarge."""
    edge = scene.bleed_mm if bleed else 0.0
    across, down = scene.width_mm + 2 * edge, scene.height_mm + 2 * edge
    scale = min(width / across, height / down)
    try:
        context = OffscreenCanvas.new(width, height).getContext("2d")
        context.translate((width - across * scale) / 2, (height - down * scale) / 2)
        context.scale(scale, scale)
        context.translate(edge, edge)
        context.miterLimit = _SVG_MITER_LIMIT
        if scene.outline is not None and not bleed:
            context.clip(_outline(scene.outline))
        _paint_items(context, scene.items)
        pixels: bytes = context.getImageData(0, 0, width, height).data.to_bytes()
    except JsException as error:
        raise CanvasTooLarge(
            f"{width} x {height} pixels are too many for this browser: {error}"
        ) from error
    return pixels


@lru_cache(4096)
def _outline(commands: Commands) -> Any:
    return Path2D.new(svg_path(commands, places=4))


@lru_cache(4096)
def _glyph(face_name: str, char: str) -> Any:
    """Return the outline of a glyph in thousandths of an em; None for one without ink."""
    outline = glyph_outline(face_name, char)
    return Path2D.new(svg_path(outline, scale=_EM, places=1)) if outline else None


def _paint_items(context: _Context, items: Sequence[Item]) -> None:
    """Paint items in order, as the SVG painter writes them; the context's unit is the mm, y
    down."""
    for item in items:
        match item:
            case Path():
                rule = "evenodd" if item.even_odd else "nonzero"
                _finish(context, _outline(item.commands), item.fill, item.stroke, rule)
            case Circle():
                outline = Path2D.new()
                outline.arc(item.cx, item.cy, item.r, 0, math.tau)
                outline.closePath()
                _finish(context, outline, item.fill, item.stroke, "nonzero")
            case TextRun():
                _paint_text(context, item)
            case Image():
                _paint_image(context, item)
            case Group():
                with _kept(context):
                    context.transform(*item.matrix)
                    if item.clip is not None:
                        context.clip(_outline(item.clip))
                    _paint_items(context, item.items)
            case Use():
                with _kept(context):
                    context.transform(*item.matrix)
                    _paint_items(context, item.scene.items)


def _finish(
    context: _Context, outline: Any, fill: Ink | None, stroke: Stroke | None, rule: str
) -> None:
    if fill is not None:
        context.fillStyle = fill.hex
        context.fill(outline, rule)
    if stroke is not None:
        context.strokeStyle = stroke.ink.hex
        context.lineWidth = stroke.width_mm
        context.setLineDash(to_js(stroke.dash))
        context.lineCap, context.lineJoin = stroke.cap, stroke.join
        context.stroke(outline)


def _paint_text(context: _Context, run: TextRun) -> None:
    """Paint a run as the outlines of its glyphs, filled together: touching letters show no seam."""
    em = run.size_pt * MM_PER_PT / _EM
    x = -SHARE[run.anchor] * run.width_mm / em
    letters = Path2D.new()
    for char, ems in zip(run.text, advances(run.face, run.text), strict=True):
        if (glyph := _glyph(run.face, char)) is not None:
            letters.addPath(glyph, DOMMatrix.new(to_js([1, 0, 0, 1, x, 0])))
        x += ems * _EM + run.tracking_mm / em
    with _kept(context):
        context.translate(run.x, run.y)
        context.rotate(math.radians(run.angle))
        context.scale(em, em)
        context.fillStyle = run.ink.hex
        context.fill(letters)


def _paint_image(_context: _Context, image: Image) -> None:
    """Paint nothing: a browser decodes pictures only while Python waits, which it cannot do
    here."""
    raise CannotRun(
        f"{image.pixels.file}: this edition paints no PNG or JPEG pictures as PNG; save SVG or PDF"
    )


@contextmanager
def _kept(context: _Context) -> Iterator[None]:
    """Restore the state of a context afterwards."""
    context.save()
    yield
    context.restore()
