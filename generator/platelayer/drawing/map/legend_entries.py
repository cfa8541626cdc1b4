"""What the legend of a map explains: the signs, lines and grounds that occur on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.destination import destination_items
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.hex.letters import chip_block
from platelayer.drawing.hex.offboard import revenue_table
from platelayer.drawing.hex.plan import TRACK_WIDTH, plan_hex
from platelayer.drawing.hex.stops import stop_ground_items, stop_items
from platelayer.drawing.hex.terrain import terrain_items
from platelayer.drawing.hex.track import track_items
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import LEAD, listed
from platelayer.drawing.map.borders import COURSES, border_line, border_manners, border_term, coloured
from platelayer.drawing.map.fords import fords
from platelayer.drawing.map.ground import ZONE_TINTS, ground_ink, zones
from platelayer.drawing.map.legend import SIGN_MM, Entry
from platelayer.drawing.map.marks import aiming, held_line, holders
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.regions import state_edges
from platelayer.drawing.map.rivers import river_sign
from platelayer.drawing.map.seas import coast_sign
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import CompanyKind
from platelayer.model.hexes import Layout
from platelayer.model.tile import CENTRE, Gauge, RevenueStep, Segment, Stop, StopKind, Tile, edge_end
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Group,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_centred, text_width

words = FixedWords("map")

_MOST_LETTERS = 5
_SIGN_HEX_MM, _STOP_HEX_MM = 38.1, 27.0
_TOLD_GAUGES = (Gauge.THIN, Gauge.FUTURE, Gauge.LINE)
_ACROSS = {Layout.FLAT: 0, Layout.POINTY: 1}
"""An edge from which track runs straight up, or straight across."""
_UPRIGHT = {Layout.FLAT: (0.0, 1.0, -1.0, 0.0, 0.0, 0.0), Layout.POINTY: IDENTITY}
"""How that track is turned to lie across."""
_PASS_HEX_MM = 17.0
"""Size of a hex whose pass has the size of a sign."""


class _View(Struct, frozen=True):
    """What entries are worked out from."""

    title: Title
    plan: MapPlan
    style: Style


def legend_entries(title: Title, plan: MapPlan, style: Style) -> tuple[Entry, ...]:
    """Everything that the legend explains, in order."""
    view = _View(title, plan, style)
    return tuple(
        replace(entry, group=_GROUPED.index(source) + 1 if source in _GROUPED else 0)
        for source in _SOURCES
        for entry in source(view)
    )


def _stops(view: _View) -> Iterator[Entry]:
    """Cities with a free slot and towns."""
    plan, style = view.plan, view.style
    stops = [stop for hexagon in plan.gamemap.hexes for stop in hexagon.tile.stops if not stop.hidden]
    if any(stop.kind is StopKind.CITY for stop in stops):
        slot = Circle(cx=0, cy=0, r=2.9, fill=style.ink("slot"), stroke=style.stroke("slot"), role=Role.SLOT)
        yield Entry((slot,), style.words(words("city")), 6.0)
    if any(stop.kind is StopKind.TOWN and not stop.boom for stop in stops):
        yield Entry(
            (Circle(cx=0, cy=0, r=1.7, fill=style.ink("black"), role=Role.SLOT),), style.words(words("town")), 5.0
        )
    for name, of_kind in (
        (words("boomtown"), [stop for stop in stops if stop.boom and stop.kind is StopKind.TOWN]),
        (words("halt"), [stop for stop in stops if stop.kind is StopKind.HALT]),
    ):
        if of_kind:
            yield Entry(_stop_sign(of_kind[0], plan, style), style.words(name), 7.4)


def _stop_sign(stop: Stop, plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A stop by itself."""
    alone = replace(stop, at=CENTRE)
    across = _STOP_HEX_MM if stop.boom else _SIGN_HEX_MM
    (mark,) = plan_hex(Tile(id="", colour="white", stops=(alone,)), plan.layout, across).marks
    return stop_items(alone, mark, across, style) if mark is not None else ()


def _track(view: _View) -> Iterator[Entry]:
    """Track that is not what most maps have, and track that ends where there is no stop."""
    plan, style = view.plan, view.style
    gauges = {segment.gauge: None for hexagon in plan.gamemap.hexes for segment in hexagon.tile.track}
    for gauge in _TOLD_GAUGES:
        if gauge in gauges:
            segment = Segment(a=edge_end(_ACROSS[plan.layout]), b=edge_end(_ACROSS[plan.layout] + 3), gauge=gauge)
            tile = Tile(id="", colour="white", track=(segment,))
            items = track_items(tile, plan_hex(tile, plan.layout, _SIGN_HEX_MM), _SIGN_HEX_MM, style)
            sign = Group(items=items, matrix=_UPRIGHT[plan.layout])
            clip = rectangle_path(-6.0, -3.0, 12.0, 6.0)
            yield Entry((Group(items=(sign,), clip=clip),), style.words(words.table("track")[gauge.value]), 4.4)


def _passes(view: _View) -> Iterator[Entry]:
    """A pass of each size."""
    plan, style = view.plan, view.style
    found = (stop for hexagon in plan.gamemap.hexes for stop in hexagon.tile.stops)
    passes = {stop.size: stop for stop in found if stop.kind is StopKind.PASS}
    name = style.words(words.table("terrain")["pass"])
    for size in sorted(passes, key=lambda size: size or 0):
        tile = Tile(id="", colour="white", stops=(replace(passes[size], at=None),))
        (mark,) = plan_hex(tile, plan.layout, _PASS_HEX_MM).marks
        if mark is not None:
            text = pass_name(name, size, style) if len(passes) > 1 else name
            (stop,) = tile.stops
            draws = (draw(stop, mark, _PASS_HEX_MM, style) for draw in (stop_ground_items, stop_items))
            ends = [edge for _, y, radius in mark.bulk for edge in (y - radius, y + radius)]
            middle = translation(0.0, -(min(ends) + max(ends)) / 2)
            yield Entry((Group(items=tuple(item for items in draws for item in items), matrix=middle),), text, 10.4)


def pass_name(passes: str, size: int | None, style: Style) -> str:
    """What passes of a size are called: a name of their own, else the general name with the size."""
    own = words.table("passes").get(str(size))
    return style.words(own) if own is not None else style.words(words("pass_size"), passes, size)


def _homes(view: _View) -> Iterator[Entry]:
    title, plan, style = view.title, view.plan, view.style
    companies = with_roundels(title)
    known = plan.gamemap.by_id
    homes = [
        company
        for company in companies.values()
        if company.kind not in (CompanyKind.PRIVATE, CompanyKind.CONCESSION)
        and any(h.hex in known for h in company.homes)
    ]
    if homes:
        slot = Circle(cx=0, cy=0, r=3.6, fill=style.ink("slot"), stroke=style.stroke("slot"), role=Role.SLOT)
        yield Entry((slot, *roundel_items(homes[0], 5.0, style)), style.words(words("home")), 7.4)
    held = [holders(title, hexagon) for hexagon in plan.gamemap.hexes]
    held = [companies_ for companies_ in held if companies_]
    if held:
        scale = 9.4 / plan.across_mm
        hexagon = _hexagon(plan, style.ink("tile.white"), scale, style)
        line = held_line((0.0, 0.0), plan, style, scale)
        badge = roundel_items(companies[held[0][0].ref], 4.6, style)
        yield Entry((hexagon, line, *badge), style.words(words("reserved")), 9.4)


def _destinations(view: _View) -> Iterator[Entry]:
    companies = with_roundels(view.title).values()
    found = [company for hexagon in view.plan.gamemap.hexes for company in aiming(companies, hexagon)]
    if found:
        sign = destination_items(found[0], 6.0, view.style)
        yield Entry(sign, view.style.words(words("destination")), 6.4)


def _hexagon(plan: MapPlan, fill: Ink, scale: float, style: Style) -> Path:
    points = [(x * scale, y * scale) for x, y in plan.corners]
    return Path(commands=polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _terrain(view: _View) -> Iterator[Entry]:
    """Kinds of terrain with a cost, each with all its prices."""
    title, plan, style = view.title, view.plan, view.style
    prices: dict[tuple[str, ...], dict[int, None]] = {}
    pictured: set[tuple[str, ...]] = set()
    for hexagon in plan.gamemap.hexes:
        for terrain in hexagon.tile.terrain:
            if terrain.cost and terrain.kinds:
                prices.setdefault(terrain.kinds, {})[terrain.cost] = None
                if terrain not in fords(plan.gamemap, hexagon):
                    pictured.add(terrain.kinds)
    for kinds, costs in prices.items():
        width = 12.0 / len(kinds)
        sign: list[Item] = []
        for number, kind in enumerate(kinds):
            at = (number - (len(kinds) - 1) / 2) * width
            sign.append(Group(items=terrain_items(kind, width * 0.95, style), matrix=translation(at, 0)))
        name = " / ".join(_name(words.table("terrain"), kind, style) for kind in kinds)
        price = listed([title.money(cost) for cost in sorted(costs)], style)
        if kinds not in pictured:
            sign = list(river_sign(style))
        yield Entry(tuple(sign), style.words(LEAD, name, price), 6.2)


def _name(table: Mapping[str, Text], key: str, style: Style) -> str:
    return style.words(table[key]) if key in table else key.replace("-", " ").capitalize()


def _offboard(view: _View) -> Iterator[Entry]:
    """Keys of off-board values in the order of the game, with the phase from which each counts."""
    title, plan, style = view.title, view.plan, view.style
    keys: dict[str, int] = {}
    plain = None
    for hexagon in plan.gamemap.hexes:
        for stop in hexagon.tile.stops:
            if hexagon.tile.colour == "red" or stop.kind is StopKind.OFFBOARD:
                plain = stop if stop.revenue else plain
                for step in stop.revenue:
                    if step.since is not None:
                        keys.setdefault(step.since, step.value)
    if not keys:
        if plain is not None:
            yield Entry(_table(plain.revenue[:1], style), style.words(words("offboard_plain")))
        return
    parts = []
    for key in keys:
        phase = _first_phase(title, key)
        name = _name(words.table("colours"), key, style)
        parts.append(style.words(words("from_phase"), name, phase) if phase else name)
    steps = tuple(RevenueStep(value, key) for key, value in keys.items())
    yield Entry(_table(steps, style), style.words(words("offboard"), listed(parts, style)))


def _table(steps: tuple[RevenueStep, ...], style: Style) -> tuple[Item, ...]:
    items, width, _ = revenue_table(steps, style, size_pt=8.5)
    limit = SIGN_MM - 3.0
    return items if width <= limit else revenue_table(steps, style, size_pt=7.5, max_width_mm=limit)[0]


def _first_phase(title: Title, key: str) -> str | None:
    """The phase from which values of a key count: the first that says so, or that brings tiles of that colour."""
    for says in (lambda phase: phase.revenue == key, lambda phase: key in phase.tiles):
        found = next((phase.id for phase in title.phases if says(phase)), None)
        if found is not None:
            return found
    return key if key in title.phase_by_id else None


def _icons(view: _View) -> Iterator[Entry]:
    """Icons by name, as the hexes show them, without those that are nothing but words of their own."""
    plan, style = view.plan, view.style
    told = words.table("icons")
    icons = {
        icon.name: None
        for hexagon in plan.gamemap.hexes
        for icon in hexagon.tile.icons
        if not icon.text or icon.name in told
    }
    for name in icons:
        sign = icon_block(name, "", 6.4, style, style.type("tile.cost"))
        own = style.pictures.get(name)
        named = style.words(own.name) if own and own.name else _name(told, name, style)
        yield Entry(sign.items, named, 6.6)


def _labels(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    labels = [label for hexagon in plan.gamemap.hexes for label in hexagon.tile.labels]
    letters = dict.fromkeys(label.text for label in labels if label.since is None)
    later = dict.fromkeys((label.since, label) for label in labels if label.since is not None)
    if letters:
        kind = style.type("tile.label")
        shown = sorted(letters, key=lambda text: (len(text), text))[:_MOST_LETTERS]
        sign = "  ".join(shown)
        while text_width(sign, kind) > SIGN_MM - 2.5 and (kind.size_pt > 7 or len(shown) > 1):
            if kind.size_pt > 7:
                kind = kind.at(kind.size_pt - 0.5)
            else:
                shown.pop()
                sign = "  ".join(shown)
        yield Entry(tuple(set_centred(sign, kind, style.ink("text"), 0, 0)), style.words(words("label")), 5.4)
    for colour in dict.fromkeys(since for since, _ in later):
        label = next(label for since, label in later if since == colour)
        name = _name(words.table("colours"), str(colour), style)
        yield Entry(chip_block(label, style).items, style.words(words("label_from"), name), 5.4)


def _borders(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    manners = border_manners(plan, view.title.phases)
    order = {kind: number for number, kind in enumerate(dict.fromkeys(border.kind for _, border in plan.borders))}
    a, b = (-5.5, 0.0), (5.5, 0.0)
    named: dict[tuple[str, str], dict[str | None, Text | None]] = {}
    for _, border in plan.borders:
        names = named.setdefault((border.kind, border_term(border, view.title.phases)), {})
        names[border.colour] = names.get(border.colour) or border.name
    for kind, term in sorted(manners, key=lambda each: (order[each[0]], manners[each] is not None, manners[each] or 0)):
        course = COURSES.get(kind)
        line = course(a, b) if course else polygon_path((a, b), closed=False)
        for colour, name in named[kind, term].items():
            text = _name(words.table("borders"), kind, style) if name is None else style.words(name)
            if term:
                text = style.words(words("in_phases"), text, term)
            painted = coloured(style, kind, colour)
            yield Entry(
                border_line(kind, line, painted, later=term.endswith("+"), manner=manners[kind, term]), text, 4.0
            )


def _landscape(view: _View) -> Iterator[Entry]:
    """Rivers where crossing them costs nothing, coasts, and lines between regions; none of them has an effect."""
    plan, style = view.plan, view.style
    free = not any(fords(plan.gamemap, hexagon) for hexagon in plan.gamemap.hexes)
    if plan.gamemap.rivers and free:
        yield Entry(river_sign(style), style.words(words("river")), 4.0)
    if plan.gamemap.seas:
        yield Entry(coast_sign(style), style.words(words("coast")), 4.4)
    if state_edges(plan):
        line = polygon_path(((-5.5, 0.0), (5.5, 0.0)), closed=False)
        yield Entry((Path(commands=line, stroke=style.stroke("map.state")),), style.words(words("state")), 4.0)


def _stubs(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    if any(hexagon.stubs for hexagon in plan.gamemap.hexes):
        stroke = Stroke(ink=style.ink("map.stub"), width_mm=TRACK_WIDTH * plan.across_mm)
        line: tuple[Point, Point] = ((-2.8, 0.0), (2.8, 0.0))
        yield Entry((Path(commands=polygon_path(line, closed=False), stroke=stroke),), style.words(words("stub")), 4.0)


def _zones(view: _View) -> Iterator[Entry]:
    plan, style = view.plan, view.style
    names = dict(plan.gamemap.zone_names)
    # A zone of only coloured hexes and terrain is not tinted anywhere.
    grounds = {(hexagon.zone, ground_ink(plan, hexagon, style)) for hexagon in plan.gamemap.hexes}
    for number, zone in enumerate(zones(plan)):
        ink = style.ink(f"map.zone.{number % ZONE_TINTS}")
        if (zone, ink) not in grounds:
            continue
        name = names.get(zone)
        sign = _hexagon(plan, ink, 6.4 / plan.across_mm, style)
        yield Entry((sign,), zone if name is None else style.words(name), 6.4)


_SOURCES: tuple[Callable[[_View], Iterator[Entry]], ...] = (
    _stops,
    _passes,
    _track,
    _homes,
    _destinations,
    _labels,
    _icons,
    _terrain,
    _offboard,
    _borders,
    _landscape,
    _stubs,
    _zones,
)

_GROUPED = (_borders, _zones)
"""What stays together in a column."""
