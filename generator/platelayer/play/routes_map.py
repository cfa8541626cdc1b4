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
from platelayer.scene.inks import ink_from_hex
from platelayer.scene.shapes import Item, Items, Path, Stroke, shifted

if TYPE_CHECKING:
    from platelayer.model.gamemap import GameMap
    from platelayer.play.routes import Income, Routes
    from platelayer.play.runs import Run
    from platelayer.scene.shapes import Commands

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
                ink = style.ink("white") if white else ink_from_hex(colour_of(train))
                stroke = Stroke(ink, width * plan.across_mm / HEX_MM, cap="round")
                for hex_id, commands in track_of(run, plan.gamemap, plan.across_mm):
                    path = Path(commands, stroke=stroke)
                    yield shifted((path,), *plan.centre(plan.gamemap.by_id[hex_id].at))

    def over(plan: MapPlan, style: Style) -> Items:
        return (*lines(plan, style), *(extras.over(plan, style) if extras.over else ()))

    def entries(_plan: MapPlan, _style: Style) -> tuple[Entry, ...]:
        signs = []
        for train, line in enumerate(words[1:]):
            stroke = Stroke(ink_from_hex(colour_of(train)), _LINE_MM, cap="round")
            sign = Path((("M", -4.0, 0.0), ("L", 4.0, 0.0)), stroke=stroke)
            signs.append(Entry((sign,), line.strip(), group=9))
        return (Entry((), words[0], group=9), *signs)

    extras_too = replace(extras, over=over, entries=entries)
    scene = draw_poster(
        shown, board, across, style, key=f"routes:{income.company}", extras=extras_too
    )
    return Picture(scene=scene, label=f"{title.name.get(routes.language)}: {words[0]}")


def track_of(run: Run | None, gamemap: GameMap, across_mm: float) -> Iterator[tuple[str, Commands]]:
    """The track of a run in hexes of this width: the hex, and the curve about its centre. The map is
    that in play."""
    for chain in run.chains if run else ():
        for hex_id, segment in chain.track:
            tile = gamemap.by_id[hex_id].tile
            curves = plan_hex(tile, gamemap.layout, across_mm).curves
            yield hex_id, tuple(curves[tile.track.index(segment)].commands())


def colour_of(train: int) -> str:
    """The colour of a train's route by its number."""
    return _COLOURS[train % len(_COLOURS)]
