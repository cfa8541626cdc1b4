"""Games of other programs: two that are made by hand, and the real games by others that lie beside
the checkout."""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beside import SHARED
from often import often
from platelayer.exchange.importers import import_title

FOLDER = SHARED / "corpus"
_BY_HAND = Path(__file__).parent / "games"


def ruby_games() -> list[Path]:
    """Folders of games of 18xx.games."""
    return [_BY_HAND / "g_18_mill", *sorted((FOLDER / "18xx-games" / "game").glob("g_*"))]


def maker_games() -> list[Path]:
    """Game files of 18xx-maker."""
    return [_BY_HAND / "18Ford.json", *sorted((FOLDER / "18xx-maker" / "games").glob("*.json"))]


def older_games() -> list[Path]:
    """Game files that 18xx-maker once held."""
    return sorted((FOLDER / "18xx-maker-old").glob("*.json"))


def some(games: Iterable[Path]) -> list[Any]:
    """Games as parameters: every ninth always, the others with the slow tests."""
    by_name = {game.name: game for game in games}
    return often(by_name, *list(by_name)[::9])


@cache
def imported(source: Path) -> Path:
    """The folder of a game that is imported once in a process."""
    folder = TemporaryDirectory(prefix="imported-")
    atexit.register(folder.cleanup)
    import_title(source, Path(folder.name) / "title")
    return Path(folder.name) / "title"


def block(folder: Path, name: str) -> Any:
    """A block of a title, {} without its file; the whole file of "title"."""
    path = folder / f"{name}.json"
    whole = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {name: {}}
    return whole if name == "title" else whole[name]
