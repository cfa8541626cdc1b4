"""Train cards: one face, or several that you read by turning the card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kinds import CARD_SAFE_MM
from platelayer.drawing.kit.parts import card_scene, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.face import face_items
from platelayer.drawing.train.spot import FaceSpot, Insets
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Scene,
    Stroke,
    multiply,
    rectangle_path,
    rotation,
    translation,
)

say = FixedWords("cards")

_INNER_MM = 1.3


class _Panel(Struct, frozen=True, kw_only=True):
    """The part of a card that shows one face: where its own upper left lies, how it is turned, its size, and how far
    each of its sides keeps clear."""

    matrix: Matrix
    width: float
    height: float
    insets: Insets


def draw_train(title: Title, piece_id: str, style: Style) -> Scene:
    """The front of the card of train `piece_id`, in the title's size for trains. Raises KeyError for an unknown train.

    One face fills the card. Two lie head to head: the card is turned half round. A third lies on the right, read when
    the card is turned a quarter; further ones make rows.
    """
    return draw_train_side(title, piece_id, style, back=False)


def draw_train_side(title: Title, piece_id: str, style: Style, *, back: bool) -> Scene:
    """The front of a train card, or the back of one that has trains there."""
    train = title.train_of_card(piece_id)
    if piece_id != train.id and train.option is not None:
        train = replace(train, faces=tuple(replace(face, note=train.option) for face in train.faces))
    faces = train.sides[1 if back else 0]
    size = title.pieces.size("train", piece_id)
    width, height = size.width_mm, size.height_mm
    panels = _panels(len(faces), width, height)
    items: list[Item] = [ground(width, height, BLEED_MM, style.ink("card.ground"))]
    for panel, face in zip(panels, faces, strict=True):
        spot = FaceSpot(
            title=title,
            train=train,
            face=face,
            style=style,
            width=panel.width,
            height=panel.height,
            insets=panel.insets,
        )
        b = BLEED_MM
        reach = [b if inset == CARD_SAFE_MM else 0.0 for inset in panel.insets]
        clip = rectangle_path(
            -reach[0], -reach[1], panel.width + reach[0] + reach[2], panel.height + reach[1] + reach[3]
        )
        items.append(Group(items=face_items(spot), matrix=panel.matrix, clip=clip))
    edge = Stroke(ink=style.ink("card.rule"), width_mm=0.2, dash=(0.9, 0.7))
    items += [Path(commands=(("M", *a), ("L", *b)), stroke=edge) for a, b in _seams(len(faces), width, height)]
    label = f"{style.words(say('train'))} {' / '.join(face.name for face in faces)}"
    return card_scene(f"train:{piece_id}{':back' if back else ''}", label, width, height, items)


def _side(width: float, height: float) -> float:
    """Width in mm of the strip of a third face."""
    return min(height * 0.48, width * 0.34)


def _panels(count: int, width: float, height: float) -> Sequence[_Panel]:
    out, inn = CARD_SAFE_MM, _INNER_MM
    if count == 1:
        return (_Panel(matrix=translation(0, 0), width=width, height=height, insets=(out, out, out, out)),)
    if count > 3:
        tall = height / count
        tops = [out, *([inn] * (count - 1))]
        bottoms = [*([inn] * (count - 1)), out]
        return [
            _Panel(
                matrix=translation(0, tall * row), width=width, height=tall, insets=(out, tops[row], out, bottoms[row])
            )
            for row in range(count)
        ]
    side = _side(width, height) if count == 3 else 0.0
    wide, half = width - side, height / 2
    inner = inn if side else out
    turned = multiply(translation(wide, height), rotation(180))
    panels = [
        _Panel(matrix=translation(0, 0), width=wide, height=half, insets=(out, out, inner, inn)),
        _Panel(matrix=turned, width=wide, height=half, insets=(inner, out, out, inn)),
    ]
    if side:
        quarter = multiply(translation(width, 0), rotation(90))
        panels.append(_Panel(matrix=quarter, width=height, height=side, insets=(out, out, out, inn)))
    return panels


def _seams(count: int, width: float, height: float) -> Sequence[tuple[Point, Point]]:
    """Lines between the faces of a card."""
    if count == 1:
        return ()
    if count > 3:
        tops = [height * row / count for row in range(count + 1)]
        return [((0.0, lower), (width, lower)) for _, lower in pairwise(tops) if lower < height - 0.01]
    side = _side(width, height) if count == 3 else 0.0
    level = ((0.0, height / 2), (width - side, height / 2))
    return (level, ((width - side, 0.0), (width - side, height))) if side else (level,)
