"""Pictures that belong to a title: icons of hexes, logos of companies, art of cards."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.pixels import Pixels
from platelayer.foundation.text import Text

# A colour that is that of the place: SVG's currentColor.
CURRENT = "current"


class Layer(Struct, frozen=True, kw_only=True):
    """One shape of a picture: commands ("M", "L", "C", "Z", as shapes have them), and what fills
    and strokes it: #rrggbb, CURRENT, or None. Lengths are shares of the longer side of the
    picture."""

    commands: tuple[tuple[str | float, ...], ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[float, ...] = ()
    even_odd: bool = False


class Picture(Struct, frozen=True, kw_only=True):
    """A picture centred on (0, 0), its longer side 1; `width` and `height` are those of its frame,
    beyond which nothing shows. It is made of layers, or of pixels. `name` is what a legend calls it."""

    id: str
    width: float
    height: float
    layers: tuple[Layer, ...] = ()
    pixels: Pixels | None = None
    name: Text | None = None
