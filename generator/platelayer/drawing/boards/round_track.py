"""The round track: a space for each round with arrows between, operating rounds by phase, and cycles."""

from __future__ import annotations

import math
from collections.abc import Mapping

from platelayer.drawing.boards.game_track import draw_game_track
from platelayer.drawing.kit.panels import MARGIN_MM, board_scene, space_leading, space_name, title_items, title_size
from platelayer.drawing.kit.parts import bent_arrow, chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import CYCLE_MM, ROUND_RING_MM
from platelayer.model.title import Round, Title
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Anchor, Circle, Group, Item, Path, Scene, Stroke, rectangle_path, translation
from platelayer.scene.typeset import set_line, text_width

say = FixedWords("cards")

SPACE_MM = (33.0, 32.0)
_ARROW_MM = 9.0
_GAP_MM = 5.0
_LOOP_MM = 8.0
_LEAST_WIDE_MM = 96.0
_CYCLE_MM = (CYCLE_MM, 22.4)
_PHASE_GAP_MM = (2.0, 10.0)
_GROWN = 1.6
_ROW_EMS = 1.7
_LINE, _THIN = (0.9, 3.2), (0.5, 2.6)
"""Width of an arrow's line and length of its head, in mm: on the way that is usually taken, and off it."""
_OUTER = 0.78
"""Where the way to a round that is played once leaves the space before it, as a share of its width."""


def draw_round_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track that shows the present round, as large as its spaces need. Raises KeyError when there is none."""
    rounds = title.pieces.rounds
    if not rounds:
        raise KeyError(piece_id)
    if title.pieces.rounds_once:
        return draw_game_track(title, piece_id, style)
    words = style.words(say("rounds"))
    wide, tall = SPACE_MM
    rounds = tuple(each for each in title.pieces.rounds if each.into is None)
    first = [each for each in title.pieces.rounds if each.into is not None and each.after is None]
    row = len(rounds) * wide + (len(rounds) - 1) * _ARROW_MM
    inner = max(row, _LEAST_WIDE_MM, title.pieces.cycles * _CYCLE_MM[0])
    plate_wide, plate_tall = title_size(title, words, style, inner)
    down = MARGIN_MM + plate_tall + _GAP_MM
    left = MARGIN_MM + (inner - row) / 2
    items: list[Item] = [*title_items(title, words, style, (MARGIN_MM + (inner - plate_wide) / 2, MARGIN_MM), inner)]
    ink = style.ink("board.edge")
    places = {each.id: left + number * (wide + _ARROW_MM) for number, each in enumerate(rounds)}
    for each in first:
        x = places[each.into or ""]
        items.append(Group(items=_space(each, style, first=True), matrix=translation(x, down)))
        items += bent_arrow(
            ((x + wide / 2, down + tall + 1.0), (x + wide / 2, down + tall + _ARROW_MM - 1.0)), *_LINE, ink
        )
    down += (tall + _ARROW_MM) if first else 0.0
    for number, each in enumerate(rounds):
        x = places[each.id]
        started = bool(first) or number > 0
        items.append(Group(items=_space(each, style, first=not started), matrix=translation(x, down)))
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
    items += beside
    note, high = _note(title, style, inner)
    if note:
        items.append(Group(items=note, matrix=translation(MARGIN_MM, foot)))
        foot += high
    phases, high = _by_phase(title, style, inner)
    if phases:
        items.append(Group(items=phases, matrix=translation(MARGIN_MM, foot + 3.0)))
        foot += high + 3.0
    if title.pieces.cycles:
        cycles, high = _cycles(title.pieces.cycles, style, inner)
        items.append(Group(items=cycles, matrix=translation(MARGIN_MM, foot + 3.0)))
        foot += high + 3.0
    return board_scene(f"round-track:{piece_id}", words, (inner + 2 * MARGIN_MM, foot + MARGIN_MM), items, style)


def _beside(
    title: Title, style: Style, places: Mapping[str, float], level_mm: tuple[float, float]
) -> tuple[tuple[Item, ...], float]:
    """Rounds that are played once between two others, below the way that is usually taken, and the foot of them all.
    `places` are the left sides of the others; `level_mm` their upper side, and the foot of that way."""
    (wide, tall), ink, (down, foot) = SPACE_MM, style.ink("board.edge"), level_mm
    items: list[Item] = []
    top = foot
    for each in title.pieces.rounds:
        if each.after is None:
            continue
        source, target = places[each.after] + wide * _OUTER, places[each.into or ""] + wide * (1 - _OUTER)
        x, level = (source + target - wide) / 2, top + tall / 2
        items.append(Group(items=_space(each, style, first=True), matrix=translation(x, top)))
        side = 1 if target < source else -1
        near, far = (x + wide, x) if side > 0 else (x, x + wide)
        out = ((source, down + tall + 1.0), (source, level), (near + side * 1.0, level))
        items += bent_arrow(out, *_THIN, ink)
        items += bent_arrow(((far - side * 1.0, level), (target, level), (target, down + tall + 1.0)), *_THIN, ink)
        foot, top = top + tall, top + tall + _GAP_MM
    return tuple(items), foot


def _note(title: Title, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """The line about the rounds, centred below y = 0, and how high it is with the room above it."""
    if title.pieces.rounds_note is None:
        return (), 0.0
    kind = style.type("board.legend")
    lines = wrap_even(style.words(title.pieces.rounds_note), kind, width)
    base = 4.0 + kind.cap_height_mm
    items = set_lines(lines, kind, style.ink("board.edge"), width / 2, base, leading=1.24, anchor=Anchor.MIDDLE)
    return tuple(items), base + (len(lines) - 1) * 1.24 * kind.size_mm


def _space(each: Round, style: Style, *, first: bool) -> tuple[Item, ...]:
    """One space: a ring for the marker, the round's name below it."""
    wide, tall = SPACE_MM
    ink, gold = style.ink("board.edge"), style.ink("card.gold")
    ground = style.ink("board.fifty" if first else "board.cell")
    middle = 2.4 + ROUND_RING_MM / 2
    kind = style.type("board.round")
    room = tall - middle - ROUND_RING_MM / 2 - 1.0
    kind, lines = space_name(style.words(each.name), kind, wide - 3.0, room)
    leading = space_leading(lines, kind)
    step = leading * kind.size_mm
    centre = (middle + ROUND_RING_MM / 2 + tall) / 2
    base = centre + kind.cap_height_mm / 2 - (len(lines) - 1) * step / 2
    return (
        Path(commands=rectangle_path(0, 0, wide, tall, 2.0), fill=ground, stroke=Stroke(ink=ink, width_mm=0.5)),
        Circle(
            cx=wide / 2,
            cy=middle,
            r=ROUND_RING_MM / 2,
            fill=style.ink("board.ground"),
            stroke=Stroke(ink=ink, width_mm=0.3),
        ),
        Circle(
            cx=wide / 2, cy=middle, r=ROUND_RING_MM / 2 - 0.9, stroke=Stroke(ink=gold, width_mm=0.2, dash=(1.1, 0.8))
        ),
        *set_lines(lines, kind, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE),
    )


def _cycles(count: int, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """A row of numbered spaces for a marker, one for each cycle, and how high it is in mm."""
    wide, tall = _CYCLE_MM
    head, figure, ink = style.type("board.round"), style.type("board.cycle"), style.ink("board.edge")
    top, left = head.cap_height_mm + 2.4, (width - count * wide) / 2
    items: list[Item] = [
        *set_line(style.words(say("cycles")), head, ink, width / 2, head.cap_height_mm, anchor=Anchor.MIDDLE)
    ]
    for number in range(count):
        ground = style.ink("board.hundred" if number == count - 1 else "board.cell")
        shape = rectangle_path(left + number * wide, top, wide, tall)
        items.append(Path(commands=shape, fill=ground, stroke=Stroke(ink=ink, width_mm=0.3)))
        x, radius = left + (number + 0.5) * wide, CYCLE_MM / 2 - 1.0
        y = top + tall - radius - 1.0
        gold = Stroke(ink=style.ink("card.gold"), width_mm=0.2, dash=(1.1, 0.8))
        items.append(Circle(cx=x, cy=y, r=radius, fill=style.ink("board.ground"), stroke=gold))
        base = (top + y - radius + figure.cap_height_mm) / 2
        items += set_line(str(number + 1), figure, ink, x, base, anchor=Anchor.MIDDLE)
    outline = rectangle_path(left, top, count * wide, tall)
    items.append(Path(commands=outline, stroke=Stroke(ink=ink, width_mm=0.5)))
    return tuple(items), top + tall


def _by_phase(title: Title, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """How many operating rounds each phase has, where that changes: phases as chips, the number beside, as large as the
    width allows, because people read the track from across the table."""
    if len({phase.operating_rounds for phase in title.phases}) < 2:
        return (), 0.0
    chip, figure, head = style.type("card.chip"), style.type("card.figure"), style.type("board.round")
    ink = style.ink("board.edge")
    words = style.words(say("rounds_by_phase"))
    base = head.cap_height_mm
    items: list[Item] = list(set_line(words, head, ink, width / 2, base, anchor=Anchor.MIDDLE))
    parts = [
        (phase.id, tile_ink(phase.tiles[-1] if phase.tiles else "white", style), str(phase.operating_rounds))
        for phase in title.phases
    ]
    least, most = _PHASE_GAP_MM
    plain = math.fsum(chip_width(name, chip) + 1.0 + text_width(count, figure) for name, _, count in parts)
    grown = max(1.0, min(_GROWN, (width - least * len(parts)) / plain))
    chip, figure = chip.at(chip.size_pt * grown), figure.at(figure.size_pt * grown)
    level = base + 2.6 + chip.size_mm * 0.58
    rows = math.ceil((plain * grown + least * len(parts)) / (width + least) - 1e-6)
    each = math.ceil(len(parts) / rows)
    for start in range(0, len(parts), each):
        level += chip.size_mm * _ROW_EMS if start else 0.0
        row = parts[start : start + each]
        widths = [chip_width(name, chip) + 1.0 + text_width(count, figure) for name, _, count in row]
        gap = max(least, min(most, (width - math.fsum(widths)) / max(1, len(widths))))
        x = (width - math.fsum(widths) - gap * (len(widths) - 1)) / 2
        for (name, ground, count), wide in zip(row, widths, strict=True):
            items += chip_items(name, ground, chip, x, level)
            after = x + chip_width(name, chip) + 1.0
            number_ink = readable_on(style.ink("board.ground"))
            items += set_line(count, figure, number_ink, after, level + figure.cap_height_mm / 2)
            x += wide + gap
    return tuple(items), level + chip.size_mm * 0.58
