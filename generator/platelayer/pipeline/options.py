"""Options of a print, from the user and from the profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import ValidationError, convert
from msgspec.structs import force_setattr, replace

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import suggestion
from platelayer.imposition.media import Medium, find_medium
from platelayer.imposition.paper import check_margin, find_paper
from platelayer.imposition.plan import check_finish
from platelayer.model.kinds import KINDS, SORTS, STOCKS, Piece, kinds_named
from platelayer.model.manifest import Manifest
from platelayer.model.options import OPTIONS, PrintOption, PrintOptions, Profile
from platelayer.model.title import Title

# The default profile.
HOME = "home"


class BuildOptions(PrintOptions, frozen=True, kw_only=True):
    """Options of a print, validated; docs/options.md describes each.

    Raises CannotRun for a value of the wrong type or out of bounds and for an unknown word,
    ProblemsFound for an impossible paper, margin, printer correction or name of the spot colour.
    Values that depend on a title (variants, languages, pieces) are validated with the title."""

    def __post_init__(self) -> None:
        for option in OPTIONS.values():
            force_setattr(self, option.name, _checked(option, getattr(self, option.name)))
        for name, words in (("only", self.only), ("without", self.without)):
            for kind in words:
                if not kinds_named(kind):
                    known = (*KINDS, *SORTS, *STOCKS)
                    hint = suggestion(kind, known) or f"kinds are {', '.join(known)}"
                    raise CannotRun(f"{name}: there is no kind of piece {kind!r}; {hint}")
        if self.media:
            self._take(find_medium(self.media))
        if self.start_at > 1 and not (self.media and find_medium(self.media).places):
            raise CannotRun("start_at: name the sheet of labels with media")
        check_margin(find_paper(self.paper), self.margin_mm)
        if self.poster:
            find_paper(self.poster)
        check_finish(self)

    def _take(self, medium: Medium) -> None:
        """Set the options that a medium decides."""
        force_setattr(self, "media", medium.id)
        if medium.cutter:
            force_setattr(self, "register", "silhouette")
        elif medium.places:
            force_setattr(self, "paper", medium.places.paper)
            force_setattr(self, "layouts", ())
        elif medium.kind in ("paper", "cutter"):
            force_setattr(self, "paper", medium.id)
        else:
            raise CannotRun(f"media: {medium.id} cannot be printed on")
        if medium.places and self.start_at > medium.places.count:
            raise CannotRun(
                f"start_at {self.start_at}: {medium.id} has {medium.places.count} places"
            )

    @property
    def of_print(self) -> dict[str, Any]:
        """Their record in manifest.json, without the paths of the user's files."""
        values = {
            name: getattr(self, name) for name, option in OPTIONS.items() if not option.mark.file
        }
        return {**values, "profile": self.profile.id if self.profile else HOME}


def _checked(option: PrintOption, value: Any) -> Any:
    """The value of an option; numbers and sequences as its type has them. Raises CannotRun."""
    name = option.name
    try:
        return convert(value, option.described)
    except ValidationError as error:
        known = option.choices
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
    values = dict(profile.options)
    for key, value in given.items():
        if value is not None:
            pairs = key in OPTIONS and OPTIONS[key].pairs
            values[key] = (*values.get(key, ()), *value) if pairs else value
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
        chosen = for_players(title, chosen, options.players)
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


def for_players(title: Title, pieces: Sequence[Piece], players: int) -> tuple[Piece, ...]:
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
    chosen = []
    for piece in pieces:
        if piece.kind == "number-card" and numbered:
            if int(piece.id) <= players:
                chosen.append(piece)
        elif KINDS[piece.kind].one_a_player and piece.count == most:
            chosen.append(replace(piece, count=players))
        else:
            chosen.append(piece)
    return tuple(chosen)
