"""Backs of sheets: each back behind its front, for every way to flip the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.imposition.draft import Draft, PieceToPrint, Placed
from platelayer.imposition.marks import register_marks
from platelayer.imposition.paper import Box, Frame
from platelayer.model.kinds import AIDS, KINDS, PLAIN
from platelayer.scene.shapes import transform_commands


def back_to_back(entries: Sequence[PieceToPrint]) -> list[PieceToPrint]:
    """Pieces in order, with aids of one size whose backs tell nothing two to a card: the next on
    the back of the one before, as often as there are both."""
    made = []
    waiting: dict[tuple[float, float], int] = {}
    for entry in entries:
        size = round(entry.scene.width_mm, 2), round(entry.scene.height_mm, 2)
        if KINDS[entry.piece.kind].sort != AIDS or entry.piece.back != PLAIN or entry.back is None:
            made.append(entry)
            continue
        left = entry.piece.count
        while left and size in waiting:
            at = waiting.pop(size)
            first = made[at]
            both, alone = min(first.piece.count, left), first.piece.count - left
            left -= both
            other = entry.times(both)
            made[at] = replace(
                first.times(both), back=entry.scene, behind=replace(other, back=None)
            )
            if alone > 0:
                made.insert(at + 1, first.times(alone))
                waiting = {key: place + (place > at) for key, place in waiting.items()}
                waiting[size] = at + 1
        if left:
            waiting[size] = len(made)
            made.append(entry.times(left))
    return made


def turns_sideways(frame: Frame, duplex: str) -> bool:
    """True if a sheet is flipped like the page of a book (left and right change places) rather than
    like one of a calendar: about its long edge if it is portrait, about its short edge if it is
    landscape."""
    return (duplex == "long") == (frame.width_mm <= frame.height_mm)


def back_of(draft: Draft, duplex: str, *, press: bool = False) -> Draft:
    """The back of a sheet: the backs of its pieces, and registration marks (of a `press`) behind
    its own."""
    frame = draft.frame
    sideways = turns_sideways(frame, duplex)
    middle = frame.width_mm / 2 if sideways else frame.height_mm / 2
    foot = frame.foot if sideways else _mirrored(frame.foot, middle, sideways=False)
    placed = _backs(draft.placed, middle, sideways=sideways)
    flip = (-1.0, 0.0, 0.0, 1.0, 2 * middle, 0.0)
    if not sideways:
        flip = (1.0, 0.0, 0.0, -1.0, 0.0, 2 * middle)
    marks = transform_commands(register_marks(frame, press=press), flip)
    bar = _mirrored(draft.bar, middle, sideways=sideways) if draft.bar else None
    board = _mirrored(draft.board, middle, sideways=sideways) if draft.board else None
    return Draft(replace(frame, foot=foot), placed, marks=marks, bar=bar, board=board)


def with_backs_beside(draft: Draft) -> Draft:
    """A sheet to be folded along its middle: the backs lie beyond the fold, which is marked."""
    fold = draft.frame.fold_mm
    if fold is None:
        return draft
    backs = _backs(draft.placed, fold, sideways=True)
    marks = [*draft.marks]
    marks += transform_commands(draft.marks, (-1.0, 0.0, 0.0, 1.0, 2 * fold, 0.0))
    # Short strokes along the fold.
    _, top, _, height = draft.frame.room
    count = max(2, round(height / 8))
    step = height / count
    for number in range(count):
        start = top + number * step
        marks += (("M", fold, start), ("L", fold, start + step * 0.45))
    return replace(draft, placed=(*draft.placed, *backs), marks=tuple(marks))


def _backs(fronts: Sequence[Placed], middle: float, *, sideways: bool) -> tuple[Placed, ...]:
    """The backs of pieces behind their fronts, mirrored about the line x (or y) = `middle`.

    A piece is turned over like the page of a book. So its back lies where the front does, mirrored
    by the sheet and by the piece: a rotation again, by -r when the sheet turns sideways and by 180
    - r when not.
    """
    backs = []
    for front in fronts:
        if front.entry.back is None:
            continue
        left, top, right, bottom = front.bleed
        clip, other = front.clip, front.entry.behind
        if clip:
            clip = transform_commands(clip, (-1.0, 0.0, 0.0, 1.0, front.scene.width_mm, 0.0))
        back = replace(
            front,
            entry=other or front.entry,
            scene=front.entry.back,
            face=other.face if other else "back",
            box=_mirrored(front.box, middle, sideways=sideways),
            rotation=((0 if sideways else 180) - front.rotation) % 360,
            bleed=(right, top, left, bottom) if sideways else (left, bottom, right, top),
            clip=clip,
        )
        backs.append(back)
    return tuple(backs)


def _mirrored(box: Box, middle: float, *, sideways: bool) -> Box:
    x, y, width, height = box
    if sideways:
        return 2 * middle - x - width, y, width, height
    return x, 2 * middle - y - height, width, height
