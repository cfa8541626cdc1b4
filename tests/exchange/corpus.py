"""Real games by others, which lie beside the checkout and are no part of it: ../shared/corpus, or PLATELAYER_CORPUS."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_PLACES = (Path(__file__).resolve().parents[3] / "shared" / "corpus",)
FOLDER = Path(os.environ.get("PLATELAYER_CORPUS") or next(iter(_PLACES)))

wanted = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no corpus of games at {FOLDER}; PLATELAYER_CORPUS names another place"
)


def ruby_games() -> list[Path]:
    """Folders of games of 18xx.games."""
    return sorted((FOLDER / "18xx-games" / "game").glob("g_*"))


def maker_games() -> list[Path]:
    """Game files of 18xx-maker."""
    return sorted((FOLDER / "18xx-maker" / "games").glob("*.json"))
