"""Surfaces of pieces: cards in design units (one long side of known length; lines and minimum type
keep their size on paper), cards in mm with ground, frame and heading, and boards with title
plate and spaces for markers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

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
from platelayer.drawing.kit.lettering import (
    balanced,
    ink_height,
    line_step,
    one_line,
    wrap_even,
    wrap_within,
)
from platelayer.drawing.kit.ornament import (
    Pattern,
    Ring,
    braid_scene,
    plate_path,
    rosette_scene,
    tapering_rule,
)
from platelayer.drawing.kit.parts import diamond, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.title import Size, Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Anchor,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    multiply,
    rotation,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, rise_mm, set_line, text_width

# Line widths of ornaments, and of curves below words.
LINE_MM, VEIL_MM = 0.1, 0.12


class Card(Frozen, kw_only=True):
    """A landscape card in design units: `width` x `height`, each unit `unit_mm` on paper. `bleed`
    and `safe` are in design units, too; a card printed upright is rotated as a whole."""

    width: float
    height: float
    unit_mm: float
    bleed: float
    safe: float
    upright: bool
    safe_mm: float
    style: Style

    @property
    def box(self) -> Box:
        """The card within its trim."""
        return Box(0, 0, self.width, self.height)

    @property
    def sheet(self) -> Box:
        """The card with its bleed."""
        return self.box.inset(-self.bleed)

    def stroke(
        self, ink: Ink, width_mm: float, dash: tuple[float, ...] = (), cap: str = "butt"
    ) -> Stroke:
        """Return a line with this width on paper, whatever the card's size."""
        return Stroke(ink, width_mm / self.unit_mm, dash=dash, cap=cap, join="round")

    def type(self, name: str) -> TypeStyle:
        """Return a type style of the theme with its minimum size on paper."""
        style = self.style.type(name)
        least = style.min_pt / self.unit_mm
        return replace(style, min_pt=least, size_pt=max(style.size_pt, least))

    def ground(self, ink: Ink) -> Path:
        """Return the whole card and its bleed in one ink."""
        return self.sheet.plate(ink)

    def inset(self, by: float) -> Commands:
        """Return the rectangle at this distance inside the trim."""
        return self.box.inset(by).path()

    def rule(self, at: Point, length: float, ink: Ink, width: float, *, towards: int) -> Items:
        """Return a tapering rule of the style's motif from a point, to the left (-1) or to the
        right (1)."""
        motif, unit = self.style.motif, self.unit_mm
        return tapering_rule(*at, length, ink, width, towards=towards, motif=motif, unit_mm=unit)

    def scene(self, key: str, label: str, items: Items) -> Scene:
        """Return the finished piece."""
        k = self.unit_mm
        width, height = self.width * k, self.height * k
        matrix = scaling(k)
        if self.upright:
            # A quarter turn anticlockwise: the head of the card is at the left of the upright
            # piece.
            matrix = multiply((0.0, -1.0, 1.0, 0.0, 0.0, width), matrix)
            width, height = height, width
        drawn = items if k == 1 and not self.upright else (Group(items, matrix=matrix),)
        return Scene(
            key,
            width,
            height,
            drawn,
            bleed_mm=BLEED_MM,
            safe_mm=self.safe_mm,
            label=label,
        )


class Engraved(Frozen, kw_only=True):
    """A card with the guilloche curves of a pattern. `stem` begins the keys of its curves, which
    pieces with equal keys share. Lengths are in design units, except for `line_mm`, which is on
    paper."""

    card: Card
    pattern: Pattern
    stem: str

    def key(self, part: str) -> str:
        """Return the key of a part."""
        return f"{self.stem}:{part}"

    def rosette(
        self,
        part: str,
        rings: tuple[Ring, ...],
        radius: float,
        ink: Ink,
        *,
        line_mm: float = LINE_MM,
    ) -> Scene:
        """Return a rosette to be placed by `centred`."""
        return rosette_scene(
            self.key(part), rings, radius, self.card.stroke(ink, line_mm), Role.ORNAMENT
        )

    def underprint(self, part: str, rings: tuple[Ring, ...], radius: float, ink: Ink) -> Scene:
        """Return a rosette to be placed by `centred`, pale enough for words on top of it."""
        return rosette_scene(
            self.key(part), rings, radius, self.card.stroke(ink, VEIL_MM), Role.GROUND
        )

    def braid(self, part: str, strip: Box, ink: Ink, *, line_mm: float = LINE_MM) -> Use:
        """Return a braid along a strip, across or down. The braids of a piece share their swells if
        only the last word of `part`, after a colon, differs."""
        x, y, length, depth = strip
        at = translation(x, y)
        if depth > length:
            length, depth = depth, length
            at = multiply(translation(strip.right, y), rotation(90))
        stroke = self.card.stroke(ink, line_mm)
        scene = braid_scene(self.key(part), self.pattern.wave, length, depth / 2, stroke)
        return Use(scene, matrix=at)


def design_card(size: Size, style: Style, *, design: tuple[float, float], safe_mm: float) -> Card:
    """Return a card for a piece of this size, with at least `design` units to draw on in each
    direction. An upright piece is rotated, unless the design is upright too."""
    turned = size.height_mm > size.width_mm and design[0] > design[1]
    width, height = (size.height_mm, size.width_mm) if turned else (size.width_mm, size.height_mm)
    unit = min(width / design[0], height / design[1])
    return Card(
        width=width / unit,
        height=height / unit,
        unit_mm=unit,
        bleed=BLEED_MM / unit,
        safe=safe_mm / unit,
        upright=turned,
        safe_mm=safe_mm,
        style=style,
    )


# Cards, with lengths in mm.


# Maximum share of a heading's band for the name of the game.
_BESIDE = 0.45


def trimmed(size: Size) -> Box:
    """Return a piece within its trim."""
    return Box(0, 0, size.width_mm, size.height_mm)


def card_scene(key: str, label: str, size: Size, items: Sequence[Item], style: Style) -> Scene:
    """Return a finished card: the items on its ground."""
    ground = trimmed(size).inset(-BLEED_MM).plate(style.ink("card.ground"))
    return Scene(
        key,
        size.width_mm,
        size.height_mm,
        (ground, *items),
        bleed_mm=BLEED_MM,
        safe_mm=CARD_SAFE_MM,
        label=label,
    )


def heading_band(words: str, beside: str, card: Box, style: Style) -> tuple[Items, Box]:
    """Return the dark band at the top of a card with a heading at its left and the game's name at
    its right; and the rest of the card below it."""
    big, small = style.type("card.title"), style.type("card.game")
    rise = rise_mm(words, big)
    # Accents on capitals must stay within the safe zone.
    above = max(0, ink_height(words, big)[1] - rise - 0.4)
    tall = rise + 2 * (CARD_SAFE_MM + 0.4) + above
    band, _, line, rest = card.rows(tall, 0.45, 0.35, 0)
    inner, light = band.inset(4.0, 0), style.ink("card.band.text")
    small, beside = one_line(beside, small, inner.width * _BESIDE)
    big, words = one_line(words, big, inner.width - text_width(beside, small) - 6.0)
    base = (tall + above + rise_mm(words, big)) / 2
    runs = (
        *set_line(words, big, light, inner.x, base),
        *set_line(beside, small, light, inner.right, base, anchor=Anchor.END),
    )
    bled = line.inset(-BLEED_MM, 0)
    items = (
        Box(bled.x, -BLEED_MM, bled.width, tall + BLEED_MM).plate(style.ink("card.band")),
        bled.plate(style.ink("card.gold")),
        inner.boxed(runs),
    )
    return items, rest


def frames(card: Box, style: Style) -> Items:
    """Return a double frame inside the safe zone with small plates in its corners."""
    dark, gold = style.ink("card.accent"), style.ink("card.gold")
    outer = card.inset(CARD_SAFE_MM)
    return (
        outer.plate(stroke=Stroke(dark, 0.5)),
        outer.inset(0.9).plate(stroke=Stroke(gold, 0.25)),
        diamond(outer.x, outer.y, 0.9, dark),
        diamond(outer.right, outer.y, 0.9, dark),
        diamond(outer.right, outer.foot, 0.9, dark),
        diamond(outer.x, outer.foot, 0.9, dark),
    )


BOARD_SAFE_MM = 3.0
MARGIN_MM = 6.0
BOARD_LINE_MM = 0.2
EDGE_MM = 0.55
INSET_MM = 1.3
# Height of the strip with the number at the top of a space: markers lie below it.
STRIP_MM = 6.2
_AROUND_MM = 1.5
_SPACE_MM = (16.0, 22.0)
# Line spacing of a note, and of the names of spaces, in ems.
NOTE_LEADING, SPACE_LEADING = 1.24, 1.16


def least_space_mm(title: Title) -> tuple[float, float]:
    """Return the smallest space for the market tokens of a title: one fits and leaves the number
    visible."""
    across = token_mm(title) + _AROUND_MM
    return across, STRIP_MM + across


def space_mm(title: Title) -> tuple[float, float]:
    """Return the usual space for market tokens."""
    wide, tall = least_space_mm(title)
    return max(wide, _SPACE_MM[0]), max(tall, _SPACE_MM[1])


def token_mm(title: Title) -> float:
    """Return the diameter of the widest token."""
    stated = [size.width_mm for size in title.pieces.sizes_of("token")]
    return max(piece_size(title, "token").width_mm, *stated, 0)


def token_place(space: Box) -> Group:
    """Return the place of a token in a space, below the strip."""
    below = space.rows(STRIP_MM, 0)[1]
    side = min(below.width, below.height)
    return below.within(side, side).place("token", ())


def strip_line(space: Box, style: Style) -> Path:
    """Return the hairline below the strip of a space."""
    strip = space.rows(STRIP_MM)[0].inset(INSET_MM, 0)
    return strip.rule(Stroke(style.ink("board.line"), BOARD_LINE_MM / 2))


def board_scene(key: str, label: str, block: Block, style: Style) -> Scene:
    """Return a finished board, as large as its content with a margin on all sides."""
    items = block.paint(MARGIN_MM, MARGIN_MM)
    size = (block.width + 2 * MARGIN_MM, block.height + 2 * MARGIN_MM)
    return sized_board(key, label, size, items, style)


def sized_board(
    key: str, label: str, size_mm: tuple[float, float], items: Sequence[Item], style: Style
) -> Scene:
    """Return a finished board on its ground, with a fine double frame inside the trim."""
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
    """Return a plate with the game's name above that of the board, as wide as these but at most
    `width_mm`."""
    ink, room = style.ink("board.edge"), width_mm - 12.0
    game_type = style.type("board.game")
    game = line_block(style.words(title.name), game_type, ink, room, rise=rise_mm)
    board = line_block(words, style.type("board.title"), ink, room, rise=rise_mm)
    width = min(width_mm, max(board.width, game.width + 14.0) + 16.0)
    # Draw rules on both sides of the game's name if there is room for them.
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
    """Return words about a board, centred in a width, with `above_mm` of room above them; `even`
    makes their lines about equally long."""
    if text is None:
        return strut(0)
    type_style = style.type("board.legend")
    lines = (wrap_even if even else wrap_within)(style.words(text), type_style, width_mm)
    note = text_block(lines, type_style, style.ink("board.edge"), width_mm, leading=NOTE_LEADING)
    return stacked(above_mm, note)


def space_name(words: str, type_style: TypeStyle, ink: Ink, width: float, room: float) -> Block:
    """Return the name of a space in lines within a width and a height, in smaller type if it is
    long."""
    lines = wrap_even(words, type_style, width)
    if len(lines) * line_step(lines, type_style, SPACE_LEADING) > room:
        least = type_style.at(type_style.min_pt)
        most = max(1, int(room / (SPACE_LEADING * least.size_mm)))
        type_style, lines = balanced(words, type_style, width, most, several=0.8, clip=True)
    return text_block(lines, type_style, ink, width, leading=SPACE_LEADING)


def cut_plate(box: Box, style: Style) -> Items:
    """Return a plate with cut-in corners and a double rule."""
    edge, fill = style.ink("board.edge"), style.ink("board.cell")
    bite = min(2.4, box.height * 0.16)
    outer = plate_path(style.motif, box, bite)
    inner = plate_path(style.motif, box, bite, inset=0.9)
    return (
        Path(outer, fill=fill, stroke=Stroke(edge, EDGE_MM)),
        Path(inner, stroke=Stroke(edge, 0.15)),
    )
