"""A map's poster with the plan of its hexes, for programs that lay tiles on it."""

from __future__ import annotations

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.board import Extras, draw_poster
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.title import Title
from platelayer.scene.shapes import Item, Scene


def draw_map_with_plan(title: Title, map_id: str, style: Style) -> tuple[Scene, MapPlan]:
    """The poster, as `draw_map` draws it, and where its hexes lie. Raises KeyError for a map that there is not."""
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    plans: list[MapPlan] = []

    def note(plan: MapPlan, _style: Style) -> tuple[Item, ...]:
        plans.append(plan)
        return ()

    across = title.pieces.size("map", map_id).width_mm
    scene = draw_poster(title, gamemap, across, style, key=f"map:{map_id}", extras=Extras(over=note))
    return scene, plans[-1]
