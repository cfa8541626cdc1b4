"""Parts that boards share: how a board is made, its title plate, and spaces for markers."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    box_block,
    in_row,
    line_block,
    rule_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, line_step
from platelayer.drawing.kit.ornament import plate_path
from platelayer.drawing.kit.parts import ground
from platelayer.drawing.kit.rich_text import wrap_even, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.text import Text
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Group, Item, Items, Path, Scene, Stroke
from platelayer.scene.typeset import TypeStyle, rise_mm

BOARD_SAFE_MM = 3.0
MARGIN_MM = 6.0
LINE_MM = 0.2
EDGE_MM = 0.55
INSET_MM = 1.3
# Height of the strip at the top of a space that shows its number: markers lie below it.
STRIP_MM = 6.2
_AROUND_MM = 1.5
_SPACE_MM = (16.0, 22.0)
# From line to line of a note, and of the names of spaces, in ems.
NOTE_LEADING, SPACE_LEADING = 1.24, 1.16


def least_space_mm(title: Title) -> tuple[float, float]:
    """The smallest space for the market tokens of a title: one lies in it and leaves the number
    free."""
    across = token_mm(title) + _AROUND_MM
    return across, STRIP_MM + across


def space_mm(title: Title) -> tuple[float, float]:
    """The usual space for market tokens."""
    wide, tall = least_space_mm(title)
    return max(wide, _SPACE_MM[0]), max(tall, _SPACE_MM[1])


def token_mm(title: Title) -> float:
    """Diameter of the widest token."""
    stated = [size.width_mm for size in title.pieces.sizes_of("token")]
    return max(piece_size(title, "token").width_mm, *stated, 0)


def token_place(space: Box) -> Group:
    """The place of a token in a space, below the strip."""
    below = space.rows(STRIP_MM, 0)[1]
    side = min(below.width, below.height)
    return below.within(side, side).place("token", ())


def strip_line(space: Box, style: Style) -> Path:
    """The hairline below the strip of a space."""
    strip = space.rows(STRIP_MM)[0].inset(INSET_MM, 0)
    return strip.rule(Stroke(style.ink("board.line"), LINE_MM / 2))


def board_scene(key: str, label: str, block: Block, style: Style) -> Scene:
    """A finished board as large as what is on it, with a margin all round."""
    items = block.paint(MARGIN_MM, MARGIN_MM)
    size = (block.width + 2 * MARGIN_MM, block.height + 2 * MARGIN_MM)
    return sized_board(key, label, size, items, style)


def sized_board(
    key: str, label: str, size_mm: tuple[float, float], items: Sequence[Item], style: Style
) -> Scene:
    """A finished board on its ground, with a fine double frame inside the trim."""
    width, height = size_mm
    trim, ink = Box(0, 0, width, height), style.ink("board.edge")
    frames = (
        trim.inset(inset).plate(stroke=Stroke(ink, line))
        for inset, line in ((2.2, 0.45), (3.0, 0.12))
    )
    return Scene(
        key,
        width,
        height,
        (ground(width, height, BLEED_MM, style.ink("board.ground")), *frames, *items),
        bleed_mm=BLEED_MM,
        safe_mm=BOARD_SAFE_MM,
        label=label,
    )


def title_plate(title: Title, words: str, style: Style, width_mm: float) -> Block:
    """A plate with the game's name above that of the board, as wide as these but at most
    `width_mm`."""
    ink, room = style.ink("board.edge"), width_mm - 12.0
    game_type = style.type("board.game")
    game = line_block(style.words(title.name), game_type, ink, room, rise=rise_mm)
    board = line_block(words, style.type("board.title"), ink, room, rise=rise_mm)
    width = min(width_mm, max(board.width, game.width + 14.0) + 16.0)
    # Rules at both sides of the game's name, where there is room for them.
    long = min(12.0, width / 2 - 5.0 - game.width / 2 - 1.6)
    gold, level = Stroke(style.ink("card.gold"), 0.35), game_type.cap_height_mm / 2
    wings = (stacked(rule_block(long, gold), level), 1.6) if long > 1 else ()
    lines = stacked(3.6, in_row(*wings, game, *reversed(wings), level=1), 3.1, board, 3.9)

    return box_block(
        width, lines.height, lambda box: (*cut_plate(box, style), box.inset(0.9).centred(lines))
    )


def board_note(
    text: Text | None, style: Style, width_mm: float, *, above_mm: float, even: bool
) -> Block:
    """Words about a board, centred in a width, with room above them; `even` makes their lines about
    equally long."""
    if text is None:
        return strut(0)
    type_style = style.type("board.legend")
    lines = (wrap_even if even else wrap_within)(style.words(text), type_style, width_mm)
    note = text_block(lines, type_style, style.ink("board.edge"), width_mm, leading=NOTE_LEADING)
    return stacked(above_mm, note)


def space_name(words: str, type_style: TypeStyle, ink: Ink, width: float, room: float) -> Block:
    """The name of a space in lines within a width and a height, in smaller type where it is
    long."""
    lines = wrap_even(words, type_style, width)
    if len(lines) * line_step(lines, type_style, SPACE_LEADING) > room:
        least = type_style.at(type_style.min_pt)
        most = max(1, int(room / (SPACE_LEADING * least.size_mm)))
        type_style, lines = balanced(words, type_style, width, most, several=0.8, clip=True)
    return text_block(lines, type_style, ink, width, leading=SPACE_LEADING)


def cut_plate(box: Box, style: Style) -> Items:
    """A plate with cut-in corners and a double rule."""
    edge, fill = style.ink("board.edge"), style.ink("board.cell")
    bite = min(2.4, box.height * 0.16)
    outer = plate_path(style.motif, box, bite)
    inner = plate_path(style.motif, box, bite, inset=0.9)
    return (
        Path(outer, fill=fill, stroke=Stroke(edge, EDGE_MM)),
        Path(inner, stroke=Stroke(edge, 0.15)),
    )
