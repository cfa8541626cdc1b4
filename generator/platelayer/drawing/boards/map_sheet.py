"""The sheets of a map and of the market with the boards that are printed on them."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.boards.market import draw_market, draw_par_chart
from platelayer.drawing.boards.round_track import draw_round_track
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    disc,
    in_row,
    layered,
    placing,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.parts import ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.board import Extras, as_played, draw_plate, draw_poster
from platelayer.drawing.map.panels import plated
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Scene, Stroke

map_words = FixedWords("map")

_SEAT_MM, _SEAT_PT = 20.0, 22.0
_GAP_MM, _PAD_MM = 4.0, 7.0


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche, legend and boards need.

    Hexes are `piece_size(title, "map", map_id)` from flat to flat, those of a plate as large as its
    paper allows. Raises KeyError for a map the title does not have.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = piece_size(title, "map", map_id).width_mm
    panels = (_panel(name, title, style) for name in gamemap.boards)
    extras = Extras(boards=tuple(panel for panel in panels if panel is not None))
    if title.in_play is not None and title.map_of(title.in_play.position) is gamemap:
        title, gamemap, extras = as_played(title, title.in_play, extras)
    key = f"map:{map_id}"
    if title.plate:
        return draw_plate(title, gamemap, style, key=key, extras=extras)
    return draw_poster(title, gamemap, across, style, key=key, extras=extras)


def draw_market_sheet(title: Title, piece_id: str, style: Style) -> Scene:
    """The market, and below it the boards that are printed with it. Raises KeyError when the title
    has no market."""
    scene = draw_market(title, piece_id, style)
    boards = title.market.boards if title.market is not None else ()
    panels = [panel for name in boards if (panel := _panel(name, title, style)) is not None]
    if not panels:
        return scene
    rest = in_row(*panels, level=0)
    width, height = max(scene.width_mm, rest.width), scene.height_mm + rest.height
    sheet = ground(width, height, BLEED_MM, style.ink("board.ground"))
    below = rest.paint(0, scene.height_mm)
    return replace(scene, width_mm=width, height_mm=height, items=(sheet, *scene.items, *below))


def _panel(name: str, title: Title, style: Style) -> Block | None:
    """A board as it is when it is cut out; None where the title has none."""
    if name == "seats":
        return _seats(title, style)
    if name == "market":
        board = draw_market_sheet(title, "market", style) if title.market is not None else None
    elif name == "par-chart":
        board = draw_par_chart(title, "par", style) if title.pieces.par_chart is not None else None
    else:
        board = draw_round_track(title, "rounds", style) if title.pieces.rounds else None
    if board is None:
        return None
    trim = Box(0, 0, board.width_mm, board.height_mm)
    return Block(trim.width, trim.height, placing((Group(board.items, clip=trim.path()),)))


def _seats(title: Title, style: Style) -> Block | None:
    """A numbered slot for a marker of each player, in their order of play."""
    most = title.most_players
    if not most:
        return None
    heading, number = style.type("map.legend.heading"), style.type("map.title").at(_SEAT_PT)
    ink, edge = style.ink("map.title"), Stroke(style.ink("map.frame.line"), 0.35)
    slot = disc((0, 0), _SEAT_MM / 2, style.ink("white"), edge)
    seats = [
        layered(shape_block((slot,), _SEAT_MM), text_block(str(seat + 1), number, ink))
        for seat in range(most)
    ]
    name = text_block(style.words(map_words("seats")), heading, ink)
    return plated(stacked(name, _GAP_MM, in_row(*seats, gap=_GAP_MM)), _PAD_MM, style)
