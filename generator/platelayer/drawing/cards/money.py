"""Bank notes: each value has engine-turned rosettes, a colour and an engine of its own."""

from __future__ import annotations

from platelayer.drawing.kit.card import Engraved, design_card
from platelayer.drawing.kit.lettering import balanced, ink_height, one_line, title_lines
from platelayer.drawing.kit.ornament import centred, pattern_of
from platelayer.drawing.kit.rich_text import set_lines
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.locomotive import CLASSES, locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import WHITE, Ink, contrast, mix
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    boxed,
    multiply,
    polygon_path,
    rectangle_path,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, set_centred, set_line, text_width

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
# Leading of the notice at the foot, and from its letters to the rail; as much is free beside that.
_NOTICE_LEADING, _ABOVE_NOTICE = 1.05, 1.4
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
    def medallion(self) -> float:
        """Radius of the large rosette."""
        return max(_MEDALLION, min(_LARGE_MEDALLION, self.card.height / 2 - _CLEAR))


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
        *_vignette(note),
    )
    return card.scene(f"money:{piece_id}", note.figures, items)


def _order(title: Title, piece_id: str) -> int:
    """The place of a value among those of the box. Raises KeyError."""
    values = sorted(value for value, _ in title.pieces.money)
    return {str(value): index for index, value in enumerate(values)}[piece_id]


def note_ink(title: Title, piece_id: str, style: Style) -> Ink:
    """The ink of a value's notes."""
    return style.ink(f"money.{_order(title, piece_id) % _COLOURS}")


def _underprint(note: _Note) -> tuple[Item, ...]:
    """Pale rosettes all over the note."""
    card, rings = note.card, (note.pattern.petals, note.pattern.heart)
    veil = note.underprint("veil", rings, 21.0, note.veil)
    b = card.bleed
    clip = rectangle_path(-b, -b, card.width + 2 * b, card.height + 2 * b)
    middle = card.height / 2
    veils = (centred(veil, card.width * 0.66, middle), centred(veil, card.width, middle))
    return (Group(items=veils, clip=clip),)


def _frame(note: _Note) -> tuple[Item, ...]:
    """A double line, and a braid along the head and the foot."""
    card = note.card
    line = card.stroke(note.line, _LINE_MM)
    length = card.width - 2 * note.rim
    braid = note.braid("braid:level", length, _BAND / 2 - 0.35, note.line, line_mm=_LINE_MM)
    items: list[Item] = [
        Path(commands=card.inset(note.rim), stroke=card.stroke(note.line, 0.45)),
        Path(commands=card.inset(note.rim - 0.7), stroke=line),
    ]
    pale, edge = mix(note.ground, note.line, 0.14), card.stroke(note.line, 0.25)
    for top in (note.rim, card.height - note.rim - _BAND):
        inner = top + _BAND if top == note.rim else top
        items += [
            Path(commands=rectangle_path(note.rim, top, length, _BAND), fill=pale),
            Group(items=(centred(braid, card.width / 2, top + _BAND / 2),)),
            Path(
                commands=(("M", note.rim, inner), ("L", card.width - note.rim, inner)), stroke=edge
            ),
        ]
    return tuple(items)


def _medallion(note: _Note) -> tuple[Item, ...]:
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
        Circle(cx=x, cy=y, r=note.medallion + 0.9, fill=note.ground, stroke=rim),
        Circle(cx=x, cy=y, r=note.medallion + 0.2, fill=mix(note.ground, note.line, 0.2)),
        centred(rosette, x, y),
        Circle(cx=x, cy=y, r=plate, fill=WHITE, stroke=bold, role=Role.ORNAMENT),
        Circle(cx=x, cy=y, r=plate - 0.75, stroke=line, role=Role.ORNAMENT),
        *set_centred(note.figures, type_style, _deep(note), x, y, over=(Role.ORNAMENT,)),
    )


def _deep(note: _Note) -> Ink:
    """The ink of the note, dark enough to be read anywhere on it."""
    ink = note.line
    while contrast(ink, note.veil) < 4.6 and ink.rgb != (0.0, 0.0, 0.0):
        ink = mix(ink, note.card.style.ink("black"), 0.15)
    return ink


def _middle(note: _Note) -> float:
    """The middle of the room beside the medallion."""
    left = note.rim + 2 * note.medallion + 7.5
    return (left + note.card.width - note.rim) / 2


def _words(note: _Note) -> tuple[Item, ...]:
    """The name of the game above the vignette; values in the right corners, a notice at the
    foot."""
    card, style = note.card, note.card.style
    ink, x = _deep(note), _middle(note)
    room = card.width - note.rim - x
    small, large = title_lines(style.words(note.title.name))
    y = note.rim + _BAND
    items: list[Item] = []
    type_style = card.type("money.small")
    if small:
        type_style, small = one_line(small, type_style, 1.8 * room)
        y += max(3.9, rise_mm(small, type_style) + 1.6)
        items += set_line(small, type_style, ink, x, y, anchor=Anchor.MIDDLE)
    low = ink_height(small, type_style)[0] if small else 0.0
    type_style, large = one_line(large, card.type("money.name"), 1.8 * room)
    y += max(4.1, ink_height(large, type_style)[1] - low + 0.2) if small else 0.0
    y += 0.0 if small else max(3.9, rise_mm(large, type_style) + 1.6)
    items += set_line(large, type_style, ink, x, y, anchor=Anchor.MIDDLE)
    corner = card.type("money.corner")
    for top in (note.rim, card.height - note.rim - _BAND):
        items += _tablet(note, card.width - note.rim, top + _BAND / 2, corner)
    fine, lines, top = _notice(note)
    first, leading = top + rise_mm(lines[0], fine), _NOTICE_LEADING
    items += set_lines(lines, fine, ink, x, first, leading=leading, anchor=Anchor.MIDDLE)
    return tuple(items)


def _notice(note: _Note) -> tuple[TypeStyle, tuple[str, ...], float]:
    """The notice at the foot, on two lines where one is too narrow for its smallest type, and where
    it begins."""
    room = note.card.width - note.rim - _middle(note)
    words, own = note.card.style.words(map_words("prototype")), note.card.type("money.fine")
    fine, lines = balanced(words, own, 1.7 * room, 2)
    below = (len(lines) - 1) * _NOTICE_LEADING * fine.size_mm
    return fine, lines, note.card.height - note.rim - _BAND - 1.2 - below - rise_mm(lines[0], fine)


def _tablet(note: _Note, right: float, y: float, type_style: TypeStyle) -> tuple[Item, ...]:
    """The value in white on a solid tablet at the end of a braid, as wide as it needs in its
    smallest type."""
    card, half = note.card, _BAND / 2
    type_style = fit(note.figures, type_style, _TABLET - 2.0)
    wide = max(_TABLET, text_width(note.figures, type_style) + 2.0)
    left = right - wide
    shape = polygon_path(
        ((left - half, y), (left, y - half), (right, y - half), (right, y + half), (left, y + half))
    )
    figures = set_centred(note.figures, type_style, WHITE, (left + right) / 2, y)
    return (
        Path(commands=shape, fill=_deep(note), stroke=card.stroke(note.ground, 0.3)),
        boxed(figures, left, y - half, wide, 2 * half),
    )


def _vignette(note: _Note) -> tuple[Item, ...]:
    """An engine on its track: the more the note is worth, the larger the engine."""
    card, style = note.card, note.card.style
    x, rail = _middle(note), _notice(note)[2] - _ABOVE_NOTICE
    count = max(1, len(note.title.pieces.money) - 1)
    grade = round(note.order * (CLASSES - 1) / count)
    length, _ = locomotive_size(grade, _ENGINE_MM, style)
    # Drawn as large as it is printed, for its lines to be as wide as they must be.
    engine = locomotive_items(grade, _ENGINE_MM * card.unit_mm, style)
    place = multiply(translation(x - length / 2, rail), scaling(1 / card.unit_mm))
    reach = min(_ENGINE_MM / 2 + 2.0, card.width - note.rim - x - _ABOVE_NOTICE)
    steel = Stroke(ink=_deep(note), width_mm=max(0.3, 0.1 / card.unit_mm))
    ties = Stroke(ink=_deep(note), width_mm=0.8, dash=(0.5, 0.9))
    items: list[Item] = []
    for level, stroke in ((rail + 0.55, ties), (rail + 0.15, steel)):
        line = (("M", x - reach, level), ("L", x + reach, level))
        items.append(Path(commands=line, stroke=stroke, role=Role.SYMBOL))
    return (*items, Group(items=engine, matrix=place))
