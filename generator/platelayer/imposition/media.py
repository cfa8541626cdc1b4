"""Media to print on and to cut with: papers, sheets of labels, dies, cutters and sleeves, as the
files in assets/media list them."""

from __future__ import annotations

from functools import cache

from platelayer.definitions.decode import decode
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_json
from platelayer.foundation.text import Text, suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.options import PrintOptions

# Files of the catalogue, in the order in which it is listed, with the kind of their media.
KINDS = {
    "papers": "paper",
    "labels": "labels",
    "dies": "die",
    "cutters": "cutter",
    "sleeves": "sleeve",
}


class Die(Frozen, kw_only=True):
    """The places of a die or of a sheet of labels, on the one paper they are made for: the trim of
    the first place in mm from the upper left of the paper, columns and rows of places and the
    distance from one to the next. With `short_columns` every other column begins half a row lower
    and has one place fewer. Places are counted column by column, or `by_rows`. `pins` are the
    centres of registration pins."""

    paper: str
    size_mm: tuple[float, float]
    first_mm: tuple[float, float]
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    short_columns: bool = False
    by_rows: bool = False
    pins_mm: tuple[tuple[float, float], ...] = ()

    @property
    def count(self) -> int:
        """Number of places."""
        return self.columns * self.rows - (self.columns // 2 if self.short_columns else 0)


class Cutter(Frozen, kw_only=True):
    """Registration marks that a cutter looks for: a square in the upper left (none with four marks)
    and angles in the other corners, with arms of that length and thickness, at that inset from the
    edges of the paper; and the widest paper that it takes."""

    marks: int
    inset_mm: float
    arm_mm: float
    thick_mm: float
    widest_mm: float

    @property
    def reach_mm(self) -> float:
        """Distance from the edges of the paper to the end of an arm."""
        return self.inset_mm + max(self.arm_mm, SQUARE_MM if self.marks == 3 else 0.0)


# Side of the square in the upper left, which is no setting of a cutter's program.
SQUARE_MM = 5.0


class Medium(Frozen, kw_only=True):
    """One medium: its id and kind, its name for people, the other products that are equal to it,
    and by its kind its size (of a sleeve, of the card in it), its places or its marks."""

    id: str
    kind: str
    name: Text
    equal: tuple[str, ...] = ()
    size_mm: tuple[float, float] | None = None
    places: Die | None = None
    cutter: Cutter | None = None


@cache
def catalogue() -> dict[str, Medium]:
    """All media by id, in the order of the files."""
    found = {}
    for file, kind in KINDS.items():
        for medium_id, entry in asset_json("media", f"{file}.json")["media"].items():
            found[medium_id] = decode(Medium, entry, id=medium_id, kind=kind)
    return found


def find_medium(words: str) -> Medium:
    """A medium by its id or that of an equal product, in any case. Raises ProblemsFound with SH02."""
    wanted = words.strip().lower()
    media = catalogue()
    for medium in media.values():
        if wanted in (medium.id.lower(), *(name.lower() for name in medium.equal)):
            return medium
    hint = suggestion(words, media, most=3) or "platelayer media lists all, such as avery-L7160"
    raise ProblemsFound([Problem("SH02", f'there is no medium "{words}"', hint)])


def cutter_of(options: PrintOptions) -> Cutter | None:
    """The cutter whose marks sheets have: the medium of a print, or the usual one."""
    if options.register != "silhouette":
        return None
    media = catalogue()
    medium = media.get(options.media)
    return (medium and medium.cutter) or media["cameo"].cutter
