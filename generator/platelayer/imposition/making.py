"""Instructions for cutting sheets: which sheets to stack, and the strokes in order.

Straight strokes from edge to edge are found the way a guillotine cuts: all lines of one direction
that divide a sheet without touching a piece, then, within the resulting strips, lines of the other
direction. Identical strips are stacked and cut as one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.foundation.values import Frozen
from platelayer.imposition.cut import CLEAR_MM
from platelayer.imposition.listing import Entry, Listing
from platelayer.imposition.paper import Box, Document, Paper, Placement, fixed
from platelayer.imposition.plan import Layout
from platelayer.model.kinds import DISCS, HEXES, KINDS, SHEETS, STOCKS, Form
from platelayer.scene.shapes import Anchor, Items
from platelayer.scene.typeset import Theme, set_line

_EPS = 0.02
_COS_30 = math.cos(math.radians(30))
_NUMBER_PT = 5.0
# Minimum distance of marks with room for a number between them.
_CLOSE_MM = 2.5
# Number of sheets of a stock that a home trimmer cuts at once; prints glued to board are cut
# singly.
_AT_ONCE = {"card": 5, "paper": 8, "label": 1, "board": 1}
# Estimated minutes for a stroke including its setup, for a piece cut along its outline, and for a
# sheet that is folded and glued or a part that is joined. They are our own estimates, not yet
# measured by anybody.
_STROKE_MIN, _OUTLINE_MIN, _GLUE_MIN = 0.3, 0.2, 1.5

# The shorter and the longer side of a sheet.
_Size = tuple[float, float]
Way = Literal["down", "across", "rising", "falling"]
# Directions of the edges of hexes with corners at the top and bottom, and at the left and right.
_OF_POINTY: tuple[Way, Way, Way] = ("falling", "down", "rising")
_OF_FLAT: tuple[Way, Way, Way] = ("across", "falling", "rising")


class Step(Frozen, kw_only=True):
    """Strokes of one direction, one after the other, the farthest first: their places in mm from
    the left (`down`) or from the top (`across`) of the sheet, and the number of the first. They
    cut `strips` equal strips, each `between` two strokes (0: an edge of the sheet); `region` is
    the first strip. For strokes along the edges of hexes, only the number is known."""

    way: Way
    at_mm: tuple[float, ...] = ()
    count: int
    first: int
    strips: int = 1
    between: tuple[tuple[int, int], ...] = ()
    region: Box = (0.0, 0.0, 0.0, 0.0)


class Stack(Frozen, kw_only=True):
    """Sheets of one document (counted from 1) that are cut as one: the steps; the pieces on the
    first sheet that are cut out along their outlines; the empty places on all sheets together;
    the size of a sheet (its shorter side first) and the stock of its pieces; whether backs are
    folded behind fronts; and the number of parts that are joined into a whole. `page` of the
    document (from 1) has all places."""

    sheets: tuple[int, ...]
    steps: tuple[Step, ...] = ()
    outlines: int = 0
    blank: int = 0
    size_mm: _Size
    stock: str = ""
    folded: bool = False
    parts: int = 0
    page: int = 0

    @property
    def strokes(self) -> int:
        """Number of strokes for a machine that cuts all sheets and strips at once."""
        return sum(step.count for step in self.steps)

    @property
    def strokes_at_home(self) -> int:
        """Number of strokes for a home trimmer, which cuts sheets and strips in piles."""
        return sum(
            step.count * math.ceil(len(self.sheets) * step.strips / self.at_once)
            for step in self.steps
        )

    @property
    def at_once(self) -> int:
        """Number of sheets that a home trimmer cuts at once."""
        return max(1, _AT_ONCE.get(self.stock, 1) // (2 if self.folded else 1))

    @property
    def minutes(self) -> float:
        """Estimated minutes for all sheets, at home."""
        by_hand = self.outlines * _OUTLINE_MIN + (self.folded or bool(self.parts)) * _GLUE_MIN
        return self.strokes_at_home * _STROKE_MIN + len(self.sheets) * by_hand


class Making(Frozen, kw_only=True):
    """The making of one document: its file, its pieces, its stacks, and the mean share of its
    sheets covered by cyan, magenta, yellow and black (None: not measured)."""

    file: str
    pieces: frozenset[tuple[str, str]]
    stacks: tuple[Stack, ...]
    inks: tuple[float, ...] | None = None


def stacks_of(document: Document, layout: Layout) -> tuple[Stack, ...]:
    """Return the stacks of a document's sheets. A sheet is stacked on another if its places are
    among that one's; places that it leaves blank are cut as well. Pages to read, and sheets for
    a die, are not cut by hand."""
    sheets = {
        number: number - sum(page.is_back for page in document.pages[:number])
        for number, page in enumerate(document.pages, start=1)
        if not page.is_back
    }
    placed: dict[int, list[Placement]] = {number: [] for number in sheets}
    parts: dict[tuple[str, _Size], list[int]] = {}
    for placement in (*document.placements, *document.further):
        if placement.parts:
            for part in placement.parts:
                kind = _stock([placement]), _size(document, part.page)
                parts.setdefault(kind, []).append(sheets[part.page])
                placed.pop(part.page, None)
        elif placement.page in placed:
            fold = document.pages[placement.page - 1].fold_mm
            if fold is None or placement.trim[0] < fold:
                placed[placement.page].append(placement)
    places = {
        number: frozenset((_rounded(one.trim), _form(one)) for one in those)
        for number, those in placed.items()
    }
    full: dict[tuple[float | None, _Size, frozenset[tuple[Box, Form]]], list[int]] = {}
    for number in sorted(places, key=lambda number: -len(places[number])):
        key = document.pages[number - 1].fold_mm, _size(document, number), places[number]
        alike = (one for one in full if one[:2] == key[:2] and key[2] <= one[2])
        full.setdefault(next(alike, key), []).append(number)
    stacks = []
    for (fold, size_mm, fullest), numbers in full.items():
        page = document.pages[numbers[0] - 1]
        steps: tuple[Step, ...] = ()
        outlines = 0
        if not (layout.is_page or layout.die or layout.board):
            size = page.scene.width_mm if fold is None else fold, page.scene.height_mm
            steps, outlines = _steps_of(fullest, size)
        stack = Stack(
            sheets=tuple(sorted(sheets[number] for number in numbers)),
            steps=steps,
            outlines=outlines,
            blank=sum(len(fullest) - len(places[number]) for number in numbers),
            size_mm=size_mm,
            stock=_stock(placed[numbers[0]]),
            folded=fold is not None,
            page=numbers[0],
        )
        stacks.append(stack)
    for (stock, size_mm), pages in parts.items():
        stacks.append(Stack(sheets=tuple(pages), size_mm=size_mm, stock=stock, parts=len(pages)))
    return tuple(sorted(stacks, key=lambda stack: stack.sheets))


def _size(document: Document, number: int) -> _Size:
    """Return the sides of a page (from 1), the shorter first."""
    scene = document.pages[number - 1].scene
    return min(scene.width_mm, scene.height_mm), max(scene.width_mm, scene.height_mm)


def _form(placed: Placement) -> Form:
    """Return the form by which a piece is cut: anything but a card or a single hex is cut out like
    a disc."""
    if KINDS[placed.kind].sort not in (HEXES, DISCS):
        return Form.RECTANGLE
    short, long = sorted(placed.trim[2:])
    return Form.HEXAGON if abs(short / long - _COS_30) < _EPS / 10 else Form.DISC


def _stock(placed: Sequence[Placement]) -> str:
    """Return the stock of a sheet's pieces: that of the first, as a sheet has only one."""
    sort = KINDS[placed[0].kind].sort if placed else SHEETS
    return next(stock for stock, sorts in STOCKS.items() if sort in sorts)


def _rounded(box: Box) -> Box:
    x, y, width, height = (round(length, 2) for length in box)
    return x, y, width, height


def _steps_of(
    places: Collection[tuple[Box, Form]], size_mm: tuple[float, float]
) -> tuple[tuple[Step, ...], int]:
    """Return the steps of a sheet in the order of their numbers, and the number of pieces that no
    stroke cuts out."""
    boxes = {form: [box for box, own in places if own is form] for form in Form}
    hexes = sorted(boxes[Form.HEXAGON])
    sizes = {tuple(sorted(box[2:])) for box in hexes}
    if len(hexes) == len(places) and len(sizes) == 1 and (slanted := _along_hexes(hexes)):
        return slanted, 0
    steps = _apart(sorted(boxes[Form.RECTANGLE]), (0.0, 0.0, *size_mm))
    return steps, len(places) - len(boxes[Form.RECTANGLE])


def _along_hexes(boxes: Sequence[Box]) -> tuple[Step, ...]:
    """Return strokes along the lines of the edges of hexes in offset rows; none if a line of one
    hex cuts another."""
    flat = boxes[0][2] > boxes[0][3]
    half = min(boxes[0][2:]) / 2
    steps: list[Step] = []
    number = 1
    for turn, way in enumerate(_OF_FLAT if flat else _OF_POINTY):
        angle = math.radians((0.0 if flat else 30.0) + 60 * turn)
        off = [
            (y + height / 2) * math.cos(angle) - (x + width / 2) * math.sin(angle)
            for x, y, width, height in boxes
        ]
        lines = sorted({round(at + side, 1) for at in off for side in (-half, half)})
        lines = [at for n, at in enumerate(lines) if not n or at - lines[n - 1] > 0.15]
        if any(abs(line - at) < half - 0.2 for line in lines for at in off):
            return ()
        steps.append(Step(way=way, count=len(lines), first=number))
        number += len(lines)
    return tuple(steps)


def _apart(
    boxes: Sequence[Box],
    region: Box,
    first: int = 1,
    between: tuple[tuple[int, int], ...] = (),
) -> tuple[Step, ...]:
    """Return strokes that separate some boxes in a region: those in the direction that divides it
    into most strips, then those within each strip."""
    ways = []
    for axis in (0, 1):
        low, high = region[axis], region[axis] + region[axis + 2]
        sides = sorted(side for box in boxes for side in (box[axis], box[axis] + box[axis + 2]))
        lines: list[float] = []
        for at in sides:
            touches = any(box[axis] + _EPS < at < box[axis] + box[axis + 2] - _EPS for box in boxes)
            if not touches and low + _EPS < at < high - _EPS and at - (lines or [low])[-1] > _EPS:
                lines.append(at)
        # Cut the farthest line first, so that the edge from which positions are measured remains.
        ends = pairwise((high, *reversed(lines), low))
        numbers = pairwise((0, *range(first, first + len(lines)), 0))
        strips = []
        for (end, start), bounds in zip(ends, numbers, strict=True):
            within = [box for box in boxes if start - _EPS <= box[axis] < end - _EPS]
            if within:
                x, y, width, height = region
                strip = (x, start, width, end - start) if axis else (start, y, end - start, height)
                strips.append((strip, within, bounds))
        ways.append((len(strips) if lines else 0, axis, lines, strips))
    parted, axis, lines, strips = max(ways, key=lambda way: way[0])
    if not parted:
        return ()
    steps: tuple[Step, ...] = (
        Step(
            way="across" if axis else "down",
            at_mm=tuple(round(line, 2) for line in reversed(lines)),
            count=len(lines),
            first=first,
            between=between,
            region=region,
        ),
    )
    alike: dict[tuple[Box, ...], list[tuple[Box, list[Box], tuple[int, int]]]] = {}
    for strip, within, bounds in strips:
        x, y, width, height = strip
        shape = sorted(
            _rounded((left - x, top - y, wide, high)) for left, top, wide, high in within
        )
        key = (_rounded((0.0, 0.0, width, height)), *shape)
        alike.setdefault(key, []).append((strip, within, bounds))
    for together in alike.values():
        strip, within, _ = together[0]
        own = tuple(bounds for *_, bounds in together)
        for cuts in _apart(within, strip, steps[-1].first + steps[-1].count, own):
            steps += (replace(cuts, strips=cuts.strips * len(together)),)
    return steps


def numbered(document: Document, stacks: Sequence[Stack], theme: Theme) -> Document:
    """Return the document with the number of each stroke beside its mark, above or left of the
    pieces that it passes, on all sheets of its stack."""
    style, ink = theme.type("sheet").at(_NUMBER_PT), theme.ink("mark")
    high = style.size_mm
    pages = list(document.pages)
    fronts = [number for number, page in enumerate(pages) if not page.is_back]
    for stack in stacks:
        placements = (*document.placements, *document.further)
        fold = pages[stack.page - 1].fold_mm or math.inf
        boxes = [one.trim for one in placements if one.page == stack.page and one.trim[0] < fold]
        items: Items = ()
        for step in stack.steps:
            if not step.at_mm:
                continue
            axis, other = (0, 1) if step.way == "down" else (1, 0)
            left, right = step.region[other], step.region[other] + step.region[other + 2]
            near = [box for box in boxes if left - _EPS <= box[other] < right]
            page = pages[stack.page - 1]
            bleed = max(page.trim[0] - page.bleed[0], page.trim[1] - page.bleed[1])
            edge = min(box[other] for box in near) - bleed - CLEAR_MM
            for number, at in enumerate(step.at_mm, step.first):
                # If the next mark is too close, put this mark's number on its other side.
                before = any(0 < later - at < _CLOSE_MM for later in step.at_mm)
                if axis == 0:
                    x, anchor = (at - 0.4, Anchor.END) if before else (at + 0.4, Anchor.START)
                    items += set_line(str(number), style, ink, x, edge - 0.3, anchor=anchor)
                else:
                    y = at - 0.4 if before else at + 0.3 + 0.7 * high
                    items += set_line(str(number), style, ink, edge - 0.3, y, anchor=Anchor.END)
        for sheet in stack.sheets if items else ():
            page = pages[fronts[sheet - 1]]
            scene = replace(page.scene, items=(*page.scene.items, *items))
            pages[fronts[sheet - 1]] = replace(page, scene=scene)
    return replace(document, pages=tuple(pages))


def _head(file: str, stack: Stack, say: Callable[..., str]) -> str:
    one, last = stack.sheets[0], stack.sheets[-1]
    runs = last > one and [*stack.sheets] == [*range(one, last + 1)]
    sheets = f"{one}–{last}" if runs else ", ".join(map(str, stack.sheets))
    several = len(stack.sheets) > 1
    return say(
        "stack" if several and stack.steps else "sheets" if several else "sheet", file, sheets
    )


def _lines(stack: Stack, say: Callable[..., str]) -> Iterator[str]:
    """Yield the steps of a stack in words, line by line."""
    if stack.folded:
        yield say("fold")
    layers = max((len(stack.sheets) * step.strips for step in stack.steps), default=0)
    if min(stack.at_once, layers) > 1:
        yield say("pile", stack.at_once)
    elif not all(step.at_mm for step in stack.steps):
        yield say("knife")
    for step in stack.steps:
        final = step.first + step.count - 1
        numbers = f"{step.first}–{final}" if step.count > 1 else str(final)
        if not step.at_mm:
            yield say(f"{step.way} hexes", numbers)
            continue
        low = step.region[0 if step.way == "down" else 1]
        places = " · ".join(f"{at - low:.1f}" for at in step.at_mm)
        edge = say("edge")
        strips = ", ".join("/".join(str(end or edge) for end in ends) for ends in step.between)
        yield say(f"{step.way} strips" if strips else step.way, numbers, places, strips)
    if stack.outlines:
        yield say("outlines", stack.outlines)
    if stack.parts:
        yield say("parts", stack.parts)
    if stack.blank:
        yield say("blank", stack.blank)


def making_listing(
    makings: Sequence[Making], paper: Paper, tongue: Tongue, faces: Sequence[str]
) -> Listing:
    """Return, for all documents, the paper to buy, sheets to stack, strokes in order, minutes and
    ink. `paper` is that of most sheets. Of documents with the same pieces, such as a poster and
    its parts, only one is counted."""

    def say(key: str, *parts: object) -> str:
        return fixed(f"making {key}", tongue, faces, *parts)

    usual = min(paper.width_mm, paper.height_mm), max(paper.width_mm, paper.height_mm)
    counted: dict[frozenset[tuple[str, str]], Making] = {}
    for making in sorted(makings, key=lambda one: one.stacks[0].size_mm != usual):
        counted.setdefault(making.pieces, making)
    papers: dict[tuple[str, str], Counter[str]] = {}
    entries = []
    for making in makings:
        main = counted[making.pieces]
        name = making.file if main is making else say("instead", making.file, main.file)
        for stack in making.stacks:
            size = " × ".join(f"{side:.0f}" for side in stack.size_mm)
            kind = stack.stock, paper.name if stack.size_mm == usual else f"{size} mm"
            papers.setdefault(kind, Counter())[name] += len(stack.sheets)
            if stack.steps or stack.outlines or stack.parts:
                entries.append(Entry(_head(name, stack, say), "\n".join(_lines(stack, say))))
        if making.inks and entries:
            parts = [round(100 * share) for share in making.inks]
            ink = say("ink", *parts, round(100 * math.fsum(making.inks)))
            entries[-1] = replace(entries[-1], aside=ink)
    buy = [
        say(f"stock {stock}", files.total(), size, ", ".join(files))
        for (stock, size), files in papers.items()
    ]
    stacks = [stack for making in counted.values() for stack in making.stacks]
    intro = say(
        "totals",
        sum(len(stack.sheets) for stack in stacks),
        sum(stack.strokes for stack in stacks),
        sum(stack.strokes_at_home for stack in stacks),
        max(5, 5 * round(math.fsum(stack.minutes for stack in stacks) / 5)),
    )
    how = (say("order"), say("places"), say("between"))
    entries[:0] = [Entry(say("buy"), "\n".join(buy)), Entry(say("how"), "\n".join(how))]
    return Listing(stem="making", heading="making", intro=intro, entries=entries)
