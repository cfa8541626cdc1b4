"""Borders between hexes: impassable, province, mountain, river and other borders."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.curves import between
from platelayer.drawing.hex.ground import colour_ink
from platelayer.drawing.hex.places import Disc, box_discs
from platelayer.drawing.hex.terrain import smooth
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.foundation.text import printed_number
from platelayer.model.gamemap import Border, MapHex
from platelayer.model.phase import Phase
from platelayer.scene.shapes import (
    Command,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import set_centred, text_width

Commands = tuple[Command, ...]

_LATER_DASH = (0.8, 1.4)
_BEND = 0.16
"""How far a river swings from a straight edge, as a share of its length."""
_PEAKS, _PEAK = 4, 0.045
"""Peaks of a mountain border on one edge, and how far they stand out, as a share of its length."""
_COST_AT = (0.5, 0.25, 0.75)
_TERM_AT = (0.27, 0.73, 0.5)
_TERM_EVERY = 1.9
"""How far apart the phases of one long border are repeated, in hexes."""
_NOTES_APART_MM = 5.2
_TERM_DASHES = ((6.0, 1.7), (2.6, 1.6), (0.01, 2.1), (2.6, 1.5, 0.01, 1.5), (6.0, 1.5, 0.01, 1.5))
"""Lines of frontiers of some phases only, mm on and off: long dashes, short ones, dots, short
dashes and dots. The last is that of frontiers that always hold."""
_TERM_WIDTHS = (1.25, 1.25, 1.5, 1.25, 1.25)
_TERM_PT = 9.0
_CASINGS_MM = {
    "impassable": 0.55,
    "province": 0.45,
    "offboard": 0.0,
    "mountain": 0.45,
    "divider": 0.4,
}
"""How far the casing of each kind of line reaches beyond it; off-board areas have none."""

Term = tuple[str, str]
"""A kind of border and the phases in which it holds ("": always)."""


def border_items(
    plan: MapPlan, phases: Sequence[Phase], notes: Iterable[Note], style: Style
) -> tuple[Item, ...]:
    """All borders, drawn after the rims and the contents of the hexes, with costs and terms on
    small plates."""
    manners = border_manners(plan, phases)
    groups: dict[tuple[str, bool, int | None, str | None], list[Edge]] = {}
    for edge, border in plan.borders:
        if border.kind != "none":
            manner = manners[border.kind, border_term(border, phases)]
            groups.setdefault(
                (border.kind, border.since is not None, manner, border.colour), []
            ).append(edge)
    for edge in _zone_edges(plan):
        groups.setdefault(("province", False, None, None), []).append(edge)
    items: list[Item] = []
    for (kind, later, manner, colour), edges in groups.items():
        course = COURSES.get(kind)
        courses = _each(plan, edges, course) if course else plan.lines(edges)
        items += border_line(
            kind, courses, coloured(style, kind, colour), later=later, manner=manner
        )
    return (*items, *(item for note in notes for item in _note_items(note, style)))


def border_manners(plan: MapPlan, phases: Sequence[Phase]) -> dict[Term, int | None]:
    """How the borders of each kind and term are drawn: terms of a kind are numbered in the order of
    the game; what always holds is -1 beside such terms, else None. Borders without a meaning are
    left out."""
    order = [phase.id for phase in phases]

    def when(border: Border) -> tuple[int, int]:
        start = order.index(border.since) if border.since in order else 0
        return start, order.index(border.until) if border.until in order else len(order)

    spans: dict[Term, tuple[int, int]] = {}
    for _, border in plan.borders:
        if border.kind != "none":
            spans.setdefault((border.kind, border_term(border, phases)), when(border))
    counts: dict[str, int] = {}
    manner_of: dict[Term, int | None] = {}
    for kind, term in sorted(spans, key=lambda span: spans[span]):
        manner_of[kind, term] = counts.setdefault(kind, 0) if term else None
        counts[kind] = counts.get(kind, 0) + bool(term)
    return {
        span: -1 if manner is None and counts[span[0]] else manner
        for span, manner in manner_of.items()
    }


def border_edges(plan: MapPlan) -> tuple[Edge, ...]:
    """Every edge on which a border is drawn."""
    return (*(edge for edge, border in plan.borders if border.kind != "none"), *_zone_edges(plan))


def _zone_edges(plan: MapPlan) -> Iterator[Edge]:
    """Edges between two zones where a map without province borders of its own declares no other
    border. A map that has some has all: between other zones there is no frontier."""
    if any(border.kind == "province" for _, border in plan.borders):
        return
    said = {edge: None for edge, _ in plan.borders}
    for edge in plan.inner_edges:
        one, other = plan.gamemap.by_coord[edge[0]].zone, plan.across(edge)
        if (
            edge not in said
            and one is not None
            and other is not None
            and other.zone not in (None, one)
        ):
            yield edge


def border_line(
    kind: str, commands: Commands, style: Style, *, later: bool = False, manner: int | None = None
) -> tuple[Item, ...]:
    """A border of a kind along a path; `later` when it comes into force in the course of the game,
    `manner` (see `border_manners`) when it does not always hold."""
    if kind == "province" and manner is not None:
        return _passing_province(commands, style, manner)
    if kind == "river":
        return _river(commands, style)
    kind = kind if kind in _CASINGS_MM else "province"
    line, casing = style.stroke(f"map.border.{kind}"), _CASINGS_MM[kind]
    drawn = _path(commands, _dashed(line) if later else line)
    return (_cased(commands, line, style, casing), drawn) if casing else (drawn,)


def _passing_province(commands: Commands, style: Style, manner: int) -> tuple[Item, ...]:
    """A border that holds in some phases, or one that always holds beside such borders: each has
    its own dashes and, where the theme has one, its own ink."""
    number = manner % len(_TERM_DASHES)
    ink = style.theme.inks.get(f"map.province.{number}") or style.ink("map.province")
    line = Stroke(
        ink=ink, width_mm=_TERM_WIDTHS[number], dash=_TERM_DASHES[number], cap="round", join="round"
    )
    return (_cased(commands, line, style, 0.5), _path(commands, line))


def _river(commands: Commands, style: Style) -> tuple[Item, ...]:
    bank = style.stroke("map.border.river")
    water = Stroke(
        ink=style.ink("terrain.water.light"),
        width_mm=bank.width_mm * 0.62,
        cap="round",
        join="round",
    )
    return (_path(commands, bank), _path(commands, water))


def coloured(style: Style, kind: str, colour: str | None) -> Style:
    """The style with another colour for a kind of border."""
    if colour is None:
        return style
    name = f"map.border.{kind}"
    line = replace(style.stroke(name), ink=colour_ink(colour, style))
    return replace(style, theme=replace(style.theme, strokes={**style.theme.strokes, name: line}))


def _path(commands: Commands, stroke: Stroke) -> Path:
    return Path(commands=commands, stroke=stroke, role=Role.SYMBOL)


def _cased(commands: Commands, line: Stroke, style: Style, by_mm: float) -> Path:
    width = line.width_mm + 2 * by_mm
    return Path(
        commands=commands,
        stroke=Stroke(ink=style.ink("map.casing"), width_mm=width, cap=line.cap, join="round"),
    )


def _dashed(line: Stroke) -> Stroke:
    dash = (line.width_mm * _LATER_DASH[0], line.width_mm * _LATER_DASH[1])
    return Stroke(ink=line.ink, width_mm=line.width_mm, dash=dash, cap="butt", join=line.join)


def _each(
    plan: MapPlan, edges: Sequence[Edge], course: Callable[[Point, Point], Commands]
) -> Commands:
    return tuple(command for edge in edges for command in course(*plan.edge_line(edge)))


def winding_line(a: Point, b: Point) -> Commands:
    """A river from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return smooth(
        [
            a,
            *((a[0] + dx * t - dy * s * _BEND, a[1] + dy * t + dx * s * _BEND) for t, s in _SWING),
            b,
        ]
    )


def ridge_line(a: Point, b: Point) -> Commands:
    """Peaks from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    points = [a]
    for peak in range(_PEAKS):
        for share, out in ((0.25, _PEAK), (0.75, -_PEAK)):
            t = (peak + share) / _PEAKS
            points.append((a[0] + dx * t + dy * out, a[1] + dy * t - dx * out))
    return polygon_path((*points, b), closed=False)


_SWING = ((0.25, 0.5), (0.5, 0.0), (0.75, -0.5))

COURSES: dict[str, Callable[[Point, Point], Commands]] = {
    "river": winding_line,
    "mountain": ridge_line,
}
"""Kinds of border that do not run straight along their edge."""


class Note(NamedTuple):
    """What stands on a border: the cost of crossing it, or the phases in which it holds."""

    at: Point
    words: str
    is_cost: bool

    def size(self, style: Style) -> Point:
        """Width and height of its plate in mm: a disc for a cost."""
        type_style = style.type("map.border.note")
        if self.is_cost:
            wide = 2 * (
                type_style.cap_height_mm * 1.15
                + 0.22 * type_style.cap_height_mm * max(0, len(self.words) - 2)
            )
            return wide, wide
        type_style = type_style.at(_TERM_PT)
        tall = type_style.cap_height_mm * 1.75
        return max(tall, text_width(self.words, type_style) + tall * 0.75), tall


def border_notes(plan: MapPlan, phases: Sequence[Phase]) -> Iterator[Note]:
    """The cost of crossing each border that has one; and, here and there along it, the phases in
    which it holds."""
    placed: list[Point] = []
    terms: dict[str, list[Point]] = {}
    for edge, border in plan.borders:
        a, b = plan.edge_line(edge)
        if border.cost:
            at = _free(a, b, _COST_AT, placed)
            placed.append(at)
            yield Note(at, printed_number(border.cost), is_cost=True)
        term = border_term(border, phases)
        said = terms.setdefault(f"{border.kind} {term}", [])
        if not term or any(
            math.dist(between(a, b, 0.5), other) < _TERM_EVERY * plan.across_mm for other in said
        ):
            continue
        at = _free(a, b, _TERM_AT, placed)
        placed.append(at)
        said.append(between(a, b, 0.5))
        yield Note(at, term, is_cost=False)


def note_discs(
    notes: Iterable[Note], plan: MapPlan, hexagon: MapHex, style: Style
) -> Iterator[Disc]:
    """Circles that notes on borders cover, round the middle of a hex near them."""
    x, y = plan.centre(hexagon.at)
    for note in notes:
        if math.dist(note.at, (x, y)) < plan.across_mm:
            yield from box_discs(note.at[0] - x, note.at[1] - y, *note.size(style))


def _note_items(note: Note, style: Style) -> Iterator[Item]:
    """A note on its plate: round, or with round ends."""
    wide, tall = note.size(style)
    plate = rectangle_path(note.at[0] - wide / 2, note.at[1] - tall / 2, wide, tall, tall / 2)
    type_style = style.type("map.border.note")
    type_style = type_style if note.is_cost else type_style.at(_TERM_PT)
    yield Path(
        commands=plate, fill=style.ink("white"), stroke=style.stroke("hairline"), role=Role.SYMBOL
    )
    yield from set_centred(note.words, type_style, style.ink("text"), *note.at, over=(Role.SYMBOL,))


def _free(a: Point, b: Point, shares: tuple[float, ...], placed: Sequence[Point]) -> Point:
    """The first place along an edge that keeps clear of the notes placed already."""
    places = [between(a, b, share) for share in shares]
    return next(
        (at for at in places if all(math.dist(at, other) > _NOTES_APART_MM for other in placed)),
        places[0],
    )


def border_term(border: Border, phases: Sequence[Phase]) -> str:
    """Phases in which a border holds: "2–3", "4", or "4+" from phase 4 to the end; "" always."""
    if border.until is None:
        return f"{border.since}+" if border.since is not None else ""
    order = [phase.id for phase in phases]
    first = order.index(border.since) if border.since in order else 0
    held = order[first : order.index(border.until)] if border.until in order else [border.until]
    return held[0] if len(held) == 1 else f"{held[0]}–{held[-1]}" if held else border.until
