"""Cards with little text (destinations, numbers, priority), round markers, and bank notes. Each
value of note has its own engine-turned rosettes, colour and engine."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from platelayer.drawing.company.roundel import lettered
from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.layout import (
    Box,
    line_block,
    line_path,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, ink_height, title_lines, wrap_even
from platelayer.drawing.kit.ornament import centred, pattern_of, rosette_scene
from platelayer.drawing.kit.parts import diamonds, key_edge, tile_ink
from platelayer.drawing.kit.style import BLEED_MM, Style, darkened, is_read
from platelayer.drawing.kit.surfaces import (
    LINE_MM,
    Card,
    Engraved,
    card_scene,
    design_card,
    frames,
    trimmed,
)
from platelayer.drawing.map.map_tile import rose_items
from platelayer.drawing.train.locomotive import (
    CLASSES,
    engine_block,
    hill_items,
    locomotive_items,
    locomotive_size,
    rail_items,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import CARD_SAFE_MM, Piece, piece_size
from platelayer.model.title import DestinationCard, Title
from platelayer.scene.inks import WHITE, Ink, contrast, ink_from_hex, luminance, mix, readable_on
from platelayer.scene.legibility import MIN_CONTRAST, MIN_PLAY_PT
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Stroke,
    circle_path,
    multiply,
    polygon_path,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, rise_mm, text_width

card_words = FixedWords("cards")
map_words = FixedWords("map")
atlas_words = FixedWords("atlas")

_DESIGN = (88.0, 63.0)
_SAFE_MM = 3.2
# Margin at the left and right; height of the red head, and the width of its compass rose.
_SIDE, _HEAD, _ROSE = 6.0, 17.5, 28.0


def draw_destination_card(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the destination card with this id: the head, a box for each colour below its name, and a
    note. A card without values has empty boxes to fill in. Raises KeyError."""
    printed = {card.id: card for card in title.pieces.destination_cards}[piece_id]
    size = piece_size(title, "destination-card", piece_id)
    card = design_card(size, style, design=_DESIGN, safe_mm=_SAFE_MM)
    small = card.type("destination.note")
    below = card.safe + small.size_mm * 0.3
    head, _, names, boxes, foot, _ = card.box.inset(_SIDE, 0).rows(_HEAD, 2.8, 6.8, 21.0, 0, below)
    key = "destination_note" if printed.revenue else "destination_blank"
    words = style.words(printed.note or atlas_words(key))
    lines, soft = wrap_even(words, small, foot.width), style.ink("card.soft")
    text = text_block(lines, small, soft, foot.width, leading=1.2)
    # A short note is centred in the area at the foot.
    note = text.sized(foot.width, max(text.height, 6.5))
    items = (
        card.ground(style.ink("card.ground")),
        *_destination_head(title, printed, card, head),
        *_destination_boxes(title, printed, card, names, boxes),
        *note.paint(foot.x, foot.foot - note.height),
    )
    return card.scene(f"destination-card:{piece_id}", piece_id, items)


def _destination_head(title: Title, printed: DestinationCard, card: Card, head: Box) -> Items:
    """Draw the heading, the letter of the card and the name of the game on the red of destinations,
    with a compass rose beside them."""
    style, b = card.style, card.bleed
    red = style.ink("tile.red")
    ink = readable_on(red)
    words = style.words(atlas_words("destination_head"))
    if printed.revenue:
        words = f"{words} {printed.id}"
    beside, _ = head.columns(0, _ROSE - 2.0 - _SIDE)
    rose = Box(card.width - _ROSE, 0, _ROSE, _HEAD)
    large, small = card.type("destination.head"), card.type("destination.game")
    names = stacked(
        line_block(words, large, ink, beside.width),
        line_block(style.words(title.name), small, ink, beside.width, rise=lambda *_: 4.4),
        align=Anchor.START,
    )
    plate = Box(-b, -b, card.width + 2 * b, _HEAD + b)
    rays = rose.centred(shape_block(rose_items(29.0, style), 29.0))
    return (
        plate.plate(red),
        Group((rays,), clip=plate.path()),
        Box(-b, _HEAD, plate.width, 0.7).plate(style.ink("map.red.line")),
        beside.centred(names, Anchor.START, level=1, down=3.7),
    )


def _destination_boxes(
    title: Title, printed: DestinationCard, card: Card, names: Box, boxes: Box
) -> Iterator[Item]:
    """Draw a box for each colour, with its name above and its value, in large type, inside."""
    style = card.style
    values = [title.money(paid.value) for paid in printed.revenue] or [""] * len(title.colours)
    colours = [paid.since or "white" for paid in printed.revenue] or title.colours
    columns = [0] * len(colours)
    cells = zip(names.columns(*columns, gap=2.2), boxes.columns(*columns, gap=2.2), strict=True)
    edge = card.stroke(style.ink("card.accent"), 0.35)
    large = card.type("destination.value")
    for (above, box), colour, value in zip(cells, colours, values, strict=True):
        name, fill = style.named(colour, map_words.table("colours")), tile_ink(colour, style)
        yield above.words(name, card.type("destination.colour"), style.ink("card.text"))
        yield box.plate(fill, key_edge(colour, style, edge), radius=1.6, role=Role.SYMBOL)
        if value:
            # All values have the size that fits the widest.
            size = min(fit(each, large, box.width - 3.0).size_pt for each in values)
            yield box.words(value, large.at(size), readable_on(fill), over=(Role.SYMBOL,))
        else:
            hair = card.stroke(style.ink("card.accent"), 0.15)
            yield box.inset(2.2, 4.2).plate(style.ink("card.ground"), hair, radius=0.8)


_FRAME_MM = CARD_SAFE_MM + 2.4
_LARGEST_CLASS_NUMBER = 6


def draw_number_card(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the card with the number `piece_id` in the title's size for number cards, upright or
    across. A frame contains the game's name, a rule, the number, as large as possible, and an
    engine that grows with the number."""
    size = piece_size(title, "number-card", piece_id)
    ink = style.ink("card.accent")
    card = trimmed(size)
    inner = card.inset(_FRAME_MM)
    words, game = style.words(title.name), style.type("card.game")
    game, lines = balanced(words, game, inner.width - 4.0, 2, clip=True)
    name = text_block(lines, game, ink, leading=1.1)
    # The engine grows with the rank of the number among those of the title.
    numbers, long = title.pieces.number_cards, inner.width - 5.0
    known = piece_id.isdecimal() and int(piece_id) in numbers
    rank = numbers.index(int(piece_id)) if known else 0
    grade = round(rank * (CLASSES - 1) / max(_LARGEST_CLASS_NUMBER - 1, len(numbers) - 1))
    _, tallest = locomotive_size(CLASSES - 1, long, style)
    head, room, _ = inner.rows(1.2 + name.height + 2.2, 0, tallest + 2.6)
    figures = style.type("card.number")
    low, high = ink_height(piece_id, figures)
    grown = min(
        room.height * 0.8 / (high - low), (room.width - 3.0) / text_width(piece_id, figures)
    )
    figures = figures.at(max(figures.min_pt, round(figures.size_pt * grown, 1)))
    rule_mm = min(18.0, inner.width * 0.6)
    items = (
        *frames(card, style),
        head.centred(name, level=0, down=1.2),
        *diamonds(inner.middle[0], room.y, rule_mm, style.ink("card.gold")),
        inner.centred(engine_block(grade, long, style), level=1, down=2.6),
        room.centred(text_block((piece_id,), figures, ink, by_ink=True)),
    )
    return card_scene(f"number-card:{piece_id}", piece_id, size, items, style)


_CLASS = 5
_LEADING = 1.15
_MARGIN_MM = CARD_SAFE_MM + 1.4


def draw_priority_card(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the card of the player who acts first, in the title's size for priority cards: an
    express engine or a picture of the title, then the words, a rule and a note."""
    size = piece_size(title, "priority-card", piece_id)
    ink, words = style.ink("card.accent"), style.words(card_words("priority"))
    card = trimmed(size)
    inner = card.inset(_MARGIN_MM)
    small = style.type("card.body")
    lines = wrap_even(style.words(card_words("priority_note")), small, inner.width - 4.0)
    note = text_block(lines, small, style.ink("card.text"), leading=_LEADING)
    big, names = balanced(words, style.type("card.banner"), inner.width - 6.0, 3, several=0.8)
    name = text_block(names, big, ink, leading=_LEADING, rise=rise_mm)
    _, scene, head, foot = inner.rows(1.6, 0, 2.6 + name.height + 3.0, 1.9 + note.height + 2.2)
    items: list[Item] = []
    picture = title.pieces.priority_picture
    if picture is None:
        hills = hill_items(card.x, card.right, scene.foot + 0.15, 1.0, style)
        track = rail_items(card.x, card.right, scene.foot, style)
        items.append(Group((*hills, *track), clip=inner.inset(-0.6, 0).path()))
    items += frames(card, style)
    if scene.height > 0:
        side = min(inner.width - 3.2, scene.height)
        full = min(inner.width * 0.82, scene.height / locomotive_size(_CLASS, 1.0, style)[1])
        if picture is not None:
            drawing = shape_block(picture_items(picture, side * math.sqrt(2), ink, style), side)
        else:
            drawing = engine_block(_CLASS, full, style)
        items.append(scene.centred(drawing, level=1 if picture is None else 0.5))
    items += (
        head.centred(name, level=0, down=2.6),
        *diamonds(inner.middle[0], head.foot, min(34.0, inner.width * 0.7), style.ink("card.gold")),
        foot.centred(note, level=0, down=1.9),
    )
    return card_scene(f"priority-card:{piece_id}", words, size, items, style)


_MARKER_SAFE_MM = 1.2
# Levels of a small head and of the text below it, as shares of the radius; the head's size in
# points per mm of radius.
_ON_HEAD, _BELOW_HEAD, _HEAD_PT = 0.52, 1.16, 1.15

# Inner and outer rim of the lace around a single letter, as shares of the radius.
_LACE = (0.69, 0.83)
# Diagonal of a picture, as a share of the radius.
_PICTURE = 1.56
# Class of the locomotive; its width, and half that of the rail, as shares of the radius.
_ENGINE, _ENGINE_WIDE, _RAIL = 1, 9 / 7, 0.74
# Minimum contrast of a field to white paper without a rim; width of the rim for paler fields.
_PALE, _EDGE_MM = 1.5, 0.35


def draw_marker_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back of a marker: the same as its front, or in reversed colours with its own
    text."""
    return draw_marker(title, piece.id, style, back=True)


def draw_marker(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the marker `piece_id`, a disc or square in the title's size for markers, or its back:
    the same, or in reversed colours with its own text. Raises KeyError for an unknown marker.

    A marker without text shows a locomotive, which needs a light colour.
    """
    marker = {marker.id: marker for marker in title.pieces.markers}[piece_id]
    diameter = piece_size(title, "marker", piece_id).width_mm
    r = diameter / 2
    field = ink_from_hex(marker.colour)
    ink = ink_from_hex(marker.text_colour)
    text = marker.text
    if back and marker.back:
        field, ink, text = ink, field, marker.back
    pale = contrast(field, WHITE) < _PALE
    if pale:
        field = min(field, style.ink("roundel.cream"), key=luminance)
    if contrast(ink, field) < MIN_CONTRAST or not is_read(ink, field, style.press):
        ink = darkened(ink, field, MIN_CONTRAST, style.press) if pale else style.ink_on(field)
    # A pale field has a rim.
    beyond, inside = (ink, _EDGE_MM) if pale else (field, -BLEED_MM)
    rim, outline = Stroke(ink, max(0.1, r * 0.045)), circle_path(r, r, r)
    items: list[Item] = [
        Circle(r, r, r + BLEED_MM, fill=beyond),
        Circle(r, r, r - inside, fill=field),
        Circle(r, r, r * 0.87, stroke=rim),
    ]
    if marker.square:
        side = Box(0, 0, diameter, diameter)
        outline = side.path()
        items = [
            side.inset(-BLEED_MM).plate(beyond),
            side.inset(inside).plate(field),
            side.inset(r * 0.13).plate(stroke=rim),
        ]
    if marker.picture is not None and text == marker.text:
        picture = picture_items(marker.picture, r * _PICTURE, ink, style)
        items.append(Group(picture, matrix=translation(r, r)))
    elif text:
        items += _words(text, marker.head, r, ink, style)
    else:
        # A locomotive on a rail in the middle of a disc of radius `r`.
        length, height = locomotive_size(_ENGINE, 10.0, style)
        scale = r * _ENGINE_WIDE / length
        foot = r + height * scale / 2
        rail = Stroke(ink, max(0.1, r * 0.05))
        track = line_path((r - r * _RAIL, foot), (r + r * _RAIL, foot), rail)
        engine = locomotive_items(_ENGINE, 10.0 * scale, style, silhouette=ink)
        at = translation(r * (1 - _ENGINE_WIDE / 2), foot)
        items += (replace(track, role=Role.ORNAMENT), Group(engine, matrix=at))
    return Scene(
        f"marker:{piece_id}{':back' if back else ''}",
        diameter,
        diameter,
        tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=_MARKER_SAFE_MM,
        outline=outline,
        label=style.words(marker.name),
    )


def _words(text: str, head: str, r: float, ink: Ink, style: Style) -> Iterator[Item]:
    """Draw a text below a small head, as large as a disc of radius `r` allows; a long one on
    several lines."""
    type_style = style.type("card.marker").beside(text)
    wide, tall = 1.2 * r, (0.82 if head else 0.98) * r
    largest = type_style.at(tall * type_style.size_pt / type_style.cap_height_mm)
    fitted, lines = balanced(text, largest, wide, 3, several=0.5, clip=True)
    block = text_block(lines, fitted, ink, leading=1, by_ink=True)
    level = r * (_BELOW_HEAD if head else 1)
    corner = math.hypot(block.width / 2, block.height / 2 + level - r)
    laced = not head and len(text) == 1
    reach = (_LACE[0] - 0.03) * r if laced else r - _MARKER_SAFE_MM
    share = min(1, tall / block.height, reach / corner)
    if laced:
        ring = replace(pattern_of(text, style.motif).small, inner=_LACE[0], outer=_LACE[1])
        key, stroke = f"lace:{text}:{r:.12g}:{ink.hex}", Stroke(ink, LINE_MM)
        yield centred(rosette_scene(key, (ring,), r, stroke, Role.ORNAMENT), r, r)
    if share < 1:
        fitted = fitted.at(round(fitted.size_pt * share - 0.05, 1))
        block = text_block(lines, fitted, ink, leading=1, by_ink=True)
    yield from block.paint(r - block.width / 2, level - block.height / 2)
    if head:
        small = type_style.at(max(MIN_PLAY_PT, round(_HEAD_PT * r, 1))).beside(head)
        high = r * (1 - _ON_HEAD) + 0.6 * small.size_mm
        chord = 2 * math.sqrt(max(0.1, (r - _MARKER_SAFE_MM) ** 2 - high**2))
        name = line_block(head, small, ink, chord)
        yield from name.paint(r - name.width / 2, r * _ON_HEAD - name.height / 2)


# Bank notes.


_NOTE_DESIGN = (94.0, 49.0)
_COLOURS = 8
_LINE_MM = 0.11
# Distance from the trim to the frame in design units, and its minimum on paper.
_RIM, _LEAST_RIM_MM = 3.2, 3.22
_TABLET = 13.0
# Height of the braids along the long sides.
_BAND = 4.6
# Radius of the large rosette and of the plate in it; height of the figures on the plate.
_MEDALLION, _PLATE, _FIGURES = 17.8, 13.6, 10.5
# Distance from the frame to the large rosette.
_BESIDE = 3.4
# Length of the longest engine; overhang of its track; level of the engine in the free height.
_ENGINE_MM, _TRACK, _LEVEL = 37.0, 1.5, 0.66
# Gap beside the notice in the braid along the foot.
_NOTICE_GAP = 1.2


class _Note(Engraved, frozen=True, kw_only=True):
    """Note: its value, the index of the value among those in the box, and the inks of its lines,
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
        """Distance from the trim to the frame; on small notes large enough to keep the words in the
        corners inside the safe zone."""
        return max(_RIM, _LEAST_RIM_MM / self.card.unit_mm)

    @property
    def frame(self) -> Box:
        """The area inside the frame."""
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
        """Ink of the note, dark enough to be readable anywhere on it."""
        ink = self.line
        while contrast(ink, self.veil) < 4.6 and ink.rgb != (0, 0, 0):
            ink = mix(ink, self.card.style.ink("black"), 0.15)
        return ink


def draw_money(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the note with the value `piece_id`. Each value has its own colour and curves, and an
    engine that grows with the value. Raises KeyError for a value that the box does not have."""
    order = _order(title, piece_id)
    size = piece_size(title, "money", piece_id)
    card = design_card(size, style, design=_NOTE_DESIGN, safe_mm=_SAFE_MM)
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
        *_name_and_engine(note),
    )
    return card.scene(f"money:{piece_id}", note.figures, items)


def _order(title: Title, piece_id: str) -> int:
    """Return the index of a value among those in the box, in ascending order. Raises KeyError."""
    values = sorted(value for value, _ in title.pieces.money)
    return {str(value): index for index, value in enumerate(values)}[piece_id]


def note_ink(title: Title, piece_id: str, style: Style) -> Ink:
    """Return the ink of a value's notes."""
    order = _order(title, piece_id)
    return style.ink(f"money.{order % _COLOURS}")


def _underprint(note: _Note) -> Items:
    """Draw pale rosettes all over the note."""
    card, rings = note.card, (note.pattern.petals, note.pattern.heart)
    veil = note.underprint("veil", rings, 21.0, note.veil)
    middle = card.height / 2
    veils = (centred(veil, card.width * 0.66, middle), centred(veil, card.width, middle))
    return (note.frame.clipped(veils),)


def _frame(note: _Note) -> Items:
    """Draw a double line, and a braid along the head and the foot with the value at its right end;
    at the foot, a notice precedes the value."""
    card, (head, _, foot) = note.card, note.bands
    fine, notice = card.type("money.fine"), card.style.words(map_words("prototype"))
    value = fit(note.figures, card.type("money.corner"), _TABLET - 2.0)
    # The tablet grows for a value that is too wide even in its smallest type.
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
    """Draw the large rosette at the left with the value on the plate in its middle."""
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


def _name_and_engine(note: _Note) -> Items:
    """Draw the name of the game beside the medallion, and below it an engine on its track, which is
    larger for larger values."""
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
    # Draw the engine at print size, so that its lines are thick enough.
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
