"""Pieces to print, and pages on which they have found their places but which have no foot yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from platelayer.model.manifest import Piece
from platelayer.scene.shapes import Command, Item, Scene
from platelayer.scene.theme import Theme
from platelayer.sheets.foot import Part
from platelayer.sheets.outline import Sides
from platelayer.sheets.page import Box
from platelayer.sheets.paper import Frame, Paper

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PieceToPrint:
    """One distinct piece (its `count` says how often to print it) and the scene of its front; or, `again`, a further
    page of a piece that has several."""

    piece: Piece
    scene: Scene
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Placed:
    """One copy of a piece on a page: its trim there; whether it is turned a quarter clockwise; how far it bleeds to
    each side on the page; and the clip (in the piece's coordinates) that holds its bleed, where one is needed."""

    entry: PieceToPrint
    box: Box
    turned: bool = False
    bleed: Sides = (0.0, 0.0, 0.0, 0.0)
    clip: tuple[Command, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """What a page shows of something larger than the paper: which part, drawn by `items`, with the boxes that trim
    and bleed have there; `content` is for the foot."""

    part: Part
    items: tuple[Item, ...]
    trim: Box
    bleed: Box
    content: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """A page without its foot: pieces placed and cut marks beside them, or a view. A piece in parts is placed with
    its first part, so that it counts once."""

    frame: Frame
    placed: tuple[Placed, ...]
    marks: tuple[Command, ...] = ()
    view: View | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Press:
    """What every layout needs to know: the paper with its margin and the ways to hold it, theme and language."""

    paper: Paper
    margin_mm: float
    frames: tuple[Frame, ...]
    theme: Theme
    language: str


def is_turned(entry: PieceToPrint, box: Box) -> bool:
    """Whether a piece must be turned to lie in a box: one is upright and the other is not."""
    return (entry.scene.width_mm > entry.scene.height_mm) != (box[2] > box[3]) and box[2] != box[3]


def pages_of(things: Sequence[_T], per_page: int) -> Iterator[Sequence[_T]]:
    """Runs of at most `per_page` things."""
    ends = (*range(0, len(things), per_page), len(things))
    return (things[start:end] for start, end in pairwise(ends))
