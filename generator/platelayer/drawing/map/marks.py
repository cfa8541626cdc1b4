"""Companies on the map: homes in slots, reserved hexes, and stubs of future track."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from platelayer.drawing.company.roundel import destination_items, roundel_items, with_roundels
from platelayer.drawing.hex.captions import COMPANY_SHARES
from platelayer.drawing.hex.geometry import Disc, between
from platelayer.drawing.hex.plan import TRACK_WIDTH, plan_hex
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.values import Frozen
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import MapHex, edge_point
from platelayer.model.tile import HEX_MM, WITH_SLOTS, usual_share
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    shifted,
)

# Diameter of a home's roundel as a share of its slot: the remaining white ring shows that a token
# goes here.
HOME_SHARE = 0.7
# Distance of the dashed line of a held hex from its rim, as a share of the hex; number of circles
# that cover a side of that line, and their radius.
_INSET = 0.075
_HELD_DISCS, _HELD_MM = 12, 0.4
# Ends of a stub, as shares of the hex: inside of a tile that is smaller than the hex, so that the
# tile hides it completely; hollow share of its width; and positions of circles that keep words off
# it.
_STUB, _HOLLOW = (0.488, 0.37), 0.52
_STUB_DISCS = (0.36, 0.41, 0.46)
# Kinds of companies that have no home on the map unless they have a station.
_OF_PLAYERS = (CompanyKind.PRIVATE, CompanyKind.CONCESSION)
_LONE_SLOT = usual_share((1,))


def holders(title: Title, hexagon: MapHex) -> tuple[Company, ...]:
    """Return the companies for which a hex is reserved, as declared by the hex or the company."""
    if not hexagon.reserved and hexagon.id not in _hexes_of(title, "blocks"):
        return ()
    return tuple(
        company
        for company in title.companies
        if hexagon.id in company.blocks or (hexagon.reserved and company.ref in hexagon.reserved)
    )


def _hexes_of(title: Title, what: str) -> frozenset[str]:
    """Return all hexes that companies block ("blocks") or have as homes ("homes"). The result is
    cached because drawing a map asks for each hex often."""
    if what not in title.kept:
        title.kept[what] = frozenset(
            place if isinstance(place, str) else place.hex
            for company in title.companies
            for place in getattr(company, what)
        )
    found: frozenset[str] = title.kept[what]
    return found


def aiming(companies: Iterable[Company]) -> dict[str, list[Company]]:
    """Return companies by the hexes that are their destinations."""
    aims: dict[str, list[Company]] = {}
    for company in companies:
        for hex_id in dict.fromkeys(goal.hex for goal in company.destinations):
            aims.setdefault(hex_id, []).append(company)
    return aims


def held_items(title: Title, plan: MapPlan, style: Style) -> Items:
    """Draw a broken line within each hex that is reserved for a company, to go under the contents
    of the hex."""
    return tuple(
        held_line(plan.centre(hexagon.at), plan, style)
        for hexagon in plan.gamemap.hexes
        if holders(title, hexagon)
    )


def held_line(centre: Point, plan: MapPlan, style: Style, scale: float = 1.0) -> Path:
    """Draw the broken line of a reserved hex around a centre."""
    inner = (1 - 2 * _INSET) * scale
    points = [(centre[0] + x * inner, centre[1] + y * inner) for x, y in plan.corners]
    return Path(polygon_path(points), stroke=style.stroke("map.held"))


def held_discs(title: Title, hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Return circles that words must leave free for the broken line of a reserved hex."""
    if not holders(title, hexagon):
        return ()
    inner = 1 - 2 * _INSET
    corners = [(x * inner, y * inner) for x, y in plan.corners]
    return tuple(
        (*between(one, other, k / _HELD_DISCS), _HELD_MM)
        for one, other in pairwise((*corners, corners[0]))
        for k in range(_HELD_DISCS)
    )


def stub_items(plan: MapPlan, style: Style) -> Items:
    """Draw short ends of track at the edges that the first tile of a hex must use."""
    across = plan.across_mm
    signs: list[Item] = []
    for hexagon in plan.gamemap.hexes:
        x, y = plan.centre(hexagon.at)
        for edge in hexagon.stubs:
            (ax, ay), (bx, by) = (edge_point(edge, plan.layout, share * across) for share in _STUB)
            signs += stub_sign(((x + ax, y + ay), (x + bx, y + by)), across, style)
    return tuple(signs)


def stub_sign(line: tuple[Point, Point], across_mm: float, style: Style) -> Items:
    """Draw future track along a line: hollow, as laid track is solid."""
    width = TRACK_WIDTH * across_mm
    ends = polygon_path(line, closed=False)
    strokes = (
        Stroke(style.ink("map.stub"), width),
        Stroke(style.ink("white"), width * _HOLLOW),
    )
    return tuple(Path(ends, stroke=stroke, role=Role.TRACK) for stroke in strokes)


def stub_discs(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Return circles that words must leave free for the stubs of a hex."""
    across = plan.across_mm
    radius = TRACK_WIDTH * across * 0.6
    return tuple(
        (*edge_point(edge, plan.layout, share * across), radius)
        for edge in hexagon.stubs
        for share in _STUB_DISCS
    )


def company_items(title: Title, plan: MapPlan, style: Style) -> Items:
    """Draw the roundels of companies in the slots of their homes."""
    companies = with_roundels(title)
    homes, _ = _homes(companies.values(), plan)
    items = []
    for hexagon in plan.gamemap.hexes:
        x, y = plan.centre(hexagon.at)
        slots = homes.get(hexagon.id, {})
        marks = plan_hex(hexagon.tile, plan.layout, plan.across_mm).marks if slots else ()
        for (stop, slot), company in slots.items():
            mark = marks[stop]
            if mark is not None and slot < len(mark.slots):
                dx, dy = mark.slots[slot]
                roundel = roundel_items(company, mark.slot_mm * HOME_SHARE, style)
                items.append(shifted(roundel, x + dx, y + dy))
        bare = _bare_home(title, hexagon)
        if bare is not None and bare.kind is not CompanyKind.NATIONAL:
            # The slot that a home will get, with its roundel, in the centre of a bare hex.
            across = _LONE_SLOT * plan.across_mm
            rim, scale = style.stroke("slot"), plan.across_mm / HEX_MM
            stroke = Stroke(rim.ink, rim.width_mm * scale)
            fill, role = style.ink("slot"), Role.SLOT
            circle = Circle(0.0, 0.0, across / 2, fill=fill, stroke=stroke, role=role)
            roundel = roundel_items(companies[bare.ref], across * HOME_SHARE, style)
            items.append(shifted((circle, *roundel), x, y))
    return tuple(items)


class FreeSign(Frozen, cache_hash=True):
    """Sign of a company that is not in a slot of its hex: its roundel, or its destination."""

    company: Company
    is_destination: bool

    def items(self, width_mm: float, style: Style) -> Items:
        """Draw the sign at a width."""
        draw = destination_items if self.is_destination else roundel_items
        return draw(self.company, width_mm, style)


def free_signs(title: Title, plan: MapPlan) -> dict[str, tuple[FreeSign, ...]]:
    """Return the signs that are not in slots, by hex: roundels of companies without a slot there,
    and destinations."""
    companies = with_roundels(title)
    homes, loose = _homes(companies.values(), plan)
    aims = aiming(companies.values())
    signs_of = {}
    for hexagon in plan.gamemap.hexes:
        shown = {company.ref for company in homes.get(hexagon.id, {}).values()}
        if (bare := _bare_home(title, hexagon)) is not None:
            shown.add(bare.ref)
        badges = [company.ref for company in loose.get(hexagon.id, ())]
        badges += [company.ref for company in holders(title, hexagon)]
        signs = [
            FreeSign(companies[ref], False) for ref in dict.fromkeys(badges) if ref not in shown
        ]
        signs += [FreeSign(company, True) for company in aims.get(hexagon.id, ())]
        if signs:
            signs_of[hexagon.id] = tuple(signs)
    return signs_of


def badge_discs(signs: Items, plan: MapPlan) -> tuple[Disc, ...]:
    """Return circles that cover signs at their maximum size."""
    radius = COMPANY_SHARES[0] * plan.across_mm / 2
    return tuple(
        (sign.matrix[4], sign.matrix[5], radius) for sign in signs if isinstance(sign, Group)
    )


def home_discs(title: Title, hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Return the circle that words leave free for the slot of a home on bare ground."""
    radius = _LONE_SLOT * plan.across_mm / 2
    return () if _bare_home(title, hexagon) is None else ((0.0, 0.0, radius),)


def _bare_home(title: Title, hexagon: MapHex) -> Company | None:
    """Return the only company at home in a hex that has no stop until a tile is laid there."""
    bare = not hexagon.tile.stops and not hexagon.tile.track
    if not bare or hexagon.id not in _hexes_of(title, "homes"):
        return None
    home = [
        company
        for company in title.companies
        if company.stations and any(home.hex == hexagon.id for home in company.homes)
    ]
    return home[0] if len(home) == 1 else None


def _homes(
    companies: Iterable[Company], plan: MapPlan
) -> tuple[dict[str, dict[tuple[int, int], Company]], dict[str, list[Company]]]:
    """Return, by hex, the company of each (stop, slot), and the companies without a free slot or
    without a station."""
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
            slots = (
                (index, slot)
                for index, stop in enumerate(hexagon.tile.stops)
                if stop.kind in WITH_SLOTS and not stop.hidden and home.stop in (None, index)
                for slot in range(max(1, stop.slots))
            )
            free = next((slot for slot in slots if slot not in here), None)
            if company.stations and free is not None:
                here[free] = company
            elif company.kind is not CompanyKind.NATIONAL:
                # A national takes over slots in which other companies begin.
                loose.setdefault(home.hex, []).append(company)
    return taken, loose
