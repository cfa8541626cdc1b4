"""Boxes for the pieces of a title."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_box_front, draw_box_spine
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.languages import languages
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import listed
from platelayer.imposition.boxes import FORMS, Net, box_document, open_box, tuckbox
from platelayer.imposition.calibration import calibration_sheet
from platelayer.imposition.paper import check_margin, find_paper, with_sizes
from platelayer.model.kinds import AIDS, BOARDS, CARDS, CHARTERS, DISCS, HEXES, KINDS, NOTES, SHEETS
from platelayer.model.manifest import build_manifest
from platelayer.model.options import THEME
from platelayer.pipeline.load import Reference, read_to_print
from platelayer.pipeline.options import BuildOptions, choose
from platelayer.pipeline.write import STANDARD_OUTPUT, write_one
from platelayer.render.pdf import render_pdf

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.model.kinds import Piece
    from platelayer.model.manifest import Manifest
    from platelayer.model.title import Title


# Share of a box that pieces in several stacks fill: between stacks of different sizes there is room.
_FILLED = 0.7
# The least floor: a map on paper is folded to this size.
_FLOOR_MM = (150.0, 220.0)
_LEAST_DEPTH_MM, _LEAST_DECK_MM, _MOST_DECK_MM = 20.0, 6.0, 100.0
# A piece by its sort: greyboard with a print on both sides, card of 300 g, paper of 120 g; boards
# are prints on paper, folded to eight layers.
THICKNESS_MM = {
    BOARDS: 1.0,
    HEXES: 1.6,
    DISCS: 1.6,
    CHARTERS: 0.34,
    CARDS: 0.32,
    AIDS: 0.32,
    NOTES: 0.12,
    SHEETS: 0.12,
}
# Sorts of pieces that a tuckbox takes; by default, the first.
DECKS = (CARDS, AIDS, CHARTERS, NOTES)


class Stack(Struct, frozen=True, kw_only=True):
    """All pieces of a sort in one pile: how many, the largest width and height of them (portrait),
    and its height, in mm."""

    sort: str
    count: int
    width_mm: float
    height_mm: float
    high_mm: float

    @property
    def volume_mm3(self) -> float:
        """The room that it takes."""
        return self.width_mm * self.height_mm * self.high_mm


def stacks(pieces: Iterable[tuple[Piece, float, float]]) -> tuple[Stack, ...]:
    """Stacks of pieces with their widths and heights, in the order of the sorts. Pieces of
    different sizes lie on each other."""
    by_sort: dict[str, list[tuple[Piece, float, float]]] = {}
    for piece, width, height in pieces:
        sized = (piece, min(width, height), max(width, height))
        by_sort.setdefault(KINDS[piece.kind].sort, []).append(sized)
    return tuple(
        Stack(
            sort=sort,
            count=sum(piece.count for piece, _, _ in by_sort[sort]),
            width_mm=max(width for _, width, _ in by_sort[sort]),
            height_mm=max(height for _, _, height in by_sort[sort]),
            high_mm=math.fsum([thick * piece.count for piece, _, _ in by_sort[sort]]),
        )
        for sort, thick in THICKNESS_MM.items()
        if sort in by_sort
    )


def write_box(reference: Reference, path: Path, options: BuildOptions, *, form: str) -> str:
    """Write the net of a box for the requested pieces as a PDF: a "tuckbox" for cards, or the lid
    and the tray of a "two-piece" box for everything. Returns its contents in words. Raises
    ProblemsFound and CannotRun."""
    if path != STANDARD_OUTPUT and path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: the net of a box is a PDF; name a file ending in .pdf")
    if form not in FORMS:
        raise CannotRun(f"form: there is no box {form!r}; use {', '.join(FORMS)}")
    loaded, _, style = read_to_print(reference, options)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    manifest = build_manifest(title)
    if form == "tuckbox" and not options.only:
        options = replace(options, only=DECKS[:1])
    piles = stacks(
        _sized(title, manifest, piece, style) for piece in choose(title, manifest, options)
    )
    nets, inside = _NETS[form](piles)
    room = f"{inside[0]:.0f} × {inside[1]:.0f} × {inside[2]:.0f} mm"
    document = box_document(
        style.words(title.name),
        nets,
        art={
            "title": lambda width, height: draw_box_front(title, width, height, style),
            "spine": lambda width, height: draw_box_spine(title, width, height, style),
        },
        contents=room,
        theme=style.theme,
        tongue=style.tongue,
        spot_name=options.spot_name,
    )
    write_one(path, render_pdf(document, colour=options.color))
    held = ", ".join(f"{pile.count} {pile.sort} = {pile.high_mm:.0f} mm" for pile in piles)
    return f"{path}: {room} inside ({held})"


def _sized(
    title: Title, manifest: Manifest, piece: Piece, style: Style
) -> tuple[Piece, float, float]:
    """A piece with its width and height, as it is drawn; boards and charts as large as a floor, as
    they are folded."""
    if KINDS[piece.kind].sort in (BOARDS, SHEETS):
        return piece, *_FLOOR_MM
    scene = draw_piece(title, manifest, piece, style)[0]
    return piece, scene.width_mm, scene.height_mm


# Nets by name, and the room inside.
_Made = tuple[tuple[tuple[str, Net], ...], tuple[float, float, float]]


def _tuckbox(piles: Sequence[Stack]) -> _Made:
    """A box around one stack of cards."""
    if any(pile.sort not in DECKS for pile in piles):
        raise CannotRun(
            f"a tuckbox is for cards: name some with only, of the sorts {', '.join(DECKS)}"
        )
    width, height = max(pile.width_mm for pile in piles), max(pile.height_mm for pile in piles)
    depth = math.fsum(pile.high_mm for pile in piles)
    if depth > _MOST_DECK_MM:
        raise CannotRun(
            f"a stack of {depth:.0f} mm is too high for a tuckbox, which holds {_MOST_DECK_MM:g} mm: name fewer pieces"
        )
    net = tuckbox(width, height, max(depth, _LEAST_DECK_MM))
    return (("tuckbox", net),), (width, height, depth)


def _two_piece(piles: Sequence[Stack]) -> _Made:
    """A lid and a tray as wide as the widest piece, and as deep as stacks need that leave some room
    between them."""
    width = max(_FLOOR_MM[0], *(pile.width_mm for pile in piles))
    height = max(_FLOOR_MM[1], *(pile.height_mm for pile in piles))
    flat = math.fsum(pile.high_mm for pile in piles if pile.sort in (BOARDS, SHEETS))
    loose = math.fsum(pile.volume_mm3 for pile in piles if pile.sort not in (BOARDS, SHEETS))
    depth = max(_LEAST_DEPTH_MM, math.ceil(flat + loose / (width * height * _FILLED)))
    nets = (
        ("box lid", open_box(width, height, depth, lid=True)),
        ("box tray", open_box(width, height, depth, lid=False)),
    )
    return nets, (width, height, depth)


_NETS: dict[str, Callable[[Sequence[Stack]], _Made]] = {
    "tuckbox": _tuckbox,
    "two-piece": _two_piece,
}


# The calibration sheet.


def write_calibration(
    path: Path, *, paper: str, margin_mm: float, duplex: str, language: str
) -> None:
    """The sheet from which to measure a printer's errors, as a PDF of two pages. Raises
    ProblemsFound and CannotRun."""
    if path != STANDARD_OUTPUT and path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: the calibration sheet is a PDF; name a file ending in .pdf")
    if language not in languages():
        raise CannotRun(
            f"language: there are no words in {language!r}; known: {listed(tuple(languages()))}"
        )
    sheet = find_paper(paper)
    check_margin(sheet, margin_mm)
    try:
        document = calibration_sheet(sheet, margin_mm, duplex, load_theme(THEME), language)
    except ValueError as error:
        raise CannotRun(str(error)) from error
    write_one(path, render_pdf(document))
