"""SVG files of cut lines, as programs of cutters read them: a path for each piece."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platelayer.imposition.page import CutLine
    from platelayer.scene.shapes import Command

_LINE_MM = 0.1
_PLACES = 3


def render_cut_svg(
    lines: Sequence[CutLine], width_mm: float, height_mm: float, *, title: str = "", edge: bool = False
) -> bytes:
    """Cut lines of a page in mm from its upper left, each a path with its id; with the `edge` of the page as a
    rectangle, for programs that place a file by its outermost lines."""
    size = f'width="{_number(width_mm)}mm" height="{_number(height_mm)}mm"'
    box = f'viewBox="0 0 {_number(width_mm)} {_number(height_mm)}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>', f"<title>{escape(title)}</title>"]
    parts.append(f'<g fill="none" stroke="#000000" stroke-width="{_LINE_MM}">')
    if edge:
        parts.append(f'<rect id="page" width="{_number(width_mm)}" height="{_number(height_mm)}"/>')
    parts += (f'<path id={quoteattr(line.id)} d="{_data(line.commands)}"/>' for line in lines)
    return "\n".join((*parts, "</g>", "</svg>", "")).encode()


def _data(commands: Sequence[Command]) -> str:
    return "".join(f"{verb}{' '.join(_number(float(number)) for number in numbers)}" for verb, *numbers in commands)


def _number(value: float) -> str:
    return f"{round(value, _PLACES) + 0.0:.{_PLACES}f}".rstrip("0").rstrip(".")
