"""Painters of scenes by file format."""

from __future__ import annotations

from typing import Protocol

from platelayer.scene.shapes import Scene


class Painter(Protocol):
    """Paints one scene as the bytes of a whole file. `label` is for people (titles of files, screen
    readers); `dpi` is for pixels; `bleed` shows what is beyond the trim, where the format can leave
    it out. Raises CannotRun if the system lacks what painting needs, ValueError for a length that
    is not finite."""

    def __call__(self, scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:
        """The file."""
        ...


def _svg(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:  # noqa: ARG001 - an SVG has no pixels
    from platelayer.render.svg import render_svg

    return render_svg(scene, title=label, bleed=bleed)


def _png(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:  # noqa: ARG001 - a PNG has no title
    from platelayer.render.png import render_png

    return render_png(scene, dpi=dpi, bleed=bleed)


def _pdf(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:  # noqa: ARG001 - a PDF holds the bleed beside its TrimBox
    from platelayer.imposition.tiling import single_page
    from platelayer.render.pdf import render_pdf

    return render_pdf(single_page(scene, label))


# Painters by the suffix of the file. Add your own here.
PAINTERS: dict[str, Painter] = {".svg": _svg, ".png": _png, ".pdf": _pdf}
