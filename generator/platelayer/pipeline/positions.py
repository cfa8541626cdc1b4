"""Positions: read, checked, and shown on a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.foundation.door import NotRead, joined, read_start, real
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    sort_problems,
)
from platelayer.foundation.resources import title_ids
from platelayer.model.position import POSITION, InPlay, Position
from platelayer.pipeline.load import find

if TYPE_CHECKING:
    from platelayer.definitions.position_file import LoadedPosition
    from platelayer.model.title import Title

# A file of a position says within these bytes that it is one.
_HEAD = 2000


def is_position(path: str | Path) -> bool:
    """True for a file that says it is a position."""
    path = Path(path)
    try:
        return path.suffix == ".json" and f'"{POSITION}"'.encode() in read_start(path, _HEAD)
    except NotRead:
        return False


def check_position(path: str | Path) -> tuple[Problem, ...]:
    """All problems of a file with a position: of the file, and by the rules of its title. The title
    is the one of that id in the file's folder or beside it, or a shipped one."""
    from platelayer.definitions.position_file import load_position

    try:
        loaded = load_position(Path(path))
        title = find(_title_of(Path(path), loaded.position), variant=loaded.position.variant).title
    except ProblemsFound as error:
        return error.problems
    return problems_of(title, loaded)


def problems_of(title: Title, loaded: LoadedPosition) -> tuple[Problem, ...]:
    """The problems of a position by the rules of its title, which has the position's variant
    applied, at their places in the file."""
    from platelayer.rules.positions import check_position as check

    return sort_problems(
        problem.located(loaded.document.place) for problem in check(title, loaded.position)
    )


def _title_of(path: Path, position: Position) -> str:
    """The folder or the id of a position's title. Raises CannotRun."""
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
