"""The pictures "on the table": boards, charters and tiles of each title with tokens, cards and
markers laid on them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from box import Box
from gallery import Block, Picture, Pieces, small_png, table
from msgspec.structs import replace
from pictures import FOLDER, laid

from platelayer.definitions.decode import decode
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.panels import STRIP_MM
from platelayer.model.manifest import CARD_PLAY_MM, CYCLE_MM, GAME_RING_MM, ROUND_RING_MM
from platelayer.model.position import InPlay, Position
from platelayer.rules.positions import check_position
from platelayer.scene.flatten import FlatShape, flatten_scene
from platelayer.scene.shapes import Group, Item, Scene, Use, rectangle_path, translation

WIDTH_PX = 2400
_SAME_MM = 0.3
_SLOTS_MM = (11.0, 14.0)
"""How wide slots are, from the narrowest on tiles to those of charters."""

Laid = Mapping[str, tuple[str, ...]]
"""What lies on a piece: "token:SX > slot 2", "train:3 > train 1", "token:SX-market > price 80",
"certificate:SX-10 > bay 4", "marker:round > ring 2", all counted from 1 as one reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPart:
    """Part of a map in play: tiles and tokens as in a position, and the hex in the middle with the
    width and height to show."""

    middle: str
    size_mm: tuple[float, float]
    tiles: Mapping[str, str]
    tokens: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A picture, what lies on its pieces, and the part of the map that is its piece "part"."""

    picture: Picture
    laid: Laid
    part: MapPart | None = None


PLAYS = {
    "table-18cz": Play(
        picture=Picture(
            title="18cz",
            large="part",
            beside=Block(("charter:SX", "charter:EKJ")),
            below=(
                Block(("market:market", "round-track:rounds")),
                Block(("bank-board:bank",)),
                Block(
                    ("tile:8892 tile:8857p", "tile:216 tile:611", "tile:8860 tile:8891"), comb=True
                ),
            ),
        ),
        part=MapPart(
            middle="E13",
            size_mm=(480.0, 280.0),
            tiles={
                "E9": "14 0",
                "E11": "8891 1",
                "D10": "8 0",
                "E15": "57 0",
                "D16": "619 2",
                "F10": "58 0",
            },
            tokens={
                "E9": ("BN", "SX"),
                "E11": ("kk", "BTE 1", "PR 2", "NWB 3"),
                "E15": ("MW",),
                "D16": ("Ug", "KFN"),
            },
        ),
        laid={
            "charter:SX": ("train:d > train 1", "token:SX > slot 1", "token:SX > slot 2"),
            "charter:EKJ": (
                "train:a > train 1",
                "train:a > train 2",
                "token:EKJ > slot 2",
                "token:EKJ > slot 3",
            ),
            "market:market": (
                "token:SX-market > price 90",
                "token:BN-market > price 110",
                "token:EKJ-market > price 60",
                "token:kk-market > price 196",
            ),
            "round-track:rounds": ("marker:progress > ring 10",),
            "bank-board:bank": (
                "certificate:EKJ-director > bay 1",
                "certificate:OFE-25 > bay 2",
                "certificate:BN-20 > bay 6",
                "certificate:NWB-director > bay 7",
                "certificate:SX-director > bay 11",
                "certificate:PR-10 > bay 12",
                "train:b > bay 16",
                "train:c > bay 17",
            ),
            "tile:8892": tuple(
                f"token:{each} > slot {n}" for n, each in enumerate(("kk", "BTE", "PR", "NWB"), 1)
            ),
            "tile:8857p": ("token:SX > slot 1", "token:BY > slot 2", "token:ATE > slot 3"),
            "tile:216": ("token:BY > slot 1", "token:ATE > slot 2"),
            "tile:611": ("token:BN > slot 1", "token:kk > slot 2"),
            "tile:8860": ("token:EKJ > slot 1", "token:OFE > slot 2"),
            "tile:8891": ("token:kk > slot 1", "token:Ug > slot 3"),
        },
    ),
    "table-1841": Play(
        picture=Picture(
            title="1841",
            large="part",
            beside=Block(("charter:IRSFF", "charter:SFMA")),
            below=(
                Block(("market:market",)),
                Block(("bank-board:bank",)),
                Block(("tile:605 tile:607", "tile:216 tile:63", "tile:622 tile:603"), comb=True),
            ),
        ),
        part=MapPart(
            middle="F10",
            size_mm=(460.0, 300.0),
            tiles={
                "F8": "604 0",
                "E9": "207 2",
                "G9": "8 1",
                "H10": "57 0",
                "E11": "201 1",
                "H8": "14 0",
                "F10": "9 2",
            },
            tokens={
                "F8": ("IRSFF", "SFL"),
                "E9": ("IRSFF",),
                "H10": ("SB",),
                "E11": ("SB",),
                "H8": ("SFTG", "ATFA"),
            },
        ),
        laid={
            "charter:IRSFF": (
                "train:3 > train 1",
                "train:2 > train 2",
                "token:IRSFF > slot 3",
                "token:IRSFF > slot 4",
            ),
            "charter:SFMA": ("train:2 > train 1", "token:SFMA > slot 2"),
            "market:market": (
                "token:IRSFF-market > price 133",
                "token:SFMA-market > price 86",
                "token:SB-market > price 182",
            ),
            "bank-board:bank": (
                "train:2 > bay 1",
                "train:3 > bay 2",
                "train:5 > bay 4",
                "train:8 > bay 7",
                "train:2 > bay 8",
                "private:1 > bay 9",
                "certificate:SFMA-20 > bay 10",
            ),
            "tile:605": ("token:IRSFF > slot 1", "token:SFL > slot 2", "token:SB > slot 3"),
            "tile:607": ("token:SFTG > slot 1", "token:SFTN > slot 2"),
            "tile:216": ("token:SSFL > slot 1", "token:SFLi > slot 2"),
            "tile:63": ("token:AFI > slot 1", "token:CTS > slot 2"),
            "tile:622": ("token:SFTC > slot 1", "token:RSFS > slot 2"),
            "tile:603": ("token:SFL > slot 1",),
        },
    ),
    "table-18eu": Play(
        picture=Picture(
            title="18eu",
            large="part",
            beside=Block(("charter:SNCF", "charter:7")),
            below=(
                Block(("market:market", "revenue-chart:revenue", "round-track:rounds")),
                Block(("bank-board:bank",)),
                Block(("tile:584 tile:583", "tile:513 tile:582", "tile:611 tile:581"), comb=True),
            ),
        ),
        part=MapPart(
            middle="H7",
            size_mm=(500.0, 300.0),
            tiles={
                "F5": "57 0",
                "G4": "14 0",
                "H3": "576 0",
                "E6": "8 0",
                "H5": "9 1",
                "I6": "15 0",
                "C4": "201 0",
            },
            tokens={
                "F5": ("3",),
                "G4": ("RPR", "BNR"),
                "H3": ("BNR",),
                "I6": ("RBSR", "SNCF"),
                "C4": ("DR",),
            },
        ),
        laid={
            "charter:SNCF": (
                "train:4 > train 1",
                "train:3 > train 2",
                "token:SNCF > slot 3",
                "token:SNCF > slot 4",
                "token:SNCF > slot 5",
            ),
            "charter:7": ("train:2 > train 1", "train:3 > train 2"),
            "market:market": (
                "token:SNCF-market > price 110",
                "token:BNR-market > price 82",
                "token:RPR-market > price 150",
            ),
            "revenue-chart:revenue": (
                "token:SNCF > price 120",
                "token:BNR > price 70",
                "token:RPR > price 200",
            ),
            "round-track:rounds": ("marker:round > ring 3",),
            "bank-board:bank": (
                "train:3 > bay 1",
                "train:4 > bay 2",
                "train:8 > bay 5",
                "train:P > bay 6",
                "train:2 > bay 7",
                "certificate:BNR-10 > bay 9",
                "certificate:SNCF-10 > bay 15",
            ),
            "tile:584": ("token:RPR > slot 1", "token:AIRS > slot 2", "token:GSR > slot 3"),
            "tile:583": ("token:SNCF > slot 1", "token:1 > slot 2", "token:BNR > slot 4"),
            "tile:513": ("token:FS > slot 1", "token:SNCF > slot 2", "token:AIRS > slot 3"),
            "tile:582": ("token:DR > slot 1", "token:BNR > slot 2"),
            "tile:611": ("token:RBSR > slot 1", "token:FS > slot 2"),
            "tile:581": ("token:9 > slot 1", "token:RPR > slot 2"),
        },
    ),
    "table-1824": Play(
        picture=Picture(
            title="1824",
            language="ja",
            large="part",
            beside=Block(("charter:SD", "charter:EPP")),
            below=(
                Block(("market:market", "round-track:rounds")),
                Block(("bank-board:bank",)),
                Block(("tile:493 tile:496", "tile:495 tile:494", "tile:611 tile:491"), comb=True),
            ),
        ),
        part=MapPart(
            middle="F13",
            size_mm=(520.0, 270.0),
            tiles={
                "F11": "491 0",
                "F13": "57 0",
                "D11": "14 0",
                "E12": "8 1",
                "H9": "15 0",
                "F7": "57 1",
            },
            tokens={
                "F11": ("SD1", "UG1 1", "KK1 2"),
                "F13": ("UG",),
                "D11": ("BK", "MS"),
                "H9": ("SD2",),
                "F7": ("KK",),
            },
        ),
        laid={
            "charter:SD": (
                "train:5 > train 1",
                "train:4 > train 2",
                "token:SD > slot 4",
                "token:SD > slot 5",
            ),
            "charter:EPP": ("train:2 > train 1", "train:1g > train 2"),
            "market:market": (
                "token:BK-market > price 90",
                "token:SD-market > price 120",
                "token:CL-market > price 70",
            ),
            "round-track:rounds": ("marker:round > ring 2",),
            "bank-board:bank": (
                "certificate:BK-director > bay 1",
                "certificate:SB-10 > bay 4",
                "certificate:SD-10 > bay 6",
                "train:1g > bay 9",
                "train:3g > bay 11",
                "train:2 > bay 14",
                "train:5 > bay 17",
                "train:10 > bay 20",
                "certificate:CL-10 > bay 22",
            ),
            "tile:493": tuple(
                f"token:{each} > slot {n}" for n, each in enumerate(("SD", "UG", "KK", "BK"), 1)
            ),
            "tile:496": tuple(
                f"token:{each} > slot {n}" for n, each in enumerate(("SD", "UG", "KK", "BK"), 1)
            ),
            "tile:495": ("token:UG > slot 1", "token:KK > slot 2", "token:MS > slot 3"),
            "tile:494": ("token:SD > slot 1", "token:BH > slot 2"),
            "tile:611": ("token:CL > slot 1", "token:SB > slot 2"),
            "tile:491": ("token:SD1 > slot 1", "token:UG1 > slot 2"),
        },
    ),
    "table-lost-atlas": Play(
        picture=Picture(
            title="lost-atlas",
            below=(
                Block(("charter:CON", "charter:TU charter:SU", "map-tile:9")),
                Block(("market:market", "bank-board:bank", "round-track:rounds")),
                Block(
                    (
                        "tile:297 tile:LA5",
                        "tile:LA4 tile:LA6",
                        "tile:LA7 tile:125",
                        "tile:LA1 tile:14",
                    ),
                    comb=True,
                ),
            ),
        ),
        laid={
            "charter:CON": ("train:5 > train 1", "train:4 > train 2", "token:CON > slot 2"),
            "charter:TU": ("train:2 > train 1", "token:TU > slot 1"),
            "charter:SU": ("train:3 > train 1", "train:2 > train 2"),
            "market:market": (
                "token:CON-market > price 90",
                "token:TU-market > price 50",
                "token:SU-market > price 70",
            ),
            "round-track:rounds": ("marker:round > ring 2", "marker:cycle > ring 8"),
            "bank-board:bank": (
                "train:2 > bay 1",
                "train:4 > bay 3",
                "train:7 > bay 6",
                "train:3 > bay 7",
                "certificate:CON-10 > bay 8",
                "certificate:TU-20 > bay 9",
            ),
            "map-tile:9": ("token:TU > slot 1",),
            "tile:297": ("token:CON > slot 1", "token:AD > slot 2", "token:SU > slot 3"),
            "tile:LA5": tuple(
                f"token:{each} > slot {n}" for n, each in enumerate(("AG", "BR", "EM", "EA"), 1)
            ),
            "tile:LA4": ("token:ER > slot 1", "token:NP > slot 2", "token:OV > slot 3"),
            "tile:LA6": ("token:RE > slot 1", "token:SP > slot 2", "token:TU > slot 3"),
            "tile:LA7": ("token:FED > slot 1", "token:INT > slot 2", "token:SYN > slot 3"),
            "tile:125": ("token:UNL > slot 1", "token:EXP > slot 2"),
            "tile:LA1": ("token:AD > slot 1", "token:AG > slot 2"),
            "tile:14": ("token:CON > slot 1", "token:BR > slot 2"),
        },
    ),
}


def dressed(scene: Scene, laid_on: Sequence[str], pieces: Pieces) -> Scene:
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


def _bays(shapes: Sequence[FlatShape], _piece: Scene) -> Iterator[tuple[float, float]]:
    """Places for cards on a board: frames of dashes, in the order in which they are drawn."""
    yield from _frames(
        [shape for shape in shapes if shape.dash], lambda wide, tall: wide > 40 and tall > 30
    )


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
    "bay": _bays,
}


def map_part(part: MapPart, box: Box) -> Scene:
    """Part of the title's map in play."""
    board = box.title.maps[0]
    written = {"title": box.title.id, "tiles": part.tiles, "tokens": part.tokens}
    position: Position = decode(Position, written)
    assert not [*check_position(box.title, position)], part.middle
    scene = draw_map(replace(box.title, in_play=InPlay(position=position)), board.id, box.style)
    ((x, y),) = ((x, y) for hex_id, x, y in scene.places if hex_id == part.middle)
    wide, tall = part.size_mm
    shift = translation(wide / 2 - x, tall / 2 - y)
    crop = Group(items=(Use(scene=scene, matrix=shift),), clip=rectangle_path(0, 0, wide, tall))
    return Scene(key="part", width_mm=wide, height_mm=tall, items=(crop,))


def draw(name: str) -> Scene:
    """One of the pictures."""
    play = PLAYS[name]
    box = play.picture.box

    def piece(key: str) -> Scene:
        if key == "part":
            assert play.part is not None
            return map_part(play.part, box)
        return dressed(box.scene(key), play.laid.get(key, ()), box.scene)

    return table(name, play.picture, piece)


def main(folder: Path = FOLDER, names: Sequence[str] = ()) -> None:
    """Draw all pictures, or those that are named, into docs/pictures/."""
    folder.mkdir(exist_ok=True)
    for name in names or PLAYS:
        (folder / f"{name}.png").write_bytes(small_png(draw(name), WIDTH_PX))


if __name__ == "__main__":
    main(names=sys.argv[1:])
