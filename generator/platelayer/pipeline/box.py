"""Boxes for the pieces of a title."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boxes import box_ground, draw_box_front, draw_box_list, draw_box_spine
from platelayer.drawing.kit import lettering
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.languages import languages
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.text import Text, counted, listed
from platelayer.foundation.values import grouped
from platelayer.imposition.boxes import FORMS, BoxToPrint, Net, box_document, open_box, tuckbox
from platelayer.imposition.calibration import calibration_sheet
from platelayer.imposition.impose import PieceToPrint, impose
from platelayer.imposition.paper import WORDS, check_margin, find_paper, fixed, with_sizes
from platelayer.imposition.plan import DocumentPlan, Layout
from platelayer.model.kinds import (
    AIDS,
    BOARDS,
    CARDS,
    CHARTERS,
    DISCS,
    HEXES,
    KINDS,
    NOTES,
    SHEETS,
    Piece,
)
from platelayer.model.manifest import build_manifest
from platelayer.model.options import THEME
from platelayer.pipeline.job import BuildOptions, choose
from platelayer.pipeline.load import Reference, read_to_print
from platelayer.pipeline.write import STANDARD_OUTPUT, write_one
from platelayer.render.pdf import render_pdf

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.imposition.paper import Document
    from platelayer.model.manifest import Manifest
    from platelayer.model.title import Title


# Share of a box that several stacks of pieces fill: there are gaps between stacks of different
# sizes.
_FILLED = 0.7
# Minimum floor of a box: a paper map is folded to this size.
_FLOOR_MM = (150.0, 220.0)
# A tuckbox holds up to 60 cards; a thicker deck would be too large for a hand.
_LEAST_DEPTH_MM, _LEAST_DECK_MM, _MOST_DECK_MM = 20.0, 6.0, 19.5
# Thickness of one piece, by sort: greyboard with a print on both sides, 300 g card, 120 g paper;
# boards are paper prints, folded to eight layers.
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
_ONE = {HEXES: "hex"}
# Sorts of pieces that go into tuckboxes; the first one is the default.
DECKS = (CARDS, AIDS, CHARTERS, NOTES)


class Stack(Struct, frozen=True, kw_only=True):
    """All pieces of a sort in one pile: their number, the largest width and height among them
    (portrait), and the height of the pile, in mm."""

    sort: str
    count: int
    width_mm: float
    height_mm: float
    high_mm: float


_Sized = tuple["Piece", float, float]


def _high(pieces: Iterable[_Sized]) -> float:
    """Return the height of pieces in one pile."""
    return math.fsum([THICKNESS_MM[KINDS[piece.kind].sort] * piece.count for piece, _, _ in pieces])


def stacks(pieces: Iterable[_Sized]) -> tuple[Stack, ...]:
    """Return stacks of pieces with their widths and heights, in the order of the sorts. Pieces of
    different sizes lie on top of each other."""
    by_sort = grouped((KINDS[sized[0].kind].sort, sized) for sized in pieces)
    return tuple(
        Stack(
            sort=sort,
            count=sum(piece.count for piece, _, _ in own),
            width_mm=max(min(size) for _, *size in own),
            height_mm=max(max(size) for _, *size in own),
            high_mm=_high(own),
        )
        for sort in THICKNESS_MM
        if (own := by_sort.get(sort))
    )


def _check_name(path: Path, what: str) -> None:
    if path != STANDARD_OUTPUT and path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: {what} is a PDF; name a file ending in .pdf")


def write_box(
    reference: Reference,
    path: Path,
    options: BuildOptions,
    *,
    form: str,
    paper: str | None = None,
) -> str:
    """Write the nets of boxes for the requested pieces as a PDF, and return their contents in
    words.

    A "tuckbox" holds up to 60 cards, so that there may be several; a "two-piece" box is a lid and a
    tray for everything. A page is as large as its box; on a `paper`, boxes share sheets, and larger
    ones are split. Raises ProblemsFound and CannotRun.
    """
    _check_name(path, "the net of a box")
    if form not in FORMS:
        raise CannotRun(f"form: there is no box {form!r}; use {', '.join(FORMS)}")
    loaded, _, style = read_to_print(reference, options)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    manifest = build_manifest(title)
    if form == "tuckbox" and not options.only:
        options = replace(options, only=DECKS[:1])
    pieces = [_sized(title, manifest, piece, style) for piece in choose(title, manifest, options)]
    boxes, contents = [], []
    for label, own in _decks(pieces, style) if form == "tuckbox" else [("", pieces)]:
        piles = stacks(own)
        nets, inside = _NETS[form](piles)
        room = "{:.0f} × {:.0f} × {:.0f} mm".format(*inside)
        name = style.words(title.name)
        counts = Counter(piece.kind for piece, _, _ in own for _ in range(piece.count))
        art = {
            "list": partial(draw_box_list, title, counts, style=style),
            "title": partial(draw_box_front, title, style=style, contents=label),
            "spine": partial(draw_box_spine, name, style=style),
            "lid": partial(draw_box_spine, label or name, style=style),
        }
        said = label.replace("\n", ", ")
        boxes += [
            BoxToPrint(
                name=said or fixed(key, style.tongue, style.theme.type("sheet").faces),
                room=room,
                net=net,
                ground=box_ground(style),
                art=art,
            )
            for key, net in nets
        ]
        held = ", ".join(
            f"{counted(pile.count, _ONE.get(pile.sort, pile.sort[:-1]), pile.sort)}"
            f" = {pile.high_mm:.0f} mm"
            for pile in piles
        )
        contents.append(f"{said}{': ' if label else ''}{room} inside ({held})")
    if paper is None:
        document = box_document(
            name, boxes, theme=style.theme, tongue=style.tongue, spot_name=options.spot_name
        )
    else:
        document = _on_paper(name, boxes, replace(options, paper=paper, cut="spot"), style)
    write_one(path, render_pdf(document, colour=options.color))
    return f"{path}: {'; '.join(contents)}"


def _on_paper(
    name: str, boxes: Sequence[BoxToPrint], options: BuildOptions, style: Style
) -> Document:
    """Lay boxes out on sheets of a paper, split where they are larger."""
    entries = [
        PieceToPrint(
            piece=Piece("box", str(number), Text.plain(f"{box.name} · {box.room}"), 1),
            scene=box.scene(f"box:{number}"),
        )
        for number, box in enumerate(boxes, start=1)
    ]
    layout = Layout(arrange="single", bleed_mm=3.0, overlap_mm=8.0, marks="corners")
    plan = DocumentPlan(stem="box", name=WORDS["box"], kinds=("box",), layouts={"single": layout})
    (document,) = impose(
        name, entries, theme=style.theme, options=options, tongue=style.tongue, plan=(plan,)
    )
    return document


def _decks(pieces: Sequence[_Sized], style: Style) -> Iterator[tuple[str, list[_Sized]]]:
    """Yield cards by kind, in decks of at most `_MOST_DECK_MM`, with their names and, on a second
    line, the first and the last company whose cards they hold. Small decks are combined. A
    single deck has no name."""
    if any(KINDS[piece.kind].sort not in DECKS for piece, _, _ in pieces):
        raise CannotRun(
            f"a tuckbox is for cards: name some with only, of the sorts {', '.join(DECKS)}"
        )

    if _high(pieces) <= _MOST_DECK_MM:
        yield "", list(pieces)
        return
    waiting: list[_Sized] = []
    for deck in grouped((sized[0].kind, sized) for sized in pieces).values():
        if waiting and _high([*waiting, *deck]) > _MOST_DECK_MM:
            yield _names(waiting, style), waiting
            waiting = []
        if _high(deck) <= _MOST_DECK_MM:
            waiting = [*waiting, *deck]
            continue
        boxes = math.ceil(_high(deck) / _MOST_DECK_MM)
        copies = [
            (replace(piece, count=1), width, height)
            for piece, width, height in deck
            for _ in range(piece.count)
        ]
        cuts = [len(copies) * number // boxes for number in range(boxes + 1)]
        keys = [piece.origin[:2] for piece, _, _ in copies]
        between = [0, *accumulate(len(list(run)) for _, run in groupby(keys))]
        whole = [min(between, key=lambda at: abs(at - cut)) for cut in cuts]
        # Keep the cards of a company together if the decks still fit.
        if all(_high(copies[start:end]) <= _MOST_DECK_MM for start, end in pairwise(whole)):
            cuts = whole
        for number, (start, end) in enumerate(pairwise(cuts), 1):
            label = f"{_names(deck, style)} {number} / {boxes}"
            first, last = keys[start], keys[end - 1]
            if first[:1] == ("companies",) and first != last:
                label += "\n" + style.words(WORDS["from to"], first[1], last[1])
            yield label, copies[start:end]
    if waiting:
        yield _names(waiting, style), waiting


def _names(deck: Sequence[_Sized], style: Style) -> str:
    kinds = dict.fromkeys(piece.kind for piece, _, _ in deck)
    return lettering.listed([style.words(KINDS[kind].name) for kind in kinds], style)


def _sized(title: Title, manifest: Manifest, piece: Piece, style: Style) -> _Sized:
    """Return a piece with its drawn width and height; for boards and charts the size of a box's
    floor, because they are folded."""
    if KINDS[piece.kind].sort in (BOARDS, SHEETS):
        return piece, *_FLOOR_MM
    scene = draw_piece(title, manifest, piece, style)[0]
    return piece, scene.width_mm, scene.height_mm


# Nets by name, and the inner dimensions.
_Made = tuple[tuple[tuple[str, Net], ...], tuple[float, float, float]]


def _tuckbox(piles: Sequence[Stack]) -> _Made:
    """Return a box around one stack of cards."""
    width, height = max(pile.width_mm for pile in piles), max(pile.height_mm for pile in piles)
    depth = max(math.fsum(pile.high_mm for pile in piles), _LEAST_DECK_MM)
    return (("tuckbox", tuckbox(width, height, depth)),), (width, height, depth)


def _two_piece(piles: Sequence[Stack]) -> _Made:
    """Return a lid and a tray as wide as the widest piece, and deep enough for the stacks with some
    room between them."""
    width = max(_FLOOR_MM[0], *(pile.width_mm for pile in piles))
    height = max(_FLOOR_MM[1], *(pile.height_mm for pile in piles))
    flat = math.fsum(pile.high_mm for pile in piles if pile.sort in (BOARDS, SHEETS))
    loose = math.fsum(
        pile.width_mm * pile.height_mm * pile.high_mm
        for pile in piles
        if pile.sort not in (BOARDS, SHEETS)
    )
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


# Writing of the calibration sheet.


def write_calibration(
    path: Path, *, paper: str, margin_mm: float, duplex: str, language: str
) -> None:
    """Write the sheet from which a printer's errors are measured, as a PDF of two pages. Raises
    ProblemsFound and CannotRun."""
    _check_name(path, "the calibration sheet")
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
