"""What a hex says and the room it has left in, its words, discs, icons and signs in free places out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from platelayer.drawing.icons import icon_block, over_symbols
from platelayer.drawing.marks import Mark
from platelayer.drawing.offboard import revenue_table
from platelayer.drawing.places import Candidate, Disc, Field
from platelayer.drawing.plan import Plan
from platelayer.drawing.style import Style
from platelayer.drawing.terrain import terrain_items, terrain_size
from platelayer.drawing.words import Block, line_breaks, scaled, sizes_down, words_block
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.tile import RevenueStep, Stop, Terrain, Tile
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Circle, Group, Item, Path, Role, Stroke, rectangle_path, translation
from platelayer.scene.typeset import TypeStyle

_TILE_MM = 38.1
_ENOUGH = 1.5
"""Room in mm round a thing beyond which more is no better."""
_TIGHT = 0.35
"""Room in mm that a thing should have at least."""
_DISC = 0.079
"""Radius of a revenue disc as a share of the hex."""
_ICON = 0.19
_PREFERRED = {
    Layout.FLAT: {"disc": 0.0, "label": 180.0, "terrain": 90.0, "icon": 120.0},
    Layout.POINTY: {"disc": -30.0, "label": -150.0, "terrain": 90.0, "icon": 150.0},
}
_NUMBER_CORNERS = {Layout.FLAT: (5.5, 0.5, 2.5, 3.5, 4.5, 1.5), Layout.POINTY: (4.5, 5.5, 0.5, 3.5, 1.5, 2.5)}


class Captions:
    """Everything of one hex that finds its place by itself; each method adds to `items`."""

    def __init__(
        self,
        tile: Tile,
        plan: Plan,
        layout: Layout,
        across_mm: float,
        style: Style,
        *,
        ink: Ink,
        field: Field,
    ) -> None:
        self.tile, self.plan, self.layout, self.style, self.ink, self.field = tile, plan, layout, style, ink, field
        self.across = across_mm
        self.scale = across_mm / _TILE_MM
        self.marks = tuple(mark for mark in plan.marks if mark is not None)
        self.items: list[Item] = []

    def kind(self, name: str) -> TypeStyle:
        """A type style at the size of this hex."""
        return scaled(self.style.type(name), self.scale)

    # Placing

    def _put(self, block: Block, x: float, y: float) -> None:
        self.items += block.at(x, y)
        self.field.take_box(x, y, block.width, block.height)

    def _ring(self, width: float, height: float, preferred: float, shares: Iterable[float]) -> list[Candidate]:
        """Places round the centre, nearest to the preferred direction (degrees) first."""
        found = []
        for k in range(12):
            turn = preferred + 30 * k
            away = min(30 * k, 360 - 30 * k) / 180
            way = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
            reach = self.field.reach(way, width, height)
            for number, share in enumerate(shares):
                out = min(share * self.across / 2, reach)
                found.append((away * 0.5 + number * 0.12 + (0.01 if k > 6 else 0.0), way[0] * out, way[1] * out))
        return sorted(found)

    def _round_mark(self, mark: Mark, reach: float, cost: float) -> list[Candidate]:
        """Places round a stop; beside a bar, its ends come last."""
        found = []
        for k in range(16):
            turn = mark.angle + math.pi / 8 * k
            way = (math.cos(turn), math.sin(turn))
            bulk = max((x - mark.x) * way[0] + (y - mark.y) * way[1] + r for x, y, r in mark.bulk)
            for gap in (0.9, 2.0):
                out = bulk + reach + gap * self.scale
                x, y = mark.x + way[0] * out, mark.y + way[1] * out
                inward = math.hypot(x, y) / self.across
                found.append((cost + inward * 0.6 + gap * 0.1 + (0.05 if k % 4 else 0.0), x, y))
        return sorted(found)

    def _towards(self, edge: float, distance: float) -> tuple[float, float]:
        return edge_point(edge, self.layout, distance * self.across / 2)

    # What is placed

    def number(self) -> None:
        """The tile's number, small in a corner."""
        for kind in sizes_down(self.kind("tile.number")):
            block = words_block((self.tile.id,), kind, self.ink)
            candidates = []
            for rank, corner in enumerate(_NUMBER_CORNERS[self.layout]):
                way = edge_point(corner, self.layout, 1.0)
                out = self.field.reach(way, block.width, block.height)
                candidates += [
                    (rank * 0.15 + step * 0.1, way[0] * (out - step), way[1] * (out - step)) for step in (0.0, 0.8)
                ]
            x, y, room = self.field.best_box(candidates, block.width, block.height, 0.9)
            if room >= 0.2:
                break
        self._put(block, x, y)

    def revenues(self) -> None:
        """Values: one disc for all stops when they are equal, else one for each; tables where values change."""
        shown: dict[tuple[RevenueStep, ...], list[int]] = {}
        for index, stop in enumerate(self.tile.stops):
            if not stop.hidden and any(step.value for step in stop.revenue):
                shown.setdefault(stop.revenue, []).append(index)
        for steps, indices in sorted(shown.items(), key=lambda entry: (len(entry[0]) == 1, entry[1])):
            marks = [mark for mark in (self.plan.marks[index] for index in indices) if mark is not None]
            if len(steps) > 1:
                self._table(steps, marks)
            elif len(shown) == 1:
                self._disc(steps[0].value, marks)
            else:
                for alone in [[mark] for mark in marks] or [[]]:
                    self._disc(steps[0].value, alone, own=True)

    def _table(self, steps: tuple[RevenueStep, ...], marks: list[Mark]) -> None:
        kind = self.kind("map.offboard")
        sizes = (*sizes_down(kind, 0.75),)
        best = None
        for rank, size in enumerate(sizes):
            for columns in (len(steps), 2, 1):
                if columns > len(steps) or (columns == 1 and len(steps) == 2 and rank < 2):
                    continue
                limit = columns * size.size_mm * 1.75
                items, width, height = revenue_table(steps, self.style, max_width_mm=limit, size_pt=size.size_pt)
                ring = (
                    self._ring(width, height, 90.0, (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)) if marks else self._inside()
                )
                x, y, room = self.field.best_box(ring, width, height, 1.0)
                score = room - rank * 0.25
                if best is None or score > best[0]:
                    best = (score, Block(items, width, height), x, y, room)
            if best is not None and best[4] >= 0.8:
                break
        if best is not None:
            self._put(best[1], best[2], best[3])

    def _inside(self) -> list[Candidate]:
        """Places anywhere, the middle first."""
        found = []
        for k in range(-6, 7):
            for n in range(-6, 7):
                x, y = k * self.across / 16, n * self.across / 16
                found.append((math.hypot(x, y) / self.across * 1.2 + (0.01 if n < 0 else 0.0), x, y))
        return sorted(found)

    def _disc(self, value: int, marks: list[Mark], *, own: bool = False) -> None:
        radius = _DISC * self.across
        kind = self.kind("tile.revenue")
        words = words_block((str(value),), kind, self.style.ink("text"))
        if words.width > 1.62 * radius:
            kind = kind.at(max(kind.min_pt, kind.size_pt * 1.62 * radius / words.width))
            words = words_block((str(value),), kind, self.style.ink("text"))
            radius = max(radius, words.width / 1.62)
        central = len(marks) != 1 or math.hypot(marks[0].x, marks[0].y) < 0.02 * self.across
        candidates: list[Candidate] = []
        if not own or not marks:
            town = bool(marks) and not marks[0].slots
            shares = (0.72, 0.6, 0.5, 0.84, 1.1) if not town else (0.5, 0.6, 0.72, 0.84, 1.1)
            candidates += self._ring(2 * radius, 2 * radius, _PREFERRED[self.layout]["disc"], shares)
            candidates = [(cost + (0.0 if central else 0.4), x, y) for cost, x, y in candidates]
            if not marks or len(marks) > 1:
                candidates.append((0.1, 0.0, 0.0))
        for mark in marks:
            if own or not central or not mark.slots:
                candidates += self._round_mark(mark, radius, 0.0 if own or len(marks) == 1 else 0.25)
        x, y, _ = self.field.best_disc(sorted(candidates), radius, _ENOUGH * self.scale)
        rim = self.style.stroke("tile.disc")
        disc = Circle(cx=x, cy=y, r=radius, fill=self.style.ink("white"), stroke=rim, role=Role.SYMBOL)
        self.items += (disc, *over_symbols(words.at(x, y)))
        self.field.take_disc(x, y, radius + rim.width_mm / 2)

    def labels(self) -> None:
        """Letters of the tile; those that apply later stand in parentheses' stead on a chip of that colour."""
        for label in self.tile.labels:
            best = None
            for rank, kind in enumerate(sizes_down(self.kind("tile.label"), 1.0)):
                block = words_block((label.text,), kind, self.ink)
                if label.since is not None:
                    block = self._chip(block, label.since)
                ring = self._ring(block.width, block.height, _PREFERRED[self.layout]["label"], (0.72, 0.6, 0.84, 1.1))
                ring.append((0.3, 0.0, 0.0))
                x, y, room = self.field.best_box(sorted(ring), block.width, block.height, _ENOUGH * self.scale)
                score = room - rank * 0.4
                if best is None or score > best[0]:
                    best = (score, block, x, y)
                if room >= 0.7:
                    break
            if best is not None:
                self._put(*best[1:])

    def _chip(self, words: Block, colour: str) -> Block:
        from platelayer.drawing.hex_ground import colour_ink

        width, height = words.width + 1.2 * self.scale, words.height + 1.2 * self.scale
        box = rectangle_path(-width / 2, -height / 2, width, height, 0.5 * self.scale)
        ground = Path(
            commands=box, fill=colour_ink(colour, self.style), stroke=self.style.stroke("tile.disc"), role=Role.SYMBOL
        )
        return Block((ground, *over_symbols(words.items)), width, height)

    def terrain(self) -> None:
        """Each kind of ground with its cost."""
        bare = not self.tile.stops and not self.tile.track
        for entry in self.tile.terrain:
            shares = (0.46, 0.38, 0.3) if bare else (0.27, 0.23, 0.2, 0.17, 0.145)
            best = None
            for rank, share in enumerate(shares):
                for below in (True, False):
                    block = self._terrain_block(entry, share * self.across, below=below, large=bare)
                    ring = (
                        self._inside()
                        if bare
                        else self._ring(
                            block.width, block.height, _PREFERRED[self.layout]["terrain"], (0.7, 0.8, 0.6, 0.5, 1.1)
                        )
                    )
                    x, y, room = self.field.best_box(ring, block.width, block.height, 1.0 * self.scale)
                    score = room - rank * 0.3 - (0.0 if below else 0.15)
                    if best is None or score > best[0]:
                        best = (score, block, x, y, room)
                if best is not None and best[4] >= 0.8 * self.scale:
                    break
            if best is not None:
                self._put(*best[1:4])

    def _terrain_block(self, entry: Terrain, width_mm: float, *, below: bool, large: bool) -> Block:
        style, words = self.style, None
        if entry.cost:
            kind = self.kind("tile.cost.large" if large else "tile.cost")
            words = words_block((str(entry.cost),), kind, self.ink)
        if not entry.kinds:
            return self._chip(words, "white") if words else Block((), 0.0, 0.0)
        gap = 0.45 * self.scale
        signs = [(kind, *terrain_size(kind, round(width_mm, 2))) for kind in entry.kinds]
        total = sum(width for _, width, _ in signs) + gap * (len(signs) - 1)
        tall = max(height for _, _, height in signs)
        if words is None:
            width, height, left, middle = total, tall, -total / 2, 0.0
        elif below:
            width, height = max(total, words.width), tall + gap * 1.6 + words.height
            left, middle = -total / 2, -height / 2 + tall / 2
        else:
            width, height = total + gap * 1.6 + words.width, max(tall, words.height)
            left, middle = -width / 2, 0.0
        items: list[Item] = []
        for sign, sign_width, _ in signs:
            items.append(
                Group(items=terrain_items(sign, sign_width, style), matrix=translation(left + sign_width / 2, middle))
            )
            left += sign_width + gap
        if words is not None:
            items += (
                words.at(0.0, height / 2 - words.height / 2) if below else words.at(width / 2 - words.width / 2, 0.0)
            )
        return Block(tuple(items), width, height)

    def icons(self) -> None:
        """Small pictures, at their hints or where there is room."""
        for icon in self.tile.icons:
            best = None
            for rank, share in enumerate((_ICON, 0.16, 0.135)):
                block = icon_block(icon.name, icon.text, share * self.across, self.style, self.kind("tile.cost"))
                if icon.at is not None:
                    ring = [(0.0, *self._towards(icon.at.edge, 0.62 if icon.at.distance is None else icon.at.distance))]
                else:
                    ring = self._ring(
                        block.width, block.height, _PREFERRED[self.layout]["icon"], (0.72, 0.6, 0.84, 1.1)
                    )
                    ring.append((0.2, 0.0, 0.0))
                x, y, room = self.field.best_box(sorted(ring), block.width, block.height, 1.1 * self.scale)
                score = room - rank * 0.35
                if best is None or score > best[0]:
                    best = (score, block, x, y)
                if room >= 0.8:
                    break
            if best is not None:
                self._put(*best[1:])

    def name(self) -> None:
        """The name of the place, on one to three lines, above or below its stops."""
        if self.tile.name is not None:
            self._name(self.style.words(self.tile.name), self.marks, "tile.name", own=False)

    def stop_names(self) -> None:
        """Names of single stops, each beside its own."""
        for stop, mark in zip(self.tile.stops, self.plan.marks, strict=True):
            if stop.name is not None and mark is not None and not stop.hidden:
                self._name(self.style.words(stop.name), (mark,), "tile.name", own=True)

    def _name(self, text: str, marks: tuple[Mark, ...], style_name: str, *, own: bool) -> None:
        best = None
        breaks = line_breaks(text)
        for rank, kind in enumerate(sizes_down(self.kind(style_name))):
            for count, lines in enumerate(breaks):
                block = words_block(lines, kind, self.ink)
                candidates = self._name_places(block, marks, own)
                x, y, room = self.field.best_box(candidates, block.width, block.height, 0.9 * self.scale)
                score = room - rank * 0.25 - count * 0.12
                if best is None or score > best[0]:
                    best = (score, block, x, y, room)
                if room >= 0.75:
                    break
            if best is not None and best[4] >= 0.55:
                break
        if best is not None:
            self._put(*best[1:4])

    def _name_places(self, block: Block, marks: tuple[Mark, ...], own: bool) -> tuple[Candidate, ...]:
        if not marks:
            return name_places(0.0, 0.0, 0.0, across_mm=self.across, height=round(block.height, 2), own=own)
        top = min(y - r for mark in marks for _, y, r in mark.bulk)
        bottom = max(y + r for mark in marks for _, y, r in mark.bulk)
        middle = sum(mark.x for mark in marks) / len(marks)
        return name_places(
            round(middle, 2),
            round(top, 2),
            round(bottom, 2),
            across_mm=self.across,
            height=round(block.height, 2),
            own=own,
        )


@lru_cache(maxsize=1024)
def name_places(
    middle: float, top: float, bottom: float, *, across_mm: float, height: float, own: bool
) -> tuple[Candidate, ...]:
    """Places for a name: just above its stops, just below, then anywhere; mm."""
    gap = 1.0 * across_mm / _TILE_MM
    above, below = top - gap - height / 2, bottom + gap + height / 2
    if top == bottom:
        above = below = 0.0
    weight = 0.16 if own else 0.06
    rows = sorted({round(row, 2) for row in (above, below, *(across_mm * k / 36 for k in range(-16, 17)))})
    found = []
    for row in rows:
        off = min(abs(row - above), abs(row - below) + 1.5)
        for k in range(-8, 9):
            x = middle + across_mm * k / 36
            found.append((round(weight * abs(x - middle) + 0.07 * off, 4), x, row))
    return tuple(sorted(found))


def taken_by(marks: Iterable[Mark | None], stops: tuple[Stop, ...]) -> list[Disc]:
    """Circles that the drawn stops cover."""
    found: list[Disc] = []
    for mark, stop in zip(marks, stops, strict=True):
        if mark is not None and not stop.hidden:
            found += mark.bulk
    return found


def label_stroke(ink: Ink, width_mm: float) -> Stroke:
    """A thin line in the ink of the words."""
    return Stroke(ink=ink, width_mm=width_mm)
