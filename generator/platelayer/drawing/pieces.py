"""A title and a piece of its manifest in, the scenes of its faces out.

Each kind of piece has a module of its own name with a function `draw_<kind>(title, piece_id, style) -> Scene`
("number-card": `number_card.draw_number_card`). It is imported when the first piece of its kind is drawn, so that
drawing one tile does not wait for the locomotives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from platelayer.drawing.style import Style
from platelayer.model.manifest import Manifest, Piece
from platelayer.model.title import Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import Scene

CHECKLIST_PAGE_MM = (186.0, 256.0)
"""Size of a checklist page: fits both A4 and Letter with margins and footer."""
CHART_HEIGHT_MM = 250.0
"""Greatest height of a page of the upgrade chart, which has a bleed: fits both A4 and Letter."""

Draw = Callable[[Title, str, Style], Scene]


@cache
def drawer(kind: str) -> Draw:
    """The function that draws pieces of a kind. Raises ImportError for a kind that is not drawn."""
    name = kind.replace("-", "_")
    draw: Draw = getattr(import_module(f"platelayer.drawing.{name}"), f"draw_{name}")
    return draw


def draw_piece(
    title: Title, manifest: Manifest, piece: Piece, style: Style, graph: UpgradeGraph | None = None
) -> tuple[Scene, ...]:
    """The scenes of one piece, front first: one, but for a checklist or an upgrade chart of several pages.

    `graph` is asked for by the upgrade chart alone; without one it has no arrows.
    """
    if piece.kind == "upgrade-chart":
        from platelayer.drawing.upgrade_chart import draw_upgrade_charts

        known = graph or UpgradeGraph(title=title.id, variant=title.variant, pairs=())
        return draw_upgrade_charts(title, known, style, CHART_HEIGHT_MM)
    if piece.kind == "checklist":
        from platelayer.drawing.checklist import draw_checklists

        return draw_checklists(title, manifest, style, *CHECKLIST_PAGE_MM)
    return (drawer(piece.kind)(title, piece.id, style),)


def min_text_pt(scene: Scene) -> float:
    """The least size of text a scene may hold: 4 pt where tile numbers are (PRINT, "Legibility rules"), else 5 pt."""
    from platelayer.scene.legibility import MIN_NUMBER_PT, MIN_TEXT_PT

    return MIN_NUMBER_PT if scene.key.startswith(("tile:", "map-tile:")) else MIN_TEXT_PT
