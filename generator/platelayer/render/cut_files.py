"""Files of cut lines for cutters and their programs: SVG with a path for each piece, and DXF
release 12."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from platelayer.imposition.paper import CutLine
from platelayer.scene.flatten import Polygon, flatten_commands
from platelayer.scene.paths import number, svg_path
from platelayer.scene.shapes import Command, Point

_LINE_MM = 0.1
_DXF_PLACES = 4
# Layers: the lines to cut, and the edge of the sheet, by which programs position the file.
CUT, PAGE = "CUT", "PAGE"
_NOT_OF_A_LAYER, _MOST_LETTERS = re.compile(r"[^A-Z0-9_$-]"), 31
# Number of chords for a quarter of a circle: for a disc of 60 mm, they deviate by 0.02 mm.
_STEPS = 24
# Header: AutoCAD release 12, lengths in mm.
_HEAD = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
_END = "0\nENDSEC\n0\nEOF\n"


def render_cut_svg(
    lines: Sequence[CutLine],
    width_mm: float,
    height_mm: float,
    *,
    title: str = "",
    edge: bool = False,
    layer: str = "",
) -> bytes:
    """Return the cut lines of a page in mm from its upper left, each a path with its id; with the
    `edge` of the page as a rectangle, for programs that place a file by its outermost lines; on
    a `layer` with that name, as Inkscape writes it."""
    size = f'width="{number(width_mm)}mm" height="{number(height_mm)}mm"'
    box = f'viewBox="0 0 {number(width_mm)} {number(height_mm)}"'
    ours = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"' if layer else ""
    named = f' inkscape:groupmode="layer" inkscape:label={quoteattr(layer)}' if layer else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg"{ours} {size} {box}>',
        f"<title>{escape(title)}</title>",
    ]
    parts.append(f'<g{named} fill="none" stroke="#000000" stroke-width="{_LINE_MM}">')
    if edge:
        parts.append(f'<rect id="page" width="{number(width_mm)}" height="{number(height_mm)}"/>')
    parts += (f'<path id={quoteattr(line.id)} d="{svg_path(line.commands)}"/>' for line in lines)
    return "\n".join((*parts, "</g>", "</svg>", "")).encode()


def render_dxf(
    lines: Sequence[Command], width_mm: float, height_mm: float, *, layer: str = CUT
) -> bytes:
    """Return the lines of a page (mm from its upper left, y down) as polylines in mm from its lower
    left, y up, on the layer CUT or another (in the characters allowed by release 12), with the
    page's edge on the layer PAGE. Circles stay circles, other curves become chords."""
    edge = ((0.0, 0.0), (width_mm, 0.0), (width_mm, height_mm), (0.0, height_mm))
    text, cut = _HEAD, _NOT_OF_A_LAYER.sub("_", layer.upper())[:_MOST_LETTERS]
    for name, (points, closed) in ((PAGE, (edge, True)), *((cut, run) for run in runs_of(lines))):
        if closed and (disc := _disc(points)):
            (x, y), radius = disc
            x, up, radius = (round(length, _DXF_PLACES) for length in (x, height_mm - y, radius))
            text += f"0\nCIRCLE\n8\n{name}\n10\n{x}\n20\n{up}\n40\n{radius}\n"
            continue
        text += f"0\nPOLYLINE\n8\n{name}\n66\n1\n70\n{closed:d}\n"
        for x, y in points:
            across, up = round(x, _DXF_PLACES), round(height_mm - y, _DXF_PLACES)
            text += f"0\nVERTEX\n8\n{name}\n70\n0\n10\n{across}\n20\n{up}\n"
        text += "0\nSEQEND\n"
    return f"{text}{_END}".encode("ascii")


def runs_of(lines: Sequence[Command]) -> Iterator[tuple[Polygon, bool]]:
    """Yield path commands as points joined by straight lines; a run that ends where it begins is
    closed."""
    for points, closed in flatten_commands(lines, steps=_STEPS):
        if points[0] == points[-1] and (closed or len(points) > 2):
            yield points[:-1], True
        else:
            yield points, closed


def _disc(points: Polygon) -> tuple[Point, float] | None:
    """Return the centre and the radius of a circle of four curves; None for anything else."""
    if len(points) != 4 * _STEPS:
        return None
    xs, ys = zip(*points, strict=True)
    centre, radius = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), (max(xs) - min(xs)) / 2
    # Four Bézier curves deviate from a circle by less than 0.03 % of its radius.
    is_round = all(abs(math.dist(centre, at) - radius) < radius / 1000 for at in points)
    return (centre, radius) if is_round else None
