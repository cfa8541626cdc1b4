"""Instructions for cutting sheets: which of them lie on one another, and the strokes in order.

Straight strokes from edge to edge are found as a guillotine cuts: all lines of one direction that
part a sheet without touching a piece, then what is left between them, in the other direction. Strips
that are alike are laid on one another and cut as one.
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
from platelayer.imposition.listing import Entry, Listing
from platelayer.imposition.marks import CLEAR_MM
from platelayer.imposition.paper import Box, Document, Paper, Placement, amount, fixed
from platelayer.imposition.plan import Layout
from platelayer.model.kinds import DISCS, HEXES, KINDS, SHEETS, STOCKS, Form
from platelayer.scene.shapes import Anchor, Items
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import set_line

_EPS = 0.02
_COS_30 = math.cos(math.radians(30))
_NUMBER_PT = 5.0
# Marks closer than this have no room for a number between them.
_CLOSE_MM = 2.5
# A trimmer for home takes so many sheets of a stock at once; what is glued on board is cut singly.
_AT_ONCE = {"card": 5, "paper": 8, "label": 1, "board": 1}
# Minutes of a stroke with its setting up, of a piece cut out along its outline, of a sheet that is
# folded and glued or of a part that is joined: estimates of ours, which nobody has timed yet.
_STROKE_MIN, _OUTLINE_MIN, _GLUE_MIN = 0.3, 0.2, 1.5


class Step(Frozen, kw_only=True):
    """Strokes of one direction one after the other: their places in mm from the left (`down` the
    sheet) or from the top (`across`) of the sheet, the number of the first, and how many strips are
    cut as one. `region` is what they run through, on the first of those. Of `slanted` strokes, along
    the edges of hexes, only the number is known."""

    way: Literal["down", "across", "slanted"]
    at_mm: tuple[float, ...] = ()
    count: int
    first: int
    strips: int = 1
    region: Box = (0.0, 0.0, 0.0, 0.0)


class Stack(Frozen, kw_only=True):
    """Sheets of one document (from 1) that are cut as one: the steps, pieces on the first that are
    cut out along their outlines, places without a piece on all sheets together; the stock of their
    pieces; whether backs are folded behind fronts, and of how many parts a whole is joined. `page`
    of the document (from 1) has all places."""

    sheets: tuple[int, ...]
    steps: tuple[Step, ...] = ()
    outlines: int = 0
    blank: int = 0
    stock: str = ""
    folded: bool = False
    parts: int = 0
    page: int = 0

    @property
    def strokes(self) -> int:
        """The number of strokes of one pile."""
        return sum(step.count for step in self.steps)

    @property
    def minutes(self) -> float:
        """An estimate for all of its sheets, cut in piles."""
        piles = math.ceil(len(self.sheets) / _AT_ONCE.get(self.stock, 1))
        by_hand = self.outlines * _OUTLINE_MIN + (self.folded or bool(self.parts)) * _GLUE_MIN
        return piles * self.strokes * _STROKE_MIN + len(self.sheets) * by_hand


class Making(Frozen, kw_only=True):
    """The making of one document: its file, the size of its sheets, its stacks, and the mean share of
    its sheets that cyan, magenta, yellow and black cover (None: not measured)."""

    file: str
    size_mm: tuple[float, float]
    stacks: tuple[Stack, ...]
    inks: tuple[float, ...] | None = None


def stacks_of(document: Document, layout: Layout, *, folded: bool = False) -> tuple[Stack, ...]:
    """The stacks of a document's sheets. A sheet whose places are among those of another one lies on
    it: places that it leaves blank are cut as well. Pages to read, and sheets for a die, are not cut
    by hand."""
    sheets = {
        number: number - sum(page.is_back for page in document.pages[:number])
        for number, page in enumerate(document.pages, start=1)
        if not page.is_back
    }
    placed: dict[int, list[Placement]] = {number: [] for number in sheets}
    parts: dict[str, list[int]] = {}
    for placement in document.placements:
        if placement.parts:
            pages = [sheets[part.page] for part in placement.parts]
            parts.setdefault(_stock([placement]), []).extend(pages)
            for part in placement.parts:
                placed.pop(part.page, None)
        elif placement.page in placed and not (folded and placement.face == "back"):
            placed[placement.page].append(placement)
    places = {
        number: frozenset((_rounded(one.trim), _form(one)) for one in those)
        for number, those in placed.items()
    }
    full: dict[frozenset[tuple[Box, Form]], list[int]] = {}
    for number in sorted(places, key=lambda number: -len(places[number])):
        own = places[number]
        full.setdefault(next((one for one in full if own <= one), own), []).append(number)
    stacks = []
    for fullest, numbers in full.items():
        page = document.pages[numbers[0] - 1]
        steps: tuple[Step, ...] = ()
        outlines = 0
        if not (layout.is_page or layout.die or layout.board):
            steps, outlines = _steps_of(fullest, (page.scene.width_mm, page.scene.height_mm))
        stack = Stack(
            sheets=tuple(sorted(sheets[number] for number in numbers)),
            steps=steps,
            outlines=outlines,
            blank=sum(len(fullest) - len(places[number]) for number in numbers),
            stock=_stock(placed[numbers[0]]),
            folded=folded and bool(steps),
            page=numbers[0],
        )
        stacks.append(stack)
    for stock, pages in parts.items():
        stacks.append(Stack(sheets=tuple(pages), stock=stock, parts=len(pages)))
    return tuple(sorted(stacks, key=lambda stack: stack.sheets))


def _form(placed: Placement) -> Form:
    """The form of a piece as it is cut: what is neither a card nor a single hex is cut out like a
    disc."""
    if KINDS[placed.kind].sort not in (HEXES, DISCS):
        return Form.RECTANGLE
    short, long = sorted(placed.trim[2:])
    return Form.HEXAGON if abs(short / long - _COS_30) < _EPS / 10 else Form.DISC


def _stock(placed: Sequence[Placement]) -> str:
    """The stock of the pieces of a sheet: of the first, as sheets have one."""
    sort = KINDS[placed[0].kind].sort if placed else SHEETS
    return next(stock for stock, sorts in STOCKS.items() if sort in sorts)


def _rounded(box: Box) -> Box:
    x, y, width, height = (round(length, 2) for length in box)
    return x, y, width, height


def _steps_of(
    places: Collection[tuple[Box, Form]], size_mm: tuple[float, float]
) -> tuple[tuple[Step, ...], int]:
    """The steps of a sheet in the order of their numbers, and the pieces that no stroke cuts out."""
    boxes = {form: [box for box, own in places if own is form] for form in Form}
    hexes = sorted(boxes[Form.HEXAGON])
    sizes = {tuple(sorted(box[2:])) for box in hexes}
    if len(hexes) == len(places) and len(sizes) == 1 and (slanted := _along_hexes(hexes)):
        return slanted, 0
    steps: tuple[Step, ...] = ()
    for step in _apart(sorted(boxes[Form.RECTANGLE]), (0.0, 0.0, *size_mm)):
        steps += (replace(step, first=sum(one.count for one in steps) + 1),)
    return steps, len(places) - len(boxes[Form.RECTANGLE])


def _along_hexes(boxes: Sequence[Box]) -> tuple[Step, ...]:
    """Strokes along the lines on which the edges of hexes in offset rows lie; none if a line of one
    hex cuts another."""
    flat = boxes[0][2] > boxes[0][3]
    half = min(boxes[0][2:]) / 2
    steps: list[Step] = []
    number = 1
    for turn in range(3):
        angle = math.radians((0.0 if flat else 30.0) + 60 * turn)
        off = [
            (y + height / 2) * math.cos(angle) - (x + width / 2) * math.sin(angle)
            for x, y, width, height in boxes
        ]
        lines = sorted({round(at + side, 1) for at in off for side in (-half, half)})
        lines = [at for n, at in enumerate(lines) if not n or at - lines[n - 1] > 0.15]
        if any(abs(line - at) < half - 0.2 for line in lines for at in off):
            return ()
        steps.append(Step(way="slanted", count=len(lines), first=number))
        number += len(lines)
    return tuple(steps)


def _apart(boxes: Sequence[Box], region: Box) -> Iterator[Step]:
    """Strokes, without numbers, that free some boxes from a region: those of the direction that parts
    it into most, then what frees each strip."""
    ways = []
    for axis in (0, 1):
        low, high = region[axis], region[axis] + region[axis + 2]
        sides = sorted(side for box in boxes for side in (box[axis], box[axis] + box[axis + 2]))
        lines: list[float] = []
        for at in sides:
            touches = any(box[axis] + _EPS < at < box[axis] + box[axis + 2] - _EPS for box in boxes)
            if not touches and low + _EPS < at < high - _EPS and at - (lines or [low])[-1] > _EPS:
                lines.append(at)
        ends = [low, *lines, high]
        strips = []
        for start, end in pairwise(ends):
            within = [box for box in boxes if start - _EPS <= box[axis] < end - _EPS]
            if within:
                x, y, width, height = region
                strip = (x, start, width, end - start) if axis else (start, y, end - start, height)
                strips.append((strip, within))
        ways.append((len(strips) if lines else 0, axis, lines, strips))
    parted, axis, lines, strips = max(ways, key=lambda way: way[0])
    if not parted:
        return
    places = tuple(round(line, 2) for line in lines)
    yield Step(
        way="across" if axis else "down", at_mm=places, count=len(places), first=0, region=region
    )
    alike: dict[tuple[Box, ...], list[tuple[Box, list[Box]]]] = {}
    for strip, within in strips:
        x, y, width, height = strip
        shape = sorted(
            _rounded((left - x, top - y, wide, high)) for left, top, wide, high in within
        )
        alike.setdefault((_rounded((0.0, 0.0, width, height)), *shape), []).append((strip, within))
    for together in alike.values():
        strip, within = together[0]
        for cuts in _apart(within, strip):
            yield replace(cuts, strips=cuts.strips * len(together))


def numbered(document: Document, stacks: Sequence[Stack], theme: Theme) -> Document:
    """The document with the number of each stroke beside its mark, above or left of the pieces that
    it passes, on all sheets of its stack."""
    style, ink = theme.type("sheet").at(_NUMBER_PT), theme.ink("mark")
    high = style.size_mm
    pages = list(document.pages)
    fronts = [number for number, page in enumerate(pages) if not page.is_back]
    for stack in stacks:
        boxes = [one.trim for one in document.placements if one.page == stack.page]
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
                # Between two marks that are close, the first has its number on the other side.
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


def _lines(stack: Stack, say: Callable[..., str]) -> Iterator[str]:
    """The steps of a stack in words, line by line."""
    one, last = stack.sheets[0], stack.sheets[-1]
    runs = [*stack.sheets] == [*range(one, last + 1)]
    sheets = f"{one}–{last}" if runs and last > one else ", ".join(map(str, stack.sheets))
    together = stack.steps and len(stack.sheets) > 1
    yield say("stack" if together else "sheets" if len(stack.sheets) > 1 else "sheet", sheets)
    if stack.folded:
        yield say("fold")
    for step in stack.steps:
        final = step.first + step.count - 1
        numbers = f"{step.first}–{final}" if step.count > 1 else str(final)
        places = " · ".join(f"{at:.1f}" for at in step.at_mm)
        line = say(step.way, numbers, places or step.count)
        yield f"{line} {say('strips', step.strips)}" if step.strips > 1 else line
    if stack.outlines:
        yield say("outlines", stack.outlines)
    if stack.parts:
        yield say("parts", stack.parts)
    if stack.blank:
        yield say("blank", stack.blank)


def making_listing(
    makings: Sequence[Making], paper: Paper, tongue: Tongue, faces: Sequence[str]
) -> Listing:
    """The paper to buy, sheets to stack, strokes in order, minutes and ink, of all documents; `paper` is
    that of most sheets."""

    def say(key: str, *parts: object) -> str:
        return fixed(f"making {key}", tongue, faces, *parts)

    papers: dict[tuple[str, str], Counter[str]] = {}
    entries = []
    for making in makings:
        usual = sorted(making.size_mm) == sorted((paper.width_mm, paper.height_mm))
        size = paper.name if usual else f"{making.size_mm[0]:.0f} × {making.size_mm[1]:.0f} mm"
        sheets = sum(len(stack.sheets) for stack in making.stacks)
        head = f"{making.file} · {amount('sheet', sheets, tongue)}"
        for stack in making.stacks:
            papers.setdefault((stack.stock, size), Counter())[making.file] += len(stack.sheets)
            if stack.steps or stack.outlines or stack.parts:
                entries.append(Entry(head, "\n".join(_lines(stack, say))))
                head = ""
        if making.inks and entries:
            parts = [round(100 * share) for share in making.inks]
            ink = say("ink", *parts, round(100 * math.fsum(making.inks)))
            entries[-1] = replace(entries[-1], aside=ink) if not head else entries[-1]
    buy = [
        say(f"stock {stock}", files.total(), size, ", ".join(files))
        for (stock, size), files in papers.items()
    ]
    stacks = [stack for making in makings for stack in making.stacks]
    intro = say(
        "totals",
        sum(len(stack.sheets) for stack in stacks),
        sum(stack.strokes for stack in stacks),
        max(5, 5 * round(math.fsum(stack.minutes for stack in stacks) / 5)),
    )
    entries.insert(0, Entry(say("buy"), "\n".join(buy)))
    return Listing(stem="making", heading="making", intro=intro, entries=entries)
