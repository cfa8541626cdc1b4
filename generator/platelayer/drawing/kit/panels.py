"""Parts that boards share: how a board is made, its title plate, and spaces for markers."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.drawing.kit.lettering import balanced, line_step, one_line
from platelayer.drawing.kit.ornament import plate_path
from platelayer.drawing.kit.parts import ground, rule
from platelayer.drawing.kit.rich_text import set_lines, wrap_even, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.text import Text
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Item, Path, Scene, Stroke, boxed, rectangle_path
from platelayer.scene.typeset import TypeStyle, rise_mm, set_line, text_width

BOARD_SAFE_MM = 3.0
MARGIN_MM = 6.0
LINE_MM = 0.2
EDGE_MM = 0.55
INSET_MM = 1.3
# Height of the strip at the top of a space that shows its number: markers lie below it.
STRIP_MM = 6.2
# From the edge of a title plate to its inner rule.
_RIM_MM = 0.9
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
    return max(piece_size(title, "token").width_mm, *stated, 0.0)


def strip_line(x: float, y: float, width: float, style: Style) -> Path:
    """The hairline below the strip of a space whose upper left is (x, y)."""
    level, ink = y + STRIP_MM, style.ink("board.line")
    return rule(x + INSET_MM, level, x + width - INSET_MM, ink, LINE_MM / 2)


def board_scene(
    key: str, label: str, size_mm: tuple[float, float], items: Sequence[Item], style: Style
) -> Scene:
    """A finished board on its ground, with a fine double frame inside the trim."""
    width, height = size_mm
    frames: list[Item] = []
    for inset, line in ((2.2, 0.45), (3.0, 0.12)):
        frame = rectangle_path(inset, inset, width - 2 * inset, height - 2 * inset)
        stroke = Stroke(ink=style.ink("board.edge"), width_mm=line)
        frames.append(Path(commands=frame, stroke=stroke))
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=(ground(width, height, BLEED_MM, style.ink("board.ground")), *frames, *items),
        bleed_mm=BLEED_MM,
        safe_mm=BOARD_SAFE_MM,
        label=label,
    )


def title_size(title: Title, words: str, style: Style, width_mm: float) -> tuple[float, float]:
    """Width and height in mm of a board's title plate, at most `width_mm` wide."""
    name = style.words(title.name)
    game, big = _title_types(name, words, style, width_mm)
    wide = max(text_width(words, big), text_width(name, game) + 14.0) + 16.0
    return min(wide, width_mm), rise_mm(words, big) + rise_mm(name, game) + 10.6


def _title_types(
    name: str, words: str, style: Style, width_mm: float
) -> tuple[TypeStyle, TypeStyle]:
    """Types of the game's name and of the words, shrunk as needed."""
    room = width_mm - 12.0

    def shrunk(text: str, own: TypeStyle) -> TypeStyle:
        wide = text_width(text, own)
        if wide <= room:
            return own
        return own.at(max(own.min_pt, own.size_pt * room / wide * 0.999))

    return shrunk(name, style.type("board.game")), shrunk(words, style.type("board.title"))


def title_plate(
    title: Title,
    words: str,
    style: Style,
    width_mm: float,
    *,
    left: float = MARGIN_MM,
    top: float = MARGIN_MM,
) -> tuple[tuple[Item, ...], float]:
    """A title plate, the game's name above that of the board, in the middle of a room that begins
    at `left`; and how far down it reaches in mm."""
    width, height = title_size(title, words, style, width_mm)
    x, y = left + (width_mm - width) / 2, top
    name = style.words(title.name)
    game, big = _title_types(name, words, style, width_mm)
    middle = x + width / 2
    _, name = one_line(name, game, width_mm - 12.0)
    _, words = one_line(words, big, width_mm - 12.0)
    ink, gold = style.ink("board.edge"), style.ink("card.gold")
    first, second = y + 3.6 + rise_mm(name, game), y + height - 3.9
    wing = text_width(name, game) / 2 + 1.6
    level, reach = first - game.cap_height_mm / 2, min(width / 2 - 5.0, wing + 12.0)
    items: list[Item] = [*cartouche((x, y), (width, height), style)]
    if reach > wing + 1.0:
        for side in (-1, 1):
            items.append(rule(middle + side * wing, level, middle + side * reach, gold, 0.35))
    runs = (
        *set_line(name, game, ink, middle, first, anchor=Anchor.MIDDLE),
        *set_line(words, big, ink, middle, second, anchor=Anchor.MIDDLE),
    )
    inner = (x + _RIM_MM, y + _RIM_MM, width - 2 * _RIM_MM, height - 2 * _RIM_MM)
    return (*items, boxed(runs, *inner)), y + height


def board_note(
    text: Text | None, style: Style, width_mm: float, *, above_mm: float, even: bool
) -> tuple[tuple[Item, ...], float]:
    """Words about a board, centred in a width below y = 0, and their height with the room above
    them; `even` makes their lines about equally long."""
    if text is None:
        return (), 0.0
    type_style = style.type("board.legend")
    lines = (wrap_even if even else wrap_within)(style.words(text), type_style, width_mm)
    base, ink = above_mm + type_style.cap_height_mm, style.ink("board.edge")
    middle, centred = width_mm / 2, Anchor.MIDDLE
    items = set_lines(lines, type_style, ink, middle, base, leading=NOTE_LEADING, anchor=centred)
    high = base + (len(lines) - 1) * NOTE_LEADING * type_style.size_mm
    return (boxed(items, 0.0, 0.0, width_mm, high + type_style.size_mm / 2),), high


def space_name(
    words: str, type_style: TypeStyle, width: float, room: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    """The name of a space in lines within a width and a height, in smaller type where it is
    long."""
    lines = wrap_even(words, type_style, width)
    if len(lines) * space_leading(lines, type_style) * type_style.size_mm <= room:
        return type_style, lines
    least = type_style.at(type_style.min_pt)
    most = max(1, int(room / (SPACE_LEADING * least.size_mm)))
    return balanced(words, type_style, width, most, several=0.8, clip=True)


def space_leading(lines: Sequence[str], type_style: TypeStyle) -> float:
    """From line to line of the name of a space in ems: more where accents would touch the line
    above."""
    return max(SPACE_LEADING, line_step(lines, type_style, 0.0) / type_style.size_mm)


def cartouche(
    corner: tuple[float, float], size_mm: tuple[float, float], style: Style
) -> tuple[Item, ...]:
    """A plate with cut-in corners and a double rule, from its upper left corner."""
    edge, fill = style.ink("board.edge"), style.ink("board.cell")
    box, bite = (*corner, *size_mm), min(2.4, size_mm[1] * 0.16)
    outer = plate_path(style.motif, box, bite)
    inner = plate_path(style.motif, box, bite, inset=0.9)
    return (
        Path(commands=outer, fill=fill, stroke=Stroke(ink=edge, width_mm=0.55)),
        Path(commands=inner, stroke=Stroke(ink=edge, width_mm=0.15)),
    )
