"""Files of single sheets for cutters: the sheet as SVG, its cut lines as SVG and DXF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from platelayer.pipeline.job import PrintedFile

if TYPE_CHECKING:
    from platelayer.imposition.page import Document, Page

_LINE_MM = 0.1


def sheet_files(document: Document, also: Sequence[str]) -> Iterator[PrintedFile]:
    """`tiles-1.svg` for the first page of tiles.pdf, with `tiles-1-cut.svg` and `tiles-1-cut.dxf` where there is
    something to cut. All are as large as the page and start at its corner, so that they lie on each other."""
    from platelayer.render.dxf import render_dxf
    from platelayer.render.svg import render_svg

    digits = len(str(len(document.pages)))
    for number, page in enumerate(document.pages, start=1):
        stem = f"{document.stem}-{number:0{digits}}"
        if "svg" in also:
            yield _file(f"{stem}.svg", render_svg(page.scene))
        if page.cut and "svg" in also:
            yield _file(f"{stem}-cut.svg", _cut_svg(page))
        if page.cut and "dxf" in also:
            yield _file(f"{stem}-cut.dxf", render_dxf(page.cut, page.scene.width_mm, page.scene.height_mm))


def _file(name: str, data: bytes) -> PrintedFile:
    return PrintedFile(name=name, data=data, pages=1, placements=(), again=True)


def _cut_svg(page: Page) -> bytes:
    """The cut lines alone, on a sheet as large as the page."""
    from platelayer.render.svg import render_svg
    from platelayer.scene.inks import BLACK
    from platelayer.scene.shapes import Path, Role, Scene, Stroke

    line = Path(commands=page.cut, stroke=Stroke(ink=BLACK, width_mm=_LINE_MM), role=Role.MARK)
    sheet = page.scene
    alone = Scene(key=f"{sheet.key}:cut", width_mm=sheet.width_mm, height_mm=sheet.height_mm, items=(line,))
    return render_svg(alone, title=sheet.label)
