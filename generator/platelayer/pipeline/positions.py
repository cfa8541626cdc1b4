"""Positions: read, checked, drawn on a map, and made from records of play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.door import NotRead, joined, read_json, read_start, real
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    sort_problems,
)
from platelayer.foundation.resources import title_ids
from platelayer.model.position import POSITION, InPlay, Position
from platelayer.pipeline.load import Reference, find

if TYPE_CHECKING:
    from platelayer.definitions.position_file import LoadedPosition
    from platelayer.exchange.eighteen_games.played import Game
    from platelayer.model.title import Title

_HEAD = 2000
"""Bytes in which a file of a position says that it is one."""


class ImportedPosition(Struct, frozen=True, kw_only=True):
    """A position made from a record of play, and what the record does not tell, a line each."""

    position: Position
    untold: tuple[str, ...]

    @property
    def text(self) -> str:
        """The position as the text of its file."""
        from platelayer.definitions.position_file import position_text

        return position_text(self.position)


def is_position(path: str | Path) -> bool:
    """True for a file that says it is a position."""
    path = Path(path)
    try:
        return path.suffix == ".json" and f'"{POSITION}"'.encode() in read_start(path, _HEAD)
    except NotRead:
        return False


def check_position(path: str | Path) -> tuple[Problem, ...]:
    """All problems of a file with a position: of the file, and what cannot be by the rules of its
    title. The title is the one of that id in the file's folder or beside it, or a shipped one."""
    from platelayer.definitions.position_file import load_position

    try:
        loaded = load_position(Path(path))
        title = find(_title_of(Path(path), loaded.position), variant=loaded.position.variant).title
    except ProblemsFound as error:
        return error.problems
    return problems_of(title, loaded)


def problems_of(title: Title, loaded: LoadedPosition) -> tuple[Problem, ...]:
    """What cannot be in a position, at its places in the file; `title` has the position's variant
    applied."""
    from platelayer.rules.positions import check_position as check

    return sort_problems(
        problem.located(loaded.document.place) for problem in check(title, loaded.position)
    )


def _title_of(path: Path, position: Position) -> str:
    """Where the title of a position is. Raises CannotRun."""
    around = real(path).parent
    beside = [joined(folder, position.title) for folder in (around, around.parent)]
    for folder in (around, *beside):
        if (folder / "title.json").is_file() and folder.name == position.title:
            return str(folder)
    if position.title in title_ids():
        return position.title
    raise CannotRun(
        f'{path}: there is no title "{position.title}": it is neither shipped nor a folder of that name beside the file'
    )


def in_play(title: Title, path: str | Path, *, numbers: bool) -> Title:
    """A title whose map shows the position in a file, and the numbers of its tiles if you ask for
    them. Raises ProblemsFound for a file with errors and for a position that cannot be, CannotRun
    for that of another title."""
    from platelayer.definitions.position_file import load_position

    loaded = load_position(Path(path))
    position = loaded.position
    if position.title != title.id:
        raise CannotRun(f"position: {path} is a position of {position.title}, not of {title.id}")
    if position.variant not in (None, title.variant):
        raise CannotRun(
            f"position: {path} is a position of the variant {position.variant}; choose that variant"
        )
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    return replace(title, in_play=InPlay(position=position, numbers=numbers))


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
    from platelayer.exchange.eighteen_games.played import MOST_BYTES, Game, NotAGame, read_game

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
    from platelayer.exchange.eighteen_games.played import fits

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
