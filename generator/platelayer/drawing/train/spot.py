"""A face of a train card and the place it is drawn on."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.company.inks import darkened
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.model.market import Zone
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.scene.inks import Ink
from platelayer.scene.typeset import TypeStyle

Insets = tuple[float, float, float, float]
"""How far readable parts keep from the left, top, right and bottom side, in mm."""

TALL_MM = 36.0
"""From this height on a face has room for the title's name and a landscape."""
_FULL_SIZE_MM = (58.0, 44.0)
"""Width and height of a face whose type is set in full size."""
_FIGURE_CONTRAST = 4.8


class FaceSpot(Struct, frozen=True, kw_only=True):
    """A face and the place it is drawn on: `width` x `height` mm, from (0, 0), with insets."""

    title: Title
    train: Train
    face: TrainFace
    style: Style
    width: float
    height: float
    insets: Insets

    @property
    def tall(self) -> bool:
        """True where there is room for more than the necessary parts."""
        return self.height > TALL_MM

    def scaled(self, name: str, least: float) -> TypeStyle:
        """A type style, smaller on a smaller face: on the smallest, `least` of its size."""
        kind = self.style.type(name)
        scale = max(0.5, min(1.0, self.width / _FULL_SIZE_MM[0], self.height / _FULL_SIZE_MM[1]))
        return kind.at(max(kind.min_pt, round(kind.size_pt * (least + (1 - least) * (2 * scale - 1)), 1)))


def zone_of(spot: FaceSpot) -> Zone | None:
    """The zone of the market for the companies that alone may run the train, if there is one."""
    zones = spot.title.market.zones if spot.title.market is not None and spot.face.who is not None else ()
    return next((zone for zone in zones if zone.who == spot.face.who), None)


def figures_of(spot: FaceSpot) -> Ink | None:
    """The ink of coloured figures, dark enough for paper: as stated, else that of the zone of the companies that alone
    may run the train; None where they are printed straight on the band."""
    zone = zone_of(spot)
    colour = spot.face.figures or (zone.colour if zone is not None else None)
    if colour is None:
        return None
    return darkened(tile_ink(colour, spot.style), spot.style.ink("card.ground"), _FIGURE_CONTRAST)
