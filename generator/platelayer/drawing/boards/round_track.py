"""Round tracks: a space for each round with arrows between, cycles, operating rounds by phase; and
the game track, whose rounds are played once, in columns.
"""

from __future__ import annotations

import math

from platelayer.drawing.kit.lettering import ink_height, one_line
from platelayer.drawing.kit.panels import (
    INSET_MM,
    MARGIN_MM,
    board_note,
    board_scene,
    space_leading,
    space_name,
    title_plate,
)
from platelayer.drawing.kit.parts import arrow, bent_arrow, chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.manifest import CYCLE_MM, GAME_RING_MM, ROUND_RING_MM
from platelayer.model.title import Round, Title
from platelayer.model.train import Phase
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, rise_mm, set_line, text_width

card_words = FixedWords("cards")

_GAME_SPACE_MM = (27.2, 26.0)
_HEAD_MM = 24.6
# Eight sets of rounds fit Letter across, with the cut marks beside the board.
_BETWEEN_MM = 2.6
# Height of the sign of an export, length of the longest engine on it, and thickness of its cross.
_EXPORT_MM, _ENGINE_MM, _CROSS_MM = 10.6, 22.0, 0.8
_ENGINE = 1
_GAP_MM = 5.0
_LEAST_WIDE_MM = 96.0

_SPACE_MM = (33.0, 32.0)
_ARROW_MM = 9.0
_LOOP_MM = 8.0
_ABOVE_NOTE_MM = 4.0
_CYCLE_MM = (CYCLE_MM, 22.4)
_PHASE_GAP_MM = (2.0, 10.0)
_GROWN = 1.6
_ROW_EMS = 1.7
# Width of an arrow's line and length of its head, in mm: on the way that is usually taken, and off
# it.
_LINE, _THIN = (0.9, 3.2), (0.5, 2.6)
# The line around rings and numbered spaces.
_FINE_MM = 0.3
# Above the numbers of rounds by phase.
_ABOVE_PART_MM = 3.0
# Start of the way to a round that is played once on the space before it, as a share of its width.
_OUTER = 0.78


def draw_round_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track that shows the present round, as large as its spaces need, cycles at its right.
    Raises KeyError when there is none."""
    if not title.pieces.rounds:
        raise KeyError(piece_id)
    if title.pieces.rounds_once:
        return _draw_game_track(title, piece_id, style)
    words = style.words(card_words("rounds"))
    rounds, (wide, tall) = title.pieces.rounds, _SPACE_MM
    always = len([entry for entry in rounds if entry.into is None])
    # Beside cycles there is room for rounds in two rows; those that are played once need one row.
    circuit = bool(title.pieces.cycles) and len(rounds) > 2 and always == len(rounds)
    across = math.ceil(always / 2) if circuit else always
    row = across * wide + (across - 1) * _ARROW_MM
    most = 2 * tall + _ARROW_MM if circuit else tall + _LOOP_MM
    cycles, column, high = _cycles(title.pieces.cycles, style, most)
    beside = _GAP_MM * 2 + column if cycles else 0.0
    inner = max(row + beside, _LEAST_WIDE_MM)
    plate, down = title_plate(title, words, style, inner)
    down += _GAP_MM
    left = MARGIN_MM + (inner - row - beside) / 2
    spaces, foot = (_circuit if circuit else _row)(title, style, left, down)
    items: list[Item] = [*plate, *spaces]
    if cycles:
        level = down + max(0.0, foot - down - high) / 2
        items.append(Group(items=cycles, matrix=translation(left + row + beside - column, level)))
        foot = max(foot, down + high)
    note, high = board_note(
        title.pieces.rounds_note, style, inner, above_mm=_ABOVE_NOTE_MM, even=True
    )
    if note:
        items.append(Group(items=note, matrix=translation(MARGIN_MM, foot)))
        foot += high
    by_phase, high = _by_phase(title, style, inner)
    if by_phase:
        items.append(Group(items=by_phase, matrix=translation(MARGIN_MM, foot + _ABOVE_PART_MM)))
        foot += high + _ABOVE_PART_MM
    size = (inner + 2 * MARGIN_MM, foot + MARGIN_MM)
    return board_scene(f"round-track:{piece_id}", words, size, items, style)


def _circuit(
    title: Title, style: Style, left: float, down: float
) -> tuple[tuple[Item, ...], float]:
    """Rounds in two rows, the lower one from right to left, and the foot of both."""
    rounds, ink, (wide, tall) = title.pieces.rounds, style.ink("board.edge"), _SPACE_MM
    upper, step = math.ceil(len(rounds) / 2), wide + _ARROW_MM
    low = down + tall + _ARROW_MM
    corners = [(left + number * step, down) for number in range(upper)]
    corners += [(left + (upper - 1 - number) * step, low) for number in range(len(rounds) - upper)]
    items: list[Item] = []
    for entry, (x, y) in zip(rounds, corners, strict=True):
        space = _space(entry, style, first=entry is rounds[0])
        items.append(Group(items=space, matrix=translation(x, y)))
    level = down + tall / 2
    for x, _ in corners[1:upper]:
        items += bent_arrow(((x - _ARROW_MM + 1.2, level), (x - 1.0, level)), *_LINE, ink)
    turn = corners[upper][0] + wide / 2
    items += bent_arrow(((turn, down + tall + 1.2), (turn, low - 1.0)), *_LINE, ink)
    level = low + tall / 2
    for x, _ in corners[upper:-1]:
        items += bent_arrow(((x - 1.2, level), (x - _ARROW_MM + 1.0, level)), *_LINE, ink)
    last, middle = corners[-1][0], left + wide / 2
    back = [(last - 1.2, level), (middle, level)] if last > left else [(middle, low - 1.2)]
    items += bent_arrow((*back, (middle, down + tall + 1.0)), *_LINE, ink)
    return tuple(items), low + tall


def _row(title: Title, style: Style, left: float, down: float) -> tuple[tuple[Item, ...], float]:
    """Rounds in a row; above it those that are played once and come first, below it those that are
    played once between two others; and the foot of all."""
    ink, (wide, tall) = style.ink("board.edge"), _SPACE_MM
    rounds = [entry for entry in title.pieces.rounds if entry.into is None]
    once = [entry for entry in title.pieces.rounds if entry.into is not None]
    first = [entry for entry in once if entry.after is None]
    lefts = {entry.id: left + number * (wide + _ARROW_MM) for number, entry in enumerate(rounds)}
    items: list[Item] = []
    for entry in first:
        x = lefts[entry.into or ""]
        space, middle, foot = _space(entry, style, first=True), x + wide / 2, down + tall
        items.append(Group(items=space, matrix=translation(x, down)))
        way = ((middle, foot + 1.0), (middle, foot + _ARROW_MM - 1.0))
        items += bent_arrow(way, *_LINE, ink)
    down += (tall + _ARROW_MM) if first else 0.0
    level, foot = down + tall / 2, down + tall
    for number, entry in enumerate(rounds):
        x = lefts[entry.id]
        space = _space(entry, style, first=not first and number == 0)
        items.append(Group(items=space, matrix=translation(x, down)))
        if number:
            items += bent_arrow(((x - _ARROW_MM + 1.2, level), (x - 1.0, level)), *_LINE, ink)
    under = foot + 1.0
    if len(rounds) > 1:
        row = len(rounds) * wide + (len(rounds) - 1) * _ARROW_MM
        start, end, low = left + row - wide / 2, left + wide / 2, foot + _LOOP_MM - 2.2
        items += bent_arrow(((start, under), (start, low), (end, low), (end, under)), *_LINE, ink)
        foot += _LOOP_MM
    top = foot
    for entry in once:
        if entry.after is None:
            continue
        source = lefts[entry.after] + wide * _OUTER
        target = lefts[entry.into or ""] + wide * (1 - _OUTER)
        x, level = (source + target - wide) / 2, top + tall / 2
        space = _space(entry, style, first=True)
        items.append(Group(items=space, matrix=translation(x, top)))
        side = 1 if target < source else -1
        near, far = (x + wide, x) if side > 0 else (x, x + wide)
        out = ((source, under), (source, level), (near + side * 1.0, level))
        back = ((far - side * 1.0, level), (target, level), (target, under))
        items += (*bent_arrow(out, *_THIN, ink), *bent_arrow(back, *_THIN, ink))
        foot, top = top + tall, top + tall + _GAP_MM
    return tuple(items), foot


def _space(entry: Round, style: Style, *, first: bool) -> tuple[Item, ...]:
    """One space: a ring for the marker, the round's name below it."""
    wide, tall = _SPACE_MM
    ink = style.ink("board.edge")
    ground = style.ink("board.fifty" if first else "board.cell")
    middle = 2.4 + ROUND_RING_MM / 2
    type_style = style.type("board.round")
    room = tall - middle - ROUND_RING_MM / 2 - 1.0
    type_style, lines = space_name(style.words(entry.name), type_style, wide - 3.0, room)
    leading = space_leading(lines, type_style)
    step = leading * type_style.size_mm
    centre = (middle + ROUND_RING_MM / 2 + tall) / 2
    base = centre + type_style.cap_height_mm / 2 - (len(lines) - 1) * step / 2
    # Tails stay within the space.
    deepest = ink_height(lines[-1], type_style.beside("".join(lines)))[0]
    low = base + (len(lines) - 1) * step - deepest
    base -= max(0.0, low - tall + INSET_MM / 2)
    name = set_lines(lines, type_style, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE)
    frame, edge = rectangle_path(0, 0, wide, tall, 2.0), Stroke(ink=ink, width_mm=0.5)
    return (
        Path(commands=frame, fill=ground, stroke=edge),
        *_ring(wide / 2, middle, ROUND_RING_MM / 2, 0.9, style),
        boxed(name, 0, 0, wide, tall),
    )


def _ring(x: float, y: float, radius: float, inset: float, style: Style) -> tuple[Circle, Circle]:
    """Slot for a marker, with a line of gold inside."""
    edge = Stroke(ink=style.ink("board.edge"), width_mm=_FINE_MM)
    return (
        Circle(cx=x, cy=y, r=radius, fill=style.ink("board.ground"), stroke=edge),
        Circle(cx=x, cy=y, r=radius - inset, stroke=_gold(style)),
    )


def _gold(style: Style) -> Stroke:
    return Stroke(ink=style.ink("card.gold"), width_mm=0.2, dash=(1.1, 0.8))


def _cycles(count: int, style: Style, most: float) -> tuple[tuple[Item, ...], float, float]:
    """Numbered spaces for a marker, one for each cycle, in rows that are together `most` mm high if
    they can be, and their width and height in mm."""
    if not count:
        return (), 0.0, 0.0
    wide, tall = _CYCLE_MM
    head, figure = style.type("board.round"), style.type("board.cycle")
    ink, ring = style.ink("board.edge"), style.ink("board.ground")
    edge = Stroke(ink=ink, width_mm=_FINE_MM)
    top = head.cap_height_mm + 2.4
    columns = math.ceil(count / max(1, int((most - top) / tall)))
    words = style.words(card_words("cycles"))
    width = max(columns * wide, text_width(words, head))
    left = (width - columns * wide) / 2
    items: list[Item] = [
        *set_line(words, head, ink, width / 2, head.cap_height_mm, anchor=Anchor.MIDDLE)
    ]
    for number in range(count):
        ground = style.ink("board.hundred" if number == count - 1 else "board.cell")
        at, above = left + number % columns * wide, top + number // columns * tall
        shape = rectangle_path(at, above, wide, tall)
        items.append(Path(commands=shape, fill=ground, stroke=edge))
        x, radius = at + wide / 2, CYCLE_MM / 2 - 1.0
        y = above + tall - radius - 1.0
        items.append(Circle(cx=x, cy=y, r=radius, fill=ring, stroke=_gold(style)))
        base = (above + y - radius + figure.cap_height_mm) / 2
        numeral = set_line(str(number + 1), figure, ink, x, base, anchor=Anchor.MIDDLE)
        items.append(boxed(numeral, at, above, wide, tall))
    return tuple(items), width, top + math.ceil(count / columns) * tall


def _by_phase(title: Title, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """Number of operating rounds of each phase, where that changes: phases as chips, the number
    beside, as large as the width allows, because people read the track from across the table."""
    if len({phase.operating_rounds for phase in title.phases}) < 2:
        return (), 0.0
    chip, figure, head = (style.type(name) for name in ("card.chip", "card.figure", "board.round"))
    ink, number_ink = style.ink("board.edge"), readable_on(style.ink("board.ground"))
    words = style.words(card_words("rounds_by_phase"))
    base = head.cap_height_mm
    items: list[Item] = [*set_line(words, head, ink, width / 2, base, anchor=Anchor.MIDDLE)]

    def width_of(phase: Phase) -> float:
        count = text_width(str(phase.operating_rounds), figure)
        return chip_width(phase.id, chip) + 1.0 + count

    least, most = _PHASE_GAP_MM
    count = len(title.phases)
    plain = math.fsum(map(width_of, title.phases))
    grown = max(1.0, min(_GROWN, (width - least * count) / plain))
    chip, figure = chip.at(chip.size_pt * grown), figure.at(figure.size_pt * grown)
    level = base + 2.6 + chip.size_mm * 0.58
    rows = math.ceil((plain * grown + least * count) / (width + least) - 1e-6)
    per_row = math.ceil(count / rows)
    for start in range(0, count, per_row):
        level += chip.size_mm * _ROW_EMS if start else 0.0
        row = title.phases[start : start + per_row]
        taken = math.fsum(map(width_of, row))
        gap = max(least, min(most, (width - taken) / max(1, len(row))))
        x = (width - taken - gap * (len(row) - 1)) / 2
        for phase in row:
            ground = tile_ink(phase.tiles[-1] if phase.tiles else "white", style)
            items += chip_items(phase.id, ground, chip, x, level)
            after = x + chip_width(phase.id, chip) + 1.0
            number, middle = str(phase.operating_rounds), level + figure.cap_height_mm / 2
            items += set_line(number, figure, number_ink, after, middle)
            x += width_of(phase) + gap
    return tuple(items), level + chip.size_mm * 0.58


def _draw_game_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track as large as its rounds need; a marker of up to 14 mm lies in the ring of each
    space."""
    # Each column begins with a round without an amount.
    columns: list[list[Round]] = []
    for entry in title.pieces.rounds:
        if entry.amount is None or not columns:
            columns.append([])
        columns[-1].append(entry)
    words, ink = style.words(card_words("game_track")), style.ink("board.edge")
    wide, tall = _GAME_SPACE_MM
    row = len(columns) * wide + (len(columns) - 1) * _BETWEEN_MM
    inner = max(row, _LEAST_WIDE_MM)
    plate, down = title_plate(title, words, style, inner)
    down += _GAP_MM
    left = MARGIN_MM + (inner - row) / 2
    items: list[Item] = [*plate]
    foot = down
    for number, column in enumerate(columns):
        x, y = left + number * (wide + _BETWEEN_MM), down
        for entry in column:
            high = _HEAD_MM if entry.amount is None else tall
            space = _game_space(title, entry, style, high)
            items.append(Group(items=space, matrix=translation(x, y)))
            y += high
            if entry.export:
                items.append(Group(items=_export_sign(style), matrix=translation(x, y)))
                y += _EXPORT_MM
        if number:
            items.append(arrow(x - _BETWEEN_MM / 2, down + _HEAD_MM / 2, 3.6, 0.0, ink))
        foot = max(foot, y)
    note, high = board_note(title.pieces.rounds_note, style, inner, above_mm=_GAP_MM, even=False)
    items.append(Group(items=note, matrix=translation(MARGIN_MM, foot)))
    size = (inner + 2 * MARGIN_MM, foot + high + MARGIN_MM)
    return board_scene(f"round-track:{piece_id}", words, size, items, style)


def _game_space(title: Title, entry: Round, style: Style, tall: float) -> tuple[Item, ...]:
    """One space: a ring for the marker, the value of the round beside it, its name below."""
    wide = _GAME_SPACE_MM[0]
    ink = style.ink("board.edge")
    ground = style.ink("board.fifty" if entry.amount is None else "board.cell")
    type_style = style.type("board.round")
    name = style.words(entry.name)
    if entry.amount is None:
        type_style, lines = space_name(name, type_style, wide - 3.0, tall - GAME_RING_MM - 4.0)
    else:
        type_style, line = one_line(name, type_style, wide - 3.0)
        lines = (line,)
    leading = space_leading(lines, type_style)
    step = leading * type_style.size_mm
    base = tall - 2.2 - (len(lines) - 1) * step
    middle = (base - rise_mm(lines[0], type_style)) / 2
    radius = min(GAME_RING_MM / 2, middle - 0.8)
    x = wide / 2 if entry.amount is None else 2.0 + radius
    frame, edge = rectangle_path(0, 0, wide, tall), Stroke(ink=ink, width_mm=0.45)
    items: list[Item] = [
        Path(commands=frame, fill=ground, stroke=edge),
        *_ring(x, middle, radius, 0.8, style),
        *set_lines(lines, type_style, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE),
    ]
    if entry.amount is not None:
        amount, room = title.money(entry.amount), wide - 2 * radius - 4.6
        figure = fit(amount, style.type("board.cycle"), room)
        right, level = (x + radius + wide) / 2 - 0.3, middle + figure.cap_height_mm / 2
        items += set_line(amount, figure, ink, right, level, anchor=Anchor.MIDDLE)
    return (boxed(items, 0.0, 0.0, wide, tall),)


def _export_sign(style: Style) -> tuple[Item, ...]:
    """A crossed-out engine in a box as wide as a space, from (0, 0): a train leaves the game."""
    wide, ink = _GAME_SPACE_MM[0], style.ink("board.edge")
    long, tall = locomotive_size(_ENGINE, _ENGINE_MM, style)
    x, rail = (wide - long) / 2, (_EXPORT_MM + tall) / 2
    top, reach, middle = rail - tall, long / 2 - 1.0, wide / 2
    cross = Stroke(ink=style.ink("board.ledge"), width_mm=_CROSS_MM, cap="round")
    edge = Stroke(ink=ink, width_mm=0.45)
    items: list[Item] = [
        Path(commands=rectangle_path(0, 0, wide, _EXPORT_MM), stroke=edge),
        Group(items=locomotive_items(_ENGINE, _ENGINE_MM, style), matrix=translation(x, rail)),
    ]
    for start, end in ((middle - reach, middle + reach), (middle + reach, middle - reach)):
        items.append(Path(commands=(("M", start, top), ("L", end, rail)), stroke=cross))
    return tuple(items)
