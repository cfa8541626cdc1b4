"""A plan in, the lines between hexes that mean something out: impassable, province, off-board and river borders."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from platelayer.drawing.map_plan import Edge, MapPlan
from platelayer.drawing.style import Style
from platelayer.drawing.terrain_pen import smooth
from platelayer.model.gamemap import Border
from platelayer.scene.shapes import Circle, Command, Item, Path, Point, Role, Stroke
from platelayer.scene.typeset import set_centred

Commands = tuple[Command, ...]

_LATER_DASH = (0.8, 1.4)
_BEND = 0.16
"""How far a river swings from a straight edge, as a share of its length."""
_COST_AT = (0.5, 0.25, 0.75)
_TERM_AT = (0.27, 0.73, 0.5)
_TERM_EVERY = 1.9
"""How far apart the phases of one long border are repeated, in hexes."""
_NOTES_APART_MM = 5.2


def border_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """All borders, drawn after the rims and what is in the hexes; costs and terms on small discs upon them."""
    groups: dict[tuple[str, bool], list[Edge]] = {}
    for edge, border in plan.borders:
        if border.kind != "none":
            groups.setdefault((border.kind, border.since is not None), []).append(edge)
    for edge in _zone_edges(plan):
        groups.setdefault(("province", False), []).append(edge)
    items: list[Item] = []
    for (kind, later), edges in groups.items():
        courses = _winding(plan, edges) if kind == "river" else plan.lines(edges)
        items += border_line(kind, courses, style, later=later)
    return (*items, *_notes(plan, style))


def _zone_edges(plan: MapPlan) -> Iterator[Edge]:
    """Edges between two zones on which the map says nothing of its own."""
    said = {edge: None for edge, _ in plan.borders}
    for edge in plan.inner_edges:
        one, other = plan.gamemap.by_coord[edge[0]].zone, plan.across(edge)
        if edge not in said and one is not None and other is not None and other.zone not in (None, one):
            yield edge


def border_line(kind: str, commands: Commands, style: Style, *, later: bool = False) -> tuple[Item, ...]:
    """A border of a kind along a path; `later` when it comes into force in the course of the game."""
    return _KINDS.get(kind, _province)(commands, style, later)


def _impassable(commands: Commands, style: Style, later: bool) -> tuple[Item, ...]:
    line = style.stroke("map.border.impassable")
    return (_cased(commands, line, style, 0.55), _path(commands, _dashed(line) if later else line))


def _province(commands: Commands, style: Style, later: bool) -> tuple[Item, ...]:
    line = style.stroke("map.border.province")
    return (_cased(commands, line, style, 0.45), _path(commands, _dashed(line) if later else line))


def _offboard(commands: Commands, style: Style, later: bool) -> tuple[Item, ...]:
    line = style.stroke("map.border.offboard")
    return (_path(commands, _dashed(line) if later else line),)


def _river(commands: Commands, style: Style, _later: bool) -> tuple[Item, ...]:
    bank = style.stroke("map.border.river")
    water = Stroke(ink=style.ink("terrain.water.light"), width_mm=bank.width_mm * 0.62, cap="round", join="round")
    return (_path(commands, bank), _path(commands, water))


_KINDS: dict[str, Callable[[Commands, Style, bool], tuple[Item, ...]]] = {
    "impassable": _impassable,
    "province": _province,
    "offboard": _offboard,
    "river": _river,
}


def _path(commands: Commands, stroke: Stroke) -> Path:
    return Path(commands=commands, stroke=stroke, role=Role.SYMBOL)


def _cased(commands: Commands, line: Stroke, style: Style, by_mm: float) -> Path:
    width = line.width_mm + 2 * by_mm
    return Path(
        commands=commands, stroke=Stroke(ink=style.ink("map.casing"), width_mm=width, cap=line.cap, join="round")
    )


def _dashed(line: Stroke) -> Stroke:
    dash = (line.width_mm * _LATER_DASH[0], line.width_mm * _LATER_DASH[1])
    return Stroke(ink=line.ink, width_mm=line.width_mm, dash=dash, cap="butt", join=line.join)


def _winding(plan: MapPlan, edges: Sequence[Edge]) -> Commands:
    return tuple(command for edge in edges for command in winding_line(*plan.edge_line(edge)))


def winding_line(a: Point, b: Point) -> Commands:
    """A river from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return smooth([a, *((a[0] + dx * t - dy * s * _BEND, a[1] + dy * t + dx * s * _BEND) for t, s in _SWING), b])


_SWING = ((0.25, 0.5), (0.5, 0.0), (0.75, -0.5))


def _notes(plan: MapPlan, style: Style) -> Iterator[Item]:
    """The cost of crossing each border that has one; and, here and there along it, the phases in which it holds."""
    placed: list[Point] = []
    terms: dict[str, list[Point]] = {}
    for edge, border in plan.borders:
        a, b = plan.edge_line(edge)
        if border.cost:
            at = _free(a, b, _COST_AT, placed)
            placed.append(at)
            yield from _disc(str(border.cost), at, style)
        term = border_term(border)
        said = terms.setdefault(f"{border.kind} {term}", [])
        if not term or any(math.dist(_along(a, b, 0.5), other) < _TERM_EVERY * plan.across_mm for other in said):
            continue
        at = _free(a, b, _TERM_AT, placed)
        placed.append(at)
        said.append(_along(a, b, 0.5))
        yield from _disc(term, at, style)


def _free(a: Point, b: Point, shares: tuple[float, ...], placed: Sequence[Point]) -> Point:
    """The first place along an edge that keeps clear of the notes placed already."""
    places = [_along(a, b, share) for share in shares]
    return next((at for at in places if all(math.dist(at, other) > _NOTES_APART_MM for other in placed)), places[0])


def border_term(border: Border) -> str:
    """Phases in which a border holds: "4+" from phase 4 on, "<4" until phase 4; "" always."""
    if border.since is None:
        return f"<{border.until}" if border.until is not None else ""
    return f"{border.since}+" if border.until is None else f"{border.since}–{border.until}"


def _along(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _disc(words: str, at: Point, style: Style) -> Iterator[Item]:
    kind = style.type("map.border.note")
    yield Circle(
        cx=at[0],
        cy=at[1],
        r=kind.cap_height_mm * 1.15 + 0.22 * kind.cap_height_mm * max(0, len(words) - 2),
        fill=style.ink("white"),
        stroke=style.stroke("hairline"),
        role=Role.SYMBOL,
    )
    yield from set_centred(words, kind, style.ink("text"), *at, over=(Role.SYMBOL,))
