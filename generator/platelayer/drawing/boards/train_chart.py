"""The train chart: a space for each kind of train card, in the order of sale."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from platelayer.drawing.boards.market import MOST_MM
from platelayer.drawing.kit.panels import MARGIN_MM, board_scene, title_items, title_size
from platelayer.drawing.kit.parts import chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.facts import band_colour, colour_of_name, rusted_by
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.model.train import Train
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import Anchor, Group, Item, Path, Scene, Stroke, rectangle_path, translation
from platelayer.scene.typeset import set_centred, set_line, text_width

say = FixedWords("cards")

_ROOM_MM = 0.6
"""How much longer and wider a space is than a card."""
_HEAD_MM = 7.6
_GAP_MM = 3.0
_NAME_PT = 34.0


class _Space(Struct, frozen=True, kw_only=True):
    """What stands above a space, from (0, 0), and in it: words, and the ink of the train's colour."""

    head: tuple[Item, ...]
    words: str
    ink: Ink


def draw_train_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The board, with spaces as large as the title's train cards and as many in a row as fit a page. Raises KeyError
    when there is none."""
    if title.pieces.train_chart is None:
        raise KeyError(piece_id)
    words = style.words(say("train_chart"))
    card = title.pieces.size("train")
    wide, tall = card.width_mm + _ROOM_MM, card.height_mm + _ROOM_MM
    spaces = tuple(_spaces(title, style, wide))
    columns = max(1, min(len(spaces), int((MOST_MM[0] - 2 * MARGIN_MM + _GAP_MM) // (wide + _GAP_MM))))
    rows = -(-len(spaces) // columns)
    inner = columns * (wide + _GAP_MM) - _GAP_MM
    plate_wide, plate_tall = title_size(title, words, style, inner)
    items: list[Item] = [*title_items(title, words, style, (MARGIN_MM + (inner - plate_wide) / 2, MARGIN_MM), inner)]
    down = MARGIN_MM + plate_tall + 1.0
    for number, space in enumerate(spaces):
        x = MARGIN_MM + number % columns * (wide + _GAP_MM)
        y = down + number // columns * (_HEAD_MM + tall + _GAP_MM)
        items.append(Group(items=_items(space, wide, tall, style), matrix=translation(x, y)))
    height = down + rows * (_HEAD_MM + tall + _GAP_MM) - _GAP_MM + MARGIN_MM
    return board_scene(f"train-chart:{piece_id}", words, (inner + 2 * MARGIN_MM, height), items, style)


def _spaces(title: Title, style: Style, wide: float) -> Iterator[_Space]:
    for train in title.trains:
        name = " / ".join(face.name for face in train.faces)
        yield _Space(head=_head(title, train, style, wide), words=name, ink=tile_ink(band_colour(title, train), style))
    assert title.pieces.train_chart is not None
    for text in title.pieces.train_chart.spaces:
        yield _Space(head=(), words=style.words(text), ink=style.ink("board.ground"))


def _head(title: Title, train: Train, style: Style, wide: float) -> tuple[Item, ...]:
    """The price and how many there are at the left; at the right the trains that it removes."""
    face, strong, chip = train.faces[0], style.type("board.cycle"), style.type("card.chip")
    ink, level = style.ink("board.edge"), _HEAD_MM - 3.2
    base = level + strong.cap_height_mm / 2
    items: list[Item] = []
    price = f"{title.money(face.price)}   × {train.printed}"
    items += set_line(price, strong, ink, 0.0, base)
    x = wide
    for name in reversed(rusted_by(title, train, face)):
        x -= chip_width(name, chip)
        items += chip_items(name, tile_ink(colour_of_name(title, name), style), chip, x, level)
        x -= 1.0
    if x < wide:
        small = style.type("board.round")
        label = style.words(say("rusts"))
        left = x - 0.6 - text_width(label, small)
        items += set_line(label, small, ink, left, level + small.cap_height_mm / 2)
    return tuple(items)


def _items(space: _Space, wide: float, tall: float, style: Style) -> tuple[Item, ...]:
    """The head, and below it the space with its name on a band of the train's colour, seen when no card is left."""
    ink, big = style.ink("board.edge"), style.type("board.title").at(_NAME_PT)
    edge = Stroke(ink=ink, width_mm=0.5)
    frame = rectangle_path(0, _HEAD_MM, wide, tall, 2.0)
    middle = _HEAD_MM + tall / 2
    if not space.head:
        small = style.type("board.round")
        lines = wrap_even(space.words, small, wide - 8.0)
        base = middle + small.cap_height_mm / 2 - (len(lines) - 1) * 0.58 * small.size_mm
        words = set_lines(lines, small, ink, wide / 2, base, leading=1.16, anchor=Anchor.MIDDLE)
        return (Path(commands=frame, fill=space.ink, stroke=edge), *words)
    plate = rectangle_path(wide * 0.3, middle - 8.5, wide * 0.4, 17.0, 2.0)
    return (
        Path(commands=frame, fill=style.ink("board.cell"), stroke=edge),
        Path(commands=plate, fill=space.ink, stroke=Stroke(ink=ink, width_mm=0.2)),
        *set_centred(space.words, big, readable_on(space.ink), wide / 2, middle),
        *space.head,
    )
