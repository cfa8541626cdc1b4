"""Games of other programs: two that are made by hand, and the real games by others that lie beside the checkout."""

from __future__ import annotations

from pathlib import Path

from beside import SHARED

FOLDER = SHARED / "corpus"
_BY_HAND = Path(__file__).parent / "games"


def ruby_games() -> list[Path]:
    """Folders of games of 18xx.games."""
    return [_BY_HAND / "g_18_mill", *sorted((FOLDER / "18xx-games" / "game").glob("g_*"))]


def maker_games() -> list[Path]:
    """Game files of 18xx-maker."""
    return [_BY_HAND / "18Ford.json", *sorted((FOLDER / "18xx-maker" / "games").glob("*.json"))]
