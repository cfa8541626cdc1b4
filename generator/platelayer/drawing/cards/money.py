"""Bank notes: each value has engine-turned rosettes, a colour and an engine of its own."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.kit.card import Engraved, design_card
from platelayer.drawing.kit.layout import Box, line_block, stacked, text_block
from platelayer.drawing.kit.lettering import balanced, ink_height, title_lines
from platelayer.drawing.kit.ornament import centred, pattern_of
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.locomotive import CLASSES, locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import WHITE, Ink, contrast, mix
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Stroke,
    multiply,
    polygon_path,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_centred, text_width

map_words = FixedWords("map")

_DESIGN = (94.0, 49.0)
_SAFE_MM = 3.2
_COLOURS = 8
_LINE_MM = 0.11
# From the trim to the frame in design units, and on paper.
_RIM, _LEAST_RIM_MM = 3.2, 3.22
_TABLET = 13.0
# Height of the braids along the long sides.
_BAND = 4.6
# Radius of the large rosette, on higher notes at most, and the free room above and below it.
_MEDALLION, _LARGE_MEDALLION, _CLEAR = 14.6, 18.0, 9.9
# From the notice at the foot to the rail; as much is free beside that.
_ABOVE_NOTICE = 1.4
_PLATE = 9.4
_ENGINE_MM = 37.0


class _Note(Engraved, frozen=True, kw_only=True):
    """A note: its value, the place of that among the values of the box, and the inks of its lines,
    its ground and its underprint."""

    title: Title
    value: int
    order: int
    line: Ink
    ground: Ink
    veil: Ink

    @property
    def figures(self) -> str:
        """The value as the title prints it."""
        return self.title.money(self.value)

    @property
    def rim(self) -> float:
        """From the trim to the frame: on small notes far enough for the words in its corners to be
        safe."""
        return max(_RIM, _LEAST_RIM_MM / self.card.unit_mm)

    @property
    def frame(self) -> Box:
        """The note within its frame."""
        return self.card.box.inset(self.rim)

    @property
    def bands(self) -> tuple[Box, Box, Box]:
        """The braid along the head, the field between, and the braid along the foot."""
        head, field, foot = self.frame.rows(_BAND, 0, _BAND)
        return head, field, foot

    @property
    def room(self) -> Box:
        """The field beside the medallion."""
        _, room = self.bands[1].columns(2 * self.medallion + 7.5, 0)
        return room

    @property
    def medallion(self) -> float:
        """Radius of the large rosette."""
        return max(_MEDALLION, min(_LARGE_MEDALLION, self.card.height / 2 - _CLEAR))

    @property
    def ink(self) -> Ink:
        """The ink of the note, dark enough to be read anywhere on it."""
        ink = self.line
        while contrast(ink, self.veil) < 4.6 and ink.rgb != (0, 0, 0):
            ink = mix(ink, self.card.style.ink("black"), 0.15)
        return ink


def draw_money(title: Title, piece_id: str, style: Style) -> Scene:
    """A note of the box: `piece_id` is its value. Each value has its own colour and curves, and an
    engine that grows with the value. Raises KeyError for a value that the box does not have."""
    order = _order(title, piece_id)
    size = piece_size(title, "money", piece_id)
    card = design_card(size, style, design=_DESIGN, safe_mm=_SAFE_MM)
    line = note_ink(title, piece_id, style)
    ground = mix(style.ink("paper"), line, 0.1)
    note = _Note(
        title=title,
        value=int(piece_id),
        order=order,
        card=card,
        pattern=pattern_of(f"note {piece_id}", style.motif),
        stem=f"money:{int(piece_id)}:{card.unit_mm:g}",
        line=line,
        ground=ground,
        veil=mix(ground, line, 0.22),
    )
    items = (
        card.ground(ground),
        *_underprint(note),
        *_frame(note),
        *_medallion(note),
        *_words(note),
    )
    return card.scene(f"money:{piece_id}", note.figures, items)


def _order(title: Title, piece_id: str) -> int:
    """The place of a value among those of the box. Raises KeyError."""
    values = sorted(value for value, _ in title.pieces.money)
    return {str(value): index for index, value in enumerate(values)}[piece_id]


def note_ink(title: Title, piece_id: str, style: Style) -> Ink:
    """The ink of a value's notes."""
    return style.ink(f"money.{_order(title, piece_id) % _COLOURS}")


def _underprint(note: _Note) -> Items:
    """Pale rosettes all over the note."""
    card, rings = note.card, (note.pattern.petals, note.pattern.heart)
    veil = note.underprint("veil", rings, 21.0, note.veil)
    middle = card.height / 2
    veils = (centred(veil, card.width * 0.66, middle), centred(veil, card.width, middle))
    return (Group(veils, clip=card.box.inset(-card.bleed).path()),)


def _frame(note: _Note) -> Items:
    """A double line, and a braid along the head and the foot with the value at its right end."""
    card, (head, _, foot) = note.card, note.bands
    items: list[Item] = [
        note.frame.plate(stroke=card.stroke(note.line, 0.45)),
        note.frame.inset(-0.7).plate(stroke=card.stroke(note.line, _LINE_MM)),
    ]
    pale, edge = mix(note.ground, note.line, 0.14), card.stroke(note.line, 0.25)
    for band, inner in ((head, 1), (foot, 0)):
        items += [
            band.plate(pale),
            note.braid("braid:level", band.inset(0, 0.35), note.line, line_mm=_LINE_MM),
            band.rule(edge, inner),
        ]
    return tuple(items)


def _medallion(note: _Note) -> Items:
    """The large rosette at the left with the value in its centre, breaking through both braids."""
    card, pattern = note.card, note.pattern
    grown = note.medallion / _MEDALLION
    plate = _PLATE * grown
    x, y = note.rim + note.medallion + 3.4, card.height / 2
    line, value = card.stroke(note.line, _LINE_MM), card.type("money.value")
    rings = (pattern.rim, pattern.petals, pattern.heart)
    rosette = note.rosette("rosette", rings, note.medallion, note.line, line_mm=_LINE_MM)
    type_style = fit(note.figures, value.at(value.size_pt * grown), plate * 1.66)
    rim, bold = card.stroke(note.line, 0.3), card.stroke(note.line, 0.5)
    return (
        Circle(x, y, note.medallion + 0.9, fill=note.ground, stroke=rim),
        Circle(x, y, note.medallion + 0.2, fill=mix(note.ground, note.line, 0.2)),
        centred(rosette, x, y),
        Circle(x, y, plate, fill=WHITE, stroke=bold, role=Role.ORNAMENT),
        Circle(x, y, plate - 0.75, stroke=line, role=Role.ORNAMENT),
        *set_centred(note.figures, type_style, note.ink, x, y, over=(Role.ORNAMENT,)),
    )


def _words(note: _Note) -> Items:
    """The name of the game, an engine on its track, and a notice below each other beside the
    medallion; values in the right corners."""
    card, style, ink, room = note.card, note.card.style, note.ink, note.room

    def from_braid(words: str, type_style: TypeStyle) -> float:
        return max(3.9, rise_mm(words, type_style) + 1.6)

    small, large = title_lines(style.words(note.title.name))
    big, width = card.type("money.name"), room.width * 0.9
    name = line_block(large, big, ink, width, rise=from_braid)
    if small:
        first = line_block(small, card.type("money.small"), ink, width, rise=from_braid)

        def from_first(words: str, type_style: TypeStyle) -> float:
            return max(4.1, ink_height(words, type_style)[1] + first.tails + 0.2)

        name = stacked(first, line_block(large, big, ink, width, rise=from_first))
    fine, lines = balanced(
        style.words(map_words("prototype")), card.type("money.fine"), room.width * 0.85, 2
    )
    notice = text_block(lines, fine, ink, leading=1.05, rise=rise_mm)
    middle, foot = room.middle[0], room.foot - 1.2 - notice.height
    return (
        *name.paint(middle - name.width / 2, room.y),
        *_tablet(note, note.bands[0]),
        *_tablet(note, note.bands[2]),
        *notice.paint(middle - notice.width / 2, foot),
        *_vignette(note, middle, foot - _ABOVE_NOTICE),
    )


def _tablet(note: _Note, band: Box) -> Items:
    """The value in white on a solid tablet at the end of a braid, as wide as it needs in its
    smallest type."""
    type_style = fit(note.figures, note.card.type("money.corner"), _TABLET - 2.0)
    wide = max(_TABLET, text_width(note.figures, type_style) + 2.0)
    _, tablet = band.columns(0, wide)
    tip = (tablet.x - band.height / 2, tablet.middle[1])
    upper, lower = (tablet.right, tablet.y), (tablet.right, tablet.foot)
    shape = polygon_path((tip, (tablet.x, tablet.y), upper, lower, (tablet.x, tablet.foot)))
    return (
        Path(shape, fill=note.ink, stroke=note.card.stroke(note.ground, 0.3)),
        tablet.words(note.figures, type_style, WHITE, pad=1.0),
    )


def _vignette(note: _Note, x: float, rail: float) -> Items:
    """An engine on its track: the more the note is worth, the larger the engine."""
    card, style = note.card, note.card.style
    count = max(1, len(note.title.pieces.money) - 1)
    grade = round(note.order * (CLASSES - 1) / count)
    length, _ = locomotive_size(grade, _ENGINE_MM, style)
    # Drawn as large as it is printed, for its lines to be as wide as they must be.
    engine = locomotive_items(grade, _ENGINE_MM * card.unit_mm, style)
    place = multiply(translation(x - length / 2, rail), scaling(1 / card.unit_mm))
    reach = min(_ENGINE_MM / 2 + 2.0, note.room.width / 2 - _ABOVE_NOTICE)
    steel = Stroke(note.ink, max(0.3, 0.1 / card.unit_mm))
    ties = Stroke(note.ink, 0.8, dash=(0.5, 0.9))
    track = Box(x - reach, rail, 2 * reach, 0)
    lines = ((track.inset(0, -0.55), ties), (track.inset(0, -0.15), steel))
    return (
        *(replace(box.rule(stroke), role=Role.SYMBOL) for box, stroke in lines),
        Group(engine, matrix=place),
    )
