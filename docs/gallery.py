"""The pictures of the gallery: a game in play in README, and of each title a part of its map with a
hand of its certificates, and the table with boards, charters and cards in their places."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from box import Box
from played_pictures import Game, drawn, title_with_map
from table import BOARD_MM, FOLDER, Photo, laid

from platelayer.drawing.kit.surfaces import STRIP_MM
from platelayer.model.gamemap import corner_points
from platelayer.model.manifest import CARD_PLAY_MM, CYCLE_MM, GAME_RING_MM, ROUND_RING_MM
from platelayer.model.position import Position
from platelayer.scene.flatten import FlatShape, flatten_scene
from platelayer.scene.inks import WHITE
from platelayer.scene.shapes import (
    IDENTITY,
    Group,
    Item,
    Items,
    Matrix,
    Scene,
    Use,
    apply,
    circle_path,
    multiply,
    polygon_path,
    rectangle_path,
    shifted,
)

_SAME_MM = 0.3
_SLOTS_MM = (11.0, 14.0)
"""Widths of slots, from the narrowest on tiles to those of charters."""
_TOKEN_MM = (9.0, 13.5)
"""Widths of tokens on maps."""


@dataclass(frozen=True, slots=True)
class Lay:
    """A piece on the table: its middle in mm, turned clockwise in degrees, and what lies on it:
    "token:SX > slot 2", "train:3 > train 1", "token:SX-market > price 80", "certificate:SX-10 > bay
    4", "marker:round > ring 2", all counted from 1 as one reads."""

    key: str
    x: float
    y: float
    turned: float = 0.0
    on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fan:
    """Cards in a hand, from the one below: the point that they turn about, the radius to their
    middles, and the angles of the first and the last."""

    keys: str
    about: tuple[float, float]
    radius: float = 190.0
    angles: tuple[float, float] = (-22.0, 22.0)

    def lays(self) -> Iterator[Lay]:
        """The cards."""
        keys, (first, last) = self.keys.split(), self.angles
        for number, key in enumerate(keys):
            angle = first + (last - first) * number / max(1, len(keys) - 1)
            sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
            x, y = self.about
            yield Lay(key, x + self.radius * sine, y - self.radius * cosine, angle)


@dataclass(frozen=True, kw_only=True)
class View:
    """A picture: the map of a title in play, paused after some lays of a game of chance
    (played_pictures), as far as it shows round a hex that lies at a place, and pieces."""

    title: str
    language: str = "en"
    size_mm: tuple[float, float]
    width_px: int
    game: tuple[int, int]
    middle: str
    at: tuple[float, float]
    board_mm: tuple[float, float] = (0.0, 0.0)
    """The part of the table that the map covers, from the upper left; all of it by default."""
    pieces: tuple[Lay | Fan, ...]

    @cached_property
    def box(self) -> Box:
        """The contents of its box."""
        return Box(self.title, self.language)

    @cached_property
    def played(self) -> tuple[Scene, Position]:
        """The map in play, and the position."""
        title = title_with_map(self.title)
        position = Game(title, self.game[0]).position(self.game[1])
        return drawn(title, position, self.language), position

    def photo(self) -> Photo:
        """The picture."""
        photo = Photo(*self.size_mm, width_px=self.width_px)
        scene, position = self.played
        places = {hex_id: (x, y) for hex_id, x, y in scene.places}
        x, y = places[self.middle]
        shift = (self.at[0] - x, self.at[1] - y)
        wide, tall = (
            own or whole + 1.0 for own, whole in zip(self.board_mm, self.size_mm, strict=True)
        )

        def part(name: str, items: Sequence[Item]) -> Scene:
            board = Group(
                items=(shifted(tuple(items), *shift),), clip=rectangle_path(0, 0, wide, tall)
            )
            return Scene(key=name, width_mm=wide, height_mm=tall, items=(board,))

        layout = title_with_map(self.title).maps[0].layout
        tiles = [
            polygon_path([(px + cx, py + cy) for px, py in corner_points(layout, 38.1)])
            for cx, cy in (places[hex_id] for hex_id, _ in position.tiles)
        ]
        held = [places[hex_id] for hex_id, _ in position.tokens]
        tokens = [
            circle_path(cx, cy, across / 2)
            for cx, cy, across in _discs(scene)
            if any(math.dist((cx, cy), at) < 19.0 for at in held)
        ]
        middle = (wide / 2, tall / 2)
        photo.lay(part("board", (Use(scene=scene),)), middle, high=BOARD_MM)
        for name, outlines, high in (("tiles", tiles, 1.2), ("tokens", tokens, 1.0)):
            cut = [Group(items=(Use(scene=scene),), clip=outline) for outline in outlines]
            photo.lay(part(name, cut), middle, high=high)
        for piece in self.pieces:
            for lay in piece.lays() if isinstance(piece, Fan) else (piece,):
                photo.lay(
                    dressed(self.box.scene(lay.key), lay.on, self.box.scene),
                    (lay.x, lay.y),
                    turned=lay.turned,
                )
        return photo


def _discs(scene: Scene) -> Iterator[tuple[float, float, float]]:
    """Middles and widths of the tokens on a map: discs with a rim that are not white, as slots are."""
    least, most = _TOKEN_MM
    for shape in flatten_scene(scene)[0]:
        left, top, right, bottom = shape.bounds
        wide, tall = right - left, bottom - top
        if (
            shape.line
            and shape.fill not in (None, WHITE)
            and abs(wide - tall) < 0.05
            and least <= wide <= most
        ):
            yield (left + right) / 2, (top + bottom) / 2, wide


def dressed(scene: Scene, laid_on: Sequence[str], pieces: Callable[[str], Scene]) -> Scene:
    """A piece with what lies on it. Raises ValueError for a place that it has not."""
    items: list[Item] = []
    for each in reversed(laid_on):  # the first train lies on top of the others
        key, _, place = each.partition(" > ")
        piece = pieces(key)
        x, y = _place(scene, place, piece)
        items.append(laid(piece, x - piece.width_mm / 2, y - piece.height_mm / 2))
    return Scene(
        key=f"on:{scene.key}",
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        items=(Use(scene=scene), *items),
        outline=scene.outline,
    )


def _place(scene: Scene, place: str, piece: Scene) -> tuple[float, float]:
    """The middle of a place, in mm from the upper left of the scene."""
    kind, _, which = place.partition(" ")
    if kind == "price":
        return _space(scene, which)
    if kind == "bay":
        found = sorted(_bays(scene.items), key=lambda at: (round(at[1] / 8), at[0]))
    else:
        found = list(_PLACES[kind](flatten_scene(scene)[0], piece))
    if not which.isdecimal() or not 1 <= int(which) <= len(found):
        raise ValueError(
            f"{scene.key} has {len(found)} places for {piece.key}: there is no {place!r}"
        )
    return found[int(which) - 1]


def _slots(shapes: Sequence[FlatShape], piece: Scene) -> Iterator[tuple[float, float]]:
    """Slots that a token lies in, in reading order."""
    least, most = _SLOTS_MM
    yield from _rounds(shapes, least, max(most, piece.width_mm + 1.0))


def _rings(shapes: Sequence[FlatShape], _piece: Scene) -> Iterator[tuple[float, float]]:
    sizes = (ROUND_RING_MM, GAME_RING_MM, CYCLE_MM - 2.0)
    for size in sizes:
        yield from _rounds(shapes, size - _SAME_MM, size + 2 * _SAME_MM)


def _rounds(
    shapes: Sequence[FlatShape], least: float, most: float
) -> Iterator[tuple[float, float]]:
    """Middles of circles of some sizes, each once, row by row."""
    found: list[tuple[float, float]] = []
    for shape in shapes:
        left, top, right, bottom = shape.bounds
        wide, tall = right - left, bottom - top
        if abs(wide - tall) > _SAME_MM / 2 or not least <= wide <= most:
            continue
        middle = ((left + right) / 2, (top + bottom) / 2)
        if all(math.dist(middle, other) > 2 * _SAME_MM for other in found):
            found.append(middle)
    yield from sorted(found, key=lambda at: (round(at[1] / 4), at[0]))


def _trains(shapes: Sequence[FlatShape], piece: Scene) -> Iterator[tuple[float, float]]:
    """Places for trains on a charter, from the first, which lies on top."""
    size = (piece.width_mm + CARD_PLAY_MM, piece.height_mm + CARD_PLAY_MM)
    yield from sorted(
        _frames(shapes, lambda wide, tall: abs(wide - size[0]) < 1.0 and abs(tall - size[1]) < 1.0)
    )


def _bays(items: Items, matrix: Matrix = IDENTITY) -> Iterator[tuple[float, float]]:
    """Places for cards on a board: those that it declares."""
    for item in items:
        if isinstance(item, Group):
            inner = multiply(matrix, item.matrix)
            if item.place and item.box:
                (left, top), (right, bottom) = (
                    apply(inner, item.box[:2]),
                    apply(inner, item.box[2:]),
                )
                if right - left > 40 and bottom - top > 30:
                    yield (left + right) / 2, (top + bottom) / 2
            yield from _bays(item.items, inner)


def _frames(
    shapes: Sequence[FlatShape], fits: Callable[[float, float], bool]
) -> Iterator[tuple[float, float]]:
    seen: list[tuple[float, float]] = []
    for shape in shapes:
        left, top, right, bottom = shape.bounds
        middle = ((left + right) / 2, (top + bottom) / 2)
        if fits(right - left, bottom - top) and all(
            math.dist(middle, other) > _SAME_MM for other in seen
        ):
            seen.append(middle)
            yield middle


def _space(scene: Scene, number: str) -> tuple[float, float]:
    """Below the strip of the space that shows a number: the smallest shape round the number that
    holds a marker."""
    shapes, texts = flatten_scene(scene)
    for text in texts:
        if text.run.text.replace(" ", "") != number.replace(" ", ""):
            continue
        x, y = (text.bounds[0] + text.bounds[2]) / 2, (text.bounds[1] + text.bounds[3]) / 2
        around = [
            shape.bounds
            for shape in shapes
            if shape.bounds[0] <= x <= shape.bounds[2]
            and shape.bounds[1] <= y <= shape.bounds[3]
            and min(shape.bounds[2] - shape.bounds[0], shape.bounds[3] - shape.bounds[1]) > 12.0
        ]
        left, top, right, bottom = min(
            around, key=lambda box: (box[2] - box[0]) * (box[3] - box[1])
        )
        return (left + right) / 2, (top + STRIP_MM + bottom) / 2
    raise ValueError(f"{scene.key} has no space {number!r}")


_PLACES: Mapping[str, Callable[[Sequence[FlatShape], Scene], Iterator[tuple[float, float]]]] = {
    "slot": _slots,
    "ring": _rings,
    "train": _trains,
}


_HERO_PX, _DETAIL_PX, _TABLE_PX = 2400, 1500, 2400
_DETAIL_MM, _TABLE_MM = (254.0, 168.0), (520.0, 360.0)
"""At 1,500 pixels, 150 to the inch."""
_HAND = (127.0, 302.0)

VIEWS = {
    "hero": View(
        title="1841",
        size_mm=(320.0, 200.0),
        width_px=_HERO_PX,
        game=(113, 60),
        middle="M7",
        at=(150.0, 94.0),
        pieces=(
            Lay("certificate:SFLi-10", 84.0, 166.0, -7.0),
            Lay("certificate:SFTG-director", 156.0, 158.0, 4.0),
            Lay("train:4", 232.0, 170.0, -5.0),
        ),
    ),
    "gallery-18cz": View(
        title="18cz",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(41, 50),
        middle="E13",
        at=(127.0, 70.0),
        pieces=(
            Fan(
                "certificate:SX-10 certificate:BN-20 certificate:EKJ-25 "
                "certificate:PR-10 certificate:kk-director",
                _HAND,
            ),
        ),
    ),
    "gallery-1841": View(
        title="1841",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(3, 44),
        middle="F8",
        at=(90.0, 62.0),
        pieces=(
            Fan(
                "private:3 certificate:SFTG-10 certificate:SFLi-10 "
                "certificate:SFMA-20 certificate:IRSFF-director",
                _HAND,
            ),
        ),
    ),
    "gallery-18eu": View(
        title="18eu",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(34, 55),
        middle="H7",
        at=(127.0, 70.0),
        pieces=(
            Fan(
                "certificate:FS-10 certificate:RPR-10 certificate:GSR-10 "
                "certificate:BNR-10 certificate:SNCF-director",
                _HAND,
            ),
        ),
    ),
    "gallery-1824": View(
        title="1824",
        language="ja",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(5, 55),
        middle="F11",
        at=(127.0, 70.0),
        pieces=(
            Fan(
                "private:B1 certificate:UG-10 certificate:KK-10 "
                "certificate:BH-10 certificate:SD-director",
                _HAND,
            ),
        ),
    ),
    "gallery-lost-atlas": View(
        title="lost-atlas",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(7, 34),
        middle="L9",
        at=(127.0, 70.0),
        pieces=(
            Fan(
                "destination-card:A certificate:AD-20 certificate:SU-20 "
                "certificate:TU-director certificate:CON-director",
                _HAND,
            ),
        ),
    ),
    "gallery-japanese": View(
        title="1841",
        language="ja",
        size_mm=_DETAIL_MM,
        width_px=_DETAIL_PX,
        game=(3, 44),
        middle="M11",
        at=(127.0, 60.0),
        pieces=(
            Lay("charter:SFMA", 98.0, 50.0, -3.0, ("train:3 > train 1", "token:SFMA > slot 2")),
            Lay("summary:merger", 218.0, 84.0, 5.0),
            Lay("private:3", 52.0, 126.0, -8.0),
            Lay("train:8", 210.0, 138.0, 7.0),
            Lay("certificate:SSFL-director", 132.0, 126.0, 2.0),
        ),
    ),
    "table-18cz": View(
        title="18cz",
        size_mm=_TABLE_MM,
        width_px=_TABLE_PX,
        game=(41, 50),
        middle="E13",
        at=(150.0, 105.0),
        board_mm=(322.0, 210.0),
        pieces=(
            Lay(
                "bank-board:bank",
                424.0,
                356.0,
                on=(
                    "certificate:EKJ-director > bay 1",
                    "certificate:OFE-25 > bay 2",
                    "certificate:BN-20 > bay 6",
                    "certificate:SX-director > bay 11",
                    "certificate:PR-10 > bay 12",
                ),
            ),
            Lay(
                "market:market",
                106.0,
                308.0,
                on=(
                    "token:SX-market > price 90",
                    "token:BN-market > price 110",
                    "token:EKJ-market > price 60",
                    "token:kk-market > price 196",
                ),
            ),
            Lay(
                "charter:SX",
                423.0,
                47.0,
                1.0,
                ("train:d > train 1", "token:SX > slot 1", "token:SX > slot 2"),
            ),
            Lay(
                "charter:EKJ",
                425.0,
                139.0,
                -1.0,
                (
                    "train:a > train 1",
                    "train:a > train 2",
                    "token:EKJ > slot 2",
                    "token:EKJ > slot 3",
                ),
            ),
        ),
    ),
    "table-1841": View(
        title="1841",
        size_mm=_TABLE_MM,
        width_px=_TABLE_PX,
        game=(3, 44),
        middle="F8",
        at=(175.0, 100.0),
        board_mm=(322.0, 210.0),
        pieces=(
            Lay(
                "market:market",
                146.0,
                352.0,
                on=(
                    "token:IRSFF-market > price 133",
                    "token:SFMA-market > price 86",
                    "token:SB-market > price 182",
                ),
            ),
            Lay(
                "bank-board:bank",
                412.0,
                370.0,
                on=("train:2 > bay 1", "train:3 > bay 2", "train:4 > bay 3", "train:5 > bay 4"),
            ),
            Lay(
                "charter:IRSFF",
                423.0,
                49.0,
                1.0,
                (
                    "train:3 > train 1",
                    "train:2 > train 2",
                    "token:IRSFF > slot 3",
                    "token:IRSFF > slot 4",
                ),
            ),
            Lay("charter:SFMA", 425.0, 145.0, -1.0, ("train:2 > train 1", "token:SFMA > slot 2")),
        ),
    ),
    "table-18eu": View(
        title="18eu",
        size_mm=_TABLE_MM,
        width_px=_TABLE_PX,
        game=(2, 46),
        middle="H7",
        at=(185.0, 105.0),
        board_mm=(322.0, 210.0),
        pieces=(
            Lay(
                "market:market",
                144.0,
                300.0,
                on=(
                    "token:SNCF-market > price 110",
                    "token:BNR-market > price 82",
                    "token:RPR-market > price 150",
                ),
            ),
            Lay(
                "bank-board:bank",
                546.0,
                320.0,
                on=("train:3 > bay 1", "train:4 > bay 2", "certificate:BNR-10 > bay 9"),
            ),
            Lay(
                "charter:SNCF",
                423.0,
                47.0,
                1.0,
                (
                    "train:4 > train 1",
                    "train:3 > train 2",
                    "token:SNCF > slot 3",
                    "token:SNCF > slot 4",
                    "token:SNCF > slot 5",
                ),
            ),
            Lay("charter:7", 425.0, 139.0, -1.0, ("train:2 > train 1", "train:3 > train 2")),
        ),
    ),
    "table-1824": View(
        title="1824",
        language="ja",
        size_mm=_TABLE_MM,
        width_px=_TABLE_PX,
        game=(5, 46),
        middle="F13",
        at=(150.0, 105.0),
        board_mm=(322.0, 210.0),
        pieces=(
            Lay(
                "market:market",
                122.0,
                332.0,
                on=(
                    "token:BK-market > price 90",
                    "token:SD-market > price 120",
                    "token:CL-market > price 70",
                ),
            ),
            Lay(
                "bank-board:bank",
                456.0,
                358.0,
                on=("certificate:BK-director > bay 1", "certificate:MS-10 > bay 2"),
            ),
            Lay(
                "charter:SD",
                423.0,
                49.0,
                1.0,
                (
                    "train:5 > train 1",
                    "train:4 > train 2",
                    "token:SD > slot 4",
                    "token:SD > slot 5",
                ),
            ),
            Lay("charter:EPP", 425.0, 145.0, -1.0, ("train:2 > train 1", "train:1g > train 2")),
        ),
    ),
    "table-lost-atlas": View(
        title="lost-atlas",
        size_mm=_TABLE_MM,
        width_px=_TABLE_PX,
        game=(7, 34),
        middle="L9",
        at=(170.0, 100.0),
        board_mm=(322.0, 190.0),
        pieces=(
            Lay(
                "market:market",
                122.0,
                278.0,
                on=(
                    "token:CON-market > price 90",
                    "token:TU-market > price 50",
                    "token:SU-market > price 70",
                ),
            ),
            Lay(
                "bank-board:bank",
                362.0,
                382.0,
                on=("train:2 > bay 1", "train:3 > bay 2", "train:4 > bay 3", "train:5 > bay 4"),
            ),
            Lay(
                "charter:CON",
                422.0,
                84.0,
                1.0,
                ("train:5 > train 1", "train:4 > train 2", "token:CON > slot 2"),
            ),
            Lay("charter:TU", 474.0, 248.0, -2.0, ("train:2 > train 1", "token:TU > slot 1")),
        ),
    ),
}


def main(folder: Path = FOLDER, names: Sequence[str] = ()) -> None:
    """Draw all pictures, or those that are named, into docs/pictures/."""
    folder.mkdir(exist_ok=True)
    for name in names or VIEWS:
        VIEWS[name].photo().save(folder / f"{name}.webp")


if __name__ == "__main__":
    main(names=sys.argv[1:])
