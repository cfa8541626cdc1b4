"""The look of a title: its livery, and pictures of its own."""

from typing import Annotated, Literal

from msgspec import Meta

from platelayer.foundation.pixels import Pixels
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    DERIVED,
    ById,
    ComputedDefault,
    Id,
    Key,
    Rgb,
    Several,
    Shared,
    Shorthand,
    written,
)

_PATH = "^[Mm][-+.,0-9 MLHVCSQTAZmlhvcsqtaz]{1,999}$"
_Drawn = Annotated[str, Meta(title='path data such as "M 0 -1 L 1 0 Z"', pattern=_PATH)]


class Figure(Frozen, kw_only=True):
    """Drawing of an ornament: shapes and lines."""

    fill: Annotated[
        _Drawn | None,
        'Shapes that are filled, as the attribute d of an SVG path. Example: "M 0 -1 L 1 0 L 0 1 L -1 0 Z".',
    ] = None
    line: Annotated[
        _Drawn | None,
        'Lines a tenth as wide as the figure is high, written as "fill". Example: "M 0 -1 L 0 1".',
    ] = None


class Motif(Frozen, kw_only=True):
    """An ornament: the sign that stands alone, the repeat of its borders, and what goes with it."""

    id: Key
    sign: Annotated[
        Figure,
        "The sign, within a circle of radius 1 round (0, 0). It stands in corners and on rules.",
    ]
    run: Annotated[
        Figure | None,
        "One repeat of its borders: from left to right, its height from -1 to 1. Default: plain lines.",
    ] = None
    length: Annotated[
        float, Meta(gt=0, le=20), "How long a repeat is, if half its height is 1. Example: 3.2."
    ] = 2.0
    plate: Annotated[
        Literal["square", "rounded", "notched", "clipped", "stepped"],
        "How corners of plates are cut.",
    ] = "notched"
    tips: Annotated[
        tuple[float, ...],
        Several(8, least=1),
        "How the lobes of rosettes end, which their names choose from: round (below 0) to pointed (above). "
        "Example: [0.1, 0.18].",
    ] = (-0.12, 0.0, 0.1, 0.18)
    sway: Annotated[
        float, Meta(ge=0, le=1.2), "How far the lobes of rosettes lean over into loops, 0 to 1.2."
    ] = 1.0


class LiveryColours(Frozen, kw_only=True):
    """A livery that comes with Platelayer."""

    id: Key
    motif: Annotated[Id, "Its ornament."]
    paper: Annotated[Rgb, "Tone of the paper of maps and cards."]
    line: Annotated[Rgb, "Frames of maps and plates."]
    accent: Annotated[
        Rgb, "Titles of maps and headings of legends; bands and backs of cards take on some of it."
    ]
    metal: Annotated[Rgb, "Seals, beads and rims of cards."]


@written(**{"$schema": Annotated[str, Shared("schema"), ComputedDefault()]})
class Liveries(Frozen, kw_only=True):
    """The liveries and ornaments that come with Platelayer."""

    liveries: Annotated[tuple[LiveryColours, ...], ById(100, least=1), "Liveries by id."]
    motifs: Annotated[tuple[Motif, ...], ById(100, least=1), "Ornaments by id."]


@written(Shorthand('a livery such as "habsburg" or {"motif": "scroll", "accent": "#8f3a1f"}'))
class Livery(Frozen, kw_only=True):
    """Common look of the pieces of a title: paper, accents and ornament.

    Colours are taken as they are, but paper that is too dark to read on is lightened, and lines and
    accents too pale for it are darkened. `ornament` is the motif itself.
    """

    like: Annotated[
        Id,
        ComputedDefault(),
        "A livery of assets/liveries.json, which says everything that is left out here. Default: the motif of one of "
        'them and the colours of another, always the same for the id of a title. Example: "habsburg".',
    ]
    motif: Annotated[
        Id,
        ComputedDefault(),
        'Ornament of frames, plates, certificates and backs. Example: "scroll".',
    ]
    paper: Annotated[
        Rgb, ComputedDefault(), 'Tone of the paper of maps and cards. Example: "#f8ecdc".'
    ]
    line: Annotated[Rgb, ComputedDefault(), 'Frames of maps and plates. Example: "#4a2a1c".']
    accent: Annotated[
        Rgb,
        ComputedDefault(),
        'Titles of maps and headings of legends; bands and backs of cards take on some of it. Example: "#8f3a1f".',
    ]
    metal: Annotated[Rgb, ComputedDefault(), 'Seals, beads and rims of cards. Example: "#b98046".']
    ornament: Annotated[Motif, DERIVED]


# A colour that is that of the place: SVG's currentColor.
CURRENT = "current"


class Layer(Frozen, kw_only=True):
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


class Picture(Frozen, kw_only=True):
    """A picture centred on (0, 0), its longer side 1; `width` and `height` are those of its frame,
    beyond which nothing shows. It is made of layers, or of pixels. `name` is what a legend calls
    it."""

    id: str
    width: float
    height: float
    layers: tuple[Layer, ...] = ()
    pixels: Pixels | None = None
    name: Text | None = None
