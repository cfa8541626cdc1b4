"""Options of a print, from the user and from the profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from platelayer.model.profile import Profile

COLOURS = ("rgb", "cmyk")
OUTPUTS = ("sheets", "cards", "pictures")
"""What a print consists of: PDF files of sheets to cut, PDF files with a page for each face of each card, PNG files."""

HOME = "home"
"""The profile of a print that names none."""
_NOT_THE_PRINT = ("since", "sheets")
"""Options that are files of the user's: what they did shows in the print, their paths are nobody's business."""


class BuildOptions(Struct, frozen=True, kw_only=True):
    """What a print may be told; lengths in mm. `only` are kinds of piece, `pieces` patterns of `kind:id` (empty: all);
    `copies` replaces the counts of the box; `players` leaves out what that many do not need; `since` is the
    manifest.json of an earlier print. `layouts` pairs documents with layouts, `sizes` kinds (or `kind:id`) with sizes;
    `sheets` is a sheet plan of the user's, `poster` a paper for posters; without a `profile` a print is for home."""

    variant: str | None = None
    language: str = "en"
    theme: str = "classic"
    only: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    copies: int | None = None
    players: int | None = None
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
    offset_mm: tuple[float, float] = (0.0, 0.0)
    back_offset_mm: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)

    @property
    def of_print(self) -> dict[str, Any]:
        """What manifest.json says of them."""
        told = {name: getattr(self, name) for name in _NAMES if name not in _NOT_THE_PRINT}
        return {**told, "profile": self.profile.id if self.profile else HOME}


def options_for(profile: Profile, given: Mapping[str, Any]) -> BuildOptions:
    """The profile's options, and over them those that the user gave (all that is not None). Sizes and layouts add up,
    the user's last."""
    made: dict[str, Any] = {key: value for key, value in profile.options.items() if key in _NAMES}
    for key, value in given.items():
        if value is not None:
            made[key] = (*made.get(key, ()), *value) if key in ("sizes", "layouts") else value
    return BuildOptions(profile=profile, **made)


_NAMES = BuildOptions.__struct_fields__
