"""Pages with their boxes, documents, and placements: the result of imposition, which painters
print."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.problems import Problem
from platelayer.scene.shapes import Command, Matrix, Number, Scene

# x, y, width, height in mm from the upper left of the page.
Box = tuple[Number, Number, Number, Number]
# The code of a piece that is too large for the paper.
TOO_LARGE = "SH01"


def turned_into(box: Box, rotation: int) -> Matrix:
    """The transform that turns a piece clockwise by 0, 90, 180 or 270 degrees and moves it into a
    box on the page."""
    x, y, width, height = box
    matrices: dict[int, Matrix] = {
        0: (1.0, 0.0, 0.0, 1.0, x, y),
        90: (0.0, 1.0, -1.0, 0.0, x + width, y),
        180: (-1.0, 0.0, 0.0, -1.0, x + width, y + height),
        270: (0.0, -1.0, 1.0, 0.0, x, y + height),
    }
    return matrices[rotation]


class CutLine(Struct, frozen=True, kw_only=True):
    """A line that a knife follows: the closed outline of a piece, under an id that no other line of
    the page has, or all lines that several pieces share."""

    id: str
    commands: tuple[Command, ...]


class Page(Struct, frozen=True, kw_only=True, eq=False):
    """One page: `scene` covers the whole medium (its width and height are the paper's); `trim` and
    `bleed` become TrimBox and BleedBox and lie within the paper, trim within bleed; `cut` are the
    lines to cut along, if requested, without the corrections of a printer; `is_back` is for the
    back of the sheet whose front is the page before."""

    scene: Scene
    trim: Box
    bleed: Box
    cut: tuple[CutLine, ...] = ()
    is_back: bool = False


class PlacedPart(Struct, frozen=True, kw_only=True):
    """A part of a piece that is larger than the paper: its page (from 1), the box of its trim in mm
    from the upper left of the page, and the same box in mm from the upper left of the piece."""

    page: int
    trim: Box
    shows: Box


class Placement(Struct, frozen=True, kw_only=True):
    """One printed piece: the file stem and page (from 1) it is on, its `kind` and `id`, which face,
    the box of its trim in mm from the upper left of the page, and its rotation in degrees
    clockwise. Of a piece in `parts`, page and trim are those of the first."""

    file: str
    page: int
    kind: str
    id: str
    face: str
    trim: Box
    rotation: int
    parts: tuple[PlacedPart, ...] = ()


class Document(Struct, frozen=True, kw_only=True, eq=False):
    """One PDF to write: `stem` is its file name without suffix; `notes` are of pieces that are not
    as requested; `of_dies` has a die on each page and no piece; the rest is its metadata."""

    stem: str
    title: str
    subject: str
    pages: tuple[Page, ...]
    placements: tuple[Placement, ...] = ()
    notes: tuple[Problem, ...] = ()
    of_dies: bool = False
