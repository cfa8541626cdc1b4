"""Companies on the map: homes in slots, held hexes, and stubs of track to come."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.hex.places import Disc, Field
from platelayer.drawing.hex.plan import TRACK_WIDTH, plan_hex
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import edge_point
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Group, Item, Path, Point, Role, Scene, Stroke, polygon_path, translation

HOME_SHARE = 0.7
"""Diameter of a home's roundel as a share of its slot: the ring that stays white says that a token goes here."""
BADGE_SHARE = 0.21
"""Diameter of a roundel that stands free in its hex, as a share of the hex."""
_INSET = 0.075
"""How far within its hex the broken line of a held hex runs, as a share of the hex."""
_GAP_MM = 0.5
_ENOUGH_MM = 3.0
"""Enough room round a badge: more is no better."""


def holders(title: Title, hexagon: MapHex) -> tuple[Company, ...]:
    """Companies for which a hex is held, as the hex or the company says."""
    return tuple(
        company for company in title.companies if company.id in hexagon.reserved or hexagon.id in company.blocks
    )


def held_items(title: Title, plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A broken line within each hex that is held for a company; goes under the contents of the hex."""
    items: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        if holders(title, hexagon):
            items.append(held_line(plan.centre(hexagon.at), plan, style))
    return tuple(items)


def held_line(centre: Point, plan: MapPlan, style: Style, scale: float = 1.0) -> Path:
    """The broken line of a held hex round a centre."""
    inner = (1 - 2 * _INSET) * scale
    points = [(centre[0] + x * inner, centre[1] + y * inner) for x, y in plan.corners]
    return Path(commands=polygon_path(points), stroke=style.stroke("map.held"))


def stub_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Short ends of track at the edges that the first tile of a hex must use."""
    across = plan.across_mm
    stroke = Stroke(ink=style.ink("map.stub"), width_mm=TRACK_WIDTH * across, cap="butt")
    ends = []
    for hexagon in plan.gamemap.hexes:
        x, y = plan.centre(hexagon.at)
        for edge in hexagon.stubs:
            (ax, ay), (bx, by) = (edge_point(edge, plan.layout, share * across) for share in (0.5, 0.36))
            ends.append(((x + ax, y + ay), (x + bx, y + by)))
    if not ends:
        return ()
    commands = tuple(command for end in ends for command in polygon_path(end, closed=False))
    return (Path(commands=commands, stroke=stroke, role=Role.TRACK),)


def stub_discs(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Circles that words must leave free for the stubs of a hex."""
    across = plan.across_mm
    radius = TRACK_WIDTH * across * 0.6
    return tuple(
        (*edge_point(edge, plan.layout, share * across), radius)
        for edge in hexagon.stubs
        for share in (0.36, 0.41, 0.46)
    )


def company_items(title: Title, plan: MapPlan, style: Style, drawn: dict[str, tuple[Item, ...]]) -> tuple[Item, ...]:
    """Roundels of companies: in the slot of their home, or free in the hex when it has none left or is only held.

    `drawn` has what each hex (by id) shows already, centred on (0, 0).
    """
    companies = with_roundels(title)
    homes, loose = _homes(companies.values(), plan)
    items: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        slots = homes.get(hexagon.id, {})
        items += _in_slots(hexagon, slots, plan, style)
        at_home = [company.id for company in slots.values()]
        badges = loose.get(hexagon.id, []) + [
            companies[company.id] for company in holders(title, hexagon) if company.id not in at_home
        ]
        badges = list({company.id: company for company in badges}.values())
        if badges:
            items += _badges(hexagon, badges, plan, style, drawn.get(hexagon.id, ()))
    return tuple(items)


def _homes(
    companies: Iterable[Company], plan: MapPlan
) -> tuple[dict[str, dict[tuple[int, int], Company]], dict[str, list[Company]]]:
    """By hex: the company of each (stop, slot); and companies for which no slot is left."""
    taken: dict[str, dict[tuple[int, int], Company]] = {}
    loose: dict[str, list[Company]] = {}
    for company in companies:
        if company.kind in (CompanyKind.PRIVATE, CompanyKind.CONCESSION):
            continue
        for home in company.homes:
            hexagon = plan.gamemap.by_id.get(home.hex)
            if hexagon is None:
                continue
            here = taken.setdefault(home.hex, {})
            free = [place for place in _slots(hexagon, home.stop) if place not in here]
            if free:
                here[free[0]] = company
            elif company.kind is not CompanyKind.NATIONAL:  # a national takes over places that others begin in
                loose.setdefault(home.hex, []).append(company)
    return taken, loose


def _slots(hexagon: MapHex, stop: int | None) -> Iterator[tuple[int, int]]:
    for index, place in enumerate(hexagon.tile.stops):
        if place.kind in (StopKind.CITY, StopKind.PASS) and not place.hidden and stop in (None, index):
            yield from ((index, slot) for slot in range(max(1, place.slots)))


def _in_slots(hexagon: MapHex, slots: dict[tuple[int, int], Company], plan: MapPlan, style: Style) -> Iterator[Item]:
    if not slots:
        return
    x, y = plan.centre(hexagon.at)
    marks = plan_hex(hexagon.tile, plan.layout, plan.across_mm).marks
    for (stop, slot), company in slots.items():
        mark = marks[stop]
        if mark is not None and slot < len(mark.slots):
            dx, dy = mark.slots[slot]
            roundel = roundel_items(company, mark.slot_mm * HOME_SHARE, style)
            yield Group(items=roundel, matrix=translation(x + dx, y + dy))


def _badges(
    hexagon: MapHex,
    companies: Sequence[Company],
    plan: MapPlan,
    style: Style,
    drawn: tuple[Item, ...],
) -> Iterator[Item]:
    """Small roundels at free places of a hex, as large as there is room for, down to two thirds of their size."""
    x, y = plan.centre(hexagon.at)
    inset = _INSET * plan.across_mm + 0.5
    field = _field(hexagon, plan, drawn, inset)
    wanted = BADGE_SHARE * plan.across_mm
    for number, company in enumerate(companies):
        candidates = _candidates(plan, not drawn, number, len(companies))
        for share in (1.0, 0.85, 0.7, 0.6):
            radius = wanted * share / 2
            bx, by, room = field.best_disc(candidates, radius, _ENOUGH_MM)
            if room >= _GAP_MM or share == 0.6:
                field.take_disc(bx, by, radius + _GAP_MM)
                roundel = roundel_items(company, 2 * radius, style)
                yield Group(items=roundel, matrix=translation(x + bx, y + by))
                break


def _candidates(plan: MapPlan, empty: bool, number: int, count: int) -> list[tuple[float, float, float]]:
    """An empty hex shows its badges in its middle, another one as near to a corner as they can go."""
    across = plan.across_mm
    if empty:
        return [(0.0, (number - (count - 1) / 2) * across * BADGE_SHARE * 1.2, 0.0)]
    found = []
    for ring in (0.42, 0.38, 0.34, 0.30, 0.25, 0.20):
        for step in range(24):
            angle = 2 * math.pi * step / 24
            found.append((0.25 * (0.42 - ring), ring * across * math.cos(angle), ring * across * math.sin(angle)))
    return found


def _field(hexagon: MapHex, plan: MapPlan, drawn: tuple[Item, ...], inset_mm: float) -> Field:
    """The room that is left in a hex beside what it shows and where its track runs."""
    field = Field(plan.layout, plan.across_mm, inset_mm)
    width = plan.across_mm
    shapes, texts = flatten_scene(Scene(key=f"field:{hexagon.id}", width_mm=width, height_mm=width, items=drawn))
    for shape in shapes:
        if shape.role is Role.TRACK:
            for points in shape.polygons:
                for px, py in points:
                    field.take_disc(px, py, shape.stroke_mm / 2)
        elif shape.role is not Role.GROUND:
            left, top, right, bottom = shape.bounds
            field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    for text in texts:
        left, top, right, bottom = text.bounds
        field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return field
