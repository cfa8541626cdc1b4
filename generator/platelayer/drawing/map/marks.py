"""Companies on the map: homes in slots, held hexes, and stubs of track to come."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from platelayer.drawing.company.roundel import destination_items, roundel_items, with_roundels
from platelayer.drawing.hex.geometry import Disc
from platelayer.drawing.hex.plan import TRACK_WIDTH, plan_hex
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.room import left_room
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import edge_point
from platelayer.model.tile import HEX_MM, StopKind, usual_share
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    translation,
)

# What draws a company, so wide in mm.
Sign = Callable[[Company, float, Style], tuple[Item, ...]]

# Diameter of a home's roundel as a share of its slot: the ring that stays white says that a token
# goes here.
HOME_SHARE = 0.7
# Diameter of a roundel that stands free in its hex, as a share of the hex.
BADGE_SHARE = 0.21
# How far within its hex the broken line of a held hex runs, as a share of the hex.
_INSET = 0.075
# Circles that stand for a side of that line, and their radius.
_HELD_DISCS, _HELD_MM = 12, 0.4
# Where a stub begins and ends, as shares of the hex: within a tile that is smaller than the hex, so
# that it hides all of it; and how much of its width is hollow.
_STUB, _HOLLOW = (0.488, 0.37), 0.52
_GAP_MM = 0.5
# Companies that have no home on the map unless they have a station.
_OF_PLAYERS = (CompanyKind.PRIVATE, CompanyKind.CONCESSION)
_LONE_SLOT = usual_share((1,))
# Enough room round a badge: more is no better.
_ENOUGH_MM = 3.0


def holders(title: Title, hexagon: MapHex) -> tuple[Company, ...]:
    """Companies for which a hex is held, as the hex or the company says."""
    return tuple(
        company
        for company in title.companies
        if hexagon.id in company.blocks or (hexagon.reserved and company.ref in hexagon.reserved)
    )


def aiming(companies: Iterable[Company], hexagon: MapHex) -> tuple[Company, ...]:
    """Companies whose destination a hex is."""
    return tuple(
        company
        for company in companies
        if company.destination is not None and company.destination.hex == hexagon.id
    )


def held_items(title: Title, plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A broken line within each hex that is held for a company; goes under the contents of the
    hex."""
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


def held_discs(title: Title, hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Circles that words must leave free for the broken line of a held hex."""
    if not holders(title, hexagon):
        return ()
    inner = 1 - 2 * _INSET
    corners = [(x * inner, y * inner) for x, y in plan.corners]
    steps = range(_HELD_DISCS)
    return tuple(
        (x + (nx - x) * k / _HELD_DISCS, y + (ny - y) * k / _HELD_DISCS, _HELD_MM)
        for (x, y), (nx, ny) in zip(corners, (*corners[1:], corners[0]), strict=True)
        for k in steps
    )


def stub_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Short ends of track at the edges that the first tile of a hex must use."""
    across = plan.across_mm
    signs: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        x, y = plan.centre(hexagon.at)
        for edge in hexagon.stubs:
            (ax, ay), (bx, by) = (edge_point(edge, plan.layout, share * across) for share in _STUB)
            signs += stub_sign(((x + ax, y + ay), (x + bx, y + by)), across, style)
    return tuple(signs)


def stub_sign(line: tuple[Point, Point], across_mm: float, style: Style) -> tuple[Item, ...]:
    """Track that is to come, along a line: hollow, as what is laid is solid."""
    width = TRACK_WIDTH * across_mm
    ends = polygon_path(line, closed=False)
    return (
        Path(
            commands=ends, stroke=Stroke(ink=style.ink("map.stub"), width_mm=width), role=Role.TRACK
        ),
        Path(
            commands=ends,
            stroke=Stroke(ink=style.ink("white"), width_mm=width * _HOLLOW),
            role=Role.TRACK,
        ),
    )


def stub_discs(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Circles that words must leave free for the stubs of a hex."""
    across = plan.across_mm
    radius = TRACK_WIDTH * across * 0.6
    return tuple(
        (*edge_point(edge, plan.layout, share * across), radius)
        for edge in hexagon.stubs
        for share in (0.36, 0.41, 0.46)
    )


def company_items(
    title: Title, plan: MapPlan, style: Style, drawn: dict[str, tuple[Item, ...]]
) -> tuple[Item, ...]:
    """Roundels of companies: in the slot of their home, or free in the hex when it has none left or
    is only held.

    `drawn` has what each hex (by id) shows already, centred on (0, 0).
    """
    companies = with_roundels(title)
    homes, _ = _homes(companies.values(), plan)
    free = free_signs(title, plan)
    items: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        items += _in_slots(hexagon, homes.get(hexagon.id, {}), plan, style)
        signs = free.get(hexagon.id, ())
        bare = _bare_homes(companies.values(), hexagon)
        if bare and signs == ((bare[0], roundel_items),):
            items += _bare_slot(hexagon, bare[0], plan, style)
            continue
        x, y = plan.centre(hexagon.at)
        places = _places(len(signs), plan, drawn.get(hexagon.id, ()))
        for (company, sign), (bx, by, radius, _) in zip(signs, places, strict=True):
            items.append(
                Group(items=sign(company, 2 * radius, style), matrix=translation(x + bx, y + by))
            )
    return tuple(items)


def free_signs(title: Title, plan: MapPlan) -> dict[str, tuple[tuple[Company, Sign], ...]]:
    """What stands free in hexes, by hex: roundels of companies that have no slot there, and
    destinations."""
    companies = with_roundels(title)
    homes, loose = _homes(companies.values(), plan)
    signs_of: dict[str, tuple[tuple[Company, Sign], ...]] = {}
    for hexagon in plan.gamemap.hexes:
        at_home = [company.ref for company in homes.get(hexagon.id, {}).values()]
        badges = loose.get(hexagon.id, []) + [
            companies[company.ref]
            for company in holders(title, hexagon)
            if company.ref not in at_home
        ]
        signs: list[tuple[Company, Sign]] = [
            (company, roundel_items)
            for company in {company.ref: company for company in badges}.values()
        ]
        signs += [(company, destination_items) for company in aiming(companies.values(), hexagon)]
        if signs:
            signs_of[hexagon.id] = tuple(signs)
    return signs_of


def crowded_discs(
    count: int, plan: MapPlan, drawn: tuple[Item, ...], bare: Callable[[], tuple[Item, ...]]
) -> tuple[Disc, ...]:
    """Circles that words must leave free for signs that find no room beside what is `drawn` in a
    hex: where they have the most beside what it shows without words, `bare`. None where they find
    it."""
    if all(room >= 0.0 for *_, room in _places(count, plan, drawn)):
        return ()
    return tuple((x, y, radius) for x, y, radius, _ in _places(count, plan, bare()))


def badge_discs(items: Iterable[Item], plan: MapPlan) -> tuple[Disc, ...]:
    """Circles that the roundels among `company_items` cover."""
    radius = max(BADGE_SHARE, _LONE_SLOT) * plan.across_mm / 2
    return tuple(
        (item.matrix[4], item.matrix[5], radius) for item in items if isinstance(item, Group)
    )


def home_discs(title: Title, hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """The circle that words leave free for the slot of a home on bare ground."""
    radius = _LONE_SLOT * plan.across_mm / 2
    return ((0.0, 0.0, radius),) if _bare_homes(title.companies, hexagon) else ()


def _bare_homes(companies: Iterable[Company], hexagon: MapHex) -> tuple[Company, ...]:
    """The one company at home in a hex that has no stop until its tile is laid there."""
    if hexagon.tile.stops or hexagon.tile.track:
        return ()
    home = tuple(
        company
        for company in companies
        if company.stations and any(home.hex == hexagon.id for home in company.homes)
    )
    return home if len(home) == 1 else ()


def _bare_slot(hexagon: MapHex, company: Company, plan: MapPlan, style: Style) -> Iterator[Item]:
    """The slot that a home will have, with its roundel, in the middle of a bare hex."""
    x, y = plan.centre(hexagon.at)
    across = _LONE_SLOT * plan.across_mm
    rim = style.stroke("slot")
    scale = plan.across_mm / HEX_MM
    stroke = Stroke(ink=rim.ink, width_mm=rim.width_mm * scale)
    slot = Circle(
        cx=0.0, cy=0.0, r=across / 2, fill=style.ink("slot"), stroke=stroke, role=Role.SLOT
    )
    yield Group(
        items=(slot, *roundel_items(company, across * HOME_SHARE, style)), matrix=translation(x, y)
    )


def _homes(
    companies: Iterable[Company], plan: MapPlan
) -> tuple[dict[str, dict[tuple[int, int], Company]], dict[str, list[Company]]]:
    """By hex: the company of each (stop, slot); and companies for which no slot is left, or that
    have no station."""
    taken: dict[str, dict[tuple[int, int], Company]] = {}
    loose: dict[str, list[Company]] = {}
    for company in companies:
        if company.kind in _OF_PLAYERS and not company.stations:
            continue
        for home in company.homes:
            hexagon = plan.gamemap.by_id.get(home.hex)
            if hexagon is None:
                continue
            here = taken.setdefault(home.hex, {})
            slots = _slots(hexagon, home.stop) if company.stations else ()
            free = [place for place in slots if place not in here]
            if free:
                here[free[0]] = company
            elif (
                company.kind is not CompanyKind.NATIONAL
            ):  # a national takes over places that others begin in
                loose.setdefault(home.hex, []).append(company)
    return taken, loose


def _slots(hexagon: MapHex, stop: int | None) -> Iterator[tuple[int, int]]:
    for index, place in enumerate(hexagon.tile.stops):
        if (
            place.kind in (StopKind.CITY, StopKind.PASS)
            and not place.hidden
            and stop in (None, index)
        ):
            yield from ((index, slot) for slot in range(max(1, place.slots)))


def _in_slots(
    hexagon: MapHex, slots: dict[tuple[int, int], Company], plan: MapPlan, style: Style
) -> Iterator[Item]:
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


def _places(
    count: int, plan: MapPlan, drawn: tuple[Item, ...]
) -> Iterator[tuple[float, float, float, float]]:
    """Free places of a hex for small roundels, as large as there is room for, down to two thirds of
    their size: x, y, radius, and the room round it."""
    if not count:
        return
    field = left_room(plan, drawn, _INSET * plan.across_mm + 0.5)
    wanted = BADGE_SHARE * plan.across_mm
    for number in range(count):
        candidates = _candidates(plan, not drawn, number, count)
        for share in (1.0, 0.85, 0.7, 0.6):
            radius = wanted * share / 2
            x, y, room = field.best_disc(candidates, radius, _ENOUGH_MM)
            if room >= _GAP_MM or share == 0.6:
                field.take_disc(x, y, radius + _GAP_MM)
                yield x, y, radius, room
                break


def _candidates(
    plan: MapPlan, empty: bool, number: int, count: int
) -> list[tuple[float, float, float]]:
    """An empty hex shows its badges in its middle, another one as near to a corner as they can
    go."""
    across = plan.across_mm
    if empty:
        return [(0.0, (number - (count - 1) / 2) * across * BADGE_SHARE * 1.2, 0.0)]
    places = []
    for ring in (0.42, 0.38, 0.34, 0.30, 0.25, 0.20):
        for step in range(24):
            angle = 2 * math.pi * step / 24
            places.append(
                (
                    0.25 * (0.42 - ring),
                    ring * across * math.cos(angle),
                    ring * across * math.sin(angle),
                )
            )
    return places
