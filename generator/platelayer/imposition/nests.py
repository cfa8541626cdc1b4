"""Pages of nested pieces, which fit into each other's hollows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from platelayer.imposition.draft import Draft, PieceToPrint, Placed, SheetSettings, pages_of
from platelayer.imposition.nesting import Nest, Polygon, bounds, moved_out, nested
from platelayer.imposition.outline import Sides, form_of
from platelayer.imposition.page import Box
from platelayer.imposition.paper import Frame
from platelayer.imposition.plan import Layout
from platelayer.model.kinds import Form
from platelayer.scene.flatten import flatten_commands
from platelayer.scene.shapes import Scene, polygon_path


def can_nest(scene: Scene) -> bool:
    """Whether nesting helps an outline: rectangles, hexagons and discs fit just as well in a grid."""
    return form_of(scene) is Form.RECTANGLE and scene.outline is not None and len(_corners(scene)) > 4


def nest_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    """Whether such a piece fits a sheet."""
    return any(_nest(settings.frames, _corners(scene), gap, _bleed(scene, layout, gap)) for gap in layout.gaps_mm)


def nest_sheets(entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings) -> Iterator[Draft]:
    """Pages of pieces that `can_nest`, those of one outline together; with the first of the layout's gaps that needs no
    more pages than the others."""
    for outline, alike in _alike(entries).items():
        copies = [entry for entry in alike for _ in range(entry.piece.count)]
        least = min(alike, key=lambda entry: entry.scene.bleed_mm).scene
        found = [_nest(settings.frames, outline, gap, _bleed(least, layout, gap)) for gap in layout.gaps_mm]
        nests = [nest for nest in found if nest is not None]
        if nests:
            nest = min(nests, key=lambda each: -(-len(copies) // len(each.places)))
            for run in pages_of(copies, len(nest.places)):
                placed = tuple(
                    _placed(entry, outline, place, _bleed(least, layout, nest.gap_mm))
                    for entry, place in zip(run, nest.places, strict=False)
                )
                yield Draft(frame=nest.frame, placed=placed, lines=layout.outlined)


def _alike(entries: Iterable[PieceToPrint]) -> dict[Polygon, list[PieceToPrint]]:
    """Pieces by their outlines, in the order they first come."""
    found: dict[Polygon, list[PieceToPrint]] = {}
    for entry in entries:
        found.setdefault(_corners(entry.scene), []).append(entry)
    return found


def _corners(scene: Scene) -> Polygon:
    return tuple((round(x, 4), round(y, 4)) for x, y in flatten_commands(scene.die_line)[0][0])


def _bleed(scene: Scene, layout: Layout, gap: float) -> float:
    """How far pieces a gap apart may bleed."""
    return min(layout.bleed_mm, scene.bleed_mm, gap / 2)


@cache
def _nest(frames: tuple[Frame, ...], outline: Polygon, gap: float, bleed: float) -> Nest | None:
    """The places; found once, because callers ask whether a piece fits and then where it goes."""
    return nested(frames, outline, gap_mm=gap, reserve_mm=max(_beyond(outline, bleed)))


def _beyond(outline: Polygon, bleed: float) -> Sides:
    """How far a bleed extends beyond the box around an outline: further at its corners than along its sides."""
    left, top, right, bottom = bounds(outline)
    far_left, far_top, far_right, far_bottom = bounds(moved_out(outline, bleed))
    return left - far_left, top - far_top, far_right - right, far_bottom - bottom


def _placed(entry: PieceToPrint, outline: Polygon, place: tuple[Box, int], bleed: float) -> Placed:
    (x, y, _, _), turn = place
    scene = entry.scene
    left, top, right, bottom = bounds(outline)
    sides = _beyond(outline, bleed)
    if turn:
        left, top = scene.width_mm - right, scene.height_mm - bottom
        sides = (*sides[2:], *sides[:2])
    return Placed(
        entry=entry,
        scene=scene,
        face=entry.face,
        box=(x - left, y - top, scene.width_mm, scene.height_mm),
        rotation=turn,
        bleed=sides,
        clip=polygon_path(moved_out(outline, bleed)),
    )
