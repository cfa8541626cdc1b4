"""Backs of pieces. Cards have engraved curves around an emblem, with the game's name below; tiles,
map tiles and overlays have only what identifies the piece."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing import drawer
from platelayer.drawing.hex.ground import colour_ink, hex_polygon
from platelayer.drawing.hex.tile import SAFE, hex_trim, mirrored
from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    disc,
    line_block,
    rule_block,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced
from platelayer.drawing.kit.ornament import (
    Ring,
    braid_scene,
    centred,
    pattern_of,
    plate_path,
    rosette_scene,
    sign_items,
    wheel,
)
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import CLASSES, locomotive_items, locomotive_size
from platelayer.foundation.geometry import pt_from_mm
from platelayer.foundation.languages import FixedWords
from platelayer.model.gamemap import Layout
from platelayer.model.kinds import KINDS, Piece, piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, luminance, mix, readable_on
from platelayer.scene.shapes import (
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    middle_of,
    multiply,
    polygon_path,
    rotation,
    shifted,
    translation,
)
from platelayer.scene.typeset import (
    drop_mm,
    fit,
    rise_mm,
    set_centred,
)

back_words = FixedWords("backs")

# Function that draws a picture around (0, 0) for a disc of a radius in mm.
Emblem = Callable[[float, Style], Items]

# Shorter side of a card with full-size ornament.
_FULL_MM = 63.0
_LINE_MM = 0.1
_BAND = 3.4
_MEDALLION = 12.5
# Minimum room below a name, in ems.
_DESCENT = 0.25
# Minimum luminance of a large area, and of one that is light enough if ink is to be saved.
_DARKEST, _LIGHT = 0.035, 0.5


class CardBack(Struct, frozen=True, kw_only=True):
    """Contents of the back of a card. Lengths are in mm; `pattern` is the name of its curves;
    `turned` turns it a quarter clockwise, as the back of a front that was turned anticlockwise."""

    key: str
    label: str = ""
    size_mm: tuple[float, float]
    safe: float = 0
    turned: bool = False
    ground: Ink
    pattern: str
    head: str = ""
    foot: str = ""
    emblem: Emblem


def draw_card_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back shared by all cards of a kind and size; privates share it by class."""
    size = piece_size(title, piece.kind, piece.id, piece.size)
    kind = KINDS[piece.kind]
    sort = kind.words_behind
    if piece.kind == "private":
        company = title.private(piece.id)
        sort = company.class_name or back_words.table("back").get(company.kind.value, sort)
    picture = title.pieces.priority_picture if piece.kind == "priority-card" else None
    words = style.words(title.name), style.words(sort), picture
    return _common_back(title.id, piece.kind, (size.width_mm, size.height_mm), words, style)


@lru_cache(32)
def _common_back(
    title_id: str,
    kind_id: str,
    size_mm: tuple[float, float],
    words: tuple[str, str, str | None],
    style: Style,
) -> Scene:
    """Draw a back once for all cards that share it. `words` are the game's name, the kind's name,
    and the picture that replaces the kind's emblem, None for the emblem."""
    width, height = size_mm
    name, kind_name, picture = words
    kind = KINDS[kind_id]

    def emblem(radius: float, style: Style) -> Items:
        if picture is not None:
            return picture_items(picture, 2 * radius, style.ink("card.accent"), style)
        if kind.emblem:
            items: Items = drawer(kind.emblem)(radius, style)
            return items
        return wheel(0, 0, radius * 0.84, style.ink("back.wheel"))

    back = CardBack(
        key=f"back:{kind_id}:{width:g}x{height:g}:{kind_name}",
        label=f"{name}: {kind_name}",
        size_mm=size_mm,
        safe=kind.safe_mm,
        turned=kind.read_across and height > width,
        ground=style.theme.inks.get(f"back.{kind_id}") or style.ink("back.wheel"),
        pattern=title_id,
        head=name,
        foot=kind_name,
        emblem=emblem,
    )
    return card_back_scene(back, style)


def draw_money_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back of a note: its value on the medallion, in its own colour."""
    from platelayer.drawing.cards.small_cards import note_ink

    size = piece_size(title, "money", piece.id)
    value = title.money(int(piece.id))

    def figures(radius: float, style: Style) -> Items:
        """Draw the value as large as the disc allows."""
        own = style.type("back.value")
        largest = own.at(max(own.min_pt, pt_from_mm(1.25 * radius)))
        fitted = fit(value, largest, 1.6 * radius)
        return set_centred(value, fitted, style.ink("back.wheel"), 0, 0)

    back = CardBack(
        key=f"{piece.key}:back",
        label=value,
        size_mm=(size.width_mm, size.height_mm),
        safe=KINDS["money"].safe_mm,
        turned=size.height_mm > size.width_mm,
        ground=style.theme.inks.get("back.money") or note_ink(title, piece.id, style),
        pattern=f"note {piece.id}",
        head=style.words(title.name),
        foot=style.words(KINDS["money"].words_behind),
        emblem=figures,
    )
    return card_back_scene(back, style)


def draw_charter_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back of a company's charter: its roundel and name on its colour, with the engraving
    of its game."""
    from platelayer.drawing.company.roundel import company_inks, company_of, roundel_items

    company = company_of(title, piece.id)
    size = piece_size(title, "charter", piece.id, piece.size)
    ground = style.theme.inks.get("back.charter")
    if ground is None:
        # Lighten nearly black colours on a large area, so that fine white lines do not fill in.
        band, paper = company_inks(company, style).band, style.ink("paper")
        greyed = [mix(band, paper, share) for share in (0, 0.1, 0.2)]
        ground = next((ink for ink in greyed if luminance(ink) >= _DARKEST), greyed[-1])
    back = CardBack(
        key=f"{piece.key}:back",
        label=style.words(company.name),
        size_mm=(size.width_mm, size.height_mm),
        safe=KINDS["charter"].safe_mm,
        ground=ground,
        pattern=title.id,
        head=style.words(company.name),
        foot=style.words(title.name),
        emblem=lambda radius, style: roundel_items(company, 2 * radius * 0.9, style),
    )
    return card_back_scene(back, style)


def light_ground(ground: Ink, style: Style) -> Ink:
    """Return the ground of a large area, lightened in a theme that saves ink."""
    tint = style.theme.company_tint
    dark = tint and luminance(ground) < _LIGHT
    return mix(ground, style.ink("white"), tint) if dark else ground


def card_back_scene(back: CardBack, style: Style) -> Scene:
    """Draw a back from its contents."""
    back = replace(back, ground=light_ground(back.ground, style))
    width, height = back.size_mm
    trim = Box(0, 0, height, width) if back.turned else Box(0, 0, width, height)
    engraver = Engraver(back, style, trim)
    sheet = trim.inset(-BLEED_MM).plate(back.ground)
    items: Items = (sheet, *engraver.frame(), engraver.middle())
    if back.turned:
        items = (Group(items, matrix=multiply(translation(width, 0), rotation(90))),)
    return Scene(
        back.key,
        width,
        height,
        items,
        bleed_mm=BLEED_MM,
        safe_mm=back.safe,
        label=back.label,
    )


class Engraver:
    """Engraver of one back, in its trim as it is read; `k` is its size relative to a full-size
    card."""

    def __init__(self, back: CardBack, style: Style, trim: Box) -> None:
        self.back, self.style, self.trim = back, style, trim
        self.short = min(trim.width, trim.height)
        self.k = min(1.6, self.short / _FULL_MM)
        self.pattern = pattern_of(back.pattern, style.motif)
        self.plate, self.text = style.ink("back.plate"), style.ink("card.text")
        light = readable_on(back.ground, self.text, self.plate)
        self.lace, self.veil = mix(back.ground, light, 0.62), mix(back.ground, light, 0.26)
        self.gold = style.ink("back.gold")
        # The frame's distance from the trim exceeds the error of a guillotine and a duplex printer.
        self.rim = trim.inset(max(back.safe, 3.4 * self.k))
        self.field = self.rim.inset(_BAND * self.k)

    def frame(self) -> Items:
        """Draw rosettes; braids between fine lines along the four sides; and a stud in each corner:
        the sign of the motif, or a dot if there is none."""
        half = _BAND * self.k / 2
        band, thick, d = self.rim.inset(half), half * 0.84, half * 0.9
        line, edge = self._stroke(self.lace), self._stroke(self.lace, 0.18)
        key, wave, motif = f"{self.back.key}:braid", self.pattern.wave, self.style.motif
        across = braid_scene(f"{key}:across", wave, band.width, thick, line)
        down = braid_scene(f"{key}:down", wave, band.height, thick, line)
        items: list[Item] = []
        for y in (band.y, band.foot):
            items.append(Use(across, matrix=translation(band.x, y - thick)))
        for x in (band.x, band.right):
            upright = multiply(translation(x + thick, band.y), rotation(90))
            items.append(Use(down, matrix=upright))
        for x, y in product((band.x, band.right), (band.y, band.foot)):
            items.append(disc((x, y), d, self.back.ground, edge))
            if motif is None:
                items.append(disc((x, y), d * 0.45, self.gold, role=Role.ORNAMENT))
            else:
                items += sign_items(motif, x, y, d * 0.68, self.gold)
        outer, inner = self._stroke(self.lace, 0.35), self._stroke(self.lace, 0.2)
        return (
            *self._field(),
            *items,
            self.rim.plate(stroke=outer),
            self.field.plate(stroke=inner),
        )

    def _stroke(self, ink: Ink, width_mm: float = _LINE_MM) -> Stroke:
        return Stroke(ink, width_mm)

    def _rosette(
        self, part: str, rings: tuple[Ring, ...], radius: float, stroke: Stroke, role: Role
    ) -> Scene:
        return rosette_scene(f"{self.back.key}:{part}", rings, radius, stroke, role)

    def _field(self) -> Items:
        """Draw rosettes inside the frame: a large one, and quarters of others in the corners."""
        pattern = self.pattern
        thin, line = self._stroke(self.veil, 0.12), self._stroke(self.lace)
        veil = self._rosette("veil", (pattern.petals,), self.short * 0.62, thin, Role.GROUND)
        rings = (pattern.rim, pattern.heart)
        corner = self._rosette("corner", rings, self.short * 0.34, line, Role.GROUND)
        quarters = (centred(corner, *point) for point in self.field.corners)
        inner = (centred(veil, *self.trim.middle), *quarters)
        return (Group(inner, clip=self.field.path()),)

    def medallion(self, room: float) -> Block:
        """Return the emblem on a disc, surrounded by lace that extends at most `room` above it."""
        r, gold = _MEDALLION * self.k, self.gold
        reach = min(r * 1.42, r + room - _LINE_MM)
        rings = (self.pattern.rim, self.pattern.small)
        lace = self._rosette("lace", rings, reach, self._stroke(self.lace), Role.ORNAMENT)

        def draw(x: float, y: float) -> Items:
            x, y = x + r, y + r
            return (
                disc((x, y), reach, self.back.ground),
                centred(lace, x, y),
                disc((x, y), r, self.plate, self._stroke(gold, 0.5)),
                disc((x, y), r * 0.93, stroke=self._stroke(gold, 0.12)),
                shifted(self.back.emblem(r * 0.9, self.style), x, y),
            )

        return Block(2 * r, 2 * r, draw)

    def middle(self) -> Group:
        """Draw the emblem on a medallion, with the words on a plate below."""
        k, style, r = self.k, self.style, _MEDALLION * self.k
        room = self.field.width - 5.0 * k
        bold, thin = self._stroke(self.gold, 0.5), self._stroke(self.gold, 0.12)
        big, small = (style.type(f"back.{name}").by(k) for name in ("title", "kind"))
        big, lines = balanced(self.back.head, big, room - 8.0 * k, 2, several=0.9)
        name = text_block(lines, big, self.text, leading=1.08, rise=rise_mm)
        # Keep descenders clear of the rule.
        below = max(big.size_mm * _DESCENT, drop_mm(lines[-1], big) + 0.5 * k)
        # Words too long for one line take a second one if the card is high enough.
        spare = self.field.height - 2 * r - 14.0 * k - name.height - below
        most = 2 if spare > 2.4 * small.size_mm else 1
        small, feet = balanced(self.back.foot, small, room - 8.0 * k, most, several=0.9, clip=True)
        kind = text_block(feet, small, self.text, leading=1.08, rise=rise_mm)
        wide = max(max(name.width, 1.1 * kind.width) + 10.0 * k, 34.0 * k)
        wide = min(room, wide)
        rule = rule_block(min(wide * 0.6, 28.0 * k), self._stroke(self.gold, 0.2))
        words = stacked(2.6 * k, name, below + 0.2 * k, rule, 1.4 * k, kind, 2.4 * k)

        # Keep the lace around the medallion inside the frame.
        above = (self.trim.height - 2 * r - 2.0 * k - words.height) / 2 - self.rim.y

        def plate(x: float, y: float) -> Items:
            box, bite = Box(x, y, wide, words.height), 2.2 * k
            inner = plate_path(style.motif, box, 0.82 * bite, inset=0.8 * k)
            return (
                Path(plate_path(style.motif, box, bite), fill=self.plate, stroke=bold),
                Path(inner, stroke=thin),
                box.centred(words),
            )

        lower = Block(wide, words.height, plate)
        return self.trim.centred(stacked(self.medallion(above), 2.0 * k, lower))


def _engine(size_class: int) -> Emblem:
    """Return an emblem with the engine of a class, on its rail in the middle of the disc."""

    def draw(radius: float, style: Style) -> Items:
        full = radius * 1.66
        long, tall = locomotive_size(size_class, full, style)
        full *= min(1.6, radius * 1.66 / long)
        long, tall = locomotive_size(size_class, full, style)
        rail = tall / 2
        line = Stroke(style.ink("back.wheel"), 0.25)
        track = (("M", -radius * 0.86, rail), ("L", radius * 0.86, rail))
        items = locomotive_items(size_class, full, style)
        return (
            Path(track, stroke=line, role=Role.ORNAMENT),
            Group(items, matrix=translation(-long / 2, rail)),
        )

    return draw


oldest_engine, engine, newest_engine = _engine(0), _engine(2), _engine(CLASSES - 1)


# Backs of tiles, map tiles and overlays: only what identifies the piece.


card_words = FixedWords("cards")

# Width of the rim in the tile's colour, as a share of the hex.
_RIM = 0.07
# Width of the ring inside the rim in the colour of the tile's frame, if it has one. The ring is in
# the safe zone, so that it survives an imprecise cut.
_RING = 0.03
# Size of a tile with words at full size.
_FULL_HEX_MM = 38.1
# Gap between the emblem, the title and the words on a full-size tile, before its factor.
_UNDER_MM = 1.0
# Width for words, as a share of the hex.
_WORDS = 0.66
# Radius of the disc in the middle of a map tile, as a share of a hex. It must be below 0.577, where
# the outline of the hexes comes nearest to the middle.
_DISC = 0.46


def draw_tile_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw a tile's number, in large type, with its colour and the game's name: the same for all
    tiles with this number."""
    layout = title.layout
    across = piece_size(title, "tile", piece.id).width_mm
    entry = title.tile_by_id[piece.id]
    tile = entry.tile
    colour = style.named(tile.colour, card_words.table("colour"))
    words = (colour, entry.shown, style.words(title.name))
    rim = tile_ink(tile.colour, style)
    ring = None if tile.frame is None else colour_ink(tile.frame, style)
    return _hex_back(piece, layout, rim, words, style, across=across, ring=ring)


def draw_overlay_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back of an overlay: the same as the front if it is blank, otherwise its name."""
    if piece.group == "blank":
        from platelayer.drawing.map.map_tile import draw_overlay

        return replace(draw_overlay(title, piece.id, style), key=f"{piece.key}:back")
    across = piece_size(title, "overlay", piece.id).width_mm
    on_map = piece.group == "map"
    layout = title.maps[0].layout if on_map else Layout.FLAT
    name = style.words(piece.name if on_map else back_words.table("back")["overlay"])
    words, rim = ("", name, style.words(title.name)), style.ink("back.gold")
    return _hex_back(piece, layout, rim, words, style, across=across, large="back.title")


def _hex_back(
    piece: Piece,
    layout: Layout,
    rim: Ink,
    words: tuple[str, str, str],
    style: Style,
    *,
    across: float,
    large: str = "back.number",
    ring: Ink | None = None,
) -> Scene:
    """Draw a rim that extends into the bleed, a ring inside it if requested, pale curves within,
    and three lines: small, large, small."""
    width, height, outline = hex_trim(layout, across)
    ground, soft = style.ink("back.tile"), style.ink("card.soft")
    whole = polygon_path(hex_polygon(layout, across, BLEED_MM))
    inner = polygon_path(hex_polygon(layout, across * (1 - 2 * _RIM)))
    items: list[Item] = [Path(whole, fill=rim)]
    if ring is not None:
        ringed = polygon_path(hex_polygon(layout, across * (1 - 2 * _RIM + 2 * _RING)))
        items.append(Path(ringed, fill=ring))
    pattern = pattern_of(piece.kind, style.motif)
    line = Stroke(mix(ground, soft, 0.22), _LINE_MM)
    key, rings = f"back:{piece.kind}:{across:g}:lace", (pattern.petals, pattern.rim)
    lace = rosette_scene(key, rings, across * 0.4, line, Role.GROUND)
    items += (
        Path(inner, fill=ground, stroke=Stroke(soft, 0.15)),
        centred(lace, 0, 0),
        *_three_lines(words, across, style, large),
    )
    return Scene(
        f"{piece.key}:back",
        width,
        height,
        (Group(tuple(items), matrix=translation(width / 2, height / 2)),),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across * 0.95,
        outline=mirrored(outline, width),
        label=piece.id,
    )


def _three_lines(words: tuple[str, str, str], across: float, style: Style, kind: str) -> Items:
    """Draw large words in the middle, with a small line above and one below, inside the rim."""
    above, large, below = words
    ink, k, room = style.ink("card.text"), across / _FULL_HEX_MM, across * _WORDS
    small, cap = style.type("back.title.small").by(k), style.type("back.kind").by(k)
    big, lines = balanced(large, style.type(kind).by(k), room, 2, clip=True)
    number = text_block(lines, big, ink, leading=1.1, by_ink=True)
    under, names = balanced(below, small, room, 2, clip=True)
    name = text_block(names, under, ink, leading=1.1)
    colour = line_block(above, cap, ink, room) if above else strut(0)
    half, gap = number.height / 2, 2.4 * k
    blocks = ((number, -half), (colour, -half - gap - colour.height), (name, half + gap))
    return tuple(item for block, y in blocks for item in block.paint(-block.width / 2, y))


def draw_map_tile_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Draw the back shared by map tiles and capital projects, which lie among them face down, so
    that they cannot be distinguished."""
    across = piece_size(title, piece.kind, piece.id).width_mm
    words = style.words(back_words.table("back")["map-tile"])
    return _map_back(title.id, across, style.words(title.name), words, style)


@lru_cache(4)
def _map_back(title_id: str, across: float, name: str, words: str, style: Style) -> Scene:
    """Draw a back once for all pieces that share it."""
    from platelayer.drawing.map.map_tile import blank_board
    from platelayer.drawing.map.plan import MapPlan

    board = blank_board()
    plan = MapPlan(board, across)
    left, top, right, bottom = plan.bounds
    width, height = right - left, bottom - top
    plan = plan.moved(-left, -top)
    centres = [(width - x, y) for x, y in (plan.centre(hexagon.at) for hexagon in board.hexes)]
    ground, gold = style.ink("back.map-tile"), style.ink("back.gold")
    light = mix(ground, style.ink("back.plate"), 0.5)
    pattern = pattern_of(title_id, style.motif)
    rings, line = (pattern.rim, pattern.petals, pattern.heart), Stroke(light, _LINE_MM)
    lace = rosette_scene(f"back:map-tile:{across:g}:lace", rings, across * 0.45, line, Role.GROUND)
    hexagon = polygon_path(hex_polygon(plan.layout, across, BLEED_MM))
    grown = (Path(hexagon, fill=ground),)
    items: list[Item] = [Group(grown, matrix=translation(x, y)) for x, y in centres]
    items += [centred(lace, x, y) for x, y in centres]
    for x, y in centres:
        # The sign of the motif, or a dot without one.
        r = across * 0.05
        if style.motif is None:
            items.append(disc((x, y), r, gold, role=Role.ORNAMENT))
        else:
            items += sign_items(style.motif, x, y, 1.4 * r, gold)
    plate = _disc(across, name, words, style)
    items.append(Group(plate, matrix=translation(*middle_of(centres))))
    return Scene(
        f"back:map-tile:{across:g}",
        width,
        height,
        tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across * 0.95,
        outline=mirrored(plan.lines(plan.outside_edges(board.hexes)), width),
        label=f"{name}: {words}",
    )


def _disc(across: float, name: str, words: str, style: Style) -> Items:
    """Draw a plate with a wheel, the game's name and the kind of piece, around (0, 0)."""
    k, r = across / 40.0, _DISC * across
    gold, ink = style.ink("back.gold"), style.ink("card.text")
    big, lines = balanced(name, style.type("back.title").by(k), r * 1.4, 3, several=0.72, clip=True)
    small = style.type("back.kind").by(k)
    emblem = shape_block(wheel(0, 0, r * 0.3, style.ink("back.wheel")), r * 0.6)
    title = text_block(lines, big, ink, leading=1.08, by_ink=True)
    parts = stacked(emblem, title, line_block(words, small, ink, r * 1.1), gap=_UNDER_MM * 1.6 * k)
    return (
        disc((0, 0), r, style.ink("back.plate"), Stroke(gold, 0.6)),
        disc((0, 0), r * 0.94, stroke=Stroke(gold, 0.15)),
        *parts.paint(-parts.width / 2, -parts.height / 2),
    )
