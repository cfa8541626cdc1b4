"""Reports on the tiles of a box, as text, JSON, PDF and positions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from platelayer.foundation.door import NotRead, read_json
from platelayer.foundation.languages import FixedWords, Tongue, languages
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.load import Reference, find, language_notes
from platelayer.play.supply import (
    Bound,
    Reach,
    Supply,
    Tightness,
    Use,
    board_of,
    kind_of,
    reach_of,
    supply_of,
    use_of,
    witness,
)

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.imposition.listing import Listing
    from platelayer.model.position import Position
    from platelayer.model.title import Title


# Supply of the box and reach of track as sentences, in any language.


words_of = FixedWords("supply")
_COLOURS = FixedWords("cards").table("colour")
_ENGLISH = Tongue()
# Maximum number of hexes or tiles that a sentence names.
_NAMED = 12


def said(tongue: Tongue, key: str, *parts: object, count: int | None = None) -> str:
    """Return a phrase about supply, in its singular form if `count` is 1."""
    return tongue.say(words_of(f"1 {key}" if count == 1 else key), *parts)


def some(names: Sequence[str], most: int = _NAMED, tongue: Tongue = _ENGLISH) -> str:
    """Return a list of names; of more than `most`, the first ones and the number of others."""
    row = said(tongue, "list").join(names[:most])
    return said(tongue, "and_more", row, len(names) - most) if len(names) > most else row


def _colour(name: str, tongue: Tongue) -> str:
    return tongue.say(_COLOURS[name]) if name in _COLOURS else name


def bound_name(bound: Bound, tongue: Tongue = _ENGLISH) -> str:
    """Return the colour and kind of a bound: "gray: city"."""
    kind = said(tongue, "all_tiles") if bound.like is None else kind_of(bound.like, tongue)
    return said(tongue, "bound", _colour(bound.colour, tongue), kind)


def bound_words(bound: Bound, tongue: Tongue = _ENGLISH) -> str:
    """Return a bound as a sentence that gives the minimum cut if the bound binds."""
    colour, hexes = _colour(bound.colour, tongue), len(bound.want)
    what = (
        said(tongue, "a_tile", colour)
        if bound.like is None
        else said(tongue, "a_tile_of_kind", colour, kind_of(bound.like, tongue))
    )
    if not bound.binds:
        return said(tongue, "enough", hexes, what, count=hexes)
    among = len(bound.short)
    return said(
        tongue,
        "short",
        hexes,
        what,
        bound.most,
        said(tongue, "all_compete") if among == hexes else said(tongue, "some_compete", among),
        said(tongue, "tile", some(bound.tiles, tongue=tongue), count=len(bound.tiles)),
        said(tongue, "copy", bound.copies, count=bound.copies),
    )


def tightness_words(row: Tightness, tongue: Tongue = _ENGLISH) -> str:
    """Return the demand for a tile and its number of copies, in words."""
    copies = (
        said(tongue, "unlimited") if row.copies is None else said(tongue, "in_the_box", row.copies)
    )
    return said(tongue, "wanted", row.hexes, f"{row.wanted:.1f}", copies, count=row.hexes)


def reach_words(reach: Reach, tongue: Tongue = _ENGLISH) -> list[tuple[str, str]]:
    """Return pairs of a heading and a sentence about the reach of track."""
    rows = []
    before: tuple[str, ...] | None = None
    for phase in reach.phases:
        if phase.missed != before:
            missed = said(tongue, "missed", some(phase.missed, 40, tongue)) if phase.missed else ""
            colours = said(tongue, "list").join(_colour(colour, tongue) for colour in phase.colours)
            head = (
                said(tongue, "phase", phase.phase, colours)
                if phase.phase
                else said(tongue, "all_colours")
            )
            rows.append((head, missed or said(tongue, "none_missed")))
        before = phase.missed
    if reach.never:
        rows.append(
            (said(tongue, "never_head"), said(tongue, "never", some(reach.never, 40, tongue)))
        )
    for cut in reach.cuts:
        rows.append(
            (
                said(tongue, "cut_head", cut.hex),
                said(tongue, "cut", some(cut.beyond, tongue=tongue)),
            )
        )
    for home in reach.walled_in:
        head = said(tongue, "walled_head", home.company, home.home)
        rows.append((head, said(tongue, "walled", home.lay, home.hex)))
    return rows


def use_words(used: Use, tongue: Tongue = _ENGLISH) -> list[str]:
    """Return the use of the box in recorded games, in words."""
    ran_out = said(tongue, "list").join(used.ran_out) or said(tongue, "none")
    return [
        said(tongue, "recorded", used.games, ran_out, len(used.unused), used.tiles),
        said(tongue, "correlation", f"{used.by_tightness:.2f}", f"{used.by_counts:.2f}"),
    ]


FORMAT = "platelayer.supply/1"
# Maximum size of a recorded game, in bytes; the file may include its moves.
_MOST_BYTES = 16 * 1024 * 1024


class Recorded(Struct):
    """Record of a played game: the maximum number of copies of each tile on the map at once."""

    peak: dict[str, Annotated[int, Meta(ge=0, le=10_000)]]


class SupplyReport(Struct, frozen=True, kw_only=True):
    """Supply of the box, reach of track (None for a title with map tiles), and use in recorded
    games, in a language."""

    title: Title
    supply: Supply
    reach: Reach | None
    used: Use | None = None
    language: str = "en"

    @property
    def tongue(self) -> Tongue:
        """Language of the report, with the title's terms."""
        return Tongue(self.language, dict(self.title.terms))

    def bound(self, name: str | None = None) -> Bound:
        """Return a bound by its name in any language ("gray: city"); without a name, the tightest.
        Raises CannotRun."""
        if not self.supply.bounds:
            raise CannotRun(
                f"witness: no hex of {self.title.id} takes a tile of its box: there is no bound to prove"
            )
        if name is None:
            return next(iter(self.supply.binding), self.supply.bounds[0])
        for bound in self.supply.bounds:
            names = (
                bound_name(bound, tongue) for tongue in (self.tongue, *map(Tongue, languages()))
            )
            if name == bound.name or name in names:
                return bound
        known = ", ".join(bound_name(bound, self.tongue) for bound in self.supply.bounds)
        raise CannotRun(f"witness: there is no {name!r}; bounds are {known}")

    def witness(self, name: str | None = None) -> Position:
        """Return a board on which the bound is reached. Raises CannotRun."""
        return witness(self.title, self.supply, self.bound(name))

    def prepare(self, *, theme: str, paper: str, bound: str | None, proves: bool) -> None:
        """Validate later requests in advance; with `proves`, a bound will be proven by a board.
        Raises as `pdf` and `bound` do."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.imposition.paper import find_paper

        complete_theme(theme)
        find_paper(paper)
        if proves or bound is not None:
            self.bound(bound)

    @property
    def text(self) -> str:
        """The report as text: binding bounds, reach of track, and the tightest tiles."""
        own = self.tongue
        lines = [
            f"{bound_name(bound, own)}\n    {bound_words(bound, own)}"
            for bound in self.supply.binding
        ]
        lines = lines or [said(own, "nothing_short" if self.supply.bounds else "nothing_laid")]
        if self.reach is not None:
            lines += ["", *(said(own, "bound", *row) for row in reach_words(self.reach, own))]
        if self.supply.never:
            lines += ["", said(own, "unreached", said(own, "list").join(self.supply.never))]
        lines += ["", said(own, "tightest")] if self.supply.tiles else []
        lines += [
            f"{row.rank:>4}  {row.tile:<6} {tightness_words(row, own)}"
            for row in self.supply.tiles[:_TIGHTEST]
        ]
        if self.used is not None:
            lines += ["", *use_words(self.used, own)]
        return "\n".join(lines)

    @property
    def json(self) -> str:
        """The report as JSON, in the format of docs/supply.md."""
        bounds = [
            {
                **{
                    key: to_builtins(getattr(bound, key))
                    for key in ("colour", "kind", "want", "most", "binds")
                },
                **(
                    {"short": bound.short, "tiles": bound.tiles, "copies": bound.copies}
                    if bound.binds
                    else {}
                ),
                "says": bound_words(bound, self.tongue),
                "steps": [[step.hex, str(step.lay)] for step in bound.steps],
            }
            for bound in self.supply.bounds
        ]
        value: dict[str, Any] = {
            "format": FORMAT,
            "title": self.supply.title,
            "variant": self.supply.variant,
            "map": self.supply.board,
            "bounds": bounds,
            "tiles": [
                {**to_builtins(row), "ratio": round(row.ratio, 3)} for row in self.supply.tiles
            ],
            "never": self.supply.never,
            "reach": to_builtins(self.reach),
            **({"recorded": to_builtins(self.used)} if self.used is not None else {}),
        }
        return json.dumps(value, ensure_ascii=False, indent=1)

    def pdf(
        self, *, language: str | None = None, theme: str = "classic", paper: str = "a4"
    ) -> bytes:
        """Return the report as a PDF to print: all bounds, reach and tiles, and the board that
        proves the tightest bound; in `language`, by default the report's. Raises CannotRun for
        an unknown language or theme, ProblemsFound for an unknown paper."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.drawing.boards.sheets import draw_map
        from platelayer.drawing.kit.style import style_of
        from platelayer.imposition.listing import Entry, Listing
        from platelayer.model.position import InPlay

        if language is not None and language != self.language:
            language_notes(self.title, language)
            return replace(self, language=language).pdf(theme=theme, paper=paper)
        style, own = style_of(self.title, complete_theme(theme), self.language), self.tongue
        entries = [
            Entry(
                bound_name(bound, own),
                bound_words(bound, own),
                some(bound.short, 40, own) if bound.binds else "",
            )
            for bound in self.supply.bounds
        ]
        entries += (
            [Entry(head, words) for head, words in reach_words(self.reach, own)]
            if self.reach
            else []
        )
        entries += [
            Entry(f"{row.rank}. {row.tile}", tightness_words(row, own)) for row in self.supply.tiles
        ]
        if self.used is not None:
            entries += [
                Entry(said(own, "recorded_head"), line) for line in use_words(self.used, own)
            ]
        pictures = []
        intro = said(own, "shorts", len(self.supply.binding), len(self.supply.bounds))
        if not self.supply.bounds:
            intro = said(own, "nothing_laid")
        elif self.supply.board is not None:
            tightest = self.bound()
            shown = replace(self.title, in_play=InPlay(position=self.witness(), numbers=True))
            pictures.append(draw_map(shown, self.supply.board, style))
            intro += " " + said(own, "pictured", bound_name(tightest, own), tightest.most)
        listing = Listing(
            stem="supply", heading="supply heading", intro=intro, entries=entries, pictures=pictures
        )
        return listing_pdf(self.title, listing, style, paper)


def listing_pdf(title: Title, listing: Listing, style: Style, paper: str) -> bytes:
    """Return a listing about a title as a PDF. Raises ProblemsFound for an unknown paper."""
    from platelayer.imposition.listing import listing_document
    from platelayer.imposition.paper import find_paper
    from platelayer.render.pdf import render_pdf

    document = listing_document(
        style.words(title.name),
        listing,
        paper=find_paper(paper),
        margin_mm=10.0,
        theme=style.theme,
        tongue=style.tongue,
    )
    return render_pdf(document)


# Number of tiles that the text lists.
_TIGHTEST = 12


def supply(
    reference: Reference,
    *,
    variant: str | None = None,
    board: str | None = None,
    recorded: Sequence[Path] = (),
    language: str = "en",
) -> SupplyReport:
    """Return a report on the tiles of a title's box: the tiles that run out, where track can ever
    go, and the tightness of each tile.

    `board` is the id of a map, by default the first. `recorded` are files of played games: JSON
    with the maximum number of copies of each tile on the map at once ("peak"). Raises ProblemsFound
    for a definition with errors, CannotRun for a map or a language that the title does not have and
    for a damaged file.
    """
    title = find(reference, variant=variant).title
    language_notes(title, language)
    gamemap = board_of(title, board)
    report = SupplyReport(
        title=title,
        supply=supply_of(title, board),
        reach=None if gamemap is None else reach_of(title, gamemap),
        language=language,
    )
    if not recorded:
        return report
    try:
        peaks = [read_json(path, Recorded, _MOST_BYTES).peak for path in recorded]
    except NotRead as error:
        raise CannotRun(f"recorded: {error}") from error
    return replace(report, used=use_of(report.supply, peaks))
