"""What the box of a title holds for its map, as text, JSON, PDF and positions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.load import Reference, find
from platelayer.play.reach import Reach, reach_of
from platelayer.play.supply import Bound, Supply, Use, board_of, supply_of, use_of, witness
from platelayer.play.words import bound_words, reach_words, tightness_words

if TYPE_CHECKING:
    from platelayer.model.position import Position
    from platelayer.model.title import Title

FORMAT = "platelayer.supply/1"


class SupplyReport(Struct, frozen=True, kw_only=True):
    """What the box holds, where track can go (None for a title of map tiles), and how that compares with recorded
    games."""

    title: Title
    supply: Supply
    reach: Reach | None
    used: Use | None = None

    def bound(self, name: str | None = None) -> Bound:
        """A bound by its name ("gray: city"); without one, the tightest. Raises CannotRun."""
        if name is None:
            return next(iter(self.supply.binding), self.supply.bounds[0])
        for bound in self.supply.bounds:
            if bound.name == name:
                return bound
        raise CannotRun(f"witness: there is no {name!r}; bounds are {', '.join(b.name for b in self.supply.bounds)}")

    def witness(self, name: str | None = None) -> Position:
        """A board on which as many hexes as the bound says have its tiles. Raises CannotRun."""
        return witness(self.title, self.supply, self.bound(name))

    def prepare(self, *, language: str, theme: str, paper: str, bound: str | None) -> None:
        """Look at what will be asked of this report. Raises as `pdf` and `bound` do."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.imposition.paper import find_paper
        from platelayer.pipeline.load import spoken_in

        spoken_in(self.title, language)
        complete_theme(theme)
        find_paper(paper)
        self.bound(bound)

    @property
    def text(self) -> str:
        """The report for people: what binds, where track can go, the tightest tiles."""
        lines = [f"{bound.name}\n    {bound_words(bound)}" for bound in self.supply.binding]
        if not lines:
            lines = ["The box has enough of every tile."]
        if self.reach is not None:
            lines += ["", *(f"{head}: {words}" for head, words in reach_words(self.reach))]
        if self.supply.never:
            lines += ["", f"Tiles that no hex can come to: {', '.join(self.supply.never)}"]
        lines += ["", "The tightest tiles:"]
        lines += [f"{row.rank:>4}  {row.tile:<6} {tightness_words(row)}" for row in self.supply.tiles[:_TIGHTEST]]
        if self.used is not None:
            lines += ["", *_use_lines(self.used)]
        return "\n".join(lines)

    @property
    def json(self) -> str:
        """The report for programs, by docs/supply.md."""
        bounds = [
            {
                **{key: to_builtins(getattr(bound, key)) for key in ("colour", "kind", "want", "most", "binds")},
                **({"short": bound.short, "tiles": bound.tiles, "copies": bound.copies} if bound.binds else {}),
                "says": bound_words(bound),
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
            "tiles": [{**to_builtins(row), "ratio": round(row.ratio, 3)} for row in self.supply.tiles],
            "never": self.supply.never,
            "reach": to_builtins(self.reach),
            **({"recorded": to_builtins(self.used)} if self.used is not None else {}),
        }
        return json.dumps(value, ensure_ascii=False, indent=1)

    def pdf(self, *, language: str = "en", theme: str = "classic", paper: str = "a4") -> bytes:
        """The report as a PDF to print: all bounds, reach and tiles, and the board that proves the tightest bound.
        Raises CannotRun for an unknown theme or language, ProblemsFound for an unknown paper."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.drawing.boards.map_sheet import draw_map
        from platelayer.drawing.kit.style import style_of
        from platelayer.imposition.listing import Entry, Listing, listing_document
        from platelayer.imposition.paper import find_paper
        from platelayer.model.position import InPlay
        from platelayer.pipeline.load import spoken_in
        from platelayer.render.pdf import render_pdf

        spoken_in(self.title, language)
        style = style_of(self.title, complete_theme(theme), language)
        tightest = self.bound()
        entries = [Entry(bound.name, bound_words(bound), some_hexes(bound)) for bound in self.supply.bounds]
        entries += [Entry(head, words) for head, words in reach_words(self.reach)] if self.reach else []
        entries += [Entry(f"{row.rank}. {row.tile}", tightness_words(row)) for row in self.supply.tiles]
        if self.used is not None:
            entries += [Entry("Recorded games", line) for line in _use_lines(self.used)]
        pictures = []
        intro = f"{len(self.supply.binding)} of {len(self.supply.bounds)} bounds bind."
        if self.supply.board is not None:
            shown = replace(self.title, in_play=InPlay(position=self.witness(), numbers=True))
            pictures.append(draw_map(shown, self.supply.board, style))
            intro += f" The map shows a board that reaches the tightest one, {tightest.name}: {tightest.most} hexes."
        listing = Listing(stem="supply", heading="supply heading", intro=intro, entries=entries, pictures=pictures)
        name = self.title.name.get(language)
        document = listing_document(
            name, listing, paper=find_paper(paper), margin_mm=10.0, theme=style.theme, tongue=style.tongue
        )
        return render_pdf(document)


_TIGHTEST = 12
"""Tiles that the text lists."""


def some_hexes(bound: Bound) -> str:
    """The hexes that compete, if any."""
    from platelayer.play.words import some

    return some(bound.short, 40) if bound.binds else ""


def supply(
    reference: Reference, *, variant: str | None = None, board: str | None = None, recorded: Sequence[Path] = ()
) -> SupplyReport:
    """Which tiles of a title's box run out, where its track can ever go, and how tight each tile is. `board` is the id
    of a map, by default the first; `recorded` are files of games that were played: JSON with the most copies of each
    tile on the map at once ("peak").

    Raises ProblemsFound when the definition has errors, CannotRun for a map that the title does not have and for a file
    that is none.
    """
    title = find(reference, variant=variant).title
    gamemap = board_of(title, board)
    report = SupplyReport(
        title=title,
        supply=supply_of(title, board),
        reach=None if gamemap is None else reach_of(title, gamemap),
    )
    if not recorded:
        return report
    return replace(report, used=use_of(report.supply, [_peak(path) for path in recorded]))


def _peak(path: Path) -> Mapping[str, int]:
    """The most copies of each tile that lay on the map at once in a game."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CannotRun(f"recorded: {path}: {getattr(error, 'strerror', None) or 'not JSON'}") from error
    peak = value.get("peak") if isinstance(value, dict) else None
    if not isinstance(peak, dict) or not all(isinstance(count, int) for count in peak.values()):
        raise CannotRun(f'recorded: {path}: there is no object "peak" with a number for each tile')
    return peak


def _use_lines(used: Use) -> list[str]:
    ran_out = ", ".join(used.ran_out) or "none"
    return [
        f"Recorded games: {used.games}. Ran out of: {ran_out}. Never laid: {len(used.unused)} of {used.tiles} tiles.",
        f"Spearman's rank correlation with use: {used.by_tightness:.2f} by tightness, {used.by_counts:.2f} by counts.",
    ]
