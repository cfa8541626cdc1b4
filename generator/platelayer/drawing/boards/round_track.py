"""The round track: a space for each round with arrows between, cycles, operating rounds by phase;
the game track."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
_BETWEEN_MM = 2.6
"""Eight sets of rounds fit Letter across, with the cut marks beside the board."""
_EXPORT_MM, _ENGINE_MM, _CROSS_MM = 10.6, 22.0, 0.8
"""How high the sign of an export is; how long the longest engine would be on it, and how thick its
cross is."""
_ENGINE = 1
_GAP_MM = 5.0
_LEAST_WIDE_MM = 96.0

SPACE_MM = (33.0, 32.0)
_ARROW_MM = 9.0
_LOOP_MM = 8.0
_ABOVE_NOTE_MM = 4.0
_CYCLE_MM = (CYCLE_MM, 22.4)
_PHASE_GAP_MM = (2.0, 10.0)
_GROWN = 1.6
_ROW_EMS = 1.7
_LINE, _THIN = (0.9, 3.2), (0.5, 2.6)
"""Width of an arrow's line and length of its head, in mm: on the way that is usually taken, and off
it."""
_FINE_MM = 0.3
"""The line around rings and numbered spaces."""
_ABOVE_PART_MM = 3.0
"""Above the numbers of rounds by phase."""
_OUTER = 0.78
"""Where the way to a round that is played once leaves the space before it, as a share of its
width."""


def draw_round_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track that shows the present round, as large as its spaces need, cycles at its right.
    Raises KeyError when there is none."""
    if not title.pieces.rounds:
        raise KeyError(piece_id)
    if title.pieces.rounds_once:
        return _draw_game_track(title, piece_id, style)
    words = style.words(card_words("rounds"))
    circuit, (wide, tall) = _is_circuit(title), SPACE_MM
    always = len([entry for entry in title.pieces.rounds if entry.into is None])
    across = math.ceil(always / 2) if circuit else always
    row = across * wide + (across - 1) * _ARROW_MM
    cycles, column, high = _cycles(
        title.pieces.cycles, style, 2 * tall + _ARROW_MM if circuit else tall + _LOOP_MM
    )
    beside = _GAP_MM * 2 + column if cycles else 0.0
    inner = max(row + beside, _LEAST_WIDE_MM)
    plate, down = title_plate(title, words, style, inner)
    down += _GAP_MM
    left = MARGIN_MM + (inner - row - beside) / 2
    rounds, foot = (_circuit if circuit else _row)(title, style, left, down)
    items: list[Item] = [*plate, *rounds]
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
    return board_scene(
        f"round-track:{piece_id}", words, (inner + 2 * MARGIN_MM, foot + MARGIN_MM), items, style
    )


def _is_circuit(title: Title) -> bool:
    """Beside cycles there is room for rounds in two rows; those that are played once need one
    row."""
    rounds = title.pieces.rounds
    return (
        bool(title.pieces.cycles)
        and len(rounds) > 2
        and all(entry.into is None for entry in rounds)
    )


def _circuit(
    title: Title, style: Style, left: float, down: float
) -> tuple[tuple[Item, ...], float]:
    """Rounds in two rows, the lower one from right to left, and the foot of both."""
    rounds, ink, (wide, tall) = title.pieces.rounds, style.ink("board.edge"), SPACE_MM
    upper, step = math.ceil(len(rounds) / 2), wide + _ARROW_MM
    low = down + tall + _ARROW_MM
    places = [(left + number * step, down) for number in range(upper)]
    places += [(left + (upper - 1 - number) * step, low) for number in range(len(rounds) - upper)]
    items: list[Item] = []
    for entry, (x, y) in zip(rounds, places, strict=True):
        items.append(
            Group(items=_space(entry, style, first=entry is rounds[0]), matrix=translation(x, y))
        )
    for x, y in places[1:upper]:
        items += bent_arrow(
            ((x - _ARROW_MM + 1.2, y + tall / 2), (x - 1.0, y + tall / 2)), *_LINE, ink
        )
    turn = places[upper][0] + wide / 2
    items += bent_arrow(((turn, down + tall + 1.2), (turn, low - 1.0)), *_LINE, ink)
    for x, y in places[upper:-1]:
        items += bent_arrow(
            ((x - 1.2, y + tall / 2), (x - _ARROW_MM + 1.0, y + tall / 2)), *_LINE, ink
        )
    last, middle = places[-1][0], left + wide / 2
    back = (
        ((last - 1.2, low + tall / 2), (middle, low + tall / 2))
        if last > left
        else ((middle, low - 1.2),)
    )
    items += bent_arrow((*back, (middle, down + tall + 1.0)), *_LINE, ink)
    return tuple(items), low + tall


def _row(title: Title, style: Style, left: float, down: float) -> tuple[tuple[Item, ...], float]:
    """Rounds in a row, those that are played once above and below it, and the foot of all."""
    ink, (wide, tall) = style.ink("board.edge"), SPACE_MM
    rounds = tuple(entry for entry in title.pieces.rounds if entry.into is None)
    first = [
        entry for entry in title.pieces.rounds if entry.into is not None and entry.after is None
    ]
    row = len(rounds) * wide + (len(rounds) - 1) * _ARROW_MM
    items: list[Item] = []
    places = {entry.id: left + number * (wide + _ARROW_MM) for number, entry in enumerate(rounds)}
    for entry in first:
        x = places[entry.into or ""]
        items.append(Group(items=_space(entry, style, first=True), matrix=translation(x, down)))
        items += bent_arrow(
            ((x + wide / 2, down + tall + 1.0), (x + wide / 2, down + tall + _ARROW_MM - 1.0)),
            *_LINE,
            ink,
        )
    down += (tall + _ARROW_MM) if first else 0.0
    for number, entry in enumerate(rounds):
        x = places[entry.id]
        started = bool(first) or number > 0
        items.append(
            Group(items=_space(entry, style, first=not started), matrix=translation(x, down))
        )
        if number:
            level = down + tall / 2
            items += bent_arrow(((x - _ARROW_MM + 1.2, level), (x - 1.0, level)), *_LINE, ink)
    foot = down + tall
    if len(rounds) > 1:
        start, end = left + row - wide / 2, left + wide / 2
        low = foot + _LOOP_MM - 2.2
        loop = ((start, foot + 1.0), (start, low), (end, low), (end, foot + 1.0))
        items += bent_arrow(loop, *_LINE, ink)
        foot += _LOOP_MM
    beside, foot = _beside(title, style, places, (down, foot))
    return (*items, *beside), foot


def _beside(
    title: Title, style: Style, places: Mapping[str, float], level_mm: tuple[float, float]
) -> tuple[tuple[Item, ...], float]:
    """Rounds that are played once between two others, below the way that is usually taken, and the
    foot of them all. `places` are the left sides of the others; `level_mm` their upper side, and
    the foot of that way."""
    (wide, tall), ink, (down, foot) = SPACE_MM, style.ink("board.edge"), level_mm
    items: list[Item] = []
    top = foot
    for entry in title.pieces.rounds:
        if entry.after is None:
            continue
        source, target = (
            places[entry.after] + wide * _OUTER,
            places[entry.into or ""] + wide * (1 - _OUTER),
        )
        x, level = (source + target - wide) / 2, top + tall / 2
        items.append(Group(items=_space(entry, style, first=True), matrix=translation(x, top)))
        side = 1 if target < source else -1
        near, far = (x + wide, x) if side > 0 else (x, x + wide)
        out = ((source, down + tall + 1.0), (source, level), (near + side * 1.0, level))
        items += bent_arrow(out, *_THIN, ink)
        items += bent_arrow(
            ((far - side * 1.0, level), (target, level), (target, down + tall + 1.0)), *_THIN, ink
        )
        foot, top = top + tall, top + tall + _GAP_MM
    return tuple(items), foot


def _space(entry: Round, style: Style, *, first: bool) -> tuple[Item, ...]:
    """One space: a ring for the marker, the round's name below it."""
    wide, tall = SPACE_MM
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
    low = (
        base + (len(lines) - 1) * step - ink_height(lines[-1], type_style.beside("".join(lines)))[0]
    )
    base -= max(0.0, low - tall + INSET_MM / 2)
    return (
        Path(
            commands=rectangle_path(0, 0, wide, tall, 2.0),
            fill=ground,
            stroke=Stroke(ink=ink, width_mm=0.5),
        ),
        *_ring((wide / 2, middle), ROUND_RING_MM / 2, 0.9, style),
        boxed(
            set_lines(
                lines, type_style, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE
            ),
            0,
            0,
            wide,
            tall,
        ),
    )


def _ring(
    middle: tuple[float, float], radius: float, inset: float, style: Style
) -> tuple[Circle, Circle]:
    """Where a marker lies, with a line of gold inside."""
    x, y = middle
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
    head, figure, ink = (
        style.type("board.round"),
        style.type("board.cycle"),
        style.ink("board.edge"),
    )
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
        items.append(Path(commands=shape, fill=ground, stroke=Stroke(ink=ink, width_mm=_FINE_MM)))
        x, radius = at + wide / 2, CYCLE_MM / 2 - 1.0
        y = above + tall - radius - 1.0
        items.append(
            Circle(cx=x, cy=y, r=radius, fill=style.ink("board.ground"), stroke=_gold(style))
        )
        base = (above + y - radius + figure.cap_height_mm) / 2
        numeral = set_line(str(number + 1), figure, ink, x, base, anchor=Anchor.MIDDLE)
        items.append(boxed(numeral, at, above, wide, tall))
    return tuple(items), width, top + math.ceil(count / columns) * tall


def _by_phase(title: Title, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """How many operating rounds each phase has, where that changes: phases as chips, the number
    beside, as large as the width allows, because people read the track from across the table."""
    if len({phase.operating_rounds for phase in title.phases}) < 2:
        return (), 0.0
    chip, figure, head = (
        style.type("card.chip"),
        style.type("card.figure"),
        style.type("board.round"),
    )
    ink = style.ink("board.edge")
    words = style.words(card_words("rounds_by_phase"))
    base = head.cap_height_mm
    items: list[Item] = list(set_line(words, head, ink, width / 2, base, anchor=Anchor.MIDDLE))
    parts = [
        (
            phase.id,
            tile_ink(phase.tiles[-1] if phase.tiles else "white", style),
            str(phase.operating_rounds),
        )
        for phase in title.phases
    ]
    least, most = _PHASE_GAP_MM
    plain = math.fsum(
        chip_width(name, chip) + 1.0 + text_width(count, figure) for name, _, count in parts
    )
    grown = max(1.0, min(_GROWN, (width - least * len(parts)) / plain))
    chip, figure = chip.at(chip.size_pt * grown), figure.at(figure.size_pt * grown)
    level = base + 2.6 + chip.size_mm * 0.58
    rows = math.ceil((plain * grown + least * len(parts)) / (width + least) - 1e-6)
    per_row = math.ceil(len(parts) / rows)
    for start in range(0, len(parts), per_row):
        level += chip.size_mm * _ROW_EMS if start else 0.0
        row = parts[start : start + per_row]
        widths = [
            chip_width(name, chip) + 1.0 + text_width(count, figure) for name, _, count in row
        ]
        gap = max(least, min(most, (width - math.fsum(widths)) / max(1, len(widths))))
        x = (width - math.fsum(widths) - gap * (len(widths) - 1)) / 2
        for (name, ground, count), wide in zip(row, widths, strict=True):
            items += chip_items(name, ground, chip, x, level)
            after = x + chip_width(name, chip) + 1.0
            number_ink = readable_on(style.ink("board.ground"))
            items += set_line(count, figure, number_ink, after, level + figure.cap_height_mm / 2)
            x += wide + gap
    return tuple(items), level + chip.size_mm * 0.58


def _draw_game_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track as large as its rounds need; a marker of up to 14 mm lies in the ring of each
    space."""
    columns = _columns(title.pieces.rounds)
    words = style.words(card_words("game_track"))
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
            items.append(
                Group(items=_game_space(title, entry, style, high), matrix=translation(x, y))
            )
            y += high
            if entry.export:
                items.append(Group(items=_export_sign(style), matrix=translation(x, y)))
                y += _EXPORT_MM
        if number:
            items.append(
                arrow(x - _BETWEEN_MM / 2, down + _HEAD_MM / 2, 3.6, 0.0, style.ink("board.edge"))
            )
        foot = max(foot, y)
    note, high = board_note(title.pieces.rounds_note, style, inner, above_mm=_GAP_MM, even=False)
    items.append(Group(items=note, matrix=translation(MARGIN_MM, foot)))
    return board_scene(
        f"round-track:{piece_id}",
        words,
        (inner + 2 * MARGIN_MM, foot + high + MARGIN_MM),
        items,
        style,
    )


def _columns(rounds: Sequence[Round]) -> list[list[Round]]:
    """Rounds in columns, each of which begins with a round without an amount."""
    columns: list[list[Round]] = []
    for entry in rounds:
        if entry.amount is None or not columns:
            columns.append([])
        columns[-1].append(entry)
    return columns


def _game_space(title: Title, entry: Round, style: Style, tall: float) -> tuple[Item, ...]:
    """One space: a ring for the marker, what the round is worth beside it, its name below."""
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
    items: list[Item] = [
        Path(
            commands=rectangle_path(0, 0, wide, tall),
            fill=ground,
            stroke=Stroke(ink=ink, width_mm=0.45),
        ),
        *_ring((x, middle), radius, 0.8, style),
        *set_lines(lines, type_style, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE),
    ]
    if entry.amount is not None:
        room = wide - 2 * radius - 4.6
        figure = fit(title.money(entry.amount), style.type("board.cycle"), room)
        right = (x + radius + wide) / 2 - 0.3
        level = middle + figure.cap_height_mm / 2
        items += set_line(
            title.money(entry.amount), figure, ink, right, level, anchor=Anchor.MIDDLE
        )
    return (boxed(items, 0.0, 0.0, wide, tall),)


def _export_sign(style: Style) -> tuple[Item, ...]:
    """A crossed-out engine in a box as wide as a space, from (0, 0): a train leaves the game."""
    wide, ink = _GAME_SPACE_MM[0], style.ink("board.edge")
    long, tall = locomotive_size(_ENGINE, _ENGINE_MM, style)
    x, rail = (wide - long) / 2, (_EXPORT_MM + tall) / 2
    top, reach = rail - tall, long / 2 - 1.0
    middle = wide / 2
    cross = Stroke(ink=style.ink("board.ledge"), width_mm=_CROSS_MM, cap="round")
    return (
        Path(
            commands=rectangle_path(0, 0, wide, _EXPORT_MM), stroke=Stroke(ink=ink, width_mm=0.45)
        ),
        Group(items=locomotive_items(_ENGINE, _ENGINE_MM, style), matrix=translation(x, rail)),
        *(
            Path(
                commands=(("M", middle - side * reach, top), ("L", middle + side * reach, rail)),
                stroke=cross,
            )
            for side in (1, -1)
        ),
    )
