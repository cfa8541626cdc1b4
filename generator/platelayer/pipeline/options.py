"""Options of a print, from the user and from the profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from platelayer.foundation.problems import CannotRun
from platelayer.model.profile import Profile

CHOICES: dict[str, tuple[str, ...]] = {
    "output": ("sheets", "cards", "pictures"),
    "color": ("rgb", "cmyk"),
    "cut": ("none", "marks", "lines", "spot"),
    "duplex": ("none", "long", "short", "fold"),
    "register": ("none", "press", "silhouette"),
    "also": ("svg", "dxf"),
}
"""Words of the options that take one of a few. An output is PDF files of sheets to cut, PDF files with a page for each
face of each card, or PNG files; `also` are files of single sheets besides the PDF: the sheet and its cut lines as SVG,
its cut lines as DXF."""

HOME = "home"
"""The default profile."""
_NOT_THE_PRINT = ("since", "sheets")
"""Options that are the user's own files: their effect shows in the print, but their paths are private."""


class BuildOptions(Struct, frozen=True, kw_only=True):
    """Options of a print; lengths in mm. `only` are kinds of piece, `pieces` patterns of `kind:id` (empty: all);
    `copies` replaces the counts of the box; `players` leaves out what that many players do not need; `money` adds
    notes where the box has none; `since` is the manifest.json of an earlier print. `layouts` pairs documents with
    layouts, `sizes` kinds (or `kind:id`) with sizes; `register` are marks to align sheets by, `also` further files of
    each sheet; `sheets` is the user's own sheet plan, `poster` a paper for posters; without a `profile`, the print is
    for home. A `draft` prints what it can, whatever is wrong, with a list of what is."""

    variant: str | None = None
    language: str = "en"
    theme: str = "classic"
    only: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    copies: int | None = None
    players: int | None = None
    money: bool = False
    since: str | None = None
    profile: Profile | None = None
    output: str = "sheets"
    paper: str = "a4"
    margin_mm: float = 6.0
    poster: str | None = None
    sheets: str | None = None
    layouts: tuple[tuple[str, str], ...] = ()
    sizes: tuple[tuple[str, str], ...] = ()
    color: Literal["rgb", "cmyk"] = "rgb"
    cut: str = "marks"
    spot_name: str = "CutContour"
    duplex: str = "none"
    register: str = "none"
    also: tuple[str, ...] = ()
    offset_mm: tuple[float, float] = (0.0, 0.0)
    back_offset_mm: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    draft: bool = False

    @property
    def of_print(self) -> dict[str, Any]:
        """Their record in manifest.json."""
        told = {name: getattr(self, name) for name in _NAMES if name not in _NOT_THE_PRINT}
        return {**told, "profile": self.profile.id if self.profile else HOME}


def check_choices(options: BuildOptions) -> None:
    """Raises CannotRun for a word that an option does not take."""
    for name, known in CHOICES.items():
        given = getattr(options, name)
        for word in given if isinstance(given, tuple) else (given,):
            if word not in known:
                raise CannotRun(f"{name}: there is no {word!r}; use {', '.join(known)}")


def options_for(profile: Profile, given: Mapping[str, Any]) -> BuildOptions:
    """The profile's options, overridden by those that the user gave (all that are not None). Sizes and layouts are
    combined, the user's last."""
    made: dict[str, Any] = {key: value for key, value in profile.options.items() if key in _NAMES}
    for key, value in given.items():
        if value is not None:
            made[key] = (*made.get(key, ()), *value) if key in ("sizes", "layouts") else value
    return BuildOptions(profile=profile, **made)


_NAMES = BuildOptions.__struct_fields__
