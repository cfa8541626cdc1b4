"""Backs of cards: engraved curves round an emblem, with the game's name below it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kinds import drawer
from platelayer.drawing.kit.guilloche import braid_scene, centred, pattern_of, rosette_scene
from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.lettering import balanced, line_step
from platelayer.drawing.kit.ornament import plate_path, sign_items, wheel
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import CLASSES, locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.units import pt_from_mm
from platelayer.model.kinds import KINDS
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, contrast, luminance, mix
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Matrix,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    multiply,
    rectangle_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import fit, rise_mm, set_centred, text_width

back_words = FixedWords("backs")

Emblem = Callable[[float, Style], tuple[Item, ...]]
"""A picture round (0, 0) for a disc of that radius in mm."""

_FULL_MM = 63.0
"""Shorter side of a card whose ornament is drawn in full size."""
_LINE_MM = 0.1
_BAND = 3.4
_MEDALLION = 12.5
_DESCENT = 0.25
"""How far letters reach below their line, in ems."""
_DARKEST = 0.035
"""Least luminance of a large area."""


class CardBack(Struct, frozen=True, kw_only=True):
    """What the back of a card is drawn from. Lengths in mm; `pattern` names its curves, `turned`
    turns it a quarter clockwise, as the back of a front that was turned anticlockwise."""

    key: str
    label: str
    width: float
    height: float
    bleed: float
    safe: float
    turned: bool
    ground: Ink
    pattern: str
    head: str
    foot: str
    emblem: Emblem


def draw_card_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The back that all cards of a kind and size have in common; privates also by what the title
    calls their sort."""
    size = title.pieces.size(piece.kind, piece.id, piece.size)
    kind = KINDS[piece.kind]
    sort = kind.words_behind
    if piece.kind == "private":
        company = title.private(piece.id)
        sort = company.class_name or back_words.table("back").get(company.kind.value, sort)
    picture = title.pieces.priority_picture if piece.kind == "priority-card" else None
    said = style.words(title.name), style.words(sort), picture
    return _common_back(title.id, piece.kind, (size.width_mm, size.height_mm), said, style)


@lru_cache(maxsize=32)
def _common_back(
    title_id: str,
    kind_id: str,
    size: tuple[float, float],
    said: tuple[str, str, str | None],
    style: Style,
) -> Scene:
    """Drawn once for all cards that share it. `said` is the game's name and the kind's, and the
    picture that takes the place of the kind's emblem."""
    width, height = size
    name, what, picture = said
    kind = KINDS[kind_id]
    emblem: Emblem = drawer(kind.emblem) if kind.emblem else _wheel
    if picture is not None:
        emblem = partial(_picture, picture)
    return card_back_scene(
        CardBack(
            key=f"back:{kind_id}:{width:g}x{height:g}:{what}",
            label=f"{name}: {what}",
            width=width,
            height=height,
            bleed=BLEED_MM,
            safe=kind.safe_mm,
            turned=kind.read_across and height > width,
            ground=style.theme.inks.get(f"back.{kind_id}") or style.ink("back.wheel"),
            pattern=title_id,
            head=name,
            foot=what,
            emblem=emblem,
        ),
        style,
    )


def _picture(name: str, radius: float, style: Style) -> tuple[Item, ...]:
    return picture_items(name, 2 * radius, style.ink("card.accent"), style)


def draw_money_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The back of a note: its value on the medallion, in its own colour."""
    from platelayer.drawing.cards.money import note_ink

    size = title.pieces.size("money", piece.id)
    value = title.money(int(piece.id))
    return card_back_scene(
        CardBack(
            key=f"{piece.key}:back",
            label=value,
            width=size.width_mm,
            height=size.height_mm,
            bleed=BLEED_MM,
            safe=KINDS["money"].safe_mm,
            turned=size.height_mm > size.width_mm,
            ground=style.theme.inks.get("back.money") or note_ink(title, piece.id, style),
            pattern=f"note {piece.id}",
            head=style.words(title.name),
            foot=style.words(KINDS["money"].words_behind),
            emblem=lambda radius, style: _figures(value, radius, style),
        ),
        style,
    )


def draw_charter_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The back of a company's charter: its roundel and name on its colour, in the engraving of its
    game."""
    from platelayer.drawing.company.inks import company_inks
    from platelayer.drawing.company.roundel import company_of, roundel_items

    company = company_of(title, piece.id)
    size = title.pieces.size("charter", piece.id, piece.size)
    return card_back_scene(
        CardBack(
            key=f"{piece.key}:back",
            label=style.words(company.name),
            width=size.width_mm,
            height=size.height_mm,
            bleed=BLEED_MM,
            safe=KINDS["charter"].safe_mm,
            turned=False,
            ground=style.theme.inks.get("back.charter")
            or _softened(company_inks(company, style).band, style),
            pattern=title.id,
            head=style.words(company.name),
            foot=style.words(title.name),
            emblem=lambda radius, style: roundel_items(company, 2 * radius * 0.9, style),
        ),
        style,
    )


def _softened(ground: Ink, style: Style) -> Ink:
    """A company's colour for a large area: nearly black colours are greyed, so that fine white
    lines do not fill in."""
    for share in (0.0, 0.1, 0.2):
        ink = mix(ground, style.ink("paper"), share)
        if luminance(ink) >= _DARKEST:
            return ink
    return ink


def card_back_scene(back: CardBack, style: Style) -> Scene:
    """The finished back; in a theme that saves ink a light one."""
    tint = style.theme.company_tint
    if tint and luminance(back.ground) < _LIGHT:
        back = replace(back, ground=mix(back.ground, style.ink("white"), tint))
    width, height = (back.height, back.width) if back.turned else (back.width, back.height)
    items = _Engraver(back, style, width, height).items()
    if back.turned:
        items = (Group(items=items, matrix=multiply(translation(back.width, 0.0), rotation(90))),)
    return Scene(
        key=back.key,
        width_mm=back.width,
        height_mm=back.height,
        items=items,
        bleed_mm=back.bleed,
        safe_mm=back.safe,
        label=back.label,
    )


_LIGHT = 0.5
"""Luminance of what is light enough where ink is saved."""


class _Engraver:
    """Draws one back, `width` x `height` mm as it is read; `k` is its size by that of a full
    card."""

    def __init__(self, back: CardBack, style: Style, width: float, height: float) -> None:
        self.back, self.style = back, style
        self.width, self.height = width, height
        self.k = min(1.6, min(width, height) / _FULL_MM)
        self.pattern = pattern_of(back.pattern, style.motif)
        self.plate, self.text = style.ink("back.plate"), style.ink("card.text")
        light = max((self.plate, self.text), key=lambda ink: contrast(ink, back.ground))
        self.lace, self.veil = mix(back.ground, light, 0.62), mix(back.ground, light, 0.26)
        self.gold = style.ink("back.gold")

    def items(self) -> tuple[Item, ...]:
        b = self.back.bleed
        ground = rectangle_path(-b, -b, self.width + 2 * b, self.height + 2 * b)
        return (
            Path(commands=ground, fill=self.back.ground),
            *self._field(),
            *self._frame(),
            *self._middle(),
        )

    def _stroke(self, ink: Ink, width_mm: float = _LINE_MM) -> Stroke:
        return Stroke(ink=ink, width_mm=width_mm)

    def _key(self, part: str) -> str:
        return f"{self.back.key}:{part}"

    def _inset(self, by: float) -> tuple[Command, ...]:
        return rectangle_path(by, by, self.width - 2 * by, self.height - 2 * by)

    @property
    def _rim(self) -> float:
        """From the trim to the frame: more than the error of a guillotine and a duplex printer."""
        return max(self.back.safe, 3.4 * self.k)

    def _field(self) -> tuple[Item, ...]:
        """Rosettes within the frame: a large one, and quarters of others in the corners."""
        band = self._rim + _BAND * self.k
        short = min(self.width, self.height)
        great, small = short * 0.62, short * 0.34
        veil = rosette_scene(
            self._key("veil"),
            (self.pattern.petals,),
            great,
            self._stroke(self.veil, 0.12),
            Role.GROUND,
        )
        corner = rosette_scene(
            self._key("corner"),
            (self.pattern.rim, self.pattern.heart),
            small,
            self._stroke(self.lace),
            Role.GROUND,
        )
        far_x, far_y = self.width - band, self.height - band
        places = ((band, band), (far_x, band), (far_x, far_y), (band, far_y))
        inner = (
            centred(veil, self.width / 2, self.height / 2),
            *(centred(corner, x, y) for x, y in places),
        )
        return (Group(items=inner, clip=self._inset(band)),)

    def _frame(self) -> tuple[Item, ...]:
        """Braids along the four sides between fine lines."""
        half = _BAND * self.k / 2
        middle = self._rim + half
        line = self._stroke(self.lace)
        across = braid_scene(
            self._key("braid:across"), self.pattern.wave, self.width - 2 * middle, half * 0.84, line
        )
        down = braid_scene(
            self._key("braid:down"), self.pattern.wave, self.height - 2 * middle, half * 0.84, line
        )
        items: list[Item] = []
        for y in (middle, self.height - middle):
            items.append(Use(scene=across, matrix=translation(middle, y - half * 0.84)))
        for x in (middle, self.width - middle):
            matrix: Matrix = multiply(translation(x + half * 0.84, middle), rotation(90))
            items.append(Use(scene=down, matrix=matrix))
        d = half * 0.9
        for x in (middle, self.width - middle):
            for y in (middle, self.height - middle):
                items.append(
                    Circle(
                        cx=x, cy=y, r=d, fill=self.back.ground, stroke=self._stroke(self.lace, 0.18)
                    )
                )
                items += self._stud(x, y, d)
        items += [
            Path(commands=self._inset(self._rim), stroke=self._stroke(self.lace, 0.35)),
            Path(
                commands=self._inset(self._rim + _BAND * self.k),
                stroke=self._stroke(self.lace, 0.2),
            ),
        ]
        return tuple(items)

    def _stud(self, x: float, y: float, radius: float) -> tuple[Item, ...]:
        """What stands in a corner of the frame: the sign of the motif, or a dot without one."""
        motif = self.style.motif
        if motif is None:
            return (Circle(cx=x, cy=y, r=radius * 0.45, fill=self.gold, role=Role.ORNAMENT),)
        return sign_items(motif, x, y, radius * 0.68, self.gold)

    def _middle(self) -> tuple[Item, ...]:
        """The emblem on a medallion, below it the words on a plate."""
        k, style = self.k, self.style
        room = self.width - 2 * (self._rim + _BAND * k) - 5.0 * k
        big = style.type("back.title")
        big = big.at(max(big.min_pt, big.size_pt * k))
        big, lines = balanced(self.back.head, big, room - 8.0 * k, 2, several=0.9)
        small = style.type("back.kind")
        small = small.at(max(small.min_pt, small.size_pt * k))
        lead, below = line_step(lines, big, 1.08), big.size_mm * _DESCENT
        # Words that are too long for one line take a second one where the card is high enough.
        spare = self.height - 2 * (self._rim + (_BAND + _MEDALLION) * k) - 14.0 * k
        spare -= rise_mm(lines[0], big) + lead * (len(lines) - 1) + below
        most = 2 if spare > 2.4 * small.size_mm else 1
        small, feet = balanced(self.back.foot, small, room - 8.0 * k, most, several=0.9, clip=True)
        step = line_step(feet, small, 1.08)
        rise, foot_rise = rise_mm(lines[0], big), rise_mm(feet[0], small) + step * (len(feet) - 1)
        tall = rise + lead * (len(lines) - 1) + below + foot_rise + 6.6 * k
        wide = max(
            *(text_width(line, big) for line in lines),
            *(text_width(line, small) * 1.1 for line in feet),
        )
        wide += 10.0 * k
        wide = min(room, max(wide, 34.0 * k))
        r, x = _MEDALLION * k, self.width / 2
        top = (self.height - (2 * r + tall + 2.0 * k)) / 2
        y, plate = top + r, top + 2 * r + 2.0 * k
        first = plate + 2.6 * k + rise - big.cap_height_mm / 2
        rule = first + lead * (len(lines) - 1) + big.cap_height_mm / 2 + below + 0.2 * k
        foot = plate + tall - 2.4 * k - small.cap_height_mm / 2
        ink = self.text
        items: list[Item] = [
            *self._medallion(x, y, r),
            *self._plate(x - wide / 2, plate, wide, tall),
        ]
        for number, line in enumerate(lines):
            items += set_centred(line, big, ink, x, first + number * lead)
        half = min(wide * 0.3, 14.0 * k)
        items.append(
            Path(
                commands=(("M", x - half, rule), ("L", x + half, rule)),
                stroke=self._stroke(self.gold, 0.2),
            )
        )
        for above, line in enumerate(reversed(feet)):
            items += set_centred(line, small, ink, x, foot - above * step)
        return tuple(items)

    def _medallion(self, x: float, y: float, r: float) -> tuple[Item, ...]:
        lace = rosette_scene(
            self._key("lace"),
            (self.pattern.rim, self.pattern.small),
            r * 1.42,
            self._stroke(self.lace),
            Role.ORNAMENT,
        )
        return (
            Circle(cx=x, cy=y, r=r * 1.42, fill=self.back.ground),
            centred(lace, x, y),
            Circle(cx=x, cy=y, r=r, fill=self.plate, stroke=self._stroke(self.gold, 0.5)),
            Circle(cx=x, cy=y, r=r * 0.93, stroke=self._stroke(self.gold, 0.12)),
            Group(items=self.back.emblem(r * 0.9, self.style), matrix=translation(x, y)),
        )

    def _plate(self, x: float, y: float, width: float, height: float) -> tuple[Item, ...]:
        k, motif = self.k, self.style.motif
        box, bite = (x, y, width, height), 2.2 * k
        return (
            Path(
                commands=plate_path(motif, box, bite),
                fill=self.plate,
                stroke=self._stroke(self.gold, 0.5),
            ),
            Path(
                commands=plate_path(motif, box, 0.82 * bite, inset=0.8 * k),
                stroke=self._stroke(self.gold, 0.12),
            ),
        )


def _wheel(radius: float, style: Style) -> tuple[Item, ...]:
    return wheel(0.0, 0.0, radius * 0.84, style.ink("back.wheel"))


def _figures(value: str, radius: float, style: Style) -> tuple[Item, ...]:
    """A value as large as the disc allows."""
    type_style = style.type("back.value")
    type_style = fit(
        value, type_style.at(max(type_style.min_pt, pt_from_mm(1.25 * radius))), 1.6 * radius
    )
    return set_centred(value, type_style, style.ink("back.wheel"), 0.0, 0.0)


def _engine(size_class: int) -> Emblem:
    """An engine of a class, on its rail in the middle of the disc."""

    def draw(radius: float, style: Style) -> tuple[Item, ...]:
        full = radius * 1.66
        long, tall = locomotive_size(size_class, full, style)
        full *= min(1.6, radius * 1.66 / long)
        long, tall = locomotive_size(size_class, full, style)
        rail = tall / 2
        line = Stroke(ink=style.ink("back.wheel"), width_mm=0.25)
        items = locomotive_items(size_class, full, style)
        return (
            Path(
                commands=(("M", -radius * 0.86, rail), ("L", radius * 0.86, rail)),
                stroke=line,
                role=Role.ORNAMENT,
            ),
            Group(items=items, matrix=translation(-long / 2, rail)),
        )

    return draw


oldest_engine, engine, newest_engine = _engine(0), _engine(2), _engine(CLASSES - 1)
