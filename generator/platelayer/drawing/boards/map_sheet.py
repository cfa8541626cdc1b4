"""The sheet of a map with the boards that are printed on it."""

from __future__ import annotations

from collections.abc import Callable

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

_SEAT_MM = 20.0
_GAP_MM, _PAD_MM = 4.0, 7.0


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche, legend and boards need.

    Hexes are `piece_size(title, "map", map_id)` from flat to flat. Raises KeyError for a map the
    title does not have.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = piece_size(title, "map", map_id).width_mm
    boards = tuple(
        panel for name in gamemap.boards if (panel := _BOARDS[name](title, style)) is not None
    )
    extras = Extras(boards=boards)
    if title.in_play is not None and title.map_of(title.in_play.position) is gamemap:
        title, gamemap, extras = as_played(title, title.in_play, extras)
    return draw_poster(title, gamemap, across, style, key=f"map:{map_id}", extras=extras)


def _round_track(title: Title, style: Style) -> Panel | None:
    return _inlaid(draw_round_track(title, "rounds", style)) if title.pieces.rounds else None


def _market(title: Title, style: Style) -> Panel | None:
    return _inlaid(draw_market(title, "market", style)) if title.market is not None else None


def _inlaid(board: Scene) -> Panel:
    """A board as it is when it is cut out."""
    trim = rectangle_path(0, 0, board.width_mm, board.height_mm)
    return Panel(
        width_mm=board.width_mm,
        height_mm=board.height_mm,
        items=(Group(items=board.items, clip=trim),),
    )


def _seats(title: Title, style: Style) -> Panel | None:
    """A numbered place for a marker of each player, in their order of play."""
    most = max((count.players for count in title.players), default=0)
    if not most:
        return None
    heading, number = style.type("map.legend.heading"), style.type("map.title")
    words = style.words(map_words("seats"))
    row = most * _SEAT_MM + (most - 1) * _GAP_MM
    width = max(row, text_width(words, heading)) + 2 * _PAD_MM
    down = _PAD_MM + heading.cap_height_mm
    middle = down + _GAP_MM + _SEAT_MM / 2
    height = middle + _SEAT_MM / 2 + _PAD_MM
    items: list[Item] = [*plate_items(width, height, style)]
    items += set_centred(
        words, heading, style.ink("map.title"), width / 2, down - heading.cap_height_mm / 2
    )
    edge = Stroke(ink=style.ink("map.frame.line"), width_mm=0.35)
    for seat in range(most):
        x = (width - row) / 2 + seat * (_SEAT_MM + _GAP_MM) + _SEAT_MM / 2
        items.append(Circle(cx=x, cy=middle, r=_SEAT_MM / 2, fill=style.ink("white"), stroke=edge))
        items += set_centred(str(seat + 1), number.at(_SEAT_PT), style.ink("map.title"), x, middle)
    return Panel(width_mm=width, height_mm=height, items=tuple(items))


_SEAT_PT = 22.0
_BOARDS: dict[str, Callable[[Title, Style], Panel | None]] = {
    "round-track": _round_track,
    "market": _market,
    "seats": _seats,
}
