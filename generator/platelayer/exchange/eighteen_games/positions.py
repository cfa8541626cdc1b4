"""Positions from game files of 18xx.games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.definitions.position_file import position_text
from platelayer.exchange.eighteen_games.played import MOST_BYTES, Game, NotAGame, fits, read_game
from platelayer.foundation.door import parse_json, read_json
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import title_ids
from platelayer.model.position import Position
from platelayer.pipeline.load import Reference, find

if TYPE_CHECKING:
    from platelayer.model.title import Title


class ImportedPosition(Struct, frozen=True, kw_only=True):
    """A position made from a record of play, and what the record does not tell, a line each."""

    position: Position
    untold: tuple[str, ...]

    @property
    def text(self) -> str:
        """The position as the text of its file."""
        return position_text(self.position)


def import_position(
    source: Path,
    reference: Reference | None = None,
    *,
    variant: str | None = None,
    at: int | None = None,
) -> ImportedPosition:
    """The position in a game file of 18xx.games, after all of its actions or after action `at`, as
    far as the file tells it: tiles, tokens, homes of companies that have operated, phase. It can be
    drawn: what cannot lie where the file says is left out and named. `reference` is the title; by
    default a shipped one of the same name, with the variant that the name tells.

    Raises CannotRun for a file that is none, and for names of hexes that do not fit the map.
    """
    game = read_json(source, Game, MOST_BYTES)
    try:
        title = (
            _named(game, source) if reference is None else find(reference, variant=variant).title
        )
        position, untold = read_game(game, title, at=at)
    except NotAGame as error:
        raise CannotRun(f"{source}: {error}") from error
    return ImportedPosition(position=position, untold=untold)


def _named(game: Game, source: Path) -> Title:
    """The shipped title that a game names, with the variant that the rest of the name tells: of
    "1824 Cisleithania" the one of those for as many players on whose map most tiles can lie."""
    wanted = _letters(game.title or "")
    for title_id in title_ids():
        if _letters(title_id) == wanted:
            return find(title_id).title
    for title_id in title_ids():
        if wanted.startswith(_letters(title_id)):
            rest = wanted.removeprefix(_letters(title_id))
            variants = [
                entry.id
                for entry in find(title_id).title.variants
                if _letters(entry.id).startswith(rest)
            ]
            titles = [find(title_id, variant=variant).title for variant in variants]
            players = len(game.players or ())
            titles.sort(key=lambda title: players not in {count.players for count in title.players})
            if titles:
                return max(titles, key=lambda title: fits(game, title))
    raise CannotRun(
        f"title: {source} is of {game.title!r}, and no shipped title has that name; name the title"
    )


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def position_in_text(text: str, title: Title) -> ImportedPosition:
    """The position in the text of a game file, for a title that is known. Raises CannotRun."""
    try:
        position, untold = read_game(parse_json(text, Game, name="game.json"), title)
    except NotAGame as error:
        raise CannotRun(str(error)) from error
    return ImportedPosition(position=position, untold=untold)
