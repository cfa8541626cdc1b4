"""A scene in, a PNG picture out, by way of our own SVG and cairo."""

from __future__ import annotations

from struct import pack
from zlib import crc32

from platelayer.foundation.units import MM_PER_INCH
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Scene

MAX_PIXELS = 150_000_000
"""An A0 poster at 300 dpi has 139 million."""
MAX_SIDE = 32_767
"""Cairo's own limit."""


class PngUnavailable(RuntimeError):
    """A PNG cannot be made here: the message says what is missing."""


class PngTooLarge(PngUnavailable):
    """The picture asked for has more pixels than can sensibly be made."""


def render_png(scene: Scene, *, dpi: float = 110, bleed: bool = False, pixels: tuple[int, int] | None = None) -> bytes:
    """A PNG of the scene, transparent where nothing is drawn, `dpi` pixels to the inch; `bleed` as in `render_svg`.
    `pixels` are the width and height that a shop wants to the pixel, where a size in mm does not tell.

    The file says its resolution, so that programs show and print it at its size.

    Raises PngUnavailable without the system's cairo library, PngTooLarge beyond `MAX_PIXELS` or `MAX_SIDE`, ValueError
    for a dpi that is not positive.
    """
    if not dpi > 0:
        raise ValueError(f"dpi must be positive, not {dpi}")
    edge = scene.bleed_mm if bleed else 0.0
    sides = (scene.width_mm + 2 * edge, scene.height_mm + 2 * edge)
    width, height = pixels or (max(1, round(side / MM_PER_INCH * dpi)) for side in sides)
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        limits = f"at most {MAX_PIXELS:,} pixels in all and {MAX_SIDE:,} a side"
        raise PngTooLarge(f"{width} x {height} pixels at {dpi:g} dpi ({limits}): choose a lower dpi")
    try:
        import cairosvg
    except OSError as error:
        raise PngUnavailable(
            "PNG needs the cairo library: install the Debian package libcairo2 (or write SVG or PDF)"
        ) from error
    svg = render_svg(scene, bleed=bleed, runs_whole=True)
    return _with_resolution(cairosvg.svg2png(bytestring=svg, output_width=width, output_height=height), dpi)


def _with_resolution(png: bytes, dpi: float) -> bytes:
    """The file with a pHYs chunk behind its header, which cairo leaves out (PNG specification, 11.3.5.3)."""
    header_end = 8 + 25  # signature, IHDR
    per_metre = round(dpi / MM_PER_INCH * 1000)
    chunk = b"pHYs" + pack(">IIB", per_metre, per_metre, 1)
    return png[:header_end] + pack(">I", 9) + chunk + pack(">I", crc32(chunk)) + png[header_end:]
