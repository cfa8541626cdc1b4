"""PNG pictures: painted on cairosvg's surface of an SVG drawing, in a browser on a canvas, or, if
neither is available, from the PDF."""

from __future__ import annotations

import math
import os
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.foundation.geometry import MM_PER_INCH, MM_PER_PT
from platelayer.foundation.pixels import Pixels, image_of
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import to_install
from platelayer.render.svg import render_svg
from platelayer.scene.fonts import advances, glyph_outline
from platelayer.scene.shapes import (
    SHARE,
    Circle,
    Command,
    Group,
    Image,
    Item,
    Matrix,
    Number,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
    rectangle_path,
)

if TYPE_CHECKING:
    from cairocffi import Context
    from cairosvg.surface import PNGSurface

    from platelayer.scene.inks import Ink

# Maximum number of pixels; an A0 poster at 300 dpi has 139 million.
MAX_PIXELS = 150_000_000
# Limit of cairo.
MAX_SIDE = 32_767
_RELATIVE_COLORIMETRIC = b"\x01"
# Compression level of zlib. Rows are not filtered: for flat colours, level 2 without filters makes
# files a fifth smaller than level 3 with filters, in half the time.
_COMPRESSION = 2
_NO_FILTER = b"\0"
# Number of rows that are encoded together, so that there is no second copy of a poster in memory.
_BAND = 64
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_OPAQUE = 255
# PNG colour types (third edition, 11.2.1) by bytes per pixel: without and with alpha.
_COLOURS = {3: 2, 4: 6}
_PER_METRE = 1
_SVG_MITER_LIMIT = 4.0
# Values of cairo's enums, so that shapes need cairo only when they are painted.
_EVEN_ODD = 1
_PAD = 3
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
# Headers of commands in `cairo_path_data_t`: two ints, the type and the length including the points
# that follow. A header is as long as a point, which is two doubles.
_HEADERS = {
    letter: (*struct.unpack("=d", struct.pack("=ii", kind, 1 + points)), 0.0)
    for kind, (letter, points) in enumerate((("M", 1), ("L", 1), ("C", 3), ("Z", 0)))
}
# Module that each painter needs, in order of preference.
_PAINTERS = {
    "canvas": "platelayer.render.canvas",
    "cairo": "cairosvg.surface",
    "pdfium": "pypdfium2",
}


class PngUnavailable(CannotRun):
    """Raised if no PNG can be made here; the message says what is missing."""


class PngTooLarge(CannotRun):
    """Raised if the requested picture has too many pixels."""


def render_png(
    scene: Scene, *, dpi: float = 110, bleed: bool = False, pixels: tuple[int, int] | None = None
) -> bytes:
    """Return a PNG of the scene, transparent where nothing is drawn, at `dpi` pixels to the inch;
    `bleed` as in `render_svg`. `pixels` is the width and height for a shop that requires an
    exact size.

    The file contains its resolution, so that programs show and print it at its size.

    Raises PngUnavailable without any of the painters, PngTooLarge beyond `MAX_PIXELS`, `MAX_SIDE`
    or the browser's limit, ValueError for a dpi that is not positive.
    """
    if not dpi > 0:
        raise ValueError(f"dpi must be positive, not {dpi}")
    edge = scene.bleed_mm if bleed else 0.0
    sides = (scene.width_mm + 2 * edge, scene.height_mm + 2 * edge)
    width, height = pixels or (max(1, round(side / MM_PER_INCH * dpi)) for side in sides)
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        limits = f"at most {MAX_PIXELS:,} pixels in all and {MAX_SIDE:,} a side"
        raise PngTooLarge(
            f"{width} x {height} pixels at {dpi:g} dpi ({limits}): choose a lower dpi"
        )
    painter = png_painter()
    if painter == "canvas":
        from platelayer.render.canvas import CanvasTooLarge, canvas_pixels

        try:
            return png_file(width, height, canvas_pixels(scene, width, height, bleed=bleed), dpi)
        except CanvasTooLarge as error:
            raise PngTooLarge(str(error)) from error
    if painter == "pdfium":
        return png_file(width, height, pdfium_pixels(scene, width, height, bleed=bleed), dpi)
    if not painter:
        way = f"{to_install('pypdfium2')}, or this system's library of cairo"
        raise PngUnavailable(f"PNG needs PDFium or cairo: {way} (or write SVG or PDF)")
    surface = _surface(scene, bleed, width, height)
    context = surface.context
    if scene.outline is not None and not bleed:
        _trace(context, scene.outline)
        context.clip()
    _paint_items(context, scene.items)
    return _encoded(surface, dpi)


@cache
def png_painter() -> str:
    """Return the painter of pictures here: "canvas", "cairo", "pdfium", or "" if there is none."""
    for painter, module in _PAINTERS.items():
        with suppress(ImportError, OSError):  # the module or its library is not available
            import_module(module)
            return painter
    return ""


def png_version() -> str:
    """Return the painter of pictures and its version, which decides the last bits of a PNG."""
    painter = png_painter()
    if painter == "cairo":
        from cairocffi import cairo_version_string

        return f"cairo {cairo_version_string()}"
    return f"pdfium {version('pypdfium2')}" if painter == "pdfium" else painter


def png_file(width: int, height: int, pixels: bytes, dpi: float) -> bytes:
    """Return a PNG file of pixels (red, green, blue and opacity, row by row), without the opacity
    if nothing is transparent; it contains its resolution and declares its colours sRGB. For
    browsers, which have no Pillow."""
    depth = 4
    if pixels[3::4].count(_OPAQUE) == width * height:
        depth = 3
        opaque = bytearray(depth * width * height)
        for part in range(depth):
            opaque[part::depth] = pixels[part::4]
        pixels = bytes(opaque)
    return _file(width, height, depth, [pixels], dpi)


def _file(width: int, height: int, depth: int, bands: Iterable[bytes], dpi: float) -> bytes:
    """Return a PNG file of bands of rows, with `depth` bytes per pixel."""
    row, deflate = depth * width, zlib.compressobj(_COMPRESSION)
    packed = [
        deflate.compress(
            b"".join(_NO_FILTER + band[at : at + row] for at in range(0, len(band), row))
        )
        for band in bands
    ]
    per_metre = round(dpi * 1000 / MM_PER_INCH)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _COLOURS[depth], 0, 0, 0)),
        (b"sRGB", _RELATIVE_COLORIMETRIC),
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, _PER_METRE)),
        (b"IDAT", b"".join((*packed, deflate.flush()))),
        (b"IEND", b""),
    )
    parts = [_SIGNATURE]
    for name, data in chunks:
        check = zlib.crc32(data, zlib.crc32(name))
        parts += (struct.pack(">I", len(data)), name, data, struct.pack(">I", check))
    return b"".join(parts)


def _surface(scene: Scene, bleed: bool, width: int, height: int) -> PNGSurface:
    """Return the surface that cairosvg paints on, scaled and clipped as for the scene's SVG; its
    context's unit is the mm.

    The shapes are then painted from the scene itself: parsing each path from SVG takes three times
    as long.
    """
    from cairosvg.parser import Tree
    from cairosvg.surface import PNGSurface

    empty = render_svg(replace(scene, items=(), outline=None), bleed=bleed)
    surface = PNGSurface(Tree(bytestring=empty), None, 96, output_width=width, output_height=height)
    surface.context.set_miter_limit(_SVG_MITER_LIMIT)
    return surface


def _encoded(surface: PNGSurface, dpi: float) -> bytes:
    """Return the PNG file of a surface, without an alpha channel if nothing is transparent."""
    from PIL.Image import frombuffer

    width, height = surface.cairo.get_width(), surface.cairo.get_height()
    stride = surface.cairo.get_stride()
    pixels = surface.cairo.get_data()
    whole = frombuffer("RGBA", (width, height), pixels, "raw", "RGBA", stride, 1)
    opaque = whole.getchannel("A").getextrema() == (_OPAQUE, _OPAQUE)
    # Cairo's colours are premultiplied by alpha.
    mode, stored = ("RGB", "BGRX") if opaque else ("RGBA", "BGRa")

    def bands() -> Iterator[bytes]:
        for top in range(0, height, _BAND):
            rows = min(_BAND, height - top)
            data = pixels[top * stride : (top + rows) * stride]
            yield frombuffer(mode, (width, rows), data, "raw", stored, stride, 1).tobytes()

    return _file(width, height, len(mode), bands(), dpi)


def _paint_items(context: Context, items: Sequence[Item]) -> None:
    """Paint items in order, as the SVG painter writes them; the context's unit is the mm, y
    down."""
    for item in items:
        match item:
            case Path():
                _trace(context, item.commands)
                if item.even_odd:
                    context.set_fill_rule(_EVEN_ODD)
                _finish(context, item.fill, item.stroke)
                context.set_fill_rule(0)
            case Circle():
                context.new_sub_path()
                context.arc(item.cx, item.cy, item.r, 0, math.tau)
                context.close_path()
                _finish(context, item.fill, item.stroke)
            case TextRun():
                _paint_text(context, item)
            case Image():
                _paint_image(context, item)
            case Group():
                with context:
                    _transform(context, item.matrix)
                    if item.clip is not None:
                        _trace(context, item.clip)
                        context.clip()
                    _paint_items(context, item.items)
            case Use():
                with context:
                    _transform(context, item.matrix)
                    _paint_items(context, item.scene.items)


def _trace(context: Context, commands: Sequence[Command]) -> None:
    """Add a path to the context's own."""
    _append(context, _cairo_path(commands))


def _append(context: Context, path: tuple[Any, ...]) -> None:
    from cairocffi import cairo

    cairo.cairo_append_path(context._pointer, path[0])


def _cairo_path(commands: Sequence[Command]) -> tuple[Any, ...]:
    """Return commands as cairo's own structure, with the memory that it points to. This takes two
    thirds of the time of one call per command."""
    from cairocffi import ffi

    numbers: list[Number] = []
    for command in commands:
        numbers += _HEADERS[str(command[0])]
        numbers += command[1:]  # type: ignore[arg-type]
    memory = array("d", numbers)
    data = ffi.cast("cairo_path_data_t *", ffi.from_buffer(memory))
    path = {"status": 0, "data": data, "num_data": len(memory) // 2}
    return ffi.new("cairo_path_t *", path), memory


@lru_cache(4096)
def _glyph(face_name: str, char: str) -> tuple[Any, ...]:
    return _cairo_path(glyph_outline(face_name, char))


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


def _paint_text(context: Context, run: TextRun) -> None:
    """Paint a run as the outlines of its glyphs, filled together: touching letters show no seam."""
    em = run.size_pt * MM_PER_PT
    with context:
        context.translate(run.x, run.y)
        context.rotate(math.radians(run.angle))
        context.scale(em, em)
        context.translate(-SHARE[run.anchor] * run.width_mm / em, 0.0)
        for char, ems in zip(run.text, advances(run.face, run.text), strict=True):
            _append(context, _glyph(run.face, char))
            context.translate(ems + run.tracking_mm / em, 0.0)
        context.set_source_rgb(*run.ink.rgb)
        context.fill()


def _paint_image(context: Context, image: Image) -> None:
    surface = _pixels(image.pixels)
    with context:
        context.scale(image.width_mm / image.pixels.width, image.height_mm / image.pixels.height)
        context.set_source_surface(surface)
        # Extend the picture by its own edge colours, so that no edge becomes pale.
        context.get_source().set_extend(_PAD)
        context.rectangle(0, 0, image.pixels.width, image.pixels.height)
        context.fill()


@lru_cache(16)
def _pixels(pixels: Pixels) -> Any:
    """Return a picture in cairo's format: blue, green, red and opacity, multiplied by the
    opacity."""
    from cairocffi import FORMAT_ARGB32, ImageSurface

    data = bytearray(image_of(pixels).convert("RGBA").tobytes("raw", "BGRa"))
    return ImageSurface.create_for_data(data, FORMAT_ARGB32, pixels.width, pixels.height)


def _transform(context: Context, matrix: Matrix) -> None:
    from cairocffi import Matrix as CairoMatrix

    context.transform(CairoMatrix(*matrix))


# Painting with PDFium, where the system has no cairo: the page of a PDF.


_CLEAR = (255, 255, 255, 0)
# PDFium paints no line narrower than a pixel. So a picture with fewer pixels per mm is painted
# larger and then reduced, if the larger one has at most this many pixels.
_FINE_PER_MM = 450 / MM_PER_INCH
_MOST_PIXELS = 40_000_000
# PDFium paints in one thread at a time. A process forked while another thread paints would wait for
# the lock for ever.
_TURN = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_TURN.acquire, after_in_parent=_TURN.release, after_in_child=_TURN.release
    )


def pdfium_pixels(scene: Scene, width: int, height: int, *, bleed: bool) -> bytes:
    """Return red, green, blue and opacity of each pixel, row by row; the scene is fitted in as in
    its SVG."""
    from pypdfium2 import PdfDocument

    from platelayer.imposition.paper import Document, Page
    from platelayer.render.pdf import render_pdf

    edge = scene.bleed_mm if bleed else 0.0
    across, down = scene.width_mm + 2 * edge, scene.height_mm + 2 * edge
    finer = math.ceil(_FINE_PER_MM * across / width)
    finer = max(1, min(finer, math.isqrt(_MOST_PIXELS // (width * height))))
    # A page on which one point is one pixel has exactly the required size.
    size = width * MM_PER_PT, height * MM_PER_PT
    scale = min(size[0] / across, size[1] / down)
    left, top = (size[0] - across * scale) / 2, (size[1] - down * scale) / 2
    shown = rectangle_path(-edge, -edge, across, down)
    if scene.outline is not None and not bleed:
        shown = scene.outline
    placed = Group(
        scene.items,
        matrix=(scale, 0.0, 0.0, scale, left + edge * scale, top + edge * scale),
        clip=shown,
    )
    page = replace(
        scene, width_mm=size[0], height_mm=size[1], items=(placed,), bleed_mm=0.0, outline=None
    )
    box = (0.0, 0.0, *size)
    pdf = render_pdf(Document(stem="", title="", subject="", pages=(Page(page, box, box),)))
    with _TURN:
        document = PdfDocument(pdf)
        try:
            large = document[0].render(scale=finer, fill_color=_CLEAR, rev_byteorder=True)
            pixels: bytes = large.to_pil().reduce(finer).tobytes()
        finally:
            document.close()
    return pixels
