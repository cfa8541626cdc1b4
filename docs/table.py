"""A table seen from above, for the pictures of the documents: pieces lie on it, lit from the upper
left."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from platelayer.foundation.geometry import MM_PER_INCH, apply
from platelayer.render.png import render_png
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    Group,
    Matrix,
    Scene,
    Stroke,
    Use,
    multiply,
    rotation,
    translation,
)
from platelayer.scene.shapes import (
    Path as Shape,
)

FOLDER = Path(__file__).parent / "pictures"
TABLE = ink_from_hex("#3c4a43")
SHADOW = ink_from_hex("#2c3832")

CARD_MM, BOARD_MM = 0.5, 1.6
"""Heights of pieces above what is below them, for the length of their shadows: cards, and mounted
boards and tiles."""
_DARK, _CONTACT = 0.42, 0.35
_SHADE = 0.12
"""The difference in brightness between the upper left corner and the lower right."""
_QUALITY = 86
_COLOURS, _FLAT = 255, 175


def laid(scene: Scene, x: float, y: float, turned: float = 0.0) -> Group:
    """A piece lying on the table at its upper left corner, with its shadow, cut along its die
    line."""
    place: Matrix = multiply(
        translation(x, y), rotation(turned, (scene.width_mm / 2, scene.height_mm / 2))
    )
    shadow = Group(
        items=(Shape(commands=scene.die_line, fill=SHADOW),), matrix=translation(0.8, 1.0)
    )
    rim = Shape(commands=scene.die_line, stroke=Stroke(ink=SHADOW, width_mm=0.12))
    return Group(
        items=(shadow, Group(items=(Use(scene=scene),), clip=scene.die_line), rim), matrix=place
    )


class Photo:
    """A part of the table as a picture with soft shadows."""

    def __init__(self, width_mm: float, height_mm: float, *, width_px: int, ground: Ink = TABLE):
        self.scale = width_px / width_mm
        size = (width_px, round(height_mm * self.scale))
        self.picture = Image.new("RGB", size, ground.hex)

    def lay(
        self,
        scene: Scene,
        middle: tuple[float, float],
        *,
        turned: float = 0.0,
        high: float = CARD_MM,
    ) -> None:
        """Lay a piece with its middle at a place (mm), turned clockwise (degrees), its face that
        high above what lies there."""
        turn = rotation(turned, (scene.width_mm / 2, scene.height_mm / 2))
        corners = [
            apply(turn, (x, y)) for x in (0.0, scene.width_mm) for y in (0.0, scene.height_mm)
        ]
        left, top = (min(values) - 1.0 for values in zip(*corners, strict=True))
        right, bottom = (max(values) + 1.0 for values in zip(*corners, strict=True))
        at = (
            round((middle[0] - scene.width_mm / 2 + left) * self.scale),
            round((middle[1] - scene.height_mm / 2 + top) * self.scale),
        )
        piece = Group(
            items=(Group(items=(Use(scene=scene),), clip=scene.die_line),),
            matrix=multiply(translation(-left, -top), turn),
        )
        whole = Scene(
            key=f"laid:{scene.key}", width_mm=right - left, height_mm=bottom - top, items=(piece,)
        )
        drawn = Image.open(io.BytesIO(render_png(whole, dpi=self.scale * MM_PER_INCH))).convert(
            "RGBA"
        )
        for reach, dark in ((high, _CONTACT), (4.0 * high, _DARK)):
            self._shade(drawn.getchannel("A"), at, reach, dark)
        self.picture.paste(drawn, at, drawn)

    def _shade(self, mask: Image.Image, at: tuple[int, int], reach: float, dark: float) -> None:
        """Darken what lies right of and below a piece, the more softly the longer its shadow."""
        shift, blur = round(0.8 * reach * self.scale), 0.55 * reach * self.scale
        room = round(3 * blur) + 1
        soft = Image.new("L", (mask.width + 2 * room, mask.height + 2 * room))
        soft.paste(mask, (room, room))
        soft = soft.filter(ImageFilter.GaussianBlur(blur)).point(lambda part: round(part * dark))
        corner = (at[0] - room + shift, at[1] - room + shift)
        self.picture.paste(SHADOW_RGB, corner, soft)

    def save(self, path: Path) -> None:
        """Write it, brighter towards the light."""
        down = Image.linear_gradient("L")
        light = ImageChops.add(down, down.transpose(Image.Transpose.TRANSPOSE), scale=2)
        light = light.point(lambda far: round(255 * (1 - _SHADE * far / 255)))
        light = light.resize(self.picture.size, Image.Resampling.BICUBIC)
        lit = ImageChops.multiply(self.picture, Image.merge("RGB", (light,) * 3))
        lit.save(path, quality=_QUALITY, method=6)


SHADOW_RGB = (18, 22, 20)


def pixels(picture: Image.Image) -> Iterator[tuple[int, ...]]:
    """The colours of an RGB picture, row by row."""
    parts = iter(picture.tobytes())
    return zip(parts, parts, parts, strict=True)


def small_png(scene: Scene, *, dpi: float = 0.0, width_px: int = 0) -> bytes:
    """A PNG of a resolution, or so many pixels wide, of few colours, to load fast. What fills areas,
    down to tokens, keeps its very colour; an octree finds those between."""
    whole = Image.open(
        io.BytesIO(render_png(scene, dpi=dpi or width_px / scene.width_mm * MM_PER_INCH))
    ).convert("RGB")
    counted = Counter(pixels(whole)).most_common(_FLAT)
    between = whole.quantize(_COLOURS - _FLAT, method=Image.Quantize.FASTOCTREE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for ink, _ in counted for part in ink), *between])
    packed = io.BytesIO()
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()
