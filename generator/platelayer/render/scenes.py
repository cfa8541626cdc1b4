"""Scenes prepared for painting, with each placed scene once and in the colours of the print; and
the painters by file format.

A painter draws each scene that is placed inside another once (`used_scenes`), in the inks of the
print: as on a press, in grey, or in rich black.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from platelayer.foundation.geometry import least_scale
from platelayer.foundation.pixels import Pixels
from platelayer.foundation.pixels import as_grey as grey_pixels
from platelayer.scene.inks import Ink, as_grey
from platelayer.scene.press import (
    INKS,
    inks_of_line,
    inks_of_words,
    proof,
    proof_of_pixels,
    recipe_of,
)
from platelayer.scene.shapes import Circle, Group, Image, Item, Items, Path, Scene, TextRun, Use


class ClashingKeys(ValueError):
    """Raised if two different drawings have the same key: painters would print one instead of the
    other."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"two different scenes have the key {key!r}")


def used_scenes(scenes: Iterable[Scene]) -> dict[str, Scene]:
    """Return the scenes placed by `Use` anywhere inside `scenes`, by key, inner ones before those
    that place them.

    Raises ClashingKeys if one key names two different drawings, ValueError if a scene places
    itself.
    """
    by_key: dict[str, Scene] = {}
    seen = {}  # by id(); scenes are kept alive so that no id is reused
    open_keys = []

    def visit(items: Items) -> None:
        for scene in placed_scenes(items):
            if id(scene) in seen:
                continue
            if scene.key in open_keys:
                raise ValueError(f"scene {scene.key!r} places itself")
            open_keys.append(scene.key)
            visit(scene.items)
            open_keys.pop()
            if not _same(by_key.setdefault(scene.key, scene), scene):
                raise ClashingKeys(scene.key)
            seen[id(scene)] = scene

    for scene in scenes:
        visit(scene.items)
    return by_key


def least_scales(scenes: Iterable[Scene], placed: Mapping[str, Scene]) -> dict[str, float]:
    """Return, by key, the smallest scale at which `scenes` show each of the `placed` scenes (inner
    ones first)."""
    scales: dict[str, float] = {}

    def visit(items: Items, scale: float) -> None:
        for item in items:
            if isinstance(item, Use):
                here = scale * least_scale(item.matrix[:4])
                scales[item.scene.key] = min(scales.get(item.scene.key, here), here)
            elif isinstance(item, Group):
                visit(item.items, scale * least_scale(item.matrix[:4]))

    for scene in scenes:
        visit(scene.items, 1.0)
    for key, scene in reversed([*placed.items()]):
        visit(scene.items, scales[key])
    return scales


def placed_scenes(items: Items) -> Iterator[Scene]:
    """Yield the scenes that some items place directly."""
    for item in items:
        if isinstance(item, Use):
            yield item.scene
        elif isinstance(item, Group):
            yield from placed_scenes(item.items)


def _same(one: Scene, other: Scene) -> bool:
    """Return True if two scenes draw the same, even if they were built separately."""
    if one is other:
        return True
    sizes = [(scene.width_mm, scene.height_mm, scene.bleed_mm) for scene in (one, other)]
    return sizes[0] == sizes[1] and _same_items(one.items, other.items)


def _same_items(ones: Items, others: Items) -> bool:
    return ones is others or (len(ones) == len(others) and all(map(_same_item, ones, others)))


def _same_item(one: Item, other: Item) -> bool:
    if isinstance(one, Use) and isinstance(other, Use):
        return one.matrix == other.matrix and one.scene.key == other.scene.key
    if isinstance(one, Group) and isinstance(other, Group):
        alike = (one.matrix, one.clip, one.layer) == (other.matrix, other.clip, other.layer)
        return alike and _same_items(one.items, other.items)
    return one == other


# Colours as printed: press colours in screen formats, greyscale, and rich black.

# Function that returns the ink to print in place of an ink, given the maximum number of its
# component inks and whether it fills a solid.
_Look = Callable[[Ink, int, bool], Ink]
# Minimum width and height of a fill that counts as a solid.
_SOLID_MM = 4.0
_BLACK = (0.0, 0.0, 0.0, 1.0)
_RICH_BLACK = Ink("rich black", (0.0, 0.0, 0.0), (0.4, 0.3, 0.3, 1.0))


def proofed(scene: Scene) -> Scene:
    """Return a scene in the colours that it has on paper, with its fine lines and words in as few
    inks as in the PDF. Spot inks keep their look; black words that overprint are shown in black
    alone."""
    return _recoloured([scene], lambda ink, most, _solid: proof(ink, most), proof_of_pixels)[0]


def greyed(scenes: Sequence[Scene]) -> list[Scene]:
    """Return scenes in greys as light as their colours. Spot inks keep their look."""
    return _recoloured(scenes, lambda ink, _most, _solid: as_grey(ink), grey_pixels)


def enriched(scenes: Sequence[Scene]) -> list[Scene]:
    """Return scenes whose black solids are printed with cyan, magenta and yellow below the black,
    which alone looks like a dark grey. Words, lines and small shapes stay on the black plate."""

    def look(ink: Ink, _most: int, solid: bool) -> Ink:
        is_black = ink.spot is None and recipe_of(ink) == _BLACK
        return _RICH_BLACK if solid and is_black else ink

    return _recoloured(scenes, look)


def _recoloured(
    scenes: Sequence[Scene],
    look: _Look,
    look_of_pixels: Callable[[Pixels], Pixels] = lambda pixels: pixels,
) -> list[Scene]:
    """Return scenes with other inks; a scene that several of them place stays one."""
    placed = used_scenes(scenes)
    scales = least_scales(scenes, placed)
    seen: dict[str, Scene] = {}

    def changed(item: Item, scale: float) -> Item:
        if isinstance(item, Group):
            inner = scale * least_scale(item.matrix[:4])
            return replace(item, items=tuple(changed(one, inner) for one in item.items))
        if isinstance(item, Use):
            return replace(item, scene=seen[item.scene.key])
        if isinstance(item, Image):
            return replace(item, pixels=look_of_pixels(item.pixels))
        if isinstance(item, TextRun):
            return replace(item, ink=look(item.ink, inks_of_words(item.size_pt * scale), False))
        fill, stroke = item.fill, item.stroke
        if fill is not None:
            # A solid is large enough that a slight misregistration at its edge does not matter.
            solid = _least_side(item) * scale >= _SOLID_MM
            fill = look(fill, INKS, solid)
        if stroke is not None:
            most = inks_of_line(stroke.width_mm * scale)
            stroke = replace(stroke, ink=look(stroke.ink, most, False))
        return replace(item, fill=fill, stroke=stroke)

    def of(scene: Scene, scale: float) -> Scene:
        return replace(scene, items=tuple(changed(item, scale) for item in scene.items))

    for key, used in placed.items():
        seen[key] = of(used, scales[key])
    return [of(scene, 1.0) for scene in scenes]


def _least_side(shape: Path | Circle) -> float:
    """Return the shorter side of the box around a shape and its control points."""
    if isinstance(shape, Circle):
        return 2 * shape.r
    numbers = [float(number) for command in shape.commands for number in command[1:]]
    xs, ys = numbers[::2], numbers[1::2]
    return min(max(xs) - min(xs), max(ys) - min(ys)) if xs else 0.0


# Painters by file format, and the encoding of codes such as QR.


class Painter(Protocol):
    """Paints one scene as the bytes of a whole file. `label` is for people (titles of files, screen
    readers); `dpi` is for pixels; `bleed` shows what is beyond the trim, where the format can
    omit it. Raises CannotRun if the system lacks what painting needs, ValueError for a length
    that is not finite."""

    def __call__(self, scene: Scene, *, label: str, dpi: int, bleed: bool) -> bytes:
        """Return the file."""
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


# Painters by file suffix. Register your own here.
PAINTERS: dict[str, Painter] = {".svg": _svg, ".png": _png, ".pdf": _pdf}


# Rows of modules from the top, True if dark; without the quiet zone.
Modules = tuple[tuple[bool, ...], ...]


def qr_modules(text: str) -> Modules:
    """Return the smallest QR code for an ASCII text that is readable with 15 % of it damaged (level
    M)."""
    import segno

    return tuple(
        tuple(map(bool, row)) for row in segno.make_qr(text, error="m", boost_error=False).matrix
    )
