"""The sheet of a map with the boards that are printed on it."""

from __future__ import annotations

from platelayer.drawing.boards.market import draw_market
from platelayer.drawing.boards.round_track import draw_round_track
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.board import Extras, as_played, draw_poster
from platelayer.drawing.map.panels import Panel, plate_items
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.shapes import Circle, Group, Item, Scene, Stroke, rectangle_path
from platelayer.scene.typeset import set_centred, text_width

map_words = FixedWords("map")

_SEAT_MM, _SEAT_PT = 20.0, 22.0
_GAP_MM, _PAD_MM = 4.0, 7.0


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche, legend and boards need.

    Hexes are `piece_size(title, "map", map_id)` from flat to flat. Raises KeyError for a map the
    title does not have.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = piece_size(title, "map", map_id).width_mm
    panels = (_panel(name, title, style) for name in gamemap.boards)
    extras = Extras(boards=tuple(panel for panel in panels if panel is not None))
    if title.in_play is not None and title.map_of(title.in_play.position) is gamemap:
        title, gamemap, extras = as_played(title, title.in_play, extras)
    return draw_poster(title, gamemap, across, style, key=f"map:{map_id}", extras=extras)


def _panel(name: str, title: Title, style: Style) -> Panel | None:
    """A board as it is when it is cut out; None where the title has none."""
    if name == "seats":
        return _seats(title, style)
    if name == "market":
        board = draw_market(title, "market", style) if title.market is not None else None
    else:
        board = draw_round_track(title, "rounds", style) if title.pieces.rounds else None
    if board is None:
        return None
    trim = rectangle_path(0, 0, board.width_mm, board.height_mm)
    items = (Group(items=board.items, clip=trim),)
    return Panel(width_mm=board.width_mm, height_mm=board.height_mm, items=items)


def _seats(title: Title, style: Style) -> Panel | None:
    """A numbered slot for a marker of each player, in their order of play."""
    most = max((count.players for count in title.players), default=0)
    if not most:
        return None
    heading, number = style.type("map.legend.heading"), style.type("map.title").at(_SEAT_PT)
    words = style.words(map_words("seats"))
    row = most * _SEAT_MM + (most - 1) * _GAP_MM
    width = max(row, text_width(words, heading)) + 2 * _PAD_MM
    down = _PAD_MM + heading.cap_height_mm
    middle = down + _GAP_MM + _SEAT_MM / 2
    height = middle + _SEAT_MM / 2 + _PAD_MM
    items: list[Item] = [*plate_items(width, height, style)]
    ink = style.ink("map.title")
    items += set_centred(words, heading, ink, width / 2, down - heading.cap_height_mm / 2)
    edge = Stroke(ink=style.ink("map.frame.line"), width_mm=0.35)
    for seat in range(most):
        x = (width - row) / 2 + seat * (_SEAT_MM + _GAP_MM) + _SEAT_MM / 2
        items.append(Circle(cx=x, cy=middle, r=_SEAT_MM / 2, fill=style.ink("white"), stroke=edge))
        items += set_centred(str(seat + 1), number, ink, x, middle)
    return Panel(width_mm=width, height_mm=height, items=tuple(items))
