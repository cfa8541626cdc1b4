"""Costs of crossing the rivers of a map: a number and a small sign in each hex where it is paid."""

from __future__ import annotations

import math
from collections.abc import Callable

from platelayer.drawing.hex.places import Disc, box_discs
from platelayer.drawing.hex.terrain import terrain_items, terrain_size
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, words_block
from platelayer.drawing.map.left_room import left_room
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import ford, watered, wet_discs
from platelayer.foundation.ties import ranked
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.tile import Terrain
from platelayer.scene.shapes import Group, Item, translation

_SIGN = 0.16
"""Width of the sign as a share of the hex."""
_INSET = 0.045
_CLEAR_MM = 1.2
_BESIDE_MM = 0.5
"""Between a cost and its river."""
_RINGS = (0.0, 0.12, 0.2, 0.27, 0.33, 0.38)
_STEPS = 24


def fords(gamemap: GameMap, hexagon: MapHex) -> tuple[Terrain, ...]:
    """Terrain of a hex that is shown by the river through it, and by a sign only where it costs something."""
    found = tuple(terrain for terrain in hexagon.tile.terrain if ford(terrain))
    return found if found and hexagon.at in watered(gamemap.rivers, gamemap.layout) else ()


def ford_items(plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style) -> tuple[Item, ...]:
    """The costs of a hex beside its river, round its middle, at a free place."""
    return tuple(item for x, y, _, block in _signs(plan, hexagon, drawn, style) for item in block.at(x, y))


def ford_discs(
    plan: MapPlan,
    hexagon: MapHex,
    drawn: tuple[Item, ...],
    bare: Callable[[], tuple[Item, ...]],
    style: Style,
) -> tuple[Disc, ...]:
    """Circles that words must leave free for costs that find no room beside what is `drawn` in a hex: where they have
    the most beside what it shows without words, `bare`. None where they find it."""
    if all(room >= 0.0 for _, _, room, _ in _signs(plan, hexagon, drawn, style)):
        return ()
    signs = _signs(plan, hexagon, bare(), style)
    return tuple(disc for x, y, _, block in signs for disc in box_discs(x, y, block.width, block.height))


def _signs(
    plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style
) -> list[tuple[float, float, float, Block]]:
    """For each cost of a hex where it stands, how much room it has there, and what it looks like."""
    costs = [terrain.cost for terrain in fords(plan.gamemap, hexagon) if terrain.cost]
    if not costs:
        return []
    field = left_room(plan, drawn, _INSET * plan.across_mm)
    wet = left_room(plan, drawn, _INSET * plan.across_mm)
    for x, y, radius in wet_discs(plan, hexagon):
        wet.take_disc(x, y, radius + _BESIDE_MM)
    found: list[tuple[float, float, float, Block]] = []
    for cost in costs:
        block = _sign(cost, plan.across_mm, style)
        places = _places(plan.across_mm)
        bx, by, room = wet.best_box(places, block.width, block.height, _CLEAR_MM)
        if room < 0.0:  # where all dry places are taken, the number stands on the water
            bx, by, room = field.best_box(places, block.width, block.height, _CLEAR_MM)
        field.take_box(bx, by, block.width, block.height)
        wet.take_box(bx, by, block.width, block.height)
        found.append((bx, by, room, block))
    return found


def _places(across_mm: float) -> list[tuple[float, float, float]]:
    """Round the hex, below its middle first."""
    found = []
    for ring in _RINGS:
        for step in range(_STEPS):
            angle = 2 * math.pi * step / _STEPS
            cost = 0.25 * abs(ring - 0.27) / 0.27 + 0.2 * (1 - math.sin(angle)) * (ring > 0)
            found.append((cost, ring * across_mm * math.cos(angle), ring * across_mm * math.sin(angle)))
    return ranked(found)


def _sign(cost: int, across_mm: float, style: Style) -> Block:
    words = words_block((str(cost),), style.type("tile.cost"), style.ink("text"))
    width, height = terrain_size("river", round(_SIGN * across_mm, 2))
    total = width + 0.6 + words.width
    wave = Group(items=terrain_items("river", width, style), matrix=translation((width - total) / 2, 0.0))
    return Block((wave, *words.at((total - words.width) / 2, 0.0)), total, max(height, words.height))
