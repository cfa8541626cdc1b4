"""Options of a print, from the user and from the profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields, force_setattr, replace

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import suggestion
from platelayer.imposition.finish import Cut, Duplex, Finish, Register, check_finish
from platelayer.imposition.paper import check_margin, find_paper
from platelayer.model.kinds import KINDS, SORTS, Piece, kinds_named
from platelayer.model.manifest import Manifest
from platelayer.model.profile import Profile
from platelayer.model.title import Title

# Without `from __future__ import annotations`: BuildOptions are checked by their types, which would
# be compiled first.


# The default profile.
HOME = "home"
# The default theme.
THEME = "classic"
# Options that are the user's own files: their effect shows in the print, but their paths are
# private.
_NOT_THE_PRINT = ("since", "sheets", "position")


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
        for name, words in (("only", self.only), ("without", self.without)):
            for kind in words:
                if not kinds_named(kind):
                    known = (*KINDS, *SORTS)
                    hint = suggestion(kind, known) or f"kinds are {', '.join(known)}"
                    raise CannotRun(f"{name}: there is no kind of piece {kind!r}; {hint}")
        check_margin(find_paper(self.paper), self.margin_mm)
        if self.poster:
            find_paper(self.poster)
        check_finish(self.finish)

    @property
    def finish(self) -> Finish:
        """The finish of sheets."""
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


# Words of the options that take one of a few, or several.
CHOICES: Mapping[str, tuple[str, ...]] = {
    name: words for name, kind in _TYPES.items() if (words := _words(kind))
}


def _checked(name: str, value: Any, kind: Any) -> Any:
    """The value of an option; numbers and sequences as its type has them. Raises CannotRun."""
    try:
        return convert(value, kind)
    except ValidationError as error:
        known = CHOICES.get(name, ())
        values = value if isinstance(value, tuple) else (value,)
        unknown = [word for word in values if word not in known]
        if known and unknown:
            raise CannotRun(f"{name}: there is no {unknown[0]!r}; use {', '.join(known)}") from None
        # msgspec names types as JSON does.
        words = str(error)
        for json, python in (("Expected", "expected"), ("`array`", "`tuple`"), ("null", "None")):
            words = words.replace(json, python)
        raise CannotRun(f"{name}: {value!r} does not fit: {words}") from None


def options_for(profile: Profile, given: Mapping[str, Any]) -> BuildOptions:
    """The profile's options, overridden by those that the user gave (all that are not None). Sizes
    and layouts are combined, the user's last."""
    values: dict[str, Any] = {key: value for key, value in profile.options.items() if key in _TYPES}
    for key, value in given.items():
        if value is not None:
            values[key] = (*values.get(key, ()), *value) if key in ("sizes", "layouts") else value
    return BuildOptions(profile=profile, **values)


# The pieces to print, and how many of each.


def choose(title: Title, manifest: Manifest, options: BuildOptions) -> tuple[Piece, ...]:
    """The pieces requested by kind, by name and for a number of players, in printing order, with
    the counts to print.

    Raises CannotRun for pieces that do not exist, and if nothing is left.
    """
    only = {kind for word in options.only for kind in kinds_named(word)}
    without = {kind for word in options.without for kind in kinds_named(word)}
    wanted = tuple(piece for piece in manifest.pieces if not options.only or piece.kind in only)
    chosen = tuple(piece for piece in wanted if piece.kind not in without)
    if wanted and not chosen:
        raise CannotRun(
            f"without: nothing is left of {manifest.title} without {', '.join(options.without)}"
        )
    if not chosen:
        hint = "; money makes notes for its bank" if "money" in options.only else ""
        raise CannotRun(f"only: {manifest.title} has no {' or '.join(options.only)}{hint}")
    if options.pieces:
        chosen = tuple(_matching(manifest, chosen, options.pieces))
    if options.players is not None:
        chosen = needed(title, chosen, options.players)
        if not chosen:
            raise CannotRun(f"players {options.players}: none of the requested pieces is needed")
    if options.copies is not None:
        chosen = tuple(replace(piece, count=options.copies) for piece in chosen)
    return chosen


def _matching(
    manifest: Manifest, chosen: Sequence[Piece], patterns: Sequence[str]
) -> Iterator[Piece]:
    """Pieces whose `kind:id` (or kind) fits one of the patterns; a pattern that fits none is an
    error."""
    for pattern in patterns:
        if not any(_fits(piece, pattern) for piece in chosen):
            hint = suggestion(pattern, manifest.by_key, most=3) or "see platelayer manifest"
            raise CannotRun(
                f"pieces: {manifest.title} has no piece {pattern!r} among those requested; {hint}"
            )
    return (piece for piece in chosen if any(_fits(piece, pattern) for pattern in patterns))


def _fits(piece: Piece, pattern: str) -> bool:
    return fnmatchcase(piece.key, pattern) or piece.kind == pattern


def needed(title: Title, pieces: Sequence[Piece], players: int) -> tuple[Piece, ...]:
    """The pieces for a number of players: of pieces that come one per player (as many as the
    title's most players), only that many; of number cards from 1 to the most players, those up to
    their number. Raises CannotRun for a number of players that the title does not take."""
    counts = sorted(count.players for count in title.players)
    if players not in counts:
        allowed = f"is for {' or '.join(map(str, counts))} players"
        if not counts:
            allowed = "does not say for how many players it is"
        elif len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
            allowed = f"is for {counts[0]} to {counts[-1]} players"
        raise CannotRun(f"players {players}: {title.id} {allowed}")
    most = counts[-1]
    numbered = title.pieces.number_cards == tuple(range(1, most + 1))
    chosen: list[Piece] = []
    for piece in pieces:
        if piece.kind == "number-card" and numbered:
            if int(piece.id) <= players:
                chosen.append(piece)
        elif KINDS[piece.kind].one_a_player and piece.count == most:
            chosen.append(replace(piece, count=players))
        else:
            chosen.append(piece)
    return tuple(chosen)
