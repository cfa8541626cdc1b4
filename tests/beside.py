"""What lies beside a checkout and is no part of it: ../shared, or the folder that PLATELAYER_SHARED
names.

Nothing of it may be committed: the facts and the games belong to others. Tests that need it say so
with `needs`, and are skipped with the reason where it is not there.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("PLATELAYER_SHARED") or Path(__file__).resolve().parents[2] / "shared")

_HOLDS = {
    "reference": "facts of the five titles and of the tile catalogue that others have collected, as JSON",
    "recorded": "positions of recorded games, as an engine saw them",
    "corpus": "games of 18xx.games and 18xx-maker to import",
    "engine": "the engine of 18xx.games without its games",
}


def needs(folder: str) -> pytest.MarkDecorator:
    """Marks tests that are skipped without a folder of what lies beside the checkout, such as
    "reference"."""
    reason = (
        f"needs {SHARED / folder}: {_HOLDS[folder]} (PLATELAYER_SHARED names another ../shared)"
    )
    return pytest.mark.skipif(not (SHARED / folder).is_dir(), reason=reason)
