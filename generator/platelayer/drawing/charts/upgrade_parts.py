"""Parts of an upgrade chart: tiles and hexes with their words, arrows, and the heads of bands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.charts.upgrade_bands import HEX_COLUMN, Node
from platelayer.drawing.hex.thumbnail import thumbnail_items
from platelayer.drawing.kit.columns import Block
from platelayer.drawing.kit.lettering import balanced, one_line
from platelayer.drawing.kit.panels import MARGIN_MM
from platelayer.drawing.kit.parts import rule, tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.hexes import COS_30, Layout
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Role,
    Stroke,
    TextRun,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_line, text_width

say = FixedWords("cards")

TILE_MM = 16.0
"""Size of a tile, flat to flat, where there is room."""
WIDTH_MM = 182.0
"""Width of a page of the chart."""
HEAD_MM = 8.2
"""Height of the head of a band."""
ROW_GAP_MM = 1.8
MOST_BESIDE_MM = 26.0
"""The most room for words on one side of a tile; what is longer is cut."""
LEADING = 1.12
_LINE_MM = 0.28
_TIP_MM = 1.9
_CLEAR_MM = 0.7
_BEND_MM = 4.0
_NARROW = {Layout.FLAT: 0.36, Layout.POINTY: 0.33}
"""How far a corner of the box round a hex is free, as a part of half its size flat to flat."""

Place = tuple[float, float]


class Chart(Struct, frozen=True, kw_only=True):
    """What all bands of a chart share. Lengths in mm; `x` is the middle of the column of each colour where there are
    arrows, `step` from one to the next; `colours` are all columns in order."""

    style: Style
    layout: Layout
    across: float
    x: dict[str, float]
    step: float
    colours: tuple[str, ...]

    @property
    def wide(self) -> float:
        """Width of a tile."""
        return self.across / COS_30 if self.layout is Layout.FLAT else self.across

    @property
    def tall(self) -> float:
        """Height of a tile."""
        return self.across if self.layout is Layout.FLAT else self.across / COS_30

    @property
    def reach(self) -> float:
        """From the middle of a tile to where words beside its slanting edges end."""
        return self.wide / 2 - _NARROW[self.layout] * self.across / 2


def with_head(
    name: str, heads: dict[str, tuple[float, float]], items: Sequence[Item], height: float, chart: Chart
) -> Block:
    """A band below its name and, over each of its columns, the colour; `heads` are the middles of the first and the
    last tile of each column."""
    style = chart.style
    strong, small, ink = style.type("board.strong").at(10.0), style.type("board.note"), style.ink("board.edge")
    right, level = WIDTH_MM - MARGIN_MM, 4.9
    first = min((x for colour, (x, _) in heads.items() if colour != HEX_COLUMN), default=right)
    room = first - chart.wide / 2 - MARGIN_MM - 5.0
    drawn: list[Item] = [rule(MARGIN_MM, level, right, style.ink("card.gold"), 0.25)]
    drawn += set_within(name, strong, style, room, (MARGIN_MM, level - 1.7))
    for colour, (start, end) in heads.items():
        if colour == HEX_COLUMN:
            continue
        x, wide = start - chart.wide / 2, end - start + chart.wide
        bar = rectangle_path(x, level - 0.7, wide, 1.4)
        drawn.append(Path(commands=bar, fill=tile_ink(colour, style), stroke=Stroke(ink=ink, width_mm=0.12)))
        word = style.named(colour, say.table("colour"))
        drawn += set_line(word, small, ink, x + wide / 2, level - 1.7, anchor=Anchor.MIDDLE)
    body = Group(items=tuple(items), matrix=translation(0.0, HEAD_MM))
    return Block(items=(*drawn, body), height=HEAD_MM + height)


def set_within(words: str, kind: TypeStyle, style: Style, width_mm: float, place: Place) -> tuple[TextRun, ...]:
    """One line that begins at a place, no wider than `width_mm`: set smaller, and if that is not enough, cut short."""
    kind, words = one_line(words, kind, width_mm)
    return set_line(words, kind, style.ink("board.edge"), *place)


def lines_within(words: str, kind: TypeStyle, width_mm: float) -> tuple[TypeStyle, tuple[str, ...]]:
    """Words in one line or two, or three if they are long, no wider than `width_mm`."""
    fitted, lines = balanced(words, kind, width_mm, 2, several=0.9)
    return (fitted, lines) if len(lines) <= 2 else balanced(words, kind, width_mm, 3, several=0.9, clip=True)


def tile_items(node: Node, place: Place, chart: Chart) -> tuple[Item, ...]:
    """A tile, its number and label beside its left edges, what it pays beside its upper right one; or a bare hex."""
    (x, y), style = place, chart.style
    drawing = Group(items=thumbnail_items(node.tile, chart.layout, chart.across, style), matrix=translation(x, y))
    if node.is_hex:
        return (drawing,)
    strong, small, ink = style.type("aid.tile"), style.type("board.note"), style.ink("board.edge")
    top, foot = y - chart.tall / 2 + strong.cap_height_mm + 0.1, y + chart.tall / 2 - 0.1
    strong, number = one_line(number_words(node), strong, MOST_BESIDE_MM)
    labels, value = one_line(_labels(node), small, MOST_BESIDE_MM), one_line(_value(node), small, MOST_BESIDE_MM)
    return (
        drawing,
        *set_line(number, strong, ink, x - chart.reach, top, anchor=Anchor.END),
        *set_line(labels[1], labels[0], ink, x - chart.reach, foot, anchor=Anchor.END),
        *set_line(value[1], value[0], style.ink("card.soft"), x + chart.reach, top),
    )


def number_words(node: Node) -> str:
    """A tile's number, with a star when only an ability lays it."""
    return node.words + ("*" if node.via else "")


def _labels(node: Node) -> str:
    return " ".join(label.text for label in node.tile.labels)


def _value(node: Node) -> str:
    """What the stops of a tile pay."""
    return "/".join(dict.fromkeys(str(step.value) for stop in node.tile.stops for step in stop.revenue))


def overhang_mm(nodes: Sequence[Node], chart: Chart) -> tuple[float, float]:
    """How far the words of tiles reach beyond their left and right ends."""
    strong, small = chart.style.type("aid.tile"), chart.style.type("board.note")
    tiles = [node for node in nodes if not node.is_hex]
    free = chart.wide / 2 - chart.reach
    left = [max(text_width(number_words(node), strong), text_width(_labels(node), small)) for node in tiles]
    right = [text_width(_value(node), small) for node in tiles]
    return min(MOST_BESIDE_MM, max(left, default=0.0)) - free, min(MOST_BESIDE_MM, max(right, default=0.0)) - free


def straights(before: Sequence[Node], after: Sequence[Node], chart: Chart) -> tuple[float, float] | None:
    """How far an arrow between two columns runs level at its ends, clear of words; None when it could not bend."""
    start = _CLEAR_MM + max(0.0, overhang_mm(before, chart)[1])
    end = _CLEAR_MM + _TIP_MM + max(1.2, overhang_mm(after, chart)[0] - _TIP_MM)
    return (start, end) if start + end + _BEND_MM <= chart.step - chart.wide else None


def arrow_line(start: Place, end: Place, level: tuple[float, float], chart: Chart) -> Path:
    """A line from the right of one tile to the left of another, level at both ends."""
    (x0, y0), (x1, y1) = start, end
    x0, x1 = x0 + chart.wide / 2, x1 - chart.wide / 2
    first, last = x0 + level[0], x1 - level[1]
    bend = (last - first) * 0.55
    commands = (
        ("M", x0 + _CLEAR_MM, y0),
        ("L", first, y0),
        ("C", first + bend, y0, last - bend, y1, last, y1),
        ("L", x1 - _CLEAR_MM - _TIP_MM + 0.3, y1),
    )
    stroke = Stroke(ink=chart.style.ink("board.edge"), width_mm=_LINE_MM, cap="round")
    return Path(commands=commands, stroke=stroke, role=Role.ORNAMENT)


def arrow_tip(end: Place, chart: Chart) -> Path:
    """The head of all arrows to one tile."""
    x, y = end[0] - chart.wide / 2 - _CLEAR_MM, end[1]
    points = ((x, y), (x - _TIP_MM, y - 0.85), (x - _TIP_MM * 0.72, y), (x - _TIP_MM, y + 0.85))
    return Path(commands=polygon_path(points), fill=chart.style.ink("board.edge"), role=Role.ORNAMENT)
