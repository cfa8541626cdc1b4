"""Drafts of pages: pieces have their places, but there is no foot yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.imposition.finish import Finish
from platelayer.imposition.foot import Part
from platelayer.imposition.marks import LEAST_MARK_MM, LEAST_PRESS_MARK_MM
from platelayer.imposition.outline import Sides
from platelayer.imposition.page import Box, CutLine
from platelayer.imposition.paper import Frame, Paper
from platelayer.model.pieces import Piece
from platelayer.scene.shapes import Command, Group, Item, Matrix, Scene, rectangle_path
from platelayer.scene.theme import Theme

_T = TypeVar("_T")


class PieceToPrint(Struct, frozen=True, kw_only=True, eq=False):
    """One distinct piece (its `count` says how often to print it) and the scene of its front, and
    of its back if that is to be printed behind it; or, with `again`, a further page of a piece that
    has several. `face` is "back" for a back that is printed like a front, on a sheet of one side.
    `behind` is another piece, whose front is the back."""

    piece: Piece
    scene: Scene
    back: Scene | None = None
    behind: PieceToPrint | None = None
    again: bool = False
    face: str = "front"

    def times(self, count: int) -> PieceToPrint:
        """So many of it."""
        return replace(self, piece=replace(self.piece, count=count))


class Placed(Struct, frozen=True, kw_only=True, eq=False):
    """One copy of a piece on a page: the scene of the face shown; its trim there; by how many
    degrees (0, 90, 180, 270) it is turned clockwise; how far it bleeds to each side on the page;
    and the clip (in the piece's coordinates) for its bleed, if one is needed."""

    entry: PieceToPrint
    scene: Scene
    face: str
    box: Box
    rotation: int = 0
    bleed: Sides = (0.0, 0.0, 0.0, 0.0)
    clip: tuple[Command, ...] | None = None

    @property
    def matrix(self) -> Matrix:
        """From the piece's coordinates to the page's."""
        x, y, width, height = self.box
        return {
            0: (1.0, 0.0, 0.0, 1.0, x, y),
            90: (0.0, 1.0, -1.0, 0.0, x + width, y),
            180: (-1.0, 0.0, 0.0, -1.0, x + width, y + height),
            270: (0.0, -1.0, 1.0, 0.0, x, y + height),
        }[self.rotation]


def placed_front(entry: PieceToPrint, box: Box, **how: Any) -> Placed:
    """A copy of a piece printed like a front, in a box on the page, turned by a quarter if it would
    not fit otherwise."""
    rotation = 90 if is_turned(entry, box) else 0
    return Placed(
        entry=entry, scene=entry.scene, face=entry.face, box=box, rotation=rotation, **how
    )


class View(Struct, frozen=True, kw_only=True, eq=False):
    """What a page shows of something larger than the paper: which part, drawn by `items`, with the
    boxes that trim and bleed have there, the trim in the coordinates of the whole (`shows`), and
    the outline (in the page's coordinates, of which the bleed box shows a part); `content` is for
    the foot."""

    part: Part
    items: tuple[Item, ...]
    trim: Box
    bleed: Box
    shows: Box
    content: tuple[str, ...]
    outline: tuple[Command, ...]

    def cut(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Only the items within the window; a layer stays a layer."""
        return tuple(
            replace(item, clip=rectangle_path(*self.bleed))
            if isinstance(item, Group)
            else Group(items=(item,), clip=rectangle_path(*self.bleed))
            for item in items
        )


class Draft(Struct, frozen=True, kw_only=True, eq=False):
    """A page without its foot: pieces placed and cut marks beside them, or a view. A piece in parts
    is placed with its first part, so that it counts once. `lines` requests the outlines of its
    pieces, however it is cut; `bar` is the place of a colour bar. Of a punchboard, `board` is its
    trim, and `die` are the lines that are cut, whatever lies in their places."""

    frame: Frame
    placed: tuple[Placed, ...]
    marks: tuple[Command, ...] = ()
    view: View | None = None
    lines: bool = False
    bar: Box | None = None
    board: Box | None = None
    die: tuple[CutLine, ...] = ()


class SheetSettings(Struct, frozen=True, kw_only=True, eq=False):
    """What every layout needs to know: the paper with its margin and possible orientations, theme
    and language, how the sheets are finished, and the paper of posters (None: made to measure)."""

    paper: Paper
    margin_mm: float
    frames: tuple[Frame, ...]
    theme: Theme
    tongue: Tongue
    finish: Finish
    poster: Paper | None = None

    @property
    def least_mark_mm(self) -> float:
        """The least length of a cut mark."""
        return LEAST_PRESS_MARK_MM if self.finish.press else LEAST_MARK_MM


def is_turned(entry: PieceToPrint, box: Box) -> bool:
    """Whether a piece must be turned to fit a box: only one of them is upright."""
    return (entry.scene.width_mm > entry.scene.height_mm) != (box[2] > box[3]) and box[2] != box[3]


def with_blanks(
    entries: Sequence[PieceToPrint], blank: int, per_page: int
) -> list[PieceToPrint | None]:
    """Every copy in order, with `blank` places left empty between groups unless a new page
    separates them anyway."""
    copies: list[PieceToPrint | None] = []
    for number, entry in enumerate(entries):
        if number and entries[number - 1].piece.group != entry.piece.group:
            copies += [None] * min(blank, -len(copies) % per_page)
        copies += [entry] * entry.piece.count
    return copies


def pages_of(things: Sequence[_T], per_page: int) -> Iterator[Sequence[_T]]:
    """Runs of at most `per_page` items."""
    ends = (*range(0, len(things), per_page), len(things))
    return (things[start:end] for start, end in pairwise(ends))
