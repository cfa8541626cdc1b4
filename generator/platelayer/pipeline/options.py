"""Options of a print, from the user and from the profile."""

# Without `from __future__ import annotations`: BuildOptions are checked by their types, which would
# be compiled first.

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields, force_setattr

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import suggestion
from platelayer.imposition.finish import Cut, Duplex, Finish, Register, check_finish
from platelayer.imposition.paper import check_margin, find_paper
from platelayer.model.kinds import KINDS, SORTS, kinds_named
from platelayer.model.profile import Profile

HOME = "home"
"""The default profile."""
THEME = "classic"
"""The default theme."""
_NOT_THE_PRINT = ("since", "sheets", "position")
"""Options that are the user's own files: their effect shows in the print, but their paths are
private."""


class BuildOptions(Struct, frozen=True, kw_only=True):
    """Options of a print; lengths in mm. `only` and `without` are kinds of piece or sorts of them,
    `pieces` patterns of `kind:id` (empty: all); `copies` replaces the counts of the box; `players`
    leaves out what that many players do not need; `money` adds notes where the box has none;
    `since` is the manifest.json of an earlier print. `layouts` pairs documents with layouts,
    `sizes` kinds (or `kind:id`) with sizes; `register` are marks to align sheets by, `also` further
    files of each sheet; `corner_mm` rounds the corners of cards; `black` "rich" prints black solids
    in CMYK with all inks, `intent` is the press that CMYK is for; `sheets` is the user's own sheet
    plan, `poster` a paper for posters; without a `profile`, the print is for home. `position` is a
    file with a position that the map shows, `numbers` prints the numbers of the tiles in it. A
    `draft` prints what it can, whatever is wrong, with a list of what is.

    An `output` is PDF files of sheets to cut, PDF files with a page for each face of each card, or
    PNG files; `also` are files of single sheets besides the PDF: the sheet and its cut lines as
    SVG, its cut lines as DXF, the sheet as PNG; `edge` adds the page's edge to the cut lines as
    SVG.

    Raises CannotRun for a value of another type or out of bounds and for an unknown word,
    ProblemsFound for an impossible paper, margin, correction of the printer or name of the spot
    colour. What depends on the title (its variants, languages, pieces) is looked at when there is
    one."""

    variant: str | None = None
    language: str = "en"
    theme: str = THEME
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    copies: Annotated[int, Meta(ge=1, le=999)] | None = None
    players: Annotated[int, Meta(ge=1, le=20)] | None = None
    money: bool = False
    since: str | None = None
    profile: Profile | None = None
    output: Literal["sheets", "cards", "pictures"] = "sheets"
    paper: str = "a4"
    margin_mm: float = 6.0
    poster: str | None = None
    sheets: str | None = None
    position: str | None = None
    numbers: bool = False
    layouts: tuple[tuple[str, str], ...] = ()
    sizes: tuple[tuple[str, str], ...] = ()
    color: Literal["rgb", "cmyk", "gray"] = "rgb"
    black: Literal["plain", "rich"] = "plain"
    intent: Literal["coated", "uncoated", "gracol"] = "coated"
    cut: Cut = "marks"
    spot_name: str = "CutContour"
    spot_layer: Annotated[str, Meta(min_length=1, max_length=60)] = "Cut line"
    duplex: Duplex = "none"
    register: Register = "none"
    corner_mm: Annotated[float, Meta(ge=0, le=15)] = 0.0
    also: tuple[Literal["svg", "dxf", "png", "edge"], ...] = ()
    offset_mm: tuple[float, float] = (0.0, 0.0)
    back_offset_mm: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    draft: bool = False

    def __post_init__(self) -> None:
        for name, kind in _TYPES.items():
            force_setattr(self, name, _checked(name, getattr(self, name), kind))
        for name, kind in (
            *(("only", kind) for kind in self.only),
            *(("without", kind) for kind in self.without),
        ):
            if not kinds_named(kind):
                known = (*KINDS, *SORTS)
                raise CannotRun(
                    f"{name}: there is no kind of piece {kind!r}; "
                    + (suggestion(kind, known) or f"kinds are {', '.join(known)}")
                )
        check_margin(find_paper(self.paper), self.margin_mm)
        if self.poster:
            find_paper(self.poster)
        check_finish(self.finish)

    @property
    def finish(self) -> Finish:
        """How sheets are finished."""
        return Finish(
            cut=self.cut,
            spot_name=self.spot_name,
            spot_layer=self.spot_layer,
            duplex=self.duplex,
            register=self.register,
            bleed_mm=self.profile.limits.bleed_mm if self.profile else 0.0,
            outlines=bool(self.also),
            offset_mm=self.offset_mm,
            back_offset_mm=self.back_offset_mm,
            scale=self.scale,
        )

    @property
    def of_print(self) -> dict[str, Any]:
        """Their record in manifest.json."""
        values = {name: getattr(self, name) for name in _TYPES if name not in _NOT_THE_PRINT}
        return {**values, "profile": self.profile.id if self.profile else HOME}


_TYPES = {field.name: field.type for field in fields(BuildOptions)}


def _words(kind: Any) -> tuple[str, ...]:
    """The words that an option of a type takes, if it takes one or several of a few."""
    if get_origin(kind) is tuple:
        kind = get_args(kind)[0]
    return get_args(kind) if get_origin(kind) is Literal else ()


CHOICES: Mapping[str, tuple[str, ...]] = {
    name: words for name, kind in _TYPES.items() if (words := _words(kind))
}
"""Words of the options that take one of a few, or several."""


def _checked(name: str, value: Any, kind: Any) -> Any:
    """The value of an option; numbers and sequences as its type has them. Raises CannotRun."""
    try:
        return convert(value, kind)
    except ValidationError as error:
        known = CHOICES.get(name, ())
        unknown = [
            word for word in (value if isinstance(value, tuple) else (value,)) if word not in known
        ]
        if known and unknown:
            raise CannotRun(f"{name}: there is no {unknown[0]!r}; use {', '.join(known)}") from None
        raise CannotRun(f"{name}: {value!r} does not fit: {_in_python(str(error))}") from None


def _in_python(words: str) -> str:
    """What msgspec says of a value of another type, as Python calls these."""
    for json, python in (("Expected", "expected"), ("`array`", "`tuple`"), ("null", "None")):
        words = words.replace(json, python)
    return words


def options_for(profile: Profile, given: Mapping[str, Any]) -> BuildOptions:
    """The profile's options, overridden by those that the user gave (all that are not None). Sizes
    and layouts are combined, the user's last."""
    values: dict[str, Any] = {key: value for key, value in profile.options.items() if key in _TYPES}
    for key, value in given.items():
        if value is not None:
            values[key] = (*values.get(key, ()), *value) if key in ("sizes", "layouts") else value
    return BuildOptions(profile=profile, **values)
