"""Painters of scenes, by file format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec.structs import replace

from platelayer.foundation.geometry import least_scale
from platelayer.foundation.problems import CannotRun
from platelayer.render.distinct import least_scales, used_scenes
from platelayer.scene.inks import Ink, as_grey
from platelayer.scene.press import INKS, inks_of_line, inks_of_words, proof, recipe_of
from platelayer.scene.shapes import Circle, Group, Item, Path, Scene, TextRun, Use


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
    from platelayer.render.png import PngUnavailable, render_png

    try:
        return render_png(scene, dpi=dpi, bleed=bleed)
    except PngUnavailable as error:
        raise CannotRun(str(error)) from error


def _pdf(scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:  # noqa: ARG001 - a PDF holds the bleed beside its TrimBox
    from platelayer.imposition.tiling import single_page
    from platelayer.render.pdf import render_pdf

    return render_pdf(single_page(scene, label))


PAINTERS: dict[str, Painter] = {".svg": _svg, ".png": _png, ".pdf": _pdf}
"""By the suffix of the file. Add your own here."""


# Scenes in the colours that they are printed in: as on a press, for formats of a screen; in grey;
# in rich black.


_Look = Callable[[Ink, int, bool], Ink]
"""What becomes of an ink where at most so many inks are printed, and whether it fills a solid."""
_SOLID_MM = 4.0
"""A fill that is at least as wide and as high is a solid."""
_BLACK = (0.0, 0.0, 0.0, 1.0)
_RICH_BLACK = Ink("rich black", (0.0, 0.0, 0.0), (0.4, 0.3, 0.3, 1.0))


def proofed(scene: Scene) -> Scene:
    """A scene in the colours that it has on paper, its fine lines and words of as few inks as the
    PDF has them. Spot inks keep their look; of black words that overprint only the black is
    shown."""
    return _recoloured([scene], lambda ink, most, _solid: proof(ink, most))[0]


def greyed(scenes: Sequence[Scene]) -> list[Scene]:
    """Scenes in greys that are as light as their colours. Spot inks keep their look."""
    return _recoloured(scenes, lambda ink, _most, _solid: as_grey(ink))


def enriched(scenes: Sequence[Scene]) -> list[Scene]:
    """Scenes whose black solids are printed with cyan, magenta and yellow below the black: it looks
    like a dark grey alone. Words, lines and small shapes stay on the plate of black."""
    return _recoloured(scenes, _rich)


def _rich(ink: Ink, _most: int, solid: bool) -> Ink:
    return _RICH_BLACK if solid and ink.spot is None and recipe_of(ink) == _BLACK else ink


def _recoloured(scenes: Sequence[Scene], look: _Look) -> list[Scene]:
    """Scenes with other inks; what several of them place stays one scene."""
    placed = used_scenes(scenes)
    scales = least_scales(scenes, placed)
    seen: dict[str, Scene] = {}
    for key, used in placed.items():
        seen[key] = replace(used, items=_items(used.items, scales[key], seen, look))
    return [replace(scene, items=_items(scene.items, 1.0, seen, look)) for scene in scenes]


def _items(
    items: tuple[Item, ...], scale: float, seen: dict[str, Scene], look: _Look
) -> tuple[Item, ...]:
    """Items shown at a scale; those that they place are in `seen`."""
    return tuple(_item(item, scale, seen, look) for item in items)


def _item(item: Item, scale: float, seen: dict[str, Scene], look: _Look) -> Item:
    if isinstance(item, Group):
        return replace(
            item, items=_items(item.items, scale * least_scale(item.matrix[:4]), seen, look)
        )
    if isinstance(item, Use):
        return replace(item, scene=seen[item.scene.key])
    if isinstance(item, TextRun):
        return replace(item, ink=look(item.ink, inks_of_words(item.size_pt * scale), False))
    line = item.stroke
    stroke = line and replace(line, ink=look(line.ink, inks_of_line(line.width_mm * scale), False))
    return replace(
        item, fill=item.fill and look(item.fill, INKS, _is_solid(item, scale)), stroke=stroke
    )


def _is_solid(shape: Path | Circle, scale: float) -> bool:
    """Whether the box of a shape is large enough for inks that may not quite meet at its edge."""
    if isinstance(shape, Circle):
        return 2 * shape.r * scale >= _SOLID_MM
    points = [float(number) for command in shape.commands for number in command[1:]]
    xs, ys = points[::2], points[1::2]
    return bool(xs) and min(max(xs) - min(xs), max(ys) - min(ys)) * scale >= _SOLID_MM
