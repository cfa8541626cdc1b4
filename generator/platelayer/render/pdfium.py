"""Pixels of a scene where the system has no cairo: its PDF page, painted by PDFium."""

from __future__ import annotations

import math
import os
from threading import Lock

from msgspec.structs import replace
from pypdfium2 import PdfDocument

from platelayer.foundation.geometry import MM_PER_INCH, MM_PER_PT
from platelayer.imposition.paper import Document, Page
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import Group, Scene, rectangle_path

_CLEAR = (255, 255, 255, 0)
# PDFium paints no line narrower than a pixel: a picture of fewer pixels to the mm is painted larger, as
# long as that has at most so many, and made smaller.
_FINE_PER_MM = 450 / MM_PER_INCH
_MOST_PIXELS = 40_000_000
# PDFium paints for one thread at a time, and a fork in the middle of it would never get its turn.
_TURN = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_TURN.acquire, after_in_parent=_TURN.release, after_in_child=_TURN.release
    )


def pdfium_pixels(scene: Scene, width: int, height: int, *, bleed: bool) -> bytes:
    """Red, green, blue and opacity of each pixel, row by row; the scene is fitted in as in its
    SVG."""
    edge = scene.bleed_mm if bleed else 0.0
    across, down = scene.width_mm + 2 * edge, scene.height_mm + 2 * edge
    finer = math.ceil(_FINE_PER_MM * across / width)
    finer = max(1, min(finer, math.isqrt(_MOST_PIXELS // (width * height))))
    # A page on which a point is a pixel has exactly the size that is needed.
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
