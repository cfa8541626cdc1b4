"""The map in play with the routes of a company, each train in a colour of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.definitions.themes import complete_theme
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map.board import NO_EXTRAS, as_played, draw_poster
from platelayer.drawing.map.panels import Entry
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.kinds import piece_size
from platelayer.model.position import InPlay
from platelayer.model.tile import HEX_MM
from platelayer.pipeline.draw import Picture
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import Item, Items, Path, Stroke, shifted

if TYPE_CHECKING:
    from platelayer.play.routes import Income, Routes

# Colours that people tell apart whatever their eyes (Okabe and Ito, "Color Universal Design", 2008),
# the darker ones first: they lie on yellow, green and brown tiles.
_COLOURS = ("#0072b2", "#d55e00", "#cc79a7", "#009e73", "#56b4e9", "#e69f00", "#000000")
# Width of a route and of the white on both sides of it, on a hex of 38.1 mm.
_LINE_MM, _CASING_MM = 2.2, 3.2


def routes_map(routes: Routes, income: Income, *, theme: str) -> Picture:
    """The poster of a position's map with the runs of one company; the legend says what they earn."""
    title = routes.title
    style = style_of(title, complete_theme(theme), routes.language)
    gamemap = title.map_of(routes.position)
    across = piece_size(title, "map", gamemap.id).width_mm
    in_play = InPlay(position=routes.position)
    shown, board, extras = as_played(title, in_play, NO_EXTRAS)
    words = [*routes.income_words(income)]

    def lines(plan: MapPlan, style: Style) -> Iterator[Item]:
        for width, white in ((_CASING_MM, True), (_LINE_MM, False)):
            for train, run in enumerate(income.best.runs):
                ink = style.ink("white") if white else _colour(train)
                for chain in run.chains if run else ():
                    for hex_id, segment in chain.track:
                        hexagon = plan.gamemap.by_id[hex_id]
                        curves = plan_hex(hexagon.tile, plan.layout, plan.across_mm).curves
                        curve = curves[hexagon.tile.track.index(segment)]
                        stroke = Stroke(ink, width * plan.across_mm / HEX_MM, cap="round")
                        path = Path(curve.commands(), stroke=stroke)
                        yield shifted((path,), *plan.centre(hexagon.at))

    def over(plan: MapPlan, style: Style) -> Items:
        return (*lines(plan, style), *(extras.over(plan, style) if extras.over else ()))

    def entries(_plan: MapPlan, _style: Style) -> tuple[Entry, ...]:
        signs = []
        for train, line in enumerate(words[1:]):
            stroke = Stroke(_colour(train), _LINE_MM, cap="round")
            sign = Path((("M", -4.0, 0.0), ("L", 4.0, 0.0)), stroke=stroke)
            signs.append(Entry((sign,), line.strip(), group=9))
        return (Entry((), words[0], group=9), *signs)

    extras_too = replace(extras, over=over, entries=entries)
    scene = draw_poster(
        shown, board, across, style, key=f"routes:{income.company}", extras=extras_too
    )
    return Picture(scene=scene, label=f"{title.name.get(routes.language)}: {words[0]}")


def _colour(train: int) -> Ink:
    return ink_from_hex(_COLOURS[train % len(_COLOURS)])
