"""The game track: a column for each set of rounds, with what each round is worth."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.panels import MARGIN_MM, board_scene, space_leading, space_name, title_items, title_size
from platelayer.drawing.kit.parts import arrow
from platelayer.drawing.kit.rich_text import set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.bays import GAME_RING_MM
from platelayer.model.title import Round, Title
from platelayer.scene.shapes import Anchor, Circle, Group, Item, Path, Scene, Stroke, rectangle_path, translation
from platelayer.scene.typeset import fit, rise_mm, set_line

say = FixedWords("cards")

SPACE_MM = (27.2, 26.0)
_HEAD_MM = 24.6
_BETWEEN_MM = 2.6
"""Eight sets of rounds fit Letter across, with the cut marks beside the board."""
_EXPORT_MM, _ENGINE_MM, _CROSS_MM = 10.6, 22.0, 0.8
"""How high the sign of an export is; how long the longest engine would be on it, and how thick its cross is."""
_ENGINE = 1
_GAP_MM = 5.0
_LEAST_WIDE_MM = 96.0


def draw_game_track(title: Title, piece_id: str, style: Style) -> Scene:
    """The track as large as its rounds need; a marker of up to 14 mm lies in the ring of each space."""
    columns = _columns(title.pieces.rounds)
    words = style.words(say("game_track"))
    wide, tall = SPACE_MM
    row = len(columns) * wide + (len(columns) - 1) * _BETWEEN_MM
    inner = max(row, _LEAST_WIDE_MM)
    plate_wide, plate_tall = title_size(title, words, style, inner)
    down = MARGIN_MM + plate_tall + _GAP_MM
    left = MARGIN_MM + (inner - row) / 2
    items: list[Item] = [*title_items(title, words, style, (MARGIN_MM + (inner - plate_wide) / 2, MARGIN_MM), inner)]
    foot = down
    for number, column in enumerate(columns):
        x, y = left + number * (wide + _BETWEEN_MM), down
        for each in column:
            high = _HEAD_MM if each.amount is None else tall
            items.append(Group(items=_space(title, each, style, high), matrix=translation(x, y)))
            y += high
            if each.export:
                items.append(Group(items=_export_sign(style), matrix=translation(x, y)))
                y += _EXPORT_MM
        if number:
            items.append(arrow(x - _BETWEEN_MM / 2, down + _HEAD_MM / 2, 3.6, 0.0, style.ink("board.edge")))
        foot = max(foot, y)
    note, high = _note(title, style, inner)
    items.append(Group(items=note, matrix=translation(MARGIN_MM, foot)))
    return board_scene(f"round-track:{piece_id}", words, (inner + 2 * MARGIN_MM, foot + high + MARGIN_MM), items, style)


def _columns(rounds: Sequence[Round]) -> list[list[Round]]:
    """Rounds in columns, each of which begins with a round without an amount."""
    columns: list[list[Round]] = []
    for each in rounds:
        if each.amount is None or not columns:
            columns.append([])
        columns[-1].append(each)
    return columns


def _space(title: Title, each: Round, style: Style, tall: float) -> tuple[Item, ...]:
    """One space: a ring for the marker, what the round is worth beside it, its name below."""
    wide = SPACE_MM[0]
    ink, gold = style.ink("board.edge"), style.ink("card.gold")
    ground = style.ink("board.fifty" if each.amount is None else "board.cell")
    kind = style.type("board.round")
    name = style.words(each.name)
    if each.amount is None:
        kind, lines = space_name(name, kind, wide - 3.0, tall - GAME_RING_MM - 4.0)
    else:
        kind, line = one_line(name, kind, wide - 3.0)
        lines = (line,)
    leading = space_leading(lines, kind)
    step = leading * kind.size_mm
    base = tall - 2.2 - (len(lines) - 1) * step
    middle = (base - rise_mm(lines[0], kind)) / 2
    radius = min(GAME_RING_MM / 2, middle - 0.8)
    x = wide / 2 if each.amount is None else 2.0 + radius
    items: list[Item] = [
        Path(commands=rectangle_path(0, 0, wide, tall), fill=ground, stroke=Stroke(ink=ink, width_mm=0.45)),
        Circle(cx=x, cy=middle, r=radius, fill=style.ink("board.ground"), stroke=Stroke(ink=ink, width_mm=0.3)),
        Circle(cx=x, cy=middle, r=radius - 0.8, stroke=Stroke(ink=gold, width_mm=0.2, dash=(1.1, 0.8))),
        *set_lines(lines, kind, ink, wide / 2, base, leading=leading, anchor=Anchor.MIDDLE),
    ]
    if each.amount is not None:
        room = wide - 2 * radius - 4.6
        figure = fit(title.money(each.amount), style.type("board.cycle"), room)
        right = (x + radius + wide) / 2 - 0.3
        level = middle + figure.cap_height_mm / 2
        items += set_line(title.money(each.amount), figure, ink, right, level, anchor=Anchor.MIDDLE)
    return tuple(items)


def _export_sign(style: Style) -> tuple[Item, ...]:
    """A crossed-out engine in a box as wide as a space, from (0, 0): a train leaves the game."""
    wide, ink = SPACE_MM[0], style.ink("board.edge")
    long, tall = locomotive_size(_ENGINE, _ENGINE_MM)
    x, rail = (wide - long) / 2, (_EXPORT_MM + tall) / 2
    top, reach = rail - tall, long / 2 - 1.0
    middle = wide / 2
    cross = Stroke(ink=style.ink("board.ledge"), width_mm=_CROSS_MM, cap="round")
    return (
        Path(commands=rectangle_path(0, 0, wide, _EXPORT_MM), stroke=Stroke(ink=ink, width_mm=0.45)),
        Group(items=locomotive_items(_ENGINE, _ENGINE_MM, style), matrix=translation(x, rail)),
        *(
            Path(commands=(("M", middle - side * reach, top), ("L", middle + side * reach, rail)), stroke=cross)
            for side in (1, -1)
        ),
    )


def _note(title: Title, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    """The line about the rounds, centred below a foot at y = 0, and how high it is with the room above it."""
    if title.pieces.rounds_note is None:
        return (), 0.0
    kind = style.type("board.legend")
    lines = wrap_within(style.words(title.pieces.rounds_note), kind, width)
    base = _GAP_MM + kind.cap_height_mm
    items = set_lines(lines, kind, style.ink("board.edge"), width / 2, base, leading=1.24, anchor=Anchor.MIDDLE)
    return tuple(items), base + (len(lines) - 1) * 1.24 * kind.size_mm
