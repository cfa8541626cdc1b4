"""Round tracks: a space for each round with arrows between, cycles, operating rounds by phase; and
the game track, whose rounds are played once, in columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    box_block,
    chip_block,
    disc,
    in_row,
    line_block,
    line_path,
    placing,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.parts import arrow, bent_arrow
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import (
    INSET_MM,
    board_note,
    board_scene,
    space_name,
    title_plate,
)
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.manifest import CYCLE_MM, GAME_RING_MM, ROUND_RING_MM
from platelayer.model.title import Round, Title
from platelayer.scene.inks import mix, readable_on
from platelayer.scene.shapes import (
    Group,
    Item,
    Items,
    Path,
    Point,
    Scene,
    Stroke,
    polygon_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit

card_words = FixedWords("cards")

_GAME_SPACE_MM = (27.2, 26.0)
_HEAD_MM = 24.6
# Beside an amount, and its room beside the ring.
_AMOUNT_PAD_MM = 1.1
_AMOUNT_MM = _GAME_SPACE_MM[0] - GAME_RING_MM - 2.6 - 2 * _AMOUNT_PAD_MM
# Eight sets of rounds fit Letter across, with the cut marks beside the board.
_BETWEEN_MM = 2.6
# Height of the sign of an export, and length of the longest engine on it.
_EXPORT_MM, _ENGINE_MM = 10.6, 22.0
_ENGINE = 1
_GAP_MM = 5.0
_LEAST_WIDE_MM = 96.0

_SPACE_MM = (33.0, 32.0)
_ARROW_MM = 9.0
_LOOP_MM = 8.0
# Width of an arrow's line and length of its head, in mm: on the way that is usually taken, and off
# it.
_LINE, _THIN = (0.9, 3.2), (0.5, 2.6)
# The line around rings and numbered spaces.
_FINE_MM = 0.3
_ABOVE_CYCLES_MM = 2.4
# Start of the way to a round that is played once on the space before it, as a share of its width.
_OUTER = 0.78


def draw_round_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track that shows the present round, as large as its spaces need, cycles below it.
    Raises KeyError when there is none."""
    if not title.pieces.rounds:
        raise KeyError(piece_id)
    if title.pieces.rounds_once:
        return _draw_game_track(title, piece_id, style)
    words = style.words(card_words("rounds"))
    body = _row(title, style)
    if title.pieces.cycles:
        body = stacked(body, _cycles(title.pieces.cycles, style, body.width), gap=_GAP_MM)
    inner = max(body.width, _LEAST_WIDE_MM)
    board = stacked(
        title_plate(title, words, style, inner),
        _GAP_MM,
        body,
        board_note(title.pieces.rounds_note, style, inner, above_mm=4.0, even=True),
        _by_phase(title, style, inner),
    )
    return board_scene(f"round-track:{piece_id}", words, board.sized(inner, board.height), style)


def _row(title: Title, style: Style) -> Block:
    """Rounds in a row; above it those that are played once and come first, below it those that are
    played once between two others."""
    ink, (wide, tall) = style.ink("board.edge"), _SPACE_MM
    rounds = [entry for entry in title.pieces.rounds if entry.into is None]
    once = [entry for entry in title.pieces.rounds if entry.into is not None]
    before = [entry for entry in once if entry.after is None]
    between = [entry for entry in once if entry.after is not None]

    def draw(box: Box) -> Iterator[Item]:
        row = box._replace(height=tall)
        if before:
            row = row._replace(y=row.foot + _ARROW_MM)
        spaces = {
            entry.id: space
            for entry, space in zip(
                rounds, row.columns(*[wide] * len(rounds), gap=_ARROW_MM), strict=True
            )
        }
        for entry in before:
            space = spaces[entry.into or ""]._replace(y=box.y)
            yield from _space(entry, style, space, first=True)
            middle = space.middle[0]
            way = ((middle, space.foot + 1), (middle, row.y - 1))
            yield from bent_arrow(way, *_LINE, ink)
        level = row.middle[1]
        for number, entry in enumerate(rounds):
            space = spaces[entry.id]
            yield from _space(entry, style, space, first=not before and number == 0)
            if number:
                way = ((space.x - _ARROW_MM + 1.2, level), (space.x - 1, level))
                yield from bent_arrow(way, *_LINE, ink)
        under, top = row.foot + 1, row.foot
        if len(rounds) > 1:
            start, end, low = row.right - wide / 2, row.x + wide / 2, top + _LOOP_MM - 2.2
            loop = ((start, under), (start, low), (end, low), (end, under))
            yield from bent_arrow(loop, *_LINE, ink)
            top += _LOOP_MM
        for entry in between:
            source = spaces[entry.after or ""].x + wide * _OUTER
            target = spaces[entry.into or ""].x + wide * (1 - _OUTER)
            space = Box((source + target - wide) / 2, top, wide, tall)
            yield from _space(entry, style, space, first=True)
            level = space.middle[1]
            near, far = space.right + 1, space.x - 1.0
            if target >= source:
                near, far = far, near
            out = ((source, under), (source, level), (near, level))
            back = ((far, level), (target, level), (target, under))
            yield from (*bent_arrow(out, *_THIN, ink), *bent_arrow(back, *_THIN, ink))
            top += tall + _GAP_MM

    width = len(rounds) * wide + (len(rounds) - 1) * _ARROW_MM
    height = tall + (tall + _ARROW_MM if before else 0) + (_LOOP_MM if len(rounds) > 1 else 0)
    height += len(between) * (tall + _GAP_MM) - (_GAP_MM if between else 0)
    return box_block(width, height, draw)


def _space(entry: Round, style: Style, space: Box, *, first: bool) -> Iterator[Item]:
    """One space: a ring for the marker, the round's name below it."""
    ink = style.ink("board.edge")
    ground = style.ink("board.fifty" if first else "board.cell")
    yield space.plate(ground, Stroke(ink, 0.5), radius=2.0)
    _, ring, below = space.rows(2.4, ROUND_RING_MM, 0)
    yield from _ring(ring.middle, ROUND_RING_MM / 2, 0.9, style)
    name, type_style = style.words(entry.name), style.type("board.round")
    block = space_name(name, type_style, ink, space.width - 3.0, below.height - 1)
    area = below.inset(0, INSET_MM / 2)
    x, y, *_ = area.within(block.width, block.height)
    # Accents may reach up beside the ring, but tails stay above the line round the space.
    y = min(y, area.foot - block.height - block.tails)
    yield space.boxed(block.paint(x, y))


def _ring(middle: Point, radius: float, inset: float, style: Style) -> Items:
    """Slot for a marker, with a line of gold inside."""
    edge = Stroke(style.ink("board.edge"), _FINE_MM)
    (x, y), across = middle, 2 * radius
    return (
        disc(middle, radius, style.ink("board.ground"), edge),
        disc(middle, radius - inset, stroke=_gold(style)),
        Box(x - radius, y - radius, across, across).place("marker", ()),
    )


def _gold(style: Style) -> Stroke:
    return Stroke(style.ink("card.gold"), 0.2, dash=(1.1, 0.8))


def _cycles(count: int, style: Style, most: float) -> Block:
    """Numbered spaces for a marker, one for each cycle, in rows of at most `most` mm."""
    wide, tall = CYCLE_MM, 22.4
    ink, figure = style.ink("board.edge"), style.type("board.cycle")
    edge = Stroke(ink, _FINE_MM)
    heading = text_block(style.words(card_words("cycles")), style.type("board.round"), ink)
    rows = math.ceil(count * wide / most)
    columns = math.ceil(count / rows)
    radius = CYCLE_MM / 2 - 1.0

    def draw(box: Box) -> Iterator[Item]:
        grid = box.grid([wide] * columns, [tall] * rows)
        for number in range(count):
            row, column = divmod(number, columns)
            space = grid[column, row]
            numeral, slot, _ = space.rows(0, 2 * radius, 1)
            ground = style.ink("board.hundred" if number == count - 1 else "board.cell")
            yield space.plate(ground, edge)
            yield disc(slot.middle, radius, style.ink("board.ground"), _gold(style))
            yield numeral.words(str(number + 1), figure, ink)

    spaces = box_block(columns * wide, rows * tall, draw)
    return stacked(heading, _ABOVE_CYCLES_MM, spaces)


def _by_phase(title: Title, style: Style, width: float) -> Block:
    """Number of operating rounds of each phase, where that changes: phases as chips, the number
    beside, as large as the width allows, because people read the track from across the table."""
    phases = title.phases
    if len({phase.operating_rounds for phase in phases}) < 2:
        return strut(0)
    chip, figure, head = (style.type(name) for name in ("card.chip", "card.figure", "board.round"))
    ink, number_ink = style.ink("board.edge"), readable_on(style.ink("board.ground"))

    def entries(scale: float) -> list[Block]:
        large, strong = chip.at(chip.size_pt * scale), figure.at(figure.size_pt * scale)
        blocks = []
        for phase in phases:
            colour = phase.tiles[-1] if phase.tiles else "white"
            number = text_block(str(phase.operating_rounds), strong, number_ink)
            blocks.append(in_row(chip_block(phase.id, colour, large, style), 1, number))
        return blocks

    least, most = 2.0, 10.0
    plain = math.fsum(entry.width for entry in entries(1))
    grown = max(1, min(1.6, (width - least * len(phases)) / plain))
    count = math.ceil((plain * grown + least * len(phases)) / (width + least) - 1e-6)
    blocks, per_row = entries(grown), math.ceil(len(phases) / count)
    rows = []
    for start in range(0, len(blocks), per_row):
        row = blocks[start : start + per_row]
        spare = width - math.fsum(block.width for block in row)
        rows.append(in_row(*row, gap=max(least, min(most, spare / len(row)))))
    heading = text_block(style.words(card_words("rounds_by_phase")), head, ink)
    apart = 0.54 * grown * chip.size_mm
    return stacked(3.0, heading, 2.6, stacked(*rows, gap=apart))


def _draw_game_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track as large as its rounds need; a marker of up to 14 mm lies in the ring of each
    space."""
    # Each column begins with a round without an amount. Amounts are set in one size.
    columns: list[list[Block]] = []
    figure = style.type("board.cycle")
    amounts = (entry.amount for entry in title.pieces.rounds if entry.amount is not None)
    for amount in amounts:
        figure = fit(title.money(amount), figure, _AMOUNT_MM)
    for entry in title.pieces.rounds:
        if entry.amount is None or not columns:
            columns.append([])
        columns[-1].append(_game_space(title, entry, figure, style))
        if entry.export:
            columns[-1].append(_export_sign(style))
    stacks = [stacked(*column) for column in columns]
    row = in_row(*stacks, gap=_BETWEEN_MM, level=0)
    ink = style.ink("board.edge")

    def draw(box: Box) -> Iterator[Item]:
        yield from row.paint(box.x, box.y)
        heads = box.rows(_HEAD_MM)[0].columns(*[0] * len(columns), gap=_BETWEEN_MM)
        for number, (head, column) in enumerate(zip(heads, columns, strict=True)):
            level = box.y
            for block in column[:-1]:
                # Down the column.
                level += block.height
                yield arrow(head.x + 4.0, level + 1.4, 1.9, 90, ink)
            if number + 1 < len(heads):
                # From its foot up beside it, to the head of the next.
                x, foot = head.right + _BETWEEN_MM / 2, level + column[-1].height / 2
                way = ((head.right, foot), (x, foot), (x, head.middle[1]))
                yield Path(polygon_path(way, closed=False), stroke=Stroke(ink, 0.7, join="round"))
                yield arrow(x + 0.2, head.middle[1], 1.9, 0, ink)

    words, inner = style.words(card_words("game_track")), max(row.width, _LEAST_WIDE_MM)
    board = stacked(
        title_plate(title, words, style, inner),
        _GAP_MM,
        box_block(row.width, row.height, draw),
        board_note(title.pieces.rounds_note, style, inner, above_mm=_GAP_MM, even=False),
    )
    return board_scene(f"round-track:{piece_id}", words, board.sized(inner, board.height), style)


def _game_space(title: Title, entry: Round, figure: TypeStyle, style: Style) -> Block:
    """One space: a ring for the marker, the value of the round beside it, its name below."""
    wide, tall = _GAME_SPACE_MM
    ink, edge = style.ink("board.edge"), Stroke(style.ink("board.edge"), 0.45)
    type_style, name = style.type("board.round"), style.words(entry.name)
    if entry.amount is None:
        tall, ground = _HEAD_MM, style.ink("board.fifty")
        words = space_name(name, type_style, ink, wide - 3.0, tall - GAME_RING_MM - 4.0)
    else:
        ground, words = style.ink("board.cell"), line_block(name, type_style, ink, wide - 3.0)

    def draw(space: Box) -> Iterator[Item]:
        upper, lower = space.rows(0, words.height + words.over + 2.2)
        radius = min(GAME_RING_MM / 2, upper.height / 2 - 0.8)
        yield space.plate(ground, edge)
        if entry.amount is None:
            yield from _ring(upper.middle, radius, 0.8, style)
        else:
            _, ring, beside, _ = upper.columns(2.0, 2 * radius, 0, 0.6)
            yield from _ring(ring.middle, radius, 0.8, style)
            yield beside.words(title.money(entry.amount), figure, ink, pad=_AMOUNT_PAD_MM)
        yield lower.centred(words, level=1, down=2.2)

    return box_block(wide, tall, draw)


def _export_sign(style: Style) -> Block:
    """A crossed-out engine in a box as wide as a space: a train leaves the game."""
    box = Box(0, 0, _GAME_SPACE_MM[0], _EXPORT_MM)
    long, tall = locomotive_size(_ENGINE, _ENGINE_MM, style)
    engine, reach = box.within(long, tall), box.within(long - 2.0, tall)
    cross = Stroke(style.ink("board.ledge"), 0.8, cap="round")
    grey = mix(style.ink("board.ground"), style.ink("board.line"), 0.4)
    shape = locomotive_items(_ENGINE, _ENGINE_MM, style, silhouette=grey)
    at = translation(engine.x, engine.foot)
    items = (
        box.plate(stroke=Stroke(style.ink("board.edge"), 0.45)),
        Group(shape, matrix=at),
        line_path((reach.x, reach.y), (reach.right, reach.foot), cross),
        line_path((reach.right, reach.y), (reach.x, reach.foot), cross),
    )
    return Block(box.width, box.height, placing(items))
