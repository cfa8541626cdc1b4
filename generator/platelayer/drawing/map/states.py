"""Political ground: states as washes of colour along their borders, as they were laid on by
hand."""

from __future__ import annotations

from collections.abc import Container

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.model.gamemap import MapHex
from platelayer.scene.inks import Ink, mix
from platelayer.scene.shapes import Group, Item, Path, Stroke, polygon_path

WASHES = 6
"""Inks of washes, `map.wash.0` and so on."""
_BANDS = ((4.8, 0.38), (2.4, 0.84))
"""How far each band reaches from the border in mm, and how strong it is."""

_BREATH = 0.55


def zones(plan: MapPlan) -> tuple[str, ...]:
    """Zones of the map in order of first appearance."""
    return tuple(
        dict.fromkeys(hexagon.zone for hexagon in plan.gamemap.hexes if hexagon.zone is not None)
    )


def zone_ink(number: int, style: Style) -> Ink:
    """The ground of a zone within its bands: a breath of its colour, for rules ask which zone a hex
    is in."""
    return mix(style.ink("tile.white"), style.ink(f"map.zone.{number % WASHES}"), _BREATH)


def wash_items(plan: MapPlan, style: Style, shores: Container[Edge] = ()) -> tuple[Item, ...]:
    """For each state that borders on another its bands, within its own white hexes: of a zone all
    round it but along coasts, of a region along its borders with others."""
    state_of = _states(plan)
    if len({*state_of.values()}) < 2:
        return ()
    edges_of, beside = _borders(plan, state_of)
    for edge in plan.outside_edges(plan.gamemap.hexes):
        hexagon = plan.gamemap.by_coord[edge[0]]
        if hexagon.zone is not None and edge not in shores:
            edges_of.setdefault(state_of[hexagon.id], []).append(edge)
    colours = _colours(plan, beside)
    white: dict[str, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        if (
            hexagon.tile.colour == "white"
            and hexagon.tile.ground is None
            and hexagon.id in state_of
        ):
            white.setdefault(state_of[hexagon.id], []).append(hexagon)
    items: list[Item] = []
    for state, edges in edges_of.items():
        if state in white:
            lines = plan.lines(edges)
            bands = tuple(
                Path(
                    commands=lines,
                    stroke=Stroke(ink=ink, width_mm=2 * reach, cap="round", join="round"),
                )
                for reach, ink in _inks(colours[state], style)
            )
            items.append(Group(items=bands, clip=plan.area(white[state])))
    return tuple(items)


def wash_sign(number: int, plan: MapPlan, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A hex with the wash of a zone along its edges, as the legend shows it."""
    share = across_mm / plan.across_mm
    outline = polygon_path([(x * share, y * share) for x, y in plan.corners])
    bands = tuple(
        Path(commands=outline, stroke=Stroke(ink=ink, width_mm=width, join="round"))
        for (_, ink), width in zip(
            _inks(number % WASHES, style), (across_mm * 0.46, across_mm * 0.28), strict=True
        )
    )
    return (
        Path(commands=outline, fill=zone_ink(number, style)),
        Group(items=bands, clip=outline),
        Path(commands=outline, stroke=style.stroke("map.hexrim")),
    )


def _inks(colour: int, style: Style) -> tuple[tuple[float, Ink], ...]:
    paper, wash = style.ink("tile.white"), style.ink(f"map.wash.{colour}")
    return tuple((reach, mix(paper, wash, strength)) for reach, strength in _BANDS)


def _states(plan: MapPlan) -> dict[str, str]:
    """The state of hexes by their printed coordinates: their zone, else their region unless that
    has a tint."""
    state_of: dict[str, str] = {}
    for hexagon in plan.gamemap.hexes:
        region = plan.gamemap.region_of.get(hexagon.id)
        if hexagon.zone is not None:
            state_of[hexagon.id] = f"zone {hexagon.zone}"
        elif region is not None and region.tint is None:
            state_of[hexagon.id] = f"region {region.id}"
    return state_of


def _borders(
    plan: MapPlan, state_of: dict[str, str]
) -> tuple[dict[str, list[Edge]], dict[str, dict[str, None]]]:
    """Edges between two states by state, and the states beside each."""
    edges_of: dict[str, list[Edge]] = {}
    beside: dict[str, dict[str, None]] = {}
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        hexes = (plan.gamemap.by_coord[edge[0]], other)
        one, two = (state_of.get(hexagon.id) for hexagon in hexes)
        if one is None or two is None:
            for hexagon, beyond in zip(hexes, hexes[::-1], strict=True):
                if hexagon.zone is not None and beyond.tile.colour != "blue":
                    edges_of.setdefault(state_of[hexagon.id], []).append(edge)
        elif one != two:
            for state, neighbour in ((one, two), (two, one)):
                edges_of.setdefault(state, []).append(edge)
                beside.setdefault(state, {})[neighbour] = None
    return edges_of, beside


def _colours(plan: MapPlan, beside: dict[str, dict[str, None]]) -> dict[str, int]:
    """The number of the wash of each state: that of its zone, else one that no neighbour has, the
    rarest first."""
    colours = {f"zone {zone}": number % WASHES for number, zone in enumerate(zones(plan))}
    for region in plan.gamemap.regions:
        state = f"region {region.id}"
        taken = [colours[other] for other in beside.get(state, ()) if other in colours]
        used = [*colours.values()]
        colours[state] = min(
            range(WASHES), key=lambda colour: (taken.count(colour), used.count(colour), colour)
        )
    return colours
