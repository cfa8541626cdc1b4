"""Bank notes: each value has engine-turned rosettes, a colour and an engine of its own."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.company.roundel import lettered
from platelayer.drawing.kit.layout import Box, line_block, stacked
from platelayer.drawing.kit.lettering import ink_height, title_lines
from platelayer.drawing.kit.ornament import centred, pattern_of
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import Engraved, design_card
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
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, text_width

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
# Radius of the large rosette; that of the plate in it, and the height of the figures on that.
_MEDALLION, _PLATE, _FIGURES = 17.8, 13.6, 10.5
# From the frame to the large rosette.
_BESIDE = 3.4
# The longest engine, how far its track reaches beyond it, and where it stands in the free height.
_ENGINE_MM, _TRACK, _LEVEL = 37.0, 1.5, 0.66
# Beside the notice in the braid along the foot.
_NOTICE_GAP = 1.2


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
        _, room = self.bands[1].columns(2 * (_MEDALLION + _BESIDE) + 0.7, 0)
        return room

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
    order = _order(title, piece_id)
    return style.ink(f"money.{order % _COLOURS}")


def _underprint(note: _Note) -> Items:
    """Pale rosettes all over the note."""
    card, rings = note.card, (note.pattern.petals, note.pattern.heart)
    veil = note.underprint("veil", rings, 21.0, note.veil)
    middle = card.height / 2
    veils = (centred(veil, card.width * 0.66, middle), centred(veil, card.width, middle))
    return (note.frame.clipped(veils),)


def _frame(note: _Note) -> Items:
    """A double line, and a braid along the head and the foot with the value at its right end; at
    the foot, a notice before the value."""
    card, (head, _, foot) = note.card, note.bands
    fine, notice = card.type("money.fine"), card.style.words(map_words("prototype"))
    value = fit(note.figures, card.type("money.corner"), _TABLET - 2.0)
    # As wide as it needs in its smallest type.
    wide = max(_TABLET, text_width(note.figures, value) + 2.0)
    point = _BAND / 2
    # On a low note the rosette lies on the braids.
    down = foot.y - card.height / 2
    lying = math.sqrt(max(0, (_MEDALLION + _NOTICE_GAP) ** 2 - down**2))
    room = foot.width - wide - point - _BESIDE - _MEDALLION - lying
    words = min(text_width(notice, fine) + 2 * _NOTICE_GAP, room)
    pale, edge = mix(note.ground, note.line, 0.14), card.stroke(note.line, 0.25)
    items: list[Item] = [
        note.frame.plate(stroke=card.stroke(note.line, 0.45)),
        note.frame.inset(-0.7).plate(stroke=card.stroke(note.line, _LINE_MM)),
    ]
    for part, band, inner in (("head", head, 1), ("foot", foot, 0)):
        braid, imprint, _, tablet = band.columns(0, words, point, wide)
        if part == "head":
            braid = Box(band.x, band.y, imprint.right - band.x, band.height)
        tip = (tablet.x - point, tablet.middle[1])
        upper, lower = (tablet.right, tablet.y), (tablet.right, tablet.foot)
        shape = polygon_path((tip, (tablet.x, tablet.y), upper, lower, (tablet.x, tablet.foot)))
        items += [
            band.plate(pale),
            note.braid(f"braid:{part}", braid.inset(0, 0.35), note.line, line_mm=_LINE_MM),
            band.rule(edge, inner),
            Path(shape, fill=note.ink, stroke=card.stroke(note.ground, 0.3)),
            tablet.words(note.figures, value, WHITE, pad=1.0),
        ]
    return (*items, imprint.words(notice, fine, note.ink, pad=_NOTICE_GAP / 2))


def _medallion(note: _Note) -> Items:
    """The large rosette at the left with the value on the plate in its middle."""
    card, pattern = note.card, note.pattern
    x, y = note.rim + _MEDALLION + _BESIDE, card.height / 2
    rosette = note.rosette(
        "rosette", (pattern.rim, pattern.petals), _MEDALLION, note.line, line_mm=_LINE_MM
    )
    figures = lettered(
        note.figures, card.type("money.value"), note.ink, _PLATE - 1.3, _FIGURES, narrowest=0
    )
    rim, bold = card.stroke(note.line, 0.3), card.stroke(note.line, 0.5)
    return (
        Circle(x, y, _MEDALLION + 0.9, fill=note.ground, stroke=rim),
        Circle(x, y, _MEDALLION + 0.2, fill=mix(note.ground, note.line, 0.2)),
        centred(rosette, x, y),
        Circle(x, y, _PLATE, fill=WHITE, stroke=bold),
        Circle(x, y, _PLATE - 0.75, stroke=card.stroke(note.line, _LINE_MM)),
        Group(figures, matrix=translation(x, y)),
    )


def _words(note: _Note) -> Items:
    """The name of the game beside the medallion, and below it an engine on its track: the more the
    note is worth, the larger the engine."""
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
    count = max(1, len(note.title.pieces.money) - 1)
    grade = round(note.order * (CLASSES - 1) / count)
    length, height = locomotive_size(grade, _ENGINE_MM, style)
    # Drawn as large as it is printed, for its lines to be as wide as they must be.
    engine = locomotive_items(grade, _ENGINE_MM * card.unit_mm, style)
    head, free = room.rows(name.height, 0)
    middle, rail = room.middle[0], free.y + (free.height - height) * _LEVEL + height
    reach = min(_ENGINE_MM / 2 + _TRACK, room.width / 2 - _TRACK)
    steel = Stroke(ink, max(0.3, 0.1 / card.unit_mm))
    ties = Stroke(ink, 0.8, dash=(0.5, 0.9))
    track = Box(middle - reach, rail, 2 * reach, 0)
    lines = ((track.inset(0, -0.55), ties), (track.inset(0, -0.15), steel))
    place = multiply(translation(middle - length / 2, rail), scaling(1 / card.unit_mm))
    return (
        *name.paint(middle - name.width / 2, head.y),
        *(replace(box.rule(stroke), role=Role.SYMBOL) for box, stroke in lines),
        Group(engine, matrix=place),
    )
